"""Part a prompt's own words from what it quotes or pastes, and find the sentence of the request."""

import re
from dataclasses import dataclass

from chatbot.language.patterns import regex

_QUOTED = regex(
    r"„([^„”\"]{1,4000})[”\"]|\"([^\"]{1,4000})\"|“([^“”]{1,4000})”|«([^«»]{1,4000})»"
    r"|<(\w{1,20})>([^<]{1,4000})</\5>"
)
_SENTENCE = regex(r"[^.!?…\n]+(?:[.!?…]+|\n|$)")
_TO_ASSISTANT = regex(
    r"\s*(?:(?:drogi )?(?:asystencie|bocie|czacie)\b|(?:systemie|modelu|system|ai)\s*[,:]|"
    r"(?:z)?ignoruj\b|ignore (?:all|any|previous|the)\b)",
    re.IGNORECASE,
)
_TITLE_WORDS = 5
_OWN_WORDS = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class Parts:
    """What the user says in ``own`` words (quotations as ``„…”``), and what is ``quoted``."""

    own: str
    quoted: str


def part(prompt: str) -> Parts:
    """Take quotations out that are long or speak to the assistant; a title stays where it is.

    A prompt that is hardly more than its quotation is left whole.
    """
    quoted: list[str] = []

    def replace(found: re.Match[str]) -> str:
        inside = next(group for group in (*found.groups()[:4], found[6]) if group is not None)
        is_title = len(inside.split()) <= _TITLE_WORDS and not _TO_ASSISTANT.match(inside)
        if is_title and found[6] is None:
            return found[0]
        quoted.append(inside)
        return " „…” "

    own = _QUOTED.sub(replace, prompt)
    if len(own.replace("„…”", " ").split()) < _OWN_WORDS:
        return Parts(own=prompt, quoted="")
    return Parts(own=own, quoted=" ".join(quoted))


def sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of a text, those without a letter or figure left out."""
    found = (match[0].strip() for match in _SENTENCE.finditer(text))
    return tuple(each for each in found if any(letter.isalnum() for letter in each))

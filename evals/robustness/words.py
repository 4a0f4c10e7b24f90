"""Finds the words of a prompt that can be written otherwise without changing what is right."""

import re
from collections.abc import Iterator, Set as AbstractSet
from dataclasses import dataclass

from chatbot.language import fold, morphology, read_number
from chatbot.types import JsonValue
from evals.cases import Case, ExpectedCall

_QUOTED = re.compile(r"""[„“”"«»][^„“”"«»]*[„“”"«»]?|`[^`]*`?|\$[^$]*\$?|\n.*""", re.DOTALL)
_CHUNK = re.compile(r"\S+")
_AROUND = ".,?!:;…()[]–—'’"
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_FUNCTIONS = frozenset({
    "abs",
    "arctg",
    "cos",
    "ctg",
    "det",
    "exp",
    "lim",
    "log",
    "mod",
    "sin",
    "tan",
})
_COMPUTED = frozenset({"calculate"})
_MARKS = ".,?!:;…"
_MIN_PROSE = 3
_STEM = 3  # letters that a name and its inflected form have in common


@dataclass(frozen=True, kw_only=True, slots=True)
class Word:
    """One word of a prompt: letters (with hyphens between), from ``start`` to ``end``."""

    text: str
    start: int
    end: int


def free_words(case: Case) -> tuple[Word, ...]:
    """The words outside quotations, pasted lines and formulas, in their order.

    Where something is computed, only longer words of the dictionary are free that are no numbers:
    what else is written with letters there may be a variable, a function or a unit.
    """
    words = _plain_words(case.prompt)
    if any(call.tool == "calculate" for call in _right_calls(case)):
        return tuple(word for word in words if _is_plain_prose(word.text))
    return tuple(words)


def unnamed_words(case: Case) -> tuple[Word, ...]:
    """The free words that are neither names nor any form of what the right arguments say."""
    stems = {stem for value in _right_texts(case) for stem in _stems(value)}
    return tuple(
        word
        for word in free_words(case)
        if not (word.start and word.text[0].isupper()) and not _stems(word.text) & stems
    )


def has_punctuated_arguments(case: Case) -> bool:
    """Whether a name to be looked up has a mark of its own ("Czy leci z nami pilot?")."""
    names = _right_texts(case, besides={"calculate", "generate_image"})
    return any(mark in name for name in names for mark in _MARKS)


def replace_words(prompt: str, changed: Iterator[tuple[Word, str]]) -> str:
    """``prompt`` with words replaced, given in their order."""
    pieces, at = [], 0
    for word, text in changed:
        pieces += [prompt[at : word.start], text]
        at = word.end
    return "".join((*pieces, prompt[at:]))


def _plain_words(prompt: str) -> Iterator[Word]:
    """Chunks between blanks that are one word once the marks around it are taken away."""
    hidden = _QUOTED.sub(lambda found: "\0" * len(found[0]), prompt)
    for chunk in _CHUNK.finditer(hidden):
        text = chunk[0].strip(_AROUND)
        if _WORD.fullmatch(text):
            start = chunk.start() + chunk[0].index(text)
            yield Word(text=text, start=start, end=start + len(text))


def _is_plain_prose(word: str) -> bool:
    if len(word) < _MIN_PROSE or word.lower() in _FUNCTIONS:
        return False
    return morphology().is_known(word) and read_number(word) is None


def _right_calls(case: Case) -> tuple[ExpectedCall, ...]:
    return tuple(call for right in (case.expected, *case.also) for call in right.calls)


def _right_texts(case: Case, besides: AbstractSet[str] = _COMPUTED) -> Iterator[str]:
    for call in _right_calls(case):
        if call.tool not in besides:
            values: list[JsonValue] = [*call.arguments.values()]
            values += [value for more in call.accept.values() for value in more]
            yield from (value for value in values if isinstance(value, str))


def _stems(text: str) -> frozenset[str]:
    return frozenset(word[:_STEM] for word in re.findall(r"\w+", fold(text)))

"""One picture out of the last ones of a conversation: "połącz oba w jeden"."""

from collections.abc import Sequence

from chatbot.language.patterns import regex
from chatbot.router.detector.picture.media import MEDIUM
from chatbot.router.detector.readings import readings_of
from chatbot.router.detector.spans import fold_evenly, split_words
from chatbot.router.dialogue.drawings.clauses import bare
from chatbot.router.dialogue.drawings.editing import join_up

_BOTH = (
    r"(?:ob(?:a|ie|oje|ydwa|ydwie|ydwoje)|te (?:dwa|dwie)|(?:dwa|dwie) ostatnie|je|"
    r"(?:je )?wszystki[em](?: trzy)?|te trzy|jedn[oea]n? i drugi?[ea]?)"
)
_ONE = rf"(?:w|na) (?:jed\w+|wspoln\w+)(?: {MEDIUM})?"
_EVERY = regex(r"\b(?:wszystkie|trzy)\b")
_JOINED = regex(
    rf"\b(?:polacz|zlacz|scal|zloz|skl?ej)\w* (?:\w+ )?{_BOTH}(?: (?:te )?{MEDIUM})?"
    rf"(?:,? (?:razem|ze soba))?(?: {_ONE})?|"
    rf"\b(?:polacz|zlacz|scal|zloz|skl?ej)\w* (?:\w+ )?to(?: (?:razem|ze soba))? {_ONE}|"
    rf"\b{_BOTH}(?: {MEDIUM})?(?:,? (?:razem|ze soba|naraz))?,? {_ONE}|\brazem,? {_ONE}|"
    r"\brazem (?:by )?sie da(?:lo(?:by)?)?(?=\W*$)|\b(?:da|dalo)(?:by)? sie razem(?=\W*$)|"
    rf"\b{_ONE},? (?:{_BOTH}|razem)(?: (?:{MEDIUM}|razem))?(?=\W*$)"
)
_MEDIUM = regex(MEDIUM)
_FEWEST = 2


def joined(pictures: Sequence[str], prompt: str) -> tuple[str, str] | None:
    """Return what the last pictures show together, the newest last, and what else is wished.

    ``pictures`` begin with the newest. ``None`` where they are not to be put into one.
    """
    told = _JOINED.search(fold_evenly(prompt))
    if told is None or len(pictures) < _FEWEST or _names_thing(prompt[: told.start()]):
        return None
    chosen = pictures if _EVERY.search(told[0]) else pictures[:_FEWEST]
    return ", ".join(reversed(chosen)), prompt[told.end() :].strip(" ,.!?")


def in_one(pictures: Sequence[str], prompt: str) -> str | None:
    """Return the description of one picture of the last ones, with what else is wished of it."""
    if (together := joined(pictures, prompt)) is None:
        return None
    rest = bare(together[1])
    return join_up(together[0], [rest] if rest else [])


def _names_thing(before: str) -> bool:
    """Whether what stands before names things of its own: "psa i kota razem na jednym obrazku"."""
    return any(
        readings
        and all(one.pos in {"subst", "ger"} for one in readings)
        and not _MEDIUM.fullmatch(word.folded)
        for word in split_words(before)
        if (readings := readings_of(word.text))
    )

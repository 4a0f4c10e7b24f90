"""One picture out of the last ones of a conversation: "połącz oba w jeden"."""

from collections.abc import Sequence

from chatbot.language.patterns import regex
from chatbot.router.detector.picture.media import MEDIUM
from chatbot.router.detector.spans import fold_evenly

_BOTH = (
    r"(?:ob(?:a|ie|ydwa|ydwie)|te (?:dwa|dwie)|(?:dwa|dwie) ostatnie|je|(?:je )?wszystkie"
    r"(?: trzy)?|te trzy)"
)
_EVERY = regex(r"\b(?:wszystkie|trzy)\b")
_JOINED = regex(
    rf"\b(?:polacz|zlacz|scal|zloz|skl?ej)\w* (?:\w+ )?{_BOTH}(?: (?:te )?{MEDIUM})?"
    rf"(?:,? (?:razem|ze soba))?(?: (?:w|na) (?:jed\w+|wspoln\w+)(?: {MEDIUM})?)?|"
    rf"\b(?:{_BOTH}|razem)(?: {MEDIUM})?,? (?:w|na) (?:jed\w+|wspoln\w+)(?: {MEDIUM})?"
)
_FEWEST = 2


def joined(pictures: Sequence[str], prompt: str) -> tuple[str, str] | None:
    """Return what the last pictures show together, the newest last, and what else is wished.

    ``pictures`` begin with the newest. ``None`` where they are not to be put into one.
    """
    told = _JOINED.search(fold_evenly(prompt))
    if told is None or len(pictures) < _FEWEST:
        return None
    chosen = pictures if _EVERY.search(told[0]) else pictures[:_FEWEST]
    return ", ".join(reversed(chosen)), prompt[told.end() :].strip(" ,.!?")

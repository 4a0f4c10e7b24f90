"""Verbs of a question, told from the nouns that look like them."""

from collections.abc import Sequence

from chatbot.router.detector.nouns import VERBS
from chatbot.router.detector.readings import readings_of
from chatbot.router.detector.spans import Span, split_words

_VERBAL = frozenset({"fin", "praet", "impt", "bedzie", "aglt", "imps", "adv", "part", "qub"})
_FINITE = frozenset({"fin", "praet", "bedzie", "imps"})
_BEING = frozenset({"jest", "sa", "byl", "byla", "bylo", "byly"})


def verbs_end(words: Sequence[Span], *, counts: bool) -> int:
    """Return how many words after a question word are verbs; "ile dni trwało" has its noun too."""
    start = 0
    while start < len(words) - 1 and (
        is_skipped(words[start]) or (start and _is_verb_after(words[start - 1], words[start]))
    ):
        start += 1
    if counts and start == 0:
        verb = next((at for at, word in enumerate(words[:3]) if is_finite(word)), None)
        is_named = any(word.is_capitalised for word in words[:verb])
        if verb is None or is_named or verb + 1 >= len(words):
            return 0
        is_made = verb + 2 < len(words) and _is_verb_after(words[verb], words[verb + 1])
        return verb + 1 + is_made
    if start == 0 and not counts and len(words) > 1 and words[0].text.islower():
        return int(any(reading.pos in _FINITE for reading in readings_of(words[0].text)))
    return start


def _is_verb_after(before: Span, word: Span) -> bool:
    """Whether a word is a verb because of the one before: "się żywi", "jest zbudowana"."""
    kinds = {reading.pos for reading in readings_of(word.text)}
    return (before.folded == "sie" and "fin" in kinds) or (
        before.folded in _BEING and "ppas" in kinds and word.text.islower()
    )


def is_clause(text: str) -> bool:
    """Whether a finite verb stands in the text: then it is no name."""
    return any(word.text.islower() and is_finite(word) for word in split_words(text))


def is_finite(word: Span) -> bool:
    """Whether a word is a finite verb, not a noun that looks like one."""
    kinds = {reading.pos for reading in readings_of(word.text)}
    is_past = "praet" in kinds and not kinds & {"subst", "ger"}
    return word.folded in VERBS - {"to", "byc"} or is_past or bool(kinds and kinds <= _FINITE)


def is_skipped(word: Span) -> bool:
    """Whether a word can be nothing but a verb or a particle."""
    readings = readings_of(word.text)
    return word.folded in VERBS or (
        bool(readings) and all(reading.pos in _VERBAL for reading in readings)
    )

"""Which picture of a conversation a prompt speaks of: "dodaj papudze koronę"."""

import re
from collections.abc import Sequence

from chatbot.language.morphology import morphology
from chatbot.router.detector.spans import Span, fold_evenly, split_words
from chatbot.router.dialogue.editing import is_noun
from chatbot.router.dialogue.mentions import nouns_of

_EARLIEST = re.compile(r"\bna poczatku\b|\b(?:tego|ten|do) pierwsz\w+\b")
_ADDS = re.compile(r"\b(?:dodaj|dorzuc|doloz|domaluj|dorysuj|wstaw|umiesc|dopisz)\b")
_INTO = re.compile(r"\b(?:do|na) t(?:ego|ej|ym|ych|amt\w+)\b|\bdo (?!tla|srodka|niego|niej)\w+")


def choose(pictures: Sequence[str], prompt: str) -> str:
    """Return the picture that a prompt speaks of: the latest, unless another has more of it."""
    folded = fold_evenly(prompt)
    if _EARLIEST.search(folded):
        return pictures[-1]
    if _ADDS.search(folded) and not _INTO.search(folded):
        prompt = " ".join(word.text for word in split_words(prompt) if _is_recipient(word))
    return max(pictures, key=lambda one: shared(one, prompt))


def shared(picture: str, prompt: str) -> int:
    """Return how many nouns a prompt shares with a picture."""
    there = frozenset().union(*(nouns_of(word.text) for word in split_words(picture)))
    return sum(is_noun(word) and bool(nouns_of(word.text) & there) for word in split_words(prompt))


def _is_recipient(word: Span) -> bool:
    """Whether something is given to it: "papudze", not what is added, "papugę"."""
    nouns = (one for one in morphology().readings(word.text) if one.pos == "subst")
    cases = frozenset(case for one in nouns for case in one.cases)
    return "dat" in cases and cases <= {"dat", "loc"}

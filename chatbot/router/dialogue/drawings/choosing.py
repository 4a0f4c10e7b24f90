"""Which picture of a conversation a prompt speaks of: "dodaj papudze koronę", "ten pierwszy"."""

import re
from collections.abc import Sequence

from chatbot.language.morphology import morphology
from chatbot.language.patterns import regex
from chatbot.router.detector.picture.media import MEDIUM
from chatbot.router.detector.spans import Span, fold_evenly, split_words
from chatbot.router.dialogue.drawings.editing import is_noun
from chatbot.router.dialogue.mentions import nouns_of

_EARLIEST = regex(r"\bna poczatku\b|\b(?:tego|ten|do) pierwsz\w+\b")
_ADDS = regex(r"\b(?:dodaj|dorzuc|doloz|domaluj|dorysuj|wstaw|umiesc|dopisz)\b")
_INTO = regex(r"\b(?:do|na) t(?:ego|ej|ym|ych|amt\w+)\b|\bdo (?!tla|srodka|niego|niej)\w+")
_ORDER = r"(?P<order>pierwsz|poprzedni|wczesniejsz|przedostatni|ostatni|pierwotn)\w+"
_BACK = r"\b(?:wro[ct]\w*|wracaj\w*|cofnij\w*)(?: (?:jednak|teraz|jeszcze|prosze|sie|mi))* do"
_THIS = r"(?:t(?:ego|ej|en|a|e|o|amt\w+) )?"
_END = (
    r"(?: (?:byl[aoy]? )?(?:lepsz|ladniejsz|fajniejsz)\w+| byl[aoy]? ok)?"
    r"(?:,? (?:i|ale|tylko|tylko ze)\b|[,:.])*"
)
_LED = r"^(?:(?:a|no|to|ok|jednak|daj|pokaz|zrob|wez|mi|jeszcze raz|wole)[ ,]+)*"
_CHANGES = r"(?:dodaj|doloz|dorysuj|zmien|usun|daj)"
_ITSELF = r"(?:obraz(?:ka|ku|u|ie|ek)|rysun\w+|ilustracji|grafi(?:ki|ce))\b"
_POINTERS = (
    regex(rf"{_BACK} {_THIS}(?:{_ORDER} )?wersj\w+ bez (?P<gone>\w+){_END}"),
    regex(rf"{_BACK} {_THIS}{_ORDER}(?: {MEDIUM})?{_END}"),
    regex(rf"{_BACK} {_THIS}(?:{MEDIUM} (?:z |ze )?)?(?P<noun>\w+)(?: (?:z|na) {MEDIUM})?{_END}"),
    regex(rf"{_LED}{_THIS}{_ORDER}(?: {MEDIUM})?(?=\W|$){_END}"),
    regex(rf"\b(?:do|na|w) {_THIS}{_ORDER}(?: {MEDIUM}|(?= {_CHANGES})){_END}"),
    regex(rf"\b(?:do|na|w|z) {_THIS}{_ITSELF}{_END}"),
)
_RANKS = {"pierwsz": -1, "pierwotn": -1, "poprzedni": 1, "wczesniejsz": 1, "przedostatni": 1}


def select(pictures: Sequence[str], prompt: str, *, is_last: bool) -> tuple[str, str]:
    """Return the picture that a prompt speaks of, and the prompt without what only points to it.

    ``is_last``: nothing was done since the last picture, so that "poprzedni" is the one before.
    """
    told = pointer(prompt)
    if told is None:
        return choose(pictures, prompt), prompt
    rest = f"{prompt[: told.start()].rstrip()} {prompt[told.end() :].lstrip()}".strip(" ,.:!?")
    groups = told.groupdict()
    if gone := groups.get("gone"):
        lacking = (one for one in pictures if not shared(one, prompt[slice(*told.span("gone"))]))
        return next(lacking, pictures[0]), rest if gone in told[0] else prompt
    if order := groups.get("order"):
        at = _RANKS.get(order, 0)
        return pictures[at if at < 0 or (is_last and len(pictures) > at) else 0], rest
    return choose(pictures, prompt[told.start() : told.end()] if groups.get("noun") else rest), rest


def pointer(prompt: str) -> re.Match[str] | None:
    """Return what of a prompt points back to a picture: "wróć do poprzedniego obrazka"."""
    folded = fold_evenly(prompt)
    return next((found for one in _POINTERS if (found := one.search(folded))), None)


def choose(pictures: Sequence[str], prompt: str) -> str:
    """Return the picture that a prompt speaks of: the latest, unless another has more of it."""
    folded = fold_evenly(prompt)
    if _EARLIEST.search(folded):
        return pictures[-1]
    if _ADDS.search(folded) and not _INTO.search(folded):
        prompt = recipients(prompt)
    return max(pictures, key=lambda one: shared(one, prompt))


def shared(picture: str, prompt: str) -> int:
    """Return how many nouns a prompt shares with a picture."""
    there = frozenset().union(*(nouns_of(word.text) for word in split_words(picture)))
    return sum(is_noun(word) and bool(nouns_of(word.text) & there) for word in split_words(prompt))


def recipients(prompt: str) -> str:
    """Return the words of a prompt to which something is given: "rybakowi"."""
    return " ".join(word.text for word in split_words(prompt) if _is_recipient(word))


def _is_recipient(word: Span) -> bool:
    """Whether something is given to it: "papudze", not what is added, "papugę"."""
    nouns = (one for one in morphology().readings(word.text) if one.pos == "subst")
    cases = frozenset(case for one in nouns for case in one.cases)
    return "dat" in cases and cases <= {"dat", "loc"}

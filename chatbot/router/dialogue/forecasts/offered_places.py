"""Which of the places that our question offers is meant: "to pod Poznaniem", "ta w Małopolsce"."""

from collections.abc import Iterator
from dataclasses import dataclass

from chatbot.language.patterns import regex
from chatbot.router.detector.places import find_places
from chatbot.router.detector.spans import fold_evenly, split_words
from chatbot.router.dialogue.enumerations import pick
from chatbot.router.dialogue.forecasts.places import spoken

_OFFERS = regex(
    r"\b(?:chodzi(?:lo)?|na mysli|pytasz|mowa|mowimy)\b"
    r"[^.!?]{1,160}\b(?:czy|albo|lub)\b[^.!?]{1,80}\?\s*$"
)
_OR = regex(r",? (?:czy|albo|lub) |, ")
_WHERE = regex(
    r"(?:\W*(?:nie|no|aha|a|oczywiscie|chodzi|mi|o) )*(?:(?:to|ten|ta|te|tej|tego|tym) )?"
    r"(?:(?:w|we|na|pod|kolo|obok|nad|przy|niedaleko|blisko|z|ze) \w{4,}|\w{3,}[sc]k\w{1,3})"
)
"""Tells where a place is: "to pod Poznaniem", "wielkopolskie"."""

_BY_WATER = regex(r"\bnad\b")
_TALK = frozenset({
    "chodzi", "chodzilo", "mysli", "prosze", "poprosze", "kolo", "obok", "niedaleko", "blisko",
    "okolicy", "okolicach", "oczywiscie", "raczej", "wlasnie", "ktory", "ktora", "ktore",
})  # fmt: skip
_STEM = 4


@dataclass(frozen=True, kw_only=True, slots=True)
class _Offer:
    """A place, what is said of it, and whether that is more than its name."""

    name: str
    text: str
    is_told: bool


def offers_places(reply: str) -> bool:
    """Whether a reply asks which of several places is meant: "Chodzi o Tarnów czy o Tarnowo?"."""
    return len(list(_offers(reply))) > 1


def offered_place(reply: str, answer: str) -> str | None:
    """Return the place of the question to which alone an answer's words fit, or its order.

    What fits to none of them is said of the only one of which the question said nothing.
    """
    offers = list(_offers(reply))
    if not offers[1:]:
        return None
    if (counted := pick([one.name for one in offers], fold_evenly(answer))) is not None:
        return counted
    told = [_stems(one.text) for one in offers]
    common = frozenset[str].intersection(*told)
    own = _stems(answer) - common
    fitting = [one.name for one, stems in zip(offers, told, strict=True) if own & stems]
    if not fitting and _BY_WATER.search(fold_evenly(answer)):
        fitting = [one.name for one in offers if _BY_WATER.search(fold_evenly(one.text))]
    if not fitting and own and _WHERE.fullmatch(fold_evenly(answer).strip(" .!,")):
        fitting = [one.name for one in offers if not one.is_told]
    return fitting[0] if len(fitting) == 1 else None


def _offers(reply: str) -> Iterator[_Offer]:
    asked = _OFFERS.search(fold_evenly(reply))
    for text in _OR.split(reply[asked.start() :]) if asked else ():
        if names := find_places(text) or spoken(text):
            size = len(split_words(names[0]))
            said = [word for word in split_words(text) if word.text[0].isalpha()]
            first = next((at for at, word in enumerate(said) if word.is_capitalised), 0)
            yield _Offer(name=names[0], text=text, is_told=len(said) > first + size)


def _stems(text: str) -> frozenset[str]:
    words = (fold_evenly(word.text) for word in split_words(text))
    return frozenset(one[:_STEM] for one in words if len(one) >= _STEM and one not in _TALK)

"""The persons among whom our question lets choose, told apart by what it says of each."""

from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Prefix

from chatbot.router.detector.spans import Span, split_words
from chatbot.router.dialogue.mentions import Mention, find_mentions
from chatbot.router.dialogue.naming import agreeing_surname

_BEFORE = frozenset({",", ":", "o", "czy", "albo", "lub", "oraz", "i", "mysli", "pana", "pani"})
_FILLERS = frozenset({
    "ten", "tego", "tej", "tym", "temu", "oczywiscie", "jasne", "rzecz", "chodzi", "chodzilo",
    "prosze", "poprosze", "mysli", "mialem", "mialam", "raczej", "pewnie", "chyba", "naturalnie",
    "mnie", "interesuje", "bardziej", "pan", "pana", "pani", "moze", "jednak", "dla", "tylko",
})  # fmt: skip
_PAIR = 2
_ALIKE = 3  # letters that "skoków" shares with "skoczka"


@dataclass(frozen=True, kw_only=True, slots=True)
class Offer:
    """A person of our question in full, and the words with which it tells of him."""

    name: str
    told: tuple[Span, ...]


def offered(question: str, surname: str | None) -> tuple[Offer, ...]:
    """Return the two or more persons that a question offers, first names with ``surname``.

    "Stanisława, prezydenta, czy Pawła, tyczkarza?" offers two, and no place or title in between.
    """
    words = split_words(question)
    named = [one for one in find_mentions(question) if one.kind == "person"]
    named = [one for one in named if _opens(words, one)]
    if len(named) < _PAIR:
        return ()
    ends = [*(one.start for one in named[1:]), len(question)]
    return tuple(
        Offer(
            name=_in_full(one.name, surname),
            told=tuple(word for word in words if one.end <= word.start < end),
        )
        for one, end in zip(named, ends, strict=True)
    )


def described(offers: Sequence[Offer], answer: Sequence[Span]) -> str | None:
    """Return whom alone the words of an answer describe: "tego od tyczki" for the vaulter."""
    said = [one for one in answer if len(one.text) >= _ALIKE and one.folded not in _FILLERS]
    scores = [max((_alike(a, b) for a in said for b in one.told), default=0) for one in offers]
    best = max(scores, default=0)
    is_one = best >= _ALIKE and scores.count(best) == 1
    return offers[scores.index(best)].name if is_one else None


def _opens(words: Sequence[Span], one: Mention) -> bool:
    """Whether a name stands where a choice begins, and not within what is told of another."""
    before = [word for word in words if word.end <= one.start][-1:]
    return not before or before[0].folded in _BEFORE


def _in_full(name: str, surname: str | None) -> str:
    return name if surname is None or " " in name else f"{name} {agreeing_surname(name, surname)}"


def _alike(one: Span, other: Span) -> int:
    """How many letters two words begin with alike."""
    return int(Prefix.similarity(one.folded, other.folded))

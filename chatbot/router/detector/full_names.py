"""The full name of a person whose surname alone is asked about: "Stefan Batory … Batorym"."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from types import MappingProxyType

from chatbot.language.folding import fold
from chatbot.language.morphology import morphology
from chatbot.language.patterns import regex
from chatbot.router.detector.nouns import PARTICLES
from chatbot.router.detector.readings import readings_of
from chatbot.router.detector.spans import Span, fold_evenly
from chatbot.router.detector.titles import read_entries

Place = tuple[int, int]
"""First word and end of a phrase."""

_SHORTEST = 4  # letters of a surname
_PAIR = 2
_STEM = 4  # letters that the forms of a name share
_WITHIN = r"(?:\bwe? |[„\"«])"
_VESSEL = r"\b(?:sterow(?:iec|ca|cem|cu)|statek|statk\w+|okret\w*|pancernik\w*|prom\w{0,2}) "
_ROMAN = regex(r"[IVX]+")


def named_in_full(words: Sequence[Span], place: Place) -> Place:
    """Return where a text says a lone name with its first name; else the place as it is.

    Args:
        words: The words and marks of a question.
        place: Its likely topic.
    """
    start, end = place
    if end - start > 1 or len(words[start].text) < _SHORTEST or _is_first_name(words[start]):
        return place
    lemmas = _lemmas(words[start])
    for at in range(1, len(words)):
        is_same = at != start and bool(_lemmas(words[at]) & lemmas)
        is_name = is_same and words[at].is_capitalised is words[at - 1].is_capitalised
        if is_name and words[at].start - words[at - 1].end == 1 and _is_first_name(words[at - 1]):
            return at - 1, at + 1
    return place


def known_in_full(text: str, name: str) -> str:
    """Return the full name of the one well-known person who is called so, else the name.

    "Norwid" is "Cyprian Kamil Norwid", "generał Bem" "Józef Bem", "Jan Sobieski" has his number.
    What one may be in ("w Oppenheimerze") or what is quoted is a work of that name; "sterowiec
    Hindenburg" is none of him either.

    Args:
        text: The question.
        name: Its topic in the base form.
    """
    rank, _, last = name.rpartition(" ")
    found = _known_person(name) or (_known_person(last) if _is_rank(rank) else None)
    return name if found is None or _is_other(name, text) else found


def _is_other(name: str, text: str) -> bool:
    """Whether a text has the name as that of a work or a ship."""
    begin = re.escape(fold(name)[:_STEM])
    return re.search(rf"(?:{_WITHIN}|{_VESSEL}){begin}", fold_evenly(text)) is not None


def _is_rank(word: str) -> bool:
    """Whether a word says what somebody is: "generał"."""
    return word.islower() and any(
        one.is_nominal and "m1" in one.genders and "nom" in one.cases for one in readings_of(word)
    )


@lru_cache(maxsize=16_384)
def _known_person(name: str) -> str | None:
    """Return the whole name of the only well-known person who is called so."""
    called = _called().get(name, ())
    told = [title for title, is_told in called if is_told]
    persons = [one for one in told if _may_be_person(one) and _is_part(name, one)]
    if persons:
        return persons[-1]
    titles = {title for title, _ in called}
    is_one = len(titles) == 1 and name not in _titles() and not _is_place(name)
    derived = (title for title in titles if name in _shorter(title) and _has_first_name(title))
    return next(derived, None) if is_one else None


@cache
def _called() -> Mapping[str, Sequence[tuple[str, bool]]]:
    """Map names to the titles of what is called so, and whether the list of titles tells it."""
    called: dict[str, list[tuple[str, bool]]] = {}
    for title, others in read_entries():
        for name in others:
            called.setdefault(name, []).append((title, True))
        for name in _shorter(title):
            called.setdefault(name, []).append((title, False))
    return MappingProxyType(called)


@cache
def _titles() -> frozenset[str]:
    return frozenset(title for title, _ in read_entries())


def _shorter(title: str) -> Iterator[str]:
    """Give the surname of a name, and a ruler's name without the number."""
    words = title.split(" ")
    if len(words) > 1 and not _ROMAN.fullmatch(words[-1]):
        yield words[-1]
    if len(words) > _PAIR and _ROMAN.fullmatch(words[1]):
        yield f"{words[0]} {' '.join(words[2:])}"


def _is_part(name: str, title: str) -> bool:
    """Whether a name is one end of a title, half a double surname, or a rank with a surname."""
    rank, _, last = name.rpartition(" ")
    if _ROMAN.fullmatch(last):  # "Henryk VIII" is called so
        return False
    ends = (title.startswith(f"{name} "), title.endswith(f" {name}"), f" {name}-" in title)
    return any(ends) or _is_rank(rank)


def _may_be_person(title: str) -> bool:
    """Whether a title is written as the name of a person: "Lionel Messi", not "MS Estonia"."""
    first, *others = title.split(" ")
    is_written = first.istitle() and all(map(_is_written, others))
    is_common = any(one.lemma[:1].islower() for one in morphology().readings(first))
    return is_written and bool(others) and (_has_first_name(title) or not is_common)


def _has_first_name(title: str) -> bool:
    first, *others = title.split(" ")
    labels = {label for one in morphology().readings(first) for label in one.labels}
    return "imię" in labels and all(map(_is_written, others))


def _is_written(word: str) -> bool:
    """Whether a word may belong to the name of a person: "van", no "C-330"."""
    return word in PARTICLES or (word[:1].isupper() and not any(one.isdigit() for one in word))


def _is_place(name: str) -> bool:
    """Whether a lone word is also a place: "Luksemburg"."""
    return " " not in name and any(
        "nazwa_geograficzna" in one.labels for one in morphology().readings(name)
    )


def _lemmas(word: Span) -> frozenset[str]:
    return frozenset(one.lemma for one in readings_of(word.text)) or frozenset({word.text})


def _is_first_name(word: Span) -> bool:
    """Whether a word is a first name; in small letters only one that is nothing else."""
    readings = readings_of(word.text)
    is_everyday = any(one.lemma[:1].islower() for one in readings)
    return any("imię" in one.labels for one in readings) and (
        word.is_capitalised or not is_everyday
    )

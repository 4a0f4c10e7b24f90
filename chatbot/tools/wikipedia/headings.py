"""Matches what a query asks of a subject with the headings of an article."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

from chatbot.language import lemmas

_ALIKE = (
    "historia dzieje przeszłość",
    "biografia życiorys życie",
    "dzieciństwo młodość",
    "wykształcenie edukacja studia nauka szkoła",
    "śmierć zgon pogrzeb",
    "rodzina żona mąż dziecko małżeństwo",
    "twórczość dzieło książka powieść utwór publikacja",
    "filmografia film rola",
    "dyskografia płyta album",
    "geografia położenie ukształtowanie",
    "klimat pogoda",
    "ludność demografia mieszkaniec społeczeństwo",
    "gospodarka ekonomia przemysł",
    "zabytek architektura",
    "kultura sztuka",
    "polityka ustrój władza rząd",
    "etymologia nazwa pochodzenie",
    "nagroda odznaczenie wyróżnienie",
    "transport komunikacja",
    "budowa anatomia wygląd morfologia",
    "objaw symptom",
    "leczenie terapia",
    "zastosowanie użycie wykorzystanie",
    "fauna zwierzę",
    "flora roślina roślinność",
    "przyczyna geneza tło",
    "skutek następstwo konsekwencja",
    "religia wyznanie wiara",
    "wojsko armia",
    "występowanie zasięg",
    "przebieg",
    "odkrycie",
    "kariera",
    "dowód",
    "sport",
    "turystyka",
    "obchody",
)
_EMPTY = (
    *("i", "a", "o", "w", "we", "z", "ze", "na", "do", "od", "po", "za", "dla", "u", "przy"),
    *("jego", "jej", "ich", "się", "być", "to", "ten", "oraz", "lub", "czy", "jak"),
    *("opowiedzieć", "powiedzieć", "przedstawić", "opisać", "znaleźć", "podać"),
    *("the", "of", "in", "and"),
)


def content_words(text: str) -> tuple[str, ...]:
    """The lemmas of ``text`` that say something, in order."""
    return tuple(lemma for lemma in lemmas(text) if lemma not in _EMPTY)


def section_words(rest: str) -> str:
    """The words of ``rest`` that articles have as headings."""
    return " ".join(word for word in rest.split() if names_a_section(word))


def names_a_section(rest: str) -> bool:
    """Whether every word is of those that articles have as headings."""
    words = content_words(rest)
    return bool(words) and all(word in _groups() for word in words)


def match_heading(rest: str, headings: Sequence[str]) -> int | None:
    """The position of the heading that ``rest`` asks for, if there is one.

    The same words count double, words of like meaning once; at least half of ``rest`` must be
    there. Among equals the heading with the fewest other words wins, then the first.
    """
    wanted = content_words(rest)
    if not wanted:
        return None
    ranked = []
    for position, heading in enumerate(headings):
        there = content_words(heading)
        points = [_points(word, there) for word in wanted]
        if 2 * sum(map(bool, points)) >= len(wanted):
            ranked.append((-sum(points), len(there), position))
    return min(ranked)[-1] if ranked else None


def _points(word: str, there: Sequence[str]) -> int:
    if word in there:
        return 2
    group = _groups().get(word)
    return int(group is not None and any(_groups().get(other) == group for other in there))


@lru_cache(maxsize=1)
def _groups() -> Mapping[str, int]:
    """The group of each word in `_ALIKE`, under the lemma that texts give for it."""
    return MappingProxyType({
        lemma: number for number, words in enumerate(_ALIKE) for lemma in lemmas(words)
    })

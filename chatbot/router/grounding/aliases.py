"""What else a place is called: in other languages, by nicknames, by its districts and sights."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from chatbot.language.countries import countries
from chatbot.router.grounding.spelling import is_cyrillic, key

_OWN = "chatbot.router.grounding"
_EXONYMS = ("exonyms.tsv", "cldr.tsv")
_NICKNAMES = "nicknames.tsv"
_NICKNAME = "="
_LANDMARKS = ("chatbot.router.detector", "landmarks.tsv")

_Index = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Aliases:
    """Immutable tables.

    ``polish`` has the Polish places of a foreign name or a nickname, by `name_key`. ``hints`` has
    the places that a model may know from what was said, by `key`: other names, districts, sights.
    ``countries`` has the countries of a capital, by `key`.
    """

    polish: _Index
    hints: _Index
    countries: _Index


def name_key(name: str) -> str:
    """Return the `key` of a foreign name; a Cyrillic one is not transliterated."""
    return name.lower() if is_cyrillic(name) else key(name)


@cache
def aliases() -> Aliases:
    """Load the packaged tables (a few milliseconds), once per process."""
    foreign = [
        (other, name)
        for table in _EXONYMS
        for name, others in _read(_OWN, table)
        for other in others.split(",")
    ]
    hints: list[tuple[str, str]] = []
    for mark, said, places in _read(_OWN, _NICKNAMES):
        pairs = [(word, place) for place in places.split(",") for word in said.split(",")]
        hints += pairs
        foreign += pairs if mark == _NICKNAME else ()
    for name, place, forms, town in _read(*_LANDMARKS):
        said_so = (name, *filter(None, forms.split("|")))
        hints += [(word, one) for word in said_so for one in (place, town) if one]
    capitals = [
        (country.capital, name)
        for country in countries()
        for name in (country.name, *country.aliases)
        if country.capital
    ]
    return Aliases(
        polish=_index(
            (name_key(other), name)
            for other, name in foreign
            if is_cyrillic(other) or key(other) != key(name)
        ),
        hints=_index((key(word), place) for word, place in (*foreign, *hints)),
        countries=_index((key(capital), name) for capital, name in capitals),
    )


def _index(pairs: Iterable[tuple[str, str]]) -> _Index:
    found: dict[str, dict[str, None]] = {}
    for said, name in pairs:
        found.setdefault(said, {})[name] = None
    return MappingProxyType({said: tuple(names) for said, names in found.items()})


def _read(package: str, table: str) -> Iterator[list[str]]:
    text = (files(package) / table).read_text(encoding="utf-8")
    for line in text.splitlines():
        if not line.startswith("#"):
            yield line.split("\t")

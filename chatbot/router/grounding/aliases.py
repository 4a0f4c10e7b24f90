"""What else a place is called: in other languages, by nicknames, by its districts and sights."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from chatbot.language.countries import countries
from chatbot.router.grounding.spelling import is_cyrillic, key

_EXONYMS = ("exonyms.tsv", "cldr.tsv")
_NICKNAMES = "nicknames.tsv"
_NICKNAME = "="

_Index = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Aliases:
    """Immutable tables, all by `key`.

    ``polish`` has the Polish places of a foreign name or a nickname (by `name_key`), ``foreign``
    all other names of a Polish one. ``hints`` are the words from which a model may know a place:
    its nicknames, districts and sights. ``countries`` has the countries of a capital.
    """

    polish: _Index
    foreign: _Index
    hints: _Index
    countries: _Index


def name_key(name: str) -> str:
    """Return the `key` of a foreign name; a Cyrillic one is not transliterated."""
    return name.lower() if is_cyrillic(name) else key(name)


@cache
def aliases() -> Aliases:
    """Load the packaged tables (a few milliseconds), once per process."""
    exonyms = tuple(row for table in _EXONYMS for row in _read(table))
    foreign = [(name, other) for name, others in exonyms for other in others.split(",")]
    hints: list[tuple[str, str]] = []
    for mark, said, places in _read(_NICKNAMES):
        pairs = [(place, word) for place in places.split(",") for word in said.split(",")]
        hints += pairs
        foreign += pairs if mark == _NICKNAME else ()
    capitals = [
        (country.capital, name)
        for country in countries()
        for name in (country.name, *country.aliases)
        if country.capital
    ]
    return Aliases(
        polish=_index((name_key(other), name) for name, other in foreign),
        foreign=_index((key(name), key(other)) for name, other in foreign),
        hints=_index((key(name), key(word)) for name, word in hints),
        countries=_index((key(capital), name) for capital, name in capitals),
    )


def _index(pairs: Iterator[tuple[str, str]]) -> _Index:
    found: dict[str, dict[str, None]] = {}
    for left, right in pairs:
        if is_cyrillic(left) or key(left) != key(right):
            found.setdefault(left, {})[right] = None
    return MappingProxyType({one: tuple(names) for one, names in found.items()})


def _read(table: str) -> Iterator[list[str]]:
    text = (files("chatbot.router.grounding") / table).read_text(encoding="utf-8")
    for line in text.splitlines():
        if not line.startswith("#"):
            yield line.split("\t")

"""Countries and territories by their ISO 3166-1 codes: Polish names, capitals, where one says."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from chatbot.language.folding import fold
from chatbot.language.names import lemmatise


@dataclass(frozen=True, kw_only=True, slots=True)
class Country:
    """A country: ISO code of two letters, Polish name, capital (empty: none), other names."""

    code: str
    name: str
    capital: str
    aliases: tuple[str, ...]


def country_of(code: str) -> Country | None:
    """Return the country of an ISO code in any case of letters: "pl" → Polska."""
    return _by_code().get(code.upper())


def find_country(name: str) -> Country | None:
    """Return the country of this Polish name, also inflected or without diacritics."""
    known = _by_name()
    return known.get(fold(name)) or known.get(fold(lemmatise(name, kind="place")))


@cache
def countries() -> tuple[Country, ...]:
    """Return all countries and territories, by code."""
    return tuple(_read())


@cache
def _by_code() -> Mapping[str, Country]:
    return MappingProxyType({country.code: country for country in countries()})


@cache
def _by_name() -> Mapping[str, Country]:
    names = {
        fold(name): country for country in countries() for name in (country.name, *country.aliases)
    }
    return MappingProxyType(names)


def _read() -> Iterator[Country]:
    text = (files("chatbot.language") / "countries.tsv").read_text(encoding="utf-8")
    for line in text.splitlines():
        if not line.startswith("#"):
            code, name, capital, aliases = line.split("\t")
            yield Country(
                code=code,
                name=name,
                capital=capital,
                aliases=tuple(filter(None, aliases.split(","))),
            )

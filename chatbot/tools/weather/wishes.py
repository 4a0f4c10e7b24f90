"""Reads which place a question means: a name, and the region or country that narrows it down."""

import re
from dataclasses import dataclass

from chatbot.language import country_of, find_country, find_voivodeship, fold, lemmatise
from chatbot.language.places import gazetteer

_HERE = re.compile(
    r"(?:tu|tutaj|tam|(?:u|kolo|obok) mnie|u nas|w okolicy|(?:moja |w mojej )?okolica|"
    r"(?:na )?(?:zewnatrz|dworze|polu)|(?:moje |w moim )?mias(?:to|cie)|moja lokalizacja|here)"
)
_AFTER_COMMA = re.compile(r"(?P<name>[^,(]+?)\s*[,(]\s*(?P<where>[^,)]+?)\s*\)?(?:,.*)?")
_AFTER_PREPOSITION = re.compile(r"(?P<name>.+?)\s+(?:w|we|na)\s+(?P<where>.+)")
_AFTER_NAME = re.compile(
    r"(?P<name>.+?)\s+(?:w\s+)?(?P<where>woj\.?\s.+|wojew\S+\s.+|[^\W\d_A-Z]\S*kie)"
)
_ENGLISH = {
    "poland": "PL",
    "germany": "DE",
    "france": "FR",
    "spain": "ES",
    "italy": "IT",
    "czech republic": "CZ",
    "czechia": "CZ",
    "united kingdom": "GB",
    "england": "GB",
    "united states": "US",
    "ukraine": "UA",
    "japan": "JP",
    "austria": "AT",
}
_CODE_LENGTH = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class Wish:
    """A name, its base form, and at most one of: country code, voivodeship, other region.

    ``said`` is what narrows the name down, in the asker's words; empty where nothing does.
    """

    name: str
    base: str
    said: str = ""
    country: str = ""
    voivodeship: str = ""
    region: str = ""

    @property
    def is_narrowed(self) -> bool:
        """Whether the asker said more than a name."""
        return bool(self.said)


def is_here(city: str) -> bool:
    """Whether the words mean the place where the asker is, which nobody told us."""
    return _HERE.fullmatch(" ".join(fold(city).split())) is not None


def read_wish(city: str) -> Wish:
    """Read "Dąbrowa, małopolskie", "Dąbrowa (woj. opolskie)", "London, Kanada", "Paryż w Teksasie".

    What a preposition introduces must be a country or a voivodeship, else it is part of the name
    ("Rudna w Lesie"). A name that the tables know is never taken apart ("Drawsko Pomorskie").
    """
    plain = " ".join(city.split())
    if gazetteer().sightings(plain):
        return _wish(plain)
    if found := _AFTER_COMMA.fullmatch(plain):
        return _narrowed(found["name"], found["where"]) or _wish(
            found["name"], said=found["where"], region=fold(found["where"])
        )
    for pattern in (_AFTER_NAME, _AFTER_PREPOSITION):
        found = pattern.fullmatch(plain)
        narrowed = found and _narrowed(found["name"], found["where"])
        if narrowed:
            return narrowed
    return _wish(plain)


def _narrowed(name: str, where: str) -> Wish | None:
    """A name within a voivodeship or a country; ``None`` where the words are neither."""
    if voivodeship := find_voivodeship(where):
        return _wish(name, said=voivodeship, voivodeship=voivodeship)
    country = find_country(where) or country_of(_code(where))
    if country is not None:
        return _wish(name, said=country.name, country=country.code)
    return None


def _code(where: str) -> str:
    return where if len(where) == _CODE_LENGTH else _ENGLISH.get(where.lower(), "")


def _wish(
    name: str, *, said: str = "", country: str = "", voivodeship: str = "", region: str = ""
) -> Wish:
    return Wish(
        name=name,
        base=lemmatise(name, kind="place"),
        said=said,
        country=country or ("PL" if voivodeship else ""),
        voivodeship=voivodeship,
        region=region,
    )

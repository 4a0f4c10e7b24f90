"""Regions, islands and districts, and the town whose weather is told for each."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from chatbot.language import (
    VOIVODESHIPS,
    find_country,
    find_voivodeship,
    fold,
    in_place,
    in_voivodeships,
    lemmatise,
)
from chatbot.tools.weather.report import HOME

_VOIVODESHIP_WORDS = ("woj", "kie", "kim", "kiego")


@dataclass(frozen=True, kw_only=True, slots=True)
class Area:
    """Something larger or smaller than a town, and the town that stands for it.

    ``where`` says "in it". ``town`` is empty where no town can stand for so large an area.
    ``is_country`` says that the town is its capital; ``asks_first`` that the service may know the
    place itself, such as a peak.
    """

    name: str
    where: str
    town: str
    country: str
    is_country: bool = False
    asks_first: bool = False


def find_area(name: str) -> Area | None:
    """Return the area of this name, inflected or without diacritics; ``None`` for a town."""
    return _find_voivodeship(name) or _find_listed(name) or _find_country(name)


def _find_listed(name: str) -> Area | None:
    areas = _listed()
    return areas.get(fold(name)) or areas.get(fold(lemmatise(name, kind="place")))


def _find_country(name: str) -> Area | None:
    """A country, unless its capital has the same name ("Luksemburg") or it has none."""
    country = find_country(name)
    if country is None or country.capital in {"", country.name}:
        return None
    return Area(
        name=country.name,
        where=in_place(country.name),
        town=country.capital,
        country=country.code,
        is_country=True,
    )


def _find_voivodeship(name: str) -> Area | None:
    """The area of "województwo łódzkie" or "w opolskim"; but "Opole" is the town."""
    words = fold(name).removeprefix("w ")
    is_so_called = words.startswith("woj") or words.endswith(_VOIVODESHIP_WORDS)
    adjective = find_voivodeship(words) if is_so_called else None
    if adjective is None:
        return None
    capital, _ = VOIVODESHIPS[adjective]
    return Area(
        name=f"województwo {adjective}",
        where=in_voivodeships((adjective,)),
        town=capital,
        country=HOME,
    )


@cache
def _listed() -> Mapping[str, Area]:
    return MappingProxyType({fold(area.name): area for area in read_areas()})


def read_areas() -> Iterator[Area]:
    """Read the table of areas."""
    text = (files("chatbot.tools.weather") / "areas.tsv").read_text(encoding="utf-8")
    for line in text.splitlines():
        if not line.startswith("#"):
            name, town, country, first = line.split("\t")
            yield Area(
                name=name,
                where=in_place(name),
                town=town,
                country=country,
                asks_first=first == "geocoder",
            )

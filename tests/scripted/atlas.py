"""The places that the scripted weather services know, with what each of them says of a place."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, kw_only=True, slots=True)
class Spot:
    """A place: Polish and international name, GeoNames' and OpenStreetMap's region, zone, size."""

    name: str
    international: str
    latitude: float
    longitude: float
    country: str
    region: str
    state: str
    zone: str
    population: int | None
    feature: str = "PPL"


def _row(line: str) -> Spot:
    name, international, latitude, longitude, country, *rest = line.split("\t")
    region, state, zone, size, feature = rest
    return Spot(
        name=name,
        international=international or name,
        latitude=float(latitude),
        longitude=float(longitude),
        country=country,
        region=region,
        state=state,
        zone=zone,
        population=int(size) if size else None,
        feature=feature,
    )


ATLAS: tuple[Spot, ...] = tuple(
    map(_row, (Path(__file__).parent / "atlas.tsv").read_text("utf-8").splitlines())
)


def fold(text: str) -> str:
    """Lower case without diacritics, as both services compare names."""
    plain = text.replace("Ł", "L").replace("ł", "l")
    marks = unicodedata.normalize("NFD", plain)
    return "".join(sign for sign in marks if not unicodedata.combining(sign)).lower()


def search(name: str, *, country: str = "", by_prefix: bool = False) -> Iterator[Spot]:
    """Places of this name in either language; ``by_prefix`` also longer names, after them."""
    wanted = fold(name)
    exact = [spot for spot in ATLAS if wanted in {fold(spot.name), fold(spot.international)}]
    longer = [spot for spot in ATLAS if fold(spot.name).startswith(wanted) and spot not in exact]
    for spot in exact + (longer if by_prefix else []):
        if country in {"", spot.country}:
            yield spot

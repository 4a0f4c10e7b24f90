"""What a weather service told, in one form for all services."""

from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from typing import Literal

from chatbot.types import Attribution

HOME = "PL"
"""The country whose places need no country beside them."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """A place on the map, in degrees, as a service knows it.

    ``country`` is an ISO 3166 code of two letters; ``region`` is the voivodeship, state or land in
    the service's own words; ``population`` is 0 where it is not known.
    """

    name: str
    country: str
    latitude: float
    longitude: float
    region: str = ""
    population: int = 0
    is_settlement: bool = True


@dataclass(frozen=True, kw_only=True, slots=True)
class Moment:
    """The weather at one moment: °C, per cent, hPa, km/h, and Polish words for the sky.

    ``wind_from`` is where the wind comes from, in degrees clockwise from the north.
    """

    temperature: float
    feels_like: float | None = None
    humidity: float | None = None
    pressure: float | None = None
    wind: float | None = None
    gusts: float | None = None
    wind_from: float | None = None
    sky: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Day:
    """The weather of one day: °C, per cent, km/h, and Polish words for the sky.

    ``rain`` is in millimetres, ``snow`` in ``snow_unit``: services measure it fresh, in
    centimetres, or melted, in millimetres. ``chance`` is that of any rain or snow.
    """

    date: date
    low: float
    high: float
    rain: float | None = None
    snow: float | None = None
    snow_unit: Literal["cm", "mm"] = "cm"
    chance: float | None = None
    wind: float | None = None
    gusts: float | None = None
    wind_from: float | None = None
    sky: str = ""
    sunrise: datetime | None = None
    sunset: datetime | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Report:
    """The weather of one place; dates and times are those of its own time zone."""

    zone: tzinfo
    now: Moment
    days: tuple[Day, ...]
    source: Attribution
    retrieved_at: datetime

"""What a weather service told, in one form for all services."""

from dataclasses import dataclass
from datetime import date, datetime, tzinfo

from chatbot.errors import ToolError
from chatbot.tools.echo import echo
from chatbot.types import Attribution


class UnknownPlace(ToolError):
    """The service knows no place of this name."""

    def __init__(self, city: str) -> None:
        """Ask for another spelling of ``city``."""
        super().__init__(
            f"Nie znam miejscowości „{echo(city)}”. "
            "Sprawdź pisownię albo podaj większe miasto w pobliżu."
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """A place on the map, in degrees; ``country`` is an ISO 3166 code of two letters."""

    name: str
    country: str
    latitude: float
    longitude: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Moment:
    """The weather at one moment: °C, per cent, km/h, and Polish words for the sky.

    ``wind_from`` is where the wind comes from, in degrees clockwise from the north.
    """

    temperature: float
    feels_like: float | None
    humidity: float | None
    wind: float | None
    wind_from: float | None
    sky: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Day:
    """The weather of one day: °C, millimetres, per cent, km/h, and Polish words for the sky."""

    date: date
    low: float
    high: float
    rain: float | None
    chance: float | None
    wind: float | None
    sky: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Report:
    """The weather of one place; dates are those of its own time zone."""

    place: Place
    zone: tzinfo
    now: Moment
    days: tuple[Day, ...]
    source: Attribution
    retrieved_at: datetime

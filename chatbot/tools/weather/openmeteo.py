"""Weather from Open-Meteo, which needs no key (open-meteo.com/en/docs)."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta, timezone, tzinfo
from typing import TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import requests
from pydantic import BaseModel, Field, FiniteFloat, TypeAdapter

from chatbot.tools.weather.conditions import WMO_CODES
from chatbot.tools.weather.options import WeatherSettings
from chatbot.tools.weather.report import Day, Moment, Place, Report
from chatbot.tools.weather.service import Celsius, fetch
from chatbot.types import Attribution

SERVICE = "Open-Meteo"
SOURCE = Attribution(source=SERVICE, url="https://open-meteo.com/", licence="CC BY 4.0")
DAYS = 16
CANDIDATES = 20
_SETTLEMENT = "PPL"
_CURRENT = (
    "temperature_2m,apparent_temperature,relative_humidity_2m,weather_code,pressure_msl,"
    "wind_speed_10m,wind_direction_10m,wind_gusts_10m"
)
_DAILY = (
    "weather_code,temperature_2m_max,temperature_2m_min,rain_sum,showers_sum,snowfall_sum,"
    "precipitation_probability_max,wind_speed_10m_max,wind_gusts_10m_max,"
    "wind_direction_10m_dominant,sunrise,sunset"
)

_T = TypeVar("_T")
_Figures = tuple[FiniteFloat | None, ...]
_Times = tuple[datetime | None, ...]


class _Found(BaseModel):
    name: str
    latitude: FiniteFloat
    longitude: FiniteFloat
    country_code: str = ""
    admin1: str = ""
    feature_code: str = _SETTLEMENT
    population: int | None = None


class _Places(BaseModel):
    results: tuple[_Found, ...] = ()


class _Current(BaseModel):
    temperature_2m: Celsius
    apparent_temperature: FiniteFloat | None = None
    relative_humidity_2m: FiniteFloat | None = None
    pressure_msl: FiniteFloat | None = None
    weather_code: int | None = None
    wind_speed_10m: FiniteFloat | None = None
    wind_gusts_10m: FiniteFloat | None = None
    wind_direction_10m: FiniteFloat | None = None


class _Daily(BaseModel):
    """One column a variable; a column that the service leaves out is empty."""

    time: tuple[date, ...]
    temperature_2m_max: tuple[Celsius | None, ...]
    temperature_2m_min: tuple[Celsius | None, ...]
    weather_code: tuple[int | None, ...] = ()
    rain_sum: _Figures = ()
    showers_sum: _Figures = ()
    snowfall_sum: _Figures = ()
    precipitation_probability_max: _Figures = ()
    wind_speed_10m_max: _Figures = ()
    wind_gusts_10m_max: _Figures = ()
    wind_direction_10m_dominant: _Figures = ()
    sunrise: _Times = ()
    sunset: _Times = ()


class _Forecast(BaseModel):
    timezone: str = ""
    utc_offset_seconds: int = Field(default=0, gt=-86_400, lt=86_400)
    current: _Current
    daily: _Daily


_PLACES = TypeAdapter(_Places)
_FORECAST = TypeAdapter(_Forecast)


def find_places(
    session: requests.Session, settings: WeatherSettings, name: str, country: str
) -> tuple[Place, ...]:
    """The places that a name may mean, likeliest first; in one country, if its code is given.

    Raises:
        ToolError: the service failed.
    """
    params: dict[str, str | float] = {
        "name": name,
        "count": CANDIDATES,
        "language": "pl",
        "format": "json",
    }
    places = fetch(
        session,
        f"{settings.geocoding_url.rstrip('/')}/v1/search",
        params | ({"countryCode": country} if country else {}),
        service=SERVICE,
        reply=_PLACES,
    )
    return tuple(
        Place(
            name=found.name,
            country=found.country_code.upper(),
            region=found.admin1,
            latitude=found.latitude,
            longitude=found.longitude,
            population=found.population or 0,
            is_settlement=found.feature_code.startswith(_SETTLEMENT),
        )
        for found in places.results
    )


def read_weather(
    session: requests.Session, settings: WeatherSettings, place: Place, now: datetime
) -> Report:
    """The weather now and for sixteen days, today included.

    Raises:
        ToolError: the service failed.
    """
    forecast = fetch(
        session,
        f"{settings.openmeteo_url.rstrip('/')}/v1/forecast",
        {
            "latitude": place.latitude,
            "longitude": place.longitude,
            "current": _CURRENT,
            "daily": _DAILY,
            "timezone": "auto",
            "forecast_days": DAYS,
        },
        service=SERVICE,
        reply=_FORECAST,
    )
    current = forecast.current
    zone = _zone(forecast)
    return Report(
        zone=zone,
        now=Moment(
            temperature=current.temperature_2m,
            feels_like=current.apparent_temperature,
            humidity=current.relative_humidity_2m,
            pressure=current.pressure_msl,
            wind=current.wind_speed_10m,
            gusts=current.wind_gusts_10m,
            wind_from=current.wind_direction_10m,
            sky=_words(current.weather_code),
        ),
        days=_days(forecast.daily, zone),
        source=SOURCE,
        retrieved_at=now,
    )


def _days(daily: _Daily, zone: tzinfo) -> tuple[Day, ...]:
    days = (_day(daily, row, zone) for row in range(len(daily.time)))
    return tuple(day for day in days if day is not None)


def _day(daily: _Daily, row: int, zone: tzinfo) -> Day | None:
    low, high = _cell(daily.temperature_2m_min, row), _cell(daily.temperature_2m_max, row)
    if low is None or high is None:
        return None
    falls = [_cell(column, row) for column in (daily.rain_sum, daily.showers_sum)]
    return Day(
        date=daily.time[row],
        low=low,
        high=high,
        rain=sum(fall or 0.0 for fall in falls) if falls != [None, None] else None,
        snow=_cell(daily.snowfall_sum, row),
        snow_unit="cm",
        chance=_cell(daily.precipitation_probability_max, row),
        wind=_cell(daily.wind_speed_10m_max, row),
        gusts=_cell(daily.wind_gusts_10m_max, row),
        wind_from=_cell(daily.wind_direction_10m_dominant, row),
        sky=_words(_cell(daily.weather_code, row)),
        sunrise=_local(_cell(daily.sunrise, row), zone),
        sunset=_local(_cell(daily.sunset, row), zone),
    )


def _cell(column: Sequence[_T | None], row: int) -> _T | None:
    return column[row] if row < len(column) else None


def _local(time: datetime | None, zone: tzinfo) -> datetime | None:
    """Times come without an offset: they are the place's own."""
    return None if time is None else time.replace(tzinfo=zone)


def _words(code: int | None) -> str:
    return "" if code is None else WMO_CODES.get(code, "")


def _zone(forecast: _Forecast) -> tzinfo:
    try:
        return ZoneInfo(forecast.timezone)
    except (ZoneInfoNotFoundError, ValueError):
        return timezone(timedelta(seconds=forecast.utc_offset_seconds))

"""Weather from Open-Meteo, which needs no key (open-meteo.com/en/docs)."""

from datetime import date, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import requests
from pydantic import BaseModel, Field, FiniteFloat, TypeAdapter

from chatbot.tools.weather.conditions import describe
from chatbot.tools.weather.options import WeatherSettings
from chatbot.tools.weather.report import Day, Moment, Place, Report, UnknownPlace
from chatbot.tools.weather.service import Celsius, fetch
from chatbot.types import Attribution

SERVICE = "Open-Meteo"
SOURCE = Attribution(source=SERVICE, url="https://open-meteo.com/", licence="CC BY 4.0")
DAYS = 16
_CURRENT = (
    "temperature_2m,apparent_temperature,relative_humidity_2m,weather_code,wind_speed_10m,"
    "wind_direction_10m"
)
_DAILY = (
    "weather_code,temperature_2m_max,temperature_2m_min,precipitation_sum,"
    "precipitation_probability_max,wind_speed_10m_max"
)


class _Found(BaseModel):
    name: str
    latitude: FiniteFloat
    longitude: FiniteFloat
    country_code: str = ""


class _Places(BaseModel):
    results: tuple[_Found, ...] = ()


class _Current(BaseModel):
    temperature_2m: Celsius
    apparent_temperature: FiniteFloat | None = None
    relative_humidity_2m: FiniteFloat | None = None
    weather_code: int | None = None
    wind_speed_10m: FiniteFloat | None = None
    wind_direction_10m: FiniteFloat | None = None


class _Daily(BaseModel):
    time: tuple[date, ...]
    weather_code: tuple[int | None, ...]
    temperature_2m_max: tuple[Celsius | None, ...]
    temperature_2m_min: tuple[Celsius | None, ...]
    precipitation_sum: tuple[FiniteFloat | None, ...]
    precipitation_probability_max: tuple[FiniteFloat | None, ...]
    wind_speed_10m_max: tuple[FiniteFloat | None, ...]


class _Forecast(BaseModel):
    timezone: str = ""
    utc_offset_seconds: int = Field(default=0, gt=-86_400, lt=86_400)
    current: _Current
    daily: _Daily


_PLACES = TypeAdapter(_Places)
_FORECAST = TypeAdapter(_Forecast)


def find_place(session: requests.Session, settings: WeatherSettings, city: str) -> Place:
    """The best match for a name.

    Raises:
        UnknownPlace: there is none.
        ToolError: the service failed.
    """
    places = fetch(
        session,
        f"{settings.geocoding_url.rstrip('/')}/v1/search",
        {"name": city, "count": 1, "language": "pl", "format": "json"},
        service=SERVICE,
        reply=_PLACES,
    )
    if not places.results:
        raise UnknownPlace(city)
    found = places.results[0]
    return Place(
        name=found.name,
        country=found.country_code.upper(),
        latitude=found.latitude,
        longitude=found.longitude,
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
    return Report(
        place=place,
        zone=_zone(forecast),
        now=Moment(
            temperature=current.temperature_2m,
            feels_like=current.apparent_temperature,
            humidity=current.relative_humidity_2m,
            wind=current.wind_speed_10m,
            wind_from=current.wind_direction_10m,
            sky=describe(current.weather_code),
        ),
        days=_days(forecast.daily),
        source=SOURCE,
        retrieved_at=now,
    )


def _days(daily: _Daily) -> tuple[Day, ...]:
    rows = zip(
        daily.time,
        daily.temperature_2m_min,
        daily.temperature_2m_max,
        daily.precipitation_sum,
        daily.precipitation_probability_max,
        daily.wind_speed_10m_max,
        daily.weather_code,
        strict=False,
    )
    return tuple(
        Day(date=day, low=low, high=high, rain=rain, chance=chance, wind=wind, sky=describe(code))
        for day, low, high, rain, chance, wind, code in rows
        if low is not None and high is not None
    )


def _zone(forecast: _Forecast) -> tzinfo:
    try:
        return ZoneInfo(forecast.timezone)
    except (ZoneInfoNotFoundError, ValueError):
        return timezone(timedelta(seconds=forecast.utc_offset_seconds))

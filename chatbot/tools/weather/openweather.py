"""Weather from OpenWeather, with the operator's key (openweathermap.org/api)."""

from collections import Counter
from collections.abc import Iterable
from datetime import date, datetime, timedelta, timezone, tzinfo

import requests
from pydantic import BaseModel, Field, FiniteFloat, TypeAdapter

from chatbot.errors import ToolError
from chatbot.tools.weather.options import WeatherSettings
from chatbot.tools.weather.report import Day, Moment, Place, Report, UnknownPlace
from chatbot.tools.weather.service import Celsius, NotFound, T, fetch
from chatbot.types import Attribution

SERVICE = "OpenWeather"
SOURCE = Attribution(source=SERVICE, url="https://openweathermap.org/", licence="CC BY-SA 4.0")
STEPS_OF_A_DAY = 4
_KMH = 3.6
_DAYTIME = range(6, 22)
_SKY_LENGTH = 80


class _Found(BaseModel):
    name: str
    local_names: dict[str, str] = {}
    lat: FiniteFloat
    lon: FiniteFloat
    country: str = ""


class _Sky(BaseModel):
    description: str = ""


class _Main(BaseModel):
    temp: Celsius
    temp_min: Celsius
    temp_max: Celsius
    feels_like: FiniteFloat | None = None
    humidity: FiniteFloat | None = None


class _Wind(BaseModel):
    speed: FiniteFloat | None = None
    deg: FiniteFloat | None = None


class _Fall(BaseModel):
    three_hours: FiniteFloat = Field(default=0.0, alias="3h")


class _Now(BaseModel):
    main: _Main
    weather: tuple[_Sky, ...] = ()
    wind: _Wind = _Wind()


class _Step(_Now):
    dt: int = Field(ge=0, le=2**40)
    pop: FiniteFloat | None = None
    rain: _Fall | None = None
    snow: _Fall | None = None


class _City(BaseModel):
    timezone: int = Field(default=0, gt=-86_400, lt=86_400)


class _Forecast(BaseModel):
    list: tuple[_Step, ...]
    city: _City


_PLACES = TypeAdapter(tuple[_Found, ...])
_NOW = TypeAdapter(_Now)
_FORECAST = TypeAdapter(_Forecast)


def find_place(session: requests.Session, settings: WeatherSettings, city: str) -> Place:
    """The best match for a name, called by its Polish name where it has one.

    Raises:
        UnknownPlace: there is none.
        KeyRefused: the key is wrong.
        ToolError: the service failed, or there is no key.
    """
    try:
        found = _ask(session, settings, "/geo/1.0/direct", {"q": city, "limit": 1}, _PLACES)
    except NotFound as error:
        raise UnknownPlace(city) from error
    if not found:
        raise UnknownPlace(city)
    best = found[0]
    return Place(
        name=best.local_names.get("pl", best.name),
        country=best.country.upper(),
        latitude=best.lat,
        longitude=best.lon,
    )


def read_weather(
    session: requests.Session, settings: WeatherSettings, place: Place, now: datetime
) -> Report:
    """The weather now and for five days, in steps of three hours joined to days.

    Raises:
        KeyRefused: the key is wrong.
        ToolError: the service failed.
    """
    where: dict[str, str | float] = {
        "lat": place.latitude,
        "lon": place.longitude,
        "units": "metric",
        "lang": "pl",
    }
    current = _ask(session, settings, "/data/2.5/weather", where, _NOW)
    forecast = _ask(session, settings, "/data/2.5/forecast", where, _FORECAST)
    zone = timezone(timedelta(seconds=forecast.city.timezone))
    return Report(
        place=place,
        zone=zone,
        now=Moment(
            temperature=current.main.temp,
            feels_like=current.main.feels_like,
            humidity=current.main.humidity,
            wind=_kmh([current.wind.speed]),
            wind_from=current.wind.deg,
            sky=_words(current.weather),
        ),
        days=_days(forecast.list, zone, now.astimezone(zone).date()),
        source=SOURCE,
        retrieved_at=now,
    )


def _ask(
    session: requests.Session,
    settings: WeatherSettings,
    path: str,
    params: dict[str, str | float],
    reply: TypeAdapter[T],
) -> T:
    if not settings.key:
        raise ToolError(
            "Pogoda z OpenWeather wymaga klucza. Operator może go podać w ustawieniu "
            "tools.weather.api_key albo wybrać Open-Meteo, które klucza nie potrzebuje."
        )
    url = settings.openweather_url.rstrip("/") + path
    return fetch(session, url, {**params, "appid": settings.key}, service=SERVICE, reply=reply)


def _days(steps: Iterable[_Step], zone: tzinfo, today: date) -> tuple[Day, ...]:
    """Join steps to days; of the last day often only the night is known, so it is left out."""
    by_date: dict[date, list[_Step]] = {}
    for step in steps:
        by_date.setdefault(datetime.fromtimestamp(step.dt, zone).date(), []).append(step)
    return tuple(
        _day(day, members, zone)
        for day, members in sorted(by_date.items())
        if day == today or len(members) >= STEPS_OF_A_DAY
    )


def _day(day: date, steps: list[_Step], zone: tzinfo) -> Day:
    falls = [fall.three_hours for step in steps for fall in (step.rain, step.snow) if fall]
    light = [s for s in steps if datetime.fromtimestamp(s.dt, zone).hour in _DAYTIME] or steps
    chances = [step.pop for step in steps if step.pop is not None]
    return Day(
        date=day,
        low=min(step.main.temp_min for step in steps),
        high=max(step.main.temp_max for step in steps),
        rain=sum(falls),
        chance=100 * max(chances) if chances else None,
        wind=_kmh(step.wind.speed for step in steps),
        sky=Counter(_words(step.weather) for step in light).most_common(1)[0][0],
    )


def _kmh(speeds: Iterable[float | None]) -> float | None:
    """The strongest of some winds, from m/s to km/h."""
    known = [speed for speed in speeds if speed is not None]
    return _KMH * max(known) if known else None


def _words(sky: tuple[_Sky, ...]) -> str:
    return " ".join(sky[0].description.split())[:_SKY_LENGTH] if sky else ""

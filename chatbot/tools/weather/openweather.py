"""Weather from OpenWeather, with the operator's key (openweathermap.org/api)."""

from collections import Counter
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

import requests
from pydantic import BaseModel, Field, FiniteFloat, TypeAdapter

from chatbot.errors import ToolError
from chatbot.tools.echo import echo
from chatbot.tools.weather.conditions import OPENWEATHER_CODES
from chatbot.tools.weather.options import WeatherSettings
from chatbot.tools.weather.report import HOME, Day, Moment, Place, Report
from chatbot.tools.weather.service import Celsius, NotFound, T, fetch
from chatbot.types import Attribution

SERVICE = "OpenWeather"
SOURCE = Attribution(source=SERVICE, url="https://openweathermap.org/", licence="CC BY-SA 4.0")
CANDIDATES = 5
STEPS_OF_A_DAY = 4
_STEP_S = 3 * 3600
"""A step tells what has fallen in the three hours before it, else what is at its moment."""
_HOME_ZONE = "Europe/Warsaw"
_KMH = 3.6
_DAYTIME = range(6, 22)
_SKY_LENGTH = 40
_LATEST = 2**40


class _Found(BaseModel):
    name: str
    local_names: dict[str, str] = {}
    lat: FiniteFloat
    lon: FiniteFloat
    country: str = ""
    state: str = ""


class _Sky(BaseModel):
    id: int = 0
    description: str = ""


class _Main(BaseModel):
    temp: Celsius
    temp_min: Celsius
    temp_max: Celsius
    feels_like: FiniteFloat | None = None
    humidity: FiniteFloat | None = None
    pressure: FiniteFloat | None = None


class _Wind(BaseModel):
    speed: FiniteFloat | None = None
    gust: FiniteFloat | None = None
    deg: FiniteFloat | None = None


class _Fall(BaseModel):
    three_hours: FiniteFloat = Field(default=0.0, alias="3h")


class _Sun(BaseModel):
    sunrise: int = Field(default=0, ge=0, le=_LATEST)
    sunset: int = Field(default=0, ge=0, le=_LATEST)


class _Point(BaseModel):
    main: _Main
    weather: tuple[_Sky, ...] = ()
    wind: _Wind = _Wind()


class _Now(_Point):
    sys: _Sun = _Sun()


class _Step(_Point):
    dt: int = Field(ge=0, le=_LATEST)
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


def find_places(
    session: requests.Session, settings: WeatherSettings, name: str, country: str
) -> tuple[Place, ...]:
    """The places that a name may mean, likeliest first, called by their Polish names.

    ``country`` is the code of the only one to look in, or empty.

    Raises:
        KeyRefused: the key is wrong.
        ToolError: the service failed, or there is no key.
    """
    wanted = f"{name},{country}" if country else name
    try:
        found = _ask(
            session, settings, "/geo/1.0/direct", {"q": wanted, "limit": CANDIDATES}, _PLACES
        )
    except NotFound:
        return ()
    return tuple(
        Place(
            name=one.local_names.get("pl", one.name),
            country=one.country.upper(),
            region=one.state,
            latitude=one.lat,
            longitude=one.lon,
        )
        for one in found
    )


def read_weather(
    session: requests.Session, settings: WeatherSettings, place: Place, now: datetime
) -> Report:
    """The weather now and for five days, in steps of three hours joined to days.

    Raises:
        KeyRefused: the key is wrong.
        NotFound: the service knows no weather of this place.
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
    zone = _zone(place, forecast.city)
    today = now.astimezone(zone).date()
    return Report(
        zone=zone,
        now=Moment(
            temperature=current.main.temp,
            feels_like=current.main.feels_like,
            humidity=current.main.humidity,
            pressure=current.main.pressure,
            wind=_kmh(current.wind.speed),
            gusts=_kmh(current.wind.gust),
            wind_from=current.wind.deg,
            sky=_words(current.weather),
        ),
        days=_days(forecast.list, zone, today, current),
        source=SOURCE,
        retrieved_at=now,
    )


def _zone(place: Place, city: _City) -> tzinfo:
    """The service tells the offset of this moment only; at home the rules of summer are known."""
    if place.country == HOME:
        return ZoneInfo(_HOME_ZONE)
    return timezone(timedelta(seconds=city.timezone))


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


def _days(steps: Iterable[_Step], zone: tzinfo, today: date, now: _Now) -> tuple[Day, ...]:
    """Join steps to days; of the last day often only the night is known, so it is left out."""
    by_date: dict[date, list[_Step]] = {}
    falls: dict[date, list[_Step]] = {}
    for step in steps:
        by_date.setdefault(datetime.fromtimestamp(step.dt, zone).date(), []).append(step)
        middle = datetime.fromtimestamp(step.dt - _STEP_S // 2, zone)
        falls.setdefault(middle.date(), []).append(step)
    return tuple(
        _day(day, members, falls.get(day, []), zone, now if day == today else None)
        for day, members in sorted(by_date.items())
        if day == today or len(members) >= STEPS_OF_A_DAY
    )


def _day(day: date, steps: list[_Step], falls: list[_Step], zone: tzinfo, now: _Now | None) -> Day:
    """``falls``: the steps that tell what falls this day; ``now`` belongs to today alone.

    Steps begin after this moment, so that today's range would leave it out.
    """
    light = [s for s in steps if datetime.fromtimestamp(s.dt, zone).hour in _DAYTIME] or steps
    chances = [step.pop for step in falls if step.pop is not None]
    windiest = max(steps, key=lambda step: step.wind.speed or 0.0).wind
    gusts = [step.wind.gust for step in steps if step.wind.gust is not None]
    measured = [now.main.temp] if now else []
    sun = now.sys if now else _Sun()
    return Day(
        date=day,
        low=min([*measured, *(step.main.temp_min for step in steps)]),
        high=max([*measured, *(step.main.temp_max for step in steps)]),
        rain=sum(step.rain.three_hours for step in falls if step.rain),
        snow=sum(step.snow.three_hours for step in falls if step.snow),
        snow_unit="mm",
        chance=100 * max(chances) if chances else None,
        wind=_kmh(windiest.speed),
        gusts=_kmh(max(gusts, default=None)),
        wind_from=windiest.deg,
        sky=Counter(_words(step.weather) for step in light).most_common(1)[0][0],
        sunrise=_local(sun.sunrise, zone),
        sunset=_local(sun.sunset, zone),
    )


def _local(seconds: int, zone: tzinfo) -> datetime | None:
    """Seconds since 1970 as local time; 0 stands for a sun that does not rise or set."""
    return datetime.fromtimestamp(seconds, UTC).astimezone(zone) if seconds else None


def _kmh(speed: float | None) -> float | None:
    """Metres per second in kilometres per hour."""
    return None if speed is None else _KMH * speed


def _words(sky: tuple[_Sky, ...]) -> str:
    """Our words for the first and main condition; the service's own for codes that are new."""
    if not sky:
        return ""
    return OPENWEATHER_CODES.get(sky[0].id) or echo(sky[0].description, longest=_SKY_LENGTH)

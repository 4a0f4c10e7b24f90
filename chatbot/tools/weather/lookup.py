"""The tool `get_weather`: finds the place, asks a service, answers in Polish."""

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Annotated

import requests
from pydantic import BeforeValidator, Field

from chatbot.errors import ToolError
from chatbot.language import (
    fold,
    format_date,
    lemmatise,
    name_day,
    read_day,
    resolve_day,
    say_day,
)
from chatbot.tools.context import ToolContext
from chatbot.tools.echo import echo
from chatbot.tools.tool import tool
from chatbot.tools.weather import openmeteo, openweather
from chatbot.tools.weather.options import WeatherSettings
from chatbot.tools.weather.report import Day, Place, Report, UnknownPlace
from chatbot.tools.weather.sentences import tell
from chatbot.tools.weather.service import KeyRefused
from chatbot.types import Entity, JsonObject, Name, ToolResult

_log = logging.getLogger(__name__)

CITY_LENGTH = 100
DAY_LENGTH = 100
ALARM_EVERY_S = 3600.0
_SOME_DAY = date(2000, 1, 1)  # whether a distance can be read does not depend on the day


@dataclass(frozen=True, kw_only=True, slots=True)
class Service:
    """The two questions that a weather service answers."""

    find_place: Callable[[requests.Session, WeatherSettings, str], Place]
    read_weather: Callable[[requests.Session, WeatherSettings, Place, datetime], Report]


OPENWEATHER = Service(find_place=openweather.find_place, read_weather=openweather.read_weather)
OPENMETEO = Service(find_place=openmeteo.find_place, read_weather=openmeteo.read_weather)


def _read_wish(value: object) -> str:
    """A canonical day; words that only a calendar can read ("za trzy dni") stay for later."""
    if isinstance(value, str) and len(value) <= DAY_LENGTH:
        day = read_day(value)
        if day is None and read_day(value, today=_SOME_DAY) is not None:
            day = " ".join(value.split())
        if day is not None:
            return day
    raise ValueError(
        f"Nie rozumiem dnia „{echo(value, longest=40)}”. Podaj na przykład „dziś”, „jutro”, "
        "„w sobotę” albo datę; znam tylko pogodę bieżącą i prognozę."
    )


def _summarise(arguments: JsonObject) -> str:
    """Place and day, as people say them."""
    return f"{arguments.get('city', '')} · {name_day(str(arguments.get('day') or 'today'))}"


@tool(
    title="Pogoda",
    key="weather",
    examples=[
        "Jaka jest pogoda w Łodzi?",
        "Czy w Kudowie-Zdroju pada?",
        "jaka bedzie jutro pogoda we wroclawiu",
        "Ile stopni jest teraz w Gdańsku?",
        "Czy w sobotę w Zakopanem będzie śnieg?",
        "Potrzebuję parasola na weekend w Lublinie?",
    ],
    settings=WeatherSettings,
    answer="phrased",
    deadline_s=8.0,
    summary=_summarise,
)
def get_weather(
    city: Annotated[
        str,
        Name("place"),
        Field(
            max_length=CITY_LENGTH,
            description="The place in its Polish base form, with diacritics, e.g. Kudowa-Zdrój.",
            json_schema_extra={"question": "Dla jakiej miejscowości podać pogodę?"},
        ),
    ],
    ctx: ToolContext[WeatherSettings],
    day: Annotated[
        str,
        BeforeValidator(_read_wish),
        Field(
            description="today, tomorrow, day_after_tomorrow, monday … sunday, weekend, "
            "next_days, or a date as YYYY-MM-DD."
        ),
    ] = "today",
) -> ToolResult:
    """Current weather and the forecast for the next days in one named place.

    Temperature, rain, snow, wind, clouds, whether to take an umbrella. Not for climate, past
    weather, seasons in general, how weather works, or poems and stories about the weather.
    """
    report, age_s = _read_report(city, ctx)
    today = ctx.clock.now().astimezone(report.zone).date()
    day = read_day(day, today=today) or day
    days = _choose_days(report, day, today)
    return ToolResult(
        content=tell(report, days, day, today=today, age_s=age_s),
        attribution=(
            replace(
                report.source,
                title=f"Pogoda: {report.place.name}",
                retrieved_at=report.retrieved_at,
            ),
        ),
        state=(
            Entity(kind="place", value=report.place.name),
            Entity(kind="day", value=day),
        ),
    )


def _read_report(city: str, ctx: ToolContext[WeatherSettings]) -> tuple[Report, float]:
    """A report, and its age in seconds where it had to be an old one (else 0).

    Raises:
        ToolError: the service failed and there is no old report.
    """
    key = f"report {ctx.settings.uses_openweather} {fold(city)}"
    kept = ctx.cache.get(key)
    age_s = 0.0
    if isinstance(kept, Report):
        age_s = (ctx.clock.now() - kept.retrieved_at).total_seconds()
        if age_s < ctx.settings.fresh_s:
            return kept, 0.0
    try:
        report = _ask_service(city, ctx)
    except UnknownPlace:
        raise
    except ToolError as error:
        _raise_alarm(error, ctx)
        if isinstance(kept, Report):
            return kept, age_s
        raise
    ctx.cache.put(key, report, ttl_s=max(ctx.settings.stale_s, ctx.settings.fresh_s))
    return report, 0.0


def _ask_service(city: str, ctx: ToolContext[WeatherSettings]) -> Report:
    service = OPENWEATHER if ctx.settings.uses_openweather else OPENMETEO
    place = _find_place(service, city, ctx)
    return service.read_weather(ctx.session, ctx.settings, place, ctx.clock.now())


def _find_place(service: Service, city: str, ctx: ToolContext[WeatherSettings]) -> Place:
    """Look the name up as it is, then in its base form ("Krakowie" → "Kraków")."""
    for name in _spellings(city):
        try:
            return service.find_place(ctx.session, ctx.settings, name)
        except UnknownPlace:
            continue
    raise UnknownPlace(city)


def _spellings(city: str) -> Iterator[str]:
    yield city
    base = lemmatise(city, kind="place")
    if base != city:
        yield base


def _raise_alarm(error: ToolError, ctx: ToolContext[WeatherSettings]) -> None:
    """Log a refused key for the operator, once an hour."""
    if isinstance(error, KeyRefused) and ctx.cache.get("alarm") is None:
        ctx.cache.put("alarm", value=True, ttl_s=ALARM_EVERY_S)
        _log.error("weather_key_refused", extra={"setting": "tools.weather.api_key"})


def _choose_days(report: Report, day: str, today: date) -> tuple[Day, ...]:
    """The forecast of the days asked for; none for today is fine, there is the present weather.

    Raises:
        ToolError: they lie in the past, or beyond the forecast.
    """
    wanted = resolve_day(day, today)
    known = {one.date: one for one in report.days}
    found = tuple(known[one] for one in wanted if one in known)
    if found or day == "today":
        return found
    if wanted[-1] < today:
        raise ToolError(
            f"Nie podaję pogody z przeszłości ({format_date(wanted[-1])}). "
            "Zapytaj o dziś albo o najbliższe dni."
        )
    last = format_date(max(known, default=today))
    raise ToolError(
        f"Prognoza dla tego miejsca sięga tylko do {last}, a pytasz o pogodę "
        f"{say_day(wanted[0], today)}. Zapytaj o wcześniejszy dzień."
    )

"""The tool `get_weather`: finds the place, asks a service, answers in Polish."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import partial
from typing import Annotated, TypeAlias
from zoneinfo import ZoneInfo

import requests
from pydantic import BeforeValidator, Field

from chatbot.errors import ToolError
from chatbot.language import (
    fold,
    format_date,
    name_day,
    read_day,
    resolve_day,
)
from chatbot.tools.context import ToolContext
from chatbot.tools.echo import echo
from chatbot.tools.tool import tool
from chatbot.tools.weather import openmeteo, openweather
from chatbot.tools.weather.alarm import Alarm
from chatbot.tools.weather.areas import find_area
from chatbot.tools.weather.options import WeatherSettings
from chatbot.tools.weather.report import Day, Place, Report
from chatbot.tools.weather.sentences import Asked, tell
from chatbot.tools.weather.service import KeyRefused, NotFound
from chatbot.tools.weather.spots import Spot, UnknownPlace, find_spot
from chatbot.types import Entity, JsonObject, Name, ToolResult

CITY_LENGTH = 100
DAY_LENGTH = 100
_SOME_DAY = date(2000, 1, 1)  # whether a distance can be read does not depend on the day


@dataclass(frozen=True, kw_only=True, slots=True)
class Service:
    """The two questions that a weather service answers."""

    find_places: Callable[[requests.Session, WeatherSettings, str, str], tuple[Place, ...]]
    read_weather: Callable[[requests.Session, WeatherSettings, Place, datetime], Report]


@dataclass(frozen=True, kw_only=True, slots=True)
class Known:
    """What is kept of an answer: which place the asker meant, and the weather there."""

    spot: Spot
    report: Report


Context: TypeAlias = ToolContext[WeatherSettings, Alarm]
OPENWEATHER = Service(find_places=openweather.find_places, read_weather=openweather.read_weather)
OPENMETEO = Service(find_places=openmeteo.find_places, read_weather=openmeteo.read_weather)


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
    ctx: Context,
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
    known, age_s = _look_up(city, ctx)
    report = known.report
    today = ctx.clock.now().astimezone(report.zone).date()
    day = read_day(day, today=today) or day
    dates = resolve_day(day, today)
    asked = Asked(
        day=day,
        dates=dates,
        days=_choose_days(report, dates, today),
        today=today,
        zone=ZoneInfo(ctx.timezone),
        age_s=age_s,
    )
    return ToolResult(
        content=tell(known.spot, report, asked),
        attribution=(
            replace(
                report.source,
                title=f"Pogoda: {known.spot.place.name}",
                retrieved_at=report.retrieved_at,
            ),
        ),
        state=(
            Entity(kind="place", value=known.spot.asked),
            Entity(kind="day", value=day),
        ),
    )


@get_weather.prepare
def prepare(ctx: ToolContext[WeatherSettings]) -> Alarm:
    """Load the tables of places, so that no call waits for them; the alarm is for all calls."""
    find_area("Warszawa")
    return Alarm(ctx.clock)


def _look_up(city: str, ctx: Context) -> tuple[Known, float]:
    """What is known of a place, and its age in seconds where it had to be old (else 0).

    Raises:
        UnknownPlace: there is no such place.
        ToolError: the service failed and there is no old report.
    """
    key = f"report {ctx.settings.uses_openweather} {fold(city)}"
    kept = ctx.cache.get(key)
    age_s = 0.0
    if isinstance(kept, Known):
        age_s = (ctx.clock.now() - kept.report.retrieved_at).total_seconds()
        if age_s < ctx.settings.fresh_s:
            return kept, 0.0
    try:
        known = _ask_service(city, ctx)
    except UnknownPlace:
        raise
    except ToolError as error:
        if isinstance(error, KeyRefused):
            ctx.prepared.raise_once(error.service)
        if isinstance(kept, Known):
            return kept, age_s
        raise
    ctx.cache.put(key, known, ttl_s=max(ctx.settings.stale_s, ctx.settings.fresh_s))
    return known, 0.0


def _ask_service(city: str, ctx: Context) -> Known:
    service = OPENWEATHER if ctx.settings.uses_openweather else OPENMETEO
    find_places = partial(service.find_places, ctx.session, ctx.settings)
    try:
        spot = find_spot(city, find_places)
        report = service.read_weather(ctx.session, ctx.settings, spot.place, ctx.clock.now())
    except NotFound as error:
        raise UnknownPlace(city) from error
    return Known(spot=spot, report=report)


def _choose_days(report: Report, dates: Sequence[date], today: date) -> tuple[Day, ...]:
    """The forecast of these dates; where it does not reach any of them, the last day that it has.

    Of today there may be none, late in the evening; then there is the weather of this moment.

    Raises:
        ToolError: the dates lie in the past.
    """
    if dates[-1] < today:
        raise ToolError(
            f"Nie podaję pogody z przeszłości ({format_date(dates[-1])}). "
            "Zapytaj o dziś albo o najbliższe dni."
        )
    known = {one.date: one for one in report.days}
    found = tuple(known[one] for one in dates if one in known)
    last = tuple(one for one in report.days[-1:] if one.date >= today)
    return found or (last if dates[0] > today else ())

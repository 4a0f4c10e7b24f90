"""Says a weather report in Polish: which facts, in which order, and how many of them."""

from dataclasses import dataclass
from datetime import date, tzinfo

from chatbot.language import say_date, say_day
from chatbot.prompts import load
from chatbot.tools.weather.conditions import is_wet
from chatbot.tools.weather.facts import (
    say_ago,
    say_celsius,
    say_degrees,
    say_falls,
    say_gusts,
    say_humidity,
    say_pressure,
    say_range,
    say_since,
    say_sun,
    say_wind,
)
from chatbot.tools.weather.report import Day, Report
from chatbot.tools.weather.spots import Spot
from chatbot.tools.weather.whereabouts import say_for, say_rivals, say_where

LONGEST = 400
"""Characters of an answer about one day; what matters least is left out until it fits."""
_FULL, _LEAST = 3, 0
"""How much is told: 3 all; 2 no sun; 1 no pressure and gusts; 0 only what cannot be missed."""
_BY_NAME = {"today", "tomorrow", "day_after_tomorrow"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """What was asked for: the canonical ``day``, its dates, and those that are forecast.

    ``today`` is the date at the place; ``zone`` the asker's own; ``age_s`` tells how old the
    report is, where it is older than it should be.
    """

    day: str
    dates: tuple[date, ...]
    days: tuple[Day, ...]
    today: date
    zone: tzinfo
    age_s: float = 0.0

    @property
    def is_today(self) -> bool:
        """Whether the weather of this moment belongs to the answer."""
        return self.dates == (self.today,)


def tell(spot: Spot, report: Report, asked: Asked) -> str:
    """The answer to what was asked: for one day at most `LONGEST` characters."""
    told = _tell(spot, report, asked, _FULL)
    if len(asked.dates) > 1:
        return told
    for detail in range(_FULL - 1, _LEAST - 1, -1):
        if len(told) <= LONGEST:
            break
        told = _tell(spot, report, asked, detail)
    return told


def _tell(spot: Spot, report: Report, asked: Asked, detail: int) -> str:
    today = asked.today
    last = max((day.date for day in report.days), default=today)
    beyond = [one for one in asked.dates if one > last]
    is_range = len(asked.dates) > 1
    is_unknown = len(beyond) == len(asked.dates)
    has_sun = len(asked.days) == 1 and detail == _FULL and not (is_range or is_unknown)
    is_old = asked.age_s > 0
    near = 2 if asked.day in _BY_NAME else 1  # who asks for Saturday is told of Saturday
    return load(
        "weather",
        where=say_where(spot),
        whom=say_for(spot) if is_unknown else "",
        now=_say_now(report, detail, asked.age_s) if asked.is_today else "",
        heading=say_day(asked.day, today) if is_range else "",
        days=[
            (say_day(day.date, today, near=near), _say_day(day, report, asked, detail))
            for day in asked.days
        ],
        is_unknown=is_unknown,
        is_beyond=bool(beyond),
        missing=_on(beyond[0], today) if len(beyond) == 1 else "",
        last=_on(last, today),
        until=say_date(last, today),
        sun=say_sun(asked.days[0], is_far=_is_far(report, asked)) if has_sun else "",
        is_old=is_old and not (asked.is_today and detail == _LEAST),  # "25 minut temu" tells it
        since=say_since(asked.age_s) if is_old else "",
        service=report.source.source,
        rivals=say_rivals(spot, is_short=detail == _LEAST),
    )


def _say_now(report: Report, detail: int, age_s: float) -> str:
    now = report.now
    verb, degrees = say_degrees(now.temperature, is_past=age_s > 0)
    words = f"{say_ago(age_s)} {verb} {degrees}" if age_s else f"{verb} teraz {degrees}"
    if now.feels_like is not None and abs(now.feels_like - now.temperature) >= 1:
        words += f" (odczuwalnie {say_celsius(now.feels_like)})"
    return _join(
        words,
        now.sky,
        say_humidity(now.humidity) if detail > 0 else "",
        say_pressure(now.pressure) if detail > 1 else "",
        say_wind(now.wind, now.wind_from),
        say_gusts(now.gusts, now.wind) if detail > 1 else "",
    )


def _say_day(day: Day, report: Report, asked: Asked, detail: int) -> str:
    """A day; of today, what was just said of this moment is not said again."""
    is_now = asked.is_today
    sky = "" if is_now and day.sky == report.now.sky else day.sky
    falls = say_falls(day, sky, is_short=detail == _LEAST)
    return _join(
        sky,
        falls if is_wet(sky) else "",
        say_range(day.low, day.high),
        "" if is_wet(sky) else falls,
        say_wind(day.wind, None if is_now else day.wind_from, up_to=True)
        if detail > _LEAST or not is_now
        else "",
        say_gusts(day.gusts, day.wind) if detail > 1 else "",
    )


def _join(*facts: str) -> str:
    return ", ".join(filter(None, facts))


def _is_far(report: Report, asked: Asked) -> bool:
    """Whether clocks at the place show another time than the asker's."""
    moment = report.retrieved_at
    return moment.astimezone(report.zone).utcoffset() != moment.astimezone(asked.zone).utcoffset()


def _on(day: date, today: date) -> str:
    """A day after "na": "na jutro", "na niedzielę, 1 marca"."""
    said = say_day(day, today)
    return f"na {said.removeprefix('we ').removeprefix('w ')}"

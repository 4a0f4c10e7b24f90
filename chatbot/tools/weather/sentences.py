"""Says a weather report in Polish."""

from collections.abc import Sequence
from datetime import date

from chatbot.language import format_number, in_place, plural, say_day
from chatbot.prompts import load
from chatbot.tools.weather.report import Day, Place, Report

HOME = "PL"
LEAST_RAIN = 0.05
"""Millimetres; less would be shown as none."""

_DIRECTIONS = (
    "północny",
    "północno-wschodni",
    "wschodni",
    "południowo-wschodni",
    "południowy",
    "południowo-zachodni",
    "zachodni",
    "północno-zachodni",
)
_MINUTE = 60
_HOUR = 3600


def tell(report: Report, days: Sequence[Day], day: str, *, today: date, age_s: float = 0) -> str:
    """The answer for ``days``; with the weather of this moment if ``day`` is today.

    ``age_s`` tells how old the report is, where it is older than it should be.
    """
    return load(
        "weather",
        where=_where(report.place),
        now=_say_now(report) if day == "today" else "",
        heading=say_day(day, today) if len(days) > 1 else "",
        days=[(say_day(one.date, today), _say_one(one)) for one in days],
        age=_say_age(age_s) if age_s else "",
        service=report.source.source,
    )


def _where(place: Place) -> str:
    abroad = f" ({place.country})" if place.country not in {"", HOME} else ""
    return in_place(place.name) + abroad


def _say_now(report: Report) -> str:
    now = report.now
    temperature = f"{_one_decimal(now.temperature)} °C"
    if now.feels_like is not None and abs(now.feels_like - now.temperature) >= 1:
        temperature += f" (odczuwalnie {_one_decimal(now.feels_like)} °C)"
    facts = [temperature]
    if now.sky:
        facts.append(now.sky)
    if now.humidity is not None:
        facts.append(f"wilgotność {format_number(now.humidity, 0)}%")
    if now.wind is not None:
        facts.append(_say_wind(now.wind, _name_wind(now.wind_from)))
    return ", ".join(facts)


def _say_one(day: Day) -> str:
    facts = [day.sky] if day.sky else []
    facts.append(_say_range(round(day.low), round(day.high)))
    if day.rain and day.rain >= LEAST_RAIN:
        facts.append(f"opady {_one_decimal(day.rain)} mm")
    if day.chance is not None:
        facts.append(f"szansa opadów {format_number(day.chance, 0)}%")
    if day.wind is not None:
        facts.append(_say_wind(day.wind, "wiatr do"))
    return ", ".join(facts)


def _say_range(low: int, high: int) -> str:
    if low == high:
        return f"{format_number(low)} °C"
    return f"od {format_number(low)} do {format_number(high)} °C"


def _say_wind(speed: float, words: str) -> str:
    return f"{words} {format_number(speed, 0)} km/h" if round(speed) else "bezwietrznie"


def _name_wind(degrees: float | None) -> str:
    """A wind by where it comes from: "wiatr północno-zachodni"."""
    if degrees is None:
        return "wiatr"
    sector = round(degrees / 360 * len(_DIRECTIONS)) % len(_DIRECTIONS)
    return f"wiatr {_DIRECTIONS[sector]}"


def _one_decimal(value: float) -> str:
    """At most one decimal place; "0" never gets a minus."""
    return format_number(round(value, 1) + 0.0)


def _say_age(seconds: float) -> str:
    if seconds < _HOUR:
        minutes = max(1, round(seconds / _MINUTE))
        return f"{minutes} {plural(minutes, 'minuty', 'minut', 'minut')}"
    hours = round(seconds / _HOUR)
    return f"{hours} {plural(hours, 'godziny', 'godzin', 'godzin')}"

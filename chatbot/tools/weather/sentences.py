"""Says a weather report in Polish."""

from collections.abc import Sequence
from datetime import date

from chatbot.language import format_number, in_place, plural, say_day
from chatbot.prompts import load
from chatbot.tools.weather.report import Day, Place, Report

HOME = "PL"
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
    temperature = f"{_celsius(now.temperature)} °C"
    if now.feels_like is not None and abs(now.feels_like - now.temperature) >= 1:
        temperature += f" (odczuwalnie {_celsius(now.feels_like)} °C)"
    facts = [temperature]
    if now.sky:
        facts.append(now.sky)
    if now.humidity is not None:
        facts.append(f"wilgotność {format_number(now.humidity, 0)}%")
    if now.wind is not None:
        facts.append(f"wiatr {format_number(now.wind, 0)} km/h")
    return ", ".join(facts)


def _say_one(day: Day) -> str:
    facts = [day.sky] if day.sky else []
    facts.append(f"od {_degrees(day.low)} do {_degrees(day.high)} °C")
    if day.rain:
        facts.append(f"opady {format_number(day.rain, 1)} mm")
    if day.chance is not None:
        facts.append(f"szansa opadów {format_number(day.chance, 0)}%")
    if day.wind is not None:
        facts.append(f"wiatr do {format_number(day.wind, 0)} km/h")
    return ", ".join(facts)


def _celsius(value: float) -> str:
    """One decimal; "0,0" never gets a minus."""
    return format_number(round(value, 1) + 0.0, 1)


def _degrees(value: float) -> str:
    return format_number(round(value) + 0)


def _say_age(seconds: float) -> str:
    if seconds < _HOUR:
        minutes = max(1, round(seconds / _MINUTE))
        return f"{minutes} {plural(minutes, 'minuty', 'minut', 'minut')}"
    hours = round(seconds / _HOUR)
    return f"{hours} {plural(hours, 'godziny', 'godzin', 'godzin')}"

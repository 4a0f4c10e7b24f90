"""Days in Polish: read one from a text, resolve it against a calendar, say it."""

from datetime import date, timedelta

from chatbot.language.mentions import (
    MONTHS,
    WEEKDAYS,
    next_occurrence,
    next_weekday,
    read_mentions,
)
from chatbot.language.patterns import regex

DAYS = ("today", "tomorrow", "day_after_tomorrow", *WEEKDAYS, "weekend", "next_days")
NEXT_DAYS = 5
_AHEAD = {"today": 0, "tomorrow": 1, "day_after_tomorrow": 2}
_ON_WEEKDAY = (
    "w poniedziałek",
    "we wtorek",
    "w środę",
    "w czwartek",
    "w piątek",
    "w sobotę",
    "w niedzielę",
)
_LEAP_YEAR = 2024
_SAID_AS_NEAR = {-2: "przedwczoraj", -1: "wczoraj", 0: "dziś", 1: "jutro", 2: "pojutrze"}
_NAMES = {
    **{day: _SAID_AS_NEAR[ahead] for day, ahead in _AHEAD.items()},
    **dict(zip(WEEKDAYS, _ON_WEEKDAY, strict=True)),
    "weekend": "w weekend",
    "next_days": "w najbliższych dniach",
}

_YEARLESS = regex(r"--(\d{2})-(\d{2})")


def read_day(text: str, *, today: date | None = None) -> str | None:
    """Find the day that a Polish text speaks of, in its canonical form.

    Args:
        text: A phrase ("w sobotę"), a whole sentence, or a canonical value.
        today: Makes dates without a year and distances ("za trzy dni") into ISO dates. Without
            it a date without a year is given as ``--MM-DD``, and only distances of up to two
            days are read.

    Returns:
        One of `DAYS`, an ISO date, ``--MM-DD``, or ``None`` where the text names no day that
        could be forecast ("wczoraj").
    """
    mentions = read_mentions(text, today=today)
    return min(mentions, key=lambda one: (one.rank, one.start)).day if mentions else None


def resolve_day(day: str, today: date) -> tuple[date, ...]:
    """Return the dates that a canonical day means, seen from ``today``, in order.

    A weekday is the next one after today; "weekend" is what is left of this one or the next one;
    "next_days" is today and the four days after it; ``--MM-DD`` is its next occurrence.

    Raises:
        ValueError: ``day`` is not a canonical value.
    """
    if day in _AHEAD:
        return (today + timedelta(days=_AHEAD[day]),)
    if day in WEEKDAYS:
        return (next_weekday(day, today),)
    if day == "next_days":
        return tuple(today + timedelta(days=ahead) for ahead in range(NEXT_DAYS))
    if day == "weekend":
        first = today + timedelta(days=max(0, 5 - today.weekday()))
        return tuple(first + timedelta(days=n) for n in range(7 - first.weekday()))
    return (_resolve_date(day, today),)


def say_day(day: str | date, today: date, *, near: int = 2) -> str:
    """Say a day as an adverbial: "jutro", "w sobotę, 28 listopada", "w weekend, 28–29 listopada".

    ``near`` is up to how many days away it is said by its distance, at most 2 ("pojutrze").

    Raises:
        ValueError: ``day`` is neither a date nor a canonical value.
    """
    if day == "next_days":
        return _NAMES["next_days"]
    dates = (day,) if isinstance(day, date) else resolve_day(day, today)
    if day == "weekend" and len(dates) > 1:
        return f"w weekend, {_say_range(dates[0], dates[-1], today)}"
    away = (dates[0] - today).days
    said = _SAID_AS_NEAR.get(away) if abs(away) <= near else None
    return said or f"{_ON_WEEKDAY[dates[0].weekday()]}, {say_date(dates[0], today)}"


def name_day(day: str) -> str:
    """Name a canonical day where no calendar is at hand: "jutro", "w sobotę", "15 sierpnia".

    Other words come back as they are.
    """
    if day in _NAMES:
        return _NAMES[day]
    try:
        if _YEARLESS.fullmatch(day):
            return _without_year(date.fromisoformat(f"{_LEAP_YEAR}{day[1:]}"))
        return format_date(date.fromisoformat(day))
    except ValueError:
        return day


def format_date(day: date) -> str:
    """Write a date in full: "21 listopada 2026"."""
    return f"{_without_year(day)} {day.year}"


def say_date(day: date, today: date) -> str:
    """Write a date, with the year unless it is this one: "20 stycznia"."""
    return format_date(day) if day.year != today.year else _without_year(day)


def _without_year(day: date) -> str:
    return f"{day.day} {MONTHS[day.month - 1]}"


def _say_range(first: date, last: date, today: date) -> str:
    if first.month == last.month:
        return f"{first.day}–{say_date(last, today)}"
    return f"{say_date(first, today)} – {say_date(last, today)}"


def _resolve_date(day: str, today: date) -> date:
    if yearless := _YEARLESS.fullmatch(day):
        return next_occurrence(int(yearless[1]), int(yearless[2]), today)
    try:
        return date.fromisoformat(day)
    except ValueError as error:
        raise ValueError(f"{day!r} is no day: use one of {', '.join(DAYS)} or a date") from error

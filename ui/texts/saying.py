"""Numbers, durations, sizes and dates in the words of a language."""

from datetime import date, datetime, tzinfo
from typing import Final
from zoneinfo import ZoneInfo

from ui.texts.words import Forms, Texts

WARSAW: Final = ZoneInfo("Europe/Warsaw")
_KILO: Final = 1000
_SPACE: Final = "\N{NO-BREAK SPACE}"
_MINUTE_MS: Final = 60_000
_WEEK: Final = 7
_MONTH: Final = 30
_OF_LIMITS: Final = frozenset({"rate_limit_exceeded", "budget_exceeded"})
_BOTH: Final = " / "
"""Stands between what the gateway says in Polish and the same in English."""


def say_count(texts: Texts, forms: Forms, number: int) -> str:
    """``number`` with its noun: „1 rozmowa”, „2 rozmowy”, „5 rozmów”, „22 rozmowy”."""
    pick = _pick_polish if texts.language == "pl" else _pick_english
    return pick(forms, abs(number)).format(n=say_number(texts, number))


def say_number(texts: Texts, value: float, digits: int = 0) -> str:
    """``value`` with ``digits`` decimals, the language's decimal sign and thousands apart."""
    whole, _, decimals = f"{abs(value):,.{digits}f}".partition(".")
    sign = "−" if round(value, digits) < 0 else ""
    tail = f"{texts.decimal_sign}{decimals}" if decimals else ""
    return f"{sign}{whole.replace(',', _SPACE)}{tail}"


def say_duration(texts: Texts, ms: int) -> str:
    """A time that something took: „0,8 s”, „12 s”, „1 min 5 s”; never less than „0,1 s”."""
    if ms < 9_950:  # noqa: PLR2004 - from here on one decimal would be rounded up to 10,0
        return _fill(texts.seconds, value=say_number(texts, max(ms, 100) / _KILO, 1))
    seconds = round(ms / _KILO)
    if seconds < _MINUTE_MS // _KILO:
        return _fill(texts.seconds, value=say_number(texts, seconds))
    minutes, rest = divmod(seconds, _MINUTE_MS // _KILO)
    return _fill(texts.minutes, minutes=say_number(texts, minutes), seconds=str(rest))


def say_size(texts: Texts, size: int) -> str:
    """A size of a file, in steps of 1,000: „999 B”, „12 kB”, „1,4 MB”."""
    if size < _KILO:
        return _fill(texts.bytes, value=str(size))
    if size < _KILO * (_KILO - 0.5):
        return _fill(texts.kilobytes, value=say_number(texts, size / _KILO))
    return _fill(texts.megabytes, value=say_number(texts, size / _KILO**2, 1))


def say_date(texts: Texts, day: date) -> str:
    """„21 listopada 2026”."""
    month = texts.months_in_dates[day.month - 1]
    return texts.date.format(day=day.day, month=month, year=day.year)


def say_moment(texts: Texts, moment: datetime, zone: tzinfo = WARSAW) -> str:
    """„21 listopada 2026, 14:05”, in the reader's ``zone``; ``moment`` is aware."""
    local = moment.astimezone(zone)
    time = f"{local.hour}:{local.minute:02}"
    return texts.date_and_time.format(date=say_date(texts, local.date()), time=time)


def say_group(texts: Texts, day: date, today: date) -> str:
    """The heading above conversations of ``day``: „Dzisiaj” … „październik 2026”."""
    age = (today - day).days
    if age <= 0:
        return texts.today
    if age == 1:
        return texts.yesterday
    if age <= _WEEK:
        return texts.last_week
    if age <= _MONTH:
        return texts.last_month
    month = texts.months[day.month - 1]
    name = texts.month_of_year.format(month=month, year=day.year)
    return name[:1].upper() + name[1:]


def say_tool(texts: Texts, name: str, title: str) -> str:
    """A tool's title in the page's language; a plugin's own ``title`` where we have no other."""
    return texts.tool_titles.get(name) or title or name


def say_not_about(texts: Texts, name: str, title: str) -> str:
    """The words of the control that says a tool was the wrong one."""
    own = texts.not_about.get(name)
    return own or texts.not_about_other.format(title=title or name)


def say_error(texts: Texts, code: str, message: str = "") -> str:
    """What a reader gets for an error's ``code``; else the gateway's own ``message``.

    Of a limit the gateway says more than we can: which it is, and when to try again.
    """
    in_polish, _, in_english = message.partition(_BOTH)
    if in_english and code in _OF_LIMITS:
        return in_polish if texts.language == "pl" else in_english
    return texts.errors.get(code) or message or texts.error_unknown


def _pick_polish(forms: Forms, number: int) -> str:
    if number == 1:
        return forms.one
    is_few = number % 10 in {2, 3, 4} and number % 100 not in {12, 13, 14}
    return forms.few if is_few else forms.many


def _pick_english(forms: Forms, number: int) -> str:
    return forms.one if number == 1 else forms.many


def _fill(pattern: str, **values: str) -> str:
    return pattern.format(**values).replace(" ", _SPACE)

"""Days in Polish: read them from text, resolve them against a calendar, say them."""

import re
from calendar import monthrange
from collections.abc import Callable
from datetime import date, timedelta

from chatbot.language.folding import fold
from chatbot.language.numerals import read_number

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
DAYS = ("today", "tomorrow", "day_after_tomorrow", *WEEKDAYS, "weekend", "next_days")
NEXT_DAYS = 5
_FARTHEST = 366

_AHEAD = {"today": 0, "tomorrow": 1, "day_after_tomorrow": 2}
_MONTHS = (
    "stycznia",
    "lutego",
    "marca",
    "kwietnia",
    "maja",
    "czerwca",
    "lipca",
    "sierpnia",
    "września",
    "października",
    "listopada",
    "grudnia",
)
_ON_WEEKDAY = (
    "w poniedziałek",
    "we wtorek",
    "w środę",
    "w czwartek",
    "w piątek",
    "w sobotę",
    "w niedzielę",
)
_MONTH_WORDS = "|".join(fold(month) for month in _MONTHS)
_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")
_LEAP_YEAR = 2024
_SAID_AS_NEAR = {-2: "przedwczoraj", -1: "wczoraj", 0: "dziś", 1: "jutro", 2: "pojutrze"}
_NAMES = {
    **{day: _SAID_AS_NEAR[ahead] for day, ahead in _AHEAD.items()},
    **dict(zip(WEEKDAYS, _ON_WEEKDAY, strict=True)),
    "weekend": "w weekend",
    "next_days": "w najbliższych dniach",
}

# Words are folded: no diacritics, lower case. „Środzie” is the town, „środę” the day.
_NAMED: tuple[tuple[str, str], ...] = (
    ("day_after_tomorrow", r"pojutrz(?:e|ejsz\w+)|day[ _]after[ _]tomorrow"),
    ("tomorrow", r"jutr(?:o|a|ze|zejsz\w+)|tomorrow"),
    (
        "today",
        (
            r"dzis(?:iaj|iejsz\w+)?|dzisaj|today|teraz|obecnie|aktualnie|w tej chwili|now|"
            r"tego wieczor[ua]|tej nocy"
        ),
    ),
    ("weekend", r"we+k ?end(?:u|em|ow\w+)?|koniec tygodnia"),
    ("monday", r"poniedzial(?:ek|ku|kiem|kow\w+|ki)|pn|pon|monday"),
    ("tuesday", r"wtor(?:ek|ku|kiem|kow\w+|ki)|wt|tuesday"),
    ("wednesday", r"srod(?:a|e|y|owy|owa|owe|owej|owego)(?! (?:wielkopolsk|slask))|wednesday"),
    ("thursday", r"czwart(?:ek|ku|kiem|kow\w+|ki)|czw|thursday"),
    ("friday", r"piat(?:ek|ku|kiem|kow\w+|ki)|pt|friday"),
    ("saturday", r"sobot(?:a|e|y|ni\w*)|sob|saturday"),
    ("sunday", r"niedziel(?:a|e|i|n\w+)|niedz|nd|sunday"),
    (
        "next_days",
        (
            r"next_days|next days|(?:w |na |przez )?(?:(?:te|ten|tym|naj\w+|kolejn\w+|nastepn\w+|"
            r"kilka|pare|kilku|ciagu)(?: \w+)? (?:dni|dniach|tydzien|tygodni\w*))|"
            r"(?:w tym|na ten|na caly|przez(?: caly)?) tydzien|w tym tygodniu|"
            r"(?:na|przez) \w+ dni|na tydzien|"
            r"(?:piecio|siedmio|kilku|wielo)dniow\w+"
        ),
    ),
)
_ISO = re.compile(r"(?<!\d)(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)")
_YEARLESS = re.compile(r"--(\d{2})-(\d{2})")
_NUMERIC = re.compile(
    r"(?<![\d.,/])(?:(\d{1,2})\.(0[1-9]|1[0-2])\.?|(\d{1,2})[./](\d{1,2})[./](\d{4}|\d{2}))"
    r"(?![\d,*/^]|\.\d)"
)
_WITH_MONTH = re.compile(
    rf"(?<![\w.])((?:\d{{1,2}}\.?)|(?:(?:\w+st(?:ego|y|ym|emu)|trzydziest\w+|dwudziest\w+) )?"
    rf"[a-z]+(?:ego|y|ym|i|im)) ({_MONTH_WORDS})(?: (\d{{4}}))?(?!\w)"
)
_WITH_ROMAN = re.compile(r"(?<![\w.])(\d{1,2})[. ]+([ivx]+)(?:[. ]+(\d{4}))?(?!\w)")
_IN_DAYS = re.compile(r"(?<!\w)za ((?:\w+ )?)(dzien|dni|tydzien|tygodnie|tygodni)(?!\w)")
_NAMED_PATTERNS = tuple(
    (day, re.compile(rf"(?<!\w)(?:{pattern})(?!\w)")) for day, pattern in _NAMED
)


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
    words = re.sub(r"\s+", " ", fold(text)).strip()
    if distance := _IN_DAYS.search(words):
        return _read_distance(distance, today)
    for read in _DATE_READERS:
        if (found := read(words)) is not None:
            return _canonical_date(*found, today=today)
    hits = [
        (match.start(), order, day)
        for order, (day, pattern) in enumerate(_NAMED_PATTERNS)
        if (match := pattern.search(words))
    ]
    return min(hits)[2] if hits else None


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
        return (today + timedelta(days=(WEEKDAYS.index(day) - today.weekday() - 1) % 7 + 1),)
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
    return f"{day.day} {_MONTHS[day.month - 1]}"


def _say_range(first: date, last: date, today: date) -> str:
    if first.month == last.month:
        return f"{first.day}–{say_date(last, today)}"
    return f"{say_date(first, today)} – {say_date(last, today)}"


def _resolve_date(day: str, today: date) -> date:
    if yearless := _YEARLESS.fullmatch(day):
        return _next_occurrence(int(yearless[1]), int(yearless[2]), today)
    try:
        return date.fromisoformat(day)
    except ValueError as error:
        raise ValueError(f"{day!r} is no day: use one of {', '.join(DAYS)} or a date") from error


def _next_occurrence(month: int, day: int, today: date) -> date:
    for year in range(today.year, today.year + 9):  # 29 February comes within eight years
        if day <= monthrange(year, month)[1] and (found := date(year, month, day)) >= today:
            return found
    raise ValueError(f"there is no day {day} in month {month}")


def _canonical_date(year: int | None, month: int, day: int, *, today: date | None) -> str | None:
    """Write the date as ISO; ``None`` if the calendar has no such day."""
    if year == 0 or not (
        1 <= month <= len(_MONTHS) and 1 <= day <= monthrange(year or _LEAP_YEAR, month)[1]
    ):
        return None
    if year is not None:
        return f"{year:04}-{month:02}-{day:02}"
    if today is None:
        return f"--{month:02}-{day:02}"
    return _next_occurrence(month, day, today).isoformat()


def _read_distance(found: re.Match[str], today: date | None) -> str | None:
    """Read "za trzy dni"; without a calendar only what has a name: "za dwa dni"."""
    amount = read_number(found[1]) if found[1].strip() else 1
    if not isinstance(amount, int) or not 0 <= amount <= _FARTHEST:
        return None
    ahead = amount * (7 if found[2].startswith("ty") else 1)
    if today is None:
        return next((day for day, days in _AHEAD.items() if days == ahead), None)
    return (today + timedelta(days=ahead)).isoformat()


def _read_iso(words: str) -> tuple[int | None, int, int] | None:
    if found := _ISO.search(words):
        return int(found[1]), int(found[2]), int(found[3])
    if found := _YEARLESS.search(words):
        return None, int(found[1]), int(found[2])
    return None


def _read_with_month(words: str) -> tuple[int | None, int, int] | None:
    if not (found := _WITH_MONTH.search(words)):
        return None
    day = _read_ordinal_day(found[1])
    month = [fold(name) for name in _MONTHS].index(found[2]) + 1
    return None if day is None else (_year(found[3]), month, day)


def _read_ordinal_day(words: str) -> int | None:
    """Read "15", "15.", "piętnastego", "dniu dwudziestego" (then the last word counts)."""
    for phrase in (words, words.rsplit(maxsplit=1)[-1]):
        value = read_number(phrase.rstrip("."))
        if isinstance(value, int):
            return value
    return None


def _read_with_roman(words: str) -> tuple[int | None, int, int] | None:
    found = _WITH_ROMAN.search(words)
    if not found or found[2] not in _ROMAN:
        return None
    if found[2] == "i" and not found[3]:  # "2 i 3": a conjunction
        return None
    return _year(found[3]), _ROMAN.index(found[2]) + 1, int(found[1])


def _read_numeric(words: str) -> tuple[int | None, int, int] | None:
    if not (found := _NUMERIC.search(words)):
        return None
    day, month, year = (found[1], found[2], None) if found[1] else (found[3], found[4], found[5])
    return _year(year), int(month), int(day)


def _year(digits: str | None) -> int | None:
    if not digits:
        return None
    return int(digits) + (2000 if len(digits) == len("26") else 0)


_DATE_READERS: tuple[Callable[[str], tuple[int | None, int, int] | None], ...] = (
    _read_iso,
    _read_with_month,
    _read_with_roman,
    _read_numeric,
)

"""Where a text speaks of days: names of days, dates, distances, feasts, in Polish, mistyped too."""

import re
from calendar import monthrange
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache, partial
from types import MappingProxyType

from rapidfuzz.distance import OSA
from rapidfuzz.process import extract

from chatbot.language.feasts import FEASTS, date_of_feast
from chatbot.language.folding import fold
from chatbot.language.literals import Guarded, any_of
from chatbot.language.morphology import morphology
from chatbot.language.numerals import read_number
from chatbot.language.patterns import regex

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTHS = (
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
_FARTHEST = 366
_LEAP_YEAR = 2024
_ENGLISH = {"two": 2, "three": 3, "four": 4, "five": 5}
_AHEAD = {"today": 0, "tomorrow": 1, "day_after_tomorrow": 2}
MONTH_WORDS = "|".join(fold(month) for month in MONTHS)
_BARE_MONTHS = (
    "styczen",
    "luty",
    "marzec",
    "kwiecien",
    "maj",
    "czerwiec",
    "lipiec",
    "sierpien",
    "wrzesien",
    "pazdziernik",
    "listopad",
    "grudzien",
)
_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")

# Words are folded: no diacritics, lower case. „Środzie” is the town, „środę” the day.
_NAMED: tuple[tuple[str, str], ...] = (
    (
        "day_after_tomorrow",
        r"(?<!po)pojutrz(?:e|ejsz\w+)|day[ _]after[ _]tomorrow|ubermorgen|pojutze|pojurtze",
    ),
    (
        "tomorrow",
        (
            r"jutr(?:o|a|ze|zejsz\w+)|tomorrow|nazajutrz|morgen|j(?:turo|uto|tro|utor|utr|urto|"
            r"uttro|utroo|itro|utrto)|nastepnego dnia"
        ),
    ),
    (
        "today",
        (
            r"dzi(?:s(?:iaj\w?|iejsz\w+|iej|ioj|iok|ij|aj|iai|ja|k)?)|dzys|dzsiaj|dzs|dizs|dzisaj|"
            r"today|tonight|teraz(?! (?:serio|powaznie|na (?:serio|powaznie)))|"
            r"obecnie|aktualn(?:ie|a|e|y|ej|ego)|w tej chwili|w tym momencie|"
            r"now|heute|w tej sekundzie|this evening|tego wieczor[ua]|tej nocy|za chwile|"
            r"za (?:\w+ )?godzin[ey]?"
        ),
    ),
    (
        "weekend",
        (
            r"(?:we+k ?e?nd|wikend|lykend|likend|weeken|weekned|wochenende)(?:u|em|ow\w+|zie)?|"
            r"(?<!do )kon(?:iec|cu|cem|cowk\w+) tygodnia"
        ),
    ),
    ("monday", r"poniedzial(?:ek|ku|kiem|kow\w+|ki)|pn|pon|monday|montag"),
    ("tuesday", r"wtor(?:ek|ku|kiem|kow\w+|ki)|wt|tuesday|dienstag"),
    (
        "wednesday",
        r"srod(?:a|e|y|owy|owa|owe|owej|owego)(?! (?:wielkopolsk|slask))|wednesday|mittwoch",
    ),
    ("thursday", r"czwart(?:ek|ku|kiem|kow\w+|ki)|czw|thursday|donnerstag"),
    ("friday", r"piat(?:ek|ku|kiem|kow\w+|ki|ecz\w+)|pt|friday|freitag"),
    ("saturday", r"sobot(?:a|e|y|ni\w*)|sob|(?<=\bw )sb|saturday|samstag"),
    ("sunday", r"niedziel(?:a|e|i|n\w+)|niedz|ndz|nd|sunday|sonntag"),
    (
        "next_days",
        (
            r"next_days|next days|(?:w |na |przez )?(?:(?:te(?! sam)|ten|tym|naj\w+|nadchodz\w+|"
            r"kolejn\w+|nastepn\w+|przyszl\w+|kilka|pare|kilku|ciagu)"
            r"(?: \w+)? (?:dni|dniach|tydzien|tygodni\w*))|"
            r"(?:w tym|na ten|(?:na |przez )?caly|przez) tydzien|w tym tygodniu|"
            r"prognoz\w+ (?:na )?\w+ dni|"
            r"za (?:kilka|pare) dni|this week|next week|"
            r"(?:do konca|(?:przez |na )?reszt[aey]|"
            r"(?:dalsz|pozostal)\w+ (?:czesc\w*|dni\w*)) tygodnia|"
            r"(?:na|przez) \w+ dni|na tydzien|"
            r"(?:piecio|siedmio|kilku|wielo|trzy|dziesiecio|\d+-?)dniow\w+"
        ),
    ),
)
_SPELLED = MappingProxyType({
    "dzisiaj": "today",
    "pojutrze": "day_after_tomorrow",
    "weekend": "weekend",
    "weekendu": "weekend",
    "poniedzialek": "monday",
    "poniedzialku": "monday",
    "wtorek": "tuesday",
    "wtorku": "tuesday",
    "srode": "wednesday",
    "czwartek": "thursday",
    "czwartku": "thursday",
    "piatek": "friday",
    "piatku": "friday",
    "sobota": "saturday",
    "sobote": "saturday",
    "niedziela": "sunday",
    "niedziele": "sunday",
})
"""Forms of days, folded, in which a slip is looked for."""

_WORD = regex(r"[^\W\d_]{5,}")


@dataclass(frozen=True, kw_only=True, slots=True)
class Mention:
    """A day that a folded text speaks of, from ``start`` to before ``end``.

    Of several, that of the lowest ``rank`` says most: a date more than a weekday.
    """

    start: int
    end: int
    rank: int
    day: str


def fold_text(text: str) -> str:
    """Fold a text as `read_mentions` does, so that their places are places in it."""
    return re.sub(r"\s+", " ", fold(text)).strip()


@lru_cache(maxsize=64)  # one decision reads the same text several times
def read_mentions(text: str, *, today: date | None = None) -> tuple[Mention, ...]:
    """Return all days that a text speaks of, in its order; no two of them overlap."""
    words = fold_text(text)
    if _HINT.search(words) is None:
        return tuple(_mistyped(text, words, []))
    found: list[Mention] = []
    for rank, (pattern, read) in enumerate(_READERS):
        for match in pattern.finditer(words):
            is_free = all(match.end() <= one.start or one.end <= match.start() for one in found)
            if is_free and (day := read(match, today)) is not None:
                found.append(Mention(start=match.start(), end=match.end(), rank=rank, day=day))
    found += list(_named(words, found))
    found += list(_mistyped(text, words, found))
    return tuple(sorted(found, key=lambda one: one.start))


def next_occurrence(month: int, day: int, today: date) -> date:
    """Return the next such day from ``today`` on.

    Raises:
        ValueError: no calendar has this day.
    """
    for year in range(today.year, today.year + 9):  # 29 February comes within eight years
        if day <= monthrange(year, month)[1] and (found := date(year, month, day)) >= today:
            return found
    raise ValueError(f"there is no day {day} in month {month}")


def next_weekday(day: str, today: date) -> date:
    """Return the next Monday, Tuesday … after ``today``."""
    return today + timedelta(days=(WEEKDAYS.index(day) - today.weekday() - 1) % 7 + 1)


def _named(words: str, taken: list[Mention]) -> Iterator[Mention]:
    rank = len(_READERS)
    found = [
        Mention(start=match.start(), end=match.end(), rank=rank, day=day)
        for day, pattern in _NAMED_PATTERNS
        for match in pattern.finditer(words)
        if all(match.end() <= one.start or one.end <= match.start() for one in taken)
    ]
    found.sort(key=lambda one: (one.start, one.start - one.end))
    end = 0
    for one in found:
        if one.start >= end:
            end = one.end
            yield one


def _mistyped(text: str, words: str, taken: list[Mention]) -> Iterator[Mention]:
    """Find names of days with one slip in words that no dictionary has."""
    rank = len(_READERS) + 1
    end = 0
    for word in _WORD.findall(text):
        plain = fold(word)
        day = _slipped_day(plain)
        if day is None or morphology().is_known(word):
            continue
        start = words.find(plain, end)
        end = start + len(plain)
        if start >= 0 and all(end <= one.start or one.end <= start for one in taken):
            yield Mention(start=start, end=end, rank=rank, day=day)


@lru_cache(maxsize=4_096)
def _slipped_day(typed: str) -> str | None:
    """The first day that has a form which differs by one slip."""
    near = extract(typed, tuple(_SPELLED), scorer=OSA.distance, score_cutoff=1, limit=None)
    slips = ((at, form) for form, distance, at in near if distance == 1)
    return next((_SPELLED[form] for _, form in sorted(slips)), None)


def _canonical(year: int | None, month: int, day: int, today: date | None) -> str | None:
    """Write the date as ISO; ``None`` if the calendar has no such day."""
    if year == 0 or not (
        1 <= month <= len(MONTHS) and 1 <= day <= monthrange(year or _LEAP_YEAR, month)[1]
    ):
        return None
    if year is not None:
        return f"{year:04}-{month:02}-{day:02}"
    if today is None:
        return f"--{month:02}-{day:02}"
    return next_occurrence(month, day, today).isoformat()


def _read_week_later(found: re.Match[str], today: date | None) -> str | None:
    """Read "w piątek za tydzień": the Friday of the week after."""
    day = next(
        day
        for day, pattern in _NAMED_PATTERNS
        if pattern.fullmatch(found["before"] or found["after"])
    )
    return None if today is None else (next_weekday(day, today) + timedelta(days=7)).isoformat()


def _read_distance(found: re.Match[str], today: date | None) -> str | None:
    """Read "za trzy dni"; without a calendar only what has a name: "za dwa dni"."""
    amount = read_number(found[1]) if found[1].strip() else 1
    if not isinstance(amount, int) or not 0 <= amount <= _FARTHEST:
        return None
    ahead = amount * (7 if found[2].startswith("ty") else 1)
    if today is None:
        return next((day for day, days in _AHEAD.items() if days == ahead), None)
    return (today + timedelta(days=ahead)).isoformat()


def _read_english_distance(found: re.Match[str], today: date | None) -> str | None:
    days = _ENGLISH.get(found[1]) or int(found[1])
    return None if today is None else (today + timedelta(days=days)).isoformat()


def _read_third_day(_: re.Match[str], today: date | None) -> str | None:
    return None if today is None else (today + timedelta(days=3)).isoformat()


def _read_iso(found: re.Match[str], today: date | None) -> str | None:
    return _canonical(int(found[1]), int(found[2]), int(found[3]), today)


def _read_yearless(found: re.Match[str], today: date | None) -> str | None:
    return _canonical(None, int(found[1]), int(found[2]), today)


def _read_with_month(found: re.Match[str], today: date | None) -> str | None:
    day = _read_ordinal_day(found[1])
    names = [fold(name) for name in MONTHS]
    month = (names if found[2] in names else _BARE_MONTHS).index(found[2]) + 1
    return None if day is None else _canonical(_year(found[3]), month, day, today)


def _read_ordinal_day(words: str) -> int | None:
    """Read "15", "15.", "15-go", "piętnastego", "dniu dwudziestego" (then the last word counts)."""
    for phrase in (words, words.rsplit(maxsplit=1)[-1]):
        value = read_number(_SUFFIX.sub("", phrase).rstrip("."))
        if isinstance(value, int):
            return value
    return None


def _read_with_roman(found: re.Match[str], today: date | None) -> str | None:
    if found[2] not in _ROMAN:
        return None
    if found[2] == "i" and not found[3]:  # "2 i 3": a conjunction
        return None
    return _canonical(_year(found[3]), _ROMAN.index(found[2]) + 1, int(found[1]), today)


def _read_numeric(found: re.Match[str], today: date | None) -> str | None:
    day, month, year = (found[1], found[2], None) if found[1] else (found[3], found[4], found[5])
    return _canonical(_year(year), int(month), int(day), today)


def _read_day_of_month(found: re.Match[str], today: date | None) -> str | None:
    """Read "dwudziestego piątego" and "25-go": of this month, or the next that has such a day."""
    day = _read_ordinal_day(found[1])
    if today is None or day is None or not 1 <= day <= 31:  # noqa: PLR2004 - days of a month
        return None
    month = today.month if day >= today.day else today.month % 12 + 1
    return _canonical(None, month, day, today)


def _year(digits: str | None) -> int | None:
    if not digits:
        return None
    return int(digits) + (2000 if len(digits) == len("26") else 0)


_SUFFIX = regex(r"(?<=\d)-?(?:s?t?ego|go)$")
_NAMED_PATTERNS = tuple((day, Guarded(rf"(?<!\w)(?:{pattern})(?!\w)")) for day, pattern in _NAMED)
_A_WEEKDAY = "|".join(pattern for day, pattern in _NAMED if day in WEEKDAYS)
_TENS = r"(?:dwudziest|trzydziest)ego"
_READERS: tuple[tuple[Guarded, Callable[[re.Match[str], date | None], str | None]], ...] = (
    (
        Guarded(
            rf"(?<!\w)(?:(?P<before>{_A_WEEKDAY}) za tydzien|"
            rf"za tydzien (?:w |we )?(?P<after>{_A_WEEKDAY}))(?!\w)"
        ),
        _read_week_later,
    ),
    (
        Guarded(r"(?<!\w)za ((?:\w+ )?)(dzien|dni|tydzien|tygodnie|tygodni)(?!\w)"),
        _read_distance,
    ),
    (Guarded(r"(?<!\w)popojutrze(?!\w)"), _read_third_day),
    (Guarded(r"(?<!\w)in (\d{1,2}|two|three|four|five) days(?!\w)"), _read_english_distance),
    (Guarded(r"(?<!\d)(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)"), _read_iso),
    (Guarded(r"--(\d{2})-(\d{2})"), _read_yearless),
    (
        Guarded(
            rf"(?<![\w.])((?:\d{{1,2}}(?:\.|-?(?:s?t?ego|go))?)|"
            rf"(?:(?:\w+st(?:ego|y|ym|emu)|trzydziest\w+|dwudziest\w+) )?"
            rf"[a-z]+(?:ego|y|ym|i|im)) ({MONTH_WORDS}|{'|'.join(_BARE_MONTHS)})"
            r"(?: (\d{4}))?(?!\w)"
        ),
        _read_with_month,
    ),
    (Guarded(r"(?<![\w.])(\d{1,2})[. ]+([ivx]+)(?:[. ]+(\d{4}))?(?!\w| *\d)"), _read_with_roman),
    (
        Guarded(
            r"(?<![\d.,/])(?:(\d{1,2})\.(0[1-9]|1[0-2])\.?|"
            r"(\d{1,2})[./](\d{1,2})[./](\d{4}|\d{2}))(?![\d,*/^]|\.\d)"
        ),
        _read_numeric,
    ),
    *((pattern, partial(date_of_feast, feast)) for feast, pattern in FEASTS),
    (
        Guarded(
            rf"(?<![\w.])(\d{{1,2}}-?(?:s?t?ego|go)|{_TENS}(?: [a-z]+ego)?|"
            r"(?:jede|dwu|trzy|czter|piet|szes|siede|osie|dziewiet)\w*nastego)"
            r"(?= *(?:[,.?!]|$)| (?:w|we|na|do|rano|bedzie|czy|i|ma|wieczorem)\b)"
        ),
        _read_day_of_month,
    ),
)
_HINT = any_of(
    [*(each for each, _ in _READERS), *(each for _, each in _NAMED_PATTERNS)], other=r"\d"
)
"""Stands in every text that names a day, and in few single words."""

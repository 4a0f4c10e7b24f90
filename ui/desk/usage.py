"""What was used in a month: by day with charts, by engine, and what is left of the allowance."""

import calendar
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from markupsafe import Markup

from ui.desk.chart import draw_columns
from ui.desk.rendering import say_forms, say_money
from ui.desk.visit import Visit
from ui.desk.words import WORDS
from ui.fields import JsonObject, objects_of, text_of, whole_of
from ui.texts import WARSAW, Texts, say_date

MONTHS: Final = 13
"""This month, and those of a year before it."""
LONGEST_PAGE: Final = 400
TOP: Final = 20
"""Of so many users or groups, those who used the most, the page tells."""
COUNTS: Final = ("requests", "prompt_tokens", "completion_tokens", "images", "charged", "house")
_YEAR: Final = 12
_MONTH_TEXT: Final = "%Y-%m"


@dataclass(frozen=True, kw_only=True, slots=True)
class Month:
    """A month by its first day."""

    first: date

    @property
    def days(self) -> tuple[date, ...]:
        """All its days."""
        count = calendar.monthrange(self.first.year, self.first.month)[1]
        return tuple(self.first.replace(day=day) for day in range(1, count + 1))

    def say(self, texts: Texts) -> str:
        """„listopad 2026”."""
        name = texts.months[self.first.month - 1]
        return texts.month_of_year.format(month=name, year=self.first.year)


def months_until(today: date) -> tuple[Month, ...]:
    """The months that can be chosen, the newest first."""
    newest = today.year * _YEAR + today.month - 1
    numbers = range(newest, newest - MONTHS, -1)
    return tuple(Month(first=date(one // _YEAR, one % _YEAR + 1, 1)) for one in numbers)


def choose_month(asked: str, known: Sequence[Month]) -> Month:
    """The month that is asked for as ``2026-11``; the newest where it is none that is known."""
    return next((one for one in known if one.first.strftime(_MONTH_TEXT) == asked), known[0])


async def usage_values(visit: Visit, *, everybody: bool = False) -> Mapping[str, object]:
    """What the page of usage shows."""
    known = months_until(datetime.now(WARSAW).date())
    month = choose_month(visit.request.query_params.get("month", ""), known)
    days = await ask_usage(visit, month, "day", everybody=everybody)
    engines = await ask_usage(visit, month, "engine", everybody=everybody)
    currency, rows = text_of(days, "currency"), objects_of(days, "rows")
    no_engine = WORDS[visit.texts.language]["no_engine"]
    return {
        "months": [(one.first.strftime(_MONTH_TEXT), one.say(visit.texts)) for one in known],
        "month": month.first.strftime(_MONTH_TEXT),
        "month_name": month.say(visit.texts),
        "currency": currency,
        "days": [(say_date(visit.texts, _day(row)), row) for row in rows],
        "engines": [(text_of(row, "key") or no_engine, row) for row in objects_of(engines, "rows")],
        "total": add_up(rows),
        "charts": draw_charts(visit.texts, month, rows, currency),
        "first_day": say_date(visit.texts, month.days[0]),
        "last_day": say_date(visit.texts, month.days[-1]),
    }


def add_up(rows: Sequence[JsonObject]) -> Mapping[str, int]:
    """The sum of each count of the rows."""
    return {name: sum(whole_of(row, name) for row in rows) for name in COUNTS}


def draw_charts(
    texts: Texts, month: Month, rows: Sequence[JsonObject], currency: str
) -> list[tuple[str, str, Markup]]:
    """Name, largest value and drawing of each measure of which anything was used."""
    by_day = {text_of(row, "key"): row for row in rows}
    words, drawn = WORDS[texts.language], []
    for measure in ("tokens", "images", "charged"):
        values = [_value(by_day.get(day.isoformat(), {}), measure) for day in month.days]
        if not any(values):
            continue
        told = [_say(texts, measure, value, currency) for value in values]
        most = _say(texts, measure, max(values), currency)
        label = words["chart"].format(what=words[measure], month=month.say(texts), most=most)
        titles = [
            f"{say_date(texts, day)}: {text}" for day, text in zip(month.days, told, strict=True)
        ]
        drawing = Markup(draw_columns(values, titles, label))  # noqa: S704 (escaped there)
        drawn.append((words[measure], most, drawing))
    return drawn


async def ask_usage(
    visit: Visit, month: Month, by: str, *, everybody: bool = False, most: bool = False
) -> JsonObject:
    """The usage of a month; by ``most`` one row more than the page tells, those first."""
    query: dict[str, str | int] = {
        "by": by,
        "from": month.days[0].isoformat(),
        "to": month.days[-1].isoformat(),
        "limit": LONGEST_PAGE,
    }
    if everybody:
        query["all"] = "true"
    if most:
        query |= {"order": "most", "limit": TOP + 1}
    return await visit.ask("GET", "/api/usage", query=query)


def _value(row: JsonObject, measure: str) -> int:
    if measure == "tokens":
        return whole_of(row, "prompt_tokens") + whole_of(row, "completion_tokens")
    return whole_of(row, measure)


def _say(texts: Texts, measure: str, value: int, currency: str) -> str:
    if measure == "charged":
        return say_money(texts, value, currency)
    return say_forms(texts, measure, value)


def _day(row: JsonObject) -> date:
    return date.fromisoformat(text_of(row, "key"))

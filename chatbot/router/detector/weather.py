"""Read which places and days a question about the weather is about."""

from collections.abc import Mapping
from datetime import date, timedelta
from itertools import pairwise, product

from chatbot.language.days import read_day
from chatbot.router.detector.places import find_places
from chatbot.router.detector.spans import Span, split_words

_BETWEEN = frozenset({"i", "oraz", "w", "we", "na", ",", "a", "czy"})
_WEEKEND = {"saturday", "sunday"}
_PAST = {"wczoraj": 1, "przedwczoraj": 2}


def read_weather(prompt: str, *, today: date | None = None) -> tuple[Mapping[str, str], ...]:
    """Return the arguments of each call: every place with every day; what is not said is left out.

    ``today`` makes "15 lipca" and "za trzy dni" ISO dates.
    """
    cities = [{"city": name} for name in find_places(prompt)] or [{}]
    days = [{"day": day} for day in find_days(prompt, today=today)] or [{}]
    return tuple({**city, **day} for city, day in product(cities, days))


def find_days(prompt: str, *, today: date | None = None) -> tuple[str, ...]:
    """Return the day that is spoken of, or several that are joined: "jutro i pojutrze".

    A past day is returned too where ``today`` is known: today's weather would be the wrong answer.
    """
    whole = read_day(prompt, today=today)
    words = split_words(prompt)
    if whole is None:
        past = next((_PAST[word.folded] for word in words if word.folded in _PAST), None)
        return () if today is None or past is None else (str(today - timedelta(days=past)),)
    named = [(at, day) for at, word in enumerate(words) if (day := read_day(word.text)) is not None]
    joined = [named[0][1]] if named else []
    for (left, _), (right, day) in pairwise(named):
        if not _is_joined(words, left, right):
            break
        joined.append(day)
    if set(joined) == _WEEKEND:
        return ("weekend",)
    days = tuple(dict.fromkeys(joined))
    return days if len(days) > 1 else (whole,)


def _is_joined(words: tuple[Span, ...], left: int, right: int) -> bool:
    between = {word.folded for word in words[left + 1 : right]}
    return bool(between & {"i", "oraz", ","}) and between <= _BETWEEN

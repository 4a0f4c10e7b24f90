"""Scores a solution against its case: the right tool, and each argument by its own measure."""

import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import TypeAlias

from chatbot.language import lemmas, read_day, resolve_day
from chatbot.types import JsonValue
from evals.cases import Case
from evals.solver import Solution

Matches: TypeAlias = Callable[[JsonValue, JsonValue], bool]
"""Whether a given value (second) is as right as the expected one (first)."""

_GIST = 0.6  # share of the expected content words that a free text must hold
_SHORT = 3  # words below this many letters carry no content


@dataclass(frozen=True, kw_only=True, slots=True)
class Score:
    """``arguments_right`` is ``None`` where the tool is wrong or needs no arguments."""

    tool_right: bool
    arguments_right: bool | None = None
    wrong_arguments: tuple[str, ...] = ()


class Scorer:
    """Scores solutions; ``matches`` says by argument name how its values are compared."""

    def __init__(self, matches: Mapping[str, Matches]) -> None:
        """Compare by ``matches``, and every other argument as a name."""
        self._matches = matches

    def score(self, case: Case, solution: Solution) -> Score:
        """Compare what was decided with what is right."""
        if solution.tool != case.tool:
            return Score(tool_right=False)
        if not case.arguments:
            return Score(tool_right=True)
        wrong = tuple(
            name for name in case.arguments if not self._is_right(case, name, solution.arguments)
        )
        return Score(tool_right=True, arguments_right=not wrong, wrong_arguments=wrong)

    def _is_right(self, case: Case, name: str, given: Mapping[str, JsonValue]) -> bool:
        matches = self._matches.get(name, match_name)
        right = (case.arguments[name], *case.accept.get(name, ()))
        return name in given and any(matches(value, given[name]) for value in right)


def match_name(expected: JsonValue, given: JsonValue) -> bool:
    """Strict: the same letters with the same diacritics; only white space may differ."""
    if not isinstance(expected, str) or not isinstance(given, str):
        return expected == given
    return _tidy(expected) == _tidy(given)


def match_day(today: date) -> Matches:
    """A measure for days: the same dates, in Polish words or as the tool knows them."""

    def matches(expected: JsonValue, given: JsonValue) -> bool:
        if not isinstance(expected, str) or not isinstance(given, str):
            return expected == given
        wanted, found = (read_day(text, today=today) for text in (expected, given))
        if wanted is None or found is None:
            return expected == given
        return wanted == found or resolve_day(wanted, today) == resolve_day(found, today)

    return matches


def match_gist(expected: JsonValue, given: JsonValue) -> bool:
    """A free text: it holds most content words of the expected one, in any form."""
    if not isinstance(expected, str) or not isinstance(given, str):
        return expected == given
    wanted, found = _content(expected), _content(given)
    return bool(wanted) and len(wanted & found) >= _GIST * len(wanted)


def measures(today: date) -> Mapping[str, Matches]:
    """How the built-in tools' arguments are compared, without expressions: they need a worker."""
    return MappingProxyType({"day": match_day(today), "description": match_gist})


def _tidy(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())


def _content(text: str) -> frozenset[str]:
    return frozenset(word for word in lemmas(text) if len(word) >= _SHORT)

"""Scores a solution against its case: the right tool, and each argument by its own measure."""

import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import TypeAlias

from chatbot.language import lemmas, read_day, resolve_day
from chatbot.types import JsonValue
from evals.cases import Case, Expected, ExpectedCall
from evals.solver import DecidedCall, Solution

Matches: TypeAlias = Callable[[JsonValue, JsonValue], bool]
"""Whether a given value (second) is as right as the expected one (first)."""

_GIST = 0.6  # share of the expected content words that a free text must hold
_SHORT = 3  # words below this many letters carry no content


@dataclass(frozen=True, kw_only=True, slots=True)
class Score:
    """``arguments_right`` is ``None`` where the tool is wrong or needs no arguments.

    It is false, too, where a call is missing or too many, or another argument is asked for.
    """

    tool_right: bool
    arguments_right: bool | None = None
    wrong_arguments: tuple[str, ...] = ()


class Scorer:
    """Scores solutions; ``matches`` says by argument name how its values are compared."""

    def __init__(self, matches: Mapping[str, Matches]) -> None:
        """Compare by ``matches``, and every other argument as a name."""
        self._matches = matches

    def score(self, case: Case, solution: Solution) -> Score:
        """Compare what was decided with whatever is right, as the best of it has it."""
        scores = [self._score(expected, solution) for expected in (case.expected, *case.also)]
        return max(scores, key=lambda one: (one.tool_right, one.arguments_right is not False))

    def _score(self, expected: Expected, solution: Solution) -> Score:
        if solution.tool not in (expected.tool, *(call.tool for call in expected.calls)):
            return Score(tool_right=False)
        if expected.ask is not None:
            is_asked = solution.asked == expected.ask
            wrong = () if is_asked else (expected.ask,)
            return Score(tool_right=True, arguments_right=is_asked, wrong_arguments=wrong)
        if not any(call.arguments for call in expected.calls):
            return Score(tool_right=True)
        return self._score_calls(expected.calls, solution.calls)

    def _score_calls(
        self, expected: tuple[ExpectedCall, ...], decided: tuple[DecidedCall, ...]
    ) -> Score:
        """What is right goes together first; then each expected call takes what is left for it."""
        left, missed = list(decided), []
        for call in expected:
            right = next((one for one in left if self._fits(call, one)), None)
            if right is None:
                missed.append(call)
            else:
                left.remove(right)
        wrong: list[str] = []
        for call in missed:
            near = next((one for one in left if one.tool == call.tool), None)
            wrong += self._wrong(call, near.arguments if near else {})
        is_right = not missed and not left
        return Score(tool_right=True, arguments_right=is_right, wrong_arguments=tuple(wrong))

    def _fits(self, call: ExpectedCall, decided: DecidedCall) -> bool:
        return decided.tool == call.tool and not self._wrong(call, decided.arguments)

    def _wrong(self, call: ExpectedCall, given: Mapping[str, JsonValue]) -> tuple[str, ...]:
        return tuple(name for name in call.arguments if not self._is_right(call, name, given))

    def _is_right(self, call: ExpectedCall, name: str, given: Mapping[str, JsonValue]) -> bool:
        matches = self._matches.get(name, match_name)
        right = (call.arguments[name], *call.accept.get(name, ()))
        return name in given and any(matches(value, given[name]) for value in right)


def match_name(expected: JsonValue, given: JsonValue) -> bool:
    """Strict: the same letters with the same diacritics; only white space may differ."""
    if not isinstance(expected, str) or not isinstance(given, str):
        return expected == given
    return _tidy(expected) == _tidy(given)


def match_title(expected: JsonValue, given: JsonValue) -> bool:
    """A name as MediaWiki has titles: the case of the first letter makes no difference."""
    if not isinstance(expected, str) or not isinstance(given, str):
        return expected == given
    wanted, found = _tidy(expected), _tidy(given)
    return wanted[:1].lower() + wanted[1:] == found[:1].lower() + found[1:]


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
    return MappingProxyType({
        "day": match_day(today),
        "description": match_gist,
        "query": match_title,
    })


def _tidy(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())


def _content(text: str) -> frozenset[str]:
    return frozenset(word for word in lemmas(text) if len(word) >= _SHORT)

"""Scores a solution against its case: the tool, the arguments, the whole, and what went wrong."""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from types import MappingProxyType

from chatbot.language import lemmas, read_day, resolve_day
from chatbot.types import JsonObject, JsonValue, ToolSpec
from evals.cases import Case, Expected, ExpectedCall
from evals.error_patterns import Pattern, PatternFinder
from evals.full_call import (
    Fits,
    Matches,
    defaults_of,
    is_right_as_a_whole,
    match_as_bfcl,
    match_every_word,
)
from evals.solver import DecidedCall, Solution

_GIST = 0.6  # share of the expected content words that a free text must hold
_SHORT = 3  # words below this many letters carry no content


@dataclass(frozen=True, kw_only=True, slots=True)
class JudgedArgument:
    """One expected argument, ``TOOL.NAME``, and whether its value is right."""

    key: str
    is_right: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Score:
    """How right a solution is.

    ``arguments_right`` is ``None`` where the tool is wrong or needs no arguments. It is false, too,
    where a call is missing or too many, or another argument is asked for. ``raw_right`` is the same
    of the model's own arguments. ``bfcl`` and ``polish`` say whether the whole decision is right,
    see `evals.full_call`; ``every_word`` whether a description keeps all content words (``None``
    where there is none). ``patterns`` are the errors, ``raw_`` everywhere: before grounding.
    """

    tool_right: bool
    arguments_right: bool | None = None
    raw_right: bool | None = None
    arguments: tuple[JudgedArgument, ...] = ()
    bfcl: bool = False
    raw_bfcl: bool = False
    polish: bool = False
    raw_polish: bool = False
    every_word: bool | None = None
    raw_every_word: bool | None = None
    patterns: tuple[Pattern, ...] = ()
    raw_patterns: tuple[Pattern, ...] = ()

    @property
    def is_right(self) -> bool:
        """Whether the tool and all arguments are right."""
        return self.tool_right and self.arguments_right is not False

    @property
    def wrong_arguments(self) -> tuple[str, ...]:
        """The arguments whose values are wrong, as ``TOOL.NAME``."""
        return tuple(one.key for one in self.arguments if not one.is_right)


class Scorer:
    """Scores solutions; ``matches`` says by argument name how its values are compared."""

    def __init__(self, matches: Mapping[str, Matches], specs: Iterable[ToolSpec] = ()) -> None:
        """Compare by ``matches``, and every other argument as a name; ``specs`` were offered."""
        offered = tuple(specs)
        self._matches = matches
        self._strict = {**matches, "description": match_every_word}
        self._bfcl = {"day": matches["day"]} if "day" in matches else {}
        self._defaults = defaults_of(offered)
        self._patterns = PatternFinder(offered, self._fits)

    def score(self, case: Case, solution: Solution) -> Score:
        """Compare what was decided with whatever is right, as the best of it has it."""
        raw = solution.raw_calls
        best, raw_best = (self._best(case, solution, calls) for calls in (solution.calls, raw))
        return replace(
            best,
            raw_right=raw_best.arguments_right,
            bfcl=self._is_whole(case, solution, solution.calls, self._fits_bfcl),
            raw_bfcl=self._is_whole(case, solution, raw, self._fits_bfcl),
            polish=self._is_whole(case, solution, solution.calls, self._fits_strictly),
            raw_polish=self._is_whole(case, solution, raw, self._fits_strictly),
            every_word=_keeps_every_word(case, solution.calls),
            raw_every_word=_keeps_every_word(case, raw),
            patterns=self._find_patterns(best, case, solution, solution.calls),
            raw_patterns=self._find_patterns(raw_best, case, solution, solution.written_calls),
        )

    def _best(self, case: Case, solution: Solution, calls: Sequence[DecidedCall]) -> Score:
        every = (case.expected, *case.also)
        scores = [self._score(expected, solution, calls) for expected in every]
        return max(scores, key=lambda one: (one.tool_right, one.arguments_right is not False))

    def _score(
        self, expected: Expected, solution: Solution, decided: Sequence[DecidedCall]
    ) -> Score:
        if solution.tool not in (expected.tool, *(call.tool for call in expected.calls)):
            return Score(tool_right=False)
        if expected.ask is not None:
            is_asked = solution.asked == expected.ask
            asked = JudgedArgument(key=f"{expected.tool}.{expected.ask}", is_right=is_asked)
            return Score(tool_right=True, arguments_right=is_asked, arguments=(asked,))
        if not any(call.arguments for call in expected.calls):
            return Score(tool_right=True)
        return self._score_calls(expected.calls, decided)

    def _score_calls(
        self, expected: tuple[ExpectedCall, ...], decided: Sequence[DecidedCall]
    ) -> Score:
        """What is right goes together first; then each expected call takes what is left for it."""
        left, missed = list(decided), []
        judged: list[JudgedArgument] = []
        for call in expected:
            judgement = ((one, self._judge(call, one.arguments)) for one in left)
            right = next((one for one, found in judgement if _fit(call, one, found)), None)
            if right is None:
                missed.append(call)
            else:
                left.remove(right)
                judged += self._judge(call, right.arguments)
        for call in missed:
            near = next((one for one in left if one.tool == call.tool), None)
            judged += self._judge(call, near.arguments if near else {})
        is_right = not missed and not left
        return Score(tool_right=True, arguments_right=is_right, arguments=tuple(judged))

    def _judge(self, call: ExpectedCall, given: JsonObject) -> tuple[JudgedArgument, ...]:
        return tuple(
            JudgedArgument(
                key=f"{call.tool}.{name}",
                is_right=name in given
                and any(
                    self._fits(name, one, given[name])
                    for one in (value, *call.accept.get(name, ()))
                ),
            )
            for name, value in call.arguments.items()
        )

    def _find_patterns(
        self, score: Score, case: Case, solution: Solution, calls: Sequence[DecidedCall]
    ) -> tuple[Pattern, ...]:
        """Those of a case for a tool, unless another decision that can be defended was taken."""
        if case.tool is None or (score.is_right and case.also):
            return ()
        return self._patterns.find(case, solution, calls)

    def _is_whole(
        self, case: Case, solution: Solution, calls: Sequence[DecidedCall], fits: Fits
    ) -> bool:
        return is_right_as_a_whole(case, solution, calls, fits, self._defaults)

    def _fits(self, name: str, expected: JsonValue, given: JsonValue) -> bool:
        return self._matches.get(name, match_name)(expected, given)

    def _fits_strictly(self, name: str, expected: JsonValue, given: JsonValue) -> bool:
        return self._strict.get(name, match_name)(expected, given)

    def _fits_bfcl(self, name: str, expected: JsonValue, given: JsonValue) -> bool:
        return self._bfcl.get(name, match_as_bfcl)(expected, given)


def _fit(call: ExpectedCall, decided: DecidedCall, judged: Sequence[JudgedArgument]) -> bool:
    return decided.tool == call.tool and all(one.is_right for one in judged)


def _keeps_every_word(case: Case, calls: Sequence[DecidedCall]) -> bool | None:
    """Whether each description that is expected, where one was given, is whole in one of them."""
    kept = [
        any(match_every_word(one, given) for one in right for given in told)
        for call in case.expected.calls
        if (right := _descriptions(call)) and (told := _told(call.tool, calls))
    ]
    return all(kept) if kept else None


def _descriptions(call: ExpectedCall) -> tuple[JsonValue, ...]:
    value = call.arguments.get("description")
    return () if value is None else (value, *call.accept.get("description", ()))


def _told(tool: str, calls: Sequence[DecidedCall]) -> tuple[JsonValue, ...]:
    every = (call.arguments.get("description") for call in calls if call.tool == tool)
    return tuple(one for one in every if one is not None)


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

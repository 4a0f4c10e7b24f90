"""The seven error patterns of SpecTool/ToolScan (Kokane et al., arXiv:2411.13547), by rule."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal, TypeAlias

from chatbot.types import DEFAULT_FUNCTION, JsonObject, JsonValue, ToolSpec
from evals.cases import Case, ExpectedCall
from evals.full_call import Fits, defaults_of
from evals.solver import DecidedCall, Solution
from evals.wrong_values import Words, WrongValue, name_wrong_value

Code: TypeAlias = Literal["IAC", "IAV", "IAN", "IAT", "RAC", "IFN", "IFE"]

PATTERNS: Final[Mapping[Code, str]] = {
    "IAC": "too few calls",
    "IAV": "wrong argument value",
    "IAN": "wrong argument name",
    "IAT": "wrong argument type",
    "RAC": "repeated call",
    "IFN": "unknown function",
    "IFE": "invalid format",
}

_TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list, tuple),
    "object": (dict,),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Pattern:
    """One error: ``kind`` says in what way a value (IAV) is wrong, ``argument`` which one."""

    code: Code
    kind: WrongValue | None = None
    argument: str | None = None

    def __str__(self) -> str:
        """``IAV.inflection get_weather.city``."""
        code = self.code if self.kind is None else f"{self.code}.{self.kind}"
        return code if self.argument is None else f"{code} {self.argument}"


class PatternFinder:
    """Finds the patterns of a decision for a tool; ``specs`` are the tools that were offered."""

    def __init__(self, specs: Iterable[ToolSpec], fits: Fits) -> None:
        """Compare values by ``fits``."""
        offered = tuple(specs)
        self._schemas = {spec.name: spec.properties for spec in offered}
        self._defaults = defaults_of(offered)
        self._fits = fits

    def find(
        self, case: Case, solution: Solution, calls: Sequence[DecidedCall]
    ) -> tuple[Pattern, ...]:
        """All errors of ``calls``, each once, in the order of `PATTERNS`.

        A question that is asked rightly, and any right decision for the default model, has none.
        """
        found = [*self._form(solution, calls), *self._too_few(case, solution, calls)]
        for call in calls:
            found += self._arguments(call)
        if case.expected.ask is None:
            found += self._values(case, calls)
        order = tuple(PATTERNS)
        return tuple(sorted(dict.fromkeys(found), key=lambda one: order.index(one.code)))

    def _form(self, solution: Solution, calls: Sequence[DecidedCall]) -> Iterable[Pattern]:
        if solution.reason == "unusable_call":
            yield Pattern(code="IFE")
        names = {call.tool for call in calls} - {DEFAULT_FUNCTION}
        if solution.reason == "unknown_tool" or (self._schemas and names - self._schemas.keys()):
            yield Pattern(code="IFN")
        seen: list[tuple[str, JsonObject]] = []
        for call in calls:
            if (call.tool, call.arguments) in seen:
                yield Pattern(code="RAC")
            seen.append((call.tool, call.arguments))

    def _too_few(
        self, case: Case, solution: Solution, calls: Sequence[DecidedCall]
    ) -> Iterable[Pattern]:
        fewest = min(len(one.calls) for one in (case.expected, *case.also))
        called = len([call for call in calls if call.tool != DEFAULT_FUNCTION])
        if solution.asked is None and called < fewest:
            yield Pattern(code="IAC")

    def _arguments(self, call: DecidedCall) -> Iterable[Pattern]:
        schema = self._schemas.get(call.tool)
        if schema is None:
            return
        for name, value in call.arguments.items():
            key = f"{call.tool}.{name}"
            if name not in schema:
                yield Pattern(code="IAN", argument=key)
            elif not _has_type(value, schema[name]):
                yield Pattern(code="IAT", argument=key)

    def _values(self, case: Case, calls: Sequence[DecidedCall]) -> Iterable[Pattern]:
        """Each expected call beside the call of the same tool that is most like it."""
        left = list(calls)
        for expected in case.expected.calls:
            same_tool = [call for call in left if call.tool == expected.tool]
            if not same_tool or not expected.arguments:
                continue
            nearest = min(same_tool, key=partial(self._count_wrong, expected))
            left.remove(nearest)
            yield from self._compare(expected, nearest, case.texts)

    def _compare(
        self, expected: ExpectedCall, call: DecidedCall, texts: Sequence[str]
    ) -> Iterable[Pattern]:
        given = self._filled(call)
        for name in self._wrong(expected, given):
            right = (expected.arguments[name], *expected.accept.get(name, ()))
            words = _words_of(self._schemas.get(call.tool, {}).get(name))
            kind = name_wrong_value(right, given.get(name), texts, words)
            yield Pattern(code="IAV", kind=kind, argument=f"{expected.tool}.{name}")
        defaults = self._defaults.get(call.tool, {})
        for name, value in call.arguments.items():
            is_extra = name not in expected.arguments and name in self._schemas.get(call.tool, {})
            if is_extra and value != defaults.get(name):
                yield Pattern(code="IAV", kind="invention", argument=f"{expected.tool}.{name}")

    def _count_wrong(self, expected: ExpectedCall, call: DecidedCall) -> int:
        return len(self._wrong(expected, self._filled(call)))

    def _filled(self, call: DecidedCall) -> JsonObject:
        return {**self._defaults.get(call.tool, {}), **call.arguments}

    def _wrong(self, expected: ExpectedCall, given: JsonObject) -> tuple[str, ...]:
        return tuple(
            name
            for name, value in expected.arguments.items()
            if not any(
                name in given and self._fits(name, one, given[name])
                for one in (value, *expected.accept.get(name, ()))
            )
        )


def _words_of(schema: JsonValue) -> Words | None:
    if not isinstance(schema, Mapping):
        return None
    if "x-name" in schema:
        return "name"
    return "description" if "x-language" in schema else None


def _has_type(value: JsonValue, schema: JsonValue) -> bool:
    wanted = schema.get("type") if isinstance(schema, Mapping) else None
    types = _TYPES.get(wanted) if isinstance(wanted, str) else None
    if types is None:
        return True
    if isinstance(value, bool):
        return bool in types
    return isinstance(value, types)

"""Reads the calls that a model writes as text, piece by piece as they arrive."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Literal, TypeAlias

from chatbot.dialects import Dialect
from chatbot.language.patterns import regex
from chatbot.router.arguments import canonical, read_arguments, read_json, read_python_call
from chatbot.router.brackets import find_span
from chatbot.router.heads import OPEN, Head, read_head
from chatbot.router.limits import RouterLimits
from chatbot.types import DEFAULT_FUNCTION, JsonObject, JsonValue

CallProblem: TypeAlias = Literal[
    "no_call", "bad_json", "bad_arguments", "no_name", "cut_off", "too_long", "unknown_tool"
]

_MOST_READ = 64  # calls of one segment that are looked at


@dataclass(frozen=True, kw_only=True, slots=True)
class RawCall:
    """A call as the model wrote it."""

    name: str
    arguments: JsonObject


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """The calls of offered tools, or why there is none (``None`` too for the default function).

    ``written`` are all calls that could be read, also repeated ones and those of other functions.
    """

    calls: tuple[RawCall, ...] = ()
    problem: CallProblem | None = None
    written: tuple[RawCall, ...] = field(default=(), compare=False)


class CallError(Exception):
    """A call cannot be used; ``problem`` says why."""

    def __init__(self, problem: CallProblem) -> None:
        """Keep the typed reason."""
        super().__init__(problem)
        self.problem: CallProblem = problem


class CallReader:
    """Collects the text of the calls; `head` tells the first function's name early."""

    def __init__(self, dialect: Dialect, offered: Collection[str], limits: RouterLimits) -> None:
        """Read calls of ``dialect``; those of functions that are not ``offered`` are refused."""
        self._dialect = dialect
        self._offered = offered
        self._limits = limits
        self._pieces: list[str] = []
        self._length = 0
        self.head: Head = OPEN

    @property
    def is_too_long(self) -> bool:
        """Whether more text came than calls may have."""
        return self._length > self._limits.call_chars

    def feed(self, text: str) -> Head:
        """Take the next piece of text and look for the first name, where it is not yet known."""
        self._length += len(text)
        if not self.is_too_long:
            self._pieces.append(text)
        if self.head.state == "open" and text:
            self.head = read_first_head("".join(self._pieces), self._dialect)
        return self.head

    def finish(self, *, is_clean: bool) -> Reading:
        """What was called; ``is_clean`` if the model itself ended the text."""
        if self.is_too_long:
            return Reading(problem="too_long")
        return read_calls(
            "".join(self._pieces), self._dialect, self._offered, self._limits, is_clean=is_clean
        )


def read_first_head(text: str, dialect: Dialect) -> Head:
    """The head of the first call in ``text``, whose markers may still be arriving."""
    start = text.lstrip()
    if start in _beginnings(dialect):
        return OPEN
    for segment in _markers(dialect).split(text):
        at = _skip(segment, 0)
        if at < len(segment):
            return read_head(segment[at:], grammars=dialect.grammars)
    return OPEN


def read_calls(
    text: str,
    dialect: Dialect,
    offered: Collection[str],
    limits: RouterLimits,
    *,
    is_clean: bool = True,
) -> Reading:
    """All calls in ``text``, which may be anything; never raises.

    What needs no guessing is repaired: closing brackets that are missing at a clean end, control
    tokens, fences and single brackets around a call, trailing commas, one brace too many.
    """
    calls: list[RawCall] = []
    problems: list[CallProblem] = []
    segments = _markers(dialect).split(text)
    for number, piece in enumerate(segments, start=1):
        is_whole = is_clean or number < len(segments)
        segment = _Segment(text=piece, is_whole=is_whole, dialect=dialect, limits=limits)
        try:
            for call in segment.read():
                calls.append(call)  # noqa: PERF402 - those before a broken one are kept
        except CallError as error:
            problems.append(error.problem)
    return select_calls(calls, problems, offered, limits)


def select_calls(
    calls: Iterable[RawCall],
    problems: Iterable[CallProblem],
    offered: Collection[str],
    limits: RouterLimits,
) -> Reading:
    """The calls that can be run: offered, each once, no default function, not too many."""
    found = tuple(calls)
    unique: dict[str, RawCall] = {}
    for call in found:
        if call.name in offered and call.name != DEFAULT_FUNCTION:
            unique.setdefault(f"{call.name} {canonical(call.arguments)}", call)
    if unique:
        return Reading(calls=tuple(unique.values())[: limits.max_calls], written=found)
    if any(call.name == DEFAULT_FUNCTION for call in found):
        return Reading(written=found)
    if found:
        return Reading(problem="unknown_tool", written=found)
    return Reading(problem=next(iter(problems), "no_call"))


def read_call(value: JsonValue, dialect: Dialect, limits: RouterLimits) -> RawCall:
    """A call from ``{"name", "parameters" | "arguments"}``, or from that inside ``"function"``.

    Raises:
        CallError: it has no name, or its arguments are no object.
    """
    inner = value.get("function") if isinstance(value, Mapping) else None
    outer = inner if isinstance(inner, Mapping) else value
    if not isinstance(outer, Mapping):
        raise CallError("no_name")
    name = outer.get("name", inner)
    if not isinstance(name, str) or not name.strip():
        raise CallError("no_name")
    key = next((key for key in (dialect.arguments_key, *_ARGUMENT_KEYS) if outer.get(key)), None)
    return make_call(name, outer[key] if key else None, limits)


def make_call(name: str, arguments: JsonValue, limits: RouterLimits) -> RawCall:
    """A call from its name and what stands for its arguments.

    Raises:
        CallError: the arguments are no object.
    """
    try:
        return RawCall(name=name.strip(), arguments=read_arguments(arguments, depth=limits.depth))
    except ValueError as error:
        raise CallError("bad_arguments") from error


_ARGUMENT_KEYS = ("parameters", "arguments")
_SKIPPED = regex(r"(?:[\s;,\[\]]|```(?:json)?)*+")
_NAMED = regex(r"([A-Za-z_][\w-]*)\s*(?:\[CALL_ID\]\s*\w+\s*)?(?:\[ARGS\]|>)?\s*(?=\{)", re.ASCII)
_PYTHON = regex(r"[A-Za-z_]\w*\s*(?:\.call)?(?=\()", re.ASCII)
_CODE_CHARS = 4_000  # longer "calls" in Python are code


@cache
def _markers(dialect: Dialect) -> re.Pattern[str]:
    words = sorted({*dialect.openers, *dialect.closers}, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, words)) or "(?!)")


@cache
def _beginnings(dialect: Dialect) -> frozenset[str]:
    """What an opener may begin with, to the whole of it."""
    return frozenset(one[:end] for one in dialect.openers for end in range(len(one) + 1))


def _skip(text: str, at: int) -> int:
    found = _SKIPPED.match(text, at)
    return found.end() if found else at


@dataclass(frozen=True, kw_only=True, slots=True)
class _Segment:
    """The text between two markers; ``is_whole`` if nothing of it can be missing."""

    text: str
    is_whole: bool
    dialect: Dialect
    limits: RouterLimits

    def read(self) -> Iterator[RawCall]:
        """The calls from the start on, up to text that is none.

        Raises:
            CallError: what begins like a call is none.
        """
        at = _skip(self.text, 0)
        for number in range(_MOST_READ):
            if at >= len(self.text):
                return
            if number and not self._begins_call(at):
                return
            call, at = self._read_one(at)
            yield call
            at += self.text.startswith("}", at)  # one brace too many
            at = _skip(self.text, at)

    def _begins_call(self, at: int) -> bool:
        return read_head(self.text[at:], grammars=self.dialect.grammars).state == "named"

    def _read_one(self, at: int) -> tuple[RawCall, int]:
        if self.text[at] == "{":
            body, end = self._extent(at)
            return read_call(_json(body), self.dialect, self.limits), end
        grammars = self.dialect.grammars
        if "named" in grammars and (found := _NAMED.match(self.text, at)):
            body, end = self._extent(found.end())
            return make_call(found[1], _json(body), self.limits), end
        if "python" in grammars and (found := _PYTHON.match(self.text, at)):
            body, end = self._extent(found.end(), quotes="\"'")
            return self._python(self.text[at : found.end()] + body), end
        raise CallError("no_call")

    def _python(self, code: str) -> RawCall:
        try:
            name, arguments = read_python_call(code[:_CODE_CHARS])
        except ValueError as error:
            raise CallError("bad_arguments") from error
        return make_call(name, arguments, self.limits)

    def _extent(self, at: int, quotes: str = '"') -> tuple[str, int]:
        """The bracketed value at ``at`` and where it ends; closed where that is no guess."""
        span = find_span(self.text, at, depth=self.limits.depth, quotes=quotes)
        if span.end is not None:
            return self.text[at : span.end], span.end
        if span.is_broken:
            raise CallError("bad_json")
        if not self.is_whole or not span.missing:
            raise CallError("cut_off")
        body = self.text[at:].rstrip().removesuffix("```").rstrip()
        return body + span.missing, len(self.text)


def _json(text: str) -> JsonValue:
    try:
        return read_json(text)
    except ValueError as error:
        raise CallError("bad_json") from error

"""Reads case files: one prompt a line, what was said before it, and what is right for it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Literal, Self, TypeAlias

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    JsonValue as Json,
    ValidationError,
    model_validator,
)

from chatbot.errors import ZwrotnicaError
from chatbot.types import JsonValue, Message, Part, Text, ToolCall, ToolOutcome

Split: TypeAlias = Literal["dev", "test"]

EVERYDAY = Path(__file__).parent / "cases" / "everyday_pl.jsonl"
ZWROTNICA_PL = Path(__file__).parent / "cases" / "zwrotnica_pl"
"""The folder of the test set with its guide."""

PRACTICE_PL = Path(__file__).parent / "cases" / "practice_pl"
"""Cases to make rules and training data from."""


class CaseFileError(ZwrotnicaError):
    """A case file cannot be read; the message names file, line and remedy."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ExpectedCall:
    """A call that is right; ``accept`` holds further values of an argument that are right too."""

    tool: str
    arguments: Mapping[str, JsonValue]
    accept: Mapping[str, tuple[JsonValue, ...]] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class Expected:
    """One right decision: calls, in any order; without any, the default model.

    ``ask`` names the argument of the only call that has to be asked for.
    """

    calls: tuple[ExpectedCall, ...] = ()
    ask: str | None = None

    @property
    def tool(self) -> str | None:
        """The first function concerned, or ``None`` for the default model."""
        return self.calls[0].tool if self.calls else None

    @property
    def is_open(self) -> bool:
        """Whether a function is right and nothing is said of arguments: it may also ask."""
        return self.ask is None and len(self.calls) == 1 and not self.calls[0].arguments


@dataclass(frozen=True, kw_only=True, slots=True)
class Case:
    """One prompt with what is right for it.

    ``expected`` is what its author holds for right; ``also`` are other decisions that can be
    defended. ``history`` is what was said before the prompt.
    """

    id: str
    prompt: str
    expected: Expected = Expected()
    also: tuple[Expected, ...] = ()
    history: tuple[Message, ...] = ()
    tags: tuple[str, ...] = ()

    @property
    def tool(self) -> str | None:
        """The first function that is right, or ``None`` for the default model."""
        return self.expected.tool

    @property
    def texts(self) -> tuple[str, ...]:
        """What was said, oldest first, the prompt last."""
        return (*(message.text for message in self.history), self.prompt)


@dataclass(frozen=True, kw_only=True, slots=True)
class CaseSet:
    """The cases of one file; ``fingerprint`` changes with any of them."""

    name: str
    fingerprint: str
    cases: tuple[Case, ...]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Call(_Strict):
    tool: str
    arguments: dict[str, Json] = Field(default_factory=dict)
    accept: dict[str, list[Json]] = Field(default_factory=dict)

    def read(self) -> ExpectedCall:
        accept = {name: tuple(values) for name, values in self.accept.items()}
        return ExpectedCall(tool=self.tool, arguments=self.arguments, accept=accept)


class _Decision(_Strict):
    tool: str | None
    arguments: dict[str, Json] = Field(default_factory=dict)
    accept: dict[str, list[Json]] = Field(default_factory=dict)
    ask: str | None = None
    more: tuple[_Call, ...] = ()

    def read(self) -> Expected:
        if self.tool is None:
            return Expected()
        first = _Call(tool=self.tool, arguments=self.arguments, accept=self.accept)
        calls = tuple(call.read() for call in (first, *self.more))
        return Expected(calls=calls, ask=self.ask)

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.tool is None and (self.arguments or self.accept or self.ask or self.more):
            raise ValueError("the default model has no arguments, questions or further calls")
        if self.ask is not None and (self.ask in self.arguments or self.more):
            raise ValueError("what is asked for is no argument, and nothing else is called")
        return self


class _Said(_Strict):
    role: Literal["user", "assistant"]
    content: str = Field(min_length=1)
    calls: tuple[_Call, ...] = ()

    def read(self, number: int) -> Message:
        parts: list[Part] = []
        for place, call in enumerate(self.calls):
            call_id, given = f"call-{number}-{place}", call.arguments
            parts += (
                ToolCall(call_id=call_id, name=call.tool, arguments=given, raw_arguments=given),
                ToolOutcome(call_id=call_id, name=call.tool, status="ok", content=self.content),
            )
        return Message(role=self.role, parts=(*parts, Text(text=self.content)))


class _Line(_Decision):
    id: str = Field(min_length=1)
    prompt: str = Field(pattern=r"\S")
    history: tuple[_Said, ...] = ()
    also: tuple[_Decision, ...] = ()
    tags: tuple[str, ...] = ()


def read_cases(path: Path) -> CaseSet:
    """Read a case file (JSON lines, UTF-8), or all of a folder; empty lines are skipped.

    Raises:
        CaseFileError: a file is missing, a line is no case, or an id stands twice.
    """
    contents = {one: _read_file(one) for one in _files(path)}
    cases = tuple(
        _read_line(one, number, line)
        for one, content in contents.items()
        for number, line in enumerate(content.split("\n"), start=1)
        if line.strip()
    )
    _check_ids(path, cases)
    whole = "\n".join(content.strip() for content in contents.values())
    fingerprint = sha256(whole.encode()).hexdigest()[:16]
    return CaseSet(name=path.stem, fingerprint=fingerprint, cases=cases)


def select(case_set: CaseSet, split: Split) -> CaseSet:
    """The half of a set that is to develop with, or the one that is to test with.

    A case's half hangs on its id alone, so it stays where it is when others come.
    """
    kept = tuple(case for case in case_set.cases if split_of(case) == split)
    return replace(case_set, fingerprint=f"{case_set.fingerprint}/{split}", cases=kept)


def dialogues_of(case_set: CaseSet) -> CaseSet:
    """The cases in which something was said before the prompt.

    Raises:
        CaseFileError: there is none.
    """
    kept = tuple(case for case in case_set.cases if case.history)
    if not kept:
        raise CaseFileError(f"{case_set.name} holds no dialogue")
    return replace(case_set, fingerprint=f"{case_set.fingerprint}/dialogues", cases=kept)


def split_of(case: Case) -> Split:
    """The half that a case belongs to."""
    return "dev" if sha256(case.id.encode()).digest()[0] % 2 else "test"


def _files(path: Path) -> tuple[Path, ...]:
    return tuple(sorted(path.glob("*.jsonl"))) if path.is_dir() else (path,)


def _read_file(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")  # Windows puts a mark before UTF-8
    except (OSError, UnicodeDecodeError) as error:
        raise CaseFileError(f"cannot read the cases in {str(path)!r}: {error}") from error


def _read_line(path: Path, number: int, line: str) -> Case:
    try:
        found = _Line.model_validate_json(line)
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        where = "".join(f" {place}:" for place in [".".join(map(str, problem["loc"]))] if place)
        raise CaseFileError(f"{path}:{number}:{where} {problem['msg']}") from error
    return Case(
        id=found.id,
        prompt=found.prompt,
        expected=found.read(),
        also=tuple(one.read() for one in found.also),
        history=tuple(said.read(place) for place, said in enumerate(found.history)),
        tags=found.tags,
    )


def _check_ids(path: Path, cases: tuple[Case, ...]) -> None:
    seen: set[str] = set()
    for case in cases:
        if case.id in seen:
            raise CaseFileError(f"{path}: the id {case.id!r} stands twice; give each case its own")
        seen.add(case.id)
    if not cases:
        raise CaseFileError(f"{path} holds no case")

"""Reads BFCL's published files: prompts, functions, and the answers that are right."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict, Field, JsonValue as Json, ValidationError

from chatbot.errors import ZwrotnicaError
from chatbot.types import DEFAULT_FUNCTION, JsonValue, ToolSpec
from evals.bfcl.schema import Kind, as_schema, read_kind

CATEGORIES = (
    "simple_python",
    "multiple",
    "parallel",
    "parallel_multiple",
    "irrelevance",
    "live_simple",
    "live_multiple",
    "live_parallel",
    "live_parallel_multiple",
    "live_relevance",
    "live_irrelevance",
)
"""The categories of one turn whose functions are described as Python's."""

Answer: TypeAlias = Mapping[str, Sequence[JsonValue]]
"""What is right for each argument of a call; ``""`` among it: the argument may be left out."""

_UNSPEAKABLE = re.compile(r"[^\w-]", re.ASCII)


class BfclDataError(ZwrotnicaError):
    """BFCL's files cannot be read; the message names file, line and remedy."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Parameter:
    """The declared type of an argument; ``items`` is that of a list's elements."""

    kind: Kind
    items: Kind | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Function:
    """A function as its calls are judged; ``spec`` is how the model sees it."""

    spec: ToolSpec
    parameters: Mapping[str, Parameter]
    required: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class RightCall:
    """A call that is expected."""

    function: Function
    answer: Answer


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """One question; ``right`` is empty where only the presence of a call is judged."""

    id: str
    category: str
    prompt: str
    functions: tuple[Function, ...]
    right: tuple[RightCall, ...] = ()


class _Published(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str


class _Said(BaseModel):
    role: str
    content: str


class _Parameters(BaseModel):
    properties: dict[str, dict[str, Json]]
    required: tuple[str, ...]


class _Function(BaseModel):
    name: str = Field(min_length=1)
    description: str
    parameters: dict[str, Json]


class _Question(_Published):
    question: list[list[_Said]] = Field(min_length=1)
    function: list[_Function]


class _Truth(_Published):
    ground_truth: list[dict[str, dict[str, list[Json]]]]


Line = TypeVar("Line", bound=_Published)


def read_entries(folder: Path, category: str) -> tuple[Entry, ...]:
    """The entries of one category, with their answers where there are any.

    Raises:
        BfclDataError: a file is missing, or a line is not in BFCL's format.
    """
    file = f"BFCL_v4_{category}.json"
    truths: dict[str, _Truth] = {}
    if not category.endswith("relevance"):
        truths = {truth.id: truth for _, truth in _read(folder / "possible_answer" / file, _Truth)}
    entries: list[Entry] = []
    for where, question in _read(folder / file, _Question):
        try:
            entries.append(_entry(category, question, truths))
        except (ValueError, KeyError) as error:
            raise BfclDataError(f"{where}: {question.id}: {_say(error)}") from error
    return tuple(entries)


def _read(path: Path, kind: type[Line]) -> Iterator[tuple[str, Line]]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BfclDataError(f"cannot read {str(path)!r}: {error}") from error
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                yield f"{path}:{number}", kind.model_validate_json(line)
            except ValidationError as error:
                raise BfclDataError(f"{path}:{number}: {_say(error)}") from error


def _entry(category: str, question: _Question, truths: Mapping[str, _Truth]) -> Entry:
    functions = {function.name: _function(function) for function in question.function}
    shown = {function.spec.name for function in functions.values()} | {DEFAULT_FUNCTION}
    if len(shown) != len(question.function) + 1:
        raise ValueError("two functions have the same name for the model")
    right = () if category.endswith("relevance") else _right(truths[question.id], functions)
    return Entry(
        id=question.id,
        category=category,
        prompt=_prompt(question.question[0]),
        functions=tuple(functions.values()),
        right=right,
    )


def _right(truth: _Truth, functions: Mapping[str, Function]) -> tuple[RightCall, ...]:
    if not truth.ground_truth or any(len(call) != 1 for call in truth.ground_truth):
        raise ValueError("an answer is one function with its arguments")
    return tuple(
        RightCall(function=functions[name], answer=answer)
        for call in truth.ground_truth
        for name, answer in call.items()
    )


def _function(found: _Function) -> Function:
    declared = _Parameters.model_validate(found.parameters)
    name = _UNSPEAKABLE.sub("_", found.name)
    spec = ToolSpec(
        name=name,
        title=name,
        description=found.description,
        parameters=as_schema(found.parameters),
    )
    return Function(
        spec=spec,
        parameters={name: _parameter(one) for name, one in declared.properties.items()},
        required=declared.required,
    )


def _parameter(declared: Mapping[str, Json]) -> Parameter:
    kind = read_kind(declared.get("type"))
    items = declared.get("items")
    if kind not in {"array", "tuple"}:
        return Parameter(kind=kind)
    if not isinstance(items, Mapping):
        raise ValueError(f"a type of {kind!r} does not say what it holds")  # noqa: TRY004 - data
    return Parameter(kind=kind, items=read_kind(items.get("type")))


def _prompt(said: Sequence[_Said]) -> str:
    """The last message of the user, below what the system says."""
    system = [one.content for one in said if one.role == "system"]
    user = [one.content for one in said if one.role == "user"]
    return "\n\n".join((*system, *user[-1:]))


def _say(error: Exception) -> str:
    match error:
        case ValidationError():
            problem = error.errors(include_url=False)[0]
            return f"{'.'.join(map(str, problem['loc']))}: {problem['msg']}"
        case KeyError():
            return f"there is no {error.args[0]!r} that an answer belongs to"
        case _:
            return str(error)

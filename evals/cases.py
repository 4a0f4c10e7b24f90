"""Reads case files: one prompt a line, with the tool and the arguments that are right for it."""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, JsonValue as Json, ValidationError

from chatbot.errors import ZwrotnicaError
from chatbot.types import JsonValue

EVERYDAY = Path(__file__).parent / "cases" / "everyday_pl.jsonl"


class CaseFileError(ZwrotnicaError):
    """A case file cannot be read; the message names file, line and remedy."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Case:
    """One prompt with what is right for it.

    ``tool`` is ``None`` where the default model should answer. ``arguments`` are those that must
    be called with; ``accept`` holds further values of an argument that are right too.
    """

    id: str
    prompt: str
    tool: str | None
    arguments: Mapping[str, JsonValue]
    accept: Mapping[str, tuple[JsonValue, ...]]
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class CaseSet:
    """The cases of one file; ``fingerprint`` changes with any of them."""

    name: str
    fingerprint: str
    cases: tuple[Case, ...]


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str = Field(min_length=1)
    prompt: str = Field(min_length=1)
    tool: str | None
    arguments: dict[str, Json] = Field(default_factory=dict)
    accept: dict[str, list[Json]] = Field(default_factory=dict)
    tags: tuple[str, ...] = ()


def read_cases(path: Path) -> CaseSet:
    """Read a case file (JSON lines, UTF-8); empty lines are skipped.

    Raises:
        CaseFileError: the file is missing, a line is no case, or an id stands twice.
    """
    try:
        content = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CaseFileError(f"cannot read the cases in {str(path)!r}: {error}") from error
    cases = tuple(
        _read_line(path, number, line)
        for number, line in enumerate(content.splitlines(), start=1)
        if line.strip()
    )
    _check_ids(path, cases)
    fingerprint = sha256(content.strip().encode()).hexdigest()[:16]
    return CaseSet(name=path.stem, fingerprint=fingerprint, cases=cases)


def _read_line(path: Path, number: int, line: str) -> Case:
    try:
        found = _Line.model_validate_json(line)
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        where = ".".join(map(str, problem["loc"]))
        raise CaseFileError(f"{path}:{number}: {where}: {problem['msg']}") from error
    return Case(
        id=found.id,
        prompt=found.prompt,
        tool=found.tool,
        arguments=found.arguments,
        accept={name: tuple(values) for name, values in found.accept.items()},
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

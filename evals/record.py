"""Keeps every exchange of a run in a file, case by case: to go on from, and to play back."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import BinaryIO, Literal

from pydantic import BaseModel, ConfigDict, JsonValue as Json, ValidationError

from chatbot.errors import ZwrotnicaError
from chatbot.types import Delta
from evals.exchanges import End, Exchange, Failure

VERSION = 1


class RecordError(ZwrotnicaError):
    """A record cannot be read, is one of another run, or lacks what was asked."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Header(_Frozen):
    """What was run; ``settings`` are those of router and engines, without keys and addresses."""

    version: int = VERSION
    cases: str
    fingerprint: str
    runner: Literal["route", "chatbot"]
    today: date
    settings: Mapping[str, Json]


class SavedExchange(_Frozen):
    """One exchange as a file has it."""

    request: str
    engine: str
    deltas: tuple[tuple[float, Delta], ...]
    end: End | Failure

    def read(self) -> Exchange:
        """As it was."""
        return Exchange(
            request=self.request, engine=self.engine, deltas=list(self.deltas), end=self.end
        )


class CaseRecord(_Frozen):
    """What was asked for one case in one mode, and how long it took."""

    case: str
    mode: str | None
    exchanges: tuple[SavedExchange, ...]
    verdict_ms: int
    decision_ms: float
    failed: bool = False


class Record:
    """A record in memory, and, while it is `open`, in its file as well."""

    def __init__(self, header: Header, cases: Mapping[tuple[str | None, str], CaseRecord]) -> None:
        """Take what a file holds."""
        self.header = header
        self._cases = dict(cases)
        self._file: BinaryIO | None = None

    def find(self, mode: str | None, case: str) -> CaseRecord | None:
        """What was recorded of a case, if it was."""
        return self._cases.get((mode, case))

    def add(self, record: CaseRecord) -> None:
        """Keep a case; the last one of its name holds."""
        self._cases[record.mode, record.case] = record
        if self._file is not None:
            self._file.write(_line(record))
            self._file.flush()

    @contextmanager
    def writing(self, path: Path) -> Iterator[None]:
        """Write what comes to ``path``, after the whole lines that stand there already."""
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab+") as self._file:
            self._file.seek(0)
            whole = self._file.read().rfind(b"\n") + 1
            self._file.truncate(whole)
            if not whole:
                self._file.write(_line(self.header))
            yield
        self._file = None


def read_record(path: Path) -> Record:
    """Read a record; its last line may be torn by an interruption and is then left out.

    Raises:
        RecordError: it is missing or is no record.
    """
    try:
        whole, _, _torn = path.read_bytes().rpartition(b"\n")
        first, *lines = map(json.loads, whole.decode().split("\n"))
        header = Header.model_validate(first)
        cases = [CaseRecord.model_validate(line) for line in lines]
    except (OSError, ValueError, ValidationError) as error:
        raise RecordError(
            f"cannot read the record {str(path)!r}; make it with `zwrotnica eval run --record`"
        ) from error
    return Record(header, {(one.mode, one.case): one for one in cases})


def open_record(path: Path, header: Header) -> Record:
    """The record at ``path`` to go on from, or a new one.

    Raises:
        RecordError: what stands there is of another run.
    """
    if not path.exists() or not path.stat().st_size:
        return Record(header, {})
    record = read_record(path)
    same = header.model_copy(update={"today": record.header.today})
    if record.header != same:
        raise RecordError(
            f"{str(path)!r} is the record of a run with other cases or settings; take another file"
        )
    return record


def _line(model: BaseModel) -> bytes:
    """A line of JSON; half a surrogate pair, which UTF-8 cannot hold, is written as its escape."""
    text = json.dumps(model.model_dump(mode="json"), ensure_ascii=False)
    return text.encode(errors="backslashreplace") + b"\n"

"""Measures exports of many rows: ``PYTHONPATH=tests python -m scripted.export_size 100000``.

A gateway in a process of its own exports what its database holds, in each format; told are seconds
of work and until the end, megabytes sent, what the process grew by at most, and how long a probe
waited meanwhile.
"""

import os
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import anyio
import requests
from scripted.exported import answered, conversation, said, weather
from scripted.gateway_process import serving

from serving.assembly import new_id
from serving.clock import SystemClock
from serving.settings import StorageSettings
from serving.storage.conversations import Conversations
from serving.storage.database import open_database
from serving.storage.records import StoredMessage

FORMATS = ("json", "csv", "md", "xlsx")
ROWS_OF_EXCHANGE = 3
EXCHANGES = 900
ANSWER = "W Łodzi będzie jutro 21 stopni, pochmurno, z wiatrem od zachodu. " * 4
_REST_S = 0.02
_PATIENCE_S = 3600
_MB = 1024


@dataclass(frozen=True, kw_only=True, slots=True)
class Measured:
    """One export; ``grown_mb`` is the most memory over what the process had before it.

    ``work_s`` is the process's own time on a processor: what else the machine does is no part.
    """

    name: str
    seconds: float
    work_s: float
    sent_mb: float
    grown_mb: float
    slowest_probe_ms: float


@dataclass(kw_only=True, slots=True)
class _Watch:
    """What was seen while an export ran."""

    most_kb: int = 0
    probes: list[float] = field(default_factory=list)


async def store_rows(folder: Path, rows: int) -> None:
    """Fill the database in ``folder`` with conversations that give about ``rows`` rows."""
    async with open_database(StorageSettings(), folder) as database:
        conversations = Conversations(database, clock=SystemClock(), new_id=new_id)
        left = rows // ROWS_OF_EXCHANGE
        while left > 0:
            count = min(left, EXCHANGES)
            title = replace(conversation(), title=f"Pogoda, zostało {left}")
            await conversations.restore("local", title, tuple(_messages(count)))
            left -= count


def _messages(count: int) -> Iterator[StoredMessage]:
    for number in range(count):
        parent = f"a{number - 1}" if number else None
        yield said("Jaka będzie jutro pogoda w Łodzi?", number=number, parent=parent)
        yield answered(ANSWER, number=number, parts=weather(number=number))


async def store_texts(folder: Path, texts: Sequence[str]) -> None:
    """Add a conversation for each text: its title, question, answer, and all that a tool says."""
    async with open_database(StorageSettings(), folder) as database:
        conversations = Conversations(database, clock=SystemClock(), new_id=new_id)
        for text in texts:
            told = (said(text), answered(text, parts=weather(text), comment=text))
            await conversations.restore("local", replace(conversation(), title=text), told)


def measure(
    folder: Path, *, formats: Sequence[str] = FORMATS, kept: Path | None = None
) -> Iterator[Measured]:
    """Export everything that stands in ``folder``, format by format, each by a fresh process.

    ``kept`` is where the files stay, as `export.FORMAT`.
    """
    for name in formats:
        with serving(folder, {}) as gateway:
            _export_nothing(gateway.url, name)  # what is loaded once is no part of it
            path = Path(os.devnull) if kept is None else kept / f"export.{name}"
            yield _measure_one(gateway.url, gateway.process.pid, name, path)


def _export_nothing(url: str, name: str) -> None:
    made = requests.post(f"{url}/api/conversations", json={}, timeout=60).json()["id"]
    address = f"{url}/api/conversations/{made}/export"
    requests.get(address, params={"format": name}, timeout=60)


def _measure_one(url: str, pid: int, name: str, path: Path) -> Measured:
    before, worked, began, size = _memory_kb(pid), _work_s(pid), time.monotonic(), 0
    with (
        _watching(url, pid) as seen,
        requests.get(
            f"{url}/api/export", params={"format": name}, stream=True, timeout=_PATIENCE_S
        ) as reply,
        path.open("wb") as file,
    ):
        for piece in reply.iter_content(65_536):
            size += file.write(piece)
    return Measured(
        name=name,
        seconds=time.monotonic() - began,
        work_s=_work_s(pid) - worked,
        sent_mb=size / _MB / _MB,
        grown_mb=max(0, seen.most_kb - before) / _MB,
        slowest_probe_ms=1000 * max(seen.probes, default=0.0),
    )


@contextmanager
def _watching(url: str, pid: int) -> Iterator[_Watch]:
    seen, ended = _Watch(), threading.Event()

    def watch() -> None:
        with requests.Session() as session:
            while not ended.wait(_REST_S):
                began = time.monotonic()
                session.get(f"{url}/livez", timeout=60)
                seen.probes.append(time.monotonic() - began)
                seen.most_kb = max(seen.most_kb, _memory_kb(pid))

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield seen
    finally:
        ended.set()
        thread.join()


def _memory_kb(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(status.partition("VmRSS:")[2].split()[0])


def _work_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Print a table."""
    rows = int(sys.argv[1])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        anyio.run(store_rows, folder, rows)
        sys.stdout.write(
            "| format | rows | s | s of work | MB | memory, MB | slowest probe, ms |\n"
        )
        sys.stdout.write("|---|---|---|---|---|---|---|\n")
        for one in measure(folder):
            figures = (
                f"{one.seconds:.1f} | {one.work_s:.1f} | {one.sent_mb:.1f} | {one.grown_mb:.0f}"
            )
            line = f"| {one.name} | {rows} | {figures} | {one.slowest_probe_ms:.0f} |\n"
            sys.stdout.write(line)
            sys.stdout.flush()


if __name__ == "__main__":
    main()

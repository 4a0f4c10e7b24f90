"""Streams of others that go on while a fault is played, in a process of their own."""

import asyncio
import base64
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles

from scripted.black_box import listen
from scripted.fault_server import FaultServer
from scripted.patience import PATIENCE_S

TESTS = Path(__file__).parents[1]
STREAMS = 4
CALM = "fault=none;tokens=10;pace=10"
REST_S = 0.1
"""Of each reader between two answers."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Waited:
    """One answer: seconds until its first token, ``None`` where it was not whole."""

    began_at: float
    first_s: float | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Calm:
    """What bystanders met in some stretch of time: percentiles in seconds, and answers lost."""

    answers: int
    lost: int
    p50_s: float | None
    p99_s: float | None


@dataclass(kw_only=True, slots=True)
class Bystanders:
    """They have an engine of their own, at ``port``, and read through the gateway once told of it.

    The engine and the readers share a process, so that neither the fault nor who plays it is
    between them: what slows them down is the gateway, or the machine.
    """

    port: int
    process: "subprocess.Popen[str]"
    waits: list[Waited] = field(default_factory=list)

    def begin(self, gateway_port: int, request: bytes) -> None:
        """Read this answer of the gateway, over and over."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{gateway_port} {base64.b64encode(request).decode()}\n")
        self.process.stdin.flush()
        threading.Thread(target=self._gather, daemon=True).start()

    def _gather(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            began, first = line.split()
            first_s = None if first == "-" else float(first)
            self.waits.append(Waited(began_at=float(began), first_s=first_s))

    def between(self, began_at: float, ended_at: float) -> Calm:
        """What they met whose answers began then."""
        mine = [one for one in tuple(self.waits) if began_at <= one.began_at <= ended_at]
        found = sorted(one.first_s for one in mine if one.first_s is not None)
        cuts = quantiles(found, n=100, method="inclusive") if len(found) > 1 else []
        return Calm(
            answers=len(mine),
            lost=len(mine) - len(found),
            p50_s=cuts[49] if cuts else None,
            p99_s=cuts[98] if cuts else None,
        )


@contextmanager
def bystanders() -> Iterator[Bystanders]:
    """Start them; they read until the block is left."""
    process = subprocess.Popen(
        (sys.executable, "-m", "scripted.bystanders"),
        cwd=TESTS,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": f"{TESTS}:{TESTS.parent}"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="ascii",
    )
    try:
        assert process.stdout is not None
        yield Bystanders(port=int(process.stdout.readline()), process=process)
    finally:
        process.kill()
        process.wait()


async def stand_by() -> None:
    """Serve calmly, tell the port, and read what the parent names."""
    async with FaultServer(default=CALM, heeds_requests=False) as server:
        _say(str(server.port))
        line = await asyncio.to_thread(sys.stdin.readline)
        port, _, request = line.partition(" ")
        raw = base64.b64decode(request)
        await asyncio.gather(*(_read_on(server, int(port), raw) for _ in range(STREAMS)))


async def _read_on(server: FaultServer, port: int, request: bytes) -> None:
    while True:
        seen = await listen(port, request, limit_s=PATIENCE_S)
        is_whole = seen.is_whole and seen.looks_complete and seen.first_at is not None
        first = f"{(seen.first_at or 0.0) - seen.began_at:.6f}" if is_whole else "-"
        _say(f"{seen.began_at:.6f} {first}")
        server.exchanges.clear()
        await asyncio.sleep(REST_S)


def _say(line: str) -> None:
    print(line, flush=True)  # noqa: T201 - the parent reads it


if __name__ == "__main__":
    asyncio.run(stand_by())

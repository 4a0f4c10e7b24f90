"""A fault server in a process of its own, which tells what it saw to whoever asks."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.request import urlopen

from scripted.fault_server import Exchange, FaultServer
from scripted.line import Line
from scripted.patience import PATIENCE_S

TESTS = Path(__file__).parents[1]
LOG = b"/log?since="
LONG = 1_000
"""Characters of a request's field that are told."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """One request as the server saw it; times are the machine's monotonic seconds.

    ``fields`` are the request's own beside its messages, as far as they are small; ``text`` is what
    its messages begin with.
    """

    path: str
    seed: int
    began_at: float
    ended_at: float | None
    client_left_at: float | None
    sent_tokens: int
    fields: dict[str, object]
    text: str


class ToldServer(FaultServer):
    """A fault server that answers ``GET /log?since=N``: all requests from the N-th on."""

    async def _answer(self, exchange: Exchange, line: Line) -> None:
        if not exchange.path.startswith(LOG):
            await super()._answer(exchange, line)
            return
        since = int(exchange.path.removeprefix(LOG))
        self.exchanges.remove(exchange)
        told = [asdict(_tell(one)) for one in self.exchanges[since:]]
        await line.reply(200, json.dumps(told).encode())


def _tell(exchange: Exchange) -> Told:
    return Told(
        path=exchange.path.decode("latin-1"),
        seed=exchange.script.seed,
        began_at=exchange.began_at,
        ended_at=exchange.ended_at,
        client_left_at=exchange.client_left_at,
        sent_tokens=exchange.sent_tokens,
        fields=small_fields(exchange.body),
        text=_first_text(exchange.body),
    )


def small_fields(body: bytes) -> dict[str, object]:
    """The fields of a JSON body beside its messages; of long ones the length alone."""
    return {
        key: value if len(str(value)) < LONG else f"{len(str(value))} characters"
        for key, value in _read(body).items()
        if key != "messages"
    }


def _first_text(body: bytes) -> str:
    return json.dumps(_read(body).get("messages"), ensure_ascii=False)[:LONG]


def _read(body: bytes) -> dict[str, object]:
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


@dataclass(frozen=True, kw_only=True, slots=True)
class FaultProcess:
    """A running server at ``port``."""

    port: int
    pid: int

    @property
    def url(self) -> str:
        """The base address, as of a model server."""
        return f"http://127.0.0.1:{self.port}/v1"

    def log(self, since: int = 0) -> list[Told]:
        """Every request from the ``since``-th on."""
        address = f"http://127.0.0.1:{self.port}{LOG.decode()}{since}"
        with urlopen(address, timeout=PATIENCE_S) as reply:
            return [Told(**one) for one in json.load(reply)]


@contextmanager
def fault_process() -> Iterator[FaultProcess]:
    """Serve until the block is left."""
    process = subprocess.Popen(
        (sys.executable, "-m", "scripted.fault_process"),
        cwd=TESTS,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": f"{TESTS}:{TESTS.parent}"},
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    with process:
        assert process.stdout is not None
        try:
            yield FaultProcess(port=int(process.stdout.readline()), pid=process.pid)
        finally:
            process.kill()


async def serve() -> None:
    """Tell the port, and serve for ever."""
    async with ToldServer() as server:
        print(server.port, flush=True)  # noqa: T201 - the parent reads it
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(serve())

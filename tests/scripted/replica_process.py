"""A fault server in a process of its own, so that it can be killed as a model server is."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from scripted.fault_server import FaultServer

TESTS = Path(__file__).parents[1]


@dataclass(frozen=True, kw_only=True, slots=True)
class ReplicaProcess:
    """A server at ``url`` that plays one fault, whatever it is asked."""

    url: str
    process: "subprocess.Popen[str]"

    def kill(self) -> None:
        """End it at once, its connections too."""
        self.process.kill()
        self.process.wait()


@contextmanager
def replica_process(fault: str) -> Iterator[ReplicaProcess]:
    """Serve until the block is left, or until it is killed."""
    process = subprocess.Popen(
        (sys.executable, "-m", "scripted.replica_process", fault),
        cwd=TESTS,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(TESTS.parent)},
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    with process:
        assert process.stdout is not None
        yield ReplicaProcess(url=process.stdout.readline().strip(), process=process)
        process.kill()


async def serve(fault: str) -> None:
    """Tell the address, and serve for ever."""
    async with FaultServer(default=fault, heeds_requests=False) as server:
        print(server.url, flush=True)  # noqa: T201 - the parent reads it
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(serve(sys.argv[1]))

"""A long run by hand: memory, descriptors and threads of the gateway under load and churn."""

import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from evals.bench.gateway import FIRST_MS, GAP_MS, ROUTED, Target, serve
from evals.bench.native import Programs, load, simulator

STREAMS = 32
TOKENS = 8
LEAVERS = 16


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """The gateway's process after ``requests`` requests."""

    requests: int
    resident_mib: float
    descriptors: int
    threads: int


def soak(programs: Programs, folder: Path, *, minutes: float) -> Iterator[Reading]:
    """Load the routed chatbot, with clients that leave in between; a reading each round."""
    end = time.monotonic() + minutes * 60
    count = 0
    with (
        simulator(programs.simulator, first_ms=FIRST_MS, gap_ms=GAP_MS, tokens=TOKENS) as engine,
        serve(folder, engine) as running,
    ):
        target = Target(name=ROUTED, port=running.port, model="zwrotnica")
        while time.monotonic() < end:
            requests = STREAMS * 16
            load(
                programs.load,
                port=target.port,
                body=target.body,
                streams=STREAMS,
                requests=requests,
            )
            _leave(target)
            count += requests + LEAVERS
            yield _read(running.pid, count)


def _leave(target: Target) -> None:
    """Ask and go away before the answer."""
    body = target.body.encode()
    head = f"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n"
    for number in range(LEAVERS):
        with socket.create_connection(("127.0.0.1", target.port)) as client:
            client.sendall(f"{head}Content-Type: application/json\r\n\r\n".encode() + body)
            time.sleep(number * 0.004)


def _read(pid: int, requests: int) -> Reading:
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    fields = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
    return Reading(
        requests=requests,
        resident_mib=int(fields["VmRSS"].split()[0]) / 1024,
        descriptors=len(list(Path(f"/proc/{pid}/fd").iterdir())),
        threads=int(fields["Threads"]),
    )

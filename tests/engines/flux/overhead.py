"""Measures what the image server adds to its pipeline; prints a table for docs/benchmarks.md.

Run as ``PYTHONPATH=.:tests .venv/bin/python tests/engines/flux/overhead.py``. The pipeline's time
is what the server itself measured in the same requests: a busy machine slows both sides alike.
"""

import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import requests
from engines.flux.flux_server import FluxServer, start

ROUNDS: Final = 100
SIDES: Final = (64, 256, 512)


def measure(server: FluxServer, side: int) -> Iterator[tuple[float, float]]:
    """Seconds of each request on a connection that is open, and the pipeline's part of them."""
    with requests.Session() as session:
        for seed in range(ROUNDS):
            before = server.metric("images_picture_seconds_sum")
            body = {"prompt": "a cat", "seed": seed, "size": f"{side}x{side}"}
            began = time.perf_counter()
            reply = session.post(f"{server.api}/images/generations", json=body, timeout=60)
            seconds = time.perf_counter() - began
            reply.raise_for_status()
            yield seconds, server.metric("images_picture_seconds_sum") - before


def rows(server: FluxServer) -> Iterator[str]:
    """The table's lines."""
    yield "| size | over HTTP, ms | of which pipeline, ms | added, ms: median | p95 |"
    yield "|---|---:|---:|---:|---:|"
    for side in SIDES:
        whole, own = zip(*measure(server, side), strict=True)
        added = sorted(1e3 * (one - part) for one, part in zip(whole, own, strict=True))
        yield (
            f"| {side}×{side} | {1e3 * statistics.median(whole):.1f} "
            f"| {1e3 * statistics.median(own):.1f} | {statistics.median(added):.1f} "
            f"| {added[int(0.95 * len(added))]:.1f} |"
        )


def main() -> None:
    """Measure and print."""
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder, start(Path(folder) / "log") as server:
        server.wait()
        ready_s = time.perf_counter() - began
        sys.stdout.writelines(f"{row}\n" for row in rows(server))
    sys.stdout.write(f"from the command to 200 on /readyz: {ready_s:.1f} s\n")


if __name__ == "__main__":
    main()

"""Times the first token of a routed default answer against the engine called directly."""

import json
import random
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, quantiles
from urllib.error import URLError
from urllib.request import urlopen

import click

from evals.bench.native import Programs, Sample, load, simulator

FIRST_MS, GAP_MS, TOKENS = 20.0, 10.0, 64
START_LIMIT_S = 30
STREAMS = (1, 16, 64)
DIRECT, BY_NAME, ROUTED = "direct", "by name", "routed"
ROUTER_PIECES = 5
"""Pieces the simulated router streams until its call can only be of the default function."""
ROUTER_MS = FIRST_MS + (ROUTER_PIECES - 1) * GAP_MS
CONFIGURATION = """\
data_dir = "{folder}"
default_engine = "default"
[page]
enabled = {page}
[router]
engine = "router"
[engines.router]
kind = "vllm"
url = "http://127.0.0.1:{port}/v1"
model = "router"
dialect = "llama3.1"
[engines.default]
kind = "vllm"
url = "http://127.0.0.1:{port}/v1"
model = "default"
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Target:
    """Something to load: a port and the JSON body to send."""

    name: str
    port: int
    model: str

    @property
    def body(self) -> str:
        """A streamed chat request."""
        messages = [{"role": "user", "content": "Ułóż fraszkę o jesieni"}]
        return json.dumps({"model": self.model, "stream": True, "messages": messages})


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """First-token and whole times of one target at one concurrency, in milliseconds."""

    target: str
    streams: int
    requests: int
    failed: int
    first_p50: float
    first_p95: float
    first_p99: float
    total_mean: float


def measure_gateway(programs: Programs, folder: Path, *, rounds: int, seed: int) -> list[Row]:
    """One interleaved run: in every round each target, in random order, at each concurrency."""
    with (
        simulator(programs.simulator, first_ms=FIRST_MS, gap_ms=GAP_MS, tokens=TOKENS) as engine,
        serve(folder, engine) as running,
    ):
        targets = (
            Target(name=DIRECT, port=engine, model="default"),
            Target(name=BY_NAME, port=running.port, model="default"),
            Target(name=ROUTED, port=running.port, model="zwrotnica"),
        )
        samples = _interleave(programs, targets, rounds=rounds, seed=seed)
    return [_row(name, streams, taken) for (name, streams), taken in samples.items()]


def _interleave(
    programs: Programs, targets: Sequence[Target], *, rounds: int, seed: int
) -> dict[tuple[str, int], list[Sample]]:
    order = random.Random(seed)  # noqa: S311 (the order of measurements, not a secret)
    samples: dict[tuple[str, int], list[Sample]] = {
        (target.name, streams): [] for streams in STREAMS for target in targets
    }
    with click.progressbar(length=rounds * len(samples), label="gateway") as bar:
        for _ in range(rounds):
            for streams in STREAMS:
                for target in order.sample(targets, len(targets)):
                    samples[target.name, streams] += load(
                        programs.load,
                        port=target.port,
                        body=target.body,
                        streams=streams,
                        requests=max(4, 2 * streams),
                    )
                    bar.update(1)
    return samples


@dataclass(frozen=True, kw_only=True, slots=True)
class Running:
    """A gateway that is ready."""

    port: int
    pid: int


@contextmanager
def serve(folder: Path, engine_port: int, *, has_page: bool = False) -> Iterator[Running]:
    """Run ``zwrotnica serve`` with the simulator as both engines, until the block ends."""
    folder.mkdir(parents=True, exist_ok=True)
    config = folder / "zwrotnica.toml"
    page = str(has_page).lower()
    values = {"folder": folder, "port": engine_port, "page": page}
    config.write_text(CONFIGURATION.format(**values), encoding="utf-8")
    port = _free_port()
    command = Path(sys.executable).with_name("zwrotnica")
    with (
        (folder / "gateway.log").open("w", encoding="utf-8") as log,
        subprocess.Popen(  # noqa: S603 (our own program)
            [command, "--config", str(config), "serve", "--port", str(port)],
            stdout=log,
            stderr=log,
        ) as process,
    ):
        try:
            _wait_until_ready(process, port, folder / "gateway.log")
            yield Running(port=port, pid=process.pid)
        finally:
            process.terminate()


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def _wait_until_ready(process: "subprocess.Popen[bytes]", port: int, log: Path) -> None:
    end = time.monotonic() + START_LIMIT_S
    while time.monotonic() < end and process.poll() is None:
        try:
            with urlopen(f"http://127.0.0.1:{port}/readyz", timeout=1):
                return
        except (URLError, OSError):
            time.sleep(0.1)
    raise click.ClickException(f"the gateway did not start; see {log}")


def _row(name: str, streams: int, samples: Sequence[Sample]) -> Row:
    whole = [sample for sample in samples if sample.is_done]
    cuts = quantiles([sample.first_ms for sample in whole], n=100, method="inclusive")
    return Row(
        target=name,
        streams=streams,
        requests=len(samples),
        failed=len(samples) - len(whole),
        first_p50=cuts[49],
        first_p95=cuts[94],
        first_p99=cuts[98],
        total_mean=fmean(sample.total_ms for sample in whole),
    )

"""Starts Zwrotnica itself before the engine simulator."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from subprocess import Popen
from typing import Final
from urllib.error import URLError
from urllib.request import urlopen

import click

from evals.bench.gateway.running import START_LIMIT_S, free_port, run_program
from evals.bench.gateway.targets import NO_LEDGER, PASS_THROUGH, ROUTED, Target
from evals.bench.native import Pace

ROUTER_PIECES: Final = 5
"""Pieces the simulated router streams until its call can only be of the default function."""
_CODE: Final = Path(__file__).parents[3]
"""Where this code stands, so that the same is measured."""
KEY: Final = f"zw_{'0' * 16}_{'0' * 48}"
"""What opens a gateway that is measured with the check of keys; it ends with the measurement."""
_CONFIGURATION: Final = """\
data_dir = "{folder}"
default_engine = "default"
[page]
enabled = {page}
[router]
engine = "router"
[engines.router]
kind = "vllm"
url = "{url}"
model = "router"
dialect = "llama3.1"
max_connections = 1024
[engines.default]
kind = "vllm"
url = "{url}"
model = "default"
max_connections = 1024
[billing]
enabled = {ledger}
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Running:
    """A gateway that is ready."""

    port: int
    pid: int
    key: str | None = None
    has_ledger: bool = True

    def list_targets(self, pace: Pace) -> tuple[Target, Target]:
        """The engine by its name and the routed chatbot, before a simulator of that pace."""
        url, said = f"http://127.0.0.1:{self.port}/v1", version("zwrotnica")
        rest = "" if self.has_ledger else NO_LEDGER
        return (
            Target(name=PASS_THROUGH + rest, url=url, key=self.key, pid=self.pid, version=said),
            Target(
                name=ROUTED + rest,
                url=url,
                model="zwrotnica",
                key=self.key,
                pid=self.pid,
                own_ms=pace.first_ms + (ROUTER_PIECES - 1) * pace.gap_ms,
                version=said,
            ),
        )


@contextmanager
def serve(
    folder: Path,
    engine_url: str,
    *,
    has_page: bool = False,
    has_ledger: bool = True,
    key: str | None = None,
    cores: frozenset[int] | None = None,
) -> Iterator[Running]:
    """Run ``zwrotnica serve`` with the simulator as both engines, until the block ends.

    With a ``key`` nobody is served without it.

    Raises:
        click.ClickException: it does not start.
    """
    folder.mkdir(parents=True, exist_ok=True)
    config, log, port = folder / "zwrotnica.toml", folder / "gateway.log", free_port()
    values = {
        "folder": folder,
        "url": engine_url,
        "page": str(has_page).lower(),
        "ledger": str(has_ledger).lower(),
    }
    config.write_text(_CONFIGURATION.format(**values), encoding="utf-8")
    program = Path(sys.executable).with_name("zwrotnica")
    command = [str(program), "--config", str(config), "serve", "--port", str(port)]
    variables = {"PYTHONPATH": str(_CODE)}
    if key is not None:
        variables["ZWROTNICA_AUTH__BOOTSTRAP_KEY"] = key
    with run_program(command, log=log, cores=cores, environment=variables) as process:
        _wait_until_ready(process, port, log)
        yield Running(port=port, pid=process.pid, key=key, has_ledger=has_ledger)


def _wait_until_ready(process: "Popen[bytes]", port: int, log: Path) -> None:
    end = time.monotonic() + START_LIMIT_S
    while time.monotonic() < end and process.poll() is None:
        try:
            with urlopen(f"http://127.0.0.1:{port}/readyz", timeout=1):
                return
        except (URLError, OSError):
            time.sleep(0.1)
    raise click.ClickException(f"the gateway did not start; see {log}")

"""Starts a gateway on its core, waits until it answers, and ends it."""

import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import click

from evals.bench.cores import run_on
from evals.bench.gateway.targets import Target
from serving.processes import LAUNCH
from serving.settings import plain_environment

START_LIMIT_S: Final = 120.0
_END_S: Final = 10.0
_DONE: Final = b"[DONE]"


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


@contextmanager
def run_program(
    command: Sequence[str],
    *,
    log: Path,
    cores: frozenset[int] | None,
    environment: Mapping[str, str] | None = None,
) -> Iterator["subprocess.Popen[bytes]"]:
    """Run ``command`` on ``cores``, its output in ``log``, until the block or this process ends.

    Raises:
        click.ClickException: there is no such program.
    """
    program = shutil.which(command[0])
    if program is None:
        raise click.ClickException(
            f"{command[0]!r} is not installed: install it, or name it by --with NAME=COMMAND"
        )
    with log.open("wb") as output, run_on(cores):
        process = subprocess.Popen(  # noqa: S603 (no shell: what the caller asked for)
            [*LAUNCH, str(os.getpid()), program, *command[1:]],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env={**plain_environment(), **(environment or {})},
        )
    with process:
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(_END_S)
            except subprocess.TimeoutExpired:
                process.kill()


def wait_for_answer(target: Target, process: "subprocess.Popen[bytes] | None", log: str) -> None:
    """Ask ``target`` until it streams a whole answer of one token.

    Raises:
        click.ClickException: it ended, or did not within `START_LIMIT_S`; ``log`` is where to look.
    """
    end, said = time.monotonic() + START_LIMIT_S, "no answer"
    while time.monotonic() < end and (process is None or process.poll() is None):
        try:
            if _DONE in _ask(target):
                return
            said = "an answer without [DONE]"
        except HTTPError as error:
            said = f"HTTP {error.code}"
        except (URLError, OSError, ValueError) as error:
            said = str(error)
        if process is None:
            break
        time.sleep(0.2)
    raise click.ClickException(f"{target.name!r} at {target.url} does not answer ({said}): {log}")


def _ask(target: Target) -> bytes:
    headers = {"Content-Type": "application/json"}
    if target.key is not None:
        headers["Authorization"] = f"Bearer {target.key}"
    request = Request(  # noqa: S310 (http alone, see Target.endpoint)
        f"{target.url}/chat/completions", data=target.body(1).encode(), headers=headers
    )
    with urlopen(request, timeout=10) as reply:  # noqa: S310 (as above)
        return bytes(reply.read(1 << 20))


def read_version(command: Sequence[str]) -> str | None:
    """The last line that ``command`` prints, where it ends well."""
    program = shutil.which(command[0])
    if program is None:
        return None
    try:
        done = subprocess.run(  # noqa: S603 (no shell: what the caller asked for)
            [program, *command[1:]],
            capture_output=True,
            text=True,
            timeout=START_LIMIT_S,
            check=True,
            env=plain_environment(),
        )
    except (OSError, subprocess.SubprocessError):
        return None
    lines = (done.stdout + done.stderr).strip().splitlines()
    return lines[-1].strip() if lines else None


def write_json(path: Path, value: object) -> None:
    """Write a configuration, which is YAML too."""
    path.write_text(json.dumps(value, indent=2) + "\n", encoding="utf-8")

"""Starts our image server on a FLUX pipeline of tiny random parts, as an operator would."""

import hashlib
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import requests
from engines.environment import PYTHON, QUIET, ROOT
from scripted.ports import free_port

START_S: Final = 180.0
STOP_S: Final = 20.0
_CACHE: Final = ROOT / ".cache" / "flux"
_RECIPE: Final = ROOT / "tests" / "engines" / "checkpoints" / "make_flux.py"


def tiny_flux() -> Path:
    """The pipeline's folder: made in ten seconds, 0.6 MB, again when its recipe changes."""
    folder = _CACHE / hashlib.sha256(_RECIPE.read_bytes()).hexdigest()[:16]
    if not folder.exists():
        shutil.rmtree(_CACHE, ignore_errors=True)
        unfinished = folder.with_suffix(".unfinished")
        subprocess.run(
            [str(PYTHON), str(_RECIPE), str(unfinished)],
            check=True,
            env=os.environ | QUIET,
            capture_output=True,
        )
        unfinished.rename(folder)
    return folder


@dataclass(frozen=True, kw_only=True, slots=True)
class FluxServer:
    """A server that has been told to start, and is ready after `wait`."""

    url: str
    process: "subprocess.Popen[bytes]"
    log: Path

    @property
    def api(self) -> str:
        """The base address as OpenAI clients want it."""
        return f"{self.url}/v1"

    def wait(self) -> "FluxServer":
        """Wait until it is warm.

        Raises:
            RuntimeError: it ended, or did not get ready in `START_S`; with the end of its log.
        """
        deadline = time.monotonic() + START_S
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                if requests.get(f"{self.url}/readyz", timeout=2).ok:
                    return self
            except requests.RequestException:
                pass
            time.sleep(0.1)
        raise RuntimeError(
            f"no image server (exit {self.process.poll()}):\n{self.logged()[-4000:]}"
        )

    def logged(self) -> str:
        """All that it has written."""
        return self.log.read_text(encoding="utf-8", errors="replace")

    def metric(self, name: str) -> float:
        """A figure of its own, the sum over its labels."""
        text = requests.get(f"{self.url}/metrics", timeout=10).text
        found = re.findall(rf"^zwrotnica_{name}(?:\{{[^}}]*\}})? (\S+)$", text, re.MULTILINE)
        return sum(map(float, found))

    def stop(self) -> int:
        """Ask it to end, as process managers do; gives its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=STOP_S)


@contextmanager
def start(log: Path, **settings: object) -> Iterator[FluxServer]:
    """Tell a server with these ``settings`` of `images.server` to start; it ends with the block."""
    port = free_port()
    own = {"default_size": "64x64", "port": port, "model": tiny_flux(), **settings}
    environ = {f"ZWROTNICA_IMAGES__SERVER__{name.upper()}": str(own[name]) for name in own}
    with log.open("wb") as output:
        process = subprocess.Popen(
            [str(PYTHON), "-m", "serving.images", "serve"],
            stdout=output,
            stderr=subprocess.STDOUT,
            env=os.environ | QUIET | environ,
        )
    try:
        yield FluxServer(url=f"http://127.0.0.1:{port}", process=process, log=log)
    finally:
        process.terminate()
        try:
            process.wait(timeout=STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

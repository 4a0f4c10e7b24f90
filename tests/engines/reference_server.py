"""Starts our reference server on a checkpoint, as an operator would."""

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import requests
from engines.vllm_server import MODEL, PYTHON, ROOT, Vllm, free_port

START_S = 120.0
STOP_S = 20.0
QUIET = {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}


@dataclass(frozen=True, kw_only=True, slots=True)
class ReferenceServer(Vllm):
    """A running server; it tells its tokens as vLLM does, its figures by names of its own."""

    process: "subprocess.Popen[bytes]"
    log: Path

    def running(self) -> int:
        """Requests in the batch that have not ended."""
        return int(self.metric("zwrotnica_reference_running"))

    def generated(self) -> int:
        """Tokens generated for somebody since the start."""
        return int(self.metric("zwrotnica_reference_generated_tokens_total"))

    def wait(self) -> "ReferenceServer":
        """Wait until it has generated a token.

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
            f"no reference server (exit {self.process.poll()}):\n{self.logged()[-4000:]}"
        )

    def logged(self) -> str:
        """All that it has written."""
        return self.log.read_text(encoding="utf-8", errors="replace")


@contextmanager
def start(checkpoint: Path, log: Path, *flags: str) -> Iterator[ReferenceServer]:
    """Tell a server to start on ``checkpoint``; it ends with the block."""
    port = free_port()
    command = [
        *(str(PYTHON), "-m", "serving.reference", "--model", str(checkpoint)),
        *("--served-model-name", MODEL, "--port", str(port), *flags),
    ]
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, stdout=output, stderr=subprocess.STDOUT, env=os.environ | QUIET
        )
    try:
        yield ReferenceServer(url=f"http://127.0.0.1:{port}", process=process, log=log)
    finally:
        process.terminate()
        try:
            process.wait(timeout=STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

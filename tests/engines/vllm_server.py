"""Starts a real vLLM on the loopback address, and asks it what clients cannot see."""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import anyio
import requests
from anyio import to_thread

ROOT: Final = Path(__file__).parents[2]
PYTHON: Final = ROOT / ".venv-engines" / "bin" / "python"
MODEL: Final = "llama"
START_S: Final = 300.0
PARSER_ON: Final = ("--enable-auto-tool-choice", "--tool-call-parser", "llama3_json")
SMALL_STEPS: Final = ("--max-num-batched-tokens", "128")  # an abort waits for the step to end
QUIET: Final = {
    "HF_HUB_OFFLINE": "1",
    "VLLM_NO_USAGE_STATS": "1",
    "VLLM_CPU_KVCACHE_SPACE": "1",
    "TORCHDYNAMO_DISABLE": "1",
    "OMP_NUM_THREADS": "1",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Vllm:
    """A running server; ``url`` is its base address without ``/v1``."""

    url: str

    @property
    def api(self) -> str:
        """The base address as OpenAI clients want it."""
        return f"{self.url}/v1"

    def metric(self, name: str) -> float:
        """The sum of a metric's samples at this moment."""
        text = requests.get(f"{self.url}/metrics", timeout=10).text
        lines = (line for line in text.splitlines() if line.startswith((f"{name}{{", f"{name} ")))
        return sum(float(line.rpartition(" ")[2]) for line in lines)

    def running(self) -> int:
        """Requests that the engine is working on."""
        return int(self.metric("vllm:num_requests_running"))

    def generated(self) -> int:
        """Tokens generated since the start, by the engine's own counter."""
        return int(self.metric("vllm:generation_tokens_total"))

    def tokens(self, text: str) -> list[int]:
        """The ids of ``text`` as the engine reads it, where it stands for itself."""
        return self._tokenize({"prompt": text, "add_special_tokens": False})

    def chat_tokens(self, text: str) -> list[int]:
        """The ids of a chat whose only message is ``text``, template and all."""
        return self._tokenize({"messages": [{"role": "user", "content": text}]})

    def _tokenize(self, body: dict[str, object]) -> list[int]:
        reply = requests.post(f"{self.url}/tokenize", json={"model": MODEL, **body}, timeout=10)
        reply.raise_for_status()
        return [int(token) for token in reply.json()["tokens"]]


def is_installed() -> bool:
    """Whether ``install.sh`` has come to its end."""
    return any(PYTHON.parents[1].glob(".installed-*"))


async def is_idle(vllm: Vllm, within_s: float) -> bool:
    """Whether the engine works on no request any more within the time."""
    return await _reaches(vllm, range(1), within_s)


async def is_busy(vllm: Vllm, within_s: float) -> bool:
    """Whether the engine works on some request within the time."""
    return await _reaches(vllm, range(1, 1000), within_s)


async def _reaches(vllm: Vllm, wanted: range, within_s: float) -> bool:
    """Whether the number of running requests, asked every 20 ms, is a ``wanted`` one."""
    deadline = time.monotonic() + within_s
    while await to_thread.run_sync(vllm.running) not in wanted:
        if time.monotonic() > deadline:
            return False
        await anyio.sleep(0.02)
    return True


@dataclass(frozen=True, kw_only=True, slots=True)
class Starting:
    """A server that has been told to start and will be ready later."""

    vllm: Vllm
    process: "subprocess.Popen[bytes]"
    log: Path

    def wait(self) -> Vllm:
        """Wait until it answers.

        Raises:
            RuntimeError: it ended, or did not get ready in `START_S`; with the end of its log.
        """
        deadline = time.monotonic() + START_S
        while time.monotonic() < deadline and self.process.poll() is None:
            if _is_healthy(self.vllm.url):
                return self.vllm
            time.sleep(0.5)
        tail = self.log.read_text(encoding="utf-8", errors="replace")[-4000:]
        raise RuntimeError(f"vLLM did not start (exit {self.process.poll()}):\n{tail}")


@contextmanager
def start(checkpoint: Path, log: Path, flags: Sequence[str] = ()) -> Iterator[Starting]:
    """Tell a server to start on ``checkpoint``; it ends with the context."""
    port = free_port()
    command = [
        *(str(PYTHON), "-m", "vllm.entrypoints.openai.api_server"),
        *("--model", str(checkpoint), "--served-model-name", MODEL),
        *("--host", "127.0.0.1", "--port", str(port)),
        *("--max-model-len", "4096", "--max-num-seqs", "8", "--dtype", "float32"),
        *("--enforce-eager", "--scheduling-policy", "priority", "--generation-config", "vllm"),
        *flags,
    ]
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=os.environ | QUIET,
            start_new_session=True,
        )
    try:
        yield Starting(vllm=Vllm(url=f"http://127.0.0.1:{port}"), process=process, log=log)
    finally:
        _stop(process)


def _stop(process: "subprocess.Popen[bytes]") -> None:
    process.terminate()
    try:
        process.wait(timeout=15)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _is_healthy(url: str) -> bool:
    try:
        return requests.get(f"{url}/health", timeout=2).ok
    except requests.RequestException:
        return False


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])

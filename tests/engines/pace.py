"""How fast a server generates: the time of a token, measured several times."""

import time
from dataclasses import dataclass
from statistics import median
from typing import Final

from engines.model_server import ModelServer

RUNS: Final = 5
TOKENS: Final = 60


@dataclass(frozen=True, kw_only=True, slots=True)
class Pace:
    """Milliseconds a token in each of some runs; whatever else the machine does slows them."""

    runs_ms: tuple[float, ...]

    @property
    def ms(self) -> float:
        """The median."""
        return median(self.runs_ms)

    def __str__(self) -> str:
        runs = " ".join(f"{run:.1f}" for run in sorted(self.runs_ms))
        return f"{self.ms:.1f} ms a token (runs of {TOKENS} tokens: {runs})"


def measure_pace(vllm: ModelServer, prompt: str) -> Pace:
    """The pace of answers to ``prompt``, from the first token to the last."""
    return Pace(runs_ms=tuple(_run_ms(vllm, prompt) for _ in range(RUNS)))


def _run_ms(vllm: ModelServer, prompt: str) -> float:
    body = {
        "messages": [{"role": "user", "content": prompt}],
        "temperature": 0,
        "max_tokens": TOKENS,
        "ignore_eos": True,
        "stream": True,
    }
    with vllm.post("/v1/chat/completions", body, is_streamed=True) as reply:
        times = [time.monotonic() for line in reply.iter_lines() if line.startswith(b"data: {")]
    return (times[-1] - times[1]) / (TOKENS - 1) * 1000  # the first chunk is the role alone

"""What requests to engines take and how they end; once per request, never per token."""

import time
from types import TracebackType
from typing import Final, Self

from chatbot.errors import ZwrotnicaError
from chatbot.types import Usage
from serving.telemetry.metrics import Metrics
from serving.telemetry.request_times import current_times

FINISHED: Final = "finished"
LEFT: Final = "left"
FAILED: Final = "failed"


class EngineCall:
    """One request to an engine, from its sending to its end: a context manager.

    Its outcome is ``finished``, ``left`` (we, or the client, wanted no more), or an error's code.
    """

    def __init__(self, engine: str, metrics: Metrics | None) -> None:
        """Nothing is asked before the block is entered."""
        self.is_finished = False
        self.usage: Usage | None = None
        self._engine = engine
        self._metrics = metrics
        self._times = current_times()
        self._began = 0.0

    def __enter__(self) -> Self:
        """The engine is asked now."""
        self._began = time.monotonic()
        if self._times is not None:
            self._times.ask()
        if self._metrics is not None:
            self._metrics.engine_running.labels(self._engine).inc()
        return self

    def hear(self) -> None:
        """The first token has come."""
        if self._times is not None:
            self._times.hear(self._engine)
        if self._metrics is not None:
            seconds = time.monotonic() - self._began
            self._metrics.first_token_seconds.labels(self._engine).observe(seconds)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """The engine is asked no longer."""
        if self._times is not None:
            self._times.leave(self.usage)
        if self._metrics is not None:
            seconds = time.monotonic() - self._began
            self._metrics.engine_running.labels(self._engine).dec()
            outcome = self._outcome(error)
            self._metrics.engine_seconds.labels(self._engine, outcome).observe(seconds)

    def _outcome(self, error: BaseException | None) -> str:
        if isinstance(error, ZwrotnicaError):
            return error.code.value
        if isinstance(error, Exception):
            return FAILED
        return FINISHED if self.is_finished else LEFT


class EngineWatch:
    """Sees what engines are asked; without metrics it counts for the request alone."""

    def __init__(self, metrics: Metrics | None = None) -> None:
        """``metrics`` get every figure."""
        self._metrics = metrics

    def call(self, engine: str) -> EngineCall:
        """One request to the engine of this name; enter it when the request is sent."""
        return EngineCall(engine, self._metrics)

    def know(self, engine: str) -> None:
        """There is a server of this engine, and its breaker is closed."""
        self._move_breakers(engine, 0)

    def turn_breaker(self, engine: str, is_open: bool) -> None:
        """A server of the engine is left alone from now on, or has answered again."""
        self._move_breakers(engine, 1 if is_open else -1)

    def _move_breakers(self, engine: str, step: int) -> None:
        if self._metrics is not None:
            self._metrics.open_breakers.labels(engine).inc(step)

"""What requests to engines take and how they end; once per request, never per token."""

import time
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from types import TracebackType
from typing import Final, Literal, Self
from urllib.parse import urlsplit

from chatbot.errors import ZwrotnicaError
from chatbot.types import Usage
from serving.telemetry.metrics import Metrics
from serving.telemetry.request_times import current_times
from serving.telemetry.tracing import NO_SPAN, Facts, Span, code_of, current_span, working_on

FINISHED: Final = "finished"
LEFT: Final = "left"
FAILED: Final = "failed"


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """What an engine is asked for and where, for its span.

    ``provider`` is the server's kind, ``parameters`` those of the request that are numbers.
    """

    operation: Literal["chat", "generate_content"]
    provider: str
    url: str
    model: str | None = None
    parameters: Mapping[str, object] = field(default_factory=dict)

    def facts(self, engine: str) -> Facts:
        """By the semantic conventions for generative AI; of the address host and port alone."""
        place = urlsplit(self.url)
        numbers = {
            f"gen_ai.request.{name}": value
            for name in _PARAMETERS
            if isinstance(value := self.parameters.get(name), int | float)
        }
        return {
            "gen_ai.operation.name": self.operation,
            "gen_ai.provider.name": self.provider,
            "gen_ai.request.model": self.model or engine,
            "server.address": place.hostname,
            "server.port": place.port or _PORTS.get(place.scheme),
            "zwrotnica.engine": engine,
            **numbers,
        }


_PARAMETERS: Final = ("max_tokens", "temperature", "top_p", "seed")
_PORTS: Final = {"http": 80, "https": 443}


class EngineCall:
    """One request to an engine, from its sending to its end: a context manager.

    Its outcome is ``finished``, ``left`` (we, or the client, wanted no more), or an error's code.
    """

    def __init__(self, engine: str, metrics: Metrics | None, asked: Asked | None = None) -> None:
        """Nothing is asked before the block is entered."""
        self._asked = asked
        self._span: Span = NO_SPAN
        self.is_finished = False
        self.usage: Usage | None = None
        self.received = 0
        self._engine = engine
        self._metrics = metrics
        self._times = current_times()
        self._began = 0.0

    def __enter__(self) -> Self:
        """The engine is asked now."""
        self._began = time.monotonic()
        if (parent := current_span()) is not NO_SPAN and self._asked is not None:
            facts = self._asked.facts(self._engine)
            name = f"{self._asked.operation} {facts['gen_ai.request.model']}"
            self._span = parent.begin(name, kind="client", facts=facts)
        if self._times is not None:
            self._times.ask()
        if self._metrics is not None:
            self._metrics.engine_running.labels(self._engine).inc()
        return self

    def sending(self) -> AbstractContextManager[None]:
        """Within the block what is sent belongs to this call; nothing may be yielded inside."""
        return working_on(self._span)

    def hear(self) -> None:
        """The first token has come."""
        self._span.note("first_token")
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
        self._end_span(error)
        if self._times is not None:
            self._times.leave(self.usage, received=self.received)
        if self._metrics is not None:
            seconds = time.monotonic() - self._began
            self._metrics.engine_running.labels(self._engine).dec()
            outcome = self._outcome(error)
            self._metrics.engine_seconds.labels(self._engine, outcome).observe(seconds)

    def _end_span(self, error: BaseException | None) -> None:
        if self._span is NO_SPAN:
            return
        facts: dict[str, str | int] = {"zwrotnica.outcome": self._outcome(error)}
        if self.usage is not None:
            facts["gen_ai.usage.input_tokens"] = self.usage.prompt_tokens
            facts["gen_ai.usage.output_tokens"] = self.usage.completion_tokens
        self._span.tell(facts)
        if isinstance(error, Exception):
            self._span.fail(code_of(error))
        self._span.end()

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

    def call(self, engine: str, asked: Asked | None = None) -> EngineCall:
        """One request to the engine of this name; enter it when the request is sent.

        ``asked`` is what its span tells; without it there is none.
        """
        return EngineCall(engine, self._metrics, asked)

    def know(self, engine: str) -> None:
        """There is a server of this engine, and its breaker is closed."""
        self._move_breakers(engine, 0)

    def turn_breaker(self, engine: str, is_open: bool) -> None:
        """A server of the engine is left alone from now on, or has answered again."""
        self._move_breakers(engine, 1 if is_open else -1)

    def _move_breakers(self, engine: str, step: int) -> None:
        if self._metrics is not None:
            self._metrics.open_breakers.labels(engine).inc(step)

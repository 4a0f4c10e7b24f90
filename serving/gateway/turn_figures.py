"""What the metrics learn of one turn, whichever API it is played for."""

import time
from collections.abc import Iterable
from typing import Final

from chatbot.events import Event, ImageEvent, RouteEvent, TextEvent, ToolCallEvent, ToolResultEvent
from chatbot.types import Leg
from serving.telemetry import Metrics, RequestTimes, current_span, current_times

_MS: Final = 1000
BY_NAME: Final = "by_name"
NO_ENGINE: Final = "none"
"""What stands for the engine where a tool's own words are shown."""


class TurnFigures:
    """Watches a turn from the moment of its request; times are milliseconds since then."""

    def __init__(self, metrics: Metrics, *, engine: str) -> None:
        """The request begins now; ``engine`` is the one that answers where no tool does."""
        self._metrics = metrics
        self._engine = engine
        self._began = time.monotonic()
        self._path = ""
        self._tools: dict[str, str] = {}
        self.first_text_ms: int | None = None

    @property
    def total_ms(self) -> int:
        """Milliseconds until now."""
        return round((time.monotonic() - self._began) * _MS)

    def observe(self, event: Event) -> None:
        """Count what ``event`` tells."""
        match event:
            case RouteEvent():
                self._count_route(event)
            case ToolCallEvent():
                self._tools[event.call_id] = event.tool
            case ToolResultEvent():
                tool = self._tools.pop(event.call_id, NO_ENGINE)
                self._metrics.tool_seconds.labels(tool, event.status).observe(event.ms / _MS)
            case TextEvent(channel="answer") | ImageEvent() if self.first_text_ms is None:
                self._count_first_text()
            case _:
                pass

    def _count_route(self, event: RouteEvent) -> None:
        self._path = event.decision
        self._metrics.routes.labels(event.decision, event.reason).inc()
        self._metrics.verdict_seconds.labels(event.decision).observe(event.verdict_ms / _MS)
        if event.verified is not None:
            agrees = "yes" if event.verified else "no"
            self._metrics.verifications.labels(agrees).inc()
        if event.doubt is not None:
            self._metrics.second_looks.labels(event.doubt).inc()

    def _count_first_text(self) -> None:
        seconds = time.monotonic() - self._began
        self.first_text_ms = round(seconds * _MS)
        current_span().note("first_text", {"zwrotnica.path": self._path})
        is_tool = self._path == "tool"
        engine = NO_ENGINE if is_tool else self._engine
        self._metrics.first_text_seconds.labels(self._path, engine).observe(seconds)
        times = current_times()
        if times is not None and not is_tool:
            self._metrics.gateway_seconds.labels(self._path).observe(times.own_s())

    def count(self, legs: Iterable[Leg], *, is_abandoned: bool = False) -> None:
        """Count the tokens of a turn that has ended, and whether nobody waited for its end."""
        if is_abandoned:
            self._metrics.abandoned.inc()
        for leg in legs:
            self._metrics.count_tokens(
                leg.engine, leg.role, prompt=leg.prompt_tokens, completion=leg.completion_tokens
            )


def count_forwarded(metrics: Metrics, times: RequestTimes | None) -> None:
    """Count a request that went to an engine by its name, as far as that engine answered."""
    if times is None or times.engine is None:
        return
    if times.first_token_s is not None and times.gateway_s is not None:
        labels = (BY_NAME, times.engine)
        metrics.first_text_seconds.labels(*labels).observe(times.first_token_s)
        metrics.gateway_seconds.labels(BY_NAME).observe(times.gateway_s)
    if times.usage is not None:
        usage = times.usage
        metrics.count_tokens(
            times.engine, "answer", prompt=usage.prompt_tokens, completion=usage.completion_tokens
        )

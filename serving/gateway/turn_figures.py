"""What the metrics learn of one turn, whichever API it is played for."""

import time
from collections.abc import Iterable
from typing import Final

from chatbot.events import Event, ImageEvent, RouteEvent, TextEvent
from chatbot.types import Leg
from serving.telemetry import Metrics

_MS: Final = 1000


class TurnFigures:
    """Watches a turn from the moment of its request; times are milliseconds since then."""

    def __init__(self, metrics: Metrics) -> None:
        """The request begins now."""
        self._metrics = metrics
        self._began = time.monotonic()
        self.first_text_ms: int | None = None

    @property
    def total_ms(self) -> int:
        """Milliseconds until now."""
        return round((time.monotonic() - self._began) * _MS)

    def observe(self, event: Event) -> None:
        """Count what ``event`` tells."""
        match event:
            case RouteEvent():
                self._metrics.routes.labels(event.decision, event.reason).inc()
                self._metrics.verdict_seconds.observe(event.verdict_ms / _MS)
                if event.verified is not None:
                    agrees = "yes" if event.verified else "no"
                    self._metrics.verifications.labels(agrees).inc()
                if event.doubt is not None:
                    self._metrics.second_looks.labels(event.doubt).inc()
            case TextEvent(channel="answer") | ImageEvent() if self.first_text_ms is None:
                seconds = time.monotonic() - self._began
                self.first_text_ms = round(seconds * _MS)
                self._metrics.first_text_seconds.observe(seconds)
            case _:
                pass

    def count(self, legs: Iterable[Leg], *, is_abandoned: bool = False) -> None:
        """Count the tokens of a turn that has ended, and whether nobody waited for its end."""
        if is_abandoned:
            self._metrics.abandoned.inc()
        for leg in legs:
            self._metrics.tokens.labels(leg.engine, leg.role, "prompt").inc(leg.prompt_tokens)
            self._metrics.tokens.labels(leg.engine, leg.role, "completion").inc(
                leg.completion_tokens
            )

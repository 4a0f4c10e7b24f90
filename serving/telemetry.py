"""Logs and metrics of a process: events with fields, figures for Prometheus, never user text."""

import logging
import sys
from collections.abc import Mapping, Sequence
from typing import Final

import structlog
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from serving.settings import LogSettings

METRICS_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
_SECONDS: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
_NOISY: Final = (
    "alembic",
    "sqlalchemy",  # would log rows with people's words
    "aiosqlite",  # and so would this
    "httpx",
    "httpx2",
    "httpcore2",
    "openai",
    "aiohttp",
    "asyncio",
    "urllib3",
    "uvicorn",
)
_CUT: Final = "ASGI callable returned without completing response."
"""What uvicorn says of a reply that was cut on purpose; whoever cut it has told why."""


def configure_logging(settings: LogSettings) -> None:
    """Write the logs of this process, those of libraries too, as one kind of line on stderr."""
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *_shared(),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_formatter(settings))
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(settings.level.upper())
    for name in _NOISY:
        logging.getLogger(name).setLevel(logging.WARNING)
    logging.getLogger("uvicorn.error").addFilter(_is_news)


def _is_news(record: logging.LogRecord) -> bool:
    return record.msg != _CUT


def _shared() -> list[structlog.types.Processor]:
    """What every line gets, whoever logs it."""
    return [
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.stdlib.ExtraAdder(),
    ]


def _formatter(settings: LogSettings) -> logging.Formatter:
    render: structlog.types.Processor = (
        structlog.processors.JSONRenderer(ensure_ascii=False)
        if settings.format == "json"
        else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    )
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=_shared(),
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.format_exc_info,
            _make_printable,
            render,
        ],
    )


def _make_printable(
    _logger: object, _method: str, event: structlog.types.EventDict
) -> structlog.types.EventDict:
    """One line an event, whatever it quotes; only a traceback keeps its lines.

    Control characters would move a terminal's cursor, line ends would forge events.
    """
    return {
        name: _printable(value, kept="\n" if name == "exception" else "")
        for name, value in event.items()
    }


def _printable(value: object, *, kept: str = "") -> object:
    """``value`` with a visible escape in place of each character that has no shape."""
    match value:
        case str():
            return "".join(
                char if char.isprintable() or char in kept else _escape(char) for char in value
            )
        case Mapping():
            return {_printable(key): _printable(item) for key, item in value.items()}
        case Sequence() if not isinstance(value, bytes | bytearray):
            return [_printable(item) for item in value]
        case _:
            return value


def _escape(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")


class HttpMetrics:
    """The figures that every HTTP process has, in a registry of its own."""

    def __init__(self) -> None:
        """Every figure starts at zero."""
        self.registry = CollectorRegistry()
        self.requests = self._count("http_requests", "Requests answered.", "route", "status")
        self.request_seconds = self._time(
            "http_request_seconds", "From a request's headers to the end of its answer.", "route"
        )
        self.errors = self._count("errors", "Errors given to clients.", "code")
        self.abandoned = self._count("abandoned_requests", "Requests whose client left.")

    def _count(self, name: str, meaning: str, *labels: str) -> Counter:
        return Counter(f"zwrotnica_{name}", meaning, labels, registry=self.registry)

    def _time(self, name: str, meaning: str, *labels: str) -> Histogram:
        return Histogram(
            f"zwrotnica_{name}", meaning, labels, buckets=_SECONDS, registry=self.registry
        )

    def _level(self, name: str, meaning: str) -> Gauge:
        return Gauge(f"zwrotnica_{name}", meaning, registry=self.registry)

    def render(self) -> bytes:
        """All figures in Prometheus' text format."""
        return generate_latest(self.registry)


class Metrics(HttpMetrics):
    """The figures of a gateway."""

    def __init__(self) -> None:
        """Every figure starts at zero."""
        super().__init__()
        self.turns = self._level("turns", "Turns running now.")
        self.routes = self._count("routes", "Decisions of the router.", "decision", "reason")
        self.verifications = self._count(
            "router_verifications", "Router models' choices compared with the detector's.", "agrees"
        )
        self.second_looks = self._count(
            "second_looks", "Messages of which a second router model was asked.", "doubt"
        )
        self.verdict_seconds = self._time("verdict_seconds", "Until the router's verdict.")
        self.first_text_seconds = self._time(
            "first_text_seconds", "From a request to the first text of its answer."
        )
        self.tokens = self._count("tokens", "Tokens of engine calls.", "engine", "role", "kind")
        self.frames = self._count(
            "frames_sent_back", "Frames in conversations that clients sent.", "verdict"
        )
        self.rebuilt = self._count(
            "rebuilt_answers", "Answers sent back by clients that got their stored calls again."
        )
        self.call_failures = self._count(
            "call_storage_failures", "Calls of answers that the database lost.", "operation"
        )
        self.oddities = self._count(
            "engine_oddities", "What was strange about an engine.", "engine", "oddity"
        )

    def count_oddity(self, engine: str, oddity: str) -> None:
        """An engine's alarm."""
        self.oddities.labels(engine, oddity).inc()

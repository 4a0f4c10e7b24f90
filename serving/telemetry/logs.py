"""The logs of a process: one kind of line for every library, never user text."""

import logging
import sys
from typing import Final, TextIO

import structlog

from serving.settings import LogSettings
from serving.telemetry.lines import LineFormatter, make_printable, render_plainly

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


def configure_logging(
    settings: LogSettings,
    *,
    stream: TextIO | None = None,
    worker: int | None = None,
    without: str | None = None,
) -> None:
    """Write the logs of this process, those of libraries too, as one kind of line.

    ``stream`` takes them; ``None``: standard error. ``worker`` stands on each where it is given.
    Nothing is written of the logger ``without``.
    """
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *_shared(),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
    )
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(_formatter(settings, worker))
    handler.addFilter(lambda record: record.name != without)
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
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.stdlib.ExtraAdder(),
    ]


def _formatter(settings: LogSettings, worker: int | None) -> logging.Formatter:
    own = {} if worker is None else {"worker": worker}

    def tell_worker(
        _logger: object, _method: str, event: structlog.types.EventDict
    ) -> structlog.types.EventDict:
        return {**event, **own}

    render = _renderer(settings)
    return LineFormatter(
        render=render,
        own=own,
        foreign_pre_chain=_shared(),
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            tell_worker,
            structlog.processors.format_exc_info,
            make_printable,
            render,
        ],
    )


def _renderer(settings: LogSettings) -> structlog.types.Processor:
    if settings.format == "json":
        return structlog.processors.JSONRenderer(ensure_ascii=False)
    is_coloured = sys.stderr.isatty()
    return structlog.dev.ConsoleRenderer(colors=True) if is_coloured else render_plainly

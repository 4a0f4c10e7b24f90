"""Writes the records of plain loggers as structlog would, at a third of its price."""

import logging
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Final

import structlog

_OWN: Final = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "taskName", "asctime"}
"""What every record has; the rest is what its caller added."""
_BLANK: Final = {
    **logging.makeLogRecord({}).__dict__,
    "levelno": logging.INFO,
    "levelname": logging.getLevelName(logging.INFO),
}
_QUOTED: Final = frozenset(" \t=\r\n\"'")
_FIRST: Final = frozenset({"event", "level", "timestamp"})
_SPECIAL: Final = frozenset({"exception", "stack", "exc_info", "logger", "logger_name"})
_SHAPELY: Final = frozenset({int, float, bool, type(None)})
_EVENT_WIDTH: Final = 30
_LEVEL_WIDTH: Final = 9
_PLAIN: Final = structlog.dev.ConsoleRenderer(colors=False, pad_event_to=_EVENT_WIDTH)


class LineFormatter(structlog.stdlib.ProcessorFormatter):
    """structlog's formatter, with a short way for what most lines are.

    Those are records of plain loggers, which bring no traceback. The line is the same by both ways.
    """

    def __init__(
        self,
        *,
        render: structlog.types.Processor,
        own: Mapping[str, object],
        foreign_pre_chain: Sequence[structlog.types.Processor],
        processors: Sequence[structlog.types.Processor],
    ) -> None:
        """``render`` makes the line of printable fields, ``own`` stand on each; see structlog's."""
        super().__init__(foreign_pre_chain=foreign_pre_chain, processors=processors)
        self._render = render
        self._own = own

    def format(self, record: logging.LogRecord) -> str:
        """The line of one record."""
        if record.exc_info or record.stack_info or hasattr(record, "_logger"):
            return super().format(record)
        fields = record.__dict__
        event: dict[str, object] = {
            "event": record.getMessage(),
            **structlog.contextvars.get_contextvars(),
            "level": record.levelname.lower(),
            "timestamp": _timestamp(record.created),
            **{name: fields[name] for name in fields if name not in _OWN},
            **self._own,
        }
        return str(self._render(None, "", make_printable(None, "", event)))


def make_record(logger: str, event: str, fields: Mapping[str, object]) -> logging.LogRecord:
    """A record of level INFO with those of ``fields`` that are known.

    What `Logger.info` finds out besides (thread, process, place in the code) takes longer than all
    the rest of a line, and no line tells it.
    """
    record = logging.LogRecord.__new__(logging.LogRecord)
    record.__dict__ = {
        **_BLANK,
        **{name: value for name, value in fields.items() if value is not None},
        "name": logger,
        "msg": event,
        "created": time.time(),
    }
    return record


def _timestamp(created: float) -> str:
    return datetime.fromtimestamp(created, UTC).isoformat().replace("+00:00", "Z")


def render_plainly(
    logger: structlog.types.WrappedLogger, method: str, event: structlog.types.EventDict
) -> str:
    """What structlog's console renderer makes of ``event`` without colours."""
    if not _SPECIAL.isdisjoint(event):
        return _PLAIN(logger, method, event)
    rest = " ".join(f"{name}={_quote(event[name])}" for name in sorted(event) if name not in _FIRST)
    return (
        f"{event['timestamp']} [{event['level']:<{_LEVEL_WIDTH}}] "
        f"{event['event']:<{_EVENT_WIDTH}} {rest}"
    ).rstrip(" ")


def _quote(value: object) -> str:
    if not isinstance(value, str):
        return repr(value)
    return value if _QUOTED.isdisjoint(value) else repr(value)


def make_printable(
    _logger: structlog.types.WrappedLogger, _method: str, event: structlog.types.EventDict
) -> structlog.types.EventDict:
    """One line an event, whatever it quotes; only a traceback keeps its lines.

    Control characters would move a terminal's cursor, line ends would forge events.
    """
    return {
        name: value
        if value.__class__ in _SHAPELY or (value.__class__ is str and value.isprintable())
        else _printable(value, kept="\n" if name == "exception" else "")
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

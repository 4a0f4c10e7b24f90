"""The events of the Chat API as bytes, told live or made again of what was stored."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from chatbot.errors import ERROR_SHAPES, ErrorCode
from chatbot.events import VERSION, BaseEvent
from chatbot.types import JsonValue
from serving.gateway.completion import encode
from serving.gateway.conversations.shapes import Links, as_milliseconds, part_fields
from serving.gateway.events import event_fields
from serving.storage.records import StoredMessage

_UNTOLD: Final = frozenset({"type"})


@dataclass(frozen=True, slots=True)
class Encoded:
    """One event as it is sent."""

    seq: int
    sent: bytes


def encode_event(event: BaseEvent) -> Encoded:
    """An event of a turn that is running."""
    return _encode(event.name, event.seq, event.message_id, event.at_ms, event_fields(event))


def encode_stored(message: StoredMessage, links: Links) -> Iterator[Encoded]:
    """The events that tell a stored answer from its first to its last; links are fresh."""
    at_ms = as_milliseconds(message.created_at)
    told = [(str(part["type"]), part_fields(part, links)) for part in message.parts]
    for seq, (name, fields) in enumerate([*told, _end_of(message)]):
        own = {key: value for key, value in fields.items() if key not in _UNTOLD}
        yield _encode(name, seq, message.message_id, at_ms, own)


def _end_of(message: StoredMessage) -> tuple[str, Mapping[str, JsonValue]]:
    """How it ended; an answer without an end was cut off with the process that made it."""
    if message.error is not None:
        return "error", message.error
    if message.finish_reason is not None:
        return "done", {"finish_reason": message.finish_reason}
    shape = ERROR_SHAPES[ErrorCode.INTERNAL_ERROR]
    return "error", {
        "type": shape.type,
        "code": ErrorCode.INTERNAL_ERROR.value,
        "message": shape.text,
        "request_id": message.request_id or "",
        "param": None,
        "retry_after_s": None,
    }


def _encode(
    name: str, seq: int, message_id: str, at_ms: int, fields: Mapping[str, JsonValue]
) -> Encoded:
    body = {"v": VERSION, "seq": seq, "message_id": message_id, "at_ms": at_ms, **fields}
    return Encoded(seq, b"event: %b\nid: %d\ndata: %b\n\n" % (name.encode(), seq, encode(body)))

"""Makes of stored messages the history that a turn begins with."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Final, Literal

from chatbot.types import (
    Attribution,
    Entity,
    Image,
    JsonObject,
    JsonValue,
    Message,
    Part,
    Text,
    ToolCall,
    ToolOutcome,
)
from serving.storage.records import StoredMessage, StoredPart

_LONG_AGO: Final = datetime.fromtimestamp(0, UTC)


def read_branch(messages: Iterable[StoredMessage]) -> tuple[Message, ...]:
    """The messages of one branch, first to last.

    Of an answer that was not ended its words stay, and nothing else: a call without its result,
    or a result that nobody was told, would mislead whoever continues.
    """
    return tuple(_read_message(message) for message in messages)


def _read_message(message: StoredMessage) -> Message:
    is_complete = message.role == "user" or message.state == "complete"
    parts = _read_parts(message.parts) if is_complete else _read_texts(message.parts)
    return Message(
        role=message.role,
        parts=tuple(parts),
        message_id=message.message_id,
        is_complete=is_complete,
    )


def _read_texts(parts: Iterable[StoredPart]) -> Iterator[Text]:
    """What was said; what a model thought is no part of the conversation."""
    for part in parts:
        if part["type"] == "text" and part.get("channel", "answer") == "answer":
            yield Text(text=_string(part, "text"))


def _read_parts(parts: tuple[StoredPart, ...]) -> Iterator[Part]:
    names: dict[str, str] = {}
    for part in parts:
        match part["type"]:
            case "text":
                yield from _read_texts((part,))
            case "tool_call":
                call = _read_call(part)
                names[call.call_id] = call.name
                yield call
            case "tool_result":
                yield _read_outcome(part, names)
            case "image":
                yield _read_image(part)
            case "attribution":
                yield _read_attribution(part)
            case _:
                pass


def _read_call(part: StoredPart) -> ToolCall:
    return ToolCall(
        call_id=_string(part, "call_id"),
        name=_string(part, "name"),
        arguments=_object(part.get("arguments")),
        raw_arguments=_object(part.get("raw_arguments")),
    )


def _read_outcome(part: StoredPart, names: Mapping[str, str]) -> ToolOutcome:
    call_id = _string(part, "call_id")
    ms = part.get("ms")
    return ToolOutcome(
        call_id=call_id,
        name=names.get(call_id, ""),
        status=_read_status(part),
        content=_string(part, "content"),
        plain=_optional(part, "plain"),
        state=tuple(_read_state(part.get("state"))),
        error=_optional(part, "error"),
        ms=ms if isinstance(ms, int) else 0,
    )


def _read_status(part: StoredPart) -> Literal["ok", "failed", "cancelled"]:
    match part.get("status"):
        case "ok":
            return "ok"
        case "failed":
            return "failed"
        case _:
            return "cancelled"


def _read_state(value: JsonValue) -> Iterator[Entity]:
    for entity in value if isinstance(value, list | tuple) else ():
        if isinstance(entity, Mapping):
            yield Entity(kind=_string(entity, "kind"), value=_string(entity, "value"))


def _read_image(part: StoredPart) -> Image:
    width, height = part.get("width"), part.get("height")
    return Image(
        image_id=_string(part, "image_id"),
        url=_string(part, "url"),
        expires_at=_read_time(part, "expires_at") or _LONG_AGO,
        alt=_string(part, "alt"),
        width=width if isinstance(width, int) else 0,
        height=height if isinstance(height, int) else 0,
    )


def _read_attribution(part: StoredPart) -> Attribution:
    return Attribution(
        source=_string(part, "source"),
        title=_optional(part, "title"),
        url=_optional(part, "url"),
        licence=_optional(part, "licence"),
        retrieved_at=_read_time(part, "retrieved_at"),
        call_id=_optional(part, "call_id"),
    )


def _read_time(part: JsonObject, name: str) -> datetime | None:
    text = _optional(part, name)
    return None if text is None else datetime.fromisoformat(text)


def _string(part: JsonObject, name: str) -> str:
    value = part.get(name)
    return value if isinstance(value, str) else ""


def _optional(part: JsonObject, name: str) -> str | None:
    value = part.get(name)
    return value if isinstance(value, str) else None


def _object(value: JsonValue) -> JsonObject:
    return value if isinstance(value, Mapping) else {}

"""Conversations and messages as JSON objects; every link to a picture in them is fresh."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from chatbot.ports import Clock
from chatbot.types import JsonValue
from serving.gateway.events import as_json
from serving.settings import ImagesSettings
from serving.storage import StoredImages
from serving.storage.records import Conversation, StoredMessage, StoredPart

_KEPT: Final = frozenset({"content", "plain", "state"})
"""What a tool gave beyond what people were shown; only the dialogue state reads it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Links:
    """Signs a link to a picture each time that somebody reads of it."""

    images: StoredImages
    settings: ImagesSettings
    clock: Clock

    def renew(self, image_id: str) -> dict[str, JsonValue]:
        """The fields of the link."""
        expires_at = self.clock.now() + timedelta(seconds=self.settings.link_s)
        return {"url": self.images.link(image_id, expires_at), "expires_at": as_json(expires_at)}


def conversation_fields(conversation: Conversation, *, is_busy: bool) -> dict[str, JsonValue]:
    """A conversation without its messages."""
    return {
        "id": conversation.conversation_id,
        "title": conversation.title,
        "created_at": as_json(conversation.created_at),
        "updated_at": as_json(conversation.updated_at),
        "parameters": dict(conversation.parameters),
        "current": conversation.current,
        "busy": is_busy,
    }


def message_fields(
    message: StoredMessage, links: Links, *, is_running: bool
) -> dict[str, JsonValue]:
    """A message with its parts."""
    return {
        "id": message.message_id,
        "parent": message.parent,
        "role": message.role,
        "state": message.state,
        "running": is_running,
        "created_at": as_json(message.created_at),
        "parts": [part_fields(part, links) for part in message.parts],
        "parameters": dict(message.parameters),
        "force": message.force,
        "finish_reason": message.finish_reason,
        "error": None if message.error is None else dict(message.error),
        "rating": message.rating,
        "comment": message.comment,
        "first_text_ms": message.first_text_ms,
        "total_ms": message.total_ms,
    }


def part_fields(part: StoredPart, links: Links) -> Mapping[str, JsonValue]:
    """A part as clients see it."""
    match part["type"]:
        case "image":
            return {**part, **links.renew(str(part["image_id"]))}
        case "tool_result":
            return {name: value for name, value in part.items() if name not in _KEPT}
        case _:
            return part


def as_milliseconds(moment: datetime) -> int:
    """Unix time in milliseconds, as events tell it."""
    return int(moment.timestamp() * 1000)

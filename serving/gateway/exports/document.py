"""Conversations as JSON: everything that is kept of them, and what an import reads."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Final

from chatbot.types import JsonObject, JsonValue
from serving.gateway.exports.cleaning import remove_unreadable
from serving.gateway.exports.entries import Entry, text_in
from serving.storage.records import Conversation, StoredMessage

FORMAT: Final = "zwrotnica.conversations"
VERSION: Final = 1
_LINKS: Final = frozenset({"url", "expires_at"})


class Document:
    """Implements `formats.Writer`; a message a line.

    Pictures stand by their id, without links (those expire) and without their bytes (a chat with
    twenty would be 30 MB): ``seal`` tells this server at an import whose picture it was.
    """

    def __init__(self, *, exported_at: datetime, seal: Callable[[str], str]) -> None:
        """``seal`` signs the id of a picture for its owner."""
        self._seal = seal
        self._conversation: str | None = None
        self._head = (
            f'{{"format": {_dump(FORMAT)}, "version": {VERSION}, '
            f'"exported_at": {_dump(say_moment(exported_at))}, "conversations": ['
        )

    def add(self, entries: Sequence[Entry]) -> bytes:
        """The messages of ``entries``, with the conversations that begin among them."""
        return "".join(map(self._write, entries)).encode()

    def finish(self) -> Iterator[bytes]:
        """What closes the document."""
        closing = "" if self._conversation is None else "\n]}"
        yield f"{self._take_head()}{closing}\n]}}\n".encode()

    def close(self) -> None:
        """Nothing is held."""

    def _write(self, entry: Entry) -> str:
        message = _dump(self._message(entry.message))
        if entry.conversation.conversation_id == self._conversation:
            return f",\n{message}"
        before = self._take_head() if self._conversation is None else "\n]},"
        self._conversation = entry.conversation.conversation_id
        fields = _dump(_conversation(entry.conversation))
        return f'{before}\n{fields[:-1]}, "messages": [\n{message}'

    def _take_head(self) -> str:
        head, self._head = self._head, ""
        return head

    def _message(self, message: StoredMessage) -> JsonObject:
        return {
            "id": message.message_id,
            "parent": message.parent,
            "role": message.role,
            "state": message.state,
            "created_at": say_moment(message.created_at),
            "parts": [self._part(part) for part in message.parts],
            "parameters": message.parameters,
            "force": message.force,
            "finish_reason": message.finish_reason,
            "error": message.error,
            "rating": message.rating,
            "comment": message.comment,
            "first_text_ms": message.first_text_ms,
            "total_ms": message.total_ms,
        }

    def _part(self, part: JsonObject) -> JsonObject:
        if part.get("type") != "image":
            return part
        kept = {name: value for name, value in part.items() if name not in _LINKS}
        return {**kept, "seal": self._seal(text_in(part, "image_id"))}


def say_moment(moment: datetime) -> str:
    """ISO 8601 in UTC."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _conversation(conversation: Conversation) -> JsonObject:
    return {
        "id": conversation.conversation_id,
        "title": conversation.title,
        "is_named": conversation.is_named,
        "created_at": say_moment(conversation.created_at),
        "updated_at": say_moment(conversation.updated_at),
        "parameters": conversation.parameters,
        "current": conversation.current,
    }


def _dump(value: JsonValue) -> str:
    """JSON without what no import takes; that is looked for in the values, before it is escaped."""
    return json.dumps(_clean(value), ensure_ascii=False)


def _clean(value: object) -> object:
    match value:
        case str():
            return remove_unreadable(value)
        case Mapping():
            return {remove_unreadable(str(key)): _clean(item) for key, item in value.items()}
        case list() | tuple():
            return [_clean(item) for item in value]
        case _:
            return value

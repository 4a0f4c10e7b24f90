"""What the database keeps, as frozen values: conversations, their messages, calls of API turns."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Literal, TypeAlias

from chatbot.types import FinishReason, JsonObject, JsonValue

MessageState: TypeAlias = Literal["complete", "incomplete"]
Rating: TypeAlias = Literal["up", "down"]
StoredPart: TypeAlias = JsonObject
"""One part of a message: ``{"type": NAME, …}`` with the fields of the event NAME.

The parts of an answer are its events in order, without those that only tell of progress
(``tool_progress``, ``image_progress``) and without its end; neighbouring ``text`` of one channel
is one part. A ``tool_result`` also has ``content``, ``plain`` and ``state`` of its outcome, for
the dialogue state. A user's message has ``text`` parts alone.
"""

NOTHING: Mapping[str, JsonValue] = MappingProxyType({})


@dataclass(frozen=True, kw_only=True, slots=True)
class StoredMessage:
    """One message of a conversation; ``parent`` is the message that it answers.

    ``state`` is ``incomplete`` from the moment an answer begins until it has ended well; so an
    answer that a crash cut off is told apart without being looked for. ``parameters`` are those
    that the answer was made with. ``error`` is the ``error`` event's fields. Times are aware UTC;
    durations are milliseconds from the request to the first text and to the end.
    """

    message_id: str
    conversation_id: str
    parent: str | None
    role: Literal["user", "assistant"]
    state: MessageState
    parts: tuple[StoredPart, ...]
    created_at: datetime
    parameters: JsonObject = field(default_factory=lambda: NOTHING)
    force: str | None = None
    request_id: str | None = None
    finish_reason: FinishReason | None = None
    error: JsonObject | None = None
    first_text_ms: int | None = None
    total_ms: int | None = None
    rating: Rating | None = None
    comment: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Conversation:
    """A conversation without its messages; ``current`` is the last message of the shown branch.

    ``is_named``: a person chose the title, so none is generated any more.
    """

    conversation_id: str
    owner: str
    title: str
    is_named: bool
    created_at: datetime
    updated_at: datetime
    parameters: JsonObject = field(default_factory=lambda: NOTHING)
    current: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class ConversationPage:
    """Conversations, the last changed first; ``next_cursor`` continues, ``None`` at the end."""

    conversations: tuple[Conversation, ...]
    next_cursor: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class StoredCalls:
    """The calls and results of one answer of ``/v1/chat/completions``; no text of the user's.

    ``body_hash`` is the digest of the answer's body that its frames sign.
    """

    message_id: str
    owner: str
    body_hash: str
    parts: tuple[StoredPart, ...]
    created_at: datetime

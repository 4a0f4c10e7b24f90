"""The events of a turn, from which every output is made."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import ClassVar, Literal, TypeAlias, TypedDict

from chatbot.errors import ErrorCode
from chatbot.types import Doubt, FinishReason, JsonObject, Leg, RouteReason

VERSION = 1


class Stamp(TypedDict):
    """The fields that every event shares."""

    seq: int
    message_id: str
    at_ms: int


@dataclass(frozen=True, kw_only=True, slots=True)
class BaseEvent:
    """``seq`` counts from 0 within the message; ``at_ms`` is Unix time in milliseconds."""

    name: ClassVar[str]
    v: int = VERSION
    seq: int
    message_id: str
    at_ms: int


@dataclass(frozen=True, kw_only=True, slots=True)
class RouteEvent(BaseEvent):
    """Which way the switch was set, and why."""

    name: ClassVar[str] = "route"
    decision: Literal["tool", "default"]
    reason: RouteReason
    tools: tuple[str, ...] = ()
    engine: str | None = None
    dialect: str | None = None
    verdict_ms: int = 0
    confirmed: bool | None = None
    verified: bool | None = None
    doubt: Doubt | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolCallEvent(BaseEvent):
    """A call begins; ``name`` on the wire is ``tool`` here, because every event has a name."""

    name: ClassVar[str] = "tool_call"
    call_id: str
    tool: str = field(metadata={"wire": "name"})
    title: str
    arguments: JsonObject
    raw_arguments: JsonObject
    summary: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolProgressEvent(BaseEvent):
    """A running call reports; ``fraction`` from 0 to 1."""

    name: ClassVar[str] = "tool_progress"
    call_id: str
    fraction: float | None = None
    text: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolResultEvent(BaseEvent):
    """A call ended; ``error`` is Polish text for the user, ``notices`` tell what was changed."""

    name: ClassVar[str] = "tool_result"
    call_id: str
    status: Literal["ok", "failed", "cancelled"]
    error: str | None = None
    ms: int = 0
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class QuestionEvent(BaseEvent):
    """A required argument is missing; ``text`` asks for it."""

    name: ClassVar[str] = "question"
    tool: str
    argument: str
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class TextEvent(BaseEvent):
    """What one read brought of the answer (or of the model's reasoning), already guarded."""

    name: ClassVar[str] = "text"
    text: str
    channel: Literal["answer", "reasoning"] = "answer"


@dataclass(frozen=True, kw_only=True, slots=True)
class ImageEvent(BaseEvent):
    """A picture with its signed link; ``expires_at`` is aware UTC, sizes in pixels."""

    name: ClassVar[str] = "image"
    image_id: str
    url: str
    expires_at: datetime
    alt: str
    width: int
    height: int


@dataclass(frozen=True, kw_only=True, slots=True)
class ImageProgressEvent(BaseEvent):
    """A picture is being made: step ``step`` of ``of``."""

    name: ClassVar[str] = "image_progress"
    call_id: str
    step: int
    of: int


@dataclass(frozen=True, kw_only=True, slots=True)
class AttributionEvent(BaseEvent):
    """Where a result comes from."""

    name: ClassVar[str] = "attribution"
    source: str
    call_id: str | None = None
    title: str | None = None
    url: str | None = None
    licence: str | None = None
    retrieved_at: datetime | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class UsageEvent(BaseEvent):
    """Tokens of every engine call of the turn."""

    name: ClassVar[str] = "usage"
    legs: tuple[Leg, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class DoneEvent(BaseEvent):
    """The turn ended as it should."""

    name: ClassVar[str] = "done"
    finish_reason: FinishReason


@dataclass(frozen=True, kw_only=True, slots=True)
class ErrorEvent(BaseEvent):
    """The turn failed; nothing follows.

    ``param`` names the field of the request that is at fault, ``retry_after_s`` the seconds after
    which the same request may succeed, where they are known.
    """

    name: ClassVar[str] = "error"
    type: str
    code: ErrorCode
    message: str
    request_id: str
    param: str | None = None
    retry_after_s: float | None = None


Event: TypeAlias = (
    RouteEvent
    | ToolCallEvent
    | ToolProgressEvent
    | ToolResultEvent
    | QuestionEvent
    | TextEvent
    | ImageEvent
    | ImageProgressEvent
    | AttributionEvent
    | UsageEvent
    | DoneEvent
    | ErrorEvent
)

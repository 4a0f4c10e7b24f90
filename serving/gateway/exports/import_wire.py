"""What an import reads, as typed values: the document, conversations, messages and their parts."""

import re
from datetime import UTC, datetime
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import BeforeValidator, Field, JsonValue, StrictBool, StrictInt

from chatbot.types import Doubt, FinishReason, RouteReason
from serving.gateway.conversations.wire import COMMENT_CHARS, ParametersBody
from serving.http.body import Body, Number

_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
_MOST_PARTS: Final = 1000
_LINE_CHARS: Final = 20_000
_TOOL_CHARS: Final = 64
_AS_IN: Final = "as in 2026-11-21T20:15:00Z"


def _read_moment(value: object) -> object:
    if not isinstance(value, str):
        return value
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        raise ValueError(f"a time of ISO 8601 is needed, {_AS_IN}") from None
    if moment.tzinfo is None:
        raise ValueError(f"a time needs its zone, {_AS_IN}")
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise ValueError(f"a time between the years 1 and 9999 is needed, {_AS_IN}") from None


Id: TypeAlias = Annotated[str, Field(pattern=f"^{_ID.pattern}$")]
Moment: TypeAlias = Annotated[datetime, BeforeValidator(_read_moment)]
Line: TypeAlias = Annotated[str, Field(max_length=_LINE_CHARS)]
Count: TypeAlias = Annotated[StrictInt, Field(ge=0, lt=2**31)]
Object: TypeAlias = dict[str, JsonValue]


class DocumentIn(Body):
    """The document without its conversations."""

    format: str
    version: StrictInt
    exported_at: str | None = None


class ConversationIn(Body):
    """A conversation without its messages."""

    id: str | None = None
    title: str = ""
    is_named: StrictBool = False
    created_at: Moment
    updated_at: Moment
    parameters: ParametersBody = ParametersBody()
    current: Id | None = None


class TextIn(Body):
    """Words; those of a user have the channel "answer"."""

    type: Literal["text"]
    text: str
    channel: Literal["answer", "reasoning"] = "answer"


class RouteIn(Body):
    """Which way the switch was set."""

    type: Literal["route"]
    decision: Literal["tool", "default"]
    reason: RouteReason
    tools: list[Line] = Field(default=[], max_length=_MOST_PARTS)
    engine: Line | None = None
    dialect: Line | None = None
    verdict_ms: Count = 0
    confirmed: StrictBool | None = None
    verified: StrictBool | None = None
    doubt: Doubt | None = None


class CallIn(Body):
    """A tool call."""

    type: Literal["tool_call"]
    call_id: Id
    name: Line
    title: Line = ""
    arguments: Object = Field(default={})
    raw_arguments: Object = Field(default={})
    summary: Line = ""


class EntityIn(Body):
    """What a result was about."""

    kind: Line
    value: Line


class ResultIn(Body):
    """How a call ended, with what the tool gave."""

    type: Literal["tool_result"]
    call_id: Id
    status: Literal["ok", "failed", "cancelled"]
    error: Line | None = None
    ms: Count = 0
    notices: list[Line] = Field(default=[], max_length=_MOST_PARTS)
    content: str = ""
    plain: str | None = None
    state: list[EntityIn] = Field(default=[], max_length=_MOST_PARTS)


class QuestionIn(Body):
    """A question for a missing argument."""

    type: Literal["question"]
    tool: Line
    argument: Line
    text: Line


class ImageIn(Body):
    """A picture by its id; without a good ``seal`` it is left out."""

    type: Literal["image"]
    image_id: Id
    alt: Line = ""
    width: Count = 0
    height: Count = 0
    seal: Line = ""


class AttributionIn(Body):
    """A source."""

    type: Literal["attribution"]
    source: Line
    call_id: Id | None = None
    title: Line | None = None
    url: Line | None = None
    licence: Line | None = None
    retrieved_at: Moment | None = None


class LegIn(Body):
    """Tokens of one engine call."""

    engine: Line
    role: Literal["router", "answer", "phrase", "speculated", "image"]
    prompt_tokens: Count
    completion_tokens: Count
    source: Literal["engine", "estimate", "zero"]


class UsageIn(Body):
    """Tokens of an answer."""

    type: Literal["usage"]
    legs: list[LegIn] = Field(max_length=_MOST_PARTS)


PartIn: TypeAlias = (
    TextIn | RouteIn | CallIn | ResultIn | QuestionIn | ImageIn | AttributionIn | UsageIn
)


class ErrorIn(Body):
    """Why an answer failed."""

    type: Line | None = None
    code: Line | None = None
    message: Line | None = None
    request_id: Line | None = None
    param: Line | None = None
    retry_after_s: Number | None = None


class MessageIn(Body):
    """One message."""

    id: Id
    parent: Id | None = None
    role: Literal["user", "assistant"]
    state: Literal["complete", "incomplete"] = "complete"
    created_at: Moment
    parts: list[Annotated[PartIn, Field(discriminator="type")]] = Field(max_length=_MOST_PARTS)
    parameters: ParametersBody = ParametersBody()
    force: Annotated[str, Field(max_length=_TOOL_CHARS)] | None = None
    finish_reason: FinishReason | None = None
    error: ErrorIn | None = None
    rating: Literal["up", "down"] | None = None
    comment: Annotated[str, Field(max_length=COMMENT_CHARS)] | None = None
    first_text_ms: Count | None = None
    total_ms: Count | None = None


class ExportedConversation(ConversationIn):
    """A conversation with its messages, each behind the one that it answers."""

    messages: list[MessageIn]


class ExportedDocument(DocumentIn):
    """A JSON export; `format` is "zwrotnica.conversations", `version` is 1."""

    conversations: list[ExportedConversation]

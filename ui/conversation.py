"""A conversation as the page shows it: stored parts and live events fold into one shape."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final, Literal, TypeAlias
from urllib.parse import urlsplit

from ui.fields import (
    NOTHING,
    JsonObject,
    is_true,
    moment_of,
    object_of,
    objects_of,
    optional_number,
    optional_text,
    text_of,
    texts_of,
    whole_of,
)

Channel: TypeAlias = Literal["answer", "reasoning"]
CallStatus: TypeAlias = Literal["running", "ok", "failed", "cancelled"]
AnswerState: TypeAlias = Literal["running", "complete", "incomplete"]

DEFAULT_TRACK: Final = "default"
NEW_QUESTION: Final = "new-question"
NEW_ANSWER: Final = "new-answer"
"""Ids of messages that the gateway does not know, or not yet."""
_STATUSES: Final[dict[str, CallStatus]] = {"ok": "ok", "failed": "failed", "cancelled": "cancelled"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Words:
    """Text of an answer, or of a model's reasoning."""

    text: str
    channel: Channel = "answer"


@dataclass(frozen=True, kw_only=True, slots=True)
class Call:
    """A tool call from its beginning to its end; ``step`` of ``steps`` while it draws."""

    call_id: str
    tool: str
    title: str
    summary: str
    arguments: JsonObject
    raw_arguments: JsonObject
    status: CallStatus = "running"
    error: str | None = None
    ms: int = 0
    notices: tuple[str, ...] = ()
    step: int = 0
    steps: int = 0
    fraction: float | None = None
    progress: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Picture:
    """A picture; its link is good until ``expires_at``."""

    image_id: str
    url: str
    alt: str
    width: int
    height: int
    expires_at: datetime | None = None

    @property
    def path(self) -> str:
        """Where the page itself serves the picture; empty for an address that is not ours."""
        path = urlsplit(self.url).path
        return path if path.startswith("/images/") else ""


Item: TypeAlias = Words | Call | Picture


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """Where a result comes from."""

    source: str
    title: str | None = None
    url: str | None = None
    licence: str | None = None
    retrieved_at: datetime | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Failure:
    """Why an answer broke off: the API's error code and its words."""

    code: str
    message: str = ""
    request_id: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """An answer, whole or on its way; ``is_routed`` once the switch has been set."""

    message_id: str = ""
    parent: str | None = None
    items: tuple[Item, ...] = ()
    sources: tuple[Source, ...] = ()
    state: AnswerState = "running"
    is_routed: bool = False
    reason: str = ""
    finish_reason: str | None = None
    failure: Failure | None = None
    rating: str | None = None
    last_seq: int = -1

    @property
    def text(self) -> str:
        """The Markdown of the answer alone, as it is copied."""
        words = (item for item in self.items if isinstance(item, Words))
        return "".join(item.text for item in words if item.channel == "answer")

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """The pictures of the answer."""
        return tuple(item for item in self.items if isinstance(item, Picture))


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """What the user wrote."""

    message_id: str
    parent: str | None
    text: str


Message: TypeAlias = Question | Answer


@dataclass(frozen=True, kw_only=True, slots=True)
class Shown:
    """A message on the shown branch, the ``number``-th of ``versions`` (their ids)."""

    message: Message
    versions: tuple[str, ...]

    @property
    def number(self) -> int:
        """Which version this is, from 1."""
        return self.versions.index(self.message.message_id) + 1


@dataclass(frozen=True, kw_only=True, slots=True)
class ConversationView:
    """A conversation with all its branches; ``current`` is the end of the shown one."""

    conversation_id: str = ""
    title: str = ""
    parameters: JsonObject = field(default_factory=lambda: NOTHING)
    messages: tuple[Message, ...] = ()
    current: str | None = None

    @property
    def branch(self) -> tuple[Shown, ...]:
        """The messages from the beginning to `current`, each with its versions."""
        known = {message.message_id: message for message in self.messages}
        below = _children(self.messages)
        shown: list[Shown] = []
        at = self.current
        while at is not None and (message := known.pop(at, None)):
            shown.append(Shown(message=message, versions=below[message.parent]))
            at = message.parent
        return tuple(reversed(shown))

    def find(self, message_id: str) -> Message | None:
        """A message of any branch."""
        return next((one for one in self.messages if one.message_id == message_id), None)

    def running(self) -> Answer | None:
        """The answer that is being made now."""
        alive = (one for one in self.messages if isinstance(one, Answer) and one.state == "running")
        return next(alive, None)

    def is_shown(self, message_id: str) -> bool:
        """Whether a message is the end of the shown branch."""
        return self.current == message_id

    def end_of(self, message_id: str) -> str:
        """Where the branch ends that goes through a message: its latest descendant."""
        below = _children(self.messages)
        while children := below.get(message_id):
            message_id = children[-1]
        return message_id

    def with_message(self, message: Message) -> "ConversationView":
        """The same conversation with ``message`` new, or in the place of its earlier state."""
        if self.find(message.message_id) is None:
            return replace(self, messages=(*self.messages, message), current=message.message_id)
        others = tuple(
            message if one.message_id == message.message_id else one for one in self.messages
        )
        return replace(self, messages=others)


def read_conversation(fields: JsonObject) -> ConversationView:
    """A conversation as the API tells it."""
    return ConversationView(
        conversation_id=text_of(fields, "id"),
        title=text_of(fields, "title"),
        parameters=object_of(fields, "parameters"),
        messages=tuple(read_message(one) for one in objects_of(fields, "messages")),
        current=optional_text(fields, "current"),
    )


def read_message(fields: JsonObject) -> Message:
    """A stored message as the API tells it."""
    message_id, parent = text_of(fields, "id"), optional_text(fields, "parent")
    parts = objects_of(fields, "parts")
    if text_of(fields, "role") == "user":
        text = "".join(text_of(part, "text") for part in parts)
        return Question(message_id=message_id, parent=parent, text=text)
    answer = Answer(
        message_id=message_id,
        parent=parent,
        is_routed=bool(parts),
        rating=optional_text(fields, "rating"),
    )
    for part in parts:
        answer = fold(answer, text_of(part, "type"), part)
    if is_true(fields, "running"):
        return answer
    return _as_ended(answer, fields)


def fold(answer: Answer, name: str, fields: JsonObject) -> Answer:
    """``answer`` after one event, or after the stored part that the event became."""
    match name:
        case "route":
            return replace(answer, is_routed=True, reason=text_of(fields, "reason"))
        case "attribution":
            return replace(answer, sources=(*answer.sources, _read_source(fields)))
        case "done":
            return _as_ended(answer, fields)
        case "error":
            return _as_ended(answer, {"error": fields})
        case _:
            items = _fold_items(answer.items, name, fields)
            return replace(answer, items=items, is_routed=answer.is_routed or bool(items))


def fold_all(answer: Answer, events: Iterable[tuple[str, JsonObject]]) -> Answer:
    """``answer`` after several events, those it knows already left out."""
    for name, fields in events:
        seq = whole_of(fields, "seq")
        if seq > answer.last_seq:
            answer = replace(fold(answer, name, fields), last_seq=seq)
    return answer


def _fold_items(items: tuple[Item, ...], name: str, fields: JsonObject) -> tuple[Item, ...]:
    match name:
        case "text":
            return _with_words(items, fields)
        case "tool_call":
            return (*items, _read_call(fields))
        case "image":
            return (*items, _read_picture(fields))
        case "tool_progress" | "image_progress" | "tool_result":
            return tuple(_with_news(items, name, fields))
        case _:
            return items


def _as_ended(answer: Answer, fields: JsonObject) -> Answer:
    """An answer that will not change: by its stored state, or by its last event."""
    error = object_of(fields, "error")
    finish = optional_text(fields, "finish_reason")
    failure = _read_failure(error) if error else answer.failure
    is_whole = failure is None and finish is not None and finish != "cancelled"
    if state := text_of(fields, "state"):
        is_whole = state == "complete"
    return replace(
        answer,
        items=tuple(_with_end(item) for item in answer.items),
        state="complete" if is_whole else "incomplete",
        is_routed=True,
        finish_reason=finish,
        failure=failure,
    )


def _with_end(item: Item) -> Item:
    if isinstance(item, Call) and item.status == "running":
        return replace(item, status="cancelled")
    return item


def _with_words(items: tuple[Item, ...], fields: JsonObject) -> tuple[Item, ...]:
    text = text_of(fields, "text")
    channel: Channel = "reasoning" if fields.get("channel") == "reasoning" else "answer"
    last = items[-1] if items else None
    if isinstance(last, Words) and last.channel == channel:
        return (*items[:-1], replace(last, text=last.text + text))
    return (*items, Words(text=text, channel=channel)) if text else items


def _with_news(items: Iterable[Item], name: str, fields: JsonObject) -> Iterable[Item]:
    call_id = text_of(fields, "call_id")
    for item in items:
        is_meant = isinstance(item, Call) and item.call_id == call_id
        yield _with_call_news(item, name, fields) if is_meant and isinstance(item, Call) else item


def _with_call_news(call: Call, name: str, fields: JsonObject) -> Call:
    if name == "image_progress":
        return replace(call, step=whole_of(fields, "step"), steps=whole_of(fields, "of"))
    if name == "tool_progress":
        fraction = optional_number(fields, "fraction")
        return replace(call, fraction=fraction, progress=text_of(fields, "text"))
    return replace(
        call,
        status=_STATUSES.get(text_of(fields, "status"), "failed"),
        error=optional_text(fields, "error"),
        ms=whole_of(fields, "ms"),
        notices=texts_of(fields, "notices"),
        step=0,
        steps=0,
        fraction=None,
        progress="",
    )


def _read_call(fields: JsonObject) -> Call:
    return Call(
        call_id=text_of(fields, "call_id"),
        tool=text_of(fields, "name"),
        title=text_of(fields, "title"),
        summary=text_of(fields, "summary"),
        arguments=object_of(fields, "arguments"),
        raw_arguments=object_of(fields, "raw_arguments"),
    )


def _read_picture(fields: JsonObject) -> Picture:
    return Picture(
        image_id=text_of(fields, "image_id"),
        url=text_of(fields, "url"),
        alt=text_of(fields, "alt"),
        width=whole_of(fields, "width"),
        height=whole_of(fields, "height"),
        expires_at=moment_of(fields, "expires_at"),
    )


def _read_source(fields: JsonObject) -> Source:
    return Source(
        source=text_of(fields, "source"),
        title=optional_text(fields, "title"),
        url=optional_text(fields, "url"),
        licence=optional_text(fields, "licence"),
        retrieved_at=moment_of(fields, "retrieved_at"),
    )


def _read_failure(fields: JsonObject) -> Failure:
    return Failure(
        code=text_of(fields, "code"),
        message=text_of(fields, "message"),
        request_id=optional_text(fields, "request_id"),
    )


def _children(messages: Sequence[Message]) -> dict[str | None, tuple[str, ...]]:
    below: dict[str | None, tuple[str, ...]] = {}
    for message in messages:
        below[message.parent] = (*below.get(message.parent, ()), message.message_id)
    return below

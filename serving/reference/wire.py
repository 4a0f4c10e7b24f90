"""The chat completion as clients send it, and what it asks of the model."""

import json
import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from pydantic import Field, StrictBool, StrictInt

from chatbot.errors import ErrorCode, InvalidRequest
from chatbot.types import JsonObject, JsonValue
from serving.http.body import Body, Number, validate
from serving.http.chat_wire import Object, Role, StreamOptions, WireToolCall
from serving.http.strict_json import read_json
from serving.reference.token_model import RowSampling
from serving.settings import LimitsSettings

_CHOSEN: Final = 2**32
_MEANINGLESS: Final = frozenset({
    "metadata",
    "parallel_tool_calls",
    "prompt_cache_key",
    "safety_identifier",
    "service_tier",
    "store",
    "user",
})
"""Fields that OpenAI's clients may always send and that change no answer here."""
_NOTHING: Final[Mapping[str, tuple[JsonValue, ...]]] = MappingProxyType({
    "logit_bias": ({},),
    "logprobs": (False,),
    "modalities": (["text"],),
    "n": (1,),
    "response_format": ({"type": "text"},),
    "tool_choice": ("auto", "none"),
    "tools": ([],),
    "top_logprobs": (0,),
})
"""Values that ask for what is done anyway, of fields that are not supported otherwise."""


class Part(Body):
    """A part of a message; this server's models read text alone."""

    type: Literal["text"]
    text: str


class Message(Body):
    """One message of the conversation."""

    role: Role
    content: str | list[Part] | None = None
    name: str | None = Field(default=None, max_length=128)
    tool_calls: list[WireToolCall] | None = Field(default=None, max_length=128)
    tool_call_id: str | None = Field(default=None, max_length=128)
    refusal: None = None
    annotations: list[Object] | None = None


class ChatBody(Body):
    """`POST /v1/chat/completions`: OpenAI's fields, and those that engines have added."""

    model: str = Field(min_length=1, max_length=256)
    messages: list[Message] = Field(min_length=1)
    stream: StrictBool = False
    stream_options: StreamOptions = StreamOptions()
    max_tokens: StrictInt | None = Field(default=None, ge=1)
    max_completion_tokens: StrictInt | None = Field(default=None, ge=1)
    temperature: Number = Field(default=1.0, ge=0, le=2)
    top_p: Number = Field(default=1.0, gt=0, le=1)
    top_k: StrictInt = Field(default=0, ge=-1)
    min_p: Number = Field(default=0.0, ge=0, le=1)
    repetition_penalty: Number = Field(default=1.0, gt=0, le=2)
    presence_penalty: Number = Field(default=0.0, ge=-2, le=2)
    frequency_penalty: Number = Field(default=0.0, ge=-2, le=2)
    seed: StrictInt | None = Field(default=None, ge=-(2**63), lt=2**63)
    stop: str | list[str] = Field(default_factory=list)
    tools: list[Object] = Field(default_factory=list)
    ignore_eos: StrictBool = False
    skip_special_tokens: StrictBool = True


class TokenizeBody(Body):
    """`POST /tokenize`, as vLLM has it: the ids of a text, or of a conversation."""

    model: str | None = Field(default=None, max_length=256)
    prompt: str | None = None
    messages: list[Message] | None = Field(default=None, min_length=1)
    tools: list[Object] = Field(default_factory=list)
    add_special_tokens: StrictBool = True


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """What a client wants; ``max_tokens`` is ``None`` for as many as the context leaves."""

    messages: tuple[JsonObject, ...]
    tools: tuple[JsonObject, ...]
    sampling: RowSampling
    max_tokens: int | None
    stops: tuple[str, ...]
    ignores_end: bool
    keeps_special: bool
    is_streamed: bool
    wants_usage: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Words:
    """What a client wants to have as ids: a text, or a conversation where it is ``None``."""

    text: str | None
    has_start: bool
    messages: tuple[JsonObject, ...]
    tools: tuple[JsonObject, ...]


def read_asked(body: bytes, served_name: str, limits: LimitsSettings) -> Asked:
    """The chat completion in ``body``, within every bound but the model's context.

    Raises:
        InvalidRequest: ``param`` names the field at fault.
    """
    read = validate(
        ChatBody,
        {
            name: value
            for name, value in read_json(body, limits).items()
            if value is not None
            and name not in _MEANINGLESS
            and value not in _NOTHING.get(name, ())
        },
    )
    _check_model(read.model, served_name)
    _check_messages(read.messages, limits)
    return Asked(
        messages=tuple(map(_message, read.messages)),
        tools=tuple(read.tools),
        sampling=_sampling(read),
        max_tokens=read.max_completion_tokens or read.max_tokens,
        stops=_stops(read.stop, limits),
        ignores_end=read.ignore_eos,
        keeps_special=not read.skip_special_tokens,
        is_streamed=read.stream,
        wants_usage=read.stream_options.include_usage is True,
    )


def read_words(body: bytes, served_name: str, limits: LimitsSettings) -> Words:
    """What is to be tokenized of ``body``.

    Raises:
        InvalidRequest: ``param`` names the field at fault.
    """
    fields = {name: value for name, value in read_json(body, limits).items() if value is not None}
    read = validate(TokenizeBody, fields)
    _check_model(read.model, served_name)
    if (read.prompt is None) == (read.messages is None):
        raise InvalidRequest("send either 'prompt' or 'messages'", param="prompt")
    messages = read.messages or []
    _check_messages(messages, limits)
    return Words(
        text=read.prompt,
        has_start=read.add_special_tokens,
        messages=tuple(map(_message, messages)),
        tools=tuple(read.tools),
    )


def _check_model(model: str | None, served_name: str) -> None:
    if model not in {None, served_name}:
        raise InvalidRequest(
            f"there is no model {model!r}; the model is {served_name!r}",
            param="model",
            code=ErrorCode.NOT_FOUND,
        )


def _check_messages(messages: list[Message], limits: LimitsSettings) -> None:
    if len(messages) > limits.messages:
        raise InvalidRequest(f"messages has more than {limits.messages} entries", param="messages")
    if sum(len(_text(message)) for message in messages) > limits.total_chars:
        raise InvalidRequest(
            f"messages has more than {limits.total_chars} characters", param="messages"
        )


def _stops(stop: str | list[str], limits: LimitsSettings) -> tuple[str, ...]:
    stops = (stop,) if isinstance(stop, str) else tuple(stop)
    if len(stops) > limits.stop_sequences:
        raise InvalidRequest(f"stop has more than {limits.stop_sequences} entries", param="stop")
    if any(not 0 < len(one) <= limits.stop_chars for one in stops):
        raise InvalidRequest(
            f"an entry of stop has from 1 to {limits.stop_chars} characters", param="stop"
        )
    return stops


def _sampling(read: ChatBody) -> RowSampling:
    return RowSampling(
        seed=secrets.randbelow(_CHOSEN) if read.seed is None else read.seed,
        temperature=read.temperature,
        top_p=read.top_p,
        top_k=max(0, read.top_k),
        min_p=read.min_p,
        repetition_penalty=read.repetition_penalty,
        presence_penalty=read.presence_penalty,
        frequency_penalty=read.frequency_penalty,
    )


def _message(message: Message) -> JsonObject:
    """The message as chat templates read it: text whole, arguments of calls as values."""
    fields: dict[str, JsonValue] = {
        "role": "system" if message.role == "developer" else message.role,
        "content": _text(message),
    }
    if message.name is not None:
        fields["name"] = message.name
    if message.tool_call_id is not None:
        fields["tool_call_id"] = message.tool_call_id
    if message.tool_calls:
        fields["tool_calls"] = [_call(call) for call in message.tool_calls]
    return fields


def _text(message: Message) -> str:
    match message.content:
        case None:
            return ""
        case str():
            return message.content
        case parts:
            return "".join(part.text for part in parts)


def _call(call: WireToolCall) -> JsonObject:
    arguments: JsonValue = call.function.arguments  # a model's slip stays as it wrote it
    with suppress(ValueError):
        arguments = json.loads(call.function.arguments)
    function: JsonObject = {"name": call.function.name, "arguments": arguments}
    return {"id": call.id, "type": "function", "function": function}

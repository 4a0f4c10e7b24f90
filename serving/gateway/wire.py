"""The bodies that clients send, as typed values; an unknown field is an error with its name."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StrictBool, StrictInt

from serving.http.body import Body, Number
from serving.http.chat_wire import Object, Role, StreamOptions, WireToolCall


class ContentPart(BaseModel):
    """A part of a message; only text is read by the chatbot, the rest must fit its engine."""

    model_config = ConfigDict(frozen=True, extra="allow", strict=True)

    type: str = Field(max_length=32)
    text: str | None = None
    refusal: str | None = None


class WireMessage(Body):
    """One message of the conversation that the client sends back each time."""

    role: Role
    content: str | list[ContentPart] | None = None
    name: str | None = Field(default=None, max_length=128)
    tool_calls: list[WireToolCall] | None = Field(default=None, max_length=128)
    tool_call_id: str | None = Field(default=None, max_length=128)
    refusal: str | None = None
    annotations: list[Object] | None = None
    reasoning_content: str | None = None
    audio: None = None
    function_call: None = None


class ChatCompletionBody(Body):
    """`POST /v1/chat/completions`; bounds that are settings are checked apart from this."""

    model: str = Field(min_length=1, max_length=128)
    messages: list[WireMessage] = Field(min_length=1)
    stream: StrictBool | None = None
    stream_options: StreamOptions | None = None
    max_tokens: StrictInt | None = Field(default=None, ge=1)
    max_completion_tokens: StrictInt | None = Field(default=None, ge=1)
    temperature: Number | None = Field(default=None, ge=0, le=2)
    top_p: Number | None = Field(default=None, gt=0, le=1)
    presence_penalty: Number | None = Field(default=None, ge=-2, le=2)
    frequency_penalty: Number | None = Field(default=None, ge=-2, le=2)
    repetition_penalty: Number | None = Field(default=None, gt=0, le=2)
    seed: StrictInt | None = Field(default=None, ge=-(2**63), lt=2**63)
    stop: str | list[str] | None = None
    n: StrictInt | None = Field(default=None, ge=1)
    tools: list[Object] | None = None
    tool_choice: Literal["none", "auto", "required"] | Object | None = None
    parallel_tool_calls: StrictBool | None = None
    response_format: Object | None = None


class RouteBody(Body):
    """`POST /api/route`."""

    messages: list[WireMessage] = Field(min_length=1)
    tools: list[str] | None = Field(default=None, max_length=128)


class VerificationBody(Body):
    """`POST /v1/attribution/verify`: a conversation, or the text of one answer."""

    messages: list[WireMessage] | None = Field(default=None, min_length=1)
    text: str | None = None


IGNORED = frozenset({
    "metadata",
    "prompt_cache_key",
    "prompt_cache_retention",
    "safety_identifier",
    "service_tier",
    "store",
    "user",
})
"""Fields that OpenAI's clients may always send and that change no answer; accepted, not used."""

HARMLESS: dict[str, tuple[JsonValue, ...]] = {
    "functions": ([],),
    "logit_bias": ({},),
    "logprobs": (False,),
    "modalities": (["text"],),
    "top_logprobs": (0,),
    "verbosity": ("medium",),
}
"""Fields not supported, with the values that ask for nothing and are therefore accepted."""

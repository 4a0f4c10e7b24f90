"""The parts of OpenAI's chat completions that every server of ours reads alike."""

from typing import Literal, TypeAlias

from pydantic import Field, JsonValue, StrictBool

from serving.http.body import Body

Object: TypeAlias = dict[str, JsonValue]
Role: TypeAlias = Literal["system", "developer", "user", "assistant", "tool"]


class FunctionCall(Body):
    """The function of a tool call in the history."""

    name: str = Field(max_length=128)
    arguments: str


class WireToolCall(Body):
    """A tool call of an assistant message in the history."""

    id: str = Field(max_length=128)
    type: Literal["function"] = "function"
    function: FunctionCall


class StreamOptions(Body):
    """What a stream shall hold beside the answer."""

    include_usage: StrictBool | None = None
    include_obfuscation: StrictBool | None = None

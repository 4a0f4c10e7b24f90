"""Rebuilds a client's own request for an engine from what is allowed, field by field."""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Final

from chatbot.errors import ErrorCode, InvalidRequest
from chatbot.sanitizer import break_control_tokens
from chatbot.types import JsonValue
from serving.gateway.completion import encode
from serving.gateway.messages import refuse_part
from serving.gateway.wire import ChatCompletionBody, ContentPart, WireMessage
from serving.settings import EngineSettings, LimitsSettings

_FUNCTION_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
_SAMPLING: Final = (
    "temperature",
    "top_p",
    "presence_penalty",
    "frequency_penalty",
    "repetition_penalty",
    "seed",
    "stop",
    "parallel_tool_calls",
)
_FORMATS: Final = frozenset({"text", "json_object", "json_schema"})


def rebuild(
    body: ChatCompletionBody, *, engine: EngineSettings, limits: LimitsSettings
) -> dict[str, JsonValue]:
    """The request for ``engine``; nothing that is not named here can reach it.

    Control tokens of known models in any text are broken, so that text stays text.

    Raises:
        InvalidRequest: a part or ``n`` that the engine does not declare, or unfit tools.
    """
    wanted = body.max_completion_tokens or body.max_tokens or engine.default_max_tokens
    fields: dict[str, JsonValue] = {
        "model": body.model,
        "messages": [
            _message(message, f"messages.{number}", engine)
            for number, message in enumerate(body.messages)
        ],
        "max_tokens": wanted,
        "stream": bool(body.stream),
    }
    fields.update({
        name: getattr(body, name) for name in _SAMPLING if getattr(body, name) is not None
    })
    if body.stream_options is not None and body.stream_options.include_usage:
        fields["stream_options"] = {"include_usage": True}
    fields.update(_choices(body, engine, limits))
    fields.update(_tools(body))
    _check_schemas(fields, limits)
    return fields


def _choices(
    body: ChatCompletionBody, engine: EngineSettings, limits: LimitsSettings
) -> dict[str, JsonValue]:
    if body.n is None or body.n == 1:
        return {}
    if "n" not in engine.accepts:
        raise InvalidRequest(
            "n is 1 for this model", param="n", code=ErrorCode.UNSUPPORTED_PARAMETER
        )
    if body.n > limits.choices:
        raise InvalidRequest(f"n is at most {limits.choices}", param="n")
    return {"n": body.n}


def _message(message: WireMessage, param: str, engine: EngineSettings) -> JsonValue:
    role = "system" if message.role == "developer" else message.role
    rebuilt: dict[str, JsonValue] = {"role": role, "content": _content(message, param, engine)}
    if message.tool_call_id is not None:
        rebuilt["tool_call_id"] = break_control_tokens(message.tool_call_id)
    if message.tool_calls:
        rebuilt["tool_calls"] = [
            _clean(call.model_dump(mode="json")) for call in message.tool_calls
        ]
    return rebuilt


def _content(message: WireMessage, param: str, engine: EngineSettings) -> JsonValue:
    if message.content is None:
        return None
    if isinstance(message.content, str):
        return break_control_tokens(message.content)
    if all(map(_is_text, message.content)):
        return _join_texts(message.content)
    return list(_parts(message.content, param, engine))


def _parts(content: list[ContentPart], param: str, engine: EngineSettings) -> Iterator[JsonValue]:
    """Text parts side by side become one: chat templates join them, and so must what reads them."""
    placed = ((part, f"{param}.content.{place}") for place, part in enumerate(content))
    for is_text, run in groupby(placed, key=lambda one: _is_text(one[0])):
        if is_text:
            yield {"type": "text", "text": _join_texts(part for part, _ in run)}
        else:
            yield from (_part(part, place, engine) for part, place in run)


def _is_text(part: ContentPart) -> bool:
    return part.type == "text" and part.text is not None


def _join_texts(parts: Iterable[ContentPart]) -> str:
    """The text of the parts; control tokens are broken in the whole, or halves would pass."""
    return break_control_tokens("".join(part.text or "" for part in parts))


def _part(part: ContentPart, param: str, engine: EngineSettings) -> JsonValue:
    """A picture or sound that came in the request itself: engines fetch nothing."""
    extra = part.model_extra or {}
    match part.type, extra:
        case "image_url", {"image_url": {"url": str(url)}} if "image" in engine.accepts:
            if not url.startswith("data:image/"):
                raise InvalidRequest(f"{param}: pictures are sent as data: URLs", param=param)
            return {"type": "image_url", "image_url": {"url": url}}
        case "input_audio", {"input_audio": {"data": str(sound), "format": str(form)}} if (
            "audio" in engine.accepts
        ):
            return {"type": "input_audio", "input_audio": {"data": sound, "format": form}}
        case _:
            raise refuse_part(part.type, param)


def _tools(body: ChatCompletionBody) -> dict[str, JsonValue]:
    fields: dict[str, JsonValue] = {}
    if body.tools:
        fields["tools"] = [_tool(tool, f"tools.{place}") for place, tool in enumerate(body.tools)]
        if body.tool_choice is not None:
            fields["tool_choice"] = _tool_choice(body.tool_choice)
    if body.response_format is not None:
        fields["response_format"] = _format(body.response_format)
    return fields


def _tool(tool: Mapping[str, JsonValue], param: str) -> JsonValue:
    function = tool.get("function")
    if tool.get("type") != "function" or not isinstance(function, Mapping):
        raise InvalidRequest(f"{param} must be of type 'function'", param=param)
    rebuilt: dict[str, JsonValue] = {"name": _function_name(function, param)}
    match function.get("description"):
        case str() as description:
            rebuilt["description"] = break_control_tokens(description)
        case None:
            pass
        case _:
            raise InvalidRequest(f"{param}: description must be text", param=param)
    if isinstance(parameters := function.get("parameters"), Mapping):
        rebuilt["parameters"] = _clean(parameters)
    if isinstance(strict := function.get("strict"), bool):
        rebuilt["strict"] = strict
    return {"type": "function", "function": rebuilt}


def _function_name(function: Mapping[str, JsonValue], param: str) -> str:
    name = function.get("name")
    if not isinstance(name, str) or _FUNCTION_NAME.fullmatch(name) is None:
        raise InvalidRequest(
            f"{param}: a function's name is 1 to 64 letters, digits, _ or -", param=param
        )
    return name


def _tool_choice(choice: str | Mapping[str, JsonValue]) -> JsonValue:
    if isinstance(choice, str):
        return choice
    function = choice.get("function")
    if choice.get("type") != "function" or not isinstance(function, Mapping):
        raise InvalidRequest("tool_choice must name a function", param="tool_choice")
    return {"type": "function", "function": {"name": _function_name(function, "tool_choice")}}


def _format(response_format: Mapping[str, JsonValue]) -> JsonValue:
    kind = response_format.get("type")
    if kind not in _FORMATS:
        names = ", ".join(sorted(_FORMATS))
        raise InvalidRequest(f"response_format.type is one of {names}", param="response_format")
    if kind != "json_schema":
        return {"type": kind}
    schema = response_format.get("json_schema")
    if not isinstance(schema, Mapping):
        raise InvalidRequest("json_schema must be an object", param="response_format")
    allowed = ("name", "description", "schema", "strict")
    return {
        "type": kind,
        "json_schema": {name: _clean(schema[name]) for name in allowed if name in schema},
    }


def _check_schemas(fields: Mapping[str, JsonValue], limits: LimitsSettings) -> None:
    for name in ("tools", "response_format"):
        if name in fields and len(encode(fields[name])) > limits.schema_bytes:
            raise InvalidRequest(
                f"{name} has more than {limits.schema_bytes} bytes of JSON", param=name
            )


def _clean(value: JsonValue) -> JsonValue:
    """The value with every text made harmless to a tokenizer."""
    match value:
        case str():
            return break_control_tokens(value)
        case Mapping():
            return {break_control_tokens(key): _clean(item) for key, item in value.items()}
        case list() | tuple():
            return [_clean(item) for item in value]
        case _:
            return value

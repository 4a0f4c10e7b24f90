"""The JSON bodies that engines get, from requests of ours and from clients' own."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from chatbot.errors import InvalidRequest
from chatbot.types import ChatMessage, ChatRequest, JsonObject, JsonValue, Sampling, ToolSpec
from serving.engines.kinds import EngineKind

_OWN_MARK = "x-"


def build_body(
    request: ChatRequest, *, kind: EngineKind, model: str | None, max_tokens: int
) -> dict[str, JsonValue]:
    """The streamed chat completion for ``request``; ``max_tokens`` where it names no number."""
    body: dict[str, JsonValue] = {
        "messages": [_message(message) for message in request.messages],
        **dict(_sampling(request.sampling, kind=kind)),
    }
    body.setdefault(kind.renamed.get("max_tokens", "max_tokens"), max_tokens)
    if request.tools:
        body["tools"] = [_tool(tool) for tool in request.tools]
        body["tool_choice"] = "auto"
    if request.keep_special_tokens and kind.keeps_special_tokens:
        body["skip_special_tokens"] = False
    if request.token_ids and kind.reports_token_ids:
        body["return_token_ids"] = True
    if request.priority and kind.takes_priority:
        body["priority"] = request.priority
    return _as_stream(body, kind=kind, model=model)


def rebuild_body(body: JsonObject, *, kind: EngineKind, model: str | None) -> dict[str, JsonValue]:
    """A client's chat completion, streamed, with the kind's allow-listed fields and no other."""
    kept: dict[str, JsonValue] = {
        kind.renamed.get(field, field): value
        for field, value in body.items()
        if kind.takes(field) and value is not None
    }
    return _as_stream(kept, kind=kind, model=model)


def wants_usage_chunk(body: JsonObject) -> bool:
    """Whether the client itself asked for the usage at the end of its stream."""
    options = body.get("stream_options")
    return isinstance(options, Mapping) and options.get("include_usage") is True


def asking_usage(body: JsonObject) -> JsonObject:
    """``body`` with the wish for its usage, whatever its client asked for."""
    return {**body, "stream_options": {"include_usage": True}}


def encode(body: JsonObject) -> bytes:
    """The body as UTF-8 JSON.

    Raises:
        InvalidRequest: it holds what JSON or UTF-8 cannot: NaN, infinity, lone surrogates.
    """
    try:
        return _JSON.encode(body).encode()
    except ValueError as error:
        raise InvalidRequest("the request holds a character or number that JSON cannot") from error


def _as_stream(
    body: dict[str, JsonValue], *, kind: EngineKind, model: str | None
) -> dict[str, JsonValue]:
    if model is not None:
        body["model"] = model
    body["stream"] = True
    body.pop("stream_options", None)
    if kind.takes_usage_option:
        body["stream_options"] = {"include_usage": True}
    return body


def _message(message: ChatMessage) -> JsonObject:
    return {"role": message.role, "content": message.text}


def _sampling(sampling: Sampling, *, kind: EngineKind) -> Iterable[tuple[str, JsonValue]]:
    fields: Mapping[str, JsonValue] = {
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "top_k": sampling.top_k,
        "min_p": sampling.min_p,
        "max_tokens": sampling.max_tokens,
        "repetition_penalty": sampling.repetition_penalty,
        "presence_penalty": sampling.presence_penalty,
        "frequency_penalty": sampling.frequency_penalty,
        "seed": sampling.seed,
        "stop": list(sampling.stop) or None,
    }
    for field, value in fields.items():
        if value is not None and kind.takes(field):
            yield kind.renamed.get(field, field), value


def _tool(tool: ToolSpec) -> JsonObject:
    return {
        "type": "function",
        "function": {
            "name": tool.name,
            "description": tool.description,
            "parameters": _without_own_marks(tool.parameters),
        },
    }


def _without_own_marks(value: JsonValue) -> JsonValue:
    match value:
        case Mapping():
            return {
                key: _without_own_marks(item)
                for key, item in value.items()
                if not key.startswith(_OWN_MARK)
            }
        case list() | tuple():
            return [_without_own_marks(item) for item in value]
        case _:
            return value


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Sequence):
        return list(value)
    raise TypeError(f"{type(value).__name__} is no JSON value")


_JSON: Final = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_plain
)

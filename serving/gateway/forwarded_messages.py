"""Applies the operator's rules to a client's own request to an engine: messages and tools."""

from collections.abc import Callable, Mapping
from functools import partial

from chatbot.bot.screening import beside
from chatbot.sanitizer.sensitive import Safety, screen_json
from chatbot.types import JsonObject, JsonValue
from serving.gateway.screened_schema import screen_schema

_DESCRIBED = ("tools", "response_format")


async def screen_request(request: JsonObject, safety: Safety) -> JsonObject:
    """A rebuilt ``request`` as the engine may read it; long ones are screened in a thread.

    Raises:
        SensitiveContent: a rule forbids what the last message says, or a tool's description.
        InvalidRequest: a rule would change a tool's name, by which its calls are known.
    """
    if not safety.incoming:
        return request
    read = {name: request[name] for name in ("messages", *_DESCRIBED) if name in request}
    return await beside(len(str(read)), partial(_screen_request, request, safety))


def _screen_request(request: JsonObject, safety: Safety) -> JsonObject:
    messages = request.get("messages")
    screened = {**request}
    if isinstance(messages, list):
        screened["messages"] = _screen_all(messages, safety)
    for name in _DESCRIBED:
        if name in request:
            screened[name] = screen_schema(request[name], safety.read, param=name)
    return screened


def _screen_all(messages: list[JsonValue], safety: Safety) -> list[JsonValue]:
    last = len(messages) - 1
    return [
        _screen(message, partial(safety.read, is_last=number == last))
        for number, message in enumerate(messages)
    ]


def _screen(message: JsonValue, read: Callable[[str], str]) -> JsonValue:
    if not isinstance(message, Mapping):
        return message
    screened = {**message, "content": _content(message.get("content"), read)}
    if isinstance(calls := message.get("tool_calls"), list):
        screened["tool_calls"] = [_call(call, read) for call in calls]
    return screened


def _content(content: JsonValue, read: Callable[[str], str]) -> JsonValue:
    if isinstance(content, str):
        return read(content)
    if not isinstance(content, list):
        return content
    return [
        {**part, "text": read(part["text"])}
        if isinstance(part, Mapping) and isinstance(part.get("text"), str)
        else part
        for part in content
    ]


def _call(call: JsonValue, read: Callable[[str], str]) -> JsonValue:
    function = call.get("function") if isinstance(call, Mapping) else None
    if not isinstance(call, Mapping) or not isinstance(function, Mapping):
        return call
    arguments = function.get("arguments")
    if not isinstance(arguments, str):
        return call
    return {**call, "function": {**function, "arguments": screen_json(arguments, read)}}

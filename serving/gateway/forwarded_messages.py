"""Applies the operator's rules to the messages of a client's own request to an engine."""

from collections.abc import Callable, Mapping
from functools import partial

from anyio import to_thread

from chatbot.bot.screening import QUICK_CHARS
from chatbot.sanitizer.sensitive import Safety, screen_json
from chatbot.types import JsonValue


async def screen_messages(messages: JsonValue, safety: Safety) -> JsonValue:
    """Rebuilt ``messages`` as the engine may read them; long ones are screened in a thread.

    Raises:
        SensitiveContent: a rule forbids what the last one says.
    """
    if not safety.incoming or not isinstance(messages, list):
        return messages
    screen = partial(_screen_all, messages, safety)
    is_quick = sum(map(_length, messages)) <= QUICK_CHARS
    return screen() if is_quick else await to_thread.run_sync(screen)


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


def _length(message: JsonValue) -> int:
    return len(str(message))

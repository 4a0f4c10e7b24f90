"""Turns the messages and parameters of a request into the domain's own."""

import json
from collections.abc import Sequence

from chatbot.errors import ErrorCode, InvalidRequest
from chatbot.types import JsonObject, Message, Part, Role, Sampling, Text, ToolCall
from serving.gateway.wire import ChatCompletionBody, ContentPart, WireMessage
from serving.http.chat_wire import WireToolCall


def read_messages(messages: Sequence[WireMessage]) -> tuple[Message, ...]:
    """The conversation as the chatbot reads it.

    Raises:
        InvalidRequest: no message is the user's, or a part is not text.
    """
    if not any(message.role == "user" for message in messages):
        raise InvalidRequest("at least one message must have the role 'user'", param="messages")
    return read_history(messages)


def read_history(messages: Sequence[WireMessage]) -> tuple[Message, ...]:
    """Messages of any roles, in order.

    Raises:
        InvalidRequest: a part is not text.
    """
    return tuple(_read_message(message, number) for number, message in enumerate(messages))


def read_sampling(body: ChatCompletionBody) -> Sampling:
    """The generation parameters of the answering leg."""
    stop = (body.stop,) if isinstance(body.stop, str) else tuple(body.stop or ())
    return Sampling(
        temperature=body.temperature,
        top_p=body.top_p,
        max_tokens=body.max_completion_tokens or body.max_tokens,
        repetition_penalty=body.repetition_penalty,
        presence_penalty=body.presence_penalty,
        frequency_penalty=body.frequency_penalty,
        seed=body.seed,
        stop=stop,
    )


def refuse_part(kind: str, param: str) -> InvalidRequest:
    """The error for a message part that the model behind the request does not take."""
    return InvalidRequest(
        f"{param}: parts of type {kind!r} are not supported by this model; send text",
        param=param,
        code=ErrorCode.UNSUPPORTED_PARAMETER,
    )


def _read_message(message: WireMessage, number: int) -> Message:
    parts: list[Part] = []
    if isinstance(message.content, str):
        parts.append(Text(text=message.content))
    else:
        param = f"messages.{number}.content"
        for place, part in enumerate(message.content or ()):
            parts.append(Text(text=_read_part(part, f"{param}.{place}")))
    parts.extend(_read_call(call) for call in message.tool_calls or ())
    role: Role = "system" if message.role == "developer" else message.role
    return Message(role=role, parts=tuple(parts))


def _read_part(part: ContentPart, param: str) -> str:
    if part.type == "text" and part.text is not None:
        return part.text
    if part.type == "refusal" and part.refusal is not None:
        return part.refusal
    raise refuse_part(part.type, param)


def _read_call(call: WireToolCall) -> ToolCall:
    arguments = _read_arguments(call.function.arguments)
    return ToolCall(
        call_id=call.id, name=call.function.name, arguments=arguments, raw_arguments=arguments
    )


def _read_arguments(text: str) -> JsonObject:
    """Arguments in a history are only ever shown to a model: what is no object counts as none."""
    try:
        arguments = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return arguments if isinstance(arguments, dict) else {}

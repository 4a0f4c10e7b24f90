"""Reads the bodies of chat completions, routes and verifications: typed, within every bound."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, TypeVar

from pydantic import BaseModel

from chatbot.errors import ErrorCode, InvalidRequest
from chatbot.types import JsonObject
from serving.gateway.wire import (
    HARMLESS,
    IGNORED,
    ChatCompletionBody,
    RouteBody,
    VerificationBody,
    WireMessage,
)
from serving.http.body import validate
from serving.http.strict_json import read_json
from serving.settings import LimitsSettings

_PARTS: Final[Mapping[str, type[BaseModel]]] = MappingProxyType({"messages": WireMessage})
BodyT = TypeVar("BodyT", bound=BaseModel)


def read_chat_completion(body: bytes, limits: LimitsSettings) -> ChatCompletionBody:
    """The typed request, within every bound.

    Raises:
        InvalidRequest: ``param`` names the field at fault.
    """
    kept = {
        name: value
        for name, value in read_json(body, limits).items()
        if not (value is None or name in IGNORED or (name in HARMLESS and value in HARMLESS[name]))
    }
    request = _validate(ChatCompletionBody, kept, limits)
    _check_sampling(request, limits)
    return request


def read_route(body: bytes, limits: LimitsSettings) -> RouteBody:
    """The typed request for a decision, within every bound.

    Raises:
        InvalidRequest: ``param`` names the field at fault.
    """
    return _validate(RouteBody, read_json(body, limits), limits)


def read_verification(body: bytes, limits: LimitsSettings) -> VerificationBody:
    """The typed request to verify frames, within every bound.

    Raises:
        InvalidRequest: ``param`` names the field at fault.
    """
    request = _validate(VerificationBody, read_json(body, limits), limits)
    if (request.messages is None) == (request.text is None):
        raise InvalidRequest("send either 'messages' or 'text'", param="messages")
    if request.text is not None and len(request.text) > limits.message_chars:
        raise _too_long("text", len(request.text), limits)
    return request


def _validate(model: type[BodyT], fields: JsonObject, limits: LimitsSettings) -> BodyT:
    messages = fields.get("messages")
    if isinstance(messages, list) and len(messages) > limits.messages:
        raise InvalidRequest(
            f"{len(messages)} messages; at most {limits.messages} are allowed", param="messages"
        )
    body = validate(model, fields, parts=_PARTS)
    _check_messages(getattr(body, "messages", None) or [], limits)
    return body


def _check_messages(messages: list[WireMessage], limits: LimitsSettings) -> None:
    total_chars = total_parts = 0
    for number, message in enumerate(messages):
        param = f"messages.{number}.content"
        content = message.content
        total_parts += len(content) if isinstance(content, list) else 1
        chars = _length(message)
        total_chars += chars
        if chars > limits.message_chars:
            raise _too_long(param, chars, limits)
    if total_parts > limits.parts:
        raise InvalidRequest(f"more than {limits.parts} message parts", param="messages")
    if total_chars > limits.total_chars:
        raise InvalidRequest(
            f"the messages have {total_chars} characters; at most {limits.total_chars} fit",
            param="messages",
            code=ErrorCode.CONTEXT_LENGTH_EXCEEDED,
        )


def _too_long(param: str, chars: int, limits: LimitsSettings) -> InvalidRequest:
    return InvalidRequest(
        f"{param} has {chars} characters; at most {limits.message_chars} fit",
        param=param,
        code=ErrorCode.CONTEXT_LENGTH_EXCEEDED,
    )


def _length(message: WireMessage) -> int:
    calls = sum(len(call.function.arguments) for call in message.tool_calls or ())
    if message.content is None or isinstance(message.content, str):
        return calls + len(message.content or "")
    return calls + sum(len(part.text or "") for part in message.content)


def _check_sampling(request: ChatCompletionBody, limits: LimitsSettings) -> None:
    for field in ("max_tokens", "max_completion_tokens"):
        value = getattr(request, field)
        if value is not None and value > limits.max_tokens:
            raise InvalidRequest(f"{field} is at most {limits.max_tokens}", param=field)
    stops = [request.stop] if isinstance(request.stop, str) else request.stop or []
    if len(stops) > limits.stop_sequences:
        raise InvalidRequest(f"stop has at most {limits.stop_sequences} entries", param="stop")
    if any(not stop or len(stop) > limits.stop_chars for stop in stops):
        raise InvalidRequest(
            f"an entry of stop has 1 to {limits.stop_chars} characters", param="stop"
        )
    if len(request.tools or ()) > limits.client_tools:
        raise InvalidRequest(f"tools has at most {limits.client_tools} entries", param="tools")

"""Reads a request into a typed body: capped while it arrives, strict, within every bound."""

import difflib
from typing import Final, TypeVar

import anyio
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails
from starlette.requests import ClientDisconnect, Request

from chatbot.errors import ErrorCode, InvalidRequest
from chatbot.types import JsonObject, JsonValue
from serving.gateway.errors import BodyTooLarge, BodyTooSlow
from serving.gateway.strict_json import read_json
from serving.gateway.wire import HARMLESS, IGNORED, ChatCompletionBody, RouteBody, WireMessage
from serving.settings import LimitsSettings

_PASSED_OVER: Final = 16
"""How many times ``body_bytes`` are read of a body that is too large."""
_ALIKE: Final = 0.7
"""How alike two names of fields are, from 0 to 1, so that one can be a slip for the other."""
BodyT = TypeVar("BodyT", bound=BaseModel)


async def read_body(request: Request, limits: LimitsSettings) -> bytes:
    """The request's body, never more than ``body_bytes`` of it.

    A larger one is read to its end but not kept, up to a bound: a reply to a client that is still
    sending would be lost with the reset of its connection.

    Raises:
        BodyTooLarge: it is announced or found to be larger.
        BodyTooSlow: it did not arrive in time.
        ClientDisconnect: the client left before its end.
    """
    announced = request.headers.get("content-length", "0")
    expected = int(announced) if announced.isdigit() else 0
    most = _PASSED_OVER * limits.body_bytes
    is_too_large = expected > limits.body_bytes
    if expected > most or (is_too_large and "expect" in request.headers):
        raise BodyTooLarge(limits.body_bytes)
    body, size = bytearray(), 0
    with anyio.move_on_after(limits.body_s):
        while size <= most:
            message = await request.receive()
            if message["type"] == "http.disconnect":
                raise ClientDisconnect
            piece = message.get("body", b"")
            size += len(piece)
            is_too_large = is_too_large or size > limits.body_bytes
            if not is_too_large:
                body += piece
            if not message.get("more_body", False):
                break
        if not is_too_large:
            return bytes(body)
    raise BodyTooLarge(limits.body_bytes) if is_too_large else BodyTooSlow(limits.body_s)


def read_chat_completion(body: bytes, limits: LimitsSettings) -> ChatCompletionBody:
    """The typed request, within every bound.

    Raises:
        InvalidRequest: ``param`` names the field at fault.
    """
    fields = {name: value for name, value in read_json(body, limits).items() if value is not None}
    kept = {name: value for name, value in fields.items() if not _asks_for_nothing(name, value)}
    request = _validate(ChatCompletionBody, kept, limits)
    _check_sampling(request, limits)
    return request


def read_route(body: bytes, limits: LimitsSettings) -> RouteBody:
    """The typed request for a decision, within every bound.

    Raises:
        InvalidRequest: ``param`` names the field at fault.
    """
    return _validate(RouteBody, read_json(body, limits), limits)


def _asks_for_nothing(name: str, value: JsonValue) -> bool:
    return name in IGNORED or value in HARMLESS.get(name, ())


def _validate(model: type[BodyT], fields: JsonObject, limits: LimitsSettings) -> BodyT:
    messages = fields.get("messages")
    if isinstance(messages, list) and len(messages) > limits.messages:
        raise InvalidRequest(
            f"{len(messages)} messages; at most {limits.messages} are allowed", param="messages"
        )
    try:
        body = model.model_validate(fields)
    except ValidationError as error:
        raise _as_invalid(error.errors(include_url=False, include_input=False)[0], model) from error
    _check_messages(getattr(body, "messages", []), limits)
    return body


def _as_invalid(detail: ErrorDetails, model: type[BaseModel]) -> InvalidRequest:
    """What the client reads of a field at fault; unknown fields name the nearest known one."""
    path = [str(step) for step in detail["loc"] if not _is_type_name(str(step))]
    param = ".".join(path)
    if detail["type"] != "extra_forbidden":
        return InvalidRequest(f"{param or 'the body'}: {detail['msg']}", param=param or None)
    known = list(WireMessage.model_fields if path[0] == "messages" else model.model_fields)
    near = difflib.get_close_matches(path[-1], known, n=1, cutoff=_ALIKE)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return InvalidRequest(
        f"{param!r} is not supported{hint}", param=param, code=ErrorCode.UNSUPPORTED_PARAMETER
    )


def _is_type_name(step: str) -> bool:
    """Whether a step of an error's path is the arm of a union and not a field."""
    return "[" in step or step in {"str", "dict", "list"}


def _check_messages(messages: list[WireMessage], limits: LimitsSettings) -> None:
    total_chars = total_parts = 0
    for number, message in enumerate(messages):
        param = f"messages.{number}.content"
        content = message.content
        total_parts += len(content) if isinstance(content, list) else 1
        chars = _length(message)
        total_chars += chars
        if chars > limits.message_chars:
            limit = limits.message_chars
            raise InvalidRequest(
                f"{param} has {chars} characters; at most {limit} fit",
                param=param,
                code=ErrorCode.CONTEXT_LENGTH_EXCEEDED,
            )
    if total_parts > limits.parts:
        raise InvalidRequest(f"more than {limits.parts} message parts", param="messages")
    if total_chars > limits.total_chars:
        raise InvalidRequest(
            f"the messages have {total_chars} characters; at most {limits.total_chars} fit",
            param="messages",
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

"""Reads a request's body: capped while it arrives, strict, into a typed value."""

import difflib
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from types import MappingProxyType
from typing import Annotated, Final, TypeAlias, TypeVar

import anyio
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails
from starlette.requests import ClientDisconnect, Request

from chatbot.errors import ErrorCode, InvalidRequest
from chatbot.types import JsonObject
from serving.http.direct import has_whole_request
from serving.http.errors import BodyTooLarge, BodyTooSlow
from serving.settings import LimitsSettings

_PASSED_OVER: Final = 16
"""How many times ``body_bytes`` are read of a body that is too large."""
_ALIKE: Final = 0.7
"""How alike two names of fields are, from 0 to 1, so that one can be a slip for the other."""
_NONE: Final[Mapping[str, type[BaseModel]]] = MappingProxyType({})
BodyT = TypeVar("BodyT", bound=BaseModel)


def as_number(value: object) -> object:
    """Let a whole number stand for a decimal one, but neither text nor truth value."""
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


Number: TypeAlias = Annotated[float, BeforeValidator(as_number), Field(strict=True)]


class Body(BaseModel):
    """Anything a client sends: frozen, strict, closed against unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


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
    body, size, is_whole = bytearray(), 0, False
    with _limit(request, limits):
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
                is_whole = True
                break
    if is_too_large:
        raise BodyTooLarge(limits.body_bytes)
    if not is_whole:
        raise BodyTooSlow(limits.body_s)
    return bytes(body)


def _limit(request: Request, limits: LimitsSettings) -> AbstractContextManager[object, bool | None]:
    """The time for a body, where any of it is still to come."""
    is_here = has_whole_request(request.scope)
    return nullcontext() if is_here else anyio.move_on_after(limits.body_s)


def validate(
    model: type[BodyT], fields: JsonObject, *, parts: Mapping[str, type[BaseModel]] = _NONE
) -> BodyT:
    """The typed value of ``fields``; ``parts`` are the models of nested fields, for their names.

    Raises:
        InvalidRequest: ``param`` names the field at fault; an unknown one names the nearest known.
    """
    try:
        return model.model_validate(fields)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise _as_invalid(first, model, parts) from error


def _as_invalid(
    detail: ErrorDetails, model: type[BaseModel], parts: Mapping[str, type[BaseModel]]
) -> InvalidRequest:
    is_unknown = detail["type"] == "extra_forbidden"
    steps = [str(step) for step in detail["loc"]]
    names = steps[-1:] if is_unknown else []  # a client's own word, whatever it looks like
    path = [step for step in steps[: len(steps) - len(names)] if not _is_type_name(step)] + names
    param = ".".join(path)
    if not is_unknown:
        return InvalidRequest(f"{param or 'the body'}: {detail['msg']}", param=param or None)
    known = list(parts.get(path[0], model).model_fields)
    near = difflib.get_close_matches(path[-1], known, n=1, cutoff=_ALIKE)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return InvalidRequest(
        f"{param!r} is not supported{hint}", param=param, code=ErrorCode.UNSUPPORTED_PARAMETER
    )


def _is_type_name(step: str) -> bool:
    """Whether a step of an error's path is the arm of a union and not a field."""
    return "[" in step or step in {"str", "dict", "list"}

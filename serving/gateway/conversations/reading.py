"""Reads the bodies and queries of the Chat API: typed, within every bound."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, TypeAlias, TypeVar

from pydantic import BaseModel
from starlette.requests import Request

from chatbot.bot.switch import FORCE_DEFAULT
from chatbot.errors import ErrorCode, InvalidRequest
from chatbot.sanitizer import map_frame_characters
from serving.gateway.conversations.wire import (
    COMMENT_CHARS,
    ChangeBody,
    ConversationBody,
    FeedbackBody,
    MessageBody,
    ParametersBody,
)
from serving.gateway.services import Services
from serving.gateway.tool_choice import allowed_tools, check_tools
from serving.http.body import Body, read_body, validate
from serving.http.strict_json import read_json

LONGEST_PAGE: Final = 100
PAGE: Final = 30
_DIGITS: Final = 9
_CURSOR_CHARS: Final = 256
_PARTS: Final[Mapping[str, type[BaseModel]]] = MappingProxyType({"parameters": ParametersBody})
BodyT = TypeVar("BodyT", bound=Body)
TitledT = TypeVar("TitledT", ConversationBody, ChangeBody)

Schemas: TypeAlias = Mapping[str, Mapping[str, object]]

LISTING: Final[Schemas] = MappingProxyType({
    "q": {"type": "string", "description": "words that title or texts contain"},
    "cursor": {
        "type": "string",
        "maxLength": _CURSOR_CHARS,
        "description": "`next_cursor` of the page before",
    },
    "limit": {"type": "integer", "minimum": 1, "maximum": LONGEST_PAGE, "default": PAGE},
})
"""The query of `read_listing`, as JSON schemas."""
AFTER: Final[Schemas] = MappingProxyType({
    "after": {"type": "integer", "minimum": 0, "description": "number of the last event read"}
})
"""The query of `read_after`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Listing:
    """Which conversations a client wants to see."""

    query: str | None
    cursor: str | None
    limit: int


async def read_conversation(request: Request, services: Services) -> ConversationBody:
    """What a new conversation shall be like.

    Raises:
        InvalidRequest: ``param`` names the field at fault.
    """
    return await _read_titled(request, services, ConversationBody)


async def read_change(request: Request, services: Services) -> ChangeBody:
    """What shall change in a conversation.

    Raises:
        InvalidRequest: ``param`` names the field at fault.
    """
    return await _read_titled(request, services, ChangeBody)


async def read_message(request: Request, services: Services) -> MessageBody:
    """A new message; what of its text could pass for one of our frames is mapped.

    Raises:
        InvalidRequest: ``param`` names the field at fault.
    """
    body = await _read(request, services, MessageBody)
    known = allowed_tools(request)
    _check_parameters(body.parameters, services, known)
    check_tools(body.tools or (), known, param="tools")
    if body.force is not None:
        check_tools((body.force,), (FORCE_DEFAULT, *known), param="force")
    if body.text is None:
        return body
    text = map_frame_characters(body.text)
    _check_length(text, services.settings.chat.text_chars, param="text")
    if not text.strip():
        raise InvalidRequest("text must not be empty", param="text")
    return body.model_copy(update={"text": text})


async def read_feedback(request: Request, services: Services) -> FeedbackBody:
    """What a person thinks of an answer.

    Raises:
        InvalidRequest: ``param`` names the field at fault.
    """
    body = await _read(request, services, FeedbackBody)
    if body.comment is None:
        return body
    comment = map_frame_characters(body.comment)
    _check_length(comment, COMMENT_CHARS, param="comment")
    return body.model_copy(update={"comment": comment})


def read_listing(request: Request, services: Services) -> Listing:
    """Which conversations are asked for, in the query of the address.

    Raises:
        InvalidRequest: ``param`` names the field at fault.
    """
    query = request.query_params.get("q", "").strip()
    _check_length(query, services.settings.chat.query_chars, param="q")
    cursor = request.query_params.get("cursor")
    _check_length(cursor or "", _CURSOR_CHARS, param="cursor")
    limit = _read_number(request, "limit")
    if limit is not None and not 1 <= limit <= LONGEST_PAGE:
        raise InvalidRequest(f"limit is 1 to {LONGEST_PAGE}", param="limit")
    return Listing(query=query or None, cursor=cursor or None, limit=limit or PAGE)


def read_after(request: Request) -> int | None:
    """The number of the last event that the client has read, if it has read one.

    Raises:
        InvalidRequest: it is no number.
    """
    return _read_number(request, "after")


async def _read_titled(request: Request, services: Services, model: type[TitledT]) -> TitledT:
    body = await _read(request, services, model)
    _check_parameters(body.parameters, services, allowed_tools(request))
    return body.model_copy(update={"title": _read_title(body.title, services)})


async def _read(request: Request, services: Services, model: type[BodyT]) -> BodyT:
    limits = services.settings.limits
    body = await read_body(request, limits)
    return validate(model, read_json(body or b"{}", limits), parts=_PARTS)


def _read_number(request: Request, name: str) -> int | None:
    text = request.query_params.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit()) or len(text) > _DIGITS:
        raise InvalidRequest(f"{name} must be a whole number", param=name)
    return int(text)


def _read_title(title: str | None, services: Services) -> str | None:
    """A person's own title: one line, no frame character, as rules for messages have it."""
    if title is None:
        return None
    line = services.chatbot.safety.read(map_frame_characters(" ".join(title.split())))
    _check_length(line, services.settings.chat.title_chars, param="title")
    if not line:
        raise InvalidRequest("title must not be empty", param="title")
    return line


def _check_parameters(
    parameters: ParametersBody | None, services: Services, known: Sequence[str]
) -> None:
    if parameters is None:
        return
    most = services.settings.limits.max_tokens
    if parameters.max_tokens is not None and parameters.max_tokens > most:
        raise InvalidRequest(f"max_tokens is at most {most}", param="parameters.max_tokens")
    longest = services.settings.chat.system_prompt_chars
    _check_length(parameters.system_prompt or "", longest, param="parameters.system_prompt")
    check_tools(parameters.tools or (), known, param="parameters.tools")


def _check_length(text: str, longest: int, *, param: str) -> None:
    if len(text) > longest:
        is_prompt = param in {"text", "parameters.system_prompt"}
        raise InvalidRequest(
            f"{param} has {len(text)} characters; at most {longest} fit",
            param=param,
            code=ErrorCode.CONTEXT_LENGTH_EXCEEDED if is_prompt else None,
        )

"""What each route answers, for the OpenAPI document: status, media types, the error object."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from chatbot.errors import ERROR_SHAPES

JSON: Final = "application/json"
EVENTS: Final = "text/event-stream"
_SHEET: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_TEXT: Final[Mapping[str, object]] = MappingProxyType({"type": "string"})
_OBJECT: Final[Mapping[str, object]] = MappingProxyType({"type": "object"})
_NULLABLE: Final = ("string", "null")


@dataclass(frozen=True, kw_only=True, slots=True)
class DocumentedReply:
    """The reply of a request that succeeds; without ``media`` it has no body."""

    status: int = 200
    media: tuple[str, ...] = (JSON,)


_NOTHING: Final = DocumentedReply(status=204, media=())
_MADE: Final = DocumentedReply(status=201)
_STREAMABLE: Final = DocumentedReply(media=(JSON, EVENTS))
_EXPORT: Final = DocumentedReply(media=(_SHEET, "text/csv", JSON, "text/markdown"))
_USAGE: Final = DocumentedReply(media=(JSON, "text/csv", _SHEET))
_CONVERSATION: Final = "/api/conversations/{conversation_id}"
_MESSAGE: Final = f"{_CONVERSATION}/messages/{{message_id}}"

REPLIES: Final[Mapping[str, DocumentedReply]] = MappingProxyType({
    "POST /v1/chat/completions": _STREAMABLE,
    "GET /api/me/data": DocumentedReply(media=("application/zip",)),
    "DELETE /api/me": _NOTHING,
    "GET /api/usage": _USAGE,
    "GET /v1/usage": _USAGE,
    "POST /api/conversations": _MADE,
    "POST /api/keys": _MADE,
    "DELETE /api/keys/{key_id}": _NOTHING,
    "POST /api/keys/{key_id}/rotate": _MADE,
    f"DELETE {_CONVERSATION}": _NOTHING,
    f"POST {_CONVERSATION}/messages": DocumentedReply(media=(EVENTS,)),
    f"GET {_MESSAGE}/events": DocumentedReply(media=(EVENTS,)),
    f"POST {_MESSAGE}/stop": _NOTHING,
    f"PUT {_MESSAGE}/feedback": _NOTHING,
    f"GET {_CONVERSATION}/export": _EXPORT,
    "GET /api/export": _EXPORT,
    "GET /images/{link}": DocumentedReply(media=("image/png", "image/jpeg", "image/webp")),
    "POST /api/users": _MADE,
    "POST /api/groups": _MADE,
    "GET /metrics": DocumentedReply(media=("text/plain",)),
})
"""By method and path; every other route answers 200 with a JSON object."""

ERROR: Final[Mapping[str, object]] = MappingProxyType({
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["type", "code", "message", "param", "request_id"],
            "properties": {
                "type": {"type": "string", "enum": sorted({s.type for s in ERROR_SHAPES.values()})},
                "code": {"type": "string", "enum": sorted(code.value for code in ERROR_SHAPES)},
                "message": {"type": "string"},
                "param": {"type": list(_NULLABLE), "description": "the field at fault"},
                "request_id": {"type": "string", "description": "as in `x-request-id` and the log"},
            },
        }
    },
})
"""The schema of every error, which is OpenAI's object with the request's id."""


def document_replies(method: str, path: str) -> dict[str, Any]:  # Any: OpenAPI's own form
    """The ``responses`` of an operation; whatever is no success has the error object."""
    reply = REPLIES.get(f"{method} {path}", DocumentedReply())
    told: dict[str, Any] = {"description": "Done."}
    if reply.media:
        told["content"] = {one: {"schema": dict(_schema(one))} for one in reply.media}
    failed = {JSON: {"schema": {"$ref": "#/components/schemas/Error"}}}
    return {
        str(reply.status): told,
        "default": {"description": "What went wrong, and what to do now.", "content": failed},
    }


def _schema(media: str) -> Mapping[str, object]:
    return _OBJECT if media == JSON else _TEXT

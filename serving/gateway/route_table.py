"""Every route of the gateway in one table, with the body that it reads."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from pydantic import BaseModel

from serving.gateway.attribution import verify_attribution
from serving.gateway.chat_completions import create_chat_completion
from serving.gateway.conversations.conversation_routes import (
    change_conversation,
    create_conversation,
    delete_conversation,
    get_conversation,
    list_conversations,
)
from serving.gateway.conversations.message_routes import (
    create_message,
    get_events,
    rate_message,
    stop_message,
)
from serving.gateway.conversations.reading import AFTER, LISTING, Schemas
from serving.gateway.conversations.wire import (
    ChangeBody,
    ConversationBody,
    FeedbackBody,
    MessageBody,
)
from serving.gateway.docs import show_docs, show_home
from serving.gateway.exports.import_wire import ExportedDocument
from serving.gateway.exports.importing import import_conversations
from serving.gateway.exports.routes import CHOICES, export_all, export_conversation
from serving.gateway.health import report_metrics, report_readiness
from serving.gateway.image_generations import create_images
from serving.gateway.image_wire import ImagesBody
from serving.gateway.images import get_image
from serving.gateway.models import get_model, list_models
from serving.gateway.route import decide_route
from serving.gateway.tools import get_me, list_tools
from serving.gateway.wire import ChatCompletionBody, RouteBody, VerificationBody
from serving.http.health import report_life


@dataclass(frozen=True, kw_only=True, slots=True)
class Route:
    """One row of the table; ``body`` and ``query`` are read by the route itself, within bounds."""

    path: str
    endpoint: Callable[..., object]
    method: str = "GET"
    body: type[BaseModel] | None = None
    query: Schemas | None = None
    is_shown: bool = True


_CONVERSATIONS: Final = "/api/conversations"
_CONVERSATION: Final = f"{_CONVERSATIONS}/{{conversation_id}}"
_MESSAGES: Final = f"{_CONVERSATION}/messages"

ROUTES: Final = (
    Route(
        path="/v1/chat/completions",
        endpoint=create_chat_completion,
        method="POST",
        body=ChatCompletionBody,
    ),
    Route(path="/v1/images/generations", endpoint=create_images, method="POST", body=ImagesBody),
    Route(path="/v1/models", endpoint=list_models),
    Route(path="/v1/models/{model_id:path}", endpoint=get_model),
    Route(
        path="/v1/attribution/verify",
        endpoint=verify_attribution,
        method="POST",
        body=VerificationBody,
    ),
    Route(path="/api/route", endpoint=decide_route, method="POST", body=RouteBody),
    Route(path="/api/tools", endpoint=list_tools),
    Route(path="/api/me", endpoint=get_me),
    Route(path=_CONVERSATIONS, endpoint=create_conversation, method="POST", body=ConversationBody),
    Route(path=_CONVERSATIONS, endpoint=list_conversations, query=LISTING),
    Route(path=_CONVERSATION, endpoint=get_conversation),
    Route(path=_CONVERSATION, endpoint=change_conversation, method="PATCH", body=ChangeBody),
    Route(path=_CONVERSATION, endpoint=delete_conversation, method="DELETE"),
    Route(path=_MESSAGES, endpoint=create_message, method="POST", body=MessageBody),
    Route(path=f"{_MESSAGES}/{{message_id}}/stop", endpoint=stop_message, method="POST"),
    Route(path=f"{_MESSAGES}/{{message_id}}/events", endpoint=get_events, query=AFTER),
    Route(
        path=f"{_MESSAGES}/{{message_id}}/feedback",
        endpoint=rate_message,
        method="PUT",
        body=FeedbackBody,
    ),
    Route(path=f"{_CONVERSATION}/export", endpoint=export_conversation, query=CHOICES),
    Route(path="/api/export", endpoint=export_all, query=CHOICES),
    Route(path="/api/import", endpoint=import_conversations, method="POST", body=ExportedDocument),
    Route(path="/images/{link}", endpoint=get_image),
    Route(path="/livez", endpoint=report_life),
    Route(path="/readyz", endpoint=report_readiness),
    Route(path="/metrics", endpoint=report_metrics),
    Route(path="/docs", endpoint=show_docs, is_shown=False),
)
HOME = Route(path="/", endpoint=show_home, is_shown=False)
"""What stands at `/` where there is no web chat."""
OPENAPI = "/openapi.json"
"""FastAPI's own route."""

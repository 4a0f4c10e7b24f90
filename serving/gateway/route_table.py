"""Every route of the gateway in one table, with the body that it reads."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from pydantic import BaseModel

from serving.auth.scopes import Scope, Scopes
from serving.gateway.admin.asking import FAILURES, LISTING as NAMES
from serving.gateway.admin.engines import list_engines
from serving.gateway.admin.failures import list_failures
from serving.gateway.admin.groups import add_group, change_group, list_groups
from serving.gateway.admin.users import add_user, change_user, list_users
from serving.gateway.admin.wire import GroupBody, GroupChange, UserBody, UserChange
from serving.gateway.attribution import verify_attribution
from serving.gateway.authorization import ANY_KEY, PUBLIC
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
from serving.gateway.key_wire import KeyBody, RotationBody
from serving.gateway.keys import create_key, list_keys, revoke_key, rotate_key
from serving.gateway.models import get_model, list_models
from serving.gateway.notices.routes import (
    ACCESSIBILITY,
    PRIVACY,
    show_accessibility,
    show_privacy,
)
from serving.gateway.person import delete_me, export_me
from serving.gateway.person_wire import DeletionBody
from serving.gateway.route import decide_route
from serving.gateway.sign_in.oidc_routes import begin_oidc, finish_oidc
from serving.gateway.sign_in.routes import (
    change_password,
    delete_account,
    set_password,
    show_account,
    show_new_password,
    show_sign_in,
    sign_in,
    sign_out,
)
from serving.gateway.tools import get_me, list_tools
from serving.gateway.usage import USAGE, get_usage
from serving.gateway.wire import ChatCompletionBody, RouteBody, VerificationBody
from serving.http.health import report_life


@dataclass(frozen=True, kw_only=True, slots=True)
class Route:
    """One row of the table; ``body`` and ``query`` are read by the route itself, within bounds.

    ``scopes``: a key needs one of them; `PUBLIC` needs none. ``needs_body``: no body is not as
    good as an empty object. ``is_repeatable``: it takes an `Idempotency-Key`.
    """

    path: str
    endpoint: Callable[..., object]
    scopes: Scopes
    method: str = "GET"
    body: type[BaseModel] | None = None
    needs_body: bool = True
    query: Schemas | None = None
    is_shown: bool = True
    is_repeatable: bool = False


_CHAT: Final[Scopes] = frozenset({Scope.CHAT})
_MODELS: Final[Scopes] = frozenset({Scope.CHAT, Scope.ENGINES})
"""The routed chatbot needs the one, an engine by its name the other; the route sees to it."""
_ADMIN: Final[Scopes] = frozenset({Scope.ADMIN})
_CONVERSATIONS: Final = "/api/conversations"
_CONVERSATION: Final = f"{_CONVERSATIONS}/{{conversation_id}}"
_MESSAGES: Final = f"{_CONVERSATION}/messages"

SIGN_IN: Final = tuple(
    Route(path=path, endpoint=endpoint, scopes=PUBLIC, method=method, is_shown=False)
    for path, method, endpoint in (
        ("/sign-in", "GET", show_sign_in),
        ("/sign-in", "POST", sign_in),
        ("/sign-in/oidc", "GET", begin_oidc),
        ("/sign-in/oidc/callback", "GET", finish_oidc),
        ("/sign-in/password", "GET", show_new_password),
        ("/sign-in/password", "POST", set_password),
        ("/sign-out", "POST", sign_out),
        ("/account", "GET", show_account),
        ("/account/password", "POST", change_password),
        ("/account/delete", "POST", delete_account),
    )
)
"""Pages for people, which see to it themselves who is there."""

_ADMINISTRATION: Final = (
    Route(path="/api/users", endpoint=list_users, scopes=_ADMIN, query=NAMES),
    Route(path="/api/users", endpoint=add_user, scopes=_ADMIN, method="POST", body=UserBody),
    Route(
        path="/api/users/{user_name}",
        endpoint=change_user,
        scopes=_ADMIN,
        method="PATCH",
        body=UserChange,
    ),
    Route(path="/api/groups", endpoint=list_groups, scopes=_ADMIN, query=NAMES),
    Route(path="/api/groups", endpoint=add_group, scopes=_ADMIN, method="POST", body=GroupBody),
    Route(
        path="/api/groups/{group_name}",
        endpoint=change_group,
        scopes=_ADMIN,
        method="PATCH",
        body=GroupChange,
    ),
    Route(path="/api/engines", endpoint=list_engines, scopes=_ADMIN),
    Route(path="/api/errors", endpoint=list_failures, scopes=_ADMIN, query=FAILURES),
    Route(path="/metrics", endpoint=report_metrics, scopes=_ADMIN),
)

ROUTES: Final = (
    Route(
        path="/v1/chat/completions",
        endpoint=create_chat_completion,
        scopes=_MODELS,
        method="POST",
        body=ChatCompletionBody,
        is_repeatable=True,
    ),
    Route(
        path="/v1/images/generations",
        endpoint=create_images,
        scopes=frozenset({Scope.IMAGES}),
        method="POST",
        body=ImagesBody,
        is_repeatable=True,
    ),
    Route(path="/v1/models", endpoint=list_models, scopes=ANY_KEY),
    Route(path="/v1/models/{model_id:path}", endpoint=get_model, scopes=ANY_KEY),
    Route(
        path="/v1/attribution/verify",
        endpoint=verify_attribution,
        scopes=_CHAT,
        method="POST",
        body=VerificationBody,
    ),
    Route(path="/api/route", endpoint=decide_route, scopes=_CHAT, method="POST", body=RouteBody),
    Route(path="/api/tools", endpoint=list_tools, scopes=_CHAT),
    Route(path="/api/me", endpoint=get_me, scopes=ANY_KEY),
    Route(path="/api/me/data", endpoint=export_me, scopes=_CHAT),
    Route(path="/api/me", endpoint=delete_me, scopes=_CHAT, method="DELETE", body=DeletionBody),
    Route(path="/api/usage", endpoint=get_usage, scopes=ANY_KEY, query=USAGE),
    Route(path="/v1/usage", endpoint=get_usage, scopes=ANY_KEY, query=USAGE),
    Route(
        path=_CONVERSATIONS,
        endpoint=create_conversation,
        scopes=_CHAT,
        method="POST",
        body=ConversationBody,
        needs_body=False,
    ),
    Route(path="/api/keys", endpoint=list_keys, scopes=ANY_KEY),
    Route(path="/api/keys", endpoint=create_key, scopes=ANY_KEY, method="POST", body=KeyBody),
    Route(path="/api/keys/{key_id}", endpoint=revoke_key, scopes=ANY_KEY, method="DELETE"),
    Route(
        path="/api/keys/{key_id}/rotate",
        endpoint=rotate_key,
        scopes=ANY_KEY,
        method="POST",
        body=RotationBody,
    ),
    Route(path=_CONVERSATIONS, endpoint=list_conversations, scopes=_CHAT, query=LISTING),
    Route(path=_CONVERSATION, endpoint=get_conversation, scopes=_CHAT),
    Route(
        path=_CONVERSATION,
        endpoint=change_conversation,
        scopes=_CHAT,
        method="PATCH",
        body=ChangeBody,
    ),
    Route(path=_CONVERSATION, endpoint=delete_conversation, scopes=_CHAT, method="DELETE"),
    Route(
        path=_MESSAGES,
        endpoint=create_message,
        scopes=_CHAT,
        method="POST",
        body=MessageBody,
        is_repeatable=True,
    ),
    Route(
        path=f"{_MESSAGES}/{{message_id}}/stop", endpoint=stop_message, scopes=_CHAT, method="POST"
    ),
    Route(
        path=f"{_MESSAGES}/{{message_id}}/events", endpoint=get_events, scopes=_CHAT, query=AFTER
    ),
    Route(
        path=f"{_MESSAGES}/{{message_id}}/feedback",
        endpoint=rate_message,
        scopes=_CHAT,
        method="PUT",
        body=FeedbackBody,
    ),
    Route(
        path=f"{_CONVERSATION}/export", endpoint=export_conversation, scopes=_CHAT, query=CHOICES
    ),
    Route(path="/api/export", endpoint=export_all, scopes=_CHAT, query=CHOICES),
    Route(
        path="/api/import",
        endpoint=import_conversations,
        scopes=_CHAT,
        method="POST",
        body=ExportedDocument,
    ),
    Route(path="/images/{link}", endpoint=get_image, scopes=PUBLIC),
    Route(path="/livez", endpoint=report_life, scopes=PUBLIC),
    Route(path="/readyz", endpoint=report_readiness, scopes=PUBLIC),
    *_ADMINISTRATION,
    *SIGN_IN,
    Route(path=PRIVACY, endpoint=show_privacy, scopes=PUBLIC, is_shown=False),
    Route(path=ACCESSIBILITY, endpoint=show_accessibility, scopes=PUBLIC, is_shown=False),
    Route(path="/docs", endpoint=show_docs, scopes=PUBLIC, is_shown=False),
)
HOME = Route(path="/", endpoint=show_home, scopes=PUBLIC, is_shown=False)
"""What stands at `/` where there is no web chat."""
OPENAPI = "/openapi.json"
"""FastAPI's own route."""

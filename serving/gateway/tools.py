"""`GET /api/tools` and `GET /api/me`: what this chatbot can do, and within which bounds."""

from starlette.requests import Request
from starlette.responses import Response

from chatbot.tools import Tool
from chatbot.types import JsonValue
from serving.auth.scopes import Scope, list_scopes
from serving.gateway.authorization import caller_of
from serving.gateway.budgets import bounds_of
from serving.gateway.chat_completions import engines_for
from serving.gateway.completion import encode
from serving.gateway.conversations.wire import COMMENT_CHARS
from serving.gateway.events import as_json
from serving.gateway.remaining import describe_limits
from serving.gateway.services import services_of
from serving.gateway.tool_choice import allowed_tools
from serving.settings import ChatSettings, LimitsSettings


async def list_tools(request: Request) -> Response:
    """Every enabled tool that the caller may use, with its parameters and examples."""
    registry = services_of(request).chatbot.tools
    tools: list[JsonValue] = [tool_fields(registry.get(name)) for name in allowed_tools(request)]
    return Response(encode({"tools": tools}), media_type="application/json")


async def get_me(request: Request) -> Response:
    """The account behind the request, what its key opens, and the bounds of every parameter.

    `key` is the public id of the key; null on a server without keys. `engines` and `tools` are
    those that can be named. `limits` are those of use, with what was used, what is left and when
    they are whole or renewed; money is in millionths of `currency`, `group` names what its
    members share.
    """
    services, caller = services_of(request), caller_of(request)
    bounds = bounds_of(caller.account, caller.limits.quotas, caller.groups)
    (limits,) = await describe_limits(services, [bounds])
    callable_here = engines_for(caller.limits, services) if Scope.ENGINES in caller.scopes else ()
    fields: dict[str, JsonValue] = {
        "account": caller.account,
        "name": caller.name,
        "key": caller.key_id,
        "expires_at": None if caller.ends_at is None else as_json(caller.ends_at),
        "scopes": [*list_scopes(caller.scopes)],
        "groups": [group.name for group in caller.groups],
        "engines": [*callable_here],
        "tools": [*allowed_tools(request)] if Scope.CHAT in caller.scopes else [],
        "limits": limits,
        "currency": services.settings.billing.currency,
        "bounds": {
            **_bounds(services.settings.limits),
            **_chat_bounds(services.settings.chat),
        },
    }
    return Response(encode(fields), media_type="application/json")


def tool_fields(tool: Tool) -> dict[str, JsonValue]:
    """A tool as pages and terminals show it."""
    return {
        "name": tool.spec.name,
        "title": tool.spec.title,
        "description": tool.spec.description,
        "examples": list(tool.spec.examples),
        "parameters": as_json(tool.spec.parameters),
        "enabled": True,
    }


def _bounds(limits: LimitsSettings) -> dict[str, JsonValue]:
    return {
        "messages": {"max": limits.messages},
        "message_chars": {"max": limits.message_chars},
        "total_chars": {"max": limits.total_chars},
        "body_bytes": {"max": limits.body_bytes},
        "max_tokens": {"min": 1, "max": limits.max_tokens},
        "temperature": {"min": 0, "max": 2},
        "top_p": {"min": 0, "max": 1},
        "presence_penalty": {"min": -2, "max": 2},
        "frequency_penalty": {"min": -2, "max": 2},
        "repetition_penalty": {"min": 0, "max": 2},
        "stop": {"max": limits.stop_sequences, "max_chars": limits.stop_chars},
        "n": {"min": 1, "max": 1},
    }


def _chat_bounds(chat: ChatSettings) -> dict[str, JsonValue]:
    """Those of the Chat API."""
    return {
        "conversations": {"max": chat.conversations},
        "conversation_messages": {"max": chat.messages},
        "text_chars": {"max": chat.text_chars},
        "system_prompt_chars": {"max": chat.system_prompt_chars},
        "title_chars": {"max": chat.title_chars},
        "query_chars": {"max": chat.query_chars},
        "comment_chars": {"max": COMMENT_CHARS},
        "import_bytes": {"max": chat.import_bytes},
    }

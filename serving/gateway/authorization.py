"""Lets a request through to its route where its key has the scope that the route names."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from starlette.requests import Request

from serving.auth.caller import Caller
from serving.auth.scopes import Scope, Scopes
from serving.gateway.presence import identify
from serving.gateway.services import services_of
from serving.http.origin import SAFE, check_keyless, check_own_origin
from serving.http.request_scope import ACCOUNT, KEY_ID

PUBLIC: Final[Scopes] = frozenset()
"""The scopes of a route that needs no key."""
ANY_KEY: Final[Scopes] = frozenset(Scope)
"""The scopes of a route that every key opens."""
_CALLER: Final = "zwrotnica.caller"


def guard(endpoint: Callable[..., Any], scopes: Scopes) -> Callable[..., Any]:  # Any: FastAPI's
    """``endpoint`` for callers with one of ``scopes`` alone; before it reads anything of a body.

    It keeps its signature, by which FastAPI knows what to hand over.
    """
    if scopes == PUBLIC:
        return endpoint

    @wraps(endpoint)
    async def guarded(request: Request, **parameters: str) -> Any:  # noqa: ANN401 (FastAPI's)
        services = services_of(request)
        caller = await identify(request)
        if services.authenticator.is_open:
            check_keyless(request, services.settings.public_url)
        elif caller.by_cookie and request.method not in SAFE:
            check_own_origin(request, services.settings.public_url)
        request.scope[KEY_ID] = caller.key_id
        request.scope[ACCOUNT] = caller.account
        caller.require(*scopes)
        request.scope[_CALLER] = caller
        return await endpoint(request, **parameters)

    return guarded


def caller_of(request: Request) -> Caller:
    """Who sends this request.

    Raises:
        TypeError: its route is public, so nobody has asked.
    """
    caller = request.scope.get(_CALLER)
    if not isinstance(caller, Caller):
        raise TypeError("a public route has no caller")
    return caller

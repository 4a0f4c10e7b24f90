"""The way to the web chat: a session goes on as its key, who has none is sent to sign in."""

from typing import Final
from urllib.parse import quote

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from chatbot.errors import ZwrotnicaError
from serving.auth.credentials import read_credential
from serving.gateway.presence import identify, read_session
from serving.gateway.services import services_of
from serving.gateway.sign_in.reply import go_to
from serving.http.errors import respond_to_error
from serving.http.origin import SAFE, check_keyless, check_own_origin

_PAGES: Final = frozenset({
    *("/", "/usage", "/keys", "/admin"),
    *("/en", "/en/", "/en/usage", "/en/keys", "/en/admin"),
})


class PageEntry:
    """An ASGI application in front of the ``page``, whose process knows headers with keys alone."""

    def __init__(self, page: ASGIApp) -> None:
        """``page`` is asked in the end."""
        self._page = page

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        request = Request(scope, receive)
        try:
            services = services_of(request)
            if services.authenticator.is_open:
                check_keyless(request, services.settings.public_url)
            is_lost = await _is_lost(request)
            scope = scope if is_lost else _carry(request)
        except ZwrotnicaError as error:
            response = await respond_to_error(request, error)
            await response(scope, receive, send)
            return
        if is_lost:
            onward = quote(scope["path"], safe="/")
            await go_to(f"/sign-in?next={onward}")(scope, receive, send)
        else:
            await self._page(scope, receive, send)


async def _is_lost(request: Request) -> bool:
    """Whether somebody opens a page who can sign in and has not."""
    services = services_of(request)
    settings = services.settings
    if request.scope["path"] not in _PAGES or request.method not in SAFE:
        return False
    can_sign_in = settings.auth.password or services.entrances.oidc is not None
    if not can_sign_in or settings.page.api_key or services.authenticator.is_open:
        return False
    if read_credential(request.scope["headers"]):
        return False
    if read_session(request) is None:
        return True
    try:
        await identify(request)
    except ZwrotnicaError as error:
        return error.code == "invalid_api_key"
    return False


def _carry(request: Request) -> Scope:
    """The request with its session, if that is what it has, in the header that the page knows.

    Raises:
        Refusal: a page from elsewhere asks for a change with it.
    """
    headers = request.scope["headers"]
    text = None if read_credential(headers) else read_session(request)
    if text is None:
        return request.scope
    if request.method not in SAFE:
        check_own_origin(request, services_of(request).settings.public_url)
    kept = [(name, value) for name, value in headers if name not in {b"cookie", b"authorization"}]
    return {
        **request.scope,
        "headers": [*kept, (b"authorization", b"Bearer " + text.encode("latin-1"))],
    }

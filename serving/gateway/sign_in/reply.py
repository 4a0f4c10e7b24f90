"""What the sign-in pages answer with: pages without a script, redirects, the session's cookie."""

from collections.abc import Mapping
from typing import Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from chatbot.errors import ZwrotnicaError
from serving.auth.signing_in.tokens import COOKIE, SECURE_COOKIE
from serving.gateway.services import request_id_of, services_of
from serving.gateway.sign_in.problems import problem_of
from serving.gateway.sign_in.words import words_for
from serving.gateway.templates import render
from serving.http.errors import wire_error
from serving.http.origin import is_https

_HEADERS: Final = {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'",
    "vary": "accept-language, cookie",
}
_SEE_OTHER: Final = 303
_OK: Final = 200
_SILENT: Final = {"problem": None, "news": None}


def show(
    request: Request,
    page: str,
    /,
    *,
    title: str,
    error: ZwrotnicaError | None = None,
    **values: object,
) -> Response:
    """The page ``page``; with an ``error`` it tells of that, and has its status."""
    words, settings = words_for(request), services_of(request).settings
    least, notices = settings.auth.password_chars, settings.page.notices
    shared = {"words": words, "title": title, "least": least, "notices": notices}
    told: Mapping[str, object] = shared | values
    status, headers = _OK, dict(_HEADERS)
    if error is not None:
        wire = wire_error(error, request_id_of(request))
        request.scope["error_code"] = wire.code
        status = wire.status
        headers |= {key: text for key, text in wire.headers.items() if key == "retry-after"}
        told = {"problem": problem_of(words, error, headers, least=least), **told}
    return HTMLResponse(render(f"sign_in/{page}", {**_SILENT, **told}), status, headers)


def go_to(path: str) -> Response:
    """Let the browser ask for a path of this server."""
    return RedirectResponse(path, _SEE_OTHER, {"cache-control": "no-store"})


def set_session(request: Request, response: Response, text: str) -> None:
    """Let the browser keep a session: no script reads it, no form of others sends it."""
    settings = services_of(request).settings
    is_secure = is_https(request, settings.public_url)
    response.set_cookie(
        SECURE_COOKIE if is_secure else COOKIE,
        text,
        max_age=int(settings.auth.session_s),
        path="/",
        secure=is_secure,
        httponly=True,
        samesite="lax",
    )


def forget_session(response: Response) -> None:
    """Let the browser forget the session, and what the chat keeps there: drafts."""
    for name, is_secure in ((SECURE_COOKIE, True), (COOKIE, False)):
        response.delete_cookie(name, path="/", secure=is_secure, httponly=True, samesite="lax")
    response.headers["clear-site-data"] = '"storage"'

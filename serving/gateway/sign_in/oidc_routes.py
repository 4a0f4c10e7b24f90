"""`/sign-in/oidc`: away to the provider, and back from it with a code."""

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from chatbot.errors import ZwrotnicaError
from serving.auth.oidc.attempt import LASTS
from serving.auth.oidc.errors import NotAdmitted, OidcRefused, ProviderUnavailable
from serving.auth.oidc.sign_in import OidcSignIn, Return
from serving.gateway.public_address import base_of_links
from serving.gateway.services import services_of
from serving.gateway.sign_in.form import guess_of
from serving.gateway.sign_in.problems import NoSuchWay
from serving.gateway.sign_in.reply import go_to, set_session
from serving.gateway.sign_in.routes import show_form
from serving.gateway.sign_in.words import words_for
from serving.http.origin import is_https, own_path

_COOKIE: Final = "zwrotnica-oidc"
_PATH: Final = "/sign-in/oidc"
_CALLBACK: Final = f"{_PATH}/callback"
_LONGEST_NEXT: Final = 256


async def begin_oidc(request: Request) -> Response:
    """Send the browser to the provider."""
    onward = own_path(request.query_params.get("next"))[:_LONGEST_NEXT]
    try:
        provider = _provider(request)
        address, kept = await provider.begin(onward=onward, back=_back(request))
    except ZwrotnicaError as error:
        return _show_failure(request, error)
    response = go_to(address)
    name, path, is_secure = _place(request)
    response.set_cookie(
        name,
        kept,
        max_age=int(LASTS.total_seconds()),
        path=path,
        secure=is_secure,
        httponly=True,
        samesite="lax",
    )
    return response


async def finish_oidc(request: Request) -> Response:
    """A session for whom the provider has sent back, and on to where they wanted to go."""
    asked, (name, path, is_secure) = request.query_params, _place(request)
    came = Return(
        kept=request.cookies.get(name),
        state=asked.get("state"),
        code=asked.get("code"),
        error=asked.get("error"),
        issuer=asked.get("iss"),
    )
    try:
        provider, address = _provider(request), guess_of(request, "").address
        signed_in, onward = await provider.finish(came, back=_back(request), address=address)
    except ZwrotnicaError as error:
        response = _show_failure(request, error)
    else:
        response = go_to(own_path(onward))
        set_session(request, response, signed_in.text)
    response.delete_cookie(name, path=path, secure=is_secure, httponly=True, samesite="lax")
    return response


def _place(request: Request) -> tuple[str, str, bool]:
    """Name and path of the cookie that keeps the attempt, and whether it is for https alone.

    There another host of the domain must not have somebody end its own attempt here, and be
    signed in as whom it likes; a name of this host alone needs the path ``/`` (RFC 6265bis).
    """
    if is_https(request, services_of(request).settings.public_url):
        return f"__Host-{_COOKIE}", "/", True
    return _COOKIE, _PATH, False


def _provider(request: Request) -> OidcSignIn:
    oidc = services_of(request).entrances.oidc
    if oidc is None:
        raise NoSuchWay("one signs in here by no provider")
    return oidc


def _back(request: Request) -> str:
    return base_of_links(request, services_of(request)) + _CALLBACK


def _show_failure(request: Request, error: ZwrotnicaError) -> Response:
    words, label = words_for(request), services_of(request).settings.auth.oidc.name
    match error:
        case NotAdmitted():
            problem = words.not_admitted
        case ProviderUnavailable():
            problem = words.provider_unavailable
        case OidcRefused():
            problem = words.oidc_failed
        case _:
            return show_form(request, "/", error=error)
    return show_form(request, "/", error=error, problem=problem.format(label=label))

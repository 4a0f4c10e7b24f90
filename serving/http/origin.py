"""Tells the requests that our own pages make from those that pages of others have browsers make."""

import ipaddress
from typing import Final
from urllib.parse import urlsplit

from starlette.requests import Request

from chatbot.errors import ErrorCode
from serving.http.errors import Refusal

SAFE: Final = frozenset({"GET", "HEAD"})
"""What changes nothing, so that a page of others gains nothing by it."""
_OF_BROWSERS: Final = frozenset({"origin", "sec-fetch-site"})
_OWN_SITES: Final = frozenset({"same-origin", "none"})
"""``none``: a person did it in the browser itself."""


def check_own_origin(request: Request, public_url: str | None) -> None:
    """Go on where a page of this server asks, as ``Sec-Fetch-Site`` or ``Origin`` tell.

    Every browser sends one of them with a form or a script's request; what has neither may be
    anybody's. ``public_url`` is the address behind which the server stands, where it knows that.

    Raises:
        Refusal: a page from elsewhere asks, or nobody says which (``insufficient_scope``).
    """
    site = request.headers.get("sec-fetch-site")
    origin = request.headers.get("origin")
    is_own = site in _OWN_SITES if site else origin in _own_origins(request, public_url)
    if not is_own:
        raise Refusal(
            "this request does not come from a page of this server: open the page anew and try "
            "again; scripts send a key as 'Authorization: Bearer zw_…'",
            code=ErrorCode.INSUFFICIENT_SCOPE,
        )


def check_keyless(request: Request, public_url: str | None) -> None:
    """Go on where a server that asks nobody for a key is asked by what runs on its own machine.

    Pages of others run in browsers there, too: those that had a name of theirs lead to this
    machine (DNS rebinding) are told by the host they ask for, others as `check_own_origin` does.
    An address, and a name without a dot, are nobody's to lead elsewhere.

    Raises:
        Refusal: such a page asks (``insufficient_scope``).
    """
    host = _name_in(request.headers.get("host", ""))
    is_named = "." in host and not _is_address(host)
    if is_named and host != urlsplit(public_url or "").hostname:
        raise Refusal(
            f"this server has no keys, so it answers as no other name than localhost: set "
            f"public_url, if clients know it as {host!r}, or make a key with "
            "'zwrotnica keys create'",
            code=ErrorCode.INSUFFICIENT_SCOPE,
        )
    is_browser = not _OF_BROWSERS.isdisjoint(request.headers)
    if is_browser and request.method not in SAFE:
        check_own_origin(request, public_url)


def is_https(request: Request, public_url: str | None) -> bool:
    """Whether the browser came by https, as far as this server is told."""
    return request.scope["scheme"] == "https" or (public_url or "").startswith("https://")


def own_path(text: str | None) -> str:
    """``text`` where it is a path of this server, else ``/``: nobody is sent elsewhere."""
    if not text or not text.startswith("/") or text.startswith("//") or not text.isprintable():
        return "/"
    return "/" if "\\" in text or not text.isascii() else text


def _name_in(host: str) -> str:
    """The name in a Host header; what is none stays as it is."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:  # such as a bracket that is not closed
        return host


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _own_origins(request: Request, public_url: str | None) -> frozenset[str]:
    host = request.headers.get("host", "")
    parts = urlsplit(public_url or "")
    named = {f"{parts.scheme}://{parts.netloc}"} if public_url else set[str]()
    return frozenset({f"{request.scope['scheme']}://{host}", *named})

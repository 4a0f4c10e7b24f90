"""One request for a page beside the chat: whose it is, what its form says, what is answered."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qs, urlsplit

from starlette.requests import Request

from ui.client import Gateway, GatewayError, Query
from ui.credential import CARRIERS
from ui.fields import JsonObject, texts_of
from ui.texts import Texts

_LONGEST: Final = 16_384
_MOST_FIELDS: Final = 64
_OWN_SITES: Final = frozenset({"same-origin", "none"})
NOT_OURS: Final = "not_ours"
Form = Mapping[str, list[str]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Visit:
    """A request in the language of ``texts``; ``me`` is whose it is."""

    request: Request
    gateway: Gateway
    texts: Texts
    me: JsonObject

    @property
    def is_admin(self) -> bool:
        """Whether administration is open to the account."""
        return "admin" in texts_of(self.me, "scopes")

    async def ask(
        self,
        method: str,
        path: str,
        *,
        query: Query | None = None,
        body: Mapping[str, object] | None = None,
    ) -> JsonObject:
        """What the gateway answers whoever sent the request."""
        return await ask(self.request, self.gateway, method, path, query=query, body=body)


async def ask(
    request: Request,
    gateway: Gateway,
    method: str,
    path: str,
    *,
    query: Query | None = None,
    body: Mapping[str, object] | None = None,
) -> JsonObject:
    """What the gateway answers to the key that came with ``request``."""
    carried = {name: request.headers[name] for name in CARRIERS if name in request.headers}
    return await gateway.ask(method, path, query=query, body=body, carried=carried)


async def read_form(request: Request) -> Form:
    """The fields of a form from a page of ours.

    Raises:
        GatewayError: `NOT_OURS`, where a page from elsewhere has sent it, or it is too large.
    """
    if not _is_own(request):
        raise GatewayError(NOT_OURS)
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > _LONGEST:
            raise GatewayError(NOT_OURS)
    try:
        return parse_qs(body.decode(), keep_blank_values=True, max_num_fields=_MOST_FIELDS)
    except ValueError as error:
        raise GatewayError(NOT_OURS) from error


def first_of(form: Form, name: str) -> str:
    """The first value of a field, without space around it."""
    return form.get(name, [""])[0].strip()


def _is_own(request: Request) -> bool:
    """Whether a page of this server asks; keys may be added on the way, so cookies do not tell."""
    site = request.headers.get("sec-fetch-site")
    if site:
        return site in _OWN_SITES
    return urlsplit(request.headers.get("origin", "")).netloc == request.headers.get("host", "-")

"""Which headers pass between a client and the server behind us, and which we set ourselves."""

import re
from collections.abc import Iterable
from typing import Final, TypeAlias

from pydantic import SecretStr
from starlette.types import Scope

from chatbot.errors import InvalidRequest

Headers: TypeAlias = Iterable[tuple[bytes, bytes]]

_HOST: Final = re.compile(rb"(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?")
_HOP_BY_HOP: Final = frozenset({
    b"connection",
    b"keep-alive",
    b"proxy-authenticate",
    b"proxy-authorization",
    b"proxy-connection",
    b"te",
    b"trailer",
    b"transfer-encoding",
    b"upgrade",
})
"""Of RFC 9110, 7.6.1: they are about one connection; so are those that `Connection` names."""
_SET_BY_US: Final = frozenset({
    b"content-length",
    b"expect",
    b"forwarded",
    b"host",
    b"x-gradio-server",
    b"x-real-ip",
    b"x-request-id",
})
_SET_BY_SERVER: Final = frozenset({
    b"date",
    b"referrer-policy",
    b"server",
    b"x-content-type-options",
    b"x-request-id",
})
_CARRIERS: Final = frozenset({b"authorization", b"x-api-key"})
"""In which a key comes."""
_FORWARDED: Final = b"x-forwarded-"


def request_headers(scope: Scope) -> list[tuple[str, str]]:
    """The headers to send on: the server sees the address that the client used, and its own.

    Gradio makes the addresses in its page of ``Host`` and ``X-Forwarded-Proto``; whatever a client
    says about other hosts is left out.

    Raises:
        InvalidRequest: the request does not name one host, or in no usable form.
    """
    sent: list[tuple[bytes, bytes]] = list(scope["headers"])
    hosts = [value for name, value in sent if name == b"host"]
    if len(hosts) != 1 or not _HOST.fullmatch(hosts[0]):
        raise InvalidRequest("the request must name one host in its Host header")
    told = {
        "host": hosts[0].decode("ascii"),
        "x-forwarded-for": scope["client"][0] if scope.get("client") else "",
        "x-forwarded-proto": scope["scheme"],
        "x-request-id": scope["request_id"],
    }
    return [
        *(
            (name.decode("latin-1"), value.decode("latin-1"))
            for name, value in _end_to_end(sent)
            if name not in _SET_BY_US and not name.startswith(_FORWARDED)
        ),
        *told.items(),
    ]


def with_key(scope: Scope, key: SecretStr | None) -> Scope:
    """``scope`` with the operator's ``key``, where there is one and its sender has none."""
    if key is None or any(name in _CARRIERS for name, _ in scope["headers"]):
        return scope
    carrier = (b"authorization", b"Bearer " + key.get_secret_value().encode())
    return {**scope, "headers": [*scope["headers"], carrier]}


def response_headers(received: Headers) -> list[tuple[bytes, bytes]]:
    """The headers of a reply, without those that our own server sets."""
    return [(name, value) for name, value in _end_to_end(received) if name not in _SET_BY_SERVER]


def _end_to_end(headers: Headers) -> list[tuple[bytes, bytes]]:
    """The headers in lower case, without those of one connection."""
    lowered = [(name.lower(), value) for name, value in headers]
    named = {
        option.strip().lower()
        for name, value in lowered
        if name == b"connection"
        for option in value.split(b",")
    }
    return [(name, value) for name, value in lowered if name not in _HOP_BY_HOP | named]

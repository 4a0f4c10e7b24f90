"""Where a server is, and the head of every request to it."""

import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final
from urllib.parse import urlsplit

NO_HEADERS: Final[Mapping[str, str]] = MappingProxyType({})
_PORTS: Final = {"http": 80, "https": 443}


@dataclass(frozen=True, kw_only=True, slots=True)
class Origin:
    """One server: host and port, TLS where the address begins with https, the path before ours."""

    host: str
    port: int
    tls: ssl.SSLContext | None
    prefix: str
    head: bytes

    @classmethod
    def at(cls, url: str, *, api_key: str | None) -> "Origin":
        """The server at ``url``; its certificate must be trusted by the system.

        Raises:
            ValueError: the address names no host, or the key has characters that no header takes.
        """
        parts = urlsplit(url)
        if parts.hostname is None or parts.scheme not in _PORTS:
            raise ValueError("an address of a server begins with http:// or https:// and a host")
        key = api_key or "none"
        if not (key.isascii() and key.isprintable()):
            raise ValueError("a key is made of printable ASCII characters")
        host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
        authority = host if parts.port is None else f"{host}:{parts.port}"
        fields = {
            "Host": authority,
            "User-Agent": "zwrotnica",
            "Authorization": f"Bearer {key}",
            "Accept-Encoding": "identity",
        }
        return cls(
            host=parts.hostname,
            port=parts.port or _PORTS[parts.scheme],
            tls=ssl.create_default_context() if parts.scheme == "https" else None,
            prefix=parts.path.rstrip("/"),
            head="".join(f"{name}: {value}\r\n" for name, value in fields.items()).encode(),
        )

    def post(
        self, path: str, body: bytes, *, accept: str, headers: Mapping[str, str] = NO_HEADERS
    ) -> bytes:
        """The whole request that sends JSON to ``path``, with ``headers`` of ours besides."""
        more = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        return (
            f"POST {self.prefix}{path} HTTP/1.1\r\n"
            f"Accept: {accept}\r\n"
            f"{more}"
            "Content-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n"
        ).encode("ascii") + b"%b\r\n%b" % (self.head, body)

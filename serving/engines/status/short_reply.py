"""A small reply of a server, read within strict bounds of time and size."""

import asyncio
from dataclasses import dataclass
from typing import Final

import aiohttp

REPLY_S: Final = 3.0
"""Seconds within which the whole reply must have come."""
REPLY_BYTES: Final = 2_097_152
"""The longest reply that is read."""

_LOST: Final = (aiohttp.ClientError, OSError, EOFError)


class NoReply(Exception):
    """There is no reply that can be read; the message says why."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ShortReply:
    """What came: a status and a body that was never decompressed."""

    status: int
    body: bytes


def open_session(*, is_external: bool) -> aiohttp.ClientSession:
    """A session for `read_short`; only one for an outside provider knows the system's proxies."""
    return aiohttp.ClientSession(
        trust_env=is_external,
        cookie_jar=aiohttp.DummyCookieJar(),
        auto_decompress=False,
        headers={"Accept-Encoding": "identity"},
    )


async def read_short(
    session: aiohttp.ClientSession, url: str, *, accept: str, api_key: str | None
) -> ShortReply:
    """GET ``url`` and read what comes; a redirect is not followed and so is a reply like others.

    Raises:
        NoReply: nobody answers, the reply takes longer than `REPLY_S`, or is above `REPLY_BYTES`.
    """
    headers = {"Accept": accept}
    if api_key is not None:
        headers["Authorization"] = f"Bearer {api_key}"
    try:
        async with (
            asyncio.timeout(REPLY_S),
            session.get(url, headers=headers, allow_redirects=False) as reply,
        ):
            return ShortReply(status=reply.status, body=await _read_body(reply))
    except TimeoutError as error:
        raise NoReply(f"nothing came within {REPLY_S:g} s") from error
    except aiohttp.ClientConnectorError as error:
        raise NoReply("no connection") from error
    except _LOST as error:
        raise NoReply("what came is no HTTP reply, or broke off") from error


async def _read_body(reply: aiohttp.ClientResponse) -> bytes:
    body = bytearray()
    async for piece in reply.content.iter_any():
        body += piece
        if len(body) > REPLY_BYTES:
            reply.close()
            raise NoReply(f"a reply of more than {REPLY_BYTES} bytes")
    return bytes(body)

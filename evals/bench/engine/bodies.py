"""Reads whole replies within a bound, whatever a server sends."""

from collections.abc import Mapping

import aiohttp

from serving.engines.events import read_object

LARGEST = 16 * 2**20
"""Bytes of a reply, unpacked."""


class ReplyTooLarge(aiohttp.ClientPayloadError):
    """The reply is longer than any answer or list of models can be."""


async def _read_body(reply: aiohttp.ClientResponse) -> bytes:
    """All of a reply.

    Raises:
        ReplyTooLarge: it has more than `LARGEST` bytes.
    """
    body = bytearray()
    async for chunk in reply.content.iter_any():
        body += chunk
        if len(body) > LARGEST:
            raise ReplyTooLarge(f"the reply has more than {LARGEST:,} bytes")
    return bytes(body)


async def read_reply(reply: aiohttp.ClientResponse) -> Mapping[str, object]:
    """The JSON object of a reply; empty where it is none.

    Raises:
        ReplyTooLarge: it has more than `LARGEST` bytes.
    """
    return read_object(await _read_body(reply)) or {}

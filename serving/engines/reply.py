"""A reply whose head has come: what it may be, and how its body is read."""

import asyncio
from collections.abc import Container, Mapping
from contextlib import suppress
from typing import Final, Protocol

from serving.engines.failures import TRANSPORT_ERRORS, Refusal, UnfitReply
from serving.engines.transport.reply import ChunkSink, Sink

_OK: Final = 200
_REFUSAL_BYTES: Final = 65_536
_REFUSAL_S: Final = 2.0
_SHOWN_CHARS: Final = 60


class HasMoment(Protocol):
    """A ``moment`` in the loop's time, which may be set to a later one."""

    moment: float


class UnreadReply(Protocol):
    """Of the `openai` client or of our own transport; see `serving.engines.transport.reply`."""

    @property
    def status_code(self) -> int:
        """The status."""
        ...

    @property
    def headers(self) -> Mapping[str, str]:
        """The head's fields, their names in small letters."""
        ...

    @property
    def deadline(self) -> HasMoment:
        """Until when the next bytes are waited for."""
        ...

    def limit(self, moment: float) -> None:
        """Wait for the next bytes until ``moment``, in the loop's time."""
        ...

    async def read(self) -> bytes | None:
        """The next bytes of the body as they were sent; ``None`` after its end."""
        ...

    async def pour(self, sink: Sink, chunk_sink: ChunkSink | None = None) -> bool:
        """Hand every further piece to ``sink``; false: it has had enough, true: the body's end.

        A transport that sees chunks offers them to ``chunk_sink`` first.
        """
        ...

    def pause(self) -> None:
        """Read nothing more for now; the limit does not count meanwhile."""
        ...

    def resume(self) -> None:
        """Read on."""
        ...

    async def aclose(self) -> None:
        """Be done with it; one not read to its end loses its socket."""
        ...


async def read_whole(reply: UnreadReply, *, max_bytes: int) -> bytes:
    """The reply's body as it was sent, never decompressed.

    Raises:
        UnfitReply: it is longer than ``max_bytes``.
    """
    body = bytearray()
    while (piece := await reply.read()) is not None:
        body += piece
        if len(body) > max_bytes:
            raise UnfitReply(f"a reply of more than {max_bytes} bytes")
    return bytes(body)


async def check_reply(reply: UnreadReply, *, accept: Container[str]) -> None:
    """Let a success of the media types that were asked for pass.

    Raises:
        Refusal: any other status, with the beginning of what the server said.
        UnfitReply: compressed, or something else than was asked for.
    """
    if reply.status_code != _OK:
        body = b""
        with suppress(*TRANSPORT_ERRORS, UnfitReply):
            async with asyncio.timeout(_REFUSAL_S):
                body = await read_whole(reply, max_bytes=_REFUSAL_BYTES)
        raise Refusal(status=reply.status_code, headers=reply.headers, body=body)
    encoding = reply.headers.get("content-encoding", "identity")
    if encoding.strip().lower() != "identity":
        raise UnfitReply(f"a reply in the encoding {encoding[:_SHOWN_CHARS]!r}")
    found = reply.headers.get("content-type", "").partition(";")[0].strip().lower()
    if found not in accept:
        raise UnfitReply(f"{found[:_SHOWN_CHARS]!r} in place of {accept!r}")

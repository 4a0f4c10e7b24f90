"""A file that is made while it is sent; an early error is a status, a late one breaks it off."""

import logging
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing
from functools import partial
from typing import Final, Generic, Protocol, TypeVar

import anyio
from anyio import CancelScope, CapacityLimiter, to_thread
from anyio.lowlevel import checkpoint
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from chatbot.errors import StorageUnavailable, ZwrotnicaError
from serving.http.departure import Departure
from serving.http.errors import wire_error

PIECE_BYTES: Final = 65_536
Given = TypeVar("Given")
Item = TypeVar("Item")
Taken_contra = TypeVar("Taken_contra", contravariant=True)
_log = logging.getLogger(__name__)


class ItemWriter(Protocol[Taken_contra]):
    """Writes one file; every method may take its time and runs in a thread."""

    def add(self, items: Sequence[Taken_contra], /) -> bytes:
        """Take what comes next; returns what can be sent by now."""
        ...

    def finish(self) -> Iterator[bytes]:
        """What is left to send, in order."""
        ...

    def close(self) -> None:
        """Give back whatever is held; the last call, also where the client left before the end."""
        ...


class Download(Response, Generic[Item]):
    """Streams one export in bounded memory, at the pace of its reader.

    Writing runs in threads, as many at once as ``lane`` has places. A client that leaves, or reads
    nothing for ``write_s`` seconds, ends it. After the first byte a failure cuts the transfer: no
    clean end of the chunked body, so that no half file passes for a whole one.
    """

    def __init__(
        self,
        first: list[Item],
        batches: AsyncGenerator[list[Item], None],
        open_writer: Callable[[], ItemWriter[Item]],
        *,
        headers: Mapping[str, str],
        lane: CapacityLimiter,
        write_s: float,
        request_id: str,
    ) -> None:
        """``first`` has been read from ``batches``; nothing else happens before it is sent."""
        super().__init__(headers=dict(headers))
        del self.headers["content-length"]
        self._first = first
        self._batches = batches
        self._open_writer = open_writer
        self._lane = lane
        self._write_s = write_s
        self._request_id = request_id
        self._has_begun = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the file, or the head alone where no more was asked for."""
        async with aclosing(self._batches):
            if scope["method"] == "HEAD":
                await self._end(send)
                return
            failure: ZwrotnicaError | None = None
            work = CancelScope()
            async with Departure(scope, receive, work):
                with work:
                    try:
                        await self._play(send, work)
                    except ZwrotnicaError as error:
                        failure = error
            if failure is not None:
                await self._fail(failure, (scope, receive, send))

    async def _play(self, send: Send, scope: CancelScope) -> None:
        writer = await self._work(self._open_writer)
        try:
            await self._put(await self._work(partial(writer.add, self._first)), send, scope)
            async for batch in self._batches:
                await self._put(await self._work(partial(writer.add, batch)), send, scope)
            pieces = writer.finish()
            while (piece := await self._work(partial(_next, pieces))) is not None:
                await self._put(piece, send, scope)
        finally:
            with CancelScope(shield=True):
                await self._work(writer.close)
        await self._end(send)

    async def _work(self, work: Callable[[], Given]) -> Given:
        try:
            return await to_thread.run_sync(work, limiter=self._lane)
        except OSError as error:
            message = f"the data folder cannot take the export: {error.strerror}"
            raise StorageUnavailable(message) from error

    async def _put(self, content: bytes, send: Send, scope: CancelScope) -> None:
        for start in range(0, len(content), PIECE_BYTES):
            piece = content[start : start + PIECE_BYTES]
            with anyio.move_on_after(self._write_s) as limit:
                await self._begin(send)
                await send({"type": "http.response.body", "body": piece, "more_body": True})
            if limit.cancelled_caught:
                scope.cancel()
                await checkpoint()

    async def _begin(self, send: Send) -> None:
        if not self._has_begun:
            self._has_begun = True
            head = {"type": "http.response.start", "status": 200, "headers": self.raw_headers}
            await send(head)

    async def _end(self, send: Send) -> None:
        await self._begin(send)
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _fail(self, error: ZwrotnicaError, asgi: tuple[Scope, Receive, Send]) -> None:
        """An HTTP error where nothing was sent; else the transfer stays without its end."""
        scope = asgi[0]
        wire = wire_error(error, self._request_id)
        scope["error_code"] = wire.code
        if self._has_begun:
            _log.warning("export_cut", extra={"request_id": self._request_id, "code": wire.code})
        else:
            await wire.response()(*asgi)


def _next(pieces: Iterator[bytes]) -> bytes | None:
    return next(pieces, None)

"""The `openai` client's way to a server: lists of models, pictures, and providers outside.

It knows the environment's proxies, which providers outside may need, and costs tens of microseconds
a token, which those from far away do not feel.
"""

import asyncio
from collections.abc import Mapping
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from math import inf
from types import TracebackType
from typing import Self

import httpx2
import openai
from anyio import CancelScope

from serving.engines.address import JSON, Address, Media
from serving.engines.failures import TRANSPORT_ERRORS, UnfitReply
from serving.engines.reply import check_reply
from serving.engines.transport.errors import ReadTimedOut
from serving.engines.transport.origin import NO_HEADERS
from serving.engines.transport.reply import ChunkSink, Sink

_UNREAD: bool = True
"""The client is told to leave every body unread: we read it ourselves, bounded."""


class Client:
    """Sends requests; an async context manager that owns its connections."""

    def __init__(self, address: Address) -> None:
        """Nothing is opened before the context is entered."""
        self._address = address
        self._stack = AsyncExitStack()
        self._client: openai.AsyncOpenAI | None = None
        self._is_open = False

    async def __aenter__(self) -> Self:
        """Be ready: for a server outside at once, for ours with the first request.

        Ours are asked for answers by our own transport. A client takes 30 ms to make, in which it
        loads the certificates that the system trusts.
        """
        self._is_open = True
        if self._address.is_external:
            self._make()
        return self

    def _make(self) -> openai.AsyncOpenAI:
        """The client; connections open as requests need them."""
        address = self._address
        transport = openai.DefaultAioHttpClient(
            limits=httpx2.Limits(max_connections=address.max_connections, keepalive_expiry=15.0),
            follow_redirects=False,
            trust_env=address.is_external,
            event_hooks={"response": [_check]},
        )
        client = openai.AsyncOpenAI(
            base_url=address.url,
            api_key=address.api_key or "none",
            max_retries=0,
            http_client=transport,
            timeout=httpx2.Timeout(None, connect=address.connect_s),
        )
        client.organization = client.project = None  # the environment's are not this server's
        self._stack.push_async_exit(client)
        self._client = client
        return client

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close every connection."""
        self._client, self._is_open = None, False
        await self._stack.aclose()

    async def send(
        self,
        path: str,
        body: bytes | None,
        *,
        accept: Media,
        headers: Mapping[str, str] = NO_HEADERS,
    ) -> "ClientReply":
        """Send ``body`` (``None``: a GET); the successful reply's body is yet unread.

        Raises:
            Refusal, UnfitReply: the reply is none that was asked for.
        """
        if not self._is_open:
            raise RuntimeError("the client is used outside its context")
        client = self._client or self._make()
        headers = {**headers, "Accept": ", ".join(accept), "Accept-Encoding": "identity"}
        if body is None:
            reply = await client.get(
                path, cast_to=httpx2.Response, options={"headers": headers}, stream=_UNREAD
            )
        else:
            reply = await client.post(
                path,
                cast_to=httpx2.Response,
                content=body,
                options={"headers": {**headers, "Content-Type": JSON[0]}},
                stream=_UNREAD,
            )
        if not isinstance(reply, httpx2.Response):
            raise UnfitReply("no HTTP reply")
        return ClientReply(reply)


@dataclass(slots=True)
class _Moment:
    moment: float = inf


class ClientReply:
    """An `httpx2.Response` in the form of `serving.engines.reply.UnreadReply`."""

    def __init__(self, reply: httpx2.Response) -> None:
        """Wrap ``reply``, whose body nobody has read."""
        self._reply = reply
        self._pieces = reply.aiter_raw()
        self.deadline = _Moment()
        self._failure: Exception | None = None
        self._is_open = asyncio.Event()
        self._is_open.set()

    @property
    def status_code(self) -> int:
        """The status."""
        return self._reply.status_code

    @property
    def headers(self) -> httpx2.Headers:
        """The head's fields."""
        return self._reply.headers

    def limit(self, moment: float) -> None:
        """Wait for the next bytes until ``moment``, in the loop's time."""
        self.deadline.moment = moment

    async def read(self) -> bytes | None:
        """The next bytes of the body; ``None`` after its end.

        Raises:
            ReadTimedOut: nothing came until the limit. This and any other failure is raised by
                further reads as well, which would else take it for the body's end.
        """
        if self._failure is not None:
            raise self._failure
        limit = asyncio.timeout_at(None if self.deadline.moment == inf else self.deadline.moment)
        try:
            async with limit:
                return await anext(self._pieces)
        except StopAsyncIteration:
            return None
        except TRANSPORT_ERRORS as error:
            if not limit.expired():
                self._failure = error
                raise
            self._failure = ReadTimedOut("nothing came in time")
            raise self._failure from error

    async def pour(self, sink: Sink, chunk_sink: ChunkSink | None = None) -> bool:  # noqa: ARG002 (the client hides chunks)
        """Hand every further piece to ``sink``; false: it has had enough, true: the body's end."""
        while True:
            await self._is_open.wait()
            if (piece := await self.read()) is None:
                return True
            if sink(piece):
                return False

    def pause(self) -> None:
        """Read nothing more for now."""
        self._is_open.clear()

    def resume(self) -> None:
        """Read on."""
        self._is_open.set()

    async def aclose(self) -> None:
        """Close it, even while being cancelled; one not read to its end loses its socket."""
        with CancelScope(shield=True), suppress(*TRANSPORT_ERRORS):
            await self._reply.aclose()


async def _check(reply: httpx2.Response) -> None:
    """Look at a head before the client would read an error's body, whole and decompressed."""
    await check_reply(ClientReply(reply), accept=reply.request.headers["accept"].split(", "))

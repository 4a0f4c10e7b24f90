"""Hands one request on to another process and streams its reply back, bounded in time."""

import asyncio
import logging
from types import TracebackType
from typing import Final, Self

import aiohttp
import anyio
from anyio import CancelScope
from starlette.requests import Request
from starlette.types import Send
from yarl import URL

from serving.http.body import read_body
from serving.http.departure import Departure
from serving.http.exchange import ANSWER_S, Asgi, UpstreamSilent, UpstreamUnavailable
from serving.http.proxied_headers import request_headers, response_headers
from serving.settings import LimitsSettings

_log = logging.getLogger(__name__)

_KEEP_S: Final = 3.0
"""Idle connections are kept for less than the five seconds after which uvicorn closes its end."""
_ADDED: Final = ("Accept", "Accept-Encoding", "Content-Type", "User-Agent")
"""What aiohttp would add to a request that lacks it."""
_LOST: Final = (aiohttp.ClientError, OSError, TimeoutError)


class Proxy:
    """An async context manager that keeps connections to other processes of ours."""

    def __init__(self, limits: LimitsSettings, *, answer_s: float = ANSWER_S) -> None:
        """``limits`` bound the body of a request and the patience with a client.

        ``answer_s`` is in how many seconds a reply must begin.
        """
        self._limits = limits
        self._answer_s = answer_s
        self._session: aiohttp.ClientSession | None = None
        self._streams: set[CancelScope] = set()

    async def __aenter__(self) -> Self:
        """Be ready to forward; connections open as requests need them."""
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=_KEEP_S),
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=self._answer_s),
            auto_decompress=False,
            skip_auto_headers=_ADDED,
        )
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close every connection, even while being cancelled."""
        session, self._session = self._session, None
        if session is not None:
            with CancelScope(shield=True):
                await session.close()

    async def end_streams(self, *, within_s: float) -> None:
        """Give the replies that still run so many seconds, then end them."""
        if self._streams:
            await anyio.sleep(within_s)
        for stream in tuple(self._streams):
            stream.cancel()

    async def is_alive(self, address: str) -> bool:
        """Whether the server there says anything at all."""
        try:
            reply = await self._ask("HEAD", URL(address), [], b"")
        except UpstreamUnavailable:
            return False
        reply.close()
        return True

    async def forward(self, asgi: Asgi, *, address: str, target: str) -> None:
        """Play the reply of ``address`` to a request for ``target``, an encoded path and query.

        The request's body is read whole first, so that half of one never gets there; a client
        that leaves, or that leaves the reply unread, ends the work there at once.

        Raises:
            UpstreamSilent: the server does not begin to answer.
            UpstreamUnavailable: the server gave no reply.
            InvalidRequest: the request's host or body is out of bounds.
            ClientDisconnect: the client left before the end of its body.
        """
        headers = request_headers(asgi.scope)
        body = await read_body(Request(asgi.scope, asgi.receive), self._limits)
        exchange = CancelScope()
        self._streams.add(exchange)
        try:
            async with Departure(asgi.scope, asgi.receive, exchange):
                with exchange:
                    await self._exchange(asgi, URL(address + target, encoded=True), headers, body)
        finally:
            self._streams.discard(exchange)

    async def _exchange(
        self, asgi: Asgi, url: URL, headers: list[tuple[str, str]], body: bytes
    ) -> None:
        reply = await self._ask(asgi.scope["method"], url, headers, body)
        try:
            await self._play(reply, asgi.send)
        except TimeoutError:
            _log.info("reply_unread", extra={"request_id": asgi.scope["request_id"]})
        except _LOST as error:
            # What was sent cannot be taken back: the connection is closed in mid-reply.
            fields = {"request_id": asgi.scope["request_id"], "error": type(error).__name__}
            _log.warning("reply_lost", extra=fields)
        finally:
            reply.close()

    async def _ask(
        self, method: str, url: URL, headers: list[tuple[str, str]], body: bytes
    ) -> aiohttp.ClientResponse:
        """Send the request and wait for the head of its reply.

        Raises:
            UpstreamSilent: it did not come in time.
            UpstreamUnavailable: it cannot come.
        """
        if self._session is None:
            raise RuntimeError("the proxy is used outside its context")
        try:
            async with asyncio.timeout(self._answer_s):
                return await self._session.request(
                    method, url, headers=headers, data=body or None, allow_redirects=False
                )
        except TimeoutError as error:
            raise UpstreamSilent("the server does not begin to answer") from error
        except _LOST as error:
            raise UpstreamUnavailable("the server does not answer") from error

    async def _play(self, reply: aiohttp.ClientResponse, send: Send) -> None:
        """Send on each piece as it comes.

        Raises:
            TimeoutError: the client left a piece unread for longer than ``write_s``.
            aiohttp.ClientError: the server broke off.
        """
        loop = asyncio.get_running_loop()
        head = response_headers(reply.raw_headers)
        await send({"type": "http.response.start", "status": reply.status, "headers": head})
        async with asyncio.timeout(None) as limit:
            async for piece in reply.content.iter_any():
                limit.reschedule(loop.time() + self._limits.write_s)
                await send({"type": "http.response.body", "body": piece, "more_body": True})
                limit.reschedule(None)
        await send({"type": "http.response.body", "body": b"", "more_body": False})

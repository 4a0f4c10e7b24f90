"""The gateway's HTTP API as the page uses it; the only file here that speaks HTTP."""

import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, aclosing
from types import TracebackType
from typing import Final, Self, TypeAlias
from urllib.parse import quote

import anyio
import httpx2
from anyio.abc import TaskGroup

from ui.fields import (
    JsonObject,
    object_of,
    objects_of,
    optional_number,
    optional_text,
    parse_object,
    text_of,
)
from ui.sse import EventReader, EventTooLong, ServerEvent

LOST: Final = "connection_lost"
UNREACHABLE: Final = "unreachable"
ENDS: Final = frozenset({"done", "error"})

_CONNECT_S: Final = 5.0
_READ_S: Final = 30.0
_SILENCE_S: Final = 45.0
"""The gateway sends a comment at least every ten seconds; after this silence it is gone."""

Query: TypeAlias = Mapping[str, str | int]
Credential: TypeAlias = Callable[[], Mapping[str, str]]


class GatewayError(Exception):
    """The gateway refused or could not be asked.

    ``code`` is the API's error code, or `UNREACHABLE` or `LOST`; ``message`` is the gateway's
    Polish text for people, where it sent one; ``param`` is the field at fault.
    """

    def __init__(
        self,
        code: str,
        message: str = "",
        *,
        param: str | None = None,
        request_id: str | None = None,
        retry_after_s: float | None = None,
    ) -> None:
        """Keep what the page tells of the error."""
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.param = param
        self.request_id = request_id
        self.retry_after_s = retry_after_s


class LiveAnswer:
    """The events of one answer as they arrive; `take` gives all that came since the last look."""

    def __init__(self, response: httpx2.Response) -> None:
        """``response`` is an open event stream, which this object closes."""
        self.message_id = response.headers.get("x-message-id", "")
        self.parent_id = response.headers.get("x-parent-id", "")
        self._response = response
        self._events: list[ServerEvent] = []
        self._news = anyio.Event()
        self._scope = anyio.CancelScope()
        self._has_ended = False
        self._error: GatewayError | None = None

    async def pump(self) -> None:
        """Read the stream to its end; runs beside whoever takes the events."""
        with self._scope:
            try:
                await self._read()
            except (httpx2.HTTPError, httpx2.StreamError, EventTooLong) as error:
                self._error = GatewayError(LOST, str(error))
        self._has_ended = True
        self._news.set()
        with anyio.CancelScope(shield=True):
            await self._response.aclose()

    async def take(self) -> tuple[ServerEvent, ...]:
        """Wait for news and take all of it; empty once the answer has ended.

        Raises:
            GatewayError: `LOST`, where the stream broke before its ``done`` or ``error``.
        """
        while not self._events and not self._has_ended:
            self._news = anyio.Event()
            await self._news.wait()
        events, self._events = tuple(self._events), []
        if not events and self._error:
            raise self._error
        return events

    def close(self) -> None:
        """Stop reading; the answer itself goes on at the gateway."""
        self._scope.cancel()

    async def _read(self) -> None:
        reader = EventReader()
        async with aclosing(self._response.aiter_raw()) as pieces:
            async for piece in pieces:
                if events := reader.feed(piece):
                    self._events.extend(events)
                    self._news.set()
                    if events[-1].name in ENDS:
                        return
        raise httpx2.ReadError("the stream ended before the answer")


class Gateway:
    """The gateway at one address; an async context manager around its connections."""

    def __init__(
        self,
        url: str,
        *,
        transport: httpx2.AsyncBaseTransport | None = None,
        credential: Credential = dict,
    ) -> None:
        """``url`` is where the gateway listens; ``transport`` stands in for the network.

        ``credential`` gives the headers with the key of whoever a request is made for.
        """
        self.credential = credential
        self._client = httpx2.AsyncClient(
            base_url=url,
            transport=transport,
            timeout=httpx2.Timeout(_READ_S, connect=_CONNECT_S),
            limits=httpx2.Limits(max_connections=None, max_keepalive_connections=64),
            trust_env=False,
        )
        self._stack = AsyncExitStack()
        self._tasks: TaskGroup | None = None

    async def __aenter__(self) -> Self:
        """Open the connections' pool and the tasks that read answers."""
        await self._stack.enter_async_context(self._client)
        self._tasks = await self._stack.enter_async_context(anyio.create_task_group())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop reading all answers."""
        if self._tasks:
            self._tasks.cancel_scope.cancel()
        await self._stack.__aexit__(kind, error, trace)

    async def tools(self) -> tuple[JsonObject, ...]:
        """The tools with their titles and examples."""
        return objects_of(await self._ask("GET", "/api/tools"), "tools")

    async def me(self) -> JsonObject:
        """The account and the bounds of every parameter."""
        return await self._ask("GET", "/api/me")

    async def list_conversations(self, *, query: str = "", cursor: str = "") -> JsonObject:
        """One page of conversations: ``conversations`` and ``next_cursor``."""
        wishes = {"q": query, "cursor": cursor}
        return await self._ask(
            "GET", "/api/conversations", query={name: text for name, text in wishes.items() if text}
        )

    async def create(self, parameters: Mapping[str, object]) -> JsonObject:
        """A new conversation."""
        return await self._ask("POST", "/api/conversations", body={"parameters": parameters})

    async def read(self, conversation_id: str) -> JsonObject:
        """A conversation with all its messages, with fresh links to its pictures."""
        return await self._ask("GET", _path(conversation_id))

    async def change(self, conversation_id: str, changes: Mapping[str, object]) -> JsonObject:
        """Change ``title``, ``parameters`` or ``current``."""
        return await self._ask("PATCH", _path(conversation_id), body=changes)

    async def delete(self, conversation_id: str) -> None:
        """Delete a conversation for good."""
        await self._ask("DELETE", _path(conversation_id))

    async def post(self, conversation_id: str, body: JsonObject) -> LiveAnswer:
        """Send a message, or have one answered again; the answer's events follow."""
        path = f"{_path(conversation_id)}/messages"
        return await self._listen(self._request("POST", path, body=body))

    async def follow(
        self, conversation_id: str, message_id: str, after: int | None = None
    ) -> LiveAnswer:
        """Events of an answer that is being made, those beyond number ``after``."""
        path = f"{_path(conversation_id, message_id)}/events"
        query = {} if after is None else {"after": after}
        return await self._listen(self._request("GET", path, query=query))

    async def stop(self, conversation_id: str, message_id: str) -> None:
        """Stop an answer."""
        await self._ask("POST", f"{_path(conversation_id, message_id)}/stop")

    async def rate(
        self, conversation_id: str, message_id: str, rating: str | None, comment: str = ""
    ) -> None:
        """Say whether an answer was good: ``up``, ``down`` or nothing again, and why."""
        path = f"{_path(conversation_id, message_id)}/feedback"
        words = {"comment": comment} if comment else {}
        await self._ask("PUT", path, body={"rating": rating, **words})

    async def ask(
        self,
        method: str,
        path: str,
        *,
        carried: Mapping[str, str],
        query: Query | None = None,
        body: Mapping[str, object] | None = None,
    ) -> JsonObject:
        """A reply's object, asked for with the key in the headers ``carried``.

        Raises:
            GatewayError: the gateway refused or could not be asked.
        """
        request = self._request(method, path, query=query, body=body, carried=carried)
        return await self._answer(request)

    async def fetch(
        self,
        path: str,
        query: str,
        headers: Mapping[str, str],
        content: AsyncIterator[bytes] | None = None,
    ) -> httpx2.Response:
        """A picture or an export as it is, unread; the caller closes the response.

        With ``content`` it is sent: conversations to import.
        """
        url = f"{path}?{query}" if query else path
        method = "GET" if content is None else "POST"
        request = self._client.build_request(method, url, headers=dict(headers), content=content)
        try:
            return await self._client.send(request, stream=True)
        except httpx2.HTTPError as error:
            raise GatewayError(UNREACHABLE, str(error)) from error

    def _request(
        self,
        method: str,
        path: str,
        *,
        query: Query | None = None,
        body: Mapping[str, object] | None = None,
        carried: Mapping[str, str] | None = None,
    ) -> httpx2.Request:
        content = None if body is None else json.dumps(body, default=dict)
        headers = dict(self.credential() if carried is None else carried)
        if body is not None:
            headers["content-type"] = "application/json"
        return self._client.build_request(
            method, path, params=dict(query or {}), content=content, headers=headers
        )

    async def _ask(
        self,
        method: str,
        path: str,
        *,
        query: Query | None = None,
        body: Mapping[str, object] | None = None,
    ) -> JsonObject:
        return await self._answer(self._request(method, path, query=query, body=body))

    async def _answer(self, request: httpx2.Request) -> JsonObject:
        try:
            response = await self._client.send(request)
        except httpx2.HTTPError as error:
            raise GatewayError(UNREACHABLE, str(error)) from error
        if response.is_success:
            return parse_object(response.content)
        raise _as_error(response)

    async def _listen(self, request: httpx2.Request) -> LiveAnswer:
        request.extensions["timeout"] = {
            "connect": _CONNECT_S,
            "read": _SILENCE_S,
            "write": _READ_S,
            "pool": _CONNECT_S,
        }
        if self._tasks is None:
            raise RuntimeError("the gateway's client was not entered")
        try:
            response = await self._client.send(request, stream=True)
            if not response.is_success:
                await response.aread()
                raise _as_error(response)
        except httpx2.HTTPError as error:
            raise GatewayError(UNREACHABLE, str(error)) from error
        answer = LiveAnswer(response)
        self._tasks.start_soon(answer.pump)
        return answer


async def stream_body(response: httpx2.Response) -> AsyncIterator[bytes]:
    """The body of a `Gateway.fetch`, piece by piece; closes the response."""
    pieces = response.aiter_raw()
    try:
        async for piece in pieces:
            yield piece
    finally:
        await pieces.aclose()
        await response.aclose()


def _path(conversation_id: str, message_id: str | None = None) -> str:
    path = f"/api/conversations/{quote(conversation_id, safe='')}"
    return f"{path}/messages/{quote(message_id, safe='')}" if message_id else path


def _as_error(response: httpx2.Response) -> GatewayError:
    error = object_of(parse_object(response.content), "error")
    return GatewayError(
        text_of(error, "code") or f"http_{response.status_code}",
        text_of(error, "message"),
        param=optional_text(error, "param"),
        request_id=optional_text(error, "request_id"),
        retry_after_s=optional_number(error, "retry_after_s"),
    )

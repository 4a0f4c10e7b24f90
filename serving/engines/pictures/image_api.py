"""An image engine behind any server that speaks OpenAI's image generations."""

import asyncio
import base64
import binascii
from collections.abc import Awaitable, Callable
from concurrent import futures
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Self, TypeAlias
from urllib.parse import urlsplit

from anyio import from_thread, to_thread

from chatbot.errors import (
    EngineError,
    EngineTimeout,
    EngineUnavailable,
    ErrorCode,
    InvalidRequest,
    ToolError,
)
from chatbot.ports import Clock
from chatbot.types import Artifact, ImageRequest, JsonValue
from serving.engines.address import EVENT_STREAM, JSON, Address, Media
from serving.engines.body import encode
from serving.engines.connection import Alarm, Connection
from serving.engines.failures import (
    TRANSPORT_ERRORS,
    Failure,
    UnfitReply,
    read_broken_connection,
)
from serving.engines.pictures.image_kinds import IMAGE_KINDS
from serving.engines.pictures.image_reply import Drawn, OnStep, read_drawn
from serving.engines.pictures.pictures import read_picture_header
from serving.engines.reply import UnreadReply, read_whole
from serving.settings import ImageEngineSettings
from serving.telemetry import Asked, EngineWatch

IMAGES_PATH = "/images/generations"
PICTURES: Media = ("image/png", "image/jpeg", "image/webp", "application/octet-stream")
Inspect: TypeAlias = Callable[[Artifact], Awaitable[object]]
"""Looks whether a picture can be drawn, and raises `ToolError` where it cannot."""
WATCH_S = 0.1
"""How often a tool's thread looks whether anybody still waits for its picture, in seconds."""

_JSON_OVERHEAD = 65_536


class OpenAIImageEngine:
    """Implements `chatbot.ports.ImageEngine`; an async context manager that owns its connections.

    `draw` is the engine itself, `generate` the same for a tool's thread. Both end exactly at
    their deadline, whatever the server drips, and both close the connection when their caller
    leaves, which is how a server learns that nobody wants the picture any more.
    """

    def __init__(
        self,
        *,
        name: str,
        settings: ImageEngineSettings,
        clock: Clock,
        alarm: Alarm | None = None,
        watch: EngineWatch | None = None,
        inspect: Inspect | None = None,
    ) -> None:
        """Nothing is opened before the context is entered.

        ``alarm`` hears of every oddity, ``watch`` of every request; ``inspect`` looks at each
        picture before anybody is told that it is ready.
        """
        self._name = name
        self._settings = settings
        self._kind = IMAGE_KINDS[settings.kind]
        self._connection = Connection(
            engine=name,
            address=_address(settings, is_external=self._kind.is_external),
            clock=clock,
            alarm=alarm,
            watch=watch,
        )
        self._inspect = inspect
        self._stack = AsyncExitStack()
        self._loop: asyncio.AbstractEventLoop | None = None

    async def __aenter__(self) -> Self:
        """Make the client; connections open as pictures need them."""
        self._loop = asyncio.get_running_loop()
        await self._stack.enter_async_context(self._connection)
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close every connection."""
        await self._stack.aclose()

    @property
    def name(self) -> str:
        """The engine's configured name."""
        return self._name

    @property
    def model(self) -> str:
        """The model's name as the server knows it, else the engine's own."""
        return self._settings.model or self._name

    def generate(
        self,
        request: ImageRequest,
        *,
        deadline_s: float,
        on_step: Callable[[int, int], None] | None = None,
    ) -> Artifact:
        """See `chatbot.ports.ImageEngine.generate`; called from a thread that anyio has started.

        The call whose thread this is may be cancelled at any moment. Threads hear nothing of it,
        so this one looks: a cancellation carried over by `anyio.from_thread.run` alone is lost
        where it meets the task while that is about to run.
        """
        if self._loop is None:
            raise RuntimeError("the image engine is used outside its context")
        drawing = asyncio.run_coroutine_threadsafe(
            self.draw(request, deadline_s=deadline_s, on_step=on_step), self._loop
        )
        try:
            while not futures.wait([drawing], timeout=WATCH_S).done:
                from_thread.check_cancelled()
        finally:
            drawing.cancel()
        return drawing.result()

    async def draw(
        self, request: ImageRequest, *, deadline_s: float, on_step: OnStep | None = None
    ) -> Artifact:
        """Draw one picture within ``deadline_s`` seconds (or the setting's, if that is sooner).

        ``on_step(step, of)`` is called for each step that the server reports. Leaving the call
        closes the connection.

        Raises:
            EngineError: unavailable, busy, too slow, or an answer that is no picture.
            ContentRefused: the server will not draw that.
            InvalidRequest: it does not take the request.
        """
        settings = self._settings
        asked = Asked(
            operation="generate_content",
            provider=settings.kind,
            url=settings.url,
            model=settings.model,
        )
        with self._connection.watch.call(self.name, asked) as call, call.sending():
            artifact = await self._draw(request, deadline_s=deadline_s, on_step=on_step)
            call.is_finished = True
        return artifact

    async def _draw(
        self, request: ImageRequest, *, deadline_s: float, on_step: OnStep | None
    ) -> Artifact:
        deadline_s = min(deadline_s, self._settings.deadline_s)
        deadline = asyncio.get_running_loop().time() + deadline_s
        limit = asyncio.timeout_at(deadline)
        try:
            async with limit:
                drawn = await self._ask(request, deadline, on_step)
                picture = await self._load(drawn, deadline)
        except UnfitReply as error:
            raise self._fail(self._unfit(str(error))) from error
        except TRANSPORT_ERRORS as error:
            if limit.expired():
                message = f"engine {self.name!r} drew no picture within {deadline_s:g} s"
                raise self._fail(EngineTimeout(message, engine=self.name)) from error
            failure = read_broken_connection(error, engine=self.name, has_begun=True)
            self._connection.record(failure)
            raise failure.error from error
        self._connection.breaker.succeed()
        artifact = self._as_artifact(picture, request, drawn)
        if self._inspect is not None:
            try:
                await self._inspect(artifact)
            except ToolError as error:
                raise self._unfit("a picture that cannot be drawn") from error
        return artifact

    async def _ask(self, request: ImageRequest, deadline: float, on_step: OnStep | None) -> Drawn:
        body = self._body(request)
        try:
            reply = await self._open(body, deadline)
        except InvalidRequest as error:
            if "response_format" not in error.message or "response_format" not in body:
                raise
            del body["response_format"]  # some models give base64 always and refuse the field
            reply = await self._open(body, deadline)
        limit = self._settings.max_bytes
        try:
            return await read_drawn(
                reply,
                engine=self.name,
                max_bytes=limit * 4 // 3 + _JSON_OVERHEAD,
                on_step=on_step,
            )
        finally:
            await reply.aclose()

    def _body(self, request: ImageRequest) -> dict[str, JsonValue]:
        kind = self._kind
        fields: dict[str, JsonValue] = {
            "prompt": request.prompt,
            "n": 1,
            "size": f"{request.width}x{request.height}",
            "response_format": "b64_json" if kind.takes_format else None,
            "model": self._settings.model,
            "seed": request.seed if kind.takes_seed else None,
            "stream": kind.reports_steps or None,
        }
        return {name: value for name, value in fields.items() if value is not None}

    async def _open(self, body: dict[str, JsonValue], deadline: float) -> UnreadReply:
        accept = EVENT_STREAM + JSON if self._kind.reports_steps else JSON
        return await self._connection.open(
            IMAGES_PATH, encode(body), deadline=deadline, accept=accept
        )

    async def _load(self, drawn: Drawn, deadline: float) -> bytes:
        if drawn.encoded is not None:
            return await to_thread.run_sync(_decode, drawn.encoded)
        if drawn.url is None or not self._is_same_host(drawn.url):
            raise UnfitReply("a picture on another host")
        reply = await self._connection.open(drawn.url, None, deadline=deadline, accept=PICTURES)
        try:
            return await read_whole(reply, max_bytes=self._settings.max_bytes)
        finally:
            await reply.aclose()

    def _is_same_host(self, url: str) -> bool:
        try:
            return _origin(url) == _origin(self._settings.url)
        except ValueError:
            return False

    def _as_artifact(self, picture: bytes, request: ImageRequest, drawn: Drawn) -> Artifact:
        if len(picture) > self._settings.max_bytes:
            raise self._unfit(f"a picture of more than {self._settings.max_bytes} bytes")
        header = read_picture_header(picture)
        if header is None:
            raise self._unfit("something that is no whole PNG, JPEG or WebP")
        return Artifact(
            media_type=header.media_type,
            data=picture,
            alt=request.prompt,
            width=header.width,
            height=header.height,
            prompt=drawn.prompt if drawn.prompt != request.prompt.strip() else None,
            model=self._settings.model or drawn.model or self._name,
        )

    def _fail(self, error: EngineError) -> EngineError:
        """Let the breaker count the failure."""
        self._connection.record(Failure(error=error))
        return error

    def _unfit(self, what: str) -> EngineUnavailable:
        return EngineUnavailable(
            f"engine {self.name!r} gave {what}", engine=self.name, code=ErrorCode.ENGINE_LOST
        )


def _address(settings: ImageEngineSettings, *, is_external: bool) -> Address:
    key = settings.api_key
    return Address(
        url=settings.url,
        api_key=key.get_secret_value() if key is not None else None,
        connect_s=settings.connect_s,
        busy_wait_s=settings.busy_wait_s,
        failures_allowed=settings.failures_allowed,
        rest_s=settings.rest_s,
        is_external=is_external,
    )


def _decode(encoded: str) -> bytes:
    try:
        return base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError) as error:
        raise UnfitReply("base64 that cannot be read") from error


def _origin(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port

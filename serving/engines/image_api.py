"""An image engine behind any server that speaks OpenAI's image generations."""

import asyncio
import base64
import binascii
from collections.abc import Callable
from urllib.parse import urlsplit

import httpx2

from chatbot.errors import EngineTimeout, EngineUnavailable, InvalidRequest
from chatbot.ports import Clock
from chatbot.types import Artifact, ImageRequest, JsonValue
from serving.engines.body import encode
from serving.engines.connection import (
    Address,
    Alarm,
    Connection,
    Media,
    close_reply,
    read_whole,
)
from serving.engines.events import read_object
from serving.engines.failures import TRANSPORT_ERRORS, UnfitReply, read_broken_connection
from serving.engines.pictures import read_picture_header
from serving.settings import ImageEngineSettings

IMAGES_PATH = "/images/generations"
PICTURES: Media = ("image/png", "image/jpeg", "image/webp", "application/octet-stream")

_JSON_OVERHEAD = 65_536


class OpenAIImageEngine:
    """Implements `chatbot.ports.ImageEngine`; each picture has an event loop of its own.

    It is called from a tool's thread. A loop for each call is what ends a call exactly at its
    deadline, whatever the server drips: a limit on a blocking read would not.
    """

    def __init__(
        self,
        *,
        name: str,
        settings: ImageEngineSettings,
        clock: Clock,
        alarm: Alarm | None = None,
    ) -> None:
        """Nothing is opened before a picture is asked for; ``alarm`` hears of every oddity."""
        self._name = name
        self._settings = settings
        self._clock = clock
        self._alarm = alarm

    @property
    def name(self) -> str:
        """The engine's configured name."""
        return self._name

    def generate(
        self,
        request: ImageRequest,
        *,
        deadline_s: float,
        on_step: Callable[[int, int], None] | None = None,
    ) -> Artifact:
        """See `chatbot.ports.ImageEngine.generate`; the protocol reports no steps but the last."""
        artifact = asyncio.run(self._generate(request, min(deadline_s, self._settings.deadline_s)))
        if on_step is not None:
            on_step(1, 1)
        return artifact

    async def _generate(self, request: ImageRequest, deadline_s: float) -> Artifact:
        deadline = asyncio.get_running_loop().time() + deadline_s
        async with self._connect() as connection:
            limit = asyncio.timeout_at(deadline)
            try:
                async with limit:
                    picture = await self._fetch(connection, request, deadline)
            except UnfitReply as error:
                raise self._unfit(str(error)) from error
            except TRANSPORT_ERRORS as error:
                if limit.expired():
                    message = f"engine {self.name!r} drew no picture within {deadline_s:g} s"
                    raise EngineTimeout(message, engine=self.name) from error
                failure = read_broken_connection(error, engine=self.name, has_begun=True)
                raise failure.error from error
        return self._as_artifact(picture, request)

    def _connect(self) -> Connection:
        settings = self._settings
        key = settings.api_key
        return Connection(
            engine=self.name,
            address=Address(
                url=settings.url,
                api_key=key.get_secret_value() if key is not None else None,
                connect_s=settings.connect_s,
            ),
            clock=self._clock,
            alarm=self._alarm,
        )

    async def _fetch(self, connection: Connection, request: ImageRequest, deadline: float) -> bytes:
        body: dict[str, JsonValue] = {
            "prompt": request.prompt,
            "n": 1,
            "size": f"{request.width}x{request.height}",
            "response_format": "b64_json",
        }
        if self._settings.model is not None:
            body["model"] = self._settings.model
        if request.seed is not None:
            body["seed"] = request.seed
        try:
            reply = await connection.open(IMAGES_PATH, encode(body), deadline=deadline)
        except InvalidRequest as error:
            if "response_format" not in error.message:
                raise
            del body["response_format"]  # some models give base64 always and refuse the field
            reply = await connection.open(IMAGES_PATH, encode(body), deadline=deadline)
        return await self._read_picture(connection, reply, deadline)

    async def _read_picture(
        self, connection: Connection, reply: httpx2.Response, deadline: float
    ) -> bytes:
        limit = self._settings.max_bytes
        text = await _read(reply, max_bytes=limit * 4 // 3 + _JSON_OVERHEAD)
        pictures = (read_object(text) or {}).get("data")
        picture = pictures[0] if isinstance(pictures, list) and pictures else None
        match picture:
            case {"b64_json": str() as encoded} if encoded:
                return self._decode(encoded)
            case {"url": str() as url} if self._is_same_host(url):
                found = await connection.open(url, None, deadline=deadline, accept=PICTURES)
                return await _read(found, max_bytes=limit)
            case {"url": str()}:
                raise self._unfit("a picture on another host")
            case _:
                raise self._unfit("no picture")

    def _decode(self, encoded: str) -> bytes:
        try:
            return base64.b64decode(encoded, validate=True)
        except (binascii.Error, ValueError) as error:
            raise self._unfit("base64 that cannot be read") from error

    def _is_same_host(self, url: str) -> bool:
        try:
            return _origin(url) == _origin(self._settings.url)
        except ValueError:
            return False

    def _as_artifact(self, picture: bytes, request: ImageRequest) -> Artifact:
        if len(picture) > self._settings.max_bytes:
            raise self._unfit(f"a picture of more than {self._settings.max_bytes} bytes")
        header = read_picture_header(picture)
        if header is None:
            raise self._unfit("something that is no PNG, JPEG or WebP")
        return Artifact(
            media_type=header.media_type,
            data=picture,
            alt=request.prompt,
            width=header.width,
            height=header.height,
        )

    def _unfit(self, what: str) -> EngineUnavailable:
        return EngineUnavailable(f"engine {self.name!r} gave {what}", engine=self.name)


def _origin(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port


async def _read(reply: httpx2.Response, *, max_bytes: int) -> bytes:
    try:
        return await read_whole(reply, max_bytes=max_bytes)
    finally:
        await close_reply(reply)

"""Draws for one client and answers it: whole, or step by step; a client that leaves ends it."""

import base64
import json
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Final

from anyio import CancelScope, to_thread
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from chatbot.errors import ZwrotnicaError
from chatbot.types import JsonValue
from serving.http.departure import Departure
from serving.http.errors import wire_error
from serving.http.sse import EventStream
from serving.images.links import PictureLinks
from serving.images.order import Order
from serving.images.painter import Drawing
from serving.images.queue import PictureQueue
from serving.images.wire import Asked
from serving.settings import SIDE_STEP, LimitsSettings

STEP: Final = "image_generation.step"
COMPLETED: Final = "image_generation.completed"
Show = Callable[[Order], Awaitable[None]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Desk:
    """What a reply works with; ``model`` is the name under which clients know what draws."""

    queue: PictureQueue
    links: PictureLinks
    limits: LimitsSettings
    model: str


class DrawingReply(Response):
    """The answer to one request for pictures; an ASGI object that draws while it is sent."""

    def __init__(
        self, desk: Desk, asked: Asked, *, is_alone: bool, link_base: str, request_id: str
    ) -> None:
        """``is_alone``: each picture has a run to itself; ``link_base`` precedes links' paths."""
        super().__init__()
        self._desk = desk
        self._asked = asked
        self._is_alone = is_alone
        self._link_base = link_base
        self._request_id = request_id

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Draw and send; every error becomes a status or the stream's last event."""
        limits = self._desk.limits
        stream = EventStream(
            scope, receive, send, heartbeat_s=limits.heartbeat_s, write_s=limits.write_s
        )
        asked = self._asked
        try:
            with self._desk.queue.place(
                asked.wishes, asked.canvas, is_alone=self._is_alone
            ) as order:
                await self._play(order, stream, (scope, receive, send))
        except ZwrotnicaError as error:
            await stream.fail(wire_error(error, self._request_id))

    async def _play(
        self, order: Order, stream: EventStream, asgi: tuple[Scope, Receive, Send]
    ) -> None:
        """Follow the order to its end; stop at once for a client that leaves."""
        failure: ZwrotnicaError | None = None
        work, is_streamed = CancelScope(), self._asked.is_streamed
        alive = stream.keep_alive(work) if is_streamed else nullcontext()
        async with Departure(asgi[0], asgi[1], work), alive:
            with work:
                try:
                    await (self._stream(order, stream) if is_streamed else self._whole(order, asgi))
                except ZwrotnicaError as error:
                    failure = error
        if failure is not None:
            raise failure

    async def _whole(self, order: Order, asgi: tuple[Scope, Receive, Send]) -> None:
        while not order.is_done:
            await order.change()
        drawings = order.drawings
        reply: dict[str, JsonValue] = {
            "created": int(time.time()),
            **self._common(),
            "data": [await self._item(number, one) for number, one in enumerate(drawings)],
            "usage": self._usage(drawings),
        }
        await Response(_encode(reply), media_type="application/json")(*asgi)

    async def _stream(self, order: Order, stream: EventStream) -> None:
        told = -1
        while not order.is_done:
            if order.step > told:
                told = order.step
                await stream.write(_event(STEP, {"step": told, "of": order.of}))
            else:
                await order.change()
        for number, drawing in enumerate(order.drawings):
            fields: dict[str, JsonValue] = {
                "created_at": int(time.time()),
                **self._common(),
                **await self._item(number, drawing),
                "usage": self._usage((drawing,)),
            }
            await stream.write(_event(COMPLETED, fields))
        await stream.end()

    def _common(self) -> dict[str, JsonValue]:
        asked = self._asked
        return {
            "model": self._desk.model,
            "background": "opaque",
            "output_format": asked.form,
            "quality": asked.quality,
            "size": f"{asked.canvas.width}x{asked.canvas.height}",
        }

    async def _item(self, number: int, drawing: Drawing) -> dict[str, JsonValue]:
        """One picture of the reply; ``revised_prompt`` is what was drawn of a prompt too long."""
        asked = self._asked
        encode = partial(drawing.picture.encode, asked.form, asked.compression)
        content = await to_thread.run_sync(encode)
        wish = asked.wishes[number]
        item: dict[str, JsonValue] = {"seed": wish.seed}
        if asked.is_link:
            item["url"] = self._link_base + self._desk.links.keep(content, asked.form)
        else:
            item["b64_json"] = base64.b64encode(content).decode()
        if drawing.prompt != wish.prompt:
            item["revised_prompt"] = drawing.prompt
        return item

    def _usage(self, drawings: tuple[Drawing, ...]) -> Mapping[str, JsonValue]:
        """Tokens of the text encoder, and patches of the picture, which are the model's tokens."""
        canvas = self._asked.canvas
        read = sum(drawing.tokens for drawing in drawings)
        drawn = len(drawings) * (canvas.width // SIDE_STEP) * (canvas.height // SIDE_STEP)
        return {
            "input_tokens": read,
            "input_tokens_details": {"text_tokens": read, "image_tokens": 0},
            "output_tokens": drawn,
            "total_tokens": read + drawn,
        }


def _event(kind: str, fields: Mapping[str, JsonValue]) -> bytes:
    return b"event: " + kind.encode() + b"\ndata: " + _encode({"type": kind, **fields}) + b"\n\n"


def _encode(value: Mapping[str, JsonValue]) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()

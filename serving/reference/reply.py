"""Answers one client with its row: whole, or as it is generated; a client that leaves ends it."""

import json
import time
from collections.abc import Mapping
from contextlib import nullcontext
from typing import Final

from anyio import CancelScope
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from chatbot.errors import ZwrotnicaError
from chatbot.types import JsonValue
from serving.http.departure import Departure
from serving.http.errors import wire_error
from serving.http.sse import DONE, EventStream
from serving.reference.batching import BatchQueue
from serving.reference.row import Row
from serving.reference.row_text import Finish, Order
from serving.settings import LimitsSettings

_ID: Final = "chatcmpl-"


class CompletionReply(Response):
    """The answer to one chat completion; an ASGI object that is sent as the row grows."""

    def __init__(
        self,
        queue: BatchQueue,
        order: Order,
        *,
        served_name: str,
        limits: LimitsSettings,
        is_streamed: bool,
        wants_usage: bool,
        request_id: str,
    ) -> None:
        """``wants_usage``: a stream ends with the count of its tokens; a whole reply has it."""
        super().__init__()
        self._queue = queue
        self._order = order
        self._limits = limits
        self._is_streamed = is_streamed
        self._wants_usage = wants_usage
        self._request_id = request_id
        self._common: Mapping[str, JsonValue] = {
            "id": _ID + request_id,
            "created": int(time.time()),
            "model": served_name,
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Wait for the row and send it; every error becomes a status or the last event."""
        limits = self._limits
        stream = EventStream(
            scope, receive, send, heartbeat_s=limits.heartbeat_s, write_s=limits.write_s
        )
        try:
            with self._queue.place(self._order) as row:
                await self._play(row, stream, (scope, receive, send))
        except ZwrotnicaError as error:
            await stream.fail(wire_error(error, self._request_id))

    async def _play(self, row: Row, stream: EventStream, asgi: tuple[Scope, Receive, Send]) -> None:
        """Follow the row to its end; stop at once for a client that leaves."""
        failure: BaseException | None = None
        work, is_streamed = CancelScope(), self._is_streamed
        alive = stream.keep_alive(work) if is_streamed else nullcontext()
        async with Departure(asgi[0], asgi[1], work), alive:
            with work:
                try:
                    await (self._stream(row, stream) if is_streamed else self._whole(row, asgi))
                except ZwrotnicaError as error:
                    failure = error
        if failure is not None:
            raise failure

    async def _whole(self, row: Row, asgi: tuple[Scope, Receive, Send]) -> None:
        text, finish = "", None
        while finish is None:
            read = await row.read()
            text, finish = text + read.text, read.finish
        choice: JsonValue = {
            "index": 0,
            "message": {"role": "assistant", "content": text},
            "logprobs": None,
            "finish_reason": finish,
        }
        reply = self._object("chat.completion", [choice]) | {"usage": self._usage(row)}
        await Response(_encode(reply), media_type="application/json")(*asgi)

    async def _stream(self, row: Row, stream: EventStream) -> None:
        read = await row.read()
        await stream.write(self._chunk({"role": "assistant", "content": ""}))
        while True:
            if read.text:
                await stream.write(self._chunk({"content": read.text}))
            if read.finish is not None:
                break
            read = await row.read()
        await stream.write(self._chunk({}, read.finish))
        if self._wants_usage:
            last = self._object("chat.completion.chunk", []) | {"usage": self._usage(row)}
            await stream.write(_event(last))
        await stream.write(DONE)
        await stream.end()

    def _chunk(self, delta: Mapping[str, JsonValue], finish: Finish | None = None) -> bytes:
        choice: JsonValue = {"index": 0, "delta": delta, "finish_reason": finish}
        return _event(self._object("chat.completion.chunk", [choice]))

    def _object(self, kind: str, choices: list[JsonValue]) -> dict[str, JsonValue]:
        return {**self._common, "object": kind, "choices": choices}

    def _usage(self, row: Row) -> dict[str, JsonValue]:
        """The ids' own count; the model's end is one of them."""
        read, generated = len(self._order.ids), row.tokens
        return {
            "prompt_tokens": read,
            "completion_tokens": generated,
            "total_tokens": read + generated,
        }


def _event(value: Mapping[str, JsonValue]) -> bytes:
    return b"data: " + _encode(value) + b"\n\n"


def _encode(value: Mapping[str, JsonValue]) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()

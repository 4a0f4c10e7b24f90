"""A model server on loopback that writes at a known pace, to few or many clients at a time."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import web

MODEL = "paced"


@dataclass(kw_only=True)
class PacedEngine:
    """Each answer has as many tokens as are allowed, and at most `tokens`.

    The first comes after `first_s`, each further one after `gap_s`; no more than `places` requests
    are served at a time. `miscounts` is what its usage adds, `unseen`
    the same where it had to go on beyond its end. With `ends_idle` a connection that was used
    before ends without a word as the next request comes.
    After `leaves_after` answers nobody can connect any more.
    """

    first_s: float = 0.0
    gap_s: float = 0.0
    tokens: int = 1_000
    places: int = 1_000
    miscounts: int = 0
    unseen: int = 0
    ends_idle: bool = False
    has_tokenizer: bool = True
    leaves_after: int | None = None
    bodies: list[dict[str, object]] = field(default_factory=list)
    keys: set[str | None] = field(default_factory=set)
    url: str = ""
    _used: set[asyncio.Transport] = field(default_factory=set)

    @asynccontextmanager
    async def serve(self) -> AsyncIterator["PacedEngine"]:
        """Serve at `url`."""
        self._free = asyncio.Semaphore(self.places)
        app = web.Application()
        app.router.add_get("/v1/models", self._models)
        app.router.add_post("/v1/chat/completions", self._complete)
        app.router.add_post("/tokenize", self._tokenize)
        app.router.add_get("/version", self._version)
        runner = web.AppRunner(app)
        await runner.setup()
        try:
            self._site = web.TCPSite(runner, "127.0.0.1", 0)
            await self._site.start()
            self.url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
            yield self
        finally:
            await runner.cleanup()

    async def _models(self, _: web.Request) -> web.Response:
        return web.json_response({"data": [{"id": MODEL}]})

    async def _tokenize(self, request: web.Request) -> web.Response:
        if not self.has_tokenizer:
            raise web.HTTPNotFound
        return web.json_response({"count": len((await request.json())["prompt"].split())})

    async def _version(self, _: web.Request) -> web.Response:
        if not self.has_tokenizer:
            raise web.HTTPNotFound
        return web.json_response({"version": "1.2.3"})

    async def _complete(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.bodies.append(body)
        if self.ends_idle and not self._is_new(request):
            return web.Response()
        self.keys.add(request.headers.get("Authorization"))
        if len(self.bodies) == self.leaves_after:
            await self._site.stop()
        count = min(self.tokens, body["max_tokens"])
        counted = count + self.miscounts + (self.unseen if body.get("ignore_eos") else 0)
        usage = {"prompt_tokens": 7, "completion_tokens": counted}
        async with self._free:
            if body["stream"]:
                return await self._stream(request, count, usage)
            await asyncio.sleep(self.first_s + (count - 1) * self.gap_s)
        message = {"role": "assistant", "content": "słowo " * count}
        choice = {"index": 0, "message": message, "finish_reason": "length"}
        reply = web.json_response({"choices": [choice], "usage": usage})
        self._close_if_leaving(reply)
        return reply

    def _is_new(self, request: web.Request) -> bool:
        transport = request.transport
        assert transport is not None
        if transport not in self._used:
            self._used.add(transport)
            return True
        transport.abort()
        return False

    def _close_if_leaving(self, reply: web.StreamResponse) -> None:
        if len(self.bodies) == self.leaves_after:
            reply.force_close()

    async def _stream(
        self, request: web.Request, count: int, usage: dict[str, int]
    ) -> web.StreamResponse:
        reply = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        self._close_if_leaving(reply)
        await reply.prepare(request)
        for place in range(count):
            await asyncio.sleep(self.gap_s if place else self.first_s)
            await _say(reply, {"choices": [{"delta": {"content": "słowo "}}]})
        await _say(reply, {"choices": [{"delta": {}, "finish_reason": "length"}]})
        await _say(reply, {"choices": [], "usage": usage})
        await reply.write(b"data: [DONE]\n\n")
        return reply


async def _say(reply: web.StreamResponse, event: dict[str, object]) -> None:
    await reply.write(b"data: " + json.dumps(event).encode() + b"\n\n")

"""A gateway's Chat API played from a script: what the page needs of it, without a chatbot."""

import asyncio
import itertools
import json
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TypeAlias

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from chatbot.testing import ONE_PIXEL_PNG

Fields: TypeAlias = dict[str, object]
Step: TypeAlias = tuple[str, Fields] | float
"""One event by its name and fields, or a pause in seconds."""
Script: TypeAlias = Callable[[str, str | None], Sequence[Step]]
"""The events of the answer to a text, ``force`` given or not."""

TOOLS = (
    {"name": "get_weather", "title": "Pogoda", "examples": ["Jaka będzie jutro pogoda w Łodzi?"]},
    {"name": "search_wikipedia", "title": "Wikipedia", "examples": ["Kim był Mikołaj Kopernik?"]},
    {"name": "calculate", "title": "Matematyka", "examples": ["Ile to 17 razy 23?"]},
    {"name": "generate_image", "title": "Obraz", "examples": ["Narysuj psa i kota"]},
)


@dataclass(kw_only=True)
class Conversation:
    """A conversation as the API tells it, with its messages in order."""

    fields: Fields
    messages: list[Fields] = field(default_factory=list)

    def find(self, message_id: str) -> Fields | None:
        return next((one for one in self.messages if one["id"] == message_id), None)


class ChatApi:
    """The API's state; ``script`` says how it answers, ``cut_after`` breaks streams off.

    Where there are ``keys``, one of them is needed.
    """

    def __init__(self, script: Script) -> None:
        self.script = script
        self.conversations: dict[str, Conversation] = {}
        self.events: dict[str, list[tuple[str, Fields]]] = {}
        self.stops: list[str] = []
        self.requests: list[tuple[str, str, Fields]] = []
        self.refusal: tuple[int, str] | None = None
        self.cut_after: int | None = None
        self.keys: frozenset[str] | None = None
        self.readers = 0
        self.sent_at: dict[str, list[float]] = {}
        self._news: dict[str, asyncio.Event] = {}
        self._ids = {kind: itertools.count(1) for kind in "cm"}
        self._stopped: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    def app(self) -> ASGIApp:
        """The API, closed to whoever has no key where there are any."""
        routes = self._routes()

        async def answer(scope: Scope, receive: Receive, send: Send) -> None:
            is_http = scope["type"] == "http"
            sent = Request(scope).headers.get("authorization", "") if is_http else ""
            is_known = self.keys is None or sent.removeprefix("Bearer ") in self.keys
            open_to = routes if is_known or not is_http else _error(401, "invalid_api_key")
            await open_to(scope, receive, send)

        return answer

    def _routes(self) -> Starlette:
        one = "/api/conversations/{cid}"
        answer = one + "/messages/{mid}"
        return Starlette(
            routes=[
                Route("/api/tools", self._tools),
                Route("/api/me", self._me),
                Route("/api/conversations", self._list),
                Route("/api/conversations", self._create, methods=["POST"]),
                Route(one, self._read),
                Route(one, self._change, methods=["PATCH"]),
                Route(one, self._delete, methods=["DELETE"]),
                Route(one + "/messages", self._post, methods=["POST"]),
                Route(answer + "/events", self._follow),
                Route(answer + "/stop", self._stop, methods=["POST"]),
                Route(answer + "/feedback", self._rate, methods=["PUT"]),
                Route(one + "/export", self._export),
                Route("/api/export", self._export),
                Route("/api/import", self._import, methods=["POST"]),
                Route("/images/{name}", self._image),
            ]
        )

    def sent_text(self) -> str:
        """All text of all answers so far."""
        told = (fields for events in self.events.values() for _, fields in events)
        return "".join(str(fields.get("text", "")) for fields in told)

    async def _tools(self, request: Request) -> Response:
        return JSONResponse({"tools": TOOLS})

    async def _me(self, request: Request) -> Response:
        bounds = {
            "max_tokens": {"min": 1, "max": 4096},
            "temperature": {"min": 0, "max": 2},
            "top_p": {"min": 0, "max": 1},
            "repetition_penalty": {"min": 0, "max": 2},
        }
        return JSONResponse({"account": "local", "engines": ["embedded"], "bounds": bounds})

    async def _list(self, request: Request) -> Response:
        found = [one.fields for one in reversed(self.conversations.values())]
        return JSONResponse({"conversations": found, "next_cursor": None})

    async def _create(self, request: Request) -> Response:
        body = await self._body(request)
        now = _now()
        fields: Fields = {
            "id": self._new_id("c"),
            "title": body.get("title", ""),
            "created_at": now,
            "updated_at": now,
            "parameters": body.get("parameters", {}),
            "current": None,
            "busy": False,
        }
        self.conversations[str(fields["id"])] = Conversation(fields=fields)
        return JSONResponse({**fields, "messages": []}, status_code=201)

    async def _read(self, request: Request) -> Response:
        conversation = self.conversations.get(request.path_params["cid"])
        if conversation is None:
            return _error(404, "not_found")
        return JSONResponse({**conversation.fields, "messages": conversation.messages})

    async def _change(self, request: Request) -> Response:
        conversation = self.conversations[request.path_params["cid"]]
        conversation.fields |= await self._body(request)
        return JSONResponse(conversation.fields)

    async def _delete(self, request: Request) -> Response:
        self.conversations.pop(request.path_params["cid"], None)
        return Response(status_code=204)

    async def _post(self, request: Request) -> Response:
        body = await self._body(request)
        if self.refusal:
            return _error(*self.refusal)
        conversation = self.conversations[request.path_params["cid"]]
        question = self._question(conversation, body)
        answer = self._message("assistant", str(question["id"]), running=True, state="incomplete")
        conversation.messages.append(answer)
        conversation.fields |= {
            "current": answer["id"],
            "updated_at": _now(),
            "title": conversation.fields["title"] or str(_text(question))[:60],
        }
        force = body.get("force")
        steps = self.script(_text(question), force if isinstance(force, str) else None)
        self.events[str(answer["id"])] = []
        self._news[str(answer["id"])] = asyncio.Event()
        task = asyncio.get_running_loop().create_task(self._play(answer, steps))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        headers = {"x-message-id": str(answer["id"]), "x-parent-id": str(question["id"])}
        return self._stream(str(answer["id"]), -1, headers)

    def _question(self, conversation: Conversation, body: Mapping[str, object]) -> Fields:
        parent = body.get("parent", conversation.fields["current"])
        known = conversation.find(str(parent))
        if known and known["role"] == "user":
            if body.get("text") in {None, _text(known)}:
                return known
            parent = known["parent"]
        part = {"type": "text", "text": body["text"], "channel": "answer"}
        question = self._message("user", parent, parts=[part])
        conversation.messages.append(question)
        return question

    async def _play(self, answer: Fields, steps: Sequence[Step]) -> None:
        name = str(answer["id"])
        for step in steps:
            if isinstance(step, float):
                await asyncio.sleep(step)
            elif name in self._stopped:
                break
            else:
                self._tell(answer, *step)
        if name in self._stopped:
            self._tell(answer, "done", {"finish_reason": "cancelled"})

    def _tell(self, answer: Fields, kind: str, fields: Fields) -> None:
        name = str(answer["id"])
        events = self.events[name]
        shared: Fields = {"v": 1, "seq": len(events), "message_id": name, "at_ms": 0}
        if kind == "done":
            is_whole = fields["finish_reason"] != "cancelled"
            answer |= {"running": False, "finish_reason": fields["finish_reason"]}
            answer["state"] = "complete" if is_whole else "incomplete"
        elif kind == "error":
            answer |= {"running": False, "error": fields}
        elif kind not in {"tool_progress", "image_progress", "usage"}:
            parts = answer["parts"]
            assert isinstance(parts, list)
            parts.append({"type": kind, **fields})
        events.append((kind, {**shared, **fields}))
        self._news.pop(name).set()
        self._news[name] = asyncio.Event()
        self.sent_at.setdefault(name, []).append(time.monotonic())

    async def _follow(self, request: Request) -> Response:
        name, after = request.path_params["mid"], request.query_params.get("after")
        if name not in self.events:
            return _error(404, "not_found")
        return self._stream(name, -1 if after is None else int(after), {})

    def _stream(self, name: str, after: int, headers: dict[str, str]) -> Response:
        return StreamingResponse(
            self._encoded(name, after), media_type="text/event-stream", headers=headers
        )

    async def _encoded(self, name: str, after: int) -> AsyncIterator[bytes]:
        events, at = self.events[name], after + 1
        self.readers += 1
        try:
            while True:
                for kind, fields in events[at:]:
                    at += 1
                    if self.cut_after is not None and at > self.cut_after:
                        self.cut_after = None
                        return
                    head = f"event: {kind}\nid: {fields['seq']}"
                    yield f"{head}\ndata: {json.dumps(fields)}\n\n".encode()
                    if kind in {"done", "error"}:
                        return
                await self._news[name].wait()
        finally:
            self.readers -= 1

    async def _stop(self, request: Request) -> Response:
        self.stops.append(request.path_params["mid"])
        self._stopped.add(request.path_params["mid"])
        return Response(status_code=204)

    async def _rate(self, request: Request) -> Response:
        body = await self._body(request)
        message = self.conversations[request.path_params["cid"]].find(request.path_params["mid"])
        assert message is not None
        message["rating"] = body["rating"]
        return Response(status_code=204)

    async def _export(self, request: Request) -> Response:
        headers = {"content-disposition": 'attachment; filename="rozmowa.md"'}
        return Response("# Rozmowa\n", media_type="text/markdown", headers=headers)

    async def _import(self, request: Request) -> Response:
        body = await self._body(request)
        return JSONResponse({"conversations": 1, "messages": 2, "format": body["format"]})

    async def _image(self, request: Request) -> Response:
        return Response(ONE_PIXEL_PNG, media_type="image/png")

    async def _body(self, request: Request) -> Fields:
        raw = await request.body()
        body: Fields = json.loads(raw) if raw else {}
        self.requests.append((request.method, request.url.path, body))
        return body

    def _message(self, role: str, parent: object, **fields: object) -> Fields:
        return {
            "id": self._new_id("m"),
            "parent": parent,
            "role": role,
            "state": "complete",
            "running": False,
            "created_at": _now(),
            "parts": [],
            "parameters": {},
            "force": None,
            "finish_reason": None,
            "error": None,
            "rating": None,
            "comment": None,
            **fields,
        }

    def _new_id(self, kind: str) -> str:
        return f"{kind}{next(self._ids[kind])}"


@contextmanager
def serve_chat_api(api: ChatApi) -> Iterator[str]:
    """The API on a free port of 127.0.0.1 for as long as the block runs; gives its address."""
    config = uvicorn.Config(
        api.app(), port=0, log_level="error", lifespan="off", timeout_graceful_shutdown=1
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join()


def words(text: str, *, pause_s: float = 0.0) -> Iterator[Step]:
    """An answer that arrives word by word."""
    for word in text.split(" "):
        yield "text", {"text": word + " ", "channel": "answer"}
        if pause_s:
            yield pause_s


def _text(message: Mapping[str, object]) -> str:
    parts = message["parts"]
    assert isinstance(parts, list)
    return "".join(part.get("text", "") for part in parts)


def _now() -> str:
    return datetime.now(UTC).isoformat().replace("+00:00", "Z")


def _error(status: int, code: str) -> Response:
    error = {"type": "x", "code": code, "message": "", "param": None, "request_id": "r1"}
    return JSONResponse({"error": error}, status_code=status)

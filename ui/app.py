"""The page's web application: two languages, their policy, ways through to the gateway."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Final

import gradio as gr
from fastapi import FastAPI
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.client import Gateway, GatewayError, stream_body
from ui.credential import CARRIERS
from ui.desk.routes import Desk
from ui.look.dressing import Dressing
from ui.look.files import FOREVER, LookFiles
from ui.look.theme import build_theme
from ui.page import build_page
from ui.texts import ENGLISH, POLISH

POLICY: Final = (
    "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; object-src 'none'; "
    "base-uri 'self'; form-action 'self'; frame-ancestors 'none'"
)
"""Nothing from elsewhere; inline scripts and styles because Gradio's page has them."""

_HEADERS: Final = {
    "content-security-policy": POLICY,
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}
_FORWARDED: Final = (
    "/images/{name}",
    "/api/conversations/{conversation_id}/export",
    "/api/export",
)
_IMPORT: Final = "/api/import"
_ASKED: Final = (
    *CARRIERS,
    *("accept", "accept-language", "content-length", "content-type"),
    *("if-none-match", "if-modified-since", "range"),
)
_TOLD: Final = (
    *("cache-control", "content-disposition", "content-length", "content-type", "etag"),
    *("content-encoding", "last-modified", "vary", "x-request-id"),
)
_ASSETS: Final = "/assets/"
"""Gradio's scripts and styles, whose names change with them."""
_CLOSED: Final = ("/gradio_api/upload", "/gradio_api/file", "/gradio_api/proxy", "/gradio_api/call")
"""Gradio's ways to put files on this machine, to read them, and to call functions by name."""


def create_app(gateway: Gateway, *, chats: int, notices: Sequence[str] = ()) -> FastAPI:
    """The application in front of ``gateway``, which it opens and closes.

    ``notices`` of the operator's are linked to; see `shell.NOTICES`.
    """

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with gateway:
            yield

    async def forward(request: Request) -> Response:
        return await _forward(gateway, request)

    files = LookFiles()
    app = FastAPI(lifespan=lifespan, openapi_url=None)
    app.router.routes += [Route(path, forward, methods=["GET"]) for path in _FORWARDED]
    app.router.routes.append(Route(_IMPORT, forward, methods=["POST"]))
    app.router.routes.append(files.route)
    app.router.routes += Desk(gateway, files).routes
    for texts in (ENGLISH, POLISH):  # the page at / takes every path, so it comes last
        page = build_page(texts, gateway, chats=chats)
        gr.mount_gradio_app(
            app,
            page,
            path=texts.path,
            footer_links=[],
            run_history=False,
            show_error=False,
            theme=build_theme(),
        )
    texts_of = {one.path: one for one in (POLISH, ENGLISH)}
    app.add_middleware(Dressing, texts_of=texts_of, files=files, notices=notices)
    app.add_middleware(Policy)
    return app


class Policy:
    """Middleware: every reply carries the page's policy; what the page never uses is closed."""

    def __init__(self, app: ASGIApp) -> None:
        """``app`` is the whole of the page."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_policy(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(_HEADERS)
                if is_asset and message["status"] == HTTPStatus.OK:
                    headers["cache-control"] = FOREVER
            await send(message)

        is_asset = scope["path"].removeprefix(ENGLISH.path).startswith(_ASSETS)

        if scope["path"] == ENGLISH.path:  # a mounted application begins behind a slash
            scope = {**scope, "path": f"{ENGLISH.path}/", "raw_path": f"{ENGLISH.path}/".encode()}
        if scope["path"].removeprefix(ENGLISH.path).startswith(_CLOSED):
            await Response(status_code=404)(scope, receive, send_with_policy)
        else:
            await self._app(scope, receive, send_with_policy)


async def _forward(gateway: Gateway, request: Request) -> Response:
    """A picture, an export or an import of the gateway's, passed on as it streams in."""
    asked = {name: request.headers[name] for name in _ASKED if name in request.headers}
    content = request.stream() if request.method == "POST" else None
    try:
        reply = await gateway.fetch(request.url.path, request.url.query, asked, content)
    except GatewayError as error:
        return JSONResponse({"error": {"code": error.code}}, status_code=502)
    told = {name: reply.headers[name] for name in _TOLD if name in reply.headers}
    return StreamingResponse(stream_body(reply), status_code=reply.status_code, headers=told)

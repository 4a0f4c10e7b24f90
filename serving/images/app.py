"""The image server's FastAPI application: its routes and the lifetime of its queue."""

import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import APIRouter, FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from chatbot.errors import ErrorCode, InvalidRequest, ZwrotnicaError
from chatbot.types import JsonObject
from serving.http.access import check_key
from serving.http.body import read_body
from serving.http.errors import respond_to_error
from serving.http.request_scope import RequestScope
from serving.images.links import PATH, PictureLinks
from serving.images.metrics import ImageMetrics
from serving.images.queue import PictureQueue
from serving.images.reply import Desk, DrawingReply
from serving.images.wire import ImageGenerationBody, read_asked
from serving.settings import Settings
from serving.telemetry import METRICS_TYPE

OWNER = "zwrotnica"
_CREATED = 1_767_225_600
_ID_BYTES = 12


class ImageRoutes:
    """The routes of one server, on its settings, queue, links and figures."""

    def __init__(
        self, settings: Settings, *, queue: PictureQueue, links: PictureLinks, metrics: ImageMetrics
    ) -> None:
        """Nothing is opened: the queue belongs to the application's lifespan."""
        self._server = settings.images.server
        self._limits = settings.limits
        self._queue = queue
        self._links = links
        self._metrics = metrics

    async def generate(self, request: Request) -> Response:
        """`POST /v1/images/generations`: draw what the prompt says."""
        check_key(request, self._server.api_key)
        asked = read_asked(await read_body(request, self._limits), self._server, self._limits)
        return DrawingReply(
            Desk(
                queue=self._queue,
                links=self._links,
                limits=self._limits,
                model=self._server.served_name,
            ),
            asked,
            is_alone=asked.has_seed and self._server.seeds_alone,
            link_base=self._link_base(request),
            request_id=str(request.scope["request_id"]),
        )

    async def get_picture(self, name: str) -> Response:
        """`GET /v1/images/files/{name}`: a picture, for as long as its link is valid."""
        kept = self._links.find(name)
        if kept is None:
            raise InvalidRequest(
                "there is no such picture, or its link has expired", code=ErrorCode.NOT_FOUND
            )
        return Response(
            kept.content,
            headers={"cache-control": f"private, max-age={self._server.link_s:.0f}"},
            media_type=f"image/{kept.form}",
        )

    async def list_models(self, request: Request) -> JsonObject:
        """`GET /v1/models`: the one model."""
        check_key(request, self._server.api_key)
        return {"object": "list", "data": [self._model()]}

    async def get_model(self, request: Request, model_id: str) -> JsonObject:
        """`GET /v1/models/{id}`."""
        check_key(request, self._server.api_key)
        if model_id not in {self._server.served_name, self._server.model}:
            raise InvalidRequest(f"there is no model {model_id!r}", code=ErrorCode.NOT_FOUND)
        return self._model()

    async def report_life(self) -> JSONResponse:
        """`GET /livez`: the process runs and its loop turns."""
        return JSONResponse({"status": "alive"})

    async def report_readiness(self) -> JSONResponse:
        """`GET /readyz`: whether orders are taken: once warm, until the server is told to stop."""
        checks = {"accepting": not self._queue.is_draining, "model": self._queue.is_ready}
        is_ready = all(checks.values())
        body = {"status": "ready" if is_ready else "unready", "checks": checks}
        return JSONResponse(body, status_code=200 if is_ready else 503)

    async def report_metrics(self) -> Response:
        """`GET /metrics`: the process's figures in Prometheus' text format."""
        return Response(self._metrics.render(), headers={"content-type": METRICS_TYPE})

    def router(self) -> APIRouter:
        """The table of routes."""
        router = APIRouter(default_response_class=JSONResponse)
        schema = {"application/json": {"schema": ImageGenerationBody.model_json_schema()}}
        router.add_api_route(
            "/v1/images/generations",
            self.generate,
            methods=["POST"],
            response_model=None,
            openapi_extra={"requestBody": {"required": True, "content": schema}},
        )
        for path, endpoint in (
            (PATH + "{name}", self.get_picture),
            ("/v1/models", self.list_models),
            ("/v1/models/{model_id:path}", self.get_model),
            ("/livez", self.report_life),
            ("/readyz", self.report_readiness),
            ("/metrics", self.report_metrics),
        ):
            router.add_api_route(path, endpoint, methods=["GET"], response_model=None)
            router.add_api_route(  # of a reply to HEAD the server sends the head alone
                path, endpoint, methods=["HEAD"], response_model=None, include_in_schema=False
            )
        return router

    def _model(self) -> JsonObject:
        name = self._server.served_name
        return {"id": name, "object": "model", "created": _CREATED, "owned_by": OWNER}

    def _link_base(self, request: Request) -> str:
        """What makes a link absolute: the address that the client itself used."""
        if self._server.public_url is not None:
            return self._server.public_url.rstrip("/")
        return f"{request.url.scheme}://{request.headers.get('host', '')}"


def create_app(settings: Settings, *, queue: PictureQueue, metrics: ImageMetrics) -> FastAPI:
    """The application; ``queue`` begins to load its painter with the lifespan."""
    server = settings.images.server
    links = PictureLinks(
        link_s=server.link_s,
        max_bytes=server.link_bytes,
        monotonic=time.monotonic,
        metrics=metrics,
    )

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with queue:
            yield

    app = FastAPI(
        title="Zwrotnica: pictures",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        redirect_slashes=False,
    )
    routes = ImageRoutes(settings, queue=queue, links=links, metrics=metrics)
    app.include_router(routes.router())
    for kind in (ZwrotnicaError, HTTPException):
        app.add_exception_handler(kind, respond_to_error)
    app.add_middleware(RequestScope, metrics=metrics, new_id=_new_id)
    return app


def _new_id() -> str:
    return secrets.token_hex(_ID_BYTES)

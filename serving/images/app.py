"""The image server's FastAPI application: its routes and the lifetime of its queue."""

import time

from fastapi import APIRouter, FastAPI
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from chatbot.errors import ErrorCode, InvalidRequest
from serving.http.access import check_key
from serving.http.body import read_body
from serving.images.links import PATH, PictureLinks
from serving.images.metrics import ImageMetrics
from serving.images.queue import PictureQueue
from serving.images.reply import Desk, DrawingReply
from serving.images.wire import ImageGenerationBody, read_asked
from serving.model_server.app import create_model_app
from serving.model_server.routes import ModelRoutes
from serving.settings import Settings


class ImageRoutes:
    """The routes of one server, on its settings, queue and links."""

    def __init__(self, settings: Settings, *, queue: PictureQueue, links: PictureLinks) -> None:
        """Nothing is opened: the queue belongs to the application's lifespan."""
        self._server = settings.images.server
        self._limits = settings.limits
        self._queue = queue
        self._links = links

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
            headers={"cache-control": f"private, max-age={self._links.seconds_left(kept)}"},
            media_type=f"image/{kept.form}",
        )

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
        return router

    def _link_base(self, request: Request) -> str:
        """What makes a link absolute: the address that the client itself used."""
        if self._server.public_url is not None:
            return self._server.public_url.rstrip("/")
        return f"{request.scope['scheme']}://{request.headers.get('host', '')}"


def create_app(settings: Settings, *, queue: PictureQueue, metrics: ImageMetrics) -> FastAPI:
    """The application; ``queue`` begins to load its painter with the lifespan."""
    server = settings.images.server
    links = PictureLinks(
        link_s=server.link_s,
        max_bytes=server.link_bytes,
        monotonic=time.monotonic,
        metrics=metrics,
    )
    own = ImageRoutes(settings, queue=queue, links=links)
    every = ModelRoutes(
        names=(server.served_name, server.model),
        key=server.api_key,
        queue=queue,
        metrics=metrics,
    )
    return create_model_app(
        own.router(),
        every.router((PATH + "{name}", own.get_picture)),
        title="Zwrotnica: pictures",
        openapi_url="/openapi.json",
        queue=queue,
        metrics=metrics,
    )

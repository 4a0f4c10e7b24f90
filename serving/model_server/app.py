"""The FastAPI application of a server of one model, whose queue lives with it."""

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import APIRouter, FastAPI
from starlette.exceptions import HTTPException

from chatbot.errors import ZwrotnicaError
from serving.http.errors import respond_to_error
from serving.http.request_scope import RequestScope
from serving.model_server.queue import AnyQueue
from serving.telemetry import HttpMetrics

_ID_BYTES = 12


def create_model_app(
    *routers: APIRouter, title: str, queue: AnyQueue, metrics: HttpMetrics, openapi_url: str | None
) -> FastAPI:
    """The application; ``queue`` begins to load its model with the lifespan.

    ``openapi_url``: the path of the schema, ``None`` for none.
    """

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with queue:
            yield

    app = FastAPI(
        title=title,
        docs_url=None,
        redoc_url=None,
        openapi_url=openapi_url,
        lifespan=lifespan,
        redirect_slashes=False,
    )
    for router in routers:
        app.include_router(router)
    for kind in (ZwrotnicaError, HTTPException):
        app.add_exception_handler(kind, respond_to_error)
    app.add_middleware(RequestScope, metrics=metrics, new_id=_new_id)
    return app


def _new_id() -> str:
    return secrets.token_hex(_ID_BYTES)

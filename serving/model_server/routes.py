"""The routes that every server of one model has: its model, its life and its figures."""

from collections.abc import Callable
from typing import TypeAlias

from fastapi import APIRouter
from pydantic import SecretStr
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from chatbot.errors import ErrorCode, InvalidRequest
from chatbot.types import JsonObject
from serving.http.access import check_key
from serving.http.health import report_life, tell_metrics, tell_readiness
from serving.http.models import describe_model, describe_models
from serving.model_server.queue import AnyQueue
from serving.telemetry import HttpMetrics

Reader: TypeAlias = tuple[str, Callable[..., object]]


class ModelRoutes:
    """The routes of one server, on its model's names, queue and figures."""

    def __init__(
        self,
        *,
        names: tuple[str, ...],
        key: SecretStr | None,
        queue: AnyQueue,
        metrics: HttpMetrics,
    ) -> None:
        """``names``: what clients may call the model; the first is the one that is served."""
        self._names = names
        self._key = key
        self._queue = queue
        self._metrics = metrics

    async def list_models(self, request: Request) -> JsonObject:
        """`GET /v1/models`: the one model."""
        check_key(request, self._key)
        return describe_models(self._names[:1])

    async def get_model(self, request: Request, model_id: str) -> JsonObject:
        """`GET /v1/models/{id}`."""
        check_key(request, self._key)
        if model_id not in self._names:
            raise InvalidRequest(f"there is no model {model_id!r}", code=ErrorCode.NOT_FOUND)
        return describe_model(self._names[0])

    async def report_readiness(self) -> JSONResponse:
        """`GET /readyz`: whether requests are taken: once warm, until the end is near."""
        return tell_readiness({
            "accepting": not self._queue.is_draining,
            "model": self._queue.is_ready,
        })

    async def report_metrics(self) -> Response:
        """`GET /metrics`: the process's figures in Prometheus' text format."""
        return tell_metrics(self._metrics)

    def router(self, *more: Reader) -> APIRouter:
        """The table of these routes, and of ``more`` that are read with GET."""
        router = APIRouter(default_response_class=JSONResponse)
        for path, endpoint in (
            *more,
            ("/v1/models", self.list_models),
            ("/v1/models/{model_id:path}", self.get_model),
            ("/livez", report_life),
            ("/readyz", self.report_readiness),
            ("/metrics", self.report_metrics),
        ):
            router.add_api_route(path, endpoint, methods=["GET"], response_model=None)
            router.add_api_route(  # of a reply to HEAD the server sends the head alone
                path, endpoint, methods=["HEAD"], response_model=None, include_in_schema=False
            )
        return router

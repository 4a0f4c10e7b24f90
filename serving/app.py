"""The gateway's FastAPI application: routes, services and their lifetime."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from typing import Any, TypeAlias

from fastapi import FastAPI
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from chatbot.errors import ZwrotnicaError
from serving.assembly import Assembly, assemble, new_id
from serving.gateway.admission import Admission
from serving.gateway.chat_completions import create_chat_completion
from serving.gateway.docs import show_docs, show_home
from serving.gateway.errors import respond_to_error
from serving.gateway.health import report_life, report_metrics, report_readiness
from serving.gateway.images import get_image
from serving.gateway.models import get_model, list_models
from serving.gateway.request_scope import RequestScope
from serving.gateway.route import decide_route
from serving.gateway.services import Services
from serving.gateway.tools import get_me, list_tools
from serving.gateway.wire import ChatCompletionBody, RouteBody
from serving.settings import Settings
from serving.telemetry import Metrics

OpenAssembly: TypeAlias = Callable[[Settings], AbstractAsyncContextManager[Assembly]]

DESCRIPTION = "A chatbot in Polish that switches each message to a tool or to a language model."


@dataclass(frozen=True, kw_only=True, slots=True)
class Route:
    """One row of the table of routes; ``body`` is read by the route itself, bounded and strict."""

    path: str
    endpoint: Callable[..., object]
    method: str = "GET"
    body: type[BaseModel] | None = None
    is_shown: bool = True


ROUTES = (
    Route(
        path="/v1/chat/completions",
        endpoint=create_chat_completion,
        method="POST",
        body=ChatCompletionBody,
    ),
    Route(path="/v1/models", endpoint=list_models),
    Route(path="/v1/models/{model_id:path}", endpoint=get_model),
    Route(path="/api/route", endpoint=decide_route, method="POST", body=RouteBody),
    Route(path="/api/tools", endpoint=list_tools),
    Route(path="/api/me", endpoint=get_me),
    Route(path="/images/{link}", endpoint=get_image),
    Route(path="/livez", endpoint=report_life),
    Route(path="/readyz", endpoint=report_readiness),
    Route(path="/metrics", endpoint=report_metrics),
    Route(path="/docs", endpoint=show_docs, is_shown=False),
    Route(path="/", endpoint=show_home, is_shown=False),
)


def create_app(settings: Settings, *, open_assembly: OpenAssembly | None = None) -> FastAPI:
    """The application; its services open and close with its lifespan.

    ``app.state.admission`` is there from the start, so that whoever runs the server can drain it.
    """
    metrics = Metrics()
    admission = Admission(max_turns=settings.limits.turns, metrics=metrics)
    opened = open_assembly or partial(assemble, alarm=metrics.count_oddity)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with opened(settings) as assembly:
            app.state.services = Services(
                settings=assembly.settings,
                chatbot=assembly.chatbot,
                engines=assembly.engines,
                images=assembly.images,
                admission=admission,
                metrics=metrics,
                clock=assembly.clock,
                new_id=new_id,
            )
            assembly.warm()
            yield

    app = FastAPI(
        title="Zwrotnica",
        description=DESCRIPTION,
        version=version("zwrotnica"),
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        redirect_slashes=False,
    )
    app.state.admission = admission
    for route in ROUTES:
        _add(app, route)
    for kind in (ZwrotnicaError, HTTPException):
        app.add_exception_handler(kind, respond_to_error)
    app.add_middleware(RequestScope, metrics=metrics, new_id=new_id)
    return app


def _add(app: FastAPI, route: Route) -> None:
    app.add_api_route(
        route.path,
        route.endpoint,
        methods=[route.method],
        response_model=None,
        include_in_schema=route.is_shown,
        openapi_extra=_body_schema(route.body) if route.body else None,
    )


def _body_schema(body: type[BaseModel]) -> dict[str, Any]:  # Any: what FastAPI's parameter is
    schema = body.model_json_schema(mode="validation")
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}

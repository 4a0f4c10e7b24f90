"""Routes whose endpoints take the request alone: FastAPI looks for no parameters of theirs."""

from collections.abc import Callable
from typing import Annotated

import pytest
from fastapi import Depends, FastAPI
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from serving.http.plain_route import PlainRoute

TOLD: list[str] = []


async def plain(request: Request) -> Response:
    return Response(f"{request.method} {request.url.path}")


async def refusing(request: Request) -> Response:
    raise HTTPException(418, f"no {request.method}")


async def with_parameter(request: Request, name: str) -> Response:
    return Response(f"{request.method} {name}")


async def with_value(request: Request) -> dict[str, str]:
    return {"method": request.method}


async def guard(request: Request) -> None:
    TOLD.append(request.method)


async def guarded(request: Request, _: Annotated[None, Depends(guard)]) -> Response:
    return Response(request.method)


def without_waiting(request: Request) -> JSONResponse:
    return JSONResponse(request.method)


ENDPOINTS: dict[str, Callable[..., object]] = {
    "/plain": plain,
    "/refusing": refusing,
    "/named/{name}": with_parameter,
    "/value": with_value,
    "/guarded": guarded,
    "/sync": without_waiting,
}


def app_of(kind: type) -> FastAPI:
    app = FastAPI(title="x", version="1")
    app.router.route_class = kind
    for path, endpoint in ENDPOINTS.items():
        app.add_api_route(path, endpoint, response_model=None)
    app.add_api_route("/kept", plain, dependencies=[Depends(guard)])
    return app


def test_only_what_takes_the_request_alone_is_plain() -> None:
    routes = {
        route.path: route for route in app_of(PlainRoute).routes if isinstance(route, PlainRoute)
    }
    assert [path for path, route in routes.items() if route.is_plain] == ["/plain", "/refusing"]


@pytest.mark.parametrize(
    "path", ["/plain", "/refusing", "/named/a", "/value", "/guarded", "/sync", "/kept", "/none"]
)
def test_a_client_sees_no_difference(path: str) -> None:
    seen = []
    for kind in (PlainRoute, APIRoute):
        TOLD.clear()
        reply = TestClient(app_of(kind)).get(path)
        seen.append((reply.status_code, reply.headers, reply.content, tuple(TOLD)))
    assert seen[0] == seen[1]


def test_the_document_is_the_same() -> None:
    assert app_of(PlainRoute).openapi() == app_of(APIRoute).openapi()

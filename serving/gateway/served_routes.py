"""What FastAPI makes of the routes of the table."""

from functools import cache

from fastapi import APIRouter
from starlette.routing import BaseRoute

from serving.gateway.authorization import guard
from serving.gateway.route_table import HOME, ROUTES, Route
from serving.http.plain_route import PlainRoute


@cache
def serve_routes(*, has_home: bool) -> tuple[BaseRoute, ...]:
    """Every route, ready for an application; with ``has_home`` a home page of our own, too.

    They are made of the endpoints' signatures alone, so the applications of a process share them:
    making them is most of what a further application would take.
    """
    router = APIRouter(route_class=PlainRoute)
    for route in (*ROUTES, HOME) if has_home else ROUTES:
        _add(router, route)
    return tuple(router.routes)


def _add(router: APIRouter, route: Route) -> None:
    endpoint = guard(route.endpoint, route.scopes)
    router.add_api_route(
        route.path,
        endpoint,
        methods=[route.method],
        response_model=None,
        include_in_schema=route.is_shown,
    )
    if route.method == "GET":  # of a reply to HEAD the server sends the head alone
        router.add_api_route(
            route.path,
            endpoint,
            methods=["HEAD"],
            response_model=None,
            include_in_schema=False,
        )

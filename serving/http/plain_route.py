"""FastAPI's route, less what FastAPI does for parameters where an endpoint takes none."""

from collections.abc import Awaitable, Callable
from inspect import iscoroutinefunction, signature
from typing import Any, Final

from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

_SOLVED: Final = (
    "path_params",
    "query_params",
    "header_params",
    "cookie_params",
    "body_params",
    "dependencies",
    "http_connection_param_name",
    "response_param_name",
    "background_tasks_param_name",
    "security_scopes_param_name",
)
"""What a route may want that FastAPI has to find for it."""


class PlainRoute(APIRoute):
    """Calls an endpoint that is handed the request alone and gives a response, and nothing else.

    Such a route has no parameter to solve, no dependency to close, no value to serialise. Any other
    one, one with a dependency too, is handled by FastAPI as ever; so is the OpenAPI document. A
    route class of one's own is FastAPI's way to change how it handles requests:
    https://fastapi.tiangolo.com/how-to/custom-request-and-route/
    """

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:  # noqa: ANN401 (FastAPI's)
        """See FastAPI's own."""
        super().__init__(path, endpoint, **options)
        if self.is_plain:
            self.app = _answer_by(endpoint)

    @property
    def is_plain(self) -> bool:
        """Whether there is nothing that FastAPI would have to do."""
        gives = signature(self.endpoint).return_annotation
        return (
            iscoroutinefunction(self.endpoint)
            and isinstance(gives, type)
            and issubclass(gives, Response)
            and self.dependant.request_param_name is not None
            and self.max_body_size is None
            and not any(getattr(self.dependant, name) for name in _SOLVED)
        )


def _answer_by(endpoint: Callable[[Request], Awaitable[Response]]) -> ASGIApp:
    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        response = await endpoint(Request(scope, receive, send))
        await response(scope, receive, send)

    return answer

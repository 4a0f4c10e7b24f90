"""The OpenAPI document, with the bodies, queries and replies that routes see to themselves."""

from typing import Any, Final

from fastapi import FastAPI
from pydantic.json_schema import models_json_schema

from serving.auth.scopes import Scopes, list_scopes
from serving.gateway.authorization import ANY_KEY, PUBLIC
from serving.gateway.documented_replies import ERROR, document_replies
from serving.gateway.idempotency import HEADER, HEADER_SCHEMA
from serving.gateway.route_table import ROUTES, Route

SCHEMES: Final = {
    "bearer": {
        "type": "http",
        "scheme": "bearer",
        "description": "`Authorization: Bearer zw_…`; a server that never had a key needs none.",
    },
    "apiKey": {"type": "apiKey", "in": "header", "name": "x-api-key"},
}
"""Both carry the same key."""

_PLACE: Final = "#/components/schemas/{model}"


class DocumentedApp(FastAPI):
    """Makes the document when it is first asked for: the schemas cost more than all else at start.

    https://fastapi.tiangolo.com/how-to/extending-openapi/

    The pages that read it are ours, and so are the traces: FastAPI would look for OpenTelemetry's
    providers at each request, and trace it once more where somebody has set one.
    """

    def __init__(self, **options: Any) -> None:  # noqa: ANN401 (FastAPI's)
        """``options`` are FastAPI's."""
        super().__init__(
            docs_url=None,
            redoc_url=None,
            redirect_slashes=False,
            telemetry={"tracing": False, "metrics": False, "logs": False},
            **options,
        )

    def openapi(self) -> dict[str, Any]:  # Any: what FastAPI's method returns
        """The document, made once."""
        if self.openapi_schema is None:
            document = super().openapi()
            components = document.setdefault("components", {})
            components["securitySchemes"] = SCHEMES
            shown = [route for route in ROUTES if route.is_shown]
            schemas, definitions = models_json_schema(
                [(route.body, "validation") for route in shown if route.body], ref_template=_PLACE
            )
            components["schemas"] = {"Error": dict(ERROR), **definitions.get("$defs", {})}
            for route in shown:
                path = document["paths"][route.path.replace(":path}", "}")]
                body = schemas[route.body, "validation"] if route.body else None
                _describe(path[route.method.lower()], route, body)
        return super().openapi()


def _describe(operation: dict[str, Any], route: Route, body: dict[str, Any] | None) -> None:
    operation["security"] = _security(route.scopes)
    operation["responses"] = document_replies(route.method, route.path)
    for name, schema in (route.query or {}).items():
        asked = {"name": name, "in": "query", "required": False, "schema": dict(schema)}
        operation.setdefault("parameters", []).append(asked)
    if route.is_repeatable:
        named = {"name": HEADER, "in": "header", "required": False, "schema": dict(HEADER_SCHEMA)}
        operation.setdefault("parameters", []).append(named)
    if body:
        content = {"application/json": {"schema": body}}
        operation["requestBody"] = {"required": route.needs_body, "content": content}


def _security(scopes: Scopes) -> list[dict[str, list[str]]]:
    """Any of these opens the route: each header, with each scope; nothing: it needs no key."""
    if scopes == PUBLIC:
        return []
    needed = [[]] if scopes == ANY_KEY else [[scope] for scope in list_scopes(scopes)]
    return [{scheme: names} for names in needed for scheme in SCHEMES]

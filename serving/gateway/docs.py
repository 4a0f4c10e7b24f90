"""`/docs` and `/`: plain pages without a script, made of the application's own OpenAPI."""

import json
from collections.abc import Mapping
from typing import Final

from starlette.requests import Request
from starlette.responses import HTMLResponse

from serving.gateway.services import services_of
from serving.gateway.templates import render

_HEADERS: Final = {
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}
_METHODS: Final = ("get", "post", "put", "patch", "delete")


async def show_docs(request: Request) -> HTMLResponse:
    """Every route with its fields; needs no script and no other host."""
    openapi = request.app.openapi()
    operations = [
        {
            **operation,
            "method": method.upper(),
            "path": path,
            "needs": _needs(operation),
            "query": _query(operation),
            "body": _body_name(operation),
        }
        for path, methods in openapi["paths"].items()
        for method, operation in methods.items()
        if method in _METHODS
    ]
    schemas = {
        name: json.dumps(schema, ensure_ascii=False, indent=2)
        for name, schema in openapi.get("components", {}).get("schemas", {}).items()
    }
    told = {"api": openapi["info"], "operations": operations, "schemas": schemas}
    page = render("docs.html.j2", told)
    return HTMLResponse(page, headers=_HEADERS)


async def show_home(request: Request) -> HTMLResponse:
    """What this server is and where to go, where it has no web chat."""
    services = services_of(request)
    registry = services.chatbot.tools
    told = {
        "tools": [registry.get(name).spec for name in registry.names],
        "engine": services.settings.answering_engine,
        "has_model": bool(services.engines),
        "base": str(request.base_url),
    }
    return HTMLResponse(render("home.html.j2", told), headers=_HEADERS)


def _needs(operation: Mapping[str, list[dict[str, list[str]]]]) -> str:
    """What a key has to open for it, where the server has keys."""
    security = operation.get("security", [])
    if not security:
        return "Needs no key."
    scopes = dict.fromkeys(name for one in security for names in one.values() for name in names)
    return f"Scope: {' or '.join(scopes)}." if scopes else "Any key."


def _query(operation: Mapping[str, list[dict[str, object]]]) -> list[dict[str, object]]:
    return [asked for asked in operation.get("parameters", []) if asked["in"] == "query"]


def _body_name(operation: Mapping[str, dict[str, dict[str, dict[str, dict[str, str]]]]]) -> str:
    """The shared schema that a body has, if the route takes one."""
    content = operation.get("requestBody", {}).get("content", {})
    schema = content.get("application/json", {}).get("schema", {})
    return schema.get("$ref", "").rpartition("/")[2]

"""The OpenAPI document, with the bodies and queries that routes read by themselves."""

from typing import Any

from fastapi import FastAPI

from serving.gateway.route_table import ROUTES, Route


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
            for route in ROUTES:
                if route.body or route.query:
                    _describe(document["paths"][route.path][route.method.lower()], route)
        return super().openapi()


def _describe(operation: dict[str, Any], route: Route) -> None:
    for name, schema in (route.query or {}).items():
        asked = {"name": name, "in": "query", "required": False, "schema": dict(schema)}
        operation.setdefault("parameters", []).append(asked)
    if route.body:
        schema = route.body.model_json_schema(mode="validation")
        content = {"application/json": {"schema": schema}}
        operation["requestBody"] = {"required": True, "content": content}

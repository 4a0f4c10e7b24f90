"""`/livez`, `/readyz` and `/metrics`: what an operator's machinery asks for."""

import os

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from serving.gateway.services import services_of
from serving.telemetry import METRICS_TYPE


async def report_life() -> JSONResponse:
    """The process runs and its loop turns."""
    return JSONResponse({"status": "alive"})


async def report_readiness(request: Request) -> JSONResponse:
    """Whether new turns are taken: not while shutting down, nor where nothing can be written.

    `storage` tells why the database cannot be written now.
    """
    services = services_of(request)
    fault = await services.database.find_fault()
    checks = {
        "accepting": not services.admission.is_draining,
        "data_dir": os.access(services.settings.data_dir, os.W_OK),
        "storage": fault is None,
    }
    is_ready = all(checks.values())
    body = {"status": "ready" if is_ready else "unready", "checks": checks, "storage": fault}
    return JSONResponse(body, status_code=200 if is_ready else 503)


async def report_metrics(request: Request) -> Response:
    """The process's figures in Prometheus' text format."""
    body = services_of(request).metrics.render()
    return Response(body, headers={"content-type": METRICS_TYPE})

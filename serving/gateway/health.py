"""`/readyz` and `/metrics`: what an operator's machinery asks for."""

import os

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from serving.gateway.services import services_of
from serving.http.health import tell_metrics, tell_readiness


async def report_readiness(request: Request) -> JSONResponse:
    """Whether new turns are taken: not while shutting down, nor where nothing can be written.

    `storage` tells why the database, or the ledger in it, cannot be written now.
    """
    services = services_of(request)
    fault = await services.database.find_fault() or services.billing.fault
    checks = {
        "accepting": not services.admission.is_draining,
        "data_dir": os.access(services.settings.data_dir, os.W_OK),
        "storage": fault is None,
    }
    return tell_readiness(checks, storage=fault)


async def report_metrics(request: Request) -> Response:
    """The process's figures in Prometheus' text format."""
    return tell_metrics(services_of(request).metrics)

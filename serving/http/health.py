"""What `/livez`, `/readyz` and `/metrics` answer: what an operator's machinery asks for."""

from collections.abc import Mapping

from starlette.responses import JSONResponse, Response

from serving.telemetry import METRICS_TYPE, HttpMetrics


async def report_life() -> JSONResponse:
    """The process runs and its loop turns."""
    return JSONResponse({"status": "alive"})


def tell_readiness(checks: Mapping[str, bool], **more: str | None) -> JSONResponse:
    """Answer 200 where every check holds, else 503; ``more`` stands beside the checks."""
    is_ready = all(checks.values())
    body = {"status": "ready" if is_ready else "unready", "checks": dict(checks), **more}
    return JSONResponse(body, status_code=200 if is_ready else 503)


def tell_metrics(metrics: HttpMetrics) -> Response:
    """Answer with the figures in Prometheus' text format."""
    return Response(metrics.render(), headers={"content-type": METRICS_TYPE})

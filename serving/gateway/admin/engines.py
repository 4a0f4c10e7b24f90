"""`GET /api/engines`: what every model server is doing at this moment, for administrators."""

from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response

from chatbot.types import JsonValue
from serving.auth.describing import as_text
from serving.engines.status.listing import ListedEngine, read_engines
from serving.gateway.admin.asking import reply
from serving.gateway.services import services_of


async def list_engines(request: Request) -> Response:
    """Every server of every engine, and `turns`: those that this process has running.

    `state` is `answers`, `silent`, `needs_key` or `in_process`; `running` and `waiting` are
    requests, null where the server does not tell; `cache_share` is from 0 to 1.
    """
    services = services_of(request)
    listed = await read_engines(services.settings)
    return reply({
        "engines": [_fields(one) for one in listed],
        "turns": {
            "running": services.admission.turns,
            "max": services.settings.limits.turns,
            "draining": services.admission.is_draining,
        },
    })


def _fields(one: ListedEngine) -> dict[str, JsonValue]:
    load, server = one.status.load, one.server
    return {
        "name": one.name,
        "kind": one.kind,
        "model": one.model,
        "address": None if one.url is None else urlsplit(one.url).netloc.rpartition("@")[2],
        "roles": [*one.roles],
        "state": one.status.state,
        "running": None if load is None else load.running,
        "waiting": None if load is None else load.waiting,
        "cache_share": None if load is None else load.cache_share,
        "drained": one.is_drained,
        "restarts": None if server is None else server.restarts,
        "since": None if server is None else as_text(server.since),
        "problems": [*one.status.problems],
    }

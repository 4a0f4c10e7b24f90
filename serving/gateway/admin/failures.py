"""`GET /api/errors`: the requests that failed lately, without anybody's words."""

from datetime import timedelta
from zoneinfo import ZoneInfo

from starlette.requests import Request
from starlette.responses import Response

from chatbot.types import JsonValue
from serving.auth.describing import as_text
from serving.billing.failures import read_failures
from serving.gateway.admin.asking import read_limit, reply
from serving.gateway.services import services_of

DAYS = 7


async def list_failures(request: Request) -> Response:
    """The last requests of seven days that failed, the newest first; `error` is the code.

    `enabled` is false where no ledger is kept, from which they are read.
    """
    services = services_of(request)
    billing = services.settings.billing
    today = services.clock.now().astimezone(ZoneInfo(billing.time_zone)).date()
    found = await read_failures(
        services.database, since=today - timedelta(days=DAYS - 1), limit=read_limit(request)
    )
    names = {one.account_id: one.name for one in await services.accounts.list()}
    listed: list[JsonValue] = [
        {
            "at": as_text(one.at),
            "request_id": one.request_id,
            "user": names.get(one.owner, one.owner),
            "model": one.model,
            "path": one.path,
            "error": one.error,
        }
        for one in found
    ]
    return reply({"errors": listed, "days": DAYS, "enabled": billing.enabled})

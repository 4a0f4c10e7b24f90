"""`GET /api/me/data`, `DELETE /api/me`: all that an account owns, to take along or to delete."""

from functools import partial
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from chatbot.errors import ErrorCode, InvalidRequest
from serving.auth.records import LOCAL
from serving.gateway.authorization import caller_of
from serving.gateway.exports.download import Download
from serving.gateway.exports.file_names import disposition
from serving.gateway.exports.words import to_local
from serving.gateway.person_wire import DeletionBody
from serving.gateway.personal.archive import Archive
from serving.gateway.personal.holdings import Holdings
from serving.gateway.services import request_id_of, services_of
from serving.http.body import read_body, validate
from serving.http.strict_json import read_json

_DONE: Final = 204


async def export_me(request: Request) -> Response:
    """All that is kept of the account as a ZIP archive; `CZYTAJ.txt` in it names each file.

    Conversations as JSON and as text, pictures, ratings, keys without their secrets, usage, and the
    log's entries about the account.
    """
    services = services_of(request)
    now = services.clock.now()
    chunks = Holdings(
        services.database,
        conversations=services.conversations,
        keys=services.keys,
        images=services.images,
        keyring=services.keyring,
        lane=services.export_lane,
        now=now,
    ).chunks(caller_of(request).account)
    return Download(
        await anext(chunks),
        chunks,
        partial(Archive, made_at=now),
        headers={
            "content-type": "application/zip",
            "content-disposition": disposition(f"moje dane {to_local(now):%Y-%m-%d}.zip"),
            "cache-control": "no-store",
        },
        lane=services.export_lane,
        write_s=services.settings.limits.write_s,
        request_id=request_id_of(request),
    )


async def delete_me(request: Request) -> Response:
    """Delete the account with all that it owns, for good; `confirm` is its name.

    Conversations, pictures, ratings, tool calls, kept replies and keys go; the ledger keeps sums
    that name nobody. No key of the account counts from now on, this one neither.
    """
    services, caller = services_of(request), caller_of(request)
    limits = services.settings.limits
    body = validate(DeletionBody, read_json(await read_body(request, limits), limits))
    if body.confirm != caller.name:
        raise InvalidRequest(
            "confirm has to be the name of the account, as GET /api/me tells it", param="confirm"
        )
    if caller.account == LOCAL:
        raise InvalidRequest(
            "'local' is the account of everybody who uses this server without keys, or of its "
            "operator, and no person's: delete its conversations one by one",
            code=ErrorCode.INVALID_REQUEST,
        )
    await services.erasing.delete(caller)
    return Response(status_code=_DONE)

"""`DELETE /api/me`: a person's own account and all that it owns."""

from starlette.requests import Request
from starlette.responses import Response

from chatbot.errors import ErrorCode, InvalidRequest
from serving.auth.records import DELETED
from serving.gateway.authorization import caller_of
from serving.gateway.person_wire import DeletionBody
from serving.gateway.services import services_of
from serving.http.body import read_body, validate
from serving.http.strict_json import read_json

_DONE = 204


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
    if caller.key_id is None:
        raise InvalidRequest(
            "a server without keys has no account of yours to delete; delete its conversations",
            code=ErrorCode.INVALID_REQUEST,
        )
    await services.erasing.delete(caller.name, actor=DELETED)
    return Response(status_code=_DONE)

"""`/api/groups`: users who share limits, for administrators."""

from starlette.requests import Request
from starlette.responses import Response

from chatbot.errors import ErrorCode, InvalidRequest
from chatbot.types import JsonValue
from serving.auth.describing import group_fields
from serving.auth.records import Limits
from serving.gateway.admin.asking import (
    CREATED,
    changer_of,
    check_named,
    read,
    read_asked,
    reply,
)
from serving.gateway.admin.wire import GroupBody, GroupChange
from serving.gateway.services import services_of


async def list_groups(request: Request) -> Response:
    """Groups by name, each with its number of members."""
    accounts = services_of(request).accounts
    found, users = await accounts.list_groups(), await accounts.list()
    page, cursor = read_asked(request).choose(found)
    listed: list[JsonValue] = [
        {**group_fields(group), "members": sum(group in user.groups for user in users)}
        for group in page
    ]
    return reply({"groups": listed, "next_cursor": cursor, "total": len(found)})


async def add_group(request: Request) -> Response:
    """Add a group without members."""
    services, actor = services_of(request), changer_of(request).account
    body = await read(request, GroupBody)
    made = await services.accounts.add_group(body.name, actor=actor, limits=body.over(Limits()))
    return reply({**group_fields(made), "members": 0}, status=CREATED)


async def change_group(request: Request, group_name: str) -> Response:
    """Change the engines and tools that a group opens to its members."""
    services, actor = services_of(request), changer_of(request).account
    body = await read(request, GroupChange)
    name = check_named(group_name)
    found = next((one for one in await services.accounts.list_groups() if one.name == name), None)
    if found is None:
        raise InvalidRequest(f"there is no group {name!r}", code=ErrorCode.NOT_FOUND)
    changed = await services.accounts.limit_group(name, body.over(found.limits), actor=actor)
    return reply(group_fields(changed))

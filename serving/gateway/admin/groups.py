"""`/api/groups`: users who share limits, for administrators."""

from collections import Counter

from starlette.requests import Request
from starlette.responses import Response

from chatbot.types import JsonValue
from serving.auth.describing import group_fields
from serving.auth.quotas import NO_QUOTAS
from serving.auth.records import Limits
from serving.gateway.admin.asking import (
    CREATED,
    changer_of,
    check_named,
    read_asked,
    read_limits,
    reply,
)
from serving.gateway.admin.wire import GroupBody, GroupChange
from serving.gateway.budgets import bound_of
from serving.gateway.remaining import describe_limits
from serving.gateway.services import services_of


async def list_groups(request: Request) -> Response:
    """Groups by name, each with its number of members, and with what they have used together.

    `limits` are those of `total`; `quotas` are what each member may use.
    """
    services = services_of(request)
    found, users = await services.accounts.list_groups(), await services.accounts.list()
    page, cursor = read_asked(request).choose(found)
    limits = await describe_limits(services, [(bound_of(group),) for group in page])
    members = Counter(group.name for user in users for group in user.groups)
    listed: list[JsonValue] = [
        {**group_fields(group), "members": members[group.name], "limits": told}
        for group, told in zip(page, limits, strict=True)
    ]
    return reply({"groups": listed, "next_cursor": cursor, "total": len(found)})


async def add_group(request: Request) -> Response:
    """Add a group without members."""
    services, actor = services_of(request), changer_of(request).account
    body = await read_limits(request, GroupBody)
    made = await services.accounts.add_group(
        body.name, actor=actor, limits=body.over(Limits()), total=body.total_over(NO_QUOTAS)
    )
    return reply({**group_fields(made), "members": 0}, status=CREATED)


async def change_group(request: Request, group_name: str) -> Response:
    """Change what a group's members may use, each or together, and how much of it."""
    services, actor = services_of(request), changer_of(request).account
    body = await read_limits(request, GroupChange)
    found = await services.accounts.change_group(
        check_named(group_name), limits=body.over, total=body.total_over, actor=actor
    )
    return reply(group_fields(found))

"""`/api/users`: everyone who has an account, for administrators."""

from starlette.requests import Request
from starlette.responses import Response

from chatbot.errors import InvalidRequest
from chatbot.types import JsonValue
from serving.auth.access import limits_of
from serving.auth.describing import user_fields
from serving.auth.quotas import Quotas, default_quotas
from serving.auth.records import Account, Limits
from serving.gateway.admin.asking import (
    CREATED,
    changer_of,
    check_named,
    read_asked,
    read_limits,
    reply,
)
from serving.gateway.admin.wire import UserBody, UserChange
from serving.gateway.budgets import Bound, bounds_of
from serving.gateway.remaining import describe_limits
from serving.gateway.services import services_of


async def list_users(request: Request) -> Response:
    """Users by name; `next_cursor` continues where this page ends, and is null at the end.

    `limits` are those in force, also by groups and settings, as `/api/me` tells each user; `quotas`
    are the user's own.
    """
    services = services_of(request)
    found = await services.accounts.list()
    page, cursor = read_asked(request).choose(found)
    defaults = default_quotas(services.settings.quotas)
    limits = await describe_limits(services, [_bounds_of(one, defaults) for one in page])
    listed: list[JsonValue] = [
        {**user_fields(account), "limits": told} for account, told in zip(page, limits, strict=True)
    ]
    return reply({"users": listed, "next_cursor": cursor, "total": len(found)})


async def add_user(request: Request) -> Response:
    """Add a user, who has neither key nor password yet."""
    services, actor = services_of(request), changer_of(request).account
    body = await read_limits(request, UserBody)
    made = await services.accounts.add(
        body.name, actor=actor, limits=body.over(Limits()), groups=body.groups
    )
    return reply(user_fields(made), status=CREATED)


async def change_user(request: Request, user_name: str) -> Response:
    """Change a user's groups and limits, or whether the user's keys and sessions count."""
    services, caller = services_of(request), changer_of(request)
    body = await read_limits(request, UserChange)
    account = await services.accounts.find(check_named(user_name))
    if body.disabled and account.account_id == caller.account:
        raise InvalidRequest("nobody can disable the account that asks", param="disabled")
    changed = await services.accounts.change(
        account.name,
        groups=body.groups,
        limits=body.over,
        is_disabled=body.disabled,
        actor=caller.account,
    )
    return reply(user_fields(changed))


def _bounds_of(account: Account, defaults: Quotas) -> tuple[Bound, ...]:
    quotas = limits_of(account, defaults).quotas
    return bounds_of(account.account_id, quotas, account.groups)

"""`/api/users`: everyone who has an account, for administrators."""

from collections.abc import Iterable

from starlette.requests import Request
from starlette.responses import Response

from chatbot.errors import ErrorCode, InvalidRequest
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
from serving.gateway.services import Services, services_of


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
    await _check_groups(services, body.groups)
    made = await services.accounts.add(body.name, actor=actor, limits=body.over(Limits()))
    for group in dict.fromkeys(body.groups):
        made = await services.accounts.set_member(group, made.name, is_member=True, actor=actor)
    return reply(user_fields(made), status=CREATED)


async def change_user(request: Request, user_name: str) -> Response:
    """Change a user's groups and limits, or whether the user's keys and sessions count."""
    services, caller = services_of(request), changer_of(request)
    body = await read_limits(request, UserChange)
    account = await services.accounts.find(check_named(user_name))
    await _check_groups(services, body.groups or ())
    if body.disabled and account.account_id == caller.account:
        raise InvalidRequest("nobody can disable the account that asks", param="disabled")
    account = await _set_groups(services, account, body.groups, caller.account)
    account = await services.accounts.limit(account.name, body.over, actor=caller.account)
    if body.disabled is not None:
        account = await services.accounts.set_disabled(
            account.name, is_disabled=body.disabled, actor=caller.account
        )
    return reply(user_fields(account))


def _bounds_of(account: Account, defaults: Quotas) -> tuple[Bound, ...]:
    quotas = limits_of(account, defaults).quotas
    return bounds_of(account.account_id, quotas, account.groups)


async def _set_groups(
    services: Services, account: Account, wanted: list[str] | None, actor: str
) -> Account:
    if wanted is None:
        return account
    present = {group.name for group in account.groups}
    for group in sorted(present ^ set(wanted)):
        account = await services.accounts.set_member(
            group, account.name, is_member=group in wanted, actor=actor
        )
    return account


async def _check_groups(services: Services, names: Iterable[str]) -> None:
    """Raise the error of the first group that there is not."""
    known = {group.name for group in await services.accounts.list_groups()}
    for name in names:
        if name not in known:
            raise InvalidRequest(
                f"there is no group {name!r}; add it first",
                param="groups",
                code=ErrorCode.NOT_FOUND,
            )

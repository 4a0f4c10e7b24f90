"""What an account may use by its own limits and those of its groups."""

from collections.abc import Callable
from operator import attrgetter
from typing import TypeAlias

from serving.auth.quotas import NO_QUOTAS, Quotas, widest
from serving.auth.records import Account, Limits

Names: TypeAlias = frozenset[str] | None


def limits_of(account: Account, defaults: Quotas = NO_QUOTAS) -> Limits:
    """The limits that are in force.

    A group opens what it names, so several open all that any of them names; a group without a
    limit says nothing. The account's own limit narrows that down further. How much may be used is
    the account's own quota where there is one, else the widest of its groups, else ``defaults``.
    """

    def in_force(pick: Callable[[Limits], Names]) -> Names:
        opened = [names for group in account.groups if (names := pick(group.limits)) is not None]
        shared = frozenset[str]().union(*opened) if opened else None
        own = pick(account.limits)
        if shared is None or own is None:
            return own if shared is None else shared
        return own & shared

    shared = widest(group.limits.quotas for group in account.groups)
    return Limits(
        engines=in_force(attrgetter("engines")),
        tools=in_force(attrgetter("tools")),
        quotas=account.limits.quotas.over(shared).over(defaults),
    )

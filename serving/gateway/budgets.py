"""What a request is held against: the limits of its caller and of their groups."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from serving.auth.caller import Caller
from serving.auth.quotas import NO_QUOTAS, Quotas
from serving.billing import Allowance, Measure, Period
from serving.limits import Kind, Rate

RATES: Final[Mapping[str, Kind]] = MappingProxyType({
    "requests_per_minute": "requests",
    "tokens_per_minute": "tokens",
})
"""What each quota of a minute limits, by its name."""
BUDGETS: Final[Mapping[str, tuple[Measure, Period]]] = MappingProxyType({
    "requests_at_once": ("running", "now"),
    "tokens_per_day": ("tokens", "day"),
    "tokens_per_month": ("tokens", "month"),
    "images_per_day": ("images", "day"),
    "images_per_month": ("images", "month"),
    "money_per_day": ("amount", "day"),
    "money_per_month": ("amount", "month"),
})
"""What each quota of the ledger limits, by its name."""


def allowances_of(caller: Caller) -> tuple[Allowance, ...]:
    """Every budget that counts what ``caller`` uses: their own first, then those of groups."""
    own = caller.limits.quotas
    shared = [group for group in caller.groups if group.total is not NO_QUOTAS]
    if own is NO_QUOTAS and not shared:
        return ()
    found = [*_budgets(own, caller.account, None)]
    for group in shared:
        found += _budgets(group.total, group.group_id, group.name)
    return tuple(found)


def rates_of(caller: Caller) -> tuple[Rate, ...]:
    """Every limit of a minute that counts what ``caller`` asks."""
    own = caller.limits.quotas
    shared = [group for group in caller.groups if group.total is not NO_QUOTAS]
    if own is NO_QUOTAS and not shared:
        return ()
    found = [*_rates(own, caller.account)]
    for group in shared:
        found += _rates(group.total, group.group_id)
    return tuple(found)


def counts_tokens(caller: Caller) -> bool:
    """Whether any limit may ask how many tokens a request takes."""
    return caller.limits.quotas is not NO_QUOTAS or any(
        group.total is not NO_QUOTAS for group in caller.groups
    )


def groups_of(caller: Caller) -> tuple[str, ...]:
    """The ids of the groups that count what ``caller`` uses."""
    return tuple(group.group_id for group in caller.groups)


def _rates(quotas: Quotas, subject: str) -> Iterator[Rate]:
    for name, kind in RATES.items():
        limit = getattr(quotas, name)
        if limit is not None:
            yield Rate(subject, kind, limit)


def _budgets(quotas: Quotas, subject: str, group: str | None) -> Iterator[Allowance]:
    for name, (measure, period) in BUDGETS.items():
        limit = getattr(quotas, name)
        if limit is not None:
            yield Allowance(
                subject=subject, measure=measure, period=period, limit=limit, group=group
            )

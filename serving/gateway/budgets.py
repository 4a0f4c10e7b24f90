"""What a request is held against: the limits of its caller and of their groups."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from types import MappingProxyType
from typing import Final

from serving.auth.caller import Caller
from serving.auth.quotas import NO_QUOTAS, Quotas
from serving.auth.records import Group
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


@dataclass(frozen=True, kw_only=True, slots=True)
class Bound:
    """The ``quotas`` that ``subject``, an account or the group of a name, is held to."""

    subject: str
    quotas: Quotas
    group: str | None = None

    def rates(self) -> Iterator[Rate]:
        """Its limits of a minute."""
        for name, kind in RATES.items():
            limit = getattr(self.quotas, name)
            if limit is not None:
                yield Rate(self.subject, kind, limit)

    def allowances(self) -> Iterator[Allowance]:
        """Its budgets."""
        for name, (measure, period) in BUDGETS.items():
            limit = getattr(self.quotas, name)
            if limit is not None:
                yield Allowance(
                    subject=self.subject,
                    measure=measure,
                    period=period,
                    limit=limit,
                    group=self.group,
                )


def bounds_of(account: str, quotas: Quotas, groups: Iterable[Group]) -> tuple[Bound, ...]:
    """What counts what an account uses: its own ``quotas`` first, then those of its groups."""
    shared = [bound_of(group) for group in groups if group.total is not NO_QUOTAS]
    if quotas is NO_QUOTAS and not shared:
        return ()
    return Bound(subject=account, quotas=quotas), *shared


def bound_of(group: Group) -> Bound:
    """What counts what all members of a group use together."""
    return Bound(subject=group.group_id, quotas=group.total, group=group.name)


def allowances_of(caller: Caller) -> tuple[Allowance, ...]:
    """Every budget that counts what ``caller`` uses: their own first, then those of groups."""
    return tuple(chain.from_iterable(one.allowances() for one in _bounds(caller)))


def rates_of(caller: Caller) -> tuple[Rate, ...]:
    """Every limit of a minute that counts what ``caller`` asks."""
    return tuple(chain.from_iterable(one.rates() for one in _bounds(caller)))


def counts_tokens(caller: Caller) -> bool:
    """Whether any limit may ask how many tokens a request takes."""
    return caller.limits.quotas is not NO_QUOTAS or any(
        group.total is not NO_QUOTAS for group in caller.groups
    )


def groups_of(caller: Caller) -> tuple[str, ...]:
    """The ids of the groups that count what ``caller`` uses."""
    return tuple(group.group_id for group in caller.groups)


def _bounds(caller: Caller) -> tuple[Bound, ...]:
    return bounds_of(caller.account, caller.limits.quotas, caller.groups)

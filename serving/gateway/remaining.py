"""What was used and is left of limits, as `/api/me` and the lists for administrators tell it."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, time, timedelta
from functools import partial
from typing import Final, TypeAlias
from zoneinfo import ZoneInfo

from chatbot.types import JsonValue
from serving.billing import Allowance, Period
from serving.billing.sums import look
from serving.gateway.budgets import BUDGETS, RATES, Bound
from serving.gateway.events import as_json
from serving.gateway.services import Services
from serving.limits import MINUTE_S, Standing

_DAYS_OF_ANY_MONTH: Final = 32
_Told: TypeAlias = Mapping[Bound, list[JsonValue]]


async def describe_limits(
    services: Services, several: Sequence[Sequence[Bound]]
) -> list[list[JsonValue]]:
    """The limits of each of ``several``: name, what was used, what is left, when it is renewed.

    However many they are, the keeper of rates and the database are asked once.

    Raises:
        StorageUnavailable: the database has to be asked for what was used, and cannot be read.
    """
    bounds = tuple(dict.fromkeys(bound for one in several for bound in one))
    rates = await _describe_rates(services, bounds)
    budgets = await _describe_budgets(services, bounds)
    return [[*_join(rates, one), *_join(budgets, one)] for one in several]


def _join(told: _Told, bounds: Iterable[Bound]) -> list[JsonValue]:
    return [limit for bound in bounds for limit in told[bound]]


async def _describe_rates(services: Services, bounds: Iterable[Bound]) -> _Told:
    rates = [(bound, rate) for bound in bounds for rate in bound.rates()]
    now = services.clock.now()
    told: dict[Bound, list[JsonValue]] = {bound: [] for bound in bounds}
    standings = await services.pacer.look([rate for _, rate in rates])
    for (bound, _), standing in zip(rates, standings, strict=True):
        told[bound].append(_describe_rate(standing, group=bound.group, now=now))
    return told


async def _describe_budgets(services: Services, bounds: Iterable[Bound]) -> _Told:
    told: dict[Bound, list[JsonValue]] = {bound: [] for bound in bounds}
    budgets = [(bound, one) for bound in bounds for one in bound.allowances()]
    if services.billing.ledger is None or not budgets:
        return told
    today = services.clock.now().astimezone(ZoneInfo(services.settings.billing.time_zone))
    allowances = [one for _, one in budgets]
    used = await services.database.read(
        partial(look, allowances=allowances, day=today.date().isoformat())
    )
    for (bound, allowance), amount in zip(budgets, used, strict=True):
        resets_at = renewal(allowance.period, today)
        told[bound].append(_describe_budget(allowance, amount, resets_at=resets_at))
    return told


def _describe_rate(standing: Standing, *, group: str | None, now: datetime) -> JsonValue:
    names = {kind: name for name, kind in RATES.items()}
    limit, whole_in_s = standing.rate.per_minute, standing.whole_in_s
    return {
        "name": names[standing.rate.kind],
        "group": group,
        "limit": limit,
        "used": round(limit * whole_in_s / MINUTE_S),
        "left": standing.left,
        "resets_at": as_json(now + timedelta(seconds=whole_in_s)),
    }


def _describe_budget(allowance: Allowance, used: int, *, resets_at: datetime | None) -> JsonValue:
    names = {what: name for name, what in BUDGETS.items()}
    return {
        "name": names[allowance.measure, allowance.period],
        "group": allowance.group,
        "limit": allowance.limit,
        "used": used,
        "left": max(0, allowance.limit - used),
        "resets_at": None if resets_at is None else as_json(resets_at),
    }


def renewal(period: Period, today: datetime) -> datetime | None:
    """When a period ends in the zone of ``today``; a day may have 23 or 25 hours."""
    if period == "now":
        return None
    first = today.date()
    if period == "day":
        following = first + timedelta(days=1)
    else:
        following = (first.replace(day=1) + timedelta(days=_DAYS_OF_ANY_MONTH)).replace(day=1)
    return datetime.combine(following, time(), tzinfo=today.tzinfo)

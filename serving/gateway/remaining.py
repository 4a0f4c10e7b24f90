"""What is left of the limits of a caller, as `/api/me` tells it."""

from collections.abc import Sequence
from datetime import datetime, time, timedelta
from functools import partial
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from chatbot.types import JsonValue
from serving.auth.caller import Caller
from serving.billing import Allowance, Period
from serving.billing.spendings import Spendings
from serving.gateway.budgets import BUDGETS, RATES, allowances_of, rates_of
from serving.gateway.events import as_json
from serving.gateway.services import Services
from serving.limits import Standing

_DAYS_OF_ANY_MONTH = 32


async def describe_limits(services: Services, caller: Caller) -> list[JsonValue]:
    """Each limit with its name, what is left, and when it is whole again or renewed.

    Raises:
        StorageUnavailable: the database has to be asked for what was used, and cannot be read.
    """
    now = services.clock.now()
    groups = {group.group_id: group.name for group in caller.groups}
    standings = await services.pacer.look(rates_of(caller))
    described: list[JsonValue] = [
        _describe_rate(one, group=groups.get(one.rate.subject), now=now) for one in standings
    ]
    allowances = allowances_of(caller) if services.billing.ledger is not None else ()
    if not allowances:
        return described
    zone = ZoneInfo(services.settings.billing.time_zone)
    today = now.astimezone(zone)
    used = await services.database.read(
        partial(_look, allowances=allowances, day=today.date().isoformat())
    )
    described += [
        _describe_budget(one, amount, resets_at=renewal(one.period, today))
        for one, amount in zip(allowances, used, strict=True)
    ]
    return described


def _look(connection: Connection, *, allowances: Sequence[Allowance], day: str) -> list[int]:
    spendings = Spendings(connection)
    return [spendings.look(allowance, day=day) for allowance in allowances]


def _describe_rate(standing: Standing, *, group: str | None, now: datetime) -> JsonValue:
    names = {kind: name for name, kind in RATES.items()}
    return {
        "name": names[standing.rate.kind],
        "group": group,
        "limit": standing.rate.per_minute,
        "left": standing.left,
        "resets_at": as_json(now + timedelta(seconds=standing.whole_in_s)),
    }


def _describe_budget(allowance: Allowance, used: int, *, resets_at: datetime | None) -> JsonValue:
    names = {what: name for name, what in BUDGETS.items()}
    return {
        "name": names[allowance.measure, allowance.period],
        "group": allowance.group,
        "limit": allowance.limit,
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

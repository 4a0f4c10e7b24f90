"""Reads what many owners and groups have used, in a few statements however many they are."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from sqlalchemy import Connection

from serving.billing.prepared import Found, read_each
from serving.billing.records import Allowance
from serving.billing.statements import (
    ADD_UP_GROUP,
    ADD_UP_GROUPS,
    ADD_UP_OWNERS,
    COUNT_RUNNING_OF_GROUP,
    COUNT_RUNNING_OF_GROUPS,
    COUNT_RUNNING_OF_OWNERS,
    COUNTED_OF,
)
from serving.billing.use import MONTH_CHARS, NOTHING, NOW, Use, period_of

_LAST_DAY: Final = "-31"


def look(connection: Connection, allowances: Sequence[Allowance], *, day: str) -> list[int]:
    """What counts against each allowance on a day, in their order; nothing is written."""
    subjects: dict[str, dict[str, bool]] = defaultdict(dict)
    for one in allowances:
        subjects[period_of(day, one.period)][one.subject] = one.group is not None
    used = {period: _used(connection, of, period) for period, of in subjects.items()}
    return [used[period_of(day, one.period)][one.subject].of(one.measure) for one in allowances]


def add_up(
    connection: Connection, subjects: Sequence[str], period: str, *, is_group: bool
) -> Mapping[str, Use]:
    """The sum of the rows of requests, for each of ``subjects``, which are owners or groups."""
    if not subjects:
        return {}
    totals = dict.fromkeys(subjects, NOTHING)
    for ids, *sums in _read(connection, subjects, period, is_group=is_group):
        for subject in totals.keys() & {*ids.split()}:
            totals[subject] += Use.read(*sums)
    return totals


def _used(connection: Connection, subjects: Mapping[str, bool], period: str) -> Mapping[str, Use]:
    """What each of ``subjects`` has used, which are groups where that is true."""
    rows = read_each(connection, COUNTED_OF, [*subjects], period=period)
    used = {subject: Use.read(*sums) for subject, *sums in rows}
    for is_group in (False, True):
        fresh = [one for one, of_group in subjects.items() if of_group is is_group]
        fresh = [one for one in fresh if one not in used]  # no budget has asked for it yet
        used |= add_up(connection, fresh, period, is_group=is_group)
    return used


def _read(
    connection: Connection, subjects: Sequence[str], period: str, *, is_group: bool
) -> Iterable[Found]:
    """Rows of the ids of owners, or of all groups of a request, with the sums."""
    is_now, days = period == NOW, _days_of(period)
    if not is_group:
        asked = COUNT_RUNNING_OF_OWNERS if is_now else ADD_UP_OWNERS
        return read_each(connection, asked, subjects, **days)
    if len(subjects) == 1:
        of_one = COUNT_RUNNING_OF_GROUP if is_now else ADD_UP_GROUP
        return [tuple(row) for row in connection.execute(of_one, {"group_id": subjects[0], **days})]
    of_all = COUNT_RUNNING_OF_GROUPS if is_now else ADD_UP_GROUPS
    return [tuple(row) for row in connection.execute(of_all, days)]


def _days_of(period: str) -> dict[str, str]:
    if period == NOW:
        return {}
    is_month = len(period) == MONTH_CHARS
    return {
        "first": f"{period}-01" if is_month else period,
        "last": period + _LAST_DAY if is_month else period,
    }

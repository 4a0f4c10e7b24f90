"""What owners and groups have used in a day and a month, counted where rows are written."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, assert_never

from sqlalchemy import Connection

from serving.billing.prepared import read_each, read_row, write_rows
from serving.billing.records import Allowance, Exhausted, Measure, NewEntry, Period, Settlement
from serving.billing.statements import (
    ADD_UP_GROUP,
    ADD_UP_OWNER,
    BEGIN_COUNT,
    COUNT,
    COUNT_RUNNING_OF_GROUP,
    COUNT_RUNNING_OF_OWNER,
    COUNTED,
    OPEN,
    USED_BY,
)

_MONTH_CHARS: Final = 7
_LAST_DAY: Final = "-31"
NOW: Final = "now"
_ASIDE: Final = frozenset({"route", "title"})
"""Paths of what runs beside a request, or is no answer."""
Count: TypeAlias = tuple[str, str]
_Change: TypeAlias = tuple[int, int, int, int]  # of the parts of a `Use`


@dataclass(frozen=True, kw_only=True, slots=True)
class Use:
    """Tokens, pictures and micro-units, and requests that are running."""

    tokens: int = 0
    images: int = 0
    amount: int = 0
    running: int = 0

    def __add__(self, other: "Use") -> "Use":
        """Both together."""
        return Use(
            tokens=self.tokens + other.tokens,
            images=self.images + other.images,
            amount=self.amount + other.amount,
            running=self.running + other.running,
        )

    def of(self, measure: Measure) -> int:
        """The part that an allowance is about."""
        match measure:
            case "tokens":
                return self.tokens
            case "images":
                return self.images
            case "amount":
                return self.amount
            case "running":
                return self.running
            case _:
                assert_never(measure)


NOTHING: Final = Use()


class Spendings:
    """The counts as one transaction changes them; `write` puts the changes into the table.

    The transaction is the only one that writes the ledger, so that what was read holds.
    """

    def __init__(self, connection: Connection) -> None:
        """Nothing is read before it is asked for."""
        self._connection = connection
        self._changes: dict[Count, list[int]] = {}
        self._read: dict[Count, Use] = {}

    def check(self, entry: NewEntry) -> Exhausted | None:
        """The first allowance of a request that does not cover it, if any."""
        wanted = _wanted(entry)
        for allowance in entry.reservation.allowances:
            asked = wanted.of(allowance.measure)
            left = allowance.limit - self._used(allowance, entry).of(allowance.measure)
            if asked > left:
                return Exhausted(allowance=allowance, left=max(0, left))
        return None

    def reserve(self, entry: NewEntry) -> None:
        """Count a request that is in the ledger now."""
        wanted = entry.reservation
        subjects = (wanted.owner, *wanted.groups)
        running = int(wanted.path not in _ASIDE)
        change = wanted.tokens, wanted.images, wanted.amount, running
        self._change(subjects, entry.day, change)

    def settle(self, settlements: Iterable[Settlement]) -> None:
        """Count requests by what they have used, before they are settled; only open ones change."""
        self._settle({
            one.entry_id: Use(tokens=one.tokens, images=one.images, amount=one.charged)
            for one in settlements
        })

    def settle_as_noted(self, entry_ids: Sequence[str]) -> None:
        """As `settle`, of requests that have used what is written down of them."""
        used = dict.fromkeys(entry_ids, NOTHING)
        for row in read_each(self._connection, USED_BY, entry_ids):
            used[row[0]] = _use(*row[1:])
        self._settle(used)

    def write(self) -> None:
        """Put the changes into the table, where the counts are kept."""
        changes, self._changes = self._changes, {}
        rows = [
            _row(count, change)
            for count, added in changes.items()
            if (change := _use(*added)) != NOTHING
        ]
        for count in changes.keys() & self._read.keys():
            self._read[count] += _use(*changes[count])
        if rows:
            write_rows(self._connection, COUNT, rows)

    def _settle(self, used: Mapping[str, Use]) -> None:
        for row in read_each(self._connection, OPEN, [*used]):
            entry_id, owner, groups, day, path, tokens, images, amount = row
            use, running = used[entry_id], int(path not in _ASIDE)
            change = use.tokens - tokens, use.images - images, use.amount - amount, -running
            self._change((owner, *groups.split()), day, change)

    def _change(self, subjects: Iterable[str], day: str, change: _Change) -> None:
        """All but what is running is counted in a day and a month."""
        tokens, images, amount, running = change
        is_lasting = bool(tokens or images or amount)
        for subject in subjects:
            self._changes.setdefault((subject, NOW), [0, 0, 0, 0])[3] += running
            for period in (day, day[:_MONTH_CHARS]) if is_lasting else ():
                added = self._changes.setdefault((subject, period), [0, 0, 0, 0])
                added[0] += tokens
                added[1] += images
                added[2] += amount

    def _used(self, allowance: Allowance, entry: NewEntry) -> Use:
        """What counts against an allowance now; the count begins where there is none."""
        count = allowance.subject, period_of(entry.day, allowance.period)
        if count not in self._read:
            self.write()
            self._read[count] = self._find(count) or self._begin(count, entry)
        changed = self._changes.get(count)
        return self._read[count] if changed is None else self._read[count] + _use(*changed)

    def look(self, allowance: Allowance, *, day: str) -> int:
        """What counts against an allowance on a day; nothing is written."""
        count = allowance.subject, period_of(day, allowance.period)
        used = self._find(count) or self._add_up(count, is_group=allowance.group is not None)
        return used.of(allowance.measure)

    def _find(self, count: Count) -> Use | None:
        row = read_row(self._connection, COUNTED, _key(count))
        return None if row is None else _use(*row)

    def _begin(self, count: Count, entry: NewEntry) -> Use:
        used = self._add_up(count, is_group=count[0] != entry.reservation.owner)
        self._connection.execute(BEGIN_COUNT, _row(count, used))
        return used

    def _add_up(self, count: Count, *, is_group: bool) -> Use:
        """The sum of the rows of requests."""
        subject, period = count
        if period == NOW:
            asked = COUNT_RUNNING_OF_GROUP if is_group else COUNT_RUNNING_OF_OWNER
        else:
            asked = ADD_UP_GROUP if is_group else ADD_UP_OWNER
        given = {"subject": subject, **_days_of(period)}
        return _use(*self._connection.execute(asked, given).one())


def period_of(day: str, period: Period) -> str:
    """The name of the day, or of its month; what is running is counted whatever the day."""
    match period:
        case "day":
            return day
        case "month":
            return day[:_MONTH_CHARS]
        case "now":
            return NOW
        case _:
            assert_never(period)


def _days_of(period: str) -> Mapping[str, str]:
    if period == NOW:
        return {}
    is_month = len(period) == _MONTH_CHARS
    return {
        "first": f"{period}-01" if is_month else period,
        "last": period + _LAST_DAY if is_month else period,
    }


def _wanted(entry: NewEntry) -> Use:
    wanted = entry.reservation
    return Use(
        tokens=wanted.tokens,
        images=wanted.images,
        amount=wanted.amount,
        running=int(wanted.path not in _ASIDE),
    )


def _use(tokens: int, images: int, amount: int, running: int) -> Use:
    """Sums as whole numbers: PostgreSQL's are of a decimal type."""
    return Use(tokens=int(tokens), images=int(images), amount=int(amount), running=int(running))


def _key(count: Count) -> Mapping[str, str]:
    return {"subject": count[0], "period": count[1]}


def _row(count: Count, use: Use) -> Mapping[str, str | int]:
    return {
        **_key(count),
        "tokens": use.tokens,
        "images": use.images,
        "amount": use.amount,
        "running": use.running,
    }

"""What owners and groups have used in a day and a month, counted where rows are written."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from sqlalchemy import Connection

from serving.billing.prepared import Found, read_each, read_row, write_rows
from serving.billing.records import Allowance, Exhausted, NewEntry, Settlement
from serving.billing.statements import (
    BEGIN_COUNT,
    COUNT,
    COUNTED,
    ENDED_UNSETTLED,
    OPEN,
    USED_BY,
)
from serving.billing.sums import add_up
from serving.billing.use import MONTH_CHARS, NOTHING, NOW, Use, period_of

_ASIDE: Final = frozenset({"route", "title"})
"""Paths of what runs beside a request, or is no answer."""
Count: TypeAlias = tuple[str, str]
_Change: TypeAlias = tuple[int, int, int, int]  # of the parts of a `Use`


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

    def settle(self, settlements: Iterable[Settlement]) -> Collection[str]:
        """Count requests by what they have used, before they are settled; only open ones change.

        Returns the ids of these.
        """
        used = {
            one.entry_id: Use(tokens=one.tokens, images=one.images, amount=one.charged)
            for one in settlements
        }
        return self._settle(used, read_each(self._connection, OPEN, [*used]))

    def settle_as_noted(self, entry_ids: Sequence[str]) -> None:
        """As `settle`, of requests that have used what is written down of them."""
        self._settle(self._noted(entry_ids), read_each(self._connection, OPEN, entry_ids))

    def reopen(self, entry_ids: Sequence[str]) -> Collection[str]:
        """Undo `settle_as_noted`, before the rows of crashed requests are open again.

        Returns the ids of those that there are.
        """
        crashed = read_each(self._connection, ENDED_UNSETTLED, entry_ids)
        return self._settle(self._noted(entry_ids), crashed, sign=-1)

    def write(self) -> None:
        """Put the changes into the table, where the counts are kept."""
        changes, self._changes = self._changes, {}
        rows = [
            _row(count, change)
            for count, added in changes.items()
            if (change := Use.read(*added)) != NOTHING
        ]
        for count in changes.keys() & self._read.keys():
            self._read[count] += Use.read(*changes[count])
        if rows:
            write_rows(self._connection, COUNT, rows)

    def _noted(self, entry_ids: Sequence[str]) -> Mapping[str, Use]:
        used = dict.fromkeys(entry_ids, NOTHING)
        for row in read_each(self._connection, USED_BY, entry_ids):
            used[row[0]] = Use.read(*row[1:])
        return used

    def _settle(
        self, used: Mapping[str, Use], rows: Sequence[Found], *, sign: int = 1
    ) -> Collection[str]:
        for entry_id, owner, groups, day, path, tokens, images, amount in rows:
            use, running = used[entry_id], int(path not in _ASIDE)
            change = (
                sign * (use.tokens - tokens),
                sign * (use.images - images),
                sign * (use.amount - amount),
                sign * -running,
            )
            self._change((owner, *groups.split()), day, change)
        return {row[0] for row in rows}

    def _change(self, subjects: Iterable[str], day: str, change: _Change) -> None:
        """All but what is running is counted in a day and a month."""
        tokens, images, amount, running = change
        is_lasting = bool(tokens or images or amount)
        for subject in subjects:
            self._changes.setdefault((subject, NOW), [0, 0, 0, 0])[3] += running
            for period in (day, day[:MONTH_CHARS]) if is_lasting else ():
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
        return self._read[count] if changed is None else self._read[count] + Use.read(*changed)

    def _find(self, count: Count) -> Use | None:
        row = read_row(self._connection, COUNTED, _key(count))
        return None if row is None else Use.read(*row)

    def _begin(self, count: Count, entry: NewEntry) -> Use:
        subject, period = count
        is_group = subject != entry.reservation.owner
        used = add_up(self._connection, [subject], period, is_group=is_group)[subject]
        self._connection.execute(BEGIN_COUNT, _row(count, used))
        return used


def _wanted(entry: NewEntry) -> Use:
    wanted = entry.reservation
    return Use(
        tokens=wanted.tokens,
        images=wanted.images,
        amount=wanted.amount,
        running=int(wanted.path not in _ASIDE),
    )


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

"""The ledger's rows: what is done with them in one transaction of a thread's own connection."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection, RowMapping

from serving.billing.prepared import Values, write_rows
from serving.billing.records import (
    CRASHED,
    Accepted,
    BilledLeg,
    NewEntry,
    Note,
    Outcome,
    Settlement,
    Taken,
    WholeReply,
)
from serving.billing.spendings import Spendings
from serving.billing.statements import (
    FIND_KEY,
    FREE_OLD_KEY,
    KEEP_PRICES,
    KEEP_REPLY,
    LEFT_OPEN,
    MAKE_ROOM,
    RECOVER,
    REOPEN,
    RESERVE,
    SETTLE,
    WRITE_LEG,
)

KEY_LIFE: Final = timedelta(hours=24)
"""For how long an idempotency key stands for the request that it came with."""

MOST_KEPT: Final = 1_000
"""Replies that are kept of one owner, however short they are: each commit adds them up."""


def write(
    connection: Connection, settlements: Iterable[Settlement], entries: Sequence[NewEntry]
) -> Sequence[Outcome]:
    """End requests, then put new ones into the ledger; the outcomes of these, in their order.

    Who settles what was taken for crashed was only slow, and is right about it.
    What both change of the sums of owners and groups is written once.
    """
    spendings = Spendings(connection)
    _settle(connection, settlements, spendings)
    outcomes = _reserve(connection, entries, spendings)
    spendings.write()
    return outcomes


def _reserve(
    connection: Connection, entries: Sequence[NewEntry], spendings: Spendings
) -> Sequence[Outcome]:
    """Those without a key or an allowance go in one statement, whatever stands between them."""
    plain = [entry for entry in entries if _is_plain(entry)]
    if plain:
        write_rows(connection, RESERVE, [_row(entry) for entry in plain])
        for entry in plain:
            spendings.reserve(entry)
    return [
        Accepted() if _is_plain(entry) else _reserve_checked(connection, entry, spendings)
        for entry in entries
    ]


def _settle(
    connection: Connection, settlements: Iterable[Settlement], spendings: Spendings
) -> None:
    """What its writer has settled stays as it is, and of two endings the first counts."""
    first: dict[str, Settlement] = {}
    for settlement in settlements:
        first.setdefault(settlement.entry_id, settlement)
    if not first:
        return
    missed = first.keys() - spendings.settle(first.values())
    if missed:
        _reopen(connection, [first[entry_id] for entry_id in missed], spendings)
    write_legs(connection, [Note(entry_id=key, legs=one.legs) for key, one in first.items()])
    _keep_replies(connection, first.values())
    write_rows(
        connection,
        SETTLE,
        [
            {
                "entry_id": one.entry_id,
                "state": one.state,
                "settled_at": one.ended_at,
                "charged": one.charged,
                "finish": one.finish,
                "error": one.error,
                "keeps_key": int(one.is_whole),
            }
            for one in first.values()
        ],
    )


def _reopen(
    connection: Connection, settlements: Sequence[Settlement], spendings: Spendings
) -> None:
    """Open those again that were taken for crashed: their writer was only slow."""
    crashed = spendings.reopen([one.entry_id for one in settlements])
    if crashed:
        write_rows(connection, REOPEN, [{"entry_id": entry_id} for entry_id in crashed])
        spendings.settle(one for one in settlements if one.entry_id in crashed)


def _keep_replies(connection: Connection, settlements: Iterable[Settlement]) -> None:
    """Keep the whole replies of requests that are still open and have an idempotency key."""
    kept = {
        one.entry_id: one.kept
        for one in settlements
        if one.kept is not None and one.is_whole and len(one.kept.reply.body) <= one.kept.room
    }
    if not kept:
        return
    rows = [
        {
            "entry_id": entry_id,
            "media_type": one.reply.media_type,
            "size": len(one.reply.body),
            "body": one.reply.body,
        }
        for entry_id, one in kept.items()
    ]
    connection.execute(KEEP_REPLY, rows)
    room = min(one.room for one in kept.values())
    connection.execute(MAKE_ROOM, {"entry_ids": [*kept], "room": room, "most": MOST_KEPT})


def write_legs(connection: Connection, notes: Iterable[Note]) -> None:
    """Write the legs of requests that are still open; a leg of the same number is replaced."""
    rows = [
        _leg_row(note.entry_id, number, leg)
        for note in notes
        for number, leg in enumerate(note.legs)
    ]
    if rows:
        write_rows(connection, WRITE_LEG, rows)


def recover(
    connection: Connection,
    *,
    choose: Callable[[Mapping[str, Sequence[str]]], Iterable[str]],
    now: datetime,
) -> int:
    """End what nobody will settle, and return how many requests that were.

    ``choose`` is told all open entries, by their writers. What these had noted is charged; where
    nothing was noted, the request is void: nobody pays for what nobody can prove.
    """
    reserved: dict[str, list[str]] = defaultdict(list)
    for entry_id, writer in connection.execute(LEFT_OPEN):
        reserved[str(writer)].append(str(entry_id))
    left = [*choose(reserved)]
    if left:
        spendings = Spendings(connection)
        spendings.settle_as_noted(left)
        spendings.write()
        ending = {"settled_at": now, "error": CRASHED}
        write_rows(connection, RECOVER, [{"entry_id": one, **ending} for one in left])
    return len(left)


def keep_prices(connection: Connection, *, version: str, prices: str, now: datetime) -> None:
    """Keep what a price version means."""
    row = {"price_version": version, "prices": prices, "first_used_at": now}
    connection.execute(KEEP_PRICES, row)


def _is_plain(entry: NewEntry) -> bool:
    wanted = entry.reservation
    return wanted.idempotency is None and not wanted.allowances


def _reserve_checked(connection: Connection, entry: NewEntry, spendings: Spendings) -> Outcome:
    if (taken := _find_key(connection, entry)) is not None:
        return taken
    if (exhausted := spendings.check(entry)) is not None:
        return exhausted
    if write_rows(connection, RESERVE, [_row(entry)]) == 0:
        return _find_key(connection, entry) or _reserve_checked(connection, entry, spendings)
    spendings.reserve(entry)
    return Accepted()


def _find_key(connection: Connection, entry: NewEntry) -> Taken | None:
    """Who has the key of ``entry``; one that is too old is taken from its request."""
    wanted = entry.reservation
    if wanted.idempotency is None:
        return None
    key = {"owner": wanted.owner, "idempotency_key": wanted.idempotency.key}
    connection.execute(FREE_OLD_KEY, {**key, "before": entry.created_at - KEY_LIFE})
    asked = {**key, "payload_hash": wanted.idempotency.payload_hash}
    row = connection.execute(FIND_KEY, asked).mappings().first()
    if row is None:
        return None
    return Taken(
        entry_id=row["entry_id"],
        state=row["state"],
        is_same_payload=row["payload_hash"] == wanted.idempotency.payload_hash,
        message_id=row["message_id"],
        reply=_read_reply(row),
    )


def _read_reply(row: RowMapping) -> WholeReply | None:
    if row["body"] is None:
        return None
    return WholeReply(media_type=row["media_type"], body=bytes(row["body"]))


def _row(entry: NewEntry) -> Values:
    wanted = entry.reservation
    key = wanted.idempotency
    return {
        "entry_id": entry.entry_id,
        "request_id": wanted.request_id,
        "owner": wanted.owner,
        "key_id": wanted.key_id,
        "model": wanted.model,
        "path": wanted.path,
        "created_at": entry.created_at,
        "day": entry.day,
        "reserved": wanted.amount,
        "reserved_tokens": wanted.tokens,
        "reserved_images": wanted.images,
        "group_ids": " ".join(wanted.groups),
        "price_version": entry.price_version,
        "idempotency_key": key.key if key else None,
        "payload_hash": key.payload_hash if key else None,
        "message_id": wanted.message_id,
        "writer": entry.writer,
    }


def _leg_row(entry_id: str, number: int, leg: BilledLeg) -> Values:
    return {
        "entry_id": entry_id,
        "number": number,
        "engine": leg.engine,
        "role": leg.role,
        "prompt_tokens": leg.prompt_tokens,
        "completion_tokens": leg.completion_tokens,
        "images": leg.images,
        "source": leg.source,
        "amount": leg.amount,
        "payer": leg.payer,
        "ms": leg.ms,
    }

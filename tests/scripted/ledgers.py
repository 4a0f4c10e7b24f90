"""Rows for the ledger, and the rows that are in it."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, create_engine, select, text
from sqlalchemy.pool import StaticPool

from chatbot.testing.surroundings import START
from serving.billing.ledger import connect
from serving.billing.records import (
    Allowance,
    BilledLeg,
    Exhausted,
    Finish,
    IdempotencyKey,
    KeptReply,
    NewEntry,
    PathKind,
    Period,
    Reservation,
    Settlement,
    WholeReply,
)
from serving.settings import StorageSettings
from serving.storage import sqlite
from serving.storage.backends import find_url
from serving.storage.ledger_tables import KEPT_REPLIES, LEGS, PRICE_LISTS, REQUESTS, SPENDINGS
from serving.storage.modes import WRITES

OWNER = "local"
NO_TIME = timedelta(0)


@dataclass(frozen=True, kw_only=True)
class Rows:
    """All that stands in the ledger, by entry."""

    requests: Mapping[str, Mapping[str, Any]]  # a row's values are of its columns' types
    legs: Mapping[str, list[Mapping[str, Any]]]
    prices: Mapping[str, str] = field(default_factory=dict)
    spendings: Mapping[tuple[str, str], tuple[int, int, int, int]] = field(default_factory=dict)


def read_rows(engine: Engine) -> Rows:
    with engine.begin() as connection:
        requests = connection.execute(select(REQUESTS)).mappings()
        by_entry = {row["entry_id"]: dict(row) for row in requests}
        legs: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
        asked = select(LEGS).order_by(LEGS.c.entry_id, LEGS.c.number)
        for row in connection.execute(asked).mappings():
            legs[row["entry_id"]].append(dict(row))
        prices = {row[0]: row[1] for row in connection.execute(select(PRICE_LISTS))}
        found = connection.execute(select(SPENDINGS)).mappings()
        spendings = {
            (row["subject"], row["period"]): (
                row["tokens"],
                row["images"],
                row["amount"],
                row["running"],
            )
            for row in found
        }
    return Rows(requests=by_entry, legs=dict(legs), prices=prices, spendings=spendings)


@contextmanager
def memory_ledger() -> Iterator[Engine]:
    """SQLite in memory, with the ledger's tables alone, its transactions as those of a file."""
    engine = create_engine(
        "sqlite://", poolclass=StaticPool, connect_args={"check_same_thread": False}
    )
    sqlite.equip(engine)
    engine = engine.execution_options(**{WRITES: True})
    REQUESTS.metadata.create_all(
        engine, tables=[REQUESTS, LEGS, PRICE_LISTS, KEPT_REPLIES, SPENDINGS]
    )
    yield engine
    engine.dispose()


@contextmanager
def shared_ledger(url: str) -> Iterator[Engine]:
    """The ledger of a database that others have filled before, emptied."""
    settings = StorageSettings(url=url)
    engine = connect(find_url(settings, Path()), settings)
    with engine.begin() as connection:
        connection.execute(text("TRUNCATE requests, legs, price_lists, kept_replies, spendings"))
    yield engine
    engine.dispose()


def entry(
    entry_id: str,
    *,
    owner: str = OWNER,
    amount: int = 0,
    writer: str = "writer",
    late: timedelta = NO_TIME,
    idempotency: IdempotencyKey | None = None,
    allowances: tuple[Allowance, ...] = (),
    groups: tuple[str, ...] = (),
    tokens: int = 0,
    images: int = 0,
    path: PathKind = "chat",
    message_id: str | None = None,
) -> NewEntry:
    return NewEntry(
        entry_id=entry_id,
        created_at=START + late,
        day=(START + late).date().isoformat(),
        price_version="v1",
        writer=writer,
        reservation=Reservation(
            owner=owner,
            request_id=f"request-{entry_id}",
            model="zwrotnica",
            path=path,
            amount=amount,
            message_id=message_id,
            idempotency=idempotency,
            allowances=allowances,
            groups=groups,
            tokens=tokens,
            images=images,
        ),
    )


def keyed(
    entry_id: str,
    key: str,
    *,
    payload: str = "same",
    owner: str = OWNER,
    message_id: str | None = None,
    late: timedelta = NO_TIME,
) -> NewEntry:
    """A reservation with an idempotency key."""
    named = IdempotencyKey(key=key, payload_hash=payload)
    return entry(entry_id, owner=owner, idempotency=named, message_id=message_id, late=late)


def allowing(
    entry_id: str,
    *,
    amount: int,
    limit: int,
    late: timedelta = NO_TIME,
    period: Period = "day",
) -> NewEntry:
    """A reservation that its owner's allowance has to cover."""
    allowance = Allowance(subject=OWNER, measure="amount", period=period, limit=limit)
    return entry(entry_id, amount=amount, allowances=(allowance,), late=late)


def refused(*, left: int, limit: int) -> Exhausted:
    """The outcome for `allowing` where the limit of a day does not cover it."""
    allowance = Allowance(subject=OWNER, measure="amount", period="day", limit=limit)
    return Exhausted(allowance=allowance, left=left)


def leg(*, amount: int = 0, tokens: int = 1) -> BilledLeg:
    return BilledLeg(
        engine="bielik",
        role="answer",
        prompt_tokens=tokens,
        completion_tokens=tokens,
        source="engine",
        payer="user",
        amount=amount,
    )


def house_leg(*, amount: int = 0) -> BilledLeg:
    return BilledLeg(
        engine="llama",
        role="router",
        prompt_tokens=1,
        completion_tokens=1,
        source="engine",
        payer="house",
        amount=amount,
    )


def ended(
    entry_id: str, *legs: BilledLeg, finish: Finish = "stop", error: str | None = None
) -> Settlement:
    finish = "failed" if error is not None else finish
    return Settlement(entry_id=entry_id, ended_at=START, legs=legs, finish=finish, error=error)


def kept(entry_id: str, body: bytes, *, room: int = 1000, error: str | None = None) -> Settlement:
    """An end with the whole reply."""
    reply = WholeReply(media_type="text/plain", body=body)
    return replace(ended(entry_id, error=error), kept=KeptReply(reply=reply, room=room))

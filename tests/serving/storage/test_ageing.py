"""What has been kept long enough goes, some at a time; what is younger stays."""

import os
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from pydantic import ValidationError
from scripted.ledgers import ended, entry, kept, keyed, leg
from scripted.stored import Store
from sqlalchemy import Connection, func, insert, select

from chatbot.testing import ONE_PIXEL_PNG
from chatbot.types import Artifact
from serving.billing import store as ledger
from serving.billing.store import KEY_LIFE
from serving.settings import StorageSettings
from serving.storage import ageing
from serving.storage.ageing import open_log, open_requests, open_spendings
from serving.storage.kept_replies import KeptReplies
from serving.storage.ledger_tables import LEGS, REQUESTS, SPENDINGS
from serving.storage.retention import Retention
from serving.storage.tables import AUDIT_LOG

DAY = timedelta(days=1)
DOT = Artifact(media_type="image/png", data=ONE_PIXEL_PNG, alt="kropka", width=1, height=1)


async def log(store: Store, *moments: datetime) -> None:
    rows = [
        {"at": at, "actor": "a", "action": "x", "subject": "s", "details": {}} for at in moments
    ]
    await store.database.write(lambda connection: connection.execute(insert(AUDIT_LOG), rows))


async def logged(store: Store) -> int:
    counted = select(func.count()).select_from(AUDIT_LOG)
    return await store.database.read(lambda one: one.execute(counted).scalar_one())


async def test_the_log_of_changes_goes_after_its_days(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ageing, "PIECE", 2)
    now = store.clock.now()
    await log(store, *[now - 31 * DAY] * 5, *[now - 29 * DAY] * 3)
    rows = open_log(store.database, StorageSettings(audit_days=30))
    assert await rows.count_due(now) == 5
    assert await logged(store) == 8
    assert await rows.sweep(now) == 5
    assert await logged(store) == 3
    assert (await rows.count_due(now), await rows.sweep(now)) == (0, 0)


async def test_what_has_no_days_stays(store: Store) -> None:
    now = store.clock.now()
    await log(store, now - 9999 * DAY)
    rows = open_log(store.database, StorageSettings(audit_days=0))
    assert (await rows.count_due(now), await rows.sweep(now)) == (0, 0)
    assert await logged(store) == 1


async def test_requests_go_with_their_legs_and_what_runs_stays(store: Store) -> None:
    now = store.clock.now()

    def write(connection: Connection) -> None:
        old = [
            replace(entry(name), created_at=now - 100 * DAY, day=f"{now - 100 * DAY:%Y-%m-%d}")
            for name in ("old", "running")
        ]
        ledger.write(connection, (), [*old, entry("young")])
        ledger.write(connection, [ended("old", leg()), ended("young", leg())], ())

    await store.database.write(write)
    rows = open_requests(store.database, StorageSettings(ledger_days=90))
    assert await rows.count_due(now) == 1
    assert await rows.sweep(now) == 1

    def read(connection: Connection) -> tuple[set[str], set[str]]:
        left = set(connection.execute(select(REQUESTS.c.entry_id)).scalars())
        return left, set(connection.execute(select(LEGS.c.entry_id)).scalars())

    assert await store.database.read(read) == ({"running", "young"}, {"young"})


async def test_what_was_counted_for_budgets_goes_with_its_month(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ageing, "PIECE", 2)
    now = datetime(2026, 11, 18, 12, tzinfo=UTC)  # 62 days after 17 September
    none = {"tokens": 1, "images": 0, "amount": 0}
    periods = ("2026-07-31", "2026-07", "2026-08-31", "2026-08", "2026-09-01", "2026-09", "now")
    rows = [{"subject": one, "period": each, **none} for one in ("ala", "ola") for each in periods]
    await store.database.write(lambda connection: connection.execute(insert(SPENDINGS), rows))
    spendings = open_spendings(store.database, StorageSettings(ledger_days=62))
    assert await spendings.count_due(now) == await spendings.sweep(now) == 8

    def read(connection: Connection) -> set[str]:
        return set(connection.execute(select(SPENDINGS.c.period)).scalars())

    assert await store.database.read(read) == {"2026-09-01", "2026-09", "now"}


@pytest.mark.parametrize("days", [1, 61])
def test_a_ledger_is_kept_for_two_months_at_least(days: int) -> None:
    with pytest.raises(ValidationError, match="at least 62"):
        StorageSettings(ledger_days=days)


async def test_a_key_that_stands_for_nothing_is_taken_out_of_its_request(store: Store) -> None:
    def write(connection: Connection) -> None:
        ledger.write(connection, (), [keyed("a", "key-a"), keyed("b", "key-b")])
        ledger.write(connection, [kept("a", b"x")], ())

    def read(connection: Connection) -> dict[str, tuple[str | None, str | None]]:
        columns = REQUESTS.c
        asked = select(columns.entry_id, columns.idempotency_key, columns.payload_hash)
        return {row[0]: (row[1], row[2]) for row in connection.execute(asked)}

    await store.database.write(write)
    replies = KeptReplies(store.database, life=KEY_LIFE)
    assert await replies.sweep_keys(store.clock.now()) == 0
    store.clock.advance(KEY_LIFE.total_seconds() + 1)
    assert await replies.count_due(store.clock.now()) == 1
    assert await replies.sweep_keys(store.clock.now()) == 1
    rows = await store.database.read(read)
    assert rows["a"] == (None, None)
    assert rows["b"] == ("key-b", "same")  # it still runs
    await store.database.write(lambda connection: ledger.write(connection, [kept("b", b"x")], ()))
    assert await replies.sweep_keys(store.clock.now()) == 1


async def test_pictures_that_nothing_shows_go_after_their_days(store: Store) -> None:
    image = await store.images.save(DOT, account="ala")
    (path,) = (store.folder / "images").glob("??/*.png")
    stored = store.clock.now().timestamp()
    os.utime(path, (stored, stored))
    store.clock.advance(30 * 86400)
    assert await store.images.count_due(store.clock.now()) == 0
    store.clock.advance(1)
    assert await store.images.count_due(store.clock.now()) == 1
    assert await store.images.sweep(store.clock.now()) == 1
    assert not path.exists()
    assert await store.images.read(image.image_id) is None


async def test_pictures_of_conversations_are_not_swept(store: Store) -> None:
    image = await store.images.save(DOT, account="ala")
    await store.images.hold([image.image_id])
    assert await store.images.sweep(store.clock.now() + 999 * DAY) == 0
    assert await store.images.read(image.image_id) is not None


async def test_what_is_swept_is_told(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    await log(store, store.clock.now() - 800 * DAY)
    told: list[tuple[str, int]] = []
    retention = Retention(
        sweeps={"audit": open_log(store.database, store.settings).sweep},
        clock=store.clock,
        settings=store.settings,
        count=lambda kind, number: told.append((kind, number)),
    )
    await retention.sweep()
    await retention.sweep()
    assert told == [("audit", 1)]
    assert "kept_long_enough" in capsys.readouterr().out

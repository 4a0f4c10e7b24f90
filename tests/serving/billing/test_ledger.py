import logging
import os
import random
import sqlite3
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import anyio
import pytest
from anyio import to_thread
from anyio.lowlevel import checkpoint
from scripted.databases import change_in, locking
from scripted.ledgers import OWNER, leg
from scripted.opened_ledger import begin, open_in, rows_in, states_in, wanted
from scripted.patience import NEVER_S, PATIENCE_S
from scripted.storage_faults import failing_disk

from chatbot.errors import ErrorCode, StorageUnavailable
from chatbot.testing import ManualClock
from serving.billing import (
    Allowance,
    Entry,
    Exhausted,
    IdempotencyKey,
    Ledger,
    PriceList,
    Reservation,
    Taken,
    WholeReply,
)
from serving.billing.leftovers import LOOK_S
from serving.billing.records import KeptReply
from serving.settings.billing import BillingSettings

TURNS = 2000
LOCKS = 5
LOST_S = BillingSettings().lost_s


async def test_what_is_reserved_stands_there_before_the_caller_goes_on(folder: Path) -> None:
    async with open_in(folder) as ledger:
        entry = await begin(ledger, amount=12)
        row = rows_in(folder).requests[entry.entry_id]
        assert (row["state"], row["reserved"], row["request_id"]) == ("reserved", 12, "request-1")


async def test_what_is_settled_is_written_by_the_end(folder: Path) -> None:
    async with open_in(folder) as ledger:
        entry = await begin(ledger)
        entry.settle([leg(amount=4)], finish="stop")
    row = rows_in(folder).requests[entry.entry_id]
    assert (row["state"], row["charged"], row["finish"]) == ("settled", 4, "stop")


async def test_a_request_is_settled_once(folder: Path) -> None:
    async with open_in(folder) as ledger:
        entry = await begin(ledger)
        entry.settle([leg(amount=4)], finish="stop")
        entry.settle([leg(amount=5)], finish="failed", error="engine_lost")
        entry.note([leg(amount=5), leg(amount=5)])
    assert rows_in(folder).requests[entry.entry_id]["charged"] == 4


async def test_an_end_keeps_what_was_noted(folder: Path) -> None:
    async with open_in(folder) as ledger:
        entry = await begin(ledger)
        entry.note([leg(amount=4)])
        entry.settle([], finish="failed", error="internal_error")
    row = rows_in(folder).requests[entry.entry_id]
    assert (row["state"], row["charged"], row["error"]) == ("settled", 4, "internal_error")


async def test_days_begin_in_the_institutions_zone(folder: Path) -> None:
    clock = ManualClock(time=datetime(2026, 6, 30, 22, 30, tzinfo=UTC))
    async with open_in(folder, clock=clock) as ledger:
        entry = await begin(ledger)
    assert rows_in(folder).requests[entry.entry_id]["day"] == "2026-07-01"


async def test_the_prices_of_a_version_can_be_read_later(folder: Path) -> None:
    prices = PriceList(version="v7", text='{"bielik": 1}')
    async with open_in(folder, prices=prices) as ledger:
        entry = await begin(ledger)
    rows = rows_in(folder)
    assert rows.prices == {"v7": '{"bielik": 1}'}
    assert rows.requests[entry.entry_id]["price_version"] == "v7"


async def test_a_short_lock_is_invisible(folder: Path) -> None:
    async with open_in(folder) as ledger:
        with locking(folder) as lock:
            async with anyio.create_task_group() as group:
                group.start_soon(begin, ledger)
                await anyio.sleep(0.3)
                assert ledger.fault == "the database is locked by another process"
                await to_thread.run_sync(lock.release)
        assert ledger.fault is None
        assert states_in(folder) == {"reserved": 1}


async def test_a_long_lock_refuses_what_is_new_and_loses_nothing(folder: Path) -> None:
    async with open_in(folder, wait_s=0.2) as ledger:
        running = await begin(ledger)
        with locking(folder) as lock:
            running.settle([leg(amount=9)], finish="stop")
            with pytest.raises(StorageUnavailable, match="locked") as caught:
                await begin(ledger)
            await to_thread.run_sync(lock.release)
        assert caught.value.code is ErrorCode.STORAGE_UNAVAILABLE
        await ledger.sync()
        assert rows_in(folder).requests[running.entry_id]["charged"] == 9
        assert states_in(folder) == {"settled": 1}


async def test_a_failing_disk_refuses_what_is_new_and_loses_nothing(sqlite_folder: Path) -> None:
    async with open_in(sqlite_folder, wait_s=NEVER_S) as ledger:
        settled, running = await begin(ledger), await begin(ledger)
        settled.settle([leg(amount=3)], finish="stop")
        await ledger.sync()
        with failing_disk(os.getpid()):
            running.settle([leg(amount=9)], finish="stop")
            with pytest.raises(StorageUnavailable, match="disk"):
                await begin(ledger)
            assert "disk" in (ledger.fault or "")
        await ledger.sync()
        assert ledger.fault is None
        charged = {key: row["charged"] for key, row in rows_in(sqlite_folder).requests.items()}
        assert charged == {settled.entry_id: 3, running.entry_id: 9}


async def test_a_failing_disk_is_asked_for_the_charge_alone(sqlite_folder: Path) -> None:
    key = IdempotencyKey(key="key", payload_hash="same")
    reply = WholeReply(media_type="text/plain", body=b"whole")
    async with open_in(sqlite_folder, wait_s=NEVER_S) as ledger:
        asked = replace(wanted(), idempotency=key)
        running = await ledger.reserve(asked)
        assert isinstance(running, Entry)
        with failing_disk(os.getpid()):
            kept = KeptReply(reply=reply, room=1000)
            running.settle([leg(amount=9)], finish="stop", kept=kept)
            with pytest.raises(StorageUnavailable, match="disk"):
                await begin(ledger)
        await ledger.sync()
        again = await ledger.reserve(asked)
    assert rows_in(sqlite_folder).requests[running.entry_id]["charged"] == 9
    assert isinstance(again, Taken)
    assert again.reply is None


async def test_a_reply_that_no_column_takes_costs_no_charge(folder: Path) -> None:
    reply = WholeReply(media_type=object(), body=b"")  # type: ignore[arg-type]  # on purpose
    async with open_in(folder) as ledger:
        running = await begin(ledger)
        kept = KeptReply(reply=reply, room=1000)
        running.settle([leg(amount=9)], finish="stop", kept=kept)
    assert rows_in(folder).requests[running.entry_id]["charged"] == 9


async def test_whoever_leaves_while_waiting_has_reserved_nothing(folder: Path) -> None:
    async with open_in(folder) as ledger:
        for _ in range(20):
            with anyio.CancelScope() as scope:
                async with anyio.create_task_group() as group:
                    group.start_soon(begin, ledger)
                    await checkpoint()
                    scope.cancel()
        await ledger.sync()
        await ledger.sync()
        assert "reserved" not in states_in(folder)
        assert all(row["charged"] == 0 for row in rows_in(folder).requests.values())


async def test_jumps_of_the_clock_do_not_matter(folder: Path) -> None:
    clock = ManualClock()
    async with open_in(folder, clock=clock) as ledger:
        first = await begin(ledger)
        clock.time -= timedelta(hours=1)
        second = await begin(ledger)
        first.settle([leg(amount=1)], finish="stop")
        clock.time += timedelta(days=1)
        second.settle([leg(amount=2)], finish="stop")
    async with open_in(folder, clock=clock):
        pass
    rows = rows_in(folder).requests
    assert [rows[one.entry_id]["charged"] for one in (first, second)] == [1, 2]


async def test_exactly_the_allowance_is_let_in_of_many_at_once(folder: Path) -> None:
    outcomes: list[object] = []

    async def ask(ledger: Ledger, limit: int) -> None:
        allowance = Allowance(subject="local", measure="amount", period="day", limit=limit)
        want = Reservation(
            owner="local",
            request_id="request",
            model="bielik",
            path="by_name",
            amount=10,
            allowances=(allowance,),
        )
        outcomes.append(await ledger.reserve(want))

    async def ask_often(ledger: Ledger, limit: int) -> int:
        outcomes.clear()
        async with anyio.create_task_group() as group:
            for _ in range(1000):
                group.start_soon(ask, ledger, limit)
        refused = [one for one in outcomes if not isinstance(one, Entry)]
        assert all(isinstance(one, Exhausted) and one.left == 0 for one in refused)
        return len(outcomes) - len(refused)

    async with open_in(folder) as ledger:
        assert await ask_often(ledger, 1000) == 100
        assert await ask_often(ledger, 1500) == 50


async def test_what_a_dead_process_left_is_ended_and_what_a_living_one_has_is_not(
    folder: Path,
) -> None:
    async with open_in(folder) as living:
        running = await begin(living)
        left = await begin(living)
        change = "UPDATE requests SET writer = 'dead' WHERE entry_id = :entry_id"
        change_in(folder, change, entry_id=left.entry_id)
        async with open_in(folder) as other:
            await other.sync()
        rows = rows_in(folder).requests
        assert (rows[left.entry_id]["state"], rows[left.entry_id]["error"]) == ("void", "crashed")
        assert rows[running.entry_id]["state"] == "reserved"


def move_to_another_machine(folder: Path, entry: Entry) -> None:
    """Let it be a request of another machine, of which nobody here can tell what became of it."""
    change = "UPDATE requests SET writer = 'elsewhere.one' WHERE entry_id = :entry_id"
    change_in(folder, change, entry_id=entry.entry_id)


async def look(ledger: Ledger, clock: ManualClock, *, after_s: float = LOOK_S) -> None:
    """Let the time come at which the ledger looks for what others left."""
    clock.advance(after_s)
    await ledger.sync()


def one_at_once(limit: int = 1) -> Reservation:
    allowance = Allowance(subject=OWNER, measure="running", period="now", limit=limit)
    return replace(wanted(amount=9), allowances=(allowance,))


async def test_what_a_machine_left_that_never_comes_back_ends_after_a_while(folder: Path) -> None:
    clock = ManualClock()
    async with open_in(folder) as gone, open_in(folder, clock=clock) as ledger:
        left = await gone.reserve(one_at_once())
        assert isinstance(left, Entry)
        move_to_another_machine(folder, left)
        await look(ledger, clock)
        await look(ledger, clock, after_s=LOST_S - 1)
        assert isinstance(await ledger.reserve(one_at_once()), Exhausted)
        await look(ledger, clock)
        assert isinstance(await ledger.reserve(one_at_once()), Entry)
    row = rows_in(folder).requests[left.entry_id]
    assert (row["state"], row["error"], row["charged"]) == ("void", "crashed", 0)


async def test_a_machine_that_was_only_paused_is_charged_for_all_that_it_did(folder: Path) -> None:
    clock = ManualClock()
    async with open_in(folder) as paused, open_in(folder, clock=clock) as ledger:
        entries = [await paused.reserve(one_at_once(limit=3)) for _ in range(3)]
        first, second, third = (one for one in entries if isinstance(one, Entry))
        first.note([leg(amount=2)])
        await paused.sync()
        for entry in (first, second, third):
            move_to_another_machine(folder, entry)
        await look(ledger, clock)
        await look(ledger, clock, after_s=LOST_S)
        assert states_in(folder) == {"settled": 1, "void": 2}
        first.settle([leg(amount=2), leg(amount=5)], finish="stop")
        second.settle([], finish="failed", error="engine_timeout")
        await paused.sync()
        first.settle([leg(amount=50)], finish="stop")
    rows = rows_in(folder)
    told = {key: (row["state"], row["charged"], row["error"]) for key, row in rows.requests.items()}
    assert told == {
        first.entry_id: ("settled", 7, None),
        second.entry_id: ("void", 0, "engine_timeout"),
        third.entry_id: ("void", 0, "crashed"),
    }
    assert [one["amount"] for one in rows.legs[first.entry_id]] == [2, 5]
    assert {use for (_, period), use in rows.spendings.items() if period == "now"} == {(0, 0, 0, 0)}


async def test_what_runs_elsewhere_is_left_alone_while_others_come_and_go(folder: Path) -> None:
    clock = ManualClock()
    async with open_in(folder) as other, open_in(folder, clock=clock) as ledger:
        for _ in range(3):
            entry = await begin(other)
            move_to_another_machine(folder, entry)
            await look(ledger, clock)
            await look(ledger, clock, after_s=LOST_S - 1)
            assert rows_in(folder).requests[entry.entry_id]["state"] == "reserved"
            entry.settle([leg(amount=1)], finish="stop")
            await other.sync()
    assert {row["charged"] for row in rows_in(folder).requests.values()} == {1}


async def test_an_order_that_cannot_be_written_takes_no_other_with_it(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_in(folder) as ledger:
        whole, broken = await begin(ledger), await begin(ledger)
        with locking(folder) as lock:  # so that both go together
            broken.settle([leg(amount=2**70)], finish="stop")
            whole.settle([leg(amount=7)], finish="stop")
            await to_thread.run_sync(lock.release)
        await ledger.sync()
    rows = rows_in(folder).requests
    assert rows[whole.entry_id]["charged"] == 7
    assert "ledger_order_lost" in [record.message for record in caplog.records]


async def test_the_end_of_a_process_says_what_it_could_not_write(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.ERROR)
    with locking(folder) as lock:
        lock.release()
        async with open_in(folder, closing_s=0.01) as ledger:
            entry = await begin(ledger)
            lock.take()
            entry.settle([leg(amount=7)], finish="stop")
    assert [record.message for record in caplog.records] == ["ledger_settlements_lost"]
    async with open_in(folder) as ledger:
        await ledger.sync()
    assert rows_in(folder).requests[entry.entry_id]["error"] == "crashed"


async def test_a_writer_that_has_ended_refuses(folder: Path) -> None:
    async with open_in(folder) as ledger:
        pass
    with pytest.raises(StorageUnavailable, match="has ended"):
        await begin(ledger)


async def test_the_ledger_is_right_after_two_thousand_turns_with_faults(folder: Path) -> None:
    """Turns that end well, fail, are cancelled before or after they began, while others lock."""
    chance = random.Random(7)  # noqa: S311 (the same faults each time)
    expected: dict[str, int] = {}
    kinds = chance.choices(["whole", "failed", "cancelled", "left", "noted"], k=TURNS)

    async def play(ledger: Ledger, kind: str, cost: int) -> None:
        if kind == "left":
            with anyio.move_on_after(chance.random() / 50):
                entry = await begin(ledger)
                entry.settle([leg(amount=cost)], finish="cancelled")
                expected[entry.entry_id] = cost
            return
        entry = await begin(ledger, amount=100)
        expected[entry.entry_id] = cost
        await checkpoint()
        match kind:
            case "whole":
                entry.settle([leg(amount=cost)], finish="stop")
            case "failed":
                entry.settle([leg(amount=cost)], finish="failed", error="engine_lost")
                entry.settle([leg(amount=9999)], finish="stop")
            case "cancelled":
                entry.settle([leg(amount=cost)], finish="cancelled")
            case _:
                entry.note([leg(amount=cost - 1)])
                entry.settle([leg(amount=cost - 1), leg(amount=1)], finish="stop")

    async def disturb() -> None:
        for _ in range(LOCKS):
            await anyio.sleep(0.05)
            with suppress(sqlite3.OperationalError), locking(folder):
                await anyio.sleep(0.05)

    with anyio.fail_after(PATIENCE_S):
        async with open_in(folder, wait_s=PATIENCE_S) as ledger:
            async with anyio.create_task_group() as group:
                group.start_soon(disturb)
                for number, kind in enumerate(kinds):
                    group.start_soon(play, ledger, kind, 1 + chance.randrange(1000))
                    if number % 50 == 0:
                        await anyio.sleep(0.001)
            await ledger.sync()
    rows = rows_in(folder)
    assert sum(row["charged"] for row in rows.requests.values()) == sum(expected.values())
    assert {row["state"] for row in rows.requests.values()} <= {"settled", "void"}
    assert {key: rows.requests[key]["charged"] for key in expected} == expected

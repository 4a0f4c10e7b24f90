from dataclasses import replace
from pathlib import Path

import anyio
from scripted.ledgers import leg
from scripted.opened_ledger import begin, open_in, rows_in, states_in, wanted
from scripted.patience import PATIENCE_S

from serving.billing import Entry, IdempotencyKey
from serving.billing.gathering import HELD_S, PACE_S


async def test_an_end_is_written_soon_though_nothing_follows_it(folder: Path) -> None:
    async with open_in(folder) as ledger:
        entry = await begin(ledger)
        entry.settle([leg()], finish="stop")
        with anyio.fail_after(PATIENCE_S):
            while states_in(folder) != {"settled": 1}:  # noqa: ASYNC110 (the file tells nobody)
                await anyio.sleep(HELD_S)


async def test_ends_of_a_moment_share_one_group(folder: Path) -> None:
    groups: list[float] = []
    async with open_in(folder, observe=groups.append) as ledger:
        entries = [await begin(ledger) for _ in range(8)]
        before = len(groups)
        for entry in entries:
            entry.settle([leg()], finish="stop")
            await anyio.sleep(PACE_S / 8)
        with anyio.fail_after(PATIENCE_S):
            while states_in(folder) != {"settled": 8}:  # noqa: ASYNC110 (the file tells nobody)
                await anyio.sleep(HELD_S)
        assert len(groups) - before <= 2


async def test_busy_times_make_large_groups(folder: Path) -> None:
    groups: list[float] = []
    async with open_in(folder, observe=groups.append) as ledger:
        with anyio.fail_after(PATIENCE_S):
            began = anyio.current_time()
            for _ in range(6):
                await begin(ledger)
        assert len(groups) <= (anyio.current_time() - began) / PACE_S + 2


async def test_a_key_that_an_end_sets_free_is_free_at_once(folder: Path) -> None:
    asked = replace(wanted(), idempotency=IdempotencyKey(key="key", payload_hash="same"))
    async with open_in(folder) as ledger:
        first = await ledger.reserve(asked)
        assert isinstance(first, Entry)
        first.settle([], finish="failed", error="engine_lost")
        assert isinstance(await ledger.reserve(asked), Entry)


async def test_who_does_not_hurry_shares_a_group(folder: Path) -> None:
    groups: list[float] = []
    async with open_in(folder, observe=groups.append) as ledger:
        await ledger.sync()
        before = len(groups)
        pending = [ledger.begin(wanted()) for _ in range(8)]
        entries = [await one.confirm(hurries=False) for one in pending]
        assert all(isinstance(entry, Entry) for entry in entries)
        assert len(groups) - before == 1


async def test_a_row_is_on_the_disk_though_nobody_waits_for_it(folder: Path) -> None:
    async with open_in(folder) as ledger:
        pending = ledger.begin(wanted())
        with anyio.fail_after(PATIENCE_S):
            while states_in(folder) != {"reserved": 1}:  # noqa: ASYNC110 (the file tells nobody)
                await anyio.sleep(PACE_S)
        assert isinstance(pending.leave(), Entry)


async def test_who_leaves_before_has_reserved_nothing(folder: Path) -> None:
    async with open_in(folder) as ledger:
        pending = ledger.begin(wanted())
        assert pending.leave() is None
        await ledger.sync()
    assert "reserved" not in states_in(folder)


async def test_who_fails_before_has_a_row_that_says_why(folder: Path) -> None:
    async with open_in(folder) as ledger:
        pending = ledger.begin(wanted(amount=100))
        pending.end([], finish="failed", error="engine_unavailable")
        with anyio.fail_after(PATIENCE_S):
            while states_in(folder) != {"void": 1}:  # noqa: ASYNC110 (the file tells nobody)
                await anyio.sleep(PACE_S)
    (row,) = rows_in(folder).requests.values()
    assert (row["charged"], row["finish"], row["error"]) == (0, "failed", "engine_unavailable")


async def test_who_leaves_before_pays_what_was_used(folder: Path) -> None:
    async with open_in(folder) as ledger:
        pending = ledger.begin(wanted(amount=100))
        pending.end([leg(amount=4)], finish="cancelled", error=None)
        with anyio.fail_after(PATIENCE_S):
            while states_in(folder) != {"settled": 1}:  # noqa: ASYNC110 (the file tells nobody)
                await anyio.sleep(PACE_S)
    (row,) = rows_in(folder).requests.values()
    assert (row["charged"], row["finish"], row["error"]) == (4, "cancelled", None)


async def test_who_fails_on_the_way_to_the_disk_pays_what_was_used(folder: Path) -> None:
    async with open_in(folder) as ledger:
        pending = [ledger.begin(wanted(amount=100)) for _ in range(20)]
        for one in pending:
            one.end([leg(amount=4)], finish="failed", error="engine_lost")
            await anyio.sleep(PACE_S / 4)
        with anyio.fail_after(PATIENCE_S):
            while states_in(folder) != {"settled": 20}:  # noqa: ASYNC110 (the file tells nobody)
                await anyio.sleep(PACE_S)
    assert {row["charged"] for row in rows_in(folder).requests.values()} == {4}

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from scripted.stored import OWNER, STRANGER, Store, bytes_of, open_store

from chatbot.testing.surroundings import START
from serving.storage.records import StoredCalls

CALLS = StoredCalls(
    message_id="m1",
    owner=OWNER,
    body_hash="abc",
    parts=({"type": "tool_call", "call_id": "c1", "name": "get_weather", "arguments": {"x": 1}},),
    created_at=START,
)


async def test_calls_are_found_by_their_owner_alone(store: Store) -> None:
    await store.calls.put(CALLS)
    assert await store.calls.find(OWNER, ["m1", "m1", "m2"]) == {"m1": CALLS}
    assert await store.calls.find(STRANGER, ["m1"]) == {}
    assert await store.calls.find(OWNER, []) == {}


async def test_at_most_500_are_looked_for(store: Store) -> None:
    await store.calls.put(CALLS)
    others = [f"x{number}" for number in range(500)]
    assert await store.calls.find(OWNER, [*others, "m1"]) == {}
    assert await store.calls.find(OWNER, [*others[:499], "m1"]) == {"m1": CALLS}


async def test_an_answer_without_calls_is_not_kept(store: Store) -> None:
    await store.calls.put(replace(CALLS, parts=()))
    assert await store.calls.find(OWNER, ["m1"]) == {}


async def test_calls_go_after_their_days(store: Store) -> None:
    await store.calls.put(CALLS)
    await store.calls.put(replace(CALLS, message_id="m2", created_at=START + timedelta(days=5)))
    store.clock.advance(31 * 86400)
    assert list(await store.calls.find(OWNER, ["m1", "m2"])) == ["m2"]
    assert await store.calls.sweep(store.clock.now()) == 1
    store.clock.advance(31 * 86400)
    assert await store.calls.sweep(store.clock.now()) == 1
    assert b"get_weather" not in bytes_of(store.folder)


async def test_with_0_days_nothing_is_kept(tmp_path: Path) -> None:
    async with open_store(tmp_path, call_days=0) as store:
        await store.calls.put(CALLS)
        assert await store.calls.find(OWNER, ["m1"]) == {}
        assert b"get_weather" not in bytes_of(tmp_path)

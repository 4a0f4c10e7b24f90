from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from functools import partial

import anyio
import pytest
from scripted.keyed import ACTOR, Keyed, bearing
from scripted.patience import PATIENCE_S
from sqlalchemy import Connection, Engine, delete, event, update
from sqlalchemy.exc import SQLAlchemyError

from chatbot.errors import ErrorCode, InvalidRequest
from chatbot.testing import ManualClock
from serving.auth.authenticator import Authenticator
from serving.auth.caller import EVERYONE, Caller
from serving.auth.key_text import KeyText
from serving.auth.records import Limits
from serving.auth.scopes import Scope
from serving.http.errors import Refusal
from serving.storage import Keyring
from serving.storage.secret import RootSecret
from serving.storage.tables import API_KEYS, AUTH_REVISIONS

CHAT = frozenset({Scope.CHAT})
MANY = 47


async def identify(authenticator: Authenticator, headers: Mapping[str, str]) -> Caller:
    sent = [(name.encode(), value.encode()) for name, value in headers.items()]
    return await authenticator.identify(sent, is_https=False)


async def refusal(authenticator: Authenticator, headers: Mapping[str, str]) -> ErrorCode:
    with pytest.raises(Refusal) as caught:
        await identify(authenticator, headers)
    return caught.value.code


async def test_without_any_key_everyone_is_let_in_with_whatever_they_carry(keyed: Keyed) -> None:
    authenticator = keyed.authenticator()
    await authenticator.refresh()
    assert await identify(authenticator, {}) is EVERYONE
    assert await identify(authenticator, bearing("local")) is EVERYONE


async def test_where_keys_are_needed_nobody_is_let_in_without_one(keyed: Keyed) -> None:
    authenticator = keyed.authenticator(needs_keys=True)
    await authenticator.refresh()
    assert await refusal(authenticator, {}) is ErrorCode.INVALID_API_KEY


async def test_before_it_has_looked_nobody_is_let_in(keyed: Keyed) -> None:
    assert await refusal(keyed.authenticator(), {}) is ErrorCode.INVALID_API_KEY


async def test_the_first_key_closes_a_running_server(keyed: Keyed) -> None:
    authenticator = keyed.authenticator()
    await authenticator.refresh()
    made = await keyed.key("ala", CHAT)
    await authenticator.refresh()
    assert await refusal(authenticator, {}) is ErrorCode.INVALID_API_KEY
    caller = await identify(authenticator, bearing(made.text.whole))
    assert (caller.name, caller.scopes, caller.key_id) == ("ala", CHAT, made.key.key_id)
    assert caller.account == made.key.account_id != "ala"


async def test_keys_that_do_not_count_are_all_refused_alike(
    keyed: Keyed, clock: ManualClock
) -> None:
    good = (await keyed.key("ala")).text
    revoked = await keyed.key("ala")
    await keyed.keys.revoke(revoked.key.key_id, actor=ACTOR)
    expired = await keyed.key("ala", expires_at=clock.now() + timedelta(minutes=1))
    disabled = await keyed.key("ola")
    await keyed.accounts.set_disabled("ola", is_disabled=True, actor=ACTOR)
    clock.advance(61)
    authenticator = keyed.authenticator()
    await authenticator.refresh()
    other = KeyText.make()
    swapped = KeyText(key_id=good.key_id, secret=other.secret)
    texts = [one.text.whole for one in (revoked, expired, disabled)]
    texts += [other.whole, swapped.whole, "x", good.whole[:-1], "zażółć"]
    told = set()
    for text in texts:
        with pytest.raises(Refusal) as caught:
            await identify(authenticator, bearing(text))
        told.add((caught.value.code, caught.value.message))
    assert len(told) == 1
    assert (await identify(authenticator, {"x-api-key": good.whole})).name == "ala"


async def test_a_key_in_memory_expires_too(keyed: Keyed, clock: ManualClock) -> None:
    made = await keyed.key("ala", expires_at=clock.now() + timedelta(seconds=10))
    authenticator = keyed.authenticator()
    await authenticator.refresh()
    assert (await identify(authenticator, bearing(made.text.whole))).name == "ala"
    clock.advance(10)
    assert await refusal(authenticator, bearing(made.text.whole)) is ErrorCode.INVALID_API_KEY


async def test_two_keys_that_differ_are_a_400_also_where_none_is_needed(keyed: Keyed) -> None:
    authenticator = keyed.authenticator()
    await authenticator.refresh()
    with pytest.raises(InvalidRequest) as caught:
        await identify(authenticator, {**bearing("a"), "x-api-key": "b"})
    assert caught.value.code is ErrorCode.INVALID_REQUEST


async def test_a_known_key_is_not_looked_up_again(keyed: Keyed, clock: ManualClock) -> None:
    made = await keyed.key("ala")
    authenticator = keyed.authenticator(stale_s=30)
    await authenticator.refresh()
    await identify(authenticator, bearing(made.text.whole))
    await keyed.database.write(lambda connection: connection.execute(delete(API_KEYS)).rowcount)
    clock.advance(30)
    assert (await identify(authenticator, bearing(made.text.whole))).name == "ala"
    clock.advance(1)
    code = await refusal(authenticator, bearing(made.text.whole))
    assert code is ErrorCode.INVALID_API_KEY, "memory that nobody could check counts no longer"


@pytest.mark.parametrize("change", ["revoke", "disable", "limit", "group"])
async def test_a_change_reaches_the_memory_of_another_process(keyed: Keyed, change: str) -> None:
    made = await keyed.key("ala")
    await keyed.accounts.add_group("g", actor=ACTOR, limits=Limits(tools=frozenset({"rate"})))
    authenticator = keyed.authenticator()
    await authenticator.refresh()
    before = await identify(authenticator, bearing(made.text.whole))
    changes = {
        "revoke": keyed.keys.revoke(made.key.key_id, actor=ACTOR),
        "disable": keyed.accounts.set_disabled("ala", is_disabled=True, actor=ACTOR),
        "limit": keyed.accounts.limit("ala", lambda _: Limits(tools=frozenset()), actor=ACTOR),
        "group": keyed.accounts.set_member("g", "ala", is_member=True, actor=ACTOR),
    }
    for name, work in changes.items():
        await work if name == change else work.close()
    await authenticator.refresh()
    try:
        after: Caller | None = await identify(authenticator, bearing(made.text.whole))
    except Refusal:
        after = None
    assert after != before
    assert (after is None) == (change in {"revoke", "disable"})


async def test_what_was_looked_up_behind_a_newer_change_is_not_kept(keyed: Keyed) -> None:
    made = await keyed.key("ala")
    authenticator = keyed.authenticator()
    await authenticator.refresh()
    await keyed.keys.revoke(made.key.key_id, actor=ACTOR)
    code = await refusal(authenticator, bearing(made.text.whole))
    assert code is ErrorCode.INVALID_API_KEY, "the look-up saw the change before the refresh"


async def test_many_requests_with_a_forgotten_key_look_it_up_once(keyed: Keyed) -> None:
    made = await keyed.key("ala")
    authenticator = keyed.authenticator()
    await authenticator.refresh()
    callers: list[Caller] = []

    async def ask() -> None:
        callers.append(await identify(authenticator, bearing(made.text.whole)))

    with selects_from(API_KEYS.name) as selects:
        async with anyio.create_task_group() as group:
            for _ in range(MANY):
                group.start_soon(ask)
    assert [caller.name for caller in callers] == ["ala"] * MANY
    assert len(selects) == 1


async def test_no_failed_look_up_is_kept(keyed: Keyed) -> None:
    made = await keyed.key("ala")
    authenticator = keyed.authenticator()
    await authenticator.refresh()
    failed: list[SQLAlchemyError] = []

    async def ask() -> None:
        try:
            await identify(authenticator, bearing(made.text.whole))
        except SQLAlchemyError as error:
            failed.append(error)

    await keyed.database.write(partial(rename, old=API_KEYS.name, new="elsewhere"))
    async with anyio.create_task_group() as group:
        for _ in range(MANY):
            group.start_soon(ask)
    assert len(failed) == MANY
    await keyed.database.write(partial(rename, old="elsewhere", new=API_KEYS.name))
    assert (await identify(authenticator, bearing(made.text.whole))).name == "ala"


@contextmanager
def selects_from(table: str) -> Iterator[list[str]]:
    """The statements that read from ``table`` while the block runs."""
    seen: list[str] = []

    def note(*told: object) -> None:
        statement = str(told[2])
        seen.extend([statement] if f"FROM {table}" in statement else [])

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield seen
    finally:
        event.remove(Engine, "before_cursor_execute", note)


def rename(connection: Connection, old: str, new: str) -> None:
    connection.exec_driver_sql(f"ALTER TABLE {old} RENAME TO {new}")


async def test_no_failure_of_the_database_ends_the_watch(keyed: Keyed) -> None:
    made = await keyed.key("ala")
    authenticator = keyed.authenticator(poll_s=0.01)
    await authenticator.refresh()

    async with anyio.create_task_group() as group:
        group.start_soon(authenticator.watch)
        away = AUTH_REVISIONS.name, "elsewhere"
        await keyed.database.write(partial(rename, old=away[0], new=away[1]))
        await anyio.sleep(0.05)
        await keyed.database.write(partial(rename, old=away[1], new=away[0]))
        assert (await identify(authenticator, bearing(made.text.whole))).name == "ala"
        await keyed.keys.revoke(made.key.key_id, actor=ACTOR)
        with anyio.fail_after(PATIENCE_S):
            while await is_known(authenticator, made.text.whole):  # noqa: ASYNC110 (it wakes nobody)
                await anyio.sleep(0.01)
        group.cancel_scope.cancel()


async def is_known(authenticator: Authenticator, key: str) -> bool:
    try:
        await identify(authenticator, bearing(key))
    except Refusal:
        return False
    return True


async def test_uses_are_written_down_to_the_minute(keyed: Keyed, clock: ManualClock) -> None:
    used, unused = await keyed.key("ala"), await keyed.key("ala")
    authenticator = keyed.authenticator()
    await authenticator.refresh()
    await identify(authenticator, bearing(used.text.whole))
    clock.advance(90)
    await authenticator.save_uses()
    keys = {key.key_id: key.last_used_at for key in await keyed.keys.list()}
    assert keys[used.key.key_id] == clock.now().replace(second=0)
    assert keys[unused.key.key_id] is None


async def test_a_key_outlives_its_root_secret_while_that_is_remembered(keyed: Keyed) -> None:
    made = await keyed.key("ala")
    current, earlier = (RootSecret.from_text(f"sekret numer {n} do testów") for n in (1, 2))
    stored = update(API_KEYS).values(
        kid=earlier.kid, digest=made.text.digest(Keyring([earlier]), earlier.kid)
    )
    await keyed.database.write(lambda connection: connection.execute(stored).rowcount)
    remembering = replace(keyed, keyring=Keyring([current, earlier])).authenticator()
    forgetting = replace(keyed, keyring=Keyring([current])).authenticator()
    for authenticator in (remembering, forgetting):
        await authenticator.refresh()
    assert (await identify(remembering, bearing(made.text.whole))).name == "ala"
    assert await refusal(forgetting, bearing(made.text.whole)) is ErrorCode.INVALID_API_KEY


async def test_a_scope_that_is_missing_is_named(keyed: Keyed) -> None:
    made = await keyed.key("ala", CHAT)
    authenticator = keyed.authenticator()
    await authenticator.refresh()
    caller = await identify(authenticator, bearing(made.text.whole))
    caller.require(Scope.ADMIN, Scope.CHAT)
    with pytest.raises(Refusal, match="'images' or 'admin'") as caught:
        caller.require(Scope.ADMIN, Scope.IMAGES)
    assert caught.value.code is ErrorCode.INSUFFICIENT_SCOPE

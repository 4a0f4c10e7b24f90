from datetime import timedelta
from pathlib import Path

import pytest
from anyio import to_thread
from scripted.databases import content_of
from scripted.keyed import ACTOR, Keyed

from chatbot.errors import ErrorCode, InvalidRequest
from chatbot.testing import ManualClock
from serving.auth.keys import Wish
from serving.auth.scopes import ALL, Scope


async def test_a_secret_is_nowhere_in_the_data_folder(keyed: Keyed, tmp_path: Path) -> None:
    made = await keyed.key("ala")
    await keyed.keys.rotate(made.key.key_id, overlap=timedelta(days=1), actor=ACTOR)
    await keyed.database.forget()
    content = await to_thread.run_sync(content_of, tmp_path)
    assert made.key.key_id.encode() in content
    assert made.text.secret.encode() not in content


async def test_a_revoked_key_stays_revoked_since_the_first_time(
    keyed: Keyed, clock: ManualClock
) -> None:
    made = await keyed.key("ala")
    first = await keyed.keys.revoke(made.key.key_id, actor=ACTOR)
    clock.advance(60)
    assert await keyed.keys.revoke(made.key.key_id, actor=ACTOR) == first
    assert not first.counts(clock.now())


async def test_a_key_of_another_does_not_exist(keyed: Keyed) -> None:
    made = await keyed.key("ala")
    told = []
    for key_id in (made.key.key_id, "0" * 16):
        with pytest.raises(InvalidRequest) as caught:
            await keyed.keys.revoke(key_id, actor=ACTOR, owner="ola")
        told.append((caught.value.code, caught.value.message))
    assert told[0] == told[1]
    assert told[0][0] is ErrorCode.NOT_FOUND


async def test_a_replaced_key_counts_until_its_overlap_ends(
    keyed: Keyed, clock: ManualClock
) -> None:
    limit = timedelta(days=90)
    old = await keyed.key("ala", frozenset({Scope.CHAT}), expires_at=clock.now() + limit)
    clock.advance(3600)
    new = await keyed.keys.rotate(old.key.key_id, overlap=timedelta(hours=1), actor=ACTOR)
    stored = {key.key_id: key for key in await keyed.keys.list()}[old.key.key_id]
    assert (new.key.scopes, new.key.account_id) == (old.key.scopes, old.key.account_id)
    assert new.key.expires_at == clock.now() + limit
    assert stored.replaced_by == new.key.key_id
    assert stored.counts(clock.now() + timedelta(minutes=59))
    assert not stored.counts(clock.now() + timedelta(minutes=60))
    with pytest.raises(InvalidRequest, match="was replaced"):
        await keyed.keys.rotate(old.key.key_id, overlap=timedelta(hours=1), actor=ACTOR)


async def test_the_first_key_is_made_once(keyed: Keyed) -> None:
    account = await keyed.accounts.find_or_add_local(actor=ACTOR)
    wish = Wish(account_id=account.account_id, name="", scopes=ALL)
    assert await keyed.keys.create_first(wish, actor=ACTOR) is not None
    assert await keyed.keys.create_first(wish, actor=ACTOR) is None
    assert await keyed.keys.count() == 1


async def test_each_change_is_in_the_log_without_a_secret(keyed: Keyed) -> None:
    made = await keyed.key("ala")
    await keyed.keys.revoke(made.key.key_id, actor="ola")
    log = await keyed.accounts.log(10)
    assert [(entry.actor, entry.action) for entry in log] == [
        ("ola", "key_revoked"),
        (ACTOR, "key_created"),
        (ACTOR, "user_added"),
    ]
    assert log[0].subject == made.key.key_id
    assert made.text.secret not in repr(log)

"""What is left of a person who was deleted: sums, and nothing that tells of whom."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest
from scripted.persons import (
    FOLDED,
    NAME,
    WORDS,
    Person,
    accounts_of,
    draw,
    keys_of,
    person_tables,
    settle_in,
    tables_with,
)
from scripted.stored import Store, bytes_of, open_store
from sqlalchemy import func, select

from chatbot.errors import ErrorCode, InvalidRequest, StorageUnavailable
from serving.auth.changes import record
from serving.auth.erasure import Erasure
from serving.auth.keys import Wish
from serving.auth.records import DELETED, AuditEntry
from serving.auth.scopes import USUAL
from serving.storage.ledger_tables import LEGS, REQUESTS

GRACE = timedelta(minutes=10)


@pytest.fixture
async def store(any_folder: Path) -> AsyncIterator[Store]:
    async with open_store(any_folder) as opened:
        yield opened


@pytest.fixture
def erasure(store: Store) -> Erasure:
    return Erasure(
        store.database,
        conversations=store.conversations,
        images=store.images,
        clock=store.clock,
        grace=GRACE,
    )


async def found(store: Store, *words: str) -> frozenset[str]:
    return await store.database.read(lambda connection: tables_with(connection, *words))


async def sums(store: Store) -> tuple[int, int, int]:
    """Requests, legs and tokens of the ledger."""
    asked = select(
        func.count(func.distinct(REQUESTS.c.entry_id)),
        func.count(LEGS.c.number),
        func.sum(LEGS.c.prompt_tokens),
    ).select_from(REQUESTS.outerjoin(LEGS))
    row = await store.database.read(lambda connection: connection.execute(asked).one())
    return (row[0], row[1], row[2])


async def test_no_table_and_no_file_tells_of_a_deleted_person(
    store: Store, erasure: Erasure
) -> None:
    person = await settle_in(store)
    assert await found(store, person.account_id) >= person_tables()  # a new table is filled there
    assert {"messages", "search_texts", "kept_replies", "audit_log"} <= await found(
        store, WORDS, FOLDED, NAME
    )
    before = await sums(store)
    account_id = await erasure.mark(NAME, actor=DELETED)
    assert account_id == person.account_id
    assert await erasure.erase(account_id) > 0
    assert await found(store, WORDS, FOLDED, NAME, person.key_id, person.picture) == frozenset()
    assert await found(store, account_id) == {"accounts"}
    store.clock.advance(GRACE.total_seconds() + 1)
    assert await erasure.drop_marks(store.clock.now()) == 1
    assert await found(store, account_id) == frozenset()
    await store.database.forget()
    written = bytes_of(store.folder).decode("latin-1").casefold()
    for trace in (WORDS, FOLDED, NAME, account_id, person.key_id):
        assert trace.casefold() not in written, trace
    assert await sums(store) == before


async def test_what_another_person_has_stays(store: Store, erasure: Erasure) -> None:
    other = await settle_in(store, "ola")
    tables = await found(store, other.account_id)
    await settle_in(store)
    await erasure.erase(await erasure.mark(NAME, actor="command line"))
    assert await found(store, other.account_id) == tables
    listed = await store.conversations.list(other.account_id, query="ornitoptoty")
    assert len(listed.conversations) == 1
    held = store.folder / "images" / "held" / other.picture[:2] / f"{other.picture}.png"
    assert held.is_file()  # both show it
    assert [account.name for account in await accounts_of(store).list()] == ["ola"]


async def test_pictures_made_for_programs_go_with_their_owner_alone(
    store: Store, erasure: Erasure
) -> None:
    other, person = await settle_in(store, "ola"), await settle_in(store)
    assert await store.images.read(person.drawn) is not None
    account_id = await erasure.mark(NAME, actor=DELETED)
    await erasure.erase(account_id)
    assert await store.images.read(person.drawn) is None
    assert await store.images.list_owned(account_id) == ()
    assert other.drawn in await store.images.list_owned(other.account_id)
    assert await store.images.read(other.drawn) is not None


async def test_a_picture_that_comes_late_goes_before_the_mark(
    store: Store, erasure: Erasure
) -> None:
    await settle_in(store)
    account_id = await erasure.mark(NAME, actor=DELETED)
    await erasure.erase(account_id)
    late = await draw(store, account_id, "późno")
    assert await erasure.erase(account_id) == 1
    assert await store.images.read(late) is None


async def test_the_log_tells_that_somebody_was_deleted_and_not_who(
    store: Store, erasure: Erasure
) -> None:
    await settle_in(store)
    await erasure.mark(NAME, actor="command line")
    log = await accounts_of(store).log(20)
    assert (log[0].action, log[0].actor, log[0].subject) == (
        "user_deleted",
        "command line",
        DELETED,
    )
    actions = {entry.action: entry for entry in log}
    assert actions["key_created"].actor == actions["key_created"].subject == DELETED
    assert actions["user_added"].details == {}


async def test_what_was_interrupted_is_finished_from_the_mark_alone(
    store: Store, erasure: Erasure, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = await settle_in(store)
    account_id = await erasure.mark(NAME, actor=DELETED)
    assert await found(store, NAME) == frozenset()

    async def fail(owner: str) -> int:
        raise StorageUnavailable(f"no room for {owner}")

    with monkeypatch.context() as broken:
        broken.setattr(store.conversations, "delete_all", fail)
        with pytest.raises(StorageUnavailable):
            await erasure.erase(account_id)
    assert "messages" in await found(store, WORDS)
    again = Erasure(
        store.database,
        conversations=store.conversations,
        images=store.images,
        clock=store.clock,
        grace=GRACE,
    )
    assert await again.list_marked() == (person.account_id,)
    await again.erase(account_id)
    assert await found(store, WORDS, FOLDED) == frozenset()
    assert await again.erase(account_id) == 0


async def test_what_a_late_request_writes_goes_before_the_mark(
    store: Store, erasure: Erasure
) -> None:
    await settle_in(store)
    account_id = await erasure.mark(NAME, actor=DELETED)
    await erasure.erase(account_id)
    await store.converse(WORDS, "późno", owner=account_id)
    assert await erasure.drop_marks(store.clock.now()) == 0
    assert await erasure.list_marked() == (account_id,)
    assert await erasure.erase(account_id) == 1
    assert await found(store, WORDS) == frozenset()


async def test_a_marked_account_is_no_user_any_more(store: Store, erasure: Erasure) -> None:
    await settle_in(store)
    account_id = await erasure.mark(NAME, actor=DELETED)
    accounts = accounts_of(store)
    for name in (NAME, f"~{account_id}"):
        with pytest.raises(InvalidRequest, match="there is no user"):
            await accounts.find(name)
        with pytest.raises(InvalidRequest, match="there is no user"):
            await erasure.mark(name, actor=DELETED)
    assert await accounts.list() == ()
    assert (await accounts.add(NAME, actor="test")).account_id != account_id


async def test_the_shared_account_cannot_be_deleted(store: Store, erasure: Erasure) -> None:
    await accounts_of(store).find_or_add_local(actor="test")
    with pytest.raises(InvalidRequest, match="shared by everybody"):
        await erasure.mark("local", actor="test")


async def test_a_server_stays_closed_when_its_last_key_has_gone(
    store: Store, erasure: Erasure
) -> None:
    keys = keys_of(store)
    for name in (NAME, "ola"):
        await settle_in(store, name)
        await erasure.mark(name, actor=DELETED)
    assert await keys.count() == 1
    assert await keys.list() == ()
    store.clock.advance(GRACE.total_seconds() + 1)
    assert await erasure.drop_marks(store.clock.now()) == 2
    assert await keys.count() == 1
    local = await accounts_of(store).find_or_add_local(actor="test")
    wish = Wish(account_id=local.account_id, name="", scopes=USUAL)
    assert await keys.create_first(wish, actor="test") is None


async def test_a_server_that_never_had_a_key_is_not_closed_by_a_deletion(
    store: Store, erasure: Erasure
) -> None:
    await accounts_of(store).add(NAME, actor="test")
    await erasure.mark(NAME, actor=DELETED)
    assert await keys_of(store).count() == 0


async def test_a_name_that_begins_as_marks_do_cannot_be_given(store: Store) -> None:
    with pytest.raises(InvalidRequest, match="cannot be a name"):
        await accounts_of(store).add("~ala", actor="test")


async def test_an_account_that_goes_or_has_gone_gets_no_key(store: Store, erasure: Erasure) -> None:
    person: Person = await settle_in(store)
    keys, told = keys_of(store), []
    wish = Wish(account_id=person.account_id, name="późny", scopes=USUAL)
    await erasure.mark(NAME, actor=DELETED)
    for seconds in (0, GRACE.total_seconds() + 1):
        store.clock.advance(seconds)
        await erasure.drop_marks(store.clock.now())
        for late in (
            keys.create(wish, actor=person.account_id),
            keys.rotate(person.key_id, overlap=timedelta(), actor=person.account_id),
        ):
            with pytest.raises(InvalidRequest) as caught:
                await late
            told.append(caught.value.code)
    assert set(told) == {ErrorCode.NOT_FOUND}
    assert await found(store, "późny") == frozenset()


async def test_what_a_late_request_adds_to_the_log_tells_of_nobody(
    store: Store, erasure: Erasure
) -> None:
    person = await settle_in(store)
    account_id = await erasure.mark(NAME, actor=DELETED)
    await erasure.erase(account_id)
    other = await accounts_of(store).add("ola", actor=account_id)
    late = {"account": account_id, "name": f"telefon {WORDS}"}
    entry = AuditEntry(
        at=store.clock.now(),
        actor=account_id,
        action="key_created",
        subject=person.key_id,
        details=late,
    )
    await store.database.write(lambda connection: record(connection, entry))
    assert await erasure.erase(account_id) == 2
    assert await found(store, account_id) == {"accounts"}
    assert await found(store, WORDS, person.key_id) == frozenset()
    log = await accounts_of(store).log(2)
    assert [(entry.actor, entry.subject) for entry in log] == [
        (DELETED, DELETED),
        (DELETED, other.account_id),
    ]
    assert await erasure.erase(account_id) == 0

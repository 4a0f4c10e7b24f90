import sqlite3
import traceback
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import anyio
import pytest
from anyio import to_thread
from scripted.databases import locking
from scripted.stored import OWNER, Store, answering, ended, open_store, wrote
from sqlalchemy import Connection, select
from sqlalchemy.exc import IntegrityError

from chatbot.errors import ErrorCode, StorageUnavailable
from serving.storage.failures import translate
from serving.storage.sqlite import FILE_NAME
from serving.storage.tables import PROBES

SECRET = "tajemnica użytkownika"
WRITERS = 20
COUNTING = (
    "WITH RECURSIVE number(n) AS (VALUES(1) UNION ALL SELECT n + 1 FROM number WHERE n < 300000) "
    "SELECT count(*) FROM number"
)
"""A statement that takes a while: 50 ms on the usual machine."""
Open = Callable[[Path], sqlite3.Connection]


@pytest.fixture
def folder(any_folder: Path) -> Path:
    """A data folder with a database of either kind."""
    return any_folder


@pytest.fixture
def file_folder(tmp_path: Path, empty_database: bytes) -> Path:
    """A data folder with SQLite's file."""
    (tmp_path / FILE_NAME).write_bytes(empty_database)
    return tmp_path


async def test_a_short_lock_is_invisible(store: Store) -> None:
    conversation = await store.converse("pierwsze", "raz")
    with locking(store.folder) as lock:
        async with anyio.create_task_group() as group:
            group.start_soon(store.say, conversation, "drugie", "dwa")
            await anyio.sleep(0.3)
            _, during = await store.conversations.read(OWNER, conversation.conversation_id)
            await to_thread.run_sync(lock.release)
    _, after = await store.conversations.read(OWNER, conversation.conversation_id)
    assert (len(during), len(after)) == (2, 4)


async def test_a_long_lock_is_told_and_nothing_is_half_done(folder: Path) -> None:
    async with open_store(folder, wait_s=0.2) as store:
        conversation = await store.converse("pierwsze", "raz")
        with locking(folder):
            with pytest.raises(StorageUnavailable, match="locked") as caught:
                await store.say(conversation, SECRET, "dwa")
            assert "locked" in (await store.database.find_fault() or "")
        assert caught.value.code is ErrorCode.STORAGE_UNAVAILABLE
        _, messages = await store.conversations.read(OWNER, conversation.conversation_id)
        assert len(messages) == 2
        await store.say(conversation, "drugie", "dwa")


async def test_a_queue_of_writers_is_no_lock(folder: Path) -> None:
    """Together they take much longer than one waits for a locked database."""
    written = []

    def count_slowly(connection: Connection) -> None:
        written.append(connection.exec_driver_sql(COUNTING).scalar_one())

    async with open_store(folder, wait_s=0.2) as store, anyio.create_task_group() as group:
        began = anyio.current_time()
        for _ in range(WRITERS):
            group.start_soon(store.database.write, count_slowly)
    assert len(written) == WRITERS
    assert anyio.current_time() - began > 2 * 0.2


async def test_a_running_answer_has_more_patience_than_a_new_one(folder: Path) -> None:
    async with open_store(folder, wait_s=0.1, keep_s=20) as store:
        conversation = await store.conversations.create(OWNER)
        user = wrote("pytanie")
        answer = answering(user)
        key = (OWNER, conversation.conversation_id)
        await store.conversations.begin(*key, user=user, answer=answer)
        with locking(folder) as lock:
            async with anyio.create_task_group() as group:
                group.start_soon(store.conversations.save, ended(answer, "odpowiedź"))
                await anyio.sleep(0.2)
                with pytest.raises(StorageUnavailable):
                    await store.conversations.create(OWNER)
                await to_thread.run_sync(lock.release)
        saved = await store.conversations.message(*key, answer.message_id)
        assert saved.state == "complete"


async def test_answers_that_come_together_are_all_saved(store: Store) -> None:
    conversation = await store.conversations.create(OWNER)
    key = (OWNER, conversation.conversation_id)
    user = wrote("pytanie")
    answers = [answering(user) for _ in range(20)]
    await store.conversations.begin(*key, user=user, answer=answers[0])
    for answer in answers[1:]:
        await store.conversations.begin(*key, user=None, answer=answer)
    async with anyio.create_task_group() as group:
        for number, answer in enumerate(answers):
            group.start_soon(store.conversations.save, ended(answer, f"odpowiedź {number}"))
    _, messages = await store.conversations.read(*key)
    told = [message.parts[0]["text"] for message in messages[1:]]
    assert told == [f"odpowiedź {number}" for number in range(20)]


async def test_a_cancelled_save_takes_no_other_with_it(folder: Path) -> None:
    async with open_store(folder) as store:
        conversation = await store.conversations.create(OWNER)
        key = (OWNER, conversation.conversation_id)
        user = wrote("pytanie")
        answers = [answering(user), answering(user)]
        await store.conversations.begin(*key, user=user, answer=answers[0])
        await store.conversations.begin(*key, user=None, answer=answers[1])
        with locking(folder) as lock:
            async with anyio.create_task_group() as group:
                with anyio.move_on_after(0.1):
                    await store.conversations.save(ended(answers[0], "jeden"))
                group.start_soon(store.conversations.save, ended(answers[1], "dwa"))
                await anyio.sleep(0.05)
                await to_thread.run_sync(lock.release)
        _, messages = await store.conversations.read(*key)
        assert [message.state for message in messages[1:]] == ["incomplete", "complete"]


async def test_a_full_disk_is_told_and_loses_nothing(file_store: Store) -> None:
    conversation = await file_store.converse("pierwsze", "raz")
    pages = await file_store.database.write(pragma("page_count"))
    await file_store.database.write(pragma(f"max_page_count = {pages}"))
    with pytest.raises(StorageUnavailable, match="full"):
        await file_store.say(conversation, SECRET * 2000, "dwa")
    _, during = await file_store.conversations.read(OWNER, conversation.conversation_id)
    await file_store.database.write(pragma("max_page_count = 1073741823"))
    await file_store.say(conversation, SECRET * 2000, "dwa")
    _, after = await file_store.conversations.read(OWNER, conversation.conversation_id)
    assert after[:2] == during
    assert len(after) == 4


async def test_a_read_only_database_is_read_and_told(file_folder: Path) -> None:
    async with open_store(file_folder) as store:
        conversation = await store.converse("pierwsze", "raz")
    url = f"sqlite:///file:{file_folder / FILE_NAME}?mode=ro&uri=true"
    async with open_store(file_folder, url=url) as store:
        _, messages = await store.conversations.read(OWNER, conversation.conversation_id)
        assert len(messages) == 2
        with pytest.raises(StorageUnavailable, match="read-only"):
            await store.say(conversation, SECRET, "dwa")
        assert await store.database.find_fault() == "the database is read-only"


@pytest.mark.parametrize("trash", [b"\xff", b"x"])
async def test_a_damaged_page_is_told_and_the_others_are_read(
    file_folder: Path, trash: bytes
) -> None:
    async with open_store(file_folder) as store:
        damaged = await store.converse("x", "żółw " * 20_000)
        whole = await store.converse("pierwsze", "raz")
    content = bytearray((file_folder / FILE_NAME).read_bytes())
    last = content.rindex("żółw żółw".encode()) // 4096
    page = slice(last * 4096, (last + 1) * 4096)
    content[page] = trash * 4096
    (file_folder / FILE_NAME).write_bytes(content)
    async with open_store(file_folder) as store:
        with pytest.raises(StorageUnavailable, match="damaged"):
            await store.conversations.read(OWNER, damaged.conversation_id)
        assert await store.database.find_fault() == "the database is damaged"
        _, messages = await store.conversations.read(OWNER, whole.conversation_id)
        assert len(messages) == 2


async def test_the_fault_is_looked_for_once_a_second(folder: Path) -> None:
    async with open_store(folder, wait_s=0.1) as store:
        assert await store.database.find_fault() is None
        writes = await store.database.read(count_probes)
        assert await store.database.find_fault() is None
        assert await store.database.read(count_probes) == writes == 1


async def test_no_error_tells_what_people_wrote(store: Store) -> None:
    conversation = await store.conversations.create(OWNER)
    user = wrote(SECRET)
    key = (OWNER, conversation.conversation_id)
    await store.conversations.begin(*key, user=user, answer=answering(user))
    with pytest.raises(IntegrityError) as caught:
        await store.conversations.begin(
            *key, user=user, answer=replace(answering(user), parts=user.parts)
        )
    assert SECRET not in "".join(traceback.format_exception(caught.value))


def test_what_a_driver_never_says_is_no_fault_of_the_storage() -> None:
    with pytest.raises(sqlite3.OperationalError), translate():
        raise sqlite3.OperationalError("no such table")


def pragma(words: str) -> Callable[[Connection], int]:
    return lambda connection: connection.exec_driver_sql(f"PRAGMA {words}").scalar_one()


def count_probes(connection: Connection) -> int | None:
    return connection.execute(select(PROBES.c.writes)).scalar()

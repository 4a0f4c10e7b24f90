import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from scripted.ledgers import kept, keyed
from scripted.stored import (
    OWNER,
    STRANGER,
    Store,
    answering,
    bytes_of,
    ended,
    image_part,
    open_store,
    wrote,
)
from sqlalchemy import Connection, delete

from chatbot.testing import ONE_PIXEL_PNG
from chatbot.types import Artifact
from serving.billing import store as ledger
from serving.billing.records import Accepted
from serving.billing.store import KEY_LIFE
from serving.storage.kept_replies import KeptReplies
from serving.storage.records import Conversation
from serving.storage.retention import Retention
from serving.storage.sqlite import FILE_NAME
from serving.storage.tables import CONVERSATIONS

WORDS = "Niepowtarzalne zdanie o ornitoptotach"
FOLDED = "niepowtarzalne zdanie"
DOT = Artifact(media_type="image/png", data=ONE_PIXEL_PNG, alt="kropka", width=1, height=1)


async def show_picture(store: Store, owner: str = OWNER) -> tuple[Conversation, str]:
    """A conversation with a picture."""
    image = await store.images.save(DOT, account=owner)
    conversation = await store.conversations.create(owner)
    user = wrote("narysuj")
    answer = answering(user)
    await store.conversations.begin(owner, conversation.conversation_id, user=user, answer=answer)
    await store.conversations.save(ended(answer, "proszę", image_part(image.image_id)))
    return conversation, image.url.removeprefix("/images/")


def is_written(store: Store) -> bool:
    written = bytes_of(store.folder)
    return WORDS.encode() in written or FOLDED.encode() in written


async def test_no_file_holds_what_was_deleted(file_store: Store) -> None:
    kept = await file_store.converse("inne", "słowa " * 500)
    conversation = await file_store.converse(WORDS, f"{WORDS} {WORDS * 200}")
    await file_store.conversations.change(OWNER, conversation.conversation_id, title=WORDS)
    assert is_written(file_store)
    await file_store.conversations.delete(OWNER, conversation.conversation_id)
    assert not is_written(file_store)
    assert len((await file_store.conversations.read(OWNER, kept.conversation_id))[1]) == 2


async def test_what_a_reader_keeps_in_the_log_goes_with_the_next_sweep(
    tmp_path: Path, empty_database: bytes
) -> None:
    (tmp_path / FILE_NAME).write_bytes(empty_database)
    async with open_store(tmp_path, wait_s=0.1) as store:
        conversation = await store.converse(WORDS, "tak")
        with closing(sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM messages").fetchone()
            await store.conversations.delete(OWNER, conversation.conversation_id)
            assert is_written(store)
        await store.conversations.sweep(store.clock.now())
        assert not is_written(store)


async def test_conversations_outlive_their_days_by_no_sweep(
    tmp_path: Path, empty_database: bytes
) -> None:
    (tmp_path / FILE_NAME).write_bytes(empty_database)
    async with open_store(tmp_path, conversation_days=30) as store:
        await store.converse(WORDS, "tak")
        store.clock.advance(20 * 86400)
        young = await store.converse("młodsze", "tak")
        assert await store.conversations.sweep(store.clock.now()) == 0
        store.clock.advance(11 * 86400)
        assert await store.conversations.sweep(store.clock.now()) == 1
        listed = (await store.conversations.list(OWNER)).conversations
        assert [one.conversation_id for one in listed] == [young.conversation_id]
        assert not is_written(store)


async def test_by_default_conversations_stay(store: Store) -> None:
    await store.converse("stare", "tak")
    assert await store.conversations.sweep(store.clock.now() + timedelta(days=9999)) == 0


async def test_a_picture_goes_with_its_last_conversation(store: Store) -> None:
    first, link = await show_picture(store)
    second, _ = await show_picture(store, STRANGER)
    await store.conversations.delete(OWNER, first.conversation_id)
    assert (await store.images.find(link)).path is not None
    await store.conversations.delete(STRANGER, second.conversation_id)
    assert (await store.images.find(link)).path is None
    assert ONE_PIXEL_PNG not in bytes_of(store.folder)


async def test_a_picture_left_behind_goes_with_a_sweep(store: Store) -> None:
    conversation, link = await show_picture(store)
    await store.database.write(
        lambda connection: connection.execute(
            delete(CONVERSATIONS).where(
                CONVERSATIONS.c.conversation_id == conversation.conversation_id
            )
        ).close()
    )
    _, kept = await show_picture(store)
    store.clock.time += timedelta(days=365 * 30)
    await store.conversations.sweep(store.clock.now())
    assert store.images is not None
    assert (await store.images.find(link)).path == (await store.images.find(kept)).path


async def test_an_import_reaches_no_file_by_the_name_of_a_picture(store: Store) -> None:
    outside = store.folder / "important.png"
    outside.write_bytes(b"x")
    conversation = await store.conversations.create(OWNER)
    user = wrote("narysuj")
    picture = image_part("../important")
    shown = [user, ended(answering(user), "proszę", picture)]
    restored = await store.conversations.restore(OWNER, conversation, shown)
    await store.conversations.delete(OWNER, restored.conversation_id)
    assert outside.read_bytes() == b"x"


async def test_a_sweep_that_fails_is_left_to_the_next_one(
    tmp_path: Path, empty_database: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / FILE_NAME).write_bytes(empty_database)
    async with open_store(tmp_path, wait_s=0.1) as store:
        await store.conversations.create(OWNER)
        store.clock.advance(2 * 86400)
        retention = Retention(
            sweeps={"conversations": store.conversations.sweep},
            clock=store.clock,
            settings=store.settings,
        )
        with closing(sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            await retention.sweep()
            assert len((await store.conversations.list(OWNER)).conversations) == 1
        await retention.sweep()
        assert (await store.conversations.list(OWNER)).conversations == ()
    assert "sweep_failed" in capsys.readouterr().out


def keeping(entry_id: str, *, written_at: datetime) -> Callable[[Connection], None]:
    """Keeps a reply with the words that `is_written` looks for."""

    def keep(connection: Connection) -> None:
        new = replace(keyed(entry_id, "key"), created_at=written_at)
        assert ledger.write(connection, (), [new]) == [Accepted()]
        ledger.write(connection, [kept(entry_id, WORDS.encode())], ())

    return keep


async def test_a_kept_reply_goes_with_its_key(file_store: Store) -> None:
    keep = keeping("a", written_at=file_store.clock.now())
    await file_store.database.write(keep)
    replies = KeptReplies(file_store.database, life=KEY_LIFE)
    file_store.clock.advance(KEY_LIFE.total_seconds())
    assert await replies.sweep(file_store.clock.now()) == 0
    assert is_written(file_store)
    file_store.clock.advance(1)
    assert await replies.sweep(file_store.clock.now()) == 1
    assert not is_written(file_store)


async def test_a_sweep_survives_a_database_that_is_not_ours_any_more(
    file_store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    retention = Retention(
        sweeps={"conversations": file_store.conversations.sweep},
        clock=file_store.clock,
        settings=file_store.settings,
    )
    with closing(sqlite3.connect(file_store.folder / FILE_NAME)) as other:
        other.execute("ALTER TABLE conversations RENAME TO mine")
    await retention.sweep()
    assert "OperationalError" in capsys.readouterr().out


async def test_what_a_crash_left_in_the_log_goes_with_the_first_sweep(
    tmp_path: Path, empty_database: bytes
) -> None:
    (tmp_path / FILE_NAME).write_bytes(empty_database)
    async with open_store(tmp_path) as crashed, open_store(tmp_path) as store:
        conversation = await crashed.converse(WORDS, "tak")
        await crashed.database.write(
            lambda connection: connection.exec_driver_sql(
                "DELETE FROM conversations WHERE conversation_id = ?",
                (conversation.conversation_id,),
            ).close()
        )
        assert is_written(store)
        await store.conversations.sweep(store.clock.now())
        assert not is_written(store)

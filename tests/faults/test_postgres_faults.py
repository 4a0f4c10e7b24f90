"""A PostgreSQL server that stops, dies in mid-commit, follows another one or fills its disk."""

import signal
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import anyio
import pytest
from anyio import to_thread
from scripted.databases import put_address
from scripted.fault_report import Figure, Publish
from scripted.ledgers import leg
from scripted.opened_ledger import begin, open_in, rows_in, states_in
from scripted.patience import NEVER_S
from scripted.postgres_process import TABLES, PostgresServer, serve_postgres
from scripted.storage_faults import fill_disk, small_disk
from scripted.stored import OWNER, Store, open_store

from chatbot.errors import StorageUnavailable
from serving.billing import Ledger
from serving.storage.records import Conversation

pytestmark = [pytest.mark.faults, pytest.mark.parts]
MEBIBYTES = 96
LONG = "żółw " * 20_000


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    with serve_postgres(is_durable=True) as server:
        yield server


@pytest.fixture
def folder(server: PostgresServer, tmp_path: Path) -> Iterator[Path]:
    with server.database() as url:
        put_address(tmp_path, url)
        yield tmp_path


def publish_charged(publish: Publish, case: str, what: str, folder: Path, *owed: int) -> None:
    """Each row is charged what is owed, in micro-units."""
    charged = sorted(row["charged"] for row in rows_in(folder).requests.values())
    assert charged == [*owed]
    what = f"PostgreSQL, {what}: the ledger is right afterwards"
    publish(Figure(case=case, what=what, n=len(owed), passed=len(charged)))


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT])
async def test_a_ledger_outlives_its_server(
    server: PostgresServer, folder: Path, publish: Publish, how: signal.Signals
) -> None:
    async with open_in(folder, wait_s=NEVER_S) as ledger:
        settled, running = await begin(ledger), await begin(ledger)
        settled.settle([leg(amount=3)], finish="stop")
        await ledger.sync()
        server.stop(how)
        running.settle([leg(amount=9)], finish="stop")
        with pytest.raises(StorageUnavailable, match="cannot be reached"):
            await begin(ledger)
        assert ledger.fault == "the database cannot be reached"
        await to_thread.run_sync(server.start)
        await ledger.sync()
        assert ledger.fault is None
        await begin(ledger)
    publish_charged(
        publish, "D1", "ended in mid-request, in order and as in a crash", folder, 0, 3, 9
    )


async def test_a_server_that_was_restarted_between_two_requests_is_not_noticed(
    server: PostgresServer, folder: Path
) -> None:
    async with open_store(folder) as store, open_in(folder) as ledger:
        conversation = await store.converse("pierwsze", "raz")
        await begin(ledger)
        server.stop(signal.SIGQUIT)
        await to_thread.run_sync(server.start)
        await begin(ledger)
        await store.say(conversation, "drugie", "dwa")
        _, messages = await store.conversations.read(OWNER, conversation.conversation_id)
    assert len(messages) == 4


async def test_conversations_are_told_why_and_come_back(
    server: PostgresServer, folder: Path
) -> None:
    async with open_store(folder, wait_s=0.2) as store:
        conversation = await store.converse("pierwsze", "raz")
        server.stop(signal.SIGQUIT)
        with pytest.raises(StorageUnavailable, match="cannot be reached"):
            await store.conversations.read(OWNER, conversation.conversation_id)
        with pytest.raises(StorageUnavailable, match="cannot be reached"):
            await store.say(conversation, "drugie", "dwa")
        assert await store.database.find_fault() == "the database cannot be reached"
        await to_thread.run_sync(server.start)
        await store.say(conversation, "drugie", "dwa")
        _, messages = await store.conversations.read(OWNER, conversation.conversation_id)
    assert len(messages) == 4


async def test_what_was_committed_without_a_word_is_void(
    server: PostgresServer, folder: Path
) -> None:
    """A commit waits for a copy that never comes, and its connection is ended meanwhile."""
    async with open_in(folder, wait_s=NEVER_S) as ledger:
        await ledger.sync()
        with server.lacking_a_copy():
            async with anyio.create_task_group() as group:
                group.start_soon(fail_to_begin, ledger)
                await to_thread.run_sync(server.end_commits)
        await begin(ledger)
        await ledger.sync()
        assert states_in(folder) == {"void": 1, "reserved": 1}


async def fail_to_begin(ledger: Ledger) -> None:
    with pytest.raises(StorageUnavailable, match="cannot be reached"):
        await begin(ledger)


async def test_a_server_that_follows_another_is_read_and_told(
    server: PostgresServer, folder: Path
) -> None:
    async with open_store(folder) as store:
        conversation = await store.converse("pierwsze", "raz")
    name = (folder / "address").read_text(encoding="utf-8").rpartition("/")[2]
    server.sql(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    async with open_store(folder) as store, open_in(folder, closing_s=0.1) as ledger:
        _, messages = await store.conversations.read(OWNER, conversation.conversation_id)
        assert len(messages) == 2
        with pytest.raises(StorageUnavailable, match="read-only"):
            await store.say(conversation, "drugie", "dwa")
        with pytest.raises(StorageUnavailable, match="read-only"):
            await begin(ledger)


async def fill(store: Store, conversation: Conversation) -> None:
    """Say more than a disk has room for."""
    for _ in range(MEBIBYTES):
        conversation = await store.say(conversation, LONG, LONG)


@pytest.fixture
def crowded() -> Iterator[PostgresServer]:
    """A server on a small disk."""
    with TemporaryDirectory(prefix="small-disk-") as made:
        folder = Path(made)
        folder.chmod(0o755)
        with small_disk(folder / "disk", MEBIBYTES):
            (folder / "disk").chmod(0o755)
            with serve_postgres(is_durable=True, within=folder / "disk") as server:
                yield server


async def test_a_full_disk_is_told_and_loses_nothing(
    crowded: PostgresServer, tmp_path: Path, publish: Publish
) -> None:
    put_address(tmp_path, crowded.url(TABLES))
    junk = crowded.folder.parent / "junk"
    async with open_store(tmp_path) as store, open_in(tmp_path, wait_s=NEVER_S) as ledger:
        settled, running = await begin(ledger), await begin(ledger)
        settled.settle([leg(amount=3)], finish="stop")
        await ledger.sync()
        conversation = await store.converse("pierwsze", "raz")
        fill_disk(junk)
        with pytest.raises(StorageUnavailable, match=r"is full|cannot be reached"):
            await fill(store, conversation)
        assert await store.database.find_fault() is not None
        running.settle([leg(amount=9)], finish="stop")
        junk.unlink()
        await to_thread.run_sync(crowded.start)  # a full log ends the server
        await ledger.sync()
        conversation, _ = await store.conversations.read(OWNER, conversation.conversation_id)
        await store.say(conversation, "drugie", "dwa")
    publish_charged(publish, "D2", "full disk", tmp_path, 3, 9)

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import anyio
import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from scripted.databases import DATABASES, put_address, stranger_in
from scripted.ports import free_port
from scripted.postgres_process import PostgresServer
from scripted.stored import OWNER, open_store
from sqlalchemy import create_engine
from sqlalchemy.dialects.postgresql.base import PGDialect
from sqlalchemy.schema import CreateTable

from chatbot.errors import StorageUnavailable
from serving.settings import SettingsError, StorageSettings
from serving.storage.database import open_database
from serving.storage.ledger_tables import LEGS
from serving.storage.migration import alembic_config
from serving.storage.sign_in_tables import SIGN_INS
from serving.storage.sqlite import BACKEND, FILE_NAME
from serving.storage.tables import METADATA, REVISION

OPENING = """
import anyio, sys
from pathlib import Path
from scripted.databases import storage_in
from serving.storage.database import open_database

async def main():
    print("ready", flush=True)
    sys.stdin.readline()
    folder = Path(sys.argv[1])
    async with open_database(storage_in(folder), folder) as database:
        print(await database.revision())

anyio.run(main)
"""


def test_the_tables_are_those_of_the_newest_revision(tmp_path: Path, empty_database: bytes) -> None:
    path = tmp_path / "made.sqlite3"
    path.write_bytes(empty_database)
    engine = create_engine(f"sqlite:///{path}")
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), METADATA) == []
        assert LEGS.metadata is METADATA
        assert SIGN_INS.metadata is METADATA
    engine.dispose()
    assert ScriptDirectory.from_config(alembic_config()).get_heads() == [REVISION]


@pytest.mark.parts
def test_so_are_those_of_postgresql(postgres: PostgresServer, tmp_path: Path) -> None:
    with postgres.database() as url:
        put_address(tmp_path, url)
        with stranger_in(tmp_path).connect() as connection:
            assert compare_metadata(MigrationContext.configure(connection), METADATA) == []


@pytest.fixture(params=DATABASES)
def new_folder(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """A data folder whose database has no tables yet."""
    if request.param == BACKEND:
        yield tmp_path
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    with server.database(like="template0") as url:
        put_address(tmp_path, url)
        yield tmp_path


def test_processes_that_start_at_once_share_a_new_database(new_folder: Path) -> None:
    command = [sys.executable, "-c", OPENING, str(new_folder)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    started = [
        subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )
        for _ in range(2)
    ]
    for process in started:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    told = [process.communicate("go\n", timeout=50)[0] for process in started]
    assert told == [f"{REVISION}\n"] * 2


@pytest.mark.parts
async def test_a_database_without_unicode_is_named(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    postgres.sql("CREATE DATABASE bytes TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE 'C'")
    with pytest.raises(SettingsError, match="'SQL_ASCII'"):
        async with open_database(StorageSettings(url=postgres.url("bytes")), tmp_path):
            pass


async def test_what_is_up_to_date_is_opened_without_alembic(
    tmp_path: Path, empty_database: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / FILE_NAME).write_bytes(empty_database)
    monkeypatch.setitem(sys.modules, "serving.storage.migration", None)
    async with open_store(tmp_path) as store:
        await store.conversations.create(OWNER)
    (tmp_path / FILE_NAME).unlink()
    with pytest.raises(ModuleNotFoundError):
        async with open_store(tmp_path):
            pass


async def test_many_that_open_a_new_database_at_once_share_it(tmp_path: Path) -> None:
    made: list[str] = []

    async def open_and_make() -> None:
        async with open_store(tmp_path) as store:
            made.append((await store.conversations.create(OWNER)).conversation_id)

    async with anyio.create_task_group() as group:
        for _ in range(5):
            group.start_soon(open_and_make)
    async with open_store(tmp_path) as store:
        listed = (await store.conversations.list(OWNER)).conversations
    assert {one.conversation_id for one in listed} == set(made)


async def test_what_a_newer_version_wrote_is_not_touched(
    tmp_path: Path, empty_database: bytes
) -> None:
    (tmp_path / FILE_NAME).write_bytes(empty_database)
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(SettingsError, match="'9999'"):
        async with open_database(StorageSettings(), tmp_path):
            pass


async def test_its_files_are_for_their_owner_alone(tmp_path: Path) -> None:
    async with open_store(tmp_path) as store:
        await store.conversations.create(OWNER)
        modes = modes_in(tmp_path)
    names = {FILE_NAME, f"{FILE_NAME}-wal", f"{FILE_NAME}-shm"}
    assert modes == dict.fromkeys(names, 0o600)


async def test_the_address_is_a_setting(tmp_path: Path) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path / 'elsewhere.db'}"
    async with open_store(tmp_path, url=url) as store:
        await store.conversations.create(OWNER)
    assert list(modes_in(tmp_path)) == ["elsewhere.db"]


@pytest.mark.parametrize(
    "url",
    [
        "nonsense",
        "sqlite://",
        "sqlite:///:memory:",
        "mysql://user:hasło@host/name",
        "postgresql://user:hasło@host",
        "postgresql://user:hasło@host:port/name",
        "sqlite:////nowhere/at/all.db",
    ],
)
async def test_an_address_of_no_use_is_named_without_its_password(tmp_path: Path, url: str) -> None:
    with pytest.raises(SettingsError) as caught:
        async with open_database(StorageSettings(url=url), tmp_path):
            pass
    assert "hasło" not in caught.value.message


async def test_a_server_that_is_not_there_is_told_without_its_password(tmp_path: Path) -> None:
    url = f"postgresql://user:hasło@127.0.0.1:{free_port()}/name"
    with pytest.raises(StorageUnavailable, match="cannot be reached") as caught:
        async with open_database(StorageSettings(url=url), tmp_path):
            pass
    assert "hasło" not in caught.value.message


async def test_a_file_that_is_no_database_is_told(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"Ala ma kota. " * 1000)
    with pytest.raises(StorageUnavailable, match="no database"):
        async with open_database(StorageSettings(), tmp_path):
            pass


def modes_in(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()}


def test_every_table_can_be_made_in_postgresql() -> None:
    dialect = PGDialect()  # type: ignore[no-untyped-call]  # the library's
    made = [str(CreateTable(one).compile(dialect=dialect)) for one in METADATA.tables.values()]
    assert all("TIMESTAMP WITH TIME ZONE" in ddl for ddl in made if "created_at" in ddl)
    assert "entry_id SERIAL" in next(ddl for ddl in made if "audit_log" in ddl)

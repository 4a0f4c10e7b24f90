"""Data folders with a database of either kind, and what befalls it from outside."""

import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

import anyio
import pytest
from scripted.postgres_process import PostgresServer
from sqlalchemy import Engine, create_engine, select, text
from sqlalchemy.pool import NullPool

from serving.settings import StorageSettings
from serving.storage.backends import backend_of, find_url
from serving.storage.database import open_database
from serving.storage.ledger_tables import REQUESTS
from serving.storage.sqlite import BACKEND, FILE_NAME

DATABASES = (BACKEND, pytest.param("postgresql", marks=pytest.mark.parts))
"""Parameters of a fixture: what `make test` tries, and what `make test-parts` tries."""
_ADDRESS = "address"


def make_database(request: pytest.FixtureRequest, folder: Path) -> None:
    """Put a database with all tables and no row into ``folder``, of the kind ``request.param``.

    It is there as long as the fixture that asks for it.
    """
    if request.param == BACKEND:
        put_tables(folder)
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    opened = ExitStack()
    put_address(folder, opened.enter_context(server.database()))
    request.addfinalizer(opened.close)


def put_tables(folder: Path) -> None:
    """Put SQLite's file with all tables into ``folder``, if that has no database yet."""
    path = folder / FILE_NAME
    if not path.exists() and address_in(folder) is None:
        path.write_bytes(empty_file())


@cache
def empty_file() -> bytes:
    """SQLite's file with all tables and no row, made once a process: most tests care not how."""

    async def make(folder: Path) -> None:
        async with open_database(StorageSettings(), folder):
            pass

    with TemporaryDirectory() as made, ThreadPoolExecutor(1) as beside:  # a loop may run here
        beside.submit(anyio.run, make, Path(made)).result()
        return (Path(made) / FILE_NAME).read_bytes()


def put_address(folder: Path, url: str) -> None:
    """Have the database of ``folder`` be the one at ``url``."""
    (folder / _ADDRESS).write_text(url, encoding="utf-8")


def address_in(folder: Path) -> str | None:
    """The address of the database of ``folder``, ``None`` for a file in it."""
    path = folder / _ADDRESS
    return path.read_text(encoding="utf-8") if path.exists() else None


def database_of(folder: Path) -> str:
    """The name of its kind, for people."""
    return "SQLite" if address_in(folder) is None else "PostgreSQL"


def storage_in(folder: Path, **settings: float | str) -> StorageSettings:
    """Settings with the database of ``folder``."""
    return StorageSettings.model_validate({"url": address_in(folder), **settings})


def stranger_in(folder: Path) -> Engine:
    """How some other program connects to the database of ``folder``."""
    url = find_url(storage_in(folder), folder)
    return create_engine(backend_of(url).for_thread(url), poolclass=NullPool)


def change_in(folder: Path, statement: str, **values: object) -> None:
    """Change rows of the database of ``folder`` past the product."""
    with stranger_in(folder).begin() as connection:
        connection.execute(text(statement), values)


def content_of(folder: Path) -> bytes:
    """All that is written in ``folder`` and its database: files, and rows as Python shows them."""
    files = [path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()]
    with stranger_in(folder).connect() as connection:
        tables = REQUESTS.metadata.tables.values()
        rows = [str(row) for table in tables for row in connection.execute(select(table))]
    return b"".join((*files, *(row.encode() for row in rows)))


class Lock(Protocol):
    """A hold of some other program on the whole database."""

    def take(self) -> None:
        """Hold it: others can read and not write."""

    def release(self) -> None:
        """Let it go."""


class _FileLock:
    def __init__(self, folder: Path) -> None:
        path = folder / FILE_NAME
        self.connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)

    def take(self) -> None:
        self.connection.execute("BEGIN EXCLUSIVE")

    def release(self) -> None:
        self.connection.rollback()


class _TableLocks:
    def __init__(self, folder: Path) -> None:
        self.connection = stranger_in(folder).connect()

    def take(self) -> None:
        names = ", ".join(REQUESTS.metadata.tables)
        self.connection.execute(text(f"LOCK TABLE {names} IN EXCLUSIVE MODE"))

    def release(self) -> None:
        self.connection.rollback()


@contextmanager
def locking(folder: Path) -> Iterator[Lock]:
    """Another process has the database for itself."""
    kinds: dict[bool, Callable[[Path], _FileLock | _TableLocks]] = {
        True: _FileLock,
        False: _TableLocks,
    }
    lock = kinds[find_url(storage_in(folder), folder).get_backend_name() == BACKEND](folder)
    try:
        lock.take()
        yield lock
    finally:
        lock.connection.close()

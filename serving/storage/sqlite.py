"""What SQLite needs to be told: write-ahead log, true transactions, deletion that deletes."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final, Protocol

from sqlalchemy import URL, Connection, Engine, event, make_url
from sqlalchemy.exc import ArgumentError

from serving.settings import SettingsError, StorageSettings

BACKEND: Final = "sqlite"
DRIVER: Final = "sqlite+aiosqlite"
THREAD_DRIVER: Final = "sqlite"
"""For whoever has a thread of its own and no event loop."""
FILE_NAME: Final = "zwrotnica.sqlite3"
FILE_MODE: Final = 0o600

WRITES: Final = "writes"
"""Execution option of a connection whose transactions begin as writers."""
BARE: Final = "bare"
"""Execution option of a connection that begins no transaction at all."""

_BUSY_MS: Final = 100
"""How long one attempt waits for a lock; whoever has more patience tries again."""
_PRAGMAS: Final[Mapping[str, str]] = MappingProxyType({
    "busy_timeout": str(_BUSY_MS),
    "journal_mode": "WAL",
    "synchronous": "FULL",  # what was acknowledged survives a power cut
    "secure_delete": "ON",  # what is deleted is overwritten
    "wal_autocheckpoint": "256",  # pages: a log of 1 MB leaves a small disk room to go on
    "temp_store": "MEMORY",  # sorting leaves nothing in files
})


class _Cursor(Protocol):
    def execute(self, statement: str) -> object: ...

    def close(self) -> None: ...


class _DriverConnection(Protocol):
    isolation_level: str | None

    def cursor(self) -> _Cursor: ...


def find_url(settings: StorageSettings, data_dir: Path) -> URL:
    """The database's address.

    Raises:
        SettingsError: it is no address of an SQLite file.
    """
    url = _read_url(settings.url) if settings.url else default_url(data_dir)
    if url.database in {None, "", ":memory:"}:
        raise SettingsError("storage.url must name a file: what is in memory is lost")
    return url


def has_file(url: URL) -> bool:
    """Whether there is a database already; opening makes it where there is none."""
    name = url.database or ""
    return name.startswith("file:") or Path(name).exists()


def make_file(url: URL) -> None:
    """Make a missing file, for its owner alone; SQLite makes its other files like it.

    Raises:
        SettingsError: it cannot be made.
    """
    if not has_file(url):
        try:
            Path(url.database or "").touch(mode=FILE_MODE)
        except OSError as error:
            message = f"the database {url.database!r} cannot be made: {error.strerror}"
            raise SettingsError(message) from error


def default_url(data_dir: Path) -> URL:
    """The address of the database in the data folder."""
    return URL.create(DRIVER, database=str(data_dir / FILE_NAME))


def _read_url(written: str) -> URL:
    try:
        url = make_url(written)
    except ArgumentError as error:
        raise SettingsError("storage.url is no address such as 'sqlite:///PATH'") from error
    if url.get_backend_name() != BACKEND:
        raise SettingsError("storage.url: the database is SQLite, such as 'sqlite:///PATH'")
    return url.set(drivername=DRIVER)


def equip(engine: Engine, *, enforces_keys: bool = True) -> None:
    """Set every new connection of ``engine`` up and let its transactions begin as they should.

    A writer takes its lock at once (``BEGIN IMMEDIATE``): one that reads first and writes later
    can fail without anybody's fault.
    """
    keys = "ON" if enforces_keys else "OFF"

    def set_up(connection: _DriverConnection, _record: object) -> None:
        connection.isolation_level = None  # the driver begins nothing by itself
        cursor = connection.cursor()
        for name, value in {**_PRAGMAS, "foreign_keys": keys}.items():
            cursor.execute(f"PRAGMA {name} = {value}")
        cursor.close()

    def begin(connection: Connection) -> None:
        options = connection.get_execution_options()
        if not options.get(BARE):
            connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get(WRITES) else "BEGIN")

    event.listen(engine, "connect", set_up)
    event.listen(engine, "begin", begin)


def truncate_log(connection: Connection) -> bool:
    """Bring the write-ahead log into the file and empty it; false while others read from it."""
    row = connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").one()
    return bool(row[0] == 0)

"""What SQLite needs to be told: write-ahead log, true transactions, deletion that deletes."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final, Protocol

from sqlalchemy import URL, Connection, Engine, event

from serving.settings import SettingsError, StorageSettings
from serving.storage.modes import BARE, WRITES

BACKEND: Final = "sqlite"
DRIVER: Final = "sqlite+aiosqlite"
THREAD_DRIVER: Final = "sqlite"
FILE_NAME: Final = "zwrotnica.sqlite3"
FILE_MODE: Final = 0o600

READING: Final[Mapping[str, object]] = MappingProxyType({})
"""A transaction that begins without a lock reads one unchanging state."""

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


def complete(url: URL) -> URL:
    """The address with the driver for event loops.

    Raises:
        SettingsError: it names no file.
    """
    if url.database in {None, "", ":memory:"}:
        raise SettingsError("storage.url must name a file: what is in memory is lost")
    return url.set(drivername=DRIVER)


def for_thread(url: URL) -> URL:
    """The address with the driver for whoever has a thread of its own and no event loop."""
    return url.set(drivername=THREAD_DRIVER)


def has_database(url: URL) -> bool:
    """Whether there is a database already; opening makes it where there is none."""
    name = url.database or ""
    return name.startswith("file:") or Path(name).exists()


def prepare(url: URL) -> None:
    """Make a missing file, for its owner alone; SQLite makes its other files like it.

    Raises:
        SettingsError: it cannot be made.
    """
    if not has_database(url):
        try:
            Path(url.database or "").touch(mode=FILE_MODE)
        except OSError as error:
            message = f"the database {url.database!r} cannot be made: {error.strerror}"
            raise SettingsError(message) from error


def default_url(data_dir: Path) -> URL:
    """The address of the database in the data folder."""
    return URL.create(DRIVER, database=str(data_dir / FILE_NAME))


def arguments(settings: StorageSettings) -> Mapping[str, object]:  # noqa: ARG001 (as every database is asked)
    """Nothing special."""
    return {}


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
            cursor = connection.connection.cursor()  # SQLAlchemy's own way costs more than BEGIN
            cursor.execute(beginning(options))
            cursor.close()

    event.listen(engine, "connect", set_up)
    event.listen(engine, "begin", begin)


def beginning(options: Mapping[str, object]) -> str:
    """What a transaction begins with."""
    return "BEGIN IMMEDIATE" if options.get(WRITES) else "BEGIN"


def check(connection: Connection) -> None:
    """Nothing: its encoding is our choice."""


def empty_log(connection: Connection) -> bool:
    """Bring the write-ahead log into the file and empty it; false while others read from it."""
    row = connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").one()
    return bool(row[0] == 0)

"""The one place that knows which databases there are: SQLite in a file, or a PostgreSQL server."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final, Protocol

from sqlalchemy import URL, Connection, Engine, make_url
from sqlalchemy.exc import ArgumentError

from serving.settings import SettingsError, StorageSettings
from serving.storage import postgres, sqlite

_NO_ADDRESS: Final = (
    "storage.url is no address such as 'sqlite:///PATH' or 'postgresql://USER@HOST/NAME'"
)


class Backend(Protocol):
    """What one kind of database has to be told; all else is the same SQL."""

    @property
    def READING(self) -> Mapping[str, object]:  # noqa: N802 (a module's constant)
        """Execution options of connections that only read."""
        ...

    def complete(self, url: URL) -> URL:
        """The address with the driver for event loops, or `SettingsError`."""
        ...

    def for_thread(self, url: URL) -> URL:
        """The address with the driver for whoever has a thread and no event loop."""
        ...

    def has_database(self, url: URL) -> bool:
        """Whether there is something to look at without making it."""
        ...

    def prepare(self, url: URL) -> None:
        """Make what has to be there before a first connection, or `SettingsError`."""
        ...

    def arguments(self, settings: StorageSettings) -> Mapping[str, object]:
        """What engines are made with."""
        ...

    def equip(self, engine: Engine, *, enforces_keys: bool = True) -> None:
        """Set new connections up, and let transactions begin as they should."""
        ...

    def beginning(self, options: Mapping[str, object]) -> str:
        """The statement that transactions of writers begin with, by their execution options."""
        ...

    def check(self, connection: Connection) -> None:
        """Raise `SettingsError` where the database is of no use."""
        ...

    def empty_log(self, connection: Connection) -> bool:
        """Remove what was deleted from the log too; false while others read from it."""
        ...


_BACKENDS: Final[Mapping[str, Backend]] = MappingProxyType({
    sqlite.BACKEND: sqlite,
    postgres.BACKEND: postgres,
})


def backend_of(url: URL) -> Backend:
    """Who knows the database at ``url``, an address of `find_url`."""
    return _BACKENDS[url.get_backend_name()]


def find_url(settings: StorageSettings, data_dir: Path) -> URL:
    """The database's address, with the driver that event loops use.

    Raises:
        SettingsError: it is no address of a database that can be used.
    """
    if not settings.url:
        return sqlite.default_url(data_dir)
    try:
        url = make_url(settings.url)
    except (ArgumentError, ValueError) as error:
        raise SettingsError(_NO_ADDRESS) from error
    backend = _BACKENDS.get(url.get_backend_name())
    if backend is None:
        raise SettingsError(_NO_ADDRESS)
    return backend.complete(url)

"""What drivers say of a database that cannot be used, told as `StorageUnavailable`."""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Final

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError, TimeoutError as PoolTimeout

from chatbot.errors import StorageUnavailable

LOCKED: Final = "the database is locked by another process"
DAMAGED: Final = "the database is damaged"
NO_DATABASE: Final = "the file is no database or damaged"
UNREACHABLE: Final = "the database cannot be reached"
EXHAUSTED: Final = "every connection to the database is in use"
_PRIMARY: Final = 0xFF
_UNDECODABLE: Final = "Could not decode to UTF-8"

_REASONS: Final[Mapping[int, str]] = MappingProxyType({
    sqlite3.SQLITE_BUSY: LOCKED,
    sqlite3.SQLITE_LOCKED: LOCKED,
    sqlite3.SQLITE_PROTOCOL: LOCKED,
    sqlite3.SQLITE_FULL: "the disk of the database is full",
    sqlite3.SQLITE_READONLY: "the database is read-only",
    sqlite3.SQLITE_PERM: "the database may not be opened",
    sqlite3.SQLITE_AUTH: "the database may not be opened",
    sqlite3.SQLITE_CANTOPEN: "the database cannot be opened",
    sqlite3.SQLITE_IOERR: "the disk of the database fails",
    sqlite3.SQLITE_CORRUPT: DAMAGED,
    sqlite3.SQLITE_NOTADB: NO_DATABASE,
    sqlite3.SQLITE_NOMEM: "there is no memory left for the database",
})


class Damaged(StorageUnavailable):
    """What stands in the database is not what was written; trying again does not help."""


class Locked(StorageUnavailable):
    """Somebody else holds the database for the moment; trying again may help."""


_KINDS: Final[Mapping[str, type[StorageUnavailable]]] = MappingProxyType({
    LOCKED: Locked,
    DAMAGED: Damaged,
    NO_DATABASE: Damaged,
})


@contextmanager
def translate() -> Iterator[None]:
    """Tell what the driver raises as `StorageUnavailable`; anything unknown passes.

    Raises:
        Locked: the database is locked.
        Damaged: it is damaged.
        StorageUnavailable: it is full, read-only or cannot be reached.
    """
    try:
        yield
    except PoolTimeout as error:
        raise StorageUnavailable(EXHAUSTED) from error
    except (DBAPIError, sqlite3.Error) as error:
        reason = _reason(error)
        if reason is None:
            raise
        raise _KINDS.get(reason, StorageUnavailable)(reason) from error


def _reason(error: DBAPIError | sqlite3.Error) -> str | None:
    cause = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(cause, sqlite3.Error):
        code: int | None = getattr(cause, "sqlite_errorcode", None)
        if code is None:  # said by Python's module and not by SQLite
            return DAMAGED if _UNDECODABLE in str(cause) else None
        return _REASONS.get(code & _PRIMARY)
    is_down = isinstance(error, OperationalError | InterfaceError)
    return UNREACHABLE if is_down else None

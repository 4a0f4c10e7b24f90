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
FULL: Final = "the disk of the database is full"
READ_ONLY: Final = "the database is read-only"
FORBIDDEN: Final = "the database may not be opened"
_FAILING: Final = "the disk of the database fails"
_NO_MEMORY: Final = "there is no memory left for the database"
_SLOW: Final = "the database takes too long"
_PRIMARY: Final = 0xFF
_UNDECODABLE: Final = "Could not decode to UTF-8"

_REASONS: Final[Mapping[int, str]] = MappingProxyType({
    sqlite3.SQLITE_BUSY: LOCKED,
    sqlite3.SQLITE_LOCKED: LOCKED,
    sqlite3.SQLITE_PROTOCOL: LOCKED,
    sqlite3.SQLITE_FULL: FULL,
    sqlite3.SQLITE_READONLY: READ_ONLY,
    sqlite3.SQLITE_PERM: FORBIDDEN,
    sqlite3.SQLITE_AUTH: FORBIDDEN,
    sqlite3.SQLITE_CANTOPEN: "the database cannot be opened",
    sqlite3.SQLITE_IOERR: _FAILING,
    sqlite3.SQLITE_CORRUPT: DAMAGED,
    sqlite3.SQLITE_NOTADB: NO_DATABASE,
    sqlite3.SQLITE_NOMEM: _NO_MEMORY,
})

_STATES: Final[Mapping[str, str]] = MappingProxyType({
    "55P03": LOCKED,  # lock_not_available
    "40001": LOCKED,  # serialization_failure
    "40P01": LOCKED,  # deadlock_detected
    "53100": FULL,
    "53200": _NO_MEMORY,
    "53300": EXHAUSTED,  # too_many_connections
    "25006": READ_ONLY,  # a server that follows another one
    "28000": FORBIDDEN,
    "28P01": FORBIDDEN,
    "42501": FORBIDDEN,
    "3D000": FORBIDDEN,
    "58030": _FAILING,
    "57014": _SLOW,
    "25P03": UNREACHABLE,  # idle_in_transaction_session_timeout
    "57P01": UNREACHABLE,  # admin_shutdown
    "57P02": UNREACHABLE,  # crash_shutdown
    "57P03": UNREACHABLE,  # cannot_connect_now
    "57P05": UNREACHABLE,
    "XX001": DAMAGED,
    "XX002": DAMAGED,
})
"""PostgreSQL's codes of errors (its manual, appendix A)."""


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
    state: str | None = getattr(cause, "sqlstate", None)
    if state is not None:
        return UNREACHABLE if state.startswith("08") else _STATES.get(state)
    is_down = isinstance(error, OperationalError | InterfaceError)
    return UNREACHABLE if is_down else None

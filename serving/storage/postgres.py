"""What PostgreSQL needs to be told: one writer at a time, unchanging reads, servers that vanish."""

from collections.abc import Callable, Mapping
from math import ceil
from types import MappingProxyType
from typing import Final

from sqlalchemy import URL, Connection, Engine, event
from sqlalchemy.pool import ConnectionPoolEntry

from serving.extras import ExtraMissing, load
from serving.settings import SettingsError, StorageSettings
from serving.storage.modes import BARE, LEDGER, WRITES

BACKEND: Final = "postgresql"
DRIVER: Final = "postgresql+psycopg"
"""One driver for event loops and for threads."""
ENCODING: Final = "UTF8"

READING: Final[Mapping[str, object]] = MappingProxyType({"isolation_level": "REPEATABLE READ"})
"""Not READ ONLY: the driver would go back to READ WRITE, whatever the server is set to."""

ROWS_LOCK: Final = 0x7A77_0001
"""Advisory lock of all who write conversations, accounts and keys."""
LEDGER_LOCK: Final = 0x7A77_0002
"""Advisory lock of all who write the ledger."""
_BUSY_MS: Final = 100
"""How long one attempt waits for a lock; whoever has more patience tries again."""
_IDLE_MS: Final = 10_000
"""A process that is stopped in mid-transaction keeps the others waiting no longer."""
_TAKE_LOCK: Final = (
    f"SELECT set_config('lock_timeout', '{_BUSY_MS}ms', true), "
    f"set_config('idle_in_transaction_session_timeout', '{_IDLE_MS}ms', true), "
    "pg_advisory_xact_lock({})"
)
_NO_NUL: Final = "\N{REPLACEMENT CHARACTER}"
_LIBPQ: Final[Mapping[str, object]] = MappingProxyType({
    "application_name": "zwrotnica",
    "client_encoding": "UTF8",
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,  # ms: a server that vanishes without a word
})


def complete(url: URL) -> URL:
    """The address with the driver.

    Raises:
        SettingsError: no database is named, or the driver is not installed.
    """
    if not url.database:
        raise SettingsError("storage.url must name a database: 'postgresql://USER@HOST/NAME'")
    try:
        load("psycopg", "postgres")
    except ExtraMissing as error:
        raise SettingsError(error.message) from error
    return url.set(drivername=DRIVER)


def for_thread(url: URL) -> URL:
    """The same address: the driver does both."""
    return url


def has_database(url: URL) -> bool:  # noqa: ARG001 (as every database is asked)
    """Always: who reaches a server can look whether it has tables."""
    return True


def prepare(url: URL) -> None:
    """Nothing: databases are made by those who look after the server."""


def arguments(settings: StorageSettings) -> Mapping[str, object]:
    """What engines are made with: connections that a restart has broken are noticed and renewed."""
    seconds = max(2, ceil(settings.wait_s))  # libpq takes no less
    return {"pool_pre_ping": True, "connect_args": {**_LIBPQ, "connect_timeout": seconds}}


def equip(engine: Engine, *, enforces_keys: bool = True) -> None:  # noqa: ARG001 (always enforced)
    """Let writing transactions take their lock first, so that each sees what the last one wrote.

    Statements of a writer see what was committed before them (``READ COMMITTED``), readers one
    unchanging state. NUL, which no text may have there, is sent as U+FFFD: nothing has such an id.
    """
    usual = load("psycopg.types.string", "postgres").StrDumperUnknown
    dumper = type("NulFreeDumper", (usual,), {"dump": _without_nul(usual.dump)})

    def set_up(_connection: object, record: ConnectionPoolEntry) -> None:
        record.driver_connection.adapters.register_dumper(str, dumper)  # type: ignore[union-attr]  # psycopg's

    def begin(connection: Connection) -> None:
        options = connection.get_execution_options()
        if options.get(WRITES) and not options.get(BARE):
            connection.exec_driver_sql(beginning(options))

    event.listen(engine, "connect", set_up)
    event.listen(engine, "begin", begin)


def beginning(options: Mapping[str, object]) -> str:
    """What a writing transaction begins with: it takes its lock."""
    return _TAKE_LOCK.format(LEDGER_LOCK if options.get(LEDGER) else ROWS_LOCK)


def _without_nul(dump: Callable[[object, str], object]) -> Callable[[object, str], object]:
    return lambda self, text: dump(self, text.replace("\0", _NO_NUL))


def check(connection: Connection) -> None:
    """Look whether it keeps Unicode.

    Raises:
        SettingsError: it does not.
    """
    encoding = connection.exec_driver_sql("SHOW server_encoding").scalar_one()
    if encoding != ENCODING:
        raise SettingsError(
            f"the database has the encoding {encoding!r}: make one with "
            "CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0"
        )


def empty_log(connection: Connection) -> bool:  # noqa: ARG001 (as every database is asked)
    """Nothing: the log is the server's; see `docs/postgresql.md`."""
    return True

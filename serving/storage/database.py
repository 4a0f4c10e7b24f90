"""The database: short transactions, one writer at a time, no failure without its reason."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from pkgutil import resolve_name
from typing import Final, TypeAlias, TypeVar

import anyio
from anyio import CapacityLimiter, to_thread
from sqlalchemy import URL, Connection, insert, inspect, select, text, update
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from chatbot.errors import StorageUnavailable, ZwrotnicaError
from serving.settings import StorageSettings
from serving.storage.backends import Backend, backend_of, find_url
from serving.storage.failures import LOCKED, Damaged, Locked, translate
from serving.storage.modes import BARE, WRITES
from serving.storage.tables import PROBES, REVISION

Result = TypeVar("Result")
Work: TypeAlias = Callable[[Connection], Result]
Migrate: TypeAlias = Callable[[URL, StorageSettings], Awaitable[None]]

_MIGRATE: Final = "serving.storage.migration:migrate"
_VERSIONS: Final = "alembic_version"
_READERS: Final = 8
_PAUSE_S: Final = 0.02
_PROBE_S: Final = 1.0
_PROBE_CHARS: Final = 65_536
"""As much as a long answer: a disk that has room for less is full."""


class Database:
    """Runs pieces of work, each one transaction; every statement waits in the driver's thread.

    Work is given a connection of SQLAlchemy. It may be run again where the database was locked, so
    it has no effect but on rows.
    """

    def __init__(self, engine: AsyncEngine, *, backend: Backend, settings: StorageSettings) -> None:
        """Nothing is opened before the first work; ``engine`` has as many connections as needed."""
        self._backend = backend
        self._reading = engine.execution_options(**backend.READING)
        self._writing = engine.execution_options(**{WRITES: True})
        self._bare = engine.execution_options(**{BARE: True})
        self._settings = settings
        self._readers = CapacityLimiter(_READERS)
        self._writer = anyio.Lock()
        self._has_to_forget = True  # whatever was deleted before a crash
        self._looked_at = float("-inf")
        self._locked_at: float | None = None
        self._fault: str | None = None
        self._damage: str | None = None

    async def read(self, work: Work[Result]) -> Result:
        """The result of ``work`` on one unchanging state of the database.

        Raises:
            StorageUnavailable: it cannot be read within ``storage.wait_s``.
        """
        give_up = anyio.current_time() + self._settings.wait_s
        while True:
            try:
                async with self._readers:
                    return await self._run(self._reading, work)
            except Locked:
                if anyio.current_time() >= give_up:
                    raise
            await anyio.sleep(_PAUSE_S)

    async def write(self, work: Work[Result], *, patience_s: float | None = None) -> Result:
        """The result of ``work``, committed; nothing of it is there after an error.

        ``patience_s`` is for how long a locked database is waited for (``storage.wait_s``).

        Raises:
            StorageUnavailable: it stays locked, is full, read-only, damaged or not there.
        """
        return await self._write(partial(self._run, self._writing, work), patience_s)

    async def forget(self) -> None:
        """Remove what was deleted from the log too, as soon as nobody reads from it.

        Raises:
            StorageUnavailable: others kept reading from it for ``storage.wait_s``.
        """
        self._has_to_forget = True
        await self._write(partial(self._run, self._bare, self._empty_log), None)
        self._has_to_forget = False

    @property
    def has_to_forget(self) -> bool:
        """Whether the log may still hold what was deleted."""
        return self._has_to_forget

    async def find_fault(self) -> str | None:
        """Why nothing should be written now, or ``None``; looks at most once a second.

        Damage that any work has met is told until the process ends: what else is damaged nobody
        knows.
        """
        now = anyio.current_time()
        if now >= self._looked_at + _PROBE_S:
            self._looked_at = now
            try:
                await self.write(_probe, patience_s=min(_PROBE_S, self._settings.wait_s))
            except StorageUnavailable as error:
                self._fault = error.message
            else:
                self._fault = None
        return self._fault or self._damage

    async def revision(self) -> str | None:
        """The revision that the tables have; ``None`` where there are none yet.

        Raises:
            StorageUnavailable: it cannot be read.
        """
        return await self.read(_read_revision)

    async def check(self) -> None:
        """Look whether the database can be used at all.

        Raises:
            SettingsError: it cannot.
            StorageUnavailable: it cannot be reached.
        """
        await self.read(self._backend.check)

    def _empty_log(self, connection: Connection) -> None:
        if not self._backend.empty_log(connection):
            raise Locked(LOCKED)

    async def _run(self, engine: AsyncEngine, work: Work[Result]) -> Result:
        """One transaction, never torn by a request that is cancelled; it waits 0.1 s for a lock."""
        results: list[Result] = []
        try:
            with anyio.CancelScope(shield=True), translate():
                async with engine.begin() as connection:
                    results.append(await connection.run_sync(work))
        except Damaged as error:
            self._damage = error.message
            raise
        return results[0]

    async def _write(
        self, attempt: Callable[[], Awaitable[Result]], patience_s: float | None
    ) -> Result:
        """Attempt until it works, as the only writer of this process each time.

        Patience is for a database that is locked by others; a queue of our own is waited through.
        """
        patience = self._settings.wait_s if patience_s is None else patience_s
        began = anyio.current_time()
        while True:
            await self._wait_turn(began, patience)
            try:
                result = await attempt()
            except Locked:
                self._locked_at = self._locked_at or anyio.current_time()
                if self._is_out_of(patience, began):
                    raise
            except ZwrotnicaError:
                self._locked_at = None
                raise
            else:
                self._locked_at = None
                return result
            finally:
                self._writer.release()
            await anyio.sleep(_PAUSE_S)

    async def _wait_turn(self, began: float, patience: float) -> None:
        """Become the writer.

        Raises:
            Locked: all that time nobody of us could write.
        """
        while True:
            with anyio.move_on_after(max(patience, _PAUSE_S)):
                await self._writer.acquire()
                return
            if self._is_out_of(patience, began):
                raise Locked(LOCKED)

    def _is_out_of(self, patience: float, began: float) -> bool:
        """Whether it has been locked for ``patience`` since somebody ``began`` to wait."""
        if self._locked_at is None:
            return False
        return anyio.current_time() >= max(began, self._locked_at) + patience


@asynccontextmanager
async def open_database(settings: StorageSettings, data_dir: Path) -> AsyncIterator[Database]:
    """The database with its newest tables; they are made or brought up to date first.

    Raises:
        SettingsError: its address is of no use, or a newer version wrote it.
        StorageUnavailable: it cannot be opened or written.
    """
    url = find_url(settings, data_dir)
    backend_of(url).prepare(url)
    async with connect(url, settings) as database:
        await database.check()
        if await database.revision() != REVISION:
            migrate: Migrate = await to_thread.run_sync(resolve_name, _MIGRATE)
            await migrate(url, settings)
        yield database


@asynccontextmanager
async def connect(
    url: URL, settings: StorageSettings, *, enforces_keys: bool = True
) -> AsyncIterator[Database]:
    """The database at ``url`` as it is."""
    backend = backend_of(url)
    engine = create_async_engine(
        url,
        pool_size=_READERS + 1,
        max_overflow=0,
        pool_timeout=settings.wait_s,
        hide_parameters=True,  # they are people's words
        **backend.arguments(settings),
    )
    backend.equip(engine.sync_engine, enforces_keys=enforces_keys)
    try:
        yield Database(engine, backend=backend, settings=settings)
    finally:
        with anyio.CancelScope(shield=True):
            await engine.dispose()


def _read_revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table(_VERSIONS):
        return None
    return connection.execute(select(text("version_num")).select_from(text(_VERSIONS))).scalar()


def _probe(connection: Connection) -> None:
    padding = "x" * _PROBE_CHARS
    written = update(PROBES).values(writes=PROBES.c.writes + 1, padding=padding)
    if not connection.execute(written).rowcount:
        connection.execute(insert(PROBES).values(name="probe", writes=1, padding=padding))

"""A PostgreSQL server of one's own: a cluster in a temporary folder, on a free port."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

import anyio
import psycopg
from scripted.missing import stop_without
from scripted.patience import PATIENCE_S
from scripted.ports import free_port

from serving.settings import StorageSettings
from serving.storage.database import open_database

INSTALL = "run: make test-parts as root (or tests/parts/install.sh)"
USER = "postgres"
"""Who runs the server where the tests are run by root, whom it refuses."""
TABLES = "tables"
"""The database with all tables and no row, of which others are copies."""
_NUMBERS = count(1)
_QUIET = ("-c", "autovacuum=off")  # it would wait for, or hold up, what empties tables
_QUICK = ("-c", "fsync=off", "-c", "full_page_writes=off")


class PostgresServer:
    """A cluster; it can be stopped, killed and started again on the same port."""

    def __init__(self, folder: Path, programs: Path, *, is_durable: bool) -> None:
        """Make the cluster; ``is_durable`` where what it says to be written has to be."""
        self.folder = folder
        self.port = free_port()
        self._programs = programs
        self._settings = _QUIET if is_durable else (*_QUIET, *_QUICK)
        self._process: subprocess.Popen[bytes] | None = None
        made = ("-D", str(folder / "cluster"), "-U", USER, "-A", "trust", "-E", "UTF8")
        self._run(
            "initdb", *made, "--locale=C.UTF-8", "--no-sync", "--no-instructions", "--wal-segsize=1"
        )

    def url(self, database: str) -> str:
        """The address of one of its databases."""
        return f"postgresql://{USER}@127.0.0.1:{self.port}/{database}"

    def start(self, *settings: str) -> None:
        """Serve, until it answers."""
        ends = time.monotonic() + PATIENCE_S
        while time.monotonic() < ends:
            if self._process is None or self._process.poll() is not None:
                self._process = self._begin(settings)
            if self._is_ready():
                return
            time.sleep(0.02)
        raise RuntimeError((self.folder / "log").read_text(encoding="utf-8")[-2000:])

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """End it: SIGINT in order, SIGQUIT as in a crash, so that the next start has to recover."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait()
            self._process = None

    def sql(self, statement: str, database: str = "postgres") -> None:
        """Run a statement by itself, in no transaction."""
        with psycopg.connect(self.url(database), autocommit=True) as connection:
            connection.execute(statement.encode())

    def configure(self, setting: str) -> None:
        """Change a setting of the running server."""
        self.sql(f"ALTER SYSTEM SET {setting}")
        self.sql("SELECT pg_reload_conf()")

    @contextmanager
    def lacking_a_copy(self) -> Iterator[None]:
        """Let commits wait for a copy that never comes, until the block is left, failed or not."""
        self.configure("synchronous_standby_names = 'nobody'")
        try:
            yield
        finally:
            self.configure("synchronous_standby_names = ''")

    def end_commits(self) -> None:
        """End connections that wait for a copy of what they have committed; waits for one."""
        ended = (
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
        )
        ends = time.monotonic() + PATIENCE_S
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            while time.monotonic() < ends:
                if connection.execute(ended).fetchall():
                    return
                time.sleep(0.01)
        raise RuntimeError("Nobody waits for a copy.")

    @contextmanager
    def database(self, *, like: str = TABLES) -> Iterator[str]:
        """The address of a new database with all tables, until the block is left."""
        name = f"test_{next(_NUMBERS)}"
        self.sql(f"CREATE DATABASE {name} TEMPLATE {like} STRATEGY file_copy")
        try:
            yield self.url(name)
        finally:
            self.sql(f"DROP DATABASE {name} WITH (FORCE)")

    def make_tables(self) -> None:
        """Make what `database` copies."""

        async def make() -> None:
            settings = StorageSettings(url=self.url(TABLES))
            async with open_database(settings, self.folder):
                pass

        self.sql(f"CREATE DATABASE {TABLES}")
        anyio.run(make)

    def _is_ready(self) -> bool:
        words = (self._programs / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port))
        return subprocess.run(words, check=False).returncode == 0

    def _begin(self, settings: tuple[str, ...]) -> "subprocess.Popen[bytes]":
        words = ("-D", str(self.folder / "cluster"), "-p", str(self.port))
        network = ("-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=")
        with (self.folder / "log").open("ab") as log:
            return subprocess.Popen(
                (str(self._programs / "postgres"), *words, *network, *self._settings, *settings),
                stdout=log,
                stderr=log,
                user=_runs_as(),
                start_new_session=True,
            )

    def _run(self, program: str, *words: str) -> None:
        subprocess.run(
            (str(self._programs / program), *words),
            check=True,
            capture_output=True,
            user=_runs_as(),
            cwd=self.folder,
            timeout=PATIENCE_S,
        )


@contextmanager
def serve_postgres(
    *, is_durable: bool = False, within: Path | None = None
) -> Iterator[PostgresServer]:
    """A running server with the database ``tables``, until the block is left.

    Its cluster lies in the folder ``within``, or where the system keeps what is temporary.
    """
    programs = _find_programs()
    with tempfile.TemporaryDirectory(prefix="postgres-", dir=within) as made:
        folder = Path(made)
        if _runs_as() is not None:
            shutil.chown(folder, USER)
        server = PostgresServer(folder, programs, is_durable=is_durable)
        server.start()
        try:
            server.make_tables()
            yield server
        finally:
            with suppress(ProcessLookupError):
                server.stop(signal.SIGQUIT)


def _runs_as() -> str | None:
    return USER if os.geteuid() == 0 else None


def _find_programs() -> Path:
    """Where Debian puts the newest server; elsewhere it is on the path."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
    if found:
        return found[-1].parent
    program = shutil.which("postgres")
    if program is None:
        stop_without(f"PostgreSQL is not installed; {INSTALL}")
    return Path(program).parent

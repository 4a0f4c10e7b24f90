"""10,000 mixed turns with a twentieth of each fault and of kills: the ledger's error is 0."""

import signal
import sqlite3
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from scripted.databases import locking, put_address, put_tables
from scripted.fault_report import Figure, Publish
from scripted.ledger_turns import FAULTS, SHARE, Verdict, judge, run_turns
from scripted.postgres_process import PostgresServer, serve_postgres

TURNS = 10_000
pytestmark = pytest.mark.timeout(900)
EVERY_S = 2.5
AWAY_S = 0.1


@contextmanager
def disturbing(disturb: Callable[[], None]) -> Iterator[list[float]]:
    """Disturb every so often, in a thread, until the block is left; tells how often."""
    is_over = threading.Event()
    times: list[float] = []

    def run() -> None:
        while not is_over.wait(EVERY_S):
            disturb()
            times.append(AWAY_S)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield times
    finally:
        is_over.set()
        thread.join()


def check(verdict: Verdict, disturbed: int, *, where: str, publish: Publish) -> None:
    sys.stdout.write(f"{verdict}, disturbed {disturbed} times\n")
    assert verdict.turns == TURNS
    assert verdict.killed >= TURNS * SHARE / 2
    assert min(verdict.kinds[fault] for fault in FAULTS) > TURNS * SHARE / 2
    assert disturbed > 0
    what = f"{where}, 10,000 mixed turns, a twentieth of each fault and of kills"
    lost = verdict.missing + verdict.open + verdict.strange
    rows = Figure(
        case="I1",
        what=f"{what}: one row that has an end",
        n=verdict.requests,
        passed=verdict.requests - lost,
    )
    right = verdict.requests if verdict.error == 0 else 0
    amounts = Figure(
        case="I2",
        what=f"{what}: charged as owed, off by {verdict.error} micro-units",
        n=verdict.requests,
        passed=right,
    )
    publish(rows)
    publish(amounts)


@pytest.mark.faults
async def test_sqlite_locked_by_others(tmp_path: Path, publish: Publish) -> None:
    put_tables(tmp_path)

    def lock() -> None:
        with suppress(sqlite3.OperationalError), locking(tmp_path):
            threading.Event().wait(AWAY_S)

    with disturbing(lock) as times:
        run_turns(tmp_path, TURNS)
    check(await judge(tmp_path), len(times), where="SQLite locked by others", publish=publish)


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    with serve_postgres(is_durable=True) as server:
        yield server


@pytest.mark.faults
@pytest.mark.parts
async def test_postgresql_crashing(
    server: PostgresServer, tmp_path: Path, publish: Publish
) -> None:
    def crash() -> None:
        server.stop(signal.SIGQUIT)
        threading.Event().wait(AWAY_S)
        server.start()

    with server.database() as url:
        put_address(tmp_path, url)
        with disturbing(crash) as times:
            run_turns(tmp_path, TURNS)
        check(await judge(tmp_path), len(times), where="PostgreSQL crashing", publish=publish)

from collections.abc import Iterator
from contextlib import AbstractContextManager

import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import run_state_machine_as_test
from scripted.ledger_cases import LedgerCases
from scripted.ledger_machine import LedgerMachine
from scripted.ledgers import memory_ledger, shared_ledger
from scripted.postgres_process import PostgresServer
from sqlalchemy import Engine, text

from serving.storage.modes import WRITES


class TestSQLite(LedgerCases):
    """SQLite keeps the ledger."""

    @pytest.fixture
    def engine(self) -> Iterator[Engine]:
        with memory_ledger() as engine:
            yield engine


@pytest.fixture(scope="module")
def address(postgres: PostgresServer) -> Iterator[str]:
    with postgres.database() as url:
        yield url


@pytest.mark.parts
class TestPostgreSQL(LedgerCases):
    """So does PostgreSQL."""

    @pytest.fixture
    def engine(self, address: str) -> Iterator[Engine]:
        with shared_ledger(address) as engine:
            yield engine


def test_sqlite_is_right_whatever_happens() -> None:
    class Machine(LedgerMachine):
        opening = staticmethod(memory_ledger)

    often = settings(max_examples=25, stateful_step_count=20, deadline=None)
    run_state_machine_as_test(Machine, settings=often)


@pytest.mark.parts
def test_postgresql_is_right_whatever_happens(address: str) -> None:
    class Machine(LedgerMachine):
        @staticmethod
        def opening() -> AbstractContextManager[Engine]:
            return shared_ledger(address)

    often = settings(
        max_examples=10, stateful_step_count=20, deadline=None, phases=(Phase.generate,)
    )
    run_state_machine_as_test(Machine, settings=often)


def test_a_writer_takes_its_lock_at_once() -> None:
    with memory_ledger() as engine:
        assert engine.get_execution_options()[WRITES] is True
        with engine.begin() as connection:
            assert connection.execute(text("SELECT 1")).scalar_one() == 1

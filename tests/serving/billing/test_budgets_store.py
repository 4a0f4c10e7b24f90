from collections.abc import Iterator

import pytest
from scripted.budget_cases import BudgetCases
from scripted.ledgers import memory_ledger, shared_ledger
from scripted.postgres_process import PostgresServer
from sqlalchemy import Engine


class TestSQLite(BudgetCases):
    """SQLite keeps budgets."""

    @pytest.fixture
    def engine(self) -> Iterator[Engine]:
        with memory_ledger() as engine:
            yield engine


@pytest.fixture(scope="module")
def address(postgres: PostgresServer) -> Iterator[str]:
    with postgres.database() as url:
        yield url


@pytest.mark.parts
class TestPostgreSQL(BudgetCases):
    """So does PostgreSQL."""

    @pytest.fixture
    def engine(self, address: str) -> Iterator[Engine]:
        with shared_ledger(address) as engine:
            yield engine

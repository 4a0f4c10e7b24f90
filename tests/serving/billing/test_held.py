from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from serving.billing.held import HeldConnection
from serving.billing.ledger import connect
from serving.billing.prepared import read_row, write_rows
from serving.settings import StorageSettings
from serving.storage.backends import find_url

INSERT = text("INSERT INTO spendings VALUES (:subject, 'now', 0, 0, 0, 0)")
COUNT = text("SELECT COUNT(*) FROM spendings WHERE subject <> :subject")


@pytest.fixture
def held(sqlite_folder: Path) -> Iterator[HeldConnection]:
    engine = connect(find_url(StorageSettings(), sqlite_folder), StorageSettings())
    opened = HeldConnection(engine)
    yield opened
    opened.close()
    engine.dispose()


def count(connection: Connection) -> int:
    row = read_row(connection, COUNT, {"subject": ""})
    assert row is not None
    return int(row[0])


def insert_by_both(connection: Connection) -> None:
    """A row by the driver and one by SQLAlchemy."""
    write_rows(connection, INSERT, [{"subject": "a"}])
    connection.execute(INSERT, {"subject": "b"})


def insert_and_fail(connection: Connection) -> None:
    insert_by_both(connection)
    raise KeyError("of the work")


def test_what_was_done_is_there_for_the_next(held: HeldConnection) -> None:
    held.transact(insert_by_both)
    assert held.transact(count) == 2


def test_nothing_is_left_of_work_that_fails(held: HeldConnection) -> None:
    with pytest.raises(KeyError):
        held.transact(insert_and_fail)
    assert held.transact(count) == 0


def test_the_connection_is_the_same_from_one_transaction_to_the_next(held: HeldConnection) -> None:
    drivers = [held.transact(lambda one: one.connection.driver_connection) for _ in range(2)]
    assert drivers[0] is drivers[1]


def test_others_see_nothing_before_the_end(held: HeldConnection, sqlite_folder: Path) -> None:
    engine = connect(find_url(StorageSettings(), sqlite_folder), StorageSettings())

    def look(connection: Connection) -> int:
        insert_by_both(connection)
        with engine.connect().execution_options(bare=True) as other:
            return count(other)

    assert held.transact(look) == 0
    engine.dispose()

"""Statements in the driver's own form do what SQLAlchemy's do."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from sqlalchemy import Connection, bindparam, create_engine, text
from sqlalchemy.exc import IntegrityError, OperationalError

from serving.billing.prepared import read_each, read_row, write_rows
from serving.storage.columns import Moment

INSERT = text("INSERT INTO things (name, at) VALUES (:name, :at)").bindparams(
    bindparam("at", type_=Moment())
)
RENAME = text("UPDATE things SET name = :name || '!' WHERE name = :name")
FIND = text("SELECT name, at FROM things WHERE name = :name")
EACH = "SELECT name FROM things WHERE name IN ({ids}) ORDER BY name"
NOON = datetime(2026, 7, 31, 12, tzinfo=UTC)


@pytest.fixture
def connection() -> Iterator[Connection]:
    with create_engine("sqlite://").connect() as opened:
        opened.execute(text("CREATE TABLE things (name TEXT PRIMARY KEY, at TIMESTAMP)"))
        yield opened


@pytest.mark.parametrize("number", [0, 1, 2, 3, 511, 512, 513, 1_100])
def test_every_id_is_asked_for_once(connection: Connection, number: int) -> None:
    names = [f"t{one:04}" for one in range(number)]
    write_rows(connection, INSERT, [{"name": name, "at": NOON} for name in [*names, "other"]])
    assert [name for (name,) in read_each(connection, EACH, names)] == names


def test_other_values_go_with_each_statement_of_ids(connection: Connection) -> None:
    names = [f"t{one:04}" for one in range(600)]
    write_rows(connection, INSERT, [{"name": name, "at": NOON} for name in names])
    query = f"{EACH.partition('ORDER')[0]} AND name <> :left_out"
    assert len(read_each(connection, query, names, left_out="t0001")) == 599


@pytest.mark.parametrize("number", [1, 3])
def test_it_tells_how_many_rows_have_changed(connection: Connection, number: int) -> None:
    names = [f"t{one}" for one in range(number)]
    write_rows(connection, INSERT, [{"name": name, "at": NOON} for name in names])
    asked = [{"name": name} for name in [*names, "nobody"]]
    assert write_rows(connection, RENAME, asked) == number


def test_values_are_written_as_their_columns_keep_them(connection: Connection) -> None:
    write_rows(connection, INSERT, [{"name": "a", "at": NOON}])
    kept = connection.execute(text("SELECT at FROM things").columns(at=Moment())).scalar_one()
    assert kept == NOON
    assert read_row(connection, FIND, {"name": "b"}) is None


def test_errors_are_those_of_sqlalchemy_without_values(connection: Connection) -> None:
    row = {"name": "secret", "at": NOON}
    write_rows(connection, INSERT, [row])
    with pytest.raises(IntegrityError) as caught:
        write_rows(connection, INSERT, [row])
    assert "secret" not in str(caught.value)
    with pytest.raises(OperationalError):
        read_each(connection, "SELECT name FROM nothing WHERE name IN ({ids})", ["a"])

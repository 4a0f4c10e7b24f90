"""A table that is one test fails for each of its rows."""

from collections.abc import Callable, Iterable

import pytest
from scripted.tables import every_row


def says(word: str, length: int, at_least: int) -> None:
    assert len(word) == length >= at_least


def table_of(names: str | tuple[str, ...], rows: Iterable[object]) -> Callable[..., None]:
    return every_row(names, rows)(says)


def test_a_wrong_row_is_named_and_no_other() -> None:
    table = table_of(("word", "length"), [("ala", 3), ("kot", 4), ("pies", 4)])
    with pytest.raises(pytest.fail.Exception, match=r"1 of 3 rows are wrong\s+\('kot', 4\)"):
        table(at_least=2)


def test_every_row_gets_the_fixtures() -> None:
    table = table_of("word", ["ala", "kot"])
    table(length=3, at_least=3)
    with pytest.raises(pytest.fail.Exception, match="2 of 2 rows are wrong"):
        table(length=3, at_least=4)


def test_a_table_without_rows_is_no_test() -> None:
    with pytest.raises(pytest.fail.Exception, match="0 of 0 rows are wrong"):
        table_of("word", [])(length=3, at_least=3)

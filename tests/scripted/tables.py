"""Long tables of cheap checks as one test, which names every row that is wrong."""

from collections.abc import Callable, Iterable
from typing import TypeVar

import pytest

Row = TypeVar("Row")


def check_rows(rows: Iterable[Row], check: Callable[[Row], object]) -> None:
    """Fail with every row for which ``check`` raises (an assertion too), and with what it raised.

    Hundreds of parametrised tests cost more for their reports than for what they check.
    """
    count = 0
    wrong: list[str] = []
    for count, row in enumerate(rows, start=1):  # noqa: B007 - the number of rows is told
        try:
            check(row)
        except Exception as error:  # noqa: BLE001 - whatever a row does, the others are looked at
            wrong.append(f"{row!r}: {type(error).__name__}: {error}")
    if wrong or not count:
        pytest.fail("\n\n".join([f"{len(wrong)} of {count} rows are wrong", *wrong]), pytrace=False)

"""Long tables of cheap checks as one test, which names every row that is wrong."""

from collections.abc import Callable, Iterable
from functools import partial, wraps
from inspect import signature
from typing import TypeVar, cast

import pytest

Row = TypeVar("Row")
Test = TypeVar("Test", bound=Callable[..., None])


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


def every_row(names: str | tuple[str, ...], rows: Iterable[object]) -> Callable[[Test], Test]:
    """Make one test of all rows, with what `pytest.mark.parametrize` would be told.

    They share their fixtures, so it is for what leaves those as they were. ``names``: one, whose
    values are the rows, or several for rows of as many values.
    """
    table = tuple(rows)

    def make(test: Test) -> Test:
        known = signature(test)
        own = (names,) if isinstance(names, str) else names
        asked = [one for name, one in known.parameters.items() if name not in own]

        @wraps(test)
        def check_all(**fixtures: object) -> None:
            check_rows(table, partial(_check, test, own, fixtures))

        check_all.__signature__ = known.replace(parameters=asked)  # type: ignore[attr-defined]  # pytest asks for what it names
        return check_all  # type: ignore[return-value]  # a test as pytest takes it

    return make


def _check(
    test: Callable[..., None], names: tuple[str, ...], fixtures: dict[str, object], row: object
) -> None:
    values = cast("Iterable[object]", row) if len(names) > 1 else (row,)
    test(**dict(zip(names, values, strict=True)), **fixtures)

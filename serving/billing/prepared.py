"""The ledger's statements in the driver's own form: compiled once, then handed on as they are.

SQLAlchemy looks at a statement and each of its values anew at every execution, which costs more
than the write itself. Connections, transactions and errors stay SQLAlchemy's.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, Final, TypeAlias

from sqlalchemy import Connection, Dialect, TextClause, bindparam, text
from sqlalchemy.exc import DBAPIError

Values: TypeAlias = Mapping[str, Any]  # of the types of the columns
Found: TypeAlias = tuple[Any, ...]  # a row, in the order of its statement
_Binder: TypeAlias = Callable[[Any], Any]
_LARGEST: Final = 512
"""Ids in one `IN` at most; more are asked for in several statements."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Form:
    """A statement for one database; ``pick`` where its values have places and no names."""

    statement: str
    pick: Callable[[Values], tuple[Any, ...]] | None
    binders: Mapping[str, _Binder]

    def bind(self, values: Values) -> Any:  # noqa: ANN401 (a tuple or a mapping, as the driver takes it)
        """``values`` as the driver takes them."""
        if self.binders:
            values = {**values}
            for name, binder in self.binders.items():
                values[name] = binder(values[name])
        return values if self.pick is None else self.pick(values)


def write_rows(connection: Connection, statement: TextClause, rows: Sequence[Values]) -> int:
    """Execute ``statement`` for each of ``rows``, of which there is one at least.

    Returns how many rows of the table it has changed.

    Raises:
        DBAPIError: as SQLAlchemy raises it.
    """
    form = _compile(statement, connection.dialect)
    cursor = connection.connection.cursor()
    try:
        if len(rows) == 1:
            cursor.execute(form.statement, form.bind(rows[0]))
        else:
            cursor.executemany(form.statement, [form.bind(row) for row in rows])
    except connection.dialect.loaded_dbapi.Error as error:
        raise as_known(connection, error, form.statement) from error
    changed = int(cursor.rowcount)
    cursor.close()
    return changed


def read_row(connection: Connection, statement: TextClause, values: Values) -> Found | None:
    """The first row that ``statement`` gives, if any; errors as `write_rows`."""
    rows = _read(connection, _compile(statement, connection.dialect), values)
    return rows[0] if rows else None


def read_each(
    connection: Connection, query: str, ids: Sequence[str], **values: str
) -> Sequence[Found]:
    """The rows that ``query`` gives where its ``{ids}`` are ``ids``; errors as `write_rows`.

    ``values`` are those of its other parameters.
    It is compiled for so many ids as the next power of two; the last one fills it up.
    """
    rows: list[Found] = []
    for start in range(0, len(ids), _LARGEST):
        some = ids[start : start + _LARGEST]
        size = 1 << (len(some) - 1).bit_length()
        names = (f"id_{number}" for number in range(size))
        given = dict(zip(names, [*some, *[some[-1]] * (size - len(some))], strict=True))
        form = _compile(_listing(query, size), connection.dialect)
        rows += _read(connection, form, given | values)
    return rows


def _read(connection: Connection, form: _Form, values: Values) -> Sequence[Found]:
    cursor = connection.connection.cursor()
    try:
        cursor.execute(form.statement, form.bind(values))
        rows = cursor.fetchall()
    except connection.dialect.loaded_dbapi.Error as error:
        raise as_known(connection, error, form.statement) from error
    cursor.close()
    return rows


def as_known(connection: Connection, error: Exception, statement: str) -> BaseException:
    """The driver's ``error`` as SQLAlchemy tells it; a broken connection is given up."""
    dialect = connection.dialect
    is_broken = dialect.is_disconnect(error, connection.connection, None)  # type: ignore[arg-type]  # the driver's
    if is_broken:
        connection.invalidate(error)
    return DBAPIError.instance(
        statement,
        None,
        error,
        dialect.loaded_dbapi.Error,
        hide_parameters=True,
        connection_invalidated=is_broken,
        dialect=dialect,
    )


@lru_cache(maxsize=64)
def _listing(query: str, size: int) -> TextClause:
    names = [f"id_{number}" for number in range(size)]
    return text(query.format(ids=", ".join(f":{name}" for name in names))).bindparams(
        *map(bindparam, names)
    )


@lru_cache(maxsize=512)
def _compile(statement: TextClause, dialect: Dialect) -> _Form:
    compiled = statement.compile(dialect=dialect)
    order = compiled.positiontup
    binders = {
        name: binder
        for name, bind in compiled.binds.items()
        if (binder := bind.type.dialect_impl(dialect).bind_processor(dialect)) is not None
    }
    return _Form(
        statement=str(compiled),
        pick=None if order is None else partial(_pick, tuple(order)),
        binders=binders,
    )


def _pick(names: Sequence[str], values: Values) -> tuple[Any, ...]:
    return tuple([values[name] for name in names])

"""A connection that its thread keeps from one transaction to the next, begun by the driver itself.

SQLAlchemy's way from its pool to a transaction and back costs more than all statements of a small
group: its code is cold when a hundredth of a second has passed.
"""

from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from serving.billing.prepared import as_known
from serving.storage.backends import backend_of
from serving.storage.modes import BARE

T = TypeVar("T")


class HeldConnection:
    """Runs transactions, one after the other, in the one thread that uses it."""

    def __init__(self, engine: Engine) -> None:
        """Nothing is opened before the first transaction."""
        self._engine = engine.execution_options(**{BARE: True})
        self._begin = backend_of(engine.url).beginning(engine.get_execution_options())
        self._errors: type[Exception] = engine.dialect.loaded_dbapi.Error
        self._connection: Connection | None = None

    def transact(self, work: Callable[[Connection], T]) -> T:
        """The result of ``work``, committed; nothing of it is there after an error.

        Raises:
            DBAPIError: as SQLAlchemy raises it, also while a connection is opened.
        """
        connection = self._take()
        try:
            result = work(connection)
            if connection.in_transaction():
                connection.commit()
            else:
                self._commit(connection)
        except BaseException:
            self.close()
            raise
        return result

    def close(self) -> None:
        """Give the connection back, which ends what it has begun."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _take(self) -> Connection:
        """A connection in a new transaction; one that a restart has broken is renewed."""
        if self._connection is not None:
            try:
                return self._start(self._connection)
            except DBAPIError as error:
                self.close()
                if not error.connection_invalidated:
                    raise
        self._connection = self._engine.connect()
        try:
            return self._start(self._connection)
        except BaseException:
            self.close()
            raise

    def _start(self, connection: Connection) -> Connection:
        cursor = connection.connection.cursor()
        try:
            cursor.execute(self._begin)
        except self._errors as error:
            raise as_known(connection, error, self._begin) from error
        cursor.close()
        return connection

    def _commit(self, connection: Connection) -> None:
        try:
            connection.connection.commit()
        except self._errors as error:
            raise as_known(connection, error, "COMMIT") from error

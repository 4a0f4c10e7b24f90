"""Alembic runs this file: the revisions, in the transaction of the connection handed in."""

from alembic import context

from serving.storage.ledger_tables import REQUESTS

context.configure(
    connection=context.config.attributes["connection"], target_metadata=REQUESTS.metadata
)
context.run_migrations()

"""Alembic runs this file: the revisions, in the transaction of the connection handed in."""

from alembic import context

from serving.storage.tables import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA)
context.run_migrations()

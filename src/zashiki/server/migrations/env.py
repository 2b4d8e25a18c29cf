"""What Alembic runs: the steps, in the transaction that `zashiki.server.migrate` has begun."""

from alembic import context

from zashiki.server.schema import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    render_as_batch=True,  # SQLite changes a column by making the table anew
)
with context.begin_transaction():
    context.run_migrations()

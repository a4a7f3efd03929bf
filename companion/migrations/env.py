"""How Alembic runs our migrations: always through the app, on the app's own engine."""

from alembic import context
from flask import current_app

database = current_app.extensions["migrate"].db

with database.engine.connect() as connection:
    context.configure(
        connection=connection,
        target_metadata=database.metadata,
        transactional_ddl=True,  # a migration that fails leaves nothing half done, on SQLite too
        **current_app.extensions["migrate"].configure_args,
    )
    with context.begin_transaction():
        context.run_migrations()

"""How Alembic runs our migrations: always through the app, on the app's own engine."""

from alembic import context
from flask import current_app

from companion.db import MIGRATING, TRANSACTION

database = current_app.extensions["migrate"].db

# On PostgreSQL who only reads has no transaction; a migration is one.
options = {"isolation_level": TRANSACTION} if database.engine.dialect.name == "postgresql" else {}

with database.engine.connect().execution_options(**options) as connection:
    context.configure(
        connection=connection,
        target_metadata=database.metadata,
        transactional_ddl=True,  # a migration that fails leaves nothing half done, on SQLite too
        **current_app.extensions["migrate"].configure_args,
    )
    with context.begin_transaction():
        if connection.dialect.name == "postgresql":
            # Several machines may start at once: one migrates, the others wait and find it done.
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({MIGRATING})")
        context.run_migrations()

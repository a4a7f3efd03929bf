"""The `companion` command. Without a subcommand it runs the app."""

import sys

import click
from flask import Flask

from companion import create_app
from companion.command import doctor, link, maintenance, people, ready_app, transfer
from companion.command.beginning import start_empty
from companion.config import SetupError
from companion.db import checkpoint, checkpoint_when_idle


@click.group(invoke_without_command=True)
@click.version_option(package_name="gripe-companion", message="%(version)s")
@start_empty
@click.pass_context
def companion(context: click.Context) -> None:
    """Gripe Companion: the record, the referee and the scores of your table."""
    if context.invoked_subcommand is None:
        context.invoke(run)


@companion.command()
@click.option("--host", help="Address to serve on; all of this machine's by default.")
@click.option("--port", help="Port to serve on.")
@start_empty
def run(host: str | None, port: str | None) -> None:
    """Bring the database up to date and serve on the home network."""
    from companion.serving.lan import serve

    chosen = {key: value for key, value in (("HOST", host), ("PORT", port)) if value is not None}
    app = ready_app(chosen)
    checkpoint_when_idle(app)
    try:
        serve(app)
    finally:
        checkpoint(app, empties=True)


@companion.command()
def hosted() -> None:
    """Bring a PostgreSQL (DATABASE_URL) up to date and serve many tables with gunicorn."""
    from companion.command.hosted import serve

    serve(create_app())


for subcommand in (*maintenance.COMMANDS, *transfer.COMMANDS, link.link, people.people, doctor.doctor):
    companion.add_command(subcommand)


def init_app(app: Flask) -> None:
    """`flask companion …` offers the same commands, for those who work with Flask's own command."""
    app.cli.add_command(companion)


def main() -> None:
    """Run the command; what keeps the app from starting is one sentence and exit code 1."""
    try:
        companion(prog_name="companion")
    except SetupError as error:
        print(f"companion: {error}", file=sys.stderr)
        raise SystemExit(1) from None

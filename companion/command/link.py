"""`companion link`: whoever runs the server lets a table back in whose phones have all lost it."""

import re

import click
from flask import current_app

from companion import live, record
from companion.command import with_database
from companion.config import SetupError
from companion.record import GameView, phones
from companion.serving import lan, running

_LISTED = 20


@click.command(context_settings={"ignore_unknown_options": True})  # a code may begin with a hyphen
@click.argument("code", required=False)
@click.option("--renew", is_flag=True, help="New links; every phone of the table loses its role.")
@click.option("--address", help="Where phones find the server, such as https://gripe.example.org.")
@with_database
def link(code: str | None, renew: bool, address: str | None) -> None:
    """Print the keepers' link of the table CODE (or of its address); without CODE, list the last tables."""
    if code is None:
        for game in record.lists.latest_games(_LISTED, record.lists.IN_LISTS):
            click.echo(f"{game.code:<24}{game.created_at:%Y-%m-%d}  {', '.join(seat.name for seat in game.seats)}")
        return
    if address is not None and not re.fullmatch(r"https?://[^\s/?#@]+(/[^\s?#]*)?", address):
        raise SetupError(f"--address {address} is no address; it looks like https://gripe.example.org.")
    view = _table(code)
    if renew:
        phones.renew_all(view.id)
        live.notify(view.id)
    base = address or lan.urls(*_host_and_port())[0]
    keeper = next(link for link in phones.game_links(view.id) if link.role == "keeper")
    click.echo(f"{base.rstrip('/')}/j/{keeper.token}")


def _host_and_port() -> tuple[str, int]:
    """Where the running server of this instance answers; where none runs, as the settings say."""
    settings = str(current_app.config["HOST"]), int(current_app.config["PORT"])
    return running.found(current_app.instance_path) or settings


def _table(text: str) -> GameView:
    """The game by its code, or by any address of its pages. Raises SetupError."""
    address = re.search(r"/g/([^/?#]+)", text)
    view = record.load(address[1] if address else text)
    if view is None:
        raise SetupError("There is no such table. `companion link` without a code lists the last ones.")
    return view

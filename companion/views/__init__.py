"""The pages, one blueprint per noun."""

from __future__ import annotations

from flask import Blueprint, Flask

from companion.views import (
    claims,
    data,
    ending,
    grebber,
    history,
    home,
    installing,
    joining,
    live,
    melds,
    nights,
    people,
    rearranging,
    recap,
    referee,
    rules,
    scores,
    seats,
    settings,
    starting,
    table,
)

# Each module of this folder has one blueprint; listed here, it is served.
BLUEPRINTS: tuple[Blueprint, ...] = (
    home.bp, starting.bp, table.bp, claims.bp, melds.bp, scores.bp, history.bp, seats.bp, ending.bp, referee.bp, rules.bp,
    settings.bp, live.bp, installing.bp, joining.bp, recap.bp, rearranging.bp, data.bp, grebber.bp,
    nights.bp, people.bp,
)  # fmt: skip


def register(app: Flask) -> None:
    """Put every blueprint on the app."""
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)

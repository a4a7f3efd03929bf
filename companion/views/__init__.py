"""The pages, one blueprint per noun."""

from __future__ import annotations

from flask import Blueprint, Flask

from companion.views import referee, rules

# Each module of this folder has one blueprint; listed here, it is served.
BLUEPRINTS: tuple[Blueprint, ...] = (referee.bp, rules.bp)


def register(app: Flask) -> None:
    """Put every blueprint on the app."""
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)

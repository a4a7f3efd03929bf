"""The pages, one blueprint per noun."""

from __future__ import annotations

from importlib import import_module

from flask import Flask

#: The modules of this folder that have pages, each with its blueprint ``bp``.
NOUNS = (
    "claims", "data", "ending", "grebber", "history", "home", "installing", "joining", "live", "melds", "nights",
    "people", "rearranging", "recap", "referee", "rules", "scores", "seats", "settings", "starting", "table",
)  # fmt: skip


def register(app: Flask) -> None:
    """Put every blueprint on the app."""
    for noun in NOUNS:
        app.register_blueprint(import_module(f"companion.views.{noun}").bp)

"""The pages, one blueprint per noun."""

from importlib import import_module

from flask import Flask

from companion.pages import menu
from companion.pages.palette import DARK, LIGHT

#: The modules of this folder that have pages, each with its blueprint ``bp``.
NOUNS = (
    "data", "ending", "grebber", "history", "home", "installing", "joining", "live", "melds", "nights",
    "people", "rearranging", "recap", "referee", "rules", "scores", "seats", "settings", "starting", "table",
)  # fmt: skip


def register(app: Flask) -> None:
    """Put every blueprint on the app, and colours and menus into its templates."""
    app.jinja_env.globals.update(light=LIGHT, dark=DARK, menu=menu)
    for noun in NOUNS:
        app.register_blueprint(import_module(f"companion.views.{noun}").bp)

"""The pages, one blueprint per noun."""

from importlib import import_module

from flask import Flask, request

from companion.pages import menu
from companion.pages.cards import drawn, face
from companion.pages.palette import DARK, LIGHT
from companion.record import forgetting
from companion.referee.kruth import DECK, KruthRank, KruthSuit
from companion.views import notices
from companion.wording import isolate
from companion.wording.kruth import kruth_name, kruth_rank, kruth_suit

#: The modules of this folder that have pages, each with its blueprint ``bp``.
NOUNS = (
    "asking", "carried", "data", "drafts", "ending", "grebber", "history", "home", "installing", "joining", "lists",
    "live", "melds", "nights", "operations", "recap", "referee", "scores", "seats", "starting", "table", "tidying",
)  # fmt: skip
#: Those whose pages show the names of nights.
_WITH_NAMES = frozenset(NOUNS) - {"home", "installing", "lists", "live", "operations", "referee"}


def init_app(app: Flask) -> None:
    """Put every blueprint on the app; and colours, menus and how cards are drawn into its templates."""
    app.jinja_env.globals.update(
        light=LIGHT,
        dark=DARK,
        menu=menu,
        notices=notices,
        kruth_deck=DECK,
        kruth_suits=KruthSuit,
        kruth_ranks=KruthRank,
    )
    app.jinja_env.filters.update(
        face=face, drawn=drawn, isolated=isolate, kruth_name=kruth_name, kruth_rank=kruth_rank, kruth_suit=kruth_suit
    )
    app.before_request(_forget)
    for noun in NOUNS:
        app.register_blueprint(import_module(f"companion.views.{noun}").bp)


def _forget() -> None:
    """No page shows a name that was to be gone by now."""
    if request.blueprint in _WITH_NAMES or request.endpoint == "home.index":
        forgetting.carry_out()

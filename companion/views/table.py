"""The table: the page that lies between the players, and what one tap on it does."""

from __future__ import annotations

from flask import Blueprint, render_template

from companion import wording
from companion.views import desk

bp = Blueprint("table", __name__, url_prefix="/g/<code>")


@bp.get("/")
def table(code: str) -> str:
    """The table."""
    return desk.game(code).code


@bp.get("/throw")
def discards(code: str) -> str:
    """May I throw it? All 52 cards."""
    return desk.game(code).code


@bp.get("/more")
def more(code: str) -> str:
    """Everything else about this game."""
    return desk.game(code).code


@bp.get("/rules")
def rules(code: str) -> str:
    """The rules as this table plays them."""
    view = desk.game(code)
    assert view.state.rules is not None
    return render_template("rules/rules.html", page=wording.rules_page(view.state.rules), table=True, game=view)

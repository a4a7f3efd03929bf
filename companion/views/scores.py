"""Hand over, and the sheet of scores with its corrections."""

from __future__ import annotations

from flask import Blueprint

from companion.views import desk

bp = Blueprint("scores", __name__, url_prefix="/g/<code>")


@bp.get("/scores")
def sheet(code: str) -> str:
    """The sheet: hands by players."""
    return desk.game(code).code


@bp.get("/over")
def over(code: str) -> str:
    """The end of a hand: who went out and what the others hold."""
    return desk.game(code).code

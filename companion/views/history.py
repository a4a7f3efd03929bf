"""The history: every entry in words, undo and redo to any depth."""

from __future__ import annotations

from flask import Blueprint

from companion.views import desk

bp = Blueprint("history", __name__, url_prefix="/g/<code>")


@bp.get("/history")
def history(code: str) -> str:
    """Every entry, the last first."""
    return desk.game(code).code

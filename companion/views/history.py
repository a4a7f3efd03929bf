"""The history: every entry in words, undo and redo to any depth."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from flask import Blueprint, current_app, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from companion import devices, record
from companion.pages.history import history_page
from companion.pages.refusals import refusal
from companion.record import Accepted, GameView
from companion.views import desk

bp = Blueprint("history", __name__, url_prefix="/g/<code>")

Answer = Response | tuple[str, int]


@bp.get("/history")
def history(code: str) -> Answer:
    """Every entry, the last first."""
    return _page(desk.game(code))


@bp.post("/history/undo")
def undo(code: str) -> Answer:
    """Take back the last entry that holds, if it is still the one the person saw."""
    return _turned(desk.game(code), record.undo, "-undo")


@bp.post("/history/redo")
def redo(code: str) -> Answer:
    """Restore the entry undone last, if it is still the one the person saw."""
    return _turned(desk.game(code), record.redo, "-redo")


def _turned(view: GameView, land: Callable[..., Accepted], suffix: str) -> Answer:
    text = request.form.get("entry", "")
    entry = int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0
    refused = desk.attempt(view, partial(land, view.code, entry=entry), suffix)
    if refused is None:
        return redirect(url_for("history.history", code=view.code), code=303)
    return _page(desk.again(view), refused)


def _page(view: GameView, refused: desk.Refused | None = None) -> Answer:
    device = devices.current()
    page = history_page(
        view,
        record.entries(view.code) or (),
        _zone(),
        device.id if device else None,
        refusal(view, refused) if refused else None,
    )
    status = refused.status if refused else 200
    return render_template("history/history.html", game=view, page=page, token=record.new_token()), status


def _zone() -> ZoneInfo | None:
    """The table's time zone, where the setting TIMEZONE names one; None: the server's own."""
    try:
        return ZoneInfo(current_app.config.get("TIMEZONE") or "")
    except (ValueError, OSError, ZoneInfoNotFoundError):
        return None

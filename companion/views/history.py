"""The history: every entry in words, undo and redo to any depth."""

from __future__ import annotations

from functools import partial

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from companion import record
from companion.forms.numbers import ENTRY, whole
from companion.i18n import time_zone
from companion.pages.history import history_page
from companion.pages.refusals import refusal
from companion.phones import devices
from companion.record import GameView
from companion.views import desk

bp = Blueprint("history", __name__, url_prefix="/g/<code>")

Answer = Response | tuple[str, int]


@bp.get("/history")
def history(code: str) -> Answer:
    """Every entry, the last first."""
    return _page(desk.game(code))


@bp.post("/history")
def turn(code: str) -> Answer:
    """Take back the last entry that holds, or restore the one undone last, if it is still the one the person saw."""
    view, back = desk.game(code), request.form.get("turn") != "redo"
    entry = whole(request.form.get("entry"), ENTRY) or 0
    land = partial(record.undo if back else record.redo, view.code, entry=entry)
    refused = desk.attempt(view, land, "-undo" if back else "-redo")
    if refused is None:
        return redirect(url_for("history.history", code=view.code), code=303)
    return _page(desk.again(view), refused)


def _page(view: GameView, refused: desk.Refused | None = None) -> Answer:
    device = devices.current()
    page = history_page(
        view,
        record.entries(view.code) or (),
        time_zone(),
        device.id if device else None,
        refusal(view, refused) if refused else None,
    )
    status = refused.status if refused else 200
    return render_template("history/history.html", game=view, page=page, token=record.new_token()), status

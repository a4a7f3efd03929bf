"""The history: every entry in words, undo and redo to any depth."""

from functools import partial

from flask import Blueprint, request

from companion import record
from companion.forms.numbers import ENTRY, whole
from companion.i18n import time_zone
from companion.pages.history import history_page
from companion.pages.refusals import Refused
from companion.phones import devices
from companion.record import GameView
from companion.referee.notation import format_game
from companion.views import desk

bp = Blueprint("history", __name__, url_prefix="/g/<code>")


@bp.get("/history")
@desk.for_game("watch", discarded=True)
def history(view: GameView) -> desk.Answer:
    """Every entry, the last first."""
    return _page(view)


@bp.get("/history/text")
@desk.for_game("watch", discarded=True)
def text(view: GameView) -> desk.Answer:
    """The record in the notation, without names, to be copied for a report."""
    entries = record.entries(view.code) or ()
    return desk.page("history/text.html", view, notation=format_game(entry.event for entry in entries))


@bp.post("/history")
@desk.for_game("keeper", discarded=True)
def turn(view: GameView) -> desk.Answer:
    """Take back the last entry that holds, or restore the one undone last, if it is still the one the person saw."""
    back = request.form.get("turn") != "redo"
    entry = whole(request.form.get("entry"), ENTRY) or 0
    land = partial(record.undo if back else record.redo, view.code, entry=entry)
    refused = desk.attempt(view, land, "-undo" if back else "-redo")
    return _page(desk.reload(view), refused) if refused else desk.go_to(".history", view)


def _page(view: GameView, refused: Refused | None = None) -> desk.Answer:
    page = history_page(view, record.entries(view.code) or (), time_zone(), devices.current_id())
    return desk.page("history/history.html", view, refused, page=page)

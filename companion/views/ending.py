"""The end of the night: who won, closing early, playing on, once more."""

from __future__ import annotations

from functools import partial

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from companion import record
from companion.pages.ending import end_page
from companion.pages.refusals import Refused, refusal
from companion.record import GameView
from companion.referee.commands import CloseGame, ReopenGame
from companion.views import desk

bp = Blueprint("ending", __name__, url_prefix="/g/<code>")


@bp.get("/end")
def end(code: str) -> str:
    """The standings, and who won once the night is over."""
    return _page(desk.game(code))


@bp.post("/end")
def change(code: str) -> Response | tuple[str, int]:
    """Close the night, or play on."""
    view, wanted = desk.game(code), request.form.get("do", "")
    if wanted == "close":
        refused = desk.send(view, CloseGame())
    elif wanted == "reopen":
        refused = desk.send(view, ReopenGame())
    elif wanted == "undo":
        refused = _undo(view)
    else:
        abort(422)
    if refused:
        return _page(desk.again(view), refused), refused.status
    return redirect(url_for(".end", code=code), code=303) if wanted == "close" else desk.to_table(view)


def _undo(view: GameView) -> Refused | None:
    """Take back the entry that the page named."""
    entry = desk.number(request.form.get("entry"))
    if entry is None:
        abort(422)
    return desk.attempt(view, partial(record.undo, view.code, entry=entry))


def _page(view: GameView, refused: Refused | None = None) -> str:
    page = end_page(view)
    why = refusal(view, refused) if refused else None
    return render_template("ending/end.html", game=view, page=page, refusal=why, token=record.new_token())

"""Who sits at the table: joining late, leaving, seats, dealer."""

from __future__ import annotations

from functools import partial

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from companion import record
from companion.forms.seats import JoinForm, command_of, joiner
from companion.names import BadNames
from companion.pages.refusals import Refused, event_words, refusal
from companion.pages.seats import people_page
from companion.record import GameView
from companion.referee.commands import MoveSeats
from companion.views import desk

bp = Blueprint("seats", __name__, url_prefix="/g/<code>")

_Answer = Response | tuple[str, int]


@bp.get("/players")
def players(code: str) -> _Answer:
    """Everybody at the table, who left, and the form of a late joiner."""
    return _page(desk.game(code))


@bp.post("/players")
def change(code: str) -> _Answer:
    """What a button of the page asks; each is a command of its own."""
    view, wanted = desk.game(code), request.form.get("do", "")[:40]
    if wanted == "join":
        return _join(view)
    command = command_of(request.form)
    if command is None:
        abort(422)
    if isinstance(command, MoveSeats) and command.order == view.state.order:
        return _back(view)
    refused = desk.send(view, command, f"-{wanted}")
    return _page(desk.again(view), refused, wanted) if refused else _landed(view)


def _join(view: GameView) -> _Answer:
    form = joiner(request.form, len(view.state.order))
    if not form.complete:
        return _page(view, form=form, status=422)
    try:
        refused = desk.attempt(view, partial(record.join, view.code, form.name, form.place), "-join")
    except BadNames as bad:
        form.take(bad.problems, view.names, view.state.away)
        return _page(view, form=form, status=422)
    return _page(desk.again(view), refused, "join", form) if refused else _landed(view)


def _landed(view: GameView) -> Response:
    now = desk.again(view)
    if now.undo:
        flash(event_words(now.undo, now), "good")
    return _back(view)


def _back(view: GameView) -> Response:
    return redirect(url_for(".players", code=view.code), code=303)


def _page(
    view: GameView, refused: Refused | None = None, wanted: str = "", form: JoinForm | None = None, status: int = 200
) -> tuple[str, int]:
    form = form or JoinForm()
    page = render_template(
        "seats/seats.html",
        game=view,
        page=people_page(view, form, record.known_people(view.house_id)),
        form=form,
        refusal=refusal(view, refused) if refused else None,
        refused_part=wanted.partition("-")[0],
        token=record.new_token(),
    )
    return page, refused.status if refused else status

"""Rearranging the table in one turn, in the game from Peru (P6): looked at as often as one likes, landed once."""

from __future__ import annotations

from flask import Blueprint, abort, render_template, request
from werkzeug.wrappers import Response

from companion import record
from companion.forms.rearranging import Values, draft
from companion.pages import rearranging as pages
from companion.pages.refusals import Refused
from companion.record import GameView
from companion.referee.engine.rearranging import rearranges
from companion.views import desk
from companion.views.joining import seat_of

bp = Blueprint("rearranging", __name__, url_prefix="/g/<code>")

Answer = Response | tuple[str, int]


@bp.get("/rearrange")
def rearrange(code: str) -> Answer:
    """The table as a player would rearrange it, and whether that is legal; nothing is entered."""
    view = _game(code)
    hand, _rules = desk.in_play(view)
    seat = desk.number(request.args["seat"]) if "seat" in request.args else seat_of(view)
    if seat is None or not hand.is_down(seat) or seat not in view.state.dealt_in:
        return render_template("rearranging/who.html", game=view, players=pages.players(view, hand)), 200
    return _page(view, seat, request.args)


@bp.post("/rearrange")
def land(code: str) -> Answer:
    """Enter it, whole."""
    view, seat = _game(code), desk.number(request.args.get("seat"))
    then = desk.as_seen(view)
    then = then if then.state.hand else view
    hand, rules = desk.in_play(then)
    if seat is None or seat not in view.names:
        abort(422)
    entered = draft(request.form, hand, seat, rules)
    if not entered.is_readable:
        return _page(view, seat, request.form, Refused(422))
    command = pages.command(entered, hand, seat)
    refused = desk.send(view, command)
    if refused is None:
        desk.say_what_it_rests_on(then, command)
        return desk.to_table(view)
    return _page(desk.again(view), seat, request.form, refused)


def _game(code: str) -> GameView:
    """A game that rearranges; 404 in every other."""
    view = desk.game(code)
    if view.state.rules is None or not rearranges(view.state.rules):
        abort(404)
    return view


def _page(view: GameView, seat: int, values: Values, refused: Refused | None = None) -> Answer:
    hand, rules = desk.in_play(view)
    page = pages.rearrange_page(view, seat, draft(values, hand, seat, rules), values.get("do", ""), refused)
    status = refused.status if refused else 200
    return render_template("rearranging/rearrange.html", game=view, page=page, token=record.new_token()), status

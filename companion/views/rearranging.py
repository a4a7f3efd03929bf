"""Rearranging the table in one turn, in the game from Peru (P6): looked at as often as one likes, landed once."""

from flask import Blueprint, abort, request

from companion.forms.rearranging import Draft, Values
from companion.pages import rearranging as pages
from companion.pages.refusals import Refused
from companion.record import GameView
from companion.referee.engine.rearranging import rearranges
from companion.referee.state import Playing
from companion.views import desk

bp = Blueprint("rearranging", __name__, url_prefix="/g/<code>")


@bp.get("/rearrange")
@desk.for_game("watch", hand_in_play=True, only=rearranges)
def rearrange(view: GameView, playing: Playing) -> desk.Answer:
    """The table as a player would rearrange it, and whether that is legal; nothing is entered."""
    seat = desk.number(request.args["seat"]) if "seat" in request.args else desk.own_seat(view)
    if seat is None or not playing.hand.is_down(seat) or seat not in view.state.dealt_in:
        return desk.page("rearranging/who.html", view, players=pages.players(view, playing.hand))
    return _page(view, seat, request.args)


@bp.post("/rearrange")
@desk.for_game("keeper", hand_in_play=True, only=rearranges)
def land(view: GameView, playing: Playing) -> desk.Answer:
    """Enter it, whole."""
    seat = desk.number(request.args.get("seat"))
    if seat is None or seat not in view.names:
        abort(422)
    entered = Draft(request.form, playing.hand, seat, playing.rules)
    if not entered.is_readable:
        return _page(view, seat, request.form, Refused(422))
    command = entered.command()
    if refused := desk.send(view, command):
        return _page(desk.reload(view), seat, request.form, refused)
    desk.say_what_it_rests_on(desk.as_loaded(view), command)
    return desk.to_table(view)


def _page(view: GameView, seat: int, values: Values, refused: Refused | None = None) -> desk.Answer:
    playing = desk.playing(view)
    page = pages.rearrange_page(view, playing.hand, Draft(values, playing.hand, seat, playing.rules), refused)
    return desk.page("rearranging/rearrange.html", view, refused, page=page)

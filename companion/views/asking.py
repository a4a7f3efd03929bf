"""Ask the referee inside a game: the same four questions by the rules of that table, for the hand in play."""

from functools import partial

from flask import Blueprint, request, url_for
from werkzeug.utils import redirect

from companion.record import GameView
from companion.views import desk, referee

bp = Blueprint("asking", __name__, url_prefix="/g/<code>/referee")


@bp.get("")
@desk.for_game("watch", only=desk.WITH_CONTRACTS)
def index(view: GameView) -> desk.Answer:
    """The four questions."""
    addresses = {question: f"{url_for('.index', code=view.code)}/{question}" for question in referee.TITLES}
    return desk.page("referee/index.html", view, titles=referee.TITLES, addresses=addresses)


@bp.get("/<any(meld, contract, hand):question>")
@desk.for_game("watch", only=desk.WITH_CONTRACTS)
def ask(view: GameView, question: str) -> desk.Answer:
    """Is this a meld, does this fill the hand, can these cards go down?"""
    return _page(view, question)


@bp.get("/discard")
@desk.for_game("watch", only=desk.WITH_CONTRACTS)
def discard(view: GameView) -> desk.Answer:
    """May I throw it? By the melds that lie on the table; before and after the hands, by melds that are typed."""
    if view.state.playing:
        return redirect(url_for("table.discards", code=view.code))
    return _page(view, "discard")


def _page(view: GameView, question: str) -> desk.Answer:
    asked = referee.form_of(question)(request.args, view.state.rules, _number(view))
    facts = referee.answered(question, asked)
    return desk.page(
        "referee/question.html", view, **facts, others=url_for(".index", code=view.code),
        again=partial(url_for, ".discard", code=view.code), rules_page=url_for("table.rules", code=view.code),
        status=422 if asked.errors else 200,
    )  # fmt: skip


def _number(view: GameView) -> int:
    """The hand in play, or this phone's own hand of the list where each player has one; else the first."""
    seat, state = desk.own_seat(view), view.state
    if state.hand is None:
        return 1
    return state.number_of(seat) if seat is not None and state.rules.own_progress else state.hand.number

"""Hand over, and the sheet of scores with its corrections.

A form is looked at by GET: what it would make of the totals is a page that can be reloaded and come back to. Only
"save" on that page sends anything.
"""

from __future__ import annotations

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from companion import record
from companion.forms import scoring
from companion.forms.scoring import Scoring
from companion.pages import counting
from companion.pages import scores as pages
from companion.pages.counting import Asked
from companion.pages.refusals import Refused
from companion.record import GameView
from companion.referee.commands import Command
from companion.referee.engine import problems
from companion.referee.reasons import Problem, Reason
from companion.referee.state import Phase
from companion.views import desk

bp = Blueprint("scores", __name__, url_prefix="/g/<code>")

Answer = Response | tuple[str, int]

#: What an empty field means is open while nobody said who went out.
_OPEN = (Reason.MISSING_POINTS, Reason.ZERO_NOT_OUT)


@bp.get("/scores")
def sheet(code: str) -> str:
    """The sheet: hands by players."""
    view = desk.game(code)
    return render_template("scores/sheet.html", game=view, page=pages.sheet_page(view))


@bp.get("/over")
def over(code: str) -> Answer:
    """The end of a hand: who went out and what the others hold; once filled in, what that makes of the totals."""
    view = desk.keepers_game(code)
    if not _has_contracts(view):
        return redirect(url_for("grebber.count", code=code))
    number = desk.number(request.args.get("hand"))
    if number is not None:
        return _considered(view, counting.in_play(view.state), number)
    hand, _rules = desk.in_play(view)
    if view.state.phase is not Phase.PLAYING:
        abort(409)
    return _form(view, counting.in_play(view.state), scoring.blank(hand.number, hand.floating))


@bp.post("/over")
def save(code: str) -> Answer:
    """The hand is scored; on to the next one, or to the end of the night."""
    view = desk.game(code)
    asked = counting.in_play(view.state)
    entered = scoring.read(request.form, desk.number(request.form.get("hand")) or 0, asked.rules)
    _state, unticked = counting.meant(view.state, entered, asked)
    refused = _sent(view, asked, entered, unticked)
    if refused is not None:
        return refused
    flash(_("Hand %(n)s is written down.", n=entered.hand))
    finished = desk.again(view).state.hand is None
    return redirect(url_for("ending.end", code=code), code=303) if finished else desk.to_table(view)


@bp.get("/scores/<int:number>")
def correct(code: str, number: int) -> Answer:
    """A hand scored before, to be put right; once changed, what that makes of the totals."""
    view = desk.keepers_game(code)
    if not _has_contracts(view):
        return redirect(url_for("grebber.correct", code=code, number=number))
    if request.args:
        return _considered(view, counting.scored(number, view.state), number)
    score = view.state.score_of(number) or abort(404)
    return _form(view, counting.scored(number, view.state), scoring.of_score(score))


@bp.post("/scores/<int:number>")
def corrected(code: str, number: int) -> Answer:
    """The old hand has other scores; back to the sheet."""
    view = desk.game(code)
    asked = counting.scored(number, view.state)
    entered = scoring.read(request.form, number, asked.rules)
    refused = _sent(view, asked, entered)
    if refused is not None:
        return refused
    flash(_("Hand %(n)s is corrected.", n=number))
    return redirect(url_for("scores.sheet", code=code), code=303)


def _has_contracts(view: GameView) -> bool:
    """Whether the game has contracts; Grebber counts on a page of its own."""
    return bool(view.state.rules and view.state.rules.contracts)


def _considered(view: GameView, asked: Asked, number: int) -> Answer:
    """The preview of what a form says, or the form again with what is wrong."""
    entered = scoring.read(request.args, number, asked.rules)
    state, _unticked = counting.meant(view.state, entered, asked)
    found = problems(state, counting.command(entered, asked))
    if any(one.reason in counting.GONE for one in found):
        return _gone(view, entered, Refused(409, found, desk.entered_since(view)))
    if "change" in request.args:
        return _form(view, asked, entered)
    if entered.errors or found:
        return _form(view, asked, entered, Refused(422, found))
    shown = counting.preview(view, asked, entered, counting.since_words(desk.entered_since(view), view))
    page = render_template("scores/preview.html", game=view, page=shown, token=record.new_token())
    return page, 200


def _sent(view: GameView, asked: Asked, entered: Scoring, before: tuple[Command, ...] = ()) -> Answer | None:
    """Let the points land, and ``before`` them what they rest on; None: they did."""
    if entered.errors:
        return _form(view, asked, entered, Refused(422))
    for at, command in enumerate((*before, counting.command(entered, asked))):
        refused = desk.send(view, command, suffix="" if at == len(before) else f"-{at}")
        if refused is not None:
            return _refused(desk.again(view), asked, entered, refused)
    return None


def _refused(view: GameView, asked: Asked, entered: Scoring, refused: Refused) -> Answer:
    if any(one.reason in counting.GONE for one in refused.problems):
        return _gone(view, entered, refused)
    return _form(view, asked, entered, refused)


def _gone(view: GameView, entered: Scoring, refused: Refused) -> Answer:
    """The hand of the form is over or undone: what was typed can correct its scores, where there are any."""
    if counting.is_written(view.state, entered):
        flash(_("Hand %(n)s is written down already, with exactly these points.", n=entered.hand))
        return redirect(url_for("scores.sheet", code=view.code), code=303)
    return _form(view, counting.scored(entered.hand, view.state, entered.typed), entered, refused, late=True)


def _form(
    view: GameView, asked: Asked, entered: Scoring, refused: Refused | None = None, *, late: bool = False
) -> Answer:
    shown = counting.count_page(view, asked, entered, _telling(refused, entered), late=late)
    page = render_template("scores/count.html", game=view, page=shown)
    return page, refused.status if refused else 200


def _telling(refused: Refused | None, entered: Scoring) -> Refused | None:
    """The refusal without what only follows from a field that could not be read."""
    if refused is None:
        return None

    def tells(one: Problem) -> bool:
        follows = one.facts.get("seat") in entered.errors or (one.reason in _OPEN and "out" in entered.errors)
        return not follows

    return Refused(refused.status, tuple(filter(tells, refused.problems)), refused.since)

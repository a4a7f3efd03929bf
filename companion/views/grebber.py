"""Grebber: counting a hand, and its questions to the referee.

As for other games a form is looked at by GET, and only "save" on the preview sends anything.
"""

from __future__ import annotations

from urllib.parse import urlencode

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from companion import record
from companion.forms import grebber as forms
from companion.forms.grebber import Counted
from companion.pages import grebber_asking as asking
from companion.pages import grebber_counting as pages
from companion.pages.counting import GONE, since_words
from companion.pages.grebber_counting import Asked
from companion.pages.refusals import Refused
from companion.record import GameView
from companion.referee.commands import OverruleRule
from companion.referee.engine import problems
from companion.referee.state import Phase
from companion.views import desk

bp = Blueprint("grebber", __name__, url_prefix="/g/<code>/grebber")

Answer = Response | tuple[str, int]


@bp.get("/count")
def count(code: str) -> Answer:
    """The end of a hand: what everybody laid and holds; once filled in, what that makes of the totals."""
    view = desk.keepers_game(code)
    number = desk.number(request.args.get("hand"))
    if number is not None:
        return _considered(view, pages.in_play(view.state), number)
    hand, _rules = desk.in_play(view)
    if view.state.phase is not Phase.PLAYING:
        abort(409)
    return _form(view, pages.in_play(view.state), Counted(hand.number))


@bp.post("/count")
def save(code: str) -> Answer:
    """The hand is counted; on to the next one, or to the end of the night."""
    view = desk.game(code)
    asked = pages.in_play(view.state)
    entered = forms.read(request.form, desk.number(request.form.get("hand")) or 0, asked.seats)
    if (refused := _sent(view, asked, entered)) is not None:
        return refused
    flash(_("Hand %(n)s is written down.", n=entered.hand))
    finished = desk.again(view).state.hand is None
    return redirect(url_for("ending.end", code=code), code=303) if finished else desk.to_table(view)


@bp.get("/count/<int:number>")
def correct(code: str, number: int) -> Answer:
    """A hand counted before, to be put right; once changed, what that makes of the totals."""
    view = desk.keepers_game(code)
    asked = pages.scored(number, view.state)
    if request.args:
        return _considered(view, asked, number)
    return _form(view, asked, forms.of_score(view.state.score_of(number) or abort(404)))


@bp.post("/count/<int:number>")
def corrected(code: str, number: int) -> Answer:
    """The old hand has another count; back to the sheet, or to the table where the game goes on."""
    view = desk.game(code)
    asked = pages.scored(number, view.state)
    entered = forms.read(request.form, number, asked.seats)
    if (refused := _sent(view, asked, entered)) is not None:
        return refused
    flash(_("Hand %(n)s is corrected.", n=number))
    return redirect(url_for("scores.sheet", code=code), code=303)


@bp.get("/ask")
def ask(code: str) -> Answer:
    """Is this a meld? Has to give it? Must lay now? Nothing asked here is kept."""
    view = desk.game(code)
    page = asking.ask_page(view, asking.read(request.args))
    return render_template(
        "grebber/ask.html", game=view, page=page, token=record.new_token()
    ), 422 if page.error else 200


@bp.post("/ask")
def overrule(code: str) -> Answer:
    """The table plays a silent rule otherwise; back to the question."""
    view = desk.game(code)
    switch, value = request.form.get("switch", "")[:40], request.form.get("value", "")[:40]
    if (switch, value) not in asking.CHOICES:
        abort(422)
    refused = desk.send(view, OverruleRule(switch, asking.CHOICES[switch, value]))
    if refused is None:
        flash(_("From now on your table plays it so."), "good")
    else:
        flash(_("Nothing was changed: the game moved on, or is over."), "bad")
    question = urlencode(asking.read(request.form).sent, doseq=True)
    return redirect(f"{url_for('grebber.ask', code=code)}?{question}", code=303)


def _considered(view: GameView, asked: Asked, number: int) -> Answer:
    """The preview of what a form says, or the form again with what is wrong."""
    entered = forms.read(request.args, number, asked.seats)
    found = problems(view.state, entered.command(correcting=asked.correcting))
    if any(one.reason in GONE for one in found):
        return _gone(view, entered, Refused(409, found, desk.entered_since(view)))
    if "change" in request.args:
        entered.errors.clear()
        return _form(view, asked, entered)
    if entered.errors or found:
        return _form(view, asked, entered, Refused(422, () if entered.errors else found))
    shown = pages.preview(view, asked, entered, since_words(desk.entered_since(view), view))
    action = _address(view, asked)
    return render_template("scores/preview.html", game=view, page=shown, action=action, token=record.new_token()), 200


def _address(view: GameView, asked: Asked) -> str:
    if asked.correcting:
        return url_for("grebber.correct", code=view.code, number=asked.hand)
    return url_for("grebber.count", code=view.code)


def _sent(view: GameView, asked: Asked, entered: Counted) -> Answer | None:
    """Let the count land; None: it did."""
    if entered.errors:
        return _form(view, asked, entered, Refused(422))
    refused = desk.send(view, entered.command(correcting=asked.correcting))
    if refused is None:
        return None
    fresh = desk.again(view)
    if any(one.reason in GONE for one in refused.problems):
        return _gone(fresh, entered, refused)
    return _form(fresh, asked, entered, refused)


def _gone(view: GameView, entered: Counted, refused: Refused) -> Answer:
    """The hand of the form is over or undone: what was entered can correct its count, where there is one."""
    if pages.is_written(view.state, entered):
        flash(_("Hand %(n)s is written down already, with exactly these points.", n=entered.hand))
        return redirect(url_for("scores.sheet", code=view.code), code=303)
    return _form(view, pages.scored(entered.hand, view.state), entered, refused, late=True)


def _form(
    view: GameView, asked: Asked, entered: Counted, refused: Refused | None = None, *, late: bool = False
) -> Answer:
    shown = pages.count_page(view, asked, entered, refused, late=late)
    page = render_template("grebber/count.html", game=view, page=shown, action=_address(view, asked))
    return page, refused.status if refused else 200

"""Grebber: counting a hand, and its questions to the referee."""

from urllib.parse import urlencode

from flask import Blueprint, abort, g, redirect, request, url_for
from flask_babel import gettext as _

from companion.forms.grebber import CountForm, QuestionForm, of_score
from companion.pages import grebber_asking as questions
from companion.pages import grebber_counting as pages
from companion.pages.refusals import refusal, said
from companion.record import GameView
from companion.referee.commands import OverruleRule
from companion.views import desk
from companion.views.notices import tell
from companion.views.scores import HandForm

bp = Blueprint("grebber", __name__, url_prefix="/g/<code>/grebber")

HandForm(bp, desk.WITH_KRUTH, pages, CountForm, of_score).add_routes("/count", "/count/<int:number>")


@bp.get("/ask")
@desk.for_game("watch", only=desk.WITH_KRUTH)
def ask(view: GameView) -> desk.Answer:
    """Is this a meld? Has to give it? Must lay now? Nothing asked here is kept."""
    form = QuestionForm(request.args)
    error, answer = next(iter(form.errors.values()), ""), questions.answer(view, form)
    return desk.page("grebber/ask.html", view, form=form, error=error, verdict=answer, status=422 if error else 200)


@bp.post("/ask")
@desk.for_game("keeper", only=desk.WITH_KRUTH)
def overrule(view: GameView) -> desk.Answer:
    """The table plays a silent rule otherwise; back to the question."""
    chosen = request.form.get("switch", "")[:40], request.form.get("value", "")[:40]
    if chosen not in questions.CHOICES:
        abort(422)
    if refused := desk.send(view, OverruleRule(chosen[0], questions.CHOICES[chosen])):
        tell(view.code, said(refusal(view, refused)), "bad")
    else:
        tell(view.code, _("From now on your table plays it so."), "good", entry=g.landed)
    question = urlencode([(name, text) for name, text in QuestionForm(request.form).pairs if text])
    return redirect(f"{url_for('grebber.ask', code=view.code)}?{question}", code=303)

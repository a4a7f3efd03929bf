"""Points at the start: those of a night begun on paper, and of late joiners. They are corrected like any others."""

from flask import Blueprint, g, request
from flask_babel import gettext as _

from companion.forms.carried import CarriedForm, accepted_offer
from companion.pages.carried import carried_page, carried_preview
from companion.pages.counting import since_words
from companion.pages.refusals import Refused
from companion.record import GameView
from companion.referee.commands import CorrectCarried, DoTogether
from companion.referee.engine import problems
from companion.views import desk
from companion.views.notices import tell

bp = Blueprint("carried", __name__, url_prefix="/g/<code>/scores/start")


@bp.get("")
@desk.for_game("keeper")
def ask(view: GameView) -> desk.Answer:
    """The form; once filled in, what it makes of the totals."""
    if not any(name.startswith("start-") for name in request.args):
        return _page(view, CarriedForm(view.state))
    form = CarriedForm(view.state, request.args)
    if "change" in request.args:
        form.clear_errors()
        return _page(view, form)
    against = problems(view.state, CorrectCarried(form.changed, form.begins))
    if form.errors or against:
        return _page(view, form, Refused(422, against))
    page = carried_preview(view, form, since_words(desk.entered_since(view), view))
    return desk.page("scores/start_preview.html", view, page=page)


@bp.post("")
@desk.for_game("keeper")
def save(view: GameView) -> desk.Answer:
    """Let other points at the start land, and with them those that late joiners are given."""
    form = CarriedForm(desk.as_loaded(view).state, request.form)
    command, given = form.command(), accepted_offer(request.form)
    if form.errors or command is None:
        return _page(view, form, Refused(422))
    if refused := desk.send(view, DoTogether((command, given)) if given else command):
        now = desk.reload(view)
        return _page(now, CarriedForm(now.state, request.form), refused)
    tell(view.code, _("The points at the start are corrected."), entry=g.landed)
    return desk.go_to("scores.sheet", view)


def _page(view: GameView, form: CarriedForm, refused: Refused | None = None) -> desk.Answer:
    return desk.page("scores/start.html", view, refused, page=carried_page(view, form, refused), form=form)

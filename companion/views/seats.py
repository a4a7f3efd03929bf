"""Who sits at the table: joining late, leaving, seats, dealer."""

from functools import partial

from flask import Blueprint, abort, g, request

from companion import record
from companion.forms.seats import JoinForm, command_of
from companion.names import BadNames
from companion.pages.refusals import Refused, event_words
from companion.pages.seats import people_page, seated
from companion.phones import devices
from companion.record import GameView
from companion.referee.commands import MoveSeats
from companion.views import desk, drafts
from companion.views.notices import tell

bp = Blueprint("seats", __name__, url_prefix="/g/<code>")


@bp.get("/players")
@desk.for_game("watch")
def players(view: GameView) -> desk.Answer:
    """Everybody at the table, who left, and the form of a late joiner."""
    return _page(view)


@bp.post("/players")
@desk.for_game("keeper")
def change(view: GameView) -> desk.Answer:
    """What a button of the page asks; each is a command of its own."""
    wanted = request.form.get("do", "")[:40]
    if wanted == "join" or drafts.only_shown():
        return _join(view)
    command = command_of(request.form) or abort(422)
    if isinstance(command, MoveSeats) and command.order == view.state.order:
        return desk.go_to(".players", view)
    refused = desk.send(view, command, f"-{wanted}")
    return _page(desk.reload(view), refused, wanted) if refused else _landed(view)


def _join(view: GameView) -> desk.Answer:
    form = JoinForm(seated(view), request.form)
    if drafts.only_shown():
        return _page(view, form=form)
    if not form.validate():
        return _page(view, form=form, status=422)
    try:
        refused = desk.attempt(view, partial(record.join, view.code, form.name.text, form.place.data), "-join")
    except BadNames as bad:
        form.refuse(bad.problems[0], view.names, view.state.away)
        return _page(view, form=form, status=422)
    return _page(desk.reload(view), refused, "join", form) if refused else _landed(view)


def _landed(view: GameView) -> desk.Answer:
    now = desk.reload(view)
    entered = record.since(view.code, g.landed - 1, now.revision)[0]
    tell(view.code, event_words(entered, now), "good", entry=entered.seq)
    return desk.go_to(".players", view)


def _page(
    view: GameView, refused: Refused | None = None, wanted: str = "", form: JoinForm | None = None, status: int = 0
) -> desk.Answer:
    form = form or JoinForm(seated(view))
    page = people_page(view, form, record.known_people(view.house_id, devices.current_id()))
    part = wanted.partition("-")[0]
    return desk.page("seats/seats.html", view, refused, page=page, form=form, refused_part=part, status=status)

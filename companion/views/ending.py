"""The end of the night: who won, closing early, playing on, once more."""

from functools import partial

from flask import Blueprint, abort, request

from companion import record
from companion.forms.numbers import ENTRY, whole
from companion.pages.ending import end_page, thrown_page
from companion.pages.refusals import Refused
from companion.phones import devices
from companion.record import GameView
from companion.referee.commands import CloseGame, Command, DiscardGame, ReopenGame, ResumeHand
from companion.referee.state import Phase
from companion.views import desk

bp = Blueprint("ending", __name__, url_prefix="/g/<code>")

_COMMANDS: dict[str, Command] = {
    "close": CloseGame(), "reopen": ReopenGame(), "resume": ResumeHand(), "discard": DiscardGame(),
}  # fmt: skip


@bp.get("/end")
@desk.for_game("watch", discarded=True)
def end(view: GameView) -> desk.Answer:
    """The standings, and who won once the night is over; of a game that was thrown away, that it was."""
    return _page(view)


@bp.post("/end")
@desk.for_game("keeper", discarded=True)
def change(view: GameView) -> desk.Answer:
    """Close the night, play on, throw the game away, or take back the entry that the page named."""
    wanted, entry = request.form.get("do", ""), whole(request.form.get("entry"), ENTRY)
    if wanted in _COMMANDS:
        refused = desk.send(view, _COMMANDS[wanted])
    elif wanted == "undo" and entry is not None:
        refused = desk.attempt(view, partial(record.undo, view.code, entry=entry))
    else:
        abort(422)
    if refused:
        return _page(desk.reload(view), refused)
    return desk.go_to(".end", view) if wanted in ("close", "discard") else desk.to_table(view)


def _page(view: GameView, refused: Refused | None = None) -> desk.Answer:
    if view.state.phase is Phase.DISCARDED:
        return desk.page("ending/thrown.html", view, refused, page=thrown_page(view, devices.current_id()))
    page = end_page(view, devices.current_id())
    return desk.page("ending/end.html", view, refused, page=page, awaits_next=page.over and not page.next)

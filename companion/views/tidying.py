"""Throwing games away that were started by mistake, several at once, and the way to take them back."""

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from flask_babel import ngettext

from companion import record
from companion.pages.tidying import since, tidy_page
from companion.phones import devices
from companion.record import lists
from companion.referee.commands import DiscardGame
from companion.referee.engine import IllegalCommand
from companion.views.desk import Answer

bp = Blueprint("tidying", __name__)

MOST = 500  # games thrown away at once


@bp.get("/games")
def games() -> Answer:
    """Every game that this phone keeps, and those it can still take back."""
    return _page()


@bp.post("/games")
def throw() -> Answer:
    """Throw the ticked games away: an entry in each of them. A game that moved on since the page was made stays."""
    device = devices.current_id()
    kept = {game.code for game in lists.kept_games(device)}
    wanted = [code for code in dict.fromkeys(request.form.getlist("game")[:MOST]) if code in kept]
    if not wanted:
        return _page(_("No game was chosen."), 422)
    thrown = sum(_throw(code, device) for code in wanted)
    flash(ngettext("%(num)s game was thrown away.", "%(num)s games were thrown away.", thrown), "good")
    if thrown < len(wanted):
        flash(_("A game that you chose went on meanwhile: it stays."), "bad")
    return redirect(url_for(".games"), code=303)


def _throw(code: str, device: int | None) -> bool:
    seen = request.form.get(f"seen-{code}", "")[:9]
    view = record.load(code)
    if view is None or seen != str(view.revision):
        return False
    try:
        record.append(code, DiscardGame(), token=record.new_token(), seen=view.revision, device=device)
    except (record.Stale, IllegalCommand):
        return False
    return True


def _page(error: str = "", status: int = 200) -> Answer:
    device = devices.current_id()
    page = tidy_page(lists.kept_games(device), lists.discarded_games(device, since()), error)
    return render_template("nights/games.html", page=page), status

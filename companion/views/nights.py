"""The nights before: their history and their statistics."""

from flask import Blueprint, render_template, request

from companion.forms.nights import NightsForm, sheet_choices
from companion.pages.nights import history_page
from companion.pages.statistics import statistics_page
from companion.phones import devices
from companion.record import many_nights

bp = Blueprint("nights", __name__)


@bp.get("/nights")
def history() -> tuple[str, int]:
    """The nights of this device, those that were asked for, a page of them."""
    device, known = here()
    form = NightsForm(request.args, sheet_choices(many_nights.sheets(device)), {row.id for row in known})
    return render_template("nights/nights.html", page=history_page(form, device, known)), 422 if form.errors else 200


@bp.get("/statistics")
def statistics() -> tuple[str, int]:
    """What the nights that ended came to; of one game at a time."""
    device, known = here()
    form = one_game(device, known)
    page = statistics_page(form, device, known)
    return render_template("nights/statistics.html", page=page), 422 if form.errors else 200


def here() -> tuple[int | None, tuple[many_nights.PersonRow, ...]]:
    """The id of this device, and the people it knows."""
    device = devices.current_id()
    return device, many_nights.people(device)


def one_game(device: int | None, known: tuple[many_nights.PersonRow, ...]) -> NightsForm:
    """What was asked, of the game played most where none was chosen: points of two games are not compared."""
    choices = sheet_choices(many_nights.sheets(device))
    return NightsForm(request.args, choices, {row.id for row in known}, choices[0].value if choices else "")

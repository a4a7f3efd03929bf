"""The nights before: their history, their statistics, and their people with what is changed about them."""

from datetime import datetime

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask_babel import format_date
from flask_babel import gettext as _

from companion.forms.fields import name_error
from companion.forms.nights import NightsForm, sheet_choices
from companion.forms.people import PersonForm
from companion.i18n import evening_of
from companion.names import BadNames
from companion.pages.nights import history_page
from companion.pages.people import people_lists, person_page
from companion.pages.statistics import statistics_page
from companion.phones import devices
from companion.record import many_nights, person_changes
from companion.record.person_trail import Changed, PersonReason, PersonRefused
from companion.views import drafts
from companion.views.desk import Answer
from companion.wording.nights import person_refusal, stay_words

bp = Blueprint("nights", __name__)

_PERSON = "/people/<int(max=999999999):person>"


@bp.get("/nights")
def history() -> tuple[str, int]:
    """The nights of this device, those that were asked for, a page of them."""
    device, known = _here()
    form = NightsForm(request.args, sheet_choices(many_nights.sheets(device)), {row.id for row in known})
    return render_template("nights/nights.html", page=history_page(form, device, known)), 422 if form.errors else 200


@bp.get("/statistics")
def statistics() -> tuple[str, int]:
    """What the nights that ended came to; of one game at a time."""
    device, known = _here()
    form = _one_game(device, known)
    page = statistics_page(form, device, known)
    return render_template("nights/statistics.html", page=page), 422 if form.errors else 200


@bp.get("/people")
def everybody() -> str:
    """Everybody who ever sat at a table of this device."""
    device, known = _here()
    shown, hidden = people_lists(device, known)
    return render_template("nights/people.html", shown=shown, hidden=hidden)


@bp.get(_PERSON)
def person(person: int) -> Answer:
    """One of them; a name that was merged leads to the person."""
    now, device, known = _now(person)
    return _page(person, device, known, PersonForm()) if now == person else _to(now)


@bp.post(_PERSON)
def change(person: int) -> Answer:
    """What a button of the page asks."""
    now, device, known = _now(person)
    form = PersonForm(request.form)
    form.validate()
    if now != person and form.do.text != "rename":  # a name is typed: it is not dropped without a word
        return _to(now)
    if not person_changes.is_keeper(now, device):
        abort(403)
    if drafts.only_shown():
        return _page(now, device, known, form)
    try:
        return _to(_changed(now, form, device))
    except BadNames as bad:
        form.refuse(name_error(bad.problems[0]))
    except PersonRefused as refused:
        form.refuse(_sentence(refused))
        return _page(*_now(now), form, 409 if refused.reason is PersonReason.MOVED_ON else 422)
    return _page(now, device, known, form, 422)


def _to(person: int) -> Answer:
    return redirect(url_for(".person", person=person), code=303)


def _now(person: int) -> tuple[int, int | None, tuple[many_nights.PersonRow, ...]]:
    """The person, or to whom a name was merged or changed, and what ``_here`` says; 404 for nobody this device knows."""
    device, known = _here()
    ids = {row.id for row in known}
    now = person if person in ids else person_changes.moved_to(person, device)
    return (now, device, known) if now is not None and now in ids else abort(404)


def _page(
    person: int, device: int | None, known: tuple[many_nights.PersonRow, ...], form: PersonForm, status: int = 200
) -> Answer:
    nights = _one_game(device, known)
    page = person_page(person, device, known, nights, form)
    return render_template("nights/person.html", page=page), 422 if nights.errors else status


def _sentence(refused: PersonRefused) -> str:
    facts = dict(refused.facts)
    if isinstance(at := facts.get("at"), datetime):
        facts["date"] = format_date(evening_of(at), "medium")
    return person_refusal(refused.reason.value, **facts)


def _changed(person: int, form: PersonForm, device: int | None) -> int:
    """Do what a button asks; who is shown next."""
    what, into, seen = form.do.text, form.into.data, form.seen.data
    match what:
        case "rename":
            changed = person_changes.rename(person, form.name.text, seen=seen, device=device)
        case "hide" | "show":
            changed = person_changes.hide(person, what == "hide", seen=seen, device=device)
        case "forget":
            person_changes.forget(person, seen=seen, device=device)
            flash(_("The name is shown nowhere any more. The numbers stay. For seven days it can be given back below."))
            return person
        case "undo":
            person = person_changes.undo(person, form.change.data, device=device)
            flash(_("Taken back."))
            return person
        case "merge":
            changed = person_changes.merge(person, into, seen=seen, device=device)
            flash(_("The two are one person now. What was changed can be taken back below."))
        case _:
            abort(422)
    return _said(changed)


def _said(changed: Changed) -> int:
    """Which nights stayed as they were, where there are some; who is shown next."""
    if changed.beyond:
        flash(stay_words(changed.beyond), "silent")
    return changed.person


def _here() -> tuple[int | None, tuple[many_nights.PersonRow, ...]]:
    """The id of this device, and the people it knows."""
    device = devices.current_id()
    return device, many_nights.people(device)


def _one_game(device: int | None, known: tuple[many_nights.PersonRow, ...]) -> NightsForm:
    """What was asked, of the game played most where none was chosen: points of two games are not compared."""
    choices = sheet_choices(many_nights.sheets(device))
    return NightsForm(request.args, choices, {row.id for row in known}, choices[0].value if choices else "")

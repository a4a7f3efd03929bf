"""The people of many nights: everybody, one of them, and what is changed about them."""

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask_babel import format_date
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from companion.forms.fields import name_error
from companion.forms.people import PersonForm
from companion.names import BadNames
from companion.pages.people import people_list, person_page
from companion.record import many_nights, person_changes
from companion.record.person_changes import PersonReason, PersonRefused
from companion.views.desk import Answer
from companion.views.nights import here, one_game
from companion.wording.nights import person_refusal

bp = Blueprint("people", __name__, url_prefix="/people")

_ONE = "/<int(max=999999999):person>"


@bp.get("")
def everybody() -> str:
    """Everybody who ever sat at a table of this device."""
    device, known = here()
    return render_template("nights/people.html", page=people_list(device, known))


@bp.get(_ONE)
def one(person: int) -> Answer:
    """One of them; a name that was merged leads to the person."""
    device, known = here()
    if (other := _elsewhere(person, known)) is not None:
        return other
    return _page(person, device, known, PersonForm())


@bp.post(_ONE)
def change(person: int) -> Answer:
    """What a button of the page asks."""
    device, known = here()
    form = PersonForm(request.form)
    form.validate()
    if (other := _elsewhere(person, known)) is not None:
        return other
    if not person_changes.is_keeper(person, device):
        abort(403)
    try:
        return redirect(url_for(".one", person=_changed(person, form, device)), code=303)
    except BadNames as bad:
        form.refuse(name_error(bad.problems[0]))
    except PersonRefused as refused:
        form.refuse(_sentence(refused))
        return _page(person, *here(), form, 409 if refused.reason is PersonReason.MOVED_ON else 422)
    return _page(person, device, known, form, 422)


def _elsewhere(person: int, known: tuple[many_nights.PersonRow, ...]) -> Response | None:
    """To whom a name was merged into; 404 for nobody this device knows."""
    if any(row.id == person for row in known):
        return None
    into = person_changes.moved_to(person)
    if into is None or all(row.id != into for row in known):
        abort(404)
    return redirect(url_for(".one", person=into), code=303)


def _page(
    person: int, device: int | None, known: tuple[many_nights.PersonRow, ...], form: PersonForm, status: int = 200
) -> Answer:
    nights = one_game(device, known)
    page = person_page(person, device, known, nights, form)
    return render_template("nights/person.html", page=page), 422 if nights.errors else status


def _sentence(refused: PersonRefused) -> str:
    facts = dict(refused.facts)
    if "at" in facts:
        facts["date"] = format_date(facts["at"], "medium")
    return person_refusal(refused.reason.value, **facts)


def _changed(person: int, form: PersonForm, device: int | None) -> int:
    """Do what a button asks; who is shown next."""
    what, into, seen = form.do.text, form.into.data, form.seen.data
    match what:
        case "rename":
            person_changes.rename(person, form.name.text, seen=seen, device=device)
        case "hide" | "show":
            person_changes.hide(person, what == "hide", seen=seen, device=device)
        case "forget":
            person_changes.forget(person, seen=seen, device=device)
            flash(_("The name is gone from every night. The numbers stay."))
        case "undo":
            person_changes.undo(person, form.change.data, device=device)
            flash(_("Taken back."))
        case "merge":
            if not person_changes.is_keeper(into, device):
                raise PersonRefused(PersonReason.NOBODY)
            person_changes.merge(person, into, seen=seen, device=device)
            flash(_("The two are one person now. What was changed can be taken back below."))
            return into
        case _:
            abort(422)
    return person

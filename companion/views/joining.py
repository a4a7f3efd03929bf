"""How phones come to a table, whose they are, and which ones are there."""

from collections.abc import Callable
from typing import Any

from flask import Blueprint, abort, flash, make_response, redirect, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.exceptions import TooManyRequests

from companion import live, record
from companion.forms.joining import CodeForm, PhoneForm, SeatForm
from companion.pages.joining import at_home, link_card, link_cards, phone_form, phone_row, players, seats, typed_at
from companion.phones import devices, links
from companion.phones.limits import TooManyTries
from companion.record import GameView, phones
from companion.views import desk
from companion.wording import form_error

bp = Blueprint("joining", __name__)


# --- from the table: for keepers ------------------------------------------------------------------------------------


@bp.get("/g/<code>/phones", endpoint="phones")
@desk.for_game("keeper")
def at_the_table(view: GameView) -> desk.Answer:
    """The links, this phone, and the others."""
    return _page(view)


@bp.get("/g/<code>/phones/<any(keeper, watch):role>")
@desk.for_game("keeper")
def code(view: GameView, role: str) -> desk.Answer:
    """A link's QR code over the whole screen, to be held out to others."""
    card = link_card(phones.game_links(view.id), role) or abort(404)
    return desk.page("joining/code.html", view, card=card, players=players(view), typed_at=typed_at())


@bp.post("/g/<code>/phones")
@desk.for_game("keeper")
def change(view: GameView) -> desk.Answer:
    """What a button of the page asks: ``me``, ``wake``, ``renew.keeper``, ``remove.3``."""
    what, _dot, about = request.form.get("do", "")[:40].partition(".")
    return _DO[what](view, about) if what in _DO else abort(422)


def _me(view: GameView, _about: str) -> desk.Answer:
    form = PhoneForm(seats(view), request.form)
    if not form.validate():
        return _page(view, form=form)
    device = devices.ensure()
    phones.take_seat(view.id, device, form.chosen)
    phones.name_device(device, form.name.data)
    flash(_("Saved."), "good")
    return desk.go_to(".phones", view)


def _wake(view: GameView, _about: str) -> desk.Answer:
    phones.new_shorts(view.id)
    return desk.go_to(".phones", view)


def _renew(view: GameView, role: str) -> desk.Answer:
    if role not in phones.ROLES:
        abort(422)
    if phones.renew(view.id, role, request.form.get("link", "")[:40], devices.ensure()):
        live.notify(view.id)
        flash(_("The old link opens nothing any more. Here is the new one."), "good")
    return desk.go_to(".phones", view)


def _remove(view: GameView, about: str) -> desk.Answer:
    number = desk.number(about)
    phone = next((member for member in phones.members(view.id) if member.number == number), None) or abort(404)
    if phone.is_first:
        return _page(view, error=_("The phone the night was started on stays: it can always let the others in again."))
    if phone.label.id == devices.current_id():
        return _page(view, error=_("This is the phone in your hand. Another keeper can remove it."))
    phones.remove(view.id, phone.number)
    live.notify(view.id)
    flash(
        _("Removed. The link that it knew opens nothing any more; here is the new one. Everybody else stays in."),
        "good",
    )
    return desk.go_to(".phones", view)


_DO: dict[str, Callable[[GameView, str], desk.Answer]] = {"me": _me, "wake": _wake, "renew": _renew, "remove": _remove}


def _page(view: GameView, *, form: PhoneForm | None = None, error: str = "") -> desk.Answer:
    members, here = phones.members(view.id), devices.current_id()
    facts: dict[str, Any] = {
        "cards": link_cards(phones.game_links(view.id), members, here), "typed_at": typed_at(), "at_home": at_home(),
        "form": form or phone_form(view, members, here), "rows": [phone_row(view, member, here) for member in members],
    }  # fmt: skip
    status = 422 if error or (form and form.errors) else 200
    return desk.page("joining/phones.html", view, error=error, status=status, **facts)


# --- from elsewhere: a code typed, a link opened --------------------------------------------------------------------


@bp.get("/join")
def typed() -> str:
    """Type the code of a table."""
    return render_template("joining/typed.html", form=CodeForm())


@bp.post("/join")
def find() -> desk.Answer:
    """From the code to what it invites to; wrong ones are counted."""
    form, device = CodeForm(request.form), devices.current_id()
    if not form.validate():
        return render_template("joining/typed.html", form=form), 422
    try:
        links.WRONG_CODES.spend(device)
    except TooManyTries as spent:
        form.code.error = form_error("too_many_codes", least=spent.minutes)
        page = render_template("joining/typed.html", form=form)
        return make_response(page, 429, {"Retry-After": str(spent.wait)})
    invitation = phones.invitation_by_short(form.code.data)
    if invitation is None:
        form.code.error = form_error("bad_code")
        return render_template("joining/typed.html", form=form), 422
    links.WRONG_CODES.take_back(device)
    return redirect(url_for("joining.invited", token=invitation.token), code=303)


@bp.get("/j/<token>")
def invited(token: str) -> desk.Answer:
    """What a link opens; nothing happens before the button is tapped."""
    invitation = phones.invitation(token)
    return _invited(invitation) if invitation else _dead()


@bp.post("/j/<token>")
def enter(token: str) -> desk.Answer:
    """Come to the table."""
    invitation = phones.invitation(token)
    if invitation is None:
        return _guessed()
    view = record.load(invitation.code) or abort(404)
    form = SeatForm(seats(view), request.form)
    if not form.validate():
        return _invited(invitation, form)
    entered = phones.enter(token, devices.ensure(), form.chosen)
    return desk.to_table(view) if entered else _dead()


def _invited(invitation: phones.Invitation, form: SeatForm | None = None) -> desk.Answer:
    view, device = record.load(invitation.code) or abort(404), devices.current_id()
    role = record.role(view.id, device) if device else None
    seat = desk.own_seat(view)
    shown = form or SeatForm(seats(view), seat="" if seat is None else seat)
    facts = {"players": players(view), "already": role in ("keeper", invitation.role), "form": shown}
    return render_template("joining/invited.html", invitation=invitation, **facts), 422 if form else 200


def _guessed() -> desk.Answer:
    """A link that opens nothing was sent; a right one is never refused for what came before it."""
    try:
        links.WRONG_CODES.spend(devices.current_id())
    except TooManyTries as spent:
        raise TooManyRequests(retry_after=spent.wait) from spent
    return _dead()


def _dead() -> desk.Answer:
    return render_template("joining/dead.html"), 404

"""How phones come to a table, whose they are, and which ones are there."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, abort, flash, g, make_response, redirect, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.exceptions import TooManyRequests
from werkzeug.wrappers import Response

from companion import live, record
from companion.forms.joining import CodeForm, PhoneForm, read_code, read_phone, read_seat
from companion.pages.joining import code_page, invited_page, phones_page
from companion.phones import devices, links
from companion.record import GameView, phones
from companion.views import desk
from companion.wording import form_error

bp = Blueprint("joining", __name__)

_Answer = Response | tuple[str, int]


# --- from the table: for keepers ------------------------------------------------------------------------------------


@bp.get("/g/<code>/phones", endpoint="phones")
def at_the_table(code: str) -> _Answer:
    """The links, this phone, and the others."""
    return _page(_kept(code))


@bp.get("/g/<code>/phones/<any(keeper, watch):role>")
def code(code: str, role: str) -> str:
    """A link's QR code over the whole screen, to be held out to others."""
    view = _kept(code)
    page = code_page(view, phones.game_links(view.id), role)
    return render_template("joining/code.html", game=view, page=page or abort(404))


@bp.post("/g/<code>/phones")
def change(code: str) -> _Answer:
    """What a button of the page asks: ``me``, ``wake``, ``renew.keeper``, ``remove.3``."""
    view = _kept(code)
    what, _dot, about = request.form.get("do", "")[:40].partition(".")
    return _DO[what](view, about) if what in _DO else abort(422)


def seat_of(view: GameView) -> int | None:
    """The seat this phone says it is, if that player is at the table: pages open from there. None for nobody's."""
    device = devices.current()
    seat = phones.seat(view.id, device.id) if device else None
    return seat if seat in view.state.order else None


def _kept(code: str) -> GameView:
    """The game, for keepers only: the page shows how to become one."""
    view = desk.game(code)
    return view if g.role == "keeper" else abort(403)


def _me(view: GameView, _about: str) -> _Answer:
    form = read_phone(request.form, view.state.order)
    if form.errors:
        return _page(view, form=form)
    device = devices.ensure().id
    phones.take_seat(view.id, device, form.chosen)
    phones.name_device(device, form.name)
    flash(_("Saved."), "good")
    return _back(view)


def _wake(view: GameView, _about: str) -> _Answer:
    phones.new_shorts(view.id)
    return _back(view)


def _renew(view: GameView, role: str) -> _Answer:
    if role not in phones.ROLES:
        abort(422)
    if phones.renew(view.id, role, request.form.get("link", "")[:40], devices.ensure().id):
        live.roles_changed(view.id)
        flash(_("The old link opens nothing any more. Here is the new one."), "good")
    return _back(view)


def _remove(view: GameView, about: str) -> _Answer:
    number, device = desk.number(about), devices.current()
    found = next((one for one in phones.members(view.id) if one.number == number), None) or abort(404)
    if found.is_first:
        return _page(view, error=_("The phone the night was started on stays: it can always let the others in again."))
    if device and found.label.id == device.id:
        return _page(view, error=_("This is the phone in your hand. Another keeper can remove it."))
    phones.remove(view.id, found.number)
    live.roles_changed(view.id)
    return _back(view)


_DO: dict[str, Callable[[GameView, str], _Answer]] = {"me": _me, "wake": _wake, "renew": _renew, "remove": _remove}


def _back(view: GameView) -> Response:
    return redirect(url_for("joining.phones", code=view.code), code=303)


def _page(view: GameView, *, form: PhoneForm | None = None, error: str = "") -> _Answer:
    device = devices.current()
    page = phones_page(
        view, phones.game_links(view.id), phones.members(view.id), device.id if device else None, form, error
    )
    status = 422 if error or (form and form.errors) else 200
    return render_template("joining/phones.html", game=view, page=page, token=record.new_token()), status


# --- from elsewhere: a code typed, a link opened --------------------------------------------------------------------


@bp.get("/join")
def typed() -> str:
    """Type the code of a table."""
    return render_template("joining/typed.html", form=CodeForm())


@bp.post("/join")
def find() -> _Answer:
    """From the code to what it invites to; wrong ones are counted."""
    form, device = read_code(request.form), devices.current()
    if form.short is None:
        return render_template("joining/typed.html", form=form), 422
    who = device.id if device else None
    try:
        links.spend_try(who)
    except links.TooManyTries as spent:
        return _too_many(form, spent.wait)
    found = phones.invitation_by_short(form.short)
    if found is None:
        form.error = form_error("bad_code")
        return render_template("joining/typed.html", form=form), 422
    links.take_back_try(who)
    return redirect(url_for("joining.invited", token=found.token), code=303)


@bp.get("/j/<token>")
def invited(token: str) -> _Answer:
    """What a link opens; nothing happens before the button is tapped."""
    found = phones.invitation(token)
    return _dead() if found is None else _invited(found)


@bp.post("/j/<token>")
def enter(token: str) -> _Answer:
    """Come to the table."""
    found = phones.invitation(token)
    if found is None:
        return _guessed()
    view = record.load(found.code) or abort(404)
    form = read_seat(request.form, view.state.order)
    if form.errors:
        return _invited(found, form)
    entered = phones.enter(token, devices.ensure().id, form.chosen)
    return desk.to_table(view) if entered else _dead()


def _invited(found: phones.Invitation, form: PhoneForm | None = None) -> _Answer:
    view, device = record.load(found.code) or abort(404), devices.current()
    now = record.role(view.id, device.id) if device else None
    seat = seat_of(view)
    here = form or PhoneForm("" if seat is None else str(seat))
    page = invited_page(view, found.token, found.role, now=now, form=here)
    return render_template("joining/invited.html", page=page), 422 if form else 200


def _too_many(form: CodeForm, wait: int) -> _Answer:
    """Kindly: how long, and what works meanwhile."""
    form.error = form_error("too_many_codes", least=-(-wait // 60))
    answer = make_response(render_template("joining/typed.html", form=form), 429)
    answer.headers["Retry-After"] = str(wait)
    return answer


def _guessed() -> _Answer:
    """A link that opens nothing was sent; a right one is never refused for what came before it."""
    device = devices.current()
    try:
        links.spend_try(device.id if device else None)
    except links.TooManyTries as spent:
        raise TooManyRequests(retry_after=spent.wait) from spent
    return _dead()


def _dead() -> _Answer:
    return render_template("joining/dead.html"), 404

"""Lists of hands of one's own: made, kept in the house, changed, removed and shared."""

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.exceptions import TooManyRequests

from companion import record
from companion.forms.lists import UNCHANGED, Changed, ListForm, form_of
from companion.forms.numbers import ENTRY, whole
from companion.pages.lists import list_page, lists_page, share_page
from companion.phones import devices
from companion.phones.limits import TooManyTries
from companion.record import own_lists
from companion.record.own_lists import Content, KeptList, ListChanged, NotKept
from companion.views import drafts
from companion.views.desk import Answer
from companion.wording import lists as words

bp = Blueprint("lists", __name__, url_prefix="/lists")


@bp.get("")
def index() -> str:
    """All lists of the house."""
    device = devices.current_id()
    return render_template("lists/lists.html", page=lists_page(own_lists.kept(device), own_lists.removed(device)))


@bp.get("/new")
def new() -> Answer:
    """A new list: empty, the one of a game (``?begin=kate``), or the one in a link that was shared."""
    form = ListForm(request.args)
    changed = form.change(f"begin-{request.args.get('begin', '')[:20]}")
    return _page(form, None, changed)


@bp.post("/new")
def make() -> Answer:
    """What a button of a new list asks."""
    return _tapped(ListForm(request.form), None)


@bp.get("/<own>")
def one(own: str) -> Answer:
    """A list that is kept, to look at and to change."""
    kept = _kept(own)
    return _page(form_of(kept.content), kept)


@bp.post("/<own>")
def change(own: str) -> Answer:
    """What a button of a list asks."""
    return _tapped(ListForm(request.form), _kept(own))


@bp.get("/<own>/share")
def share(own: str) -> str:
    """The list as a link, a code to scan, and text."""
    return render_template("lists/share.html", page=share_page(_kept(own).content), own=own)


@bp.post("/<own>/remove")
def remove(own: str) -> Answer:
    """Remove a list; it stays at the foot of the lists, to be taken back."""
    kept = own_lists.set_removed(_kept(own).code, devices.ensure(), away=True)
    if kept:
        flash(_("“%(name)s” is removed. Nights played with it stay as they are.", name=kept.content.name), "good")
    return redirect(url_for(".index"), code=303)


@bp.post("/<own>/restore")
def restore(own: str) -> Answer:
    """Take back a list that was removed."""
    kept = own_lists.load(own, devices.current_id()) or abort(404)
    try:
        own_lists.set_removed(kept.code, devices.ensure(), away=False)
        flash(_("“%(name)s” is back.", name=kept.content.name), "good")
    except NotKept as refused:
        flash(words.not_kept(refused.why), "bad")
    return redirect(url_for(".index"), code=303)


def _kept(own: str) -> KeptList:
    """The list of that code; 404 where this phone finds none."""
    kept = own_lists.load(own, devices.current_id())
    return kept if kept and not kept.is_removed else abort(404)


def _tapped(form: ListForm, kept: KeptList | None) -> Answer:
    wanted = request.form.get("do", "")[:40]
    if drafts.only_shown():
        return _page(form, kept)
    if wanted != "save":
        return _page(form, kept, form.change(wanted))
    content = form.content()
    return _save(content, form, kept) if content else _page(form, kept, status=422)


def _save(content: Content, form: ListForm, kept: KeptList | None) -> Answer:
    """Keep it, or say at the form why not."""
    token, of = request.form.get("token", "")[:100], kept.code if kept else ""
    try:
        code = own_lists.save(content, token=token, device=devices.ensure(), code=of, seen=_seen())
    except NotKept as refused:
        form.error = words.not_kept(refused.why)
        return _page(form, kept, status=422)
    except ListChanged as changed:
        form.error = words.changed_meanwhile()
        return _page(form, changed.now, status=409, seen=changed.now.revision)
    except TooManyTries as spent:
        raise TooManyRequests(retry_after=spent.wait) from spent
    flash(_("“%(name)s” is saved.", name=content.name), "good")
    return redirect(url_for(".index", _anchor=f"list-{code}"), code=303)


def _page(
    form: ListForm, kept: KeptList | None, changed: Changed = UNCHANGED, status: int = 200, seen: int = 0
) -> Answer:
    """``seen`` is the revision that a form goes on from; 0: as it says itself, or the one just loaded."""
    page, now = list_page(form, changed), kept.revision if kept else 0
    facts = {"kept": kept, "token": record.new_token(), "seen": seen or _seen() or now}
    return render_template("lists/list.html", page=page, **facts), status


def _seen() -> int:
    return whole(request.form.get("seen"), ENTRY) or 0

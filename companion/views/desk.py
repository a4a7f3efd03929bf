"""What every page about a game does first and last: find the game, let a command land once, say why not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from flask import abort, flash, g, make_response, redirect, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from companion import record, wording
from companion.forms.numbers import ENTRY, whole
from companion.pages.refusals import Refused, helpful, overruled
from companion.phones import devices
from companion.record import Accepted, EntryView, GameView, phones
from companion.referee.commands import Command, OverruleRule
from companion.referee.engine import Ambiguous, IllegalCommand, rests_on
from companion.referee.events import RuleOverruled
from companion.referee.rules import Rules
from companion.referee.state import Hand

__all__ = ["again", "attempt", "game", "in_play", "number", "say_what_it_rests_on", "send", "to_table"]


def game(code: str) -> GameView:
    """The game of this page; 404 where this phone may not see it, 403 where it may only watch and sends something."""
    view, device = record.load(code), devices.current()
    role, seat = record.role_and_seat(view.id, device.id if device else None) if view else (None, None)
    if view and role is None and phones.was_member(view.id, device.id if device else None):
        abort(make_response(render_template("joining/gone.html"), 404))  # how it comes back
    if view is None or role is None:
        abort(404)
    if request.method == "POST" and role != "keeper":
        abort(403)
    g.role, g.game, g.seat = role, view, seat
    _of_this_game(view)
    return view


#: Pages that only a game with contracts has, and those that only Grebber has.
_CONTRACTS = frozenset({"melds", "claims", "rearranging", "table.discards", "scores.save", "scores.corrected"})
_GREBBER = frozenset({"grebber"})


def _of_this_game(view: GameView) -> None:
    """404 with a way back for a page that belongs to a game of another kind."""
    strange = _GREBBER if view.state.rules is None or view.state.rules.contracts else _CONTRACTS
    if request.blueprint in strange or request.endpoint in strange:
        abort(make_response(render_template("errors/other_game.html", game=view), 404))


def again(view: GameView) -> GameView:
    """The same game as it is now."""
    return record.load(view.code) or abort(404)


def in_play(view: GameView) -> tuple[Hand, Rules]:
    """The hand in play and its rules; 409 where no hand is being played."""
    if view.state.hand is None or view.state.rules is None:
        abort(409)
    return view.state.hand, view.state.rules


def number(text: str | None) -> int | None:
    """A small whole number in ASCII figures, or None for anything else."""
    return whole(text, 3)


def keepers_game(code: str) -> GameView:
    """The game, for a page that is nothing but a form: 403 for who only watches, and has no use for it."""
    view = game(code)
    if g.role != "keeper":
        abort(403)
    return view


def as_seen(view: GameView) -> GameView:
    """The game as the form's page showed it: there a form sent twice means the same thing twice."""
    seen = whole(request.form.get("seen"), ENTRY) or 0
    if not 0 < seen < view.revision:
        return view
    before = (record.entries(view.code) or ())[seen].before
    return replace(view, state=before) if before else view


def entered_since(view: GameView) -> tuple[EntryView, ...]:
    """What was entered after the form of this address was loaded, at most 40 entries."""
    seen = whole(request.args.get("seen"), ENTRY)
    return record.since(view.code, seen, 40) if seen is not None and seen < view.revision else ()


def send(view: GameView, command: Command, suffix: str = "") -> Refused | None:
    """Let a command land once, by the form's token and the revision it saw; None: it landed.

    A form's field ``overrule`` is what the table decided there and then: it lands first, the command is judged by it.
    ``suffix`` tells apart the commands that one form can send.
    """
    refused = _overrule(view, suffix) or attempt(view, partial(record.append, view.code, command), suffix)
    if refused is None or not refused.problems:
        return refused
    state = again(view).state
    return replace(refused, status=_status(refused), helpful=helpful(state, command, refused.problems))


def _status(refused: Refused) -> int:
    """Refused after nothing but the table's own decision of a moment ago, a command is not stale."""
    chosen = overruled(request.form.get("overrule", "")[:100])
    own = chosen is not None and all(
        isinstance(one.event, RuleOverruled) and one.event.switch == chosen[0] for one in refused.since
    )
    return 422 if own else refused.status


def attempt(view: GameView, land: Callable[..., Accepted], suffix: str = "") -> Refused | None:
    """Let something land that ``record`` does (``record.undo`` say, its first arguments given); None: it landed."""
    revision = whole(request.form.get("seen"), ENTRY) or 0
    token = request.form.get("token", "")[:100] or record.new_token()
    try:
        land(token=token + suffix, seen=revision, device=devices.ensure().id)
    except IllegalCommand as refused:
        return Refused(422, refused.problems)
    except Ambiguous:
        return Refused(422)
    except record.Stale as stale:
        return Refused(409, stale.problems, stale.since)
    return None


def _overrule(view: GameView, suffix: str) -> Refused | None:
    chosen = overruled(request.form.get("overrule", "")[:100])
    if chosen is None:
        return None
    return attempt(view, partial(record.append, view.code, OverruleRule(*chosen)), f"{suffix}-rule-{chosen[0]}")


def say_what_it_rests_on(view: GameView, command: Command) -> None:
    """A notice for each silent rule that a legal command rests on (DESIGN, section 3: legal, illegal or silent)."""
    rules = view.state.rules
    for name in rests_on(view.state, command) if rules else ():
        choice = f"{wording.switch_label(name)}: {wording.switch_value(name, getattr(rules, name))}"
        flash(_("The written rules are silent here; this rests on “%(choice)s”.", choice=choice), "silent")


def to_table(view: GameView) -> Response:
    """Back to the table; 303, so that a reload sends nothing again."""
    return redirect(url_for("table.table", code=view.code), code=303)

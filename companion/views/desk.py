"""What every page about a game does first and last: find the game, let a command land once, say why not."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial, wraps
from typing import Any, TypeVar, cast

from flask import abort, g, make_response, redirect, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from companion import record
from companion.forms.numbers import ENTRY, whole
from companion.pages.refusals import Refused, chosen_value, entered_meanwhile, refusal, resolving_values
from companion.pages.verdicts import command_grounds, firm_kind, tags
from companion.phones import devices
from companion.record import Accepted, EntryView, GameView, phones
from companion.referee.commands import Command, DoTogether, OverruleRule
from companion.referee.engine import Ambiguous, IllegalCommand
from companion.referee.events import RuleOverruled
from companion.referee.games import game_of
from companion.referee.reasons import Problem
from companion.referee.rules import Rules
from companion.referee.state import Phase, Playing
from companion.views.notices import tell

_View = TypeVar("_View", bound=Callable[..., Any])
#: What a view gives back.
Answer = Response | str | tuple[str, int]


@dataclass(frozen=True, slots=True)
class Access:
    """What a page about a game asks for.

    ``role``: "watch", or "keeper" for who may enter something. ``hand_in_play``: a hand is being played.
    ``only``: which kind of game has such a page, judged by its rules; None for every game. ``discarded``: it is there for
    a game that was thrown away too.
    """

    role: str
    hand_in_play: bool = False
    only: Callable[[Rules], bool] | None = None
    discarded: bool = False


def part(name: str) -> Callable[[Rules], bool]:
    """The kind of game that has such a part (``Game.parts``)."""
    return lambda rules: name in game_of(rules).parts


WITH_CONTRACTS, WITH_POINTS, WITH_KRUTH = part("contracts"), part("points"), part("kruth")


def for_game(
    role: str,
    *,
    hand_in_play: bool = False,
    only: Callable[[Rules], bool] | None = None,
    discarded: bool = False,
) -> Callable[[Callable[..., Answer]], Callable[..., Answer]]:
    """Give a view its game in place of the code in its address, and, with ``hand_in_play``, the hand after it.

    404 where this phone may not see the game or such a game has no such page, 403 for who may only watch, 409 where no
    hand is being played. A form that was sent gets the hand that its page showed.
    """
    access = Access(role, hand_in_play, only, discarded)

    def decorate(view_function: Callable[..., Answer]) -> Callable[..., Answer]:
        @states(access)
        @wraps(view_function)
        def with_game(code: str, **values: object) -> Answer:
            view = _open(code, access)
            return view_function(view, *([playing(as_loaded(view))] if hand_in_play else []), **values)

        return with_game

    return decorate


def states(access: Access) -> Callable[[_View], _View]:
    """Note on a view what it asks for; by itself only for a view that sees to it on its own."""

    def decorate(view_function: _View) -> _View:
        cast(Any, view_function).access = access
        return view_function

    return decorate


def _open(code: str, access: Access) -> GameView:
    view, device = record.load(code), devices.current_id()
    role, seat = record.lists.role_and_seat(view.id, device) if view else (None, None)
    if view and role is None and phones.was_member(view.id, device):
        abort(make_response(render_template("joining/gone.html"), 404))  # how it comes back
    if view is None or role is None:
        abort(404)
    if access.role == "keeper" != role:
        abort(403)
    g.role, g.game, g.seat = role, view, seat
    if view.state.phase is Phase.DISCARDED and not access.discarded:
        if request.method == "POST":
            tell(code, _("This was not entered: the game was thrown away."), "bad")
        abort(redirect(url_for("ending.end", code=code), code=303 if request.method == "POST" else 302))
    if access.only and not access.only(view.state.rules):
        abort(make_response(render_template("errors/other_game.html", game=view), 404))
    return view


def reload(view: GameView) -> GameView:
    """The same game as it is now."""
    return record.load(view.code) or abort(404)


def playing(view: GameView) -> Playing:
    """The hand in play and its rules; 409 where no hand is being played."""
    return view.state.playing or abort(make_response(_no_hand(view), 409))


def _no_hand(view: GameView) -> str:
    """The page that says so: with what came since a form was made, or the last entry."""
    facts: dict[str, Any] = {"refusal": refusal(view, moved_on(view))} if request.method == "POST" else {}
    last = entered_meanwhile(record.since(view.code, view.revision - 1, 1), view)
    return render_template("errors/moved_on.html", game=view, last=last, **facts)


def own_seat(view: GameView) -> int | None:
    """The seat this phone says it is, if that player is at the table: pages open from there."""
    seat = record.lists.role_and_seat(view.id, devices.current_id())[1]
    return seat if seat in view.state.order else None


def number(text: str | None) -> int | None:
    """A small whole number in ASCII figures, or None for anything else."""
    return whole(text, 3)


def as_loaded(view: GameView) -> GameView:
    """The game as the form's page showed it: there a form sent twice means the same thing twice."""
    seen = whole(request.form.get("seen"), ENTRY) or 0
    if not 0 < seen < view.revision:
        return view
    before = (record.entries(view.code) or ())[seen].before
    return replace(view, state=before) if before else view


def entered_since(view: GameView) -> tuple[EntryView, ...]:
    """What was entered after the form that was sent, or that of this address, was loaded, at most 40 entries."""
    seen = whole(request.values.get("seen"), ENTRY)
    return record.since(view.code, seen, 40) if seen is not None and seen < view.revision else ()


def moved_on(view: GameView, problems: tuple[Problem, ...] = ()) -> Refused:
    """Refused, for the game has moved on since the form was loaded."""
    return Refused(409, problems, entered_since(view), seen=whole(request.values.get("seen"), ENTRY) or 0)


def send(view: GameView, command: Command, suffix: str = "") -> Refused | None:
    """Let a command land once, by the form's token and the revision it saw; None: it landed.

    A form's field ``overrule`` is what the table decided there and then: the command is judged by it, and both are one
    entry, that one undo takes back. The decision stands alone where the command is refused all the same.
    ``suffix`` tells apart the commands that one form can send.
    """
    chosen, alone = _chosen(), partial(attempt, view, partial(record.append, view.code, command), suffix)
    refused = _with_rule(view, chosen, command, suffix) if chosen else alone()
    if chosen and refused and (refused.problems or refused.status == 422):
        refused = overrule(view, suffix) or alone()
    if refused is None or not refused.problems:
        return refused
    resolving = resolving_values(reload(view).state, command, refused.problems)
    # Refused after nothing but the table's own decision of a moment ago, a command is not stale.
    own = chosen is not None and all(
        isinstance(entry.event, RuleOverruled) and entry.event.switch == chosen[0] for entry in refused.since
    )
    return replace(refused, status=422 if own else refused.status, resolving=resolving)


def _with_rule(view: GameView, chosen: tuple[str, object], command: Command, suffix: str) -> Refused | None:
    both = DoTogether((OverruleRule(*chosen), command))
    return attempt(view, partial(record.append, view.code, both), suffix)


def _chosen() -> tuple[str, object] | None:
    """The switch and value that the table decided on in this form."""
    return chosen_value(request.form.get("overrule", "")[:100])


def attempt(view: GameView, land: Callable[..., Accepted], suffix: str = "") -> Refused | None:
    """Let something land that ``record`` does (``record.undo`` say, its first arguments given); None: it landed.

    ``g.landed`` is then the number of its entry.
    """
    revision = whole(request.form.get("seen"), ENTRY) or 0
    token = request.form.get("token", "")[:100] or record.new_token()
    try:
        g.landed = land(token=token + suffix, seen=revision, device=devices.ensure()).revision
    except IllegalCommand as refused:
        return Refused(422, refused.problems)
    except Ambiguous:
        return Refused(422)
    except record.Stale as stale:
        spent = isinstance(stale, record.TokenSpent)
        return Refused(409, stale.problems, stale.since, seen=revision, spent=spent)
    return None


def overrule(view: GameView, suffix: str = "") -> Refused | None:
    """Let the value land that the table decided on in this form; None: it landed, or nothing was decided."""
    chosen = _chosen()
    if chosen is None:
        return None
    return attempt(view, partial(record.append, view.code, OverruleRule(*chosen)), f"{suffix}-rule-{chosen[0]}")


def say_what_it_rests_on(view: GameView, command: Command) -> None:
    """A notice with the rules that a legal command rests on (DESIGN, section 3: legal, illegal or silent)."""
    if grounds := command_grounds(view.state, command):
        look = "silent" if firm_kind(grounds) == "doubt" else "good"
        tell(view.code, _("Legal."), look, entry=g.landed, tags=tags(grounds, view.state.rules))


def page(template: str, view: GameView, refused: Refused | None = None, *, status: int = 0, **facts: Any) -> Answer:
    """A page about a game, with a token for its form; a refusal, in words, gives it its status where none is said."""
    why = refusal(view, refused) if refused else None
    html = render_template(template, game=view, token=record.new_token(), refusal=why, **facts)
    return html, status or (refused.status if refused else 200)


def go_to(endpoint: str, view: GameView, **values: Any) -> Response:
    """On to another page of the game; 303, so that a reload sends nothing again."""
    return redirect(url_for(endpoint, code=view.code, **values), code=303)


def to_table(view: GameView) -> Response:
    """Back to the table."""
    return go_to("table.table", view)

"""Who sits at the table, and what can be done about it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from flask_babel import gettext as _
from flask_babel import ngettext

from companion import wording
from companion.forms.seats import JoinForm
from companion.pages.refusals import whys
from companion.pages.verdicts import Why
from companion.record import GameView
from companion.referee.commands import (
    Command,
    DealAnew,
    JoinSeat,
    LeaveSeat,
    MoveSeats,
    ReturnToSeat,
    SetDealer,
    SitBackIn,
    SitOut,
)
from companion.referee.engine import problems
from companion.referee.scoring import starting_points
from companion.referee.standings import totals
from companion.referee.state import GameState, Hand
from companion.wording import seats as words


@dataclass(frozen=True, slots=True)
class Action:
    """A button: what it sends and says; with ``reasons`` it is no button but the reasons why not."""

    do: str
    words: str
    reasons: tuple[Why, ...]


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody at the table: ``status`` says what is special about them this hand, ``keeps`` what leaving means."""

    seat: int
    name: str
    status: str
    actions: tuple[Action, ...]
    leave: Action
    keeps: str


@dataclass(frozen=True, slots=True)
class Gone:
    """Somebody who left, and their way back."""

    name: str
    points: str
    back: Action


@dataclass(frozen=True, slots=True)
class PeoplePage:
    """Everything the page shows. ``over`` are the reasons why nothing can be changed any more.

    ``cannot_join`` are those why nobody can join, ``notes`` what joining means, ``known`` people of earlier nights.
    """

    over: tuple[Why, ...]
    hand: int | None
    players: tuple[Player, ...]
    gone: tuple[Gone, ...]
    cannot_join: tuple[Why, ...]
    notes: tuple[str, ...]
    known: tuple[str, ...]
    anew: str


def people_page(view: GameView, form: JoinForm, known: Sequence[str]) -> PeoplePage:
    """The page of a game as it stands; ``form`` is what was typed for a joiner."""
    state = view.state
    hand = state.hand if not problems(state, MoveSeats(state.order)) else None
    if form.place.error or not form.place.text:
        form.place.text = str(len(state.order))  # last, where nobody chose
    return PeoplePage(
        over=whys(problems(state, MoveSeats(state.order)), view),
        hand=hand.number if hand else None,
        players=tuple(_player(view, seat, hand) for seat in state.order),
        gone=tuple(_gone(view, seat) for seat in state.chairs if seat in state.away),
        cannot_join=whys(problems(state, JoinSeat(max(view.names) + 1)), view),
        notes=tuple(_joiner_notes(state, hand)),
        known=tuple(name for name in known if name not in view.names.values()),
        anew=_anew(view, hand),
    )


def _player(view: GameView, seat: int, hand: Hand | None) -> Player:
    name = wording.isolate(view.names[seat])
    points = totals(view.state)[seat]
    leave = _action(view, LeaveSeat(seat), f"leave-{seat}", _("%(name)s leaves", name=name))
    actions = tuple(_actions(view, seat, hand)) if hand else ()
    return Player(seat, name, _status(view.state, seat, hand), actions, leave, words.leaver_keeps(name, points))


def _actions(view: GameView, seat: int, hand: Hand) -> Iterable[Action]:
    if seat != hand.dealer:
        yield _action(view, SetDealer(hand.number, seat), f"dealer-{seat}", _("Deals this hand"))
    if seat in hand.sitting_out:
        yield _action(view, SitBackIn(hand.number, seat), f"in-{seat}", _("Plays this hand after all"))
    else:
        yield _action(view, SitOut(hand.number, seat), f"out-{seat}", _("Sits this hand out"))


def _action(view: GameView, command: Command, do: str, label: str) -> Action:
    return Action(do, label, whys(problems(view.state, command), view))


def _status(state: GameState, seat: int, hand: Hand | None) -> str:
    points = totals(state)[seat]
    said = [ngettext("%(num)s point", "%(num)s points", points)]
    if hand and seat == hand.dealer:
        said.insert(0, _("deals"))
    if hand and seat in hand.sitting_out:
        said.insert(0, _("sits this hand out"))
    return ", ".join(said)


def _gone(view: GameView, seat: int) -> Gone:
    name = wording.isolate(view.names[seat])
    points = totals(view.state)[seat]
    back = _action(view, ReturnToSeat(seat), f"return-{seat}", _("%(name)s is back", name=name))
    return Gone(name, ngettext("%(num)s point", "%(num)s points", points), back)


def seated(view: GameView) -> list[str]:
    """The names at the table, clockwise."""
    return [view.names[seat] for seat in view.state.order]


def _joiner_notes(state: GameState, hand: Hand | None) -> Iterable[str]:
    """What joining means at this table (G9.4), and that a seventh player brings a deck (G1.2)."""
    rules, summed = state.rules, totals(state)
    if rules is None or hand is None:
        return
    yield words.joiner_points(starting_points([summed[seat] for seat in state.order], rules), rules)
    if not hand.untouched:
        yield words.joiner_waits(hand.number)
    if len(state.order) >= rules.players_per_two_decks and rules.decks < 3:
        yield words.third_deck_hint(rules)


def _anew(view: GameView, hand: Hand | None) -> str:
    """What dealing anew takes away; "" where there is nothing to take away."""
    if hand is None or hand.untouched or problems(view.state, DealAnew(hand.number)):
        return ""
    return words.deal_anew_takes(hand.number, view.names[hand.dealer])

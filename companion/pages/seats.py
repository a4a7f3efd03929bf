"""Who sits at the table, and what can be done about it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from flask_babel import gettext as _

from companion import wording
from companion.forms.seats import JoinForm
from companion.pages.refusals import whys
from companion.pages.verdicts import Why
from companion.record import GameView
from companion.referee import commands
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
    """Somebody at the table, or who left: ``status`` is their points, and what is special about them this hand.

    ``way`` is the way out, and ``keeps`` what that means; or the way back.
    """

    seat: int
    name: str
    status: str
    way: Action
    actions: tuple[Action, ...] = ()
    keeps: str = ""


@dataclass(frozen=True, slots=True)
class PeoplePage:
    """Everything the page shows. ``over`` are the reasons why nothing can be changed any more.

    ``cannot_join`` are those why nobody can join, ``notes`` what joining means, ``known`` people of earlier nights.
    """

    over: tuple[Why, ...]
    hand: int | None
    players: tuple[Player, ...]
    gone: tuple[Player, ...]
    cannot_join: tuple[Why, ...]
    notes: tuple[str, ...]
    known: tuple[str, ...]
    anew: str


def people_page(view: GameView, form: JoinForm, known: Sequence[str]) -> PeoplePage:
    """The page of a game as it stands; ``form`` is what was typed for a joiner."""
    state, summed = view.state, totals(view.state)
    over = problems(state, commands.MoveSeats(state.order))
    hand = None if over else state.hand
    if form.place.error or not form.place.text:
        form.place.text = str(len(state.order))  # last, where nobody chose
    return PeoplePage(
        over=whys(over, view),
        hand=hand.number if hand else None,
        players=tuple(_player(view, seat, hand, summed[seat]) for seat in state.order),
        gone=tuple(_gone(view, seat, summed[seat]) for seat in state.chairs if seat in state.away),
        cannot_join=whys(problems(state, commands.JoinSeat(max(view.names) + 1)), view),
        notes=tuple(_joiner_notes(state, hand, summed)),
        known=tuple(name for name in known if name not in view.names.values()),
        anew=_anew(view, hand),
    )


def _player(view: GameView, seat: int, hand: Hand | None, points: int) -> Player:
    name, said = wording.isolate(view.names[seat]), [wording.points_words(points)]
    if hand and seat == hand.dealer:
        said.insert(0, _("deals"))
    if hand and seat in hand.sitting_out:
        said.insert(0, _("sits this hand out"))
    leave = _action(view, commands.LeaveSeat(seat), f"leave-{seat}", _("%(name)s leaves", name=name))
    actions = tuple(_actions(view, seat, hand)) if hand else ()
    return Player(seat, name, ", ".join(said), leave, actions, words.leaver_keeps(name, points))


def _gone(view: GameView, seat: int, points: int) -> Player:
    name = wording.isolate(view.names[seat])
    back = _action(view, commands.ReturnToSeat(seat), f"return-{seat}", _("%(name)s is back", name=name))
    return Player(seat, name, wording.points_words(points), back)


def _actions(view: GameView, seat: int, hand: Hand) -> Iterable[Action]:
    if seat != hand.dealer:
        yield _action(view, commands.SetDealer(hand.number, seat), f"dealer-{seat}", _("Deals this hand"))
    if seat in hand.sitting_out:
        yield _action(view, commands.SitBackIn(hand.number, seat), f"in-{seat}", _("Plays this hand after all"))
    else:
        yield _action(view, commands.SitOut(hand.number, seat), f"out-{seat}", _("Sits this hand out"))


def _action(view: GameView, command: commands.Command, do: str, label: str) -> Action:
    return Action(do, label, whys(problems(view.state, command), view))


def seated(view: GameView) -> list[str]:
    """The names at the table, clockwise."""
    return [view.names[seat] for seat in view.state.order]


def _joiner_notes(state: GameState, hand: Hand | None, summed: Mapping[int, int]) -> Iterable[str]:
    """What joining means at this table (G9.4), and that a seventh player brings a deck (G1.2)."""
    rules = state.rules
    if hand is None:
        return
    yield words.joiner_points(starting_points([summed[seat] for seat in state.order], rules), rules)
    if not hand.untouched:
        yield words.joiner_waits(hand.number)
    if len(state.order) >= rules.players_per_two_decks and rules.decks < 3:
        yield words.third_deck_hint(rules)


def _anew(view: GameView, hand: Hand | None) -> str:
    """What dealing anew takes away; "" where there is nothing to take away."""
    if hand is None or hand.untouched or problems(view.state, commands.DealAnew(hand.number)):
        return ""
    return words.deal_anew_takes(hand.number, view.names[hand.dealer])

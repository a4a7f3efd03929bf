"""Laying off and replacing a wild (G7.1, G8)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from companion.referee import commands, events
from companion.referee.cards import Card, Rank, Suit
from companion.referee.engine.checks import Problems, dealt_in, problem
from companion.referee.engine.copies import table_copies
from companion.referee.engine.errors import Ambiguous
from companion.referee.engine.freeing import freed, used
from companion.referee.melds import Meld
from companion.referee.reasons import Firmness, Problem, Reason
from companion.referee.rules import Kind, Rules
from companion.referee.state import Addition, GameState, TableMeld
from companion.referee.table import Play, plays

__all__ = [
    "laid_off", "lay_off", "lay_off_plays", "lay_off_problems", "replace_plays", "replace_problems",
    "replace_wild", "with_addition", "wild_replaced",
]  # fmt: skip

_LAY_OFF = ("add", "low", "high")


def lay_off_plays(state: GameState, command: commands.LayOff) -> tuple[Play, ...]:
    """The ways in which that card goes on that meld at the end the person chose, or at any (G6.2)."""
    ways = (play for play in _plays(state, command.meld, command.card) if play.action in _LAY_OFF)
    return _distinct(play for play in ways if command.end in (None, play.action) or play.action == "add")


def replace_plays(state: GameState, command: commands.ReplaceWild) -> tuple[Play, ...]:
    """The ways in which that card takes a wild's place, with the end and position the person chose (G8.1)."""
    ways = (play for play in _plays(state, command.meld, command.card) if play.action == "replace")
    chosen = (play for play in ways if command.to in (None, play.wild_to))
    return _distinct(play for play in chosen if command.position in (None, play.position))


def _plays(state: GameState, number: int, card: Card) -> tuple[Play, ...]:
    meld = state.hand.find(number) if state.hand else None
    return plays(card, meld.meld, state.rules) if meld and state.rules else ()


def _distinct(ways: Iterable[Play]) -> tuple[Play, ...]:
    return tuple(dict.fromkeys(ways))


def lay_off_problems(state: GameState, command: commands.LayOff) -> Problems:
    """Why the card cannot be laid off: not down, one's own meld, a third copy, or it does not play (G7.1)."""
    early, meld = _target(state, command.hand, command.seat, command.meld)
    if meld is None:
        return early
    found = early + _own_meld(state, meld, command.seat) + table_copies(state, (command.card,), seat=command.seat)
    return found if lay_off_plays(state, command) else (*found, _does_not_play(state, command, meld))


def replace_problems(state: GameState, command: commands.ReplaceWild) -> Problems:
    """Why no wild is replaced: not down, the table replaces none, none stands for it, no free end (G8)."""
    early, meld = _target(state, command.hand, command.seat, command.meld)
    if meld is None:
        return early
    found = early + table_copies(state, (command.card,), seat=command.seat)
    if replace_plays(state, command):
        return found
    assert state.rules is not None
    return (*found, _not_replaced(command, meld, state.rules))


def _target(state: GameState, hand: int, seat: int, number: int) -> tuple[Problems, TableMeld | None]:
    """What is wrong before the card matters, and the meld meant, if it lies there."""
    if early := dealt_in(state, hand, seat):
        return early, None
    assert state.hand is not None
    down = () if state.hand.is_down(seat) else (problem(Reason.NOT_DOWN, "G7.1", seat=seat),)
    meld = state.hand.find(number)
    if meld is None:
        return (*down, problem(Reason.NO_SUCH_MELD, "G7.1", firmness=Firmness.LOGIC, number=number)), None
    return down, meld


def _own_meld(state: GameState, meld: TableMeld, seat: int) -> Problems:
    assert state.rules is not None
    if meld.owner != seat or state.rules.lay_off_own:
        return ()
    return (problem(Reason.LAY_OFF_OWN_OFF, "G7.1", firmness=Firmness.HOWTO, rests_on="lay_off_own", seat=seat),)


def _does_not_play(state: GameState, command: commands.LayOff, meld: TableMeld) -> Problem:
    card = command.card
    if _would_play_in_a_suit(state, command):
        return problem(Reason.UNKNOWN_SUIT, "G3.2", firmness=Firmness.LOGIC, card=card)
    return problem(Reason.DOES_NOT_PLAY, "G6.2", card=card, meld=meld.meld, owner=meld.owner)


def _would_play_in_a_suit(state: GameState, command: commands.LayOff) -> bool:
    """Whether the card was named without a suit and would play in one, so that naming it helps."""
    card = command.card
    suited = (replace(command, card=replace(card, suit=suit)) for suit in Suit)
    return card.suit is None and card.rank is not Rank.JOKER and any(lay_off_plays(state, one) for one in suited)


def _not_replaced(command: commands.ReplaceWild, meld: TableMeld, rules: Rules) -> Problem:
    card = command.card
    if rules.wild_swap == "off":
        return problem(Reason.SWAP_OFF, "G8.4", rests_on="wild_swap", card=card)
    if _wild_for(command, meld.meld):
        return problem(Reason.NO_FREE_END, "G8.3", firmness=Firmness.LOGIC, card=card, meld=meld.meld, owner=meld.owner)
    rule = "G8.4" if meld.meld.kind is Kind.SET else "G8.1"
    return problem(Reason.NOTHING_TO_REPLACE, rule, card=card, meld=meld.meld, owner=meld.owner)


def _wild_for(command: commands.ReplaceWild, meld: Meld) -> bool:
    """Whether a wild of the run, at the place the person meant, stands for that very card (G8.1)."""
    if meld.kind is Kind.SET:
        return False
    at = (place for place in meld.wild_positions() if command.position in (None, place))
    return any(meld.stands_for(place) == command.card for place in at)


def _only(ways: tuple[Play, ...]) -> Play:
    if len(ways) > 1:
        raise Ambiguous(ways)
    return ways[0]


def lay_off(state: GameState, command: commands.LayOff) -> events.LaidOff:
    """The entry of a card laid off; raises Ambiguous where either end would do."""
    play = _only(lay_off_plays(state, command))
    end = play.action if play.action in ("low", "high") else None
    return events.LaidOff(command.hand, command.seat, command.meld, command.card, end, play.result)


def replace_wild(state: GameState, command: commands.ReplaceWild) -> events.WildReplaced:
    """The entry of a wild replaced; raises Ambiguous where it could go to either end."""
    play = _only(replace_plays(state, command))
    assert play.freed is not None
    assert play.wild_to is not None
    return events.WildReplaced(
        command.hand,
        command.seat,
        command.meld,
        command.card,
        play.freed,
        play.wild_to,
        play.result,
        play.position,
    )


def laid_off(state: GameState, event: events.LaidOff) -> GameState:
    """The meld is one card longer."""
    now = with_addition(state, event.meld, Addition(event.seat, event.card, event.end or "add"), event.result)
    return now if now.hand is None else replace(now, hand=used(now.hand, event.seat, (event.card,)))


def wild_replaced(state: GameState, event: events.WildReplaced) -> GameState:
    """The card lies where the wild lay, and the wild at an end of the run, in the player's hand, or still to be laid."""
    added = Addition(event.seat, event.card, "replace", event.to, event.position)
    now = with_addition(state, event.meld, added, event.result)
    if now.hand is None or event.to != "table":
        return now
    return replace(now, hand=freed(now.hand, event.seat, event.wild))


def with_addition(state: GameState, number: int, added: Addition, result: Meld) -> GameState:
    """The state with one more card on a meld; unchanged where no such meld lies."""
    if state.hand is None:
        return state
    melds = tuple(
        replace(meld, meld=result, additions=(*meld.additions, added)) if meld.number == number else meld
        for meld in state.hand.melds
    )
    return replace(state, hand=replace(state.hand, melds=melds))

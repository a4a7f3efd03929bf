"""Rearranging the table in one turn (P6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.referee import commands, events
from companion.referee.engine.checks import Problems, dealt_in, problem
from companion.referee.engine.copies import table_copies
from companion.referee.engine.freeing import used
from companion.referee.melds import Meld
from companion.referee.rearranging import rearrange_problems
from companion.referee.reasons import Firmness, Reason
from companion.referee.rules import Rules
from companion.referee.state import GameState, TableMeld

__all__ = ["rearrange", "rearrange_problems_of", "rearranged", "rearranges"]


def rearranges(rules: Rules) -> bool:
    """Whether the game rearranges at all: wilds are freed from every meld, to lie anywhere on the table (P6).

    >>> from companion.referee.games import KATE, PERU
    >>> rearranges(KATE), rearranges(PERU)
    (False, True)
    """
    return rules.wild_swap == "all" and rules.freed_wild == "table"


def rearrange_problems_of(state: GameState, command: commands.Rearrange) -> Problems:
    """Every reason against what the table would become: not down, a card unaccounted for, a meld at fault (P4–P6)."""
    if early := dealt_in(state, command.hand, command.seat):
        return early
    assert state.rules is not None
    if not rearranges(state.rules):
        return (problem(Reason.REARRANGING_OFF, "P6", firmness=Firmness.TEXT),)
    return _not_down(state, command.seat) + _gone(state, command) + _faults(state, command, state.rules)


def _not_down(state: GameState, seat: int) -> Problems:
    assert state.hand is not None
    return () if state.hand.is_down(seat) else (problem(Reason.NOT_DOWN, "P4", firmness=Firmness.TEXT, seat=seat),)


def _gone(state: GameState, command: commands.Rearrange) -> Problems:
    """Melds that do not lie there, or are given twice."""
    assert state.hand is not None
    numbers = [number for number, _ in command.changed]
    strange = (n for at, n in enumerate(numbers) if state.hand.find(n) is None or n in numbers[:at])
    return tuple(problem(Reason.NO_SUCH_MELD, "P6", firmness=Firmness.LOGIC, number=number) for number in strange)


def _faults(state: GameState, command: commands.Rearrange, rules: Rules) -> Problems:
    assert state.hand is not None
    lies, after = state.hand.melds, dict(command.changed)
    if not command.new and all(after.get(on.number, on.meld) == on.meld for on in lies) and not command.cards:
        return (problem(Reason.NOTHING_REARRANGED, "P6", firmness=Firmness.LOGIC),)
    copies = table_copies(state, command.cards, seat=command.seat)
    return rearrange_problems(lies, command.cards, after, command.new, rules) + copies


def rearrange(state: GameState, command: commands.Rearrange) -> events.Rearranged:
    """The entry of a table rearranged; melds that lie as before are left out."""
    assert state.hand is not None
    lay = {on.number: on.meld for on in state.hand.melds}
    changed = tuple((number, meld) for number, meld in command.changed if lay[number] != meld)
    return events.Rearranged(command.hand, command.seat, command.cards, changed, command.new)


def rearranged(state: GameState, event: events.Rearranged) -> GameState:
    """The table as it lies now.

    A changed meld keeps its number, its owner and its slot in the contract; it counts as laid as it lies now, for its
    cards cannot be told apart any more by who laid them. A new meld is the player's, a further one (P4).
    """
    hand = state.hand
    if hand is None:
        return state
    after = dict(event.changed)
    lies = tuple(_as_now(on, after) for on in hand.melds)
    new = tuple(TableMeld(hand.next_meld + at, event.seat, meld, meld) for at, meld in enumerate(event.new))
    grown = replace(hand, melds=lies + new, next_meld=hand.next_meld + len(new))
    return replace(state, hand=used(grown, event.seat, event.cards))


def _as_now(on: TableMeld, after: Mapping[int, Meld]) -> TableMeld:
    meld = after.get(on.number)
    return on if meld is None else replace(on, base=meld, meld=meld, additions=())

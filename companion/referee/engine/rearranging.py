"""Rearranging the table in one turn (P6)."""

from dataclasses import replace

from companion.referee import commands, events
from companion.referee.engine.checks import Problems
from companion.referee.engine.copies import table_copies
from companion.referee.engine.freeing import used
from companion.referee.rearranging import rearrange_problems
from companion.referee.reasons import Firmness, Reason, refuse
from companion.referee.rules import Rules
from companion.referee.state import Hand, Playing, TableMeld


def rearranges(rules: Rules) -> bool:
    """Whether the game rearranges at all: wilds are freed from every meld, to lie anywhere on the table (P6).

    >>> from companion.referee.games import KATE, PERU
    >>> rearranges(KATE), rearranges(PERU)
    (False, True)
    """
    return rules.wild_swap == "all" and rules.freed_wild == "table"


def rearrange_problems_of(playing: Playing, command: commands.Rearrange) -> Problems:
    """Every reason against what the table would become: not down, a card unaccounted for, a meld at fault (P4–P6)."""
    if not rearranges(playing.rules):
        return refuse(Reason.REARRANGING_OFF, "G8.1", Firmness.KATE)
    is_down = playing.hand.is_down(command.seat)
    not_down = () if is_down else refuse(Reason.NOT_DOWN, "P4", Firmness.TEXT, seat=command.seat)
    return not_down + _gone(playing.hand, command) + _faults(playing, command)


def _gone(hand: Hand, command: commands.Rearrange) -> Problems:
    """Melds that do not lie there, or are given twice."""
    numbers = [number for number, _ in command.changed]
    strange = [number for at, number in enumerate(numbers) if hand.find(number) is None or number in numbers[:at]]
    return tuple(problem for number in strange for problem in refuse(Reason.NO_SUCH_MELD, "P6", number=number))


def _faults(playing: Playing, command: commands.Rearrange) -> Problems:
    lies, after = playing.hand.melds, dict(command.changed)
    if not command.new and all(after.get(on.number, on.meld) == on.meld for on in lies) and not command.cards:
        return refuse(Reason.NOTHING_REARRANGED, "P6")
    problems = rearrange_problems(lies, command.cards, after, command.new, playing.rules)
    return problems + table_copies(playing, command.cards, seat=command.seat)


def rearrange(playing: Playing, command: commands.Rearrange) -> events.Rearranged:
    """The entry of a table rearranged; melds that lie as before are left out."""
    lay = {on.number: on.meld for on in playing.hand.melds}
    changed = tuple((number, meld) for number, meld in command.changed if lay[number] != meld)
    return events.Rearranged(command.hand, command.seat, command.cards, changed, command.new)


def rearranged(playing: Playing, event: events.Rearranged) -> Hand:
    """The table as it lies now.

    A changed meld keeps its number, its owner and its slot in the contract; it counts as laid as it lies now, for its
    cards cannot be told apart any more by who laid them. A new meld is the player's, a further one (P4).
    """
    hand, after = playing.hand, dict(event.changed)
    lies = tuple(
        replace(on, base=after[on.number], meld=after[on.number], additions=()) if on.number in after else on
        for on in hand.melds
    )
    new = tuple(TableMeld(hand.next_meld + at, event.seat, meld, meld) for at, meld in enumerate(event.new))
    return used(replace(hand, melds=lies + new, next_meld=hand.next_meld + len(new)), event.seat, event.cards)

"""Putting a meld right after others laid off on it: what stays, what goes (G4, G7.1)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.referee import commands, events
from companion.referee.contracts import pair_problems
from companion.referee.engine.checks import Problems, in_hand, problem
from companion.referee.engine.copies import table_copies
from companion.referee.engine.freeing import not_freed
from companion.referee.engine.go_down import FURTHER_SIZE
from companion.referee.melds import Meld, meld_problems
from companion.referee.reasons import Firmness, Problem, Reason
from companion.referee.rules import Rules, Slot
from companion.referee.state import Addition, GameState, TableMeld
from companion.referee.table import Play, plays

__all__ = ["Correction", "correct_meld", "correct_meld_problems", "correction_preview", "meld_corrected"]


@dataclass(frozen=True, slots=True)
class Correction:
    """What a correction does: the meld afterwards (None: it leaves the table), and the laid-off cards.

    ``kept`` and ``dropped`` are pairs of meld number and addition, in the order they were laid; the dropped
    ones go back to the hands they came from.
    """

    result: Meld | None
    kept: tuple[tuple[int, Addition], ...] = ()
    dropped: tuple[tuple[int, Addition], ...] = ()


@dataclass(frozen=True, slots=True)
class _Replayed:
    """A corrected meld with the additions that still fit, by their numbers."""

    result: Meld
    kept: tuple[int, ...]
    dropped: tuple[int, ...]


def correction_preview(state: GameState, command: commands.CorrectMeld | commands.TakeBackGoingDown) -> Correction:
    """What would change, for the screen that asks first; empty where the command means nothing here."""
    hand = state.hand
    if hand is None or command.hand != hand.number:
        return Correction(None)
    if isinstance(command, commands.TakeBackGoingDown):
        return Correction(None, dropped=_all_additions(hand.melds_of(command.seat)))
    meld = hand.find(command.meld)
    return Correction(None) if meld is None else _preview(state, meld, command.base)


def _preview(state: GameState, meld: TableMeld, base: Meld | None) -> Correction:
    if base is None or state.rules is None:
        return Correction(None, dropped=_all_additions((meld,)))
    replayed = _replay(base, meld.additions, state.rules)
    kept = tuple((meld.number, meld.additions[index]) for index in replayed.kept)
    dropped = tuple((meld.number, meld.additions[index]) for index in replayed.dropped)
    return Correction(replayed.result, kept, dropped)


def _all_additions(melds: tuple[TableMeld, ...]) -> tuple[tuple[int, Addition], ...]:
    return tuple((meld.number, added) for meld in melds for added in meld.additions)


def _replay(base: Meld, additions: tuple[Addition, ...], rules: Rules) -> _Replayed:
    """Lay every addition again, in order, on the corrected meld; those that fit nowhere are dropped."""
    kept: list[int] = []
    for index, added in enumerate(additions):
        if (play := _same_way(added, base, rules)) is not None:
            base = play.result
            kept.append(index)
    dropped = tuple(index for index in range(len(additions)) if index not in kept)
    return _Replayed(base, tuple(kept), dropped)


def _same_way(added: Addition, meld: Meld, rules: Rules) -> Play | None:
    """The play of that card that does what it did before; a replaced wild may have to go to the other end."""
    ways = [play for play in plays(added.card, meld, rules) if play.action == added.action]
    exact = [play for play in ways if play.wild_to == added.wild_to]
    return next(iter(exact or ways), None)


def correct_meld_problems(state: GameState, command: commands.CorrectMeld) -> Problems:
    """Every reason against the corrected meld in its slot, beside the owner's others and the table (G4, G1.1)."""
    if early := in_hand(state, command.hand):
        return early
    assert state.hand is not None
    meld = state.hand.find(command.meld)
    if meld is None:
        number = command.meld
        return (problem(Reason.NO_SUCH_MELD, "G4.2", firmness=Firmness.LOGIC, number=number),)
    return () if command.base is None else _base_problems(state, meld, command.base)


def _base_problems(state: GameState, meld: TableMeld, base: Meld) -> Problems:
    assert state.rules is not None
    slot = _slot(state, meld, base)
    if base.kind is not slot.kind:
        return (problem(Reason.MISSING_MELD, "G3.6", firmness=Firmness.LOGIC, kind=slot.kind.value, size=slot.size),)
    found = tuple(meld_problems(base, state.rules, slot))
    if found:
        return found
    done = _replay(base, meld.additions, state.rules)
    assert state.hand is not None
    hand = not_freed(state.hand, [meld.additions[index] for index in done.dropped], done.result.cards)
    copies = table_copies(replace(state, hand=hand), done.result.cards, lifted=meld.meld.cards)
    return _across(state, meld, base) + copies


def _slot(state: GameState, meld: TableMeld, base: Meld) -> Slot:
    contract = state.contract
    if meld.slot is None or contract is None or meld.slot >= len(contract.slots):
        return Slot(base.kind, FURTHER_SIZE)
    return contract.slots[meld.slot]


def _across(state: GameState, meld: TableMeld, base: Meld) -> tuple[Problem, ...]:
    """Two sets of one rank or two runs of one suit where the table forbids them (G4.5)."""
    assert state.hand is not None
    assert state.rules is not None
    others = tuple(one.base for one in state.hand.melds_of(meld.owner) if one.number != meld.number)
    pairs = pair_problems((*others, base), state.rules)
    return tuple(fault for fault in pairs if fault.facts["other_index"] == len(others))


def correct_meld(state: GameState, command: commands.CorrectMeld) -> events.MeldCorrected:
    """The entry of a corrected meld, with the laid-off cards that stay and go."""
    assert state.hand is not None
    assert state.rules is not None
    meld = state.hand.find(command.meld)
    assert meld is not None
    if command.base is None:
        everything = tuple(range(len(meld.additions)))
        return events.MeldCorrected(command.hand, command.meld, None, dropped=everything)
    done = _replay(command.base, meld.additions, state.rules)
    return events.MeldCorrected(command.hand, command.meld, done.result, done.kept, done.dropped, base=command.base)


def meld_corrected(state: GameState, event: events.MeldCorrected) -> GameState:
    """The meld as it lies now, or gone; its owner stays down either way."""
    hand = state.hand
    if hand is None:
        return state
    melds = tuple(
        new for old in hand.melds if (new := _corrected(old, event) if old.number == event.meld else old) is not None
    )
    old = hand.find(event.meld)
    dropped = [old.additions[index] for index in event.dropped if 0 <= index < len(old.additions)] if old else []
    back = event.result.cards if event.result else ()
    return replace(state, hand=not_freed(replace(hand, melds=melds), dropped, back))


def _corrected(old: TableMeld, event: events.MeldCorrected) -> TableMeld | None:
    if event.result is None:
        return None
    kept = tuple(old.additions[index] for index in event.kept if 0 <= index < len(old.additions))
    base = event.result if event.base is None else event.base
    return replace(old, base=base, meld=event.result, additions=kept)

"""Going down, further melds, and taking or putting right what was laid (G4)."""

from __future__ import annotations

from dataclasses import replace

from companion.referee import commands, events
from companion.referee.engine.checks import Problems, at_table, dealt_in, in_hand, problem
from companion.referee.engine.copies import table_copies
from companion.referee.lay_down import lay_down_problems
from companion.referee.melds import Meld, meld_problems
from companion.referee.reasons import Firmness, Reason
from companion.referee.rules import Contract, Slot
from companion.referee.state import GameState, TableMeld

__all__ = [
    "FURTHER_SIZE", "blind", "blind_problems", "free_slots", "go_down", "go_down_problems", "take_back",
    "take_back_problems", "taken_back", "went_blind", "went_down",
]  # fmt: skip

#: The least number of cards of a meld beyond the contract (G4.4).
FURTHER_SIZE = 3

_ACROSS = (Reason.SAME_RANK_SETS, Reason.SAME_SUIT_RUNS)


def free_slots(state: GameState, seat: int) -> tuple[int, ...]:
    """The contract's slots that the player has no meld on the table for: all of them before going down."""
    if state.hand is None or state.contract is None:
        return ()
    filled = {meld.slot for meld in state.hand.melds_of(seat)}
    return tuple(slot for slot in range(len(state.contract.slots)) if slot not in filled)


def go_down_problems(state: GameState, command: commands.GoDown) -> Problems:
    """Every reason against these melds: the contract's first, then what is on the table already (G4, G1.1)."""
    if early := dealt_in(state, command.hand, command.seat):
        return early
    free = free_slots(state, command.seat)
    found = _contract_problems(state, command, free) if free else _further_problems(state, command)
    cards = tuple(card for meld in command.melds for card in meld.cards)
    named = {fault.facts.get("card") for fault in found if fault.reason is Reason.TOO_MANY_COPIES}
    return found + tuple(fault for fault in table_copies(state, cards) if fault.facts["card"] not in named)


def _contract_problems(state: GameState, command: commands.GoDown, free: tuple[int, ...]) -> Problems:
    """The melds against the slots that are open; with some filled already, also against those melds (G4.5)."""
    contract, rules, hand = state.contract, state.rules, state.hand
    assert contract is not None and rules is not None and hand is not None
    rest = Contract(tuple(contract.slots[slot] for slot in free))
    found = tuple(lay_down_problems(command.melds, rest, rules))
    if len(free) == len(contract.slots):
        return found
    whole = _in_slots(contract, hand.melds_of(command.seat), dict(zip(free, command.melds, strict=False)))
    across = (fault for fault in lay_down_problems(whole, contract, rules) if fault.reason in _ACROSS)
    return found + tuple(fault for fault in across if fault.reason not in {one.reason for one in found})


def _in_slots(contract: Contract, lying: tuple[TableMeld, ...], fresh: dict[int, Meld]) -> tuple[Meld, ...]:
    """The melds of one player in the contract's order, as they were laid, some of them new."""
    by_slot = {meld.slot: meld.base for meld in lying if meld.slot is not None} | fresh
    return tuple(by_slot[slot] for slot in range(len(contract.slots)) if slot in by_slot)


def _further_problems(state: GameState, command: commands.GoDown) -> Problems:
    rules = state.rules
    assert rules is not None
    if not rules.extra_melds:
        return (problem(Reason.ALREADY_DOWN, "G4.4", firmness=Firmness.SILENT, rests_on="extra_melds", seat=command.seat),)
    if not command.melds:
        return (problem(Reason.MISSING_MELD, "G4.4", firmness=Firmness.LOGIC, kind="set", size=FURTHER_SIZE),)
    return tuple(
        fault
        for meld in command.melds
        for fault in meld_problems(meld, rules, Slot(meld.kind, FURTHER_SIZE))
    )


def go_down(state: GameState, command: commands.GoDown) -> events.WentDown:
    """The entry of melds laid."""
    return events.WentDown(command.hand, command.seat, command.melds)


def went_down(state: GameState, event: events.WentDown) -> GameState:
    """The player is down; the melds fill the open slots of the contract in order, the rest are further ones."""
    hand = state.hand
    if hand is None:
        return state
    free = free_slots(state, event.seat)
    slots = (*free, *(None for _ in event.melds))
    laid = tuple(
        TableMeld(hand.next_meld + index, event.seat, meld, meld, slot=slots[index])
        for index, meld in enumerate(event.melds)
    )
    grown = replace(
        hand, down=hand.down | {event.seat}, melds=hand.melds + laid, next_meld=hand.next_meld + len(laid)
    )
    return replace(state, hand=grown)


def blind_problems(state: GameState, command: commands.GoDownWithoutCards) -> Problems:
    """Why the player cannot be noted as down: they are."""
    if early := dealt_in(state, command.hand, command.seat):
        return early
    assert state.hand is not None
    if not state.hand.is_down(command.seat):
        return ()
    return (problem(Reason.ALREADY_DOWN, "G4.2", firmness=Firmness.LOGIC, seat=command.seat),)


def blind(state: GameState, command: commands.GoDownWithoutCards) -> events.WentDownWithoutCards:
    """The entry of somebody who is down, cards unseen."""
    return events.WentDownWithoutCards(command.hand, command.seat)


def went_blind(state: GameState, event: events.WentDownWithoutCards) -> GameState:
    """The player is down."""
    hand = state.hand
    return state if hand is None else replace(state, hand=replace(hand, down=hand.down | {event.seat}))


def take_back_problems(state: GameState, command: commands.TakeBackGoingDown) -> Problems:
    """Why there is nothing to take back: the player is not down, whether they are still here or not."""
    if early := in_hand(state, command.hand):
        return early
    assert state.hand is not None
    if command.seat in state.hand.down or state.hand.melds_of(command.seat):
        return ()
    if command.seat not in state.order:
        return at_table(state, command.seat)
    return (problem(Reason.NOT_DOWN, "G4.2", firmness=Firmness.LOGIC, seat=command.seat),)


def take_back(state: GameState, command: commands.TakeBackGoingDown) -> events.GoingDownTakenBack:
    """The entry of somebody who is not down after all."""
    return events.GoingDownTakenBack(command.hand, command.seat)


def taken_back(state: GameState, event: events.GoingDownTakenBack) -> GameState:
    """Their melds leave the table with everything laid off on them; who is not down does not float either."""
    hand = state.hand
    if hand is None:
        return state
    melds = tuple(meld for meld in hand.melds if meld.owner != event.seat)
    gone = frozenset({event.seat})
    return replace(state, hand=replace(hand, down=hand.down - gone, floating=hand.floating - gone, melds=melds))

"""Going down, further melds, and taking or putting right what was laid (G4)."""

from __future__ import annotations

from dataclasses import replace

from companion.referee import commands, events
from companion.referee.contracts import assign, lay_down_problems, pair_problems
from companion.referee.engine.checks import Problems, at_table, dealt_in, in_hand, problem
from companion.referee.engine.copies import table_copies
from companion.referee.engine.freeing import not_freed, used
from companion.referee.reasons import Firmness, Problem, Reason
from companion.referee.rules import Contract
from companion.referee.state import GameState, TableMeld

__all__ = [
    "FURTHER_SIZE", "blind", "blind_problems", "free_slots", "go_down", "go_down_problems", "take_back",
    "take_back_problems", "taken_back", "went_blind", "went_down",
]  # fmt: skip

#: The least number of cards of a meld beyond the contract (G4.4).
FURTHER_SIZE = 3


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
    rest = _open_contract(state, command.seat)
    found = _contract_problems(state, command, rest) if rest else _further_problems(state, command)
    cards = tuple(card for meld in command.melds for card in meld.cards)
    named = {fault.facts.get("card") for fault in found if fault.reason is Reason.TOO_MANY_COPIES}
    return found + tuple(
        fault for fault in table_copies(state, cards, seat=command.seat) if fault.facts["card"] not in named
    )


def _open_contract(state: GameState, seat: int) -> Contract | None:
    """What the player still has to lay: the whole contract before going down, None once all of it lies there."""
    free, contract = free_slots(state, seat), state.contract
    return Contract(tuple(contract.slots[slot] for slot in free)) if free and contract else None


def _contract_problems(state: GameState, command: commands.GoDown, rest: Contract) -> Problems:
    assert state.rules is not None
    return lay_down_problems(command.melds, rest, state.rules) + _beside_own(state, command)


def _beside_own(state: GameState, command: commands.GoDown) -> Problems:
    """Two sets of one rank, or runs of one suit, one lying there and one new, where that is forbidden (G4.5)."""
    assert state.hand is not None
    assert state.rules is not None
    lying = tuple(meld.base for meld in state.hand.melds_of(command.seat))
    pairs = pair_problems((*lying, *command.melds), state.rules)
    return tuple(fault for fault in pairs if _spans(fault, len(lying)))


def _spans(fault: Problem, border: int) -> bool:
    """Whether a fault of two melds is of one before and one after the border."""
    one, other = fault.facts["index"], fault.facts["other_index"]
    assert isinstance(one, int)
    assert isinstance(other, int)
    return one < border <= other


def _further_problems(state: GameState, command: commands.GoDown) -> Problems:
    rules = state.rules
    assert rules is not None
    if not rules.extra_melds:
        firmness = Firmness.SILENT
        return (problem(Reason.ALREADY_DOWN, "G4.4", firmness=firmness, rests_on="extra_melds", seat=command.seat),)
    if not command.melds:
        return (problem(Reason.MISSING_MELD, "G4.4", firmness=Firmness.LOGIC, kind="set", size=FURTHER_SIZE),)
    return lay_down_problems(command.melds, Contract(()), rules) + _beside_own(state, command)


def go_down(state: GameState, command: commands.GoDown) -> events.WentDown:
    """The entry of melds laid: those of the contract in its order, then the further ones."""
    rest = _open_contract(state, command.seat)
    filling = assign(command.melds, rest) if rest else ()
    first = tuple(command.melds[index] for index in filling if index is not None)
    further = tuple(meld for index, meld in enumerate(command.melds) if index not in filling)
    return events.WentDown(command.hand, command.seat, first + further)


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
    grown = replace(hand, down=hand.down | {event.seat}, melds=hand.melds + laid, next_meld=hand.next_meld + len(laid))
    return replace(state, hand=used(grown, event.seat, [card for meld in event.melds for card in meld.cards]))


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
    freed = tuple(one for one in hand.freed if one[0] != event.seat)
    now = replace(hand, down=hand.down - gone, floating=hand.floating - gone, melds=melds, freed=freed)
    lifted = [added for meld in hand.melds_of(event.seat) for added in meld.additions]
    return replace(state, hand=not_freed(now, lifted))

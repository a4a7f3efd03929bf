"""Going down, further melds, and taking or putting right what was laid (G4)."""

from dataclasses import replace

from companion.referee import commands, events
from companion.referee.contracts import assign, further_kinds, lay_down_problems, pair_problems
from companion.referee.engine.checks import Problems, at_table
from companion.referee.engine.copies import table_copies
from companion.referee.engine.freeing import not_freed, used
from companion.referee.reasons import Firmness, Reason, refuse
from companion.referee.rules import Contract, Rules
from companion.referee.state import GameState, Hand, Playing, TableMeld

#: The least number of cards of a meld beyond the contract (G4.4).
FURTHER_SIZE = 3


def free_slots(state: GameState, seat: int) -> tuple[int, ...]:
    """The contract's slots that the player has no meld on the table for: all of them before going down."""
    contract = state.contract_of(seat)
    if state.hand is None or contract is None:
        return ()
    filled = {meld.slot for meld in state.hand.melds_of(seat)}
    return tuple(slot for slot in range(len(contract.slots)) if slot not in filled)


def go_down_problems(playing: Playing, command: commands.GoDown) -> Problems:
    """Every reason against these melds: the contract's first, then what is on the table already (G4, G1.1)."""
    rest = _open_contract(playing.state, command.seat)
    problems = _meld_problems(playing, command, rest) if rest else _further_problems(playing, command)
    cards = tuple(card for meld in command.melds for card in meld.cards)
    named = {problem.facts.get("card") for problem in problems if problem.reason is Reason.TOO_MANY_COPIES}
    copies = table_copies(playing, cards, seat=command.seat)
    return problems + tuple(problem for problem in copies if problem.facts["card"] not in named)


def _open_contract(state: GameState, seat: int) -> Contract | None:
    """What the player still has to lay: the whole contract before going down, None once all of it lies there."""
    free, contract = free_slots(state, seat), state.contract_of(seat)
    return Contract(tuple(contract.slots[slot] for slot in free)) if free and contract else None


def _meld_problems(playing: Playing, command: commands.GoDown, contract: Contract | None) -> Problems:
    """The faults of the melds laid, and of pairs of one lying there and one new where that is forbidden (G4.5)."""
    rules, lying = playing.rules_of(command.seat), tuple(meld.base for meld in playing.hand.melds_of(command.seat))
    pairs = pair_problems((*lying, *command.melds), rules)
    beside = tuple(pair for pair in pairs if pair.facts["index"] < len(lying) <= pair.facts["other_index"])
    whole = playing.state.contract_of(command.seat)
    if whole and whole.is_everything and last_turns(playing, command.seat):
        return _last_turn_problems(command, rules)
    further = further_kinds(whole, rules, later=contract is None) if whole else ()
    return lay_down_problems(command.melds, contract, rules, further) + beside


def last_turns(playing: Playing | None, seat: int) -> bool:
    """Whether another player is out and everybody else has one more turn, in which they lay what melds they have."""
    if playing is None or playing.rules.after_out != "one_turn_each":
        return False
    return bool(playing.hand.down - {seat})


def _last_turn_problems(command: commands.GoDown, rules: Rules) -> Problems:
    """The faults of what somebody lays after another is out: any melds, as long as a card is left to throw."""
    if not command.melds:
        return refuse(Reason.MISSING_MELD, "G4.4", least=FURTHER_SIZE)
    laid = sum(meld.size for meld in command.melds)
    many = refuse(Reason.NOT_ALL_DEALT, "G4.2", laid=laid, dealt=rules.hand_size) if laid > rules.hand_size else ()
    return lay_down_problems(command.melds, None, rules, rules.kinds) + many


def _further_problems(playing: Playing, command: commands.GoDown) -> Problems:
    contract = playing.state.contract_of(command.seat)
    if contract and contract.is_everything:  # nothing is left to lay, whatever the table plays
        return refuse(Reason.ALREADY_DOWN, "G4.4", seat=command.seat)
    if not playing.rules.extra_melds:
        return refuse(Reason.ALREADY_DOWN, "G4.4", Firmness.SILENT, rests_on="extra_melds", seat=command.seat)
    if not command.melds:
        return refuse(Reason.MISSING_MELD, "G4.4", least=FURTHER_SIZE)
    return _meld_problems(playing, command, None)


def go_down(playing: Playing, command: commands.GoDown) -> events.WentDown:
    """The entry of melds laid: those of the contract in its order, then the further ones."""
    rest = _open_contract(playing.state, command.seat)
    filling = assign(command.melds, rest) if rest else ()
    first = tuple(command.melds[index] for index in filling if index is not None)
    further = tuple(meld for index, meld in enumerate(command.melds) if index not in filling)
    return events.WentDown(command.hand, command.seat, first + further)


def went_down(playing: Playing, event: events.WentDown) -> Hand:
    """The player is down; the melds fill the open slots of the contract in order, the rest are further ones."""
    hand = playing.hand
    slots = (*free_slots(playing.state, event.seat), *(None for _ in event.melds))
    laid = tuple(
        TableMeld(hand.next_meld + index, event.seat, meld, meld, slot=slots[index])
        for index, meld in enumerate(event.melds)
    )
    grown = replace(hand, down=hand.down | {event.seat}, melds=hand.melds + laid, next_meld=hand.next_meld + len(laid))
    return used(grown, event.seat, [card for meld in event.melds for card in meld.cards])


def blind_problems(playing: Playing, command: commands.GoDownWithoutCards) -> Problems:
    """Why the player cannot be noted as down: they are."""
    is_down = playing.hand.is_down(command.seat)
    return refuse(Reason.ALREADY_DOWN, "G4.2", seat=command.seat) if is_down else ()


def take_back_problems(playing: Playing, command: commands.TakeBackGoingDown) -> Problems:
    """Why there is nothing to take back: the player is not down, whether they are still here or not."""
    if command.seat in playing.hand.down or playing.hand.melds_of(command.seat):
        return ()
    return at_table(playing.state, command) or refuse(Reason.NOT_DOWN, "G4.2", seat=command.seat)


def taken_back(playing: Playing, event: events.GoingDownTakenBack) -> Hand:
    """Their melds leave the table with everything laid off on them; who is not down does not float either."""
    hand, gone = playing.hand, frozenset({event.seat})
    melds = tuple(meld for meld in hand.melds if meld.owner != event.seat)
    freed = tuple((seat, wild) for seat, wild in hand.freed if seat != event.seat)
    left = replace(hand, down=hand.down - gone, floating=hand.floating - gone, melds=melds, freed=freed)
    return not_freed(left, [added for meld in hand.melds_of(event.seat) for added in meld.additions])

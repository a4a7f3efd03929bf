"""Putting a meld right after others laid off on it: what stays, what goes (G4, G7.1)."""

from dataclasses import dataclass, replace
from typing import NamedTuple

from companion.referee import commands, events
from companion.referee.contracts import pair_problems
from companion.referee.engine.checks import Problems
from companion.referee.engine.copies import table_copies
from companion.referee.engine.freeing import not_freed
from companion.referee.melds import Meld, meld_problems
from companion.referee.reasons import Reason, refuse
from companion.referee.rules import Rules, Slot
from companion.referee.state import Addition, GameState, Hand, Playing, TableMeld
from companion.referee.table import Play, plays


@dataclass(frozen=True, slots=True)
class Correction:
    """What a correction does: the meld afterwards (None: it leaves the table), and the laid-off cards.

    ``kept`` and ``dropped`` are pairs of meld number and addition, in the order they were laid; the dropped
    ones go back to the hands they came from.
    """

    result: Meld | None
    kept: tuple[tuple[int, Addition], ...] = ()
    dropped: tuple[tuple[int, Addition], ...] = ()


class _Replayed(NamedTuple):
    """A corrected meld with the additions that still fit, by their numbers; no meld keeps none."""

    result: Meld | None
    kept: tuple[int, ...]
    dropped: tuple[int, ...]


def correction_preview(state: GameState, command: commands.CorrectMeld | commands.TakeBackGoingDown) -> Correction:
    """What would change, for the screen that asks first; empty where the command means nothing here."""
    hand = state.hand
    if hand is None or command.hand != hand.number:
        return Correction(None)
    if isinstance(command, commands.TakeBackGoingDown):
        melds = hand.melds_of(command.seat)
        return Correction(None, dropped=tuple((meld.number, added) for meld in melds for added in meld.additions))
    meld = hand.find(command.meld)
    return Correction(None) if meld is None else _preview(meld, command.base, state.hand_rules)


def _preview(meld: TableMeld, base: Meld | None, rules: Rules) -> Correction:
    result, kept, dropped = _replay(base, meld.additions, rules)
    additions = [(meld.number, added) for added in meld.additions]
    return Correction(result, tuple(additions[index] for index in kept), tuple(additions[index] for index in dropped))


def _replay(base: Meld | None, additions: tuple[Addition, ...], rules: Rules) -> _Replayed:
    """Lay every addition again, in order, on the corrected meld; those that fit nowhere are dropped."""
    kept: list[int] = []
    for index, added in enumerate(additions):
        if base and (play := _same_way(added, base, rules)):
            base = play.result
            kept.append(index)
    dropped = tuple(index for index in range(len(additions)) if index not in kept)
    return _Replayed(base, tuple(kept), dropped)


def _same_way(added: Addition, meld: Meld, rules: Rules) -> Play | None:
    """The play of that card that does what it did before; a replaced wild may have to go to the other end."""
    ways = [play for play in plays(added.card, meld, rules) if play.action == added.action]
    exact = [play for play in ways if play.wild_to == added.wild_to]
    return next(iter(exact or ways), None)


def correct_meld_problems(playing: Playing, command: commands.CorrectMeld) -> Problems:
    """Every reason against the corrected meld in its slot, beside the owner's others and the table (G4, G1.1)."""
    meld = playing.hand.find(command.meld)
    if meld is None:
        return refuse(Reason.NO_SUCH_MELD, "G4.2", number=command.meld)
    return () if command.base is None else _base_problems(playing, meld, command.base)


def _base_problems(playing: Playing, meld: TableMeld, base: Meld) -> Problems:
    slot = _slot(playing.state, meld)
    if slot and base.kind is not slot.kind:
        return refuse(Reason.MISSING_MELD, "G3.6", meld=base, kind=slot.kind.value, size=slot.size)
    if problems := tuple(meld_problems(base, playing.rules_of(meld.owner), slot)):
        return problems
    result, _, dropped = _replay(base, meld.additions, playing.rules)
    cards = result.cards if result else ()
    hand = not_freed(playing.hand, [meld.additions[index] for index in dropped], cards)
    copies = table_copies(replace(playing, hand=hand), cards, lifted=meld.meld.cards)
    return _across(playing, meld, base) + copies


def _slot(state: GameState, meld: TableMeld) -> Slot | None:
    """What of the contract the meld fills; a further meld fills nothing of it (G4.4)."""
    contract = state.contract_of(meld.owner)
    if meld.slot is None or contract is None or contract.is_everything or meld.slot >= len(contract.slots):
        return None
    return contract.slots[meld.slot]


def _across(playing: Playing, meld: TableMeld, base: Meld) -> Problems:
    """Two sets of one rank or two runs of one suit where the table forbids them (G4.5)."""
    others = tuple(other.base for other in playing.hand.melds_of(meld.owner) if other.number != meld.number)
    pairs = pair_problems((*others, base), playing.rules)
    return tuple(problem for problem in pairs if problem.facts["other_index"] == len(others))


def correct_meld(playing: Playing, command: commands.CorrectMeld) -> events.MeldCorrected:
    """The entry of a corrected meld, with the laid-off cards that stay and go."""
    meld = playing.hand.find(command.meld)
    additions = meld.additions if meld else ()
    result, kept, dropped = _replay(command.base, additions, playing.rules)
    return events.MeldCorrected(command.hand, command.meld, result, kept, dropped, base=command.base)


def meld_corrected(playing: Playing, event: events.MeldCorrected) -> Hand:
    """The meld as it lies now, or gone; its owner stays down either way."""
    hand, corrected = playing.hand, playing.hand.find(event.meld)
    melds = (_corrected(old, event) if old is corrected else old for old in hand.melds)
    additions = corrected.additions if corrected else ()
    dropped = [additions[index] for index in event.dropped if 0 <= index < len(additions)]
    back = event.result.cards if event.result else ()
    return not_freed(replace(hand, melds=tuple(meld for meld in melds if meld is not None)), dropped, back)


def _corrected(old: TableMeld, event: events.MeldCorrected) -> TableMeld | None:
    if event.result is None:
        return None
    kept = tuple(old.additions[index] for index in event.kept if 0 <= index < len(old.additions))
    base = event.result if event.base is None else event.base
    return replace(old, base=base, meld=event.result, additions=kept)

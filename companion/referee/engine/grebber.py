"""Counting a hand of Grebber, and the chips of its gambling version (K3–K6)."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from types import MappingProxyType
from typing import TypeVar

from companion.referee import commands, events
from companion.referee.engine.checks import Problems, at_table
from companion.referee.grebber import Count, count_problems
from companion.referee.kruth import SUM
from companion.referee.reasons import Firmness, Reason, refuse
from companion.referee.rules import Rules
from companion.referee.scoring import purses
from companion.referee.state import GameState, Hand, Playing

#: What things cost, in antes (K6).
PRICES = MappingProxyType({"ante": 1, "greb": 1, "turn_wild": 2, "use_wild": 1})

TEXT = Firmness.TEXT

Scored = TypeVar("Scored", events.HandScored, events.ScoreCorrected)


# --- counting ---------------------------------------------------------------------------------------------------


def count_problems_of(playing: Playing, command: commands.CountHand) -> Problems:
    """Everything wrong with the count of the hand in play: who is missing, then melds, cards and the check (K3, K4)."""
    return _faults(playing.state, command, playing.state.dealt_in, playing.rules, playing.hand.wilds)


def correct_problems(state: GameState, command: commands.CorrectCount) -> Problems:
    """Everything wrong with another count of an old hand, judged by the rules it was played with."""
    old = state.score_of(command.hand)
    if old is None:
        return refuse(Reason.HAND_NOT_SCORED, "K3", hand=command.hand)
    return _faults(state, command, tuple(old.points), old.rules, old.wilds)


def _faults(state: GameState, command: commands.OfCount, seats: tuple[int, ...], rules: Rules, wilds: int) -> Problems:
    counted = [count.seat for count in command.counts]
    strange = tuple(
        problem
        for count in command.counts
        if count.seat not in seats
        for problem in at_table(state, count) or refuse(Reason.SEAT_AWAY, "K3", seat=count.seat)
    )
    twice = refuse(Reason.SEATS_DIFFER, "K3") if len(set(counted)) < len(counted) else ()
    missing = tuple(
        problem
        for seat in seats
        if seat not in counted
        for problem in refuse(Reason.MISSING_POINTS, "K3", seat=seat, seats=(seat,))
    )
    return strange + twice + missing + count_problems(command.counts, rules, undrawn=command.undrawn, wilds=wilds)


def counted(event: type[Scored]) -> Callable[[object, commands.OfCount], Scored]:
    """The outcome of a count: the entry with the points, and what they come from."""

    def outcome(_: object, command: commands.OfCount) -> Scored:
        points = {count.seat: count.score for count in command.counts}
        return event(command.hand, who_is_out(command.counts), points, counts=command.counts)

    return outcome


def who_is_out(counts: Iterable[Count]) -> int | None:
    """Who emptied the hand: the one player who holds no card and no point, who need not be the winner (K5)."""
    empty = [count.seat for count in counts if not count.held and not count.held_cards]
    return empty[0] if len(empty) == 1 else None


def carried_problems(pairs: tuple[tuple[int, int], ...], target: int, first_hand: int) -> Problems:
    """Totals from paper that the hands before cannot have made, or that end the game before it begins (K4, K5)."""
    most = SUM * max(1, first_hand - 1)
    limit = min(most, target - 1)
    return tuple(
        problem
        for seat, points in pairs
        if not -most <= points <= limit
        for problem in refuse(
            Reason.POINTS_ABOVE_PACK, "K5", TEXT, seat=seat, points=points, total=points, limit=limit, least=-most
        )
    )


# --- chips ------------------------------------------------------------------------------------------------------


def antes_problems(playing: Playing, command: commands.PayAntes) -> Problems:
    """Why no antes are paid now: no gambling, or paid already (K6)."""
    if not playing.rules.gambling:
        return _no_gambling()
    return refuse(Reason.ANTE_PAID, "K6", TEXT, hand=command.hand) if playing.hand.anted else ()


def _no_gambling() -> Problems:
    return refuse(Reason.GAMBLING_OFF, "K6", TEXT, rests_on="gambling")


def pay_antes(playing: Playing, command: commands.PayAntes) -> events.ChipsPaid:
    """The entry of the antes; who cannot pay it whole pays nothing and plays all the same (silent: our ruling)."""
    ante, (held, _pot) = playing.rules.ante, purses(playing.state)
    return events.ChipsPaid(command.hand, "ante", {seat: ante for seat in playing.state.dealt_in if held[seat] >= ante})


def chips_problems(playing: Playing, command: commands.PayChips) -> Problems:
    """Why a player does not pay for a Greb or a wild: no gambling, no wild there or their own, too few chips (K6).

    A Greb is said by who cannot pay it, too; no wild is turned up or used then (silent: our ruling).
    """
    seat, what = command.seat, command.what
    if not playing.rules.gambling:
        return _no_gambling()
    if what not in PRICES or what == "ante":
        return refuse(Reason.OTHER_GAME, "K6")
    needs, has = PRICES[what] * playing.rules.ante, purses(playing.state)[0][seat]
    few = refuse(Reason.TOO_FEW_CHIPS, "K6", Firmness.SILENT, seat=seat, needs=needs, has=has)
    # another phone, or a second tap, noted this very payment
    is_noted = command.nth is not None and command.nth <= playing.hand.paid_for(what, seat)
    noted = refuse(Reason.CHIPS_NOTED, "K6", seat=seat) if is_noted else ()
    return noted + _no_such_wild(playing.hand, command) + (few if has < needs and what != "greb" else ())


def _no_such_wild(hand: Hand, command: commands.PayChips) -> Problems:
    if command.what != "use_wild":
        return ()
    if hand.wild_of is None:
        return refuse(Reason.NO_WILD, "K6", TEXT, seat=command.seat)
    return refuse(Reason.OWN_WILD, "K6", TEXT, seat=command.seat) if hand.wild_of == command.seat else ()


def pay_chips(playing: Playing, command: commands.PayChips) -> events.ChipsPaid:
    """The entry of a payment: into the pot, or for another's wild to its owner where the table plays so (K6)."""
    price, owner = PRICES[command.what] * playing.rules.ante, playing.hand.wild_of
    paid = {command.seat: price if purses(playing.state)[0][command.seat] >= price else 0}
    if command.what == "use_wild" and owner is not None and playing.rules.wild_price == "owner":
        paid[owner] = -price
    return events.ChipsPaid(command.hand, command.what, paid)


def chips_paid(state: GameState, event: events.ChipsPaid) -> GameState:
    """The chips are in the pot, or with another player; a wild turned up voids the one before (K6)."""
    paid = dict(state.paid)
    for seat, chips in event.paid.items():
        paid[seat] = paid.get(seat, 0) + chips
    hand = state.hand
    if hand is not None and event.what == "ante":
        hand = replace(hand, anted=True)
    elif hand is not None:
        payers = (seat for seat, chips in event.paid.items() if chips >= 0)
        hand = replace(hand, payments=(*hand.payments, *((event.what, seat) for seat in payers)))
    if hand is not None and event.what == "turn_wild":
        hand = replace(hand, wild_of=next(iter(event.paid), None), wilds=hand.wilds + 1)
    return replace(state, paid=MappingProxyType(paid), hand=hand)


def fill_problems(playing: Playing, command: commands.FillPurse) -> Problems:
    """Why a purse is not filled up: no gambling, or nothing is missing in it (K6)."""
    if not playing.rules.gambling:
        return _no_gambling()
    missing = _missing(playing, command.seat)
    return () if missing > 0 else refuse(Reason.PURSE_FULL, "K6", Firmness.SILENT, seat=command.seat)


def _missing(playing: Playing, seat: int) -> int:
    return playing.rules.purse - purses(playing.state)[0][seat]


def fill_purse(playing: Playing, command: commands.FillPurse) -> events.PurseFilled:
    """The entry of new chips."""
    return events.PurseFilled(command.hand, command.seat, _missing(playing, command.seat))


def purse_filled(state: GameState, event: events.PurseFilled) -> GameState:
    """The player has so many chips more, and all together have as many more."""
    filled = {**state.filled, event.seat: state.filled.get(event.seat, 0) + event.chips}
    return replace(state, filled=MappingProxyType(filled))

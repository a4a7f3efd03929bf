"""Counting a hand of Grebber, and the chips of its gambling version (K3–K6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from types import MappingProxyType

from companion.referee import commands, events
from companion.referee.engine.checks import Problems, at_table, dealt_in, in_hand, problem, started
from companion.referee.grebber import Count, count_problems
from companion.referee.kruth import SUM
from companion.referee.reasons import Firmness, Reason
from companion.referee.rules import Rules
from companion.referee.scoring import purses
from companion.referee.state import GameState

__all__ = [
    "PRICES", "antes_problems", "carried_problems", "chips_paid", "chips_problems", "correct", "correct_problems", "count",
    "count_problems_of", "pay_antes", "pay_chips", "who_is_out",
]  # fmt: skip

#: What things cost, in antes (K6).
PRICES = MappingProxyType({"ante": 1, "greb": 1, "turn_wild": 2, "use_wild": 1})

TEXT = Firmness.TEXT


# --- counting ---------------------------------------------------------------------------------------------------


def count_problems_of(state: GameState, command: commands.CountHand) -> Problems:
    """Everything wrong with the count of the hand in play: who is missing, then melds, cards and the check (K3, K4)."""
    if early := in_hand(state, command.hand):
        return early
    assert state.hand is not None
    assert state.rules is not None
    return _faults(state, command, state.dealt_in, state.rules, state.hand.wilds)


def correct_problems(state: GameState, command: commands.CorrectCount) -> Problems:
    """Everything wrong with another count of an old hand, judged by the rules it was played with."""
    if early := started(state):
        return early
    old = state.score_of(command.hand)
    if old is None:
        return (problem(Reason.HAND_NOT_SCORED, "K3", firmness=Firmness.LOGIC, hand=command.hand),)
    rules = old.rules or state.rules
    assert rules is not None
    return _faults(state, command, tuple(old.points), rules, old.wilds)


def _faults(
    state: GameState,
    command: commands.CountHand | commands.CorrectCount,
    seats: tuple[int, ...],
    rules: Rules,
    wilds: int,
) -> Problems:
    counted = [one.seat for one in command.counts]
    strange = tuple(fault for seat in counted if seat not in seats for fault in _stranger(state, seat))
    double = any(times > 1 for times in Counter(counted).values())
    twice = (problem(Reason.SEATS_DIFFER, "K3", firmness=Firmness.LOGIC),) if double else ()
    missing = tuple(
        problem(Reason.MISSING_POINTS, "K3", firmness=Firmness.LOGIC, seat=seat, seats=(seat,))
        for seat in seats
        if seat not in counted
    )
    found = count_problems(command.counts, rules, undrawn=command.undrawn, wilds=wilds)
    return strange + twice + missing + found


def _stranger(state: GameState, seat: int) -> Problems:
    return at_table(state, seat) or (problem(Reason.SEAT_AWAY, "K3", firmness=Firmness.LOGIC, seat=seat),)


def count(state: GameState, command: commands.CountHand) -> events.HandScored:
    """The entry of a counted hand: the points, and what they come from."""
    points = {one.seat: one.score for one in command.counts}
    return events.HandScored(command.hand, who_is_out(command.counts), points, counts=command.counts)


def correct(state: GameState, command: commands.CorrectCount) -> events.ScoreCorrected:
    """The entry of another count."""
    points = {one.seat: one.score for one in command.counts}
    return events.ScoreCorrected(command.hand, who_is_out(command.counts), points, counts=command.counts)


def who_is_out(counts: Iterable[Count]) -> int | None:
    """Who emptied the hand: the one player who holds no card and no point, who need not be the winner (K5)."""
    empty = [one.seat for one in counts if not one.held and not one.held_cards]
    return empty[0] if len(empty) == 1 else None


def carried_problems(pairs: tuple[tuple[int, int], ...], target: int, first_hand: int) -> Problems:
    """Totals from paper that the hands before cannot have made, or that end the game before it begins (K4, K5)."""
    most = SUM * max(1, first_hand - 1)
    limit = min(most, target - 1)
    return tuple(
        problem(
            Reason.POINTS_ABOVE_PACK,
            "K5",
            firmness=TEXT,
            seat=seat,
            points=points,
            total=points,
            limit=limit,
            least=-most,
        )
        for seat, points in pairs
        if not -most <= points <= limit
    )


# --- chips ------------------------------------------------------------------------------------------------------


def antes_problems(state: GameState, command: commands.PayAntes) -> Problems:
    """Why no antes are paid now: no gambling, paid already, or nobody has the chips (K6)."""
    if early := in_hand(state, command.hand) or _no_gambling(state):
        return early
    assert state.hand is not None
    assert state.rules is not None
    if state.hand.anted:
        return (problem(Reason.ANTE_PAID, "K6", firmness=TEXT, hand=command.hand),)
    if not _can_pay(state, state.rules.ante):
        return (problem(Reason.TOO_FEW_CHIPS, "K6", firmness=TEXT, seats=state.dealt_in, needs=state.rules.ante),)
    return ()


def _no_gambling(state: GameState) -> Problems:
    if state.rules is not None and state.rules.gambling:
        return ()
    return (problem(Reason.GAMBLING_OFF, "K6", firmness=TEXT, rests_on="gambling"),)


def _can_pay(state: GameState, chips: int) -> tuple[int, ...]:
    held, _pot = purses(state)
    return tuple(seat for seat in state.dealt_in if held[seat] >= chips)


def pay_antes(state: GameState, command: commands.PayAntes) -> events.ChipsPaid:
    """The entry of the antes; who has too few chips plays this hand without (silent: our ruling)."""
    assert state.rules is not None
    ante = state.rules.ante
    return events.ChipsPaid(command.hand, "ante", dict.fromkeys(_can_pay(state, ante), ante))


def chips_problems(state: GameState, command: commands.PayChips) -> Problems:
    """Why a player cannot pay for a Greb or a wild: no gambling, too few chips, no wild there or their own (K6)."""
    if early := dealt_in(state, command.hand, command.seat) or _no_gambling(state):
        return early
    assert state.rules is not None
    if command.what not in PRICES or command.what == "ante":
        return (problem(Reason.OTHER_GAME, "K6", firmness=Firmness.LOGIC),)
    needs, has = PRICES[command.what] * state.rules.ante, purses(state)[0][command.seat]
    few = problem(
        Reason.TOO_FEW_CHIPS, "K6", firmness=TEXT, seats=(command.seat,), seat=command.seat, needs=needs, has=has
    )
    return _noted(state, command) + _no_such_wild(state, command) + ((few,) if has < needs else ())


def _noted(state: GameState, command: commands.PayChips) -> Problems:
    """Another phone, or a second tap, noted this very payment."""
    assert state.hand is not None
    if command.nth is None or command.nth > state.hand.paid_for(command.what, command.seat):
        return ()
    return (problem(Reason.CHIPS_NOTED, "K6", firmness=Firmness.LOGIC, seat=command.seat),)


def _no_such_wild(state: GameState, command: commands.PayChips) -> Problems:
    assert state.hand is not None
    if command.what != "use_wild":
        return ()
    if state.hand.wild_of is None:
        return (problem(Reason.NO_WILD, "K6", firmness=TEXT, seat=command.seat),)
    if state.hand.wild_of == command.seat:
        return (problem(Reason.OWN_WILD, "K6", firmness=TEXT, seat=command.seat),)
    return ()


def pay_chips(state: GameState, command: commands.PayChips) -> events.ChipsPaid:
    """The entry of a payment."""
    assert state.rules is not None
    return events.ChipsPaid(command.hand, command.what, {command.seat: PRICES[command.what] * state.rules.ante})


def chips_paid(state: GameState, event: events.ChipsPaid) -> GameState:
    """The chips are in the pot; a wild turned up voids the one before (K6)."""
    paid = dict(state.paid)
    for seat, chips in event.paid.items():
        paid[seat] = paid.get(seat, 0) + chips
    hand = state.hand
    if hand is not None and event.what == "ante":
        hand = replace(hand, anted=True)
    elif hand is not None:
        hand = replace(hand, payments=(*hand.payments, *((event.what, seat) for seat in event.paid)))
    if hand is not None and event.what == "turn_wild":
        hand = replace(hand, wild_of=next(iter(event.paid), None), wilds=hand.wilds + 1)
    return replace(state, paid=MappingProxyType(paid), hand=hand)

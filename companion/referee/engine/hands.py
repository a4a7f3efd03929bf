"""What happens around the cards of one hand: floating, sitting out, the dealer, dealing anew (G1.3, G7.3)."""

from __future__ import annotations

from dataclasses import replace

from companion.referee import commands, events
from companion.referee.engine.checks import Problems, at_table, dealt_in, in_hand, problem
from companion.referee.games import game_of
from companion.referee.reasons import Firmness, Reason
from companion.referee.rules import Rules
from companion.referee.state import GameState, Hand

__all__ = [
    "anew_problems", "back_in", "back_in_problems", "deal_anew", "dealer_problems", "dealer_set", "dealt_anew",
    "float_", "float_back_problems", "float_problems", "floated", "floating_off", "no_float", "sat_back_in",
    "sat_out", "set_dealer", "sit_out", "sit_out_problems", "too_few", "unfloated",
]  # fmt: skip


def floating_off(rules: Rules, seat: int) -> Problems:
    """Refuses floating where nobody floats: the hand ends with the last card, or a card is kept (G7.3, G7.4)."""
    if not rules.must_discard_to_go_out:
        switch, rule, firmness = "must_discard_to_go_out", "G7.4", Firmness.HOWTO
    elif not rules.floating:
        switch, rule, firmness = "floating", "G7.3", Firmness.SILENT
    else:
        return ()
    return (problem(Reason.FLOATING_OFF, rule, firmness=firmness, rests_on=switch, seat=seat),)


def too_few(rules: Rules, count: int) -> Problems:
    """Refuses a table of fewer players than the game is for (G1.2)."""
    if count >= rules.min_players:
        return ()
    rule, firmness = game_of(rules).rule("min_players")
    facts = {"count": count, "limit": rules.min_players}
    return (problem(Reason.TOO_FEW_PLAYERS, rule, firmness=firmness, rests_on="min_players", **facts),)


def float_problems(state: GameState, command: commands.Float) -> Problems:
    """Why the player does not float: they do already, or nobody does at this table (G7.3)."""
    if early := dealt_in(state, command.hand, command.seat):
        return early
    assert state.hand is not None
    assert state.rules is not None
    already = command.seat in state.hand.floating
    twice = (problem(Reason.ALREADY_FLOATING, "G7.3", seat=command.seat),) if already else ()
    return twice + floating_off(state.rules, command.seat)


def float_back_problems(state: GameState, command: commands.TakeBackFloat) -> Problems:
    """Why there is no float to take back (G7.3)."""
    if early := in_hand(state, command.hand) or at_table(state, command.seat):
        return early
    assert state.hand is not None
    if command.seat in state.hand.floating:
        return ()
    return (problem(Reason.NOT_FLOATING, "G7.3", firmness=Firmness.LOGIC, seat=command.seat),)


def float_(state: GameState, command: commands.Float) -> events.Floated:
    """The entry of a float."""
    return events.Floated(command.hand, command.seat)


def no_float(state: GameState, command: commands.TakeBackFloat) -> events.FloatTakenBack:
    """The entry of a float taken back."""
    return events.FloatTakenBack(command.hand, command.seat)


def floated(state: GameState, event: events.Floated) -> GameState:
    """The player floats."""
    hand = state.hand
    return _with(state, hand and replace(hand, floating=hand.floating | {event.seat}))


def unfloated(state: GameState, event: events.FloatTakenBack) -> GameState:
    """The player floats no more."""
    hand = state.hand
    return _with(state, hand and replace(hand, floating=hand.floating - {event.seat}))


def sit_out_problems(state: GameState, command: commands.SitOut) -> Problems:
    """Why the player cannot sit this hand out: they play it already, or too few would be left (G1.2)."""
    if early := dealt_in(state, command.hand, command.seat):
        return early
    assert state.hand is not None
    assert state.rules is not None
    return _in_the_hand(state.hand, command.seat) + too_few(state.rules, len(state.dealt_in) - 1)


def _in_the_hand(hand: Hand, seat: int) -> Problems:
    if seat in hand.floating:
        return (problem(Reason.ALREADY_FLOATING, "G7.3", firmness=Firmness.LOGIC, seat=seat),)
    if seat in hand.down:
        return (problem(Reason.ALREADY_DOWN, "G4.2", firmness=Firmness.LOGIC, seat=seat),)
    return ()


def back_in_problems(state: GameState, command: commands.SitBackIn) -> Problems:
    """Why the player cannot be dealt in after all: they are already."""
    if early := in_hand(state, command.hand) or at_table(state, command.seat):
        return early
    if command.seat not in state.dealt_in:
        return ()
    return (problem(Reason.SEAT_HERE, "G1.3", firmness=Firmness.LOGIC, seat=command.seat),)


def sit_out(state: GameState, command: commands.SitOut) -> events.SatOut:
    """The entry of sitting out."""
    return events.SatOut(command.hand, command.seat)


def back_in(state: GameState, command: commands.SitBackIn) -> events.SatBackIn:
    """The entry of coming back in."""
    return events.SatBackIn(command.hand, command.seat)


def sat_out(state: GameState, event: events.SatOut) -> GameState:
    """The player is not dealt in."""
    hand = state.hand
    return _with(state, hand and replace(hand, sitting_out=hand.sitting_out | {event.seat}))


def sat_back_in(state: GameState, event: events.SatBackIn) -> GameState:
    """The player is dealt in."""
    hand = state.hand
    return _with(state, hand and replace(hand, sitting_out=hand.sitting_out - {event.seat}))


def anew_problems(state: GameState, command: commands.DealAnew) -> Problems:
    """Why the hand cannot be dealt anew: it is over."""
    return in_hand(state, command.hand)


def deal_anew(state: GameState, command: commands.DealAnew) -> events.HandDealtAnew:
    """The entry of a new deal."""
    return events.HandDealtAnew(command.hand)


def dealt_anew(state: GameState, event: events.HandDealtAnew) -> GameState:
    """The hand from its start; who sat out stays out, and a dealer who went home is followed by the next."""
    hand = state.hand
    if hand is None:
        return state
    dealer = hand.dealer if hand.dealer in state.order else state.next_here(hand.dealer)
    fresh = Hand(hand.number, hand.dealer if dealer is None else dealer, sitting_out=hand.sitting_out)
    return replace(state, hand=replace(fresh, anted=hand.anted))  # what is in the pot stays there (K6)


def dealer_problems(state: GameState, command: commands.SetDealer) -> Problems:
    """Why that player cannot deal: not at the table."""
    return in_hand(state, command.hand) or at_table(state, command.seat)


def set_dealer(state: GameState, command: commands.SetDealer) -> events.DealerSet:
    """The entry of another dealer."""
    return events.DealerSet(command.hand, command.seat)


def dealer_set(state: GameState, event: events.DealerSet) -> GameState:
    """Somebody else deals this hand; the deal moves on from there."""
    return _with(state, state.hand and replace(state.hand, dealer=event.seat))


def _with(state: GameState, hand: Hand | None) -> GameState:
    """The state with another hand in play; entries outside any hand change nothing."""
    return state if hand is None else replace(state, hand=hand)

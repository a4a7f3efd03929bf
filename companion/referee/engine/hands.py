"""What happens around the cards of one hand: floating, sitting out, the dealer, dealing anew (G1.3, G7.3)."""

from dataclasses import replace

from companion.referee import commands, events
from companion.referee.engine.checks import Problems
from companion.referee.games import game_of
from companion.referee.reasons import Firmness, Reason, refuse
from companion.referee.rules import Rules
from companion.referee.state import Hand, Playing


def floating_off(rules: Rules, seat: int) -> Problems:
    """Refuses floating where nobody floats: the hand ends with the last card, or a card is kept (G7.3, G7.4)."""
    if not rules.floating:
        switch = "floating" if rules.must_discard_to_go_out else None  # else one change alone lets nobody float
        return refuse(Reason.FLOATING_OFF, "G7.3", Firmness.SILENT, rests_on=switch, seat=seat)
    if not rules.must_discard_to_go_out:
        switch = "must_discard_to_go_out"
        return refuse(Reason.FLOATING_OFF, "G7.4", Firmness.HOWTO, rests_on=switch, seat=seat)
    return ()


def too_few(rules: Rules, count: int) -> Problems:
    """Refuses a table of fewer players than the game is for (G1.2)."""
    if count >= rules.min_players:
        return ()
    cited = game_of(rules).rule("min_players")
    return refuse(Reason.TOO_FEW_PLAYERS, *cited, rests_on="min_players", count=count, limit=rules.min_players)


def float_problems(playing: Playing, command: commands.Float) -> Problems:
    """Why the player does not float: they do already, are not down, or nobody does at this table (G7.3)."""
    hand, seat = playing.hand, command.seat
    twice = refuse(Reason.ALREADY_FLOATING, "G7.3", Firmness.KATE, seat=seat) if seat in hand.floating else ()
    problems = twice + floating_off(playing.rules, seat)
    return problems if problems or hand.is_down(seat) else refuse(Reason.NOT_DOWN, "G7.3", Firmness.KATE, seat=seat)


def float_back_problems(playing: Playing, command: commands.TakeBackFloat) -> Problems:
    """Why there is no float to take back (G7.3)."""
    floats = command.seat in playing.hand.floating
    return () if floats else refuse(Reason.NOT_FLOATING, "G7.3", seat=command.seat)


def sit_out_problems(playing: Playing, command: commands.SitOut) -> Problems:
    """Why the player cannot sit this hand out: they play it already, or too few would be left (G1.2)."""
    few = too_few(playing.rules, len(playing.state.dealt_in) - 1)
    if command.seat in playing.hand.floating:
        return refuse(Reason.ALREADY_FLOATING, "G7.3", seat=command.seat) + few
    if command.seat in playing.hand.down:
        return refuse(Reason.ALREADY_DOWN, "G4.2", seat=command.seat) + few
    return few


def back_in_problems(playing: Playing, command: commands.SitBackIn) -> Problems:
    """Why the player cannot be dealt in after all: they are already."""
    return refuse(Reason.SEAT_HERE, "G1.3", seat=command.seat) if command.seat in playing.state.dealt_in else ()


def dealt_anew(playing: Playing, event: events.HandDealtAnew) -> Hand:
    """The hand from its start; who sat out stays out, and a dealer who went home is followed by the next."""
    state, hand = playing.state, playing.hand
    dealer = hand.dealer if hand.dealer in state.order else state.next_here(hand.dealer)
    dealer = hand.dealer if dealer is None else dealer
    return Hand(hand.number, dealer, sitting_out=hand.sitting_out, anted=hand.anted)  # the pot stays as it is (K6)


def dealer_set(playing: Playing, event: events.DealerSet) -> Hand:
    """Somebody else deals this hand; the deal moves on from there."""
    return replace(playing.hand, dealer=event.seat)

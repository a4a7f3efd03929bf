"""The end of a hand, corrections of old scores, and the next deal (G1.3, G9.1, G9.2)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from types import MappingProxyType

from companion.referee import commands, events
from companion.referee.engine.checks import Problems, at_table, in_hand, problem, started
from companion.referee.engine.freeing import waiting_problems
from companion.referee.engine.hands import floating_off
from companion.referee.engine.seats import with_third_deck
from companion.referee.games import game_of
from companion.referee.reasons import Firmness, Problem, Reason
from companion.referee.rules import Rules
from companion.referee.scoring import is_over, points_problems
from companion.referee.state import GameState, Hand, HandScore, Phase

__all__ = ["correct", "correct_problems", "corrected", "score", "score_problems", "scored"]


@dataclass(frozen=True, slots=True)
class _Sheet:
    """One hand as somebody wants it written down: who was dealt in, who floated, who went out, the points."""

    rules: Rules
    number: int
    dealt_in: tuple[int, ...]
    floating: frozenset[int]
    out: int | None
    points: dict[int, int]
    sure: bool

    def filled(self) -> dict[int, int]:
        """The points of everybody dealt in, 0 where none are written."""
        return {seat: self.points.get(seat, 0) for seat in self.dealt_in}


def score_problems(state: GameState, command: commands.ScoreHand) -> Problems:
    """Everything wrong with the points of a hand, seat by seat clockwise (G9.1, G9.2)."""
    if early := in_hand(state, command.hand):
        return early
    assert state.hand is not None
    waiting = () if command.unnoted else waiting_problems(state.hand)
    return _faults(state, _sheet(state, command), command.floated) + waiting


def _sheet(state: GameState, command: commands.ScoreHand) -> _Sheet:
    assert state.hand is not None
    assert state.rules is not None
    seats = state.dealt_in
    floating = (state.hand.floating | command.floated) & frozenset(seats)
    points = dict(command.points)
    return _Sheet(state.rules, command.hand, seats, floating, command.out, points, command.sure)


def correct_problems(state: GameState, command: commands.CorrectScore) -> Problems:
    """Everything wrong with new scores for an old hand, judged by the rules it was played with (G9.2)."""
    if early := started(state):
        return early
    old = state.score_of(command.hand)
    if old is None:
        return (problem(Reason.HAND_NOT_SCORED, "G9.1", firmness=Firmness.LOGIC, hand=command.hand),)
    return _faults(state, _old_sheet(state, old, command), command.floated or frozenset())


def _old_sheet(state: GameState, old: HandScore, command: commands.CorrectScore) -> _Sheet:
    assert state.rules is not None
    rules, seats = old.rules or state.rules, tuple(old.points)
    floating = old.floating if command.floated is None else command.floated & frozenset(seats)
    return _Sheet(rules, command.hand, seats, floating, command.out, dict(command.points), command.sure)


def _faults(state: GameState, sheet: _Sheet, ticked: frozenset[int]) -> Problems:
    named = {*sheet.points, *ticked} | ({sheet.out} if sheet.out is not None else set())
    strangers = _strangers(state, sheet, sorted(named))
    off = tuple(fault for seat in sorted(ticked) for fault in floating_off(sheet.rules, seat))
    seats = tuple(fault for seat in sheet.dealt_in for fault in _seat_faults(sheet, seat))
    limits = points_problems(sheet.filled(), sheet.rules, sheet.number, sure=sheet.sure)
    return strangers + off + seats + limits


def _strangers(state: GameState, sheet: _Sheet, named: Iterable[int]) -> Problems:
    """Seats named on the sheet that did not play the hand."""
    outside = (seat for seat in named if seat not in sheet.dealt_in)
    return tuple(at_table(state, seat)[0] if seat not in state.seats else _sat_out(seat) for seat in outside)


def _sat_out(seat: int) -> Problem:
    return problem(Reason.SEAT_AWAY, "G9.4", firmness=Firmness.LOGIC, seat=seat)


def _seat_faults(sheet: _Sheet, seat: int) -> Problems:
    """What is wrong with one player's points: blank is not 0, and only who goes out or floats has 0 (G9.2)."""
    points, zero = sheet.points.get(seat), seat == sheet.out or seat in sheet.floating
    if points is None:
        missing = problem(Reason.MISSING_POINTS, "G9.1", firmness=Firmness.LOGIC, seat=seat, seats=(seat,))
        return () if zero else (missing,)
    if points == 0:
        return () if zero else (problem(Reason.ZERO_NOT_OUT, "G9.2", firmness=Firmness.LOGIC, seat=seat),)
    if not zero:
        return ()
    reason, rule = (Reason.OUT_WITH_POINTS, "G9.1") if seat == sheet.out else (Reason.FLOATER_WITH_POINTS, "G7.3")
    return (problem(reason, rule, firmness=Firmness.LOGIC, seat=seat, points=points),)


def score(state: GameState, command: commands.ScoreHand) -> events.HandScored:
    """The entry of a hand's scores: points of everybody dealt in, and who floated at its end."""
    sheet = _sheet(state, command)
    return events.HandScored(command.hand, command.out, sheet.filled(), sheet.floating)


def correct(state: GameState, command: commands.CorrectScore) -> events.ScoreCorrected:
    """The entry of a correction."""
    old = state.score_of(command.hand)
    assert old is not None
    sheet = _old_sheet(state, old, command)
    return events.ScoreCorrected(command.hand, command.out, sheet.filled(), sheet.floating)


def scored(state: GameState, event: events.HandScored) -> GameState:
    """The hand is over: its scores are kept, and the next one is dealt, or the night is finished (G1.3)."""
    hand = state.hand or Hand(event.hand, state.order[0] if state.order else 0)
    done = HandScore(
        number=hand.number,
        dealer=hand.dealer,
        out=event.out,
        points=MappingProxyType(dict(event.points)),
        buys=hand.buys,
        down=hand.down,
        floating=event.floating,
        rules=state.rules,
        counts=event.counts,
        wilds=hand.wilds,
    )
    return _next_hand(replace(state, scores=(*state.scores, done)), hand)


def _next_hand(state: GameState, done: Hand) -> GameState:
    """The deal moves clockwise to the next player who is here; a seventh player's deck comes in (G1.3, G9.4)."""
    if state.rules is None or is_over(state, done.number):
        return replace(state, hand=None, phase=Phase.FINISHED)
    dealer = state.next_here(done.dealer)
    fresh = Hand(done.number + 1, done.dealer if dealer is None else dealer)
    rules = state.rules if "decks" in state.overruled else with_third_deck(state.rules, len(state.order))
    return replace(state, hand=fresh, rules=rules)


def corrected(state: GameState, event: events.ScoreCorrected) -> GameState:
    """Other scores for a hand; who dealt and what was bought stays as it was."""
    points = MappingProxyType(dict(event.points))
    scores = tuple(
        replace(old, out=event.out, points=points, floating=event.floating, counts=event.counts)
        if old.number == event.hand
        else old
        for old in state.scores
    )
    return _settled(replace(state, scores=scores))


def _settled(state: GameState) -> GameState:
    """A game to a target ends, or goes on, with what a correction makes of the totals (K5)."""
    if state.rules is None or game_of(state.rules).has_contracts or not state.scores or state.phase is Phase.CLOSED:
        return state
    last, ended = state.scores[-1], is_over(state, state.scores[-1].number)
    if ended is (state.phase is Phase.FINISHED):
        return state
    if ended:
        return replace(state, hand=None, phase=Phase.FINISHED)
    return _next_hand(replace(state, phase=Phase.PLAYING), Hand(last.number, last.dealer))

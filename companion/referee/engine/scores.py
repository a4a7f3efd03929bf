"""The end of a hand, corrections of old scores, and the next deal (G1.3, G9.1, G9.2)."""

from dataclasses import dataclass, replace
from itertools import chain
from types import MappingProxyType

from companion.referee import commands, events
from companion.referee.engine.checks import Problems
from companion.referee.engine.freeing import waiting_problems
from companion.referee.engine.hands import floating_off
from companion.referee.packs import with_packs
from companion.referee.reasons import Reason, refuse
from companion.referee.rules import Rules
from companion.referee.scoring import is_over, points_problems
from companion.referee.state import GameState, Hand, HandScore, Phase, Playing


@dataclass(frozen=True, slots=True)
class _Sheet:
    """One hand as somebody wants it written down, with who was dealt in and who floated."""

    command: commands.ScoreHand | commands.CorrectScore
    rules: Rules
    dealt_in: tuple[int, ...]
    floating: frozenset[int]

    def filled(self) -> dict[int, int]:
        """The points of everybody dealt in, 0 where none are written."""
        return {seat: self.command.points.get(seat, 0) for seat in self.dealt_in}


def score_problems(playing: Playing, command: commands.ScoreHand) -> Problems:
    """Everything wrong with the points of a hand, seat by seat clockwise (G9.1, G9.2)."""
    waiting = () if command.unnoted else waiting_problems(playing.hand)
    return _faults(playing.state, _sheet(playing, command), command.floated) + waiting


def _sheet(playing: Playing, command: commands.ScoreHand) -> _Sheet:
    seats = playing.state.dealt_in
    floating = (playing.hand.floating | command.floated) & frozenset(seats)
    return _Sheet(command, playing.rules, seats, floating)


def correct_problems(state: GameState, command: commands.CorrectScore) -> Problems:
    """Everything wrong with new scores for an old hand, judged by the rules it was played with (G9.2)."""
    old = state.score_of(command.hand)
    if old is None:
        return refuse(Reason.HAND_NOT_SCORED, "G9.1", hand=command.hand)
    return _faults(state, _old_sheet(old, command), command.floated or frozenset())


def _old_sheet(old: HandScore, command: commands.CorrectScore) -> _Sheet:
    seats = tuple(old.points)
    floating = old.floating if command.floated is None else command.floated & frozenset(seats)
    return _Sheet(command, old.rules, seats, floating)


def _faults(state: GameState, sheet: _Sheet, ticked: frozenset[int]) -> Problems:
    command = sheet.command
    named = {*command.points, *ticked, *(command.laid or ())} | ({command.out} if command.out is not None else set())
    strangers = (_stranger(state, seat) for seat in sorted(named) if seat not in sheet.dealt_in)
    off = (floating_off(sheet.rules, seat) for seat in sorted(ticked))
    seats = (_seat_faults(sheet, seat) for seat in sheet.dealt_in)
    limits = points_problems(sheet.filled(), sheet.rules, command.hand, sure=command.sure)
    return (*chain(*strangers, *off, *seats), *limits)


def _stranger(state: GameState, seat: int) -> Problems:
    """A seat named on the sheet that did not play the hand."""
    if seat not in state.seats:
        return refuse(Reason.NO_SUCH_SEAT, "G1.2", seat=seat)
    return refuse(Reason.SEAT_AWAY, "G9.4", seat=seat)


def _seat_faults(sheet: _Sheet, seat: int) -> Problems:
    """What is wrong with one player's points: blank is not 0, and only who goes out or floats has 0 (G9.2)."""
    points, is_out = sheet.command.points.get(seat), seat == sheet.command.out
    zero = is_out or seat in sheet.floating
    if zero and points and points not in _bonuses(sheet.rules, is_out=is_out):
        reason, rule = (Reason.OUT_WITH_POINTS, "G9.1") if is_out else (Reason.FLOATER_WITH_POINTS, "G7.3")
        return refuse(reason, rule, seat=seat, points=points)
    if not is_out and points and sheet.rules.exact_cut > points >= sheet.rules.exact_cut + sheet.rules.out_in_one_turn:
        return refuse(Reason.NEGATIVE_POINTS, "G9.2", seat=seat, points=points)
    if zero or points:
        return ()
    if points is None:
        return refuse(Reason.MISSING_POINTS, "G9.1", seat=seat, seats=(seat,))
    if sheet.rules.exact_cut:  # just as many points in hand as the cut takes off
        return ()
    if sheet.rules.after_out == "one_turn_each" and sheet.command.out is not None:  # all laid in the last turn
        return ()
    return refuse(Reason.ZERO_NOT_OUT, "G9.2", seat=seat)


def _bonuses(rules: Rules, *, is_out: bool) -> frozenset[int]:
    """What who has no card left may score: nothing, or less where the table plays for it."""
    out = {0, rules.out_in_one_turn} if is_out else {0}
    return frozenset(points + cut for points in out for cut in (0, rules.exact_cut))


def score(playing: Playing, command: commands.ScoreHand) -> events.HandScored:
    """The entry of a hand's scores: points of everybody dealt in, and who floated at its end."""
    sheet = _sheet(playing, command)
    noted = playing.hand.down | playing.hand.floating
    return events.HandScored(command.hand, command.out, sheet.filled(), sheet.floating, laid=_laid(sheet, noted))


def _laid(sheet: _Sheet, noted: frozenset[int]) -> frozenset[int] | None:
    """Who laid the contract of their own hand of the list; whoever went out did."""
    if not sheet.rules.own_progress:
        return None
    laid = noted if sheet.command.laid is None else sheet.command.laid
    out = frozenset() if sheet.command.out is None else frozenset({sheet.command.out})
    return (laid | out | sheet.floating) & frozenset(sheet.dealt_in)


def correct(state: GameState, command: commands.CorrectScore) -> events.ScoreCorrected:
    """The entry of a correction."""
    old = state.score_of(command.hand)
    assert old
    sheet = _old_sheet(old, command)
    laid = _laid(sheet, old.down)
    return events.ScoreCorrected(command.hand, command.out, sheet.filled(), sheet.floating, laid=laid)


def scored(state: GameState, event: events.HandScored) -> GameState:
    """The hand is over: its scores are kept, and the next one is dealt, or the night is finished (G1.3)."""
    hand = state.hand or Hand(event.hand, state.order[0] if state.order else 0)
    done = HandScore(
        number=hand.number,
        dealer=hand.dealer,
        out=event.out,
        points=MappingProxyType(dict(event.points)),
        buys=hand.buys,
        down=hand.down if event.laid is None else event.laid,
        floating=event.floating,
        rules=state.rules,
        counts=event.counts,
        wilds=hand.wilds,
    )
    return _next_hand(replace(state, scores=(*state.scores, done)), hand)


def _next_hand(state: GameState, done: Hand) -> GameState:
    """The deal moves clockwise to the next player who is here; a seventh player's deck comes in (G1.3, G9.4)."""
    if is_over(state, done.number):
        return replace(state, hand=None, last_hand=done, phase=Phase.FINISHED)
    dealer = state.next_here(done.dealer)
    fresh = Hand(done.number + 1, done.dealer if dealer is None else dealer)
    rules = state.rules if "decks" in state.overruled else with_packs(state.rules, len(state.order))
    return replace(state, hand=fresh, rules=rules)


def corrected(state: GameState, event: events.ScoreCorrected) -> GameState:
    """Other scores for a hand; who dealt and what was bought stays as it was."""
    points = MappingProxyType(dict(event.points))
    scores = tuple(
        replace(
            old,
            out=event.out,
            points=points,
            floating=event.floating,
            counts=event.counts,
            down=old.down if event.laid is None else event.laid,
        )
        if old.number == event.hand
        else old
        for old in state.scores
    )
    return settled(replace(state, scores=scores))


def settled(state: GameState) -> GameState:
    """A game to a target, or to the end of one's own list, ends or goes on with what a correction makes of it (K5)."""
    if state.rules.hands_in_all or not state.scores or state.phase is Phase.CLOSED:
        return state
    last, ended = state.scores[-1], is_over(state, state.scores[-1].number)
    if ended is (state.phase is Phase.FINISHED):
        return state
    if ended:
        return replace(state, hand=None, last_hand=state.hand, phase=Phase.FINISHED)
    return _next_hand(replace(state, phase=Phase.PLAYING, last_hand=None), Hand(last.number, last.dealer))

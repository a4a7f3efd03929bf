"""What a night came to: hand-made nights, and any night against a slow recomputation."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.analysis import results
from companion.analysis.results import LeadPeriod, Swing, WorstHand
from companion.referee import history
from companion.referee.commands import (
    Buy,
    CloseGame,
    CorrectScore,
    JoinSeat,
    LeaveSeat,
    ReturnToSeat,
    ScoreHand,
    SitOut,
    StartGame,
)
from companion.referee.engine import decide, evolve, problems
from companion.referee.events import Event, HandScored, Undone
from companion.referee.games import KATE
from companion.referee.notation import parse_game
from companion.referee.standings import places, standings, totals
from companion.referee.state import GameState
from tests.referee.nights import advance
from tests.thorough import thorough

GAMES = Path(__file__).parent / "games"


def night(
    *points: Sequence[int], carried: tuple[int, ...] = (), first_hand: int = 1
) -> tuple[GameState, tuple[Event, ...]]:
    """A night of hands given as points by seat; the first 0 of a hand went out."""
    seats = tuple(range(len(points[0]) if points else 3))
    commands = [StartGame(KATE, seats, 0, first_hand, carried)]
    for hand, row in enumerate(points, first_hand):
        out = row.index(0) if 0 in row else None
        floated = frozenset(seat for seat, value in enumerate(row) if value == 0 and seat != out)
        commands.append(ScoreHand(hand, out, dict(enumerate(row)), sure=True, floated=floated))
    return played(*commands)


def played(*commands) -> tuple[GameState, tuple[Event, ...]]:
    state, events = GameState(), ()
    for command in commands:
        new = decide(state, command)
        events = (*events, *new)
        for event in new:
            state = evolve(state, event)
    return state, events


def ranked(state: GameState) -> tuple[tuple[int, int | None], ...]:
    now = standings(state)
    return tuple((seat, now.place(seat)) for seat in now.ranked(state.chairs))


def stood(state: GameState, events: Sequence[Event]) -> list[tuple[int, dict, dict]]:
    return [(one.hand, dict(one.totals), dict(one.places)) for one in results.after_each_hand(state, events)]


# --- by hand ---------------------------------------------------------------------------------------------------------


def test_an_empty_night_has_no_turns():
    state, events = night()
    found = results.after_each_hand(state, events)
    assert [(one.hand, dict(one.totals)) for one in found] == [(0, {0: 0, 1: 0, 2: 0})]
    assert results.lead_periods(found) == results.biggest_swings(found) == results.worst_hands(state) == ()
    assert results.most_buys(state) == (0, ())
    assert standings(state).margin is None
    assert results.hands_won(state) == results.floats(state) == {}


def test_a_swing_is_who_was_behind_and_is_ahead():
    state, events = night((0, 40, 60), (100, 0, 80))
    found = results.after_each_hand(state, events)
    # 0: 0 → 100, 1: 40 → 40, 2: 60 → 140; only 1 passed anybody.
    assert results.biggest_swings(found) == (Swing(2, up=1, down=0, behind=40, ahead=60),)
    assert results.lead_periods(found) == (LeadPeriod(1, 1, (0,)), LeadPeriod(2, 2, (1,)))
    assert standings(state).margin == 60
    assert results.worst_hands(state) == (WorstHand(2, 0, 100),)


def test_catching_up_without_passing_is_no_swing():
    state, events = night((0, 40, 60), (40, 0, 60))
    assert results.biggest_swings(results.after_each_hand(state, events)) == ()


def test_everything_that_ties_is_named():
    state, events = night((0, 40, 40), (100, 0, 0))
    found = results.after_each_hand(state, events)
    assert results.biggest_swings(found) == (Swing(2, 1, 0, 40, 60), Swing(2, 2, 0, 40, 60))
    assert results.lead_periods(found)[-1] == LeadPeriod(2, 2, (1, 2))
    assert [place for _seat, place in ranked(state)] == [1, 1, 3]
    assert results.hands_won(state) == {0: (1,), 1: (2,)}
    assert results.floats(state) == {2: (2,)}


def test_the_dearest_hand_is_one_that_cost_something():
    state, _events = night((50, 50, 0))
    assert results.worst_hands(state) == (WorstHand(1, 0, 50), WorstHand(1, 1, 50))


def test_buys_are_counted_over_the_scored_hands():
    start = StartGame(KATE, (0, 1, 2), 0)
    score = ScoreHand(1, 0, {0: 0, 1: 5, 2: 5}, sure=True)
    state, _events = played(start, Buy(1, 1), Buy(1, 1), Buy(1, 2), score, Buy(2, 2), Buy(2, 2))
    assert results.most_buys(state) == (2, (1,))
    state, _events = played(start, Buy(1, 1), Buy(1, 2), score)
    assert results.most_buys(state) == (1, (1, 2))


def test_a_night_from_paper_begins_with_its_totals():
    state, events = night((0, 10, 10), carried=(100, 50, 60), first_hand=4)
    assert stood(state, events) == [
        (3, {0: 100, 1: 50, 2: 60}, {0: 3, 1: 1, 2: 2}),
        (4, {0: 100, 1: 60, 2: 70}, {0: 3, 1: 1, 2: 2}),
    ]
    assert results.lead_periods(results.after_each_hand(state, events)) == (LeadPeriod(4, 4, (1,)),)


def test_g9_4_late_joiners_and_leavers():
    events = history.effective(parse_game((GAMES / "late_joiner.txt").read_text().replace("\n=", "\n#")))
    state = history.fold(events)
    found = results.after_each_hand(state, events)
    assert [6 in one.totals for one in found] == [False, False, True, True, True, True, True]
    assert found[2].totals[6] == found[3].totals[6] == 50
    assert 6 not in found[4].places and found[4].totals[6] == 50
    assert 5 not in found[6].places and found[6].totals[5] == 135
    assert ranked(state) == ((1, 1), (6, 1), (2, 3), (3, 4), (4, 5), (0, 6), (5, None))
    assert standings(state).margin == 15
    assert results.lead_periods(found) == (LeadPeriod(1, 5, (0,)), LeadPeriod(6, 6, (1, 6)))


def test_where_the_highest_wins_everything_turns_round():
    rules = KATE.replace(lowest_wins=False)
    state, events = played(
        StartGame(rules, (0, 1, 2), 0),
        ScoreHand(1, 0, {0: 0, 1: 40, 2: 60}, sure=True),
        ScoreHand(2, 1, {0: 100, 1: 0, 2: 10}, sure=True),
    )
    found = results.after_each_hand(state, events)
    assert results.biggest_swings(found) == (Swing(2, 0, 1, 40, 60),)
    assert results.lead_periods(found) == (LeadPeriod(1, 1, (2,)), LeadPeriod(2, 2, (0,)))
    assert standings(state).margin == 30


# --- any night, recomputed slowly ------------------------------------------------------------------------------------


@st.composite
def records(draw) -> tuple[Event, ...]:
    """A record with late joiners, leavers, buys, floats, corrections, undos and perhaps an early end."""
    seats = tuple(range(draw(st.integers(3, 5))))
    first = draw(st.sampled_from((1, 1, 9)))
    carried = tuple(draw(st.lists(st.sampled_from((0, 20, 45)), min_size=len(seats), max_size=len(seats))))
    state, entries = GameState(), ()
    wanted = draw(st.lists(moves(), min_size=draw(st.sampled_from((0, 10, 25))), max_size=40))
    for command in (StartGame(KATE, seats, 0, first, carried if first > 1 else ()), *wanted):
        made = command(state) if callable(command) else command
        if made is None or problems(state, made):
            continue
        for event in decide(state, made):
            entries = (*entries, event)
            state = advance(state, entries[:-1], event)
        if draw(st.integers(0, 9)) == 0 and (target := history.undo_target(entries)) is not None:
            entries = (*entries, Undone(target))
            state = advance(state, entries[:-1], entries[-1])
    return entries


def moves():
    points = st.lists(st.sampled_from((0, 5, 15, 20, 60, 100)), min_size=8, max_size=8)
    seat = st.integers(0, 6)
    return st.one_of(
        st.builds(lambda values: lambda state: scored(state, values), points),
        st.builds(lambda values: lambda state: scored(state, values), points),
        st.builds(lambda at, values: lambda state: corrected(state, at, values), st.integers(0, 9), points),
        st.builds(lambda at: lambda state: Buy(state.hand.number, at) if state.hand else None, seat),
        st.builds(lambda at: lambda state: SitOut(state.hand.number, at) if state.hand else None, seat),
        st.builds(lambda at: lambda state: JoinSeat(at), seat),
        st.builds(lambda at: lambda state: LeaveSeat(at), seat),
        st.builds(lambda at: lambda state: ReturnToSeat(at), seat),
        st.sampled_from((lambda state: CloseGame() if len(state.scores) > 3 else None,)),
    )


def scored(state: GameState, values: Sequence[int]):
    return None if state.hand is None else _score(ScoreHand, state.hand.number, state.dealt_in, values)


def corrected(state: GameState, at: int, values: Sequence[int]):
    score = state.scores[at] if at < len(state.scores) else None
    return None if score is None else _score(CorrectScore, score.number, tuple(score.points), values)


def _score(kind, hand: int, seats: tuple[int, ...], values: Sequence[int]):
    points = dict(zip(seats, values, strict=False))
    zeros = [seat for seat, value in points.items() if value == 0]
    return kind(hand, zeros[0] if zeros else None, points, sure=True, floated=frozenset(zeros[1:]))


def slow_standings(entries: tuple[Event, ...]) -> list[tuple[int, dict, dict]]:
    """Each hand's standing from a replay up to it: who sat there then, with the points as they are in the end."""
    events = history.effective(entries)
    end = history.fold(events)
    found = []
    for length, event in enumerate(events, 1):
        if not isinstance(event, HandScored) and length > 1:
            continue
        then = history.fold(events[:length])
        hand = event.hand if isinstance(event, HandScored) else then.first_hand - 1
        summed = {}
        for seat in then.seats:
            summed[seat] = then.carried.get(seat, 0)
            for score in end.scores:
                if score.number <= hand and seat in score.points:
                    summed[seat] += score.points[seat]
        if end.rules.own_progress:
            found.append((hand, summed, slow_places_by_progress(end, hand, summed, then.away)))
        else:
            found.append((hand, summed, places(summed, then.away, lowest_wins=end.rules.lowest_wins)))
    return found


def slow_places_by_progress(end: GameState, hand: int, summed: dict, away: frozenset[int]) -> dict:
    """Who laid more hands of the list is in front, among those who laid as many who has fewer points."""
    laid = {
        seat: (end.begins_with(seat) - 1) + sum(seat in score.down for score in end.scores if score.number <= hand)
        for seat in summed
    }
    rank = {seat: (-laid[seat], points) for seat, points in summed.items() if seat not in away}
    return {seat: 1 + sum(other < rank[seat] for other in rank.values()) for seat in rank}


@thorough(40, in_ci=150)
@given(records())
def test_any_night_equals_its_slow_recomputation(entries):
    events = history.effective(entries)
    state = history.fold(events)
    found = results.after_each_hand(state, events)
    slow = slow_standings(entries)
    assert stood(state, events) == slow
    _check_the_end(state, found)
    _check_the_leads(found, slow)
    _check_the_swings(found, slow)
    _check_the_hands(state)


def _check_the_end(state, found):
    assert all(totals(state)[seat] == total for seat, total in found[-1].totals.items())
    if state.scores:
        assert tuple(sorted(seat for seat, place in ranked(state) if place == 1)) == tuple(
            sorted(standings(state).winners)
        )
    sign = 1 if state.rules is None or state.rules.lowest_wins else -1
    here = [sign * totals(state)[seat] for seat in state.order]
    others = [total for total in here if total > min(here)]
    assert standings(state).margin == (min(others) - min(here) if others else None)


def _check_the_leads(found, slow):
    told = {}
    for spell in results.lead_periods(found):
        for hand in range(spell.first, spell.last + 1):
            told[hand] = set(spell.seats)
    assert told == {hand: {seat for seat, place in placed.items() if place == 1} for hand, _totals, placed in slow[1:]}
    assert all(
        one.seats != other.seats
        for one, other in zip(results.lead_periods(found), results.lead_periods(found)[1:], strict=False)
    )


def _check_the_swings(found, slow):
    swings = {}
    for (_hand, before, here), (hand, after, still) in zip(slow, slow[1:], strict=False):
        for one, other in combinations(sorted(set(here) & set(still)), 2):
            was, became = before[one] - before[other], after[one] - after[other]
            if was * became < 0:
                up, down = (one, other) if was > 0 else (other, one)
                swings[hand, up, down] = abs(was) + abs(became)
    most = max(swings.values(), default=0)
    told = results.biggest_swings(found)
    assert {(one.hand, one.up, one.down): one.points for one in told} == {
        key: size for key, size in swings.items() if size == most
    }


def _won(score, seat, lowest):
    """Who went out wins a hand; where the highest total wins, who has most of it (K5)."""
    return score.out == seat if lowest else score.points.get(seat) == max(score.points.values())


def _check_the_hands(state):
    lowest = state.rules is None or state.rules.lowest_wins
    rows = [(score.number, seat, points) for score in state.scores for seat, points in score.points.items()]
    worst = max((points if lowest else -points for *_rest, points in rows), default=0)
    assert {(one.hand, one.seat, one.points) for one in results.worst_hands(state)} == {
        row for row in rows if (row[2] if lowest else -row[2]) == worst > 0
    }
    won = {seat: tuple(score.number for score in state.scores if _won(score, seat, lowest)) for seat in state.seats}
    assert results.hands_won(state) == {seat: hands for seat, hands in won.items() if hands}
    floated = {seat: tuple(score.number for score in state.scores if seat in score.floating) for seat in state.seats}
    assert results.floats(state) == {seat: hands for seat, hands in floated.items() if hands}
    bought = {seat: sum(score.buys.get(seat, 0) for score in state.scores) for seat in state.seats}
    most = max(bought.values(), default=0)
    assert results.most_buys(state) == (most, tuple(seat for seat in state.seats if bought[seat] == most > 0))


@pytest.mark.parametrize("path", sorted(GAMES.glob("*.txt")), ids=lambda path: path.stem)
def test_the_golden_games_equal_their_slow_recomputation(path):
    entries = parse_game("\n".join(line for line in path.read_text().splitlines() if not line.startswith("=")))
    events = history.effective(entries)
    state = history.fold(events)
    assert stood(state, events) == slow_standings(entries)
    if state.scores and not state.rules.own_progress:  # there the margin is not one of points alone
        _check_the_end(state, results.after_each_hand(state, events))
    _check_the_hands(state)

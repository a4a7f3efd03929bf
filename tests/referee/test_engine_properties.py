"""Random nights: one check for asking and doing, states that hold together, undo and redo that change nothing."""

from __future__ import annotations

import copy
import dataclasses
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.engine import Ambiguous, IllegalCommand, correction_preview, decide, problems, rests_on
from companion.referee.games import EHOW, KATE, LIVERPOOL, PERU
from companion.referee.history import effective, effective_numbers, fold, redo_target, replay, undo_target
from companion.referee.melds import meld_problems
from companion.referee.notation import format_game, parse_game
from companion.referee.standings import totals
from companion.referee.state import GameState, Phase
from tests.referee.nights import Night, night, one_step, random_night, some_command
from tests.thorough import thorough

randoms = st.randoms(use_true_random=False)
sheets = st.sampled_from([KATE, KATE, EHOW, PERU, LIVERPOOL, KATE.replace(extra_melds=True, freed_wild="hand")])


@given(randoms, sheets)
@thorough(50, 300)
def test_asking_and_doing_agree(rng: Random, rules) -> None:  # type: ignore[no-untyped-def]
    """No problems means that ``decide`` does it or asks which way; problems are exactly what it refuses with."""
    going = random_night(rng, 40, rules)
    for _ in range(40):
        command = some_command(rng, going.state)
        found = problems(going.state, command)
        assert problems(going.state, command) == found  # the same again, in the same order
        try:
            made = decide(going.state, command)
        except IllegalCommand as refused:
            assert refused.problems == found != ()
        except Ambiguous as several:
            assert found == ()
            assert len(several.plays) > 1
        else:
            assert found == ()
            assert len(made) == 1


@given(randoms)
@thorough(40, 200)
def test_no_command_ever_raises_before_the_start_or_after_the_end(rng: Random) -> None:
    over = Night([], GameState())
    assert problems(over.state, c.CloseGame())
    for state in (GameState(), dataclasses.replace(random_night(rng, 5).state, phase=Phase.FINISHED, hand=None)):
        command = some_command(rng, state)
        legal = isinstance(command, c.CorrectScore)
        assert problems(state, command) or legal
        assert isinstance(rests_on(state, command), tuple)


@given(randoms, sheets)
@thorough(50, 300)
def test_states_hold_together(rng: Random, rules) -> None:  # type: ignore[no-untyped-def]
    going = random_night(rng, 0, rules)
    for _ in range(120):
        one_step(rng, going)
        check(going)


def check(going: Night) -> None:
    """What is true of every state that legal commands lead to."""
    state = going.state
    rules = state.rules
    assert rules is not None
    assert set(state.order) | state.away == set(state.seats)
    assert set(state.order).isdisjoint(state.away)
    assert sorted(state.chairs) == sorted(state.seats)
    carried, scores = dict(state.carried), state.scores
    assert totals(state) == {
        seat: carried[seat] + sum(score.points.get(seat, 0) for score in scores) for seat in state.seats
    }
    for score in scores:
        zeros = {seat for seat, points in score.points.items() if points == 0}
        if score.rules.least_points:
            continue  # where points are taken off, others may come to 0 too
        assert zeros == (score.floating | {score.out}) & set(score.points)
    assert [score.number for score in scores] == list(range(state.first_hand, state.first_hand + len(scores)))
    assert (state.hand is None) == (state.phase is Phase.FINISHED)
    if state.hand is not None:
        check_hand(going, state)


def check_hand(going: Night, state: GameState) -> None:
    hand, rules = state.hand, state.rules
    assert hand is not None
    assert rules is not None
    assert hand.number == state.first_hand + len(state.scores)
    assert hand.sitting_out <= set(state.order)
    overruled = {entry.switch for entry in effective(going.entries) if isinstance(entry, e.RuleOverruled)}
    for seat, used in hand.buys.items():
        assert rules.buys_per_game is not None or 0 <= used <= (99 if (most := state.buy_limit(seat)) is None else most)
    numbers = [meld.number for meld in hand.melds]
    assert numbers == sorted(set(numbers))
    assert all(number < hand.next_meld for number in numbers)
    for meld in hand.melds:
        assert meld.owner in hand.down
        filled = [one.slot for one in hand.melds_of(meld.owner) if one.slot is not None]
        assert len(filled) == len(set(filled))
        if not overruled and rules.freed_wild == "end":
            assert len(meld.meld.cards) >= len(meld.base.cards)
            assert not meld_problems(meld.meld, rules)


@given(randoms)
@thorough(50, 300)
def test_undoing_everything_and_redoing_it_is_no_change(rng: Random) -> None:
    going = random_night(rng, 60)
    before, depth = going.state, 0
    while undo_target(going.entries) is not None:
        going.undo()
        depth += 1
    assert effective(going.entries) == (going.entries[0],)
    for _ in range(depth):
        going.redo()
    assert going.state == before
    assert replay(going.entries).state == before


@given(randoms)
@thorough(50, 300)
def test_one_undo_is_the_state_before(rng: Random) -> None:
    going = random_night(rng, 30)
    before, count = going.state, len(going.entries)
    while len(going.entries) == count:
        one_step(rng, going)
    if isinstance(going.entries[-1], (e.Undone, e.Redone)):
        return
    assert going.undo().state == before


@given(randoms, sheets)
@thorough(40, 200)
def test_the_record_reads_back_and_replays_to_the_same_state(rng: Random, rules) -> None:  # type: ignore[no-untyped-def]
    going = random_night(rng, 60, rules)
    assert parse_game(format_game(going.entries)) == tuple(going.entries)
    again = replay(going.entries)
    assert (again.state, again.applied, again.problem) == (going.state, len(going.entries), None)


@given(randoms)
@thorough(50, 300)
def test_effective_against_a_naive_reading(rng: Random) -> None:
    """The oracle keeps a list of lists: the whole record as it would have been at every moment."""
    going = random_night(rng, 60)
    past: list[list[int]] = []
    future: list[list[int]] = []
    now: list[int] = []
    for number, entry in enumerate(going.entries, 1):
        if isinstance(entry, e.Undone):
            future.append(now)
            now = past.pop()
        elif isinstance(entry, e.Redone):
            past.append(now)
            now = future.pop()
        else:
            past.append(now)
            now, future = [*now, number], []
    assert effective_numbers(going.entries) == tuple(now)
    assert going.state == fold(going.entries[number - 1] for number in now)
    assert redo_target(going.entries) == (future[-1][-1] if future else None)


@given(randoms)
@thorough(40, 200)
def test_a_correction_does_what_its_preview_showed(rng: Random) -> None:
    going = random_night(rng, 60)
    hand = going.state.hand
    if hand is None or not hand.melds or going.state.phase is not Phase.PLAYING:
        return
    target = rng.choice(hand.melds)
    base = rng.choice((None, target.base, dataclasses.replace(target.base, cards=(*target.base.cards,))))
    command = c.CorrectMeld(hand.number, target.number, base)
    if problems(going.state, command):
        return
    shown = correction_preview(going.state, command)
    after = going.do(command).state.hand
    assert after is not None
    now = after.find(target.number)
    assert (now.meld if now else None) == shown.result
    assert tuple(added for _, added in shown.kept) == (now.additions if now else ())
    assert len(shown.kept) + len(shown.dropped) == len(target.additions)


def test_states_cannot_be_changed() -> None:
    state = night().score(0).do(c.Buy(2, 0)).state
    kept = copy.copy(state)
    with pytest.raises(dataclasses.FrozenInstanceError):
        state.phase = Phase.CLOSED  # type: ignore[misc]
    with pytest.raises(TypeError):
        state.carried[0] = 5  # type: ignore[index]
    assert state.hand is not None
    with pytest.raises(TypeError):
        state.hand.buys[0] = 9  # type: ignore[index]
    with pytest.raises(TypeError):
        state.scores[0].points[0] = 5  # type: ignore[index]
    assert state == kept


@settings(max_examples=30, deadline=None)
@given(randoms)
def test_every_entry_is_accepted_whatever_the_state(rng: Random) -> None:
    """Law 6: an entry that today's rules would refuse still has happened."""
    one, other = random_night(rng, 60), random_night(rng, 60)
    state = one.state
    for entry in other.entries[1:]:
        state = fold_on(state, entry)
    assert isinstance(state, GameState)


def fold_on(state: GameState, entry: e.Event) -> GameState:
    from companion.referee.engine import evolve

    return evolve(state, entry)

"""Statistics: by hand for what matters, and over any nights equal to a slow recomputation from the record."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import count

import pytest
from flask import Flask
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from companion import record
from companion.analysis import statistics
from companion.analysis.statistics import HeadToHead, PerHand, PlayedHand, SeatResult, head_to_heads, nights_of, tallies
from companion.command import maintenance
from companion.phones import devices
from companion.record import many_nights, person_changes, person_trail
from companion.record.many_nights import Wanted
from companion.referee import history
from companion.referee.commands import CloseGame, ReopenGame, StartGame
from companion.referee.engine import IllegalCommand, problems
from companion.referee.games import KATE, PERU
from companion.referee.standings import standings, totals
from companion.referee.state import Phase
from tests.test_results import moves, scored
from tests.thorough import thorough
from tests.web import another, device_of, play, score

# --- by hand ---------------------------------------------------------------------------------------------------------


def night(number: int, *seats: tuple[int, int | None, int], whole: bool = True) -> list[SeatResult]:
    return [SeatResult(number, person, place, total, whole) for person, place, total in seats]


def test_wins_shared_wins_and_who_left():
    sat = night(1, (7, 1, 50), (8, 1, 50), (9, None, 0)) + night(2, (7, 2, 90), (8, 1, 40))
    by_person = tallies(sat)
    assert (by_person[7].won, by_person[7].shared) == ({1}, {1})
    assert (by_person[8].won, by_person[8].shared) == ({1, 2}, {1})
    assert (by_person[9].nights, by_person[9].won, by_person[9].left, by_person[9].compared) == ({1}, set(), {1}, set())
    assert (by_person[9].average, by_person[9].best) == (None, None)


def test_totals_are_compared_over_whole_nights_only():
    sat = night(1, (7, 1, 300), (8, 2, 400)) + night(2, (7, 1, 15), (8, 2, 90), whole=False)
    tally = tallies(sat)[7]
    assert (tally.average, tally.best, tally.worst, tally.early, tally.won) == (300, 300, 300, {2}, {1, 2})


def test_the_best_and_the_worst_night_tie():
    sat = night(1, (7, 1, 300), (8, 2, 400)) + night(2, (7, 1, 300), (8, 2, 400))
    tally = tallies(sat)[7]
    assert tally.best_nights == tally.worst_nights == {1, 2}


def test_a_night_the_highest_total_won_is_compared_with_no_other():
    sat = night(1, (7, 1, 300), (8, 2, 200)) + night(2, (7, 1, 100), (8, 2, 400)) + night(3, (7, 1, 100), (8, 1, 100))
    by_person = tallies(sat)
    assert (by_person[7].average, by_person[7].won, by_person[7].compared) == (100, {1, 2, 3}, {2, 3})
    assert (by_person[8].best, by_person[8].worst) == (100, 400)


def test_where_the_highest_total_wins_the_highest_is_the_best():
    sat = night(1, (7, 1, 300), (8, 2, 200)) + night(2, (7, 1, 500), (8, 2, 400))
    assert (tallies(sat)[7].best, tallies(sat)[7].worst) == (500, 300)
    assert tallies(sat)[7].best_nights == {2}


def test_hands_not_played_are_no_zeros():
    hands = [PlayedHand(7, 1, PerHand(2, 45, 1, 0, 3)), PlayedHand(7, 3, PerHand(1, 20, 0, 1, 1))]
    tally = tallies(night(1, (7, 1, 65)) + night(2, (7, 1, 0)), hands)[7]
    assert tally.hands[1].average == Fraction(45, 2) and 2 not in tally.hands
    assert (tally.whole.times, tally.whole.average, tally.whole.average_buys) == (3, Fraction(65, 3), Fraction(4, 3))
    assert statistics.PerHand().average is None and statistics.PerHand().average_buys is None


def test_head_to_head_with_ties_and_leavers():
    sat = (
        night(1, (7, 1, 10), (8, 2, 20), (9, 2, 20))
        + night(2, (7, None, 5), (8, 1, 20))
        + night(3, (8, 1, 0), (9, 1, 0))
    )
    assert head_to_heads(sat, [8])[8] == {7: HeadToHead(behind=frozenset({1})), 9: HeadToHead(level=frozenset({1, 3}))}
    assert nights_of(sat, "together", 8, 9) == {1, 3}
    assert nights_of(sat, "ahead", 8, 12) == nights_of(sat, "won", 12) == set()
    with pytest.raises(KeyError):
        nights_of(sat, "nonsense", 8)


# --- which nights count ----------------------------------------------------------------------------------------------


def test_only_nights_that_ended_count(app: Flask, client):
    going = another(app, client)
    play(app, going, score(1, 0, 0, 5, 10))
    empty = another(app, client)
    play(app, empty, CloseGame())
    early = another(app, client)
    play(app, early, score(1, 1, 40, 0, 10), CloseGame())
    device = device_of(app, client)
    with app.app_context():
        assert len(many_nights.nights(device)) == 3
        by_person = tallies(many_nights.seat_results(device), many_nights.hands(device))
        assert sorted((len(tally.nights), len(tally.won), tally.whole.times) for tally in by_person.values()) == [
            (1, 0, 1),
            (1, 0, 1),
            (1, 1, 1),
        ]
    play(app, early, ReopenGame())
    with app.app_context():
        assert many_nights.seat_results(device) == many_nights.hands(device) == ()


def test_rule_sheets_are_kept_apart(app: Flask, client):
    for rules in (KATE, KATE, PERU):
        play(app, another(app, client, rules=rules), score(1, 0, 0, 5, 10), CloseGame())
    device = device_of(app, client)
    with app.app_context():
        assert many_nights.sheets(device) == {"kate": 2, "peru": 1}
        assert len(many_nights.seat_results(device, Wanted(sheets=("peru",)))) == 3
        assert {hand.sums.times for hand in many_nights.hands(device, Wanted(sheets=("kate",)))} == {2}


def test_nobody_sees_the_nights_of_others(app: Flask, client):
    play(app, another(app, client), score(1, 0, 0, 5, 10), CloseGame())
    with app.app_context():
        assert (
            many_nights.nights(None)
            == many_nights.seat_results(None)
            == many_nights.hands(None)
            == many_nights.people(None)
            == ()
        )
        assert many_nights.sheets(None) == {}


def test_in_an_open_house_everybody_sees_everything(make_app):
    app = make_app(OPEN_HOUSE=True)
    play(app, another(app, app.test_client()), score(1, 0, 0, 5, 10), CloseGame())
    with app.app_context():
        assert (
            len(many_nights.nights(None)) == 1
            and len(many_nights.people(None)) == 3
            and len(many_nights.seat_results(None)) == 3
        )


# --- any nights ------------------------------------------------------------------------------------------------------

POOL = 6


@st.composite
def evenings(draw):
    """Some nights: who sits where (numbers of a pool of people), and what happens."""
    nights = []
    for _night in range(draw(st.integers(1, 4))):
        seats = draw(st.permutations(range(POOL)))[: draw(st.integers(3, 4))]
        happens = draw(st.lists(steps(), min_size=3, max_size=9))
        end = draw(st.sampled_from((["close"], ["close"], [])))
        nights.append((seats, draw(st.sampled_from((1, 9))), [*happens, *end]))
    merges = draw(st.lists(st.tuples(st.integers(0, POOL - 1), st.integers(0, POOL - 1)), min_size=2, max_size=6))
    return nights, merges, draw(st.booleans())


def steps():
    """A command made of the state, or what the record alone can do."""
    points = st.lists(st.sampled_from((0, 5, 10, 10, 20)), min_size=8, max_size=8)
    scores = st.builds(lambda values: lambda state: scored(state, values), points)
    others = [
        moves(),
        st.sampled_from(["undo", "redo", "close", "reopen"]),
        st.builds("join {}".format, st.integers(0, POOL - 1)),
    ]
    return st.one_of(scores, scores, scores, *others)


def act(code: str, step, names: list[str], typed: dict[int, str]) -> None:
    view = record.load(code)
    slip = {"token": record.new_token(), "seen": view.revision}
    if step == "undo":
        if view.undo:
            record.undo(code, entry=view.undo.seq, **slip)
    elif step == "redo":
        if view.redo:
            record.redo(code, entry=view.redo.seq, **slip)
    elif isinstance(step, str) and step.startswith("join"):
        name = names[int(step[5:])]
        if name not in typed.values():
            record.join(code, name, **slip)
            typed[max(record.load(code).state.seats)] = name
    else:
        words = {"close": lambda _state: CloseGame(), "reopen": lambda _state: ReopenGame()}
        command = words.get(step, step)(view.state) if isinstance(step, str) or callable(step) else step
        if command is not None and type(command).__name__ != "JoinSeat" and not problems(view.state, command):
            record.append(code, command, **slip)


class Slow:
    """One person's numbers, by counting through every night."""

    def __init__(self) -> None:
        self.nights: dict[str, set[str]] = defaultdict(set)
        self.totals: list[tuple[int, str]] = []
        self.hands: dict[int, list[tuple[int, bool, bool, int]]] = defaultdict(list)
        self.against: dict[tuple[str, str], set[str]] = defaultdict(set)


def recomputed(nights: list[tuple[str, dict[int, str]]], is_now: dict[str, str]) -> dict[str, Slow]:
    """From the entries of every night alone, replayed from the first; ``nights`` are codes and names typed."""
    numbers: dict[str, Slow] = defaultdict(Slow)
    for code, typed in nights:
        state = history.fold(history.effective([entry.event for entry in record.entries(code)]))
        if state.phase not in (Phase.FINISHED, Phase.CLOSED) or not state.scores:
            continue
        summed, who = totals(state), {seat: is_now.get(typed[seat], typed[seat]) for seat in state.seats}
        for seat, name in who.items():
            person = numbers[name]
            person.nights["nights"].add(code)
            if seat in standings(state).winners:
                person.nights["won"].add(code)
                if len(standings(state).winners) > 1:
                    person.nights["shared"].add(code)
            if state.phase is Phase.CLOSED:
                person.nights["early"].add(code)
            if seat in state.away:
                person.nights["left"].add(code)
            elif state.phase is Phase.FINISHED:
                person.totals.append((summed[seat], code))
            for other, name_of_other in who.items():
                if other != seat and not {seat, other} & state.away:
                    how = (
                        "level"
                        if summed[seat] == summed[other]
                        else "ahead"
                        if summed[seat] < summed[other]
                        else "behind"
                    )
                    person.against[how, name_of_other].add(code)
            for hand in state.scores:
                if seat in hand.points:
                    row = (hand.points[seat], hand.out == seat, seat in hand.floating, hand.buys.get(seat, 0))
                    person.hands[hand.number].append(row)
    return numbers


def compared(device: int, nights: list[tuple[str, dict[int, str]]], is_now: dict[str, str]) -> None:
    """The statistics, and the nights behind every number, are those of the slow way."""
    slow = recomputed(nights, is_now)
    codes = {row.id: row.code for row in many_nights.nights(device)}
    names = {row.id: row.name for row in many_nights.people(device)}
    sat, hands = many_nights.seat_results(device), many_nights.hands(device)
    fast = tallies(sat, hands)
    assert {names[person] for person in fast} == set(slow)

    def named(nights_by_id) -> set[str]:
        return {codes[night] for night in nights_by_id}

    for person, tally in fast.items():
        expected = slow[names[person]]
        for kind in ("nights", "won", "shared", "early", "left"):
            assert named(nights_of(sat, kind, person)) == expected.nights[kind], (kind, names[person])
        values = [total for total, _code in expected.totals]
        assert tally.average == (Fraction(sum(values), len(values)) if values else None)
        assert (tally.best, tally.worst) == (min(values, default=None), max(values, default=None))
        assert named(tally.compared) == {code for _total, code in expected.totals}
        assert named(tally.best_nights) == {code for total, code in expected.totals if total == min(values)}
        assert named(nights_of(sat, "worst", person)) == {
            code for total, code in expected.totals if total == max(values)
        }
        by_hand = {
            hand: (len(rows), *(sum(row[at] for row in rows) for at in range(4)))
            for hand, rows in expected.hands.items()
        }
        got = {hand: (row.times, row.points, row.outs, row.floats, row.buys) for hand, row in tally.hands.items()}
        assert got == by_hand
        for other in fast:
            for how in ("ahead", "level", "behind"):
                assert named(nights_of(sat, how, person, other)) == expected.against[how, names[other]]
        for what, at in (("out", 1), ("floated", 2), ("bought", 3)):
            assert bool(many_nights.hand_nights(device, Wanted(), person, what)) == any(
                row[at] for rows in expected.hands.values() for row in rows
            )
    assert maintenance.check() == []


examples = count()


@thorough(8, in_ci=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(evenings())
def test_any_nights_equal_their_slow_recomputation(app: Flask, drawn):
    evening, merges, back = drawn
    example = next(examples)
    names = [f"P{example} {letter}" for letter in "ABCDEF"]
    with app.test_request_context():
        device = devices.ensure()
        nights: list[tuple[str, dict[int, str]]] = []
        for seats, first, happens in evening:
            chosen = [names[who] for who in seats]
            command = StartGame(KATE, tuple(range(len(chosen))), 0, first)
            code = record.start_game(command, chosen, token=record.new_token(), device=device).code
            typed = dict(enumerate(chosen))
            for step in happens:
                try:
                    act(code, step, names, typed)
                except (IllegalCommand, record.Stale):
                    continue
            nights.append((code, typed))
        compared(device, nights, {})
        is_now: dict[str, str] = {}
        done = []
        for merged, kept in merges:
            ids = {row.name: row.id for row in many_nights.people(device)}
            if names[merged] in ids and names[kept] in ids:
                before = dict(is_now)
                try:
                    person_changes.merge(
                        ids[names[merged]], ids[names[kept]], seen=last(ids[names[merged]]), device=device
                    )
                except person_trail.PersonRefused:
                    continue
                is_now = {name: names[kept] if now == names[merged] else now for name, now in is_now.items()}
                is_now[names[merged]] = names[kept]
                done.append((ids[names[merged]], before))
                compared(device, nights, is_now)
        for person, before in reversed(done):
            person_changes.undo(person, last(person), device=device)
            compared(device, nights, before)
        if back and nights:
            act(nights[0][0], "undo", names, nights[0][1])
            compared(device, nights, {})


def last(person: int) -> int:
    """The last change about a person, 0 for none."""
    return person_trail.last_change(person)

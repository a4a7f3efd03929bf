"""The oracle is right too: its readings against every permutation, and the rulebook's examples."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import assume, given

from tests.referee import oracle, oracle_peru
from tests.referee import strategies as make
from tests.referee.oracle_compare import in_any_order
from tests.thorough import thorough

PLAIN = oracle.DEFAULT_RULES


@thorough(60, in_ci=200)
@given(make.meld_requests())
def test_run_readings_are_the_permutations_that_are_runs(request: dict[str, Any]) -> None:
    cards, rules = request["in"]["cards"], make.full(request.get("rules", {}))
    assume(len(cards) <= 6)
    tried = {
        (suit, low, tuple("2*" if oracle.is_wild(card) else card for card in order))
        for order in itertools.permutations(cards)
        for suit, low in oracle.ordered_runs(list(order), rules)
    }
    assert tried == {(suit, low, tuple(laid)) for suit, low, laid in oracle.run_readings(cards, rules)}


@thorough(60, in_ci=200)
@given(make.peru_meld_requests())
def test_perus_run_readings_are_the_permutations_that_are_runs(request: dict[str, Any]) -> None:
    cards = request["in"]["cards"]
    assume(len(cards) <= 6)
    tried = {
        (suit, low, tuple(oracle_peru.written(list(order), suit, oracle_peru.RING.index(low))))
        for order in itertools.permutations(cards)
        for suit, low in oracle_peru.ordered_runs(list(order))
    }
    found = [{"kind": "run", "suit": suit, "low": low, "cards": list(laid)} for suit, low, laid in tried]
    assert in_any_order(found) == in_any_order(oracle_peru.run_readings(cards))


@thorough(40, in_ci=200)
@given(make.godown_requests(most=9))
def test_a_way_down_is_a_partition_of_the_hand(request: dict[str, Any]) -> None:
    """For contracts of two melds: every two disjoint parts of the hand, asked as a lay-down."""
    hand, rules = request["in"]["hand"], make.full(request.get("rules", {}))
    assume(request["in"]["contract"] <= 3)
    parts = [
        (set(first), set(second))
        for first in subsets(range(len(hand)))
        for second in subsets([i for i in range(len(hand)) if i not in first])
    ]
    down = any(
        oracle.answer_laydown(
            {"contract": request["in"]["contract"], "groups": [[hand[i] for i in part] for part in pair]}, rules
        )["ok"]
        for pair in parts
    )
    assert oracle.answer(request)["can"] == down


def subsets(items: Any) -> list[tuple[int, ...]]:
    members = list(items)
    return [part for size in range(3, len(members) + 1) for part in itertools.combinations(members, size)]


@pytest.mark.parametrize(
    ("cards", "readings"),
    [
        ("2S 2H 2D", []),  # G3.3
        ("8S 8S 8H", ["set 8"]),  # G3.1
        ("5S 2S 2H 2D", ["set 5", "run 3", "run 4", "run 5"]),  # G3.6; nothing below 3
        ("2H 3S 4S 5S", ["run 3"]),  # G2.1
        ("QS KS AS 2S", ["run J"]),
        ("KS AS 2H 3S", []),
        ("4S 4S 5S", []),
        ("4S 5S", []),
    ],
)
def test_readings_of_the_rulebook(cards: str, readings: list[str]) -> None:
    found = oracle.answer_meld({"cards": cards.split(), "ordered": cards.split()}, PLAIN)["readings"]
    assert [f"{reading['kind']} {reading.get('rank') or reading['low']}" for reading in found] == readings


@pytest.mark.parametrize(
    ("cards", "readings"),
    [
        ("QS KS AS 2S 3S", ["run Q QS KS AS 2S 3S"]),  # P3
        ("2S 2H 2D", ["set 2"]),  # P2
        ("2S 2H 3S 4S", ["run 2 2S 3S 4S 2*", "run A 2* 2S 3S 4S"]),
        ("4S JK 2H 6S", []),  # P5
        ("4S JK 6S 2H 8S", ["run 4 4S 2* 6S JK 8S", "run 4 4S JK 6S 2* 8S"]),
        ("7S 7H JK", ["set 7"]),
        ("7S JK JK", []),
    ],
)
def test_readings_in_peru(cards: str, readings: list[str]) -> None:
    found = oracle_peru.answer_meld({"cards": cards.split(), "ordered": cards.split()})["readings"]
    words = [
        " ".join([reading["kind"], reading.get("rank") or reading["low"], *reading.get("cards", [])])
        for reading in found
    ]
    assert words == readings

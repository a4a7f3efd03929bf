"""What must not change an answer: the order of the cards, the names of suits and owners, what was asked before."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from companion.referee.protocol import answer
from tests.referee import oracle
from tests.referee import strategies as make
from tests.referee.oracle_compare import comparable
from tests.thorough import thorough

REQUESTS = st.one_of(
    make.meld_requests(), make.table_requests(), make.laydown_requests(), make.godown_requests(), make.best_requests()
)
seeds = st.integers(0, 2**16).map(random.Random)


def out(request: dict[str, Any]) -> Any:
    got = answer(request)
    assert "error" not in got, got
    return comparable(request["type"], got["out"])


def shuffled(items: list[Any], shuffle: random.Random) -> list[Any]:
    return shuffle.sample(items, len(items))


@thorough(150, in_ci=300)
@given(REQUESTS, seeds)
def test_any_order_of_the_cards(request: dict[str, Any], shuffle: random.Random) -> None:
    before = out(request)
    given = request["in"]
    for key in ("cards", "hand", "groups"):
        if key in given:
            given[key] = shuffled(given[key], shuffle)
    if "groups" in given:
        given["groups"] = [shuffled(group, shuffle) for group in given["groups"]]
    assert out(request) == before


@thorough(80, in_ci=400)
@given(make.best_requests(), seeds)
def test_any_order_of_the_melds(request: dict[str, Any], shuffle: random.Random) -> None:
    before = out(request)
    request["in"]["table"] = shuffled(request["in"]["table"], shuffle)
    assert out(request) == before


@thorough(150, in_ci=300)
@given(REQUESTS, st.permutations("SHDC"))
def test_suits_may_change_names(request: dict[str, Any], suits: list[str]) -> None:
    """Wild 2s keep theirs: ``plays`` names the one it plays 2S."""
    names = dict(zip("SHDC", suits, strict=True))

    def renamed(value: Any) -> Any:
        if isinstance(value, dict):
            return {renamed(key): renamed(item) for key, item in value.items()}
        if isinstance(value, list):
            return [renamed(item) for item in value]
        if isinstance(value, str) and value in names:
            return names[value]
        return value[:-1] + names[value[-1]] if value in make.NATURALS else value

    changed = {**request, "in": renamed(request["in"])}
    assert out(changed) == comparable(request["type"], renamed(answer(request)["out"]))


@thorough(80, in_ci=400)
@given(st.one_of(make.table_requests(), make.best_requests()))
def test_owners_may_change_names(request: dict[str, Any]) -> None:
    before = out(request)
    names = {"p1": "Zoë", "p2": "p1", "p3": "", "p4": "😀"}
    given = request["in"]
    given["player"] = names[given["player"]]
    given["table"] = [{**meld, "owner": names[meld["owner"]]} for meld in given["table"]]
    assert out(request) == before


@thorough(60, in_ci=300)
@given(st.lists(REQUESTS, min_size=2, max_size=4), seeds)
def test_no_state_between_calls(requests: list[dict[str, Any]], shuffle: random.Random) -> None:
    alone = [json.dumps(answer(request)) for request in requests]
    numbers = shuffled(list(range(len(requests))) * 2, shuffle)
    assert [json.dumps(answer(requests[number])) for number in numbers] == [alone[number] for number in numbers]


@thorough(60, in_ci=300)
@given(REQUESTS)
def test_the_question_is_left_as_it_was(request: dict[str, Any]) -> None:
    before = copy.deepcopy(request)
    assert "out" in answer(request)
    assert request == before


@thorough(80, in_ci=400)
@given(make.godown_requests(), st.sampled_from(make.NATURALS + make.WILDS))
def test_one_more_card_never_takes_a_way_down_away(request: dict[str, Any], card: str) -> None:
    before = out(request)["can"]
    hand = request["in"]["hand"]
    request["in"]["hand"] = make.within_decks([*hand, card], make.full(request.get("rules", {}))["decks"])
    assert out(request)["can"] >= before


@thorough(80, in_ci=400)
@given(make.godown_requests())
def test_fewer_limits_never_take_a_way_down_away(request: dict[str, Any]) -> None:
    before = out(request)["can"]
    loose = {"max_wilds": None, "nat_outnumber": False, "no_adjacent_wilds": False}
    request["rules"] = {**request.get("rules", {}), **loose}
    assert out(request)["can"] >= before


@thorough(80, in_ci=400)
@given(make.best_requests())
def test_the_best_turn_exists_where_the_hand_can_go_down(request: dict[str, Any]) -> None:
    given = {"hand": request["in"]["hand"], "contract": request["in"]["contract"]}
    can = out({**request, "type": "godown", "in": given})["can"]
    found = out(request)
    assert (found["points"] is not None) == can
    if can:
        assert (found["points"] > 0) == (found["end"] == "hold")
        assert found["points"] <= sum(map(oracle.points_of, given["hand"]))

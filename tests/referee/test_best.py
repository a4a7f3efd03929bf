"""The best turn: worked out suit by suit against trying every play (G6–G8)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from companion.referee.cards import Card, Rank, Suit, parse_card, parse_cards
from companion.referee.games import KATE, PERU
from companion.referee.melds import Meld
from companion.referee.protocol import answer
from companion.referee.rules import Contract, Rules
from companion.referee.search.best_turn import STEPS, BestTurn, best_turn
from companion.referee.search.turns import Steps
from companion.referee.state import TableMeld
from tests.referee import strategies as make
from tests.thorough import thorough

PLAYER = 1
SWITCHES = st.fixed_dictionaries(
    {},
    optional={
        "max_wilds": st.sampled_from([0, 1, 2, 3]),
        "naturals_outnumber": st.just(True),
        "adjacent_wilds": st.just("forbidden"),
        "wild_swap": st.just("off"),
        "freed_wild": st.just("hand"),
        "own_melds_count": st.just(False),
        "lay_off_own": st.just(False),
        "lay_off_same_turn": st.just(False),
        "discard_ban": st.just(False),
        "must_discard_to_go_out": st.just(False),
        "wild_limit_scope": st.just("going_down"),
        "lay_down_size": st.just("exact"),
        "same_rank_sets": st.just("forbidden"),
        "same_suit_runs": st.just("forbidden"),
        "wild_discards": st.just(False),
        "extra_melds": st.just(True),
        "min_naturals": st.sampled_from([0, 2]),
    },
)


def meld_of(entry: dict[str, Any]) -> Meld:
    cards = parse_cards(" ".join(entry["cards"]))
    if entry["kind"] == "set":
        return Meld.set_of(next(card.rank for card in cards if card.rank is not Rank.TWO), cards)
    return Meld.run_from(Suit(entry["suit"]), parse_card(entry["low"] + "S").rank, cards)


Question = tuple[list[Card], Contract | None, list[TableMeld], Rules]


@st.composite
def questions(draw: st.DrawFn) -> Question:
    """A hand and a table of the comparison with the oracle, under any switches, for a player who is down or not."""
    asked = draw(make.best_requests(9))["in"]
    rules = KATE.replace(**draw(SWITCHES))
    melds = [meld_of(entry) for entry in asked["table"]]
    table = [TableMeld(at, draw(st.integers(0, 2)), meld, meld) for at, meld in enumerate(melds)]
    hand = list(parse_cards(" ".join(asked["hand"])))
    if draw(st.booleans()):
        return hand[: draw(st.integers(1, 8))], None, table, rules
    return hand, rules.contracts[asked["contract"] - 1], table, rules


def step_by_step(question: Question) -> BestTurn | None:
    """The same answer found by trying every play."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("companion.referee.search.best_turn._by_suit", lambda *_: False)
        return best_turn(*question[:3], PLAYER, question[3])


@thorough(200, in_ci=2500)
@given(questions())
def test_the_quick_way_finds_what_trying_every_play_finds(question: Question) -> None:
    quick, slow = best_turn(*question[:3], PLAYER, question[3]), step_by_step(question)
    event(f"{quick and quick.end}, {'down' if question[1] is None else 'going down'}")
    assert quick == slow


@thorough(60, in_ci=800)
@given(questions(), st.randoms(use_true_random=False))
def test_the_order_of_cards_and_melds_does_not_matter(question: Question, rng: Any) -> None:
    hand, contract, table, rules = question
    found = best_turn(hand, contract, table, PLAYER, rules)
    rng.shuffle(hand)
    rng.shuffle(table)
    again = best_turn(hand, contract, table, PLAYER, rules)
    assert found == again


def down(hand: str, *melds: Meld, rules: Rules = KATE, owner: int = 2) -> tuple[int, str]:
    table = [TableMeld(at, owner, meld, meld) for at, meld in enumerate(melds)]
    found = best_turn(parse_cards(hand), None, table, PLAYER, rules)
    assert found is not None
    return found.points, found.end


def run(text: str, low: Rank, suit: Suit = Suit.SPADES) -> Meld:
    return Meld.run_from(suit, low, parse_cards(text))


def test_the_copy_that_is_thrown_is_not_laid_off_too() -> None:
    low, high = run("4S 5S 6S", Rank.FOUR), run("8S 9S 10S", Rank.EIGHT)
    assert down("7S 7S", low, high) == (0, "float")  # one closes each gap; the first left would play on the other
    assert down("7S 7S", low) == (0, "out")  # the second does not play once the first lies


def test_a_natural_between_two_runs_goes_where_the_next_card_needs_it() -> None:
    assert down("7S 8S KD", run("4S 5S 6S", Rank.FOUR)) == (0, "out")
    assert down("7S 8S QD KD", run("4S 5S 6S", Rank.FOUR)) == (10, "hold")


def test_wilds_are_shared_between_the_suits() -> None:
    spades, hearts = run("4S 5S 6S", Rank.FOUR), run("4H 5H 6H", Rank.FOUR, Suit.HEARTS)
    assert down("2S 8S 8H KD", spades, hearts) == (5, "hold")
    assert down("2S 2H 8S 8H KD", spades, hearts) == (0, "out")


def test_g8_5_a_wild_freed_to_hand_bridges_another_suit() -> None:
    spades, hearts = run("4S 2H 6S", Rank.FOUR), run("4H 5H 6H", Rank.FOUR, Suit.HEARTS)
    assert down("5S 8H KD", spades, hearts, rules=KATE.replace(freed_wild="hand")) == (0, "out")
    assert down("5S 8H KD", spades, hearts) == (5, "hold")


def test_g3_4_a_natural_on_a_set_makes_room_for_a_wild() -> None:
    rules = KATE.replace(naturals_outnumber=True)
    eights = Meld.set_of(Rank.EIGHT, parse_cards("8S 8H 2D"))
    assert down("8C 2S KD", eights, rules=rules) == (0, "out")
    assert down("2S KD", eights, rules=rules) == (10, "hold")  # no room: the 2 may be thrown, and costs most


def test_g6_5_a_wild_may_be_thrown_once_every_set_is_full() -> None:
    rules = KATE.replace(max_wilds=1)
    eights = Meld.set_of(Rank.EIGHT, parse_cards("8S 8H 8D"))
    assert down("2S", eights, rules=rules) == (0, "float")
    assert down("2S 2H", eights, rules=rules) == (0, "out")


def test_g4_4_further_melds_are_laid_where_the_table_plays_so() -> None:
    hand, more = parse_cards("7S 7H 7D 9S 9H 9D 4C 5C 6C KD"), KATE.replace(extra_melds=True)
    for rules, least in ((KATE, (15, "hold")), (more, (0, "out"))):
        found = best_turn(hand, rules.contracts[0], [], PLAYER, rules)
        assert found is not None
        assert (found.points, found.end) == least
    assert down("4C 5C 6C KD", rules=more) == (0, "out")
    assert down("4C 5C 6C KD") == (15, "hold")
    assert down("4C 5C 7C KD", rules=more) == (15, "hold")


def test_g7_1_own_melds_forbid_the_discard_even_where_nothing_is_laid_off_on_them() -> None:
    eights = Meld.set_of(Rank.EIGHT, parse_cards("8S 8H 8D"))
    strict = KATE.replace(lay_off_own=False)
    assert down("8C", eights, rules=strict, owner=PLAYER) == (5, "hold")
    assert down("8C", eights, rules=strict.replace(own_melds_count=False), owner=PLAYER) == (0, "out")


def test_p6_in_peru_the_2_lies_as_itself_or_as_a_wild() -> None:
    twos = Meld.set_of(Rank.TWO, parse_cards("2S 2H 2D"))
    corner = run("QS KS AS", Rank.QUEEN)
    assert down("2S 3S 4H", corner, rules=PERU) == (0, "out")
    assert down("2C 4H", twos, rules=PERU) == (0, "out")


def test_a_table_beyond_its_own_limits_is_answered_too() -> None:
    rules = KATE.replace(max_wilds=1)
    crowded = Meld.set_of(Rank.EIGHT, parse_cards("8S 2H 2D"))
    assert down("8C KD", crowded, rules=rules) == (5, "hold")  # nothing plays there
    assert down("8C KD", crowded) == (0, "out")


# --- bounded by counted steps ------------------------------------------------------------------------------------------
@make.thorough(150, in_ci=2000)
@given(questions(), st.sampled_from([0, 30, 200, 1000, 5000]), st.booleans())
def test_a_search_cut_short_says_so_and_holds_the_truth_between_its_bounds(
    question: Question, limit: int, by_steps: bool
) -> None:
    true = best_turn(*question[:3], PLAYER, question[3])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("companion.referee.search.best_turn.STEPS", limit)
        if by_steps:
            patch.setattr("companion.referee.search.best_turn._by_suit", lambda *_: False)
        cut = best_turn(*question[:3], PLAYER, question[3])
    event("exact" if cut == true else "cut")
    if cut is None or true is None or cut.at_least is None:
        assert cut == true  # also that nobody can go down
    else:
        assert cut.at_least <= true.points <= cut.points


HARD_TABLE = (
    ("run", "D", "K", "JK AD 2D 3D"), ("run", "S", "J", "JS QS KS AS 2S JK"), ("set", "", "", "KS KH KD JK"),
    ("run", "S", "K", "2H AS 2S 3S 4S"), ("run", "H", "9", "9H 10H JH QH KH JK"),
)  # fmt: skip
HARD = {
    "hand": [
        "JK",
        "JK",
        "2C",
        "JK",
        "2C",
        "2S",
        "JK",
        "2H",
        "7S",
        "8H",
        "QH",
        "QH",
        "KS",
        "6H",
        "7H",
        "7S",
        "AS",
        "3S",
        "10H",
        "10H",
        "9S",
    ],
    "contract": 2,
    "table": [
        {"kind": kind, "suit": suit, "low": low, "owner": "b", "cards": cards.split()}
        for kind, suit, low, cards in HARD_TABLE
    ],
    "player": "a",
}


def test_a_line_that_no_search_can_finish_is_answered_the_same_everywhere() -> None:
    """Counted in steps, not by a clock; sets of enum members lie in another order in every process."""
    program = [sys.executable, "-m", "companion.referee"]
    line = json.dumps({"id": 1, "type": "best", "sheet": "peru", "in": HARD})
    answers = {
        subprocess.run(program, input=line.encode(), capture_output=True, check=True, timeout=120).stdout
        for _ in range(2)
    }
    (told,) = map(json.loads, answers)
    assert told["id"] == 1
    assert told["out"].keys() == {"points", "end", "exact", "at_least"}
    assert told["out"]["exact"] is False
    assert 0 <= told["out"]["at_least"] <= told["out"]["points"]


HARDEST = [json.loads(line) for line in (Path(__file__).parent / "data/hardest.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.parametrize(
    "request_", [*HARDEST, {"type": "best", "sheet": "peru", "in": HARD}], ids=lambda asked: asked["sheet"]
)
def test_the_hardest_lines_that_a_search_for_them_found_take_no_more_steps_than_may_be(
    request_: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Steps are counted, for a test has no clock: each is a microsecond, some two seconds in all on an ordinary machine."""
    counters: list[Steps] = []

    class Counted(Steps):
        def __init__(self, limit: int) -> None:
            super().__init__(limit)
            counters.append(self)

    monkeypatch.setattr("companion.referee.search.best_turn.Steps", Counted)
    out = answer(request_)["out"]
    assert len(counters) == 2
    assert any(steps.left < STEPS for steps in counters)
    assert 0 <= out.get("at_least", out["points"]) <= out["points"]
    assert STEPS <= 1_000_000

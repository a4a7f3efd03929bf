"""Grebber, rule by rule with the neighbouring case (K1 to K10)."""

from __future__ import annotations

from itertools import combinations, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.cards import MalformedCard
from companion.referee.engine import IllegalCommand, decide, evolve, problems
from companion.referee.games import GREBBER, KATE
from companion.referee.grebber import Count, count_problems, greb, refill, request, request_problems
from companion.referee.history import replay, undo_target
from companion.referee.kruth import (
    DECK,
    SUM,
    KruthCard,
    KruthRank,
    KruthSuit,
    arrange,
    kruth_points,
    laid_problems,
    meld_problems,
    parse_kruth,
    parse_kruths,
)
from companion.referee.reasons import Firmness, Problem
from companion.referee.rules import BadRules, Rules
from companion.referee.scoring import purses
from companion.referee.standings import places, standings, totals
from companion.referee.state import GameState, Phase
from companion.referee.switches import SWITCHES
from companion.wording.rules_of_grebber import GREBBER as RULE_PAGES
from tests.referee.nights import Night
from tests.thorough import thorough

CHIPS = GREBBER.replace(gambling=True)
THREE = GREBBER.replace(four_of_a_rank=False)


def why(refusals: tuple[Problem, ...]) -> list[str]:
    return [problem.reason.name for problem in refusals]


def play(state: GameState, *orders: c.Command) -> GameState:
    for order in orders:
        for event in decide(state, order):
            state = evolve(state, event)
    return state


def started(rules: Rules = GREBBER, players: int = 2, **more: object) -> GameState:
    return play(GameState(), c.StartGame(rules, tuple(range(players)), 0, **more))  # type: ignore[arg-type]


def numbers(hand: int, *pairs: tuple[int, int]) -> c.CountHand:
    return c.CountHand(hand, tuple(Count(seat, laid, held) for seat, (laid, held) in enumerate(pairs)))


# --- K1: the deck ----------------------------------------------------------------------------------------------------


def test_k1_twenty_four_cards_each_once() -> None:
    assert len(set(DECK)) == len(DECK) == 24
    assert {card.suit for card in DECK} == set(KruthSuit)
    assert [card.points for card in DECK if card.suit is KruthSuit.SUN] == [0, 1, 2, 3, 4, 5]


def test_k1_cards_read_back_and_nothing_else_does() -> None:
    assert [parse_kruth(str(card)) for card in DECK] == list(DECK)
    for text in ("6sun", "sun", "3 sun", "٣sun", "3moon", ""):
        with pytest.raises(MalformedCard):
            parse_kruth(text)


def test_k1_a_card_is_in_one_place_only() -> None:
    sun = parse_kruths("3sun 4sun 5sun")
    here = (Count(0, 12, 0, sun), Count(1, 0, 5, (), parse_kruths("5wind")))
    assert count_problems(here, GREBBER) == ()
    both = (Count(0, 12, 0, sun), Count(1, 0, 5, (), parse_kruths("5sun")))
    (twice,) = count_problems(both, GREBBER)
    assert (twice.reason.name, twice.rule, twice.facts["seat"]) == ("KRUTH_TWICE", "K1", 1)


def test_k1_cards_count_what_they_count() -> None:
    sun = parse_kruths("3sun 4sun 5sun")
    for wrong in (Count(0, 11, 0, sun), Count(0, 12, 4, sun, parse_kruths("5wind"))):
        (differs,) = count_problems((wrong, Count(1, 0, 5)), GREBBER)
        assert (differs.reason.name, differs.rule, differs.facts["seat"]) == ("KRUTH_POINTS", "K1", 0)
    assert (differs.facts["points"], differs.facts["entered"]) == (5, 4)
    assert count_problems((Count(0, 12, 5, sun, parse_kruths("5wind")), Count(1, 0, 5)), GREBBER) == ()
    used = Count(
        0, 7, 0, parse_kruths("3sun 4sun"), (), parse_kruths("5sun")
    )  # what a wild stands for is no card (K10)
    assert count_problems((used, Count(1, 0, 5)), CHIPS) == ()


# --- K2: six cards each ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "refused"), [(1, ["TOO_FEW_PLAYERS"]), (2, []), (3, []), (4, ["TOO_MANY_PLAYERS"])]
)
def test_k2_two_or_three_play(players: int, refused: list[str]) -> None:
    assert why(problems(GameState(), c.StartGame(GREBBER, tuple(range(players)), 0))) == refused


def test_k2_the_refusal_carries_the_arithmetic_and_is_ours() -> None:
    (problem,) = problems(GameState(), c.StartGame(GREBBER, (0, 1, 2, 3), 0))
    assert dict(problem.facts) == {"count": 4, "limit": 3, "each": 6, "deck": 24}
    assert (problem.rule, problem.firmness) == ("K2", Firmness.SILENT)


def test_k2_a_third_joins_and_a_fourth_does_not() -> None:
    three = play(started(), c.JoinSeat(2))
    assert len(three.order) == 3
    assert why(problems(three, c.JoinSeat(3))) == ["TOO_MANY_PLAYERS"]


# --- K3: runs, triplets, the score -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "reasons"),
    [
        ("0sun 1sun 2sun", []),
        ("5sun 3sun 4sun", []),
        ("0sun 1sun 2sun 3sun 4sun 5sun", []),
        ("0sun 1sun", ["KRUTH_SHORT"]),
        ("0sun 1sun 3sun", ["KRUTH_GAP"]),
        ("0sun 1sun 2wind", ["KRUTH_MIXED"]),
        ("4sun 5sun 0sun", ["KRUTH_GAP"]),  # no way round the corner
        ("3sun 3wind 3stone", []),
        ("3sun 3wind 3stone 3water", []),
        ("3sun 3wind", ["KRUTH_SHORT"]),
        ("3sun 3wind 4stone", ["KRUTH_MIXED"]),
        ("3sun 3sun 3wind", ["KRUTH_TWICE"]),
    ],
)
def test_k3_runs_and_triplets(cards: str, reasons: list[str]) -> None:
    assert why(meld_problems(parse_kruths(cards), GREBBER)) == reasons


def test_k3_all_four_of_a_rank_is_a_switch() -> None:
    four = parse_kruths("3sun 3wind 3stone 3water")
    assert why(laid_problems(four, GREBBER)) == []
    (problem,) = laid_problems(four, THREE)
    assert (problem.reason.name, problem.switch, problem.firmness) == ("KRUTH_FOUR", "four_of_a_rank", Firmness.SILENT)
    assert laid_problems(four[:3], THREE) == ()


def test_k3_four_of_a_rank_is_no_matter_where_a_run_takes_one_of_them() -> None:
    assert laid_problems(parse_kruths("3sun 3wind 3stone 3water 4sun 5sun"), THREE) == ()


def test_k3_what_lies_in_no_meld_is_named() -> None:
    (problem,) = laid_problems(parse_kruths("0sun 1sun 2sun 4wind 4stone 5stone"), GREBBER)
    assert problem.reason.name == "KRUTH_LEFT_OVER"
    assert set(problem.facts["cards"]) == set(parse_kruths("4wind 4stone 5stone"))  # type: ignore[call-overload]


def test_k3_the_score_is_laid_less_held_and_may_be_negative() -> None:
    assert Count(0, 12, 4).score == 8
    assert Count(0, 0, 9).score == -9
    after = play(started(), numbers(1, (12, 4), (0, 9)))
    assert totals(after) == {0: 8, 1: -9}


def test_k3_numbers_no_meld_can_make_are_refused() -> None:
    assert why(problems(started(), numbers(1, (1, 0), (2, 0)))) == ["KRUTH_NOTHING_LAID"] * 2
    assert why(problems(started(), numbers(1, (0, 0), (3, 0)))) == []  # three Deaths, or Death to Truth


def totals_of_melds(four: bool) -> set[int]:
    """Every total that melds of the deck make, by trying all runs of the suits with all triplets of what is left."""
    spans = [set(range(low, high)) for low in range(6) for high in range(low + 3, 7)]
    runs: list[set[int]] = [
        set(),
        *spans,
        *(a | b for a, b in combinations(spans, 2) if len(a) + len(b) == 6 and not a & b),
    ]
    found = set()
    for laid in product(runs, repeat=4):
        sums = {sum(sum(ranks) for ranks in laid)}
        for rank in range(6):
            left = sum(rank not in ranks for ranks in laid)
            sizes = [0, *([3] if left >= 3 else []), *([4] if left == 4 and four else [])]
            sums = {total + size * rank for total in sums for size in sizes}
        found |= sums
    return found


@pytest.mark.parametrize(("rules", "impossible"), [(GREBBER, {1, 2, 5, 7}), (THREE, {1, 2, 4, 5, 7, 8, 11})])
def test_k3_exactly_the_totals_that_no_melds_make_are_refused(rules: Rules, impossible: set[int]) -> None:
    assert set(range(SUM + 1)) - totals_of_melds(rules.four_of_a_rank) == impossible
    refused = {laid for laid in range(SUM + 1) if count_problems((Count(0, laid, 0),), rules)}
    assert refused == impossible
    with_wild = [
        count_problems((Count(0, laid, 0, wilds=parse_kruths("0sun")),), rules.replace(gambling=True))
        for laid in impossible
    ]
    assert with_wild == [()] * len(impossible)


def test_k3_a_total_that_only_four_of_a_rank_make_rests_on_that_choice() -> None:
    (found,) = count_problems((Count(0, 8, 0),), THREE)
    assert (found.reason.name, found.firmness, found.switch) == (
        "KRUTH_NOTHING_LAID",
        Firmness.SILENT,
        "four_of_a_rank",
    )
    (always,) = count_problems((Count(0, 7, 0),), THREE)
    assert (always.firmness, always.switch) == (Firmness.TEXT, None)


def test_k3_blank_is_not_zero() -> None:
    (problem,) = problems(started(), c.CountHand(1, (Count(0, 12, 0),)))
    assert (problem.reason.name, problem.facts["seat"]) == ("MISSING_POINTS", 1)
    assert why(problems(started(), c.CountHand(1, (Count(0, 12, 0), Count(1, 0, 0), Count(7, 0, 0))))) == [
        "NO_SUCH_SEAT"
    ]
    assert "SEATS_DIFFER" in why(problems(started(), c.CountHand(1, (Count(0, 12, 0), Count(1, 0, 0), Count(1, 0, 0)))))


def melds_by_brute_force(rules: Rules) -> set[frozenset[KruthCard]]:
    """Every meld of the deck, read off the rulebook: an oracle beside the search."""
    melds = set()
    for suit in KruthSuit:
        whole = [KruthCard(rank, suit) for rank in KruthRank]
        melds |= {frozenset(whole[low:high]) for low in range(6) for high in range(low + 3, 7)}
    for rank in KruthRank:
        alike = [KruthCard(rank, suit) for suit in KruthSuit]
        sizes = (3, 4) if rules.four_of_a_rank else (3,)
        melds |= {frozenset(chosen) for size in sizes for chosen in combinations(alike, size)}
    return melds


def covers(cards: frozenset[KruthCard], melds: set[frozenset[KruthCard]]) -> int:
    """The most cards that lie in melds, by trying everything."""
    if not cards:
        return 0
    first = min(cards, key=str)
    best = covers(cards - {first}, melds)
    for meld in melds:
        if first in meld and meld <= cards:
            best = max(best, len(meld) + covers(cards - meld, melds))
    return best


@given(st.frozensets(st.sampled_from(DECK), max_size=11), st.booleans())
@thorough(150, 3000)
def test_k3_no_arrangement_leaves_fewer_cards_over(cards: frozenset[KruthCard], four: bool) -> None:
    rules = GREBBER if four else THREE
    arranged = arrange(cards, rules)
    laid = [card for meld in arranged.melds for card in meld]
    assert sorted(map(str, (*laid, *arranged.none))) == sorted(map(str, cards))
    assert all(meld_problems(meld, rules) == () for meld in arranged.melds)
    assert len(laid) == covers(cards, melds_by_brute_force(rules))


def test_k3_every_meld_of_the_deck_by_count() -> None:
    def legal(size: int, rules: Rules = GREBBER) -> int:
        return sum(not meld_problems(cards, rules) for cards in combinations(DECK, size))

    # runs: four suits times 4, 3, 2, 1; of a rank: six times 4 triplets, six fours
    assert [legal(3), legal(4), legal(5)] == [16 + 24, 12 + 6, 8]
    assert legal(4, THREE) == 12


# --- K4: the check of sixty ------------------------------------------------------------------------------------------


def test_k4_the_deck_has_sixty_points() -> None:
    assert SUM == kruth_points(DECK) == 60


def test_k4_sixty_is_fine_and_sixty_one_is_not() -> None:
    assert why(problems(started(), numbers(1, (40, 5), (10, 5)))) == []
    (problem,) = problems(started(), numbers(1, (40, 5), (10, 6)))
    assert (problem.reason.name, problem.rule, problem.facts["total"]) == ("KRUTH_SUM", "K4", 61)


def test_k4_with_the_undrawn_cards_it_is_exactly_sixty() -> None:
    counts = (Count(0, 30, 5), Count(1, 10, 5))
    assert why(count_problems(counts, GREBBER, undrawn=10)) == []
    assert why(count_problems(counts, GREBBER, undrawn=9)) == ["KRUTH_UNDRAWN"]
    assert why(count_problems(counts, GREBBER, undrawn=11)) == ["KRUTH_UNDRAWN"]


def test_k4_everything_wrong_is_said_at_once() -> None:
    refusals = problems(started(), c.CountHand(1, (Count(0, 1, 30), Count(1, 40, -1))))
    assert why(refusals) == ["KRUTH_NOTHING_LAID", "NEGATIVE_POINTS", "KRUTH_SUM"]


# --- K5: the target --------------------------------------------------------------------------------------------------


def near(*carried: int, target: int = 100) -> GameState:
    return started(GREBBER.replace(target=target), len(carried), first_hand=5, carried=carried)


def test_k5_the_game_goes_on_below_the_target_and_ends_at_it() -> None:
    assert play(near(90, 50), numbers(5, (9, 0), (0, 3))).phase is Phase.PLAYING
    over = play(near(90, 50), numbers(5, (12, 2), (0, 3)))
    assert (over.phase, over.hand, standings(over).winners) == (Phase.FINISHED, None, (0,))


def test_k5_two_past_the_target_in_one_hand_the_higher_wins() -> None:
    over = play(near(92, 95), numbers(5, (20, 0), (16, 0)))
    assert totals(over) == {0: 112, 1: 111}
    assert standings(over).winners == (0,)


def test_k5_equal_past_the_target_share() -> None:
    over = play(near(94, 98), numbers(5, (16, 0), (12, 0)))
    assert standings(over).winners == (0, 1)


def test_k5_who_emptied_the_hand_need_not_win() -> None:
    over = play(near(97, 50), numbers(5, (12, 4), (15, 0)))
    assert (over.scores[-1].out, standings(over).winners) == (1, (0,))


def test_k5_who_holds_nothing_but_death_did_not_empty_the_hand() -> None:
    death = parse_kruths("0sun")
    counts = (Count(0, 12, 0, (), ()), Count(1, 12, 0, (), death))
    assert play(started(), c.CountHand(1, counts)).scores[-1].out == 0
    assert play(started(), numbers(1, (12, 0), (12, 0))).scores[-1].out is None


@pytest.mark.parametrize("target", [100, 500, 1000, 1, 37, 99_999])
def test_k5_any_target(target: int) -> None:
    assert started(GREBBER.replace(target=target)).phase is Phase.PLAYING


@pytest.mark.parametrize("target", [None, 0, -5, 100_000, 10**30, "100", True])
def test_k5_no_target(target: object) -> None:
    with pytest.raises(BadRules):
        GREBBER.replace(target=target)


def test_k5_the_deal_goes_on_past_any_number_of_hands() -> None:
    state = started(players=3)
    for hand in range(1, 31):
        state = play(state, numbers(hand, (3, 0), (0, 3), (3, 3)))
    assert (state.hand.number, state.hand.dealer) == (31, 0)  # type: ignore[union-attr]
    assert places(totals(state), lowest_wins=False) == {0: 1, 1: 3, 2: 2}


def test_k5_a_correction_ends_the_game_or_takes_its_end_back() -> None:
    state = play(near(80, 50), numbers(5, (12, 0), (0, 3)))
    over = play(state, c.CorrectCount(5, (Count(0, 24, 0), Count(1, 0, 3))))
    assert (over.phase, over.hand) == (Phase.FINISHED, None)
    again = play(over, c.CorrectCount(5, (Count(0, 12, 0), Count(1, 0, 3))))
    assert (again.phase, again.hand.number, again.hand.dealer) == (Phase.PLAYING, 6, 1)  # type: ignore[union-attr]


def test_k5_who_left_does_not_end_the_game() -> None:
    state = play(started(GREBBER, 3, first_hand=5, carried=(99, 0, 0)), c.LeaveSeat(0))
    assert play(state, c.CountHand(5, (Count(1, 12, 0), Count(2, 0, 3)))).phase is Phase.PLAYING


@pytest.mark.parametrize(("carried", "fine"), [(99, True), (100, False), (-240, True), (-241, False)])
def test_k5_points_from_paper(carried: int, fine: bool) -> None:
    refusals = problems(GameState(), c.StartGame(GREBBER, (0, 1), 0, 5, (carried, 0)))
    assert (refusals == ()) is fine


# --- K6: chips -------------------------------------------------------------------------------------------------------


def constant(state: GameState) -> bool:
    """Purses and pot hold what everybody began with and what was filled up since."""
    held, pot = purses(state)
    brought = state.rules.purse * len(state.seats)  # type: ignore[union-attr]
    return (
        sum(held.values()) + pot == brought + sum(state.filled.values()) and min(state.filled.values(), default=1) > 0
    )


def test_k6_prices_in_antes() -> None:
    two = started(CHIPS.replace(ante=2), 3)
    anted = play(two, c.PayAntes(1))
    assert purses(anted) == ({0: 18, 1: 18, 2: 18}, 6)
    grebbed = play(anted, c.PayChips(1, 1, "greb"))
    assert purses(grebbed)[0][1] == 16
    turned = play(grebbed, c.PayChips(1, 2, "turn_wild"))
    assert (purses(turned)[0][2], turned.hand.wild_of) == (14, 2)  # type: ignore[union-attr]
    used = play(turned, c.PayChips(1, 0, "use_wild"))
    assert purses(used) == ({0: 16, 1: 16, 2: 14}, 14)


def test_k6_antes_once_a_hand_and_again_in_the_next() -> None:
    anted = play(started(CHIPS), c.PayAntes(1))
    assert why(problems(anted, c.PayAntes(1))) == ["ANTE_PAID"]
    following = play(anted, numbers(1, (12, 0), (0, 4)))
    assert why(problems(following, c.PayAntes(2))) == []
    assert why(problems(play(anted, c.DealAnew(1)), c.PayAntes(1))) == ["ANTE_PAID"]  # what is in the pot stays there


def test_k6_a_payment_that_is_noted_is_not_noted_again() -> None:
    first = play(started(CHIPS), c.PayChips(1, 0, "greb", 1))
    assert why(problems(first, c.PayChips(1, 0, "greb", 1))) == ["CHIPS_NOTED"]
    for fine in (
        c.PayChips(1, 0, "greb", 2),
        c.PayChips(1, 0, "greb"),
        c.PayChips(1, 0, "turn_wild", 1),
        c.PayChips(1, 1, "greb", 1),
    ):
        assert problems(first, fine) == ()
    assert problems(play(first, numbers(1, (12, 0), (0, 4))), c.PayChips(2, 0, "greb", 1)) == ()


def test_k6_a_new_wild_voids_the_old_one() -> None:
    first = play(started(CHIPS, 3), c.PayChips(1, 0, "turn_wild"))
    assert why(problems(first, c.PayChips(1, 0, "use_wild"))) == ["OWN_WILD"]
    assert why(problems(first, c.PayChips(1, 1, "use_wild"))) == []
    second = play(first, c.PayChips(1, 1, "turn_wild"))
    assert why(problems(second, c.PayChips(1, 0, "use_wild"))) == []
    assert why(problems(second, c.PayChips(1, 1, "use_wild"))) == ["OWN_WILD"]
    assert why(problems(play(second, c.DealAnew(1)), c.PayChips(1, 0, "use_wild"))) == ["NO_WILD"]


def test_k6_who_cannot_pay_a_price_whole_pays_nothing() -> None:
    turned = play(started(CHIPS.replace(purse=3, ante=2), 2), c.PayAntes(1))
    for what in ("turn_wild", "use_wild"):
        few = problems(turned, c.PayChips(1, 0, what))[-1]
        needs = 4 if what == "turn_wild" else 2
        assert (few.reason.name, few.firmness) == ("TOO_FEW_CHIPS", Firmness.SILENT)
        assert dict(few.facts) == {"seat": 0, "needs": needs, "has": 1}
    assert decide(turned, c.PayChips(1, 0, "greb")) == (e.ChipsPaid(1, "greb", {0: 0}),)
    grebbed = play(turned, c.PayChips(1, 0, "greb", 1))
    assert (purses(grebbed), why(problems(grebbed, c.PayChips(1, 0, "greb", 1)))) == (purses(turned), ["CHIPS_NOTED"])


def test_k6_the_ante_goes_on_with_those_who_can_pay_it() -> None:
    turned = play(started(CHIPS.replace(purse=2), 2), c.PayChips(1, 0, "turn_wild"))
    assert decide(turned, c.PayAntes(1)) == (e.ChipsPaid(1, "ante", {1: 1}),)
    broke = play(turned, c.PayAntes(1), c.PayChips(1, 1, "greb"), numbers(1, (12, 0), (0, 4)))
    assert decide(broke, c.PayAntes(2)) == (e.ChipsPaid(2, "ante", {}),)
    assert why(problems(play(broke, c.PayAntes(2)), c.PayAntes(2))) == ["ANTE_PAID"]


def test_k6_filling_a_purse_is_an_entry_and_adds_just_that() -> None:
    state = started(CHIPS, 2)
    assert why(problems(state, c.FillPurse(1, 0))) == ["PURSE_FULL"]
    paid = play(state, c.PayAntes(1), c.PayChips(1, 0, "turn_wild"))
    assert decide(paid, c.FillPurse(1, 0)) == (e.PurseFilled(1, 0, 3),)
    assert purses(play(paid, c.FillPurse(1, 0))) == ({0: 20, 1: 19}, 4)
    assert why(problems(started(), c.FillPurse(1, 0))) == ["GAMBLING_OFF"]
    assert why(problems(paid, c.FillPurse(1, 7))) == ["NO_SUCH_SEAT"]


def test_k6_the_price_of_anothers_wild_goes_into_the_pot_or_to_its_owner() -> None:
    for where, after in (("pot", ({0: 18, 1: 19}, 3)), ("owner", ({0: 19, 1: 19}, 2))):
        turned = play(started(CHIPS.replace(wild_price=where), 2), c.PayChips(1, 0, "turn_wild"))
        used = play(turned, c.PayChips(1, 1, "use_wild", 1))
        assert purses(used) == after
        assert why(problems(used, c.PayChips(1, 1, "use_wild", 1))) == ["CHIPS_NOTED"]
        assert used.hand.payments == (("turn_wild", 0), ("use_wild", 1))  # type: ignore[union-attr]


def test_k7_k9_what_is_written_and_what_is_silent() -> None:
    firm = {name: SWITCHES[name].firmness for name in ("request_gives", "greb_draws")}
    assert firm == {"request_gives": Firmness.SILENT, "greb_draws": Firmness.TEXT}
    pages = {number: firmness for number, _, firmness, *_ in RULE_PAGES}
    assert (pages["K7"], pages["K9"]) == (Firmness.TEXT, Firmness.TEXT)


def test_k6_no_chips_without_gambling() -> None:
    assert why(problems(started(), c.PayAntes(1))) == ["GAMBLING_OFF"]
    assert why(problems(started(), c.PayChips(1, 0, "greb"))) == ["GAMBLING_OFF"]
    used = c.CountHand(1, (Count(0, 7, 0, parse_kruths("3sun 4sun"), (), parse_kruths("5sun")), Count(1, 0, 5)))
    assert why(problems(started(), used)) == ["GAMBLING_OFF"]
    assert why(problems(started(CHIPS), used)) == []


def test_k6_the_winner_at_the_target_has_the_pot_and_undo_gives_it_back() -> None:
    state = started(CHIPS, 3, first_hand=5, carried=(90, 0, 0))
    over = play(state, c.PayAntes(5), numbers(5, (12, 0), (0, 4), (0, 4)))
    assert purses(over) == ({0: 22, 1: 19, 2: 19}, 0)
    closed = play(state, c.PayAntes(5), c.CloseGame())
    assert purses(closed) == ({0: 19, 1: 19, 2: 19}, 3)  # nobody has won


@given(st.integers(0, 10**9), st.integers(2, 3), st.integers(1, 5))
@thorough(60, 1500)
def test_k6_pot_plus_purses_is_constant_through_any_night_and_its_undos(seed: int, players: int, ante: int) -> None:
    rng, going = Random(seed), Night()
    price = rng.choice(("pot", "owner"))
    rules = CHIPS.replace(ante=ante, purse=rng.choice((0, 3, 20)), target=rng.choice((20, 60, 500)), wild_price=price)
    going.record(*decide(GameState(), c.StartGame(rules, tuple(range(players)), 0)))
    for _ in range(40):
        hand = going.state.hand.number if going.state.hand else going.state.scores[-1].number
        seat = rng.randrange(players)
        order: c.Command = rng.choice((
            c.PayAntes(hand), c.PayChips(hand, seat, rng.choice(("greb", "turn_wild", "use_wild", "tip"))), c.DealAnew(hand),
            c.FillPurse(hand, seat),
            numbers(hand, *((rng.choice((0, 3, 12, 18)), rng.choice((0, 1, 2))) for _ in range(players))),
            c.CorrectCount(max(1, hand - 1), numbers(1, *((rng.choice((0, 9, 20)), 0) for _ in range(players))).counts),
        ))  # fmt: skip
        if rng.random() < 0.25 and len(going.entries) > 1:
            target = undo_target(going.entries)
            if target is not None and target > 1:
                going.record(e.Undone(target))
        elif not problems(going.state, order):
            going.record(*decide(going.state, order))
        else:
            with pytest.raises(IllegalCommand):
                decide(going.state, order)
        assert constant(going.state)
        assert all(chips >= 0 for chips in purses(going.state)[0].values())
        assert replay(going.entries).state == going.state


# --- K7: requests ----------------------------------------------------------------------------------------------------

HELD = parse_kruths("0sun 5sun 5wind 2stone")


def test_k7_a_request_names_a_suit_or_a_rank_never_both() -> None:
    assert why(request_problems(KruthSuit.SUN, None)) == []
    assert why(request_problems(None, KruthRank.DEATH)) == []
    assert why(request_problems(KruthSuit.SUN, KruthRank.KING)) == ["REQUEST_BOTH"]
    assert why(request_problems(None, None)) == ["REQUEST_NOTHING"]


def test_k7_who_holds_such_a_card_must_give_one() -> None:
    sun = request(HELD, GREBBER, suit=KruthSuit.SUN)
    assert (sun.matching, sun.gives, sun.is_silent) == (parse_kruths("0sun 5sun"), 1, True)
    assert request(HELD, GREBBER.replace(request_gives="all"), rank=KruthRank.KING).gives == 2
    asked = request(HELD, GREBBER, suit=KruthSuit.STONE)
    assert (asked.gives, asked.is_silent) == (1, False)


def test_k7_who_holds_none_gives_none() -> None:
    assert request(HELD, GREBBER, suit=KruthSuit.WATER).gives == 0
    assert request(HELD, GREBBER, rank=KruthRank.LIFE).matching == ()
    assert request(HELD, GREBBER, rank=KruthRank.DEATH).matching == parse_kruths("0sun")


# --- K8, K9: drawing -------------------------------------------------------------------------------------------------


def test_k8_drawn_up_to_six_during_the_first_laying_only() -> None:
    assert [refill(held, GREBBER, first_laying=True) for held in (0, 3, 6, 7)] == [6, 3, 0, 0]
    assert refill(3, GREBBER, first_laying=False) == 0


def test_k9_greb() -> None:
    can, cannot = parse_kruths("0sun 1sun 2sun 5wind"), parse_kruths("0sun 1sun 3sun 5wind")
    assert greb(can, GREBBER).draws == "one"
    assert greb(can, GREBBER).found.melds == (parse_kruths("0sun 1sun 2sun"),)
    assert greb(cannot, GREBBER).draws == "until_meld"
    assert greb(cannot, GREBBER.replace(greb_draws="one")).draws == "one"


# --- K10: wilds and the check ----------------------------------------------------------------------------------------


def test_k10_what_a_wild_stands_for_scores_outside_the_check() -> None:
    pair = parse_kruths("4sun 5sun")
    used = Count(0, 9, 0, pair, (), parse_kruths("3sun"))
    assert used.score == 12
    full = (used, Count(1, 51, 0))
    assert count_problems(full, CHIPS) == ()
    assert why(count_problems((used, Count(1, 52, 0)), CHIPS)) == ["KRUTH_SUM"]


def test_k10_the_wild_may_stand_for_a_card_that_lies_elsewhere() -> None:
    mine = Count(0, 9, 0, parse_kruths("4sun 5sun"), (), parse_kruths("3sun"))
    assert count_problems((mine, Count(1, 0, 3, (), parse_kruths("3sun"))), CHIPS) == ()


def test_k10_one_wild_lies_there_so_a_meld_has_one_at_most() -> None:
    assert laid_problems(parse_kruths("5sun"), CHIPS, parse_kruths("3sun 4sun")) != ()
    assert laid_problems(parse_kruths("4sun 5sun 4wind 4stone"), CHIPS, parse_kruths("3sun 4water")) == ()


def test_k10_a_wild_may_stand_twice_for_the_same_card() -> None:
    three_and_five = parse_kruths("3sun 5sun 4water 4stone")
    fours = parse_kruths("4sun 4sun")
    assert laid_problems(three_and_five, CHIPS, fours) == ()
    assert Count(0, 16, 0, three_and_five, (), fours).score == 24
    assert laid_problems(three_and_five, CHIPS, fours[:1]) != ()


def test_k10_a_wild_that_lies_in_no_meld_is_refused() -> None:
    (second,) = laid_problems(parse_kruths("3sun 5sun"), CHIPS, parse_kruths("4sun 4sun"))
    assert (second.reason.name, second.facts["cards"]) == ("KRUTH_LEFT_OVER", parse_kruths("4sun"))
    (beside,) = laid_problems(parse_kruths("3sun 4sun 5sun"), CHIPS, parse_kruths("0wind"))
    assert (beside.reason.name, beside.facts["cards"]) == ("KRUTH_LEFT_OVER", parse_kruths("0wind"))
    for wild, least in (
        ("0sun", 0),
        ("1sun", 2),
        ("2sun", 1),
        ("3sun", 3),
        ("4sun", 5),
        ("5sun", 7),
        ("5sun 4sun", 12),
    ):
        wilds = parse_kruths(wild)
        assert why(count_problems((Count(0, least, 0, wilds=wilds),), CHIPS)) == []
        assert why(count_problems((Count(0, least - 1, 0, wilds=wilds),), CHIPS))[-1] == "KRUTH_WILD_ALONE"


def all_in_melds(cards: list[KruthCard], wilds: list[KruthCard], rules: Rules) -> bool:
    """Whether all lie in melds with one wild at most each, by trying every way to lay them, place by place."""
    pieces = [(card, False) for card in cards] + [(card, True) for card in wilds]

    def lie(left: tuple[int, ...]) -> bool:
        if not left:
            return True
        chosen = ((left[0], *rest) for size in range(2, 6) for rest in combinations(left[1:], size))
        return any(is_meld(meld) and lie(tuple(at for at in left if at not in meld)) for meld in chosen)

    def is_meld(meld: tuple[int, ...]) -> bool:
        one_wild = sum(pieces[at][1] for at in meld) <= 1
        return one_wild and not meld_problems([pieces[at][0] for at in meld], rules)

    return lie(tuple(range(len(pieces))))


@given(st.integers(0, 10**9))
@thorough(80, 2000)
def test_k10_melds_with_wilds_are_those_of_every_way_to_lay_them(seed: int) -> None:
    rng = Random(seed)
    melds = [sorted(meld, key=str) for meld in sorted(melds_by_brute_force(GREBBER), key=str)]
    chosen = [card for meld in rng.sample(melds, 2) for card in meld]
    wilds = rng.choices(chosen, k=rng.randint(1, 3))
    cards = [card for card in dict.fromkeys(chosen) if card not in wilds or rng.random() < 0.5]
    rules = rng.choice((CHIPS, CHIPS.replace(four_of_a_rank=False)))
    assert (not laid_problems(cards, rules, wilds)) is all_in_melds(cards, wilds, rules)


def test_k10_the_pile_of_wilds_is_in_no_sum() -> None:
    counts = (Count(0, 30, 5), Count(1, 10, 5))
    assert count_problems(counts, CHIPS, undrawn=5, wilds=1) == ()  # the wild is a King
    assert why(count_problems(counts, CHIPS, undrawn=4, wilds=1)) == ["KRUTH_UNDRAWN"]
    turned = play(started(CHIPS), c.PayChips(1, 0, "turn_wild"))
    assert why(problems(turned, c.CountHand(1, counts, undrawn=5))) == []
    assert why(problems(started(CHIPS), c.CountHand(1, counts, undrawn=5))) == ["KRUTH_UNDRAWN"]


def test_k10_odd_chips_stay_in_the_pot() -> None:
    state = started(CHIPS, 3, first_hand=5, carried=(90, 90, 0))
    shared = play(state, c.PayAntes(5), numbers(5, (12, 0), (12, 0), (0, 4)))
    assert standings(shared).winners == (0, 1)
    assert purses(shared) == ({0: 20, 1: 20, 2: 19}, 1)


# --- one game is not the other ---------------------------------------------------------------------------------------


def test_what_needs_contracts_is_refused_here_and_chips_are_refused_there() -> None:
    for order in (
        c.Buy(1, 0),
        c.GoDownWithoutCards(1, 0),
        c.Float(1, 0),
        c.ScoreHand(1, 0, {1: 5}),
        c.TakeBackBuy(1, 0),
    ):
        assert why(problems(started(), order)) == ["OTHER_GAME"]
    gripe = play(GameState(), c.StartGame(KATE, (0, 1, 2), 0))
    for order in (c.PayAntes(1), c.PayChips(1, 0, "greb"), numbers(1, (3, 0)), c.CorrectCount(1, ())):
        assert why(problems(gripe, order)) == ["OTHER_GAME"]


def test_the_table_can_overrule_what_the_text_leaves_open_and_not_the_target() -> None:
    assert play(started(), c.OverruleRule("request_gives", "all")).rules.request_gives == "all"  # type: ignore[union-attr]
    for switch, value in (("target", 500), ("purse", 50)):
        assert why(problems(started(), c.OverruleRule(switch, value))) == ["UNKNOWN_SWITCH"]


@given(st.integers(0, 10**9))
@thorough(80, 2000)
def test_any_command_is_refused_or_lands_and_never_breaks(seed: int) -> None:
    rng, going = Random(seed), Night()
    rules = rng.choice((GREBBER, CHIPS)).replace(target=rng.choice((30, 100)), four_of_a_rank=rng.random() < 0.5)
    going.record(*decide(GameState(), c.StartGame(rules, (0, 1, 2)[: rng.choice((2, 3))], 0)))
    for _ in range(30):
        hand = rng.choice((going.state.hand.number if going.state.hand else 1, 1, 0, -3, 10**9))
        seats = [rng.choice((0, 1, 2, 7, -1, 10**30)) for _ in range(rng.randint(0, 3))]
        counts = tuple(
            Count(seat, rng.choice((0, 12, -5, 10**9)), rng.choice((0, 4, -1)), tuple(rng.sample(DECK, rng.randint(0, 5))),
                  tuple(rng.sample(DECK, rng.randint(0, 3))), tuple(rng.sample(DECK, rng.randint(0, 2))))
            for seat in seats
        )  # fmt: skip
        good = numbers(hand, *((rng.choice((0, 9)), rng.choice((0, 3))) for _ in going.state.dealt_in))
        order: c.Command = rng.choice((
            c.CountHand(hand, counts, rng.choice((None, 0, -5, 60))), c.CorrectCount(hand, counts), good, good,
            c.PayAntes(hand), c.PayChips(hand, rng.choice((0, 1, 9)), rng.choice(("greb", "ante", "", "use_wild"))),
            c.Buy(hand, 0), c.GoDown(hand, 0, ()), c.ScoreHand(hand, 0, {0: 5}), c.JoinSeat(rng.choice((2, 3, -1))),
            c.LeaveSeat(rng.choice((0, 1, 2))), c.ReturnToSeat(rng.choice((0, 1, 2))), c.SitOut(hand, 1), c.DealAnew(hand),
            c.OverruleRule(rng.choice(("target", "gambling", "ante", "contracts", "four_of_a_rank")), rng.choice((True, 5, None))),
            c.CloseGame(), c.ReopenGame(), c.SetDealer(hand, 1), c.MoveSeats((1, 0)),
        ))  # fmt: skip
        if problems(going.state, order):
            with pytest.raises(IllegalCommand):
                decide(going.state, order)
        else:
            going.record(*decide(going.state, order))
    assert replay(going.entries).state == going.state

"""P6: may these melds and these hand cards become these melds this turn?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.referee.cards import Rank, Suit, parse_cards
from companion.referee.games import PERU
from companion.referee.melds import Meld
from companion.referee.rearranging import rearrange_problems
from companion.referee.reasons import Reason
from companion.referee.state import TableMeld


def spades(low: Rank, text: str) -> Meld:
    return Meld.run_from(Suit.SPADES, low, parse_cards(text))


def a_set(rank: Rank, text: str) -> Meld:
    return Meld.set_of(rank, parse_cards(text))


def reasons(
    before: Sequence[Meld], hand: str, after: Mapping[int, Meld] | None = None, new: Sequence[Meld] = ()
) -> list[Reason]:
    table = [TableMeld(number, 1, meld, meld) for number, meld in enumerate(before)]
    found = rearrange_problems(table, parse_cards(hand), after or {}, new, PERU)
    assert all(problem.rule for problem in found)
    return [problem.reason for problem in found]


END = spades(Rank.SIX, "6S 7S JK")
HOLE = spades(Rank.SIX, "6S JK 8S 9S")
NINES = a_set(Rank.NINE, "9S 9H JK")


def test_p6_a_wild_in_a_run_is_replaced_and_used_at_once() -> None:
    whole = spades(Rank.SIX, "6S 7S 8S 9S")
    assert reasons([HOLE], "7S KS KH", {0: whole}, [a_set(Rank.KING, "KS KH JK")]) == []
    assert reasons([HOLE], "7S", {0: spades(Rank.SIX, "6S 7S 8S 9S JK")}) == []


def test_p6_the_replaced_wild_may_not_go_to_hand() -> None:
    assert reasons([HOLE], "7S", {0: spades(Rank.SIX, "6S 7S 8S 9S")}) == [Reason.CARD_LEFT_OVER]


def test_p6_only_the_card_it_stands_for_replaces_a_wild() -> None:
    swapped = spades(Rank.SIX, "6S 2H 8S 9S")
    kings = a_set(Rank.KING, "KS KH JK")
    assert reasons([HOLE], "2H KS KH", {0: swapped}, [kings]) == [Reason.WILD_TAKEN]


def test_p6_the_wild_at_an_end_is_freed_by_a_card_at_the_other() -> None:
    kings = a_set(Rank.KING, "KS KH JK")
    assert reasons([END], "5S KS KH", {0: spades(Rank.FIVE, "5S 6S 7S")}, [kings]) == []


def test_p6_three_cards_must_remain() -> None:
    kings = a_set(Rank.KING, "KS KH JK")
    assert Reason.WILD_TAKEN in reasons([END], "KS KH", {0: spades(Rank.SIX, "6S 7S")}, [kings])
    assert Reason.TOO_SHORT in reasons([END], "KS KH", {0: spades(Rank.SIX, "6S 7S")}, [kings])


def test_p6_a_card_at_the_same_end_frees_no_wild() -> None:
    kings = a_set(Rank.KING, "KS KH JK")
    longer = spades(Rank.SIX, "6S 7S 8S")
    assert reasons([END], "8S KS KH", {0: longer}, [kings]) == []  # that is the card the wild stands for
    assert Reason.NOT_A_RUN in reasons([END], "9S KS KH", {0: spades(Rank.SIX, "6S 7S 9S")}, [kings])


def test_p6_a_wild_does_not_walk_to_the_other_end_by_itself() -> None:
    assert reasons([END], "", {0: spades(Rank.FIVE, "JK 6S 7S")}) == [Reason.WILD_TAKEN]


def test_p6_a_wild_in_a_set_is_replaced_by_a_card_of_the_rank() -> None:
    whole = a_set(Rank.NINE, "9S 9H 9D")
    kings = a_set(Rank.KING, "KS KH JK")
    assert reasons([NINES], "9D KS KH", {0: whole}, [kings]) == []
    assert Reason.WILD_TAKEN in reasons(
        [a_set(Rank.NINE, "9S 9H 9C JK")], "KS KH", {0: a_set(Rank.NINE, "9S 9H 9C")}, [kings]
    )


def test_p6_a_natural_of_a_set_is_exchanged_for_another_of_its_rank() -> None:
    run = spades(Rank.EIGHT, "8S 9S 10S")
    assert reasons([NINES], "9C 8S 10S", {0: a_set(Rank.NINE, "9C 9H JK")}, [run]) == []


def test_p6_the_exchanged_natural_must_be_used_this_turn() -> None:
    assert reasons([NINES], "9C", {0: a_set(Rank.NINE, "9C 9H JK")}) == [Reason.CARD_LEFT_OVER]


def test_p6_a_natural_is_not_taken_without_exchange() -> None:
    run = spades(Rank.EIGHT, "8S 9S 10S")
    four = a_set(Rank.NINE, "9S 9H 9D 9C")
    assert reasons([four], "8S 10S", {0: a_set(Rank.NINE, "9H 9D 9C")}, [run]) == [Reason.NATURAL_TAKEN]


def test_p6_a_run_gives_no_natural_and_is_not_split() -> None:
    long = spades(Rank.FOUR, "4S 5S 6S 7S 8S 9S")
    halves = {0: spades(Rank.FOUR, "4S 5S 6S")}
    assert reasons([long], "", halves, [spades(Rank.SEVEN, "7S 8S 9S")]) == [Reason.NATURAL_TAKEN]


def test_p6_every_card_is_accounted_for() -> None:
    assert reasons([NINES], "", {0: a_set(Rank.NINE, "9S 9H JK 9D")}) == [Reason.CARD_FROM_NOWHERE]
    assert reasons([NINES], "KS") == [Reason.CARD_LEFT_OVER]
    assert reasons([NINES], "") == []


def test_p6_a_meld_stays_the_meld_it_is() -> None:
    assert Reason.MELD_BROKEN in reasons([NINES], "", {0: a_set(Rank.TEN, "9S 9H JK")})


def test_p5_holds_for_every_meld_afterwards() -> None:
    assert reasons([NINES], "2H", {0: a_set(Rank.NINE, "9S 9H JK 2H")}) == [Reason.WILDS_NOT_OUTNUMBERED]
    assert reasons([NINES], "2H 9D 9C", {0: a_set(Rank.NINE, "9S 9H JK 2H 9D 9C")}) == []


def test_p3_a_run_round_the_corner_grows_at_both_ends() -> None:
    corner = spades(Rank.KING, "KS AS JK")
    grown = spades(Rank.QUEEN, "QS KS AS 2S")
    kings = a_set(Rank.KING, "KD KH JK")
    assert reasons([corner], "QS 2S KD KH", {0: grown}, [kings]) == []


def test_all_faults_are_given_at_once() -> None:
    found = reasons([NINES, HOLE], "", {0: a_set(Rank.NINE, "9S JK"), 1: spades(Rank.SIX, "6S 7S 8S 9S")})
    assert {Reason.NATURAL_TAKEN, Reason.TOO_SHORT, Reason.CARD_LEFT_OVER, Reason.CARD_FROM_NOWHERE} <= set(found)

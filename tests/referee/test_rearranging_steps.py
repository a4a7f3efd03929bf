"""P6: the referee's answer about a rearranged table is that of the slow one, which tries every sequence of steps."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.referee.cards import Rank, Suit, parse_cards
from companion.referee.games import PERU
from companion.referee.melds import Meld
from companion.referee.rearranging import rearrange_problems
from companion.referee.reasons import Reason
from companion.referee.state import TableMeld
from tests.referee.oracle_peru import RING, places
from tests.referee.oracle_rearranging import Hand, Lying, State, Table, a_run, a_set, is_legal, reachable
from tests.thorough import thorough

WILDS = ("JK", "JK", "2S", "2S", "2H", "2D")
RANKS = (["4", "5"], ["6", "7"], ["A", "3"], ["9"], ["K", "A"], ["2", "3"])


def meld_of(lying: Lying) -> Meld:
    cards = parse_cards(" ".join(lying.cards))
    if lying.rank:
        return Meld.set_of(next(rank for rank in Rank if rank.symbol == lying.rank), cards)
    low = next(rank for rank in Rank if rank.symbol == RING[lying.start])
    return Meld.run_from(Suit(lying.suit), low, cards)


def reasons(table: Table, hand: Hand, after: Table, new: tuple[Lying, ...]) -> list[Reason]:
    before = [TableMeld(number, 1, meld_of(meld), meld_of(meld)) for number, meld in enumerate(table)]
    now = {number: meld_of(meld) for number, meld in enumerate(after)}
    problems = rearrange_problems(before, parse_cards(" ".join(hand)), now, [meld_of(meld) for meld in new], PERU)
    return [problem.reason for problem in problems]


def spades(text: str) -> Lying:
    """A run of spades that begins with a natural, or with the joker before one."""
    cards = text.split()
    at = next(at for at, card in enumerate(cards) if card != "JK" and card[0] != "2")
    return a_run("S", RING.index(cards[at][:-1]) - at, cards)


def fours(text: str) -> Lying:
    return a_set("4", text.split())


# --- small random tables ----------------------------------------------------------------------------------------------


def some_meld(rng: Random, ranks: list[str], suits: str) -> Lying:
    while True:
        if rng.random() < 0.5:
            rank = rng.choice(ranks + ["2"] * (rng.random() < 0.15))
            wilds = [rng.choice(WILDS) for _ in range(rng.choice((0, 1, 1, 2)))]
            meld = a_set(rank, [rank + rng.choice(suits) for _ in range(rng.randint(2, 4))] + wilds)
        else:
            suit, start = rng.choice(suits), RING.index(rng.choice(ranks)) - rng.randint(0, 2)
            length = rng.choice((11, 12, 13)) if rng.random() < 0.03 else rng.choice((3, 3, 4, 5))
            lies = places(suit, start % len(RING), length)
            meld = a_run(suit, start, [rng.choice(WILDS) if rng.random() < 0.35 else card for card in lies])
        if is_legal(meld):
            return meld


def some_table(rng: Random) -> tuple[Table, Hand]:
    ranks, suits = rng.choice(RANKS), rng.choice(("S", "SH", "SHD"))
    table = tuple(some_meld(rng, ranks, suits) for _ in range(rng.choice((1, 2, 2, 3))))
    near = [RING[(RING.index(ranks[0]) + away) % len(RING)] for away in (-3, -2, -1, 0, 0, 1, 1, 2, 3, 4)]
    hand = [rng.choice(WILDS) if rng.random() < 0.4 else rng.choice(near) + rng.choice(suits) for _ in range(5)]
    return table, tuple(hand[: rng.randint(0, 5)])


def jumbled(rng: Random, state: State) -> State:
    """A few cards changed for others, or moved: what may well be impossible."""
    heaps = [[*meld.cards] for meld in state[0]] + [[*state[1]]]
    for _ in range(rng.choice((1, 1, 2, 3))):
        one, other = rng.choice(heaps), rng.choice(heaps)
        if one and other and rng.random() < 0.6:
            at, to = rng.randrange(len(one)), rng.randrange(len(other))
            one[at], other[to] = other[to], one[at]
        elif one:
            other.insert(rng.choice((0, len(other))), one.pop(rng.randrange(len(one))))
    melds = (
        a_set(meld.rank, cards) if meld.rank else a_run(meld.suit, meld.start + rng.choice((-1, 0, 0, 0, 1)), cards)
        for meld, cards in zip(state[0], heaps, strict=False)
    )
    return tuple(melds), tuple(sorted(heaps[-1]))


def new_melds(hand: Hand) -> tuple[Lying, ...] | None:
    """One meld of what is still to be laid; none for nothing; None where it is no meld in this order."""
    if not hand:
        return ()
    sets = [a_set(rank, list(hand)) for rank in RING]
    runs = [a_run(suit, start, list(hand)) for suit in "SHD" for start in range(len(RING))]
    return next(((meld,) for meld in sets + runs if is_legal(meld)), None)


@given(st.integers(0, 10**9))
@thorough(60, 1000)
def test_p6_the_answer_is_that_of_all_sequences_of_steps(seed: int) -> None:
    rng = Random(seed)
    table, hand = some_table(rng)
    possible = reachable(table, hand, 2000)
    for state in rng.sample(sorted(possible or ()), min(20, len(possible or ()))):
        for after in (state, *(jumbled(rng, state) for _ in range(12))):
            new = new_melds(after[1])
            if new is not None and all(map(is_legal, after[0])):
                found = reasons(table, hand, after[0], new)
                assert (found == []) is (after in possible), (table, hand, after, found)


# --- one by one -------------------------------------------------------------------------------------------------------


def test_p6_a_wild_freed_at_an_end_gives_its_place_to_another_wild() -> None:
    table, new = (a_run("D", 5, ["6D", "7D", "2S"]),), (a_run("S", 0, ["AS", "2S", "3S"]),)
    after = (a_run("D", 4, ["5D", "6D", "7D", "JK"]),)
    assert reasons(table, ("5D", "JK", "AS", "3S"), after, new) == []
    short = (a_run("D", 5, ["6D", "7D", "JK"]),)  # the neighbour: no card came to the other end
    assert reasons(table, ("JK", "AS", "3S"), short, new) == [Reason.WILD_TAKEN]


def test_p6_nothing_is_exchanged_without_a_card_of_the_rank_from_hand() -> None:
    table = (fours("4C 4C 4H"), fours("4S 4S 4D"))
    after = (fours("4C 4S 4H"), fours("4C 4S 4D"))
    assert reasons(table, (), after, ()) == [Reason.NATURAL_TAKEN] * 2
    assert (
        reasons(table, ("9D", "10D", "JD"), after, (a_run("D", 8, ["9D", "10D", "JD"]),)) == [Reason.NATURAL_TAKEN] * 2
    )
    with_a_four = (fours("4C 4S 4H 4D"), fours("4C 4S 4D"))
    assert reasons(table, ("4D",), with_a_four, ()) == []


def test_p6_a_full_ring_is_not_turned() -> None:
    ring = places("S", 0, 13)
    assert reasons((a_run("S", 0, ring),), (), (a_run("S", 1, [*ring[1:], ring[0]]),), ()) == [Reason.NATURAL_TAKEN]


def test_p6_a_wild_changes_ends_only_with_others_to_take_its_place() -> None:
    table, joker_low = (spades("6S 7S 2H"),), (spades("JK 6S 7S"),)
    nines = (a_set("9", ["9S", "9H", "2H"]),)
    assert reasons(table, ("JK", "9S", "9H"), joker_low, nines) == []
    assert reasons(table, ("JK", "9S", "9H"), (spades("6S 7S JK"),), nines) == [Reason.WILD_TAKEN]
    more = (a_set("9", ["9S", "9H", "9D", "2H", "2D"]),)  # a third wild that is free makes it possible
    assert reasons(table, ("JK", "2D", "9S", "9H", "9D"), (spades("6S 7S JK"),), more) == []


def test_p6_a_run_that_stays_lends_its_wild() -> None:
    """The jokers change places and ends; the second run lies as before."""
    other, nines = a_run("H", 9, ["10H", "JH", "JK"]), (a_set("9", ["9S", "9H", "JK"]),)
    table, after = (spades("6S 7S JK"), other), (spades("6S 7S 2D"), other)
    assert reasons(table, ("2D", "9S", "9H"), after, nines) == []
    assert reasons(table[:1], ("2D", "9S", "9H"), after[:1], nines) == [Reason.WILD_TAKEN]


def test_p6_a_two_that_would_be_natural_at_the_end_needs_a_run_that_lends_its_wild() -> None:
    """The 2♠ cannot make way for the joker at the low end of 3♠: it would be no wild there."""
    other, spade_run = a_run("H", 2, ["3H", "4H", "2D"]), a_run("S", 2, ["2S", "4S", "5S", "6S", "2S"])
    after = (a_run("S", 2, ["3S", "4S", "5S", "6S", "JK"]), other)
    hand, new = ("3S", "JK", "9S", "9H", "9D"), (a_set("9", ["9S", "9H", "9D", "2S", "2S"]),)
    assert reasons((spade_run, other), hand, after, new) == []
    assert reasons((spade_run,), hand, after[:1], new) == [Reason.WILD_TAKEN]


def test_p6_one_meld_that_cannot_be_made_is_named_among_many_that_change() -> None:
    table = tuple(
        a_run(suit, 5, [f"6{suit}", f"7{suit}", wild])
        for suit, wild in zip("SHDC", ("JK", "2S", "2H", "2D"), strict=True)
    )
    after = tuple(
        a_run(suit, 5, [f"6{suit}", f"7{suit}", wild])
        for suit, wild in zip("SHDC", ("2S", "2H", "2D", "JK"), strict=True)
    )
    kings = ("KS", "KH", "KD", "KC")
    new = (a_set("K", [*kings, "JK", "2C", "2S"]),)
    assert reasons(table, (*kings, "JK", "2C", "2S"), after, new) == []
    hole, filled = spades("7S JK 9S"), spades("5S 2H 7S JK 9S")
    assert reasons((*table, hole), (*kings, "JK", "2C", "2S", "5S", "2H"), (*after, filled), new) == [Reason.NO_STEPS]


def test_p6_a_natural_and_a_wild_beyond_it_come_one_after_the_other() -> None:
    """Of two cards that a run takes only together the first would leave as many wilds as naturals."""
    table, after = (spades("7S JK 9S"),), (spades("5S 2H 7S JK 9S"),)
    assert is_legal(after[0])
    assert reasons(table, ("5S", "2H"), after, ()) == [Reason.NO_STEPS]
    longer = (spades("5S 2H 7S JK 9S 10S"),)
    assert reasons(table, ("5S", "2H", "10S"), longer, ()) == []


@pytest.mark.parametrize(("cards", "fine"), [(("2S", "2C"), True), (("JK", "2C"), False)])
def test_p6_a_two_that_is_free_may_be_exchanged_in_a_set_of_twos(cards: Hand, fine: bool) -> None:
    """A freed wild 2 is a natural 2 there; a joker is not."""
    twos, six = a_set("2", ["2H", "2H", "2D"]), spades(f"6S 7S {cards[0]}")
    after = (a_set("2", ["2H", cards[0], "2D"]) if fine else twos, spades("5S 6S 7S"))
    new = (a_set("9", ["9S", "9H", "2H"]),)
    assert (reasons((twos, six), ("5S", "9S", "9H"), after, new) == []) is fine

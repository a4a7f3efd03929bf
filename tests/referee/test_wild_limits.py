"""Limits on wilds are one module: its answers, that nobody else reads its switches, and a limit nobody knew (G3.3–G3.5)."""

from __future__ import annotations

import ast
import itertools
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.referee import wild_limits
from companion.referee.cards import JOKER, Card, Rank, Suit, parse_cards
from companion.referee.contracts import lay_down_problems, pair_problems, slot_readings
from companion.referee.games import KATE, LIVERPOOL, PERU
from companion.referee.games.gripe import contract
from companion.referee.melds import Meld, is_valid, is_wild_card, rank_at, run_lows, set_readings
from companion.referee.reasons import Reason
from companion.referee.rules import Contract, Kind, Rules
from companion.referee.search.best_turn import best_turn
from companion.referee.search.can_go_down import can_go_down
from companion.referee.state import TableMeld
from companion.referee.switches import SWITCHES
from companion.referee.wild_limits import UNLIMITED, lay_off_limits, limits_of
from tests.thorough import thorough

FOLDER = Path(wild_limits.__file__).parent
LIMITS = tuple(limit.switch for limit in wild_limits._LIMITS)
VALUES = (
    {
        name: SWITCHES[name].values
        for name in (*LIMITS, "lay_down_size", "same_rank_sets", "extra_melds", "set_suits", "max_wilds_laid")
    }
    | {"same_suit_runs": ("allowed", "forbidden", "not_touching", "gap2")}
    | {"max_wilds": (None, 0, 1, 2, 3, 4)}
)
#: Every value of every switch about melds together with every value of every other one.
PAIRS = [
    {name: value, other: another}
    for name, other in itertools.combinations(VALUES, 2)
    for value, another in itertools.product(VALUES[name], VALUES[other])
]


# --- one place -------------------------------------------------------------------------------------------------------
def test_nobody_else_in_the_referee_reads_the_switches() -> None:
    readers = {
        str(path.relative_to(FOLDER))
        for path in FOLDER.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in LIMITS
    }
    assert readers == set()  # the module itself reads them by name


ALL_VALUES = list(itertools.product(*(VALUES[name] for name in LIMITS)))


@pytest.mark.parametrize("values", random.Random(3).sample(ALL_VALUES, 300), ids=str)
def test_the_answers_agree_with_each_other_and_keep_what_the_searches_rely_on(values: tuple[Any, ...]) -> None:
    limits = limits_of(KATE.replace(**dict(zip(LIMITS, values, strict=True))))
    for kind, length in itertools.product(Kind, range(1, 30)):
        fewest = limits.fewest_naturals(kind, length)
        assert 0 <= limits.fewest_naturals(kind, length + 1) - fewest <= 1
        for naturals in range(length + 1):
            mask = sum(1 << 4 * at for at in range(length - naturals))  # all apart
            legal = naturals >= fewest
            assert limits.allow(kind, length, mask) is legal
            assert (length - naturals <= limits.most_wilds(kind, naturals)) is legal
        assert limits.allow(Kind.RUN, 9, 0b11) is (not limits.apart and limits.allow(Kind.RUN, 9, 0b100001))
        assert limits.allow(Kind.SET, 9, 0b11) is limits.allow(Kind.SET, 9, 0b101)


def test_g3_4_after_going_down_the_limits_hold_only_where_the_table_says_always() -> None:
    strict = KATE.replace(max_wilds=1)
    assert lay_off_limits(strict) is limits_of(strict)
    lax = lay_off_limits(strict.replace(wild_limit_scope="going_down"))
    assert (lax.most_wilds(Kind.RUN, 0), lax.apart, lax.set_growth) == (UNLIMITED, 0, "none")


def test_what_a_natural_does_for_wilds_in_a_set() -> None:
    growth = {
        "none": ({}, {"max_wilds": 2}, {"min_naturals": 2}, {"min_naturals": 0}),
        "endless": ({"naturals_outnumber": True},),
        "capped": ({"naturals_outnumber": True, "max_wilds": 3},),
    }
    for name, tables in growth.items():
        assert {limits_of(KATE.replace(**changes)).set_growth for changes in tables} == {name}


# --- can go down, against every lay-down there is ----------------------------------------------------------------------
SHORT = tuple(map(contract, ("2xset3", "set3 run4", "set3 run3", "2xrun3", "run5", "run7", "set4", "run4 run3")))
BASES = (
    KATE,
    LIVERPOOL,
    PERU,
    LIVERPOOL.replace(wild_ranks=(Rank.TWO,)),
    LIVERPOOL.replace(ace="both_ends"),
    PERU.replace(ace="both_ends"),
)


@st.composite
def crowded_hands(draw: st.DrawFn) -> tuple[Card, ...]:
    """Up to nine cards of few ranks and suits, a third of them wild."""
    suits = draw(st.sampled_from([[Suit.SPADES], [Suit.SPADES, Suit.HEARTS], list(Suit)]))
    ranks = draw(st.sampled_from([range(3, 8), range(2, 15), range(10, 15), (14, 2, 3, 4), (3, 7, 9), (9, 13)]))
    naturals = st.sampled_from([Card(Rank(rank), suit) for rank in ranks for suit in suits])
    wilds = st.sampled_from([*parse_cards("2S 2H 2D 2C"), JOKER])
    cards = draw(st.lists(st.one_of(naturals, naturals, wilds), min_size=6, max_size=9))
    return tuple(card for card, count in Counter(cards).items() for _ in range(min(count, 2)))


def lay_downs(hand: Sequence[Card], wanted: Contract, rules: Rules) -> Iterator[tuple[Meld, ...]]:
    """Every lay-down there is: every part of the hand for every slot, in every reading."""
    parts = {
        mask: [card for at, card in enumerate(hand) if mask >> at & 1]
        for mask in range(1 << len(hand))
        if mask.bit_count() >= 3
    }
    readings = {
        slot: [(mask, slot_readings(cards, slot, rules)) for mask, cards in parts.items()] for slot in wanted.slots
    }

    def fill(at: int, used: int, laid: tuple[Meld, ...]) -> Iterator[tuple[Meld, ...]]:
        if at == len(wanted.slots):
            wilds = sum(len(limits_of(rules).wilds_of(meld)) for meld in laid)
            if not pair_problems(laid, rules) and (rules.max_wilds_laid is None or wilds <= rules.max_wilds_laid):
                yield laid
            return
        for mask, melds in readings[wanted.slots[at]]:
            if not mask & used:
                for meld in melds:
                    yield from fill(at + 1, used | mask, (*laid, meld))

    return fill(0, 0, ())


def assert_can_go_down_is_exact(hand: Sequence[Card], wanted: Contract, rules: Rules) -> None:
    found = can_go_down(hand, wanted, rules)
    assert (found is not None) is any(lay_downs(hand, wanted, rules))
    if found is not None:
        own = [p for p in lay_down_problems(found, wanted, rules) if p.reason is not Reason.TOO_MANY_COPIES]
        assert own == []
        assert not Counter(card for meld in found for card in meld.cards) - Counter(hand)


@thorough(250, in_ci=4000)
@given(crowded_hands(), st.sampled_from(SHORT), st.sampled_from(BASES), st.sampled_from(PAIRS))
def test_a_hand_can_go_down_where_there_is_a_legal_lay_down(
    hand: tuple[Card, ...], wanted: Contract, base: Rules, changes: dict[str, Any]
) -> None:
    assert_can_go_down_is_exact(hand, wanted, base.replace(**changes))


#: Every switch of a game with contracts, and what else of the rules decides what a meld is.
ALL_VALUES = {switch.name: switch.values for switch in SWITCHES.values() if "grebber" not in switch.families} | {
    "max_wilds": VALUES["max_wilds"],
    "ace": ("high", "low", "either", "both_ends", "corner"),
    "natural_twos": (False, True),
    "wild_ranks": ((Rank.TWO,), ()),
    "freed_wild": ("end", "hand", "table"),
    "wild_swap": ("runs", "off", "all"),
}


def covering_rows() -> list[dict[str, Any]]:
    """Tables that together have each value of each switch beside each value of each other one."""
    todo = {
        ((name, value), (other, another))
        for name, other in itertools.combinations(ALL_VALUES, 2)
        for value, another in itertools.product(ALL_VALUES[name], ALL_VALUES[other])
    }
    rows = []
    while todo:
        row = dict(min(todo, key=str))
        for name, values in ALL_VALUES.items():
            if name not in row:
                fresh = Counter(
                    value
                    for pair in todo
                    for (mine, value), (other, another) in (pair, pair[::-1])
                    if mine == name and row.get(other, todo) == another
                )
                row[name] = max(values, key=lambda value: (fresh[value], str(value)))
        rows.append(row)
        todo -= set(itertools.combinations([(name, row[name]) for name in ALL_VALUES], 2))
    return rows


ROWS = covering_rows()


def test_the_tables_hold_every_pair_of_values() -> None:
    for name, other in itertools.combinations(ALL_VALUES, 2):
        assert {(row[name], row[other]) for row in ROWS} == set(itertools.product(ALL_VALUES[name], ALL_VALUES[other]))


@pytest.mark.parametrize("row", [*ROWS, *({name: value} for name in ALL_VALUES for value in ALL_VALUES[name])], ids=str)
def test_a_hand_can_go_down_where_there_is_a_legal_lay_down_at_every_table(row: dict[str, Any]) -> None:
    """Fixed hands, of which some just can and some just cannot."""
    rules, rng = KATE.replace(jokers=1).replace(**row), random.Random(str(row))
    wilds = [card for card in (*parse_cards("2S 2H 2D 2C"), JOKER) if is_wild_card(card, rules)]
    for _ in range(6):
        wanted, planted = rng.choice(SHORT), []
        for slot in wanted.slots:
            planted += list(a_meld(rng, wilds).cards)[: slot.size]
        hand = (planted + rng.sample(wilds, min(2, len(wilds))) + [Card(Rank(rng.randint(3, 8)), Suit.SPADES)])[:9]
        assert_can_go_down_is_exact(hand, wanted, rules)


# --- the ace at both ends ------------------------------------------------------------------------------------------------
LONG = tuple(map(contract, ("run14", "run13", "run12", "run5", "run14 set3", "run13 set3")))


def long_runs(hand: Sequence[Card], size: int, rules: Rules) -> Iterator[tuple[Meld, Counter[Card]]]:
    """Every run of the slot there is, place by place: the natural or a wild; and the cards that it leaves."""
    wilds = [card for card in hand if is_wild_card(card, rules)]
    for length in range(size, 15 if rules.lay_down_size == "minimum" else size + 1):
        for suit, low in itertools.product(Suit, run_lows(length, rules)):
            places = [Card(rank_at(low, at), suit) for at in range(length)]
            for lie in itertools.product(*[(True, False) if place in hand else (False,) for place in places]):
                if lie.count(False) > len(wilds):
                    continue
                rest = iter(wilds)
                cards = [place if natural else next(rest) for place, natural in zip(places, lie, strict=True)]
                run, used = Meld.run_from(suit, low, cards), Counter(cards)
                if not used - Counter(hand) and is_valid(run, rules):
                    yield run, Counter(hand) - used


@pytest.mark.parametrize("changes", [{}, {"min_naturals": 13}, {"min_naturals": 12}, {"max_wilds": 0}, {"max_wilds": 1},
                                     {"naturals_outnumber": True}, {"adjacent_wilds": "forbidden"},
                                     {"adjacent_wilds": "forbidden", "min_naturals": 12}, {"lay_down_size": "exact"}], ids=str)  # fmt: skip
@pytest.mark.parametrize("ace", ["either", "both_ends"])
def test_g2_1_a_run_of_fourteen_is_found_where_there_is_one(ace: str, changes: dict[str, Any]) -> None:
    """Nearly the whole suit in hand, a few cards changed for jokers, an ace or two."""
    rules, rng, found = LIVERPOOL.replace(ace=ace, **changes), random.Random(3), 0
    whole = [Card(rank, Suit.HEARTS) for rank in Rank if rank] + [Card(Rank.ACE, Suit.HEARTS)]
    for _ in range(12):
        wilds = rng.randint(0, 2)
        hand = [
            *rng.sample(whole, 14 - wilds),
            *[JOKER] * rng.randint(0, wilds),
            *parse_cards("AS")[: rng.randint(0, 1)],
        ]
        for wanted in LONG:
            runs = long_runs(hand, wanted.slots[0].size, rules)
            exists = any(len(wanted.slots) == 1 or holds_a_set(rest, rules) for _, rest in runs)
            melds = can_go_down(hand, wanted, rules)
            assert (melds is not None) is exists, (str(hand), wanted)
            assert melds is None or not lay_down_problems(melds, wanted, rules)
            found += exists
    assert found
    aces = can_go_down(whole, contract("run14"), LIVERPOOL.replace(ace=ace))
    assert (aces is not None) is (ace == "both_ends")


def holds_a_set(rest: Counter[Card], rules: Rules) -> bool:
    """Whether three of these cards are a set."""
    return any(set_readings(three, rules) for three in itertools.combinations(rest.elements(), 3))


def test_g2_1_a_run_of_fourteen_is_laid_at_once_where_nothing_may_be_laid_off() -> None:
    hand = parse_cards("AH 2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH AH KS")
    for changes in ({"lay_off_same_turn": False}, {"lay_off_own": False}, {}):
        for ace, least in (("either", (10, "hold")), ("both_ends", (0, "out"))):
            turn = best_turn(hand, contract("run7"), [], 0, LIVERPOOL.replace(ace=ace, **changes))
            assert turn is not None
            assert (turn.points, turn.end) == least


def test_g3_3_a_longer_run_is_found_where_two_naturals_are_asked_for() -> None:
    rules, wanted = KATE.replace(min_naturals=2), KATE.contracts[1]
    hand = parse_cards("9H 9D 9C 3S 2H 2D 2C 7S")
    found = can_go_down(hand, wanted, rules)
    assert found is not None
    assert list(map(str, found)) == ["9H 9D 9C", "3S 2H 2D 2C 7S"]
    assert can_go_down(hand, wanted, rules.replace(lay_down_size="exact")) is None
    assert can_go_down((*hand[:-2], hand[-1]), wanted, rules) is None  # a wild fewer does not reach
    turn = best_turn(hand, wanted, [], 0, rules)
    assert turn is not None
    assert (turn.points, turn.end) == (0, "float")


# --- a limit nobody knew -----------------------------------------------------------------------------------------------
def two_naturals_a_wild(on: Any, _: Kind, size: int) -> int:
    return -(-2 * size // 3) if on else 0


def apart_in_sets(on: Any, kind: Kind, size: int) -> int:
    return size // 2 if on and kind is Kind.SET else 0


@pytest.fixture(params=[two_naturals_a_wild, apart_in_sets])
def house_limit(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A further row, on at every table: what a newcomer would write for a new house rule."""
    row = wild_limits._Limit("extra_melds", Reason.TOO_MANY_WILDS, "G3.4", request.param)
    monkeypatch.setattr(wild_limits, "_LIMITS", (*wild_limits._LIMITS, row))
    values = attrgetter(*LIMITS, "floating")  # a switch that is on in Gripe and says nothing here
    monkeypatch.setattr(wild_limits, "_values_of", values)
    wild_limits._limits.cache_clear()


@pytest.mark.usefixtures("house_limit")
def test_a_new_limit_is_kept_by_every_search() -> None:
    """The same hands and tables for whoever changes this: no example database, fixed seeds."""
    rng, deck = random.Random(7), [Card(rank, suit) for rank in Rank if rank for suit in list(Suit)[:2]] * 2
    wilds = list(parse_cards("2S 2H 2D 2C")) * 2
    for _ in range(60):
        hand = (rng.sample(wilds, rng.randint(1, 4)) + rng.sample(deck, 9))[:9]
        assert_can_go_down_is_exact(hand, rng.choice(SHORT), KATE)
    for _ in range(60):
        melds = [meld for meld in (a_meld(rng, wilds) for _ in range(3)) if limits_of(KATE).allow_meld(meld)]
        table = [TableMeld(at, 2, meld, meld) for at, meld in enumerate(melds)]
        hand = rng.sample(wilds, rng.randint(0, 3)) + rng.sample(deck, 4)
        quick = best_turn(hand, None, table, 1, KATE)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("companion.referee.search.best_turn._by_suit", lambda *_: False)
            slow = best_turn(hand, None, table, 1, KATE)
        assert quick is not None
        assert quick == slow


def a_meld(rng: Any, wilds: list[Card]) -> Meld:
    size = rng.randint(3, 5)
    if rng.random() < 0.6:
        rank = rng.choice([Rank.FIVE, Rank.NINE, Rank.KING])
        cards = [Card(rank, suit) for suit in Suit] * 2
        return Meld.set_of(rank, [*cards[: rng.randint(1, size)], *wilds][:size])
    suit, low = rng.choice(list(Suit)[:2]), rng.choice(run_lows(size, KATE))
    cards = [Card(rank_at(low, at), suit) for at in range(size)]
    cards[rng.randrange(size)] = rng.choice(wilds)
    return Meld.run_from(suit, low, cards)

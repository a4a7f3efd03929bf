"""The record in lines: exact both ways, and readable."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.referee import events as e
from companion.referee.cards import FIFTY_TWO, JOKER, Card, Rank, Suit, parse_cards
from companion.referee.games import EHOW, GREBBER, KATE, PERU, SHEETS
from companion.referee.games.gripe import contract
from companion.referee.grebber import Count
from companion.referee.kruth import DECK
from companion.referee.melds import Meld
from companion.referee.notation import (
    MalformedLine,
    format_event,
    format_game,
    format_meld,
    parse_event,
    parse_game,
    read_meld,
)
from companion.referee.notation.values import format_rules, read_rules
from companion.referee.rules import Kind, economy
from companion.referee.switches import SWITCHES
from tests.thorough import thorough

numbers = st.integers(-(10**6), 10**12)
hands, seats = st.integers(1, 10), st.integers(0, 9)
ranks = st.sampled_from([rank for rank in Rank if rank])
unknown = ranks.map(lambda rank: Card(rank, None))
cards = st.sampled_from([*FIFTY_TWO, JOKER]) | unknown
card_lists = st.lists(cards, max_size=14).map(tuple)
sets = st.builds(Meld.set_of, ranks, card_lists)
runs = st.builds(Meld.run_from, st.sampled_from(Suit), ranks, card_lists)
melds = sets | runs
maybe_melds = st.none() | melds
points = st.dictionaries(numbers, numbers, max_size=8)
kruth = st.lists(st.sampled_from(DECK), max_size=6).map(tuple)
counts = st.lists(st.builds(Count, seats, numbers, numbers, kruth, kruth, kruth), max_size=3).map(tuple)
ends = st.sampled_from(["low", "high", None])
some = st.lists(st.integers(0, 20), max_size=4).map(tuple)
values = st.none() | st.booleans() | st.integers() | st.text(max_size=9)
values |= st.lists(st.integers(), max_size=3).map(tuple)


@st.composite
def rules(draw: st.DrawFn):  # type: ignore[no-untyped-def]
    made = draw(st.sampled_from([KATE, EHOW, PERU, GREBBER, *SHEETS.values()]))
    for name in draw(st.sets(st.sampled_from(sorted(SWITCHES)), max_size=5)):
        made = made.replace(**{name: draw(st.sampled_from(SWITCHES[name].values))})
    if made.contracts and draw(st.booleans()):
        made = made.replace(contracts=(contract("set3 run4"), contract("3xset3")), buys=(3, 0), deals=())
    if draw(st.booleans()):
        made = made.replace(sheet=draw(st.text(min_size=1, max_size=20)))
    return made


def of(kind, *parts):  # type: ignore[no-untyped-def]
    return st.builds(kind, *parts)


of_seat = [
    e.Bought, e.BuyTakenBack, e.WentDownWithoutCards, e.GoingDownTakenBack, e.Floated, e.FloatTakenBack, e.SatOut,
    e.SatBackIn, e.DealerSet,
]  # fmt: skip
some_seats = st.lists(seats, min_size=1, max_size=8, unique=True).map(tuple)
BY_KIND = {
    **{kind: of(kind, numbers, numbers) for kind in of_seat},
    e.GameStarted: of(e.GameStarted, rules(), some_seats, numbers, hands, some),
    e.WentDown: of(e.WentDown, hands, seats, st.lists(melds, max_size=4).map(tuple)),
    e.LaidOff: of(e.LaidOff, hands, seats, numbers, cards, ends, melds),
    e.WildReplaced: of(
        e.WildReplaced, hands, seats, numbers, cards, cards, st.sampled_from(["low", "high", "hand", "table"]), melds,
        st.none() | numbers,
    ),
    e.Rearranged: of(
        e.Rearranged, hands, seats, card_lists, st.lists(st.tuples(numbers, melds), max_size=3).map(tuple),
        st.lists(melds, max_size=2).map(tuple),
    ),
    e.MeldCorrected: of(e.MeldCorrected, hands, numbers, maybe_melds, some, some, maybe_melds),
    e.HandScored: of(e.HandScored, hands, st.none() | seats, points, st.frozensets(seats), counts),
    e.ScoreCorrected: of(e.ScoreCorrected, hands, st.none() | seats, points, st.frozensets(seats), counts),
    e.ChipsPaid: of(e.ChipsPaid, hands, st.sampled_from(["ante", "greb", "turn_wild", "use_wild"]), points),
    e.PurseFilled: of(e.PurseFilled, hands, seats, numbers),
    e.HandDealtAnew: of(e.HandDealtAnew, numbers),
    e.SeatJoined: of(e.SeatJoined, numbers, numbers, numbers),
    e.SeatLeft: of(e.SeatLeft, numbers),
    e.SeatReturned: of(e.SeatReturned, numbers),
    e.SeatsMoved: of(e.SeatsMoved, st.lists(seats, max_size=8).map(tuple)),
    e.RuleOverruled: of(e.RuleOverruled, st.sampled_from(sorted(SWITCHES)) | st.text(max_size=9), values),
    e.GameClosed: st.just(e.GameClosed()),
    e.GameReopened: st.just(e.GameReopened()),
    e.CarriedCorrected: of(e.CarriedCorrected, points),
    e.HandResumed: st.just(e.HandResumed()),
    e.GameDiscarded: st.just(e.GameDiscarded()),
    e.Undone: of(e.Undone, numbers),
    e.Redone: of(e.Redone, numbers),
}  # fmt: skip
alone = [st_of for kind, st_of in BY_KIND.items() if kind not in (e.GameStarted, e.Undone, e.Redone)]
BY_KIND[e.DoneTogether] = st.lists(st.one_of(alone), min_size=2, max_size=3).map(tuple).map(e.DoneTogether)


def test_every_kind_of_entry_is_tried() -> None:
    assert set(BY_KIND) == set(e.Event.__args__)  # type: ignore[attr-defined]


@given(st.one_of(list(BY_KIND.values())))
@thorough(600, 6000)
def test_every_entry_reads_back_exactly(event: e.Event) -> None:
    line = format_event(event)
    assert "\n" not in line
    again = parse_event(line)
    assert again == event
    assert type(again) is type(event)
    assert parse_event(f"  {line.replace(' ', '   ')} ") == event


@given(st.lists(st.one_of(list(BY_KIND.values())), max_size=6))
@thorough(60, 1000)
def test_a_record_reads_back_exactly_with_comments_and_gaps(entries: list[e.Event]) -> None:
    text = format_game(entries)
    assert parse_game(text) == tuple(entries)
    assert parse_game("# a night\n\n" + text.replace("\n", "   # so it was\n\n")) == tuple(entries)


@given(melds)
@thorough(200, 5000)
def test_every_meld_reads_back_exactly(meld: Meld) -> None:
    assert read_meld(format_meld(meld)) == meld


@given(st.sampled_from(sorted(SWITCHES)), st.data())
@thorough(100, 1000)
def test_every_switch_reads_back_with_its_type(name: str, data: st.DataObject) -> None:
    value = data.draw(st.sampled_from(SWITCHES[name].values))
    event = e.RuleOverruled(name, value)
    again = parse_event(format_event(event))
    assert again == event
    assert type(again.value) is type(value)  # type: ignore[union-attr]
    assert "!" not in format_event(event)


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (e.GameStarted(KATE, (0, 1, 2, 3), 2), "1 start kate seats 0 1 2 3 dealer 2"),
        (
            e.GameStarted(KATE.replace(max_wilds=2, decks=3), (0, 1, 2), 0, 4, (20, 0, 35)),
            "4 start kate seats 0 1 2 dealer 0 carried 20 0 35 with decks=3 max_wilds=2",
        ),
        (e.Bought(1, 2), "1 buy 2"),
        (
            e.WentDown(2, 1, (read_meld("set 9? 9? 2S"), read_meld("run 4S 2H 6S 7S"))),
            "2 down 1: set 9? 9? 2S / run 4S 2H 6S 7S",
        ),
        (e.WentDownWithoutCards(2, 1), "2 down 1 without cards"),
        (
            e.WildReplaced(2, 0, 1, Card(Rank.FIVE, Suit.SPADES), Card(Rank.TWO, Suit.HEARTS), "low",
                           read_meld("run 2H 4S 5S 6S 7S"), 1),
            "2 replace 0 5S for 2H to low on 1 at 1: run 2H 4S 5S 6S 7S",
        ),
        (
            e.Rearranged(2, 0, parse_cards("5S 9S 9H"), ((1, read_meld("run 5S 6S 7S")),), (read_meld("set 9S 9H JK"),)),
            "2 rearrange 0 5S 9S 9H: 1 run 5S 6S 7S + set 9S 9H JK",
        ),
        (e.HandScored(3, None, {0: 5, 1: 10}), "3 score 0:5 1:10 out nobody"),
        (e.HandScored(3, 0, {0: 0, 1: 0, 2: 35}, frozenset({1})), "3 score 0:0 1:0 2:35 out 0 floating 1"),
        (e.MeldCorrected(3, 4, None, (), (0, 1)), "3 correct meld 4 dropped 0 1: - = -"),
        (e.RuleOverruled("extra_melds", True), "overrule extra_melds=on"),
        (e.Undone(12), "undo 12"),
    ],
)  # fmt: skip
def test_lines_look_like_this(event: e.Event, line: str) -> None:
    assert format_event(event) == line
    assert parse_event(line) == event


@pytest.mark.parametrize(
    "line",
    [
        "", "buy 2", "1 buy", "1 buy x", "1 buy 2 3", "one buy 2", "1 down 1: set 1S", "1 down 1: pile 9S 9H 9D",
        "1 lay 0 9H on 0", "1 start nobody", "overrule max_wilds", "overrule nonsense=3", "overrule max_wilds=many",
        "overrule max_wilds=!", "overrule max_wilds=!(2",
        "1 start kate seats 0 1 2 dealer 0 with decks=0", "1 score out", "undo", "Undone(3)", "<script>", "1 buy ٣x",
    ],
)  # fmt: skip
def test_what_is_no_entry_is_named(line: str) -> None:
    with pytest.raises(MalformedLine) as error:
        parse_event(line)
    assert str(error.value) == line


@given(st.text(max_size=60))
@thorough(200, 5000)
def test_garbage_is_malformed_and_nothing_worse(text: str) -> None:
    try:
        event = parse_event(text)
    except MalformedLine:
        return
    assert parse_event(format_event(event)) == event


def test_a_set_says_its_rank_and_a_run_its_place_only_where_the_cards_do_not() -> None:
    assert format_meld(Meld.set_of(Rank.NINE, read_meld("set 2S 2H 2D").cards)) == "set(9) 2S 2H 2D"
    assert format_meld(Meld.run_from(Suit.CLUBS, Rank.TEN, read_meld("set 2S JC QC").cards)) == "run 2S JC QC"
    assert read_meld("run(10C) 2S 2H 2D").low is Rank.TEN
    assert read_meld("run KS AS 2S 3S").low is Rank.KING  # round the corner, as in Peru
    assert read_meld("set 2S 9H").kind is Kind.SET


def test_the_buys_of_a_game_are_written_as_chips_with_what_differs_beside() -> None:
    peru = SHEETS["peru"]
    for rules, text in (
        (peru.replace(buys_per_game=6), "peru chips=6"),
        (peru.replace(buy_unit="buy"), "peru buy_unit=buy"),
        (peru.replace(buys_per_game=None), "peru chips=none stock_cards=2 next_player_pays=on buy_unit=chip"),
        (KATE.replace(stock_cards=2), "kate stock_cards=2"),
        (KATE.replace(buys_per_game=6, **economy(6)), "kate chips=6"),
        (KATE.replace(buys_per_game=6), "kate chips=6 stock_cards=1 next_player_pays=off buy_unit=buy"),
    ):
        assert format_rules(rules) == text
        assert read_rules(text) == rules

"""A list of one's own: its text, the rules it makes, and every check of a hand with the neighbouring case that is fine."""

from __future__ import annotations

import pytest

from companion.referee.games import GAMES, KATE, LIVERPOOL, PERU, SHEETS
from companion.referee.lists import MOST_HANDS, BadContract
from companion.referee.own_lists import (
    Flaw,
    checks,
    format_hand,
    format_hands,
    hands_of,
    read_hand,
    read_hands,
    undealable,
    with_hands,
)
from companion.referee.rules import BadRules, Rules

PLAYED = [rules for game in GAMES.values() if game.has_contracts for rules in game.sheets]


@pytest.mark.parametrize("rules", PLAYED, ids=lambda rules: rules.sheet)
def test_the_list_of_every_game_goes_through_text_and_back(rules: Rules) -> None:
    hands, bad = read_hands(format_hands(hands_of(rules)))
    assert (hands, bad) == (hands_of(rules), ())
    assert with_hands(rules, hands) == rules


def test_a_hand_says_what_it_plays_otherwise() -> None:
    rules = with_hands(
        LIVERPOOL, [read_hand("set3 dealt7 buys0 discard"), read_hand("run4 wildk"), read_hand("all endsdeal")]
    )
    assert [rules.dealt(number) for number in (1, 2, 3)] == [7, 10, 10] and rules.buys == (0, None, None)
    assert [rules.in_deal(number).must_discard_to_go_out for number in (1, 2)] == [True, False]
    assert [rank.symbol for rank in rules.in_deal(2).wild_ranks] == ["K"] and rules.in_deal(3).ends_at_first_lay_down


@pytest.mark.parametrize(
    "text", ["2xset3", "set3 run4 dealt12 buysany nodiscard atonce", "all endsdeal wild10", "anyrun5 colour7 discard"]
)
def test_a_hand_is_written_as_it_is_read(text: str) -> None:
    assert format_hand(read_hand(text.upper())) == text


@pytest.mark.parametrize(
    ("text", "code"),
    [("pair", "unknown"), ("set1", "size"), ("run15", "size"), ("", "empty"), ("buys3", "empty"), ("7xset3", "melds"),
     ("set3 dealt2", "dealt"), ("set3 dealt21", "dealt"), ("set3 dealtany", "dealt"), ("set3 buys21", "buys"),
     ("set3 wild1", "unknown"), ("set3 wildany", "unknown"), ("<b>", "unknown")],
)  # fmt: skip
def test_what_is_no_hand_says_why(text: str, code: str) -> None:
    with pytest.raises(BadContract) as refused:
        read_hand(text)
    assert refused.value.code == code


def test_a_pasted_list_is_read_line_by_line() -> None:
    hands, bad = read_hands("1) 2xset3\r\n\n2: set3 run4 / nothing\n#3. 2 x run4\n12. set99")
    assert format_hands(hands) == "2xset3 / set3 run4 / 2xrun4"
    assert [(line.number, line.why.code) for line in bad] == [(3, "unknown"), (5, "size")]
    hands, bad = read_hands("/".join(["set3"] * (MOST_HANDS + 2)))
    assert len(hands) == MOST_HANDS and [line.why.code for line in bad] == ["hands"]
    assert read_hands("") == ((), ())


def test_a_list_without_hands_is_none() -> None:
    with pytest.raises(BadRules):
        with_hands(KATE, [])


CHECKED = [
    ("kate", "2xset5", []),
    ("kate", "3xset4", ["NO_DISCARD"]),  # 12 cards: all that are in hand after drawing
    ("kate", "3xset4 dealt12", []),
    ("kate", "3xset4 nodiscard", []),
    ("kate", "set3 run10", ["NEEDS_BUYS"]),
    ("kate", "set3 run10 buys0", ["TOO_FEW_BUYS"]),
    ("kate", "3xrun5 buys1", ["TOO_FEW_BUYS"]),
    ("kate", "run12", ["NO_DISCARD"]),  # from 3 to the ace
    ("kate", "run13", ["LONG_RUN", "NEEDS_BUYS"]),
    ("liverpool", "run13", ["NEEDS_BUYS"]),
    ("liverpool", "run14 dealt14", ["LONG_RUN"]),
    ("kate", "set12", ["NO_DISCARD"]),  # eight of a rank and four 2s
    ("peru", "set12", ["NO_DISCARD"]),
    ("may_i", "set12 dealt13", []),
    ("progressive", "2xset3 dealt7 buys0", []),
    ("kate", "2xset3 dealt17", []),  # 6 × 17 + 1 = 103 of 104
    ("kate", "2xset3 dealt18", ["CANNOT_DEAL"]),
    ("kate", "6xset12 dealt20", ["TOO_MANY_WILDS", "TOO_FEW_BUYS", "CANNOT_DEAL"]),
]  # fmt: skip


@pytest.mark.parametrize(("sheet", "hand", "flaws"), CHECKED, ids=lambda value: str(value))
def test_what_is_to_be_known_about_a_hand(sheet: str, hand: str, flaws: list[str]) -> None:
    found = checks(with_hands(SHEETS[sheet], [read_hand(hand)]), 1)
    assert sorted(check.flaw.name for check in found) == sorted(flaws)


def test_no_more_of_a_rank_than_the_packs_hold() -> None:
    bare = KATE.replace(wild_ranks=())  # two decks: eight of each
    assert checks(with_hands(bare, [read_hand("set8")]), 1) == ()
    (check,) = checks(with_hands(bare, [read_hand("set9")]), 1)
    assert check.flaw is Flaw.LONG_SET and check.stops and check.facts == {"size": 9, "most": 8}
    (check,) = checks(with_hands(bare.replace(set_suits="different"), [read_hand("set5")]), 1)
    assert check.facts["most"] == 4
    limited = KATE.replace(max_wilds=1)
    assert [check.facts["most"] for check in checks(with_hands(limited, [read_hand("set10")]), 1)] == [9]


def test_runs_that_must_differ_in_suit_are_four() -> None:
    strict = KATE.replace(same_suit_runs="forbidden")
    hands = [read_hand("4xrun3"), read_hand("5xrun3")]
    assert [[check.flaw for check in checks(with_hands(strict, hands), number)] for number in (1, 2)] == [
        [Flaw.NO_DISCARD],
        [Flaw.SUITS_RUN_OUT, Flaw.NEEDS_BUYS],
    ]


def test_a_limit_for_the_whole_game_counts_too() -> None:
    few = PERU.replace(buys_per_game=1)
    assert [check.flaw for check in checks(with_hands(few, [read_hand("3xrun6")]), 1)][0] is Flaw.TOO_FEW_BUYS


def test_the_first_hand_without_enough_cards() -> None:
    rules = with_hands(KATE, [read_hand("2xset3"), read_hand("2xset3 dealt18")])
    assert [undealable(rules, players) for players in (5, 6, 7)] == [None, 2, None]


@pytest.mark.parametrize("rules", PLAYED, ids=lambda rules: rules.sheet)
def test_no_hand_of_a_game_is_impossible(rules: Rules) -> None:
    for number in range(1, len(rules.contracts) + 1):
        assert [check for check in checks(rules, number) if check.stops] == []

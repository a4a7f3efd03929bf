"""Going down, laying off, replacing a wild, and putting melds right, as commands (G1.1, G4, G7.1, G8)."""

from __future__ import annotations

import pytest

from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.cards import parse_cards
from companion.referee.contracts import fills
from companion.referee.engine import Ambiguous, IllegalCommand, correction_preview, decide, problems, rests_on
from companion.referee.games import KATE, PERU
from companion.referee.reasons import Firmness, Reason
from tests.referee.nights import LAID, Night, card, meld, melds, night


def down(seat: int = 1, text: str = LAID[0], **more: object) -> Night:
    """A night in hand 1 with one player down."""
    return night(4, **more).do(c.GoDown(1, seat, melds(text)))  # type: ignore[arg-type]


def in_hand_two(text: str = LAID[1], rules=KATE) -> Night:  # type: ignore[no-untyped-def]
    return night(4, rules).play_to(2).do(c.GoDown(2, 1, melds(text)))


def lies(going: Night, number: int) -> str:
    hand = going.state.hand
    assert hand is not None
    on_table = hand.find(number)
    return "-" if on_table is None else str(on_table.meld)


# --- going down -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hand", range(1, 11))
def test_g4_1_every_contract_can_be_laid(hand: int) -> None:
    going = night(4).play_to(hand).do(c.GoDown(hand, 1, melds(LAID[hand - 1])))
    assert going.state.hand is not None
    assert going.state.hand.down == {1}
    assert [meld.slot for meld in going.state.hand.melds] == list(range(len(going.state.hand.melds)))


def test_g4_2_the_whole_contract_at_once() -> None:
    going = night(4)
    assert going.refused(c.GoDown(1, 1, melds("set 9? 9? 9?"))) == (Reason.MISSING_MELD,)
    assert going.refused(c.GoDown(1, 1, ())) == (Reason.MISSING_MELD, Reason.MISSING_MELD)
    assert going.refused(c.GoDown(1, 1, melds(LAID[0]))) == ()


def test_every_fault_of_every_meld_at_once_in_a_stable_order() -> None:
    bad = c.GoDown(1, 1, melds("set 9? 9? / set KS QD KH / set 5? 5? 5?"))
    reasons = night(4).refused(bad)
    assert set(reasons) == {Reason.TOO_SHORT, Reason.NOT_A_SET, Reason.EXTRA_MELD}
    assert night(4).refused(bad) == reasons


def test_the_melds_may_come_in_any_order_and_are_kept_in_that_of_the_contract() -> None:
    going = in_hand_two("run 4S 2H 6S 7S / set 9? 9? 2S")
    assert going.state.hand is not None
    assert [(str(on.meld), on.slot) for on in going.state.hand.melds] == [("9? 9? 2S", 0), ("4S 2H 6S 7S", 1)]


def test_nobody_goes_down_twice() -> None:
    going = down()
    (refused,) = problems(going.state, c.GoDown(1, 1, melds("set 5? 5? 5?")))
    assert (refused.reason, refused.rule, refused.switch) == (Reason.ALREADY_DOWN, "G4.4", "extra_melds")
    assert rests_on(going.state, c.GoDown(1, 1, melds("set 5? 5? 5?"))) == ("extra_melds",)
    assert going.refused(c.GoDownWithoutCards(1, 1)) == (Reason.ALREADY_DOWN,)
    assert going.refused(c.GoDown(1, 2, melds("set 5? 5? 5? / set 6? 6? 6?"))) == ()


def test_g4_4_further_melds_where_the_table_lays_them() -> None:
    going = down(rules=KATE.replace(extra_melds=True))
    assert going.refused(c.GoDown(1, 1, ())) == (Reason.MISSING_MELD,)
    assert going.refused(c.GoDown(1, 1, melds("set 5? 5?"))) == (Reason.TOO_SHORT,)
    (short,) = problems(going.state, c.GoDown(1, 1, melds("set 5? 5?")))
    assert (short.rule, short.facts["least"]) == ("G3.1", 3)  # no contract asks for it
    going.do(c.GoDown(1, 1, melds("run 5H 6H 7H")))
    assert going.state.hand is not None
    assert going.state.hand.melds[-1].slot is None


def test_g4_3_exact_lengths_are_those_of_the_contract_and_of_no_further_meld() -> None:
    rules = KATE.replace(extra_melds=True, lay_down_size="exact")
    going = down(rules=rules)
    assert going.refused(c.GoDown(1, 1, melds("set 5? 5? 5? 5?"))) == ()
    groups = [parse_cards(text) for text in ("9S 9H 9D", "8S 8H 8D", "5S 5H 5D 5C")]
    assert fills(groups, KATE.contracts[0], rules)
    assert not fills(groups[1:], KATE.contracts[0], rules)
    going.do(c.GoDown(1, 1, melds("set 5? 5? 5? 5?")))
    assert going.state.hand
    number = going.state.hand.melds[-1].number
    (short,) = problems(going.state, c.CorrectMeld(1, number, meld("set 5? 5?")))
    assert (short.rule, short.facts["least"]) == ("G3.1", 3)
    assert going.refused(c.CorrectMeld(1, number, meld("run 5H 6H 7H 8H"))) == ()


def test_down_without_cards_and_the_cards_later() -> None:
    going = night(4).do(c.GoDownWithoutCards(1, 1))
    assert going.state.hand is not None
    assert going.state.hand.without_cards() == {1}
    going.do(c.GoDown(1, 1, melds(LAID[0])))
    assert going.state.hand is not None
    assert going.state.hand.without_cards() == frozenset()
    assert going.refused(c.GoDown(1, 1, melds(LAID[0]))) == (Reason.ALREADY_DOWN,)


def test_g7_3_only_who_is_down_floats() -> None:
    (refused,) = problems(night(4).state, c.Float(1, 2))
    assert (refused.reason, refused.rule) == (Reason.NOT_DOWN, "G7.3")


def test_who_floats_is_down_though_nobody_entered_the_melds() -> None:
    going = night(4).do(c.GoDownWithoutCards(1, 2), c.Float(1, 2))
    assert going.state.hand is not None
    assert going.state.hand.without_cards() == {2}
    assert going.refused(c.GoDownWithoutCards(1, 2)) == (Reason.ALREADY_DOWN,)
    assert going.refused(c.GoDown(1, 2, melds(LAID[0]))) == ()


def test_g1_1_more_copies_than_the_decks_hold_name_the_card() -> None:
    going = down(text="set KS KS KD / set 9? 9? 9?")
    (refused,) = problems(going.state, c.GoDown(1, 2, melds("set KS KC KH / set 5? 5? 5?")))
    assert (refused.reason, refused.rule, refused.facts["card"]) == (Reason.TOO_MANY_COPIES, "G1.1", card("KS"))
    assert going.refused(c.GoDown(1, 2, melds("set KD KC KH / set 5? 5? 5?"))) == ()
    assert going.refused(c.LayOff(1, 1, 0, card("KS"))) == (Reason.TOO_MANY_COPIES,)
    assert down(text="set KS KS KD / set 9? 9? 9?", rules=KATE.replace(decks=3)).refused(
        c.LayOff(1, 1, 0, card("KS"))
    ) == ()  # fmt: skip


def test_g1_1_the_same_card_three_times_in_one_going_down_is_said_once() -> None:
    assert night(4).refused(c.GoDown(1, 1, melds("set KS KS KS / set 5? 5? 5?"))) == (Reason.TOO_MANY_COPIES,)


# --- laying off -----------------------------------------------------------------------------------------------------


def test_g7_1_only_who_is_down_lays_off() -> None:
    going = down()
    assert going.refused(c.LayOff(1, 2, 0, card("9H"))) == (Reason.NOT_DOWN,)
    assert going.refused(c.LayOff(1, 2, 0, card("8H"))) == (Reason.NOT_DOWN, Reason.DOES_NOT_PLAY)
    going.do(c.GoDownWithoutCards(1, 2), c.LayOff(1, 2, 0, card("9H")))
    assert lies(going, 0) == "9? 9? 2S 9H"


def test_g7_3_a_floating_player_plays_what_was_drawn() -> None:
    assert down().do(c.GoDownWithoutCards(1, 3), c.Float(1, 3)).refused(c.LayOff(1, 3, 0, card("9H"))) == ()


def test_g7_1_ones_own_melds_where_the_table_allows_it() -> None:
    going = down()
    assert going.refused(c.LayOff(1, 1, 0, card("9H"))) == ()
    going.do(c.OverruleRule("lay_off_own", False), c.GoDownWithoutCards(1, 2))
    (refused,) = problems(going.state, c.LayOff(1, 1, 0, card("9H")))
    assert (refused.reason, refused.switch) == (Reason.LAY_OFF_OWN_OFF, "lay_off_own")
    assert going.refused(c.LayOff(1, 2, 0, card("9H"))) == ()


def test_g6_2_a_run_grows_at_the_end_that_fits() -> None:
    going = in_hand_two()
    going.do(c.LayOff(2, 1, 1, card("8S")), c.LayOff(2, 1, 1, card("3S")))
    assert lies(going, 1) == "3S 4S 2H 6S 7S 8S"
    assert [entry.end for entry in going.entries if isinstance(entry, e.LaidOff)] == ["high", "low"]
    assert going.refused(c.LayOff(2, 1, 1, card("10S"))) == (Reason.DOES_NOT_PLAY,)
    assert going.refused(c.LayOff(2, 1, 1, card("9S"), "low")) == (Reason.DOES_NOT_PLAY,)
    assert going.refused(c.LayOff(2, 1, 1, card("9S"), "high")) == ()
    assert going.refused(c.LayOff(2, 1, 1, card("9?"))) == (Reason.UNKNOWN_SUIT,)
    assert going.refused(c.LayOff(2, 1, 1, card("K?"))) == (Reason.DOES_NOT_PLAY,)  # in no suit


def test_a_wild_at_either_end_is_asked_not_guessed() -> None:
    going = in_hand_two()
    command = c.LayOff(2, 1, 1, card("2D"))
    assert problems(going.state, command) == ()
    with pytest.raises(Ambiguous) as several:
        decide(going.state, command)
    assert [(play.action, str(play.result)) for play in several.value.plays] == [
        ("low", "2D 4S 2H 6S 7S"), ("high", "4S 2H 6S 7S 2D"),
    ]  # fmt: skip
    assert lies(going.do(c.LayOff(2, 1, 1, card("2D"), "low")), 1) == "2D 4S 2H 6S 7S"
    assert lies(going.do(c.LayOff(2, 1, 1, card("2C"))), 1) == "2D 4S 2H 6S 7S 2C"  # the low end is closed now


def test_no_such_meld_and_a_meld_of_an_earlier_hand() -> None:
    going = down()
    assert going.refused(c.LayOff(1, 1, 7, card("9H"))) == (Reason.NO_SUCH_MELD,)
    assert going.refused(c.LayOff(1, 2, -1, card("9H"))) == (Reason.NOT_DOWN, Reason.NO_SUCH_MELD)
    going.score(0)
    assert going.refused(c.LayOff(1, 1, 0, card("9H"))) == (Reason.OTHER_HAND,)
    assert going.refused(c.ReplaceWild(2, 1, 0, card("9H"))) == (Reason.NOT_DOWN, Reason.NO_SUCH_MELD)


def why(going: Night, command: c.Command) -> tuple[object, ...]:
    """The one reason against a command: its name, rule, firmness and switch."""
    (refused,) = problems(going.state, command)
    return refused.reason.name, refused.rule, refused.firmness, refused.switch


FOURS = "set 4C 4D 2H / set 9? 9? 9?"
RUN_OF_FIVE = "set 9? 9? 9? / run 4S 5S 6S 2H 8S"


@pytest.mark.parametrize(
    ("text", "command", "choice", "expected"),
    [
        (FOURS, c.LayOff(1, 1, 0, card("2S")), {"naturals_outnumber": True}, ("WILDS_NOT_OUTNUMBERED", "G3.4")),
        (FOURS, c.LayOff(1, 1, 0, card("2S")), {"max_wilds": 1}, ("TOO_MANY_WILDS", "G3.4")),
        (RUN_OF_FIVE, c.LayOff(2, 1, 1, card("2S"), "low"), {"max_wilds": 1}, ("TOO_MANY_WILDS", "G3.4")),
        (RUN_OF_FIVE.replace("8S", "8S 2D"), c.LayOff(2, 1, 1, card("2S"), "high"), {"adjacent_wilds": "forbidden"},
         ("WILDS_ADJACENT", "G3.5")),
        (RUN_OF_FIVE.replace("2H 8S", "7S 2H 9S 10S JS QS KS 2D"), c.ReplaceWild(2, 1, 1, card("8S")),
         {"adjacent_wilds": "forbidden", "ace": "high"}, None),
        ("set 9? 9? 9? / run 3S 4S 2H 6S 2D", c.ReplaceWild(2, 1, 1, card("5S")), {"adjacent_wilds": "forbidden"},
         ("WILDS_ADJACENT", "G3.5")),
    ],
)  # fmt: skip
def test_a_wild_limit_that_refuses_is_the_reason(
    text: str, command: c.LayOff | c.ReplaceWild, choice: dict[str, object], expected: tuple[str, str] | None
) -> None:
    going = night(4, KATE.replace(**choice)).play_to(command.hand).do(c.GoDown(command.hand, 1, melds(text)))
    if expected is None:  # the wild that is replaced goes to the low end, where no wild lies
        assert going.refused(command) == ()
        return
    (switch,) = choice
    assert why(going, command) == (*expected, Firmness.SILENT, switch)
    assert going.do(c.OverruleRule(switch, getattr(KATE, switch))).refused(command) == ()


def test_a_card_that_fits_the_other_end_is_told_so() -> None:
    going = in_hand_two()
    (refused,) = problems(going.state, c.LayOff(2, 1, 1, card("8S"), "low"))
    assert (refused.reason, refused.facts["open_ends"]) == (Reason.DOES_NOT_PLAY, ("high",))
    (refused,) = problems(going.state, c.LayOff(2, 1, 1, card("9S"), "low"))
    assert refused.facts["open_ends"] == ()


def test_a_wild_that_may_go_to_the_other_end_only() -> None:
    going = in_hand_two("set 9? 9? 9? / run 3S 2H 5S 6S")
    (refused,) = problems(going.state, c.ReplaceWild(2, 1, 1, card("4S"), "low"))
    assert (refused.reason, refused.facts["open_ends"]) == (Reason.NO_FREE_END, ("high",))


def test_g8_4_a_natural_is_simply_added_to_a_set() -> None:
    going = in_hand_two("set 9S 9H 2D / run 4S 5S 6S 7S")
    (refused,) = problems(going.state, c.ReplaceWild(2, 1, 0, card("9C")))
    assert (refused.reason, refused.rule, refused.facts["is_added"]) == (Reason.NOTHING_TO_REPLACE, "G8.4", True)
    (refused,) = problems(going.state, c.ReplaceWild(2, 1, 0, card("8C")))
    assert refused.facts["is_added"] is False


# --- replacing a wild -----------------------------------------------------------------------------------------------


def test_g8_1_the_wild_goes_to_the_end_the_player_chooses() -> None:
    going = in_hand_two("set 9? 9? 9? / run 4S 2H 6S 7S")
    command = c.ReplaceWild(2, 1, 1, card("5S"))
    with pytest.raises(Ambiguous) as several:
        decide(going.state, command)
    assert {play.wild_to for play in several.value.plays} == {"low", "high"}
    going.do(c.ReplaceWild(2, 1, 1, card("5S"), "low"))
    assert lies(going, 1) == "2H 4S 5S 6S 7S"
    entry = going.entries[-1]
    assert isinstance(entry, e.WildReplaced)
    assert (entry.wild, entry.to, entry.position) == (card("2H"), "low", 1)


def test_g8_2_it_stands_for_the_new_end_and_can_be_replaced_again() -> None:
    going = in_hand_two("set 9? 9? 9? / run 4S 2H 6S 7S").do(c.ReplaceWild(2, 1, 1, card("5S"), "low"))
    going.do(c.ReplaceWild(2, 1, 1, card("3S")))
    assert lies(going, 1) == "3S 4S 5S 6S 7S 2H"


def test_g8_3_no_free_end() -> None:
    full = "set 5? 5? 5? / run 3S 4S 5S 6S 7S 8S 2H 10S JS QS KS AS"
    going = night(4).play_to(8).do(c.GoDown(8, 1, melds(full)))
    (refused,) = problems(going.state, c.ReplaceWild(8, 1, 1, card("9S")))
    assert (refused.reason, refused.rule) == (Reason.NO_FREE_END, "G8.3")
    short = "set 5? 5? 5? / run 4S 5S 6S 7S 8S 2H 10S JS QS KS AS"
    open_below = night(4).play_to(8).do(c.GoDown(8, 1, melds(short)))
    assert lies(open_below.do(c.ReplaceWild(8, 1, 1, card("9S"))), 1).startswith("2H 4S")


def test_g8_only_the_very_card_and_only_in_a_run() -> None:
    going = in_hand_two()
    assert going.refused(c.ReplaceWild(2, 1, 1, card("5H"))) == (Reason.NOTHING_TO_REPLACE,)
    assert going.refused(c.ReplaceWild(2, 1, 1, card("6S"))) == (Reason.NOTHING_TO_REPLACE,)
    (refused,) = problems(going.state, c.ReplaceWild(2, 1, 0, card("9H")))
    assert (refused.reason, refused.rule) == (Reason.NOTHING_TO_REPLACE, "G8.4")
    assert going.refused(c.ReplaceWild(2, 2, 1, card("5S"))) == (Reason.NOT_DOWN,)
    assert going.refused(c.ReplaceWild(2, 1, 1, card("5S"), "hand")) == (Reason.NO_FREE_END,)
    assert going.refused(c.ReplaceWild(2, 1, 1, card("5S"), "low", 0)) == (Reason.NOTHING_TO_REPLACE,)


def test_g8_4_a_table_that_replaces_none() -> None:
    going = in_hand_two(rules=KATE.replace(wild_swap="off"))
    assert going.refused(c.ReplaceWild(2, 1, 1, card("5S"))) == (Reason.SWAP_OFF,)


def test_g8_5_the_wild_comes_to_hand() -> None:
    going = in_hand_two(rules=KATE.replace(freed_wild="hand")).do(c.ReplaceWild(2, 1, 1, card("5S")))
    assert lies(going, 1) == "4S 5S 6S 7S"
    entry = going.entries[-1]
    assert isinstance(entry, e.WildReplaced)
    assert entry.to == "hand"


def test_p6_a_wild_of_a_set_is_replaced_in_peru() -> None:
    going = night(3, PERU).do(c.GoDown(1, 1, melds("set 9S 9H 2D 9C JK")))
    with pytest.raises(Ambiguous) as several:
        decide(going.state, c.ReplaceWild(1, 1, 0, card("9D")))
    assert [play.position for play in several.value.plays] == [2, 4]
    going.do(c.ReplaceWild(1, 1, 0, card("9D"), None, 4))
    assert lies(going, 0) == "9S 9H 2D 9C 9D"
    (refused,) = problems(going.state, c.ReplaceWild(1, 1, 0, card("8D")))
    assert (refused.reason, refused.rule) == (Reason.NOTHING_TO_REPLACE, "P6")


# --- correcting -----------------------------------------------------------------------------------------------------


def test_a_corrected_meld_keeps_the_cards_that_still_fit() -> None:
    going = in_hand_two("set 9? 9? 9? / run 5S 6S 7S 8S")
    going.do(c.LayOff(2, 1, 1, card("9S")), c.LayOff(2, 1, 1, card("4S")), c.LayOff(2, 1, 1, card("3S")))
    command = c.CorrectMeld(2, 1, meld("run 4S 5S 6S 7S 8S"))
    shown = correction_preview(going.state, command)
    assert str(shown.result) == "3S 4S 5S 6S 7S 8S 9S"
    assert [str(added.card) for _, added in shown.kept] == ["9S", "3S"]
    assert [str(added.card) for _, added in shown.dropped] == ["4S"]
    going.do(command)
    assert lies(going, 1) == "3S 4S 5S 6S 7S 8S 9S"
    entry = going.entries[-1]
    assert isinstance(entry, e.MeldCorrected)
    assert (entry.kept, entry.dropped) == ((0, 2), (1,))
    again = correction_preview(going.state, c.CorrectMeld(2, 1, meld("run 4S 5S 6S 7S 8S")))
    assert [str(added.card) for _, added in again.kept] == ["9S", "3S"]


def test_a_replaced_wild_is_replaced_again_on_the_corrected_meld() -> None:
    going = in_hand_two("set 9? 9? 9? / run 4S 2H 6S 7S").do(c.ReplaceWild(2, 1, 1, card("5S"), "high"))
    going.do(c.CorrectMeld(2, 1, meld("run 4S 2H 6S 7S 8S")))
    assert lies(going, 1) == "4S 5S 6S 7S 8S 2H"
    going.do(c.CorrectMeld(2, 1, meld("run 4S 5S 6S 7S")))
    assert lies(going, 1) == "4S 5S 6S 7S"
    entry = going.entries[-1]
    assert isinstance(entry, e.MeldCorrected)
    assert entry.dropped == (0,)


def test_a_correction_is_checked_as_going_down_is() -> None:
    going = in_hand_two()
    assert going.refused(c.CorrectMeld(2, 1, meld("run 4S 2H 6S"))) == (Reason.TOO_SHORT,)
    assert going.refused(c.CorrectMeld(2, 1, meld("run 4S 2H 7S 8S"))) == (Reason.NOT_A_RUN,)
    assert going.refused(c.CorrectMeld(2, 1, meld("set 4S 4H 4D 4C"))) == (Reason.MISSING_MELD,)
    assert going.refused(c.CorrectMeld(2, 9, None)) == (Reason.NO_SUCH_MELD,)
    assert going.refused(c.CorrectMeld(1, 1, None)) == (Reason.OTHER_HAND,)
    assert going.refused(c.CorrectMeld(2, 1, meld("run 5S 2H 7S 8S"))) == ()


def test_g1_1_a_correction_counts_the_cards_on_the_table_once() -> None:
    going = down(text="set KS KS KD / set 9S 9S 9D").do(c.GoDown(1, 2, melds("set KH KH KC / set 9H 9H 9C")))
    assert going.refused(c.CorrectMeld(1, 0, meld("set KS KS KC"))) == ()
    assert going.refused(c.CorrectMeld(1, 0, meld("set KH KS KC"))) == (Reason.TOO_MANY_COPIES,)


def test_a_meld_taken_back_leaves_its_owner_down_and_can_be_entered_again() -> None:
    going = in_hand_two().do(c.LayOff(2, 1, 1, card("8S")))
    command = c.CorrectMeld(2, 1, None)
    assert correction_preview(going.state, command).result is None
    assert [str(added.card) for _, added in correction_preview(going.state, command).dropped] == ["8S"]
    going.do(command)
    assert lies(going, 1) == "-"
    assert going.state.hand is not None
    assert going.state.hand.down == {1}
    assert going.refused(c.GoDown(2, 1, melds("set 5? 5? 5?"))) == (Reason.MISSING_MELD, Reason.EXTRA_MELD)
    going.do(c.GoDown(2, 1, melds("run 9H 10H JH QH")))
    assert lies(going, 2) == "9H 10H JH QH"
    assert going.state.hand is not None
    assert [meld.slot for meld in going.state.hand.melds] == [0, 1]


def test_g4_5_two_sets_of_one_rank_also_when_entered_later_or_corrected() -> None:
    rules = KATE.replace(same_rank_sets="forbidden")
    going = night(4, rules)
    twice = c.GoDown(1, 1, melds("set 9S 9H 9D / set 9C 9C 2H"))
    assert going.refused(twice) == (Reason.SAME_RANK_SETS,)
    assert night(4).refused(twice) == ()
    going.do(c.GoDown(1, 1, melds("set 9S 9H 9D / set 8? 8? 8?")))
    assert going.refused(c.CorrectMeld(1, 1, meld("set 9C 9C 2H"))) == (Reason.SAME_RANK_SETS,)
    going.do(c.CorrectMeld(1, 1, None))
    assert going.refused(c.GoDown(1, 1, melds("set 9C 9C 2H"))) == (Reason.SAME_RANK_SETS,)
    assert going.refused(c.GoDown(1, 1, melds("set 7C 7C 2H"))) == ()


def test_going_down_taken_back_takes_the_melds_and_what_lies_on_them() -> None:
    going = down().do(c.GoDownWithoutCards(1, 2), c.LayOff(1, 2, 0, card("9H")), c.LayOff(1, 1, 1, card("KH")))
    command = c.TakeBackGoingDown(1, 1)
    shown = correction_preview(going.state, command)
    assert [(number, added.seat, str(added.card)) for number, added in shown.dropped] == [(0, 2, "9H"), (1, 1, "KH")]
    going.do(command)
    assert going.state.hand is not None
    assert (going.state.hand.melds, going.state.hand.down) == ((), {2})
    assert going.refused(command) == (Reason.NOT_DOWN,)
    assert going.refused(c.TakeBackGoingDown(1, 99)) == (Reason.NO_SUCH_SEAT,)
    going.do(c.GoDown(1, 1, melds(LAID[0])))
    assert going.state.hand is not None
    assert [meld.number for meld in going.state.hand.melds] == [2, 3]  # numbers are never used twice in a hand


def test_a_preview_of_nothing_is_empty() -> None:
    going = down()
    for command in (c.CorrectMeld(2, 0, None), c.CorrectMeld(1, 99, None), c.TakeBackGoingDown(9, 1)):
        assert correction_preview(going.state, command).dropped == ()


# --- what a verdict rests on ----------------------------------------------------------------------------------------


def test_a_verdict_names_the_silent_switches_it_rests_on() -> None:
    going = night(4)
    assert rests_on(going.state, c.GoDown(1, 1, melds("set 9? 9? 9? / set 8? 8? 8?"))) == ()
    assert "max_wilds" in rests_on(going.state, c.GoDown(1, 1, melds("set 9? 2S 2D / set 8? 8? 8?")))
    assert rests_on(going.state, c.GoDown(1, 1, melds("set 9? 9? 9? 9? / set 8? 8? 8?"))) == ("lay_down_size",)
    assert rests_on(going.state, c.GoDown(1, 1, melds("set 9? 9? 9? / set 9? 9? 9?"))) == ("same_rank_sets",)


def test_an_overruled_switch_judges_from_now_on() -> None:
    going = night(4)
    three_wilds = c.GoDown(1, 1, melds("set 2S 2D 2H / set 8? 8? 8?"))
    with pytest.raises(IllegalCommand) as refused:
        decide(going.state, c.GoDown(1, 1, melds("set(9) 2S 2D 2H / set 8? 8? 8?")))
    (fault,) = refused.value.problems
    assert (fault.reason, fault.firmness, fault.switch) == (Reason.NO_NATURAL, Firmness.SILENT, "min_naturals")
    going.do(c.OverruleRule("min_naturals", 0))
    assert going.refused(c.GoDown(1, 1, melds("set(9) 2S 2D 2H / set 8? 8? 8?"))) == ()
    assert going.refused(three_wilds) == (Reason.NOT_A_SET,)  # it says no rank

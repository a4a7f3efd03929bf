"""The game from Peru as commands: rearranging the table in one turn, freed wilds, the wild limits as its text (P4–P6)."""

from __future__ import annotations

import pytest

from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.engine import decide, problems, rests_on
from companion.referee.games import KATE, PERU
from companion.referee.reasons import Firmness, Reason
from companion.referee.state import Hand
from tests.referee.nights import Night, card, meld, melds, night

KINGS_TABLE = "set KS KD KH / run 6S 7S JK"


def table(text: str = KINGS_TABLE, owner: int = 2) -> Night:
    """Hand 1: player 1 is down with nines (meld 0), another with kings (1) and the run 6♠ 7♠ joker (2)."""
    return night(3, PERU).do(c.GoDown(1, 1, melds("set 9S 9H JK")), c.GoDown(1, owner, melds(text)))


def hand(going: Night) -> Hand:
    assert going.state.hand is not None
    return going.state.hand


def lies(going: Night) -> list[str]:
    return [str(on.meld) for on in hand(going).melds]


def rearrange(cards: str, changed: str, new: str = "", seat: int = 1) -> c.Rearrange:
    """``changed`` is ``"2 run 5S 6S 7S / 1 set …"``."""
    after = tuple(
        (int(part.split()[0]), meld(part.strip().split(maxsplit=1)[1])) for part in changed.split("/") if part.strip()
    )
    return c.Rearrange(1, seat, tuple(map(card, cards.split())), after, melds(new) if new else ())


FREED = rearrange("5S KC", "1 set KS KD KH KC JK / 2 run 5S 6S 7S")


def test_p6_a_table_is_rearranged_and_the_change_is_undone_whole() -> None:
    going = table().do(FREED)
    assert lies(going) == ["9S 9H JK", "KS KD KH KC JK", "5S 6S 7S"]
    assert lies(going.undo()) == ["9S 9H JK", "KS KD KH", "6S 7S JK"]
    assert lies(going.redo()) == ["9S 9H JK", "KS KD KH KC JK", "5S 6S 7S"]


def test_p6_melds_keep_number_owner_and_slot_and_new_ones_are_the_players() -> None:
    going = table().do(rearrange("5S QS QH", "2 run 5S 6S 7S", "set QS QH JK"))
    assert [(on.number, on.owner, on.slot) for on in hand(going).melds] == [
        (0, 1, 0),
        (1, 2, 0),
        (2, 2, None),
        (3, 1, None),
    ]
    assert hand(going).next_meld == 4


def test_p6_what_was_laid_off_before_belongs_to_the_meld_afterwards() -> None:
    going = table().do(c.LayOff(1, 1, 1, card("KC")), rearrange("5S", "1 set KS KD KH KC JK / 2 run 5S 6S 7S"))
    kings = hand(going).find(1)
    assert kings is not None
    assert (kings.base, kings.additions) == (kings.meld, ())
    assert going.refused(c.CorrectMeld(1, 1, meld("set KS KD KH KC"))) == ()


def test_p6_every_reason_at_once() -> None:
    two_beside = rearrange("2H", "2 run 6S 7S JK 2H / 0 set 9H JK", "set QS QH QD")
    assert set(table().refused(two_beside)) == {
        Reason.WILDS_ADJACENT, Reason.WILDS_NOT_OUTNUMBERED, Reason.TOO_SHORT, Reason.NATURAL_TAKEN,
        Reason.CARD_FROM_NOWHERE, Reason.CARD_LEFT_OVER,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (rearrange("5S", "2 run 5S 6S 7S"), Reason.CARD_LEFT_OVER),  # the freed joker goes nowhere
        (rearrange("KC", "1 set KD KH KC", "set KS JK JK"), Reason.CARD_FROM_NOWHERE),
        (rearrange("QS JS", "1 set KD KH", "run JS QS KS"), Reason.NATURAL_TAKEN),
        (rearrange("2H", "0 set 9S 9H JK 2H"), Reason.WILDS_NOT_OUTNUMBERED),
        (rearrange("2H 5S", "2 run 2H 5S 6S 7S JK / 0 set 9S 9H"), Reason.WILD_TAKEN),
        (rearrange("2H", "2 run 6S 7S JK 2H"), Reason.WILDS_ADJACENT),
        (rearrange("", "2 run 6S 7S JK"), Reason.NOTHING_REARRANGED),
        (rearrange("", "7 run 6S 7S JK"), Reason.NO_SUCH_MELD),
        (rearrange("8S", "2 run 6S 7S 8S JK / 2 run 6S 7S JK"), Reason.NO_SUCH_MELD),
        (rearrange("", "2 run"), Reason.MELD_BROKEN),
        (rearrange("KS KS", "1 set KS KD KH KS KS"), Reason.TOO_MANY_COPIES),
    ],
)
def test_p6_refused(command: c.Rearrange, reason: Reason) -> None:
    assert reason in table().refused(command)


def test_p6_the_neighbours_of_what_is_refused_are_legal() -> None:
    for command in (
        rearrange("5S", "2 run JK 5S 6S 7S"),  # the same joker at the other end, for a card
        rearrange("KC QS JS", "1 set KD KH KC", "run JS QS KS"),  # the king in exchange
        rearrange("2H 9D 9C", "0 set 9S 9H JK 2H 9D 9C"),
        rearrange("8S", "2 run 6S 7S 8S JK"),
        rearrange("KS", "1 set KS KD KH KS"),
    ):
        assert table().refused(command) == (), command


def test_p4_only_who_is_down_rearranges() -> None:
    (found,) = problems(table().state, rearrange("5S KC", "1 set KS KD KH KC JK / 2 run 5S 6S 7S", seat=0))
    assert (found.reason, found.rule, found.firmness) == (Reason.NOT_DOWN, "P4", Firmness.TEXT)


def test_gripe_rearranges_nothing() -> None:
    going = night(3, KATE).do(c.GoDown(1, 1, melds("set 9S 9H 2S / set KS KD KH")))
    assert going.refused(c.Rearrange(1, 1, (card("KC"),), ((1, meld("set KS KD KH KC")),))) == (Reason.REARRANGING_OFF,)


def test_a_rearrangement_of_another_hand_or_of_nobody_is_refused() -> None:
    going = table().do(c.ScoreHand(1, 1, {0: 50, 2: 30}, sure=True))
    assert going.refused(FREED) == (Reason.OTHER_HAND,)
    assert Night().refused(FREED) == (Reason.NOT_STARTED,)
    assert table().refused(c.Rearrange(1, 9, (), ())) == (Reason.NO_SUCH_SEAT,)


def test_melds_that_lie_as_before_are_not_recorded() -> None:
    (event,) = decide(table().state, rearrange("5S KC", "0 set 9S 9H JK / 1 set KS KD KH KC JK / 2 run 5S 6S 7S"))
    assert isinstance(event, e.Rearranged)
    assert [number for number, _ in event.changed] == [1, 2]


# --- the wild that was freed by itself (P6) ---------------------------------------------------------------------------


def test_p6_a_freed_wild_is_known_until_it_lies_again() -> None:
    going = table("set KS KD KH / run 6S JK 8S 9S").do(c.ReplaceWild(1, 1, 2, card("7S")))
    assert hand(going).freed_by(1) == (card("JK"),)
    assert hand(going).freed_by(2) == ()
    going.do(c.LayOff(1, 1, 1, card("KC")))  # another card leaves it to be laid
    assert hand(going).freed_by(1) == (card("JK"),)
    going.do(c.LayOff(1, 1, 2, card("JK"), "high"))
    assert hand(going).freed == ()
    assert hand(going.undo()).freed_by(1) == (card("JK"),)


def test_p6_a_freed_wild_may_lie_in_a_further_meld_or_a_rearranged_one() -> None:
    going = table("set KS KD KH / run 6S JK 8S 9S").do(c.ReplaceWild(1, 1, 2, card("7S")))
    assert hand(going.do(c.GoDown(1, 1, melds("set QS QH JK")))).freed == ()
    going.undo().do(rearrange("JK KC", "1 set KS KD KH KC JK"))
    assert hand(going).freed == ()


def test_p6_another_players_joker_is_not_the_one_freed() -> None:
    going = table("set KS KD KH / run 6S JK 8S 9S").do(c.ReplaceWild(1, 1, 2, card("7S")))
    going.do(c.LayOff(1, 2, 1, card("JK")))
    assert hand(going).freed_by(1) == (card("JK"),)


def test_a_freed_two_without_its_suit_is_any_two() -> None:
    going = table("set KS KD KH / run 6S 2? 8S 9S").do(c.ReplaceWild(1, 1, 2, card("7S")))
    assert hand(going).freed_by(1) == (card("2?"),)
    assert hand(going.do(c.LayOff(1, 1, 1, card("2C")))).freed == ()


def freed_two(owner: int = 2) -> Night:
    """Two packs: one 2♠ lies in a set, the other was freed by player 1 and waits."""
    going = table("set KS KD KH 2S / run 6S 2S 8S 9S", owner).do(c.ReplaceWild(1, 1, 2, card("7S")))
    assert hand(going).freed_by(1) == (card("2S"),)
    return going


def test_p1_a_freed_wild_that_waits_counts_among_the_copies() -> None:
    going = freed_two()
    assert going.refused(c.LayOff(1, 2, 2, card("2S"), "high")) == (Reason.TOO_MANY_COPIES,)
    assert going.refused(c.GoDown(1, 2, melds("set QS QH 2S"))) == (Reason.TOO_MANY_COPIES,)
    assert going.refused(rearrange("QS QH 2S", "", "set QS QH 2S", seat=2)) == (Reason.TOO_MANY_COPIES,)
    assert going.refused(c.LayOff(1, 1, 2, card("2S"), "high")) == ()  # it is the one that was freed
    assert going.refused(c.LayOff(1, 2, 2, card("2D"), "high")) == ()
    both = rearrange("QS QH QD 2S 2S", "", "set QS QH QD 2S 2S")
    assert going.refused(both) == (Reason.TOO_MANY_COPIES,)


def test_p6_a_replacement_taken_back_frees_nothing() -> None:
    going = freed_two().do(c.CorrectMeld(1, 2, meld("run 6S 2S 8S")))
    assert hand(going).freed == ((1, card("2S")),)  # the 7♠ replaces it again
    going.undo().do(c.CorrectMeld(1, 2, meld("run 6H 2S 8H 9H")))
    assert (lies(going)[2], hand(going).freed) == ("6H 2S 8H 9H", ())
    assert hand(going.undo().do(c.CorrectMeld(1, 2, None))).freed == ()
    assert hand(going.undo().do(c.TakeBackGoingDown(1, 2))).freed == ()


def test_p6_at_the_end_of_a_hand_a_freed_wild_must_lie_somewhere_or_is_not_noted() -> None:
    score = c.ScoreHand(1, 1, {0: 50, 2: 30})
    (asked,) = problems(freed_two().state, score)
    assert (asked.reason, asked.rule, asked.facts["cards"]) == (Reason.WILD_WAITING, "P6", (card("2S"),))
    assert freed_two().refused(c.ScoreHand(1, 1, {0: 50, 2: 30}, unnoted=True)) == ()
    assert freed_two().do(c.LayOff(1, 1, 2, card("2S"), "high")).refused(score) == ()


def test_who_is_not_down_after_all_freed_nothing() -> None:
    going = table("set KS KD KH / run 6S JK 8S 9S").do(c.ReplaceWild(1, 1, 2, card("7S")), c.TakeBackGoingDown(1, 1))
    assert hand(going).freed == ()


# --- what the text settles (P4, P5, P7) -------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["set 9S 9H JK 2D", "set 9S 9H 9D / run 4S JK 2H 7S 8S"])
def test_p5_the_limits_on_wilds_are_the_texts_and_no_tables_choice(text: str) -> None:
    (found,) = problems(night(3, PERU).state, c.GoDown(1, 1, melds(text)))
    assert (found.rule, found.firmness, found.switch) == ("P5", Firmness.TEXT, None)


def test_p5_as_many_naturals_as_wilds_are_too_few_and_one_more_is_enough() -> None:
    assert night(3, PERU).refused(c.GoDown(1, 1, melds("set 9S JK"))) == (
        Reason.TOO_SHORT,
        Reason.WILDS_NOT_OUTNUMBERED,
    )
    assert night(3, PERU).refused(c.GoDown(1, 1, melds("set 9S 9D JK"))) == ()


def test_p4_longer_and_further_melds_rest_on_no_switch() -> None:
    assert rests_on(night(3, PERU).state, c.GoDown(1, 1, melds("set 9S 9H 9D JK / run 4S 5S 6S"))) == ()


def test_p4_further_melds_only_with_the_contract_down() -> None:
    assert night(3, PERU).play_to(2).refused(c.GoDown(2, 1, melds("set 9S 9H 9D / run 4S 5S 6S"))) != ()
    assert night(3, PERU).play_to(2).refused(c.GoDown(2, 1, melds("set 9S 9H 9D / set 8S 8H 8D / run 4S 5S 6S"))) == ()


def test_p3_thirteen_round_the_corner_and_not_one_more() -> None:
    ring = "run QS KS AS 2S 3S 4S 5S 6S 7S 8S 9S 10S"
    assert night(3, PERU).play_to(9).refused(c.GoDown(9, 1, melds(ring))) == ()
    assert night(3, PERU).play_to(9).refused(c.GoDown(9, 1, melds(ring + " JS"))) == ()
    assert Reason.RUN_OUT_OF_RANGE in night(3, PERU).play_to(9).refused(c.GoDown(9, 1, melds(ring + " JS QS")))


def test_p8_the_ninth_chip_is_refused_and_one_given_back_is_there_again() -> None:
    going = night(3, PERU)
    for _ in range(7):
        going.do(c.Buy(1, 1))
    going.score(0).do(c.Buy(2, 1))
    assert (going.state.buys_left(1), going.refused(c.Buy(2, 1))) == (0, (Reason.NO_BUYS_LEFT,))
    going.undo()
    assert (going.state.buys_left(1), going.refused(c.Buy(2, 1))) == (1, ())


def test_p1_one_and_nine_are_refused_and_six_bring_a_third_pack() -> None:
    for players, reason in ((1, Reason.TOO_FEW_PLAYERS), (9, Reason.TOO_MANY_PLAYERS)):
        assert Night().refused(c.StartGame(PERU, tuple(range(players)), 0)) == (reason,)
    decks = {players: night(players, PERU).state.rules.decks for players in (2, 5, 6, 8)}  # type: ignore[union-attr]
    assert decks == {2: 2, 5: 2, 6: 3, 8: 3}

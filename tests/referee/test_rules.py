"""Rules judge themselves (BadRules), say what differs from their sheet, and every switch is listed with its values."""

from __future__ import annotations

import dataclasses

import pytest

from companion.referee.cards import Rank
from companion.referee.games import CONTRACT, EHOW, GAMES, GREBBER, KATE, LIVERPOOL, PERU, SHEETS, game_of
from companion.referee.reasons import Firmness
from companion.referee.rules import BadRules, Contract, Kind, Rules, Slot
from companion.referee.scoring import pack_points, points_problems
from companion.referee.switches import SWITCHES, rests_on

BAD = [
    ("decks", 0), ("decks", "2"), ("decks", True), ("decks", 10), ("jokers", -1), ("hand_size", 0),
    ("hand_size", 10**30), ("ace", "up"), ("ace", None), ("min_naturals", -1), ("min_naturals", 1.0),
    ("max_wilds", "many"), ("max_wilds", -1), ("max_wilds", False), ("naturals_outnumber", 1),
    ("naturals_outnumber", None), ("wild_limit_scope", "never"), ("adjacent_wilds", True), ("lay_down_size", ""),
    ("buys", (3,)), ("buys", [3] * 10), ("buys", (3,) * 9 + (-1,)), ("buys", (3,) * 9 + ("4",)),
    ("buys_per_game", -1), ("stock_cards", -1), ("buy_unit", "card"),
    ("contracts", ()), ("contracts", (Contract(()),) * 10), ("contracts", (Contract((Slot(Kind.SET, 0),)),) * 10),
    ("points", ()), ("points", ((Rank.TWO, 20),)), ("points", (*KATE.points, KATE.points[0])),
    ("points", tuple((rank, -5) for rank, _ in KATE.points)), ("wild_ranks", (Rank.JOKER,)), ("wild_ranks", (2,)),
    ("wild_ranks", (Rank.TWO, Rank.TWO)), ("min_players", 9), ("target", 100), ("target", 0), ("ante", 0), ("purse", -1),
    ("late_joiner", ("highest",)), ("sheet", ""),
]  # fmt: skip


@pytest.mark.parametrize(("switch", "value"), BAD, ids=lambda value: repr(value)[:30])
def test_a_value_no_table_can_play_is_refused_and_named(switch: str, value: object) -> None:
    with pytest.raises(BadRules) as refused:
        KATE.replace(**{switch: value})
    assert (refused.value.switch, refused.value.value) == (switch, value)


def test_an_unknown_switch_is_a_type_error() -> None:
    with pytest.raises(TypeError):
        KATE.replace(wilds_fly=True)


def test_rules_are_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        KATE.decks = 3  # type: ignore[misc]


def test_differences_from_a_sheet_in_field_order() -> None:
    assert KATE.differences(KATE) == {}
    assert list(EHOW.differences(KATE).items()) == [
        ("discard_ban", False),
        ("must_discard_to_go_out", False),
        ("wild_swap", "off"),
    ]
    changed = KATE.replace(max_wilds=2, extra_melds=True)
    assert KATE.replace(**changed.differences(KATE)) == changed


def test_the_sheets_are_named_after_themselves() -> None:
    assert {name: rules.sheet for name, rules in SHEETS.items()} == {name: name for name in SHEETS}
    assert {"kate", "ehow", "peru", "liverpool"} <= set(SHEETS)


def test_g4_1_the_ten_contracts() -> None:
    def words(contract: Contract) -> str:
        return " ".join(f"{slot.kind.value}{slot.size}" for slot in contract.slots)

    assert list(map(words, KATE.contracts)) == [
        "set3 set3", "set3 run4", "set4 set4", "set3 set3 set3", "set3 run7",
        "set3 set3 run5", "run4 run4 run4", "set3 run10", "set3 set3 set3 run5", "run5 run5 run5",
    ]  # fmt: skip
    assert [contract.cards_needed for contract in KATE.contracts] == [6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    assert KATE.buys == (3, 3, 3, 3, 3, 3, 3, 3, 3, 4)


def test_p4_the_nine_contracts() -> None:
    assert [contract.cards_needed for contract in PERU.contracts] == [3, 6, 9, 4, 8, 5, 10, 6, 7]


@pytest.mark.parametrize(("rules", "points"), [(KATE, 920), (KATE.replace(decks=3), 1380)])
def test_g2_3_g9_2_the_points_in_the_decks(rules: Rules, points: int) -> None:
    assert pack_points(rules) == points


@pytest.mark.parametrize("switch", SWITCHES.values(), ids=lambda switch: switch.name)
def test_every_switch_can_be_played_at_each_of_its_values(switch: object) -> None:
    values = SWITCHES[switch.name].values  # type: ignore[attr-defined]
    sheet = next(rules for rules in (KATE, PERU, GREBBER, CONTRACT) if game_of(rules).family in switch.families)  # type: ignore[attr-defined]
    for value in values:
        assert getattr(sheet.replace(**{switch.name: value}), switch.name) == value  # type: ignore[attr-defined]
    assert getattr(sheet, switch.name) == values[0]  # type: ignore[attr-defined]


def test_every_switch_the_rulebook_calls_silent_is_listed() -> None:
    silent = {name for name, switch in SWITCHES.items() if switch.firmness is Firmness.SILENT}
    assert silent == {
        "decks", "min_naturals", "max_wilds", "naturals_outnumber", "wild_limit_scope", "adjacent_wilds",
        "lay_down_size", "extra_melds", "same_rank_sets", "same_suit_runs", "buy_priority", "buy_own_discard",
        "buy_when_down", "own_melds_count", "dead_hand", "bad_discard", "lay_off_same_turn", "stock_out", "late_joiner",
        "four_of_a_rank", "ante", "wild_price", "purse", "request_gives",
        # of the other contract rummies
        "wild_share", "max_wilds_by_size", "max_wilds_laid", "set_naturals", "wilds_apart", "set_suits",
        "draw_discards_down", "buy_veto", "buy_window", "swap_by", "out_in_one_turn", "exact_cut", "ties",
    }  # fmt: skip


def test_a_verdict_that_no_switch_can_turn_rests_on_none() -> None:
    assert rests_on(lambda rules: rules.decks > 0, KATE) == ()
    assert rests_on(lambda rules: rules.max_wilds is None, KATE) == ("max_wilds",)


def test_a_cousin_is_a_game_of_its_own() -> None:
    """Liverpool differs from Gripe in values alone, but it is not called Gripe."""
    assert type(LIVERPOOL) is Rules
    assert LIVERPOOL.wild_ranks == ()
    assert LIVERPOOL.ace == "either"
    assert (game_of(LIVERPOOL).key, game_of(LIVERPOOL).boardgame) == ("liverpool", "Liverpool Rummy")


def test_every_sheet_belongs_to_one_game() -> None:
    keys = {name: game_of(rules).key for name, rules in SHEETS.items()}
    assert keys.items() >= {"kate": "gripe", "ehow": "gripe", "peru": "peru", "grebber": "grebber"}.items()
    assert all(game.key == key for key, game in GAMES.items())
    assert [key for key, game in GAMES.items() if game.is_offered][:3] == ["gripe", "peru", "grebber"]
    assert all(game.is_offered for game in GAMES.values())


def test_a_stored_sheet_that_no_game_has_is_played_as_a_cousin_with_its_own_name() -> None:
    old = game_of(KATE.replace(sheet="our_old_rules"))
    assert (old.key, old.boardgame, old.family, old.is_offered) == ("our_old_rules", "Our old rules", "gripe", False)
    assert old.has_contracts
    lost = game_of(GREBBER.replace(sheet="lost"))
    assert (lost.key, lost.family, lost.count, lost.has_target) == ("lost", "grebber", "kruth", True)


def test_a_known_name_with_another_kind_of_rules_is_not_that_game() -> None:
    assert game_of(GREBBER.replace(sheet="kate")).count == "kruth"


def test_a_rule_has_one_number_and_one_firmness_in_a_game() -> None:
    assert game_of(PERU).rule("buys") == ("P8", Firmness.TEXT)
    assert game_of(KATE).rule("buys") == ("G5.3", Firmness.KATE)
    assert game_of(GREBBER).rule("min_players") == ("K2", Firmness.TEXT)


def test_the_values_of_cards_are_the_games_own() -> None:
    assert (KATE.card_values, PERU.card_values, LIVERPOOL.card_values) == (
        (5, 10, 15, 20),
        (5, 10, 15, 25),
        (*range(2, 11), 15),
    )
    assert (KATE.step, PERU.step, LIVERPOOL.step) == (5, 5, 1)
    (refused,) = points_problems({0: 12}, PERU, 1)
    assert refused.facts["values"] == (5, 10, 15, 25)

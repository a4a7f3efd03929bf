"""The contract rummies of the family: checked cases of every game by the line protocol, and their data (FAMILY)."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from companion.referee.cards import parse_cards
from companion.referee.games import SHEETS
from companion.referee.protocol import answer
from companion.referee.scoring import hand_points

CASES = [json.loads(line) for line in (Path(__file__).parent / "data" / "family.jsonl").read_text("utf-8").splitlines()]
GAMES = sorted({case["sheet"] for case in CASES})


def unordered(kind: str, out: dict[str, Any]) -> object:
    """An answer without the order that means nothing, and without the witness, of which there may be several."""
    if kind == "godown":
        return out["can"]
    if kind == "meld":
        lists = (sorted(json.dumps(row, sort_keys=True) for row in out[key]) for key in ("readings", "ordered_run"))
        return (*lists, out["set3"], out["run4"])
    if kind == "table":
        plays = {
            card: {number: sorted(json.dumps(play, sort_keys=True) for play in plays) for number, plays in on.items()}
            for card, on in out["plays"].items()
        }
        return sorted(out["illegal_discards"]), plays
    return out


@pytest.mark.parametrize("sheet", GAMES)
@pytest.mark.parametrize("kind", ["meld", "table", "laydown", "godown"])
def test_checked_cases(sheet: str, kind: str) -> None:
    cases = [case for case in CASES if (case["sheet"], case["type"]) == (sheet, kind)]
    assert cases
    for case in cases:
        asked = {key: value for key, value in case.items() if key != "out"}
        assert unordered(kind, answer(asked)["out"]) == unordered(kind, case["out"]), case["id"]


@pytest.mark.parametrize("sheet", GAMES)
def test_a_witness_is_a_legal_lay_down_of_the_hand(sheet: str) -> None:
    for case in CASES:
        if (case["sheet"], case["type"]) != (sheet, "godown") or not case["out"]["can"]:
            continue
        rules = {"rules": case["rules"]} if "rules" in case else {}
        melds = answer({"type": "godown", "sheet": sheet, "in": case["in"], **rules})["out"]["witness"]
        groups = with_real_wilds([meld["cards"] for meld in melds], case["in"]["hand"])
        asked = {"contract": case["in"]["contract"], "groups": groups}
        assert answer({"type": "laydown", "sheet": sheet, "in": asked, **rules}) == {"out": {"ok": True}}, case["id"]
        assert not wilds_as_ranks([card for meld in melds for card in meld["cards"]]) - wilds_as_ranks(
            case["in"]["hand"]
        )


def with_real_wilds(melds: list[list[str]], hand: list[str]) -> list[list[str]]:
    """``2*`` as a 2 of the hand that lies nowhere else."""
    named = Counter(card for meld in melds for card in meld if not card.endswith("*"))
    left = list((Counter(hand) - named).elements())
    groups = [[card for card in meld if not card.endswith("*")] for meld in melds]
    for group, meld in zip(groups, melds, strict=True):
        for card in meld:
            if card.endswith("*"):
                group.append(left.pop(next(at for at, held in enumerate(left) if held[:-1] == card[:-1])))
    return groups


def wilds_as_ranks(cards: list[str]) -> Counter[str]:
    return Counter(card.rstrip("SHDC*") for card in cards)


def test_another_program_can_read_the_rules() -> None:
    out = answer({"type": "rules", "sheet": "kalooki"})["out"]
    assert out["contracts"][:2] == ["3xset3", "2xset3 run4"]
    assert out["dealt"] == [9, 10, 11, 12, 12, 13, 14, 15, 16]
    assert (out["values"]["A"], out["values"]["red_A"], out["values"]["joker"]) == (15, 1, 50)
    assert out["rules"]["set_naturals"] == 2
    assert json.loads(json.dumps(out)) == out


def test_the_packs_go_by_the_number_of_players() -> None:
    def packs(players: int) -> tuple[int, int]:
        out = answer({"type": "rules", "sheet": "contract", "rules": {"players": players}})["out"]["rules"]
        return out["decks"], out["jokers_in_all"]

    assert [packs(players) for players in (3, 4, 5, 8)] == [(2, 1), (2, 1), (3, 2), (3, 2)]
    assert answer({"type": "rules", "sheet": "contract", "rules": {"players": 9}}) == {"error": "players: 3 to 8"}


def test_a_list_of_ones_own_is_played_in_the_place_of_the_sheets() -> None:
    asked = {"type": "godown", "rules": {"contracts": ["2xset3", "run4 set2"]}}
    hand = ["4S", "5S", "6S", "7S", "9H", "9D", "KC"]
    assert answer({**asked, "in": {"contract": 2, "hand": hand}})["out"]["can"] is True
    assert answer({**asked, "in": {"contract": 3, "hand": hand}}) == {"error": "contract: 1 to 2"}
    wrong = {"type": "godown", "rules": {"contracts": ["2xset3", "sets"]}, "in": {"contract": 1, "hand": []}}
    assert answer(wrong) == {"error": "contracts: 'sets' is no meld"}


def test_the_best_turn_is_answered_where_it_is_known_and_nowhere_else() -> None:
    def asked(sheet: str, contract: int) -> dict[str, Any]:
        hand = ["7S", "7H", "7D", "9S", "9H", "9D", "KC", "4C"]
        return answer(
            {"type": "best", "sheet": sheet, "in": {"hand": hand, "contract": contract, "table": [], "player": "a"}}
        )

    assert asked("contract", 1) == {"out": {"points": 4, "end": "hold"}}
    for sheet, contract in (("contract", 7), ("ten_phases", 4), ("carioca", 1), ("may_i", 1), ("three_thirteen", 6)):
        assert asked(sheet, contract) == {"error": "best: the best turn of this game is not known"}


def test_the_red_ace_costs_one_in_kalooki() -> None:
    assert hand_points(parse_cards("AS AH 7D"), SHEETS["kalooki"]) == 23

"""Nights that play themselves: legal records, the same for a seed, and near what others measured (FAMILY 9)."""

import json
from dataclasses import fields
from random import Random
from typing import get_type_hints

import pytest

from companion.codec import decode, encode
from companion.exporting import document
from companion.players import PLAYERS, play_night
from companion.players.dealing import a_pack
from companion.players.nearest import nearest
from companion.players.seen import Seen
from companion.referee.games import KATE, LIVERPOOL, SHEETS
from companion.referee.history import replay
from companion.referee.lists import read_contract
from companion.referee.rules import Rules
from companion.referee.search.can_go_down import can_go_down, cards_away
from companion.referee.state import Phase
from companion.simulate.__main__ import main

CAREFUL = PLAYERS["careful"]


def test_a_player_sees_no_other_hand() -> None:
    """By type: the only cards are the own hand and what lies open; of others there are numbers."""
    hints = get_type_hints(Seen)
    with_cards = {field.name for field in fields(Seen) if "Card" in str(hints[field.name])}
    assert with_cards == {"hand", "discards"}


@pytest.mark.parametrize("name", PLAYERS)
def test_each_player_ends_a_night_of_gripe_as_a_record(name: str) -> None:
    night = play_night(KATE, [PLAYERS[name]] * 4, Random("1/0"))
    assert night.state.phase is Phase.FINISHED
    assert len(night.hands) == 10
    assert replay(night.entries).state == night.state
    assert tuple(decode(*encode(event)) for event in night.entries) == night.entries


@pytest.mark.parametrize("sheet", ["ehow", "peru", "shanghai", "carioca", "continental", "frustration"])
def test_other_games_are_played_to_their_end(sheet: str) -> None:
    rules = SHEETS[sheet]
    night = play_night(rules, [CAREFUL, PLAYERS["family"], PLAYERS["shrewd"]], Random("1/0"))
    assert night.state.phase is Phase.FINISHED
    assert replay(night.entries).state == night.state


def test_better_players_are_better() -> None:
    wins = {"careful": 0, "random": 0}
    for number in range(6):
        night = play_night(KATE, [CAREFUL, PLAYERS["random"], CAREFUL, PLAYERS["random"]], Random(f"3/{number}"))
        totals = [sum(hand.points[seat] for hand in night.hands) for seat in range(4)]
        wins["careful"] += min(totals) in (totals[0], totals[2])
        wins["random"] += min(totals) in (totals[1], totals[3])
    assert wins["careful"] > wins["random"]


@pytest.mark.parametrize("rules", [KATE, LIVERPOOL, SHEETS["carioca"]], ids=lambda rules: rules.sheet)
def test_the_fast_path_counts_as_the_referee_does(rules: Rules) -> None:
    rng = Random("near")
    for contract in rules.contracts[:6]:
        for _ in range(6):
            hand = a_pack(rules, rng)[: rng.choice((8, 11, 14))]
            found = nearest(hand, contract, rules)
            assert found.away == cards_away(hand, contract, rules), (contract, hand)


def test_what_is_spare_can_go() -> None:
    rng = Random("spare")
    for contract in KATE.contracts[:6]:
        hand = a_pack(KATE, rng)[:13]
        found = nearest(hand, contract, KATE)
        for card in found.spare[: max(0, len(hand) - contract.cards_needed)]:
            left = list(hand)
            left.remove(card)
            assert cards_away(left, contract, KATE) == found.away


@pytest.mark.parametrize(("contract", "cards", "chance"), [("2xset3", 12, 0.470), ("set3 run4", 12, 0.223)])
def test_random_hands_go_down_as_often_as_others_found(contract: str, cards: int, chance: float) -> None:
    """Four standard errors of 1,000 hands, and as much again for theirs."""
    rng, wanted = Random("at once"), read_contract(contract)
    down = sum(can_go_down(a_pack(KATE, rng)[:cards], wanted, KATE) is not None for _ in range(1000))
    assert abs(down / 1000 - chance) < 0.07


@pytest.mark.parametrize(("contract", "by_five", "by_ten"), [("2xset3", 0.80, 0.91), ("set3 run4", 0.60, 0.81)])
def test_one_player_alone_from_the_stock(contract: str, by_five: float, by_ten: float) -> None:
    """FAMILY 9: throws the dearest card that keeps the hand as near; both samples have some 150 hands (±0.12)."""
    rng, wanted, down = Random("alone"), read_contract(contract), []
    for _ in range(200):
        pack = a_pack(KATE, rng)
        hand, turn = [pack.pop() for _ in range(KATE.hand_size)], 0
        while turn < 12:
            turn += 1
            hand.append(pack.pop())
            if can_go_down(hand, wanted, KATE):
                break
            spare = nearest(hand, wanted, KATE).spare or hand
            hand.remove(max(spare, key=KATE.value))
        else:
            turn = 99
        down.append(turn)
    assert abs(sum(turn <= 5 for turn in down) / 200 - by_five) < 0.12
    assert abs(sum(turn <= 10 for turn in down) / 200 - by_ten) < 0.12


def test_the_same_seed_gives_the_same_bytes_whatever_the_cores(tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    for cores in ("1", "2"):
        asked = ["--nights", "5", "--seed", "7", "--players", "careful,shrewd,family", "--json", f"{cores}.json"]
        assert main([*asked, "--cores", cores, "--keep", "2"]) == 0
    assert (tmp_path / "1.json").read_bytes() == (tmp_path / "2.json").read_bytes()
    told = json.loads((tmp_path / "1.json").read_text())
    assert [hand["contract"] for hand in told["hands"]][:2] == ["2xset3", "set3 run4"]
    assert sum(player["wins"] for player in told["players"]) == pytest.approx(1, abs=0.001)
    (house,) = document.read((tmp_path / "simulated-nights.json").read_bytes())
    assert len(house.nights) == 2
    assert "wins" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (["--game", "poker"], "no game 'poker'"),
        (["--players", "careful,grandma,careful"], "no player 'grandma'"),
        (["--players", "careful"], "players, not 1"),
        (["--nights", "0"], "--nights"),
        (["--rules", "decks"], "write key=value"),
        (["--rules", "nonsense=1"], "no switch 'nonsense'"),
        (["--rules", "decks=99"], "decks cannot be 99"),
        (["--contracts", "2xset99"], "--contracts"),
        (["--keep", "200"], "--keep"),
        (["--nights", "1", "--json", "/nowhere/at/all.json"], "cannot write"),
    ],
)
def test_what_cannot_be_simulated_is_said(asked, why, capsys) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--cores", "1", *asked])
    assert ended.value.code == 2
    assert why in capsys.readouterr().err

"""What the engine refuses and accepts in the other contract rummies (FAMILY, sections 4 and 10)."""

import pytest

from companion.referee import commands as do
from companion.referee.cards import parse_card, parse_cards
from companion.referee.engine import decide, evolve, problems
from companion.referee.events import GameStarted
from companion.referee.games import SHEETS
from companion.referee.melds import Meld
from companion.referee.reasons import Reason
from companion.referee.rules import Rules
from companion.referee.standings import standings
from companion.referee.state import GameState


def play(state: GameState, *orders: do.Command) -> GameState:
    for order in orders:
        for event in decide(state, order):
            state = evolve(state, event)
    return state


def begun(sheet: str, players: int = 4, hand: int = 1, **changes: object) -> GameState:
    rules = SHEETS[sheet].replace(**changes)
    return play(GameState(), do.StartGame(rules, tuple(range(players)), 0, hand))


def reasons(state: GameState, command: do.Command) -> list[Reason]:
    return [problem.reason for problem in problems(state, command)]


def sets(*texts: str) -> tuple[Meld, ...]:
    return tuple(Meld.set_of(parse_cards(text)[0].rank, parse_cards(text)) for text in texts)


def scored(state: GameState, out: int | None, **points: int) -> do.ScoreHand:
    assert state.hand
    return do.ScoreHand(state.hand.number, out, {int(seat[1:]): value for seat, value in points.items()})


def test_17_continental_down_and_out_in_one_turn_scores_less_than_nothing() -> None:
    state = begun("continental")
    assert reasons(state, scored(state, 0, s0=-10, s1=17, s2=3, s3=50)) == []
    assert reasons(state, scored(state, 0, s1=17, s2=3, s3=50)) == []
    assert reasons(state, scored(state, 0, s0=-20, s1=17, s2=3, s3=50)) == [
        Reason.OUT_WITH_POINTS,
        Reason.NEGATIVE_POINTS,
    ]
    assert reasons(state, scored(state, 0, s1=-10, s2=3, s3=50)) == [Reason.NEGATIVE_POINTS]


def test_liverpool_an_exact_cut_takes_fifty_off_for_whoever_made_it() -> None:
    state = begun("liverpool")
    assert reasons(state, scored(state, 0, s0=-50, s1=17, s2=3, s3=50)) == []
    assert reasons(state, scored(state, 0, s1=-33, s2=3, s3=50)) == []
    assert reasons(state, scored(state, 0, s1=-51, s2=3, s3=50)) == [Reason.NEGATIVE_POINTS]
    other = begun("contract")
    assert reasons(other, scored(other, 0, s1=-33, s2=3, s3=50)) == [Reason.NEGATIVE_POINTS]


def test_18_progressive_deals_one_card_more_each_time() -> None:
    rules = SHEETS["progressive"]
    assert [rules.dealt(number) for number in (1, 3, 7)] == [6, 8, 12]


@pytest.mark.parametrize(("players", "packs"), [(3, (2, 1)), (4, (2, 1)), (5, (3, 2)), (8, (3, 2))])
def test_26_contract_takes_the_packs_that_so_many_players_need(players: int, packs: tuple[int, int]) -> None:
    rules = begun("contract", players).rules
    assert (rules.decks, rules.joker_count) == packs


def test_20_may_i_only_who_is_not_down_replaces_a_wild_and_takes_it() -> None:
    run = Meld.run_from(parse_card("4S").suit, parse_card("4S").rank, parse_cards("4S 5S 6S JK"))  # type: ignore[arg-type]
    state = play(begun("may_i", hand=2), do.GoDown(2, 0, (*sets("9H 9D 9C"), run)))
    swap = parse_card("7S")
    assert reasons(state, do.ReplaceWild(2, 0, 1, swap)) == [Reason.SWAP_NOT_YOURS]
    assert reasons(state, do.ReplaceWild(2, 1, 1, swap)) == []
    contract = play(begun("contract", hand=2), do.GoDown(2, 0, (*sets("9H 9D 9C"), run)))
    assert reasons(contract, do.ReplaceWild(2, 1, 1, swap)) == [Reason.NOT_DOWN]
    assert reasons(contract, do.ReplaceWild(2, 0, 1, swap)) == []


def test_5_carioca_two_jokers_in_the_lay_down_and_one_a_meld() -> None:
    state = begun("carioca", hand=4)
    three = sets("7S 7H JK", "9S 9H JK", "KS KH JK")
    assert reasons(state, do.GoDown(4, 0, three)) == [Reason.TOO_MANY_WILDS_LAID]
    assert reasons(state, do.GoDown(4, 0, (*three[:2], *sets("KS KH KD")))) == []


def test_carioca_further_melds_are_of_the_deals_kinds_and_laid_later() -> None:
    state = begun("carioca")
    first = sets("7S 7H 7D", "9S 9H 9D")
    assert reasons(state, do.GoDown(1, 0, (*first, *sets("KS KH KD")))) == [Reason.EXTRA_MELD]
    down = play(state, do.GoDown(1, 0, first))
    assert reasons(down, do.GoDown(1, 0, sets("KS KH KD"))) == []
    run = Meld.run_from(parse_card("3S").suit, parse_card("3S").rank, parse_cards("3S 4S 5S 6S"))  # type: ignore[arg-type]
    assert reasons(down, do.GoDown(1, 0, (run,))) == [Reason.EXTRA_MELD]


def test_carioca_is_dealt_and_played_anticlockwise_and_ties_go_to_who_won_more_deals() -> None:
    state = begun("carioca")
    assert (state.starter, state.next_here(0)) == (3, 3)
    for out in (1, 1, 2):
        points = {f"s{seat}": 20 for seat in range(4) if seat != out}
        state = play(state, scored(state, out, **points))
    assert standings(state).totals == {0: 60, 1: 20, 2: 40, 3: 60}
    level = play(state, scored(state, 2, s0=3, s1=20, s3=3))
    assert standings(level).totals[1] == standings(level).totals[2] == 40
    assert standings(level).places == {1: 1, 2: 1, 0: 3, 3: 3}
    ahead = play(level, scored(level, 1, s0=3, s2=2, s3=3))
    assert standings(ahead).totals[1] == 40
    assert standings(ahead).places[2] == 2


def test_three_thirteen_lays_nothing_off_and_another_rank_is_wild_in_every_deal() -> None:
    state = begun("three_thirteen", hand=2)
    down = play(state, do.GoDown(2, 0, sets("9H 9D 9C 4S")))
    assert reasons(down, do.LayOff(2, 0, 0, parse_card("9S"))) == [Reason.LAY_OFF_OFF]
    assert Reason.NOT_ALL_DEALT in reasons(state, do.GoDown(2, 0, sets("9H 9D 9C")))


def test_unlimited_buys_have_no_limit() -> None:
    state = play(begun("contract"), *[do.Buy(1, 1)] * 20)
    assert state.buys_left(1) is None
    assert reasons(state, do.Buy(1, 1)) == []
    assert reasons(begun("carioca"), do.Buy(1, 1)) == [Reason.NO_BUYS_LEFT]


def test_a_stored_game_of_the_family_keeps_its_rules() -> None:
    rules: Rules = SHEETS["kalooki"]
    state = evolve(GameState(), GameStarted(rules, (0, 1, 2), 0))
    assert state.rules == rules

"""Every reason, entry, switch and rule has its sentence, in both languages, from problems the real referee makes."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from typing import get_args

import pytest
from flask import Flask
from flask_babel import force_locale

from companion import wording
from companion.referee import commands as do
from companion.referee import events as ev
from companion.referee.cards import FIFTY_TWO, JOKER, Rank, Suit, parse_card, parse_cards
from companion.referee.claims import who_takes
from companion.referee.contracts import lay_down_problems
from companion.referee.engine import decide, evolve, problems
from companion.referee.games import GREBBER, KATE, PERU, SHEETS
from companion.referee.grebber import Count, request_problems
from companion.referee.kruth import DECK, KruthRank, KruthSuit, kruth_points, parse_kruths
from companion.referee.melds import Meld
from companion.referee.reasons import Firmness, Problem, Reason
from companion.referee.rules import Kind, Rules
from companion.referee.state import GameState, TableMeld
from companion.referee.table import discard_problems
from companion.wording import book
from companion.wording.other_games import NOT_IN_PERU
from companion.wording.reasons import exact_sentence
from tools import catalogues

NAMES = {0: "Ana", 1: "Bruno", 2: "Zoë"}
LANGUAGES = ("en", *catalogues.LANGUAGES)
RUN = Meld.run_from(Suit.SPADES, Rank.FOUR, parse_cards("4S 2H 6S"))
SET = Meld.set_of(Rank.FOUR, parse_cards("4C 4D 2S"))
LEFT_OVER = re.compile(r"%\(|None|Suit\.|Rank\.|Kind\.|<")


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest, app: Flask) -> Iterator[str]:
    """The language the sentences are asked for in."""
    with app.test_request_context(), force_locale(request.param):
        yield request.param


@pytest.fixture
def english(app: Flask) -> Iterator[None]:
    with app.test_request_context(), force_locale("en"):
        yield


@pytest.fixture
def portuguese(app: Flask) -> Iterator[None]:
    with app.test_request_context(), force_locale("pt"):
        yield


# --- a table on which everything can go wrong ------------------------------------------------------------------------


def started(rules: Rules = KATE, *, hand: int = 1) -> GameState:
    return play(GameState(), do.StartGame(rules, (0, 1, 2), 0, first_hand=hand))


def play(state: GameState, *orders: do.Command) -> GameState:
    for order in orders:
        for event in decide(state, order):
            state = evolve(state, event)
    return state


def sets(*texts: str) -> tuple[Meld, ...]:
    return tuple(Meld.set_of(parse_card(text.split()[0]).rank, parse_cards(text)) for text in texts)


DOWN = do.GoDown(1, 0, sets("8S 8S 8H", "9S 9C 2D"))


def run(low: str, text: str) -> Meld:
    first = parse_card(low)
    assert first.suit is not None
    return Meld.run_from(first.suit, first.rank, parse_cards(text))


def down_with_run() -> GameState:
    """Hand 2: Ana is down with eights and the run 4♠ 5♠ 2 7♠."""
    return play(started(hand=2), do.GoDown(2, 0, (*sets("8C 8D 8H"), run("4S", "4S 5S 2D 7S"))))


def from_the_engine() -> Iterator[Problem]:
    fresh = started()
    down = play(fresh, DOWN)
    bought = play(fresh, *[do.Buy(1, 1)] * 3)
    floating = play(down, do.Float(1, 0))
    scored = play(fresh, do.ScoreHand(1, 0, {1: 10, 2: 20}))
    closed = play(fresh, do.CloseGame())
    table = down_with_run()
    low_run = play(started(hand=2), do.GoDown(2, 0, (*sets("8C 8D 8H"), run("3S", "3S 4S 2D 6S"))))
    high_run = play(started(hand=2), do.GoDown(2, 0, (*sets("8C 8D 8H"), run("JS", "JS 2D KS AS"))))
    closed_run = play(started(hand=8), do.GoDownWithoutCards(8, 1), do.GoDown(8, 0, (*sets("8C 8D 8H"), FULL)))
    no_swap, own_off = KATE.replace(wild_swap="off"), KATE.replace(lay_off_own=False)
    asked: list[tuple[GameState, do.Command]] = [
        (GameState(), do.Buy(1, 0)),
        (fresh, do.StartGame(KATE, (0, 1, 2), 0)),
        (GameState(), do.StartGame(KATE, (0, 1), 0)),
        (GameState(), do.StartGame(KATE, tuple(range(9)), 0)),
        (GameState(), do.StartGame(KATE, (0, 1, 1), 7, first_hand=30)),
        (GameState(), do.StartGame(KATE, (0, 1, 2), 0, carried=(-5, 3, 100000))),
        (bought, do.Buy(1, 1)),
        (bought, do.Buy(1, 1, nth=2)),
        (fresh, do.TakeBackBuy(1, 1)),
        (floating, do.Buy(1, 0)),
        (play(started(KATE.replace(buy_when_down=False)), DOWN), do.Buy(1, 0)),
        (fresh, do.Buy(2, 1)),
        (fresh, do.Buy(1, 9)),
        (play(GameState(), do.StartGame(KATE, (0, 1, 2, 3), 0), do.SitOut(1, 1)), do.Buy(1, 1)),
        (down, DOWN),
        (fresh, do.GoDown(1, 0, sets("8S 8S 8H"))),
        (down, do.GoDown(1, 1, sets("8S 8S 8H", "10S 10C 10D"))),
        (fresh, do.TakeBackGoingDown(1, 0)),
        (fresh, do.LayOff(1, 1, 0, parse_card("8C"))),
        (table, do.LayOff(2, 1, 1, parse_card("9H"))),
        (table, do.LayOff(2, 0, 1, parse_card("9H"))),
        (table, do.LayOff(2, 0, 1, parse_card("8?"))),
        (table, do.LayOff(2, 0, 0, parse_card("9H"))),
        (table, do.LayOff(2, 0, 1, parse_card("8S"), "low")),
        (table, do.LayOff(2, 0, 1, parse_card("3S"), "high")),
        (low_run, do.ReplaceWild(2, 0, 1, parse_card("5S"), "low")),
        (high_run, do.ReplaceWild(2, 0, 1, parse_card("QS"), "high")),
        (table, do.ReplaceWild(2, 0, 1, parse_card("9S"))),
        (table, do.ReplaceWild(2, 0, 0, parse_card("8C"))),
        (closed_run, do.ReplaceWild(8, 0, 1, parse_card("9S"))),
        (play(started(no_swap, hand=2), do.GoDown(2, 0, table_melds())), do.ReplaceWild(2, 0, 1, parse_card("6S"))),
        (play(started(own_off, hand=2), do.GoDown(2, 0, table_melds())), do.LayOff(2, 0, 1, parse_card("8S"))),
        (fresh, do.Rearrange(1, 0, (), ())),
        (started(PERU), do.Rearrange(1, 0, (), ())),
        (fresh, do.CorrectMeld(1, 5, None)),
        (down, do.CorrectMeld(1, 0, RUN)),
        (play(started(KATE.replace(extra_melds=True)), DOWN), do.GoDown(1, 0, ())),
        (floating, do.Float(1, 0)),
        (fresh, do.TakeBackFloat(1, 0)),
        (started(KATE.replace(floating=False)), do.Float(1, 0)),
        (fresh, do.SitBackIn(1, 0)),
        (fresh, do.ScoreHand(1, 0, {})),
        (fresh, do.ScoreHand(1, 0, {0: 5, 1: 7, 2: -5})),
        (fresh, do.ScoreHand(1, 0, {1: 300, 2: 0})),
        (fresh, do.ScoreHand(1, 0, {1: 900, 2: 900})),
        (floating, do.ScoreHand(1, 1, {0: 5, 2: 10})),
        (fresh, do.CorrectScore(1, 0, {1: 5, 2: 5})),
        (scored, do.Buy(1, 1)),
        (closed, do.Buy(1, 1)),
        (fresh, do.ReopenGame()),
        (fresh, do.JoinSeat(1)),
        (fresh, do.ReturnToSeat(1)),
        (fresh, do.LeaveSeat(9)),
        (fresh, do.MoveSeats((0, 1))),
        (fresh, do.OverruleRule("cheating", True)),
        (fresh, do.OverruleRule("max_wilds", "many")),
    ]
    for state, order in (*asked, *at_grebber()):
        yield from problems(state, order)
    down = play(started(SHEETS["liverpool"]), do.GoDownWithoutCards(1, 1)).playing
    assert down
    yield from who_takes((1,), 0, down).refused


def at_grebber() -> Iterator[tuple[GameState, do.Command]]:
    plain = play(GameState(), do.StartGame(GREBBER, (0, 1), 0))
    three = play(GameState(), do.StartGame(GREBBER.replace(four_of_a_rank=False), (0, 1), 0))
    chips = play(GameState(), do.StartGame(GREBBER.replace(gambling=True, purse=3), (0, 1), 0))
    wild, anted = play(chips, do.PayChips(1, 0, "turn_wild")), play(chips, do.PayAntes(1))
    poor = play(GameState(), do.StartGame(GREBBER.replace(gambling=True, purse=0), (0, 1), 0))
    laid = ("3sun 3sun 3sun", "3sun 4sun", "3sun 4sun 3wind 4wind", "0sun 2sun 3sun", "0sun 1sun 2sun 5wind 5water")
    for text in laid:
        cards = parse_kruths(text)
        yield plain, do.CountHand(1, (Count(0, kruth_points(cards), 0, cards), Count(1, 0, 5)))
    yield plain, do.CountHand(1, (Count(0, 9, 0, parse_kruths("3sun 4wind 2stone")), Count(1, 0, 5)))
    yield three, do.CountHand(1, (Count(0, 12, 0, tuple(card for card in DECK if card.points == 3)), Count(1, 2, -5)))
    yield plain, do.CountHand(1, (Count(0, 50, 9), Count(1, 40, 9)), 3)
    yield plain, do.CountHand(1, (Count(0, 30, 9), Count(1, 0, 9)), 3)
    yield plain, do.CountHand(1, (Count(0, 30, 9), Count(5, 0, 9)))
    yield plain, do.Buy(1, 0)
    yield plain, do.PayAntes(1)
    yield anted, do.PayAntes(1)
    yield poor, do.PayChips(1, 0, "turn_wild")
    yield chips, do.FillPurse(1, 0)
    yield anted, do.PayChips(1, 0, "use_wild")
    yield wild, do.PayChips(1, 0, "use_wild")
    yield wild, do.PayChips(1, 0, "turn_wild", 1)
    yield wild, do.PayChips(1, 0, "turn_wild")
    yield chips, do.CountHand(1, (Count(0, 1, 0, wilds=parse_kruths("5sun")), Count(1, 0, 5)))
    yield plain, do.CorrectCount(3, ())
    yield (
        plain,
        do.CountHand(1, (Count(0, 12, 4, parse_kruths("3sun 4sun 5sun"), parse_kruths("5wind")), Count(1, 0, 5))),
    )
    yield plain, do.JoinSeat(0)
    yield GameState(), do.StartGame(GREBBER, (0, 1, 2, 3), 0)
    yield GameState(), do.StartGame(GREBBER, (0, 1, 2, 3, 4), 0)
    yield GameState(), do.StartGame(GREBBER, (0,), 0, carried=(100,))


FULL = run("3S", "3S 4S 5S 6S 7S 8S 2D 10S JS QS KS AS")


def table_melds() -> tuple[Meld, ...]:
    return (*sets("8C 8D 8H"), run("4S", "4S 5S 2D 7S"))


def from_laying_down() -> Iterator[Problem]:
    strict = KATE.replace(
        max_wilds=1, naturals_outnumber=True, adjacent_wilds="forbidden", lay_down_size="exact",
        same_rank_sets="forbidden", same_suit_runs="forbidden",
    )  # fmt: skip
    hand = dict(enumerate(KATE.contracts, 1))
    eights = sets("8S 8S 8H")[0]
    yield from lay_down_problems((eights, Meld.set_of(Rank.EIGHT, parse_cards("8C 8D 9D"))), hand[1], strict)
    yield from lay_down_problems((Meld.set_of(Rank.EIGHT, parse_cards("2C 2D 2S")), eights, eights), hand[1], strict)
    yield from lay_down_problems((eights, run("4S", "4S 2S 2H 7S")), hand[2], strict)
    yield from lay_down_problems((eights, run("4S", "4S 2S 7S")), hand[2], KATE)
    yield from lay_down_problems((eights, run("4S", "4S 5? 6S 7S 8S")), hand[2], strict)
    yield from lay_down_problems((eights, run("QS", "QS KS AS 2S")), hand[2], KATE)
    runs = (run("4S", "4S 5S 6S 7S"), run("8S", "8S 9S 10S JS"), run("5H", "5H 9H 7H 8H"))
    yield from lay_down_problems(runs, hand[7], strict)


def from_laying_down_in_the_family() -> Iterator[Problem]:
    eights = sets("8S 8S 8H")[0]
    different = KATE.replace(wild_share="half", wilds_apart=2, set_suits="different")
    yield from lay_down_problems((eights, run("4S", "4S 2S 6S 2H")), KATE.contracts[1], different)
    yield from lay_down_problems((eights, sets("9S 2S 2H")[0]), KATE.contracts[0], different.replace(max_wilds_laid=1))
    touching = (run("4S", "4S 5S 6S 7S"), run("8S", "8S 9S 10S JS"))
    yield from lay_down_problems(touching, SHEETS["liverpool"].contracts[2], SHEETS["liverpool"])
    phases = SHEETS["ten_phases"]
    yield from lay_down_problems([Meld.colour_of(Suit.SPADES, parse_cards("4S 5S 9H"))], phases.contracts[7], phases)
    lies = play(started(KATE.replace(swap_by="not_down")), do.GoDown(1, 0, sets("8C 8D 8H", "9C 9D 9H")))
    yield from problems(lies, do.ReplaceWild(1, 0, 0, parse_cards("8S")[0]))
    closed = dataclasses.replace(lies, rules=lies.rules.replace(lay_off=False))
    yield from problems(closed, do.LayOff(1, 0, 0, parse_cards("8S")[0]))
    deal = SHEETS["three_thirteen"].in_deal(2)
    yield from lay_down_problems([eights], deal.contracts[1], deal)


def from_discards() -> Iterator[Problem]:
    table = (TableMeld(0, 0, RUN, RUN), TableMeld(1, 1, SET, SET))
    for card in FIFTY_TWO:
        for player in (None, 0):
            yield from discard_problems(card, table, player, KATE)
    yield from discard_problems(JOKER, (), None, PERU)


#: Reasons nothing above can meet: the record and the pages make these, with the facts written here.
MADE_ELSEWHERE = (
    Problem(Reason.NOTHING_TO_UNDO, "G9.1"),
    Problem(Reason.NOTHING_TO_REDO, "G9.1"),
    Problem(Reason.AMBIGUOUS, "G3.6", {"readings": (RUN, SET)}),
    Problem(Reason.CARD_FROM_NOWHERE, "P6", {"cards": parse_cards("5S")}, Firmness.TEXT),
    Problem(Reason.CARD_LEFT_OVER, "P6", {"cards": parse_cards("2S")}, Firmness.TEXT),
    Problem(Reason.NATURAL_TAKEN, "P6", {"cards": parse_cards("4C"), "meld": SET, "owner": 0}, Firmness.TEXT),
    Problem(Reason.WILD_TAKEN, "P6", {"cards": parse_cards("2S"), "meld": SET, "owner": 0}, Firmness.TEXT),
    Problem(Reason.MELD_BROKEN, "P6", {"meld": SET, "number": 1, "owner": 0}, Firmness.TEXT),
    Problem(Reason.WILD_WAITING, "P6", {"cards": parse_cards("2S")}, Firmness.TEXT),
    Problem(Reason.NO_STEPS, "P6", {"meld": SET, "now": SET, "number": 1, "owner": 0}, Firmness.TEXT),
    Problem(Reason.BUYS_OWN_DISCARD, "G5.5", {"seat": 0}, Firmness.SILENT, "buy_own_discard"),
)


def all_problems() -> list[Problem]:
    asked = (request_problems(KruthSuit.SUN, KruthRank.KING), request_problems(None, None))
    return [
        *from_the_engine(),
        *(one for found in asked for one in found),
        *from_laying_down(),
        *from_laying_down_in_the_family(),
        *from_discards(),
        *MADE_ELSEWHERE,
    ]


def test_every_reason_is_met_by_a_real_problem() -> None:
    assert set(Reason) - {problem.reason for problem in all_problems()} == set()


def test_every_problem_has_a_sentence_with_its_facts(language: str) -> None:
    for problem in all_problems():
        said = exact_sentence(problem, NAMES)
        assert said.strip()
        assert not LEFT_OVER.search(said), said
        assert said[-1] in ".?!", said


def test_every_reason_has_its_few_words(language: str) -> None:
    for reason in Reason:
        assert 0 < len(wording.short_reason(reason)) < 50


def test_a_problem_without_its_facts_is_a_defect_in_tests(english: None) -> None:
    with pytest.raises(wording.MissingFact, match="DISCARD_REPLACES lacks"):
        wording.sentence(Problem(Reason.DISCARD_REPLACES, "G8.1"), NAMES)


def test_a_table_in_play_gets_the_short_words_instead(app: Flask, english: None) -> None:
    app.testing = False
    assert wording.sentence(Problem(Reason.DISCARD_REPLACES, "G8.1"), NAMES) == "Replaces a wild"


def test_g6_2_the_replaced_wild_and_where_it_would_go(english: None) -> None:
    (problem,) = discard_problems(parse_card("5S"), (TableMeld(0, 0, RUN, RUN),), None, KATE)
    assert wording.sentence(problem, NAMES) == (
        "The 5♠ may not be thrown: it plays, for it would replace the 2 in Ana's run 4♠–6♠. "
        "The 2 would then go to 3♠ or 7♠."
    )


def test_g6_2_the_same_in_portuguese(portuguese: None) -> None:
    (problem,) = discard_problems(parse_card("5S"), (TableMeld(0, 0, RUN, RUN),), None, KATE)
    assert wording.sentence(problem, NAMES) == (
        "A carta 5♠ não pode ser descartada: ela encaixa, pois substituiria o 2 nesta combinação: "
        "a sequência 4♠–6♠ de Ana. O 2 iria então para 3♠ ou 7♠."
    )


def test_g8_3_one_free_end_is_named_alone(english: None) -> None:
    low = Meld.run_from(Suit.SPADES, Rank.THREE, parse_cards("3S 2H 5S"))
    (problem,) = discard_problems(parse_card("4S"), (TableMeld(0, 0, low, low),), None, KATE)
    assert wording.sentence(problem, NAMES).endswith("The 2 would then go to 6♠.")


def test_p8_chips_are_for_the_whole_game(english: None) -> None:
    spent = play(started(PERU), *[do.Buy(1, 1)] * 8)
    (problem,) = problems(spent, do.Buy(1, 1))
    assert wording.sentence(problem, NAMES) == "Bruno has no chip left: there were 8 for the whole game."
    assert wording.buys_left_words(1, PERU) == "1 chip left"
    assert wording.buys_left_words(1, KATE) == "1 buy left"


def test_p8_a_buy_with_a_chip_says_the_two_stock_cards(english: None) -> None:
    state = started(PERU)
    (bought,) = decide(state, do.Buy(1, 1))
    assert wording.event_sentence(bought, NAMES, before=state) == (
        "Bruno bought the discard and takes two cards from the stock (chip 1 of 8)."
    )


def test_a_player_without_a_name_is_this_player(english: None) -> None:
    assert wording.sentence(Problem(Reason.NOT_DOWN, "G7.1", {"seat": 5})).startswith("this player is not down yet")


def test_a_right_to_left_name_is_fenced(english: None) -> None:
    said = wording.sentence(Problem(Reason.ALREADY_DOWN, "G4.2", {"seat": 0}), {0: "שרה"})
    assert said == "\u2068שרה\u2069 is down already."


def test_firmness_tells_the_tables_choice_where_the_rules_are_silent(english: None) -> None:
    table = KATE.replace(buy_when_down=False, wild_swap="off")
    assert wording.firmness_short(Firmness.SILENT, "buy_when_down") == "the written rules are silent"
    assert wording.firmness_in_full(Firmness.SILENT, "buy_when_down", table) == (
        "The written rules are silent here; your table plays “Buying when you are down: no”."
    )
    assert wording.firmness_short(Firmness.KATE, "wild_swap") == "your table’s choice"  # the text has it otherwise
    assert wording.firmness_in_full(Firmness.KATE, "wild_swap", table) == "Your table plays “Replacing a wild: never”."


@pytest.mark.parametrize("firmness", Firmness)
def test_every_firmness_has_words(firmness: Firmness, english: None) -> None:
    assert wording.firmness_name(firmness)
    assert wording.firmness_short(firmness, None) == wording.firmness_name(firmness)
    assert wording.firmness_in_full(firmness, None, KATE).endswith(".")


# --- cards and contracts ---------------------------------------------------------------------------------------------


def test_card_names(english: None) -> None:
    assert wording.card_name(parse_card("5S")) == "five of spades"
    assert wording.card_short(parse_card("10H")) == "10♥"
    assert wording.card_name(JOKER) == "joker"
    assert wording.card_name(parse_card("9?")) == "nine"


def test_card_names_in_portuguese(portuguese: None) -> None:
    assert wording.card_name(parse_card("5S")) == "cinco de espadas"
    assert wording.card_name(parse_card("QD")) == "dama de ouros"
    assert wording.card_name(parse_card("AC")) == "ás de paus"
    assert wording.card_name(parse_card("JH")) == "valete de copas"
    assert wording.card_short(parse_card("QD")) == "Q♦"


def test_52_cards_have_52_names(language: str) -> None:
    assert len({wording.card_name(card) for card in FIFTY_TWO}) == 52


def test_wilds_are_labelled_with_what_they_stand_for(english: None) -> None:
    assert [wording.wild_label(RUN, place) for place in range(3)] == ["4♠", "2 as 5♠", "6♠"]
    assert wording.meld_sentence(SET) == "Set of fours: 4♣, 4♦, 2 as 4"


def test_p3_a_run_round_the_corner_keeps_its_places(english: None) -> None:
    corner = Meld.run_from(Suit.HEARTS, Rank.KING, (*parse_cards("KH"), JOKER, *parse_cards("2H 3H")))
    assert wording.meld_sentence(corner) == "Run K♥–3♥: K♥, joker as A♥, 2♥, 3♥"


def test_g4_1_contracts_in_words(english: None) -> None:
    words = [wording.contract_words(contract) for contract in KATE.contracts]
    assert words[0] == "two sets of three"
    assert words[1] == "a set of three and a run of four"
    assert words[8] == "three sets of three and a run of five"


def test_g4_1_contracts_in_portuguese(portuguese: None) -> None:
    words = [wording.contract_words(contract) for contract in KATE.contracts]
    assert words[0] == "duas trincas"
    assert words[1] == "uma trinca e uma sequência de quatro"
    assert words[2] == "dois grupos de quatro"
    assert words[6] == "três sequências de quatro"


def test_g4_6_the_warnings_before_a_hand(english: None) -> None:
    said = {number: wording.contract_warnings(contract, KATE) for number, contract in enumerate(KATE.contracts, 1)}
    assert said[6] == ()
    assert said[7] == ("Going down without a buy leaves no card to discard: you then float.",)
    assert said[8] == ("Nobody can go down without at least 1 buy.",)
    assert said[9] == (
        "Nobody can go down without at least 1 buy.",
        "Going down with only 1 buy leaves no card to discard: you then float.",
    )
    assert said[10] == ("Nobody can go down without at least 2 buys.",)


# --- entries ---------------------------------------------------------------------------------------------------------


def sample_events() -> list[ev.Event]:
    made: list[ev.Event] = [
        ev.GameStarted(KATE, (0, 1, 2), 0), ev.GameStarted(KATE, (0, 1, 2), 1, 4, (0, 5, 10)), ev.Bought(1, 0),
        ev.BuyTakenBack(1, 0), ev.WentDown(1, 0, (SET,)), ev.WentDownWithoutCards(1, 1),
        ev.LaidOff(1, 0, 0, parse_card("4H"), None, SET),
        ev.WildReplaced(1, 0, 0, parse_card("5S"), parse_card("2H"), "high", RUN),
        ev.WildReplaced(1, 0, 0, parse_card("5S"), parse_card("2H"), "hand", RUN),
        ev.Rearranged(1, 0, (), ((0, RUN),), (SET,)),
        ev.MeldCorrected(1, 0, None), ev.MeldCorrected(1, 0, RUN), ev.MeldCorrected(1, 0, RUN, (), (0, 1)),
        ev.GoingDownTakenBack(1, 0), ev.Floated(1, 0), ev.FloatTakenBack(1, 0), ev.SatOut(1, 0), ev.SatBackIn(1, 0),
        ev.HandScored(1, 0, {0: 0, 1: 5, 2: 45}), ev.HandScored(1, None, {0: 5, 1: 5, 2: 45}),
        ev.ScoreCorrected(1, 0, {0: 0, 1: 5}), ev.ScoreCorrected(1, None, {0: 5, 1: 5}), ev.HandDealtAnew(1),
        *(ev.ChipsPaid(1, what, {0: 1}) for what in ("ante", "greb", "turn_wild", "use_wild", "of tomorrow")),
        ev.ChipsPaid(1, "ante", {}), ev.ChipsPaid(1, "greb", {0: 0}), ev.ChipsPaid(1, "use_wild", {0: 1, 1: -1}),
        ev.PurseFilled(1, 0, 20),
        ev.HandScored(1, 0, {0: 6}, counts=(Count(0, 12, 6),)), ev.ScoreCorrected(1, 0, {0: 6}, counts=(Count(0, 12, 6),)),
        ev.SeatJoined(2, 45, 2), ev.SeatLeft(0), ev.SeatReturned(0), ev.SeatsMoved((2, 0, 1)), ev.DealerSet(1, 0),
        ev.RuleOverruled("max_wilds", 2), ev.RuleOverruled("a rule of tomorrow", True), ev.GameClosed(),
        ev.GameReopened(), ev.HandResumed(), ev.CarriedCorrected({0: 45, 2: 5}), ev.GameDiscarded(),
        ev.Undone(3), ev.Redone(3), ev.DoneTogether((ev.FloatTakenBack(1, 0), ev.DealerSet(1, 0))),
    ]  # fmt: skip
    return made


def test_every_kind_of_entry_has_a_sentence(language: str) -> None:
    assert {type(event) for event in sample_events()} == set(get_args(ev.Event))
    for event in sample_events():
        said = wording.event_sentence(event, NAMES)
        assert said.endswith(".")
        assert not LEFT_OVER.search(said), said


def test_a_buy_says_which_of_how_many(english: None) -> None:
    before = play(started(), do.Buy(1, 0))
    assert wording.event_sentence(ev.Bought(1, 0), NAMES, before=before) == "Ana bought a card (2 of 3)."


def test_an_undo_names_what_it_took_back(english: None) -> None:
    said = wording.event_sentence(ev.Undone(7), NAMES, target=ev.Floated(1, 1))
    assert said == "Undone, entry 7: Bruno floats."


def test_a_laid_off_card_names_the_owner(english: None) -> None:
    before = down_with_run()
    (event,) = decide(play(before, do.GoDownWithoutCards(2, 1)), do.LayOff(2, 1, 1, parse_card("8S")))
    said = wording.event_sentence(event, NAMES, before=before)
    assert said == "Bruno laid off the 8♠. The meld is now Ana's run 4♠–8♠."


# --- switches --------------------------------------------------------------------------------------------------------

STRUCTURE = {
    "sheet", "contracts", "wild_ranks", "points", "buys", "next_player_pays", "buy_unit",
    "deals", "packs", "red_ace", "list_name",
}  # fmt: skip


def test_every_switch_of_the_rules_has_a_label_and_help(language: str) -> None:
    fields = {field.name for field in dataclasses.fields(Rules)} - STRUCTURE
    assert fields == set(wording.switch_names())
    for name in fields:
        assert wording.switch_label(name).strip()
        assert wording.switch_help(name).endswith((".", "?"))


def switch_values() -> Iterator[tuple[str, object]]:
    for field in dataclasses.fields(Rules):
        if field.name in STRUCTURE:
            continue
        yield from ((field.name, word) for word in get_args(field.type) if isinstance(word, str))
        yield from ((field.name, getattr(rules, field.name)) for rules in SHEETS.values())
        if field.type is bool:
            yield from ((field.name, value) for value in (True, False))
    yield from (("max_wilds", value) for value in (None, 1, 2, 3))


def test_every_value_of_every_switch_has_words(language: str) -> None:
    for name, value in switch_values():
        said = wording.switch_value(name, value)
        assert said.strip()
        assert "_" not in said


def test_every_sheet_has_a_name(language: str) -> None:
    assert len({wording.sheet_name(sheet) for sheet in SHEETS}) == len(SHEETS)


def test_every_form_error_has_a_sentence(language: str) -> None:
    facts = {"limit": 30, "name": "Ana", "least": 3, "most": 8, "text": "13X", "cards": 12, "typed": 13}
    facts |= {"players": 6, "hand": 2, "dealt": 18}
    for code, message in wording.form_error.__globals__["_MESSAGES"].items():
        said = wording.form_error(code, **{name: facts[name] for name in message.__code__.co_varnames})
        assert said.endswith(".")
        assert not LEFT_OVER.search(said)


# --- the rules page's content ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("sheet", SHEETS)
def test_the_rulebook_has_every_number_a_verdict_names(sheet: str, language: str) -> None:
    numbers = [rule.number for rule in book.rulebook(SHEETS[sheet])]
    assert len(set(numbers)) == len(numbers)
    own = {"peru": "GP", "grebber": "K"}.get(sheet, "G")
    named = {problem.rule for problem in all_problems() if problem.rule[0] in own}
    left_out = NOT_IN_PERU if sheet == "peru" else set()
    assert named - set(numbers) == left_out & named


def test_the_rulebook_of_peru_does_not_contradict_itself(english: None) -> None:
    rules = {rule.number: rule for rule in book.rulebook(PERU)}
    text = " ".join(rule.text for rule in rules.values())
    for said in ("for nothing", "on top of the discards", "two more for every buy", "every card may be discarded",
                 "floating player", "Who floats", "how-to", "A 2 turned up stays"):  # fmt: skip
        assert said not in text
        assert said == "every card may be discarded" or said in " ".join(r.text for r in book.rulebook(KATE))
    assert "nobody" in rules["P8"].text.lower()
    assert {rule.firmness for rule in rules.values() if rule.number[0] == "P"} == {Firmness.TEXT}
    assert not {"naturals_outnumber", "adjacent_wilds", "min_naturals"} & {
        s for rule in rules.values() for s in rule.switches
    }


@pytest.mark.parametrize("sheet", SHEETS)
def test_every_rule_has_a_text_and_a_chapter(sheet: str, language: str) -> None:
    for rule in book.rulebook(SHEETS[sheet]):
        assert rule.title
        assert rule.text.endswith(".")
        assert not LEFT_OVER.search(rule.text), rule.text
        assert book.chapter_title(rule.chapter)


def test_a_changed_switch_changes_the_text_of_its_rule(english: None) -> None:
    changed = {
        "min_naturals": 2, "max_wilds": 2, "naturals_outnumber": True, "adjacent_wilds": "forbidden",
        "lay_down_size": "exact", "extra_melds": True, "same_rank_sets": "forbidden", "same_suit_runs": "forbidden",
        "buy_priority": "first_call", "buy_own_discard": True, "buy_when_down": False, "discard_ban": False,
        "own_melds_count": False, "dead_hand": "discard_lowest", "bad_discard": "take_back_plus_two",
        "lay_off_own": False, "lay_off_same_turn": False, "must_discard_to_go_out": False, "stock_out": "end_hand",
        "wild_swap": "off", "freed_wild": "hand", "late_joiner": "zero", "floating": False,
    }  # fmt: skip
    plain = [rule.text for rule in book.rulebook(KATE)]
    for name, value in changed.items():
        assert [rule.text for rule in book.rulebook(KATE.replace(**{name: value}))] != plain, name


def test_g2_3_the_card_values(english: None) -> None:
    assert book.card_values(KATE) == (
        ("threes, fours, fives, sixes, sevens, and eights", "5 points"),
        ("nines, tens, jacks, queens, and kings", "10 points"),
        ("aces", "15 points"),
        ("twos", "20 points"),
    )


def test_g4_1_the_ten_hands(language: str) -> None:
    hands = book.hands(KATE)
    assert [hand.needed for hand in hands] == [6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    assert [hand.buys for hand in hands] == [3] * 9 + [4]


def test_what_now_for_a_first_night(english: None) -> None:
    assert wording.what_now(KATE, "Ana", "Bruno") == (
        "Shuffle 2 decks together. Ana deals 11 cards to everybody and turns one up. Bruno starts."
    )


def test_kinds_have_names(language: str) -> None:
    assert wording.kind_name(Kind.SET) != wording.kind_name(Kind.RUN)

"""The reason is the true one: what names a switch goes with another value of it; what is written goes with none.

Over random states of every game, and every command and question: melds, contracts, discards, going down, laying off,
replacing, buying, floating, scores, Grebber's counts and chips.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from companion.pages.referee import contract_faults, meld_faults
from companion.referee import commands as c
from companion.referee.cards import FIFTY_TWO, JOKER, Card, Rank, Suit, parse_card, parse_cards
from companion.referee.engine import decide, evolve, problems
from companion.referee.games import EHOW, GREBBER, KATE, LIVERPOOL, PERU, SHEETS, game_of
from companion.referee.grebber import Count, request_problems
from companion.referee.kruth import DECK, KruthRank, KruthSuit, kruth_points, laid_problems
from companion.referee.kruth import meld_problems as kruth_problems
from companion.referee.likely import likely_melds
from companion.referee.melds import meld_problems
from companion.referee.readings import readings
from companion.referee.reasons import Firmness, Problem
from companion.referee.rules import BadRules, Rules
from companion.referee.state import GameState, TableMeld
from companion.referee.switches import SWITCHES
from companion.referee.table import cards_of, copies_problems, discard_problems
from tests.referee.nights import random_night, some_command, some_meld
from tests.thorough import thorough

WRITTEN = {Firmness.KATE, Firmness.LOGIC, Firmness.TEXT}
TABLES = (
    KATE, EHOW, LIVERPOOL, PERU, KATE.replace(extra_melds=True), KATE.replace(max_wilds=1),
    KATE.replace(naturals_outnumber=True), KATE.replace(adjacent_wilds="forbidden"), KATE.replace(lay_down_size="exact"),
    KATE.replace(naturals_outnumber=True, adjacent_wilds="forbidden"), KATE.replace(max_wilds=1, own_melds_count=False),
)  # fmt: skip

Check = Callable[[Rules], Sequence[Problem]]


def silent(rules: Rules) -> list[str]:
    """The silent switches of a game, the number of packs excepted."""
    family = game_of(rules).family
    return [
        name
        for name, switch in SWITCHES.items()
        if switch.firmness is Firmness.SILENT and family in switch.families and name != "decks"
    ]


def under(check: Check, rules: Rules, switch: str) -> list[Sequence[Problem]]:
    """What is refused with each other value of a switch."""
    answers = []
    for value in SWITCHES[switch].values:
        try:
            other = rules.replace(**{switch: value})
        except BadRules:
            continue
        if other != rules:
            answers.append(check(other))
    return answers


def assert_true(check: Check, rules: Rules, asked: object) -> None:
    """Every reason that the check gives is the true one."""
    found = check(rules)
    family = game_of(rules).family
    for problem in found:
        if problem.switch in SWITCHES and family in SWITCHES[problem.switch].families:
            left = [[p.reason for p in answer].count(problem.reason) for answer in under(check, rules, problem.switch)]
            assert min(left) < [p.reason for p in found].count(problem.reason), (asked, problem)
        assert problem.rule[0] in {"peru": "PG", "grebber": "KG"}.get(game_of(rules).key, "G"), (asked, problem)
    if any(problem.firmness in WRITTEN and problem.switch is None for problem in found):
        legal = [name for name in silent(rules) if any(not answer for answer in under(check, rules, name))]
        assert legal == [], (asked, found)


def command_check(state: GameState, command: c.Command) -> Check:
    def check(rules: Rules) -> Sequence[Problem]:
        scores = tuple(replace(score, rules=rules) for score in state.scores)  # an old hand keeps the rules it had
        return problems(replace(state, rules=rules, scores=scores), command)

    return check


# --- Gripe, the game from Peru, Liverpool rummy ------------------------------------------------------------------------


def wild_on_a_meld(rng: Random, state: GameState) -> c.Command:
    """A wild laid off, or a card in a wild's place, on one of the melds there are."""
    if state.hand is None or not state.hand.melds:
        return some_command(rng, state)
    hand, seat, on = state.hand, rng.choice(sorted(state.hand.down) or state.dealt_in), rng.choice(state.hand.melds)
    wilds = on.meld.wild_positions()
    if wilds and on.meld.low is not None and rng.random() < 0.3:
        return c.ReplaceWild(hand.number, seat, on.number, on.meld.stands_for(wilds[0]))
    return c.LayOff(hand.number, seat, on.number, parse_card("2H"), rng.choice((None, "low", "high")))


@given(st.randoms(use_true_random=False), st.sampled_from(TABLES))
@thorough(30, 400)
def test_every_reason_against_a_command_is_the_true_one(rng: Random, rules: Rules) -> None:
    state = random_night(rng, 40, rules).state
    for _ in range(30):
        command = rng.choice((some_command, wild_on_a_meld))(rng, state)
        assert_true(command_check(state, command), state.rules, command)


def some_cards(rng: Random, count: int, rules: Rules) -> tuple[Card, ...]:
    """Cards that are nearly a set or nearly a run, with wilds among them."""
    suit, low = rng.choice(list(Suit)), rng.randint(2, 12)
    near = [Card(Rank(rank), suit) for rank in range(low, min(15, low + 5))]
    pool = rng.choice(([Card(Rank(low), each) for each in Suit], near, near, FIFTY_TWO))
    wilds = [*parse_cards("2S 2H 2D 2C"), *[JOKER] * bool(rules.jokers)]
    return tuple(rng.choice(wilds if rng.random() < 0.3 else pool) for _ in range(count))


def some_rules(rng: Random) -> Rules:
    """The rules of some table, of any sheet, with some switches turned."""
    rules = rng.choice((*TABLES, *[sheet for sheet in SHEETS.values() if sheet.contracts]))
    for name in rng.sample(sorted(SWITCHES), 3):
        if game_of(rules).family in SWITCHES[name].families:
            with suppress(BadRules):
                rules = rules.replace(**{name: rng.choice(SWITCHES[name].values)})
    return rules


def is_a_meld(cards: Sequence[Card]) -> Check:
    return lambda rules: copies_problems(cards, rules) or (() if readings(cards, rules) else meld_faults(cards, rules))


@given(st.randoms(use_true_random=False))
@thorough(150, 700)
def test_every_reason_against_a_meld_or_a_contract_is_the_true_one(rng: Random) -> None:
    rules = some_rules(rng)
    cards, meld = some_cards(rng, rng.randint(1, 7), rules), some_meld(rng)
    assert_true(is_a_meld(cards), rules, cards)
    assert_true(lambda other: meld_problems(meld, other), rules, meld)
    contract = rng.choice(rules.contracts)
    groups = [some_cards(rng, slot.size + rng.choice((0, 0, 0, 1, -1)), rules) for slot in contract.slots]
    groups += [some_cards(rng, 3, rules)] * (rng.random() < 0.2)
    assert_true(lambda other: contract_faults(groups, contract, other), rules, groups)


def test_what_only_a_limit_on_wilds_forbids_is_refused_for_that_alone() -> None:
    for text, rules, rule in (
        ("KH 2D AH 2S", KATE.replace(max_wilds=1), "G3.4"),  # as J Q K A
        ("5S 2C 7S 2C 8S 2H", KATE.replace(naturals_outnumber=True), "G3.4"),
        ("2C 9H QH 2C", KATE.replace(naturals_outnumber=True), "G3.4"),
    ):
        assert [problem.rule for problem in meld_faults(parse_cards(text), rules)] == [rule]
    wilds = [parse_cards("5H 5S 5C"), parse_cards("2C 2D 2H 2S")]  # hand 2: the wilds stand for the run
    assert [problem.rule for problem in contract_faults(wilds, KATE.contracts[1], KATE)] == ["G3.3"]
    assert [str(meld) for meld in likely_melds(parse_cards("4S 5S 7S"), KATE)][:1] == ["4S 5S 7S"]  # that is no run


@given(st.randoms(use_true_random=False))
@thorough(60, 600)
def test_every_reason_against_a_discard_is_the_true_one(rng: Random) -> None:
    rules, melds = some_rules(rng), list[TableMeld]()
    for _ in range(8):
        found = readings(some_cards(rng, rng.randint(3, 6), rules), rules)
        melds += [TableMeld(len(melds), rng.randint(0, 2), meld, meld) for meld in found[:1]]
    for card in rng.sample(cards_of(rules), 20):
        for player in (None, 0):
            assert_true(lambda other: discard_problems(card, melds, player, other), rules, (card, melds))  # noqa: B023


def test_g6_5_a_2_that_a_limit_on_wilds_would_keep_off_stays_by_the_tables_choice() -> None:
    nines = readings(parse_cards("9S 9H 2D"), KATE)[0]
    on = [TableMeld(0, 1, nines, nines)]
    (stays,) = discard_problems(parse_card("2C"), on, None, KATE)
    assert (stays.rule, stays.firmness, stays.switch) == ("G6.5", Firmness.SILENT, "max_wilds")
    (natural,) = discard_problems(parse_card("9C"), on, None, KATE)
    assert (natural.rule, natural.firmness, natural.switch) == ("G6.2", Firmness.LOGIC, None)


# --- Grebber ---------------------------------------------------------------------------------------------------------


def some_count(rng: Random, seat: int) -> Count:
    laid = tuple(rng.sample(DECK, rng.randint(0, 5))) if rng.random() < 0.4 else ()
    held = tuple(rng.sample(DECK, rng.randint(0, 2))) if rng.random() < 0.3 else ()
    wilds = tuple(rng.choices(DECK, k=rng.choice((0, 0, 0, 1, 2))))
    points = kruth_points(laid) if laid and rng.random() < 0.9 else rng.choice((0, 4, 7, 8, 9, 11, 12, 15, 70))
    return Count(seat, points, kruth_points(held) if held else rng.choice((0, 4, 9, -1)), laid, held, wilds)


def grebber_command(rng: Random, state: GameState) -> c.Command:
    hand = state.hand.number if state.hand and rng.random() < 0.9 else 7
    counts = tuple(some_count(rng, seat) for seat in rng.choice((state.dealt_in, state.dealt_in, (0,), (0, 0, 5))))
    makers: Sequence[Callable[[], c.Command]] = (
        lambda: c.CountHand(hand, counts, rng.choice((None, None, 0, 20))), lambda: c.CorrectCount(rng.choice((1, hand)), counts),
        lambda: c.PayAntes(hand), lambda: c.FillPurse(hand, rng.choice((0, 1, 9))),
        lambda: c.PayChips(hand, rng.choice((0, 1, 9)), rng.choice(("greb", "turn_wild", "use_wild", "ante")), rng.choice((None, 1))),
        lambda: c.Buy(hand, 0), lambda: c.JoinSeat(rng.choice((2, 3, -1))), lambda: c.LeaveSeat(rng.choice((0, 2))),
        lambda: c.SitOut(hand, 1), lambda: c.SitBackIn(hand, 1), lambda: c.OverruleRule("gambling", rng.choice((True, 5))),
        lambda: c.CloseGame(), lambda: c.ReopenGame(), lambda: c.MoveSeats((1, 0)), lambda: c.DealAnew(hand),
    )  # fmt: skip
    return rng.choice(makers)()


@given(st.randoms(use_true_random=False))
@thorough(60, 600)
def test_every_reason_in_grebber_is_the_true_one(rng: Random) -> None:
    values = {name: rng.choice(switch.values) for name, switch in SWITCHES.items() if "grebber" in switch.families}
    rules = GREBBER.replace(**values)
    state = evolve(GameState(), decide(GameState(), c.StartGame(rules, (0, 1, 2)[: rng.choice((2, 3))], 0))[0])
    for _ in range(25):
        command = grebber_command(rng, state)
        assert_true(command_check(state, command), state.rules, command)
        if not problems(state, command):
            state = evolve(state, decide(state, command)[0])
    cards = rng.choice(
        (tuple(rng.choices(DECK, k=rng.randint(1, 6))), tuple(c for c in DECK if c.points == 3)[: rng.randint(2, 4)])
    )
    assert_true(lambda other: kruth_problems(cards, other), rules, cards)
    assert_true(lambda other: laid_problems(cards, other), rules, cards)
    suit, rank = rng.choice((None, *KruthSuit)), rng.choice((None, *KruthRank))
    assert_true(lambda _: request_problems(suit, rank), rules, (suit, rank))
    seats = tuple(range(rng.choice((1, 4, 5))))
    start = c.StartGame(rules, seats, 0)
    assert_true(lambda other: problems(GameState(), replace(start, rules=other)), rules, seats)

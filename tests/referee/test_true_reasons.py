"""The reason is the true one: what names a switch goes with another value of it; what is written goes with none."""

from dataclasses import replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from companion.referee import commands as c
from companion.referee.cards import parse_card
from companion.referee.engine import problems
from companion.referee.games import KATE, PERU, game_of
from companion.referee.reasons import Firmness, Problem
from companion.referee.rules import BadRules, Rules
from companion.referee.state import GameState
from companion.referee.switches import SWITCHES
from tests.referee.nights import random_night, some_command
from tests.thorough import thorough

WRITTEN = {Firmness.KATE, Firmness.LOGIC, Firmness.TEXT}
TABLES = (
    KATE, PERU, KATE.replace(extra_melds=True), KATE.replace(max_wilds=1), KATE.replace(naturals_outnumber=True),
    KATE.replace(adjacent_wilds="forbidden"), KATE.replace(naturals_outnumber=True, adjacent_wilds="forbidden"),
)  # fmt: skip


def under(state: GameState, command: c.Command, switch: str) -> list[tuple[Problem, ...]]:
    """What is refused with each other value of a switch."""
    answers = []
    for value in SWITCHES[switch].values:
        try:
            rules = state.rules.replace(**{switch: value})
        except BadRules:
            continue
        if rules != state.rules:
            answers.append(problems(replace(state, rules=rules), command))
    return answers


def silent(rules: Rules) -> list[str]:
    family = game_of(rules).family
    return [
        name
        for name, switch in SWITCHES.items()
        if switch.firmness is Firmness.SILENT and family in switch.families and name != "decks"
    ]


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
def test_every_reason_is_the_true_one(rng: Random, rules: Rules) -> None:
    state = random_night(rng, 40, rules).state
    for _ in range(30):
        command = rng.choice((some_command, wild_on_a_meld))(rng, state)
        found = problems(state, command)
        if not found:
            continue
        for problem in found:
            if problem.firmness is Firmness.SILENT and problem.switch in silent(state.rules):
                left = [
                    [p.reason for p in answer].count(problem.reason) for answer in under(state, command, problem.switch)
                ]
                assert min(left) < [p.reason for p in found].count(problem.reason), (command, problem)
        if any(problem.firmness in WRITTEN and problem.switch is None for problem in found):
            legal = [name for name in silent(state.rules) if () in under(state, command, name)]
            assert legal == [], (command, found)

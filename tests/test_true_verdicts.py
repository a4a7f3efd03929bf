"""The tags of a verdict are true, and the pages show them: what is silent turns with the table's choice, what is written does not."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.pages.referee import about_contract, about_hand, about_meld, discard_sheet
from companion.pages.verdicts import Tag, Verdict
from companion.referee.cards import format_cards
from companion.referee.games import EHOW, KATE, PERU
from companion.referee.readings import readings
from companion.referee.rules import Rules
from companion.referee.state import TableMeld
from companion.referee.table import cards_of
from tests.referee.test_true_reasons import silent, some_cards, some_rules, under
from tests.thorough import IN_CI

Ask = Callable[[Rules], Verdict]
#: What is said beside the verdict, whatever the verdict is: the exception, and what "directly" means.
BESIDE = {"G6.3", "G6.6"}


def asked(rng: Random, rules: Rules) -> tuple[str, dict[str, str], Ask]:
    """One of the four questions: its page, what is typed there, and its answer."""
    number = rng.randint(1, len(rules.contracts))
    contract, hand = rules.contracts[number - 1], {"hand": str(number)}
    cards = some_cards(rng, rng.randint(1, 7), rules)
    groups = [some_cards(rng, slot.size + rng.choice((0, 0, 1)), rules) for slot in contract.slots]
    lines = "\n".join(map(format_cards, groups))
    laid = [meld for meld in readings(cards, rules) if len(readings(cards, rules)) == 1]
    thrown = rng.choice(cards_of(rules))
    on = [TableMeld(0, 0, meld, meld) for meld in laid]
    questions: list[tuple[str, dict[str, str], Ask]] = [
        ("meld", {"cards": format_cards(cards)}, lambda other: about_meld(cards, other)),
        ("contract", hand | {"groups": lines}, lambda other: about_contract(groups, number, other)),
        (
            "hand",
            hand | {"cards": " ".join(lines.split("\n"))},
            lambda other: about_hand(sum(groups, ()), number, other),
        ),
    ]
    if laid:
        typed = {"groups": str(laid[0]), "card": str(thrown)}
        questions.append(("discard", typed, lambda other: _thrown(other, on, thrown)))
    return rng.choice(questions)


def _thrown(rules: Rules, on: list[TableMeld], card: object) -> Verdict:
    verdict = discard_sheet(on, card, rules).verdict  # type: ignore[arg-type]
    assert verdict
    return verdict


def is_turned(ask: Ask, rules: Rules) -> bool:
    """Whether another value of a silent switch turns the verdict round."""
    now = ask(rules).kind == "bad"
    answers = [answer for name in silent(rules) for answer in under(ask, rules, name)]  # type: ignore[arg-type]
    return any((answer.kind == "bad") is not now for answer in answers)  # type: ignore[attr-defined]


@pytest.mark.parametrize("part", range(4))
def test_the_tags_of_a_verdict_are_true(app: Flask, part: int) -> None:
    with app.test_request_context():
        for seed in range(part, 480 if IN_CI else 120, 4):
            rng = Random(seed)
            rules = some_rules(rng)
            assert_tags_are_true(*asked(rng, rules), rules)


def assert_tags_are_true(question: str, typed: dict[str, str], ask: Ask, rules: Rules) -> None:
    verdict, turned = ask(rules), is_turned(ask, rules)
    tags = tags_of(verdict)
    assert tags, (question, typed)
    assert len({tag.rule for tag in tags}) == len(tags), (question, typed, tags)  # no number twice
    firm = {tag.firm for tag in tags if tag.rule not in BESIDE}
    if verdict.kind != "bad":
        assert (verdict.kind == "doubt") >= turned, (question, typed, rules)
        assert ("the written rules are silent" in firm) is turned, (question, typed, tags)
    elif turned:
        assert any("silent" in words for words in firm), (question, typed, tags)


def tags_of(verdict: Verdict) -> list[Tag]:
    return [*(why.tag for why in verdict.reasons), *verdict.tags]


def test_a_page_shows_the_tags_of_its_verdict(app: Flask, client: FlaskClient) -> None:
    for seed in range(200 if IN_CI else 30):
        rng = Random(seed)
        rules = rng.choice((KATE, EHOW))
        question, typed, ask = asked(rng, rules)
        with app.test_request_context():
            tags = tags_of(ask(rules))
        page = client.get(f"/referee/{question}", query_string={**typed, "sheet": rules.sheet}).text
        shown = re.findall(r'<details class="basis"><summary>(.*?)</summary>', page)
        assert shown == [f"{tag.rule} · {tag.firm}" for tag in tags], (question, typed)
        assert all(page.count(f'/rules?sheet={rules.sheet}#{tag.rule}"') == 1 for tag in tags)


def test_every_tag_of_peru_is_peru_s(app: Flask) -> None:
    rng = Random(8)
    with app.test_request_context():
        verdicts = [asked(rng, PERU)[2](PERU) for _ in range(200)]
    tags = {tag.rule for verdict in verdicts for tag in tags_of(verdict)}
    assert {rule for rule in tags if rule[0] != "P"} <= {
        "G3.2",
        "G3.6",
        "G4.5",
    }  # silent or logic: Peru's text has none
    assert {"P3", "P4", "P5"} <= tags

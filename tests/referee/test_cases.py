"""The checked cases: every one answered right, by the product and by the oracle."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.referee.protocol import answer
from tests.referee import oracle
from tests.referee.oracle_compare import comparable, witness_fault
from tests.thorough import one_in

CASES = [json.loads(line) for line in (Path(__file__).parent / "data" / "referee.jsonl").read_text().splitlines()]
KINDS = ("meld", "table", "laydown", "godown", "best")


def of_kind(kind: str) -> list[dict[str, Any]]:
    return [case for case in CASES if case["type"] == kind]


def test_all_cases_are_here() -> None:
    assert len(CASES) == 1077
    assert {kind: len(of_kind(kind)) for kind in KINDS} == {
        "meld": 231, "table": 211, "laydown": 100, "godown": 452, "best": 83,
    }  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_the_product_answers_every_case(kind: str) -> None:
    wrong = []
    for case in of_kind(kind):
        given = {key: case[key] for key in ("id", "type", "in", "rules")}
        got = answer(given)
        assert got["id"] == case["id"]
        if "error" in got or comparable(kind, got["out"]) != comparable(kind, case["out"]):
            wrong.append((case["id"], got))
    assert not wrong, f"{len(wrong)} wrong, the first: {wrong[0]}"


def test_every_witness_is_a_way_down() -> None:
    faults = {case["id"]: witness_fault(case, answer(case)["out"]) for case in of_kind("godown")}
    assert not {number: fault for number, fault in faults.items() if fault}


def test_the_witness_check_accepts_the_cases_own_witnesses() -> None:
    faults = {case["id"]: witness_fault(case, case["out"]) for case in of_kind("godown")}
    assert not {number: fault for number, fault in faults.items() if fault}


@pytest.mark.parametrize("kind", KINDS)
def test_the_oracle_answers_every_case(kind: str) -> None:
    wrong = [
        case["id"]
        for case in one_in(10, of_kind(kind))
        if comparable(kind, oracle.answer(case)) != comparable(kind, case["out"])
    ]
    assert not wrong

"""The product against the oracle: five questions of Gripe under every switch, three of Peru."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import event, given, target

from companion.referee.protocol import answer
from tests.referee import oracle, oracle_peru
from tests.referee import strategies as make
from tests.referee.oracle_compare import comparable, witness_fault
from tests.thorough import thorough


def check(request: dict[str, Any]) -> None:
    kind = request["type"]
    expected = (oracle_peru if request.get("sheet") == "peru" else oracle).answer(request)
    event(str(expected.get("ok", expected.get("can", expected.get("end")))))
    got = answer(request)
    assert "error" not in got, f"{got} to {json.dumps(request)}"
    assert comparable(kind, got["out"]) == comparable(kind, expected), json.dumps(request)
    if kind == "godown":
        assert witness_fault(request, got["out"]) is None, json.dumps(request)


@thorough(300, in_ci=4000)
@given(make.meld_requests())
def test_meld(request: dict[str, Any]) -> None:
    check(request)


@thorough(200, in_ci=3000)
@given(make.table_requests())
def test_table(request: dict[str, Any]) -> None:
    check(request)


@thorough(200, in_ci=3000)
@given(make.laydown_requests())
def test_laydown(request: dict[str, Any]) -> None:
    check(request)


@thorough(200, in_ci=3000)
@given(make.godown_requests())
def test_godown(request: dict[str, Any]) -> None:
    target(sum(map(oracle.is_wild, request["in"]["hand"])), label="wilds")
    check(request)


@thorough(150, in_ci=1200)
@given(make.best_requests())
def test_best(request: dict[str, Any]) -> None:
    check(request)


@thorough(100, in_ci=1000)
@given(make.peru_meld_requests())
def test_peru_meld(request: dict[str, Any]) -> None:
    check(request)


@thorough(100, in_ci=1000)
@given(make.peru_laydown_requests())
def test_peru_laydown(request: dict[str, Any]) -> None:
    check(request)


@thorough(100, in_ci=1000)
@given(make.peru_godown_requests())
def test_peru_godown(request: dict[str, Any]) -> None:
    check(request)

"""The rules page: every rule has its anchor, in both languages; an unknown sheet is a plain 404."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.referee.games import EHOW, KATE, SHEETS
from companion.wording import contract_warnings, rulebook


@pytest.mark.parametrize(("language", "title"), [("en", "Going out"), ("pt", "Bater")])
def test_every_number_is_an_anchor(client: FlaskClient, language: str, title: str) -> None:
    page = client.get("/rules", headers={"Accept-Language": language}).get_data(as_text=True)
    anchors = re.findall(r'id="(G\d\.\d+a?)"', page)
    assert len(anchors) == len(set(anchors)) == 47
    assert title in page
    assert len(re.findall("<h1", page)) == 1


@pytest.mark.parametrize("sheet", SHEETS)
def test_every_sheet_has_its_page_and_marks_itself(client: FlaskClient, sheet: str) -> None:
    answer = client.get(f"/rules?sheet={sheet}")
    assert answer.status_code == 200
    assert f'sheet={sheet}" aria-current="page"' in answer.get_data(as_text=True)


@pytest.mark.parametrize("sheet", ["", "nothing", "<script>", "１"])
def test_an_unknown_sheet_is_not_found(client: FlaskClient, sheet: str) -> None:
    assert client.get("/rules", query_string={"sheet": sheet}).status_code == 404


def test_nobody_is_told_of_floating_where_the_last_card_ends_the_hand(app: Flask) -> None:
    """G7.3 and G7.4 agree, and the warning of hand 7 with both (found by adding a game)."""
    with app.test_request_context("/"):
        texts = {rules.sheet: {rule.number: rule.text for rule in rulebook(rules)} for rules in (KATE, EHOW)}
        warned = {rules.sheet: contract_warnings(rules.contracts[6], rules) for rules in (KATE, EHOW)}
    assert "floats" in texts["kate"]["G7.3"]
    assert texts["ehow"]["G7.3"] == "Nobody floats at this table."
    assert any("float" in said for said in warned["kate"])
    assert warned["ehow"] == ()

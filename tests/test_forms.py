"""The fields of forms: what each takes, what it says of anything else, and that everything typed is kept."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from werkzeug.datastructures import MultiDict

import companion
from companion.forms.cards import Cards, Groups
from companion.forms.fields import KEPT, ROWS_KEPT, BySeat, Choice, Field, Form, Name, Rows, Several, Sum, Whole


class Everything(Form):
    """A field of every kind."""

    text = Field("Text", hint="Any")
    name = Name("Name")
    number = Whole("Number", least=1, most=99, default=7)
    sum = Sum("Sum", most=lambda form: 60)
    choice = Choice("Choice", options=(("a", "A"), ("b", "B")), default="a")
    several = Several()
    rows = Rows(Name("Row"))
    points = BySeat(Sum("Points", most=lambda form: 60))
    cards = Cards("Cards", most=3, limit=20)
    groups = Groups("Melds", most=3, limit=20)


@pytest.fixture(autouse=True)
def _request(app: Flask) -> Any:
    with app.test_request_context():
        yield


def sent(*pairs: tuple[str, str]) -> Everything:
    form = Everything(MultiDict(pairs))
    form.validate()
    return form


def test_a_field_that_was_not_sent_has_its_default() -> None:
    form = sent()
    assert (form.number.data, form.choice.data, form.text.text, form.several.data) == (7, "a", "", [])
    assert form.sum.data is None


@pytest.mark.parametrize("number", ["", "0", "100", "-1", "1e1", "7.0", "٣", "７", "²", " 7", "x", "9" * 5000])
def test_a_whole_number_is_ascii_figures_within_its_limits(number: str) -> None:
    form = sent(("number", number))
    assert form.number.data is None
    assert form.number.error == "This is none of the answers here. Choose again."


@pytest.mark.parametrize(
    ("typed", "points"), [("", None), ("0", 0), (" 15 + 20+5 ", 40), ("61", None), ("３", None), ("9" * 5000, None)]
)
def test_a_sum(typed: str, points: int | None) -> None:
    form = sent(("sum", typed))
    assert form.sum.data == points
    assert bool(form.sum.error) is (points is None and typed != "")


def test_cards_are_read_in_one_way_and_kept_as_they_were_typed() -> None:
    form = sent(("cards", "9, t 2"), ("groups", "9 9 2\n\n4S 5S"))
    assert [str(card) for card in form.cards.data] == ["9?", "10?", "2?"]
    assert [len(group) for group in form.groups.data] == [3, 2]
    assert form.cards.text == "9, t 2"
    for typed, said in (("2 2 2 2", "At most 3 cards"), ("zz", "“zz” is not a card"), ("9 " * 11, "At most 20 char")):
        refused = sent(("cards", typed))
        assert said in refused.cards.error
        assert refused.cards.text == typed


def test_rows_and_seats_are_fields_of_their_own() -> None:
    form = Everything(MultiDict([("rows", "Ana"), ("rows", ""), ("points-2", "5"), ("points-3", "x")]))
    assert [(row.id, row.name, row.text) for row in form.rows.parts] == [
        ("rows-0", "rows", "Ana"),
        ("rows-1", "rows", ""),
    ]
    assert (form.points.of(2).text, form.points.of(3).text, form.points.of(9).text) == ("5", "x", "")
    form.validate()
    assert form.points.of(2).data == 5
    assert "points-3" in form.errors


def test_much_is_cut_before_it_is_work() -> None:
    form = sent(("text", "x" * 10_000), *[("several", "y" * 10_000)] * 1000, *[("rows", "z" * 10_000)] * 1000)
    assert len(form.text.text) == KEPT
    assert (len(form.several.data), len(form.rows.parts)) == (ROWS_KEPT, ROWS_KEPT)
    assert {len(text) for text in (*form.several.data, *form.rows.texts)} == {KEPT}


def test_one_macro_says_what_is_wrong_and_binds_it_to_its_field(app: Flask) -> None:
    form = sent(("number", "x"), ("text", '"<b>'))
    macros = app.jinja_env.get_template("macros/forms.html").make_module({"game": None})
    wrong, right = macros.field(form.number), macros.field(form.text)
    assert 'id="number-error"' in wrong and 'aria-describedby="number-error" aria-invalid="true"' in wrong
    assert 'for="number"' in wrong and 'id="number" name="number" value="x"' in wrong
    assert 'id="text-hint"' in right and 'aria-describedby="text-hint"' in right and "aria-invalid" not in right
    assert "&lt;b&gt;" in right


def test_law_every_sentence_is_ours() -> None:
    """WTForms' own validators and fields speak English; only its bare field and form are used."""
    used = set()
    for source in (Path(companion.__file__).parent / "forms").glob("*.py"):
        for node in ast.walk(ast.parse(source.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("wtforms"):
                used |= {f"{node.module}.{alias.name}" for alias in node.names}
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "wtforms":
                used.add(f"wtforms.{node.attr}")
    assert used == {"wtforms.validators.StopValidation", "wtforms.Field", "wtforms.Form", "wtforms.form"}

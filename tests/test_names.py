"""Names: what is one, and which two look the same."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.names import NameReason, clean_name, look_alike_key, name_problems


def reasons(*names: str) -> list[tuple[int, NameReason]]:
    return [(problem.index, problem.reason) for problem in name_problems(names)]


@pytest.mark.parametrize(
    "name",
    [
        "Ana", "Maximiliane-Alexandra", "🂡 Zoë", "<script>alert(1)</script>", "=1+1", "שרה", "محمد", "木村",
        "👩‍👩‍👧‍👦", "x" * 40, "O'Brien", "e\u0301" * 40, "½", "1", "..", "नरेश", "Ｗ",
    ],
)  # fmt: skip
def test_these_are_names(name):
    assert reasons(name) == []


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", NameReason.BLANK), ("  \t\n ", NameReason.BLANK), ("\u3000", NameReason.BLANK),
        ("\u200b\u200d", NameReason.INVISIBLE), ("\u3164", NameReason.INVISIBLE), ("\ufe0f", NameReason.INVISIBLE),
        ("\u2800 \u2800", NameReason.INVISIBLE), ("\u0301", NameReason.INVISIBLE),
        ("A\x00na", NameReason.CONTROL), ("A\x1b[31m", NameReason.CONTROL), ("\ud800", NameReason.CONTROL),
        ("x" * 41, NameReason.TOO_LONG), ("e" + "\u0301" * 400, NameReason.TOO_LONG), ("x" * 10**6, NameReason.TOO_LONG),
        ("👩" * 41, NameReason.TOO_LONG),
    ],
)  # fmt: skip
def test_these_are_none(name, reason):
    assert reasons("Bob", name) == [(1, reason)]


@pytest.mark.parametrize(
    "other",
    [
        "ana maria",
        "  Ana   Maria ",
        "ANA MARIA",
        "Ana\u00a0Maria",
        "A\u200bna Maria",
        "Ａｎａ Maria",
        "Ana Ma\u00adria",
    ],
)
def test_two_names_that_look_the_same(other):
    assert reasons("Ana Maria", "Bob", other) == [(2, NameReason.LOOKS_THE_SAME)]
    (problem,) = name_problems(["Ana Maria", "Bob", other])
    assert problem.facts["other"] == 0 and problem.facts["other_name"] == "Ana Maria"


def test_accents_composed_in_two_ways_look_the_same_and_other_accents_do_not():
    assert look_alike_key("Zoë") == look_alike_key("Zoe\u0308") == look_alike_key("ZOË")
    assert look_alike_key("Zoë") != look_alike_key("Zoe")
    assert look_alike_key("STRASSE") == look_alike_key("Straße")


def test_a_name_cannot_turn_the_page_around_it():
    assert clean_name("\u202eanA\u202c \u2067x\u2069") == "anA x"


@given(st.text(max_size=60))
def test_cleaning_is_done_once_and_the_key_does_not_care(text):
    once = clean_name(text)
    assert clean_name(once) == once
    assert look_alike_key(once) == look_alike_key(unicodedata.normalize("NFD", text))


@given(st.lists(st.text(max_size=50), max_size=8))
def test_every_name_gets_at_most_one_reason_and_good_ones_fit_the_table(names):
    found = name_problems(names)
    assert len({problem.index for problem in found}) == len(found)
    for index in set(range(len(names))) - {problem.index for problem in found}:
        assert 0 < len(clean_name(names[index])) <= 160 and 0 < len(look_alike_key(names[index])) <= 160

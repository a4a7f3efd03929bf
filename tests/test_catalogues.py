"""The committed catalogues are complete, fresh and compiled."""

from __future__ import annotations

from tools.catalogues import _placeholders, check, hidden_texts


def test_every_text_is_translated_and_compiled():
    faults = check()
    assert not faults, "\n".join(faults[:20])


def test_placeholders_are_told_from_percent_signs():
    assert _placeholders("%(name)s has 100%% of %(n)d") == {"%(name)s", "%(n)d"}
    assert _placeholders(("one card", "%(num)d cards")) == {"%(num)d"}


def test_a_text_inside_an_f_string_is_found_and_the_same_outside_is_not():
    (fault,) = hidden_texts("""told = f"{ngettext('%(num)s won', '%(num)s won', n)} {n}\"""", "m.py")
    assert fault == "m.py:1: a text inside an f-string is never extracted"
    assert hidden_texts("""won = ngettext('a', 'b', n)\ntold = f"{won} {n}\"""", "m.py") == []

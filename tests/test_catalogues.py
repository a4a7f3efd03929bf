"""The committed catalogues are complete, fresh and compiled."""

from __future__ import annotations

from tools.catalogues import _placeholders, check


def test_every_text_is_translated_and_compiled():
    faults = check()
    assert not faults, "\n".join(faults[:20])


def test_placeholders_are_told_from_percent_signs():
    assert _placeholders("%(name)s has 100%% of %(n)d") == {"%(name)s", "%(n)d"}
    assert _placeholders(("one card", "%(num)d cards")) == {"%(num)d"}

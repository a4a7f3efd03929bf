"""Which silent switches a verdict rests on: would the table's other choice turn it round?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from companion.referee.reasons import Problem
from companion.referee.rules import BadRules, Rules
from companion.referee.state import GameState

__all__ = ["SILENT", "switches_that_matter"]

#: The switches that judge entries where no text of Gripe decides, with the values a table may choose (RULES).
SILENT: Mapping[str, tuple[object, ...]] = {
    "min_naturals": (0, 1),
    "max_wilds": (None, 1, 2, 3),
    "naturals_outnumber": (False, True),
    "wild_limit_scope": ("always", "going_down"),
    "adjacent_wilds": ("allowed", "forbidden"),
    "lay_down_size": ("minimum", "exact"),
    "extra_melds": (False, True),
    "same_rank_sets": ("allowed", "forbidden"),
    "same_suit_runs": ("allowed", "forbidden"),
    "buy_when_down": (True, False),
    "lay_off_own": (True, False),
    "wild_swap": ("runs", "off"),
}


def switches_that_matter(
    check: Callable[[GameState, Any], tuple[Problem, ...]],
    state: GameState,
    command: object,
    others: Mapping[str, tuple[object, ...]],
) -> tuple[str, ...]:
    """Names of ``others`` (switch: values no text decides) one of whose values makes legal illegal, or the reverse."""
    if state.rules is None:
        return ()
    legal = not check(state, command)
    return tuple(
        switch
        for switch, values in others.items()
        if any(
            legal == bool(check(replace(state, rules=rules), command)) for rules in _varied(state.rules, switch, values)
        )
    )


def _varied(rules: Rules, switch: str, values: tuple[object, ...]) -> Iterator[Rules]:
    """The rules with each other value of the switch that a table can play."""
    for value in values:
        if value != getattr(rules, switch):
            try:
                yield rules.replace(**{switch: value})
            except BadRules:  # contradicts another switch: no table plays that
                continue

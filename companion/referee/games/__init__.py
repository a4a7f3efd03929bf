"""Rule sheets as data: a further contract rummy is a further sheet."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from companion.referee.games.grebber import GREBBER
from companion.referee.games.gripe import EHOW, KATE
from companion.referee.games.liverpool import LIVERPOOL
from companion.referee.games.peru import PERU
from companion.referee.rules import Rules

__all__ = ["EHOW", "GREBBER", "KATE", "LIVERPOOL", "PERU", "SHEETS"]

#: Every sheet by its name.
SHEETS: Mapping[str, Rules] = MappingProxyType({rules.sheet: rules for rules in (KATE, EHOW, PERU, GREBBER, LIVERPOOL)})

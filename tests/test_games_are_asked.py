"""What depends on which game it is, is asked of the game: nobody else compares sheets, or asks for what one game has."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import companion

ROOT = Path(companion.__file__).parent
#: Where games are told apart: in their own room, and where rules check themselves.
MAY_TELL_GAMES_APART = {"referee/games", "referee/rules.py"}


def _is_about_rules(node: ast.expr, fields: set[str]) -> bool:
    """Whether this reads one of these fields of some rules: `rules.target`, `state.rules.target`, `r.target`."""
    if not isinstance(node, ast.Attribute) or node.attr not in fields:
        return False
    owner = node.value.attr if isinstance(node.value, ast.Attribute) else getattr(node.value, "id", "")
    return owner in ("rules", "r", "base", "sheet")


def _names_a_game(node: ast.expr) -> bool:
    words = node.elts if isinstance(node, ast.Tuple | ast.Set | ast.List) else [node]
    return all(isinstance(word, ast.Constant) and isinstance(word.value, str) for word in words)


def _conditions(node: ast.AST) -> list[ast.expr]:
    """The values whose truth a node asks for."""
    if isinstance(node, ast.If | ast.IfExp | ast.While):
        return [node.test]
    if isinstance(node, ast.BoolOp):
        return node.values if isinstance(node.op, ast.And) else []
    if isinstance(node, ast.comprehension):
        return node.ifs
    return [node.operand] if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not) else []


def tells_games_apart(node: ast.AST) -> bool:
    """Whether code compares sheets or games, or asks for what only some games have."""
    if isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        kind = any(isinstance(side, ast.Attribute) and side.attr in ("sheet", "game") for side in sides)
        if kind and any(map(_names_a_game, sides)):
            return True
        missing = any(isinstance(side, ast.Constant) and side.value is None for side in sides)
        return missing and any(_is_about_rules(side, {"target", "chips", "buys_per_game"}) for side in sides)
    return any(_is_about_rules(asked, {"contracts", "target", "chips"}) for asked in _conditions(node))


def lines_that_tell_games_apart(code: str) -> list[int]:
    """The numbers of the lines where code tells games apart."""
    nodes = (node for node in ast.walk(ast.parse(code)) if tells_games_apart(node))
    return sorted({node.iter.lineno if isinstance(node, ast.comprehension) else node.lineno for node in nodes})


def test_law_what_depends_on_the_game_is_asked_of_the_game() -> None:
    places = [
        f"{path}:{line}"
        for source in sorted(ROOT.rglob("*.py"))
        if not (path := str(source.relative_to(ROOT))).startswith(tuple(MAY_TELL_GAMES_APART))
        for line in lines_that_tell_games_apart(source.read_text("utf-8"))
    ]
    assert places == []


@pytest.mark.parametrize(
    "code",
    ["rules.game == 'grebber'", "state.rules.sheet in ('kate', 'ehow')", "rules.target is None", "x = r.buys_per_game is None",
     "1 if rules.contracts else 2", "[s for s in rules.hands if rules.contracts and s]", "if not state.rules.contracts: pass"],
)  # fmt: skip
def test_the_test_of_comparisons_can_fail(code: str) -> None:
    assert lines_that_tell_games_apart(code) == [1]

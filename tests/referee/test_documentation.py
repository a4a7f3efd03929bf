"""The examples in the referee's docstrings and in its README are run, and every public name is documented."""

from __future__ import annotations

import doctest
import importlib
import inspect
import re
from pathlib import Path
from types import ModuleType

import pytest

import companion.referee

FOLDER = Path(companion.referee.__file__).parent
NAMES = sorted(
    ".".join(("companion.referee", *path.relative_to(FOLDER).with_suffix("").parts)).removesuffix(".__init__")
    for path in FOLDER.rglob("*.py")
    if path.name != "__main__.py"
)


@pytest.mark.parametrize("name", NAMES)
def test_the_examples_of_the_module_are_true(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_there_are_examples_at_all() -> None:
    attempted = sum(doctest.testmod(importlib.import_module(name)).attempted for name in NAMES)
    assert attempted >= 180


def test_the_examples_of_the_readme_are_true() -> None:
    result = doctest.testfile(str(FOLDER / "README.md"), module_relative=False, encoding="utf-8")
    assert result.attempted > 20
    assert result.failed == 0


def public(module: ModuleType) -> dict[str, object]:
    named = {name: thing for name, thing in vars(module).items() if not name.startswith("_")}
    kinds = (type, type(public))
    return {
        name: thing
        for name, thing in named.items()
        if isinstance(thing, kinds) and getattr(thing, "__module__", "") == module.__name__
    }


@pytest.mark.parametrize("name", NAMES)
def test_every_public_name_is_documented(name: str) -> None:
    module = importlib.import_module(name)
    generated = "("  # what a dataclass without a docstring gets: its signature
    bare = [
        thing
        for thing, value in public(module).items()
        if not (inspect.getdoc(value) or "") or (inspect.getdoc(value) or "").startswith(f"{thing}{generated}")
    ]
    assert bare == []
    assert name == "companion.referee" or module.__doc__


#: What others import. The first are about rules of the game, the others about records and lines of text.
RULED = (
    "cards",
    "claims",
    "contracts",
    "grebber",
    "kruth",
    "melds",
    "rearranging",
    "scoring",
    "search.best_turn",
    "search.can_go_down",
    "table",
    "wild_limits",
)
LIBRARY = (*RULED, "engine", "history", "notation", "protocol", "switches")


def functions(name: str) -> dict[str, str]:
    found = public(importlib.import_module(f"companion.referee.{name}"))
    return {name: inspect.getdoc(value) or "" for name, value in found.items() if inspect.isfunction(value)}


@pytest.mark.parametrize("name", LIBRARY)
def test_every_public_function_shows_itself_in_an_example(name: str) -> None:
    assert [function for function, said in functions(name).items() if ">>>" not in said] == []


@pytest.mark.parametrize("name", RULED)
def test_every_public_function_names_its_rule(name: str) -> None:
    assert [function for function, said in functions(name).items() if not re.search(r"\b[GPK]\d", said)] == []

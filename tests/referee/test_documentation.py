"""The examples in the referee's docstrings and in its README are run, and every public name is documented."""

from __future__ import annotations

import doctest
import importlib
import inspect
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
    assert attempted >= 60


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


@pytest.mark.parametrize(
    "name", [name for name in NAMES if name not in ("companion.referee.commands", "companion.referee.events")]
)
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

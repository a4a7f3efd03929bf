"""The law of the referee's folder: standard library only, no clock, no chance, no input or output, no prose."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import companion.referee

FOLDER = Path(companion.referee.__file__).parent
SOURCES = sorted(FOLDER.rglob("*.py"))
#: Everything the folder may import besides itself. No clock, no chance, no files, no sockets are among it.
ALLOWED = {
    "__future__", "ast", "bisect", "collections", "contextlib", "copy", "dataclasses", "enum", "functools", "heapq",
    "itertools", "json", "math", "operator", "re", "string", "types", "typing", "unicodedata", "urllib.parse",
}  # fmt: skip
#: Only the program around the line protocol reads and writes.
PROGRAM = {"__main__.py": {"os", "sys"}}
FORBIDDEN_CALLS = {"open", "print", "input", "exec", "eval", "compile", "__import__", "breakpoint"}


def imports(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative import"
            yield node.module or ""


def strays(source: Path, text: str) -> list[str]:
    allowed = ALLOWED | PROGRAM.get(source.name, set())
    return [
        name
        for name in imports(ast.parse(text))
        if not name.startswith("companion.referee") and name not in allowed and name.split(".")[0] not in allowed
    ]


def calls(text: str) -> list[str]:
    nodes = (node.func for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call))
    return [func.id for func in nodes if isinstance(func, ast.Name) and func.id in FORBIDDEN_CALLS]


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: str(path.relative_to(FOLDER)))
def test_imports_nothing_but_the_referee_and_plain_library(source: Path) -> None:
    text = source.read_text(encoding="utf-8")
    assert strays(source, text) == []
    assert calls(text) == []


@pytest.mark.parametrize("line", ["import time", "from flask import g", "import random", "from companion import db"])
def test_the_import_test_can_fail(line: str) -> None:
    assert strays(FOLDER / "cards.py", line) != []


def test_importing_the_whole_folder_loads_no_other_part_of_the_app() -> None:
    modules = [
        "companion.referee." + ".".join(path.relative_to(FOLDER).with_suffix("").parts).removesuffix(".__init__")
        for path in SOURCES
        if path.name != "__main__.py" and path.parent / path.name != FOLDER / "__init__.py"
    ]
    program = (
        f"import importlib, sys\nfor name in {modules!r}: importlib.import_module(name)\n"
        "print(sorted(m for m in sys.modules if m.split('.')[0] in ('flask', 'sqlalchemy', 'babel', 'wtforms')"
        " or (m.startswith('companion.') and not m.startswith('companion.referee'))))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=FOLDER.parent.parent
    )
    assert done.stdout.strip() == "[]"


def is_docstring(node: ast.Constant, docstrings: set[int]) -> bool:
    return id(node) in docstrings


def sentences(text: str) -> list[str]:
    """String constants that read like prose: several words, the first with a capital or a stop at the end."""
    tree = ast.parse(text)
    holders = (ast.Module, ast.ClassDef, ast.FunctionDef)
    bodies = [node.body for node in ast.walk(tree) if isinstance(node, holders) and node.body]
    first = (body[0].value for body in bodies if isinstance(body[0], ast.Expr))
    docstrings = {id(value) for value in first if isinstance(value, ast.Constant)}
    constants = (n for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str))
    texts = (n.value.strip() for n in constants if not is_docstring(n, docstrings))
    return [said for said in texts if len(said.split()) >= 4 and (said[0].isupper() or said.endswith((".", "!", "?")))]


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: str(path.relative_to(FOLDER)))
def test_says_nothing_in_english(source: Path) -> None:
    assert sentences(source.read_text(encoding="utf-8")) == []


def test_the_prose_test_can_fail() -> None:
    assert sentences("def f():\n    '''A docstring is fine here.'''\n    return 'You may not throw that card.'") != []

"""The laws of the house (docs/architecture.md): imports point downwards, one writer, one place for prose, one for JSON."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import companion

ROOT = Path(companion.__file__).parent
#: What a room may not know of.
ABOVE = {
    "referee": {"codec", "record", "wording", "forms", "pages", "views", "models", "db", "names", "phones"},
    "codec.py": {"record", "wording", "forms", "pages", "views", "models", "db"},
    "record": {"wording", "forms", "pages", "views"},
    "wording": {"record", "forms", "pages", "views", "models", "db", "codec", "phones"},
    "forms": {"views", "models", "db"},
    "pages": {"views", "models", "db"},
}
#: Rooms that write to the database: the record, and what is no game's (phones, migrations, upkeep, links, exports);
#: and the one that tells others of what was committed, by PostgreSQL's own NOTIFY.
WRITERS = {"live", "record", "phones", "db.py", "migrations", "command", "exporting"}


def modules(room: str) -> list[Path]:
    path = ROOT / room
    return [path] if path.suffix == ".py" else sorted(path.rglob("*.py"))


def imported(source: Path) -> set[str]:
    """The rooms of the companion that a module imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "companion":
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("companion."):
            found.add((node.module or "").split(".")[1])
        elif isinstance(node, ast.Import):
            found |= {alias.name.split(".")[1] for alias in node.names if alias.name.startswith("companion.")}
    return found


@pytest.mark.parametrize("room", ABOVE)
def test_law_imports_point_downwards(room: str) -> None:
    assert modules(room)
    assert {
        str(source.relative_to(ROOT)): up for source in modules(room) if (up := imported(source) & ABOVE[room])
    } == {}


def names(source: Path) -> set[str]:
    return {node.id for node in ast.walk(ast.parse(source.read_text("utf-8"))) if isinstance(node, ast.Name)} | {
        node.attr for node in ast.walk(ast.parse(source.read_text("utf-8"))) if isinstance(node, ast.Attribute)
    }


def test_law_only_the_record_writes() -> None:
    others = [source for source in ROOT.rglob("*.py") if source.relative_to(ROOT).parts[0] not in WRITERS]
    assert len(others) > 50
    assert {str(source.relative_to(ROOT)) for source in others if names(source) & {"writing", "commit"}} == set()
    record = {name for source in modules("record") for name in names(source)}
    assert "writing" in record, "this test looks for the wrong name"


def test_law_only_the_codec_knows_the_records_json() -> None:
    users = {str(source.relative_to(ROOT)) for source in ROOT.rglob("*.py") if "codec" in imported(source)}
    rooms = {name.split("/")[0] for name in users}
    assert rooms <= {"record", "command", "exporting"}


def test_templates_ask_no_database() -> None:
    templates = list((ROOT / "templates").rglob("*.html"))
    assert templates
    found = [
        str(path) for path in templates for word in ("query", "session.", "execute(") if word in path.read_text("utf-8")
    ]
    assert found == []


def test_modules_stay_readable() -> None:
    long = {str(source.relative_to(ROOT)): count for source in ROOT.rglob("*.py")
            if "migrations" not in source.parts and (count := len(source.read_text("utf-8").splitlines())) > 425}  # fmt: skip
    assert long == {}

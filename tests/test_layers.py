"""The laws of the house (docs/architecture.md): imports point downwards, one writer, one place for prose, one for JSON."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import companion

ROOT = Path(companion.__file__).parent
#: The rooms from the bottom up, as in docs/architecture.md. A room imports from those below it only; those that share a
#: line know nothing of each other. The roof is what starts the app and its commands, so it knows everything.
ROOF = {"__init__", "__main__", "command"}
FLOORS = (
    {"referee", "names", "i18n"},
    {"analysis", "players"},
    {"wording", "codec"},
    {"settings"},
    {"config"},
    {"db"},
    {"models", "migrations"},
    {"phones"},
    {"record"},
    {"live", "exporting"},
    {"forms", "serving", "security", "simulate"},
    {"pages"},
    {"views"},
    ROOF,
)
#: Who knows that there is a database; all others ask the record. Of the views only the page that says it is away.
KNOW_THE_DATABASE = {"db", "models", "migrations", "phones", "record", "live", "command", "__init__"}
HALL_AT_MOST = 10  # modules in companion/ itself
LINES_AT_MOST = 400  # of a module
#: Rooms that write to the database: the record, and what is no game's (phones, migrations, upkeep, links, exports);
#: and the one that tells others of what was committed, by PostgreSQL's own NOTIFY.
WRITERS = {"live", "record", "phones", "db.py", "migrations", "command", "exporting"}


def room_of(source: Path) -> str:
    return source.relative_to(ROOT).parts[0].removesuffix(".py")


ROOMS = {room_of(path) for path in ROOT.iterdir() if path.suffix == ".py" or any(path.rglob("*.py"))}


def modules(room: str) -> list[Path]:
    path = ROOT / f"{room}.py"
    return [path] if path.is_file() else sorted((ROOT / room).rglob("*.py"))


def imported(source: Path) -> set[str]:
    """The rooms of the companion that a module imports, anywhere in it; its own too, if it imports from that."""
    wanted: set[str] = set()
    for node in ast.walk(ast.parse(source.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{source} has a relative import"
            wanted |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            wanted |= {alias.name for alias in node.names}
    parts = [name.split(".") for name in wanted if name.split(".")[0] == "companion"]
    return {path[1] if path[1:] and path[1] in ROOMS else "__init__" for path in parts}


def test_every_room_has_its_floor() -> None:
    floors = [room for floor in FLOORS for room in floor]
    assert sorted(floors) == sorted(ROOMS)


@pytest.mark.parametrize("room", sorted(ROOMS - ROOF))
def test_law_imports_point_downwards(room: str) -> None:
    height = next(number for number, floor in enumerate(FLOORS) if room in floor)
    allowed = {room}.union(*FLOORS[:height])
    assert modules(room)
    assert {str(source.relative_to(ROOT)): up for source in modules(room) if (up := imported(source) - allowed)} == {}


def module_imports(source: Path) -> set[Path]:
    """The modules of the companion that are loaded when a module is: imports in functions and for types are none."""
    statements = ast.parse(source.read_text("utf-8")).body
    loaded: set[Path] = set()
    for node in statements:
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "companion":
            folder = ROOT.parent.joinpath(*(node.module or "").split("."))
            for alias in node.names:
                candidates = (folder / f"{alias.name}.py", folder / alias.name / "__init__.py",
                              folder.with_suffix(".py"), folder / "__init__.py")  # fmt: skip
                loaded.add(next(path for path in candidates if path.is_file()))
    return loaded - {source}


def test_no_modules_import_each_other_in_a_circle() -> None:
    graph = {source: module_imports(source) for source in ROOT.rglob("*.py")}
    assert sum(map(len, graph.values())) > 500, "this test looks for the wrong imports"
    # Take away what imports nothing that is left, again and again: only circles and what leads into one stay.
    while free := {source for source, wanted in graph.items() if not wanted & graph.keys()}:
        graph = {source: wanted for source, wanted in graph.items() if source not in free}
    assert sorted(str(source.relative_to(ROOT)) for source in graph) == []


def test_the_hall_has_few_modules() -> None:
    assert len(list(ROOT.glob("*.py"))) <= HALL_AT_MOST


def test_law_forms_and_pages_ask_the_record_and_not_the_database() -> None:
    others = [source for source in ROOT.rglob("*.py") if room_of(source) not in KNOW_THE_DATABASE]
    users = {str(source.relative_to(ROOT)) for source in others if imported(source) & {"db", "models"}}
    assert users == {"views/errors.py"}


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
    lines = {source: len(source.read_text("utf-8").splitlines()) for source in ROOT.rglob("*.py")}
    assert {str(source.relative_to(ROOT)): count for source, count in lines.items() if count >= LINES_AT_MOST} == {}

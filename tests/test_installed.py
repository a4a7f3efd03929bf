"""The built wheel has all that the program needs, and runs from any folder without a checkout."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import urllib.request
import zipfile
from pathlib import Path

import pytest

from tests.test_start import free_port

ROOT = Path(__file__).parent.parent
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this version, built from a copy of what belongs into it."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    shutil.copytree(ROOT / "companion", source / "companion", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, source)
    line = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--no-index",
        "-w",
        folder,
        source,
    ]
    subprocess.run(line, check=True, capture_output=True)
    return next(folder.glob("*.whl"))


def test_nothing_of_the_program_is_missing(wheel):
    with zipfile.ZipFile(wheel) as archive:
        packed = set(archive.namelist())
    wanted = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "companion").rglob("*")
        if path.is_file() and path.suffix not in (".pyc", ".po", ".md") and "__pycache__" not in path.parts
    }
    assert wanted - packed == set()
    assert [name for name in packed if name.startswith(("tests/", "tools/", "bench/", "proofs/"))] == []


def test_it_runs_from_any_folder_and_keeps_its_games_where_programs_do(wheel, tmp_path):
    site, home = tmp_path / "site", tmp_path / "home"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    home.mkdir()
    ours = ("COMPANION_", "HOST", "PORT", "DATABASE_URL", "XDG_")
    environ = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    environ |= {"HOME": str(home), "PYTHONPATH": f"{site}:{sysconfig.get_path('purelib')}", "PYTHONIOENCODING": "utf-8"}
    companion = [sys.executable, "-m", "companion"]

    said = subprocess.run(
        [*companion, "--help"], env=environ, cwd=home, capture_output=True, text=True, check=True
    ).stdout
    for command in ("run", "hosted", "doctor", "backup", "export", "import", "check", "link", "people"):
        assert re.search(rf"^  {command} +\S", said, re.MULTILINE), command

    line = [*companion, "run", "--host", "127.0.0.1", "--port", str(free_port())]
    with subprocess.Popen(
        line, env=environ, cwd=home, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as server:
        assert server.stdout
        printed = ""
        while "Ctrl-C" not in printed:
            more = server.stdout.readline()
            assert more, printed
            printed += more
        page = urllib.request.urlopen(re.search(r"http://\S+/", printed)[0], timeout=30).read()
        server.terminate()
        server.wait(30)
    folder = home / ".local" / "share" / "gripe-companion"
    assert b"<title>" in page and f"The games are kept in {folder}" in printed
    assert (folder / "companion.sqlite").exists() and list(home.iterdir()) == [home / ".local"]

"""`companion run` as a person starts it: in its own process, on a port of its own."""

from __future__ import annotations

import os
import re
import socket
import sqlite3
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.serving.lan import lan_addresses, urls, welcome


def command(folder: Path, *words: str) -> tuple[list[str], dict[str, str]]:
    ours = ("COMPANION_", "HOST", "PORT", "DATABASE_URL")
    environ = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    environ |= {"COMPANION_INSTANCE_PATH": str(folder), "COMPANION_HOST": "127.0.0.1", "PYTHONIOENCODING": "utf-8"}
    return [sys.executable, "-m", "companion", *words], environ


def refusal(folder: Path, *words: str) -> str:
    """Start, expecting a refusal: checks that it is one sentence without a trace, and gives it."""
    line, environ = command(folder, *words)
    done = subprocess.run(line, env=environ, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    assert done.stderr.startswith("companion: ")
    return done.stderr


@contextmanager
def running(folder: Path) -> Iterator[tuple[str, str]]:
    """The app on a free port of loopback: its address and what it printed until it was ready."""
    line, environ = command(folder, "run", "--port", str(free_port()))
    with subprocess.Popen(line, env=environ, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout
        try:
            printed = ""
            while "Ctrl-C" not in printed:
                more = process.stdout.readline()
                assert more, printed
                printed += more
            yield re.search(r"http://\S+/", printed)[0], printed
        finally:
            process.terminate()
            process.wait(30)
    assert process.returncode == 0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def test_the_first_start_makes_everything_and_the_second_reuses_it(tmp_path):
    folder = tmp_path / "new" / "instance"
    with running(folder) as (url, printed):
        assert "▀" in printed, "no QR code"
        with pytest.raises(urllib.error.HTTPError, match="404") as answer:
            urllib.request.urlopen(f"{url}no-such-page", timeout=30)
        answer.value.close()
        assert url == f"http://{(folder / 'running').read_text().strip().replace(' ', ':')}/"
    assert not (folder / "running").exists()
    secret = (folder / "secret").read_text()
    database = (folder / "companion.sqlite").stat().st_ino
    with running(folder):
        assert (folder / "secret").read_text() == secret
        assert (folder / "companion.sqlite").stat().st_ino == database


def test_a_port_in_use_says_so_and_names_another(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        said = refusal(tmp_path, "run", "--port", str(port))
    assert f"Port {port} is in use" in said
    assert "make run PORT=" in said


def test_an_address_of_another_machine(tmp_path):
    assert "HOST=192.0.2.77 is not an address of this machine" in refusal(tmp_path, "run", "--host", "192.0.2.77")


def test_a_file_where_the_instance_folder_should_be(tmp_path):
    (tmp_path / "instance").write_text("")
    assert "can't be written" in refusal(tmp_path / "instance")


def test_a_database_from_a_newer_version(tmp_path):
    with sqlite3.connect(tmp_path / "companion.sqlite") as database:
        database.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
        database.execute("INSERT INTO alembic_version VALUES ('from_the_future')")
    database.close()
    said = refusal(tmp_path)
    assert "newer version" in said
    assert "from_the_future" in said


def test_a_file_that_is_no_database(tmp_path):
    (tmp_path / "companion.sqlite").write_text("Dear diary, " * 100)
    assert "can't be used: file is not a database" in refusal(tmp_path)


def test_a_folder_where_the_database_should_be(tmp_path):
    (tmp_path / "companion.sqlite").mkdir()
    assert "can't be used: unable to open database file" in refusal(tmp_path)


def test_a_port_that_is_no_number(tmp_path):
    line, environ = command(tmp_path)
    environ["PORT"] = "eighty"
    done = subprocess.run(line, env=environ, capture_output=True, text=True, timeout=60, check=False)
    assert done.stderr == "companion: PORT=eighty is not a number from 1 to 65535.\n"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("run", "--port", "abc"), "PORT=abc is not a number from 1 to 65535."),
        (("run", "--port", "0"), "PORT=0 is not a number from 1 to 65535."),
        (("run", "--host", "a b"), "HOST=a b is no address of a machine"),
        (("link", "x", "--address", "here"), "--address here is no address"),
    ],
)
def test_an_option_that_makes_no_sense(tmp_path, words, says):
    assert says in refusal(tmp_path, *words)


def test_a_setting_that_makes_no_sense_stops_every_command(tmp_path):
    (tmp_path / "config.py").write_text("STREAMS = 'abc'\n")
    for words in (("run",), ("hosted",), ("check",), ("link",)):
        assert refusal(tmp_path, *words) == "companion: STREAMS=abc is not a number from 0 to 65535.\n"


def test_addresses_are_ones_a_phone_can_open():
    assert urls("127.0.0.1", 80) == ("http://127.0.0.1:80/",)
    assert urls("::1", 8000) == ("http://[::1]:8000/",)
    for address in lan_addresses():
        assert not address.startswith(("127.", "0."))
    assert all(url.endswith(":8000/") and "0.0.0.0" not in url for url in urls("0.0.0.0", 8000))


def test_a_terminal_without_block_letters_gets_no_qr_code(monkeypatch):
    monkeypatch.setattr("companion.serving.lan._terminal_draws_blocks", lambda: False)
    assert "▀" not in welcome("127.0.0.1", 8000, "games")


def test_killed_outright_it_starts_again(tmp_path):
    line, environ = command(tmp_path, "run", "--port", str(free_port()))
    with subprocess.Popen(line, env=environ, stdout=subprocess.PIPE, text=True) as process:
        while "Ctrl-C" not in (process.stdout.readline() or pytest.fail("never came up")):
            pass
        process.kill()
    with running(tmp_path) as (url, _):
        assert url

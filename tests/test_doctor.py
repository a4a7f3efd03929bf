"""`companion doctor` finds what is wrong, says what to do, and changes nothing."""

from __future__ import annotations

import socket
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion import create_app
from companion.command import doctor
from companion.command.cli import companion
from companion.command.doctor import examine, firewall_hint
from tests.web import start


def signs(findings, words: str) -> list[str]:
    found = [finding.sign for finding in findings if words in finding.what]
    assert found, (words, findings)
    return found


def test_a_healthy_house(app, client):
    start(app, client)
    findings = examine(app)
    assert [finding for finding in findings if finding.sign == "bad"] == []
    assert signs(findings, "1 games, 1 entries") == ["ok"]
    assert signs(findings, "plain HTTP") == ["note"]


def test_before_the_first_start_nothing_is_wrong_and_nothing_is_made(tmp_path):
    app = create_app({"INSTANCE_PATH": tmp_path, "ENVIRON": {}})
    before = sorted(path.name for path in tmp_path.iterdir())
    findings = examine(app)
    assert signs(findings, "There is no game yet") == ["note"]
    assert [finding for finding in findings if finding.sign == "bad"] == []
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_a_damaged_database(app, client):
    start(app, client)
    file = Path(app.instance_path) / "companion.sqlite"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = bytearray(file.read_bytes())
    content[4096 * 3 : 4096 * 5] = b"x" * 8192
    file.write_bytes(content)
    found = [finding for finding in examine_quietly(app) if finding.sign == "bad"]
    assert len(found) == 1 and ("damaged" in found[0].what or "can't be used" in found[0].what)


def examine_quietly(app):
    """The findings of a fresh app on the same folder, whose connections know nothing of the file before."""
    return examine(create_app({"INSTANCE_PATH": app.instance_path, "ENVIRON": {}}))


def test_a_database_of_a_newer_and_of_an_older_version(app):
    for revision, words, sign in (("from_the_future", "newer version", "bad"), ("0001", "earlier version", "note")):
        with closing(sqlite3.connect(Path(app.instance_path) / "companion.sqlite")) as connection:
            connection.execute("UPDATE alembic_version SET version_num = ?", (revision,))
            connection.commit()
        assert signs(examine_quietly(app), words) == [sign]


def test_a_port_that_another_program_has(app):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        app.config.update(HOST="127.0.0.1", PORT=taken.getsockname()[1])
        assert signs(examine(app), "is in use") == ["bad"]
    assert signs(examine(app), "is free for it") == ["ok"]
    assert signs(examine(app), "Only this machine can open it") == ["note"]


def test_a_clock_that_is_wrong(app, client, monkeypatch):
    start(app, client)
    for moment, words in (
        (datetime(1970, 1, 2, tzinfo=UTC), "which is over"),
        (datetime.now(UTC) - timedelta(days=2), "the last entry is of"),
    ):

        class Clock(datetime):
            @classmethod
            def now(cls, zone=None, moment=moment):
                return moment

        monkeypatch.setattr(doctor, "datetime", Clock)
        monkeypatch.setattr(doctor, "YOUNGEST", datetime(2026, 1, 1, tzinfo=UTC))
        assert signs(examine(app), words) == ["bad"]


def test_a_full_disk_and_a_secret_for_everybody(app, monkeypatch):
    monkeypatch.setattr(doctor.shutil, "disk_usage", lambda _folder: type("Usage", (), {"free": 10 * 2**20}))
    (Path(app.instance_path) / "secret").chmod(0o644)
    findings = examine(app)
    assert signs(findings, "10 MB are free") == ["bad"]
    assert signs(findings, "could pretend to be any phone") == ["bad"]


def test_many_tables_without_a_proxy(make_app):
    assert signs(examine(make_app(HOSTED=True)), "without a proxy") == ["bad"]
    assert signs(examine(make_app(HOSTED=True, TRUSTED_PROXIES=1)), "is believed") == ["ok"]


@pytest.mark.parametrize(("system", "words"), [("win32", "netsh"), ("darwin", "System Settings"), ("linux", "ufw")])
def test_every_system_has_its_words_about_the_firewall(system, words):
    assert words in firewall_hint(system, 8000)


def test_the_command_says_it_in_lines_and_by_its_exit_code(app):
    environ = {"COMPANION_INSTANCE_PATH": app.instance_path, "COMPANION_HOST": "127.0.0.1"}
    done = CliRunner().invoke(companion, ["doctor"], env=environ)
    assert done.exit_code == 0, done.output
    assert "Nothing is wrong." in done.output
    (Path(app.instance_path) / "secret").chmod(0o644)
    done = CliRunner().invoke(companion, ["doctor"], env=environ)
    assert done.exit_code == 1 and "1 to mend." in done.output

"""`companion link`: the way back to a table that every phone has lost."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion import record
from companion.command import cli
from companion.config import SetupError
from companion.record import phones
from companion.serving import running
from tests.web import LONG_NAMES, start


@pytest.fixture
def command(app, monkeypatch):
    """Runs `companion link …` on the app of the test; gives what it printed."""
    monkeypatch.setitem(app.config, "HOST", "192.168.1.20")
    monkeypatch.setattr("companion.command.create_app", lambda settings=None: app)
    monkeypatch.setattr("companion.command.migrate_database", lambda app: None)

    def run(*arguments):
        said = CliRunner().invoke(cli.companion, ["link", *arguments], catch_exceptions=False)
        assert said.exit_code == 0
        return said.output

    return run


def test_the_last_tables_are_listed_with_their_codes(app, client, command):
    first, last = start(app, client), start(app, client, LONG_NAMES)
    lines = command().splitlines()
    assert [line.split()[0] for line in lines] == [last, first]
    assert lines[1].endswith("Ana, Bea, Carl") and "Ægir" in lines[0]


@pytest.mark.parametrize("code", ["-OdpYWdxAD4mvsTdykreaw", "--dpYWdxAD4mvsTdykreaw", "-1"])
def test_a_code_may_begin_with_a_hyphen(command, code):
    """Codes are random: one in 64 does, and is no option."""
    with pytest.raises(SetupError, match="no such table"):
        command(code)


def test_the_link_names_the_port_of_the_server_that_runs(app, client, command, monkeypatch):
    code = start(app, client)
    folder = app.instance_path
    with socket.create_server(("127.0.0.1", 0)) as running_server:
        port = running_server.getsockname()[1]
        running.note(folder, "127.0.0.1", port)
        assert command(code).startswith(f"http://127.0.0.1:{port}/j/")
    assert command(code).startswith("http://192.168.1.20:8000/j/")  # killed: nothing answers there
    running.note(folder, "127.0.0.1", port)
    running.forget(folder, "127.0.0.1", 1)  # another server stops
    assert Path(folder, running.FILE).exists()
    running.forget(folder, "127.0.0.1", port)
    assert not Path(folder, running.FILE).exists()


@pytest.mark.parametrize("written", ["", "x", "0.0.0.0", "0.0.0.0 99999", "0.0.0.0 x", "a b c", "\0 1", "x" * 9000])
def test_a_broken_note_of_the_server_is_none(app, client, command, written):
    code = start(app, client)
    Path(app.instance_path, running.FILE).write_text(written)
    assert command(code).startswith("http://192.168.1.20:8000/j/")


def test_the_link_lets_a_new_phone_keep_the_table_and_takes_it_from_nobody(app, client, command):
    code = start(app, client)
    link = command(code).strip()
    assert link.startswith("http://192.168.1.20:8000/j/")
    assert command(f"http://192.168.1.20:8000/g/{code}/scores?x=1").strip() == link
    new = app.test_client()
    assert new.get(f"/g/{code}/").status_code == 404
    assert new.post(link.partition(":8000")[2], data={"seat": ""}).status_code == 303
    for phone in (new, client):
        assert phone.get(f"/g/{code}/phones").status_code == 200


def test_renewed_every_phone_is_out_the_first_too_and_old_links_open_nothing(app, client, command):
    code = start(app, client)
    with app.app_context():
        old = phones.game_links(record.load(code).id)
    link = command(code, "--renew", "--address", "https://gripe.example/").strip()
    assert link.startswith("https://gripe.example/j/")
    assert client.get(f"/g/{code}/").status_code == 404
    for way in old:
        assert client.get(f"/j/{way.token}").status_code == 404
        assert client.post("/join", data={"code": way.short}).status_code == 422
    assert client.post(link.removeprefix("https://gripe.example"), data={"seat": ""}).status_code == 303
    assert client.get(f"/g/{code}/phones").status_code == 200


@pytest.mark.parametrize(
    "code", ["nothing", "", "/g//", "=1+1", "🂡", "x" * 5000, "https://elsewhere.example/g/nothing/"]
)
def test_what_is_no_table_is_one_sentence(command, code):
    with pytest.raises(SetupError, match="no such table"):
        command(code)

"""The proofs in a short form, on SQLite; in full each is a command (see `proofs`)."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from proofs import fuzz, keepers, killed, killed_evenings, load, nights, proxy_recipes, resent, resent_evenings
from proofs.phones import Answer
from proofs.servers import prepared, serving

KIND = "sqlite"


@pytest.fixture(scope="module")
def kind() -> str:
    """Which database the servers here are on."""
    return KIND


@pytest.mark.slow
def test_a_killed_server_keeps_all_it_acknowledged(kind):
    with serving(kind) as server:
        figures = killed.prove(server, 20, every=8)
    assert figures.kills >= 1 and figures.acknowledged >= 10


@pytest.mark.slow
def test_a_next_game_and_a_file_of_nights_outlive_a_kill(kind):
    with serving(kind) as server:
        figures = killed_evenings.prove(server, 1)
    assert figures.kills == 3


@pytest.mark.slow
def test_a_bad_network_lands_each_command_once_or_explains_it(kind):
    with prepared(kind) as server:
        figures = resent.prove_on(server, 80)
        evenings = resent_evenings.prove(server, 1)
    assert figures.sent > 80 and figures.landed >= 20 and figures.refused >= 1
    assert evenings.answers["next game"][303] >= 4 and evenings.answers["file"][303] >= 1


@pytest.mark.slow
def test_four_keepers_end_with_one_table(kind):
    with serving(kind) as server:
        figures = keepers.prove(server, 3, least=60)
    assert figures.entries >= 10 and figures.statuses[303] >= 10


@pytest.mark.slow
def test_every_phone_is_told_of_every_change(kind):
    """That it is soon is for `python -m proofs.load` to say."""
    with serving(kind, COMPANION_STREAMS="9") as server:
        figures = load.prove(server, tables=3, seconds=4, every=1, phones=4, settle=2)
    assert figures.entries >= 6
    assert len(figures.streamed) + len(figures.polled) == 3 * figures.entries
    if kind == "sqlite":
        assert figures.streams == 9 and figures.polled


@pytest.mark.slow
def test_no_request_is_an_error_of_ours_or_reaches_another_game(kind):
    with prepared(kind) as server:
        server.app.config["HOSTED"] = True
        figures = fuzz.prove(server.app, 350)
    assert len(figures.reached) == figures.routes


@pytest.mark.slow
def test_nights_that_play_themselves_break_no_law():
    figures = nights.prove(20)
    assert figures.nights == 20 and figures.entries > 500 and figures.refused > 500 and figures.undone > 20


def test_a_phone_reads_forms_as_a_browser_does():
    page = Answer(200, {}, '''<form id="a" action="x" method="post"><input type="hidden" name="t" value="&quot;1">
        <input name="n" value="Ana"><input type="radio" name="r" value="1"><input type="radio" name="r" value="2">
        <select name="s"><option value="k">K</option></select><textarea name="w"></textarea>
        <input name="off" disabled><button name="do" value="go">Go</button><button type="button" name="no">No</button></form>
        <button form="a" name="do" value="stop">Stop</button><a href="y?z=1">y</a><a href="https://elsewhere.example/">z</a>''',
        "/g/c/")  # fmt: skip
    (form,) = page.forms
    assert (form.action, form.method) == ("x", "post")
    assert form.fields == [("t", '"1'), ("n", "Ana"), ("w", "")]
    assert form.choices == {"r": ["1", "2"], "s": ["k"]}
    assert form.texts == ["n", "w"]
    assert form.buttons == [("do", "go"), ("do", "stop")]
    assert page.links == ["/g/c/y?z=1"]


def test_every_recipe_for_a_proxy_is_found_in_the_document_as_the_proof_reads_it(tmp_path: Path) -> None:
    found = proxy_recipes.recipes()
    assert {name: len(blocks) for name, blocks in found.items()} == dict.fromkeys(found, 1)
    for kind, number in proxy_recipes.KINDS.items():
        servers = [SimpleNamespace(port=port) for port in (8101, 8102)[:number]]
        written = proxy_recipes.settings(kind, tmp_path, servers)
        assert "example.org" not in written and "10.0.0." not in written and ":8000" not in written
        assert ":8101" in written and (":8102" in written) is (number == 2)
        assert ("grace_period 5s" in written) is not kind.startswith("nginx")

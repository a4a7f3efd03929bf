"""Many groups on one server: each has its own people and games, and sees nothing of the others."""

from __future__ import annotations

import pytest
from sqlalchemy import func, select

from companion import record
from companion.db import db
from companion.models import House, Person
from companion.phones import devices
from companion.record import phones
from companion.referee.commands import StartGame
from companion.referee.games import KATE
from tests.web import plain, start


@pytest.fixture
def hosted(make_app):
    """A server for many groups."""
    return make_app(HOSTED=True, OPEN_HOUSE=True)


def count(app, table) -> int:
    with app.app_context():
        return db.session.execute(select(func.count()).select_from(table)).scalar_one()


def test_each_group_has_its_own_people(hosted):
    ours, theirs, stranger = (hosted.test_client() for _ in range(3))
    start(hosted, ours, ("Ana", "Bea", "Carl"))
    start(hosted, theirs, ("Ana", "Xavier", "Yves"))
    assert count(hosted, House) == 2 and count(hosted, Person) == 6
    assert "Bea" in ours.get("/new").text and "Xavier" not in ours.get("/new").text
    assert "Xavier" in theirs.get("/new").text and "Bea" not in theirs.get("/new").text
    assert not {"Ana", "Bea", "Xavier"} & set(plain(stranger.get("/new").text).split())


def test_the_next_game_of_a_group_finds_its_people_again(hosted):
    ours = hosted.test_client()
    start(hosted, ours, ("Ana", "Bea", "Carl"))
    with hosted.test_request_context(headers={"Cookie": f"device={ours.get_cookie('device').value}"}):
        device = devices.current_id()
        again = record.start_game(StartGame(KATE, (0, 1, 2), 0), ("Ana", "BEA", "Dora"), token="next", device=device)
        assert record.load(again.code).house_id == record.house_for(device)
    assert count(hosted, House) == 1 and count(hosted, Person) == 4


def test_a_hosted_server_is_never_an_open_house(hosted):
    code = start(hosted, hosted.test_client())
    assert hosted.test_client().get(f"/g/{code}/").status_code == 404
    assert code not in hosted.test_client().get("/").text


def test_a_phone_that_only_watches_starts_a_house_of_its_own(hosted):
    code = start(hosted, hosted.test_client())
    with hosted.test_request_context():
        watcher = devices.ensure()
        watch = next(link for link in phones.game_links(record.load(code).id) if link.role == "watch")
        phones.enter(watch.token, watcher, None)
        assert record.house_for(watcher) is None
        keeper = next(link for link in phones.game_links(record.load(code).id) if link.role == "keeper")
        phones.enter(keeper.token, watcher, None)
        assert record.house_for(watcher) == record.load(code).house_id

"""A hint that another phone is entering the same hand: for a minute, in memory, never an entry, never a lock."""

from __future__ import annotations

import time

import pytest

from companion.db import writing
from companion.live.hints import Hints
from companion.models import Membership
from companion.views import live as streams
from tests.web import device_of, plain, play, score, start, view, watch


@pytest.fixture
def two(app, client, code):
    """Two phones that keep one game."""
    other = app.test_client()
    watch(app, other, code)
    with app.app_context(), writing() as session:
        session.query(Membership).filter_by(role="watch").update({"role": "keeper"})
    return client, other


def words(phone, code, hand=1):
    return phone.get(f"/g/{code}/entering?hand={hand}").json["words"]


def test_the_other_phone_sees_it_at_once_and_the_own_one_does_not(app, code, two):
    one, other = two
    before = view(app, code).revision
    assert words(other, code) == ""
    assert one.post(f"/g/{code}/entering", data={"hand": "1"}).status_code == 204
    assert words(other, code).startswith("Another phone is entering this hand: ")
    assert words(one, code) == ""
    assert words(other, code, 2) == "" and words(other, code, "x") == ""
    page = plain(other.get(f"/g/{code}/over").text)
    assert words(other, code) in page, "without scripts it is shown at load"
    assert "Another phone is entering" not in one.get(f"/g/{code}/over").text
    assert view(app, code).revision == before, "it is no entry"
    other.get(f"/g/{code}/over?hand=1&out=0&points-1=25&points-2=40")
    assert "Another phone is entering" in one.get(f"/g/{code}/over").text, "a look at the totals is said as well"
    play(app, code, score(1, 0, 0, 25, 40))
    assert "Another phone is entering" not in one.get(f"/g/{code}/over").text, "that is hand 2"


def test_it_is_said_in_the_language_of_who_reads_it(code, two):
    one, other = two
    one.post(f"/g/{code}/entering", data={"hand": "1"})
    other.post("/language", data={"language": "pt"})
    assert words(other, code).startswith("Outro aparelho está lançando esta mão: ")


def test_another_game_hears_nothing(app, code, two):
    two[0].post(f"/g/{code}/entering", data={"hand": "1"})
    stranger = app.test_client()
    theirs = start(app, stranger)
    assert words(stranger, theirs) == ""
    assert stranger.get(f"/g/{code}/entering?hand=1").status_code == 404
    assert stranger.post(f"/g/{code}/entering", data={"hand": "1"}).status_code == 404


@pytest.mark.parametrize("hand", ["", "x", "-1", "99999999999", "1.5"])
def test_no_hand_tells_nobody(code, two, hand):
    assert two[0].post(f"/g/{code}/entering", data={"hand": hand}).status_code == 204
    assert words(two[1], code, hand) == ""


def test_a_phone_that_tells_without_end_wakes_nobody_again(app, client, code):
    told = []
    app.extensions["companion_live"].subscribers.hint = told.append
    for hand in range(1, 30):
        client.post(f"/g/{code}/entering", data={"hand": str(hand)})
    assert told == [view(app, code).id]
    assert device_of(app, client)


def test_a_hint_ends_by_itself():
    hints = Hints(holds=0.05, quiet=0.05)
    assert hints.may_tell(7) and not hints.may_tell(7) and hints.may_tell(8)
    hints.put(1, 2, 7)
    assert hints.devices(1, 2) == {7} and not hints.devices(1, 3) and not hints.devices(2, 2)
    time.sleep(0.06)
    assert not hints.devices(1, 2) and hints.may_tell(7)


def test_a_stream_says_once_that_there_is_a_hint(app, client, code, monkeypatch):
    monkeypatch.setattr(streams, "HEARTBEAT", 0.2)
    with client.get(f"/g/{code}/live", buffered=False) as response:
        events = response.iter_encoded()
        assert [next(events), next(events)] == [b"retry: 2000\n\n", b"data: 1\n\n"]
        client.post(f"/g/{code}/entering", data={"hand": "1"})
        assert next(events) == b"event: hint\ndata: 0\n\n"
        assert [next(events) for _ in range(3)] == [b"data: 1\n\n"] * 3

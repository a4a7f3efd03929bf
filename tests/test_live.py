"""Who listens to a game hears of every change; the stream, the question for a revision, and the television."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import threading
import time
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import unquote

import pytest
from flask import request
from sqlalchemy import select, update

from companion import live, record
from companion.db import writing
from companion.live import Subscribers
from companion.models import Game, Membership
from companion.referee.commands import Buy, CloseGame, GoDownWithoutCards
from companion.serving import lan
from companion.views.live import _is_gone
from tests.test_start import command, free_port
from tests.web import plain, play, score, start, watch


def test_a_subscriber_hears_of_its_own_game_only():
    subscribers = Subscribers(10)
    mine, other = subscribers.add(1), subscribers.add(2)
    subscribers.invalidate(1)
    assert mine.wait(5)
    assert not other.wait(0)
    assert not mine.wait(0)


def test_what_was_told_before_the_wait_is_not_missed():
    subscribers = Subscribers(10)
    mine = subscribers.add(1)
    subscribers.invalidate(1)
    subscribers.invalidate(1)
    assert mine.wait(0)
    assert not mine.wait(0)


def test_a_phone_has_six_places_and_an_address_a_tenth_but_at_least_thirty():
    subscribers = Subscribers(200)
    mine = [subscribers.add(1, subscribers.holders(7, "10.0.0.1")) for _ in range(8)]
    assert [bool(one) for one in mine] == [True] * 6 + [False] * 2
    assert subscribers.add(2, subscribers.holders(7, "10.0.0.2")) is None, "wherever it is, and whatever the game"
    others = [subscribers.add(1, subscribers.holders(100 + n, "10.0.0.1")) for n in range(30)]
    assert [bool(one) for one in others] == [True] * 24 + [False] * 6
    assert subscribers.add(1, subscribers.holders(200, "10.0.0.2"))
    mine[0].close()
    mine[0].close()
    assert subscribers.add(1, subscribers.holders(8, "10.0.0.1")) and not subscribers.add(
        1, subscribers.holders(9, "10.0.0.1")
    )
    assert len(subscribers) == 31
    big = Subscribers(2000)
    assert [bool(big.add(1, big.holders(n, "a"))) for n in range(201)] == [True] * 200 + [False]
    for game in list(subscribers._by_game.values()):
        for one in list(game):
            one.close()
    assert not subscribers._by_holder and not subscribers._by_game


def test_a_place_whose_phone_has_left_without_a_word_is_free():
    subscribers, left = Subscribers(200), []
    mine = [subscribers.add(1, subscribers.holders(7, "a"), lambda n=n: n in left) for n in range(6)]
    assert subscribers.add(1, subscribers.holders(7, "a")) is None
    left.append(3)
    assert subscribers.add(1, subscribers.holders(7, "a")) is not None
    assert [one.is_closed for one in mine] == [False, False, False, True, False, False]
    assert subscribers.add(1, subscribers.holders(7, "a")) is None


def test_a_seventh_stream_of_a_phone_asks_instead(app, client, code):
    streams = [opened(client, code) for _ in range(6)]
    assert client.get(f"/g/{code}/live").status_code == 204
    other = app.test_client()
    watch(app, other, code)
    assert other.head(f"/g/{code}/live").status_code == 200
    streams[0].close()
    assert client.head(f"/g/{code}/live").status_code == 200
    for stream in streams:
        stream.close()


def test_a_household_of_ipv6_is_one_address_for_streams_too(app, code):
    def stream(address):
        phone = app.test_client()
        watch(app, phone, code)
        return phone.get(f"/g/{code}/live", buffered=False, environ_base={"REMOTE_ADDR": address})

    streams = [stream(f"2001:db8:0:1{n:02x}::{n}") for n in range(31)]
    assert [one.status_code for one in streams] == [200] * 30 + [204]
    streams.append(stream("2001:db8:0:1200::1"))
    assert streams[-1].status_code == 200
    for one in streams:
        one.close()


def test_it_is_seen_that_a_connection_was_closed_at_its_other_end():
    here, there = socket.socketpair()
    with here:
        is_gone = _is_gone({"gunicorn.socket": here})
        assert not is_gone()
        there.sendall(b"x")
        assert not is_gone()
        assert here.recv(5) == b"x", "what was sent is still there to be read"
        there.close()
        assert is_gone()
    assert is_gone()
    assert _is_gone({}) is None


def test_a_wait_ends_with_the_word_of_another_thread():
    subscribers = Subscribers(10)
    mine = subscribers.add(1)
    heard = []
    waiting = threading.Thread(target=lambda: heard.append(mine.wait(30)))
    waiting.start()
    subscribers.invalidate(1)
    waiting.join(10)
    assert heard == [True]


def test_there_are_as_many_places_as_said_and_a_place_left_is_free():
    subscribers = Subscribers(2)
    first, second = subscribers.add(1), subscribers.add(2)
    assert subscribers.add(1) is None
    first.close()
    first.close()
    assert first.is_closed and not second.is_closed
    assert len(subscribers) == 1
    assert subscribers.add(3) is not None


def test_the_database_is_asked_once_for_all_subscribers_and_again_after_each_change():
    subscribers, asked = Subscribers(10), []
    phones = [subscribers.add(1) for _ in range(8)]

    def ask(game):
        asked.append(game)
        return len(asked), frozenset({7})

    assert {phone.standing(ask) for phone in phones} == {(1, frozenset({7}))}
    subscribers.invalidate(2)
    assert phones[0].standing(ask)[0] == 1
    subscribers.invalidate(1)
    assert {phone.standing(ask)[0] for phone in phones} == {2}
    subscribers.invalidate()
    assert phones[0].standing(ask)[0] == 3
    assert asked == [1, 1, 1]
    for phone in phones:
        phone.close()
    assert not subscribers._versions


def test_an_answer_that_a_change_overtook_is_not_told_to_others():
    subscribers = Subscribers(10)
    slow, other = subscribers.add(1), subscribers.add(1)

    def ask(game):
        subscribers.invalidate(game)
        return 1, frozenset()

    assert slow.standing(ask)[0] == 1
    assert other.standing(lambda game: (2, frozenset()))[0] == 2


def test_no_answer_holds_for_longer_than_a_moment():
    subscribers = Subscribers(10, moment=0)
    mine = subscribers.add(1)
    assert mine.standing(lambda game: (1, frozenset())) == (1, frozenset())
    assert mine.standing(lambda game: None) is None
    assert mine.standing(lambda game: (2, frozenset())) == (2, frozenset())


def test_a_change_just_as_the_waiting_ends_is_heard_by_the_next_wait():
    class JustLate(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            in_time = self.is_set()
            self.set()
            return in_time

    subscribers = Subscribers(1)
    mine = subscribers.add(1)
    mine._changed = JustLate()
    assert not mine.wait(1)
    assert mine.wait(1)


def test_a_change_while_the_database_is_asked_is_not_lost():
    subscribers = Subscribers(2)
    mine, other = subscribers.add(1), subscribers.add(1)

    def asked(game: int) -> tuple[int, frozenset[int]]:
        subscribers.invalidate(1)  # something lands just now
        return 1, frozenset()

    assert mine.standing(asked) == (1, frozenset())
    assert other.standing(lambda game: (2, frozenset())) == (2, frozenset())


def test_closing_wakes_everybody_and_takes_no_more():
    subscribers = Subscribers(5)
    mine = subscribers.add(1)
    subscribers.close()
    assert mine.wait(0) and mine.is_closed
    assert subscribers.add(1) is None


@pytest.mark.parametrize(
    ("settings", "limit"), [({}, 213), ({"THREADS": 12}, 8), ({"STREAMS": 3}, 3), ({"THREADS": 1}, 1)]
)
def test_streams_leave_threads_for_pages(make_app, settings, limit):
    app = make_app(**settings)
    assert app.extensions["companion_live"].subscribers.limit == limit


def test_every_committed_entry_is_told(app, client):
    code = start(app, client)
    with app.app_context():
        game, at = record.revision(code)
        mine = live.subscribe(game)
    assert at == 1
    play(app, code, Buy(1, 1))
    assert mine.wait(0)
    with app.app_context():
        assert record.revision(code) == (game, 2)
        live.notify(game)
    assert mine.wait(0)


def test_two_apps_of_one_process_do_not_hear_each_other(make_app):
    one, two = make_app(), make_app()
    code = start(one, one.test_client())
    start(two, two.test_client())
    with two.app_context():
        elsewhere = live.subscribe(1)
    play(one, code, Buy(1, 1))
    assert not elsewhere.wait(0)


def test_no_such_game_has_no_revision(app):
    with app.app_context():
        assert record.revision("nothing") is None
        assert record.since("nothing", 0, 3) == ()


def test_since_gives_the_last_entries_in_order(app, client):
    code = start(app, client)
    play(app, code, Buy(1, 1), Buy(1, 2), Buy(1, 0))
    with app.app_context():
        assert [entry.seq for entry in record.since(code, 1, 2)] == [3, 4]
        assert [entry.seq for entry in record.since(code, 3, 9)] == [4]
        assert record.since(code, 4, 9) == record.since(code, 40, 9) == ()


def opened(client, code):
    """The events of a stream, one at a time; ``close`` it at the end."""
    response = client.get(f"/g/{code}/live", buffered=False)
    assert response.status_code == 200
    return response


def test_a_stream_says_the_revision_at_once_and_after_every_change(app, client, code):
    with opened(client, code) as response:
        events = response.iter_encoded()
        assert response.mimetype == "text/event-stream"
        assert response.headers["X-Accel-Buffering"] == "no"
        assert "no-store" in response.headers["Cache-Control"]
        assert [next(events), next(events)] == [b"retry: 2000\n\n", b"data: 1\n\n"]
        play(app, code, Buy(1, 1))
        assert next(events) == b"data: 2\n\n"
        play(app, code, Buy(1, 2), Buy(1, 0))
        assert next(events) == b"data: 4\n\n"
    assert len(app.extensions["companion_live"].subscribers) == 0


def test_a_heartbeat_says_the_revision_again(app, client, code, monkeypatch):
    monkeypatch.setattr("companion.views.live.HEARTBEAT", 0.01)
    with opened(client, code) as response:
        events = response.iter_encoded()
        assert [next(events) for _ in range(3)] == [b"retry: 2000\n\n", b"data: 1\n\n", b"data: 1\n\n"]


def test_a_stream_ends_when_the_role_is_lost(app, client, code):
    with opened(client, code) as response:
        events = response.iter_encoded()
        next(events), next(events)
        with app.app_context():
            lose_role(code)
            live.notify(record.revision(code)[0])
        assert list(events) == [b"event: gone\ndata: 0\n\n"]
    assert len(app.extensions["companion_live"].subscribers) == 0


def lose_role(code):
    """Take every phone of a game its role away."""
    with writing() as session:
        game = session.execute(select(Game.id).where(Game.code == code)).scalar_one()
        session.execute(update(Membership).where(Membership.game_id == game).values(live=False))


def test_a_stream_ends_when_the_server_stops(app, client, code):
    with opened(client, code) as response:
        events = response.iter_encoded()
        next(events), next(events)
        live.close(app)
        assert list(events) == []


def test_where_every_place_is_taken_a_phone_is_told_to_ask_instead(make_app):
    app = make_app(STREAMS=1)
    client = app.test_client()
    code = start(app, client)
    with opened(client, code):
        assert client.get(f"/g/{code}/live").status_code == 204
        assert client.get(f"/g/{code}/revision").json == {"lines": [], "revision": 1}
    client.head(f"/g/{code}/live").close()
    assert len(app.extensions["companion_live"].subscribers) == 0


@pytest.mark.parametrize("page", ["live", "revision"])
def test_only_phones_of_the_game_hear_of_it(app, client, code, page):
    stranger = app.test_client()
    assert stranger.get(f"/g/{code}/{page}").status_code == 404
    assert client.get(f"/g/nothing/{page}").status_code == 404
    start(app, stranger)
    assert stranger.get(f"/g/{code}/{page}").status_code == 404
    assert client.post(f"/g/{code}/{page}").status_code == 405


def test_the_revision_is_asked_for_cheaply(app, client, code):
    first = client.get(f"/g/{code}/revision?seen=1")
    assert first.json == {"revision": 1, "lines": []}
    asked = {"If-None-Match": first.headers["ETag"]}
    assert client.get(f"/g/{code}/revision?seen=1", headers=asked).status_code == 304
    play(app, code, Buy(1, 1))
    later = client.get(f"/g/{code}/revision?seen=1", headers=asked)
    assert later.status_code == 200
    assert later.json["revision"] == 2
    assert plain(later.json["lines"][0]) == "Bea bought a card."


def test_who_did_what_is_said_in_the_readers_language(app, client, code):
    play(app, code, Buy(1, 1))
    said = client.get(f"/g/{code}/revision?seen=1", headers={"Accept-Language": "pt"}).json["lines"]
    assert said != client.get(f"/g/{code}/revision?seen=1").json["lines"]


def test_only_the_last_few_entries_are_told(app, client, code):
    play(app, code, *(Buy(1, seat) for seat in (0, 1, 2, 0, 1)))
    lines = client.get(f"/g/{code}/revision?seen=1").json["lines"]
    assert [plain(line)[:4] for line in lines] == ["Carl", "Ana ", "Bea "]


def test_what_this_phone_entered_itself_is_not_told_to_it(app, client, code):
    play(app, code, Buy(1, 1))
    client.post(f"/g/{code}/do", data={"do": "buy.0.1", "hand": "1", "seen": "2"})
    client.post(f"/g/{code}/do", data={"do": "buy.2.1", "hand": "1", "seen": "3"})
    assert [plain(line)[:4] for line in client.get(f"/g/{code}/revision?seen=1").json["lines"]] == ["Bea "]
    assert client.get(f"/g/{code}/revision?seen=2").json == {"revision": 4, "lines": []}
    page = client.get(f"/g/{code}/", headers={"X-Seen": "1"})
    assert [plain(line)[:4] for line in json.loads(unquote(page.headers["X-Since"]))] == ["Bea "]
    other = app.test_client()
    watch(app, other, code)
    page = other.get(f"/g/{code}/", headers={"X-Seen": "1"})
    assert [plain(line)[:4] for line in json.loads(unquote(page.headers["X-Since"]))] == ["Bea ", "Ana ", "Carl"]


@pytest.mark.parametrize("seen", ["", "x", "-1", "1e5", "٣", "9" * 30, "4294967296"])
def test_a_nonsense_revision_is_no_fault(client, code, seen):
    assert client.get(f"/g/{code}/revision", query_string={"seen": seen}).status_code == 200
    assert client.get(f"/g/{code}/", headers={"X-Seen": seen.encode().decode("latin-1")}).status_code == 200


def test_a_page_fetched_because_of_a_change_says_what_it_was(app, client, code):
    play(app, code, Buy(1, 1))
    page = client.get(f"/g/{code}/", headers={"X-Seen": "1"})
    assert plain(json.loads(unquote(page.headers["X-Since"]))[0]) == "Bea bought a card."
    assert 'data-revision="2"' in page.text
    assert "X-Since" not in client.get(f"/g/{code}/").headers
    assert "X-Since" not in app.test_client().get(f"/g/{code}/", headers={"X-Seen": "1"}).headers


@contextmanager
def running(app):
    """The port of a real server."""
    waitress = lan.listen(app, "127.0.0.1", 0)
    serving = threading.Thread(target=waitress.run, daemon=True)
    serving.start()
    yield waitress.effective_port
    live.close(app)
    with suppress(OSError):  # closing it from another thread wakes its loop on a socket that is just gone
        waitress.close()
    waitress.task_dispatcher.shutdown()
    serving.join(10)


@pytest.fixture
def server(app):
    """The port of a real server for the app of the test."""
    with running(app) as port:
        yield port


def test_at_home_too_a_proxy_is_believed_when_told_so_and_only_then(make_app):
    said = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "gripe.example", "X-Forwarded-For": "1.2.3.4"}
    for proxies, scheme in ((0, "http"), (1, "https")):
        app = make_app(TRUSTED_PROXIES=proxies)
        app.add_url_rule("/seen", "seen", lambda: f"{request.scheme} {request.remote_addr}")
        with running(app) as port:
            connection = HTTPConnection("127.0.0.1", port, timeout=10)
            connection.request("GET", "/seen", headers=said)
            assert connection.getresponse().read().decode() == f"{scheme} {'1.2.3.4' if proxies else '127.0.0.1'}"
            connection.close()


def connect(client, port, code):
    """A phone's own connection to a stream, and its answer."""
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", f"/g/{code}/live", headers={"Cookie": f"device={client.get_cookie('device').value}"})
    return connection, connection.getresponse()


def test_through_the_server_each_event_comes_at_once(app, client, code, server):
    connection, answer = connect(client, server, code)
    assert [answer.readline() for _ in range(4)] == [b"retry: 2000\n", b"\n", b"data: 1\n", b"\n"]
    play(app, code, Buy(1, 1))
    assert answer.readline() == b"data: 2\n"
    connection.close()


def test_the_place_of_a_phone_that_left_is_free_again_by_itself(app, client, code, server):
    for _ in range(3):
        connection, answer = connect(client, server, code)
        answer.readline()
        answer.close()
        connection.close()
    subscribers = app.extensions["companion_live"].subscribers
    end = time.monotonic() + 10
    while len(subscribers) and time.monotonic() < end:
        time.sleep(0.05)
    assert len(subscribers) == 0


def test_the_television_says_the_hand_its_contract_who_deals_and_the_totals(app, client, code):
    play(app, code, score(1, 0, 0, 45, 40), Buy(2, 1), GoDownWithoutCards(2, 1))
    page = plain(client.get(f"/g/{code}/tv").text)
    for said in (
        "Hand 2 of 10",
        "A set of three and a run of four",
        "Bea deals, Carl starts.",
        "45",
        "3rd",
        "✓",
        "Down",
    ):
        assert said.lower() in page.lower()
    assert "<button" not in page.split('<main id="main"')[1].split("</main>")[0]
    assert re.findall(r'<a class="(.*?)"', page.split('<main id="main"')[1].split("</main>")[0]) == ["tv-back"]


def test_the_television_of_a_night_that_is_closed_lists_the_places(app, client, code):
    play(app, code, score(1, 2, 10, 5, 0), CloseGame())
    page = client.get(f"/g/{code}/tv").text
    assert "The night is over" in page
    assert re.findall(r"<bdi[^>]*>(\w+)</bdi>", page) == ["Carl", "Bea", "Ana"]


def test_the_television_is_for_phones_of_the_game(app, code):
    assert app.test_client().get(f"/g/{code}/tv").status_code == 404


def test_a_server_that_is_stopped_ends_its_streams_first(app, client, code):
    port = free_port()
    line, environ = command(Path(app.instance_path), "run", "--port", str(port))
    with subprocess.Popen(line, env=environ, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            while "Ctrl-C" not in process.stdout.readline():
                assert process.poll() is None
            connection, answer = connect(client, port, code)
            assert [answer.readline() for _ in range(3)] == [b"retry: 2000\n", b"\n", b"data: 1\n"]
        finally:
            process.terminate()
        assert answer.read() == b"\n"  # to its orderly end: a stream broken off raises IncompleteRead
        connection.close()
        said = process.stdout.read()
        assert process.wait(30) == 0
    assert "still running" not in said

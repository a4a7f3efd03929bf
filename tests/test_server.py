"""The server in bad company, over real sockets: who is slow, many or too large keeps no other phone out."""

from __future__ import annotations

import os
import re
import resource
import socket
import subprocess
import time
from contextlib import ExitStack, closing
from http.client import HTTPConnection

import pytest
from flask import Flask

from companion import live
from companion.serving import files, lan, server
from tests.test_live import running
from tests.test_start import command, free_port

MB = 1_000_000


def opened(port: int, sends: bytes = b"") -> socket.socket:
    one = socket.create_connection(("127.0.0.1", port), 10)
    one.sendall(sends)
    return one


def is_cut_off(one: socket.socket, seconds: float = 5) -> bool:
    one.settimeout(seconds)
    try:
        return one.recv(1000) == b""
    except ConnectionResetError:
        return True
    except TimeoutError:
        return False


def asked(port: int, method: str, path: str, body: str = "", headers: dict[str, str] | None = None) -> tuple[int, str]:
    """The status and the page of a request on a connection of its own."""
    with closing(HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        return answer.status, answer.read().decode()


def get(port: int, path: str = "/") -> int:
    return asked(port, "GET", path)[0]


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is waited for."""
    for name, seconds in (("REQUEST", 0.6), ("FIRST", 0.6), ("NEXT", 0.6), ("LOOK", 0.05)):
        monkeypatch.setattr(server, name, seconds)


# --- who is slow -----------------------------------------------------------------------------------------------------


def test_a_request_that_does_not_come_is_given_up_within_seconds() -> None:
    assert server.FIRST <= 15 and server.REQUEST <= 15 and server.NEXT <= 60


def test_a_connection_without_a_request_is_closed(app: Flask, hasty: None) -> None:
    with running(app) as port, opened(port) as silent, opened(port, b"GET / HTTP/1.1\r\nHost: x") as half:
        assert is_cut_off(silent) and is_cut_off(half)
        assert get(port) == 200


def test_a_request_that_dribbles_is_given_up_though_it_never_stops(app: Flask, hasty: None) -> None:
    with running(app) as port, opened(port, b"GET / HTTP/1.1\r\n") as one:
        begun = time.monotonic()
        with pytest.raises(OSError):  # the far end is gone
            while time.monotonic() < begun + 8:
                one.sendall(b"X-A: b\r\n")
                time.sleep(0.05)
        assert time.monotonic() < begun + 5


def test_a_body_that_dribbles_is_given_up_and_one_that_comes_is_not(
    app: Flask, hasty: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = b"POST /language HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n"
    with running(app) as port, opened(port, head % 100_000) as slow, opened(port, head % 1_000_000) as fast:
        slow.sendall(b"x" * 10)
        for _ in range(20):
            fast.sendall(b"x" * 50_000)  # in a second and more, which is longer than a head may take
            time.sleep(0.06)
        assert fast.recv(20).startswith(b"HTTP/1.1 413")
        assert is_cut_off(slow)


def test_a_phone_that_reads_a_stream_is_no_slow_one(app: Flask, client, code: str, hasty: None) -> None:
    cookie = f"device={client.get_cookie('device').value}"
    with running(app) as port, closing(HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
        connection.request("GET", f"/g/{code}/live", headers={"Cookie": cookie})
        answer = connection.getresponse()
        assert [answer.readline() for _ in range(3)][-1] == b"data: 1\n"
        time.sleep(2)
        with app.app_context():
            live.notify(1)
        assert [answer.readline() for _ in range(2)][-1] == b"data: 1\n"


@pytest.mark.parametrize("sends", [b"", b"GET / HTTP/1.1\r\nHost: localhost\r\n", b"POST /language HTTP/1.1\r\n"])
def test_many_that_are_half_open_keep_no_new_phone_out(
    app: Flask, monkeypatch: pytest.MonkeyPatch, sends: bytes
) -> None:
    monkeypatch.setattr(lan, "CONNECTIONS", 40)
    with running(app) as port, ExitStack() as all_open:
        for _ in range(100):
            all_open.enter_context(opened(port, sends))
        begun = time.monotonic()
        assert [get(port) for _ in range(5)] == [200] * 5
        assert time.monotonic() < begun + 5


def test_a_thousand_half_open_ones_keep_no_new_phone_out(app: Flask) -> None:
    files.allow(4000)
    with running(app) as port, ExitStack() as all_open:
        for _ in range(lan.CONNECTIONS + 200):
            all_open.enter_context(opened(port, b"GET / HTTP/1.1\r\n"))
        begun = time.monotonic()
        assert get(port) == 200
        assert time.monotonic() < begun + 5


def test_who_has_most_connections_gives_one_up() -> None:
    class Waiting:
        waits, since = True, 0.0

        def __init__(self, address: str, since: float) -> None:
            self.addr, self.since, self.closed = (address, 1), since, False

        def handle_close(self) -> None:
            self.closed = True

    crowd = [Waiting("10.0.0.9", number) for number in (3, 2, 4)]
    phones = [Waiting("10.0.0.1", 0), Waiting("10.0.0.2", 1)]
    listening = server.Server.__new__(server.Server)
    listening.active_channels = dict(enumerate([*phones, *crowd]))
    listening.most_connections = 5
    listening.accept = lambda: None
    listening.handle_accept()
    assert [one.closed for one in [*phones, *crowd]] == [False, False, False, True, False]


# --- what is too large -----------------------------------------------------------------------------------------------


def post(port: int, path: str, size: int, chunked: bool = False) -> tuple[int, str]:
    """What a browser does: send everything, then read the answer."""
    body = (
        b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.json"\r\n\r\n'
        + b" " * size
        + b"\r\n--x--\r\n"
    )
    headers = {"Content-Type": "multipart/form-data; boundary=x", "Accept-Language": "pt"}
    parts = (body[at : at + 65_536] for at in range(0, len(body), 65_536))
    with closing(HTTPConnection("127.0.0.1", port, timeout=30)) as connection:
        if chunked:
            connection.request("POST", path, parts, headers, encode_chunked=True)
        else:
            connection.request("POST", path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()


@pytest.mark.parametrize("chunked", [False, True])
def test_the_limit_is_the_pages_and_the_page_says_it(app: Flask, chunked: bool) -> None:
    with running(app) as port:
        status, page = post(port, "/data", 7 * MB, chunked)
        assert status == 422 and "não é JSON" in page, "it was read"
        for size in (9 * MB, 30 * MB):
            status, page = post(port, "/data", size, chunked)
            assert status == 413 and "companion import" in page and "8 MB" in page
            assert '<html lang="pt"' in page and page.rstrip().endswith("</html>")
        status, page = post(port, "/language", 2 * MB, chunked)
        assert status == 413 and '<html lang="pt"' in page and page.rstrip().endswith("</html>")


def test_a_length_that_is_a_lie_costs_nothing(app: Flask) -> None:
    with (
        running(app) as port,
        opened(port, b"POST /data HTTP/1.1\r\nHost: x\r\nContent-Length: " + b"9" * 30 + b"\r\n\r\n"),
    ):
        assert get(port) == 200


# --- out of files ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [70, 120, 256, 1024, 4096, 100_000])
def test_what_is_open_stays_below_the_limit(limit: int) -> None:
    room = files.room(320, 1000, limit)
    assert 1 <= room.threads <= 320 and 4 <= room.connections <= 1000
    assert limit < 140 or files.needed(*room) <= limit
    assert limit < 4096 or room == (320, 1000)


@pytest.mark.parametrize(
    ("limits", "has"), [((1024, 20_000), 3000), ((1024, 2000), 2000), ((9000, 20_000), 9000), ((-1, -1), 3000)]
)
def test_the_limit_is_raised_as_far_as_it_may(monkeypatch: pytest.MonkeyPatch, limits, has: int) -> None:
    asked = []
    monkeypatch.setattr(resource, "getrlimit", lambda _what: limits)
    monkeypatch.setattr(resource, "setrlimit", lambda _what, both: asked.append(both))
    assert files.allow(3000) == has
    assert asked == ([(has, limits[1])] if 0 < limits[0] < has else [])


def test_with_few_files_it_says_so_once_and_serves(tmp_path) -> None:
    line, environ = command(tmp_path, "run", "--port", str(port := free_port()))
    line = ["bash", "-c", 'ulimit -n 200 && exec "$@"', "-", *line]
    with (
        open(tmp_path / "said", "w+") as said,
        subprocess.Popen(line, env=environ, stdout=subprocess.PIPE, stderr=said, text=True) as process,
    ):
        assert process.stdout
        while "Ctrl-C" not in (process.stdout.readline() or pytest.fail("never came up")):
            pass
        try:
            with ExitStack() as all_open:
                for _ in range(300):
                    all_open.enter_context(opened(port, b"GET / HTTP/1.1\r\n"))
                assert [get(port) for _ in range(3)] == [200] * 3
        finally:
            process.terminate()
            assert process.wait(30) == 0
        said.seek(0)
        lines = said.read().splitlines()
    assert len(lines) == 1 and re.match(r"This system allows 200 open files: \d+ requests .* `ulimit -n \d+`", lines[0])


def test_where_the_files_run_out_all_the_same_it_is_said_once(app: Flask, monkeypatch, caplog) -> None:
    """Another part of the program has taken them: new connections wait, and the log has one line."""
    monkeypatch.setattr(server, "LOOK", 0.1)
    fails = iter([True] * 5)

    def accept(_self):
        if next(fails, False):
            raise OSError(24, os.strerror(24))
        return real(_self)

    real = server.TcpWSGIServer.accept
    monkeypatch.setattr(server.TcpWSGIServer, "accept", accept)
    with running(app) as port:
        assert get(port) == 200
    assert [record.getMessage() for record in caplog.records if "open files" in record.getMessage()] == [
        "out of open files: new connections wait; `ulimit -n` says how many there may be"
    ]
    assert "Traceback" not in caplog.text


def test_another_error_of_a_connection_is_nobody_elses(app: Flask, monkeypatch) -> None:
    fails = iter([True])

    def accept(_self):
        if next(fails, False):
            raise ConnectionAbortedError(103, "gone already")
        return real(_self)

    real = server.TcpWSGIServer.accept
    monkeypatch.setattr(server.TcpWSGIServer, "accept", accept)
    with running(app) as port:
        assert get(port) == 200

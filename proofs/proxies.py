"""The recipes of docs/hosting.md for real proxies, before the servers that they are written for.

    python -m proofs.proxies [nginx|nginx-two|caddy|caddy-two|mkcert] [COMMANDS]    (root, for port 443; nginx, caddy, mkcert)

Of each: pages over HTTPS with their headers, wake lock and service worker in Chromium, a stream that stays open and tells of
an entry made past the proxy, and that the proxy stops though streams are open. Those with two servers, hosted on one PostgreSQL:
several phones with their streams enter commands at once, one server is killed in the middle and comes back; all go on at
the other one, every stream that broke off is open again and tells of entries made after that, and what was acknowledged is in
the record once each.
"""

from __future__ import annotations

import base64
import hashlib
import http.client
import shutil
import ssl
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from playwright.sync_api import sync_playwright

from companion import record
from companion.command.maintenance import check
from companion.db import db
from proofs.phones import Phone
from proofs.proxy_recipes import KINDS, NAME, Proxy, proxied
from proofs.servers import Server
from proofs.taps import landed, tap
from tools.postgres import Postgres

#: A stream says something every 15 seconds: so long it is watched before anything happens.
QUIET = 20
#: Phones, each at a table of its own.
PHONES = 8


def prove(kind: str, commands: int) -> str:
    """One recipe from start to end; raises AssertionError where a promise is broken, else what came of it."""
    with _servers(kind) as (servers, folder):
        with proxied(kind, folder, servers) as proxy:
            came = _one_table(kind, proxy, servers)
            if len(servers) > 1:
                came += "; " + _killed(proxy, servers, commands)
            open_stream = _opened(*_phone_at(servers[0], proxy.address))
            took = proxy.stop()
            open_stream.hang_up()
        return f"{kind}: {came}; stopped in {took:.1f} s with a stream open"


@contextmanager
def _servers(kind: str) -> Iterator[tuple[list[Server], Path]]:
    """The servers that a recipe is written for, running, and a folder for the proxy."""
    with tempfile.TemporaryDirectory(prefix="proxy-") as place, ExitStack() as stack:
        folder = Path(place)
        settings = {"COMPANION_TRUSTED_PROXIES": "1"}
        if kind != "mkcert":
            postgres = stack.enter_context(Postgres())
            settings |= {"DATABASE_URL": postgres.create("proxied"), "COMPANION_SECRET_KEY": "the same everywhere"}
        servers = []
        for number in range(KINDS[kind]):
            own = folder / f"server{number}"
            own.mkdir()
            servers.append(Server(own, "run" if kind == "mkcert" else "hosted", settings))
            stack.callback(servers[-1].close)
            servers[-1].start()
        yield servers, folder


def _phone_at(server: Server, address: str) -> tuple[Phone, str]:
    """A phone at a table of its own, which uses the server by that address."""
    code, (phone,) = server.game()
    return _moved(phone, address), code


def _moved(phone: Phone, address: str) -> Phone:
    moved = Phone(address, phone.name)
    moved.cookies = dict(phone.cookies)
    return moved


# --- one table ---------------------------------------------------------------------------------------------------------


def _one_table(kind: str, proxy: Proxy, servers: list[Server]) -> str:
    code, (here, away) = servers[0].game(keepers=2)
    through, past = _moved(here, proxy.address), _moved(away, servers[-1].address)
    page = through.get(f"/g/{code}/")
    assert page.status == 200, page.status
    is_kept = "max-age" in page.headers.get("strict-transport-security", "")
    assert is_kept is (kind != "mkcert"), "hosted stays with HTTPS, a home may go back"
    stream = _opened(through, code)
    time.sleep(QUIET)
    assert stream.is_open, f"the stream ended within {QUIET} s"
    slip = {"csrf_token": past.csrf(f"/g/{code}/"), "token": record.new_token(), "seen": "1", "hand": "1"}
    at = time.monotonic()
    assert past.post(f"/g/{code}/do", {**slip, "do": "buy.1.1"}).status == 303
    told = stream.told_of(2, at + 10) - at
    stream.hang_up()
    _in_a_browser(proxy.address, here, code)
    return f"told after {told:.2f} s of a stream {QUIET} s old; wake lock granted and service worker active in Chromium"


def _in_a_browser(address: str, phone: Phone, code: str) -> None:
    """Wake lock and service worker, which browsers give over HTTPS alone."""
    der = ssl.PEM_cert_to_DER_cert(ssl.get_server_certificate((NAME, 443)))
    read = ["openssl", "x509", "-inform", "der", "-pubkey", "-noout"]
    public = subprocess.run(read, input=der, check=True, capture_output=True).stdout.decode()
    spki = base64.b64decode("".join(public.strip().splitlines()[1:-1]))
    digest = base64.b64encode(hashlib.sha256(spki).digest()).decode()
    flags = ["--no-sandbox", f"--ignore-certificate-errors-spki-list={digest}"]
    with sync_playwright() as driver, tempfile.TemporaryDirectory(prefix="profile-") as profile:
        context = driver.chromium.launch_persistent_context(
            profile, executable_path=shutil.which("chromium"), args=flags, ignore_https_errors=False
        )
        context.add_cookies([{"name": n, "value": v, "url": address} for n, v in phone.cookies.items()])
        page = context.new_page()
        page.goto(f"{address}/g/{code}/")
        granted = page.evaluate("async () => !(await navigator.wakeLock.request('screen')).released")
        assert granted is True, "the wake lock is not granted"
        state = page.evaluate("async () => (await navigator.serviceWorker.ready).active.state")
        assert state in ("activating", "activated"), state
        page.wait_for_function("async () => (await navigator.serviceWorker.ready).active.state === 'activated'")
        context.close()


# --- streams -----------------------------------------------------------------------------------------------------------


@dataclass
class Stream:
    """A stream that is read on a thread; it is opened anew where it ends, as a browser does, until it is hung up."""

    phone: Phone
    code: str
    heard: list[tuple[float, int]] = field(default_factory=list)
    opened: list[float] = field(default_factory=list)
    is_open: bool = False
    _line: http.client.HTTPConnection | None = None
    _is_over: bool = False

    def run(self) -> None:
        """Read until it is hung up."""
        while not self._is_over:
            # The proxy has no server for a moment, or the line breaks off: then once more.
            with suppress(OSError, ValueError, AttributeError, http.client.HTTPException):
                self._read()
            self.is_open = False
            time.sleep(0.2)

    def _read(self) -> None:
        self._line = self.phone._connection()
        cookies = "; ".join(f"{name}={value}" for name, value in self.phone.cookies.items())
        self._line.request("GET", f"/g/{self.code}/live", headers={"Cookie": cookies, "User-Agent": self.phone.name})
        answer = self._line.getresponse()
        if answer.status != 200:
            return
        assert answer.headers["Content-Type"].startswith("text/event-stream")
        while line := answer.readline():
            number = line.removeprefix(b"data: ").strip()
            if number.isdigit():
                if not self.is_open:
                    self.opened.append(time.monotonic())
                    self.is_open = True
                self.heard.append((time.monotonic(), int(number)))

    def told_of(self, revision: int, until: float) -> float:
        """When it first told of that revision or a later one. Raises AssertionError where it does not in time."""
        while True:
            for moment, number in list(self.heard):
                if number >= revision:
                    return moment
            assert time.monotonic() < until, f"the stream does not tell of entry {revision}; it heard {self.heard[-3:]}"
            time.sleep(0.01)

    def hang_up(self) -> None:
        """Read no more."""
        self._is_over = True
        if self._line is not None:
            self._line.close()


def _opened(phone: Phone, code: str) -> Stream:
    """A stream of a table, once it is open."""
    stream = Stream(_moved(phone, phone.address), code)
    threading.Thread(target=stream.run, daemon=True).start()
    end = time.monotonic() + 15
    while not stream.is_open:
        assert time.monotonic() < end, "the stream does not open"
        time.sleep(0.01)
    return stream


# --- one of two servers is killed under load -----------------------------------------------------------------------------


@dataclass
class Table:
    """A phone at its table, with its stream, and what came of its commands; ``seen`` is the revision at the beginning."""

    phone: Phone
    code: str
    stream: Stream
    seen: int
    acknowledged: set[str] = field(default_factory=set)
    refused: int = 0
    again: int = 0
    wrong: list[str] = field(default_factory=list)


def _killed(proxy: Proxy, servers: list[Server], commands: int) -> str:
    """Commands through the proxy from all phones at once; one server is killed, and comes back."""
    tables = []
    for _number in range(PHONES):
        phone, code = _phone_at(servers[0], proxy.address)
        tables.append(Table(phone, code, _opened(phone, code), 1))
    each, halves = commands // PHONES, (Random(7), Random(8))
    _at_once(tables, lambda table: _enter(table, servers[0], each // 2, halves[0].random()))
    before = {table.code: len(table.stream.opened) for table in tables}
    killing = threading.Timer(0.2, servers[1].kill)
    killing.start()
    _at_once(tables, lambda table: _enter(table, servers[0], each - each // 2, halves[1].random()))
    killing.join()
    broke = [table for table in tables if len(table.stream.opened) > before[table.code] or not table.stream.is_open]
    _at_once(tables, lambda table: _goes_on(table, servers[0]))
    servers[1].start()
    _at_once(tables, lambda table: _enter(table, servers[0], 3, 0.5))
    for table in tables:
        table.stream.hang_up()
        _judge(table, servers[0])
    assert broke, "no stream was at the server that was killed"
    landed_all, again = sum(len(table.acknowledged) for table in tables), sum(table.again for table in tables)
    return (
        f"{PHONES} phones: {landed_all} commands acknowledged and in the record once each, "
        f"{sum(table.refused for table in tables)} refused, {again} sent again; a server killed, {len(broke)} of {PHONES} streams "
        f"broke off and told of new entries at the other one"
    )


def _at_once(tables: list[Table], act: Callable[[Table], None]) -> None:
    def run(table: Table) -> None:
        try:
            act(table)
        except AssertionError as error:
            table.wrong.append(str(error))

    threads = [threading.Thread(target=run, args=(table,)) for table in tables]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    wrong = [words for table in tables for words in table.wrong]
    assert not wrong, wrong


def _enter(table: Table, server: Server, commands: int, seed: float) -> None:
    """Send so many commands, each until it is answered."""
    random = Random(f"{table.code}{seed}")
    csrf = table.phone.csrf(f"/g/{table.code}/")
    with server.app.app_context():
        for _number in range(commands):
            db.session.rollback()
            view = record.load(table.code)
            assert view is not None
            sent = tap(view, random, csrf)
            status, tries = _send(table.phone, sent.path, sent.fields)
            table.again += tries
            assert status in (303, 409, 422), f"{sent} was answered with {status}"
            if status == 303:
                table.acknowledged.add(sent.token)
            else:
                table.refused += 1
        db.session.remove()


def _goes_on(table: Table, server: Server) -> None:
    """The stream is open, and tells of an entry made from now on."""
    end = time.monotonic() + 15
    while not table.stream.is_open:
        assert time.monotonic() < end, "a stream that broke off is not opened again"
        time.sleep(0.01)
    with server.app.app_context():
        db.session.rollback()
        view = record.load(table.code)
        db.session.remove()
    assert view is not None
    already = len(table.acknowledged)
    while len(table.acknowledged) == already:
        _enter(table, server, 1, time.monotonic())
    table.stream.told_of(view.revision + 1, time.monotonic() + 20)


def _judge(table: Table, server: Server) -> None:
    """What was acknowledged is there, each command as one entry, and nothing else."""
    with server.app.app_context():
        db.session.rollback()
        lost = table.acknowledged - set(landed(table.code))
        assert not lost, f"{len(lost)} acknowledged entries are not there"
        view = record.load(table.code)
        assert view is not None
        entries = view.revision - table.seen
        assert entries == len(table.acknowledged), f"{entries} entries of {len(table.acknowledged)} commands"
        assert check() == [], check()
        db.session.remove()


def _send(phone: Phone, path: str, fields: dict[str, str]) -> tuple[int, int]:
    """Send until there is an answer, as a phone does; with how often it was sent again."""
    for tries in range(100):
        try:
            status = phone.post(path, fields).status
        except (OSError, http.client.HTTPException):
            status = 502
        if status not in (502, 503, 504):
            return status, tries
        time.sleep(0.1)
    raise AssertionError("no server answers through the proxy")


def main(arguments: list[str]) -> None:
    """Every recipe, or the one named."""
    missing = [program for program in ("nginx", "caddy", "mkcert", "openssl") if not shutil.which(program)]
    if missing:
        sys.exit(
            f"Missing: {', '.join(missing)}. On Debian or Ubuntu: sudo apt install nginx-light caddy mkcert openssl"
        )
    kinds = [arguments[0]] if arguments else list(KINDS)
    commands = int(arguments[1]) if len(arguments) > 1 else 400
    for kind in kinds:
        start = time.monotonic()
        print(f"{prove(kind, commands)} ({time.monotonic() - start:.0f} s)", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])

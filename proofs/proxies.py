"""The recipes of docs/hosting.md for real proxies, as they stand there, before two hosted servers on one PostgreSQL.

    python -m proofs.proxies [nginx|caddy|mkcert] [COMMANDS]      (root, for port 443; nginx, caddy and mkcert)

Only names, addresses and certificates are put in. Of each: a page over HTTPS with its headers, a stream that stays open
and tells of an entry made at the other server, wake lock and service worker in Chromium, and commands of which one server
is killed in the middle: its phones go on at the other one, nothing acknowledged is lost and nothing is there twice.
"""

from __future__ import annotations

import base64
import hashlib
import http.client
import re
import shutil
import ssl
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random

from playwright.sync_api import sync_playwright
from sqlalchemy import func, select

from companion import record
from companion.command.maintenance import check
from companion.db import db
from companion.models import Entry
from proofs.phones import Phone
from proofs.servers import Server
from proofs.taps import landed, tap
from tools.postgres import Postgres

DOCUMENT = Path(__file__).parents[1] / "docs" / "hosting.md"
NAME = "localhost"
KINDS = ("nginx", "caddy", "mkcert")
#: What each recipe begins with, in the document.
BEGINS = {
    "nginx": "server {",
    "caddy": "gripe.example.org {",
    "mkcert": "https://gripe.local, ",
    "two": "upstream gripe {",
}
#: A stream says something every 15 seconds: so long it is watched before anything happens.
QUIET = 20


def recipes() -> dict[str, list[str]]:
    """The blocks of the document by what they begin with, in its order."""
    blocks = re.findall(r"```\n(.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL)
    return {kind: [block for block in blocks if block.startswith(begins)] for kind, begins in BEGINS.items()}


def settings(kind: str, folder: Path, servers: list[Server]) -> str:
    """The proxy's settings: the recipe with this proof's names, certificate and servers."""
    certificate, key = folder / "cert.pem", folder / "key.pem"
    if kind == "nginx":
        upstream, site = recipes()["two"][0], recipes()["nginx"][0]
        for address, server in zip(("10.0.0.2:8000", "10.0.0.3:8000"), servers, strict=True):
            upstream = upstream.replace(address, f"127.0.0.1:{server.port}")
        site = site.replace("http://127.0.0.1:8000", "http://gripe").replace("gripe.example.org", NAME)
        site = re.sub(r"# ssl_certificate .*", f"ssl_certificate {certificate}; ssl_certificate_key {key};", site)
        files = f"pid {folder}/nginx.pid; error_log {folder}/nginx.log; daemon off;"
        return f"{files}\nevents {{ worker_connections 1024; }}\nhttp {{ access_log off;\n{upstream}\n{site}}}\n"
    if kind == "mkcert":
        site = recipes()["mkcert"][0].replace("https://gripe.local, https://192.168.1.20", f"https://{NAME}")
        site = site.replace("gripe.local+1-key.pem", str(key)).replace("gripe.local+1.pem", str(certificate))
        return "{\n admin off\n auto_https disable_redirects\n}\n" + site.replace(
            "127.0.0.1:8000", f"127.0.0.1:{servers[0].port}"
        )
    site = recipes()["caddy"][1].replace("gripe.example.org {", f"https://{NAME} {{\n    tls internal", 1)
    for address, server in zip(("10.0.0.2:8000", "10.0.0.3:8000"), servers, strict=True):
        site = site.replace(address, f"127.0.0.1:{server.port}")
    options = "{\n admin off\n auto_https disable_redirects\n skip_install_trust\n}\n"
    return options + site


@contextmanager
def proxied(kind: str, folder: Path, servers: list[Server]) -> Iterator[str]:
    """The proxy before these servers; gives its address."""
    names = ["-cert-file", str(folder / "cert.pem"), "-key-file", str(folder / "key.pem"), NAME]
    subprocess.run(
        ["mkcert", *names], check=True, capture_output=True, env={"CAROOT": str(folder), "PATH": "/usr/bin:/bin"}
    )
    written = folder / ("nginx.conf" if kind == "nginx" else "Caddyfile")
    written.write_text(settings(kind, folder, servers))
    program = ["nginx", "-c", str(written)] if kind == "nginx" else ["caddy", "run", "--config", str(written)]
    log = (folder / "proxy.log").open("wb")
    environ = {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "PATH": "/usr/sbin:/usr/bin:/bin"}
    running = subprocess.Popen(program, stdout=log, stderr=log, env=environ)
    try:
        _wait_for(f"https://{NAME}", folder / "proxy.log")
        yield f"https://{NAME}"
    finally:
        running.terminate()
        running.wait(20)
        log.close()


def _wait_for(address: str, log: Path) -> None:
    end = time.monotonic() + 30
    while True:
        try:
            if Phone(address).get("/").status == 200:
                return
        except (OSError, http.client.HTTPException):
            pass
        if time.monotonic() > end:
            raise RuntimeError(f"the proxy does not start:\n{log.read_text('utf-8', 'replace')[-2000:]}")
        time.sleep(0.1)


def prove(kind: str, commands: int) -> str:
    """One recipe from start to end; raises AssertionError where a promise is broken, else what came of it."""
    with tempfile.TemporaryDirectory(prefix="proxy-") as place, Postgres() as postgres:
        url = postgres.create("proxied")
        shared = {"DATABASE_URL": url, "COMPANION_SECRET_KEY": "the same everywhere", "COMPANION_TRUSTED_PROXIES": "1"}
        folders = [Path(place) / name for name in ("one", "two", "proxy")]
        for folder in folders:
            folder.mkdir()
        servers = [Server(folder, "hosted", shared) for folder in folders[:2]]
        try:
            for server in servers:
                server.start()
            with proxied(kind, folders[2], servers) as address:
                return _judge(kind, address, servers, commands)
        finally:
            for server in servers:
                server.close()


def _judge(kind: str, address: str, servers: list[Server], commands: int) -> str:
    code, (here, away) = servers[0].game(keepers=2)
    through, other = _moved(here, address), _moved(away, servers[1].address)
    page = through.get(f"/g/{code}/")
    assert page.status == 200, page.status
    assert "max-age" in page.headers["strict-transport-security"]
    told = _stream(through, other, code)
    in_browser = _in_a_browser(address, here, code)
    lost = _killed(through, servers, code, commands) if kind != "mkcert" else "one server only"
    return f"{kind}: HSTS; an entry made at the other server told after {told:.2f} s of a stream {QUIET} s old; {in_browser}; {lost}"


def _moved(phone: Phone, address: str) -> Phone:
    """The same phone at another address."""
    moved = Phone(address, phone.name)
    moved.cookies = dict(phone.cookies)
    return moved


def _stream(phone: Phone, other: Phone, code: str) -> float:
    """How long after an entry at the other server the open stream speaks of it."""
    line = phone._connection()
    cookies = "; ".join(f"{name}={value}" for name, value in phone.cookies.items())
    line.request("GET", f"/g/{code}/live?seen=1", headers={"Cookie": cookies, "User-Agent": phone.name})
    stream = line.getresponse()
    assert stream.status == 200, stream.status
    assert stream.headers["Content-Type"].startswith("text/event-stream")
    heard: list[tuple[float, bytes]] = []
    threading.Thread(target=_listen, args=(stream, heard), daemon=True).start()
    time.sleep(QUIET)
    view = other.get(f"/g/{code}/")
    assert view.status == 200, view.status
    slip = {"csrf_token": other.csrf(f"/g/{code}/"), "token": record.new_token(), "seen": "1", "hand": "1"}
    at = time.monotonic()
    assert other.post(f"/g/{code}/do", {**slip, "do": "buy.1.1"}).status == 303
    while not any(moment > at and part.strip() for moment, part in heard):
        assert time.monotonic() < at + 10, "the stream does not tell"
        time.sleep(0.01)
    told = min(moment for moment, part in heard if moment > at and part.strip()) - at
    line.close()
    return told


def _listen(stream: http.client.HTTPResponse, heard: list[tuple[float, bytes]]) -> None:
    """Note each line with its moment, until the proof hangs up: then the line is closed under this reader."""
    with suppress(OSError, ValueError, AttributeError, http.client.HTTPException):
        while part := stream.readline():
            heard.append((time.monotonic(), part))


def _in_a_browser(address: str, phone: Phone, code: str) -> str:
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
        assert page.evaluate("isSecureContext && 'wakeLock' in navigator")
        page.evaluate("async () => (await navigator.serviceWorker.ready).active.state")
        context.close()
    return "wake lock and service worker in Chromium"


def _killed(phone: Phone, servers: list[Server], code: str, commands: int) -> str:
    """Commands through the proxy while one server is killed, and later comes back."""
    random, acknowledged, refused, again = Random(7), set[str](), 0, 0
    app = servers[0].app
    csrf = phone.csrf(f"/g/{code}/")
    with app.app_context():
        for number in range(commands):
            if number == commands // 3:
                threading.Thread(target=servers[1].kill, daemon=True).start()
            if number == 2 * commands // 3:
                servers[1].start()
            db.session.rollback()
            view = record.load(code)
            assert view is not None
            sent = tap(view, random, csrf)
            status, tries = _send(phone, sent.path, sent.fields)
            again += tries
            assert status in (303, 409, 422), f"{sent} was answered with {status}"
            refused += status != 303
            acknowledged |= {sent.token} if status == 303 else set()
        db.session.rollback()
        lost = acknowledged - set(landed(code))
        assert not lost, f"{len(lost)} acknowledged entries are not there"
        view = record.load(code)
        assert view is not None
        tokens = select(func.count(Entry.token), func.count(Entry.token.distinct())).where(Entry.game_id == view.id)
        every, different = db.session.execute(tokens).one()
        assert every == different, "a token landed twice"
        assert check() == [], check()
    came = f"{len(acknowledged)} acknowledged and there, {refused} refused, {again} sent again"
    return f"{commands} commands, one server killed and back: {came}"


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
    commands = int(arguments[1]) if len(arguments) > 1 else 300
    for kind in kinds:
        start = time.monotonic()
        print(f"{prove(kind, commands)} ({time.monotonic() - start:.0f} s)", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])

"""`companion doctor`: what may be wrong with this server, and what to do about it; it changes nothing."""

import os
import platform
import shutil
import socket
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import click
from flask import Flask
from sqlalchemy import func, select
from sqlalchemy.exc import DatabaseError

from companion import create_app
from companion.config import CHECKOUT, INSTALLED_BY, SetupError, as_started
from companion.db import db, file_of
from companion.migrations.upgrading import standing_of
from companion.models import Entry
from companion.record import readiness
from companion.serving import lan, running

#: Below so many bytes the disk is nearly full.
LITTLE = 200 * 2**20
#: A clock that says less is wrong: this program is younger.
YOUNGEST = datetime(2026, 1, 1, tzinfo=UTC)
_COPY = "Stop the server and put back the last copy made by “companion backup”."
_OPEN = "Right behind a proxy; for phones in the same Wi-Fi leave HOST out."
_PROXY = "Set COMPANION_TRUSTED_PROXIES=1 behind one that speaks HTTPS (docs/hosting.md)."
_HTTPS = "docs/hosting.md says how to get HTTPS at home."


class Finding(NamedTuple):
    """What was looked at: ``sign`` "ok", "note" (nothing is wrong) or "bad", in one sentence, and what to do ("" nothing)."""

    sign: str
    what: str
    advice: str = ""


def examine(app: Flask) -> list[Finding]:
    """Every finding about a server, in the order in which they are said."""
    looks: tuple[Callable[[Flask], Iterator[Finding]], ...] = (
        _versions, _folder, _disk, _database, _clock, _port, _address, _https,
    )  # fmt: skip
    return [finding for look in looks for finding in look(app)]


def _versions(app: Flask) -> Iterator[Finding]:
    try:
        own = version("gripe-companion")
    except PackageNotFoundError:
        own = "not installed"
    where = f"from the checkout {CHECKOUT}" if CHECKOUT else "installed"
    yield Finding(
        "ok",
        f"Gripe Companion {own} ({where}), Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, "
        f"{platform.system()} {platform.release()}",
    )
    missing = [name for name in ("gunicorn", "psycopg") if app.config["HOSTED"] and find_spec(name) is None]
    if missing:
        yield Finding("bad", f"{' and '.join(missing)} is missing for many tables", INSTALLED_BY)


def _folder(app: Flask) -> Iterator[Finding]:
    folder = Path(app.instance_path)
    yield Finding("ok", f"Games, secret and settings are kept in {folder}")
    secret = folder / "secret"
    if os.name == "posix" and secret.exists() and secret.stat().st_mode & 0o077:
        yield Finding(
            "bad", f"Others on this machine can read {secret}, and could pretend to be any phone", f"chmod 600 {secret}"
        )


def _disk(app: Flask) -> Iterator[Finding]:
    free = shutil.disk_usage(app.instance_path).free
    words = f"{free / 2**20:,.0f} MB are free on the disk"
    yield (
        Finding("ok", words)
        if free >= LITTLE
        else Finding("bad", words, "Make room: without it nothing can be entered.")
    )


def _database(app: Flask) -> Iterator[Finding]:
    file = file_of(app)
    try:
        with app.app_context():
            standing = "new" if file is not None and not file.exists() else standing_of()
    except SetupError as error:
        yield Finding("bad", str(error), "Nothing is entered until it can be used. If it is damaged: " + _COPY)
        return
    if standing == "new":
        yield Finding("note", "There is no game yet: the database is made at the first start")
    elif standing == "older":
        yield Finding(
            "note",
            "The database is of an earlier version; the next start brings it up to date and keeps a copy of it",
        )
    elif file is not None and (damage := _damage(file)):
        yield Finding("bad", f"The database {file} is damaged: {damage}", _COPY)
    else:
        with app.app_context():
            games, entries = db.session.execute(select(func.count(func.distinct(Entry.game_id)), func.count())).one()
            db.session.remove()
        yield Finding(
            "ok",
            f"The database is whole and of this version: {games} games, {entries} entries (“companion check” replays them all)",
        )


def _damage(file: Path) -> str:
    """What SQLite finds wrong with its file, "" for nothing."""
    try:
        with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as connection:
            found = [row[0] for row in connection.execute("PRAGMA quick_check(5)")]
    except sqlite3.DatabaseError as error:
        return str(error)
    return "" if found == ["ok"] else "; ".join(found)


def _clock(app: Flask) -> Iterator[Finding]:
    now = datetime.now(UTC)
    advice = "Set the clock: nights are listed by their day. Entries, phones and forms do not depend on it."
    if now < YOUNGEST:
        yield Finding("bad", f"The clock says {now:%Y-%m-%d}, which is over", advice)
        return
    last = None
    file = file_of(app)
    with app.app_context():
        if (file is None or file.exists()) and readiness.is_ready():
            with suppress(DatabaseError):  # damaged, which is said already
                last = db.session.scalar(select(func.max(Entry.at)))
        db.session.remove()
    if last is not None and last > now + timedelta(minutes=5):
        yield Finding(
            "bad", f"The clock says {now:%Y-%m-%d %H:%M} UTC, but the last entry is of {last:%Y-%m-%d %H:%M}", advice
        )
    else:
        yield Finding("ok", f"The clock says {now:%Y-%m-%d %H:%M} UTC")


def _port(app: Flask) -> Iterator[Finding]:
    host, port = str(app.config["HOST"]), int(app.config["PORT"])
    if at := running.found(app.instance_path):
        yield Finding("ok", f"The server runs on port {at[1]}")
        return
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            yield Finding("bad", lan.why_not(error, host, port), "")
        else:
            yield Finding("ok", f"The server does not run, and port {port} is free for it")


def _address(app: Flask) -> Iterator[Finding]:
    host, port = str(app.config["HOST"]), int(app.config["PORT"])
    if host in ("127.0.0.1", "::1", "localhost"):
        yield Finding(
            "note",
            f"Only this machine can open it (HOST={host})",
            "Right behind a proxy; for phones in the same Wi-Fi leave HOST out.",
        )
        return
    addresses = [url for url in lan.urls(host, port) if "127.0.0.1" not in url]
    if not addresses:
        yield Finding("bad", "This machine has no address on a network", "Connect it to the Wi-Fi of the phones.")
        return
    yield Finding("ok", f"Phones in the same Wi-Fi open {' or '.join(addresses)}")
    yield Finding(
        "note", "If a phone finds nothing there, a firewall may be in between", firewall_hint(sys.platform, port)
    )


def firewall_hint(system: str, port: int) -> str:
    """What to do about the firewall of a system (``sys.platform``), for a port."""
    wifi = " In some Wi-Fis, those for guests above all, devices cannot see each other."
    if system == "win32":
        return (
            f'netsh advfirewall firewall add rule name="Gripe Companion" dir=in action=allow protocol=TCP localport={port} '
            "(as administrator), and the network must be a private one." + wifi
        )
    if system == "darwin":
        return "System Settings, Network, Firewall: allow Python to take incoming connections." + wifi
    return f"sudo ufw allow {port}/tcp, or sudo firewall-cmd --add-port={port}/tcp." + wifi


def _https(app: Flask) -> Iterator[Finding]:
    if app.config["TRUSTED_PROXIES"]:
        yield Finding(
            "ok", f"{app.config['TRUSTED_PROXIES']} in front is believed where requests come from; it speaks HTTPS"
        )
    elif app.config["HOSTED"]:
        yield Finding(
            "bad",
            "Many tables without a proxy: everybody on the way can read along",
            "Set COMPANION_TRUSTED_PROXIES=1 behind one that speaks HTTPS (docs/hosting.md).",
        )
    else:
        yield Finding(
            "note",
            "Pages come over plain HTTP: phones let their screens sleep and do not install the app",
            "docs/hosting.md says how to get HTTPS at home.",
        )


@click.command()
def doctor() -> None:
    """Say what may be wrong (port, address, database, disk, clock, HTTPS, versions), and what to do."""
    findings = examine(create_app())
    for finding in findings:
        click.echo(f"{finding.sign:<5} {finding.what.rstrip('.')}.")
        if finding.advice:
            click.echo(f"      {finding.advice}")
    wrong = sum(finding.sign == "bad" for finding in findings)
    click.echo(
        f"\n{wrong} to mend."
        if wrong
        else f"\nNothing is wrong. Start it with “{as_started('make run', 'companion run')}”."
    )
    if wrong:
        raise SystemExit(1)

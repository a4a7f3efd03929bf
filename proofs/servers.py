"""Real servers for the proofs: the embedded default on SQLite, or gunicorn's workers on a throw-away PostgreSQL."""

from __future__ import annotations

import http.client
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from flask import Flask

from companion import create_app, live, record
from companion.db import db
from companion.migrations.upgrading import migrate_database
from companion.phones import devices
from companion.record import phones as record_phones
from companion.referee.commands import StartGame
from companion.referee.games import KATE
from companion.referee.rules import Rules
from proofs.phones import Phone
from tools.postgres import Postgres

NAMES = ("Ana", "Bea", "Carl", "Dora")


class Server:
    """A server in a process (or several) of its own; ``app`` looks into its database from outside."""

    def __init__(self, folder: Path, command: str, environ: dict[str, str]) -> None:
        self.command = command
        self.postgres: Postgres | None = None
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self.log = folder / "server.log"
        settings = {"COMPANION_INSTANCE_PATH": str(folder), "HOST": "127.0.0.1", "PORT": str(self.port), **environ}
        own = {"INSTANCE_PATH": folder, "HOSTED": command == "hosted", "REQUEST_LOG": False}
        self.app: Flask = create_app({"ENVIRON": settings, **own})
        migrate_database(self.app)
        self._environ = {**os.environ, **settings}
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait until it answers."""
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "companion", self.command],
                env=self._environ,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        end = time.monotonic() + 60
        while time.monotonic() < end and self._process.poll() is None:
            asking = Phone(self.address)
            with suppress(OSError, http.client.HTTPException):
                if asking.get("/healthz").status == 200:
                    asking.hang_up()
                    return
            asking.hang_up()
            time.sleep(0.02)
        raise RuntimeError(f"the server does not start:\n{self.log.read_text()[-3000:]}")

    def kill(self) -> None:
        """kill -9, workers and all."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Stop it politely."""
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        if self._process is None:
            return
        with suppress(ProcessLookupError):
            # Its own session, so this reaches what it started and nothing else.
            os.killpg(self._process.pid, how)
        self._process.wait(30)
        while self.processes():  # its workers: one that still dies would hold the port
            time.sleep(0.01)
        self._process = None

    def processes(self) -> list[int]:
        """The numbers of its processes, workers and all."""
        if self._process is None:
            return []
        pids = [int(path.name) for path in Path("/proc").iterdir() if path.name.isdecimal()]
        return [pid for pid in pids if _session(pid) == self._process.pid]

    def game(self, names: tuple[str, ...] = NAMES, keepers: int = 1, rules: Rules = KATE) -> tuple[str, list[Phone]]:
        """A new game of as many players; gives its code and phones that may enter things."""
        made = [Phone(self.address, f"phone {number} (Linux; Android 14)") for number in range(keepers)]
        with self.app.test_request_context():
            from flask import g

            first = devices.ensure()
            cookies = [g.device_token]
            command = StartGame(rules, tuple(range(len(names))), 0)
            code = record.start_game(command, names, token=record.new_token(), device=first).code
            view = record.load(code)
            assert view is not None
            link = next(link for link in record_phones.game_links(view.id) if link.role == "keeper")
            for _ in made[1:]:
                g.pop("device")
                record_phones.enter(link.token, devices.ensure(), None)
                cookies.append(g.device_token)
            for phone, token in zip(made, cookies, strict=True):
                phone.cookies[devices.COOKIE] = devices._signer().dumps(token)
        return code, made

    def close(self) -> None:
        """Stop, and let go of the database."""
        self.stop()
        live.close(self.app)
        with self.app.app_context():
            db.session.remove()
            db.engine.dispose()


def _session(pid: int) -> int | None:
    try:
        return os.getsid(pid)
    except OSError:
        return None  # gone meanwhile


@contextmanager
def prepared(kind: str, workers: int = 2, **environ: str) -> Iterator[Server]:
    """A server that is yet to be started: "sqlite" is `companion run`, "postgresql" is `companion hosted`."""
    with tempfile.TemporaryDirectory(prefix="proof-") as place, ExitStack() as stack:
        settings, postgres = environ, None
        if kind == "postgresql":
            postgres = stack.enter_context(Postgres())
            settings = {"DATABASE_URL": postgres.create("proof"), "COMPANION_WORKERS": str(workers), **environ}
        server = Server(Path(place), "run" if postgres is None else "hosted", settings)
        server.postgres = postgres
        try:
            yield server
        except AssertionError as broken:
            if server.log.exists():
                broken.add_note(f"the server's log ends:\n{server.log.read_text('utf-8', 'replace')[-4000:]}")
            raise
        finally:
            server.close()


@contextmanager
def serving(kind: str, workers: int = 2, **environ: str) -> Iterator[Server]:
    """A server that runs."""
    with prepared(kind, workers, **environ) as server:
        server.start()
        yield server

"""A throw-away PostgreSQL: made in a temporary folder, reached through a socket in it, gone afterwards.

    with Postgres() as server:
        url = server.create("night")      # for DATABASE_URL
        server.stop(); server.start()     # what was committed is still there

It listens on no port. As root it runs as the user ``postgres``, since PostgreSQL refuses root.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Any

#: Tests have no battery that could die: not waiting for the disk makes them ten times as fast.
SETTINGS = {
    "listen_addresses": "", "fsync": "off", "full_page_writes": "off", "autovacuum": "off", "max_connections": "300",
}  # fmt: skip


class NoPostgres(RuntimeError):
    """There is no PostgreSQL on this machine; the sentence says how to get one."""


def programs() -> Path:
    """The folder of ``initdb`` and ``pg_ctl``, the newest there is. Raises NoPostgres."""
    if initdb := shutil.which("initdb"):
        return Path(initdb).resolve().parent
    installed = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    if not installed:
        raise NoPostgres("There is no PostgreSQL here (on Debian or Ubuntu: sudo apt install postgresql)")
    return max(installed, key=lambda folder: float(folder.parent.name))


class Postgres:
    """One server with its own folder; ``settings`` go over `SETTINGS`. Raises NoPostgres where there is none."""

    def __init__(self, **settings: str) -> None:
        self.programs = programs()
        self.settings = {**SETTINGS, **settings}
        # A socket's path may have some hundred characters only, so not below a test's own long folder.
        self.folder = Path(tempfile.mkdtemp(prefix="companion-pg-"))
        self._as: dict[str, Any] = {}
        if os.geteuid() == 0:
            self._as = {"user": "postgres", "group": "postgres", "extra_groups": []}
            shutil.chown(self.folder, "postgres", "postgres")
        self._run("initdb", "-D", self._data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")

    def __enter__(self) -> Postgres:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def _data(self) -> str:
        return str(self.folder / "data")

    def start(self) -> None:
        """Start it and wait until it answers."""
        options = " ".join(f"-c {name}='{value}'" for name, value in self.settings.items())
        log = str(self.folder / "log")
        self._run("pg_ctl", "-D", self._data, "-l", log, "-w", "-o", f"{options} -k {self.folder}", "start")

    def stop(self, mode: str = "fast") -> None:
        """Stop it: "fast" breaks off who is connected, "immediate" is a power cut. Stopped already: nothing."""
        self._run("pg_ctl", "-D", self._data, "-w", "-m", mode, "stop", check=False)

    def processes(self) -> list[int]:
        """The numbers of its processes as they are now."""
        return [int((self.folder / "data" / "postmaster.pid").read_text().split()[0])] + [
            row[0] for row in self.sql("SELECT pid FROM pg_stat_activity")
        ]

    def url(self, name: str = "postgres") -> str:
        """The address of one of its databases, as DATABASE_URL wants it."""
        return f"postgresql+psycopg://postgres@/{name}?host={self.folder}"

    def create(self, name: str, template: str = "template0") -> str:
        """Make a database, as a copy of another if asked for; gives its address."""
        self.sql(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
        return self.url(name)

    def drop(self, name: str) -> None:
        """Throw a database away, whoever is still connected to it."""
        self.sql(f'DROP DATABASE "{name}" WITH (FORCE)')

    def sql(self, statement: str, database: str = "postgres") -> list[tuple[Any, ...]]:
        """Run one statement outside any transaction; gives its rows, if it has some."""
        import psycopg

        with psycopg.connect(f"user=postgres dbname={database} host={self.folder}", autocommit=True) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def wait_for(self, database: str, statement: str, seconds: float = 10) -> bool:
        """Whether a statement gives a row within some seconds."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.sql(statement, database):
                return True
            time.sleep(0.02)
        return False

    def _run(self, program: str, *arguments: str, check: bool = True) -> None:
        # To a file and not a pipe: the server keeps it open, and nobody would see the end of a pipe.
        with tempfile.TemporaryFile("w+") as said:
            done = subprocess.run(
                [str(self.programs / program), *arguments], stdin=subprocess.DEVNULL, stdout=said, stderr=said, cwd="/",
                env={**os.environ, "LC_ALL": "C"}, **self._as,
            )  # fmt: skip
            if check and done.returncode:
                said.seek(0)
                raise RuntimeError(f"{program}: {said.read()}")

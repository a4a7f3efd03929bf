"""Many tables on one PostgreSQL: gunicorn with any number of workers, started by `companion hosted`.

The workers share nothing but the database and the secret: a game's changes reach the phones of other workers by
NOTIFY. On several machines the secret is shared through COMPANION_SECRET_KEY.
"""

import os
import sys
import tempfile
from importlib.util import find_spec

from flask import Flask

from companion import create_app
from companion.command import made_ready
from companion.config import INSTALLED_BY, SetupError, as_started
from companion.db import db
from companion.serving import files, metrics, running
from companion.serving.lan import bracketed

#: Streams are long: a worker that is told to stop waits so long for them, in seconds.
GRACE = 5
STREAMS = 2000
#: A browser keeps a line for pages open beside its stream; were there no more lines than streams, nobody could tap.
LINES = 2 * STREAMS + 500


def app() -> Flask:
    """The app of one worker; the database is up to date by then."""
    return create_app({"HOSTED": True})


def serve(ready: Flask) -> None:
    """Bring the database up to date and become gunicorn. Raises SetupError where that cannot be."""
    with ready.app_context():
        if db.engine.dialect.name != "postgresql":
            address = "DATABASE_URL=postgresql+psycopg://user:password@host/name"
            raise SetupError(
                "Name the database: " + as_started(f"make hosted {address}", f"{address} companion hosted")
            )
    lines = _allow_lines()
    command = arguments(ready, lines)
    made_ready(ready)
    if ready.config["WORKER_CLASS"] == "gevent":  # no stream holds a thread there
        os.environ.setdefault("COMPANION_STREAMS", str(STREAMS * lines // LINES))
    if ready.config["METRICS_TOKEN"]:  # the workers add their numbers up there
        os.environ.setdefault(metrics.FOLDER, tempfile.mkdtemp(prefix="gripe-companion-metrics-"))
    print(f"Gripe Companion: {ready.config['WORKERS']} workers on port {ready.config['PORT']}.", flush=True)
    running.note(ready.instance_path, str(ready.config["HOST"]), int(ready.config["PORT"]))
    # A new program, not a fork of this one: gevent must come before everything else.
    os.execv(sys.executable, command)


def arguments(ready: Flask, lines: int = LINES) -> list[str]:
    """How gunicorn is started with these settings. Raises SetupError where gunicorn or its kind of worker is missing."""
    config, kind = ready.config, str(ready.config["WORKER_CLASS"])
    if kind not in ("gevent", "gthread"):
        raise SetupError(
            f"WORKER_CLASS={kind} is neither gevent nor gthread; other kinds cut the phones' event streams."
        )
    if kind == "gthread" and (config["STREAMS"] or 0) >= max(config["THREADS"], 2):
        raise SetupError(
            f"STREAMS={config['STREAMS']} leaves no thread for pages; it is a number below THREADS={config['THREADS']}."
        )
    for name in ("gunicorn", *(["gevent"] if kind == "gevent" else [])):
        if find_spec(name) is None:
            raise SetupError(f"{name} is missing: {INSTALLED_BY}.")
    size = ["--worker-connections", str(lines)] if kind == "gevent" else ["--threads", str(config["THREADS"])]
    return [
        sys.executable, "-m", "gunicorn", "companion.command.hosted:app()", "--bind", f"{bracketed(config['HOST'])}:{config['PORT']}",
        "--workers", str(config["WORKERS"]), "--worker-class", kind, *size, "--graceful-timeout", str(GRACE),
        "--keep-alive", "30", "--timeout", "60", "--no-control-socket",
        # Which proxies are trusted is said in one place: TRUSTED_PROXIES.
        "--forwarded-allow-ips", "",
    ]  # fmt: skip


def _allow_lines() -> int:
    """How many lines a worker may have: each is an open file, and it has some of its own."""
    lines = min(LINES, files.allow(LINES + files.SPARE) - files.SPARE)
    if lines < LINES:
        print(
            f"This system allows so many open files that a worker has {lines} connections. `ulimit -n {LINES + files.SPARE}` "
            "before the start gives room for all.",
            file=sys.stderr, flush=True,
        )  # fmt: skip
    return lines

"""The app on a free port of loopback with a fresh instance folder, for tools that look at its pages."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from flask import Flask

from companion import create_app, live
from companion.migrations.upgrading import migrate_database
from companion.serving import lan


@contextmanager
def served() -> Iterator[tuple[Flask, str]]:
    """Yields the app and its address without a slash at the end; gone afterwards, folder and all."""
    with tempfile.TemporaryDirectory() as folder:
        app = create_app({"INSTANCE_PATH": folder, "ENVIRON": {}})
        migrate_database(app)
        server = lan.listen(app, "127.0.0.1", 0)
        threading.Thread(target=server.run, daemon=True).start()
        yield app, f"http://127.0.0.1:{server.effective_port}"
        live.close(app)
        server.task_dispatcher.shutdown()

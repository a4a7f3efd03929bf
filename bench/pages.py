"""What the table page weighs over the wire, everything included (budgets: 40 KB at first, 12 KB when cached), and its time."""

from __future__ import annotations

import re
import tempfile
from statistics import median
from time import perf_counter
from urllib.parse import urljoin

from flask import Flask
from flask.testing import FlaskClient

from companion import create_app
from companion.db import db
from companion.migrations.upgrading import migrate_database
from tools.demo import demo_pages

FIRST, CACHED, ROUNDS = 40_000, 12_000, 100
HEADERS = 400  # an answer's headers, about


def main() -> bool:
    """Measure; False where a budget is missed."""
    with tempfile.TemporaryDirectory() as folder:
        app = create_app({"INSTANCE_PATH": folder, "ENVIRON": {}})
        migrate_database(app)
        kept = _measure(app)
        with app.app_context():
            db.engine.dispose()
    return kept


def _measure(app: Flask) -> bool:
    pages, cookie = demo_pages(app)
    client, kept = app.test_client(), True
    name, _, value = cookie.partition("=")
    client.set_cookie(name, value)
    for page, path in pages.items():
        html, files = _weight(client, path), {}
        for address in _needed(client, path):
            files[address.rpartition("/")[2].partition("?")[0]] = _weight(client, address)
        whole = html + sum(files.values())
        counted = f"first {whole:>6,} bytes in {1 + len(files)} requests, again {html:>6,}"
        print(f"{page:<8} {counted}; {_time(client, path):.1f} ms at the median")
        kept = kept and whole <= FIRST and html <= CACHED
        if page == "table":
            print("         " + ", ".join(f"{name} {size:,}" for name, size in files.items()))
    print(f"budget: first ≤ {FIRST:,}, cached ≤ {CACHED:,}: {'kept' if kept else 'MISSED'}")
    return kept


def _needed(client: FlaskClient, path: str) -> list[str]:
    """The addresses of every file a page loads: its own, and the modules that its scripts import."""
    addresses = re.findall(r'(?:src|href)="(/static/[^"]+)"', client.get(path).text)
    for address in addresses:  # grows as it is read
        if "/js/" in address:
            modules = re.findall(r'^import .*"(\./[^"]+)"', client.get(address).text, re.MULTILINE)
            addresses += [one for module in modules if (one := urljoin(address, module)) not in addresses]
    return addresses


def _weight(client: FlaskClient, path: str) -> int:
    """Bytes of an answer as a browser asks for it."""
    answer = client.get(path, headers={"Accept-Encoding": "gzip, br"})
    assert answer.status_code == 200, (path, answer.status_code)
    return len(answer.data) + HEADERS


def _time(client: FlaskClient, path: str) -> float:
    taken = []
    for _ in range(ROUNDS):
        began = perf_counter()
        client.get(path)
        taken.append(1000 * (perf_counter() - began))
    return median(taken)

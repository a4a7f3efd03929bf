"""The app can be installed over HTTPS, and over plain HTTP nothing of it is offered."""

from __future__ import annotations

import json
import re

import pytest

from tests.web import start

HTTPS = "https://gripe.home"


def test_over_https_the_app_can_be_installed(client):
    page = client.get("/", base_url=HTTPS).text
    assert 'rel="manifest"' in page
    assert "js/install.js" in page


@pytest.mark.parametrize("path", ["/", "/g/CODE/"])
def test_over_plain_http_nothing_is_offered_that_cannot_work(app, client, path):
    page = client.get(path.replace("CODE", start(app, client))).text
    for offered in ("manifest", "install.js", "sw.js"):
        assert offered not in page


def test_the_manifest_has_its_icons(client):
    answer = client.get("/manifest.webmanifest", base_url=HTTPS)
    assert answer.mimetype == "application/manifest+json"
    found = json.loads(answer.text)
    assert {icon["purpose"] for icon in found["icons"]} == {"any", "maskable"}
    for icon in found["icons"]:
        with client.get(icon["src"]) as picture:
            assert picture.status_code == 200 and picture.data[:4] == b"\x89PNG"
    assert client.get("/manifest.webmanifest", headers={"Accept-Language": "pt"}).json["lang"] == "pt"


def test_the_worker_names_its_version_and_only_files_that_are_there(client):
    answer = client.get("/sw.js", base_url=HTTPS)
    assert answer.mimetype == "text/javascript"
    assert answer.headers["Cache-Control"] == "no-cache"
    assert "script-src 'self'" in answer.headers["Content-Security-Policy"]
    version = re.search(r'VERSION = "([0-9a-f]{12})"', answer.text)[1]
    shell = json.loads(re.search(r"SHELL = (\[.*\])", answer.text)[1])
    assert any("css/game-bundle.css" in path for path in shell)
    assert all(version in path for path in shell if path.startswith("/static/"))
    for path in [*shell, re.search(r'importScripts\("([^"]+)"', answer.text)[1]]:
        with client.get(path, base_url=HTTPS) as part:
            assert part.status_code == 200, path


def test_what_is_not_on_the_phone_has_a_page_too(client):
    page = client.get("/offline").text
    assert "No connection" in page
    assert "Try again" in page

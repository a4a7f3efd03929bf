"""What every answer carries, how files are cached and compressed, and what no request may do."""

from __future__ import annotations

import gzip
import logging
import re

import brotli
import pytest
from flask import request, session, url_for

from companion.security import static_version
from tests.web import start

LONG = "<p>" + "a rummy night " * 200


@pytest.fixture
def pages(make_app):
    """Builds an app with a page that has a session, a long page, and a form target."""

    def build(**settings):
        app = make_app(**settings)
        app.add_url_rule("/long", "long", lambda: LONG)
        app.add_url_rule("/json", "json", lambda: {"ok": True})
        app.add_url_rule("/form", "form", lambda: request.form.get("name", ""), methods=["POST"])
        app.add_url_rule("/sit", "sit", lambda: session.setdefault("device", "1"))
        return app

    return build


def test_the_policy_lets_nothing_in_from_elsewhere(pages):
    policy = pages().test_client().get("/long").headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert not re.search(r"https?:|\*", policy)


@pytest.mark.parametrize("path", ["/long", "/json", "/nothing-here", "/static/x/none.css"])
def test_every_answer_carries_the_headers(pages, path):
    headers = pages().test_client().get(path).headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert "screen-wake-lock=(self)" in headers["Permissions-Policy"]
    assert "Content-Security-Policy" in headers


def test_pages_are_not_kept_for_the_back_button_and_vary_by_language(pages):
    headers = pages().test_client().get("/long").headers
    assert headers["Cache-Control"] == "no-store"
    assert "Accept-Language" in headers["Vary"]
    assert "Cookie" in headers["Vary"]


def test_the_session_cookie_is_secure_only_under_https(pages):
    app = pages()
    plain = app.test_client().get("/sit").headers["Set-Cookie"]
    secure = app.test_client().get("/sit", base_url="https://gripe.home").headers["Set-Cookie"]
    for cookie in (plain, secure):
        assert "HttpOnly" in cookie
        assert "SameSite=Lax" in cookie
        assert "Expires=" in cookie, "gone when the browser is closed"
    assert "Secure" in secure
    assert "Secure" not in plain


def test_the_session_outlives_a_restart(make_app):
    first = make_app()
    first.add_url_rule("/sit", "sit", lambda: session.setdefault("device", "kept"))
    cookie = first.test_client().get("/sit").headers["Set-Cookie"].split(";")[0]
    again = make_app(INSTANCE_PATH=first.instance_path)
    again.add_url_rule("/who", "who", lambda: session.get("device", "stranger"))
    assert again.test_client(use_cookies=False).get("/who", headers={"Cookie": cookie}).text == "kept"


def test_a_post_without_its_token_is_refused_with_a_sentence(pages):
    answer = pages(WTF_CSRF_ENABLED=True).test_client().post("/form", data={"name": "Ana"})
    assert answer.status_code == 400
    assert "open too long" in answer.text


def test_a_form_far_too_large_is_refused(pages):
    client = pages().test_client()
    assert client.post("/form", data={"name": "a" * 1000}).status_code == 200
    assert client.post("/form", data={"name": "a" * 300_000}).status_code == 413


def test_a_proxy_is_believed_only_when_told_so(pages):
    forwarded = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "1.2.3.4"}
    assert "Secure" not in pages().test_client().get("/sit", headers=forwarded).headers["Set-Cookie"]
    assert "Secure" in pages(TRUSTED_PROXIES=1).test_client().get("/sit", headers=forwarded).headers["Set-Cookie"]


@pytest.mark.parametrize("coding", ["br", "gzip"])
def test_pages_are_compressed(pages, coding):
    answer = pages().test_client().get("/long", headers={"Accept-Encoding": coding})
    assert answer.headers["Content-Encoding"] == coding
    assert len(answer.data) < len(LONG) / 10
    assert "Accept-Encoding" in answer.headers["Vary"]


def test_without_a_wish_for_compression_there_is_none(pages):
    assert pages().test_client().get("/long").text == LONG


CSS = ".table { inline-size: 100% }\n" * 100


@pytest.fixture
def files(pages, tmp_path, monkeypatch):
    """An app whose only static file is css/table.css, and that file's address."""
    (tmp_path / "static" / "css").mkdir(parents=True)
    (tmp_path / "static" / "css" / "table.css").write_text(CSS)
    monkeypatch.setattr("companion.security.STATIC", tmp_path / "static")
    app = pages()
    with app.test_request_context():
        return app.test_client(), url_for("static", filename="css/table.css")


def test_static_files_have_their_version_in_the_address_and_are_kept_for_a_year(files):
    client, address = files
    assert re.fullmatch(r"/static/[0-9a-f]{12}/css/table\.css", address)
    with client.get(address) as answer:
        assert answer.text == CSS
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert "Set-Cookie" not in answer.headers


def test_an_address_with_an_old_version_gives_the_file_but_is_asked_for_again(files):
    client, _ = files
    with client.get("/static/old/css/table.css") as answer:
        assert answer.text == CSS
        assert "immutable" not in answer.headers["Cache-Control"]
        etag = answer.headers["ETag"]
    with client.get("/static/old/css/table.css", headers={"If-None-Match": etag}) as again:
        assert again.status_code == 304


def test_parts_of_a_page_carry_no_policy_of_their_own(files):
    client, address = files
    with client.get(address) as answer:
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert "Content-Security-Policy" not in answer.headers


@pytest.mark.parametrize(("coding", "unpack"), [("br", brotli.decompress), ("gzip", gzip.decompress)])
def test_static_files_are_compressed(files, coding, unpack):
    client, address = files
    with client.get(address, headers={"Accept-Encoding": coding}) as answer:
        assert answer.headers["Content-Encoding"] == coding
        assert unpack(answer.data).decode() == CSS
        assert len(answer.data) < len(CSS) / 10
        seen = {"Accept-Encoding": coding, "If-None-Match": answer.headers["ETag"]}
    with client.get(address, headers=seen) as again:
        assert again.status_code == 304


@pytest.mark.parametrize("path", ["/static/x/../config.py", "/static/x/%2e%2e/config.py", "/static/x//etc/passwd"])
def test_static_serves_nothing_from_outside_its_folder(client, path):
    assert client.get(path).status_code in (308, 404)


def test_the_version_follows_content_and_names(tmp_path):
    seen = {static_version(tmp_path)}
    (tmp_path / "a.css").write_text("a")
    seen.add(static_version(tmp_path))
    (tmp_path / "a.css").write_text("b")
    seen.add(static_version(tmp_path))
    (tmp_path / "a.css").rename(tmp_path / "b.css")
    seen.add(static_version(tmp_path))
    assert len(seen) == 4


# --- under which name ------------------------------------------------------------------------------------------------

ODD = [
    "a..b", ".", "..", ".a", "-a.example", "a-.local", "a b", "a_b c", "[::1", "::1", "[::1]x", "[a]", "[fe80::1%25eth0]",
    "x:y:z", "host:99999", "host:-1", "host:８０", "a" * 64 + ".local", "a." * 150 + "local", "ä.local", "'\"<>", "",
    "localhost/", "user@localhost", "localhost\\", "localhost#", "localhost?", "local\x00host", "xn--.\xff", "%61.local",
    "localhost, localhost", "*", "a,b",
]  # fmt: skip
HOME = [
    "localhost", "localhost:8000", "LOCALHOST", "127.0.0.1", "127.0.0.1:8000", "192.168.1.20", "8.8.8.8", "[::1]:8000",
    "[2001:db8::1]", "kitchen", "kitchen:8000", "kitchen-pc", "gripe.local", "Gripe.Local:8000", "gripe.local.", "a.b.lan",
    "pi.home", "pi.home.arpa", "pi.internal", "pi.fritz.box", "localhost:",
]  # fmt: skip
ELSEWHERE = [
    "evil.example", "evil.example:8000", "localhost.evil.example", "127.0.0.1.nip.example", "local", "fritz.box.evil.example",
    "evilfritz.box", "gripe.notlocal", "home.arpa.example", "x.localhost.example", "evil.example.", "EVIL.example",
]  # fmt: skip


@pytest.mark.parametrize("host", ODD)
@pytest.mark.parametrize("settings", [{}, {"HOSTED": True}, {"TRUSTED_PROXIES": 1}])
def test_a_host_that_is_none_gets_a_page_and_no_trace(make_app, caplog, host, settings):
    client = make_app(**settings).test_client()
    for path in ("/", "/nothing", "/data", "/start", "/static/x/none.css"):
        for method in ("GET", "POST"):
            answer = client.open(path, method=method, headers={"Host": host})
            assert answer.status_code == 400, path
            assert "Not under this name" in answer.text and "COMPANION_HOSTNAMES" not in answer.text
    assert [record for record in caplog.records if record.levelno > logging.INFO] == []


@pytest.mark.parametrize("said", ["a..b", "[::1", "evil example", "ä"])
def test_a_host_that_a_proxy_passes_on_is_checked_too(make_app, said):
    client = make_app(TRUSTED_PROXIES=1).test_client()
    assert client.get("/", headers={"X-Forwarded-Host": said}).status_code == 400
    assert client.get("/", headers={"X-Forwarded-Host": "gripe.example"}).status_code == 200


@pytest.mark.parametrize("host", HOME)
def test_at_home_addresses_and_names_of_a_home_are_answered(client, host):
    assert client.get("/", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("host", [host for host in ELSEWHERE if host != "local"])
def test_at_home_a_name_from_elsewhere_is_refused_and_the_setting_named(app, client, host):
    start(app, client, ("Quentin", "Rosa", "Ana"))
    for path in ("/", "/new", "/people", "/data/everything.json"):
        answer = client.get(path, headers={"Host": host})
        assert answer.status_code == 400 and "Quentin" not in answer.text
        name = host.partition(":")[0].rstrip(".").lower()
        assert f"COMPANION_HOSTNAMES={name}." in answer.text
    assert client.post("/language", data={"language": "pt"}, headers={"Host": host}).status_code == 400
    with app.test_request_context():
        sheet = url_for("static", filename="css/base.css")
    with client.get(sheet, headers={"Host": host}) as looks:
        assert looks.status_code == 200, "the page that says so has its looks"


def test_names_that_are_configured_are_answered(make_app):
    client = make_app(HOSTNAMES="Cards.Example, other.example").test_client()
    for host in ("cards.example", "cards.example:8000", "OTHER.example"):
        assert client.get("/", headers={"Host": host}).status_code == 200
    assert client.get("/", headers={"Host": "evil.example"}).status_code == 400
    assert make_app(HOST="cards.example").test_client().get("/", headers={"Host": "cards.example"}).status_code == 200


@pytest.mark.parametrize("settings", [{"HOSTED": True}, {"TRUSTED_PROXIES": 1}])
def test_behind_a_proxy_and_hosted_every_name_is_answered(make_app, settings):
    client = make_app(**settings).test_client()
    assert {client.get("/", headers={"Host": host}).status_code for host in (*HOME, *ELSEWHERE)} == {200}


def test_hosted_over_https_browsers_are_told_to_stay_there_and_nowhere_else(make_app):
    def told(secure, **settings):
        address = f"http{'s' if secure else ''}://localhost"
        return make_app(**settings).test_client().get("/", base_url=address).headers.get("Strict-Transport-Security")

    assert told(True, HOSTED=True) == "max-age=31536000"
    assert told(False, HOSTED=True) is None
    assert told(True) is told(True, TRUSTED_PROXIES=1) is told(False) is None

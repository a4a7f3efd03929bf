"""What every answer carries, how files are cached and compressed, and what no request may do."""

from __future__ import annotations

import gzip
import re

import brotli
import pytest
from flask import request, session, url_for

from companion.security import static_version

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
    secure = app.test_client().get("/sit", base_url="https://home.example").headers["Set-Cookie"]
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

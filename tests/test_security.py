"""What every answer carries, how files are cached and compressed, and what no request may do."""

from __future__ import annotations

import re
from pathlib import Path

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


@pytest.fixture
def stylesheet(pages):
    """An app, and the file name of one of its own stylesheets."""
    app = pages()
    folder = Path(app.root_path) / "static"
    return app, next(folder.rglob("*.css")).relative_to(folder).as_posix()


def test_static_files_have_their_version_in_the_address_and_are_kept_for_a_year(stylesheet):
    app, name = stylesheet
    with app.test_request_context():
        address = url_for("static", filename=name)
    assert re.fullmatch(rf"/static/[0-9a-f]{{12}}/{re.escape(name)}", address)
    with app.test_client().get(address) as answer:
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    with app.test_client().get(f"/static/old/{name}") as stale:
        assert stale.status_code == 200
        assert "immutable" not in stale.headers["Cache-Control"]


def test_static_files_are_compressed(stylesheet):
    app, name = stylesheet
    with app.test_request_context():
        address = url_for("static", filename=name)
    content = (Path(app.root_path) / "static" / name).read_bytes()
    with app.test_client().get(address, headers={"Accept-Encoding": "br, gzip"}) as answer:
        assert answer.headers["Content-Encoding"] == "br"
        assert brotli.decompress(answer.data) == content


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

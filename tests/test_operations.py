"""What watches over a server: alive, ready, numbers, and lines of the log in which no code, name or card stands."""

from __future__ import annotations

import json
import logging
import re

import pytest
from sqlalchemy import text

from companion.db import db
from tests.web import NAMES, start

TOKEN = "a token of forty characters, no gaps..".replace(" ", "_")


def test_it_is_alive_and_ready(client):
    for path, word in (("/healthz", "alive\n"), ("/readyz", "ready\n")):
        answer = client.get(path)
        assert (answer.status_code, answer.text, answer.mimetype) == (200, word, "text/plain")
        assert "Set-Cookie" not in answer.headers


def test_a_database_of_another_version_is_not_ready_but_the_program_is_alive(app, client):
    with app.app_context():
        db.session.execute(text("UPDATE alembic_version SET version_num = '0001'"))
        db.session.commit()
    assert client.get("/readyz").status_code == 503
    assert client.get("/healthz").status_code == 200


def test_a_database_that_is_away_is_not_ready(make_app, tmp_path):
    app = make_app(SQLALCHEMY_DATABASE_URI=f"sqlite:///{tmp_path}/nowhere/companion.sqlite")
    assert app.test_client().get("/readyz").status_code == 503
    assert app.test_client().get("/healthz").status_code == 200


def test_numbers_are_off_unless_there_is_a_token_and_for_who_knows_it_alone(make_app, client):
    assert client.get("/metrics").status_code == 404
    phone = make_app(METRICS_TOKEN=TOKEN).test_client()
    for said in ("", "Bearer", "Bearer ", f"Bearer {TOKEN[:-1]}", f"Bearer {TOKEN}x", "Bearer ä", f"Basic {TOKEN}"):
        assert phone.get("/metrics", headers={"Authorization": said}).status_code == 401, said
    assert phone.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200


def number(text: str, name: str) -> float:
    """The value of a line, 0 where there is none yet."""
    found = re.search(rf"^{re.escape(name)} ([0-9.e+]+)$", text, re.MULTILINE)
    return float(found[1]) if found else 0.0


def test_numbers_count_by_pattern_and_hold_no_code_and_no_name(make_app):
    app = make_app(METRICS_TOKEN=TOKEN)
    phone = app.test_client()

    def read() -> str:
        return phone.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).text

    before = read()
    code = start(app, phone)
    assert phone.get(f"/g/{code}/").status_code == 200
    assert phone.get(f"/g/{code}/nothing").status_code == 404
    after = read()
    table = 'companion_requests_total{method="GET",route="/g/<code>/",status="200"}'
    assert number(after, table) == number(before, table) + 1
    assert number(after, "companion_changes_total") > number(before, "companion_changes_total")
    assert 'route="none",status="404"' in after
    assert code not in after and not any(name in after for name in NAMES)


@pytest.fixture
def lines(monkeypatch, capsys):
    """What the log of requests has written since it was asked last."""
    monkeypatch.setattr(logging.getLogger("companion.requests"), "handlers", [])
    return lambda: [json.loads(line) for line in capsys.readouterr().err.splitlines()]


def test_each_request_is_a_line_with_its_id_and_pattern(make_app, lines):
    app = make_app(REQUEST_LOG=True)
    phone = app.test_client()
    code = start(app, phone)
    answer = phone.get(f"/g/{code}/throw?card=7C")
    written = lines()
    line = written[-1]
    assert line["request"] == answer.headers["X-Request-ID"] and re.fullmatch("[0-9a-f]{16}", line["request"])
    assert (line["method"], line["route"], line["status"]) == ("GET", "/g/<code>/throw", 200)
    assert line["ms"] >= 0 and line["time"] and line["level"] == "INFO"
    assert not any(secret in json.dumps(written) for secret in (code, "7C", *NAMES))


@pytest.mark.parametrize(
    ("hosted", "asked", "writes"), [(False, None, False), (True, None, True), (True, False, False)]
)
def test_hosted_it_writes_lines_unless_told_otherwise(make_app, lines, hosted, asked, writes):
    make_app(HOSTED=hosted, REQUEST_LOG=asked).test_client().get("/healthz")
    assert bool(lines()) is writes


@pytest.mark.parametrize(("proxies", "said", "is_kept"), [
    (1, "abcDEF-1234", True), (0, "abcDEF-1234", False), (1, "<script>", False), (1, "x" * 65, False), (1, "short", False),
])  # fmt: skip
def test_the_id_of_a_trusted_proxy_is_kept(make_app, lines, proxies, said, is_kept):
    phone = make_app(REQUEST_LOG=True, TRUSTED_PROXIES=proxies).test_client()
    assert (phone.get("/healthz", headers={"X-Request-ID": said}).headers["X-Request-ID"] == said) is is_kept


def test_an_unforeseen_error_names_the_pattern_and_the_id_not_the_path(make_app, caplog):
    app = make_app(TESTING=False)

    def fail(code: str) -> str:
        raise ZeroDivisionError

    app.add_url_rule("/fail/<code>", "fail", fail)
    assert app.test_client().get("/fail/secretcode").status_code == 500
    assert "Exception on /fail/<code> [GET], request " in caplog.text
    assert "secretcode" not in caplog.text


def test_what_was_typed_stands_in_no_error_of_the_database(app):
    with app.app_context(), pytest.raises(Exception, match="parameters hidden") as error:
        db.session.execute(text("SELECT * FROM nothing WHERE name = :name"), {"name": "Quentin"})
    assert "Quentin" not in str(error.value)

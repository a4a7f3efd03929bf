"""Error pages: the right status, a sentence in the reader's language, the way back, nothing else."""

from __future__ import annotations

import pytest
from flask import abort
from sqlalchemy.exc import OperationalError

from companion.views.errors import MESSAGES


@pytest.mark.parametrize("code", sorted(MESSAGES))
def test_every_error_has_a_page_with_the_way_back(make_app, code):
    app = make_app()
    app.add_url_rule("/fail", "fail", lambda: abort(code))
    answer = app.test_client().get("/fail")
    assert answer.status_code == code
    assert str(MESSAGES[code][0]) in answer.text
    assert 'href="/"' in answer.text
    assert answer.headers["Cache-Control"] == "no-store"


def test_the_page_speaks_the_readers_language(client):
    assert '<html lang="pt"' in client.get("/nothing", headers={"Accept-Language": "pt-BR,pt;q=0.9"}).text
    assert '<html lang="en"' in client.get("/nothing", headers={"Accept-Language": "de"}).text


def test_an_unforeseen_error_is_a_500_page_and_a_line_in_the_log(make_app, caplog):
    app = make_app(TESTING=False)
    app.add_url_rule("/fail", "fail", lambda: 1 / 0)
    answer = app.test_client().get("/fail")
    assert answer.status_code == 500
    assert "Our mistake" in answer.text
    assert "ZeroDivisionError" not in answer.text
    assert "ZeroDivisionError" in caplog.text


def test_an_error_in_the_frame_itself_still_gives_a_page(make_app, caplog):
    app = make_app(TESTING=False)
    app.context_processor(lambda: {}["missing"])
    answer = app.test_client().get("/nothing")
    assert answer.status_code == 500
    assert "Our mistake" in answer.text
    assert caplog.text.count("Traceback") >= 2


def test_what_an_address_takes_is_said_with_a_405(make_app):
    app = make_app()
    app.add_url_rule("/post-only", "post_only", lambda: "", methods=["POST"])
    answer = app.test_client().get("/post-only")
    assert answer.status_code == 405
    assert "POST" in answer.headers["Allow"]


@pytest.mark.parametrize("path", ["/" + "9" * 40, "/١٢٣", "/-1", "/%00", "/%ff", "/1e5"])
def test_an_id_that_is_none_is_not_found(make_app, path):
    app = make_app()
    app.add_url_rule("/<int:game>", "game", lambda game: str(game))
    client = app.test_client()
    assert client.get("/123456789").text == "123456789"
    assert client.get(path).status_code == 404


def test_a_database_that_is_busy_for_too_long_is_a_503(make_app, caplog):
    app = make_app(TESTING=False)

    def fail():
        raise OperationalError("SELECT 1", {}, Exception("database is locked"))

    app.add_url_rule("/fail", "fail", fail, methods=["GET", "POST"])
    looking = app.test_client().get("/fail?a=1")
    assert (looking.status_code, looking.headers["Refresh"]) == (503, "5")
    entering = app.test_client().post("/fail?a=1", data={"name": '"><b>', "more": ["1", "2"]})
    assert entering.status_code == 503
    assert 'action="/fail?a=1"' in entering.text and "<b>" not in entering.text
    assert entering.text.count('name="more"') == 2
    assert "database is locked" in caplog.text and "Traceback" not in caplog.text

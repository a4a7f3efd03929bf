"""PostgreSQL is stopped and started in the middle: pages say so kindly, and all goes on by itself (proof 6)."""

from __future__ import annotations

import re

import pytest

from companion import create_app, record
from companion.command.maintenance import check
from companion.db import db
from companion.migrations.upgrading import migrate_database
from tests.web import start
from tools.postgres import Postgres


@pytest.fixture
def server(postgres):
    """A server of this test's own, which it may stop."""
    with Postgres() as own:
        yield own


@pytest.fixture
def app(server, tmp_path):
    made = create_app({
        "INSTANCE_PATH": tmp_path, "ENVIRON": {}, "SQLALCHEMY_DATABASE_URI": server.create("night"),
        "WTF_CSRF_ENABLED": False,
    })  # fmt: skip
    migrate_database(made)
    yield made
    with made.app_context():
        db.session.remove()
        db.engine.dispose()


def fields(page: str) -> dict[str, str]:
    """What the form offered for sending again carries."""
    form = re.search(r'<form method="post" action="([^"]*)">(.*?)</form>', page.split("error-page")[1], re.S)
    assert form is not None
    found = dict(re.findall(r'name="([^"]*)" value="([^"]*)"', form.group(2)))
    return {"action": form.group(1), **found}


@pytest.mark.parametrize("mode", ["fast", "immediate"])
def test_the_table_goes_on_by_itself_once_postgresql_is_back(app, server, mode):
    phone = app.test_client()
    code = start(app, phone)
    assert phone.get(f"/g/{code}/").status_code == 200
    server.stop(mode)

    looking = phone.get(f"/g/{code}/")
    assert (looking.status_code, looking.headers["Refresh"], looking.headers["Retry-After"]) == (503, "5", "5")
    assert "out of reach" in looking.text and "Nothing is lost" in looking.text

    buy = {"do": "buy.1.1", "hand": "1", "seen": "1", "token": "a tap"}
    entering = phone.post(f"/g/{code}/do", data=buy)
    assert entering.status_code == 503 and "Refresh" not in entering.headers
    again = fields(entering.text)
    assert again.pop("action") == f"/g/{code}/do"
    assert again == buy

    server.start()
    assert phone.get(f"/g/{code}/").status_code == 200
    for _ in range(2):
        assert phone.post(f"/g/{code}/do", data=again).status_code == 303
    with app.app_context():
        assert record.load(code).revision == 2
        assert check() == []


def test_every_page_says_so_and_none_is_a_500(app, server):
    phone = app.test_client()
    code = start(app, phone)
    server.stop()
    for address in ("/", "/new", f"/g/{code}/scores", f"/g/{code}/history", f"/g/{code}/throw"):
        assert phone.get(address).status_code == 503, address
    for address in ("/referee", "/rules"):
        assert phone.get(address).status_code in (200, 503), address
    assert phone.get("/", headers={"Accept-Language": "pt"}).status_code == 503


def test_a_start_without_a_database_is_one_sentence(app, server):
    from companion.config import SetupError

    server.stop()
    with pytest.raises(SetupError, match=r"night.* can't be used"):
        migrate_database(app)

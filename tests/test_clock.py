"""A server without a clock of its own: what it gave out holds, whatever time it thinks it is."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.datastructures import FileStorage

from tests.web import plain, start

#: A day in 1970, years ago, and years to come.
CLOCKS = {"1970": 86_400.0, "years ago": 1_000_000_000.0, "to come": 3_000_000_000.0}
HERE = {"Origin": "http://localhost"}


@pytest.fixture
def set_clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """The server's clock is put to a moment, as those who sign and check see it."""

    def put(moment: float) -> None:
        monkeypatch.setattr(time, "time", lambda: moment)

    return put


@pytest.fixture
def app(make_app: Callable[..., Flask]) -> Flask:
    return make_app(WTF_CSRF_ENABLED=True)


def fields(page: str, do: str) -> dict[str, str]:
    """The form of the table, as a browser sends it."""
    found = {
        name: re.search(rf'name="{name}" value="([^"]*)"', page) for name in ("csrf_token", "token", "seen", "hand")
    }
    return {"do": do, **{name: match[1] for name, match in found.items() if match}}


def header(answer: Any, name: str) -> str:
    return next(cookie for cookie in answer.headers.getlist("Set-Cookie") if cookie.startswith(f"{name}="))


@pytest.mark.parametrize("clock", CLOCKS.values(), ids=CLOCKS.keys())
def test_a_page_that_is_open_goes_on_when_the_clock_is_put(
    app: Flask, client: FlaskClient, set_clock: Callable[[float], None], clock: float
) -> None:
    code = start(app, client)
    page = client.get(f"/g/{code}/").text
    set_clock(clock)
    assert client.post(f"/g/{code}/do", data=fields(page, "buy.1.1")).status_code == 303
    assert client.get(f"/g/{code}/").status_code == 200, "the role holds too"


@pytest.mark.parametrize("clock", CLOCKS.values(), ids=CLOCKS.keys())
def test_what_a_wrong_clock_gave_out_holds_once_the_clock_is_right(
    app: Flask, client: FlaskClient, set_clock: Callable[[float], None], monkeypatch: pytest.MonkeyPatch, clock: float
) -> None:
    code = start(app, client)
    set_clock(clock)
    sent = fields(client.get(f"/g/{code}/").text, "buy.1.1")
    monkeypatch.undo()
    assert client.post(f"/g/{code}/do", data=sent).status_code == 303


def test_every_cookie_lives_by_the_browsers_own_clock(app: Flask, client: FlaskClient) -> None:
    """Expires alone is a moment of the server's clock: in 1970 the cookie would be dropped at once."""
    answer = client.get("/")
    assert "Max-Age=34560000" in header(answer, "companion")
    token = re.search(r'name="csrf_token" value="([^"]*)"', answer.text)[1]  # type: ignore[index]
    code = start(app, client)
    chosen = client.post("/language", data={"language": "pt", "csrf_token": token})
    answers = [
        answer,
        chosen,
        client.get(f"/g/{code}/"),
        client.post("/settings", data={"suits": "four", "csrf_token": token}),
    ]
    cookies = [cookie for one in answers for cookie in one.headers.getlist("Set-Cookie")]
    assert {cookie.partition("=")[0] for cookie in cookies} >= {"companion", "language", "device", "suits"}
    assert [cookie for cookie in cookies if "Max-Age=" not in cookie] == []


# --- a tap that is refused for its token ------------------------------------------------------------------------------


def test_a_form_of_ours_whose_token_is_of_a_lost_session_is_kept_and_sent_again(
    app: Flask, client: FlaskClient
) -> None:
    code = start(app, client)
    sent = fields(client.get(f"/g/{code}/").text, "buy.1.1")
    client.delete_cookie("companion")
    refused = client.post(f"/g/{code}/do?a=1", data={**sent, "note": '"><b>'}, headers=HERE)
    assert refused.status_code == 400 and "open too long" in plain(refused.text)
    assert f'action="/g/{code}/do?a=1" data-again' in refused.text and "<b>" not in refused.text
    assert 'name="do" value="buy.1.1"' in refused.text and "Send it again" in refused.text
    form = refused.text.split("data-again")[1].split("</form>")[0]
    again = dict(re.findall(r'name="([^"]*)" value="([^"]*)"', form))
    assert again["csrf_token"] != sent["csrf_token"] and again["token"] == sent["token"]
    assert client.post(f"/g/{code}/do", data=again, headers=HERE).status_code == 303


def test_it_is_sent_again_by_itself_only_once(app: Flask, client: FlaskClient) -> None:
    """A browser that keeps no cookie would send it for ever."""
    code = start(app, client)
    page = client.post(f"/g/{code}/do", data={"do": "buy.1.1", "again": "1"}, headers=HERE).text
    assert "data-again" not in page and "Send it again" in page and page.count('name="again"') == 1


@pytest.mark.parametrize(
    "said",
    [
        {}, {"Origin": "http://evil.example"}, {"Origin": "null"}, {"Origin": "http://localhost:81"},
        {"Origin": "https://localhost"}, {**HERE, "Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "none"},
    ],
)  # fmt: skip
def test_a_form_of_another_site_is_never_sent_again(client: FlaskClient, said: dict[str, str]) -> None:
    page = client.post("/language", data={"language": "pt"}, headers=said)
    assert page.status_code == 400 and "Send it again" not in page.text and "data-again" not in page.text


def test_a_browser_that_says_where_it_was_sent_is_believed(client: FlaskClient) -> None:
    page = client.post("/language", data={"language": "pt"}, headers={"Sec-Fetch-Site": "same-origin"})
    assert page.status_code == 400 and "data-again" in page.text


def test_a_file_cannot_be_kept(client: FlaskClient) -> None:
    file = FileStorage(filename="games.json", content_type="application/json")
    page = client.post("/data", data={"file": file}, headers=HERE)
    assert page.status_code == 400 and "Send it again" not in page.text

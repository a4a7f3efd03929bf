"""Settings of a phone."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient


def test_suits_are_drawn_in_two_colours_until_four_are_chosen(client: FlaskClient) -> None:
    assert 'class="four"' not in client.get("/settings").text
    assert client.post("/settings", data={"suits": "four"}).status_code == 303
    page = client.get("/referee/meld?cards=4S+2H+6S").text
    assert 'class="four"' in page
    client.post("/settings", data={"suits": "two"})
    assert 'class="four"' not in client.get("/settings").text


def test_the_language_is_chosen_here_too(client: FlaskClient) -> None:
    client.post("/settings", data={"language": "pt"})
    assert '<html lang="pt">' in client.get("/settings").text


@pytest.mark.parametrize(
    "data", [{}, {"suits": "seven"}, {"language": "xx"}, {"suits": "x" * 9999, "language": "\x00"}]
)
def test_what_is_not_on_offer_changes_nothing(client: FlaskClient, data: dict[str, str]) -> None:
    answer = client.post("/settings", data=data)
    assert answer.status_code == 303
    assert "Set-Cookie" not in answer.headers


def test_looking_at_the_settings_changes_nothing(client: FlaskClient) -> None:
    set_now = [cookie.partition("=")[0] for cookie in client.get("/settings").headers.getlist("Set-Cookie")]
    assert set_now == ["companion"]  # which carries the form's token against forgery

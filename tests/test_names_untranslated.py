"""A browser's translator leaves names, cards and codes alone: Rosa is no colour, and J is no letter; in a sentence too."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.referee.commands import CloseGame
from companion.referee.games import GREBBER, PERU
from tests.lint_html import VOID
from tests.web import play, score, start, three_sets

NAMES = ("Rosa", "Iris", "Heidi May", "Hope")
CARD = re.compile(r"=?(10|[2-9JQKA])[♠♥♦♣]?")
#: Beside the numbers of these, which are no ranks.
COUNTED = {"td", "small", "strong", "output"}


class _Texts(HTMLParser):
    """Every piece of text with its element, and whether a translator may touch it."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[tuple[str, bool]] = []
        self.texts: list[tuple[str, str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        is_free = dict(attrs).get("translate") != "no" and (not self.open or self.open[-1][1])
        if tag not in VOID:
            self.open.append((tag, is_free))

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        if data.strip() and self.open:
            self.texts.append((self.open[-1][0], data.strip(" \n:,.;·").strip(), self.open[-1][1]))


def free(page: str) -> Iterator[tuple[str, str]]:
    """The texts that a translator may touch and that have a name in them (an option: nothing else), or are a card or a code."""
    parser = _Texts()
    parser.feed(page)
    for tag, text, is_free in parser.texts:
        left = re.sub(r"|".join(NAMES), "", text)
        is_named = (
            left != text and not re.sub(r"and|[\s,:;·\d]", "", left)
            if tag == "option"
            else any(re.search(rf"(?<!\w){name}(?!\w)", text) for name in NAMES)
        )
        is_card = bool(CARD.fullmatch(text)) and tag not in COUNTED and not text.isdigit()
        if is_free and tag not in ("title", "textarea") and (is_named or is_card):
            yield tag, text


@pytest.fixture(autouse=True)
def on_a_home_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Phones find this server, so that there are links and codes."""
    monkeypatch.setattr("companion.serving.lan.lan_addresses", lambda: ("192.168.0.7",))


@pytest.fixture
def night(app: Flask, client: FlaskClient) -> str:
    """A game with melds on the table and hands behind it."""
    code = start(app, client, NAMES)
    play(app, code, score(1, 0, 0, 10, 20, 30), score(2, 1, 5, 0, 10, 15))
    return code


ADDRESSES = (
    "", "throw", "throw?seat=1&card=7C", "who", "who?discarder=0&call=2", "scores", "over", "over?hand=3&out=0&points-1=x",
    "over?hand=3&out=0&points-1=5&points-2=5&points-3=5", "scores/1", "down", "down?seat=1", "players", "phones",
    "phones/watch", "history", "end", "recap", "print", "tv", "more",
)  # fmt: skip


@pytest.mark.parametrize("address", ADDRESSES)
def test_names_cards_and_codes_are_not_translated(client: FlaskClient, night: str, address: str) -> None:
    page = client.get(f"/g/{night}/{address}").get_data(as_text=True)
    assert any(name in page for name in NAMES) or address.startswith(("more", "throw"))
    assert list(free(page)) == []


def test_nor_are_they_once_melds_lie_on_the_table_and_when_the_night_is_over(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, NAMES)
    play(app, code, three_sets())
    for address in ("", "throw", "melds/1", "down?seat=1", "down/back?seat=1"):
        assert list(free(client.get(f"/g/{code}/{address}").get_data(as_text=True))) == []
    play(app, code, score(1, 0, 0, 10, 20, 30), CloseGame())
    for address in (
        f"/g/{code}/end",
        f"/g/{code}/recap",
        f"/g/{code}/tv",
        "/",
        "/new",
        f"/new?again={code}",
        "/nights",
    ):
        assert list(free(client.get(address).get_data(as_text=True))) == []
    for address in (
        "/people",
        "/people/1",
        "/statistics",
        "/referee/discard?groups=7S+7H+7D",
        "/referee/meld?cards=5S+2H+7S",
    ):
        assert list(free(client.get(address).get_data(as_text=True))) == []


@pytest.mark.parametrize("rules", [PERU, GREBBER], ids=["peru", "grebber"])
def test_nor_are_those_of_other_games(app: Flask, client: FlaskClient, rules: object) -> None:
    code = start(app, client, NAMES[:3], rules=rules)  # type: ignore[arg-type]
    for address in ("", "scores", "players", "tv", "throw", "grebber/count", "grebber/ask", "over"):
        assert list(free(client.get(f"/g/{code}/{address}", follow_redirects=True).get_data(as_text=True))) == []


def test_the_check_sees_a_name_that_may_be_translated() -> None:
    assert list(free("<p>Rosa</p><p>J♣</p><p>Rosa bought</p><p>Rosamund</p>")) == [
        ("p", "Rosa"), ("p", "J♣"), ("p", "Rosa bought"),
    ]  # fmt: skip
    assert list(free('<p translate="no"><b>Rosa</b></p><td>7</td>')) == []

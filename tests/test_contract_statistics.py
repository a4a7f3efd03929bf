"""Statistics where nights of different lists are mixed: by what a hand asked for, not by its number."""

from __future__ import annotations

import re

from flask import Flask
from flask.testing import FlaskClient

from companion.record import many_nights
from companion.record.many_nights import Wanted
from companion.referee.commands import CloseGame
from companion.referee.games import KATE, LIVERPOOL
from companion.referee.own_lists import read_hands, with_hands
from tests.web import another, device_of, plain, play, score, start

OWN = with_hands(KATE, read_hands("set3 run4 / 2xset3")[0], "Turned about")


def two_nights(app: Flask, client: FlaskClient) -> None:
    """A usual night of two hands, and one with the same two hands the other way round; Bea's points by hand."""
    usual = start(app, client)
    play(app, usual, score(1, 0, 0, 10, 5), score(2, 0, 0, 100, 5), CloseGame())
    turned = another(app, client, rules=OWN)
    play(app, turned, score(1, 0, 0, 50, 5), score(2, 0, 0, 30, 5))


def test_nights_of_one_list_count_by_number(app: Flask, client: FlaskClient) -> None:
    usual = start(app, client)
    play(app, usual, score(1, 0, 0, 10, 5), CloseGame())
    page = client.get("/statistics").text
    assert "Points by hand, on average" in page and "Points by contract" not in page


def test_hands_that_asked_for_the_same_count_together(app: Flask, client: FlaskClient) -> None:
    two_nights(app, client)
    device = device_of(app, client)
    with app.app_context():
        assert many_nights.have_different_lists(device)
        (bea,) = {row.id for row in many_nights.people(device) if row.name == "Bea"}
        found = {row.hand: row.sums for row in many_nights.by_contract(device, Wanted(), bea)}
    assert set(found) == {"2xset3", "set3 run4"}


def test_the_page_shows_averages_by_contract_and_opens_their_nights(app: Flask, client: FlaskClient) -> None:
    two_nights(app, client)
    page = client.get("/statistics").text
    assert "Points by contract, on average" in page and "two sets of three" in page
    row = page[page.index("Points by contract") :]
    bea = row[row.index("<tbody>") :]
    bea = bea[: bea.index("</tr>", bea.index(">Bea<"))].rpartition("<tr>")[2]
    assert re.findall(r">(\d+\.\d)<", bea) == ["20.0", "75.0"]  # 10 and 30 for two sets, 100 and 50 for a set and a run
    link = next(address for address in re.findall(r'href="([^"]*)"', bea) if "dealt_set3.run4" in address)
    nights = client.get(link.replace("&amp;", "&"))
    assert nights.status_code == 200 and "Bea was dealt a hand for a set of three and a run of four" in plain(
        nights.text
    )
    assert nights.text.count('class="night-main"') == 2
    person = re.search(r"/people/(\d+)", bea)
    assert person is not None and "Points by contract, on average" in client.get(person[0]).text


def test_the_whole_is_the_same_by_number_and_by_contract(app: Flask, client: FlaskClient) -> None:
    two_nights(app, client)
    play(app, another(app, client, rules=LIVERPOOL), score(1, 0, 0, 12, 5), CloseGame())
    device = device_of(app, client)
    with app.app_context():
        for one, other in zip(_sums(many_nights.hands(device)), _sums(many_nights.by_contract(device)), strict=True):
            assert one == other


def _sums(rows: tuple[many_nights.PlayedHand, ...]) -> list[tuple[int, int, int]]:
    people = sorted({row.person for row in rows})
    return [
        (
            person,
            sum(row.sums.points for row in rows if row.person == person),
            sum(row.sums.times for row in rows if row.person == person),
        )
        for person in people
    ]


def test_a_contract_in_an_address_that_is_none_is_refused(app: Flask, client: FlaskClient) -> None:
    two_nights(app, client)
    for number in ("dealt_pair-1", "dealt_-1", "won_2xset3-1", "dealt_set99-1"):
        assert "none of ours" in plain(client.get(f"/nights?of={number}").text), number

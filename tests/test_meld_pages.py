"""Going down, laying off, replacing a wild, correcting and taking back: the pages and everything they refuse."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import update

from companion import record
from companion.db import writing
from companion.models import Membership
from companion.record import GameView
from companion.referee import commands as c
from companion.referee.cards import parse_card
from companion.referee.engine import problems
from companion.referee.events import RuleOverruled, WentDown, parts
from companion.referee.games import KATE, LIVERPOOL, PERU
from companion.referee.notation import read_meld
from companion.referee.rules import Rules
from tests.web import play, score, start, three_sets

TAPS: dict[str, Any] = {
    "m0-rank": "7",
    "m0-count": "3",
    "m0-wild2": "0",
    "m1-rank": "9",
    "m1-count": "3",
    "m1-wild2": "1",
}
RUN: dict[str, Any] = {"m1-suit": "S", "m1-low": "4", "m1-count": "4"}
MANY = 10**30
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")


class Night:
    """One game with its phone."""

    def __init__(self, app: Flask, client: FlaskClient, rules: Rules = KATE, hand: int = 1, **more: Any) -> None:
        self.app, self.client = app, client
        self.code = start(app, client, rules=rules, **more)
        self.play(*(score(number, 0, 0, 10, 20) for number in range(1, hand)))

    def play(self, *commands: c.Command) -> None:
        play(self.app, self.code, *commands)

    @property
    def view(self) -> GameView:
        with self.app.app_context():
            view = record.load(self.code)
        assert view is not None
        return view

    @property
    def events(self) -> list[Any]:
        with self.app.app_context():
            return [entry.event for entry in record.entries(self.code) or ()]

    def melds(self) -> list[str]:
        hand = self.view.state.hand
        assert hand is not None
        return [str(meld.meld) for meld in hand.melds]

    def get(self, path: str, status: int = 200) -> str:
        answer = self.client.get(f"/g/{self.code}/{path}")
        assert answer.status_code == status
        return answer.text

    def post(self, path: str, status: int = 303, seen: int | None = None, **typed: Any) -> str:
        data = {"seen": self.view.revision if seen is None else seen, "token": record.new_token(), **typed}
        answer = self.client.post(
            f"/g/{self.code}/{path}", data={name.replace("__", "-"): v for name, v in data.items()}
        )
        assert answer.status_code == status, answer.text
        if status == 303:
            assert answer.location.startswith(f"/g/{self.code}/")
        return answer.text


@pytest.fixture
def night(app: Flask, client: FlaskClient) -> Night:
    """Hand 1: two sets of three."""
    return Night(app, client)


@pytest.fixture
def second(app: Flask, client: FlaskClient) -> Night:
    """Hand 2: a set of three and a run of four."""
    return Night(app, client, hand=2)


@pytest.fixture
def laid(second: Night) -> Night:
    """Hand 2: Bea (seat 1) is down with meld 0, nines, and meld 1, 4♠ 2 6♠ 7♠; Ana (seat 0) is down without cards."""
    melds = (read_meld("set 9S 9H 9D"), read_meld("run 4S 2H 6S 7S"))
    second.play(c.GoDown(2, 1, melds), c.GoDownWithoutCards(2, 0))
    return second


# Going down


def test_without_a_seat_the_page_asks_who(night: Night) -> None:
    page = night.get("down")
    assert "Who goes down?" in page
    assert all(f"/down?seat={seat}" in page for seat in (0, 1, 2))


@pytest.mark.parametrize("seat", ["", "9", "-1", "x", str(MANY), "１", "١"])
def test_a_seat_that_is_none_asks_who(night: Night, seat: str) -> None:
    assert "Who goes down?" in night.get(f"down?seat={seat}")
    assert night.post(f"down?seat={seat}", 422, **TAPS)
    assert night.melds() == []


def test_who_sits_out_goes_not_down(app: Flask, client: FlaskClient) -> None:
    night = Night(app, client, names=("Ana", "Bea", "Carl", "Dora"))
    night.play(c.SitOut(1, 2))
    assert "seat=2" not in night.get("down")
    night.post("down?seat=2", 422, **TAPS)


def test_each_slot_has_its_block_and_no_set_is_of_2s(second: Night) -> None:
    page = second.get("down?seat=1")
    assert "1 · A set of three" in page and "2 · A run of four" in page
    ranks = [f'name="m0-rank" value="{rank}"' in page for rank in RANKS]
    assert ranks == [False] + [True] * 12
    assert 'name="m1-low" value="J"' in page and 'name="m1-low" value="Q"' not in page


def test_taps_are_enough_and_no_suit_of_a_set_is_asked(night: Night) -> None:
    night.post("down?seat=1", **TAPS)
    assert night.melds() == ["7? 7? 7?", "9? 9? 2?"]
    assert night.view.state.hand.is_down(1)


def test_a_run_is_a_suit_a_low_card_and_the_places_of_its_2s(second: Night) -> None:
    second.post("down?seat=1", **{"m0-rank": "K", **RUN, "m1-count": "5", "m1-wild2": ["1", "4"]})
    assert second.melds() == ["K? K? K?", "4S 2? 6S 7S 2?"]
    assert str(second.view.state.hand.melds[1].meld.stands_for(4)) == "8S"


def test_typed_cards_count_instead_of_the_taps(second: Night) -> None:
    second.post("down?seat=1", **{"m0-typed": "as a♥ ad", **RUN, "m1-typed": "10H jh, 2D KH"})
    assert second.melds() == ["AS AH AD", "10H JH 2D KH"]


def test_nobody_has_to_type_the_suit_of_a_2_or_of_a_set(second: Night) -> None:
    second.post("down?seat=1", **{"m0-typed": "9 9 2", "m1-typed": "10h, 2, qh, 2"})
    assert second.melds() == ["9? 9? 2?", "10H 2? QH 2?"]


def test_g3_2_in_a_run_the_suit_of_a_natural_matters(second: Night) -> None:
    assert "#G3.2" in second.post("down?seat=1", 422, **{"m0-rank": "9", "m1-typed": "10 J Q KH"})


def test_cards_in_another_order_are_taken_where_no_2_could_differ(second: Night) -> None:
    second.post("down?seat=1", **{"m0-rank": "3", "m1-typed": "7S 5S 4S 6S"})
    assert second.melds()[1] == "4S 5S 6S 7S"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"m0-rank": ""}, "Choose the rank of this set."),
        ({"m0-rank": "2"}, "Choose the rank of this set."),
        ({"m0-count": "2"}, "none of the answers here"),
        ({"m0-count": str(MANY)}, "none of the answers here"),
        ({"m0-count": "３"}, "none of the answers here"),
        ({"m0-wild2": "4"}, "These are more wilds than cards."),
        ({"m0-wild2": "-1"}, "none of the answers here"),
        ({"m0-wild2": "1e5"}, "none of the answers here"),
        ({"m1-suit": ""}, "Choose the suit of this run."),
        ({"m1-suit": "♠♠"}, "Choose the suit of this run."),
        ({"m1-low": "2"}, "Choose the lowest card of this run."),
        ({"m1-low": "J", "m1-count": "5"}, "This run is too long"),
        ({"m1-wild2": "4"}, "marked past the end of this run"),
        ({"m1-wild2": "x"}, "none of the answers here"),
        ({"m1-wild2": "99"}, "none of the answers here"),
        ({"m1-wild2": ["1", "1"]}, "Two wilds are marked in one place."),
        ({"m1-typed": "4S 5S 6S banana"}, "“banana” is not a card."),
        ({"m1-typed": "４S ５S ６S ７S"}, "“４S” is not a card."),
        ({"m1-typed": "<script>"}, "“&lt;script&gt;” is not a card."),
        ({"m1-typed": "4S " * 68}, "At most 200 characters"),
        ({"m1-typed": "4S " * 17}, "At most 16 cards"),
        ({"m1-typed": ",,,"}, "Enter the cards first."),
    ],
)
def test_a_field_that_cannot_be_taken_says_so_and_keeps_the_rest(
    second: Night, changes: dict[str, Any], sentence: str
) -> None:
    page = second.post("down?seat=1", 422, **{"m0-rank": "7", "m0-count": "3", **RUN, **changes})
    assert sentence in page
    assert 'class="field-error"' in page
    assert "Not laid yet" in page
    assert second.melds() == []
    if "m1-low" not in changes:
        assert 'name="m1-low" value="4" checked' in page
    if "m0-rank" not in changes:
        assert 'name="m0-rank" value="7" checked' in page
    if "m1-typed" in changes:
        assert page.count('value="' + changes["m1-typed"].replace("<", "&lt;").replace(">", "&gt;") + '"') == 1


def test_what_is_missing_and_what_is_illegal_are_said_at_once(second: Night) -> None:
    page = second.post("down?seat=1", 422, **{"m0-rank": "7", "m0-count": "3", "m0-wild2": "3"})
    assert "#G3.3" in page
    assert "Choose the suit of this run." in page


def test_g3_6_several_readings_are_asked_and_the_chosen_one_lands(second: Night) -> None:
    page = second.post("down?seat=1", 422, **{"m0-rank": "7", "m1-typed": "2H 2D 5S 6S 2C", "m0-wild2": "3"})
    assert page.count('name="m1-reading"') == 0  # in this order they are one run: 3♠–7♠
    page = second.post("down?seat=1", 422, **{"m0-rank": "7", "m1-typed": "6S 2H 5S 2D"})
    assert "Say how they lie" in page
    readings = [part.split('"')[0] for part in page.split('name="m1-reading" value="')[1:]]
    assert readings == ["run 3 2D 2H 5S 6S", "run 4 2D 5S 6S 2H", "run 5 5S 6S 2D 2H"]
    second.post("down?seat=1", **{"m0-rank": "7", "m1-typed": "6S 2H 5S 2D", "m1-reading": readings[1]})
    assert second.melds()[1] == "2D 5S 6S 2H"


def test_a_chosen_reading_stays_chosen_when_another_meld_is_refused(second: Night) -> None:
    entered = {"m1-typed": "6S 2H 5S 2D", "m1-reading": "run 4 2D 5S 6S 2H"}
    page = second.post("down?seat=1", 422, **entered)
    assert 'value="run 4 2D 5S 6S 2H" checked' in page
    assert "Say how they lie" not in page


def test_g2_1_a_2_below_the_3_is_offered_at_the_top(second: Night) -> None:
    page = second.post("down?seat=1", 422, **{"m0-rank": "7", "m1-typed": "2H 3S 4S 5S"})
    assert "2 as 6♠" in page
    assert page.count('name="m1-reading"') == 1


def test_every_reason_stands_beside_its_meld_with_its_rule(app: Flask, client: FlaskClient) -> None:
    night = Night(app, client, KATE.replace(max_wilds=1, lay_down_size="exact"))
    page = night.post("down?seat=1", 422, **{**TAPS, "m0-wild2": "2", "m1-typed": "9S 9H 9D 9C"})
    first, second = page.split('id="m0"')[1].split('id="m1"')
    assert "#G3.4" in first and "#G4.3" not in first
    assert "#G4.3" in second and "#G3.4" not in second
    assert "That is not allowed." in page
    assert 'name="m0-wild2" value="2" checked' in page
    assert 'value="9S 9H 9D 9C"' in page


def test_g4_5_two_sets_of_one_rank_are_explained_at_the_later_one(app: Flask, client: FlaskClient) -> None:
    night = Night(app, client, KATE.replace(same_rank_sets="forbidden"))
    page = night.post("down?seat=1", 422, **{**TAPS, "m1-rank": "7"})
    assert "#G4.5" in page.split('id="m1"')[1]


def test_g1_1_more_copies_than_the_decks_hold_are_explained_above_the_melds(night: Night) -> None:
    page = night.post("down?seat=1", 422, **{"m0-typed": "7S 7S 7H", "m1-typed": "7S 7D 7C"})
    assert "#G1.1" in page.split('id="m0"')[0]


def test_the_table_overrules_a_silent_rule_there_and_then(night: Night) -> None:
    page = night.post("down?seat=1", 422, **{**TAPS, "m0-wild2": "3"})
    assert 'name="overrule" value="min_naturals=0"' in page
    night.post("down?seat=1", **{**TAPS, "m0-wild2": "3"}, overrule="min_naturals=0")
    decided = night.events[-1]
    assert [type(event) for event in parts(decided)] == [RuleOverruled, WentDown]
    assert night.view.state.rules.min_naturals == 0


def test_one_undo_takes_back_what_one_tap_decided_and_did(night: Night) -> None:
    before = night.view
    night.post("down?seat=1", **{**TAPS, "m0-wild2": "3"}, overrule="min_naturals=0")
    after = night.view
    assert after.undo and after.revision == before.revision + 1
    history = night.get("history")
    assert history.count('class="entry"') == 2
    line = history.split(f'id="e{after.revision}"')[1].split("</li>")[0]
    assert "The table now plays" in line and "went down." in line
    night.post("history", turn="undo", entry=str(after.undo.seq))
    assert night.view.state == before.state
    night.post("history", turn="redo", entry=str(after.undo.seq))
    assert night.view.state == after.state


def test_the_same_tap_twice_decides_once(night: Night) -> None:
    fields = {**TAPS, "m0-wild2": "3", "overrule": "min_naturals=0", "token": "one", "seen": 1}
    for _ in range(2):
        assert night.client.post(f"/g/{night.code}/down?seat=1", data=fields).status_code == 303
    assert len(night.events) == 2


def test_a_decision_that_does_not_help_stays_alone_and_sent_again_lands_once(app: Flask, client: FlaskClient) -> None:
    night = Night(app, client, KATE.replace(lay_down_size="exact"))
    entered = {**TAPS, "m0-wild2": "3", "m1-typed": "9S 9H 9D 9C"}
    for _ in range(2):
        page = night.post("down?seat=1", 422, **entered, overrule="min_naturals=0", token="one", seen="1")
        assert "Somebody was quicker" not in page
    assert [type(event) for event in night.events[1:]] == [RuleOverruled]


def test_what_is_still_illegal_after_overruling_is_no_stale_page(app: Flask, client: FlaskClient) -> None:
    night = Night(app, client, KATE.replace(lay_down_size="exact"))
    entered = {**TAPS, "m0-wild2": "3", "m1-typed": "9S 9H 9D 9C"}
    page = night.post("down?seat=1", 422, **entered, overrule="min_naturals=0")
    assert "#G4.3" in page and "#G3.3" not in page
    assert "Somebody was quicker" not in page
    night.post("down?seat=1", **entered, overrule="lay_down_size='minimum'")
    assert len(night.melds()) == 2


def test_a_decision_counts_though_another_meld_is_not_entered_yet(second: Night) -> None:
    entered = {"m0-rank": "7", "m0-wild2": "3"}
    page = second.post("down?seat=1", 422, **entered, overrule="min_naturals=0")
    assert second.view.state.rules.min_naturals == 0
    assert "#G3.3" not in page and "Choose the suit of this run." in page
    second.post("down?seat=1", **entered, **RUN)


@pytest.mark.parametrize("text", ["", "min_naturals", "min_naturals=7", "sheet='x'", "__class__=0", "=", "x" * 500])
def test_an_overruling_of_nothing_changes_no_rule(night: Night, text: str) -> None:
    before = night.view.state.rules
    night.post("down?seat=1", 422, **{**TAPS, "m0-wild2": "3"}, overrule=text)
    assert night.view.state.rules == before


def test_what_a_legal_going_down_rests_on_is_said(app: Flask, client: FlaskClient) -> None:
    night = Night(app, client)
    night.post("down?seat=1", **{**TAPS, "m1-rank": "7", "m0-wild2": "0"})
    page = night.get("")
    assert "The written rules are silent here" in page
    assert "Two sets of one rank" in page


def landed(night: Night) -> list[str]:
    """What the last command that landed rests on, as the table says it."""
    return re.findall(r'<details class="basis"><summary>(.*?)</summary>', night.get(""))


def test_a_going_down_that_lands_shows_what_it_rests_on(app: Flask, client: FlaskClient) -> None:
    silent = "the written rules are silent"
    night = Night(app, client)
    night.post("down?seat=1", **TAPS)
    assert landed(night) == ["G4.2 · written in the rules"]
    night = Night(app, client)
    night.post("down?seat=1", **{**TAPS, "m1-wild2": "2"})  # 9 2 2
    assert landed(night) == [f"G3.3 · {silent}", f"G3.4 · {silent}"]


def test_a_card_laid_off_or_put_in_a_wilds_place_shows_what_it_rests_on(laid: Night) -> None:
    laid.post("melds/0", seat="0", card="9C")
    assert landed(laid) == ["G6.2 · follows from the written rules"]
    laid.post("melds/0", seat="1", card="9C")  # her own meld
    assert landed(laid) == ["G7.1 · written in the how-to version only"]
    laid.post("melds/1", seat="0", card="5S", way="replace-1-low")
    assert landed(laid) == ["G8.1 · written in the rules"]
    refused = laid.post("melds/1", 422, seat="0", card="KH")
    assert "<summary>G6.2 · follows from the written rules</summary>" in refused


def test_a_form_sent_twice_says_the_same_of_both(night: Night) -> None:
    seen = night.view.revision
    for _tap in range(2):
        night.post("down?seat=1", seen=seen, token="once", **{**TAPS, "m1-rank": "7"})
    notices = night.get("").split('class="notice')[1:]
    assert all("Two sets of one rank" in notice.split("</p>")[0] for notice in notices)
    assert notices


def test_down_without_entering_the_cards_is_one_button(night: Night) -> None:
    night.post("down?seat=1", blind="1")
    assert night.view.state.hand.is_down(1)
    assert night.melds() == []


def test_the_cards_can_be_entered_later(night: Night) -> None:
    night.post("down?seat=1", blind="1")
    page = night.get("down?seat=1")
    assert "Bea is down" in page and "The melds were not entered." in page and 'name="blind"' not in page
    night.post("down?seat=1", **TAPS)
    assert len(night.melds()) == 2


def test_going_down_twice_without_cards_is_refused(night: Night) -> None:
    night.post("down?seat=1", blind="1")
    assert "#G4.2" in night.post("down?seat=1", 422, blind="1")


def test_g4_4_who_is_down_lays_nothing_further_unless_the_table_says_so(night: Night) -> None:
    night.play(three_sets())
    page = night.get("down?seat=1")
    assert "#G4.4" in page and 'id="lay"' not in page
    assert "/melds/0" in page and "/down/back?seat=1" in page
    night.post("down?seat=1", 422, **TAPS)
    night.post("down?seat=1", overrule="extra_melds=True")
    assert "A further meld" in night.get("down?seat=1")
    night.post("down?seat=1", **{"x0-typed": "10H JH QH"})
    assert night.melds()[2] == "10H JH QH"


def test_a_decision_already_made_elsewhere_is_no_error_page(night: Night) -> None:
    night.play(three_sets())
    seen = night.view.revision
    night.play(c.OverruleRule("extra_melds", True))
    night.post("down?seat=1", seen=seen, overrule="extra_melds=True")
    assert "A further meld" in night.get("down?seat=1")


def test_a_further_meld_goes_down_with_the_contract_where_the_table_plays_so(app: Flask, client: FlaskClient) -> None:
    night = Night(app, client, KATE.replace(extra_melds=True))
    night.post("down?seat=1", **TAPS, **{"x0-typed": "10H JH QH"})
    assert len(night.melds()) == 3


def test_further_melds_need_cards(app: Flask, client: FlaskClient) -> None:
    night = Night(app, client, KATE.replace(extra_melds=True))
    night.play(three_sets())
    assert "#G4.4" in night.post("down?seat=1", 422, **{"x0-typed": " "})


def test_the_same_form_lands_once(night: Night) -> None:
    seen = night.view.revision
    for _tap in range(2):
        night.post("down?seat=1", seen=seen, token="once", **TAPS)
    assert len(night.melds()) == 2
    assert len(night.events) == 2


def test_a_card_sent_twice_lands_once(laid: Night) -> None:
    seen = laid.view.revision
    for token, sent in (("a", {"card": "8S"}), ("b", {"card": "5S", "way": "replace-1-low"})):
        for _tap in range(2):
            laid.post("melds/1", seen=seen, token=token, seat="0", **sent)
        seen = laid.view.revision
    assert laid.melds()[1] == "2H 4S 5S 6S 7S 8S"


def test_a_correction_and_a_removal_sent_twice_land_once(laid: Night) -> None:
    seen, before = laid.view.revision, len(laid.events)
    for _tap in range(2):
        laid.post("melds/1/correct", seen=seen, token="a", sure="1", **FIXED)
    for _tap in range(2):
        laid.post("melds/0/remove", seen=seen, token="b", sure="1")
    for _tap in range(2):
        laid.post("down/back?seat=0", seen=laid.view.revision - _tap, token="c")
    assert len(laid.events) == before + 3


def test_who_was_quicker_is_said_and_what_was_typed_is_kept(night: Night) -> None:
    seen = night.view.revision
    night.play(three_sets(ranks="7 9"))
    page = night.post("down?seat=1", 409, seen=seen, **TAPS)
    assert "Somebody was quicker" in page
    assert "Bea went down" in page


def test_a_stale_page_of_another_player_keeps_its_cards(night: Night) -> None:
    seen = night.view.revision
    night.play(c.GoDownWithoutCards(1, 2))
    night.post("down?seat=1", seen=seen, **TAPS)
    assert len(night.melds()) == 2


def test_a_hand_scored_meanwhile_lets_nothing_land(second: Night) -> None:
    seen = second.view.revision
    second.play(score(2, 0, 0, 10, 20))
    second.post("down?seat=1", 409, seen=seen, hand="2", **{"m0-rank": "7", **RUN})
    assert second.melds() == []


@pytest.mark.parametrize("path", ["down", "down?seat=1", "melds/0", "down/back?seat=1"])
def test_between_nights_there_is_nothing_to_lay(app: Flask, client: FlaskClient, path: str) -> None:
    night = Night(app, client, hand=11)
    night.get(path, 409)


@pytest.mark.parametrize("path", ["down?seat=1", "melds/0", "melds/0/correct", "melds/0/remove", "down/back?seat=1"])
def test_who_only_watches_sees_the_melds_and_changes_nothing(laid: Night, path: str) -> None:
    with laid.app.app_context(), writing() as session:
        session.execute(update(Membership).values(role="watch"))
    laid.post(path, 403, card="9C", seat="1", sure="1")
    if path.count("/") < 2:
        page = laid.get(path)
        assert "<button" not in page.split("<main")[1].split("</main>")[0]
        assert "9" in page


@pytest.mark.parametrize("path", ["down?seat=1", "melds/0", "down/back?seat=1"])
def test_no_phone_of_another_game_enters(laid: Night, path: str) -> None:
    other = laid.app.test_client()
    assert other.get(f"/g/{laid.code}/{path}").status_code == 404
    assert other.post(f"/g/{laid.code}/{path}").status_code == 404


@pytest.mark.parametrize(
    "path", ["down", "down?seat=1", "down?seat=2", "melds/0", "melds/1?seat=1", "down/back?seat=1"]
)
def test_looking_changes_nothing(laid: Night, path: str) -> None:
    before = laid.view.revision
    laid.get(path)
    assert laid.view.revision == before


# A meld on the table


@pytest.mark.parametrize("number", ["2", "99", str(MANY), "9" * 5000, "-1", "x", "٣", "1e5"])
def test_an_unknown_meld_is_not_found(laid: Night, number: str) -> None:
    for path in (f"melds/{number}", f"melds/{number}/correct", f"melds/{number}/remove"):
        answer = laid.client.post(
            f"/g/{laid.code}/{path}", data={"seen": laid.view.revision, "card": "9C", "seat": "1"}
        )
        assert answer.status_code == 404
    laid.get(f"melds/{number}", 404)


def test_the_meld_is_drawn_with_its_owner_and_the_cards_that_play(laid: Night) -> None:
    page = laid.get("melds/1")
    assert "Bea&#39;s run 4♠–7♠" in page and "2 as 5♠" in page
    assert [card in page for card in ('value="3S"', 'value="5S"', 'value="8S"', 'value="2?"', 'value="9S"')] == [
        True
    ] * 4 + [False]


def test_a_single_player_who_is_down_is_chosen_already(night: Night) -> None:
    night.play(three_sets())
    assert 'name="seat" value="1" checked' in night.get("melds/0")


def test_of_several_the_one_of_the_link_is_chosen(laid: Night) -> None:
    assert "checked" not in laid.get("melds/0").split("Entered wrongly")[0]
    assert 'name="seat" value="0" checked' in laid.get("melds/0?seat=0")


def test_who_is_not_down_is_not_offered_and_the_rule_says_why(laid: Night) -> None:
    page = laid.get("melds/0")
    assert 'name="seat" value="2"' not in page
    assert "Carl" in page and "#G7.1" in page


def test_g7_1_where_no_own_meld_takes_more_its_owner_is_not_offered(app: Flask, client: FlaskClient) -> None:
    night = Night(app, client, KATE.replace(lay_off_own=False))
    night.play(three_sets())
    assert 'name="seat"' not in night.get("melds/0")
    assert "#G7.1" in night.post("melds/0", 422, card="7C", seat="1")


def test_a_card_with_one_way_lands_at_once(laid: Night) -> None:
    laid.post("melds/0", card="9C", seat="0")
    laid.post("melds/1", card="8S", seat="1")
    assert laid.melds() == ["9S 9H 9D 9C", "4S 2H 6S 7S 8S"]
    assert "Ana laid off the 9♣." in laid.get("melds/0")


def test_g8_1_the_end_for_the_freed_2_is_asked(laid: Night) -> None:
    page = laid.post("melds/1", 422, card="5S", seat="0")
    assert "the wild becomes 3♠" in page and "the wild becomes 8♠" in page
    assert laid.melds()[1] == "4S 2H 6S 7S"
    laid.post("melds/1", card="5S", seat="0", way="replace-1-high")
    assert laid.melds()[1] == "4S 5S 6S 7S 2H"
    assert "Ana replaced a wild with the 5♠." in laid.get("melds/1")


def test_a_2_may_go_to_either_end(laid: Night) -> None:
    page = laid.post("melds/1", 422, card="2?", seat="0")
    assert "low end" in page and "high end" in page
    laid.post("melds/1", card="2?", seat="0", way="low")
    assert laid.melds()[1] == "2? 4S 2H 6S 7S"


def test_g8_3_with_one_end_free_nothing_is_asked(second: Night) -> None:
    second.play(c.GoDown(2, 1, (read_meld("set 9S 9H 9D"), read_meld("run 3S 2H 5S 6S"))))
    second.post("melds/1", card="4S", seat="1")
    assert second.melds()[1] == "3S 4S 5S 6S 2H"


def test_g8_3_with_no_end_free_the_reason_is_said(second: Night) -> None:
    run = "3S 4S 5S 6S 7S 8S 2H 10S JS QS KS AS"
    second.play(c.GoDown(2, 1, (read_meld("set 9S 9H 9D"), read_meld(f"run {run}"))))
    assert "No card plays on this meld." in second.get("melds/1")
    assert "#G8.3" in second.post("melds/1", 422, typed="9S", seat="1")


def test_a_way_that_is_gone_never_lands_another_way(laid: Night) -> None:
    laid.play(c.LayOff(2, 1, 1, parse_card("3S")))
    assert "#G6.2" in laid.post("melds/1", 422, card="2H", seat="0", way="low")
    assert laid.melds()[1] == "3S 4S 2H 6S 7S"


@pytest.mark.parametrize("way", ["up", "replace-x-low", "replace-1-away", "replace-999-low", "replace-1", "Low"])
def test_a_way_that_is_none_is_said(laid: Night, way: str) -> None:
    assert "none of the answers here" in laid.post("melds/1", 422, card="5S", seat="0", way=way)
    assert laid.melds()[1] == "4S 2H 6S 7S"


@pytest.mark.parametrize(
    ("typed", "rule"),
    [({"card": "9C", "seat": "2"}, "G7.1"), ({"card": "8C", "seat": "0"}, "G6.2"), ({"typed": "9?", "seat": "99"}, "")],
)
def test_a_card_that_cannot_be_laid_is_refused_with_the_rule(laid: Night, typed: dict[str, str], rule: str) -> None:
    page = laid.post("melds/0", 422, **typed)
    assert f"#{rule}" in page and "That is not allowed." in page
    assert laid.melds()[0] == "9S 9H 9D"


def test_g8_4_where_no_wild_is_replaced_the_switch_is_named(app: Flask, client: FlaskClient) -> None:
    night = Night(app, client, KATE.replace(wild_swap="off"), hand=2)
    night.play(c.GoDown(2, 1, (read_meld("set 9S 9H 9D"), read_meld("run 4S 2H 6S 7S"))))
    assert "#G8.4" in night.post("melds/1", 422, typed="5S", seat="1")


@pytest.mark.parametrize(
    "text", ["", " ", "banana", "９♠", "９", "11", "<b>", "9S 9H", "x" * 500, str(MANY), "\x00", "🂡"]
)
def test_what_is_no_card_is_said_and_kept(laid: Night, text: str) -> None:
    page = laid.post("melds/0", 422, typed=text, seat="0")
    assert 'id="typed-error"' in page
    assert 'name="seat" value="0" checked' in page
    assert text.replace("<b>", "&lt;b&gt;") in page


@pytest.mark.parametrize("seat", ["", "x", str(MANY), "１", "-1"])
def test_without_who_lays_the_card_the_page_asks_and_keeps_it(laid: Night, seat: str) -> None:
    page = laid.post("melds/0", 422, card="9C", seat=seat)
    assert "Who lays the 9♣?" in page
    assert 'name="card" value="9C"' in page and page.count('<button class="button" name="seat"') == 2


def test_a_2_and_a_card_of_a_set_are_laid_off_without_their_suit(laid: Night) -> None:
    laid.post("melds/0", typed="9", seat="0")
    laid.post("melds/0", typed=" 2 ", seat="0")
    assert laid.melds()[0] == "9S 9H 9D 9? 2?"


def test_a_tapped_card_counts_before_a_typed_one(laid: Night) -> None:
    laid.post("melds/0", card="9C", typed="9S", seat="0")
    assert laid.melds()[0] == "9S 9H 9D 9C"


def test_a_meld_taken_off_meanwhile_says_who_did_what(laid: Night) -> None:
    seen = laid.view.revision
    laid.play(c.CorrectMeld(2, 0, None))
    page = laid.post("melds/0", 409, seen=seen, card="9C", seat="0")
    assert "This meld is no longer on the table" in page
    assert "A meld was taken back from the table." in page


def test_a_run_that_grew_meanwhile_is_not_extended_by_a_2_that_would_mean_another_card(laid: Night) -> None:
    seen = laid.view.revision
    laid.play(c.LayOff(2, 1, 1, parse_card("8S")))
    page = laid.post("melds/1", 409, seen=seen, card="2?", seat="0", way="high")
    assert "Somebody was quicker" in page and "Bea laid off the 8♠" in page


# Putting right


FIXED: dict[str, Any] = {"c-suit": "S", "c-low": "4", "c-count": "4", "c-wild2": "3"}


def test_the_form_shows_the_meld_as_it_was_laid(laid: Night) -> None:
    page = laid.get("melds/1")
    ticked = ('name="c-suit" value="S" checked', 'name="c-low" value="4" checked', 'name="c-count" value="4" checked')
    assert all(part in page for part in (*ticked, 'name="c-wild2" value="1" checked'))
    assert 'name="c-rank" value="9" checked' in laid.get("melds/0")


def test_a_correction_is_shown_before_it_is_saved(laid: Night) -> None:
    page = laid.post("melds/1/correct", 200, **FIXED)
    assert "This is how it will be" in page and "2 as 7♠" in page
    assert 'type="hidden" name="c-wild2" value="3"' in page
    assert laid.melds()[1] == "4S 2H 6S 7S"
    laid.post("melds/1/correct", **FIXED, sure="1")
    assert laid.melds()[1] == "4S 5S 6S 2?"


def test_what_was_laid_off_stays_where_it_fits_and_leaves_where_not(laid: Night) -> None:
    laid.post("melds/1", card="8S", seat="0")
    laid.post("melds/1", card="5S", seat="0", way="replace-1-low")
    page = laid.post("melds/1/correct", 200, **FIXED)
    stays, leaves = page.split("This stays on it:")[1].split("This goes back to its hands:")
    assert "8♠" in stays and "5♠" in leaves.split("</ul>")[0]


def test_typed_cards_correct_too(laid: Night) -> None:
    laid.post("melds/0/correct", 200, **{"c-typed": "10S 10H 10D"})
    laid.post("melds/0/correct", **{"c-typed": "10S 10H 10D"}, sure="1")
    assert laid.melds()[0] == "10S 10H 10D"


def test_g3_6_a_set_typed_for_a_run_is_refused(laid: Night) -> None:
    page = laid.post("melds/1/correct", 422, **{"c-typed": "9S 9H 9D 9C"})
    assert "That is not allowed." in page
    assert 'value="9S 9H 9D 9C"' in page
    assert laid.melds()[1] == "4S 2H 6S 7S"


@pytest.mark.parametrize(
    ("entered", "sentence"),
    [
        ({}, "Choose the suit of this run."),
        ({"c-typed": "banana"}, "“banana” is not a card."),
        ({"c-typed": "6S 2H 5S 2D"}, "Say how they lie."),
        ({**FIXED, "c-wild2": "9"}, "marked past the end"),
    ],
)
def test_a_correction_that_cannot_be_read_says_so(laid: Night, entered: dict[str, Any], sentence: str) -> None:
    for sure in ({}, {"sure": "1"}):
        assert sentence in laid.post("melds/1/correct", 422, **entered, **sure)
    assert laid.melds()[1] == "4S 2H 6S 7S"


def test_a_correction_against_a_silent_rule_can_be_overruled(laid: Night) -> None:
    wild = {**FIXED, "c-wild2": ["0", "1", "2", "3"]}
    page = laid.post("melds/1/correct", 422, **wild)
    assert "#G3.3" in page and 'value="min_naturals=0"' in page
    assert "This is how it will be" in laid.post("melds/1/correct", 200, **wild, overrule="min_naturals=0")
    laid.post("melds/1/correct", **wild, sure="1")
    assert laid.melds()[1] == "2? 2? 2? 2?"


def test_a_correction_of_what_changed_meanwhile_is_stale(laid: Night) -> None:
    seen = laid.view.revision
    laid.play(c.LayOff(2, 1, 1, parse_card("8S")))
    page = laid.post("melds/1/correct", 409, seen=seen, **FIXED, sure="1")
    assert "Bea laid off the 8♠" in page
    assert 'name="c-wild2" value="3" checked' in page


def test_taking_a_meld_off_is_asked_first_and_its_owner_stays_down(laid: Night) -> None:
    laid.post("melds/1", card="8S", seat="0")
    page = laid.post("melds/1/remove", 200)
    assert "Bea stays down" in page and "Ana laid off the 8♠." in page.split("This goes back to its hands:")[1]
    assert len(laid.melds()) == 2
    laid.post("melds/1/remove", sure="1")
    assert laid.melds() == ["9S 9H 9D"]
    assert laid.view.state.hand.is_down(1)


def test_a_meld_taken_off_can_be_entered_again(laid: Night) -> None:
    laid.play(c.CorrectMeld(2, 1, None))
    page = laid.get("down?seat=1")
    assert 'name="m1-low"' in page and 'name="m0-rank"' not in page
    laid.post("down?seat=1", **RUN)
    assert laid.melds()[1] == "4S 5S 6S 7S"


def test_a_going_down_is_taken_back_as_a_whole_after_a_look(laid: Night) -> None:
    laid.post("melds/0", card="9C", seat="0")
    page = laid.get("down/back?seat=1")
    assert "Set of nines" in page and "Run 4♠–7♠" in page and "Ana laid off the 9♣." in page
    laid.post("down/back?seat=1")
    assert laid.melds() == []
    assert not laid.view.state.hand.is_down(1)


def test_without_cards_there_is_nothing_that_leaves(laid: Night) -> None:
    assert "nothing leaves the table" in laid.get("down/back?seat=0")


def test_who_is_not_down_has_nothing_to_take_back(laid: Night) -> None:
    assert "#G4.2" in laid.get("down/back?seat=2")
    assert "#G4.2" in laid.post("down/back?seat=2", 422)


@pytest.mark.parametrize("seat", ["", "9", "x", str(MANY), "１"])
def test_nobody_has_nothing_to_take_back(laid: Night, seat: str) -> None:
    laid.get(f"down/back?seat={seat}", 303)
    laid.post(f"down/back?seat={seat}", 422)


def test_a_going_down_changed_meanwhile_is_not_taken_back(laid: Night) -> None:
    seen = laid.view.revision
    laid.play(c.LayOff(2, 0, 0, parse_card("9C")))
    assert "Ana laid off the 9♣" in laid.post("down/back?seat=1", 409, seen=seen)
    assert len(laid.melds()) == 2


@pytest.mark.parametrize("what", ["correct", "remove"])
def test_the_address_of_a_preview_opened_by_itself_leads_to_the_meld(laid: Night, what: str) -> None:
    assert laid.client.get(f"/g/{laid.code}/melds/1/{what}").location.endswith("/melds/1")


NASTY = (
    "", " ", "0", "1", "2", "7", "-1", "１", "٣", "1e5", str(MANY), "9" * 4000, "S", "♠", "A", "2?", "4S 2 6S 7S", "JK", "*", "\x00",
    "<script>", "אב", "🂡", "high", "replace-1-low", "replace-0-hand", "run 4 2D 5S 6S 2H", "min_naturals=0", "x" * 300, "%s%n", "{{7*7}}",
)  # fmt: skip
FIELDS = (
    "seen", "token", "overrule", "blind", "seat", "card", "typed", "way", "sure",
    "m0-rank", "m0-count", "m0-wild2", "m0-typed", "m0-reading",
    "m1-suit", "m1-low", "m1-count", "m1-wild2", "m1-typed", "m1-reading",
    "x0-typed", "c-suit", "c-low", "c-count", "c-wild2", "c-typed",
)  # fmt: skip


@pytest.mark.parametrize(
    "path", ["down?seat=2", "melds/0", "melds/1", "melds/1/correct", "melds/0/remove", "down/back?seat=1"]
)
def test_nothing_a_client_sends_breaks_a_page(laid: Night, path: str) -> None:
    chance = random.Random(path)
    for _turn in range(25):
        sent = {name: [chance.choice(NASTY) for _value in range(chance.randint(0, 2))] for name in FIELDS}
        answer = laid.client.post(f"/g/{laid.code}/{path}", data=sent)
        assert answer.status_code in (200, 303, 404, 409, 422), (sent, answer.status_code)


# Other sheets


def test_p2_peru_asks_for_2s_and_jokers_apart(app: Flask, client: FlaskClient) -> None:
    night = Night(app, client, PERU)
    page = night.get("down?seat=1")
    assert all(f'name="m0-{field}"' in page for field in ("rank", "wild2", "wildJK"))
    assert 'name="m0-rank" value="2"' in page
    night.post(
        "down?seat=1", **{"m0-rank": "8", "m0-count": "4", "m0-wild2": "0", "m0-wildJK": "1", "x0-typed": "10H JH QH"}
    )
    assert night.melds() == ["8? 8? 8? JK", "10H JH QH"]


def test_p3_peru_runs_go_round_the_corner_with_a_natural_2(app: Flask, client: FlaskClient) -> None:
    night = Night(app, client, PERU, hand=9)
    night.post("down?seat=1", **{"m0-suit": "D", "m0-low": "Q", "m0-count": "7", "m0-wild2": "1", "m0-wildJK": "4"})
    assert night.melds() == ["QD 2? AD 2D JK 4D 5D"]
    page = night.get("melds/0")
    assert all(f'name="card" value="{card}"' in page for card in ("JD", "6D", "KD", "3D"))
    night.post("melds/0", card="6D", seat="1")
    assert night.melds() == ["QD 2? AD 2D JK 4D 5D 6D"]


def test_p2_a_2_that_would_lie_as_itself_is_offered_with_its_suit(app: Flask, client: FlaskClient) -> None:
    night = Night(app, client, PERU, hand=9)
    night.post("down?seat=1", **{"m0-suit": "D", "m0-low": "3", "m0-count": "7"})
    page = night.get("melds/0")
    assert 'name="card" value="2D"' in page and 'name="card" value="2S"' not in page


def test_two_kinds_of_wild_lie_not_in_one_place(app: Flask, client: FlaskClient) -> None:
    night = Night(app, client, PERU, hand=9)
    entered = {"m0-suit": "D", "m0-low": "Q", "m0-count": "7", "m0-wild2": "1", "m0-wildJK": "1"}
    assert "Two wilds are marked in one place." in night.post("down?seat=1", 422, **entered)


def test_liverpool_has_jokers_and_a_low_ace(app: Flask, client: FlaskClient) -> None:
    night = Night(app, client, LIVERPOOL, hand=2)
    page = night.get("down?seat=1")
    assert 'name="m0-wild2"' not in page
    night.post("down?seat=1", **{"m0-rank": "2", "m0-wildJK": "1", "m1-suit": "H", "m1-low": "A", "m1-count": "4"})
    assert night.melds() == ["2? 2? JK", "AH 2H 3H 4H"]


@pytest.mark.parametrize("rules", [KATE, PERU, LIVERPOOL], ids=lambda rules: rules.sheet)
def test_every_hand_of_every_sheet_has_its_page(app: Flask, client: FlaskClient, rules: Rules) -> None:
    night = Night(app, client, rules)
    for number, contract in enumerate(rules.contracts, 1):
        page = night.get("down?seat=1")
        assert page.count('class="slot slot-') == len(contract.slots) + rules.extra_melds
        assert problems(night.view.state, c.GoDownWithoutCards(number, 1)) == ()
        night.play(score(number, 0, 0, 10, 20))

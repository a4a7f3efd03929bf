"""The table, one tap on it, the sheet of discards, and who gets it."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from itertools import cycle
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import insert, update

from companion import record
from companion.db import writing
from companion.models import Entry, Game
from companion.pages.refusals import resolving_values
from companion.referee.cards import Rank, parse_cards
from companion.referee.commands import Buy, CloseGame, Float, GoDown, GoDownWithoutCards, SitOut
from companion.referee.engine import problems
from companion.referee.games import KATE, PERU
from companion.referee.melds import Meld
from companion.referee.notation import read_meld
from tests.web import LONG_NAMES, device_of, plain, play, score, start, three_sets, view, watch


def tap(client: FlaskClient, code: str, do: str, status: int = 303, **more: Any) -> str:
    """Press a button of the table as it is now."""
    page = client.get(f"/g/{code}/").text
    fields = dict(re.findall(r'name="(token|seen|hand)" value="([^"]*)"', page))
    answer = client.post(f"/g/{code}/do", data={**fields, "do": do, **more})
    assert answer.status_code == status, answer.text
    return answer.text


def row(page: str, seat: int) -> str:
    """The sentence a screen reader says of a player."""
    return plain(re.search(rf'id="p{seat}">\s*<p class="hidden">([^<]*)', page)[1])


def test_g4_1_the_table_says_which_hand_it_is_and_what_it_asks_for(client: FlaskClient, code: str) -> None:
    page = client.get(f"/g/{code}/").text
    assert "Hand 1 of 10" in page
    assert "Two sets of three" in page
    assert "6 cards needed" in page
    assert page.count('class="shape shape-set"') == 2


def test_a_first_night_is_told_what_to_do_until_something_is_entered(client: FlaskClient, code: str) -> None:
    assert "Shuffle 2 decks together" in client.get(f"/g/{code}/").text
    tap(client, code, "buy.1.1")
    assert "Shuffle" not in client.get(f"/g/{code}/").text


def test_g1_3_each_row_is_one_sentence(client: FlaskClient, code: str) -> None:
    page = client.get(f"/g/{code}/").text
    assert row(page, 0) == "Ana deals; 3 buys left; 0 points."
    assert row(page, 1) == "Bea; starts; 3 buys left; 0 points."


def test_g9_3_places_are_shared_and_shown_once_there_are_scores(app: Flask, client: FlaskClient, code: str) -> None:
    play(app, code, score(1, 0, 0, 45, 45))
    page = client.get(f"/g/{code}/").text
    assert row(page, 0) == "Ana; 3 buys left; 0 points; 1st."
    assert row(page, 1) == "Bea deals; 3 buys left; 45 points; 2nd."
    assert row(page, 2) == "Carl; starts; 3 buys left; 45 points; 2nd."


@pytest.mark.parametrize(("hand", "warned"), [(1, False), (6, False), (7, True), (8, True)])
def test_g4_6_the_warning_comes_before_the_hand(
    app: Flask, client: FlaskClient, code: str, hand: int, warned: bool
) -> None:
    play(app, code, *(score(number, 0, 0, 5, 5) for number in range(1, hand)))
    assert ("contract-warning" in client.get(f"/g/{code}/").text) == warned


def test_g5_3_one_tap_buys_and_one_gives_it_back(app: Flask, client: FlaskClient, code: str) -> None:
    tap(client, code, "buy.1.1")
    assert "2 buys left" in row(client.get(f"/g/{code}/").text, 1)
    tap(client, code, "unbuy.1.1")
    assert "3 buys left" in row(client.get(f"/g/{code}/").text, 1)
    assert view(app, code).revision == 3


def test_g5_3_the_fourth_buy_is_refused_with_the_rule_in_the_players_row(client: FlaskClient, code: str) -> None:
    for nth in (1, 2, 3):
        tap(client, code, f"buy.1.{nth}")
    page = tap(client, code, "buy.1.4", 422)
    refused = page.index('id="refused"')
    assert page.index('id="p1"') < refused < page.index('id="p2"')
    assert "#G5.3" in page


def test_g5_3_the_fourth_buy_of_hand_10_is_allowed_and_the_fifth_is_not(
    app: Flask, client: FlaskClient, code: str
) -> None:
    play(app, code, *(score(number, 0, 0, 5, 5) for number in range(1, 10)))
    for nth in (1, 2, 3, 4):
        tap(client, code, f"buy.1.{nth}")
    assert "#G5.3" in tap(client, code, "buy.1.5", 422)


def test_g5_6_a_silent_refusal_offers_the_switch_and_the_tap_lands_with_it(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, rules=KATE.replace(buy_when_down=False))
    play(app, code, three_sets())
    page = tap(client, code, "buy.1.1", 422)
    assert 'value="buy_when_down=True"' in page
    assert 'name="again" value="buy.1.1"' in page
    fields = dict(re.findall(r'name="(token|seen|hand|again)" value="([^"]*)"', page))
    answer = client.post(f"/g/{code}/do", data={**fields, "overrule": "buy_when_down=True"})
    assert answer.status_code == 303
    after = view(app, code).state
    assert after.overruled == ("buy_when_down",)
    assert after.buys_used(1) == 1
    client.post(f"/g/{code}/do", data={"token": "u", "seen": 3, "do": "undo.3"})
    back = view(app, code).state
    assert (back.overruled, back.buys_used(1)) == ((), 0), "one tap, one undo"


def test_g5_6_who_floats_may_not_buy(app: Flask, client: FlaskClient, code: str) -> None:
    play(app, code, three_sets(), Float(1, 1))
    assert "#G5.6" in tap(client, code, "buy.1.1", 422)


def test_g7_3_floating_is_one_tap_and_so_is_taking_it_back(app: Flask, client: FlaskClient, code: str) -> None:
    play(app, code, three_sets())
    tap(client, code, "float.1")
    assert "floats" in row(client.get(f"/g/{code}/").text, 1)
    tap(client, code, "unfloat.1")
    assert "; down;" in row(client.get(f"/g/{code}/").text, 1)


def test_g7_3_who_never_went_down_does_not_float(app: Flask, client: FlaskClient, code: str) -> None:
    page = tap(client, code, "float.1", 422)
    assert "Bea is not down yet" in plain(page)
    assert "#G7.3" in page


def test_a_double_tap_lands_once(app: Flask, client: FlaskClient, code: str) -> None:
    page = client.get(f"/g/{code}/").text
    fields = dict(re.findall(r'name="(token|seen|hand)" value="([^"]*)"', page))
    for _ in range(2):
        assert client.post(f"/g/{code}/do", data={**fields, "do": "buy.1.1"}).status_code == 303
    assert view(app, code).state.buys_used(1) == 1


def test_two_taps_of_one_page_on_two_players_both_land(app: Flask, client: FlaskClient, code: str) -> None:
    page = client.get(f"/g/{code}/").text
    fields = dict(re.findall(r'name="(token|seen|hand)" value="([^"]*)"', page))
    for seat in (1, 2):
        assert client.post(f"/g/{code}/do", data={**fields, "do": f"buy.{seat}.1"}).status_code == 303
    state = view(app, code).state
    assert (state.buys_used(1), state.buys_used(2)) == (1, 1)


def test_a_stale_tap_says_what_was_entered_meanwhile(app: Flask, client: FlaskClient, code: str) -> None:
    page = client.get(f"/g/{code}/").text
    fields = dict(re.findall(r'name="(token|seen|hand)" value="([^"]*)"', page))
    play(app, code, score(1, 2, 10, 20, 0))
    answer = client.post(f"/g/{code}/do", data={**fields, "do": "buy.1.1"})
    assert answer.status_code == 409
    assert "Entered meanwhile:" in answer.text
    assert "Carl" in answer.text
    assert view(app, code).state.buys_used(1) == 0


def test_undo_names_the_last_entry_and_redo_restores_it(app: Flask, client: FlaskClient, code: str) -> None:
    play(app, code, Buy(1, 2))
    page = client.get(f"/g/{code}/").text
    assert re.search(r'value="undo.2">.*Carl\W* bought', page, re.S)
    tap(client, code, "undo.2")
    assert view(app, code).state.buys_used(2) == 0
    tap(client, code, "redo.2")
    assert view(app, code).state.buys_used(2) == 1


@pytest.mark.parametrize(
    "do",
    [
        "",
        "buy",
        "buy.x",
        "buy.1.2.3",
        "buy.-1",
        "buy.9999999",
        "undo",
        "sing.1",
        "buy.１.1",
        "buy." + "9" * 500,
        "undo.1.2.x",
    ],
)
def test_what_no_button_sends_is_refused_and_changes_nothing(
    app: Flask, client: FlaskClient, code: str, do: str
) -> None:
    answer = client.post(f"/g/{code}/do", data={"do": do, "hand": "1", "seen": "1"})
    assert answer.status_code == 422
    assert view(app, code).revision == 1


@pytest.mark.parametrize("fields", [{"seen": "x"}, {"seen": "9" * 30}, {"seen": "-1"}, {"seen": ""}, {}])
def test_a_garbled_revision_is_a_stale_page_at_worst(client: FlaskClient, code: str, fields: dict[str, str]) -> None:
    answer = client.post(f"/g/{code}/do", data={"do": "buy.1.1", "hand": "1", "token": "x" * 5000, **fields})
    assert answer.status_code in (303, 409)


@pytest.mark.parametrize("seat", [3, 8, 999])
def test_a_seat_that_is_not_there_is_refused(client: FlaskClient, code: str, seat: int) -> None:
    assert 'id="refused"' in tap(client, code, f"buy.{seat}.1", 422)


def test_another_phone_sees_nothing_of_the_game(app: Flask, code: str) -> None:
    stranger = app.test_client()
    for path in ("", "throw", "more", "rules", "who"):
        assert stranger.get(f"/g/{code}/{path}").status_code == 404
    assert stranger.post(f"/g/{code}/do", data={"do": "buy.1.1", "hand": "1"}).status_code == 404


def test_names_of_any_kind_are_shown_as_they_are(app: Flask, client: FlaskClient) -> None:
    page = client.get(f"/g/{start(app, client, LONG_NAMES)}/").text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<script>alert" not in page
    assert all(
        f'<bdi translate="no">{name}</bdi>' in page for name in ("Maximiliane-Alexandra", "🂡 Zoë", "אברהם", "=1+1")
    )


def test_who_sits_out_has_no_buttons(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, ("Ana", "Bea", "Carl", "Dora"))
    play(app, code, SitOut(1, 2))
    page = client.get(f"/g/{code}/").text
    assert "sits this hand out" in row(page, 2)
    assert 'value="buy.2.1"' not in page
    assert 'value="buy.1.1"' in page


def test_a_closed_night_shows_its_end(app: Flask, client: FlaskClient, code: str) -> None:
    play(app, code, CloseGame())
    assert client.get(f"/g/{code}/").headers["Location"].endswith(f"/g/{code}/end")


def test_g3_6_melds_lie_under_their_owner_with_every_wild_labelled(app: Flask, client: FlaskClient, code: str) -> None:
    play(app, code, three_sets())
    page = client.get(f"/g/{code}/").text
    before, _, after = page.partition('id="p1"')
    assert "Set of nines: 9♠, 9♣, 2 as 9</span>" in after.partition('id="p2"')[0]
    assert "2 as 9</span>" not in before


# the sheet of discards


def dead(page: str) -> set[str]:
    return set(re.findall(r'id="c(\w+)" class="[^"]*\bdead\b', page))


def test_g6_1_without_melds_every_card_may_be_thrown(client: FlaskClient, code: str) -> None:
    page = client.get(f"/g/{code}/throw").text
    assert "No meld is on the table yet" in page
    assert dead(page) == set()


def test_g6_2_what_plays_is_marked_and_a_tap_says_why(app: Flask, client: FlaskClient, code: str) -> None:
    play(app, code, three_sets())
    page = client.get(f"/g/{code}/throw").text
    assert dead(page) == {f"{rank}{suit}" for rank in "279" for suit in "SHDC"}
    answer = client.get(f"/g/{code}/throw?card=7C").text
    assert "joins Bea's set of sevens" in plain(answer)
    assert "#G6.2" in answer
    assert "Yes, the 8♣ may be thrown." in client.get(f"/g/{code}/throw?card=8C").text


@pytest.mark.parametrize(
    ("choice", "then"), [("discard_any", "you may discard any"), ("discard_lowest", "you discard one with the fewest")]
)
def test_g6_6_a_refused_throw_names_the_exception(app: Flask, client: FlaskClient, choice: str, then: str) -> None:
    code = start(app, client, rules=KATE.replace(dead_hand=choice))
    play(app, code, three_sets())
    unless = "Unless you may not lay off this turn and every card you hold plays: then " + then
    assert unless in client.get(f"/g/{code}/throw?card=7C").text
    assert unless not in client.get(f"/g/{code}/throw?card=8C").text


def test_g6_4_where_own_melds_do_not_count_the_player_is_chosen(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, rules=KATE.replace(own_melds_count=False))
    play(app, code, three_sets())
    assert dead(client.get(f"/g/{code}/throw?seat=1").text) == set()
    assert "7C" in dead(client.get(f"/g/{code}/throw?seat=0").text)
    assert "7C" in dead(client.get(f"/g/{code}/throw").text)


def test_melds_not_entered_are_said(app: Flask, client: FlaskClient, code: str) -> None:
    play(app, code, GoDownWithoutCards(1, 1))
    page = plain(client.get(f"/g/{code}/throw").text)
    assert "The melds of Bea are not entered" in page


@pytest.mark.parametrize(
    "query", ["card=zz", "card=" + "7" * 999, "seat=99", "seat=x", "card=7", "card=%F0%9F%82%A1", "card=*"]
)
def test_nonsense_asked_of_the_sheet_shows_the_sheet(client: FlaskClient, code: str, query: str) -> None:
    page = client.get(f"/g/{code}/throw?{query}")
    assert page.status_code == 200
    assert "verdict-title" not in page.text


# who gets it


def test_g5_2_the_next_player_has_it_for_nothing(client: FlaskClient, code: str) -> None:
    page = plain(client.get(f"/g/{code}/who?discarder=0&call=1&call=2").text)
    assert "Bea is next and takes the card for nothing" in page
    assert "#G5.2" in page
    assert "Note this buy" not in page


def test_g5_5_the_closest_clockwise_buys_and_it_can_be_noted(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, ("Ana", "Bea", "Carl", "Dora"))
    page = plain(client.get(f"/g/{code}/who?discarder=0&call=3&call=2").text)
    assert "Carl gets the card" in page
    assert "#G5.5" in page
    assert 'value="buy.2.1"' in page


def test_g5_5_where_the_first_call_counts_it_is_asked(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, ("Ana", "Bea", "Carl", "Dora"), KATE.replace(buy_priority="first_call"))
    page = client.get(f"/g/{code}/who?discarder=0&call=3&call=2&first=3").text
    assert 'value="buy.3.1"' in page
    unknown = client.get(f"/g/{code}/who?discarder=0&call=3&call=2&first=").text
    assert "Who called first: Carl or Dora?" in plain(unknown)
    assert "#G5.5" in unknown
    assert "Note this buy" not in unknown
    next_one = client.get(f"/g/{code}/who?discarder=0&call=1&call=2&first=").text
    assert "Bea is next and takes the card for nothing" in plain(next_one)
    alone = client.get(f"/g/{code}/who?discarder=0&call=2&first=").text
    assert 'value="buy.2.1"' in alone


def test_p8_in_peru_the_first_call_gets_the_card_with_two_of_the_stock(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, ("Ana", "Bea", "Carl"), PERU)
    unknown = plain(client.get(f"/g/{code}/who?discarder=0&call=1&call=2").text)
    assert "Who called first: Bea or Carl?" in unknown
    page = client.get(f"/g/{code}/who?discarder=0&call=1&call=2&first=2").text
    assert "Carl gets the card, and 2 cards from the stock with it." in plain(page)
    assert "#P8" in page
    assert "for nothing" not in plain(page)


def test_g5_3_without_a_buy_left_nobody_can_have_it(app: Flask, client: FlaskClient, code: str) -> None:
    play(app, code, Buy(1, 2), Buy(1, 2), Buy(1, 2))
    page = client.get(f"/g/{code}/who?discarder=0&call=2").text
    assert "Nobody can buy it." in page
    assert "#G5.3" in page


@pytest.mark.parametrize(
    "query", ["discarder=0", "call=1", "discarder=9&call=1", "discarder=x&call=y", "call=1&discarder=" + "1" * 400]
)
def test_an_incomplete_question_says_what_is_missing(client: FlaskClient, code: str, query: str) -> None:
    answer = client.get(f"/g/{code}/who?{query}")
    assert answer.status_code == 422
    assert "field-error" in answer.text


def test_the_rules_of_this_table_are_shown(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, rules=KATE.replace(max_wilds=1))
    page = client.get(f"/g/{code}/rules").text
    assert "As your table plays" in page
    assert 'id="G6.2"' in page
    assert "at most 1 wild" in page


def test_a_tap_that_comes_after_the_end_is_explained_there(app, client):
    code = start(app, client)
    play(app, code, CloseGame())
    answer = client.post(
        f"/g/{code}/do", data={"do": "buy.1.1", "hand": "1", "token": "late", "seen": "1"}, follow_redirects=True
    )
    assert answer.request.path == f"/g/{code}/end"
    assert "this was not entered" in answer.text


def test_only_what_would_help_is_offered_to_overrule(app: Flask, client: FlaskClient, code: str) -> None:
    wilds = GoDown(1, 1, (Meld.set_of(Rank.SEVEN, parse_cards("2S 2H 2D")), read_meld("set 9S 9C 2C")))
    with app.app_context():
        found = problems(record.load(code).state, wilds)
        offered = resolving_values(record.load(code).state, wilds, found)
    assert [problem.switch for problem in found] == ["min_naturals"]
    assert offered == (("min_naturals", 0),)


def test_a_phone_that_is_somebodys_opens_from_that_seat(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, rules=KATE.replace(own_melds_count=False))
    play(app, code, three_sets())
    seats = lambda page: re.findall(r'<li class="player[^"]*" id="p(\d)"', page)  # noqa: E731
    assert seats(client.get(f"/g/{code}/").text) == ["0", "1", "2"]
    client.post(f"/g/{code}/phones", data={"do": "me", "seat": "1"})
    assert seats(client.get(f"/g/{code}/").text) == ["1", "2", "0"]
    assert dead(client.get(f"/g/{code}/throw").text) == set()
    assert "7C" in dead(client.get(f"/g/{code}/throw?seat=").text)


def test_the_legend_of_the_sheet_of_discards_is_there_only_while_a_card_is_dead(
    app: Flask, client: FlaskClient, code: str
) -> None:
    page = plain(client.get(f"/g/{code}/throw").text)
    assert "legend-line" not in page
    assert "plays on the table" not in page
    play(app, code, three_sets())
    page = plain(client.get(f"/g/{code}/throw").text)
    assert "plays on the table, so it may not be thrown. Tap a card for the reason." in page
    assert "7♣" not in page[page.index("legend-line") :]


def test_a_dead_card_is_struck_out_and_signed_in_the_markup(app: Flask, client: FlaskClient, code: str) -> None:
    play(app, code, three_sets())
    for page in (client.get(f"/g/{code}/throw").text, client.get("/referee/discard?groups=7S+7H+7D%0A9S+9C+2H").text):
        keys = re.findall(r'<a id="c(\w+)" class="pad-key[^>]*>(.*?)</a>', page)
        struck = {card for card, inner in keys if re.fullmatch(r"<s>\w+<svg .+</svg></s><span [^>]*>✕</span>", inner)}
        assert struck == dead(page) == {f"{rank}{suit}" for rank in "279" for suit in "SHDC"}


def test_where_wilds_are_never_thrown_and_naturals_play_the_legend_names_neither(
    app: Flask, client: FlaskClient
) -> None:
    code = start(app, client, rules=KATE.replace(wild_discards=False))
    assert "is wild, so it is never thrown" in client.get(f"/g/{code}/throw").text
    play(app, code, three_sets())
    legend = client.get(f"/g/{code}/throw").text.partition("legend-line")[2]
    assert "may not be thrown. Tap a card for the reason." in legend
    assert "wild" not in legend.partition("</p>")[0]
    assert "plays" not in legend.partition("</p>")[0]


def test_p7_no_wild_is_thrown_and_the_joker_is_on_the_sheet(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, rules=PERU)
    page = plain(client.get(f"/g/{code}/throw?card=JK").get_data(as_text=True))
    assert page.count('class="pad-key') == 53
    assert dead(page) == {"2S", "2H", "2D", "2C", "JK"}
    assert "is wild, so it is never thrown. Tap a card" in page
    assert "plays on the table" not in page
    assert "P7" in page
    assert "Nothing but wilds in the hand?" in page
    assert "every card may be thrown" not in page
    assert "Yes, the 7♠ may be thrown." in plain(client.get(f"/g/{code}/throw?card=7S").get_data(as_text=True))


# --- a buy that nobody noted (G4.6) -----------------------------------------------------------------------------------


def in_hand(app: Flask, client: FlaskClient, number: int, **rules: Any) -> str:
    code = start(app, client, rules=KATE.replace(**rules))
    play(app, code, *(score(hand, 0, 0, 10, 20) for hand in range(1, number)))
    return code


def unnoted(client: FlaskClient, code: str) -> str:
    """What the button sends that notes the buy; "" where there is no such line."""
    found = re.search(r'class="unnoted">.*?value="([^"]*)"', plain(client.get(f"/g/{code}/").text), re.S)
    return found[1] if found else ""


def test_g4_6_who_went_down_without_a_noted_buy_has_a_line_where_one_tap_notes_it(
    app: Flask, client: FlaskClient
) -> None:
    code = in_hand(app, client, 8)
    assert unnoted(client, code) == ""
    play(app, code, GoDownWithoutCards(8, 1))
    page = plain(client.get(f"/g/{code}/").text)
    assert (
        "Bea cannot have gone down without a buy that is not noted (G4.6)." in page.split('id="p1"')[1].split("<li")[0]
    )
    assert unnoted(client, code) == "buy.1.1"
    tap(client, code, "buy.1.1")
    assert view(app, code).state.buys_used(1) == 1 and unnoted(client, code) == ""


@pytest.mark.parametrize(
    ("hand", "buys", "missing"), [(7, 0, 0), (8, 1, 0), (9, 0, 1), (10, 0, 2), (10, 1, 1), (10, 2, 0)]
)
def test_g4_6_the_line_is_there_only_while_buys_are_missing(
    app: Flask, client: FlaskClient, hand: int, buys: int, missing: int
) -> None:
    code = in_hand(app, client, hand)
    play(app, code, *(Buy(hand, 1) for _ in range(buys)), GoDownWithoutCards(hand, 1))
    for nth in range(missing):
        assert unnoted(client, code) == f"buy.1.{buys + nth + 1}"
        tap(client, code, unnoted(client, code))
    assert unnoted(client, code) == ""


def test_g5_6_where_nobody_buys_once_down_the_buy_is_noted_before_it_with_one_tap_and_one_undo(
    app: Flask, client: FlaskClient
) -> None:
    code = in_hand(app, client, 8, buy_when_down=False)
    play(app, code, GoDownWithoutCards(8, 1))
    before = view(app, code)
    assert unnoted(client, code) == "note.1.1"
    tap(client, code, "note.1.1")
    after = view(app, code)
    assert after.revision == before.revision + 1 and after.undo
    assert after.state.buys_used(1) == 1 and after.state.hand and after.state.hand.is_down(1)
    assert unnoted(client, code) == ""
    tap(client, code, f"undo.{after.undo.seq}")
    assert view(app, code).state == before.state


def test_the_line_goes_with_the_next_entry_and_is_no_watchers(app: Flask, client: FlaskClient) -> None:
    code = in_hand(app, client, 8)
    looker = app.test_client()
    watch(app, looker, code)
    play(app, code, GoDownWithoutCards(8, 1))
    assert unnoted(looker, code) == "" != unnoted(client, code)
    play(app, code, Buy(8, 2))
    assert unnoted(client, code) == ""
    tap(client, code, "note.2.1", 422)
    tap(client, code, "note.99.1", 422)


def test_an_entry_far_into_a_long_night_is_undone_too(app: Flask, client: FlaskClient, code: str) -> None:
    device = device_of(app, client)
    with app.app_context():
        game, at = view(app, code).id, datetime.now(UTC)
        rows = [
            {"game_id": game, "seq": seq, "kind": kind, "data": {"v": 1, "hand": 1, "seat": 0}, "at": at}
            for seq, kind in zip(range(2, 1202), cycle(("bought", "buy_taken_back")), strict=False)
        ]
        with writing() as session:
            session.execute(insert(Entry), [{**row, "device_id": device} for row in rows])
            session.execute(update(Game).where(Game.id == game).values(revision=1201))
    tap(client, code, "undo.1201")
    assert view(app, code).state.buys_used(0) == 1
    tap(client, code, "redo.1201")
    play(app, code, *(score(hand, 0, 0, 5, 10) for hand in range(1, 11)))
    data = {"do": "undo", "entry": view(app, code).revision, "token": "t", "seen": view(app, code).revision}
    assert client.post(f"/g/{code}/end", data=data).status_code == 303
    assert view(app, code).is_playing

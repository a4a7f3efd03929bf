"""Ask the referee, without any game: the four pages."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient


def plain(page: str) -> str:
    """The text of a page."""
    return " ".join(re.sub(r"<[^>]+>", "", page).split())


QUESTIONS = ("meld", "discard", "contract", "hand")


def ask(client: FlaskClient, question: str, status: int = 200, **typed: str) -> str:
    answer = client.get(f"/referee/{question}", query_string=typed)
    assert answer.status_code == status
    return answer.text


def test_the_four_questions_are_offered(client: FlaskClient) -> None:
    page = client.get("/referee").text
    assert all(f"/referee/{question}" in page for question in QUESTIONS)


@pytest.mark.parametrize("question", QUESTIONS)
def test_an_empty_question_gets_no_verdict(client: FlaskClient, question: str) -> None:
    assert "verdict-title" not in ask(client, question)


def test_g3_6_a_2_is_labelled_with_what_it_stands_for(client: FlaskClient) -> None:
    page = ask(client, "meld", cards="4S 2H 6S")
    assert "Yes, this is a meld." in page
    assert "2 as 5♠" in page


def test_g2_1_a_run_in_the_wrong_order_is_offered_in_the_right_one(client: FlaskClient) -> None:
    page = ask(client, "meld", cards="2H 3S 4S 5S")
    assert "Not in the order you typed" in page
    assert "2 as 6♠" in page


def test_g3_6_the_order_in_which_cards_lie_is_a_declaration(client: FlaskClient) -> None:
    page = ask(client, "meld", cards="4S 2H 6S 7S 8S 2D")
    assert "Yes, this is a meld." in page
    assert "In another order also: Run 3♠–8♠" in page


def test_g3_6_one_natural_and_three_2s_are_asked(client: FlaskClient) -> None:
    page = ask(client, "meld", cards="5S 2H 2D 2C")
    assert "in more than one way" in page
    assert "Set of fives" in page
    assert "Run 5♠–8♠" in page


def test_g3_2_king_ace_2_3_is_no_run(client: FlaskClient) -> None:
    page = ask(client, "meld", cards="KS AS 2D 3S")
    assert "No, this is no meld." in page
    assert "#G3.2" in page


def test_g1_1_three_of_one_card_are_too_many_for_two_decks(client: FlaskClient) -> None:
    assert "#G1.1" in ask(client, "meld", cards="8S 8S 8S")


def test_g8_1_a_card_that_replaces_a_wild_may_not_be_thrown(client: FlaskClient) -> None:
    page = ask(client, "discard", groups="4S 2H 6S", card="5S")
    assert "No, the 5♠ plays on the table." in page
    assert "#G8.1" in page
    assert "3♠ or 7♠" in page
    assert "Unless you may not lay off this turn and every card you hold plays" in page


def test_g6_2_its_neighbour_may_be_thrown(client: FlaskClient) -> None:
    assert "Yes, the 8♠ may be thrown." in ask(client, "discard", groups="4S 2H 6S", card="8S")


def test_the_sheet_has_52_cards_and_marks_the_dead_in_words_too(client: FlaskClient) -> None:
    page = ask(client, "discard", groups="4S 2H 6S")
    keys = page.split('aria-label="All 52 cards"')[1].split("</nav>")[0]
    assert keys.count("<a ") == 52
    assert keys.count("may not be thrown") == 3 + 4  # 3♠ 5♠ 7♠ and the four 2s


def test_the_how_to_sheet_has_no_ban(client: FlaskClient) -> None:
    assert "may be thrown." in ask(client, "discard", groups="4S 2H 6S", card="5S", sheet="ehow")


def test_a_meld_that_reads_two_ways_is_asked(client: FlaskClient) -> None:
    page = ask(client, "discard", 422, groups="3S 2H 2D")
    assert "several ways" in page
    assert "3S 2H 2D" in page


def test_a_meld_that_reads_two_ways_is_taken_as_chosen(client: FlaskClient) -> None:
    typed = {"groups": "5H 2S 2D\n9S 9H 9D"}
    page = ask(client, "discard", 422, **typed)
    ways = re.findall(r'name="reading-0" value="([^"]+)"', page)
    assert [way[:5] for way in ways] == ["run 5", "set 5"]
    assert "reading-1" not in page
    as_set = ask(client, "discard", **typed, **{"reading-0": ways[1]}, card="5C")
    assert "No, the 5♣ plays on the table." in as_set
    assert "reading-0=set" in as_set  # the next card is asked of the same meld
    as_run = ask(client, "discard", **typed, **{"reading-0": ways[0]}, card="5C")
    assert "Yes, the 5♣ may be thrown." in as_run


def test_g4_5_two_sets_of_one_rank_rest_on_the_tables_choice(client: FlaskClient) -> None:
    groups = "8S 8H 8D\n8C 8C 8H\n9S 9D 9C\n3H 4H 5H 6H 7H"
    page = ask(client, "contract", groups=groups, hand="9")
    assert "Yes, this fills hand 9." in page
    assert "Two sets of one rank" in page


def test_g4_1_every_fault_of_every_meld_is_named(client: FlaskClient) -> None:
    page = ask(client, "contract", groups="8S 8H\n8C 8C 9H", hand="2")
    assert page.count("Too short: the contract asks for") == 2
    assert page.count("G4.1 ·") == page.count("G3.2 ·") == page.count('#G4.1"') == 1  # no number is said twice
    assert "#G4.1" in page
    assert "#G3.2" in page


def test_g4_2_a_hand_that_can_go_down_and_one_that_lacks_two(client: FlaskClient) -> None:
    assert "Yes, these cards can go down." in ask(client, "hand", cards="8S 8H 8D 8C 8C 8H 9H", hand="1")
    assert "2 well-chosen cards are missing." in ask(client, "hand", cards="8S 8H 8D 3C 4C", hand="1")


@pytest.mark.parametrize(
    ("question", "typed"),
    [
        ("meld", {"cards": "xx"}),
        ("meld", {"cards": "１０S"}),
        ("meld", {"cards": "5S " * 300}),
        ("meld", {"cards": " "}),
        ("hand", {"cards": "5S", "hand": "99999999999999999999999"}),
        ("hand", {"cards": "5S", "hand": "-1"}),
        ("hand", {"cards": "5S", "hand": "٣"}),
        ("contract", {"groups": "<script>alert(1)</script>", "hand": "1"}),
        ("contract", {"groups": "5S", "hand": ""}),
        ("discard", {"groups": "5S 6S 8S"}),
        ("discard", {"groups": "4S 5S 6S", "card": "9?"}),
        ("discard", {"groups": "4S 5S 6S", "card": "\x00"}),
    ],
)
def test_what_cannot_be_read_is_explained_beside_its_field(
    client: FlaskClient, question: str, typed: dict[str, str]
) -> None:
    page = ask(client, question, 422, **typed)
    assert 'class="field-error"' in page
    assert "<script>alert" not in page


@pytest.mark.parametrize("typed", ["9 9 2", "9,9,2", "t T 2"])
def test_cards_of_a_set_are_typed_without_suits_as_at_the_table(client: FlaskClient, typed: str) -> None:
    assert "Yes, this is a meld." in ask(client, "meld", cards=typed)
    assert "Yes, this fills hand 1." in ask(client, "contract", groups=f"{typed}\n5 5 2", hand="1")


def test_a_2_alone_is_read_and_is_no_meld(client: FlaskClient) -> None:
    assert "No, this is no meld." in ask(client, "meld", cards="2")


def test_a_hand_needs_the_suits_of_its_naturals(client: FlaskClient) -> None:
    assert "Yes, these cards can go down." in ask(client, "hand", cards="8S 8H 2 9C 9D 2", hand="1")
    assert "“9” is not a card" in ask(client, "hand", 422, cards="8S 8H 2 9 9 2", hand="1")


@pytest.mark.parametrize(
    ("cards", "said"),
    [
        ("4S 5S 7S 8S", "(missing: 6♠)"),
        ("4S 5S 2H 9S", "(missing: 6♠ 7♠ 8♠, and only 1 wild for it)"),
        ("7S 8S 8S 9S", "(there twice: 8♠)"),
        ("7S 8S 9H 10S", "(another suit: 9♥; missing: 9♠)"),
        ("AS 3S 4S 5S", "(the ace is only high, after the king)"),
        ("KS AS 2D 3S", "(the ace is only high, after the king)"),
        ("JS KS AS", "(missing: Q♠)"),
    ],
)
def test_g3_2_a_run_that_is_none_is_told_what_is_wrong_with_it(client: FlaskClient, cards: str, said: str) -> None:
    page = plain(ask(client, "meld", cards=cards))
    assert said in page
    assert "#G3.2" in ask(client, "meld", cards=cards)


def test_g3_3_wilds_alone_are_refused_for_the_tables_choice(client: FlaskClient) -> None:
    page = ask(client, "meld", cards="2S 2H 2D")
    assert "#G3.3" in page
    assert "the written rules are silent" in page
    assert "Yes, in more than one way" in ask(client, "meld", cards="2S 2H 9D")


def test_a_pair_is_too_short_for_any_meld(client: FlaskClient) -> None:
    page = plain(ask(client, "meld", cards="9S 9H"))
    assert "a meld has at least 3 cards" in page
    assert "contract" not in page.partition("verdict")[2].partition("</section")[0]
    assert "the contract asks for" in plain(ask(client, "contract", hand="1", groups="9S 9H\n8S 8H 8D"))


@pytest.mark.parametrize("cards", ["9S 9H 9D", "9 9 2"])
def test_a_plain_set_has_no_order(client: FlaskClient, cards: str) -> None:
    page = ask(client, "meld", cards=cards)
    assert "Yes, this is a meld." in page
    assert "Not in the order you typed" not in page


def test_what_fills_the_contract_is_what_is_drawn(client: FlaskClient) -> None:
    page = ask(client, "contract", hand="2", groups="5H 2S 2D 2C\n9S 9H 9D")
    assert "Yes, this fills hand 2." in page
    assert "Run 5♥–8♥" in page
    assert "Set of nines" in page
    assert "Set of fives" not in page
    as_typed = ask(client, "contract", hand="2", groups="9S 9H 9D\n4S 5S 2H 2D")
    assert "Run 4♠–7♠" in as_typed  # not 3♠–6♠, nor another order


@pytest.mark.parametrize(
    ("groups", "blamed"),
    [
        ("5H 2S 2D 2C\n9S 9H 8D", "8♦ does not belong to the set of nines"),
        ("9S 9H 8D\n5H 2S 2D 2C", "8♦ does not belong to the set of nines"),
        ("5H 2S 2D\n4S 5S 6S 8S", "(missing: 7♠)"),
        ("5H 2S 2D\n4S 5S 6S", "the contract asks for a run of four"),
    ],
)
def test_only_the_wrong_group_is_blamed(client: FlaskClient, groups: str, blamed: str) -> None:
    page = ask(client, "contract", hand="2", groups=groups)
    assert "No, this does not fill hand 2." in page
    assert blamed in plain(page)
    assert page.split('class="reasons"')[1].split("</ul>")[0].count("<li") == 1


def test_a_card_that_plays_on_several_melds_is_said_once(client: FlaskClient) -> None:
    page = ask(client, "discard", groups="7S 7H 7D\n7C 7H 7D\n8C 9C 10C", card="7C")
    said = "The 7♣ may not be thrown: it plays on the set of sevens and on the run 8♣–10♣."
    assert said in plain(page)
    assert page.count("#G6.2") == 1
    one = plain(ask(client, "discard", groups="7S 7H 7D", card="7C"))
    assert "it plays, for it joins the set of sevens" in one


def test_in_portuguese(client: FlaskClient) -> None:
    page = client.get("/referee/meld?cards=4S+2H+6S", headers={"Accept-Language": "pt-BR"}).text
    assert "Sequência" in page
    assert "Yes," not in page


def tags(page: str) -> list[str]:
    """What a verdict rests on, in short: the tag of every rule."""
    verdict = page.partition('id="answer"')[2].partition("</section")[0]
    return [plain(tag) for tag in re.findall(r"<summary>(.*?)</summary>", verdict)]


SILENT, WRITTEN, FOLLOWS = "the written rules are silent", "written in the rules", "follows from the written rules"


@pytest.mark.parametrize(
    ("question", "typed", "rests_on"),
    [
        ("meld", {"cards": "9S 9H 9D"}, [f"G3.1 · {WRITTEN}"]),
        ("meld", {"cards": "4S 5S 6S"}, [f"G3.2 · {WRITTEN}"]),
        ("meld", {"cards": "9S 9H 2D"}, [f"G3.1 · {WRITTEN}"]),
        ("meld", {"cards": "9S 2H 2D"}, [f"G3.3 · {SILENT}", f"G3.4 · {SILENT}"]),
        ("meld", {"cards": "2S 2H 2D"}, [f"G3.3 · {SILENT}"]),
        ("meld", {"cards": "9S 9H"}, [f"G3.1 · {FOLLOWS}"]),
        ("meld", {"cards": "9S 9H 9H 9H"}, [f"G1.1 · {WRITTEN}"]),
        ("contract", {"hand": "1", "groups": "9S 9H 9D\n8S 8H 8D"}, [f"G4.2 · {WRITTEN}"]),
        ("contract", {"hand": "1", "groups": "9S 9H 9D 9C\n8S 8H 8D"}, [f"G4.3 · {SILENT}"]),
        ("contract", {"hand": "1", "groups": "9S 9H 9D"}, [f"G4.2 · {WRITTEN}"]),
        ("hand", {"hand": "1", "cards": "9S 9H 9D 8S 8H 8D"}, [f"G4.2 · {WRITTEN}"]),
        ("hand", {"hand": "1", "cards": "9S 9H 9D 9C 9C 9D"}, [f"G4.5 · {SILENT}"]),
        ("hand", {"hand": "1", "cards": "9S 2S 2H 2D 2C 2S"}, [f"G3.3 · {SILENT}"]),  # a No that a choice turns round
        ("hand", {"hand": "1", "cards": "9S 9H 9D 8S 7H 6D"}, [f"G4.2 · {WRITTEN}"]),
        ("discard", {"groups": "5S 6S 7S", "card": "9H"}, [f"G6.1 · {WRITTEN}"]),
        ("discard", {"groups": "5S 6S 7S", "card": "10S"}, [f"G6.3 · {SILENT}"]),  # not directly (G6.3)
        ("discard", {"groups": "5S 6S 7S", "card": "8S"}, [f"G6.2 · {FOLLOWS}", f"G6.6 · {SILENT}"]),
        (
            "discard",
            {"groups": "9S 9H 2C", "card": "2S"},
            [f"G6.5 · {SILENT}", f"G6.6 · {SILENT}"],
        ),  # no limit on wilds
        ("discard", {"groups": "9S 9H 2C", "card": "9D"}, [f"G6.2 · {FOLLOWS}", f"G6.6 · {SILENT}"]),
        ("discard", {"groups": "9S 9H 9D", "card": "9D", "sheet": "ehow"}, ["G6.1a · your table’s choice"]),
    ],
)
def test_every_verdict_shows_what_it_rests_on(
    client: FlaskClient, question: str, typed: dict[str, str], rests_on: list[str]
) -> None:
    page = ask(client, question, **typed)
    assert tags(page) == rests_on
    for tag in rests_on:
        number = tag.partition(" ")[0]
        assert page.count(f'#{number}"') == 1  # the tag leads to its rule
    verdict = plain(page.partition('id="answer"')[2].partition("</section")[0])
    assert all(verdict.count(tag.partition(" ")[0] + " ") == 1 for tag in rests_on)  # no number is said twice

"""Lists of one's own in words: every check and every bad line has its sentence, and plain words are read."""

from __future__ import annotations

import pytest
from flask import Flask

from companion.referee.games import KATE
from companion.referee.own_lists import Flaw, checks, read_hand, read_hands, with_hands
from companion.wording.lists import _CHECKS, as_codes, bad_line, check_words, hand_extras, hand_words


def said(text: str, rules=KATE) -> list[str]:
    return [check_words(check) for check in checks(with_hands(rules, [read_hand(text)]), 1)]


def test_every_check_has_a_sentence(app: Flask) -> None:
    assert set(_CHECKS) == set(Flaw)
    with app.test_request_context():
        assert said("set3 run10") == ["Nobody can go down without at least 1 buy."]
        assert said("2xrun5 set4 buys0") == ["Nobody can go down: it takes 1 buy, and 0 are allowed."]
        assert said("3xset4") == ["Going down without a buy leaves no card to discard."]
        assert said("2xset3 dealt18") == ["Cannot be dealt to 6 players: 6 × 18 and one to turn up, of 104 cards."]
        assert said("run13")[0] == "No run of 13 by these rules: the longest has 12 cards."
        bare = KATE.replace(wild_ranks=())
        assert said("set9", bare) == ["No set of 9: with its wilds it has 8 cards at most, with the fewest decks."]
        assert said("colour14 dealt14", KATE) == []


def test_every_line_that_is_not_understood_says_why(app: Flask) -> None:
    _hands, bad = read_hands("pair / set1 / 7xset3 / buys2 / set3 dealt1 / set3 buys99")
    with app.test_request_context():
        assert [bad_line(line.why) for line in bad] == [
            "“pair” is not understood. Write set3, run4 or 2xset3.",
            "“set1”: from 2 to 12 cards.",
            "A hand asks for one meld to 6.",
            "No meld is asked for. Write set3, run4 or 2xset3.",
            "From 3 to 20 cards can be dealt.",
            "From 0 to 20 buys, or buysany.",
        ]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("2 sets of 3", "2xset3"),
        ("One set of three and one run of four", "1xset3   1xrun4"),
        ("Duas trincas de 3 e uma sequência de 7 cartas", "2xset3   1xrun7"),
        ("run of 10 + set of 3", "1xrun10   1xset3"),
        ("2xset3 run4", "2xset3 run4"),
        ("nothing", "nothing"),
    ],
)
def test_plain_words_are_read(line: str, code: str) -> None:
    assert as_codes(line) == code


def test_a_hand_in_words(app: Flask) -> None:
    with app.test_request_context():
        hand = read_hand("2xset3 run4 dealt12 buys1 nodiscard atonce endsdeal wildk")
        assert hand_words(hand) == "Two sets of three and a run of four"
        assert hand_extras(hand) == (
            "12 cards dealt", "1 buy", "the last card is not discarded", "all cards at once",
            "ends when somebody goes down", "kings are wild",
        )  # fmt: skip
        assert hand_extras(read_hand("all buysany maydiscard")) == (
            "any number of buys",
            "the last card may be discarded",
        )
        assert hand_extras(read_hand("set3 buys0 discard")) == ("no buys", "the last card is discarded")

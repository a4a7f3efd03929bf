"""The codec: every entry goes to JSON and back unchanged, and nothing else is let in."""

from __future__ import annotations

import json
from collections.abc import Mapping
from random import Random
from typing import get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.codec import KINDS, LATER, MalformedEntry, decode, digest, encode
from companion.referee import events as e
from companion.referee.cards import FIFTY_TWO, JOKER, Card, Rank, parse_cards
from companion.referee.commands import Buy, OverruleRule, ScoreHand
from companion.referee.games import EHOW, GREBBER, KATE, PERU, SHEETS
from companion.referee.melds import Meld
from companion.referee.rules import Kind, Rules, economy
from companion.referee.state import GameState
from tests.referee.nights import night, random_night, some_command

numbers = st.integers(0, 300)
cards = st.sampled_from((*FIFTY_TWO, JOKER, Card(Rank.NINE, None)))
overruled = st.sampled_from(sorted(get_type_hints(Rules))).flatmap(
    lambda name: st.sampled_from(sorted(SHEETS)).map(lambda sheet: e.RuleOverruled(name, getattr(SHEETS[sheet], name)))
)
st.register_type_strategy(Card, cards)
st.register_type_strategy(Rules, st.sampled_from(list(SHEETS.values())))
st.register_type_strategy(e.RuleOverruled, overruled)
ALONE = (e.DoneTogether, e.GameStarted, e.Undone, e.Redone)
points = st.dictionaries(st.integers(0, 12), numbers, max_size=8)


def fields(cls: type) -> dict[str, st.SearchStrategy]:
    """Points need seats that can be; everything else is as its type says."""
    return {name: points for name, hint in get_type_hints(cls).items() if hint == Mapping[int, int]}


def one_of(cls: type) -> st.SearchStrategy:
    if cls is e.DoneTogether:
        inside = st.sampled_from([kind for kind in KINDS.values() if kind not in ALONE]).flatmap(one_of)
        return st.lists(inside, min_size=2, max_size=3).map(tuple).map(e.DoneTogether)
    return overruled if cls is e.RuleOverruled else st.builds(cls, **fields(cls))


any_event = st.sampled_from(list(KINDS.values())).flatmap(one_of)


def through_text(event: e.Event) -> e.Event:
    kind, data = encode(event)
    return decode(kind, json.loads(json.dumps(data)))


@given(any_event)
def test_every_event_comes_back_as_it_went(event):
    assert through_text(event) == event
    assert type(through_text(event)) is type(event)


STORED_KINDS = {
    "game_started": e.GameStarted,
    "bought": e.Bought,
    "buy_taken_back": e.BuyTakenBack,
    "went_down": e.WentDown,
    "went_down_without_cards": e.WentDownWithoutCards,
    "laid_off": e.LaidOff,
    "wild_replaced": e.WildReplaced,
    "rearranged": e.Rearranged,
    "meld_corrected": e.MeldCorrected,
    "going_down_taken_back": e.GoingDownTakenBack,
    "floated": e.Floated,
    "float_taken_back": e.FloatTakenBack,
    "sat_out": e.SatOut,
    "sat_back_in": e.SatBackIn,
    "hand_scored": e.HandScored,
    "score_corrected": e.ScoreCorrected,
    "chips_paid": e.ChipsPaid,
    "purse_filled": e.PurseFilled,
    "hand_dealt_anew": e.HandDealtAnew,
    "seat_joined": e.SeatJoined,
    "seat_left": e.SeatLeft,
    "seat_returned": e.SeatReturned,
    "seats_moved": e.SeatsMoved,
    "dealer_set": e.DealerSet,
    "rule_overruled": e.RuleOverruled,
    "game_closed": e.GameClosed,
    "game_reopened": e.GameReopened,
    "carried_corrected": e.CarriedCorrected,
    "hand_resumed": e.HandResumed,
    "game_discarded": e.GameDiscarded,
    "undone": e.Undone,
    "redone": e.Redone,
    "done_together": e.DoneTogether,
}


def test_every_kind_of_event_is_stored_by_the_name_it_had_first():
    assert KINDS == STORED_KINDS


@pytest.mark.parametrize("seed", range(8))
def test_whole_nights_come_back(seed):
    going = random_night(Random(seed), 80)
    assert [through_text(event) for event in going.entries] == going.entries


@pytest.mark.parametrize("name", sorted(SHEETS))
def test_rules_are_pinned_in_full(name):
    rules = SHEETS[name]
    _, data = encode(e.GameStarted(rules, (0, 1, 2), 0))
    said = {**LATER, **economy(rules.buys_per_game)}
    names = [name for name in get_type_hints(Rules) if name not in said or getattr(rules, name) != said[name]]
    assert list(data["rules"]) == ["chips" if name == "buys_per_game" else name for name in names]


def test_a_switch_that_came_later_is_written_where_it_differs_and_only_there():
    owner = GREBBER.replace(wild_price="owner")
    kind, data = encode(e.GameStarted(owner, (0, 1), 0))
    assert data["rules"]["wild_price"] == "owner"
    assert decode(kind, data).rules == owner
    old = (KATE, EHOW, PERU, GREBBER)
    assert all(getattr(rules, name) == value for rules in old for name, value in LATER.items())


BUYING = {
    "as in Peru": (5, {}),
    "two stock cards, a limit for each hand": (None, {"stock_cards": 2}),
    "a limit for the game, the next player pays nothing": (5, {"next_player_pays": False}),
    "called buys": (5, {"buy_unit": "buy"}),
}


@pytest.mark.parametrize(("limit", "others"), BUYING.values(), ids=list(BUYING))
def test_the_buys_of_a_game_are_stored_as_chips_and_the_rest_of_buying_only_where_it_differs(limit, others):
    rules = KATE.replace(buys_per_game=limit, **{**economy(limit), **others})
    kind, data = encode(e.GameStarted(rules, (0, 1, 2), 0))
    assert data["rules"]["chips"] == limit
    assert {name: data["rules"].get(name) for name in economy(None)} == {**dict.fromkeys(economy(None)), **others}
    assert decode(kind, data).rules == rules


@pytest.mark.parametrize("stored", [{"buys_per_game": 5}, {"chips": 5, "buys_per_game": 5}, {"chips": True}])
def test_the_limit_for_a_game_has_one_stored_name(stored):
    kind, data = encode(e.GameStarted(KATE, (0, 1, 2), 0))
    with pytest.raises(MalformedEntry):
        decode(kind, {**data, "rules": {**data["rules"], **stored}})


def test_rules_of_an_earlier_version_take_the_default_of_a_later_switch():
    kind, data = encode(e.GameStarted(KATE, (0, 1, 2), 0))
    del data["rules"]["bad_discard"]
    assert decode(kind, data).rules == KATE


#: Entries as they lie in databases: these lines stay readable for ever.
STORED = (
    ("bought", {"v": 1, "hand": 3, "seat": 1}, e.Bought(3, 1)),
    (
        "went_down",
        {"v": 1, "hand": 2, "seat": 0, "melds": [
            {"kind": "set", "cards": ["9?", "9?", "2S"], "rank": 9},
            {"kind": "run", "cards": ["4S", "2H", "6S", "7S"], "suit": "S", "low": 4},
        ]},
        e.WentDown(2, 0, (
            Meld(Kind.SET, parse_cards("9? 9? 2S"), rank=Rank.NINE),
            Meld(Kind.RUN, parse_cards("4S 2H 6S 7S"), suit=parse_cards("4S")[0].suit, low=Rank.FOUR),
        )),
    ),
    (
        "hand_scored",
        {"v": 1, "hand": 1, "out": None, "points": {"0": 45, "2": 0}, "floating": [2]},
        e.HandScored(1, None, {0: 45, 2: 0}, frozenset({2})),
    ),
    ("rule_overruled", {"v": 1, "switch": "max_wilds", "value": 2}, e.RuleOverruled("max_wilds", 2)),
    ("rule_overruled", {"v": 1, "switch": "chips", "value": 6}, e.RuleOverruled("buys_per_game", 6)),
    ("rule_overruled", {"v": 1, "switch": "wild_ranks", "value": [2]}, e.RuleOverruled("wild_ranks", (Rank.TWO,))),
    ("seats_moved", {"v": 1, "order": [2, 0, 1]}, e.SeatsMoved((2, 0, 1))),
    ("undone", {"v": 1, "entry": 17}, e.Undone(17)),
    ("game_closed", {"v": 1}, e.GameClosed()),
)  # fmt: skip


@pytest.mark.parametrize(("kind", "data", "event"), STORED)
def test_stored_entries_stay_readable(kind, data, event):
    assert decode(kind, data) == event
    assert encode(event) == (kind, data)


GARBAGE = (
    ("bought", {"v": 1, "hand": "3", "seat": 1}, "should be int"),
    ("bought", {"v": 1, "hand": True, "seat": 1}, "should be int"),
    ("bought", {"v": 1, "hand": 3.0, "seat": 1}, "should be int"),
    ("bought", {"v": 1, "hand": 3}, "seat"),
    ("bought", {"v": 1, "hand": 3, "seat": 1, "name": "Ana"}, "has no 'name'"),
    ("bought", {"v": 2, "hand": 3, "seat": 1}, "version 1"),
    ("bought", {"hand": 3, "seat": 1}, "version 1"),
    ("bought", [], "version 1"),
    ("stolen", {"v": 1}, "no such kind"),
    ("laid_off", {"v": 1, "hand": 1, "seat": 0, "meld": 0, "card": "11S", "end": None, "result": {}}, "11S"),
    ("laid_off", {"v": 1, "hand": 1, "seat": 0, "meld": 0, "card": "ts", "end": None, "result": {}}, "ts"),
    ("went_down", {"v": 1, "hand": 1, "seat": 0, "melds": "9S"}, "should be a list"),
    ("went_down", {"v": 1, "hand": 1, "seat": 0, "melds": [{"kind": "heap", "cards": []}]}, "Kind has no 'heap'"),
    ("hand_scored", {"v": 1, "hand": 1, "out": 0, "points": {"x": 5}}, "no seat"),
    ("hand_scored", {"v": 1, "hand": 1, "out": 0, "points": {"٣": 5}}, "no seat"),
    ("hand_scored", {"v": 1, "hand": 1, "out": 0, "points": {"00": 5}}, "no seat"),
    ("rule_overruled", {"v": 1, "switch": "luck", "value": 1}, "no such switch"),
    ("rule_overruled", {"v": 1, "switch": "max_wilds", "value": "two"}, "should be int"),
    ("game_started", {"v": 1, "rules": {"sheet": "kate"}, "seats": [], "dealer": 0}, "contracts"),
    ("done_together", {"v": 1}, "at least two"),
    ("done_together", {"v": 1, "events": [{"kind": "game_closed"}]}, "at least two"),
    ("done_together", {"v": 1, "events": [{"kind": "game_closed"}, {"kind": "undone", "entry": 2}]}, "no such kind"),
    ("done_together", {"v": 1, "events": [{"kind": "game_closed"}, {"kind": "done_together", "events": []}]}, "no such"),
    ("done_together", {"v": 1, "events": [{"kind": "game_closed"}, {"hand": 1}]}, "should be str"),
    ("done_together", {"v": 1, "events": [{"kind": "game_closed"}, "game_closed"]}, "should be an object"),
)  # fmt: skip


@pytest.mark.parametrize(("kind", "data", "says"), GARBAGE)
def test_garbage_is_refused_and_said(kind, data, says):
    with pytest.raises(MalformedEntry, match=says):
        decode(kind, data)


def test_an_ace_that_was_stored_as_both_opens_as_either():
    kind, data = encode(e.GameStarted(SHEETS["liverpool"], (0, 1, 2), 0))
    old = {**data, "rules": {**data["rules"], "ace": "both"}}
    assert data["rules"]["ace"] == "either"
    assert decode(kind, old) == e.GameStarted(SHEETS["liverpool"], (0, 1, 2), 0)
    for ace in ("high", "low", "both_ends", "corner"):
        assert decode(kind, {**data, "rules": {**data["rules"], "ace": ace}}).rules.ace == ace


def test_rules_no_table_plays_are_refused():
    kind, data = encode(e.GameStarted(KATE, (0, 1, 2), 0))
    data["rules"]["decks"] = 0
    with pytest.raises(MalformedEntry, match="decks=0"):
        decode(kind, data)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=8,
)


@given(any_event, st.data())
def test_a_spoiled_entry_is_an_entry_again_or_malformed(event, data):
    """Whatever one field is changed to: what is read is what would be written, or it is refused."""
    kind, stored = encode(event)
    stored[data.draw(st.sampled_from(sorted(stored)))] = data.draw(json_values)
    try:
        found = decode(kind, stored)
    except MalformedEntry:
        return
    assert decode(*encode(found)) == found


def test_a_digest_tells_commands_apart_and_not_the_order_of_points():
    assert digest(ScoreHand(1, 0, {1: 5, 2: 10})) == digest(ScoreHand(1, 0, {2: 10, 1: 5}))
    assert digest(Buy(1, 0)) != digest(Buy(1, 1))
    assert digest(OverruleRule("decks", 3)) != digest(OverruleRule("decks", 2))


@pytest.mark.parametrize("seed", range(300))
def test_whatever_is_sent_has_a_digest(seed):
    rng = Random(seed)
    command = some_command(rng, night().state if seed % 2 else GameState())
    assert len(digest(command)) == 64

"""The record: what lands, what lands once, what is refused, and what is read back."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from itertools import count as count_from
from itertools import islice
from random import Random

import pytest
from sqlalchemy import func, select, text
from sqlalchemy.exc import DatabaseError

from companion import record
from companion.command.maintenance import check
from companion.db import db, writing
from companion.models import Entry, Game, Person, Score, Seat
from companion.names import BadNames, NameReason
from companion.record import Accepted, NoSuchGame, Stale, TokenSpent, snapshots
from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.engine import Ambiguous, IllegalCommand
from companion.referee.games import KATE
from companion.referee.reasons import Reason
from companion.referee.state import Phase
from tests.referee.nights import Night, card, command_of, melds, random_night

NAMES = ("Ana", "Bob", "Çla", "<script>")
SETS = melds("set 9? 9? 2S / set KS KD 2H")


@pytest.fixture(autouse=True)
def in_app(app):
    with app.app_context():
        yield


def start(names=NAMES, token="start", **more) -> Accepted:
    return record.start_game(c.StartGame(KATE, tuple(range(len(names))), 0, **more), names, token=token)


@pytest.fixture
def code() -> str:
    return start().code


def now(code: str) -> record.GameView:
    view = record.load(code)
    assert view is not None
    return view


def do(code: str, *commands: c.Command) -> Accepted:
    """Commands given by somebody who sees the table as it is."""
    for command in commands:
        accepted = record.append(code, command, token=record.new_token(), seen=now(code).revision)
    return accepted


def late(code: str, command: c.Command, seen: int) -> Accepted:
    return record.append(code, command, token=record.new_token(), seen=seen)


def undo(code: str) -> Accepted:
    view = now(code)
    return record.undo(code, entry=view.undo.seq, token=record.new_token(), seen=view.revision)


def redo(code: str) -> Accepted:
    view = now(code)
    return record.redo(code, entry=view.redo.seq, token=record.new_token(), seen=view.revision)


def count(table: type) -> int:
    return db.session.execute(select(func.count()).select_from(table)).scalar_one()


def score(hand: int, out: int = 0, **more: int) -> c.ScoreHand:
    points = {seat: 0 if seat == out else 10 for seat in range(4)} | {int(k[1:]): v for k, v in more.items()}
    return c.ScoreHand(hand, out, points)


# --- starting -------------------------------------------------------------------------------------------------------


def test_a_game_starts_with_its_people_and_its_first_entry(code):
    view = now(code)
    assert view.revision == 1 and view.state.phase is Phase.PLAYING
    assert dict(view.names) == dict(enumerate(NAMES))
    assert view.undo is None and view.redo is None
    assert view.created_at.tzinfo is UTC and datetime.now(UTC) - view.created_at < timedelta(minutes=1)
    assert re.fullmatch(r"[\w-]{22,}", code)


def test_a_double_tap_on_start_makes_one_game(code):
    again = start()
    assert again.duplicate and again.code == code and again.revision == 1
    assert again.events == (e.GameStarted(KATE, (0, 1, 2, 3), 0),)
    assert count(Game) == 1


def test_the_same_form_with_other_names_is_no_resend(code):
    with pytest.raises(TokenSpent):
        start(("Ana", "Bob", "Cle"))
    assert count(Game) == 1


def test_the_same_people_come_back_by_the_look_of_their_names(code):
    start(("ANA", "Bob ", "Dora"), token="next week")
    assert sorted(db.session.execute(select(Person.name)).scalars()) == ["<script>", "Ana", "Bob", "Dora", "Çla"]


def test_names_that_look_the_same_are_refused_and_nothing_is_kept():
    with pytest.raises(BadNames) as refused:
        start(("Ana", "a\u200bna", ""))
    assert [(p.index, p.reason) for p in refused.value.problems] == [
        (1, NameReason.LOOKS_THE_SAME), (2, NameReason.BLANK)
    ]  # fmt: skip
    assert count(Person) == count(Game) == 0


def test_two_and_nine_players_are_refused():
    for names, reason in ((NAMES[:2], Reason.TOO_FEW_PLAYERS), ([f"P{n}" for n in range(9)], Reason.TOO_MANY_PLAYERS)):
        with pytest.raises(IllegalCommand) as refused:
            start(names)
        assert [problem.reason for problem in refused.value.problems] == [reason]
    assert count(Game) == 0


# --- landing once ---------------------------------------------------------------------------------------------------


def test_a_command_lands_and_is_read_back(code):
    accepted = record.append(code, c.Buy(1, 2, 1), token="a", seen=1)
    assert accepted == Accepted(code, 2, False, (e.Bought(1, 2),))
    assert now(code).state.hand.buys == {2: 1}


def test_the_same_token_lands_once_however_late(code):
    first = record.append(code, c.Buy(1, 2, 1), token="a", seen=1)
    do(code, c.Buy(1, 2, 2), c.Buy(1, 1, 1))
    again = record.append(code, c.Buy(1, 2, 1), token="a", seen=1)
    assert again == Accepted(code, first.revision, True, first.events)
    assert now(code).revision == 4


def test_a_resend_is_known_although_it_would_be_illegal_now(code):
    command = score(1)
    record.append(code, command, token="a", seen=1)
    assert record.append(code, command, token="a", seen=1).duplicate
    assert now(code).state.hand.number == 2


def test_a_spent_token_with_another_command_explains_itself(code):
    record.append(code, c.Buy(1, 2, 1), token="a", seen=1)
    with pytest.raises(TokenSpent) as refused:
        record.append(code, c.Buy(1, 3, 1), token="a", seen=2)
    assert [view.event for view in refused.value.since] == [e.Bought(1, 2)]
    assert now(code).revision == 2


def test_a_token_counts_in_its_own_game_only(code):
    other = start(token="other").code
    record.append(code, c.Buy(1, 2, 1), token="a", seen=1)
    assert not record.append(other, c.Buy(1, 2, 1), token="a", seen=1).duplicate


@pytest.mark.parametrize("token", ["", "x" * 10_000, "\x00", "\ud800", "🂡", "' OR 1=1 --"])
def test_any_text_may_come_as_a_token(code, token):
    assert record.append(code, c.Buy(1, 2, 1), token=token, seen=1).revision == 2


def test_no_game_has_that_code():
    for code in ("", "nothing", "\x00", "\ud800", "a\n", "x" * 1000):
        assert record.load(code) is None and record.entries(code) is None
        with pytest.raises(NoSuchGame):
            record.append(code, c.Buy(1, 2), token="a", seen=1)


# --- refused --------------------------------------------------------------------------------------------------------


def test_an_illegal_command_gives_its_reasons_and_leaves_nothing(code):
    do(code, c.Buy(1, 2), c.Buy(1, 2), c.Buy(1, 2))
    with pytest.raises(IllegalCommand) as refused:
        record.append(code, c.Buy(1, 2), token="a", seen=4)
    assert [problem.reason for problem in refused.value.problems] == [Reason.NO_BUYS_LEFT]
    assert now(code).revision == 4 and count(Entry) == 4


def test_a_refused_token_is_not_spent(code):
    with pytest.raises(IllegalCommand):
        record.append(code, c.Buy(7, 2), token="a", seen=1)
    assert record.append(code, c.Buy(1, 2), token="a", seen=1).revision == 2


def test_an_ambiguous_card_asks(code):
    do(code, score(1), c.GoDown(2, 0, melds("set 9? 9? 9? / run 4S 5S 6S 7S")))
    with pytest.raises(Ambiguous) as asked:
        do(code, c.LayOff(2, 0, 1, card("2H")))
    assert {play.action for play in asked.value.plays} == {"low", "high"}
    assert do(code, c.LayOff(2, 0, 1, card("2H"), "low")).revision == 4


# --- two phones -----------------------------------------------------------------------------------------------------


def test_a_late_command_lands_where_it_is_legal_and_means_the_same(code):
    do(code, c.Buy(1, 1))
    assert late(code, c.Buy(1, 2, 1), seen=1).revision == 3
    assert late(code, c.GoDown(1, 0, SETS), seen=1).revision == 4
    assert late(code, c.LayOff(1, 0, 0, card("9H")), seen=4).revision == 5


def test_the_same_buy_tapped_on_two_phones_is_one_buy(code):
    do(code, c.Buy(1, 2, 1))
    with pytest.raises(Stale) as refused:
        late(code, c.Buy(1, 2, 1), seen=1)
    assert [problem.reason for problem in refused.value.problems] == [Reason.BUY_ALREADY_NOTED]
    assert [view.event for view in refused.value.since] == [e.Bought(1, 2)]
    assert refused.value.revision == 2


def test_a_buy_for_a_hand_that_is_over_does_not_land_in_the_next(code):
    do(code, score(1))
    with pytest.raises(Stale) as refused:
        late(code, c.Buy(1, 2, 1), seen=1)
    assert [problem.reason for problem in refused.value.problems] == [Reason.OTHER_HAND]


SHIFTED = {
    "one more buy, noted elsewhere": ((), (c.Buy(1, 2),), c.Buy(1, 2)),
    "a buy of the deal before": ((), (c.DealAnew(1),), c.Buy(1, 2, 1)),
    "dealing anew twice": ((), (c.Buy(1, 2),), c.DealAnew(1)),
    "a dealer set by two": ((), (c.SetDealer(1, 2),), c.SetDealer(1, 3)),
    "two orders of seats": ((), (c.MoveSeats((3, 2, 1, 0)),), c.MoveSeats((0, 2, 1, 3))),
    "two values of a switch": ((), (c.OverruleRule("max_wilds", 2),), c.OverruleRule("max_wilds", 3)),
    "closing before the last scores": ((), (score(1),), c.CloseGame()),
    "totals previewed before": (
        (score(1), score(2)), (c.CorrectScore(2, 0, {1: 40, 2: 10, 3: 10}),), c.CorrectScore(1, 1, {0: 5, 2: 5, 3: 5})
    ),
    "a meld taken back with a card more on it": (
        (c.GoDown(1, 0, SETS), c.GoDown(1, 1, melds("set 4? 4? 4? / set 5? 5? 5?"))),
        (c.LayOff(1, 1, 0, card("9H")),), c.TakeBackGoingDown(1, 0),
    ),
    "a meld corrected with a card more on it": (
        (c.GoDown(1, 0, SETS),), (c.LayOff(1, 0, 0, card("9H")),), c.CorrectMeld(1, 0, melds("set 8? 8? 8?")[0])
    ),
    "a wild on a run that grew": (
        (score(1), c.GoDown(2, 0, melds("set 9? 9? 9? / run 5S 6S 7S 8S"))),
        (c.LayOff(2, 0, 1, card("4S")),), c.LayOff(2, 0, 1, card("2H"), "low"),
    ),
    "another meld with that number": (
        (c.GoDown(1, 0, SETS),), (c.CorrectMeld(1, 0, melds("set 9? 9? 9?")[0]),), c.LayOff(1, 0, 0, card("9H"))
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SHIFTED)
def test_a_late_command_that_would_mean_something_else_is_refused(code, name):
    before, meanwhile, command = SHIFTED[name]
    if before:
        do(code, *before)
    seen = now(code).revision
    do(code, *meanwhile)
    with pytest.raises(Stale) as refused:
        late(code, command, seen=seen)
    assert refused.value.problems == ()
    assert [view.seq for view in refused.value.since] == list(range(seen + 1, seen + 1 + len(meanwhile)))
    assert do(code, command).revision == seen + len(meanwhile) + 1, "whoever sees the fresh table may"


def test_a_state_seen_before_an_undo_is_found(code):
    do(code, c.Buy(1, 2), c.Buy(1, 3))
    undo(code)
    with pytest.raises(Stale):
        late(code, c.Buy(1, 3), seen=3)
    assert late(code, c.Buy(1, 1), seen=3).revision == 5


@pytest.mark.parametrize("seen", [-1, 99, 10**30, -(10**30)])
def test_a_revision_nobody_can_have_seen_lands_nothing(code, seen):
    with pytest.raises(Stale):
        late(code, c.Buy(1, 2), seen=seen)
    assert now(code).revision == 1


# --- undo and redo --------------------------------------------------------------------------------------------------


def test_undo_and_redo_to_any_depth_over_the_end_of_a_hand(code):
    do(code, c.Buy(1, 2), c.GoDown(1, 0, SETS))
    before = now(code).state
    do(code, score(1), c.Buy(2, 1))
    after = now(code).state
    for _ in range(2):
        undo(code)
    assert now(code).state == before and count(Score) == 0
    while now(code).undo:
        undo(code)
    assert now(code).state.hand.buys == {} and now(code).state.hand.melds == ()
    while now(code).redo:
        redo(code)
    assert now(code).state == after and count(Score) == 4
    assert check() == []


def test_undo_over_the_end_of_the_game(code):
    do(code, *(score(hand) for hand in range(1, 11)))
    assert now(code).state.phase is Phase.FINISHED
    assert db.session.execute(select(Game.phase, Game.hand)).one() == ("finished", None)
    undo(code)
    assert now(code).state.phase is Phase.PLAYING and now(code).state.hand.number == 10
    assert db.session.execute(select(Game.phase, Game.hand)).one() == ("playing", 10)


def test_an_undo_takes_back_what_the_person_saw_or_nothing(code):
    do(code, c.Buy(1, 2))
    do(code, c.Buy(1, 3))
    with pytest.raises(Stale) as refused:
        record.undo(code, entry=2, token="a", seen=2)
    assert [view.event for view in refused.value.since] == [e.Bought(1, 3)]
    assert now(code).revision == 3


def test_an_undo_sent_twice_takes_back_one_entry(code):
    do(code, c.Buy(1, 2), c.Buy(1, 3))
    assert not record.undo(code, entry=3, token="a", seen=3).duplicate
    assert record.undo(code, entry=3, token="a", seen=3).duplicate
    with pytest.raises(Stale):
        record.undo(code, entry=3, token="another phone", seen=3)
    assert now(code).state.hand.buys == {2: 1}


def test_nothing_to_undo_and_nothing_to_redo(code):
    for function, reason in ((record.undo, Reason.NOTHING_TO_UNDO), (record.redo, Reason.NOTHING_TO_REDO)):
        for entry in (1, 0, -1, 10**30):
            with pytest.raises(IllegalCommand) as refused:
                function(code, entry=entry, token=f"{entry}", seen=1)
            assert [problem.reason for problem in refused.value.problems] == [reason]
    assert now(code).revision == 1


def test_a_new_entry_ends_redo(code):
    do(code, c.Buy(1, 2))
    undo(code)
    do(code, c.Buy(1, 3))
    assert now(code).redo is None


def test_an_undo_deeper_than_what_is_kept_in_memory(code):
    for hand in range(1, 8):
        do(code, *(c.Buy(hand, seat) for seat in range(4) for _ in range(3)), score(hand))
    deepest = []
    while now(code).undo:
        deepest.append(undo(code).revision)
    assert len(deepest) > snapshots.STEPS_KEPT
    view = now(code)
    snapshots.cache()._kept.clear()
    assert now(code).state == view.state
    assert view.state.hand.number == 1 and check() == []


# --- joining and leaving --------------------------------------------------------------------------------------------


def test_a_late_joiner_gets_a_seat_a_name_and_points(code):
    do(code, score(1, p3=45))
    joined = record.join(code, " Eve ", token="j", seen=2)
    assert joined.events == (e.SeatJoined(4, 45, 4),)
    assert now(code).names[4] == "Eve"
    assert record.join(code, "Eve", token="j", seen=2).duplicate
    assert check() == []


def test_nobody_joins_twice(code):
    for name in ("ana", "Bob\u200b"):
        with pytest.raises(BadNames) as refused:
            record.join(code, name, token=name, seen=1)
        assert refused.value.problems[0].reason is NameReason.LOOKS_THE_SAME
    assert count(Seat) == 4 and count(Person) == 4


def test_a_refused_joiner_leaves_no_person_behind(code):
    do(code, c.CloseGame())
    with pytest.raises(IllegalCommand):
        record.join(code, "Eve", token="j", seen=2)
    assert count(Person) == 4


def test_a_seat_number_is_never_given_to_somebody_else(code):
    record.join(code, "Eve", token="j", seen=1)
    undo(code)
    assert record.join(code, "Fay", token="k", seen=3).events == (e.SeatJoined(5, 0, 4),)
    undo(code)
    assert record.join(code, "eve", token="l", seen=5).events == (e.SeatJoined(4, 0, 4),)
    assert dict(now(code).names) | {4: "Eve", 5: "Fay"} == dict(now(code).names)
    assert check() == []


def test_joining_with_a_place_is_stale_when_the_seats_moved(code):
    do(code, c.MoveSeats((3, 2, 1, 0)))
    with pytest.raises(Stale):
        record.join(code, "Eve", 2, token="j", seen=1)
    assert record.join(code, "Eve", token="k", seen=1).revision == 3


def test_join_and_start_have_their_own_functions(code):
    for command in (c.JoinSeat(4), c.StartGame(KATE, (0, 1, 2), 0)):
        with pytest.raises(TypeError):
            record.append(code, command, token="a", seen=1)


# --- reading --------------------------------------------------------------------------------------------------------


def test_the_history_says_what_was_undone_and_what_holds(code):
    do(code, c.Buy(1, 2), c.Buy(1, 3))
    undo(code)
    views = record.entries(code)
    assert [view.seq for view in views] == [1, 2, 3, 4]
    assert [view.holds for view in views] == [True, True, False, None]
    assert views[3].target == e.Bought(1, 3)
    assert views[2].before.hand.buys == {2: 1} and views[3].before.hand.buys == {2: 1, 3: 1}


def test_the_cache_is_checked_against_what_is_committed(app, code):
    """Another process is another cache on the same database."""
    before = now(code)
    mine = app.extensions["companion_snapshots"]
    app.extensions["companion_snapshots"] = snapshots.Cache()
    do(code, c.Buy(1, 2))
    app.extensions["companion_snapshots"] = mine
    assert before.revision == 1 and now(code).state.hand.buys == {2: 1}


def test_the_cache_is_bounded():
    kept = snapshots.Cache()
    for number in range(snapshots.GAMES_KEPT + 5):
        kept.put(str(number), snapshots.Snapshot())
    assert kept.get("0") == snapshots.Snapshot()
    assert len(kept._kept) == snapshots.GAMES_KEPT


def numbers_joiners_in_turn(night: Night) -> bool:
    """Whether joiners take the next seat number, as the record gives it (nights of the referee may take any)."""
    seats = set(night.state.seats) | {event.seat for event in night.entries if isinstance(event, e.SeatJoined)}
    return seats == set(range(len(seats)))


def six_nights() -> list[Night]:
    nights = (random_night(Random(seed), 120) for seed in count_from(0))
    return list(islice(filter(numbers_joiners_in_turn, nights), 6))


@pytest.mark.parametrize("number", range(6))
def test_random_nights_are_the_same_by_the_record_and_by_the_referee(number):
    """Every entry of a night played by the referee alone, given as commands: same state, same rows."""
    going = six_nights()[number]
    first = going.entries[0]
    started = c.StartGame(first.rules, first.seats, first.dealer, first.first_hand, first.carried)
    code = record.start_game(started, [f"P{seat}" for seat in first.seats], token="t").code
    for event in going.entries[1:]:
        one_event(code, event, now(code))
    assert now(code).state == going.state
    snapshots.cache()._kept.clear()
    assert now(code).state == going.state
    assert check() == []


def one_event(code: str, event: e.Event, view: record.GameView) -> None:
    slip = {"token": record.new_token(), "seen": view.revision}
    if isinstance(event, e.Undone):
        record.undo(code, entry=event.entry, **slip)
    elif isinstance(event, e.Redone):
        record.redo(code, entry=event.entry, **slip)
    elif isinstance(event, e.SeatJoined):
        record.join(code, f"P{event.seat}", event.place, **slip)
    else:
        record.append(code, command_of(event, view.state), **slip)


def test_the_people_of_earlier_nights_are_known(code):
    house = now(code).house_id
    assert set(record.known_people(house)) == set(NAMES)
    start(("Zoe", "Yan", "Xi"), token="later")
    assert set(record.known_people(house)[:3]) == {"Zoe", "Yan", "Xi"}
    assert record.known_people(None) == []


def test_who_listens_is_told_after_the_commit_and_may_fail(code, monkeypatch):
    told = []

    def listen(game_id: int) -> None:
        with db.engine.connect() as other:
            told.append(other.execute(select(Game.revision).where(Game.id == game_id)).scalar_one())
        raise OSError("nobody is there")

    monkeypatch.setattr("companion.record.writing.after_commit", {listen})
    do(code, c.Buy(1, 2))
    assert told == [2] and now(code).revision == 2


# --- the database itself --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("UPDATE entry SET kind = 'floated'", "only grows"),
        ("DELETE FROM entry", "only grows"),
        ("INSERT INTO entry (game_id, seq, kind, data, at) VALUES (1, 5, 'bought', '{}', '2026-01-01')", "no gaps"),
        ("INSERT INTO entry (game_id, seq, kind, data, at) VALUES (1, 1, 'bought', '{}', '2026-01-01')", "no gaps"),
        ("DELETE FROM game", "(?i)foreign key"),
    ],
)
def test_the_database_refuses_to_rewrite_the_record(code, statement, says):
    with pytest.raises(DatabaseError, match=says), writing() as session:
        session.execute(text(statement))
    assert now(code).revision == 1 and count(Entry) == 1


def test_an_error_in_the_middle_leaves_neither_entry_nor_scores(code, monkeypatch):
    def fail(*_: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr("companion.record.writing._touch", fail)
    with pytest.raises(OSError, match="full"):
        do(code, score(1))
    monkeypatch.undo()
    assert now(code).revision == 1 and count(Entry) == 1 and count(Score) == 0
    assert do(code, score(1)).revision == 2

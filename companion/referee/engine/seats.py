"""The table: starting, coming late, leaving, coming back, changing chairs (G1.2, G9.4)."""

from dataclasses import replace
from types import MappingProxyType
from typing import Any

from companion.referee import commands, events
from companion.referee.engine import grebber
from companion.referee.engine.checks import Problems, at_table
from companion.referee.engine.hands import too_few
from companion.referee.games import game_of
from companion.referee.packs import with_packs
from companion.referee.reasons import Reason, refuse
from companion.referee.rules import MOST_TARGET, Rules
from companion.referee.scoring import pack_points, starting_points
from companion.referee.standings import totals
from companion.referee.state import GameState, Hand, Phase, Playing

#: The hand a game to a target can begin with at the latest.
MOST_HANDS = 500


# --- starting ---------------------------------------------------------------------------------------------------


def start_problems(state: GameState, command: commands.StartGame) -> Problems:
    """Everything wrong with a new game: its players, its dealer, the hand it starts with, totals from paper."""
    if state.phase is not Phase.NOT_STARTED:
        return refuse(Reason.ALREADY_STARTED, "G1.2")
    count = len(command.seats)
    return (
        too_few(command.rules, count)
        + _too_many(command.rules, count)
        + _bad_seats(command)
        + _bad_first_hand(command)
        + _bad_carried(command)
    )


def _too_many(rules: Rules, count: int) -> Problems:
    if count <= rules.max_players:
        return ()
    game, reason = game_of(rules), Reason.TOO_MANY_PLAYERS
    cards: dict[str, Any] = {} if game.deck is None else {"each": rules.hand_size, "deck": game.deck}
    facts = {"count": count, "limit": rules.max_players, **cards}
    return refuse(reason, *game.rule("max_players"), rests_on="max_players", **facts)


def _bad_seats(command: commands.StartGame) -> Problems:
    if len(set(command.seats)) < len(command.seats) or any(seat < 0 for seat in command.seats):
        return refuse(Reason.SEATS_DIFFER, "G1.2")
    if command.dealer not in command.seats:
        return refuse(Reason.NO_SUCH_SEAT, "G1.3", seat=command.dealer)
    return ()


def _bad_first_hand(command: commands.StartGame) -> Problems:
    limit = len(command.rules.contracts) or MOST_HANDS  # on an own hand each, all begin with that one of the list
    there_is = 1 <= command.first_hand <= limit
    return () if there_is else refuse(Reason.NO_SUCH_HAND, "G4.1", hand=command.first_hand, limit=limit)


def _bad_carried(command: commands.StartGame) -> Problems:
    """Totals from paper: one for each seat, none negative, none beyond what the hands before can have cost."""
    if not command.carried:
        return ()
    if len(command.carried) != len(command.seats):
        return refuse(Reason.SEATS_DIFFER, "G9.1")
    pairs = tuple(zip(command.seats, command.carried, strict=True))
    return carried_faults(pairs, with_packs(command.rules, len(command.seats)), command.first_hand)


def carried_faults(pairs: tuple[tuple[int, int], ...], rules: Rules, next_hand: int) -> Problems:
    """What is wrong with totals, by seat, that the hands before ``next_hand`` are said to have made (G9.1, G9.2)."""
    if game_of(rules).count == "kruth":
        return grebber.carried_problems(pairs, rules.target or MOST_TARGET, next_hand)
    hands = max(1, next_hand - 1) if rules.own_progress else min(max(1, next_hand - 1), max(1, len(rules.contracts)))
    limit = hands * pack_points(rules)
    step, values = rules.step, rules.card_values
    return tuple(
        problem
        for seat, points in pairs
        for reason, rule, wrong in (
            (Reason.NEGATIVE_POINTS, "G9.1", points < 0),
            (Reason.NOT_MULTIPLE_OF_FIVE, "G9.2", points % step != 0),
            (Reason.POINTS_ABOVE_PACK, "G9.2", points > limit),
        )
        if wrong
        for problem in refuse(reason, rule, seat=seat, points=points, total=points, limit=limit, values=values)
    )


def start(state: GameState, command: commands.StartGame) -> events.GameStarted:
    """The first entry; seven or eight players bring the third deck (G1.2)."""
    rules = with_packs(command.rules, len(command.seats))
    return events.GameStarted(rules, command.seats, command.dealer, command.first_hand, command.carried)


def started_game(state: GameState, event: events.GameStarted) -> GameState:
    """The table at the beginning of the night."""
    carried = dict(zip(event.seats, event.carried or (0,) * len(event.seats), strict=False))
    return GameState(
        rules=event.rules,
        phase=Phase.PLAYING,
        seats=event.seats,
        order=event.seats,
        chairs=event.seats,
        carried=MappingProxyType(carried),
        first_hand=event.first_hand,
        hand=Hand(event.first_hand, event.dealer),
    )


# --- coming and going -------------------------------------------------------------------------------------------


def join_problems(playing: Playing, command: commands.JoinSeat) -> Problems:
    """Why nobody can join on that seat: it is taken, or the table is full (G1.2)."""
    taken: Problems = ()
    if command.seat in playing.state.seats:
        taken = refuse(Reason.SEAT_HERE, "G9.4", seat=command.seat)
    elif command.seat < 0:
        taken = refuse(Reason.NO_SUCH_SEAT, "G1.2", seat=command.seat)
    return taken + _too_many(playing.rules, len(playing.state.order) + 1)


def join(playing: Playing, command: commands.JoinSeat) -> events.SeatJoined:
    """The entry of a late joiner, with the points the table's rule gives (G9.4), on the hand of who is furthest behind."""
    summed, order = totals(playing.state), playing.state.order
    carried = starting_points([summed[seat] for seat in order], playing.rules)
    place = len(order) if command.place is None else max(0, min(command.place, len(order)))
    begins = min(playing.state.number_of(seat) for seat in order) if playing.rules.own_progress and order else None
    return events.SeatJoined(command.seat, carried, place, begins)


def joined(state: GameState, event: events.SeatJoined) -> GameState:
    """One chair more. A hand already being played is sat out, and the third deck waits for the next (G9.4)."""
    before = state.order[event.place] if 0 <= event.place < len(state.order) else None
    at = len(state.chairs) if before is None else state.chairs.index(before)
    chairs = _without(state.chairs, event.seat)
    chairs = (*chairs[:at], event.seat, *chairs[at:])
    begins = state.begins if event.begins is None else MappingProxyType({**state.begins, event.seat: event.begins})
    grown = replace(
        state,
        begins=begins,
        seats=(*_without(state.seats, event.seat), event.seat),
        carried=MappingProxyType({**state.carried, event.seat: event.carried}),
    )
    return _arrive(_seated(grown, chairs, state.away - {event.seat}), event.seat)


def leave_problems(playing: Playing, command: commands.LeaveSeat) -> Problems:
    """Why the player cannot leave: not here, or too few would be left; then the game is closed instead (G1.2)."""
    return at_table(playing.state, command) or too_few(playing.rules, len(playing.state.order) - 1)


def left(state: GameState, event: events.SeatLeft) -> GameState:
    """The chair stays, empty: scores are kept, and the deal skips it. Before the deal the next player deals."""
    gone = _seated(state, state.chairs, state.away | {event.seat})
    hand = gone.hand
    if hand is None:
        return gone
    heir = gone.next_here(hand.dealer) if hand.untouched and hand.dealer == event.seat else None
    dealer = hand.dealer if heir is None else heir
    return replace(gone, hand=replace(hand, dealer=dealer, sitting_out=hand.sitting_out - {event.seat}))


def return_problems(playing: Playing, command: commands.ReturnToSeat) -> Problems:
    """Why the player cannot come back: never was here, never left, or the table is full (G1.2)."""
    if command.seat not in playing.state.seats:
        return refuse(Reason.NO_SUCH_SEAT, "G1.2", seat=command.seat)
    if command.seat in playing.state.order:
        return refuse(Reason.SEAT_HERE, "G9.4", seat=command.seat)
    return _too_many(playing.rules, len(playing.state.order) + 1)


def returned(state: GameState, event: events.SeatReturned) -> GameState:
    """Back on their chair, with the scores they had; a hand already being played is sat out."""
    return _arrive(_seated(state, state.chairs, state.away - {event.seat}), event.seat)


def move_problems(playing: Playing, command: commands.MoveSeats) -> Problems:
    """Why this is no new order of the table: not exactly the seats that are here."""
    is_same = sorted(command.order) == sorted(playing.state.order)
    return () if is_same else refuse(Reason.SEATS_DIFFER, "G1.3")


def moved(state: GameState, event: events.SeatsMoved) -> GameState:
    """Everybody on their new chair; empty chairs stay where they are."""
    fresh = iter(event.order)
    chairs = tuple(seat if seat in state.away else next(fresh, seat) for seat in state.chairs)
    return _seated(state, chairs, state.away)


def _without(seats: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return tuple(other for other in seats if other != seat)


def _seated(state: GameState, chairs: tuple[int, ...], away: frozenset[int]) -> GameState:
    order = tuple(seat for seat in chairs if seat not in away)
    return replace(state, chairs=chairs, away=away, order=order)


def _arrive(state: GameState, seat: int) -> GameState:
    """A hand with something in it is sat out, unless they had a part in it; otherwise they are dealt in."""
    hand = state.hand
    if hand is None:
        return state
    if hand.untouched:
        return replace(state, rules=with_packs(state.rules, len(state.order)))
    if hand.is_down(seat) or hand.buys.get(seat):
        return state
    return replace(state, hand=replace(hand, sitting_out=hand.sitting_out | {seat}))

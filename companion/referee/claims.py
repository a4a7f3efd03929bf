"""Who gets a discard that several want (G5.1–G5.7, P8)."""

from collections.abc import Sequence
from dataclasses import dataclass

from companion.referee.games import cited, game_of
from companion.referee.reasons import Firmness, Problem, Reason, refuse
from companion.referee.state import Playing


@dataclass(frozen=True, slots=True)
class Claim:
    """Who takes the discard: ``free`` if it is the next player's own draw, otherwise a buy; seat None: nobody.

    ``refused`` says why some of those who called may not have it, in the order they called; ``allowed`` are those who
    may buy it, of whom the first call decides where the table plays so (G5.5, P8). ``may_refuse`` are those who may say no
    to the buy at this table: who has the turn, or everybody before the buyer.
    """

    seat: int | None
    free: bool
    refused: tuple[Problem, ...]
    allowed: tuple[int, ...] = ()
    may_refuse: tuple[int, ...] = ()


def who_takes(calls: Sequence[int], discarder: int, playing: Playing) -> Claim:
    """Who of those that call for the top discard gets it (G5.2, G5.5, G5.6).

    ``calls`` are seats in the order they called; for the first upcard the dealer counts as the discarder (G5.7). The
    next player has first claim, free; where the next player pays too, the discard only comes by a buy (P8).

    >>> from companion.referee.state import GameState, Hand
    >>> state = GameState(order=(0, 1, 2, 3), hand=Hand(1, 0))
    >>> who_takes((3, 2), 0, state.playing).seat
    2
    >>> who_takes((3, 1), 0, state.playing)
    Claim(seat=1, free=True, refused=(), allowed=(), may_refuse=())
    """
    rules, after = playing.rules, _in_turn(playing, discarder)
    takes = not rules.next_player_pays and after[0] in calls and after[0] not in (discarder, *playing.hand.floating)
    not_in_turn = _may_not_draw(playing, after[0]) if takes else ()
    if takes and not not_in_turn:
        return Claim(after[0], True, ())
    problems = {seat: _problems(seat, discarder, playing) for seat in calls if seat in after}
    if not_in_turn:
        problems[after[0]] = not_in_turn
    refused = tuple(refusal[0] for refusal in problems.values() if refusal)
    allowed = [seat for seat, refusal in problems.items() if not refusal]
    if not allowed:
        return Claim(None, False, refused)
    first = allowed[0] if rules.buy_priority == "first_call" else min(allowed, key=after.index)
    before = {"none": 0, "turn_player": 1, "all_before": len(after)}[rules.buy_veto]
    may_refuse = tuple(seat for seat in after[: after.index(first)][:before] if seat != discarder)
    return Claim(first, False, refused, tuple(allowed), may_refuse)


def _in_turn(playing: Playing, discarder: int) -> list[int]:
    """Who plays the hand, in turn after the discarder, who comes last."""
    state = playing.state
    order = [seat for seat in state.ring if seat in state.dealt_in] or list(state.dealt_in)
    at = order.index(discarder) + 1
    return [*order[at:], *order[:at]]


def _may_not_draw(playing: Playing, seat: int) -> tuple[Problem, ...]:
    """Refuses the top discard to the next player who is down, where the table says so."""
    if playing.rules.draw_discards_down or not playing.hand.is_down(seat):
        return ()
    switch = "draw_discards_down"
    return cited(refuse(Reason.DRAWER_DOWN, "G5.1", Firmness.SILENT, rests_on=switch, seat=seat), playing.rules)


def _problems(seat: int, discarder: int, playing: Playing) -> tuple[Problem, ...]:
    """Why a player may not buy this discard, what counts most first."""
    own = seat == discarder and not playing.rules.buy_own_discard and seat not in playing.hand.floating
    if own:
        return refuse(Reason.BUYS_OWN_DISCARD, "G5.5", Firmness.SILENT, rests_on="buy_own_discard", seat=seat)
    return cited(may_not_buy(playing, seat) + none_left(playing, seat), playing.rules)


def may_not_buy(playing: Playing, seat: int) -> tuple[Problem, ...]:
    """Refuses who floats, and who is down where the table says so (G5.6).

    >>> from companion.referee.state import GameState, Hand
    >>> state = GameState(order=(0, 1, 2), hand=Hand(1, 0, floating=frozenset({2})))
    >>> [[problem.reason.name for problem in may_not_buy(state.playing, seat)] for seat in (1, 2)]
    [[], ['BUYER_FLOATS']]
    """
    if seat in playing.hand.floating:
        return refuse(Reason.BUYER_FLOATS, "G5.6", Firmness.KATE, seat=seat)
    if seat in playing.hand.down and not playing.rules.buy_when_down:
        return refuse(Reason.BUYER_DOWN, "G5.6", Firmness.SILENT, rests_on="buy_when_down", seat=seat)
    return ()


def none_left(playing: Playing, seat: int) -> tuple[Problem, ...]:
    """Refuses who has used all the buys of the hand, or of the game (G5.3, P8).

    >>> from companion.referee.state import GameState, Hand
    >>> state = GameState(order=(0, 1, 2), hand=Hand(1, 0, buys={1: 3}))
    >>> [[problem.rule for problem in none_left(state.playing, seat)] for seat in (1, 2)]
    [['G5.3'], []]
    """
    limit, used = playing.state.buy_limit(seat), playing.state.buys_used(seat)
    if limit is None or used < limit:
        return ()
    cited = game_of(playing.rules).rule("buys")
    return refuse(Reason.NO_BUYS_LEFT, *cited, seat=seat, used=used, limit=limit, hand=playing.hand.number)

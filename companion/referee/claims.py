"""Who gets a discard that several want (G5.1–G5.7, P8)."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from companion.referee.games import game_of
from companion.referee.reasons import Firmness, Problem, Reason
from companion.referee.rules import Rules

_NOBODY: Mapping[int, int] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Buyers:
    """What decides who may buy: buys used by seat in ``hand`` (or in the whole game, as the limit is), who is down, who floats."""

    hand: int
    used: Mapping[int, int] = field(default_factory=lambda: _NOBODY)
    down: Collection[int] = ()
    floating: Collection[int] = ()


@dataclass(frozen=True, slots=True)
class Claim:
    """Who takes the discard: ``free`` if it is the next player's own draw, otherwise a buy; seat None: nobody.

    ``refused`` says why some of those who called may not have it, in the order they called; ``allowed`` are those who
    may buy it, of whom the first call decides where the table plays so (G5.5, P8).
    """

    seat: int | None
    free: bool
    refused: tuple[Problem, ...]
    allowed: tuple[int, ...] = ()


def who_takes(calls: Sequence[int], order: Sequence[int], discarder: int, rules: Rules, buyers: Buyers) -> Claim:
    """Who of those that call for the top discard gets it (G5.2, G5.5, G5.6).

    ``calls`` are seats in the order they called, ``order`` the chairs clockwise; for the first upcard the dealer counts
    as the discarder (G5.7). The next player has first claim, free; where the next player pays too, the discard only comes by a buy (P8).

    >>> from companion.referee.games import KATE
    >>> who_takes((3, 2), (0, 1, 2, 3), 0, KATE, Buyers(1)).seat
    2
    >>> who_takes((3, 1), (0, 1, 2, 3), 0, KATE, Buyers(1))
    Claim(seat=1, free=True, refused=(), allowed=())
    """
    at = order.index(discarder) + 1
    after = [*order[at:], *order[:at]]
    if not rules.next_player_pays and after[0] in calls and after[0] not in (discarder, *buyers.floating):
        return Claim(after[0], True, ())
    problems = {seat: _refusal(seat, discarder, rules, buyers) for seat in calls if seat in after}
    allowed = [seat for seat, problem in problems.items() if problem is None]
    refused = tuple(problem for problem in problems.values() if problem)
    if not allowed:
        return Claim(None, False, refused)
    first = allowed[0] if rules.buy_priority == "first_call" else min(allowed, key=after.index)
    return Claim(first, False, refused, tuple(allowed))


def _refusal(seat: int, discarder: int, rules: Rules, buyers: Buyers) -> Problem | None:
    if seat in buyers.floating:
        return Problem(Reason.BUYER_FLOATS, "G5.6", {"seat": seat})
    if seat == discarder and not rules.buy_own_discard:
        return Problem(Reason.BUYS_OWN_DISCARD, "G5.5", {"seat": seat}, Firmness.SILENT, "buy_own_discard")
    if seat in buyers.down and not rules.buy_when_down:
        return Problem(Reason.BUYER_DOWN, "G5.6", {"seat": seat}, Firmness.SILENT, "buy_when_down")
    limit, used = rules.buy_limit(buyers.hand), buyers.used.get(seat, 0)
    if limit is None or used < limit:
        return None
    facts = {"seat": seat, "used": used, "limit": limit, "hand": buyers.hand}
    rule, firmness = game_of(rules).rule("buys")
    return Problem(Reason.NO_BUYS_LEFT, rule, facts, firmness)

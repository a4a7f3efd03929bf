"""Whether two melds may lie in one lay-down: two sets of a rank, two runs of a suit and how near they lie (G4.5)."""

from typing import Protocol

from companion.referee.cards import Rank, Suit
from companion.referee.rules import Kind, Rules

_GAPS = {"gap1": 1, "gap2": 2, "gap3": 3}


class Lying(Protocol):
    """A meld, or the shape of one."""

    @property
    def kind(self) -> Kind: ...
    @property
    def size(self) -> int: ...
    @property
    def rank(self) -> Rank | None: ...
    @property
    def suit(self) -> Suit | None: ...
    @property
    def low(self) -> Rank | None: ...


def ranks_between(first: Lying, second: Lying) -> int:
    """How many ranks lie between two runs; below 0 where they overlap. An ace as a first card lies below the 2.

    >>> from companion.referee.cards import parse_cards
    >>> from companion.referee.melds import Meld
    >>> low, high = (Meld.run_from(Suit.SPADES, rank, parse_cards("JK JK JK JK")) for rank in (Rank.THREE, Rank.EIGHT))
    >>> ranks_between(low, high), ranks_between(high, high)
    (1, -4)
    """
    here, there = _place(first), _place(second)
    return max(there - here - first.size, here - there - second.size)


def _place(run: Lying) -> int:
    return 1 if run.low is Rank.ACE and run.size > 1 else int(run.low or 0)


def clash(first: Lying, second: Lying, rules: Rules) -> bool:
    """Whether this table forbids the two melds in one lay-down (G4.5).

    >>> from companion.referee.cards import parse_cards
    >>> from companion.referee.games import KATE
    >>> from companion.referee.melds import Meld
    >>> low, high = (Meld.run_from(Suit.SPADES, rank, parse_cards("JK JK JK JK")) for rank in (Rank.THREE, Rank.SEVEN))
    >>> [clash(low, high, KATE.replace(same_suit_runs=value)) for value in ("allowed", "not_touching", "gap1")]
    [False, True, True]
    """
    if first.kind is not second.kind:
        return False
    if first.kind is Kind.SET:
        return rules.same_rank_sets == "forbidden" and first.rank is second.rank
    if first.kind is not Kind.RUN or first.suit is not second.suit or rules.same_suit_runs == "allowed":
        return False
    if rules.same_suit_runs == "forbidden":
        return True
    between = ranks_between(first, second)
    return between == 0 if rules.same_suit_runs == "not_touching" else between < _GAPS[rules.same_suit_runs]

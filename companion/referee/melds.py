"""Melds: sets and runs with a position for every card, and every way cards can be one (G3, P2–P5).

A wild is any card that does not lie as itself: in a set a card of another rank, in a run a card that is
not the very card of its place. So a 2 that lies as the natural 2 of a run round the corner is no wild (P2).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from companion.referee.cards import Card, Rank, Suit, format_cards
from companion.referee.games import cited
from companion.referee.reasons import Firmness, Problem, Reason
from companion.referee.rules import Kind, Rules, Slot
from companion.referee.run_faults import run_faults
from companion.referee.wild_limits import limits_of, wild_limit_problems

RUN_MINIMUM = SET_MINIMUM = 3
#: The kinds whose cards have places.
RUNS = (Kind.RUN, Kind.ANYRUN)


def rank_at(low: Rank, step: int) -> Rank:
    """The rank ``step`` places above ``low`` in a run; past the ace comes the 2 (P3).

    >>> rank_at(Rank.QUEEN, 2), rank_at(Rank.KING, 2)
    (<Rank.ACE: 14>, <Rank.TWO: 2>)
    """
    return _RANKS[(low - 2 + step) % 13]


_RANKS = tuple(rank for rank in Rank if rank is not Rank.JOKER)


@dataclass(frozen=True, slots=True)
class Meld:
    """Cards that lie together. A run's cards are low end first, position i standing for rank ``low + i``.

    ``rank`` is set for sets, ``suit`` and ``low`` for runs, ``low`` for runs of any suits, ``suit`` for cards of one
    suit; the others are None.
    """

    kind: Kind
    cards: tuple[Card, ...]
    rank: Rank | None = None
    suit: Suit | None = None
    low: Rank | None = None

    @classmethod
    def set_of(cls, rank: Rank, cards: Sequence[Card]) -> "Meld":
        """A set of ``rank`` (G3.1); not checked, see ``meld_problems``."""
        return cls(Kind.SET, tuple(cards), rank=rank)

    @classmethod
    def run_from(cls, suit: Suit, low: Rank, cards: Sequence[Card]) -> "Meld":
        """A run of ``suit`` whose first card lies at ``low`` (G3.2); not checked."""
        return cls(Kind.RUN, tuple(cards), suit=suit, low=low)

    @classmethod
    def any_run_from(cls, low: Rank, cards: Sequence[Card]) -> "Meld":
        """A run whose suits do not matter; not checked."""
        return cls(Kind.ANYRUN, tuple(cards), low=low)

    @classmethod
    def colour_of(cls, suit: Suit, cards: Sequence[Card]) -> "Meld":
        """Cards of one suit, of any ranks; not checked."""
        return cls(Kind.COLOUR, tuple(cards), suit=suit)

    @property
    def size(self) -> int:
        """How many cards lie in it."""
        return len(self.cards)

    @property
    def high(self) -> Rank | None:
        """The rank of a run's last place; None for a set."""
        return None if self.low is None else rank_at(self.low, len(self.cards) - 1)

    def stands_for(self, position: int) -> Card:
        """What the card at ``position`` stands for: itself if natural (G3.6); in a set the suit is None for a wild.

        >>> from companion.referee.cards import parse_cards
        >>> Meld.run_from(Suit.SPADES, Rank.FOUR, parse_cards("4S 2H 6S")).stands_for(1)
        parse_card('5S')
        """
        if self.low is not None:
            return Card(rank_at(self.low, position), self.suit)
        card = self.cards[position]
        return card if not self.is_wild_at(position) else Card(self.rank or Rank.JOKER, self.suit)

    def places_of(self, card: Card) -> range:
        """Where in a run the card would lie as itself; nowhere in a set or in a run of another suit."""
        if self.low is None or (card.suit is not self.suit and self.suit is not None):
            return range(0)
        return range((card.rank - self.low) % 13, len(self.cards), 13)

    def is_wild_at(self, position: int) -> bool:
        """Whether the card at ``position`` stands for another card (G2.2, P2)."""
        card = self.cards[position]
        if self.low is None:
            return card.suit is not self.suit if self.rank is None else card.rank is not self.rank
        other_suit = self.suit is not None and card.suit is not self.suit
        return other_suit or card.rank != (self.low - 2 + position) % 13 + 2

    def wild_positions(self) -> tuple[int, ...]:
        """Where the wilds lie, lowest position first."""
        if self.low is None or self.suit is None:
            return tuple([i for i in range(len(self.cards)) if self.is_wild_at(i)])
        suit, start = self.suit, self.low - 2
        lies = enumerate(self.cards, start)
        return tuple([at - start for at, card in lies if card.suit is not suit or card.rank != at % 13 + 2])

    def __str__(self) -> str:
        return format_cards(self.cards)


def is_wild_card(card: Card, rules: Rules) -> bool:
    """Whether the card may stand for another (G2.2, P2).

    >>> from companion.referee.cards import parse_cards
    >>> from companion.referee.games import KATE
    >>> [is_wild_card(card, KATE) for card in parse_cards("2S 3S JK")]
    [True, False, True]
    """
    return rules.jokers_are_wild if card.rank is Rank.JOKER else card.rank in rules.wild_ranks


def is_natural_card(card: Card, rules: Rules) -> bool:
    """Whether the card may stand for itself: every card but a wild that never does (G2.2, P2).

    >>> from companion.referee.cards import parse_cards
    >>> from companion.referee.games import KATE
    >>> [is_natural_card(card, KATE) for card in parse_cards("2S 3S JK")]
    [False, True, False]
    """
    if card.rank is Rank.JOKER:
        return False
    return rules.natural_twos or card.rank not in rules.wild_ranks


def run_lows(length: int, rules: Rules) -> tuple[Rank, ...]:
    """The ranks a run of ``length`` cards may start at, lowest first (G2.1, P3); none where it is too long.

    >>> from companion.referee.games import KATE
    >>> [rank.symbol for rank in run_lows(10, KATE)], run_lows(13, KATE)
    (['3', '4', '5'], ())
    """
    return lows_of_runs(length, rules.ace, rules.natural_twos or rules.wild_places, rules.wild_ranks)


@lru_cache(maxsize=1024)
def lows_of_runs(length: int, ace: str, all_places: bool, wild_ranks: tuple[Rank, ...]) -> tuple[Rank, ...]:
    """The same as ``run_lows``, by the switches that decide it."""
    naturals = [rank for rank in Rank if rank and (all_places or rank not in wild_ranks)]
    if ace == "corner_endless":
        return tuple(naturals) if length > 0 and len(naturals) == 13 else ()
    if not 0 < length <= len(naturals) + (ace == "both_ends"):
        return ()
    if ace == "corner":
        return tuple(naturals) if len(naturals) == 13 else ()
    below = (Rank.ACE,) if ace in ("low", "either", "both_ends") and min(naturals) is Rank.TWO else ()
    top = max(rank for rank in naturals if rank is not Rank.ACE) if ace == "low" else Rank.ACE
    alone = (Rank.ACE,) if length == 1 and ace == "high" else ()
    return (*below, *(rank for rank in naturals if rank is not Rank.ACE and rank + length - 1 <= top), *alone)


def shape_problems(meld: Meld, rules: Rules) -> tuple[Problem, ...]:
    """Whether the cards are what the meld says at all: one rank, or one suit in sequence (G3.1, G3.2).

    >>> from companion.referee.cards import parse_cards
    >>> from companion.referee.games import KATE
    >>> [p.rule for p in shape_problems(Meld.set_of(Rank.NINE, parse_cards("9S 9H 8D")), KATE)]
    ['G3.1']
    """
    is_set, cards, unlike = meld.kind is Kind.SET, meld.cards, _UNLIKE[meld.kind]
    if meld.kind is Kind.RUN and meld.rank is None and meld.suit is None:
        return (_misfits(Reason.UNKNOWN_SUIT, meld, range(len(cards))),)
    if meld.kind not in (Kind.SET, Kind.RUN) and meld.kind not in rules.kinds:
        return (_misfits(unlike, meld, range(len(cards))),)  # no meld of this game
    if (meld.rank not in (None, Rank.JOKER), bool(meld.suit), bool(meld.low)) not in _SAID[meld.kind]:
        return (_misfits(unlike, meld, range(len(cards))),)  # no meld, whatever its cards (G3.6)
    if meld.kind in RUNS and meld.low not in run_lows(len(cards), rules):
        # how long a ring may be, no text says (P3)
        firmness = Firmness.SILENT if rules.ace == "corner" else Firmness.KATE
        return (Problem(Reason.RUN_OUT_OF_RANGE, "G3.2", {"meld": meld, **_run_faults(meld, rules)}, firmness),)
    if is_set and meld.rank in rules.wild_ranks and not rules.natural_twos:
        return _set_of_wilds(meld, rules)
    wrong = [i for i in meld.wild_positions() if not is_wild_card(cards[i], rules)]
    unknown = [i for i in wrong if cards[i].suit is None and cards[i].rank] if meld.suit else []
    if unknown:
        return (_misfits(Reason.UNKNOWN_SUIT, meld, unknown),)
    faults = _run_faults(meld, rules) if wrong and meld.kind is Kind.RUN else {}
    return (_misfits(unlike, meld, wrong, **faults),) if wrong else ()


def _set_of_wilds(meld: Meld, rules: Rules) -> tuple[Problem, ...]:
    """A set declared of a rank that never stands for itself (G2.2): as wilds alone it is a set of another rank (G3.3, G3.6)."""
    naturals = [at for at, card in enumerate(meld.cards) if not is_wild_card(card, rules)]
    if naturals:
        return (_misfits(Reason.NOT_A_SET, meld, naturals),)
    anything = next(rank for rank in Rank if is_natural_card(Card(rank, None), rules))
    limited = wild_limit_problems(replace(meld, rank=anything), rules)
    facts = {"meld": meld, "readings": set_readings(meld.cards, rules)}
    return limited or (Problem(Reason.AMBIGUOUS, "G3.6", facts, Firmness.LOGIC),)


_UNLIKE = {
    Kind.SET: Reason.NOT_A_SET, Kind.RUN: Reason.NOT_A_RUN, Kind.ANYRUN: Reason.NOT_A_RUN,
    Kind.COLOUR: Reason.NOT_ONE_SUIT, Kind.ALL: Reason.NOT_A_SET,
}  # fmt: skip
#: Whether a meld of the kind says its rank, its suit and its low; a run without a low is one that lies nowhere.
_SAID = {
    Kind.SET: ((True, False, False),), Kind.RUN: ((False, True, True), (False, True, False)),
    Kind.ANYRUN: ((False, False, True),), Kind.COLOUR: ((False, True, False),), Kind.ALL: (),
}  # fmt: skip


def _run_faults(meld: Meld, rules: Rules) -> Mapping[str, object]:
    naturals = [card for card in meld.cards if not is_wild_card(card, rules)]
    return run_faults(naturals, meld.suit, len(meld.cards) - len(naturals), rules.ace)


def _misfits(reason: Reason, meld: Meld, positions: Sequence[int], **more: object) -> Problem:
    """The cards at these places cannot be what they would have to be."""
    cards = tuple(meld.cards[i] for i in positions)
    facts = {"meld": meld, "positions": tuple(positions), "cards": cards, **more}
    return Problem(reason, "G3.1" if meld.kind is Kind.SET else "G3.2", facts)


def size_problems(meld: Meld, rules: Rules, slot: Slot) -> tuple[Problem, ...]:
    """Whether the meld has the slot's size (G3.2, G4.1, G4.3).

    >>> from companion.referee.cards import parse_cards
    >>> from companion.referee.games import KATE
    >>> size_problems(Meld.set_of(Rank.NINE, parse_cards("9S 9H")), KATE, KATE.contracts[0].slots[0])[0].rule
    'G4.1'
    """
    facts = {"meld": meld, "size": slot.size, "length": len(meld.cards)}
    if len(meld.cards) < slot.size:
        return (Problem(Reason.TOO_SHORT, "G4.1", facts),)
    if rules.lay_down_size == "exact" and len(meld.cards) > slot.size:
        return (Problem(Reason.TOO_LONG, "G4.3", facts, Firmness.SILENT, "lay_down_size"),)
    return ()


def meld_problems(
    meld: Meld, rules: Rules, slot: Slot | None = None, *, going_down: bool = True, least: int = SET_MINIMUM
) -> tuple[Problem, ...]:
    """Every fault of one meld at once (G3); with a ``slot`` also its size (G4.1, G4.3).

    Away from going down the wild limits are asked only where their scope is "always" (G3.4).

    >>> from companion.referee.cards import parse_cards
    >>> from companion.referee.games import KATE
    >>> [p.reason.name for p in meld_problems(Meld.set_of(Rank.NINE, parse_cards("9S 8H")), KATE)]
    ['NOT_A_SET', 'TOO_SHORT']
    """
    size = size_problems(meld, rules, slot) if slot else _minimum(meld, least)
    found = shape_problems(meld, rules) + size + wild_limit_problems(meld, rules, going_down=going_down)
    return cited(found, rules)


def _minimum(meld: Meld, least: int) -> tuple[Problem, ...]:
    """A meld that no contract asks for has three cards at least."""
    if len(meld.cards) >= least:
        return ()
    facts = {"meld": meld, "least": least, "length": len(meld.cards)}
    return (Problem(Reason.TOO_SHORT, "G3.1" if meld.kind is Kind.SET else "G3.2", facts, Firmness.LOGIC),)


def is_valid(meld: Meld, rules: Rules) -> bool:
    """Whether shape and wild limits hold, whatever its size (G3.1–G3.5).

    >>> from companion.referee.cards import parse_cards
    >>> from companion.referee.games import KATE
    >>> is_valid(Meld.set_of(Rank.NINE, parse_cards("9S 2H")), KATE), is_valid(Meld.set_of(Rank.NINE, parse_cards("9S 8H")), KATE)
    (True, False)
    """
    return not shape_problems(meld, rules) and limits_of(rules).allow_meld(meld)


def set_readings(cards: Sequence[Card], rules: Rules) -> tuple[Meld, ...]:
    """The sets these cards can be, by rank; more than one only where 2s may be natural too (P2) (G3.1).

    >>> from companion.referee.cards import parse_cards
    >>> from companion.referee.games import KATE
    >>> [meld.rank.symbol for meld in set_readings(parse_cards("9S 9H 2D"), KATE)]
    ['9']
    """
    fixed = {card.rank for card in cards if not is_wild_card(card, rules)}
    if len(fixed) > 1 or Rank.JOKER in fixed:
        return ()
    ranks = fixed or {card.rank for card in cards if is_natural_card(card, rules)} | set(declared_ranks(rules))
    melds = (Meld.set_of(rank, cards) for rank in sorted(ranks))
    return tuple(meld for meld in melds if is_valid(meld, rules))


def declared_ranks(rules: Rules) -> tuple[Rank, ...]:
    """The ranks that a set of wilds only may be declared as, where a meld needs no natural (G3.3).

    >>> from companion.referee.games import KATE
    >>> declared_ranks(KATE), len(declared_ranks(KATE.replace(min_naturals=0)))
    ((), 12)
    """
    if not limits_of(rules).only_wilds(Kind.SET):
        return ()
    return tuple(rank for rank in Rank if rank and (rules.natural_twos or rank not in rules.wild_ranks))

"""Melds: sets and runs with a position for every card, and every way cards can be one (G3, P2–P5).

A wild is any card that does not lie as itself: in a set a card of another rank, in a run a card that is
not the very card of its place. So a 2 that lies as the natural 2 of a run round the corner is no wild (P2).
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from operator import attrgetter

from companion.referee.cards import JOKER, Card, Rank, Suit, format_cards
from companion.referee.games import cited
from companion.referee.reasons import Firmness, Problem, Reason
from companion.referee.rules import Kind, Rules, Slot
from companion.referee.run_faults import run_faults
from companion.referee.wild_limits import limits_of, wild_limit_problems

RUN_MINIMUM = SET_MINIMUM = 3


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

    ``rank`` is set for sets, ``suit`` and ``low`` for runs; the others are None.
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
        return card if card.rank is self.rank else Card(self.rank or Rank.JOKER, None)

    def places_of(self, card: Card) -> range:
        """Where in a run the card would lie as itself; nowhere in a set or in a run of another suit."""
        if self.low is None or card.suit is not self.suit:
            return range(0)
        return range((card.rank - self.low) % 13, len(self.cards), 13)

    def is_wild_at(self, position: int) -> bool:
        """Whether the card at ``position`` stands for another card (G2.2, P2)."""
        card = self.cards[position]
        if self.low is None:
            return card.rank is not self.rank
        return card.suit is not self.suit or card.rank != (self.low - 2 + position) % 13 + 2

    def wild_positions(self) -> tuple[int, ...]:
        """Where the wilds lie, lowest position first."""
        if self.low is None:
            return tuple(i for i, card in enumerate(self.cards) if card.rank is not self.rank)
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
    return card.rank is Rank.JOKER or card.rank in rules.wild_ranks


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
    return lows_of_runs(length, rules.ace, rules.natural_twos, rules.wild_ranks)


@lru_cache(maxsize=1024)
def lows_of_runs(length: int, ace: str, natural_twos: bool, wild_ranks: tuple[Rank, ...]) -> tuple[Rank, ...]:
    """The same as ``run_lows``, by the switches that decide it."""
    naturals = [rank for rank in Rank if rank and (natural_twos or rank not in wild_ranks)]
    if not 0 < length <= len(naturals) + (ace == "both_ends"):
        return ()
    if ace == "corner":
        return tuple(naturals) if len(naturals) == 13 else ()
    below = (Rank.ACE,) if ace in ("low", "either", "both_ends") and min(naturals) is Rank.TWO else ()
    top = Rank.KING if ace == "low" else Rank.ACE
    alone = (Rank.ACE,) if length == 1 and ace == "high" else ()
    return (*below, *(rank for rank in naturals if rank is not Rank.ACE and rank + length - 1 <= top), *alone)


def shape_problems(meld: Meld, rules: Rules) -> tuple[Problem, ...]:
    """Whether the cards are what the meld says at all: one rank, or one suit in sequence (G3.1, G3.2).

    >>> from companion.referee.cards import parse_cards
    >>> from companion.referee.games import KATE
    >>> [p.rule for p in shape_problems(Meld.set_of(Rank.NINE, parse_cards("9S 9H 8D")), KATE)]
    ['G3.1']
    """
    is_set, cards = meld.kind is Kind.SET, meld.cards
    unlike = Reason.NOT_A_SET if is_set else Reason.NOT_A_RUN
    undeclared = meld.rank in (None, Rank.JOKER) or meld.suit or meld.low if is_set else meld.rank is not None
    if undeclared or (not is_set and meld.suit is None):  # no meld, whatever its cards (G3.6)
        return (_misfits(unlike if undeclared else Reason.UNKNOWN_SUIT, meld, range(len(cards))),)
    if not is_set and meld.low not in run_lows(len(cards), rules):
        firmness = (
            Firmness.SILENT if rules.ace == "corner" else Firmness.KATE
        )  # how long a ring may be, no text says (P3)
        return (Problem(Reason.RUN_OUT_OF_RANGE, "G3.2", {"meld": meld, **_run_faults(meld, rules)}, firmness),)
    if is_set and meld.rank in rules.wild_ranks and not rules.natural_twos:
        return _set_of_wilds(meld, rules)
    wrong = [i for i in meld.wild_positions() if not is_wild_card(cards[i], rules)]
    unknown = [] if is_set else [i for i in wrong if cards[i].suit is None]
    if unknown:
        return (_misfits(Reason.UNKNOWN_SUIT, meld, unknown),)
    faults = {} if is_set or not wrong else _run_faults(meld, rules)
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
    meld: Meld, rules: Rules, slot: Slot | None = None, *, going_down: bool = True
) -> tuple[Problem, ...]:
    """Every fault of one meld at once (G3); with a ``slot`` also its size (G4.1, G4.3).

    Away from going down the wild limits are asked only where their scope is "always" (G3.4).

    >>> from companion.referee.cards import parse_cards
    >>> from companion.referee.games import KATE
    >>> [p.reason.name for p in meld_problems(Meld.set_of(Rank.NINE, parse_cards("9S 8H")), KATE)]
    ['NOT_A_SET', 'TOO_SHORT']
    """
    size = size_problems(meld, rules, slot) if slot else _minimum(meld)
    limited = going_down or rules.wild_limit_scope == "always"
    return cited(shape_problems(meld, rules) + size + (wild_limit_problems(meld, rules) if limited else ()), rules)


def _minimum(meld: Meld) -> tuple[Problem, ...]:
    """A meld that no contract asks for has three cards at least."""
    if len(meld.cards) >= SET_MINIMUM:
        return ()
    facts = {"meld": meld, "least": SET_MINIMUM, "length": len(meld.cards)}
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


def _suits(cards: Sequence[Card], rules: Rules) -> list[Suit]:
    """The suits a run of these cards may have if none is fixed by a card that cannot be wild."""
    if limits_of(rules).only_wilds(Kind.RUN):
        return list(Suit)
    return sorted({card.suit for card in cards if card.suit and is_natural_card(card, rules)}, key=attrgetter("value"))


def run_readings(cards: Sequence[Card], rules: Rules) -> tuple[Meld, ...]:
    """Every run these cards can be in any order, lowest start first (G3.6).

    >>> from companion.referee.cards import parse_cards
    >>> from companion.referee.games import KATE
    >>> [str(meld) for meld in run_readings(parse_cards("QS 2H AS KS"), KATE)]
    ['2H QS KS AS']
    """
    fixed = [card for card in cards if not is_wild_card(card, rules)]
    suits = {card.suit for card in fixed}
    if len(suits) > 1 or None in suits or len(set(fixed)) + (rules.ace == "both_ends") < len(fixed):
        return ()
    runs: dict[Meld, None] = {}
    for suit in suits or _suits(cards, rules):
        for low in run_lows(len(cards), rules):
            runs.update(dict.fromkeys(_runs_at(cards, fixed, suit, low, rules)))
    return tuple(meld for meld in runs if is_valid(meld, rules))


def _runs_at(cards: Sequence[Card], fixed: list[Card], suit: Suit | None, low: Rank, rules: Rules) -> Iterator[Meld]:
    if suit is None:
        return
    places = [Card(rank_at(low, i), suit) for i in range(len(cards))]
    if not set(fixed) <= set(places):
        return
    wilds = [card for card in cards if is_wild_card(card, rules)]
    jokers = [card for card in wilds if card.rank is Rank.JOKER]
    twos = sorted((card for card in wilds if card.rank is not Rank.JOKER), key=str)
    for open_places in _open_places(places, fixed):
        if len(open_places) != len(wilds):
            continue  # a card twice that has one place
        for at in combinations(open_places, len(jokers)):
            for order in _orders(twos, [places[i] for i in open_places if i not in at], rules):
                rest = iter(order)
                open_cards = {i: JOKER if i in at else next(rest) for i in open_places}
                yield Meld.run_from(suit, low, [open_cards.get(i, place) for i, place in enumerate(places)])


def _open_places(places: list[Card], fixed: list[Card]) -> list[list[int]]:
    """The places left for wilds; two choices where one ace could lie at either end of a run of fourteen (G2.1)."""
    open_places = [i for i, place in enumerate(places) if place not in fixed]
    if len(places) > 13 and fixed.count(places[0]) == 1:
        return [[0, *open_places], [*open_places, len(places) - 1]]
    return [open_places]


def _orders(twos: list[Card], places: list[Card], rules: Rules) -> Iterator[list[Card]]:
    """The 2s in these places: where one could lie as itself it does, and in a second way another 2 lies there (P2)."""
    at = next((i for i, place in enumerate(places) if place in twos), None)
    if at is None or not rules.natural_twos:
        yield twos
        return
    for first in (places[at], *[two for two in twos if two != places[at]][:1]):
        rest = list((Counter(twos) - Counter([first])).elements())
        yield [*rest[:at], first, *rest[at:]]


def readings(cards: Sequence[Card], rules: Rules) -> tuple[Meld, ...]:
    """Every way the cards are one meld of three or more, sets first (G3.6).

    >>> from companion.referee.cards import parse_cards
    >>> from companion.referee.games import KATE
    >>> [str(meld) for meld in readings(parse_cards("4S 6S 2H"), KATE)]
    ['4S 2H 6S']
    """
    if len(cards) < SET_MINIMUM:
        return ()
    return set_readings(cards, rules) + run_readings(cards, rules)


def readings_in_order(cards: Sequence[Card], rules: Rules) -> tuple[Meld, ...]:
    """The runs the cards are in the very order they lie, low end first (G3.6).

    >>> from companion.referee.cards import parse_cards
    >>> from companion.referee.games import KATE
    >>> [meld.low.symbol for meld in readings_in_order(parse_cards("4S 2H 6S"), KATE)]
    ['4']
    >>> readings_in_order(parse_cards("QS KS AS 2H"), KATE)
    ()
    """
    runs = (Meld.run_from(suit, low, cards) for suit in _suits(cards, rules) for low in run_lows(len(cards), rules))
    return tuple(run for run in runs if len(cards) >= RUN_MINIMUM and is_valid(run, rules))

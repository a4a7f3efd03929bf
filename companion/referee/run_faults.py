"""What is wrong with the naturals of a run that is none: what is missing, what is double, where the ace is (G2.1, G3.2)."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from companion.referee.cards import Card, Rank, Suit

Facts = dict[str, object]


def run_faults(naturals: Sequence[Card], suit: Suit | None, wilds: int, ace: str) -> Facts:
    """The facts of a refused run: ``others``, ``double``, ``missing`` with ``wilds`` that are too few, ``ace`` out of place.

    What does not apply is left out. ``ace`` is the switch of that name.

    >>> from companion.referee.cards import parse_cards
    >>> run_faults(parse_cards("4S 5S 7S 8S 8S"), Suit.SPADES, 0, "high")
    {'double': (parse_card('8S'),), 'missing': (parse_card('6S'),), 'wilds': 0}
    >>> run_faults(parse_cards("AS 3S 4S"), Suit.SPADES, 0, "high")
    {'ace': 'high'}
    """
    counts = Counter(naturals)
    others = tuple(card for card in counts if card.suit is not suit)
    twice = Rank.ACE if ace == "both_ends" else None
    double = tuple(card for card in counts if card.suit is suit and counts[card] > 1 + (card.rank is twice))
    ranks = {card.rank for card in counts if card.suit is suit}
    missing = _missing(ranks, ace)
    facts: Facts = {"others": others, "double": double}
    if Rank.ACE in ranks and len(_missing(ranks, "corner")) < len(missing):
        facts["ace"] = ace
    elif len(missing) > wilds:
        facts |= {"missing": tuple(Card(rank, suit) for rank in missing), "wilds": wilds}
    return {name: fact for name, fact in facts.items() if fact != ()}


def _missing(ranks: set[Rank], ace: str) -> list[Rank]:
    """The ranks between the first and the last, with the ace where fewest are missing."""
    row = [rank for rank in Rank if rank]
    low = [Rank.ACE, *row[:-1]]
    corner = [row[at:] + row[:at] for at in range(len(row))]
    rows = {"high": [row], "low": [low], "corner": corner, "corner_endless": corner}.get(ace, [row, low])
    return min((_between(ranks, row) for row in rows), key=len)


def _between(ranks: set[Rank], row: Sequence[Rank]) -> list[Rank]:
    at = [place for place, rank in enumerate(row) if rank in ranks]
    return [row[place] for here, there in pairwise(at) for place in range(here + 1, there)]

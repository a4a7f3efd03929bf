"""Tallies: how many of each card, as one number that can be added, taken away and compared at once.

Each place (a rank, or a cell of ``arranging``) has eight bits for its count, and a ninth that shows when a count
would fall below nothing.
"""

_BITS = 9


def one(place: int) -> int:
    """The tally of a single card.

    >>> contains(one(3) + one(3) + one(7), one(3) + one(7), guards(10))
    True
    """
    return 1 << _BITS * place


def count(have: int, place: int) -> int:
    """How many of that card.

    >>> count(one(3) + one(3), 3), count(one(3), 4)
    (2, 0)
    """
    return have >> _BITS * place & (1 << _BITS - 1) - 1


def guards(places: int) -> int:
    """The ninth bits of so many places, for ``contains``."""
    return sum(one(place) << _BITS - 1 for place in range(places))


def contains(have: int, wanted: int, guards: int) -> bool:
    """Whether one tally holds the other, card by card.

    >>> contains(one(3), one(3) + one(3), guards(10)), contains(one(4), one(3), guards(10))
    (False, False)
    """
    return (have + guards - wanted) & guards == guards

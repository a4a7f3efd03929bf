"""Grebber at the table: what a hand counts, the check of sixty, requests and Grebs (K3–K10)."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from companion.referee.kruth import (
    DECK,
    SUM,
    KruthCard,
    KruthRank,
    KruthSuit,
    Laid,
    arrange,
    kruth_points,
    laid_problems,
)
from companion.referee.reasons import Firmness, Problem, Reason, refuse
from companion.referee.rules import Rules

#: What no runs and triplets of the deck make together, and what only four of a rank help to (K3).
_NO_MELDS_MAKE = frozenset({1, 2, 5, 7})
_FOUR_MAKE = frozenset({4, 8, 11})


@dataclass(frozen=True, slots=True)
class Count:
    """What a player has at the end of a hand (K3): the points of cards laid and of cards held, as they were counted.

    ``laid`` and ``held`` are physical cards; the cards themselves are empty where nobody entered them. ``wilds`` are
    the cards that a used wild stands for, which score outside the check (K10).
    """

    seat: int
    laid: int
    held: int
    laid_cards: tuple[KruthCard, ...] = ()
    held_cards: tuple[KruthCard, ...] = ()
    wilds: tuple[KruthCard, ...] = ()

    @property
    def score(self) -> int:
        """Points laid less points held; may be negative (K3)."""
        return self.laid + kruth_points(self.wilds) - self.held


def sums(counts: Collection[Count]) -> tuple[int, int]:
    """All the points laid and all the points held, in physical cards (K4, K10).

    >>> sums([Count(0, 12, 4), Count(1, 0, 9)])
    (12, 13)
    """
    return sum(count.laid for count in counts), sum(count.held for count in counts)


def count_problems(
    counts: Sequence[Count], rules: Rules, *, undrawn: int | None = None, wilds: int = 0
) -> tuple[Problem, ...]:
    """Everything wrong with the counts of a hand (K3, K4): each player's cards, then the check of sixty.

    ``undrawn`` are the points of the cards nobody drew, where somebody counted them; ``wilds`` is how many cards were
    turned up as wilds, whose own points are in none of the sums (K10).

    >>> from companion.referee.games import GREBBER
    >>> [p.reason.name for p in count_problems([Count(0, 40, 9), Count(1, 12, 0)], GREBBER)]
    ['KRUTH_SUM']
    """
    own = tuple(problem for count in counts for problem in _count_problems(count, rules))
    return own + _twice(counts) + _sum_problems(counts, undrawn, wilds)


def _count_problems(count: Count, rules: Rules) -> tuple[Problem, ...]:
    problems: tuple[Problem, ...] = ()
    for points in (count.laid, count.held):
        if points < 0:
            problems += refuse(Reason.NEGATIVE_POINTS, "K3", Firmness.TEXT, points=points)
    if count.wilds and not rules.gambling:
        problems += refuse(Reason.GAMBLING_OFF, "K6", Firmness.TEXT, rests_on="gambling")
    for points, cards in ((count.laid, count.laid_cards), (count.held, count.held_cards)):
        if cards and points != kruth_points(cards):
            counts = kruth_points(cards)
            problems += refuse(Reason.KRUTH_POINTS, "K1", Firmness.TEXT, cards=cards, points=counts, entered=points)
    if count.laid_cards:
        problems += laid_problems(count.laid_cards, rules, count.wilds)
    else:
        problems += _number_problems(count, rules)
    return tuple(problem.with_facts(seat=count.seat) for problem in problems)


def _number_problems(count: Count, rules: Rules) -> tuple[Problem, ...]:
    """A number of points laid that no melds make (K3). Beside a wild any may stand that its meld has room for."""
    points = count.laid
    if count.wilds:
        least = sum(map(_least_beside, count.wilds))
        alone = refuse(Reason.KRUTH_WILD_ALONE, "K10", Firmness.TEXT, cards=count.wilds, least=least, points=points)
        return alone if points < least else ()
    if points in _NO_MELDS_MAKE:
        return refuse(Reason.KRUTH_NOTHING_LAID, "K3", Firmness.TEXT, points=points)
    if points in _FOUR_MAKE and not rules.four_of_a_rank:
        return refuse(Reason.KRUTH_NOTHING_LAID, "K3", Firmness.SILENT, rests_on="four_of_a_rank", points=points)
    return ()


def _least_beside(wild: KruthCard) -> int:
    """The fewest points of the two cards that a wild has beside it at least: of a run, or of its rank."""
    runs = (3 * (low + 1) - wild.points for low in range(max(0, wild.points - 2), min(wild.points, 3) + 1))
    return min(2 * wild.points, *runs)


def _twice(counts: Sequence[Count]) -> tuple[Problem, ...]:
    """Cards that lie in two places (K1), each told to the player who was entered last."""
    seen: set[KruthCard] = set()
    problems: tuple[Problem, ...] = ()
    for count in counts:
        cards = (*count.laid_cards, *count.held_cards)
        again = dict.fromkeys(card for place, card in enumerate(cards) if card in seen or card in cards[:place])
        seen.update(cards)
        if again:
            problems += refuse(Reason.KRUTH_TWICE, "K1", Firmness.TEXT, cards=tuple(again), seat=count.seat)
    return problems


def _sum_problems(counts: Sequence[Count], undrawn: int | None, wilds: int) -> tuple[Problem, ...]:
    laid, held = sums(counts)
    facts: dict[str, Any] = {"laid": laid, "held": held, "total": laid + held, "limit": SUM}
    if laid + held > SUM:
        return refuse(Reason.KRUTH_SUM, "K4", Firmness.TEXT, **facts)
    if undrawn is None:
        return ()
    total = laid + held + undrawn
    if SUM - wilds * KruthRank.KING <= total <= SUM:
        return ()
    return refuse(Reason.KRUTH_UNDRAWN, "K4", Firmness.TEXT, **facts | {"undrawn": undrawn, "total": total})


# --- the referee's answers --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Request:
    """Which of the cards a player holds answer a request, and how many of them go over (K7)."""

    matching: tuple[KruthCard, ...]
    gives: int

    @property
    def is_silent(self) -> bool:
        """Whether the number rests on the table's ruling: the text says only that one who has such a card gives."""
        return len(self.matching) > 1


def request_problems(suit: KruthSuit | None, rank: KruthRank | None) -> tuple[Problem, ...]:
    """A request names a suit or a rank, never both, and one of them (K7).

    >>> [p.reason.name for p in request_problems(KruthSuit.SUN, KruthRank.KING)]
    ['REQUEST_BOTH']
    """
    if suit is not None and rank is not None:
        return refuse(Reason.REQUEST_BOTH, "K7", Firmness.TEXT, suit=suit.value, rank=int(rank))
    return () if suit is not None or rank is not None else refuse(Reason.REQUEST_NOTHING, "K7", Firmness.TEXT)


def request(
    held: Collection[KruthCard], rules: Rules, suit: KruthSuit | None = None, rank: KruthRank | None = None
) -> Request:
    """Whether who is asked has to give (K7); what is given is not drawn again.

    >>> from companion.referee.kruth import parse_kruths
    >>> from companion.referee.games import GREBBER
    >>> request(parse_kruths("0sun 5sun 5wind"), GREBBER, suit=KruthSuit.SUN).gives
    1
    """
    matching = tuple(card for card in DECK if card in held and (card.suit is suit or card.rank is rank))
    return Request(matching, len(matching) if rules.request_gives == "all" else min(1, len(matching)))


@dataclass(frozen=True, slots=True)
class Greb:
    """What somebody who says Greb does: ``draws`` "one" or "until_meld" (K9); ``found`` is what they can lay as they are."""

    found: Laid
    draws: str


def greb(held: Collection[KruthCard], rules: Rules) -> Greb:
    """On "Greb": who holds a run or triplet draws one card and lays; who does not draws until one can be laid (K9).

    >>> from companion.referee.kruth import parse_kruths
    >>> from companion.referee.games import GREBBER
    >>> greb(parse_kruths("0sun 1sun 2sun"), GREBBER).draws, greb(parse_kruths("0sun 1sun 3sun"), GREBBER).draws
    ('one', 'until_meld')
    """
    laid = arrange(held, rules)
    return Greb(laid, "one" if laid.melds else rules.greb_draws)


def refill(held: int, rules: Rules, *, first_laying: bool) -> int:
    """How many cards are drawn after laying: up to six again during the first laying, none later (K8).

    >>> from companion.referee.games import GREBBER
    >>> refill(3, GREBBER, first_laying=True), refill(3, GREBBER, first_laying=False)
    (3, 0)
    """
    return max(0, rules.hand_size - held) if first_laying else 0

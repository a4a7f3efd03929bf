"""Grebber at the table: what a hand counts, the check of sixty, requests and Grebs (K3–K10)."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

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
from companion.referee.reasons import Firmness, Problem, Reason
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


def most_undrawn(counts: Collection[Count]) -> int:
    """The points that are left for the cards nobody drew; below 0 something is entered wrongly (K4).

    >>> most_undrawn([Count(0, 12, 4), Count(1, 0, 9)])
    35
    """
    return SUM - sum(sums(counts))


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
    facts = {"seat": count.seat}
    below = tuple(
        _problem(Reason.NEGATIVE_POINTS, "K3", points=points, **facts)
        for points in (count.laid, count.held)
        if points < 0
    )
    if count.wilds and not rules.gambling:
        below += (Problem(Reason.GAMBLING_OFF, "K6", MappingProxyType(facts), Firmness.TEXT, "gambling"),)
    if count.laid_cards:
        laid = laid_problems(count.laid_cards, rules, count.wilds)
        return below + tuple(_of_seat(problem, count.seat) for problem in laid)
    return below + _number_problems(count, rules)


def _number_problems(count: Count, rules: Rules) -> tuple[Problem, ...]:
    """A number of points laid that no melds make (K3). Beside a wild any may stand that its meld has room for."""
    facts = {"points": count.laid, "seat": count.seat}
    if count.wilds:
        least = sum(map(_least_beside, count.wilds))
        alone = _problem(Reason.KRUTH_WILD_ALONE, "K10", cards=count.wilds, least=least, **facts)
        return (alone,) if count.laid < least else ()
    if count.laid in _NO_MELDS_MAKE:
        return (_problem(Reason.KRUTH_NOTHING_LAID, "K3", **facts),)
    if count.laid in _FOUR_MAKE and not rules.four_of_a_rank:
        reason, switch = Reason.KRUTH_NOTHING_LAID, "four_of_a_rank"
        return (Problem(reason, "K3", MappingProxyType(facts), Firmness.SILENT, switch),)
    return ()


def _least_beside(wild: KruthCard) -> int:
    """The fewest points of the two cards that a wild has beside it at least: of a run, or of its rank."""
    runs = (3 * (low + 1) - wild.points for low in range(max(0, wild.points - 2), min(wild.points, 3) + 1))
    return min(2 * wild.points, *runs)


def _of_seat(problem: Problem, seat: int) -> Problem:
    return replace(problem, facts=MappingProxyType({**problem.facts, "seat": seat}))


def _twice(counts: Sequence[Count]) -> tuple[Problem, ...]:
    """Cards that lie in two places (K1), each told to the player who was entered last."""
    seen: set[KruthCard] = set()
    problems: list[Problem] = []
    for count in counts:
        cards = (*count.laid_cards, *count.held_cards)
        again = tuple(card for place, card in enumerate(cards) if card in seen or card in cards[:place])
        seen.update(cards)
        if again:
            problems.append(_problem(Reason.KRUTH_TWICE, "K1", cards=tuple(dict.fromkeys(again)), seat=count.seat))
    return tuple(problems)


def _sum_problems(counts: Sequence[Count], undrawn: int | None, wilds: int) -> tuple[Problem, ...]:
    laid, held = sums(counts)
    facts = {"laid": laid, "held": held, "total": laid + held, "limit": SUM}
    if laid + held > SUM:
        return (_problem(Reason.KRUTH_SUM, "K4", **facts),)
    if undrawn is None:
        return ()
    total = laid + held + undrawn
    if SUM - wilds * KruthRank.KING <= total <= SUM:
        return ()
    return (_problem(Reason.KRUTH_UNDRAWN, "K4", **{**facts, "undrawn": undrawn, "total": total}),)


def _problem(reason: Reason, rule: str, **facts: object) -> Problem:
    return Problem(reason, rule, MappingProxyType(facts), Firmness.TEXT)


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
        return (_problem(Reason.REQUEST_BOTH, "K7", suit=suit.value, rank=int(rank)),)
    return () if suit is not None or rank is not None else (_problem(Reason.REQUEST_NOTHING, "K7"),)


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
    found = arrange(held, rules)
    return Greb(found, "one" if found.melds else rules.greb_draws)


def refill(held: int, rules: Rules, *, first_laying: bool) -> int:
    """How many cards are drawn after laying: up to six again during the first laying, none later (K8).

    >>> from companion.referee.games import GREBBER
    >>> refill(3, GREBBER, first_laying=True), refill(3, GREBBER, first_laying=False)
    (3, 0)
    """
    return max(0, rules.hand_size - held) if first_laying else 0

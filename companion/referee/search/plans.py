"""What a contract and the rules ask of a search, worked out once for many hands (G4.2)."""

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from itertools import pairwise
from operator import attrgetter

from companion.referee.cards import Card, Rank, Suit
from companion.referee.melds import Meld, declared_ranks
from companion.referee.rules import Contract, Kind, Rules
from companion.referee.search.every_card import all_but_one_lie, every_card_lies
from companion.referee.search.matching import CELLS_OF_RANK, WIDTH, Shape
from companion.referee.search.places import fill_places, needs_places
from companion.referee.search.windows import run_windows
from companion.referee.wild_limits import WildLimits, limits_of

RANKS = range(Rank.TWO, Rank.ACE + 1)
#: The bits of each suit.
ROWS = tuple(((1 << WIDTH) - 1) << WIDTH * row for row in range(len(Suit)))


class Plan:
    """All that a search needs of a contract and the rules, worked out once for many hands."""

    def __init__(self, contract: Contract, rules: Rules) -> None:
        self.rules, self.limits = rules, limits_of(rules)
        #: Another search, where this contract or these rules are beyond the one that goes by masks.
        self.instead = _other_search(contract, rules)
        self.order, self.wanted = contract.runs_first, contract.cards_needed
        slots = [contract.slots[at] for at in self.order]
        self.sizes = [slot.size for slot in slots]
        #: By slot whether the next one is alike, so that both are filled in order.
        self.alike = [*(here == after for here, after in pairwise(slots)), False]
        #: Whether runs of one suit may have to lie apart: then a longer one may be of use.
        self.nearness = rules.same_suit_runs not in ("allowed", "forbidden")
        self.windows = [
            run_windows(slot.size, rules, every_length=self.nearness) for slot in slots if slot.kind is Kind.RUN
        ]
        self.runs, self.sets = len(self.windows), len(slots) - len(self.windows)
        self.shapes = [{rank: _set_shape(rank, size, self.limits) for rank in RANKS} for size in self.sizes]
        self.set_sizes, self.set_shapes = self.sizes[self.runs :], self.shapes[self.runs :]
        self.set_places = sum(self.set_sizes)
        self.wild = frozenset((*([Rank.JOKER] if rules.jokers_are_wild else []), *rules.wild_ranks))
        self.most_wilds = rules.max_wilds_laid
        self.natural_twos = rules.natural_twos
        self.runs_clash, self.one_rank_once = rules.same_suit_runs != "allowed", rules.same_rank_sets == "forbidden"
        #: Whether a run may take two copies of a card.
        self.takes_twice = any(window.takes_twice for windows in self.windows for window in windows)
        self.blank = declared_ranks(rules)
        #: By run slot and suit the windows that naturals fit; none where these are not all of one size.
        self.fits = [() if rules.natural_twos else _fits_of(windows) for windows in self.windows]


_Fits = Callable[[int], list[int]]


def _fits_of(windows: Sequence[Shape]) -> tuple[_Fits, ...]:
    """By suit, for the mask of naturals the windows with enough of them: 256 × wilds + number of the window."""
    if any(window.size != windows[0].size or window.takes_twice for window in windows):
        return ()

    def fits(row: int, naturals: int) -> list[int]:
        return [
            window.size - have << 8 | number
            for number, window in enumerate(windows)
            if window.mask & row and (have := (window.mask & naturals).bit_count()) >= window.needs
        ]

    return tuple(lru_cache(maxsize=500)(partial(fits, row)) for row in ROWS)


_Search = Callable[[Sequence[Card], Contract, Rules], tuple[Meld, ...] | None]


def _other_search(contract: Contract, rules: Rules) -> _Search | None:
    if rules.all_at_once:
        return every_card_lies
    if contract.is_everything:
        return all_but_one_lie
    return fill_places if needs_places(contract, rules) else None


#: The rules that a plan reads beside the limits.
_values_of = attrgetter(
    "ace", "natural_twos", "wild_ranks", "wild_places", "jokers_are_wild", "max_wilds_laid", "lay_down_size",
    "same_suit_runs", "same_rank_sets", "all_at_once",
)  # fmt: skip
_same: dict[tuple[object, ...], Plan] = {}
#: By the ids of a contract, of rules and of their limits the plan, and these three, so that the ids stay theirs.
_known: dict[tuple[int, int, int], tuple[Plan, Contract, Rules, WildLimits]] = {}
_MOST_PLANS = 500


def plan_of(contract: Contract, rules: Rules) -> Plan:
    """The plan of these two: first by which objects they are, for to compare what they hold takes longer than a search."""
    limits = limits_of(rules)
    ids = id(contract), id(rules), id(limits)
    if known := _known.get(ids):
        return known[0]
    for kept in (_known, _same):
        if len(kept) >= _MOST_PLANS:
            kept.clear()
    held = contract, limits, _values_of(rules)
    plan = _same.get(held) or _same.setdefault(held, Plan(contract, rules))
    _known[ids] = plan, contract, rules, limits
    return plan


@lru_cache(maxsize=500)
def _set_shape(rank: int, size: int, limits: WildLimits) -> Shape:
    return Shape(Kind.SET, size, CELLS_OF_RANK[rank], limits.fewest_naturals(Kind.SET, size), Rank(rank))

"""The best end of a turn once down: lay off, replace, discard, in games whose wilds are never natural (G6–G8).

Cards of different suits meet in three things only: the wilds in hand, the sets, and the one card thrown. So for each
card that could be thrown, and for none, every suit is worked out by itself: its runs can end in so many ways, each of
which uses some naturals and some wilds, and what is left goes to sets or stays. Then the suits are put together over
the wilds they share. Where freed wilds come to hand (G8.5) they are freed first, so they are shared like the others.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import product
from typing import NamedTuple

from companion.referee.cards import Card, Suit
from companion.referee.melds import is_wild_card
from companion.referee.rules import Rules
from companion.referee.search.run_states import WILD, RunState, RunStates, contains_ranks, ranks_in, without
from companion.referee.search.set_room import SetRoom
from companion.referee.search.tallies import one
from companion.referee.search.turns import ENDS, WORST, MeldInPlay, Score, Steps


class _Run(NamedTuple):
    states: RunStates
    open: bool
    forbids: bool


class _Suit(NamedTuple):
    """What the runs of a suit may use, and what has to be kept."""

    have: int  # a tally of its naturals
    wilds: int
    kept: int | None  # the card to be thrown: the rank of one of its naturals, WILD, or None for neither
    frugal: bool  # whether a wild saved is always worth it

    @property
    def spare(self) -> int:
        """The naturals that may be laid off."""
        return without(self.have, self.kept)


#: The naturals (a tally) and the wilds that runs use.
_Use = tuple[int, int]
#: What stays in hand, points first and then cards, by the wilds used and the ranks put on sets (these only where they
#: make room for wilds there).
_Left = tuple[int, int]
_Ends = dict[tuple[int, tuple[int, ...]], _Left]


class SuitSolver:
    """Answers for many hands and tables of one question; what is worked out for a suit is kept for the next."""

    def __init__(self, rules: Rules, steps: Steps) -> None:
        self.rules, self.steps = rules, steps
        self.best_seen = WORST
        #: What a run can become: one and the same object for a meld.
        self.states = cache(lambda meld: RunStates(meld, rules))
        self._uses_of = cache(self._find_uses)
        self._reachable: dict[tuple[RunStates, int, int], dict[RunState, _Use]] = {}
        self._ends: dict[object, _Ends] = {}

    def turn(self, hand: Sequence[Card], table: Sequence[MeldInPlay], than: Score) -> Score | None:
        """The best end of the turn from here, if it is better than that."""
        self.steps.take(20)
        question, best, floor = _Question(self, hand, table), None, 0
        for thrown, value in question.candidates():
            if floor - value > than[0]:
                break
            left = question.least_left(thrown)
            if thrown is None and left is not None:
                floor = left[0]
            if left is not None and (score := question.score(thrown, left)) < than:
                best = than = self.best_seen = score
        return best

    def ends(self, runs: Sequence[_Run], suit: _Suit, sets: SetRoom) -> _Ends:
        """How the suit can end: for each use of its runs what is left of it, and naturals that a set takes go there."""
        taken = tuple(rank for rank, _ in ranks_in(suit.have) if sets.takes(rank))
        key = (tuple(runs), suit, taken, sets.marking)
        if key not in self._ends:
            ends: _Ends = {}
            for used, wilds in self._uses_together(runs, suit):
                self.steps.take(4)
                points = cards = 0
                marks: list[int] = []
                for rank, count in ranks_in(suit.spare - used):
                    if rank in taken:
                        marks += sets.marks(rank, count)
                    else:
                        points, cards = points + count * self.rules.value(Card(rank, None)), cards + count
                end = (wilds, tuple(sorted(marks)))
                ends[end] = min(ends.get(end, (points, cards)), (points, cards))
            self._ends[key] = ends
        return self._ends[key]

    def _uses_together(self, runs: Sequence[_Run], suit: _Suit) -> Sequence[_Use]:
        spare, uses = suit.spare, [(0, 0)]
        for run in runs:
            self.steps.take(len(uses) * len(self._uses_of(run, suit)))
            both = {
                (used + more, wilds + spent)
                for (used, wilds), (more, spent) in product(uses, self._uses_of(run, suit))
                if wilds + spent <= suit.wilds
            }
            uses = [use for use in both if contains_ranks(spare, use[0])]
            if suit.frugal:
                uses = _fewest_wilds(uses)
        return uses

    def _find_uses(self, run: _Run, suit: _Suit) -> list[_Use]:
        """The uses by which the run can end so that it does not take the card that is kept."""
        states, spare, shunned = run.states, suit.spare, suit.kept if run.forbids else None
        uses: set[_Use] = set()
        for state, use in self._reached(run, suit).items():
            self.steps.take(1)
            if use in uses or not contains_ranks(spare, use[0]):
                continue
            if shunned is None or not states.takes(state, shunned):
                uses.add(use)
        return _fewest_wilds(uses) if suit.frugal else list(uses)

    def _reached(self, run: _Run, suit: _Suit) -> dict[RunState, _Use]:
        if not run.open:
            return {run.states.start: (0, 0)}
        key = (run.states, suit.have, suit.wilds)
        if key not in self._reachable:
            self._reachable[key] = run.states.reachable(suit.have, suit.wilds, self.steps)
        return self._reachable[key]


class _Question:
    """One hand and table."""

    def __init__(self, solver: SuitSolver, hand: Sequence[Card], table: Sequence[MeldInPlay]) -> None:
        self.solver, self.rules, self.hand = solver, solver.rules, hand
        self.sets = SetRoom([in_play for in_play in table if in_play.meld.rank is not None], self.rules)
        self.runs: dict[Suit | None, list[_Run]] = defaultdict(list)
        for meld, is_open, forbids in table:
            if meld.rank is None:
                self.runs[meld.suit].append(_Run(solver.states(meld), is_open, forbids))
        self.have: dict[Suit | None, int] = dict.fromkeys(self.runs, 0)
        for card in hand:
            if not is_wild_card(card, self.rules):
                self.have[card.suit] = self.have.get(card.suit, 0) + one(card.rank)
        freed = sum(run.states.replaceable for runs in self.runs.values() for run in runs if run.open)
        self.freed = freed if self.rules.freed_wild != "end" else 0
        self.wilds = sum(is_wild_card(card, self.rules) for card in hand)
        cards = (*hand, *(card for in_play in table for card in in_play.meld.cards))
        self.wild = next((card for card in cards if is_wild_card(card, self.rules)), None)  # all are worth the same

    def candidates(self) -> Iterator[tuple[Card | None, int]]:
        """No card, and each that no set forbids to throw, the dearest first; with its points."""
        yield None, 0
        throwable = {card: self.rules.value(card) for card in self.hand}
        if self.wild and self.freed:
            throwable.setdefault(self.wild, self.rules.value(self.wild))
        for card in sorted(throwable, key=lambda card: -throwable[card]):
            wild = is_wild_card(card, self.rules)
            if self.rules.wild_discards if wild else not self.sets.forbids(card.rank):
                yield card, throwable[card]

    def least_left(self, thrown: Card | None) -> _Left | None:
        """The least that can stay if this card is the one thrown; None where it may not be."""
        throws_wild = thrown is not None and is_wild_card(thrown, self.rules)
        frugal, most = not throws_wild and self.sets.endless, self.wilds + self.freed
        ends: _Ends = {(0, ()): (0, 0)}
        for suit, have in self.have.items():
            kept = WILD if throws_wild else int(thrown.rank) if thrown and thrown.suit is suit else None
            runs = self.runs.get(suit, [])
            others = self.solver.ends(runs, _Suit(have, most, kept, frugal), self.sets)
            self.solver.steps.take(5 + len(ends) * len(others))
            ends = _together(ends, others, most)
        finished = (self._finish(*key, left, throws_wild) for key, left in ends.items())
        return min((left for left in finished if left is not None), default=None)

    def score(self, thrown: Card | None, left: _Left) -> Score:
        """How good that end is."""
        points, cards = left
        floats = thrown is None and self.rules.must_discard_to_go_out
        return points, ENDS.index("hold" if cards else "float" if floats else "out")

    def _finish(self, used: int, marks: tuple[int, ...], left: _Left, throws_wild: bool) -> _Left | None:
        """The wilds that are left go to sets as far as there is room; the others stay."""
        rest = self.wilds - used - throws_wild
        stay = self.sets.wilds_left(rest, marks, throws_wild=throws_wild) if rest >= 0 else None
        if stay is None:
            return None
        points = stay * self.rules.value(self.wild) if self.wild else 0
        return left[0] + points, left[1] + stay


def _together(ends: _Ends, others: _Ends, most: int) -> _Ends:
    found: _Ends = {}
    for ((used, marks), left), ((more, adds), other) in product(ends.items(), others.items()):
        if used + more <= most:
            key = (used + more, tuple(sorted(marks + adds)))
            both = (left[0] + other[0], left[1] + other[1])
            found[key] = min(found.get(key, both), both)
    return found


def _fewest_wilds(uses: Iterable[_Use]) -> list[_Use]:
    """For the same naturals only the fewest wilds."""
    fewest: dict[int, int] = {}
    for used, wilds in uses:
        fewest[used] = min(wilds, fewest.get(used, wilds))
    return list(fewest.items())

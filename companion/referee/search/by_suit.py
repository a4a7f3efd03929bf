"""The best end of a turn once down: lay off, replace, discard, in games whose wilds are never natural (G6–G8).

Cards of different suits meet in three things only: the wilds in hand, the sets, and the one card thrown. So for each
card that could be thrown, and for none, every suit is worked out by itself: its runs can end in so many ways, each of
which uses some naturals and some wilds, and what is left goes to sets or stays. Then the suits are put together over
the wilds they share. Where freed wilds come to hand (G8.5) they are freed first, so they are shared like the others.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import product
from typing import NamedTuple

from companion.referee.cards import Card, Suit
from companion.referee.melds import Meld, is_wild_card
from companion.referee.rules import Rules
from companion.referee.search.reach import Reach
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

    def __init__(self, rules: Rules, steps: Steps, table: Sequence[MeldInPlay], reach: Reach) -> None:
        self.rules, self.steps, self.table = rules, steps, table
        self.best_seen = WORST
        cards = (*reach.hand, *(card for in_play in table for card in in_play.meld.cards))
        #: A wild there is; all are worth the same.
        self.wild = next((card for card in cards if is_wild_card(card, rules)), None)
        self._known: dict[int, tuple[RunStates, Meld]] = {}
        self._rooms: dict[tuple[int, ...], SetRoom] = {}
        self.runs: dict[Suit | None, list[_Run]] = {}
        #: What a run can become: one and the same object for a meld.
        self._states = cache(lambda meld: RunStates(meld, rules))
        self._uses_of = cache(self._find_uses)
        self._reachable: dict[tuple[RunStates, int, int], dict[RunState, _Use]] = {}
        self._ends: dict[object, _Ends] = {}
        self.runs = self.with_runs(table)

    def with_runs(self, laid: Sequence[MeldInPlay]) -> dict[Suit | None, list[_Run]]:
        """The runs on the table and those that are laid, by suit."""
        runs = self.runs.copy()
        for meld, is_open, forbids in laid:
            if meld.rank is None:
                if id(meld) not in self._known:
                    self._known[id(meld)] = self._states(meld), meld  # which stays, so that its id stays its own
                run = _Run(self._known[id(meld)][0], is_open, forbids)
                runs[meld.suit] = [*runs.get(meld.suit, ()), run]
        return runs

    def with_sets(self, laid: Sequence[MeldInPlay]) -> SetRoom:
        """The room in the sets on the table and in those that are laid."""
        sets = [in_play for in_play in laid if in_play.meld.rank is not None]
        key = tuple([id(in_play.meld) for in_play in sets])
        if key not in self._rooms:
            on_table = [in_play for in_play in self.table if in_play.meld.rank is not None]
            self._rooms[key] = SetRoom([*on_table, *sets], self.rules)
        return self._rooms[key]

    def turn(self, hand: Sequence[Card], laid: Sequence[MeldInPlay], than: Score) -> Score | None:
        """The best end of the turn from here, if it is better than that."""
        self.steps.take(20 + 3 * len(hand))
        question, best = _Question(self, hand, laid), None
        candidates = question.candidates()
        floor = question.least_left(None, than[0] + max([value for _, value in candidates], default=0))
        if floor is None:
            return None  # whatever is thrown, more stays
        for thrown, value in [(None, 0), *candidates]:
            if thrown is not None and floor[0] - value > than[0]:
                break
            left = floor if thrown is None else question.least_left(thrown, than[0])
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
            if shunned is None or shunned not in states.takes(state):
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

    def __init__(self, solver: SuitSolver, hand: Sequence[Card], laid: Sequence[MeldInPlay]) -> None:
        self.solver, self.rules, self.hand, self.wild = solver, solver.rules, hand, solver.wild
        self.sets, self.runs = solver.with_sets(laid), solver.with_runs(laid)
        self.have: dict[Suit | None, int] = dict.fromkeys(self.runs, 0)
        self.wilds = 0
        for card in hand:
            if is_wild_card(card, self.rules):
                self.wilds += 1
            else:
                self.have[card.suit] = self.have.get(card.suit, 0) + one(card.rank)
        self.freed = 0
        if self.rules.freed_wild != "end":
            self.freed = sum([run.states.replaceable for runs in self.runs.values() for run in runs if run.open])

    def candidates(self) -> list[tuple[Card, int]]:
        """Each card that no set forbids to throw, the dearest first; with its points."""
        throwable = {card: self.rules.value(card) for card in self.hand}
        if self.wild and self.freed:
            throwable.setdefault(self.wild, self.rules.value(self.wild))
        return [
            (card, throwable[card])
            for card in sorted(throwable, key=lambda card: -throwable[card])
            if (self.rules.wild_discards if is_wild_card(card, self.rules) else not self.sets.forbids(card.rank))
        ]

    def least_left(self, thrown: Card | None, limit: int) -> _Left | None:
        """The least that can stay if this card is the one thrown; None where it may not be, or where more points stay."""
        throws_wild = thrown is not None and is_wild_card(thrown, self.rules)
        frugal, most = not throws_wild and self.sets.endless, self.wilds + self.freed
        ends: _Ends | None = None
        suits = list(self.have.items())
        if thrown is not None and not throws_wild:  # what its own suit leaves decides most often
            suits.sort(key=lambda held: held[0] is not thrown.suit)
        for suit, have in suits:
            kept = WILD if throws_wild else int(thrown.rank) if thrown and thrown.suit is suit else None
            others = self.solver.ends(self.runs.get(suit, ()), _Suit(have, most, kept, frugal), self.sets)
            others = {key: left for key, left in others.items() if left[0] <= limit}
            if ends is not None:
                self.solver.steps.take(5 + len(ends) * len(others))
                others = _together(ends, others, most, limit)
            if not others:
                return None
            ends = others
        nothing: _Ends = {(0, ()): (0, 0)}
        finished = (self._finish(*key, left, throws_wild) for key, left in (nothing if ends is None else ends).items())
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


def _together(ends: _Ends, others: _Ends, most: int, limit: int) -> _Ends:
    found: _Ends = {}
    for ((used, marks), left), ((more, adds), other) in product(ends.items(), others.items()):
        if used + more <= most and left[0] + other[0] <= limit:
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

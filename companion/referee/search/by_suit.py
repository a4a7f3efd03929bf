"""The best end of a turn once down: lay off, replace, discard, in games whose wilds are never natural (G6–G8).

Cards of different suits meet in three things only: the wilds in hand, the sets, and the one card thrown. So for each
card that could be thrown, and for none, every suit is worked out by itself: its runs can end in so many ways, each of
which uses some naturals and some wilds, and what is left goes to sets or stays. Then the suits are put together over
the wilds they share. Where freed wilds come to hand (G8.5) they are freed first, so they are shared like the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from companion.referee.cards import Card, Suit
from companion.referee.melds import Meld, is_wild_card
from companion.referee.rules import Rules
from companion.referee.scoring import card_points
from companion.referee.search.playing_out import Telling
from companion.referee.search.run_states import (
    WILD,
    GrowingRun,
    Lie,
    Step,
    contains_ranks,
    ranks_in,
    reachable,
    way,
    without,
)
from companion.referee.search.set_room import SetsRoom
from companion.referee.search.tallies import one
from companion.referee.search.turns import ENDS, BestTurn, End, Lying


class _Run(NamedTuple):
    number: int
    grows: GrowingRun
    open: bool
    forbids: bool


class _Asked(NamedTuple):
    """What a suit may use, and what it has to keep."""

    have: int  # a tally of its naturals
    wilds: int
    kept: int | None  # the card to be thrown: the rank of one of its naturals, WILD, or None for neither
    frugal: bool  # whether a wild saved is always worth it

    @property
    def spare(self) -> int:
        """The naturals that may be laid off."""
        return without(self.have, self.kept)


class _Left(NamedTuple):
    """What stays in hand of some suits, the least first, and how their runs lie."""

    points: int
    cards: int
    runs: tuple[tuple[int, Lie], ...]


#: A way a run can lie: the naturals and the wilds used, and the way.
_Option = tuple[int, int, Lie]
#: How the runs of a suit lie, by the naturals and the wilds used.
_Ways = dict[tuple[int, int], tuple[tuple[int, Lie], ...]]
#: What stays by the wilds used and the ranks put on sets (these only where they make room for wilds there).
_Ends = dict[tuple[int, tuple[int, ...]], _Left]


class LayingOff:
    """Plans for many hands and tables of one question; what is worked out for a suit is kept for the next."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.ends: dict[object, _Ends] = {}
        self._growing: dict[Meld, GrowingRun] = {}
        self._reached: dict[tuple[GrowingRun, int, int], Mapping[Lie, Step | None]] = {}
        self._options: dict[object, list[_Option]] = {}

    def turn(self, hand: Sequence[Card], lies: Sequence[Lying], than: tuple[int, int]) -> BestTurn | None:
        """The best turn from here, if its rank is less than that; no melds are laid in it."""
        turn = _Turn(self, hand, lies)
        found: tuple[Card | None, _Left] | None = None
        for thrown, value in turn.candidates():
            if turn.floor - value > than[0]:
                break
            left = turn.least_left(thrown)
            if left is not None and (rank := turn.rank(thrown, left)) < than:
                found, than = (thrown, left), rank
        return None if found is None else turn.told(*found)

    def growing(self, meld: Meld) -> GrowingRun:
        """The run as one that grows: one and the same for a meld."""
        if meld not in self._growing:
            self._growing[meld] = GrowingRun(meld, self.rules)
        return self._growing[meld]

    def reached(self, run: GrowingRun, have: int, wilds: int) -> Mapping[Lie, Step | None]:
        """See ``reachable``."""
        key = (run, have, wilds)
        if key not in self._reached:
            self._reached[key] = reachable(run, have, wilds)
        return self._reached[key]

    def options(self, run: _Run, asked: _Asked) -> list[_Option]:
        """Naturals and wilds used by each way the run can lie in which it does not take the card that is kept."""
        key = (run.grows, run.open, run.forbids, asked)
        if key not in self._options:
            self._options[key] = list(self._fewest(run, asked))
        return self._options[key]

    def _fewest(self, run: _Run, asked: _Asked) -> Iterable[_Option]:
        """One way for the same naturals and wilds used; where wilds are worth saving, one for the same naturals."""
        grows, spare, shunned = run.grows, asked.spare, asked.kept if run.forbids else None
        fewest: dict[tuple[int, int | None], _Option] = {}
        for lie in self.reached(grows, asked.have, asked.wilds) if run.open else (grows.start,):
            used, spent = grows.used(lie)
            key = (used, None if asked.frugal else spent)
            if (key in fewest and fewest[key][1] <= spent) or not contains_ranks(spare, used):
                continue
            if shunned is None or not grows.takes(lie, shunned):
                fewest[key] = (used, spent, lie)
        return fewest.values()


class _Turn:
    """One hand and table."""

    def __init__(self, known: LayingOff, hand: Sequence[Card], table: Sequence[Lying]) -> None:
        self.known, self.rules, self.hand = known, known.rules, hand
        self.table = table
        self.wilds = [card for card in hand if is_wild_card(card, self.rules)]
        self.sets = SetsRoom([lying for lying in table if lying.meld.rank is not None], self.rules)
        self.runs: dict[Suit | None, list[_Run]] = {}
        for number, meld, is_open, forbids in table:
            if meld.rank is None:
                run = _Run(number, known.growing(meld), is_open, forbids)
                self.runs.setdefault(meld.suit, []).append(run)
        self.have: dict[Suit | None, int] = dict.fromkeys(self.runs, 0)
        for card in hand:
            if not is_wild_card(card, self.rules):
                self.have[card.suit] = self.have.get(card.suit, 0) + one(card.rank)
        self.freed = sum(run.grows.replaceable for runs in self.runs.values() for run in runs if run.open)
        self.freed *= self.rules.freed_wild != "end"
        self.most = len(self.wilds) + self.freed
        self.floor = 0  # the points left if nothing had to be thrown

    def candidates(self) -> Iterator[tuple[Card | None, int]]:
        """No card, and each that no set forbids to throw, the dearest first; with its points."""
        yield None, 0
        worth = {card: card_points(card, self.rules) for card in self.hand}
        if self.freed and not self.wilds:
            freed = self._some_wild()
            worth[freed] = card_points(freed, self.rules)
        for card in sorted(worth, key=lambda card: -worth[card]):
            wild = is_wild_card(card, self.rules)
            if self.rules.wild_discards if wild else not self.sets.forbids(card.rank):
                yield card, worth[card]

    def _some_wild(self) -> Card:
        melds = (run.grows.meld for runs in self.runs.values() for run in runs)
        return next(card for meld in melds for card in meld.cards if is_wild_card(card, self.rules))

    def least_left(self, thrown: Card | None) -> _Left | None:
        """The least that can stay if this card is the one thrown; None where it may not be."""
        wild = thrown is not None and is_wild_card(thrown, self.rules)
        frugal = not wild and self.sets.endless
        ends: _Ends = {(0, ()): _Left(0, 0, ())}
        for suit in self.have:
            ends = self._together(ends, self._suit(suit, thrown, frugal))
        found = (self._finish(*key, left, wild) for key, left in ends.items())
        least = min((left for left in found if left is not None), default=None, key=lambda left: left[:2])
        if thrown is None and least is not None:
            self.floor = least.points
        return least

    def rank(self, thrown: Card | None, left: _Left) -> tuple[int, int]:
        """How good that end is: see ``BestTurn.rank``."""
        return (left.points, ENDS.index(self._end(thrown, left)))

    def _end(self, thrown: Card | None, left: _Left) -> End:
        if left.cards:
            return "hold"
        return "float" if thrown is None and self.rules.must_discard_to_go_out else "out"

    def _finish(self, used: int, marks: tuple[int, ...], left: _Left, throws_wild: bool) -> _Left | None:
        """The wilds that are left go to sets as far as there is room; the others stay."""
        rest = len(self.wilds) - used - throws_wild
        stay = self.sets.wilds_left(rest, marks, throws_wild=throws_wild) if rest >= 0 else None
        if stay is None:
            return None
        worth = card_points(self.wilds[0] if self.wilds else self._some_wild(), self.rules) if stay else 0
        return _Left(left.points + stay * worth, left.cards + stay, left.runs)

    def _together(self, ends: _Ends, others: _Ends) -> _Ends:
        found: _Ends = {}
        for ((used, marks), left), ((more, adds), other) in product(ends.items(), others.items()):
            if used + more > self.most:
                continue
            key = (used + more, tuple(sorted(marks + adds)))
            both = _Left(left.points + other.points, left.cards + other.cards, left.runs + other.runs)
            if key not in found or both[:2] < found[key][:2]:
                found[key] = both
        return found

    def _suit(self, suit: Suit | None, thrown: Card | None, frugal: bool) -> _Ends:
        kept = None
        if thrown is not None and is_wild_card(thrown, self.rules):
            kept = WILD
        elif thrown is not None and thrown.suit is suit:
            kept = int(thrown.rank)
        runs, asked = self.runs.get(suit, []), _Asked(self.have[suit], self.most, kept, frugal)
        taken = tuple(rank for rank, _ in ranks_in(asked.have) if self.sets.takes(rank))
        key = (tuple(runs), asked, taken, self.sets.marking)
        if key not in self.known.ends:
            self.known.ends[key] = self._leavings(self._ways(runs, asked), asked.spare)
        return self.known.ends[key]

    def _ways(self, runs: Sequence[_Run], asked: _Asked) -> _Ways:
        """How the runs of one suit can lie together, by the naturals and wilds used."""
        ways: _Ways = {(0, 0): ()}
        spare = asked.spare
        for run in runs:
            found: _Ways = {}
            for ((used, wilds), lies), (more, spent, lie) in product(ways.items(), self.known.options(run, asked)):
                key = (used + more, wilds + spent)
                if key not in found and key[1] <= asked.wilds and contains_ranks(spare, key[0]):
                    found[key] = (*lies, (run.number, lie))
            ways = _fewest_wilds(found) if asked.frugal else found
        return ways

    def _leavings(self, ways: _Ways, have: int) -> _Ends:
        """For each way what is left of the suit: naturals that a set takes go there."""
        ends: _Ends = {}
        for (used, wilds), lies in ways.items():
            points = cards = 0
            marks: list[int] = []
            for rank, count in ranks_in(have - used):
                if self.sets.takes(rank):
                    marks += self.sets.marks(rank, count)
                else:
                    points, cards = points + count * card_points(Card(rank, None), self.rules), cards + count
            key, left = (wilds, tuple(sorted(marks))), _Left(points, cards, lies)
            if key not in ends or left[:2] < ends[key][:2]:
                ends[key] = left
        return ends

    def told(self, thrown: Card | None, left: _Left) -> BestTurn:
        """The turn that leaves this, card by card."""
        lies, ways = dict(left.runs), []
        for suit, runs in self.runs.items():
            have = self.have[suit]
            for run in (run for run in runs if run.open):
                reached = self.known.reached(run.grows, have, self.most)
                ways.append((run.number, run.grows, way(reached, lies[run.number])))
        told = Telling(self.table, self.hand, thrown, self.rules)
        told.grow(ways)
        told.fill_sets()
        return BestTurn(left.points, self._end(thrown, left), (), tuple(told.played), thrown)


def _fewest_wilds(ways: _Ways) -> _Ways:
    """For the same naturals only the way that uses the fewest wilds."""
    fewest: dict[int, int] = {}
    for used, wilds in ways:
        fewest[used] = min(wilds, fewest.get(used, wilds))
    return {(used, wilds): ways[used, wilds] for used, wilds in fewest.items()}

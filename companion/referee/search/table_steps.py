"""Whether single legal steps lead from one table to another (P6), each leaving every meld legal.

A step lays one card and may free another one, which has to be laid again. What no step can do is known before: naturals
stay in their run, a set loses a natural only for another one, no meld gets shorter. So the naturals that come to a run
are known, and only the wilds are searched: which of them lies at which end when, and which are free.

* The natural cards that come are at hand from the start: a card of the rank exchanges any naturals of sets in any way,
  before anything else. Only a natural 2 has to be free first, for it may be a wild somewhere.
* A set gives up one wild for each natural that comes. Wilds are put into sets last.
* A run that stays as it is may still lend its wild: laying one at the other end frees it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from itertools import count

from companion.referee.cards import Card
from companion.referee.melds import Meld, is_wild_card, rank_at
from companion.referee.rules import Kind, Rules
from companion.referee.wild_limits import limits_of

#: An order of steps is found long before so many states; by then it is asked whether each meld alone can be reached.
FEW_STATES = 400
#: After so many the answer is yes: each meld alone can be reached, and no case is known that takes as many.
MOST_STATES = 20_000
#: Among as many runs and one free wild two wilds are alike: there are four 2s and the joker.
MOST_HELPERS = 4
RING = 13

_Cards = tuple[Card, ...]
#: What lies in a meld now: the place of the first card, and the cards; or the wilds, and what else the kind of meld needs.
_Lies = tuple[int, _Cards, _Cards]
#: The meld afterwards, the card that must be free for the step (None: none), and the card that is free then.
_Step = tuple[_Lies, Card | None, Card | None]


def run_shift(was: Meld, now: Meld) -> int:
    """Where the first card of a run lies now, counted from where it lay; of two ways round the ring the likelier (P3)."""
    assert was.low is not None
    assert now.low is not None
    up = (now.low - was.low) % RING

    def kept(shift: int) -> int:
        return sum(
            now.cards[at - shift] == card for at, card in enumerate(was.cards) if 0 <= at - shift < len(now.cards)
        )

    return max((up, up - RING), key=lambda shift: (kept(shift), -abs(shift)))


def _sorted(cards: Iterable[Card]) -> _Cards:
    return tuple(sorted(cards, key=str))


def _without(cards: _Cards, card: Card) -> _Cards:
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


@dataclass(frozen=True)
class _Change:
    """A meld on its way from ``was`` to ``now``."""

    was: Meld
    now: Meld
    rules: Rules


class _Run(_Change):
    """A run on its way from ``was`` to ``now``; places are counted from the first card of ``was``."""

    @cached_property
    def start(self) -> _Lies:
        return 0, self.was.cards, ()

    @cached_property
    def goal(self) -> _Lies:
        return run_shift(self.was, self.now), self.now.cards, ()

    @cached_property
    def _goal_cards(self) -> dict[int, Card]:
        return dict(enumerate(self.now.cards, self.goal[0]))

    @cached_property
    def _spots(self) -> dict[int, Card]:
        """The natural card of each place that the run can come to."""
        assert self.was.low is not None
        return {at: Card(rank_at(self.was.low, at), self.was.suit) for at in range(-RING, 2 * RING + 1)}

    def is_replaced(self, at: int) -> bool:
        """Whether a natural card lies at that place afterwards."""
        return self._goal_cards.get(at) == self._spots[at]

    def distance(self, lies: _Lies) -> int:
        """How many places do not lie as they shall."""
        low, cards, _ = lies
        here = dict(enumerate(cards, low))
        return sum(here.get(at) != self._goal_cards.get(at) for at in {*here, *self._goal_cards})

    def reached(self, lies: _Lies) -> bool:
        return lies == self.goal

    def steps(self, lies: _Lies, free: _Cards) -> Iterator[_Step]:
        low, cards, _ = lies
        high = low + len(cards)
        for at, card in self._goal_cards.items():
            if card != self._spots[at] or not low - 1 <= at <= high:
                continue
            needs = card if is_wild_card(card, self.rules) else None
            if needs is not None and needs not in free:
                continue
            if low <= at < high and cards[at - low] != card:
                replaced = (*cards[: at - low], card, *cards[at - low + 1 :])
                yield from self._legal((low, replaced, ()), needs, cards[at - low])
            elif not low <= at < high:
                yield from self._at_end(lies, card, at < low, needs)
        for wild in dict.fromkeys(free):
            for at in (low - 1, high):
                if wild != self._spots[at] and min(self._goal_cards) <= at + 1 and at - 1 <= max(self._goal_cards):
                    yield from self._at_end(lies, wild, at < low, wild)

    def _at_end(self, lies: _Lies, card: Card, at_low: bool, needs: Card | None) -> Iterator[_Step]:
        """The card at that end; with it the wild at the other end may be freed."""
        low, cards, _ = lies
        if len(cards) == RING:
            return
        if at_low:
            yield from self._legal((low - 1, (card, *cards), ()), needs, None)
            if cards[-1] != self._spots[low + len(cards) - 1]:
                yield from self._legal((low - 1, (card, *cards[:-1]), ()), needs, cards[-1])
        else:
            yield from self._legal((low, (*cards, card), ()), needs, None)
            if cards[0] != self._spots[low]:
                yield from self._legal((low + 1, (*cards[1:], card), ()), needs, cards[0])

    def _legal(self, lies: _Lies, needs: Card | None, freed: Card | None) -> Iterator[_Step]:
        """The step, if the run keeps the limits and every wild between naturals may stay there."""
        low, cards, _ = lies
        wilds = [at for at, card in enumerate(cards) if card != self._spots[low + at]]
        if not limits_of(self.rules).allow(Kind.RUN, len(cards), sum(1 << at for at in wilds)):
            return
        naturals = [at for at in range(len(cards)) if at not in wilds]
        for at in wilds:
            shall = self._goal_cards.get(low + at)
            if naturals[0] < at < naturals[-1] and shall not in (cards[at], self._spots[low + at]):
                return
        yield lies, needs, freed


class _Set(_Change):
    """A set whose naturals are no wilds: it gives up a wild for each natural that comes."""

    @cached_property
    def _leave(self) -> Counter[Card]:
        return Counter(_wilds(self.was)) - Counter(_wilds(self.now))

    @cached_property
    def start(self) -> _Lies:
        more = len(_naturals(self.now)) - len(_naturals(self.was)) - self._leave.total()
        return more, _sorted((Counter(_wilds(self.was)) - self._leave).elements()), ()

    @property
    def freed(self) -> _Cards:
        """What has to leave leaves at once."""
        return _sorted(self._leave.elements())

    def distance(self, _: _Lies) -> int:
        return 0

    def reached(self, _: _Lies) -> bool:
        return True

    def steps(self, lies: _Lies, _: _Cards) -> Iterator[_Step]:
        more, wilds, _none = lies
        for wild in dict.fromkeys(wilds) if more > 0 else ():
            yield (more - 1, _without(wilds, wild), ()), None, wild


class _SetOfWilds(_Change):
    """A set of 2s, which are natural there: any free 2 may be exchanged for one of them."""

    @cached_property
    def start(self) -> _Lies:
        return 0, _sorted(_naturals(self.was)), _sorted(_wilds(self.was))

    @cached_property
    def _goal(self) -> _Cards:
        return _sorted(_naturals(self.now))

    def distance(self, lies: _Lies) -> int:
        return (Counter(self._goal) - Counter(lies[1])).total() + (Counter(lies[2]) - Counter(_wilds(self.now))).total()

    def reached(self, lies: _Lies) -> bool:
        return lies[1] == self._goal and not Counter(lies[2]) - Counter(_wilds(self.now))

    def steps(self, lies: _Lies, free: _Cards) -> Iterator[_Step]:
        _, naturals, wilds = lies
        for card in dict.fromkeys(free):
            if card.rank is not self.was.rank:
                continue
            for other in set(naturals) - {card}:
                yield (0, _sorted((*_without(naturals, other), card)), wilds), card, other
            if len(naturals) < len(self._goal):
                more = _sorted((*naturals, card))
                yield (0, more, wilds), card, None
                for wild in dict.fromkeys(wilds):
                    yield (0, more, _without(wilds, wild)), card, wild


_Part = _Run | _Set | _SetOfWilds


def _naturals(meld: Meld) -> list[Card]:
    return [card for card in meld.cards if card.rank is meld.rank]


def _wilds(meld: Meld) -> list[Card]:
    return [card for card in meld.cards if card.rank is not meld.rank]


def _part(was: Meld, now: Meld, rules: Rules) -> _Part:
    if was.kind is Kind.RUN:
        return _Run(was, now, rules)
    return (_SetOfWilds if was.rank in rules.wild_ranks else _Set)(was, now, rules)


def steps_lead(pairs: Sequence[tuple[Meld, Meld]], hand: Sequence[Card], rules: Rules) -> bool:
    """Whether steps lead from each first meld to its second one, with these cards to be laid (P6).

    All cards are accounted for, every meld is legal before and after, no natural leaves a run, and the sets have the
    naturals that their exchanges and their wilds need.
    """
    parts = [_part(was, now, rules) for was, now in pairs]
    free = [card for card in hand if is_wild_card(card, rules)]
    moved = [part for part in parts if not _stays(part)]
    if all(part.reached(part.start) for part in moved):
        return True
    return _leads(moved, free) or (bool(helpers := _helpers(parts, moved, free)) and _leads([*moved, *helpers], free))


def _leads(parts: Sequence[_Part], free: Sequence[Card]) -> bool:
    reached = _search(parts, free, FEW_STATES)
    if reached is None:
        kinds = {*free, *(card for part in parts for card in part.was.cards if is_wild_card(card, part.rules))}
        reached = all(_search([part], tuple(kinds), endless=True) for part in parts) and _search(parts, free)
    return reached is not False


def leads_alone(was: Meld, now: Meld, kinds: Iterable[Card], rules: Rules) -> bool:
    """Whether steps lead from one meld to the other, were there as many wilds of these kinds as one likes."""
    return _search([_part(was, now, rules)], tuple(kinds), endless=True) is not False


def _stays(part: _Part) -> bool:
    if isinstance(part, _Set):
        return part.start[0] <= 0 and not part.freed
    return part.reached(part.start)


def _helpers(parts: Sequence[_Part], moved: Sequence[_Part], free: Sequence[Card]) -> list[_Part]:
    """Melds that stay, but may lend a wild meanwhile: sets of 2s, and a few runs with a wild at one of their ends.

    A wild that comes back has changed ends as often as it has changed places, unless two of the wilds are alike, or one
    may not lie at an end because it is natural there. So first help runs whose wild is like another one that moves.
    """
    sets = [part for part in parts if isinstance(part, _SetOfWilds) and part not in moved]
    runs = [
        (part, part.was.cards[ends[0]])
        for part in parts
        if isinstance(part, _Run) and part not in moved and len(ends := _wild_ends(part.was)) == 1
    ]
    wilds = Counter([*free, *(card for part in moved for card in _movable(part)), *(wild for _, wild in runs)])
    runs.sort(key=lambda lent: wilds[lent[1]] < 2)
    return [*sets, *(part for part, _ in runs[:MOST_HELPERS])]


def _movable(part: _Part) -> list[Card]:
    """The wilds of a meld that may leave it: of a run those at its ends, and those that a natural card replaces."""
    if not isinstance(part, _Run):
        return _wilds(part.was)
    at = {*_wild_ends(part.was), *(at for at in part.was.wild_positions() if part.is_replaced(at))}
    return [part.was.cards[place] for place in at]


def _wild_ends(run: Meld) -> list[int]:
    return [at for at in run.wild_positions() if at in (0, len(run.cards) - 1)]


def _search(
    parts: Sequence[_Part], free: Sequence[Card], most: int = MOST_STATES, *, endless: bool = False
) -> bool | None:
    """Best first: the table that has the fewest places wrong. None: not known after so many states."""
    start = tuple(part.start for part in parts)
    freed = [card for part in parts if isinstance(part, _Set) for card in part.freed]
    number = count()
    waiting = [(0, next(number), start, _sorted([*free, *freed]))]
    seen = {start}
    while waiting and len(seen) < most:
        _, _, lies, now = heappop(waiting)
        if all(part.reached(here) for part, here in zip(parts, lies, strict=True)):
            return True
        for at, part in enumerate(parts):
            for here, needs, gone in part.steps(lies[at], now):
                after = (*lies[:at], here, *lies[at + 1 :])
                if after not in seen:
                    seen.add(after)
                    left = now if endless or needs is None else _without(now, needs)
                    left = left if endless or gone is None else _sorted((*left, gone))
                    wrong = sum(part.distance(here) for part, here in zip(parts, after, strict=True))
                    heappush(waiting, (wrong, next(number), after, left))
    return None if waiting else False

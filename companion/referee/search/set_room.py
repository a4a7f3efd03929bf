"""What the sets on the table take: naturals of their rank always, wilds as long as the limits allow (G6.2, G3.4)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from companion.referee.cards import Rank
from companion.referee.melds import Meld
from companion.referee.rules import Kind, Rules
from companion.referee.search.turns import MeldInPlay
from companion.referee.wild_limits import UNLIMITED, lay_off_limits

#: Room for more wilds than there are.
ENDLESS = UNLIMITED // 2
_MORE_THAN_A_HAND = 200


@dataclass(frozen=True, slots=True)
class _Group:
    """Sets that are alike for the player: room for wilds now, and by rank how far naturals can widen it."""

    room: int
    growth: dict[Rank, int]


class SetRoom:
    """The sets of a table, each of them within the limits now."""

    def __init__(self, sets: Sequence[MeldInPlay], rules: Rules) -> None:
        self.rules = rules
        self.limits = lay_off_limits(rules)
        self.grows = self.limits.set_growth != "none"
        open_sets = [in_play for in_play in sets if in_play.open]
        self._takes = {in_play.meld.rank for in_play in open_sets}
        self._forbids = {in_play.meld.rank for in_play in sets if in_play.forbids}
        self._strict = self._group([in_play.meld for in_play in open_sets if in_play.forbids])
        self._lax = self._group([in_play.meld for in_play in open_sets if not in_play.forbids])
        self._closed = self._group([in_play.meld for in_play in sets if in_play.forbids and not in_play.open])
        self.endless = max(self._strict.room, self._lax.room) >= ENDLESS
        both = bool(self._strict.growth and self._lax.growth)
        #: Whether a natural put on a set can make room for a wild, and whether its rank matters then.
        self.marking = (self.grows, self.limits.set_growth == "capped" or both)

    def _group(self, melds: Sequence[Meld]) -> _Group:
        room, growth = 0, Counter[Rank]()
        for meld in melds:
            wilds = len(meld.wild_positions())
            naturals = len(meld.cards) - wilds
            most = self.limits.most_wilds(Kind.SET, naturals)
            room += most - wilds
            if self.grows:
                growth[meld.rank or Rank.JOKER] += self.limits.most_wilds(Kind.SET, naturals + _MORE_THAN_A_HAND) - most
        return _Group(min(ENDLESS, room), dict(growth))

    def takes(self, rank: Rank) -> bool:
        """Whether the player may lay a natural of the rank on a set."""
        return rank in self._takes

    def forbids(self, rank: Rank) -> bool:
        """Whether a set forbids to throw a natural of the rank (G6.2)."""
        return rank in self._forbids

    def marks(self, rank: Rank, count: int) -> tuple[int, ...]:
        """What to remember of naturals put on sets: nothing where they make no room, else their rank if it matters."""
        return (int(rank) if self.marking[1] else 0,) * count if self.marking[0] else ()

    def wilds_left(self, wilds: int, marks: Sequence[int], *, throws_wild: bool) -> int | None:
        """How many of the wilds no set has room for; None where one is to be thrown and a set would take it (G6.5)."""
        strict, lax = self._rooms(Counter(marks))
        if throws_wild and (self._closed.room or strict > wilds):
            return None
        return max(0, wilds - strict - lax)

    def _rooms(self, marks: Counter[int]) -> tuple[int, int]:
        """The room in sets that forbid and in the others, where naturals go first if they may."""
        if not self.marking[1]:
            lax = marks[0] if self._lax.growth else 0
            return self._strict.room + marks[0] - lax, self._lax.room + lax
        strict_room, lax_room = self._strict.room, self._lax.room
        for mark, count in marks.items():
            rank = Rank(mark)
            if rank in self._lax.growth:
                lax_room += min(count, self._lax.growth[rank])
            else:
                strict_room += min(count, self._strict.growth.get(rank, 0))
        return strict_room, lax_room

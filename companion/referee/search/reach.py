"""Which naturals could be laid at all this turn: from it a bound that no turn is better than (G6.2, G7, G8).

It allows more than the rules do, never less: a card is out of reach only where no meld takes its rank or, of the runs
of its suit, each is further away than all wilds there are could bridge.
"""

from collections.abc import Iterable, Sequence

from companion.referee.cards import Card, Suit
from companion.referee.melds import Meld, is_natural_card, is_wild_card, rank_at
from companion.referee.rules import Kind, Rules, Slot
from companion.referee.search.matching import CELLS_OF_RANK, cell
from companion.referee.search.turns import ENDS, MeldInPlay, Score
from companion.referee.search.windows import run_windows

_RANK_MASKS = tuple(sum(1 << at for at in cells) for cells in CELLS_OF_RANK)
_RING = 13
_PLAIN = (Kind.SET, Kind.RUN)


class Reach:
    """For one hand and the table before it is played on."""

    def __init__(self, hand: Sequence[Card], table: Iterable[MeldInPlay], rules: Rules) -> None:
        self.rules, self.hand = rules, hand
        self.held = 0
        for card in hand:
            self.held |= 1 << cell(card) if is_natural_card(card, rules) else 0
        open_melds = [in_play.meld for in_play in table if in_play.open]
        self.wilds = sum(is_wild_card(card, rules) for card in hand)
        #: The wilds that may bridge a gap: those in hand, and those that a natural may set free.
        self.bridges = self.wilds
        if rules.wild_swap != "off":
            self.bridges += sum(is_wild_card(card, rules) for meld in open_melds for card in meld.cards)
        self._known: dict[int, tuple[int, Meld]] = {}
        self.on_table = self.of(open_melds)

    def of(self, melds: Iterable[Meld]) -> int:
        """The cells of the naturals in hand that could come to lie on these melds."""
        mask = 0
        for meld in melds:
            if id(meld) not in self._known:
                self._known[id(meld)] = self._of(meld), meld  # which stays, so that its id stays its own
            mask |= self._known[id(meld)][0]
        return mask

    def _of(self, meld: Meld) -> int:
        if meld.kind not in _PLAIN:
            return self.held
        if meld.rank is not None:
            return _RANK_MASKS[meld.rank] & self.held
        inside = 0
        if self.rules.wild_swap != "off":
            for at, card in enumerate(meld.cards):
                inside |= 1 << cell(meld.stands_for(at)) if is_wild_card(card, self.rules) else 0
        return inside & self.held | self._beside(meld.suit, meld.stands_for(0).rank, len(meld.cards))

    def _beside(self, suit: Suit | None, low: int, size: int) -> int:
        """The naturals within reach of either end of a run."""
        row, mask = cell(Card(rank_at(low, 0), suit)) - low, 0  # type: ignore[arg-type]
        for start, step in ((-1, -1), (size, 1)):
            gap = 0
            for place in range(start, start + step * _RING, step):
                if self.rules.ace == "high" and not 2 <= low + place <= 14:
                    break
                bit = 1 << row + rank_at(low, place)  # type: ignore[arg-type]
                if self.held & bit:
                    mask |= bit
                else:
                    gap += 1
                    if gap > self.bridges:
                        break
        return mask

    def of_any_lay_down(self, slots: Iterable[Slot]) -> int:
        """The same for all melds that these slots could be filled with, and the cards that lie in them."""
        mask = 0
        for slot in slots:
            if slot.kind not in _PLAIN:
                return self.held
            if slot.kind is Kind.SET:
                for ranks in _RANK_MASKS:
                    naturals = sum(1 << cell(card) & ranks > 0 for card in self.hand)
                    mask |= ranks if naturals + self.wilds >= slot.size else 0
                continue
            for window in run_windows(slot.size, self.rules):
                if window.size - (window.mask & self.held).bit_count() <= self.wilds + window.takes_twice:
                    mask |= window.mask | self._beside(window.suit, window.low or 0, window.size)
        return mask & self.held

    def lower_bound(self, hand: Sequence[Card], reach: int) -> Score:
        """No turn ends better with this hand: at the least the cards out of reach stay, but the one that is thrown."""
        stuck = [card for card in hand if not reach >> cell(card) & 1 and not is_wild_card(card, self.rules)]
        if len(stuck) < 2:
            return 0, 0
        values = [self.rules.value(card) for card in stuck]
        return sum(values) - max(values), ENDS.index("hold")

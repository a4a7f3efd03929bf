"""The best that a hand can do this turn: go down, lay off and replace, discard (G7, G6, G8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from companion.referee.cards import Card
from companion.referee.every import every_lay_down
from companion.referee.melds import Meld, is_wild_card
from companion.referee.rules import Contract, Rules
from companion.referee.scoring import hand_points
from companion.referee.state import TableMeld
from companion.referee.table import Play, plays

End = Literal["out", "float", "hold"]
_ENDS: tuple[End, ...] = ("out", "float", "hold")


@dataclass(frozen=True, slots=True)
class BestTurn:
    """``points`` left in hand at the end of the turn and how it ends; how to get there, in order.

    ``melds`` are laid for the contract (none for a player who is down), ``played`` are (meld number, card, play),
    ``discard`` is None where no card is left to throw.
    """

    points: int
    end: End
    melds: tuple[Meld, ...]
    played: tuple[tuple[int, Card, Play], ...]
    discard: Card | None


def best_turn(
    hand: Sequence[Card],
    contract: Contract | None,
    melds: Sequence[TableMeld],
    player: int,
    rules: Rules,
) -> BestTurn | None:
    """The best end of this turn: fewest points left, then out before float before hold; None: cannot go down.

    ``contract`` None is asked for a player who is down already. Lay-offs may follow one another (a chain), wilds
    may be replaced as often as they can; at the end one legal card is thrown if any is left (G6.1, G6.6 does not
    apply: the player is down).
    """
    hand = [_any_wild(card, rules) for card in hand]
    table = tuple(_Lying(m.number, m.owner, _canonical(m.meld, rules)) for m in melds)
    search = _Search(player, rules)
    if contract is None:
        return search.turn((), hand, table)
    found: BestTurn | None = None
    starts = sorted(_starts(hand, contract, table, player, rules), key=lambda start: start[0])
    for bound, laid, left, lies in starts:
        if found is not None and bound >= (found.points, _ENDS.index(found.end)):
            break
        turn = search.turn(laid, left, lies)
        if found is None or _rank(turn) < _rank(found):
            found = turn
    return found


@dataclass(frozen=True, slots=True)
class _Lying:
    number: int
    owner: int
    meld: Meld


def _rank(turn: BestTurn) -> tuple[int, int]:
    return (turn.points, _ENDS.index(turn.end))


def _any_wild(card: Card, rules: Rules) -> Card:
    """One wild for all of its rank: they are alike where none is ever natural."""
    return card if rules.natural_twos or card.rank not in rules.wild_ranks else Card(card.rank, None)


def _canonical(meld: Meld, rules: Rules) -> Meld:
    cards = tuple(_any_wild(card, rules) for card in meld.cards)
    if meld.rank is not None:
        cards = tuple(sorted(cards, key=str))
    return Meld(meld.kind, cards, meld.rank, meld.suit, meld.low)


_Start = tuple[tuple[int, int], tuple[Meld, ...], list[Card], tuple[_Lying, ...]]


def _starts(
    hand: Sequence[Card], contract: Contract, table: tuple[_Lying, ...], player: int, rules: Rules
) -> Iterator[_Start]:
    """Every lay-down with what it leaves, and the least that could come of it."""
    seen = set()
    first = 1 + max((lying.number for lying in table), default=-1)
    for laid in every_lay_down(hand, contract, rules):
        melds = tuple(_canonical(meld, rules) for meld in laid)
        key = frozenset(Counter(melds).items())
        if key in seen:
            continue
        seen.add(key)
        left = list((Counter(hand) - Counter(card for meld in melds for card in meld.cards)).elements())
        lies = table + tuple(_Lying(first + i, player, meld) for i, meld in enumerate(melds))
        yield _least(left, lies, rules), melds, left, lies


def _least(left: Sequence[Card], lies: Sequence[_Lying], rules: Rules) -> tuple[int, int]:
    """No turn ends better: at the least the cards stay that have no run of their suit and no set of their rank."""
    ranks = {lying.meld.rank for lying in lies if lying.meld.rank is not None}
    suits = {lying.meld.suit for lying in lies if lying.meld.suit is not None}
    stuck = [c for c in left if c.rank not in ranks and c.suit not in suits and not is_wild_card(c, rules)]
    values = sorted(hand_points([card], rules) for card in stuck)
    return (sum(values[:-1]), 0 if len(values) < 2 else 2)


class _Search:
    """Laying off from one lay-down; what was worked out is kept for the others of the same question."""

    def __init__(self, player: int, rules: Rules) -> None:
        self.player, self.rules = player, rules
        self.known: dict[tuple[tuple[Card, ...], tuple[_Lying, ...]], BestTurn] = {}
        self.reached = (10**9, 0)  # the best end seen so far, from whichever lay-down
        self.limited = (
            rules.max_wilds is not None
            or rules.naturals_outnumber
            or rules.adjacent_wilds == "forbidden"
            or rules.natural_twos
        )
        self.plays: dict[tuple[Card, Meld], tuple[Play, ...]] = {}

    def turn(self, laid: tuple[Meld, ...], left: Sequence[Card], lies: tuple[_Lying, ...]) -> BestTurn:
        """The best turn that begins with these melds."""
        if laid and not self.rules.lay_off_same_turn:
            end = self._stop(tuple(sorted(left, key=str)), lies)
        else:
            end = self._best(tuple(sorted(left, key=str)), lies)
        return BestTurn(end.points, end.end, laid, end.played, end.discard)

    def _best(self, hand: tuple[Card, ...], lies: tuple[_Lying, ...]) -> BestTurn:
        key = (hand, lies)
        if key not in self.known:
            self.known[key] = self._search(hand, lies)
        return self.known[key]

    def _search(self, hand: tuple[Card, ...], lies: tuple[_Lying, ...]) -> BestTurn:
        found = self._stop(hand, lies)
        self.reached = min(self.reached, _rank(found))
        for card in dict.fromkeys(hand):
            forced = self._forced(card, lies)
            for at, play in forced or self._moves(card, hand, lies):
                if self._least(hand, lies) >= self.reached:
                    return found
                after = self._best(*self._after(hand, lies, card, at, play))
                if _rank(after) < _rank(found):
                    step = (lies[at].number, card, play)
                    found = BestTurn(after.points, after.end, (), (step, *after.played), after.discard)
            if forced:
                break
        return found

    def _moves(self, card: Card, hand: tuple[Card, ...], lies: tuple[_Lying, ...]) -> Iterator[tuple[int, Play]]:
        """What the card can do. A wild that helps no card in hand goes to the first set: all sets are alike for it."""
        open_melds = [at for at, lying in enumerate(lies) if self.rules.lay_off_own or lying.owner != self.player]
        if is_wild_card(card, self.rules) and not self.limited:
            sets = [at for at in open_melds if lies[at].meld.rank is not None and self._counts(lies[at])]
            suits = {other.suit for other in hand if other.suit is not None}
            if sets:
                open_melds = [*sets[:1], *(at for at in open_melds if lies[at].meld.suit in suits)]
        for at in open_melds:
            for play in self._plays(card, lies[at].meld):
                yield at, play

    def _counts(self, lying: _Lying) -> bool:
        return self.rules.discard_ban and (self.rules.own_melds_count or lying.owner != self.player)

    def _least(self, hand: tuple[Card, ...], lies: tuple[_Lying, ...]) -> tuple[int, int]:
        """No end from here is better than this."""
        least = _least(hand, lies, self.rules)
        if self.limited or least[1] == 2 or not self.rules.must_discard_to_go_out:
            return least
        ranks = {lying.meld.rank for lying in lies if self._counts(lying)} - {None}
        surely = ranks and all(is_wild_card(card, self.rules) or card.rank in ranks for card in hand)
        return (least[0], 1) if surely else least

    def _plays(self, card: Card, meld: Meld) -> tuple[Play, ...]:
        if (card, meld) not in self.plays:
            self.plays[card, meld] = plays(card, meld, self.rules)
        return self.plays[card, meld]

    def _forced(self, card: Card, lies: tuple[_Lying, ...]) -> list[tuple[int, Play]]:
        """A natural that can only go to sets of its rank, and may not be thrown for one of them: it goes there."""
        if is_wild_card(card, self.rules) or any(lying.meld.suit is card.suit for lying in lies):
            return []
        for at, lying in enumerate(lies):
            may = self.rules.lay_off_own or lying.owner != self.player
            if may and self._counts(lying) and lying.meld.rank is card.rank:
                return [(at, play) for play in self._plays(card, lying.meld) if play.action == "add"]
        return []

    def _after(
        self, hand: tuple[Card, ...], lies: tuple[_Lying, ...], card: Card, at: int, play: Play
    ) -> tuple[tuple[Card, ...], tuple[_Lying, ...]]:
        left = list(hand)
        left.remove(card)
        if play.wild_to in ("hand", "table") and play.freed is not None:
            left = sorted([*left, play.freed], key=str)
        lying = _Lying(lies[at].number, lies[at].owner, _canonical(play.result, self.rules))
        return tuple(left), (*lies[:at], lying, *lies[at + 1 :])

    def _stop(self, hand: tuple[Card, ...], lies: tuple[_Lying, ...]) -> BestTurn:
        """The turn ends here: throw the dearest legal card, if any card is left."""
        if not hand:
            return BestTurn(0, "float" if self.rules.must_discard_to_go_out else "out", (), (), None)
        points = hand_points(hand, self.rules)
        legal = [card for card in dict.fromkeys(hand) if not self._refused(card, lies)]
        if not legal:
            return BestTurn(points, "hold", (), (), None)
        thrown = max(legal, key=lambda card: hand_points([card], self.rules))
        end: End = "out" if len(hand) == 1 else "hold"
        return BestTurn(points - hand_points([thrown], self.rules), end, (), (), thrown)

    def _refused(self, card: Card, lies: tuple[_Lying, ...]) -> bool:
        if not self.rules.wild_discards and is_wild_card(card, self.rules):
            return True
        if not self.rules.discard_ban:
            return False
        own = self.rules.own_melds_count
        return any(self._plays(card, lying.meld) for lying in lies if own or lying.owner != self.player)

"""The four players: random legal, careful, shrewd, family."""

from collections.abc import Mapping
from random import Random
from types import MappingProxyType

from companion.players.nearest import are_friends, nearest
from companion.players.seen import Move, Player, Seen
from companion.referee.cards import Card
from companion.referee.commands import GoDown, LayOff, ReplaceWild
from companion.referee.melds import is_wild_card
from companion.referee.search.can_go_down import can_go_down
from companion.referee.table import plays


class RandomLegal:
    """Does anything that is legal; goes down as soon as it can, so that a hand comes to an end."""

    def takes(self, seen: Seen, rng: Random) -> bool:
        """One time in three."""
        return rng.random() < 0.33

    def buys(self, seen: Seen, rng: Random) -> bool:
        """Seldom, but where the contract asks for more cards often."""
        return rng.random() < (0.5 if seen.must_buy else 0.05)

    def moves(self, seen: Seen, rng: Random, refused: frozenset[Move]) -> Move | None:
        """The first thing that is possible."""
        return _going_down(seen, refused) or _laying_off(seen, refused)

    def throws(self, seen: Seen, rng: Random, legal: tuple[Card, ...]) -> Card:
        """Any."""
        return rng.choice(legal)


class Careful:
    """Keeps what brings the contract nearer and throws what is dear; buys where that brings it nearer."""

    def takes(self, seen: Seen, rng: Random) -> bool:
        """What brings the contract nearer; who is down takes what can be laid off."""
        return _brings_nearer(seen) if not seen.is_down else _plays_somewhere(seen)

    def buys(self, seen: Seen, rng: Random) -> bool:
        """What brings the contract nearer, and anything where cards lack."""
        return not seen.is_down and (seen.must_buy or _brings_nearer(seen))

    def moves(self, seen: Seen, rng: Random, refused: frozenset[Move]) -> Move | None:
        """Goes down as soon as possible, and lays off whatever plays."""
        return _going_down(seen, refused) or _laying_off(seen, refused)

    def throws(self, seen: Seen, rng: Random, legal: tuple[Card, ...]) -> Card:
        """The dearest of those that the contract does not need."""
        return max(_spare(seen, legal), key=lambda card: (seen.rules.value(card), str(card)))


class Shrewd(Careful):
    """Careful, but counts the copies that it saw: throws what can least become something, and buys only to be down soon."""

    def buys(self, seen: Seen, rng: Random) -> bool:
        """Only where cards lack or few are missing: a buy costs two cards more in hand."""
        if seen.is_down or seen.contract is None or not (seen.must_buy or _brings_nearer(seen)):
            return False
        return seen.must_buy or nearest(seen.hand, seen.contract, seen.rules).away <= 3

    def throws(self, seen: Seen, rng: Random, legal: tuple[Card, ...]) -> Card:
        """The card with the fewest friends in hand and stock for what it costs."""
        gone = [*seen.discards, *(card for on in seen.melds for card in on.meld.cards)]

        def worth(card: Card) -> tuple[float, str]:
            friends = sum(are_friends(card, other) for other in seen.hand) - 1
            dead = sum(are_friends(card, other) for other in gone)
            late = min(seen.round, 10) / 10
            return (seen.rules.value(card) / 5 * (0.5 + late) - 2 * friends * (1 - late) + 0.3 * dead, str(card))

        return max(_spare(seen, legal), key=worth)


class Family(Careful):
    """Careful with slips, as people are: does not see every card that helps, nor every hand that can go down."""

    SLIP = 0.15

    def takes(self, seen: Seen, rng: Random) -> bool:
        """As careful, if it is noticed."""
        return rng.random() > self.SLIP and super().takes(seen, rng)

    def buys(self, seen: Seen, rng: Random) -> bool:
        """As careful, if it is noticed."""
        return rng.random() > 2 * self.SLIP and super().buys(seen, rng)

    def moves(self, seen: Seen, rng: Random, refused: frozenset[Move]) -> Move | None:
        """As careful, if it is noticed."""
        return None if rng.random() < self.SLIP else super().moves(seen, rng, refused)

    def throws(self, seen: Seen, rng: Random, legal: tuple[Card, ...]) -> Card:
        """As careful, but sometimes any card."""
        return rng.choice(legal) if rng.random() < self.SLIP / 2 else super().throws(seen, rng, legal)


def _going_down(seen: Seen, refused: frozenset[Move]) -> GoDown | None:
    if seen.is_down or seen.contract is None:
        return None
    melds = can_go_down(seen.hand, seen.contract, seen.rules)
    down = GoDown(seen.number, seen.seat, melds) if melds else None
    return down if down not in refused else None


def _laying_off(seen: Seen, refused: frozenset[Move]) -> LayOff | ReplaceWild | None:
    """A card that plays; the last card only where it cannot be thrown, or need not be."""
    if not (seen.is_down and seen.may_lay_off):
        return None
    for card in dict.fromkeys(seen.hand):
        for on in seen.melds:
            for play in plays(card, on.meld, seen.rules):
                if play.in_hand:
                    continue
                move: LayOff | ReplaceWild
                if play.action == "replace":
                    move = ReplaceWild(seen.number, seen.seat, on.number, card, play.wild_to, play.position)
                else:
                    move = LayOff(
                        seen.number, seen.seat, on.number, card, None if play.action == "add" else play.action
                    )
                if move not in refused:
                    return move
    return None


def _brings_nearer(seen: Seen) -> bool:
    if seen.top is None or seen.contract is None:
        return False
    if is_wild_card(seen.top, seen.rules):
        return True
    now = nearest(seen.hand, seen.contract, seen.rules).away
    return nearest((*seen.hand, seen.top), seen.contract, seen.rules).away < now


def _plays_somewhere(seen: Seen) -> bool:
    top = seen.top
    return top is not None and seen.may_lay_off and any(plays(top, on.meld, seen.rules) for on in seen.melds)


def _spare(seen: Seen, legal: tuple[Card, ...]) -> list[Card]:
    """Those of the legal cards that the contract can do without; where there are none, those whose loss costs least."""
    contract = seen.contract
    if seen.is_down or contract is None:
        idle = [card for card in legal if not any(plays(card, on.meld, seen.rules) for on in seen.melds)]
        return idle or list(legal)
    spare = nearest(seen.hand, contract, seen.rules).spare
    found = [card for card in legal if card in spare]
    if found:
        return found
    away = {card: nearest(_without(seen.hand, card), contract, seen.rules).away for card in dict.fromkeys(legal)}
    return [card for card in legal if away[card] == min(away.values())]


def _without(hand: tuple[Card, ...], card: Card) -> list[Card]:
    left = list(hand)
    left.remove(card)
    return left


#: The players by their names.
PLAYERS: Mapping[str, Player] = MappingProxyType(
    {"random": RandomLegal(), "careful": Careful(), "shrewd": Shrewd(), "family": Family()}
)

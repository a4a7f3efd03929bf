"""What happened: the entries of a game's record, in the past tense, with outcomes and seat numbers only.

A seat is an int that a player keeps for the whole game (0, 1, 2 … in the order they joined); where they
sit is ``GameState.order``. Meld numbers count up within a hand. Points are ints.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from companion.referee.cards import Card
from companion.referee.commands import OfHand, OfSeat, Seated
from companion.referee.grebber import Count
from companion.referee.melds import Meld
from companion.referee.rules import Rules


@dataclass(frozen=True, slots=True)
class GameStarted:
    """Rules pinned in full, seats in order, the first dealer; ``carried`` are totals brought from paper."""

    rules: Rules
    seats: tuple[int, ...]
    dealer: int
    first_hand: int = 1
    carried: tuple[int, ...] = ()  # per seat in ``seats``; empty means all 0


class Bought(OfSeat):
    """The player bought a discard; it cost one of the buys of the hand (G5.3)."""


class BuyTakenBack(OfSeat):
    """A buy was noted by mistake."""


@dataclass(frozen=True, slots=True)
class WentDown(OfSeat):
    """The melds in the order of the contract's slots, then further ones; they get the next meld numbers.

    Also written when a player who is down lays further melds (G4.4).
    """

    melds: tuple[Meld, ...]


class WentDownWithoutCards(OfSeat):
    """Down, but nobody entered the cards."""


@dataclass(frozen=True, slots=True)
class LaidOff(OfSeat):
    """``result`` is the meld afterwards; ``end`` is "low" or "high" in a run, None in a set."""

    meld: int
    card: Card
    end: str | None
    result: Meld


@dataclass(frozen=True, slots=True)
class WildReplaced(OfSeat):
    """``card`` took the place of ``wild``, which went ``to`` "low", "high" or "hand" (G8).

    ``position`` is where the wild lay in the meld before (0 is the low end).
    """

    meld: int
    card: Card
    wild: Card
    to: str
    result: Meld
    position: int | None = None


@dataclass(frozen=True, slots=True)
class Rearranged(OfSeat):
    """Melds on the table became others, with ``cards`` from the player's hand, all in one turn (P6).

    ``changed`` gives melds by number as they lie now; ``new`` are laid besides and get the next meld numbers.
    """

    cards: tuple[Card, ...]
    changed: tuple[tuple[int, Meld], ...]
    new: tuple[Meld, ...] = ()


@dataclass(frozen=True, slots=True)
class MeldCorrected:
    """The meld is ``result`` now, with what others laid off on it that still fits; None: taken back whole.

    ``base`` is the meld as its owner laid it; ``kept`` and ``dropped`` number the additions (0 is the first)
    that stay and go.
    """

    hand: int
    meld: int
    result: Meld | None
    kept: tuple[int, ...] = ()
    dropped: tuple[int, ...] = ()
    base: Meld | None = None


class GoingDownTakenBack(OfSeat):
    """The player is not down after all; all their melds leave the table."""


class Floated(OfSeat):
    """No card left and no discard made (G7.3)."""


class FloatTakenBack(OfSeat):
    """A mis-tap, or the stock gave a card that stays (P: nothing floats)."""


class SatOut(OfSeat):
    """The player is not dealt in this hand; it is no zero for them."""


class SatBackIn(OfSeat):
    """Dealt in after all."""


@dataclass(frozen=True, slots=True)
class OfScores(OfHand):
    """The scores of a hand."""

    out: int | None
    points: Mapping[int, int]
    floating: frozenset[int] = frozenset()
    counts: tuple[Count, ...] = ()


class HandScored(OfScores):
    """``points`` by seat for everybody dealt in; ``out`` went out, None when the stock ran out (G9.1, G9.2).

    In Grebber ``counts`` are what the points come from (K3).
    """


class ScoreCorrected(OfScores):
    """Replaces the scores of a hand scored before."""


@dataclass(frozen=True, slots=True)
class ChipsPaid:
    """Chips were paid (K6): ``paid`` by seat, for ``what``: "ante", "greb", "turn_wild" or "use_wild".

    What all pay together is in the pot; who gets chips from another pays less than nothing, who has too few nothing.
    """

    hand: int
    what: str
    paid: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class PurseFilled(OfSeat):
    """The player took so many new chips (K6)."""

    chips: int


class HandDealtAnew(OfHand):
    """The hand starts again: buys, melds, floats are reset; the same dealer deals."""


@dataclass(frozen=True, slots=True)
class SeatJoined:
    """A late joiner sits at ``place`` of those here (0 is the first) and starts with ``carried`` points (G9.4)."""

    seat: int
    carried: int
    place: int


class SeatLeft(Seated):
    """Away from the table; the scores stay (G9.4)."""


class SeatReturned(Seated):
    """Back on the chair left before."""


@dataclass(frozen=True, slots=True)
class SeatsMoved:
    """``order`` is everybody here, clockwise."""

    order: tuple[int, ...]


class DealerSet(OfSeat):
    """Somebody else deals this hand."""


@dataclass(frozen=True, slots=True)
class RuleOverruled:
    """The table plays ``switch`` as ``value`` from now on; past verdicts stand."""

    switch: str
    value: object


@dataclass(frozen=True, slots=True)
class GameClosed:
    """Ended before the last hand."""


@dataclass(frozen=True, slots=True)
class GameReopened:
    """The table plays on."""


@dataclass(frozen=True, slots=True)
class OfEntry:
    """What is about one entry of the record, by its number (1 is the first)."""

    entry: int


class Undone(OfEntry):
    """Entry number ``entry`` no longer holds."""


class Redone(OfEntry):
    """Entry number ``entry`` holds again."""


Event = (
    GameStarted | Bought | BuyTakenBack | WentDown | WentDownWithoutCards | LaidOff | WildReplaced
    | Rearranged | MeldCorrected | GoingDownTakenBack | Floated | FloatTakenBack | SatOut | SatBackIn | HandScored
    | ScoreCorrected | ChipsPaid | PurseFilled | HandDealtAnew | SeatJoined | SeatLeft | SeatReturned | SeatsMoved | DealerSet
    | RuleOverruled | GameClosed | GameReopened | Undone | Redone
)  # fmt: skip

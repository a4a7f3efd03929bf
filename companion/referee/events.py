"""What happened: the entries of a game's record, in the past tense, with outcomes and seat numbers only.

A seat is an int that a player keeps for the whole game (0, 1, 2 … in the order they joined); where they
sit is ``GameState.order``. Meld numbers count up within a hand. Points are ints.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from companion.referee.cards import Card
from companion.referee.commands import OfCarried, OfHand, OfMelds, OfOrder, OfSeat, OfStart, OfSwitch, OfTable, Seated
from companion.referee.grebber import Count
from companion.referee.melds import Meld


class GameStarted(OfStart):
    """Rules pinned in full, seats in order, the first dealer."""


class Bought(OfSeat):
    """The player bought a discard; it cost one of the buys of the hand (G5.3)."""


class BuyTakenBack(OfSeat):
    """A buy was noted by mistake."""


class WentDown(OfMelds):
    """The melds in the order of the contract's slots, then further ones; they get the next meld numbers.

    Also written when a player who is down lays further melds (G4.4).
    """


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


class Rearranged(OfTable):
    """``changed`` are only melds that lie otherwise now; ``new`` get the next meld numbers."""


@dataclass(frozen=True, slots=True)
class MeldCorrected(OfHand):
    """The meld is ``result`` now, with what others laid off on it that still fits; None: taken back whole.

    ``base`` is the meld as its owner laid it; ``kept`` and ``dropped`` number the additions (0 is the first)
    that stay and go.
    """

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
    laid: frozenset[int] | None = None


class HandScored(OfScores):
    """``points`` by seat for everybody dealt in; ``out`` went out, None when the stock ran out (G9.1, G9.2).

    In Grebber ``counts`` are what the points come from (K3). ``laid`` are those who laid their contract, where each player
    is on an own hand of the list; None elsewhere.
    """


class ScoreCorrected(OfScores):
    """Replaces the scores of a hand scored before."""


class CarriedCorrected(OfCarried):
    """The seats that are named came with other points, or began with another hand of the list."""


@dataclass(frozen=True, slots=True)
class ChipsPaid(OfHand):
    """Chips were paid (K6): ``paid`` by seat, for ``what``: "ante", "greb", "turn_wild" or "use_wild".

    What all pay together is in the pot; who gets chips from another pays less than nothing, who has too few nothing.
    """

    what: str
    paid: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class PurseFilled(OfSeat):
    """The player took so many new chips (K6)."""

    chips: int


class HandDealtAnew(OfHand):
    """The hand starts again: buys, melds, floats are reset; the same dealer deals."""


@dataclass(frozen=True, slots=True)
class SeatJoined(Seated):
    """A late joiner sits at ``place`` of those here (0 is the first) and starts with ``carried`` points (G9.4).

    ``begins`` is the hand of the list they start with where each player is on an own one; None elsewhere.
    """

    carried: int
    place: int
    begins: int | None = None


class SeatLeft(Seated):
    """Away from the table; the scores stay (G9.4)."""


class SeatReturned(Seated):
    """Back on the chair left before."""


class SeatsMoved(OfOrder):
    """Everybody has another chair."""


class DealerSet(OfSeat):
    """Somebody else deals this hand."""


class RuleOverruled(OfSwitch):
    """The table plays so from now on; past verdicts stand."""


@dataclass(frozen=True, slots=True)
class GameClosed:
    """Ended before the last hand."""


@dataclass(frozen=True, slots=True)
class GameReopened:
    """The table plays on."""


@dataclass(frozen=True, slots=True)
class HandResumed:
    """The hand whose score ended the night is in play again as it lay; corrections of other hands stay."""


@dataclass(frozen=True, slots=True)
class GameDiscarded:
    """The game was thrown away: it counts nowhere, and nothing follows but an undo."""


@dataclass(frozen=True, slots=True)
class OfEntry:
    """What is about one entry of the record, by its number (1 is the first)."""

    entry: int


class Undone(OfEntry):
    """Entry number ``entry`` no longer holds."""


class Redone(OfEntry):
    """Entry number ``entry`` holds again."""


@dataclass(frozen=True, slots=True)
class DoneTogether:
    """What one decision made happen, in order: at least two events, none of them a start, an undo, a redo or another of
    these. One undo takes all of it back.
    """

    events: "tuple[Event, ...]"


Event = (
    GameStarted | Bought | BuyTakenBack | WentDown | WentDownWithoutCards | LaidOff | WildReplaced
    | Rearranged | MeldCorrected | GoingDownTakenBack | Floated | FloatTakenBack | SatOut | SatBackIn | HandScored
    | ScoreCorrected | ChipsPaid | PurseFilled | HandDealtAnew | SeatJoined | SeatLeft | SeatReturned | SeatsMoved | DealerSet
    | RuleOverruled | GameClosed | GameReopened | HandResumed | GameDiscarded | Undone | Redone
    | CarriedCorrected | DoneTogether
)  # fmt: skip


def parts(event: Event) -> tuple[Event, ...]:
    """The events that an entry consists of: itself, or what was done together.

    >>> parts(DoneTogether((FloatTakenBack(1, 0), HandScored(1, 2, {0: 5, 1: 10, 2: 0}))))[0]
    FloatTakenBack(hand=1, seat=0)
    """
    return event.events if isinstance(event, DoneTogether) else (event,)

"""What somebody wants to do, in the imperative.

``hand`` is the hand the person saw, so that a late command never lands in the next one.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.referee.cards import Card
from companion.referee.grebber import Count
from companion.referee.melds import Meld
from companion.referee.rules import Rules


@dataclass(frozen=True, slots=True)
class OfHand:
    """What is about one hand, by its number (1 is the first)."""

    hand: int


@dataclass(frozen=True, slots=True)
class OfSeat(OfHand):
    """What is about one player in one hand."""

    seat: int


@dataclass(frozen=True, slots=True)
class Seated:
    """What is about one player, whatever the hand."""

    seat: int


@dataclass(frozen=True, slots=True)
class OfStart:
    """What a game starts with: ``carried`` are totals brought from paper, per seat in ``seats``; empty means all 0."""

    rules: Rules
    seats: tuple[int, ...]
    dealer: int
    first_hand: int = 1
    carried: tuple[int, ...] = ()


class StartGame(OfStart):
    """Needs 3–8 seats for Gripe (the sheet says); seven or eight bring a third deck (G1.2)."""


@dataclass(frozen=True, slots=True)
class OfNth(OfSeat):
    """A buy, told apart from the others of the player in the hand."""

    nth: int | None = None


class Buy(OfNth):
    """``nth`` is which buy of the hand this is (1 is the first), as the person saw it; None: just one more."""


class TakeBackBuy(OfNth):
    """``nth`` is the buy given back, as the person saw it."""


@dataclass(frozen=True, slots=True)
class OfMelds(OfSeat):
    """Melds that a player lays."""

    melds: tuple[Meld, ...]


class GoDown(OfMelds):
    """Melds by slot, then further melds; for a player who is down, further melds only (G4.4)."""


class GoDownWithoutCards(OfSeat):
    """Down, the melds to be entered later or never: one tap."""


@dataclass(frozen=True, slots=True)
class LayOff(OfSeat):
    """``end`` "low" or "high" chooses where both would do in a run; None where there is one way only."""

    meld: int
    card: Card
    end: str | None = None


@dataclass(frozen=True, slots=True)
class ReplaceWild(OfSeat):
    """``position`` of the wild in the run (0 is the low end) where several would do; ``to`` "low", "high" or "hand"."""

    meld: int
    card: Card
    to: str | None = None
    position: int | None = None


@dataclass(frozen=True, slots=True)
class OfTable(OfSeat):
    """The table and the ``cards`` played from hand become other melds in one turn (P6).

    ``changed`` are melds on the table by their number with what they become, ``new`` the melds laid besides.
    """

    cards: tuple[Card, ...]
    changed: tuple[tuple[int, Meld], ...]
    new: tuple[Meld, ...] = ()


class Rearrange(OfTable):
    """Melds may stand in ``changed`` that stay as they lie."""


@dataclass(frozen=True, slots=True)
class CorrectMeld(OfHand):
    """``base`` is the meld as its owner laid it, without what was laid off later; None takes it off the table."""

    meld: int
    base: Meld | None


class TakeBackGoingDown(OfSeat):
    """The player was not down after all; ``correction_preview`` shows what leaves the table."""


class Float(OfSeat):
    """No card left and no discard made (G7.3)."""


class TakeBackFloat(OfSeat):
    """A mis-tap, or the player holds a card again."""


class SitOut(OfSeat):
    """Not dealt in this hand."""


class SitBackIn(OfSeat):
    """Dealt in after all."""


@dataclass(frozen=True, slots=True)
class OfPoints(OfHand):
    """``points`` by seat; who goes out and floaters may be left out (0). ``sure`` answers "really so many?" (G9.2)."""

    out: int | None
    points: Mapping[int, int]
    sure: bool = False


@dataclass(frozen=True, slots=True)
class ScoreHand(OfPoints):
    """``floated`` are the seats ticked as floaters on this very form, beside those recorded as floating.

    ``unnoted`` answers where a freed wild went: nobody noted it (P6). ``laid`` are those who laid their contract, where
    each player is on an own hand of the list; None: those noted as down. Who went out did in any case.
    """

    floated: frozenset[int] = frozenset()
    unnoted: bool = False
    laid: frozenset[int] | None = None


@dataclass(frozen=True, slots=True)
class CorrectScore(OfPoints):
    """New scores for a hand scored before; ``floated`` None keeps the floaters recorded then, ``laid`` None who laid."""

    floated: frozenset[int] | None = None
    laid: frozenset[int] | None = None


@dataclass(frozen=True, slots=True)
class OfCarried:
    """``carried`` are points that players came with, by seat: those of a night begun on paper, or of a late joiner.

    ``begins`` are the hands of the list that they began with, where each player is on an own one.
    """

    carried: Mapping[int, int]
    begins: Mapping[int, int] = field(default_factory=dict)


class CorrectCarried(OfCarried):
    """Other points at the start, or another first hand of the list, for the seats that are named."""


@dataclass(frozen=True, slots=True)
class OfCount(OfHand):
    """The counts of a hand, one for each player."""

    counts: tuple[Count, ...]
    undrawn: int | None = None


class CountHand(OfCount):
    """What everybody laid and holds at the end of a hand of Grebber (K3); ``undrawn`` where somebody counted it (K4)."""


class CorrectCount(OfCount):
    """Another count of a hand scored before."""


class PayAntes(OfHand):
    """Everybody who has the chips pays the ante of the hand (K6)."""


@dataclass(frozen=True, slots=True)
class PayChips(OfSeat):
    """A player pays for ``what``: "greb", "turn_wild" or "use_wild" (K6).

    ``nth`` is which of these in the hand it is (1 is the first), as the person saw it; None: just one more.
    """

    what: str
    nth: int | None = None


class FillPurse(OfSeat):
    """A player takes new chips, up to what everybody began with (K6)."""


class DealAnew(OfHand):
    """The hand starts again: same contract, same dealer, nothing bought or laid."""


@dataclass(frozen=True, slots=True)
class JoinSeat(Seated):
    """``place`` counts chairs clockwise from 0; None: last. Points by the table's rule (G9.4)."""

    place: int | None = None


class LeaveSeat(Seated):
    """Goes home; the scores stay, but no place is won (G9.4)."""


class ReturnToSeat(Seated):
    """Somebody who left is back on their chair."""


@dataclass(frozen=True, slots=True)
class OfOrder:
    """``order`` is everybody here, clockwise."""

    order: tuple[int, ...]


class MoveSeats(OfOrder):
    """Everybody takes another chair."""


class SetDealer(OfSeat):
    """Somebody else deals this hand."""


@dataclass(frozen=True, slots=True)
class OfSwitch:
    """The table plays ``switch`` as ``value`` from now on."""

    switch: str
    value: object


class OverruleRule(OfSwitch):
    """The table agrees to play so."""


@dataclass(frozen=True, slots=True)
class CloseGame:
    """Enough for tonight."""


@dataclass(frozen=True, slots=True)
class ReopenGame:
    """Play on after closing early."""


@dataclass(frozen=True, slots=True)
class ResumeHand:
    """Play on though the night is finished: the hand that ended it is in play again as it lay, without its score."""


@dataclass(frozen=True, slots=True)
class DiscardGame:
    """Started by mistake: the game counts nowhere. Undoing the entry takes it back."""


@dataclass(frozen=True, slots=True)
class DoTogether:
    """Several commands that one decision means, each judged after those before it: all of them land, or none.

    The table plays a silent rule otherwise *and* somebody goes down by it; a floater is unticked *and* the hand scored.
    """

    commands: "tuple[Command, ...]"


Command = (
    StartGame | Buy | TakeBackBuy | GoDown | GoDownWithoutCards | LayOff | ReplaceWild | Rearrange | CorrectMeld
    | TakeBackGoingDown | Float | TakeBackFloat | SitOut | SitBackIn | ScoreHand | CorrectScore | CountHand | CorrectCount
    | PayAntes | PayChips | FillPurse | DealAnew | JoinSeat | LeaveSeat | ReturnToSeat | MoveSeats | SetDealer | OverruleRule
    | CloseGame | ReopenGame | ResumeHand | DiscardGame | CorrectCarried | DoTogether
)  # fmt: skip

"""The frozen state of a game: what ``evolve`` makes of the record so far."""

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from companion.referee.cards import Card
from companion.referee.games import KATE
from companion.referee.grebber import Count
from companion.referee.melds import Meld
from companion.referee.rules import Contract, Rules


def _nothing() -> Mapping[int, int]:
    return MappingProxyType({})


class Phase(enum.Enum):
    """Where the night stands."""

    NOT_STARTED = "not_started"
    PLAYING = "playing"
    FINISHED = "finished"  # the last hand is scored
    CLOSED = "closed"  # ended early by the table
    DISCARDED = "discarded"  # thrown away: it counts nowhere


@dataclass(frozen=True, slots=True)
class Addition:
    """A card somebody laid off on a meld, or with which they replaced a wild of it.

    ``position`` is where the replaced wild lay in the meld before (0 is the low end).
    """

    seat: int
    card: Card
    action: str  # "add" | "low" | "high" | "replace"
    wild_to: str | None = None  # for "replace": "low" | "high" | "hand"
    position: int | None = None


@dataclass(frozen=True, slots=True)
class TableMeld:
    """A meld on the table: as its owner laid it (``base``), what was laid off, and how it lies now (``meld``).

    ``slot`` is the place in the contract that it fills (0 is the first), None for a further meld (G4.4).
    """

    number: int
    owner: int
    base: Meld
    meld: Meld
    additions: tuple[Addition, ...] = ()
    slot: int | None = None


@dataclass(frozen=True, slots=True)
class Hand:
    """The hand in play. ``buys`` are buys used by seat (absent: 0)."""

    number: int
    dealer: int
    buys: Mapping[int, int] = field(default_factory=_nothing)
    down: frozenset[int] = frozenset()
    floating: frozenset[int] = frozenset()
    sitting_out: frozenset[int] = frozenset()
    melds: tuple[TableMeld, ...] = ()
    next_meld: int = 0
    #: Wilds that a player freed and has not laid again, with the player's seat (P6).
    freed: tuple[tuple[int, Card], ...] = ()
    #: Grebber (K6): whether the antes are paid, whose wild lies turned up, how many were, and who paid for what.
    anted: bool = False
    wild_of: int | None = None
    wilds: int = 0
    payments: tuple[tuple[str, int], ...] = ()

    @property
    def untouched(self) -> bool:
        """Nothing was entered for this hand yet, so that it counts as not dealt."""
        return not (self.down or self.floating or self.melds or any(self.buys.values()) or self.anted or self.payments)

    def is_down(self, seat: int) -> bool:
        """Whether the player went down; who floats must have (G7.1, G7.3)."""
        return seat in self.down or seat in self.floating

    def melds_of(self, seat: int) -> tuple[TableMeld, ...]:
        """The melds a player laid, in the order they were laid."""
        return tuple(meld for meld in self.melds if meld.owner == seat)

    def find(self, number: int) -> TableMeld | None:
        """The meld with that number, or None when it is not on the table."""
        return next((meld for meld in self.melds if meld.number == number), None)

    def paid_for(self, what: str, seat: int) -> int:
        """How often a player paid for something in this hand (K6)."""
        return self.payments.count((what, seat))

    def freed_by(self, seat: int) -> tuple[Card, ...]:
        """The wilds a player freed and has still to lay (P6)."""
        return tuple(card for freer, card in self.freed if freer == seat)

    def without_cards(self) -> frozenset[int]:
        """Seats that are down though nobody entered their melds."""
        return (self.down | self.floating) - {meld.owner for meld in self.melds}


@dataclass(frozen=True, slots=True)
class HandScore:
    """A finished hand: who went out (None: nobody), points by seat of everybody dealt in, buys used by seat.

    ``rules`` are those the hand was played with, so that a correction is judged as the hand was.
    """

    number: int
    dealer: int
    out: int | None
    points: Mapping[int, int]
    buys: Mapping[int, int] = field(default_factory=_nothing)
    down: frozenset[int] = frozenset()
    floating: frozenset[int] = frozenset()
    rules: Rules = KATE
    counts: tuple[Count, ...] = ()  # Grebber: what the points come from (K3)
    wilds: int = 0  # Grebber: how many wilds were turned up (K6)


@dataclass(frozen=True, slots=True)
class GameState:
    """Everything about a game.

    ``chairs`` is everybody clockwise, ``order`` those of them who are here; ``away`` left the table but keep
    their chair. ``rules`` are those of the hand in play: what the game pinned, what the table overruled since,
    and the third deck that a seventh player brings (G9.4); before the start they are a sheet that nothing reads.
    """

    rules: Rules = KATE
    phase: Phase = Phase.NOT_STARTED
    seats: tuple[int, ...] = ()  # everybody who ever sat here, in the order they joined
    order: tuple[int, ...] = ()
    away: frozenset[int] = frozenset()
    carried: Mapping[int, int] = field(default_factory=_nothing)  # points a seat started with
    first_hand: int = 1
    hand: Hand | None = None  # None once the last hand is scored; kept while the game is closed early
    last_hand: Hand | None = None  # the hand whose score ended the night, as it lay; None while there is another
    scores: tuple[HandScore, ...] = ()
    overruled: tuple[str, ...] = ()  # switches the table changed during play
    chairs: tuple[int, ...] = ()
    paid: Mapping[int, int] = field(default_factory=_nothing)  # chips a seat paid into the pot (K6)
    filled: Mapping[int, int] = field(default_factory=_nothing)  # new chips a seat took besides (K6)
    #: The hand of the list that a seat began with, where each player is on an own one; absent: ``first_hand``.
    begins: Mapping[int, int] = field(default_factory=_nothing)

    @property
    def playing(self) -> "Playing | None":
        """The hand in play, also while the game is closed early; None before the start and after the last hand."""
        return Playing(self, self.hand) if self.hand else None

    @property
    def hand_rules(self) -> Rules:
        """The rules of the hand in play: the table's, as this deal of the list has them."""
        return self.rules.in_deal(self.hand.number) if self.hand and not self.rules.own_progress else self.rules

    def rules_of(self, seat: int) -> Rules:
        """The rules that a player goes down by: those of the hand in play, or of their own hand of the list."""
        return self.rules.in_deal(self.number_of(seat)) if self.rules.own_progress else self.hand_rules

    @property
    def contract(self) -> Contract | None:
        """The contract of the hand in play (G4.1); None when there is none, or each player has an own one."""
        return None if self.hand is None or self.rules.own_progress else self._in_list(self.hand.number)

    def contract_of(self, seat: int) -> Contract | None:
        """What the hand in play asks of a player: its contract, or that of their own hand of the list; None: nothing."""
        return None if self.hand is None else self._in_list(self.number_of(seat))

    def _in_list(self, number: int) -> Contract | None:
        contracts = self.rules.contracts
        return contracts[number - 1] if 1 <= number <= len(contracts) else None

    def number_of(self, seat: int, at: int | None = None) -> int:
        """The hand of the list that a player is on, in the hand in play or in hand ``at``.

        Where all play the same it is that hand's number. Where each is on an own one it is the first they have not laid yet,
        and the last of the list for who laid them all.
        """
        if not self.rules.own_progress:
            return at or (self.hand.number if self.hand else 0)
        return max(1, min(self.begins_with(seat) + self.hands_laid(seat, at), len(self.rules.contracts)))

    def begins_with(self, seat: int) -> int:
        """The hand of the list that a player began with."""
        return self.begins.get(seat, self.first_hand)

    def hands_laid(self, seat: int, before: int | None = None) -> int:
        """How many scored hands a player laid the contract of, of all or of those before one."""
        return sum(seat in score.down for score in self.scores if before is None or score.number < before)

    def has_finished(self, seat: int) -> bool:
        """Whether a player, on an own hand of the list, laid the last one."""
        done = self.begins_with(seat) + self.hands_laid(seat) > len(self.rules.contracts)
        return self.rules.own_progress and done

    @property
    def dealt_in(self) -> tuple[int, ...]:
        """Who plays the hand, clockwise: those here who do not sit it out."""
        out = self.hand.sitting_out if self.hand else frozenset()
        return tuple(seat for seat in self.order if seat not in out)

    @property
    def starter(self) -> int | None:
        """Who starts the hand: the player to the dealer's left (G1.3); None between games."""
        return self.next_dealt_in(self.hand.dealer) if self.hand else None

    @property
    def ring(self) -> tuple[int, ...]:
        """The chairs in the order in which the turn and the deal go round."""
        return self.chairs if self.rules.direction == "clockwise" else self.chairs[::-1]

    def next_dealt_in(self, seat: int) -> int | None:
        """The next player clockwise after ``seat`` who plays this hand, or None when nobody does."""
        return _next_of(self.ring, seat, frozenset(self.dealt_in))

    def next_here(self, seat: int) -> int | None:
        """The next player clockwise after ``seat`` who is at the table, or None when nobody is."""
        return _next_of(self.ring, seat, frozenset(self.order))

    def score_of(self, number: int) -> HandScore | None:
        """The scores of a hand, or None while it is not scored."""
        return next((score for score in self.scores if score.number == number), None)

    def buys_used(self, seat: int) -> int:
        """Buys a player used: in this hand, or in the whole game where the limit is for the game (P8)."""
        used = self.hand.buys.get(seat, 0) if self.hand else 0
        if self.rules.limits_whole_game:
            used += sum(score.buys.get(seat, 0) for score in self.scores)
        return used

    def buy_limit(self, seat: int) -> int | None:
        """Buys a player may use in this hand (G5.3), or in the whole game (P8); None: no limit."""
        return self.rules.buy_limit(self.number_of(seat)) if self.hand else None

    def buys_left(self, seat: int) -> int | None:
        """Buys a player has left, never below 0; None where there is no limit."""
        limit = self.buy_limit(seat)
        return None if limit is None else max(0, limit - self.buys_used(seat))


@dataclass(frozen=True, slots=True)
class Playing:
    """A hand in play, with the state of the game around it."""

    state: GameState
    hand: Hand

    @property
    def rules(self) -> Rules:
        """The rules that the hand is played by: the table's, as this deal of the list has them."""
        return self.state.hand_rules

    def rules_of(self, seat: int) -> Rules:
        """The rules that a player goes down by, as their own hand of the list has them."""
        return self.state.rules_of(seat)


def _next_of(chairs: tuple[int, ...], seat: int, wanted: frozenset[int]) -> int | None:
    """The first of ``wanted`` after ``seat`` in the ring of chairs, the way play goes; ``seat`` itself comes last."""
    start = chairs.index(seat) + 1 if seat in chairs else 0
    ring = chairs[start:] + chairs[:start]
    return next((chair for chair in ring if chair in wanted), None)

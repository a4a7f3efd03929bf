"""Playing nights in tests: a table that records what is done to it, and commands, likely and unlikely ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.cards import FIFTY_TWO, JOKER, Card, Rank, Suit, parse_card
from companion.referee.engine import Ambiguous, decide, evolve, problems
from companion.referee.games import KATE
from companion.referee.history import effective, fold, redo_target, undo_target
from companion.referee.melds import Meld
from companion.referee.notation import read_meld
from companion.referee.reasons import Reason
from companion.referee.rules import Kind, Rules
from companion.referee.state import GameState, Hand, Phase, Playing
from companion.referee.table import plays

Command = c.Command


def advance(state: GameState, before: Sequence[e.Event], event: e.Event) -> GameState:
    """The state after one more entry, given the state after the entries ``before``; only an undo replays."""
    if isinstance(event, e.Undone):
        return fold(effective((*before, event)))
    if isinstance(event, e.Redone):
        return evolve(state, before[event.entry - 1])
    return evolve(state, event)


def in_hand(number: int = 1, rules: Rules = KATE, **about: Any) -> Playing:
    """Four players in a hand, of which something is known: ``buys``, who is ``down``, who is ``floating``."""
    hand = Hand(number, 0, **about)
    return Playing(GameState(rules, order=(0, 1, 2, 3), hand=hand), hand)


@dataclass
class Night:
    """A game going on: what was recorded, and the state after it."""

    entries: list[e.Event] = field(default_factory=list)
    state: GameState = field(default_factory=GameState)

    def do(self, *commands: Command) -> Night:
        """Do commands that are legal."""
        for command in commands:
            for event in decide(self.state, command):
                self.record(event)
        return self

    def record(self, event: e.Event) -> None:
        self.state = advance(self.state, tuple(self.entries), event)
        self.entries.append(event)

    def undo(self) -> Night:
        target = undo_target(self.entries)
        assert target is not None
        self.record(e.Undone(target))
        return self

    def redo(self) -> Night:
        target = redo_target(self.entries)
        assert target is not None
        self.record(e.Redone(target))
        return self

    def refused(self, command: Command) -> tuple[Reason, ...]:
        """The reasons against a command; none: it is legal."""
        return tuple(problem.reason for problem in problems(self.state, command))

    def score(self, out: int | None = None, **points: int) -> Night:
        """Score the hand: ``score(0, p1=20)``; whoever is not named holds 10."""
        assert self.state.hand is not None
        named = {int(name[1:]): value for name, value in points.items()}
        floats = self.state.hand.floating
        full = {seat: 0 if seat == out or seat in floats else 10 for seat in self.state.dealt_in} | named
        return self.do(c.ScoreHand(self.state.hand.number, out, full, sure=True))

    def play_to(self, hand: int) -> Night:
        """Score hands, player 0 out in each, until that hand is in play."""
        while self.state.hand and self.state.hand.number < hand:
            self.score(0)
        return self


def night(players: int = 4, rules: Rules = KATE, dealer: int = 0, **more: object) -> Night:
    """A night just started by players 0, 1, 2 …"""
    return Night().do(c.StartGame(rules, tuple(range(players)), dealer, **more))  # type: ignore[arg-type]


def melds(text: str) -> tuple[Meld, ...]:
    """``"set 9? 9? 2S / run 4S 2H 6S 7S"``."""
    return tuple(read_meld(part) for part in text.split("/"))


def meld(text: str) -> Meld:
    return read_meld(text)


def card(text: str) -> Card:
    return parse_card(text)


#: Melds that fill each of Kate's contracts.
LAID = (
    "set 9? 9? 2S / set KS KD 2H",
    "set 9? 9? 2S / run 4S 2H 6S 7S",
    "set 8? 8? 8? 2C / set QS QD 2H QH",
    "set 3? 3? 3? / set 4? 4? 2D / set AS AS AD",
    "set 5? 5? 5? / run 3H 4H 5H 6H 2S 8H 9H",
    "set 5? 5? 5? / set 6? 6? 2H / run 7C 8C 9C 10C JC",
    "run 3H 4H 5H 6H / run 3C 4C 2S 6C / run JD QD KD AD",
    "set 5? 5? 5? / run 3H 4H 5H 6H 2S 8H 9H 10H JH QH",
    "set 5? 5? 5? / set 6? 6? 2H / set JS JC JH / run 7C 8C 9C 10C JC",
    "run 3H 4H 5H 6H 7H / run 3C 4C 2S 6C 7C / run 10D JD QD KD AD",
)


def command_of(event: e.Event, state: GameState) -> Command:
    """The command that makes an event, as a person would give it."""
    return _COMMANDS[type(event)](event, state)


_COMMANDS: dict[type, Callable[..., Command]] = {
    e.GameStarted: lambda o, s: c.StartGame(o.rules, o.seats, o.dealer, o.first_hand, o.carried),
    e.Bought: lambda o, s: c.Buy(o.hand, o.seat),
    e.BuyTakenBack: lambda o, s: c.TakeBackBuy(o.hand, o.seat),
    e.WentDown: lambda o, s: c.GoDown(o.hand, o.seat, o.melds),
    e.WentDownWithoutCards: lambda o, s: c.GoDownWithoutCards(o.hand, o.seat),
    e.LaidOff: lambda o, s: c.LayOff(o.hand, o.seat, o.meld, o.card, o.end),
    e.WildReplaced: lambda o, s: c.ReplaceWild(o.hand, o.seat, o.meld, o.card, o.to, o.position),
    e.Rearranged: lambda o, s: c.Rearrange(o.hand, o.seat, o.cards, o.changed, o.new),
    e.MeldCorrected: lambda o, s: c.CorrectMeld(o.hand, o.meld, o.base),
    e.GoingDownTakenBack: lambda o, s: c.TakeBackGoingDown(o.hand, o.seat),
    e.Floated: lambda o, s: c.Float(o.hand, o.seat),
    e.FloatTakenBack: lambda o, s: c.TakeBackFloat(o.hand, o.seat),
    e.SatOut: lambda o, s: c.SitOut(o.hand, o.seat),
    e.SatBackIn: lambda o, s: c.SitBackIn(o.hand, o.seat),
    e.HandScored: lambda o, s: (
        c.CountHand(o.hand, o.counts)
        if o.counts
        else c.ScoreHand(o.hand, o.out, o.points, True, o.floating, laid=o.laid)
    ),
    e.ScoreCorrected: lambda o, s: (
        c.CorrectCount(o.hand, o.counts)
        if o.counts
        else c.CorrectScore(o.hand, o.out, o.points, True, o.floating, o.laid)
    ),
    e.ChipsPaid: lambda o, s: (
        c.PayAntes(o.hand) if o.what == "ante" else c.PayChips(o.hand, next(iter(o.paid)), o.what)
    ),
    e.HandDealtAnew: lambda o, s: c.DealAnew(o.hand),
    e.SeatJoined: lambda o, s: c.JoinSeat(o.seat, o.place),
    e.SeatLeft: lambda o, s: c.LeaveSeat(o.seat),
    e.SeatReturned: lambda o, s: c.ReturnToSeat(o.seat),
    e.SeatsMoved: lambda o, s: c.MoveSeats(o.order),
    e.DealerSet: lambda o, s: c.SetDealer(o.hand, o.seat),
    e.RuleOverruled: lambda o, s: c.OverruleRule(o.switch, o.value),
    e.CarriedCorrected: lambda o, s: c.CorrectCarried(o.carried, o.begins),
    e.GameClosed: lambda o, s: c.CloseGame(),
    e.GameReopened: lambda o, s: c.ReopenGame(),
}


# --- random commands ------------------------------------------------------------------------------------------------

WEIRD = (-3, -1, 0, 99, 10**30)


def some_seat(rng: Random, state: GameState) -> int:
    return rng.choice(state.seats or (0,)) if rng.random() < 0.93 else rng.choice(WEIRD)


def some_hand(rng: Random, state: GameState) -> int:
    if state.hand and rng.random() < 0.93:
        return state.hand.number
    return rng.choice((1, 2, 10, 11, *WEIRD))


def some_card(rng: Random) -> Card:
    if rng.random() < 0.05:
        return rng.choice((JOKER, Card(rng.choice(list(Rank)), None)))
    return rng.choice(FIFTY_TWO)


def some_meld(rng: Random) -> Meld:
    """A good meld mostly, sometimes nonsense: a run with no suit, thirty cards, a set of twos."""
    if rng.random() < 0.75:
        return rng.choice(melds(rng.choice(LAID)))
    kind = rng.choice(list(Kind))
    cards = tuple(some_card(rng) for _ in range(rng.choice((0, 1, 3, 4, 13, 30))))
    rank = rng.choice((None, *Rank))
    return Meld(kind, cards, rank, rng.choice((None, *Suit)), rng.choice((None, *Rank)))


def some_number(rng: Random, state: GameState) -> int:
    return rng.choice([meld.number for meld in state.hand.melds] if state.hand and state.hand.melds else WEIRD)


def some_points(rng: Random, state: GameState) -> dict[int, int]:
    def points() -> int:
        return rng.choice((0, 5, 45, 120, 295)) if rng.random() < 0.9 else rng.choice((-5, 7, 2000, 10**30))

    seats = state.dealt_in if rng.random() < 0.9 else (*state.seats, 99)
    return {seat: points() for seat in seats if rng.random() < 0.97}


def good_score(rng: Random, state: GameState) -> Command:
    out = rng.choice((*state.dealt_in, None))
    floats = state.hand.floating if state.hand else frozenset()
    points = {seat: 0 if seat == out or seat in floats else rng.choice((5, 40, 95)) for seat in state.dealt_in}
    return c.ScoreHand(some_hand(rng, state), out, points, True)


def bad_score(rng: Random, state: GameState) -> Command:
    points, floats = some_points(rng, state), some_floats(rng, state)
    return c.ScoreHand(some_hand(rng, state), some_seat(rng, state), points, rng.random() < 0.5, floats)


def bad_correction(rng: Random, state: GameState) -> Command:
    floats = rng.choice((None, some_floats(rng, state)))
    return c.CorrectScore(rng.choice((1, 2, 3, 99)), some_seat(rng, state), some_points(rng, state), True, floats)


def good_correction(rng: Random, state: GameState) -> Command:
    if not state.scores:
        return c.Buy(0, 99)
    old = rng.choice(state.scores)
    points = {seat: value and rng.choice((5, 40, 95)) for seat, value in old.points.items()}
    return c.CorrectScore(old.number, old.out, points, True)


def good_play(rng: Random, state: GameState) -> Command:
    """A card that plays, by somebody who is down; the end is not chosen."""
    hand, rules = state.hand, state.rules
    if hand is None or rules is None or not hand.melds:
        return c.Buy(0, 99)
    meld, seat = rng.choice(hand.melds), rng.choice(sorted(hand.down))
    for card in rng.sample(FIFTY_TWO, len(FIFTY_TWO)):
        for play in rng.sample(ways := plays(card, meld.meld, rules), len(ways)):
            if play.action == "replace":
                return c.ReplaceWild(hand.number, seat, meld.number, card)
            if rng.random() < 0.3:
                return c.LayOff(hand.number, seat, meld.number, card)
    return c.Buy(0, 99)


OTHER_VALUES: dict[str, tuple[object, ...]] = {
    "max_wilds": (1, None, -2, "many"),
    "extra_melds": (True, False),
    "lay_off_own": (False, True),
    "buy_when_down": (False,),
    "adjacent_wilds": ("forbidden", "allowed", None),
    "wild_swap": ("off", "runs"),
    "freed_wild": ("hand", "end"),
    "min_players": (2, 3, 0),
    "late_joiner": ("average", "zero"),
    "same_rank_sets": ("forbidden", True),
    "floating": (False, True),
    "decks": (3, 0, 10**30),
    "buys": ((1, 2), ()),
    "contracts": ((),),
    "nonsense": (1, [1]),
}


def some_switch(rng: Random) -> Command:
    switch = rng.choice(sorted(OTHER_VALUES))
    value = rng.choice(OTHER_VALUES[switch])
    return c.OverruleRule(switch, value)


Maker = Callable[[Random, GameState], Command]
_MAKERS: Sequence[tuple[int, Maker]] = (
    (6, lambda r, s: c.Buy(some_hand(r, s), some_seat(r, s), r.choice((None, None, 1, 2, 99, -1)))),
    (2, lambda r, s: c.TakeBackBuy(some_hand(r, s), some_seat(r, s), r.choice((None, 1, 2)))),
    (8, lambda r, s: c.GoDown(some_hand(r, s), some_seat(r, s), contract_melds(r, s))),
    (2, lambda r, s: c.GoDown(some_hand(r, s), some_seat(r, s), tuple(some_meld(r) for _ in range(r.randrange(4))))),
    (2, lambda r, s: c.GoDownWithoutCards(some_hand(r, s), some_seat(r, s))),
    (9, lambda r, s: c.LayOff(some_hand(r, s), some_seat(r, s), some_number(r, s), near_card(r, s), r.choice(ENDS))),
    (5, lambda r, s: c.ReplaceWild(some_hand(r, s), some_seat(r, s), some_number(r, s), near_card(r, s), r.choice(TO))),
    (3, lambda r, s: c.CorrectMeld(some_hand(r, s), some_number(r, s), r.choice((None, some_meld(r), some_meld(r))))),
    (1, lambda r, s: c.Rearrange(some_hand(r, s), some_seat(r, s), (near_card(r, s),), ((some_number(r, s), some_meld(r)),))),
    (14, good_play),
    (2, good_correction),
    (1, lambda r, s: c.TakeBackGoingDown(some_hand(r, s), some_seat(r, s))),
    (2, lambda r, s: c.Float(some_hand(r, s), some_seat(r, s))),
    (1, lambda r, s: c.TakeBackFloat(some_hand(r, s), some_seat(r, s))),
    (1, lambda r, s: c.SitOut(some_hand(r, s), some_seat(r, s))),
    (1, lambda r, s: c.SitBackIn(some_hand(r, s), some_seat(r, s))),
    (3, lambda r, s: good_score(r, s)),
    (2, bad_score),
    (2, bad_correction),
    (1, lambda r, s: c.DealAnew(some_hand(r, s))),
    (1, lambda r, s: c.JoinSeat(r.choice((len(s.seats), 0, 99, -1)), r.choice((None, 0, 2, 99, -5)))),
    (1, lambda r, s: c.LeaveSeat(some_seat(r, s))),
    (1, lambda r, s: c.ReturnToSeat(some_seat(r, s))),
    (1, lambda r, s: c.MoveSeats(tuple(r.sample(s.order, len(s.order))))),
    (1, lambda r, s: c.SetDealer(some_hand(r, s), some_seat(r, s))),
    (1, lambda r, s: some_switch(r)),
    (1, lambda r, s: r.choice((c.CloseGame(), c.ReopenGame(), c.ReopenGame()))),
)  # fmt: skip
ENDS = (None, None, None, "low", "high", "middle")
TO = (None, None, "low", "high", "hand", "moon")


def some_floats(rng: Random, state: GameState) -> frozenset[int]:
    return frozenset({some_seat(rng, state)}) if rng.random() < 0.3 else frozenset()


def contract_melds(rng: Random, state: GameState) -> tuple[Meld, ...]:
    number = state.hand.number if state.hand else 1
    laid = melds(LAID[(number - 1) % len(LAID)])
    return tuple(rng.sample(laid, len(laid)))


def near_card(rng: Random, state: GameState) -> Card:
    """A card that may well play on the table: of a rank that lies there, or beside one that does."""
    lying = [card for laid in (state.hand.melds if state.hand else ()) for card in laid.meld.cards]
    if not lying or rng.random() < 0.2:
        return some_card(rng)
    card = rng.choice(lying)
    rank = min(14, max(2, card.rank + rng.choice((-1, 0, 1))))
    return Card(Rank(rank), card.suit or rng.choice(list(Suit)))


def some_command(rng: Random, state: GameState) -> Command:
    """Something somebody might do, or a bug might send."""
    if state.phase is Phase.CLOSED and rng.random() < 0.5:
        return c.ReopenGame()
    maker = rng.choices([maker for _, maker in _MAKERS], [weight for weight, _ in _MAKERS])[0]
    return maker(rng, state)


def settled(state: GameState, command: Command) -> Command:
    """The command, with the first way chosen where it is legal in several."""
    try:
        decide(state, command)
    except Ambiguous as several:
        play = several.plays[0]
        if isinstance(command, c.LayOff):
            return c.LayOff(command.hand, command.seat, command.meld, command.card, play.action)
        assert isinstance(command, c.ReplaceWild)
        return c.ReplaceWild(command.hand, command.seat, command.meld, command.card, play.wild_to, play.position)
    return command


def random_night(rng: Random, steps: int, rules: Rules = KATE) -> Night:
    """A night of legal commands, one after the other, with undos and redos between them."""
    going = night(rng.randint(rules.min_players, 7), rules, first_hand=rng.choice((1, 1, 1, len(rules.contracts) - 1)))
    for _ in range(steps):
        one_step(rng, going)
    return going


def one_step(rng: Random, going: Night) -> None:
    chance = rng.random()
    if chance < 0.06 and undo_target(going.entries) is not None:
        going.undo()
    elif chance < 0.10 and redo_target(going.entries) is not None:
        going.redo()
    else:
        command = some_command(rng, going.state)
        if not problems(going.state, command):
            going.do(settled(going.state, command))


__all__ = ["KATE", "LAID", "Night", "card", "command_of", "evolve", "meld", "melds", "night", "random_night"]

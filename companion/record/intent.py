"""Whether a late command still means what the person saw when giving it (law 2).

The referee says whether a command is legal now. Here is the rest: the buy, the meld, the scores that it speaks of
must be those that lay on the person's screen.
"""

from collections.abc import Callable
from itertools import chain
from typing import Any

from companion.record.snapshots import Snapshot
from companion.referee import commands
from companion.referee.commands import Command
from companion.referee.events import HandDealtAnew, Redone, Undone, parts
from companion.referee.scoring import purses
from companion.referee.state import GameState, TableMeld

#: What a command speaks of: it is stale when that differs between the state seen and the state now.
_Subject = Callable[[GameState, Any], object]


def has_shifted(command: Command, game: Snapshot, seen: int) -> bool:
    """Whether a command given at the revision ``seen`` of a game means something else now."""
    if isinstance(command, commands.DoTogether):
        return any(has_shifted(each, game, seen) for each in command.commands)
    hand, since = getattr(command, "hand", None), game.events[seen:]
    turned = (game.events[event.entry - 1] for event in since if isinstance(event, Undone | Redone))
    happened = chain.from_iterable(map(parts, (*since, *turned)))
    if any(isinstance(event, HandDealtAnew) and event.hand == hand for event in happened):
        return True
    subject = _SUBJECTS.get(type(command))
    return subject is not None and subject(game.state_at(seen), command) != subject(game.state, command)


def _buys(state: GameState, command: commands.Buy) -> object:
    """A numbered buy speaks for itself."""
    return command.nth if command.nth is not None else state.buys_used(command.seat)


def _meld(state: GameState, number: int) -> TableMeld | None:
    return state.hand.find(number) if state.hand else None


def _laid_on(state: GameState, command: commands.LayOff) -> object:
    """A natural card has one place in a meld however it grew; a wild stands for another card on a longer run."""
    meld = _meld(state, command.meld)
    if meld is None:
        return None
    is_wild = command.card.rank in state.hand_rules.wild_ranks or command.card.suit is None
    return (meld.owner, meld.base, meld.meld if is_wild else None)


def _scores(state: GameState, _command: object) -> object:
    return (state.scores, state.carried, state.seats)


def _is_down(state: GameState, command: commands.GoDown) -> object:
    """Whoever is down already lays further melds: the same form would mean another thing."""
    return (state.hand.is_down(command.seat), state.hand.melds_of(command.seat)) if state.hand else None


def _chips(state: GameState, command: commands.PayChips) -> object:
    """A numbered payment speaks for itself, of another's wild as long as it is that wild."""
    hand = state.hand
    if hand is None:
        return None
    nth = hand.paid_for(command.what, command.seat) if command.nth is None else command.nth
    return (nth, hand.wilds if command.what == "use_wild" else None)


_SUBJECTS: dict[type, _Subject] = {
    commands.Buy: _buys,
    commands.TakeBackBuy: _buys,
    commands.GoDown: _is_down,
    commands.LayOff: _laid_on,
    commands.ReplaceWild: lambda state, command: _meld(state, command.meld),
    commands.Rearrange: lambda state, _: state.hand.melds if state.hand else None,
    commands.CorrectMeld: lambda state, command: _meld(state, command.meld),
    commands.TakeBackGoingDown: lambda state, command: state.hand.melds_of(command.seat) if state.hand else None,
    commands.CorrectScore: _scores,
    commands.CorrectCount: _scores,
    commands.PayAntes: lambda state, _: state.hand.anted if state.hand else None,
    commands.PayChips: _chips,
    commands.FillPurse: lambda state, command: purses(state)[0].get(command.seat),
    commands.CloseGame: _scores,
    commands.CorrectCarried: _scores,
    commands.ResumeHand: _scores,
    commands.DiscardGame: lambda state, _: state,
    commands.DealAnew: lambda state, _: state.hand,
    commands.JoinSeat: lambda state, command: command.place is not None and state.order,
    commands.MoveSeats: lambda state, _: state.order,
    commands.SetDealer: lambda state, _: state.hand.dealer if state.hand else None,
    commands.OverruleRule: lambda state, command: getattr(state.rules, command.switch, None),
}

"""A buy that nobody noted: somebody went down in a hand where that takes more cards than they had without it (G4.6)."""

from dataclasses import dataclass

from companion import wording
from companion.record import GameView
from companion.referee import commands
from companion.referee.commands import Command
from companion.referee.contracts import least_buys
from companion.referee.engine import problems
from companion.referee.events import Bought, WentDown, WentDownWithoutCards, parts
from companion.referee.state import GameState, Hand


@dataclass(frozen=True, slots=True)
class Unnoted:
    """What is said beside the player of ``seat``, and what the button sends that notes the buy."""

    seat: int
    words: str
    do: str


def unnoted_buy(view: GameView, hand: Hand) -> Unnoted | None:
    """The buy that is missing for the going down just entered; None where none is, or none can be noted."""
    state, seat = view.state, _who(view)
    if state.contract is None or seat is None or not hand.is_down(seat) or seat not in state.dealt_in:
        return None
    missing = least_buys(state.contract, state.rules) - hand.buys.get(seat, 0)
    if missing <= 0:
        return None
    nth = state.buys_used(seat) + 1
    buy = commands.Buy(hand.number, seat, nth)
    do = f"buy.{seat}.{nth}" if not problems(state, buy) else f"note.{seat}.{nth}"
    if do.startswith("note") and problems(state, noting(state, seat, nth)):
        return None
    return Unnoted(seat, wording.unnoted_words(view.names[seat], missing), do)


def _who(view: GameView) -> int | None:
    """Whom the last entry says to have gone down, or to have bought."""
    told = parts(view.undo.event) if view.undo else ()
    return next((one.seat for one in told if isinstance(one, WentDown | WentDownWithoutCards | Bought)), None)


def noting(state: GameState, seat: int, nth: int | None) -> Command:
    """Note a buy of somebody who is down where nobody buys any more then: it came before (G5.6)."""
    hand = state.hand
    number, melds = (hand.number, tuple(meld.base for meld in hand.melds_of(seat))) if hand else (0, ())
    down = commands.GoDown(number, seat, melds) if melds else commands.GoDownWithoutCards(number, seat)
    return commands.DoTogether((commands.TakeBackGoingDown(number, seat), commands.Buy(number, seat, nth), down))

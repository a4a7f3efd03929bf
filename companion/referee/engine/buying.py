"""Buys (G5.3, G5.6): how many are left, and giving one back."""

from dataclasses import replace
from types import MappingProxyType

from companion.referee import commands, events
from companion.referee.claims import may_not_buy, none_left
from companion.referee.engine.checks import Problems
from companion.referee.reasons import Reason, refuse
from companion.referee.state import Hand, Playing


def buy_problems(playing: Playing, command: commands.Buy) -> Problems:
    """Why this buy is refused: none left, noted already, or the player floats or is down (G5.3, G5.6)."""
    if command.nth is not None and command.nth <= playing.hand.buys.get(command.seat, 0):
        return refuse(Reason.BUY_ALREADY_NOTED, "G5.4", seat=command.seat, nth=command.nth)
    return none_left(playing, command.seat) + may_not_buy(playing, command.seat)


def back_problems(playing: Playing, command: commands.TakeBackBuy) -> Problems:
    """Why no buy can be given back: there is none, or another phone gave that one back."""
    used = playing.hand.buys.get(command.seat, 0)
    if used > 0 and (command.nth is None or command.nth <= used):
        return ()
    return refuse(Reason.NO_BUY_TO_RETURN, "G5.3", seat=command.seat)


def bought(playing: Playing, event: events.Bought) -> Hand:
    """One buy more."""
    return _count(playing.hand, event.seat, 1)


def taken_back(playing: Playing, event: events.BuyTakenBack) -> Hand:
    """One buy less."""
    return _count(playing.hand, event.seat, -1)


def _count(hand: Hand, seat: int, change: int) -> Hand:
    return replace(hand, buys=MappingProxyType({**hand.buys, seat: max(0, hand.buys.get(seat, 0) + change)}))

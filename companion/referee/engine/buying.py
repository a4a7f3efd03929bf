"""Buys (G5.3, G5.6): how many are left, and giving one back."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

from companion.referee import commands, events
from companion.referee.engine.checks import Problems, dealt_in, problem
from companion.referee.games import game_of
from companion.referee.reasons import Firmness, Reason
from companion.referee.state import GameState

__all__ = ["back_problems", "bought", "buy", "buy_problems", "give_back", "taken_back"]


def buy_problems(state: GameState, command: commands.Buy) -> Problems:
    """Why this buy is refused: none left, noted already, or the player floats or is down (G5.3, G5.6)."""
    if early := dealt_in(state, command.hand, command.seat):
        return early
    return _already_noted(state, command) or _none_left(state, command) + _may_not_buy(state, command.seat)


def _already_noted(state: GameState, command: commands.Buy) -> Problems:
    assert state.hand is not None
    used = state.hand.buys.get(command.seat, 0)
    if command.nth is None or command.nth > used:
        return ()
    return (problem(Reason.BUY_ALREADY_NOTED, "G5.4", firmness=Firmness.LOGIC, seat=command.seat, nth=command.nth),)


def _none_left(state: GameState, command: commands.Buy) -> Problems:
    limit, used = state.buy_limit, state.buys_used(command.seat)
    if limit is None or used < limit:
        return ()
    assert state.rules is not None
    rule, firmness = game_of(state.rules).rule("buys")
    seat, hand = command.seat, command.hand
    return (problem(Reason.NO_BUYS_LEFT, rule, firmness=firmness, seat=seat, used=used, limit=limit, hand=hand),)


def _may_not_buy(state: GameState, seat: int) -> Problems:
    assert state.hand is not None
    assert state.rules is not None
    if seat in state.hand.floating:
        return (problem(Reason.BUYER_FLOATS, "G5.6", seat=seat),)
    if seat in state.hand.down and not state.rules.buy_when_down:
        return (problem(Reason.BUYER_DOWN, "G5.6", firmness=Firmness.SILENT, rests_on="buy_when_down", seat=seat),)
    return ()


def back_problems(state: GameState, command: commands.TakeBackBuy) -> Problems:
    """Why no buy can be given back: there is none, or another phone gave that one back."""
    if early := dealt_in(state, command.hand, command.seat):
        return early
    assert state.hand is not None
    used = state.hand.buys.get(command.seat, 0)
    if used > 0 and (command.nth is None or command.nth <= used):
        return ()
    return (problem(Reason.NO_BUY_TO_RETURN, "G5.3", firmness=Firmness.LOGIC, seat=command.seat),)


def buy(state: GameState, command: commands.Buy) -> events.Bought:
    """The entry of a legal buy."""
    return events.Bought(command.hand, command.seat)


def give_back(state: GameState, command: commands.TakeBackBuy) -> events.BuyTakenBack:
    """The entry of a buy given back."""
    return events.BuyTakenBack(command.hand, command.seat)


def bought(state: GameState, event: events.Bought) -> GameState:
    """One buy more."""
    return _count(state, event.seat, 1)


def taken_back(state: GameState, event: events.BuyTakenBack) -> GameState:
    """One buy less."""
    return _count(state, event.seat, -1)


def _count(state: GameState, seat: int, change: int) -> GameState:
    if state.hand is None:
        return state
    buys = {**state.hand.buys, seat: max(0, state.hand.buys.get(seat, 0) + change)}
    return replace(state, hand=replace(state.hand, buys=MappingProxyType(buys)))

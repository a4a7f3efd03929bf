"""Melds and switch values as they are written inside a line."""

from __future__ import annotations

import ast
import dataclasses
import typing
from collections.abc import Callable
from typing import Any
from urllib.parse import quote, unquote

from companion.referee.cards import Card, Rank, format_cards, parse_card, parse_cards
from companion.referee.games import SHEETS
from companion.referee.melds import Meld, rank_at
from companion.referee.rules import Contract, Kind, Rules, Slot

__all__ = ["format_meld", "format_rules", "format_switch", "read_meld", "read_rules", "read_switch"]


# --- melds ------------------------------------------------------------------------------------------------------


def format_meld(meld: Meld) -> str:
    """``set 9? 9? 2S`` or ``run 4S 2H 6S``; ``set(9)`` and ``run(4S)`` where the cards alone would not say.

    >>> from companion.referee.cards import Suit
    >>> format_meld(Meld.run_from(Suit.SPADES, Rank.FOUR, parse_cards("4S 2H 6S")))
    'run 4S 2H 6S'
    >>> format_meld(Meld.run_from(Suit.SPADES, Rank.FOUR, parse_cards("2D 2H 2S")))
    'run(4S) 2D 2H 2S'
    """
    plain = f"{meld.kind.value} {format_cards(meld.cards)}".rstrip()
    if _by_cards(meld.kind, meld.cards) == meld:
        return plain
    symbol = meld.rank.symbol if meld.rank else str(Card(meld.low or Rank.JOKER, meld.suit))
    return f"{meld.kind.value}({symbol}) {format_cards(meld.cards)}".rstrip()


def read_meld(text: str) -> Meld:
    """The meld that ``format_meld`` wrote; raises ValueError where the words or the cards are none.

    >>> read_meld("run 2D 5S 6S").low
    <Rank.FOUR: 4>
    """
    head, _, rest = text.strip().partition(" ")
    word, _, declared = head.rstrip(")").partition("(")
    kind, cards = Kind(word), parse_cards(rest)
    if not declared:
        return _by_cards(kind, cards)
    if kind is Kind.SET:
        return Meld(kind, cards, rank=parse_card(declared + "?").rank if declared != "JK" else Rank.JOKER)
    low = parse_card(declared)
    return Meld(kind, cards, suit=low.suit, low=low.rank)


def _by_cards(kind: Kind, cards: tuple[Card, ...]) -> Meld:
    """The meld that its first card above a 2 declares: the rank of the set, or the place in the run."""
    index = next((i for i, card in enumerate(cards) if card.rank > Rank.TWO), None)
    if index is None:
        return Meld(kind, cards)
    card = cards[index]
    if kind is Kind.SET:
        return Meld(kind, cards, rank=card.rank)
    place = int(card.rank) - index
    low = Rank(place) if place >= Rank.TWO else rank_at(card.rank, -index % 13)
    return Meld(kind, cards, suit=card.suit, low=low)


# --- switches ---------------------------------------------------------------------------------------------------


def _contracts(text: str) -> tuple[Contract, ...]:
    return tuple(Contract(tuple(_slot(slot) for slot in one.split("+"))) for one in text.split(",") if one)


def _slot(text: str) -> Slot:
    return Slot(Kind(text.rstrip("0123456789")), int(text.lstrip("setrun")))


def _write_contracts(contracts: tuple[Contract, ...]) -> str:
    return ",".join("+".join(f"{slot.kind.value}{slot.size}" for slot in one.slots) for one in contracts)


def _points(text: str) -> tuple[tuple[Rank, int], ...]:
    pairs = (pair.split(":") for pair in text.split(",") if pair)
    return tuple((_rank(symbol), int(points)) for symbol, points in pairs)


def _rank(symbol: str) -> Rank:
    return Rank.JOKER if symbol == "JK" else parse_card(symbol + "?").rank


def _flag(text: str) -> bool:
    return {"on": True, "off": False}[text]


def _choice(values: tuple[str, ...], text: str) -> str:
    if text not in values:
        raise ValueError(text)
    return text


_Write = Callable[[Any], str]
_Read = Callable[[str], object]


def _kinds_of_switch() -> dict[str, tuple[_Write, _Read]]:
    """How each switch is written and read, by the type its field declares."""
    return {name: _kind_of(name, hint) for name, hint in typing.get_type_hints(Rules).items()}


def _kind_of(name: str, hint: Any) -> tuple[_Write, _Read]:
    if name in _SPECIAL:
        return _SPECIAL[name]
    if hint is bool:
        return (lambda value: {True: "on", False: "off"}[value]), _flag
    if typing.get_origin(hint) is typing.Literal:
        values = typing.get_args(hint)
        return (lambda value: _choice(values, value)), (lambda text: _choice(values, text))
    if type(None) in typing.get_args(hint):
        return (lambda value: "none" if value is None else str(value)), (lambda t: None if t == "none" else int(t))
    return (str, int) if hint is int else (quote, unquote)


_SPECIAL: dict[str, tuple[_Write, _Read]] = {
    "contracts": (_write_contracts, _contracts),
    "wild_ranks": (
        lambda ranks: ",".join(rank.symbol for rank in ranks),
        lambda text: tuple(_rank(symbol) for symbol in text.split(",") if symbol),
    ),
    "points": (lambda pairs: ",".join(f"{rank.symbol}:{points}" for rank, points in pairs), _points),
    "buys": (
        lambda buys: ",".join(map(str, buys)),
        lambda text: tuple(int(one) for one in text.split(",") if one),
    ),
}
_SWITCHES = _kinds_of_switch()


def format_switch(switch: str, value: object) -> str:
    """``max_wilds=2``, ``extra_melds=on``; a value no switch has is written so that it still reads back exactly.

    >>> format_switch("max_wilds", None), format_switch("max_wilds", "many")
    ('max_wilds=none', 'max_wilds=!%27many%27')
    """
    name = quote(switch, safe="")
    written = _ordinary(switch, value)
    return f"{name}={written}" if written is not None else f"{name}=!{quote(repr(value), safe='')}"


def _ordinary(switch: str, value: object) -> str | None:
    """The value in its switch's own way of writing, if it reads back the same."""
    if switch not in _SWITCHES:
        return None
    write, read = _SWITCHES[switch]
    try:
        text = write(value)
        return text if _same(read(text), value) and not text.startswith("!") else None
    except (ValueError, TypeError, KeyError, AttributeError):  # not a value of that switch: written with its repr
        return None


def _same(one: object, other: object) -> bool:
    return type(one) is type(other) and one == other


def read_switch(text: str) -> tuple[str, object]:
    """The switch and value that ``format_switch`` wrote; raises ValueError where there is none.

    >>> read_switch("extra_melds=on")
    ('extra_melds', True)
    """
    name, separator, value = text.partition("=")
    switch = unquote(name)
    if not separator:
        raise ValueError(text)
    if value.startswith("!"):
        return switch, ast.literal_eval(unquote(value[1:]))
    if switch not in _SWITCHES:
        raise ValueError(text)
    try:
        return switch, _SWITCHES[switch][1](value)
    except KeyError:
        raise ValueError(text) from None


def format_rules(rules: Rules) -> str:
    """The sheet's name and what differs from it: ``kate max_wilds=2 decks=3``.

    >>> from companion.referee.games import KATE
    >>> format_rules(KATE.replace(max_wilds=2))
    'kate max_wilds=2'
    """
    base = _base(rules.sheet)
    names = (field.name for field in dataclasses.fields(Rules) if field.name != "sheet")
    changed = (name for name in names if getattr(rules, name) != getattr(base, name))
    return " ".join([quote(rules.sheet, safe=""), *(format_switch(name, getattr(rules, name)) for name in changed)])


def read_rules(text: str) -> Rules:
    """The rules that ``format_rules`` wrote; raises ValueError, BadRules among them.

    >>> read_rules("kate max_wilds=2").max_wilds
    2
    """
    name, *switches = text.split()
    changes = dict(read_switch(switch) for switch in switches)
    return dataclasses.replace(_base(unquote(name)), **changes)  # type: ignore[arg-type]


def _base(sheet: str) -> Rules:
    """The sheet of that name; one that is not known any more is written as it differs from Kate's."""
    return SHEETS[sheet] if sheet in SHEETS else SHEETS["kate"].replace(sheet=sheet)

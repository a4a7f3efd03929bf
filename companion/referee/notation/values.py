"""Melds and switch values as they are written inside a line."""

import ast
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import quote, unquote

from companion.referee.cards import Card, Rank, Suit, format_cards, parse_card, parse_cards
from companion.referee.games import SHEETS
from companion.referee.games.gripe import contract
from companion.referee.melds import Meld, rank_at
from companion.referee.rules import Contract, Kind, Rules, economy
from companion.referee.typed import Walker, field_types

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
    if meld.kind is Kind.COLOUR and meld.suit:
        symbol = meld.suit.value
    else:
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
    if kind is Kind.COLOUR:
        return Meld.colour_of(Suit(declared), cards)
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
    if kind is Kind.COLOUR:
        return Meld(kind, cards, suit=card.suit)
    place = int(card.rank) - index
    low = Rank(place) if place >= Rank.TWO else rank_at(card.rank, -index % 13)
    return Meld(kind, cards, suit=card.suit if kind is Kind.RUN else None, low=low)


# --- switches ---------------------------------------------------------------------------------------------------


def _read_contract(text: str) -> Contract:
    return contract(text.replace("+", " "))


def _write_contract(of: Contract) -> str:
    return "all" if of.is_everything else "+".join(f"{slot.kind.value}{slot.size}" for slot in of.slots)


def _rank(symbol: str) -> Rank:
    return Rank.JOKER if symbol == "JK" else parse_card(symbol + "?").rank


def _choice(words: tuple[str, ...], text: str) -> str:
    if text not in words:
        raise ValueError(text)
    return text


class _Form(NamedTuple):
    """How a value is written in a line, and how it is read again."""

    write: Callable[[Any], str]
    read: Callable[[str], Any]


_PLAIN = {
    bool: _Form(lambda value: {True: "on", False: "off"}[value], lambda text: {"on": True, "off": False}[text]),
    int: _Form(str, int),
    str: _Form(quote, unquote),
}


def _record_form(of: Any, forms: Mapping[str, _Form]) -> _Form:
    """The fields in their order; a list among them is written with plus signs."""
    return _Form(
        lambda value: "/".join(form.write(getattr(value, name)).replace(",", "+") for name, form in forms.items()),
        lambda text: of(
            *(form.read(part.replace("+", ",")) for form, part in zip(forms.values(), text.split("/"), strict=True))
        ),
    )


#: How the value of every switch is written and read, by its declared type.
_FORMS: Walker[_Form] = Walker(
    plain=_PLAIN.__getitem__,
    choice=lambda words: _Form(partial(_choice, words), partial(_choice, words)),
    member=lambda of: _Form(lambda member: str(member.value), of),
    optional=lambda form: _Form(
        lambda value: "none" if value is None else form.write(value),
        lambda text: None if text == "none" else form.read(text),
    ),
    many=lambda form, of: _Form(
        lambda values: ",".join(map(form.write, values)),
        lambda text: of(form.read(part) for part in text.split(",") if part),
    ),
    row=lambda forms: _Form(
        lambda values: ":".join(form.write(part) for form, part in zip(forms, values, strict=True)),
        lambda text: tuple(form.read(part) for form, part in zip(forms, text.split(":"), strict=True)),
    ),
    record=_record_form,
    own={Contract: _Form(_write_contract, _read_contract), Rank: _Form(lambda rank: rank.symbol, _rank)},
)
_SWITCHES = {name: _FORMS.of(hint) for name, hint in field_types(Rules).items()}
#: The limit on the buys of a whole game is written by the name it had first.
_WRITTEN_AS = {"buys_per_game": "chips"}
_READ_AS = {written: name for name, written in _WRITTEN_AS.items()}


def format_switch(switch: str, value: object) -> str:
    """``max_wilds=2``, ``extra_melds=on``; a value no switch has is written so that it still reads back exactly.

    >>> format_switch("max_wilds", None), format_switch("max_wilds", "many")
    ('max_wilds=none', 'max_wilds=!%27many%27')
    """
    name = quote(_WRITTEN_AS.get(switch, switch), safe="")
    written = _ordinary(switch, value)
    return f"{name}={written}" if written is not None else f"{name}=!{quote(repr(value), safe='')}"


def _ordinary(switch: str, value: object) -> str | None:
    """The value in its switch's own way of writing, if it reads back the same."""
    if switch not in _SWITCHES:
        return None
    form = _SWITCHES[switch]
    try:
        text = form.write(value)
        again = form.read(text)
        return text if type(again) is type(value) and again == value and not text.startswith("!") else None
    except (ValueError, TypeError, KeyError, AttributeError):  # not a value of that switch: written with its repr
        return None


def read_switch(text: str) -> tuple[str, object]:
    """The switch and value that ``format_switch`` wrote; raises ValueError where there is none.

    >>> read_switch("extra_melds=on")
    ('extra_melds', True)
    """
    name, separator, value = text.partition("=")
    switch = _READ_AS.get(name, unquote(name))
    if not separator:
        raise ValueError(text)
    if value.startswith("!"):
        return switch, ast.literal_eval(unquote(value[1:]))
    if switch not in _SWITCHES:
        raise ValueError(text)
    try:
        return switch, _SWITCHES[switch].read(value)
    except KeyError:
        raise ValueError(text) from None


def format_rules(rules: Rules) -> str:
    """The sheet's name and what differs from it: ``kate max_wilds=2 decks=3``.

    >>> from companion.referee.games import KATE
    >>> format_rules(KATE.replace(max_wilds=2))
    'kate max_wilds=2'
    """
    base = _base(rules.sheet)
    changed = dict(rules.differences(base))
    if "buys_per_game" in changed:
        said = economy(rules.buys_per_game)
        changed |= {name: getattr(rules, name) for name in said}
        changed = {name: value for name, value in changed.items() if name not in said or value != said[name]}
    return " ".join([quote(rules.sheet, safe=""), *(format_switch(name, value) for name, value in changed.items())])


def read_rules(text: str) -> Rules:
    """The rules that ``format_rules`` wrote; raises ValueError, BadRules among them.

    >>> read_rules("kate max_wilds=2").max_wilds
    2
    """
    name, *switches = text.split()
    changes = dict(read_switch(switch) for switch in switches)
    if "buys_per_game" in changes:
        limit = changes["buys_per_game"]
        changes = {**economy(limit if isinstance(limit, int) else None), **changes}
    return _base(unquote(name)).replace(**changes)


def _base(sheet: str) -> Rules:
    """The sheet of that name; one that is not known any more is written as it differs from Kate's."""
    return SHEETS[sheet] if sheet in SHEETS else SHEETS["kate"].replace(sheet=sheet)

"""Questions typed into an address: cards, melds a line each, a hand's number, a sheet; with what is wrong beside each."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, field

from flask_babel import lazy_gettext

from companion.forms.numbers import whole
from companion.referee.cards import Card, MalformedCard, parse_card, parse_cards
from companion.referee.games import SHEETS
from companion.referee.rules import Rules
from companion.wording import form_error

TYPED_LIMIT = 600  # characters of a field
#: The rule sheets that can be asked about, with their short names.
SHEETS_ASKED = {"kate": lazy_gettext("Kate's"), "ehow": lazy_gettext("How-to")}
CARDS_LIMIT = 40  # a hand holds at most 20 or so


@dataclass(slots=True)
class Asked:
    """What was asked: values read, the text as typed, and a sentence for each field that cannot be read."""

    typed: Mapping[str, str]
    rules: Rules
    sheet: str
    cards: tuple[Card, ...] = ()
    groups: tuple[tuple[Card, ...], ...] = ()
    hand: int = 1
    card: Card | None = None
    errors: dict[str, str] = field(default_factory=dict)
    begun: bool = False

    @property
    def complete(self) -> bool:
        """Something was asked, and all of it could be read."""
        return self.begun and not self.errors


def read(args: Mapping[str, str], wanted: Set[str]) -> Asked:
    """Read a question; ``wanted`` are its fields: "cards", "groups", "hand"."""
    sheet = args.get("sheet") if args.get("sheet") in SHEETS_ASKED else "kate"
    typed = {key: args.get(key, "")[:TYPED_LIMIT] for key in ("cards", "groups", "hand", "card")}
    asked = Asked(typed, SHEETS[sheet or "kate"], sheet or "kate", begun=any(key in args for key in wanted - {"hand"}))
    if not asked.begun:
        return asked
    for key in wanted:
        {"cards": _cards, "groups": _groups, "hand": _hand}[key](asked, args.get(key, ""))
    _card(asked, typed["card"])
    return asked


def _cards(asked: Asked, text: str) -> None:
    if not _short_enough(asked, "cards", text):
        return
    try:
        asked.cards = parse_cards(text)
    except MalformedCard as error:
        asked.errors["cards"] = form_error("bad_card", text=error.text[:20])
        return
    if not asked.cards:
        asked.errors["cards"] = form_error("no_cards")
    elif len(asked.cards) > CARDS_LIMIT:
        asked.errors["cards"] = form_error("too_big", most=CARDS_LIMIT)


def _groups(asked: Asked, text: str) -> None:
    if not _short_enough(asked, "groups", text):
        return
    try:
        groups = tuple(parse_cards(line) for line in text.splitlines())
    except MalformedCard as error:
        asked.errors["groups"] = form_error("bad_card", text=error.text[:20])
        return
    asked.groups = tuple(group for group in groups if group)
    if not asked.groups:
        asked.errors["groups"] = form_error("no_cards")


def _short_enough(asked: Asked, key: str, text: str) -> bool:
    if len(text) > TYPED_LIMIT:
        asked.errors[key] = form_error("too_long", limit=TYPED_LIMIT)
    return len(text) <= TYPED_LIMIT


def _hand(asked: Asked, text: str) -> None:
    number = whole(text, 3)
    if number is not None and 1 <= number <= len(asked.rules.contracts):
        asked.hand = number
    else:
        asked.errors["hand"] = form_error("unknown_choice")


def _card(asked: Asked, text: str) -> None:
    if not text:
        return
    try:
        asked.card = parse_card(text)
    except MalformedCard:
        asked.errors["card"] = form_error("bad_card", text=text[:20])
        return
    if asked.card.suit is None:
        asked.card = None
        asked.errors["card"] = form_error("bad_card", text=text[:20])

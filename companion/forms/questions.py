"""Questions to the referee, typed into an address: cards, melds a line each, a hand's number, a rule sheet."""

from typing import Any

from flask_babel import lazy_gettext as _l
from werkzeug.datastructures import MultiDict

from companion.forms.cards import Cards, Groups
from companion.forms.fields import Choice, Field, Form, hand_options, wrong
from companion.referee.cards import Card, MalformedCard, parse_card
from companion.referee.games import SHEETS
from companion.referee.melds import is_wild_card

TYPED_LIMIT = 600  # characters of a field
CARDS_LIMIT = 40  # a hand holds at most 20 or so
_CARDS = {"most": CARDS_LIMIT, "limit": TYPED_LIMIT}
_HINT = _l("For example 4S 2H 6S. A 10 is 10 or T; suits are S, H, D, C.")
_ONE_A_LINE = _l("One meld a line, low end first: 4S 2H 6S")
#: The rule sheets that can be asked about, with their short names.
_SHEETS = (("kate", _l("Kate's")), ("ehow", _l("How-to")))


class Sheet(Choice):
    """The rule sheet; the first for any other text."""

    def process_formdata(self, sent: Any) -> None:
        super().process_formdata([text for text in sent if text in dict(self.options)])


class ExactCard(Field):
    """One card with its suit; "" is none."""

    def read(self, text: str) -> Card | None:
        try:
            card = parse_card(text) if text else None
        except MalformedCard:
            raise wrong("bad_card", text=text[:20]) from None
        if card and card.suit is None:
            raise wrong("bad_card", text=text[:20])
        return card


class HandCards(Cards):
    """The cards of a hand, which need their suits: one without could lie in a run nobody knows of."""

    def read(self, text: str) -> tuple[Card, ...]:
        cards = super().read(text)
        for card in cards:
            if card.suit is None and not is_wild_card(card, self._form.rules):
                raise wrong("bad_card", text=card.rank.symbol)
        return cards


class Question(Form):
    """What was asked; ``complete``: something was, and all of it could be read."""

    sheet = Sheet(_l("Rule sheet"), options=_SHEETS, default="kate")

    def __init__(self, sent: MultiDict[str, str]) -> None:
        super().__init__(sent)
        self.rules = SHEETS[self.sheet.text]
        if "hand" in self:
            self.hand.options = hand_options(self.rules)
        self.complete = any(field.name in sent for field in self if isinstance(field, Cards)) and self.validate()


class MeldQuestion(Question):
    """Is this a meld?"""

    cards = Cards(_l("The cards, in the order they lie"), hint=_HINT, **_CARDS)


class DiscardQuestion(Question):
    """May I throw it?"""

    groups = Groups(_l("The melds on the table"), hint=_ONE_A_LINE, **_CARDS)
    card = ExactCard()


class ContractQuestion(Question):
    """Does this fill the hand?"""

    hand = Choice(_l("Hand"), default="1")
    groups = Groups(_l("The melds to lay"), hint=_ONE_A_LINE, **_CARDS)


class HandQuestion(Question):
    """Can these cards go down?"""

    hand = Choice(_l("Hand"), default="1")
    cards = HandCards(_l("Your cards"), hint=_HINT, **_CARDS)

"""Questions to the referee, typed into an address: cards, melds a line each, a hand's number, a rule sheet."""

from typing import Any

from flask_babel import lazy_gettext as _l
from werkzeug.datastructures import MultiDict

from companion import wording
from companion.forms.cards import Cards, Groups
from companion.forms.fields import Choice, Field, Form, hand_options, wrong
from companion.forms.numbers import whole
from companion.referee.cards import Card, MalformedCard, parse_card
from companion.referee.games import GAMES
from companion.referee.melds import is_wild_card
from companion.referee.rules import Rules

TYPED_LIMIT = 600  # characters of a field
CARDS_LIMIT = 40  # a hand holds at most 20 or so
_CARDS = {"most": CARDS_LIMIT, "limit": TYPED_LIMIT}
_HINT = _l("For example 4S 2H 6S. A 10 is 10 or T; suits are S, H, D, C.")
_ONE_A_LINE = _l("One meld a line, low end first: 4S 2H 6S")
#: The rule sheets that can be asked about, Kate's first.
SHEETS = {
    rules.sheet: rules for game in GAMES.values() if game.asks == "melds" and game.is_offered for rules in game.sheets
}


class Sheet(Choice):
    """The rule sheet; the usual one for any other text."""

    def process_formdata(self, sent: Any) -> None:
        super().process_formdata([text for text in sent if text in SHEETS])


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
    """What was asked; ``complete``: something was, and all of it could be read.

    ``table`` are the rules of the game that it is asked in, whose hand ``number`` is played; without a game a sheet is
    chosen, and ``usual`` is the one that was chosen last. ``rules`` are those of the hand that is asked about.
    """

    #: Whether the answer depends on the hand in every game, not only where each hand has wilds of its own.
    needs_hand = False

    sheet = Sheet(_l("Rule sheet"), default="kate")
    hand = Choice(_l("Hand"))

    def __init__(
        self, sent: MultiDict[str, str], table: Rules | None = None, number: int = 1, usual: str | None = None
    ) -> None:
        super().__init__(sent, sheet=usual if usual in SHEETS else "kate", hand=str(number))
        rules = table or SHEETS[self.sheet.text]
        if table:
            del self.sheet
        else:
            self.sheet.options = [(sheet, wording.sheet_name(sheet)) for sheet in SHEETS]
        self.hand.options = hand_options(rules)
        self.rules = rules.in_deal(whole(self.hand.text, 2) or 0)
        if not self.needs_hand and not rules.deals:
            del self.hand  # every hand has the same wilds
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

    needs_hand = True
    groups = Groups(_l("The melds to lay"), hint=_ONE_A_LINE, **_CARDS)


class HandQuestion(Question):
    """Can these cards go down?"""

    needs_hand = True
    cards = HandCards(_l("Your cards"), hint=_HINT, **_CARDS)

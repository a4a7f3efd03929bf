"""The table as somebody rearranges it (P6): typed lines, one meld a line, and the taps that change them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from flask_babel import lazy_gettext as _l
from werkzeug.datastructures import MultiDict

from companion.forms.cards import Cards
from companion.forms.fields import Field, Form, Several
from companion.forms.melds import Reading
from companion.forms.numbers import whole
from companion.referee.cards import Card, MalformedCard, parse_card
from companion.referee.commands import Rearrange
from companion.referee.melds import Meld, is_wild_card, rank_at
from companion.referee.readings import readings_in_order
from companion.referee.rules import Kind, Rules
from companion.referee.state import Hand, TableMeld
from companion.wording import form_error

#: New melds that can be typed at a time; a turn hardly lays more.
MOST_NEW = 6

Values = MultiDict[str, str]


class OfHand(Cards):
    """Cards from the hand; none where nothing is typed."""

    def read(self, text: str) -> Any:
        return super().read(text) if text.strip() else ()


_LINE: Any = OfHand(_l("Cards, low end first"))
_READING: Any = Reading()


@dataclass(slots=True)
class Line:
    """What one meld becomes: of the meld ``on`` the table, or a new one. ``field`` has its cards as typed, low end first.

    ``meld`` is what they make, by the ``reading`` chosen; None where nothing is typed, or something is wrong with a field.
    """

    key: str
    field: Cards
    reading: Reading
    on: TableMeld | None
    cards: tuple[Card, ...] = ()
    meld: Meld | None = None


class Draft(Form):
    """What the table is to become: a line for each meld taken up (``m``) and for each new one, and the hand cards as typed.

    ``loose`` are the cards taken up or from hand that lie in no line yet, ``cards`` those from hand. ``into`` is the
    line that a tapped card goes to. It is read after the tap that sent it (``do``).
    """

    hand = OfHand(
        _l("Cards played from the hand"),
        hint=_l("For example 5S KC. Left empty, they are worked out from the melds."),
    )
    into = Field(kept=20)
    do = Field(kept=40)
    m = Several()

    def __init__(self, sent: Values, hand: Hand, seat: int, rules: Rules) -> None:
        super().__init__(sent, hand=written(hand.freed_by(seat)))
        self.number, self.seat = hand.number, seat
        self.sent, self.cards, self.loose = sent, tuple[Card, ...](), tuple[Card, ...]()
        taken = [self._line(f"m-{on.number}", on) for on in hand.melds if str(on.number) in self.m.data]
        self.lines = taken + [self._line(f"n-{at}") for at in range(MOST_NEW) if f"n-{at}" in sent]
        _tap(self, hand, rules)
        _read(self, rules)
        if self.into.text not in (line.key for line in self.lines):
            self.into.text = self.lines[0].key if self.lines else ""

    def _line(self, key: str, on: TableMeld | None = None) -> Line:
        field = _LINE.bind(form=self, name=key)
        field.process(self.sent, written(on.meld.cards) if on else "")
        reading = _READING.bind(form=self, name=f"{key}-reading")
        reading.process(self.sent, "")
        return Line(key, field, reading, on)

    def add(self, key: str, on: TableMeld | None = None) -> Line:
        """One more line, which cards go to."""
        line = self._line(key, on)
        self.lines.append(line)
        self.lines.sort(key=lambda line: (line.on is None, line.on.number if line.on else 0))
        self.into.text = key
        return line

    @property
    def is_readable(self) -> bool:
        """Whether every line and the hand could be read."""
        return not self.hand.error and not any(line.field.error for line in self.lines)

    @property
    def holding(self) -> bool:
        """Whether cards from the hand are being tapped."""
        return self.do.text.startswith(("hold", "unhold"))

    @property
    def pairs(self) -> Iterable[tuple[str, str]]:
        """The draft as a form sends it again; the hand cards are written out."""
        yield "hand", written(self.cards)
        for line in self.lines:
            yield from [("m", str(line.on.number))] if line.on else []
            yield from (*line.field.pairs, *line.reading.pairs)

    def command(self) -> Rearrange:
        """What the draft asks for: the melds taken up with what they become, and those laid besides."""
        changed = tuple((line.on.number, line.meld) for line in self.lines if line.on and line.meld)
        new = tuple(line.meld for line in self.lines if line.on is None and line.meld)
        return Rearrange(self.number, self.seat, self.cards, changed, new)


def written(cards: Sequence[Card]) -> str:
    """Cards as somebody would type them: no mark for a suit that nobody typed."""
    return " ".join(str(card).removesuffix("?") for card in cards)


# --- what a tap does ------------------------------------------------------------------------------------------------


def _tap(draft: Draft, hand: Hand, rules: Rules) -> None:
    what, _dot, rest = draft.do.text.partition(".")
    line = _line_of(draft, rest.partition(".")[0] or draft.into.text)
    if what == "take":
        _take_up(draft, next((on for on in hand.melds if str(on.number) == rest), None))
    elif what == "leave" and line:
        draft.lines.remove(line)
    elif what == "new":
        _add_new(draft)
    elif what == "hold" and (card := _card(rest)):
        draft.hand.text = f"{draft.hand.text} {written([card])}".strip()
    elif what == "unhold":
        draft.hand.text = " ".join(draft.hand.text.split()[:-1])
    elif what == "off" and line:
        _take_off(line, rest.rpartition(".")[2])
    elif what == "put" and (card := _card(rest)):
        _put(draft, card, rules)


def _line_of(draft: Draft, key: str) -> Line | None:
    return next((line for line in draft.lines if line.key == key), None)


def _card(text: str) -> Card | None:
    try:
        return parse_card(text)
    except MalformedCard:
        return None


def _take_up(draft: Draft, on: TableMeld | None) -> None:
    if on and all(line.on is None or line.on.number != on.number for line in draft.lines):
        draft.add(f"m-{on.number}", on)


def _add_new(draft: Draft) -> Line | None:
    free = next((key for at in range(MOST_NEW) if _line_of(draft, key := f"n-{at}") is None), None)
    return draft.add(free) if free else None


def _take_off(line: Line, at: str) -> None:
    place = whole(at, 2)
    if line.field.validate(None) and place is not None:
        line.field.text = written([card for position, card in enumerate(line.field.data) if position != place])


def _put(draft: Draft, card: Card, rules: Rules) -> None:
    """The card goes into the line chosen: to the place of a wild that stands for it, to the low end, or else last."""
    line = _line_of(draft, draft.into.text) or (draft.lines[0] if draft.lines else _add_new(draft))
    if line is None:
        return
    cards = line.field.data if line.field.validate(None) else ()
    meld = _becomes(line.on.meld, cards, rules) if line.on and cards else None
    line.field.text = written(_with(meld, card, rules)) if meld else f"{line.field.text} {written([card])}".strip()


def _with(meld: Meld, card: Card, rules: Rules) -> list[Card]:
    cards = list(meld.cards)
    if meld.low is None or is_wild_card(card, rules) and card.suit is not meld.suit:
        return [*cards, card]
    for at in meld.wild_positions():
        if meld.stands_for(at) == card:
            cards[at] = card
            return cards
    below = card == Card(rank_at(meld.low, -1), meld.suit)
    return [card, *cards] if below else [*cards, card]


# --- what the lines are ---------------------------------------------------------------------------------------------


def _read(draft: Draft, rules: Rules) -> None:
    draft.hand.validate(draft)
    typed = draft.hand.data or ()
    for line in draft.lines:
        line.field.validate(draft)
        line.cards = line.field.data or ()
    had = Counter(typed) + Counter(card for line in draft.lines if line.on for card in line.on.meld.cards)
    pool = had.copy()
    for line in draft.lines:
        line.cards = tuple(_settled(card, pool) for card in line.cards)
    strange = Counter(card for line in draft.lines for card in line.cards) - had
    draft.cards = typed if draft.hand.text.strip() else tuple(strange.elements())
    draft.loose = tuple(sorted(pool.elements(), key=lambda card: (-card.rank, str(card))))
    for line in draft.lines:
        _make(line, rules)


def _settled(card: Card, pool: Counter[Card]) -> Card:
    """The card, taken out of the pool; where one of them has no suit, a card of its rank is meant."""
    if pool[card] == 0:
        alike = (other for other in +pool if other.rank is card.rank and None in (other.suit, card.suit))
        card = next(alike, card)
    pool -= Counter([card])
    return card


def _make(line: Line, rules: Rules) -> None:
    if line.field.error:
        return
    if line.on:
        line.meld = _becomes(line.on.meld, line.cards, rules)
    elif line.cards:
        line.meld = line.reading.choose(line.cards, None, rules)
        if line.meld is None:
            line.field.error = form_error("choose_reading")


def _becomes(was: Meld, cards: Sequence[Card], rules: Rules) -> Meld:
    """The cards as the meld that lay there: its rank, or its suit with the first plain card in its place."""
    if was.kind is Kind.SET or was.suit is None:
        return Meld(was.kind, tuple(cards), was.rank)
    plain = next((at for at, card in enumerate(cards) if card.suit is was.suit and not is_wild_card(card, rules)), None)
    if plain is not None:
        return Meld.run_from(was.suit, rank_at(cards[plain].rank, -plain), cards)
    lie = (meld for meld in readings_in_order(cards, rules) if meld.suit is was.suit)
    return next(lie, Meld(Kind.RUN, tuple(cards), None, was.suit, was.low))

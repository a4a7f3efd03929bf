"""The table as somebody rearranges it (P6): typed lines, one meld a line, and the taps that change them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from werkzeug.datastructures import MultiDict

from companion import wording
from companion.forms.melds import TYPED_LIMIT, read, typed_cards
from companion.forms.numbers import whole
from companion.referee.cards import Card, MalformedCard, parse_card
from companion.referee.melds import Meld, is_wild_card, rank_at, readings_in_order
from companion.referee.rules import Kind, Rules
from companion.referee.state import Hand, TableMeld

#: New melds that can be typed at a time; a turn hardly lays more.
MOST_NEW = 6

Values = MultiDict[str, str]


@dataclass(slots=True)
class Line:
    """What one meld becomes: of the meld ``on`` the table, or a new one. ``cards`` low end first, as typed.

    ``meld`` is what they make; None where nothing is typed, or where ``error`` says what is wrong; then ``readings`` are
    the ways to lie that somebody has to choose from.
    """

    key: str
    text: str
    on: TableMeld | None = None
    chosen: str = ""
    cards: tuple[Card, ...] = ()
    meld: Meld | None = None
    error: str = ""
    readings: tuple[Meld, ...] = ()


@dataclass(slots=True)
class Draft:
    """What the table is to become: a line for each meld taken up and for each new one, and the hand cards as typed.

    ``loose`` are the cards taken up or from hand that lie in no line yet, ``cards`` those from hand. ``into`` is the
    line that a tapped card goes to.
    """

    lines: list[Line] = field(default_factory=list)
    hand: str = ""
    into: str = ""
    cards: tuple[Card, ...] = ()
    loose: tuple[Card, ...] = ()
    error: str = ""

    @property
    def is_readable(self) -> bool:
        """Whether every line and the hand could be read."""
        return not self.error and not any(line.error for line in self.lines)

    @property
    def changed(self) -> tuple[tuple[int, Meld], ...]:
        """The melds taken up, with what they become."""
        return tuple((line.on.number, line.meld) for line in self.lines if line.on and line.meld)

    @property
    def new(self) -> tuple[Meld, ...]:
        """The melds laid besides."""
        return tuple(line.meld for line in self.lines if line.on is None and line.meld)


def written(cards: Sequence[Card]) -> str:
    """Cards as somebody would type them: no mark for a suit that nobody typed."""
    return " ".join(str(card).removesuffix("?") for card in cards)


def draft(values: Values, hand: Hand, seat: int, rules: Rules) -> Draft:
    """The draft that a form sent, after the tap that sent it (``do``); a first visit has the freed wilds in hand."""
    found = Draft(hand=values.get("hand", written(hand.freed_by(seat)))[:TYPED_LIMIT], into=values.get("into", "")[:20])
    for on in hand.melds:
        if str(on.number) in values.getlist("m"):
            found.lines.append(_line(f"m-{on.number}", values, on))
    for at in range(MOST_NEW):
        if f"n-{at}" in values:
            found.lines.append(_line(f"n-{at}", values, None))
    _tap(found, values.get("do", "")[:40], hand, rules)
    _read(found, rules)
    if found.into not in (line.key for line in found.lines):
        found.into = found.lines[0].key if found.lines else ""
    return found


def _line(key: str, values: Values, on: TableMeld | None) -> Line:
    lies = written(on.meld.cards) if on else ""
    return Line(key, values.get(key, lies)[:TYPED_LIMIT], on, values.get(f"{key}-reading", "")[:TYPED_LIMIT])


# --- what a tap does ------------------------------------------------------------------------------------------------


def _tap(found: Draft, do: str, hand: Hand, rules: Rules) -> None:
    what, _dot, rest = do.partition(".")
    line = next((one for one in found.lines if one.key == (rest.partition(".")[0] or found.into)), None)
    if what == "take":
        _take_up(found, next((on for on in hand.melds if str(on.number) == rest), None))
    elif what == "leave" and line:
        found.lines.remove(line)
    elif what == "new":
        _one_more(found)
    elif what == "hold" and (card := _card(rest)):
        found.hand = f"{found.hand} {written([card])}".strip()
    elif what == "unhold":
        found.hand = " ".join(found.hand.split()[:-1])
    elif what == "off" and line:
        _take_off(line, rest.rpartition(".")[2])
    elif what == "put" and (card := _card(rest)):
        _put(found, card, rules)


def _card(text: str) -> Card | None:
    try:
        return parse_card(text)
    except MalformedCard:
        return None


def _take_up(found: Draft, on: TableMeld | None) -> None:
    if on and all(line.on is None or line.on.number != on.number for line in found.lines):
        found.lines.append(Line(f"m-{on.number}", written(on.meld.cards), on))
        found.lines.sort(key=lambda line: (line.on is None, line.on.number if line.on else 0))
        found.into = f"m-{on.number}"


def _one_more(found: Draft) -> Line | None:
    free = [key for at in range(MOST_NEW) if (key := f"n-{at}") not in (line.key for line in found.lines)]
    if not free:
        return None
    found.lines.append(Line(free[0], ""))
    found.into = free[0]
    return found.lines[-1]


def _take_off(line: Line, at: str) -> None:
    cards, error = typed_cards(line.text)
    place = whole(at, 2)
    if not error and place is not None and place < len(cards):
        line.text = written([*cards[:place], *cards[place + 1 :]])


def _put(found: Draft, card: Card, rules: Rules) -> None:
    """The card goes into the line chosen: to the place of a wild that stands for it, to the low end, or else last."""
    line = next((one for one in found.lines if one.key == found.into), None)
    line = line or (found.lines[0] if found.lines else _one_more(found))
    if line is None:
        return
    cards, error = typed_cards(line.text)
    meld = _becomes(line.on.meld, cards, rules) if line.on and cards and not error else None
    line.text = written(_with(meld, card, rules)) if meld else f"{line.text} {written([card])}".strip()


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


def _read(found: Draft, rules: Rules) -> None:
    typed, found.error = typed_cards(found.hand) if found.hand.strip() else ((), "")
    for line in found.lines:
        if line.text.strip():
            line.cards, line.error = typed_cards(line.text)
    pool = Counter(typed) + Counter(card for line in found.lines if line.on for card in line.on.meld.cards)
    for line in found.lines:
        line.cards = tuple(_settled(card, pool) for card in line.cards)
    strange = Counter(card for line in found.lines for card in line.cards) - _had(found, typed)
    found.cards = typed if found.hand.strip() else tuple(strange.elements())
    found.loose = tuple(sorted(pool.elements(), key=lambda card: (-card.rank, str(card))))
    for line in found.lines:
        _make(line, rules)


def _had(found: Draft, typed: Sequence[Card]) -> Counter[Card]:
    return Counter(typed) + Counter(card for line in found.lines if line.on for card in line.on.meld.cards)


def _settled(card: Card, pool: Counter[Card]) -> Card:
    """The card, taken out of the pool; where one of them has no suit, a card of its rank is meant."""
    if pool[card] > 0:
        pool[card] -= 1
        return card
    alike = (
        one for one, count in pool.items() if count > 0 and one.rank is card.rank and None in (one.suit, card.suit)
    )
    if (one := next(alike, None)) is None:
        return card
    pool[one] -= 1
    return one


def _make(line: Line, rules: Rules) -> None:
    if line.error:
        return
    if line.on:
        line.meld = _becomes(line.on.meld, line.cards, rules)
    elif line.cards:
        line.meld, line.readings = read(line.cards, None, line.chosen, rules)
        if line.meld is None:
            line.error = wording.form_error("choose_reading")


def _becomes(was: Meld, cards: Sequence[Card], rules: Rules) -> Meld:
    """The cards as the meld that lay there: its rank, or its suit with the first plain card in its place."""
    if was.kind is Kind.SET or was.suit is None:
        return Meld(was.kind, tuple(cards), was.rank)
    plain = next((at for at, card in enumerate(cards) if card.suit is was.suit and not is_wild_card(card, rules)), None)
    if plain is not None:
        return Meld.run_from(was.suit, rank_at(cards[plain].rank, -plain), cards)
    lie = (meld for meld in readings_in_order(cards, rules) if meld.suit is was.suit)
    return next(lie, Meld(Kind.RUN, tuple(cards), None, was.suit, was.low))

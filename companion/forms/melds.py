"""A meld as somebody enters it: by taps for its slot in the contract, or typed as cards (G3.6, G4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from flask_babel import lazy_gettext as _l
from werkzeug.datastructures import MultiDict
from wtforms.validators import StopValidation

from companion import wording
from companion.forms.cards import Cards, read_cards
from companion.forms.fields import Form
from companion.forms.numbers import whole
from companion.referee.cards import JOKER, Card, Rank, Suit
from companion.referee.likely import likely_melds
from companion.referee.melds import (
    Meld,
    is_natural_card,
    is_wild_card,
    rank_at,
    readings,
    readings_in_order,
    run_lows,
    run_readings,
    set_readings,
)
from companion.referee.rules import Kind, Rules, Slot

TYPED_LIMIT = 200
CARDS_LIMIT = 16
#: Sizes offered for taps: the slot's own and so many more. Longer melds are typed.
LONGER = 5
#: The most wilds of one kind in a set that taps offer.
MOST_WILDS = 5

Values = MultiDict[str, str]


@dataclass(slots=True)
class MeldForm:
    """The fields of one meld. ``slot`` says what is asked for; a further meld (G4.4) has none and is typed.

    After ``enter`` there is either ``meld``, or sentences in ``errors`` by field; ``readings`` are the melds that
    typed cards can be where somebody has to choose. A field is called ``{key}-{name}``.
    """

    key: str
    slot: Slot | None
    rules: Rules
    values: Values
    meld: Meld | None = None
    errors: dict[str, str] = field(default_factory=dict)
    readings: tuple[Meld, ...] = ()

    @property
    def is_run(self) -> bool:
        """Whether a run is asked for."""
        return self.slot is not None and self.slot.kind is Kind.RUN

    @property
    def ranks(self) -> tuple[Rank, ...]:
        """The ranks a set can be of; where a run can start at its least length."""
        if self.slot is not None and self.is_run:
            return run_lows(self.slot.size, self.rules)
        return tuple(rank for rank in Rank if rank and is_natural_card(Card(rank, None), self.rules))

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many cards can be chosen, the slot's own number first (G4.3)."""
        if self.slot is None:
            return ()
        longer = 0 if self.rules.lay_down_size == "exact" else LONGER
        sizes = range(self.slot.size, self.slot.size + longer + 1)
        return tuple(size for size in sizes if not self.is_run or run_lows(size, self.rules)) or (self.slot.size,)

    @property
    def wilds(self) -> tuple[Card, ...]:
        """The kinds of wild of this game, without suits: 2s, jokers (G2.2, P2)."""
        return wild_kinds(self.rules)

    def value(self, name: str, default: object = "") -> str:
        """What was entered in a field, or its default."""
        return self.values.get(f"{self.key}-{name}", str(default))

    def chosen(self, name: str) -> list[str]:
        """Every ticked box of a name."""
        return self.values.getlist(f"{self.key}-{name}")

    @property
    def typed(self) -> str:
        """The cards as typed."""
        return self.value("typed").strip()


class LayOffForm(Form):
    """A card to lay on a meld: tapped, or typed."""

    card = Cards(most=1, limit=TYPED_LIMIT)
    typed = Cards(_l("Card"), hint=_l("For example 5S, or 2."), most=1, limit=TYPED_LIMIT)

    @property
    def chosen(self) -> Card | None:
        """The card; None with a sentence beside the typed one where it cannot be read."""
        field = self.card if self.card.text else self.typed
        if field.validate(self):
            return field.data[0]
        self.typed.error = field.error
        return None


def wild_kinds(rules: Rules) -> tuple[Card, ...]:
    """Each kind of wild once, without its suit: nobody has to say which 2 it is."""
    return tuple(Card(rank, None) for rank in rules.wild_ranks) + ((JOKER,) if rules.jokers else ())


def wild_field(kind: Card) -> str:
    """The field about wilds of that kind."""
    return f"wild{kind.rank.symbol}"


def form_of(key: str, meld: Meld, slot: Slot, rules: Rules) -> MeldForm:
    """The form that enters a meld, filled with the meld as it is."""
    values: Values = MultiDict({f"{key}-count": str(len(meld.cards))})
    at = {position: meld.cards[position].rank for position in meld.wild_positions()}
    if meld.low is None:
        values[f"{key}-rank"] = (meld.rank or Rank.JOKER).symbol
        counts = Counter(at.values())
        values.update({f"{key}-{wild_field(kind)}": str(counts[kind.rank]) for kind in wild_kinds(rules)})
    else:
        values.update({f"{key}-suit": meld.suit.value if meld.suit else "", f"{key}-low": meld.low.symbol})
        for kind in wild_kinds(rules):
            values.setlist(f"{key}-{wild_field(kind)}", [str(n) for n, rank in at.items() if rank is kind.rank])
    return MeldForm(key, slot, rules, values)


def enter(form: MeldForm) -> None:
    """Read the meld of a form, or put the sentence that says what is missing beside its field."""
    if form.typed:
        _enter_typed(form)
    elif form.slot is not None:
        (_enter_run if form.is_run else _enter_set)(form)


def _enter_set(form: MeldForm) -> None:
    rank = next((rank for rank in form.ranks if rank.symbol == form.value("rank")), None)
    count, wilds = _count(form), []
    for kind in form.wilds:
        number = whole(form.value(wild_field(kind), 0), 2)
        if number is None:
            form.errors["wild"] = wording.form_error("unknown_choice")
        wilds += [kind] * (number or 0)
    if rank is None:
        form.errors["rank"] = wording.form_error("choose_rank")
    if count is not None and len(wilds) > count:
        form.errors["wild"] = wording.form_error("more_wilds")
    if rank is not None and count is not None and not form.errors:
        form.meld = Meld.set_of(rank, (*[Card(rank, None)] * (count - len(wilds)), *wilds))


def _count(form: MeldForm) -> int | None:
    count = whole(form.value("count", form.sizes[0]), 2)
    if count in form.sizes:
        return count
    form.errors["count"] = wording.form_error("unknown_choice")
    return None


def _enter_run(form: MeldForm) -> None:
    suit = next((suit for suit in Suit if suit.value == form.value("suit")), None)
    low = next((rank for rank in form.ranks if rank.symbol == form.value("low")), None)
    count = _count(form)
    if suit is None:
        form.errors["suit"] = wording.form_error("choose_suit")
    if low is None:
        form.errors["low"] = wording.form_error("choose_low")
    marked = _marked(form, count)
    if low is not None and count is not None and low not in run_lows(count, form.rules):
        form.errors["count"] = wording.form_error("long_run")
    if suit and low is not None and count is not None and not form.errors:
        places = [Card(rank_at(low, at), suit) for at in range(count)]
        form.meld = Meld.run_from(suit, low, [marked.get(at, place) for at, place in enumerate(places)])


def _marked(form: MeldForm, count: int | None) -> dict[int, Card]:
    """The places where wilds lie, 0 the low end."""
    found: dict[int, Card] = {}
    for kind in form.wilds:
        for text in form.chosen(wild_field(kind)):
            place = whole(text, 2)
            if place is None or place > max(form.sizes):
                form.errors["wild"] = wording.form_error("unknown_choice")
            elif count is not None and place >= count:
                form.errors["wild"] = wording.form_error("wild_past_end")
            elif place in found:
                form.errors["wild"] = wording.form_error("wilds_in_one_place")
            else:
                found[place] = kind
    return found


def _enter_typed(form: MeldForm) -> None:
    try:
        cards = read_cards(form.typed, CARDS_LIMIT, TYPED_LIMIT)
    except StopValidation as problem:
        form.errors["typed"] = str(problem)
        return
    form.meld, form.readings = read(cards, form.slot.kind if form.slot else None, form.value("reading"), form.rules)
    if form.meld is None:
        form.errors["reading"] = wording.form_error("choose_reading")


def read(cards: Sequence[Card], kind: Kind | None, chosen: str, rules: Rules) -> tuple[Meld | None, tuple[Meld, ...]]:
    """The meld that typed cards are, and the readings where somebody has to choose: then None until they have.

    The order in which they lie declares what each wild is (G3.6); cards typed in another order are asked about,
    unless no wild could make a difference. Cards that are no meld come back as what they were meant to be, so that
    the referee can say what is wrong with them.
    """
    options = _readings(cards, kind, rules)
    if not options:
        return _meant(cards, kind, rules), ()
    in_order = readings_in_order(cards, rules)
    if len(in_order) == 1 and all(meld.kind is Kind.RUN for meld in options):
        return in_order[0], ()
    if len(options) == 1 and (options[0].kind is Kind.SET or not options[0].wild_positions()):
        return options[0], ()
    return next((meld for meld in options if reading_value(meld) == chosen), None), options


def _readings(cards: Sequence[Card], kind: Kind | None, rules: Rules) -> tuple[Meld, ...]:
    if kind is None:
        return readings(cards, rules)
    return set_readings(cards, rules) if kind is Kind.SET else run_readings(cards, rules)


def _meant(cards: Sequence[Card], kind: Kind | None, rules: Rules) -> Meld:
    """What cards that are no meld of that kind were probably meant as."""
    found = next((meld for meld in likely_melds(cards, rules) if kind in (None, meld.kind)), None)
    if found:
        return found
    natural = next((card for card in cards if not is_wild_card(card, rules)), cards[0])
    if kind is Kind.SET:
        return Meld.set_of(natural.rank, cards)
    return Meld.run_from(natural.suit or Suit.SPADES, max(natural.rank, Rank.THREE), cards)


def reading_value(meld: Meld) -> str:
    """A reading as its radio button sends it."""
    return f"{meld.kind.value} {(meld.low or meld.rank or Rank.JOKER).symbol} {meld}"

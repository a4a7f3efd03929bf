"""A meld as somebody enters it: by taps for its slot in the contract, or typed as cards (G3.6, G4)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l
from werkzeug.datastructures import MultiDict

from companion import wording
from companion.forms.cards import Cards
from companion.forms.fields import Field, Form, Several, wrong
from companion.forms.numbers import whole
from companion.referee.cards import JOKER, Card, Rank, Suit
from companion.referee.likely import likely_melds
from companion.referee.melds import RUNS, Meld, is_natural_card, is_wild_card, rank_at, run_lows
from companion.referee.readings import readings, readings_as, readings_in_order
from companion.referee.rules import Kind, Rules, Slot
from companion.wording.cards import SUIT_SIGNS

#: Sizes offered for taps: the slot's own and so many more. Longer melds are typed.
LONGER = 5
#: The most wilds of one kind in a set that taps offer.
MOST_WILDS = 5

Values = MultiDict[str, str]


class Key(NamedTuple):
    """A key to tap: the value that it sends, what is printed on it, its words for a screen reader, its suit's colour."""

    value: str
    printed: str
    words: str = ""
    suit: str = ""


class Keys(Field):
    """One of some keys; ``meaning`` is what each stands for, by its value."""

    def __init__(self, label: str, keys: Mapping[Key, Any], otherwise: str = "unknown_choice", **options: Any) -> None:
        super().__init__(label, **options)
        self.keys, self.otherwise = tuple(keys), otherwise
        self.meaning = {key.value: meaning for key, meaning in keys.items()}

    def read(self, text: str) -> Any:
        if text not in self.meaning:
            raise wrong(self.otherwise)
        return self.meaning[text]


class HowMany(Keys):
    """How many cards of a set are wilds of one kind, printed as ``mark``; keys offer the likely numbers."""

    def __init__(self, kind: Card, keys: Mapping[Key, int], **options: Any) -> None:
        self.wild, self.mark = kind, _mark(kind)
        label = _("How many are jokers") if kind == JOKER else _("How many are %(wild)ss", wild=self.mark)
        super().__init__(label, keys, default=0, **options)

    def read(self, text: str) -> int:
        number = whole(text, 2)
        if number is None:
            raise wrong("unknown_choice")
        return number


class Places(Several):
    """The places in a run where wilds of one kind lie, 0 the low end; ``mark`` and ``words`` say it of each."""

    def __init__(self, kind: Card, size: int, **options: Any) -> None:
        self.wild, self.mark = kind, _mark(kind)
        places, label = range(1, size + 1), _("Tap where a %(wild)s lies", wild=self.mark)
        self.words = [_("place %(n)s: a %(wild)s lies here", n=n, wild=self.mark) for n in places]
        if kind == JOKER:
            label = _("Tap where a joker lies")
            self.words = [_("place %(n)s: a joker lies here", n=n) for n in places]
        super().__init__(label, **options)

    def read(self, texts: Sequence[str]) -> list[int]:
        places = [whole(str(text), 2) for text in texts]
        if any(place is None or place > len(self.words) for place in places):
            raise wrong("unknown_choice")
        return [place for place in places if place is not None]


def _mark(kind: Card) -> str:
    return "★" if kind == JOKER else kind.rank.symbol


def rank_keys(ranks: Iterable[Rank]) -> dict[Key, Rank]:
    """A key for each rank."""
    return {Key(rank.symbol, rank.symbol, wording.rank_name(rank)): rank for rank in ranks}


def number_keys(numbers: Iterable[int]) -> dict[Key, int]:
    """A key for each number."""
    return {Key(str(number), str(number)): number for number in numbers}


class Reading(Field):
    """Which of the melds ``options`` typed cards are, where somebody has to choose: each with its value."""

    options: Sequence[tuple[str, Meld]] = ()

    def choose(self, cards: Sequence[Card], kind: Kind | None, rules: Rules) -> Meld | None:
        """The meld that the cards are; None where nobody has chosen yet."""
        meld, melds = read(cards, kind, self.text, rules)
        self.options = [(reading_value(option), option) for option in melds]
        return meld


class MeldForm(Form):
    """The fields of one meld. ``slot`` says what is asked for; a further meld (G4.4) has none and is typed.

    After ``enter`` there is either ``meld``, or something is wrong with a field. A field is called ``{key}-{name}``.
    ``reasons`` is what the referee has against the meld.
    """

    typed = Cards(_l("Cards, low end first"), render_kw={"placeholder": " "})
    reading = Reading()

    def __init__(self, key: str, slot: Slot | None, rules: Rules, sent: Values | None = None, **values: Any) -> None:
        self.key, self.slot, self.rules = key, slot, rules
        self.meld: Meld | None = None
        self.reasons: Sequence[Any] = ()
        self.is_run = slot is not None and slot.kind in RUNS
        taps = self._taps(slot) if slot and self.by_taps else {}
        super().__init__(sent, taps, prefix=key, **values)
        self.taps = [self[name] for name in taps]
        self.wilds = [self[name] for name in taps if name.startswith("wild")]
        self.typed.description = self._hint()

    @property
    def title(self) -> str:
        """What is asked for."""
        title = wording.slot_words(self.slot) if self.slot else _("a further meld")
        return title[:1].upper() + title[1:]

    @property
    def is_wrong(self) -> bool:
        """Whether somebody has to look at it again."""
        return bool(self.errors or self.reasons)

    @property
    def is_ring(self) -> bool:
        """Whether a run goes on past the ace (P3)."""
        return self.rules.ace == "corner"

    def _hint(self) -> str:
        hint = _("For example 4S 2 6S or 9 9 2. Suits are S, H, D, C.")
        joker = [_("A joker is JK.")] if JOKER in wild_kinds(self.rules) else []
        return " ".join([hint, *joker, *([_("What is typed counts instead of the taps.")] if self.by_taps else [])])

    @property
    def by_taps(self) -> bool:
        """Whether the meld is tapped; a further one, any set or run, and cards of one suit are typed card by card."""
        return self.slot is not None and self.slot.kind not in (Kind.COLOUR, Kind.ALL)

    def _taps(self, slot: Slot) -> dict[str, Any]:
        """The fields that are tapped; as many cards as the slot asks for come first (G4.3)."""
        longer = range(slot.size, slot.size + 1 + (0 if self.rules.lay_down_size == "exact" else LONGER))
        sizes = [size for size in longer if not self.is_run or run_lows(size, self.rules)] or [slot.size]
        count = Keys(_("Cards"), number_keys(sizes), default=sizes[0])
        kinds = wild_kinds(self.rules)
        if self.is_run:
            suits = {Key(s.value, SUIT_SIGNS[s], wording.suit_name(s), s.value.lower()): s for s in Suit}
            low = Keys(_("Lowest card"), rank_keys(run_lows(slot.size, self.rules)), "choose_low")
            taps = {"suit": Keys(_("Suit"), suits, "choose_suit")} if slot.kind is Kind.RUN else {}
            taps |= {"low": low, "count": count}
            return taps | {wild_field(kind): Places(kind, sizes[-1]) for kind in kinds}
        ranks = rank_keys(rank for rank in Rank if rank and is_natural_card(Card(rank, None), self.rules))
        numbers = number_keys(range(min(sizes[-1], MOST_WILDS) + 1))
        taps = {"rank": Keys(_("Rank"), ranks, "choose_rank"), "count": count}
        return taps | {wild_field(kind): HowMany(kind, numbers) for kind in kinds}

    def enter(self) -> None:
        """Read the meld, or put the sentence that says what is missing beside its field."""
        if self.typed.text.strip():
            self._enter_typed()
        elif self.slot is not None and self.slot.kind is Kind.COLOUR:
            self.typed.error = wording.form_error("no_cards")
        elif self.by_taps:
            for field in self.taps:
                field.validate(self)
            (self._enter_run if self.is_run else self._enter_set)()

    def _enter_typed(self) -> None:
        if not self.typed.validate(self):
            return
        kind = self.slot.kind if self.slot and self.slot.kind is not Kind.ALL else None
        self.meld = self.reading.choose(self.typed.data, kind, self.rules)
        if self.meld is None:
            self.reading.error = wording.form_error("choose_reading")

    def _enter_set(self) -> None:
        count, rank = self.count.data, self.rank.data
        wilds = [field.wild for field in self.wilds for _n in range(field.data or 0)]
        if count is not None and len(wilds) > count:
            self.wilds[-1].error = wording.form_error("more_wilds")
        if not self.errors:
            self.meld = Meld.set_of(rank, (*[Card(rank, None)] * (count - len(wilds)), *wilds))

    def _enter_run(self) -> None:
        count, low = self.count.data, self.low.data
        marked = [(place, field.wild) for field in self.wilds for place in field.data]
        if count is not None and any(place >= count for place, _kind in marked):
            self.wilds[-1].error = wording.form_error("wild_past_end")
        elif len(dict(marked)) < len(marked):
            self.wilds[-1].error = wording.form_error("wilds_in_one_place")
        if low is not None and count is not None and low not in run_lows(count, self.rules):
            self.count.error = wording.form_error("long_run")
        if not self.errors:
            places = dict(marked)
            suit = self.suit.data if "suit" in self else None
            cards = [places.get(at, Card(rank_at(low, at), suit)) for at in range(count)]
            self.meld = Meld.run_from(suit, low, cards) if suit else Meld.any_run_from(low, cards)


class LayOffForm(Form):
    """A card to lay on a meld: tapped, or typed."""

    card = Cards(most=1)
    typed = Cards(_l("Card"), hint=_l("For example 5S, or 2."), most=1)

    @property
    def chosen(self) -> Card | None:
        """The card; None with a sentence beside the typed one where it cannot be read."""
        field = self.card if self.card.text else self.typed
        if field.validate(self):
            return field.data[0]
        self.typed.error = field.error
        return None


def wild_kinds(rules: Rules) -> tuple[Card, ...]:
    """Each kind of wild once, without its suit (G2.2, P2): nobody has to say which 2 it is."""
    joker = (JOKER,) if rules.joker_count and rules.jokers_are_wild else ()
    return tuple(Card(rank, None) for rank in rules.wild_ranks) + joker


def wild_field(kind: Card) -> str:
    """The field about wilds of that kind."""
    return f"wild{kind.rank.symbol}"


def form_of(key: str, meld: Meld, slot: Slot, rules: Rules) -> MeldForm:
    """The form that enters a meld, filled with the meld as it is."""
    values: dict[str, Any] = {"count": len(meld.cards)}
    at = {position: meld.cards[position].rank for position in meld.wild_positions()}
    if meld.kind is Kind.COLOUR:
        values = {"typed": " ".join(map(str, meld.cards))}
    elif meld.low is None:
        values["rank"] = (meld.rank or Rank.JOKER).symbol
        values |= {wild_field(kind): list(at.values()).count(kind.rank) for kind in wild_kinds(rules)}
    else:
        values |= {"suit": meld.suit.value if meld.suit else "", "low": meld.low.symbol}
        values |= {wild_field(kind): [n for n, rank in at.items() if rank is kind.rank] for kind in wild_kinds(rules)}
    return MeldForm(key, slot, rules, **values)


def read(cards: Sequence[Card], kind: Kind | None, chosen: str, rules: Rules) -> tuple[Meld | None, tuple[Meld, ...]]:
    """The meld that typed cards are, and the readings where somebody has to choose: then None until they have.

    The order in which they lie declares what each wild is (G3.6); cards typed in another order are asked about,
    unless no wild could make a difference. Cards that are no meld come back as what they were meant to be, so that
    the referee can say what is wrong with them.
    """
    options = _readings(cards, kind, rules)
    if not options:
        return _meant(cards, kind, rules), ()
    in_order = [meld for meld in readings_in_order(cards, rules) if kind in (None, meld.kind)]
    if len(in_order) == 1 and all(meld.kind in RUNS for meld in options):
        return in_order[0], ()
    if len(options) == 1 and (options[0].low is None or not options[0].wild_positions()):
        return options[0], ()
    return next((meld for meld in options if reading_value(meld) == chosen), None), options


def _readings(cards: Sequence[Card], kind: Kind | None, rules: Rules) -> tuple[Meld, ...]:
    if kind is None:
        return readings(cards, rules)
    return readings_as(cards, kind, rules)


def _meant(cards: Sequence[Card], kind: Kind | None, rules: Rules) -> Meld:
    """What cards that are no meld of that kind were probably meant as."""
    likely = next((meld for meld in likely_melds(cards, rules) if kind in (None, meld.kind)), None)
    if likely:
        return likely
    natural = next((card for card in cards if not is_wild_card(card, rules)), cards[0])
    if kind is Kind.SET:
        return Meld.set_of(natural.rank, cards)
    suit, low = natural.suit or Suit.SPADES, max(natural.rank, Rank.THREE)
    if kind is Kind.COLOUR:
        return Meld.colour_of(suit, cards)
    return Meld.any_run_from(low, cards) if kind is Kind.ANYRUN else Meld.run_from(suit, low, cards)


def reading_value(meld: Meld) -> str:
    """A reading as its radio button sends it."""
    return f"{meld.kind.value} {(meld.low or meld.rank or Rank.JOKER).symbol} {meld}"

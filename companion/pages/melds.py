"""Melds of the hand in play: going down by contract slot, and one meld on the table with what it takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict

from companion import wording
from companion.pages.faces import DrawnMeld, Face, drawn, face, sheet_order
from companion.pages.referee import Why, guesses
from companion.pages.refusals import whys
from companion.record import GameView
from companion.referee.cards import Card, MalformedCard, Rank, Suit, parse_cards
from companion.referee.engine import Correction
from companion.referee.engine.melding import free_slots
from companion.referee.melds import (
    Meld,
    is_wild_card,
    readings,
    readings_in_order,
    run_lows,
    run_readings,
    set_readings,
)
from companion.referee.reasons import Problem
from companion.referee.rules import Kind, Rules, Slot
from companion.referee.state import Addition, TableMeld
from companion.referee.table import Play, plays

TYPED_LIMIT = 200
CARDS_LIMIT = 16
WILD = Card(Rank.TWO, None)


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read typed cards: the value of its radio button, and the meld to draw."""

    value: str
    meld: DrawnMeld


@dataclass(slots=True)
class SlotForm:
    """The fields of one meld to lay: those of the contract have a slot, a further meld has none and is typed."""

    key: str
    slot: Slot | None
    words: str
    ranks: tuple[Rank, ...]
    sizes: tuple[int, ...]
    values: MultiDict[str, str]
    meld: Meld | None = None
    errors: list[str] = field(default_factory=list)
    readings: tuple[Reading, ...] = ()
    reasons: tuple[Why, ...] = ()

    @property
    def is_run(self) -> bool:
        """Whether the contract asks for a run here."""
        return self.slot is not None and self.slot.kind is Kind.RUN

    def value(self, name: str, default: object = "") -> str:
        """What was entered in a field, or its default."""
        return self.values.get(f"{self.key}-{name}", str(default))[:TYPED_LIMIT]

    def chosen(self, name: str) -> list[str]:
        """Every ticked box of a name."""
        return self.values.getlist(f"{self.key}-{name}")

    @property
    def empty(self) -> bool:
        """Nothing was entered for this meld."""
        return not any(self.value(name).strip() for name in ("typed", "rank", "suit", "low"))


def slot_forms(view: GameView, seat: int, values: MultiDict[str, str]) -> list[SlotForm]:
    """The fields of everything the player may lay now, with what was entered."""
    rules, contract = view.state.rules, view.state.contract
    assert rules is not None
    assert contract is not None
    slots = [contract.slots[index] for index in free_slots(view.state, seat)]
    forms = [_slot_form(f"m{index}", slot, rules, values) for index, slot in enumerate(slots)]
    if rules.extra_melds:
        further = range(1 if forms else 2)
        forms += [SlotForm(f"x{n}", None, _("A further meld"), (), (), values) for n in further]
    return forms


def _slot_form(key: str, slot: Slot, rules: Rules, values: MultiDict[str, str]) -> SlotForm:
    most = slot.size if rules.lay_down_size == "exact" else 12
    sizes = tuple(range(slot.size, most + 1))
    if slot.kind is Kind.RUN:
        return SlotForm(key, slot, wording.slot_words(slot), run_lows(slot.size, rules), sizes, values)
    ranks = tuple(rank for rank in Rank if rank not in (Rank.JOKER, *rules.wild_ranks))
    return SlotForm(key, slot, wording.slot_words(slot), ranks, sizes, values)


def enter(form: SlotForm, rules: Rules) -> None:
    """Read the meld of a form, or put the sentence that says what is missing beside it."""
    if form.value("typed").strip():
        _typed(form, rules)
    elif form.slot is None:
        return
    elif form.is_run:
        _run(form)
    else:
        _set(form)


def _set(form: SlotForm) -> None:
    rank = next((rank for rank in form.ranks if rank.symbol == form.value("rank")), None)
    count, wilds = _small(form.value("count")), _small(form.value("wilds", 0))
    if rank is None:
        form.errors.append(wording.form_error("choose_rank"))
    elif count not in form.sizes or wilds is None or count is None or wilds > count:
        form.errors.append(wording.form_error("unknown_choice"))
    else:
        form.meld = Meld.set_of(rank, (Card(rank, None),) * (count - wilds) + (WILD,) * wilds)


def _run(form: SlotForm) -> None:
    suit = next((suit for suit in Suit if suit.value == form.value("suit")), None)
    low = next((rank for rank in form.ranks if rank.symbol == form.value("low")), None)
    length, places = _small(form.value("length")), [_small(text) for text in form.chosen("wild")]
    if suit is None:
        form.errors.append(wording.form_error("choose_suit"))
    if low is None:
        form.errors.append(wording.form_error("choose_low"))
    if length not in form.sizes or length is None:
        form.errors.append(wording.form_error("unknown_choice"))
    elif any(place is None or place >= length for place in places):
        form.errors.append(_("A 2 is marked past the end of this run. Make the run longer, or take the mark away."))
    elif suit and low:
        form.meld = _marked_run(suit, low, length, places)
        if form.meld is None:
            form.errors.append(_("A run ends at the ace: this one is too long for its lowest card."))


def _marked_run(suit: Suit, low: Rank, length: int, places: Sequence[int | None]) -> Meld | None:
    if low + length - 1 > Rank.ACE:
        return None
    cards = [WILD if place in places else Card(Rank(low + place), suit) for place in range(length)]
    return Meld.run_from(suit, low, cards)


def _small(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 3 else None


def _typed(form: SlotForm, rules: Rules) -> None:
    cards = typed_cards(form.value("typed"), form.errors)
    if cards:
        form.meld, form.readings = read(cards, form.slot.kind if form.slot else None, form.value("reading"), rules)
        if form.readings:
            form.errors.append(_("These cards can lie like this. Say how they lie."))


def typed_cards(text: str, errors: list[str]) -> tuple[Card, ...]:
    """Typed cards; none with a sentence in ``errors`` where they cannot be read."""
    try:
        cards = parse_cards(text)
    except MalformedCard as error:
        errors.append(wording.form_error("bad_card", text=error.text[:20]))
        return ()
    if not cards:
        errors.append(wording.form_error("no_cards"))
    elif len(cards) > CARDS_LIMIT:
        errors.append(wording.form_error("too_big", most=CARDS_LIMIT))
        return ()
    return cards


def read(cards: Sequence[Card], kind: Kind | None, chosen: str, rules: Rules) -> tuple[Meld | None, tuple[Reading, ...]]:
    """The meld that typed cards are, or the readings to choose from; the order they lie in decides (G3.6)."""
    options = _readings(cards, kind, rules)
    if not options:
        return _guess(cards, kind, rules), ()
    in_order = readings_in_order(cards, rules)
    runs = [meld for meld in options if meld.kind is Kind.RUN]
    if len(in_order) == 1 and len(runs) == len(options):
        return in_order[0], ()
    if len(options) == 1 and not runs:
        return options[0], ()
    picked = next((meld for meld in options if _value(meld) == chosen), None)
    return (picked, ()) if picked else (None, tuple(Reading(_value(meld), drawn(meld)) for meld in options))


def _readings(cards: Sequence[Card], kind: Kind | None, rules: Rules) -> tuple[Meld, ...]:
    if kind is None:
        return readings(cards, rules)
    return set_readings(cards, rules) if kind is Kind.SET else run_readings(cards, rules)


def _guess(cards: Sequence[Card], kind: Kind | None, rules: Rules) -> Meld:
    likely = guesses(cards, rules)
    found = next((meld for meld in likely if kind in (None, meld.kind)), None)
    if found:
        return found
    natural = next((card for card in cards if not is_wild_card(card, rules)), cards[0])
    if kind is Kind.SET:
        return Meld.set_of(natural.rank, cards)
    return Meld.run_from(natural.suit or Suit.SPADES, max(natural.rank, Rank.THREE), cards)


def _value(meld: Meld) -> str:
    return f"{meld.kind.value} {meld.low or meld.rank!s} {meld}"


def spread(forms: Sequence[SlotForm], problems: Sequence[Problem], view: GameView) -> tuple[Why, ...]:
    """Each problem beside the meld it is about; what is about the whole is returned."""
    laid, whole = [form for form in forms if form.meld], []
    for one in problems:
        index = one.facts.get("index")
        if isinstance(index, int) and index < len(laid):
            laid[index].reasons += tuple(why for why in whys((one,), view) if why not in laid[index].reasons)
        else:
            whole.append(one)
    return whys(whole, view)


@dataclass(frozen=True, slots=True)
class Way:
    """One thing a card can do on a meld: its value in the form, in words, and the meld after it."""

    value: str
    words: str
    after: DrawnMeld


@dataclass(frozen=True, slots=True)
class MeldPage:
    """A meld on the table: how it lies, who may lay off, and the cards that play on it."""

    number: int
    owner: int
    meld: DrawnMeld
    title: str
    typed: str
    laid_off: tuple[str, ...]
    down: tuple[int, ...]
    cards: tuple[Face, ...]


def meld_page(view: GameView, on: TableMeld) -> MeldPage:
    """The page of one meld."""
    hand, rules = view.state.hand, view.state.rules
    assert hand is not None
    assert rules is not None
    down = tuple(seat for seat in view.state.dealt_in if hand.is_down(seat))
    if not rules.lay_off_own:
        down = tuple(seat for seat in down if seat != on.owner)
    return MeldPage(
        on.number,
        on.owner,
        drawn(on.meld),
        wording.meld_phrase(on.meld, view.names[on.owner]),
        str(on.base),
        tuple(_laid_off(added, view.names) for added in on.additions),
        down,
        tuple(map(face, _playing(on.meld, rules))),
    )


def _playing(meld: Meld, rules: Rules) -> list[Card]:
    """The cards that play, a wild 2 once and without its suit: nobody has to say which 2 it is."""
    alike = [card for card in sheet_order() if not is_wild_card(card, rules) and plays(card, meld, rules)]
    return alike + ([WILD] if plays(WILD, meld, rules) else [])


def _laid_off(added: Addition, names: Mapping[int, str]) -> str:
    facts = {"name": wording.isolate(names[added.seat]), "card": wording.card_short(added.card)}
    if added.action == "replace":
        return _("%(name)s replaced a wild with the %(card)s.", **facts)
    return _("%(name)s laid off the %(card)s.", **facts)


def ways(card: Card, on: TableMeld, view: GameView) -> tuple[tuple[Play, Way], ...]:
    """Everything a card can do on a meld, with its words."""
    assert view.state.rules is not None
    owner = view.names[on.owner]
    return tuple(
        (play, Way(way_value(play), _way_words(card, on, play, owner), drawn(play.result)))
        for play in plays(card, on.meld, view.state.rules)
    )


def way_value(play: Play) -> str:
    """A way as a form sends it."""
    return play.action if play.action != "replace" else f"replace-{play.position}-{play.wild_to}"


def _way_words(card: Card, on: TableMeld, play: Play, owner: str) -> str:
    return wording.play_words(card, on.meld, play.action, play.result, play.wild_to, owner)


@dataclass(frozen=True, slots=True)
class Consequences:
    """What a correction would do, shown before it is saved: the meld after it (None: gone), cards that stay and go."""

    after: DrawnMeld | None
    kept: tuple[str, ...]
    dropped: tuple[str, ...]


def consequences(correction: Correction, names: Mapping[int, str]) -> Consequences:
    """A correction's preview in words."""
    kept = tuple(_laid_off(added, names) for _number, added in correction.kept)
    dropped = tuple(_laid_off(added, names) for _number, added in correction.dropped)
    return Consequences(drawn(correction.result) if correction.result else None, kept, dropped)

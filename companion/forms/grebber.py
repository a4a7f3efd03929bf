"""A counted hand of Grebber as somebody enters it: per player what was laid and what is held, as cards or as a number."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from werkzeug.datastructures import MultiDict

from companion.forms.numbers import summed
from companion.referee.cards import MalformedCard
from companion.referee.commands import CorrectCount, CountHand
from companion.referee.grebber import Count
from companion.referee.kruth import DECK, SUM, KruthCard, kruth_points, parse_kruth
from companion.referee.state import HandScore
from companion.wording import form_error

PARTS = ("laid", "held")


@dataclass(slots=True)
class Counted:
    """What was entered. ``texts`` (as typed) and ``cards`` go by field (``laid-0``), ``wilds`` by seat; ``counts`` are the
    players of whom everything could be read; ``errors`` has a sentence by field.
    """

    hand: int
    texts: dict[str, str] = field(default_factory=dict)
    cards: dict[str, tuple[KruthCard, ...]] = field(default_factory=dict)
    wilds: dict[int, tuple[KruthCard, ...]] = field(default_factory=dict)
    counts: tuple[Count, ...] = ()
    undrawn: int | None = None
    errors: dict[str, str] = field(default_factory=dict)

    def fields(self) -> Iterable[tuple[str, str]]:
        """The names and values of the form, to be sent again as they are."""
        yield "hand", str(self.hand)
        yield from ((name, text) for name, text in self.texts.items() if text)
        yield from ((f"{name}-card", str(card)) for name, cards in self.cards.items() for card in cards)
        yield from ((f"wild-{seat}", str(card)) for seat, cards in self.wilds.items() for card in cards)

    def command(self, *, correcting: bool) -> CountHand | CorrectCount:
        """What the form asks for."""
        kind = CorrectCount if correcting else CountHand
        return kind(self.hand, self.counts, self.undrawn)


def of_score(score: HandScore) -> Counted:
    """What was counted, as if somebody had just entered it."""
    found = Counted(score.number)
    for one in score.counts:
        found.texts |= {f"laid-{one.seat}": str(one.laid), f"held-{one.seat}": str(one.held)}
        found.cards |= {f"laid-{one.seat}": one.laid_cards, f"held-{one.seat}": one.held_cards}
        found.wilds[one.seat] = one.wilds
    return found


def read(args: MultiDict[str, str], hand: int, seats: Sequence[int]) -> Counted:
    """Read a form about these players; a field that cannot be read, or is empty, has its sentence."""
    entered = Counted(hand)
    counts = [_count(entered, args, seat) for seat in seats]
    entered.counts = tuple(count for count in counts if count is not None)
    entered.texts["undrawn"] = args.get("undrawn", "").strip()
    if entered.texts["undrawn"]:
        entered.undrawn = _number(entered, "undrawn", entered.texts["undrawn"])
    return entered


def _count(entered: Counted, args: MultiDict[str, str], seat: int) -> Count | None:
    laid, held = (_part(entered, args, f"{part}-{seat}") for part in PARTS)
    wilds = _cards(entered, args, f"wild-{seat}", f"wild-{seat}")
    entered.wilds[seat] = wilds
    if laid is None or held is None or f"wild-{seat}" in entered.errors:
        return None
    return Count(seat, laid, held, entered.cards[f"laid-{seat}"], entered.cards[f"held-{seat}"], wilds)


def _part(entered: Counted, args: MultiDict[str, str], name: str) -> int | None:
    """The points of a field: of its cards, or its number; where both are there they must agree."""
    text, cards = args.get(name, "").strip(), _cards(entered, args, name, f"{name}-card")
    entered.texts[name], entered.cards[name] = text, cards
    if name in entered.errors:
        return None
    if not text:
        if not cards:
            entered.errors[name] = form_error("blank_number")
        return kruth_points(cards) if cards else None
    number = _number(entered, name, text)
    if cards and number is not None and number != kruth_points(cards):
        entered.errors[name] = form_error("cards_differ", cards=kruth_points(cards), typed=number)
        return None
    return number


def _cards(entered: Counted, args: MultiDict[str, str], name: str, key: str) -> tuple[KruthCard, ...]:
    """The cards that were tapped, in the order of the deck."""
    sent = [text for text in args.getlist(key)[: len(DECK) + 1] if text]
    try:
        found = {parse_kruth(text) for text in sent}
    except MalformedCard:
        entered.errors[name] = form_error("unknown_choice")
        return ()
    return tuple(card for card in DECK if card in found)


def _number(entered: Counted, name: str, text: str) -> int | None:
    """A number or a sum in ASCII figures, at most all the points of the deck (K4)."""
    number, wrong = summed(text, SUM)
    if wrong:
        entered.errors[name] = wrong
        return None
    return number

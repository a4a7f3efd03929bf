"""A counted hand of Grebber as somebody enters it: per player what was laid and what is held, as cards or as a number."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from flask_babel import lazy_gettext as _l
from werkzeug.datastructures import MultiDict

from companion.forms.counting import GONE, Asked, CountingForm
from companion.forms.fields import BySeat, Choice, Form, Several, Sum, wrong
from companion.referee.cards import MalformedCard
from companion.referee.commands import CorrectCount, CountHand
from companion.referee.grebber import Count
from companion.referee.kruth import DECK, SUM, KruthCard, KruthRank, KruthSuit, kruth_points, parse_kruth
from companion.referee.reasons import Problem
from companion.referee.state import HandScore
from companion.wording import form_error
from companion.wording.kruth import kruth_rank, kruth_suit


def read_kruth(texts: Iterable[str]) -> tuple[KruthCard, ...]:
    """Cards in the order of the deck, as often as they were tapped; raises ``wrong`` for what is none."""
    try:
        return tuple(sorted((parse_kruth(text) for text in texts if text), key=DECK.index))
    except MalformedCard:
        raise wrong("unknown_choice") from None


class TappedCards(Several):
    """Cards of the deck; a wild may have stood twice for the same one."""

    def read(self, texts: Sequence[str]) -> tuple[KruthCard, ...]:
        return read_kruth(texts)


class CardsOrPoints(Sum):
    """Points of ``cards`` that were tapped, or typed as a number or a sum; where both are there they must agree (K4)."""

    attributes = {"inputmode": "tel", "autocomplete": "off", "spellcheck": "false"}
    cards: Sequence[KruthCard] = ()
    tapped: Sequence[str] = ()

    def process(self, formdata: Any, data: Any = None, extra_filters: Any = None) -> None:
        super().process(formdata, data)
        if formdata is not None:
            self.tapped = formdata.getlist(f"{self.name}-card")[: len(DECK) + 1]

    def process_data(self, value: tuple[int, Sequence[KruthCard]] | None) -> None:
        points, self.cards = value or (None, ())
        super().process_data(points)

    def read(self, text: str) -> int:
        self.cards = tuple(dict.fromkeys(read_kruth(self.tapped)))
        points, number = kruth_points(self.cards), super().read(text)
        if number is None and not self.cards:
            raise wrong("blank_number")
        if number is not None and self.cards and number != points:
            raise wrong("cards_differ", cards=points, typed=number)
        return points if number is None else number

    @property
    def pairs(self) -> Iterable[tuple[str, str]]:
        yield from super().pairs if self.text else ()
        yield from ((f"{self.name}-card", str(card)) for card in self.cards)


class CountForm(CountingForm):
    """What everybody laid and holds, the cards that their used wilds stood for, and what was left undrawn."""

    laid = BySeat(CardsOrPoints(_l("Laid"), most=lambda form: SUM))
    held = BySeat(CardsOrPoints(_l("Holds"), most=lambda form: SUM))
    wild = BySeat(TappedCards(_l("A wild stood for"), kept=40))
    undrawn = Sum(_l("Left undrawn"), hint=_l("With it everything must make 60."), most=lambda form: SUM)
    seats: Sequence[int] = ()

    def add_players(self, sent: MultiDict[str, str]) -> None:  # noqa: ARG002
        """Everybody who was dealt in."""
        self.seats = self.asked.seats
        for seat in self.seats:
            self.laid.of(seat), self.held.of(seat), self.wild.of(seat)

    @property
    def counts(self) -> tuple[Count, ...]:
        """The players of whom everything could be read."""
        fields = [(seat, self.laid.of(seat), self.held.of(seat), self.wild.of(seat)) for seat in self.seats]
        return tuple(
            Count(seat, laid.data, held.data, laid.cards, held.cards, wild.data)
            for seat, laid, held, wild in fields
            if isinstance(laid.data, int) and isinstance(held.data, int) and not wild.error
        )

    def command(self) -> CountHand | CorrectCount:
        """What the form asks for."""
        kind = CorrectCount if self.asked.correcting else CountHand
        return kind(self.hand, self.counts, self.undrawn.data)

    def relevant(self, problems: Sequence[Problem]) -> list[Problem]:
        """Nothing is judged before everything can be read."""
        return [problem for problem in problems if not self.errors or problem.reason in GONE]

    def says(self, score: HandScore) -> bool:
        """Whether the hand was counted so."""
        return score.counts == self.counts


def of_score(asked: Asked, score: HandScore) -> CountForm:
    """What was counted, as if somebody had just entered it."""
    return CountForm(
        asked,
        laid={count.seat: (count.laid, count.laid_cards) for count in score.counts},
        held={count.seat: (count.held, count.held_cards) for count in score.counts},
        wild={count.seat: count.wilds for count in score.counts},
    )


class Member(Choice):
    """A suit or a rank of the deck, or none."""

    def __init__(self, label: Any, members: Mapping[str, Any], **options: Any) -> None:
        super().__init__(label, **options)
        self.members = members

    def read(self, text: str) -> Any:
        super().read(text)
        return self.members.get(text)


class QuestionForm(Form):
    """A question (``q``, "" for nothing yet) about cards in one's own hand."""

    q = Choice(options=[(question, "") for question in ("", "meld", "give", "greb")], default="", kept=20)
    card = TappedCards(_l("The cards in question"), kept=20)
    suit = Member(_l("A suit"), {suit.value: suit for suit in KruthSuit}, kept=20)
    rank = Member(_l("or a rank"), {str(rank.value): rank for rank in KruthRank}, kept=20)

    def __init__(self, sent: MultiDict[str, str]) -> None:
        super().__init__(sent)
        self.suit.options = [("", "–"), *((suit.value, kruth_suit(suit)) for suit in KruthSuit)]
        self.rank.options = [("", "–"), *((str(rank.value), f"{rank.value} {kruth_rank(rank)}") for rank in KruthRank)]
        if self.validate() and self.q.text and not self.card.data:
            self.card.error = form_error("no_cards")

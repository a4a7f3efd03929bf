"""The end of a hand of Grebber: the form of what was laid and held, the running check, and what it makes of the totals."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from flask_babel import gettext as _

from companion import wording
from companion.forms.fields import Field
from companion.forms.grebber import CardsOrPoints, CountForm
from companion.pages.counting import (
    Asked,
    HandPage,
    Preview,
    command,
    general_refusal,
    in_play,
    preview_of,
    problems_of,
    scored,
)  # fmt: skip
from companion.pages.refusals import Refused, whys
from companion.pages.verdicts import Why
from companion.record import GameView
from companion.referee.grebber import Count, sums
from companion.referee.kruth import DECK, KruthCard, KruthRank, KruthSuit, arrange, kruth_points
from companion.referee.reasons import Problem
from companion.referee.rules import Rules
from companion.referee.state import GameState, HandScore
from companion.wording.grebber import check_words, count_words
from companion.wording.kruth import kruth_list, kruth_meld, kruth_name, kruth_rank, kruth_suit

__all__ = ["command", "count_page", "effective_state", "in_play", "is_written", "preview", "scored"]


@dataclass(frozen=True, slots=True)
class KruthFace:
    """A card to tap: its value in a form, its points, its suit's word for the style sheet, its name, whether it is ticked."""

    value: str
    points: int
    suit: str
    name: str
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """What one player laid, or holds: its field, and the cards to tap, suit by suit."""

    what: str
    field: CardsOrPoints
    cards: tuple[KruthFace, ...]


@dataclass(frozen=True, slots=True)
class Player:
    """A player's block; ``wilds`` are the cards a used wild may stand for, one choice for each used and one more."""

    seat: int
    name: str
    parts: tuple[Part, ...]
    wild: Field
    wilds: tuple[tuple[KruthFace, ...], ...]
    reasons: tuple[Why, ...]

    @property
    def faulty(self) -> bool:
        """Whether anything is wrong here."""
        return bool(self.reasons or self.wild.error or any(part.field.error for part in self.parts))


@dataclass(frozen=True, slots=True)
class CountPage(HandPage):
    """``check`` is the running check of the sixty points; the suits and ranks have the words that explain their signs."""

    check: str
    suits: tuple[tuple[str, str], ...]
    ranks: tuple[tuple[str, str], ...]


def effective_state(state: GameState, _entered: CountForm, _asked: Asked) -> tuple[GameState, tuple[()]]:
    """The state in which the points count: as it is."""
    return state, ()


def faces(chosen: Iterable[KruthCard] = ()) -> tuple[KruthFace, ...]:
    """Every card of the deck to tap (K1)."""
    ticked = frozenset(chosen)
    return tuple(KruthFace(str(card), card.points, card.suit.value, kruth_name(card), card in ticked) for card in DECK)


def count_page(
    view: GameView, asked: Asked, entered: CountForm, refused: Refused | None = None, *, late: bool = False
) -> CountPage:
    """The form with what was entered, each reason beside the player it is about, the rest above."""
    return CountPage(
        asked,
        entered,
        players=tuple(_player(view, asked, entered, seat, problems_of(seat, refused)) for seat in asked.seats),
        refusal=general_refusal(view, asked, refused),
        late=late and not asked.closed,
        check=check_words(*_so_far(asked, entered)),
        suits=suit_names(),
        ranks=rank_names(),
    )


def _so_far(asked: Asked, entered: CountForm) -> tuple[int, int]:
    """The check of what can be read, whoever is still missing; cards count where they were tapped."""
    if entered.counts:
        return sums(entered.counts)
    laid, held = (
        sum(kruth_points(part.of(seat).cards) for seat in asked.seats) for part in (entered.laid, entered.held)
    )
    return laid, held


def _player(view: GameView, asked: Asked, entered: CountForm, seat: int, against: Sequence[Problem]) -> Player:
    parts = (("laid", entered.laid.of(seat)), ("held", entered.held.of(seat)))
    wild = entered.wild.of(seat)
    return Player(
        seat,
        view.names[seat],
        tuple(Part(what, field, faces(field.cards)) for what, field in parts),
        wild,
        (*(faces([card]) for card in wild.data), faces()) if asked.rules.gambling else (),
        whys(against, view),
    )


def preview(view: GameView, asked: Asked, entered: CountForm, since: tuple[str, ...] = ()) -> Preview:
    """The totals and places before and after what was entered, which must be legal."""

    def words(score: HandScore, after: GameState) -> tuple[str, tuple[str, ...]]:
        counted = (_note(view, count, asked.rules) for count in score.counts)
        return check_words(*sums(score.counts)), (*counted, *_turn(view.state, after, asked))

    return preview_of(view, view.state, asked, entered, since, words)


def _turn(before: GameState, after: GameState, asked: Asked) -> Iterable[str]:
    """What a correction does to the end of the game (K5)."""
    if asked.correcting and (before.hand is None) is not (after.hand is None):
        yield _("With this the game is over.") if after.hand is None else _("With this the game goes on.")


def _note(view: GameView, count: Count, rules: Rules) -> str:
    """``Ana 12 − 4 = 8: run in Stone, Life to King; holds Fate of Sun``."""
    said = (
        [kruth_meld(meld) for meld in arrange(count.laid_cards, rules, count.wilds).melds] if count.laid_cards else []
    )
    if count.held_cards:
        said.append(_("holds %(cards)s", cards=kruth_list(count.held_cards)))
    words = count_words(count, wording.isolate(view.names[count.seat]))
    return f"{words}: {'; '.join(said)}" if said else words


def is_written(state: GameState, entered: CountForm) -> bool:
    """Whether the hand is counted with exactly what was entered: another phone, or this one a moment ago."""
    score = state.score_of(entered.hand)
    return score is not None and not entered.errors and score.counts == entered.counts


def suit_names() -> tuple[tuple[str, str], ...]:
    """The suits' words for a form and their names."""
    return tuple((suit.value, kruth_suit(suit)) for suit in KruthSuit)


def rank_names() -> tuple[tuple[str, str], ...]:
    """The ranks' numbers for a form and their names."""
    return tuple((str(rank.value), f"{rank.value} {kruth_rank(rank)}") for rank in KruthRank)

"""The end of a hand of Grebber: the form of what was laid and held, the running check, and what it makes of the totals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from flask_babel import gettext as _

from companion import wording
from companion.forms.grebber import PARTS, Counted
from companion.pages.counting import Preview, changes
from companion.pages.refusals import Refusal, Refused, refusal, whys
from companion.pages.verdicts import Why
from companion.record import GameView
from companion.referee.commands import CorrectCount, CountHand
from companion.referee.engine import decide, evolve
from companion.referee.grebber import Count, sums
from companion.referee.kruth import DECK, KruthCard, KruthRank, KruthSuit, arrange, kruth_points
from companion.referee.reasons import Problem
from companion.referee.rules import Rules
from companion.referee.state import GameState, HandScore
from companion.wording.grebber import check_words, count_words
from companion.wording.kruth import kruth_list, kruth_meld, kruth_name, kruth_rank, kruth_suit


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
    """What one player laid, or holds: the field's name, what was typed, what is wrong, and the cards to tap, suit by suit."""

    what: str
    field: str
    typed: str
    error: str
    cards: tuple[KruthFace, ...]
    open: bool


@dataclass(frozen=True, slots=True)
class Player:
    """A player's block; ``wilds`` are the cards a used wild may stand for, one choice for each used and one more."""

    seat: int
    name: str
    parts: tuple[Part, ...]
    wilds: tuple[tuple[KruthFace, ...], ...]
    wild_error: str
    reasons: tuple[Why, ...]

    @property
    def faulty(self) -> bool:
        """Whether anything is wrong here."""
        return bool(self.reasons or self.wild_error or any(part.error for part in self.parts))


@dataclass(frozen=True, slots=True)
class CountPage:
    """The form. ``closed``: there is no such hand any more; ``late``: it was counted while this was being entered."""

    hand: int
    players: tuple[Player, ...]
    check: str
    undrawn: str
    undrawn_error: str
    refusal: Refusal | None
    correcting: bool
    late: bool
    closed: bool
    suits: tuple[tuple[str, str], ...]
    ranks: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """The hand that a form is about, who was dealt in, and the rules it was played with."""

    hand: int
    seats: tuple[int, ...]
    rules: Rules
    correcting: bool = False
    closed: bool = False


def in_play(state: GameState) -> Asked:
    """The hand in play, or the one that would be."""
    assert state.rules is not None
    return Asked(state.hand.number if state.hand else 0, state.dealt_in, state.rules)


def scored(number: int, state: GameState, _entered: Counted | None = None) -> Asked:
    """A hand counted before; where it is not (any more), the form can only be read."""
    assert state.rules is not None
    score = state.score_of(number)
    if score is None:
        return Asked(number, state.order, state.rules, correcting=True, closed=True)
    return Asked(number, tuple(score.points), score.rules or state.rules, correcting=True)


def command(entered: Counted, asked: Asked) -> CountHand | CorrectCount:
    """What the form asks for."""
    return entered.command(correcting=asked.correcting)


def effective_state(state: GameState, _entered: Counted, _asked: Asked) -> tuple[GameState, tuple[()]]:
    """The state in which the points count: as it is."""
    return state, ()


def faces(chosen: Iterable[KruthCard] = ()) -> tuple[KruthFace, ...]:
    """Every card of the deck to tap (K1)."""
    ticked = frozenset(chosen)
    return tuple(KruthFace(str(card), card.points, card.suit.value, kruth_name(card), card in ticked) for card in DECK)


def count_page(
    view: GameView, asked: Asked, entered: Counted, refused: Refused | None = None, *, late: bool = False
) -> CountPage:
    """The form with what was entered, each reason beside the player it is about, the rest above."""
    found = refused.problems if refused else ()
    general = tuple(one for one in found if one.facts.get("seat") not in asked.seats)
    above = refused is not None and bool(general or refused.status == 409)
    return CountPage(
        hand=asked.hand,
        players=tuple(_player(view, asked, entered, seat, found) for seat in asked.seats),
        check=check_words(*_so_far(asked, entered)),
        undrawn=entered.texts.get("undrawn", ""),
        undrawn_error=entered.errors.get("undrawn", ""),
        refusal=replace(refusal(view, replace(refused, problems=general)), overrules=()) if above and refused else None,
        correcting=asked.correcting,
        late=late and not asked.closed,
        closed=asked.closed,
        suits=suit_names(),
        ranks=rank_names(),
    )


def _so_far(asked: Asked, entered: Counted) -> tuple[int, int]:
    """The check of what can be read, whoever is still missing; cards count where they were tapped."""
    if entered.counts:
        return sums(entered.counts)
    laid, held = (sum(kruth_points(entered.cards.get(f"{part}-{seat}", ())) for seat in asked.seats) for part in PARTS)
    return laid, held


def _player(view: GameView, asked: Asked, entered: Counted, seat: int, found: Sequence[Problem]) -> Player:
    own = [one for one in found if one.facts.get("seat") == seat]
    used = entered.wilds.get(seat, ())
    return Player(
        seat,
        view.names[seat],
        tuple(_part(entered, what, seat) for what in PARTS),
        tuple(faces([card]) for card in used) + (faces(),) if asked.rules.gambling else (),
        entered.errors.get(f"wild-{seat}", ""),
        whys(own, view),
    )


def _part(entered: Counted, what: str, seat: int) -> Part:
    name = f"{what}-{seat}"
    cards = entered.cards.get(name, ())
    return Part(what, name, entered.texts.get(name, ""), entered.errors.get(name, ""), faces(cards), bool(cards))


def preview(view: GameView, asked: Asked, entered: Counted, since: tuple[str, ...] = ()) -> Preview:
    """The totals and places before and after what was entered, which must be legal."""
    after = evolve(view.state, decide(view.state, command(entered, asked))[0])
    new = after.score_of(entered.hand)
    assert new is not None
    return Preview(
        hand=entered.hand,
        of=0,
        said=check_words(*sums(new.counts)),
        changes=changes(view, after, new),
        fields=tuple(entered.fields()),
        last=not asked.correcting and after.hand is None,
        same=after.scores == view.state.scores,
        correcting=asked.correcting,
        since=since,
        notes=(*(_note(view, count, asked.rules) for count in new.counts), *_turn(view.state, after, asked)),
    )


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


def is_written(state: GameState, entered: Counted) -> bool:
    """Whether the hand is counted with exactly what was entered: another phone, or this one a moment ago."""
    score: HandScore | None = state.score_of(entered.hand)
    return score is not None and not entered.errors and score.counts == entered.counts


def suit_names() -> tuple[tuple[str, str], ...]:
    """The suits' words for a form and their names."""
    return tuple((suit.value, kruth_suit(suit)) for suit in KruthSuit)


def rank_names() -> tuple[tuple[str, str], ...]:
    """The ranks' numbers for a form and their names."""
    return tuple((str(rank.value), f"{rank.value} {kruth_rank(rank)}") for rank in KruthRank)

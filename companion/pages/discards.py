"""May I throw it? The 52 cards of a table, and one of them explained (G6)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flask_babel import gettext as _

from companion import wording
from companion.pages.cards import Face, Key, face, pad
from companion.pages.refusals import whys
from companion.pages.verdicts import Verdict, resting
from companion.record import GameView
from companion.referee.cards import Card, MalformedCard, parse_card
from companion.referee.reasons import Problem, Reason
from companion.referee.state import Playing, TableMeld
from companion.referee.table import dead_cards, discard_problems


@dataclass(frozen=True, slots=True)
class DiscardPage:
    """The sheet for ``seat`` (None: the table as a whole); ``seats`` to choose from where own melds matter; ``legend``
    says what the look of a dead card means, "" where none is dead.
    """

    keys: tuple[Key, ...]
    seat: int | None
    seats: tuple[tuple[int, str], ...]
    notes: tuple[str, ...]
    legend: str
    chosen: Face | None
    verdict: Verdict | None


def discard_page(view: GameView, playing: Playing, seat: int | None, typed: str) -> DiscardPage:
    """The sheet, and the verdict about the card tapped, if any."""
    state, hand, rules = playing.state, playing.hand, playing.rules
    dead = dead_cards(hand.melds, seat, rules)
    card = _card(typed, dead)
    choose = state.dealt_in if rules.discard_ban and not rules.own_melds_count else ()
    return DiscardPage(
        keys=pad(dead, {True: _("may not be thrown"), False: _("may be thrown")}),
        seat=seat,
        seats=tuple((each, view.names[each]) for each in choose),
        notes=_notes(playing, view.names),
        legend=legend(dead),
        chosen=face(card) if card else None,
        verdict=_verdict(view, hand.melds, card, seat, dead[card]) if card else None,
    )


def _card(typed: str, dead: Mapping[Card, object]) -> Card | None:
    try:
        card = parse_card(typed)
    except MalformedCard:
        return None
    return card if card in dead else None


def _notes(playing: Playing, names: Mapping[int, str]) -> tuple[str, ...]:
    hand, rules = playing.hand, playing.rules
    unseen = [names[seat] for seat in playing.state.order if seat in hand.without_cards()]
    notes = [wording.melds_not_entered(unseen)] if unseen else []
    if not rules.wild_discards:
        notes.append(wording.only_wilds_words())
    elif not hand.melds and not unseen:
        notes.append(_("No meld is on the table yet, so every card may be thrown."))
    return tuple(notes)


def legend(dead: Mapping[Card, Sequence[Problem]]) -> str:
    """Why the dead cards are dead, which is what their look on the sheet means; "" where every card may be thrown."""
    reasons = {problem.reason is Reason.DISCARD_WILD for problems in dead.values() for problem in problems}
    if not reasons:
        return ""
    if reasons == {True}:
        return _("is wild, so it is never thrown. Tap a card for the reason.")
    if reasons == {False}:
        return _("plays on the table, so it may not be thrown. Tap a card for the reason.")
    return _("may not be thrown. Tap a card for the reason.")


def _verdict(
    view: GameView, melds: Sequence[TableMeld], card: Card, seat: int | None, problems: tuple[Problem, ...]
) -> Verdict:
    rules = view.state.rules
    if problems:
        return Verdict("bad", _("No."), whys(problems, view), notes=wording.dead_hand_words(rules))
    notes = resting(lambda other: discard_problems(card, melds, seat, other), rules)
    title = _("Yes, the %(card)s may be thrown.", card=wording.card_short(card))
    return Verdict("doubt" if notes else "good", title, notes=notes)

"""May I throw it? The 52 cards of a table, and one of them explained (G6)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flask_babel import gettext as _

from companion import wording
from companion.pages.cards import Face, Key, face, pad
from companion.pages.verdicts import Ground, Verdict, because, firm_kind, resting, sentences, tags, whys
from companion.record import GameView
from companion.referee.cards import Card, MalformedCard, parse_card
from companion.referee.games import game_of
from companion.referee.melds import is_wild_card
from companion.referee.reasons import Firmness, Problem, Reason
from companion.referee.rules import Kind, Rules
from companion.referee.state import Playing, TableMeld
from companion.referee.table import counts_for, dead_cards, discard_problems


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
        verdict=about_discard(card, hand.melds, seat, rules, view.names) if card else None,
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
        notes.append(wording.only_wilds_words(rules))
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


def about_discard(
    card: Card, melds: Sequence[TableMeld], seat: int | None, rules: Rules, names: Mapping[int, str] | None = None
) -> Verdict:
    """May the card be thrown (G6), and what that rests on; ``seat`` None asks for somebody who owns no meld."""
    facts = {"card": wording.card_short(card)}
    if problems := discard_problems(card, melds, seat, rules):
        if any(problem.reason is Reason.DISCARD_WILD for problem in problems):
            return Verdict("bad", _("No, the %(card)s may not be thrown.", **facts), whys(problems, rules, names))
        exception = Ground("G6.6", Firmness.SILENT, "dead_hand"), wording.dead_hand_words(rules)
        why = because([*sentences(problems, names), exception], rules)
        return Verdict("bad", _("No, the %(card)s plays on the table.", **facts), why)
    grounds = resting(lambda other: discard_problems(card, melds, seat, other), rules, _written(rules))
    if rules.discard_ban and any(_comes_later(card, on, rules) for on in melds if counts_for(on, seat, rules)):
        grounds = (*[ground for ground in grounds if ground.switch], Ground("G6.3", Firmness.SILENT))
    title = _("Yes, the %(card)s may be thrown.", **facts)
    return Verdict(firm_kind(grounds), title, tags=tags(grounds, rules))


def _written(rules: Rules) -> Ground:
    """What lets a card be thrown that does not play, or any card where the game bans none."""
    return Ground("G6.1" if rules.discard_ban or game_of(rules).prefix != "G" else "G6.1a", Firmness.KATE)


def _comes_later(card: Card, on: TableMeld, rules: Rules) -> bool:
    """Whether the card would play on a run once other cards lie there: only directly counts, and no text says so (G6.3)."""
    meld = on.meld
    is_beyond = meld.kind is Kind.RUN and card.suit is meld.suit and not meld.places_of(card)
    return is_beyond and not is_wild_card(card, rules)

"""What happened, in the past tense: every entry of a game's record as a sentence for the history."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from flask_babel import gettext as _
from flask_babel import ngettext

from companion.referee import events as ev
from companion.referee.engine import evolve
from companion.referee.events import Event
from companion.referee.melds import Meld
from companion.referee.state import GameState
from companion.wording.cards import card_short, meld_phrase, meld_sentence, stands_for, wild_word
from companion.wording.games import rules_name
from companion.wording.grebber import count_words, filled_sentence, paid_sentence
from companion.wording.switches import switch_label, switch_names, switch_value
from companion.wording.text import N_, and_list, isolate


@dataclass(frozen=True, slots=True)
class Context:
    """What a sentence may lean on: names by seat, the state before the event, what an undo or redo was about."""

    names: Mapping[int, str]
    before: GameState | None = None
    target: Event | None = None

    def name(self, seat: int) -> str:
        return isolate(self.names[seat]) if seat in self.names else _("player %(number)s", number=seat + 1)

    def all_names(self, seats: Any) -> str:
        return and_list(map(self.name, seats))

    def meld(self, number: int, meld: Meld) -> str:
        hand = self.before.hand if self.before else None
        lying = hand.find(number) if hand else None
        return meld_phrase(meld, self.name(lying.owner) if lying else None)


def event_sentence(
    event: Event, names: Mapping[int, str], *, before: GameState | None = None, target: Event | None = None
) -> str:
    """The entry in words. ``before`` is the state it was made in (for counts and owners); ``target`` is the entry
    that an undo or redo is about."""
    return _SENTENCES[type(event)](event, Context(names, before, target))


def _started(e: ev.GameStarted, c: Context) -> str:
    players = c.all_names(e.seats)
    said = _("The game starts with %(names)s; %(dealer)s deals first. Rules: %(sheet)s.",
             names=players, dealer=c.name(e.dealer), sheet=rules_name(e.rules))  # fmt: skip
    return said if e.first_hand == 1 else said + " " + _("It starts at hand %(hand)s.", hand=e.first_hand)


def _bought(e: ev.Bought, c: Context) -> str:
    limit = c.before.buy_limit(e.seat) if c.before else None
    if c.before is None or limit is None:
        return _("%(name)s bought a card.", name=c.name(e.seat))
    facts = {"name": c.name(e.seat), "nth": c.before.buys_used(e.seat) + 1, "limit": limit}
    if c.before.rules.stock_cards == 2:
        return _("%(name)s bought the discard and takes two cards from the stock (chip %(nth)s of %(limit)s).", **facts)
    return _("%(name)s bought a card (%(nth)s of %(limit)s).", **facts)


def _went_down(e: ev.WentDown, c: Context) -> str:
    melds = "; ".join(map(meld_sentence, e.melds))
    if c.before and c.before.hand and e.seat in c.before.hand.down:
        return _("%(name)s laid more melds. %(melds)s.", name=c.name(e.seat), melds=melds)
    return _("%(name)s went down. %(melds)s.", name=c.name(e.seat), melds=melds)


def _laid_off(e: ev.LaidOff, c: Context) -> str:
    return _("%(name)s laid off the %(card)s. The meld is now %(meld)s.",
             name=c.name(e.seat), card=card_short(e.card), meld=c.meld(e.meld, e.result))  # fmt: skip


def _replaced(e: ev.WildReplaced, c: Context) -> str:
    facts = {"name": c.name(e.seat), "card": card_short(e.card), "wild": wild_word(e.wild)}
    if e.to not in ("low", "high"):
        return _("%(name)s replaced a %(wild)s with the %(card)s and took the %(wild)s.", **facts)
    end = stands_for(e.result, 0 if e.to == "low" else len(e.result.cards) - 1)
    return _("%(name)s replaced a %(wild)s with the %(card)s; the %(wild)s is now %(end)s in %(meld)s.",
             end=card_short(end), meld=c.meld(e.meld, e.result), **facts)  # fmt: skip


def _rearranged(e: ev.Rearranged, c: Context) -> str:
    melds = [c.meld(number, meld) for number, meld in e.changed]
    melds += [meld_phrase(meld, c.name(e.seat)) for meld in e.new]
    return _("%(name)s rearranged the table; now there lie: %(melds)s.", name=c.name(e.seat), melds=and_list(melds))


def _corrected_meld(e: ev.MeldCorrected, c: Context) -> str:
    if e.result is None:
        return _("A meld was taken back from the table.")
    said = _("A meld was corrected. %(meld)s.", meld=meld_sentence(e.result))
    if not e.dropped:
        return said
    gone = ngettext("%(num)s card laid off on it went back to its hand.",
                    "%(num)s cards laid off on it went back to their hands.", len(e.dropped))  # fmt: skip
    return f"{said} {gone}"


def _scores(e: ev.OfScores, c: Context, counted: str, nobody: str, out: str) -> str:
    if e.counts:
        return _(counted, hand=e.hand, counts="; ".join(count_words(count, c.name(count.seat)) for count in e.counts))
    facts = {"hand": e.hand, "points": ", ".join(f"{c.name(seat)} {points}" for seat, points in e.points.items())}
    said = _(nobody, **facts) if e.out is None else _(out, name=c.name(e.out), **facts)
    if e.laid is None:
        return said
    laid = and_list(c.name(seat) for seat in e.points if seat in e.laid)
    return said + " " + (_("Down: %(names)s.", names=laid) if laid else _("Nobody went down."))


def _scored(e: ev.HandScored, c: Context) -> str:
    return _scores(
        e, c, N_("Hand %(hand)s is counted. %(counts)s."), N_("Hand %(hand)s: nobody went out. %(points)s."),
        N_("Hand %(hand)s: %(name)s went out. %(points)s."),
    )  # fmt: skip


def _corrected_score(e: ev.ScoreCorrected, c: Context) -> str:
    return _scores(
        e, c, N_("Hand %(hand)s is counted anew. %(counts)s."), N_("Hand %(hand)s corrected: nobody went out. %(points)s."),
        N_("Hand %(hand)s corrected: %(name)s went out. %(points)s."),
    )  # fmt: skip


def _corrected_carried(e: ev.CarriedCorrected, c: Context) -> str:
    points = ", ".join(f"{c.name(seat)} {points}" for seat, points in e.carried.items())
    numbers = ", ".join(f"{c.name(seat)} {number}" for seat, number in e.begins.items())
    said = [_("Points at the start corrected: %(points)s.", points=points)] if points or not numbers else []
    return " ".join(
        [*said, *([_("First hand of the list corrected: %(numbers)s.", numbers=numbers)] if numbers else [])]
    )


def _joined(e: ev.SeatJoined, c: Context) -> str:
    said = ngettext("%(name)s joined and starts with %(num)s point.", "%(name)s joined and starts with %(num)s points.",
                    e.carried, name=c.name(e.seat))  # fmt: skip
    return said if e.begins is None else said + " " + _("On hand %(n)s of the list.", n=e.begins)


def _overruled(e: ev.RuleOverruled, c: Context) -> str:
    if e.switch not in switch_names():
        return _("The table changed a rule.")
    facts = {"switch": switch_label(e.switch), "value": switch_value(e.switch, e.value)}
    return _("The table now plays “%(switch)s: %(value)s”.", **facts)


def _of_entry(alone: str, with_entry: str) -> Callable[[Any, Context], str]:
    def said(e: ev.OfEntry, c: Context) -> str:
        if c.target is None:
            return _(alone, number=e.entry)
        return _(with_entry, number=e.entry, what=event_sentence(c.target, c.names, before=c.before))

    return said


def _resumed(e: ev.HandResumed, c: Context) -> str:
    if c.before is None or c.before.last_hand is None:
        return _("The table plays on: the last hand is in play again.")
    return _("The table plays on: hand %(hand)s is in play again, as it lay.", hand=c.before.last_hand.number)


def _together(e: ev.DoneTogether, c: Context) -> str:
    """Sentence by sentence, each event in the state that those before it made."""
    said, before = [], c.before
    for event in e.events:
        said.append(event_sentence(event, c.names, before=before))
        before = evolve(before, event) if before else None
    return " ".join(said)


_SENTENCES: dict[type, Callable[[Any, Context], str]] = {
    ev.GameStarted: _started,
    ev.Bought: _bought,
    ev.BuyTakenBack: lambda e, c: _("%(name)s gave a buy back.", name=c.name(e.seat)),
    ev.WentDown: _went_down,
    ev.WentDownWithoutCards: lambda e, c: _("%(name)s went down; the cards were not entered.", name=c.name(e.seat)),
    ev.LaidOff: _laid_off,
    ev.WildReplaced: _replaced,
    ev.Rearranged: _rearranged,
    ev.MeldCorrected: _corrected_meld,
    ev.GoingDownTakenBack: lambda e, c: _("%(name)s is not down after all.", name=c.name(e.seat)),
    ev.Floated: lambda e, c: _("%(name)s floats.", name=c.name(e.seat)),
    ev.FloatTakenBack: lambda e, c: _("%(name)s does not float after all.", name=c.name(e.seat)),
    ev.SatOut: lambda e, c: _("%(name)s sits hand %(hand)s out.", name=c.name(e.seat), hand=e.hand),
    ev.SatBackIn: lambda e, c: _("%(name)s plays hand %(hand)s after all.", name=c.name(e.seat), hand=e.hand),
    ev.HandScored: _scored,
    ev.ScoreCorrected: _corrected_score,
    ev.ChipsPaid: lambda e, c: paid_sentence(e.what, e.paid, c.name),
    ev.PurseFilled: lambda e, c: filled_sentence(e.chips, c.name(e.seat)),
    ev.HandDealtAnew: lambda e, c: _("Hand %(hand)s was dealt anew.", hand=e.hand),
    ev.CarriedCorrected: _corrected_carried,
    ev.SeatJoined: _joined,
    ev.SeatLeft: lambda e, c: _("%(name)s left the table.", name=c.name(e.seat)),
    ev.SeatReturned: lambda e, c: _("%(name)s came back to the table.", name=c.name(e.seat)),
    ev.SeatsMoved: lambda e, c: _("New seats, clockwise: %(names)s.", names=c.all_names(e.order)),
    ev.DealerSet: lambda e, c: _("%(name)s deals hand %(hand)s.", name=c.name(e.seat), hand=e.hand),
    ev.RuleOverruled: _overruled,
    ev.GameClosed: lambda e, c: _("The game was closed early."),
    ev.GameReopened: lambda e, c: _("The game was reopened."),
    ev.HandResumed: _resumed,
    ev.GameDiscarded: lambda e, c: _("The game was thrown away."),
    ev.DoneTogether: _together,
    ev.Undone: _of_entry(N_("Entry %(number)s was undone."), N_("Undone, entry %(number)s: %(what)s")),
    ev.Redone: _of_entry(N_("Entry %(number)s was redone."), N_("Redone, entry %(number)s: %(what)s")),
}

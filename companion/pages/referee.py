"""Ask the referee, without any game: what the four pages show. Nothing asked here is kept."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flask_babel import gettext as _
from flask_babel import ngettext

from companion import wording
from companion.forms.melds import reading_value
from companion.pages.cards import DrawnMeld, Face, Key, drawn, face, pad
from companion.pages.discards import about_discard, legend
from companion.pages.verdicts import Ground, Verdict, firm_kind, resting, tags, whys
from companion.referee.cards import Card
from companion.referee.contracts import as_meant, filling, fills, lay_down_problems
from companion.referee.likely import likely_melds
from companion.referee.melds import Meld, meld_problems, set_readings
from companion.referee.readings import readings, readings_in_order
from companion.referee.reasons import Firmness, Problem
from companion.referee.rules import Contract, Kind, Rules
from companion.referee.search.can_go_down import can_go_down, cards_away
from companion.referee.state import TableMeld
from companion.referee.table import copies_problems, dead_cards

#: The whole contract at once (G4.2): what a lay-down rests on where no choice of the table decides.
GOING_DOWN = Ground("G4.2", Firmness.KATE)


class NotAMeld(ValueError):
    """Cards given as a meld on the table that are none, or several; ``cards`` are those typed, ``found`` the readings."""

    def __init__(self, cards: Sequence[Card], found: Sequence[Meld]) -> None:
        super().__init__(wording.cards_short(cards))
        self.cards, self.found = tuple(cards), tuple(found)


@dataclass(frozen=True, slots=True)
class DiscardSheet:
    """The dead-card sheet of typed melds with its ``legend``, and the card somebody asked about (if any) with its verdict."""

    keys: tuple[Key, ...]
    melds: tuple[DrawnMeld, ...]
    legend: str
    chosen: Face | None = None
    verdict: Verdict | None = None


def about_meld(cards: Sequence[Card], rules: Rules) -> Verdict:
    """Is this a meld, and what is each 2? (G3)"""
    if impossible := copies_problems(cards, rules):
        return Verdict("bad", _("These cards cannot be."), whys(impossible, rules))
    options = readings(cards, rules)
    if not options:
        return Verdict("bad", _("No, this is no meld."), whys(meld_faults(cards, rules), rules))
    return _some_meld(cards, options, rules)


def _some_meld(cards: Sequence[Card], options: Sequence[Meld], rules: Rules) -> Verdict:
    """The order in which cards lie is a declaration (G3.6): it comes first, the other readings after it."""
    in_order = readings_in_order(cards, rules)
    sets = [meld for meld in options if meld.kind is Kind.SET]
    written = Ground("G3.1" if options[0].kind is Kind.SET else "G3.2", Firmness.KATE)
    grounds = resting(lambda other: not readings(cards, other), rules, written)
    kind, rests = firm_kind(grounds), tags(grounds, rules)
    if len(in_order) == 1 and not sets:
        others = [wording.meld_sentence(meld) for meld in options if meld.low is not in_order[0].low]
        more = (_("In another order also: %(melds)s", melds="; ".join(others)),) if others else ()
        return Verdict(kind, _("Yes, this is a meld."), (), rests, (drawn(in_order[0]),), more)
    runs = [meld for meld in options if meld.kind is Kind.RUN]
    melds = tuple(drawn(meld) for meld in (*sets, *(in_order or runs)))
    order = () if in_order or not runs else (_("Not in the order you typed, but the cards can lie like this:"),)
    title = _("Yes, this is a meld.") if len(melds) == 1 else _("Yes, in more than one way. Say which when you lay it.")
    return Verdict(kind, title, (), rests, melds, order)


def meld_faults(cards: Sequence[Card], rules: Rules) -> list[Problem]:
    """Why the cards are no meld: every fault as a set, or as a run where the naturals share one suit."""
    return [problem for meld in likely_melds(cards, rules)[:1] for problem in meld_problems(meld, rules)]


def lying(groups: Sequence[Sequence[Card]], rules: Rules, chosen: Mapping[str, str]) -> tuple[TableMeld, ...]:
    """Melds on the table as typed, one group each; ``chosen`` are the readings by the name of their question.

    Raises NotAMeld for cards that are none, or could be several of which none is chosen.
    """
    return tuple(_table_meld(number, cards, rules, chosen) for number, cards in enumerate(groups))


def questions(groups: Sequence[Sequence[Card]], rules: Rules) -> Mapping[str, Mapping[str, DrawnMeld]]:
    """The readings to choose from by their value, for each group that has several, under the name of the question."""
    ways = {_question(number): _lies(cards, rules) for number, cards in enumerate(groups)}
    return {name: {reading_value(m): drawn(m) for m in melds} for name, melds in ways.items() if len(melds) > 1}


def _question(number: int) -> str:
    return f"reading-{number}"


def _lies(cards: Sequence[Card], rules: Rules) -> tuple[Meld, ...]:
    """What the cards can be: a run in their order or a set, else any reading."""
    in_order = readings_in_order(cards, rules) + (set_readings(cards, rules) if len(cards) > 2 else ())
    return in_order or readings(cards, rules)


def _table_meld(number: int, cards: Sequence[Card], rules: Rules, chosen: Mapping[str, str]) -> TableMeld:
    options = _lies(cards, rules)
    if len(options) > 1:
        options = tuple(meld for meld in options if reading_value(meld) == chosen.get(_question(number))) or options
    if len(options) != 1:
        raise NotAMeld(cards, options)
    return TableMeld(number, number, options[0], options[0])


def discard_sheet(melds: Sequence[TableMeld], card: Card | None, rules: Rules) -> DiscardSheet:
    """May I throw it? All 52 cards, and one of them explained (G6)."""
    dead = dead_cards(melds, None, rules)
    keys = pad(dead, {True: _("may not be thrown"), False: _("may be thrown")})
    laid = tuple(drawn(meld.meld) for meld in melds)
    if card is None:
        return DiscardSheet(keys, laid, legend(dead))
    return DiscardSheet(keys, laid, legend(dead), face(card), about_discard(card, melds, None, rules))


def about_contract(groups: Sequence[Sequence[Card]], number: int, rules: Rules) -> Verdict:
    """Does this fill hand n? (G4)"""
    contract = rules.contracts[number - 1]
    problems = contract_faults(groups, contract, rules)
    if problems:
        return Verdict("bad", _("No, this does not fill hand %(n)s.", n=number), whys(problems, rules))
    grounds = resting(lambda other: contract_faults(groups, contract, other), rules, GOING_DOWN)
    melds = filling(groups, contract, rules) or ()
    faces = tuple(drawn(_as_it_lies(meld, cards, rules)) for meld, cards in zip(melds, groups, strict=True))
    title = _("Yes, this fills hand %(n)s.", n=number)
    return Verdict(firm_kind(grounds), title, (), tags(grounds, rules), faces)


def contract_faults(groups: Sequence[Sequence[Card]], contract: Contract, rules: Rules) -> tuple[Problem, ...]:
    if fills(groups, contract, rules):
        return copies_problems([card for group in groups for card in group], rules)
    return lay_down_problems(as_meant(groups, contract, rules), contract, rules)


def _as_it_lies(meld: Meld, cards: Sequence[Card], rules: Rules) -> Meld:
    """A run in the order in which its cards were typed, where it is a run in that order (G3.6)."""
    in_order = readings_in_order(cards, rules) if meld.kind is Kind.RUN else ()
    return in_order[0] if len(in_order) == 1 else meld


def about_hand(cards: Sequence[Card], number: int, rules: Rules) -> Verdict:
    """Can these cards go down? With the melds, or how many cards are missing (G4.2)."""
    contract = rules.contracts[number - 1]
    if impossible := copies_problems(cards, rules):
        return Verdict("bad", _("These cards cannot be."), whys(impossible, rules))
    melds = can_go_down(cards, contract, rules)
    grounds = resting(lambda other: can_go_down(cards, contract, other) is None, rules, GOING_DOWN)
    if melds is None:
        away = cards_away(cards, contract, rules)
        missing = ngettext("%(num)s well-chosen card is missing.", "%(num)s well-chosen cards are missing.", away)
        return Verdict("bad", _("No, not yet."), tags=tags(grounds, rules), notes=(missing,))
    left = Counter(cards) - Counter(card for meld in melds for card in meld.cards)
    notes = (_("Left in hand: %(cards)s", cards=wording.cards_short(left.elements())),) if left else ()
    title = _("Yes, these cards can go down.")
    return Verdict(firm_kind(grounds), title, (), tags(grounds, rules), tuple(map(drawn, melds)), notes)

"""The statistics: everybody side by side, point by point of the contracts, and each against each."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from typing import NamedTuple

from flask_babel import format_decimal, ngettext
from flask_babel import gettext as _

from companion import wording
from companion.analysis.statistics import HeadToHead, PerHand, PlayedHand, SeatResult, Tally, head_to_heads, tallies
from companion.forms.nights import NightsForm, Number
from companion.pages.marks import Person, people_by_id
from companion.pages.nights import Choice, choice, state_of
from companion.record import many_nights
from companion.record.many_nights import PersonRow, Wanted
from companion.referee.lists import read_contract
from companion.wording import nights as words

IN_MATRIX = 8  # each against each of so many; a person's own page has them all


@dataclass(frozen=True, slots=True)
class Cell:
    """A number: what it is for a reader who does not see the head of its column, and the ``of`` that opens its nights
    ("" where there are none); ``text`` is "" for nothing at all.
    """

    label: str
    text: str
    of: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a table: somebody, and their numbers."""

    person: Person
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class StatisticsPage:
    """The page; the tables are empty while no night counts, or while something is wrong with the form.

    ``contracts`` are the heads of the hands: their number and what they asked for; where nights of different lists are
    ``is_mixed`` there is no number. ``counted`` are the nights that count, ``others`` those that do not: the state that lists
    them, and how many.
    """

    form: NightsForm
    choice: Choice
    counted: tuple[tuple[str, str], ...]
    others: tuple[tuple[str, str], ...]
    heads: tuple[str, ...]
    everybody: tuple[Row, ...]
    contracts: tuple[tuple[str, str], ...]
    is_mixed: bool
    by_hand: tuple[Row, ...]
    against: tuple[Person, ...]
    matrix: tuple[Row, ...]


def statistics_page(form: NightsForm, device: int | None, known: Sequence[PersonRow]) -> StatisticsPage:
    """Everybody's numbers over the nights of a form; hidden people have none here, though others played them."""
    people = people_by_id(known)
    results = () if form.errors else many_nights.seat_results(device, form.wanted)
    mixed, hands = (False, ()) if form.errors else played_hands(device, form.wanted)
    shown = [
        tally
        for tally in tallies(results, hands).values()
        if tally.person in people and not people[tally.person].hidden
    ]
    shown.sort(key=_rank)
    most = sorted(shown, key=lambda tally: -len(tally.nights))[:IN_MATRIX]
    against = [tally.person for tally in shown if tally in most] if len(shown) > 1 else []
    compared = head_to_heads(results, against)
    played = in_order({hand for tally in shown for hand in tally.hands}) if has_contracts(form) else []
    return StatisticsPage(
        form=form,
        choice=choice(form, people),
        counted=tuple(_counted(results)),
        others=tuple(_others(form, device)),
        heads=tuple(column.head for column in _columns(form)),
        everybody=tuple(Row(people[tally.person], cells_of(tally, form)) for tally in shown),
        contracts=tuple(hand_heads(hand, form) for hand in played),
        is_mixed=mixed,
        by_hand=tuple(Row(people[tally.person], hand_cells(tally, played)) for tally in shown),
        against=tuple(people[person] for person in against),
        matrix=tuple(
            Row(people[person], tuple(_score(person, other, compared[person].get(other)) for other in against))
            for person in against
        ),
    )


def played_hands(device: int | None, wanted: Wanted, person: int | None = None) -> tuple[bool, tuple[PlayedHand, ...]]:
    """Whether nights of different lists are mixed, and what came of their hands: then by contract, else by number."""
    mixed = many_nights.have_different_lists(device, wanted)
    return mixed, (many_nights.by_contract if mixed else many_nights.hands)(device, wanted, person)


def in_order(hands: Iterable[int | str]) -> list[int | str]:
    """Hands by their number, contracts by the cards they take; those without a contract are left out."""
    return sorted(filter(None, hands), key=lambda hand: (_cards(hand), str(hand)))


def _cards(hand: int | str) -> int:
    return hand if isinstance(hand, int) else read_contract(hand).cards_needed


def hand_heads(hand: int | str, form: NightsForm) -> tuple[str, str]:
    """The number of a hand, and what it asked for as far as that is known; a contract has no number."""
    if isinstance(hand, str):
        return "", wording.contract_words(read_contract(hand))
    own = form.rules is not None and form.rules.own_progress
    return str(hand), "" if own else wording.hand_contract(form.rules, hand)


def _rank(tally: Tally) -> tuple[object, ...]:
    """Who won most stands first; then who won more of their nights, and whose average is the better one."""
    best, worst = tally.best or 0, tally.worst or 0
    average = (tally.average or 0) * (-1 if best > worst else 1)
    return -len(tally.won), len(tally.nights), tally.average is None, average, tally.person


def _counted(results: Iterable[SeatResult]) -> Iterable[tuple[str, str]]:
    if ended := len({seat.night for seat in results}):
        yield "ended", words.ended_words(ended)
    if early := len({seat.night for seat in results if not seat.whole}):
        yield "early", words.early_words(early)


def _others(form: NightsForm, device: int | None) -> Iterable[tuple[str, str]]:
    now, names = datetime.now(UTC), words.state_names()
    unfinished = () if form.errors else many_nights.nights(device, form.wanted, unfinished=True)
    counts = Counter(state_of(night, now) for night in unfinished)
    return ((state, f"{names[state]}: {counts[state]}") for state in ("going", "abandoned") if counts[state])


def has_contracts(form: NightsForm) -> bool:
    """Whether a hand's number says what was played in it; to a target (K5), or on own hands of a list, it does not."""
    return form.rules is None or form.rules.hands_in_all > 0


def average_words(value: Fraction | None, pattern: str = "#,##0.0") -> str:
    """A number with one figure after the point; "" for None."""
    return "" if value is None else str(format_decimal(float(value), format=pattern))


class Column(NamedTuple):
    """A number about one person: its head, its text, what its nights are asked for as, whether there is any of it, and
    whether it needs a game with contracts.
    """

    head: str
    text: Callable[[Tally], str]
    what: str
    some: Callable[[Tally], object]
    contracts_only: bool = False


def _every_column() -> tuple[Column, ...]:
    return (
        Column(_("Nights"), lambda tally: str(len(tally.nights)), "nights", lambda tally: tally.nights),
        Column(_("Won"), lambda tally: str(len(tally.won)), "won", lambda tally: tally.won),
        Column(_("Average"), lambda tally: average_words(tally.average), "total", lambda tally: tally.compared),
        Column(_("Best"), lambda tally: _maybe(tally.best), "best", lambda tally: tally.compared),
        Column(_("Worst"), lambda tally: _maybe(tally.worst), "worst", lambda tally: tally.compared),
        Column(_("A hand"), lambda tally: average_words(tally.whole.average), "dealt", lambda tally: tally.hands),
        Column(_("Out"), lambda tally: str(tally.whole.outs), "out", lambda tally: tally.whole.outs),
        Column(
            _("Times floated"), lambda tally: str(tally.whole.floats), "floated", lambda tally: tally.whole.floats,
            contracts_only=True,
        ),
        Column(
            _("Buys a hand"), lambda tally: average_words(tally.whole.average_buys, "0.00"), "bought",
            lambda tally: tally.whole.buys, contracts_only=True,
        ),
    )  # fmt: skip


def _columns(form: NightsForm) -> list[Column]:
    contracts = has_contracts(form)
    return [column for column in _every_column() if contracts or not column.contracts_only]


def _maybe(value: int | None) -> str:
    return "" if value is None else str(value)


def cells_of(tally: Tally, form: NightsForm) -> tuple[Cell, ...]:
    """The numbers of one person."""
    return tuple(
        Cell(column.head, column.text(tally), str(Number(column.what, tally.person)) if column.some(tally) else "")
        for column in _columns(form)
    )


def hand_cells(tally: Tally, hands: Iterable[int | str]) -> tuple[Cell, ...]:
    """The average of every hand; nothing, and no zero, where it was never played."""
    return tuple(
        Cell(
            _("Hand %(n)s", n=hand) if isinstance(hand, int) else wording.contract_words(read_contract(hand)),
            average_words(tally.hands.get(hand, PerHand()).average),
            str(Number("dealt", tally.person, hand=hand)) if hand in tally.hands else "",
        )
        for hand in hands
    )


def head_to_head_cells(person: int, other: int, both: HeadToHead) -> tuple[Cell, ...]:
    """Ahead, level and behind, each with its nights."""
    return tuple(
        Cell(label, str(len(nights)), str(Number(what, person, other)) if nights else "")
        for what, label, nights in (
            ("ahead", _("Ahead"), both.ahead),
            ("level", _("Level"), both.level),
            ("behind", _("Behind"), both.behind),
        )
    )


def _score(person: int, other: int, both: HeadToHead | None) -> Cell:
    """``7–3``, and how often level where they were."""
    if other == person or both is None:
        return Cell("", "")
    score = f"{len(both.ahead)}–{len(both.behind)}"
    level = len(both.level)
    label = ngettext("level %(num)s time", "level %(num)s times", level) if level else ""
    return Cell(label, score + (f" ={level}" if level else ""), str(Number("together", person, other)))

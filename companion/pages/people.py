"""The people, and one of them: what their nights came to, whom they met, and what was changed about them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from flask_babel import format_date, ngettext
from flask_babel import gettext as _

from companion import wording
from companion.analysis.statistics import HeadToHead, Tally, head_to_heads, tallies
from companion.forms.nights import NightsForm
from companion.forms.people import PersonForm
from companion.pages.marks import Person, people_by_id
from companion.pages.nights import Choice, choice
from companion.pages.statistics import (
    Cell,
    Row,
    cells_of,
    hand_cells,
    hand_heads,
    has_contracts,
    head_to_head_cells,
    in_order,
    played_hands,
)
from companion.record import many_nights, person_changes, person_trail
from companion.record.many_nights import PersonRow
from companion.record.person_trail import Change
from companion.wording import nights as words


@dataclass(frozen=True, slots=True)
class PersonPage:
    """The page of one person: ``hands`` are contracts with the average, ``against`` those they sat with, ``form`` is what
    was sent and refused, ``seen`` the last change there is. ``stay`` says which nights stay as they are whatever this
    phone changes; "": it keeps them all.
    """

    person: Person
    nights: NightsForm
    choice: Choice
    counted: bool
    numbers: tuple[Cell, ...]
    notes: tuple[Cell, ...]
    hands: tuple[tuple[str, str, Cell], ...]
    against: tuple[Row, ...]
    keeper: bool
    stay: str
    form: PersonForm
    changes: tuple[tuple[Change, str], ...]
    seen: int


def people_lists(device: int | None, known: Sequence[PersonRow]) -> tuple[list[tuple[Person, str]], ...]:
    """Everybody that this device knows, by name, and their nights and wins in words; then those who are hidden."""
    wins = many_nights.wins(device)
    listed = [(person, _nights_and_wins(*wins.get(person.id, (0, 0)))) for person in people_by_id(known).values()]
    return tuple([line for line in listed if line[0].hidden is hidden] for hidden in (False, True))


def _nights_and_wins(nights: int, won: int) -> str:
    if not nights:
        return _("No night ended yet")
    played = ngettext("%(num)s night", "%(num)s nights", nights)
    first = ngettext("%(num)s won", "%(num)s won", won)
    return f"{played} · {first}"


def person_page(
    person: int, device: int | None, known: Sequence[PersonRow], nights: NightsForm, form: PersonForm
) -> PersonPage:
    """The page of somebody this device knows."""
    row = next(row for row in known if row.id == person)
    people = people_by_id(known)
    wanted = nights.wanted
    theirs = many_nights.Wanted(wanted.sheets, wanted.since, wanted.until, (*wanted.people, person))
    results = () if nights.errors else many_nights.seat_results(device, theirs)
    hands = () if nights.errors else played_hands(device, theirs, person)[1]
    tally = tallies(results, hands).get(person, Tally(person))
    keeper = person_changes.is_keeper(person, device)
    trail = person_trail.changes(person, device) if keeper else ()
    beyond = person_changes.kept_by_others(person, device) if keeper else 0
    form.into.options = [(other.id, other.name) for other in _others(row, known, people, device)]
    if form.do.text != "rename":
        form.name.text = row.name
    return PersonPage(
        person=people[person],
        nights=nights,
        choice=choice(nights, people),
        counted=bool(tally.nights),
        numbers=cells_of(tally, nights),
        notes=_notes(tally),
        hands=tuple(_hands(tally, nights)),
        against=tuple(_against(tally, people, head_to_heads(results, [person])[person])),
        keeper=keeper and not row.forgotten,
        stay=words.stay_words(beyond) if beyond else "",
        form=form,
        changes=tuple((change, _change_words(change)) for change in trail),
        seen=person_trail.last_change(person) if keeper else 0,
    )


def _notes(tally: Tally) -> tuple[Cell, ...]:
    """What is told apart, where there is any of it."""
    return tuple(
        Cell(label, str(len(nights)), f"{what}-{tally.person}")
        for what, label, nights in (
            ("shared", _("Wins shared with others"), tally.shared),
            ("early", _("Nights that ended early"), tally.early),
            ("left", _("Left before the end"), tally.left),
        )
        if nights
    )


def _hands(tally: Tally, nights: NightsForm) -> Iterable[tuple[str, str, Cell]]:
    if has_contracts(nights):
        played = in_order(tally.hands)
        for hand, cell in zip(played, hand_cells(tally, played), strict=True):
            yield *hand_heads(hand, nights), cell


def _against(tally: Tally, people: Mapping[int, Person], met: Mapping[int, HeadToHead]) -> Iterable[Row]:
    for other in people:
        if other in met and not people[other].hidden:
            yield Row(people[other], head_to_head_cells(tally.person, other, met[other]))


def _others(
    row: PersonRow, known: Sequence[PersonRow], people: Mapping[int, Person], device: int | None
) -> tuple[Person, ...]:
    """Whom somebody can be merged into: others of their house whom this device may change."""
    house = [other for other in known if other.house_id == row.house_id and other.id != row.id and not other.forgotten]
    kept = person_changes.kept([other.id for other in house], device)
    return tuple(people[other.id] for other in house if other.id in kept)


def _change_words(change: Change) -> str:
    other = wording.isolate(change.other)
    until = format_date(change.until, "medium") if change.until else ""
    facts = {"before": change.before, "after": change.after, "other": other, "until": until}
    return words.change_words(change.kind, **facts, into=change.into)

"""The people, and one of them: what their nights came to, whom they met, and what was changed about them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flask_babel import format_date, ngettext
from flask_babel import gettext as _

from companion import wording
from companion.analysis.statistics import HeadToHead, Tally, head_to_heads, tallies
from companion.forms.nights import NightsForm
from companion.forms.people import PersonForm
from companion.pages.marks import Person, people_by_id
from companion.pages.nights import Period, chosen_words, periods
from companion.pages.statistics import Cell, cells_of, hand_cells, has_contracts, head_to_head_cells
from companion.record import many_nights, person_changes
from companion.record.many_nights import PersonRow
from companion.record.person_changes import Change
from companion.wording import nights as words


@dataclass(frozen=True, slots=True)
class ListedPerson:
    """Somebody in the list: nights and wins in words."""

    person: Person
    words: str


@dataclass(frozen=True, slots=True)
class PeopleList:
    """Everybody who played, and those who are hidden."""

    shown: tuple[ListedPerson, ...]
    hidden: tuple[ListedPerson, ...]


@dataclass(frozen=True, slots=True)
class Hand:
    """A contract in somebody's statistics."""

    number: int
    contract: str
    average: Cell


@dataclass(frozen=True, slots=True)
class Against:
    """Somebody they sat with, and how it went."""

    person: Person
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Trace:
    """A change in words; ``id`` where it is the one that can be taken back, else None."""

    words: str
    date: str
    undone: bool
    id: int | None


@dataclass(frozen=True, slots=True)
class PersonPage:
    """The page of one person; ``form`` what was sent and refused, ``seen`` the last change it shows."""

    person: Person
    nights: NightsForm
    chosen: str
    counted: bool
    numbers: tuple[Cell, ...]
    notes: tuple[Cell, ...]
    hands: tuple[Hand, ...]
    against: tuple[Against, ...]
    keeper: bool
    form: PersonForm
    changes: tuple[Trace, ...]
    seen: int
    periods: tuple[Period, ...]


def people_list(device: int | None, known: Sequence[PersonRow]) -> PeopleList:
    """Everybody that this device knows, by name."""
    found = many_nights.wins(device)
    listed = [
        ListedPerson(person, _nights_and_wins(*found.get(person.id, (0, 0)))) for person in people_by_id(known).values()
    ]
    return PeopleList(
        tuple(one for one in listed if not one.person.hidden), tuple(one for one in listed if one.person.hidden)
    )


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
    hands = () if nights.errors else many_nights.hands(device, theirs, person)
    tally = tallies(results, hands).get(person, Tally(person))
    keeper = person_changes.is_keeper(person, device)
    trail = person_changes.changes(person) if keeper else ()
    form.into.options = [(other.id, other.name) for other in _others(row, known, people, device)]
    if form.do.text != "rename":
        form.name.text = row.name
    return PersonPage(
        person=people[person],
        nights=nights,
        chosen=chosen_words(nights, people),
        counted=bool(tally.nights),
        numbers=cells_of(tally, nights),
        notes=_notes(tally),
        hands=tuple(_hands(tally, nights)),
        against=tuple(_against(tally, people, head_to_heads(results, [person])[person])),
        keeper=keeper and not row.forgotten,
        form=form,
        changes=tuple(_trace(change, person) for change in trail),
        seen=max((change.id for change in trail), default=0),
        periods=periods(nights),
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


def _hands(tally: Tally, nights: NightsForm) -> list[Hand]:
    if not has_contracts(nights):
        return []
    cells = hand_cells(tally, tally.hands)
    return [
        Hand(hand, wording.hand_contract(nights.rules, hand), cell)
        for hand, cell in zip(tally.hands, cells, strict=True)
    ]


def _against(tally: Tally, people: Mapping[int, Person], found: Mapping[int, HeadToHead]) -> list[Against]:
    met = [other for other in people if other in found and not people[other].hidden]
    return [Against(people[other], head_to_head_cells(tally.person, other, found[other])) for other in met]


def _others(
    row: PersonRow, known: Sequence[PersonRow], people: Mapping[int, Person], device: int | None
) -> tuple[Person, ...]:
    """Whom somebody can be merged into: others of their house whom this device may change."""
    house = [one for one in known if one.house_id == row.house_id and one.id != row.id and not one.forgotten]
    kept = person_changes.kept([one.id for one in house], device)
    return tuple(people[one.id] for one in house if one.id in kept)


def _trace(change: Change, person: int) -> Trace:
    said = words.change_words(
        change.kind, before=change.before, after=change.after, other=wording.isolate(change.other), into=change.into
    )
    return Trace(said, format_date(change.at, "medium"), change.undone, change.id if change.last else None)

"""The form of a new game as its page shows it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from flask_babel import gettext as _

from companion import wording
from companion.forms.starting import DRAW, SHEETS, StartForm, turnable
from companion.names import clean_name, look_alike_key
from companion.record import KnownPerson
from companion.referee.switches import Switch
from companion.wording.book import chapter_title
from companion.wording.seats import third_deck_hint

CHIPS = 12  # people shown before a tap on "more"


@dataclass(frozen=True, slots=True)
class Chair:
    """A row: what was typed, what is wrong with it, and whether it stands blank among others."""

    name: str
    error: str
    blank: bool
    points: str
    points_error: str


@dataclass(frozen=True, slots=True)
class Chip:
    """Somebody of an earlier night; ``sits`` on a chair already."""

    name: str
    sits: bool


@dataclass(frozen=True, slots=True)
class Option:
    """One answer of a choice."""

    value: str
    words: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class SwitchField:
    """A switch with its answers; the first leaves it to the sheet."""

    name: str
    rule: str
    label: str
    help: str
    options: tuple[Option, ...]
    error: str


@dataclass(frozen=True, slots=True)
class SwitchChapter:
    """The switches under one heading of the rules; ``changed`` counts those turned, ``open`` shows them at once."""

    title: str
    switches: tuple[SwitchField, ...]
    changed: int
    open: bool


@dataclass(frozen=True, slots=True)
class Fault:
    """A line of the summary of what is wrong: where it leads, and the sentence."""

    field: str
    sentence: str


@dataclass(frozen=True, slots=True)
class StartPage:
    """Everything the page shows; ``again`` is the last night's code and players, or None; ``begun``: names are typed."""

    again: tuple[str, str] | None
    begun: bool
    chairs: tuple[Chair, ...]
    chips: tuple[Chip, ...]
    more_chips: tuple[Chip, ...]
    dealers: tuple[Option, ...]
    hands: tuple[Option, ...]
    first: str
    target: str
    paper: bool
    game: str
    game_name: str
    sheets: tuple[Option, ...]
    others: tuple[Option, ...]
    chapters: tuple[SwitchChapter, ...]
    changed: int
    open: bool
    third_deck: str
    third_from: int
    needs_third: bool
    most: int
    names_hint: str
    full: bool
    faults: tuple[Fault, ...]
    errors: dict[str, str]


def start_page(form: StartForm, known: Sequence[KnownPerson], again: tuple[str, str] | None = None) -> StartPage:
    """The page of a form as it stands."""
    chips = tuple(_chips(form, known))
    return StartPage(
        again=again,
        begun=bool(form.seated()),
        chairs=tuple(_chairs(form)),
        chips=chips[:CHIPS],
        more_chips=chips[CHIPS:],
        dealers=tuple(_dealers(form)),
        hands=tuple(_hands(form)),
        first=form.first,
        target="" if form.base.target is None else form.target or str(form.base.target),
        paper=form.is_from_paper or "first" in form.errors,
        game=form.base.game,
        game_name=wording.sheet_name(form.base.sheet),
        sheets=tuple(_sheet(form, name) for name, rules in SHEETS.items() if rules.game == form.base.game),
        others=tuple(
            _sheet(form, name) for name, rules in SHEETS.items() if rules.game not in (form.base.game, "gripe")
        ),
        chapters=tuple(_chapters(form)),
        changed=len(form.switches),
        open=bool(form.switches) or "sheet" in form.errors,
        third_deck=third_deck_hint(form.base),
        third_from=form.base.players_per_two_decks + 1 if form.base.contracts else 99,
        needs_third=bool(form.base.contracts) and len(form.seated()) > form.base.players_per_two_decks,
        most=form.base.max_players,
        names_hint=_names_hint(form),
        full=len(form.rows) >= form.base.max_players,
        faults=tuple(_fault(form, key, sentence) for key, sentence in form.errors.items()),
        errors=form.errors,
    )


def _names_hint(form: StartForm) -> str:
    hints = {"peru": _("Two to eight names."), "grebber": _("Two or three names.")}
    return hints.get(form.base.game, _("Three to eight names."))


def _sheet(form: StartForm, name: str) -> Option:
    return Option(name, wording.sheet_name(name), name == form.sheet)


def _chairs(form: StartForm) -> Iterable[Chair]:
    for row, (name, points) in enumerate(zip(form.rows, form.row_points, strict=True)):
        error = form.errors.get(f"name-{row}", "")
        yield Chair(name, error, bool(error) and not clean_name(name), points, form.errors.get(f"points-{row}", ""))


def _chips(form: StartForm, known: Sequence[KnownPerson]) -> Iterable[Chip]:
    sitting = {look_alike_key(clean_name(name)) for name in form.names}
    return (Chip(person.name, look_alike_key(person.name) in sitting) for person in known)


def _dealers(form: StartForm) -> Iterable[Option]:
    yield Option(DRAW, _("Draw by lot"), form.dealer == DRAW)
    for row, name in enumerate(form.rows):
        words = f"{row + 1}: {wording.isolate(clean_name(name))}" if clean_name(name) else _("Chair %(n)s", n=row + 1)
        yield Option(str(row), words, form.dealer == str(row))


def _hands(form: StartForm) -> Iterable[Option]:
    for number, contract in enumerate(form.base.contracts, 1):
        yield Option(str(number), f"{number}: {wording.contract_words(contract)}", str(number) == form.first)


def _chapters(form: StartForm) -> Iterable[SwitchChapter]:
    for code, found in groupby(turnable(form.base.game), key=_chapter):
        switches = tuple(found)
        names = [switch.name for switch in switches]
        changed = sum(name in form.switches for name in names)
        is_open = any(name in form.errors for name in names)
        fields = tuple(_switch(form, switch) for switch in switches)
        yield SwitchChapter(chapter_title(code), fields, changed, is_open or bool(changed))


def _chapter(switch: Switch) -> str:
    """The head of the rule's number; of the rules of Peru, P1 is about the decks and P7 about discards."""
    if switch.rule.startswith("K"):
        return "K"
    return switch.rule.partition(".")[0] if "." in switch.rule else {"P1": "G1"}.get(switch.rule, "G6")


def _switch(form: StartForm, switch: Switch) -> SwitchField:
    chosen = form.switches.get(switch.name, "")
    usual = {getattr(sheet, switch.name) for sheet in SHEETS.values() if sheet.game == form.base.game}
    differs = len(usual) > 1
    default = wording.switch_value(switch.name, *usual) if not differs else ""
    first = _("as on the rule sheet") if differs else _("%(value)s (default)", value=default)
    others = [value for value in switch.values if differs or value not in usual]
    options = [Option("", first, not chosen)]
    options += [Option(str(value), wording.switch_value(switch.name, value), str(value) == chosen) for value in others]
    return SwitchField(
        switch.name,
        switch.rule,
        wording.switch_label(switch.name),
        wording.switch_help(switch.name),
        tuple(options),
        form.errors.get(switch.name, ""),
    )


def _fault(form: StartForm, key: str, sentence: str) -> Fault:
    """A fault of a chair says which one."""
    kind, _dash, row = key.partition("-")
    if kind in ("name", "points"):
        name = clean_name(form.rows[int(row)]) if kind == "points" else ""
        who = wording.isolate(name) or _("Chair %(n)s", n=int(row) + 1)
        sentence = f"{who}: {sentence}"
    return Fault(_anchor(key), sentence)


def _anchor(key: str) -> str:
    """The field's id on the page."""
    plain = {
        "names": "chairs",
        "dealer": "dealer",
        "first": "first",
        "sheet": "sheet",
        "target": "target",
        "form": "form",
    }
    return key if key.startswith(("name-", "points-")) else plain.get(key, f"rule-{key}")

"""The lists of one's own: all of them, and the editor of one."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import segno
from flask import url_for
from flask_babel import format_date, ngettext, pgettext
from flask_babel import gettext as _
from markupsafe import Markup

from companion import wording
from companion.forms.lists import BASES, UNCHANGED, Changed, ListForm, groups_of
from companion.i18n import evening_of
from companion.pages.joining import qr_code
from companion.pages.table import shapes
from companion.record.own_lists import Content, KeptList
from companion.referee.lists import MOST_SLOTS, SIZES
from companion.referee.own_lists import OwnHand, checks, read_hands
from companion.referee.rules import Contract, Kind, Rules
from companion.serving.lan import base_address
from companion.wording import lists as words

Shapes = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Tile:
    """A list among the others."""

    code: str
    name: str
    text: str
    used: str


@dataclass(frozen=True, slots=True)
class ListsPage:
    """The lists that are kept, and those that were removed."""

    kept: tuple[Tile, ...]
    removed: tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class Stepper:
    """A number with a button to either side: their values, what they say aloud, and ``usual``, the button for what the
    rules have ("" where it has that now).
    """

    label: str
    value: str
    less: str
    more: str
    said: str
    usual: str = ""


@dataclass(frozen=True, slots=True)
class Panel:
    """All about the hand that is open. ``kinds`` are melds to add, ``last`` the ways to end it: value, words, chosen."""

    melds: tuple[tuple[str, tuple[Stepper, ...]], ...]
    kinds: tuple[tuple[str, str], ...]
    steppers: tuple[Stepper, ...]
    last: tuple[tuple[str, str, bool], ...]
    flags: tuple[tuple[str, str, bool], ...]


@dataclass(frozen=True, slots=True)
class Row:
    """A hand of the list; ``checks`` are sentences, each with whether nobody can play the hand so."""

    number: int
    shapes: Shapes
    words: str
    extras: str
    checks: tuple[tuple[str, bool], ...]
    panel: Panel | None

    @property
    def stops(self) -> bool:
        """Whether nobody can play it."""
        return any(stops for _words, stops in self.checks)


@dataclass(frozen=True, slots=True)
class ListPage:
    """The editor. ``begin`` are the games to begin with, ``unread`` lines with why not."""

    form: ListForm
    changed: Changed
    rows: tuple[Row, ...]
    begin: tuple[tuple[str, str], ...]
    unread: tuple[tuple[str, str], ...]


def lists_page(kept: Sequence[KeptList], removed: Sequence[KeptList]) -> ListsPage:
    """All lists of the house."""
    return ListsPage(tuple(map(_tile, kept)), tuple(map(_tile, removed)))


def _tile(one: KeptList) -> Tile:
    used = _("Never played yet")
    if one.used_at:
        used = _("Last played %(day)s", day=format_date(evening_of(one.used_at), "medium"))
    return Tile(one.code, one.content.name, content_line(one.content), used)


def content_line(content: Content) -> str:
    """``4 hands, by the rules of Gripe``."""
    count = len(read_hands(content.hands)[0][: content.first_hands])
    hands = ngettext("%(num)s hand", "%(num)s hands", count)
    return _("%(hands)s, by the rules of %(game)s", hands=hands, game=wording.sheet_name(content.sheet))


def list_page(form: ListForm, changed: Changed = UNCHANGED) -> ListPage:
    """The editor as the form stands."""
    rules = form.rules
    rows = tuple(_row(form, rules, at, hand) for at, hand in enumerate(form.list)) if rules else ()
    form.first.options = (("", _("all of them")), *((n, str(n)) for n in range(1, len(form.list))))
    return ListPage(
        form=form,
        changed=changed,
        rows=rows,
        begin=tuple((sheet, _begin_words(rules)) for sheet, rules in BASES.items()),
        unread=tuple((line.text, words.bad_line(line.why)) for line in form.unread),
    )


def _begin_words(rules: Rules) -> str:
    hands = ngettext("%(num)s hand", "%(num)s hands", len(rules.contracts))
    return f"{wording.sheet_name(rules.sheet)} · {hands}"


def _row(form: ListForm, rules: Rules, at: int, hand: OwnHand) -> Row:
    found = tuple((words.check_words(check), check.stops) for check in checks(rules, at + 1))
    return Row(
        number=at + 1,
        shapes=hand_shapes(hand.contract),
        words=words.hand_words(hand),
        extras=" · ".join(words.hand_extras(hand)),
        checks=found,
        panel=_panel(at, hand, form.base) if form.opened == at else None,
    )


def hand_shapes(contract: Contract) -> Shapes:
    """The melds as they are drawn; every card in sets and runs is drawn as one of each."""
    return (("set", 3), ("run", 3)) if contract.is_everything else shapes(contract)


def _panel(at: int, hand: OwnHand, base: Rules) -> Panel:
    groups = [] if hand.contract.is_everything else groups_of(hand.contract)
    melds = tuple(
        (
            words.kind_title(group.slot.kind),
            (
                Stepper(pgettext("melds", "How many"), str(group.count), f"fewer-{at}-{i}", f"more-{at}-{i}",
                        words.kind_title(group.slot.kind)),
                Stepper(_("Cards in each"), str(group.slot.size), f"shorter-{at}-{i}", f"longer-{at}-{i}",
                        words.kind_title(group.slot.kind)),
            ),
        )
        for i, group in enumerate(groups)
    )  # fmt: skip
    kinds = [kind for kind in SIZES if len(hand.contract.slots) < MOST_SLOTS]
    kinds += [] if hand.contract.is_everything else [Kind.ALL]
    return Panel(
        melds,
        tuple((f"kind-{at}-{kind.value}", words.kind_title(kind)) for kind in kinds),
        tuple(_steppers(at, hand, base)),
        tuple(_last(at, hand)),
        (
            (f"atonce-{at}", _("All cards at once"), hand.all_at_once),
            (f"ends-{at}", _("Ends when somebody goes down"), hand.ends_at_first_lay_down),
        ),
    )


def _steppers(at: int, hand: OwnHand, base: Rules) -> Iterable[Stepper]:
    dealt = base.dealt(1) if hand.hand_size is None else hand.hand_size
    usual = "" if hand.hand_size is None else f"dealtusual-{at}"
    yield Stepper(_("Cards dealt to each"), str(dealt), f"dealtdown-{at}", f"dealtup-{at}", "", usual)
    if base.limits_whole_game:
        return
    buys = hand.buys if hand.buys is not None else "any" if base.buys[0] is None else base.buys[0]
    shown = pgettext("buys", "any") if buys == "any" else str(buys)
    usual = "" if hand.buys is None else f"buysusual-{at}"
    yield Stepper(_("Buys"), shown, f"buysdown-{at}", f"buysup-{at}", "", usual)


def _last(at: int, hand: OwnHand) -> Iterable[tuple[str, str, bool]]:
    ways = {"rules": _("as the rules say"), "must": _("is discarded"), "may": _("may be discarded"),
            "must_not": _("is not discarded")}  # fmt: skip
    for way, said in ways.items():
        yield f"last-{at}-{way}", said, way == (hand.last_card or "rules")


@dataclass(frozen=True, slots=True)
class SharePage:
    """A list as text, as a link and as a QR code; ``address`` is "" where no other phone can reach this server."""

    name: str
    text: str
    address: str
    qr: Markup


def share_page(content: Content) -> SharePage:
    """How others get a list: the link holds the list itself, so that it opens on every server."""
    facts: dict[str, Any] = {"name": content.name, "sheet": content.sheet, "hands": content.hands.replace(" / ", "/")}
    facts |= {"first": str(content.first_hands)} if content.first_hands else {}
    facts |= {"progress": "own"} if content.own_progress else {}
    base = base_address()
    address = base + url_for("lists.new", **facts) if base else ""
    lines = "\n".join(part.strip() for part in content.hands.split("/"))
    return SharePage(content.name, lines, address, _qr(address) if address else Markup())


def _qr(address: str) -> Markup:
    """The code, or nothing where the list is longer than a code can hold."""
    try:
        return qr_code(address)
    except segno.DataOverflowError:
        return Markup()

"""The form of a list of one's own: its name, its hands as text, and what every button of the page makes of them."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l
from flask_babel import ngettext
from werkzeug.datastructures import MultiDict

from companion import wording
from companion.forms.fields import Choice, Field, Form, Name, moved
from companion.forms.numbers import whole
from companion.names import clean_name
from companion.record.own_lists import Content
from companion.referee.games import GAMES, KATE
from companion.referee.lists import EVERYTHING, MOST_HANDS, MOST_SLOTS, SIZES
from companion.referee.own_lists import (
    BUYS,
    DEALT,
    LONGEST_TEXT,
    OwnHand,
    format_hands,
    hands_of,
    plays_own_progress,
    read_hand,
    read_hands,
    with_hands,
)
from companion.referee.rules import Contract, Kind, Rules, Slot
from companion.wording import lists as words

#: The games whose rules a list can go by, by sheet.
BASES = {
    rules.sheet: rules for game in GAMES.values() if game.is_offered and game.has_contracts for rules in game.sheets
}
_NEW = read_hand("2xset3")


class Lines(Field):
    """A list as text, a hand a line or parted by strokes."""

    kind = "lines"
    attributes = {"autocomplete": "off", "spellcheck": "false", "dir": "ltr", "autocapitalize": "off"}


@dataclass(frozen=True, slots=True)
class Group:
    """Melds of a contract that are alike."""

    slot: Slot
    count: int


def groups_of(contract: Contract) -> list[Group]:
    """The melds of a contract as its words have them: alike ones together."""
    return [Group(slot, len(list(alike))) for slot, alike in groupby(contract.slots)]


@dataclass(frozen=True, slots=True)
class Changed:
    """What a button came to: a sentence for who does not see it, and the id of what has the focus then."""

    said: str = ""
    focus: str = ""


#: Of a page that no button asked for.
UNCHANGED = Changed()


class ListForm(Form):
    """What was typed and tapped. ``hands`` is the list as text, ``open`` the row whose hand is shown whole (-1: none),
    ``gone`` the place and text of the hand removed last, ``pasted`` lines to be read.
    """

    name = Name(_l("Name of the list"), hint=_l("Such as “Friday, short”."), render_kw={"autocapitalize": "sentences"})
    sheet = Choice(_l("By the rules of"), default=KATE.sheet)
    hands = Lines(kept=LONGEST_TEXT)
    open = Field(default="-1")
    gone = Field()
    first = Choice(_l("How many hands are played"), default="")
    progress = Choice(_l("Who is on which hand"), default="common")
    pasted = Lines(_l("Type or paste a list, one hand a line"), kept=LONGEST_TEXT,
                   hint=_l("Such as 2xset3, set3 run4 or “2 sets of 3 and a run of 4”."), render_kw={"rows": "4"})  # fmt: skip

    def __init__(self, sent: MultiDict[str, str] | None = None, **values: Any) -> None:
        super().__init__(sent, **values)
        self.sheet.options = tuple((sheet, wording.sheet_name(sheet)) for sheet in BASES)
        self.progress.options = (
            ("common", _("Everybody on the same hand")),
            ("own", _("Each player on a hand of their own")),
        )
        self.list, self.unread = read_hands(self.hands.text)
        self.hands.text = format_hands(self.list)
        self.opened = whole(self.open.text, 2)
        if self.opened is not None and self.opened >= len(self.list):
            self.opened = None

    @property
    def base(self) -> Rules:
        """The rules that the list goes by."""
        return BASES.get(self.sheet.text, KATE)

    @property
    def rules(self) -> Rules | None:
        """The rules with all hands of the list; None while there is none."""
        return with_hands(self.base, self.list) if self.list else None

    @property
    def may_be_own(self) -> bool:
        """Whether everybody can be on a hand of their own: where that can be played to the end."""
        return plays_own_progress()

    # --- what a button does -----------------------------------------------------------------------------------------

    def change(self, do: str) -> Changed:
        """Do what a button asks: "up-2", "longer-0-1", "begin-kate", "shuffle" …; anything else changes nothing."""
        verb, *numbers = do.split("-")
        if verb in ("begin", "kind", "last"):
            at = whole(numbers[0], 2) if len(numbers) > 1 else None
            return self._named(verb, at, numbers[-1] if numbers else "")
        row, group = ([whole(number, 2) for number in numbers] + [None, None])[:2]
        if verb in _WHOLE:
            return self._land(_WHOLE[verb](self))
        if row is None or row >= len(self.list):
            return Changed()
        if verb in _ROWS:
            return self._land(_ROWS[verb](self, row))
        if verb in _HANDS:
            return self._hand(row, _HANDS[verb](self.list[row], self.base), do)
        if verb in _GROUPS and group is not None and group < len(groups_of(self.list[row].contract)):
            return self._melds(row, group, verb, do)
        return Changed()

    def _named(self, verb: str, row: int | None, which: str) -> Changed:
        if verb == "begin" and which in BASES:
            self.sheet.text, self.progress.text = which, BASES[which].progress
            self.list, self.opened = hands_of(BASES[which]), None
            return self._land(Changed(_("The list of %(game)s.", game=wording.sheet_name(which)), "hands"))
        if row is None or row >= len(self.list):
            return Changed()
        hand = self.list[row]
        if verb == "kind" and which in [kind.value for kind in Kind]:
            return self._hand(row, _with_kind(hand, Kind(which)), f"row-{row}")
        if verb == "last" and which in ("rules", "must", "may", "must_not"):
            last: Any = None if which == "rules" else which
            return self._hand(row, replace(hand, last_card=last), f"last-{row}-{which}")
        return Changed()

    def _melds(self, row: int, group: int, verb: str, do: str) -> Changed:
        groups = groups_of(self.list[row].contract)
        slot, count = groups[group].slot, groups[group].count
        count, size = _GROUPS[verb](count, slot.size)
        groups[group] = Group(Slot(slot.kind, size), count)
        slots = tuple(one.slot for one in groups for _number in range(one.count))
        if size not in SIZES.get(slot.kind, ()) or not 1 <= len(slots) <= MOST_SLOTS:
            return Changed(_("That is as far as it goes."), do)
        return self._hand(row, replace(self.list[row], contract=Contract(slots)), do if count else f"row-{row}")

    def _hand(self, row: int, hand: OwnHand, focus: str) -> Changed:
        if hand == self.list[row]:
            return Changed(_("That is as far as it goes."), focus)
        self.list = (*self.list[:row], hand, *self.list[row + 1 :])
        extras = ", ".join((words.hand_words(hand), *words.hand_extras(hand)))
        return self._land(Changed(_("Hand %(n)s: %(words)s", n=row + 1, words=extras), focus))

    def _land(self, changed: Changed) -> Changed:
        self.hands.text = format_hands(self.list)
        self.open.text = "-1" if self.opened is None else str(self.opened)
        return changed

    def _add(self) -> Changed:
        if len(self.list) >= MOST_HANDS:
            return Changed(_("A list has %(most)s hands at most.", most=MOST_HANDS), "add")
        self.list, self.opened = (*self.list, _NEW), len(self.list)
        return Changed(_("Hand %(n)s is new.", n=len(self.list)), f"row-{self.opened}")

    def _shuffle(self) -> Changed:
        shuffled = list(self.list)
        random.SystemRandom().shuffle(shuffled)
        self.list, self.opened = tuple(shuffled), None
        return Changed(_("Shuffled."), "shuffle")

    def _put_back(self) -> Changed:
        place, _dash, text = self.gone.text.partition(" ")
        hands, row = read_hands(text)[0], whole(place, 2)
        self.gone.text = ""
        if not hands or row is None or len(self.list) >= MOST_HANDS:
            return Changed()
        self.list = (*self.list[:row], hands[0], *self.list[row:])
        self.opened = None
        return Changed(_("Hand %(n)s is back.", n=row + 1), f"row-{row}")

    def _read_pasted(self) -> Changed:
        """Add the lines that are understood; the others stay, each with its reason."""
        lines = [words.as_codes(part) for line in self.pasted.text.splitlines() for part in line.split("/")]
        hands, bad = read_hands("\n".join(lines))
        room = MOST_HANDS - len(self.list)
        self.list = (*self.list, *hands[:room])
        self.unread = bad
        self.pasted.text = "\n".join(line.text for line in bad)
        if not hands and not bad:
            self.pasted.error = _("Type a hand first.")
        if bad:
            self.pasted.error = _("These lines are not understood.")
        said = ngettext("%(num)s hand was read.", "%(num)s hands were read.", len(hands[:room]))
        return Changed(said, "pasted" if bad or not hands else "hands")

    def _open(self, row: int) -> Changed:
        self.opened = None if self.opened == row else row
        return Changed("", f"row-{row}")

    def _copy(self, row: int) -> Changed:
        if len(self.list) >= MOST_HANDS:
            return Changed(_("A list has %(most)s hands at most.", most=MOST_HANDS), f"copy-{row}")
        self.list, self.opened = (*self.list[: row + 1], *self.list[row:]), row + 1
        return Changed(_("Hand %(n)s is a copy.", n=row + 2), f"row-{row + 1}")

    def _drop(self, row: int) -> Changed:
        self.gone.text = f"{row} {format_hands(self.list[row : row + 1])}"
        self.list, self.opened = tuple(moved(self.list, "drop", row)), None
        return Changed(_("Hand %(n)s is removed.", n=row + 1), "putback")

    def _move(self, row: int, verb: str) -> Changed:
        to = row + (1 if verb == "down" else -1)
        if not 0 <= to < len(self.list):
            return Changed(_("That is as far as it goes."), f"{verb}-{row}")
        self.list = tuple(moved(self.list, verb, row))
        self.opened = to if self.opened == row else row if self.opened == to else self.opened
        return Changed(_("It is hand %(n)s now.", n=to + 1), f"{verb}-{to}")

    # --- what it comes to -------------------------------------------------------------------------------------------

    def content(self) -> Content | None:
        """The list to keep; None where something is wrong, with a sentence by field."""
        self.first.options = (("", ""), *((number, "") for number in range(1, MOST_HANDS + 1)))
        self.validate()
        if not self.list:
            self.error = _("Add a hand first.")
        if self.errors:
            return None
        few = self.first.data if self.first.data != "" and self.first.data < len(self.list) else None
        own = self.progress.data == "own" and self.may_be_own
        return Content(clean_name(self.name.text), self.sheet.text, format_hands(self.list), few, own)


def form_of(content: Content) -> ListForm:
    """The form of a list that is kept."""
    progress = "own" if content.own_progress else "common"
    return ListForm(
        name=content.name, sheet=content.sheet, hands=content.hands, first=content.first_hands or "", progress=progress
    )


def _with_kind(hand: OwnHand, kind: Kind) -> OwnHand:
    """The hand with one more meld, of another kind; "every card" stands alone."""
    if kind is Kind.ALL:
        return replace(hand, contract=EVERYTHING)
    slots = () if hand.contract.is_everything else hand.contract.slots
    size = next(size for size in (3, 4, 5) if size in SIZES[kind]) if kind is Kind.SET else 4
    return replace(hand, contract=Contract((*slots, Slot(kind, size)))) if len(slots) < MOST_SLOTS else hand


def _stepped(now: int, by: int, among: Sequence[int]) -> int:
    return now + by if now + by in among else now


def _dealt(hand: OwnHand, rules: Rules, by: int) -> OwnHand:
    now = hand.hand_size if hand.hand_size is not None else rules.dealt(1)
    return replace(hand, hand_size=_stepped(now, by, DEALT))


def _buys(hand: OwnHand, rules: Rules, by: int) -> OwnHand:
    """One up from the most is any number, one down from that is the most."""
    now = hand.buys if hand.buys is not None else "any" if rules.buys[0] is None else rules.buys[0]
    if now == "any":
        return replace(hand, buys=BUYS.stop - 1 if by < 0 else "any")
    if by > 0 and now == BUYS.stop - 1:
        return replace(hand, buys="any")
    return replace(hand, buys=_stepped(now, by, BUYS))


_WHOLE: dict[str, Callable[[ListForm], Changed]] = {
    "add": ListForm._add,
    "shuffle": ListForm._shuffle,
    "putback": ListForm._put_back,
    "read": ListForm._read_pasted,
}
_ROWS: dict[str, Callable[[ListForm, int], Changed]] = {
    "row": ListForm._open,
    "copy": ListForm._copy,
    "drop": ListForm._drop,
    "up": lambda form, row: form._move(row, "up"),
    "down": lambda form, row: form._move(row, "down"),
}
_HANDS: dict[str, Callable[[OwnHand, Rules], OwnHand]] = {
    "dealtup": lambda hand, rules: _dealt(hand, rules, 1),
    "dealtdown": lambda hand, rules: _dealt(hand, rules, -1),
    "dealtusual": lambda hand, _rules: replace(hand, hand_size=None),
    "buysup": lambda hand, rules: _buys(hand, rules, 1),
    "buysdown": lambda hand, rules: _buys(hand, rules, -1),
    "buysusual": lambda hand, _rules: replace(hand, buys=None),
    "atonce": lambda hand, _rules: replace(hand, all_at_once=not hand.all_at_once),
    "ends": lambda hand, _rules: replace(hand, ends_at_first_lay_down=not hand.ends_at_first_lay_down),
}
_GROUPS: dict[str, Callable[[int, int], tuple[int, int]]] = {
    "more": lambda count, size: (count + 1, size),
    "fewer": lambda count, size: (count - 1, size),
    "longer": lambda count, size: (count, size + 1),
    "shorter": lambda count, size: (count, size - 1),
}

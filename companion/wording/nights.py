"""What is said about many nights: which they are, how each ended, and what a number of the statistics counts."""

from collections.abc import Mapping

from flask_babel import gettext as _
from flask_babel import ngettext

from companion.wording.games import sheet_name
from companion.wording.text import isolate


def sheet_label(sheet: str) -> str:
    """A rule sheet's name; a night of which none is known has one too."""
    return sheet_name(sheet) if sheet else _("Unknown rules")


def state_names() -> Mapping[str, str]:
    """How a night ended, for a choice; "" is any."""
    return {
        "": _("All nights"),
        "ended": _("Ended"),
        "finished": _("Played to the last hand"),
        "early": _("Ended early"),
        "going": _("Going on"),
        "abandoned": _("Never finished"),
    }


def ended_words(ended: int) -> str:
    """How many nights the statistics count."""
    return ngettext("%(num)s night counts", "%(num)s nights count", ended)


def early_words(early: int) -> str:
    """How many of them were closed before the last hand."""
    return ngettext("%(num)s of them ended early", "%(num)s of them ended early", early)


def number_words(what: str, name: str, other: str = "", hand: int | None = None) -> str:
    """The nights that a number comes from, as a heading; raises KeyError for what is no number."""
    facts = {"name": isolate(name), "other": isolate(other), "hand": hand or ""}
    if what == "dealt" and hand:
        return _("Nights in which %(name)s played hand %(hand)s", **facts)
    return _NUMBERS[what](facts)


_NUMBERS = {
    "nights": lambda facts: _("Nights of %(name)s", **facts),
    "won": lambda facts: _("Nights won by %(name)s", **facts),
    "shared": lambda facts: _("Wins that %(name)s shared", **facts),
    "early": lambda facts: _("Nights of %(name)s that ended early", **facts),
    "left": lambda facts: _("Nights that %(name)s left before the end", **facts),
    "total": lambda facts: _("Nights %(name)s played to the last hand", **facts),
    "best": lambda facts: _("The best night of %(name)s", **facts),
    "worst": lambda facts: _("The worst night of %(name)s", **facts),
    "dealt": lambda facts: _("Nights in which %(name)s played a hand", **facts),
    "out": lambda facts: _("Nights in which %(name)s went out", **facts),
    "floated": lambda facts: _("Nights in which %(name)s floated", **facts),
    "bought": lambda facts: _("Nights in which %(name)s bought", **facts),
    "together": lambda facts: _("Nights of %(name)s and %(other)s", **facts),
    "ahead": lambda facts: _("Nights in which %(name)s came out ahead of %(other)s", **facts),
    "level": lambda facts: _("Nights in which %(name)s and %(other)s came out level", **facts),
    "behind": lambda facts: _("Nights in which %(name)s came out behind %(other)s", **facts),
}


def change_words(
    kind: str, *, before: str = "", after: str = "", name: str = "", other: str = "", into: bool = True
) -> str:
    """What was changed about a person, for its trail; raises KeyError for what is no change."""
    facts = {
        "before": isolate(before), "after": isolate(after), "name": isolate(name), "other": isolate(other),
    }  # fmt: skip
    if kind == "renamed" and not before:
        return _("Got another name")
    if kind == "merged" and not into:
        return _("%(other)s was found to be the same person", **facts)
    return _CHANGES[kind](facts)


_CHANGES = {
    "renamed": lambda facts: _("Renamed: %(before)s is %(after)s", **facts),
    "merged": lambda facts: _("Merged into %(other)s", **facts),
    "hidden": lambda _facts: _("Hidden"),
    "shown": lambda _facts: _("Shown again"),
    "forgotten": lambda _facts: _("Forgotten: the name was taken away for good"),
}


def person_refusal(reason: str, **facts: object) -> str:
    """Why something about a person cannot be done; raises KeyError for an unknown reason."""
    return _REFUSALS[reason](facts)


_REFUSALS = {
    "nobody": lambda _facts: _("This person is not here any more. Choose again."),
    "itself": lambda _facts: _("These are the same already."),
    "same_table": lambda facts: _(
        "They are two: on %(date)s both sat at the table. Nobody sits at a table twice.", **facts
    ),
    "taken": lambda facts: _(
        "%(name)s is the name of somebody else here. If they are one person, merge the two instead.", **facts
    ),
    "forgotten": lambda _facts: _("This name was taken away for good. Nothing about it is changed any more."),
    "moved_on": lambda _facts: _("Somebody changed this person since the page was loaded. Look again, then decide."),
}

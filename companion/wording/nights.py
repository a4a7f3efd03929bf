"""What is said about many nights: which they are, how each ended, and what a number of the statistics counts."""

from collections.abc import Mapping

from flask_babel import gettext as _
from flask_babel import ngettext

from companion.referee.lists import read_contract
from companion.wording.cards import contract_words
from companion.wording.games import sheet_name
from companion.wording.text import N_, isolate


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


def number_words(what: str, name: str, other: str = "", hand: int | str | None = None) -> str:
    """The nights that a number comes from, as a heading; raises KeyError for what is no number."""
    facts = {"name": isolate(name), "other": isolate(other), "hand": hand or ""}
    if what == "dealt" and isinstance(hand, str):
        contract = contract_words(read_contract(hand))
        return _("Nights in which %(name)s was dealt a hand for %(contract)s", name=isolate(name), contract=contract)
    if what == "dealt" and hand:
        return _("Nights in which %(name)s played hand %(hand)s", **facts)
    return _(_NUMBERS[what], **facts)


_NUMBERS = {
    "nights": N_("Nights of %(name)s"),
    "won": N_("Nights won by %(name)s"),
    "shared": N_("Wins that %(name)s shared"),
    "early": N_("Nights of %(name)s that ended early"),
    "left": N_("Nights that %(name)s left before the end"),
    "total": N_("Nights %(name)s played to the last hand"),
    "best": N_("The best night of %(name)s"),
    "worst": N_("The worst night of %(name)s"),
    "dealt": N_("Nights in which %(name)s played a hand"),
    "out": N_("Nights in which %(name)s went out"),
    "floated": N_("Nights in which %(name)s floated"),
    "bought": N_("Nights in which %(name)s bought"),
    "together": N_("Nights of %(name)s and %(other)s"),
    "ahead": N_("Nights in which %(name)s came out ahead of %(other)s"),
    "level": N_("Nights in which %(name)s and %(other)s came out level"),
    "behind": N_("Nights in which %(name)s came out behind %(other)s"),
}


def change_words(
    kind: str, *, before: str = "", after: str = "", name: str = "", other: str = "", until: str = "", into: bool = True
) -> str:
    """What was changed about a person, for its trail; ``until`` is when a name is gone for good, "" where it is. Raises
    KeyError for what is no change.
    """
    facts = {
        "before": isolate(before), "after": isolate(after), "name": isolate(name), "other": isolate(other),
    }  # fmt: skip
    if kind == "renamed" and not before:
        return _("Got another name")
    if kind == "merged" and not into:
        return _("%(other)s was found to be the same person", **facts)
    if until:
        return _("Forgotten: the name is shown nowhere, and can be given back until %(until)s", until=until)
    return _(_CHANGES[kind], **facts)


def stay_words(nights: int) -> str:
    """Which nights of a person stay as they are, and who changes those."""
    return ngettext(
        "%(num)s night with this name stays as it is, since it is kept by other phones. One of them changes it there, "
        "or whoever runs the server does, with “companion people”.",
        "%(num)s nights with this name stay as they are, since they are kept by other phones. One of them changes them there, "
        "or whoever runs the server does, with “companion people”.",
        nights,
    )


_CHANGES = {
    "renamed": N_("Renamed: %(before)s is %(after)s"),
    "merged": N_("Merged into %(other)s"),
    "hidden": N_("Hidden"),
    "shown": N_("Shown again"),
    "forgotten": N_("Forgotten: the name was taken away for good"),
}


def person_refusal(reason: str, **facts: object) -> str:
    """Why something about a person cannot be done; raises KeyError for an unknown reason."""
    if reason == "others":
        return ngettext(
            "This would change %(num)s night that other phones keep. A phone that keeps all nights of this person can do it, "
            "or whoever runs the server, with “companion people”.",
            "This would change %(num)s nights that other phones keep. A phone that keeps all nights of this person can do it, "
            "or whoever runs the server, with “companion people”.",
            int(str(facts["nights"])),
        )
    return _(_REFUSALS[reason], **facts)


_REFUSALS = {
    "nobody": N_("This person is not here any more. Choose again."),
    "itself": N_("These are the same already."),
    "same_table": N_("They are two: on %(date)s both sat at the table. Nobody sits at a table twice."),
    "taken": N_("%(name)s is the name of somebody else here. If they are one person, merge the two instead."),
    "taken_elsewhere": N_(
        "%(name)s is the name of somebody in nights that other phones keep. Choose a name that tells the two apart, or let "
        "whoever runs the server make them one person, with “companion people”."
    ),
    "forgotten": N_("This name was taken away for good. Nothing about it is changed any more."),
    "moved_on": N_("This person was changed since the page was loaded. Look again, then decide."),
}

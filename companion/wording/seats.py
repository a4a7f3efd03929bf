"""What is said about people coming, going and sitting: the third deck, late joiners, leavers (G1.2, G9.4)."""

from flask_babel import gettext as _
from flask_babel import ngettext

from companion.referee.rules import Rules
from companion.wording.text import isolate


def third_deck(players: int) -> str:
    """Why so many play with a third deck (G1.2)."""
    return ngettext(
        "%(num)s player needs a third deck: shuffle three together. The referee counts with three.",
        "%(num)s players need a third deck: shuffle three together. The referee counts with three.",
        players,
    )


def third_deck_hint(rules: Rules) -> str:
    """The same before it is known how many they are."""
    if rules.players_per_two_decks < 6:
        return _("Six or more need a third deck: shuffle three together. The referee counts with three.")
    return _("Seven or eight need a third deck: shuffle three together. The referee counts with three.")


def joiner_points(points: int, rules: Rules) -> str:
    """What a late joiner starts with, and by which choice of the table (G9.4)."""
    said = ngettext("Starts with %(num)s point", "Starts with %(num)s points", points)
    how = {
        "highest": _("the highest total so far"),
        "average": _("the average of all totals, rounded to 5"),
        "zero": _("as your table starts everybody from 0"),
    }
    return f"{said}: {how[rules.late_joiner]}."


def joiner_waits(hand: int) -> str:
    """A hand being played is not joined."""
    return _("Hand %(hand)s is being played: a joiner is dealt in from the next one.", hand=hand)


def leaver_keeps(name: str, points: int) -> str:
    """What happens to the scores of somebody who goes home (G9.4)."""
    return ngettext(
        "%(name)s keeps %(num)s point on the sheet, but can no longer win. Coming back is possible.",
        "%(name)s keeps %(num)s points on the sheet, but can no longer win. Coming back is possible.",
        points,
        name=isolate(name),
    )


def deal_anew_takes(hand: int, dealer: str) -> str:
    """What dealing anew does to what was entered for the hand."""
    return _(
        "Everything entered for hand %(hand)s is taken away, buys and melds too; %(dealer)s deals it again.",
        hand=hand,
        dealer=isolate(dealer),
    )


def joiner_would(name: str, points: int, had: int) -> str:
    """What the rule for late joiners would have given somebody, had other points been right when they came (G9.4)."""
    return _("%(name)s came later and would have been given %(points)s points at the start, not %(had)s (G9.4).",
             name=isolate(name), points=points, had=had)  # fmt: skip


def joiner_given(points: int) -> str:
    """What the rule for late joiners gives somebody, by what is known now (G9.4)."""
    return _("Came later; by the table's rule with %(points)s points (G9.4).", points=points)

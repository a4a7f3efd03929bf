"""What is said of a night that is over, or so far: who won by how much, and its turning points.

``names`` is by seat; seats that tie are always all named.
"""

from collections.abc import Iterable, Mapping, Sequence

from flask_babel import gettext as _
from flask_babel import ngettext

from companion.analysis.results import LeadPeriod, Swing, WorstHand
from companion.referee.rules import Rules
from companion.wording.cards import points_words
from companion.wording.table import after_words
from companion.wording.text import and_list, isolate

Names = Mapping[int, str]

#: More than this many of one kind are counted, not told one by one.
_TOLD = 3


def home_words() -> str:
    """Of a link to a server at home."""
    return _("It works in this Wi-Fi only, for the server is at home.")


def unreachable_words() -> str:
    """Of a link to a server that answers on its own machine alone."""
    return _(
        "No other phone can reach this server: the machine is on no network, or it was started for itself alone. Connect "
        "it to the Wi-Fi, then load this page again."
    )


def all_names(seats: Iterable[int], names: Names) -> str:
    """``Ana, Bea and Carl``."""
    return and_list(isolate(names[seat]) for seat in seats)


def headline(first: Sequence[int], names: Names, *, over: bool) -> str:
    """Who won, or leads; nobody where no hand was scored or everybody left."""
    if not first:
        return _("Nobody won") if over else _("Nobody leads yet")
    if over:
        return ngettext("%(names)s wins", "%(names)s share the win", len(first), names=all_names(first, names))
    return ngettext("%(names)s leads", "%(names)s lead", len(first), names=all_names(first, names))


def margin_words(points: int, total: int, next_seats: Sequence[int], names: Names) -> str:
    """``with 60 points, 10 fewer than Bea``: the total in first place and the next behind it."""
    facts = {"total": points_words(total), "names": all_names(next_seats, names)}
    return ngettext(
        "with %(total)s, %(num)s point ahead of %(names)s", "with %(total)s, %(num)s points ahead of %(names)s",
        points, **facts,
    )  # fmt: skip


def length_words(scored: int, last: int, rules: Rules, *, over: bool, early: bool) -> str:
    """How much of the night was played: all of it, or up to which hand."""
    if not scored:
        return _("No hand was scored.") if over else _("No hand is scored yet.")
    if early:
        return ended_early(last, rules.hands_in_all)
    if over:
        return ngettext("%(num)s hand", "%(num)s hands", scored)
    return after_words(last, rules.hands_in_all)


def won_words(first: Sequence[str]) -> str:
    """``Ana and Bea won``, by the names of who came first."""
    names = and_list(map(isolate, first))
    return ngettext("%(names)s won", "%(names)s won", len(first), names=names) if first else _("Nobody won")


def ended_early(last: int, of: int) -> str:
    """``Ended early, after hand 3 of 10``; of 0 where nobody knows how many there would have been."""
    if not of:
        return _("Ended early, after hand %(n)s", n=last)
    return _("Ended early, after hand %(n)s of %(all)s", n=last, all=of)


def lead_words(periods: Sequence[LeadPeriod], names: Names) -> str:
    """Who was in front when: ``Ana after hands 1–3; Bea and Carl after hand 4``."""
    if len(periods) == 1:
        seats = periods[0].seats
        return ngettext(
            "%(names)s led after every hand.", "%(names)s shared the lead after every hand.",
            len(seats), names=all_names(seats, names),
        )  # fmt: skip
    return "; ".join(_period(period, all_names(period.seats, names)) for period in periods) + "."


def _period(period: LeadPeriod, who: str) -> str:
    if period.first == period.last:
        return _("%(names)s after hand %(n)s", names=who, n=period.first)
    return _("%(names)s after hands %(n)s–%(m)s", names=who, n=period.first, m=period.last)


def swings_words(swings: Sequence[Swing], names: Names) -> str:
    """``In hand 4 Bea, 40 points behind Ana, came out 25 ahead.`` for the first few that tie, and how many more do."""
    return _some([_swing(swing, names) for swing in swings])


def _swing(swing: Swing, names: Names) -> str:
    return ngettext(
        "In hand %(n)s %(up)s, %(num)s point behind %(down)s, came out %(ahead)s ahead.",
        "In hand %(n)s %(up)s, %(num)s points behind %(down)s, came out %(ahead)s ahead.",
        swing.behind, n=swing.hand, up=isolate(names[swing.up]), down=isolate(names[swing.down]), ahead=swing.ahead,
    )  # fmt: skip


def worst_words(worst: Sequence[WorstHand], names: Names) -> str:
    """``Bea: 145 points in hand 8.`` for the first few that tie, and how many more do."""
    return _some([_worst(hand, names) for hand in worst])


def _worst(hand: WorstHand, names: Names) -> str:
    facts = {"name": isolate(names[hand.seat]), "points": points_words(hand.points), "n": hand.hand}
    return _("%(name)s: %(points)s in hand %(n)s.", **facts)


def _some(sentences: Sequence[str]) -> str:
    more = len(sentences) - _TOLD
    rest = [ngettext("And %(num)s more as big.", "And %(num)s more as big.", more)] if more > 0 else []
    return " ".join([*sentences[:_TOLD], *rest])


def most_buys_words(most: int, seats: Sequence[int], names: Names) -> str:
    """``Ana and Bea: 9 buys each.``"""
    who = all_names(seats, names)
    if len(seats) == 1:
        return ngettext("%(names)s: %(num)s buy.", "%(names)s: %(num)s buys.", most, names=who)
    return ngettext("%(names)s: %(num)s buy each.", "%(names)s: %(num)s buys each.", most, names=who)


def most_hands_words(most: int, seats: Sequence[int], names: Names) -> str:
    """``Ana and Bea: 3 hands each.``"""
    who = all_names(seats, names)
    if len(seats) == 1:
        return ngettext("%(names)s: %(num)s hand.", "%(names)s: %(num)s hands.", most, names=who)
    return ngettext("%(names)s: %(num)s hand each.", "%(names)s: %(num)s hands each.", most, names=who)


def floats_words(floats: Mapping[int, Sequence[int]], names: Names) -> str:
    """``Ana in hands 7 and 9; Bea in hand 7.``"""
    return "; ".join(_float(hands, isolate(names[seat])) for seat, hands in floats.items()) + "."


def _float(hands: Sequence[int], who: str) -> str:
    return ngettext(
        "%(name)s in hand %(hands)s", "%(name)s in hands %(hands)s",
        len(hands), name=who, hands=and_list(map(str, hands)),
    )  # fmt: skip


def chart_words(*, lowest_wins: bool) -> str:
    """How to read the chart of running totals."""
    better = _("fewer points are better") if lowest_wins else _("more points are better")
    return _("Totals after each hand. The line on top leads: %(better)s.", better=better)

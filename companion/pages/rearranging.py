"""Rearranging the table (P6): the melds taken up, what they become, and what the referee says to it."""

from collections.abc import Mapping
from dataclasses import dataclass

from flask_babel import gettext as _

from companion import wording
from companion.forms.rearranging import Draft, Line
from companion.pages.cards import sheet_order
from companion.pages.refusals import whys
from companion.pages.verdicts import Tag, Why, command_grounds, tags
from companion.record import GameView
from companion.referee.cards import Card
from companion.referee.engine import problems
from companion.referee.reasons import Reason
from companion.referee.state import Hand, TableMeld


@dataclass(frozen=True, slots=True)
class RearrangePage:
    """The page of one player: ``titles`` of the draft's lines by their key, the melds that lie as they are, the cards to
    tap. ``verdict`` is "good", "bad", or "" where nothing is to be judged yet.
    """

    form: Draft
    titles: Mapping[str, str]
    lying: tuple[TableMeld, ...]
    pad: tuple[Card, ...]
    verdict: str
    reasons: tuple[Why, ...]
    tags: tuple[Tag, ...]
    from_hand: str


def players(view: GameView, hand: Hand) -> tuple[int, ...]:
    """Who is down and may rearrange."""
    return tuple(filter(hand.is_down, view.state.dealt_in))


def rearrange_page(view: GameView, hand: Hand, entered: Draft) -> RearrangePage:
    """The page of a draft as it stands, judged if there is anything to judge."""
    against = problems(view.state, entered.command()) if entered.is_readable else ()
    untouched = not entered.is_readable or any(problem.reason is Reason.NOTHING_REARRANGED for problem in against)
    taken = {line.on.number for line in entered.lines if line.on}
    return RearrangePage(
        form=entered,
        titles={line.key: _title(line, view) for line in entered.lines},
        lying=tuple(on for on in hand.melds if on.number not in taken),
        pad=tuple(sheet_order(joker=bool(view.state.hand_rules.joker_count))),
        verdict="" if untouched else "bad" if against else "good",
        reasons=whys(against, view) if not untouched else (),
        tags=()
        if untouched or against
        else tags(command_grounds(view.state, entered.command()), view.state.hand_rules),
        from_hand=wording.cards_short(entered.cards) if entered.cards else "",
    )


def _title(line: Line, view: GameView) -> str:
    if line.on is None:
        return _("New meld %(n)s", n=int(line.key[2:]) + 1)
    said = wording.meld_phrase(line.on.meld, wording.isolate(view.names[line.on.owner]))
    return said[:1].upper() + said[1:]

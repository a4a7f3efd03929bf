"""What the table page shows of Grebber: the target, how far everybody is, the pot and the purses."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from flask_babel import gettext as _

from companion import wording
from companion.record import GameView
from companion.referee.commands import FillPurse, PayAntes, PayChips
from companion.referee.engine import problems
from companion.referee.engine.grebber import PRICES
from companion.referee.scoring import purses
from companion.referee.state import GameState, Hand
from companion.wording.grebber import chips_words


@dataclass(frozen=True, slots=True)
class GrebberCard:
    """The head of the page: what is played to, and with chips the pot, whose wild lies there ("" for none) and whether
    the antes are still to be paid.
    """

    aim: str
    pot: str = ""
    wild: str = ""
    antes: bool = False


@dataclass(frozen=True, slots=True)
class GrebberRow:
    """A player: how far to the target in hundredths; with chips the purse in words, and what they ``may`` pay for now,
    with the number that payment would have in the hand.
    """

    percent: int
    toward: str
    chips: str = ""
    may: Mapping[str, int] = field(default_factory=dict)


def grebber_card(view: GameView, hand: Hand) -> GrebberCard:
    """The head of a game in play."""
    state, rules = view.state, view.state.rules
    aim = _("Played to %(target)s points", target=rules.target)
    if not rules.gambling:
        return GrebberCard(aim)
    owner = hand.wild_of
    return GrebberCard(
        aim,
        _("Pot: %(chips)s", chips=chips_words(purses(state)[1])),
        "" if owner is None else _("The wild is %(name)s’s.", name=wording.isolate(view.names[owner])),
        not problems(state, PayAntes(hand.number)),
    )


def grebber_row(state: GameState, hand: Hand, seat: int, total: int) -> GrebberRow:
    """A player's line of a game in play, with their total."""
    rules = state.rules
    target = rules.target or 1
    percent = max(0, min(100, 100 * total // target))
    toward = _("%(left)s to go", left=max(0, target - total))
    if not rules.gambling:
        return GrebberRow(percent, toward)
    paid = [why for why in ("greb", "turn_wild", "use_wild") if not problems(state, PayChips(hand.number, seat, why))]
    may = {why: hand.paid_for(why, seat) + 1 for why in paid}
    chips = purses(state)[0][seat]
    if chips < max(PRICES.values()) * rules.ante and not problems(state, FillPurse(hand.number, seat)):
        may["fill"] = 1
    return GrebberRow(percent, toward, chips_words(chips), may)

"""A line for every player, as the pages about scores show them, and who won which hand."""

from collections.abc import Iterable
from dataclasses import dataclass

from flask_babel import gettext as _
from flask_babel import ngettext

from companion import wording
from companion.analysis import results
from companion.pages.charts import Sample, sample
from companion.record import GameView
from companion.referee.scoring import purses
from companion.referee.standings import standings
from companion.wording.grebber import chips_words
from companion.wording.recap import all_names


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """A player: ``place`` None and ``words`` "" for who left, and before a hand is scored.

    ``step``, ``won``, ``brought``, ``chips`` and ``left`` are notes in words, "" where there is nothing to say; ``sample`` is how
    their line in the chart looks.
    """

    seat: int
    name: str
    place: int | None
    words: str
    total: int
    won: str
    brought: str
    chips: str
    left: str
    sample: Sample
    step: str = ""

    @property
    def notes(self) -> tuple[str, ...]:
        """All the notes there are."""
        return tuple(filter(None, (self.step, self.won, self.brought, self.chips, self.left)))


@dataclass(frozen=True, slots=True)
class HandWon:
    """A scored hand: what it asked for, and who went out ("" where nobody did)."""

    number: int
    contract: str
    winner: str


def player_lines(view: GameView, seats: Iterable[int]) -> Iterable[PlayerLine]:
    """The lines of some seats, in that order."""
    state = view.state
    stood, won, chips = standings(state), results.hands_won(state), purses(state)[0] if state.rules.gambling else {}
    for seat in seats:
        hands, carried = len(won.get(seat, ())), state.carried.get(seat, 0)
        yield PlayerLine(
            seat=seat,
            name=wording.isolate(view.names[seat]),
            place=stood.place(seat),
            words=wording.place_words(stood.place(seat)),
            total=stood.totals[seat],
            won=ngettext("%(num)s hand won", "%(num)s hands won", hands) if hands else "",
            brought=ngettext("started with %(num)s point", "started with %(num)s points", carried) if carried else "",
            chips=chips_words(chips[seat]) if chips else "",
            left=_("left the table") if seat in state.away else "",
            sample=sample(state.seats.index(seat)),
            step=_step(stood.laid[seat], len(state.rules.contracts)) if stood.laid else "",
        )


def _step(laid: int, of: int) -> str:
    """How far a player is in the list, where each is on an own hand of it."""
    if laid >= of:
        return _("all %(all)s hands of the list", all=of)
    return ngettext("%(num)s of %(all)s hands of the list", "%(num)s of %(all)s hands of the list", laid, all=of)


def hands_won(view: GameView) -> Iterable[HandWon]:
    """Every scored hand."""
    for score in view.state.scores:
        winner = all_names(results.hand_winners(view.state, score), view.names)
        yield HandWon(score.number, wording.hand_contract(view.state.rules, score.number), winner)

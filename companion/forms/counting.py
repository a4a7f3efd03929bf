"""A hand that is counted, in any game: which one a form is about, and what every such form can say."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from werkzeug.datastructures import MultiDict

from companion.forms.fields import Form
from companion.referee.commands import Command
from companion.referee.engine import decide, evolve, problems
from companion.referee.engine.hands import floating_off
from companion.referee.reasons import Problem, Reason
from companion.referee.rules import Rules
from companion.referee.state import GameState, HandScore

#: The form was for a hand that is not in play, or not scored, any more.
GONE = frozenset({Reason.OTHER_HAND, Reason.GAME_OVER, Reason.HAND_NOT_SCORED})


@dataclass(frozen=True, slots=True)
class Asked:
    """The hand that a form is about: its number, who was dealt in, its rules, whether it was scored before.

    ``closed``: there is no such hand any more, so that the form can only be read.
    """

    hand: int
    seats: tuple[int, ...]
    rules: Rules
    correcting: bool = False
    closed: bool = False

    @property
    def can_float(self) -> bool:
        """Whether floaters can be ticked (G7.3)."""
        return not floating_off(self.rules, 0)


class CountingForm(Form):
    """The form that counts the hand ``asked`` about; ``hand`` is the number that it was sent with."""

    def __init__(self, asked: Asked, sent: MultiDict[str, str] | None = None, hand: int | None = None, **values: Any):
        self.asked, self.hand = asked, asked.hand if hand is None else hand
        super().__init__(sent, **values)
        self.add_players(sent or MultiDict())
        if sent is not None:
            self.validate()

    @property
    def seats(self) -> Sequence[int]:
        """The players whom the form speaks of."""
        raise NotImplementedError

    def add_players(self, sent: MultiDict[str, str]) -> None:
        """The fields of every player."""
        raise NotImplementedError

    def before(self, state: GameState) -> Sequence[Command]:  # noqa: ARG002
        """What lands with the count, before it."""
        return ()

    def command(self) -> Command:
        """What the form asks for."""
        raise NotImplementedError

    def relevant(self, problems: Sequence[Problem]) -> list[Problem]:
        """Of the problems of a hand those that do not only follow from unreadable fields."""
        raise NotImplementedError

    def says(self, score: HandScore) -> bool:
        """Whether a hand was scored with exactly what was entered."""
        raise NotImplementedError

    def effective_state(self, state: GameState) -> GameState:
        """The state in which the count is judged: after what lands before it, where that is legal."""
        for command in self.before(state):
            if not problems(state, command):
                state = evolve(state, decide(state, command)[0])
        return state


def in_play(state: GameState) -> Asked:
    """The hand in play, or the one that would be."""
    return Asked(state.hand.number if state.hand else 0, state.dealt_in, state.hand_rules)


def scored(number: int, state: GameState, entered: CountingForm | None = None) -> Asked:
    """A hand scored before, by the rules it was played with; where it is not (any more), with the seats ``entered``."""
    score = state.score_of(number)
    if score is None:
        seats = tuple(seat for seat in (entered.seats if entered else state.order) if seat in state.seats)
        return Asked(number, seats, state.rules, correcting=True, closed=True)
    return Asked(number, tuple(score.points), score.rules, correcting=True)

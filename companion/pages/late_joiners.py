"""What a correction of points would have given the players who came later (G9.4)."""

from dataclasses import dataclass

from companion.forms.carried import offer_value
from companion.record import GameView, finished
from companion.referee.events import Event
from companion.referee.joiners import other_points
from companion.wording import seats as words


@dataclass(frozen=True, slots=True)
class Offer:
    """Late joiners would have been given other points: that in ``sentences``, and what a tick sends to give them those."""

    sentences: tuple[str, ...]
    value: str


def offer(view: GameView, correction: Event) -> Offer | None:
    """What a correction would have given the late joiners; None where nobody would have other points."""
    entries = finished.events_in_force(view.code)
    others = other_points(entries, correction)
    carried = view.state.carried
    said = tuple(words.joiner_would(view.names[seat], points, carried.get(seat, 0)) for seat, points in others.items())
    return Offer(said, offer_value(others)) if others else None

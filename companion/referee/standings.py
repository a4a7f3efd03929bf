"""How a game stands: totals, places with ties, who leads and by how much (G9.1, G9.3, G9.4)."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from companion.referee.state import GameState


@dataclass(frozen=True, slots=True)
class Standings:
    """How it stands after hand ``hand``, worked out once and handed to whoever asks.

    ``totals`` are of everybody who ever sat down, in the order they joined; ``places`` of those at the table.
    """

    hand: int
    totals: Mapping[int, int]
    places: Mapping[int, int]
    scored: bool = True
    lowest_wins: bool = True

    @property
    def leaders(self) -> tuple[int, ...]:
        """The seats in first place, in the order they joined; everybody before the first hand, if all began level."""
        return tuple(seat for seat in self.totals if self.places.get(seat) == 1)

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats in first place; nobody before a hand is scored (G9.1, G9.3)."""
        return self.leaders if self.scored else ()

    @property
    def margin(self) -> int | None:
        """The points between first place and the next; None where there is no next (all level, or nobody else is left)."""
        here = sorted({self.totals[seat] for seat in self.places}, reverse=not self.lowest_wins)
        return abs(here[1] - here[0]) if len(here) > 1 else None

    def place(self, seat: int) -> int | None:
        """A seat's place; None before a hand is scored, and for who left (G9.4)."""
        return self.places.get(seat) if self.scored else None

    def leads(self, seat: int) -> bool:
        """Whether a seat is in first place, once a hand is scored."""
        return self.place(seat) == 1

    def ranked(self, seats: Iterable[int]) -> list[int]:
        """Seats by their place, those without one last; equal places keep their order."""
        return sorted(seats, key=lambda seat: self.place(seat) or len(self.totals) + 1)


def standings(state: GameState) -> Standings:
    """How a game stands now.

    >>> standings(GameState(seats=(0, 1), carried={1: 40})).totals
    {0: 0, 1: 40}
    >>> standings(GameState()).winners
    ()
    """
    summed, lowest_wins = totals(state), state.rules.lowest_wins
    hand = state.scores[-1].number if state.scores else state.first_hand - 1
    placed = places(summed, state.away, lowest_wins=lowest_wins)
    if state.rules.ties == "most_deals_won":
        placed = _by_deals_won(placed, state)
    return Standings(hand, summed, placed, bool(state.scores), lowest_wins)


def _by_deals_won(placed: Mapping[int, int], state: GameState) -> dict[int, int]:
    """Equal totals parted by who went out more often."""
    won = Counter(score.out for score in state.scores)
    return {
        seat: place + sum(other == place and won[rival] > won[seat] for rival, other in placed.items())
        for seat, place in placed.items()
    }


def totals(state: GameState) -> dict[int, int]:
    """The total of every seat that ever sat here, points brought along included (G9.1, G9.4)."""
    summed = {seat: state.carried.get(seat, 0) for seat in state.seats}
    for score in state.scores:
        for seat, points in score.points.items():
            summed[seat] = summed.get(seat, 0) + points
    return summed


def places(totals: Mapping[int, int], away: Collection[int] = (), *, lowest_wins: bool = True) -> dict[int, int]:
    """The place of every seat; equal totals share it, those who left have none (G9.3, G9.4).

    >>> places({0: 50, 1: 50, 2: 90})
    {0: 1, 1: 1, 2: 3}
    """
    sign = 1 if lowest_wins else -1
    here = {seat: sign * total for seat, total in totals.items() if seat not in away}
    return {seat: 1 + sum(other < total for other in here.values()) for seat, total in here.items()}

"""How a game stands: totals, places with ties, who leads and by how much (G9.1, G9.3, G9.4)."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from companion.referee.state import GameState, HandScore


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
    #: How many hands of the list each seat has behind it, where each player is on an own one; else nothing.
    laid: Mapping[int, int] = field(default_factory=dict)

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
        """The points between first place and the next; None where there is no next (all level, or nobody else is left).

        Where each player is on an own hand of the list only those who are as far are compared.
        """
        first = max((self.laid.get(seat, 0) for seat in self.places), default=0)
        near = [self.totals[seat] for seat in self.places if self.laid.get(seat, 0) == first]
        here = sorted(set(near), reverse=not self.lowest_wins)
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
    hand = state.scores[-1].number if state.scores else state.first_hand - 1
    return standings_of(state, hand, state.seats, state.away)


def standings_of(state: GameState, hand: int, joined: Sequence[int], away: Collection[int]) -> Standings:
    """How a game stood after that hand, among those who had sat down by then (``joined``); ``away`` had left (G9).

    >>> standings_of(GameState(seats=(0, 1, 2), carried={1: 40}), 0, (0, 1), ()).places
    {0: 1, 1: 2}
    """
    scores, rules = [score for score in state.scores if score.number <= hand], state.rules
    summed = totals(state) if len(scores) == len(state.scores) else totals(replace(state, scores=tuple(scores)))
    summed = {seat: summed[seat] for seat in joined}
    laid: dict[int, int] = {}
    if rules.own_progress:
        laid = {seat: state.begins_with(seat) - 1 + state.hands_laid(seat, hand + 1) for seat in joined}
    placed = _by_progress(summed, laid, away) if laid else places(summed, away, lowest_wins=rules.lowest_wins)
    if rules.ties == "most_deals_won":
        placed = _by_deals_won(placed, scores)
    return Standings(hand, summed, placed, bool(scores), rules.lowest_wins, laid)


def _by_progress(summed: Mapping[int, int], laid: Mapping[int, int], away: Collection[int]) -> dict[int, int]:
    """Who is further in the list comes first, then the lower total; equal ones share the place."""
    ranks = {seat: (-laid[seat], total) for seat, total in summed.items() if seat not in away}
    return {seat: 1 + sum(other < rank for other in ranks.values()) for seat, rank in ranks.items()}


def _by_deals_won(placed: Mapping[int, int], scores: Iterable[HandScore]) -> dict[int, int]:
    """Equal totals parted by who went out more often."""
    won = Counter(score.out for score in scores)
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

"""Points of cards, of hands, of nights; places with ties (G2.3, G9)."""

from collections.abc import Collection, Iterable, Mapping
from heapq import nlargest

from companion.referee.cards import Card, Rank
from companion.referee.games import game_of
from companion.referee.reasons import Problem, Reason, refuse
from companion.referee.rules import Rules
from companion.referee.standings import standings, totals
from companion.referee.state import GameState, Phase


def hand_points(cards: Iterable[Card], rules: Rules) -> int:
    """The points of cards left in hand (G9.1) (G2.3, G9.1).

    >>> from companion.referee.cards import parse_cards
    >>> from companion.referee.games import KATE
    >>> hand_points(parse_cards("8S 9S AS 2S"), KATE)
    50
    """
    return sum(map(rules.value, cards))


def pack_points(rules: Rules) -> int:
    """All the points in the decks: no hand can total more (G9.2).

    >>> from companion.referee.games import KATE
    >>> pack_points(KATE), pack_points(KATE.replace(decks=3))
    (920, 1380)
    """
    return sum(value * _copies(rank, rules) for rank, value in rules.rank_values.items())


def _copies(rank: Rank, rules: Rules) -> int:
    """How many cards of a rank the decks hold (G1.1, P1)."""
    return rules.joker_count if rank is Rank.JOKER else rules.decks * 4


#: As many as anybody is likely to buy where there is no limit.
_MANY_BUYS = 6


def likely_points(rules: Rules, hand: int) -> int:
    """The most one player can hold when the buys are within the limit (G9.2); above it the app asks.

    >>> from companion.referee.games import KATE
    >>> likely_points(KATE, 1), likely_points(KATE, 10), likely_points(KATE.replace(decks=3), 10)
    (290, 310, 345)
    """
    cards = max(_most_held(rules, number) for number in _may_be(rules, hand))
    values = [value for rank, value in rules.rank_values.items() for _ in range(_copies(rank, rules))]
    return sum(nlargest(cards, values))


def _may_be(rules: Rules, hand: int) -> Iterable[int]:
    """The hands of the list that somebody may be on: that one, or any where each player is on an own one."""
    return range(1, len(rules.contracts) + 1) if rules.own_progress else (hand,)


def _most_held(rules: Rules, number: int) -> int:
    """The most cards in hand within the buys of a hand of the list."""
    buys = rules.buy_limit(number)
    return rules.dealt(number) + (1 + rules.stock_cards) * (_MANY_BUYS if buys is None else buys)


def points_problems(points: Mapping[int, int], rules: Rules, hand: int, *, sure: bool = False) -> tuple[Problem, ...]:
    """What is wrong with the points of a hand, seat by seat and then as a whole (G9.2).

    Each must be a sum of card values (``facts["values"]``) and not negative; more than the decks hold is refused, more than a player can
    hold within the buys is asked once, unless ``sure``.

    >>> from companion.referee.games import KATE
    >>> [(p.reason.name, p.facts["seat"]) for p in points_problems({0: 12, 1: 300, 2: 45}, KATE, 1)]
    [('NOT_MULTIPLE_OF_FIVE', 0), ('POINTS_UNLIKELY', 1)]
    >>> points_problems({1: 300, 2: 45}, KATE, 1, sure=True)
    ()
    """
    limit, likely = pack_points(rules), likely_points(rules, hand)
    problems: tuple[Problem, ...] = ()
    for seat, value in points.items():
        if value < rules.least_points:
            problems += refuse(Reason.NEGATIVE_POINTS, "G9.2", seat=seat, points=value)
        elif value % rules.step:
            values = rules.card_values
            problems += refuse(Reason.NOT_MULTIPLE_OF_FIVE, "G9.2", seat=seat, points=value, values=values)
        elif likely < value <= limit and not sure:
            problems += refuse(Reason.POINTS_UNLIKELY, "G9.2", seat=seat, points=value, limit=likely)
    total = sum(value for value in points.values() if value > 0)
    if total > limit:
        problems += refuse(Reason.POINTS_ABOVE_PACK, "G9.2", total=total, limit=limit)
    return problems


def starting_points(here: Collection[int], rules: Rules) -> int:
    """The points a late joiner starts with, from the totals of those who are here (G9.4).

    >>> from companion.referee.games import KATE
    >>> [starting_points((40, 55, 60), KATE.replace(late_joiner=how)) for how in ("highest", "average", "zero")]
    [60, 50, 0]
    """
    if rules.late_joiner == "zero" or not here:
        return 0
    if rules.late_joiner == "highest":
        return max(here)
    return (2 * sum(here) + rules.step * len(here)) // (2 * rules.step * len(here)) * rules.step


def is_over(state: GameState, hand: int) -> bool:
    """Whether the game ends with that hand: the last of the list, or somebody here is at the target (G9.1, K5).

    Where each player is on an own hand of the list, the first to have laid the last of it ends the game.

    >>> from companion.referee.games import GREBBER, KATE
    >>> here = GameState(rules=GREBBER, seats=(0, 1), order=(0, 1), carried={1: 100})
    >>> is_over(GameState(rules=KATE), 9), is_over(GameState(rules=KATE), 10), is_over(here, 3)
    (False, True, True)
    """
    if state.rules.own_progress:
        return any(state.has_finished(seat) for seat in state.order)
    if game_of(state.rules).has_contracts:
        return hand >= len(state.rules.contracts)
    summed, target = totals(state), state.rules.target or 0
    return any(summed[seat] >= target for seat in state.order)


def purses(state: GameState) -> tuple[dict[int, int], int]:
    """The chips of every seat, and those in the pot; together always what everybody brought and took since (K6).

    Once the target is reached the pot is with who won; several share it, and odd chips stay in the pot (K10).

    >>> purses(GameState(seats=(0, 1), paid={1: 4}))
    ({0: 0, 1: -4}, 4)
    """
    each = state.rules.purse if state.rules.gambling else 0
    held = {seat: each + state.filled.get(seat, 0) - state.paid.get(seat, 0) for seat in state.seats}
    pot = sum(state.paid.values())
    won = standings(state).winners if state.phase is Phase.FINISHED else ()
    for seat in won:
        held[seat] += pot // len(won)
    return held, pot - pot // len(won) * len(won) if won else pot

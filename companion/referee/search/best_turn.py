"""The best that a hand can do this turn: go down, lay off and replace, discard (G7, G6, G8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from operator import itemgetter

from companion.referee.cards import Card
from companion.referee.contracts import FURTHER
from companion.referee.melds import SET_MINIMUM, Meld, is_wild_card
from companion.referee.rules import Contract, Rules, Slot
from companion.referee.scoring import card_points
from companion.referee.search.by_suit import SuitSolver
from companion.referee.search.enumerating import LayDown, enumerate_lay_downs
from companion.referee.search.step_by_step import StepSolver
from companion.referee.search.turns import ENDS, WORST, BestTurn, MeldInPlay, Score, any_wild, canonical, lower_bound
from companion.referee.state import TableMeld
from companion.referee.wild_limits import lay_off_limits


def best_turn(
    hand: Sequence[Card],
    contract: Contract | None,
    melds: Sequence[TableMeld],
    player: int,
    rules: Rules,
) -> BestTurn | None:
    """The best end of this turn: fewest points left, then out before float before hold; None: cannot go down.

    ``contract`` None is asked for a player who is down already. Further melds are laid where the table plays so (G4.4).
    Lay-offs may follow one another (a chain), wilds
    may be replaced as often as they can; at the end one legal card is thrown if any is left (G6.1, G6.6 does not
    apply: the player is down).

    >>> from companion.referee.cards import parse_cards
    >>> from companion.referee.games import KATE
    >>> best_turn(parse_cards("7S 7H 7D 9S 9H 9D 9C 4S"), KATE.contracts[0], [], 0, KATE)
    BestTurn(points=0, end='out')
    """
    hand = [any_wild(card, rules) for card in hand]
    solver: SuitSolver | StepSolver = SuitSolver(rules) if _by_suit(hand, melds, rules) else StepSolver(rules)
    best = WORST
    for least, left, table in sorted(_starts(hand, contract, melds, player, rules), key=itemgetter(0)):
        if least >= best:
            break
        best = solver.turn(left, table, best) or best
    return None if best == WORST else BestTurn(best[0], ENDS[best[1]])


_Start = tuple[Score, list[Card], tuple[MeldInPlay, ...]]


def _starts(
    hand: Sequence[Card], contract: Contract | None, melds: Sequence[TableMeld], player: int, rules: Rules
) -> Iterator[_Start]:
    """Every lay-down, or none for a player who is down: the best that could come of it, the hand left and the table."""
    table = tuple(
        _in_play(canonical(on.meld, rules), on.owner == player, rules, now=contract is not None) for on in melds
    )
    seen = set()
    for laid, left in _lay_downs(hand, () if contract is None else contract.slots, rules):
        key = frozenset(Counter(laid).items())
        if key not in seen:
            seen.add(key)
            after = table + tuple(_in_play(meld, True, rules, now=True) for meld in laid)
            yield lower_bound(left, after, rules), left, after


def _lay_downs(hand: Sequence[Card], slots: tuple[Slot, ...], rules: Rules) -> Iterator[LayDown]:
    """The melds of the contract, none for a player who is down, and further ones where the table lays them (G4.4)."""
    room = (len(hand) - sum(slot.size for slot in slots)) // SET_MINIMUM
    for count in range((room if rules.extra_melds else min(room, 0)) + 1):
        for further in combinations_with_replacement(FURTHER.values(), count):
            yield from enumerate_lay_downs(hand, (*slots, *further), rules)


def _in_play(meld: Meld, own: bool, rules: Rules, *, now: bool) -> MeldInPlay:
    """A meld as the player meets it, who goes down in this very turn or is down already (G6.4, G7.1)."""
    is_open = (rules.lay_off_own or not own) and (rules.lay_off_same_turn or not now)
    return MeldInPlay(meld, is_open, rules.discard_ban and (rules.own_melds_count or not own))


def _by_suit(hand: Sequence[Card], melds: Sequence[TableMeld], rules: Rules) -> bool:
    """Whether suits can be worked out one by one: see ``by_suit``."""
    if rules.natural_twos or rules.wild_swap == "all":
        return False
    limits = lay_off_limits(rules)
    if limits.set_growth == "irregular" or (limits.set_growth == "capped" and not rules.own_melds_count):
        return False  # then it matters on which of two sets a natural lies
    if not all(limits.allow_meld(on.meld) for on in melds):
        return False
    cards = (*hand, *(card for on in melds for card in on.meld.cards))
    return len({card_points(card, rules) for card in cards if is_wild_card(card, rules)}) <= 1

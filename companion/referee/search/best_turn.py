"""The best that a hand can do this turn: go down, lay off and replace, discard (G7, G6, G8)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from operator import itemgetter

from companion.referee.cards import Card
from companion.referee.contracts import further_kinds, further_slot
from companion.referee.melds import Meld, is_wild_card
from companion.referee.rules import Contract, Kind, Rules, Slot
from companion.referee.scoring import hand_points
from companion.referee.search.by_suit import SuitSolver
from companion.referee.search.can_go_down import can_go_down
from companion.referee.search.enumerating import LayDown, enumerate_lay_downs
from companion.referee.search.step_by_step import StepSolver
from companion.referee.search.turns import (
    ENDS,
    WORST,
    BestTurn,
    MeldInPlay,
    OutOfSteps,
    Score,
    Steps,
    any_wild,
    canonical,
    lower_bound,
)
from companion.referee.state import TableMeld
from companion.referee.wild_limits import lay_off_limits


def best_turn(
    hand: Sequence[Card], contract: Contract | None, melds: Sequence[TableMeld], player: int, rules: Rules
) -> BestTurn | None:
    """The best end of this turn: fewest points left, then out before float before hold; None: cannot go down.

    ``contract`` None is asked for a player who is down already. Further melds are laid where the table plays so (G4.4).
    Lay-offs may follow one another (a chain), wilds
    may be replaced as often as they can; at the end one legal card is thrown if any is left (G6.1, G6.6 does not
    apply: the player is down).

    >>> from companion.referee.cards import parse_cards
    >>> from companion.referee.games import KATE
    >>> best_turn(parse_cards("7S 7H 7D 9S 9H 9D 9C 4S"), KATE.contracts[0], [], 0, KATE)
    BestTurn(points=0, end='out', at_least=None)
    """
    hand = [any_wild(card, rules) for card in hand]
    table = [_in_play(canonical(on.meld, rules), on.owner == player, rules, now=contract is not None) for on in melds]
    starts, complete = _starts(hand, contract, table, rules)
    if not starts:
        return None
    steps = Steps(STEPS)
    solver = SuitSolver(rules, steps) if _by_suit(hand, melds, rules) else StepSolver(rules, steps)
    best, bound = WORST, WORST
    try:
        for bound, left, lies in starts:
            if bound >= best:
                break
            best = solver.turn(left, lies, best) or best
        else:
            bound = best
    except OutOfSteps:
        best = min(solver.best_seen, (hand_points(left, rules), ENDS.index("hold")))
    if not complete:
        bound = (0, 0)
    return BestTurn(best[0], ENDS[best[1]], None if bound >= best else bound[0])


#: A search may take so many steps, and to list the lay-downs as many again: in all some two seconds.
STEPS = 700_000

_Start = tuple[Score, list[Card], tuple[MeldInPlay, ...]]


def _starts(
    hand: Sequence[Card], contract: Contract | None, table: Sequence[MeldInPlay], rules: Rules
) -> tuple[list[_Start], bool]:
    """Every lay-down, or none for a player who is down: the best that could come of it, the hand left and the table.

    Those first that could be best. False beside them where there are too many to list; then there is one at least, if
    the hand can go down at all.
    """
    starts: dict[frozenset[tuple[Meld, int]], _Start] = {}

    def add(laid: Sequence[Meld], left: list[Card]) -> None:
        key = frozenset(Counter(laid).items())
        if key not in starts:
            lies = (*table, *(_in_play(meld, True, rules, now=True) for meld in laid))
            starts[key] = lower_bound(left, lies, rules), left, lies

    steps, complete = Steps(STEPS), True
    try:
        for laid, left in _lay_downs(hand, contract, rules, steps):
            steps.take(20 + 2 * len(left))
            add(laid, left)
    except OutOfSteps:
        complete = False
        witness = () if contract is None else can_go_down(hand, contract, rules)
        if witness is not None:
            melds = [canonical(meld, rules) for meld in witness]
            add(melds, list((Counter(hand) - Counter(card for meld in melds for card in meld.cards)).elements()))
    return sorted(starts.values(), key=itemgetter(0)), complete


def _lay_downs(hand: Sequence[Card], contract: Contract | None, rules: Rules, steps: Steps) -> Iterator[LayDown]:
    """The melds of the contract, none for a player who is down, and further ones where the table lays them (G4.4)."""
    slots = () if contract is None else contract.slots
    later = rules.kinds if rules.extra_melds else ()
    kinds = later if contract is None else further_kinds(contract, rules)
    rest = len(hand) - sum(slot.size for slot in slots)
    if rest >= 0:
        for further in sorted(_further(rest, rules, kinds) if kinds else [()], key=len):
            yield from enumerate_lay_downs(hand, (*slots, *further), rules, steps)


def _further(rest: int, rules: Rules, kinds: Sequence[Kind]) -> Iterator[tuple[Slot, ...]]:
    """The further melds that so many cards could be; they may be longer than three even where a contract has exact lengths."""
    least = {kind: further_slot(kind, rules).size for kind in kinds}
    most = rest + 1 if rules.lay_down_size == "exact" else 0
    melds = [Slot(kind, size) for kind in kinds for size in range(least[kind], max(most, least[kind] + 1))]
    return _choices(rest, melds)


def _choices(rest: int, melds: Sequence[Slot]) -> Iterator[tuple[Slot, ...]]:
    yield ()
    for at, slot in enumerate(melds):
        if slot.size <= rest:
            yield from ((slot, *more) for more in _choices(rest - slot.size, melds[at:]))


def _in_play(meld: Meld, own: bool, rules: Rules, *, now: bool) -> MeldInPlay:
    """A meld as the player meets it, who goes down in this very turn or is down already (G6.4, G7.1)."""
    is_open = (rules.lay_off_own or not own) and (rules.lay_off_same_turn or not now)
    return MeldInPlay(meld, is_open, rules.discard_ban and (rules.own_melds_count or not own))


def _by_suit(hand: Sequence[Card], melds: Sequence[TableMeld], rules: Rules) -> bool:
    """Whether suits can be worked out one by one: see ``by_suit``."""
    if rules.natural_twos or rules.wild_swap == "all":
        return False
    limits = lay_off_limits(rules)
    if limits.different or limits.apart > 1 or any(on.meld.kind not in (Kind.SET, Kind.RUN) for on in melds):
        return False
    if limits.set_growth == "irregular" or (limits.set_growth == "capped" and not rules.own_melds_count):
        return False  # then it matters on which of two sets a natural lies
    if not all(limits.allow_meld(on.meld) for on in melds):
        return False
    cards = (*hand, *(card for on in melds for card in on.meld.cards))
    return len({rules.value(card) for card in cards if is_wild_card(card, rules)}) <= 1

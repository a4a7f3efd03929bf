"""The best that a hand can do this turn: go down, lay off and replace, discard (G7, G6, G8)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import NamedTuple

from companion.referee.cards import Card
from companion.referee.contracts import further_kinds, further_slot
from companion.referee.melds import Meld, is_wild_card
from companion.referee.rules import Contract, Kind, Rules, Slot
from companion.referee.scoring import hand_points
from companion.referee.search.by_suit import SuitSolver
from companion.referee.search.can_go_down import can_go_down
from companion.referee.search.enumerating import LayDown, enumerate_lay_downs
from companion.referee.search.reach import Reach
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
    if contract is not None and rules.swap_by == "down_earlier":
        rules = rules.replace(wild_swap="off")  # not in the turn of going down
    return _Turn(hand, contract, melds, player, rules).best()


def knows_turns(contract: Contract, rules: Rules) -> bool:
    """Whether the best end of a turn is known in this game: what else it may ask of a turn is not searched (G7).

    >>> from companion.referee.games import KATE, SHEETS
    >>> knows_turns(KATE.contracts[0], KATE), knows_turns(SHEETS["ten_phases"].contracts[3], SHEETS["ten_phases"])
    (True, False)
    """
    asks_more = rules.all_at_once or rules.last_card_stays or rules.whole_turn or not rules.lay_off
    swaps = rules.wild_swap != "off" and (
        rules.swap_by == "not_down"
        or rules.freed_wild == "same_owner_run"
        or (rules.swap_by == "down_earlier" and rules.discard_ban)
    )
    plain = all(slot.kind in (Kind.SET, Kind.RUN) for slot in contract.slots)
    return plain and not asks_more and not swaps and rules.max_wilds_laid is None


#: A search may take so many steps, and to list the lay-downs as many again: in all some two seconds.
STEPS = 1_000_000
#: After so many lay-downs, and each time there are so many times more, the most promising are tried: most often one
#: of the first is as good as any can be.
_FIRST, _MORE, _TRIED = 8, 6, 4


class _Start(NamedTuple):
    """A lay-down: the best that could come of it, the hand left and the melds laid."""

    bound: Score
    left: list[Card]
    laid: tuple[Meld, ...]


class _Turn:
    """One question; lives for one call."""

    def __init__(
        self, hand: Sequence[Card], contract: Contract | None, melds: Sequence[TableMeld], player: int, rules: Rules
    ) -> None:
        self.rules, self.contract = rules, contract
        self.hand = [any_wild(card, rules) for card in hand]
        down = contract is None
        table = [_in_play(canonical(on.meld, rules), on.owner == player, rules, now=not down) for on in melds]
        self.reach = Reach(self.hand, table, rules)
        solver = SuitSolver if _by_suit(self.hand, melds, rules) else StepSolver
        self.solver = solver(rules, Steps(STEPS), table, self.reach)
        self.slots = () if contract is None else contract.slots
        later = rules.kinds if rules.extra_melds else ()
        #: The kinds of further melds (G4.4).
        self.kinds = later if contract is None else further_kinds(contract, rules)
        further = [further_slot(kind, rules) for kind in self.kinds]
        in_reach = self.reach.on_table | self.reach.of_any_lay_down((*self.slots, *further))
        #: No turn ends better, whichever way the hand goes down.
        self.least = self.reach.lower_bound(self.hand, in_reach)
        self.score = WORST  # the best so far
        self.untried: list[_Start] = []
        self.held = WORST  # what is left after some lay-down, at the worst

    def best(self) -> BestTurn | None:
        """Try the lay-downs, the most promising first, until no other can be better."""
        complete = False
        try:
            complete = self._list()
            self._try(len(self.untried))
        except OutOfSteps:
            self.score = min(self.score, self.solver.best_seen, self.held)
        if self.held == WORST:
            return None
        bound = min((start.bound for start in self.untried), default=WORST) if complete else self.least
        at_least = None if max(bound, self.least) >= self.score else max(bound, self.least)[0]
        return BestTurn(self.score[0], ENDS[self.score[1]], at_least)

    def _try(self, number: int) -> None:
        """Try so many lay-downs, fewer where the others cannot be better."""
        self.untried.sort(key=attrgetter("bound"), reverse=True)
        while number and self.untried and max(self.untried[-1].bound, self.least) < self.score:
            start = self.untried[-1]
            laid = [_in_play(meld, True, self.rules, now=True) for meld in start.laid]
            self.score = self.solver.turn(start.left, laid, self.score) or self.score
            self.untried.pop()
            number -= 1

    def _list(self) -> bool:
        """Every lay-down, or none for a player who is down; False where there are too many to list.

        Then there is one at least, if the hand can go down at all.
        """
        steps, due = Steps(STEPS), _FIRST
        listed: set[tuple[int, ...]] = set()
        try:
            for laid, left in self._lay_downs(steps):
                steps.take(20 + 3 * len(left))
                key = tuple(sorted(map(id, laid)))
                if key not in listed:
                    listed.add(key)
                    self._add(laid, left)
                    if len(listed) == due:
                        due *= _MORE
                        self._try(_TRIED)
                        if self.score <= self.least:
                            return True
        except OutOfSteps:
            if steps.left >= 0:
                raise
            witness = () if self.contract is None else can_go_down(self.hand, self.contract, self.rules)
            if witness is not None:
                cards = Counter(card for meld in witness for card in meld.cards)
                melds = tuple(canonical(meld, self.rules) for meld in witness)
                self._add(melds, list((Counter(self.hand) - cards).elements()))
            return False
        return True

    def _add(self, laid: tuple[Meld, ...], left: list[Card]) -> None:
        now = self.rules.lay_off_own and self.rules.lay_off_same_turn
        in_reach = self.reach.on_table | (self.reach.of(laid) if now else 0)
        self.untried.append(_Start(self.reach.lower_bound(left, in_reach), left, laid))
        self.held = min(self.held, (hand_points(left, self.rules), ENDS.index("hold")))

    def _lay_downs(self, steps: Steps) -> Iterator[LayDown]:
        """The melds of the contract, none for a player who is down, and further ones where the table lays them (G4.4)."""
        known: dict[Meld, Meld] = {}
        rest = len(self.hand) - sum(slot.size for slot in self.slots)
        melds = _further(rest, self.kinds, self.rules)
        most = rest // min([slot.size for slot in melds], default=rest + 1) if rest >= 0 else -1
        for number in range(most + 1):
            for further in _choices(rest, number, melds):
                steps.take(5)
                yield from enumerate_lay_downs(self.hand, (*self.slots, *further), self.rules, steps, known)


def _further(rest: int, kinds: Sequence[Kind], rules: Rules) -> list[Slot]:
    """The further melds that so many cards could be; they may be longer than three even where a contract has exact lengths."""
    least = [further_slot(kind, rules) for kind in kinds]
    if rules.lay_down_size != "exact":
        return least
    return [Slot(slot.kind, size) for slot in least for size in range(slot.size, max(rest, slot.size) + 1)]


def _choices(rest: int, number: int, melds: Sequence[Slot]) -> Iterator[tuple[Slot, ...]]:
    """So many melds that so many cards could be, whatever they are, in any one order."""
    if not number:
        yield ()
    for at, slot in enumerate(melds if number else ()):
        if slot.size <= rest:
            yield from ((slot, *more) for more in _choices(rest - slot.size, number - 1, melds[at:]))


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

"""What limits the wilds of a meld (G3.3, G3.4, G3.5, P5): the only module that reads those switches.

A limit is a row of ``_LIMITS``: so many naturals in a meld of a kind and length, or wilds of a run that lie apart.
Whoever reads, lays, adds, replaces or searches asks ``limits_of`` or ``lay_off_limits``, so a new limit is a new row,
its field of ``Rules``, and its switch and words. Cards of a set lie in any order, so a limit about neighbours in a set
is a number too: "no wilds side by side in a set" asks for ``length // 2`` naturals.

The searches rely on this: a longer meld never needs fewer naturals, and one card more needs at most one natural more.
So a legal meld stays legal with a natural more, or with a wild less at its end.
"""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import lru_cache
from itertools import pairwise
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from companion.referee.cards import Rank, Suit
from companion.referee.games import game_of
from companion.referee.reasons import Firmness, Problem, Reason
from companion.referee.rules import Kind, Rules
from companion.referee.switches import SWITCHES

if TYPE_CHECKING:
    from companion.referee.melds import Meld

#: The kinds whose cards have places.
RUN_KINDS = (Kind.RUN, Kind.ANYRUN)
#: Stands for the value of a switch that does not count here.
_OFF = object()
#: More wilds than there are.
UNLIMITED = 10**6
_LENGTHS = range(500)  # no meld gets longer: a line of the protocol has at most 200 cards in hand and in a meld


class _Limit(NamedTuple):
    """One limit. ``naturals`` gives, for the switch's value, the fewest naturals in a meld of that kind and length."""

    switch: str
    reason: Reason
    rule: str
    naturals: Callable[[Any, Kind, int], int] = lambda *_: 0
    apart: Callable[[Any], int] = lambda _: 0  # how many other cards lie between two wilds of a run at the least
    always: bool = False  # whether it holds for melds that lie too, where the others are for going down


_LIMITS = (
    _Limit("min_naturals", Reason.NO_NATURAL, "G3.3", lambda least, *_: least),
    _Limit("max_wilds", Reason.TOO_MANY_WILDS, "G3.4", lambda most, _, size: 0 if most is None else size - most),
    _Limit("naturals_outnumber", Reason.WILDS_NOT_OUTNUMBERED, "G3.4", lambda on, _, size: size // 2 + 1 if on else 0),
    _Limit("set_naturals", Reason.NO_NATURAL, "G3.3", lambda least, kind, _: least or 0 if kind is Kind.SET else 0),
    _Limit("wild_share", Reason.TOO_LARGE_SHARE, "G3.4", lambda share, _, size: _naturals_beside(share, size)),
    _Limit("max_wilds_by_size", Reason.TOO_MANY_WILDS, "G3.4", lambda most, _, size: size - _most_of(most, size)),
    _Limit(
        "adjacent_wilds",
        Reason.WILDS_ADJACENT,
        "G3.5",
        lambda value, kind, size: size // 2 if value == "nowhere" and kind is Kind.SET else 0,
        lambda value: value != "allowed",
    ),
    _Limit("wilds_apart", Reason.WILDS_ADJACENT, "G3.5", apart=int, always=True),
)


def _naturals_beside(share: str, size: int) -> int:
    """The fewest naturals where wilds are at most half, or a third, of the meld."""
    return {"any": 0, "half": -(-size // 2), "third": -(-2 * size // 3)}[share]


def _most_of(most: tuple[tuple[int, int], ...], size: int) -> int:
    """The most wilds of a meld of that size; beyond the longest size named as there."""
    if not most:
        return size
    return next((wilds for longest, wilds in most if size <= longest), most[-1][1])


_values_of = attrgetter(*(limit.switch for limit in _LIMITS))

#: The value of each of these switches that limits nothing.
_NO_LIMITS = {field.name: field.default for field in fields(Rules) if field.name in {limit.switch for limit in _LIMITS}}
_NO_LIMITS["min_naturals"] = 0


class WildLimits:
    """The limits of one table, from the values of their switches; none where nothing is limited."""

    def __init__(
        self, values: tuple[Any, ...], wild: tuple[Rank, ...] = (), *, in_place: bool = False, different: bool = False
    ) -> None:
        rows = [(row, value) for row, value in zip(_LIMITS, values, strict=False) if value is not _OFF]
        #: Whether no suit may be in a set twice.
        self.different = different
        self._wild, self._in_place = wild, in_place  # the ranks that are never natural; whether runs have their places
        self._fewest = {
            kind: tuple([max([0, *[row.naturals(value, kind, size) for row, value in rows]]) for size in _LENGTHS])
            for kind in Kind
        }
        #: How many other cards lie between two wilds of a run at the least (G3.5).
        self.apart = max([0, *[int(row.apart(value)) for row, value in rows]])
        #: Whether every meld that has a natural is within the limits.
        self.lenient = not self.apart and not different and max(self._fewest[kind][-1] for kind in Kind) <= 1
        self.set_growth = self._set_growth()

    def _set_growth(self) -> Literal["none", "endless", "capped", "irregular"]:
        """What a natural put on a set does for wilds there: nothing, or each makes room for one, for ever or at first."""
        room = [self.most_wilds(Kind.SET, naturals) for naturals in range(100)]
        grown = [after - now for now, after in pairwise(room) if now >= 0]
        if grown != sorted(grown, reverse=True) or not {0, 1}.issuperset(grown):
            return "irregular"
        return "none" if grown[0] == 0 else "endless" if grown[-1] else "capped"

    def fewest_naturals(self, kind: Kind, length: int) -> int:
        """The fewest naturals in a meld of that length (G3.3, G3.4)."""
        return self._fewest[kind][length]

    def most_wilds(self, kind: Kind, naturals: int) -> int:
        """The most wilds beside so many naturals; below 0 where these are too few for any meld."""
        longest = bisect_right(self._fewest[kind], naturals) - 1
        return UNLIMITED if longest == _LENGTHS[-1] else longest - naturals

    def only_wilds(self, kind: Kind) -> bool:
        """Whether a meld may have no natural at all (G3.3)."""
        return self._fewest[kind][1] == 0

    def needs_more_cards(self, length: int) -> bool:
        """Whether a run of that length may be legal although no shorter part of it is.

        It is not if a wild lies at an end, which can be left away; nor if the limits ask for a natural less without it.
        """
        fewest = self._fewest[Kind.RUN]
        return fewest[length] > 1 and fewest[length] == fewest[length - 1]

    def allow(self, kind: Kind, length: int, wilds: int) -> bool:
        """Whether a meld may have its wilds at the bits of that mask."""
        if self.apart and kind in RUN_KINDS and any(wilds & wilds >> step for step in range(1, self.apart + 1)):
            return False
        return length - wilds.bit_count() >= self._fewest[kind][length]

    def allow_meld(self, meld: "Meld") -> bool:
        """Whether the meld keeps every limit."""
        if self.different and len(suits := suits_of_set(meld)) != len(set(suits)):
            return False
        return self.allow(meld.kind, len(meld.cards), self.mask_of(meld))

    def mask_of(self, meld: "Meld") -> int:
        """Its wilds as a mask."""
        return sum([1 << at for at in self.wilds_of(meld)])

    def wilds_of(self, meld: "Meld") -> tuple[int, ...]:
        """Where its wilds lie, with those that lie in their own place and are wild all the same."""
        wilds = meld.wild_positions()
        if not (self._in_place or meld.kind is Kind.COLOUR):
            return wilds
        return tuple([at for at, card in enumerate(meld.cards) if at in wilds or card.rank in self._wild])


_limits = lru_cache(maxsize=200)(WildLimits)


def limits_of(rules: Rules) -> WildLimits:
    """The limits for a meld that is laid (G3.3, G3.4, G3.5, P5); the same object for the same limits.

    >>> from companion.referee.games import KATE, PERU
    >>> limits_of(KATE).fewest_naturals(Kind.RUN, 7), limits_of(PERU).fewest_naturals(Kind.RUN, 7)
    (1, 4)
    """
    return _limits_by(rules, going_down=True)


def suits_of_set(meld: "Meld") -> list[Suit]:
    """The suits of a set's naturals, as far as they are known; none of another meld (G3.1).

    >>> from companion.referee.cards import Rank, parse_cards
    >>> from companion.referee.melds import Meld
    >>> [suit.value for suit in suits_of_set(Meld.set_of(Rank.NINE, parse_cards("9S 9? 2H 9S")))]
    ['S', 'S']
    """
    return [card.suit for card in meld.cards if card.suit and card.rank is meld.rank]


def _limits_by(rules: Rules, *, going_down: bool) -> WildLimits:
    different = rules.set_suits == "different" or (going_down and rules.set_suits != "any")
    wild = () if rules.natural_twos else rules.wild_ranks
    return _limits(_values(rules, going_down=going_down), wild, in_place=rules.wild_places, different=different)


def lay_off_limits(rules: Rules) -> WildLimits:
    """The limits for a meld on the table that changes: none where they hold only when going down (G3.4).

    >>> from companion.referee.games import KATE
    >>> two = KATE.replace(max_wilds=2)
    >>> [lay_off_limits(rules).most_wilds(Kind.SET, 3) for rules in (two, two.replace(wild_limit_scope="going_down"))]
    [2, 1000000]
    """
    return _limits_by(rules, going_down=False)


def _values(rules: Rules, *, going_down: bool) -> tuple[Any, ...]:
    """The values of the limits."""
    return _values_of(rules) if going_down else _that_hold(_values_of(rules), rules.wild_limit_scope)


def _that_hold(values: tuple[Any, ...], scope: str) -> tuple[Any, ...]:
    """For a meld that lies: only those limits that hold always, where the others end with going down."""
    if scope == "always":
        return values
    return tuple([value if row.always else _OFF for row, value in zip(_LIMITS, values, strict=True)])


def unlimited(rules: Rules) -> Rules:
    """These rules without any limit on the wilds of a meld (G3.3–G3.5).

    >>> from companion.referee.games import PERU
    >>> limits_of(unlimited(PERU)).only_wilds(Kind.SET)
    True
    """
    return rules.replace(**_NO_LIMITS)


def silent_limit(melds: "Sequence[Meld]", rules: Rules) -> str | None:
    """The silent switch one of whose other values lets a card lie in none of these ways on the table (G3.3–G3.5).

    >>> from companion.referee.cards import Rank, parse_cards
    >>> from companion.referee.games import KATE
    >>> from companion.referee.melds import Meld
    >>> [silent_limit([Meld.set_of(Rank.NINE, parse_cards(text))], KATE) for text in ("9S 9H 9D 9C", "9S 9H 2D 2C")]
    [None, 'max_wilds']
    """
    now = lay_off_limits(rules)
    lies = [(meld.kind, len(meld.cards), mask) for meld in melds if (mask := now.mask_of(meld))]
    if len(lies) < len(melds):
        return _silent_suits(melds, rules)
    wild = () if rules.natural_twos else rules.wild_ranks
    others = _other_limits(_values_of(rules), rules.wild_limit_scope, game_of(rules).family, wild, rules.wild_places)
    return _first_refusing(tuple(lies), others) or _silent_suits(melds, rules)


@lru_cache(maxsize=2000)
def _first_refusing(lies: tuple[tuple[Kind, int, int], ...], others: tuple[tuple[str, WildLimits], ...]) -> str | None:
    return next((name for name, limits in others if not any(limits.allow(*meld) for meld in lies)), None)


def _silent_suits(melds: "Sequence[Meld]", rules: Rules) -> str | None:
    """The same of a set whose suits would have to differ (G3.1)."""
    if game_of(rules).family not in SWITCHES["set_suits"].families:
        return None
    return "set_suits" if all(len(suits) > len(set(suits)) for suits in map(suits_of_set, melds)) else None


@lru_cache(maxsize=200)
def _other_limits(
    values: tuple[Any, ...], scope: str, family: str, wild: tuple[Rank, ...], in_place: bool
) -> tuple[tuple[str, WildLimits], ...]:
    """The limits for a meld on the table under each other value of a silent switch about them."""
    names = [*[limit.switch for limit in _LIMITS], "wild_limit_scope"]
    now = dict(zip(names, (*values, scope), strict=True))
    others = [
        (name, now | {name: value})
        for name in names
        if name in SWITCHES and SWITCHES[name].firmness is Firmness.SILENT and family in SWITCHES[name].families
        for value in SWITCHES[name].values
        if value != now[name]
    ]
    held = [(name, _that_hold(tuple(of.values())[:-1], of[names[-1]])) for name, of in others]
    return tuple((name, _limits(values, wild, in_place=in_place)) for name, values in held)


def wild_limit_problems(meld: "Meld", rules: Rules, *, going_down: bool = True) -> tuple[Problem, ...]:
    """Every wild limit of the table that the meld breaks (G3.3, G3.4, G3.5, P5), wherever it lies.

    >>> from companion.referee.cards import Rank, Suit, parse_cards
    >>> from companion.referee.games import KATE
    >>> from companion.referee.melds import Meld
    >>> run = Meld.run_from(Suit.SPADES, Rank.FOUR, parse_cards("4S 2H 2D 7S"))
    >>> [p.rule for p in wild_limit_problems(run, KATE.replace(max_wilds=1, adjacent_wilds="forbidden"))]
    ['G3.4', 'G3.5']
    """
    values, limits = _values(rules, going_down=going_down), _limits_by(rules, going_down=going_down)
    if limits.allow_meld(meld):
        return ()
    wilds, length = limits.wilds_of(meld), len(meld.cards)
    naturals = length - len(wilds)
    facts = {"meld": meld, "wilds": len(wilds), "naturals": naturals}
    problems = []
    suits = suits_of_set(meld)
    if limits.different and len(suits) != len(set(suits)):
        problems.append(Problem(Reason.SAME_SUIT_IN_SET, "G3.1", {"meld": meld}, Firmness.SILENT, "set_suits"))
    for limit, value in zip(_LIMITS, values, strict=True):
        if value is _OFF:
            continue
        if naturals < limit.naturals(value, meld.kind, length):
            problems.append(_problem(limit, facts | {"limit": value}, rules))
        near = int(limit.apart(value)) if meld.kind in RUN_KINDS else 0
        if adjacent := tuple(at for at, after in pairwise(wilds) if after <= at + near):
            problems.append(_problem(limit, facts | {"positions": adjacent, "apart": near}, rules))
    return tuple(problems)


def _problem(limit: _Limit, facts: dict[str, object], rules: Rules) -> Problem:
    """A limit that the table set, or that stands in the game's text (P5)."""
    rule, firmness = game_of(rules).own_rules.get(limit.switch, (limit.rule, Firmness.SILENT))
    return Problem(limit.reason, rule, facts, firmness, limit.switch if firmness is Firmness.SILENT else None)

"""A list of one's own with all that a hand of it plays: as text, on the rules of a game, and what is wrong with it (FAMILY 8)."""

import enum
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Literal

from companion.referee.cards import Card, MalformedCard, Rank, Suit, parse_card
from companion.referee.contracts import floats, least_buys
from companion.referee.deals import Deal
from companion.referee.games import GAMES
from companion.referee.lists import MOST_HANDS, BadContract, format_contract, read_contract
from companion.referee.melds import Meld, is_natural_card, is_wild_card, run_lows
from companion.referee.packs import with_packs
from companion.referee.rules import Contract, Kind, Rules
from companion.referee.wild_limits import wild_limit_problems

#: What a hand of a list may have: cards dealt to each, and buys.
DEALT, BUYS = range(3, 21), range(21)
#: The longest text of a list that is read: forty hands with everything that can be said of them.
LONGEST_TEXT = 6000


@dataclass(frozen=True, slots=True)
class OwnHand:
    """A hand of a list: what it asks for, and what it plays otherwise; None: as the first hand of the rules does.

    ``buys`` "any": no limit.
    """

    contract: Contract
    hand_size: int | None = None
    buys: int | Literal["any"] | None = None
    last_card: Literal["must", "may", "must_not"] | None = None
    all_at_once: bool = False
    ends_at_first_lay_down: bool = False
    wild_rank: Rank | None = None


@dataclass(frozen=True, slots=True)
class BadLine:
    """A part of a list that cannot be read: the how manieth hand it is, what was written, and why not."""

    number: int
    text: str
    why: BadContract


class Flaw(enum.Enum):
    """What may be wrong with a hand of a list."""

    NEEDS_BUYS = "needs_buys"  # facts: buys
    TOO_FEW_BUYS = "too_few_buys"  # facts: buys, limit
    NO_DISCARD = "no_discard"  # facts: buys
    CANNOT_DEAL = "cannot_deal"  # facts: players, dealt, cards
    LONG_SET = "long_set"  # facts: size, most
    LONG_RUN = "long_run"  # facts: size, most
    LONG_COLOUR = "long_colour"  # facts: size, most
    SUITS_RUN_OUT = "suits_run_out"  # facts: runs
    TOO_MANY_WILDS = "too_many_wilds"  # facts: wilds, there_are


@dataclass(frozen=True)
class Check:
    """One thing to know about a hand; ``stops``: with it nobody at any table can play the hand as it is written."""

    flaw: Flaw
    stops: bool
    facts: dict[str, int] = field(default_factory=dict)


# --- as text --------------------------------------------------------------------------------------------------------

_FLAGS: dict[str, dict[str, object]] = {
    "discard": {"last_card": "must"},
    "maydiscard": {"last_card": "may"},
    "nodiscard": {"last_card": "must_not"},
    "atonce": {"all_at_once": True},
    "endsdeal": {"ends_at_first_lay_down": True},
}
_NUMBERED = re.compile(r"^\s*(?:#\s*)?[0-9]{1,2}\s*[.):]\s*")
_SETTING = re.compile(r"(dealt|buys|wild)([0-9]{1,2}|any|[jqka])")


def read_hand(text: str) -> OwnHand:
    """Read ``2xset3 run5 dealt12 buys2``; raises BadContract, also with the codes "dealt" and "buys" (least, most).

    >>> read_hand("2xset3 dealt7 buysany").hand_size, read_hand("all nodiscard atonce").last_card
    (7, 'must_not')
    """
    melds, said = [], dict[str, object]()
    for word in re.sub(r"\s*x\s*", "x", text.lower()).split():
        setting = _SETTING.fullmatch(word)
        if word in _FLAGS:
            said |= _FLAGS[word]
        elif setting:
            said |= _setting(setting[1], setting[2], word)
        else:
            melds.append(word)
    if not melds:
        raise BadContract("no meld", "empty")
    return OwnHand(read_contract(" ".join(melds)), **said)  # type: ignore[arg-type]


def _setting(name: str, value: str, word: str) -> dict[str, object]:
    if name == "wild":
        try:
            return {"wild_rank": parse_card(value.upper() + "?").rank}
        except MalformedCard:
            raise BadContract(f"{word!r} is no meld", "unknown", part=word) from None
    if name == "buys" and value == "any":
        return {"buys": "any"}
    limits = {"dealt": DEALT, "buys": BUYS}[name]
    if not value.isdigit() or int(value) not in limits:
        least, most = limits.start, limits.stop - 1
        raise BadContract(f"{word!r}: {least} to {most}", name, least=least, most=most)
    return {{"dealt": "hand_size", "buys": "buys"}[name]: int(value)}


def format_hand(hand: OwnHand) -> str:
    """``2xset3 dealt7``, as ``read_hand`` reads it.

    >>> format_hand(read_hand("SET3 set3 buys0 wildK nodiscard"))
    '2xset3 buys0 nodiscard wildk'
    """
    return " ".join([format_contract(hand.contract), *_settings(hand)])


def _settings(hand: OwnHand) -> Iterator[str]:
    if hand.hand_size is not None:
        yield f"dealt{hand.hand_size}"
    if hand.buys is not None:
        yield f"buys{hand.buys}"
    said = {
        "last_card": hand.last_card,
        "all_at_once": hand.all_at_once,
        "ends_at_first_lay_down": hand.ends_at_first_lay_down,
    }
    yield from (word for word, flag in _FLAGS.items() if flag.items() <= said.items())
    if hand.wild_rank is not None:
        yield f"wild{hand.wild_rank.symbol.lower()}"


def format_hands(hands: Iterable[OwnHand]) -> str:
    """The whole list in one line: ``2xset3 / set3 run4``."""
    return " / ".join(map(format_hand, hands))


def read_hands(text: str) -> tuple[tuple[OwnHand, ...], tuple[BadLine, ...]]:
    """The hands of a list, parted by lines or ``/``, with or without numbers before them; and the parts that cannot be read.

    >>> hands, bad = read_hands("1. 2xset3 / 2. set3 run4 / pairs")
    >>> format_hands(hands), [(line.number, line.text) for line in bad]
    ('2xset3 / set3 run4', [(3, 'pairs')])
    """
    hands, bad = list[OwnHand](), list[BadLine]()
    parts = [part.strip() for part in re.split(r"[/\n\r;|]", text[:LONGEST_TEXT])]
    for number, part in enumerate(filter(None, parts), 1):
        try:
            hands.append(read_hand(_NUMBERED.sub("", part)))
        except BadContract as why:
            bad.append(BadLine(number, part[:80], why))
    if len(hands) > MOST_HANDS:
        too_many = BadContract(f"at most {MOST_HANDS} hands", "hands", most=MOST_HANDS)
        bad.append(BadLine(MOST_HANDS + 1, format_hand(hands[MOST_HANDS]), too_many))
    return tuple(hands[:MOST_HANDS]), tuple(bad)


# --- on the rules of a game -----------------------------------------------------------------------------------------


def hands_of(rules: Rules, base: Rules | None = None) -> tuple[OwnHand, ...]:
    """The list of a game, to begin one's own with; ``base`` are the rules it is to be put on, None: its own.

    >>> from companion.referee.games import KATE, LIVERPOOL
    >>> format_hands(hands_of(KATE)[8:]), format_hands(hands_of(LIVERPOOL)[5:])
    ('3xset3 run5 / 3xrun5 buys4', 'set3 2xrun4 dealt12 / 3xrun4 dealt12 nodiscard atonce')
    """
    deals, base = rules.deals or (Deal(),) * len(rules.contracts), base or rules
    first = (*base.deals, Deal())[0]
    return tuple(
        OwnHand(
            contract,
            None if deal.hand_size == first.hand_size else deal.hand_size,
            None if buys == base.buys[0] else "any" if buys is None else buys,
            None if deal.last_card == first.last_card else deal.last_card,
            deal.all_at_once,
            deal.ends_at_first_lay_down,
            deal.wild_ranks[0] if deal.wild_ranks else None,
        )
        for contract, deal, buys in zip(rules.contracts, deals, rules.buys, strict=True)
    )


def with_hands(rules: Rules, hands: Sequence[OwnHand], name: str = "", *, own_progress: bool | None = None) -> Rules:
    """The rules with a list of one's own in the place of theirs; ``own_progress``: whether everybody is on a hand of
    their own, None: as the rules say.

    Raises BadRules for no hands.

    >>> from companion.referee.games import KATE, LIVERPOOL
    >>> all(with_hands(rules, hands_of(rules)) == rules for rules in (KATE, LIVERPOOL))
    True
    """
    first = replace((*rules.deals, Deal())[0], all_at_once=False, ends_at_first_lay_down=False, wild_ranks=None)
    deals = tuple(_deal(hand, first) for hand in hands)
    return rules.replace(
        contracts=tuple(hand.contract for hand in hands),
        buys=tuple(rules.buys[0] if hand.buys is None else None if hand.buys == "any" else hand.buys for hand in hands),
        deals=() if set(deals) <= {Deal()} else deals,
        list_name=name,
        progress=rules.progress if own_progress is None else "own" if own_progress else "common",
    )


def _deal(hand: OwnHand, first: Deal) -> Deal:
    return Deal(
        first.hand_size if hand.hand_size is None else hand.hand_size,
        None if hand.wild_rank is None else (hand.wild_rank,),
        first.last_card if hand.last_card is None else hand.last_card,
        hand.all_at_once,
        hand.ends_at_first_lay_down,
    )


def plays_own_progress() -> bool:
    """Whether a game in which everybody is on a hand of their own can be played to its end here."""
    return any(game.is_offered and rules.progress == "own" for game in GAMES.values() for rules in game.sheets)


# --- what is wrong with it ------------------------------------------------------------------------------------------


def checks(rules: Rules, number: int) -> tuple[Check, ...]:
    """What to know about a hand of the rules before it is played, the gravest first.

    >>> from companion.referee.games import KATE
    >>> [(check.flaw.name, check.facts) for check in checks(KATE, 8)]
    [('NEEDS_BUYS', {'buys': 1})]
    >>> [check.flaw.name for check in checks(with_hands(KATE, [read_hand("run13 buys0")]), 1)]
    ['LONG_RUN', 'TOO_FEW_BUYS']
    """
    contract, rules = rules.contracts[number - 1], _in_hand(rules, number)
    found = [*_too_long(contract, rules), *_too_many(contract, rules), *_buying(contract, rules), *_dealing(rules)]
    return tuple(sorted(found, key=lambda check: not check.stops))


def undealable(rules: Rules, players: int) -> int | None:
    """The first hand for which there are not enough cards with so many players; None: all can be dealt.

    >>> from companion.referee.games import KATE
    >>> rules = with_hands(KATE, [read_hand("2xset3 dealt18")])
    >>> [undealable(rules, players) for players in (5, 6, 7)]
    [None, 1, None]
    """
    for number in range(1, len(rules.contracts) + 1):
        if any(count == players and count * dealt >= cards for count, dealt, cards in _tables(_in_hand(rules, number))):
            return number
    return None


def _in_hand(rules: Rules, number: int) -> Rules:
    """The rules as the hand plays them, with its own buys alone."""
    return rules.in_deal(number).replace(
        contracts=(rules.contracts[number - 1],), buys=(rules.buys[number - 1],), deals=()
    )


def _tables(rules: Rules) -> Iterator[tuple[int, int, int]]:
    """By number of players: the cards dealt to each, and the cards there are."""
    for count in range(rules.min_players, rules.max_players + 1):
        pack = with_packs(rules, count)
        yield count, rules.hand_size, 52 * pack.decks + pack.joker_count


def _dealing(rules: Rules) -> Iterator[Check]:
    for count, dealt, cards in _tables(rules):
        if count * dealt + 1 > cards:
            stops = count == rules.min_players
            yield Check(Flaw.CANNOT_DEAL, stops, {"players": count, "dealt": dealt, "cards": cards})
            return


def _buying(contract: Contract, rules: Rules) -> Iterator[Check]:
    if contract.is_everything:
        return
    buys, limit = least_buys(contract, rules), rules.buy_limit(1)
    if limit is not None and buys > limit:
        yield Check(Flaw.TOO_FEW_BUYS, True, {"buys": buys, "limit": limit})
        return
    if buys:
        yield Check(Flaw.NEEDS_BUYS, False, {"buys": buys})
    if rules.must_discard_to_go_out and floats(contract, rules, buys):
        yield Check(Flaw.NO_DISCARD, False, {"buys": buys})


def _too_long(contract: Contract, rules: Rules) -> Iterator[Check]:
    flaws = {
        Kind.SET: Flaw.LONG_SET,
        Kind.COLOUR: Flaw.LONG_COLOUR,
        Kind.RUN: Flaw.LONG_RUN,
        Kind.ANYRUN: Flaw.LONG_RUN,
    }
    pack = with_packs(rules, rules.min_players)
    for kind, flaw in flaws.items():
        size = max((slot.size for slot in contract.slots if slot.kind is kind), default=0)
        if size and size > (most := _longest(kind, pack)):
            yield Check(flaw, True, {"size": size, "most": most})


def _too_many(contract: Contract, rules: Rules) -> Iterator[Check]:
    runs = sum(slot.kind is Kind.RUN for slot in contract.slots)
    if rules.same_suit_runs == "forbidden" and runs > len(Suit):
        yield Check(Flaw.SUITS_RUN_OUT, True, {"runs": runs})
    pack = with_packs(rules, rules.min_players)
    naturals, there_are = _naturals_of_a_rank(pack), _wild_count(pack)
    wilds = sum(max(0, slot.size - naturals) for slot in contract.slots if slot.kind is Kind.SET)
    longest = max((slot.size for slot in contract.slots if slot.kind is Kind.SET), default=0)
    if wilds > there_are and longest - naturals <= there_are:  # else one set alone is too long
        yield Check(Flaw.TOO_MANY_WILDS, True, {"wilds": wilds, "there_are": there_are})


@lru_cache(maxsize=200)
def _longest(kind: Kind, rules: Rules) -> int:
    """The longest meld of a kind that the cards and the limits on wilds have room for; 0: none."""
    if kind is Kind.SET:
        return max((size for size in range(1, 31) if _is_set(size, rules)), default=0)
    if kind is Kind.COLOUR:
        ranks = [rank for rank in Rank if rank is not Rank.JOKER and is_natural_card(Card(rank, Suit.SPADES), rules)]
        return len(ranks) * rules.decks + _wild_count(rules)
    return max((size for size in range(1, 31) if run_lows(size, rules)), default=0)


def _is_set(size: int, rules: Rules) -> bool:
    """Whether there are cards for a set of so many that breaks no limit on wilds: with all naturals there are."""
    naturals = min(size, _naturals_of_a_rank(rules))
    if size - naturals > _wild_count(rules):
        return False
    rank = next(rank for rank in Rank if rank is not Rank.JOKER and is_natural_card(Card(rank, Suit.SPADES), rules))
    wilds = [card for card in _one_of_each() if is_wild_card(card, rules)][:1] * (size - naturals)
    suits = list(Suit) * rules.decks
    cards = [*(Card(rank, suit) for suit in suits[:naturals]), *wilds]
    return not wild_limit_problems(Meld.set_of(rank, cards), rules)


def _naturals_of_a_rank(rules: Rules) -> int:
    return 4 if rules.set_suits == "different" else 4 * rules.decks


def _wild_count(rules: Rules) -> int:
    jokers = rules.joker_count if rules.jokers_are_wild else 0
    return jokers + 4 * rules.decks * len(rules.wild_ranks)


def _one_of_each() -> list[Card]:
    return [Card(Rank.JOKER, None), *(Card(rank, Suit.SPADES) for rank in Rank if rank is not Rank.JOKER)]

"""The best turn: likely hands, and hostile ones (many wilds, many melds on the table) under several switches."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

from bench.godown import NATURALS, WILDS, full_table, line, spoiled, timed, within_decks
from companion.referee.cards import Card, Rank, Suit
from companion.referee.games import KATE
from companion.referee.melds import Meld, is_valid, rank_at, run_lows
from companion.referee.rules import Contract, Rules
from companion.referee.search.best_turn import best_turn
from companion.referee.state import TableMeld

HOSTILE = 400
LIKELY = 250
#: The hand's own seat; its melds are among those on the table when it is down already.
PLAYER = 1
SWITCHES: tuple[dict[str, object], ...] = (
    {},
    {"freed_wild": "hand"},
    {"max_wilds": 2},
    {"naturals_outnumber": True},
    {"adjacent_wilds": "forbidden"},
    {"max_wilds": 3, "freed_wild": "hand", "own_melds_count": False},
    {"wild_swap": "off"},
    {"discard_ban": False, "must_discard_to_go_out": False},
    {"lay_off_same_turn": False},
    {"lay_off_own": False},
)

Question = tuple[list[Card], Contract | None, list[TableMeld]]


def hostile(rng: random.Random, rules: Rules) -> Iterator[Question]:
    """Hands of 5 to 12 cards, up to five of them wild, for a player who is down already or goes down this turn."""
    while True:
        table = a_table(rng, rng.randint(0, 12), rules)
        wilds = rng.sample(WILDS * 2, rng.randint(0, 5))
        size = rng.randint(5, 12)
        near = [card for on in table for card in neighbours(on.meld)] or NATURALS
        down = rng.random() < 0.3
        contract = rng.choice(rules.contracts)
        if down:
            hand = wilds + rng.choices(near, k=rng.randint(0, size)) + rng.sample(NATURALS * 2, size)
            yield within_decks(hand[:size]), None, table
            continue
        planted = spoiled(rng, contract, contract.cards_needed, swaps=0)
        longest = max(size, contract.cards_needed + rng.randint(0, 3))
        yield (
            within_decks((planted + wilds + rng.choices(near, k=4) + rng.sample(NATURALS, 12))[:longest]),
            contract,
            table,
        )


def a_table(rng: random.Random, count: int, rules: Rules) -> list[TableMeld]:
    """Sets and runs as they may lie under the rules, some of them the player's own, crowded in two suits on some days."""
    suits = rng.choice([list(Suit), list(Suit), rng.sample(list(Suit), 2), rng.sample(list(Suit), 1)])
    melds: list[Meld] = []
    while len(melds) < count:
        meld = a_set(rng) if rng.random() < 0.3 else a_run(rng, rng.choice(suits))
        if is_valid(meld, rules):
            melds.append(meld)
    return [TableMeld(number, rng.randint(0, 3), meld, meld) for number, meld in enumerate(melds)]


def a_set(rng: random.Random) -> Meld:
    rank = rng.choice(NATURALS).rank
    same = [card for card in NATURALS if card.rank is rank]
    return Meld.set_of(rank, [*rng.sample(same, rng.randint(2, 3)), *rng.sample(WILDS, rng.randint(0, 2))][:4])


def a_run(rng: random.Random, suit: Suit) -> Meld:
    length = rng.choice([3, 4, 4, 5, 5, 7, 10])
    low = rng.choice(list(run_lows(length, KATE)))
    cards = [Card(rank_at(low, i), suit) for i in range(length)]
    for at in rng.sample(range(length), rng.randint(0, min(3, length - 1))):
        cards[at] = rng.choice(WILDS)
    return Meld.run_from(suit, low, cards)


def neighbours(meld: Meld) -> list[Card]:
    """Naturals that play on the meld now or after another card."""
    if meld.rank is not None:
        return [Card(meld.rank, suit) for suit in Suit]
    assert meld.low is not None
    reach = range(meld.low - 2, meld.low + len(meld.cards) + 2)
    held = set(meld.cards)
    cards = [Card(Rank(rank), meld.suit) for rank in reach if Rank.THREE <= rank <= Rank.ACE]
    return [card for card in cards if card not in held] or list(NATURALS)


def likely(rng: random.Random, rules: Rules) -> Iterator[Question]:
    """Hands that can go down, for each contract in turn, at a table with up to six melds."""
    while True:
        for contract in rules.contracts:
            size = rng.randint(contract.cards_needed + 1, 18)
            hand = within_decks(spoiled(rng, contract, size, swaps=rng.randint(0, 1)))
            yield hand, contract, full_table(rng)[: rng.randint(0, 6)]


def ask(source: Iterator[Question], rules: Rules, count: int) -> list[float]:
    """Milliseconds of so many questions, sorted."""
    asked = itertools.islice(source, count)
    return sorted(timed(lambda q=question: best_turn(*q, PLAYER, rules))[1] for question in asked)


def main() -> bool:
    """Likely hands as Kate plays, then hostile ones under every set of switches; False where a budget was missed."""
    times = ask(likely(random.Random(22), KATE), KATE, LIKELY)
    print(line("best, likely hands", times))
    good = times[int(len(times) * 0.95)] < 200
    for changes in SWITCHES:
        rules = KATE.replace(**changes)
        times = ask(hostile(random.Random(23), rules), rules, HOSTILE)
        print(line("best, hostile, as Kate plays" if not changes else f"  {changes}", times))
        good = good and times[int(len(times) * 0.95)] < 200 and times[-1] < 3000
    return good

"""Replay of a 400-entry night (budget 15 ms), one entry more, and what a command costs to judge and to do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from statistics import median
from time import perf_counter

from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.engine import decide, evolve, problems, rests_on
from companion.referee.games import KATE
from companion.referee.history import effective, fold, replay, undo_target
from companion.referee.notation import format_game, parse_game, read_meld
from companion.referee.state import GameState

ENTRIES, ROUNDS, BUDGET_MS = 400, 60, 15.0
_LAID = (
    "set 9? 9? 2S / set KS KD 2H", "set 9? 9? 2S / run 4S 2H 6S 7S", "set 8? 8? 8? 2C / set QS QD 2H QH",
    "set 3? 3? 3? / set 4? 4? 2D / set AS AS AD", "set 5? 5? 5? / run 3H 4H 5H 6H 2S 8H 9H",
    "set 5? 5? 5? / set 6? 6? 2H / run 7C 8C 9C 10C JC", "run 3H 4H 5H 6H / run 3C 4C 2S 6C / run JD QD KD AD",
    "set 5? 5? 5? / run 3H 4H 5H 6H 2S 8H 9H 10H JH QH",
    "set 5? 5? 5? / set 6? 6? 2H / set JS JC JH / run 7C 8C 9C 10C JC",
    "run 3H 4H 5H 6H 7H / run 3C 4C 2S 6C 7C / run 10D JD QD KD AD",
)  # fmt: skip


def _hand(number: int) -> Iterator[c.Command]:
    """One hand of six players: everybody buys, two go down, many cards are laid off, the hand is scored."""
    for seat in range(6):
        yield from (c.Buy(number, seat) for _ in range(3))
    melds = tuple(read_meld(part) for part in _LAID[number - 1].split("/"))
    yield c.GoDown(number, 1, melds)
    yield c.GoDownWithoutCards(number, 2)
    rng = Random(number)
    for _ in range(150):
        rank, suit = rng.choice(["3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]), rng.choice("SHDC")
        card = read_meld(f"set {rank}{suit}").cards[0]
        yield c.LayOff(number, 2, rng.randrange(len(melds)), card, rng.choice(("low", "high")))


def night() -> list[e.Event]:
    """A legal night of exactly 400 entries, buys undone and redone to fill what the hands leave."""
    state, entries = GameState(), []

    def add(event: e.Event) -> None:
        nonlocal state
        entries.append(event)
        state = fold(effective(entries)) if isinstance(event, e.Undone | e.Redone) else evolve(state, event)

    add(decide(state, c.StartGame(KATE, (0, 1, 2, 3, 4, 5), 0))[0])
    for number in range(1, 11):
        for command in _hand(number):
            if len(entries) < number * ENTRIES // 10 - 1 and not problems(state, command):
                add(decide(state, command)[0])
        while len(entries) < number * ENTRIES // 10 - 1:
            target = undo_target(entries)
            add(e.Redone(entries[-1].entry) if isinstance(entries[-1], e.Undone) else e.Undone(target or 0))
        points = {seat: 10 * seat for seat in range(1, 6)}
        add(decide(state, c.ScoreHand(number, 0, points, sure=True))[0])
    return entries


def _milliseconds(work: Callable[[], object]) -> list[float]:
    taken = []
    for _ in range(ROUNDS):
        began = perf_counter()
        work()
        taken.append(1000 * (perf_counter() - began))
    return sorted(taken)


def _report(name: str, work: Callable[[], object]) -> float:
    """Print median and p95 in ms; gives the p95."""
    taken = _milliseconds(work)
    p95 = taken[int(0.95 * len(taken))]
    print(f"{name:<42} median {median(taken):8.3f} ms   p95 {p95:8.3f} ms")
    return p95


def main() -> bool:
    """Measure; False where the replay misses its budget."""
    entries = night()
    cut = next(at for at in range(380, 340, -1) if isinstance(entries[at], e.LaidOff | e.Bought))
    state = replay(entries[:cut]).state
    assert state.hand is not None
    text, number = format_game(entries), state.hand.number
    buy = c.Buy(number, 5)
    down = c.GoDown(number, 3, tuple(read_meld(part) for part in _LAID[number - 1].split("/")))
    print(f"a night of {len(entries)} entries")
    p95 = _report("replay of the night", lambda: replay(entries))
    _report("the state after one entry more", lambda: evolve(state, entries[cut]))
    undone = (*entries[:cut], e.Undone(undo_target(entries[:cut]) or 0))
    _report("an undo (it replays)", lambda: fold(effective(undone)))
    _report("problems of a buy", lambda: problems(state, buy))
    _report("problems of going down", lambda: problems(state, down))
    _report("switches a going down rests on", lambda: rests_on(state, down))
    _report("reading the night from its notation", lambda: parse_game(text))
    print(f"budget: replay p95 ≤ {BUDGET_MS} ms: {'kept' if p95 <= BUDGET_MS else 'MISSED'}")
    return p95 <= BUDGET_MS

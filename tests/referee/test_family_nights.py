"""Whole nights of every contract rummy, dealt from real packs: legal to the end, with every law kept (FAMILY)."""

from collections import Counter
from contextlib import suppress
from random import Random

import pytest

from companion.codec import decode, encode
from companion.referee import commands as do
from companion.referee.cards import FIFTY_TWO, JOKER, Card
from companion.referee.contracts import lay_down_problems
from companion.referee.engine import Ambiguous, problems
from companion.referee.engine.go_down import last_turns
from companion.referee.events import LaidOff
from companion.referee.games import GAMES
from companion.referee.history import replay, undo_target
from companion.referee.notation import format_game, parse_game
from companion.referee.reasons import Reason
from companion.referee.rules import Rules
from companion.referee.scoring import hand_points
from companion.referee.search.can_go_down import can_go_down
from companion.referee.standings import totals
from companion.referee.state import Phase
from companion.referee.table import copies_problems
from tests.referee.nights import Night
from tests.thorough import IN_CI

SHEETS = [rules for game in GAMES.values() if game.is_offered and game.has_contracts for rules in game.sheets]


def a_pack(rng: Random, night: Night) -> list[Card]:
    """The night's cards, shuffled."""
    rules = night.state.rules
    pack = [*FIFTY_TWO] * rules.decks + [JOKER] * rules.joker_count
    rng.shuffle(pack)
    return pack


def play_hand(rng: Random, night: Night) -> None:
    """Everybody who can goes down with the best of a good hand, lays off, and the hand is scored with what is left."""
    playing = night.state.playing
    assert playing
    rules, number, pack = playing.rules, playing.hand.number, a_pack(rng, night)
    held = {seat: [pack.pop() for _ in range(rules.hand_size + 1)] for seat in night.state.dealt_in}
    for seat, hand in held.items():
        for _ in range(rng.randint(0, 3)):
            if len(pack) > 3 and night.refused(do.Buy(number, seat)) == ():
                night.do(do.Buy(number, seat))
                hand += [pack.pop() for _ in range(1 + rules.stock_cards)]
        contract, rules = night.state.contract_of(seat), playing.rules_of(seat)
        assert contract
        melds = can_go_down(hand, contract, rules)
        refused = do.GoDown(number, seat, melds[:-1]) if melds and not rules.extra_melds else None
        missing = {Reason.NOT_ALL_DEALT, Reason.MISSING_MELD} & set(night.refused(refused)) if refused else True
        assert missing or last_turns(playing, seat)
        if melds is None:
            continue
        assert lay_down_problems(melds, contract, rules) == ()
        copies = night.refused(do.GoDown(number, seat, melds))
        assert copies == (), copies
        night.do(do.GoDown(number, seat, melds))
        for card in [card for meld in melds for card in meld.cards]:
            hand.remove(card)
        if rules.lay_off:
            lay_off(rng, night, seat, hand)
    on_table = [card for on in night.state.hand.melds for card in on.meld.cards] if night.state.hand else []
    assert copies_problems(on_table, rules) == ()
    out = next(
        (seat for seat, hand in held.items() if not hand or (len(hand) == 1 and night.state.hand.is_down(seat))), None
    )
    floats = night.state.hand.floating if night.state.hand else frozenset()
    points = {seat: hand_points(hand, rules) for seat, hand in held.items() if seat != out and seat not in floats}
    least = min(rules.card_values)
    held_points = {seat: value or least for seat, value in points.items()}
    night.do(do.ScoreHand(number, out, held_points, sure=True, laid=who_laid(rng, night)))


def who_laid(rng: Random, night: Night) -> frozenset[int] | None:
    """Where each player is on an own hand of the list most of them laid theirs, entered or not; else the night has no end."""
    hand = night.state.hand
    assert hand
    if not night.state.rules.own_progress:
        return None
    return hand.down | {seat for seat in night.state.dealt_in if rng.random() < 0.8}


def lay_off(rng: Random, night: Night, seat: int, hand: list[Card]) -> None:
    """Cards that play at one end only, one after another."""
    playing = night.state.playing
    assert playing
    for card in rng.sample(hand, min(4, len(hand) - 1)) if len(hand) > 1 else ():
        for on in night.state.playing.hand.melds:  # type: ignore[union-attr]
            command = do.LayOff(playing.hand.number, seat, on.number, card, rng.choice((None, "high")))
            if problems(night.state, command) == () and rng.random() < 0.7:
                with suppress(Ambiguous):  # either end would do, and nobody said which
                    night.do(command)
                if night.entries[-1].__class__ is not LaidOff:
                    continue
                hand.remove(card)
                break


@pytest.mark.parametrize("rules", SHEETS, ids=lambda rules: rules.sheet)
def test_whole_nights_keep_every_law(rules: Rules) -> None:
    for seed in range(5 if IN_CI else 2):
        rng = Random(f"{rules.sheet} {seed}")
        players = rng.randint(rules.min_players, min(6, rules.max_players))
        night = Night().do(do.StartGame(rules, tuple(range(players)), 0))
        while night.state.phase is Phase.PLAYING:
            play_hand(rng, night)
        assert rules.own_progress or len(night.state.scores) == len(rules.contracts)
        assert night.state.phase is Phase.FINISHED
        summed: Counter[int] = Counter()
        for score in night.state.scores:
            summed.update(dict(score.points))
        assert totals(night.state) == {seat: summed[seat] for seat in range(players)}
        assert replay(night.entries).state == night.state
        assert [decode(*encode(event)) for event in night.entries] == night.entries
        assert list(parse_game(format_game(night.entries))) == night.entries
        assert undo_everything(night)


def undo_everything(night: Night) -> bool:
    """Every entry but the first can be taken back, one after another."""
    before = len(night.entries)
    while (target := undo_target(night.entries)) is not None and target > 1:
        night.undo()
    return len(night.entries) == 2 * before - 1 and night.state == replay(night.entries[:1]).state

"""One hand, dealt and played out: stock, hands and discards are here, all else goes through the engine."""

from collections.abc import Callable, Mapping, Sequence
from random import Random

from companion.players.seen import Move, Player, Seen
from companion.referee.cards import FIFTY_TWO, JOKER, Card
from companion.referee.commands import Buy, Command, Float, GoDown, ScoreHand
from companion.referee.rules import Rules
from companion.referee.scoring import hand_points
from companion.referee.state import GameState, Hand
from companion.referee.table import discard_problems, plays

#: After so many rounds a hand counts as a stall, and nobody as out.
MOST_ROUNDS = 60

#: Does a command and returns the state after it; None: the engine refuses it.
Do = Callable[[Command], GameState | None]


class StockIsOut(Exception):
    """Nothing is left to draw, or the game ends the hand with the stock (G7.5)."""


class PlayedHand:
    """A hand as it is played. ``down_at`` and ``ended_at`` are rounds; ``out`` None: nobody."""

    def __init__(self, state: GameState, do: Do, players: Mapping[int, Player], rng: Random) -> None:
        self.state, self._do, self.players, self.rng = state, do, players, rng
        hand = self._hand
        self.number, self.rules = hand.number, state.hand_rules
        self.stock = a_pack(state.rules, rng)
        self.cards = {seat: self._dealt(seat) for seat in state.dealt_in}
        self.discards = [self.stock.pop()]
        self.thrower: int | None = None
        self.round = 0
        self.out: int | None = None
        self.went_down_now = self.out_in_one = False
        self.last_turns: set[int] | None = None
        self.down_at: dict[int, int] = {}
        self.floated: set[int] = set()
        self.stock_ran_out = 0
        self.stalled = False

    @property
    def _hand(self) -> Hand:
        assert self.state.hand is not None
        return self.state.hand

    def _dealt(self, seat: int) -> list[Card]:
        return [self.stock.pop() for _ in range(self.rules.hand_size)]

    def play(self) -> None:
        """Play until somebody is out, the stock is, or sixty rounds are over; then score the hand."""
        seat = self.state.starter
        first = seat
        try:
            while seat is not None and not self._is_over():
                self.round += seat == first
                if self.round > MOST_ROUNDS:
                    self.round, self.stalled = MOST_ROUNDS, True
                    break
                self._turn(seat)
                if self.last_turns is not None:
                    self.last_turns.discard(seat)
                seat = self.state.next_dealt_in(seat)
        except StockIsOut:
            pass
        self._score()

    def _is_over(self) -> bool:
        return self.out is not None and not self.last_turns

    # --- a turn ---

    def _turn(self, seat: int) -> None:
        player, self.went_down_now = self.players[seat], False
        was_down = self._hand.is_down(seat)
        if self.rules.whole_turn and not was_down and self._moves(seat, player, was_down):
            self._ends_without_cards(seat)
            return
        self._draws(seat, player)
        self._moves(seat, player, was_down)
        if self.cards[seat]:
            self._throws(seat, player)
        else:
            self._ends_without_cards(seat)

    def _draws(self, seat: int, player: Player) -> None:
        floats = seat in self._hand.floating
        may = bool(self.discards) and not floats
        may = may and (self.rules.draw_discards_down or not self._hand.is_down(seat))
        if may and not self.rules.next_player_pays and player.takes(self._seen(seat), self.rng):
            self.cards[seat].append(self.discards.pop())
            return
        self._offers(seat)
        self._takes_stock(seat)

    def _offers(self, turn: int) -> None:
        """The discard is offered round the table; the closest who wants it buys (G5.2, G5.5)."""
        for seat in self._round_from(turn):
            if seat == turn and not self.rules.next_player_pays:
                continue  # declined it, free
            if self._may_buy(seat) and self.players[seat].buys(self._seen(seat), self.rng):
                if not self._does(Buy(self.number, seat)):
                    continue
                self.cards[seat].append(self.discards.pop())
                for _ in range(self.rules.stock_cards):
                    self._takes_stock(seat)
                return

    def _round_from(self, seat: int) -> list[int]:
        """Everybody dealt in, from this player on, the way play goes."""
        seats = [seat]
        while (after := self.state.next_dealt_in(seats[-1])) is not None and after != seat:
            seats.append(after)
        return seats

    def _may_buy(self, seat: int) -> bool:
        """Whether the discard can be bought by this player at all (G5.3–G5.6)."""
        if not self.discards or seat == self.thrower or seat in self._hand.floating:
            return False
        if self._hand.is_down(seat) and not self.rules.buy_when_down:
            return False
        return self.state.buys_left(seat) != 0 and len(self.stock) > self.rules.stock_cards

    def _takes_stock(self, seat: int) -> None:
        if not self.stock:
            self.stock_ran_out += 1
            if self.rules.stock_out == "end_hand" or len(self.discards) < 2:
                raise StockIsOut
            self.stock, self.discards = self.discards[:-1], self.discards[-1:]
            self.rng.shuffle(self.stock)
        self.cards[seat].append(self.stock.pop())

    def _moves(self, seat: int, player: Player, was_down: bool) -> bool:
        """All that the player wants to lay; whether anything was."""
        refused: frozenset[Move] = frozenset()
        any_done = False
        while self.cards[seat]:
            seen = self._seen(seat, was_down)
            if seen.is_down and len(seen.hand) == 1 and self._goes_out_by_throwing(seat):
                break
            move = player.moves(seen, self.rng, refused)
            if move is None:
                break
            if not self._may_lay(seat, move) or not self._does(move):
                refused |= {move}
                continue
            any_done = True
            for card in _laid(move):
                self.cards[seat].remove(card)
            if isinstance(move, GoDown):
                self.down_at[seat], self.went_down_now = self.round, True
        return any_done

    def _may_lay(self, seat: int, move: Move) -> bool:
        """Who may not float keeps a card to throw (G7.3); whose last card may not be thrown keeps none that plays nowhere."""
        left = len(self.cards[seat]) - len(_laid(move))
        if left == 1 and self.rules.last_card_stays and not isinstance(move, GoDown):
            (last,) = _less(self.cards[seat], move.card)
            if not any(plays(last, on.meld, self.rules) for on in self._hand.melds):
                return False
        return left > 0 or not self.rules.must_discard_to_go_out or self.rules.floating

    def _goes_out_by_throwing(self, seat: int) -> bool:
        (card,) = self.cards[seat]
        return not self.rules.last_card_stays and not discard_problems(card, self._hand.melds, seat, self.rules)

    def _throws(self, seat: int, player: Player) -> None:
        cards = tuple(dict.fromkeys(self.cards[seat]))
        melds = self._hand.melds
        legal = tuple(card for card in cards if not discard_problems(card, melds, seat, self.rules))
        if len(self.cards[seat]) == 1 and self.rules.last_card_stays:
            return
        if not legal:
            least = min(map(self.rules.value, cards))
            any_card = self.rules.dead_hand == "discard_any"
            legal = tuple(card for card in cards if any_card or self.rules.value(card) == least)
        card = player.throws(self._seen(seat), self.rng, legal)
        self.cards[seat].remove(card)
        self.discards.append(card)
        self.thrower = seat
        if not self.cards[seat]:
            self._is_out(seat)

    def _ends_without_cards(self, seat: int) -> None:
        if self.cards[seat]:
            return
        if not self.rules.can_float:
            self._is_out(seat)
        elif seat not in self._hand.floating and self._does(Float(self.number, seat)):
            self.floated.add(seat)

    def _is_out(self, seat: int) -> None:
        if self.out is not None:
            return
        self.out = seat
        others = set(self.cards) - {seat}
        self.last_turns = others if self.rules.after_out == "one_turn_each" else set()
        self.out_in_one = self.went_down_now

    # --- the engine ---

    def _does(self, command: Command) -> bool:
        state = self._do(command)
        if state is None:
            return False
        self.state = state
        return True

    def _seen(self, seat: int, was_down: bool | None = None) -> Seen:
        hand, rules = self._hand, self.state.rules_of(seat)
        down = hand.is_down(seat)
        same_turn = rules.lay_off_same_turn or was_down is not False
        return Seen(
            seat, hand.number, self.round, tuple(self.cards[seat]), self.state.contract_of(seat), rules, hand.melds, down,
            rules.lay_off and same_turn, self.state.buys_left(seat), tuple(self.discards),
            {other: len(cards) for other, cards in self.cards.items()}, len(self.stock),
        )  # fmt: skip

    def _score(self) -> None:
        points = {seat: self._points(seat) for seat in self.cards}
        laid = self._hand.down if self.rules.own_progress else None
        if not self._does(ScoreHand(self.number, self.out, points, sure=True, laid=laid)):
            raise AssertionError(f"hand {self.number} cannot be scored: {points}, out {self.out}")

    def _points(self, seat: int) -> int:
        if seat == self.out:
            return self.rules.out_in_one_turn if self.out_in_one else 0
        if seat in self._hand.floating:
            return 0
        return hand_points(self.cards[seat], self.rules) or min(self.rules.card_values)


def _laid(move: Move) -> Sequence[Card]:
    return [card for meld in move.melds for card in meld.cards] if isinstance(move, GoDown) else [move.card]


def _less(cards: Sequence[Card], card: Card) -> list[Card]:
    left = list(cards)
    left.remove(card)
    return left


def a_pack(rules: Rules, rng: Random) -> list[Card]:
    """The cards of a table, shuffled (G1.1)."""
    pack = [*FIFTY_TWO] * rules.decks + [JOKER] * rules.joker_count
    rng.shuffle(pack)
    return pack

"""The table page: the hand in play, what it asks for, and a row per player."""

from collections.abc import Iterable
from dataclasses import dataclass

from flask_babel import gettext as _

from companion import wording
from companion.pages.cards import DrawnMeld, drawn
from companion.pages.grebber import GrebberCard, GrebberRow, grebber_card, grebber_row
from companion.pages.refusals import event_words
from companion.pages.unnoted import Unnoted, unnoted_buy
from companion.record import EntryView, GameView
from companion.referee.engine.rearranging import rearranges
from companion.referee.games import game_of
from companion.referee.rules import Contract, Kind
from companion.referee.standings import Standings, standings
from companion.referee.state import Hand


@dataclass(frozen=True, slots=True)
class ContractCard:
    """What a hand asks for: its slots as shapes (kind and size), in words, and the warnings of G4.6."""

    shapes: tuple[tuple[str, int], ...]
    words: str
    needed: str
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """A player: ``pips`` are the buys of the hand, True while left; ``sentence`` is the row for a screen reader; ``melds``
    have their number in the game; ``own``: this phone is the player's; ``own_hand`` is the hand of the list they are on,
    and what it asks for, where each is on an own one.
    """

    seat: int
    facts: wording.RowFacts
    sentence: str
    used: int
    pips: tuple[bool, ...]
    leads: bool
    own: bool
    melds: tuple[tuple[int, DrawnMeld], ...]
    grebber: GrebberRow | None = None
    own_hand: tuple[int, str] | None = None


@dataclass(frozen=True, slots=True)
class LastEntry:
    """The entry an undo would take back, or a redo restore: its number and its sentence, and where it came from."""

    number: int
    sentence: str
    device: str = ""


@dataclass(frozen=True, slots=True)
class TablePage:
    """The page. ``what_now`` is said before anything was entered for the first hand.

    A game with contracts has a ``contract``, Grebber has ``grebber``. ``rearranges``: somebody is down in a game where
    the melds on the table may become others (P6). ``floats``: who is down may float (G7.3).
    ``buys``: discards are bought in this game.
    """

    number: int
    title: str
    contract: ContractCard | None
    deal: str
    what_now: str
    rows: tuple[Row, ...]
    undo: LastEntry | None
    redo: LastEntry | None
    rearranges: bool = False
    floats: bool = False
    buys: bool = True
    grebber: GrebberCard | None = None
    unnoted: Unnoted | None = None


def table_page(view: GameView, own: int | None = None) -> TablePage:
    """The table of a game in play, seen from the seat ``own`` if this phone is somebody's."""
    state, hand, rules, contract = view.state, view.state.hand, view.state.hand_rules, view.state.contract
    assert hand is not None
    return TablePage(
        number=hand.number,
        title=wording.hand_words(hand.number, rules.hands_in_all),
        contract=contract_card(contract, view) if contract else own_hands_card(view) if rules.own_progress else None,
        deal=_deal(view, hand),
        what_now=_what_now(view, hand),
        rows=_rows(view, hand, own),
        undo=last_entry(view.undo, view),
        redo=last_entry(view.redo, view),
        unnoted=unnoted_buy(view, hand),
        rearranges=rearranges(rules) and any(hand.is_down(seat) for seat in state.dealt_in),
        floats=rules.floating,
        buys=any(rules.buy_limit(number) != 0 for number in range(1, len(rules.buys) + 1)),
        grebber=grebber_card(view, hand) if game_of(rules).count == "kruth" else None,
    )


def shapes(contract: Contract) -> tuple[tuple[str, int], ...]:
    """The kind and size of every slot, as they are drawn."""
    drawn = (slot for slot in contract.slots if slot.kind is not Kind.ALL)
    return tuple(("run" if slot.kind in (Kind.RUN, Kind.ANYRUN) else "set", slot.size) for slot in drawn)


def contract_card(contract: Contract, view: GameView) -> ContractCard:
    """A contract in shapes and in words (G4.1, G4.6)."""
    words, rules = wording.contract_words(contract), view.state.hand_rules
    needed = wording.wild_words(rules) if contract.is_everything else wording.needed_words(contract.cards_needed)
    warnings = (*wording.contract_warnings(contract, rules), *_last_turns(view))
    return ContractCard(shapes(contract), words[:1].upper() + words[1:], needed, warnings)


def _last_turns(view: GameView) -> Iterable[str]:
    """That somebody is out, and who has one more turn: those after them, in turn."""
    hand, state = view.state.hand, view.state
    if hand is None or not hand.down or state.hand_rules.after_out != "one_turn_each":
        return
    names = {seat: wording.isolate(view.names[seat]) for seat in state.dealt_in}
    if others := [names[seat] for seat in state.ring if seat in names and seat not in hand.down]:
        yield _("Somebody is out. One more turn each: %(names)s.", names=wording.and_list(others))


def own_hands_card(view: GameView) -> ContractCard:
    """What stands in the place of a contract where each player is on an own hand of the list."""
    rules = view.state.rules
    of = _("Who goes down has the next one then; the first to lay hand %(n)s ends the game.", n=len(rules.contracts))
    return ContractCard((), _("Each player’s hand of the list stands by the name."), of, wording.deal_warnings(rules))


def _deal(view: GameView, hand: Hand) -> str:
    starter, rules = view.state.starter, view.state.rules
    facts = {"dealer": wording.isolate(view.names[hand.dealer])}
    if starter is not None and any(deal.hand_size for deal in rules.deals):
        facts |= {"starter": wording.isolate(view.names[starter]), "cards": str(rules.dealt(hand.number))}
        return _("%(dealer)s deals %(cards)s cards each, %(starter)s starts.", **facts)
    if starter is None:
        return _("%(dealer)s deals.", **facts)
    return _("%(dealer)s deals, %(starter)s starts.", starter=wording.isolate(view.names[starter]), **facts)


def _what_now(view: GameView, hand: Hand) -> str:
    state = view.state
    if state.starter is None or state.scores or not hand.untouched:
        return ""
    return wording.what_now(state.hand_rules, view.names[hand.dealer], view.names[state.starter])


def last_entry(entry: EntryView | None, view: GameView, device: str = "") -> LastEntry | None:
    """An entry that can be taken back or restored, in words."""
    return None if entry is None else LastEntry(entry.seq, event_words(entry, view), device)


def _rows(view: GameView, hand: Hand, own: int | None) -> tuple[Row, ...]:
    state = view.state
    first = state.order.index(own) if own in state.order else 0
    stood = standings(state)
    return tuple(_row(view, hand, seat, stood, own) for seat in (*state.order[first:], *state.order[:first]))


def _row(view: GameView, hand: Hand, seat: int, stood: Standings, mine: int | None) -> Row:
    state = view.state
    counted = game_of(state.rules).count == "kruth"
    grebber = grebber_row(state, hand, seat, stood.totals[seat]) if counted else None
    limit, used = state.buy_limit(seat) or 0, state.buys_used(seat)
    own = state.contract_of(seat) if state.rules.own_progress else None
    number = state.number_of(seat)
    own_hand = wording.own_hand_words(number, own) if own else ""
    said = wording.RowFacts(
        name=view.names[seat],
        dealer=seat == hand.dealer,
        starter=seat == state.starter,
        buys=wording.buys_left_words(state.buys_left(seat), state.hand_rules) if grebber is None else grebber.chips,
        is_down=hand.is_down(seat),
        floating=seat in hand.floating,
        sitting_out=seat in hand.sitting_out,
        total=stood.totals[seat],
        place=wording.place_words(stood.place(seat)),
        own_hand=own_hand,
    )
    pips = tuple(nth >= used for nth in range(limit))
    return Row(
        seat,
        said,
        wording.row_sentence(said),
        used,
        pips,
        stood.leads(seat),
        seat == mine,
        tuple((meld.number, drawn(meld.meld)) for meld in hand.melds_of(seat)),
        grebber,
        (number, wording.contract_words(own)) if own else None,
    )

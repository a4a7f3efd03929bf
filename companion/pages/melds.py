"""Melds of the hand in play: going down by contract slot, and one meld on the table with what it takes."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from flask_babel import gettext as _

from companion import wording
from companion.forms.melds import MeldForm, Values, form_of, wild_kinds
from companion.forms.numbers import whole
from companion.pages.cards import sheet_order
from companion.pages.refusals import Refusal, Refused, refusal, whys
from companion.record import GameView
from companion.referee.cards import JOKER, Card, Rank, Suit
from companion.referee.commands import CorrectMeld, GoDown, LayOff, ReplaceWild, TakeBackGoingDown
from companion.referee.engine import correction_preview, problems
from companion.referee.engine.go_down import FURTHER_SIZE, free_slots, last_turns
from companion.referee.games import game_of
from companion.referee.melds import Meld, is_natural_card, is_wild_card
from companion.referee.reasons import Firmness, Problem
from companion.referee.rules import Kind, Rules, Slot
from companion.referee.state import Addition, Hand, TableMeld
from companion.referee.table import Play, plays

_ENDS = ("low", "high", "hand", "table")


@dataclass(frozen=True, slots=True)
class DownPage:
    """Going down: who, what is asked of them, the fields, the melds lying there already, and why it was refused.

    ``cards`` are those that can be typed by taps; ``closed``: why nothing more can be laid.
    """

    seat: int
    title: str
    asked: str
    forms: Sequence[MeldForm]
    laid: tuple[TableMeld, ...]
    is_down: bool
    cards: tuple[Card, ...]
    refusal: Refusal | None
    closed: Refusal | None


def _hand(view: GameView) -> Hand:
    """The hand in play, where the view has made sure that there is one."""
    assert view.state.hand is not None
    return view.state.hand


def meld_forms(view: GameView, seat: int, values: Values) -> list[MeldForm]:
    """A form for everything the player may lay now: the open slots of the contract, then further melds (G4.4)."""
    rules, slots = view.state.rules_of(seat), _slots(view, seat)
    free = free_slots(view.state, seat)
    if free and slots[0].kind is Kind.ALL:  # as many melds as the cards can be
        return [MeldForm(f"x{number}", _ANY_MELD, rules, values) for number in range(max(1, rules.hand_size // 3))]
    forms = [MeldForm(f"m{index}", slots[index], rules, values) for index in free]
    if rules.extra_melds:
        forms += [MeldForm(f"x{number}", None, rules, values) for number in range(1 if forms else 2)]
    return forms


#: A meld where the contract names none.
_ANY_MELD = Slot(Kind.ALL, FURTHER_SIZE)


def _slots(view: GameView, seat: int) -> tuple[Slot, ...]:
    contract = view.state.contract_of(seat)
    return contract.slots if contract else ()


def _asked(view: GameView, seat: int) -> str:
    """What the hand asks of a player, in a sentence; where each is on an own hand of the list, which one that is."""
    contract, facts = view.state.contract_of(seat), {"n": view.state.number_of(seat)}
    if contract is None:
        return ""
    if last_turns(view.state.playing, seat):
        return _("Somebody is out: lay the melds there are. What is left in hand counts.")
    words = wording.contract_words(contract)
    if view.state.rules.own_progress:
        return _("Hand %(n)s of the list asks for %(contract)s.", contract=words, **facts)
    return _("Hand %(n)s asks for %(contract)s.", contract=words, **facts)


def down_page(view: GameView, seat: int, forms: Sequence[MeldForm], refused: Refused | None = None) -> DownPage:
    """Going down; every problem of ``refused`` stands beside the meld it is about, the others at the top."""
    hand = _hand(view)
    beside = _by_form(forms, refused.problems if refused else ())
    for form in forms:
        form.reasons = whys(beside[form.key], view)
    name = wording.isolate(view.names[seat])
    return DownPage(
        seat,
        _("%(name)s is down", name=name) if hand.is_down(seat) else _("%(name)s goes down", name=name),
        _asked(view, seat),
        forms,
        hand.melds_of(seat),
        hand.is_down(seat),
        tuple(sheet_order(joker=JOKER in wild_kinds(view.state.hand_rules))),
        _top(view, refused, beside[""], forms),
        None if forms else refusal(view, Refused(200, problems(view.state, GoDown(hand.number, seat, ())))),
    )


def _by_form(forms: Sequence[MeldForm], against: Sequence[Problem]) -> Mapping[str, list[Problem]]:
    """The problems by the key of the form that they are about; "" has the rest."""
    beside: dict[str, list[Problem]] = defaultdict(list)
    laid = [form for form in forms if form.meld]
    for problem in against:
        form = _about(problem, laid)
        beside[form.key if form else ""].append(problem)
    return beside


def _about(problem: Problem, laid: Sequence[MeldForm]) -> MeldForm | None:
    """The form of a problem's meld; of two melds that go badly together the later one, which is always new."""
    other, index = problem.facts.get("other"), problem.facts.get("index")
    if other is not None:
        return next((form for form in reversed(laid) if form.meld == other), None)
    return laid[index] if isinstance(index, int) and index < len(laid) else None


def _top(
    view: GameView, refused: Refused | None, whole: Sequence[Problem], forms: Sequence[MeldForm]
) -> Refusal | None:
    if refused and (refused.status == 409 or refused.problems):
        return replace(refusal(view, refused), reasons=whys(whole, view))
    if any(form.errors for form in forms):
        return Refusal(_("Not laid yet: something is missing."), ())
    return None


@dataclass(frozen=True, slots=True)
class Way:
    """One thing a card can do on a meld: its value in the form, in words, and the meld after it."""

    value: str
    words: str
    after: Meld


@dataclass(frozen=True, slots=True)
class Consequences:
    """What a correction would do, shown before it is saved: the meld after it (None: gone), cards that stay and go."""

    after: Meld | None
    kept: tuple[str, ...]
    dropped: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MeldPage:
    """A meld ``on`` the table: what was laid off, who may lay off what, and the form that corrects it.

    ``chosen`` is who of ``players`` lays off, where that is known; ``not_down`` who has nothing to lay off yet.
    """

    on: TableMeld
    title: str
    laid_off: tuple[str, ...]
    players: tuple[int, ...]
    chosen: int | None
    not_down: str
    lay_off_rule: str
    cards: tuple[Card, ...]
    form: MeldForm


def meld_page(view: GameView, on: TableMeld, seat: int | None, form: MeldForm | None = None) -> MeldPage:
    """The page of one meld; ``seat`` is who lays off, where that is known, ``form`` a correction being entered."""
    hand, rules, dealt_in = _hand(view), view.state.hand_rules, view.state.dealt_in
    may = tuple(other for other in dealt_in if hand.is_down(other) and (rules.lay_off_own or other != on.owner))
    return MeldPage(
        on,
        wording.meld_phrase(on.meld, wording.isolate(view.names[on.owner])),
        tuple(_laid_off(added, view.names) for added in on.additions),
        may,
        may[0] if len(may) == 1 else seat,
        wording.and_list(wording.isolate(view.names[other]) for other in dealt_in if not hand.is_down(other)),
        game_of(rules).cited("G7.1", Firmness.KATE)[0],
        tuple(_playing(on.meld, rules)),
        form or correction_form(view, on, None),
    )


def _playing(meld: Meld, rules: Rules) -> list[Card]:
    """The cards that play: naturals one by one, each kind of wild once, and a 2 that would lie as itself (P2)."""
    exact = [Card(rank, suit) for suit in Suit for rank in Rank if rank]
    wilds = [kind for kind in wild_kinds(rules) if plays(kind, meld, rules)]
    naturals = [card for card in exact if not is_wild_card(card, rules) and plays(card, meld, rules)]
    natural = [card for card in exact if is_wild_card(card, rules) and is_natural_card(card, rules)]
    return naturals + [card for card in natural if _lies_as_itself(card, meld, rules)] + wilds


def _lies_as_itself(card: Card, meld: Meld, rules: Rules) -> bool:
    """Whether a 2 could lie as the natural 2 of a run."""
    at = {"low": lambda play: 0, "high": lambda play: len(meld.cards), "replace": lambda play: play.position}
    return meld.low is not None and any(
        not play.result.is_wild_at(at[play.action](play)) for play in plays(card, meld, rules)
    )


def _laid_off(added: Addition, names: Mapping[int, str]) -> str:
    facts = {"name": wording.isolate(names[added.seat]), "card": wording.card_short(added.card)}
    if added.action == "replace":
        return _("%(name)s replaced a wild with the %(card)s.", **facts)
    return _("%(name)s laid off the %(card)s.", **facts)


def ways(card: Card, on: TableMeld, view: GameView) -> tuple[Way, ...]:
    """Everything a card can do on a meld, with its words."""
    return tuple(_way(card, on, play, view) for play in dict.fromkeys(plays(card, on.meld, view.state.hand_rules)))


def _way(card: Card, on: TableMeld, play: Play, view: GameView) -> Way:
    value = play.action if play.action != "replace" else f"replace-{play.position}-{play.wild_to}"
    owner = view.names[on.owner]
    words = wording.play_words(card, on.meld, play, owner)
    return Way(value, words, play.result)


def likely_play(card: Card, on: TableMeld) -> str:
    """The way that a card which plays nowhere was meant in, so that its refusal says most: a wild's place, or an end."""
    return "replace" if any(on.meld.stands_for(at) == card for at in on.meld.wild_positions()) else ""


def command_of(way: str, lay_off: LayOff) -> LayOff | ReplaceWild | None:
    """The command of a way that a form sent; None where there is no such way."""
    action, _dash, where = way.partition("-")
    if action != "replace":
        end = way if way in ("low", "high") else None
        return replace(lay_off, end=end) if way in ("", "add", "low", "high") else None
    hand, seat, meld, card = lay_off.hand, lay_off.seat, lay_off.meld, lay_off.card
    position, _dash, to = where.partition("-")
    if not where:
        return ReplaceWild(hand, seat, meld, card)
    place = whole(position, 2)
    if place is None or to not in _ENDS:
        return None
    return ReplaceWild(hand, seat, meld, card, to, place)


def correction_form(view: GameView, on: TableMeld, values: Values | None) -> MeldForm:
    """The form that enters a meld anew: as it was laid, or with what was just entered."""
    rules, slots = view.state.rules_of(on.owner), _slots(view, on.owner)
    slot = slots[on.slot] if on.slot is not None and on.slot < len(slots) else _ANY_MELD
    if slot.kind is Kind.ALL:
        slot = Slot(on.base.kind, FURTHER_SIZE)
    if values is None:
        return form_of("c", on.base, slot, rules)
    return MeldForm("c", slot, rules, values)


def consequences(view: GameView, command: CorrectMeld | TakeBackGoingDown) -> Consequences:
    """What a correction would do, in words."""
    correction = correction_preview(view.state, command)
    kept = tuple(_laid_off(added, view.names) for _number, added in correction.kept)
    dropped = tuple(_laid_off(added, view.names) for _number, added in correction.dropped)
    return Consequences(correction.result, kept, dropped)


@dataclass(frozen=True, slots=True)
class BackPage:
    """Taking a going down back: the melds and laid-off cards that would leave the table, or why there is nothing."""

    seat: int
    name: str
    melds: tuple[TableMeld, ...]
    dropped: tuple[str, ...]
    is_possible: bool
    refusal: Refusal | None


def back_page(view: GameView, command: TakeBackGoingDown, refused: Refused | None) -> BackPage:
    """The page that asks before a going down is taken back."""
    against = problems(view.state, command)
    refused = refused or (Refused(422, against) if against else None)
    return BackPage(
        command.seat,
        wording.isolate(view.names[command.seat]),
        _hand(view).melds_of(command.seat),
        consequences(view, command).dropped,
        not against,
        refusal(view, refused) if refused else None,
    )

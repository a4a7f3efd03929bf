"""Who gets the discard that several want (G5)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from flask_babel import gettext as _

from companion import wording
from companion.pages.verdicts import Ground, Verdict, because, sentences
from companion.record import GameView
from companion.referee.claims import Claim, who_takes
from companion.referee.games import game_of
from companion.referee.rules import Rules
from companion.referee.state import Playing


@dataclass(frozen=True, slots=True)
class ClaimPage:
    """The question, and its answer once asked: ``players`` to tick (seat, name, the buys left in words), ``buyer`` the
    seat whose buy may be noted with one tap.
    """

    players: tuple[tuple[int, str, str], ...]
    in_call_order: bool
    verdict: Verdict | None = None
    buyer: int | None = None
    nth: int = 1


def claim_page(
    view: GameView, playing: Playing, discarder: int | None, calls: Sequence[int], first: int | None
) -> ClaimPage:
    """Who gets it: ``calls`` are the seats that want the card, ``first`` who called first where that decides."""
    state, rules = playing.state, playing.rules
    players = tuple(
        (seat, view.names[seat], wording.buys_left_words(state.buys_left(seat), rules)) for seat in state.dealt_in
    )
    page = ClaimPage(players, rules.buy_priority == "first_call")
    if discarder is None or not calls:
        return page
    ordered = sorted(calls, key=lambda seat: seat != first)
    claim = who_takes(ordered, discarder, playing)
    if page.in_call_order and len(claim.allowed) > 1 and first not in claim.allowed:
        return replace(page, verdict=_who_called(view, claim))
    page = replace(page, verdict=_verdict(view, claim, len(calls)))
    if claim.free or claim.seat is None:
        return page
    return replace(page, buyer=claim.seat, nth=state.buys_used(claim.seat) + 1)


def _verdict(view: GameView, claim: Claim, callers: int) -> Verdict:
    rules = view.state.hand_rules
    name = view.names[claim.seat] if claim.seat is not None else None
    said = sentences(claim.refused, view.names)
    if name is not None:
        number = game_of(rules).rule("next_player_pays")[0]
        number = number if rules.next_player_pays else "G5.5" if callers > 1 and not claim.free else "G5.2"
        said.insert(0, _the_rule(number, rules))
    title = wording.buyer_words(name, claim.free, rules.stock_cards)
    refusers = wording.or_list(wording.isolate(view.names[seat]) for seat in claim.may_refuse)
    notes = (_("Unless refused by %(names)s.", names=refusers),) if claim.may_refuse else ()
    return Verdict("bad" if name is None else "good", title, because(said, rules), notes=notes)


def _who_called(view: GameView, claim: Claim) -> Verdict:
    """Whoever called first gets it, and nobody has said yet who that was."""
    rules = view.state.hand_rules
    names = wording.or_list(wording.isolate(view.names[seat]) for seat in claim.allowed)
    title = _("Who called first: %(names)s? That player gets the card. Mark it below.", names=names)
    number = game_of(rules).rule("next_player_pays")[0] if rules.next_player_pays else "G5.5"
    return Verdict("doubt", title, because([_the_rule(number, rules), *sentences(claim.refused, view.names)], rules))


def _the_rule(number: str, rules: Rules) -> tuple[Ground, str]:
    """A rule of this table as the reason for an answer."""
    rule = next(rule for rule in wording.rulebook(rules) if rule.number == number)
    switch = "buy_priority" if "buy_priority" in rule.switches else None
    return Ground(rule.number, rule.firmness, switch), rule.text

"""Laying off and replacing a wild (G7.1, G8)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from companion.referee import commands, events
from companion.referee.cards import Card, Rank, Suit
from companion.referee.engine.checks import Ambiguous, Problems
from companion.referee.engine.copies import table_copies
from companion.referee.engine.freeing import freed, used
from companion.referee.melds import Meld
from companion.referee.reasons import Firmness, Reason, refuse
from companion.referee.rules import Kind, Rules
from companion.referee.state import Addition, Hand, Playing, TableMeld
from companion.referee.table import Play, plays
from companion.referee.wild_limits import wild_limit_problems

_LAY_OFF = ("add", "low", "high")


def lay_off_plays(playing: Playing, command: commands.LayOff) -> tuple[Play, ...]:
    """The ways in which that card goes on that meld at the end the person chose, or at any (G6.2)."""
    ways = (play for play in _plays(playing, command.meld, command.card) if play.action in _LAY_OFF)
    return tuple(play for play in ways if command.end in (None, play.action) or play.action == "add")


def replace_plays(playing: Playing, command: commands.ReplaceWild) -> tuple[Play, ...]:
    """The ways in which that card takes a wild's place, with the end and position the person chose (G8.1)."""
    ways = (play for play in _plays(playing, command.meld, command.card) if play.action == "replace")
    chosen = (play for play in ways if command.to in (None, play.wild_to))
    return tuple(play for play in chosen if command.position in (None, play.position))


def _plays(playing: Playing, number: int, card: Card) -> tuple[Play, ...]:
    meld = playing.hand.find(number)
    return tuple(dict.fromkeys(plays(card, meld.meld, playing.rules))) if meld else ()


def lay_off_problems(playing: Playing, command: commands.LayOff) -> Problems:
    """Why the card cannot be laid off: not down, one's own meld, a third copy, or it does not play (G7.1)."""
    if not playing.rules.lay_off:
        return refuse(Reason.LAY_OFF_OFF, "G7.1", Firmness.KATE, seat=command.seat)
    meld, problems = playing.hand.find(command.meld), _target_problems(playing.hand, command)
    if meld is None:
        return problems
    problems += _own_meld(playing.rules, meld, command.seat) + table_copies(playing, (command.card,), seat=command.seat)
    return problems if lay_off_plays(playing, command) else problems + _does_not_play(playing, command, meld)


def replace_problems(playing: Playing, command: commands.ReplaceWild) -> Problems:
    """Why no wild is replaced: not down, the table replaces none, none stands for it, no free end (G8)."""
    meld, problems = playing.hand.find(command.meld), _swap_problems(playing, command)
    if meld is None:
        return problems
    problems += table_copies(playing, (command.card,), seat=command.seat)
    return problems if replace_plays(playing, command) else problems + _not_replaced(command, meld, playing.rules)


def _target_problems(hand: Hand, command: commands.LayOff | commands.ReplaceWild) -> Problems:
    """What is wrong before the card matters: the player is not down, no such meld lies there."""
    down = () if hand.is_down(command.seat) else refuse(Reason.NOT_DOWN, "G7.1", Firmness.KATE, seat=command.seat)
    lies = hand.find(command.meld) is not None
    return down if lies else down + refuse(Reason.NO_SUCH_MELD, "G7.1", number=command.meld)


def _swap_problems(playing: Playing, command: commands.ReplaceWild) -> Problems:
    """Who may replace a wild; whether it is an earlier turn than that of going down the record does not know (G8.1)."""
    by, is_down = playing.rules.swap_by, playing.hand.is_down(command.seat)
    problems = _target_problems(playing.hand, command)
    if by == "not_down" and is_down:
        refused = refuse(Reason.SWAP_NOT_YOURS, "G8.1", Firmness.SILENT, rests_on="swap_by", seat=command.seat)
        return refused + problems
    if by in ("not_down", "down_or_going_down"):
        return tuple(problem for problem in problems if problem.reason is not Reason.NOT_DOWN)
    return problems


def _own_meld(rules: Rules, meld: TableMeld, seat: int) -> Problems:
    if meld.owner != seat or rules.lay_off_own:
        return ()
    return refuse(Reason.LAY_OFF_OWN_OFF, "G7.1", Firmness.HOWTO, rests_on="lay_off_own", seat=seat)


def _does_not_play(playing: Playing, command: commands.LayOff, meld: TableMeld) -> Problems:
    """Why the card goes nowhere at the end chosen: the wild limits where only they refuse it, else no place (G6.2)."""
    card = command.card
    if _would_play_in_a_suit(playing, command):
        return refuse(Reason.UNKNOWN_SUIT, "G3.2", card=card)
    open_ends = tuple(play.action for play in lay_off_plays(playing, replace(command, end=None)))
    ways = [play for play in plays(card, meld.meld, playing.rules, limits=False) if play.action in _LAY_OFF]
    there = [play for play in ways if command.end in (None, play.action) or play.action == "add"]
    if limited := _limited(there if there or open_ends else ways, playing.rules):
        return limited
    facts: dict[str, Any] = {"card": card, "meld": meld.meld, "owner": meld.owner, "open_ends": open_ends}
    return refuse(Reason.DOES_NOT_PLAY, "G6.2", **facts)


def _limited(ways: Sequence[Play], rules: Rules) -> Problems:
    """The wild limits that one of these ways breaks: of the one that breaks the fewest (G3.3–G3.5)."""
    return min((wild_limit_problems(play.result, rules) for play in ways), key=len, default=())


def _would_play_in_a_suit(playing: Playing, command: commands.LayOff) -> bool:
    """Whether the card was named without a suit and would play in one, so that naming it helps."""
    card = command.card
    suited = (replace(command, card=replace(card, suit=suit)) for suit in Suit)
    return card.suit is None and card.rank is not Rank.JOKER and any(lay_off_plays(playing, named) for named in suited)


def _not_replaced(command: commands.ReplaceWild, meld: TableMeld, rules: Rules) -> Problems:
    """Why no wild is replaced: the wild limits where only they refuse it, else no wild or no end for it (G8)."""
    card = command.card
    if rules.wild_swap == "off":
        return refuse(Reason.SWAP_OFF, "G8.4", Firmness.KATE, rests_on="wild_swap", card=card)
    facts: dict[str, Any] = {"card": card, "meld": meld.meld, "owner": meld.owner}
    ways = [play for play in plays(card, meld.meld, rules, limits=False) if play.action == "replace"]
    there = [play for play in ways if command.position in (None, play.position)]
    if limited := _limited([play for play in there if command.to in (None, play.wild_to)], rules):
        return limited
    if there or _wild_for(command, meld.meld):
        return refuse(Reason.NO_FREE_END, "G8.3", open_ends=tuple(play.wild_to for play in there), **facts)
    if rules.wild_swap == "all":
        return refuse(Reason.NOTHING_TO_REPLACE, "P6", Firmness.TEXT, **facts)
    if meld.meld.kind is Kind.RUN:
        return refuse(Reason.NOTHING_TO_REPLACE, "G8.1", Firmness.KATE, **facts)
    is_added = any(play.action == "add" for play in plays(card, meld.meld, rules))
    return refuse(Reason.NOTHING_TO_REPLACE, "G8.4", is_added=is_added, **facts)


def _wild_for(command: commands.ReplaceWild, meld: Meld) -> bool:
    """Whether a wild of the run, at the place the person meant, stands for that very card (G8.1)."""
    if meld.kind is Kind.SET:
        return False
    at = (place for place in meld.wild_positions() if command.position in (None, place))
    return any(meld.stands_for(place) == command.card for place in at)


def _only(ways: tuple[Play, ...]) -> Play:
    if len(ways) > 1:
        raise Ambiguous(ways)
    return ways[0]


def lay_off(playing: Playing, command: commands.LayOff) -> events.LaidOff:
    """The entry of a card laid off; raises Ambiguous where either end would do."""
    play = _only(lay_off_plays(playing, command))
    end = play.action if play.action in ("low", "high") else None
    return events.LaidOff(command.hand, command.seat, command.meld, command.card, end, play.result)


def replace_wild(playing: Playing, command: commands.ReplaceWild) -> events.WildReplaced:
    """The entry of a wild replaced; raises Ambiguous where it could go to either end."""
    play = _only(replace_plays(playing, command))
    assert play.freed
    assert play.wild_to
    hand, seat, meld, card = command.hand, command.seat, command.meld, command.card
    return events.WildReplaced(hand, seat, meld, card, play.freed, play.wild_to, play.result, play.position)


def laid_off(playing: Playing, event: events.LaidOff) -> Hand:
    """The meld is one card longer."""
    added = Addition(event.seat, event.card, event.end or "add")
    return used(_with_addition(playing.hand, event.meld, added, event.result), event.seat, (event.card,))


def wild_replaced(playing: Playing, event: events.WildReplaced) -> Hand:
    """The card lies where the wild lay, and the wild at an end of the run, in the player's hand, or still to be laid."""
    added = Addition(event.seat, event.card, "replace", event.to, event.position)
    hand = _with_addition(playing.hand, event.meld, added, event.result)
    return freed(hand, event.seat, event.wild) if event.to == "table" else hand


def _with_addition(hand: Hand, number: int, added: Addition, result: Meld) -> Hand:
    """The hand with one more card on a meld; unchanged where no such meld lies."""
    melds = tuple(
        replace(meld, meld=result, additions=(*meld.additions, added)) if meld.number == number else meld
        for meld in hand.melds
    )
    return replace(hand, melds=melds)

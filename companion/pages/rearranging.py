"""Rearranging the table (P6): the melds taken up, what they become, and what the referee says to it."""

from dataclasses import dataclass

from flask_babel import gettext as _

from companion import wording
from companion.forms.rearranging import Draft, Line, written
from companion.pages.cards import DrawnMeld, Face, drawn, face, sheet_order
from companion.pages.meld_fields import Reading, readings_of
from companion.pages.refusals import Refusal, Refused, refusal, whys
from companion.pages.verdicts import Why
from companion.record import GameView
from companion.referee.cards import JOKER
from companion.referee.commands import Rearrange
from companion.referee.engine import problems
from companion.referee.reasons import Reason
from companion.referee.rules import Rules
from companion.referee.state import Hand


@dataclass(frozen=True, slots=True)
class Lying:
    """A meld that lies as it is: a tap takes it up."""

    number: int
    owner: str
    meld: DrawnMeld


@dataclass(frozen=True, slots=True)
class LineField:
    """A line to fill, with its title, and its cards to be taken off by a tap."""

    line: Line
    title: str
    faces: tuple[Face, ...]
    readings: tuple[Reading, ...]


@dataclass(frozen=True, slots=True)
class RearrangePage:
    """The page of one player. ``verdict`` is "good", "bad", or "" where nothing is to be judged yet."""

    seat: int
    name: str
    lying: tuple[Lying, ...]
    form: Draft
    lines: tuple[LineField, ...]
    holding: bool
    pad: tuple[Face, ...]
    loose: tuple[Face, ...]
    verdict: str
    reasons: tuple[Why, ...]
    from_hand: str
    after: tuple[DrawnMeld, ...]
    fields: tuple[tuple[str, str], ...]
    refusal: Refusal | None


def players(view: GameView, hand: Hand) -> tuple[tuple[int, str], ...]:
    """Who is down and may rearrange: seat and name."""
    return tuple((seat, view.names[seat]) for seat in view.state.dealt_in if hand.is_down(seat))


def command(entered: Draft, hand: Hand, seat: int) -> Rearrange:
    """What the draft asks for."""
    return Rearrange(hand.number, seat, entered.cards, entered.changed, entered.new)


def rearrange_page(view: GameView, seat: int, entered: Draft, refused: Refused | None = None) -> RearrangePage:
    """The page of a draft as it stands, judged if there is anything to judge."""
    hand, rules = view.state.hand, view.state.rules
    assert hand is not None
    assert rules is not None
    found = problems(view.state, command(entered, hand, seat)) if entered.is_readable else ()
    untouched = not entered.is_readable or any(problem.reason is Reason.NOTHING_REARRANGED for problem in found)
    taken = {line.on.number for line in entered.lines if line.on}
    return RearrangePage(
        seat=seat,
        name=view.names[seat],
        lying=tuple(
            Lying(on.number, view.names[on.owner], drawn(on.meld)) for on in hand.melds if on.number not in taken
        ),
        form=entered,
        lines=tuple(_field(line, view) for line in entered.lines),
        holding=entered.do.text.startswith(("hold", "unhold")),
        pad=_pad(rules),
        loose=tuple(map(face, entered.loose)),
        verdict="" if untouched else "bad" if found else "good",
        reasons=whys(found, view) if not untouched else (),
        from_hand=wording.cards_short(entered.cards) if entered.cards else "",
        after=tuple(drawn(line.meld) for line in entered.lines if line.meld and line.meld.cards),
        fields=tuple(_fields(entered)),
        refusal=refusal(view, refused) if refused else None,
    )


def _pad(rules: Rules) -> tuple[Face, ...]:
    return tuple(map(face, (*sheet_order(), *([JOKER] if rules.jokers else ()))))


def _field(line: Line, view: GameView) -> LineField:
    faces = drawn(line.meld).faces if line.meld else tuple(map(face, line.cards))
    return LineField(line, _title(line, view), faces, readings_of(line.readings))


def _title(line: Line, view: GameView) -> str:
    if line.on is None:
        return _("New meld %(n)s", n=int(line.key[2:]) + 1)
    said = wording.meld_phrase(line.on.meld, wording.isolate(view.names[line.on.owner]))
    return said[:1].upper() + said[1:]


def _fields(entered: Draft) -> list[tuple[str, str]]:
    """The draft as a form sends it again; the hand cards are written out."""
    sent = [("hand", written(entered.cards))]
    for line in entered.lines:
        sent += [("m", str(line.on.number))] if line.on else []
        sent += [(line.key, line.field.text), (f"{line.key}-reading", line.chosen)]
    return sent

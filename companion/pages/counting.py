"""The end of a hand: the form for its points, and the totals and places they would make."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from types import MappingProxyType
from typing import Any

from flask_babel import gettext as _

from companion import wording
from companion.forms.counting import CountingForm
from companion.forms.fields import BySeat, Field
from companion.forms.scoring import ScoringForm
from companion.pages.late_joiners import Offer, offer
from companion.pages.refusals import Meanwhile, Refusal, Refused, entered_meanwhile, refusal, whys
from companion.pages.verdicts import Why
from companion.record import EntryView, GameView
from companion.referee import events
from companion.referee.cards import Rank
from companion.referee.engine import decide, evolve
from companion.referee.reasons import Reason
from companion.referee.rules import Rules
from companion.referee.standings import standings
from companion.referee.state import GameState, HandScore

#: Entries that change what a form about scores would do.
_BEARS = (
    events.Floated, events.FloatTakenBack, events.HandDealtAnew, events.HandScored, events.Redone, events.SatBackIn,
    events.SatOut, events.ScoreCorrected, events.CarriedCorrected, events.SeatJoined, events.SeatLeft, events.SeatReturned, events.Undone,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class PadKey:
    """A rank on the pad: what is printed, what a screen reader says, and what it adds."""

    printed: str
    label: str
    points: int


@dataclass(frozen=True, slots=True)
class Player:
    """A player's block of any form that counts a hand: the fields about them, and what is wrong with what they say."""

    seat: int
    name: str
    fields: tuple[Field, ...]
    reasons: tuple[Why, ...]
    unlikely: bool

    @property
    def faulty(self) -> bool:
        """Whether anything is wrong here."""
        return bool(self.reasons) or any(field.error for field in self.fields)


@dataclass(frozen=True, slots=True)
class CountPage:
    """The page of a form that counts a hand. ``late``: it was scored while this was being typed.

    Of points, ``values`` and ``keys`` say what cards count, and ``waits`` that a freed wild lies in no meld (P6);
    ``own_hands`` what was asked of each player where each is on an own hand of the list. Of the cards of Grebber, ``check``
    is the running check of the sixty points.
    """

    form: Any
    players: tuple[Player, ...]
    refusal: Refusal | None
    late: bool
    contract: str = ""
    waits: bool = False
    values: str = ""
    keys: tuple[PadKey, ...] = ()
    check: str = ""
    own_hands: Mapping[int, str] = field(default_factory=dict)


def _own_hands(view: GameView, entered: ScoringForm) -> Mapping[int, str]:
    """What was asked of each player, in words, where each is on an own hand of the list."""
    state, contracts = view.state, entered.asked.rules.contracts
    if not entered.asked.rules.own_progress:
        return {}
    numbers = {seat: state.number_of(seat, entered.asked.hand) for seat in entered.asked.seats}
    return {seat: wording.own_hand_words(number, contracts[number - 1]) for seat, number in numbers.items()}


def count_page(
    view: GameView, entered: ScoringForm, refused: Refused | None = None, *, late: bool = False
) -> CountPage:
    """The form with what was entered, each reason beside the player it is about, the rest above."""
    rules, number, hand = entered.asked.rules, entered.asked.hand, view.state.hand
    return hand_page(
        view,
        entered,
        (entered.points,),
        refused,
        late=late,
        contract=wording.contract_words(rules.contracts[number - 1]) if 1 <= number <= rules.hands_in_all else "",
        own_hands=_own_hands(view, entered),
        waits=not entered.asked.correcting and hand is not None and bool(hand.freed),
        values=values_words(rules),
        keys=pad_keys(rules),
    )


def hand_page(
    view: GameView, entered: CountingForm, fields: Sequence[BySeat], refused: Refused | None, *, late: bool, **more: Any
) -> CountPage:
    """The page of a form of any game, whose ``fields`` every player has."""
    asked = entered.asked
    players = tuple(_player(view, seat, tuple(field.of(seat) for field in fields), refused) for seat in asked.seats)
    above = _above(view, asked.seats, refused) if refused else None
    return CountPage(entered, players, above, late and not asked.closed, **more)


def _player(view: GameView, seat: int, fields: tuple[Field, ...], refused: Refused | None) -> Player:
    against = [problem for problem in (refused.problems if refused else ()) if problem.facts.get("seat") == seat]
    unlikely = any(problem.reason is Reason.POINTS_UNLIKELY for problem in against)
    return Player(seat, view.names[seat], fields, whys(against, view), unlikely)


def _above(view: GameView, seats: Sequence[int], refused: Refused) -> Refusal | None:
    """What is shown above the form; nothing to overrule, for the form itself changes nothing."""
    general = tuple(problem for problem in refused.problems if problem.facts.get("seat") not in seats)
    if not general and refused.status != 409:
        return None
    return replace(refusal(view, replace(refused, problems=general)), overrules=())


def values_words(rules: Rules) -> str:
    """What cards count: ``3–8: 5, 9–K: 10, A: 15, 2: 20`` (G2.3)."""
    said = [_("2–9: their number")] if rules.counts_pips else []
    others = [key for key in pad_keys(rules) if not (rules.counts_pips and key.printed in "23456789")]
    for points, keys in groupby(others, key=lambda key: key.points):
        ranks = [key.printed for key in keys]
        said.append(f"{ranks[0]}–{ranks[-1]}: {points}" if len(ranks) > 1 else f"{ranks[0]}: {points}")
    return ", ".join(said)


def pad_keys(rules: Rules) -> tuple[PadKey, ...]:
    """Every rank from 3 up, then the 2 and the joker where there is one."""
    values = rules.rank_values
    order = [rank for rank in Rank if rank >= Rank.THREE] + [Rank.TWO, Rank.JOKER]
    red = () if rules.red_ace is None else (PadKey("A♥♦", _key_label_red(rules.red_ace), rules.red_ace),)
    return red + tuple(
        PadKey("★" if rank is Rank.JOKER else rank.symbol, _key_label(rank, values[rank]), values[rank])
        for rank in order
        if rank in values
    )


def _key_label_red(points: int) -> str:
    return _("red ace: %(points)s", points=wording.points_words(points))


def _key_label(rank: Rank, points: int) -> str:
    return f"{wording.rank_name(rank)}: {wording.points_words(points)}"


@dataclass(frozen=True, slots=True)
class Change:
    """A player's line of a preview; places are words, "" where there is none, and ``hand`` is the own hand they go on with."""

    name: str
    points: str
    mark: str
    hand: str
    before: int
    after: int
    place_before: str
    place_after: str
    left: bool


@dataclass(frozen=True, slots=True)
class Preview:
    """What a hand's points would make of the totals and places; ``said`` stands above and ``notes`` below it.

    ``last``: the game would be over; ``same``: nothing would change; ``since``: what others entered meanwhile;
    ``offer``: late joiners would have been given other points.
    """

    form: CountingForm
    said: str
    notes: tuple[str, ...]
    changes: tuple[Change, ...]
    last: bool
    same: bool
    since: tuple[Meanwhile, ...]
    offer: Offer | None


def preview(view: GameView, entered: ScoringForm, since: tuple[Meanwhile, ...] = ()) -> Preview:
    """The totals and places before and after what was entered, which must be legal."""
    after, score = counted(view, entered)
    return preview_of(view, entered, after, score, since, _said(view, score))


def counted(view: GameView, entered: CountingForm) -> tuple[GameState, HandScore]:
    """The game after what was entered, which must be legal, and the hand as it is counted then."""
    state = entered.effective_state(view.state)
    after = evolve(state, decide(state, entered.command())[0])
    score = after.score_of(entered.hand)
    assert score is not None
    return after, score


def preview_of(
    view: GameView,
    entered: CountingForm,
    after: GameState,
    score: HandScore,
    since: tuple[Meanwhile, ...],
    said: str,
    notes: tuple[str, ...] = (),
) -> Preview:
    """The preview of a form of any game."""
    over = not entered.asked.correcting and after.hand is None
    points = {seat: str(number) for seat, number in score.points.items()}
    marks = dict.fromkeys(score.floating, "floats") | ({} if score.out is None else {score.out: "out"})
    changes = changes_of(view, after, points, marks)
    same = after.scores == view.state.scores
    corrects = entered.asked.correcting and not same
    late = offer(view, decide(view.state, entered.command())[0]) if corrects else None
    return Preview(entered, said, notes, changes, over, same, since, late)


def _said(view: GameView, score: HandScore) -> str:
    """Who went out, and who floats."""
    names = {seat: wording.isolate(name) for seat, name in view.names.items()}
    said = [_("Nobody went out.") if score.out is None else _("%(name)s went out.", name=names[score.out])]
    floating = sorted(score.floating - {score.out})
    said.extend(_("%(name)s floats.", name=names[seat]) for seat in floating)
    if score.rules.own_progress:
        laid = [names[seat] for seat in score.points if seat in score.down]
        words = _("Down: %(names)s.", names=wording.and_list(laid))
        said.append(words if laid else _("Nobody went down."))
    return " ".join(said)


def changes_of(
    view: GameView, after: GameState, points: Mapping[int, str], marks: Mapping[int, str] = MappingProxyType({})
) -> tuple[Change, ...]:
    """Everybody's totals and places before and after, clockwise; ``points`` are what makes the difference."""
    was, is_then = standings(view.state), standings(after)
    return tuple(
        Change(
            name=view.names[seat],
            points=points.get(seat, "–"),
            mark=marks.get(seat, ""),
            hand=_moves_on(view, after, seat),
            before=was.totals[seat],
            after=is_then.totals[seat],
            place_before=wording.place_words(was.place(seat)),
            place_after=wording.place_words(is_then.place(seat)),
            left=seat in after.away,
        )
        for seat in after.chairs
    )


def _moves_on(view: GameView, after: GameState, seat: int) -> str:
    """The hand of the list a player is on then, where each is on an own one; "" elsewhere."""
    if not after.rules.own_progress:
        return ""
    if after.has_finished(seat):
        return _("The list is done.")
    return _("on hand %(n)s of the list", n=after.number_of(seat))


def since_words(since: Sequence[EntryView], view: GameView) -> tuple[Meanwhile, ...]:
    """What others entered meanwhile that bears on scores, the last few."""
    bears = (entry for entry in since if any(isinstance(event, _BEARS) for event in events.parts(entry.event)))
    return entered_meanwhile(tuple(bears)[-5:], view)

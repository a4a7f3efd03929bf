"""The end of a hand as somebody enters it: who went out, who floats, and what the others hold."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from werkzeug.datastructures import MultiDict

from companion import wording
from companion.forms.numbers import summed
from companion.referee.commands import CorrectScore, ScoreHand
from companion.referee.rules import Rules
from companion.referee.scoring import likely_points, pack_points
from companion.referee.state import HandScore

NOBODY = "nobody"
_SEAT = re.compile(r"[0-9]{1,3}")
_FIELD = re.compile(r"points-([0-9]{1,3})")


@dataclass(slots=True)
class Scoring:
    """What was entered for a hand: ``typed`` is kept as it came, ``points`` are those that could be read.

    ``out`` is a seat, ``NOBODY``, or None while nobody chose. ``sure`` are the unlikely points somebody confirmed, as
    (seat, points). ``errors`` has a sentence by seat, and one under "out".
    """

    hand: int
    out: int | str | None = None
    floats: frozenset[int] = frozenset()
    typed: Mapping[int, str] = field(default_factory=dict)
    sure: frozenset[tuple[int, int]] = frozenset()
    points: dict[int, int] = field(default_factory=dict)
    errors: dict[int | str, str] = field(default_factory=dict)

    @property
    def out_seat(self) -> int | None:
        """Who went out; None: nobody did, or nobody chose yet."""
        return self.out if isinstance(self.out, int) else None

    def fields(self) -> Iterable[tuple[str, str]]:
        """The names and values of the form, to be sent again as they are."""
        yield "hand", str(self.hand)
        if self.out is not None:
            yield "out", str(self.out)
        yield from (("floats", str(seat)) for seat in sorted(self.floats))
        yield from ((f"points-{seat}", text) for seat, text in self.typed.items())
        yield from (("sure", f"{seat}={points}") for seat, points in sorted(self.sure))


def blank(hand: int, floating: Iterable[int]) -> Scoring:
    """Nothing entered yet; who is known to float is ticked."""
    return Scoring(hand, floats=frozenset(floating))


def of_score(score: HandScore) -> Scoring:
    """What was scored, as if somebody had just typed it; the zeros of who went out or floated stay blank."""
    typed = {seat: str(points) if points else "" for seat, points in score.points.items()}
    return Scoring(score.number, NOBODY if score.out is None else score.out, score.floating, typed)


def read(args: MultiDict[str, str], hand: int, rules: Rules) -> Scoring:
    """Read a form; every field that cannot be read gets its sentence, an empty one none: the referee judges those."""
    typed = {int(found[1]): args[key].strip() for key in args if (found := _FIELD.fullmatch(key))}
    entered = Scoring(hand, _out(args.get("out", "")), _seats(args.getlist("floats")), typed)
    entered.sure = frozenset(pair for text in args.getlist("sure") if (pair := _pair(text)) is not None)
    if entered.out is None:
        entered.errors["out"] = wording.form_error("choose")
    for seat, text in typed.items():
        _read_points(entered, seat, text, rules)
    return entered


def _seat(text: str) -> int | None:
    return int(text) if _SEAT.fullmatch(text) else None


def _seats(texts: Iterable[str]) -> frozenset[int]:
    return frozenset(seat for text in texts if (seat := _seat(text)) is not None)


def _out(text: str) -> int | str | None:
    return NOBODY if text == NOBODY else _seat(text)


def _pair(text: str) -> tuple[int, int] | None:
    seat, _equals, points = text.partition("=")
    number = _seat(seat)
    return (number, int(points)) if number is not None and re.fullmatch(r"[0-9]{1,4}", points) else None


def _read_points(entered: Scoring, seat: int, text: str, rules: Rules) -> None:
    """A number or a sum in ASCII figures; not even a whole pack of cards has more points than ``pack_points``."""
    if not text:
        return
    points, wrong = summed(text, pack_points(rules))
    if wrong:
        entered.errors[seat] = wrong
    else:
        entered.points[seat] = points


def score_command(entered: Scoring, rules: Rules) -> ScoreHand:
    """What the form asks for at the end of a hand."""
    return ScoreHand(entered.hand, entered.out_seat, entered.points, _is_sure(entered, rules), entered.floats)


def correct_command(entered: Scoring, rules: Rules, *, floating: bool) -> CorrectScore:
    """What the form asks for of a hand scored before; without ``floating`` it had no floaters to tick."""
    floated = entered.floats if floating else None
    return CorrectScore(entered.hand, entered.out_seat, entered.points, _is_sure(entered, rules), floated)


def _is_sure(entered: Scoring, rules: Rules) -> bool:
    """Whether every unlikely number was confirmed, each as it stands."""
    if not 1 <= entered.hand <= len(rules.buys):
        return False
    likely = likely_points(rules, entered.hand)
    unlikely = {(seat, points) for seat, points in entered.points.items() if points > likely}
    return bool(unlikely) and unlikely <= entered.sure

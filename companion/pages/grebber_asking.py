"""What a player asks the referee of Grebber about the cards in their own hand; nothing of it is kept."""

from collections.abc import Callable
from dataclasses import dataclass

from flask_babel import gettext as _
from flask_babel import ngettext

from companion import wording
from companion.forms.grebber import QuestionForm
from companion.pages.refusals import whys
from companion.pages.verdicts import Ground, Tag, Why, tags
from companion.record import GameView
from companion.referee.grebber import greb, refill, request, request_problems
from companion.referee.kruth import KruthSuit, kruth_points, meld_problems
from companion.referee.reasons import Firmness
from companion.referee.rules import Rules
from companion.referee.switches import SWITCHES
from companion.wording.kruth import kruth_list, kruth_meld

#: The values of the silent rules that a table can decide there and then.
CHOICES = {(name, str(value)): value for name in ("request_gives", "four_of_a_rank") for value in SWITCHES[name].values}


@dataclass(frozen=True, slots=True)
class Silent:
    """A choice of the table that a verdict rests on, and the other one to play from now on, with its words."""

    switch: str
    value: str
    other: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """An answer: good or not, in a sentence, with more sentences, the reasons against, the rules that it rests on where
    no reason has them, and the silent one that the table may decide.
    """

    good: bool
    title: str
    lines: tuple[str, ...] = ()
    reasons: tuple[Why, ...] = ()
    tags: tuple[Tag, ...] = ()
    silent: Silent | None = None


def answer(view: GameView, asked: QuestionForm) -> Verdict | None:
    """The answer to what was asked; None where nothing was, or something is wrong with the question."""
    rules = view.state.rules
    return _ANSWERS[asked.q.text](view, asked, rules) if asked.q.text and not asked.errors else None


def _meld(view: GameView, asked: QuestionForm, rules: Rules) -> Verdict:
    """Is this a meld (K3)?"""
    problems = meld_problems(asked.card.data, rules)
    four = len(asked.card.data) == len(KruthSuit) and len({card.rank for card in asked.card.data}) == 1
    silent = _silent("four_of_a_rank", rules) if four else None
    if problems:
        return Verdict(False, _("No meld."), reasons=whys(problems, view), silent=silent)
    points = wording.points_words(kruth_points(asked.card.data))
    return Verdict(
        True,
        _("Yes: %(meld)s.", meld=kruth_meld(asked.card.data)),
        (_("It counts %(points)s.", points=points),),
        tags=_rests("K3", rules, silent),
        silent=silent,
    )


def _give(view: GameView, asked: QuestionForm, rules: Rules) -> Verdict:
    """Has to give it (K7)?"""
    if problems := request_problems(asked.suit.data, asked.rank.data):
        return Verdict(False, _("That is no request."), reasons=whys(problems, view))
    answer = request(asked.card.data, rules, asked.suit.data, asked.rank.data)
    if not answer.matching:
        return Verdict(
            True, _("Nothing to give."), (_("None of these cards was asked for."),), tags=_rests("K7", rules)
        )
    lines = (_("Asked for: %(cards)s.", cards=kruth_list(answer.matching)), _("What is given is not drawn again."))
    title = ngettext("Yes: %(num)s card must be given.", "Yes: %(num)s cards must be given.", answer.gives)
    silent = _silent("request_gives", rules) if answer.is_silent else None
    return Verdict(True, title, lines, tags=_rests("K7", rules, silent), silent=silent)


def _greb(view: GameView, asked: QuestionForm, rules: Rules) -> Verdict:
    """Must lay now, after a Greb (K8, K9)?"""
    answer = greb(asked.card.data, rules)
    left = len(asked.card.data) + 1 - sum(map(len, answer.found.melds))  # with the card that is drawn first
    more = refill(left, rules, first_laying=True)
    if answer.found.melds:
        lines = [_("Draw one card, then lay: %(melds)s.", melds="; ".join(map(kruth_meld, answer.found.melds)))]
        if more:
            lines.append(ngettext("In the first laying the hand is then drawn up by %(num)s card; later it is not.",
                                  "In the first laying the hand is then drawn up by %(num)s cards; later it is not.", more))  # fmt: skip
        return Verdict(True, _("Yes, something can be laid."), tuple(lines), tags=_rests("K9", rules))
    draws = {"one": _("Draw one card."), "until_meld": _("Draw until a run or a triplet can be laid, then lay it.")}
    title = _("Not yet: there is no run and no triplet.")
    turned = "greb_draws" if SWITCHES["greb_draws"].is_turned(rules) else None
    return Verdict(False, title, (draws[answer.draws],), tags=tags([Ground("K9", Firmness.TEXT, turned)], rules))


_ANSWERS: dict[str, Callable[[GameView, QuestionForm, Rules], Verdict]] = {"meld": _meld, "give": _give, "greb": _greb}


def _rests(rule: str, rules: Rules, silent: Silent | None = None) -> tuple[Tag, ...]:
    """The rule that an answer rests on, with the table's choice where the text leaves it open."""
    ground = Ground(rule, Firmness.SILENT, silent.switch) if silent else Ground(rule, Firmness.TEXT)
    return tags([ground], rules)


def _silent(switch: str, rules: Rules) -> Silent:
    other = next(value for value in SWITCHES[switch].values if value != getattr(rules, switch))
    return Silent(switch, str(other), wording.switch_choice(switch, other))

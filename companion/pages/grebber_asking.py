"""What a player asks the referee of Grebber about the cards in their own hand; nothing of it is kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from flask_babel import gettext as _
from flask_babel import ngettext
from werkzeug.datastructures import MultiDict

from companion import wording
from companion.pages.grebber_counting import KruthFace, faces, rank_names, suit_names
from companion.pages.refusals import whys
from companion.pages.verdicts import Why
from companion.record import GameView
from companion.referee.cards import MalformedCard
from companion.referee.grebber import greb, refill, request, request_problems
from companion.referee.kruth import DECK, KruthCard, KruthRank, KruthSuit, kruth_points, meld_problems, parse_kruth
from companion.referee.rules import Rules
from companion.referee.switches import SWITCHES
from companion.wording.kruth import kruth_list, kruth_meld

#: The silent rules a table can decide there and then.
SILENT = ("request_gives", "four_of_a_rank")
CHOICES = {(name, str(value)): value for name in SILENT for value in SWITCHES[name].values}


@dataclass(slots=True)
class Question:
    """What was asked ("meld", "give", "greb", or "" for nothing yet), of these cards; what cannot be read is an error."""

    what: str = ""
    cards: tuple[KruthCard, ...] = ()
    suit: KruthSuit | None = None
    rank: KruthRank | None = None
    bad: bool = False
    sent: dict[str, list[str]] = field(default_factory=dict)


def read(args: MultiDict[str, str]) -> Question:
    """Read a question; a card, a suit or a rank that is none makes it ``bad``."""
    sent = {
        key: [text[:20] for text in args.getlist(key)[: len(DECK)] if text] for key in ("q", "card", "suit", "rank")
    }
    asked = Question(args.get("q", "")[:20], sent={key: texts for key, texts in sent.items() if texts})
    try:
        ticked = {parse_kruth(text) for text in sent["card"]}
        asked.cards = tuple(card for card in DECK if card in ticked)
        asked.suit = KruthSuit(sent["suit"][0]) if sent["suit"] else None
        asked.rank = KruthRank(int(sent["rank"][0])) if sent["rank"] else None
    except (MalformedCard, ValueError):
        asked.bad = True
    return asked


@dataclass(frozen=True, slots=True)
class Silent:
    """What a verdict rests on: our ruling or the table's choice in words, and the other one to play from now on ("": none)."""

    rule: str
    choice: str
    switch: str = ""
    value: str = ""
    other: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """An answer: good or not, in a sentence, with more sentences, the reasons against, and the silent rule it rests on."""

    good: bool
    title: str
    lines: tuple[str, ...] = ()
    reasons: tuple[Why, ...] = ()
    rule: str = ""
    silent: Silent | None = None


@dataclass(frozen=True, slots=True)
class AskPage:
    """The page: cards, suits and ranks to choose from, the answer if something was asked, or what is missing."""

    cards: tuple[KruthFace, ...]
    suits: tuple[tuple[str, str], ...]
    ranks: tuple[tuple[str, str], ...]
    suit: str
    rank: str
    sent: tuple[tuple[str, str], ...]
    verdict: Verdict | None = None
    error: str = ""


def ask_page(view: GameView, asked: Question) -> AskPage:
    """The page of a question as it stands."""
    error = _error(asked)
    answer = _ANSWERS.get(asked.what)
    assert view.state.rules is not None
    return AskPage(
        cards=faces(asked.cards),
        suits=suit_names(),
        ranks=rank_names(),
        suit=asked.suit.value if asked.suit else "",
        rank="" if asked.rank is None else str(asked.rank.value),
        sent=tuple((key, text) for key, texts in asked.sent.items() for text in texts),
        verdict=answer(view, asked, view.state.rules) if answer and not error else None,
        error=error,
    )


def _error(asked: Question) -> str:
    if asked.bad or (asked.what and asked.what not in _ANSWERS):
        return wording.form_error("unknown_choice")
    return wording.form_error("no_cards") if asked.what and not asked.cards else ""


def _meld(view: GameView, asked: Question, rules: Rules) -> Verdict:
    """Is this a meld (K3)?"""
    found = meld_problems(asked.cards, rules)
    four = len(asked.cards) == len(KruthSuit) and len({card.rank for card in asked.cards}) == 1
    silent = _silent("four_of_a_rank", rules) if four else None
    if found:
        return Verdict(False, _("No meld."), reasons=whys(found, view), silent=silent)
    points = wording.points_words(kruth_points(asked.cards))
    return Verdict(
        True,
        _("Yes: %(meld)s.", meld=kruth_meld(asked.cards)),
        (_("It counts %(points)s.", points=points),),
        (),
        "K3",
        silent,
    )


def _give(view: GameView, asked: Question, rules: Rules) -> Verdict:
    """Has to give it (K7)?"""
    if found := request_problems(asked.suit, asked.rank):
        return Verdict(False, _("That is no request."), reasons=whys(found, view))
    answer = request(asked.cards, rules, asked.suit, asked.rank)
    if not answer.matching:
        return Verdict(True, _("Nothing to give."), (_("None of these cards was asked for."),), rule="K7")
    lines = (_("Asked for: %(cards)s.", cards=kruth_list(answer.matching)), _("What is given is not drawn again."))
    title = ngettext("Yes: %(num)s card must be given.", "Yes: %(num)s cards must be given.", answer.gives)
    return Verdict(True, title, lines, rule="K7", silent=_silent("request_gives", rules) if answer.is_silent else None)


def _greb(view: GameView, asked: Question, rules: Rules) -> Verdict:
    """Must lay now, after a Greb (K8, K9)?"""
    answer = greb(asked.cards, rules)
    left = len(asked.cards) + 1 - sum(map(len, answer.found.melds))  # with the card that is drawn first
    more = refill(left, rules, first_laying=True)
    if answer.found.melds:
        lines = [_("Draw one card, then lay: %(melds)s.", melds="; ".join(map(kruth_meld, answer.found.melds)))]
        if more:
            lines.append(ngettext("In the first laying the hand is then drawn up by %(num)s card; later it is not.",
                                  "In the first laying the hand is then drawn up by %(num)s cards; later it is not.", more))  # fmt: skip
        return Verdict(
            True,
            _("Yes, something can be laid."),
            tuple(lines),
            rule="K9",
        )
    draws = {"one": _("Draw one card."), "until_meld": _("Draw until a run or a triplet can be laid, then lay it.")}
    title = _("Not yet: there is no run and no triplet.")
    return Verdict(False, title, (draws[answer.draws],), rule="K9")


_ANSWERS: dict[str, Callable[[GameView, Question, Rules], Verdict]] = {"meld": _meld, "give": _give, "greb": _greb}


def _silent(switch: str, rules: Rules) -> Silent:
    now = getattr(rules, switch)
    other = next(value for value in SWITCHES[switch].values if value != now)
    label = wording.switch_label(switch)
    words = [f"{label}: {wording.switch_value(switch, value)}" for value in (now, other)]
    return Silent(SWITCHES[switch].rule, words[0], switch, str(other), words[1])

"""A list of one's own in words: what is wrong with a hand or with a line that was pasted, and lists in plain words."""

import re
from collections.abc import Callable

from flask_babel import gettext as _
from flask_babel import ngettext

from companion.referee.lists import BadContract
from companion.referee.own_lists import Check, Flaw, OwnHand
from companion.referee.rules import Kind
from companion.wording.cards import contract_words, rank_plural


def check_words(check: Check) -> str:
    """The sentence below a hand."""
    return _CHECKS[check.flaw](check.facts)


_CHECKS: dict[Flaw, Callable[[dict[str, int]], str]] = {
    Flaw.NEEDS_BUYS: lambda facts: ngettext(
        "Nobody can go down without at least %(num)s buy.", "Nobody can go down without at least %(num)s buys.",
        facts["buys"]),
    Flaw.TOO_FEW_BUYS: lambda facts: ngettext(
        "Nobody can go down: it takes %(num)s buy, and %(limit)s are allowed.",
        "Nobody can go down: it takes %(num)s buys, and %(limit)s are allowed.", facts["buys"], limit=facts["limit"]),
    Flaw.NO_DISCARD: lambda facts: ngettext(
        "Going down with %(num)s buy leaves no card to discard.",
        "Going down with %(num)s buys leaves no card to discard.", facts["buys"])
        if facts["buys"] else _("Going down without a buy leaves no card to discard."),
    Flaw.CANNOT_DEAL: lambda facts: _(
        "Cannot be dealt to %(players)s players: %(players)s × %(dealt)s and one to turn up, of %(cards)s cards.", **facts),
    Flaw.LONG_SET: lambda facts: _(
        "No set of %(size)s: with its wilds it has %(most)s cards at most, with the fewest decks.", **facts),
    Flaw.LONG_RUN: lambda facts: _("No run of %(size)s by these rules: the longest has %(most)s cards.", **facts),
    Flaw.LONG_COLOUR: lambda facts: _("No %(size)s cards of one suit: there are %(most)s at most.", **facts),
    Flaw.SUITS_RUN_OUT: lambda facts: _("%(runs)s runs, each of another suit: there are four suits.", **facts),
    Flaw.TOO_MANY_WILDS: lambda facts: _(
        "These sets take %(wilds)s wilds at least, and there are %(there_are)s.", **facts),
}  # fmt: skip


def bad_line(why: BadContract) -> str:
    """Why a part of a list is not understood."""
    return _LINES[why.code](why.facts)


_LINES: dict[str, Callable[[dict[str, object]], str]] = {
    "unknown": lambda facts: _("“%(part)s” is not understood. Write set3, run4 or 2xset3.", **facts),
    "size": lambda facts: _("“%(part)s”: from %(least)s to %(most)s cards.", **facts),
    "melds": lambda facts: _("A hand asks for one meld to %(most)s.", **facts),
    "empty": lambda _facts: _("No meld is asked for. Write set3, run4 or 2xset3."),
    "dealt": lambda facts: _("From %(least)s to %(most)s cards can be dealt.", **facts),
    "buys": lambda facts: _("From %(least)s to %(most)s buys, or buysany.", **facts),
    "hands": lambda facts: _("A list has %(most)s hands at most.", **facts),
}


def kind_title(kind: Kind) -> str:
    """What melds of a kind are called at the head of their numbers: ``Sets``, ``Runs``."""
    return {
        Kind.SET: _("Sets"), Kind.RUN: _("Runs"), Kind.ANYRUN: _("Runs of any suits"), Kind.COLOUR: _("Cards of one suit"),
        Kind.ALL: _("Every card in sets and runs"),
    }[kind]  # fmt: skip


def hand_words(hand: OwnHand) -> str:
    """``Two sets of three and a run of four``."""
    words = contract_words(hand.contract)
    return words[:1].upper() + words[1:]


def hand_extras(hand: OwnHand) -> tuple[str, ...]:
    """What else a hand plays, a few words each: ``12 cards dealt``, ``2 buys``."""
    said = []
    if hand.hand_size is not None:
        said.append(ngettext("%(num)s card dealt", "%(num)s cards dealt", hand.hand_size))
    if hand.buys == "any":
        said.append(_("any number of buys"))
    elif hand.buys is not None:
        said.append(ngettext("%(num)s buy", "%(num)s buys", hand.buys) if hand.buys else _("no buys"))
    last = {
        "must": _("the last card is discarded"), "may": _("the last card may be discarded"),
        "must_not": _("the last card is not discarded"),
    }  # fmt: skip
    said += [last[hand.last_card]] if hand.last_card else []
    said += [_("all cards at once")] if hand.all_at_once else []
    said += [_("ends when somebody goes down")] if hand.ends_at_first_lay_down else []
    said += [_("%(ranks)s are wild", ranks=rank_plural(hand.wild_rank))] if hand.wild_rank else []
    return tuple(said)


# --- lists as people write them -------------------------------------------------------------------------------------

_NUMBERS = {
    word: number
    for number, words in enumerate(
        ("a an one um uma", "two dois duas", "three três tres", "four quatro", "five cinco", "six seis", "seven sete",
         "eight oito", "nine nove", "ten dez", "eleven onze", "twelve doze", "thirteen treze"), 1)
    for word in words.split()
}  # fmt: skip
_KINDS = {
    "set": r"sets?|groups?|books?|trincas?|grupos?|ternos?|trios?|tríos?|jogos?",
    "run": r"runs?|sequences?|sequências?|sequencias?|escalas?|escaleras?",
}
_MELD = re.compile(
    rf"(?:\b(\w+)\s+)?\b(?:(?P<set>{_KINDS['set']})|(?P<run>{_KINDS['run']}))\s+(?:of|de)\s+(\w+)(?:\s+(?:cards?|cartas?))?"
)
_BETWEEN = re.compile(r"\b(?:and|e|y|plus|mais)\b|[,+&]")


def as_codes(line: str) -> str:
    """A line in plain words as the codes it means, ``2xset3 run4`` of "2 sets of 3 and a run of four"; others unchanged."""
    plain = _MELD.sub(_code, line.lower())
    return _BETWEEN.sub(" ", plain) if plain != line.lower() else line


def _code(found: re.Match[str]) -> str:
    count, size = found[1], found[4]
    many = 1 if count is None else _number(count)
    kind = "set" if found["set"] else "run"
    before = f"{count} " if many is None else ""
    return f"{before}{many or 1}x{kind}{_number(size) or size}"


def _number(word: str) -> int | None:
    return int(word) if word.isascii() and word.isdigit() else _NUMBERS.get(word)


def not_kept(why: str) -> str:
    """Why a list cannot be kept: "name", or "full"."""
    if why == "name":
        return _("Another list here has this name. Give it another one.")
    return _("There are as many lists here as can be kept. Remove one first.")


def changed_meanwhile() -> str:
    """That another phone saved the list since this form was loaded."""
    return _("Another phone saved this list meanwhile. Save again to keep it as it is here.")

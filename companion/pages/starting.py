"""The form of a new game as its page shows it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from flask_babel import gettext as _

from companion import wording
from companion.forms.fields import Choice
from companion.forms.starting import SHEETS, StartForm
from companion.names import clean_name, look_alike_key
from companion.pages.lists import content_line
from companion.record.own_lists import KeptList
from companion.referee.games import game_of
from companion.referee.rules import Rules
from companion.referee.switches import Switch
from companion.wording.book import chapter_title
from companion.wording.seats import third_deck_hint


@dataclass(frozen=True, slots=True)
class Chapter:
    """The switches under one heading of the rules; ``changed`` counts those turned, ``open`` shows them at once."""

    title: str
    switches: tuple[Choice, ...]
    changed: int
    open: bool


@dataclass(frozen=True, slots=True)
class StartPage:
    """What the page shows beside the form; ``again`` is the last night's code and players, or None; ``known`` are people
    of earlier nights, each with whether they sit on a chair already; ``others``: sheet, name and one line of the other
    games, those played here before first; ``lists``: the same of the lists of one's own, by their codes;
    ``third_from``: how many players need a third deck; ``faults``: where each leads, and the sentence.
    ``after`` is the code of the game that this one is to follow, ``begun`` that of another one
    that follows it already; or "".
    """

    form: StartForm
    again: tuple[str, str] | None
    known: tuple[tuple[str, bool], ...]
    game_name: str
    others: tuple[tuple[str, str, str], ...]
    lists: tuple[tuple[str, str, str], ...]
    chapters: tuple[Chapter, ...]
    third_deck: str
    third_from: int
    names_hint: str
    faults: tuple[tuple[str, str], ...]
    after: str = ""
    begun: str = ""


def start_page(
    form: StartForm,
    known: Sequence[str],
    again: tuple[str, str] | None = None,
    after: str = "",
    begun: str = "",
    *,
    played: Sequence[str] = (),
    kept: Sequence[KeptList] = (),
) -> StartPage:
    """The page of a form as it stands; ``played`` are the sheets this phone knows games of, the newest first; ``kept``
    the lists of one's own.
    """
    rules = form.base
    return StartPage(
        form,
        again=again,
        known=tuple(_chips(form, known)),
        game_name=_name(rules),
        others=tuple(_others(form, played)),
        lists=tuple(
            (one.code, one.content.name, content_line(one.content)) for one in kept if one.code != form.own.text
        ),
        chapters=tuple(_chapters(form)),
        third_deck=third_deck_hint(rules),
        third_from=rules.players_per_two_decks + 1 if form.game.has_contracts else 99,
        names_hint=wording.names_hint(rules),
        faults=tuple(_fault(form, id, sentence) for id, sentence in form.errors.items()),
        after=after,
        begun=begun,
    )


def _others(form: StartForm, played: Sequence[str]) -> Iterable[tuple[str, str, str]]:
    """The games there are beside the one of the form: Gripe once, under its first sheet."""
    first = [sheet for sheet in dict.fromkeys(played) if sheet in SHEETS]
    for sheet in dict.fromkeys([*first, *SHEETS]):
        rules = SHEETS[sheet]
        game = game_of(rules)
        if (game.key == form.game.key and not form.base.list_name) or (
            game.key == "gripe" and sheet != game.sheets[0].sheet
        ):
            continue
        yield sheet, _name(rules), wording.game_line(rules)


def _name(rules: Rules) -> str:
    """What the game is called: the sheets of Gripe are one game, and a list has its own name."""
    if rules.list_name:
        return rules.list_name
    return wording.game_name(rules) if game_of(rules).key == "gripe" else wording.sheet_name(rules.sheet)


def _chips(form: StartForm, known: Sequence[str]) -> Iterable[tuple[str, bool]]:
    sitting = {look_alike_key(clean_name(name)) for name in form.name.texts}
    return ((name, look_alike_key(name) in sitting) for name in known)


def _chapters(form: StartForm) -> Iterable[Chapter]:
    for code, switches in groupby(form.turnable, key=_chapter):
        fields = tuple(map(form.switch, switches))
        changed = sum(bool(field.text) for field in fields)
        yield Chapter(chapter_title(code), fields, changed, bool(changed) or any(field.error for field in fields))


def _chapter(switch: Switch) -> str:
    """The head of the rule's number; of the rules of Peru, P1 is about the decks and P7 about discards."""
    if switch.rule[0] in "KF":
        return switch.rule[0]
    return switch.rule.partition(".")[0] if "." in switch.rule else {"P1": "G1"}.get(switch.rule, "G6")


def _fault(form: StartForm, id: str, sentence: str) -> tuple[str, str]:
    """A fault of a chair says which one."""
    kind, _dash, row = id.partition("-")
    if kind not in ("name", "points"):
        return id, sentence
    name = clean_name(form.name.texts[int(row)]) if kind == "points" else ""
    who = wording.isolate(name) or _("Chair %(n)s", n=int(row) + 1)
    return id, f"{who}: {sentence}"

"""The end of a hand of Grebber: the form of what was laid and held, the running check, and what it makes of the totals."""

from collections.abc import Iterable

from flask_babel import gettext as _

from companion import wording
from companion.forms.grebber import CountForm
from companion.pages.counting import CountPage, Preview, counted, hand_page, preview_of
from companion.pages.refusals import Meanwhile, Refused
from companion.record import GameView
from companion.referee.grebber import Count, sums
from companion.referee.kruth import arrange, kruth_points
from companion.referee.rules import Rules
from companion.referee.state import GameState
from companion.wording.grebber import check_words, count_words
from companion.wording.kruth import kruth_list, kruth_meld


def count_page(view: GameView, entered: CountForm, refused: Refused | None = None, *, late: bool = False) -> CountPage:
    """The form with what was entered, each reason beside the player it is about, the rest above."""
    fields = (entered.laid, entered.held, entered.wild)
    return hand_page(view, entered, fields, refused, late=late, check=check_words(*_so_far(entered)))


def _so_far(entered: CountForm) -> tuple[int, int]:
    """The check of what can be read, whoever is still missing; cards count where they were tapped."""
    if entered.counts:
        return sums(entered.counts)
    laid, held = (
        sum(kruth_points(part.of(seat).cards) for seat in entered.asked.seats) for part in (entered.laid, entered.held)
    )
    return laid, held


def preview(view: GameView, entered: CountForm, since: tuple[Meanwhile, ...] = ()) -> Preview:
    """The totals and places before and after what was entered, which must be legal."""
    after, score = counted(view, entered)
    notes = [_note(view, count, entered.asked.rules) for count in score.counts]
    notes += _turn(view.state, after, entered)
    return preview_of(view, entered, after, score, since, check_words(*sums(score.counts)), tuple(notes))


def _turn(before: GameState, after: GameState, entered: CountForm) -> Iterable[str]:
    """What a correction does to the end of the game (K5)."""
    if entered.asked.correcting and (before.hand is None) is not (after.hand is None):
        yield _("With this the game is over.") if after.hand is None else _("With this the game goes on.")


def _note(view: GameView, count: Count, rules: Rules) -> str:
    """``Ana 12 − 4 = 8: run in Stone, Life to King; holds Fate of Sun``."""
    said = (
        [kruth_meld(meld) for meld in arrange(count.laid_cards, rules, count.wilds).melds] if count.laid_cards else []
    )
    if count.held_cards:
        said.append(_("holds %(cards)s", cards=kruth_list(count.held_cards)))
    words = count_words(count, wording.isolate(view.names[count.seat]))
    return f"{words}: {'; '.join(said)}" if said else words

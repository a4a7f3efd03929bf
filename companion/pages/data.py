"""Out and in: what can be taken out of this phone's nights, and what came of bringing some in."""

from collections.abc import Sequence

from flask_babel import format_date, ngettext

from companion import wording
from companion.i18n import evening_of
from companion.record.exporting import Night
from companion.record.importing import Imported, Outcome
from companion.wording.exporting import outcome_words

NAMED = 3  # notices travel in a cookie


def nights_words(nights: int) -> str:
    """How many nights this phone may take out; "" where there is none."""
    return ngettext("%(num)s night is on this phone.", "%(num)s nights are on this phone.", nights) if nights else ""


def may_go_on(one: Imported) -> bool:
    """Whether this phone may let a night go on as the file has it."""
    return one.outcome is Outcome.LONGER_THERE and one.role == "keeper"


def notices(done: Sequence[Imported]) -> list[tuple[str, str]]:
    """What became of the nights of a file, as notices: sentence and look, what came in first; of those that differ from
    what is here, or that this phone may not open, the first are named.
    """
    said = []
    for what in (*(how.value for how in Outcome), "not_keeper", "not_in"):
        nights = [one.night for one in done if _what(one) == what]
        if nights:
            quiet = what in (Outcome.ADDED.value, Outcome.THERE.value)
            words = outcome_words(what, len(nights), "" if quiet else "; ".join(map(_named, nights[:NAMED])))
            said.append((words, "good" if what == Outcome.ADDED.value else "silent"))
    return said


def continued(done: Sequence[Imported]) -> list[tuple[str, str]]:
    """What became of the nights that were to go on."""
    on = sum(may_go_on(one) for one in done)
    said = [(outcome_words("continued", on), "good")] if on else []
    return said + notices([one for one in done if not may_go_on(one)])


def _what(one: Imported) -> str:
    if one.outcome is not Outcome.ADDED and one.role is None:
        return "not_in"
    return "not_keeper" if one.outcome is Outcome.LONGER_THERE and not may_go_on(one) else one.outcome.value


def _named(night: Night) -> str:
    """The day of a night and who sat there."""
    return f"{format_date(evening_of(night.created_at), 'medium')}: {wording.and_list(map(wording.isolate, night.names.values()))}"

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


def notices(done: Sequence[Imported]) -> list[tuple[str, str]]:
    """What became of the nights of a file, as notices: sentence and look, what came in first; of those that differ from
    what is here the first are named.
    """
    said = []
    for how in Outcome:
        nights = [row.night for row in done if row.outcome is how]
        if nights:
            named = "" if how in (Outcome.ADDED, Outcome.THERE) else f" ({'; '.join(map(_named, nights[:NAMED]))})"
            said.append((outcome_words(how.value, len(nights)) + named, "good" if how is Outcome.ADDED else "silent"))
    return said


def _named(night: Night) -> str:
    """The day of a night and who sat there."""
    return f"{format_date(evening_of(night.created_at), 'medium')}: {wording.and_list(map(wording.isolate, night.names.values()))}"

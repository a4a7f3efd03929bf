"""Out and in: what can be taken out of this phone's nights, and what came of bringing some in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from flask_babel import ngettext

from companion.record.importing import Imported, Outcome
from companion.wording.carrying import outcome_words


@dataclass(frozen=True, slots=True)
class DataPage:
    """``nights`` says how many nights this phone may take out, "" where there is none; ``error`` stands at the file."""

    nights: str
    error: str = ""


def data_page(nights: int, error: str = "") -> DataPage:
    """The page for a phone with so many nights."""
    told = ngettext("%(num)s night is on this phone.", "%(num)s nights are on this phone.", nights)
    return DataPage(told if nights else "", error)


def told(done: Sequence[Imported]) -> list[tuple[str, str]]:
    """What became of the nights of a file, as notices: sentence and look, what came in first."""
    counts = Counter(one.outcome for one in done)
    looks = {Outcome.ADDED: "good"}
    return [(outcome_words(how.value, counts[how]), looks.get(how, "silent")) for how in Outcome if counts[how]]

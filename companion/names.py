"""Names of people: what is a name, and which two look the same at the table.

Any script, emoji, ``<script>`` and ``=1+1`` are names like others; what is refused has a code and facts, the
sentences are elsewhere.
"""

import enum
import hashlib
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from flask_babel import gettext as _

MAX_LETTERS = 40
#: A letter may carry accents and joiners, so the text may be longer; more than this is no name.
MAX_LENGTH = 160

#: Nothing is seen of these, though they are no format characters to Unicode.
_BLANKS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
#: These turn the text around them about, beyond the name.
_DIRECTION = dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A)])


class NameReason(enum.Enum):
    """Why a text is not taken as a name."""

    BLANK = "blank"  # nothing typed
    INVISIBLE = "invisible"  # typed, but nothing of it can be seen
    TOO_LONG = "too_long"  # facts: length, limit (letters)
    CONTROL = "control"  # holds a control character
    LOOKS_THE_SAME = "looks_the_same"  # facts: name, other (index of the earlier one), other_name


@dataclass(frozen=True, slots=True)
class NameProblem:
    """One reason against the name at ``index`` (0 is the first)."""

    reason: NameReason
    index: int
    facts: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))


class BadNames(ValueError):
    """Some names cannot be taken; ``problems`` are all the reasons, in the order of the names."""

    def __init__(self, problems: tuple[NameProblem, ...]) -> None:
        super().__init__(", ".join(f"{problem.index}: {problem.reason.value}" for problem in problems))
        self.problems = problems


def clean_name(text: str) -> str:
    """The name as it is kept: accents composed, white space collapsed and trimmed, no turning of directions.

    >>> clean_name("  Zoe\u0308   K. ")
    'Zoë K.'
    """
    return " ".join(unicodedata.normalize("NFC", text.translate(_DIRECTION)).split())


def look_alike_key(name: str) -> str:
    """The same text for names that look the same: case, spaces, accents and invisible characters do not matter.

    >>> look_alike_key("A\u200bna  MARIA") == look_alike_key("ana Maria")
    True
    """
    seen = "".join(char for char in unicodedata.normalize("NFKC", name) if not _is_ignorable(char))
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", seen).casefold())
    key = " ".join(folded.split())
    # A few characters unfold into many; the key must stay short enough for an index.
    return key if len(key) <= MAX_LENGTH else key[:80] + hashlib.sha256(key.encode()).hexdigest()


def shown_name(name: str, forgotten: int | None) -> str:
    """The name as it is shown: of somebody who was forgotten only that it was somebody, in the reader's language."""
    return name if forgotten is None else _("Somebody %(number)s", number=forgotten)


def name_problems(names: Sequence[str]) -> tuple[NameProblem, ...]:
    """Every reason against some names for one table; empty means all are fine. At most one reason a name."""
    problems: list[NameProblem] = []
    first: dict[str, int] = {}
    for index, text in enumerate(names):
        name = clean_name(text)
        if (problem := _one_problem(name, index)) is not None:
            problems.append(problem)
            continue
        other = first.setdefault(look_alike_key(name), index)
        if other != index:
            problems.append(looks_the_same(index, name, other, clean_name(names[other])))
    return tuple(problems)


def cleaned_names(names: Sequence[str]) -> list[str]:
    """Names for one table as they are kept. Raises BadNames where there is a reason against any."""
    if problems := name_problems(names):
        raise BadNames(problems)
    return list(map(clean_name, names))


def looks_the_same(index: int, name: str, other: int | None, other_name: str) -> NameProblem:
    """The reason against a name that is another's already."""
    return NameProblem(NameReason.LOOKS_THE_SAME, index, {"name": name, "other": other, "other_name": other_name})


def _one_problem(name: str, index: int) -> NameProblem | None:
    if not name:
        return NameProblem(NameReason.BLANK, index)
    if any(unicodedata.category(char) in ("Cc", "Cs") for char in name):
        return NameProblem(NameReason.CONTROL, index)
    # Accents, joiners and spaces take no place of their own.
    letters = sum(not _is_ignorable(char) and unicodedata.category(char)[0] not in "MZC" for char in name)
    if not letters or not look_alike_key(name):
        return NameProblem(NameReason.INVISIBLE, index)
    if letters > MAX_LETTERS or len(name) > MAX_LENGTH:
        return NameProblem(NameReason.TOO_LONG, index, {"length": max(letters, len(name)), "limit": MAX_LETTERS})
    return None


def _is_ignorable(char: str) -> bool:
    """Whether nothing is seen of a character: format characters, variation selectors, fillers."""
    is_selector = "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef"
    return char in _BLANKS or is_selector or unicodedata.category(char) == "Cf"

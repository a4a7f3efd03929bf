"""Numbers as people type them: ASCII figures only, and never so many that reading them is work."""

import re

from companion.wording import form_error

TYPED_LIMIT = 120  # characters of a sum: one of all the cards a hand can hold is shorter
#: Figures of the number of an entry or a revision.
ENTRY = 9
_SUM = re.compile(r"[0-9]+(\s*\+\s*[0-9]+)*")
#: The same with numbers taken off: 15+20-50.
_SIGNED_SUM = re.compile(r"[-−]?\s*[0-9]+(\s*[-−+]\s*[0-9]+)*")


def whole(text: str | None, figures: int) -> int | None:
    """A whole number of at most so many ASCII figures, without a sign; None for anything else."""
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) <= figures else None


def summed(text: str, most: int, least: int = 0) -> tuple[int, str]:
    """A number or a sum such as 15+20+5 of at most ``most``, and ""; else 0 and the sentence that says what is wrong.

    Where ``least`` is below 0, numbers may be taken off, as in 15-50.
    """
    if len(text) > TYPED_LIMIT:
        return 0, form_error("too_long", limit=TYPED_LIMIT)
    if not (_SIGNED_SUM if least < 0 else _SUM).fullmatch(text):
        return 0, form_error("bad_sum" if "+" in text else "bad_number")
    total = sum(int(part) for part in re.findall(r"-?[0-9]+", re.sub(r"\s+", "", text.replace("−", "-"))))
    return (total, "") if total <= most else (0, form_error("too_big", most=most))

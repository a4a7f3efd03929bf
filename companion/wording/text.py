"""Small tools every wording module uses: marking texts, joining lists, numbers as words, names that cannot spill."""

import unicodedata
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import lru_cache, wraps
from typing import ParamSpec, TypeAlias, TypeVar

from babel.lists import format_list
from flask_babel import get_locale, gettext, pgettext

from companion.i18n import note_name
from companion.referee.rules import Rules

_ISOLATE_START, _ISOLATE_END = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"


def N_(text: str) -> str:
    """Mark a text for the catalogues without translating it yet."""
    return text


#: What is said of some rules: a marked text, what makes one of the rules, or several of these.
Text: TypeAlias = "str | Callable[[Rules], str] | tuple[Text, ...]"


def text_for(text: Text, rules: Rules) -> str:
    """The text in the reader's language, as a table with these rules reads it."""
    if isinstance(text, str):
        return gettext(text)
    return " ".join(text_for(part, rules) for part in text) if isinstance(text, tuple) else text(rules)


def by_switch(switch: str, texts: Mapping[object, Text]) -> Callable[[Rules], str]:
    """The text for what a table plays, by the value of a switch."""
    return lambda rules: text_for(texts[getattr(rules, switch)], rules)


def isolate(name: str) -> str:
    """A name in a sentence, which no translator is to touch; one that runs right to left is fenced, so that the sentence around
    it keeps its order.
    """
    note_name(name)
    turns = any(unicodedata.bidirectional(char) in {"R", "AL", "AN", "RLE", "RLO", "RLI"} for char in name)
    return f"{_ISOLATE_START}{name}{_ISOLATE_END}" if turns else name


def _locale() -> str:
    return str(get_locale() or "en")


_Facts = ParamSpec("_Facts")
_Said = TypeVar("_Said")


def per_language(say: Callable[_Facts, _Said]) -> Callable[_Facts, _Said]:
    """Remember what a function says of a card or a meld, language by language: eight phones ask for the same words.

    Only for what the arguments and the language alone decide; names of people are none of the arguments.
    """

    @lru_cache(maxsize=4096)
    def known(_language: str, *facts: Hashable) -> _Said:
        return say(*facts)  # type: ignore[arg-type,call-arg]

    @wraps(say)
    def remembered(*facts: _Facts.args, **_none: _Facts.kwargs) -> _Said:
        return known(_locale(), *facts)  # type: ignore[arg-type]

    return remembered


def and_list(items: Iterable[str]) -> str:
    """``a, b and c`` in the reader's language."""
    return format_list(list(items), style="standard", locale=_locale())


def or_list(items: Iterable[str]) -> str:
    """``a, b or c`` in the reader's language."""
    return format_list(list(items), style="or", locale=_locale())


def size_word(size: int) -> str:
    """A number of cards as a word up to twelve, figures above."""
    words = {
        1: gettext("one card"), 2: pgettext("cards", "two"), 3: pgettext("cards", "three"),
        4: pgettext("cards", "four"), 5: pgettext("cards", "five"), 6: pgettext("cards", "six"),
        7: pgettext("cards", "seven"), 8: pgettext("cards", "eight"), 9: pgettext("cards", "nine"),
        10: pgettext("cards", "ten"), 11: pgettext("cards", "eleven"), 12: pgettext("cards", "twelve"),
    }  # fmt: skip
    return words.get(size, str(size))


def count_word(count: int, *, feminine: bool) -> str:
    """How many melds, in the gender the noun has in Portuguese: ``dois grupos`` but ``duas trincas``."""
    if count == 2:
        return pgettext("sets of three, or runs", "two") if feminine else pgettext("longer sets", "two")
    words = {3: pgettext("melds", "three"), 4: pgettext("melds", "four"), 5: pgettext("melds", "five")}
    return words.get(count, str(count))

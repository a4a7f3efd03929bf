"""Which language this request speaks: what the person chose, else what the browser asks for, else English.

English is the language of the sources; every folder of companion/translations is a further one.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import cache, partial
from pathlib import Path
from typing import BinaryIO
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import pytz
from babel import Locale
from flask import Flask, Response, current_app, g, has_request_context, request
from flask_babel import Babel, get_locale, refresh
from markupsafe import Markup, escape
from pytz.tzfile import build_tzinfo

COOKIE = "language"
SOURCE = "en"
A_YEAR = 60 * 60 * 24 * 365

babel = Babel()


def init_app(app: Flask) -> None:
    """Set up the catalogues, and give every template `language` (a code) and `languages` (code -> own name)."""
    app.config.setdefault("BABEL_TRANSLATION_DIRECTORIES", "translations")
    babel.init_app(app, locale_selector=select_language, timezone_selector=_zone_for_babel)
    with app.app_context():
        translated = {str(locale) for locale in babel.list_translations()}
    app.config.setdefault("LANGUAGES", (SOURCE, *sorted(translated - {SOURCE})))
    app.jinja_env.filters["names_untranslated"] = names_untranslated
    app.context_processor(lambda: {"language": current_language(), "languages": languages()})
    app.after_request(_vary)
    app.after_request(_remember)


def languages() -> dict[str, str]:
    """The languages on offer: code (as in `<html lang>`) -> the language's own name."""
    return _named(tuple(current_app.config["LANGUAGES"]))


@cache
def _named(codes: tuple[str, ...]) -> dict[str, str]:
    names = {code: Locale.parse(code).get_display_name() or code for code in codes}
    return {code.replace("_", "-"): name[:1].upper() + name[1:] for code, name in names.items()}


def current_language() -> str:
    """The code of the language of this request, as in `<html lang>`."""
    return str(get_locale() or current_app.config["BABEL_DEFAULT_LOCALE"]).replace("_", "-")


def select_language() -> str:
    """The code of the language for this request (see the module's first line); a command's is the usual one."""
    if not has_request_context():
        return str(current_app.config["BABEL_DEFAULT_LOCALE"])
    offered = current_app.config["LANGUAGES"]
    chosen = (g.get("switched_to") or request.cookies.get(COOKIE, "")).replace("-", "_")
    if chosen in offered:
        return chosen
    return request.accept_languages.best_match(offered) or str(current_app.config["BABEL_DEFAULT_LOCALE"])


def switch(code: str) -> bool:
    """Speak a language from now on, in this request too; False where there is no such language."""
    if code not in languages():
        return False
    g.switched_to = code
    refresh()
    return True


def time_zone() -> tzinfo:
    """The table's time zone: the setting TIMEZONE (such as "Europe/Lisbon"), else the server's own."""
    try:
        return ZoneInfo(current_app.config["TIMEZONE"] or "")
    except (ValueError, OSError, ZoneInfoNotFoundError):
        return _own_zone()


def today() -> date:
    """The day it is at the table."""
    return datetime.now(time_zone()).date()


def evening_of(moment: datetime) -> date:
    """The day that a night begun at this moment belongs to: before DAY_BEGINS at the table it is the evening before."""
    return (moment.astimezone(time_zone()) - timedelta(hours=current_app.config["DAY_BEGINS"])).date()


def day_comes_first() -> bool:
    """Whether 4/5/2019 is the fourth of May in the language of this request; in English it may be either."""
    return (get_locale() or Locale(SOURCE)).date_formats["short"].pattern.lower().startswith("d")


def _own_zone() -> tzinfo:
    """With its summers where the system tells them; else as it is at this moment."""
    return _zone_by(ZoneInfo.from_file) or datetime.now().astimezone().tzinfo or UTC


def _zone_for_babel() -> tzinfo:
    """Flask-Babel only takes zones of pytz, which has its own reader of the system's rules."""
    zone = time_zone()
    if isinstance(zone, ZoneInfo) and zone.key:
        return pytz.timezone(zone.key)
    return _zone_by(partial(build_tzinfo, "local")) or pytz.UTC


def _zone_by(read: Callable[[BinaryIO], tzinfo]) -> tzinfo | None:
    """The system's own rules by one of their readers; None where it has none that can be read."""
    try:
        with Path("/etc/localtime").open("rb") as rules:
            return read(rules)
    except (OSError, ValueError):
        return None


def _remember(response: Response) -> Response:
    if code := g.get("switched_to"):
        response.set_cookie(COOKIE, code, max_age=A_YEAR, httponly=True, samesite="Lax", secure=request.is_secure)
    return response


def _vary(response: Response) -> Response:
    if response.mimetype == "text/html":
        response.vary.update(["Accept-Language", "Cookie", "HX-Request"])
    return response


_NAMES = "names_in_sentences"
#: A piece of a page: an element of plain text, a tag, or the text before the next tag.
_PIECES = re.compile(r"(?s)<(option|textarea|title|script|style)\b.*?</\1>|<[^>]*>|[^<]+")
_OPENING = re.compile(r"<([a-z][a-z0-9]*)\b")
_VOID = frozenset({"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"})


def note_name(name: str) -> None:
    """A name is about to stand in a sentence of this page."""
    if has_request_context():
        g.setdefault(_NAMES, set()).add(name)


def names_untranslated(page: str, names: Iterable[str] = ()) -> Markup:
    """A part of a page, in whose sentences a browser's translator leaves these names alone, and those that were noted."""
    known = sorted({str(escape(name)) for name in {*names, *g.get(_NAMES, ())} if name.strip()}, key=len, reverse=True)
    if not known:
        return Markup(page)
    pattern = re.compile(rf"(?<![\w&#])(?:{'|'.join(map(re.escape, known))})(?!\w)")
    return Markup("".join(_wrapped(str(page), pattern)))


def _wrapped(page: str, pattern: re.Pattern[str]) -> Iterator[str]:
    """The pieces of a page; what lies in an element that is not translated stays as it is."""
    depth = 0  # of the elements open within one that is not translated
    for match in _PIECES.finditer(page):
        piece = match[0]
        if piece[0] != "<":
            yield piece if depth else pattern.sub(r'<bdi class="name" translate="no">\g<0></bdi>', piece)
            continue
        yield piece
        opening = _OPENING.match(piece)
        if opening and opening[1] not in _VOID and not match[1] and not piece.endswith("/>"):
            depth += bool(depth) or 'translate="no"' in piece
        elif depth and piece.startswith("</"):
            depth -= 1

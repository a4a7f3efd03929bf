"""The catalogues of translations: `update` (extract, merge, compile) and `check` (complete, fresh, compiled).

English is the language of the sources; every other language has a folder in companion/translations, with the catalogue as
text (.po, what translators edit) and compiled (.mo, committed too, so that a fresh clone speaks it at once).
"""

from __future__ import annotations

import ast
import io
import re
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

SOURCES = Path(__file__).resolve().parent.parent / "companion"
TRANSLATIONS = SOURCES / "translations"
LANGUAGES = sorted(folder.name for folder in TRANSLATIONS.iterdir() if folder.is_dir())
METHODS = [
    ("referee/**.py", "ignore"),
    ("**.py", "python"),
    ("templates/**.html", "jinja2"),
    ("templates/**.svg", "jinja2"),
]
OPTIONS = {pattern: {"silent": "false"} for pattern, method in METHODS if method == "jinja2"}
KEYWORDS = {
    **dict.fromkeys(("_", "N_", "gettext", "lazy_gettext", "_l"), None),
    **dict.fromkeys(("ngettext", "lazy_ngettext", "_n", "NN_"), (1, 2)),
    **dict.fromkeys(("pgettext", "lazy_pgettext", "P_"), ((1, "c"), 2)),
    "npgettext": ((1, "c"), 2, 3),
}
# The same every time: a catalogue changes when its texts do, not when somebody runs this.
WHEN = datetime(2026, 1, 1, tzinfo=UTC)
PLACEHOLDER = re.compile(r"%\((\w+)\)[sd]|%[sd]|\{(\w*)\}")


def extracted() -> Catalog:
    """Every text of the sources that is marked for translation."""
    catalog = _catalogue(None)
    texts = extract_from_dir(SOURCES, METHODS, OPTIONS, keywords=KEYWORDS, comment_tags=("Translators:",))
    for filename, _line, text, comments, context in texts:
        catalog.add(text, locations=[(f"companion/{filename}", None)], auto_comments=comments, context=context)
    return catalog


def update() -> None:
    """Bring every catalogue up to date with the sources, keeping what is translated, and compile it."""
    template = extracted()
    for language in LANGUAGES:
        po = _po(language)
        po.parent.mkdir(parents=True, exist_ok=True)
        catalog = _read(language) if po.exists() else _catalogue(language)
        catalog.update(template, no_fuzzy_matching=True)
        catalog.obsolete.clear()
        catalog.creation_date = catalog.revision_date = WHEN
        with po.open("wb") as out:
            write_po(out, catalog, width=100, include_lineno=False, sort_output=True, ignore_obsolete=True)
        _mo(language).write_bytes(_compiled(_read(language)))
        missing = sum(not _is_translated(message) for message in catalog if message.id)
        print(f"{language}: {len(catalog)} texts, {missing} without a translation")


def check() -> list[str]:
    """What is wrong with the catalogues, a line each; nothing when they are complete and fresh."""
    template = extracted()
    sources = sorted(SOURCES.rglob("*.py"))
    hidden = [line for source in sources for line in hidden_texts(source.read_text("utf-8"), source.name)]
    return hidden + [line for language in LANGUAGES for line in _faults(language, template)]


def hidden_texts(source: str, name: str) -> list[str]:
    """The texts to translate that stand inside an f-string, where the extraction does not look, a line each."""
    return [
        f"{name}:{call.lineno}: a text inside an f-string is never extracted"
        for written in ast.walk(ast.parse(source))
        if isinstance(written, ast.JoinedStr)
        for call in ast.walk(written)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in KEYWORDS
    ]


def _faults(language: str, template: Catalog) -> Iterator[str]:
    if not _po(language).exists():
        yield f"{language}: no catalogue"
        return
    catalog = _read(language)
    wanted = {(message.context, message.id) for message in template if message.id}
    there = {(message.context, message.id): message for message in catalog if message.id}
    yield from (f"{language}: not in the catalogue: {text!r}" for _, text in wanted - there.keys())
    yield from (f"{language}: no longer in the sources: {text!r}" for _, text in there.keys() - wanted)
    for message in there.values():
        yield from _message_faults(language, message)
    if not _mo(language).exists() or _mo(language).read_bytes() != _compiled(catalog):
        yield f"{language}: the compiled catalogue is stale"


def _message_faults(language: str, message: Message) -> Iterator[str]:
    if not _is_translated(message):
        yield f"{language}: not translated: {message.id!r}"
    elif _placeholders(message.id) != _placeholders(message.string):
        yield f"{language}: other placeholders than its source: {message.id!r}"


def _is_translated(message: Message) -> bool:
    texts = message.string if isinstance(message.string, tuple) else (message.string,)
    return not message.fuzzy and all(text and text.strip() for text in texts)


def _placeholders(texts: str | tuple[str, ...]) -> set[str]:
    """The names a text fills in. Of plural forms the last: "one card" need not say its number."""
    text = texts if isinstance(texts, str) else texts[-1]
    return {placeholder.group() for placeholder in PLACEHOLDER.finditer(text.replace("%%", ""))}


def _catalogue(language: str | None) -> Catalog:
    return Catalog(
        locale=language,
        project="Gripe Companion",
        version="1",
        copyright_holder="the authors of Gripe Companion",
        creation_date=WHEN,
        revision_date=WHEN,
        fuzzy=False,
    )


def _read(language: str) -> Catalog:
    with _po(language).open("rb") as source:
        return read_po(source, locale=language)


def _compiled(catalog: Catalog) -> bytes:
    out = io.BytesIO()
    write_mo(out, catalog)
    return out.getvalue()


def _po(language: str) -> Path:
    return TRANSLATIONS / language / "LC_MESSAGES" / "messages.po"


def _mo(language: str) -> Path:
    return _po(language).with_suffix(".mo")


def main(words: list[str]) -> int:
    """Exit code 0 when all is well."""
    if words == ["update"]:
        update()
        return 0
    if words == ["check"]:
        faults = check()
        print("\n".join(faults) or "The catalogues are complete and fresh.")
        if faults:
            print(f"{len(faults)} faults. `make translations` brings in new texts and compiles them.", file=sys.stderr)
        return 1 if faults else 0
    print("say: catalogues.py update|check", file=sys.stderr)
    return 2


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

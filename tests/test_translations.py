"""The catalogues: fresh, whole, compiled, with the same placeholders; and the pages speak them."""

from __future__ import annotations

import gettext
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from flask import Flask
from flask_babel import force_locale

import companion
from companion import wording
from companion.referee.cards import parse_card
from tools import catalogues

COMPILED = Path(companion.__file__).parent / "translations" / "pt" / "LC_MESSAGES" / "messages.mo"


def test_the_catalogues_are_fresh_whole_and_compiled() -> None:
    assert catalogues.check() == []


def test_the_extraction_finds_texts_of_code_and_templates() -> None:
    files = {Path(place).parts[1] for message in catalogues.extracted() for place, _ in message.locations}
    assert {"wording", "templates", "views"} <= files


@pytest.mark.parametrize(
    "wrong",
    ["", "uma carta", "%(nome)s comprou", "%(name)s %(name)s %(number)s"],
    ids=["empty", "none", "other", "more"],
)
def test_a_wrong_translation_is_found(wrong: str) -> None:
    catalog = Catalog()
    message = catalog.add("%(name)s bought a card.", wrong)
    assert list(catalogues._message_faults("pt", message))


def test_a_right_translation_is_no_fault() -> None:
    message = Catalog().add("%(name)s bought a card.", "%(name)s comprou uma carta.")
    assert list(catalogues._message_faults("pt", message)) == []


def test_the_compiled_catalogue_reads_like_a_phone_would_read_it() -> None:
    with COMPILED.open("rb") as file:
        texts = gettext.GNUTranslations(file)
    assert texts.gettext("Going out") == "Bater"
    assert texts.ngettext("%(num)s card", "%(num)s cards", 2) == "%(num)s cartas"


def test_portuguese_uses_the_words_of_the_card_table() -> None:
    texts = "\n".join(str(message.string) for message in catalogues._read("pt") if message.id)
    for word in ("sequência", "trinca", "grupo", "curinga", "comprar", "baixar", "descartar", "bater", "monte"):
        assert word in texts.lower()


def test_no_translation_ends_otherwise_than_its_source() -> None:
    for message in catalogues._read("pt"):
        if isinstance(message.id, str) and message.id:
            for mark in ".?!:":
                assert message.id.endswith(mark) == str(message.string).endswith(mark), message.id


def test_the_language_of_the_request_decides(app: Flask) -> None:
    with app.test_request_context(headers={"Accept-Language": "pt-BR,pt;q=0.9,en;q=0.5"}):
        assert wording.card_name(parse_card("AS")) == "ás de espadas"
    with app.test_request_context(headers={"Accept-Language": "de"}):
        assert wording.card_name(parse_card("AS")) == "ace of spades"
    with app.test_request_context(), force_locale("pt"):
        assert wording.or_list(["3♠", "7♠"]) == "3♠ ou 7♠"

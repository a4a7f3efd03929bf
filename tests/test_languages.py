"""A language is a folder of translations: found, named, spoken, and read in sheets of old nights."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from flask.testing import FlaskClient

import companion
from companion import i18n
from tests.web import plain

FOLDERS = Path(companion.__file__).parent / "translations"
SHEET = "in a sheet of old nights, with | between words of one meaning"
TEXTS = {
    ("New game", None): "Partida nueva",
    ("date", SHEET): "fecha|día",
    ("name|player", SHEET): "nombre",
    ("out|went out|goes out", SHEET): "cerró",
    ("hand", SHEET): "mano",
}
OLD_NIGHT = """día;nombre;mano 1;mano 2
2019-05-04;Ana;cerró;20
2019-05-04;Bea;30;0
2019-05-04;Carl;15;5
"""


def add_language(folders: Path, code: str) -> None:
    catalog = Catalog(locale=code)
    for (text, context), translated in TEXTS.items():
        catalog.add(text, translated, context=context)
    place = folders / code / "LC_MESSAGES"
    place.mkdir(parents=True, exist_ok=True)
    with (place / "messages.mo").open("wb") as out:
        write_mo(out, catalog)


@pytest.fixture
def client(make_app, tmp_path: Path) -> FlaskClient:
    folders = tmp_path / "translations"
    shutil.copytree(FOLDERS, folders)
    add_language(folders, "es")
    add_language(folders, "zh_Hant_TW")
    return make_app(BABEL_TRANSLATION_DIRECTORIES=str(folders)).test_client()


def test_the_languages_are_english_and_the_folders(app, client: FlaskClient) -> None:
    with app.app_context():
        assert i18n.languages() == {"en": "English", "pt": "Português"}
    with client.application.app_context():
        assert i18n.languages() == {
            "en": "English",
            "es": "Español",
            "pt": "Português",
            "zh-Hant-TW": "中文 (繁體, 台灣)",
        }


@pytest.mark.parametrize(("wanted", "spoken"), [("es-MX", "es"), ("zh-Hant-TW", "zh-Hant-TW"), ("de", "en")])
def test_a_page_speaks_the_language_of_a_folder(client: FlaskClient, wanted: str, spoken: str) -> None:
    page = client.get("/", headers={"Accept-Language": wanted}).text
    assert f'<html lang="{spoken}"' in page and f'value="{spoken}" lang="{spoken}" aria-current="true"' in page
    assert ("Partida nueva" in page) == (spoken != "en")


def test_a_language_is_chosen_by_its_button(client: FlaskClient) -> None:
    assert client.post("/language", data={"language": "zh-Hant-TW", "next": "/"}).status_code == 303
    assert '<html lang="zh-Hant-TW"' in client.get("/").text


@pytest.mark.parametrize("language", ["es", "en"])
def test_a_sheet_of_old_nights_is_read_in_every_language(client: FlaskClient, language: str) -> None:
    sent = {"text": OLD_NIGHT, "do": "look"}
    page = client.post("/data/paper", data=sent, headers={"Accept-Language": language})
    assert page.status_code == 200 and "2019" in plain(page.text) and "Carl" in plain(page.text)
    assert (
        client.get("/data/paper.csv", headers={"Accept-Language": "es"})
        .text.lstrip("\ufeff")
        .startswith('"fecha";"nombre"')
    )

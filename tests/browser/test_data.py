"""Out and in on a phone: a night is saved, brought in elsewhere, and old nights from paper with faults on the way."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.exporting import document
from companion.referee.commands import CloseGame
from tests.browser.axe import assert_accessible
from tests.browser.conftest import PHONE, SMALL
from tests.web import LONG_NAMES, play, score, start

WORDS = {
    "en": {
        "home": "Out and in", "keep": "Everything, to keep (JSON)", "in": "Bring them in", "old": "Enter old nights",
        "look": "Look at the lines", "again": "Look again", "line": "Line 3", "fault": "31 points for", "total": "The total says 40",
        "read": "1 night can be read", "done": "1 night is in.", "there": "was here already", "json": "no JSON",
        "doubt": "Really so many points?", "sure": "Yes, the numbers are right",
    },
    "pt": {
        "home": "Salvar e trazer", "keep": "Tudo, para guardar (JSON)", "in": "Trazer as noites", "old": "Trazer noites antigas",
        "look": "Olhar as linhas", "again": "Olhar de novo", "line": "Linha 3", "fault": "31 pontos", "total": "O total diz 40",
        "read": "1 noite pode ser lida", "done": "1 noite entrou.", "there": "já estava aqui", "json": "não é JSON",
        "doubt": "Tantos pontos mesmo?", "sure": "Sim, os números estão certos",
    },
}  # fmt: skip
BAD = """date,name,1,2,3,total
2019-05-04,Maximiliane-Alexandra da Conceição,0,45,300,345
2019-05-04,אברהם,31,0,10,40
2019-05-04,"=1+1, Carl",15,5,0,20
"""


def sideways(page) -> int:
    """How many pixels the page scrolls sideways."""
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


def press(page, name: str) -> None:
    """Tap a button and wait for the page that it brings."""
    with page.expect_navigation():
        page.get_by_role("button", name=name, exact=True).tap()


def small_targets(page) -> list[str]:
    return page.evaluate(
        """[...document.querySelectorAll("main button, main a.button, main summary, main input, main textarea")]
           .map(e => [e.textContent.trim(), e.getBoundingClientRect()])
           .filter(([, r]) => r.width > 0 && (r.height < 43.5 || r.width < 43.5) && r.height > 21)
           .map(([name, r]) => `${name} ${r.width}×${r.height}`)"""
    )


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "bare"])
@pytest.mark.parametrize("language", ["en", "pt"])
def test_old_nights_with_faults_on_the_way(live, phone, language, scripts):
    page, words = phone(size=SMALL, language=language, scripts=scripts), WORDS[language]
    page.expected(422)
    page.goto("/")
    page.get_by_role("link", name=words["home"]).tap()
    page.get_by_role("link", name=words["old"]).tap()
    page.locator("#text").fill(BAD)
    press(page, words["look"])
    assert words["line"] in page.locator("#faults").inner_text()
    assert words["fault"] in page.locator("#faults").inner_text()
    assert page.locator("#text").input_value() == BAD
    assert sideways(page) == 0 and small_targets(page) == []
    page.locator("#text").fill(BAD.replace("31", "30"))
    press(page, words["again"])
    assert words["read"] in page.locator("main").inner_text()
    assert words["doubt"] in page.locator("main").inner_text()
    assert sideways(page) == 0 and small_targets(page) == []
    press(page, words["in"])
    assert page.locator("h2", has_text=words["doubt"]).is_visible()
    page.get_by_text(words["sure"]).tap()
    press(page, words["in"])
    page.wait_for_url("**/data")
    assert words["done"] in page.locator("main").inner_text()


@pytest.mark.parametrize("language", ["en", "pt"])
def test_a_night_is_saved_and_brought_in_on_another_phone(live, phone, language, tmp_path: Path):
    page, words = phone(size=SMALL, language=language), WORDS[language]
    code = start(live.app, page, LONG_NAMES)
    play(live.app, code, score(1, 0, 0, *range(5, 40, 5)), CloseGame())
    page.goto("/data")
    with page.expect_download() as coming:
        page.get_by_role("link", name=words["keep"]).tap()
    assert coming.value.suggested_filename == "gripe.json"
    file = tmp_path / "gripe.json"
    coming.value.save_as(file)
    found = json.loads(file.read_text("utf-8"))
    game = found["houses"][0]["games"][0]
    game["uid"] = "another-night"
    (tmp_path / "other.json").write_text(json.dumps(found), "utf-8")
    (tmp_path / "bad.json").write_text("no")
    other = phone(size=SMALL, language=language)
    other.expected(422)
    other.goto("/data")
    for name, said in (("bad.json", words["json"]), ("other.json", words["done"]), ("other.json", words["there"])):
        other.locator("#file").set_input_files(tmp_path / name)
        press(other, words["in"])
        other.get_by_text(said).first.wait_for()
        assert sideways(other) == 0
    with other.expect_download() as coming:
        other.get_by_role("link", name=words["keep"]).tap()
    coming.value.save_as(tmp_path / "again.json")
    (again,) = document.read((tmp_path / "again.json").read_bytes())
    (first,) = document.read((tmp_path / "other.json").read_bytes())
    assert again == first
    other.goto("/")
    other.locator(".nights a").first.tap()
    other.locator(".standings").wait_for()


def test_one_night_is_saved_from_its_recap(live, phone):
    page = phone()
    code = start(live.app, page)
    play(live.app, code, score(1, 0, 0, 45, 20), CloseGame())
    page.goto(f"/g/{code}/recap")
    for name in ("For a spreadsheet (CSV)", "To keep, complete (JSON)"):
        with page.expect_download() as coming:
            page.get_by_role("link", name=name).tap()
        assert coming.value.suggested_filename.startswith("gripe-20")
    link = page.get_by_role("link", name="Into Board Game Stats").get_attribute("href")
    assert link.startswith("https://app.bgstatsapp.com/createPlay.html?data=%7B%22sourceName%22")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [SMALL, PHONE], ids=["small", "phone"])
def test_axe_finds_nothing(live, phone, size, scheme):
    page = phone(size=size, scheme=scheme, bypass_csp=True)
    page.expected(422)
    for text in (None, BAD, BAD.replace("31", "30")):
        page.goto("/data/paper")
        if text:
            page.locator("#text").fill(text)
            press(page, "Look at the lines")
        assert_accessible(page)
    page.goto("/data")
    assert_accessible(page)
    press(page, "Bring them in")
    page.get_by_text("Choose a file first.").wait_for()
    assert_accessible(page)


@pytest.mark.parametrize("language", ["en", "pt"])
def test_with_text_twice_as_large(live, phone, language):
    page = phone(language=language)
    page.expected(422)
    page.goto("/data/paper")
    page.locator("#text").fill(BAD)
    press(page, WORDS[language]["look"])
    for address in (None, "/data"):
        if address:
            page.goto(address)
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        assert sideways(page) == 0

"""A score sheet from a spreadsheet on a small phone: chosen, its questions answered by tapping, brought in."""

from __future__ import annotations

import os

import pytest

from tests.browser.axe import assert_accessible
from tests.browser.conftest import SMALL
from tests.browser.test_data import press, sideways, small_targets
from tests.workbooks import xlsx

#: "x" for who went out, a blank cell, a day that could be either of two, a sum and a column of notes.
ROWS = [
    ["Date", "Name", 1, 2, 3, "Total", "Notes"],
    ["04/05/2019", "Maximiliane-Alexandra da Conceição", "x", 45, 20, 65, "birthday"],
    ["04/05/2019", "אברהם", 30, 0, 10, 40],
    ["04/05/2019", "Carl\nsenior", 15, 5, 0, 20],
    ["04/05/2019", "'t Hart", 15, "", "10+5", 30],
]
WORDS = {
    "en": {
        "look": "Look at the lines", "take": "Take these answers", "in": "Bring them in", "open": "3 questions",
        "none": "What you answered",
        "order": ("Which day is", "May 4, 2019"), "word": ("What does “x” mean", "went out"),
        "blank": ("A cell is blank", "did not play that hand"),
        "read": "1 night can be read", "done": "1 night is in.", "left": "Left out",
    },
    "pt": {
        "look": "Olhar as linhas", "take": "Usar estas respostas", "in": "Trazer as noites", "open": "3 perguntas",
        "none": "O que você respondeu",
        "order": ("Que dia é", "4 de maio de 2019"), "word": ("O que quer dizer “x”", "bateu"),
        "blank": ("Uma célula está vazia", "não jogou essa rodada"),
        "read": "1 noite pode ser lida", "done": "1 noite entrou.", "left": "Deixado de fora",
    },
}  # fmt: skip


def answer(page, question: tuple[str, str]) -> None:
    """Tap an answer."""
    page.locator("fieldset", has_text=question[0]).locator("label", has_text=question[1]).tap()


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "bare"])
@pytest.mark.parametrize("language", ["en", "pt"])
def test_a_spreadsheet_is_brought_in_by_tapping_answers(live, phone, language, scripts):
    page, words = phone(size=SMALL, language=language, scripts=scripts), WORDS[language]
    page.goto("/data/paper")
    file = {"name": "noite.xlsx", "mimeType": "application/octet-stream", "buffer": xlsx({"Sheet1": ROWS})}
    page.locator("#file").set_input_files(file)
    press(page, words["look"])
    main = page.locator("main")
    assert words["open"] in main.inner_text() and words["left"] in main.inner_text()
    assert page.get_by_role("button", name=words["in"], exact=True).count() == 0
    assert sideways(page) == 0 and small_targets(page) == []
    if folder := os.environ.get("SHOTS"):
        page.screenshot(path=f"{folder}/asked-{language}-{scripts}.png", full_page=True)
    if scripts:
        assert_accessible(page)
    answer(page, words["order"])
    answer(page, words["word"])
    press(page, words["take"])
    assert page.locator("fieldset", has_text=words["word"][0]).locator("input:checked").count() == 1
    assert page.get_by_role("button", name=words["in"], exact=True).count() == 0
    answer(page, words["blank"])
    press(page, words["take"])
    assert words["none"] in main.inner_text() and words["read"] in main.inner_text()
    assert "Carl senior" in main.inner_text() and "'t Hart" in main.inner_text()
    assert sideways(page) == 0 and small_targets(page) == []
    if folder := os.environ.get("SHOTS"):
        page.screenshot(path=f"{folder}/read-{language}-{scripts}.png", full_page=True)
    press(page, words["in"])
    page.wait_for_url("**/data")
    assert words["done"] in main.inner_text()
    page.goto("/nights")
    assert page.locator(".night-main").count() == 1


def test_a_night_without_a_day_and_with_two_who_went_out(live, phone):
    page = phone(size=SMALL, scheme="dark")
    page.expected(422)
    page.goto("/data/paper")
    page.locator("#text").fill("Hand,Ana,Bea,Carl\n1,0,0,15\n2,45,0,5\n")
    press(page, "Look at the lines")
    assert "2 questions" in page.locator("main").inner_text()
    press(page, "Take these answers")
    page.locator("input[type=date]").fill("2019-05-04")
    answer(page, ("Several have 0", "Bea"))
    press(page, "Take these answers")
    assert page.locator("input[type=date]").input_value() == "2019-05-04"
    if folder := os.environ.get("SHOTS"):
        page.screenshot(path=f"{folder}/day-dark.png", full_page=True)
    assert_accessible(page)
    press(page, "Bring them in")
    page.wait_for_url("**/data")
    assert "1 night is in." in page.locator("main").inner_text()

"""A name marked within a sentence changes nothing of how the sentence stands on the page."""

from __future__ import annotations

from tests.browser.conftest import SMALL
from tests.web import play, score, start, three_sets

#: Where a name and the words beside it would be items of their own, and lose the space between them.
TORN = """() => [...document.querySelectorAll("bdi.name")].filter((name) => {
  const around = name.parentElement;
  const words = [...around.childNodes].some((one) => one.nodeType === Node.TEXT_NODE && one.textContent.trim());
  return words && /flex|grid/.test(getComputedStyle(around).display);
}).map((name) => name.parentElement.outerHTML.slice(0, 200))"""


def test_sentences_with_names_stay_in_one_piece(live, phone):
    page = phone(size=SMALL)
    code = start(live.app, page, ("Rosa", "Iris", "Heidi May"))
    play(live.app, code, three_sets())
    torn = {}
    addresses = (
        "",
        "throw",
        "who?discarder=0&call=2",
        "scores",
        "over",
        "down?seat=1",
        "down/back?seat=1",
        "melds/1",
        "players",
        "phones",
        "history",
        "end",
        "tv",
    )
    for address in addresses:
        page.goto(f"/g/{code}/{address}")
        torn[address] = page.evaluate(TORN)
    play(live.app, code, score(1, 0, 0, 20, 30))
    for address in ("", "scores", "history", "players", "recap"):
        page.goto(f"/g/{code}/{address}")
        torn[f"later {address}"] = page.evaluate(TORN)
    for address in ("/", "/nights", "/people", "/people/1", "/statistics"):
        page.goto(address)
        torn[address] = page.evaluate(TORN)
    assert {where: found for where, found in torn.items() if found} == {}

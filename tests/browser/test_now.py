"""What is shown is now: notices go with their entry, and a refusal says who entered what."""

from __future__ import annotations

import pytest

from companion import record
from companion.referee.commands import Buy, Float, GoDown
from companion.referee.games import KATE
from companion.referee.notation import read_meld
from tests.browser.conftest import SMALL
from tests.browser.test_live import listening, together  # noqa: F401
from tests.browser.touch import scrolls_sideways
from tests.web import LONG_NAMES, play, score, start, three_sets


def save_a_hand(page, code, *points):
    """Count the hand in play by its form, as a person does."""
    page.goto(f"/g/{code}/over")
    page.locator("input[name=out]").first.check()
    for seat, typed in enumerate(points, 1):
        page.locator(f"#points-{seat}").fill(str(typed))
    page.locator("form button.button-main").last.tap()
    page.get_by_role("button", name="Save").tap()
    page.wait_for_url(f"**/g/{code}/")


def test_a_notice_goes_with_its_entry_when_another_phone_undoes_it(live, together):  # noqa: F811
    code, ana, bea = together()
    bea.goto(f"/g/{code}/")
    save_a_hand(ana, code, 5, 10)
    notice = ana.locator(".notice")
    assert notice.inner_text() == "Hand 1 is written down."
    listening(live, 2)
    play(live.app, code, Buy(2, 1))
    ana.get_by_role("button", name="Bea buys: 2 buys left").wait_for()
    assert notice.is_visible()  # the entry holds
    for _ in range(2):
        last = bea.locator("#undo").get_attribute("value")
        bea.locator("#undo").tap()
        bea.wait_for_function("(last) => document.querySelector('#undo')?.value !== last", arg=last)
    ana.get_by_text("Nothing entered yet.").wait_for()
    assert notice.count() == 0


def test_a_notice_does_not_stay_into_later_hands(live, together):  # noqa: F811
    code, ana = together(1)
    ana.clock.install()
    save_a_hand(ana, code, 5, 10)
    listening(live)
    ana.clock.run_for(11_000)
    play(live.app, code, Buy(2, 1))
    ana.get_by_role("button", name="Bea buys: 2 buys left").wait_for()
    assert ana.locator(".notice").count() == 0


def seen_whole(page):
    """Wait until the refusal is seen whole: on the screen, and not under the bar."""
    page.locator("#refused").wait_for()
    page.wait_for_function("""() => {
      const box = document.getElementById("refused").getBoundingClientRect();
      const tabs = document.querySelector(".tabs").getBoundingClientRect(); // at the top of a phone on its side
      const [start, end] = tabs.top > 0 ? [0, tabs.top] : [tabs.bottom, innerHeight];
      return box.top >= start && box.bottom <= end;
    }""")


@pytest.mark.parametrize("size", [SMALL, {"width": 568, "height": 320}], ids=["320x568", "landscape"])
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "plain"])
@pytest.mark.parametrize("language", ["en", "pt"])
def test_a_refused_tap_is_seen_whole_wherever_it_was_made(live, phone, size, scripts, language):
    page = phone(size=size, scripts=scripts, language=language)
    page.expected(422)
    code = start(live.app, page, LONG_NAMES)
    play(live.app, code, *(Buy(1, seat) for seat in (0, 5, 7) for _ in range(3)))
    page.goto(f"/g/{code}/")
    for seat in (7, 5, 0):
        page.locator(f"#buy{seat}").tap()
        page.locator(f"#p{seat} #refused").wait_for()
        seen_whole(page)
    assert not scrolls_sideways(page)


@pytest.mark.parametrize("size", [SMALL, {"width": 568, "height": 320}], ids=["320x568", "landscape"])
def test_a_refusal_in_a_form_is_seen_whole(live, phone, size):
    page = phone(size=size)
    page.expected(409, 422)
    code = start(live.app, page, LONG_NAMES)
    play(live.app, code, three_sets())
    page.goto(f"/g/{code}/melds/1")
    page.get_by_text("Type the card instead").tap()
    page.locator("#typed").fill("KD")
    page.get_by_role("button", name="Lay it").tap()
    seen_whole(page)
    page.goto(f"/g/{code}/history")
    page.evaluate("document.querySelector('[name=entry]').value = 1")
    page.locator("#undo").scroll_into_view_if_needed()
    page.locator("#undo").tap()
    seen_whole(page)


LISTEN = """
addEventListener("DOMContentLoaded", () => {
  window.heard = [];
  const said = document.querySelector("[role=status]#live-said");
  new MutationObserver(() => said.textContent && heard.push(said.textContent)).observe(said, { childList: true });
});
"""


def heard(page, *sentences):
    """Wait until the live region has said so much, each once, and nothing else."""
    page.wait_for_function("(count) => heard.join(' ').split('bought').length > count", arg=len(sentences))
    page.wait_for_timeout(300)
    assert [
        part.strip() for part in " ".join(page.evaluate("heard")).replace(".", ".|").split("|") if part.strip()
    ] == [*sentences]


@pytest.mark.parametrize("path", ["", "who", "tv"])
def test_what_others_entered_is_said_aloud_once(live, together, path):  # noqa: F811
    code, page = together(1)
    page.add_init_script(LISTEN)
    page.goto(f"/g/{code}/{path}")
    if path == "who":
        page.get_by_text("Bea", exact=True).first.tap()
    listening(live)
    play(live.app, code, Buy(1, 1))
    heard(page, "Bea bought a card.")
    play(live.app, code, Buy(1, 2))
    heard(page, "Bea bought a card.", "Carl bought a card.")


def test_several_entries_at_once_are_said_together_and_ones_own_not_at_all(live, together):  # noqa: F811
    code, ana, bea = together()
    for page in (ana, bea):
        page.add_init_script(LISTEN)
        page.goto(f"/g/{code}/")
    listening(live, 2)
    ana.get_by_role("button", name="Carl buys").tap()
    heard(bea, "Carl bought a card.")
    ana.context.set_offline(True)
    ana.get_by_text("No connection").first.wait_for()
    ana.get_by_role("button", name="Ana buys").tap()
    play(live.app, code, Buy(1, 1), Buy(1, 1))
    ana.evaluate("heard.length = 0")
    ana.context.set_offline(False)
    ana.get_by_role("button", name="Ana buys: 2 buys left").wait_for()
    ana.get_by_role("button", name="Bea buys: 1 buy left").wait_for()
    ana.wait_for_timeout(500)
    said = ana.evaluate("heard")
    told = [sentences for sentences in said if "bought" in sentences]
    assert len(told) == 1 and told[0].count("Bea bought") == 2  # together
    assert "Ana bought" not in told[0]
    assert "Ana bought a card." in " ".join(bea.evaluate("heard"))


@pytest.fixture
def unstyled(live, phone):
    """A phone whose browser knows no `@layer`: every style sheet of ours is one layer, so it has none of them."""

    def make(**options):
        page = phone(**options)
        page.route("**/*.css", lambda route: route.fulfill(body="", content_type="text/css"))
        return page

    return make


def play_back(app, code):
    """Another phone takes the last entry back."""
    with app.app_context():
        seen = record.load(code)
        record.undo(code, entry=seen.undo.seq, token=record.new_token(), seen=seen.revision)


def test_a_browser_without_layers_shows_every_fact(live, unstyled):
    page = unstyled()
    code = start(live.app, page)
    play(
        live.app,
        code,
        score(1, 2, 10, 20, 0),
        GoDown(2, 1, (read_meld("set 7S 7H 7D"), read_meld("run 4S 5S 6S 7S"))),
        Float(2, 1),
        Buy(2, 0),
    )
    page.goto(f"/g/{code}/")
    assert page.evaluate("getComputedStyle(document.querySelector('.player-name')).fontWeight") == "400"
    rows = {seat: page.locator(f"#p{seat}").inner_text() for seat in range(3)}
    assert "Down: Bea" in rows[1] and "Floats" in rows[1] and "Down: Ana" not in rows[0]
    assert "1st" in rows[2] and "3rd" in rows[1]
    assert "deals" in rows[1] and "starts" in rows[2]
    assert "2 buys left" in rows[0]
    page.goto(f"/g/{code}/scores")
    sheet = page.locator(".sheet").inner_text()
    assert "went out" in sheet and "1st" in sheet and "went out" in sheet
    page.goto(f"/g/{code}/throw")
    struck = "s => s.closest('a').id + getComputedStyle(s).textDecorationLine"
    assert "c7Cline-through" in page.locator(".pad s").evaluate_all(f"all => all.map({struck})")
    assert page.locator(".pad a:has(s)").count() == page.locator(".pad a", has_text="✕").count() > 0
    page.goto(f"/g/{code}/history")
    assert "Undone" not in page.locator(".entries").first.inner_text()
    play_back(live.app, code)
    page.reload()
    assert page.locator(".entries s").count() == 1 and "Undone by entry" in page.locator("main").inner_text()
    page.goto(f"/g/{code}/recap")
    page.locator(".figures").evaluate("details => { details.open = true; }")
    assert page.locator(".run-table strong").all_inner_texts()[-1] == "0"  # who leads


def test_without_layers_the_chosen_player_is_marked(live, unstyled):
    page = unstyled(scripts=False)
    with live.app.test_client() as helper:
        code = start(live.app, helper, rules=KATE.replace(own_melds_count=False))
        cookie = helper.get_cookie("device")
    page.context.add_cookies([{"name": "device", "value": cookie.value, "url": live.url}])
    page.goto(f"/g/{code}/throw?seat=1")
    assert page.locator("nav.choices").inner_text().split("\n")[0].count("✓") == 1
    assert "✓ Bea" in page.locator("nav.choices").inner_text()

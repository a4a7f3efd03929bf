"""What is shown is now: notices go with their entry, and a refusal says who entered what."""

from __future__ import annotations

from companion.referee.commands import Buy
from tests.browser.test_live import listening, together  # noqa: F401
from tests.web import play


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

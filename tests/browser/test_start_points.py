"""Points at the start, corrected on a phone; and a late joiner who would have come with others."""

from __future__ import annotations

from playwright.sync_api import expect

from companion import record
from companion.referee.commands import Float, GoDownWithoutCards
from companion.referee.standings import totals
from tests.browser.axe import assert_accessible
from tests.browser.conftest import SMALL
from tests.browser.test_next_games import second_phone
from tests.web import LONG_NAMES, play, score, start, view


def joined(live, code, name="Dora"):
    with live.app.app_context():
        record.join(code, name, token=record.new_token(), seen=view(live.app, code).revision)


def test_points_at_the_start_are_corrected_and_the_other_phone_sees_it(live, phone):
    page = phone(size=SMALL)
    code = start(live.app, page, LONG_NAMES[:4])
    play(live.app, code, score(1, 0, 0, 10, 40, 15))
    other = second_phone(live, phone, code)
    other.goto(f"/g/{code}/scores")
    page.goto(f"/g/{code}/scores")
    page.get_by_role("link", name="Points at the start").tap()
    expect(page.get_by_role("heading", name="Points at the start")).to_be_visible()
    assert_accessible(page)
    page.locator("#start-1, [name=start-1]").first.fill("55")
    page.get_by_role("button", name="See the new totals").tap()
    expect(page.get_by_role("heading", name="Points at the start: is this right?")).to_be_visible()
    assert_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0
    page.get_by_role("button", name="Save the correction").tap()
    expect(page.get_by_text("The points at the start are corrected.")).to_be_visible()
    expect(page.locator(".carried")).to_contain_text("55")
    expect(other.locator(".carried")).to_contain_text("55")


def test_the_joiner_is_given_what_would_have_been_theirs_with_one_tap_and_one_undo(live, phone):
    page = phone()
    code = start(live.app, page)
    play(live.app, code, score(1, 0, 0, 10, 40))
    joined(live, code)
    page.goto(f"/g/{code}/scores/1")
    page.locator("[name=points-2]").fill("90")
    page.get_by_role("button", name="See the new totals").tap()
    expect(page.get_by_text("would have been given 90 points at the start, not 40")).to_be_visible()
    assert_accessible(page)
    page.get_by_label("Give that too").tap()
    page.get_by_role("button", name="Save the correction").tap()
    expect(page.get_by_text("Hand 1 is corrected.")).to_be_visible()
    assert totals(view(live.app, code).state) == {0: 0, 1: 10, 2: 90, 3: 90}
    page.goto(f"/g/{code}/history")
    page.locator("#undo").tap()
    expect(page.locator("#redo")).to_be_visible()
    assert totals(view(live.app, code).state) == {0: 0, 1: 10, 2: 40, 3: 40}


def test_the_whole_hand_and_the_unticked_floater_are_one_undo(live, phone):
    page = phone()
    code = start(live.app, page)
    play(live.app, code, GoDownWithoutCards(1, 2), Float(1, 2))
    before = view(live.app, code).state
    page.goto(f"/g/{code}/over")
    page.locator("label", has=page.locator("[name=out][value='0']")).tap()
    page.locator("[name=points-1]").fill("10")
    page.locator("label.floats", has=page.locator("[value='2']")).tap()
    page.locator("[name=points-2]").fill("30")
    page.get_by_role("button", name="See the new totals").tap()
    page.locator("#save").tap()
    page.wait_for_url(f"**/g/{code}/")
    page.locator("#undo").tap()
    expect(page.get_by_role("heading", name="Hand 1")).to_be_visible()
    assert view(live.app, code).state == before


def test_a_buy_nobody_noted_is_noted_with_one_tap_beside_who_went_down(live, phone):
    page = phone(size=SMALL)
    code = start(live.app, page)
    play(live.app, code, *(score(hand, 0, 0, 25, 40) for hand in range(1, 8)))
    other = second_phone(live, phone, code)
    other.goto(f"/g/{code}/")
    page.goto(f"/g/{code}/down?seat=1")
    page.locator("[name=blind]").first.tap()
    expect(page).to_have_url(f"{live.url}/g/{code}/")
    line = page.locator("#p1 .unnoted")
    expect(line).to_contain_text("without a buy that is not noted")
    expect(other.locator("#p1 .unnoted")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0
    assert_accessible(page)
    line.get_by_role("button", name="Note the buy").tap()
    expect(line).to_have_count(0)
    expect(other.locator("#p1 .unnoted")).to_have_count(0)
    assert view(live.app, code).state.buys_used(1) == 1

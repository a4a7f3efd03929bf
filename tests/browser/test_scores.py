"""Hand over and the sheet of scores on a phone: taps that add up, a preview, corrections, and without scripts."""

from __future__ import annotations

import pytest

from companion import record
from companion.referee.commands import Float, GoDownWithoutCards, LeaveSeat, ScoreHand
from tests.browser.axe import assert_accessible
from tests.browser.conftest import PHONE, SMALL
from tests.web import LONG_NAMES, NAMES, play, score, start


def sideways(page) -> int:
    """How many pixels the page scrolls sideways."""
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


def small_targets(page) -> list[str]:
    """What can be tapped and is hard to hit. A reason's rule number stands in a sentence and may be lower."""
    return page.evaluate(
        """[...document.querySelectorAll("main button, main a:not(.rule-link), main label:has(input), main input[type=text]")]
           .map(e => [e.id || e.textContent.trim(), e.getBoundingClientRect()])
           .filter(([, r]) => r.width > 0 && (r.height < 47.5 || r.width < 43.5))
           .map(([name, r]) => `${name} ${r.width}×${r.height}`)"""
    )


def points(page, seat):
    return page.locator(f"#points-{seat}")


def scores(live, code):
    with live.app.app_context():
        return record.load(code).state.scores


def night(live, page, names=NAMES, hands=3):
    """A game in its fourth hand: a tie, a float, a hand that nobody went out of."""
    code = start(live.app, page, names)
    rest = dict.fromkeys(range(3, len(names)), 25)
    played = (
        ScoreHand(1, 0, {0: 0, 1: 10, 2: 35, **rest}),
        ScoreHand(2, 1, {0: 10, 1: 0, 2: 35, **rest}),
        ScoreHand(3, None, {0: 20, 1: 20, 2: 5, **rest}),
    )
    play(live.app, code, *played[:hands], GoDownWithoutCards(hands + 1, 2), Float(hands + 1, 2))
    return code


def test_a_hand_is_counted_by_tapping_cards_and_saved(live, phone):
    page = phone()
    code = night(live, page)
    page.goto(f"/g/{code}/")
    page.get_by_role("link", name="Hand over").tap()
    page.get_by_label("Bea", exact=True).and_(page.locator("[type=radio]")).check()
    assert not points(page, 1).is_visible(), "who went out holds nothing"
    assert not points(page, 2).is_visible(), "and who floats"
    page.get_by_role("button", name="Cards: Ana").tap()
    for key in ("seven: 5 points", "ace: 15 points", "two: 20 points", "king: 10 points"):
        page.get_by_role("button", name=key).tap()
    page.get_by_role("button", name="Take the last card away").tap()
    assert points(page, 0).input_value() == "5+15+20"
    assert page.locator("output[for=points-0]").inner_text() == "= 40"
    page.get_by_role("button", name="See the new totals").tap()
    row = "".join(page.locator(".changes tbody tr").first.inner_text().split())
    assert row == "Ana:40,total30becomes70,1stbecomes2nd."
    page.get_by_role("button", name="Save and deal hand 5").tap()
    page.wait_for_url(f"**/g/{code}/")
    assert dict(scores(live, code)[3].points) == {0: 40, 1: 0, 2: 0}


def test_who_went_out_opens_the_first_players_cards_and_enter_goes_on(live, phone):
    page = phone()
    code = start(live.app, page)
    page.goto(f"/g/{code}/over")
    page.locator(".outs label").nth(1).tap()
    page.get_by_role("button", name="ace: 15 points").tap()
    assert points(page, 0).input_value() == "15"
    points(page, 0).press("Enter")
    assert points(page, 2).evaluate("one => one === document.activeElement"), "Bea went out, so Carl is next"


def test_taps_add_to_what_was_typed_and_go_on_to_the_next_player(live, phone):
    page = phone()
    code = start(live.app, page)
    page.goto(f"/g/{code}/over")
    page.locator(".outs label").nth(1).tap()
    points(page, 0).fill("45")
    page.get_by_role("button", name="Cards: Ana").tap()
    page.get_by_role("button", name="ace: 15 points").tap()
    assert points(page, 0).input_value() == "45+15"
    page.get_by_role("button", name="Next player").tap()
    assert page.locator("#pad-2").is_visible(), "Bea went out, so Carl is next"
    assert not page.locator("#pad-0").is_visible()
    page.get_by_role("button", name="nine: 10 points").tap()
    assert points(page, 2).input_value() == "10"
    page.get_by_role("button", name="Take the last card away").tap()
    assert points(page, 2).input_value() == ""
    page.get_by_role("button", name="Next player").tap()
    assert page.locator(".pad-ranks").count() == 0 or not page.locator(".pad-ranks").is_visible()


def test_an_error_keeps_everything_and_shows_even_a_hidden_line(live, phone):
    page = phone(scripts=False)  # with them the field of who goes out is emptied at once
    page.expected(422)
    code = start(live.app, page)
    page.goto(f"/g/{code}/over")
    points(page, 0).fill("45")
    points(page, 2).fill("1e5")
    page.locator(".outs label").nth(0).tap()
    page.get_by_role("button", name="See the new totals").tap()
    page.get_by_text("Ana went out and scores 0, not 45.").wait_for()
    assert points(page, 0).is_visible()
    assert points(page, 2).input_value() == "1e5"
    assert page.get_by_text("Points are missing for Bea.").is_visible()
    points(page, 0).fill("")
    points(page, 1).fill("300")
    points(page, 2).fill("15+20")
    page.get_by_role("button", name="See the new totals").tap()
    page.get_by_label("Yes, 300 is right").check()
    page.get_by_role("button", name="See the new totals").tap()
    page.get_by_role("button", name="Save and deal hand 2").tap()
    page.wait_for_url(f"**/g/{code}/")
    assert dict(scores(live, code)[0].points) == {0: 0, 1: 300, 2: 35}


def test_the_whole_way_without_scripts(live, phone):
    page = phone(scripts=False, size=SMALL)
    page.expected(422)
    code = night(live, page)
    page.goto(f"/g/{code}/over")
    assert not page.locator(".pad-open").first.is_visible(), "nothing that does nothing"
    page.locator(".outs label").nth(1).tap()
    page.get_by_role("button", name="See the new totals").tap()
    page.get_by_text("Points are missing for Ana.").wait_for()
    points(page, 0).fill("15+20+5")
    page.get_by_role("button", name="See the new totals").tap()
    page.get_by_role("button", name="Change something").tap()
    page.wait_for_url("**change=1")
    assert points(page, 0).input_value() == "15+20+5"
    assert page.locator("output[for=points-0]").inner_text() == "= 40"
    page.get_by_role("button", name="See the new totals").tap()
    page.get_by_role("button", name="Save and deal hand 5").tap()
    page.wait_for_url(f"**/g/{code}/")
    page.goto(f"/g/{code}/scores")
    page.locator(".hand-link").first.tap()
    page.wait_for_url("**/scores/1")
    points(page, 1).fill("15")
    page.get_by_role("button", name="See the new totals").tap()
    page.get_by_role("button", name="Save the correction").tap()
    page.wait_for_url("**/scores")
    assert scores(live, code)[0].points[1] == 15


def test_back_and_reload_are_harmless(live, phone):
    page = phone()
    code = start(live.app, page)
    page.goto(f"/g/{code}/over")
    page.locator(".outs label").nth(0).tap()
    points(page, 1).fill("45")
    points(page, 2).fill("10")
    page.get_by_role("button", name="See the new totals").tap()
    page.get_by_role("button", name="Change something").wait_for()
    page.reload()
    page.get_by_role("button", name="Save and deal hand 2").tap()
    page.wait_for_url(f"**/g/{code}/")
    page.reload()
    page.go_back()
    page.get_by_text("Hand 1 is written down already, with exactly these points.").wait_for()
    assert len(scores(live, code)) == 1


def test_going_back_from_the_preview_finds_the_form_as_it_was(live, phone):
    page = phone()
    code = start(live.app, page)
    page.goto(f"/g/{code}/over")
    page.locator(".outs label").nth(0).tap()
    points(page, 1).fill("15+20")
    points(page, 2).fill("10")
    page.get_by_role("button", name="See the new totals").tap()
    page.get_by_role("button", name="Save and deal hand 2").wait_for()
    page.go_back()
    page.get_by_role("button", name="See the new totals").wait_for()
    assert points(page, 1).input_value() == "15+20"
    assert points(page, 2).input_value() == "10"
    assert page.locator("output[for=points-1]").inner_text() == "= 35"
    assert page.locator(".outs :checked").get_attribute("value") == "0"


def test_two_phones_at_once_the_slower_one_is_told_and_keeps_what_was_typed(live, phone):
    page = phone()
    page.expected(409)
    code = start(live.app, page)
    page.goto(f"/g/{code}/over")
    page.locator(".outs label").nth(0).tap()
    points(page, 1).fill("45")
    points(page, 2).fill("10")
    page.get_by_role("button", name="See the new totals").tap()
    page.get_by_role("button", name="Save and deal hand 2").wait_for()
    play(live.app, code, score(1, 0, 0, 40, 10))
    page.get_by_role("button", name="Save and deal hand 2").tap()
    page.get_by_text("Somebody was quicker").wait_for()
    assert "Ana 0, Bea 40, Carl 10" in page.locator("#refused").inner_text()
    assert points(page, 1).input_value() == "45"
    page.get_by_role("button", name="See the new totals").tap()
    page.get_by_role("button", name="Save the correction").tap()
    page.wait_for_url("**/scores")
    assert scores(live, code)[0].points[1] == 45


def test_head_row_first_column_and_totals_stay_in_view(live, phone):
    page = phone(size=SMALL)
    code = night(live, page, LONG_NAMES)
    page.goto(f"/g/{code}/scores")
    box = page.locator(".sheet-box")
    box.evaluate("box => box.scrollTo(box.scrollWidth, box.scrollHeight)")
    assert box.evaluate("box => box.scrollLeft > 100 && box.scrollTop > 50"), "it scrolls in its own box"
    edges = """e => { const r = e.getBoundingClientRect(), b = e.closest(".sheet-box").getBoundingClientRect();
                      return [r.left - b.left, r.top - b.top, b.bottom - r.bottom] }"""
    head = page.locator("thead th").last.evaluate(edges)
    first = page.locator("tbody tr").last.locator("th").evaluate(edges)
    total = page.locator("tfoot td").last.evaluate(edges)
    corner = page.locator(".corner").evaluate(edges)
    assert abs(head[1]) < 2
    assert abs(first[0]) < 2
    assert abs(total[2]) < 2
    assert abs(corner[0]) < 2 and abs(corner[1]) < 2
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    assert sideways(page) == 0


@pytest.mark.parametrize("names", [NAMES, LONG_NAMES], ids=["three", "eight"])
@pytest.mark.parametrize("size", [SMALL, PHONE], ids=["small", "phone"])
def test_nothing_scrolls_sideways_and_targets_are_big(live, phone, names, size):
    page = phone(size=size)
    page.expected(422)
    code = night(live, page, names)
    rest = "".join(f"&points-{seat}=295" for seat in range(3, len(names)))
    paths = ("scores", "over", "over?hand=4", f"over?hand=4&out=0&points-1=10&points-2=295{rest}", "scores/2",
             "scores/2?out=1&points-0=35&points-2=30" + "".join(f"&points-{seat}=30" for seat in range(3, len(names))))  # fmt: skip
    for path in paths:
        page.goto(f"/g/{code}/{path}")
        assert sideways(page) == 0, path
        assert small_targets(page) == [], path
    page.goto(f"/g/{code}/over")
    page.locator(".pad-open").first.tap()
    assert sideways(page) == 0
    assert small_targets(page) == []


@pytest.mark.parametrize("language", ["en", "pt"])
def test_text_at_twice_the_size_still_fits(live, phone, language):
    page = phone(size=SMALL, language=language)
    page.expected(422)
    code = night(live, page, LONG_NAMES)
    rest = "".join(f"&points-{seat}=30" for seat in range(3, 8))
    for path in ("scores", "over", "over?hand=4", f"over?hand=4&out=0&points-1=10&floats=2{rest}", "scores/2"):
        page.goto(f"/g/{code}/{path}")
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        assert sideways(page) == 0, path


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en", "pt"])
def test_axe_finds_nothing(live, phone, language, scheme):
    page = phone(language=language, scheme=scheme, bypass_csp=True)
    page.expected(422, 409)
    code = night(live, page, LONG_NAMES)
    play(live.app, code, LeaveSeat(7))
    rest = "".join(f"&points-{seat}=30" for seat in range(3, 7))
    paths = ("scores", "over", "over?hand=4&points-1=300", f"over?hand=4&out=0&points-1=10&floats=2{rest}",
             "over?hand=2&out=0&points-1=10", "scores/2")  # fmt: skip
    for path in paths:
        page.goto(f"/g/{code}/{path}")
        assert_accessible(page)
    page.goto(f"/g/{code}/over")
    page.locator(".pad-open").first.tap()
    assert_accessible(page)


def test_who_goes_out_after_all_leaves_no_points_in_a_hidden_field(live, phone):
    page = phone()
    code = night(live, page)
    page.goto(f"/g/{code}/scores/2")
    outs = page.locator("#outs [type=radio]")
    outs.nth(0).check()
    assert points(page, 0).input_value() == ""
    outs.nth(1).check()
    assert points(page, 0).input_value() == "10", "a mis-tap loses nothing"
    outs.nth(0).check()
    points(page, 1).fill("15")
    page.get_by_role("button", name="See the new totals").tap()
    page.locator("#save").tap()
    page.wait_for_url("**/scores")
    assert scores(live, code)[1].points == {0: 0, 1: 15, 2: 35}


def broken_words(page):
    """The words of names over the columns that go on in another line, or are cut by the edge of their column."""
    return page.evaluate("""() => [...document.querySelectorAll(".sheet-name bdi")].flatMap((name) => {
      const text = name.firstChild, broken = [];
      for (const { 0: word, index } of text.data.matchAll(/[^\\s-]+-?/g)) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const lines = range.getClientRects();
        const box = name.closest("th").getBoundingClientRect();
        if (lines.length > 1 || lines[0].right > box.right + 1 || lines[0].left < box.left - 1) broken.push(word);
      }
      return broken;
    })""")


@pytest.mark.parametrize("size", [SMALL, PHONE], ids=["small", "phone"])
@pytest.mark.parametrize(
    "names",
    [LONG_NAMES, ("Christopher", "Bartholomew", "Grandmother Rosemary", "Grandmother Rosalind", "Jo")],
    ids=["eight", "five"],
)
def test_names_over_the_columns_are_not_broken(live, phone, names, size):
    page = phone(size=size)
    code = night(live, page, names)
    page.goto(f"/g/{code}/scores")
    assert broken_words(page) == []
    shown = page.locator(".sheet-name").all_inner_texts()
    assert len(set(shown)) == len(names)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert broken_words(page) == []
    assert sideways(page) == 0

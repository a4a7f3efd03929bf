"""What was typed stays typed: drafts of forms on the phone, through tabs, Back, reload, the language and a restart."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect
from sqlalchemy import select

from companion import record
from companion.db import db
from companion.models import Game
from companion.referee.commands import CloseGame, CorrectMeld, Float, GoDown
from companion.referee.games import GREBBER, KATE, PERU
from companion.referee.notation import read_meld
from tests.browser.axe import assert_accessible
from tests.browser.conftest import SMALL
from tests.browser.test_scores import points
from tests.browser.touch import Cookies
from tests.web import play, score, start


def stored(page):
    """What the phone keeps, by what it is about (without the game)."""
    text = page.evaluate("JSON.stringify(Object.entries(localStorage).filter(([key]) => key.startsWith('draft ')))")
    return {key.removeprefix("draft ").partition("/")[2]: json.loads(draft) for key, draft in json.loads(text)}


def from_before(page):
    return page.locator(".draft:visible")


def portuguese(page):
    page.locator(".languages").get_by_role("button", name="Português").tap()
    expect(page.locator("html")).to_have_attribute("lang", "pt")


def through_a_tab(page):
    address = page.url
    if page.locator("nav.tabs a[href$=scores]").count():
        page.locator("nav.tabs a[href$=scores]").tap()
        page.wait_for_url("**/scores")
    else:
        page.goto("/rules")
    page.goto(address)


def by_back(page):
    page.goto("/rules")
    page.go_back()


def by_reload(page):
    page.reload()


def without_a_connection(page):
    page.context.set_offline(True)
    page.context.set_offline(False)
    page.reload()


WAYS = {
    "tab": through_a_tab,
    "back": by_back,
    "reload": by_reload,
    "offline": without_a_connection,
    "language": portuguese,
}


# --- each form: how it is opened, what is typed, and how one sees that it is still there ----------------------------


def _count(page, code):
    page.locator(".outs label").nth(1).tap()
    page.locator("#points-0").fill("15+20")
    page.get_by_role("button", name="Cards: Carl").or_(page.get_by_role("button", name="Cartas: Carl")).tap()
    page.locator('#pad-2 [data-points="5"]').first.tap()


def _counted(page):
    expect(page.locator(".outs :checked")).to_have_value("1")
    expect(page.locator("#points-0")).to_have_value("15+20")
    expect(page.locator("output[for=points-0]")).to_have_text("= 35")
    expect(page.locator("#points-2")).to_have_value("5")


def _correct(page, code):
    page.locator("#points-1").fill("35")


def _corrected(page):
    expect(page.locator("#points-1")).to_have_value("35")
    expect(page.locator("#points-2")).to_have_value("40")


def _new(page, code):
    for at, name in enumerate(["Rosa", "J", "Quentin", "Mia", "Ola"]):
        page.locator("[data-chairs] input[name=name]").nth(at).fill(name)
        page.keyboard.press("Enter")
    page.locator("#dealer").select_option("4")
    page.locator("summary", has_text="Begun on paper").tap()
    for at in range(5):
        page.locator("[data-chairs] input[name=points]").nth(at).fill("30")


def _newed(page):
    names = page.locator("[data-chairs] input[name=name]")
    for at, name in enumerate(["Rosa", "J", "Quentin", "Mia", "Ola"]):
        expect(names.nth(at)).to_have_value(name)
    expect(page.locator("#dealer")).to_have_value("4")
    expect(page.locator("[data-chairs] input[name=points]").nth(1)).to_be_visible()
    expect(page.locator("[data-chairs] input[name=points]").nth(1)).to_have_value("30")


def _join(page, code):
    page.locator("#name").fill("Dorothea")
    page.locator("#place").select_option(index=1)


def _joined(page):
    expect(page.locator("#name")).to_have_value("Dorothea")
    assert page.locator("#place").evaluate("field => field.selectedIndex") == 1


def _down(page, code):
    page.locator("input[name=m0-rank]").nth(5).check(force=True)
    page.locator("#m1 summary").tap()
    page.locator("#m1 textarea, #m1 input[type=text]").first.fill("9S 9H 9D")


def _downed(page):
    assert page.locator("input[name=m0-rank]").nth(5).is_checked()
    expect(page.locator("#m1 textarea, #m1 input[type=text]").first).to_have_value("9S 9H 9D")
    expect(page.locator("#m1 textarea, #m1 input[type=text]").first).to_be_visible()


def _lay(page, code):
    page.locator(".lay-off input[name=seat]").last.check(force=True)
    page.locator(".lay-off summary").tap()
    page.locator("#typed").fill("7C")


def _laid(page):
    expect(page.locator("#typed")).to_be_visible()
    expect(page.locator("#typed")).to_have_value("7C")


def _who(page, code):
    page.locator("input[name=discarder]").nth(0).check(force=True)
    page.locator("input[name=call]").nth(2).check(force=True)


def _whod(page):
    assert page.locator("input[name=discarder]").nth(0).is_checked()
    assert page.locator("input[name=call]").nth(2).is_checked()


LINES = "2019-05-04,Ana,0,10\n2019-05-04,Bea,25,0\n2019-05-04,Carl,10,5"


def _paper(page, code):
    page.locator("#text").fill(LINES)


def _papered(page):
    expect(page.locator("#text")).to_have_value(LINES)


def _rename(page, code):
    page.locator("summary", has_text="Another name").tap()
    page.locator("#rename input[name=name]").fill("Anabela")


def _renamed(page):
    expect(page.locator("#rename input[name=name]")).to_be_visible()
    expect(page.locator("#rename input[name=name]")).to_have_value("Anabela")


def _merge(page, code):
    page.locator("summary", has_text="The same as somebody else").tap()
    page.locator("#merge select").select_option(label="Carl")


def _merged(page):
    expect(page.locator("#merge select")).to_be_visible()
    assert page.locator("#merge select").evaluate("field => field.selectedOptions[0].textContent") == "Carl"


def _begin(page, code):
    page.locator("[name=start-1]").first.fill("55")


def _begun(page):
    expect(page.locator("[name=start-1]").first).to_have_value("55")


def _put_right(page, code):
    page.locator("summary", has_text="Entered wrongly").tap()
    page.locator("#correct summary").first.tap()
    page.locator("#correct textarea, #correct input[type=text]").first.fill("8S 8H 8D")


def _is_put_right(page):
    expect(page.locator("#correct textarea, #correct input[type=text]").first).to_be_visible()
    expect(page.locator("#correct textarea, #correct input[type=text]").first).to_have_value("8S 8H 8D")


def _rearrange(page, code):
    page.locator("#take-0").tap()
    page.locator("section.line").wait_for()
    page.locator(".from-hand input[type=text], .from-hand textarea").first.fill("9S")


def _rearranged(page):
    expect(page.locator("section.line")).to_have_count(1)
    expect(page.locator(".from-hand input[type=text], .from-hand textarea").first).to_have_value("9S")


def _kruth(page, code):
    page.locator("#laid-0").fill("12")
    page.locator("#held-1").fill("7")


def _kruthed(page):
    expect(page.locator("#laid-0")).to_have_value("12")
    expect(page.locator("#held-1")).to_have_value("7")


def _settings(page, code):
    page.locator('[value="four"]').check()


def _set(page):
    assert page.locator('[value="four"]').is_checked()


FORMS = {
    "count": ("/g/{code}/over", _count, _counted, "over/2"),
    "correct": ("/g/{code}/scores/1", _correct, _corrected, "correct/1"),
    "new": ("/new", _new, _newed, "table"),
    "join": ("/g/{code}/players", _join, _joined, "join"),
    "down": ("/g/{code}/down?seat=0", _down, _downed, "down/2.0"),
    "lay": ("/g/{code}/melds/0", _lay, _laid, "meld/2.0/lay"),
    "who": ("/g/{code}/who", _who, _whod, "who/2"),
    "paper": ("/data/paper", _paper, _papered, "lines"),
    "rename": ("/people/1", _rename, _renamed, "1/rename"),
    "settings": ("/settings", _settings, _set, "settings"),
    "merge": ("/people/1", _merge, _merged, "1/merge"),
    "start": ("/g/{code}/scores/start", _begin, _begun, "{code}"),
    "put right": ("/g/{code}/melds/0", _put_right, _is_put_right, "meld/2.0/correct"),
    "rearrange": ("/g/{code}/rearrange?seat=1", _rearrange, _rearranged, "rearrange/1.1"),
    "kruth": ("/g/{code}/grebber/count", _kruth, _kruthed, "over/1"),
}  # fmt: skip


DOWN = tuple(map(read_meld, ("set 7S 7H 7D", "run 4S 5S 6S 7S")))
#: Forms of other games than Kate's: the rules, and what has been played.
OTHERS = {
    "rearrange": (PERU, [GoDown(1, 1, (read_meld("set 5S 5H 5D"),))]),
    "kruth": (GREBBER, []),
}


def at_table(live, page, cookies, kind=""):
    """A table of three: in its second hand, where Bea is down, or what a form of another game needs. Its code."""
    rules, played = OTHERS.get(kind, (KATE, [score(1, 0, 0, 25, 40), GoDown(2, 1, DOWN)]))
    code = start(live.app, cookies, rules=rules)
    play(live.app, code, *played)
    return code


@pytest.fixture
def table(live, phone):
    """A phone at a table of three in its second hand, where Bea is down."""
    page = phone()
    return page, at_table(live, page, page)


@pytest.mark.parametrize("kind", FORMS)
def test_what_was_typed_is_still_there(live, phone, kind):
    page = phone()
    code = at_table(live, page, page, kind)
    address, typing, there, about = FORMS[kind]
    page.goto(address.format(code=code))
    assert not from_before(page).count(), "nothing typed yet"
    typing(page, code)
    for name, leave in WAYS.items():
        leave(page)
        there(page)
        expect(from_before(page)).to_have_count(1)
        assert list(stored(page)) == [about.format(code=code)], name
    page.context.clear_cookies(name="language")
    restarted = page.context.new_page()
    page.close()
    restarted.goto(address.format(code=code))
    there(restarted)
    from_before(restarted).get_by_role("button").tap()
    expect(from_before(restarted)).to_have_count(0)
    assert stored(restarted) == {}
    restarted.reload()
    assert not from_before(restarted).count()


# --- landed, sent but refused, gone ----------------------------------------------------------------------------------


def _save_count(page):
    page.locator(".outs label").nth(1).tap()
    page.locator("#points-0").fill("45")
    page.locator("#points-2").fill("5")
    page.get_by_role("button", name="See the new totals").tap()
    page.get_by_role("button", name="Save and deal hand 3").tap()


def _save_correction(page):
    page.get_by_role("button", name="See the new totals").tap()
    page.get_by_role("button", name="Save the correction").tap()


LANDING = {
    "count": _save_count,
    "correct": _save_correction,
    "new": lambda page: page.locator(".start-button").tap(),
    "join": lambda page: page.get_by_role("button", name="Joins the table").tap(),
    "down": lambda page: page.get_by_role("button", name="Down, without entering the cards").tap(),
    "lay": lambda page: page.get_by_role("button", name="Lay it").tap(),
    "rename": lambda page: page.get_by_role("button", name="Save the name").tap(),
    "settings": lambda page: page.get_by_role("button", name="Save").tap(),
}


@pytest.mark.parametrize("kind", LANDING)
def test_what_landed_is_kept_no_longer(table, kind):
    page, code = table
    address, typing, _there, about = FORMS[kind]
    page.goto(address.format(code=code))
    typing(page, code)
    assert list(stored(page)) == [about]
    LANDING[kind](page)
    page.wait_for_function("() => !Object.keys(localStorage).some((key) => key.startsWith('draft '))")
    page.goto(address.format(code=code))
    assert not from_before(page).count() and not page.locator("[data-lost]").count()
    assert "landed" not in {cookie["name"] for cookie in page.context.cookies()}


def test_old_nights_that_came_in_are_kept_no_longer(table):
    page, _code = table
    page.goto("/data/paper")
    _paper(page, "")
    page.get_by_role("button", name="Look at the lines").tap()
    page.get_by_role("button", name="Bring them in").wait_for()
    page.goto("/rules")
    page.goto("/data/paper")
    _papered(page)
    page.get_by_role("button", name="Look at the lines").tap()
    page.get_by_role("button", name="Bring them in").tap()
    page.wait_for_url("/data")
    assert stored(page) == {}


def test_answers_about_old_nights_stay_with_their_lines(phone):
    page = phone()
    page.goto("/data/paper")
    page.locator("#text").fill("Hand,Ana,Bea,Carl\n1,0,0,15\n2,45,0,5")
    page.get_by_role("button", name="Look at the lines").tap()
    page.locator("input[type=date]").fill("2019-05-04")
    page.locator("fieldset", has_text="Several have 0").locator("label", has_text="Bea").tap()
    by_reload(page)
    page.goto("/rules")
    for _step in range(2):
        page.goto("/data/paper")
        by_reload(page)
    page.get_by_role("button", name="Look at the lines").tap()
    expect(page.locator("input[type=date]")).to_have_value("2019-05-04")
    expect(page.locator("fieldset", has_text="Several have 0").locator(":checked + bdi")).to_have_text("Bea")
    page.get_by_role("button", name="Take these answers").tap()
    page.get_by_role("button", name="Bring them in").tap()
    page.wait_for_url("/data")
    assert stored(page) == {}


def test_answers_about_old_nights_go_with_the_lines_when_they_are_cleared(phone):
    page = phone()
    page.goto("/data/paper")
    page.locator("#text").fill("Hand,Ana,Bea,Carl\n1,0,0,15\n2,45,0,5")
    page.get_by_role("button", name="Look at the lines").tap()
    page.locator("input[type=date]").fill("2019-05-04")
    page.goto("/data/paper")
    from_before(page).get_by_role("button").tap()
    expect(page.locator("#text")).to_have_value("")
    assert stored(page) == {} and page.locator("[data-kept]").count() == 0


def test_a_question_that_was_answered_is_missed_by_nobody(live, table):
    page, code = table
    page.goto(f"/g/{code}/who")
    _who(page, code)
    page.get_by_role("button", name="Ask", exact=True).tap()
    page.locator(".verdict").wait_for()
    play(live.app, code, score(2, 0, 0, 30, 10))
    page.goto(f"/g/{code}/")
    page.wait_for_function("() => !Object.keys(localStorage).some((key) => key.startsWith('draft '))")
    assert page.locator("[data-lost]").count() == 0


#: What is done with the subject of a form meanwhile, and a page on which the phone is told.
GONE = {
    "count": [score(2, 0, 0, 30, 10)],
    "down": [score(2, 0, 0, 30, 10)],
    "lay": [score(2, 0, 0, 30, 10)],
    "put right": [CorrectMeld(2, 0, None)],
    "who": [score(2, 0, 0, 30, 10)],
    "join": [CloseGame()],
    "rearrange": [CloseGame()],
    "kruth": [CloseGame()],
}  # fmt: skip


def test_what_was_typed_about_something_that_is_gone_is_shown(live, phone):
    for kind, meanwhile in GONE.items():
        page = phone()
        code = at_table(live, page, page, kind)
        address, typing, _there, about = FORMS[kind]
        page.goto(address.format(code=code))
        typing(page, code)
        play(live.app, code, *meanwhile)
        page.goto(f"/g/{code}/scores")
        notice = page.locator("[data-lost]")
        notice.wait_for()
        assert notice.locator("li").count(), kind
        assert list(stored(page)) == [about.format(code=code)], kind
        notice.get_by_role("button").tap()
        expect(notice).to_have_count(0)
        assert stored(page) == {}, kind
        page.close()


def test_a_refused_form_keeps_what_was_typed_after_it(table):
    page, code = table
    page.expected(422)
    page.goto(f"/g/{code}/over")
    points(page, 0).fill("45")
    page.get_by_role("button", name="See the new totals").tap()
    page.get_by_text("This needs another look").wait_for()
    assert not from_before(page).count(), "it was sent a moment ago"
    points(page, 2).fill("5")
    page.goto(f"/g/{code}/scores")
    page.goto(f"/g/{code}/over")
    expect(points(page, 0)).to_have_value("45")
    expect(points(page, 2)).to_have_value("5")
    page.go_back()
    page.go_back()
    expect(points(page, 2)).to_have_value("5")
    portuguese(page)
    expect(points(page, 2)).to_have_value("5")
    from_before(page).get_by_role("button").tap()
    page.wait_for_url("**/over")
    expect(points(page, 0)).to_have_value("")
    assert stored(page) == {}


def test_a_draft_never_takes_back_what_others_entered_meanwhile(live, table):
    page, code = table
    page.goto(f"/g/{code}/over")
    points(page, 0).fill("45")
    play(live.app, code, Float(2, 1))
    page.reload()
    expect(points(page, 0)).to_have_value("45")
    assert page.locator("[name=floats][value='1']").is_checked()


def test_a_hand_scored_on_another_phone_shows_what_was_typed_here(live, table):
    page, code = table
    page.goto(f"/g/{code}/over")
    _count(page, code)
    page.goto(f"/g/{code}/")
    assert not page.locator("[data-lost]").count(), "the hand is still played"
    play(live.app, code, score(2, 0, 0, 30, 10))
    notice = page.locator("[data-lost]")
    notice.wait_for()
    assert "Hand 2 is over" in notice.inner_text()
    assert notice.locator("li").all_inner_texts() == ["Who went out?: Bea", "Ana: 15+20", "Carl: 5"]
    page.reload()
    notice.wait_for()
    page.goto(f"/g/{code}/over")
    notice.wait_for()
    assert points(page, 0).input_value() == "", "another hand"
    with live.app.app_context():
        game = record.load(code)
        record.undo(code, entry=game.undo.seq, token="t", seen=game.revision)
    page.goto(f"/g/{code}/over")
    _counted(page)
    assert not notice.count()
    with live.app.app_context():
        game = record.load(code)
        record.redo(code, entry=game.redo.seq, token="u", seen=game.revision)
    page.goto(f"/g/{code}/")
    notice.get_by_role("button", name="Put it away").tap()
    assert not notice.count() and stored(page) == {}
    page.reload()
    assert not notice.count()


def test_what_was_typed_too_late_becomes_the_correction_and_no_second_draft(live, table):
    page, code = table
    page.expected(409)
    page.goto(f"/g/{code}/over")
    points(page, 0).fill("45")
    page.locator(".outs label").nth(1).tap()
    points(page, 2).fill("5")
    play(live.app, code, score(2, 0, 0, 30, 10))
    page.get_by_role("button", name="See the new totals").tap()
    page.get_by_text("is scored already").wait_for()
    assert list(stored(page)) == ["correct/2"]
    assert not page.locator("[data-lost]").count()
    page.goto(f"/g/{code}/scores/2")
    expect(points(page, 0)).to_have_value("45")


def test_games_never_mix(live, phone):
    page = phone()
    code = start(live.app, page)
    page.goto(f"/g/{code}/over")
    points(page, 0).fill("45")
    other = start(live.app, page, ("Dan", "Eve", "Flo"))
    page.goto(f"/g/{other}/over")
    assert points(page, 0).input_value() == "" and not from_before(page).count()
    page.goto(f"/g/{other}/")
    assert not page.locator("[data-lost]").count()


def test_codes_and_cards_asked_about_are_not_kept(table):
    page, code = table
    for address, field in (
        ("/referee/meld", "#cards"), ("/referee/contract?hand=2", "#groups"), ("/join", "input[type=text]"),
    ):  # fmt: skip
        page.goto(address)
        page.locator(field).first.fill("7S 7H")
        page.goto("/rules")
        assert stored(page) == {}, address


def test_old_drafts_and_those_above_fifty_go(table):
    page, _code = table
    page.evaluate(
        """() => { for (let at = 0; at < 60; at++) localStorage.setItem(`draft other/over/${at}`,
        JSON.stringify({ at: Date.now() - at * 60000, fields: [], words: [], title: "" }));
        localStorage.setItem("draft other/old/1", JSON.stringify({ at: Date.now() - 31 * 864e5, fields: [], words: [] }));
        localStorage.setItem("draft other/broken/1", "{"); }"""
    )
    page.goto("/settings")
    assert list(stored(page)) == [f"over/{at}" for at in range(50)] or len(stored(page)) == 50
    assert "old/1" not in stored(page) and "over/59" not in stored(page) and "over/0" in stored(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_line_and_the_notice_are_readable(live, phone, scheme):
    page = phone(size=SMALL, scheme=scheme, bypass_csp=True)
    code = start(live.app, page)
    page.goto(f"/g/{code}/over")
    points(page, 0).fill("45")
    page.reload()
    from_before(page).wait_for()
    assert from_before(page).get_by_role("button").bounding_box()["height"] >= 47.5
    assert_accessible(page)
    play(live.app, code, score(1, 0, 0, 30, 10))
    page.goto(f"/g/{code}/")
    page.locator("[data-lost]").wait_for()
    assert_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") == 0


# --- without scripts ---------------------------------------------------------------------------------------------------


# The language button belongs to one form of a page: the first, so not to merging beside renaming, nor to putting right.
@pytest.mark.parametrize("kind", [kind for kind in FORMS if kind not in ("new", "settings", "merge", "put right")])
def test_without_scripts_the_language_button_keeps_what_was_typed(live, phone, kind):
    page = phone(scripts=False)
    code = at_table(live, page, Cookies(page, live.url), kind)
    address, typing, _there, _about = FORMS[kind]
    page.goto(address.format(code=code))
    if kind == "count":
        page.locator("#points-0").fill("15+20")
    else:
        typing(page, code)
    expect(page.locator("noscript p >> visible=true").first).to_be_visible()
    page.locator(".languages").get_by_role("button", name="Português").tap()
    expect(page.locator("html")).to_have_attribute("lang", "pt")
    expect(page.locator("#points-0")).to_have_value("15+20") if kind == "count" else _there(page)
    assert not page.locator(".field-error").count()


# --- Back to a form that landed ----------------------------------------------------------------------------------------


def games(live):
    with live.app.app_context():
        return len(db.session.scalars(select(Game.id)).all())


def test_back_after_start_leads_into_the_game(live, phone):
    page = phone()
    page.goto("/")
    page.get_by_role("link", name="New game").tap()
    page.wait_for_url("/new")
    _new(page, "")
    page.locator(".start-button").tap()
    page.wait_for_url("**/g/*/")
    address = page.url
    page.go_back()
    page.wait_for_url(address)
    assert games(live) == 1
    page.goto("/")
    page.get_by_role("link", name="New game").tap()
    page.wait_for_url("/new")
    assert not page.locator("noscript a").count(), "only for who has no scripts"
    assert page.locator("[data-chairs] input[name=name]").first.input_value() == "", "one more is meant"


def test_back_to_forms_that_landed_makes_nothing_twice(live, table):
    page, code = table
    page.goto(f"/g/{code}/scores")
    page.goto(f"/g/{code}/over")
    LANDING["count"](page)
    page.wait_for_url(f"**/g/{code}/")
    for _step in range(3):
        page.go_back()
        page.wait_for_load_state()
        assert not from_before(page).count()
    with live.app.app_context():
        assert len(record.load(code).state.scores) == 2
    page.goto(f"/g/{code}/players")
    _join(page, code)
    LANDING["join"](page)
    page.locator(".seat-name", has_text="Dorothea").wait_for()
    page.go_back()
    page.goto(f"/g/{code}/players")
    assert page.locator("#name").input_value() == ""


def test_a_page_from_the_back_forward_cache_has_what_was_typed_and_nothing_that_landed(live, table):
    """Chromium caches no page that may not be stored, as ours; Safari does, so its event is sent by hand."""
    page, code = table
    page.goto(f"/g/{code}/over")
    points(page, 0).fill("45")
    came_back = "dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))"
    page.evaluate(f"document.getElementById('points-0').value = ''; {came_back}")
    expect(points(page, 0)).to_have_value("45")
    page.evaluate("document.cookie = `landed=${document.querySelector('.draft').dataset.draft}; Path=/`")
    page.evaluate(came_back)
    page.wait_for_function("() => document.getElementById('points-0')?.value === ''")
    assert stored(page) == {}

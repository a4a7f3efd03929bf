"""Two phones and a table: joining by link and by code, whose phone it is, renewing, copying and sharing."""

from __future__ import annotations

import pytest

from companion import record
from companion.record import phones
from companion.serving import lan
from tests.browser.axe import assert_accessible
from tests.browser.conftest import PHONE, SMALL
from tests.web import LONG_NAMES, NAMES, start

WIDE = {"width": 568, "height": 320}
#: A secure context, as HTTPS or the machine's own screen is; and one as plain HTTP on a home network is.
INSECURE = "Object.defineProperty(window, 'isSecureContext', {value: false})"
#: What a phone's share sheet was given.
SHARE_SHEET = "navigator.share = (what) => { window.shared = what; return Promise.resolve(); }"


@pytest.fixture(autouse=True)
def on_a_home_network(monkeypatch):
    monkeypatch.setattr(lan, "lan_addresses", lambda: ("192.168.1.20",))


@pytest.fixture
def ways(live):
    """`ways(code)`: the links of a game as they are now, by role."""

    def find(code):
        with live.app.app_context():
            return {link.role: link for link in phones.game_links(record.load(code).id)}

    return find


def sideways(page) -> int:
    """How many pixels the page scrolls sideways."""
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


def small_targets(page) -> list[str]:
    """What is to be tapped in the page's main part, and too small for a thumb."""
    return page.evaluate(
        """[...document.querySelectorAll("main button, main a, main summary, main input[type=text], main label:has(input)")]
           .map(e => [e.id || e.textContent.trim(), e.getBoundingClientRect()])
           .filter(([, r]) => r.width > 0 && (r.height < 47.5 || r.width < 47.5)).map(([name, r]) => `${name} ${r.width}×${r.height}`)"""
    )


def selected(field) -> str:
    """What of a text field is selected."""
    return field.evaluate("field => field.value.slice(field.selectionStart, field.selectionEnd)")


def test_a_second_phone_joins_by_the_code_and_both_see_the_same_table(live, phone, ways):
    first, second = phone(), phone()
    code = start(live.app, first)
    first.goto(f"/g/{code}/more")
    first.get_by_role("link", name="Phones").tap()
    shown = first.locator("#keeper .typed-code").inner_text()
    second.goto("/join")
    second.get_by_label("Code").fill(shown.lower())
    second.get_by_role("button", name="Go on").tap()
    second.get_by_text("Ana, Bea, and Carl").wait_for()
    second.get_by_label("Bea").check()
    second.get_by_role("button", name="Join, and enter").tap()
    second.wait_for_url(f"**/g/{code}/")
    second.get_by_role("button", name="Carl buys").tap()
    second.get_by_role("button", name="Carl buys: 2 buys left").wait_for()
    first.goto(f"/g/{code}/")
    first.get_by_role("button", name="Carl buys: 2 buys left").wait_for()
    first.goto(f"/g/{code}/phones")
    assert "Bea" in first.locator("#phone2").inner_text()


def test_a_renewed_link_ends_the_open_page_of_who_came_by_it(live, phone, ways):
    keeper, guest = phone(), phone()
    guest.expected(404)
    code = start(live.app, keeper)
    guest.goto(f"/j/{ways(code)['keeper'].token}")
    guest.locator("#join").tap()
    guest.wait_for_url(f"**/g/{code}/")
    keeper.goto(f"/g/{code}/phones")
    keeper.locator("#keeper summary").tap()
    assert "1 phone that came by it" in keeper.locator("#keeper details").inner_text()
    keeper.locator("#renew-keeper").tap()
    keeper.get_by_text("The old link opens nothing any more").wait_for()
    guest.locator("#live").get_by_text("The link of this phone was renewed").wait_for()  # without a tap
    guest.goto(f"/g/{code}/")
    guest.get_by_role("heading", name="The link was renewed").wait_for()
    guest.get_by_role("link", name="Type a code").tap()
    guest.get_by_label("Code").fill(keeper.locator("#keeper .typed-code").inner_text())
    guest.locator("#go").tap()
    guest.locator("#join").tap()
    guest.wait_for_url(f"**/g/{code}/")
    guest.get_by_role("button", name="Carl buys").wait_for()


def test_everything_works_without_scripts(live, phone, ways):
    keeper, guest = phone(scripts=False), phone(scripts=False)
    guest.expected(404, 422)
    code = start(live.app, phone_with_scripts := phone())
    give(phone_with_scripts, keeper)
    keeper.goto(f"/g/{code}/phones")
    assert keeper.locator("[data-copy]:visible, [data-share]:visible").count() == 0
    assert keeper.locator("#link-watch").input_value().startswith("http://192.168.1.20:")
    guest.goto("/join")
    guest.get_by_label("Code").fill("ABCD EFGH")
    guest.locator("#go").tap()
    guest.get_by_text("No table has this code").wait_for()
    assert guest.get_by_label("Code").input_value() == "ABCD EFGH"
    guest.get_by_label("Code").fill(keeper.locator("#watch .typed-code").inner_text())
    guest.locator("#go").tap()
    guest.locator("#join").tap()
    guest.wait_for_url(f"**/g/{code}/")
    keeper.get_by_label("Name of this phone").fill("Kitchen")
    keeper.get_by_label("Carl", exact=True).check()
    keeper.locator("#save").tap()
    keeper.locator("#phone1").get_by_text("Kitchen").wait_for()
    keeper.locator("#phone2 summary").tap()
    keeper.locator("#remove2").tap()
    keeper.locator("#phone2").wait_for(state="detached")
    guest.goto(f"/g/{code}/")
    guest.get_by_role("heading", name="The link was renewed").wait_for()


def test_a_removed_phone_does_not_come_back_by_the_old_link_and_the_others_stay(live, phone, ways):
    keeper, guest, other = phone(size=SMALL), phone(), phone()
    guest.expected(404)
    code = start(live.app, keeper)
    keeper.goto(f"/g/{code}/phones")
    link = keeper.locator("#link-keeper").input_value().replace("http://192.168.1.20", "http://127.0.0.1")
    for page in (guest, other):
        page.goto(link)
        page.locator("#join").tap()
        page.wait_for_url(f"**/g/{code}/")
    keeper.reload()
    keeper.locator("#phone2 summary").tap()
    keeper.locator("#remove2").tap()
    keeper.get_by_text("Everybody else stays in.").wait_for()
    assert keeper.locator("#link-keeper").input_value().rpartition("/")[2] != link.rpartition("/")[2]
    guest.goto(link)
    assert guest.locator("#join").count() == 0
    other.reload()
    other.wait_for_url(f"**/g/{code}/")
    other.get_by_role("heading", name="Hand 1").first.wait_for()


def give(one, other):
    """Let one phone be the other: as if its cookies were copied."""
    other.context.add_cookies([cookie for cookie in one.context.cookies() if cookie["name"] == "device"])


def test_the_qr_code_fills_the_screen_and_a_tap_closes_it(live, phone):
    for size in (SMALL, PHONE, WIDE):
        page = phone(size=size)
        code = start(live.app, page)
        page.goto(f"/g/{code}/phones")
        page.locator("#watch .qr").tap()
        page.wait_for_url("**/phones/watch")
        box = page.locator(".qr").bounding_box()
        assert box["width"] == pytest.approx(box["height"], abs=3)
        assert box["width"] > 0.65 * min(size.values())
        code_box = page.locator(".typed-code").bounding_box()
        assert code_box["y"] + code_box["height"] < size["height"], "the code beside it is seen without scrolling"
        page.locator(".qr").tap()
        page.wait_for_url("**/phones")


def test_a_link_is_copied_where_there_is_a_clipboard(live, phone):
    page = phone(permissions=["clipboard-read", "clipboard-write"])
    code = start(live.app, page)
    page.goto(f"/g/{code}/phones")
    page.locator("#keeper").get_by_role("button", name="Copy").tap()
    page.locator("#keeper").get_by_role("button", name="Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == page.locator("#link-keeper").input_value()


def test_on_plain_http_a_tap_selects_the_link_and_nothing_is_offered_that_cannot_work(live, phone):
    page = phone()
    page.add_init_script(INSECURE + ";" + SHARE_SHEET)
    code = start(live.app, page)
    page.goto(f"/g/{code}/phones")
    page.locator("#link-watch").tap()
    assert selected(page.locator("#link-watch")) == page.locator("#link-watch").input_value()
    assert page.locator("[data-copy]:visible, [data-share]:visible").count() == 0


def test_the_share_sheet_is_given_the_link(live, phone):
    page = phone()
    page.add_init_script(SHARE_SHEET)
    code = start(live.app, page)
    page.goto(f"/g/{code}/phones")
    page.locator("#watch").get_by_role("button", name="Share…").tap()
    assert page.evaluate("window.shared.url") == page.locator("#link-watch").input_value()


def test_where_there_is_no_share_sheet_none_is_offered(live, phone):
    page = phone()
    page.add_init_script("delete Navigator.prototype.share; delete Navigator.prototype.clipboard")
    code = start(live.app, page)
    page.goto(f"/g/{code}/phones")
    page.locator("#link-watch").tap()
    assert selected(page.locator("#link-watch")) == page.locator("#link-watch").input_value()
    assert page.locator("[data-copy]:visible, [data-share]:visible").count() == 0


@pytest.mark.parametrize("names", [NAMES, LONG_NAMES], ids=["three", "eight"])
@pytest.mark.parametrize("language", ["en", "pt"])
def test_nothing_scrolls_sideways_and_targets_are_big(live, phone, ways, names, language):
    page, guest = phone(size=SMALL, language=language), phone(size=SMALL, language=language)
    guest.expected(404)
    code = start(live.app, page, names)
    guest.goto(f"/j/{ways(code)['keeper'].token}")
    assert (sideways(guest), small_targets(guest)) == (0, [])
    guest.locator("#join").tap()
    guest.wait_for_url(f"**/g/{code}/")
    for path in (f"/g/{code}/phones", f"/g/{code}/phones/keeper", "/join", "/j/" + ways(code)["watch"].token):
        page.goto(path)
        page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        assert (path, sideways(page), small_targets(page)) == (path, 0, [])
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        assert (path, sideways(page)) == (path, 0)
    guest.goto("/j/nothing")
    assert (sideways(guest), small_targets(guest)) == (0, [])


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en", "pt"])
def test_axe_finds_nothing(live, phone, ways, language, scheme):
    page = phone(language=language, scheme=scheme, bypass_csp=True)
    other = phone(language=language, scheme=scheme, bypass_csp=True)
    for one in (page, other):
        one.expected(404, 422)
    code = start(live.app, page, LONG_NAMES)
    other.goto(f"/j/{ways(code)['keeper'].token}")
    assert_accessible(other)
    other.locator("#join").tap()
    other.wait_for_url(f"**/g/{code}/")
    page.goto(f"/g/{code}/phones")
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    assert_accessible(page)
    page.locator("#name").fill("\u200b")
    page.locator("#save").tap()
    page.locator("#name-error").wait_for()
    assert_accessible(page)
    for path in (f"/g/{code}/phones/watch", f"/g/{code}/more", "/join", "/j/nothing"):
        page.goto(path)
        assert_accessible(page)
    page.goto("/join")
    page.locator("#code").fill("x")
    page.locator("#go").tap()
    page.locator("#code-error").wait_for()
    assert_accessible(page)
    page.goto(f"/g/{code}/phones")
    page.locator("#keeper summary").tap()
    page.locator("#renew-keeper").tap()
    page.locator(".notice").wait_for()
    other.goto(f"/g/{code}/")
    assert_accessible(other)

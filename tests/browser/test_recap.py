"""The recap on a phone: read, shared, withdrawn, printed; small, dark, in both languages, with eight long names."""

from __future__ import annotations

import re
from base64 import b64encode
from random import Random

import pytest

from companion.referee.commands import Buy
from tests.browser.axe import assert_accessible
from tests.browser.conftest import PHONE, SMALL
from tests.web import LONG_NAMES, play, score, start

FOUR = ("Ana", "Beatriz", "Carl", "Zoë")
PAGES = ("recap", "print")
#: How many pixels of each of some colours a picture has, drawn from its file by the browser.
COUNT = """async (file) => {
  const image = await createImageBitmap(new Blob([Uint8Array.from(atob(file), (char) => char.charCodeAt(0))]));
  const canvas = new OffscreenCanvas(image.width, image.height);
  const paper = canvas.getContext("2d");
  paper.drawImage(image, 0, 0);
  const data = paper.getImageData(0, 0, image.width, image.height).data;
  let page = 0, ink = 0;
  for (let at = 0; at < data.length; at += 4) {
    if (data[at] === 0xf5 && data[at + 1] === 0xf0 && data[at + 2] === 0xe4) page += 1;
    if (data[at] === 0x1c && data[at + 1] === 0x24 && data[at + 2] === 0x20) ink += 1;
  }
  return { width: image.width, height: image.height, page, ink };
}"""


def sideways(page) -> int:
    """How many pixels the page scrolls sideways."""
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


@pytest.fixture(autouse=True)
def reachable(live, monkeypatch):
    """Links lead to the server of the test, and not to this machine's address on its network."""
    monkeypatch.setattr("companion.pages.recap.base_address", lambda: live.url)


@pytest.fixture
def night(live):
    """`night(page, names, hands)`: the code of a night, the page's phone its keeper."""

    def make(page, names=FOUR, hands=10):
        code, luck = start(live.app, page, names), Random(5)
        for hand in range(1, hands + 1):
            out = luck.randrange(len(names))
            points = [0 if seat == out else 5 * luck.randrange(1, 30) for seat in range(len(names))]
            play(live.app, code, Buy(hand, out), score(hand, out, *points))
        return code

    return make


def test_from_the_end_of_the_night_to_its_recap(live, phone, night):
    page = phone()
    code = night(page)
    page.goto(f"/g/{code}/end")
    page.get_by_role("link", name="Recap: chart, share, print").tap()
    assert page.locator("h1").inner_text().endswith("wins")
    assert page.get_by_role("img", name="Hand by hand").is_visible()
    page.get_by_text("The same in figures").tap()
    assert page.locator(".run-table tbody tr").count() == 10


@pytest.mark.parametrize("language", ["en", "pt"])
@pytest.mark.parametrize("names", [FOUR, LONG_NAMES], ids=["four", "eight"])
@pytest.mark.parametrize("size", [SMALL, PHONE], ids=["small", "phone"])
def test_nothing_scrolls_sideways_and_targets_are_big(live, phone, night, size, names, language):
    page = phone(size=size, language=language)
    code = night(page, names)
    for path in (f"/g/{code}/recap", f"/g/{code}/print", "/print/blank?players=8"):
        page.goto(path)
        for closed in page.locator("details").all():
            closed.locator("summary").tap()
        assert sideways(page) == 0, path
        small = page.evaluate(
            """[...document.querySelectorAll("main button, main a, main summary, main input, main textarea")]
               .map(e => [e.textContent.trim(), e.getBoundingClientRect()])
               .filter(([, r]) => r.width > 0 && (r.height < 47.5 || r.width < 47.5))
               .map(([name, r]) => `${name} ${r.width}×${r.height}`)"""
        )
        assert small == [], path


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en", "pt"])
def test_axe_finds_nothing(live, phone, night, language, scheme):
    page = phone(size=SMALL, language=language, scheme=scheme, bypass_csp=True)
    code = night(page, LONG_NAMES)
    page.goto(f"/g/{code}/recap")
    page.locator("details.figures summary").tap()
    assert_accessible(page)
    page.locator('button[value="make"]').tap()
    page.locator("#link").wait_for()
    assert_accessible(page)
    for path in (page.locator("#link").input_value(), f"/g/{code}/print", "/print/blank", "/r/none"):
        page.expected(404)
        page.goto(path)
        assert_accessible(page)


def test_text_at_twice_the_size_still_fits(live, phone, night):
    page = phone(size=SMALL)
    code = night(page, LONG_NAMES)
    for path in PAGES:
        page.goto(f"/g/{code}/{path}")
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        assert sideways(page) == 0, path


def test_names_at_the_ends_of_the_lines_stay_on_the_chart(live, phone, night):
    page = phone(size=SMALL)
    code = night(page, LONG_NAMES)
    page.goto(f"/g/{code}/recap")
    page.evaluate("document.fonts.ready")
    boxes = page.evaluate(
        """[...document.querySelectorAll(".run .name")].map(name => name.getBBox())
           .map(box => [box.y, box.y + box.height, box.x + box.width])"""
    )
    assert len(boxes) == 8
    boxes.sort()
    assert all(right <= 300 for *_rest, right in boxes)
    # the boxes are of the fonts' whole height: letters themselves are less
    assert all(above[1] - below[0] < 4 for above, below in zip(boxes, boxes[1:], strict=False))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_picture_is_drawn_here_and_saved_as_png(live, phone, night, tmp_path, scheme):
    page = phone(scheme=scheme)
    code = night(page, LONG_NAMES)
    page.goto(f"/g/{code}/recap")
    with page.expect_download() as saving:
        page.get_by_role("button", name="Save the picture").tap()
    file = tmp_path / "night.png"
    saving.value.save_as(file)
    assert re.fullmatch(r"gripe-\d{4}-\d\d-\d\d\.png", saving.value.suggested_filename)
    assert file.read_bytes().startswith(b"\x89PNG")
    seen = page.evaluate(COUNT, b64encode(file.read_bytes()).decode())
    width, height = page.evaluate(
        "(({width, height}) => [width, height])(document.getElementById('picture').viewBox.baseVal)"
    )
    assert (seen["width"], seen["height"]) == (width, height) == (1080, height)
    assert seen["page"] > 0.7 * width * height  # the fixed palette, in the dark too
    assert seen["ink"] > 5000


def test_the_share_sheet_gets_picture_and_text_where_there_is_one(live, phone, night):
    page = phone()
    code = night(page)
    page.add_init_script(
        """navigator.canShare = (what) => what.files.length === 1;
           navigator.share = async ({ files: [file], text }) => { window.shared = [file.name, file.type, file.size, text]; };"""
    )
    page.goto(f"/g/{code}/recap")
    page.get_by_role("button", name="Share the picture").tap()
    page.wait_for_function("window.shared")
    name, kind, size, text = page.evaluate("window.shared")
    assert name.startswith("gripe-") and kind == "image/png" and size > 10_000
    assert text == page.locator("#text").input_value()


def test_where_no_picture_can_be_made_that_is_said(live, phone, night):
    page = phone()
    code = night(page)
    page.add_init_script("HTMLCanvasElement.prototype.toBlob = (done) => done(null)")
    page.goto(f"/g/{code}/recap")
    page.get_by_role("button", name="Save the picture").tap()
    page.get_by_text("A screenshot does the same.").wait_for()


def test_closing_the_share_sheet_is_no_fault(live, phone, night):
    page = phone()
    code = night(page)
    page.add_init_script(
        """navigator.canShare = () => true;
           navigator.share = async () => { window.asked = true; throw new DOMException("closed", "AbortError"); };"""
    )
    page.goto(f"/g/{code}/recap")
    page.get_by_role("button", name="Share the picture").tap()
    page.wait_for_function("window.asked")
    assert page.locator("#failed").inner_text() == ""


def test_without_a_clipboard_the_text_is_selected(live, phone, night):
    page = phone()
    code = night(page)
    page.add_init_script("Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined })")
    page.goto(f"/g/{code}/recap")
    assert not page.get_by_role("button", name="Copy the text").is_visible()
    assert not page.get_by_role("button", name="Share the picture").is_visible()
    page.get_by_role("button", name="Select the text").tap()
    chosen = page.evaluate(
        "(field => field.value.slice(field.selectionStart, field.selectionEnd))(document.activeElement)"
    )
    assert chosen == page.locator("#text").input_value()


def test_the_text_is_copied_where_there_is_a_clipboard(live, phone, night):
    page = phone(permissions=["clipboard-read", "clipboard-write"])
    code = night(page)
    page.goto(f"/g/{code}/recap")
    page.get_by_role("button", name="Copy the text").tap()
    page.get_by_text("Copied.").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == page.locator("#text").input_value()


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_the_link_is_made_seen_and_withdrawn(live, phone, night, scripts):
    keeper, friend = phone(size=SMALL, scripts=scripts), phone(size=SMALL, language="pt", scripts=scripts)
    code = night(keeper) if scripts else _night_without_scripts(live, keeper)
    keeper.goto(f"/g/{code}/recap")
    keeper.get_by_role("button", name="Make a link").tap()
    link = keeper.locator("#link").input_value()
    assert link in keeper.locator("#text").input_value()
    friend.goto(link)
    assert friend.locator("h1").inner_text() != ""
    assert friend.locator(".run .line").count() == 4
    assert friend.locator("a[href*='/g/']").count() == 0
    keeper.get_by_role("button", name="Withdraw the link").tap()
    keeper.get_by_text("The link is withdrawn").wait_for()
    friend.expected(404)
    friend.reload()
    assert friend.locator(".run").count() == 0


def _night_without_scripts(live, page) -> str:
    """`start` asks the page for its address, which takes a script."""
    with live.app.test_client() as helper:
        code = start(live.app, helper, FOUR)
        cookie = helper.get_cookie("device")
    page.context.add_cookies([{"name": "device", "value": cookie.value, "url": live.url}])
    play(live.app, code, score(1, 0, 0, 10, 20, 30))
    return code


@pytest.mark.parametrize("paper", ["A4", "Letter"])
@pytest.mark.parametrize("language", ["en", "pt"])
def test_sheets_of_paper_are_one_page_each(live, phone, night, language, paper):
    page = phone(language=language, scheme="dark")
    code = night(page, LONG_NAMES)
    for path in (
        f"/g/{code}/print",
        "/print/blank?players=3",
        "/print/blank?players=8",
        "/print/blank?players=4&sheet=peru",
    ):
        page.goto(path)
        printed = page.pdf(format=paper, print_background=False)
        assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 1, path
    page.emulate_media(media="print")
    assert not page.locator(".screen-only").first.is_visible()
    assert page.evaluate("getComputedStyle(document.querySelector('.paper')).color") == "rgb(17, 17, 17)"


@pytest.mark.parametrize("paper", ["A4", "Letter"])
@pytest.mark.parametrize("language", ["en", "pt"])
def test_the_recap_is_printed_on_one_page_without_buttons(live, phone, language, paper):
    page = phone(language=language, scheme="dark")
    code = start(live.app, page, LONG_NAMES)
    for hand in range(1, 11):
        out = hand % 8
        points = [0 if seat == out else 5 * (1 + (seat * 3 + hand) % 9) for seat in range(8)]
        play(live.app, code, Buy(hand, out), score(hand, out, *points))
    page.goto(f"/g/{code}/recap")
    printed = page.pdf(format=paper, print_background=False)
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 1
    page.emulate_media(media="print")
    for what in ("button", "a.button", "input", "textarea", ".tabs", ".top", ".podium"):
        assert not any(one.is_visible() for one in page.locator(what).all()), what
    for what in ("h1", ".recap-standings", ".run .chart", ".turns", ".hands-played"):
        assert page.locator(what).first.is_visible(), what


def test_the_print_button_prints(live, phone, night):
    page = phone()
    code = night(page)
    page.add_init_script("window.print = () => { window.printed = true; }")
    page.goto(f"/g/{code}/print")
    page.get_by_role("button", name="Print").tap()
    assert page.evaluate("window.printed")

"""Two phones of one home and a name that both typed: each changes its own nights; a night goes on from a file."""

from __future__ import annotations

import pytest

from companion import record
from companion.exporting import document
from companion.record import exporting, importing, phones
from companion.referee.commands import CloseGame
from tests.browser.axe import assert_accessible
from tests.browser.conftest import PHONE, SMALL
from tests.browser.touch import Cookies, scrolls_sideways, too_small
from tests.web import LONG_NAMES, play, score, start


def looks_good(page) -> None:
    assert not scrolls_sideways(page), page.url
    assert too_small(page, 44) == [], page.url


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "bare"])
def test_a_fresh_phone_renames_its_own_night_and_no_other(live, phone, scripts):
    ours, fresh = phone(), phone(size=SMALL, scripts=scripts)
    code = start(live.app, ours, ("Quentin", "Bea", "Carl"))
    own = start(live.app, Cookies(fresh, live.url), ("quentin", "Dora", "Emil"))
    for each in (code, own):
        play(live.app, each, score(1, 0, 0, 5, 10), CloseGame())
    fresh.goto("/people")
    fresh.get_by_role("link", name="Quentin").tap()
    fresh.get_by_text("1 night with this name stays as it is").wait_for()
    fresh.get_by_text("Forget this person").tap()
    assert fresh.get_by_role("button", name="Take the name away").count() == 0
    looks_good(fresh)
    fresh.get_by_text("Another name").tap()
    fresh.get_by_label("Name", exact=True).fill("Mud")
    fresh.get_by_role("button", name="Save the name").tap()
    fresh.locator("h1 bdi", has_text="Mud").wait_for()
    fresh.get_by_text("1 night with this name stays as it is").wait_for()
    ours.goto(f"/g/{code}/end")
    ours.get_by_role("heading", name="Quentin wins").wait_for()
    fresh.goto(f"/g/{own}/end")
    fresh.get_by_role("heading", name="Mud wins").wait_for()
    ours.goto("/people")
    assert ours.get_by_text("Mud").count() == 0
    fresh.goto("/people")
    fresh.get_by_role("link", name="Mud").tap()
    fresh.get_by_role("button", name="Take back").tap()
    fresh.locator("h1 bdi", has_text="Quentin").wait_for()


def test_a_forgotten_name_is_gone_at_once_and_given_back_by_another_keeper_of_all(live, phone):
    page, other = phone(size=SMALL), phone()
    code = start(live.app, page, ("Quentin", "Bea", "Carl"))
    play(live.app, code, score(1, 0, 0, 5, 10), CloseGame())
    with live.app.app_context():
        view = record.load(code)
        link = next(link for link in phones.game_links(view.id) if link.role == "keeper")
    other.goto(f"/j/{link.token}")
    other.locator("#join").tap()
    other.wait_for_url(f"**/g/{code}/**")
    page.goto("/people")
    page.get_by_role("link", name="Quentin").tap()
    page.get_by_text("Forget this person").tap()
    page.get_by_role("button", name="Take the name away").tap()
    page.locator("h1 bdi", has_text="Somebody 1").wait_for()
    for address in (f"/g/{code}/end", f"/g/{code}/recap", f"/g/{code}/scores", "/", "/nights", "/statistics", "/new"):
        page.goto(address)
        assert "Quentin" not in page.content(), address
    other.goto("/people")
    other.get_by_text("1 hidden").tap()
    other.get_by_role("link", name="Somebody 1").tap()
    other.get_by_text("can be given back until").wait_for()
    looks_good(other)
    assert_accessible(other)
    other.get_by_role("button", name="Take back").tap()
    other.locator("h1 bdi", has_text="Quentin").wait_for()


@pytest.mark.parametrize(
    ("language", "size", "scheme"), [("en", SMALL, "dark"), ("pt", SMALL, "light"), ("en", PHONE, "light")]
)
def test_a_night_that_went_on_elsewhere_goes_on_here_after_a_look(
    live, phone, make_app, tmp_path, language, size, scheme
):
    """Carried to another server and played on there."""
    page, elsewhere, file = phone(size=size, language=language, scheme=scheme), make_app(), tmp_path / "night.json"
    code = start(live.app, page, LONG_NAMES)
    with live.app.app_context():
        night = exporting.night(record.load(code).id, None)
    with elsewhere.app_context():
        (there,) = importing.bring_in(night)
        play(elsewhere, there.code, score(1, 0, 0, 5, 10, 15, 20, 25, 30, 35))
        file.write_bytes(document.write(exporting.night(record.load(there.code).id, None)))
    page.goto("/data")
    page.locator("#file").set_input_files(file)
    page.locator("form[enctype] button").tap()
    page.locator("#go-on").wait_for()
    looks_good(page)
    assert_accessible(page)
    page.locator("#go-on").tap()
    page.locator(".notice-good").wait_for()
    page.goto(f"/g/{code}/scores")
    assert page.get_by_text("35", exact=True).count() > 0

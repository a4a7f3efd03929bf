"""Lists of one's own on their pages: every button of the editor, kept in the house, removed, taken back, shared, limits."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.forms.lists import ListForm
from companion.record import own_lists
from tests.web import device_of, plain, start


class Editor:
    """The editor as a phone without scripts fills it in: what the page shows is what is sent."""

    def __init__(self, phone: FlaskClient, at: str = "/lists/new") -> None:
        self.phone, self.at = phone, at
        self.answer = phone.get(at)

    def fields(self) -> dict[str, str]:
        page = self.answer.text
        sent = dict(re.findall(r'<input[^>]* name="(\w+)"[^>]*? value="([^"]*)"', page))
        sent |= dict(re.findall(r'<textarea[^>]*name="(\w+)"[^>]*>\n?([^<]*)</textarea>', page))
        for name, options in re.findall(r'<select[^>]* name="(\w+)"[^>]*>(.*?)</select>', page, re.S):
            sent[name] = next(iter(re.findall(r'value="([^"]*)" selected', options)), "")
        return sent

    def tap(self, do: str, **typed: str) -> Editor:
        self.answer = self.phone.post(self.at.partition("?")[0], data={**self.fields(), **typed, "do": do})
        return self

    @property
    def hands(self) -> str:
        return self.fields()["hands"]

    @property
    def said(self) -> str:
        return re.search(r'id="list-said">([^<]*)', self.answer.text)[1]  # type: ignore[index]

    @property
    def focus(self) -> str:
        return "".join(re.findall(r'<\w+[^>]* id="([^"]+)"[^>]* autofocus', self.answer.text))


def keep(phone: FlaskClient, hands: str = "2xset3 / set3 run4", name: str = "Friday", **more: Any) -> str:
    """The code of a list that a phone saved."""
    answer = phone.post(
        "/lists/new", data={"hands": hands, "name": name, "sheet": "kate", "do": "save", "token": name, **more}
    )
    assert answer.status_code == 303, plain(answer.text)
    return str(answer.location.rpartition("#list-")[2])


def test_without_a_list_the_page_says_what_one_is_for(client: FlaskClient) -> None:
    page = client.get("/lists")
    assert "Play the hands that you choose" in page.text and 'href="/lists/new"' in page.text


def test_a_list_begins_with_a_game_or_with_nothing(client: FlaskClient) -> None:
    editor = Editor(client)
    assert 'value="begin-liverpool"' in editor.answer.text and editor.hands == ""
    editor.tap("begin-liverpool")
    assert editor.hands.startswith("2xset3 / set3 run4 / 2xrun4") and editor.fields()["sheet"] == "liverpool"
    assert "Classic" not in editor.said and "Liverpool rummy" in editor.said and editor.focus == "hands"
    assert Editor(client).tap("add").hands == "2xset3"
    assert Editor(client, "/lists/new?begin=peru").fields()["sheet"] == "peru"


TAPS = [
    ("2xset3", "more-0-0", "3xset3"), ("2xset3", "fewer-0-0", "set3"), ("set3 run4", "fewer-0-0", "run4"),
    ("2xset3", "longer-0-0", "2xset4"), ("2xset4", "shorter-0-0", "2xset3"), ("2xset3", "kind-0-run", "2xset3 run4"),
    ("run4", "kind-0-set", "run4 set3"), ("set3", "kind-0-anyrun", "set3 anyrun4"), ("set3", "kind-0-colour", "set3 colour4"),
    ("set3", "kind-0-all", "all"), ("all", "kind-0-run", "run4"),
    ("set3", "dealtup-0", "set3 dealt12"), ("set3", "dealtdown-0", "set3 dealt10"), ("set3 dealt9", "dealtusual-0", "set3"),
    ("set3", "buysup-0", "set3 buys4"), ("set3 buys1", "buysdown-0", "set3 buys0"), ("set3 buys20", "buysup-0", "set3 buysany"),
    ("set3 buysany", "buysdown-0", "set3 buys20"), ("set3 buys1", "buysusual-0", "set3"),
    ("set3", "last-0-must_not", "set3 nodiscard"), ("set3 nodiscard", "last-0-rules", "set3"),
    ("set3", "atonce-0", "set3 atonce"), ("set3 endsdeal", "ends-0", "set3"),
    ("set3 / run4", "up-1", "run4 / set3"), ("set3 / run4", "down-0", "run4 / set3"), ("set3 / run4", "copy-0", "set3 / set3 / run4"),
    ("set3 / run4", "drop-0", "run4"), ("set3 / run4", "add", "set3 / run4 / 2xset3"),
    # as far as it goes
    ("set3", "fewer-0-0", "set3"), ("6xset3", "more-0-0", "6xset3"), ("set2", "shorter-0-0", "set2"), ("run14", "longer-0-0", "run14"),
    ("6xset3", "kind-0-run", "6xset3"), ("set3 dealt20", "dealtup-0", "set3 dealt20"), ("set3 dealt3", "dealtdown-0", "set3 dealt3"),
    ("set3 buys0", "buysdown-0", "set3 buys0"), ("set3 buysany", "buysup-0", "set3 buysany"), ("set3 / run4", "up-0", "set3 / run4"),
    # nothing of ours
    ("set3", "up-7", "set3"), ("set3", "more-0-9", "set3"), ("set3", "more-x-y", "set3"), ("set3", "kind-0-pair", "set3"),
    ("set3", "begin-grebber", "set3"), ("set3", "last-0-never", "set3"), ("set3", "", "set3"), ("set3", "kind-9-run", "set3"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "do", "after"), TAPS, ids=lambda value: str(value))
def test_every_button_of_a_hand(app: Flask, before: str, do: str, after: str) -> None:
    with app.test_request_context():
        form = ListForm(hands=before)
        form.change(do)
        assert form.hands.text == after


def test_what_a_button_did_is_said_and_the_focus_stays_with_it(client: FlaskClient) -> None:
    editor = Editor(client).tap("begin-kate").tap("row-1")
    assert editor.focus == "row-1" and 'aria-expanded="true"' in editor.answer.text
    editor.tap("down-1")
    assert (editor.said, editor.focus) == ("It is hand 3 now.", "down-2")
    editor.tap("more-2-0")
    assert editor.said == "Hand 3: Two sets of three and a run of four" and editor.focus == "more-2-0"
    editor.tap("drop-2")
    assert (editor.said, editor.focus) == ("Hand 3 is removed.", "putback") and len(editor.hands.split("/")) == 9
    editor.tap("putback")
    assert editor.hands.split(" / ")[2] == "2xset3 run4" and editor.said == "Hand 3 is back."


def test_a_move_takes_the_open_hand_along(app: Flask) -> None:
    with app.test_request_context():
        form = ListForm(hands="set3 / run4 / run5", open="1")
        form.change("up-1")
        assert form.opened == 0
        form.change("down-1")
        assert form.opened == 0
        form.change("up-1")
        assert form.opened == 1


def test_shuffling_keeps_every_hand(client: FlaskClient) -> None:
    editor = Editor(client).tap("begin-kate")
    before = editor.hands
    orders = {editor.tap("shuffle").hands for _time in range(5)}
    assert all(sorted(order.split(" / ")) == sorted(before.split(" / ")) for order in orders) and len(orders) > 1


def test_every_hand_says_what_is_to_be_known(client: FlaskClient) -> None:
    page = Editor(client, "/lists/new?hands=run13/set3 run10/2xset3 dealt18/3xset4").answer
    for sentence in (
        "No run of 13 by these rules: the longest has 12 cards.", "Nobody can go down without at least 1 buy.",
        "Cannot be dealt to 6 players", "Going down without a buy leaves no card to discard.",
    ):  # fmt: skip
        assert sentence in plain(page.text)


def test_pasted_lines_are_read_one_by_one(client: FlaskClient) -> None:
    pasted = "1. 2 sets of 3\n2. set3 run4 dealt12\n\n3. a pair of shoes\nset99"
    editor = Editor(client).tap("read", pasted=pasted)
    assert editor.hands == "2xset3 / set3 run4 dealt12" and editor.fields()["pasted"] == "3. a pair of shoes\nset99"
    assert "“a” is not understood" in plain(editor.answer.text) and "from 2 to 12 cards" in editor.answer.text
    assert editor.focus == "pasted"
    assert "Type a hand first." in plain(Editor(client).tap("read").answer.text)


def test_a_list_is_kept_changed_and_found_by_every_phone_of_the_home(app: Flask, client: FlaskClient) -> None:
    code = keep(client, name="Friday, short", first="1")
    other = app.test_client()
    page = other.get("/lists")
    assert "Friday, short" in page.text and "1 hand, by the rules of Kate&#39;s rules" in page.text.replace(
        "'", "&#39;"
    )
    editor = Editor(other, f"/lists/{code}")
    assert editor.fields()["first"] == "1"
    assert editor.tap("add").tap("save").answer.status_code == 303
    assert Editor(client, f"/lists/{code}").hands == "2xset3 / set3 run4 / 2xset3"


def test_what_cannot_be_kept_is_said_and_stays_typed(client: FlaskClient) -> None:
    keep(client)
    for typed, sentence in (
        ({"name": ""}, "Type a name."), ({"name": "FRIDAY"}, "Another list here has this name."), ({"name": "x" * 41}, "At most"),
        ({"name": "a", "sheet": "canasta"}, "none of the answers"), ({"name": "a", "first": "99"}, "none of the answers"),
    ):  # fmt: skip
        answer = client.post("/lists/new", data={"hands": "set3 / run4", "sheet": "kate", "do": "save", **typed})
        assert answer.status_code == 422 and sentence in plain(answer.text), typed
        assert ">set3 / run4<" in answer.text
    answer = client.post("/lists/new", data={"name": "Empty", "sheet": "kate", "do": "save"})
    assert answer.status_code == 422 and "Add a hand first." in plain(answer.text)


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "אברהם ו", "=1+1", "👨\u200d👩\u200d👧 list", "a" * 40])
def test_any_name_is_shown_as_it_is(client: FlaskClient, name: str) -> None:
    code = keep(client, name=name)
    for page in ("/lists", f"/lists/{code}", f"/lists/{code}/share", f"/new?list={code}"):
        answer = client.get(page)
        assert answer.status_code == 200 and "<script>alert" not in answer.text


def test_a_form_sent_twice_makes_one_list(client: FlaskClient) -> None:
    assert keep(client) == keep(client)
    assert client.get("/lists").text.count('id="list-') == 1


def test_two_phones_that_change_one_list(app: Flask, client: FlaskClient) -> None:
    code = keep(client)
    mine, other = Editor(client, f"/lists/{code}"), Editor(app.test_client(), f"/lists/{code}")
    assert other.tap("add").tap("save").answer.status_code == 303
    mine.tap("drop-0").tap("save")
    assert mine.answer.status_code == 409 and "Another phone saved this list meanwhile" in plain(mine.answer.text)
    assert mine.hands == "set3 run4" and mine.tap("save").answer.status_code == 303
    assert Editor(client, f"/lists/{code}").hands == "set3 run4"


def test_a_list_is_removed_and_taken_back(client: FlaskClient) -> None:
    code = keep(client)
    assert client.post(f"/lists/{code}/remove").status_code == 303
    assert (
        client.get(f"/lists/{code}").status_code == 404
        and f'action="/lists/{code}/restore"' in client.get("/lists").text
    )
    keep(client, hands="run4", token="other")
    client.post(f"/lists/{code}/restore")
    assert "Another list here has this name" in plain(client.get("/lists").text)
    keep_away = Editor(client, "/lists").phone
    other = [one.code for one in kept(client) if one.code != code][0]
    keep_away.post(f"/lists/{other}/remove")
    client.post(f"/lists/{code}/restore")
    assert [one.code for one in kept(client)] == [code]


def kept(client: FlaskClient) -> Any:
    app: Any = client.application
    with app.app_context():
        return own_lists.kept(device_of(app, client))


def test_there_are_limits(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_lists, "MOST_LISTS", 1)
    keep(client)
    answer = client.post("/lists/new", data={"hands": "set3", "name": "More", "sheet": "kate", "do": "save"})
    assert answer.status_code == 422 and "as many lists here as can be kept" in plain(answer.text)
    monkeypatch.setattr(own_lists, "SAVING", own_lists.Limit("list", 1, own_lists.SAVING.window))
    assert (
        client.post("/lists/new", data={"hands": "set3", "name": "Fast", "sheet": "kate", "do": "save"}).status_code
        == 429
    )
    editor = Editor(client, "/lists/new?hands=" + "/".join(["set3"] * 39))
    assert len(editor.tap("add").tap("add").tap("copy-0").hands.split("/")) == 40
    assert client.post("/lists/new", data={"hands": "set3 / " * 9999, "do": "show"}).status_code == 200


@pytest.mark.parametrize(
    "do", ["up-", "-", "more--", "kind-0-", "begin-", "row-99", "putback", "open", "x" * 99, "last-0-must-0"]
)
def test_nothing_that_is_sent_breaks_it(client: FlaskClient, do: str) -> None:
    sent = {
        "hands": "set3 / \x00 / run4",
        "open": "99999",
        "gone": "9 nothing",
        "do": do,
        "first": "x",
        "progress": "y",
    }
    assert client.post("/lists/new", data=sent).status_code == 200


def test_a_group_on_a_hosted_server_has_its_own_lists(make_app: Any) -> None:
    app = make_app(HOSTED=True)
    mine, friend, stranger = app.test_client(), app.test_client(), app.test_client()
    start(app, mine)
    code = keep(mine)
    assert stranger.get(f"/lists/{code}").status_code == 404 and "Friday" not in stranger.get("/lists").text
    alone = keep(stranger, name="Alone")
    assert mine.get(f"/lists/{alone}").status_code == 404 and "Alone" in stranger.get("/lists").text
    start(app, friend)
    assert friend.get(f"/lists/{code}").status_code == 404


def test_the_link_of_a_list_holds_the_list(app: Flask, client: FlaskClient) -> None:
    code = keep(client, hands="2xset3 / set3 run4 dealt12 / 3xrun4 nodiscard", first="2")
    page = client.get(f"/lists/{code}/share")
    link = re.search(r'id="link" value="([^"]+)"', page.text)
    assert "2xset3\nset3 run4 dealt12\n3xrun4 nodiscard</textarea>" in page.text
    assert link is not None and "<svg" in page.text
    address = "/" + link[1].replace("&amp;", "&").partition("//")[2].partition("/")[2]
    editor = Editor(app.test_client(), address)
    fields = editor.fields()
    assert (fields["hands"], fields["name"], fields["first"]) == (
        "2xset3 / set3 run4 dealt12 / 3xrun4 nodiscard",
        "Friday",
        "2",
    )
    broken = app.test_client().get("/lists/new?hands=set3/nonsense&name=X")
    assert broken.status_code == 200 and "“nonsense” is not understood" in plain(broken.text)


def test_the_longest_list_still_has_its_link(client: FlaskClient) -> None:
    hand = "set3 run4 set3 run4 set3 run4 dealt12 buysany nodiscard atonce endsdeal"
    code = keep(client, hands=" / ".join([hand] * 40), name="Long")
    page = client.get(f"/lists/{code}/share")
    assert page.status_code == 200 and "too long for a QR code" in page.text


def test_the_arrows_of_a_hand_are_no_melds_in_portuguese(client: FlaskClient) -> None:
    page = client.get("/lists/new?hands=set3/run4/run5&open=1", headers={"Accept-Language": "pt"}).text
    assert ">Para cima</button>" in page and ">Para baixo</button>" in page and "Baixou" not in page

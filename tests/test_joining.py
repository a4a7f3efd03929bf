"""Joining: links, codes typed by hand, whose phone it is, renewing, removing, and no guessing."""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from flask_migrate import downgrade, upgrade
from sqlalchemy import func, select, text, update

from companion.db import db, writing
from companion.models import Device, Entry, Game, Guess, Membership
from companion.pages.joining import qr_code
from companion.phones import links
from companion.record import phones
from companion.referee.commands import CloseGame
from companion.serving import lan
from tests.web import LONG_NAMES, NAMES, plain, play, start, three_sets, view

LAN = "192.168.1.20"
#: Pages that a watcher is for.
FOR_WATCHERS = ("", "throw", "scores", "history", "more", "rules", "end")


@pytest.fixture(autouse=True)
def on_a_home_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lan, "lan_addresses", lambda: (LAN,))


def ways(app: Flask, code: str) -> dict[str, phones.Link]:
    """The links of a game as they are now, by role."""
    with app.app_context():
        return {link.role: link for link in phones.game_links(view(app, code).id)}


def members(app: Flask, code: str) -> dict[int, phones.Member]:
    with app.app_context():
        return {member.number: member for member in phones.members(view(app, code).id)}


def count(app: Flask, table: type) -> int:
    with app.app_context():
        return int(db.session.execute(select(func.count()).select_from(table)).scalar_one())


def come(app: Flask, code: str, role: str = "keeper", seat: str = "") -> FlaskClient:
    """Another phone, which joins by a link."""
    phone = app.test_client()
    answer = phone.post(f"/j/{ways(app, code)[role].token}", data={"seat": seat})
    assert answer.status_code == 303 and answer.location == f"/g/{code}/"
    return phone


def send(phone: FlaskClient, code: str, do: str, status: int = 303, **more: str) -> Any:
    """Press a button of the phones page as it is now."""
    answer = phone.post(f"/g/{code}/phones", data={"do": do, **more})
    assert answer.status_code == status, answer.text
    return answer


def renew(app: Flask, phone: FlaskClient, code: str, role: str = "keeper") -> None:
    send(phone, code, f"renew.{role}", link=ways(app, code)[role].token)


def type_code(phone: FlaskClient, code: str, address: str = "10.0.0.1") -> Any:
    return phone.post("/join", data={"code": code}, environ_base={"REMOTE_ADDR": address})


def later(app: Flask, code: str, by: timedelta) -> None:
    """As if the night had been left lying for a while."""
    with app.app_context(), writing() as session:
        at = datetime.now(UTC) - by
        session.execute(update(Game).where(Game.code == code).values(short_at=at, changed_at=at))
        session.execute(update(Guess).values(since=at))


# --- links and codes ------------------------------------------------------------------------------------------------


def test_a_link_has_128_random_bits_and_a_short_code_40_without_o_0_i_1() -> None:
    made = {links.new_link() for _ in range(50)}
    assert len(made) == 50
    assert {len(urlsafe_b64decode(link + "==")) for link in made} == {16}
    assert len(set(links.LETTERS)) == 32 and not set(links.LETTERS) & set("O0I1")
    shorts = {links.new_short() for _ in range(200)}
    assert len(shorts) == 200
    assert {len(short) for short in shorts} == {8} and set("".join(shorts)) <= set(links.LETTERS)


@pytest.mark.parametrize("typed", ["K7QM3XPD", "k7qm 3xpd", " K7QM-3XPD ", "k7 qm 3x pd", "k7qm.3xpd", "\tk7Qm3xPd\n"])
def test_a_code_is_read_in_any_case_with_or_without_gaps(typed: str) -> None:
    assert links.read_short(typed) == "K7QM3XPD"


@pytest.mark.parametrize("typed", ["", "K7QM3XP", "K7QM3XPDD", "K7QM3XP0", "K7QM3XPO", "K7QM 3XPI", "K7QM3XP1", "Ｋ7QM3XPD",
                                   "ß7QM3XP", "A" * 5000, "٧" * 8, "K7QM\x003XP", "<b>K7</b>"])  # fmt: skip
def test_what_can_be_no_code_is_none(typed: str) -> None:
    assert links.read_short(typed) is None


def test_every_game_has_two_links_and_two_codes_of_its_own(app: Flask, client: FlaskClient) -> None:
    game_links = [way for code in (start(app, client), start(app, client)) for way in ways(app, code).values()]
    assert [way.role for way in game_links] == ["keeper", "watch"] * 2
    assert len({way.token for way in game_links} | {way.short for way in game_links}) == 8


def test_games_of_an_older_database_get_their_links(app: Flask, client: FlaskClient, code: str) -> None:
    with app.app_context():
        downgrade(revision="0002")
        columns = {row.name for row in db.session.execute(text("PRAGMA table_info(game)"))}
        assert "keeper_short" not in columns
        db.session.rollback()
        upgrade()
    assert client.get(f"/g/{code}/").status_code == 200
    game_links = ways(app, code)
    assert all(len(way.token) == 22 and links.read_short(way.short) for way in game_links.values())
    assert len({way.short for way in game_links.values()}) == 2


# --- the page of the phones -----------------------------------------------------------------------------------------


def field(page: str, role: str) -> str:
    value = re.search(rf'id="link-{role}" value="([^"]*)"', page)
    return value[1] if value else ""


def test_a_keeper_sees_both_links_their_qr_codes_and_codes_to_type(app: Flask, client: FlaskClient, code: str) -> None:
    page = client.get(f"/g/{code}/phones").text
    for role, way in ways(app, code).items():
        address = f"http://{LAN}/j/{way.token}"
        assert field(page, role) == address
        assert str(qr_code(address)) in page
        assert f">{way.short[:4]} {way.short[4:]}<" in page
    assert f"at {LAN}<wbr>/join" in page
    assert f'href="/g/{code}/phones"' in client.get(f"/g/{code}/more").text


def test_each_qr_code_fills_a_page_of_its_own(app: Flask, client: FlaskClient, code: str) -> None:
    for role, way in ways(app, code).items():
        page = client.get(f"/g/{code}/phones/{role}").text
        assert str(qr_code(f"http://{LAN}/j/{way.token}")) in page
        assert links.grouped(way.short) in page
    assert client.get(f"/g/{code}/phones/owner").status_code == 404


def test_a_qr_code_is_black_on_white_and_needs_no_inline_style() -> None:
    drawn = str(qr_code("http://192.168.1.20:8000/j/x"))
    assert 'fill="#fff"' in drawn and 'stroke="#000"' in drawn
    assert "style" not in drawn and "class" not in drawn


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ("http://localhost:8000", f"http://{LAN}:8000"), ("http://127.0.0.1:8000", f"http://{LAN}:8000"),
        ("http://[::1]:8000", f"http://{LAN}:8000"), ("http://0.0.0.0:9000", f"http://{LAN}:9000"),
        ("http://gripe.localhost", f"http://{LAN}"), ("http://LOCALHOST:8000", f"http://{LAN}:8000"),
        ("http://192.168.1.77:8000", "http://192.168.1.77:8000"), ("http://[fd00::7]:8000", "http://[fd00::7]:8000"),
        ("https://gripe.example", "https://gripe.example"), ("http://kitchen.local:8000", "http://kitchen.local:8000"),
    ],
)  # fmt: skip
def test_the_address_is_one_that_a_phone_can_open(app: Flask, asked: str, shown: str) -> None:
    with app.test_request_context(base_url=asked):
        assert lan.base_address() == shown


def test_links_of_a_home_say_that_they_work_in_its_wi_fi_only(
    app: Flask, client: FlaskClient, code: str, make_app: Any
) -> None:
    said = "Links and codes work in this Wi-Fi only"
    assert said in client.get(f"/g/{code}/phones").text
    hosted = make_app(HOSTED=True)
    phone = hosted.test_client()
    away = start(hosted, phone)
    device = phone.get_cookie("device")
    phone.set_cookie("device", device.value, domain="gripe.example.org")
    page = phone.get(f"/g/{away}/phones", base_url="http://gripe.example.org")
    assert page.status_code == 200
    assert "http://gripe.example.org/j/" in page.text
    assert said not in page.text


def test_the_machines_own_name_is_no_address_for_others(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lan.socket, "gethostname", lambda: "Kitchen-PC")
    with app.test_request_context(base_url="http://kitchen-pc:8000"):
        assert lan.base_address() == f"http://{LAN}:8000"


def test_behind_a_proxy_scheme_and_host_are_the_proxys(make_app: Any) -> None:
    said = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "gripe.example", "X-Forwarded-For": "1.2.3.4"}
    for proxies, shown in ((1, "https://gripe.example"), (0, f"http://{LAN}:8000")):
        app = make_app(TRUSTED_PROXIES=proxies)
        phone = app.test_client()
        code = start(app, phone)
        # the cookie that the test gave is one of "localhost"
        cookie = {"Cookie": f"device={phone.get_cookie('device').value}"}
        page = app.test_client(use_cookies=False).get(
            f"/g/{code}/phones", headers={**said, **cookie}, base_url="http://localhost:8000"
        )
        assert field(page.text, "watch") == f"{shown}/j/{ways(app, code)['watch'].token}"


@pytest.mark.parametrize(("host", "network"), [("0.0.0.0", ()), ("127.0.0.1", (LAN,)), ("localhost", (LAN,))])
def test_where_no_phone_can_come_none_is_invited(
    make_app: Any, monkeypatch: pytest.MonkeyPatch, host: str, network: tuple[str, ...]
) -> None:
    monkeypatch.setattr(lan, "lan_addresses", lambda: network)
    app = make_app(HOST=host)
    client = app.test_client()
    code = start(app, client)
    page = client.get(f"/g/{code}/phones").text
    assert "No other phone can reach this server" in page
    assert 'class="qr' not in page and "/j/" not in page
    assert client.get(f"/g/{code}/phones/keeper").status_code == 404
    send(client, code, "me", name="Ana's phone", seat="0")


@pytest.mark.parametrize(
    "host", ["[::1", "a b", "x:y:z", "host:99999999", "ä.example", "'\"<>", "", "[fe80::1%25eth0]:80"]
)
def test_a_garbled_host_is_no_error_of_ours(app: Flask, client: FlaskClient, code: str, host: str) -> None:
    cookie = f"device={client.get_cookie('device').value}"
    phone = app.test_client(use_cookies=False)
    answer = phone.get(f"/g/{code}/phones", headers={"Host": host, "Cookie": cookie})
    assert answer.status_code in (200, 400)


# --- coming by a link -----------------------------------------------------------------------------------------------


def test_a_link_says_whose_table_it_is_and_what_one_may_do_there(app: Flask, code: str) -> None:
    game_links = ways(app, code)
    keeper = app.test_client().get(f"/j/{game_links['keeper'].token}").text
    assert "Ana, Bea, and Carl" in keeper and "you may enter" in keeper
    watch = app.test_client().get(f"/j/{game_links['watch'].token}").text
    assert "Ana, Bea, and Carl" in watch and "You change nothing" in watch


def test_looking_at_a_link_changes_nothing(app: Flask, code: str) -> None:
    before = (count(app, Membership), count(app, Device), count(app, Guess))
    for way in ways(app, code).values():
        phone = app.test_client()
        answer = phone.get(f"/j/{way.token}")
        assert "device=" not in "".join(answer.headers.getlist("Set-Cookie"))
        assert phone.get(f"/g/{code}/").status_code == 404
        assert phone.get(f"/join?code={way.short}").status_code == 200
        assert phone.get("/j/" + "x" * 22).status_code == 404
    assert (count(app, Membership), count(app, Device), count(app, Guess)) == before


def test_who_comes_by_the_keeper_link_may_enter(app: Flask, code: str) -> None:
    phone = come(app, code)
    page = phone.get(f"/g/{code}/").text
    fields = dict(re.findall(r'name="(token|seen|hand)" value="([^"]*)"', page))
    assert phone.post(f"/g/{code}/do", data={**fields, "do": "buy.1.1"}).status_code == 303
    assert view(app, code).state.buys_used(1) == 1
    assert f'href="/g/{code}/"' in phone.get("/").text


def test_who_comes_by_the_watch_link_may_look(app: Flask, code: str) -> None:
    phone = come(app, code, "watch")
    for path in FOR_WATCHERS:
        assert phone.get(f"/g/{code}/{path}").status_code == 200, path
    assert phone.get("/referee").status_code == 200
    assert phone.post(f"/g/{code}/do", data={"do": "buy.1.1", "hand": "1"}).status_code == 403
    assert "Phones" not in phone.get(f"/g/{code}/more").text
    assert phone.get(f"/g/{code}/phones").status_code == 403
    assert phone.get(f"/g/{code}/phones/watch").status_code == 403
    assert view(app, code).revision == 1


def test_sent_twice_a_phone_comes_once(app: Flask, code: str) -> None:
    phone = come(app, code)
    link = f"/j/{ways(app, code)['keeper'].token}"
    assert phone.post(link).status_code == 303
    assert [(member.number, member.role) for member in members(app, code).values()] == [(1, "keeper"), (2, "keeper")]
    assert "This phone is at the table already" in phone.get(link).text


def test_a_keeper_who_opens_the_watch_link_may_still_enter(app: Flask, client: FlaskClient, code: str) -> None:
    assert "already" in client.get(f"/j/{ways(app, code)['watch'].token}").text
    assert client.post(f"/j/{ways(app, code)['watch'].token}").status_code == 303
    assert members(app, code)[1].role == "keeper" and members(app, code)[1].is_first


def test_a_watcher_who_opens_the_keeper_link_may_enter_from_then_on(app: Flask, client: FlaskClient, code: str) -> None:
    phone = come(app, code, "watch")
    assert "already" not in phone.get(f"/j/{ways(app, code)['keeper'].token}").text
    assert phone.post(f"/j/{ways(app, code)['keeper'].token}").status_code == 303
    assert members(app, code)[2].role == "keeper"
    renew(app, client, code, "watch")
    assert phone.get(f"/g/{code}/").status_code == 200
    renew(app, client, code, "keeper")
    assert phone.get(f"/g/{code}/").status_code == 404


@pytest.mark.parametrize("token", ["x", "x" * 22, "x" * 4000, "a%00b", "%F0%9F%82%A1", "..%2f..", "keeper"])
def test_what_is_no_link_opens_nothing(app: Flask, code: str, token: str) -> None:
    for answer in (app.test_client().get(f"/j/{token}"), app.test_client().post(f"/j/{token}")):
        assert answer.status_code == 404
    assert count(app, Membership) == 1


def test_a_games_code_is_no_link_to_it(app: Flask, code: str) -> None:
    assert app.test_client().get(f"/j/{code}").status_code == 404


def test_a_link_to_a_finished_night_leads_to_its_end(app: Flask, code: str) -> None:
    play(app, code, CloseGame())
    assert come(app, code, "watch").get(f"/g/{code}/", follow_redirects=True).request.path == f"/g/{code}/end"


@pytest.mark.parametrize("path", ["/join", "/j/{token}", "/g/{code}/phones"])
def test_every_form_needs_its_csrf_token(make_app: Any, path: str) -> None:
    app = make_app(WTF_CSRF_ENABLED=True)
    client = app.test_client()
    code = start(app, client)
    path = path.format(code=code, token=ways(app, code)["keeper"].token)
    assert client.post(path, data={"do": "wake", "code": ways(app, code)["keeper"].short}).status_code == 400
    assert 'name="csrf_token"' in client.get(path).text


def test_names_of_any_kind_are_shown_as_they_are(app: Flask, client: FlaskClient) -> None:
    code = start(app, client, LONG_NAMES)
    for page in (
        client.get(f"/g/{code}/phones").text,
        app.test_client().get(f"/j/{ways(app, code)['watch'].token}").text,
    ):
        assert "&lt;script&gt;alert(1)" in page and "<script>alert" not in page
        assert '<bdi translate="no">אברהם</bdi>' in page


# --- coming by a code -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("role", ["keeper", "watch"])
def test_a_code_typed_in_any_case_leads_to_its_link(app: Flask, code: str, role: str) -> None:
    way = ways(app, code)[role]
    for typed in (way.short, links.grouped(way.short).lower(), f" {way.short[:2]}-{way.short[2:]} "):
        answer = type_code(app.test_client(), typed)
        assert (answer.status_code, answer.location) == (303, f"/j/{way.token}")
    assert count(app, Membership) == 1


def test_a_wrong_code_is_told_and_what_was_typed_stays(app: Flask, code: str) -> None:
    answer = type_code(app.test_client(), "abcd efgh")
    assert answer.status_code == 422
    assert "No table has this code" in answer.text and 'value="abcd efgh"' in answer.text
    assert "device=" not in "".join(answer.headers.getlist("Set-Cookie"))


@pytest.mark.parametrize("typed", ["", "K7QM 3XP0", "hello", "x" * 5000, "\x00", "🂡"])
def test_what_can_be_no_code_is_told_so_and_is_no_try(app: Flask, typed: str) -> None:
    answer = type_code(app.test_client(), typed)
    assert answer.status_code == 422
    assert "A code has eight letters and figures" in plain(answer.text)
    assert count(app, Guess) == 0


def test_a_code_sleeps_a_day_after_the_last_entry_and_a_keeper_makes_new_ones(
    app: Flask, client: FlaskClient, code: str
) -> None:
    old = ways(app, code)
    later(app, code, links.SHORT_LIVES - timedelta(minutes=5))
    assert type_code(app.test_client(), old["keeper"].short).status_code == 303
    later(app, code, links.SHORT_LIVES + timedelta(minutes=5))
    assert type_code(app.test_client(), old["keeper"].short).status_code == 422
    assert app.test_client().get(f"/j/{old['keeper'].token}").status_code == 200
    page = client.get(f"/g/{code}/phones").text
    assert old["keeper"].short[:4] not in page and 'value="wake"' in page
    assert "asleep" in client.get(f"/g/{code}/phones/watch").text
    send(client, code, "wake")
    new = ways(app, code)
    assert new["keeper"].token == old["keeper"].token
    assert {way.short for way in new.values()}.isdisjoint(way.short for way in old.values())
    assert type_code(app.test_client(), new["watch"].short).status_code == 303
    send(client, code, "wake")
    assert ways(app, code) == new, "what is awake stays"


def test_an_entry_wakes_the_code_again(app: Flask, code: str) -> None:
    later(app, code, links.SHORT_LIVES * 7)
    assert ways(app, code)["keeper"].short == ""
    play(app, code, three_sets())
    assert type_code(app.test_client(), ways(app, code)["keeper"].short).status_code == 303


# --- no guessing ----------------------------------------------------------------------------------------------------


def guess(app: Flask, times: int, address: str = "10.0.0.1", phone: FlaskClient | None = None) -> list[int]:
    return [type_code(phone or app.test_client(), "ABCDEFGH", address).status_code for _ in range(times)]


def test_after_ten_wrong_codes_an_address_waits_and_is_told_how_long(app: Flask, code: str) -> None:
    assert guess(app, links.TRIES) == [422] * links.TRIES
    answer = type_code(app.test_client(), "ABCDEFGH")
    assert answer.status_code == 429
    assert 0 < int(answer.headers["Retry-After"]) <= links.WINDOW.total_seconds()
    assert "Too many wrong codes" in answer.text and "10 minutes" in answer.text and 'value="ABCDEFGH"' in answer.text
    assert type_code(app.test_client(), ways(app, code)["keeper"].short).status_code == 429, "a right one would tell"


def test_the_table_is_not_locked_out_by_somebody_who_guesses(app: Flask, client: FlaskClient, code: str) -> None:
    guess(app, links.TRIES + 5)
    short, token = ways(app, code)["keeper"].short, ways(app, code)["keeper"].token
    here = {"environ_base": {"REMOTE_ADDR": "10.0.0.1"}}
    assert client.get(f"/g/{code}/", **here).status_code == 200
    assert app.test_client().get(f"/j/{token}", **here).status_code == 200
    assert app.test_client().post(f"/j/{token}", **here).status_code == 303
    assert type_code(app.test_client(), short, "10.0.0.2").status_code == 303


def test_after_the_window_codes_are_taken_again(app: Flask, code: str) -> None:
    guess(app, links.TRIES + 1)
    later(app, code, links.WINDOW + timedelta(seconds=1))
    assert type_code(app.test_client(), ways(app, code)["keeper"].short).status_code == 303
    assert guess(app, links.TRIES + 1)[-2:] == [422, 429]


def test_what_is_over_is_forgotten(app: Flask, code: str) -> None:
    guess(app, 1, "10.0.0.1")
    guess(app, 1, "10.0.0.2")
    assert count(app, Guess) == 2
    later(app, code, links.WINDOW + timedelta(seconds=1))
    guess(app, 1, "10.0.0.3")
    assert count(app, Guess) == 1


def test_right_codes_are_no_guesses(app: Flask, code: str) -> None:
    short = ways(app, code)["watch"].short
    assert {type_code(app.test_client(), short).status_code for _ in range(3 * links.TRIES)} == {303}


def test_a_phone_that_changes_its_address_goes_on_counting(app: Flask, client: FlaskClient, code: str) -> None:
    asked = [guess(app, 1, f"10.0.1.{number}", client)[0] for number in range(links.TRIES + 1)]
    assert asked == [422] * links.TRIES + [429]
    assert guess(app, 1, "10.0.1.99") == [422], "other phones are not concerned"


def test_one_household_of_ipv6_is_one_address(app: Flask) -> None:
    asked = [guess(app, 1, f"2001:db8:0:1{number:02x}::{number}")[0] for number in range(links.TRIES + 1)]
    assert asked[-1] == 429
    assert guess(app, 1, "2001:db8:0:1200::1") == [422]
    assert guess(app, links.TRIES + 1, "::ffff:10.9.9.9")[-1] == 429
    assert guess(app, 1, "10.9.9.9") == [429]
    assert guess(app, 1, "not an address") == [422]


def test_no_address_can_be_read_off_the_database(app: Flask) -> None:
    guess(app, 1, "10.0.0.1")
    with app.app_context():
        (bucket,) = db.session.execute(select(Guess.bucket)).scalars()
    assert re.fullmatch("[0-9a-f]{64}", bucket)


def test_made_up_links_that_are_sent_are_guesses_too(app: Flask, code: str) -> None:
    asked = [app.test_client().post("/j/" + f"{number:022d}") for number in range(links.TRIES + 1)]
    assert [answer.status_code for answer in asked] == [404] * links.TRIES + [429]
    assert int(asked[-1].headers["Retry-After"]) > 0 and "Too fast" in asked[-1].text
    assert app.test_client().post(f"/j/{ways(app, code)['watch'].token}").status_code == 303


def test_tries_made_at_once_are_all_counted(app: Flask) -> None:
    """Whoever asks in parallel gets no more tries; the count is the database's, not a process's."""
    with ThreadPoolExecutor(8) as pool:
        asked = list(pool.map(lambda _: guess(app, 1)[0], range(3 * links.TRIES)))
    assert sorted(asked) == [422] * links.TRIES + [429] * 2 * links.TRIES


# --- whose phone it is ----------------------------------------------------------------------------------------------


def test_a_phone_says_whose_it_is_when_it_comes_and_makes_no_second_ana(app: Flask, code: str) -> None:
    come(app, code, seat="0")
    come(app, code, "watch", seat="0")
    assert [member.seat for member in members(app, code).values()] == [None, 0, 0]
    after = view(app, code)
    assert (after.revision, dict(after.names)) == (1, dict(enumerate(NAMES)))
    assert count(app, Entry) == 1


def test_a_keeper_says_whose_phone_it_is_and_takes_it_back(app: Flask, client: FlaskClient, code: str) -> None:
    send(client, code, "me", seat="2", name="")
    assert members(app, code)[1].seat == 2
    page = client.get(f"/g/{code}/phones").text
    assert re.search(r'name="seat" value="2" checked', page)
    send(client, code, "me", seat="", name="")
    assert members(app, code)[1].seat is None


def test_seat_of_is_the_seat_of_the_phone_that_asks(app: Flask, client: FlaskClient, code: str) -> None:
    from companion.views.desk import own_seat

    phone = come(app, code, seat="1")
    for asking, seat in ((phone, 1), (client, None), (app.test_client(), None)):
        cookie = asking.get_cookie("device")
        with app.test_request_context(headers={"Cookie": f"device={cookie.value}"} if cookie else {}):
            assert own_seat(view(app, code)) == seat


@pytest.mark.parametrize("seat", ["3", "99", "-1", "x", "0 ", "٠", "1" * 400])
def test_a_seat_that_is_not_at_the_table_is_refused(app: Flask, client: FlaskClient, code: str, seat: str) -> None:
    answer = send(client, code, "me", 422, seat=seat, name="Kitchen")
    assert "This is none of the answers here" in answer.text and 'value="Kitchen"' in answer.text
    phone = app.test_client()
    refused = phone.post(f"/j/{ways(app, code)['keeper'].token}", data={"seat": seat})
    assert refused.status_code == 422 and "This is none of the answers here" in refused.text
    assert len(members(app, code)) == 1


def test_a_phone_that_lost_its_cookie_comes_back_by_a_link(app: Flask, client: FlaskClient, code: str) -> None:
    phone = come(app, code, seat="1")
    client.delete_cookie("device")
    assert client.get(f"/g/{code}/").status_code == 404
    shown = phone.get(f"/g/{code}/phones").text
    assert client.post(field(shown, "keeper").removeprefix(f"http://{LAN}")).status_code == 303
    assert client.get(f"/g/{code}/phones").status_code == 200
    assert [member.number for member in members(app, code).values()] == [1, 2, 3]


# --- names ----------------------------------------------------------------------------------------------------------


def test_a_phones_name_is_in_the_list_and_in_the_history(app: Flask, client: FlaskClient, code: str) -> None:
    other = come(app, code)
    send(client, code, "me", seat="", name="  Ana's   <phone> ")
    for path in ("phones", "history"):
        assert "Ana&#39;s &lt;phone&gt;" in other.get(f"/g/{code}/{path}").text
    send(client, code, "me", seat="", name="")
    assert "Ana&#39;s" not in other.get(f"/g/{code}/history").text


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("x" * 41, "At most 40 characters"),
        ("\u200b\u200d", "cannot be shown"),
        ("a\x07b", "cannot be shown"),
        ("y" * 5000, "At most"),
    ],
)
def test_a_name_that_cannot_be_shown_is_told_and_stays_typed(
    app: Flask, client: FlaskClient, code: str, name: str, said: str
) -> None:
    answer = send(client, code, "me", 422, seat="1", name=name)
    assert said in answer.text and f'value="{name[:40]}' in answer.text
    assert re.search(r'name="seat" value="1" checked', answer.text)
    assert members(app, code)[1].label.name == "" and members(app, code)[1].seat is None


def test_the_list_says_who_is_in_as_what_as_whom_and_when_seen(app: Flask, client: FlaskClient, code: str) -> None:
    come(app, code, "watch", seat="1")
    with app.app_context(), writing() as session:
        session.execute(update(Device).where(Device.id == 2).values(seen_at=datetime.now(UTC) - timedelta(hours=3)))
    page = plain(client.get(f"/g/{code}/phones").text)
    row = page[page.index('id="phone2"') :]
    assert "may look" in row and '<bdi translate="no">Bea</bdi>' in row and "3 hours ago" in row
    assert "this phone" in page[page.index('id="phone1"') : page.index('id="phone2"')]


# --- renewing -------------------------------------------------------------------------------------------------------


def test_a_renewed_link_is_dead_at_once_for_whoever_has_it_and_whoever_came_by_it(
    app: Flask, client: FlaskClient, code: str
) -> None:
    guest, watcher, old = come(app, code), come(app, code, "watch"), ways(app, code)["keeper"]
    renew(app, client, code)
    new = ways(app, code)["keeper"]
    assert new.token != old.token and new.short != old.short
    for answer in (
        guest.get(f"/g/{code}/"),
        guest.get(f"/g/{code}/scores"),
        guest.post(f"/g/{code}/do", data={"do": "buy.1.1"}),
    ):
        assert answer.status_code == 404 and "The link was renewed" in answer.text
        assert "Ana" not in answer.text
    assert "Type who plays" in guest.get("/").text, "home lists it no longer"
    assert (
        app.test_client().get(f"/j/{old.token}").status_code
        == app.test_client().post(f"/j/{old.token}").status_code
        == 404
    )
    assert type_code(app.test_client(), old.short).status_code == 422
    assert client.get(f"/g/{code}/").status_code == watcher.get(f"/g/{code}/").status_code == 200
    assert guest.post(f"/j/{new.token}").status_code == 303
    assert guest.get(f"/g/{code}/").status_code == 200
    assert [member.number for member in members(app, code).values()] == [1, 2, 3], "it is the phone it was"


def test_who_renews_stays_and_so_does_the_phone_the_night_was_started_on(
    app: Flask, client: FlaskClient, code: str
) -> None:
    renewing, other = come(app, code), come(app, code)
    renew(app, renewing, code)
    assert [each.get(f"/g/{code}/").status_code for each in (client, renewing, other)] == [200, 200, 404]
    renew(app, client, code)
    assert renewing.get(f"/g/{code}/").status_code == 404


def test_the_watch_link_is_renewed_on_its_own(app: Flask, client: FlaskClient, code: str) -> None:
    guest, watcher, old = come(app, code), come(app, code, "watch"), ways(app, code)
    renew(app, client, code, "watch")
    assert ways(app, code)["keeper"] == old["keeper"] and ways(app, code)["watch"].token != old["watch"].token
    assert [each.get(f"/g/{code}/").status_code for each in (guest, watcher)] == [200, 404]


def test_sent_twice_a_link_is_renewed_once(app: Flask, client: FlaskClient, code: str) -> None:
    old = ways(app, code)["keeper"].token
    send(client, code, "renew.keeper", link=old)
    new = ways(app, code)
    guest = come(app, code)
    send(client, code, "renew.keeper", link=old)
    assert ways(app, code) == new and guest.get(f"/g/{code}/").status_code == 200


def test_open_phones_are_told(app: Flask, client: FlaskClient, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[int] = []
    monkeypatch.setattr("companion.live.notify", told.append)
    come(app, code)
    renew(app, client, code)
    come(app, code)
    send(client, code, "remove.3")
    assert told == [view(app, code).id] * 2


def test_what_a_phone_entered_keeps_its_name_after_it_is_gone(app: Flask, client: FlaskClient, code: str) -> None:
    guest = come(app, code)
    send(guest, code, "me", seat="1", name="Bea's phone")
    page = guest.get(f"/g/{code}/").text
    fields = dict(re.findall(r'name="(token|seen|hand)" value="([^"]*)"', page))
    guest.post(f"/g/{code}/do", data={**fields, "do": "buy.1.1"})
    renew(app, client, code)
    assert "Bea&#39;s phone" in client.get(f"/g/{code}/history").text
    assert "Bea&#39;s phone" not in client.get(f"/g/{code}/phones").text


# --- removing -------------------------------------------------------------------------------------------------------


def test_a_removed_phone_is_out_until_it_comes_again(app: Flask, client: FlaskClient, code: str) -> None:
    guest = come(app, code)
    send(client, code, "remove.2")
    assert guest.get(f"/g/{code}/").status_code == 404
    assert [member.number for member in members(app, code).values()] == [1]
    assert guest.post(f"/j/{ways(app, code)['watch'].token}").status_code == 303
    assert members(app, code)[2].role == "watch"


@pytest.mark.parametrize(("role", "renewed"), [("keeper", {"keeper", "watch"}), ("watch", {"watch"})])
def test_removing_a_phone_makes_the_links_new_that_it_knew(
    app: Flask, client: FlaskClient, code: str, role: str, renewed: set[str]
) -> None:
    gone, keeper, watcher = come(app, code, role), come(app, code), come(app, code, "watch")
    old = ways(app, code)
    send(client, code, "remove.2")
    page = client.get(f"/g/{code}/phones").text
    new = ways(app, code)
    assert {each for each in new if new[each].token != old[each].token} == renewed
    assert {each for each in new if new[each].short != old[each].short} == renewed
    assert "Everybody else stays in." in page and all(new[each].token in page for each in new)
    for each in renewed:
        assert gone.get(f"/j/{old[each].token}").status_code == 404
        assert gone.post(f"/j/{old[each].token}").status_code == 404
        assert "No table has this code" in type_code(gone, old[each].short).text
    assert gone.get(f"/g/{code}/").status_code == 404
    assert [phone.get(f"/g/{code}/").status_code for phone in (client, keeper, watcher)] == [200] * 3
    assert sorted(members(app, code)) == [1, 3, 4]


def test_sent_twice_a_phone_is_removed_once_and_the_new_link_stays(app: Flask, client: FlaskClient, code: str) -> None:
    come(app, code)
    send(client, code, "remove.2")
    new = ways(app, code)
    send(client, code, "remove.2", 404)
    with app.app_context():
        phones.remove(view(app, code).id, 2)
    assert ways(app, code) == new


def test_a_code_that_sleeps_is_not_woken_by_another_links_renewal(app: Flask, client: FlaskClient, code: str) -> None:
    for change in ("renew", "remove"):
        come(app, code, "watch")
        old = ways(app, code)["keeper"]
        later(app, code, links.SHORT_LIVES)
        if change == "renew":
            renew(app, client, code, "watch")
        else:
            send(client, code, f"remove.{max(members(app, code))}")
        now = ways(app, code)["keeper"]
        assert now.token == old.token and now.short not in ("", old.short)


def test_the_phone_the_night_was_started_on_is_not_removed(app: Flask, client: FlaskClient, code: str) -> None:
    guest = come(app, code)
    assert "The phone the night was started on stays" in send(guest, code, "remove.1", 422).text
    assert "the phone in your hand" in send(guest, code, "remove.2", 422).text
    assert 'value="remove.' not in guest.get(f"/g/{code}/phones").text
    assert list(members(app, code)) == [1, 2]


def test_a_phone_of_another_game_is_not_found(app: Flask, client: FlaskClient, code: str) -> None:
    other = start(app, app.test_client())
    come(app, other)
    come(app, other)
    come(app, code)
    send(client, code, "remove.3", 404)
    assert len(members(app, other)) == 3


@pytest.mark.parametrize(
    ("do", "status"),
    [("", 422), ("x", 422), ("renew", 422), ("renew.owner", 422), ("renew.keeper", 303), ("remove", 404), ("remove.x", 404),
     ("remove.0", 404), ("remove.-1", 404), ("remove." + "9" * 30, 404), ("wake.x", 303), ("me.x", 303), ("９", 422), ("a" * 5000, 422)],
)  # fmt: skip
def test_what_no_button_sends_changes_nothing(app: Flask, client: FlaskClient, code: str, do: str, status: int) -> None:
    come(app, code)
    before = (ways(app, code), {number: member.role for number, member in members(app, code).items()})
    send(client, code, do, status, link="x" * 9000)
    assert (ways(app, code), {number: member.role for number, member in members(app, code).items()}) == before


# --- an open house --------------------------------------------------------------------------------------------------


def test_in_an_open_house_any_phone_may_say_whose_it_is(make_app: Any) -> None:
    app = make_app(OPEN_HOUSE=True)
    code = start(app, app.test_client())
    phone = app.test_client()
    page = phone.get(f"/g/{code}/phones")
    assert page.status_code == 200 and list(members(app, code)) == [1]
    send(phone, code, "me", seat="1", name="Bea")
    assert [(member.seat, member.by_link) for member in members(app, code).values()] == [(None, False), (1, False)]
    renew(app, app.test_client(), code)
    assert list(members(app, code)) == [1, 2]


def test_who_was_removed_from_an_open_house_and_comes_by_a_link_goes_with_it(make_app: Any) -> None:
    app = make_app(OPEN_HOUSE=True)
    first, phone = app.test_client(), app.test_client()
    code = start(app, first)
    send(phone, code, "me", seat="1", name="Bea")
    send(first, code, "remove.2")
    assert re.search(r'name="seat" value="1" checked', phone.get(f"/j/{ways(app, code)['watch'].token}").text)
    phone.post(f"/j/{ways(app, code)['watch'].token}", data={"seat": "1"})
    assert [(member.role, member.by_link) for member in members(app, code).values()] == [
        ("keeper", False),
        ("watch", True),
    ]
    renew(app, first, code, "watch")
    assert list(members(app, code)) == [1]


# --- nobody is in any more ------------------------------------------------------------------------------------------


def test_the_only_phone_that_lost_its_cookie_is_told_how_it_comes_back(
    app: Flask, client: FlaskClient, code: str
) -> None:
    client.delete_cookie("device")
    there, nowhere = (client.get(f"/g/{each}/") for each in (code, "x" * 22))
    assert there.status_code == nowhere.status_code == 404
    assert "companion link" in there.text
    assert there.text.replace(code, "") == nowhere.text.replace("x" * 22, ""), "a stranger learns of no game"
    assert "companion link" in client.get("/join").text
    assert "companion link" not in client.get("/nothing").text


def test_phones_that_lost_their_links_are_told_too(app: Flask, client: FlaskClient, code: str) -> None:
    guest = come(app, code)
    renew(app, client, code)
    assert "companion link" in guest.get(f"/g/{code}/").text


# --- who may do what, over every route ------------------------------------------------------------------------------


def every_route(app: Flask, code: str) -> list[tuple[str, str]]:
    """Every method and address of a game that the app has, with the first of whatever else it names."""
    addresses = []
    for rule in app.url_map.iter_rules():
        if "code" not in rule.arguments:
            continue
        values: dict[str, Any] = {"number": 1, "role": "watch", "kind": "json", "question": "meld"}
        assert rule.arguments <= {"code", *values}, f"say here what {rule} needs"
        with app.test_request_context():
            address = app.url_map.bind("localhost").build(
                rule.endpoint, {"code": code, **{name: values[name] for name in rule.arguments - {"code"}}}
            )
        addresses += [(method, address) for method in sorted((rule.methods or set()) & {"GET", "POST"})]
    return addresses


def seen(phone: FlaskClient, method: str, address: str) -> int:
    """What a phone gets in the end; a redirection by itself tells nothing that was not asked with."""
    answer = phone.open(address, method=method, follow_redirects=True)
    assert [redirect.location for redirect in answer.history if not redirect.location.startswith("/g/")] == []
    return answer.status_code


def everything(app: Flask) -> dict[str, list[Any]]:
    """All that is stored, but when phones were seen."""
    with app.app_context():
        return {
            table.name: sorted(
                map(
                    repr,
                    db.session.execute(select(*(column for column in table.columns if column.name != "seen_at"))).all(),
                )
            )
            for table in db.metadata.sorted_tables
        }


def test_nothing_of_a_game_is_seen_or_changed_without_its_link(app: Flask, client: FlaskClient, code: str) -> None:
    play(app, code, three_sets())
    elsewhere = app.test_client()
    start(app, elsewhere)
    before = everything(app)
    asked = every_route(app, code)
    assert len(asked) > 25
    for stranger in (app.test_client(), elsewhere):
        got = {(method, address): seen(stranger, method, address) for method, address in asked}
        assert {what: status for what, status in got.items() if status != 404} == {}
    assert everything(app) == before


def test_a_watcher_sends_nothing_that_changes_anything(app: Flask, client: FlaskClient, code: str) -> None:
    play(app, code, three_sets())
    watcher = come(app, code, "watch")
    before = everything(app)
    got = {
        address: watcher.post(address, data={"do": "x"}).status_code
        for method, address in every_route(app, code)
        if method == "POST"
    }
    assert len(got) > 10
    assert {address: status for address, status in got.items() if status != 403} == {}
    assert everything(app) == before


@pytest.mark.parametrize("role", ["keeper", "watch"])
def test_looking_never_changes_anything(app: Flask, client: FlaskClient, code: str, role: str) -> None:
    play(app, code, three_sets())
    phone = come(app, code, role)
    before = everything(app)
    for method, address in every_route(app, code):
        if method == "GET":
            answer = phone.get(address)
            assert answer.status_code < 500, address
            answer.close()
    assert everything(app) == before


def test_after_renewing_nothing_of_the_game_is_left_to_the_phone(app: Flask, client: FlaskClient, code: str) -> None:
    play(app, code, three_sets())
    guest = come(app, code)
    renew(app, client, code)
    got = {(method, address): seen(guest, method, address) for method, address in every_route(app, code)}
    assert {what: status for what, status in got.items() if status != 404} == {}

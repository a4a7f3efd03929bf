"""A table is drawn once for all phones that see the same of it, and every phone gets its own."""

from __future__ import annotations

import re
import threading

import pytest
from sqlalchemy import update

from companion import record
from companion.db import writing
from companion.models import Membership, Person
from companion.record import phones
from companion.referee.commands import Buy
from companion.referee.games import GREBBER, KATE
from companion.views import page_cache
from tests.web import LONG_NAMES, play, start, three_sets

TOKENS = (r'name="csrf_token" value="([^"]+)"', r'name="token" value="([^"]+)"', r'data-at="(\d+)"')


def neutral(page):
    """A page without what is one phone's alone."""
    for pattern in TOKENS:
        page = re.sub(pattern, "", page)
    return page


def joined(app, code, role="keeper", seat=None):
    """Another phone of the game."""
    phone = app.test_client()
    with app.app_context():
        link = next(link for link in phones.game_links(record.load(code).id) if link.role == role)
    assert phone.post(f"/j/{link.token}", data={"seat": "" if seat is None else str(seat)}).status_code == 303
    return phone


@pytest.fixture
def drawn(monkeypatch):
    """How often a table was drawn."""
    import companion.views.table as table

    count = []
    build = table.table_page
    monkeypatch.setattr(table, "table_page", lambda *given: count.append(1) or build(*given))
    return count


FOUR = ("Ana", "Bea", "Carl", "Dora")
GRIPE = (Buy(1, 1), three_sets(), Buy(1, 2))


@pytest.mark.parametrize(
    ("names", "rules", "entries"),
    [(FOUR, KATE, GRIPE), (LONG_NAMES, KATE, GRIPE), (FOUR[:3], GREBBER.replace(gambling=True), ())],
    ids=["gripe", "long", "grebber"],
)
def test_a_shared_table_is_the_one_the_phone_would_have_had_alone(app, client, monkeypatch, names, rules, entries):
    code = start(app, client, names, rules)
    play(app, code, *entries)
    looks = [{}, {"Accept-Language": "pt"}]
    keepers = [client, *(joined(app, code, seat=seat) for seat in range(len(names))[:4])]
    everybody = [*keepers, joined(app, code, "watch"), joined(app, code, "watch", 2)]
    everybody[3].set_cookie("suits", "four")
    for phone in everybody:
        for headers in looks:
            for base in ("http://localhost", "https://localhost"):
                asked = {"headers": headers, "base_url": base}
                shared = phone.get(f"/g/{code}/", **asked).text
                assert 'class="players"' in shared
                with monkeypatch.context() as alone:
                    alone.setattr(page_cache, "may_share", lambda: False)
                    assert neutral(shared) == neutral(phone.get(f"/g/{code}/", **asked).text)


def test_eight_phones_are_drawn_once_and_again_when_the_game_moves_on(app, client, drawn):
    code = start(app, client)
    others = [joined(app, code, seat=seat) for seat in (0, 1, 2, None)]
    pages = [phone.get(f"/g/{code}/").text for phone in (client, *others)]
    assert len(drawn) == 1
    firsts = [re.findall(r'id="p(\d)"', page) for page in pages]
    assert firsts == [["0", "1", "2"], ["0", "1", "2"], ["1", "2", "0"], ["2", "0", "1"], ["0", "1", "2"]]
    play(app, code, Buy(1, 1))
    assert 'data-revision="2"' in client.get(f"/g/{code}/").text
    assert len(drawn) == 2


def test_no_phone_gets_the_tokens_of_another(app, client):
    code = start(app, client)
    pages = [phone.get(f"/g/{code}/").text for phone in (client, client, joined(app, code), joined(app, code))]
    csrf, tokens, _at = ([set(re.findall(pattern, page)) for page in pages] for pattern in TOKENS)
    assert all(len(found) == 1 for found in (*csrf, *tokens))
    assert len(set.union(*tokens)) == 4
    assert not (csrf[0] & csrf[2] or csrf[0] & csrf[3] or csrf[2] & csrf[3])
    assert not any(mark in page for page in pages for mark in (page_cache._NONCE, "fold"))


def test_every_phone_may_send_what_it_was_given(make_app):
    app = make_app(WTF_CSRF_ENABLED=True)
    client = app.test_client()
    code = start(app, client)
    page = client.get(f"/g/{code}/").text
    csrf, token = (re.search(pattern, page).group(1) for pattern in TOKENS[:2])
    sent = {"csrf_token": csrf, "token": token, "seen": "1", "hand": "1", "do": "buy.1.1"}
    assert client.post(f"/g/{code}/do", data=sent).status_code == 303


def test_a_new_name_is_there_at_once(app, client):
    code = start(app, client)
    client.get(f"/g/{code}/")
    with app.app_context(), writing() as session:
        session.execute(update(Person).where(Person.name == "Bea").values(name="Beatriz"))
    assert "Beatriz" in client.get(f"/g/{code}/").text


def test_whoever_lost_the_role_gets_nothing_of_what_is_kept(app, client):
    code = start(app, client)
    other = joined(app, code)
    assert other.get(f"/g/{code}/").status_code == 200
    with app.app_context(), writing() as session:
        session.execute(update(Membership).where(Membership.number == 2).values(live=False))
    assert other.get(f"/g/{code}/").status_code == 404


def test_a_notice_is_for_one_phone_and_once(app, client):
    code = start(app, client)
    other = joined(app, code)
    with client.session_transaction() as session:
        session["_flashes"] = [("good", "For you alone.")]
    assert "For you alone." in client.get(f"/g/{code}/").text
    assert "For you alone." not in other.get(f"/g/{code}/").text + client.get(f"/g/{code}/").text


def test_who_comes_while_a_page_is_drawn_waits_for_it():
    cache, begun, made = page_cache.new_cache(), threading.Event(), []

    def make():
        begun.set()
        made.append(1)
        threading.Event().wait(0.2)
        return "page"

    got = []
    threads = [threading.Thread(target=lambda: got.append(cache("it", make))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert begun.is_set() and len(made) == 1 and got == ["page"] * 8


def test_what_could_not_be_made_is_tried_again():
    cache = page_cache.new_cache()
    with pytest.raises(ZeroDivisionError):
        cache("it", lambda: 1 // 0)
    assert cache("it", lambda: 7) == cache("it", lambda: 8) == 7


def test_the_least_used_goes_first():
    cache = page_cache.new_cache(2)
    for about in ("a", "b", "a", "c"):
        cache(about, lambda about=about: about)
    assert sorted(cache.cache) == ["a", "c"]

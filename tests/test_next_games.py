"""One evening, one next game: who starts first makes it, the others are led into it, and roles come along."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import func, select

from companion import record
from companion.db import db
from companion.models import Game
from companion.record import phones
from companion.referee.commands import CloseGame, DiscardGame
from companion.referee.state import Phase
from tests.test_record_races import together
from tests.web import NAMES, device_of, plain, play, score, start, view, watch


def ended(app: Flask, client: FlaskClient) -> str:
    code = start(app, client)
    play(app, code, score(1, 0, 0, 5, 10), CloseGame())
    return code


def joined(app: Flask, code: str, role: str = "keeper", seat: int | None = None) -> FlaskClient:
    """Another phone, let in by a link."""
    client = app.test_client()
    device = device_of(app, client)
    with app.app_context():
        seen = record.load(code)
        assert seen
        link = next(link for link in phones.game_links(seen.id) if link.role == role)
        phones.enter(link.token, device, seat)
    return client


def fields(page: str) -> list[tuple[str, str]]:
    """What the form of a new game sends as it stands."""
    form = page[page.index('class="start-form"') :]
    sent = []
    for tag in re.findall(r"<input[^>]*>", form):
        name, value = re.search(r'name="([^"]*)"', tag), re.search(r'value="([^"]*)"', tag)
        if name and name[1] in ("token", "after", "name", "points", "sheet"):
            sent.append((name[1], value[1] if value else ""))
    return [*sent, ("dealer", "0"), ("first", "1")]


def again(client: FlaskClient, code: str) -> list[tuple[str, str]]:
    answer = client.get(f"/new?again={code}")
    assert answer.status_code == 200
    return fields(answer.text)


def post(client: FlaskClient, sent: list[tuple[str, str]], do: str = "start") -> Any:
    data: dict[str, list[str]] = {"do": [do]}
    for name, value in sent:
        data.setdefault(name, []).append(value)
    return client.post("/new", data=data)


def code_of(answer: Any) -> str:
    assert answer.status_code == 303, answer.text
    return str(answer.location.split("/")[2])


def games(app: Flask) -> int:
    with app.app_context():
        return db.session.execute(select(func.count(Game.id))).scalar_one()


def test_the_first_start_makes_the_next_game_and_the_others_are_led_into_it(app: Flask, client: FlaskClient) -> None:
    code = ended(app, client)
    others = [joined(app, code) for _ in range(3)]
    forms = [again(phone, code) for phone in (client, *others)]
    made = [code_of(post(phone, form)) for phone, form in zip((client, *others), forms, strict=True)]
    assert len(set(made)) == 1 and games(app) == 2
    for phone in (client, *others):
        assert "The next game has begun" in plain(phone.get(f"/g/{code}/end").text)
        assert f'href="/g/{made[0]}/"' in phone.get("/").text, "on the home page too"
        assert phone.get(f"/new?again={code}").location == f"/g/{made[0]}/", "before anything is typed"
    assert "The next game has begun already: here it is." in others[0].get(f"/g/{made[0]}/").text


def test_four_phones_at_once_make_one_game(app: Flask, client: FlaskClient) -> None:
    code = ended(app, client)
    everybody = [client, *(joined(app, code) for _ in range(3))]
    forms = [again(phone, code) for phone in everybody]
    made: list[str] = []
    wrong = together(app, 4, lambda at: made.append(code_of(post(everybody[at], forms[at]))))
    assert wrong == []
    assert len(made) == 4 and len(set(made)) == 1 and games(app) == 2


def test_roles_and_seats_come_along_but_not_for_who_was_removed(app: Flask, client: FlaskClient) -> None:
    code = ended(app, client)
    keeper, looker, gone = joined(app, code, seat=2), joined(app, code, "watch"), joined(app, code)
    with app.app_context():
        phones.remove(view(app, code).id, 4)
    names = iter(("Carl", "Ana", "Bea"))
    form = [("name", next(names)) if name == "name" and value else (name, value) for name, value in again(client, code)]
    after = code_of(post(client, form))
    new = view(app, after)
    known = [device_of(app, phone) for phone in (keeper, looker, gone)]
    with app.app_context():
        standing = [record.lists.role_and_seat(new.id, device) for device in known]
    assert standing == [("keeper", 0), ("watch", None), (None, None)]
    assert looker.get(f"/g/{after}/").status_code == 200 and gone.get(f"/g/{after}/").status_code == 404


def test_a_phone_that_came_to_the_old_game_later_is_let_in_when_it_starts(app: Flask, client: FlaskClient) -> None:
    code = ended(app, client)
    form = again(joined(app, code), code)
    after = code_of(post(client, again(client, code)))
    late = joined(app, code)
    page = plain(late.get(f"/g/{code}/end").text)
    assert "This phone is not at it: ask there for its code." in page and f"/g/{after}/" not in page
    assert code_of(post(late, form)) == after
    assert late.get(f"/g/{after}/").status_code == 200


def test_another_table_all_the_same(app: Flask, client: FlaskClient) -> None:
    code = ended(app, client)
    after = code_of(post(client, again(client, code)))
    page = client.get(f"/g/{code}/end").text
    assert f'href="/new?again={code}&amp;another=1"' in page
    form = fields(client.get(f"/new?again={code}&another=1").text)
    assert "after" not in dict(form)
    other = code_of(post(client, form))
    assert other not in (code, after) and games(app) == 3
    assert f'href="/g/{after}/"' in client.get(f"/g/{code}/end").text, "the first one stays the next game"


def test_who_typed_other_people_chooses(app: Flask, client: FlaskClient) -> None:
    code = ended(app, client)
    second = joined(app, code)
    form = [("name", "Dora") if pair == ("name", "Carl") else pair for pair in again(second, code)]
    after = code_of(post(client, again(client, code)))
    answer = post(second, form)
    page = plain(answer.text)
    assert answer.status_code == 409 and games(app) == 2
    assert "The next game has begun already, with Ana, Bea, and Carl. Yours has not." in page
    assert 'value="Dora"' in page and f'href="/g/{after}/"' in page and 'value="another"' in page
    other = code_of(post(second, fields(answer.text), "another"))
    assert other != after and set(view(app, other).names.values()) == {"Ana", "Bea", "Dora"}


def test_the_same_form_twice_makes_one_game(app: Flask, client: FlaskClient) -> None:
    code = ended(app, client)
    form = again(client, code)
    assert code_of(post(client, form)) == code_of(post(client, form)) and games(app) == 2


def test_a_next_game_that_is_over_is_followed_by_its_own(app: Flask, client: FlaskClient) -> None:
    code = ended(app, client)
    second = code_of(post(client, again(client, code)))
    play(app, second, score(1, 0, 0, 5, 10), CloseGame())
    form = again(client, code)
    assert dict(form)["after"] == second
    third = code_of(post(client, form))
    with app.app_context():
        following = record.next_game(view(app, second).id)
        assert following and following.code == third
    assert f'href="/g/{second}/end"' in client.get(f"/g/{code}/end").text


def test_a_watcher_starts_no_next_game_for_the_others(app: Flask, client: FlaskClient) -> None:
    code = ended(app, client)
    looker = joined(app, code, "watch")
    form = again(looker, code)
    assert "after" not in dict(form)
    own = code_of(post(looker, [*form, ("after", code)]))
    with app.app_context():
        assert record.next_game(view(app, code).id) is None
    assert client.get(f"/g/{own}/").status_code == 404


@pytest.mark.parametrize("after", ["", "x", "nobody-knows-this", "\x00", "9" * 500])
def test_made_up_predecessors_are_none(app: Flask, client: FlaskClient, after: str) -> None:
    form = [pair for pair in fields(client.get("/new").text) if pair[0] != "name"]
    form += [("name", name) for name in NAMES] + [("after", after)]
    assert code_of(post(client, form))


def test_a_stranger_follows_no_game_of_others(app: Flask, client: FlaskClient) -> None:
    code, stranger = ended(app, client), app.test_client()
    form = [pair for pair in fields(stranger.get(f"/new?again={code}").text) if pair[0] != "name"]
    post(stranger, [*form, *(("name", name) for name in NAMES), ("after", code)])
    with app.app_context():
        assert record.next_game(view(app, code).id) is None


def test_a_next_game_thrown_away_frees_its_place_and_comes_back_to_it(app: Flask, client: FlaskClient) -> None:
    code = ended(app, client)
    first = code_of(post(client, again(client, code)))
    play(app, first, DiscardGame())
    assert "The next game has begun" not in client.get(f"/g/{code}/end").text
    second = code_of(post(client, again(client, code)))
    assert second != first
    undo(app, first)
    assert view(app, first).state.phase is Phase.PLAYING
    with app.app_context():
        following = record.next_game(view(app, code).id)
        assert following and following.code == second, "the place is taken meanwhile"
    play(app, second, DiscardGame())
    undo(app, second)
    with app.app_context():
        following = record.next_game(view(app, code).id)
        assert following and following.code == second


def undo(app: Flask, code: str) -> None:
    seen = view(app, code)
    assert seen.undo
    with app.app_context():
        record.undo(code, entry=seen.undo.seq, token=record.new_token(), seen=seen.revision)


def test_taken_back_and_started_anew_at_once_one_of_them_is_the_next_game(app: Flask, client: FlaskClient) -> None:
    for _ in range(3):
        code = ended(app, client)
        first = code_of(post(client, again(client, code)))
        play(app, first, DiscardGame())
        form = again(client, code)
        works = [lambda at, first=first: undo(app, first), lambda at, form=form: code_of(post(client, form))]
        assert together(app, 2, lambda at, works=works: works[at](at)) == []
        with app.app_context():
            following = record.next_game(view(app, code).id)
            assert following and view(app, first).state.phase is Phase.PLAYING


def test_hosted_the_next_game_belongs_to_the_same_group(make_app: Any) -> None:
    app = make_app(HOSTED=True)
    client = app.test_client()
    code = ended(app, client)
    start(app, client_two := app.test_client(), ("Xa", "Xo", "Xi"))
    second = joined(app, code)
    after = code_of(post(second, again(second, code)))
    assert view(app, after).house_id == view(app, code).house_id != view(app, start(app, client_two)).house_id
    assert client.get(f"/g/{after}/").status_code == 200


def test_who_only_watched_only_watches_the_next_game(app: Flask, client: FlaskClient) -> None:
    code = ended(app, client)
    looker = app.test_client()
    watch(app, looker, code)
    after = code_of(post(client, again(client, code)))
    assert looker.get(f"/g/{after}/").status_code == 200
    assert looker.post(f"/g/{after}/do", data={"do": "buy.1.1", "hand": "1"}).status_code == 403

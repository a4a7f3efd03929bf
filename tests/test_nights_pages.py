"""The nights before, as pages: history, statistics, people; every number opens the nights it comes from."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from html import unescape
from zoneinfo import ZoneInfo

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import event, select, update

from companion import record
from companion.db import db, writing
from companion.models import Game, Person
from companion.pages.marks import mark
from companion.record import phones
from companion.referee.commands import Buy, CloseGame, CorrectScore, CountHand, LeaveSeat
from companion.referee.games import EHOW, GREBBER, KATE, PERU
from companion.referee.grebber import Count
from tests.web import LONG_NAMES, another, device_of, plain, play, score

PAGES = ("/nights", "/statistics", "/people")


def whole(
    app: Flask, client: FlaskClient, winner: int = 0, names=("Ana", "Bea", "Carl"), at: datetime | None = None
) -> str:
    """A night played to its last hand, begun with it, won by one of them."""
    code = another(app, client, names, first=10)
    points = [0 if seat == winner else 20 + 10 * seat for seat in range(len(names))]
    play(app, code, score(10, winner, *points))
    if at is not None:
        begun(app, code, at)
    return code


def begun(app: Flask, code: str, at: datetime, changed: datetime | None = None) -> None:
    with app.app_context(), writing() as session:
        session.execute(update(Game).where(Game.code == code).values(created_at=at, changed_at=changed or at))


def get(client: FlaskClient, address: str, status: int = 200, **headers: str) -> str:
    answer = client.get(address, headers=headers)
    assert answer.status_code == status, (address, answer.status_code)
    return plain(answer.text)


def listed(client: FlaskClient, address: str) -> set[str]:
    """The codes of the nights on a page of the history."""
    page = get(client, address)
    return set(re.findall(r'class="night-main" href="/g/([^/]+)/', page))


def person(app: Flask, name: str) -> int:
    with app.app_context():
        return db.session.execute(select(Person.id).where(Person.name == name)).scalar_one()


def seen(client: FlaskClient, who: int) -> str:
    return re.search(r'name="seen" value="(\d+)"', get(client, f"/people/{who}"))[1]


# --- history ---------------------------------------------------------------------------------------------------------


def test_nobody_has_nights_yet(client):
    assert "No night yet" in get(client, "/nights")
    assert "No night ended yet" in get(client, "/statistics")
    assert "Nobody yet" in get(client, "/people")


def test_how_every_night_ended_is_told_apart(app, client):
    now = datetime.now(UTC)
    finished = whole(app, client)
    early, going, left, empty = (another(app, client) for _ in range(4))
    play(app, early, score(1, 1, 40, 0, 10), CloseGame())
    play(app, left, score(1, 1, 40, 0, 10))
    begun(app, left, now - timedelta(days=3))
    play(app, empty, CloseGame())
    page = get(client, "/nights")
    for words in (
        "Ana won with 0 points",
        "Bea won with 0 points",
        "Ended early, after hand 1 of 10",
        "Going on",
        "Never finished",
    ):
        assert words in page
    assert listed(client, "/nights?state=finished") == {finished}
    assert listed(client, "/nights?state=early") == {early}
    assert listed(client, "/nights?state=ended") == {finished, early}
    assert listed(client, "/nights?state=going") == {going}
    assert listed(client, "/nights?state=abandoned") == {left, empty}
    assert f'href="/g/{finished}/recap"' in page and f'href="/g/{going}/"' in page
    page = get(client, "/statistics")
    assert "2 nights count" in page and "1 of them ended early" in page
    assert "Going on: 1" in page and "Never finished: 2" in page


def test_searching_by_names_and_dates(app, client):
    march = whole(app, client, at=datetime(2025, 3, 14, 20, tzinfo=UTC))
    may = whole(app, client, names=("Zoë", "Bea", "Carl"), at=datetime(2026, 5, 2, 20, tzinfo=UTC))
    for text, expected in {
        "zoe": {may}, "ZO": {may}, "bea": {march, may}, "zoe ana": set(), "2025": {march}, "2026-05": {may},
        "2026-05-02": {may}, "march": {march}, "bea may": {may}, "fri": {march}, "saturday": {may}, "nobody": set(),
        "%F0%9F%82%A1": set(), "%E2%80%8B": {march, may}, "=1+1": set(),
    }.items():  # fmt: skip
        assert listed(client, f"/nights?q={text}") == expected, text
    assert "No night is like that" in get(client, "/nights?q=nobody")
    assert 'value="&lt;script&gt;"' in client.get("/nights?q=<script>").text
    assert listed(client, "/nights?q=março") == set()
    client.set_cookie("language", "pt")
    assert listed(client, "/nights?q=março") == {march}


def test_a_night_over_midnight_is_one_night_in_the_tables_time_zone(make_app):
    app = make_app(TIMEZONE="America/Sao_Paulo")
    client = app.test_client()
    code = whole(app, client)
    # 23:30 on the last of May at the table is June in Greenwich; it ended after midnight
    begun(app, code, datetime(2026, 6, 1, 2, 30, tzinfo=UTC), datetime(2026, 6, 1, 6, 0, tzinfo=UTC))
    assert "Sunday, May 31, 2026" in get(client, "/nights")
    for address in ("?until=2026-05-31", "?from=2026-05-31&until=2026-05-31", "?q=2026-05-31", "?q=may"):
        assert listed(client, "/nights" + address) == {code}, address
    for address in ("?from=2026-06-01", "?until=2026-05-30", "?q=june"):
        assert listed(client, "/nights" + address) == set(), address


@pytest.mark.parametrize(
    ("hour", "begins", "day"),
    [((4, 59), 5, "2026-05-31"), ((5, 0), 5, "2026-06-01"), ((0, 30), 0, "2026-06-01"), ((0, 30), 5, "2026-05-31")],
)
def test_a_night_begun_in_the_small_hours_belongs_to_the_evening_before(make_app, hour, begins, day):
    app = make_app(TIMEZONE="America/Sao_Paulo", DAY_BEGINS=begins)
    client = app.test_client()
    code = whole(app, client)
    at = datetime(2026, 6, 1, *hour, tzinfo=ZoneInfo("America/Sao_Paulo")).astimezone(UTC)
    begun(app, code, at, at + timedelta(hours=3))
    other = "2026-06-01" if day == "2026-05-31" else "2026-05-31"
    for asked in (f"?from={day}&until={day}", f"?q={day}", f"?q={'may' if day < '2026-06' else 'june'}"):
        assert listed(client, "/nights" + asked) == {code}, asked
    assert listed(client, f"/nights?from={other}&until={other}") == listed(client, f"/nights?q={other}") == set()
    saved = client.get(f"/g/{code}/night.csv")
    assert f',"{day}",' in saved.text and other not in saved.text and day in saved.headers["Content-Disposition"]
    shown = "May 31, 2026" if day == "2026-05-31" else "June 1, 2026"
    for address in ("/nights", "/", f"/g/{code}/recap", f"/g/{code}/print"):
        assert shown in get(client, address).replace("Jun ", "June "), address
    with app.app_context():  # the record stays as it is
        view = record.load(code)
        assert view and view.created_at == at


def test_the_first_and_the_last_day_there_are(app, client):
    code = whole(app, client)
    assert listed(client, "/nights?from=0001-01-01&until=9999-12-31") == {code}
    get(client, "/statistics?from=9999-12-31&until=9999-12-31")


def test_nights_by_the_page(app, client):
    codes = [whole(app, client, at=datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=day)) for day in range(23)]
    assert listed(client, "/nights") == set(codes[3:])
    assert listed(client, "/nights?page=2") == listed(client, "/nights?page=99999") == set(codes[:3])
    assert "21–23 of 23" in get(client, "/nights?page=2")
    assert 'href="/nights?q=bea&amp;page=2"' in client.get("/nights?q=bea").text


def test_by_the_people_and_the_rule_sheet(app, client):
    first = whole(app, client)
    second = whole(app, client, names=("Ana", "Bea", "Dora"))
    ana, carl, dora = (person(app, name) for name in ("Ana", "Carl", "Dora"))
    assert listed(client, f"/nights?who={ana}") == {first, second}
    assert listed(client, f"/nights?who={ana}&who={carl}") == {first}
    assert listed(client, f"/nights?who={dora}&who={carl}") == set()
    peru = another(app, client, rules=PERU)
    play(app, peru, score(1, 0, 0, 5, 10), CloseGame())
    assert listed(client, "/nights?sheet=peru") == {peru}
    assert listed(client, "/nights?sheet=kate") == {first, second}


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("from=yesterday", "from"), ("from=2026-02-30", "from"), ("until=２０２６-01-01", "until"),
        ("from=2026-05-02&until=2026-05-01", "until"),
        ("who=x", "who"), ("who=999", "who"), ("who=99999999999999999999", "who"), ("who=-1", "who"), ("sheet=canasta", "sheet"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_said_at_its_field(app, client, query, field):
    whole(app, client)
    for address in ("/nights", "/statistics"):
        page = client.get(f"{address}?{query}")
        assert page.status_code == 422
        assert f'id="{field}-error"' in page.text or field == "who" and "Somebody asked for" in page.text
        assert "night-main" not in page.text and "<td>" not in page.text
    value = unescape(query.split("=")[-1])
    assert field not in ("from", "until") or f'value="{value}"' in client.get(f"/nights?{query}").text


@pytest.mark.parametrize(
    "query",
    ["state=lost", "of=won", "of=won-", "of=won-99", "of=ahead-1", "of=won-1-2", "of=nonsense-1", "of=won3-1", "of=dealt-1-2",
     "of='; drop table seat", "page=0", "page=-1", "page=x", "page=１", "page=999999999999", "of=won-1%00"],
)  # fmt: skip
def test_what_no_page_of_ours_asks_is_refused(app, client, query):
    whole(app, client)
    get(client, f"/nights?{query}", 422)


def test_a_long_or_strange_address_breaks_nothing(app, client):
    whole(app, client)
    for query in (
        "q=" + "a" * 5000,
        "q=%00",
        "q=%ED%A0%80",
        "&".join(["who=1"] * 500),
        "from=%00",
        "q=" + "%F0%9F%82%A1" * 40,
        "q=%D7%90",
    ):
        for address in ("/nights", "/statistics", "/people/1"):
            assert client.get(f"{address}?{query}").status_code in (200, 422)


# --- statistics ------------------------------------------------------------------------------------------------------


def test_every_number_opens_as_many_nights_as_it_counts(app, client):
    whole(app, client)
    whole(app, client, winner=1)
    code = another(app, client, ("Ana", "Bea", "Carl", "Dora"))
    play(app, code, Buy(1, 0), score(1, 0, 0, 10, 10, 5), LeaveSeat(2), CloseGame())
    page = client.get("/statistics").text
    counts = {"nights": 3, "won": 2, "total": 2, "best": 1, "worst": 1, "dealt": 3, "out": 2, "bought": 1}
    ana = person(app, "Ana")
    for what, count in counts.items():
        assert f"of={what}-{ana}" in page, what
        address = unescape(re.search(rf'href="(/nights\?[^"]*of={what}-{ana})"', page)[1])
        assert len(listed(client, address)) == count, what
    for address in set(re.findall(r'href="(/nights\?[^"]+)"', page)):
        assert listed(client, unescape(address)), address
    assert f"of=floated-{ana}" not in page, "a zero opens nothing"
    assert ">2–1<" in page


def test_ties_share_the_win_and_are_told(app, client):
    code = another(app, client, first=10)
    play(app, code, score(10, None, 20, 20, 40))
    ana, bea = person(app, "Ana"), person(app, "Bea")
    assert listed(client, f"/nights?of=won-{ana}") == listed(client, f"/nights?of=shared-{bea}") == {code}
    assert listed(client, f"/nights?of=level-{ana}-{bea}") == {code}
    assert "Ana and Bea won with 20 points" in get(client, "/nights")
    assert "Wins shared with others" in get(client, f"/people/{ana}")
    assert "0–0 =1" in get(client, "/statistics")


def test_one_game_at_a_time_the_one_played_most(app, client):
    for rules in (KATE, EHOW, PERU):
        code = another(app, client, rules=rules)
        play(app, code, score(1, 0, 0, 5, 10), CloseGame())
    page = get(client, "/statistics")
    assert "2 nights count" in page and "Gripe, by any rule sheet" in page
    assert "1 night counts" in get(client, "/statistics?sheet=peru")
    assert "1 night counts" in get(client, "/statistics?sheet=kate")


def test_a_game_the_highest_total_wins(app, client):
    for laid, held in (((12, 15), (0, 0)), ((0, 20), (5, 0))):
        counts = tuple(Count(seat, laid[seat], held[seat]) for seat in (0, 1))
        play(app, another(app, client, ("Ana", "Bea"), rules=GREBBER.replace(target=12)), CountHand(1, counts))
    ana, bea = person(app, "Ana"), person(app, "Bea")
    assert "Bea won with 20 points" in get(client, "/nights")
    assert len(listed(client, f"/nights?of=won-{bea}")) == len(listed(client, f"/nights?of=dealt1-{ana}")) == 2
    page = get(client, "/statistics")
    row = re.search(rf'href="/people/{bea}[^"]*".*?</tr>', page, re.S)[0]
    assert re.findall(r">(-?[0-9.]+)<", row)[:5] == ["2", "2", "17.5", "20", "15"]
    page = get(client, f"/people/{ana}?sheet=grebber")
    assert "-5" in page and "12" in page


def test_a_correction_changes_recap_and_statistics_alike_and_an_undo_too(app, client):
    code = whole(app, client)
    ana, bea = person(app, "Ana"), person(app, "Bea")

    def winners() -> tuple[bool, bool, str]:
        return (
            listed(client, f"/nights?of=won-{ana}") == {code},
            listed(client, f"/nights?of=won-{bea}") == {code},
            re.search(r"<h1>(.*?)</h1>", get(client, f"/g/{code}/recap"))[1],
        )

    assert winners() == (True, False, "Ana wins")
    play(app, code, CorrectScore(10, 1, {0: 45, 1: 0, 2: 40}))
    assert winners() == (False, True, "Bea wins")
    assert "Bea won with 0 points" in get(client, "/nights") and "45" in get(client, f"/people/{ana}")
    with app.app_context():
        view = record.load(code)
        record.undo(code, entry=view.undo.seq, token="u", seen=view.revision)
    assert winners() == (True, False, "Ana wins")


def test_a_finished_night_is_corrected_from_the_history(app, client):
    code = whole(app, client)
    page = client.get("/nights").text
    assert f'href="/g/{code}/scores"' in page and f'href="/g/{code}/history"' in page
    assert f"/g/{code}/scores/10" in client.get(f"/g/{code}/scores").text


def test_more_nights_are_no_more_questions_to_the_database(app, client):
    def asked(address: str) -> int:
        statements = []
        with app.app_context():
            engine = db.engine
        event.listen(engine, "before_cursor_execute", lambda *said: statements.append(said[2]))
        get(client, address)
        return len(statements)

    ana = None
    counts = []
    for nights in (2, 9):
        for _night in range(nights):
            whole(app, client, winner=_night % 3)
        ana = ana or person(app, "Ana")
        addresses = (*PAGES, f"/people/{ana}", f"/nights?of=won-{ana}", f"/nights?q=bea&who={ana}")
        counts.append([asked(address) for address in addresses])
    assert counts[0] == counts[1] and max(counts[0]) <= 16, counts


# --- people ----------------------------------------------------------------------------------------------------------


def test_eight_people_are_eight_cards_without_colours():
    assert len({(mark(number, "").suit, mark(number, "").full) for number in range(8)}) == 8
    assert len({(drawn.suit, drawn.full, drawn.tone) for drawn in (mark(number, "") for number in range(40))}) == 40


def test_hard_names_on_every_page(app, client):
    whole(app, client, names=LONG_NAMES)
    for address in (*PAGES, f"/people/{person(app, '<script>alert(1)</script>')}"):
        page = client.get(address)
        assert page.status_code == 200 and "<script>alert" not in page.text


def send(client: FlaskClient, who: int, do: str, status: int = 303, **fields: object) -> str:
    data = {"do": do, "seen": seen(client, who)} | fields
    answer = client.post(f"/people/{who}", data=data)
    assert answer.status_code == status, answer.status_code
    return answer.location or plain(answer.text)


def test_renaming(app, client):
    code = whole(app, client)
    ana = person(app, "Ana")
    send(client, ana, "rename", name="Anita")
    of_game = [f"/g/{code}/{page}" for page in ("recap", "history", "scores")]
    for address in ("/", *PAGES, f"/people/{ana}", *of_game):
        page = get(client, address)
        assert "Anita" in page and not re.search(r"\bAna\b", page.split('id="trail"')[0]), address
    page = send(client, ana, "rename", 422, name="  BEA ")
    assert "is the name of somebody else here" in page and 'value="  BEA "' in page
    for name in ("", "\u200b", "x" * 50, "\x07"):
        assert 'id="name-error"' in send(client, ana, "rename", 422, name=name)
    change = re.search(r'name="change" value="(\d+)"', get(client, f"/people/{ana}"))[1]
    send(client, ana, "undo", change=change)
    send(client, ana, "undo", change=change)
    assert "Anita" not in get(client, "/nights")


def test_merging_and_taking_it_back(app, client):
    whole(app, client)
    whole(app, client, names=("Anna", "Bea", "Carl"))
    ana, anna, bea = (person(app, name) for name in ("Ana", "Anna", "Bea"))
    assert "both sat at the table" in send(client, ana, "merge", 422, into=bea)
    assert "not here any more" in send(client, ana, "merge", 422, into=999)
    shown = seen(client, anna)
    assert send(client, anna, "merge", into=ana).endswith(f"/people/{ana}")
    assert client.post(f"/people/{anna}", data={"do": "merge", "into": ana, "seen": shown}).status_code == 303
    assert client.get(f"/people/{anna}").location.endswith(f"/people/{ana}")
    assert len(listed(client, f"/nights?of=won-{ana}")) == len(listed(client, "/nights?q=anna")) == 2
    assert "Anna" not in get(client, "/people")
    change = re.search(r'name="change" value="(\d+)"', get(client, f"/people/{ana}"))[1]
    send(client, ana, "undo", change=change)
    assert len(listed(client, f"/nights?of=won-{ana}")) == len(listed(client, f"/nights?of=won-{anna}")) == 1


def test_hiding_leaves_the_numbers_of_others(app, client):
    whole(app, client)
    ana, bea = person(app, "Ana"), person(app, "Bea")
    send(client, ana, "hide")
    assert "1 hidden" in get(client, "/people") and 'value="Ana"' not in client.get("/new").text
    assert "Ana won" in get(client, "/nights")
    assert f'href="/people/{ana}' not in client.get("/statistics").text
    assert len(listed(client, f"/nights?of=behind-{bea}-{ana}")) == 1
    send(client, ana, "show")
    assert f'href="/people/{ana}' in client.get("/statistics").text


def test_forgetting_keeps_the_numbers(app, client):
    code = whole(app, client)
    ana = person(app, "Ana")
    assert "For seven days it can be given back" in get(client, f"/people/{ana}")
    send(client, ana, "forget")
    of_game = [f"/g/{code}/{page}" for page in ("recap", "history", "scores", "end")]
    for address in (*PAGES, "/", "/new", f"/people/{ana}", *of_game):
        assert not re.search(r"\bAna\b", get(client, address)), address
    assert "Somebody 1 won with 0 points" in get(client, "/nights")
    client.set_cookie("language", "pt")
    assert "Alguém 1" in get(client, "/nights")
    page = client.get(f"/people/{ana}").text
    assert re.findall(r'name="do" value="(\w+)"', page) == ["undo"]
    client.set_cookie("language", "en")
    send(client, ana, "undo", change=re.search(r'name="change" value="(\d+)"', page)[1])
    assert "Ana won with 0 points" in get(client, "/nights") and "Somebody 1" not in get(client, f"/people/{ana}")


def test_a_stale_page_is_told(app, client):
    whole(app, client)
    ana = person(app, "Ana")
    shown = seen(client, ana)
    send(client, ana, "rename", name="Anita")
    page = client.post(f"/people/{ana}", data={"do": "rename", "name": "Annie", "seen": shown})
    assert page.status_code == 409 and "This person was changed since" in page.text and 'value="Annie"' in page.text


def test_garbage_is_refused(app, client):
    whole(app, client)
    ana = person(app, "Ana")
    for data in ({}, {"do": "dance"}, {"do": "x" * 9999}):
        assert client.post(f"/people/{ana}", data=data).status_code == 422
    for data in ({"do": "merge", "into": "９" * 30}, {"do": "undo", "change": "-1"}, {"do": "undo", "change": "9" * 9}):
        assert client.post(f"/people/{ana}", data=data | {"seen": "x"}).status_code in (409, 422)
    for address in ("/people/0", "/people/999", "/people/99999999999999999999", "/people/x"):
        assert client.get(address).status_code == client.post(address, data={"do": "hide"}).status_code == 404


def test_looking_changes_nothing_and_every_post_needs_its_token(make_app):
    app = make_app(WTF_CSRF_ENABLED=True)
    client = app.test_client()
    whole(app, client)
    assert client.post(f"/people/{person(app, 'Ana')}", data={"do": "forget"}).status_code == 400
    assert "Ana won" in get(client, "/nights")


# --- who sees what ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hosted", [True, False])
def test_others_see_nothing_of_a_house(make_app, hosted):
    app = make_app(HOSTED=hosted)
    ours, theirs = app.test_client(), app.test_client()
    whole(app, ours)
    whole(app, theirs, names=("Xavier", "Yves", "Zara"))
    ana = person(app, "Ana")
    for address in PAGES:
        page = get(theirs, address)
        assert "Xavier" in page or address == "/nights"
        assert "Ana" not in page
    assert theirs.get(f"/people/{ana}").status_code == 404
    assert theirs.post(f"/people/{ana}", data={"do": "forget"}).status_code == 404
    assert theirs.get(f"/nights?who={ana}").status_code == theirs.get(f"/nights?of=won-{ana}").status_code == 422
    xavier = person(app, "Xavier")
    assert "not here any more" in send(theirs, xavier, "merge", 422, into=ana)
    assert app.test_client().get(f"/people/{ana}").status_code == 404


def test_who_only_watches_looks_and_changes_nothing(app, client):
    code = whole(app, client)
    watcher = app.test_client()
    device = device_of(app, watcher)
    with app.app_context():
        watch = next(link for link in phones.game_links(record.load(code).id) if link.role == "watch")
        phones.enter(watch.token, device, None)
    ana = person(app, "Ana")
    send(client, ana, "rename", name="Anita")
    page = get(watcher, f"/people/{ana}")
    assert "Head to head" in page and 'name="do"' not in page and not re.search(r"\bAna\b", page)
    assert watcher.post(f"/people/{ana}", data={"do": "forget"}).status_code == 403

"""Links, codes, renewing and counting wrong tries, word for word, on PostgreSQL; old games get their links there too."""

from flask_migrate import downgrade, upgrade
from sqlalchemy import inspect

from companion.db import db
from companion.phones import links
from tests.test_joining import (
    on_a_home_network,  # noqa: F401
    test_a_code_sleeps_a_day_after_the_last_entry_and_a_keeper_makes_new_ones,  # noqa: F401
    test_a_phone_that_changes_its_address_goes_on_counting,  # noqa: F401
    test_a_removed_phone_is_out_until_it_comes_again,  # noqa: F401
    test_a_renewed_link_is_dead_at_once_for_whoever_has_it_and_whoever_came_by_it,  # noqa: F401
    test_after_ten_wrong_codes_an_address_waits_and_is_told_how_long,  # noqa: F401
    test_after_the_window_codes_are_taken_again,  # noqa: F401
    test_looking_at_a_link_changes_nothing,  # noqa: F401
    test_nothing_of_a_game_is_seen_or_changed_without_its_link,  # noqa: F401
    test_sent_twice_a_link_is_renewed_once,  # noqa: F401
    test_sent_twice_a_phone_comes_once,  # noqa: F401
    test_tries_made_at_once_are_all_counted,  # noqa: F401
    test_what_is_no_link_opens_nothing,  # noqa: F401
    test_what_is_over_is_forgotten,  # noqa: F401
    ways,
)


def test_games_of_an_older_database_get_their_links(app, client, code):
    with app.app_context():
        db.session.remove()
        downgrade(revision="0002")
        assert "keeper_short" not in {column["name"] for column in inspect(db.engine).get_columns("game")}
        upgrade()
    assert client.get(f"/g/{code}/").status_code == 200
    assert all(len(way.token) == 22 and links.read_short(way.short) for way in ways(app, code).values())

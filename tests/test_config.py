"""Settings: which source wins, and the secret."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from companion import create_app
from companion.config import SetupError, instance_path, secret


def build(folder: Path, environ: dict[str, str] | None = None, **more: object):
    return create_app({"INSTANCE_PATH": folder, "ENVIRON": environ or {}, **more})


def test_defaults_alone(tmp_path):
    app = build(tmp_path)
    assert app.config["PORT"] == 8000
    assert app.config["HOST"] == "0.0.0.0"
    assert app.config["WTF_CSRF_TIME_LIMIT"] is None
    assert app.config["SQLALCHEMY_DATABASE_URI"] == f"sqlite:///{tmp_path}/companion.sqlite"


def test_each_source_wins_over_the_one_before(tmp_path):
    (tmp_path / "config.py").write_text("OPEN_HOUSE = True\nTHREADS = 20\nPORT = 7001\n")
    app = build(tmp_path, {"COMPANION_THREADS": "30", "COMPANION_PORT": "7002"}, PORT=7003)
    assert (app.config["OPEN_HOUSE"], app.config["THREADS"], app.config["PORT"]) == (True, 30, 7003)


def test_short_names_count_less_than_prefixed_ones(tmp_path):
    app = build(tmp_path, {"PORT": "7001", "HOST": "127.0.0.1", "COMPANION_PORT": "7002"})
    assert (app.config["PORT"], app.config["HOST"]) == (7002, "127.0.0.1")


def test_environment_values_are_json_where_they_read_as_json(tmp_path):
    app = build(tmp_path, {"COMPANION_OPEN_HOUSE": "true", "COMPANION_BABEL_DEFAULT_LOCALE": "pt"})
    assert app.config["OPEN_HOUSE"] is True
    assert app.config["BABEL_DEFAULT_LOCALE"] == "pt"


@pytest.mark.parametrize("port", ["0", "65536", "eighty", "-1", "8e3", "8000.5", "８０００", "9" * 40])
def test_a_port_that_is_none_is_one_sentence(tmp_path, port):
    with pytest.raises(SetupError, match="PORT"):
        build(tmp_path, {"COMPANION_PORT": port})


def test_a_mistake_in_the_settings_file_names_the_file(tmp_path):
    (tmp_path / "config.py").write_text("PORT = \n")
    with pytest.raises(SetupError, match=r"config\.py has a mistake: SyntaxError"):
        build(tmp_path)


def test_the_instance_folder_is_said_outright(tmp_path):
    assert instance_path({"INSTANCE_PATH": tmp_path, "ENVIRON": {"COMPANION_INSTANCE_PATH": "/elsewhere"}}) == str(
        tmp_path
    )
    assert instance_path({"ENVIRON": {"COMPANION_INSTANCE_PATH": "/elsewhere"}}) == "/elsewhere"
    assert instance_path({"ENVIRON": {}}) == str(Path(__file__).parent.parent / "instance")


def test_the_secret_is_made_once_and_for_its_owner_alone(tmp_path):
    first = build(tmp_path).config["SECRET_KEY"]
    assert len(first) == 64
    assert stat.S_IMODE((tmp_path / "secret").stat().st_mode) == 0o600
    assert build(tmp_path).config["SECRET_KEY"] == first
    assert sorted(p.name for p in tmp_path.iterdir()) == ["secret"]


def test_a_damaged_secret_is_one_sentence(tmp_path):
    (tmp_path / "secret").write_text("short")
    with pytest.raises(SetupError, match="damaged"):
        secret(tmp_path)


def test_a_file_where_the_folder_should_be(tmp_path):
    (tmp_path / "instance").write_text("not a folder")
    with pytest.raises(SetupError, match="can't be written"):
        build(tmp_path / "instance")


@pytest.mark.parametrize("proxies", ["one", "-1", "17", "1.5"])
def test_a_number_of_proxies_that_is_none_is_one_sentence(tmp_path, proxies):
    with pytest.raises(SetupError, match="TRUSTED_PROXIES.*from 0 to 16"):
        build(tmp_path, {"COMPANION_TRUSTED_PROXIES": proxies})


@pytest.mark.parametrize("kind", ["postgres", "postgresql", "postgresql+psycopg"])
def test_the_address_a_hoster_gives_gets_our_driver(tmp_path, kind):
    app = build(tmp_path, {"DATABASE_URL": f"{kind}://ana:secret@db.example/night"})
    assert app.config["SQLALCHEMY_DATABASE_URI"] == "postgresql+psycopg://ana:secret@db.example/night"


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("night", "DATABASE_URL is no address"),
        ("postgresql://host:port/night", "DATABASE_URL is no address"),
        ("tea://host/night", "DATABASE_URL is no address"),
        ("mysql+mysqldb://host/night", r"is missing \(MySQLdb\)"),
    ],
)
def test_an_address_that_is_none_is_one_sentence(tmp_path, address, says):
    with pytest.raises(SetupError, match=says):
        build(tmp_path, {"DATABASE_URL": address})


def test_a_secret_of_digits_is_a_text_and_a_short_one_is_none(tmp_path):
    assert build(tmp_path, {"COMPANION_SECRET_KEY": "1" * 32}).config["SECRET_KEY"] == "1" * 32
    assert not (tmp_path / "secret").exists()
    with pytest.raises(SetupError, match="too short"):
        build(tmp_path, {"COMPANION_SECRET_KEY": "1234"})

"""Settings: which source wins, and the secret."""

from __future__ import annotations

import re
import stat
from datetime import timedelta
from pathlib import Path

import pytest
from platformdirs import user_data_dir

from companion import config, create_app
from companion.command import hosted
from companion.config import DEFAULTS, SETTINGS, SetupError, instance_path, secret
from companion.serving import lan


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


def test_an_installed_program_keeps_its_games_where_the_platforms_programs_do(tmp_path, monkeypatch):
    monkeypatch.setattr(config, "CHECKOUT", None)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    assert instance_path({"ENVIRON": {}}) == user_data_dir("gripe-companion", appauthor=False)
    # An earlier version kept them in the working folder: they are found there for ever, an empty folder is not theirs.
    (tmp_path / "instance").mkdir()
    assert instance_path({"ENVIRON": {}}) == user_data_dir("gripe-companion", appauthor=False)
    (tmp_path / "instance" / "companion.sqlite").touch()
    assert instance_path({"ENVIRON": {}}) == str(tmp_path / "instance")


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


# --- every setting from every source ---------------------------------------------------------------------------------

NO_NUMBER = ["abc", "-1", "1.5", "9" * 30, "１", [5], {"a": 1}, True]
NEITHER = ["maybe", "2", 7, None, [], "tru"]
#: Values that a setting may not have, and some that it may, with what they come to.
BAD: dict[str, list[object]] = {
    "HOST": ["", "a b", "http://here", 5, None, ["::"], "x" * 300],
    "PORT": [*NO_NUMBER, "0", "65536", None],
    "HOSTNAMES": [
        "a..b",
        "http://cards.example",
        "cards.example:80",
        "ä.example",
        "-a.example",
        7,
        None,
        [5],
        {"a": 1},
    ],
    "SECRET_KEY": ["short", 12345678901234567890, ["x"] * 20],
    "SQLALCHEMY_DATABASE_URI": [5, None, "", ["sqlite://"], "night", "mysql:no"],
    "SQLALCHEMY_ENGINE_OPTIONS": ["x", 5, None, {5: 5}, {"connect_args": 5}, {"nonsense": 1}, {"pool_size": "many"}],
    "TRUSTED_PROXIES": [*NO_NUMBER, "17", None],
    "OPEN_HOUSE": NEITHER,
    "HOSTED": NEITHER,
    "TIMEZONE": ["Mars/Olympus", 5, None, "../etc/passwd", "Europe", "/etc/localtime", "x" * 500],
    "BABEL_DEFAULT_LOCALE": ["xx", 5, None, "../pt", ["pt"]],
    "DAY_BEGINS": [*NO_NUMBER, "13", None],
    "REQUEST_LOG": [value for value in NEITHER if value is not None],
    "METRICS_TOKEN": ["short", "with a gap in the middle", 5, None, "ä" * 20],
    "THREADS": [*NO_NUMBER, "0", "70000", None],
    "STREAMS": [*NO_NUMBER, "70000"],
    "WORKERS": [*NO_NUMBER, "0", "65", None],
    "WORKER_CLASS": ["sync", 5, None, ["gevent"]],
    "SESSION_COOKIE_NAME": ["", "a b", "a;b", "device", "language", 5, None],
    "SESSION_COOKIE_HTTPONLY": NEITHER,
    "SESSION_COOKIE_SAMESITE": ["lax", "None", 5, ["Lax"]],
    "PERMANENT_SESSION_LIFETIME": ["abc", 5, -1, None, timedelta(0), 10**11, [5]],
    "WTF_CSRF_TIME_LIMIT": [*NO_NUMBER, "0"],
    "MAX_CONTENT_LENGTH": [*NO_NUMBER, "0", None],
    "MAX_FORM_MEMORY_SIZE": [*NO_NUMBER, "0", None],
    "MAX_FORM_PARTS": [*NO_NUMBER, "0", None],
    "MAX_UPLOAD": [*NO_NUMBER, "0", None],
    "COMPRESS_ALGORITHM": ["lzma", 5, None, [], [5], [["br"]]],
    "COMPRESS_BR_LEVEL": [*NO_NUMBER, "12", None],
    "COMPRESS_MIN_SIZE": [*NO_NUMBER, None],
    "COMPRESS_STREAMS": NEITHER,
}
GOOD: list[tuple[str, object, object]] = [
    ("HOST", "::1", "::1"), ("PORT", "8080", 8080), ("STREAMS", "0", 0), ("STREAMS", None, None),
    ("HOSTNAMES", "Cards.Example, cards.local", ("cards.example", "cards.local")), ("HOSTNAMES", ["a.b"], ("a.b",)),
    ("REQUEST_LOG", None, None), ("REQUEST_LOG", "yes", True), ("METRICS_TOKEN", "0123456789abcdef", "0123456789abcdef"),
    ("OPEN_HOUSE", "True", True), ("OPEN_HOUSE", "False", False), ("OPEN_HOUSE", "no", False), ("OPEN_HOUSE", 1, True),
    ("TIMEZONE", "Europe/Lisbon", "Europe/Lisbon"), ("TIMEZONE", "", ""), ("BABEL_DEFAULT_LOCALE", "pt", "pt"),
    ("PERMANENT_SESSION_LIFETIME", timedelta(days=30), timedelta(days=30)), ("COMPRESS_ALGORITHM", "br, gzip", ["br", "gzip"]),
    ("SQLALCHEMY_ENGINE_OPTIONS", {}, None), ("MAX_UPLOAD", "340000", 340_000),
]  # fmt: skip


def test_every_setting_has_its_check_and_its_cases():
    assert set(SETTINGS) == set(DEFAULTS) | {"SECRET_KEY", "SQLALCHEMY_DATABASE_URI"} == set(BAD)


def refused(key: str, value: object, start) -> None:
    with pytest.raises(SetupError) as error:
        start()
    said = str(error.value)
    name = "DATABASE_URL" if key == "SQLALCHEMY_DATABASE_URI" else key
    assert said.startswith(name) and "\n" not in said and len(said) < 600, said
    assert re.search(r" is (not|no|none|neither|too short)\b", said), said
    if key not in ("SECRET_KEY", "METRICS_TOKEN") and str(value).isascii() and len(str(value)) < 200:
        assert " ".join(str(value).split()) in said


@pytest.mark.parametrize(("key", "value"), [(key, value) for key, values in BAD.items() for value in values])
def test_a_wrong_value_is_one_sentence_from_every_source(tmp_path, key, value):
    refused(key, value, lambda: build(tmp_path, **{key: value}))
    (tmp_path / "config.py").write_text(f"import datetime\n{key} = {value!r}\n")
    refused(key, value, lambda: build(tmp_path))
    (tmp_path / "config.py").unlink()
    if isinstance(value, str) and value:  # nothing is not set
        refused(key, value, lambda: build(tmp_path, {f"COMPANION_{key}": value}))


@pytest.mark.parametrize(("key", "value", "wanted"), GOOD)
def test_a_right_value_is_taken_as_what_it_says(tmp_path, key, value, wanted):
    app = build(tmp_path, **{key: value})
    assert wanted is None or app.config[key] == wanted
    if isinstance(value, str):
        assert build(tmp_path, {f"COMPANION_{key}": value}).config[key] == app.config[key]


@pytest.mark.parametrize("key", sorted(BAD))
def test_bytes_that_are_no_text_are_one_sentence(tmp_path, key):
    with pytest.raises(SetupError) as error:
        build(tmp_path, {f"COMPANION_{key}": "a" * 20 + "\udcff"})
    assert str(error.value).isprintable()


def test_what_is_set_to_nothing_is_not_set(tmp_path):
    app = build(tmp_path, {f"COMPANION_{key}": "" for key in BAD} | {"PORT": "", "HOST": "", "DATABASE_URL": ""})
    assert (app.config["PORT"], app.config["OPEN_HOUSE"], app.config["TIMEZONE"]) == (8000, False, "")


@pytest.mark.parametrize("address", ["postgresql://ana:secret@host:port/night", "tea://ana:secret@host/night"])
def test_no_password_is_shown(tmp_path, address):
    with pytest.raises(SetupError, match="DATABASE_URL is no address") as error:
        build(tmp_path, {"DATABASE_URL": address})
    assert "secret" not in str(error.value) and "night" in str(error.value)


def test_the_database_may_be_named_in_the_settings_file(tmp_path):
    (tmp_path / "config.py").write_text('DATABASE_URL = "postgres://ana@host/night"\n')
    assert build(tmp_path).config["SQLALCHEMY_DATABASE_URI"] == "postgresql+psycopg://ana@host/night"


@pytest.mark.parametrize(
    "source", ["raise SystemExit", "1 / 0", "raise ValueError('two\\nlines')", "import nothing_there"]
)
def test_a_settings_file_that_breaks_off_is_one_sentence(tmp_path, source):
    (tmp_path / "config.py").write_text(source)
    with pytest.raises(SetupError, match=r"config\.py has a mistake") as error:
        build(tmp_path)
    assert "\n" not in str(error.value)


def test_streams_leave_threads_for_pages(tmp_path):
    with pytest.raises(SetupError, match="STREAMS=20 leaves no thread .* below THREADS=20"):
        lan.listen(build(tmp_path, STREAMS=20, THREADS=20), "127.0.0.1", 0)
    with pytest.raises(SetupError, match="STREAMS=20 leaves no thread"):
        hosted.arguments(build(tmp_path, STREAMS=20, THREADS=20, WORKER_CLASS="gthread"))

"""The line protocol as a program sees it: nothing that comes in stops it, and every line is answered in order."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.referee.protocol import answer, answer_line
from tests.referee import strategies as make
from tests.thorough import thorough

ROOT = Path(__file__).parents[2]
GOOD = {"type": "meld", "in": {"cards": ["4S", "2S", "6S"], "ordered": ["4S", "2S", "6S"]}}
GOOD_OUT = {
    "readings": [{"kind": "run", "suit": "S", "low": "4", "cards": ["4S", "2*", "6S"]}],
    "ordered_run": [{"suit": "S", "low": "4"}],
    "set3": False,
    "run4": False,
}
RUN = {"kind": "run", "suit": "S", "low": "4", "owner": "p2", "cards": ["4S", "2S", "6S"]}


def changed(**changes: Any) -> str:
    return json.dumps({**GOOD, **changes})


def question(kind: str, **given: Any) -> str:
    return json.dumps({"type": kind, "in": given})


def run_with(**changes: Any) -> str:
    meld = {key: value for key, value in {**RUN, **changes}.items() if value != "left out"}
    return question("table", table=[meld], player="p1")


BAD_LINES = {
    "garbage": "garbage",
    "half an object": '{"type": "meld", "in": {"cards": ["4S"',
    "two objects": json.dumps(GOOD) + json.dumps(GOOD),
    "an array": "[]",
    "an array of requests": json.dumps([GOOD]),
    "a number": "7",
    "a string": '"meld"',
    "null": "null",
    "NaN": "NaN",
    "nothing asked": "{}",
    "no type": json.dumps({"in": GOOD["in"]}),
    "unknown type": changed(type="shuffle"),
    "type in capitals": changed(type="MELD"),
    "type a list": changed(type=["meld"]),
    "type an object": changed(type={"meld": 1}),
    "type null": changed(type=None),
    "no in": json.dumps({"type": "meld"}),
    "in a list": changed(**{"in": ["4S"]}),
    "in null": changed(**{"in": None}),
    "no cards": question("meld", ordered=["4S"]),
    "cards a string": question("meld", cards="4S 5S 6S", ordered=[]),
    "cards an object": question("meld", cards={"4S": 1}, ordered=[]),
    "cards null": question("meld", cards=None, ordered=[]),
    "cards numbers": question("meld", cards=[4, 5, 6], ordered=[]),
    "cards lists": question("meld", cards=[["4S"]], ordered=[]),
    "an unknown suit letter": question("meld", cards=["4X"], ordered=["4X"]),
    "a 1": question("meld", cards=["1S"], ordered=["1S"]),
    "an 11": question("meld", cards=["11S"], ordered=["11S"]),
    "an empty card": question("meld", cards=[""], ordered=[""]),
    "a lone surrogate": question("meld", cards=["\ud800"], ordered=["\ud800"]),
    "a null byte": question("meld", cards=["4S\0"], ordered=["4S\0"]),
    "an emoji": question("meld", cards=["🂡"], ordered=["🂡"]),
    "a very long card": question("meld", cards=["4" * 100_000 + "S"], ordered=[]),
    "ordered a number": question("meld", cards=["4S"], ordered=7),
    "rules a list": changed(rules=["decks"]),
    "rules a string": changed(rules="kate"),
    "an unknown rules key": changed(rules={"wild_kings": True}),
    "an empty rules key": changed(rules={"": 1}),
    "decks 0": changed(rules={"decks": 0}),
    "decks negative": changed(rules={"decks": -2}),
    "decks huge": changed(rules={"decks": 10**400}),
    "decks a fraction": changed(rules={"decks": 2.5}),
    "decks true": changed(rules={"decks": True}),
    "decks null": changed(rules={"decks": None}),
    "decks text": changed(rules={"decks": "2"}),
    "decks NaN": '{"type": "meld", "in": {"cards": [], "ordered": []}, "rules": {"decks": NaN}}',
    "decks infinite": '{"type": "meld", "in": {"cards": [], "ordered": []}, "rules": {"decks": Infinity}}',
    "decks 1e999": '{"type": "meld", "in": {"cards": [], "ordered": []}, "rules": {"decks": 1e999}}',
    "max_wilds negative": changed(rules={"max_wilds": -1}),
    "max_wilds text": changed(rules={"max_wilds": "none"}),
    "max_wilds false": changed(rules={"max_wilds": False}),
    "nat_outnumber 1": changed(rules={"nat_outnumber": 1}),
    "swap text": changed(rules={"swap": "yes"}),
    "swap null": changed(rules={"swap": None}),
    "freed_wild table": changed(rules={"freed_wild": "moon"}),
    "freed_wild a list": changed(rules={"freed_wild": ["end"]}),
    "freed_wild an object": changed(rules={"freed_wild": {}}),
    "own_melds_count 0": changed(rules={"own_melds_count": 0}),
    "an unknown sheet": changed(sheet="atlantis"),
    "a game without contracts": changed(sheet="grebber"),
    "sheet a list": changed(sheet=["kate"]),
    "sheet a number": changed(sheet=7),
    "no groups": question("laydown", contract=1),
    "groups a string": question("laydown", contract=1, groups="4S"),
    "groups of strings": question("laydown", contract=1, groups=["4S", "5S"]),
    "groups null": question("laydown", contract=1, groups=None),
    "contract 0": question("laydown", contract=0, groups=[]),
    "contract 11": question("laydown", contract=11, groups=[]),
    "contract -1": question("godown", contract=-1, hand=[]),
    "contract true": question("godown", contract=True, hand=[]),
    "contract text": question("godown", contract="1", hand=[]),
    "contract a fraction": question("godown", contract=1.5, hand=[]),
    "contract huge": question("godown", contract=10**300, hand=[]),
    "contract a list": question("godown", contract=[1], hand=[]),
    "no contract": question("godown", hand=[]),
    "no hand": question("godown", contract=1),
    "hand a number": question("godown", contract=1, hand=7),
    "no table": question("table", player="p1"),
    "table an object": question("table", table={}, player="p1"),
    "table of strings": question("table", table=["4S"], player="p1"),
    "table of nulls": question("table", table=[None], player="p1"),
    "a meld without a kind": run_with(kind="left out"),
    "a meld of another kind": run_with(kind="flush"),
    "kind a list": run_with(kind=["run"]),
    "a run without a suit": run_with(suit="left out"),
    "a run without a low": run_with(low="left out"),
    "a run of an unknown suit": run_with(suit="X"),
    "suit a list": run_with(suit=["S"]),
    "low a number": run_with(low=[4]),
    "low unknown": run_with(low="1"),
    "low a 2": run_with(low="2"),
    "a run of another suit": run_with(suit="H"),
    "a run from another low": run_with(low="5"),
    "a run beyond the ace": run_with(low="K", cards=["KS", "AS", "2S"]),
    "a run without cards": run_with(cards=[]),
    "a run of strings": run_with(cards="4S 2S 6S"),
    "a set without cards": question("table", table=[{"kind": "set", "owner": "p1", "cards": []}], player="p1"),
    "a set of wilds": question("table", table=[{"kind": "set", "owner": "p1", "cards": ["2S"] * 3}], player="p1"),
    "a set of two ranks": run_with(kind="set", cards=["4S", "4H", "5S"]),
    "an empty line": "",
    "spaces": "   ",
    "deep lists": "[" * 100_000,
    "deep closed lists": "[" * 50_000 + "]" * 50_000,
    "deep objects": '{"a":' * 50_000 + "1" + "}" * 50_000,
    "deep in": '{"type": "meld", "in": ' + '{"in": ' * 900 + "{}" + "}" * 900 + "}",
    "a megabyte": "x" * 1_000_000,
    "a megabyte of cards": question("meld", cards=["4S"] * 150_000, ordered=[]),
    "a number of 5000 digits": '{"type": "godown", "in": {"hand": [], "contract": ' + "9" * 5_000 + "}}",
}  # fmt: skip


@pytest.mark.parametrize("line", BAD_LINES.values(), ids=BAD_LINES.keys())
def test_a_malformed_line_is_an_error(line: str) -> None:
    got = answer_line(line)
    assert "\n" not in got
    assert len(got) < 1_000
    told = json.loads(got)
    assert set(told) == {"error"}
    assert isinstance(told["error"], str)
    assert told["error"]


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "-1e999", "9" * 5_000])
@pytest.mark.parametrize("where", ['{"id": ?, "type": "meld", "in": {"cards": []}}', '{"id": [{"a": ?}]}', '{"in": ?}'])
def test_a_number_that_json_has_not_is_an_error_and_no_echo(number: str, where: str) -> None:
    got = answer_line(where.replace("?", number))
    assert json.loads(got, parse_constant=pytest.fail) == {"error": f"no number: {number[:20]}"}


@pytest.mark.parametrize("number", ["1e300", "-0.0", "1e-999", "123456789012345678901234567890"])
def test_every_number_that_json_has_comes_back(number: str) -> None:
    told = json.loads(answer_line(f'{{"id": {number}, "type": "meld", "in": {{"cards": []}}}}'))
    assert told["id"] == json.loads(number)
    assert "out" in told


EIGHTS = {"kind": "set", "owner": "a", "cards": ["8S", "8H", "8D"]}
QUESTIONS = {
    "meld": {"cards": ["8S", "8H", "?"]},
    "ordered": {"cards": [], "ordered": ["8S", "?", "10S"]},
    "table": {"table": [{**EIGHTS, "cards": ["8S", "8H", "?"]}], "player": "a"},
    "laydown": {"contract": 1, "groups": [["8S", "8H", "?"], ["9S", "9H", "9D"]]},
    "godown": {"contract": 1, "hand": ["8S", "8H", "?", "9S", "9H", "9D"]},
    "best": {"contract": 1, "hand": ["8S", "8H", "?", "9S", "9H", "9D"], "table": [], "player": "a"},
    "best with it on the table": {
        "contract": 1, "hand": ["8S"], "table": [{**EIGHTS, "cards": ["8S", "8H", "?"]}], "player": "a",
    },
}  # fmt: skip


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_card_that_is_not_in_the_deck_is_an_error_in_every_question(name: str) -> None:
    kind = {"ordered": "meld"}.get(name, name.split()[0])

    def ask(card: str, sheet: str) -> dict[str, Any]:
        given = json.loads(json.dumps(QUESTIONS[name]).replace("?", card))
        return answer({"type": kind, "in": given, "sheet": sheet})

    for sheet in ("kate", "ehow"):
        assert ask("JK", sheet)["error"].endswith(": JK is no card of this deck")
        assert set(ask("8C", sheet)) == {"out"}
    for sheet in ("peru", "liverpool"):
        assert set(ask("JK", sheet)) == {"out"}
    for sheet in ("kate", "peru"):
        assert ask("8?", sheet)["error"].endswith(": 8? is no card of this deck")


def test_2s_that_are_not_wild_are_each_a_card_of_its_own_on_the_table() -> None:
    run = {"kind": "run", "suit": "D", "low": "3", "owner": "a", "cards": ["3D", "4D", "5D"]}
    asked = {"type": "table", "in": {"table": [run], "player": "b"}}
    assert sorted(answer({**asked, "sheet": "liverpool"})["out"]["plays"]) == ["2D", "6D", "JK"]
    assert sorted(answer(asked)["out"]["plays"]) == ["2S", "6D"]  # where they are wild, one stands for all four
    assert sorted(answer({**asked, "sheet": "peru"})["out"]["plays"]) == ["2C", "2D", "2H", "2S", "6D", "JK"]


@pytest.mark.parametrize("sheet", ["kate", "peru"])
def test_hands_longer_than_any_game_deals_are_answered(sheet: str) -> None:
    hand = [f"{rank}{suit}" for rank in ("2", "2", "3", "7", "9", "9", "J") for suit in "SHDC"]
    for kind, asked in (
        ("godown", {"hand": hand, "contract": 1}),
        ("best", {"hand": hand[:20], "contract": 1, "table": [], "player": "a"}),
        ("meld", {"cards": hand * 7}),
        ("laydown", {"contract": 1, "groups": [hand[at : at + 3] for at in range(0, len(hand), 3)]}),
    ):
        told = json.loads(answer_line(json.dumps({"id": kind, "type": kind, "sheet": sheet, "in": asked})))
        assert set(told) == {"id", "out"}
    for kind, key in (("godown", "hand"), ("meld", "cards")):
        asked = {"type": kind, "sheet": sheet, "in": {key: ["3S"] * 201, "contract": 1}}
        assert answer(asked) == {"error": f"{key}: at most 200 cards"}


def test_many_groups_of_which_one_is_no_meld_are_answered() -> None:
    """In every order of them there were millions of ways to fail."""
    sets = [
        [f"{rank}S", f"{rank}H", f"{rank}D"] for rank in ["3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
    ]
    for last, ok in ((["3C", "4C", "9C"], False), (["3C", "4C", "5C"], True), (["2S", "2S", "JK"], True)):
        asked = {"type": "laydown", "sheet": "peru", "in": {"contract": 1, "groups": [*sets, last]}}
        assert answer(asked) == {"out": {"ok": ok}}


def test_invalid_utf8_is_an_error() -> None:
    assert set(json.loads(answer_line(b'{"type": "meld", "in": {"cards": ["\xff\xfe"], "ordered": []}}'))) == {"error"}


@pytest.mark.parametrize(
    "number", [0, 7, -1, "a", "", "7", None, True, 1.5, [], [1, {"a": None}], {"b": [1]}, 10**30, "é😀", "\u2028"]
)
def test_the_id_comes_back_as_it_was(number: Any) -> None:
    good = json.loads(answer_line(changed(id=number)))
    assert good == {"id": number, "out": GOOD_OUT}
    bad = json.loads(answer_line(changed(id=number, type="shuffle")))
    assert set(bad) == {"id", "error"}
    assert bad["id"] == number


def test_without_an_id_the_answer_has_none() -> None:
    assert json.loads(answer_line(json.dumps(GOOD))) == {"out": GOOD_OUT}


@pytest.mark.parametrize(
    "spelling", [["4s", "2s", "6s"], ["4♠", "2♠", "6♠"], ["4S", "2D", "6S"]], ids=["small", "signs", "another 2"]
)
def test_cards_may_be_spelled_in_other_ways(spelling: list[str]) -> None:
    assert answer({"type": "meld", "in": {"cards": spelling, "ordered": spelling}}) == {"out": GOOD_OUT}


def test_partial_rules_and_the_named_default_sheet() -> None:
    for extra in ({"rules": {}}, {"rules": {"swap": False}}, {"sheet": "kate"}, {"rules": {"max_wilds": 1}}):
        assert answer({**GOOD, **extra}) == {"out": GOOD_OUT}
    assert answer({**GOOD, "rules": {"max_wilds": 0}})["out"]["readings"] == []


def test_the_ehow_sheet_forbids_no_discard_and_replaces_nothing() -> None:
    asked = json.loads(run_with())
    assert "5S" in answer(asked)["out"]["illegal_discards"]
    lax = answer({**asked, "sheet": "ehow"})["out"]
    assert lax["illegal_discards"] == []
    assert "5S" not in lax["plays"]
    assert "7S" in lax["plays"]


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8)
    | st.sampled_from(["4S", "2H", "run"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)
KEYS = ["cards", "ordered", "hand", "contract", "groups", "table", "player"]


@thorough(200, in_ci=1000)
@given(
    st.sampled_from(["meld", "table", "laydown", "godown", "best"]),
    st.dictionaries(st.sampled_from(KEYS), json_values),
    json_values,
    st.sampled_from([None, "kate", "ehow", "peru"]) | json_values,
)
def test_any_values_are_answered(kind: str, given: dict[str, Any], rules: Any, sheet: Any) -> None:
    for extra in ({}, {"rules": rules}, {"sheet": sheet}, {"rules": rules, "sheet": sheet}):
        told = json.loads(answer_line(json.dumps({"id": 1, "type": kind, "in": given, **extra})))
        assert set(told) in ({"id", "out"}, {"id", "error"})


@thorough(150, in_ci=1000)
@given(st.one_of(make.meld_requests(), make.table_requests(), make.laydown_requests(), make.best_requests()), st.data())
def test_one_wrong_value_anywhere_is_answered(request: dict[str, Any], data: st.DataObject) -> None:
    target: Any = request["in"]
    while isinstance(target, (dict, list)) and target:
        keys = sorted(target) if isinstance(target, dict) else list(range(len(target)))
        key = data.draw(st.sampled_from(keys))
        if not isinstance(target[key], (dict, list)) or data.draw(st.booleans()):
            target[key] = data.draw(json_values)
            break
        target = target[key]
    told = json.loads(answer_line(json.dumps(request)))
    assert set(told) in ({"out"}, {"error"})


@thorough(200, in_ci=1000)
@given(st.binary(max_size=60) | st.text(max_size=60).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_bytes_are_answered(line: bytes) -> None:
    told = json.loads(answer_line(line))
    assert "error" in told


# --- as a program ----------------------------------------------------------------------------------------------------
def talk(lines: bytes, timeout: float = 120) -> list[Any]:
    done = subprocess.run(
        [sys.executable, "-m", "companion.referee"], input=lines, capture_output=True, cwd=ROOT, timeout=timeout
    )
    assert done.returncode == 0, done.stderr[-2_000:]
    assert not done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_every_bad_line_gets_an_error_and_the_next_line_its_answer() -> None:
    sent, wanted = b"", []
    for number, line in enumerate(BAD_LINES.values()):
        sent += line.encode("utf-8", "surrogatepass") + b"\n" + changed(id=number).encode() + b"\n"
        wanted += ["error", number]
    sent += b"\xff\xfe\x00 not text\n" + changed(id="last").encode() + b"\n"
    answers = talk(sent)
    assert ["error" if "error" in told else told["id"] for told in answers] == [*wanted, "error", "last"]
    assert all(told["out"] == GOOD_OUT for told in answers if "out" in told)


def test_the_last_line_may_lack_its_newline() -> None:
    assert talk(json.dumps(GOOD).encode()) == [{"out": GOOD_OUT}]


def test_windows_line_ends_are_fine() -> None:
    assert talk((json.dumps(GOOD) + "\r\n").encode() * 2) == [{"out": GOOD_OUT}] * 2


def test_nothing_in_nothing_out() -> None:
    assert talk(b"") == []


def test_the_same_id_twice_is_two_answers_in_order() -> None:
    lines = [changed(id=1), changed(id=1, type="shuffle"), changed(id=1)]
    assert [sorted(told) for told in talk("\n".join(lines).encode())] == [["id", "out"], ["error", "id"], ["id", "out"]]


def test_each_answer_comes_before_the_next_question() -> None:
    """A program that asks and waits must not wait for a buffer to fill."""
    command = [sys.executable, "-m", "companion.referee"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT) as referee:
        assert referee.stdin is not None
        assert referee.stdout is not None
        for number in range(3):
            referee.stdin.write(changed(id=number).encode() + b"\n")
            referee.stdin.flush()
            assert json.loads(referee.stdout.readline()) == {"id": number, "out": GOOD_OUT}
        referee.stdin.close()
        assert referee.wait(60) == 0


def test_a_reader_that_leaves_is_no_crash() -> None:
    command = f"{sys.executable} -m companion.referee | head -n 1"
    lines = (json.dumps(GOOD) + "\n").encode() * 20_000
    done = subprocess.run(command, shell=True, input=lines, capture_output=True, cwd=ROOT, timeout=120)
    assert b"Traceback" not in done.stderr
    assert json.loads(done.stdout) == {"out": GOOD_OUT}


MEASURE = """
import resource, sys
from companion.referee.protocol import answer_line
rank = "3 4 5 6 7 8 9 10 J Q K A".split()
def line(n):
    a, b, c = rank[n % 12], rank[n // 12 % 12], rank[n // 144 % 12]
    hand = ",".join('"%s"' % card for card in (a+"S", b+"S", c+"H", a+"D", b+"C", "2S", "2H"))
    return '{"id": %d, "type": "godown", "in": {"contract": %d, "hand": [%s]}}' % (n, n % 3 + 1, hand)
for n in range(20000):
    answer_line(line(n))
    if n == 4000:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def test_memory_stays_where_it_is() -> None:
    """Twenty thousand different lines; between line 4,000 and the last the peak grows by less than 8 MB."""
    done = subprocess.run(
        [sys.executable, "-c", MEASURE], capture_output=True, text=True, cwd=ROOT, timeout=300, check=True
    )
    grown = int(done.stdout)
    assert grown < 8_000 * (1024 if sys.platform == "darwin" else 1)

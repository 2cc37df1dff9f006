"""What a child may say: whatever it is, `parse_frame` gives plain data of the right types or `FrameError`."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from framework.board import format_board, parse_board
from grader.sandbox.answers import (
    MAX_DEPTH,
    MAX_TEXT,
    Answer,
    ClientAnswer,
    Failure,
    FrameError,
    parse_answer,
    parse_client_answer,
    parse_ends,
    parse_frame,
)

MANY = settings(max_examples=400)

INT64 = st.integers(-(2**63), 2**63 - 1)
JUMPS = st.lists(st.lists(INT64, min_size=4, max_size=4), max_size=4)
TEXTS = st.text(max_size=30)
BOARDS = st.text("*o.", min_size=64, max_size=64)

SIZES = {"states": st.none() | st.integers(0, 2**40), "longest_chain": st.none() | INT64}
ANSWERS = st.fixed_dictionaries({"answer": INT64, "jumps": JUMPS, **SIZES, "board": BOARDS})
NUMBERS = st.lists(INT64, max_size=4)
CLIENT_ANSWERS = st.fixed_dictionaries({"made": NUMBERS, "moves": JUMPS, "keys": NUMBERS, "hashes": NUMBERS})
VALUES = st.lists(st.lists(TEXTS, min_size=2, max_size=2), max_size=3)
WORDS = dict.fromkeys(("failure", "type", "text", "file", "condition"), TEXTS)
FAILURES = st.fixed_dictionaries({**WORDS, "line": INT64, "values": VALUES})
FRAMES = ANSWERS | CLIENT_ANSWERS | FAILURES
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


def parse(raw: bytes) -> Answer | ClientAnswer | Failure | None:
    """Return what `raw` says, its types checked, or None when it is refused."""
    for read in (parse_answer, parse_client_answer):
        try:
            said = parse_frame(raw, read)
            break
        except FrameError:
            pass
    else:
        return None
    match said:
        case Answer():
            assert type(said.number) is int
            assert all(len(jump) == 4 and all(type(n) is int for n in jump) for jump in said.jumps)
            assert said.states is None or type(said.states) is int
            assert said.longest_chain is None or type(said.longest_chain) is int
            assert said.board.shape == (8, 8)
        case ClientAnswer():
            assert all(len(move) == 4 and all(type(n) is int for n in move) for move in said.moves)
            assert all(type(number) is int for number in said.keys + said.hashes)
        case Failure():
            texts = [said.kind, said.type, said.text, said.file, said.condition]
            texts += [text for pair in said.values for text in pair]
            assert all(type(text) is str and len(text) <= MAX_TEXT for text in texts)
            assert type(said.line) is int
        case _:
            pytest.fail(f"an unexpected {type(said)}")
    return said


@MANY
@given(st.binary(max_size=200))
def test_random_bytes_are_refused(raw: bytes) -> None:
    assert parse(raw) is None


@MANY
@given(FRAMES, st.data())
def test_a_truncated_frame_is_refused(frame: dict[str, Any], data: st.DataObject) -> None:
    raw = json.dumps(frame).encode()
    length = data.draw(st.integers(0, len(raw) - 1))
    assert parse(raw[:length]) is None


@pytest.mark.slow
@MANY
@given(JSON)
def test_any_json_is_refused(value: Any) -> None:
    assert parse(json.dumps(value).encode()) is None


@pytest.mark.slow
@MANY
@given(FRAMES, st.data(), JSON)
def test_a_frame_with_a_wrong_field_never_gives_other_types(
    frame: dict[str, Any], data: st.DataObject, value: Any
) -> None:
    name = data.draw(st.sampled_from(sorted(frame)))
    parse(json.dumps({**frame, name: value}).encode())
    parse(json.dumps({key: part for key, part in frame.items() if key != name}).encode())


@pytest.mark.slow
@MANY
@given(FRAMES, st.data())
def test_a_damaged_frame_never_gives_other_types(frame: dict[str, Any], data: st.DataObject) -> None:
    raw = bytearray(json.dumps(frame).encode())
    for place in data.draw(st.lists(st.integers(0, len(raw) - 1), min_size=1, max_size=3)):
        raw[place] = data.draw(st.integers(0, 255))
    parse(bytes(raw))


@MANY
@given(ANSWERS)
def test_an_answer_comes_back(frame: dict[str, Any]) -> None:
    said = parse(json.dumps(frame).encode())
    assert isinstance(said, Answer)
    assert said.number == frame["answer"]
    assert [list(jump) for jump in said.jumps] == frame["jumps"]
    assert (said.states, said.longest_chain) == (frame["states"], frame["longest_chain"])
    assert format_board(said.board) == format_board(parse_board(frame["board"]))


@MANY
@given(CLIENT_ANSWERS)
def test_a_clients_answer_comes_back(frame: dict[str, Any]) -> None:
    said = parse(json.dumps(frame).encode())
    assert isinstance(said, ClientAnswer)
    assert [list(move) for move in said.moves] == frame["moves"]
    assert (said.keys, said.hashes) == (frame["keys"], frame["hashes"])


@MANY
@given(FAILURES)
def test_a_failure_comes_back(frame: dict[str, Any]) -> None:
    said = parse(json.dumps(frame).encode())
    assert isinstance(said, Failure)
    assert (said.kind, said.type, said.text) == (frame["failure"], frame["type"], frame["text"])
    assert (said.file, said.line) == (frame["file"], frame["line"])
    assert said.condition == frame["condition"]
    assert [list(pair) for pair in said.values] == frame["values"]


ANSWER = '{"answer": %s, "jumps": [], "states": null, "longest_chain": null, "board": "' + "*" * 64 + '"}'


@pytest.mark.parametrize(
    "number",
    [
        "NaN", "Infinity", "-Infinity", "1.0", "1e3", "true", "null", '"1"', "[1]", "{}", "9" * 21, "9" * 10_000,
        "9" * 1_000_000, "1e" + "9" * 1000, "-" + "1" * 30, "01", "+1", "0x1",
        "\u0661",  # a digit one, but not JSON's
    ],
)  # fmt: skip
def test_what_is_no_whole_number_is_refused(number: str) -> None:
    assert parse((ANSWER % number).encode()) is None


def test_whole_numbers_are_taken() -> None:
    for number in (1, 0, -1, 2**63 - 1, -(2**63)):
        said = parse((ANSWER % number).encode())
        assert isinstance(said, Answer)
        assert said.number == number


@pytest.mark.slow
@pytest.mark.parametrize("opening", ["[", '{"a":', '{"answer":['])
@pytest.mark.parametrize("closed", [True, False])
def test_deep_nesting_is_refused(opening: str, closed: bool) -> None:
    """At every depth: the reader's own limit on recursion lies somewhere in between."""
    closing = "".join({"[": "]", "{": "}"}.get(character, "") for character in reversed(opening))
    for depth in [*range(1, 1200, 7), *range(900, 1000), 5000, 100_000]:
        text = opening * depth + "1" + (closing * depth if closed else "")
        assert parse(text.encode()) is None
        assert parse((ANSWER % text).encode()) is None


def test_a_value_that_the_reader_takes_can_be_looked_at() -> None:
    """The reader's own limit is near the one of the functions that show a value: one level too few matters."""
    for depth in range(MAX_DEPTH, 1100):
        for opening, closing in (("[", "]"), ('{"a":', "}")):
            nested = f"{opening * depth}1{closing * depth}"
            assert parse((ANSWER % 1).replace("[]", f"[[{nested}, 0, 0, 0]]").encode()) is None


def test_strange_texts_are_kept_as_data() -> None:
    frame = {"failure": "raise", "type": "E", "text": "\ud800\x00\x1b[31m\u202e", "file": "../../x",
             "line": 1, "condition": "", "values": []}  # fmt: skip
    said = parse(json.dumps(frame).encode())
    assert isinstance(said, Failure)
    assert said.text == frame["text"]


def test_long_texts_are_cut() -> None:
    frame = {"failure": "raise", "type": "E" * 100_000, "text": "t" * 100_000, "file": "", "line": 1,
             "condition": "", "values": [["n", "v" * 100_000]]}  # fmt: skip
    said = parse(json.dumps(frame).encode())
    assert isinstance(said, Failure)
    assert max(len(said.type), len(said.text), len(said.values[0][1])) <= MAX_TEXT


def test_many_jumps_are_refused_or_few() -> None:
    """No game has more than 63 jumps; a frame with more is no reason to fill a report with them."""
    text = json.dumps({**json.loads(ANSWER % 1), "jumps": [[0, 0, 0, 2]] * 100_000})
    said = parse(text.encode())
    assert said is None or (isinstance(said, Answer) and len(said.jumps) <= 200)


def test_many_values_are_refused_or_few() -> None:
    frame = {"failure": "contract", "type": "E", "text": "", "file": "", "line": 1,
             "condition": "c", "values": [["n", "v"]] * 100_000}  # fmt: skip
    said = parse(json.dumps(frame).encode())
    assert said is None or (isinstance(said, Failure) and len(said.values) <= 100)


@pytest.mark.parametrize("cells", [[64], [-1], [0] * 65])
def test_ends_are_cells_of_a_board(cells: list[int]) -> None:
    """Of many chosen numbers, a set would take minutes."""
    with pytest.raises(FrameError):
        parse_ends({"ends": [[0, 63], cells], "changed": 0})

"""The hashing lab: its boards and moves as numbers, its two tables, and what the grader says of them."""

import binascii
import json
import random
import re
import subprocess
from array import array
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from framework.board import PEG, format_board, parse_board
from framework.cells49 import (
    CELLS,
    HOLES,
    MOVES,
    CellsError,
    format_cells,
    jump_of,
    number_of,
    parse_cells,
    triple_of,
)
from framework.lab_table import CLOSED, OPEN
from framework.verify import verify
from grader.catalog.boards import Facts, NamedBoard, find_board
from grader.catalog.tasks import Asked, Check, registry
from grader.judging import kinds
from grader.judging.kinds import lab10, lab_rounds, lab_search, lab_tables, table_truth
from grader.judging.kinds.lab10 import LabAnswer
from grader.judging.kinds.lab_rounds import Filled, Kept, Round, Step
from grader.messages import compile_errors
from grader.messages.catalogue import hints_for
from grader.result import Result, Verdict
from grader.sandbox.answers import FrameError
from grader.sandbox.child import lab_questions
from support import command

CASES = {
    "lab-6": [9, 18, 19, 29, 30, 38],
    "lab-12": [2, 3, 4, 9, 10, 14, 15, 16, 17, 19, 20, 21],
    "lab-10": [2, 3, 4, 9, 10, 14, 15, 16, 17, 19],
    "lab-20": [3, 4, 9, 15, 16, 17, 19, 20, 22, 23, 25, 26, 27, 30, 31, 33, 34, 38, 45, 46],
}
SOLVABLE = {"lab-6": True, "lab-12": False, "lab-10": True, "lab-20": True}
KIND = kinds.KINDS["lab10"]
TASK = registry().find("lab10")


def characters(pegs: list[int]) -> str:
    return "".join("1" if cell in pegs else "0" for cell in range(CELLS))


def grade(*arguments: str, cwd: Path = command.ROOT) -> subprocess.CompletedProcess[str]:
    return command.grade("lab10", "--reference", *arguments, cwd=cwd)


# ---- boards and moves as numbers -----------------------------------------------------------------


@given(st.sets(st.sampled_from(HOLES)))
def test_a_text_and_its_board(pegs: set[int]) -> None:
    text = characters(sorted(pegs))
    board = parse_cells(text)
    assert format_cells(board) == text
    assert number_of(board) == sum(1 << cell for cell in pegs)
    assert (parse_board(format_board(board)) == board).all()
    assert (parse_cells("\n".join(re.findall(".{7}", text))) == board).all()


def test_the_cells_of_the_cases_are_those_of_their_boards() -> None:
    for name, pegs in CASES.items():
        board = find_board(name).board
        assert [cell for cell in range(CELLS) if board[cell // 7, cell % 7] == PEG] == pegs


def test_the_76_moves() -> None:
    found = {tuple(int(cell) for cell in move) for move in MOVES}
    rows = {(cell, cell + 1, cell + 2) for cell in HOLES if cell % 7 <= 4}
    columns = {(cell, cell + 7, cell + 14) for cell in HOLES}
    lines = {line for line in rows | columns if set(line) <= set(HOLES)}
    assert found == lines | {(end, over, start) for start, over, end in lines}
    assert len(MOVES) == 76
    assert all(triple_of(jump_of((a, b, c))) == (a, b, c) for a, b, c in found)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("0" * 48, "mine.txt: expected 49 characters '0' and '1', found 48"),
        ("0" * 50, "mine.txt: expected 49 characters '0' and '1', found 50"),
        ("0" * 30 + "\n" + "0" * 18 + "x", "mine.txt:2:19: expected '0' or '1', found 'x'"),
        ("0" * 48 + "1", "mine.txt:1:49: expected '0' for cell 48, found a peg: the 2 x 2 corners are no holes"),
        ("0" * 5 + "\n1" + "0" * 43, "mine.txt:2:1: expected '0' for cell 5, found a peg: the 2 x 2 corners are no holes"),
        ("0" * 49, "mine.txt: the board has no peg"),
    ],
)  # fmt: skip
def test_a_malformed_file(text: str, told: str, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text(text + "\n")
    done = grade("--board", "mine.txt", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.splitlines()[0] == told
    assert done.stderr.splitlines()[1].startswith("help: ")
    assert done.stdout == ""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["french1", "big-diamond", "lab-6+r90"])
def test_a_board_with_other_holes(name: str) -> None:
    done = grade("--board", name)
    assert done.returncode == 2
    assert done.stderr == (
        f"board {name}: expected the 33 holes of the English board in rows and columns 0 to 6, found others\n"
        "help: see the holes: grade show english\n"
    )
    with pytest.raises(CellsError):
        format_cells(find_board(name).board)


# ---- the cases, in all three ways ----------------------------------------------------------------


@pytest.mark.slow
def test_the_four_cases_and_their_printed_moves() -> None:
    done = grade(*(f"--board={name}" for name in CASES))
    assert done.returncode == 0
    answers = dict(re.findall(r"^ok +(\S+) +(solved|no solution|out of time)", done.stdout, re.MULTILINE))
    wanted = {
        f"{name}:{variant}": "solved" if SOLVABLE[name] else "no solution"
        for name in CASES
        for variant in ("none", "open", "closed")
    }
    assert answers == wanted
    shown = re.findall(r"^(.+): the moves, each as from, over, to\n((?:  .+\n)+)", done.stdout, re.MULTILINE)
    replayed = [name for names, moves in shown for name in names.split(", ") if replays(name, moves)]
    assert sorted(replayed) == sorted(name for name, answer in wanted.items() if answer == "solved")


def replays(check: str, moves: str) -> bool:
    """Return whether the printed moves lead from the case's pegs to one peg."""
    cells = [int(word) for word in moves.split()]
    triples = list(zip(cells[::3], cells[1::3], cells[2::3], strict=True))
    assert all(triple_of(jump_of(triple)) == triple for triple in triples)
    return verify(find_board(check.partition(":")[0]).board, list(map(jump_of, triples))).solved


# ---- the reference's tables, as plain Python -----------------------------------------------------


@cache
def reference() -> ModuleType:
    return command.reference("lab10")


@pytest.mark.slow
@pytest.mark.parametrize("kind", [OPEN, CLOSED])
@given(data=st.data())
@settings(max_examples=60)
def test_the_tables_are_sets(kind: int, data: st.DataObject) -> None:
    lab = reference()
    capacity, most = data.draw(st.sampled_from([(1, 1), (1, 64), (4, 4), (4, 32), (16, 16)]))
    table, beside = lab.new(kind, capacity, most), set()
    few_keys = st.integers(1, 40) | st.integers(1, 40).map(lambda number: number << 43)
    for key, inserts in data.draw(st.lists(st.tuples(few_keys, st.booleans()), max_size=80)):
        if inserts:
            if len(beside) < most:
                beside.add(key)
            assert lab.insert(table, key) is (key in beside)
        assert lab.lookup(table, key) is (key in beside)
        assert lab.size(table) == len(beside)
    assert all(lab.lookup(table, key) for key in beside)


# ---- what is said of a table ---------------------------------------------------------------------


def asked(name: str, board: NamedBoard | None = None, debug: bool = True, points: int = 1) -> Asked:
    listed = next((check for check in TASK.checks if check.name == name), Check(name, points, 1.0))
    return Asked(replace(listed, points=points), board, TASK, debug)


EMPTY = Kept({}, {}, {})
NO_ARRAYS = {"keys": "", "heads": "", "nexts": ""}


def held(places: list[int]) -> str:
    """Return an array that holds something at these places, as a child sends it."""
    return binascii.b2a_base64(array("i", places * 2).tobytes()).decode()


KEEPS: tuple[object, ...] = (
    [],
    {},
    {**NO_ARRAYS, "keys": None},
    {**NO_ARRAYS, "keys": [1, 2]},
    {**NO_ARRAYS, "keys": "A"},
    {**NO_ARRAYS, "keys": "QUFBQQ=="},
    {**NO_ARRAYS, "heads": "QUFBQUFBQUFB"},
    {**NO_ARRAYS, "nexts": "\xb2"},
    *({**NO_ARRAYS, "heads": held([2, *places])} for places in ([1], [2], [-1], [1 << 21])),
)


@cache
def honest_rounds(name: str) -> list[Filled]:
    """Return what the reference's tables say in the rounds of a check."""
    asked = {"searches": [], "hashes": {"keys": [], "capacities": []}}
    orders = [round.order() for round in lab_rounds.rounds(name, True)]
    said = lab_questions.ask_lab({**asked, "rounds": orders}, reference(), None)
    return KIND.parse(json.loads(json.dumps(said))).rounds


def followed(name: str, filled: list[Filled]) -> Result:
    """Return the result of a check of tables after another process has hashed what its arrays hold."""
    answer = LabAnswer([], filled, [], [])
    (request,) = KIND.more_requests(asked(name), answer)
    more = KIND.parse(lab_questions.ask_lab(request, reference(), None))
    result = replace(blank(name), verdict=Verdict.ACCEPTED, points=1)
    return KIND.tried(asked(name), answer, [more], result)


def blank(name: str) -> Result:
    return Result("lab10", name, Verdict.NOT_RUN, 1)


IN_WRONG_TABLES = {
    "lab-size", "lab-inserted-twice", "lab-no-room", "lab-free-slot", "lab-insert-false", "lab-found-other-key",
    "lab-lost-in-growing", "lab-lost-in-chain", "lab-lost-in-slots",
}  # fmt: skip
TABLES = ["open-table", "open-grows", "closed-table", "closed-full", "closed-grows"]


@pytest.mark.parametrize("name", TABLES)
def test_every_wrong_word_of_a_table_is_found(name: str) -> None:
    """One answer of thousands is turned round, wherever it is: that is a wrong answer, with a help."""
    rounds = lab_rounds.rounds(name, True)
    right = honest_rounds(name)
    result = lab_tables.judge(asked(name), right, [], [], blank(name))
    assert (result.verdict, result.points) == (Verdict.ACCEPTED, 1)
    lot = random.Random(name)
    for _ in range(40):
        number = lot.randrange(len(rounds))
        said = list(right[number].said)
        step = lot.randrange(len(said))
        if rounds[number].steps[step].what == "size":
            said[step] = str(int(said[step]) + lot.choice((-1, 1)))
        else:
            place = lot.randrange(len(said[step]))
            said[step] = said[step][:place] + "10"[int(said[step][place])] + said[step][place + 1 :]
        wrong = [*right[:number], replace(right[number], said=said), *right[number + 1 :]]
        result = lab_tables.judge(asked(name), wrong, [], [], blank(name))
        assert (result.verdict, result.points) == (Verdict.WRONG_ANSWER, 0)
        assert result.code in IN_WRONG_TABLES and result.help


@pytest.mark.parametrize(
    "lie",
    [
        [],
        [Filled([], [8], EMPTY)],
        [Filled(["1" * 9] * 7, [8] * 8, EMPTY)],
        [Filled(["x", "", "2", "", "9" * 30], [0] * 6, EMPTY)],
    ],
)
def test_a_table_that_says_something_else(lie: list[Filled]) -> None:
    for name in TABLES:
        assert lab_tables.judge(asked(name), lie, [], [], blank(name)).verdict == Verdict.BAD_RETURN
    for name in TABLES:
        short = [replace(filled, said=[said[:1] for said in filled.said]) for filled in honest_rounds(name)]
        assert lab_tables.judge(asked(name), short, [], [], blank(name)).verdict == Verdict.WRONG_ANSWER


SMALL = Round(
    CLOSED,
    4,
    4,
    [11, 12, 13, 14, 15],
    [Step("insert", 0, 4), Step("lookup", 0, 5), Step("insert", 4, 5), Step("size")],
)


@pytest.mark.parametrize(
    ("round", "said", "id", "facts"),
    [
        (SMALL, ["1110"], "lab-free-slot", {"wanted": "True", "call": "closed_insert(table, 14)", "found": "False", "size": 3, "load": "0.75"}),
        (SMALL, ["1111", "11111"], "lab-found-other-key", {"wanted": "False", "key": "15", "unknown": True, "chains": False}),
        (SMALL, ["1111", "11010"], "lab-lost-in-slots", {"key": "13", "number": 3, "began": None}),
        (SMALL, ["1111", "11110", "1"], "lab-no-room", {"wanted": "False", "found": "True"}),
        (SMALL, ["1111", "11110", "0", "3"], "lab-size", {"wanted": "4", "found": "3", "keys": ["11", "12", "13", "14"]}),
        (SMALL, ["1111", "11110", "0", "5"], "lab-inserted-twice", {"wanted": "4", "found": "5"}),
        (replace(SMALL, kind=OPEN), ["1111", "01110"], "lab-lost-in-chain", {"made": "open_new(4, 4)", "number": 1}),
        (replace(SMALL, kind=OPEN), ["1011"], "lab-insert-false", {"size": 1, "number": None, "unknown": False}),
        (replace(SMALL, kind=OPEN, most=64), ["1111", "1"], "lab-lost-in-growing", {"found": "nothing", "most": 64, "load": None, "number": 2, "began": 4}),
    ],
)  # fmt: skip
def test_what_is_said_of_a_wrong_table(round: Round, said: list[str], id: str, facts: dict[str, Any]) -> None:
    said = said + [""] * (len(round.steps) - len(said))
    told = lab_tables.fault(round, Filled(said, [], EMPTY))
    assert told is not None
    assert told.id == id and facts.items() <= told.facts.items()


def test_a_size_without_end_is_only_a_wrong_size() -> None:
    told = lab_tables.fault(SMALL, Filled(["1111", "11110", "0", "1" * 9000], [], EMPTY))
    assert told is not None and len(told.message) < 300


@pytest.mark.parametrize(
    ("name", "changed", "id", "found"),
    [
        ("open-grows", {0: 512}, "lab-capacity", {"wanted": 16, "found": 512}),
        ("closed-full", {0: 16}, "lab-capacity", {"wanted": 8, "found": 16}),
        ("closed-grows", {1: 512}, "lab-grown-apart", {"capacity": 512, "keys": 12, "chains": False}),
        ("open-grows", {1: 8}, "lab-grown-apart", {"capacity": 8, "keys": 12, "chains": True}),
        ("open-grows", {-1: 300}, "lab-grown-apart", {"capacity": 300, "keys": 300}),
        ("open-grows", {-1: 1024}, "lab-grown-apart", {"capacity": 1024, "keys": 300}),
        ("open-table", {-1: -8}, "lab-grown-apart", {"capacity": -8, "keys": 7}),
    ],
)
def test_a_table_begins_with_its_capacity_and_grows(
    name: str, changed: dict[int, int], id: str, found: dict[str, Any]
) -> None:
    right = honest_rounds(name)
    capacities = list(right[0].capacities)
    for step, capacity in changed.items():
        capacities[step] = capacity
    filled = [replace(right[0], capacities=capacities), *right[1:]]
    result = lab_tables.judge(asked(name), filled, [], [], blank(name))
    assert (result.verdict, result.points, result.code) == (Verdict.WRONG_ANSWER, 0, id)
    assert found.items() <= result.facts.items()
    assert not hints_for(result)[0].topic.startswith("verdict ")


@pytest.mark.parametrize("name", TABLES)
def test_the_arrays_are_read_back(name: str) -> None:
    """Right answers alone earn nothing: the arrays must hold the inserted keys, each where its hashes lead."""
    right = honest_rounds(name)
    assert right[-1].kept is not None
    held = right[-1].kept.keys
    place, key = next(iter(held.items()))
    for kept, id, found in (
        (EMPTY, "lab-keys-not-kept", 0),
        (None, "lab-keys-not-kept", 150_000),
        (Kept({**held, -1: 5}, {}, {}), "lab-keys-not-kept", len(held) + 1),
        (Kept({**held, place: key ^ 6}, {}, {}), "lab-keys-not-kept", ""),
    ):
        filled = [*right[:-1], replace(right[-1], kept=kept)]
        result = lab_tables.judge(asked(name), filled, [], [], blank(name))
        assert (result.verdict, result.points) == (Verdict.WRONG_ANSWER, 0)
        assert (result.code, result.facts.get("found")) == (id, found)
        assert not hints_for(result)[0].topic.startswith("verdict ")


@pytest.mark.parametrize("name", TABLES)
def test_the_arrays_are_followed(name: str) -> None:
    """Keys in a row are no table: the judge follows the arrays from hashes that another process gives it."""
    right = honest_rounds(name)
    assert followed(name, right).points == 1
    if name == "closed-full":
        return  # there every order of the keys is one that a lookup finds its way in
    id = "lab-not-in-chain" if name.startswith("open") else "lab-not-in-slot"
    for each in right:
        assert each.kept is not None
        if len(each.kept.keys) > 4:  # the keys of two slots may both be on their way
            keys = dict(zip(each.kept.keys, [*each.kept.keys.values()][::-1], strict=True))
            result = followed(name, [replace(each, kept=Kept(keys, {}, {}))] * len(right))
            assert (result.verdict, result.points) == (Verdict.WRONG_ANSWER, 0)
            assert result.code == id
            assert not hints_for(result)[0].topic.startswith("verdict ")


def test_hashes_of_other_keys_are_no_answer() -> None:
    answer = LabAnswer([], honest_rounds("open-table"), [], [])
    result = replace(blank("open-table"), verdict=Verdict.ACCEPTED, points=1)
    for more in (LabAnswer([], [], [], []), LabAnswer([], [], [1], [1])):
        assert KIND.tried(asked("open-table"), answer, [more], result).points == 0


@pytest.mark.parametrize("kind", ["open", "closed"])
def test_the_table_of_a_search_holds_the_positions_of_its_board(kind: str) -> None:
    name, start = f"lab-12:{kind}", number_of(find_board("lab-12").board)
    known = lab_search.positions(start)
    slots = dict(enumerate(sorted(known.reached)))
    assert judged(None, name, kept=slots, size=465).points == 1
    turned = {place: min(each, *lab_search.images(each)) for place, each in slots.items()}
    turned = dict(enumerate(set(turned.values())))
    assert judged(None, name, kept=turned, size=len(turned)).points == 1
    needed = dict(enumerate(known.again))
    assert judged(None, name, kept=needed, size=len(needed)).points == 1
    needed.popitem()
    for kept, size, id in (
        ({}, 465, "lab-keys-not-kept"),
        (None, 465, "lab-keys-not-kept"),
        (dict(enumerate(range(1, 466))), 465, "lab-stray-key"),
        ({**slots, 7: -5}, 465, "lab-stray-key"),
        ({**slots, 465: start ^ 1 << 2 ^ 1 << 44}, 466, "lab-stray-key"),
        (needed, len(needed), "lab-missing-key"),
    ):
        result = judged(None, name, kept=kept, size=size)
        assert (result.verdict, result.points, result.code) == (Verdict.WRONG_ANSWER, 0, id)
        assert not hints_for(result)[0].topic.startswith("verdict ")
    far = judged(None, name, kept=slots, size=465, capacity=1 << 17)
    assert (far.verdict, far.points) == (Verdict.WRONG_ANSWER, 0)
    assert judged(None, "lab-12:none", kept={}, size=465).points == 1


def test_the_positions_of_a_board() -> None:
    board = find_board("lab-12").board
    known, other = lab_search.positions(number_of(board)), table_truth.positions(board)
    assert known.reached == {number_of(other.board(each)) for each in other.after}
    assert known.again == {number_of(other.board(each)) for each in other.met_again()}
    start = number_of(other.board(other.start))
    assert set(lab_search.images(start)) == {
        number_of(other.board(each)) for each in other.images(other.start)
    }
    assert not [*lab_search.images(-1), *lab_search.images(1 << CELLS)]


@pytest.mark.slow
def test_a_large_table_is_not_sent() -> None:
    """A search of a large board that is unlucky gives up on more boards than an answer has room for."""
    name, capacity = "lab-20:closed", 1 << 18
    solved = judged(None, name, kept=None, size=200_000, capacity=capacity)
    assert solved.code == "lab-found-none"  # and not that keys are missing
    moves = [
        list(move)
        for move in reference().solve(number_of(find_board("lab-20").board), reference().new(1, 16, 1 << 10))
    ]
    assert judged(moves, name, kept=None, size=200_000, capacity=capacity).points == 1
    assert judged(moves, name, kept=None, size=1_000, capacity=1024).points == 0


def test_a_field_that_is_set() -> None:
    arrays = ", ".join(["array(int64, 1d, C)"] * 6)
    text = f"No definition for lowering Table(int64, {arrays}).size = array(int64, 1d, C)"
    assert compile_errors.explain(text, {}, "table.size += 1") == ("array-replaced", {"name": "size"})


# ---- hashes --------------------------------------------------------------------------------------


def hashed(first: Callable[[int, int], int], second: Callable[[int, int], int]) -> Result:
    keys = lab_rounds.hashes(True)["keys"]
    pairs = [(key, capacity) for capacity in lab_rounds.CAPACITIES for key in keys]
    answers = [[function(*pair) for pair in pairs] for function in (first, second)]
    return lab_tables.judge(asked("hashes"), [], *answers, blank("hashes"))


def by_lot(key: int, capacity: int) -> int:
    return random.Random(key).randrange(capacity)


def odd_by_lot(key: int, capacity: int) -> int:
    return 2 * by_lot(key, capacity) + 1


def test_good_hashes() -> None:
    for second in (odd_by_lot, lambda key, capacity: (2 * key + 1) % capacity):
        result = hashed(by_lot, second)
        assert (result.verdict, result.points, result.message) == (Verdict.ACCEPTED, 1, "")


@pytest.mark.parametrize(
    ("first", "second", "id", "facts"),
    [
        (lambda key, capacity: key % capacity - 1, lambda key, capacity: 1, "lab-hash-range", {"found": "-1"}),
        (lambda key, capacity: capacity, lambda key, capacity: 1, "lab-hash-range", {"most": "7", "found": "8"}),
        (by_lot, lambda key, capacity: 0, "lab-step-shares-factor", {"step": "0", "reached": 0}),
        (by_lot, lambda key, capacity: capacity, "lab-step-shares-factor", {"step": "8", "reached": 0}),
        (by_lot, lambda key, capacity: -6, "lab-step-shares-factor", {"step": "-6", "shared": "2", "reached": 4}),
        (by_lot, lambda key, capacity: 1, "lab-step-alike", {"step": "1", "times": 100, "keys": 100}),
        (by_lot, lambda key, capacity: key % 16 * 2 + 1, "lab-step-alike", {"capacity": "8192", "keys": 100}),
        (lambda key, capacity: 0, odd_by_lot, "lab-hash-spreads-badly", {"comparisons": "50.5", "by_chance": "1.4", "longest": 100}),
    ],
)  # fmt: skip
def test_poor_hashes(first: Any, second: Any, id: str, facts: dict[str, Any]) -> None:
    result = hashed(first, second)
    assert (result.verdict, result.code) == (Verdict.WRONG_ANSWER, id)
    assert facts.items() <= result.facts.items()
    assert result.help


# ---- searches ------------------------------------------------------------------------------------


def judged(moves: object, name: str = "lab-6:open", board: NamedBoard | None = None, **said: Any) -> Result:
    board = board or find_board(name.partition(":")[0])
    size = said.get("size", 7)
    search = {
        "moves": moves,
        "size": size,
        "capacity": max(16, 1 << size.bit_length()),
        "probes": 8,
        "asked": 7,
        "kept": NO_ARRAYS,
        **said,
    }
    answer = KIND.parse(
        {"searches": [{**search, "kept": NO_ARRAYS}], "rounds": [], "first": [], "second": []}
    )
    if "kept" not in said:
        said["kept"] = dict(enumerate(sorted(lab_search.positions(number_of(board.board)).reached)[:size]))
    keys = said["kept"]
    answer.searches[0] = replace(answer.searches[0], kept=None if keys is None else Kept(keys, {}, {}))
    return KIND.judge(asked(name, board), answer, replace(blank(name), pegs=board.pegs))


SOLUTION = [[19, 18, 17], [29, 30, 31], [38, 31, 24], [24, 17, 10], [9, 10, 11]]


def test_of_more_searches_than_one_no_key_is_hashed() -> None:
    """A program could send hundreds, with keys chosen such that to collect them takes minutes."""
    kept = {**NO_ARRAYS, "keys": held([3])}
    search = {"moves": [], "size": 1, "capacity": 16, "probes": 1, "asked": 1, "kept": kept}
    more = [
        KIND.more_requests(
            asked("lab-6:closed", find_board("lab-6")),
            KIND.parse({"searches": searches, "rounds": [], "first": [], "second": []}),
        )
        for searches in ([search], [search, search])
    ]
    assert [len(each) for each in more] == [1, 0]


def test_the_judge_plays_the_moves_itself() -> None:
    result = judged(SOLUTION)
    assert (result.verdict, result.points, result.pegs_left) == (Verdict.ACCEPTED, 1, 1)
    assert result.unsolvable == 7
    assert result.figures == (("load/probes", "0.44 / 1.14"),)


@pytest.mark.parametrize(
    ("moves", "verdict", "id", "facts"),
    [
        (SOLUTION[:4], Verdict.WRONG_ANSWER, "lab-not-solved", {"moves": 4, "pegs": 2}),
        ([], Verdict.WRONG_ANSWER, "lab-not-solved", {"moves": 0, "pegs": 6}),
        (SOLUTION[::-1], Verdict.ILLEGAL_MOVE, "lab-illegal-move", {"number": 1, "move": "9 10 11"}),
        ([[18, 19, 20], [1, 2, 3]], Verdict.ILLEGAL_MOVE, "lab-no-move", {"number": 2, "move": "1 2 3"}),
        ([[10**18, -1, 0]], Verdict.ILLEGAL_MOVE, "lab-no-move", {"number": 1}),
        (None, Verdict.WRONG_ANSWER, "lab-found-none", {}),
    ],
)
def test_wrong_solutions(moves: object, verdict: Verdict, id: str, facts: dict[str, Any]) -> None:
    result = judged(moves)
    assert (result.verdict, result.points, result.code) == (verdict, 0, id)
    assert facts.items() <= result.facts.items()
    assert result.help


def test_a_board_given_up_on() -> None:
    assert (judged(None, "lab-12:open", size=465).message, judged(None, "lab-12:none").points) == ("", 1)
    empty = judged(None, "lab-12:closed", size=0)
    assert (empty.verdict, empty.points) == (Verdict.WRONG_ANSWER, 0)
    assert (empty.code, empty.facts) == ("lab-table-too-small", {"positions": 465, "size": 0})
    unknown = judged(None, board=NamedBoard("mine.txt", find_board("lab-12").board, Facts()))
    assert (unknown.verdict, unknown.points) == (Verdict.ACCEPTED, 0)
    assert unknown.code == "lab-not-judged"


@pytest.mark.parametrize(
    "search",
    [
        None, [], {}, {"moves": None}, {"moves": [[1, 2]], "size": 0, "capacity": 1, "probes": 0, "asked": 0, "kept": NO_ARRAYS},
        {"moves": [[1, 2, "3"]], "size": 0, "capacity": 1, "probes": 0, "asked": 0, "kept": NO_ARRAYS},
        {"moves": None, "size": -1, "capacity": 1, "probes": 0, "asked": 0, "kept": NO_ARRAYS},
        {"moves": [[1, 2, 3]] * 65, "size": 0, "capacity": 1, "probes": 0, "asked": 0, "kept": NO_ARRAYS},
        {"moves": None, "size": True, "capacity": 1, "probes": 0, "asked": 0, "kept": NO_ARRAYS},
        *({"moves": None, "size": 0, "capacity": 1, "probes": 0, "asked": 0, "kept": kept} for kept in KEEPS),
    ],
)  # fmt: skip
def test_frames_that_are_no_answer(search: object) -> None:
    with pytest.raises(FrameError):
        KIND.parse({"searches": [search], "rounds": [], "first": [], "second": []})
    with pytest.raises(FrameError):
        KIND.parse({"searches": [], "rounds": [search], "first": [], "second": []})
    with pytest.raises(FrameError):
        KIND.parse({"answer": 1})


@pytest.mark.parametrize("said", ["\x1b[31m", "12x", "\xb2", "--1", "9" * 21, "1\n", " 1", 1])
def test_what_a_table_cannot_say(said: object) -> None:
    filled = {"said": ["0110", "", "-3", said], "capacities": [8] * 5, "kept": NO_ARRAYS}
    with pytest.raises(FrameError):
        lab_rounds.parse_filled(filled)
    filled["said"] = ["0110", "", "-3", "12"]
    assert lab_rounds.parse_filled(filled) == Filled(["0110", "", "-3", "12"], [8] * 5, EMPTY)
    for fewer in ([], [8], ["8"] * 5, 8):
        with pytest.raises(FrameError):
            lab_rounds.parse_filled({**filled, "capacities": fewer})


# ---- times ---------------------------------------------------------------------------------------


def settled(cpu_s: dict[str, float], late: str = "", wall_s: float = 0.0) -> dict[str, Result]:
    results = [
        Result(
            "lab10", name, Verdict.TIMEOUT if name == late else Verdict.ACCEPTED, 1, cpu_s=seconds,
            wall_s=wall_s, points=0 if name == late else 1,
        )
        for name, seconds in cpu_s.items()
    ]  # fmt: skip
    solved = Result("lab10", "lab-6:none", Verdict.ACCEPTED, 1, points=1)  # so that nothing is withheld
    names = [find_board(name.partition(":")[0]) for name in [*cpu_s, "lab-6:none"]]
    return {result.board: result for result in KIND.settle([*results, solved], names)}


def test_no_table_may_run_out_of_time_where_that_is_expected() -> None:
    result = settled({"lab-18:none": 2.0}, "lab-18:none")["lab-18:none"]
    assert (result.verdict, result.points, result.answer) == (Verdict.ACCEPTED, 1, "out of time")
    assert (result.code, result.facts) == ("lab-slow-as-expected", {"nodes": 10_649_888_676})
    for name in ("lab-12:none", "lab-18:open", "lab-15:closed"):
        assert settled({name: 2.0}, name)[name].verdict == Verdict.TIMEOUT
    asleep = settled({"lab-18:none": 0.1}, "lab-18:none", wall_s=12.0)["lab-18:none"]
    assert asleep.verdict == Verdict.TIMEOUT


def test_the_time_of_a_hidden_board_is_not_that_of_a_visible_one_with_its_name() -> None:
    names = ["lab-15:none", "lab-15:open", "lab-15:none"]
    results = [Result("lab10", name, Verdict.ACCEPTED, 1, cpu_s=3.0, points=1) for name in names]
    results[2] = replace(results[2], hidden=True, cpu_s=0.01)
    settled = KIND.settle(
        results,
        [
            find_board("lab-15"),
            find_board("lab-15"),
            NamedBoard("lab-15", find_board("lab-15").board, Facts()),
        ],
    )
    assert [result.message for result in settled] == ["", "", ""]


def test_the_order_of_times() -> None:
    """A table must not be slower than none, by much more than a busy machine can explain."""
    right = settled({"lab-15:none": 0.5, "lab-15:open": 1.4, "lab-15:closed": 0.01})
    assert all(result.points == 1 for result in right.values())
    slow = settled({"lab-15:none": 0.5, "lab-15:open": 1.6, "lab-15:closed": 0.01})
    assert (slow["lab-15:open"].verdict, slow["lab-15:open"].points) == (Verdict.WRONG_ANSWER, 0)
    assert slow["lab-15:open"].code == "lab-table-slower"
    assert slow["lab-15:closed"].points == 1
    clever = settled({"lab-15:none": 0.0, "lab-15:open": 0.4, "lab-15:closed": 0.4})
    assert all(result.points == 1 for result in clever.values())
    lucky = settled({"lab-20:none": 0.0, "lab-20:open": 3.0, "lab-20:closed": 3.0})
    assert all(result.points == 1 for result in lucky.values())


def waiting(**changed: tuple[Verdict, int]) -> dict[str, int]:
    """Return the points of a right program after some results were changed; `_` stands for `-` and `:`."""
    results = [Result("lab10", check.name, Verdict.ACCEPTED, 1, points=1) for check in TASK.checks]
    named = {re.sub("[-:]", "_", each.board): place for place, each in enumerate(results)}
    for name, (verdict, points) in changed.items():
        results[named[name]] = replace(results[named[name]], verdict=verdict, points=points)
    boards = [find_board(check.board) if check.variant else None for check in TASK.checks]
    return {each.board: each.points for each in KIND.settle(results, boards)}


def test_a_search_waits_for_the_checks_of_its_table() -> None:
    assert all(waiting().values())
    wrong, fault = (Verdict.WRONG_ANSWER, 0), (Verdict.GRADER_ERROR, 0)  # a program may choose the fault
    for check, kind, how in (
        ("open_table", "open", wrong),
        ("open_grows", "open", wrong),
        ("open_grows", "open", fault),
        ("closed_full", "closed", wrong),
    ):
        points = waiting(**{check: how})
        lost = {name for name in points if name.endswith(f":{kind}")} | {check.replace("_", "-")}
        assert {name for name, number in points.items() if not number} == lost
    assert sum(waiting(hashes=wrong).values()) == len(TASK.checks) - 1


def test_a_solution_counts_once_the_table_has_remembered_a_board() -> None:
    wrong = Verdict.WRONG_ANSWER, 0
    unsolvable = [f"lab_{pegs}_open" for pegs in (12, 15, 18, 25)]
    points = waiting(**dict.fromkeys(unsolvable, wrong))
    assert {name for name, number in points.items() if not number} == {
        check.name for check in TASK.checks if check.variant == "open"
    }
    assert waiting(**dict.fromkeys(unsolvable[1:], wrong))["lab-20:open"] == 1


def test_points() -> None:
    assert TASK.max_points == 20
    assert TASK.extra
    assert lab10.may_time_out(find_board("english").facts)
    assert not lab10.may_time_out(find_board("lab-15").facts)
    for positions, may in ((30, False), (10_000, True)):  # of a private board nobody counted the nodes
        assert lab10.may_time_out(Facts(solvable=False, positions=positions)) == may

"""Boards nobody knows beforehand: images, random boards, private sets; and who loses on them."""

import hashlib
import json
import os
import re
import shlex
import shutil
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from framework.board import format_board, parse_board
from framework.jumps import legal_jumps, play_jump
from grader import paths
from grader.catalog.boards import Facts, NamedBoard, course_boards, find_board
from grader.catalog.images import IMAGES, image_of
from grader.catalog.tasks import registry
from grader.commands import new_folder
from grader.course.jobs import board_files
from grader.errors import InputError
from grader.judging import board_choice, board_sets, kinds, private_boards
from grader.judging.board_choice import BoardChoice
from grader.judging.board_sets import GradedBoards, OwnBoardsAnd, RandomBoards, TurnedBoards
from grader.judging.grading import Choice
from grader.judging.kinds.solve import withheld
from grader.judging.private_boards import PrivateBoards
from grader.judging.task_run import settle
from grader.making import random_boards
from grader.making.random_boards import random_board, random_forced_board
from grader.oracle.explore import explore
from grader.result import Result, Verdict
from support.command import ROOT, grade, grade_in, refused
from support.grading import results_of

pytestmark = pytest.mark.usefixtures("one_sandbox")

PLAIN = ROOT / "tests" / "students" / "plain"
ZOO = ROOT / "tests" / "zoo"

Cell = tuple[int, int]
Pegs = frozenset[Cell]


def results(
    folder: Path, tasks: Sequence[str], board_set: GradedBoards | None, boards: Sequence[str] = ()
) -> list[Result]:
    return results_of(Choice(folder, tuple(boards), board_set), *tasks)


def points(graded: Sequence[Result]) -> tuple[int, int]:
    """Return what was earned, and what could be."""
    return sum(result.points for result in graded), sum(result.max_points for result in graded)


# ---- the truth, by means of its own --------------------------------------------------------------


def cells_of(board: np.ndarray) -> tuple[Pegs, Pegs]:
    """Return the pegs and the holes of a board, as sets of (row, col)."""
    rows = [line.split() for line in format_board(board).splitlines()]
    cells = {(row, col): rows[row][col] for row in range(8) for col in range(8)}
    pegs = frozenset(cell for cell in cells if cells[cell] == "*")
    return pegs, frozenset(cell for cell in cells if cells[cell] != ".")


def children(pegs: Pegs, holes: Pegs) -> list[Pegs]:
    found = []
    for row, col in pegs:
        for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            over, land = (row + down, col + right), (row + 2 * down, col + 2 * right)
            if over in pegs and land in holes and land not in pegs:
                found.append(pegs - {(row, col), over} | {land})
    return found


def slow_truth(board: np.ndarray) -> tuple[bool, int, bool, int]:
    """Return solvable, fewest, forced and positions, by recursion over sets of cells."""
    start, holes = cells_of(board)
    known: dict[Pegs, int] = {}
    choices = 0

    def fewest(pegs: Pegs) -> int:
        nonlocal choices
        if pegs not in known:
            next_ones = children(pegs, holes)
            choices = max(choices, len(next_ones))
            known[pegs] = min([fewest(each) for each in next_ones], default=len(pegs))
        return known[pegs]

    least = fewest(start)
    return least == 1, least, choices <= 1, len(known)


@cache
def many_boards() -> list[NamedBoard]:
    """Return 200 random boards, half of them on forced play."""
    boards = RandomBoards(100, seed=11)
    found = [boards.find(name) for name in boards.names]
    assert len(found) == 200
    return [each for each in found if each is not None]


@pytest.mark.slow
def test_the_truth_of_200_random_boards() -> None:
    for board in many_boards():
        facts = board.facts
        said = (facts.solvable, facts.fewest, facts.forced, facts.positions)
        assert said == slow_truth(board.board), board.name


def counted(facts: Facts) -> Facts:
    """Return what is found of any board: no search's number of nodes, no fewest moves."""
    return replace(facts, naive_nodes=None, moves={})


@pytest.mark.slow
def test_explore_says_what_the_index_says() -> None:
    for name in course_boards().names:
        board = find_board(name)
        truth = explore(board.board, 30_000)
        if truth is None:
            assert board.facts.positions is None or board.facts.positions > 30_000
        else:
            assert counted(board.facts) == Facts(*truth), name


def test_explore_stops_at_the_limit() -> None:
    plus = find_board("plus").board  # of 118 positions
    assert explore(plus, 117) is None
    assert explore(plus, 118) is not None


# ---- random boards -------------------------------------------------------------------------------


def test_random_boards_are_the_same_everywhere_and_for_ever() -> None:
    made = [random_board(1, number) for number in range(1, 21)]
    made += [random_forced_board(1, number) for number in range(1, 21)]
    text = "".join(format_board(each.board) for each in made)
    assert hashlib.sha256(text.encode()).hexdigest() == (
        "e6aa859012112ea14ba6c57e4a0e81dde8a84164a64abafbf3f2c143341ecaad"
    )


def test_a_seed_and_a_number_name_a_board() -> None:
    few, many, others = RandomBoards(7, 3), RandomBoards(1000, 3), RandomBoards(7, 4)
    for name in few.names:
        (one, same, other) = (boards.find(name) for boards in (few, many, others))
        assert one is not None and same is not None and other is not None
        assert (one.board == same.board).all()
        assert (one.board != other.board).any()
    assert {few.find(name) for name in ("random-8", "random-0", "random-01", "random", "english")} == {None}


def test_half_of_the_random_boards_are_hopeless_and_none_is_trivial() -> None:
    boards = many_boards()
    choices = [board.facts for board in boards if not board.facts.forced]
    forced = [board.facts for board in boards if board.facts.forced]
    assert len(choices) == len(forced) == 100
    for kind in (choices, forced):
        assert sum(facts.solvable is True for facts in kind) == 50
        assert len({facts.fewest for facts in kind}) >= 3
    assert all(facts.positions is not None and 50 <= facts.positions <= 5000 for facts in choices)
    assert all(facts.positions is not None and 4 <= facts.positions <= 64 for facts in forced)
    assert len({board.board.tobytes() for board in boards}) == 200
    places = {(np.argwhere(board.board >= 0).min(0) == 0).all() for board in boards}
    assert len(places) == 2  # all over the place


def test_a_program_that_never_goes_back_loses_on_them() -> None:
    right = 0
    for board in many_boards():
        if not board.facts.forced:
            played = board.board.copy()
            while jumps := legal_jumps(played):
                play_jump(played, jumps[0])
            right += (played == 1).sum() == board.facts.fewest
    assert right < 25


def test_random_boards_are_made_in_few_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = []
    explore_from = random_boards.explore_from
    monkeypatch.setattr(
        random_boards, "explore_from", lambda *board: tried.append(board) or explore_from(*board)
    )
    for number in range(1, 21):
        random_board(2, number)
        random_forced_board(2, number)
    assert 40 <= len(tried) < 100


# ---- images --------------------------------------------------------------------------------------

BOARDS = st.lists(st.sampled_from([-1, 0, 1]), min_size=64, max_size=64).map(
    lambda cells: np.array(cells, dtype=np.int8).reshape(8, 8)
)


@pytest.mark.slow
@given(BOARDS)
def test_the_images_are_the_symmetries_of_the_square(board: np.ndarray) -> None:
    def image(name: str, of: np.ndarray = board) -> np.ndarray:
        made = image_of(of, name)
        assert (made.dtype, made.shape) == (np.int8, (8, 8))
        return made

    r90 = image("r90")
    for name, turns in (("r180", 2), ("r270", 3)):
        again = board
        for _ in range(turns):
            again = image("r90", again)
        assert (again == image(name)).all()
    assert (image("r270", r90) == board).all()
    assert (image("r180", image("r180")) == board).all()
    for name in IMAGES:
        if name.startswith("flip"):
            assert (image(name, image(name)) == board).all()
        assert len(legal_jumps(image(name))) == len(legal_jumps(board))
    for turn in ("r90", "r180", "r270"):
        assert (image(f"flip-{turn}") == image(turn, image("flip"))).all()
    assert all(image(name)[0, 0] in board[[0, 0, 7, 7], [0, 7, 0, 7]] for name in IMAGES)


@given(st.integers(0, 199), st.sampled_from(list(IMAGES)))
def test_what_is_true_of_a_board_is_true_of_its_images(number: int, image: str) -> None:
    board = many_boards()[number]
    truth = explore(image_of(board.board, image), 5000)
    assert truth is not None
    assert Facts(*truth) == board.facts


def test_the_seven_images_by_name() -> None:
    corner = parse_board("* * o" + " . " * 5 + " . " * 56)
    down = "* * o"
    places = {
        "r90": (range(0, 3), 7), "r180": (7, range(7, 4, -1)), "r270": (range(7, 4, -1), 0),
        "flip": (0, range(7, 4, -1)), "flip-r90": (range(7, 4, -1), 7), "flip-r180": (7, range(0, 3)),
        "flip-r270": (range(0, 3), 0),
    }  # fmt: skip
    assert list(places) == list(IMAGES)
    for image, (rows, cols) in places.items():
        made = image_of(corner, image)
        read = (
            [made[rows, col] for col in cols] if isinstance(rows, int) else [made[row, cols] for row in rows]
        )
        assert [".o*"[cell + 1] for cell in read] == down.split(), image
        assert (made >= 0).sum() == 3


@pytest.mark.parametrize("name", ["key", "english", "english@0,2", "french@0,3", "forced-stuck"])
def test_an_image_has_the_facts_of_its_board(name: str) -> None:
    board = find_board(name)
    for image in IMAGES:
        found = find_board(f"{name}+{image}")
        assert found.name == f"{name}+{image}"
        assert replace(found.facts, moves=board.facts.moves) == board.facts  # goals are turned
        assert (found.board == image_of(board.board, image)).all()


def test_an_image_of_a_file_and_one_that_is_the_same(tmp_path: Path) -> None:
    (tmp_path / "a+b.txt").write_text(format_board(find_board("english").board))
    found = find_board(f"{tmp_path}/a+b.txt+flip-r270")
    assert (found.board == find_board("english").board).all()
    assert found.teaches.endswith(", which is the same")
    done = grade("show", "english+flip-r270")
    assert done.stdout.splitlines()[0] == (
        "english+flip-r270  english mirrored left to right, then turned counterclockwise by a quarter, "
        "which is the same"
    )


# ---- turned copies -------------------------------------------------------------------------------


@pytest.mark.slow
def test_turned_boards_are_no_boards_of_the_course() -> None:
    known = {find_board(name).board.tobytes() for name in course_boards().names}
    chosen = []
    for seed in range(5):
        boards = TurnedBoards(seed)
        for task in registry().tasks.values():
            if task.kind == "client":
                continue
            for check in boards.checks(task):
                board = find_board(check.board, boards)
                own = [each for each in task.checks if each.board == check.board.partition("+")[0]]
                assert board.board.tobytes() not in known
                assert (check.points, check.cpu_s) in [(each.points, each.cpu_s) for each in own]
                by_luck = board.facts.solvable and board.facts.positions is None
                assert not by_luck or (check.points and kinds.of(task).has_own_order)
                chosen.append(board.name)
    assert len(set(chosen)) > 100  # other images with other seeds


def test_a_turned_board_by_the_name_of_the_board_or_of_the_image() -> None:
    boards = TurnedBoards(3)
    (check,) = (check for check in boards.checks(registry().find("peg3")) if check.board.startswith("key+"))
    for name in ("key", check.board):
        assert find_board(name, boards).name == check.board
    assert find_board("key+r180", boards).name == "key+r180"


# ---- who has which points ------------------------------------------------------------------------

HARD_CODED = '''"""Knows the boards of the course, and nothing else."""
from client import move_new
from framework.board import count_pegs
from framework.stack import push

KNOWN = {known!r}

def peg_solve(board, stack):
    number, jumps = KNOWN.get(board.tobytes(), (count_pegs(board), []))
    for jump in reversed(jumps):
        push(stack, move_new(*jump))
    return number
'''


def student_with(folder: Path, source: str) -> Path:
    """Make a student's folder with this peg2, and a client that need not be compiled."""
    shutil.copytree(PLAIN, folder)
    client = (folder / "client.py").read_text().replace("@compiled\n", "")
    (folder / "client.py").write_text(client)
    (folder / "peg2.py").write_text(source)
    return folder


@pytest.mark.slow
def test_who_knows_the_public_boards_only_loses_the_others(tmp_path: Path) -> None:
    known = {
        find_board(result.board).board.tobytes(): (result.pegs_left, [tuple(jump) for jump in result.jumps])
        for result in results(PLAIN, ["peg2"], None)
    }
    student = student_with(tmp_path / "student", HARD_CODED.replace("{known!r}", repr(known)))
    assert points(results(student, ["peg2"], None)) == (20, 20)
    assert points(results(student, ["peg2"], RandomBoards(10, 1))) == (0, 10)
    turned = results(student, ["peg2"], TurnedBoards(1))
    assert [result.board.partition("+")[0] for result in turned if result.points] == ["one-peg"]
    assert points(turned) == (1, 20)
    told = " ".join(result.message + result.help for result in turned)
    assert not re.search("cheat|hard-cod|honest|known boards", told)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["always-unsolvable", "always-solved"])
def test_always_the_same_answer_earns_nothing_on_random_boards(name: str, tmp_path: Path) -> None:
    student = student_with(tmp_path / "student", (ZOO / name / "peg2.py").read_text())
    (student / "peg4.py").write_text((ZOO / name / "peg2.py").read_text().replace("stack)", "stack, table)"))
    for task in ("peg2", "peg4"):
        graded = results(student, [task], RandomBoards(10, 1))
        assert points(graded) == (0, 10)


@pytest.mark.slow
@pytest.mark.parametrize("boards", [RandomBoards(20, 1), TurnedBoards(1)], ids=["random", "turned"])
def test_who_solves_the_game_has_all_points(boards: GradedBoards) -> None:
    """A plain student's program; the reference is graded on such boards by the README's commands."""
    for result in results(PLAIN, ["peg1", "peg2", "peg3"], boards):
        assert result.full, result


# ---- a private set -------------------------------------------------------------------------------


def make_set(folder: Path, index: str, boards: Sequence[str] = ("choice",)) -> Path:
    """Make a set of boards called a, b, …, which are copies of the course's."""
    folder.mkdir()
    (folder / "index.yaml").write_text(index)
    for letter, board in zip("abcdefgh", boards, strict=False):
        shutil.copy(paths.BOARDS / f"{board}.txt", folder / f"{letter}.txt")
    return folder


LOOKED = "the grader worked out the facts of a itself; correct that field, or leave it out"


@pytest.mark.parametrize(
    ("fields", "message", "help"),
    [
        ("solveable: true", ": no field 'solveable'", "did you mean solvable? fields: teaches, pegs, holes, solvable, fewest, forced, positions, naive_nodes, moves, ends, points, cpu_s, tasks, beside, others"),
        ("points: -1", ".points: expected 0 to 1,000, found -1", "correct that field"),
        ("points: 1001", ".points: expected 0 to 1,000, found 1001", "correct that field"),
        ("points: .nan", ".points: expected a whole number, found '.nan'", "correct that field"),
        ("points: true", ".points: expected a whole number, found True", "correct that field"),
        ("cpu_s: 0", ".cpu_s: expected a number of seconds above 0, at most 3,600, found 0.0", "correct that field"),
        ("cpu_s: 3601", ".cpu_s: expected a number of seconds above 0, at most 3,600, found 3601.0", "correct that field"),
        ("cpu_s: -.inf", ".cpu_s: expected a number, found '-.inf'", "correct that field"),
        ("cpu_s: 1e999", ".cpu_s: expected a number, found '1e999'", "correct that field"),
        ("cpu_s: .nan", ".cpu_s: expected a number, found '.nan'", "correct that field"),
        ("cpu_s: .inf", ".cpu_s: expected a number, found '.inf'", "correct that field"),
        ("cpu_s: soon", ".cpu_s: expected a number, found 'soon'", "correct that field"),
        ("tasks: peg2", ".tasks: expected a list, found 'peg2'", "correct that field"),
        ("tasks: []", ".tasks: expected names of tasks, found []", "tasks: peg1, peg2, peg3, peg4, peg5, lab10, fewest"),
        ("tasks: [pge2]", ".tasks: no task 'pge2'", "did you mean peg2? tasks: peg1, peg2, peg3, peg4, peg5, lab10, fewest"),
        ("tasks: [[]]", ".tasks: no task '[]'", "tasks: peg1, peg2, peg3, peg4, peg5, lab10, fewest"),
        ("tasks: [client]", ".tasks: no task 'client'", "tasks: peg1, peg2, peg3, peg4, peg5, lab10, fewest"),
        ("tasks: [peg1]", ".tasks: peg1 cannot judge this board: its play is not forced", "take the task out, or correct the board's facts"),
        ("tasks: [peg4], beside: b", ".beside: no board 'b'", "name boards of this set"),
        ("tasks: [peg4], others: [[]]", ".others: no board '[]'", "name boards of this set"),
        ("tasks: [peg4], others: [a]", ".others: expected boards without points, cpu_s, tasks, beside, others, found a", "they count as the first one says"),
        ("tasks: [peg3], others: [a]", ".tasks: expected peg4 or peg5 where others or beside is given, found ['peg3']", "correct that field"),
        ("beside: a", ".tasks: expected peg4 or peg5 where others or beside is given, found nothing", "correct that field"),
        ("pegs: 8", ".pegs: expected 7, found 8", "count again, or leave it out"),
        ("holes: 64", ".holes: expected 9, found 64", "count again, or leave it out"),
        ("fewest: 0", ".fewest: expected 1 to 7, found 0", "correct that field"),
        ("solvable: true, fewest: 2", ".fewest: expected 1 where solvable is true, found 2", "correct one of the two"),
        ("solvable: false, fewest: 1", ".fewest: expected more than 1 where solvable is false, found 1", "correct one of the two"),
        ("solvable: false", ".solvable: expected true, found false", LOOKED),
        ("fewest: 2", ".solvable: expected true, found false", LOOKED),
        ("solvable: true, forced: true", ".forced: expected false, found true", LOOKED),
        ("positions: 21", ".positions: expected 20, found 21", LOOKED),
    ],
)  # fmt: skip
def test_a_set_that_would_misjudge_is_refused(tmp_path: Path, fields: str, message: str, help: str) -> None:
    folder = make_set(tmp_path / "set", f"boards: {{a: {{{fields}}}}}")
    with pytest.raises(InputError) as raised:
        PrivateBoards(folder)
    assert raised.value.message == f"{folder}/index.yaml:1: boards.a{message}"
    assert raised.value.help == help


@pytest.mark.slow
def test_a_board_that_counts_for_others(tmp_path: Path) -> None:
    index = "boards: {a: {tasks: [peg4], others: [b]}, b: {}, c: {tasks: [peg4], beside: a}}"
    boards = PrivateBoards(make_set(tmp_path / "set", index, ["choice", "lopsided", "plus"]))
    peg4 = registry().find("peg4")
    assert [(check.boards, check.beside) for check in boards.checks(peg4)] == [
        (("a", "b"), ""),
        (("c",), "a"),
    ]
    new_folder.write(tmp_path / "exported", boards.whole([peg4]))
    assert [check.boards for check in PrivateBoards(tmp_path / "exported").checks(peg4)] == [
        ("a", "b"),
        ("c",),
    ]
    assert points(results(paths.REFERENCE, ["peg4"], boards)) == (2, 2)
    shutil.copytree(paths.REFERENCE, tmp_path / "student")
    with (tmp_path / "student" / "peg4.py").open("a") as file:
        file.write(
            "\n\nwhole = peg_solve\n\n\ndef peg_solve(board, stack, unsolvable):\n"
            "    return whole(board, stack, unsolvable) if (board == 1).sum() != 15 else 2\n"
        )
    first, second = results(tmp_path / "student", ["peg4"], boards)
    assert (first.board, first.verdict, first.points) == ("a", Verdict.WRONG_ANSWER, 0)
    assert (first.facts["asked"], [*first.facts["missed"]], second.points) == ("b", ["b"], 0)


@pytest.mark.slow
def test_other_faults_of_a_set(tmp_path: Path) -> None:
    def message(name: str, index: str, board: str = "choice") -> str:
        folder = make_set(tmp_path / name, index, [board])
        with pytest.raises(InputError) as raised:
            PrivateBoards(folder)
        return raised.value.message.removeprefix(f"{folder}/")

    assert message("number", "boards: {1: {}}") == "index.yaml:1: boards.1: expected a text as name, found 1"
    assert message("large", "boards: {a: {}}", "english") == (
        "index.yaml:1: boards.a.solvable: expected true or false, found nothing"
    )
    assert message("many", "boards: {a: {solvable: true, positions: 7}}", "english") == (
        "index.yaml:1: boards.a.positions: expected more than 20,000, found 7"
    )
    assert message("line", "boards: {a: {solvable: true, forced: true}}", "english") == (
        "index.yaml:1: boards.a.forced: expected false, found true"
    )
    assert message("fewest", "boards: {a: {solvable: false, tasks: [peg2]}}", "5x5-center") == (
        "index.yaml:1: boards.a.tasks: peg2 cannot judge this board: the fewest pegs are not known"
    )
    assert message("lab", "boards: {a: {tasks: [peg3, lab10]}}") == (
        "index.yaml:1: boards.a.tasks: lab10 cannot judge this board: "
        "expected the 33 holes of the English board in rows and columns 0 to 6, found others"
    )
    (tmp_path / "a.txt").write_text("o" * 64)
    shutil.copy(tmp_path / "a.txt", tmp_path / "number")
    (tmp_path / "number" / "index.yaml").write_text("boards: {a: {}}")
    with pytest.raises(InputError, match=r"a\.txt: the board has no peg"):
        PrivateBoards(tmp_path / "number")


@pytest.mark.parametrize(
    "field", [name for name, kind in PrivateBoards.FIELDS.items() if kind in (int, float)]
)
@pytest.mark.parametrize("written", [str(10**400), "-" + str(10**400), "0x" + "f" * 900, "0x" + "f" * 9000])
def test_a_number_without_end(field: str, written: str, tmp_path: Path) -> None:
    folder = make_set(tmp_path / "set", f"boards: {{a: {{{field}: {written}}}}}")
    with pytest.raises(InputError) as raised:
        PrivateBoards(folder)
    problem = raised.value.message.partition("/index.yaml:")[2].removeprefix("1:").lstrip()
    word = "number" if field == "cpu_s" else "whole number"
    most = "" if written.startswith("0x") else " of at most 1,000,000,000,000,000,000"
    assert problem.startswith(f"boards.a.{field}: expected a {word}{most}, found ") and len(problem) < 200


@pytest.mark.parametrize(
    "index",
    [
        "boards: {a: {tasks: [%s]}}",
        "boards: {a: {moves: {any: %s}}}",
        "boards: {a: {moves: {%s: 1}}}",
        "boards: {a: {%s: 1}}",
        "boards: {%s: {}}",
        "boards: {a: {}}\nvacancies: {%s: 1}",
        "boards: {a: {}}\nvacancies: {v: {full: a, solvable: [], unsolvable_fewest: %s}}",
    ],
)
@pytest.mark.parametrize("digits", [900, 9000])
def test_a_number_without_end_in_other_places(index: str, digits: int, tmp_path: Path) -> None:
    folder = make_set(tmp_path / "set", index % ("9" * digits))
    with pytest.raises(InputError, match=r"^.*/index\.yaml:(\d+:){1,2} "):
        PrivateBoards(folder)


@pytest.mark.slow
def test_facts_that_are_absent_are_found(tmp_path: Path) -> None:
    names = ["choice", "stuck", "forced-stuck", "plus", "english"]
    index = "boards: {a: {}, b: {fewest: 3}, c: {solvable: false}, d: {positions: 118}, e: {solvable: true}}"
    boards = PrivateBoards(make_set(tmp_path / "set", index, names))
    for letter, name in zip("abcde", names, strict=True):
        found = find_board(letter, boards)
        assert found.facts == counted(find_board(name).facts)
        assert found.unlisted


@pytest.mark.slow
def test_a_task_is_given_the_boards_it_can_judge(tmp_path: Path) -> None:
    index = """boards:
        a: {tasks: [peg2, peg3], points: 0}
        b: {points: 5, cpu_s: 0.5}
        c: {solvable: false, cpu_s: 7}
        d: {}"""
    folder = make_set(tmp_path / "set", index, ["choice", "forced-stuck", "5x5-center", "plus"])
    boards = PrivateBoards(folder)

    def checks(name: str) -> list[tuple[str, int, float]]:
        return [(each.board, each.points, each.cpu_s) for each in boards.checks(registry().find(name))]

    assert checks("peg1") == [("b", 5, 0.5)]
    assert checks("peg2") == [("a", 0, 5), ("b", 5, 0.5), ("d", 1, 5)]
    assert checks("peg3") == [("a", 0, 20), ("b", 5, 0.5), ("d", 1, 20)]
    assert checks("peg4") == checks("peg5") == [("b", 5, 0.5), ("c", 1, 7), ("d", 1, 40)]


def test_a_search_without_a_table_gets_no_board_with_too_many_ways(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    index = "boards: {a: {}, b: {tasks: [peg2]}, c: {}}"
    boards = PrivateBoards(make_set(tmp_path / "set", index, ["horseshoe", "horseshoe", "plus"]))
    peg1, peg2, peg3 = (registry().find(name) for name in ("peg1", "peg2", "peg3"))
    assert not boards.checks(peg1)  # play is not forced, so nothing is told of it
    assert [check.board for check in boards.checks(peg2)] == ["b", "c"]
    assert [check.board for check in boards.checks(peg3)] == ["a", "c"]
    assert [check.board for check in boards.checks(peg2)] == ["b", "c"]
    folder = boards.index.parent
    copy = BoardChoice(folder, files=tuple(board_files(folder).items()))
    assert board_sets.boards_of(copy).checks(peg2) == boards.checks(peg2)  # no worker says it again
    (told,) = [record.message for record in caplog.records]
    assert told.endswith(
        "boards.a.tasks: left out of peg2: it has too many ways to play for a search without a table"
    )


def test_a_board_that_the_index_does_not_list_is_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = make_set(tmp_path / "set", "boards: {b: {}}", ["plus", "choice", "stuck"])
    assert PrivateBoards(folder).names == ["b"]
    assert caplog.messages == [f"{folder}/index.yaml: boards: not graded, since not listed: a, c"]
    assert board_files(folder).keys() == {"index.yaml", "b.txt"}  # so no worker says it again


MANY_POSITIONS = """\
. . * * * . . .
. . * * o . . .
* * * * * o * .
o * * * * o * .
* * * * * * o .
. . o o o . . .
. . * * * . . .
. . . . . . . .
"""


@pytest.mark.slow
def test_a_search_whose_order_decides_nothing_gets_no_board_with_too_many_positions(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    index = """boards:
        a: {solvable: true}
        b: {solvable: true, tasks: [peg3]}
        c: {solvable: false, fewest: 2}
        d: {solvable: false, fewest: 2, positions: 3300010}"""
    folder = make_set(tmp_path / "set", index, ["english", "english"])
    for name in ("c.txt", "d.txt"):
        (folder / name).write_text(MANY_POSITIONS, "utf-8")
    boards = PrivateBoards(folder)
    for task, those in {"peg3": {"b"}, "peg4": {"a"}, "peg5": {"a"}}.items():
        assert {check.board for check in boards.checks(registry().find(task))} == those
    left_out = [record.message.split(": ")[1:] for record in caplog.records]
    assert left_out == [
        [
            f"boards.{board}.tasks",
            f"left out of {task}",
            "it has more than 2,000,000 positions, which may take too long",
        ]
        for task, those in (("peg3", "acd"), ("peg4", "cd"), ("peg5", "cd"))
        for board in those
    ]


MANY_MOVES = """\
o o o o o o o o
o o o o * o o o
o o * * * o o o
o * * * * o o o
o * * o o * o o
o o o o * * o o
o o o o * o o o
o o o o o o * o
"""


@pytest.mark.slow
@pytest.mark.parametrize("moves", ["", ", moves: {any: 7}"])
def test_a_board_whose_fewest_moves_cannot_be_proved_is_not_for_fewest(moves: str, tmp_path: Path) -> None:
    folder = make_set(tmp_path / "set", f"boards: {{a: {{tasks: [peg3, fewest]{moves}}}}}", [])
    (folder / "a.txt").write_text(MANY_MOVES, "utf-8")
    with pytest.raises(InputError, match="fewest cannot judge this board: the fewest moves are not known"):
        PrivateBoards(folder)


@pytest.mark.skipif(os.name != "posix" or os.getuid() != 0, reason="only root gives files away")
@pytest.mark.parametrize("name", ["index.yaml", "a.txt", ""])
def test_a_set_of_somebody_else_s_where_others_may_write(name: str, tmp_path: Path) -> None:
    folder = make_set(tmp_path / "set", "boards: {a: {}}")
    theirs = folder / name
    os.chown(theirs, 65534, -1)
    assert PrivateBoards(folder).names == ["a"]
    theirs.parent.chmod(0o1777)
    with pytest.raises(InputError, match=r"somebody else's, in a folder where others may write$"):
        PrivateBoards(folder)


@pytest.mark.parametrize("tasks", [["peg2"], ["peg3"], ["peg1", "peg2", "peg3", "peg4", "fewest"]])
def test_a_platform_checks_the_same_boards_as_the_course(
    tasks: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = "boards: {a: {}, b: {tasks: [peg2]}, c: {points: 5, cpu_s: 0.5}, d: {}}"
    boards = PrivateBoards(
        make_set(tmp_path / "set", index, ["horseshoe", "horseshoe", "choice", "forced-hops"])
    )
    graded = [registry().find(name) for name in tasks]
    at_home = [boards.checks(task) for task in graded]
    platform = tmp_path / "platform"
    platform.mkdir()
    for name, text in boards.whole(graded).items():
        (platform / name).write_text(text)
    monkeypatch.setattr(paths, "ORACLE", tmp_path / "none")
    exported = PrivateBoards(platform)
    assert [exported.checks(task) for task in graded] == at_home
    assert set(exported.names) == {check.board for checks in at_home for check in checks}


def test_a_single_peg_on_no_goal_counts_as_two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.oracle.explore.GOAL_CELLS", 0)  # as in a variant of the course
    monkeypatch.setattr(private_boards, "is_won", lambda board: False)
    boards = PrivateBoards(
        make_set(tmp_path / "set", "boards: {a: {solvable: false, fewest: 2}}", ["one-peg"])
    )
    assert find_board("a", boards).facts.fewest == 2
    with pytest.raises(InputError, match="fewest: expected 1 to 2, found 3"):
        PrivateBoards(make_set(tmp_path / "wrong", "boards: {a: {fewest: 3}}", ["one-peg"]))


def test_facts_are_taken_as_said_where_there_is_no_oracle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paths, "ORACLE", tmp_path / "none")
    said = make_set(tmp_path / "said", "boards: {a: {fewest: 3}}")
    assert find_board("a", PrivateBoards(said)).facts == Facts(False, 3)
    with pytest.raises(InputError, match="expected true or false, found nothing"):
        PrivateBoards(make_set(tmp_path / "silent", "boards: {a: {}}"))


@pytest.mark.whole  # `make facts` and `grade doctor --course` hold these boards to the engine, too
@pytest.mark.slow
def test_the_courses_own_set_is_checked() -> None:
    boards = PrivateBoards(paths.BOARDS)
    assert boards.names == course_boards().names


# ---- the command ---------------------------------------------------------------------------------

NOT_MADE = "--boards: expected random:N with N from 1 to 1000, or turned, and a :SEED if wanted, found"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "message", "help"),
    [
        (["show", "key+r45"], "board key+r45: expected one of r90, r180, r270, flip, flip-r90, flip-r180, flip-r270 after the '+', found 'r45'", "for example: grade show key+r90"),
        (["show", "key+r90+flip"], "board key+r90+flip: expected one of r90, r180, r270, flip, flip-r90, flip-r180, flip-r270 after the '+', found 'r90+flip'", "for example: grade show key+r90"),
        (["show", "kex+r90"], "no board 'kex'", "did you mean key? to list the boards: grade show"),
        (["peg1", "--boards", "random:2", "--board", "random-3"], "no board 'random-3'", "did you mean random-2? boards: random-1 to random-2, random-forced-1 to random-forced-2"),
        (["peg1", "--boards", "turned", "--boards", "random:2"], "--boards: expected one set, and own beside it, found turned and random:2", "grade on one set at a time"),
        (["peg1", "--boards", "random:0"], f"{NOT_MADE} 'random:0'", "for a folder of that name: ./random:0"),
        (["peg1", "--boards", "random:1001:5"], f"{NOT_MADE} 'random:1001:5'", "for a folder of that name: ./random:1001:5"),
        (["peg1", "--boards", "turned:-1"], f"{NOT_MADE} 'turned:-1'", "for a folder of that name: ./turned:-1"),
        (["peg1", "--boards", "./turned"], "turned/index.yaml: cannot be read: No such file or directory", "a board folder has an index.yaml; see boards/index.yaml"),
    ],
)  # fmt: skip
def test_wrong_usage_is_told_in_two_lines(arguments: list[str], message: str, help: str) -> None:
    assert refused(*arguments) == f"{message}\nhelp: {help}\n"


@pytest.mark.slow
def test_a_wrong_answer_is_drawn_and_can_be_graded_again(tmp_path: Path) -> None:
    student = student_with(tmp_path / "student", (ZOO / "always-unsolvable" / "peg2.py").read_text())
    done = grade("peg2", "--boards", "random:4:7", cwd=tmp_path)
    assert done.returncode == 1
    assert "boards: --boards random:4:7\n" in done.stdout
    drawn = ["    0 1 2 3 4 5 6 7"]
    board = find_board("random-1", RandomBoards(1, 7))
    drawn += [f"  {row} {line}" for row, line in enumerate(format_board(board.board).splitlines())]
    assert "\n".join(f"  {line}" for line in ["the board:", *drawn]) in done.stdout
    again = re.findall(r"(?:again|then): grade (.*)", done.stdout)
    assert again[0] == "peg2 --board random-1 --boards random:4:7"
    assert again[-1] == "peg2 --boards random:4:7"
    assert "\nFAIL  random-1 " in grade(*again[0].split(), cwd=tmp_path).stdout
    assert grade("replay", cwd=tmp_path).returncode == 2  # nothing was kept
    report = json.loads(grade("peg2", "--boards", "turned", "--format", "json", cwd=tmp_path).stdout)
    assert report["boards"] == "--boards turned:0"
    assert student.is_dir()


@pytest.mark.slow
def test_no_board_that_a_task_can_judge(tmp_path: Path) -> None:
    student_with(tmp_path / "student", (ZOO / "always-solved" / "peg2.py").read_text())
    make_set(tmp_path / "set", "boards: {a: {}}")
    assert refused("peg1", "--boards", "set", cwd=tmp_path) == (
        "--boards set: no board that peg1 can judge\nhelp: look at solvable, fewest, forced and tasks in its index.yaml\n"
    )
    done = grade("peg1", "peg2", "--boards", "set", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr == "--boards set: no board that peg1 can judge\n"
    assert "FAIL  a " in done.stdout


@pytest.mark.slow
def test_a_release_has_no_random_boards(tmp_path: Path) -> None:
    folder = tmp_path / "release"
    assert grade("release", str(folder)).returncode == 0
    assert not (folder / "grader" / "oracle").exists()
    done = grade_in(folder, "peg1", "--boards", "random:2", cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "--boards: random boards are not part of this release\nhelp: leave the option out\n"
    shown = grade_in(folder, "--help", cwd=folder).stdout
    assert "random" not in shown
    assert "turned:SEED" in shown
    assert "random:N" in grade("--help").stdout
    assert "key+flip" in grade_in(folder, "show", "key+flip", cwd=folder).stdout


def _chosen(*words: str) -> tuple[GradedBoards | None, str]:
    choice = board_choice.read(words, Path())
    return (None, "") if choice is None else (board_sets.boards_of(choice), choice.options)


def test_the_options_choose_one_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _chosen() == _chosen("own") == (None, "")
    made, options = _chosen("random:5:0")
    assert isinstance(made, RandomBoards)
    assert options == " --boards random:5:0"
    drawn = {_chosen("random:5")[1] for _ in range(3)}
    assert len(drawn) == 3  # nobody finds such a seed by trying
    assert all(int(options.split(":")[-1]) >= board_choice.LEAST_SEED for options in drawn)
    made, options = _chosen("turned:9")
    assert isinstance(made, TurnedBoards)
    assert options == " --boards turned:9"
    both, options = _chosen("random:5:0", "own")
    assert isinstance(both, OwnBoardsAnd)
    assert options == " --boards own --boards random:5:0"
    monkeypatch.chdir(tmp_path)
    for name in ("a set", "own", "turned", "random:3"):
        make_set(tmp_path / name, "boards: {a: {points: 3, tasks: [peg1]}}", ["forced-stuck"])
        made, options = _chosen(f"./{name}")
        assert isinstance(made, PrivateBoards)
        (again,) = shlex.split(options)[1:]
        assert _chosen(again)[1] == options  # what is told can be typed


@pytest.mark.slow
def test_own_boards_and_those_of_a_set_in_one_run(tmp_path: Path) -> None:
    index = "boards: {a: {points: 3, tasks: [peg1]}}"
    both = OwnBoardsAnd(PrivateBoards(make_set(tmp_path / "set", index, ["forced-stuck"])))
    graded = results(paths.REFERENCE, ["client", "peg1"], both)
    own = {task: [check.name for check in registry().find(task).checks] for task in ("client", "peg1")}
    assert [result.board for result in graded] == [*own["client"], *own["peg1"], "a"]
    assert [result.hidden for result in graded] == [False] * (len(graded) - 1) + [True]
    assert points(graded) == (28, 28)
    turned = OwnBoardsAnd(TurnedBoards(0)).checks(registry().find("peg1"))
    assert len({check.name for check in turned}) == len(turned) > len(own["peg1"])
    assert find_board("english", both).name == "english"


def test_a_set_says_whether_its_boards_are_hidden(tmp_path: Path) -> None:
    folder = make_set(tmp_path / "set", "boards: {a: {}}", ["forced-stuck"])
    for boards, name, hidden in (
        (PrivateBoards(folder), "a", True),
        (RandomBoards(1, 0), "random-1", True),
        (TurnedBoards(0), "key", False),
        (course_boards(), "key", False),
    ):
        assert find_board(name, boards).hidden == hidden


@pytest.mark.parametrize("name", ["german", "english@2,4", "english@0,0"])
def test_a_private_board_with_the_name_of_a_course_board_is_told_from_it(name: str, tmp_path: Path) -> None:
    folder = make_set(tmp_path / "set", f'boards: {{"{name}": {{}}}}', ["forced-stuck"])
    (folder / "a.txt").rename(folder / f"{name}.txt")
    assert PrivateBoards(folder).find(name) is not None
    with pytest.raises(
        InputError, match=rf"index\.yaml: boards\.{name}: the course has a board of that name"
    ):
        OwnBoardsAnd(PrivateBoards(folder))


@pytest.mark.parametrize("claimed", [0, 2, 3])
def test_what_is_told_of_a_visible_board_does_not_depend_on_private_ones(claimed: int) -> None:
    """A claim about a private board, which has three positions, would tell a bit of it in the others' words."""
    task = registry().tasks["peg3"]
    (check,) = [each for each in task.checks if each.name == "stuck"]
    stuck = find_board("stuck")
    visible = Result(
        "peg3", "stuck", Verdict.ACCEPTED, 1, points=1, code="dead-end-not-recorded", message="it lacks one"
    )
    private = replace(visible, board="secret", unsolvable=claimed, hidden=True, code="", message="")
    secret = NamedBoard("secret", stuck.board, Facts(solvable=False, fewest=2, positions=3), hidden=True)
    both = settle(task, [visible, private], [(check, stuck), (check, secret)])
    assert both[0] == settle(task, [visible], [(check, stuck)])[0]
    private, secret = replace(private, hidden=False), replace(secret, hidden=False)
    other = settle(task, [visible, private], [(check, stuck), (check, secret)])
    assert (other[0].code == "start-not-recorded") == (claimed == 2)


@pytest.mark.parametrize(
    ("solvable_public", "solvable_hidden", "kept"),
    [
        (1, 1, (1, 1)),
        (0, 1, (0, 1)),  # what is right on private boards does not help the others
        (1, 0, (1, 0)),  # nor the other way round
        (1, None, (1, 1)),  # no solvable board is private: the others decide
        (0, None, (0, 0)),
        (None, 0, (1, 0)),  # what is wrong on private boards does not show in the others
        (None, None, (1, 0)),
    ],
)
@pytest.mark.parametrize("without_points", [True, False])
def test_points_are_withheld_for_public_and_private_boards_apart(
    solvable_public: int | None, solvable_hidden: int | None, kept: tuple[int, int], without_points: bool
) -> None:
    """Solvable boards without points decide nothing."""
    results, can = [], []
    for hidden, earned in ((False, solvable_public), (True, solvable_hidden)):
        results.append(Result("peg2", "unsolvable", Verdict.ACCEPTED, 1, points=1, hidden=hidden))
        can.append(False)
        if earned is not None:
            verdict = Verdict.ACCEPTED if earned else Verdict.WRONG_ANSWER
            results.append(Result("peg2", "solvable", verdict, 1, points=earned, hidden=hidden))
            can.append(True)
        if without_points:
            results.append(Result("peg2", "solvable", Verdict.WRONG_ANSWER, 0, hidden=hidden))
            can.append(True)
    settled = withheld(results, can)
    assert tuple(each.points for each in settled if each.board == "unsolvable") == kept

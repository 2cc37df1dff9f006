"""What a student's table says of a board's positions: what it may cost, and what it never may."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from framework.board import count_pegs, format_board
from framework.verify import verify
from grader.catalog.boards import NamedBoard, course_boards, find_board
from grader.catalog.tasks import Asked, Check, registry
from grader.judging import check_run, kinds
from grader.judging.check_run import CheckRunner
from grader.judging.grading import Choice
from grader.judging.judge import Judge
from grader.judging.kinds import table_truth
from grader.judging.kinds.ends_part import allowed_ends
from grader.judging.kinds.table_truth import Positions
from grader.result import Result, Verdict
from grader.sandbox.confine import offers
from grader.sandbox.outcome import End, Outcome
from grader.submissions.submission import Submission
from support.grading import results_of
from support.made_styles import STYLES, program
from support.zoo_rows import make_folder

SMALL = [name for name in course_boards().names if table_truth.is_small(find_board(name).facts)]
MEMORY_ROWS = ["plus", "horseshoe", "big-diamond"]
Choose = Callable[[Positions], set[int]]


def asked(name: str, task: str = "peg3", **board: Any) -> Asked:
    return Asked(Check(name, 2, 5.0), replace(find_board(name), **board), registry().find(task), False)


def frame(shown: NamedBoard, number: int, states: int, **more: Any) -> bytes:
    said = {
        "answer": number,
        "jumps": [],
        "states": states,
        "longest_chain": 1,
        "board": format_board(shown.board),
    }
    return json.dumps({**said, **more}).encode()


def judged(check: Asked, number: int, states: int, lookup: bytes | None, end: End = End.ANSWERED) -> Result:
    """Return the result of an answer, and of the lookup if there was one."""
    assert check.board is not None
    asked_more = None if lookup is None else Outcome(end, lookup)
    outcome = Outcome(End.ANSWERED, frame(check.board, number, states), lookup=asked_more)
    return Judge(check.task, Submission("student", {}), 1).judge(check, outcome)


def with_table(name: str, keys: set[int], task: str = "peg3", size: int | None = None) -> Result:
    """Return the result of a right or wrong `cannot be solved` with that table."""
    check = asked(name, task)
    assert check.board is not None
    known = table_truth.positions(check.board.board)
    numbers = [number if each in keys else 0 for number, each in enumerate(known.looked_up, start=1)]
    if not check.board.facts.solvable:
        numbers += [0] * len(table_truth.strange(check.board.board))
    found = json.dumps({"found": numbers}).encode()
    return judged(check, check.board.facts.fewest or 2, len(keys) if size is None else size, found)


# ---- positions -----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_positions_are_those_of_the_index(name: str) -> None:
    board = find_board(name)
    known = Positions(board.board)
    assert len(known.after) == board.facts.positions
    assert (known.start in known.winning) == board.facts.solvable
    assert min(position.bit_count() for position in known.after) == board.facts.fewest
    assert format_board(known.board(known.start)) == format_board(board.board)


@pytest.mark.parametrize("name", ["lopsided", "forced-relay", "choice", "needs-four-directions"])
def test_a_winning_board_is_won_by_its_jumps(name: str) -> None:
    known = Positions(find_board(name).board)
    ends = known.endings(known.start)
    position, jumps = known.start, []
    while (jump := known.jump_to(position, known.winning)) is not None:
        assert known.depth(position) == len(jumps)
        jumps.append(jump)
        position = next(each for each in known.after[position] if each in known.winning)
    seen = verify(find_board(name).board, jumps)
    assert seen.solved
    assert tuple(int(index[0]) for index in (seen.board == 1).nonzero()) in ends


@pytest.mark.parametrize(
    ("name", "images"), [("plus", 8), ("horseshoe", 2), ("triangle", 2), ("lopsided", 1)]
)
def test_images_stay_on_the_holes(name: str, images: int) -> None:
    known = Positions(find_board(name).board)
    found = [known.start, *known.images(known.start)]
    assert len(found) == images
    for image in found:
        assert count_pegs(known.board(image)) == known.start.bit_count()
        assert known.start in {image, *known.images(image)}


def test_the_rows_that_are_for_memory() -> None:
    listed = [check.board for check in registry().find("peg3").checks]
    assert [name for name in listed if table_truth.needs_memory(find_board(name).facts)] == MEMORY_ROWS


# ---- what a table costs --------------------------------------------------------------------------


def one_of_each_image(known: Positions) -> set[int]:
    return {min(position, *known.images(position)) for position in known.after}


def one_of_each_image_with_jumps(known: Positions) -> set[int]:
    return {min(position, *known.images(position)) for position in known.with_jumps()}


def greatest_images(known: Positions) -> set[int]:
    return {max(position, *known.images(position)) for position in known.after}


def last_children(known: Positions) -> set[int]:
    return {(known.after[position] or [position])[-1] for position in known.after}


ENOUGH: dict[str, Choose] = {
    "all": lambda known: set(known.after),
    "all but the board itself": lambda known: known.after.keys() - {known.start},
    "those with a jump": Positions.with_jumps,
    "those met again": Positions.met_again,
    "one of each image": one_of_each_image,
    "another of each image": greatest_images,
    "one of each image, those with a jump": one_of_each_image_with_jumps,
}
TOO_FEW: dict[str, Choose] = {
    "none": lambda known: set(),
    "those without a jump": lambda known: known.after.keys() - known.with_jumps(),
    "the last child": last_children,
    "all but one that is met again": lambda known: (
        known.after.keys() - {max(known.met_again()), *known.images(max(known.met_again()))}
    ),
    "few pegs only": lambda known: {each for each in known.after if each.bit_count() < 7},
}


@pytest.mark.parametrize("which", ENOUGH)
@pytest.mark.parametrize("name", ["plus", "horseshoe"])
def test_a_table_that_remembers_costs_nothing(name: str, which: str) -> None:
    result = with_table(name, ENOUGH[which](table_truth.positions(find_board(name).board)))
    assert (result.verdict, result.points, result.message) == (Verdict.ACCEPTED, 2, "")


@pytest.mark.parametrize("which", TOO_FEW)
@pytest.mark.parametrize("name", ["plus", "horseshoe"])
def test_a_table_that_forgets_costs_the_points(name: str, which: str) -> None:
    result = with_table(name, TOO_FEW[which](table_truth.positions(find_board(name).board)))
    assert (result.verdict, result.points) == (Verdict.ACCEPTED, 0)
    assert result.code.startswith("table-")


def test_other_keys_excuse_nothing() -> None:
    known = table_truth.positions(find_board("plus").board)
    keys = TOO_FEW["the last child"](known)
    assert with_table("plus", keys, size=len(keys) + 1).points == 0


def test_a_size_that_was_set_back_costs_the_points() -> None:
    for size in (0, 1, 60, 117):
        result = with_table("plus", set(table_truth.positions(find_board("plus").board).after), size=size)
        assert result.points == 0, size


def test_boards_that_share_a_key_are_not_taken_for_more_keys() -> None:
    """A key that forgets a cell: the table has fewer keys than positions, and all are found."""
    known = table_truth.positions(find_board("plus").board)
    keys = [1 + each % 100 for each in range(len(known.looked_up))]
    result = judged(asked("plus"), 4, 100, json.dumps({"found": keys}).encode())
    assert (result.points, result.message) == (2, "")


def test_a_board_recorded_before_it_was_searched_is_named() -> None:
    known = table_truth.positions(find_board("horseshoe").board)
    later = {position for position in known.after if known.depth(position) > 1}
    for keys, named in (({known.start}, True), (known.with_jumps(), False), (later, False)):
        numbers = [number if each in keys else 0 for number, each in enumerate(known.looked_up, start=1)]
        numbers += [0] * table_truth.STRANGE
        said = json.dumps({"found": numbers}).encode()
        result = judged(asked("horseshoe"), 4, len(keys), said)
        assert result.verdict == Verdict.WRONG_ANSWER
        assert (result.code == "recorded-too-early" and result.facts["made"] == 0) == named


def test_a_board_too_large_to_look_at_costs_only_where_no_key_can_be_shared_so_often() -> None:
    check = asked("big-diamond")
    known = find_board("big-diamond").facts.positions
    assert known is not None
    for states, points in ((0, 0), (1000, 0), (27_421 - 5_127, 2), (known, 2)):
        assert judged(check, 5, states, None).points == points, states


def test_where_no_search_is_needed_a_table_costs_nothing() -> None:
    check = asked("plus", "peg5")
    assert check.board is not None
    assert judged(check, 12, 0, None).points == 2
    answer = kinds.of(check.task).parse(json.loads(frame(check.board, 12, 0)))
    assert kinds.of(check.task).boards_to_look_up(check, answer) == []


@pytest.mark.parametrize("name", ["plus", "horseshoe"])
def test_what_is_drawn_must_be_recorded(name: str) -> None:
    known = table_truth.positions(find_board(name).board)
    drawn = table_truth.drawn(find_board(name).board)
    assert {group[0] for group in drawn.groups} <= known.met_again()
    assert [set(group) for group in drawn.groups] == [
        {group[0], *known.images(group[0])} for group in drawn.groups
    ]


@pytest.mark.parametrize("name", MEMORY_ROWS)
def test_what_is_drawn_beside_them_can_never_be_recorded(name: str) -> None:
    """Nor does a count of its pegs or colours tell it apart."""
    board = find_board(name).board
    known, drawn = table_truth.positions(board), table_truth.drawn(board)
    assert len(drawn.strange) == table_truth.STRANGE
    for strange in drawn.strange:
        assert known.after.keys().isdisjoint([strange, *known.images(strange)])
        assert any(strange.bit_count() == position.bit_count() for position in known.after)
        assert allowed_ends(drawn.board(strange)) == allowed_ends(board)


def found_in_table(image: int = 0) -> list[int]:
    """Return what a look-up finds on `plus` if each position that was drawn is there as one of its images."""
    drawn = table_truth.drawn(find_board("plus").board)
    there = range(8 * len(drawn.groups))
    return [number + 1 if number % 8 == image else 0 for number in there] + [0] * len(drawn.strange)


@pytest.mark.parametrize("image", range(8))
def test_what_is_drawn_may_be_there_as_an_image(image: int) -> None:
    check, said = asked("plus"), found_in_table(image)
    assert judged(check, 4, 118, json.dumps({"found": said}).encode()).points == 2
    said[image] = 0
    result = judged(check, 4, 118, json.dumps({"found": said}).encode())
    assert (result.points, result.code) == (0, "drawn-missing")


@pytest.mark.parametrize("states", [118, 119])
def test_a_table_in_which_every_board_is_found_remembers_nothing(states: int) -> None:
    """As one that holds all boards on the holes, or whose look-up was replaced."""
    check = asked("plus")
    found = json.dumps({"found": [*range(1, 1 + len(boards_for(check, 4, states)))]}).encode()
    result = judged(check, 4, states, found)
    assert (result.points, result.code) == (0, "strange-in-table")


# ---- what is asked -------------------------------------------------------------------------------


def boards_for(check: Asked, number: int, states: int, **more: Any) -> list[str]:
    assert check.board is not None
    kind = kinds.of(check.task)
    return kind.boards_to_look_up(check, kind.parse(json.loads(frame(check.board, number, states, **more))))


def test_boards_are_looked_up_only_where_the_table_cannot_be_right() -> None:
    assert len(boards_for(asked("plus"), 4, 117)) == 118 + table_truth.STRANGE
    assert len(boards_for(asked("lopsided"), 2, 2063)) == 2063
    assert len(boards_for(asked("plus"), 4, 118)) == len(found_in_table())
    assert boards_for(asked("plus"), 5, 118) == []
    assert boards_for(asked("plus"), 1, 3, jumps=[[3, 2, 3, 4]]) == []
    assert boards_for(asked("plus"), 4, 3, jumps=[[3, 2, 3, 4]]) == []
    assert boards_for(asked("plus"), 4, 3, board=format_board(find_board("lopsided").board)) == []
    assert boards_for(asked("lopsided"), 99, 3) == []
    assert boards_for(asked("english"), 2, 3) == []
    assert len(boards_for(asked("big-diamond"), 5, 3)) == 8 * table_truth.DRAWN + table_truth.STRANGE


@pytest.mark.parametrize("name", ["plus", "lopsided"])
def test_nothing_is_asked_or_lost_on_a_hidden_board(name: str) -> None:
    check = asked(name, hidden=True)
    assert check.board is not None
    assert boards_for(check, check.board.facts.fewest or 2, 0) == []
    if name == "plus":
        assert judged(check, 4, 0, None).points == 2


HOSTILE = {
    "nothing": b"",
    "no JSON": b"found",
    "no list": b'{"found": 1}',
    "too few": b'{"found": [1]}',
    "too many": json.dumps({"found": [1] * 200_000}).encode(),
    "huge numbers": json.dumps({"found": [10**30] * 118}).encode(),
    "truths": json.dumps({"found": [True] * 118}).encode(),
    "texts": json.dumps({"found": ["\x1b[31m"] * 118}).encode(),
    "a failure": json.dumps(
        {"failure": "raise", "type": "E", "text": "t", "file": "peg3.py", "line": 1, "condition": "", "values": []}
    ).encode(),
    "another answer": frame(find_board("plus"), 1, 0),
}  # fmt: skip


@pytest.mark.parametrize("what", HOSTILE)
def test_a_look_up_without_a_good_answer_changes_nothing(what: str) -> None:
    for states in (117, 0):
        assert judged(asked("plus"), 4, states, HOSTILE[what]) == judged(asked("plus"), 4, states, None)


@pytest.mark.parametrize(
    "end", [End.DIED, End.CPU_LIMIT, End.WALL_LIMIT, End.BAD_FRAME, End.FAULT, End.STOPPED]
)
def test_a_look_up_that_ends_badly_changes_nothing(end: End) -> None:
    found = json.dumps({"found": [0] * 118}).encode()
    assert judged(asked("plus"), 4, 117, found, end) == judged(asked("plus"), 4, 117, None)


@pytest.mark.parametrize(
    "said", [[0] * 118, [1] * 118, [1, 0] * 59, list(range(118)), list(range(1, 119)), [-1, 1 << 62] * 59]
)
@pytest.mark.parametrize("states", [0, 17, 59, 118, 1 << 39])
def test_no_look_up_earns_a_point_or_changes_a_verdict(states: int, said: list[int]) -> None:
    before = judged(asked("plus"), 4, states, None)
    after = judged(asked("plus"), 4, states, json.dumps({"found": said}).encode())
    assert after.verdict == before.verdict
    assert after.points <= before.points


class Recorded:
    """Takes the place of a runner: keeps what it is asked, and answers as it was told."""

    def __init__(self, *answers: bytes) -> None:
        self.asked: list[tuple[dict[str, Any], dict[str, Any] | None]] = []
        self.limits: list[float] = []
        self._answers = list(answers)

    def run(self, request: dict[str, Any], cpu_s: float, more: dict[str, Any] | None = None) -> Outcome:
        self.asked.append((request, more))
        self.limits.append(cpu_s)
        return Outcome(End.ANSWERED, self._answers.pop(0), cpu_s=0.25)


def test_the_boards_are_sent_after_the_answer() -> None:
    check = asked("lopsided")
    assert check.board is not None
    runner: Any = Recorded(frame(check.board, 2, 5), b'{"found": []}')
    outcome = CheckRunner(registry(), 1, 1, lambda *_: None).run(check, runner)
    (first, no_more), (again, more) = runner.asked
    assert no_more is None
    assert again == {**first, "kind": "table"}
    assert runner.limits == [check.check.cpu_s, 0.5 + check_run.LOOK_UP_CPU_S]
    assert more is not None and len(more["boards"]) == 2063
    assert outcome.lookup is not None


# ---- whole programs ------------------------------------------------------------------------------


def dead_ends_only(place: Path) -> Path:
    """Return a folder whose peg3 records dead ends only, and promises nothing about its table."""
    folder = make_folder("records-dead-ends-only", place)
    peg3 = folder / "peg3.py"
    promise = "@ensures(lambda board, unsolvable, result:"
    lines = peg3.read_text("utf-8").splitlines(keepends=True)
    kept = [line for line in lines if not line.startswith(promise)]
    assert len(kept) == len(lines) - 1
    peg3.write_text("".join(kept), "utf-8")
    return folder


@pytest.mark.parametrize("can_fork", [True, False])
def test_a_child_looks_boards_up_with_and_without_forks(
    can_fork: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not can_fork:
        monkeypatch.setattr(offers, "forks", lambda: False)
    folder = dead_ends_only(tmp_path)
    (result,) = results_of(Choice(folder, ("plus",), debug=True, tier=0), "peg3")
    assert (result.verdict, result.points) == (Verdict.ACCEPTED, 0)
    assert result.code == "table-lacks-boards-with-jumps"
    assert (result.facts["recorded"], result.facts["positions"]) == (17, 118)


STALLS = {
    "without end": "while True: pass",
    "with frames of its own": "for fd in range(3, 10): write(fd)",
    "by leaving": "os._exit(0)",
}


@pytest.mark.parametrize("how", STALLS)
def test_a_look_up_is_bounded_whatever_the_key_does(
    how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A right program that records dead ends only, under keys of its own, and stalls in its board_key."""
    monkeypatch.setattr(check_run, "LOOK_UP_CPU_S", 1.0)
    folder = dead_ends_only(tmp_path)
    peg3 = folder / "peg3.py"
    own_key = "hash(board.tobytes())"
    peg3.write_text(peg3.read_text("utf-8").replace("key = board_key(board)", f"key = {own_key}"), "utf-8")
    stalling = f"""
import os

def write(fd):
    try:
        os.write(fd, b"{{}}\\n" * 9)
    except OSError:
        pass

def board_key(board):
    {STALLS[how]}
    return 1
"""
    client = folder / "client.py"
    client.write_text(client.read_text("utf-8") + stalling, "utf-8")
    (result,) = results_of(Choice(folder, ("plus",), debug=True, tier=1), "peg3")
    assert (result.verdict, result.points, result.unsolvable) == (Verdict.ACCEPTED, 2, 17)


@pytest.mark.slow
@pytest.mark.whole
def test_every_style_of_a_right_program_keeps_its_points(tmp_path: Path) -> None:
    for name in STYLES:
        folder = tmp_path / name
        folder.mkdir()
        for file, text in program(name).items():
            (folder / file).write_bytes(text.encode())
        (result,) = results_of(Choice(folder, ("plus",), debug=True), "peg3")
        assert (result.points, result.unsolvable, result.message) == (2, 118, ""), name

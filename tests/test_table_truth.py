"""What a student's table says of a board's positions: what it may cost, and what it never may."""

import binascii
import json
from array import array
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from framework.board import count_pegs, format_board
from framework.verify import verify
from grader.catalog.boards import course_boards, find_board
from grader.catalog.images import image_of, symmetries
from grader.catalog.tasks import Asked, registry
from grader.judging import check_run, kinds
from grader.judging.check_run import CheckRunner
from grader.judging.grading import Choice
from grader.judging.holes import Reachable
from grader.judging.judge import Judge
from grader.judging.kinds import table_truth
from grader.judging.kinds.ends_part import allowed_ends
from grader.judging.kinds.table_truth import Positions
from grader.result import Result, Verdict
from grader.sandbox.answers import ClientAnswer, parse_kept
from grader.sandbox.asking import End, Outcome
from grader.sandbox.child import questions
from grader.sandbox.confine import offers
from grader.submissions.submission import Submission
from support import made_answers
from support.grading import results_of
from support.made_answers import solution
from support.made_styles import STYLES, program
from support.zoo_rows import make_folder

SMALL = [name for name in course_boards().names if table_truth.is_small(find_board(name).facts)]
MEMORY_ROWS = ["plus", "horseshoe", "big-diamond"]
Choose = Callable[[Positions], set[int]]


def asked(name: str, task: str = "peg3", **board: Any) -> Asked:
    return made_answers.asked(task, name, 2, 5.0, **board)


def frame(check: Asked, number: int, states: int, **more: Any) -> bytes:
    return json.dumps(made_answers.answer(check.check.name, number, states=states, **more)).encode()


def judged(check: Asked, number: int, states: int, lookup: Sequence[Outcome], **more: Any) -> Result:
    """Return the result of an answer, and of the lookup if there was one."""
    outcome = Outcome(End.ANSWERED, frame(check, number, states, **more), looked_up=[*lookup])
    return Judge(check.task, Submission("student", {}), 1).judge(check, outcome)


def holding(found: Sequence[int]) -> list[Outcome]:
    """Return a table, and keys of boards, so that these numbers are found, 0 where a key is not there."""
    keys = [each or -number for number, each in enumerate(found, start=1)]
    kept = binascii.b2a_base64(array("q", {each for each in found if each}).tobytes(), newline=False).decode()
    halves = [[keys[each] for each in half] for half in table_truth.halves(len(keys), "look up")]
    made = [{"made": [], "moves": [], "keys": half, "hashes": []} for half in halves]
    return [Outcome(End.ANSWERED, json.dumps(each).encode()) for each in ({"kept": kept}, *made)]


def with_table(name: str, keys: set[int], task: str = "peg3", size: int | None = None) -> Result:
    """Return the result of a right or wrong `cannot be solved` with that table."""
    check = asked(name, task)
    known = table_truth.positions(check.the_board.board)
    texts = {known.text(each) for each in keys}
    answer = check.the_board.facts.fewest or 2, len(keys) if size is None else size
    boards = boards_for(check, *answer)
    found = [number if each in texts else 0 for number, each in enumerate(boards, start=1)]
    return judged(check, *answer, holding(found))


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
    jumps, position = solution(known), known.start
    for number, jump in enumerate(jumps):
        assert known.depth(position) == number
        position = known.after_jump(position, jump)
    seen = verify(find_board(name).board, jumps)
    assert seen.solved
    assert tuple(int(index[0]) for index in (seen.board == 1).nonzero()) in known.endings(known.start)


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.parametrize("which", ENOUGH)
@pytest.mark.parametrize("name", ["plus", "horseshoe"])
def test_a_table_that_remembers_costs_nothing(name: str, which: str) -> None:
    result = with_table(name, ENOUGH[which](table_truth.positions(find_board(name).board)))
    assert (result.verdict, result.points, result.message) == (Verdict.ACCEPTED, 2, "")


@pytest.mark.slow
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
    keys += [0] * len(table_truth.strange(find_board("plus").board))
    result = judged(asked("plus"), 4, 100, holding(keys))
    assert (result.points, result.message) == (2, "")


@pytest.mark.slow
def test_a_board_recorded_before_it_was_searched_is_named() -> None:
    known = table_truth.positions(find_board("horseshoe").board)
    later = {position for position in known.after if known.depth(position) > 1}
    for keys, named in (({known.start}, True), (known.with_jumps(), False), (later, False)):
        numbers = [number if each in keys else 0 for number, each in enumerate(known.looked_up, start=1)]
        numbers += [0] * len(table_truth.strange(find_board("horseshoe").board))
        result = judged(asked("horseshoe"), 4, len(keys), holding(numbers))
        assert result.verdict == Verdict.WRONG_ANSWER
        assert (result.code == "recorded-too-early" and result.facts["made"] == 0) == named


def test_a_board_too_large_to_look_at_costs_only_where_no_key_can_be_shared_so_often() -> None:
    check = asked("big-diamond")
    known = find_board("big-diamond").facts.positions
    assert known is not None
    for states, points in ((0, 0), (1000, 0), (27_421 - 5_127, 2), (known, 2)):
        assert judged(check, 5, states, ()).points == points, states


def test_where_no_search_is_needed_a_table_costs_nothing() -> None:
    check = asked("plus", "peg5")
    assert judged(check, 12, 0, ()).points == 2
    answer = kinds.of(check.task).parse(json.loads(frame(check, 12, 0)))
    assert kinds.of(check.task).boards_to_look_up(check, answer) == []


@pytest.mark.parametrize("name", ["plus", "horseshoe"])
def test_what_is_drawn_must_be_recorded(name: str) -> None:
    known = table_truth.positions(find_board(name).board)
    drawn = table_truth.drawn(find_board(name).board)
    assert {group[0] for group in drawn.groups} <= known.met_again()
    assert [set(group) for group in drawn.groups] == [
        {group[0], *known.images(group[0])} for group in drawn.groups
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", MEMORY_ROWS)
def test_what_is_drawn_beside_them_can_never_be_recorded(name: str) -> None:
    """Nor does a count of its pegs or colours tell it apart."""
    board = find_board(name).board
    known, drawn, turned = Reachable(board), table_truth.drawn(board), [*symmetries(board)]
    assert len(drawn.strange) == table_truth.STRANGE
    for strange, *images in drawn.strange:
        assert images == [*table_truth.images_by(strange, turned)][-len(images) :] * bool(images)
        assert known.after.keys().isdisjoint([strange, *images])
        assert any(strange.bit_count() == position.bit_count() for position in known.after)
        assert allowed_ends(drawn.board(strange)) == allowed_ends(board)


def found_in_table(image: int = 0) -> list[int]:
    """Return what a look-up finds on `plus` if each position that was drawn is there as one of its images."""
    drawn = table_truth.drawn(find_board("plus").board)
    there = range(8 * len(drawn.groups))
    return [number + 1 if number % 8 == image else 0 for number in there] + [0] * 8 * len(drawn.strange)


@pytest.mark.parametrize("image", range(8))
def test_what_is_drawn_may_be_there_as_an_image(image: int) -> None:
    check, said = asked("plus"), found_in_table(image)
    assert judged(check, 4, 118, holding(said)).points == 2
    said[image] = 0
    result = judged(check, 4, 118, holding(said))
    assert (result.points, result.code) == (0, "drawn-missing")


@pytest.mark.parametrize("states", [118, 119])
def test_a_table_in_which_every_board_is_found_remembers_nothing(states: int) -> None:
    """As one that holds all boards on the holes, or whose look-up was replaced."""
    check = asked("plus")
    found = [*range(1, 1 + len(boards_for(check, 4, states)))]
    result = judged(check, 4, states, holding(found))
    assert (result.points, result.code) == (0, "strange-in-table")


# ---- what is asked -------------------------------------------------------------------------------


def boards_for(check: Asked, number: int, states: int, **more: Any) -> list[str]:
    kind = kinds.of(check.task)
    return kind.boards_to_look_up(check, kind.parse(json.loads(frame(check, number, states, **more))))


def test_boards_are_looked_up_only_where_the_table_cannot_be_right() -> None:
    assert len(boards_for(asked("plus"), 4, 117)) == 118 + 8 * table_truth.STRANGE
    assert len(boards_for(asked("lopsided"), 2, 2063)) == 2063
    assert len(boards_for(asked("plus"), 4, 118)) == len(found_in_table())
    assert boards_for(asked("plus"), 5, 118) == []
    assert boards_for(asked("plus"), 1, 3, jumps=[[3, 2, 3, 4]]) == []
    assert boards_for(asked("plus"), 4, 3, jumps=[[3, 2, 3, 4]]) == []
    assert boards_for(asked("plus"), 4, 3, board=format_board(find_board("lopsided").board)) == []
    assert boards_for(asked("lopsided"), 99, 3) == []
    assert boards_for(asked("english"), 2, 3) == []
    assert len(boards_for(asked("big-diamond"), 5, 3)) == 8 * (table_truth.DRAWN + table_truth.STRANGE)


@pytest.mark.parametrize("name", ["plus", "lopsided"])
def test_nothing_is_asked_or_lost_on_a_hidden_board(name: str) -> None:
    check = asked(name, hidden=True)
    assert boards_for(check, check.the_board.facts.fewest or 2, 0) == []
    if name == "plus":
        assert judged(check, 4, 0, ()).points == 2


NO_TABLE = {
    "nothing": b"",
    "no JSON": b"kept",
    "no text": b'{"kept": 1}',
    "no base64": b'{"kept": "*"}',
    "half a key": b'{"kept": "AAAA"}',
    "a failure": json.dumps(
        {"failure": "raise", "type": "E", "text": "t", "file": "peg3.py", "line": 1, "condition": "", "values": []}
    ).encode(),
    "another answer": frame(asked("plus"), 1, 0),
}  # fmt: skip
NO_KEYS = {
    "nothing": b"",
    "no list": b'{"made": [], "moves": [], "keys": 1, "hashes": []}',
    "too few": b'{"made": [], "moves": [], "keys": [1], "hashes": []}',
    "huge numbers": json.dumps({"made": [], "moves": [], "keys": [10**30] * 118, "hashes": []}).encode(),
    "texts": json.dumps({"made": [], "moves": [], "keys": ["\x1b[31m"] * 118, "hashes": []}).encode(),
}


@pytest.mark.parametrize("states", [117, 118])
def test_a_table_that_is_not_shown_costs_the_points(states: int) -> None:
    boards = boards_for(asked("plus"), 4, states)
    table, keys, more = holding([1 + each % states for each in range(len(boards) - 400)] + [0] * 400)
    assert judged(asked("plus"), 4, states, [table, keys, more]).points == 2
    bad = [[Outcome(End.ANSWERED, said), keys, more] for said in NO_TABLE.values()]
    bad += [[table, Outcome(End.ANSWERED, said), more] for said in NO_KEYS.values()]
    bad += [[table, keys, Outcome(End.ANSWERED, said)] for said in NO_KEYS.values()]
    for end in (End.DIED, End.IDLE, End.CPU_LIMIT, End.WALL_LIMIT, End.MEMORY_LIMIT, End.BAD_FRAME):
        bad += [[replace(table, end=end), keys, more], [table, replace(keys, end=end), more]]
    for lookup in bad:
        result = judged(asked("plus"), 4, states, lookup)
        assert (result.verdict, result.points) == (Verdict.ACCEPTED, 0)
        assert result.code == "table-not-shown" and result.help


@pytest.mark.parametrize(
    ("end", "verdict"), [(End.FAULT, Verdict.GRADER_ERROR), (End.STOPPED, Verdict.NOT_RUN)]
)
def test_what_cannot_be_looked_up_is_not_judged(end: End, verdict: Verdict) -> None:
    """A program may choose when a run is stopped, and where memory is short a fault."""
    table, *keys = holding(found_in_table())
    for lookup in ([replace(table, end=end), *keys], [table, keys[0], replace(keys[1], end=end)]):
        result = judged(asked("plus"), 4, 118, lookup)
        assert (result.verdict, result.points) == (verdict, 0)


def test_a_wrong_answer_stays_what_it_is() -> None:
    lookup = [Outcome(End.DIED), Outcome(End.DIED)]
    assert judged(asked("lopsided"), 2, 3, lookup) == judged(asked("lopsided"), 2, 3, ())


@pytest.mark.parametrize(
    "said", [[0] * 118, [1] * 118, [1, 0] * 59, list(range(118)), list(range(1, 119)), [-1, 1 << 62] * 59]
)
@pytest.mark.parametrize("states", [0, 17, 59, 118, 1 << 39])
def test_no_look_up_earns_a_point_or_changes_a_verdict(states: int, said: list[int]) -> None:
    before = judged(asked("plus"), 4, states, ())
    after = judged(asked("plus"), 4, states, holding(said))
    assert after.verdict == before.verdict
    assert after.points <= before.points


def with_solved(name: str, chosen: Callable[[Positions], set[str]]) -> Result:
    """Return the result of peg4 on a board that is solved, and whose table has the boards with these texts."""
    check, known = asked(name, "peg4"), table_truth.positions(find_board(name).board)
    jumps = solution(known)
    boards, there = boards_for(check, 1, 17, jumps=jumps), chosen(known)
    found = [number if each in there else 0 for number, each in enumerate(boards, start=1)]
    return judged(check, 1, 17, holding(found), jumps=jumps)


def lost(known: Positions) -> set[int]:
    return known.after.keys() - known.winning


def test_a_solved_board_needs_a_table_that_began_beside_the_solution() -> None:
    check, known = asked("lopsided", "peg4"), table_truth.positions(find_board("lopsided").board)
    jumps = solution(known)
    boards = boards_for(check, 1, 17, jumps=jumps)
    texts = {known.text(each) for each in lost(known)}
    true = [number if each in texts else 0 for number, each in enumerate(boards, start=1)]
    for lookup, points, code in (
        ([], 2, ""),
        (holding(true), 2, ""),
        (holding([0] * len(boards)), 0, "table-elsewhere"),
        (holding(true[1:]), 0, "table-not-shown"),
        ([Outcome(End.DIED), Outcome(End.DIED)], 0, "table-not-shown"),
        (holding([*range(1, 1 + len(boards))]), 0, "winning-in-table"),
    ):
        result = judged(check, 1, 17, lookup, jumps=jumps)
        assert (result.verdict, result.points, result.code) == (Verdict.ACCEPTED, points, code)


def test_a_table_of_images_whose_holes_are_elsewhere_is_told() -> None:
    def flipped(known: Positions) -> set[str]:
        images = (image_of(known.board(each), "flip") for each in lost(known))
        return {"".join(format_board(image).split()) for image in images}

    result = with_solved("lopsided", flipped)
    assert (result.points, result.code) == (0, "table-elsewhere")
    assert "mirrored left to right over all 8 x 8 cells" in result.message.partition("\n")[0]


@pytest.mark.parametrize(
    ("size", "kept"),
    [(0, [1, 2, 3, 4]), (3, [1, 2, 3, 4]), (4, [1, 2, 3, 4]), (5, [2, 3, 4, 0]), (-9, [1, 2, 3, 4])],
)
def test_a_table_is_sent_whatever_its_size_says(
    size: int, kept: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """If it is large, its last keys are: a search that fails comes to those beside its solution last."""
    table = SimpleNamespace(keys=np.array([0, 1, 2, 3, 4, *[0] * 9]), state=np.array([size, 1]))
    monkeypatch.setattr(questions, "MOST_KEPT", 4)
    monkeypatch.setattr(questions, "_solve", lambda *_: ({}, table))
    said: Any = questions.kept({}, SimpleNamespace(), None)  # type: ignore[arg-type]
    assert parse_kept(said) == kept


@pytest.mark.slow
@pytest.mark.parametrize("of_images", [min, max])
def test_a_table_of_images_began_beside_the_solution(of_images: Callable[..., int]) -> None:
    """A search may record one image of each board; then the boards themselves may not be found."""
    result = with_solved(
        "triangle", lambda known: {known.text(of_images(each, *known.images(each))) for each in lost(known)}
    )
    assert (result.points, result.code) == (2, "")


def test_places_tell_nothing_of_the_boards() -> None:
    """They come in another order in each run of the grader, and a board beside its images or alone tells nothing."""
    texts = [str(number) for number in range(100)]
    table, *keys = table_truth.look_ups({"kind": "solve", "board": "b"}, texts)
    assert table == {"kind": "kept", "board": "b"}
    assert [len(each["boards"]) for each in keys] == [67, 67]
    assert keys[0]["boards"] != texts[:67] and {*keys[0]["boards"], *keys[1]["boards"]} == {*texts}
    made = [ClientAnswer([], [], [int(each) for each in one["boards"]], []) for one in keys]
    found = table_truth.looked_up([7, 99, 7], made, 100)
    assert found and [bool(each) for each in found] == [n in (7, 99) for n in range(100)]
    ranks = [ClientAnswer([], [], [*range(67)], []) for one in keys]
    assert table_truth.looked_up([7], ranks, 100) is None
    assert table_truth.looked_up([7], made, 101) is None


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


@pytest.mark.parametrize("factor", [1.0, 3.0])
def test_the_boards_are_named_once_the_table_is_known(factor: float) -> None:
    """Each run may take as long as the check, and more, so that no right program loses its points."""
    check = replace(asked("lopsided"), time_factor=factor)
    runner: Any = Recorded(frame(check, 2, 5), b'{"kept": ""}', b"{}", b"{}")
    outcome = CheckRunner(registry(), 1, 1, lambda *_: None).run(check, runner)
    (first, _), (again, _), *keys = runner.asked
    assert again == {**first, "kind": "kept"}
    assert {each["kind"] for each, _ in keys} == {"client"}
    assert len({board for each, _ in keys for board in each["boards"]}) == 2063
    assert runner.limits == [5.0, *[5.0 + factor * check_run.LOOK_UP_CPU_S] * 3]
    assert len(outcome.looked_up) == 3


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


@pytest.mark.slow
@pytest.mark.parametrize("can_fork", [True, False])
def test_a_child_looks_boards_up_with_and_without_forks(
    can_fork: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not can_fork:
        monkeypatch.setattr(offers, "forks", lambda: False)
    folder = dead_ends_only(tmp_path)
    (result,) = results_of(Choice(folder, ("plus",), debug=True, tier=0), "peg3")
    assert (result.verdict, result.points) == (Verdict.ACCEPTED, 0)
    assert result.code == "table-lacks"
    assert (result.facts["recorded"], result.facts["positions"]) == (17, 118)


STALLS = {
    "without end": "while True: pass",
    "with frames of its own": "for fd in range(3, 10): write(fd)",
    "by leaving": "os._exit(0)",
}


@pytest.mark.slow
@pytest.mark.parametrize("how", STALLS)
def test_a_look_up_is_bounded_whatever_the_key_does(
    how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A right program that records dead ends only, under keys of its own, and stalls in its board_key.

    It shows no table that remembers, so it has no points for one.
    """
    monkeypatch.setattr(check_run, "LOOK_UP_CPU_S", 0.2)
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
    # of ten seconds, which two look-ups use up
    (result,) = results_of(Choice(folder, ("plus",), debug=True, tier=1, time_factor=0.2), "peg3")
    assert (result.verdict, result.points, result.unsolvable) == (Verdict.ACCEPTED, 0, 17)


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

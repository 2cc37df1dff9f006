"""The fewest moves: the reference against the exact engine, the judge's words, facts by goal."""

from collections.abc import Sequence
from pathlib import Path

import pytest
import yaml

from framework.board import BLOCKED, format_board, parse_board
from framework.jumps import Jump, moves_of, play_jump
from grader import oracle, paths
from grader.catalog.boards import ANY_GOAL, BoardSet, Facts, NamedBoard, find_board
from grader.catalog.tasks import Asked, Check, registry
from grader.errors import InputError
from grader.judging import kinds
from grader.judging.board_sets import RandomBoards
from grader.judging.grading import Choice
from grader.judging.kinds import fewest
from grader.judging.kinds.fewest import PROVED_HOLES, truth_of
from grader.judging.private_boards import PrivateBoards
from grader.research.facts import check
from grader.result import Result, Verdict
from grader.sandbox.answers import Answer
from support.grading import results_of
from support.plain_truth import truth

TASK = registry().find("fewest")
KIND = kinds.of(TASK)
SEED = 6

# All 64 cells are holes, and the last of them has a peg: bit 63.
LARGE = """
o o o o o o o o
o o o o o o o o
o o o o o o o o
o o o o o o o o
o o o o o o o o
o o o o o o * *
o o o o o * o o
o o o o o * * *
"""


def grade(*boards: str, debug: bool = False, board_set: RandomBoards | None = None) -> list[Result]:
    """Grade the reference."""
    choice = Choice(paths.REFERENCE, boards, board_set, debug)
    return results_of(choice, TASK.name)


# ---- the reference -----------------------------------------------------------------------------


@pytest.mark.slow
def test_full_marks() -> None:
    """Within its limits, the proof for the central game included."""
    assert [result.board for result in grade() if not result.full] == []


@pytest.mark.slow
def test_the_reference_agrees_with_the_engine(request: pytest.FixtureRequest) -> None:
    """On random boards, half of them unsolvable, to any hole and to one that the class allows.

    pytest tests/test_fewest.py --fewest-boards 500 compares as many as that.
    """
    wanted = request.config.getoption("--fewest-boards")
    made = RandomBoards(2 * wanted, SEED)
    boards = [board for board in map(made.find, made.names[: 2 * wanted]) if board is not None]
    proved = [board for board in boards if (board.board != BLOCKED).sum() <= PROVED_HOLES]
    names = []
    for number, board in enumerate(proved[:wanted]):
        name = board.name
        ends = oracle.class_ends(board.board)
        names += [f"{name}:any", *(f"{name}:{row},{col}" for row, col in ends[number % 3 :: 9][:1])]
    results = grade(*names, board_set=made)
    assert [result.board for result in results] == names
    assert [result.board for result in results if result.verdict != Verdict.ACCEPTED] == []
    truths = {result.truth for result in results}
    assert "not known" not in truths and "unsolvable" in truths and len(truths) > 5


@pytest.mark.slow
@pytest.mark.parametrize("debug", [False, True])
def test_on_64_holes(debug: bool, tmp_path: Path) -> None:
    """The highest of 64 bits is the sign: what uses it must not mind."""
    file = tmp_path / "large.txt"
    file.write_text(LARGE, "utf-8")
    board = parse_board(LARGE)
    names = [f"{file}:any", *(f"{file}:{row},{col}" for row, col in oracle.class_ends(board)[:2])]
    results = grade(*names, debug=debug)
    for result in results:
        assert result.verdict == Verdict.ACCEPTED
        assert result.truth == result.answer or (result.answer, result.truth) == ("no solution", "unsolvable")
    assert truth(board).fewest_moves == 4
    assert results[0].answer == "4 moves"


# ---- what the judge says -----------------------------------------------------------------------


def best(name: str, goal: tuple[int, int] | None = None) -> list[Jump]:
    """Return a solution with the fewest moves."""
    return oracle.solutions(find_board(name).board, [goal] if goal else None).summary().best


def played(name: str, jumps: Sequence[Jump]) -> str:
    """Return a board after some jumps."""
    board = find_board(name).board.copy()
    for jump in jumps:
        play_jump(board, jump)
    return format_board(board)


def judged(
    name: str, number: int, jumps: Sequence[Jump] = (), after: str | None = None, facts: Facts | None = None
) -> Result:
    """Return the verdict on an answer to a check called `name`."""
    board_name, variant = KIND.board_of(name)
    board = find_board(board_name)
    if facts is not None:
        board = NamedBoard(board_name, board.board, facts)
    left = board.board if after is None else parse_board(after)
    asked = Asked(Check(board_name, 2, 1.0, variant=variant), board, TASK, False)
    result = Result("fewest", name, Verdict.NOT_RUN, max_points=2)
    return KIND.judge(asked, Answer(number, list(jumps), None, None, left), result)


BRIDGE = best("few-bridge")
LONGER: list[Jump] = [
    (2, 1, 4, 1), (4, 0, 2, 0), (5, 5, 3, 5), (3, 5, 3, 3), (3, 3, 3, 1), (4, 1, 2, 1), (2, 0, 2, 2),
]  # fmt: skip
TOLD = {
    "right": (judged("few-bridge:any", 4, BRIDGE), Verdict.ACCEPTED, ""),
    "no solution": (judged("few-snake:any", -1), Verdict.ACCEPTED, ""),
    "solved already": (judged("one-peg:3,3", 0), Verdict.ACCEPTED, ""),
    "one too many": (judged("few-bridge:any", 5, LONGER), Verdict.WRONG_ANSWER, "too-many-moves"),
    "jumps counted": (judged("few-bridge:any", 7, LONGER), Verdict.WRONG_ANSWER, "moves-miscounted"),
    "a better number than its jumps": (
        judged("forced-hops:any", 2, best("forced-hops")),
        Verdict.WRONG_ANSWER,
        "moves-miscounted",
    ),
    "ends elsewhere": (judged("few-arrow:4,6", 7, best("few-arrow")), Verdict.WRONG_ANSWER, "ends-elsewhere"),
    "stops early": (judged("few-bridge:any", 2, LONGER[:2]), Verdict.WRONG_ANSWER, "not-solved"),
    "no jumps": (judged("few-bridge:any", 4), Verdict.WRONG_ANSWER, "no-move-pushed"),
    "gives up": (judged("few-bridge:2,2", -1), Verdict.WRONG_ANSWER, "moves-can-be-solved"),
    "gives up on one peg": (judged("one-peg:any", -1), Verdict.WRONG_ANSWER, "solved-already"),
    "solved on another hole": (judged("one-peg:3,4", 0), Verdict.WRONG_ANSWER, "not-solved-yet"),
    "0 of a game": (judged("forced-hops:any", 0), Verdict.WRONG_ANSWER, "not-solved-yet"),
    "a number too large": (judged("few-bridge:any", 8, BRIDGE), Verdict.BAD_RETURN, "impossible-moves"),
    "jumps left": (judged("few-snake:any", -1, BRIDGE[:1]), Verdict.WRONG_ANSWER, "jumps-left-on-stack"),
    "board changed": (
        judged("forced-hops:any", -1, (), played("forced-hops", best("forced-hops")[:1])),
        Verdict.WRONG_ANSWER,
        "board-changed",
    ),
    "illegal": (
        judged("few-bridge:any", 4, [*BRIDGE[:2], BRIDGE[0]]),
        Verdict.ILLEGAL_MOVE,
        "jump-illegal-when-played",
    ),
    "better than the index": (
        judged("few-bridge:any", 4, BRIDGE, facts=Facts(True, moves={ANY_GOAL: 5})),
        Verdict.ACCEPTED,  # a false fact costs no points
        "fewer-moves-than-known",
    ),
    "solved what the index calls unsolvable": (
        judged("few-bridge:any", 4, BRIDGE, facts=Facts(False)),
        Verdict.ACCEPTED,
        "fewer-moves-than-known",
    ),
}


@pytest.mark.parametrize("name", TOLD)
def test_what_is_said(name: str) -> None:
    result, verdict, id = TOLD[name]
    assert (result.verdict, result.code) == (verdict, id)
    assert bool(result.help) == bool(id)
    assert result.points == (2 if verdict == Verdict.ACCEPTED else 0)


def test_what_is_not_known_is_not_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a student's folder there is no engine to ask."""
    monkeypatch.setattr(paths, "ORACLE", Path("nowhere"))
    monkeypatch.setattr(fewest, "proved", fewest.proved.__wrapped__)  # what was proved before is known
    solved = judged("few-bridge:5,1", 4, BRIDGE, facts=Facts(True))
    assert solved.verdict == Verdict.WRONG_ANSWER  # the last peg is elsewhere, which needs no engine
    for result in (
        judged("few-bridge:2,2", 4, best("few-bridge", (2, 2)), facts=Facts(True)),
        judged("few-bridge:2,2", -1, facts=Facts(True)),
    ):
        assert (result.verdict, result.points) == (Verdict.ACCEPTED, 0)
        assert "not known here" in result.message


# ---- checks and facts --------------------------------------------------------------------------


def test_moves_in_jumps() -> None:
    assert moves_of([]) == []
    assert [len(move) for move in moves_of(LONGER)] == [1, 1, 3, 1, 1]


@pytest.mark.parametrize(
    ("name", "board", "variant"),
    [
        ("english:3,3", "english", "3,3"),
        ("few-kite+r90:any", "few-kite+r90", "any"),
        ("english:8,3", "english:8,3", ""),
        ("english", "english", ""),
    ],
)
def test_names_of_checks(name: str, board: str, variant: str) -> None:
    assert KIND.board_of(name) == (board, variant)


@pytest.mark.parametrize("image", ["r90", "r180", "flip", "flip-r270"])
def test_a_goal_turns_with_its_board(image: str) -> None:
    (check,) = [each for each in TASK.checks if each.name == "few-arrow:4,6"]
    turned = KIND.turned(check, image)
    assert turned is not None and turned.variant != ANY_GOAL
    board = find_board(f"few-arrow+{image}")
    truth = truth_of(board, turned.variant)
    assert truth is not None and truth.moves == 8
    hole = [tuple(int(part) for part in turned.variant.split(","))]
    assert oracle.solutions(board.board, hole).moves == 8  # type: ignore[arg-type]


def test_every_check_has_its_truth_in_the_index() -> None:
    for each in TASK.checks:
        assert each.variant in find_board(each.board).facts.moves, each.name


@pytest.mark.slow
def test_a_goal_that_is_no_hole() -> None:
    with pytest.raises(InputError) as error:
        grade("english:0,0")
    assert (
        error.value.message
        == "board english:0,0: expected one of its holes after the ':', found a blocked cell"
    )


def folder(tmp_path: Path, moves: object) -> Path:
    """Make a set of boards whose index says this of the moves of few-kite."""
    (tmp_path / "few-kite.txt").write_bytes((paths.BOARDS / "few-kite.txt").read_bytes())
    entry = yaml.safe_load((paths.BOARDS / "index.yaml").read_text("utf-8"))["boards"]["few-kite"]
    index = {"schema": "peg-boards/v1", "boards": {"few-kite": {**entry, "moves": moves}}}
    (tmp_path / "index.yaml").write_text(yaml.safe_dump(index), "utf-8")
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize(
    ("moves", "message"),
    [
        ({"middle": 3}, "boards.few-kite.moves: expected any or a hole such as \"3,3\", found 'middle'"),
        ({"any": 64}, "boards.few-kite.moves.any: expected a number of moves, or null"),
        ({"any": True}, "boards.few-kite.moves.any: expected a number of moves, or null"),
        ([8], "boards.few-kite.moves: expected a mapping, found [8]"),
    ],
)
def test_moves_that_are_no_moves(moves: object, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        BoardSet(folder(tmp_path, moves))
    assert message in error.value.message


def test_a_private_set_that_is_wrong_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        PrivateBoards(folder(tmp_path, {"any": 7}))
    assert error.value.message.endswith("boards.few-kite.moves.any: expected 8, found 7")
    known = PrivateBoards(folder(tmp_path, {"any": 8})).find("few-kite")
    assert known is not None and known.facts.moves == {"any": 8}


@pytest.mark.parametrize(("moves", "told"), [({"any": 7}, "7, the engine says 8"), ({"2,2": 3}, "null")])
def test_make_facts_tells_wrong_moves(moves: object, told: str, tmp_path: Path) -> None:
    differences = check(folder(tmp_path, moves) / "index.yaml")
    (line,) = [each.line(Path("index.yaml")) for each in differences]
    assert line.startswith("index.yaml:boards.few-kite: moves.") and line.endswith(told)


# ---- every best solution -----------------------------------------------------------------------


def test_what_the_engine_cannot_answer_is_not_known() -> None:
    board = find_board("choice")
    assert board.board[0, 0] == BLOCKED
    assert fewest.proved(format_board(board.board), "0,0") is None

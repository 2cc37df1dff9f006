"""Questions that find the cause of a failure: what follows a search, what is asked, and what may come back.

No process is started here: the answers are made by hand, most of them as no honest child would.
"""

import contextlib
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from framework.board import EMPTY, PEG, SIZE, format_board
from framework.jumps import Jump, cell_between, legal_jumps, play_jump
from grader.catalog.boards import course_boards, find_board
from grader.catalog.tasks import Asked, registry
from grader.judging import check_run, kinds
from grader.judging.causes import find
from grader.judging.causes.rules import RULES_FILE, rules, wrong
from grader.judging.causes.search import is_followed, search
from grader.judging.causes.walk import follow
from grader.judging.check_run import Ask, CheckRunner
from grader.judging.kinds import table_truth
from grader.judging.kinds.table_truth import Positions
from grader.judging.task_run import TaskRun
from grader.messages.catalogue import Message
from grader.messages.in_source import JumpFunctions
from grader.messages.phrases import claim
from grader.result import Result, Verdict
from grader.sandbox import answers
from grader.sandbox.answers import CellSet, Failure, FrameError, Noted, parse_frame, parse_noted, parse_rules
from grader.sandbox.asking import End, Outcome
from grader.submissions.submission import Submission
from support.made_answers import asked, failure
from support.sampling import every

MANY = settings(max_examples=60)
MOST_QUESTIONS = 24  # of a task; the checks of one are 6 to 21
FOLLOWED = [
    name
    for name in course_boards().names
    if (find_board(name).facts.positions or 10**9) <= registry().debug.max_positions
]
SEARCHES = [name for name, task in registry().tasks.items() if RULES_FILE in task.files]


# ---- a search, followed --------------------------------------------------------------------------


def cells(jump: Jump) -> list[tuple[int, int]]:
    return [(jump[0], jump[1]), cell_between(jump), (jump[2], jump[3])]


def made(jump: Jump) -> list[CellSet]:
    """Return what making a jump writes."""
    before, after = (PEG, PEG, EMPTY), (EMPTY, EMPTY, PEG)
    return [
        CellSet(1 << SIZE * row + col, old, new)
        for (row, col), old, new in zip(cells(jump), before, after, strict=True)
    ]


def taken_back(jump: Jump) -> list[CellSet]:
    return [each._replace(old=each.new, new=each.old) for each in made(jump)]


def noted(known: Positions, written: Sequence[CellSet]) -> Noted:
    """Return a note of what was written, and of the board after it."""
    now = known.start
    for each in written:
        now = now | each.bit if each.new == PEG else now & ~each.bit
    return Noted(2, list(written), known.board(now), None)


def positions(name: str) -> Positions:
    return table_truth.positions(find_board(name).board)


def whole_search(known: Positions, position: int) -> list[CellSet]:
    """Return what a search writes that tries every jump, and takes each back."""
    written = []
    for jump in known.jumps_to(position, known.after):
        start, over, end = (each.bit for each in made(jump))
        written += [*made(jump), *whole_search(known, position ^ start ^ over ^ end), *taken_back(jump)]
    return written


@pytest.mark.parametrize("name", ["one-peg", "stuck", "two-games", "choice", "needs-four-directions"])
def test_a_search_of_every_jump_is_followed_to_its_end(name: str) -> None:
    known = positions(name)
    walk = follow(known, noted(known, whole_search(known, known.start)))
    assert not walk.lost
    assert walk.not_back == []
    assert walk.at_end == known.start
    assert walk.ended == set(known.after)
    for position, jumps in walk.tried.items():
        assert list(dict.fromkeys(jumps)) == list(known.jumps_to(position, known.after))


def two_jumps() -> tuple[Positions, Jump, Jump]:
    """Return the positions of a board and the first two jumps of a line of play."""
    known = positions("choice")
    first = next(known.jumps_to(known.start, known.after))
    start, over, end = (each.bit for each in made(first))
    return known, first, next(known.jumps_to(known.start ^ start ^ over ^ end, known.after))


KNOWN, FIRST, SECOND = two_jumps()


def test_a_jump_that_is_not_taken_back() -> None:
    walk = follow(KNOWN, noted(KNOWN, [*made(FIRST), *made(SECOND), *taken_back(SECOND)]))
    assert walk.not_back == [FIRST]
    assert walk.at_end == KNOWN.start ^ sum(each.bit for each in made(FIRST))
    assert walk.ended == {walk.at_end ^ sum(each.bit for each in made(SECOND))}
    assert not walk.lost


def test_a_change_that_is_no_jump_loses_track() -> None:
    written = [each._replace(old=PEG, new=EMPTY) for each in [*made(FIRST)[:2], *made(SECOND)[:2]]]
    pegs = [each for each in dict.fromkeys(written) if each.bit & KNOWN.start]
    assert len(pegs) >= 3
    assert follow(KNOWN, noted(KNOWN, pegs)).lost


def test_what_is_written_unseen_loses_track() -> None:
    both = [*made(FIRST), *made(SECOND)]
    for written in (both[1:], both[:2] + both[3:], [*both, *made(FIRST)], taken_back(FIRST)):
        assert follow(KNOWN, noted(KNOWN, written)).lost
    right = noted(KNOWN, both)
    assert not follow(KNOWN, right).lost
    assert follow(KNOWN, replace(right, board=KNOWN.board(KNOWN.start))).lost


def test_a_jump_that_is_not_possible_ends_the_walk() -> None:
    again = [each._replace(old=each.new) for each in made(FIRST)]
    walk = follow(KNOWN, noted(KNOWN, [*made(FIRST), *again]))
    assert (walk.impossible, walk.not_back, walk.lost) == (FIRST, [FIRST], True)


def test_a_jump_whose_landing_cell_keeps_its_peg() -> None:
    end = made(FIRST)[-1]
    kept = [*taken_back(FIRST)[:2], end._replace(old=PEG, new=PEG)]
    walk = follow(KNOWN, noted(KNOWN, [*made(FIRST), *kept, *made(SECOND)]))
    assert walk.in_part == (FIRST, end.bit)


@pytest.mark.parametrize("left", [0, 1, 2])
def test_a_jump_of_which_two_cells_are_taken_back(left: int) -> None:
    """The next jump begins on a cell that was put back, or anywhere else."""
    back = taken_back(FIRST)
    kept = back.pop(left)
    for begins in (*back, *made(SECOND)):
        if begins.bit != kept.bit:
            again = begins._replace(old=begins.new, new=begins.old)
            walk = follow(KNOWN, noted(KNOWN, [*made(FIRST), *back, again if begins in back else begins]))
            assert walk.in_part == (FIRST, kept.bit)


@pytest.mark.parametrize("most", [1, 2])
def test_a_jump_half_made_is_no_position(most: int) -> None:
    walk = follow(KNOWN, noted(KNOWN, made(FIRST)[:most]))
    assert walk.tried == {KNOWN.start: []}
    assert walk.lost


CELL_SETS = st.builds(
    CellSet, st.integers(0, 63).map(lambda cell: 1 << cell), st.integers(-1, 1), st.integers(-1, 1)
)
WRITTEN = st.lists(
    st.lists(CELL_SETS, min_size=1, max_size=4)
    | st.sampled_from([made(FIRST), taken_back(FIRST), made(SECOND), taken_back(SECOND)]),
    max_size=12,
).map(lambda parts: [each for part in parts for each in part])


@MANY
@given(WRITTEN)
def test_whatever_is_written_is_followed_by_legal_jumps(written: list[CellSet]) -> None:
    walk = follow(KNOWN, Noted(None, written, KNOWN.board(KNOWN.start), None))
    assert walk.tried.keys() <= KNOWN.after.keys()
    assert walk.ended <= walk.tried.keys()
    for position, jumps in walk.tried.items():
        assert set(jumps) <= set(legal_jumps(KNOWN.board(position)))
    assert len(walk.not_back) < KNOWN.start.bit_count()


# ---- what a child may say ------------------------------------------------------------------------

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.integers(-(10**25), 10**25) | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
NUMBERS = st.integers(-(10**19), 10**19) | st.integers(-10, 600)
JUMPS = st.lists(NUMBERS | st.integers(-1, SIZE), min_size=4, max_size=4)
BOARDS = st.text("*o.", min_size=64, max_size=64)
FAILURE = st.fixed_dictionaries(
    {
        "failure": st.sampled_from(["raise", "contract", "slow", "return", "", "\x1b[2J"]),
        "type": st.sampled_from(["IndexError", "\x1b[2J", "x" * 9000]),
        "text": st.text(max_size=20) | st.just("\n::error::\x1b[2J" * 2000),
        "file": st.sampled_from(["peg2.py", "../peg2.py", "\n"]),
        "line": NUMBERS,
        "condition": st.text(max_size=20),
        "values": st.lists(
            st.tuples(st.text(max_size=9), st.text(max_size=9) | st.just("o\n" * 4000)), max_size=3
        ),
    }
)
NOTED = st.fixed_dictionaries(
    {
        "number": st.none() | NUMBERS,
        "noted": st.lists(st.integers(0, 575), max_size=40) | st.lists(NUMBERS, max_size=9),
        "board": BOARDS | st.text(max_size=70),
        "error": st.none() | FAILURE,
    }
)
STEPS = st.lists(
    st.sampled_from([[1, 0], [-1, 0], [0, 1], [0, -1]]) | st.lists(NUMBERS, min_size=2, max_size=2)
)
RULES = st.fixed_dictionaries(
    {
        "steps": STEPS,
        "allowed": st.lists(st.lists(JUMPS, max_size=4), max_size=3),
        "played": st.lists(st.tuples(st.integers(0, 2), JUMPS, BOARDS, BOARDS), max_size=3),
    }
)
FIELDS = ("number", "noted", "board", "error", "steps", "allowed", "played")


@pytest.mark.slow
@MANY
@given(NOTED | RULES, st.dictionaries(st.sampled_from(FIELDS), JSON))
@pytest.mark.parametrize("parse", [parse_noted, parse_rules])
def test_whatever_a_child_says_is_parsed_or_refused(
    parse: Callable[[dict[str, Any]], Any], loaded: dict[str, Any], wrong: dict[str, Any]
) -> None:
    raw = json.dumps({**loaded, **wrong}).encode()
    try:
        said = parse_frame(raw, parse)
    except FrameError:
        return
    if isinstance(said, Noted):
        assert said.number is None or type(said.number) is int
        assert said.error is None or isinstance(said.error, Failure)
        assert all(each.bit.bit_count() == 1 and each.bit < 1 << 64 for each in said.cells)
        assert all(-1 <= value <= 1 for each in said.cells for value in (each.old, each.new))
        follow(KNOWN, said)
    elif not isinstance(said, Failure):
        assert all(place < len(said.allowed) for place, _, _, _ in said.played)


NOTHING_DONE = {"number": 2, "noted": [], "board": "o" * 64, "error": None}


def test_a_cell_that_was_set_is_one_number() -> None:
    number = 9 * 42 + 3 * (EMPTY + 1) + PEG + 1
    said = parse_noted({**NOTHING_DONE, "noted": [number]})
    assert said.cells == [CellSet(1 << 42, EMPTY, PEG)]


@pytest.mark.parametrize(
    "wrong",
    [
        {"noted": None},
        {"noted": [1.0]},
        {"noted": [True]},
        {"noted": ["1"]},
        {"noted": [[1]]},
        {"noted": {"0": 1}},
        {"noted": [9 * 64]},
        {"noted": [-1]},
        {"board": None},
        {"board": "o" * 63},
        {"board": "x" * 64},
        {"noted": [1] * (answers.MAX_PARTS + 1)},
        {"noted": [float("nan")]},
        {"number": 2.0},
        {"number": True},
        {"number": 10**20},
        {"error": "no"},
        {"error": []},
        {"error": {}},
        {"error": {"failure": "raise"}},
    ],
)
def test_wrong_notes_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(FrameError):
        parse_frame(json.dumps({**NOTHING_DONE, **wrong}).encode(), parse_noted)


@pytest.mark.parametrize(
    "wrong",
    [
        {"steps": None},
        {"steps": [1]},
        {"steps": [[1]]},
        {"steps": [[1, 0.0]]},
        {"allowed": [1]},
        {"allowed": [[[0, 0, 0]]]},
        {"allowed": [[[0, 0, 0, None]]]},
        {"allowed": [[[0, 0, 0, 10**20]]]},
        {"allowed": [[]] * answers.MAX_PARTS},
        {"played": [[]]},
        {"played": [[1, [0, 0, 0, 2], "o" * 64, "o" * 64]]},
        {"played": [[-1, [0, 0, 0, 2], "o" * 64, "o" * 64]]},
        {"played": [[True, [0, 0, 0, 2], "o" * 64, "o" * 64]]},
        {"played": [[0, [0, 0, 0, 2], "o" * 64, "o" * 63]]},
        {"played": [[0, [0, 0, 0, 2], "o" * 64, None]]},
        {"played": [[0, [0, 0, 0, 2], "o" * 64, "x" * 64]]},
    ],
)
def test_wrong_rules_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(FrameError):
        parse_frame(json.dumps({"steps": [], "allowed": [[]], "played": [], **wrong}).encode(), parse_rules)


# ---- what is asked -------------------------------------------------------------------------------


class Children:
    """Takes the place of the children: keeps the questions, and says to each what it is told to say."""

    def __init__(self, says: Callable[[dict[str, Any]], dict[str, Any] | None]) -> None:
        self.asked: list[dict[str, Any]] = []
        self._says = says

    def ask(self, request: dict[str, Any], cpu_s: float, runner: Any = None) -> Outcome:
        self.asked.append(request)
        said = self._says(request)
        return Outcome() if said is None else Outcome(End.ANSWERED, json.dumps(said).encode())


def silent(request: dict[str, Any]) -> None:
    """Give no answer."""


def solved(request: dict[str, Any]) -> dict[str, Any]:
    """Claim a solution without a jump."""
    table = {"states": 3, "longest_chain": 1} if request.get("table") else {}
    return {**NOTHING_DONE, "answer": 1, "jumps": [], **table, "number": 1}


def given_up(request: dict[str, Any]) -> dict[str, Any]:
    """Make no jump, whatever is asked."""
    return {**solved(request), "answer": 2, "number": 2, "board": request.get("board", "o" * 64)}


def runs(
    task_name: str,
    verdict: Verdict,
    children: Children,
    hides: int | None = None,
    said: str = "what was said",
) -> TaskRun:
    """Return a run whose checks all ended alike; every second board is hidden, from the one of a number."""
    task = registry().find(task_name)
    planned = []
    for number, check in enumerate(task.checks):
        board = find_board(check.board) if kinds.of(task).has_board(check) else None
        hidden = hides is not None and number % 2 == hides
        shown = board and replace(board, hidden=hidden, unlisted=hidden)
        planned.append(Asked(check, shown, task, False))
    checks = CheckRunner(registry(), 1, 1, lambda *_: None)
    checks.ask = lambda _, *asked: children.ask(*asked)  # type: ignore[method-assign]
    run = TaskRun(task, planned, Submission("student", {}), checks, 1, None)
    for place, each in enumerate(planned):
        points = each.check.points if verdict == Verdict.ACCEPTED else 0
        run._judged[place] = Result(
            task.name, each.check.name, verdict, each.check.points, points=points,
            pegs_left=2, message=said, hidden=each.board is not None and each.board.hidden,
        )  # fmt: skip
    return run


def causes_found(run: TaskRun) -> list[Result]:
    """Have the causes looked for, and return the results."""
    run._find_causes(run._places(hidden=False), None)  # type: ignore[arg-type]
    return [run._judged[place] for place in range(len(run.planned))]


FAILS = [Verdict.WRONG_ANSWER, *every(1, [Verdict.TIMEOUT, Verdict.CRASHED])]


@pytest.mark.parametrize("says", [silent, solved, given_up], ids=lambda says: says.__name__)
@pytest.mark.parametrize("verdict", FAILS)
@pytest.mark.parametrize("task", registry().tasks)
def test_few_questions_and_no_other_verdict(task: str, verdict: Verdict, says: Any) -> None:
    children = Children(says)
    run = runs(task, verdict, children)
    for result in causes_found(run):
        assert result.verdict == verdict
        assert result.points == 0
        assert result.message
        assert result.message == "what was said" or says is not silent
    assert len(children.asked) <= MOST_QUESTIONS


def test_a_long_chain_on_a_board_explains_a_timeout_on_another() -> None:
    run = runs("peg3", Verdict.TIMEOUT, Children(silent))
    board = find_board("english")
    long = claim(answers.Answer(1, [], 5_000, 749, board.board), board.facts)
    run._judged[0] = kinds.ruled(run._judged[0], Verdict.ACCEPTED, long)
    first, *others = causes_found(run)
    assert first.code == "long-chain"
    for result in others:
        assert result.code == "long-chain"
        assert result.facts == {"longest": 749, "board": run.planned[0].check.name}


@pytest.mark.parametrize(
    "verdict", [each for each in Verdict if each not in (*find.EXPLAINED, Verdict.CRASHED)]
)
@pytest.mark.parametrize("task", SEARCHES)
def test_nothing_is_asked_where_nothing_is_to_be_explained(task: str, verdict: Verdict) -> None:
    children = Children(solved)
    assert all(result.message == "what was said" for result in causes_found(runs(task, verdict, children)))
    assert children.asked == []


@pytest.mark.parametrize("says", [silent, solved, given_up], ids=lambda says: says.__name__)
@pytest.mark.parametrize("verdict", FAILS)
@pytest.mark.parametrize("task", SEARCHES)
def test_hidden_boards_are_in_no_question_and_their_results_stay(
    task: str, verdict: Verdict, says: Any
) -> None:
    children = Children(says)
    run = runs(task, verdict, children, hides=1)
    results = causes_found(run)
    others = {format_board(each.board.board) for each in run.planned[::2] if each.board is not None}
    ours = {format_board(find_board(name).board) for name in registry().compile_boards}
    hidden = (
        {format_board(each.board.board) for each in run.planned[1::2] if each.board is not None}
        - others
        - ours
    )
    assert children.asked
    for request in children.asked:
        assert hidden.isdisjoint([request.get("board"), *request.get("boards", [])])
    assert all(result.message == "what was said" for result in results[1::2])


@pytest.mark.slow
@MANY
@given(st.lists(NOTED, min_size=1, max_size=6), st.sampled_from(["two-games", "choice", "one-peg"]))
def test_whatever_a_followed_search_says_there_is_a_message_or_none(
    said: list[dict[str, Any]], name: str
) -> None:
    frames = iter(said)
    children = Children(lambda request: next(frames, None))
    check = asked("peg2", name)
    result = Result("peg2", name, Verdict.WRONG_ANSWER, 1, pegs_left=said[0]["number"], message="killed")
    explained = Message("explained", "go there", "peg2.py:1")
    told = search([(check, result)] * 2, [check], lambda *_: explained, Ask(children.ask))
    assert told is None or (told[0] < 2 and told[1].message)
    assert 1 <= len(children.asked) <= 6  # three searches, each followed once or twice
    assert all(request["kind"] == "walk" for request in children.asked)
    if all(each["error"] is None for each in said):
        assert told is None or told[1] != explained


def test_which_boards_are_followed() -> None:
    assert len(FOLLOWED) > 10
    for name in course_boards().names:
        assert is_followed(asked("peg2", name), Result("peg2", name, Verdict.WRONG_ANSWER, 1)) == (
            name in FOLLOWED
        )


@pytest.mark.parametrize(
    ("name", "states", "followed"),
    [("lopsided", 2, True), ("lopsided", 2000, False), ("lopsided", None, False), ("english", 2, False)],
)
def test_a_search_that_gave_up_early_is_followed_on_larger_boards(
    name: str, states: int | None, followed: bool
) -> None:
    result = Result("peg4", name, Verdict.WRONG_ANSWER, 1, unsolvable=states)
    assert is_followed(asked("peg4", name), result) == followed


def test_rules_as_they_should_be_are_not_blamed() -> None:
    boards = {name: find_board(name).board for name in ("two-games", "choice")}
    steps = [(1, 0), (-1, 0), (0, 1), (0, -1)]
    right = answers.Rules(steps, [*map(legal_jumps, boards.values())], [])
    assert wrong(boards, right, JumpFunctions()) is None
    told = wrong(boards, replace(right, steps=steps[:3]), JumpFunctions())
    assert told is not None
    assert (told.id, told.facts["missing"]) == ("directions-left-out", "to the left")
    told = wrong(boards, replace(right, allowed=[[], right.allowed[1]]), JumpFunctions())
    assert told is not None
    assert told.id == "can-jump-refuses"


def test_a_cell_that_take_back_should_not_change_is_named() -> None:
    """One jump shows only what is missing; the next one, where it went."""
    board = find_board("choice").board
    jumps = legal_jumps(board)
    assert len(jumps) > 1
    empty = [cell for cell in np.ndindex(SIZE, SIZE) if board[cell] == EMPTY]
    row, col = next(cell for cell in empty if cell not in cells(jumps[1]))
    steps = [(1, 0), (-1, 0), (0, 1), (0, -1)]
    played = []
    for number, jump in enumerate(jumps):
        after, back = board.copy(), board.copy()
        play_jump(after, jump)
        back[cell_between(jump)] = EMPTY
        if number > 0:
            back[row, col] = PEG
        played.append((0, jump, after, back))
    told = wrong({"choice": board}, answers.Rules(steps, [jumps], played), JumpFunctions())
    assert told is not None
    assert told.id == "take-back-sets-cells-wrongly"
    assert told.facts == {
        "function": "take_back",
        "jump": jumps[1],
        "from": False,
        "over": True,
        "to": False,
        "blocked": [],
        "others": [(row, col)],
        "where": "choice",
    }


@pytest.mark.parametrize(
    ("line", "is_cause"), [("take_back(board, 1, 1, 0)", True), ("undo = take_back", True), ("pass", False)]
)
def test_a_function_that_nothing_uses_is_no_cause(line: str, is_cause: bool) -> None:
    board = find_board("one-jump")
    (jump,) = legal_jumps(board.board)
    played = board.board.copy()
    play_jump(played, jump)
    task = registry().tasks["peg2"]
    said = answers.Rules([(1, 0), (-1, 0), (0, 1), (0, -1)], [[jump], []], [(0, jump, played, played)])
    sources = {"peg1.py": f"def take_back(board, row, col, direction):\n    pass\n\n\n{line}\n"}
    told = rules(task, [Asked(task.checks[0], board, task, False)], lambda *_: said, sources)  # type: ignore[arg-type]
    assert (told is not None and told.id == "take-back-sets-cells-wrongly") == is_cause


def questions_of(requests: Sequence[dict[str, Any]]) -> list[str]:
    return [request["kind"] for request in requests]


def test_a_search_is_followed_on_few_boards() -> None:
    children = Children(silent)
    causes_found(runs("peg2", Verdict.WRONG_ANSWER, children))
    assert questions_of(children.asked).count("walk") <= 6
    assert questions_of(children.asked).count("rules") == 1


def test_questions_end_with_their_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(check_run, "time", SimpleNamespace(monotonic=lambda: now))
    limits = []

    def run(request: dict[str, Any], cpu_s: float) -> Outcome:
        limits.append(cpu_s)
        return Outcome(End.ANSWERED, json.dumps(NOTHING_DONE).encode(), cpu_s=0.75)

    ask = Ask(run)
    assert [ask({}, parse_noted) is None for _ in range(5)] == [False, False, False, True, True]
    assert limits == [check_run.ASK_CPU_S, check_run.ASK_CPU_S - 0.75, check_run.ASK_CPU_S - 1.5]
    ask = Ask(run)
    now = check_run.ASK_WALL_S
    assert ask({}, parse_noted) is not None
    now += 0.01
    assert ask({}, parse_noted) is None


# ---- whatever goes wrong, what was said stays ----------------------------------------------------


@MANY
@given(RULES)
def test_whatever_the_rules_say_there_is_a_message_or_none(loaded: dict[str, Any]) -> None:
    """A child may say of any jump that it was played, also of one that nobody can play."""
    boards = {name: find_board(name).board for name in ("two-games", "choice")}
    steps = [[1, 0], [-1, 0], [0, 1], [0, -1]]
    legal = [[list(jump) for jump in legal_jumps(board)] for board in boards.values()]
    more: dict[str, Any]
    for more in ({}, {"steps": steps, "allowed": legal}):
        raw = json.dumps({**loaded, **more}).encode()
        with contextlib.suppress(FrameError):
            said = parse_frame(raw, parse_rules)
            told = wrong(boards, said, JumpFunctions()) if isinstance(said, answers.Rules) else None
            assert told is None or told.message


@pytest.mark.parametrize("jump", [[100, -100, 10**19, 0], [0, 0, 7, 7], [0, 0, 0, 2], [-1, 0, 1, 0]])
def test_a_jump_that_nobody_can_play_is_not_played(jump: list[int]) -> None:
    board = find_board("english").board
    steps = [[1, 0], [-1, 0], [0, 1], [0, -1]]
    played = [[0, jump, format_board(board), format_board(board)]]
    said = parse_rules({"steps": steps, "allowed": [list(map(list, legal_jumps(board)))], "played": played})
    assert wrong({"english": board}, said, JumpFunctions()) is None


@pytest.mark.parametrize("name", ["rules", "use_of_table", "search"])
def test_an_error_of_ours_is_reported_and_leaves_what_was_said(
    name: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    failed = []

    def fails(*_: object) -> None:
        failed.append(name)
        raise IndexError("ours")

    monkeypatch.setattr(find, name, fails)
    place = SimpleNamespace(runner=lambda *_: contextlib.nullcontext(SimpleNamespace(has_compiled_code=True)))
    run = runs("peg2", Verdict.WRONG_ANSWER, Children(silent))
    run._load = lambda: None  # type: ignore[method-assign, assignment, return-value]
    run._checks.run = lambda *_: Outcome(End.ANSWERED, b"{}")  # type: ignore[method-assign]
    run._judged.clear()  # nothing has run yet
    run.run(place, hidden=False)  # type: ignore[arg-type]
    assert failed == [name]
    assert [each.message for each in caplog.records] == [
        "peg2: the search for causes failed: IndexError('ours'); please report this"
    ]
    assert all(result.verdict == Verdict.BAD_RETURN and result.message for result in run.results())


def test_what_is_said_of_a_cause_is_as_short_and_safe_as_all_else() -> None:
    values = [["board", "x" * 8000]] * 20
    error = failure("contract", "", type="ViolationError", text="@ensures", line=0, values=values)
    children = Children(
        lambda request: {**NOTHING_DONE, "error": error} if request["kind"] == "walk" else None
    )
    results = causes_found(runs("peg2", Verdict.CRASHED, children, said="killed"))
    assert any(result.message != "killed" for result in results)
    for result in results:
        assert result == result.harmless()


@pytest.mark.parametrize(("error", "explained"), [("IndexError", True), ("OverflowError", False)])
def test_an_overflow_in_plain_python_does_not_explain_a_compiled_answer(error: str, explained: bool) -> None:
    said = failure("raise", "", type=error, text="no", line=0)
    failed = {**NOTHING_DONE, "number": None, "error": said}
    children = Children(lambda request: failed if request["kind"] == "walk" else None)
    results = causes_found(runs("peg2", Verdict.BAD_RETURN, children, said="impossible"))
    assert any(result.message != "impossible" for result in results) == explained

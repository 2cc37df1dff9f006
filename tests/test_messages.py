"""What students are told, piece by piece: where a slow program is, moves as jumps, commands, sources."""

import ast
import json
import re
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from framework.board import count_pegs, format_board, parse_board
from framework.jumps import format_jump
from framework.verify import verify
from grader import paths
from grader.catalog.boards import Facts, NamedBoard, find_board
from grader.catalog.tasks import Asked, Check, registry
from grader.judging import kinds
from grader.judging.holes import possible_jumps
from grader.judging.kinds.client_verdicts import judge_moves
from grader.messages import (
    endings,
    failures,
    illegal_jumps,
    in_source,
    phrases,
    python_errors,
    sources,
    wrong_answers,
)
from grader.messages.catalogue import Message
from grader.messages.failures import explain
from grader.messages.illegal_jumps import mixed_up
from grader.messages.phrases import in_common, plain_run
from grader.reports.report import Report, render
from grader.result import Result, Verdict
from grader.sandbox.answers import Answer, Failure, parse_frame
from grader.sandbox.asking import End, Outcome
from grader.sandbox.child import describe
from grader.sandbox.confine import tiers
from grader.sandbox.parent.runner import Load, Runner
from grader.sandbox.parent.sandbox import Sandbox
from grader.submissions.cutting import STUB, UNTOUCHED, left_in, left_to_write
from grader.submissions.submission import Submission, read_submission
from support.made_answers import asked, failure

CLIENT = "".join(
    f"def {name}(m):\n    return m // {8**place} % 8\n"
    for name, place in (("row_start", 3), ("col_start", 2), ("row_end", 1), ("col_end", 0))
)
TASKS = registry().tasks


def told(kind: str, **more: Any) -> Failure:
    said = {**failure(kind, "peg1.py"), **more}
    return Failure(said.pop("failure"), **said)


def explained(
    said: Failure,
    task: str,
    sources: dict[str, str],
    debug: bool,
    board: NamedBoard | None = None,
    limit_s: float = 0.0,
) -> tuple[Verdict, Message]:
    check = Asked(Check("stuck", 1, limit_s), board, TASKS[task], debug)
    return explain(said, check, Submission("student", sources), kinds.of(check.task))


TWO_LINES = {"peg1.py": "first line\nsecond line\n"}


# ---- a program that does not end, in plain Python ----------------------------------------------

LOOPS = {
    "in a helper": (
        """
def step(board, n):
    while n < 5:
        board[0, 0]  #!
    return n

def peg_solve(board, stack):
    return step(board, 2)
""",
        "step", ["n", "2"],
    ),
    "around helpers": (
        """
def step(n):
    return n + 1 - 1

def peg_solve(board, stack):
    n = 0
    while n < 5:
        n = step(n)  #!
    return n
""",
        "peg_solve", ["n", "0"],
    ),
    "swallows everything": (
        """
def peg_solve(board, stack):
    while True:
        try:
            board[9, 9]
        except BaseException: #!
            pass
""",
        "peg_solve", None,
    ),
    "hides behind os": (
        """
import os, signal
def peg_solve(board, stack):
    os._exit = print
    while True:
        pass  #!
""",
        "peg_solve", None,
    ),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs interval timers and forks")
@pytest.mark.parametrize("name", LOOPS)
def test_a_loop_without_end_names_its_line(name: str, tmp_path: Path) -> None:
    source, function, value = LOOPS[name]
    (tmp_path / "client.py").write_text(CLIENT, "utf-8")
    (tmp_path / "peg1.py").write_text(source, "utf-8")
    submission = read_submission(tmp_path, TASKS["peg1"].files)
    stuck = find_board("stuck")
    request = {"kind": "solve", "board": format_board(stuck.board), "table": False, "arguments": []}
    load = Load(submission.clean_folder(), "peg1", 1024)
    with Sandbox(tiers.best(), True, threading.Event()) as sandbox, Runner(load, sandbox) as runner:
        outcome = runner.run(request, 1.0)
    assert outcome.end == End.ANSWERED  # it was not stopped
    said = parse_frame(outcome.frame, dict)
    assert isinstance(said, Failure)
    assert (said.kind, said.type) == ("slow", function)
    # At which line of the loop it was is chance; it is within the function's loop.
    lines = source.split("\n")
    marked = next(number for number, line in enumerate(lines, start=1) if "#!" in line)
    assert abs(said.line - marked) <= 3
    assert value is None or value in [[*pair] for pair in said.values]

    verdict, message = explained(said, "peg1", submission.sources, True, stuck, 1.0)
    assert verdict == Verdict.TIMEOUT
    assert message.facts["function"] == function
    assert message.values == tuple(said.values)
    assert message.place.endswith(f"peg1.py:{said.line}")


def test_who_says_that_he_was_slow_earns_nothing() -> None:
    for kind in ("slow", "slow-import"):
        faked = told(kind, type="solve", text="99999999.9", line=2**60, values=[("n", "\x1b[31m")])
        verdict, message = explained(faked, "peg1", TWO_LINES, False)
        assert verdict == Verdict.TIMEOUT
        assert "\x1b" not in str(Result("peg1", "stuck", verdict, 1, **message.fields).harmless())


def test_a_large_board_is_said_to_be_large_for_plain_python() -> None:
    for board, large in (("plus", False), ("backtrack", True), ("english", True)):
        _, message = explained(told("slow", text="5.8"), "peg2", TWO_LINES, True, find_board(board), 10.0)
        assert (message.id, message.facts["large"]) == ("slow-line", large)


# ---- values of a contract ----------------------------------------------------------------------


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> None:
    module: dict[str, Any] = {}
    exec(CLIENT, module)
    monkeypatch.setitem(sys.modules, "client", SimpleNamespace(**module))  # type: ignore[arg-type]
    monkeypatch.setattr(describe, "format_jump", format_jump)  # as the child's main does


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("move", "1692", "1692 (3:2 -> 3:4)"),
        ("best_move", "1692", "1692 (3:2 -> 3:4)"),
        ("last_jump", "1692", "1692 (3:2 -> 3:4)"),
        (
            "stack",
            "a stack of 2, top first: 1692, 2",
            "a stack of 2, top first: 1692 (3:2 -> 3:4), 2 (0:0 -> 0:2)",
        ),
        ("stack", "a stack of 2, top first: 1692, 3", "a stack of 2, top first: 1692, 3"),
        ("stack", "an empty stack", "an empty stack"),
        ("pegs", "1692", "1692"),
        ("move", "1691", "1691"),  # not a jump of two
        ("move", "None", "None"),
        ("move", "(3, 2, 3, 4)", "(3, 2, 3, 4)"),
        ("moves", "[1692, 2]", "[1692, 2]"),
    ],
)
def test_moves_are_shown_as_jumps(client: None, name: str, value: str, shown: str) -> None:
    assert describe.with_moves([[name, value]]) == [[name, shown]]


def test_a_client_that_cannot_take_moves_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "client", SimpleNamespace(row_start=1 / 2))  # type: ignore[arg-type]
    assert describe.with_moves([["move", "1692"]]) == [["move", "1692"]]


# ---- commands ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("board", "command"),
    [
        ("stuck", "grade peg2 -d --board stuck"),
        ("plus", "grade peg2 -d --board plus"),
        ("backtrack", "grade peg2 -d"),  # 867 positions: not one that -d runs
        ("english", "grade peg2 -d"),
        ("english@0,2", "grade peg2 -d"),
    ],
)
def test_the_board_is_named_where_plain_python_can_run_it(board: str, command: str) -> None:
    assert plain_run(TASKS["peg2"], find_board(board)) == command


def test_a_board_of_a_private_set_is_not_named() -> None:
    secret = NamedBoard("secret", find_board("stuck").board, Facts(False, 3, True, 1, 1))
    assert plain_run(TASKS["peg2"], secret) == "grade peg2 -d"
    assert plain_run(TASKS["client"], None) == "grade client -d"


# ---- wrong answers -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["forced-four-directions", "forced-relay", "one-jump", "forced-hops"])
def test_on_a_forced_board_the_jump_not_made_is_drawn(name: str) -> None:
    board = find_board(name)
    for left in range(2, board.pegs + 1):
        said = wrong_answers.solvable(left, board, TASKS["peg1"], False, exact=True)
        assert said.id == "gave-up-early"
        assert (said.facts["answer"], said.facts["expected"]) == (left, 1)
        [shown] = said.pictures
        assert [mark for mark, *_ in shown.marks] == ["from", "over", "to"]
        assert shown.cells.count("*") == left
    assert format_board(board.board) == format_board(find_board(name).board)


def test_a_forced_board_without_solution() -> None:
    answer = Answer(5, [], None, None, find_board("forced-stuck").board)
    said = wrong_answers.wrong_number(answer, find_board("forced-stuck"), TASKS["peg1"], False)
    assert said.id.startswith("gave-up")
    assert (said.facts["answer"], said.facts["expected"]) == (5, 3)


@pytest.mark.parametrize(
    ("order", "id", "facts"),
    [
        ((1, 0, 3, 2), "parts-mixed-up", {"row_start": "col_start", "col_end": "row_end"}),
        ((2, 1, 0, 3), "parts-swapped", {"one": "row_start", "other": "row_end"}),
        ((1, 2, 0, 3), "parts-mixed-up", {"col_start": "row_start", "row_end": "col_start"}),
    ],
)
def test_the_parts_of_moves_that_come_back_in_another_order(
    order: list[int], id: str, facts: dict[str, str]
) -> None:
    said = mixed_up(in_order(order), lambda other: other == possible_jumps())
    assert said is not None
    assert said.id == id and said.facts.items() >= facts.items()


def test_parts_of_moves_that_are_right_are_not_mixed_up() -> None:
    assert mixed_up(in_order([0, 1, 2, 3]), lambda other: other == possible_jumps()) is None


def in_order(order: list[int]) -> list[Any]:
    """Return all jumps, each with its numbers given by other functions."""
    parts = [dict(zip(order, jump, strict=True)) for jump in possible_jumps()]  # by the function of each
    return [tuple(each[function] for function in range(4)) for each in parts]


def test_a_number_that_no_move_keeps_is_named() -> None:
    moves = possible_jumps()
    lost = [(0, 0, 0, 0) if 7 in jump else jump for jump in moves]
    result = judge_moves(lost, Result("client", "moves", Verdict.GRADER_ERROR, 3))
    assert result.message.startswith("every move that comes back wrong has a 7 in it")
    some = [(0, 0, 0, 0) if max(jump) > 5 else jump for jump in moves]
    assert (
        "comes back wrong has"
        not in judge_moves(some, Result("client", "moves", Verdict.GRADER_ERROR, 3)).message
    )


def test_two_moves_that_become_one_integer_are_named() -> None:
    moves, made = possible_jumps(), [row + col for row, col, _, _ in possible_jumps()]
    lost = [(0, 0, 0, 0) for _ in moves]
    result = judge_moves(lost, Result("client", "moves", Verdict.GRADER_ERROR, 3), made)
    assert (result.code, result.facts["numbers"]) == ("moves-alike", "0, 0, 2, 0")


def test_moves_that_several_orders_explain_name_none() -> None:
    one = find_board("one-jump")
    assert mixed_up([(3, 4, 3, 2)], lambda jumps: verify(one.board, jumps).solved) == Message()
    assert mixed_up([(3, 2, 3, 2)], lambda jumps: verify(one.board, jumps).solved) is None


def test_moves_in_the_wrong_order_are_not_blamed_on_the_client() -> None:
    board = parse_board("\n".join(["oooooooo"] * 2 + ["ooo**ooo", "oo*ooooo"] + ["oooooooo"] * 4))
    jumps = [(2, 2, 4, 2), (2, 4, 2, 2)]
    assert mixed_up(jumps, lambda other: verify(board, other).solved) is not None
    assert illegal_jumps.illegal_jump(board, jumps, verify(board, jumps)).id == "moves-in-reverse"
    many = [(3, 2, 3, 4)] * count_pegs(board)
    told = illegal_jumps.illegal_jump(board, many, verify(board, many))
    assert told.message.startswith(f"at most {count_pegs(board) - 1} jump")


def test_a_solution_under_another_number() -> None:
    jump = find_board("one-jump")
    for jumps, id in (
        ([(3, 2, 3, 4)], "solution-on-stack"),
        ([(3, 2, 3, 4)] * 2, "stack-not-empty"),
        ([(3, 3, 3, 1)], "stack-not-empty"),
    ):
        assert wrong_answers.stack_not_empty(2, jumps, len(jumps), jump).id == id


# ---- a right answer ----------------------------------------------------------------------------


def test_an_empty_table_is_told_with_points_and_without() -> None:
    board = find_board("plus")
    claimed = phrases.claim(Answer(4, [], 0, 0, board.board), board.facts)
    assert claimed.id == "table-empty"
    result = Result("peg3", "plus", Verdict.ACCEPTED, 2, points=2, **claimed.fields)
    solvable = Result("peg3", "key", Verdict.TIMEOUT, 2)
    settled = kinds.of(TASKS["peg3"]).settle([result, solvable], [board, find_board("key")])[0]
    assert settled.points == 0
    assert (settled.code, settled.facts["family"]) == ("table-empty", "withheld")
    assert settled.message.endswith(claimed.message) and settled.message != claimed.message
    assert settled.help == claimed.help


def test_a_board_that_was_kept_from_running_shows_no_memory() -> None:
    """Else a program could wait until the boards that need one are not run, and be paid for the others.

    It may also choose when a platform's clock stops a run, and where memory is short, a fault of the grader.
    """
    key = Result("peg3", "key", Verdict.ACCEPTED, 5, points=5)
    boards = [find_board("key"), find_board("horseshoe")]
    for verdict, code in (
        (Verdict.NOT_RUN, "waited-before"),
        (Verdict.NOT_RUN, "stopped"),
        (Verdict.GRADER_ERROR, "grader-fault"),
    ):
        not_judged = Result("peg3", "horseshoe", verdict, 4, code=code)
        assert kinds.of(TASKS["peg3"]).settle([key, not_judged], boards)[0].points == 0


# ---- too slow ----------------------------------------------------------------------------------


def slow(board: str, task: str, plain: sources.Function | None = None) -> str:
    check = asked(task, board, cpu_s=2.0)
    why = known(board, task)
    said = endings.timeout(check, Outcome(End.CPU_LIMIT), endings.plain(plain, why) if plain else why)
    return f"{said.message} {said.help}"


def known(board: str, task: str) -> Message:
    return kinds.of(TASKS[task]).slow(asked(task, board, cpu_s=2.0))


def test_what_a_memory_would_spare_is_said() -> None:
    horseshoe = known("horseshoe", "peg3")
    assert horseshoe.id == "search-slow" and horseshoe.facts["unsolvable"]
    assert (horseshoe.facts["positions"], horseshoe.facts["nodes"]) == (19_341, 3_117_994_299)
    assert known("key", "peg3").facts["nodes"] == 422_911_003_925
    assert known("english", "peg3").facts["nodes"] is None  # not counted
    assert known("stuck", "peg3").id == "loop-slow"  # nothing to spare


def test_a_small_board_takes_no_time() -> None:
    facts = known("backtrack-three", "peg2").facts
    assert (facts["nodes"], facts["solvable"], facts["board"]) == (99_315, False, "")  # large for -d
    assert known("backtrack-needle", "peg2").facts["nodes"] == 200_899
    assert known("choice", "peg2").command == "grade peg2 -d --board choice"
    assert known("small-cross", "peg2").facts["nodes"] is None
    assert known("stuck", "peg1").message == ""


def test_the_order_is_what_peg4_is_for() -> None:
    assert known("french2", "peg4").id == "order-slow"
    assert known("big-diamond", "peg4").id == "search-slow"
    assert known("big-diamond", "peg5").id == "colours-not-counted"


CALLS_ITSELF = "def solve(b):\n    return solve(b)\n\ndef peg_solve(b, s):\n    return solve(b)\n"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (CALLS_ITSELF, "solve"),
        ("@compiled\n" + CALLS_ITSELF, None),
        ("@numba.njit(cache=True)\n# fast\n" + CALLS_ITSELF, None),
        ("@njit\n" + CALLS_ITSELF, None),
        ("@compiled\n@requires(lambda b: b)\n" + CALLS_ITSELF, None),
        ("def peg_solve(b, s):\n    return peg_solve(b, s)\n", "peg_solve"),
        ("def one(b):\n    two(b)\n\ndef two(b):\n    one(b)\n", "one"),
        ("def go(b):\n    while b:  # until none is left\n        b = next(b)\n", "go"),
        ("def fill(t):\n    for key in range(9):\n        ht_insert(t, key)\n", "fill"),
        ("def peg_solve(b, s):\n    def go(n):\n        return go(n - 1)\n    return go(b)\n", "go"),
        # What runs once, or calls what is compiled, costs nothing.
        (
            "def colours(b):\n    for row in range(8):\n        b[row, 0] += 1\n\n@compiled\n" + CALLS_ITSELF,
            None,
        ),
        ("from peg4 import search\n\ndef peg_solve(b, s):\n    return search(b, s)  # while\n", None),
        ("def tries(b):\n    while b:\n        solve(b)\n\n@compiled\n" + CALLS_ITSELF, None),
        ("", None),
    ],
)
def test_a_plain_search_is_found(text: str, name: str | None) -> None:
    function = sources.not_compiled({"peg2.py": text}, "peg2.py")
    assert (function.name if function else None) == name


def test_what_the_grader_calls_once_is_no_plain_search() -> None:
    text = "def fill_winning(b, w, n):\n    go(b)\n\ndef peg_solve(b, s, u):\n    return go(b)\n"
    may_be_plain = kinds.of(TASKS["peg5"]).plain_functions
    assert sources.not_compiled({"peg5.py": text}, "peg5.py", may_be_plain) is None
    function = sources.not_compiled({"client.py": "def board_key(b):\n    return 1\n"}, "client.py")
    assert function is not None
    assert function.name == "board_key"


def test_a_plain_search_is_told_so() -> None:
    plain = sources.Function("solve", "peg2.py", 1, (), False)
    told = endings.plain(plain, Message())
    assert (told.id, told.facts) == ("not-compiled", {"function": "solve", "is_first": False})
    assert told.help in slow("plus", "peg2", plain)


def test_which_of_two_searches_takes_the_time_is_not_guessed() -> None:
    for board, id in (("english", "two-ends-slow"), ("lopsided", "goes-back-too-far")):
        assert endings.two_ends(asked("peg5", board)).id == id
    assert sources.makes_a_table("winning = ht_new(16)\n")
    assert not sources.makes_a_table("import ht_new  # ht_new(16)\n")


def test_what_the_c_library_prints_names_the_cause() -> None:
    check = asked("peg4", "english")
    for printed in (b"malloc(): corrupted top size\n", b"munmap_chunk(): invalid pointer\n"):
        said = endings.killed(6, check, printed)
        assert (said.id, said.command) == ("wrote-outside-array", "grade peg4 -d --board english")
    assert endings.killed(6, check, b"bye\n").id == "killed"


# ---- sources -----------------------------------------------------------------------------------

SOURCE = """
from framework.contracts import compiled

@requires(lambda board: is_board(board))
@compiled
def solve(board: Board, stack: Stack,
          pegs: int = 3) -> int:
    return helper(board) + count_pegs(board)

def helper(board) :
    return 1

async def odd(): return 2
"""


def test_functions_of_a_source() -> None:
    known = sources.functions({"peg1.py": SOURCE})
    assert {name: (each.line, each.arguments, each.compiled) for name, each in known.items()} == {
        "solve": (6, ("board", "stack", "pegs"), True),
        "helper": (10, ("board",), False),
        "odd": (13, (), False),
    }
    assert [each.name for each in sources.called_on("x = helper(board) + solve(1, 2)", known)] == [
        "helper",
        "solve",
    ]


@pytest.mark.parametrize(
    "text", ["def " * 50_000, "@\n" * 100_000, "def f(" * 40_000, "(" * 250_000, " " * 250_000]
)
def test_a_hostile_source_takes_no_time(text: str) -> None:
    began = time.process_time()
    known = sources.functions({"peg1.py": text})
    sources.called_on(text, known)
    python_errors.near_name("bord", text)
    assert time.process_time() - began < 60  # it takes 0.03 s; with work that is quadratic, many minutes


def test_a_hash_of_a_board_is_found() -> None:
    for line, found in (
        ("key = hash(board)", True),
        ("return hash(new_board) % 8", True),
        ("key = key_hash(board)", False),
        ("key = self.hash(board)", False),
        ("key = hash(key)", False),
        ("key = 3  # not hash(board)", False),
    ):
        at = in_source.find("hash-of-board", {"client.py": "", "peg3.py": f"def f():\n    {line}\n"})
        assert at == [("peg3.py", 2, "hash-of-board", {})] * found, line


# ---- a stub that was left in -------------------------------------------------------------------

STUB_LINE = 'raise NotImplementedError("peg1: solve is not written yet; see handouts/peg1.md")'


@pytest.mark.parametrize(
    ("above", "below", "where"),
    [
        ((), (), None),
        (('"""Return the moves.', "", '    In their order."""'), (), None),
        (("# TODO(peg1): all of it",), ("# one day",), None),
        (("n = 3",), (), "above"),
        (('"""Return."""', "for row in range(8):", "    n = 3"), (), "above"),
        ((), ("return 3",), "below"),
        (("n = 3",), ("", "# now", "return 3"), "below"),
    ],
)
def test_code_beside_a_stub(above: tuple[str, ...], below: tuple[str, ...], where: str | None) -> None:
    body = [f"        {line}" for line in (*above, STUB_LINE, *below)]
    source = "\n".join(["def solve(a,", "          b):", "    if a:", *body, "    return 2", "x = 1"])
    assert left_in(source) == {"solve": None if where is None else (4 + len(above), where)}


def test_every_stub_is_alone() -> None:
    for path in (paths.PACKAGE.parent / "student").glob("*.py"):
        source = path.read_text("utf-8")
        stubs = [function for _, function in STUB.findall(source)]
        assert stubs
        assert left_in(source) == dict.fromkeys(stubs)


def test_what_is_left_to_write() -> None:
    """A search may be written without the function for it; what is no program of the task lacks all."""
    stub = (paths.PACKAGE.parent / "student/peg3.py").read_text("utf-8")
    solve = (paths.REFERENCE / "peg3.py").read_text("utf-8")
    given_call = "    return solve(board, stack, unsolvable, count_pegs(board))"
    own = stub.replace(given_call, "    return 1")
    kept = stub.replace(given_call, f"    # {given_call}\n    return 1")
    nested = (
        f"def peg_solve(board, stack, unsolvable):\n    def solve(pegs):\n        return 1\n{given_call}\n"
    )
    plain = (paths.PACKAGE.parent / "tests/students/plain/peg1.py").read_text("utf-8")
    client = (paths.PACKAGE.parent / "student/client.py").read_text("utf-8")
    begun = client.replace('raise NotImplementedError("client: move_new is not written yet")', "return 0")
    many = "".join(
        f'def f{n}():\n    raise NotImplementedError("lab10: f{n} is not written yet")\n' for n in range(30)
    )
    to_write = re.compile("raise NotImplementedError.*")
    for empty in ("pass", "...", "return", "return None", "raise NotImplementedError", '"""Later."""'):
        assert left_to_write(to_write.sub(empty, client), "client.py") == UNTOUCHED, empty
        assert left_to_write(to_write.sub(empty, begun), "client.py") == 6, empty
    for task in TASKS.values():
        solution = (paths.REFERENCE / task.file).read_text("utf-8")
        assert left_to_write(solution, task.file) == 0
    for text, file, left in (
        (stub, "peg3.py", UNTOUCHED), (solve, "peg3.py", 0), (own, "peg3.py", 0), ("print(1)", "peg3.py", 1),
        (kept, "peg3.py", 0), (kept + "(", "peg3.py", 0), (nested, "peg3.py", 0), (plain, "peg1.py", 0),
        (nested.replace("def solve", "def search"), "peg3.py", 1),
        (client, "client.py", UNTOUCHED), (begun, "client.py", 6), ("import socket", "client.py", 7),
        (many, "lab10.py", 20),
    ):  # fmt: skip
        assert left_to_write(text, file) == left, text


def test_a_stub_left_in_is_told_with_its_line() -> None:
    source = f"def solve(b):\n    {STUB_LINE}\n    return 2\n"
    sources = {"client.py": "", "peg1.py": source}
    error = told("not-written", type="NotImplementedError", text=STUB_LINE.split('"')[1])
    verdict, message = explained(error, "peg1", sources, False)
    assert (verdict, message.id) == (Verdict.NOT_WRITTEN, "stub-left-in")
    assert (message.place, message.source) == ("student/peg1.py:2", STUB_LINE)
    assert message.facts == {"function": "solve", "is_below": True}
    _, elsewhere = explained(error, "peg2", sources, False)
    assert (elsewhere.id, elsewhere.facts["needs"]) == ("needs", "peg1")


# ---- what was returned -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("function", "kind", "id"),
    [
        ("move_new", "tuple", "move-not-packed"),
        ("move_new", "str", "move-not-packed"),
        ("move_new", "float", "float-returned"),
        ("peg_solve", "tuple", "moves-returned"),
        ("peg_solve", "bool", "bool-returned"),
        ("row_start", "bool", "other-value-returned"),
        ("peg_solve", "set", "other-value-returned"),
    ],
)
def test_what_was_returned(function: str, kind: str, id: str) -> None:
    error = told("return", text=f"{function} returned (0, 1) of type {kind}", file="", line=0)
    _, message = explained(error, "client", {}, False)
    assert message.id == id


# ---- contracts ---------------------------------------------------------------------------------


def test_a_promise_not_kept_names_its_function() -> None:
    source = (
        "import x\n@ensures(lambda result: result)\n@compiled\ndef board_key(board):\n    return 1 << 64\n"
    )
    for condition, id in (("-(2**63) <= result < 2**63", "key-too-large"), ("result", "contract-broken")):
        error = told("contract", text="@ensures at client.py:2", file="client.py", condition=condition)
        _, message = explained(error, "client", {"client.py": source}, True)
        assert (message.place, message.source) == ("student/client.py:4", "def board_key(board):")
        assert (message.id, message.facts["condition"]) == (id, condition)
    error = told("contract", text="@requires at client.py:2", file="client.py", line=5)
    _, message = explained(error, "client", {"client.py": source}, True)
    assert message.place == "student/client.py:5"


@pytest.mark.parametrize(
    ("source", "pegs", "found", "id"),
    [
        ("left = solve(board, stack, pegs)", 7, 6, "pegs-not-counted-down"),
        ("left = solve(board, stack, pegs - 1)", 5, 4, "jump-before-not-taken-back"),
        ("left = solve(board, stack, pegs - 1)", 5, 6, "jump-takes-no-peg"),
    ],
)
def test_pegs_that_differ_from_the_board_s(source: str, pegs: int, found: int, id: str) -> None:
    sources = {"peg2.py": f"@requires(a)\ndef solve(b):\n    play(b)\n    {source}\n"}
    error = told(
        "contract", text="@requires at peg2.py:1", file="peg2.py", line=4,
        condition="count_pegs(board) == pegs", values=[("pegs", f"{pegs}"), ("count_pegs(board)", f"{found}")],
    )  # fmt: skip
    _, message = explained(error, "peg2", sources, True)
    assert message.id == id
    assert {"function": "solve", "pegs": pegs, "found": found}.items() <= message.facts.items()
    assert message.values == (("pegs", f"{pegs}"), ("count_pegs(board)", f"{found}"))


# ---- the report --------------------------------------------------------------------------------


def table(result: Result, **more: Any) -> str:
    return render("table", Report([TASKS[result.task]], [result], "student", **more))


def test_a_failing_program_that_printed() -> None:
    failed = Result("peg1", "one-jump", Verdict.WRONG_ANSWER, 1, message="wrong", printed="one\n")
    assert "\n  it printed 1 line; to read it: grade peg1 --board one-jump -v\n" in table(failed)
    long = table(replace(failed, printed="one\ntwo\n"), options=" --student a/folder/far/away -d")
    assert (
        "  it printed 2 lines; to read them:\n"
        "    grade peg1 --board one-jump --student a/folder/far/away -d -v\n"
    ) in long
    assert "to read" not in table(failed, verbose=True)
    assert "to read" not in table(replace(failed, printed=""))
    assert "it printed" not in table(replace(failed, verdict=Verdict.ACCEPTED, points=1))


def test_the_next_step_of_a_crash_is_its_line() -> None:
    crash = Result("client", "moves", Verdict.CRASHED, 3, message="no", place="student/client.py:22")
    assert table(crash).endswith("next: fix student/client.py:22, then: grade client\n")
    assert "fix the crash in the check moves, then" in table(replace(crash, place=""))
    caused = replace(crash, place="", is_cause=True, facts={"function": "can_jump"})
    assert "fix can_jump in the check moves, then" in table(caused)
    assert "fix the broken contract in the check moves at student" in table(
        replace(crash, verdict=Verdict.CONTRACT)
    )


def test_boards_without_points() -> None:
    played = Result("peg1", "english", Verdict.ACCEPTED, 0)
    assert table(played).endswith("peg1  0 / 0   no points on this board\n")
    assert "no points" not in table(replace(played, verdict=Verdict.WRONG_ANSWER, message="wrong"))
    assert table(replace(played, max_points=1, points=1)).endswith("all points\n")


# ---- exceptions of Python ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "text", "id"),
    [
        ("AttributeError", "'Stack' object has no attribute 'pop'", "attribute-of-framework-value"),
        ("AttributeError", "'NoneType' object has no attribute 'x'", "none-used"),
        ("AttributeError", "module 'math' has no attribute 'x'", "no-such-attribute"),
        ("TypeError", "cannot unpack non-iterable NoneType object", "none-used"),
        ("TypeError", "list indices must be integers or slices, not float", "float-index"),
        ("TypeError", "'function' object is not subscriptable", "function-indexed"),
        ("TypeError", "'CheckedBoard' object is not callable", "attribute-of-board"),
        ("TypeError", "unhashable type: 'numpy.ndarray'", "cannot-be-hashed"),
        (
            "ValueError",
            "The truth value of an array with more than one element is ambiguous.",
            "board-compared",
        ),
        ("ValueError", "too many values to unpack (expected 2)", "wrong-number-of-values"),
        ("UnboundLocalError", "cannot access local variable 'n' where", "unset-variable"),
        ("NameError", "name 'zzz' is not defined", "unknown-name"),
        ("IndexError", "pop: the stack is empty", "empty-stack"),
        ("IndexError", "list index out of range", "index-out-of-bounds"),
        ("ZeroDivisionError", "division by zero", "division-by-zero"),
        ("KeyError", "(1, 2)", "exception"),
        ("FileNotFoundError", "[Errno 2] No such file or directory: 'x'", "exception"),
        ("ValueError", "something else", "exception"),
    ],
)
def test_an_exception(kind: str, text: str, id: str) -> None:
    error = told("raise", type=kind, text=text)
    verdict, message = explained(error, "peg1", TWO_LINES, False, find_board("stuck"))
    assert (verdict, message.id) == (Verdict.CRASHED, id)
    assert message.message == f"{kind}: {text}"
    assert (message.place, message.source) == ("student/peg1.py:2", "second line")
    assert message.help
    assert message.command in ("", "grade peg1 -d --board stuck")


@pytest.mark.parametrize("kind", ["raise", "import"])
def test_python_out_of_memory_is_memory(kind: str) -> None:
    for text in ("", "Unable to allocate 7.45 GiB for an array with shape (10,) and data type int64"):
        error = told(kind, type="MemoryError", text=text)
        verdict, message = explained(error, "peg1", TWO_LINES, False)
        assert (verdict, message.id) == (Verdict.MEMORY, "asks-for-memory")
        assert message.place == "student/peg1.py:2"
        assert text in message.message


def test_where_importing_waits() -> None:
    assert endings.prepare_limit(Outcome(End.PREPARE_LIMIT, wall_s=32.0, cpu_s=0.2)).id == "waited"
    assert endings.prepare_limit(Outcome(End.PREPARE_LIMIT, wall_s=6.5, cpu_s=6.0)).id == "slow-import"


# ---- the client --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "hash_", "told_of_hash"),
    [
        (Verdict.WRONG_ANSWER, Verdict.WRONG_ANSWER, Verdict.NOT_RUN),
        (Verdict.WRONG_ANSWER, Verdict.ACCEPTED, Verdict.ACCEPTED),
        (Verdict.WRONG_ANSWER, Verdict.CRASHED, Verdict.CRASHED),
        (Verdict.ACCEPTED, Verdict.WRONG_ANSWER, Verdict.WRONG_ANSWER),
        (Verdict.CRASHED, Verdict.WRONG_ANSWER, Verdict.WRONG_ANSWER),
    ],
)
def test_keys_that_collide_excuse_a_poor_hash(keys: Verdict, hash_: Verdict, told_of_hash: Verdict) -> None:
    points = 4 if hash_ == Verdict.ACCEPTED else 0
    results = [
        Result("client", "moves", Verdict.ACCEPTED, 3, points=3),
        Result("client", "keys", keys, 3, message="a"),
        Result("client", "hash", hash_, 4, points=points, message="b"),
    ]
    spared = kinds.KINDS["client"].settle(results, [None] * 3)
    assert [each.verdict for each in spared] == [Verdict.ACCEPTED, keys, told_of_hash]
    assert [each.points for each in spared] == [3, 0, points]
    assert spared[2].message == ("not run: needs keys" if told_of_hash == Verdict.NOT_RUN else "b")


def test_a_failure_frame_of_a_slow_program_comes_back() -> None:
    frame = failure("slow", "peg1.py", type="solve", text="5.8", values=[["move", "1692 (3:2 -> 3:4)"]])
    said = parse_frame(json.dumps(frame).encode(), dict)
    assert isinstance(said, Failure)
    assert said.values == [("move", f"1692 ({format_jump((3, 2, 3, 4))})")]


# ---- what only the whole of a submission shows ---------------------------------------------------


ORDER = "def peg_solve(stack, board):\n    return 1\n"
BARE = "@compiled\ndef solve(n):\n    return\n\ndef peg_solve(board, stack):\n    return solve(1)\n"
RETURNS_NONE = {"condition": "type(result) is int", "values": [("result", "None")]}
# The task, its sources, the failure, whether it is plain Python, and what is told: its id, its place, facts of it.
WHOLE: dict[str, tuple[str, dict[str, str], Failure, bool, str, str, dict[str, Any]]] = {
    "a file that is missing": (
        "peg2", {"peg2.py": "from peg1 import play\n"},
        told("import", type="ModuleNotFoundError", text="No module named 'peg1'", file="peg2.py", line=1), False,
        "file-missing", "student/peg2.py:1", {"file": "student/peg1.py"},
    ),
    "a name of another file": (
        "peg2", {"peg1.py": "def play(board):\n    pass\n", "peg2.py": "def solve(b):\n    play(b)\n"},
        told("raise", type="NameError", text="name 'play' is not defined", file="peg2.py", line=2), True,
        "unknown-name", "student/peg2.py:2", {"module": "peg1", "name": "play"},
    ),
    "a name that is nearly another": (
        "peg1", {"peg1.py": "def solve(board, stack):\n    return count_pegs(bord)\n"},
        told("raise", type="NameError", text="name 'bord' is not defined"), True,
        "unknown-name", "student/peg1.py:2", {"near": "board"},
    ),
    "a function of the client with wrong arguments": (
        "client", {"client.py": "def move_new(a, b, c, d):\n    return 1\n\ndef row_start(a, b):\n    return 1\n"},
        told("raise", type="TypeError", text="too many arguments: expected 2, got 1", file="", line=0), False,
        "wrong-arguments", "student/client.py:4", {"function": "row_start"},
    ),
    "arguments of peg_solve in another order": (
        "peg2", {"peg2.py": ORDER}, told("raise", type="TypeError", text="no", file="peg2.py", line=2), True,
        "arguments-in-other-order", "student/peg2.py:1", {"wanted": "board, stack"},
    ),
    "a task that is needed, whatever the order of arguments": (  # else what was not run would end the grader
        "peg2", {"peg2.py": ORDER}, told("not-written", type="NotImplementedError", text="peg1: x is not written yet"),
        True, "needs", "", {"needs": "peg1"},
    ),
    "a stack in place of the pegs": (
        "peg2", {"peg2.py": "@requires(a)\ndef solve(b, stack, pegs):\n    solve(b)\n"},
        told("contract", text="@requires at peg2.py:1", file="peg2.py", line=3, condition="count_pegs(b) == pegs",
             values=[("pegs", "an empty stack"), ("stack", "7")]), True,
        "pegs-is-table-or-stack", "student/peg2.py:3", {"given": "an empty stack", "call": "solve(b, stack, pegs)"},
    ),
    "a return without a value": (
        "peg2", {"peg2.py": BARE}, told("return", text="peg_solve returned None", file="peg2.py", line=6), False,
        "path-without-return", "student/peg2.py:3", {},
    ),
    "a return without a value, by a contract": (
        "peg2", {"peg2.py": BARE}, told("contract", text="@ensures at peg2.py:4", file="peg2.py", line=6, **RETURNS_NONE),
        True, "path-without-return", "student/peg2.py:3", {},
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", WHOLE)
def test_what_only_the_whole_of_a_submission_shows(what: str) -> None:
    task, sources, error, debug, id, place, facts = WHOLE[what]
    verdict, message = explained(error, task, sources, debug)
    assert (message.id, message.place) == (id, place)
    assert facts.items() <= message.facts.items()
    assert (verdict == Verdict.NOT_RUN) == (id == "needs")
    assert (verdict == Verdict.CRASHED) == (error.kind in ("raise", "import"))
    if place:
        file, _, line = place.removeprefix("student/").partition(":")
        assert message.source == sources[file].split("\n")[int(line) - 1].strip()
    assert id != "file-missing" or message.command == "grade start ."


def test_a_failure_that_cannot_be_explained_is_one_of_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(failures, "_explained", lambda context: {}["no"])
    verdict, message = explained(told("raise", type="KeyError", text="x"), "peg2", {}, True)
    assert (verdict, message.message) == (Verdict.CRASHED, "KeyError: x")


# ---- words are no keys ---------------------------------------------------------------------------

TAKE_APART = {
    "split", "rsplit", "splitlines", "partition", "rpartition", "strip", "lstrip", "rstrip", "startswith", "endswith",
    "removeprefix", "removesuffix", "replace", "find", "index", "count",
}  # fmt: skip


def goes_by_words(node: ast.AST) -> bool:
    """Return whether an expression compares or takes apart what a message or a result says."""

    def says(part: ast.expr) -> bool:
        of_error = isinstance(part, ast.Attribute) and ast.unparse(part.value) in ("error", "fault")
        return isinstance(part, ast.Attribute) and part.attr in ("message", "help") and not of_error

    match node:
        case ast.Compare():
            return any(map(says, [node.left, *node.comparators]))
        case ast.Subscript():
            return says(node.value)
        case ast.Call(func=ast.Attribute(attr=method, value=value)):
            return method in TAKE_APART and says(value)
    return False


def test_only_what_writes_messages_goes_by_their_words() -> None:
    """All else goes by `code` and `facts`, so that a sentence can be made better without breaking anything."""
    found = [
        f"{file}:{node.lineno}: {ast.unparse(node)}"  # type: ignore[attr-defined]
        for file in paths.PACKAGE.rglob("*.py")
        if file.relative_to(paths.PACKAGE).parts[0] not in ("messages", "reports")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if goes_by_words(node)
    ]
    assert found == []


def test_the_rule_finds_words() -> None:
    for source in (
        '"x" in result.help',
        "told.message.splitlines()",
        "told.message[0]",
        "a.message == b.message",
    ):
        assert any(map(goes_by_words, ast.walk(ast.parse(source)))), source
    for source in ("result.message", 'error.message.startswith("x")', "len(told.message)"):
        assert not any(map(goes_by_words, ast.walk(ast.parse(source)))), source


def test_jumps_at_both_edges_have_that_in_common() -> None:
    edges, within = [(0, 3, 2, 3), (7, 2, 5, 2)], [(3, 3, 5, 3), (4, 3, 2, 3), (2, 2, 2, 4)]
    assert in_common(edges, within) == "that starts on row 0 or 7"
    assert in_common(edges, [*within, (7, 4, 7, 2)]) == ""

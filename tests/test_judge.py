"""Verdicts from hand-made outcomes of a child: no process is started here."""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from framework.board import format_board, parse_board
from framework.jumps import Jump
from grader import errors
from grader.catalog.boards import NamedBoard, find_board
from grader.catalog.tasks import Asked, registry
from grader.judging import kinds
from grader.judging.judge import Judge
from grader.messages.catalogue import FROM, NO_PEG, TO, Message, picture, say
from grader.reports.report import Report, render
from grader.result import MAX_BYTES, Result, Verdict
from grader.sandbox.answers import Ends, Met
from grader.sandbox.asking import End, Outcome
from grader.submissions.source_file import SubmissionFault
from grader.submissions.submission import Submission
from support import made_answers
from support.made_answers import failure
from support.zoo_rows import NAMES, read_row

SOURCES = dict.fromkeys(("client.py", "peg1.py", "peg2.py", "peg3.py"), "first line\nsecond line\n")
SOLUTION = [[3, 2, 3, 4]]  # of one-jump


def the_judge(task: str = "peg3") -> Judge:
    return Judge(registry().find(task), Submission("student", dict(SOURCES)), 1)


def asked(board: str = "one-jump", task: str = "peg3") -> Asked:
    return made_answers.asked(task, board, 5, 2.0)


def judged(
    frame: dict[str, Any] | bytes, board: str = "one-jump", task: str = "peg3", **outcome: Any
) -> Result:
    """Return the result of a child that answered with `frame`."""
    raw = frame if isinstance(frame, bytes) else json.dumps(frame).encode()
    return the_judge(task).judge(asked(board, task), Outcome(End.ANSWERED, raw, **outcome))


def ended(end: Any, task: str = "peg3", board: str = "one-jump", **outcome: Any) -> Result:
    """Return the result of a child that ended so."""
    return the_judge(task).judge(asked(board, task), Outcome(end, **outcome))


def answer(
    number: int, jumps: Sequence[Sequence[int]] = (), board: str = "one-jump", **more: Any
) -> dict[str, Any]:
    return made_answers.answer(board, number, jumps, **more)


def play(board: NamedBoard, jumps: Sequence[Sequence[int]]) -> list[str]:
    """Return the drawn lines of a board after some jumps, played without the framework's own functions."""
    cells = [line.split() for line in format_board(board.board).splitlines()]
    for row_start, col_start, row_end, col_end in jumps:
        cells[row_start][col_start] = "o"
        cells[(row_start + row_end) // 2][(col_start + col_end) // 2] = "o"
        cells[row_end][col_end] = "*"
    return [" ".join(row) for row in cells]


# ---- each verdict ------------------------------------------------------------------------------

MADE: dict[str, tuple[Verdict, Callable[[], Result]]] = {
    "solved": (Verdict.ACCEPTED, lambda: judged(answer(1, SOLUTION))),
    "unsolvable": (Verdict.ACCEPTED, lambda: judged(answer(3, board="stuck", states=1), "stuck")),
    "too few": (Verdict.WRONG_ANSWER, lambda: judged(answer(2, board="stuck"), "stuck")),
    "too many": (Verdict.WRONG_ANSWER, lambda: judged(answer(12, board="plus"), "plus")),
    "gave up": (Verdict.WRONG_ANSWER, lambda: judged(answer(2))),
    "no moves": (Verdict.WRONG_ANSWER, lambda: judged(answer(1))),
    "moves left": (Verdict.WRONG_ANSWER, lambda: judged(answer(2, SOLUTION))),
    "very many moves left": (Verdict.WRONG_ANSWER, lambda: judged(answer(2, SOLUTION * 64))),
    "board changed": (Verdict.WRONG_ANSWER, lambda: judged(answer(3, board="stuck") | {"board": "o" * 64}, "stuck")),
    "solved, board changed": (Verdict.ACCEPTED, lambda: judged(answer(1, SOLUTION) | {"board": "o" * 64})),
    "illegal": (Verdict.ILLEGAL_MOVE, lambda: judged(answer(1, [(3, 3, 3, 1)]))),
    "off the board": (Verdict.ILLEGAL_MOVE, lambda: judged(answer(1, [(3, 2, 3, -1)]))),
    "far off the board": (Verdict.ILLEGAL_MOVE, lambda: judged(answer(1, [(2**62, 0, -(2**62), 0)]))),
    "jump after the end": (Verdict.ILLEGAL_MOVE, lambda: judged(answer(1, SOLUTION * 2))),
    "zero": (Verdict.BAD_RETURN, lambda: judged(answer(0))),
    "minus one": (Verdict.BAD_RETURN, lambda: judged(answer(-1))),
    "more pegs than there are": (Verdict.BAD_RETURN, lambda: judged(answer(3))),
    "huge": (Verdict.BAD_RETURN, lambda: judged(answer(2**63 - 1))),
    "no JSON": (Verdict.BAD_RETURN, lambda: judged(b"solved!")),
    "no object": (Verdict.BAD_RETURN, lambda: judged(b"[1]")),
    "ready again": (Verdict.BAD_RETURN, lambda: judged(b'{"ready": true}')),
    "a client's answer": (Verdict.BAD_RETURN, lambda: judged({"made": [], "moves": [], "keys": [1], "hashes": []})),
    "two frames": (Verdict.BAD_RETURN, lambda: ended(End.BAD_FRAME)),
    "not written": (Verdict.NOT_WRITTEN, lambda: judged(failure("not-written", text="peg3: solve is not written yet"))),
    "needs peg1": (Verdict.NOT_RUN, lambda: judged(failure("not-written", text="peg1: play is not written yet"))),
    "contract": (Verdict.CONTRACT, lambda: judged(failure("contract", condition="x > 0", values=[["x", "-1"]]))),
    "raised": (Verdict.CRASHED, lambda: judged(failure("raise"))),
    "import": (Verdict.CRASHED, lambda: judged(failure("import", type="ImportError"))),
    "compile": (Verdict.CRASHED, lambda: judged(failure("compile", text="Untyped global name 'f'"))),
    "a kind of its own": (Verdict.CRASHED, lambda: judged(failure("accepted"))),
    "at the top level": (Verdict.CRASHED, lambda: judged(failure("top-level", type="TypingError"))),
    "MemoryError": (Verdict.MEMORY, lambda: judged(failure("raise", type="MemoryError", text=""))),
    "slow in plain Python": (Verdict.TIMEOUT, lambda: judged(failure("slow", type="solve", text="5.9", values=[["n", "0"]]))),
    "slow to import": (Verdict.TIMEOUT, lambda: judged(failure("slow-import", type="<module>", text="3.4"))),
    "SystemExit": (Verdict.EXITED, lambda: judged(failure("exit", type="SystemExit"))),
    "return": (Verdict.BAD_RETURN, lambda: judged(failure("return", text="peg_solve returned None of type NoneType"))),
    "no table": (Verdict.BAD_RETURN, lambda: judged({**answer(3), "states": None})),
    "exit 0": (Verdict.EXITED, lambda: ended(End.DIED, returncode=0)),
    "exit 1": (Verdict.EXITED, lambda: ended(End.DIED, returncode=1)),
    "SIGSEGV": (Verdict.CRASHED, lambda: ended(End.DIED, returncode=-11)),
    "SIGKILL": (Verdict.CRASHED, lambda: ended(End.DIED, returncode=-9)),
    "a strange signal": (Verdict.CRASHED, lambda: ended(End.DIED, returncode=-63)),
    "too slow": (Verdict.TIMEOUT, lambda: ended(End.CPU_LIMIT, cpu_s=2.0)),
    "too slow to solve": (Verdict.TIMEOUT, lambda: ended(End.CPU_LIMIT, board="english", cpu_s=2.0)),
    "too slow and small": (Verdict.TIMEOUT, lambda: ended(End.CPU_LIMIT, "peg1", cpu_s=2.0)),
    "sleeps": (Verdict.TIMEOUT, lambda: ended(End.WALL_LIMIT, wall_s=12.3, cpu_s=0.1)),
    "never ready": (Verdict.TIMEOUT, lambda: ended(End.PREPARE_LIMIT)),
    "memory": (Verdict.MEMORY, lambda: ended(End.MEMORY_LIMIT)),
    "output": (Verdict.OUTPUT, lambda: ended(End.OUTPUT_LIMIT, head=b"x" * 4096, tail=b"y" * 4096)),
    "stopped": (Verdict.NOT_RUN, lambda: ended(End.STOPPED)),
    "waited too long before": (Verdict.NOT_RUN, lambda: ended(End.IDLE)),
}  # fmt: skip


@pytest.mark.parametrize("what", MADE)
def test_verdict(what: str) -> None:
    verdict, made = MADE[what]
    result = made()
    assert result.verdict == verdict
    assert result.points == (5 if verdict == Verdict.ACCEPTED else 0)
    assert result.max_points == 5
    assert bool(result.message) == (verdict != Verdict.ACCEPTED)


@pytest.mark.parametrize("what", MADE)
def test_message_style(what: str) -> None:
    """Lower case, no full stop, a help line with each, and nothing of the machinery."""
    result = MADE[what][1]()
    first = result.message.partition("\n")[0]
    if result.message:
        assert result.help
        assert not first.endswith(".")
        assert not result.help.endswith(".")
        assert first[0].islower() or first[0] == "`" or re.match(r"[A-Z]\w*Error", first)
        assert "Traceback" not in result.message
    text = render("table", Report([registry().find(result.task)], [result], "student"))
    assert all(character == "\n" or character.isprintable() for character in text)
    assert json.loads(render("json", Report([], [result], "student")))["score"] == result.points


def test_every_verdict_is_covered() -> None:
    in_zoo = {verdict for name in NAMES for verdict in read_row(name)["expect"].values()}
    here = {str(verdict) for verdict, _ in MADE.values()}
    not_here = {"grader-error", "failed"}  # the second is made of others, for students
    assert (here | in_zoo) - {"refused"} == {str(verdict) for verdict in Verdict} - not_here


def test_the_graders_own_fault_is_a_calm_result() -> None:
    fault = ended(End.FAULT, fault="OSError: no space left on device")
    assert fault.verdict == Verdict.GRADER_ERROR
    text = render("table", Report([registry().find("peg3")], [fault], "student"))
    assert "OURS" in text
    assert "not yours" in text
    assert fault.points == 0


def test_the_board_in_a_command_makes_no_cause_of_its_own() -> None:
    """A crash on three boards is told once, though each help line would name another board."""
    boards = ("one-jump", "stuck", "english")
    crashes = [ended(End.DIED, "peg3", board, returncode=-11) for board in boards]
    assert crashes[1].command == "grade peg3 -d --board stuck"
    assert crashes[2].command == "grade peg3 -d --board english"  # large, but others may not have the fault
    text = render("table", Report([registry().find("peg3")], crashes, "student"))
    assert text.count("SIGSEGV") == 1
    assert "the same on: stuck, english" in text


def test_what_depends_on_the_board_can_be_seen_again() -> None:
    wrong, slow = judged(answer(12, board="plus"), "plus"), ended(End.CPU_LIMIT, board="english", cpu_s=2.0)
    for result, board in ((wrong, "plus"), (slow, "english")):
        text = render("table", Report([registry().find("peg3")], [result], "student"))
        assert f"see the board: grade show {board}   " in text
        assert f"again: grade peg3 --board {board}\n" in text
    private = Report(
        [registry().find("peg3")],
        [replace(wrong, hidden=True)],
        "student",
        options=" --boards private",
        board_set=" --boards private",
    )
    assert "grade show" not in render("table", private)


# ---- points ------------------------------------------------------------------------------------


@pytest.mark.parametrize("states", [0, 100, 10**12])
def test_the_number_of_states_earns_nothing(states: int) -> None:
    result = judged(answer(1, SOLUTION, states=states), task="peg4")
    assert (result.verdict, result.points, result.max_points) == (Verdict.ACCEPTED, 5, 5)


def test_a_count_that_cannot_be_is_told() -> None:
    for states in (-1, 1 << 62, 10**19):  # a class run's store sums them up
        assert judged(answer(1, SOLUTION, states=states)).verdict == Verdict.BAD_RETURN


def test_a_table_larger_than_the_positions_is_said() -> None:
    result = judged(answer(4, board="plus", states=119), "plus")
    assert result.verdict == Verdict.ACCEPTED
    assert (result.code, result.facts["keys"], result.facts["positions"]) == ("table-too-large", 119, 118)
    assert judged(answer(4, board="plus", states=118), "plus").message == ""


@pytest.mark.parametrize(
    ("task", "states", "cpu_s", "told"),
    [
        ("peg4", 0, 0.8, True),
        ("peg4", 1, 0.5, True),
        ("peg4", 800, 0.8, True),
        ("peg4", 801, 0.8, False),
        ("peg4", 0, 0.4, False),
        ("peg5", 0, 0.8, False),
    ],
)
def test_a_table_that_a_long_search_did_not_use_is_said(
    task: str, states: int, cpu_s: float, told: bool
) -> None:
    for right, board in (
        (answer(1, SOLUTION, states=states), "one-jump"),
        (answer(2, board="stuck", states=states), "stuck"),
    ):
        result = judged(right, board, task, cpu_s=cpu_s)
        assert (result.verdict, result.points) == (Verdict.ACCEPTED, 5)
        assert result.code == ("table-hardly-used" if told else "")
        assert not told or result.facts == {"states": states, "cpu_s": cpu_s}


def test_a_long_chain_in_a_large_table_is_said() -> None:
    slow = judged({**answer(3, board="horseshoe", states=19_341), "longest_chain": 226}, "horseshoe")
    assert (slow.code, slow.facts["longest"]) == ("long-chain", 226)
    assert (
        judged({**answer(3, board="horseshoe", states=19_341), "longest_chain": 6}, "horseshoe").message == ""
    )


def test_any_number_above_one_says_unsolvable_where_the_task_says_so() -> None:
    assert judged(answer(9, board="plus"), "plus", "peg4").verdict == Verdict.ACCEPTED
    assert judged(answer(9, board="plus"), "plus", "peg3").verdict == Verdict.WRONG_ANSWER
    assert judged(answer(9, board="choice"), "choice", "peg4").verdict != Verdict.ACCEPTED


# ---- illegal jumps, drawn ----------------------------------------------------------------------

ENGLISH = [(1, 3, 3, 3), (2, 1, 2, 3)]


@pytest.mark.parametrize(
    ("jump", "reason", "marks"),
    [
        ((2, 0, 2, 2), "jumps over 2:1, which is empty", {(2, 0): FROM, (2, 2): TO, (2, 1): NO_PEG}),
        ((2, 6, 2, 4), "lands on 2:4, which has a peg", {(2, 6): FROM, (2, 4): TO}),
        ((2, 1, 2, 3), "starts at 2:1, which is empty", {(2, 1): FROM, (2, 3): TO}),
        ((4, 6, 6, 6), "jumps over 5:6, which is blocked", {(4, 6): FROM, (6, 6): TO, (5, 6): NO_PEG}),
        ((4, 4, 6, 4), "lands on 6:4, which has a peg", {(4, 4): FROM, (6, 4): TO}),
        ((0, 2, 0, 0), "jumps over 0:1, which is blocked", {(0, 2): FROM, (0, 0): TO, (0, 1): NO_PEG}),
        ((3, 3, 3, 3), "is not a jump of two cells in a straight line", {(3, 3): TO}),
        ((3, 3, 3, 4), "is not a jump of two cells in a straight line", {(3, 3): FROM, (3, 4): TO}),
        ((2, 6, 2, 8), "ends at 2:8, which is off the board", {}),
        ((-1, 0, 1, 0), "starts at -1:0, which is off the board", {}),
    ],
)
def test_illegal_jump_is_drawn(jump: Jump, reason: str, marks: dict[tuple[int, int], str]) -> None:
    result = judged(answer(1, [*ENGLISH, jump], "english"), "english")
    assert result.verdict == Verdict.ILLEGAL_MOVE
    assert (result.facts["number"], result.facts["jump"], result.facts["why"]) == (3, jump, reason)
    [shown] = result.pictures
    assert shown == picture(
        parse_board("\n".join(play(find_board("english"), ENGLISH))), marks, shown.caption
    )


def test_the_jumps_of_a_result_are_those_of_the_claim() -> None:
    jumps = [*ENGLISH, (2, 0, 2, 2)]
    result = judged(answer(1, jumps, "english"), "english")
    assert [tuple(jump) for jump in result.jumps] == jumps
    assert result.pegs_left == 1
    assert result.unsolvable == 0


# ---- messages ----------------------------------------------------------------------------------


def test_a_claim_of_very_many_values_is_cut() -> None:
    frame = failure("contract", condition="c", values=[[f"n{n}", "v\n" * 100] for n in range(1000)])
    assert len(judged(frame).message) + len(str(judged(frame).values)) < 20_000


def test_a_failure_in_no_file_of_the_student_has_no_place() -> None:
    for file in ("../../etc/passwd", "framework/stack.py", "", "peg4.py"):
        assert judged(failure("raise", file=file)).place == ""
    for line in (-1, 0, 4, 2**63):
        assert judged(failure("raise", line=line)).place == ""
    assert judged(failure("raise")).place == "student/peg3.py:2"
    assert judged(failure("raise")).source == "second line"


@pytest.mark.parametrize("line", [-1, 0, 3, 2**63])
def test_a_line_the_file_has_not_quotes_nothing(line: int) -> None:
    result = judged(failure("raise", line=line))
    assert result.verdict == Verdict.CRASHED
    assert "second line" not in result.message + result.source


HOSTILE = ["\x1b[31mred", "\n::error::x", "a\n##[group]", "\ud800", "\u202eabc", "x" * 8000, "\x9b1m\u2028"]


@pytest.mark.parametrize("kind", ["raise", "contract", "compile", "import", "return", "exit", "not-written", "top-level", "slow", "slow-import"])  # fmt: skip
@pytest.mark.parametrize("hostile", HOSTILE)
def test_whatever_a_failure_names_is_safe_and_short(kind: str, hostile: str) -> None:
    more = {"text": hostile, "file": hostile, "condition": hostile, "values": [[hostile, f"a\n{hostile}"]]}
    for type in (hostile, "SyntaxError", "ValueError"):
        for file in (hostile, "peg3.py"):
            result = judged(failure(kind, **more | {"type": type, "file": file}))
            told = [result.answer, result.help, result.place]
            for line in [*told, *result.message.split("\n")]:
                assert line.isprintable() and len(line) <= 1000
                assert not line.strip().startswith(("::", "##["))
            assert file == "peg3.py" or (hostile not in result.help and not result.place)
    slow = judged(failure("slow", text="9" * 5000 + ".9"))
    assert len(slow.message) < 1000


def test_a_record_is_made_harmless_once_and_for_all() -> None:
    text = "a\r\x1b[31m\ud800\n ::error::\t##vso[x]\n" + 200 * "y\n" + "z" * 9000
    result = Result(
        "peg3", "b", Verdict.CRASHED, 3, answer=text, message=text, help=text, place=text, printed=text,
        figures=((text, text),), facts={"condition": text},
    ).harmless()  # fmt: skip
    assert result.harmless() == result
    texts = [
        result.answer,
        result.message,
        result.help,
        result.place,
        result.printed,
        *result.figures[0],
        *result.facts.values(),
    ]
    for line in "\n".join(texts).split("\n"):
        assert line.isprintable() and not line.strip().startswith("::") and "##vso[" not in line
    for one in (result.answer, result.help, *result.figures[0], *result.facts.values()):
        assert "\n" not in one and len(one) <= 1000
    assert len(result.message.encode()) <= MAX_BYTES


@pytest.mark.parametrize("text", ["\U0001f600" * 499 + "\n", "é" * 499 + "\n", "ab" * 200 + "\n"])
def test_a_message_takes_few_bytes(text: str) -> None:
    for shift in range(5):
        result = Result("peg3", "b", Verdict.CRASHED, 3, message="a" * shift + 200 * text).harmless()
        assert len(result.message.encode()) <= MAX_BYTES and result.message.endswith("...")
        assert len(json.dumps(result.message)) <= 3 * MAX_BYTES + 2
        assert result.harmless() == result


def test_what_it_printed_is_kept_safe() -> None:
    result = judged(answer(2), head=b"\x1b[31mred\xff\x00", tail=b"end")
    assert result.printed.startswith("\\x1b[31mred")
    assert "end" in result.printed


def test_not_run_and_refused() -> None:
    told = say("needs", needs="peg1", write=True)
    not_run = the_judge().not_run(asked(), told)
    assert (not_run.verdict, not_run.points, not_run.message) == (Verdict.NOT_RUN, 0, told.message)
    for missing, verdict in ((True, Verdict.NOT_WRITTEN), (False, Verdict.CRASHED)):
        refused = the_judge().refused(asked(), SubmissionFault("x", "y", missing))
        assert (refused.verdict, refused.points, refused.message) == (verdict, 0, "x")


def test_judging_changes_no_board() -> None:
    board = find_board("english")
    before = format_board(board.board)
    judged(answer(1, ENGLISH, "english"), "english")
    assert format_board(board.board) == before
    assert (board.board == parse_board(before)).all()


@pytest.mark.parametrize(
    ("factor", "limit"),
    [
        (1.0, "the limit of 2.0 CPU seconds"),
        (0.6, "the limit of 1.2 CPU seconds (2 x 0.6, since this machine is faster than most)"),
        (1.5, "the limit of 3.0 CPU seconds (2 x 1.5, since this machine is slower than most)"),
    ],
)
def test_a_limit_is_told_as_it_was_applied(factor: float, limit: str) -> None:
    usual = asked()
    here = replace(usual, check=replace(usual.check, cpu_s=2.0 * factor), time_factor=factor, debug=True)
    stopped = the_judge().judge(here, Outcome(End.CPU_LIMIT, cpu_s=2.2 * factor))
    assert stopped.message.splitlines()[0] == f"no answer within {limit}"
    assert stopped.cpu_s == here.check.cpu_s  # by how much it passed the limit is the grader's doing
    frame = json.dumps(answer(2)).encode()
    late = the_judge().judge(here, Outcome(End.ANSWERED, frame, cpu_s=2.1 * factor))
    assert late.message.splitlines()[0].endswith(limit) and late.answer == "answered late"
    looping = the_judge().judge(here, Outcome(End.ANSWERED, json.dumps(failure("slow")).encode()))
    assert looping.message.splitlines()[0] == f"still computing just before {limit}"


def test_an_answer_of_another_kind_verifies_nothing() -> None:
    task = registry().find("peg5")
    for name, other in (
        ("ring:meet-13", Ends([], False)),
        ("english:back-6", Met(True, [], find_board("one-jump").board)),
    ):
        (check,) = [each for each in task.checks if each.name == name]
        given = Asked(check, find_board(check.board), task, False)
        first = the_judge("peg5").not_run(given, Message())
        found = kinds.of(task).tried(given, None, [other], replace(first, points=1, verdict=Verdict.ACCEPTED))
        assert (found.verdict, found.points, found.code) == (Verdict.BAD_RETURN, 0, "other-question")


@pytest.mark.parametrize(("hidden", "verdict"), [(False, Verdict.GRADER_ERROR), (True, Verdict.BAD_RETURN)])
def test_an_answer_that_cannot_be_judged_ends_no_run(
    hidden: bool, verdict: Verdict, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> Result:
        raise ZeroDivisionError("of the judge")

    monkeypatch.setattr(kinds.of(registry().find("peg3")), "judge", fails)
    written: list[str] = []
    monkeypatch.setattr(
        errors, "write_report", lambda what, details: written.append(what + details) or "report"
    )
    check = asked()
    board = replace(check.board, hidden=hidden) if check.board else None
    frame = json.dumps(answer(2)).encode()
    found = the_judge().judge(replace(check, board=board), Outcome(End.ANSWERED, frame))
    assert (found.verdict, found.points) == (verdict, 0)
    assert ["test_judge.py" in each for each in written] == [True] * (not hidden)

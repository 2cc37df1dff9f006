"""Every message a student can see: what happened, where, why, and what to do.

A message's first line goes on from the board's name and a colon; the lines after it are details. Lower
case, no full stop, what was expected before what was found; `help` is one sentence.
"""

import re
import signal
from collections.abc import Sequence
from typing import NamedTuple

from framework.board import Board, draw_board
from framework.jumps import Jump, cell_between, format_jump
from framework.verify import Verification
from grader.boards import Facts
from grader.frames import Answer, Failure
from grader.result import Verdict
from grader.safe_text import one_line, safe
from grader.sandbox.outcome import End, Outcome
from grader.submission import Submission
from grader.tasks import Step, Task


class Told(NamedTuple):
    """A message.

    Attributes:
        message: what happened.
        help: what to do.
        place: `file:line` of the student's code.
    """

    message: str = ""
    help: str = ""
    place: str = ""


def truth(facts: Facts, task: Task) -> str:
    """Return what is true of a board in the words of the table."""
    if facts.solvable is None:
        return "not known"
    if facts.solvable:
        return "solvable"
    if facts.fewest is None or task.kind == "any-above-one":
        return "hopeless"
    return f"{facts.fewest} left"


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines())


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


# ---- a wrong answer ----------------------------------------------------------------------------


def illegal_jump(board: Board, jumps: Sequence[Jump], seen: Verification) -> Told:
    """A jump of the solution cannot be played; `seen.board` is the board before it."""
    assert seen.fault is not None
    jump = jumps[seen.legal]
    lines = [
        f"jump {seen.legal + 1} of your solution is illegal",
        f"{format_jump(jump)} {seen.fault.reason}",
    ]
    marks, legend = _jump_marks(jump, seen)
    drawn = draw_board(seen.board, marks).splitlines()
    drawn[min(4, len(drawn) - 1)] += f"      {legend}"
    lines += [f"  {line}" for line in drawn]
    if seen.legal:
        played = ", ".join(format_jump(each) for each in jumps[max(0, seen.legal - 3) : seen.legal])
        before = "jump 1 was" if seen.legal == 1 else f"jumps 1 to {seen.legal} were"
        last = "" if seen.legal <= 3 else "the last of them "
        lines.append(f"{before} legal: {last}{played}")
        help = (
            "the jump was legal when you found it but not when you played it; check that every "
            "jump you take back also leaves the stack"
        )
    else:
        help = (
            "the first move popped must be the first one played: push a move after the moves that "
            "come after it"
        )
    if seen.fault.never:
        help = (
            "no position of this board allows that jump; check the rules in can_jump, and the four "
            "numbers in the order move_new takes them"
        )
    return Told("\n".join(lines), help)


def _jump_marks(jump: Jump, seen: Verification) -> tuple[dict[tuple[int, int], str], str]:
    """Return the marks of a jump on the drawn board and what they mean."""
    assert seen.fault is not None
    on_board = all(0 <= number < 8 for number in jump)
    if not on_board:
        return {}, ""
    start, end = (jump[0], jump[1]), (jump[2], jump[3])
    marks = {start: "@", end: "+"}
    legend = "@ from   + landing"
    middle = cell_between(jump)
    if seen.fault.cell == middle and middle not in marks:
        marks[middle] = "x"
        legend = "@ from   x nothing to jump over   + landing"
    return marks, legend


def not_solved(jumps: Sequence[Jump], seen: Verification, facts: Facts) -> Told:
    """It said 1, but its jumps leave more."""
    if not jumps:
        return Told(
            f"your program answered 1 (solved), but its stack is empty and {seen.pegs} pegs are left",
            "push the move on the stack when a jump leads to a solution",
        )
    drawn = "\n".join(f"  {line}" for line in draw_board(seen.board).splitlines())
    return Told(
        f"your program answered 1 (solved), but its {_count(len(jumps), 'jump')} leave "
        f"{seen.pegs} pegs\nafter {format_jump(jumps[-1])}:\n{drawn}",
        "every move of the solution must be on the stack, the first one on top",
    )


def solvable(number: int, facts: Facts, task: Task) -> Told:
    """It gave up on a board that can be solved."""
    if facts.forced:
        return Told(
            f"expected 1 (solved), found {number}: there is never more than one jump to make",
            "look for a jump from every peg in all four directions, until there is none",
        )
    return Told(
        f"expected 1 (solved), found {number}: this board can be solved",
        "some jump is never tried: check all four directions, and that each jump is taken back "
        "before the next is tried",
    )


def wrong_number(number: int, fewest: int) -> Told:
    """The number of pegs left is wrong on a board that cannot be solved."""
    if number < fewest:
        return Told(
            f"expected {fewest} pegs left, found {number}: no line of play leaves so few",
            "a jump takes one peg off the board; check what your search returns at its end",
        )
    return Told(
        f"expected {fewest} pegs left, found {number}: some line of play leaves fewer",
        "return the fewest pegs of any board you met, not those of the last one",
    )


def impossible_number(number: int, pegs: int) -> Told:
    """The number is outside of what any board could give."""
    return Told(
        f"expected a number of pegs from 1 to {pegs}, found {number}",
        "peg_solve returns how many pegs are left; 1 when the board is solved",
    )


def stack_not_empty(jumps: Sequence[Jump]) -> Told:
    """Not solved, yet moves are left on the stack."""
    return Told(
        f"the answer is not 1, but {_count(len(jumps), 'move')} "
        f"{'is' if len(jumps) == 1 else 'are'} left on the stack (top: {format_jump(jumps[0])})",
        "a jump that is taken back must leave the stack too",
    )


def board_changed(before: Board, after: Board) -> Told:
    """Not solved, and the board did not come back as it was."""
    changed = [(row, col) for row in range(8) for col in range(8) if before[row, col] != after[row, col]]
    drawn = "\n".join(f"  {line}" for line in draw_board(after).splitlines())
    cells = ", ".join(f"{row}:{col}" for row, col in changed[:6])
    more = f" and {len(changed) - 6} more" if len(changed) > 6 else ""
    return Told(
        f"the answer is not 1, but the board did not come back as it was: {cells}{more}\n"
        f"the board after your program:\n{drawn}",
        "take every jump back: two pegs return and the peg that landed goes",
    )


def truth_unknown() -> Told:
    """A board of the user's own on which the program gave up."""
    return Told(
        "whether this board can be solved is not known here, so the answer is not judged",
        "a solution would be checked jump by jump",
    )


# ---- a right answer that is worth a word -------------------------------------------------------


def claim(answer: Answer, facts: Facts) -> Told:
    """Say when the size of the student's table is odd: it is their claim, not the judge's measure."""
    if answer.states is None or facts.positions is None:
        return Told()
    if answer.states > facts.positions:
        return Told(
            f"your table holds {answer.states:,} keys, but only {facts.positions:,} different "
            "positions can be reached",
            "the same board should always get the same key, and be inserted once",
        )
    return Told()


def next_step(states: int, steps: Sequence[Step], earned: int) -> Told:
    """Name the next count that is worth more."""
    better = [step for step in steps if step.points > earned]
    target = max(better, key=lambda step: step.states)
    most = max(step.points for step in steps)
    return Told(
        f"solved; {states:,} boards given up on earn {earned} of {most} points for the count",
        f"at most {target.states:,} would earn {target.points}: try the jumps in another order, or "
        "give boards that are mirror images the same key",
    )


def withheld() -> Told:
    """A right answer on a hopeless board that earns nothing yet."""
    return Told(
        "right, but a program that always gives up is right here too",
        "these points count when half of the points of the boards that can be solved are earned",
    )


# ---- limits ------------------------------------------------------------------------------------


def timeout(limit_s: float, outcome: Outcome, facts: Facts, task: Task) -> Told:
    """Too slow."""
    if outcome.end == End.WALL_LIMIT:
        return Told(
            f"stopped after {outcome.wall_s:.0f} s by the clock, of which it computed {outcome.cpu_s:.1f} s",
            "the program waits for something: take out sleeps, input() and anything that blocks",
        )
    lines = [f"correct so far, but stopped at the limit of {limit_s:.1f} s"]
    if facts.positions is not None and task.table:
        if facts.solvable:
            lines.append(f"this board has {facts.positions:,} different positions")
        else:
            lines.append(
                f"this board has {facts.positions:,} different positions and no solution, so no "
                "order of moves can help"
            )
    elif facts.solvable is False and task.table:
        lines.append("this board has no solution, so no order of moves can help")
    if not task.table:
        return Told(
            "\n".join(lines),
            "this board is small: is every loop sure to end, and is each jump taken back?",
        )
    return Told(
        "\n".join(lines),
        "ask the hash table before searching a position and tell it after; then look at the hash "
        "function: grade pegmark",
    )


def prepare_limit() -> Told:
    """Importing or compiling took too long."""
    return Told(
        "stopped while the file was being imported and compiled",
        "keep work out of the top level of the file; grade -d runs it without compiling",
    )


def memory(limit_mib: int, task: Task) -> Told:
    """Too much memory."""
    return Told(
        f"stopped at the limit of {limit_mib:,} MiB of memory",
        "count the boards in your table; store each board once, as one integer",
    )


def output() -> Told:
    """Too much output."""
    return Told(
        "stopped after printing 1 MiB",
        "take out the print calls, or print less; -v shows what was printed",
    )


# ---- the end of the process --------------------------------------------------------------------

_SIGNAL_CAUSES = {
    "SIGSEGV": (
        "most likely a recursion without end, or an index far off the board",
        "grade {task} -d runs the same code as plain Python, which shows the line",
    ),
    "SIGKILL": ("most likely the machine ran out of memory", "run it on its own: grade {task}"),
    "SIGABRT": ("the program called abort", "grade {task} -d shows where"),
    "SIGXFSZ": ("the program wrote a file that is too large", "a solution needs no files"),
}


def killed(number: int, task: Task) -> Told:
    """Ended by a signal."""
    try:
        name = signal.Signals(number).name
    except ValueError:
        name = f"signal {number}"
    cause, help = _SIGNAL_CAUSES.get(name, ("", "grade {task} -d shows where"))
    return Told(
        f"the program was ended by {name}" + (f"\n{cause}" if cause else ""),
        help.format(task=task.name),
    )


def exited(status: int) -> Told:
    """Left without an answer."""
    return Told(
        f"the program ended itself with exit status {status} and gave no answer",
        "return the answer; take out exit(), sys.exit() and os._exit()",
    )


def bad_frame(problem: str) -> Told:
    """The answer was not one."""
    return Told(
        f"expected one answer from the program, found {problem}",
        "return the number and leave the rest to the grader",
    )


# ---- failures in the student's code ------------------------------------------------------------


def failure(told: Failure, task: Task, submission: Submission, debug: bool) -> tuple[Verdict, Told]:
    """Return the verdict and the message for what went wrong in the student's code."""
    place = submission.place(told.file, told.line) if told.file in submission.sources else ""
    source = submission.source_line(told.file, told.line) if place else ""
    at = [f"{place}: {source}" if source else place] if place else []
    text = one_line(told.text)
    kind = one_line(told.type, 40)
    match told.kind:
        case "not-written":
            return _not_written(text, task, place)
        case "contract":
            return Verdict.CONTRACT, _contract(told, at, place)
        case "compile":
            return Verdict.CRASHED, _compile(told, at, place, task)
        case "return":
            return Verdict.BAD_RETURN, _bad_return(text, task)
        case "exit":
            return Verdict.EXITED, Told(
                "\n".join([f"the program ended itself with {kind}", *at]),
                "return the answer; take out exit() and sys.exit()",
                place,
            )
        case "import":
            return Verdict.CRASHED, _import(kind, text, at, place, told, submission, task)
    return Verdict.CRASHED, _raised(kind, text, at, place, task, debug)


def _not_written(text: str, task: Task, place: str) -> tuple[Verdict, Told]:
    """A stub was reached: of this task, or of one that this task builds on."""
    needed = text.partition(":")[0]
    if re.fullmatch(r"client|peg\d", needed) and needed != task.name:
        return Verdict.NOT_RUN, Told(f"not run: needs {needed}", f"write {needed} first", place)
    what = text.partition(":")[2].partition(";")[0].strip() or "not written yet"
    return Verdict.NOT_WRITTEN, Told(what, f"{task.hint}; see {task.handout}", place)


def _contract(told: Failure, at: list[str], place: str) -> Told:
    if told.condition.startswith("assert "):
        head = "an assert does not hold"
    else:
        head = f"a contract does not hold: {one_line(told.text)}"
    lines = [head, f"  {one_line(told.condition)}", *at]
    for name, value in told.values:
        shown = safe(value).strip("\n")
        shown = f"\n{shown}" if "\n" in shown else f" {shown.strip()}"
        lines.append(f"{one_line(name, 80)} was{shown}")
    return Told(
        "\n".join(lines),
        "the contract says what must be true there; go back from it to the step that broke it",
        place,
    )


def _compile(told: Failure, at: list[str], place: str, task: Task) -> Told:
    reason = one_line(told.text)
    for pattern, plain in _NUMBA_REASONS:
        found = re.search(pattern, told.text)
        if found:
            reason = plain.format(*(one_line(group, 60) for group in found.groups()))
            break
    return Told(
        "\n".join(["cannot be compiled", *at, f"  {reason}"]),
        f"a @compiled function may use numbers, arrays, loops and the framework's functions; "
        f"grade {task.name} -d runs it as plain Python",
        place,
    )


_NUMBA_REASONS = (
    (r"NameError: name '(\w+)' is not defined", "the name {} is not defined"),
    (
        r"Untyped global name '(\w+)'",
        "{} is plain Python, which compiled code cannot call: put @compiled above your own functions, "
        "and call the others from peg_solve",
    ),
    (r"Unknown attribute '(\w+)' of type (\S+)", "compiled code knows no .{} of {}"),
    (
        r"variable '(\w+)' referenced before assignment|Variable '(\w+)' is not",
        "{} may have no value here",
    ),
    (r"Cannot unify (\S+) and (\S+) for '([\w.]+)'", "{2} is {0} in one place and {1} in another"),
    (r"[Tt]he '(.+?)' construct is not supported", "the construct '{}' cannot be compiled"),
    (r"[Uu]se of (yield|generator)", "generators cannot be compiled: write a loop"),
    (
        r"No implementation of function Function\(<.*?(\w+)>\) found",
        "{} cannot be compiled for these values",
    ),
    (r"Can't unify return type.*\bnone", "one way through the function returns a value, another none"),
    (r"Can't unify return type", "it returns values of different kinds"),
)


def _bad_return(text: str, task: Task) -> Told:
    what, _, found = text.partition(" returned ")
    return Told(
        f"expected {what} to return an int, found {found}",
        "write int(...) around it if it is a numpy number; every path through the function needs its return",
    )


def _import(
    kind: str,
    text: str,
    at: list[str],
    place: str,
    told: Failure,
    submission: Submission,
    task: Task,
) -> Told:
    if kind in ("SyntaxError", "IndentationError", "TabError"):
        return Told(
            "\n".join([f"python cannot read the file: {text}", *at]),
            f"mend that line; python -m py_compile {submission.shown_folder}/{told.file} tells the same",
            place,
        )
    missing = re.search(r"No module named '([\w.]+)'|import of ([\w.]+) halted", text)
    if missing:
        name = next(group for group in missing.groups() if group)
        return Told(
            "\n".join([f"the file imports {name}, which is not there when it is graded", *at]),
            f"use Python, numpy, the framework and {', '.join(task.files)} only",
            place,
        )
    return Told(
        "\n".join([f"importing the file fails with {kind}: {text}", *at]),
        "keep everything but imports, constants and functions out of the top level of the file",
        place,
    )


def _raised(kind: str, text: str, at: list[str], place: str, task: Task, debug: bool) -> Told:
    lines = [f"{kind}: {text}" if text else kind, *at]
    if kind == "RecursionError":
        return Told(
            "\n".join(["recursion without end", *at]),
            "a search ends because each jump takes a peg away: does every call search a smaller board?",
            place,
        )
    if kind == "IndexError" and "pop" in text:
        return Told("\n".join(lines), "ask stack_empty before each pop", place)
    if kind == "IndexError" and not debug:
        return Told(
            "\n".join([f"{kind}: an index is off the board (rows and columns go from 0 to 7)", *at]),
            f"grade {task.name} -d runs the same code as plain Python and names the line",
            place,
        )
    help = "go to that line" if debug else f"grade {task.name} -d runs it as plain Python"
    return Told("\n".join(lines), help, place)

"""Every message a student can see: what happened, where, why, and what to do.

A message's first line goes on from the board's name and a colon; the lines after it are details. Lower
case, no full stop, what was expected before what was found; `help` is one sentence.
"""

import signal
from collections.abc import Sequence
from typing import NamedTuple

from framework.board import Board, draw_board
from framework.jumps import Jump, cell_between, format_jump
from framework.verify import Verification
from grader.boards import Facts
from grader.frames import Answer
from grader.safe_text import one_line
from grader.sandbox.outcome import End, Outcome
from grader.tasks import Step, Task

LARGE_TABLE = 1000  # keys; a small one is fast whatever the hash
LONG_CHAIN = 20  # keys; by chance hardly one chain in 10^20 is longer (Poisson, a key a chain)


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
    if legend:
        drawn[4] += f"      {legend}"
    lines += [f"  {line}" for line in drawn]
    if seen.legal:
        played = ", ".join(format_jump(each) for each in jumps[max(0, seen.legal - 3) : seen.legal])
        numbers = "1 and 2" if seen.legal == 2 else f"1 to {seen.legal}"
        before = "jump 1 was" if seen.legal == 1 else f"jumps {numbers} were"
        last = "" if seen.legal <= 3 else "the last of them "
        lines.append(f"{before} legal: {last}{played}")
        help = (
            "the jump was legal when you found it but not when you played it; check that every "
            "jump you take back also leaves the stack, and that the search stops once it has won"
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
        legend = "@ from   x cannot be jumped   + landing"
    return marks, legend


def not_solved(jumps: Sequence[Jump], seen: Verification, task: Task) -> Told:
    """It said 1, but its jumps leave more."""
    if not jumps:
        return Told(
            f"your program answered 1 (solved), but its stack is empty and {seen.pegs} pegs are left",
            "push the move on the stack when a jump leads to a solution"
            + ("; a board that is in the table is not solved" if task.table else ""),
        )
    drawn = "\n".join(f"  {line}" for line in draw_board(seen.board).splitlines())
    return Told(
        f"your program answered 1 (solved), but its {_count(len(jumps), 'jump')} "
        f"leave{'s' if len(jumps) == 1 else ''} {seen.pegs} pegs\nafter {format_jump(jumps[-1])}:\n{drawn}",
        "every move of the solution must be on the stack, the first one on top"
        + ("; a board that is in the table is not solved" if task.table else ""),
    )


def solvable(number: int, facts: Facts) -> Told:
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


def wrong_number(answer: Answer, facts: Facts, task: Task) -> Told:
    """The number of pegs left is wrong on a board that cannot be solved."""
    number, fewest = answer.number, facts.fewest
    assert fewest is not None
    if number < fewest:
        return Told(
            f"expected {fewest} pegs left, found {number}: no line of play leaves so few",
            f"a jump is made that the rules do not allow; grade {task.name} -d checks each index",
        )
    if facts.forced:
        return Told(
            f"expected {fewest} pegs left, found {number}: play goes on until then",
            "is it one peg less after each jump, and is each peg tried in all four directions?",
        )
    few = _few_of_all(answer, facts)
    if few:
        return Told(
            f"expected {fewest} pegs left, found {number}: {few}",
            "do two different boards get the same key, or is a board recorded before it was searched?",
        )
    return Told(
        f"expected {fewest} pegs left, found {number}: some line of play leaves fewer",
        "return the fewest pegs of any board you met, not those of the last one",
    )


def _few_of_all(answer: Answer, facts: Facts) -> str:
    """Say so when the table of a hopeless board holds less than its mirror images can explain."""
    images = 8  # of a board, itself included
    if answer.states is None or facts.positions is None or answer.states * images >= facts.positions:
        return ""
    return f"your table holds {_count(answer.states, 'key')} for {facts.positions:,} different positions"


def has_choices() -> Told:
    """A board with choices, under a program that never goes back."""
    return Told(
        "this board has choices, so what is left depends on the order of jumps; it is not judged",
        "boards with choices are what peg2 is for",
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


def with_board(message: str, board: Board) -> str:
    """Return a message with the board it is about, for boards that `grade show` cannot draw."""
    drawn = "\n".join(f"  {line}" for line in draw_board(board).splitlines())
    return f"{message}\nthe board:\n{drawn}"


def truth_unknown() -> Told:
    """A board of the user's own on which the program gave up."""
    return Told(
        "whether this board can be solved is not known here, so the answer is not judged",
        "a solution would be checked jump by jump",
    )


# ---- a right answer that is worth a word -------------------------------------------------------


def claim(answer: Answer, facts: Facts) -> Told:
    """Say when the size of the student's table is odd: it is their claim, not the judge's measure."""
    few = _few_of_all(answer, facts) if facts.solvable is False else ""
    if few and not answer.states:
        return Told(f"right, but {few}", "tell the table of every board that is given up on")
    if few:
        return Told(
            f"right, but {few}",
            "an entry must be true: is a board recorded whose jumps were not all tried?",
        )
    if answer.states is not None and facts.positions is not None and answer.states > facts.positions:
        return Told(
            f"your table holds {answer.states:,} keys, but only {facts.positions:,} different "
            "positions can be reached",
            "the same board should always get the same key, and be inserted once",
        )
    long_chain = answer.longest_chain is not None and answer.longest_chain > LONG_CHAIN
    if long_chain and answer.states is not None and answer.states >= LARGE_TABLE:
        return Told(
            f"a chain of your table has {answer.longest_chain:,} keys, which makes every look-up slow",
            "look at your hash function: grade pegmark",
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
    late = outcome.end == End.ANSWERED
    lines = [
        f"an answer after {outcome.cpu_s:.2f} s, twice over the limit of {limit_s:.1f} s"
        if late
        else f"no answer within the limit of {limit_s:.1f} s"
    ]
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
        "count the boards in your table; store each board once, as one integer"
        if task.table
        else "this task needs no memory but the board and the stack: take out what collects boards",
    )


def output() -> Told:
    """Too much output."""
    return Told(
        "stopped after printing 1 MiB",
        "take out the print calls, or print less",
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


def grader_fault(fault: str, report: str) -> Told:
    """The grader could not run a check; `report` is the file to send, if one could be written."""
    return Told(
        f"the grader could not run this check: {one_line(fault)}",
        "this is not your program's fault: run it again, and "
        + (f"send {report} to the course's staff" if report else "tell the course's staff")
        + " if it stays so",
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

"""Messages for wrong answers: what was expected, where on the board, and what to check."""

from collections.abc import Sequence

import numpy as np

from framework.board import Board, count_pegs
from framework.jumps import Jump, cell_between, format_jump, legal_jumps, play_jump
from framework.verify import Verification, verify
from grader.catalog.boards import NamedBoard
from grader.catalog.tasks import Task
from grader.messages.phrases import Message, are, count, drawn, few_of_all, plain_run
from grader.sandbox.answers import MAX_JUMPS, Answer


def illegal_jump(board: Board, jumps: Sequence[Jump], seen: Verification) -> Message:
    """A jump of the solution cannot be played; `seen.board` is the board before it."""
    assert seen.fault is not None
    jump = jumps[seen.legal]
    lines = [
        f"jump {seen.legal + 1} of your solution is illegal",
        f"{format_jump(jump)} {seen.fault.reason}",
    ]
    lines += drawn(seen.board, *_jump_marks(jump, seen))
    since = _since(jumps[: seen.legal], seen.fault.cell)
    if since:
        lines.append(since)
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
        if since.endswith("off the board"):
            help = help.replace("check", "check that play takes the peg jumped over off the board,")
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
    return Message("\n".join(lines), help)


def _since(jumps: Sequence[Jump], cell: tuple[int, int] | None) -> str:
    """Return which of the jumps played was the last to change a cell."""
    for number in range(len(jumps), 0, -1):
        jump = jumps[number - 1]
        at = f"jump {number}, {format_jump(jump)},"
        if cell == cell_between(jump):
            return f"{at} took the peg at {jump_cell(cell)} off the board"
        if cell == (jump[0], jump[1]):
            return f"{at} took the peg away from {jump_cell(cell)}"
        if cell == (jump[2], jump[3]):
            return f"{at} brought the peg to {jump_cell(cell)}"
    return ""


def jump_cell(cell: tuple[int, int]) -> str:
    """Return a cell as `row:col`."""
    return f"{cell[0]}:{cell[1]}"


def _jump_marks(jump: Jump, seen: Verification) -> tuple[dict[tuple[int, int], str], str]:
    """Return the marks of a jump on the drawn board, and the legend."""
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


def not_solved(said: str, jumps: Sequence[Jump], seen: Verification, more: str = "") -> Message:
    """The answer is solved, but the jumps leave more than one peg; `more` is added to the help."""
    if not jumps:
        return Message(
            f"{said}, but the stack is empty and {seen.pegs} pegs are left",
            f"push each jump of the solution, the last one first{more}",
        )
    shown = "\n".join(drawn(seen.board))
    return Message(
        f"{said}, but the {count(len(jumps), 'jump')} on the stack leave{'s' if len(jumps) == 1 else ''} "
        f"{seen.pegs} pegs\nafter {format_jump(jumps[-1])}:\n{shown}",
        f"every jump of the solution must be on the stack, the first one on top{more}",
    )


def solvable(number: int, board: NamedBoard, task: Task, debug: bool) -> Message:
    """The program gave up on a board that can be solved."""
    if board.facts.forced:
        return _gave_up_early(1, number, board)
    return Message(
        f"expected 1 (solved), found {number}: this board can be solved",
        "some jump is never tried: check all four directions, and that each jump is taken back "
        "before the next is tried" + checked(board, task, debug),
    )


def wrong_number(answer: Answer, board: NamedBoard, task: Task, debug: bool) -> Message:
    """The number of pegs left is wrong on a board that cannot be solved."""
    number, fewest = answer.number, board.facts.fewest
    assert fewest is not None
    if number < fewest:
        return Message(
            f"expected {fewest} pegs left, found {number}: no line of play leaves so few",
            "perhaps a jump is made that the rules do not allow, or a peg is subtracted twice"
            + checked(board, task, debug),
        )
    if board.facts.forced:
        return _gave_up_early(fewest, number, board)
    few = few_of_all(answer, board.facts)
    if few:
        return Message(
            f"expected {fewest} pegs left, found {number}: {few}",
            "do two different boards get the same key, or is a board recorded before it was searched?",
        )
    return Message(
        f"expected {fewest} pegs left, found {number}: some line of play leaves fewer",
        "return the fewest pegs of any board you met, not those of the last one",
    )


def checked(board: NamedBoard, task: Task, debug: bool) -> str:
    """Return how to have each step checked on this board; nothing if it was, or would take too long."""
    run = plain_run(task, board)
    return "" if debug or "--board" not in run else f"; {run} checks each step"


def _gave_up_early(expected: int, number: int, board: NamedBoard) -> Message:
    """Play is forced, and the program stopped early: show the jump it missed."""
    wanted = "1 (solved)" if expected == 1 else f"{expected} pegs left"
    head = f"expected {wanted}, found {number}: there is never more than one jump to make"
    played = board.board.copy()
    jumps = legal_jumps(played)
    while jumps and count_pegs(played) > number:
        play_jump(played, jumps[0])
        jumps = legal_jumps(played)
    if not jumps:
        return Message(head, "is there one peg fewer after each jump?")
    jump = jumps[0]
    marks = {(jump[0], jump[1]): "@", cell_between(jump): "x", (jump[2], jump[3]): "+"}
    lines = drawn(played, marks, "@ from   x jumps over   + landing")
    return Message(
        "\n".join([head, f"with {count(number, 'peg')} left it is {format_jump(jump)}:", *lines]),
        "is a jump looked for from every peg in all four directions, until there is none, and is "
        "there one peg fewer after each?",
    )


def has_choices() -> Message:
    """The board has choices, but the program never goes back."""
    return Message(
        "this board has choices, so what is left depends on the order of jumps; it is not judged",
        "boards with choices are what peg2 is for",
    )


NOT_ONE = "the answer is not 1"
SOLVED = "your program answered 1 (solved)"


def impossible_number(number: int, board: NamedBoard, task: Task, debug: bool) -> Message:
    """The number is impossible for this number of pegs."""
    return Message(
        f"expected a number of pegs from 1 to {board.pegs}, found {number}",
        "peg_solve returns how many pegs are left; 1 when the board is solved" + checked(board, task, debug),
    )


def stack_not_empty(answer: Answer, board: NamedBoard) -> Message:
    """Moves are left on the stack though the answer is not 1; they may solve the board."""
    jumps = answer.jumps
    if verify(board.board, jumps).solved:
        return Message(
            f"the stack holds a solution, but your program answered {answer.number}",
            "return 1 as soon as the rest is solved",
        )
    moves = f"{MAX_JUMPS} or more moves" if len(jumps) >= MAX_JUMPS else count(len(jumps), "move")
    return Message(
        f"the answer is not 1, but {moves} {are(len(jumps))} left on the stack\n"
        f"the one on top: {format_jump(jumps[0])}",
        "a jump that is taken back must leave the stack too",
    )


def board_changed(said: str, board: NamedBoard, after: Board, more: str = "") -> Message:
    """Not solved, and the board was left changed; `more` is added to the help."""
    changed = [f"{row}:{col}" for row, col in np.argwhere(board.board != after)]
    cells = ", ".join(changed[:6]) + (f" and {len(changed) - 6} more" if len(changed) > 6 else "")
    return Message(
        "\n".join(
            [
                f"{said}, but the board did not come back as it was: {cells}",
                "the board after your program:",
                *drawn(after),
            ]
        ),
        f"take every jump back: two pegs return and the peg that landed goes{more}",
    )


def truth_unknown() -> Message:
    """The program gave up on a board that nothing is known of."""
    return Message(
        "whether this board can be solved is not known here, so the answer is not judged",
        "a solution would be checked jump by jump",
    )

"""Messages for wrong answers: what was expected, where on the board, and what to check."""

from collections.abc import Sequence

from framework.arrays import np
from framework.board import BLOCKED, Board, count_pegs
from framework.jumps import Jump, cell_between, format_jump, legal_jumps, play_jump
from framework.verify import Verification, verify
from grader.catalog.boards import NamedBoard
from grader.catalog.tasks import Task, has_earlier_search
from grader.messages.move_parts import mixed_up
from grader.messages.phrases import Message, are, count, drawn, few_of_all, plain_run
from grader.sandbox.answers import Answer
from grader.sandbox.child.questions import MAX_JUMPS


def illegal_jump(board: Board, jumps: Sequence[Jump], seen: Verification, of_client: bool = True) -> Message:
    """Return the message for a solution with a jump that cannot be played.

    Args:
        board: the board before the first jump.
        jumps: the solution.
        seen: the outcome of playing it; `seen.board` is the board before the jump that cannot be played.
        of_client: whether the student's client unpacked the jumps from integers.
    """
    assert seen.fault is not None
    jump = jumps[seen.legal]
    head = f"jump {seen.legal + 1} of your solution is illegal"
    solved_before = seen.pegs == 1 and seen.legal > 0
    if solved_before:
        head += f": the board is solved after jump {seen.legal}, and your search went on"
    in_wrong_order = verify(board, jumps[::-1]).solved
    if in_wrong_order:
        head += ": the moves are in reverse order, with the last one on top of the stack"
    lines = [head, f"{format_jump(jump)} {seen.fault.reason}"]
    lines += drawn(seen.board, *_jump_marks(jump, seen))
    since = _since(jumps[: seen.legal], seen.fault.cell)
    if since and not solved_before:
        lines.append(since)
    if seen.legal:
        played = ", ".join(format_jump(each) for each in jumps[max(0, seen.legal - 3) : seen.legal])
        numbers = "1 and 2" if seen.legal == 2 else f"1 to {seen.legal}"
        before = "jump 1 was" if seen.legal == 1 else f"jumps {numbers} were"
        last = "" if seen.legal <= 3 else "the last three were "
        lines.append(f"{before} legal: {last}{played}")
    if of_client and not solved_before and not in_wrong_order:
        mixed = mixed_up(jumps, lambda other: verify(board, other).solved)
        if mixed is not None:
            lines.append("with their four numbers in another order, your moves solve the board")
            lines += [mixed] if mixed else []
        all_alike = len(jumps) > 1 and len(set(jumps)) == 1
        if mixed is not None or seen.fault.cell is None or all_alike:
            return Message("\n".join(lines), _CLIENT)
    return Message("\n".join(lines), _illegal_help(board, jumps, seen, since))


def _illegal_help(board: Board, jumps: Sequence[Jump], seen: Verification, since: str) -> str:
    """Return what to do about an illegal jump: the cause if it is certain, else what to check.

    Args:
        board: the board before the first jump.
        jumps: the solution.
        seen: the outcome of playing it.
        since: which jump was the last to change the cell at fault, in words.
    """
    if seen.fault is not None and seen.fault.never:
        return _never_help(jumps[seen.legal], seen)
    if seen.pegs == 1 and seen.legal:
        return "push a move only once the board after it is solved, then return 1 at once: try no other jump"
    most = count_pegs(board) - 1
    if len(jumps) > most:
        held = f"{MAX_JUMPS} or more" if len(jumps) >= MAX_JUMPS else str(len(jumps))
        return (
            f"{count(most, 'jump')} solve this board, but {held} are on the stack: every jump that you take "
            "back must leave the stack too"
        )
    if verify(board, jumps[::-1]).solved:
        return (
            "the first move popped must be the first one played: push the last move of the solution first, "
            "and its first move last"
        )
    if not seen.legal:
        return "check the rules in can_jump: a peg, a peg next to it, and an empty hole beyond that"
    also = "play takes the jumped peg off the board, and that " if since.endswith("off the board") else ""
    return (
        "the jump was legal when your search found it, but not when your solution is played; check that "
        f"{also}every jump you take back also leaves the stack"
    )


def _never_help(jump: Jump, seen: Verification) -> str:
    """Return what to do about a jump that no position of the board allows."""
    landing = (jump[2], jump[3])
    if seen.fault is not None and seen.fault.cell == landing:  # both pegs are there
        return "check in can_jump that the landing cell is EMPTY: a blocked cell is not a hole"
    return "that jump is never legal on this board, wherever the pegs are; check the rules in can_jump"


_CLIENT = (
    "do you pass the four numbers to move_new in the order of its parameters? does client.py return the same "
    "four? to test client.py: grade client"
)


def _since(jumps: Sequence[Jump], cell: tuple[int, int] | None) -> str:
    """Return in words which of the jumps was the last to change a cell; empty if none changed it."""
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


def jump_cell(cell: Sequence[int]) -> str:
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
        legend = "@ from   x no peg to jump over   + landing"
    return marks, legend


def not_solved(said: str, jumps: Sequence[Jump], seen: Verification, more: str = "") -> Message:
    """Return the message for a solution that leaves more than one peg; `more` is added to the help."""
    if not jumps:
        return Message(
            f"{said}, but pushed no move: the stack is empty and {seen.pegs} pegs are left",
            f"push each jump of the solution, the last one first{more}",
        )
    shown = "\n".join(drawn(seen.board))
    return Message(
        f"{said}, but the {count(len(jumps), 'jump')} on the stack leave{'s' if len(jumps) == 1 else ''} "
        f"{seen.pegs} pegs\nafter {format_jump(jumps[-1])}:\n{shown}",
        f"every jump of the solution must be on the stack, the first one on top{more}",
    )


def solvable(number: int, board: NamedBoard, task: Task, debug: bool, *, exact: bool) -> Message:
    """Return the message for a program that gave up on a board that can be solved.

    Args:
        number: the program's answer.
        board: the board.
        task: the task.
        debug: whether it ran as plain Python.
        exact: whether the answer must be the fewest pegs; then its number shows where the program stopped.
    """
    if exact and board.facts.forced:
        return _gave_up_early(1, number, board)
    if exact and number == board.pegs:
        return Message(
            f"found {number}, the number of pegs at the start, expected 1: this board can be solved",
            "does the number of pegs drop by one with each jump?"
            + checked(board, task, debug).replace(";", "", 1),
        )
    if has_earlier_search(task):
        help = (
            "is each jump tried, in all four directions? if so, a board is missing from your table of boards "
            "that can win: begin that table with a single peg, on each hole of the board's class in turn, "
            "and take back every possible jump"
        )
    elif not exact:
        help = (
            "either some jump is never tried, or a board that was not searched to its end is taken to be "
            "unsolvable"
        )
    else:
        help = (
            "some jump is never tried: check all four directions, and that each jump is taken back "
            "before the next is tried"
        )
    return Message(
        f"found {number}, expected 1: this board can be solved", help + checked(board, task, debug)
    )


def wrong_number(answer: Answer, board: NamedBoard, task: Task, debug: bool) -> Message:
    """Return the message for a wrong number of pegs left on a board that cannot be solved."""
    number, fewest = answer.number, board.facts.fewest
    assert fewest is not None
    if number < fewest and not legal_jumps(board.board):
        return Message(
            f"found {count(number, 'peg')} left, expected {fewest}: no jump is possible on this board",
            ("either a peg is not counted, or " if number == fewest - 1 else "")
            + "can_jump allows a jump that the rules do not allow"
            + checked(board, task, debug),
        )
    if number < fewest:
        return Message(
            f"found {count(number, 'peg')} left, expected {fewest}: no line of play leaves so few",
            "perhaps a jump is made that the rules do not allow, or a peg is subtracted twice"
            + checked(board, task, debug),
        )
    if board.facts.forced:
        return _gave_up_early(fewest, number, board)
    if number == board.pegs:
        return Message(
            f"found {count(number, 'peg')} left, the number of pegs at the start, expected {fewest}",
            "does the number of pegs drop by one with each jump, and is the smallest number kept?",
        )
    few = few_of_all(answer, board.facts)
    if few:
        return Message(
            f"found {count(number, 'peg')} left, expected {fewest}: {few}",
            "do two different boards get the same key, or is a board recorded before it is searched?",
        )
    return Message(
        f"found {count(number, 'peg')} left, expected {fewest}: some line of play leaves fewer",
        "return the fewest pegs left on any board that you reached, not the pegs on the last board",
    )


def checked(board: NamedBoard, task: Task, debug: bool) -> str:
    """Return the command that checks each step on this board; empty if it has run or takes too long."""
    run = plain_run(task, board)
    return "" if debug or "--board" not in run else f"; to check each step: {run}"


def _gave_up_early(expected: int, number: int, board: NamedBoard) -> Message:
    """Return the message for a program that stopped early though play is forced, with the jump it missed."""
    head = f"found {count(number, 'peg')} left, expected {expected}: "
    played = board.board.copy()
    jumps = legal_jumps(played)
    while jumps and count_pegs(played) > number:
        play_jump(played, jumps[0])
        jumps = legal_jumps(played)
    if not jumps:
        return Message(
            f"{head}there is never more than one jump to make", "is there one peg fewer after each jump?"
        )
    jump = jumps[0]
    lines = drawn(played, *marked(jump))
    head += f"the only possible jump, {format_jump(jump)}, is not made or not counted"
    shown = "\n".join([head, *lines])
    if number == board.pegs:
        return Message(shown, "is that jump found, and is there one peg fewer after it?")
    return Message(
        shown,
        "do you look for a jump from every peg in all four directions, until there is none left, and is "
        "there one peg fewer after each jump?",
    )


def marked(jump: Jump) -> tuple[dict[tuple[int, int], str], str]:
    """Return the marks of a jump that can be made, and the legend."""
    marks = {(jump[0], jump[1]): "@", cell_between(jump): "x", (jump[2], jump[3]): "+"}
    return marks, "@ from   x jumps over   + landing"


def has_choices() -> Message:
    """Return the remark on a board that leaves a choice of jumps, for a program that never goes back."""
    return Message(
        "this board leaves a choice of jumps, so how many pegs are left depends on their order; the answer "
        "is not judged",
        "boards that leave a choice are what peg2 is for",
    )


NOT_ONE = "the answer is not 1"
SOLVED = "your program answered 1 (solved)"
TAKE_BACK = "take every jump back: put its two pegs back and empty the landing cell"


def impossible_number(number: int, board: NamedBoard, task: Task, debug: bool) -> Message:
    """Return the message for an answer that is impossible with this number of pegs."""
    return Message(
        f"expected a number of pegs from 1 to {board.pegs}, found {number}",
        "peg_solve returns how many pegs are left, which is 1 when the board is solved"
        + checked(board, task, debug),
    )


def stack_not_empty(number: int, jumps: Sequence[Jump], held: int, board: NamedBoard) -> Message:
    """Return the message for moves that are on the stack though the answer is not 1.

    The moves may even solve the board.

    Args:
        number: the answer.
        jumps: the moves, the top one first; perhaps only the first few of them, or none.
        held: how many moves are on the stack.
        board: the board.
    """
    if len(jumps) == held and verify(board.board, jumps).solved:
        return Message(
            f"the stack holds a solution, but your program answered {number}",
            "return 1 as soon as the board after a jump is solved",
        )
    moves = f"{MAX_JUMPS} or more moves" if held >= MAX_JUMPS else count(held, "move")
    top = f"\nthe one on top: {format_jump(jumps[0])}" if jumps else ""
    return Message(
        f"your program answered {number} (not solved), but {moves} {are(held)} left on the stack{top}",
        "push a move only once the board after it is solved; a jump that you take back must leave the stack "
        "too",
    )


def board_changed(said: str, board: NamedBoard, after: Board, more: str = "") -> Message:
    """Return the message for an unsolved board that came back changed; `more` is added to the help."""
    changed = [f"{row}:{col}" for row, col in np.argwhere(board.board != after)]
    no_hole = np.argwhere((board.board == BLOCKED) & (after != BLOCKED))
    help = TAKE_BACK + more
    if len(no_hole):
        help = (
            f"{jump_cell(no_hole[0])} is not a hole: a jump goes over a PEG and ends on EMPTY; does can_jump "
            f"check both?{more.replace(';', '', 1)}"
        )
    cells = ", ".join(changed[:6]) + (f" and {len(changed) - 6} more" if len(changed) > 6 else "")
    return Message(
        "\n".join(
            [
                f"{said}, but the board has changed at {cells}",
                "the board after your program:",
                *drawn(after),
            ]
        ),
        help,
    )


def truth_unknown(solvable: bool | None = None) -> Message:
    """Return the remark on a program that gave up on a board whose fewest pegs are not known.

    Args:
        solvable: False if it is known that the board cannot be solved; None if that is not known either.
    """
    if solvable is False:
        return Message("it is right that this board cannot be solved; the fewest pegs are not known here")
    return Message(
        "whether this board can be solved is not known here, so the answer is not judged",
        "a solution would be checked jump by jump",
    )

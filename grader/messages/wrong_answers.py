"""Messages for wrong answers: what was expected, where on the board, and what to check."""

from collections.abc import Sequence

from framework.arrays import np
from framework.board import BLOCKED, PEG, Board, count_pegs
from framework.jumps import Jump, format_jump, legal_jumps, play_jump
from framework.verify import Verification, verify
from grader.catalog.boards import NamedBoard
from grader.catalog.tasks import Task, has_earlier_search
from grader.messages.illegal_jumps import jump_cell, marked
from grader.messages.message import Message
from grader.messages.phrases import INDEX_IS_WRONG, are, count, drawn, few_of_all, plain_run
from grader.sandbox.answers import Answer
from grader.sandbox.child.questions import MAX_JUMPS


def not_solved(said: str, jumps: Sequence[Jump], seen: Verification, more: str = "") -> Message:
    """Return the message for a solution that does not win; `more` is added to the help."""
    if not jumps and seen.pegs > 1:
        return Message(
            "no-move-pushed",
            f"{said}, but pushed no move: the stack is empty and {seen.pegs} pegs are left",
            f"push each jump of the solution, the last one first{more}",
        )
    shown = "\n".join(drawn(seen.board))
    if seen.pegs == 1:
        last = jump_cell(np.argwhere(seen.board == PEG)[0])
        return Message(
            "ends-off-goal",
            f"{said}, but the last peg is on {last}, which is no goal\n{shown}",
            "one peg wins only on a goal (handouts/notation.md); anywhere else it counts as two",
        )
    return Message(
        "not-solved",
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
            "pegs-never-drop",
            f"{found_instead(number, board, exact)}: this board can be solved",
            "does the number of pegs drop by one with each jump?"
            + checked(board, task, debug).replace(";", "", 1),
        )
    if has_earlier_search(task):
        help = (
            "is each jump tried, in all four directions? if so, a board is missing from your table of boards "
            "that can win: start that table from the boards with a single peg, one for each hole of the "
            "board's class, and take back every possible jump from there"
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
        "can-be-solved",
        f"{found_instead(number, board, exact)}: this board can be solved",
        help + checked(board, task, debug),
    )


def found_instead(number: int, board: NamedBoard, exact: bool) -> str:
    """Return, as the start of a sentence, the answer of a program that gave up on a solvable board."""
    at_start = ", the number of pegs at the start" if exact and number == board.pegs else ""
    return f"found {number}{at_start}, expected 1"


def wrong_number(answer: Answer, board: NamedBoard, task: Task, debug: bool) -> Message:
    """Return the message for a wrong number of pegs left on a board that cannot be solved."""
    number, fewest = answer.number, board.facts.fewest
    assert fewest is not None
    if number < fewest and not legal_jumps(board.board):
        return Message(
            "too-few-pegs-no-jump",
            f"found {count(number, 'peg')} left, expected {fewest}: no jump is possible on this board",
            ("either a peg is not counted, or " if number == fewest - 1 else "")
            + "can_jump allows a jump that the rules do not allow"
            + checked(board, task, debug),
        )
    if number < fewest:
        return Message(
            "too-few-pegs",
            f"found {count(number, 'peg')} left, expected {fewest}: no line of play leaves so few",
            "perhaps a jump is made that the rules do not allow, or a peg is subtracted twice"
            + (", or what is returned for a board in the table is too small: pegs is safe" * task.table)
            + checked(board, task, debug),
        )
    if board.facts.forced:
        return _gave_up_early(fewest, number, board)
    if number == board.pegs:
        return Message(
            "pegs-never-drop",
            f"found {count(number, 'peg')} left, the number of pegs at the start, expected {fewest}",
            "does the number of pegs drop by one with each jump, and is the smallest number kept?",
        )
    few = few_of_all(answer, board.facts)
    if few:
        return Message(
            "keys-too-few",
            f"found {count(number, 'peg')} left, expected {fewest}: {few}",
            "do two different boards get the same key, or is a board recorded before it is searched?",
        )
    return Message(
        "fewer-pegs-possible",
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
            "gave-up-early",
            f"{head}there is never more than one jump to make",
            "is there one peg fewer after each jump?",
        )
    jump = jumps[0]
    lines = drawn(played, *marked(jump))
    head += f"the only possible jump, {format_jump(jump)}, is not made or not counted"
    shown = "\n".join([head, *lines])
    if number == board.pegs:
        return Message("gave-up-early", shown, "is that jump found, and is there one peg fewer after it?")
    return Message(
        "gave-up-early",
        shown,
        "do you look for a jump from every peg in all four directions, until there is none left, and is "
        "there one peg fewer after each jump?",
    )


def has_choices() -> Message:
    """Return the remark on a board that leaves a choice of jumps, for a program that never goes back."""
    return Message(
        "has-choices",
        "this board leaves a choice of jumps, so how many pegs are left depends on their order; the answer "
        "is not judged",
        "boards that leave a choice are what peg2 is for",
    )


NOT_ONE = "the answer is not 1"
SOLVED = "your program answered 1 (solved)"
TAKE_BACK = "take every jump back: put its two pegs back and empty the landing cell"


def impossible_number(number: int, board: NamedBoard, task: Task, debug: bool) -> Message:
    """Return the message for an answer that is impossible with this number of pegs."""
    expected = f"a number of pegs from 1 to {board.pegs}" if board.pegs > 1 else "1 peg"
    return Message(
        "impossible-number",
        f"expected {expected}, found {number}",
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
            "solution-on-stack",
            f"the stack holds a solution, but your program answered {number}",
            "return 1 as soon as the board after a jump is solved",
        )
    moves = f"{MAX_JUMPS} or more moves" if held >= MAX_JUMPS else count(held, "move")
    top = f"\nthe one on top: {format_jump(jumps[0])}" if jumps else ""
    return Message(
        "stack-not-empty",
        f"your program answered {number} (not solved), but {moves} {are(held)} left on the stack{top}",
        "push a move only when the board after it is solved; a jump that you take back must leave the stack "
        "too",
    )


def board_changed(said: str, board: NamedBoard, after: Board, more: str = "") -> Message:
    """Return the message for an unsolved board that came back changed; `more` is added to the help."""
    changed = [f"{row}:{col}" for row, col in np.argwhere(board.board != after)]
    no_hole = np.argwhere((board.board == BLOCKED) & (after != BLOCKED))
    id, help = "board-changed", TAKE_BACK + more
    if len(no_hole):
        id = "blocked-changed"
        help = (
            f"{jump_cell(no_hole[0])} is not a hole: a jump goes over a PEG and ends on EMPTY; does can_jump "
            f"check both?{more.replace(';', '', 1)}"
        )
    cells = ", ".join(changed[:6]) + (f" and {len(changed) - 6} more" if len(changed) > 6 else "")
    return Message(
        id,
        "\n".join(
            [
                f"{said}, but the board has changed at {cells}",
                "the board after your program:",
                *drawn(after),
            ]
        ),
        help,
    )


def better_than_known(fewest: int | None) -> Message:
    """Return the remark on a solution of a board that its index calls unsolvable."""
    left = "" if fewest is None else f", and that {fewest} pegs are left"
    return Message(
        "better-than-known",
        f"right: solved, but the index of the boards says that it cannot be solved{left}",
        INDEX_IS_WRONG,
    )


def truth_unknown(solvable: bool | None = None, why: str = "") -> Message:
    """Return the remark on a program that gave up on a board whose fewest pegs are not known.

    Args:
        solvable: False if it is known that the board cannot be solved; None if that is not known either.
        why: why the exact engine did not find it out; empty if it was not asked.
    """
    if solvable is False:
        return Message(
            "fewest-unknown",
            "it is right that this board cannot be solved; the fewest pegs are not known here",
        )
    return Message(
        "truth-unknown",
        "whether this board can be solved is not known here, so the answer is not judged"
        + (f"\nthe exact engine gave up: {why}" if why else ""),
        "a solution would be checked jump by jump",
    )

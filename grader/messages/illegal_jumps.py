"""Messages for solutions with a jump that cannot be played: which one, why, and how the board came there."""

from collections.abc import Sequence

from framework.board import Board, count_pegs
from framework.jumps import Jump, cell_between, format_jump
from framework.rules import is_won
from framework.verify import Verification, verify
from grader.messages.message import Message
from grader.messages.move_parts import mixed_up
from grader.messages.phrases import count, drawn
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
    solved_before = is_won(seen.board) and seen.legal > 0
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
            return Message("move-parts-mixed-up", "\n".join(lines), _CLIENT)
    id, help = _illegal_help(board, jumps, seen, since)
    return Message(id, "\n".join(lines), help)


def _illegal_help(board: Board, jumps: Sequence[Jump], seen: Verification, since: str) -> tuple[str, str]:
    """Return the message's identity and what to do: the cause if it is certain, else what to check.

    Args:
        board: the board before the first jump.
        jumps: the solution.
        seen: the outcome of playing it.
        since: which jump was the last to change the cell at fault, in words.
    """
    if seen.fault is not None and seen.fault.never:
        return _never_help(jumps[seen.legal], seen)
    if is_won(seen.board) and seen.legal:
        return "search-went-on", (
            "push a move only when the board after it is solved, then return 1 at once: try no other jump"
        )
    most = count_pegs(board) - 1
    if len(jumps) > most:
        held = f"{MAX_JUMPS} or more" if len(jumps) >= MAX_JUMPS else str(len(jumps))
        return "taken-back-jumps-on-stack", (
            f"{count(most, 'jump')} solve this board, but {held} are on the stack: every jump that you take "
            "back must leave the stack too"
        )
    if verify(board, jumps[::-1]).solved:
        return "moves-in-reverse", (
            "the first move popped must be the first one played: push the last move of the solution first, "
            "and its first move last"
        )
    if not seen.legal:
        return "first-jump-illegal", (
            "check the rules in can_jump: a peg, a peg next to it, and an empty hole beyond that"
        )
    also = "play takes the jumped peg off the board, and that " if since.endswith("off the board") else ""
    return "jump-illegal-when-played", (
        "the jump was legal when your search found it, but not when your solution is played; check that "
        f"{also}every jump you take back also leaves the stack"
    )


def _never_help(jump: Jump, seen: Verification) -> tuple[str, str]:
    """Return the message's identity and what to do about a jump that no position of the board allows."""
    landing = (jump[2], jump[3])
    if seen.fault is not None and seen.fault.cell == landing:  # both pegs are there
        return "lands-on-blocked", (
            "check in can_jump that the landing cell is EMPTY: a blocked cell is not a hole"
        )
    return "jump-never-legal", (
        "that jump is never legal on this board, wherever the pegs are; check the rules in can_jump"
    )


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


def marked(jump: Jump) -> tuple[dict[tuple[int, int], str], str]:
    """Return the marks of a jump that can be made, and the legend."""
    marks = {(jump[0], jump[1]): "@", cell_between(jump): "x", (jump[2], jump[3]): "+"}
    return marks, "@ from   x jumps over   + landing"

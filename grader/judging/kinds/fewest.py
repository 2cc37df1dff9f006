"""Judge tasks that ask for the fewest moves: their number, and the jumps of a solution in that many moves."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product
from types import MappingProxyType
from typing import Any, NamedTuple

from framework.board import BLOCKED, PEG, SIZE, Board, format_board, parse_board
from framework.jumps import Jump, moves_of
from framework.verify import verify
from grader import paths
from grader.catalog.boards import ANY_GOAL, NamedBoard, course_boards, find_board, goal_of
from grader.catalog.images import image_of_cell
from grader.catalog.tasks import Asked, Check, Registry, Task
from grader.errors import InputError
from grader.judging.kinds.kind import accepted, ruled
from grader.judging.kinds.solve import Solve, question, withheld
from grader.messages import illegal_jumps, wrong_answers
from grader.messages.catalogue import Message, say
from grader.messages.phrases import count
from grader.result import Result, Verdict
from grader.sandbox.answers import Answer

NO_WAY = -1  # the answer if there is no solution
PROVED_HOLES = 33  # most holes for which the exact engine proves the fewest moves in seconds
STATES = 200_000  # of a board with more holes, up to which it is searched by moves: some seconds


class Truth(NamedTuple):
    """The fewest moves that solve a board; `moves` is None if there is no solution."""

    moves: int | None


class Fewest(Solve):
    """Tasks that ask for the fewest moves to a single peg, on the check's hole `ROW,COL` or on `any` hole."""

    variants = MappingProxyType({ANY_GOAL: 1})
    visits_all = False

    # ---- what is asked -------------------------------------------------------------------------

    def is_variant(self, text: str) -> bool:
        return text == ANY_GOAL or goal_of(text) is not None

    def turned(self, check: Check, image: str) -> Check:
        goal = goal_of(check.variant)
        return check if goal is None else replace(check, variant="{},{}".format(*image_of_cell(*goal, image)))

    def request(self, asked: Asked) -> dict[str, Any]:
        """Ask the child to run `peg_solve` on the board, with the hole where the last peg must be.

        Raises:
            InputError: the cell is not a hole of the board.
        """
        board, (row, col) = asked.the_board, goal_of(asked.check.variant) or (-1, -1)
        if asked.check.variant != ANY_GOAL and board.board[row, col] == BLOCKED:
            raise InputError(
                f"board {asked.check.name}: expected one of its holes after the ':', found a blocked cell",
                f"see its holes: grade show {board.name}",
            )
        return question(board, asked.task, row, col)

    def compiling(self, task: Task, registry: Registry) -> dict[str, Any]:
        boards = [find_board(name, course_boards()) for name in registry.compile_boards]
        return {"kind": "several", "questions": [question(board, task, -1, -1) for board in boards]}

    # ---- an answer -----------------------------------------------------------------------------

    def judge(self, asked: Asked, answer: Answer, result: Result) -> Result:
        board, number = asked.the_board, answer.number
        if not NO_WAY <= number < board.pegs:
            told = say("impossible-moves", most=board.pegs - 1, found=number)
            return ruled(result, Verdict.BAD_RETURN, told)
        if number > 0:
            return self._judge_solution(asked, board, answer, result)
        result = replace(result, answer="no solution" if number == NO_WAY else "solved already")
        if answer.jumps:
            told = say("jumps-left-on-stack", answer=number, jumps=len(answer.jumps), top=answer.jumps[0])
            return ruled(result, Verdict.WRONG_ANSWER, told)
        if (answer.board != board.board).any():
            told = wrong_answers.board_changed(number, board, answer.board)
            return ruled(result, Verdict.WRONG_ANSWER, told)
        truth = truth_of(board, asked.check.variant)
        if truth is None:
            return ruled(result, Verdict.ACCEPTED, say("moves-not-known"))
        if truth.moves == (None if number == NO_WAY else 0):
            return accepted(result)
        where = "" if asked.check.variant == ANY_GOAL else asked.check.variant.replace(",", ":")
        id = "not-solved-yet"
        if number == NO_WAY:
            id = "moves-can-be-solved" if truth.moves else "solved-already"
        return ruled(result, Verdict.WRONG_ANSWER, say(id, fewest=truth.moves, goal=where))

    def _judge_solution(self, asked: Asked, board: NamedBoard, answer: Answer, result: Result) -> Result:
        seen = verify(board.board, answer.jumps)
        played = moves_of(answer.jumps)
        moves, jumps = len(played), len(answer.jumps)
        said = count(answer.number, "move")
        result = replace(result, jumps=answer.jumps, answer=said)
        goal = goal_of(asked.check.variant)
        if seen.fault is not None:
            told = illegal_jumps.illegal_jump(board.board, answer.jumps, seen)
            return ruled(replace(result, answer="illegal move"), Verdict.ILLEGAL_MOVE, told)
        if seen.pegs != 1:  # on any hole: this task has goals of its own
            told = wrong_answers.not_solved(answer, seen, board, asked.task, moves=True)
            return ruled(replace(result, answer=f"{seen.pegs} left"), Verdict.WRONG_ANSWER, told)
        result = replace(result, pegs_left=1)
        if goal is not None and seen.board[goal] != PEG:
            told = say("ends-elsewhere", goal=goal, found=answer.jumps[-1][2:])
            return ruled(result, Verdict.WRONG_ANSWER, told)
        holes = [_holes(move) for move in played]
        if moves != answer.number:
            told = say("moves-miscounted", answer=answer.number, jumps=jumps, moves=moves, played=holes)
            return ruled(result, Verdict.WRONG_ANSWER, told)
        truth = truth_of(board, asked.check.variant)
        if truth is None:
            return ruled(result, Verdict.ACCEPTED, say("moves-unknown", moves=moves))
        if truth.moves is None or moves < truth.moves:
            told = say("fewer-moves-than-known", moves=moves, fewest=truth.moves)
            return accepted(result, told)
        if moves > truth.moves:
            told = say("too-many-moves", moves=moves, fewest=truth.moves, played=holes)
            return ruled(result, Verdict.WRONG_ANSWER, told)
        return accepted(result)

    def settle(self, results: list[Result], boards: Sequence[NamedBoard | None]) -> list[Result]:
        """Withhold the points of unsolvable checks unless the solvable ones earned half of theirs."""
        return withheld(results, [_is_solvable(result) for result in results])

    def not_judged(self, board: NamedBoard) -> str:
        facts = board.facts
        if facts.solvable is False or ANY_GOAL in facts.moves:
            return ""
        known = facts.positions is not None and truth_of(board, ANY_GOAL)
        return "" if known else "the fewest moves are not known"

    def lacks(self, check: Check, board: NamedBoard) -> str:
        """Return which entry of `moves` the index lacks; students have no engine that could prove it."""
        if board.facts.solvable and check.variant not in board.facts.moves:
            return f"moves has no {check.variant}"
        return super().lacks(check, board)

    # ---- words ---------------------------------------------------------------------------------

    def truth(self, asked: Asked) -> str:
        truth = truth_of(asked.the_board, asked.check.variant)
        if truth is None:
            return "not known"
        return "unsolvable" if truth.moves is None else count(truth.moves, "move")

    def parameters(self, task: Task) -> tuple[str, ...]:
        return ("board", "stack", "row", "col")

    def slow(self, asked: Asked) -> Message:
        return say("fewest-slow", handout=asked.task.handout)

    def loop_help(self, task: Task) -> Message:
        return say("fewest-loops")

    def memory_help(self, task: Task) -> Message:
        return say("fewest-memory")


def _holes(move: Sequence[Jump]) -> str:
    """Return the holes that the peg of a move visits."""
    return " -> ".join([f"{move[0][0]}:{move[0][1]}", *(f"{row}:{col}" for _, _, row, col in move)])


def _is_solvable(result: Result) -> bool | None:
    """Return whether a check has a solution; None if that is not known."""
    if result.jumps and result.verdict == Verdict.ACCEPTED:  # whatever the index says
        return True
    return None if result.truth in ("", "not known") else result.truth != "unsolvable"


def truth_of(board: NamedBoard, variant: str) -> Truth | None:
    """Return the fewest moves from the index or else the exact engine; None if neither has them."""
    if variant in board.facts.moves:
        return Truth(board.facts.moves[variant])
    if board.facts.solvable is False:
        return Truth(None)
    return proved(format_board(board.board), variant)


@lru_cache(maxsize=4096)
def proved(text: str, variant: str) -> Truth | None:
    """Return the fewest moves that the exact engine proves; None without the engine or for a large board."""
    board = parse_board(text)
    if not paths.ORACLE.is_dir():
        return None
    from grader import oracle
    from grader.oracle.explore import fewest_moves
    from grader.oracle.problem import OracleError

    try:
        goals = goals_of(board, variant)
        if any(board[goal] == BLOCKED for goal in goals):
            return None
        if (board != BLOCKED).sum() <= PROVED_HOLES:
            return Truth(oracle.solutions(board, goals).moves)
        return Truth(fewest_moves(board, sum(1 << SIZE * row + col for row, col in goals), STATES))
    except OracleError:
        return None


def goals_of(board: Board, variant: str) -> list[tuple[int, int]]:
    """Return the holes on which a variant lets the last peg be left."""
    goal = goal_of(variant)
    cells = product(range(SIZE), repeat=2)
    return [goal] if goal else [(row, col) for row, col in cells if board[row, col] != BLOCKED]

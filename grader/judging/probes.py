"""Ask more of a program that failed, to find the cause: of its rules of a jump, its table, its search.

These questions come after all checks that students see, and change messages only, never a verdict. A cause
is told only if it was seen to happen, and never in place of one that is as certain.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

from framework.board import Board, format_board
from framework.jumps import Jump, legal_jumps, play_jump
from framework.verify import verify
from grader.catalog.boards import NamedBoard, course_boards, find_board
from grader.catalog.tasks import Asked, Task, has_earlier_search, registry
from grader.judging import kinds
from grader.judging.check_run import answer_of
from grader.judging.kinds import table_truth
from grader.judging.kinds.both_ends import BothEnds, made_backwards
from grader.judging.kinds.solve import Solve, question
from grader.judging.kinds.table_truth import Positions
from grader.judging.kinds.with_table import missing
from grader.judging.walk import Walk, follow
from grader.messages import walks, wrong_rules, wrong_tables
from grader.messages.endings import KILLED
from grader.messages.jump_kinds import in_common
from grader.messages.phrases import Message
from grader.result import Result, Verdict
from grader.sandbox import answers
from grader.sandbox.answers import Failure, Noted
from grader.sandbox.outcome import Outcome

T = TypeVar("T")
Judged = Sequence[tuple[Asked, Result]]
Explain = Callable[[Asked, Failure], Message]

CPU_S, WALL_S = 2.0, 10.0  # for all questions about a task; the last one may exceed WALL_S by its own limit
RULES_FILE = "peg1.py"
MOST_BOARDS = 100  # that the rules are asked about
MOST_FOLLOWED = 3  # searches that fail, and as many others
MOST_PEGS = 12  # on boards made backwards
EXPLAINED = (
    Verdict.WRONG_ANSWER,
    Verdict.ILLEGAL_MOVE,
    Verdict.BAD_RETURN,
    Verdict.CONTRACT,
    Verdict.TIMEOUT,
)
NAMED = (Verdict.CONTRACT, Verdict.ILLEGAL_MOVE)  # their messages name a line, or a jump


class Ask:
    """Asks fresh children, as long as there is time for it."""

    def __init__(self, run: Callable[[dict[str, Any], float, dict[str, Any] | None], Outcome]) -> None:
        """Prepare it; `run` asks a child a question, within CPU seconds, and sends it more if it answers."""
        self._run = run
        self._cpu_s = CPU_S
        self._end = time.monotonic() + WALL_S

    def __call__(
        self,
        request: dict[str, Any],
        parse: Callable[[dict[str, Any]], T],
        more: dict[str, Any] | None = None,
    ) -> T | None:
        """Return the answer; None if there is none."""
        if self._cpu_s <= 0 or time.monotonic() > self._end:
            return None
        outcome = self._run(request, self._cpu_s, more)
        self._cpu_s -= outcome.cpu_s
        return answer_of(outcome, parse)


def causes(task: Task, judged: Judged, explain: Explain, ask: Ask) -> Iterator[tuple[int, Message]]:
    """Yield the causes that were found: the place of a check that failed, and its message.

    Args:
        task: the task.
        judged: its checks on boards that students see.
        explain: returns the message for a failure in plain Python.
        ask: asks a child.
    """
    failed = [place for place, (_, result) in enumerate(judged) if may_be_explained(result)]
    if not failed:
        return
    planned = [judged[place][0] for place in failed]
    planned += [asked for place, (asked, _) in enumerate(judged) if place not in failed]
    told = rules(task, planned, ask) or use_of_table(task, ask)
    if told is not None:
        yield from ((place, told) for place in failed)
        return
    slow = [place for place in failed if judged[place][1].verdict == Verdict.TIMEOUT]
    told = recorded(task, planned, ask) if slow else None
    if told is not None:
        yield from ((place, told) for place in slow)
        return
    for place in [each for each in failed if may_be_near_end(*judged[each])][:1]:
        told = near_end(judged[place][0], ask)
        if told is not None:
            yield place, told
            return
    small = [place for place, (asked, _) in enumerate(judged) if is_followed(asked)]
    those = [place for place in small if place in failed and judged[place][1].verdict not in NAMED]
    others = [judged[place][0] for place in small if place not in failed]
    found = search([judged[place] for place in those], others, explain, ask)
    if found is not None:
        yield those[found[0]], found[1]


def may_be_explained(result: Result) -> bool:
    """Return whether more can be found out about a failure: not if a line of code is known to fail."""
    return result.verdict in EXPLAINED or (result.verdict == Verdict.CRASHED and not result.place)


def rules(task: Task, planned: Sequence[Asked], ask: Ask) -> Message | None:
    """Return what is wrong with the rules of a jump, by a look at every first line of play."""
    if RULES_FILE not in task.files:
        return None
    boards = [board for asked in planned if asked.board is not None for board in _line(asked.board.board)]
    request = {
        "kind": "rules",
        "module": RULES_FILE.removesuffix(".py"),
        "boards": [format_board(board) for board in boards[:MOST_BOARDS]],
    }
    found = ask(request, answers.parse_rules)
    return None if found is None else wrong_rules.wrong(boards[:MOST_BOARDS], found)


def _line(board: Board) -> list[Board]:
    """Return a board and those after it if each jump is the first one possible."""
    line = [board]
    while jumps := legal_jumps(line[-1]):
        line.append(line[-1].copy())
        play_jump(line[-1], jumps[0])
    return line


# ---- the search, followed ------------------------------------------------------------------------


def is_followed(asked: Asked) -> bool:
    """Return whether a check is of a search that plain Python surely ends, on a board to follow it on."""
    solves = isinstance(kinds.of(asked.task), Solve) and not asked.check.variant
    return solves and asked.board is not None and registry().debug.takes(asked.board)


def _exact(task: Task) -> bool:
    """Return whether the fewest pegs must be exact."""
    kind = kinds.of(task)
    return isinstance(kind, Solve) and kind.exact


def search(failed: Judged, passed: Sequence[Asked], explain: Explain, ask: Ask) -> tuple[int, Message] | None:
    """Return what is wrong with the search on small boards, by what it writes to them in plain Python.

    Args:
        failed: the checks to explain, with their results.
        passed: others; they show which jumps the search does make.
        explain: returns the message for a failure in plain Python.
        ask: asks a child.

    Returns:
        which of those that failed is explained, and the message.
    """
    those: list[tuple[int, Followed]] = []
    for place, (asked, result) in enumerate(failed[:MOST_FOLLOWED]):
        noted = _noted(asked, ask)
        if noted is None:
            continue
        if result.message.startswith(KILLED) and noted.error is not None:
            return place, explain(asked, noted.error)
        followed = _followed(asked, noted)
        if followed.walk.lost or noted.number in (None, 1) or noted.number != result.pegs_left:
            continue
        told = _not_taken_back(followed) or _number_lost(followed, result.pegs_left)
        if told is not None:
            return place, told
        those.append((place, followed))
    others = [(asked, _noted(asked, ask)) for asked in passed[:MOST_FOLLOWED]] if those else []
    return _untried(those, [_followed(asked, noted) for asked, noted in others if noted is not None])


class Followed(NamedTuple):
    """A search that was followed: the check, the board's positions, and its jumps."""

    asked: Asked
    known: Positions
    walk: Walk


def _noted(asked: Asked, ask: Ask) -> Noted | None:
    return ask({**kinds.of(asked.task).request(asked), "kind": "walk"}, answers.parse_noted)


def _followed(asked: Asked, noted: Noted) -> Followed:
    assert asked.board is not None
    known = table_truth.positions(asked.board.board)
    return Followed(asked, known, follow(known, noted))


def _not_taken_back(followed: Followed) -> Message | None:
    walk = followed.walk
    return walks.not_taken_back(walk.not_back, followed.known.board(walk.at_end)) if walk.not_back else None


def _number_lost(followed: Followed, number: int) -> Message | None:
    """Return how few pegs the search met, if none are fewer and its number is another."""
    asked, known, walk = followed
    met = min(map(int.bit_count, walk.tried))
    is_fewest = met == min(map(int.bit_count, known.after))
    if met < number and is_fewest and (met == 1 or _exact(asked.task)):
        return walks.number_lost(number, met, known.start.bit_count())
    return None


def _untried(
    failed: Sequence[tuple[int, Followed]], passed: Sequence[Followed]
) -> tuple[int, Message] | None:
    """Return which jumps should have been tried: all where the answer is exact, else those that win.

    Nothing is known of a search that makes no jump on any board: it may play on a copy.
    """
    tried = [jumps for each in [*(each for _, each in failed), *passed] for jumps in each.walk.tried.values()]
    untried = [(place, each, *more) for place, each in failed for more in _untried_of(each)]
    if not untried or not any(tried):
        return None
    common = in_common((jump for *_, jump in untried), (jump for jumps in tried for jump in jumps))
    only_first = all(len(set(jumps)) <= 1 for jumps in tried)
    for place, (asked, known, walk), position, jump in untried:
        if common or walk.tried[position]:
            return place, walks.never_tried(known.board(position), jump, common, only_first)
        if asked.board is not None and not asked.board.facts.forced:  # else its message shows that jump
            return place, walks.given_up(known.board(position), jump, has_earlier_search(asked.task))
    return None


def _untried_of(followed: Followed) -> Iterator[tuple[int, Jump]]:
    """Yield the positions that were left without some jump having been tried, each with such a jump.

    Those do not count of which an image was met, for both may be in the table under one key.
    """
    asked, known, walk = followed
    exact = _exact(asked.task)
    for position in known.after:
        images = {*known.images(position)} - {position} if asked.task.table else set()
        if position in walk.ended and images.isdisjoint(walk.tried) and (exact or position in known.winning):
            for jump in known.jumps_to(position, known.after if exact else known.winning):
                if jump not in walk.tried[position]:
                    yield position, jump


# ---- the table of boards given up on -------------------------------------------------------------

SOLVED, CLAIMED, GIVEN_UP = "solved", "claimed", "given up"


def use_of_table(task: Task, ask: Ask) -> Message | None:
    """Return what is wrong with the answers for boards that are in the table, or are not."""
    board, empty, full = _solves(task, ask)
    if full == SOLVED and empty == GIVEN_UP:
        return wrong_tables.wrong_way_round(board)
    return wrong_tables.counts_as_solved(board) if empty == SOLVED and full == CLAIMED else None


def recorded(task: Task, planned: Sequence[Asked], ask: Ask) -> Message | None:
    """Return why a search may be slow: what it records in the table, and whether it looks a board up."""
    if not task.table or not isinstance(kinds.of(task), Solve) or has_earlier_search(task):
        return None
    boards = [each.board for each in planned if each.board is not None and _needs_memory(each.board)]
    board = min(boards, key=lambda each: each.facts.positions or 0, default=None)
    answer = None if board is None else ask(question(board, task), answers.parse_answer)
    if board is None or answer is None or answer.states is None:
        return None
    if answer.states == 0:
        return wrong_tables.none_recorded(board.name)
    known = table_truth.positions(board.board)
    texts = {"boards": table_truth.boards_to_look_up(board.board)}
    found = ask({**question(board, task), "kind": "table"}, answers.parse_found, texts)
    table = None if found is None else table_truth.table_of(known, answer.states, found)
    if table is None or not table.is_known:
        return None
    told = missing(known, table) if _exact(task) else None
    if told is not None:
        return told._replace(message=f"on {board.name}, {told.message}")
    named, empty, full = _solves(task, ask)
    return wrong_tables.never_looked_up(named) if empty == full == SOLVED else None


def _needs_memory(board: NamedBoard) -> bool:
    return table_truth.is_small(board.facts) and table_truth.needs_memory(board.facts)


def _solves(task: Task, ask: Ask) -> tuple[str, str, str]:
    """Return what becomes of a solvable board: its name, with an empty table, with its positions in it."""
    if not task.table or not isinstance(kinds.of(task), Solve) or has_earlier_search(task):
        return "", "", ""
    named = [find_board(name, course_boards()) for name in registry().compile_boards]
    board = next(each for each in named if each.facts.forced and each.facts.solvable)
    outcomes: list[str] = []
    for those in ([], table_truth.boards_to_look_up(board.board)):
        answer = ask({**question(board, task), "recorded": those}, answers.parse_answer)
        if answer is None:
            outcomes.append("")
        elif answer.number == 1:
            outcomes.append(SOLVED if verify(board.board, answer.jumps).solved else CLAIMED)
        else:
            outcomes.append(GIVEN_UP)
    empty, full = outcomes
    return board.name, empty, full


# ---- the table of boards that can win ------------------------------------------------------------


def may_be_near_end(asked: Asked, result: Result) -> bool:
    """Return whether a search from both ends gave up on a board that it should have solved."""
    both_ends = isinstance(kinds.of(asked.task), BothEnds) and asked.board is not None
    gave_up = result.verdict == Verdict.WRONG_ANSWER and not result.jumps
    return (
        both_ends and gave_up and not asked.check.variant and "\n" not in result.message
    )  # no board is named


def near_end(asked: Asked, ask: Ask) -> Message | None:
    """Return the fewest pegs of a board, made backwards, that `peg_solve` gives up though it can win."""
    assert asked.board is not None
    for pegs in range(2, MOST_PEGS + 1):
        board = made_backwards(asked.board, pegs - 1)
        answer = None if board is None else ask(question(board, asked.task), answers.parse_answer)
        if board is None or answer is None:
            return None
        if answer.number > 1:
            return walks.given_up_first(board.board, pegs)
    return None

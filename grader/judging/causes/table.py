"""Find what is wrong with a search's table of unsolvable boards: what is recorded, and whether it is used."""

from collections import Counter
from collections.abc import Sequence

from framework.board import format_board
from framework.verify import verify
from grader.catalog.boards import NamedBoard, course_boards, find_board
from grader.catalog.tasks import Asked, Task, has_earlier_search, registry
from grader.judging import kinds
from grader.judging.causes.ask import Ask
from grader.judging.causes.search import is_exact
from grader.judging.causes.walk import follow
from grader.judging.held import KeySet
from grader.judging.kinds import client, table_truth
from grader.judging.kinds.solve import Solve, question
from grader.judging.kinds.with_table import missing
from grader.messages.catalogue import say
from grader.messages.message import Message, with_jump
from grader.sandbox import answers

SOLVED, CLAIMED, GIVEN_UP = "solved", "claimed", "given up"


def use_of_table(task: Task, ask: Ask) -> Message | None:
    """Return what the program does wrong when a board is, or is not, in its table; None if nothing."""
    board, empty, full = _solves(task, ask)
    if full == SOLVED and empty == GIVEN_UP:
        return say("gives-up-unknown", board=board)
    if empty == SOLVED and full == CLAIMED:
        return say("counts-as-solved", board=board, number=1)
    if not is_exact(task) or (empty, full) != (SOLVED, GIVEN_UP):
        return None
    known = find_board(board, course_boards())
    answer = ask({**question(known, task), "recorded": [format_board(known.board)]}, answers.parse_answer)
    wrong = answer is not None and answer.number not in (1, known.pegs)
    return say("counts-as-solved", board=board, number=answer.number) if answer and wrong else None


def recorded(task: Task, planned: Sequence[Asked], ask: Ask) -> Message | None:
    """Return why a search may be slow: wrong or missing records in the table, or boards never looked up."""
    board = _board_of(task, planned)
    answer = None if board is None else ask(question(board, task), answers.parse_answer)
    if board is None or answer is None or answer.states is None:
        return None
    if answer.states == 0:
        return say("none-recorded", board=board.name)
    known = table_truth.positions(board.board)
    texts = {"boards": table_truth.boards_to_look_up(board.board)}
    found = ask({**question(board, task), "kind": "table"}, answers.parse_found, texts)
    table = None if found is None else table_truth.table_of(known, answer.states, found)
    if table is None:
        return None
    if not table.is_known:
        return say("other-keys-in-table", board=board.name, keys=table.size, strange=table.size - table.keys)
    told = missing(known, table) if is_exact(task) else None
    if told is not None:
        dead, shifted = (bool(told.facts.get(fact)) for fact in ("dead", "shifted"))
        others = not (dead or shifted)
        return told.under(say("table-of", board=board.name, dead=dead, shifted=shifted, others=others))
    named, empty, full = _solves(task, ask)
    return say("never-looked-up", board=named) if empty == full == SOLVED else None


def too_early(task: Task, planned: Sequence[Asked], ask: Ask) -> Message | None:
    """Return the message about a board that is recorded before a jump of it that is tried; None if none is.

    The keys in a table are in the order of their insertion.
    """
    board = _board_of(task, planned)
    if board is None:
        return None
    known = table_truth.positions(board.board)
    kept = ask({**question(board, task), "kind": "kept"}, answers.parse_kept)
    texts = [*map(known.text, known.after)]
    keys = kept and ask(client.question([], texts, False), answers.parse_client_answer)
    noted = keys and ask({**question(board, task), "kind": "walk"}, answers.parse_noted)
    if not kept or not keys or not noted or len(keys.keys) != len(texts):
        return None
    number = KeySet(kept).number
    place = {number(key): at for at, key in enumerate(kept)}
    at = {each: place[number(key)] for each, key in zip(known.after, keys.keys, strict=True) if number(key)}
    for position, jumps in follow(known, noted).tried.items():
        times = Counter(jumps)  # a jump that was made only to rate the board after it was made fewer times
        searched = [jump for jump in times if times[jump] == max(times.values())]
        after = {jump: at.get(known.after_jump(position, jump), -1) for jump in searched}
        here = at.get(position, len(kept))
        for jump in (jump for jump, there in after.items() if there > here):
            begun = any(-1 < there < here for there in after.values())
            shown = with_jump(known.board(position), jump)
            return say("recorded-before-jump", shown, board=board.name, jump=jump, begun=begun)
    return None


def _board_of(task: Task, planned: Sequence[Asked]) -> NamedBoard | None:
    """Return the smallest board whose search needs its table; None if there is none, or no such table."""
    if not task.table or not isinstance(kinds.of(task), Solve) or has_earlier_search(task):
        return None
    boards = [each.board for each in planned if each.board is not None and _needs_memory(each.board)]
    return min(boards, key=lambda each: each.facts.positions or 0, default=None)


def _needs_memory(board: NamedBoard) -> bool:
    return table_truth.is_small(board.facts) and table_truth.needs_memory(board.facts)


def _solves(task: Task, ask: Ask) -> tuple[str, str, str]:
    """Return a board's name and two outcomes: with an empty table, and with its positions in the table.

    `peg_solve` is run on the board, which can be solved. An outcome is empty if there was no answer. All
    three texts are empty if the task has no such table.
    """
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

"""Find the board with the fewest pegs that can be won but that a search from both ends gives up."""

from grader.catalog.tasks import Asked
from grader.judging import kinds
from grader.judging.causes.ask import Ask
from grader.judging.kinds.both_ends import BothEnds
from grader.judging.kinds.fill_part import made_backwards
from grader.judging.kinds.solve import question
from grader.messages.catalogue import say
from grader.messages.message import Message, picture
from grader.result import Result
from grader.sandbox import answers

MOST_PEGS = 8  # on boards made backwards


def may_be_near_end(asked: Asked, result: Result) -> bool:
    """Return whether a search from both ends gave up on a board that it should have solved."""
    return isinstance(kinds.of(asked.task), BothEnds) and result.code == "both-ends-give-up"


def near_end(asked: Asked, ask: Ask) -> Message | None:
    """Return the message about a board of few pegs that `peg_solve` gives up; None if none was found.

    The boards are made by playing backwards from one peg. Each answer may take long, so after a board of 2
    pegs, which every table covers, the number of pegs is found by bisection. That works because a table that
    does not go back far enough misses all boards of more pegs.
    """
    assert asked.board is not None
    solved, given_up, smallest = 1, MOST_PEGS + 1, None
    while given_up - solved > 1:
        pegs = 2 if solved == 1 else (solved + given_up) // 2
        board = made_backwards(asked.board, pegs - 1)
        answer = None if board is None else ask(question(board, asked.task), answers.parse_answer)
        if board is None or answer is None:
            break
        if answer.number > 1:
            given_up, smallest = pegs, board
        else:
            solved = pegs
    if smallest is None:
        return None
    solves = solved == given_up - 1 > 1
    told = picture(smallest.board)
    return say("given-up-near-end", told, pegs=given_up, jumps=given_up - 1, solves=solves)

"""Find the smallest board near the end that a search from both ends gives up, though it can be won."""

from grader.catalog.tasks import Asked
from grader.judging import kinds
from grader.judging.causes.ask import Ask
from grader.judging.kinds.both_ends import BothEnds, made_backwards
from grader.judging.kinds.solve import question
from grader.messages import walks
from grader.messages.phrases import Message
from grader.result import Result, Verdict
from grader.sandbox import answers

MOST_PEGS = 12  # on boards made backwards


def may_be_near_end(asked: Asked, result: Result) -> bool:
    """Return whether a search from both ends gave up on a board that it should have solved."""
    both_ends = isinstance(kinds.of(asked.task), BothEnds) and asked.board is not None
    gave_up = result.verdict == Verdict.WRONG_ANSWER and not result.jumps
    return (
        both_ends and gave_up and not asked.check.variant and "\n" not in result.message
    )  # the message has one line, so it shows no board


def near_end(asked: Asked, ask: Ask) -> Message | None:
    """Return the message about the smallest board, made by playing backwards, that `peg_solve` gives up."""
    assert asked.board is not None
    for pegs in range(2, MOST_PEGS + 1):
        board = made_backwards(asked.board, pegs - 1)
        answer = None if board is None else ask(question(board, asked.task), answers.parse_answer)
        if board is None or answer is None:
            return None
        if answer.number > 1:
            return walks.given_up_first(board.board, pegs)
    return None

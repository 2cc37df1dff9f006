"""A question about the table of boards that can win."""

from random import Random

from grader.catalog.tasks import Task
from grader.judging import kinds
from grader.judging.kinds.both_ends import BothEnds
from grader.viva import boards
from grader.viva.author import Author
from grader.viva.question import Asked, Drawn, Question, numbers, with_answers


def can_win(author: Author, task: Task, draw: Random) -> Question | None:
    """Ask how many boards are in the table after one jump back."""
    if not isinstance(kinds.of(task), BothEnds):
        return None
    for known in boards.chosen(author.boards, draw, lambda known: len(known.bits) <= 9, 1):
        board = known.board(known.start)
        size = author.program(task).winning(board, 1)
        ends, before = len(known.won), len(known.before(known.won))
        if size != ends + before:
            return None
        asked = Asked(
            "boards that can win",
            task.file,
            "`fill_winning` is given the holes of this board, and goes back one jump. How many boards are "
            "then in its table?",
            boards=(Drawn(known.text(known.start)),),
        )
        right, wrong = numbers(
            size,
            f"{ends} boards of one peg, and {before} of two pegs",
            [
                (before, "without the boards of one peg"),
                (ends, "only the boards of one peg"),
                (ends + before // 2, "as if each three holes in a line allowed one jump, not two"),
                (before + 1, "as if the game ended on one hole only"),
                (ends + 2 * before, "as if each jump back led to two boards"),
            ],
        )
        return with_answers(asked, right, wrong, draw)
    return None

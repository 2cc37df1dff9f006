"""Answer what a teacher asks first about a class, each in a line."""

from collections.abc import Sequence
from dataclasses import dataclass

from grader.course.reports.class_groups import Board
from grader.course.reports.class_numbers import Numbers
from grader.course.reports.class_summary import IDENTICAL, MISSING, PACKAGING
from grader.course.reports.standings import Standings
from grader.messages.phrases import count
from grader.safe_text import one_line

NOTHING = 0.1  # a check that separates less tells nothing about who is strong
MOST_TEXT = 120  # characters of a text from outside
NAMED = 3  # checks named in one answer


@dataclass(frozen=True)
class Answer:
    """A question and its answer."""

    question: str
    said: str
    section: str
    students: Sequence[str] = ()  # the students whom the answer is about, if the page can show only these


def at_a_glance(standings: Standings, numbers: Numbers) -> list[Answer]:
    """Return the answers; a question without one is left out."""
    found = []
    below = [
        each.student.id
        for each in standings.students
        if each.attempts and each.grade.total * 2 < each.grade.max_total
    ]
    if below:
        said = f"{len(below):,} of {count(numbers.handed_in, 'student')}"
        found.append(Answer("Handed in but scored below half", said, "students", below))
    packed = [each for each in numbers.mistakes if numbers.is_packaging(each)]
    common = [each for each in numbers.mistakes if len(each.who) > 1 and each not in packed]
    if common:
        first = common[0]
        said = (
            f"{', '.join(first.checks)}: {shortened(first.text)}: {count(len(first.who), 'student')}, "
            f"{count(first.lost, 'point')}{_more(sum(each.lost == first.lost for each in common) - 1)}"
        )
        found.append(Answer("The common mistake that costs most", said, "mistakes"))
    found += _of_boards(numbers.boards)
    if any(each.behind for each in numbers.sections):
        section = max(numbers.sections, key=lambda each: each.below)
        task, share, whole = section.behind or ("", 0.0, 0.0)
        tied = [
            shortened(each.name or "") or "none"
            for each in numbers.sections
            if each.behind and each.behind[0] == task and round(each.below) == round(section.below)
        ]
        said = (
            f"{', '.join(tied[:NAMED])}{_more(len(tied) - NAMED)}, in {task}: {section.below:.0f} "
            f"percentage points below the class, {share:.0f} % against {whole:.0f} %"
        )
        found.append(Answer("The section furthest behind", said, "sections"))
    lost = sum(each.lost for each in packed)
    for title, students, more in (
        (PACKAGING, numbers.slips, f", {count(lost, 'point')} lost" if lost else ""),
        (MISSING, numbers.missing, ""),
    ):
        if students:
            found.append(Answer(title, count(len(students), "student") + more, id_of(title)))
    if same := [each for each in numbers.alike if each.same_files]:
        alike = {student for each in same for student in each.students}
        said = f"{count(len(same), 'group')}, {count(len(alike), 'student')}"
        found.append(Answer(IDENTICAL, said, id_of(IDENTICAL)))
    return found


def _of_boards(boards: Sequence[Board]) -> list[Answer]:
    """Return which check separates best, and which tell nothing."""
    rated = sorted((round(each.separates, 2), _name(each)) for each in boards if each.separates is not None)
    if not rated:
        return []
    (low, lowest), (high, _) = rated[0], rated[-1]
    best = [name for value, name in rated if value == high]
    nothing = [_name(each) for each in boards if _tells_nothing(each)]
    said = (
        f"{', '.join(nothing[:NAMED])}{_more(len(nothing) - NAMED)}"
        if nothing
        else (f"none; the lowest is {lowest}, {low:.2f}")
    )
    return [
        Answer(
            "The board that best separates strong from weak",
            f"{high:.2f} of 1: {', '.join(best[:NAMED])}{_more(len(best) - NAMED)}",
            "boards",
        ),
        Answer("Boards that tell nothing about who is strong", said, "boards"),
    ]


def _tells_nothing(board: Board) -> bool:
    """Return whether a check tells nothing about who is strong, which is not so if it could not be rated."""
    if board.separates is None:
        return board.accepted in (0, board.of)
    return abs(board.separates) < NOTHING


def id_of(title: str) -> str:
    """Return the id of the page's section with a title."""
    return title.lower().replace(" ", "-").replace("'", "")


def _name(board: Board) -> str:
    return f"{board.task} {shortened(board.board)}"


def _more(number: int) -> str:
    return f", and {number:,} more" if number > 0 else ""


def shortened(text: str) -> str:
    """Return a text from outside for a cell; gradebook.csv has the full text."""
    return one_line(text, MOST_TEXT)

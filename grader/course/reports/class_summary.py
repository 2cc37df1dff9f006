"""Summarize a class for the instructor: a page of Markdown, a short table for the terminal, and a glance."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from grader.course.reports.class_mistakes import Mistake
from grader.course.reports.class_numbers import Alike, Board, Flag, Numbers, TaskNumbers
from grader.course.reports.standings import Standings
from grader.messages.phrases import count
from grader.reports.content import plain_table
from grader.reports.markdown import in_line, table_of
from grader.result import Verdict
from grader.safe_text import one_line

BAR = 40  # characters of the longest bar of a histogram
HARDEST, MISTAKES, NAMES, ROWS = 10, 10, 20, 50  # the most that are listed; the others are counted


PACKAGING, IDENTICAL, MISSING = "Probably a packaging mistake", "Identical files", "Nothing handed in"


def format_summary(numbers: Numbers) -> str:
    """Return the summary as Markdown."""
    made = ["\n".join(f"- {in_line(line)}" for line in numbers.made)] if numbers.made else []
    handed_in = f"{count(numbers.students, 'student')}, {numbers.handed_in:,} handed in"
    blocks = [
        "# The class",
        f"{handed_in}. Points are before late penalties and other course rules.",
        *made,
        _task_table(numbers.tasks),
        _verdict_table(numbers.tasks),
    ]
    blocks += ["## Points"] if any(task.points for task in numbers.tasks) else []
    blocks += [_histogram(task) for task in numbers.tasks if task.points]
    blocks += ["## Hardest boards", _hardest(numbers)] if numbers.boards else []
    mistakes = [each for each in numbers.mistakes if not numbers.is_packaging(each)]
    blocks += ["## Mistakes that cost most", _mistake_table(mistakes)] if mistakes else []
    for title, said, lines in lists(numbers, in_line, in_line):
        more = [f"- and {len(lines) - ROWS:,} more"] if len(lines) > ROWS else []
        blocks += [f"## {title}", said, "\n".join([*(f"- {line}" for line in lines[:ROWS]), *more])]
    return "\n\n".join(blocks) + "\n"


def lists(
    numbers: Numbers, shown: Callable[[str], str], who: Callable[[str], str]
) -> list[tuple[str, str, list[str]]]:
    """Return the lists of students, each as title, explanation and lines; empty lists are left out.

    Args:
        shown: makes a text from outside safe to show.
        who: returns how a student is named, for an id.
    """
    found = [
        (
            "The grader's own faults",
            "These points are not final. The same command grades them again.",
            [f"{who(student)}: {count(checks, 'check')}" for student, checks in numbers.ours],
        ),
        (
            "Not graded yet",
            "The run was stopped before these were graded. The same command resumes it.",
            list(map(who, numbers.waiting)),
        ),
        (
            PACKAGING,
            "Files that are missing, misnamed or in the wrong place. Where the meaning was clear, they were "
            "graded as meant, and the line says so. The students' reports say the same.",
            [f"{who(student)}: {'; '.join(map(shown, told))}" for student, told in numbers.slips],
        ),
        (
            "Counts of states worth a look",
            "A count is the student's claim. On an unsolvable board peg3 must visit every position, and a "
            "long search visits many. There are honest reasons for odd counts: look at the program.",
            [_flag(flag, shown, who) for flag in numbers.flags],
        ),
        (
            IDENTICAL,
            "The files are identical apart from line endings.",
            [_alike(each, who) for each in numbers.alike if each.same_files],
        ),
        (
            "The same answers",
            "Different files, but the same jumps and counts on every board. Programs that try jumps in the "
            "same order have this in common, so a large group means little; a small one means more.",
            [_alike(each, who) for each in numbers.alike if not each.same_files],
        ),
        (
            "The course's own solution",
            "The file is the reference, as it is or with other names and another format.",
            [f"{who(student)}: {', '.join(tasks)}" for student, tasks in numbers.references.items()],
        ),
        (
            MISSING,
            f"{count(len(numbers.missing), 'student')} of the roster.",
            list(map(who, numbers.missing)),
        ),
        ("Not on the roster", "They are graded like all others.", list(map(who, numbers.strangers))),
    ]
    return [each for each in found if each[2]]


def _task_table(tasks: Sequence[TaskNumbers]) -> str:
    quarters = ["least", "lower quarter", "median", "upper quarter", "most"]
    head = ["task", "handed in", "full marks", *quarters, "of"]
    return _table(head, [[in_line(cell) for cell in _task_row(task)] for task in tasks])


def _task_row(task: TaskNumbers) -> list[str]:
    spread = [task.points[0], *task.quartiles, task.points[-1]] if task.points else ["-"] * 5
    cells = [each if isinstance(each, str) else f"{each:g}" for each in spread]
    return [task.task.name, f"{len(task.points):,}", f"{task.full:,}", *cells, str(task.most)]


def _verdict_table(tasks: Sequence[TaskNumbers]) -> str:
    seen = [verdict for verdict in Verdict if any(task.verdicts.get(verdict) for task in tasks)]
    head = ["checks", *(verdict.words for verdict in seen)]
    rows = [[task.task.name, *(f"{task.verdicts.get(verdict, 0):,}" for verdict in seen)] for task in tasks]
    return _table(head, rows)


def _histogram(task: TaskNumbers) -> str:
    bars = task.tenths
    lines = [f"{task.task.name}, by share of the {task.most} points"]
    for tenth, number in enumerate(bars):
        label = "all" if tenth == 10 else f"{10 * tenth} - {10 * tenth + 9} %"
        bar = "#" * -(-number * BAR // max(bars))  # rounded up, so that even one student is visible
        lines.append(f"{label:>9} {number:>6,}  {bar}".rstrip())
    return "```text\n" + "\n".join(lines) + "\n```"


def _hardest(numbers: Numbers) -> str:
    rows = [
        [in_line(each.task), in_line(each.board), f"{each.accepted:,} of {each.of:,}"]
        for each in numbers.boards[:HARDEST]
    ]
    return _table(["task", "board", "right"], rows, left=2)


def _mistake_table(mistakes: Sequence[Mistake]) -> str:
    rows = [
        [in_line(each.text.replace("`", "")), ", ".join(each.checks), f"{len(each.who):,}", f"{each.lost:,}"]
        for each in mistakes[:MISTAKES]
    ]
    return _table(["message", "tasks", "students", "points lost"], rows, left=2)


def _flag(flag: Flag, shown: Callable[[str], str], who: Callable[[str], str]) -> str:
    more = f"; and {count(flag.checks - 1, 'more check')}" if flag.checks > 1 else ""
    return f"{who(flag.student)}, {flag.task}, {shown(flag.why)}{more}"


def _alike(group: Alike, who: Callable[[str], str]) -> str:
    named = ", ".join(who(student) for student in group.students[:NAMES])
    more = len(group.students) - NAMES
    return f"{', '.join(group.tasks)}: {named}" + (f" and {more:,} more" if more > 0 else "")


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> str:
    return table_of(head, rows, ["left"] * left + ["right"] * (len(head) - left))


def format_table(numbers: Numbers) -> str:
    """Return a table of the tasks and a list of what needs the instructor's attention, in 80 columns."""
    head = ["task", "handed in", "full marks", "median", "of", "hardest board"]
    rows = []
    for task in numbers.tasks:
        hardest = next((board for board in numbers.boards if board.task == task.task.name), None)
        shown = f"{one_line(hardest.board, 24)}: {hardest.accepted:,} right" if hardest else ""
        name, handed_in, full, *_ = _task_row(task)
        rows.append([name, handed_in, full, f"{task.quartiles[1]:g}", task.most, shown])
    align = ("left", "right", "right", "right", "right", "left")
    table = plain_table(rows, head, align)
    lines = [
        f"{count(len(found), noun)} {said}"
        for found, noun, said in (
            (numbers.missing, "student", "handed in nothing"),
            (numbers.strangers, "student", "not on the roster"),
            (numbers.waiting, "student", "with something that is not graded yet"),
            (numbers.ours, "student", "with checks that the grader could not run"),
            (numbers.slips, "student", "with files that are probably packed wrongly"),
            (numbers.flags, "count", "of states worth a look"),
            (numbers.alike, "group", "with identical files or the same answers"),
            (numbers.references, "student", "with the course's own solution"),
        )
        if found
    ]
    return "\n".join([table, "", *lines]).rstrip() + "\n"


# ---- what a teacher asks first -------------------------------------------------------------------

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

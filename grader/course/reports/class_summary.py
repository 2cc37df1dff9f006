"""Summarize a class for the instructor: a page of Markdown, and a short table for the terminal."""

from collections.abc import Callable, Mapping, Sequence

from grader.course.reports.answers import nobody_to_talk_to, other_answers, whom_to_talk_to
from grader.course.reports.class_mistakes import Mistake
from grader.course.reports.class_numbers import MOST_ALIKE, Alike, Flag, Numbers, TaskNumbers
from grader.course.reports.standings import Standings
from grader.course.rules.grades import plain
from grader.messages.phrases import count
from grader.reports.content import plain_table
from grader.reports.markdown import as_code, in_line, sentence, table_of
from grader.safe_text import one_line

BEGUN = "Begun: something of it is written, and the files that it needs are there."
TALKS, MISTAKES, NAMES, ROWS = 10, 10, 20, 50  # the most that are listed; the others are counted
REMARKS, IDENTICAL, SAME_ANSWERS = "Remarks on the files", "Identical files", "The same answers"
OWN_SOLUTION = "Copies of the course's own solution"
WORTH_A_LOOK = (REMARKS, IDENTICAL, SAME_ANSWERS, OWN_SOLUTION)  # the lists that no teacher should miss


def format_summary(standings: Standings, numbers: Numbers) -> str:
    """Return the summary as Markdown."""
    made = ["\n".join(f"- {in_line(line)}" for line in numbers.made)] if numbers.made else []
    handed_in = f"{count(numbers.students, 'student')}, {numbers.handed_in:,} handed in"
    blocks = [
        "# The class",
        f"{handed_in}. Points are before late penalties and other course rules.",
        *made,
        *_answers(standings, numbers),
        "## Tasks",
        _task_table(numbers.tasks),
        BEGUN,
    ]
    shared = [each for each in numbers.mistakes if len(each.who) > 1]
    blocks += ["## Mistakes in common", _mistake_table(shared)] if shared else []
    for title, said, lines in lists(numbers, in_line, in_line):
        more = [f"- and {len(lines) - ROWS:,} more"] if len(lines) > ROWS else []
        blocks += [f"## {title}", said, "\n".join([*(f"- {line}" for line in lines[:ROWS]), *more])]
    return "\n\n".join(blocks) + "\n"


def _answers(standings: Standings, numbers: Numbers) -> list[str]:
    talk = whom_to_talk_to(standings, numbers)
    lines = [f"{place}. {sentence(each.said)}: {_named(each.points)}" for place, each in enumerate(talk, 1)]
    more = [f"\nand {len(lines) - TALKS:,} more"] if len(lines) > TALKS else []
    rows = [
        f"- {each.question}: "
        + ", ".join(sentence(one.replace("`", "")) for one in (each.said, each.more) if one)
        + (f": {as_code(each.code)}" if each.code else "")
        + (f", {sentence(each.note.replace('`', ''))}" if each.note else "")
        for each in other_answers(standings, numbers)
    ]
    students = count(sum(len(each.points) for each in talk), "student")
    listed = (
        [f"{students} (points out of {plain(standings.most)}).", "\n".join([*lines[:TALKS], *more])]
        if talk
        else [nobody_to_talk_to(numbers)]
    )
    return ["## Whom to talk to", *listed, "\n".join(rows)]


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
            REMARKS,
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
            SAME_ANSWERS,
            "The same jumps and counts on every board, though not all of the files are identical. Programs "
            "that try jumps in the same order have this in common, so groups of more than "
            f"{MOST_ALIKE} are left out.",
            [_alike(each, who) for each in numbers.alike if not each.same_files],
        ),
        (
            OWN_SOLUTION,
            "The file is the reference, unchanged, or renamed and reformatted.",
            [f"{who(student)}: {', '.join(tasks)}" for student, tasks in numbers.references.items()],
        ),
        (
            "Nothing handed in",
            "They are on the roster.",
            list(map(who, numbers.missing)),
        ),
        ("Not on the roster", "They are graded like all others.", list(map(who, numbers.strangers))),
    ]
    return [each for each in found if each[2]]


def _task_table(tasks: Sequence[TaskNumbers]) -> str:
    head = ["task", "begun", "full marks", "lower quartile", "median", "upper quartile", "of"]
    rows = [
        [
            in_line(each.task.name),
            *(f"{number:,g}" for number in (each.begun, each.full, low, each.median, high, each.most)),
        ]
        for each in tasks
        for low, high in [each.quartiles]
    ]
    return _table(head, rows)


def _mistake_table(mistakes: Sequence[Mistake]) -> str:
    rows = [
        [
            in_line(each.text.replace("`", "") + each.remark),
            ", ".join(each.checks),
            f"{len(each.who):,}",
            f"{each.lost:,}",
        ]
        for each in mistakes[:MISTAKES]
    ]
    return _table(["message", "tasks", "students", "points lost"], rows, left=2)


def _flag(flag: Flag, shown: Callable[[str], str], who: Callable[[str], str]) -> str:
    more = f"; and {count(flag.checks - 1, 'more check')}" if flag.checks > 1 else ""
    return f"{who(flag.student)}, {flag.task}, {shown(flag.why)}{more}"


def _named(points: Mapping[str, str]) -> str:
    return _listed([f"{in_line(student)} ({said})" for student, said in points.items()])


def _alike(group: Alike, who: Callable[[str], str]) -> str:
    return f"{', '.join(group.tasks)}: {_listed([*map(who, group.students)])}"


def _listed(some: Sequence[str]) -> str:
    more = len(some) - NAMES
    return ", ".join(some[:NAMES]) + (f" and {more:,} more" if more > 0 else "")


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> str:
    return table_of(head, rows, ["left"] * left + ["right"] * (len(head) - left))


def format_table(numbers: Numbers) -> str:
    """Return a table of the tasks and a list of what needs the instructor's attention, in 80 columns."""
    head = ["task", "begun", "full marks", "median", "of", "all points on the hardest board"]
    rows = []
    for task in numbers.tasks:
        hardest = next((board for board in numbers.boards if board.task == task.task.name), None)
        shown = f"{one_line(hardest.board, 24)}: {hardest.accepted:,}" if hardest else ""
        numbers_of = (f"{number:,g}" for number in (task.begun, task.full, task.median, task.most))
        rows.append([task.task.name, *numbers_of, shown])
    align = ("left", "right", "right", "right", "right", "left")
    table = plain_table(rows, head, align)
    lines = [
        f"{count(len(found), noun)} {said}"
        for found, noun, said in (
            (numbers.missing, "student", "handed in nothing"),
            (numbers.strangers, "student", "not on the roster"),
            (numbers.waiting, "student", "with something that is not graded yet"),
            (numbers.ours, "student", "with checks that the grader could not run"),
            (numbers.slips, "student", "with remarks on the files"),
            (numbers.flags, "count", "of states worth a look"),
            (numbers.alike, "group", "with identical files or the same answers"),
            (numbers.references, "student", "with a copy of the course's own solution"),
        )
        if found
    ]
    return "\n".join([table, "", *lines]).rstrip() + "\n"

"""What the reports for platforms say alike: how a check ended, what went wrong, and the whole in a line.

`render` makes what a student's program may have had a hand in safe to show before it comes here.
"""

from grader.catalog.tasks import Task
from grader.messages.phrases import count
from grader.reports.report import Report, was_not_graded
from grader.reports.table import answer, cpu, printed_lines, time_note, word
from grader.result import Result, Verdict
from grader.safe_text import one_line


def check_name(result: Result) -> str:
    """Return the task and the board, as in `peg3 english`."""
    return one_line(f"{result.task} {result.board}")


def outcome(result: Result) -> str:
    """Return how a check ended, in a line."""
    calm = result.verdict in (Verdict.NOT_RUN, Verdict.NOT_WRITTEN)  # the answer says it all
    head = answer(result) if calm else f"{word(result)}: {answer(result)}"
    parts = [head, f"{result.points} / {result.max_points} points"]
    if not calm and result.is_timed:
        parts.append(f"{cpu(result)} of CPU")
    if result.unsolvable is not None:
        parts.append(f"{result.unsolvable:,} states by its own count")
    return one_line(", ".join(parts))


def explanation(result: Result, verbose: bool = False) -> str:
    """Return what happened, what to do about it, and what a program without full marks printed."""
    lines = [result.message] if result.message else []
    if result.help:
        lines.append(f"help: {result.help}")
    if result.printed and (verbose or result.verdict != Verdict.ACCEPTED):
        lines += printed_lines(result)
    return "\n".join(lines).strip("\n")


def task_score(task: Task, report: Report) -> str:
    """Return the points of a task, as in `peg3  4 / 25`."""
    results = report.of(task)
    points, most = sum(result.points for result in results), sum(result.max_points for result in results)
    return f"{task.name}  {points} / {most}"


def summary(report: Report) -> str:
    """Return the whole in a line: the points, and whether every check passed of those that were made.

    Where the tasks' own boards were graded, others that students do not know may be graded later.
    """
    short = [result for result in report.results if not result.full]
    others = report.board_set or any(result.hidden for result in report.results)
    kind = "checks" if others else "visible checks"
    passed = (
        f"{len(short)} of {len(report.results)} {kind} without full marks" if short else f"all {kind} passed"
    )
    return f"{report.score} / {report.max_score}: {passed}"


def notes(report: Report) -> list[str]:
    """Return what must be known of the whole: limits that are not as written, and faults of the grader."""
    return [*report.about, *filter(None, [time_note(report)]), *faults(report)]


def faults(report: Report) -> list[str]:
    """Return lines about checks that the grader could not run, and about those it did not come to."""
    ours = sum(result.verdict == Verdict.GRADER_ERROR for result in report.results)
    told = f"the grader could not run {count(ours, 'check')}: its own fault, so this score is not final"
    missing = sum(map(was_not_graded, report.results))
    stopped = f"the run was stopped before {count(missing, 'check')} could be made: this score is not final"
    return [told] * bool(ours) + [stopped] * bool(missing)


def competing(report: Report) -> tuple[int | None, float] | None:
    """Return the states and the CPU seconds to compare with others'; None unless every answer was right.

    Without this a program that answers nothing would be the fastest. Both are of the visible checks. The
    states are what the student's own tables say, or None where no task asks for them.
    """
    visible = report.visible.results
    if not visible or any(result.verdict != Verdict.ACCEPTED for result in report.results):
        return None
    states = [result.unsolvable for result in visible if result.unsolvable is not None]
    return (sum(states) if states else None), round(sum(result.cpu_s for result in visible), 2)

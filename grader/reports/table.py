"""The results for people: a table per task, then the explanations, then the one thing to do next."""

import re
import shlex
import textwrap

from grader.catalog.boards import course_boards
from grader.catalog.tasks import Task, registry
from grader.judging import kinds
from grader.messages.phrases import count
from grader.reports.content import (
    HELP,
    Cause,
    causes,
    columns,
    command_again,
    cpu_sum,
    made_line,
    next_step,
    plain_table,
    printed_lines,
    states_compared,
    task_score,
    told,
)  # fmt: skip
from grader.reports.report import Report
from grader.result import ON_A_BOARD, Result, Verdict

WIDTH = 80
SOURCE = re.compile(r"\w+\.py:\d+: ")  # a line of the student's code is shown as it is
COMMAND = re.compile(r"(?<=: )(?:grade|python|git|cp) [^:;,]+$")
NO_BREAK = "\N{NO-BREAK SPACE}"
SEEN_AGAIN = (Verdict.WRONG_ANSWER, Verdict.ILLEGAL_MOVE, Verdict.TIMEOUT)  # depend on the board
FAILS = {Verdict.CONTRACT: "a contract fails", Verdict.CRASHED: "it crashes"}


def format_report(report: Report) -> str:
    """Return the text, at most 80 columns wide except for long names and source lines.

    A student's file is read from its top, so there the summary comes first.
    """
    tasks = [_task_text(task, report) for task in report.tasks if report.of(task)]
    about = [line for each in report.about for line in wrapped(each, "", "  ")]
    made = wrapped(made_line(report), "", "  ")
    summary = _summary(report).splitlines() if len(report.tasks) > 1 else []
    if tasks and not summary:
        tasks[-1] = _with_next(tasks[-1], report)
    parts = [about, summary, tasks, made] if report.name else [about, made, tasks, summary]
    return "\n\n".join("\n".join(part).rstrip() for part in parts if part) + "\n"


def _task_text(task: Task, report: Report) -> str:
    results, kind = report.of(task), kinds.of(task)
    file = f"{report.folder}/{task.file}"
    title = f"{task.name}  {task.title}" + ("  (-d)" if report.debug else "")
    lines = [title + file.rjust(max(len(file) + 2, WIDTH - len(title)))]
    if report.board_set and kind.takes_boards:
        lines.append(f"boards: {report.board_set.strip()}")
    idle = all(result.verdict in (Verdict.NOT_WRITTEN, Verdict.NOT_RUN) for result in results)
    folds = idle and len(report.tasks) > 1 and not report.verbose
    lines += ["", f"{count(len(results), 'check')} not run" if folds else table_of(task, report), ""]
    if report.boards:
        lines += kind.moves_found(results)
    # What -d finds on a board that fails is its cause.
    for each in causes(results, report.verbose) if task.name not in report.with_contracts else []:
        lines += [*explained(each, report), ""]
    for result in results if report.verbose else []:
        if result.printed:
            lines += [f"{result.board}:", *printed_lines(result), ""]
    if compared := states_compared(task, report):
        lines += [*wrapped(compared, "", "  "), ""]
    lines += _score(task, report)
    return "\n".join(lines) + ("\n" if len(report.tasks) > 1 else "")


def _score(task: Task, report: Report) -> list[str]:
    """Return the lines on the points of a task, and on what -d finds in spite of full marks."""
    found = report.with_contracts.get(task.name)
    if found is None:
        return [task_score(task, report)]
    again = f"again: {command_again(found, report)} -d"
    head = f"{task_score(task, report)}; with -d {FAILS.get(found.verdict, 'it fails')} on {found.board}"
    return [*_details(found, report, head), f"  {again}", ""]


def table_of(task: Task, report: Report) -> str:
    """Return the table of one task's results."""
    results = report.of(task)
    shown = columns(task, results, report)
    rows = [[column.cell(result) for column in shown] for result in results]
    return plain_table(rows, [column.title for column in shown], [column.align for column in shown])


def explained(cause: Cause, report: Report) -> list[str]:
    """Return the lines that explain one cause of failures."""
    lines = [*_details(cause.first, report), *_commands(cause.first, report)]
    for each in cause.folded("; -v shows each"):
        lines += wrapped(each, "  ", "    ")
    return lines


def wrapped(text: str, first: str, rest: str) -> list[str]:
    """Return a text wrapped to 80 columns; `first` and `rest` indent the first line and the others.

    No word is cut. A command at the end is kept on one line, so that it can be copied.
    """
    text = COMMAND.sub(lambda command: command[0].replace(" ", NO_BREAK), text)
    lines = textwrap.wrap(
        text, WIDTH, initial_indent=first, subsequent_indent=rest,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
    return [line.replace(NO_BREAK, " ") for line in lines]


def wrapped_message(message: str) -> list[str]:
    """Return a message and its details as lines; each is wrapped, but those of a student's code."""
    first, *rest = message.splitlines()
    lines = wrapped(first, "", "  ")
    for line in rest:
        if line.startswith(HELP):
            lines += wrapped(line, "  ", "        ")
        elif len(line) + 2 <= WIDTH or SOURCE.search(line):
            lines.append(f"  {line}")
        else:
            indent = " " * (len(line) - len(line.lstrip()) + 2)
            lines += wrapped(line.strip(), indent, indent + "  ")
    return lines


def _details(result: Result, report: Report, head: str = "") -> list[str]:
    """Return the lines of a result's message and its details, after `head` or else the board's name."""
    lines = wrapped_message(f"{head or result.shown_on}: {told(result)}")
    if result.verdict == Verdict.OUTPUT and not report.verbose:
        lines += printed_lines(result)
    elif result.printed and result.verdict != Verdict.ACCEPTED and not report.verbose:
        lines += _hint_at_printed(result, report)
    return lines


def _hint_at_printed(result: Result, report: Report) -> list[str]:
    """Return how many lines the program printed, and the command that shows them."""
    number = len(result.printed.splitlines())
    said = f"  it printed {count(number, 'line')}; to read {'it' if number == 1 else 'them'}:"
    if not command_again(result, report):
        return [said.partition(";")[0]]
    command = f"{command_again(result, report)} -v"
    whole = f"{said} {command}"
    return [whole] if len(whole) <= WIDTH else [said, f"    {command}"]


def _commands(result: Result, report: Report) -> list[str]:
    """Return the commands to see the board or game, and to run the check again."""
    if not command_again(result, report):
        return []
    again = f"again: {command_again(result, report)}"
    board, _ = kinds.of(registry().find(result.task)).board_of(result.asked)
    known = not result.hidden and board in course_boards().names
    if report.board_set and not known:  # no other command knows the board, so the message draws it
        return [f"  {again}"] if result.verdict in ON_A_BOARD else []
    if not is_on_a_board(result):
        return []
    see = f"  see the board: grade show {board}"
    if result.jumps and not report.board_set:  # results on a board set are not stored
        see = f"  see it: grade replay {result.task} {shlex.quote(result.board)}{report.student}"
    gap = min(9, WIDTH - len(see) - len(again))
    return [see + " " * gap + again] if gap >= 3 else [see, f"  {again}"]


def is_on_a_board(result: Result) -> bool:
    """Return whether to look at the board, or at the game played on it, helps with a failure."""
    return result.verdict in SEEN_AGAIN and result.pegs is not None


def _summary(report: Report) -> str:
    """Return a row per task, the total, and the next step."""
    rows = [
        [task.name, task.title, cpu_sum(report.of(task)), "{} / {}".format(*report.points(task))]
        for task in report.tasks
    ]
    total = f"{report.score} / {report.max_score}"
    rows.append(["", "total", "", total])
    table = plain_table(rows, ["task", "", "cpu", "points"], ["left", "left", "right", "right"])
    return _with_next(f"{table}\n\n{total}", report)


def _with_next(text: str, report: Report) -> str:
    """Return `text` with the next step on its last line, or on a line of its own if that is too long."""
    step = next_step(report)
    fits = not text.endswith("\n") and len(text.splitlines()[-1]) + 3 + len(step) <= WIDTH
    return text + ("   " if fits else "\n") + step

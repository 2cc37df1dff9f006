"""The results for a person: a table a task, then what went wrong, then the one thing to do next."""

import re
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import click
from tabulate import tabulate

from grader.catalog.boards import course_boards
from grader.catalog.tasks import Task, registry
from grader.judging import kinds
from grader.messages.phrases import count
from grader.reports.report import Report
from grader.result import ON_A_BOARD, Result, Verdict

WIDTH = 80
SOURCE = re.compile(r"\w+\.py:\d+: ")  # a line of the student's code is shown as it is
MAX_PRINTED = 40  # lines of what a program printed
MAX_WIDE = 200  # characters of one
WORDS = {
    Verdict.ACCEPTED: ("ok", "green"),
    Verdict.NOT_WRITTEN: ("todo", None),
    Verdict.NOT_RUN: ("-", None),
    Verdict.TIMEOUT: ("SLOW", "red"),
    Verdict.GRADER_ERROR: ("OURS", "magenta"),
}
FAILED = ("FAIL", "red")
SEEN_AGAIN = (Verdict.WRONG_ANSWER, Verdict.ILLEGAL_MOVE, Verdict.TIMEOUT)  # they depend on the board
_MEND = {
    Verdict.CONTRACT: "broken contract",
    Verdict.CRASHED: "crash",
    Verdict.EXITED: "early exit",
    Verdict.BAD_RETURN: "returned value",
    Verdict.MEMORY: "use of memory",
    Verdict.OUTPUT: "output",
}


def format_report(report: Report) -> str:
    """Return the text, at most 80 columns wide but for names and source lines that are longer."""
    parts = [_task_text(task, report) for task in report.tasks if report.of(task)]
    if report.time_factor != 1.0:
        parts.insert(0, f"{time_note(report)}\n")
    if report.about:
        parts.insert(0, "\n".join(line for each in report.about for line in _wrapped(each, "", "  ")) + "\n")
    if len(report.tasks) > 1:
        parts.append(_summary(report))
    else:
        parts[-1] = _with_next(parts[-1], report)
    return "\n".join(parts).rstrip() + "\n"


def time_note(report: Report) -> str:
    """Return a line about limits of time that are not as written, or nothing."""
    if report.time_factor == 1.0:
        return ""
    slower = "slower" if report.time_factor > 1 else "faster"
    return f"time limits x {report.time_factor:.1f}: this machine is {slower} than most"


def _task_text(task: Task, report: Report) -> str:
    results = report.of(task)
    file = f"{report.folder}/{task.file}"
    title = f"{task.name}  {task.title}" + ("  (-d)" if report.debug else "")
    lines = [
        title + file.rjust(max(len(file) + 2, WIDTH - len(title))),
        *(
            [f"boards: {report.board_set.strip()}"]
            if report.board_set and kinds.of(task).takes_boards
            else []
        ),
        "",
        _rows(task, results, report),
        "",
    ]
    if report.boards:
        lines += kinds.of(task).moves_found(results)
    for first, others in causes(results):
        lines.append(_details(first, report))
        if others:
            names = ", ".join(result.board for result in others)
            lines += _wrapped(f"the same on: {names}", "  ", "    ")
        lines.append("")
    for result in results if report.verbose else []:
        if result.printed:
            lines += [f"{result.board}:", *printed_lines(result), ""]
    points = sum(result.points for result in results)
    most = sum(result.max_points for result in results)
    lines.append(f"{task.name}  {points} / {most}")
    return "\n".join(lines) + ("\n" if len(report.tasks) > 1 else "")


def causes(results: Sequence[Result]) -> list[tuple[Result, list[Result]]]:
    """Return the results with something to say, those of one cause together: it is explained once."""
    causes: dict[tuple[str, ...], list[Result]] = {}
    for result in results:
        if result.message:
            # The command in a help line names the board, which makes no difference to the cause.
            help = result.help.replace(f" --board {result.board}", "")
            causes.setdefault((result.verdict, help, result.place), []).append(result)
    spared = [key for key in causes if key[0] == Verdict.NOT_RUN]
    for key in spared if len(causes) > len(spared) else spared[1:]:
        del causes[key]
    failures_first = sorted(causes.values(), key=lambda alike: alike[0].verdict == Verdict.ACCEPTED)
    return [(first, others) for first, *others in failures_first]


def _wrapped(text: str, first: str, rest: str) -> list[str]:
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )


@dataclass(frozen=True)
class Column:
    """A column of a task's table: its title, how a result's cell reads, and on which side it stands."""

    title: str
    cell: Callable[[Result], str]
    align: str = "right"


def _rows(task: Task, results: list[Result], report: Report) -> str:
    """Return the table of a task's results."""
    shown = columns(task, results, report)
    return tabulate(
        [[column.cell(result) for column in shown] for result in results],
        [column.title for column in shown],
        tablefmt="plain",
        colalign=[column.align for column in shown],
        disable_numparse=True,
    )


def columns(task: Task, results: list[Result], report: Report) -> list[Column]:
    """Return the columns of the table of a task's results."""
    boards = kinds.of(task).takes_boards
    columns = [
        Column("", lambda result: word(result, report.color), "left"),
        Column("board" if boards else "check", lambda result: result.board, "left"),
    ]
    if boards and kinds.of(task).shows_facts:
        columns.append(Column("pegs", lambda result: "-" if result.pegs is None else str(result.pegs)))
        columns.append(Column("truth", lambda result: result.truth, "left"))
    columns.append(Column("your answer", answer, "left"))
    columns.append(Column("cpu", cpu))
    if report.verbose:
        columns.append(Column("wall", lambda result: f"{result.wall_s:.2f} s" if result.is_timed else "-"))
        columns.append(
            Column("memory", lambda result: f"{result.peak_mib:,.0f} MiB" if result.is_timed else "-")
        )
    if task.table:
        columns.append(Column("states", _states))
    for title in dict.fromkeys(title for result in results for title, _ in result.figures):
        columns.append(Column(title, partial(_figure, title)))
    columns.append(Column("points", lambda result: f"{result.points} / {result.max_points}"))
    return columns


def cpu(result: Result) -> str:
    """Return the CPU seconds, or a dash for what was not run and where they are not told."""
    ran = result.verdict not in (Verdict.NOT_RUN, Verdict.NOT_WRITTEN)
    return f"{result.cpu_s:.2f} s" if ran and result.is_timed else "-"


def cpu_sum(results: Sequence[Result]) -> str:
    """Return the CPU seconds of all checks of which they are told, or a dash if there is none."""
    timed = [result.cpu_s for result in results if result.is_timed]
    return f"{sum(timed):.2f} s" if timed else "-"


def _states(result: Result) -> str:
    return "-" if result.unsolvable is None else f"{result.unsolvable:,}"


def _figure(title: str, result: Result) -> str:
    return dict(result.figures).get(title, "-")


def word(result: Result, color: bool = False) -> str:
    """Return how a check ended, in one word."""
    word, shade = WORDS.get(result.verdict, FAILED)
    if result.verdict == Verdict.ACCEPTED and not result.full:
        word, shade = "part", "yellow"
    return click.style(word, fg=shade) if color and shade else word


def answer(result: Result) -> str:
    """Return what the student's program answered, or how it ended."""
    match result.verdict:
        case Verdict.TIMEOUT if result.is_timed:
            waited = result.wall_s > 3 * result.cpu_s + 1
            return f"waited {result.wall_s:.0f} s" if waited else f"stopped at {result.cpu_s:.1f} s"
        case Verdict.NOT_RUN:
            return "not run"
        case Verdict.NOT_WRITTEN:
            return "not written yet"
        case Verdict.GRADER_ERROR:
            return "grader error"
    return result.answer or str(result.verdict).replace("-", " ")


def _details(result: Result, report: Report) -> str:
    first, *rest = result.message.splitlines()
    lines = _wrapped(f"{result.board}: {first}", "", "  ")
    for line in rest:
        if len(line) + 2 <= WIDTH or SOURCE.search(line):
            lines.append(f"  {line}")
        else:
            indent = " " * (len(line) - len(line.lstrip()) + 2)
            lines += _wrapped(line.strip(), indent, indent + "  ")
    if result.help:
        lines += _wrapped(f"help: {result.help}", "  ", "        ")
    if result.verdict == Verdict.OUTPUT and not report.verbose:
        lines += printed_lines(result)
    elif result.printed and result.verdict != Verdict.ACCEPTED and not report.verbose:
        lines += _hint_at_printed(result, report)
    return "\n".join(lines + _see(result, report))


def _hint_at_printed(result: Result, report: Report) -> list[str]:
    """Say that the program printed, and what to type to read it."""
    number = len(result.printed.splitlines())
    said = f"  it printed {count(number, 'line')}; to read {'it' if number == 1 else 'them'}:"
    command = f"{command_again(result, report)} -v"
    whole = f"{said} {command}"
    return [whole] if len(whole) <= WIDTH else [said, f"    {command}"]


def command_again(result: Result, report: Report) -> str:
    """Return the command that grades this check alone."""
    return f"grade {result.task} --board {result.board}{report.options}"


def _see(result: Result, report: Report) -> list[str]:
    """Return the commands to see it again."""
    again = f"again: {command_again(result, report)}"
    board, _ = kinds.of(registry().find(result.task)).board_of(result.board)
    known = not result.hidden and board in course_boards().names
    if report.board_set and not known:  # no other command knows the board, so it is drawn
        return [f"  {again}"] if result.verdict in ON_A_BOARD else []
    if result.verdict not in SEEN_AGAIN or result.pegs is None:
        return []
    see = f"  see the board: grade show {board}"
    if result.jumps and not report.board_set:  # the results of a set are not kept
        see = f"  see it: grade replay {result.task} {result.board}{report.student}"
    gap = min(9, WIDTH - len(see) - len(again))
    return [see + " " * gap + again] if gap >= 3 else [see, f"  {again}"]


def printed_lines(result: Result) -> list[str]:
    """Return what a program printed, up to a limit of lines and of their length."""
    shown = result.printed.splitlines()
    cut = ["  | ..."] if len(shown) > MAX_PRINTED else []
    lines = [line if len(line) <= MAX_WIDE else line[:MAX_WIDE] + " ..." for line in shown[:MAX_PRINTED]]
    return ["  it printed:", *(f"  | {line}" for line in lines), *cut]


def _summary(report: Report) -> str:
    """Return a row for each task, the total, and the next step."""
    rows = []
    for task in report.tasks:
        results = report.of(task)
        points = sum(result.points for result in results)
        most = sum(result.max_points for result in results)
        rows.append([task.name, task.title, cpu_sum(results), f"{points} / {most}"])
    rows.append(["", "total", "", f"{report.score} / {report.max_score}"])
    table = tabulate(
        rows, ["task", "", "cpu", "points"], tablefmt="plain",
        colalign=["left", "left", "right", "right"], disable_numparse=True,
    )  # fmt: skip
    return _with_next(f"{table}\n\n{report.score} / {report.max_score}", report)


def _with_next(text: str, report: Report) -> str:
    """Return `text` with the next step on its last line, or on a line of its own if that is too long."""
    step = next_step(report)
    fits = len(text.splitlines()[-1]) + 3 + len(step) <= WIDTH
    return text + ("   " if fits else "\n") + step


def next_step(report: Report) -> str:
    """Return the one thing to do next: what fails first, or else where points are left."""
    short = [result for result in report.results if not result.full]
    if not short and not report.max_score:
        return "no points on " + ("this board" if len(report.results) == 1 else "these boards")
    if not short:
        return "all points" + (f"   next: grade {report.after}{report.options}" if report.after else "")
    short = [result for result in short if result.max_points] or short
    short = [result for result in short if not result.hidden] or short
    result = next((each for each in short if each.verdict != Verdict.ACCEPTED), short[0])
    task = next(task for task in report.tasks if task.name == result.task)
    again = f"grade {task.name}{report.boards}{report.options}"
    match result.verdict:
        case Verdict.NOT_WRITTEN:
            return f"next: open {report.folder}/{task.file} ({task.handout}), then: {again}"
        case Verdict.NOT_RUN:
            needed = result.message.removeprefix("not run: needs ")
            return f"next: grade {needed}{report.options}" if needed.isidentifier() else f"next: {again}"
        case Verdict.GRADER_ERROR:
            return f"next: this was the grader's fault, not yours; {again}"
        case Verdict.ACCEPTED if result.unsolvable is not None:
            return f"next: fewer states on {result.board}; see handouts/performance-debugging.md"
        case Verdict.ACCEPTED:
            return f"next: more points on {result.board}; see {task.handout}"
    if result.place and result.verdict == Verdict.CRASHED:  # the line says more than the board
        return f"next: mend {result.place}, then: {again}"
    where = f" at {result.place}" if result.place else ""
    what = _MEND.get(result.verdict, str(result.verdict).replace("-", " "))
    return f"next: mend the {what} on {result.board}{where}, then: {again}"

"""Write the texts that all reports share: outcomes, causes, columns, scores, and the next step.

Texts that a student's program can influence are safe to show: `report.render` makes them harmless first.
"""

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import click
from tabulate import tabulate

from framework.board import draw_board, parse_board
from grader.catalog.tasks import COMPARED, Task, registry
from grader.judging import kinds
from grader.messages.catalogue import Message
from grader.messages.phrases import count
from grader.reports.report import Report, was_not_graded
from grader.result import Picture, Result, Verdict, first_failure, urgency, waited
from grader.safe_text import one_line

MAX_PRINTED = 40  # lines of a program's output
MAX_WIDE = 200  # characters of one line
MOST_NAMES = 30  # of checks in a line
WORDS = {
    Verdict.ACCEPTED: ("ok", "green"),
    Verdict.NOT_WRITTEN: ("todo", None),
    Verdict.NOT_RUN: ("-", None),
    Verdict.TIMEOUT: ("SLOW", "red"),
    Verdict.GRADER_ERROR: ("OURS", "magenta"),
}
FAILED = ("FAIL", "red")
_FIX = {
    Verdict.CONTRACT: "broken contract",
    Verdict.CRASHED: "crash",
    Verdict.EXITED: "early exit",
    Verdict.BAD_RETURN: "returned value",
    Verdict.MEMORY: "use of memory",
    Verdict.FAILED: "failure",
}

# ---- one check -----------------------------------------------------------------------------------


def check_name(result: Result) -> str:
    """Return the task and the board, as in `peg3 english`."""
    return one_line(f"{result.task} {result.board}")


def word(result: Result, color: bool = False) -> str:
    """Return how a check ended, in one word."""
    word, shade = WORDS.get(result.verdict, FAILED)
    if result.verdict == Verdict.ACCEPTED and not result.full:
        word, shade = "part", "yellow"
    return click.style(word, fg=shade) if color and shade else word


def answer(result: Result) -> str:
    """Return the answer of the student's program, or how the program ended."""
    match result.verdict:
        case Verdict.TIMEOUT if result.is_timed and not result.answer:
            slept = waited(result.cpu_s, result.wall_s)
            return f"waited {result.wall_s:.0f} s" if slept else f"stopped at {result.cpu_s:.1f} s"
        case Verdict.NOT_RUN:
            return result.answer or "not run"
        case Verdict.NOT_WRITTEN | Verdict.CRASHED if result.code == "cannot-be-read":
            return "cannot be read"
        case Verdict.NOT_WRITTEN:
            return "not written yet"
        case Verdict.GRADER_ERROR:
            return "grader error"
    return result.answer or result.verdict.words


def cpu(result: Result) -> str:
    """Return the CPU seconds, or a dash if the check was not run or its times are not shown."""
    ran = result.verdict not in (Verdict.NOT_RUN, Verdict.NOT_WRITTEN)
    return f"{result.cpu_s:.2f} s" if ran and result.is_timed else "-"


def outcome(result: Result) -> str:
    """Return how a check ended, in one line."""
    calm = result.verdict in (Verdict.NOT_RUN, Verdict.NOT_WRITTEN)  # the answer alone says everything
    head = answer(result) if calm else f"{word(result)}: {answer(result)}"
    parts = [head, f"{result.points} / {result.max_points} points"]
    if not calm and result.is_timed:
        parts.append(f"{cpu(result)} of CPU")
    if result.unsolvable is not None:
        parts.append(f"{result.unsolvable:,} states by its own count")
    return one_line(", ".join(parts))


def explanation(result: Result, verbose: bool = False) -> str:
    """Return a check's message and help; if `verbose` or not accepted, also the program's output."""
    lines = [told(result)] if result.message else []
    if result.printed and (verbose or result.verdict != Verdict.ACCEPTED):
        lines += printed_lines(result)
    return "\n".join(lines).strip("\n")


def told(result: Result | Message) -> str:
    """Return a message with its details."""
    return "\n".join([result.message, *details(result)])


HELP = "help: "
_SYMBOLS = {  # of a marked cell, and its part of the legend
    "from": ("@", "@ from"),
    "over": ("x", "x jumps over"),
    "no-peg": ("x", "x no peg to jump over"),
    "to": ("+", "+ landing"),
}


def details(result: Result | Message) -> list[str]:
    """Return the lines below a message: what to do, where, the values, and the boards."""
    lines = [HELP + ": ".join(filter(None, [result.help, result.command]))] if result.help else []
    lines += [f"{result.place}: {result.source}"] if result.source else []
    for name, value in result.values:
        lines += f"{name} was{chr(10) if chr(10) in value else ' '}{value}".splitlines()
    for each in result.pictures:
        lines += [f"{each.caption}:"] * bool(each.caption) + drawing(each)
    return lines


def drawing(picture: Picture) -> list[str]:
    """Return the lines of a drawn board, with the legend of its marks at the right."""
    marks = {(row, col): _SYMBOLS[mark][0] for mark, row, col in picture.marks}
    there = {mark for mark, _, _ in picture.marks}
    legend = "   ".join(text for mark, (_, text) in _SYMBOLS.items() if mark in there)
    lines = draw_board(parse_board(picture.cells), marks).splitlines()
    lines[4] += f"      {legend}" if legend else ""
    return [f"  {line}" for line in lines]


def printed_lines(result: Result) -> list[str]:
    """Return the first lines of the program's output, below a heading."""
    return ["  it printed:", *(f"  | {line}" for line in printed(result).splitlines())]


def printed(result: Result) -> str:
    """Return the first lines of the program's output, each limited in its length."""
    shown = result.printed.split("\n")
    cut = ["..."] if len(shown) > MAX_PRINTED else []
    lines = [line if len(line) <= MAX_WIDE else line[:MAX_WIDE] + " ..." for line in shown[:MAX_PRINTED]]
    return "\n".join([*lines, *cut])


def command_again(result: Result, report: Report) -> str:
    """Return the command that runs only this check again; empty if its board is one of the staff's."""
    if (result.task, result.board) in report.of_staff:
        return ""
    return f"grade {result.task} --board {shlex.quote(result.asked)}{report.options}"


# ---- one task ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Column:
    """A column of a task's table: its title, the text of a result's cell, and its alignment."""

    title: str
    cell: Callable[[Result], str]
    align: str = "right"
    spare: bool = False  # whether a narrow page may leave it out


def columns(task: Task, results: Sequence[Result], report: Report) -> list[Column]:
    """Return the columns of a task's table."""
    kind = kinds.of(task)
    columns = [
        Column("", lambda result: word(result, report.color), "left"),
        Column("board" if kind.takes_boards else "check", lambda result: result.board, "left"),
    ]
    if kind.takes_boards and kind.shows_facts:
        columns.append(Column("pegs", lambda result: _or_dash(result.pegs), spare=True))
        columns.append(Column("truth", lambda result: result.truth, "left", spare=True))
    columns += [Column("your answer", answer, "left"), Column("cpu", cpu, spare=True)]
    if report.verbose:
        columns.append(Column("wall", lambda each: f"{each.wall_s:.2f} s" if each.is_timed else "-"))
        columns.append(Column("memory", lambda each: f"{each.peak_mib:,.0f} MiB" if each.is_timed else "-"))
    if task.table:
        columns.append(Column("states", lambda result: _or_dash(result.unsolvable), spare=True))
    for title in dict.fromkeys(title for result in results for title, _ in result.figures):
        columns.append(Column(title, partial(_figure, title)))
    columns.append(Column("points", lambda result: f"{result.points} / {result.max_points}"))
    return columns


def _figure(title: str, result: Result) -> str:
    return dict(result.figures).get(title, "-")


def _or_dash(number: int | None) -> str:
    return "-" if number is None else f"{number:,}"


def plain_table(rows: Sequence[Sequence[object]], head: Sequence[str], align: Sequence[str]) -> str:
    """Return a table as text; `align` is `left` or `right` per column; numbers are kept as written."""
    return tabulate(rows, head, tablefmt="plain", colalign=align, disable_numparse=True)


class Cause(NamedTuple):
    """What is told of the results of a task."""

    first: Result
    alike: list[Result]
    others: list[Result]  # results without full marks whose own messages are not shown

    def folded(self, how: str = "") -> list[str]:
        """Return the lines on the results that are not shown; `how` says how to see them."""
        lines = [f"the same on: {_names(self.alike, self.first.task)}"] if self.alike else []
        withheld = [each for each in self.others if each.is_withheld]
        if others := [each for each in self.others if each not in withheld]:
            why = ", probably for the same reason" if self.first.is_cause else ""
            number = count(len(others), "more check")
            lines.append(f"{number} without full marks{why}: {_names(others, self.first.task)}{how}")
        if withheld:
            why = "right, and counted once half of the points for solvable boards are earned"
            lines.append(f"{why}: {_names(withheld, self.first.task)}")
        return lines


def _names(results: Sequence[Result], task: str) -> str:
    """Return the names of checks, with their tasks unless it is the one that is named."""
    more = [f"{len(results) - MOST_NAMES} more"] if len(results) > MOST_NAMES else []
    shown = results[:MOST_NAMES]
    names = (one_line(each.board) if each.task == task else check_name(each) for each in shown)
    return ", ".join([*names, *more])


def causes(results: Sequence[Result], every: bool = False) -> list[Cause]:
    """Return what is told of the results of a task: one cause of failures, or every message.

    Checks that are not on boards ask a function each, as those of the client do, and have a cause each.
    Hidden checks that were not run are told apart, with their true reason.
    """
    alike: dict[tuple[str, ...], list[Result]] = {}
    for result in sorted(results, key=lambda each: (each.hidden, *urgency(each))):
        if result.message:
            alike.setdefault((result.verdict, result.code, result.place), []).append(result)
    told = [Cause(first, others, []) for first, *others in alike.values()]
    not_run = [  # only because of others, or because the run was stopped
        each
        for each in told
        if each.first.verdict == Verdict.NOT_RUN and (not each.first.help or was_not_graded(each.first))
    ]
    said = [each for each in told if each not in not_run] or told[:1]
    on_boards = bool(results) and kinds.of(registry().find(results[0].task)).takes_boards
    if every or not on_boards or not said or said[0].first.full:
        return said
    first, *others = said
    unrun = [each for each in others if each.first.verdict == Verdict.NOT_RUN]
    apart = [each for each in unrun if each.first.hidden or each.first.code == "beside-own"]
    folded = [each for one in others if one not in apart for each in (one.first, *one.alike)]
    return [first._replace(others=[each for each in folded if not each.full]), *apart]


def cpu_sum(results: Sequence[Result]) -> str:
    """Return the CPU seconds of all checks whose times are shown, or a dash if there are none."""
    timed = [result.cpu_s for result in results if result.is_timed]
    return f"{sum(timed):.2f} s" if timed else "-"


def task_score(task: Task, report: Report) -> str:
    """Return the points of a task, as in `peg3  4 / 25`."""
    return "{}  {} / {}".format(task.name, *report.points(task))


def states_compared(task: Task, report: Report) -> str:
    """Return how many states a solution of COMPARED took, beside others' numbers; empty if there is none.

    The student's number is the size of the student's own table, so it is a claim.
    """
    right = [each for each in report.of(task) if each.verdict == Verdict.ACCEPTED and not each.hidden]
    solved = [each for each in right if each.board == COMPARED and each.jumps]
    plain = next((each for each in registry().tasks.values() if each.states is not None), task)
    if task.states is None or not solved or solved[0].unsolvable is None or report.board_set:
        return ""
    reference = None if task == plain else task.states
    numbers = {
        "plain order": plain.states,
        "the reference": reference,
        "yours last time": report.last_states.get(task.name),
    }
    others = [f"{whose} {number:,}" for whose, number in numbers.items() if number is not None]
    return "; ".join([f"{COMPARED} {count(solved[0].unsolvable, 'state')} claimed", *others])


# ---- the whole -----------------------------------------------------------------------------------


def summary(report: Report) -> str:
    """Return the result in one line: the points, and whether all checks of this run passed.

    If only the tasks' own boards were graded, the line says "visible checks", since the course may grade
    other boards later.
    """
    short = sum(not result.full for result in report.results)
    others = report.board_set or any(result.hidden for result in report.results)
    kind = "checks" if others else "visible checks"
    passed = f"{short} of {len(report.results)} {kind} without full marks" if short else f"all {kind} passed"
    return f"{report.score} / {report.max_score}: {passed}"


def made_line(report: Report) -> str:
    """Return when and by what a report was made, with tier and factor; empty if that is unknown."""
    if report.made is None:
        return ""
    tiers = sorted({result.tier for result in report.results})
    shown = f", tier {' and '.join(map(str, tiers))}" if tiers else ""
    return f"graded {report.made}{shown}, time limits x {report.time_factor:.2f}"


def notes(report: Report) -> list[str]:
    """Return the remarks on the whole run: `report.about`, and faults of the grader."""
    return [*report.about, *faults(report)]


def faults(report: Report) -> list[str]:
    """Return lines about checks that the grader could not run or did not reach."""
    ours = sum(result.verdict == Verdict.GRADER_ERROR for result in report.results)
    failed = f"the grader could not run {count(ours, 'check')}: its own fault, so this score is not final"
    missing = sum(map(was_not_graded, report.results))
    stopped = f"the run was stopped before {count(missing, 'check')} could be made: this score is not final"
    return [failed] * bool(ours) + [stopped] * bool(missing)


def competing(report: Report) -> tuple[int | None, float] | None:
    """Return the states and CPU seconds for a ranking; None unless every answer was right.

    Without that condition, a program that answers nothing would be the fastest. Both numbers are sums over
    the visible checks. The states are the sizes of the student's own tables, or None if no task counts them.
    """
    visible = report.visible.results
    if not visible or any(result.verdict != Verdict.ACCEPTED for result in report.results):
        return None
    states = [result.unsolvable for result in visible if result.unsolvable is not None]
    return (sum(states) if states else None), round(sum(result.cpu_s for result in visible), 2)


def next_step(report: Report) -> str:
    """Return the one thing to do next: fix the first failure, or earn the remaining points."""
    if report.packed:
        return f"next: pack your files again: {report.packed[0]}"
    short = [result for result in report.results if not result.full]
    if not short and not report.max_score:
        return "no points on " + ("this board" if len(report.results) == 1 else "these boards")
    if report.max_score == report.score > 0 and not report.debug:  # which earns no points
        short = []  # a failure that costs nothing need not be mended first
    if not short and report.debug:
        tasks = " ".join(task.name for task in report.tasks)
        return f"all points, but -d earns none   next: grade {tasks}{report.options.removesuffix(' -d')}"
    if not short:
        return "all points" + (f"   next: grade {report.after}{report.options}" if report.after else "")
    result = first_failure(short)
    assert result is not None
    task = next(task for task in report.tasks if task.name == result.task)
    again = f"grade {task.name}{report.boards}{report.options}"
    match result.verdict:
        case Verdict.NOT_WRITTEN | Verdict.CRASHED if result.code == "cannot-be-read":
            return f"next: {result.help}"
        case Verdict.NOT_WRITTEN:
            return f"next: open {report.folder}/{task.file} ({task.handout}), then: {again}"
        case Verdict.NOT_RUN:
            needed = result.facts.get("needs") if result.code == "needs" else None
            return f"next: grade {needed}{report.options}" if needed else f"next: {again}"
        case Verdict.GRADER_ERROR:
            return f"next: this was the grader's fault, not yours; {again}"
        case Verdict.ACCEPTED:
            return f"next: more points on {result.board}; see {task.handout}"
    if result.place and result.verdict == Verdict.CRASHED:  # the line is more useful than the board
        return f"next: fix {result.place}, then: {again}"
    where = f" at {result.place}" if result.place else ""
    what = f"the {_FIX.get(result.verdict, result.verdict.words)}"
    if result.is_cause and result.verdict == Verdict.CRASHED:  # of which the crash is only what came of it
        what = result.facts.get("function", what)
    return f"next: fix {what} {kinds.of(task).where(result.board)}{where}, then: {again}"

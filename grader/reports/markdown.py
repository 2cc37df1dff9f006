"""GitHub's Markdown: for a job's summary, a comment on a pull request, or the body of a release.

Texts that a student's program can influence are formatted as code, where neither HTML nor mentions work.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from grader.catalog.tasks import Task
from grader.reports import content
from grader.reports.report import Report
from grader.safe_text import one_line

MOST_BYTES = 65_000  # GitHub allows 65,536 characters in a comment, and 1 MiB in a summary
MOST_EXPLAINED = 6_000  # characters of one explanation
# Without what GitHub makes a link of by itself.
PLAIN = re.compile(r"(?!.*www\.)[A-Za-z0-9 ,.()/-]*", re.I)
SENTENCE = re.compile(
    r"(?!.*(www\.|://))([^\W_]|[ ,.:;%()/'\u2212-]|(?<=-)>|(?<=[ ,])\+|(?<=[a-z])_(?=[a-z]))*"
)
CUT = "*The rest is left out because it would be too long here.*"


def format_report(report: Report) -> str:
    """Return the summary line, a table per task, then the explanations, up to the allowed length."""
    blocks = [f"## Peg solitaire, {content.summary(report)}", *_about(report)]
    blocks += [in_line(line) for line in [content.made_line(report)] if line]
    blocks += [f"**{line}**" for line in content.notes(replace(report, about=()))]
    graded = [task for task in report.tasks if report.of(task)]
    blocks += [_table(task, report) for task in graded]
    for task in graded:
        for cause in content.causes(report.of(task), report.verbose):
            text = "\n".join([content.explanation(cause.first, report.verbose), *cause.folded()])
            blocks += [f"{in_line(content.check_name(cause.first))}:", fenced(text)]
    return _as_much_as_fits(blocks)


def _table(task: Task, report: Report) -> str:
    shown = content.columns(task, report.of(task), report)
    rows = [[in_line(column.cell(result)) for column in shown] for result in report.of(task)]
    table = table_of([in_line(column.title) for column in shown], rows, [column.align for column in shown])
    title = f"### {content.task_score(task, report)}, {in_line(f'{report.folder}/{task.file}')}\n\n"
    return title + table


def table_of(head: Sequence[str], rows: Sequence[Sequence[str]], align: Sequence[str]) -> str:
    """Return a table whose cells are Markdown already; `align` is `left` or `right` per column."""
    ruler = ["---:" if side == "right" else "---" for side in align]
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, ruler, *rows])


def _about(report: Report) -> list[str]:
    return ["\n".join(f"- {sentence(line)}" for line in report.about)] if report.about else []


def sentence(text: str) -> str:
    """Return `text` made safe, as `in_line` does; more of it may be words of a sentence."""
    return text if SENTENCE.fullmatch(text) else in_line(text)


def in_line(text: str) -> str:
    """Return `text` made safe for a line or a table cell; it becomes code unless it is plain words."""
    line = one_line(text)
    return line if PLAIN.fullmatch(line) else as_code(line)


def as_code(text: str) -> str:
    """Return `text` as code on one line."""
    line = one_line(text)
    fence = "`" * (1 + max(map(len, re.findall("`+", line)), default=0))
    pad = " " * (len(fence) > 1)
    return fence + pad + line.replace("|", r"\x7c") + pad + fence


def fenced(text: str) -> str:
    """Return `text` as a block of code, cut if it is very long."""
    if len(text) > MOST_EXPLAINED:
        text = text[:MOST_EXPLAINED] + "\n..."
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{text}\n{fence}"


def _as_much_as_fits(blocks: list[str]) -> str:
    """Join the blocks with empty lines; leave out the first block that does not fit, and all after it."""
    text = ""
    for block in blocks:
        longer = f"{text}{block}\n\n"
        if len(longer.encode()) + len(CUT) + 1 > MOST_BYTES:
            return f"{text}{CUT}\n"
        text = longer
    return text.rstrip("\n") + "\n"

"""Render a paper as text, Markdown or HTML: the questions on one page, the key on another."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from framework.board import SIZE
from grader.messages.phrases import count
from grader.reports.markdown import fenced
from grader.reports.table import wrapped
from grader.safe_text import cut, one_line
from grader.viva.paper import Paper
from grader.viva.question import Drawn, Question, Shows

LETTERS = "ABCD"
DRAWN = "A board has no holes but those that are drawn."
MOST_CODE = 90  # characters of a line of code
APART = 6  # blanks between boards
NARROW = 16  # characters of an answer
TEMPLATES = Path(__file__).parent / "templates"
Box = tuple[range, range]  # of rows and columns


def headline(paper: Paper) -> str:
    """Return what the paper is about, in a line."""
    return f"{', '.join(paper.tasks)}: {count(len(paper.questions), 'question')}, seed {paper.seed}"


# ---- text ----------------------------------------------------------------------------------------


def as_text(paper: Paper) -> str:
    """Return the paper as text for a terminal or a printer."""
    parts = [f"viva of {one_line(paper.who)}, about {headline(paper)}. {DRAWN}"]
    parts += [f"{number}. {text_of(question)}" for number, question in enumerate(paper.questions, 1)]
    parts += ["\f" + "key"]
    parts += [
        f"{number}. {LETTERS[question.right]}\n" + "\n".join(reasons(question))
        for number, question in enumerate(paper.questions, 1)
    ]
    return "\n\n".join(parts) + "\n"


def text_of(question: Question) -> str:
    """Return a question with its boards, its lines and its answers."""
    lines = wrapped(f"{question.file}: {question.words.replace('`', '')}", "", "   ")
    if question.lines:
        lines += ["", *(f"   {number:>4}  {_quoted(code)}" for number, code in question.lines)]
    if question.boards:
        lines += ["", *beside([_labelled(drawn) for drawn in question.boards])]
    if question.shows == Shows.BOARD:
        return "\n".join([*lines, "", *_board_options(question)])
    lines.append("")
    for letter, answer in zip(LETTERS, question.answers, strict=True):
        shown = one_line(answer.shown, MOST_CODE)
        lines.append(f"   {letter}  {shown if question.shows == Shows.CODE else shown.replace('`', '')}")
    return "\n".join(lines)


def _quoted(code: str) -> str:
    """Return a line of code, safe and not too long, with the blanks at its beginning."""
    return cut(code[: len(code) - len(code.lstrip(" "))] + one_line(code), MOST_CODE)


def reasons(question: Question) -> list[str]:
    """Return for each answer whether it is right, and why."""
    return [
        f"   {LETTERS[at]}  {'right: ' if at == question.right else ''}{answer.why}"
        for at, answer in enumerate(question.answers)
    ]


def _board_options(question: Question) -> list[str]:
    """Return the answers' boards beside each other."""
    where = _box_of_answers(question)
    return beside(
        [[LETTERS[at], *rows_of(answer.shown, where)] for at, answer in enumerate(question.answers)]
    )


def _box_of_answers(question: Question) -> Box:
    """Return what is shown of each answer's board: the same cells of all."""
    return box(*(answer.shown for answer in question.answers))


def box(*boards: str) -> Box:
    """Return the rows and the columns in which any of the boards has holes."""
    holes = [divmod(at, SIZE) for cells in boards for at, cell in enumerate(cells) if cell != "."]
    rows, cols = [row for row, _ in holes], [col for _, col in holes]
    return range(min(rows), max(rows) + 1), range(min(cols), max(cols) + 1)


def rows_of(cells: str, where: Box) -> list[str]:
    """Return a part of a board as lines."""
    rows, cols = where
    return [" ".join(cells[SIZE * row + col] for col in cols) for row in rows]


def _labelled(drawn: Drawn) -> list[str]:
    rows, cols = box(drawn.cells)
    head = [drawn.name] if drawn.name else []
    numbered = [f"{row} {line}" for row, line in zip(rows, rows_of(drawn.cells, (rows, cols)), strict=True)]
    return [*head, "  " + " ".join(map(str, cols)), *numbered]


def beside(pictures: Sequence[list[str]], indent: str = "   ") -> list[str]:
    """Return pictures beside each other."""
    height = max(map(len, pictures))
    padded = [
        [row.ljust(max(map(len, rows)) + APART) for row in [*rows, *[""] * (height - len(rows))]]
        for rows in pictures
    ]
    return [(indent + "".join(rows)).rstrip() for rows in zip(*padded, strict=True)]


# ---- Markdown ------------------------------------------------------------------------------------


def as_markdown(paper: Paper) -> str:
    """Return the paper as Markdown; what comes from a student's file is code."""
    parts = [f"# Viva of {_code(paper.who)}", f"About {headline(paper)}. {DRAWN}"]
    for number, question in enumerate(paper.questions, 1):
        parts += [f"## {number}", f"{_code(question.file)}: {question.words}"]
        if question.lines:
            parts.append(fenced("\n".join(f"{at:>4}  {_quoted(code)}" for at, code in question.lines)))
        if question.boards:
            parts.append(fenced("\n".join(beside([_labelled(drawn) for drawn in question.boards]))))
        if question.shows == Shows.BOARD:
            parts.append(fenced("\n".join(_board_options(question))))
        else:
            is_code = question.shows == Shows.CODE
            shown = [_code(answer.shown) if is_code else answer.shown for answer in question.answers]
            parts.append("\n".join(f"- {LETTERS[at]}: {each}" for at, each in enumerate(shown)))
    parts += ["---", "# Key"]
    for number, question in enumerate(paper.questions, 1):
        told = [line.strip().replace("  ", ": ", 1) for line in reasons(question)]
        parts += [f"## {number}: {LETTERS[question.right]}", "\n".join(f"- {line}" for line in told)]
    return "\n\n".join(parts) + "\n"


def _code(text: str) -> str:
    return "`" + one_line(text, MOST_CODE).replace("`", r"\x60") + "`"


# ---- HTML ----------------------------------------------------------------------------------------


def as_html(paper: Paper) -> str:
    """Return the paper as one HTML file for a screen or a printer, with the key on a page of its own."""
    from grader.web import html_page  # with jinja2, which the other formats do not need

    return html_page.page(
        TEMPLATES / "viva.html",
        [html_page.PAGE_STYLE, TEMPLATES / "viva.css"],
        paper=paper,
        headline=headline(paper),
        drawn=DRAWN,
        letters=LETTERS,
        quoted=_quoted,
        parts=_parts,
        shown=lambda question, answer: (
            [(answer.shown, True)] if question.shows == Shows.CODE else _parts(answer.shown)
        ),
        is_narrow=lambda question: all(len(answer.shown) <= NARROW for answer in question.answers),
        picture=_picture,
        box=box,
        box_of_answers=_box_of_answers,
    )


def _parts(text: str) -> list[tuple[str, bool]]:
    """Return a text in parts, each with whether it is code."""
    return [(part, at % 2 == 1) for at, part in enumerate(text.split("`"))]


def _picture(cells: str, where: Box, labels: bool) -> dict[str, Any]:
    """Return what the template draws of a board."""
    rows, cols = where
    return {
        "rows": [(row, [(col, cells[SIZE * row + col]) for col in cols]) for row in rows],
        "cols": list(cols),
        "first_row": rows[0],
        "first_col": cols[0],
        "width": len(cols),
        "height": len(rows),
        "labels": labels,
        "text": "; ".join(
            f"row {row}: {line}" for row, line in zip(rows, rows_of(cells, where), strict=True)
        ),
    }


FORMATS: Mapping[str, Callable[[Paper], str]] = MappingProxyType(
    {"text": as_text, "markdown": as_markdown, "html": as_html}
)

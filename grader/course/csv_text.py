"""Read CSV as people and platforms write it, and write it so that all of them read it alike.

What is written has RFC 4180's commas, quotes and line ends. A text that a spreadsheet would read as a formula
gets an apostrophe in front, as OWASP advises (https://owasp.org/www-community/attacks/CSV_Injection).
"""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from decimal import Decimal

from grader.course.rules.grades import plain
from grader.errors import InputError
from grader.safe_text import few_lines, one_line, printable

MOST_TEXT = 5_000  # characters of one text; a cell in Excel holds 32,767
MOST_LINES = 1_000
# At the start of a cell, and after a semicolon: a spreadsheet may split lines at semicolons instead of
# commas, and then takes the quotes for its own. A dash alone is no formula.
_FORMULA = re.compile(r"((?:^|;)[ \t\"]*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])(?!-$)", re.MULTILINE)

Cell = str | int | Decimal


_AS_GIVEN = re.compile(r"[^\r\n\t -~\xa0\xad\u200c\u200d]")


class AsGiven(str):
    """A cell of a table that was read: it keeps its length, its lines and the marks between its letters."""


def as_csv(rows: Iterable[Sequence[Cell]], lines: bool = False) -> str:
    """Return rows as CSV.

    Args:
        rows: the rows; each text becomes one line of at most MOST_TEXT characters.
        lines: whether the texts keep their lines instead.
    """
    text = io.StringIO()
    csv.writer(text).writerows([_cell(cell, lines) for cell in row] for row in rows)
    return text.getvalue()


def _cell(cell: Cell, lines: bool) -> str:
    if isinstance(cell, Decimal):
        return plain(cell)
    if isinstance(cell, int):
        return str(cell)
    if isinstance(cell, AsGiven):
        text = _AS_GIVEN.sub(lambda found: printable(found[0]), cell)
    else:
        text = few_lines(cell, MOST_LINES, MOST_TEXT) if lines else one_line(cell, MOST_TEXT)
    return _FORMULA.sub(r"\1'", text)


csv.field_size_limit(1 << 30)  # a cell may be a text that a student typed; the file is the instructor's

Line = tuple[int, list[str]]  # the number of a row's last line, and its cells


def column_name(name: str) -> str:
    """Return a column's name in lower case, with single spaces between its words."""
    return " ".join(re.sub(r"[\s_-]+", " ", name.casefold()).split())


def check_width(cells: Sequence[str], place: str, header: Line, help: str) -> None:
    """Raise InputError if a row has not as many cells as the line that names the columns."""
    first, names = header
    if len(cells) != len(names):
        raise InputError(f"{place}: expected {len(names)} cells as in line {first}, found {len(cells)}", help)


def read_table(raw: bytes, place: str, help: str) -> tuple[Line, list[Line]]:
    """Return the line that names the columns, and the rows below it; blank ones are left out, cells stripped.

    Cells are separated by commas, semicolons or tabs. The text is UTF-8, with or without a byte order mark.

    Raises:
        InputError: it is not UTF-8, not CSV, or empty.
    """
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise InputError(
            f"{place}:{line}: expected UTF-8 text, found the byte 0x{raw[error.start]:02x}",
            "nothing was graded; save the file as CSV in UTF-8",
        ) from None
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        raise InputError(f"{place}:{line}: expected a CSV file, found zero bytes", help)
    text = re.sub(r"\Asep=.(?=\r?\n)", "", text)  # a line for Excel
    first = text.lstrip().partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=delimiter, strict=True, skipinitialspace=True
    )
    rows = []
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                rows.append((reader.line_num, [cell.strip() for cell in cells]))
    except csv.Error as error:
        raise InputError(f"{place}:{reader.line_num}: not CSV: {error}", help) from None
    if not rows:
        raise InputError(f"{place}: expected a line that names the columns, found nothing", help)
    return rows[0], rows[1:]

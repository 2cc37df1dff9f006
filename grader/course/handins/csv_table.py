"""Read a CSV file as people and platforms write them."""

import csv
import io

from grader.errors import InputError


def read_table(raw: bytes, place: str, help: str) -> list[tuple[int, list[str]]]:
    """Return each row that is not blank, as the number of its last line and its stripped cells.

    Cells are separated by commas, semicolons or tabs. The text is UTF-8, with or without a byte order mark.

    Raises:
        InputError: it is not UTF-8, or not CSV.
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
    return rows

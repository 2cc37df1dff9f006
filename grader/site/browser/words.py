"""What a command of the terminal is on the page: a button, another task, or nothing."""

import re

from grader.catalog.tasks import registry
from grader.reports.table import COMMAND

_OPEN = re.compile(r"(?<=^next: )open \S+ \(\S+\)")  # the file and the handout, which are there


def on_page(text: str, task: str) -> str:
    """Return a help or a next step with what the page does in place of the command at its end.

    Args:
        text: the text; a command comes last, after a colon.
        task: the task that the page shows.
    """
    found = COMMAND.search(text)
    if found is None:
        return text
    before, (_, named, *options) = text[: found.start()], found[0].split()
    before = _OPEN.sub("write what is missing", before).replace("but -d earns none", "but Run earns none")
    if named == task:
        return f"{before}press {'Run' if '-d' in options else 'Grade'}"
    if named in registry().tasks:
        return f"{before}open {named}"
    rest, _, purpose = before.rpartition("; ")
    return rest if purpose.startswith("to ") else before.removesuffix(": ")

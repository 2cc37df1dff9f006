"""The exit statuses, and the error that a user can fix: a message and what to do."""

FULL_MARKS = 0
POINTS_LOST = 1
USAGE = 2
OUR_FAULT = 3
INTERRUPTED = 130  # the shell's number for it


class InputError(Exception):
    """Something the user gave cannot be used; the command stops with status 2.

    Attributes:
        message: the place first, the value as written, what was expected before what was found.
        help: one sentence that says what to do.
    """

    def __init__(self, message: str, help: str) -> None:
        self.message = message
        self.help = help
        super().__init__(message, help)  # both, so that it can be pickled

    def __str__(self) -> str:
        return self.message

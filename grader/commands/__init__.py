"""List the commands of `grade`, each with its module and its line in `grade --help`.

A command's module is imported only when the command is run. The function in it that has the same name as the
module is the command.
"""

from typing import NamedTuple

from grader import paths

IN_RELEASE = not paths.REFERENCE.is_dir()  # whether this is a student's folder


class Entry(NamedTuple):
    """A command of `grade`."""

    module: str
    short_help: str  # its line in `grade --help`, at most 64 characters; empty if it is not listed there
    # whether only the course staff has the command; if so, its module is not released
    for_instructors: bool = False

    @property
    def is_missing(self) -> bool:
        """Whether the command is missing here: it is for instructors, and this is a student's folder."""
        return self.for_instructors and IN_RELEASE


STATUS, CHECK = "status", "check"  # `grade` alone runs the first, `grade TASK` the second
COMMANDS = {
    STATUS: Entry("status", ""),
    CHECK: Entry("check", ""),
    "start": Entry("start", "Make your folder, and draw a first board."),
    "show": Entry("show", "Draw a board with the known facts about it, or list the boards."),
    "replay": Entry("replay", "Replay the last solution of a task on a board, jump by jump."),
    "film": Entry("film", "Show what your search does on a board, from call to call."),
    "play": Entry("play", "Play in the browser, with hints from your own programs."),
    "hint": Entry("hint", "Give the next of three hints for the first failure of a task."),
    "predict": Entry("predict", "Predict what your program will do, and see later if it does."),
    "viva": Entry("viva", "Answer questions about your own programs."),
    "watch": Entry("watch", "Grade a task again at each save, and show what changed."),
    "pegmark": Entry("pegmark", "Measure how evenly client.key_hash spreads boards over chains."),
    "doctor": Entry("doctor", "Check what the sandbox can enforce on this machine."),
    "experiment": Entry("experiment", "Run searches on boards and count their unsolvable states.", True),
    "analyze": Entry("analyze", "Prove whether a board is solvable; find fewest pegs and moves.", True),
    "generate": Entry("generate", "Make boards with known answers, for use with --boards.", True),
    "release": Entry("release", "Make the folder that students get.", True),
    "site": Entry("site", "Make the course as a website: a folder for any web server.", True),
    "class": Entry("class_", "Grade a class: a folder of submissions or a platform download.", True),
    "export": Entry("export", "Make what is uploaded to platforms, sent to students, compared.", True),
    "compare": Entry("compare", "Show the differences between two class runs, and their causes.", True),
    "variant": Entry("variant", "Make a course that the public solution does not solve.", True),
}


def listed() -> list[str]:
    """Return the names of the commands that `grade --help` shows."""
    return [name for name, entry in COMMANDS.items() if entry.short_help and not entry.is_missing]

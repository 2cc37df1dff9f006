"""List the commands of `grade`, each with its module and its line in `grade --help`.

A command's module is imported only when the command is run; its function has the name of the module.
"""

from typing import NamedTuple

from grader import paths

IN_RELEASE = not paths.REFERENCE.is_dir()  # whether this is a student's folder


class Entry(NamedTuple):
    """A command.

    Attributes:
        module: its module in this folder.
        short_help: its line in `grade --help`, at most 64 characters; empty if it is not listed there.
        for_instructors: whether only the course's staff has it; its module is not released.
    """

    module: str
    short_help: str
    for_instructors: bool = False

    @property
    def is_missing(self) -> bool:
        """Whether the command is for instructors and this is a student's folder."""
        return self.for_instructors and IN_RELEASE


STATUS, CHECK = "status", "check"  # run by `grade` and `grade TASK`, without typing their names
COMMANDS = {
    STATUS: Entry("status", ""),
    CHECK: Entry("check", ""),
    "show": Entry("show", "Draw a board and say what is known of it, or list the boards."),
    "replay": Entry("replay", "Replay the last solution of a task on a board, jump by jump."),
    "play": Entry("play", "Play in the browser, with hints from your own programs."),
    "watch": Entry("watch", "Grade a task again at each save, and show what changed."),
    "pegmark": Entry("pegmark", "Measure how evenly client.key_hash spreads boards over chains."),
    "doctor": Entry("doctor", "Check what the sandbox can enforce on this machine."),
    "experiment": Entry("experiment", "Count the unsolvable states of searches, board by board.", True),
    "analyze": Entry("analyze", "Prove what is true of a board: solvable, fewest pegs and moves.", True),
    "generate": Entry("generate", "Make boards with a known answer, in a folder for --boards.", True),
    "release": Entry("release", "Make the students' folder.", True),
    "class": Entry("class_", "Grade a class: a folder of submissions or a platform download.", True),
    "export": Entry("export", "Make the files to upload to a course platform.", True),
    "compare": Entry("compare", "Show what differs between two class runs, and why.", True),
    "stubs": Entry("stubs", "Cut the stubs from the reference.", True),
}

"""Define `Result`, the record of one check; every report is a pure function of results."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, NamedTuple

from framework.jumps import Jump
from grader.safe_text import few_bytes, few_lines, one_line, safe


class Verdict(StrEnum):
    """How one check ended; `failed` is all that students read of a hidden check that did not pass."""

    ACCEPTED = "accepted"
    WRONG_ANSWER = "wrong-answer"
    ILLEGAL_MOVE = "illegal-move"
    NOT_WRITTEN = "not-written"
    BAD_RETURN = "bad-return"
    CONTRACT = "contract"
    CRASHED = "crashed"
    EXITED = "exited"
    TIMEOUT = "timeout"
    MEMORY = "memory"
    OUTPUT = "output"
    NOT_RUN = "not-run"
    GRADER_ERROR = "grader-error"
    FAILED = "failed"

    @property
    def words(self) -> str:
        """The verdict in words, such as `wrong answer`."""
        return self.replace("-", " ")


# Verdicts that the board helps to explain: for others a line of code says more, or all boards fail alike.
ON_A_BOARD = (Verdict.WRONG_ANSWER, Verdict.ILLEGAL_MOVE, Verdict.TIMEOUT, Verdict.CONTRACT)

# Limits of what is shown. The longest message has 60 lines of values and a drawn board.
MAX_LINES, MAX_LINE, MAX_HELP, MAX_CELL = 100, 500, 1000, 80
MAX_BYTES = 8 << 10  # of a message in UTF-8; JSON takes at most three times as many


def waited(cpu_s: float, wall_s: float) -> bool:
    """Return whether a program spent its time asleep or waiting rather than computing."""
    return wall_s > 3 * cpu_s + 1


class Picture(NamedTuple):
    """A board that is shown with a message."""

    cells: str  # its 64 cells row by row, as in a board's file: `*` a peg, `o` a hole, `.` a blocked cell
    # what cells are marked for, each with its row and column: `from`, `over`, `to` of a jump, or `no-peg`
    marks: tuple[tuple[str, int, int], ...] = ()
    caption: str = ""


@dataclass(frozen=True)
class Result:
    """The record of one check of a task."""

    task: str
    board: str  # the name of the check: the board's name, `BOARD:VARIANT`, or what it tests
    verdict: Verdict
    max_points: int
    pegs: int | None = None  # the number of pegs on the board before the first jump
    truth: str = ""
    answer: str = ""
    pegs_left: int | None = None  # the number that the program returned; None if it returned no number
    jumps: list[Jump] = field(default_factory=list)
    # how many boards the student's own table holds, as the program claims; None without one
    unsolvable: int | None = None
    # CPU seconds of the child from receiving the board to its answer, measured by the judge
    cpu_s: float = 0.0
    # the same in wall time, without the time spent waiting for a core (which only Linux reports)
    wall_s: float = 0.0
    peak_mib: float = 0.0  # the child's peak resident memory in MiB, Python and the compiled code included
    points: int = 0
    # the identity of its message, see `messages.phrases.Message`; empty when there is nothing to say
    code: str = ""
    # numbers and names in its message that hints or statistics depend on
    facts: Mapping[str, Any] = field(default_factory=dict)
    message: str = ""
    help: str = ""
    command: str = ""
    place: str = ""  # `file:line` of the student's code that the message is about, or empty
    source: str = ""
    values: tuple[tuple[str, str], ...] = ()
    pictures: tuple[Picture, ...] = ()
    # whether the message tells a cause that was seen to happen, so that others follow from it
    is_cause: bool = False
    is_part: bool = False  # whether the check asks a part of the idea by itself, from which others follow
    printed: str = ""
    tier: int = 0
    figures: tuple[tuple[str, str], ...] = ()  # extra columns of the table, each with its title and text
    hidden: bool = False
    before: bool = False  # whether the outcome was decided before the program was shown any hidden board
    # whether its table holds a board that can win; None if jumps were left out, which may be right
    untrue: bool | None = False

    @property
    def is_withheld(self) -> bool:
        """Whether it is right, and its points wait for those of other boards."""
        return self.facts.get("family") == "withheld"

    @property
    def full(self) -> bool:
        """Whether the check earned every point that it could."""
        return self.verdict == Verdict.ACCEPTED and self.points == self.max_points

    @property
    def asked(self) -> str:
        """The check that shows this again: another board's if it failed there."""
        return str(self.facts.get("asked", self.board))

    @property
    def shown_on(self) -> str:
        """The board of which the message speaks: not the check's own where jumps are tried by themselves."""
        return str(self.facts.get("where", self.asked)) if self.board else ""

    @property
    def is_timed(self) -> bool:
        """Whether the times may be shown; `for_students` removes those of hidden boards."""
        return not self.hidden or self.wall_s > 0

    def harmless(self) -> "Result":
        """Return the record, with all texts that a program may have influenced made safe and bounded."""
        return replace(
            self,
            answer=one_line(self.answer, MAX_CELL),
            facts={
                name: one_line(fact, MAX_CELL) if isinstance(fact, str) else fact
                for name, fact in self.facts.items()
            },
            message=few_bytes(few_lines(self.message, MAX_LINES, MAX_LINE), MAX_BYTES),
            help=one_line(self.help, MAX_HELP),
            command=one_line(self.command),
            place=safe(self.place),
            source=one_line(self.source),
            values=_few_values(self.values),
            pictures=tuple(each._replace(caption=one_line(each.caption)) for each in self.pictures),
            printed=safe(self.printed),
            figures=tuple(
                (one_line(title, MAX_CELL), one_line(text, MAX_CELL)) for title, text in self.figures
            ),
        )

    def as_plain_data(self) -> dict[str, Any]:
        """Return the record in the `peg-grade/v1` format."""
        return {
            "task": self.task,
            "board": self.board,
            "verdict": str(self.verdict),
            "pegs_left": self.pegs_left,
            "jumps": [list(jump) for jump in self.jumps],
            "unsolvable": self.unsolvable,
            "cpu_s": round(self.cpu_s, 3),
            "wall_s": round(self.wall_s, 3),
            "peak_mib": round(self.peak_mib, 1),
            "points": self.points,
            "max_points": self.max_points,
            "code": self.code,
            "facts": dict(self.facts),
            "message": self.message,
            "help": self.help,
            "command": self.command,
            "place": self.place,
            "pictures": [each._asdict() for each in self.pictures],
            "tier": self.tier,
        }


def _few_values(values: Sequence[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Return values that are safe to show: at most MAX_LINES lines of them."""
    kept, left = [], MAX_LINES
    for name, text in values:
        shown = few_bytes(few_lines(text.strip("\n"), max(left, 1), MAX_LINE), MAX_BYTES)
        kept.append((one_line(name, MAX_CELL), shown))
        left -= shown.count("\n") + 1
        if left <= 0:
            break
    return tuple(kept)


def any_fault(results: Iterable[Result]) -> bool:
    """Return whether the grader itself failed in any check."""
    return any(result.verdict == Verdict.GRADER_ERROR for result in results)


def first_failure(results: Sequence[Result]) -> Result | None:
    """Return the result that the student should improve first, or None if each has full marks.

    A visible check with points comes before others, and the first task that fails before later ones; within a
    task see `urgency`. If all that has points was not run, what was run comes before it.
    """
    failed = [result for result in results if not result.full]
    short = [result for result in failed if result.max_points or result.is_cause] or failed
    short = [result for result in short if not result.hidden] or short
    if all(result.verdict == Verdict.NOT_RUN for result in short):
        short = [each for each in failed if each.verdict != Verdict.NOT_RUN and not each.hidden] or short
    calm = {Verdict.NOT_RUN: 1, Verdict.ACCEPTED: 2}
    first = min(short, key=lambda each: calm.get(each.verdict, 0), default=None)
    return min((each for each in short if first and each.task == first.task), key=urgency, default=None)


def urgency(result: Result) -> tuple[bool, bool, bool, bool, int, int]:
    """Return a key by which results are sorted so that the one to be told first comes first.

    A known cause, a crash at a known line or a part that was run comes first, then what was run, then boards
    with points; then what failed at once, timeouts, and right answers, last those that wait for others; of
    those that ended alike, the board with the fewest pegs. A timeout that costs nothing comes with the
    remarks on right answers.
    """
    costs_nothing = result.verdict == Verdict.TIMEOUT and not result.max_points and not result.is_cause
    later = {Verdict.TIMEOUT: 1, Verdict.ACCEPTED: 3 if result.is_withheld else 2}
    at_line = bool(result.place) and not result.facts.get("inside")
    not_run = result.verdict == Verdict.NOT_RUN
    is_part = result.is_part and not not_run
    is_known = result.is_cause or is_part or (result.verdict == Verdict.CRASHED and at_line)
    waits = not is_known, not_run, not result.max_points
    return result.full or costs_nothing, *waits, later.get(result.verdict, 0), result.pegs or 0

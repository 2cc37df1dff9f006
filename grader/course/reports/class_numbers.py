"""Compute the numbers of a class run: points, checks and sections, mistakes, and results worth a look.

Only the attempts that count are included. A flag accuses nobody; it only shows which program to look at.
"""

import ast
import hashlib
import json
import keyword
import re
import statistics
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from grader import paths
from grader.catalog.boards import course_boards
from grader.catalog.tasks import Task
from grader.course.reports.class_mistakes import Mistake, mistakes
from grader.course.reports.standings import UNWRITTEN, Check, Standing, Standings
from grader.judging import kinds
from grader.messages.phrases import count
from grader.reports.provenance import Provenance
from grader.result import Verdict
from grader.submissions.cutting import cut_stub

MOST_ALIKE = 5  # students with the same answers
IMAGES = 8  # of a board, including itself; a program that merges images may count up to 8 times fewer states
# A claim is too small if it is below FEWEST_A_SECOND states per CPU second in a check of at least FROM_S.
# A plain student's program finds 400,000 a second (tests/bench/bench_limits.py, french3). A search may take a
# few seconds to prepare something first, such as the winning boards of peg5, so there the time is longer.
FEWEST_A_SECOND, FROM_S, FROM_S_PREPARED = 4_000, 1.0, 5.0


@dataclass(frozen=True)
class TaskNumbers:
    """The numbers of one task."""

    task: Task
    points: Sequence[int]  # the points of all who handed it in, before the course's rules, sorted
    most: int
    begun: int = 0  # how many of them have written anything of it
    # by student, the points of those who have begun it and have full marks in those whose files it builds on
    ready: Mapping[str, int] = field(default_factory=dict)

    @property
    def share(self) -> float | None:
        """The mean share of the points of those in `ready`, in percent; None if there is nobody."""
        return self.share_of(self.ready)

    def share_of(self, students: Iterable[str]) -> float | None:
        """Return the same of some students."""
        points = [self.ready[student] for student in students if student in self.ready]
        return 100 * statistics.mean(points) / self.most if points and self.most else None

    @property
    def full(self) -> int:
        """The number of students with full marks."""
        return sum(points >= self.most for points in self.points)

    @property
    def median(self) -> float:
        """The points that half of the students do not exceed."""
        return statistics.median(self.points or [0])

    @property
    def quartiles(self) -> tuple[float, float]:
        """The points that a quarter, and three quarters, of the students do not exceed."""
        if len(self.points) < 2:
            return self.median, self.median
        low, _, high = statistics.quantiles(self.points, method="inclusive")
        return low, high


@dataclass(frozen=True)
class Board:
    """One check: how hard it was, and whether it separates the strong from the weak."""

    task: str
    board: str
    accepted: int
    of: int
    lost: int = 0
    # the correlation, from -1 to 1, of having all its points with the points on all other checks, among
    # those whose program ran; None if all or none of them have all, or all have the same points elsewhere
    separates: float | None = None


@dataclass(frozen=True)
class Section:
    """A section of the course."""

    name: str | None  # its name; None for the whole class
    students: int
    handed_in: int
    shares: Sequence[float | None]  # of each task


@dataclass(frozen=True)
class Flag:
    """A student's count of states that is hard to believe, and why."""

    student: str
    task: str
    why: str
    checks: int


@dataclass(frozen=True)
class Alike:
    """Students with the same files in some tasks, or with the same answers from different files."""

    tasks: Sequence[str]
    students: Sequence[str]
    same_files: bool


@dataclass(frozen=True)
class Numbers:
    """The numbers of a whole class."""

    students: int
    handed_in: int
    tasks: Sequence[TaskNumbers]
    boards: Sequence[Board]
    mistakes: Sequence[Mistake]
    # the sections of the course, then the whole class; empty if there are fewer than two
    sections: Sequence[Section]
    slips: Sequence[tuple[str, Sequence[str]]]
    flags: Sequence[Flag]
    alike: Sequence[Alike]
    references: Mapping[str, Sequence[str]]
    ours: Sequence[tuple[str, int]]
    waiting: Sequence[str]
    missing: Sequence[str]
    strangers: Sequence[str]
    made: Sequence[str] = ()

    @property
    def expected(self) -> list[str]:
        """The tasks that most of those who handed in have begun."""
        return [task.task.name for task in self.tasks if 2 * task.begun > self.handed_in]


def class_numbers(standings: Standings) -> Numbers:
    """Return the numbers of a class."""
    students = standings.students
    tasks = _tasks(standings)
    return Numbers(
        len(students),
        sum(bool(each.attempts) for each in students),
        tasks,
        _boards(standings),
        mistakes(standings),
        _sections(standings, tasks),
        [(each.student.id, each.slips) for each in students if each.slips],
        _flags(standings),
        [*_same_files(standings), *_same_answers(standings)],
        _references(standings),
        [(each.student.id, sum(each.ours.values())) for each in students if each.ours],
        [each.student.id for each in students if each.waiting],
        [each.student.id for each in students if not each.attempts],
        [each.student.id for each in students if each.attempts and not each.student.on_roster],
        _made(standings),
    )


def _made(standings: Standings) -> list[str]:
    rows = standings.rows(
        "SELECT DISTINCT graded.made, tier, time_factor FROM had JOIN graded ON graded.id = had.graded "
        "WHERE graded.made != ''"
    )
    alike: dict[str, list[tuple[str, int, float]]] = defaultdict(list)
    for text, tier, factor in rows:
        made = Provenance(**json.loads(text))
        alike[made.versions].append((made.date[:10], tier, factor))
    lines = []
    for versions, found in sorted(alike.items()):
        dates, tiers, factors = (sorted(set(each)) for each in zip(*found, strict=True))
        days = dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}"
        of_tier = f"tier {' and '.join(map(str, tiers))}"
        limits = " to ".join(dict.fromkeys((f"{factors[0]:.2f}", f"{factors[-1]:.2f}")))
        lines.append(f"graded {days} by {versions}, {of_tier}, time limits x {limits}")
    return lines


def _tasks(standings: Standings) -> list[TaskNumbers]:
    begun = Counter(task for _, task in standings.begun)
    points: dict[str, dict[str, int]] = defaultdict(dict)
    most: dict[str, int] = {}
    full: set[tuple[str, str]] = set()
    for student, task, got, of in standings.rows(
        "SELECT student, task, points, max_points FROM had WHERE graded IS NOT NULL ORDER BY points"
    ):
        points[task][student] = got
        most[task] = max(of, most.get(task, 0))
        full |= {(student, task)} if got == of else set()
    found = []
    for task in standings.tasks:
        needs = [each.name for each in standings.tasks if each.file in task.files[:-1]]
        ready = {
            student: got
            for student, got in points[task.name].items()
            if (student, task.name) in standings.begun and full.issuperset((student, need) for need in needs)
        }
        all_points = [*points[task.name].values()]
        of = most.get(task.name, task.max_points)
        found.append(TaskNumbers(task, all_points, of, begun[task.name], ready))
    return found


# ---- checks and sections compared -----------------------------------------------------------------


def _boards(standings: Standings) -> list[Board]:
    """Return all checks, those that the fewest have all points in first."""
    answers: dict[tuple[int, int], list[Check]] = defaultdict(list)
    ran_at_all: set[tuple[str, str]] = set()  # a program that only crashed says nothing about a single check
    totals: Counter[str] = Counter()
    for each in standings.checks:
        answers[each.at].append(each)
        totals[each.student] += each.points
        if each.verdict not in (*UNWRITTEN, Verdict.CRASHED):
            ran_at_all.add((each.student, each.task))
    found = []
    for _, given in sorted(answers.items()):
        right = [each.verdict == Verdict.ACCEPTED and each.points == each.most for each in given]
        ran = [
            (is_right, totals[each.student] - each.points)
            for is_right, each in zip(right, given, strict=True)
            if each.verdict not in UNWRITTEN and (each.student, each.task) in ran_at_all
        ]
        lost = sum(each.most - each.points for each in given)
        found.append(Board(given[0].task, given[0].board, sum(right), len(given), lost, _correlation(ran)))
    return sorted(found, key=lambda board: board.accepted / board.of)


def _correlation(pairs: Sequence[tuple[bool, int]]) -> float | None:
    try:
        return statistics.correlation([float(one) for one, _ in pairs], [float(other) for _, other in pairs])
    except statistics.StatisticsError:  # fewer than two students, or all alike
        return None


def _sections(standings: Standings, tasks: Sequence[TaskNumbers]) -> list[Section]:
    """Return the sections by name, and then the whole class; empty if there are fewer than two sections."""
    members: dict[str, list[Standing]] = defaultdict(list)
    for standing in standings.students:
        members[standing.student.section].append(standing)
    if len(members) < 2:
        return []
    groups = [*sorted(members.items()), (None, standings.students)]
    return [
        Section(
            name,
            len(group),
            sum(bool(each.attempts) for each in group),
            [task.share_of(each.student.id for each in group) for task in tasks],
        )
        for name, group in groups
    ]


# ---- what is worth a look ------------------------------------------------------------------------


def _flags(standings: Standings) -> list[Flag]:
    tasks = {task.name: task for task in standings.tasks}
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for student, task, board, states, cpu_s, left, hidden in standings.rows(
        "SELECT student, had.task, board, unsolvable, cpu_s, json_extract(result, '$.pegs_left'), "
        "coalesce(json_extract(result, '$.hidden'), 0) "
        "FROM had JOIN checks USING (graded) WHERE verdict = ? AND unsolvable IS NOT NULL "
        "ORDER BY student, had.position, checks.position",
        Verdict.ACCEPTED,
    ):
        why = _odd(tasks[task], states, cpu_s, left, None if hidden else _positions(board))
        if why:
            found[student, task].append(f"{board}: {why}")
    return [Flag(student, task, whys[0], len(whys)) for (student, task), whys in found.items()]


def _odd(task: Task, states: int, cpu_s: float, left: int | None, positions: int | None) -> str:
    """Return why a count of states is hard to believe, or an empty text; `left` is how many pegs are left."""
    if positions is not None and states > positions:
        return f"{count(states, 'state')} claimed, but there are {count(positions, 'position')}"
    # A search with colours may find out without a look that a board is unsolvable: others visit them all.
    visits_all = kinds.of(task).visits_all
    if positions is not None and states < positions and visits_all and left != 1:
        images = "" if states * IMAGES < positions else "; it fits if images are taken for one board"
        return f"{count(states, 'state')} claimed of the {positions:,} unsolvable ones{images}"
    if cpu_s >= (FROM_S if visits_all else FROM_S_PREPARED) and states < cpu_s * FEWEST_A_SECOND:
        return f"{count(states, 'state')} claimed in {cpu_s:.1f} CPU s"
    return ""


def _same_files(standings: Standings) -> list[Alike]:
    """Return the students with the same files, ignoring those in which nothing is written yet.

    Of files that cannot be read the bytes are compared; the same fault makes no two of them the same. What a
    group handed in together is one file.
    """
    places = {each.student.id: [attempt.place for attempt in each.attempts] for each in standings.students}
    groups: dict[tuple[str, str], list[str]] = defaultdict(list)
    for task, sources, student in standings.rows(
        "SELECT task, sources, student FROM had JOIN sources ON sources.digest = had.sources "
        "WHERE (task, sources) IN (SELECT task, sources FROM had GROUP BY task, sources HAVING count(*) > 1) "
        "AND (problem = '' OR raw != '') AND EXISTS (SELECT 1 FROM checks "
        "WHERE checks.graded = had.graded AND verdict NOT IN (?, ?)) ORDER BY position, student",
        Verdict.NOT_WRITTEN,
        Verdict.NOT_RUN,
    ):
        groups[task, sources].append(student)
    apart = [
        (task, who)
        for (task, _), who in groups.items()
        if any(places[each] != places[who[0]] for each in who)
    ]
    return _merged(apart, True)


def _same_answers(standings: Standings) -> list[Alike]:
    """Return the students whose files differ, but whose solutions and counts are the same and all correct.

    Only tasks with a table are compared, since in other tasks honest programs give the same answers. So do
    programs that try jumps in the handout's order; therefore a group of more than MOST_ALIKE means nothing.
    """
    wanted = [task.name for task in standings.tasks if task.table]
    groups: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    given: dict[int, str] = {}
    for task, graded, sources, student in standings.rows(
        "SELECT task, graded, sources, student FROM had WHERE graded IS NOT NULL ORDER BY position, student"
    ):
        if task in wanted:
            if graded not in given:
                given[graded] = _answers(standings, graded)
            groups[task, given[graded]].append((student, sources))
    found = [
        (task, [student for student, _ in who])
        for (task, answers), who in groups.items()
        if answers and len(who) <= MOST_ALIKE and len({sources for _, sources in who}) > 1
    ]
    return _merged(found, False)


def _answers(standings: Standings, graded: int) -> str:
    """Return a digest of all solutions and counts in one grading; empty unless every answer was right."""
    digest = hashlib.sha256()
    for verdict, board, states, jumps in standings.store.read(
        "SELECT verdict, board, unsolvable, json_extract(result, '$.jumps') FROM checks WHERE graded = ? "
        "ORDER BY position",
        (graded,),
    ):
        if verdict != Verdict.ACCEPTED:
            return ""
        digest.update(f"{board} {states} {jumps}\n".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def _merged(groups: Iterable[tuple[str, list[str]]], same_files: bool) -> list[Alike]:
    """Return the groups of two or more students, each with all its tasks, the smallest first."""
    tasks: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for task, students in groups:
        if len(students) > 1:
            tasks[tuple(students)].append(task)
    return sorted(
        (Alike(of, who, same_files) for who, of in tasks.items()), key=lambda group: len(group.students)
    )


@cache
def _positions(board: str) -> int | None:
    """Return the number of positions of a course board; None if it is unknown."""
    found = course_boards().find(board.partition("+")[0])  # an image of a board has the same number
    return None if found is None else found.facts.positions


# A name or number, or any other sign but those that formatting adds and takes away.
_SIGNS = re.compile(r"\w+|[^\s\w()'\",\\]")
_SCOPES = ("import", "def", "lambda")
_COMMENT = re.compile(r"#[^\n]*")


def _references(standings: Standings) -> Mapping[str, Sequence[str]]:
    """Return, by student, the tasks for which they handed in the reference.

    It is found by what is left of a program without its own names, comments, docstrings and its format: a
    student's own program has another shape, but for chance in the smallest tasks.
    """
    found: dict[str, list[str]] = defaultdict(list)
    for task in standings.tasks:
        reference = paths.REFERENCE / task.file
        if not (task.file.endswith(".py") and reference.is_file()):
            continue
        solution = reference.read_text("utf-8")
        given = _given(cut_stub(solution, task.file))
        wanted, shapes = _shape(solution, given), dict[str, str]()
        for student, sources in standings.rows(
            "SELECT student, sources FROM had WHERE task = ? ORDER BY student", task.name
        ):
            if sources not in shapes:
                text = standings.store.sources_called(sources).files.get(task.file, "")
                shapes[sources] = _shape(text, given)
            if shapes[sources] == wanted:
                found[student].append(task.name)
    return found


def _given(stub: str) -> Collection[str]:
    """Return the names that a stub imports and those of its functions: nobody can call them otherwise."""
    nodes = ast.parse(stub).body
    imported = [alias.name for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names]
    return {*imported, *(node.name for node in nodes if isinstance(node, ast.FunctionDef))}


def _shape(program: str, given: Collection[str]) -> str:
    """Return a digest of a program's shape; a plain scan, since the program is a student's."""
    code = _COMMENT.sub("", "".join(program.split('"""')[::2]))
    signs, names = [], dict[str, str]()
    for each in _SIGNS.findall(code):
        if each in _SCOPES:
            names = {}  # what was called otherwise before may have another name here
        own = each.isidentifier() and not keyword.iskeyword(each) and each not in given
        signs.append(names.setdefault(each, f"N{len(names)}") if own else each)
    return hashlib.sha256(" ".join(signs).encode("utf-8", "surrogatepass")).hexdigest()

"""Make stores of class runs without grading anything, for tests of the code that reads them."""

import random
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta

from grader.catalog.tasks import Task, registry
from grader.course.records import Attempt, Student
from grader.course.reports.standings import Standings, read_standings
from grader.course.rules.policies import Policies
from grader.course.store import ClassStore, Graded, Setting, Sources, Todo
from grader.result import Result, Verdict

DUE = datetime(2026, 10, 2, 16, 0, tzinfo=UTC)
TASKS = ("client", "peg1", "peg2", "peg3", "peg4", "peg5")
FAILED = (
    (Verdict.WRONG_ANSWER, "expected 3, found {}", "count the pegs"),
    (Verdict.ILLEGAL_MOVE, "jump {} of your solution is illegal\n  2:0 -> 2:2 jumps over 2:1, which is empty", "look"),
    (Verdict.CRASHED, "IndexError: index {} is out of bounds\n  student/peg1.py:31: board[row + 2]", "mend it"),
    (Verdict.TIMEOUT, "stopped at the limit of 2.0 s", "remember positions"),
    (Verdict.NOT_WRITTEN, "solve is not written yet", "start here"),
)  # fmt: skip
Answers = Mapping[str, tuple[Mapping[str, str], Sequence[Result]]]  # by task: the files, and their results


def hide_boards(store: ClassStore) -> None:
    """Mark all results, except those of client, as graded on private boards."""
    with store.transaction() as db:
        db.execute(
            "UPDATE checks SET result = json_set(result, '$.hidden', json('true')) "
            "WHERE graded IN (SELECT id FROM graded WHERE task != 'client')"
        )


def setting(task: str, **parts: str) -> Setting:
    return Setting(task, {"boards": "1", "checks": "1", "task": "1", "grader": "1", **parts})


def put(
    store: ClassStore,
    students: Iterable[Student],
    attempts: Iterable[tuple[Attempt, Answers]],
    tasks: Sequence[str] = TASKS,
    tier: int = 2,
    time_factor: float = 1.0,
    **parts: str,
) -> None:
    """Put a class into a store; a task counts as graded if results are given for it."""
    made = list(attempts)
    settings = {task: setting(task, **parts) for task in tasks}
    store.take_class(
        students,
        [
            (attempt, {task: Sources(files) for task, (files, _) in by_task.items()})
            for attempt, by_task in made
        ],
        list(settings.values()),
    )
    for _, by_task in made:
        for task, (files, results) in by_task.items():
            if results:
                todo = Todo(task, Sources(files).digest, settings[task].digest)
                store.keep(Graded(todo, tier, time_factor, results))


def take_ungraded(store: ClassStore, handed_in: Mapping[str, Sequence[Mapping[str, str]]]) -> None:
    """Put a class into a store of which nothing is graded: by student, the files of each attempt at peg1."""
    attempts = [
        (Attempt(who, number, None, who), {"peg1": Sources(files)})
        for who, all_of in handed_in.items()
        for number, files in enumerate(all_of, 1)
    ]
    store.take_class([Student(who, who) for who in handed_in], attempts, [Setting("peg1", {})])


def one_attempt_each(
    store: ClassStore, answers: Mapping[str, Answers], tasks: Sequence[str], **sections: str
) -> Standings:
    """Put a class into a store of which everybody handed in once, and return its standings.

    Who is in a section and has no answers handed in nothing.
    """
    students = [Student(who, who, section=sections.get(who, "")) for who in {**answers, **sections}]
    put(store, students, [(Attempt(who, 1, DUE, who), each) for who, each in answers.items()], tasks)
    return standings_of(store)


def standings_of(store: ClassStore, policies: Policies | None = None) -> Standings:
    return read_standings(store, policies or Policies.none([registry().find(name) for name in store.tasks]))


def right(task: str, states: int | None = None, cpu_s: float = 0.01, **jumps: int) -> list[Result]:
    """Return the results of a program with every answer right.

    `jumps` has, by board, the column in which the solution's one jump ends.
    """
    return [
        Result(
            task, check.name, Verdict.ACCEPTED, check.points, 5, "solvable", "solved, 1 jump", 1,
            [(0, 0, 0, jumps.get(check.name, 2))], states, cpu_s, cpu_s, 60.0, check.points,
        )
        for check in registry().find(task).checks
    ]  # fmt: skip


def by_lot(task: Task, chance: random.Random, skill: float) -> list[Result]:
    """Return random results of a student with a skill from 0 to 1; a skill up to 0.3 earns no points."""
    made = right(task.name)
    for number, check in enumerate(task.checks):
        cpu_s = round(chance.uniform(0.001, 0.02), 3)
        states = chance.randrange(200, 20_000) if task.table else None
        if chance.random() < skill:
            made[number] = Result(
                task.name, check.name, Verdict.ACCEPTED, check.points, 5, "solvable", "solved, 1 jump", 1,
                [(0, 0, 0, chance.randrange(8))], states, cpu_s, cpu_s, 60.0, check.points if skill > 0.3 else 0,
            )  # fmt: skip
        else:
            verdict, message, help = chance.choice(FAILED)
            made[number] = Result(
                task.name, check.name, verdict, check.points, 5, "3 left", cpu_s=cpu_s,
                code=f"told-{verdict}", message=message.format(chance.randrange(30)), help=help,
            )  # fmt: skip
    return made


def class_by_lot(store: ClassStore, students: int, seed: int = 1) -> None:
    """Put a class with random points into a store: some students hand in late, some twice, some nothing."""
    chance = random.Random(seed)
    who, attempts = [], []
    for number in range(students):
        name = f"s{number:04}"
        who.append(
            Student(name, f"Student {number}", f"{name}@example.org", f"{number % 3}", number % 50 != 48)
        )
        for attempt in range(1, 0 if number % 20 == 19 else 3 if number % 7 == 3 else 2):
            skill = chance.betavariate(2.5, 0.6)
            answers = {
                task: ({f"{task}.py": f"# {name} {attempt}\n"}, by_lot(registry().find(task), chance, skill))
                for task in TASKS
            }
            when = DUE + timedelta(hours=chance.uniform(-90, 30))
            attempts.append((Attempt(name, attempt, when, f"class/{name}"), answers))
    put(store, who, attempts)

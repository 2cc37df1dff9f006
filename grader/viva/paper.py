"""Choose the questions of a paper, and verify each by running everything that it rests on a second time."""

import hashlib
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from random import Random

from grader.catalog.boards import find_board
from grader.catalog.tasks import Task, registry
from grader.messages.catalogue import Message, say
from grader.result import Verdict
from grader.sandbox.parent.sandbox import Sandbox
from grader.submissions.source_file import SubmissionFault
from grader.submissions.submission import Submission
from grader.viva.author import Author, drawn_boards, is_search
from grader.viva.kinds import GROUPS, LAST, Kind
from grader.viva.question import Question

TRIAL = "three-ways"  # the board on which a program must run before anything is asked about it
MOST_WALL_S = 60.0  # for a paper, thirty times what it takes; a hostile program may be slow to start
Read = Callable[[Task], Submission]


@dataclass(frozen=True)
class Paper:
    """The questions for a student."""

    who: str
    seed: int
    tasks: list[str]
    questions: list[Question]


@dataclass(frozen=True)
class Unasked:
    """A task about which nothing can be asked; `ours` says that it is the grader's own fault."""

    task: str
    why: Message
    ours: bool = False


def tasks_to_ask_about() -> dict[str, Task]:
    """Return, by name, the tasks that have a search to ask about."""
    return {name: task for name, task in registry().tasks.items() if is_search(task)}


def make_paper(
    who: str, read: Read, tasks: Sequence[Task], sandbox: Sandbox, seed: int, number: int
) -> tuple[Paper, list[Unasked]]:
    """Return a paper of up to `number` questions, and the tasks about which nothing can be asked.

    Args:
        read: returns a task's files, or raises SubmissionFault.
        seed: decides which questions are asked, together with the files.
    """
    kept = sandbox.folder("viva-")
    submissions: dict[str, Submission] = {}
    unasked = []
    for task in tasks:
        try:
            submissions[task.name] = replace(read(task), kept=kept)
        except SubmissionFault as fault:
            unasked.append(Unasked(task.name, say("cannot-be-read", problem=fault.message, todo=fault.help)))
    there = [task for task in tasks if task.name in submissions]
    draw = Random(f"{seed} {_digest(submissions)}")
    those = drawn_boards(draw)
    with Author(submissions, sandbox, those) as first, Author(submissions, sandbox, those) as second:
        failed = {task.name: first.program(task).why_no_trace(find_board(TRIAL)) for task in there}
        unasked += [
            Unasked(name, Message.of(result), result.verdict == Verdict.GRADER_ERROR)
            for name, result in failed.items()
            if result is not None
        ]
        asked = [task for task in there if failed[task.name] is None]
        questions = _verified(asked, first, second, draw, number)
    return Paper(who, seed, [task.name for task in asked], questions), unasked


def _digest(submissions: Mapping[str, Submission]) -> str:
    """Return a digest of the files, the same on every machine."""
    sources = {file: text for each in submissions.values() for file, text in each.sources.items()}
    return hashlib.sha256(repr(sorted(sources.items())).encode()).hexdigest()


def _verified(
    tasks: Sequence[Task], first: Author, second: Author, draw: Random, number: int
) -> list[Question]:
    """Return questions of different kinds, each the same when two authors ask it in processes apart."""
    end = time.monotonic() + MOST_WALL_S
    found: list[Question] = []
    with ThreadPoolExecutor(2) as pool:
        for kind in _in_turn(draw):
            if len(found) == number or time.monotonic() > end:
                break
            attempts = [(task, draw.random()) for task in draw.sample(tasks, len(tasks))]
            for task, chance in attempts:
                question, again = pool.map(partial(_ask, kind, task, chance), (first, second))
                if question is not None and question == again:
                    found.append(question)
                    break
    return found


def _ask(kind: Kind, task: Task, chance: float, author: Author) -> Question | None:
    return next(kind(author, task, Random(chance)), None)


def _in_turn(draw: Random) -> list[Kind]:
    """Return all kinds by chance, but one of each group in turn."""
    groups = [draw.sample(kinds, len(kinds)) for kinds in draw.sample(list(GROUPS.values()), len(GROUPS))]
    longest = max(map(len, groups))
    in_turn = [group[turn] for turn in range(longest) for group in groups if turn < len(group)]
    return [*in_turn, *LAST]

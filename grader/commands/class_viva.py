"""Write a paper of questions for each student of a class, for `grade class --viva`."""

import hashlib
import secrets
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from grader import folders, paths
from grader.catalog.tasks import Task
from grader.course.records import file_name_of
from grader.course.store import ClassStore
from grader.errors import InputError, unwritable
from grader.messages import catalogue
from grader.messages.phrases import count
from grader.safe_text import one_line
from grader.sandbox.confine import kernel
from grader.sandbox.confine.limits import usable_cores
from grader.sandbox.parent.sandbox import Sandbox
from grader.submissions.submission import Submission, submission_from
from grader.viva import pages
from grader.viva.author import is_search
from grader.viva.paper import Paper, Unasked, make_paper

QUESTIONS = 6
SECRET = "viva"  # the note that has it


def to_ask_about(tasks: Sequence[Task]) -> list[Task]:
    """Return the tasks that have a search to ask about."""
    asked = [task for task in tasks if is_search(task)]
    if not asked:
        raise InputError(
            "--viva: none of these tasks has a search to ask about", "grade peg2, peg3, peg4 or peg5 as well"
        )
    return asked


def write_papers(
    store: ClassStore,
    counted: Mapping[str, Sequence[int]],
    tasks: Sequence[Task],
    folder: Path,
    tier: int,
    say: Callable[[str], None],
) -> list[Path]:
    """Write a page for each student whose programs run; return the paths.

    Args:
        counted: the attempts that may count, by student; the questions are about the last one.
    """
    asked = to_ask_about(tasks)
    handed_in = {
        student: store.sources(student, numbers[-1]) for student, numbers in counted.items() if numbers
    }
    seeds = _seeds(store, handed_in)
    kernel.hide_memory()
    stop = threading.Event()
    with Sandbox(tier, True, stop) as sandbox, ThreadPoolExecutor(usable_cores()) as pool:
        sandbox.warm()

        def paper(student: str) -> tuple[Paper, list[Unasked]]:
            read = _reader(handed_in[student])
            try:
                return make_paper(student, read, asked, sandbox, seeds[student], QUESTIONS)
            except Exception as error:  # the other students get their papers all the same
                why = catalogue.say("viva-fault", fault=one_line(repr(error)))
                return Paper(student, seeds[student], [], []), [Unasked(student, why, ours=True)]

        try:
            made = dict(zip(handed_in, pool.map(paper, handed_in), strict=True))
        except BaseException:
            stop.set()
            raise
    written = []
    for student, (found, unasked) in made.items():
        file = folder / f"{file_name_of(student)}.html"
        try:
            if found.questions:
                folders.write_whole(file, pages.as_html(found))
                written.append(file)
            else:
                file.unlink(missing_ok=True)
                why = one_line(unasked[0].why.first)
                say(f"--viva: {one_line(student)}: nothing can be asked: {why}")
        except OSError as error:
            raise unwritable(file, error, "free some space, and run the command again") from None
    say(f"--viva: questions for {count(len(written), 'student')} in {paths.shown(folder)}")
    return written


def _seeds(store: ClassStore, students: Iterable[str]) -> dict[str, int]:
    """Return the seed of each student's paper: the same in each run, and not known before there is one."""
    secret = store.noted(SECRET) or secrets.token_hex()
    store.note(SECRET, secret)
    digests = {each: hashlib.sha256(f"{secret} {each}".encode()).hexdigest() for each in students}
    return {student: int(digest[:15], 16) for student, digest in digests.items()}


def _reader(sources: Mapping[str, str]) -> Callable[[Task], Submission]:
    """Return what reads a task's files from the texts that the store has."""

    def read(task: Task) -> Submission:
        return submission_from(
            "student", task.files, lambda name: sources[name].encode() if name in sources else None, True
        )

    return read

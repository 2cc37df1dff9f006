"""Jobs are done once each, whatever dies on the way."""

import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import chain, count, islice
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any, cast

import pytest

from grader import folders, paths
from grader.catalog.boards import find_board
from grader.catalog.tasks import registry
from grader.course import class_run, jobs
from grader.course.class_run import STRIKES, Pool
from grader.course.handins.intake import take_in
from grader.course.jobs import (
    Job,
    Part,
    WrongWorkerError,
    abilities,
    board_files,
    code_digest,
    end_worker,
    failed,
    grade_job,
)
from grader.course.store import ClassStore, Graded, Sources, Todo
from grader.course.workers import Cluster, Processes, Workers
from grader.judging.board_choice import BoardChoice
from grader.result import Result, Verdict
from grader.sandbox.confine import limits, tiers
from grader.sandbox.confine.limits import usable_cores
from grader.sandbox.parent.sandbox import Sandbox
from support.class_store import take_ungraded

pytestmark = pytest.mark.slow

PLACE = Path(__file__).resolve().parent


def _job(name: str, text: str = "") -> Job:
    part = Part(Todo("peg1", name, "setting"), Sources({"peg1.py": text}))
    return Job((part,), None, 2, code_digest())


def _graded(job: Job) -> list[Graded]:
    return [Graded(part.todo, 2, 1.0, []) for part in job.parts]


def dies_on_order(job: Job) -> list[Graded]:
    """Stand for a grader that some submissions kill: some always, some once (the file is there then)."""
    for part in job.parts:
        order, _, file = part.sources.files["peg1.py"].partition(" ")
        _do(order, file)
    return _graded(job)


def _do(order: str, file: str) -> None:
    if order == "raise":
        raise ValueError("no such thing")
    if order == "die" or (order == "die-once" and not Path(file).exists()):
        if file:
            Path(file).touch()
        os.kill(os.getpid(), signal.SIGKILL)


@pytest.fixture
def workers() -> Iterator[Processes]:
    """Give two processes."""
    workers = Processes()
    workers.places = 2
    yield workers
    workers.close()


def test_a_job_that_kills_its_worker_harms_no_other(workers: Processes, tmp_path: Path) -> None:
    jobs = [_job(str(number), "fine") for number in range(12)]
    jobs[2] = _job("2", "die")
    jobs[5] = _job("5", f"die-once {tmp_path / 'died'}")
    jobs[7] = _job("7", "raise")
    jobs[9] = replace(jobs[9], parts=jobs[9].parts + _job("12", "die").parts)  # one task of two
    jobs[10] = replace(jobs[10], parts=jobs[10].parts + _job("13", "raise").parts)
    done = list(Pool(jobs, workers, dies_on_order).results())
    assert sorted(int(graded.todo.sources) for graded in done) == list(range(14))
    said = {graded.todo.sources: graded.results[0] for graded in done if graded.results}
    assert said.keys() == {"2", "7", "12", "13"}
    assert all(result.verdict == Verdict.GRADER_ERROR for result in said.values())
    assert "its worker died each time" in said["2"].message
    assert "ValueError: no such thing" in said["7"].message


def test_the_speed_of_the_machine_is_measured_once_for_all(
    workers: Processes, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    workers.executor()
    assert (paths.cache_root() / "calibration.json").exists()  # which the workers read


def test_a_pool_that_breaks_while_it_starts_a_process(
    workers: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when a worker dies in that moment: its queue is closed under it, and another pool does the job."""
    start, broken = ProcessPoolExecutor._adjust_process_count, []

    def breaks_once(pool: ProcessPoolExecutor) -> None:
        if not broken:
            pool._broken = "a process died"
            broken.append(pool)
            raise OSError("handle is closed")
        start(pool)

    monkeypatch.setattr(ProcessPoolExecutor, "_adjust_process_count", breaks_once)
    assert len(list(Pool([_job("1", "fine")], workers, dies_on_order).results())) == 1
    assert broken


def test_the_processes_end_with_the_pool(workers: Processes) -> None:
    assert len(list(Pool([_job("1", "fine")], workers, dies_on_order).results())) == 1
    children = multiprocessing.active_children()
    assert children
    workers.close()
    assert all(not child.is_alive() for child in children)


PREPARED = """
import grader.cli  # as a run does, which keeps numpy from starting threads
from grader.course.workers import Processes

if __name__ == "__main__":
    workers = Processes(2)
    {before}
    workers.prepare(0)
    print(*(type(each).__name__ for each in workers._executor._processes.values()))
    workers.renew()
    workers.executor().submit(int).result()
    print(*(type(each).__name__ for each in workers._executor._processes.values()))
    workers.close()
"""


@pytest.mark.parametrize(
    ("before", "first"),
    [
        ("pass", "ForkProcess"),
        (
            "import threading; threading.Thread(target=threading.Event().wait, daemon=True).start()",
            "SpawnProcess",
        ),
        ("import subprocess; child = subprocess.Popen(['cat'])", "SpawnProcess"),
    ],
)
@pytest.mark.skipif(usable_cores() < 2, reason="no process gets ready beside the run")
def test_only_the_first_process_is_forked_and_only_from_a_run_that_is_like_new(
    before: str, first: str, tmp_path: Path
) -> None:
    """Later ones would have the class's store open, and threads and children make a fork unsafe."""
    file = tmp_path / "run.py"
    file.write_text(PREPARED.format(before=before))
    done = subprocess.run(
        [sys.executable, file], stdin=subprocess.PIPE, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == [first, "SpawnProcess"]


def one_place(**more: object) -> Workers:
    """Stand for workers of which one can work, and who have nothing but what is in `more`."""
    same = {"places": 1, "cores_for_each": lambda jobs: 1, "beside": lambda jobs: 1}
    return cast(Workers, SimpleNamespace(**same, have_changed=lambda: False, **more))


class Threads:
    """Workers that come, go and give up jobs as a test says, as a cluster's do."""

    def __init__(self) -> None:
        self.places = 2
        self._executor = ThreadPoolExecutor(2)

    def cores_for_each(self, jobs: int) -> int:
        return 1

    def beside(self, jobs: int) -> int:
        return 2

    def executor(self) -> Executor:
        return self._executor

    def have_changed(self) -> bool:
        return False

    def lost(self, error: BaseException) -> bool:
        return isinstance(error, ConnectionError)

    def renew(self) -> bool:
        return False

    def close(self) -> None:
        self._executor.shutdown()


@pytest.mark.parametrize(("places", "jobs", "cores"), [(8, 1, 8), (8, 3, 2), (2, 2, 1), (2, 1000, 1)])
def test_few_jobs_have_several_cores_each(places: int, jobs: int, cores: int) -> None:
    assert Processes(places).cores_for_each(jobs) == cores


def test_jobs_share_a_containers_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """No more run at once than have the memory of their task; the last one runs with what there is."""
    monkeypatch.setattr(limits, "most_mib", lambda graders: 4096 // graders - 256)
    for asked, memory_mib, places in ((8, 1024, 3), (8, 2048, 1), (8, 4096, 1), (2, 100, 2), (8, -9999, 8)):
        workers = Processes(asked, memory_mib)
        assert workers.places == places
        assert (workers.beside(1), workers.beside(100)) == (1, places)


@pytest.mark.skipif(tiers.missing(2) is not None, reason=str(tiers.missing(2)))
def test_a_job_knows_how_many_are_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def most_mib(graders: int) -> int:
        asked.append(graders)
        return 1024

    monkeypatch.setattr("grader.judging.check_run.most_mib", most_mib)
    try:
        grade_job(replace(_job("1"), beside=3))
    finally:
        end_worker()
    assert asked == [3]


def test_what_a_lost_worker_had_is_done_by_another() -> None:
    workers: Workers = Threads()
    tries: dict[str, int] = {}

    def grade(job: Job) -> list[Graded]:
        name = job.parts[0].todo.sources
        tries[name] = tries.get(name, 0) + 1
        if (name, tries[name]) in {("1", 1), ("1", 2), ("3", 1)} or name == "4":
            raise ConnectionError("the worker is gone")
        return _graded(job)

    done = list(Pool([_job(str(number)) for number in range(6)], workers, grade).results())
    workers.close()
    assert sorted(graded.todo.sources for graded in done) == list("012345")
    assert [graded.todo.sources for graded in done if graded.results] == ["4"]
    assert tries["4"] in (STRIKES, STRIKES + 1)  # the first may have been beside others


def test_workers_that_go_and_come_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    there = {"tcp://a": 1, "tcp://b:1": 1, "tcp://b:2": 1}
    asked = {"run": lambda function, workers: {workers[0]: function()}, "close": lambda: None}
    client = SimpleNamespace(nthreads=lambda: dict(there), **asked)
    monkeypatch.setattr("distributed.Client", lambda *_, **__: client)
    said: list[str] = []
    cluster = Cluster("tcp://host:1", replace(abilities(), tier=0), said.append)
    assert (cluster.places, said, cluster.have_changed()) == (3, [], False)
    assert cluster.beside(100) == 2, "those of one machine share its memory"
    del there["tcp://a"]
    assert cluster.have_changed() and cluster.places == 2
    assert said.pop() == "worker tcp://a is gone; what it had is given to another"
    there["tcp://c"] = 1
    assert cluster.have_changed() and said.pop() == "worker tcp://c joined"
    there.clear()
    assert cluster.have_changed() and cluster.places == 0
    assert said.pop().startswith("no worker is left: the run waits until one joins")


def test_jobs_wait_while_there_is_nobody_and_are_given_out_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """First there is no place; then the workers hang with both jobs until these are taken back."""
    monkeypatch.setattr(class_run, "TICK_S", 0.001)
    workers, looked, taken_back, tries = Threads(), count(1), Event(), count(1)
    workers.places = 0

    def have_changed() -> bool:
        now = next(looked)
        if now == 1:
            workers.places = 2
        elif now == 3:  # both were given out again at its beginning
            taken_back.set()
        return now <= 2

    def grade(job: Job) -> list[Graded]:
        if next(tries) <= 2:
            assert taken_back.wait(600)
            raise ConnectionError("stopped too late to matter")
        return _graded(job)

    workers.have_changed = have_changed  # type: ignore[method-assign]
    results = Pool([_job("1"), _job("2")], workers, grade).results()
    assert {graded.todo.sources for graded in results} == {"1", "2"}
    assert taken_back.is_set()
    workers.close()


def test_jobs_are_taken_only_when_there_is_a_place(workers: Processes) -> None:
    taken = 0

    def jobs() -> Iterator[Job]:
        nonlocal taken
        for number in range(30):
            taken += 1
            yield _job(str(number), "fine")

    results = Pool(jobs(), workers, dies_on_order).results()
    next(results)
    assert taken <= 8
    assert len(list(results)) == 29


def test_a_class_is_graded_in_no_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a submission would know whose hidden checks took how long before it."""

    class Taking:
        """A pool that does nothing."""

        def __init__(self, work: Iterable[Job], workers: object) -> None:
            orders.append([job.parts[0].todo for job in work])

        def give_out(self) -> None:
            """Do nothing."""

        def results(self) -> Iterator[Graded]:
            return iter(())

    orders: list[list[Todo]] = []
    monkeypatch.setattr(class_run, "Pool", Taking)
    todo = [[_job(f"{number}").parts[0].todo] for number in range(30)]
    kept = SimpleNamespace(sources_called=lambda digest: Sources({}), begun=lambda todo, tier: None)
    store = cast(ClassStore, kept)
    for _ in range(2):
        list(class_run.grade_class(store, todo, one_place(), None, 1))
    first, second = filter(None, orders)  # nothing hidden follows
    assert first != second  # 1 in 30! else
    assert sorted(first, key=str) == sorted(second, key=str) == sorted((part for (part,) in todo), key=str)


def test_every_visible_check_of_a_class_comes_before_any_hidden_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However often a run is killed, and whoever hands in meanwhile, and nothing that is stored is done twice."""
    shown = Result("peg1", "shown", Verdict.ACCEPTED, 1, points=1)
    hidden = replace(shown, board="hidden", hidden=True)
    done: list[tuple[bool, str]] = []  # whether hidden, and whose

    def grade(job: Job) -> list[Graded]:
        found = []
        for part in job.parts:
            name = part.sources.files["peg1.py"]
            done.append((part.begun is not None, name))
            assert part.begun in (None, [shown])
            begun = part.begun is None and name != "no-hidden"
            results = [shown] if part.begun is None else [hidden, shown]
            found.append(Graded(part.todo, 2, 1.0, results, begun=begun))
        return found

    def run(names: Sequence[str], killed_after: int | None) -> list[str]:
        """Grade a class of these until so many results are stored, and return the names of those."""
        with ClassStore(tmp_path / "class", create=True) as store:
            take_ungraded(store, {name: [{"peg1.py": name}] for name in names})
            names_of = {Sources({"peg1.py": name}).digest: name for name in names}
            todo = store.todo({name: [1] for name in names}, 2)
            results = class_run.grade_class(store, todo, workers, None, 2)
            return [names_of[graded.todo.sources] for graded in islice(results, killed_after)]

    def at_once(grades: Callable[[Job], list[Graded]], job: Job) -> Future[list[Graded]]:
        """So that nothing of a run that was killed goes on beside the next one."""
        future: Future[list[Graded]] = Future()
        future.set_result(grades(job))
        return future

    executor = SimpleNamespace(submit=at_once)
    workers = one_place(executor=lambda: executor)
    monkeypatch.setattr(class_run, "Pool", partial(Pool, grade=grade))
    names = ["no-hidden", *"abcd"]
    for killed_after in range(2 * len(names)):
        (tmp_path / "class").mkdir()
        stored: list[str] = []
        more = [*names, "later"]
        for each, after in ((names, killed_after), (more, killed_after), (more, None)):
            done.clear()
            before = Counter(stored)
            stored += run(each, after)
            phases = [is_hidden for is_hidden, _ in done]
            assert phases == sorted(phases)
            for is_hidden, name in done:  # what is not stored may be done again
                assert before[name] == is_hidden or (is_hidden and before[name] == 0)
        assert Counter(stored) == {**dict.fromkeys([*"abcd", "later"], 2), "no-hidden": 1}
        shutil.rmtree(tmp_path / "class")


@pytest.mark.parametrize("solves", [True, False])
def test_a_worker_that_dies_in_a_hidden_check_costs_no_visible_one(solves: bool) -> None:
    """Their points are settled all the same: who solves nothing earns none for boards without a solution."""
    own = []
    for check in registry().find("peg1").checks:
        right = solves or not find_board(check.board).facts.solvable
        verdict = Verdict.ACCEPTED if right else Verdict.WRONG_ANSWER
        own.append(Result("peg1", check.name, verdict, check.points, points=check.points * right))
    job = replace(_job("1"), boards=BoardChoice(count=2, seed=1, with_own=True))
    job = replace(job, parts=(replace(job.parts[0], begun=own),))
    [graded] = failed(job, "why")
    assert [each.verdict for each in graded.results[: len(own)]] == [each.verdict for each in own]
    assert graded.points == (registry().find("peg1").max_points if solves else 0)
    assert [(each.board, each.verdict, each.hidden) for each in graded.results[len(own) :]] == [
        (name, Verdict.GRADER_ERROR, True) for name in ("random-forced-1", "random-forced-2")
    ]


def test_files_that_cannot_be_read_here_are_the_graders_fault(
    store: ClassStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They cost nothing, and are graded by the run that can read them."""

    def opened(path: Path, *rest: Any, opened: Callable[..., int] = folders.opened) -> int:
        if path.name in ("ada", "peg1.py"):
            raise PermissionError(13, "Permission denied")
        return opened(path, *rest)

    folder, tasks = tmp_path / "class", [registry().find(name) for name in ("client", "peg1")]
    for file in ("ada/client.py", "bob/client.py", "bob/peg1.py"):
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text("x = 1\n")
    with monkeypatch.context() as patch:
        patch.setattr(folders, "opened", opened)
        class_run.take_class(store, take_in(folder), tasks, None)
    assert store.unread() == ["ada", "bob"]
    both = {"ada": [1], "bob": [1]}
    refused = [todo for todo in chain(*store.todo(both, 0)) if store.sources_called(todo.sources).problem]
    assert Counter(todo.task for todo in refused) == {"client": 1, "peg1": 2}
    for todo in refused:
        [graded] = grade_job(Job((Part(todo, store.sources_called(todo.sources)),), None, 0, code_digest()))
        assert graded.results[0].verdict == Verdict.GRADER_ERROR
        store.keep(graded)
    end_worker()
    assert {*refused} <= {*chain(*store.todo(both, 0))}
    class_run.take_class(store, take_in(folder), tasks, None)
    assert not store.unread()
    assert not {*refused} & {*chain(*store.todo(both, 0))}


def test_a_worker_of_another_grader_refuses() -> None:
    job = replace(_job("1"), code="another")
    with pytest.raises(WrongWorkerError):
        grade_job(job)


def test_a_job_may_be_done_twice_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As by two workers of a cluster, where it was given out again while the first one was still at it."""

    def graded(number: int) -> Graded:
        try:
            [graded] = grade_job(job)
            return graded
        finally:
            end_worker()

    for folder in ("cache", "temporary"):
        (tmp_path / folder).mkdir()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    plain = PLACE / "students" / "plain"
    sources = Sources({file: (plain / file).read_text("utf-8") for file in ("client.py", "peg1.py")})
    part = Part(Todo("peg1", "same", "setting"), sources)
    job = Job((part,), None, tiers.best(), code_digest())
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(graded, range(2))
    assert first.points == second.points == 15
    assert all(result.peak_mib > 5 for result in first.results)
    assert not list(tmp_path.glob("*/peg-grade/submissions/*"))
    assert not list((tmp_path / "temporary").iterdir())


def test_no_sandbox_outlives_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker of a cluster may do jobs of several; what is looked up in a sandbox's folders stays with them."""
    monkeypatch.setattr(Sandbox, "warm", lambda self: None)
    try:
        first, same, other = (jobs._sandbox(tiers.best(), run) for run in ("a", "a", "b"))
        assert first is same and same is not other
        assert not first.scratch.exists()
    finally:
        end_worker()


def test_a_failed_job_has_a_row_for_each_check() -> None:
    results = failed(_job("1"), "why")[0].results
    assert [result.board for result in results] == [check.name for check in registry().find("peg1").checks]
    assert all(result.points == 0 and result.max_points for result in results)


def test_abilities_name_the_tier_that_can_be_had() -> None:
    assert abilities().tier >= tiers.best()
    assert abilities().code == code_digest()


def test_another_judge_is_another_setting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for room in jobs.JUDGING_ROOMS:
        shutil.copytree(paths.PACKAGE / room, tmp_path / room, ignore=shutil.ignore_patterns("__pycache__"))
    task = registry().find("peg1")
    before = class_run._setting(task, None).digest
    monkeypatch.setattr(paths, "PACKAGE", tmp_path)
    monkeypatch.setattr(jobs, "judge_digest", jobs.judge_digest.__wrapped__)
    assert class_run._setting(task, None).digest == before
    with (tmp_path / "judging" / "judge.py").open("a") as code:
        code.write("# another one\n")
    assert class_run._setting(task, None).digest != before


def test_what_else_lies_beside_private_boards_is_no_matter(tmp_path: Path) -> None:
    (tmp_path / "index.yaml").write_text("boards: {}\n", "utf-8")
    (tmp_path / "notes.txt").write_bytes(b"\xff\xfe")
    (tmp_path / "old.txt").mkdir()
    assert board_files(tmp_path)["index.yaml"] == "boards: {}\n"

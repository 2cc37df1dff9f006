"""Hand jobs to a judge, which is zoo_judge.py in a separate process, and collect the results."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Any, TypeVar

from grader.course.records import parse_result
from grader.errors import InputError
from grader.result import Result
from support.canaries import Canaries
from support.zoo_rows import read_row

SILENCE_S = 600.0  # if the judge says nothing for so long, it hangs
T = TypeVar("T")
Graded = list[Result] | InputError


@dataclass(frozen=True)
class Job:
    """One submission to grade: a row of the zoo, in a tier, in a numbered run."""

    row: str
    tier: int
    run: int


class Judging:
    """A judge in a separate process that works through its jobs."""

    def __init__(self, place: Path, temporary: Path, canaries: Sequence[Canaries]) -> None:
        """Start the judge.

        Args:
            place: where the folders TIER/ROW/student are.
            temporary: the folder for its temporary files.
            canaries: the judge gets their secrets in its environment, and in files that it holds open.
        """
        environment = {**os.environ, "TMPDIR": str(temporary), "CI": "true"}
        # If this is set, the libraries' bytecode is never kept, and every child takes three times as long.
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        for number, each in enumerate(canaries):
            environment[f"SECRET_{number}"] = each.secret
        self._place = place
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("zoo_judge.py")), str(place)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            pass_fds=[each.inherited for each in canaries],
            text=True,
        )
        self.pid = self._process.pid  # the id of its process
        self._jobs: dict[Job, Future[Graded]] = {}
        self._started: set[Job] = set()
        self._end: Future[dict[str, Any]] = Future()
        self._heard = time.monotonic()
        # A daemon, so that a row that fails cannot hang the tests.
        self._listener = Thread(target=self._listen, daemon=True)
        self._listener.start()

    def submit(self, job: Job) -> None:
        """Hand a job to the judge; the job's folder must exist."""
        row = read_row(job.row, job.tier)
        self._jobs[job] = Future()
        folder = f"{job.tier}/{job.row}/student"
        more = {"folder": folder, "boards": list(row["expect"])}
        more["runs_out"] = "timeout" in row["expect"].values()
        more |= {field: row[field] for field in ("task", "debug", "waits")}
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({**vars(job), **more}) + "\n")
        self._process.stdin.flush()

    def of(self, job: Job) -> Graded:
        """Wait for a job and return its results, or the error if the job was refused."""
        return self._await(self._jobs[job])

    def finish(self) -> dict[str, Any]:
        """Wait until all jobs are done and the judge has ended; return its last message."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        said = self._await(self._end)
        assert self._process.wait(300) == 0
        return said

    def close(self) -> None:
        """Kill the judge, whatever it is doing."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.kill()
        self._listener.join()
        self._process.wait()
        self._process.stdin.close()
        self._process.stdout.close()

    def _await(self, future: Future[T]) -> T:
        while not wait([future], timeout=1).done:
            silent = time.monotonic() - self._heard > SILENCE_S
            assert not silent, f"the judge hangs; it is at {self._busy()}"
        return future.result()

    def _busy(self) -> str:
        return ", ".join(map(str, self._started)) or "no row"

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._heard = time.monotonic()
            said = json.loads(line)
            if "peak_mib" in said:
                self._end.set_result(said)
                return
            job = _job(said.get("started", said))
            if "started" in said:
                self._started.add(job)
                continue
            self._started.discard(job)
            self._take(job, said)
        fault = AssertionError(f"the judge ended with {self._process.wait()}; it was at {self._busy()}")
        for future in [*self._jobs.values(), self._end]:
            if not future.done():
                future.set_exception(fault)

    def _take(self, job: Job, said: dict[str, Any]) -> None:
        if "results" in said:
            self._jobs[job].set_result([parse_result(each) for each in said["results"]])
        elif "refused" in said:
            self._jobs[job].set_result(InputError(*said["refused"]))
        else:
            self._jobs[job].set_exception(AssertionError(f"the grader failed at {job}:\n{said['fault']}"))


def _job(said: dict[str, Any]) -> Job:
    return Job(said["row"], said["tier"], said["run"])

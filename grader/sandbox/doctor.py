"""Try out what each tier prevents a student's program from doing on this machine."""

import os
import shutil
import socket
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from grader.sandbox.asking import End, Load, Outcome
from grader.sandbox.confine import offers, tiers
from grader.sandbox.parent.runner import Runner
from grader.sandbox.parent.sandbox import Sandbox

PROBE = Path(__file__).parent / "doctor_submission.py"
MEMORY_MIB = 300
SHORT_CPU_S = 0.5  # where the time limit is tested
AMPLE_CPU_S = 10.0  # where it must not be reached first
VARIABLE = "PEG_GRADE_CANARY"


@dataclass(frozen=True)
class Promise:
    """Something that a program may not do."""

    what: str  # the action, in words
    tier: int  # the lowest tier that prevents it; higher tiers prevent it as well
    # the name of the attempt in doctor_submission.py, or, for a run on a board, how it must end
    key: str | End
    pegs: int = 1  # the board of the run, by its number of pegs
    cpu_s: float = AMPLE_CPU_S  # the limit of the run in CPU seconds


PROMISES = (
    Promise("inherit environment variables", 0, "inherit_variable"),
    Promise("inherit open files", 0, "inherit_file"),
    Promise("wait forever", 0, End.WALL_LIMIT, 4, SHORT_CPU_S),
    Promise("print without end", 0, End.OUTPUT_LIMIT, 5),
    Promise("compute without end", 1, End.CPU_LIMIT, 2, SHORT_CPU_S),
    Promise("take memory without end", 1, End.MEMORY_LIMIT, 3),
    Promise("write a file of 20 MiB", 1, "write_large_file"),
    Promise("raise its own limits", 2, "raise_limit"),
    Promise("read your files", 2, "read_file"),
    Promise("list your folders", 2, "list_folder"),
    Promise("write where it likes", 2, "write_file"),
    Promise("change a file's permissions", 2, "change_file"),
    Promise("connect by TCP", 2, "connect_tcp"),
    Promise("send by UDP", 2, "send_udp"),
    Promise("make a socket", 2, "make_socket"),
    Promise("start a process", 2, "start_process"),
    Promise("start a thread", 2, "start_thread"),
    Promise("start another program", 2, "start_program"),
    Promise("signal the grader", 2, "signal_judge"),
    Promise("trace the grader", 2, "trace_judge"),
    Promise("read the grader's environment", 2, "read_environment"),
    Promise("see other processes", 2, "see_processes"),
    Promise("see the machine's network", 3, "see_network"),
)
OWN_USER = Promise("run under the grader's user id", 3, "keep_user_id")  # where the grader is root


@dataclass(frozen=True)
class Finding:
    """Whether a promise was kept."""

    promise: Promise  # what was tried
    held: dict[int, bool]  # for each available tier, whether it was kept there

    def broken(self, tier: int) -> bool:
        """Return whether a tier should keep this promise, but does not."""
        return self.promise.tier <= tier and not self.held.get(tier, False)


@dataclass(frozen=True)
class Diagnosis:
    """What this machine can enforce."""

    asked: int  # the requested tier
    missing: dict[int, tuple[str, str]]  # for each tier that is not available, why, and what to do
    findings: list[Finding]  # the finding for each promise

    @property
    def holds(self) -> bool:
        """Whether the requested tier is available and keeps all its promises."""
        return not self.missing.get(self.asked) and not any(each.broken(self.asked) for each in self.findings)


def diagnose(asked: int) -> Diagnosis:
    """Try every promise in each available tier.

    Raises:
        OSError: the canaries, things that a program must not reach, cannot be set up.
    """
    lacking = {tier.number: tiers.missing(tier.number) for tier in tiers.TIERS}
    missing = {number: (found[1], found[0].help) for number, found in lacking.items() if found}
    available = [tier.number for tier in tiers.TIERS if tier.number not in missing]
    promises = [*PROMISES, *([OWN_USER] if offers.is_root() else [])]
    os.environ[VARIABLE] = "canary"
    with ThreadPoolExecutor(len(available)) as pool:
        kept = dict(zip(available, pool.map(lambda tier: _held_in(tier, promises), available), strict=True))
    missing |= {tier: (each, "mend that first") for tier, each in kept.items() if isinstance(each, str)}
    findings = [
        Finding(promise, {tier: each[number] for tier, each in kept.items() if not isinstance(each, str)})
        for number, promise in enumerate(promises)
    ]
    return Diagnosis(asked, missing, findings)


def _held_in(tier: int, promises: list[Promise]) -> list[bool] | str:
    """Return for each promise whether a tier keeps it; or why that could not be tried."""
    boards = {promise.pegs: promise.cpu_s for promise in promises}
    with _Canaries() as canaries, Sandbox(tier, True, threading.Event()) as sandbox:
        load = Load(canaries.submission(), "peg1", MEMORY_MIB)
        with Runner(load, sandbox) as runner, ThreadPoolExecutor(len(boards)) as pool:
            outcomes = dict(
                zip(boards, pool.map(partial(_run, runner), boards, boards.values()), strict=True)
            )
    for outcome in outcomes.values():
        if outcome.end == End.FAULT or outcome.importing:
            return f"nothing could be tried: {outcome.fault or outcome.end.name}"
    tried = _tried(outcomes[1])
    return [
        bool(tried.get(promise.key))
        if isinstance(promise.key, str)
        else outcomes[promise.pegs].end == promise.key
        for promise in promises
    ]


def _run(runner: Runner, pegs: int, cpu_s: float) -> Outcome:
    row = " ".join("*" * pegs + "o" * (8 - pegs))
    board = "\n".join([row] + [" ".join("." * 8)] * 7)
    request: dict[str, Any] = {"kind": "solve", "board": board + "\n", "table": False, "arguments": []}
    return runner.run(request, cpu_s)


def _tried(outcome: Outcome) -> dict[str, str]:
    """Return what stopped each attempt, as doctor_submission.py printed it."""
    lines = (outcome.head + outcome.tail).decode("utf-8", "replace").splitlines()
    return dict(line.split("\t", 1) for line in lines if "\t" in line)


class _Canaries:
    """Things that a program must not reach: a file, an open file, a listening port."""

    def __enter__(self) -> "_Canaries":
        self._folder = Path(tempfile.mkdtemp(prefix="peg-canary-")).resolve()
        self._secret = self._folder / "secret"
        self._secret.write_text("canary")
        self._open = os.open(self._secret, os.O_RDONLY)
        os.set_inheritable(self._open, True)
        self._listening = socket.create_server(("127.0.0.1", 0))
        return self

    def __exit__(self, *_: object) -> None:
        self._listening.close()
        os.close(self._open)
        shutil.rmtree(self._folder, ignore_errors=True)

    def submission(self) -> Path:
        """Return a clean folder with doctor_submission.py, which is told where the canaries are."""
        folder = Path(tempfile.mkdtemp(prefix="submission-", dir=self._folder))
        folder.chmod(0o755)
        self._folder.chmod(0o755)  # the file must not be protected by its permissions alone
        for name in ("code", "compiled"):
            (folder / name).mkdir()
        text = PROBE.read_text("utf-8")
        for word, value in (
            ("CANARY_FILE", self._secret),
            ("CANARY_PORT", self._listening.getsockname()[1]),
            ("CANARY_VARIABLE", VARIABLE),
            ("JUDGE_PID", os.getpid()),
            ("JUDGE_UID", os.getuid() if hasattr(os, "getuid") else -1),
        ):
            text = text.replace(word, str(value))
        (folder / "code" / "peg1.py").write_text(text, "utf-8")
        (folder / "code" / "client.py").write_text(_CLIENT, "utf-8")
        return folder


_CLIENT = "row_start = col_start = row_end = col_end = int\n"

"""What holds a child, each part by itself; the zoo tries the whole."""

import contextlib
import ctypes
import importlib
import importlib.util
import json
import mmap
import os
import pickle
import platform
import re
import resource
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from framework.board import format_board
from grader import errors, folders, paths
from grader.catalog.boards import find_board
from grader.catalog.tasks import Asked, registry
from grader.commands import doctor
from grader.commands.options import space_notes
from grader.errors import InputError
from grader.judging import calibration
from grader.judging.check_run import CheckRunner
from grader.judging.grading import Choice
from grader.judging.judge import Judge
from grader.reports.report import Report, render
from grader.result import Result, Verdict
from grader.sandbox.asking import End, Outcome
from grader.sandbox.confine import kernel, landlock, limits, namespaces, offers, reach, syscalls, tiers
from grader.sandbox.confine.limits import Usage
from grader.sandbox.doctor import Diagnosis, Finding, Promise, diagnose
from grader.sandbox.parent import exchange, runner, zygote
from grader.sandbox.parent.compiled_code import CompiledCode
from grader.sandbox.parent.runner import Load, Runner
from grader.sandbox.parent.running import Child, Running, reap_orphans
from grader.sandbox.parent.sandbox import SCRATCH, Sandbox, scratch_folder
from grader.submissions.submission import Submission, read_submission
from support.command import GRADE, ROOT, WITHOUT_LANDLOCK, grade
from support.grading import results_of
from support.idea_programs import PLAIN
from support.processes import cpu_s, in_child

needs_tier_2 = pytest.mark.skipif(tiers.missing(2) is not None, reason=str(tiers.missing(2)))
needs_tier_3 = pytest.mark.skipif(tiers.missing(3) is not None, reason=str(tiers.missing(3)))
Submitted = Callable[[str], Path]


def need_tier(tier: int) -> None:
    if tiers.missing(tier):
        pytest.skip(f"tier {tier} is not available")


# ---- Landlock ----------------------------------------------------------------------------------


@needs_tier_2
def test_landlock_leaves_what_is_named_and_nothing_else(tmp_path: Path) -> None:
    for name in ("readable", "writable", "hidden"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text("text", "utf-8")

    def tries() -> None:
        landlock.restrict([tmp_path / "readable", tmp_path / "not there"], [tmp_path / "writable"])
        assert (tmp_path / "readable" / "file").read_text("utf-8") == "text"
        (tmp_path / "writable" / "new").write_text("more", "utf-8")
        os.replace(tmp_path / "writable" / "new", tmp_path / "writable" / "file")
        (tmp_path / "writable" / "file").unlink()
        for refused in (
            lambda: (tmp_path / "hidden" / "file").read_bytes(),
            lambda: os.listdir(tmp_path),
            lambda: (tmp_path / "readable" / "file").write_text("other", "utf-8"),
            lambda: (tmp_path / "readable" / "file").unlink(),
            lambda: os.truncate(tmp_path / "readable" / "file", 0),
            lambda: os.mkfifo(tmp_path / "writable" / "pipe"),
            lambda: os.rename(tmp_path / "readable" / "file", tmp_path / "writable" / "file"),
        ):
            with pytest.raises(OSError):  # noqa: PT011 - permission denied, or "is on another device"
                refused()

    assert in_child(tries) == ""


# ---- system calls ------------------------------------------------------------------------------


def filtered(tries: Callable[[], object]) -> str:
    """Call `tries` in a child under the filter; return what it raised."""
    program = syscalls.program()

    def in_it() -> None:
        syscalls.install(program)
        tries()

    return in_child(in_it)


def refused(call: Callable[[], object]) -> None:
    with pytest.raises(OSError):  # noqa: PT011 - not permitted, or as if the system had no such call
        call()


def raw_call(number: int, *arguments: int | bytes | None) -> int:
    """Make a system call, as a program does that goes round the C library's functions."""
    libc = ctypes.CDLL(None, use_errno=True)
    words = (ctypes.c_long(each) if isinstance(each, int) else each for each in arguments)
    found = int(libc.syscall(ctypes.c_long(number), *words))
    if found == -1:
        raise OSError(ctypes.get_errno(), "")
    return found


STATX = {"x86_64": 332, "aarch64": 291}


@needs_tier_2
def test_what_harms_is_refused(tmp_path: Path) -> None:
    pair = socket.socketpair()
    file = (tmp_path / "file").open("w+b")
    file.write(b"abc")
    file.flush()
    file.seek(0)

    def tries() -> None:
        refused(lambda: socket.socket())
        refused(lambda: socket.socketpair())
        refused(lambda: pair[0].sendmsg([b"x"]))  # which could send descriptors
        refused(lambda: os.posix_spawn("/bin/true", ["true"], {}))
        refused(lambda: os.execv("/bin/true", ["true"]))
        refused(lambda: subprocess.run(["/bin/true"], check=True))
        refused(lambda: os.memfd_create("x"))
        refused(lambda: os.chmod("/tmp", 0o777))
        refused(lambda: os.pidfd_open(os.getpid()))
        refused(lambda: os.kill(os.getppid(), 0))
        refused(lambda: os.kill(0, 0))
        statx = STATX[platform.machine()]
        refused(lambda: raw_call(statx, 0, b"", 0, 0x4000, bytes(256)))  # the number of a mount
        refused(lambda: os.kill(-1, 0))
        refused(lambda: os.sched_setaffinity(0, {0}))
        refused(lambda: os.sched_getaffinity(os.getppid()))  # which would tell that it exists
        refused(lambda: time.clock_getres((~os.getppid() << 3) | 2))
        refused(lambda: pair[0].getsockopt(socket.SOL_SOCKET, 57))  # SO_COOKIE, a machine-wide number
        refused(lambda: mmap.mmap(-1, 1 << 21, flags=0x4_0022))  # MAP_HUGETLB, whose pages nobody counts
        refused(lambda: os.truncate(__file__, 10**6))
        refused(lambda: os.open("/tmp", os.O_RDONLY | os.O_TRUNC))
        refused(lambda: os.open(os.devnull, os.O_ACCMODE))  # neither to read nor to write
        refused(lambda: os.ftruncate(file.fileno(), 1 << 20))  # and whatever else leaves a hole
        refused(lambda: os.posix_fallocate(file.fileno(), 0, 1 << 20))
        refused(lambda: os.pwrite(file.fileno(), b"x", 1 << 20))
        refused(lambda: os.pwritev(file.fileno(), [b"x"], 1 << 20))
        for offset, whence in ((1 << 20, os.SEEK_SET), (1, os.SEEK_CUR), (1 << 20, os.SEEK_END)):
            refused(lambda offset=offset, whence=whence: os.lseek(file.fileno(), offset, whence))
        assert [os.lseek(file.fileno(), 0, whence) for whence in range(3)] == [0, 0, 3]
        resource.getrlimit(resource.RLIMIT_CPU)
        refused(lambda: resource.setrlimit(resource.RLIMIT_CPU, (9, 9)))
        clone3, io_uring_setup, ptrace_of_x86 = 435, 425, 101
        for number in (clone3, io_uring_setup, ptrace_of_x86):
            refused(lambda number=number: raw_call(number, None, None, None, None))
        refused(os.fork)
        with pytest.raises(RuntimeError):
            threading.Thread(target=lambda: None).start()
        os.kill(os.getpid(), 0)  # itself it may
        signal.raise_signal(signal.SIGWINCH)

    assert filtered(tries) == ""
    for each in (*pair, file):
        each.close()


@needs_tier_2  # so all else is there
@pytest.mark.parametrize(("machine", "largest"), [("riscv64", 2**63 - 1), ("aarch64", 2**31 - 1)])
def test_no_call_is_made_by_a_number_that_is_not_known(
    machine: str, largest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A 32-bit Python runs on 64-bit systems, too; there each check is a process of its own."""
    monkeypatch.setattr(os, "uname", lambda: SimpleNamespace(machine=machine))
    monkeypatch.setattr(sys, "maxsize", largest)
    assert not offers.forks()
    assert syscalls.missing() == f"the numbers of this Python's system calls on {machine} are not known here"


@needs_tier_2
def test_no_word_goes_by_way_of_the_page_cache() -> None:
    advice = range(26)

    def tries() -> None:
        memory = mmap.mmap(-1, mmap.PAGESIZE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        allowed = []
        for number in advice:
            with contextlib.suppress(OSError):
                memory.madvise(number)
                allowed.append(number)
        assert set(allowed) <= {4, 8, 14, 15}  # about its own memory, and nobody else's
        with open(__file__, "rb") as file:
            refused(lambda: os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED))
            refused(lambda: os.preadv(file.fileno(), [bytearray(1)], 0, os.RWF_NOWAIT))
            refused(lambda: mmap.mmap(file.fileno(), 0, flags=mmap.MAP_SHARED, prot=mmap.PROT_READ))
            for number in (27, 187, 221, 451):  # mincore, readahead, fadvise64, cachestat of x86_64
                refused(lambda number=number: raw_call(number, file.fileno(), 0, 4096, 4, 0))

    assert filtered(tries) == ""


@needs_tier_2
def test_processes_cannot_wait_for_one_another_or_share_flags() -> None:
    import fcntl

    wait, wake, private = 0, 1, 128
    futex = 202  # of x86_64

    def tries() -> None:
        with open(__file__, "rb") as file:
            place = ctypes.addressof(
                ctypes.c_char.from_buffer(mmap.mmap(-1, mmap.PAGESIZE, flags=mmap.MAP_PRIVATE))
            )
            for operation in (wait, wake):
                refused(lambda operation=operation: raw_call(futex, place, operation, 1, 0, 0, 0))
            assert raw_call(futex, place, wake | private, 1, 0, 0, 0) == 0
            refused(lambda: fcntl.fcntl(file, fcntl.F_SETFL, os.O_APPEND))
            refused(lambda: os.set_blocking(file.fileno(), False))
        refused(lambda: time.clock_gettime((~os.getppid() << 3) | 2))

    assert filtered(tries) == ""


# ---- what can be reached -----------------------------------------------------------------------


def test_nothing_of_the_grader_can_be_read() -> None:
    for path in reach.readable(paths.FRAMEWORK_ROOT):
        real = path.resolve()
        assert not paths.PACKAGE.is_relative_to(real)
        assert not real.is_relative_to(paths.PACKAGE)
        assert not paths.BOARDS.is_relative_to(real)


def test_libraries_can_be_read_and_nothing_beside_them() -> None:
    """Once it is imported, six says that it is a package, of no folder."""
    six = importlib.import_module("six")
    readable = reach.readable(paths.FRAMEWORK_ROOT)
    assert Path(six.__file__ or "") in readable
    assert Path(six.__file__ or "").parent not in readable


# ---- tiers -------------------------------------------------------------------------------------


def test_a_tier_that_is_not_available_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(landlock, "version", lambda: 0)
    assert tiers.best() == 1
    with pytest.raises(InputError) as told:
        tiers.chosen(2, guarded=False)
    assert told.value.message == (
        "--tier 2: not available here: tier 2: this kernel has no Landlock, or it is turned off"
    )
    with pytest.raises(InputError, match="tier 2"):
        tiers.chosen(3, guarded=False)
    assert tiers.chosen(1, guarded=True) == 1


@pytest.mark.slow
@needs_tier_2
def test_the_doctor_is_right_without_landlock() -> None:
    command = [*WITHOUT_LANDLOCK, *GRADE, "doctor", "--format", "json"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    found = json.loads(ran.stdout)
    assert (ran.returncode, found["holds"], found["asked"]) == (1, False, 2)
    assert [bool(tier["missing"]) for tier in found["tiers"]] == [False, False, True, True]
    assert "no Landlock" in found["tiers"][2]["missing"]
    assert all(set(promise["held"]) == {"0", "1"} for promise in found["promises"])
    held = {promise["what"]: promise["held"]["1"] for promise in found["promises"]}
    assert held["compute without end"]
    assert not held["read your files"]


def test_the_doctors_table_explains_its_marks() -> None:
    waits, reads = Promise("wait forever", 0, End.WALL_LIMIT), Promise("read your files", 2, "read_file")
    found = [Finding(waits, {0: True, 1: False}), Finding(reads, {0: False, 1: False})]
    missing = dict.fromkeys((2, 3), ("no Landlock", "turn it on"))
    lines = doctor._table(Diagnosis(1, missing, found)).splitlines()
    assert [line.split() for line in lines[1:3]] == [
        ["wait", "forever", "held", "BROKEN", "?", "?"],
        ["read", "your", "files", "-", "-", "?", "?"],
    ]
    assert all(f"{mark:<8}{meaning}" in lines for mark, meaning in doctor.MARKS.items())
    without = doctor._table(Diagnosis(0, {}, [Finding(waits, dict.fromkeys(range(4), True))]))
    assert doctor.MARKS["held"] in without
    assert doctor.MARKS["-"] not in without


def test_what_the_doctor_could_not_try_is_not_broken(monkeypatch: pytest.MonkeyPatch, scratch: Path) -> None:
    assert namespaces.missing() is not None  # once and for all, with a Python that works
    monkeypatch.setattr(sys, "executable", "/bin/false")
    found = diagnose(1)
    assert not found.holds
    assert found.missing[1][0] == "nothing could be tried: its Python did not come up: DIED"
    assert "BROKEN" not in doctor._table(found)


def test_a_zygote_that_dies_at_once_is_not_reaped_by_others(
    monkeypatch: pytest.MonkeyPatch, scratch: Path
) -> None:
    def start(*arguments: Any) -> "subprocess.Popen[bytes]":
        process = started(*arguments)
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        thread = threading.Thread(target=reap_orphans)
        thread.start()
        thread.join(0.5)
        return process

    started = zygote.start
    monkeypatch.setattr(zygote, "start", start)
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with Sandbox(1, True, threading.Event()) as sandbox, pytest.raises(zygote.Fault):
        sandbox.zygote()


@pytest.mark.slow
@needs_tier_2
def test_the_doctor_finds_what_this_machine_holds() -> None:
    ran = grade("doctor", "--format", "json")
    found = json.loads(ran.stdout)
    broken = [each["what"] for each in found["promises"] if each["from_tier"] <= 2 and not each["held"]["2"]]
    assert (ran.returncode, found["holds"], broken) == (0, True, []), ran.stderr


# ---- one submission ----------------------------------------------------------------------------


@pytest.fixture
def submitted(tmp_path: Path) -> Submitted:
    """Return a function that makes a student folder with the reference's client and a peg1 of this text."""

    def make(text: str) -> Path:
        folder = tmp_path / "student"
        folder.mkdir(exist_ok=True)
        (folder / "client.py").write_text((paths.REFERENCE / "client.py").read_text("utf-8"), "utf-8")
        (folder / "peg1.py").write_text(text, "utf-8")
        return folder

    return make


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for temporary files that must be empty afterwards."""
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield folder
    assert list(folder.iterdir()) == []


def ask_about(board: str) -> dict[str, Any]:
    return {"kind": "solve", "board": format_board(find_board(board).board), "table": False, "arguments": []}


def clean_folder(folder: Path) -> Path:
    return read_submission(folder, registry().find("peg1").files).clean_folder()


@contextlib.contextmanager
def running(
    folder: Path,
    tier: int = 2,
    debug: bool = True,
    memory: int = 1024,
    hidden: bool = False,
    many: bool = False,
) -> Iterator[tuple[Sandbox, Runner]]:
    """Run checks of a student folder's peg1 in a sandbox of their own."""
    load = Load(clean_folder(folder), "peg1", memory)
    with (
        Sandbox(tier, debug, threading.Event(), many=many) as sandbox,
        Runner(load, sandbox, hidden) as runner,
    ):
        yield sandbox, runner


def outcome_of(
    folder: Path, tier: int = 2, cpu_s: float = 2.0, debug: bool = True, memory: int = 1024
) -> Outcome:
    with running(folder, tier, debug, memory) as (_, runner):
        return runner.run(ask_about("stuck"), cpu_s)


RETURNS_3 = "def peg_solve(board, stack): return 3\n"
OPENS_BY_NAME = """
import os

def peg_solve(board, stack):
    opened = 0
    for descriptor in range(1, 16):
        name = f"/proc/{os.getpid()}/fd/{descriptor}"
        try:
            if os.readlink(name) != os.devnull:
                os.open(name, os.O_RDWR | os.O_NONBLOCK)
                opened += 1
        except OSError:
            pass
    return 3 + opened
"""


@needs_tier_2
def test_no_output_or_channel_is_opened_by_its_name(submitted: Submitted, scratch: Path) -> None:
    outcome = outcome_of(submitted(OPENS_BY_NAME))
    assert outcome.end == End.ANSWERED and b'"answer": 3,' in outcome.frame, outcome


COMPILES_IN_THE_CHECK = """
from framework.contracts import compiled

@compiled
def helper(number):
    return number + 1

def peg_solve(board, stack):
    return int(helper(2))
"""


@needs_tier_2
def test_a_check_leaves_no_compiled_code(submitted: Submitted, scratch: Path) -> None:
    folder = submitted(COMPILES_IN_THE_CHECK)
    outcome = outcome_of(folder, debug=False, cpu_s=10.0)
    assert outcome.end == End.ANSWERED
    compiled = clean_folder(folder) / "compiled"
    assert [file for file in compiled.rglob("*") if file.is_file()] == []


FILLS_THE_FOLDER = """
import mmap
import os
from pathlib import Path

def peg_solve(board, stack):
    import numba
    folders = sorted(Path(numba.config.CACHE_DIR).glob("code_*"))
    while True:
        for number in range(100):
            try:
                WRITE
            except OSError:
                pass
"""
WAYS_TO_FILL = {
    "large files": "Path(folders[0], f'{number}.nbc').write_bytes(bytes(1 << 20))",
    "a file again and again": "Path(folders[0], 'x.nbc').write_bytes(bytes(1 << 20))",
    "files that are gone": "path = Path(folders[0], 'x.nbc'); file = path.open('wb'); "
    "globals().setdefault('held', []).append(file); path.unlink(); file.write(bytes(3 << 20))",
    "a byte again and again": "path = Path(folders[0], 'x.nbc'); path.write_bytes(b'x'); path.unlink()",
    "files without a name": "os.write(os.open(folders[0], os.O_TMPFILE | os.O_RDWR), bytes(3 << 20))",
    "empty files": "[Path(folders[0], f'{time}-{number}.nbc').touch() for time in range(1000)]",
}


def compile_run(text: str, submitted: Submitted, tier: int = 2) -> tuple[Outcome, Path]:
    """Return what came of a run that is made to have code compiled, and the folder that keeps it."""
    folder, request = submitted(text), ask_about("stuck")
    with running(folder, tier, debug=False) as (_, runner):
        outcome = runner.compile(request)
        assert runner.run(request, 0.5).end in (End.CPU_LIMIT, End.ANSWERED)
    return outcome, clean_folder(folder) / "compiled"


@pytest.mark.slow
@needs_tier_2
@pytest.mark.parametrize("way", WAYS_TO_FILL)
@pytest.mark.parametrize("imported", [False, True])
def test_the_run_that_may_write_is_stopped_when_it_writes_much(
    way: str, imported: bool, submitted: Submitted, scratch: Path
) -> None:
    text = FILLS_THE_FOLDER.replace("WRITE", WAYS_TO_FILL[way]) + "peg_solve(None, None)\n" * imported
    outcome, kept = compile_run(text, submitted)
    # Where writing is slow, a run ends by itself first, because nothing is left to compile.
    ended = (outcome.end, outcome.returncode) == (End.DIED, signal.SIGPROF)
    assert outcome.end == End.OUTPUT_LIMIT or (ended and way == "a byte again and again")
    assert list(kept.iterdir()) == []


LEAVES_THINGS = """
import os
import pickle
from pathlib import Path

def attempt(act, *arguments):
    try:
        act(*arguments)
    except OSError:
        pass

def peg_solve(board, stack):
    import numba
    top = Path(numba.config.CACHE_DIR)
    for folder in [top, *sorted(top.glob("*_*"))]:
        attempt(os.mkdir, folder / "deep.nbc")
        attempt(os.makedirs, folder / "deep" / "deeper")
        attempt(os.mkdir, folder / "closed.nbi", 0)
        attempt(os.close, os.open(folder / "closed.nbc", os.O_CREAT | os.O_WRONLY, 0) if folder != top else -1)
        attempt(os.mkfifo, folder / "pipe.nbc")
        attempt(os.symlink, "/etc/passwd", folder / "link.nbc")
        for name, data in {
            "word.nbc": b"yes",
            "word.txt": pickle.dumps(1),
            "two.nbc": pickle.dumps(1) * 2,
            "more.nbi": pickle.dumps(1) * 2 + b"x",
            "long.nbc": b"N" * 10_000 + b".",
            "right.nbc": pickle.dumps({}),
            "right.nbi": pickle.dumps("0.0") + pickle.dumps({}),
            "\x1b[31m.nbc": pickle.dumps(1),
        }.items():
            attempt((folder / name).write_bytes, data)
    return 3
"""


@pytest.mark.slow
@pytest.mark.parametrize("tier", [2, 3])
def test_of_what_such_a_run_leaves_what_numba_might_write_is_kept(
    tier: int, submitted: Submitted, scratch: Path
) -> None:
    need_tier(tier)
    outcome, kept = compile_run(f"{LEAVES_THINGS}# {tier}\n", submitted, tier)
    assert outcome.end == End.ANSWERED
    files = [path for path in kept.rglob("*") if not path.is_dir()]
    assert {path.name for path in files} == {"right.nbc", "right.nbi"}
    assert all("_" in path.parent.name for path in files)


@pytest.mark.slow
@needs_tier_2
def test_without_space_for_compiled_code_no_check_is_run(
    submitted: Submitted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In its own limit of time, it could not compile as well; and what is left out counts as a fault."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    usage = shutil.disk_usage("/")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=1 << 20))
    outcome, kept = compile_run(f"{RETURNS_3}# no space\n", submitted)
    assert (outcome.end, outcome.fault.endswith(": only 1 MiB")) == (End.FAULT, True)
    assert sorted(path.name for path in kept.parent.iterdir()) == ["code", "compiled"]
    [result] = results_of(Choice(submitted(RETURNS_3), ("stuck",), tier=2), "peg1")
    assert result.verdict == Verdict.GRADER_ERROR
    assert "no space left in /" in result.message
    assert space_notes() == [
        f"no space left in {each}: only 1 MiB" for each in (tmp_path, paths.cache_root())
    ]


@pytest.mark.slow
@pytest.mark.parametrize("kept", [b"", b"no pickle"], ids=["empty", "damaged"])
def test_damaged_compiled_code_costs_no_points(kept: bytes, tmp_path: Path) -> None:
    folder = tmp_path / "student"
    folder.mkdir()
    for file in PLAIN.glob("*.py"):
        (folder / file.name).write_text(f"{file.read_text('utf-8')}# {tmp_path}\n", "utf-8")
    for again in (False, True):
        [result] = results_of(Choice(folder, ("one-jump",)), "peg1")
        assert result.full, result.message
        files = list(read_submission(folder, registry().find("peg1").files).folder.rglob("*.nb?"))
        assert files and (not again or kept or all(file.read_bytes() for file in files))
        for file in files:
            file.write_bytes(kept)


def test_compiled_code_that_cannot_be_written_counts_as_not_compiled(tmp_path: Path) -> None:
    made = CompiledCode(tmp_path / "clean")
    made.folder.mkdir(parents=True)
    [ours, _] = made.make_writable(tmp_path, has_own_user=False)
    (ours / "x.nbc").write_bytes(pickle.dumps("x" * 3000))

    def tries() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        made.keep(tmp_path, End.ANSWERED)

    assert "File too large" in in_child(tries)
    assert not made.was_tried
    assert [path for path in made.folder.rglob("*") if path.is_file()] == []


@needs_tier_2
def test_what_cannot_be_confined_is_the_graders_fault(
    submitted: Submitted, scratch: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(CompiledCode, "make_writable", lambda *_: [tmp_path / "none"])
    with running(submitted(RETURNS_3), debug=False) as (_, runner):
        outcome = runner.compile(ask_about("stuck"))
    assert outcome.end == End.FAULT
    assert "No such file or directory" in outcome.fault


@needs_tier_3
def test_what_cannot_have_namespaces_is_the_graders_fault(
    submitted: Submitted, scratch: Path, tmp_path: Path
) -> None:
    with running(submitted(RETURNS_3), 3) as (sandbox, runner):
        sandbox.root.rmdir()
        outcome = runner.run(ask_about("stuck"), 2.0)
    assert outcome.end == End.FAULT
    assert outcome.fault.startswith("no process could be forked: [Errno 2] mount ")


def test_what_a_dead_child_used_is_known() -> None:
    """Also where it had died before the judge looked, and was no more than its number."""
    process = subprocess.Popen(
        [sys.executable, "-c", "bytes([1]) * (50 << 20)"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdin and process.stdout and process.stderr
    process.stdout.read()  # until it ends
    process.returncode = 0
    ends = [os.dup(stream.fileno()) for stream in (process.stdin, process.stdout, process.stderr)]
    for stream in (process.stdin, process.stdout, process.stderr):
        stream.close()
    running = Running(process.pid, *ends)
    running.end()
    assert running.peak_mib > 50
    assert running.cpu_s > 0


@needs_tier_2
def test_time_without_a_core_is_not_time_waited(
    submitted: Submitted, scratch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A busy machine must not make a program that computes look as if it slept."""
    started, usage = time.monotonic(), limits.usage

    def starved(pid: int) -> limits.Usage | None:
        used = usage(pid)
        return used and used._replace(waited_s=time.monotonic() - started)

    monkeypatch.setattr(limits, "usage", starved)
    endless = submitted("def peg_solve(board, stack):\n    while True: pass\n")
    outcome = outcome_of(endless, cpu_s=0.5, debug=False)
    assert (outcome.end, outcome.wall_s) == (End.CPU_LIMIT, outcome.cpu_s)


@needs_tier_2
def test_what_a_child_used_that_fails_unseen_is_known(
    submitted: Submitted, scratch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "usage", lambda pid: None)
    outcome = outcome_of(submitted("def peg_solve(board, stack):\nreturn 3\n"))
    assert b"IndentationError" in outcome.frame
    assert outcome.peak_mib > 5


ASKS_FOR_ANOTHER_VERSION = """
from framework.board import count_pegs

def peg_solve(board, stack):
    return int(count_pegs(board.T))
"""


@needs_tier_2
def test_another_version_of_what_the_zygote_compiled_is_kept(submitted: Submitted, scratch: Path) -> None:
    folder, request = submitted(ASKS_FOR_ANOTHER_VERSION), ask_about("stuck")
    with running(folder, debug=False, many=True) as (_, runner):
        assert runner.compile(request).end == End.ANSWERED
        assert runner.run(request, 20.0).end == End.ANSWERED
    assert [file.name.split("-")[0] for file in clean_folder(folder).rglob("*.nbc")] == ["board.count_pegs"]


USES_FUNCTIONS_AS_VALUES = """
from framework.contracts import compiled

@compiled
def one_more(number):
    return number + 1

@compiled
def twice(number):
    return number * 2

@compiled
def either(which, number):
    function = one_more if which else twice
    return function(number)

def peg_solve(board, stack):
    return either(True, 2) * 10 + either(False, 2)
"""


@needs_tier_2
def test_a_function_can_be_used_as_a_value(submitted: Submitted, scratch: Path) -> None:
    request = ask_about("stuck")
    with running(submitted(USES_FUNCTIONS_AS_VALUES), debug=False) as (_, runner):
        outcomes = [runner.compile(request), runner.run(request, 20.0)]
    assert [b'"answer": 34' in outcome.frame for outcome in outcomes] == [True, True], outcomes


@pytest.mark.slow
def test_a_later_task_takes_over_what_an_earlier_one_compiled(tmp_path: Path, scratch: Path) -> None:
    folder = tmp_path / "plain"
    shutil.copytree(Path(__file__).parent / "students" / "plain", folder)
    for file in folder.glob("*.py"):  # files that no other test has had compiled
        file.write_text(f"{file.read_text('utf-8')}# {tmp_path}\n", "utf-8")

    def compiled_by(task: str, board: str) -> dict[str, int]:
        [result] = results_of(Choice(folder, (board,), tier=1), task)
        assert result.full
        return inodes(task)

    def inodes(task: str) -> dict[str, int]:
        clean = read_submission(folder, registry().find(task).files).folder
        assert len(list((clean / "compiled").glob("code_*"))) == 1
        return {path.name: path.stat().st_ino for path in (clean / "compiled").glob("code_*/*.nbc")}

    earlier = compiled_by("peg1", "one-jump")
    submission = read_submission(folder, registry().find("peg2").files)
    CompiledCode(submission.clean_folder()).take_over(submission.without("peg2.py").folder)
    taken = inodes("peg2")
    assert taken.keys() == earlier.keys()
    after = compiled_by("peg2", "choice")
    assert {name: after[name] for name in taken} == taken, "numba compiled it again"
    assert {name.split("-")[0] for name in after.keys() - taken.keys()} == {"peg2.go"}


def test_what_a_killed_grader_left_is_swept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = subprocess.Popen([sys.executable, "-c", "pass"])
    gone.wait()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    left = tmp_path / f"{SCRATCH}-{gone.pid}-{folders.process_space()}-abcd"
    used = tmp_path / f"{SCRATCH}-{os.getpid()}-{folders.process_space()}-abcd"
    elsewhere = tmp_path / f"{SCRATCH}-{gone.pid}-00000000-abcd"  # another machine's
    other = tmp_path / f"{SCRATCH}-notes"
    moved = tmp_path / f"{SCRATCH}-{gone.pid}-{folders.process_space()}-wide"  # by whoever may write in it
    for folder in (left, used, elsewhere, other, moved):
        folder.mkdir()
    moved.chmod(0o770)
    # as an archive may hold that is unpacked there
    link = tmp_path / f"{SCRATCH}-{gone.pid}-{folders.process_space()}-link"
    (other / "file").touch()
    link.symlink_to(other)
    with Sandbox(1, True, threading.Event()):
        assert not left.exists()
        assert not link.is_symlink()
    assert used.exists() and elsewhere.exists() and moved.exists()
    assert (other / "file").exists()


HIDES = """
import os, sys
from pathlib import Path
from grader import folders
os.setresuid(65534, 65534, 65534)  # a parent that is not dumpable then, and its child
first = os.getpid()
for pid in (first, 2**22 - 1):
    Path(f"x-{pid}-{folders.process_space()}-abcd").mkdir()
if not os.fork():
    print(*[folder.name.split("-")[1] == str(first) for folder in folders.left_behind(Path(), "x")])
    sys.exit()
os.wait()
"""


@pytest.mark.skipif(sys.platform != "linux" or os.getuid() != 0, reason="only root mounts /proc")
def test_what_a_running_grader_uses_is_not_swept_where_proc_hides_it(tmp_path: Path) -> None:
    """A second grader of the same user does not see the first one, which hides its memory, in /proc."""
    hidden = ["unshare", "-m", "sh", "-c", 'mount -t proc -o hidepid=2 proc /proc && exec "$@"', "sh"]
    if subprocess.run([*hidden, "true"], capture_output=True, check=False).returncode:
        pytest.skip("no /proc can be mounted here")
    tmp_path.chmod(0o777)
    found = subprocess.check_output([*hidden, sys.executable, "-c", HIDES], cwd=tmp_path, text=True)
    assert found == "False\n"


def test_numba_takes_no_options_from_the_current_folder(tmp_path: Path) -> None:
    """With them come pickles, which would be loaded in the judge, not in the sandbox."""
    (tmp_path / ".numba_config.yaml").write_text("cache_dir: .n\n")
    for command in (["analyze", "plus"], ["peg1", "--reference", "--board", "stuck"]):
        assert grade(*command, cwd=tmp_path).returncode == 0
    assert not (tmp_path / ".n").exists()


@pytest.mark.parametrize(("option", "limit"), [("-v", "3000000"), ("-d", "1000000"), ("-t", "60")])
def test_a_limit_under_which_right_programs_fail_is_refused(option: str, limit: str) -> None:
    command = f"ulimit {option} {limit}; exec {shlex.join([*GRADE, 'peg1', '--reference'])}"
    ran = subprocess.run(["sh", "-c", command], capture_output=True, text=True)
    assert ran.returncode == 2 and ran.stderr.startswith(f"ulimit {option} is {limit}: programs may need ")


@pytest.mark.slow
@pytest.mark.skipif(
    os.name != "posix" or os.getuid() != 0, reason="only root gives a child a user id of its own"
)
@pytest.mark.parametrize("umask", [0o027, 0o077])
def test_a_umask_costs_nobody_points(umask: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    for tier in ("2", "3"):
        command = [*GRADE, "peg1", "--reference", "--board", "one-jump", "--tier", tier]
        ran = subprocess.run(command, capture_output=True, text=True, umask=umask)
        assert ran.returncode == 0, ran.stdout + ran.stderr


def test_a_file_that_has_no_space_is_not_used(tmp_path: Path) -> None:
    submission = Submission("student", {"peg1.py": "# " + "x" * 3000}, tmp_path)

    def tries() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        submission.clean_folder()

    assert "cannot be written" in in_child(tries)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


LEAVES_A_PROCESS = """
import os
import time

def peg_solve(board, stack):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(600)
        os._exit(0)
    return 3
"""


@pytest.mark.parametrize("tier", [0, 1])
def test_what_a_check_leaves_running_ends_with_the_run(
    tier: int, submitted: Submitted, scratch: Path
) -> None:
    """From tier 2 on it can start nothing."""
    need_tier(tier)
    before = set(limits.children(os.getpid()))
    assert outcome_of(submitted(LEAVES_A_PROCESS), tier=tier).end == End.ANSWERED
    left = set(limits.children(os.getpid())) - before
    assert [Path(f"/proc/{x}/status").read_text()[:300] for x in left] == []


def test_a_zygote_that_died_is_replaced(submitted: Submitted, scratch: Path) -> None:
    with running(submitted(RETURNS_3), 1) as (sandbox, runner):
        for _ in range(2):
            assert runner.run(ask_about("stuck"), 2.0).end == End.ANSWERED
            zygote = sandbox.zygote().running.pid
            os.kill(zygote, signal.SIGKILL)
            os.waitid(os.P_PID, zygote, os.WEXITED | os.WNOWAIT)


WITHOUT_ITS_FIRST_THREAD = """
import ctypes
import importlib
import threading
import time

def goes_on():
    time.sleep(0.2)
    held = b"x" * (600 << 20)
    time.sleep(3600)

def peg_solve(board, stack):
    threading.Thread(target=goes_on).start()
    ctypes.CDLL(None).syscall({"x86_64": 60, "aarch64": 93}[__import__("os").uname().machine], 0)
"""


NEW_STACK = """
import os, resource
from framework.stack import stack_new
from grader.sandbox.confine import kernel

kernel.allocate_large_blocks_anew()
used = [bytearray(size) for size in (16 << 20, *[50_000] * 150)]
del used[0]  # by default, the C library uses blocks of this size again from now on
used.clear()
if os.fork() == 0:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    stack_new()
    os._exit(min(255, resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before))
print(os.waitstatus_to_exitcode(os.wait()[1]))
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="the setting is glibc's")
def test_a_new_stack_is_no_used_memory() -> None:
    ran = subprocess.run([sys.executable, "-c", NEW_STACK], check=True, capture_output=True, text=True)
    assert int(ran.stdout) < (2 << 20) // mmap.PAGESIZE  # pages that the fork takes; not those of 8 MiB


def no_huge_pages() -> bool:
    """Return whether this system gives a process no huge page when it asks for one."""
    with mmap.mmap(-1, 4 << 20, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as memory:
        memory.write(b"x" * len(memory))
        address = ctypes.addressof(ctypes.c_char.from_buffer(memory)) + (2 << 20) - 1 >> 21 << 21
        return bool(kernel.libc().madvise(ctypes.c_void_p(address), ctypes.c_size_t(2 << 20), 25))


@pytest.mark.slow
@needs_tier_2
@pytest.mark.parametrize("many", [False, True])
def test_the_memory_of_a_class_is_in_huge_pages(many: bool) -> None:
    if many and no_huge_pages():
        pytest.skip("no huge pages here")
    with Sandbox(2, False, threading.Event(), many=many) as sandbox:
        memory = Path(f"/proc/{sandbox.zygote().running.pid}/smaps_rollup").read_text("ascii")
    found = re.search(r"AnonHugePages: +(\d+) kB", memory)
    assert found is not None and (int(found[1]) > 0) == many


def test_memory_counts_without_the_first_thread(submitted: Submitted, scratch: Path) -> None:
    outcome = outcome_of(submitted(WITHOUT_ITS_FIRST_THREAD), tier=1, cpu_s=20.0, memory=400)
    assert outcome.end == End.MEMORY_LIMIT


LOOKS_AROUND = """
import os

def peg_solve(board, stack):
    seen = [path for path in ("/proc", "/etc", "/usr/bin", "/tmp") if os.path.lexists(path)]
    print(*seen)
    return 3
"""


@needs_tier_3
@pytest.mark.parametrize("private", [False, True])
def test_a_check_of_a_run_with_private_boards_sees_no_file_but_its_own(
    private: bool, submitted: Submitted, scratch: Path
) -> None:
    """Also a check that is not hidden: the reports of earlier runs are files, and have sizes."""
    tier = tiers.chosen(None, guarded=True, private=private)
    with running(submitted(LOOKS_AROUND), tier) as (_, runner):
        seen = runner.run(ask_about("stuck"), 5.0).head.decode().split()
    assert ("/proc" in seen, "/usr/bin" in seen) == (not private, not private)


LOOKS_NAMES_UP = """
import os
import resource

def peg_solve(board, stack):
    print(os.stat(os.path.dirname(os.__file__) + "/json").st_ino, *resource.getrlimit(resource.RLIMIT_SIGPENDING))
    return 3
"""


@pytest.mark.slow
@needs_tier_3
def test_a_hidden_check_looks_names_up_in_folders_that_go(submitted: Submitted, scratch: Path) -> None:
    """The kernel keeps which names were looked up in a folder, also those that are not there."""
    folder = submitted(LOOKS_NAMES_UP)
    seen = []
    for _ in range(2):
        with running(folder, 3, hidden=True) as (sandbox, runner):
            outcomes = [runner.run(ask_about("stuck"), 5.0).head.decode().split() for _ in range(2)]
            seen += [int(inode) for inode, *limits in outcomes if limits == ["0", "0"]]
            there = {path.stat().st_ino for path in sandbox.libraries.glob("*")}
            assert len(outcomes) == 2 and there.issuperset(seen[-2:])
    assert len(seen) == 4
    assert Path(json.__file__).parent.stat().st_ino not in seen


READS_A_LIBRARY = """
NAME = "NAMED"

def peg_solve(board, stack):
    if (board == 1).sum() == 3:  # stuck
        with open(NAME, "rb") as file:
            file.read()
    return 3
"""


@pytest.mark.slow
@needs_tier_3
@pytest.mark.parametrize("module", ["wave", "numba.tests.support"])  # one file, and one in a folder
def test_a_hidden_check_leaves_no_time_at_a_file_that_it_reads(
    module: str, submitted: Submitted, scratch: Path
) -> None:
    """Nor does a change of the file, such as a link that another run makes, have the kernel record it."""
    spec = importlib.util.find_spec(module)
    assert spec is not None and spec.origin is not None
    file = Path(spec.origin)
    os.utime(file, (0, file.stat().st_mtime))  # as before any run
    text = READS_A_LIBRARY.replace("NAMED", str(file))
    with running(submitted(text), 3, hidden=True) as (_, runner):
        seen = []
        for board in ("one-peg", "stuck"):  # the folders are copied before the first, which reads nothing
            assert runner.run(ask_about(board), 5.0).end == End.ANSWERED
            seen.append(file.stat().st_atime_ns)
            file.chmod(file.stat().st_mode)
    assert seen[0] == seen[1]


LOOKS_FOR_PROCESSES = """
import os

def peg_solve(board, stack):
    print([number for number in ("self", "1", str(os.getpid())) if os.path.exists("/proc/" + number)])
    return 3
"""


@needs_tier_3
def test_a_check_of_tier_2_sees_no_process_where_there_are_namespaces(
    submitted: Submitted, scratch: Path
) -> None:
    """In /proc another run's hidden check would show how many descriptors it has open."""
    assert outcome_of(submitted(LOOKS_FOR_PROCESSES), cpu_s=5.0).head == b"[]\n"


IN_LITTLE_TIME = """
from grader.sandbox.child.slow import reports_when_slow

with reports_when_slow(0.29, lambda failure: print(failure["failure"])):
    while True:
        pass
"""


def test_a_limit_may_be_hardly_longer_than_what_is_left_for_the_report() -> None:
    """As in the last moments of a run with -d."""
    done = subprocess.run([sys.executable, "-c", IN_LITTLE_TIME], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("slow\n", "")


SEARCHES_WITHOUT_END = """
from framework.contracts import compiled

@compiled
def endless(number):
    while number < 10:
        number = number * 1
    return number

def peg_solve(board, stack):
    return int(endless(1))
"""


@pytest.mark.slow
@pytest.mark.parametrize("tier", [2, 3])
def test_a_compile_run_ends_soon_after_the_last_function_was_compiled(
    tier: int, submitted: Submitted, scratch: Path
) -> None:
    """Also as the first process of a namespace, which a signal's default action does not end."""
    need_tier(tier)
    outcome, _ = compile_run(f"{SEARCHES_WITHOUT_END}# {tier}\n", submitted, tier)
    assert (outcome.end, outcome.returncode) == (End.DIED, signal.SIGPROF)


def test_children_are_waited_for_whatever_was_inherited(tmp_path: Path) -> None:
    ignores = "import os, signal, sys; signal.signal(signal.SIGCHLD, signal.SIG_IGN); os.execv(sys.argv[1], sys.argv[1:])"
    command = [*GRADE, "peg1", "--reference", "--board", "stuck", "-d"]
    ran = subprocess.run([sys.executable, "-c", ignores, *command], cwd=ROOT, capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")


IMPORTS = """
try:
    import yaml
except ImportError as error:
    print(error)
import asttokens, bz2, ctypes, dataclasses, heapq, lzma, numba, numpy, random, six, zlib

def peg_solve(board, stack):
    import fractions
    return 3
"""


@pytest.mark.slow
@pytest.mark.parametrize("tier", [0, 1, 2, 3])
@pytest.mark.parametrize("debug", [False, True])
def test_what_may_be_imported_is_the_same_everywhere(
    tier: int, debug: bool, submitted: Submitted, scratch: Path
) -> None:
    need_tier(tier)
    text = IMPORTS.replace("def ", "print('imported')\ndef ")
    outcome = outcome_of(submitted(text), tier, 10.0, debug)
    assert b'"answer": 3' in outcome.frame, outcome


IS_ENDED_TWICE = """
import os, sys, time
from grader.course import workers

def ends():
    print("ending", flush=True)
    sys.stdin.readline()
    print("ended", flush=True)

workers.end_worker = ends
workers._begin(os.getppid())
print("begun", flush=True)
time.sleep(60)
"""


def test_a_second_signal_does_not_stop_a_worker_that_ends() -> None:
    command = [sys.executable, "-c", IS_ENDED_TWICE]
    worker = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    assert worker.stdout is not None
    assert worker.stdout.readline() == "begun\n"
    worker.terminate()
    assert worker.stdout.readline() == "ending\n"
    for _ in range(3):
        worker.terminate()
    assert worker.communicate("\n") == ("ended\n", None)
    assert worker.returncode == 128 + signal.SIGTERM


# ---- limits ------------------------------------------------------------------------------------


def graded_with(outcomes: list[Outcome], monkeypatch: pytest.MonkeyPatch, folder: Path) -> Result:
    """Return the result of peg1 on `stuck` when its runs end so, one after the other."""
    taken = iter(outcomes)
    monkeypatch.setattr("grader.judging.check_run.CheckRunner._tried", lambda *_: next(taken))
    [result] = results_of(Choice(folder, ("stuck",), debug=True, tier=1), "peg1")
    assert next(taken, None) is None
    return result


def answered(cpu_s: float) -> Outcome:
    board = format_board(find_board("stuck").board)
    frame = {"answer": 3, "jumps": [], "states": None, "longest_chain": None, "board": board}
    return Outcome(End.ANSWERED, json.dumps(frame).encode(), cpu_s=cpu_s)


LIMIT = registry().debug.cpu_s


@pytest.mark.parametrize(
    ("seconds", "verdict"),
    [
        ([LIMIT], Verdict.ACCEPTED),
        ([LIMIT * 1.05, LIMIT * 0.9], Verdict.ACCEPTED),
        ([LIMIT * 1.05, LIMIT * 1.01], Verdict.TIMEOUT),
        ([LIMIT * 1.05, LIMIT * 1.09], Verdict.TIMEOUT),
    ],
)
def test_a_close_run_is_repeated_once_and_the_better_counts(
    seconds: list[float], verdict: Verdict, submitted: Submitted, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = graded_with([answered(each) for each in seconds], monkeypatch, submitted("pass\n"))
    assert result.verdict == verdict
    assert result.cpu_s == pytest.approx(min(seconds))


def test_a_fault_of_the_grader_is_tried_again_and_reported(
    submitted: Submitted, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    folder = submitted("pass\n")
    fault = Outcome(End.FAULT, fault="no process could be forked for it")
    assert graded_with([fault, answered(1.0)], monkeypatch, folder).verdict == Verdict.ACCEPTED
    result = graded_with([fault, fault], monkeypatch, folder)
    assert (result.verdict, result.points) == (Verdict.GRADER_ERROR, 0)
    [report] = tmp_path.glob("peg-grade-*.txt")
    assert str(report) in result.help
    assert "no process could be forked for it" in report.read_text("utf-8")


def asked_on_stuck(hidden: bool = False) -> Asked:
    task, board = registry().find("peg1"), replace(find_board("stuck"), hidden=hidden)
    return Asked(next(each for each in task.checks if each.board == "stuck"), board, task, False)


@pytest.mark.parametrize(("mib", "at_once"), [(1 << 20, 4), (4096, 2), (3000, 1), (200, 1)])
def test_as_many_checks_run_at_once_as_there_is_memory_for(
    mib: int, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each with the memory that its task allows; a single one with what there is."""
    monkeypatch.setattr("grader.judging.check_run.most_mib", lambda graders: mib)
    running, most = [], [0]

    def run(*_: Any) -> Outcome:
        running.append(1)
        most[0] = max(most[0], len(running))
        time.sleep(0.1)
        running.pop()
        return Outcome(End.MEMORY_LIMIT)

    asked = replace(asked_on_stuck(), task=replace(registry().find("peg1"), memory_mib=2048))
    checks = CheckRunner(registry(), 1, 4, lambda *_: None)
    runner: Any = SimpleNamespace(run=run)
    with ThreadPoolExecutor(4) as pool:
        ends = {each.end for each in pool.map(lambda _: checks.run(asked, runner), range(4))}
    assert most == [at_once]
    assert ends == {End.FAULT if mib < 2048 else End.MEMORY_LIMIT}


@needs_tier_2
@pytest.mark.parametrize(("kills", "end"), [([0, 1], End.FAULT), ([1, 1], End.DIED)])
def test_a_check_that_the_kernel_ended_for_lack_of_memory_is_a_fault(
    kills: list[int], end: End, submitted: Submitted, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = iter(kills)
    monkeypatch.setattr(limits, "oom_kills", lambda: next(seen))
    text = "import os\ndef peg_solve(board, stack):\n    os.kill(os.getpid(), 9)\n"
    assert outcome_of(submitted(text), cpu_s=5.0).end == end


def test_on_a_hidden_board_it_is_an_ordinary_death_if_it_comes_twice() -> None:
    """Else a program could choose it as a third answer."""
    fault = Outcome(End.FAULT, returncode=-9, fault="memory ran out")
    runner: Any = SimpleNamespace(run=lambda *_: replace(fault))
    checks = CheckRunner(registry(), 1, 1, lambda *_: None)
    assert checks.run(asked_on_stuck(hidden=True), runner).end == End.DIED
    assert checks.run(asked_on_stuck(), runner).end == End.FAULT


def test_an_import_that_computes_and_gives_no_answer_counts_as_waiting(
    submitted: Submitted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "IMPORT_CPU_S", 0.0)
    text = "import os, time\nwhile time.process_time() < 0.3: pass\nos._exit(0)\n"
    outcome = outcome_of(submitted(text), cpu_s=5.0)
    assert (outcome.end, outcome.importing) == (End.DIED, True)
    assert outcome.idle_s > 0.2


def test_checks_that_wait_are_soon_not_run() -> None:
    """Visible ones and hidden ones each have a budget, so that of hidden ones nothing is told by the others."""
    asked_of = {hidden: asked_on_stuck(hidden) for hidden in (False, True)}
    waits = replace(answered(0.1), idle_s=limits.IDLE_S / 2)
    runner: Any = SimpleNamespace(run=lambda *_: replace(waits), compile=lambda *_: replace(waits))
    checks = CheckRunner(registry(), 1, 1, lambda *_: None)
    for hidden in (True, False):
        ends = [checks.run(asked_of[hidden], runner).end for _ in range(5)]
        assert ends == [End.ANSWERED] * 3 + [End.IDLE] * 2
    assert checks.ask(registry().find("peg2"), {}, 1.0, runner).end == End.ANSWERED  # another task's
    assert checks.compile(registry().find("peg1"), runner).end == End.IDLE
    assert checks.ask(registry().find("peg1"), {}, 1.0, runner).end == End.IDLE
    judge = Judge(registry().find("peg1"), Submission("student", {}), 1)
    waited = judge.judge(asked_of[False], replace(answered(0.1), end=End.WALL_LIMIT, wall_s=12.0))
    not_run = judge.judge(asked_of[False], Outcome(End.IDLE))
    assert (not_run.verdict, not_run.points) == (Verdict.NOT_RUN, 0)
    report = render("table", Report([registry().find("peg1")], [waited, not_run], "student", verbose=True))
    assert not_run.code == "waited-before" and "more than 15 s in all" in report


class Answering(Child):
    """A child that answers when it is asked, after the CPU seconds and the wait for a core that it is given."""

    def __init__(self, cpu_s: float, no_core_s: float) -> None:
        super().__init__(0)
        self._used = [Usage(0.0, 1.0, 1.0, 0.0), Usage(cpu_s, 1.0, 1.0, no_core_s)]

    def poll(self) -> bool:
        return False

    def end(self) -> None:
        pass

    def usage(self) -> Usage:
        return self._used.pop(0)

    def ask(self, question: bytes) -> Any:
        return nullcontext(lambda _: [(False, b"{}\n")])


@pytest.mark.parametrize(
    ("wall_s", "cpu_s", "no_core_s", "judge_s", "idle_s"),
    [
        (20.0, 0.5, 0.0, 0.0, 19.5),  # it sleeps
        (20.0, 0.5, 19.0, 0.0, 0.0),  # it waits for a core
        (20.0, 0.5, 0.0, 19.0, 0.0),  # the judge waits for one
        (2.0, 1.0, 0.0, 0.0, 0.0),  # a short pause
    ],
)
def test_idle_is_who_has_a_core_and_does_not_use_it(
    wall_s: float,
    cpu_s: float,
    no_core_s: float,
    judge_s: float,
    idle_s: float,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = iter([0.0, wall_s])
    monkeypatch.setattr(exchange, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    monkeypatch.setattr(exchange, "PAUSE_S", 60.0)
    for tells, counted in ((True, idle_s), (False, 0.0)):
        monkeypatch.setattr(limits, "TELLS_WAITS", tells)
        clock, own = iter([0.0, wall_s]), iter([5.0, 5.0 + judge_s])
        monkeypatch.setattr(limits, "own_wait_s", lambda own=own: next(own))
        child = Answering(cpu_s, no_core_s)
        outcome = exchange.exchange(child, b"", lambda *_: None, threading.Event())
        assert outcome.idle_s == pytest.approx(counted)


def test_a_pause_of_the_judge_is_no_time_of_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 30.0])  # as by Ctrl-Z and fg
    monkeypatch.setattr(exchange, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    outcome = exchange.exchange(Answering(0.5, 0.0), b"", lambda *_: None, threading.Event())
    assert (outcome.wall_s, outcome.idle_s) == (0.5, 0.0)


def test_waiting_while_it_is_imported_counts(submitted: Submitted, monkeypatch: pytest.MonkeyPatch) -> None:
    real = exchange.exchange
    monkeypatch.setattr(
        "grader.sandbox.parent.runner.exchange", lambda *given: replace(real(*given), idle_s=7.0)
    )
    seen = []
    tried = CheckRunner._tried

    def spied(*given: Any) -> Outcome:
        seen.append(tried(*given))
        return seen[-1]

    monkeypatch.setattr(CheckRunner, "_tried", spied)
    results_of(Choice(submitted("pass\n"), ("stuck",), debug=True, tier=1), "peg1")
    assert seen[0].idle_s == 14.0  # to import it, and to ask it


def test_a_report_names_the_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    text = Path(errors.write_report("grade peg1", "details")).read_text("utf-8")
    assert text.startswith("grade peg1\n")
    assert "numba" in text
    assert text.endswith("details\n")


def test_the_calibration_scales_limits_within_bounds(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    usual = calibration.REFERENCE_S
    factors = {0.1: 0.5, 0.6: 0.6, 0.8: 1.0, 1: 1.0, 1.2: 1.0, 1.52: 1.5, 100: 4.0}
    assert {ratio: calibration.factor_of(usual * ratio) for ratio in factors} == factors
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(calibration, "measure", lambda: usual * 2)
    assert calibration.factor() == 2.0
    monkeypatch.setattr(calibration, "measure", lambda: usual * 3)
    assert calibration.factor() == 2.0  # kept for the day
    (tmp_path / "peg-grade" / "calibration.json").write_text('{"here": 1, "factor": "x"}', "utf-8")
    assert calibration.factor() == 3.0


def test_the_calibration_is_the_fastest_of_a_few_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 3.0, 10.0, 12.0, *[20.0, 24.0] * (calibration.ROUNDS - 2)])
    monkeypatch.setattr(calibration.time, "thread_time", lambda: next(clock))
    assert calibration.measure() == 2.0
    assert calibration.ROUNDS <= 20  # of some milliseconds each


# ---- the judge dies ----------------------------------------------------------------------------


def children_of(environment: dict[str, str]) -> list[int]:
    """Return the processes with this cache folder in their environment, or forked from such a one."""
    marker = environment["TMPDIR"].encode()
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and marker in (entry / "environ").read_bytes():
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def test_no_library_is_imported_before_a_child_can_die_with_its_judge() -> None:
    program = "import sys, grader.sandbox.child.main; print({'numpy', 'numba'} & {*sys.modules})"
    ran = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True)
    assert ran.stdout.decode() == "set()\n", ran.stderr.decode()


@needs_tier_2
@pytest.mark.parametrize(
    ("how", "tier"),
    [
        (signal.SIGKILL, 2),
        pytest.param(signal.SIGKILL, 1, marks=pytest.mark.slow),
        pytest.param(signal.SIGKILL, 3, marks=pytest.mark.slow),
        pytest.param(signal.SIGINT, 2, marks=pytest.mark.slow),
        pytest.param(signal.SIGTERM, 2, marks=pytest.mark.slow),
    ],
)
def test_no_child_outlives_the_judge(how: int, tier: int, tmp_path: Path, private_cache: None) -> None:
    need_tier(tier)
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    for moment in (0.15, 0.3, 0.7, 1.4):
        judge = subprocess.Popen(
            [*GRADE, "peg3", "--reference", "--tier", str(tier), "--board", "french3", "--board", "key"],
            cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        time.sleep(moment)
        judge.send_signal(how)
        output = judge.communicate(timeout=600)
        if how == signal.SIGINT and judge.returncode == 130:
            assert output == ("", "\ninterrupted; nothing was kept\n")
        deadline, computed_s = time.monotonic() + 600, sum(map(cpu_s, children_of(environment)))
        while left := children_of(environment):
            goes_on = sum(map(cpu_s, left)) > computed_s + 0.5 or time.monotonic() > deadline
            assert not goes_on, f"{left} are left, {moment} s after the start"
            time.sleep(0.01)


@needs_tier_3
def test_namespaces_show_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "seen").mkdir()
    (tmp_path / "root").mkdir()

    def tries() -> None:
        namespaces.hide_processes()
        namespaces.enter({tmp_path / "seen": tmp_path / "seen"}, tmp_path / "root")
        assert os.listdir("/") == [tmp_path.parts[1]]
        assert os.listdir(tmp_path) == ["seen"]
        child = os.fork()
        if child == 0:
            os._exit(0 if os.getpid() == 1 else 1)
        assert os.waitpid(child, 0)[1] == 0

    assert in_child(tries) == ""


TALKS = """
import os, time

def peg_solve(board, stack):
    written = 0
    while True:
        written += os.write(1, b"x")
        time.sleep(0.00005)
"""


def test_a_program_that_talks_does_not_wake_the_judge_each_time(
    submitted: Submitted, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = []
    real = exchange._end_of
    monkeypatch.setattr(exchange, "_end_of", lambda *given: looks.append(1) or real(*given))
    outcome = outcome_of(submitted(TALKS), cpu_s=0.1)
    assert outcome.end in (End.WALL_LIMIT, End.CPU_LIMIT)
    assert len(looks) < 110 * outcome.wall_s + 200


def test_what_is_printed_before_an_answer_is_kept(submitted: Submitted) -> None:
    says = "".join(f"    os.write(1, b'{number} ')\n    time.sleep(0.0005)\n" for number in range(40))
    text = f"import os, time\n\ndef peg_solve(board, stack):\n{says}    return 3\n"
    outcome = outcome_of(submitted(text))
    assert outcome.head.decode().split() == [str(number) for number in range(40)]
    assert outcome.wall_s < 1


# ---- poorer machines -----------------------------------------------------------------------------


def test_an_ordinary_user_removes_what_a_program_shut(tmp_path: Path) -> None:
    folder = tmp_path / "left"
    inside = folder / "a" / "b"
    inside.mkdir(parents=True)
    (inside / "file").write_text("text")
    for each in (inside, inside.parent, folder):
        each.chmod(0)
    if offers.is_root():
        for each in (tmp_path, folder, inside.parent, inside):
            os.chown(each, namespaces.OWN_ID, namespaces.OWN_ID)
        for each in tmp_path.parents:
            each.chmod(each.stat().st_mode | 0o011)

    def tries() -> None:
        if offers.is_root():
            os.setresuid(*[namespaces.OWN_ID] * 3)
        folders.remove(folder)
        assert not folder.exists()

    assert in_child(tries) == ""


def test_nobody_else_enters_where_it_is_graded() -> None:
    with Sandbox(0, True, threading.Event()) as sandbox:
        assert sandbox.scratch.stat().st_mode & 0o077 == (0o010 if offers.is_root() else 0)


def test_no_tier_3_where_nothing_in_the_temporary_folder_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = os.statvfs(tempfile.gettempdir())
    flags = SimpleNamespace(f_flag=seen.f_flag | os.ST_NOEXEC)
    monkeypatch.setattr(os, "statvfs", lambda path: flags)
    assert "mounted with noexec" in namespaces.missing.__wrapped__()


def test_a_relative_temporary_folder_changes_no_tier(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = namespaces.missing.__wrapped__()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", ".")
    assert namespaces.missing.__wrapped__() == usual


def test_copies_of_libraries_leave_room_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "library.py").write_text("text")
    monkeypatch.setattr(os, "link", lambda *_, **__: os.stat("/nowhere"))  # as to another file system
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=reach.LEFT_BYTES - 1))
    assert reach.copied([tmp_path / "library.py"], tmp_path) == {}


def test_the_cache_is_no_relative_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    monkeypatch.setenv("HOME", "home")
    assert paths.cache_root().is_absolute()


@pytest.mark.parametrize("place", ["named by PYTHONPATH", "the user's own"])
def test_libraries_may_be_where_the_environment_says(place: str, tmp_path: Path) -> None:
    libraries = sysconfig.get_path("purelib")
    environment = {**os.environ, "PYTHONPATH": f"{libraries}:{ROOT}"}
    if place == "the user's own":
        version = f"python{sys.version_info.major}.{sys.version_info.minor}"
        (tmp_path / "lib" / version).mkdir(parents=True)
        (tmp_path / "lib" / version / "site-packages").symlink_to(libraries)
        environment |= {"PYTHONPATH": str(ROOT), "PYTHONUSERBASE": str(tmp_path)}
    python = sys._base_executable  # type: ignore[attr-defined]  # not in typeshed; it has no libraries itself
    command = [python, *GRADE[1:], "peg1", "--reference", "--board", "stuck", "-d"]
    ran = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, ""), ran.stdout


def test_libraries_of_another_python_come_last(tmp_path: Path) -> None:
    (tmp_path / "numpy").mkdir()
    (tmp_path / "numpy" / "__init__.py").write_text("raise ImportError")
    done = grade("peg1", "--reference", "--board", "stuck", "-d", PYTHONPATH=str(tmp_path))
    assert (done.returncode, done.stderr) == (0, ""), done.stdout


def test_libraries_come_in_the_order_of_python_but_those_of_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `pip install --user` puts newer ones before the system's."""
    for folder in ("named", "of-the-user", "of-the-system"):
        (tmp_path / folder / "numpy").mkdir(parents=True)
        (tmp_path / folder / "numpy/__init__.py").touch()
    folders = [str(tmp_path / each) for each in ("named", "of-the-user", "of-the-system")]
    monkeypatch.setattr(sys, "path", folders)
    monkeypatch.setenv("PYTHONPATH", folders[0])
    assert reach.places() == [*folders[1:], folders[0]]


def test_root_without_the_privilege_to_give_a_folder_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a container that drops all of them."""

    def refused(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "chown", refused)
    monkeypatch.setattr(offers, "is_root", lambda: True)
    made = scratch_folder()
    assert made.is_dir()
    made.rmdir()


LOOKS_AT_ITS_PLACES = """
import os, sys

def peg_solve(board, stack):
    assert "LD_LIBRARY_PATH" not in os.environ
    assert sys.path.index(os.path.dirname(os.__file__)) < sys.path.index(LIBRARIES) == len(sys.path) - 1
    return 3
"""


def test_python_may_need_a_library_path_which_programs_do_not_get(
    submitted: Submitted, scratch: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\n[ "$LD_LIBRARY_PATH" = /needed ] && exec {sys.executable} "$@"\n')
    python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))
    monkeypatch.setenv("LD_LIBRARY_PATH", "/needed")
    text = LOOKS_AT_ITS_PLACES.replace("LIBRARIES", repr(sysconfig.get_path("purelib")))
    outcome = outcome_of(submitted(text), tier=1)
    assert b'"answer": 3,' in outcome.frame, outcome

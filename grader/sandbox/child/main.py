"""The child process: confines itself, loads a submission, runs it on one board, answers with plain data.

It is started as a script whose arguments are the folder that holds the package `framework`, and those of the
libraries. It reads its orders as JSON, one object per line, from the pipe that was standard input when it was
started. Its answers, one object per line, go to the pipe that was standard output. What the student's code
prints goes to standard error.

    order     {"code", "module", "compiled", "writable", "debug", "scratch", "tier", "cpu_s"}   what to load
    -> {"confined": true}                                 or {"unconfined": why}
    {}                                                    to load it
    -> {"ready": true}                                    or a failure
    request   {"kind", ...}                               see questions.py for the kinds and their answers
    -> an answer                                          or a failure
    failure   {"failure": kind, "type", "text", "file", "line", "condition", "values",
              "caller", "caller_line"}

On Linux the process that is started is a zygote: its first line is {"control", "debug", "tier", "judge",
"many"}. It imports the libraries, never any student code, and forks when asked; see parent/zygote.py. A fork
confines itself, loads a submission and answers one request, and so does the process itself elsewhere.

The judge trusts nothing that a child sends: it checks every answer against the board.
"""

import contextlib
import gc
import importlib.util
import json
import os
import select
import signal
import site
import socket
import sys
import tempfile
from pathlib import Path
from typing import Any


def take_package(folder: Path) -> None:
    """Import the package in a folder, even if another package of that name is on `sys.path`."""
    place = folder / "__init__.py"
    spec = importlib.util.spec_from_file_location(
        folder.name, place, submodule_search_locations=[str(folder)]
    )
    assert spec is not None and spec.loader is not None
    sys.modules[folder.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules[folder.name])


if __name__ == "__main__":  # the framework and the grader that this file belongs to
    for package in ("framework", "grader"):
        take_package(Path(sys.argv[1]) / package)
    # The libraries that the judge finds, after all of Python's own modules.
    sys.path[:] = [*(each for each in sys.path if each not in site.getsitepackages()), *sys.argv[2:]]

from grader.sandbox.child import compiled, describe, loading, questions, slow, whose  # noqa: E402 - by the lines above
from grader.sandbox.confine import kernel, limits, reach  # noqa: E402 - by the lines above

READY = {"ready": True}


class Channel:
    """The channel to the judge: requests come by standard input, answers go to a private descriptor."""

    def __init__(self, incoming: int, outgoing: int) -> None:
        self._incoming = incoming
        self._outgoing = outgoing

    @classmethod
    def of_process(cls) -> "Channel":
        """Take over standard input and output; printed text then goes to standard error, only for display."""
        incoming, outgoing = os.dup(0), os.dup(1)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(2, 1)
        return cls(incoming, outgoing)

    @classmethod
    def of_fork(cls, channel: int, output: int) -> "Channel":
        """Use one socket for both directions, and another for printed text; close everything else."""
        for stream in (1, 2):
            os.dup2(output, stream)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.closerange(3, channel)
        os.closerange(channel + 1, 1 << 20)
        return cls(channel, channel)

    def send(self, frame: dict[str, Any]) -> None:
        """Send one object as a line."""
        with contextlib.suppress(Exception):  # student code may have closed or replaced it
            sys.stdout.flush()
        data = json.dumps(frame, allow_nan=False).encode() + b"\n"
        while data:
            data = data[os.write(self._outgoing, data) :]

    def read(self) -> dict[str, Any]:
        """Return the next object from the judge."""
        data = b""
        while not data.endswith(b"\n"):
            more = os.read(self._incoming, 1 << 16)
            if not more:
                os._exit(1)  # the judge is gone
            data += more
        loaded: dict[str, Any] = json.loads(data)
        return loaded

    def tell(self, frame: dict[str, Any]) -> dict[str, Any]:
        """Send one object and return the next object from the judge."""
        self.send(frame)
        return self.read()

    def die_with_judge(self) -> None:
        """Have this process killed when the judge, its parent by now, dies."""
        if sys.platform.startswith("linux"):
            kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
            if select.select([self._incoming], [], [], 0)[0]:  # nothing should come yet: the judge is gone
                os._exit(1)


def fork_when_asked(control: socket.socket, place: reach.Place) -> Channel:
    """Fork a child for each order on `control`; return in the child, with its channel to the judge.

    Args:
        control: delivers an order, with the child's sockets: the channel, and one for what it prints.
        place: what the children see of the system.
    """
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, 1 << 16, 2)
        if not message:
            os._exit(0)  # the judge is done
        said = _fork(json.loads(message), place)
        if said is None:
            control.close()
            os.setsid()
            return Channel.of_fork(*descriptors)
        control.send(said)
        for descriptor in descriptors:
            os.close(descriptor)


def _fork(order: dict[str, Any], place: reach.Place) -> bytes | None:
    """Fork a child; return None in it, and in the zygote what to tell the judge: its id, or an error.

    It is a double fork: once the process in between has ended, the judge, a subreaper, is the child's parent.
    """
    if order["sees"] is not None:
        place.copy(Path(order["libraries"]))
    if order["hidden"]:
        place.warm()
    reading, writing = os.pipe()
    try:
        between = os.fork()
    except OSError as error:
        os.close(reading)
        os.close(writing)
        return json.dumps({"error": str(error)}).encode()
    if between == 0:
        try:
            if order["sees"] is not None:
                place.hide_all_else(order)
            pid = os.fork()
            if pid == 0:
                return None
            said: dict[str, Any] = {"pid": pid}
        except OSError as error:
            said = {"error": str(error)}
        os.write(writing, json.dumps(said).encode())
        os._exit(0)  # it must not go on as the zygote
    os.close(writing)
    os.waitpid(between, 0)
    with open(reading, "rb", buffering=0) as stream:
        return stream.read(1 << 12) or b'{"error": "it ended at once"}'


# ---- the main program ----------------------------------------------------------------------------


def preload(debug: bool, many: bool) -> None:
    """Import what every submission needs, once, in the zygote.

    Args:
        debug: whether children run plain Python.
        many: whether to compile, too, the functions that nearly all submissions call.
    """
    kernel.allocate_large_blocks_anew()
    sys.modules["yaml"] = None  # type: ignore[assignment] # without it, numba reads no file of settings
    for name in ("numpy", "icontract") if debug else ("numba.np.ufunc", "numpy.ma"):
        importlib.import_module(name)
    del sys.modules["yaml"]
    # A child may not look for their shared libraries.
    for name in ("bz2", "lzma", "zlib", "hashlib", *(("llvmlite.binding",) if debug else ())):
        with contextlib.suppress(ImportError):  # Python can be built without them, and used without numba
            importlib.import_module(name)
    if not debug:
        compiled.compile_less()
        compiled.refuse_masks()
        importlib.import_module("numba").njit(lambda: 0)()  # the compiler's own first steps
        if many:
            compiled.compile_framework()
            kernel.use_huge_pages()
    for name in ("hash_table", "stack", "rules"):
        importlib.import_module(f"framework.{name}")
    gc.freeze()  # the libraries stay: no child need look through them


def main() -> None:
    """Carry out one order and one request, here or in a fork."""
    os.environ.pop("LD_LIBRARY_PATH", None)  # only the start needs it
    os.umask(0o022)  # a child may have a user id of its own, and must enter the folders made here
    channel = Channel.of_process()
    order = channel.read()
    place: reach.Place | None = None
    if "control" in order:
        kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != order["judge"]:
            os._exit(1)  # the judge died before that call
        with contextlib.suppress(OSError):
            Path("/proc/self/oom_score_adj").write_text("1000", "ascii")  # rather a check than the judge
        preload(order["debug"], order["many"])
        place = reach.Place(Path(sys.argv[1]), order["tier"])
        loading.forget_the_judge()  # not in each fork, which would copy the memory of all modules
        channel.send(READY)
        channel = fork_when_asked(socket.socket(fileno=order["control"]), place)
        order = channel.read()
        channel.die_with_judge()
        if order["tier"] < 2:
            kernel.adopt_orphans()  # so that whatever it starts can be found below it, and ended
    else:
        preload(order["debug"], False)
        loading.forget_the_judge()
    os.chdir(order["scratch"])
    os.environ["HOME"] = os.environ["TMPDIR"] = order["scratch"]
    tempfile.tempdir = None
    if order["tier"] >= 1:
        limits.limit_self(limits.PREPARE_CPU_S + order["cpu_s"])
    try:
        if place is not None:
            place.confine(order)
        there = loading.OnlyWhatIsThere(order["code"])  # if that fails, it is not the program's fault
        sys.meta_path.insert(0, there)
        channel.tell({"confined": True})
    except OSError as error:
        channel.send({"unconfined": str(error)})
        os._exit(1)
    if order["writable"]:
        gc.disable()  # a compile run is short, and numba makes much that is collected for nothing

    whose.set_code_folder(order["code"])
    importing = True
    try:
        with slow.reports_when_slow(limits.PREPARE_CPU_S, channel.send, importing):
            if not order["debug"]:
                compiled.keep_compiled_code(Path(order["compiled"]), bool(order["writable"]))
            client, module = loading.load_submission(order["code"], order["module"], order["debug"])
        request = channel.tell(READY)
        importing = False
        if order["writable"] and order["tier"] >= 1:
            compiled.end_after_compiling()
        # Only in plain Python: compiled runs, which decide points, can use their time to the last moment.
        with slow.reports_when_slow(order["cpu_s"] if order["debug"] else 0, channel.send):
            if request["kind"] == "shared":
                answer = compiled.compile_shared(request["functions"])
            else:
                answer = questions.ask(request, module, client, channel.tell)
    except BaseException as error:  # whatever it is, it is reported, and the process ends here
        try:
            answer = describe.describe_failure(error, importing)
        except BaseException:  # an error made to be hard to describe
            answer = describe.undescribed(error)
    channel.tell(answer)  # the judge says no more, but ends this process


if __name__ == "__main__":
    main()

"""The child process: confines itself, loads a submission, runs it on one board, answers with plain data.

It is started as a script whose argument is the folder that holds the package `framework`. It reads its orders
as JSON, one object per line, from the pipe that was standard input when it started. Its answers, one object
per line, go to the pipe that was standard output. Whatever the student's code prints goes to standard error.

    start     {"zygote", "debug", "tier", "judge", "control", "many"}
    order     {"code", "module", "compiled", "writable", "debug", "scratch", "tier", "cpu_s"}   what to load
    -> {"ready": true}                                    or a failure
    request   {"scratch", "cpu_s", "kind", ...}           see questions.py for the kinds and their answers
    -> an answer                                          or a failure
    more                                                  only for a request that says so
    -> an answer                                          or a failure
    failure   {"failure": kind, "type", "text", "file", "line", "condition", "values"}

On Linux the process that is started is a zygote. It imports the libraries, never any student code, and forks
when asked. A fork confines itself and loads a submission. It then answers a request, or is a template, which
forks a child for each check. See forks.py for the judge's side.

The judge trusts nothing that a child sends: it checks every answer against the board.
"""

import contextlib
import gc
import importlib.util
import json
import os
import select
import signal
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

from grader.sandbox.child import compiled, describe, lean, loading, questions, slow, whose  # noqa: E402 - by the lines above
from grader.sandbox.confine import confinement, kernel, limits  # noqa: E402 - by the lines above

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
        os.dup2(2, 1)
        return cls(incoming, outgoing)

    @classmethod
    def of_fork(cls, channel: int, output: int, *more: int) -> "Channel":
        """Use a socket for both directions, and a pipe for printed text; close everything else but `more`."""
        for stream in (1, 2):
            os.dup2(output, stream)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        kept = sorted((channel, *more))
        for below, above in zip([2, *kept], [*kept, 1 << 20], strict=True):
            os.closerange(below + 1, above)
        return cls(channel, channel)

    def send(self, frame: dict[str, Any], descriptor: int | None = None) -> None:
        """Send one object as a line. If a descriptor is given, send it too, then close it here."""
        with contextlib.suppress(Exception):  # student code may have closed or replaced it
            sys.stdout.flush()
        data = json.dumps(frame, allow_nan=False).encode() + b"\n"
        if descriptor is not None:
            with socket.socket(fileno=os.dup(self._outgoing)) as way:
                socket.send_fds(way, [data], [descriptor])
            os.close(descriptor)
            return
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


def fork_when_asked(control: socket.socket, place: confinement.Place | None) -> tuple[Channel, int | None]:
    """Fork a child for each message on `control`; return in the child, with its channel to the judge.

    The judge becomes the child's parent, see `_fork`.

    Args:
        control: delivers an object and the child's descriptors: a socket, a pipe for what it prints and,
            for a template, a control socket of its own.
        place: for a zygote, what its children see of the system; None for a template.

    Returns:
        The channel to the judge, and the control socket if there is one.
    """
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, 1 << 16, 3)
        if not message:
            os._exit(0)  # the judge is done
        try:
            in_child = kernel.fork_sibling() == 0 if place is None else _fork(json.loads(message), place)
        except OSError:  # no process can be started; the judge sees that its channel has no other end
            in_child = False
        if in_child:
            control.close()
            with contextlib.suppress(OSError):  # under the filter it stays in its template's session
                os.setsid()
            channel = Channel.of_fork(*descriptors)
            channel.send(READY)
            return channel, next(iter(descriptors[2:]), None)
        for descriptor in descriptors:
            os.close(descriptor)


def _fork(request: dict[str, Any], place: confinement.Place) -> bool:
    """Fork a child of the zygote's, which sees what `request` says; return whether this is the child.

    It is a double fork: the process in between ends, so the judge, the subreaper, becomes the child's parent.
    A sibling of the zygote would end with the judge's thread that started the zygote.
    """
    if request["hidden"]:
        place.warm()
    between = os.fork()
    if between == 0:
        try:
            if request["sees"] is not None:
                place.hide_all_else(request)
            if os.fork() != 0:
                os._exit(0)
        except OSError:
            os._exit(1)  # it must not go on as the zygote
        return True
    os.waitpid(between, 0)
    return False


# ---- the main program ----------------------------------------------------------------------------


def preload(debug: bool, many: bool) -> None:
    """Import what every submission needs, once for all of them.

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
        lean.compile_less()
        importlib.import_module("numba").njit(lambda: 0)()  # the compiler's own first steps
        if many:
            compiled.compile_framework()
            kernel.use_huge_pages()
    importlib.import_module("framework.rules")  # every answer with a solution needs it
    gc.freeze()  # the libraries stay: no child need look through them


def settle(scratch: str) -> None:
    """Make `scratch` the working, home and temporary folder of this process."""
    os.chdir(scratch)
    os.environ["HOME"] = os.environ["TMPDIR"] = scratch
    tempfile.tempdir = None


def main() -> None:
    """Carry out one order and one request, here or in a fork."""
    channel = Channel.of_process()
    order = channel.read()
    control: int | None = None
    forked = order["zygote"]
    if forked:
        kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != order["judge"]:
            os._exit(1)  # the judge died before that call
        preload(order["debug"], order["many"])
        place = confinement.Place(Path(sys.argv[1]), order["tier"])
        loading.forget_the_judge()  # not in each fork, which would copy the memory of all modules
        channel.send(READY)
        channel, control = fork_when_asked(socket.socket(fileno=order["control"]), place)
        order = channel.read()
        channel.die_with_judge()
        settle(order["scratch"])
        if order["tier"] >= 1:
            limits.limit_self(limits.PREPARE_CPU_S, order["cpu_s"])
        try:
            place.confine(channel, order)
        except OSError as error:
            channel.send({"unconfined": str(error)})
            os._exit(1)
    else:
        loading.forget_the_judge()
    if order["writable"]:
        gc.disable()  # a compile run is short, and numba makes much that is collected for nothing

    sys.meta_path.insert(0, loading.OnlyWhatIsThere(order["code"]))
    whose.set_code_folder(order["code"])
    signatures = Path(order["compiled"]) / "signatures.pickle"
    importing = True
    try:
        with slow.reports_when_slow(limits.PREPARE_CPU_S, channel.send, importing):
            if not order["debug"]:
                if not forked:
                    lean.compile_less()  # as the zygote did for its forks
                compiled.refuse_masks()
                compiled.keep_compiled_code(Path(order["compiled"]), bool(order["writable"]))
            client, module = loading.load_submission(order["code"], order["module"], order["debug"])
            if not order["debug"]:
                compiled.recall_signatures(signatures)
        channel.send(READY)
        if control is not None:
            channel, _ = fork_when_asked(socket.socket(fileno=control), None)
        request = channel.read()
        if control is not None:
            channel.die_with_judge()
        settle(request["scratch"])
        if order["tier"] >= 1:
            limits.limit_self(request["cpu_s"], request["cpu_s"])
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        importing = False
        if order["writable"] and order["tier"] >= 1:
            compiled.end_after_compiling()
        # Only in plain Python: compiled runs, which decide points, can use their time to the last moment.
        with slow.reports_when_slow(request["cpu_s"] if order["debug"] else 0, channel.send):
            if request["kind"] == "shared":
                answer = compiled.compile_shared(request["functions"])
            else:
                answer = questions.ask(request, module, client, channel.tell)
    except BaseException as error:  # whatever it is, it is reported, and the process ends here
        try:
            answer = describe.describe_failure(error, importing)
        except BaseException:  # an error made to be hard to describe
            answer = describe.undescribed(error)
    if order["writable"]:
        compiled.remember_signatures(signatures)
    channel.send(answer)
    os._exit(0)


if __name__ == "__main__":
    main()

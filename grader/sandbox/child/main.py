"""The child process: confines itself, loads a submission, runs it on one board, answers with plain data.

It is started as a script with the folder of the package `framework` as its argument, and reads what to do as
JSON, one object a line. Its answers, one object a line, go to the pipe that was standard output when it
started; what the student's code prints goes to standard error.

    start     {"zygote", "debug", "tier", "judge", "control", "many"}
    order     {"code", "module", "compiled", "writable", "debug", "scratch", "tier", "cpu_s"}   what to load
    -> {"ready": true}                                    or a failure
    request   {"scratch", "cpu_s", "kind", ...}           see questions.py for the kinds and their answers
    -> an answer                                          or a failure
    failure   {"failure": kind, "type", "text", "file", "line", "condition", "values"}

On Linux the process that is started is a zygote: it imports the libraries, never any student code, and forks
when asked. A fork confines itself, loads a submission and answers a request; or it is a template, which forks
a child for each check. See forks.py for the judge's side.

The judge trusts nothing that a child sends: it checks every answer against the board.
"""

import contextlib
import importlib.util
import json
import os
import pickle
import select
import signal
import socket
import sys
import tempfile
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any


def take_package(folder: Path) -> None:
    """Import the package in a folder, whatever else of that name is on the path."""
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

# found through the lines above
from grader.sandbox.child import describe, questions, slow, whose  # noqa: E402
from grader.sandbox.confine import confinement, kernel, limits, reach  # noqa: E402

READY = {"ready": True}
AFTER_COMPILING_S = 1.0  # CPU seconds, for boards on which there is hardly anything to do
of_zygote: dict[tuple[str, str], list[Any]] = {}  # the signatures that the zygote compiled, by function


class Channel:
    """The channel to the judge: requests come by standard input, answers go to a private descriptor."""

    def __init__(self, incoming: int, outgoing: int) -> None:
        self._incoming = incoming
        self._outgoing = outgoing

    @classmethod
    def of_process(cls) -> "Channel":
        """Take standard output for the answers; what the student's code prints is only for display."""
        outgoing = os.dup(1)
        os.dup2(2, 1)
        return cls(0, outgoing)

    @classmethod
    def of_fork(cls, channel: int, output: int, *more: int) -> "Channel":
        """Take a socket for both directions and a pipe for what is printed; keep only `more` open besides."""
        for stream in (1, 2):
            os.dup2(output, stream)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        kept = sorted((channel, *more))
        for below, above in zip([2, *kept], [*kept, 1 << 20], strict=True):
            os.closerange(below + 1, above)
        return cls(channel, channel)

    def send(self, frame: dict[str, Any], descriptor: int | None = None) -> None:
        """Send one object as a line, perhaps with a descriptor, which is closed here."""
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

    def die_with_judge(self) -> None:
        """Have this process killed when the judge, its parent by now, dies."""
        if sys.platform.startswith("linux"):
            kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
            if select.select([self._incoming], [], [], 0)[0]:  # nothing should come yet: the judge is gone
                os._exit(1)


def fork_when_asked(control: socket.socket, place: confinement.Place | None) -> tuple[Channel, int | None]:
    """Fork a child for each message on `control`; return in the child, with its channel to the judge.

    It is a double fork: the process in between ends, so the judge, the subreaper, becomes the child's parent.

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
        request = json.loads(message)
        if place is not None and request["hidden"]:
            place.warm()
        between = os.fork()
        if between == 0:
            control.close()
            if place is not None and request["sees"] is not None:
                place.hide_all_else(request)
            if os.fork() != 0:
                os._exit(0)
            with contextlib.suppress(OSError):  # under the filter it stays in its template's session
                os.setsid()
            channel = Channel.of_fork(*descriptors)
            channel.send(READY)
            return channel, next(iter(descriptors[2:]), None)
        os.waitpid(between, 0)
        for descriptor in descriptors:
            os.close(descriptor)


# ---- loading -------------------------------------------------------------------------------------


def load_submission(order: dict[str, Any]) -> tuple[ModuleType | None, ModuleType]:
    """Import the client if there is one, link its hash function as C0 does, import the task's own file.

    The submission's folder comes first on the path: it holds the files that the task names and nothing else.
    """
    from framework import contracts, hash_table

    sys.path.insert(0, order["code"])
    with_client = os.path.lexists(os.path.join(order["code"], "client.py"))
    client = importlib.import_module("client") if with_client else None
    if client is not None and hasattr(client, "key_hash"):
        key_hash = client.key_hash
        if not order["debug"] and not hasattr(key_hash, "py_func"):
            key_hash = contracts.compiled(key_hash)  # the compiled table cannot call plain Python
        hash_table.link_key_hash(key_hash)
    return client, importlib.import_module(order["module"])


# ---- compiled code kept between runs -------------------------------------------------------------


def compiled_functions() -> dict[tuple[str, str], Any]:
    """Return the numba functions of the framework and the submission by (module, name)."""
    return {
        (module_name, name): value
        for module_name, module in list(sys.modules.items())
        if isinstance(module, ModuleType)
        and (module_name.startswith("framework.") or whose.is_students(getattr(module, "__file__", "")))
        for name, value in vars(module).items()
        if hasattr(value, "nopython_signatures") and value.py_func.__module__ == module_name
    }


def keep_compiled_code(folder: Path, keeps: bool) -> None:
    """Have numba keep compiled code in `folder`, or only look for it there.

    Args:
        folder: the submission's own.
        keeps: whether this is a compile run; what a check compiles is dropped with it.
    """
    from numba.core import caching, config

    os.environ["NUMBA_CACHE_DIR"] = str(folder)
    vars(config)["CACHE_DIR"] = str(folder)
    if not keeps:
        setattr(caching._CacheLocator, "ensure_cache_path", lambda locator: None)  # noqa: B010 - mypy takes no assignment there
        setattr(caching.Cache, "save_overload", lambda *_: None)  # noqa: B010 - mypy takes no assignment there
        setattr(caching.Cache, "flush", lambda cache: None)  # noqa: B010 - mypy takes no assignment there
    if of_zygote:
        from framework import contracts

        # The zygote's functions may be called with other types, too, and then are compiled again.
        for function in compiled_functions().values():
            contracts.keep_compiled(function)


def end_after_compiling() -> None:
    """Have this process end soon after the last function was compiled: nobody waits for its answer.

    A search that never ends would use up all the CPU time that such a run may take.
    """
    from numba.core import event

    class Compiling(event.Listener):
        """Lifts the limit while any function is being compiled, including those that it calls."""

        depth = 0

        def on_start(self, _: object) -> None:
            self.depth += 1
            limits.limit_cpu(None)

        def on_end(self, _: object) -> None:
            self.depth -= 1
            if self.depth == 0:
                limits.limit_cpu(AFTER_COMPILING_S)

    event.register("numba:compile", Compiling())  # type: ignore[no-untyped-call]
    limits.limit_cpu(AFTER_COMPILING_S)


def remember_signatures(file: Path) -> None:
    """Save what was compiled, for `recall_signatures`. Only children of this submission read it."""
    signatures = {
        key: [each for each in function.signatures if each not in of_zygote.get(key, ())]
        for key, function in compiled_functions().items()
    }
    with contextlib.suppress(OSError):
        file.write_bytes(pickle.dumps(signatures))


def recall_signatures(file: Path) -> None:
    """Load the compiled code that an earlier child saved, before time is measured."""
    with contextlib.suppress(Exception):  # at worst it is compiled again
        functions = compiled_functions()
        for key, signatures in pickle.loads(file.read_bytes()).items():
            for signature in signatures:
                functions[key].compile(signature)


# ---- the main program ----------------------------------------------------------------------------


def preload(debug: bool, many: bool) -> None:
    """Import what every submission needs, once for all of them.

    Args:
        debug: whether children run plain Python.
        many: whether to compile here what nearly all submissions call, too.
    """
    for name in ("numpy", "icontract", "llvmlite.binding") if debug else ("numba.np.ufunc", "numpy.ma"):
        importlib.import_module(name)
    for name in ("bz2", "lzma", "zlib", "hashlib"):  # a child may not look for their shared libraries
        with contextlib.suppress(ImportError):  # Python can be built without them
            importlib.import_module(name)
    if not debug:
        importlib.import_module("numba").njit(lambda: 0)()  # the compiler's own first steps
        if many:
            compile_framework()


def compile_framework() -> None:
    """Compile the framework functions that nearly every submission calls and that involve no client."""
    from framework import board, stack

    board.count_pegs(board.parse_board("o" * board.SIZE**2))
    moves = stack.stack_new()
    stack.push(moves, 0)
    stack.pop(moves)
    stack.stack_empty(moves)
    functions: list[Any] = [board.count_pegs, stack.push, stack.pop, stack.stack_empty]
    for function in functions:
        of_zygote[function.__module__, function.__name__] = list(function.signatures)


class OnlyWhatIsThere:
    """Lets a submission import Python, some libraries, the framework and its own files: the same everywhere.

    Whatever else is installed is not found, as on a machine without it.
    """

    def __init__(self, code: str) -> None:
        self._libraries = reach.libraries()
        own = [file.removesuffix(".py") for file in os.listdir(code)]
        self._known = (sys.stdlib_module_names - reach.NOT_OF_PYTHON) | {*reach.LIBRARIES, "framework", *own}

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Find a library, refuse a module that is not known, and leave all others to Python."""
        if path is None and name not in self._known and name not in sys.modules:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return self._libraries.get(name) if path is None else None


def forget_the_grader() -> None:
    """Keep what is beside the framework in a checkout from being imported by accident."""
    ours = [name for name in sys.modules if name.split(".")[0] == "grader"]
    for name in [*ours, "student", "tests"]:
        sys.modules[name] = None  # type: ignore[assignment]  # Python's own way to refuse an import


def settle(scratch: str) -> None:
    """Make a folder this process's working, home and temporary folder."""
    os.chdir(scratch)
    os.environ["HOME"] = os.environ["TMPDIR"] = scratch
    tempfile.tempdir = None


def main() -> None:
    """Carry out one order and one request, here or in a fork."""
    channel = Channel.of_process()
    order = channel.read()
    control: int | None = None
    if order["zygote"]:
        kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != order["judge"]:
            os._exit(1)  # it died before that call
        preload(order["debug"], order["many"])
        place = confinement.Place(Path(sys.argv[1]), order["tier"])
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
    forget_the_grader()

    sys.meta_path.insert(0, OnlyWhatIsThere(order["code"]))
    whose.set_code_folder(order["code"])
    signatures = Path(order["compiled"]) / "signatures.pickle"
    importing = True
    try:
        with slow.reports_when_slow(limits.PREPARE_CPU_S, channel.send, importing):
            if not order["debug"]:
                keep_compiled_code(Path(order["compiled"]), bool(order["writable"]))
            client, module = load_submission(order)
            if not order["debug"]:
                recall_signatures(signatures)
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
            end_after_compiling()
        # In plain Python only: compiled runs, which decide points, have all their time to the last moment.
        with slow.reports_when_slow(request["cpu_s"] if order["debug"] else 0, channel.send):
            answer = questions.ask(request, module, client)
    except BaseException as error:  # whatever it is, it is reported, and the process ends here
        try:
            answer = describe.describe_failure(error, importing)
        except BaseException:  # an error made to be hard to describe
            answer = describe.undescribed(error)
    if order["writable"]:
        remember_signatures(signatures)
    channel.send(answer)
    os._exit(0)


if __name__ == "__main__":
    main()

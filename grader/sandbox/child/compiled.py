"""Have numba keep a submission's compiled code between runs, and compile no more than it must.

The judge decides which run may write; see parent/compiled_code.py.
"""

import contextlib
import ctypes
import inspect
import os
import signal
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import framework
from grader.sandbox.child import whose
from grader.sandbox.confine import kernel

AFTER_COMPILING_S = 1.5  # CPU seconds to run on: a compile run's boards need hardly any


def compile_framework() -> None:
    """Compile the framework functions that nearly every submission calls and that do not call the client."""
    from framework import board, stack

    board.count_pegs(board.parse_board("o" * board.SIZE**2))
    moves = stack.stack_new()
    stack.push(moves, 0)
    stack.pop(moves)
    stack.stack_empty(moves)


def compile_shared(names: list[str]) -> dict[str, Any]:
    """Compile functions of the framework and the submission for the arguments that their stubs name.

    Nothing runs but the compiler. What cannot be compiled so is left to the run that calls it.
    """
    import numba

    from framework import hash_table, stack

    of: Any = numba.typeof
    table = of(hash_table.ht_new(1))
    by_name = {
        "board": numba.types.Array(numba.int8, 2, "C"),
        "stack": of(stack.stack_new()),
        "table": table,
        "unsolvable": table,
    }
    done = 0
    for (_, name), function in compiled_functions().items():
        if name in names:
            with contextlib.suppress(Exception):
                parameters = inspect.signature(function.py_func).parameters
                function.compile(tuple(by_name.get(each, numba.int64) for each in parameters))
                done += 1
    return {"compiled": done}


def refuse_masks() -> None:
    """Have numba refuse `board[board == PEG] = EMPTY`: its own check is an assert, which -O leaves out.

    Compiled without that check, the code writes to other cells. Seen in numba 0.68 (np/arrayobj.py).
    """
    from numba.core.errors import UnsupportedError
    from numba.np import arrayobj

    made: Any = arrayobj.BooleanArrayIndexer.__init__

    def checked(indexer: Any, context: Any, builder: Any, kind: Any, index: Any) -> None:
        if kind.ndim != 1:
            raise UnsupportedError("a mask with rows and columns")
        made(indexer, context, builder, kind, index)

    setattr(arrayobj.BooleanArrayIndexer, "__init__", checked)  # noqa: B010 - mypy takes no assignment there


def compiled_functions() -> dict[tuple[str, str], Any]:
    """Return the numba functions of the framework and the submission by (module, name)."""
    names = [
        *(f"framework.{file.stem}" for file in Path(framework.__file__).parent.glob("*.py")),
        *(file.stem for file in whose.students_files()),
    ]
    return {
        (module_name, name): value
        for module_name in names
        if isinstance(module := sys.modules.get(module_name), ModuleType)
        for name, value in vars(module).items()
        if hasattr(value, "nopython_signatures") and value.py_func.__module__ == module_name
    }


def keep_compiled_code(folder: Path, keeps: bool) -> None:
    """Have numba keep compiled code in `folder`, or only look for it there.

    Args:
        folder: the submission's own folder for compiled code.
        keeps: whether this is a compile run; code that a check compiles is lost when its process ends.
    """
    from numba.core import caching, config

    os.environ["NUMBA_CACHE_DIR"] = str(folder)
    vars(config)["CACHE_DIR"] = str(folder)
    # The judge made the folders; numba would write a file for each function, to see whether it can.
    setattr(caching._CacheLocator, "ensure_cache_path", lambda locator: None)  # noqa: B010 - mypy takes no assignment there
    load: Any = caching.Cache.load_overload

    def load_or_compile(cache: Any, signature: Any, context: Any) -> Any:
        with contextlib.suppress(Exception):  # a damaged file can raise almost anything
            return load(cache, signature, context)
        return None

    setattr(caching.Cache, "load_overload", load_or_compile)  # noqa: B010 - mypy takes no assignment there
    if not keeps:
        setattr(caching.Cache, "save_overload", lambda *_: None)  # noqa: B010 - mypy takes no assignment there
        setattr(caching.Cache, "flush", lambda cache: None)  # noqa: B010 - mypy takes no assignment there
    from framework import contracts

    # Those of the framework were made before. The zygote's may be called with other types as well; then they
    # are compiled again.
    for function in compiled_functions().values():
        contracts.keep_compiled(function)


def end_after_compiling() -> None:
    """Have this process end soon after the last function was compiled, since nobody waits for its answer.

    Otherwise a search that never ends would use up all the CPU time that a compile run may take.
    """
    from numba.core import event

    class Compiling(event.Listener):
        """Stops the clock while any function is being compiled, including those that it calls."""

        depth = 0

        def on_start(self, _: object) -> None:
            self.depth += 1
            signal.setitimer(signal.ITIMER_PROF, 0)

        def on_end(self, _: object) -> None:
            self.depth -= 1
            if self.depth == 0:
                signal.setitimer(signal.ITIMER_PROF, AFTER_COMPILING_S)

    # By a handler in C, since by default the signal does not end the first process of a namespace.
    leave = ctypes.cast(kernel.libc()._exit, ctypes.c_void_p)
    kernel.libc().signal(ctypes.c_int(signal.SIGPROF), leave)
    event.register("numba:compile", Compiling())  # type: ignore[no-untyped-call]  # numba has no types
    signal.setitimer(signal.ITIMER_PROF, AFTER_COMPILING_S)


# ---- a quarter less to compile -------------------------------------------------------------------


def compile_less() -> None:
    """Leave out work of numba's that students' functions do not need: a quarter of the time of a compile run.

    Their machine code is the same. All this is for this process and its forks, from the one call on.
    """
    compile_no_entries_from_c()
    optimize_no_entries_from_python()
    optimize_only_what_is_defined()
    announce_no_calls_of_llvm()


def optimize_no_entries_from_python() -> None:
    """Have LLVM translate as it stands what calls from Python enter: it has no loop, and runs once a call."""
    from numba.core import callwrapper

    entry: Any = callwrapper.PyCallWrapper
    build = entry.build

    def build_plain(of: Any) -> Any:
        made = build(of)
        for attribute in ("optnone", "noinline"):  # the first requires the second
            made[0].attributes.add(attribute)
        return made

    entry.build = build_plain


def optimize_only_what_is_defined() -> None:
    """Run no function passes for functions that are only declared: there is nothing to optimize.

    Before numba 0.62 the passes are made for the whole module at once, and such functions cost nothing.
    """
    from numba.core import codegen

    library: Any = codegen.CPUCodeLibrary
    optimize = library._optimize_functions
    made_once = "llvm_module" in inspect.signature(codegen.CPUCodegen._function_pass_manager).parameters
    if not made_once:
        library._optimize_functions = lambda of, module: optimize(of, _Defined(module))


class _Defined:
    """A module of LLVM's whose `functions` are only those that have a body."""

    def __init__(self, module: Any) -> None:
        vars(self)["_module"] = module

    @property
    def functions(self) -> list[Any]:
        return [function for function in self._module.functions if not function.is_declaration]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._module, name, value)


def announce_no_calls_of_llvm() -> None:
    """Have numba announce no event for each call of LLVM, of which there are thousands for a function."""
    from llvmlite.binding import ffi

    lock: Any = getattr(ffi.lib, "_lock", None)
    getattr(lock, "_cblist", []).clear()  # what it calls each time


def compile_no_entries_from_c() -> None:
    """Compile no entry for calls from C: only functions that are used as values are called so.

    For these it is compiled when they are.
    """
    import numba
    from numba.core import dispatcher
    from numba.experimental import function_type

    compiler: Any = vars(dispatcher)["_FunctionCompiler"]
    address_of: Any = vars(function_type)["_get_wrapper_address"]
    entries: dict[Any, Any] = {}  # the compiled code lives as long as they do

    def without_entry(_: object, flags: Any) -> Any:
        flags.no_cfunc_wrapper = True
        return flags

    def address(function: Any, signature: Any) -> int:
        if isinstance(function, dispatcher.Dispatcher):
            key = function, signature
            if key not in entries:
                entries[key] = numba.cfunc(signature)(function.py_func)
            function = entries[key]
        found: int = address_of(function, signature)
        return found

    compiler._customize_flags = without_entry
    setattr(function_type, "_get_wrapper_address", address)  # noqa: B010 - mypy takes no assignment there

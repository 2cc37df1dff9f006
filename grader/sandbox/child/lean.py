"""Leave out work of numba's that students' functions do not need: a quarter of the time of a compile run.

Their machine code is the same. All this is for this process and its forks, from the one call on.
"""

import inspect
from typing import Any


def compile_less() -> None:
    """Leave out all that this module knows of."""
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

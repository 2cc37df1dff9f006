"""Leave out work of numba's that students' functions do not need: an eighth of the time of a compile run."""

from typing import Any


def compile_no_entries_from_c() -> None:
    """Compile no entry for calls from C: only functions that are used as values are called so.

    For these it is compiled when they are. In this process and its forks, from now on.
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
    if address_of.__module__ == function_type.__name__:  # not replaced yet
        setattr(function_type, "_get_wrapper_address", address)  # noqa: B010 - mypy takes no assignment there

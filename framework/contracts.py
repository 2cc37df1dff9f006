"""Contracts and compilation, both controlled by Python's own option `-O`.

                plain `python` (grade -d)             `python -O` (grade)
@requires(c)    c is checked before every call        nothing
@ensures(c)     c is checked after every call         nothing
assert c        checked                               nothing
@compiled       nothing: plain Python                 machine code, by numba

A condition is a lambda whose arguments are named like the function's own arguments. In `@ensures` the
extra argument `result` is the value that the function returned:

    @requires(lambda board: is_board(board))
    @ensures(lambda result: result >= 1)
    def peg_solve(board, stack): ...

A violated contract raises icontract's `ViolationError`, an AssertionError, which names the contract's
file and line, its condition and the value of everything in it.
"""

import os
from collections.abc import Callable
from typing import Any, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., Any])

if __debug__:
    import contextvars
    import functools
    import reprlib

    import icontract

    class _ContractRepr(reprlib.Repr):
        """Format the values of a violated contract, with boards, stacks and tables in readable form."""

        def __init__(self) -> None:
            super().__init__()
            self.maxstring = self.maxother = 200

        def repr1(self, x: Any, level: int) -> str:
            if type(x).__module__.startswith("framework."):
                return repr(x)  # a board, a stack or a table, never cut short
            if type(x).__module__ == "numpy" and getattr(x, "ndim", None) == 0:
                return repr(x.item())  # True, not np.True_
            return super().repr1(x, level)

    _a_repr = _ContractRepr()

    def describe_value(value: Any) -> str:
        """Return `value` in the form that contract messages use (a board is drawn)."""
        return _a_repr.repr(value)

    def _place(kind: str, condition: Callable[..., Any]) -> str:
        """Return a contract's kind, file and line; icontract by itself would name this file instead."""
        return f"{kind} {condition.__code__.co_filename}:{condition.__code__.co_firstlineno}"

    def _in_its_own_context(function: Function) -> Function:
        """Return `function`, wrapped so that its contracts are also checked when it calls itself.

        Until a checked call ends, icontract notes in a context variable that it is checking the function,
        and does not check the calls within. So the body runs in a new context, without this note.
        """
        if hasattr(function, "__preconditions__"):  # a contract written below this one has wrapped it
            return function

        @functools.wraps(function)
        def called(*args: Any, **kwargs: Any) -> Any:
            return contextvars.Context().run(function, *args, **kwargs)

        return cast(Function, called)

    def requires(condition: Callable[..., Any]) -> Callable[[Function], Function]:
        """Check `condition` on the arguments before every call of the decorated function."""
        check = icontract.require(condition, _place("@requires", condition), a_repr=_a_repr)
        return lambda function: check(_in_its_own_context(function))

    def ensures(condition: Callable[..., Any]) -> Callable[[Function], Function]:
        """Check `condition` on the arguments and `result` after every call of the decorated function."""
        check = icontract.ensure(condition, _place("@ensures", condition), a_repr=_a_repr)
        return lambda function: check(_in_its_own_context(function))

    def compiled(function: Function) -> Function:
        """Leave `function` as plain Python, for the debugger, bounds checks and full tracebacks."""
        return function

else:

    def requires(condition: Callable[..., Any]) -> Callable[[Function], Function]:
        """Leave the decorated function unchanged, since contracts are off."""
        return lambda function: function

    ensures = requires

    def _has_two_versions(function: Callable[..., Any]) -> bool:
        """Return whether the function calls itself and has default arguments.

        numba compiles two versions of such a function, one of which calls the other.
        """
        code: Any = getattr(function, "__code__", None)
        return code is not None and function.__name__ in code.co_names and bool(function.__defaults__)

    def within_64_bits(function: Function) -> Function:
        """Return `function`, or one that says what numba says of a number in it that is too large."""
        code: Any = getattr(function, "__code__", None)
        used = [*code.co_consts, *map(function.__globals__.get, code.co_names)] if code else []
        too_large = [each for each in used if type(each) is int and not -(2**63) <= each < 2**64]
        if not too_large:
            return function

        def fails(*args: Any, **kwargs: Any) -> Any:
            import dis  # which few programs need

            for each in dis.get_instructions(code):
                if too_large[0] in (each.argval, function.__globals__.get(str(each.argval))):
                    line = each.positions.lineno if each.positions else code.co_firstlineno
                    found = f'{too_large[0]}\nFile "{code.co_filename}", line {line}:'
                    raise NotImplementedError(f"Int value is too large: {found}")

        return cast(Function, fails)

    def compiled(function: Function) -> Function:
        """Compile `function` to machine code at its first call.

        Array bounds are not checked, since checks make a plain search 2.6 times as slow. `-d` checks them.
        Compiled code is cached only in a folder for this exact source (the grader sets NUMBA_CACHE_DIR),
        because numba notices changes in the function's own file, but not in other files.
        """
        try:
            import numba
            from numba.core import types
        except ImportError:  # in a browser; anywhere else the grader imports numba first
            return within_64_bits(function)
        unliteral: Any = types.unliteral
        dispatcher: Any = numba.njit(function)
        typed_call = dispatcher.get_call_template

        def typed_call_without_literals(args: Any, kws: Any) -> Any:
            # solve(board, 0) in compiled code would make one version of solve for the literal 0 and another
            # for its recursive call. The code that numba caches for these two crashes on loading (numba
            # issue 6713).
            return typed_call(
                [unliteral(each) for each in args],
                {name: unliteral(each) for name, each in dict(kws).items()},
            )

        dispatcher.get_call_template = typed_call_without_literals
        if "NUMBA_CACHE_DIR" in os.environ:
            keep_compiled(dispatcher)
        return cast(Function, dispatcher)

    def keep_compiled(dispatcher: Any) -> None:
        """Let numba cache the compiled code of a function, and load it from the cache if it is there."""
        if _has_two_versions(dispatcher.py_func):
            return
        try:
            dispatcher.enable_caching()
        except RuntimeError:  # numba cannot write to the cache, so the function is compiled in each run
            return
        cache = dispatcher._cache
        save = cache.save_overload

        def save_what_can_be_loaded(signature: Any, made: Any) -> None:
            # For mutually recursive functions numba would cache a call without its target, which crashes
            # on loading (numba issue 6061). So these functions are compiled in each run.
            if ".numba.unresolved$" in made.library.get_llvm_str():
                cache.flush()
            else:
                save(signature, made)

        cache.save_overload = save_what_can_be_loaded

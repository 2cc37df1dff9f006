"""A stack of integers: last in, first out.

A stack is a tuple of numpy arrays, so that the same functions run as plain Python and compiled.
"""

from typing import Any, NamedTuple

from framework.arrays import np
from framework.contracts import compiled, requires

_CAPACITY = 1 << 20  # 8 MiB of address space; pages that are never touched take no memory

Integers = np.ndarray[Any, np.dtype[np.int64]]


class Stack(NamedTuple):
    """A stack. Use the functions of this module, not the fields."""

    items: Integers  # int64 array; the first `size[0]` items are the stack, the last of them on top
    size: Integers  # int64 array of length 1

    def __repr__(self) -> str:
        """Return the top items, for print, the debugger and contract messages."""
        size = int(self.size[0])
        top_first = ", ".join(str(item) for item in self.items[max(0, size - 5) : size][::-1])
        return f"a stack of {size}, top first: {top_first}" if size else "an empty stack"


def stack_new() -> Stack:
    """Return a new empty stack. Call it from plain Python, not from a @compiled function."""
    return Stack(np.zeros(_CAPACITY, dtype=np.int64), np.zeros(1, dtype=np.int64))


@compiled
def stack_empty(stack: Stack) -> bool:
    """Return whether `stack` is empty."""
    return bool(stack.size[0] == 0)


@compiled
def stack_size(stack: Stack) -> int:
    """Return how many items `stack` holds."""
    return int(stack.size[0])


@compiled
def push(stack: Stack, item: int) -> None:
    """Put `item` on top of `stack`.

    Raises:
        OverflowError: the stack is full (1,048,576 items); probably some pushed items are never popped.
    """
    size = stack.size[0]
    if size == len(stack.items):
        raise OverflowError("push: the stack is full; is every push taken back by a pop?")
    stack.items[size] = item
    stack.size[0] = size + 1


@requires(lambda stack: not stack_empty(stack))
@compiled
def pop(stack: Stack) -> int:
    """Take the top item off `stack` and return it.

    Raises:
        IndexError: the stack is empty.
    """
    size = stack.size[0]
    if size == 0:
        raise IndexError("pop: the stack is empty")
    stack.size[0] = size - 1
    return int(stack.items[size - 1])

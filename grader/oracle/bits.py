"""What compiled code needs of the processor and Python cannot say."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

WORD = ir.IntType(64)


def _popcount(typing: Any, word: Any) -> Any:
    """Return the number of bits set in a 64-bit word."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), code


def _lowest_bit(typing: Any, word: Any) -> Any:
    """Return the place of the lowest bit set in a 64-bit word, which must not be 0."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), code


def _least_of_xor(typing: Any, words: Any, changes: Any, place: Any, lanes: Any) -> Any:
    """Return the least of `words[k] ^ changes[place + k]` over as many k as the tuple `lanes` has items.

    Said as a vector, which LLVM makes of whatever the processor has; left to itself it compares one by one.
    """
    count = len(lanes)
    vector = ir.VectorType(WORD, count)

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        def load(array: int, at: Any) -> Any:
            kind = context.make_array(signature.args[array])
            start = builder.gep(kind(context, builder, value=args[array]).data, [at])
            loaded = builder.load(builder.bitcast(start, vector.as_pointer()))
            loaded.align = 8
            return loaded

        both = builder.xor(load(0, context.get_constant(types.intp, 0)), load(1, args[2]))
        if count == 1:
            return builder.extract_element(both, ir.Constant(ir.IntType(32), 0))
        kind = ir.FunctionType(WORD, [vector])
        get_function: Any = cgutils.get_or_insert_function
        least = get_function(builder.module, kind, f"llvm.vector.reduce.umin.v{count}i64")
        return builder.call(least, [both])

    return types.uint64(words, changes, types.intp, lanes), code


def _take_number(typing: Any, counter: Any) -> Any:
    """Return the number in `counter`, an int64 array of one item, and add 1 to it, safely between threads."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, value=args[0])
        one = context.get_constant(types.int64, 1)
        return builder.atomic_rmw("add", array.data, one, "monotonic")

    return types.int64(counter), code


popcount: Any = intrinsic(_popcount)
lowest_bit: Any = intrinsic(_lowest_bit)
least_of_xor: Any = intrinsic(_least_of_xor)
take_number: Any = intrinsic(_take_number)

"""Primitives of the compiled loops: instructions that Python cannot express, and sums over bytes."""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core import cgutils, config
from numba.extending import intrinsic

# numba reads a file of options in the current folder, which could name a folder of pickles to load.
config._config_fname = ""
config.reload_config()

kernel = njit(cache=True, nogil=True)
inlined = njit(cache=True, nogil=True, inline="always")

WORD = ir.IntType(64)
ONE, ZERO = np.uint64(1), np.uint64(0)
LANE_TOPS = np.uint64(0x8080808080808080)


def _popcount(typing: Any, word: Any) -> Any:
    """Return the number of bits set in a 64-bit word."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), code


def _lowest_bit(typing: Any, word: Any) -> Any:
    """Return the index of the lowest bit that is set in a 64-bit word, which must not be 0."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), code


def _vector_at(context: Any, builder: Any, kind: Any, value: Any, place: Any, count: int) -> Any:
    """Return a pointer to the vector that starts at `place` in an array of uint64."""
    data = context.make_array(kind)(context, builder, value=value).data
    return builder.bitcast(builder.gep(data, [place]), ir.VectorType(WORD, count).as_pointer())


def _xor_both(context: Any, builder: Any, kinds: Any, args: Any, count: int) -> Any:
    """Return the vector `words[:count] ^ changes[place : place + count]`.

    `args` has words, changes and place, in this order.
    """
    words = _vector_at(context, builder, kinds[0], args[0], context.get_constant(types.intp, 0), count)
    changes = _vector_at(context, builder, kinds[1], args[1], args[2], count)
    return builder.xor(builder.load(words, align=8), builder.load(changes, align=8))


def _least_of_xor(typing: Any, words: Any, changes: Any, place: Any, lanes: Any) -> Any:
    """Return the least of the words `words[k] ^ changes[place + k]`, over all indices k of the tuple `lanes`.

    This is written as a vector operation, since LLVM by itself would compare the words one by one.
    """
    count = len(lanes)

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        both = _xor_both(context, builder, signature.args, args, count)
        if count == 1:
            return builder.extract_element(both, ir.Constant(ir.IntType(32), 0))
        kind = ir.FunctionType(WORD, [ir.VectorType(WORD, count)])
        get_function: Any = cgutils.get_or_insert_function
        least = get_function(builder.module, kind, f"llvm.vector.reduce.umin.v{count}i64")
        return builder.call(least, [both])

    return types.uint64(words, changes, types.intp, lanes), code


def _set_to_xor(typing: Any, words: Any, changes: Any, place: Any, result: Any, lanes: Any) -> Any:
    """Set `result[k]` to `words[k] ^ changes[place + k]`, for each index k of the tuple `lanes`.

    The words are stored as one vector: if they were stored one by one, reading them as a vector would have to
    wait until all of them are in the cache.
    """
    count = len(lanes)

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        both = _xor_both(context, builder, signature.args, args, count)
        start = context.get_constant(types.intp, 0)
        builder.store(both, _vector_at(context, builder, signature.args[3], args[3], start, count), align=8)
        return context.get_dummy_value()

    return types.void(words, changes, types.intp, result, lanes), code


def _take_number(typing: Any, counter: Any) -> Any:
    """Return the number in `counter`, an int64 array of one item, and add 1 to it in one atomic step."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, value=args[0])
        one = context.get_constant(types.int64, 1)
        return builder.atomic_rmw("add", array.data, one, "monotonic")

    return types.int64(counter), code


def _prefetch(typing: Any, array: Any, place: Any) -> Any:
    """Start to fetch the cache line of an item of a C-contiguous uint64 array, without waiting for it."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, value=args[0]).data
        address = builder.bitcast(builder.gep(data, [args[1]]), ir.IntType(8).as_pointer())
        flag = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [ir.IntType(8).as_pointer(), flag, flag, flag])
        get_function: Any = cgutils.get_or_insert_function
        function = get_function(builder.module, kind, "llvm.prefetch.p0i8")
        builder.call(function, [address, flag(0), flag(3), flag(1)])  # for reading, into all caches, as data
        return context.get_dummy_value()

    return types.void(array, types.intp), code


popcount: Any = intrinsic(_popcount)
lowest_bit: Any = intrinsic(_lowest_bit)
least_of_xor: Any = intrinsic(_least_of_xor)
set_to_xor: Any = intrinsic(_set_to_xor)
prefetch: Any = intrinsic(_prefetch)
take_number: Any = intrinsic(_take_number)


@inlined
def sum_of(tables: Any, holes: Any) -> Any:
    """Return the sum of the values of the holes in a set; `tables` is what `shape.byte_sums` returns."""
    total = ZERO
    for byte in range(tables.shape[0]):
        total += tables[byte, holes >> np.uint64(8 * byte) & np.uint64(255)]
    return total

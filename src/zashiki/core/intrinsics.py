"""What one machine instruction does: whole records, bits of a word, scratch memory. The same in every gear.

Each function here is its own definition in the python gear; compiled, for the processor and for a GPU alike, it becomes the few
instructions it stands for.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from zashiki.core.gears import GEAR
from zashiki.core.layout import UNKNOWN, Record


def blank(record: Record) -> None:
    """Makes every field of a record UNKNOWN."""
    for name in record.dtype.names or ():
        field = record[name]
        record[name] = np.full(field.shape, UNKNOWN).astype(field.dtype)


def copy(source: Record, target: Record) -> None:
    """Copies a whole record."""
    for name in source.dtype.names or ():
        target[name] = source[name]


def assign(target: npt.NDArray[Any], source: npt.NDArray[Any]) -> None:
    """Copies all of an array into another of its shape. (`target[:] = source` would need a heap on a GPU.)"""
    target[...] = source


def wide(word: np.unsignedinteger[Any]) -> int:
    """A 32-bit word as a number to calculate with. (Compiled, `int` of an unsigned word would stay unsigned.)"""
    return int(word)


def ones(word: int) -> int:
    """How many bits of a number from 0 on are set."""
    return int(word).bit_count()


def lowest(word: int) -> int:
    """The place of the lowest set bit of a number above 0."""
    word = int(word)
    return (word & -word).bit_length() - 1


def scratch(count: int, dtype: type[np.generic]) -> npt.NDArray[Any]:
    """Uninitialised memory for the caller's own use until it returns; `count` is a constant."""
    return np.empty(count, dtype)


def _compile() -> None:  # native gear only
    from llvmlite import ir
    from numba.core import cgutils, types
    from numba.extending import intrinsic, overload
    from numba.np.numpy_support import as_dtype

    def words(record: Any) -> tuple[Any, int]:
        width = as_dtype(record).alignment if record.aligned else 1
        return ir.IntType(8 * width), record.size // width

    def each_word(context: Any, builder: Any, count: int, emit: Any) -> None:
        with cgutils.for_range(builder, context.get_value_type(types.intp)(count)) as loop:
            emit(loop.index)

    @intrinsic(target="generic")
    def fill(typing: Any, record: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            word, count = words(record)
            target = builder.bitcast(arguments[0], word.as_pointer())
            each_word(context, builder, count, lambda i: builder.store(word(-1), builder.gep(target, [i]), align=word.width // 8))
            return context.get_dummy_value()

        return types.void(record), generate

    @intrinsic(target="generic")
    def move(typing: Any, source: Any, target: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            word, count = words(source)
            here, there = (builder.bitcast(pointer, word.as_pointer()) for pointer in arguments)
            wide = word.width // 8

            def emit(i: Any) -> None:
                builder.store(builder.load(builder.gep(here, [i]), align=wide), builder.gep(there, [i]), align=wide)

            each_word(context, builder, count, emit)
            return context.get_dummy_value()

        return types.void(source, target), generate

    @intrinsic(target="generic")
    def population(typing: Any, word: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.ctpop(arguments[0])

        return types.int64(types.int64), generate

    @intrinsic(target="generic")
    def trailing_zeros(typing: Any, word: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.cttz(arguments[0], ir.IntType(1)(0))

        return types.int64(types.int64), generate

    @intrinsic(target="generic", prefer_literal=True)
    def allocate(typing: Any, count: Any, dtype: Any) -> Any:
        if not isinstance(count, types.IntegerLiteral):
            return None
        element, length = dtype.dtype, count.literal_value
        array = types.Array(element, 1, "C")

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            data = context.get_data_type(element)
            with builder.goto_entry_block():
                memory = builder.alloca(ir.ArrayType(data, length))
                memory.align = 16
            intp, width = context.get_value_type(types.intp), context.get_abi_sizeof(data)
            result = context.make_array(array)(context, builder)
            result.data = builder.bitcast(memory, data.as_pointer())
            result.shape = ir.Constant(ir.ArrayType(intp, 1), [intp(length)])
            result.strides = ir.Constant(ir.ArrayType(intp, 1), [intp(width)])
            result.nitems, result.itemsize = intp(length), intp(width)
            result.meminfo = ir.Constant(result.meminfo.type, None)
            result.parent = ir.Constant(result.parent.type, None)
            return result._getvalue()

        return array(count, dtype), generate

    overload(blank, strict=False)(lambda record: lambda record: fill(record))
    overload(copy, strict=False)(lambda source, target: lambda source, target: move(source, target))

    def assign_row(target: Any, source: Any) -> None:
        for i in range(len(target)):
            target[i] = source[i]

    def assign_rows(target: Any, source: Any) -> None:
        for i in range(len(target)):
            assign(target[i], source[i])

    @overload(assign, strict=False, target="generic")
    def choose_assign(target: Any, source: Any) -> Any:
        return assign_row if target.ndim == 1 else assign_rows

    overload(wide, strict=False)(lambda word: lambda word: np.int64(word))
    overload(ones, strict=False)(lambda word: lambda word: population(word))
    overload(lowest, strict=False)(lambda word: lambda word: trailing_zeros(word))
    # Not an overload: on the way through one a GPU's compiler forgets that the count is a constant.
    globals()["scratch"] = allocate


if GEAR != "python":  # native gear only
    _compile()

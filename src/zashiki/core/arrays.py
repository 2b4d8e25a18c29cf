"""Arrays that other libraries take over without a copy."""

from __future__ import annotations

import sys
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

LINE = 64
"""Bytes in a cache line. JAX shares memory only where it begins with one."""


def aligned(shape: int | tuple[int, ...], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """Zeros that begin with a cache line."""
    size = prod((shape,) if isinstance(shape, int) else shape) * np.dtype(dtype).itemsize
    memory = np.zeros(size + LINE, np.uint8)
    first = -memory.ctypes.data % LINE
    return memory[first : first + size].view(dtype).reshape(shape)


class Shelf:
    """Arrays of one shape, given away, and given again once nobody holds them: fresh memory costs more than writing to it."""

    def __init__(self, shape: tuple[int, ...], dtype: npt.DTypeLike) -> None:
        self._shape, self._dtype = shape, dtype
        self._kept: list[npt.NDArray[Any]] = []

    def take(self) -> npt.NDArray[Any]:
        """An array with whatever was last in it."""
        found = next((array for array in self._kept if not _is_held(array)), None)
        if found is None:
            found = aligned(self._shape, self._dtype)
            self._kept = [*self._kept, found][-MOST_KEPT:]
        return found.view()


MOST_KEPT = 4
ONLY_OURS = 2
"""References to the memory below an array that nobody else looks at: the array's, and that of whoever counts."""


def _is_held(array: npt.NDArray[Any]) -> bool:
    return sys.getrefcount(array.base) > ONLY_OURS

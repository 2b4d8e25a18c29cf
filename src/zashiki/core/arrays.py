"""Arrays that other libraries take over without a copy."""

from __future__ import annotations

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

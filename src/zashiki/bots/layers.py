"""What layers of a network are calculated with: inputs that are not 0 are added four at a time to a whole row of outputs, which a
processor does for many outputs at once."""

from __future__ import annotations

import numpy as np

from zashiki.core.contract import Options, Tensor
from zashiki.core.gears import rule

STRETCH = 128
"""Inputs whose weights are used for all rows while they are near the processor."""


@rule
def copy_row(source: Tensor, target: Tensor) -> None:
    """Copies numbers, as many as there is room for."""
    for i in range(len(target)):
        target[i] = source[i]


@rule
def find_lit(inputs: Tensor, start: int, lit: Options) -> int:
    """Lists which inputs of a stretch are not 0; tells how many."""
    count = 0
    for i in range(start, min(start + STRETCH, len(inputs))):
        if inputs[i] != 0:
            lit[count] = i
            count += 1
    return count


@rule
def add_lit(inputs: Tensor, weights: Tensor, lit: Options, count: int, outputs: Tensor, first: int) -> None:
    """Adds to outputs from the first on what these inputs do to them.

    Places that cannot be below 0 need no look whether they are, and no part of the weights has to be taken out first.
    """
    shift, width = np.uint64(first), np.uint64(len(outputs))
    fours = count - count % 4
    for i in range(0, fours, 4):
        a, b, c, d = lit[i], lit[i + 1], lit[i + 2], lit[i + 3]
        by_a, by_b, by_c, by_d = inputs[a], inputs[b], inputs[c], inputs[d]
        for k in range(width):
            j = shift + k
            outputs[k] = outputs[k] + by_a * weights[a, j] + by_b * weights[b, j] + by_c * weights[c, j] + by_d * weights[d, j]
    for i in range(fours, count):
        a = lit[i]
        by_a = inputs[a]
        for k in range(width):
            outputs[k] += by_a * weights[a, shift + k]


@rule
def add_rows(inputs: Tensor, rows: int, weights: Tensor, outputs: Tensor) -> None:
    """Adds to each of so many rows of outputs what its row of inputs does to them: for narrow layers, of many rows.

    Four rows at a time share what is read of the weights; a row has the same result whichever others there are.
    """
    fours = rows - rows % 4
    for row in range(0, fours, 4):
        _add_to_four(inputs, row, weights, outputs)
    for row in range(fours, rows):
        _add_to_one(inputs, row, weights, outputs)


@rule
def _add_to_four(inputs: Tensor, row: int, weights: Tensor, outputs: Tensor) -> None:
    pairs = len(weights) - len(weights) % 2
    for i in range(0, pairs, 2):
        a, b, c, d = inputs[row, i], inputs[row + 1, i], inputs[row + 2, i], inputs[row + 3, i]
        e, f, g, h = inputs[row, i + 1], inputs[row + 1, i + 1], inputs[row + 2, i + 1], inputs[row + 3, i + 1]
        for k in range(weights.shape[1]):
            one, two = weights[i, k], weights[i + 1, k]
            outputs[row, k] += a * one + e * two
            outputs[row + 1, k] += b * one + f * two
            outputs[row + 2, k] += c * one + g * two
            outputs[row + 3, k] += d * one + h * two
    for i in range(pairs, len(weights)):
        for k in range(weights.shape[1]):
            for beside in range(4):
                outputs[row + beside, k] += inputs[row + beside, i] * weights[i, k]


@rule
def _add_to_one(inputs: Tensor, row: int, weights: Tensor, outputs: Tensor) -> None:
    pairs = len(weights) - len(weights) % 2
    for i in range(0, pairs, 2):
        a, e = inputs[row, i], inputs[row, i + 1]
        for k in range(weights.shape[1]):
            outputs[row, k] += a * weights[i, k] + e * weights[i + 1, k]
    for i in range(pairs, len(weights)):
        for k in range(weights.shape[1]):
            outputs[row, k] += inputs[row, i] * weights[i, k]


@rule
def cut_below_zero(row: Tensor) -> None:
    """What is negative becomes 0."""
    for i in range(len(row)):
        row[i] = max(row[i], np.float32(0))

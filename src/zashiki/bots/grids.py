"""A network over kinds of cards that can be exchanged: every kind is thought about with the same weights.

Each layer thinks about a kind by what was thought of it, of its row and its column on average, and of the whole; and about the
whole by all kinds on average and by itself. Its weights are few enough to stay near the processor, row after row.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zashiki.bots.layers import add_rows
from zashiki.core.contract import Options, Tensor
from zashiki.core.gears import rule
from zashiki.core.grid import Grid, Places

Cube = npt.NDArray[np.float32]
ROWS_AND_COLUMNS = 2


class GridWeights(NamedTuple):
    """Weights as (in, out), a layer after the other; the first layer's `seen_` and `rest_`, with other inputs, aside.

    `kinds` and `lines` go from kinds, and means of rows or columns of them, to kinds; `above` from the whole to kinds; `around`
    from the mean of the kinds to the whole, `wholes` from the whole to itself. `side` is 0 where there is no grid; `seen`,
    `rest`, `done` and `others` are those of a Grid.
    """

    side: int
    seen: Places
    rest: Places
    done: Places
    others: Options
    seen_kinds: Tensor
    seen_lines: Tensor
    rest_above: Tensor
    rest_wholes: Tensor
    kinds: Cube
    lines: Cube
    above: Cube
    wholes: Cube
    around: Cube
    kind_biases: Tensor
    whole_biases: Tensor
    policy: Tensor
    policy_bias: Tensor
    rest_policy: Tensor
    rest_policy_bias: Tensor
    value: Tensor
    value_bias: Tensor


class Slate(NamedTuple):
    """The memory that observations are thought about in, all of them together.

    `kinds`, the means of their `lines` and `wholes` are what a layer begins with; `next_` is what it comes to, `along` what it
    makes of lines, `base` of the whole for every kind.
    """

    kinds: Tensor
    next_kinds: Tensor
    lines: Tensor
    along: Tensor
    wholes: Tensor
    next_wholes: Tensor
    base: Tensor
    scores: Tensor
    others: Tensor


def no_grid() -> GridWeights:
    """The weights of a network that has none of a grid."""
    row, matrix, cube = (np.zeros((0,) * size, np.float32) for size in (1, 2, 3))
    numbers, places = np.zeros(0, np.int64), np.zeros((0, 0), np.int64)
    return GridWeights(
        side=0,
        seen=places,
        rest=numbers,
        done=places,
        others=numbers,
        seen_kinds=matrix,
        seen_lines=matrix,
        rest_above=matrix,
        rest_wholes=matrix,
        kinds=cube,
        lines=cube,
        above=cube,
        wholes=cube,
        around=cube,
        kind_biases=matrix,
        whole_biases=matrix,
        policy=matrix,
        policy_bias=row,
        rest_policy=matrix,
        rest_policy_bias=row,
        value=matrix,
        value_bias=row,
    )


def new_slate(grid: GridWeights, rows: int) -> Slate:
    """A slate for so many observations."""
    width, whole = grid.kind_biases.shape[-1], grid.whole_biases.shape[-1]
    widest, all_widest = max(width, grid.seen.shape[-1]), max(whole, len(grid.rest))
    kinds, lines = rows * grid.side**2, rows * ROWS_AND_COLUMNS * grid.side

    def room(*shape: int) -> Tensor:
        return np.zeros(shape, np.float32)

    return Slate(
        kinds=room(kinds, widest),
        next_kinds=room(kinds, width),
        lines=room(lines, widest),
        along=room(lines, width),
        wholes=room(rows, all_widest),
        next_wholes=room(rows, whole),
        base=room(rows, width),
        scores=room(kinds, grid.done.shape[-1]),
        others=room(rows, len(grid.others)),
    )


@rule
def forward_on_grid(grid: GridWeights, rows: int, observations: Tensor, slate: Slate, scores: Tensor, victory: Tensor) -> None:
    """Calculates the scores of all actions and of all seats for the first so many observations."""
    for row in range(rows):
        _take_in(grid, row, observations[row], slate)
    _think(grid, rows, slate, 0, grid.seen_kinds, grid.seen_lines, grid.rest_above, grid.rest_wholes)
    for i in range(len(grid.kinds)):
        _think(grid, rows, slate, i + 1, grid.kinds[i], grid.lines[i], grid.above[i], grid.wholes[i])
    _begin(grid.value_bias, rows, victory)
    add_rows(slate.wholes, rows, grid.value, victory)
    _begin(grid.rest_policy_bias, rows, slate.others)
    add_rows(slate.wholes, rows, grid.rest_policy, slate.others)
    _begin(grid.policy_bias, rows * len(grid.done), slate.scores)
    add_rows(slate.kinds, rows * len(grid.done), grid.policy, slate.scores)
    for row in range(rows):
        _speak(grid, row, slate, scores[row])


@rule
def _take_in(grid: GridWeights, row: int, observation: Tensor, slate: Slate) -> None:
    first = row * len(grid.seen)
    for kind in range(len(grid.seen)):
        for i in range(grid.seen.shape[1]):
            slate.kinds[first + kind, i] = observation[grid.seen[kind, i]]
    for i in range(len(grid.rest)):
        slate.wholes[row, i] = observation[grid.rest[i]]


@rule
def _think(
    grid: GridWeights, rows: int, slate: Slate, layer: int, kinds: Tensor, lines: Tensor, above: Tensor, wholes: Tensor
) -> None:
    """One layer further."""
    count = rows * grid.side**2
    _find_lines(slate, rows, grid.side, len(lines))
    slate.along[:] = 0
    add_rows(slate.lines, rows * ROWS_AND_COLUMNS * grid.side, lines, slate.along)
    _begin(grid.kind_biases[layer], rows, slate.base)
    add_rows(slate.wholes, rows, above, slate.base)
    _spread(slate, rows, grid.side)
    add_rows(slate.kinds, count, kinds, slate.next_kinds)
    _keep_positive(slate.next_kinds, count, slate.kinds)
    _begin(grid.whole_biases[layer], rows, slate.next_wholes)
    add_rows(slate.wholes, rows, wholes, slate.next_wholes)
    _find_means(slate, rows, grid.side)
    add_rows(slate.base, rows, grid.around[layer], slate.next_wholes)
    _keep_positive(slate.next_wholes, rows, slate.wholes)


@rule
def _begin(bias: Tensor, rows: int, outputs: Tensor) -> None:
    for row in range(rows):
        for i in range(len(bias)):
            outputs[row, i] = bias[i]


@rule
def _find_lines(slate: Slate, rows: int, side: int, before: int) -> None:
    """The mean of the kinds of each row and each column of the grid."""
    share = np.float32(1 / side)
    slate.lines[:] = 0
    for kind in range(rows * side * side):
        first = kind // (side * side) * ROWS_AND_COLUMNS * side
        row, column = first + kind // side % side, first + side + kind % side
        for i in range(before):
            slate.lines[row, i] += slate.kinds[kind, i] * share
            slate.lines[column, i] += slate.kinds[kind, i] * share


@rule
def _spread(slate: Slate, rows: int, side: int) -> None:
    """Begins the thought about each kind with that about its row, its column and the whole."""
    for kind in range(rows * side * side):
        whole = kind // (side * side)
        first = whole * ROWS_AND_COLUMNS * side
        row, column = first + kind // side % side, first + side + kind % side
        for i in range(slate.along.shape[1]):
            slate.next_kinds[kind, i] = slate.base[whole, i] + slate.along[row, i] + slate.along[column, i]


@rule
def _keep_positive(source: Tensor, rows: int, target: Tensor) -> None:
    for row in range(rows):
        for i in range(source.shape[1]):
            target[row, i] = max(source[row, i], np.float32(0))


@rule
def _find_means(slate: Slate, rows: int, side: int) -> None:
    """The mean of all kinds of each observation."""
    share = np.float32(1 / (side * side))
    slate.base[:] = 0
    for kind in range(rows * side * side):
        for i in range(slate.base.shape[1]):
            slate.base[kind // (side * side), i] += slate.kinds[kind, i] * share


@rule
def _speak(grid: GridWeights, row: int, slate: Slate, scores: Tensor) -> None:
    """Puts the scores of the actions where they belong."""
    first = row * len(grid.done)
    for kind in range(len(grid.done)):
        for i in range(grid.done.shape[1]):
            scores[grid.done[kind, i]] = slate.scores[first + kind, i]
    for i in range(len(grid.others)):
        scores[grid.others[i]] = slate.others[row, i]


def grid_weights(grid: Grid, tensors: dict[str, npt.NDArray[np.float32]]) -> GridWeights:
    """From tensors as PyTorch lays them out, (out, in)."""
    depth = sum(name.startswith("kinds.") and name.endswith(".weight") for name in tensors)

    def turned(name: str) -> Tensor:
        return np.ascontiguousarray(tensors[f"{name}.weight"].T)

    def stacked(name: str, first: int = 1) -> Cube:
        inputs, outputs = turned(f"{name}.{depth - 1}").shape
        return np.array([turned(f"{name}.{i}") for i in range(first, depth)], np.float32).reshape(-1, inputs, outputs)

    def biases(name: str) -> Tensor:
        return np.array([tensors[f"{name}.{i}.bias"] for i in range(depth)], np.float32)

    return GridWeights(
        side=grid.side,
        seen=grid.seen,
        rest=grid.rest,
        done=grid.done,
        others=grid.others,
        seen_kinds=turned("kinds.0"),
        seen_lines=turned("lines.0"),
        rest_above=turned("above.0"),
        rest_wholes=turned("wholes.0"),
        kinds=stacked("kinds"),
        lines=stacked("lines"),
        above=stacked("above"),
        wholes=stacked("wholes"),
        around=stacked("around", 0),
        kind_biases=biases("kinds"),
        whole_biases=biases("wholes"),
        policy=turned("policy"),
        policy_bias=tensors["policy.bias"],
        rest_policy=turned("rest"),
        rest_policy_bias=tensors["rest.bias"],
        value=turned("value"),
        value_bias=tensors["value.bias"],
    )

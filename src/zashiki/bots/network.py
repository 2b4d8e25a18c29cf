"""A learned network, compiled: what a seat would do and who will win, for several observations at once.

Layers with ReLU, then two heads: a score for every action, and one for each seat's victory, seats counted from the viewer on.
Many inputs of a layer are 0 and are left out; the others are added four at a time to a whole row of outputs, which a processor
does for many outputs at once. A stretch of weights serves all rows before the next is read. The order of additions does not
depend on how many rows there are, so that a row has the same result in every batch and on every machine.
"""

from __future__ import annotations

from math import exp
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zashiki.bots.grids import GridWeights, Slate, forward_on_grid, new_slate, no_grid
from zashiki.bots.layers import STRETCH, add_lit, copy_row, cut_below_zero, find_lit
from zashiki.bots.nodes import MOST_SEATS
from zashiki.bots.sense import Weights, Worth
from zashiki.core.contract import Options, Tensor
from zashiki.core.gears import rule

Cube = npt.NDArray[np.float32]


class Network(NamedTuple):
    """Weights as (in, out). `hidden` are the layers after the first, all of one width.

    `sense` is the power to which the heuristic's weights count in the policy beside the network's; 0 where they do not.
    Where kinds of cards can be exchanged, `grid` has all the weights, and the others are empty.
    """

    first: Tensor
    hidden: Cube
    biases: Tensor
    policy: Tensor
    policy_bias: Tensor
    value: Tensor
    value_bias: Tensor
    grid: GridWeights = no_grid()
    sense: float = 0.0


class Sheet(NamedTuple):
    """The memory that rows are calculated in: observations go in, scores of actions and of seats come out.

    `spans` tells which actions' scores are wanted in each row: from one up to another; a grid makes all of them, on its `slate`.
    `sense` is the network's.
    """

    observations: Tensor
    spans: Options
    even: Tensor
    odd: Tensor
    scores: Tensor
    victory: Tensor
    lit: Options
    slate: Slate
    sense: float


def new_sheet(network: Network, rows: int) -> Sheet:
    """A sheet for so many rows."""
    features, width = network.first.shape
    actions = len(network.policy_bias)
    spans = np.zeros((rows, 2), np.int64)
    spans[:, 1] = actions
    return Sheet(
        observations=np.zeros((rows, features), np.float32),
        spans=spans,
        even=np.zeros((rows, width), np.float32),
        odd=np.zeros((rows, width), np.float32),
        scores=np.zeros((rows, actions), np.float32),
        victory=np.zeros((rows, MOST_SEATS), np.float32),
        lit=np.zeros(STRETCH, np.int64),
        slate=new_slate(network.grid, rows),
        sense=network.sense,
    )


@rule
def forward(network: Network, sheet: Sheet, rows: int) -> None:
    """Calculates the first so many rows of the sheet."""
    if network.grid.side > 0:
        forward_on_grid(network.grid, rows, sheet.observations, sheet.slate, sheet.scores, sheet.victory)
        return
    _layer(sheet.observations, network.first, network.biases[0], sheet.even, sheet.lit, rows)
    _cut_below_zero(sheet.even, rows)
    for i in range(len(network.hidden)):
        before, after = (sheet.even, sheet.odd) if i % 2 == 0 else (sheet.odd, sheet.even)
        _layer(before, network.hidden[i], network.biases[i + 1], after, sheet.lit, rows)
        _cut_below_zero(after, rows)
    last = sheet.even if len(network.hidden) % 2 == 0 else sheet.odd
    _layer(last, network.value, network.value_bias, sheet.victory, sheet.lit, rows)
    _policy(last, network, sheet, rows)


@rule
def _layer(inputs: Tensor, weights: Tensor, bias: Tensor, outputs: Tensor, lit: Options, rows: int) -> None:
    for row in range(rows):
        copy_row(bias, outputs[row])
    for start in range(0, len(weights), STRETCH):
        for row in range(rows):
            count = find_lit(inputs[row], start, lit)
            add_lit(inputs[row], weights, lit, count, outputs[row], 0)


@rule
def _policy(inputs: Tensor, network: Network, sheet: Sheet, rows: int) -> None:
    """The last layer, only as far as it is wanted: hardly ever may a seat do everything."""
    for row in range(rows):
        first, end = sheet.spans[row, 0], sheet.spans[row, 1]
        copy_row(network.policy_bias[first:end], sheet.scores[row, first:end])
    for start in range(0, len(network.policy), STRETCH):
        for row in range(rows):
            first, end = sheet.spans[row, 0], sheet.spans[row, 1]
            count = find_lit(inputs[row], start, sheet.lit)
            add_lit(inputs[row], network.policy, sheet.lit, count, sheet.scores[row, first:end], first)


@rule
def _cut_below_zero(rows: Tensor, count: int) -> None:
    for row in range(count):
        cut_below_zero(rows[row])


@rule
def want(sheet: Sheet, row: int, actions: Options, count: int) -> None:
    """Asks for the scores of these actions, which are in order."""
    sheet.spans[row, 0] = actions[0]
    sheet.spans[row, 1] = actions[count - 1] + 1


@rule
def read_policy(sheet: Sheet, row: int, actions: Options, count: int, chances: Weights) -> None:
    """Writes how likely the network makes each of these legal actions; all chances add up to 1."""
    scores = sheet.scores[row]
    most = float(scores[actions[0]])
    for i in range(1, count):
        most = max(most, float(scores[actions[i]]))
    total = 0.0
    for i in range(count):
        chances[i] = exp(float(scores[actions[i]]) - most)
        total += chances[i]
    for i in range(count):
        chances[i] /= total


@rule
def add_sense(sheet: Sheet, weights: Weights, count: int, chances: Weights) -> None:
    """Multiplies chances by what the heuristic weighs the same actions, as far as it counts; they add up to 1 again."""
    total = 0.0
    for i in range(count):
        chances[i] *= weights[i] ** sheet.sense
        total += chances[i]
    for i in range(count):
        chances[i] /= total


@rule
def read_worth(sheet: Sheet, row: int, viewer: int, seats: int, worth: Worth) -> None:
    """Writes each seat's share of the victory as the viewer of that row sees it; all shares add up to 1."""
    victory = sheet.victory[row]
    most = float(victory[0])
    for i in range(1, seats):
        most = max(most, float(victory[i]))
    total = 0.0
    for i in range(seats):
        total += exp(float(victory[i]) - most)
    for i in range(seats):
        worth[(viewer + i) % seats] = exp(float(victory[i]) - most) / total

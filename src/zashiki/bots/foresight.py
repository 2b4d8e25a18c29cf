"""What those will do who choose at the same time: what a search that plays out tries, as if it were theirs.

Each of them has a node of its own in such a tree, whoever's side it is searched from, so one tree tells about all of them.
"""

from __future__ import annotations

from zashiki.bots.nodes import Desk, draw, list_legal, node_of
from zashiki.bots.search import play_out, search_once
from zashiki.bots.sense import Weights, chapter, imagine
from zashiki.bots.tree import FULL, Tree, edge_of
from zashiki.core.contract import apply, redeal, to_act
from zashiki.core.gears import rule
from zashiki.core.intrinsics import lowest
from zashiki.core.layout import Record, Records
from zashiki.core.random import Words

FIRMNESS = 3.0
"""The power that makes of the tries of a seat's actions how likely it is to choose each: a search plays what it tried most."""


@rule
def read_choices(states: Records, first: int, tree: Tree, desk: Desk, chances: Weights) -> None:
    """Adds to the chances what a tree from the side of `first` tells about each who chooses at once; changes the state."""
    state, seat = states[0], first
    seats = to_act(state)
    while seats != 0:
        count = list_legal(state, seat, desk)
        _add_tries(tree, node_of(state, seat, first, tree, desk), desk, count, chances[seat])
        seats &= ~(1 << seat)
        if seats != 0:
            apply(state, seat, desk.actions[0])
            seat = lowest(seats)


@rule
def _add_tries(tree: Tree, node: int, desk: Desk, count: int, chances: Weights) -> None:
    """Adds how likely each action of a node is to be chosen, if any was tried there."""
    if node == FULL or tree.nodes[node].count != count:
        return
    most, total = 0.0, 0.0
    for i in range(count):
        most = max(most, float(tree.edges[edge_of(tree, node, desk.actions[i])].visits))
    if most == 0:
        return
    for i in range(count):
        desk.chances[i] = (tree.edges[edge_of(tree, node, desk.actions[i])].visits / most) ** FIRMNESS
        total += desk.chances[i]
    for i in range(count):
        chances[desk.actions[i]] += desk.chances[i] / total


@rule
def choose_as_foreseen(state: Record, root: int, foreseen: Weights, rng: Words) -> None:
    """Seals the choices of those about whom somebody has thought."""
    others = to_act(state) & ~(1 << root)
    while others != 0:
        other = lowest(others)
        others &= others - 1
        action = draw(foreseen[other], foreseen.shape[1], 1.0, rng)
        if foreseen[other, action] > 0:
            apply(state, other, action)


@rule
def search_as_foreseen(
    views: Records, seat: int, foreseen: Weights, tree: Tree, desk: Desk, rng: Words, iterations: int, cut: int, explore: float
) -> None:
    """So many iterations more of the search that plays out, others choosing at once with the root as foreseen."""
    for _ in range(iterations):
        redeal(views[0], seat, rng, desk.states[0])
        imagine(desk.states[0], seat, rng)
        choose_as_foreseen(desk.states[0], seat, foreseen, rng)
        search_once(seat, tree, desk, rng, cut, explore)


@rule
def can_be_finished(views: Records, seat: int, desk: Desk, rng: Words, cut: int) -> bool:
    """Whether playing out comes to the end of the match from here."""
    state = desk.states[0]
    redeal(views[0], seat, rng, state)
    imagine(state, seat, rng)
    play_out(state, chapter(state), desk, rng, cut)
    return bool(state.winners != 0)

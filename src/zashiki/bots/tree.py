"""The search tree in arrays: nodes found by a hash of what is known there, each with the edges of its actions in order."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zashiki.core.contract import Options
from zashiki.core.gears import rule
from zashiki.core.intrinsics import copy, wide
from zashiki.core.layout import Records
from zashiki.core.random import Words


def _record(**fields: str) -> np.dtype[Any]:
    return np.dtype((np.record, np.dtype(list(fields.items()), align=True)))


NODE = _record(key="i8", first="i4", count="i4", room="i4", visits="i4")
EDGE = _record(action="i4", visits="i4", under_way="i4", prior="f4", worth="f4", points="f4", regret="f4", strategy="f4")
KEY_BITS = (1 << 61) - 1
FULL = -1
NODES, EDGES = 0, 1


class Tree(NamedTuple):
    """Everything a search remembers. `slots` is the hash table of nodes, `used` tells how many nodes and edges there are."""

    nodes: Records
    edges: Records
    slots: npt.NDArray[np.int32]
    used: Options


def new_tree(nodes: int, edges: int) -> Tree:
    """An empty tree with room for so many."""
    slots = 1 << (2 * nodes - 1).bit_length()
    return Tree(np.empty(nodes, NODE), np.empty(edges, EDGE), np.full(slots, -1, np.int32), np.zeros(2, np.int64))


@rule
def key_of(words: Words, skip: int, salt: int) -> int:
    """A hash of what lies in memory from word `skip` on."""
    key = salt
    for i in range(skip, len(words)):
        key = ((key ^ wide(words[i])) * 0x9E3779B97F4A7C1) & KEY_BITS
        key ^= key >> 32
    return key


@rule
def find(tree: Tree, key: int) -> int:
    """The node with this key, or the place of the slot where it belongs as a number below 0."""
    last = len(tree.slots) - 1
    slot = (key ^ (key >> 23)) & last
    while tree.slots[slot] >= 0:
        node = int(tree.slots[slot])
        if tree.nodes[node].key == key:
            return node
        slot = (slot + 1) & last
    return -1 - slot


@rule
def add_node(tree: Tree, key: int, slot: int) -> int:
    """A new node without edges, or FULL."""
    node = tree.used[NODES]
    if node == len(tree.nodes):
        return FULL
    tree.used[NODES] = node + 1
    tree.slots[slot] = node
    new = tree.nodes[node]
    new.key = key
    new.first = 0
    new.count = 0
    new.room = 0
    new.visits = 0
    return int(node)


@rule
def place_edges(tree: Tree, node: int, actions: Options, places: Options) -> bool:
    """Writes where the edge of each of these actions is, adding those that are new; False: there is no room for them.

    The actions and a node's edges are both in order of the numbers.
    """
    here = tree.nodes[node]
    missing = _match_edges(tree, node, actions, places)
    if missing == 0:
        return True
    wanted = int(here.count) + missing
    if wanted > here.room and not _move_edges(tree, node, wanted):
        return False
    _merge_edges(tree, node, actions, wanted)
    _match_edges(tree, node, actions, places)
    return True


@rule
def has_edges(tree: Tree, node: int, actions: Options, places: Options) -> bool:
    """Writes where the edge of each of these actions is; False: the node does not have all of them."""
    return _match_edges(tree, node, actions, places) == 0


@rule
def edge_of(tree: Tree, node: int, action: int) -> int:
    """Where the edge of an action is that the node has."""
    first = int(tree.nodes[node].first)
    end = first + int(tree.nodes[node].count)
    while first < end:
        middle = (first + end) >> 1
        if tree.edges[middle].action < action:
            first = middle + 1
        else:
            end = middle
    return first


@rule
def _match_edges(tree: Tree, node: int, actions: Options, places: Options) -> int:
    here = tree.nodes[node]
    edge, end = int(here.first), int(here.first) + int(here.count)
    missing = 0
    for i in range(len(actions)):
        while edge < end and tree.edges[edge].action < actions[i]:
            edge += 1
        if edge < end and tree.edges[edge].action == actions[i]:
            places[i] = edge
        else:
            missing += 1
    return missing


@rule
def _move_edges(tree: Tree, node: int, wanted: int) -> bool:
    """Gives a node a place with room for more edges; the old place is lost."""
    here = tree.nodes[node]
    room = wanted if here.count == 0 else 2 * wanted
    first = tree.used[EDGES]
    if first + room > len(tree.edges):
        return False
    tree.used[EDGES] = first + room
    for i in range(int(here.count)):
        copy(tree.edges[int(here.first) + i], tree.edges[first + i])
    here.first = first
    here.room = room
    return True


@rule
def _merge_edges(tree: Tree, node: int, actions: Options, wanted: int) -> None:
    """Puts the edges of new actions between the old ones, from the end on."""
    here = tree.nodes[node]
    first = int(here.first)
    old, new = int(here.count) - 1, len(actions) - 1
    for place in range(wanted - 1, -1, -1):
        if old >= 0 and (new < 0 or tree.edges[first + old].action >= actions[new]):
            if new >= 0 and tree.edges[first + old].action == actions[new]:
                new -= 1
            copy(tree.edges[first + old], tree.edges[first + place])
            old -= 1
        else:
            _clear_edge(tree, first + place, actions[new])
            new -= 1
    here.count = wanted


@rule
def _clear_edge(tree: Tree, edge: int, action: int) -> None:
    fresh = tree.edges[edge]
    fresh.action = action
    fresh.visits = 0
    fresh.under_way = 0
    fresh.worth = 0
    fresh.prior = 0
    fresh.regret = 0
    fresh.strategy = 0
    fresh.points = 0

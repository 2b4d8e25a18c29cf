"""The search tree in arrays, held against a dictionary."""

from __future__ import annotations

import random

import numpy as np

from zashiki.bots.tree import FULL, Tree, add_node, find, key_of, new_tree, place_edges


def node_for(tree: Tree, key: int) -> int:
    found = find(tree, key)
    return found if found >= 0 else add_node(tree, key, -1 - found)


def test_a_node_is_found_again_by_its_key() -> None:
    tree = new_tree(100, 100)
    chance = random.Random(1)
    keys = [chance.getrandbits(61) for _ in range(100)]
    nodes = [node_for(tree, key) for key in keys]
    assert [find(tree, key) for key in keys] == nodes == list(range(100))


def test_a_full_tree_says_so() -> None:
    tree = new_tree(2, 10)
    assert [node_for(tree, key) for key in (5, 6, 7)] == [0, 1, FULL]


def test_edges_keep_what_was_learned_while_others_come_between() -> None:
    chance, tree = random.Random(2), new_tree(4, 4000)
    learned: list[dict[int, int]] = [{} for _ in range(4)]
    for node in range(4):
        node_for(tree, node + 1)
    places = np.zeros(100, np.int64)
    for _ in range(300):
        node = chance.randrange(4)
        actions = sorted(chance.sample(range(100), chance.randint(1, 20)))
        assert place_edges(tree, node, np.array(actions), places)
        for action, place in zip(actions, places, strict=False):
            edge = tree.edges[place]
            assert int(edge.action) == action
            assert int(edge.visits) == learned[node].get(action, 0)
            edge.visits += 1
            learned[node][action] = int(edge.visits)


def test_without_room_for_its_edges_a_node_stays_as_it_was() -> None:
    tree, places = new_tree(2, 5), np.zeros(9, np.int64)
    node_for(tree, 1)
    assert place_edges(tree, 0, np.array([3, 4, 8]), places)
    assert not place_edges(tree, 0, np.array([1, 2, 3, 4, 8]), places)
    assert place_edges(tree, 0, np.array([3, 8]), places)
    assert [int(tree.edges[place].action) for place in places[:2]] == [3, 8]


def test_keys_differ_with_every_word_and_with_the_seat() -> None:
    words = np.arange(40, dtype=np.uint32)
    keys = {key_of(words, 21, 1), key_of(words, 21, 2)}
    for place in range(21, 40):
        words[place] ^= 1
        keys.add(key_of(words, 21, 1))
        words[place] ^= 1
    words[20] ^= 1
    assert key_of(words, 21, 1) in keys
    assert len(keys) == 21

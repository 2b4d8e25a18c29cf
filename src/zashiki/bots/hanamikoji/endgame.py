"""The last turns of a round of Hanamikoji, solved as the game of hidden cards that they are.

All deals that could lie behind what is open make one game: chance picks a deal, each player knows only the own cards. It is laid
out once, every decision of every deal a node, and solved by regret matching (CFR+, linear averages): the mixtures it comes to
cannot be exploited by more than `exploitability` tells. A leaf is worth the chance to win the match from the favours it leads to.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zashiki.bots.hanamikoji.beliefs import IN_SECRET, OUT, Counts, Holdings, taste_of, ways_to_draw
from zashiki.bots.hanamikoji.favours import chance_of_first
from zashiki.bots.nodes import HIDDEN_WORDS, Desk, list_legal
from zashiki.bots.tree import Tree, add_node, find, key_of, new_tree, place_edges
from zashiki.core.contract import apply, to_act, view
from zashiki.core.gears import rule
from zashiki.core.intrinsics import copy, lowest
from zashiki.core.layout import Record, Records
from zashiki.games.hanamikoji.rules import ACTIONS, GEISHA, OVER

LEAF = -1
DEEPEST = 14
"""No subgame from the fifth turn on has more decisions in a row."""

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int32]


class Subgame(NamedTuple):
    """Every decision of every deal, parents before children. A slot is an action at an information set, an edge of `sets`.

    parent      the node before; −1 at a deal's first
    slot        the action that led here
    seat        who decides here, or LEAF
    depth       decisions made before, forced ones too
    first       the first slot of the information set that decides here
    size        how many slots it has
    worth       the chance of seat 0 to win the match: given at leaves, worked out elsewhere
    reach       how likely each seat, and chance, lets the play come here
    used        how many nodes there are
    """

    parent: Ints
    slot: Ints
    seat: Ints
    depth: Ints
    first: Ints
    size: Ints
    worth: Floats
    reach: Floats
    used: npt.NDArray[np.int64]
    sets: Tree
    regret: Floats
    strategy: Floats
    average: Floats


def new_subgame(nodes: int) -> Subgame:
    """Room for so many nodes."""
    sets = new_tree(nodes // 4 + 64, nodes + 64)
    slots = len(sets.edges)
    parent, slot, seat, depth, first, size = (np.empty(nodes, np.int32) for _ in range(6))
    worth, reach, used = np.zeros(nodes), np.empty((nodes, 3)), np.zeros(1, np.int64)
    regret, strategy, average = (np.zeros(slots) for _ in range(3))
    return Subgame(parent, slot, seat, depth, first, size, worth, reach, used, sets, regret, strategy, average)


def clear(game: Subgame) -> None:
    """Makes a subgame empty again."""
    game.used[:] = 0
    game.sets.used[:] = 0
    game.sets.slots[:] = -1


@rule
def lay_out(
    bases: Records, seat: int, mine: Counts, theirs: Holdings, closed: Counts, game: Subgame, desk: Desk, states: Records
) -> bool:
    """Lays out every deal in which this is held here and one of those there; False: there is no room."""
    rest, last = np.zeros(GEISHA, np.int64), np.zeros(GEISHA, np.int64)
    ways = ways_to_draw(mine, closed, rest) * taste_of(bases[0], mine)
    if ways <= 0:
        return True
    for j in range(len(theirs)):
        both = ways * ways_to_draw(theirs[j], rest, last)
        if both > 0:
            both *= taste_of(bases[0], theirs[j])
            if not _lay_out_draws(bases[0], seat, mine, theirs[j], last, both, game, desk, states):
                return False
    return True


@rule
def _lay_out_draws(
    base: Record, seat: int, mine: Counts, theirs: Counts, left: Counts, weight: float, game: Subgame, desk: Desk, states: Records
) -> bool:
    """Every order in which the cards that nobody holds may be drawn; the one that remains is the one removed."""
    draws = int(base.stack_size)
    order = np.zeros(GEISHA, np.int64)
    order[:] = -1
    state = states[DEEPEST]
    copy(base, state)
    _hold(state, seat, mine)
    _hold(state, 1 - seat, theirs)
    chances = np.zeros(GEISHA + 1)
    chances[0] = weight
    place = 0
    cards = left.sum()
    while place >= 0:
        if order[place] >= 0:
            left[order[place]] += 1
        order[place] += 1
        while order[place] < GEISHA and left[order[place]] == 0:
            order[place] += 1
        if order[place] == GEISHA:
            order[place] = -1
            place -= 1
            continue
        item = order[place]
        chances[place + 1] = chances[place] * left[item] / (cards - place)
        left[item] -= 1
        state.deck[draws - place] = item
        if place < draws:
            place += 1
            order[place] = -1
        elif not _lay_out_deal(states, chances[place + 1], game, desk):
            return False
    return True


@rule
def _hold(state: Record, seat: int, holding: Counts) -> None:
    for item in range(GEISHA):
        state.hands[seat, item] = holding[item]
    state.secret[seat] = holding[IN_SECRET]
    state.trade_off[seat, 0] = holding[OUT]
    state.trade_off[seat, 1] = holding[OUT + 1]


@rule
def _lay_out_deal(states: Records, weight: float, game: Subgame, desk: Desk) -> bool:
    """The whole tree of the deal in the last of the states, depth first: `states[level]` is where each level stands."""
    nodes = np.zeros(DEEPEST, np.int64)
    turn = np.zeros(DEEPEST, np.int64)
    counts = np.zeros(DEEPEST, np.int64)
    actions = np.zeros((DEEPEST, ACTIONS), np.int64)
    level = 0
    began = int(states[DEEPEST].round_number)
    copy(states[DEEPEST], states[0])
    node = _lay_node(states[0], began, -1, -1, 0, weight, game, desk)
    fresh = True
    while level >= 0:
        if fresh:
            if node < 0:
                return False
            nodes[level] = node
            turn[level] = 0
            counts[level] = 0 if game.seat[node] == LEAF else game.size[node]
            for i in range(counts[level]):
                actions[level, i] = game.sets.edges[game.first[node] + i].action
        if turn[level] == counts[level]:
            level -= 1
            fresh = False
            continue
        here = nodes[level]
        i = turn[level]
        turn[level] += 1
        copy(states[level], states[level + 1])
        apply(states[level + 1], int(game.seat[here]), actions[level, i])
        level += 1
        node = _lay_node(states[level], began, here, int(game.first[here]) + i, int(game.depth[here]) + 1, 0.0, game, desk)
        fresh = True
    return True


@rule
def _lay_node(state: Record, began: int, parent: int, slot: int, depth: int, weight: float, game: Subgame, desk: Desk) -> int:
    """One node of the round that began it; what is forced is carried out on the way. −1: there is no room."""
    node = game.used[0]
    if node == len(game.parent):
        return -1
    game.used[0] = node + 1
    game.parent[node] = parent
    game.slot[node] = slot
    game.reach[node, 2] = weight
    seats = to_act(state)
    while seats != 0 and state.round_number == began:
        seat = lowest(seats)
        count = list_legal(state, seat, desk)
        if count > 1:
            game.depth[node] = depth
            return int(node) if _find_set(state, seat, int(node), count, game, desk) else -1
        apply(state, seat, desk.actions[0])
        depth += 1
        seats = to_act(state)
    game.depth[node] = depth
    game.seat[node] = LEAF
    game.worth[node] = _worth_of_end(state)
    return int(node)


@rule
def _worth_of_end(state: Record) -> float:
    if state.phase == OVER:
        return 0.5 if state.winners == 3 else 1.0 * (state.winners == 1)
    return chance_of_first(state)


@rule
def _find_set(state: Record, seat: int, node: int, count: int, game: Subgame, desk: Desk) -> bool:
    view(state, seat, desk.seen[0])
    key = key_of(desk.seen_words, HIDDEN_WORDS, seat + 1)
    found = find(game.sets, key)
    if found < 0:
        found = add_node(game.sets, key, -1 - found)
        if found < 0 or not place_edges(game.sets, found, desk.actions[:count], desk.places):
            return False
    game.seat[node] = seat
    game.first[node] = game.sets.nodes[found].first
    game.size[node] = count
    return True


@rule
def solve(game: Subgame, begun: int, iterations: int) -> None:
    """So many rounds more of regret matching after those that were made; the later ones count more in the average."""
    for number in range(begun + 1, begun + iterations + 1):
        for seat in range(2):
            _match_regrets(game)
            _reach(game, game.strategy)
            _back_up(game, game.strategy)
            _update(game, seat, number)


@rule
def _match_regrets(game: Subgame) -> None:
    for one in range(game.sets.used[0]):
        first, size = int(game.sets.nodes[one].first), int(game.sets.nodes[one].count)
        total = 0.0
        for slot in range(first, first + size):
            total += game.regret[slot]
        for slot in range(first, first + size):
            game.strategy[slot] = game.regret[slot] / total if total > 0 else 1 / size


@rule
def _reach(game: Subgame, strategy: Floats) -> None:
    for node in range(game.used[0]):
        parent = game.parent[node]
        if parent < 0:
            game.reach[node, 0] = 1.0
            game.reach[node, 1] = 1.0
            continue
        for who in range(3):
            game.reach[node, who] = game.reach[parent, who]
        game.reach[node, game.seat[parent]] *= strategy[game.slot[node]]


@rule
def _back_up(game: Subgame, strategy: Floats) -> None:
    for node in range(game.used[0]):
        if game.seat[node] != LEAF:
            game.worth[node] = 0.0
    for node in range(game.used[0] - 1, -1, -1):
        if game.parent[node] >= 0:
            game.worth[game.parent[node]] += strategy[game.slot[node]] * game.worth[node]


@rule
def _update(game: Subgame, seat: int, number: int) -> None:
    sign = 1.0 if seat == 0 else -1.0
    for node in range(game.used[0]):
        parent = game.parent[node]
        if parent < 0 or game.seat[parent] != seat:
            continue
        slot = game.slot[node]
        others = game.reach[parent, 1 - seat] * game.reach[parent, 2]
        game.regret[slot] += sign * others * (game.worth[node] - game.worth[parent])
        game.average[slot] += number * game.reach[parent, seat] * game.strategy[slot]
    for one in range(game.sets.used[0]):
        first, size = int(game.sets.nodes[one].first), int(game.sets.nodes[one].count)
        for slot in range(first, first + size):
            game.regret[slot] = max(game.regret[slot], 0.0)


@rule
def settle(game: Subgame) -> float:
    """Makes the average of all rounds the strategy, and every node worth what it comes to; tells what the whole is worth."""
    for one in range(game.sets.used[0]):
        first, size = int(game.sets.nodes[one].first), int(game.sets.nodes[one].count)
        total = 0.0
        for slot in range(first, first + size):
            total += game.average[slot]
        for slot in range(first, first + size):
            game.strategy[slot] = game.average[slot] / total if total > 0 else 1 / size
    _reach(game, game.strategy)
    _back_up(game, game.strategy)
    return _whole(game)


@rule
def _whole(game: Subgame) -> float:
    worth = weight = 0.0
    for node in range(game.used[0]):
        if game.parent[node] < 0:
            worth += game.reach[node, 2] * game.worth[node]
            weight += game.reach[node, 2]
    return worth / weight


@rule
def exploitability(game: Subgame) -> float:
    """How much of the match the best answers to the settled strategy gain, both seats' on average."""
    settle(game)
    best = np.zeros(2)
    for seat in range(2):
        best[seat] = _best_answer(game, seat)
    settle(game)
    return float(best[0] - best[1]) / 2


@rule
def _best_answer(game: Subgame, seat: int) -> float:
    """What the whole is worth to seat 0 when this seat answers the settled strategy as well as it can."""
    sign = 1.0 if seat == 0 else -1.0
    settle(game)
    gains = np.zeros(len(game.strategy))
    answer = game.strategy.copy()
    for depth in range(DEEPEST, -1, -1):
        gains[:] = 0
        for node in range(game.used[0]):
            parent = game.parent[node]
            if parent >= 0 and game.depth[parent] == depth and game.seat[parent] == seat:
                others = game.reach[parent, 1 - seat] * game.reach[parent, 2]
                gains[game.slot[node]] += sign * others * game.worth[node]
        for one in range(game.sets.used[0]):
            first, size = int(game.sets.nodes[one].first), int(game.sets.nodes[one].count)
            chosen = first
            touched = False
            for slot in range(first, first + size):
                touched = touched or gains[slot] != 0
                if gains[slot] > gains[chosen]:
                    chosen = slot
            if touched:
                for slot in range(first, first + size):
                    answer[slot] = 1.0 if slot == chosen else 0.0
        _back_up(game, answer)
    return _whole(game)


@rule
def slots_of(game: Subgame, views: Records, seat: int, desk: Desk) -> npt.NDArray[np.int64]:
    """The slots of a seat's actions at its own view, in order; none where the subgame does not have it."""
    copy(views[0], desk.seen[0])
    one = find(game.sets, key_of(desk.seen_words, HIDDEN_WORDS, seat + 1))
    if one < 0:
        return np.zeros(0, np.int64)
    return np.arange(game.sets.nodes[one].first, game.sets.nodes[one].first + game.sets.nodes[one].count)


@rule
def worth_of_slots(game: Subgame, slots: npt.NDArray[np.int64]) -> Floats:
    """What each of these actions is worth to seat 0, over all deals in which it can be taken."""
    worth, weight = np.zeros(len(slots)), np.zeros(len(slots))
    for node in range(game.used[0]):
        place = game.slot[node] - slots[0]
        if game.parent[node] >= 0 and 0 <= place < len(slots):
            parent = game.parent[node]
            likely = game.reach[parent, 1 - game.seat[parent]] * game.reach[parent, 2]
            worth[place] += likely * game.worth[node]
            weight[place] += likely
    return worth / np.maximum(weight, 1e-300)

"""Monte-Carlo search over information sets, written once for all games.

Every iteration redeals what the root seat cannot know and walks down one tree. A node is what its seat knows there: for the root
seat its own view, for another seat what everybody knows, since its cards are drawn anew each time; how it chooses among the
actions it has in this deal is weighed by the heuristic with those cards. So nobody in the tree acts on what is hidden from it.
Each seat has its own worth, which serves any number of players.

Choices are selected by worth and prior (PUCT), those made at the same time by each seat for itself. Where a game says so, they
are selected by regret matching instead, whose average is the mixture to play.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np

from zashiki.bots.sense import Weights, Worth, chapter, evaluate, imagine, mixed, weigh
from zashiki.bots.tree import Tree, add_node, find, key_of, place_edges
from zashiki.core.contract import Options, Table, apply, legal, redeal, scores, to_act, view
from zashiki.core.game import Game
from zashiki.core.gears import rule
from zashiki.core.intrinsics import lowest, ones, wide
from zashiki.core.layout import COMMON, SPECTATOR, Record, Records
from zashiki.core.masks import Mask, words_for
from zashiki.core.random import Words, roll_word

MOST_SEATS = 6
PATH = 64
"""How many decisions of a walk are remembered."""
HIDDEN_WORDS = sum(max(1, *field.shape, 1) for field in COMMON if field.type == "u4")
"""The words of a record that no view shows: the random numbers."""
UNTRIED = 0.1
"""How much less than its parent an action that was never tried is thought to be worth."""
WOBBLE = 0.1
"""The share of tries that a mixture spends on all actions alike."""


class Desk(NamedTuple):
    """The memory one search works in. `seen_words` is the memory of `seen`; a step of the path is its node, edge and seat."""

    states: Records
    seen: Records
    seen_words: Words
    mask: Mask
    actions: Options
    places: Options
    weights: Weights
    chances: Weights
    path: Options
    path_chance: Weights
    worth: Worth
    table: Table


def new_desk(game: Game) -> Desk:
    """A desk for a game."""
    rules = game.rules
    seen = rules.STATE.new(1)
    return Desk(
        states=rules.STATE.new(1),
        seen=seen,
        seen_words=seen.view(np.uint8).view(np.uint32),
        mask=np.zeros(words_for(rules.ACTIONS), np.uint32),
        actions=np.zeros(rules.ACTIONS, np.int64),
        places=np.zeros(rules.ACTIONS, np.int64),
        weights=np.zeros(rules.ACTIONS),
        chances=np.zeros(rules.ACTIONS),
        path=np.zeros(3 * PATH, np.int64),
        path_chance=np.zeros(PATH),
        worth=np.zeros(MOST_SEATS),
        table=np.zeros((MOST_SEATS, len(rules.PARTS)), np.int32),
    )


@rule
def search(views: Records, seat: int, tree: Tree, desk: Desk, rng: Words, iterations: int, cut: int, explore: float) -> None:
    """So many iterations more. The root is the tree's first node."""
    for _ in range(iterations):
        state = desk.states[0]
        redeal(views[0], seat, rng, state)
        imagine(state, seat, rng)
        began = chapter(state)
        steps = _walk(state, seat, tree, desk, rng, explore)
        _play_out(state, began, desk, rng, cut)
        _judge(state, desk)
        for step in range(steps):
            _learn(tree, desk, step, seat)


@rule
def _walk(state: Record, root: int, tree: Tree, desk: Desk, rng: Words, explore: float) -> int:
    """Down the tree, one new node further; tells how many steps are to be remembered."""
    began = chapter(state)
    steps = 0
    seats = to_act(state)
    seat = root
    while steps < PATH and seats != 0 and chapter(state) == began:
        count = list_legal(state, seat, desk)
        if count == 1 and steps > 0:
            apply(state, seat, desk.actions[0])
        else:
            node = _node(state, seat, root, tree, desk)
            fresh = node >= 0 and tree.nodes[node].visits == 0
            if node < 0 or not _look(state, seat, root, tree, desk, node, count):
                break
            i = _select_mixed(tree, desk, count, rng) if mixed(state, seat) else _select_best(tree, desk, count, explore)
            desk.path[3 * steps] = node
            desk.path[3 * steps + 1] = desk.places[i]
            desk.path[3 * steps + 2] = seat
            desk.path_chance[steps] = desk.chances[i]
            apply(state, seat, desk.actions[i])
            steps += 1
            if fresh and steps > 1:
                break
        seats = to_act(state)
        if seats != 0:
            seat = lowest(seats)
    return steps


@rule
def list_legal(state: Record, seat: int, desk: Desk) -> int:
    """Lists a seat's legal actions on the desk, in order; tells how many."""
    legal(state, seat, desk.mask)
    count = 0
    for i in range(len(desk.mask)):
        word = wide(desk.mask[i])
        while word != 0:
            desk.actions[count] = 32 * i + lowest(word)
            count += 1
            word &= word - 1
    return count


@rule
def _node(state: Record, seat: int, root: int, tree: Tree, desk: Desk) -> int:
    """The node of what this seat is thought to know, made if it is new; FULL: there is no room."""
    view(state, root if seat == root else SPECTATOR, desk.seen[0])
    key = key_of(desk.seen_words, HIDDEN_WORDS, seat + 1)
    node = find(tree, key)
    return node if node >= 0 else add_node(tree, key, -1 - node)


@rule
def _look(state: Record, seat: int, root: int, tree: Tree, desk: Desk, node: int, count: int) -> bool:
    """Finds the edges of the legal actions and their priors; False: there is no room.

    The root seat's actions are the same at every visit; another's depend on the cards it was dealt this time.
    """
    fresh = tree.nodes[node].visits == 0
    if seat == root and not fresh:
        for i in range(count):
            desk.places[i] = tree.nodes[node].first + i
        return True
    if not place_edges(tree, node, desk.actions[:count], desk.places):
        return False
    weigh(state, seat, desk.actions[:count], desk.weights)
    total = 0.0
    for i in range(count):
        total += desk.weights[i]
    for i in range(count):
        tree.edges[desk.places[i]].prior = desk.weights[i] / total
    return True


@rule
def _select_best(tree: Tree, desk: Desk, count: int, explore: float) -> int:
    """Which of the legal actions is tried, as its place in the list: by worth and prior."""
    visits = 0
    total = 0.0
    for i in range(count):
        edge = tree.edges[desk.places[i]]
        visits += edge.visits
        total += edge.visits * edge.worth
    untried = total / visits - UNTRIED if visits > 0 else 0.0
    scale = explore * sqrt(visits + 1.0)
    best = 0
    most = -1e9
    for i in range(count):
        edge = tree.edges[desk.places[i]]
        worth = edge.worth if edge.visits > 0 else untried
        score = worth + scale * edge.prior / (1 + edge.visits)
        if score > most:
            most = score
            best = i
    desk.chances[best] = 0.0
    return best


@rule
def _select_mixed(tree: Tree, desk: Desk, count: int, rng: Words) -> int:
    """Regret matching: in proportion to how much better each would have done, by the prior where none would."""
    total = 0.0
    for i in range(count):
        total += max(tree.edges[desk.places[i]].regret, 0.0)
    for i in range(count):
        edge = tree.edges[desk.places[i]]
        share = max(edge.regret, 0.0) / total if total > 0 else edge.prior
        edge.strategy += share
        desk.chances[i] = (1 - WOBBLE) * share + WOBBLE / count
    return _draw(desk.chances, count, 1.0, rng)


@rule
def _draw(weights: Weights, count: int, total: float, rng: Words) -> int:
    """A place drawn in proportion to the weights."""
    left = roll_word(rng) / 4294967296.0 * total
    for i in range(count - 1):
        left -= weights[i]
        if left < 0:
            return i
    return count - 1


@rule
def _play_out(state: Record, began: int, desk: Desk, rng: Words, cut: int) -> None:
    """Goes on as the heuristic would, until the chapter ends or enough decisions are made."""
    for _ in range(cut):
        seats = to_act(state)
        if seats == 0 or chapter(state) != began:
            return
        seat = lowest(seats)
        apply(state, seat, sensible_action(state, seat, desk, rng))


@rule
def sensible_action(state: Record, seat: int, desk: Desk, rng: Words) -> int:
    """An action drawn as the heuristic weighs them."""
    count = list_legal(state, seat, desk)
    if count == 1:
        return int(desk.actions[0])
    weigh(state, seat, desk.actions[:count], desk.weights)
    total = 0.0
    for i in range(count):
        total += desk.weights[i]
    return int(desk.actions[_draw(desk.weights, count, total, rng)])


@rule
def _judge(state: Record, desk: Desk) -> None:
    """What the walk came to for each seat: its share of the victory, and its points."""
    scores(state, desk.table)
    winners = int(state.winners)
    if winners == 0:
        evaluate(state, desk.worth)
        return
    for seat in range(int(state.seats)):
        desk.worth[seat] = ((winners >> seat) & 1) / ones(winners)


@rule
def _learn(tree: Tree, desk: Desk, step: int, root: int) -> None:
    node, chosen, seat = desk.path[3 * step], desk.path[3 * step + 1], desk.path[3 * step + 2]
    worth = desk.worth[seat]
    if desk.path_chance[step] > 0:
        _regret(tree, node, chosen, worth, desk.path_chance[step])
    edge = tree.edges[chosen]
    tree.nodes[node].visits += 1
    edge.visits += 1
    edge.worth += (worth - edge.worth) / edge.visits
    if step == 0:
        edge.points += desk.table[root].sum()


@rule
def _regret(tree: Tree, node: int, chosen: int, worth: float, chance: float) -> None:
    """What the other choices are thought to have brought instead: their means, and the chosen one's corrected by this try."""
    here = tree.nodes[node]
    first, size = int(here.first), int(here.count)
    corrected = tree.edges[chosen].worth + (worth - tree.edges[chosen].worth) / chance
    total = 0.0
    for i in range(first, first + size):
        total += max(tree.edges[i].regret, 0.0)
    expected = 0.0
    for i in range(first, first + size):
        edge = tree.edges[i]
        share = max(edge.regret, 0.0) / total if total > 0 else edge.prior
        expected += share * (corrected if i == chosen else edge.worth)
    for i in range(first, first + size):
        edge = tree.edges[i]
        edge.regret = max(0.0, edge.regret + (corrected if i == chosen else edge.worth) - expected)


@rule
def is_mixed(views: Records, seat: int) -> bool:
    """Whether a seat's decision is made at the same time as others'."""
    return mixed(views[0], seat)

"""What every search does at a node: which node it is, what may be done there, and what is tried.

A node is what its seat knows there: for the root seat its own view, for another seat what everybody knows, since its cards are
drawn anew each time. Choices are selected by worth and prior (PUCT), those made at the same time by each seat for itself. Where
a game says so, they are drawn instead: by regrets where a search keeps them, else by the prior.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np

from zashiki.bots.sense import NO_SKILL, Skill, Weights, Worth, mixed
from zashiki.bots.tree import Tree, add_node, find, key_of
from zashiki.core.contract import Options, Table, legal, view
from zashiki.core.game import Game
from zashiki.core.gears import rule
from zashiki.core.intrinsics import ones
from zashiki.core.layout import COMMON, SPECTATOR, Record, Records
from zashiki.core.masks import Mask, list_actions, words_for
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
    """The memory one search works in. `seen_words` is the memory of `seen`; a step of the path is its node, edge and seat.

    Where there is a `skill`, playing on and judging positions goes by it instead of the heuristic, and so do priors
    instead of a network.
    """

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
    skill: Skill


def new_desk(game: Game, skill: Skill = NO_SKILL) -> Desk:
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
        skill=skill,
    )


@rule
def list_legal(state: Record, seat: int, desk: Desk) -> int:
    """Lists a seat's legal actions on the desk, in order; tells how many."""
    legal(state, seat, desk.mask)
    return list_actions(desk.mask, desk.actions)


@rule
def node_of(state: Record, seat: int, root: int, tree: Tree, desk: Desk) -> int:
    """The node of what this seat is thought to know, made if it is new; FULL: there is no room."""
    view(state, root if seat == root else SPECTATOR, desk.seen[0])
    key = key_of(desk.seen_words, HIDDEN_WORDS, seat + 1)
    node = find(tree, key)
    return node if node >= 0 else add_node(tree, key, -1 - node)


@rule
def has_secrets(state: Record, seat: int, desk: Desk) -> bool:
    """Whether a seat sees anything that not everybody sees."""
    view(state, seat, desk.seen[0])
    own = key_of(desk.seen_words, HIDDEN_WORDS, 0)
    view(state, SPECTATOR, desk.seen[0])
    return bool(own != key_of(desk.seen_words, HIDDEN_WORDS, 0))


@rule
def set_priors(tree: Tree, desk: Desk, count: int) -> None:
    """Gives the edges of the legal actions the weights on the desk as priors, which add up to 1."""
    total = 0.0
    for i in range(count):
        total += desk.weights[i]
    for i in range(count):
        tree.edges[desk.places[i]].prior = desk.weights[i] / total


@rule
def select(state: Record, seat: int, tree: Tree, desk: Desk, count: int, rng: Words, explore: float) -> int:
    """Which of the legal actions is tried, as its place in the list."""
    return _select_mixed(tree, desk, count, rng) if mixed(state, seat) else _select_best(tree, desk, count, explore)


@rule
def _select_best(tree: Tree, desk: Desk, count: int, explore: float) -> int:
    """Which of the legal actions is tried, as its place in the list: by worth and prior. Tries under way count as made."""
    visits, home = 0, 0
    total = 0.0
    for i in range(count):
        edge = tree.edges[desk.places[i]]
        visits += edge.visits
        home += edge.visits - edge.under_way
        total += (edge.visits - edge.under_way) * edge.worth
    untried = total / home - UNTRIED if home > 0 else 0.0
    scale = explore * sqrt(visits + 1.0)
    best = 0
    most = -1e9
    for i in range(count):
        edge = tree.edges[desk.places[i]]
        worth = edge.worth if edge.visits > edge.under_way else untried
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
    return draw(desk.chances, count, 1.0, rng)


@rule
def draw(weights: Weights, count: int, total: float, rng: Words) -> int:
    """A place drawn in proportion to the weights."""
    left = roll_word(rng) / 4294967296.0 * total
    for i in range(count - 1):
        left -= weights[i]
        if left < 0:
            return i
    return count - 1


@rule
def share_victory(state: Record, worth: Worth) -> None:
    """Writes each seat's share of the victory in a match that is over."""
    winners = int(state.winners)
    for seat in range(int(state.seats)):
        worth[seat] = ((winners >> seat) & 1) / ones(winners)


@rule
def is_mixed(views: Records, seat: int) -> bool:
    """Whether a seat's decision is made at the same time as others'."""
    return mixed(views[0], seat)

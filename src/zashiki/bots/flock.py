"""The search of the masters: several walks at once down one tree, with a learned network for priors and for the worth at the end.

Walks go on side by side until each needs the network, which then answers all of them in one batch. A walk ends where it comes to
a node nobody has been at, or with the match. While it is under way its actions count as tried, so that the others of its flock
look elsewhere. A seat's priors come from its own view of the deal of that walk; so does the worth at the end, for all seats but
the root's, which judges for itself where it has secrets. Both are learned, or in part what the game's heuristic thinks: of each
action, and of what comes of the walk if it is played on. Where there is a skill, priors are what that thinks, and the network is
asked for worth alone. Where others choose at the same time as the root's seat and somebody has thought about what they will do,
they do that.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from zashiki.bots.foresight import choose_as_foreseen
from zashiki.bots.network import Network, Sheet, add_sense, forward, new_sheet, read_policy, read_worth, want
from zashiki.bots.nodes import (
    MOST_SEATS,
    PATH,
    Desk,
    draw,
    has_secrets,
    list_legal,
    new_desk,
    node_of,
    select,
    set_priors,
    share_victory,
)
from zashiki.bots.search import judge, play_out
from zashiki.bots.sense import (
    ALWAYS,
    NO_SKILL,
    Skill,
    Taste,
    Weights,
    chapter,
    imagine,
    weigh,
    weigh_beside_heaviest,
    weigh_by_skill,
)
from zashiki.bots.tree import Tree, edge_of, has_edges, place_edges
from zashiki.core.contract import Options, apply, observe, redeal, to_act, view
from zashiki.core.game import Game
from zashiki.core.gears import rule
from zashiki.core.intrinsics import lowest, ones
from zashiki.core.layout import Record, Records
from zashiki.core.random import Words

WALKS = 8
"""Walks side by side."""
STEPS, SEAT, NODE, BLIND, ROW, TWICE = range(6)
"""What is kept of each walk: how far it is, who decides there and at which node, whether the last choice lies sealed, in which
row of the sheet it is answered, and whether the next row is what the root seat sees."""
NOBODY, HOME = -1, -2
"""Rows of a walk that waits for no answer, and of one that has ended."""


class Flock(NamedTuple):
    """The memory of walks side by side. A step of a path is its node, action and seat.

    `foreseen[seat, action]` is how likely a seat that chooses at the same time as the root's is to choose an action; all 0 where
    nobody has thought about it.
    """

    states: Records
    paths: Options
    at: Options
    worths: Weights
    foreseen: Weights
    desk: Desk
    sheet: Sheet


def new_flock(game: Game, network: Network, skill: Skill = NO_SKILL) -> Flock:
    """A flock for a game, whose policy is the skill if there is one."""
    return Flock(
        states=game.rules.STATE.new(WALKS),
        paths=np.zeros((WALKS, 3 * PATH), np.int64),
        at=np.zeros((WALKS, 6), np.int64),
        worths=np.zeros((WALKS, MOST_SEATS)),
        foreseen=np.zeros((MOST_SEATS, game.rules.ACTIONS)),
        desk=new_desk(game, skill),
        sheet=new_sheet(network, 2 * WALKS),
    )


@rule
def search(
    views: Records, seat: int, tree: Tree, flock: Flock, network: Network, rng: Words, iterations: int, taste: Taste
) -> None:
    """So many walks more. The root is the tree's first node."""
    for start in range(0, iterations, WALKS):
        count = min(WALKS, iterations - start)
        for walk in range(count):
            _set_out(views, seat, flock, walk, rng)
        rows = 1
        while rows > 0:
            rows = 0
            for walk in range(count):
                if flock.at[walk, ROW] != HOME:
                    rows += _go_on(seat, tree, flock, walk, rows, rng, taste)
            forward(network, flock.sheet, rows)
            for walk in range(count):
                if flock.at[walk, ROW] >= 0:
                    _hear(seat, tree, flock, walk, rng, taste)


@rule
def at_once(views: Records, root: int, states: Records, rng: Words) -> int:
    """A state that may be behind a view, and who chooses at the same time there, as bits."""
    redeal(views[0], root, rng, states[0])
    imagine(states[0], root, rng)
    seats = to_act(states[0])
    return seats & ~(1 << root) if (seats >> root) & 1 else 0


@rule
def _set_out(views: Records, root: int, flock: Flock, walk: int, rng: Words) -> None:
    redeal(views[0], root, rng, flock.states[walk])
    imagine(flock.states[walk], root, rng)
    choose_as_foreseen(flock.states[walk], root, flock.foreseen, rng)
    at = flock.at[walk]
    at[STEPS] = 0
    at[SEAT] = root
    at[BLIND] = 0
    at[ROW] = NOBODY


@rule
def _go_on(root: int, tree: Tree, flock: Flock, walk: int, row: int, rng: Words, taste: Taste) -> int:
    """Walks until the network is needed, which is asked from that row on: in how many rows; or to the end of the match: 0."""
    state, at, desk = flock.states[walk], flock.at[walk], flock.desk
    seats = to_act(state)
    while seats != 0:
        seat = root if at[STEPS] == 0 else lowest(seats)
        count = list_legal(state, seat, desk)
        if count == 1 and at[STEPS] > 0:
            at[BLIND] = ones(seats) > 1
            apply(state, seat, desk.actions[0])
        else:
            node = node_of(state, seat, root, tree, desk)
            at[SEAT] = seat
            at[NODE] = node
            fresh = node < 0 or tree.nodes[node].visits == 0
            last = at[STEPS] == PATH or (fresh and at[STEPS] > 0 and at[BLIND] == 0)
            known = _weigh(tree, node, state, seat, root, count, desk) if not last else False
            if not (known or fresh or last):
                known = _knows(tree, node, state, seat, root, count, desk, taste.asks)
            if not known:
                return _ask_for(root, flock, walk, row, count, last and taste.sides)
            _step(tree, flock, walk, count, rng, taste.explore)
        seats = to_act(state)
    share_victory(state, desk.worth)
    _come_home(tree, flock, walk)
    return 0


@rule
def _weigh(tree: Tree, node: int, state: Record, seat: int, root: int, count: int, desk: Desk) -> bool:
    """Finds the actions of a node and, by a skill, its priors, which needs no network; tells whether there is one, and room.

    Another's priors come from its cards in each deal; those of the root seat are the same at every visit.
    """
    if len(desk.skill.policy) == 0 or node < 0:
        return False
    fresh = tree.nodes[node].visits == 0
    if seat == root and not fresh:
        return has_edges(tree, node, desk.actions[:count], desk.places)
    if not place_edges(tree, node, desk.actions[:count], desk.places):
        return False
    weigh_by_skill(state, seat, desk.actions[:count], desk.weights, desk.skill.policy)
    set_priors(tree, desk, count)
    if fresh:
        tree.nodes[node].visits = 1
    return True


@rule
def _knows(tree: Tree, node: int, state: Record, seat: int, root: int, count: int, desk: Desk, asks: int) -> bool:
    """Whether the priors of a node stay; finds its actions then.

    Those of the root seat, and of one without secrets, are the same at every visit.
    """
    if seat != root and tree.nodes[node].visits < asks and has_secrets(state, seat, desk):
        return False
    return has_edges(tree, node, desk.actions[:count], desk.places)


@rule
def _ask_for(root: int, flock: Flock, walk: int, row: int, count: int, judging: bool) -> int:
    """Asks for whoever decides and, if the walk is to be judged, for the root seat too where it has secrets; tells the rows."""
    at, desk = flock.at[walk], flock.desk
    at[ROW] = row
    at[TWICE] = 0
    _ask(flock, walk, at[SEAT], row, count)
    if judging and at[SEAT] != root and has_secrets(flock.states[walk], root, desk):
        at[TWICE] = 1
        _ask(flock, walk, root, row + 1, 1)
        return 2
    return 1


@rule
def _ask(flock: Flock, walk: int, seat: int, row: int, count: int) -> None:
    """Puts what a seat sees, and what it may do, into a row."""
    desk, sheet = flock.desk, flock.sheet
    view(flock.states[walk], seat, desk.seen[0])
    observe(desk.seen[0], seat, sheet.observations[row])
    want(sheet, row, desk.actions, count)


@rule
def _hear(root: int, tree: Tree, flock: Flock, walk: int, rng: Words, taste: Taste) -> None:
    """Goes on by the priors in the answer, or home with its worth.

    A sealed choice is unknown to whoever decides next: a walk does not end before all have chosen.
    """
    state, at, desk = flock.states[walk], flock.at[walk], flock.desk
    seat, node, row = at[SEAT], at[NODE], at[ROW]
    at[ROW] = NOBODY
    count = list_legal(state, seat, desk)
    fresh = node >= 0 and tree.nodes[node].visits == 0
    known = node >= 0 and at[STEPS] < PATH and place_edges(tree, node, desk.actions[:count], desk.places)
    if known:
        _find_priors(flock, walk, row, count, taste)
        if taste.asks < ALWAYS and len(desk.skill.policy) == 0:
            _add_to_mean(tree, node, desk, count)
        set_priors(tree, desk, count)
        tree.nodes[node].visits += 1
    if known and (not fresh or at[STEPS] == 0 or at[BLIND] == 1):
        _step(tree, flock, walk, count, rng, taste.explore)
    else:
        _judge(root, flock, walk, row, rng, taste)
        _come_home(tree, flock, walk)


@rule
def _find_priors(flock: Flock, walk: int, row: int, count: int, taste: Taste) -> None:
    """Writes the weights of the legal actions: what a skill would do, or the network, and in part the heuristic."""
    desk = flock.desk
    _find_policy(flock, walk, row, count)
    if len(desk.skill.policy) > 0:
        return
    if taste.ease != 1:
        _ease(desk.weights, count, taste.ease)
    if taste.learned == 1:
        return
    weigh(flock.states[walk], flock.at[walk, SEAT], desk.actions[:count], desk.chances)
    _ease(desk.chances, count, 1.0)
    for i in range(count):
        desk.weights[i] = taste.learned * desk.weights[i] + (1 - taste.learned) * desk.chances[i]


@rule
def _find_policy(flock: Flock, walk: int, row: int, count: int) -> None:
    """Writes what the policy is: a skill, or the network's, which may be a heuristic's that it has changed."""
    desk = flock.desk
    if len(desk.skill.policy) > 0:
        weigh_by_skill(flock.states[walk], flock.at[walk, SEAT], desk.actions[:count], desk.weights, desk.skill.policy)
        _ease(desk.weights, count, 1.0)
        return
    read_policy(flock.sheet, row, desk.actions, count, desk.weights)
    if flock.sheet.sense > 0:
        weigh_beside_heaviest(flock.states[walk], flock.at[walk, SEAT], desk.actions[:count], desk.chances)
        add_sense(flock.sheet, desk.chances, count, desk.weights)


@rule
def _add_to_mean(tree: Tree, node: int, desk: Desk, count: int) -> None:
    """Makes of the weights on the desk their mean with what was found at a node before."""
    share = 1.0 / (tree.nodes[node].visits + 1)
    for i in range(count):
        prior = tree.edges[desk.places[i]].prior
        desk.weights[i] = prior + share * (desk.weights[i] - prior)


@rule
def _ease(weights: Weights, count: int, power: float) -> None:
    """Raises weights to a power, and makes them add up to 1."""
    total = 0.0
    for i in range(count):
        weights[i] = weights[i] ** power
        total += weights[i]
    for i in range(count):
        weights[i] /= total


@rule
def _judge(root: int, flock: Flock, walk: int, row: int, rng: Words, taste: Taste) -> None:
    """Writes what each seat has come to: what the network expects, and in part what comes of it if the heuristic plays on."""
    state, at, worth = flock.states[walk], flock.at[walk], flock.worths[walk]
    seats = int(state.seats)
    read_worth(flock.sheet, row, at[SEAT], seats, worth)
    if at[TWICE] == 1:
        read_worth(flock.sheet, row + 1, root, seats, flock.desk.worth)
        _trust_root(worth, float(flock.desk.worth[root]), root, seats)
    if taste.trust < 1:
        play_out(state, chapter(state), flock.desk, rng, taste.cut)
        judge(state, flock.desk)
        for seat in range(seats):
            worth[seat] = taste.trust * worth[seat] + (1 - taste.trust) * flock.desk.worth[seat]
    for seat in range(seats):
        flock.desk.worth[seat] = worth[seat]


@rule
def _trust_root(worth: Weights, own: float, root: int, seats: int) -> None:
    """Gives the root seat its own expectation, and the others what is left."""
    others = 1 - worth[root]
    for seat in range(seats):
        worth[seat] = own if seat == root else worth[seat] * (1 - own) / max(others, 1e-9)


@rule
def _step(tree: Tree, flock: Flock, walk: int, count: int, rng: Words, explore: float) -> None:
    """Tries an action, which is under way then."""
    state, at, desk = flock.states[walk], flock.at[walk], flock.desk
    i = select(state, at[SEAT], tree, desk, count, rng, explore)
    action = desk.actions[i]
    path, place = flock.paths[walk], 3 * at[STEPS]
    path[place], path[place + 1], path[place + 2] = at[NODE], action, at[SEAT]
    edge = tree.edges[desk.places[i]]
    edge.visits += 1
    edge.under_way += 1
    at[BLIND] = ones(to_act(state)) > 1
    apply(state, at[SEAT], action)
    at[STEPS] += 1


@rule
def _come_home(tree: Tree, flock: Flock, walk: int) -> None:
    """Tells every node on the way what came of it."""
    for step in range(flock.at[walk, STEPS]):
        node, action, seat = flock.paths[walk, 3 * step], flock.paths[walk, 3 * step + 1], flock.paths[walk, 3 * step + 2]
        # Others may have put edges before this one meanwhile.
        edge = tree.edges[edge_of(tree, node, action)]
        edge.under_way -= 1
        edge.worth += (flock.desk.worth[seat] - edge.worth) / (edge.visits - edge.under_way)
    flock.at[walk, ROW] = HOME


@rule
def look_ahead(
    views: Records, seat: int, actions: Options, times: int, flock: Flock, network: Network, rng: Words, chances: Weights
) -> None:
    """Writes what each action is worth to a seat: in so many deals, others going on by their policies until it decides again."""
    for i in range(len(actions)):
        chances[i] = 0
    for start in range(0, times * len(actions), WALKS):
        count = min(WALKS, times * len(actions) - start)
        for walk in range(count):
            _set_out(views, seat, flock, walk, rng)
            apply(flock.states[walk], seat, actions[(start + walk) // times])
        rows = 1
        while rows > 0:
            rows = 0
            for walk in range(count):
                if flock.at[walk, ROW] != HOME:
                    rows += _pass_on(seat, flock, walk, rows)
            forward(network, flock.sheet, rows)
            for walk in range(count):
                if flock.at[walk, ROW] >= 0:
                    _follow(seat, flock, walk, rng)
        for walk in range(count):
            chances[(start + walk) // times] += flock.worths[walk, seat] / times


@rule
def _pass_on(root: int, flock: Flock, walk: int, row: int) -> int:
    """Asks the network for whoever decides next: 1; or the match is over: 0."""
    state, at, desk = flock.states[walk], flock.at[walk], flock.desk
    seats = to_act(state)
    while seats != 0:
        at[SEAT] = lowest(seats)
        count = list_legal(state, at[SEAT], desk)
        if count > 1:
            return _ask_for(root, flock, walk, row, count, False)
        apply(state, at[SEAT], desk.actions[0])
        seats = to_act(state)
    share_victory(state, flock.worths[walk])
    at[ROW] = HOME
    return 0


@rule
def _follow(root: int, flock: Flock, walk: int, rng: Words) -> None:
    """Lets somebody else act by its policy; where the seat itself decides again, takes the worth."""
    state, at, desk = flock.states[walk], flock.at[walk], flock.desk
    if at[SEAT] == root or at[STEPS] == PATH:
        read_worth(flock.sheet, at[ROW], at[SEAT], int(state.seats), flock.worths[walk])
        at[ROW] = HOME
        return
    count = list_legal(state, at[SEAT], desk)
    _find_policy(flock, walk, at[ROW], count)
    apply(state, at[SEAT], desk.actions[draw(desk.weights, count, 1.0, rng)])
    at[STEPS] += 1
    at[ROW] = NOBODY

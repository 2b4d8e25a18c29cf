"""Monte-Carlo search over information sets, written once for all games.

Every iteration redeals what the root seat cannot know and walks down one tree. How a seat chooses among the actions it has in
this deal is weighed by the heuristic with its cards there, and where the tree ends the heuristic plays on. So nobody in the tree
acts on what is hidden from it. Each seat has its own worth, which serves any number of players. Where a game says so, choices
made at the same time are learned by regret matching, whose average is the mixture to play.
"""

from __future__ import annotations

from zashiki.bots.nodes import PATH, Desk, draw, list_legal, node_of, select, set_priors, share_victory
from zashiki.bots.sense import chapter, evaluate, evaluate_by_skill, imagine, weigh, weigh_by_skill
from zashiki.bots.tree import Tree, place_edges
from zashiki.core.contract import apply, redeal, scores, to_act
from zashiki.core.gears import rule
from zashiki.core.intrinsics import lowest
from zashiki.core.layout import Record, Records
from zashiki.core.random import Words


@rule
def search(views: Records, seat: int, tree: Tree, desk: Desk, rng: Words, iterations: int, cut: int, explore: float) -> None:
    """So many iterations more. The root is the tree's first node."""
    for _ in range(iterations):
        redeal(views[0], seat, rng, desk.states[0])
        imagine(desk.states[0], seat, rng)
        search_once(seat, tree, desk, rng, cut, explore)


@rule
def search_once(seat: int, tree: Tree, desk: Desk, rng: Words, cut: int, explore: float) -> None:
    """One iteration, from the state on the desk."""
    state = desk.states[0]
    began = chapter(state)
    steps = _walk(state, seat, tree, desk, rng, explore)
    play_out(state, began, desk, rng, cut)
    judge(state, desk)
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
            node = node_of(state, seat, root, tree, desk)
            fresh = node >= 0 and tree.nodes[node].visits == 0
            if node < 0 or not _look(state, seat, root, tree, desk, node, count):
                break
            i = select(state, seat, tree, desk, count, rng, explore)
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
    set_priors(tree, desk, count)
    return True


@rule
def play_out(state: Record, began: int, desk: Desk, rng: Words, cut: int) -> None:
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
    _weigh(state, seat, desk, count)
    total = 0.0
    for i in range(count):
        total += desk.weights[i]
    return int(desk.actions[draw(desk.weights, count, total, rng)])


@rule
def _weigh(state: Record, seat: int, desk: Desk, count: int) -> None:
    """Weighs the actions on the desk by the skill, or without one as the heuristic does."""
    if len(desk.skill.policy) > 0:
        weigh_by_skill(state, seat, desk.actions[:count], desk.weights, desk.skill.policy)
    else:
        weigh(state, seat, desk.actions[:count], desk.weights)


@rule
def judge(state: Record, desk: Desk) -> None:
    """What the walk came to for each seat: its share of the victory, and its points."""
    scores(state, desk.table)
    if state.winners != 0:
        share_victory(state, desk.worth)
    elif len(desk.skill.hopes) > 0:
        evaluate_by_skill(state, desk.worth, desk.skill.hopes)
    else:
        evaluate(state, desk.worth)


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

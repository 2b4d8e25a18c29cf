"""Kohoju practised deal by deal: self-play in which a policy over traits learns from the points that its choices brought.

A deal is judged for itself: what a seat scored more than the others on average. How far that was to be hoped for at each of its
decisions, all cards known, is no merit of the choice and is taken off; so what is learned of is less chance.
"""

from __future__ import annotations

from math import log
from typing import NamedTuple

import numpy as np

from zashiki.bots.kohoju.guesses import guess_row
from zashiki.bots.kohoju.hopes import HOPES, hope
from zashiki.bots.kohoju.sight import LINES, laid, look
from zashiki.bots.kohoju.skilled import SITUATIONS, dot, expected, hopes_row, situation, soften, weigh_by_skill
from zashiki.bots.kohoju.traits import MOST_TRAITS, OFFSETS, SIZES, TRAITS, describe
from zashiki.bots.nodes import MOST_SEATS, draw
from zashiki.bots.sense import Weights, weigh
from zashiki.core.contract import Options, apply, deal, legal, redeal, view
from zashiki.core.gears import rule
from zashiki.core.intrinsics import scratch
from zashiki.core.layout import Record, Records
from zashiki.core.masks import Mask, list_actions, words_for
from zashiki.core.random import Words, roll_word, seed_roller
from zashiki.games.kohoju.cards import KINDS
from zashiki.games.kohoju.rules import ACTIONS, FINISHED_BONUS, OVER, STATE

LEARNER, OTHER, HEURISTIC = 0, 1, -1
"""Who may sit in a seat: who learns, another policy, or the heuristic."""
LONGEST = 1_200
"""Decisions of a deal that are learned from."""
MOST_CHOICES = 70
"""Legal actions of a decision, at most."""
FAR = 500
"""The target of matches whose deals are practised: no deal decides them."""
NOTED = 8_000
"""Positions of a deal, seen from each seat, that hopes are learned from."""
NOTING = 0.3
"""The share of decisions at which hands are noted."""

_HOPES = len(HOPES)


class Room(NamedTuple):
    """A match under way, and the memory that practising in it needs."""

    states: Records
    rng: Words
    mask: Mask
    actions: Options
    weights: Weights
    traits: Weights
    sorts: Options
    merits: Weights
    turns: Options
    hopes: Weights
    notes: Weights


def new_room(seats: int, seed: int, target: int = FAR) -> Room:
    """A room where a match of so many seats begins."""
    room = Room(
        states=STATE.new(1),
        rng=np.zeros(4, np.uint32),
        mask=np.zeros(words_for(ACTIONS), np.uint32),
        actions=np.zeros(ACTIONS, np.int64),
        weights=np.zeros(ACTIONS),
        traits=np.zeros((MOST_CHOICES, MOST_TRAITS)),
        sorts=np.zeros(MOST_CHOICES, np.int64),
        merits=np.zeros((LONGEST, TRAITS)),
        turns=np.zeros((NOTED, 3), np.int64),
        hopes=np.zeros((LONGEST, MOST_SEATS)),
        notes=np.zeros((NOTED, _HOPES + 1)),
    )
    seed_roller(room.rng, seed)
    deal_anew(room, seats, target)
    return room


@rule
def deal_anew(room: Room, seats: int, target: int) -> None:
    """A new match, from the room's random numbers."""
    seed, options = scratch(8, np.uint32), scratch(1, np.int64)
    for i in range(8):
        seed[i] = roll_word(room.rng)
    options[0] = target
    deal(room.states[0], seats, options, seed)


@rule
def practise(room: Room, deals: int, policies: Weights, who: Options, hopes: Weights, trace: float, lesson: Weights) -> int:
    """Plays so many deals and adds to the lesson what the learner's choices brought; tells how many decisions it made.

    The lesson has a row for every situation, and one more that begins with the sum of the squares of what was not hoped for and
    the sum of the entropies of its policy.
    """
    state, decisions = room.states[0], 0
    for _ in range(deals):
        began, steps = state.deal_number, 0
        while state.deal_number == began and state.phase != OVER:
            seat = int(state.active)
            legal(state, seat, room.mask)
            count = list_actions(room.mask, room.actions)
            chosen = 0
            if count > 1 and who[seat] == LEARNER and steps < LONGEST:
                chosen = _decide(room, seat, count, policies[LEARNER], steps, lesson)
                _note_hopes(state, hopes, room.hopes[steps])
                steps += 1
            elif count > 1:
                chosen = choose(room, seat, count, policies, int(who[seat]), False)
            apply(state, seat, room.actions[chosen])
        _learn(room, steps, trace, lesson)
        decisions += steps
        if state.phase == OVER:
            deal_anew(room, int(state.seats), int(state.target))
    return decisions


@rule
def _decide(room: Room, seat: int, count: int, policy: Weights, step: int, lesson: Weights) -> int:
    """Draws an action, and notes how it differs from what the policy does on average."""
    best, cards, unseen = scratch(KINDS, np.int64), scratch(KINDS, np.int64), scratch(KINDS, np.int64)
    lines = scratch(LINES, np.float64)
    state = room.states[0]
    sight = look(state, seat, best, cards, lines, unseen)
    row = situation(sight)
    for i in range(count):
        sort = describe(state, sight, room.actions[i], room.traits[i])
        room.sorts[i] = sort
        room.weights[i] = dot(room.traits[i], policy[row, int(OFFSETS[sort]) :], int(SIZES[sort]))
    soften(room.weights, count)
    chosen = draw(room.weights, count, 1.0, room.rng)
    merit = room.merits[step]
    merit[:] = 0
    for i in range(count):
        share = (1.0 if i == chosen else 0.0) - room.weights[i]
        sort = int(room.sorts[i])
        start = int(OFFSETS[sort])
        for k in range(int(SIZES[sort])):
            merit[start + k] += share * room.traits[i, k]
        lesson[SITUATIONS, 1] -= room.weights[i] * log(max(room.weights[i], 1e-12))
    room.turns[step, 0] = seat
    room.turns[step, 1] = row
    return chosen


@rule
def _note_hopes(state: Record, hopes: Weights, noted: Weights) -> None:
    """What each seat is hoped to score more than the others on average."""
    for seat in range(int(state.seats)):
        noted[seat] = expected(state, seat, hopes)
    _compare(noted, int(state.seats))


@rule
def _compare(points: Weights, seats: int) -> None:
    """Makes of each seat's points how many more they are than the others' on average."""
    total = 0.0
    for seat in range(seats):
        total += points[seat]
    for seat in range(seats):
        points[seat] = (points[seat] * seats - total) / (seats - 1)


@rule
def _learn(room: Room, steps: int, trace: float, lesson: Weights) -> None:
    """Adds each choice's merit, times what came of it beyond what was hoped for then: the nearer, the more it counts."""
    state = room.states[0]
    seats = int(state.seats)
    came, after = scratch(MOST_SEATS, np.float64), scratch(MOST_SEATS, np.float64)
    for seat in range(seats):
        came[seat] = scored(state, seat)
    _compare(came, seats)
    for seat in range(seats):
        after[seat] = came[seat]
    for step in range(steps - 1, -1, -1):
        for seat in range(seats):
            came[seat] = trace * came[seat] + (1 - trace) * after[seat]
            after[seat] = room.hopes[step, seat]
        seat, row = int(room.turns[step, 0]), int(room.turns[step, 1])
        beyond = came[seat] - room.hopes[step, seat]
        lesson[SITUATIONS, 0] += beyond * beyond
        for k in range(TRAITS):
            lesson[row, k] += beyond * room.merits[step, k]


@rule
def scored(state: Record, seat: int) -> float:
    """What the last deal brought a seat."""
    return float(state.last_laid[seat]) + FINISHED_BONUS * int(state.last_finished[seat]) - int(state.last_hand[seat])


@rule
def choose(room: Room, seat: int, count: int, policies: Weights, who: int, surely: bool) -> int:
    """The place of an action as another policy or the heuristic draws it, or `surely` takes what it likes best."""
    if who == HEURISTIC:
        weigh(room.states[0], seat, room.actions[:count], room.weights)
    else:
        weigh_by_skill(room.states[0], seat, room.actions[:count], room.weights, policies[who])
    total, likeliest = 0.0, 0
    for i in range(count):
        total += room.weights[i]
        if room.weights[i] > room.weights[likeliest]:
            likeliest = i
    return likeliest if surely else draw(room.weights, count, total, room.rng)


@rule
def note_positions(room: Room, deals: int, policies: Weights, products: Weights, results: Weights) -> float:
    """Adds up, by situation, what least squares needs to learn hopes from so many deals of self-play; tells the positions."""
    state, positions = room.states[0], 0
    for _ in range(deals):
        began, noted = state.deal_number, 0
        while state.deal_number == began and state.phase != OVER:
            seat = int(state.active)
            for other in range(int(state.seats)):
                if noted < NOTED:
                    room.turns[noted, 0] = other
                    room.turns[noted, 1] = hopes_row(state, hope(state, other, room.notes[noted, :_HOPES]))
                    room.notes[noted, _HOPES] = laid(state, other)
                    noted += 1
            legal(state, seat, room.mask)
            count = list_actions(room.mask, room.actions)
            chosen = choose(room, seat, count, policies, LEARNER, False) if count > 1 else 0
            apply(state, seat, room.actions[chosen])
        for i in range(noted):
            note, row = room.notes[i], int(room.turns[i, 1])
            came = scored(state, int(room.turns[i, 0])) - note[_HOPES]
            for k in range(_HOPES):
                if note[k] != 0:
                    results[row, k] += note[k] * came
                    for j in range(_HOPES):
                        products[row, k, j] += note[k] * note[j]
        positions += noted
        if state.phase == OVER:
            deal_anew(room, int(state.seats), int(state.target))
    return float(positions)


@rule
def note_hands(
    room: Room, policies: Weights, who: Options, imagined: Records, held: Weights, dealt: Weights, rows: Options
) -> None:
    """Plays on until so many hands are noted as there are rows: how they are held, and how they would be if dealt by chance.

    `imagined` is room for a view and a deal. Where each seat decides, now and then, it imagines the hands of all the others.
    """
    state, noted = room.states[0], 0
    while noted < len(rows):
        seat = int(state.active)
        if roll_word(room.rng) / 4294967296.0 < NOTING:
            view(state, seat, imagined[0])
            redeal(imagined[0], seat, room.rng, imagined[1])
            for other in range(int(state.seats)):
                if other != seat and noted < len(rows):
                    hope(state, other, held[noted])
                    hope(imagined[1], other, dealt[noted])
                    rows[noted] = guess_row(state, other)
                    noted += 1
        legal(state, seat, room.mask)
        count = list_actions(room.mask, room.actions)
        chosen = choose(room, seat, count, policies, int(who[seat]), False) if count > 1 else 0
        apply(state, seat, room.actions[chosen])
        if state.phase == OVER:
            deal_anew(room, int(state.seats), int(state.target))


@rule
def compete(room: Room, matches: int, policies: Weights, who: Options, surely: bool, won: Weights) -> None:
    """Plays so many matches, and adds each seat's share of the victory in them."""
    state = room.states[0]
    seats, target = int(state.seats), int(state.target)
    for _ in range(matches):
        deal_anew(room, seats, target)
        while state.phase != OVER:
            seat = int(state.active)
            legal(state, seat, room.mask)
            count = list_actions(room.mask, room.actions)
            chosen = choose(room, seat, count, policies, int(who[seat]), surely) if count > 1 else 0
            apply(state, seat, room.actions[chosen])
        winners = 0
        for seat in range(seats):
            winners += (int(state.winners) >> seat) & 1
        for seat in range(seats):
            won[seat] += ((int(state.winners) >> seat) & 1) / winners

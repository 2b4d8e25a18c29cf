"""Skills are practised chapter by chapter: self-play in which a policy over traits learns from the points its choices brought.

A chapter (a deal of Kohoju, a round of Kawaii) is judged for itself: what a seat scored more than the others on average. How far
that was to be hoped for at each of its decisions, all cards known, is no merit of the choice and is taken off; so what is learned
of is less chance.
"""

from __future__ import annotations

from math import log
from typing import Any, NamedTuple

import numpy as np

from zashiki.bots.nodes import MOST_SEATS, draw, share_victory
from zashiki.bots.sense import Spans, Weights, chapter, describe, gained, hope, mixed, scored, weigh, weigh_by_skill
from zashiki.bots.skills import dot, form_of, soften
from zashiki.core.contract import Options, apply, deal, legal, to_act
from zashiki.core.game import Game
from zashiki.core.gears import rule
from zashiki.core.intrinsics import lowest, scratch
from zashiki.core.layout import Record, Records
from zashiki.core.masks import Mask, list_actions, words_for
from zashiki.core.random import Words, roll_word, seed_roller

LEARNER, OTHER, HEURISTIC = 0, 1, -1
"""Who may sit in a seat: who learns, another policy, or the heuristic."""
LONGEST = 1_200
"""Decisions of a chapter that are learned from."""
NOTED = 8_000
"""Positions of a chapter, seen from each seat, that hopes are learned from."""


class Room(NamedTuple):
    """A match under way, and the memory that practising in it needs."""

    states: Records
    options: Options
    rng: Words
    mask: Mask
    actions: Options
    weights: Weights
    traits: Weights
    spans: Spans
    merits: Weights
    turns: Options
    hopes: Weights
    notes: Weights


def new_room(game: Game, seats: int, seed: int, options: dict[str, Any] | None = None) -> Room:
    """A room where a match of so many begins; with other options than those that are practised, if some are given."""
    form, rules = form_of(game), game.rules
    room = Room(
        states=rules.STATE.new(1),
        options=game.option_numbers(form.practised if options is None else options),
        rng=np.zeros(4, np.uint32),
        mask=np.zeros(words_for(rules.ACTIONS), np.uint32),
        actions=np.zeros(rules.ACTIONS, np.int64),
        weights=np.zeros(rules.ACTIONS),
        traits=np.zeros((form.choices, form.widest)),
        spans=np.zeros((form.choices, 2), np.int64),
        merits=np.zeros((LONGEST, form.traits)),
        turns=np.zeros((NOTED, 2), np.int64),
        hopes=np.zeros((LONGEST, MOST_SEATS)),
        notes=np.zeros((NOTED, form.hopes + 1)),
    )
    seed_roller(room.rng, seed)
    deal_anew(room, seats)
    return room


@rule
def deal_anew(room: Room, seats: int) -> None:
    """A new match, from the room's random numbers."""
    seed = scratch(8, np.uint32)
    for i in range(8):
        seed[i] = roll_word(room.rng)
    deal(room.states[0], seats, room.options, seed)


@rule
def practise(
    room: Room, chapters: int, policies: Weights, who: Options, keen: bool, hopes: Weights, trace: float, lesson: Weights
) -> int:
    """Plays so many chapters and adds to the lesson what the learner's choices brought; tells how many decisions it made.

    `keen`: the heuristic does what it likes best, instead of drawing. The lesson has a row for every situation, and one more that
    begins with the sum of the squares of what was not hoped for and the sum of the entropies of its policy.
    """
    state, decisions = room.states[0], 0
    for _ in range(chapters):
        began, steps = chapter(state), 0
        while to_act(state) != 0 and chapter(state) == began:
            seat = lowest(to_act(state))
            legal(state, seat, room.mask)
            count = list_actions(room.mask, room.actions)
            chosen, row = 0, -1
            if count > 1 and who[seat] == LEARNER and steps < LONGEST:
                row = describe(state, seat, room.actions[:count], room.traits, room.spans)
            if row >= 0:
                chosen = _decide(room, count, policies[LEARNER, row], steps, lesson)
                room.turns[steps, 0] = seat
                room.turns[steps, 1] = row
                _note_hopes(state, hopes, room.notes[0], room.hopes[steps])
                steps += 1
            elif count > 1:
                chosen = choose(room, seat, count, policies, int(who[seat]), keen and who[seat] == HEURISTIC)
            apply(state, seat, room.actions[chosen])
        _learn(room, steps, trace, lesson)
        decisions += steps
        if to_act(state) == 0:
            deal_anew(room, int(state.seats))
    return decisions


@rule
def _decide(room: Room, count: int, policy: Weights, step: int, lesson: Weights) -> int:
    """Draws one of the actions that have been described, and notes how it differs from what the policy does on average."""
    for i in range(count):
        room.weights[i] = dot(room.traits[i], policy[room.spans[i, 0] :], int(room.spans[i, 1]))
    soften(room.weights, count)
    chosen = draw(room.weights, count, 1.0, room.rng)
    merit, last = room.merits[step], lesson.shape[0] - 1
    merit[:] = 0
    for i in range(count):
        share = (1.0 if i == chosen else 0.0) - room.weights[i]
        start = int(room.spans[i, 0])
        for k in range(int(room.spans[i, 1])):
            merit[start + k] += share * room.traits[i, k]
        lesson[last, 1] -= room.weights[i] * log(max(room.weights[i], 1e-12))
    return chosen


@rule
def _note_hopes(state: Record, hopes: Weights, looked_at: Weights, noted: Weights) -> None:
    """What each seat is hoped to score more than the others on average."""
    for seat in range(int(state.seats)):
        noted[seat] = expected(state, seat, hopes, looked_at)
    _compare(noted, int(state.seats))


@rule
def expected(state: Record, seat: int, hopes: Weights, looked_at: Weights) -> float:
    """The points that a seat will have from this chapter; what it may look forward to is written down."""
    row = hope(state, seat, looked_at[: hopes.shape[1]])
    return gained(state, seat) + dot(looked_at, hopes[row], hopes.shape[1])


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
    state, last = room.states[0], lesson.shape[0] - 1
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
        lesson[last, 0] += beyond * beyond
        for k in range(lesson.shape[1]):
            lesson[row, k] += beyond * room.merits[step, k]


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
    settled = surely and not mixed(room.states[0], seat)
    return likeliest if settled else draw(room.weights, count, total, room.rng)


@rule
def note_positions(room: Room, chapters: int, policies: Weights, products: Weights, results: Weights) -> float:
    """Adds up, by situation, what least squares needs to learn hopes from so much self-play; tells the positions."""
    state, positions, size = room.states[0], 0, results.shape[1]
    for _ in range(chapters):
        began, noted = chapter(state), 0
        while to_act(state) != 0 and chapter(state) == began:
            seat = lowest(to_act(state))
            for other in range(int(state.seats)):
                if noted < NOTED:
                    room.turns[noted, 0] = other
                    room.turns[noted, 1] = hope(state, other, room.notes[noted, :size])
                    room.notes[noted, size] = gained(state, other)
                    noted += 1
            legal(state, seat, room.mask)
            count = list_actions(room.mask, room.actions)
            chosen = choose(room, seat, count, policies, LEARNER, False) if count > 1 else 0
            apply(state, seat, room.actions[chosen])
        for i in range(noted):
            note, row = room.notes[i], int(room.turns[i, 1])
            came = scored(state, int(room.turns[i, 0])) - note[size]
            for k in range(size):
                if note[k] != 0:
                    results[row, k] += note[k] * came
                    for j in range(size):
                        products[row, k, j] += note[k] * note[j]
        positions += noted
        if to_act(state) == 0:
            deal_anew(room, int(state.seats))
    return float(positions)


@rule
def compete(room: Room, matches: int, policies: Weights, who: Options, surely: bool, won: Weights) -> None:
    """Plays so many matches, and adds each seat's share of the victory in them."""
    state = room.states[0]
    seats = int(state.seats)
    for _ in range(matches):
        deal_anew(room, seats)
        while to_act(state) != 0:
            seat = lowest(to_act(state))
            legal(state, seat, room.mask)
            count = list_actions(room.mask, room.actions)
            chosen = choose(room, seat, count, policies, int(who[seat]), surely) if count > 1 else 0
            apply(state, seat, room.actions[chosen])
        share_victory(state, room.hopes[0])
        for seat in range(seats):
            won[seat] += room.hopes[0, seat]

"""Learning which hands are held in Kohoju: they are told from hands that a dealer would give."""

from __future__ import annotations

import numpy as np

from zashiki.bots.kohoju.guesses import GUESSES
from zashiki.bots.kohoju.hands import note_hands
from zashiki.bots.kohoju.hopes import HOPES
from zashiki.bots.kohoju.learned import FORM
from zashiki.bots.practice import HEURISTIC, LEARNER, new_room
from zashiki.bots.sense import Weights
from zashiki.core.game import Game
from zashiki.games.kohoju.rules import STATE

PLAIN = 5.0
"""How much guesses are held to none, in hands."""
NEWTON = 12
"""Steps in which guesses are fitted."""
FEWEST_HANDS = 50
"""Of fewer nothing is learned."""
NOTHING = np.zeros((GUESSES, len(HOPES)))
"""Every hand is as likely as it is dealt."""


def guess(game: Game, hands: int, policy: Weights, seed: int, seats: int) -> Weights:
    """How players come to hold other hands than a dealer would give them, at a table of so many.

    Every other of them plays as the heuristic does: guesses must not be wrong about those who do not play by this policy.
    """
    held, dealt, rows = np.zeros((hands, len(HOPES))), np.zeros((hands, len(HOPES))), np.zeros(hands, np.int64)
    room, policies = new_room(game, seats, 1_000 * seed + 900 + seats, {}), FORM.spread(policy, seats)[None]
    who = np.where(np.arange(seats) % 2 == 0, LEARNER, HEURISTIC)
    note_hands(room, policies, who, STATE.new(2), held, dealt, rows)
    return np.stack([told_apart((held - dealt)[rows == row]) for row in range(GUESSES)])


def told_apart(differences: Weights) -> Weights:
    """Weights by which hands that are held are told from others: a logistic fit to what is different about them."""
    size = differences.shape[1]
    weights = np.zeros(size)
    if len(differences) < FEWEST_HANDS:
        return weights
    for _ in range(NEWTON):
        chances = 1 / (1 + np.exp(-differences @ weights))
        bend = (differences * (chances * (1 - chances))[:, None]).T @ differences + PLAIN * np.eye(size)
        weights = weights + np.linalg.solve(bend, differences.T @ (1 - chances) - PLAIN * weights)
    return weights

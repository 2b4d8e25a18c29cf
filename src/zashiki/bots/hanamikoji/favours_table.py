"""Makes the table of what favours are worth: `python -m zashiki.bots.hanamikoji.favours_table`.

It plays rounds from every way the favours can lie, both players by the heuristic, and works out the chances from where those
rounds lead. The heuristic goes by the stakes itself, so a second run can differ a little from the first.
"""

from __future__ import annotations

import sys

import numpy as np
import numpy.typing as npt

from zashiki.bots.hanamikoji.favours import CHANCES, ROUNDS_AHEAD, STAKES, WAYS, Chances, way_of
from zashiki.bots.nodes import Desk, new_desk
from zashiki.bots.search import sensible_action
from zashiki.core.contract import Options, apply, deal, to_act
from zashiki.core.gears import rule
from zashiki.core.intrinsics import lowest
from zashiki.core.random import Words, roll_word, seed_roller
from zashiki.games.hanamikoji import GAME
from zashiki.games.hanamikoji.cards import CHARM
from zashiki.games.hanamikoji.rules import CHARM_TO_WIN, GEISHA, GEISHA_TO_WIN, NOBODY

ROUNDS_PLAYED = 4000
MANY = 20

Ways = npt.NDArray[np.int64]


def make(seed: int) -> tuple[Chances, Chances]:
    """The chances and the stakes."""
    decided = np.array([_decided(way) for way in range(WAYS)])
    led_to = _play_from(np.flatnonzero(np.isnan(decided)), seed)
    chances = np.array([_by_charm(way) for way in range(WAYS)])
    rows = []
    for _ in range(MANY):
        chances = np.where(np.isnan(decided), chances, decided)
        rows.append(chances)
        chances = decided.copy()
        # Whoever starts the coming round does not start the one after.
        chances[np.isnan(decided)] = 1 - rows[-1][led_to].mean(1)
    return np.array([*rows[:ROUNDS_AHEAD], rows[-1]], np.float32), _stakes(led_to, np.flatnonzero(np.isnan(decided)), rows)


def _stakes(led_to: Ways, ways: Ways, rows: list[npt.NDArray[np.float64]]) -> Chances:
    """By whether it is the last round, way before it and geisha: what her favour decides, the others' as rounds lead to."""
    stakes = np.zeros((2, WAYS, GEISHA), np.float32)
    for geisha in range(GEISHA):
        digit = 3**geisha
        rest = led_to - led_to // digit % 3 * digit
        for last, row in enumerate((rows[-1], rows[0])):
            stakes[last, ways, geisha] = (row[rest] - row[rest + digit]).mean(1)
    return stakes


def _play_from(ways: Ways, seed: int) -> Ways:
    """Where rounds from each of these ways lead, seen by whoever starts the next."""
    rng: Words = np.zeros(4, np.uint32)
    seed_roller(rng, seed)
    led_to = np.zeros((len(ways), ROUNDS_PLAYED), np.int64)
    desk, options = new_desk(GAME), np.array([MANY], np.int64)
    for place, way in enumerate(ways):
        _play_rounds(desk, np.array(_digits(int(way)), np.int64), options, rng, led_to[place])
    return led_to


@rule
def _play_rounds(desk: Desk, owners: Options, options: Options, rng: Words, led_to: Ways) -> None:
    state = desk.states[0]
    seed = np.zeros(4, np.uint32)
    for i in range(len(led_to)):
        for word in range(4):
            seed[word] = roll_word(rng)
        deal(state, 2, options, seed)
        starter = int(state.starter)
        for geisha in range(GEISHA):
            state.markers[geisha] = NOBODY if owners[geisha] == NOBODY else owners[geisha] ^ starter
        while state.round_number == 1 and to_act(state) != 0:
            seat = lowest(to_act(state))
            apply(state, seat, sensible_action(state, seat, desk, rng))
        led_to[i] = way_of(state.markers, 1 - starter)


def _digits(way: int) -> list[int]:
    return [way // 3**geisha % 3 for geisha in range(GEISHA)]


def _decided(way: int) -> float:
    """The starter's chance where the match is decided before the last round, else not a number."""
    owners = _digits(way)
    charm = [sum(CHARM[geisha] for geisha in range(GEISHA) if owners[geisha] == side) for side in range(2)]
    favours = [owners.count(side) for side in range(2)]
    for side in range(2):
        if charm[side] >= CHARM_TO_WIN or (favours[side] >= GEISHA_TO_WIN and charm[1 - side] < CHARM_TO_WIN):
            return 1.0 - side
    return float("nan")


def _by_charm(way: int) -> float:
    """The same after the last round."""
    owners = _digits(way)
    held = [[CHARM[geisha] for geisha in range(GEISHA) if owners[geisha] == side] for side in range(2)]
    first, second = ((sum(charms), max(charms, default=0)) for charms in held)
    return 0.5 if first == second else float(first > second)


if __name__ == "__main__":
    for file, table in zip((CHANCES, STAKES), make(int(sys.argv[1]) if len(sys.argv) > 1 else 1), strict=True):
        np.save(file, table)

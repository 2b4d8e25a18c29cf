"""Going back to a decision, and taking another action there."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pytest

from tests.conformance.walks import SLOW
from zashiki.core.batch import Batch
from zashiki.core.hindsight import ENDED, GOES_ON, UNKNOWN, Hindsight
from zashiki.games import GAMES

COUNT = 4 if SLOW else 40
STEPS = 8 if SLOW else 40
AT_ONCE = ("kimono", "kawaii")
"""Games in which several choose at the same time: a trial looks at what comes when all have, a batch asks the next."""
OPTIONS = {"kohoju": {"target": 10}, "hanamikoji": {"rounds": 1}}


class Step(NamedTuple):
    """What was open at a step, what was done, and whether matches ended with it."""

    acting: npt.NDArray[np.int8]
    legal: npt.NDArray[np.bool_]
    actions: npt.NDArray[np.int64]
    seen: npt.NDArray[np.float32]
    done: npt.NDArray[np.bool_]
    results: npt.NDArray[np.float32]


def played(game: str, *, own: bool, seats: int | None = None) -> tuple[Hindsight, list[Step]]:
    """Some steps at random, all of them kept, and a last one that is only looked at."""
    batch = Batch(game, COUNT, seats, options=OPTIONS.get(game), seeds=range(COUNT))
    look, steps = Hindsight(batch, COUNT, STEPS, COUNT, own=own), []
    for step in range(STEPS + 1):
        actions = np.array(batch.random_actions(), np.int64)
        before = (batch.acting.copy(), batch.legal.copy(), actions, batch.observe().copy())
        if step < STEPS:
            look.keep(step, actions)
        batch.step(actions)
        steps.append(Step(*before, batch.done.copy(), batch.results.copy()))
    return look, steps


@pytest.mark.parametrize("own", [True, False])
@pytest.mark.parametrize("game", GAMES)
def test_the_action_that_was_taken_leads_to_what_really_came(game: str, own: bool) -> None:
    look, steps = played(game, own=own)
    same = 0
    for step in range(STEPS):
        now, following = steps[step], steps[step + 1]
        look.look_back(np.arange(COUNT) + step * COUNT, now.actions)
        for match in range(COUNT):
            if look.ends[match] == ENDED:
                end = next(later for later in steps[step:] if later.done[match])
                assert np.array_equal(look.results[match], end.results[match])
            elif look.ends[match] == GOES_ON and look.watching[match] == following.acting[match] and not now.done[match]:
                seen = np.array_equal(look.observations[match], following.seen[match])
                assert seen or game in AT_ONCE
                same += seen
            assert not own or look.ends[match] != GOES_ON or look.watching[match] == now.acting[match]
    assert same >= COUNT


def test_another_action_leads_elsewhere() -> None:
    look, steps = played("kasane", own=True)
    now = steps[0]
    choices = [np.flatnonzero(row) for row in now.legal]
    others = np.array(
        [next(action for action in row if action != taken) for row, taken in zip(choices, now.actions, strict=True)]
    )
    look.look_back(np.arange(COUNT), now.actions)
    taken = look.observations.copy()
    look.look_back(np.arange(COUNT), others)
    assert (taken != look.observations).any(axis=1).all()


def test_what_others_chose_at_the_same_time_stays_as_it_was() -> None:
    """Everybody answers; whoever's answer is tried again, what comes is what came when all answers were in."""
    look, steps = played("kawaii", own=False, seats=3)
    found = 0
    for step in range(STEPS - 3):
        look.look_back(np.arange(COUNT) + step * COUNT, steps[step].actions)
        for match in np.flatnonzero(look.ends == GOES_ON):
            following = [later.seen[match] for later in steps[step + 1 : step + 4]]
            found += any(np.array_equal(look.observations[match], seen) for seen in following)
    assert found >= COUNT


def test_where_not_all_choices_are_in_nothing_is_known() -> None:
    look, steps = played("kawaii", own=True)
    last = STEPS - 1
    look.look_back(np.arange(COUNT) + last * COUNT, steps[last].actions)
    assert UNKNOWN in look.ends


def test_a_seat_is_asked_for_what_it_sees_out_of_turn() -> None:
    batch = Batch("kohoju", COUNT, 2, seeds=range(COUNT))
    own = batch.observe().copy()
    other = batch.observe(seats=1 - batch.acting).copy()
    again = batch.observe()
    assert (own != other).any(axis=1).all()
    assert np.array_equal(own, again)

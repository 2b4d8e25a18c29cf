"""What would have come of other actions: the decisions of a batch are kept, and gone back to."""

from __future__ import annotations

from typing import Any

import numpy as np

from zashiki.core.batch import Batch, Seats, _share_victory
from zashiki.core.contract import Options, Tensor, apply, observe, to_act, view
from zashiki.core.gears import rule
from zashiki.core.intrinsics import copy, lowest
from zashiki.core.layout import Record, Records

GOES_ON, ENDED, UNKNOWN = range(3)
"""How a trial ends: with a match that goes on, with the end of the match, or before all that lay sealed was known."""


class Hindsight:
    """The last `steps` decisions of the first `count` matches of a batch, a row each: all matches of a step after one another.

    A trial goes back to a row and takes another action there. Where others chose at the same time, their choices stay as they
    were. Then somebody looks at what has come of it: the seat that acted (`own`), or one that decides next, itself if it may.

    `observations`  (room, features)  what that seat may know; at least as wide as `width`, with zeros at the end
    `watching`      (room,)           which seat it is
    `results`       (room, seats)     where the match ended: each seat's share of the victory
    `ends`          (room,)           GOES_ON, ENDED or UNKNOWN
    """

    def __init__(self, batch: Batch, count: int, steps: int, room: int, *, own: bool, width: int = 0) -> None:
        self.count, self.room, self.batch, self._own = count, room, batch, own
        self._kept = batch._records(count * steps)
        self._acted: Seats = batch._zeros(count * steps, np.int8)
        self._chosen: Options = batch._zeros(count * steps, np.int64)
        self._tried, self._views = batch._records(room), batch._records(room)
        self.observations: Tensor = batch._columns((room, max(width, batch.game.features)), np.float32)
        self.results: Tensor = batch._zeros((room, batch.seats), np.float32)
        self.watching: Seats = batch._zeros(room, np.int8)
        self.ends: Seats = batch._zeros(room, np.int8)

    def keep(self, step: int, actions: Any) -> None:
        """Keeps the decisions that are open, and the actions about to be taken."""
        batch = self.batch
        chosen, place = batch._chosen(actions), step * self.count
        batch._share(
            *(_keep_share, batch.states, batch.acting, chosen, self._kept, self._acted, self._chosen, place), count=self.count
        )

    def look_back(self, rows: Any, actions: Any) -> None:
        """Tries an action in each of so many rows."""
        batch = self.batch
        given = (self.count, batch.seats, self._own, batch._taken(rows), batch._taken(actions))
        found = (self._tried, self._views, self.observations, self.results, self.watching, self.ends)
        batch._share(_try_share, self._kept, self._acted, self._chosen, *given, *found, count=len(rows))


@rule
def _keep_share(
    states: Records,
    acting: Seats,
    actions: Options,
    kept: Records,
    acted: Seats,
    chosen: Options,
    place: int,
    first: int,
    last: int,
) -> None:
    for i in range(first, last):
        copy(states[i], kept[place + i])
        acted[place + i] = acting[i]
        chosen[place + i] = actions[i]


@rule
def _try_share(
    kept: Records,
    acted: Seats,
    chosen: Options,
    apart: int,
    seats: int,
    own: bool,
    rows: Options,
    actions: Options,
    tried: Records,
    views: Records,
    tensors: Tensor,
    results: Tensor,
    watching: Seats,
    ends: Seats,
    first: int,
    last: int,
) -> None:
    for i in range(first, last):
        state, row = tried[i], rows[i]
        copy(kept[row], state)
        seat = int(acted[row])
        sealed = to_act(state) & ~(1 << seat)
        apply(state, seat, actions[i])
        if not _unseal(state, sealed, acted, chosen, row + apart, apart):
            ends[i] = UNKNOWN
        elif to_act(state) == 0:
            ends[i] = ENDED
            _share_victory(state, seats, results[i])
        else:
            ends[i] = GOES_ON
            watcher = seat if own or (to_act(state) >> seat) & 1 == 1 else lowest(to_act(state))
            watching[i] = watcher
            view(state, watcher, views[i])
            observe(views[i], watcher, tensors[i])


@rule
def _unseal(state: Record, sealed: int, acted: Seats, chosen: Options, row: int, apart: int) -> bool:
    """Takes the actions of those who chose at the same time; False: not all of them are known."""
    while sealed != 0:
        if row >= len(acted):
            return False
        seat = int(acted[row])
        if (sealed & to_act(state)) >> seat & 1 == 0:
            return False
        sealed &= ~(1 << seat)
        apply(state, seat, chosen[row])
        row += apart
    return True

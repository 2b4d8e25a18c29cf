"""Rooms in which a skill is practised: some on a processor, or thousands on a GPU, a thread a room."""

from __future__ import annotations

from functools import cache
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from zashiki.bots.nodes import MOST_SEATS
from zashiki.bots.practice import LONGEST, Room, deal_anew, new_room, practise
from zashiki.bots.sense import Weights
from zashiki.bots.skills import form_of
from zashiki.core.contract import Options
from zashiki.core.errors import NoGpu
from zashiki.core.game import Game
from zashiki.core.gpu import _cuda, available
from zashiki.core.intrinsics import copy, scratch
from zashiki.core.masks import words_for
from zashiki.core.random import seed_roller

APART = 1_000_000
"""How far the seeds of rooms at one table lie apart."""
THREADS = 32
"""Threads a block: a chapter takes long, and rooms are few enough that every part of the GPU shall get some."""
STRANDS, SIDE_BY_SIDE = 64, 128
"""Lessons are added up in so many parts of the rooms side by side, and of each so many numbers in a block."""

Bytes = npt.NDArray[np.uint8]


class Rooms(Protocol):
    """Rooms with matches of the same number of seats under way, each with its own random numbers."""

    def __init__(self, game: Game, seats: int, count: int, seed: int) -> None: ...

    def practise(
        self, chapters: int, policies: Weights, who: Options, keen: bool, hopes: Weights, trace: float
    ) -> tuple[int, Weights]:
        """Plays so many chapters in every room; tells how many decisions the learner made, and what they teach."""
        ...

    def snapshot(self) -> tuple[Bytes, Bytes]:
        """All that the future depends on: matches and random numbers."""
        ...

    def restore(self, states: Bytes, rngs: Bytes) -> None:
        """Goes on from a snapshot."""
        ...


class CoreRooms:
    """Rooms on one core of a processor, one after another."""

    def __init__(self, game: Game, seats: int, count: int, seed: int) -> None:
        self._form = form_of(game)
        self._rooms = [new_room(game, seats, seed + APART * i) for i in range(count)]

    def practise(
        self, chapters: int, policies: Weights, who: Options, keen: bool, hopes: Weights, trace: float
    ) -> tuple[int, Weights]:
        """One room after another."""
        lesson = np.zeros((self._form.situations + 1, self._form.traits))
        return sum(practise(room, chapters, policies, who, keen, hopes, trace, lesson) for room in self._rooms), lesson

    def snapshot(self) -> tuple[Bytes, Bytes]:
        """Of all rooms."""
        states = np.concatenate([room.states for room in self._rooms])
        return states.view(np.uint8), np.stack([room.rng for room in self._rooms]).view(np.uint8)

    def restore(self, states: Bytes, rngs: Bytes) -> None:
        """In all rooms."""
        for room, state, rng in zip(self._rooms, states.reshape(len(self._rooms), -1), rngs, strict=True):
            room.states.view(np.uint8)[:] = state
            room.rng[:] = rng.view(np.uint32)


class GpuRooms:
    """Rooms on a GPU. What is learned there differs in its last digits from what the same rooms learn on a processor."""

    def __init__(self, game: Game, seats: int, count: int, seed: int) -> None:
        if not available():
            raise NoGpu("this needs a GPU with CUDA, and numba-cuda: pip install 'zashiki[gpu]'")
        self._cuda, self._count, self._game, self._form = _cuda(), count, game, form_of(game)
        self._stream = self._cuda.stream()
        states, rngs, room = game.rules.STATE.new(count), np.zeros((count, 4), np.uint32), new_room(game, seats, seed)
        for i in range(count):
            seed_roller(room.rng, seed + APART * i)
            deal_anew(room, seats)
            states[i], rngs[i] = room.states[0], room.rng
        self._states, self._rngs = self._cuda.to_device(states), self._cuda.to_device(rngs)
        self._options = self._cuda.to_device(room.options)
        self._merits = self._room((LONGEST, self._form.traits), np.float32)
        self._turns, self._hopes = self._room((LONGEST, 2), np.int64), self._room((LONGEST, MOST_SEATS), np.float64)
        self._made = self._room((), np.int64)
        size = (self._form.situations + 1) * self._form.traits
        self._lessons = self._cuda.to_device(np.zeros((count, size)))
        self._strands = self._cuda.device_array((STRANDS, size), np.float64)

    def _room(self, shape: tuple[int, ...], dtype: npt.DTypeLike) -> Any:
        return self._cuda.device_array((self._count, *shape), dtype)

    def practise(
        self, chapters: int, policies: Weights, who: Options, keen: bool, hopes: Weights, trace: float
    ) -> tuple[int, Weights]:
        """All rooms at once."""
        work, add = kernels(self._game)
        policies, who, hopes = (self._cuda.to_device(array, stream=self._stream) for array in (policies, who, hopes))
        kept = (self._states, self._options, self._rngs, self._merits, self._turns, self._hopes)
        blocks = -(-self._count // THREADS)
        given = (chapters, policies, who, keen, hopes, trace)
        work[blocks, THREADS, self._stream](*kept, *given, self._lessons, self._made, self._count)
        size = self._lessons.shape[1]
        add[(-(-size // SIDE_BY_SIDE), STRANDS), (SIDE_BY_SIDE, 1), self._stream](self._lessons, self._strands)
        strands = self._strands.copy_to_host(stream=self._stream)
        made = self._made.copy_to_host(stream=self._stream)
        self._stream.synchronize()
        return int(made.sum()), strands.sum(0).reshape(self._form.situations + 1, self._form.traits)

    def snapshot(self) -> tuple[Bytes, Bytes]:
        """Of all rooms."""
        return self._states.copy_to_host().view(np.uint8), self._rngs.copy_to_host().view(np.uint8)

    def restore(self, states: Bytes, rngs: Bytes) -> None:
        """In all rooms."""
        self._states.copy_to_device(states.view(self._game.rules.STATE.dtype))
        self._rngs.copy_to_device(rngs.view(np.uint32))


def gpu_name() -> str:
    """What the GPU is called."""
    name = _cuda().get_current_device().name
    return name.decode() if isinstance(name, bytes) else str(name)


@cache
def kernels(game: Game) -> tuple[Any, Any]:
    """To practise a game in each room, and to add up what all rooms teach, which begins anew then."""
    cuda, form, actions = _cuda(), form_of(game), game.rules.ACTIONS
    words, choices, widest, hopes_known = words_for(actions), form.choices, form.widest, form.hopes
    rows, row = form.situations + 1, form.traits
    described, spanned = choices * widest, 2 * choices

    def practise_each(
        states: Any,
        options: Any,
        rngs: Any,
        merits: Any,
        turns: Any,
        noted: Any,
        chapters: int,
        policies: Any,
        who: Any,
        keen: bool,
        hopes: Any,
        trace: float,
        lessons: Any,
        made: Any,
        count: int,
    ) -> None:
        i = cuda.grid(1)
        if i < count:
            near, traits, spans = scratch(1, states.dtype), scratch(described, np.float64), scratch(spanned, np.int64)
            looked_at = scratch(hopes_known, np.float64)
            copy(states[i], near[0])
            room = Room(
                near,
                options,
                rngs[i],
                scratch(words, np.uint32),
                scratch(actions, np.int64),
                scratch(actions, np.float64),
                traits.reshape((choices, widest)),
                spans.reshape((choices, 2)),
                merits[i],
                turns[i],
                noted[i],
                looked_at.reshape((1, hopes_known)),
            )
            lesson = lessons[i].reshape((rows, row))
            made[i] = practise(room, chapters, policies, who, keen, hopes, trace, lesson)
            copy(near[0], states[i])

    def add_up(lessons: Any, strands: Any) -> None:
        place, strand = cuda.grid(2)
        if place < lessons.shape[1]:
            total = 0.0
            for i in range(strand, lessons.shape[0], strands.shape[0]):
                total += lessons[i, place]
                lessons[i, place] = 0
            strands[strand, place] = total

    return cuda.jit(practise_each), cuda.jit(add_up)

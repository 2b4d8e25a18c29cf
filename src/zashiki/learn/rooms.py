"""Rooms in which a skill is practised: some on a processor, or thousands on a GPU, a thread a room."""

from __future__ import annotations

from functools import cache
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from zashiki.bots.kohoju.practice import FAR, LONGEST, MOST_CHOICES, Room, deal_anew, new_room, practise
from zashiki.bots.kohoju.skilled import SITUATIONS
from zashiki.bots.kohoju.traits import MOST_TRAITS, TRAITS
from zashiki.bots.nodes import MOST_SEATS
from zashiki.bots.sense import Weights
from zashiki.core.contract import Options
from zashiki.core.errors import NoGpu
from zashiki.core.gpu import _cuda, available
from zashiki.core.intrinsics import copy, scratch
from zashiki.core.masks import words_for
from zashiki.core.random import seed_roller
from zashiki.games.kohoju.rules import ACTIONS, STATE

APART = 1_000_000
"""How far the seeds of rooms at one table lie apart."""
DESCRIBED = MOST_CHOICES * MOST_TRAITS
"""How many traits all actions of a decision have."""
THREADS = 32
"""Threads a block: a deal takes long, and rooms are few enough that every part of the GPU shall get some."""
STRANDS, SIDE_BY_SIDE = 64, 128
"""Lessons are added up in so many parts of the rooms side by side, and of each so many numbers in a block."""

Bytes = npt.NDArray[np.uint8]


class Rooms(Protocol):
    """Rooms with matches of the same number of seats under way, each with its own random numbers."""

    def __init__(self, seats: int, count: int, seed: int) -> None: ...

    def practise(self, deals: int, policies: Weights, who: Options, hopes: Weights, trace: float) -> tuple[int, Weights]:
        """Plays so many deals in every room; tells how many decisions the learner made, and what they teach."""
        ...

    def snapshot(self) -> tuple[Bytes, Bytes]:
        """All that the future depends on: matches and random numbers."""
        ...

    def restore(self, states: Bytes, rngs: Bytes) -> None:
        """Goes on from a snapshot."""
        ...


class CoreRooms:
    """Rooms on one core of a processor, one after another."""

    def __init__(self, seats: int, count: int, seed: int) -> None:
        self._rooms = [new_room(seats, seed + APART * i) for i in range(count)]

    def practise(self, deals: int, policies: Weights, who: Options, hopes: Weights, trace: float) -> tuple[int, Weights]:
        """One room after another."""
        lesson = np.zeros((SITUATIONS + 1, TRAITS))
        return sum(practise(room, deals, policies, who, hopes, trace, lesson) for room in self._rooms), lesson

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

    def __init__(self, seats: int, count: int, seed: int) -> None:
        if not available():
            raise NoGpu("this needs a GPU with CUDA, and numba-cuda: pip install 'zashiki[gpu]'")
        self._cuda, self._count = _cuda(), count
        self._stream = self._cuda.stream()
        states, rngs, room = STATE.new(count), np.zeros((count, 4), np.uint32), new_room(seats, seed)
        for i in range(count):
            seed_roller(room.rng, seed + APART * i)
            deal_anew(room, seats, FAR)
            states[i], rngs[i] = room.states[0], room.rng
        self._states, self._rngs = self._cuda.to_device(states), self._cuda.to_device(rngs)
        self._merits = self._room((LONGEST, TRAITS), np.float32)
        self._turns, self._hopes = self._room((LONGEST, 3), np.int64), self._room((LONGEST, MOST_SEATS), np.float64)
        self._made = self._room((), np.int64)
        self._lessons = self._cuda.to_device(np.zeros((count, (SITUATIONS + 1) * TRAITS)))
        self._strands = self._cuda.device_array((STRANDS, (SITUATIONS + 1) * TRAITS), np.float64)

    def _room(self, shape: tuple[int, ...], dtype: npt.DTypeLike) -> Any:
        return self._cuda.device_array((self._count, *shape), dtype)

    def practise(self, deals: int, policies: Weights, who: Options, hopes: Weights, trace: float) -> tuple[int, Weights]:
        """All rooms at once."""
        work, add = kernels()
        given = [self._cuda.to_device(array, stream=self._stream) for array in (policies, who, hopes)]
        kept = (self._states, self._rngs, self._merits, self._turns, self._hopes)
        blocks = -(-self._count // THREADS)
        work[blocks, THREADS, self._stream](*kept, deals, *given, trace, self._lessons, self._made, self._count)
        size = self._lessons.shape[1]
        add[(-(-size // SIDE_BY_SIDE), STRANDS), (SIDE_BY_SIDE, 1), self._stream](self._lessons, self._strands)
        strands = self._strands.copy_to_host(stream=self._stream)
        made = self._made.copy_to_host(stream=self._stream)
        self._stream.synchronize()
        return int(made.sum()), strands.sum(0).reshape(SITUATIONS + 1, TRAITS)

    def snapshot(self) -> tuple[Bytes, Bytes]:
        """Of all rooms."""
        return self._states.copy_to_host().view(np.uint8), self._rngs.copy_to_host().view(np.uint8)

    def restore(self, states: Bytes, rngs: Bytes) -> None:
        """In all rooms."""
        self._states.copy_to_device(states.view(STATE.dtype))
        self._rngs.copy_to_device(rngs.view(np.uint32))


def gpu_name() -> str:
    """What the GPU is called."""
    name = _cuda().get_current_device().name
    return name.decode() if isinstance(name, bytes) else str(name)


@cache
def kernels() -> tuple[Any, Any]:
    """To practise in each room, and to add up what all rooms teach, which begins anew then."""
    cuda = _cuda()
    words = words_for(ACTIONS)

    def practise_each(
        states: Any,
        rngs: Any,
        merits: Any,
        turns: Any,
        noted: Any,
        deals: int,
        policies: Any,
        who: Any,
        hopes: Any,
        trace: float,
        lessons: Any,
        made: Any,
        count: int,
    ) -> None:
        i = cuda.grid(1)
        if i < count:
            near, traits = scratch(1, states.dtype), scratch(DESCRIBED, np.float64)
            copy(states[i], near[0])
            room = Room(
                near,
                rngs[i],
                scratch(words, np.uint32),
                scratch(ACTIONS, np.int64),
                scratch(ACTIONS, np.float64),
                traits.reshape((MOST_CHOICES, MOST_TRAITS)),
                scratch(MOST_CHOICES, np.int64),
                merits[i],
                turns[i],
                noted[i],
                noted[i],
            )
            lesson = lessons[i].reshape((SITUATIONS + 1, TRAITS))
            made[i] = practise(room, deals, policies, who, hopes, trace, lesson)
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

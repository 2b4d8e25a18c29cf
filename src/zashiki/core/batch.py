"""Thousands of matches as one array: a program that steps 4,096 of them makes one call a step.

Every match always has one decision open, that of `acting[i]`; where several seats choose at the same time they are asked one
after the other, and none sees the others' choice before all are in. A match that ends is dealt anew at once, from random
numbers of its own, so that the same seeds and actions give the same batch with any number of threads. Without seeds the deals
come from the operating system's entropy.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from zashiki.core.arrays import aligned
from zashiki.core.checks import shown, whole
from zashiki.core.contract import Options, Table, Tensor, apply, deal, legal, observe, scores, to_act, view
from zashiki.core.errors import IllegalAction, MalformedAction
from zashiki.core.game import Game, as_game
from zashiki.core.gears import rule
from zashiki.core.intrinsics import copy, ones, wide
from zashiki.core.layout import CLOCK, Record, Records
from zashiki.core.masks import Mask, allowed, spread, words_for
from zashiki.core.play import deal_again, pick_action, pick_seat
from zashiki.core.random import Words, seed_roller
from zashiki.core.state import seed_number, seed_words

Flags = npt.NDArray[np.bool_]
Seats = npt.NDArray[np.int8]
Actions = npt.NDArray[np.integer[Any]]
SMALLEST_SHARE = 128
"""A thread is not woken for fewer matches than this."""


class Batch:
    """Many matches of one game, stepped together on every core.

    `acting`        (n,)            the seat whose decision is open in each match
    `legal`         (n, actions)    what it may do, as truth values
    `observations`  (n, features)   what it may know, as numbers, since `observe` was last called
    `done`          (n,)            whether the last step ended a match
    `results`       (n, seats)      where it did: each seat's share of the victory, 1 in all
    `points`        (n, seats)      where it did: each seat's points

    They are filled again in place, and begin with a cache line, so that other libraries share their memory.
    """

    def __init__(
        self,
        game: Game | str,
        count: int,
        seats: int | None = None,
        *,
        options: dict[str, Any] | None = None,
        seeds: Sequence[int] | None = None,
        threads: int | None = None,
    ) -> None:
        if (whole(count) or 0) < 1:
            raise ValueError(f"a batch has at least one match, not {shown(count)}")
        self.game = game = as_game(game)
        rules = game.rules
        self.count = count
        self.seats = game.check_seats(game.seats[0] if seats is None else seats)
        self.options = game.option_numbers(options)
        self.threads = threads or os.cpu_count() or 1
        self.states, self._ended, self._views = (self._records() for _ in range(3))
        self.acting: Seats = self._zeros(count, np.int8)
        self.legal: Flags = self._zeros((count, rules.ACTIONS), np.bool_)
        self.done: Flags = self._zeros(count, np.bool_)
        self.results: Tensor = self._zeros((count, self.seats), np.float32)
        self.points: Table = self._zeros((count, self.seats), np.int32)
        self.observations: Tensor = self._zeros((count, game.features), np.float32)
        self._masks: Mask = self._zeros((count, words_for(rules.ACTIONS)), np.uint32)
        self._tables: Table = self._zeros((count, self.seats, len(rules.PARTS)), np.int32)
        self._rngs: Words = self._zeros((count, 4), np.uint32)
        self._picks: Words = self._zeros((count, 4), np.uint32)
        self._everywhere: Flags = self._taken(np.ones(count, np.bool_))
        self._settings: Options = self._taken(self.options)
        self._alone = Lock()
        self._trusts = False
        self.reset([seed_number(None) for _ in range(count)] if seeds is None else seeds)

    def __repr__(self) -> str:
        return f"<batch of {self.count} matches of {self.game.id}, {self.seats} seats>"

    def reset(self, seeds: Sequence[int]) -> None:
        """Deals every match anew, each from its own seed."""
        if len(seeds) != self.count:
            raise ValueError(f"{self.count} matches need as many seeds, not {len(seeds)}")
        words = self._taken(np.array([seed_words(seed_number(seed)) for seed in seeds], np.uint32))
        with self._alone:
            self._share(_deal_share, self.states, self.seats, self._settings, words, self._rngs, self._picks)
            self._share(_open_share, *self._table(), self._everywhere)

    def step(self, actions: Actions, where: Flags | None = None) -> None:
        """Carries out one action in every match, and deals those anew that end. An illegal one changes nothing at all, unless
        the batch was told to hurry.

        `where`: only in these matches; the others wait, whatever their action says.
        """
        chosen = self._chosen(actions)
        with self._alone:
            self._step(chosen, self._everywhere if where is None else self._chosen_flags(where))

    def _step(self, chosen: Options, where: Flags) -> None:
        if not self._trusts:
            self._check(chosen, where)
        self._share(_apply_share, self.states, self.acting, chosen, where)
        self._share(_open_share, *self._table(), where)

    def _check(self, chosen: Options, where: Flags) -> None:
        wrong = min(self._share(_check_share, self._masks, chosen, self.game.rules.ACTIONS, where))
        if wrong < self.count:
            raise IllegalAction(
                f"match {wrong}: action {chosen[wrong]} is not legal for seat {self.acting[wrong]}; nothing was done"
            )

    def hurry(self) -> None:
        """From now on actions are trusted to be legal; on a GPU calls also return before their work is done.

        Whatever is asked of CUDA's default stream afterwards waits for that work, and the work for what was asked of it before;
        but batches that hurry do not wait for each other.
        """
        self._trusts = True

    def observe(self, out: Tensor | None = None, seats: Seats | None = None) -> Tensor:
        """What each acting seat may know, as numbers; the same array is filled again each time, or `out` is.

        `seats`: what these seats may know instead, one in each match, whether it is their turn or not.
        """
        tensors = self.observations if out is None else self._checked(out)
        watching = self.acting if seats is None else self._taken(seats)
        with self._alone:
            self._share(_observe_share, self.states, self._views, watching, tensors, self._everywhere)
        return tensors

    def observe_ends(self, seats: Seats, where: Flags) -> Tensor:
        """What a seat of each of these matches sees of the end of the one before, all of which have had one; zeros elsewhere."""
        tensors: Tensor = self._zeros(self.observations.shape, np.float32)
        with self._alone:
            self._share(_observe_share, self._ended, self._views, self._taken(seats), tensors, self._chosen_flags(where))
        return tensors

    def random_actions(self) -> Actions:
        """A legal action for every match, drawn evenly."""
        actions: Options = self._zeros(self.count, np.int64)
        with self._alone:
            self._share(_pick_share, self._masks, self._picks, actions)
        return actions

    def snapshot(self) -> list[npt.NDArray[Any]]:
        """All that the batch's future depends on, to be given to `restore` of a batch made alike."""
        return [np.array(self._read(array)) for array in self._remembered()]

    def restore(self, snapshot: Sequence[npt.NDArray[Any]]) -> None:
        """Goes on from a snapshot as if nothing had happened since."""
        with self._alone:
            for array, kept in zip(self._remembered(), snapshot, strict=True):
                self._write(array, kept)

    def _remembered(self) -> tuple[Any, ...]:
        return (
            self.states,
            self._ended,
            self.acting,
            self.legal,
            self._masks,
            self._rngs,
            self._picks,
            self.done,
            self.results,
            self.points,
        )

    def _read(self, array: Any) -> npt.NDArray[Any]:
        return array  # type: ignore[no-any-return]  # on a processor it is one

    def _write(self, array: Any, values: npt.NDArray[Any]) -> None:
        array[...] = values

    def _table(self) -> tuple[Any, ...]:
        return (
            self.states,
            self._ended,
            self.acting,
            self._masks,
            self.legal,
            self._rngs,
            self.seats,
            self._settings,
            self.done,
            self.results,
            self.points,
            self._tables,
        )

    def _records(self, count: int | None = None) -> Records:
        return self.game.layout.new(self.count if count is None else count)

    def _zeros(self, shape: int | tuple[int, ...], dtype: npt.DTypeLike) -> Any:
        return aligned(shape, dtype)

    def _columns(self, shape: tuple[int, int], dtype: npt.DTypeLike) -> Any:
        """An array of rows; on a GPU, where a thread has a row, column after column."""
        return self._zeros(shape, dtype)

    def _taken(self, array: npt.NDArray[Any]) -> Any:
        """An array of the caller's, where compiled work reads it."""
        return array

    def _chosen(self, actions: Actions) -> Options:
        given = np.asarray(actions)
        if given.shape != (self.count,) or given.dtype.kind not in "iu":
            raise MalformedAction(f"{self.count} matches need as many whole numbers, not {given.dtype} of shape {given.shape}")
        return np.ascontiguousarray(given, np.int64)

    def _chosen_flags(self, where: Flags) -> Flags:
        given = np.asarray(where)
        if given.shape != (self.count,) or given.dtype != np.bool_:
            raise MalformedAction(f"{self.count} matches need as many truth values, not {given.dtype} of shape {given.shape}")
        return np.ascontiguousarray(given)

    def _checked(self, out: Tensor) -> Tensor:
        if out.shape != self.observations.shape or out.dtype != np.float32 or not out.flags["C_CONTIGUOUS"]:
            raise ValueError(f"observations are written into float32 of shape {self.observations.shape}, row after row")
        return out

    def _share(self, work: Callable[..., Any], *arguments: Any, count: int | None = None) -> list[int]:
        """Runs compiled work over the matches, or over so many other things, a share a thread."""
        count = self.count if count is None else count
        shares = max(1, min(self.threads, count // SMALLEST_SHARE))
        edges = [count * i // shares for i in range(shares + 1)]
        if shares == 1:
            return [work(*arguments, 0, count)]
        pool = _pool(self.threads)
        return list(pool.map(lambda i: work(*arguments, edges[i], edges[i + 1]), range(shares)))


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, "zashiki-batch")


if hasattr(os, "register_at_fork"):
    # A forked child has none of its parent's threads.
    os.register_at_fork(after_in_child=_pool.cache_clear)


@rule
def _deal_share(
    states: Records, seats: int, options: Options, seeds: Words, rngs: Words, picks: Words, first: int, last: int
) -> None:
    """Deals, and starts two generators: one for whose decision is next, one for random actions."""
    for i in range(first, last):
        deal(states[i], seats, options, seeds[i])
        seed_roller(rngs[i], wide(seeds[i, 0]) + (wide(seeds[i, 1]) << 31))
        seed_roller(picks[i], wide(seeds[i, 1]) + (wide(seeds[i, 0]) << 31))


@rule
def _open_share(
    states: Records,
    ended: Records,
    acting: Seats,
    masks: Mask,
    flags: Flags,
    rngs: Words,
    seats: int,
    options: Options,
    done: Flags,
    results: Tensor,
    points: Table,
    tables: Table,
    where: Flags,
    first: int,
    last: int,
) -> None:
    """Goes on in each match to the next decision: over an end and a new deal, and past what the clock does by itself."""
    for i in range(first, last):
        done[i] = False
        seat = CLOCK if where[i] else int(acting[i])
        while seat == CLOCK:
            if to_act(states[i]) == 0:
                done[i] = True
                copy(states[i], ended[i])
                _settle(states[i], seats, results[i], points[i], tables[i])
                deal_again(states[i], seats, options)
            seat = pick_seat(to_act(states[i]), rngs[i])
            legal(states[i], seat, masks[i])
            if seat == CLOCK:
                apply(states[i], CLOCK, pick_action(masks[i], rngs[i]))
        if where[i]:
            acting[i] = seat
            spread(masks[i], flags[i])


@rule
def _check_share(masks: Mask, actions: Options, count: int, where: Flags, first: int, last: int) -> int:
    """The first match with an illegal action; if all are legal, a number that no match has."""
    for i in range(first, last):
        if where[i] and (actions[i] < 0 or actions[i] >= count or not allowed(masks[i], actions[i])):
            return i
    return len(masks)


@rule
def _apply_share(states: Records, acting: Seats, actions: Options, where: Flags, first: int, last: int) -> None:
    for i in range(first, last):
        if where[i]:
            apply(states[i], int(acting[i]), actions[i])


@rule
def _settle(state: Record, seats: int, results: Tensor, points: Table, table: Table) -> None:
    _share_victory(state, seats, results)
    scores(state, table)
    for seat in range(seats):
        points[seat] = table[seat].sum()


@rule
def _share_victory(state: Record, seats: int, results: Tensor) -> None:
    winners = int(state.winners)
    for seat in range(seats):
        results[seat] = ((winners >> seat) & 1) / ones(winners)


@rule
def _observe_share(states: Records, views: Records, seats: Seats, tensors: Tensor, where: Flags, first: int, last: int) -> None:
    for i in range(first, last):
        if where[i]:
            view(states[i], int(seats[i]), views[i])
            observe(views[i], int(seats[i]), tensors[i])


@rule
def _pick_share(masks: Mask, rngs: Words, actions: Options, first: int, last: int) -> None:
    for i in range(first, last):
        actions[i] = pick_action(masks[i], rngs[i])

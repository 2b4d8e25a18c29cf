"""`zashiki bench gpu`: proves that the gpu gear plays the same matches as the native one, and measures both.

For every game, at its smallest and its largest number of seats, the same seeds are dealt and played at random to the end by all
processor cores and by the GPU; the final states must be equal to the last byte, and so
must what seat 0 sees 30 decisions into each match. Then both make a fixed number of decisions in
every match, dealing anew whenever one ends.
"""

from __future__ import annotations

import json
import os
import platform
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from zashiki.core import play, random
from zashiki.core.contract import deal, observe, view
from zashiki.core.errors import NoGpu
from zashiki.core.gears import rule
from zashiki.core.gpu import available, kernels
from zashiki.core.masks import words_for
from zashiki.games import find

CORES = os.cpu_count() or 1


@rule
def deal_some(states: Any, rngs: Any, seats: int, options: Any, seeds: Any, rolls: Any) -> None:
    """Deals a share of the matches."""
    for i in range(len(states)):
        deal(states[i], seats, options, seeds[i])
        random.seed_roller(rngs[i], rolls[i])


@rule
def observe_some(states: Any, views: Any, seat: int, tensors: Any) -> None:
    """Writes a seat's views and observations."""
    for i in range(len(states)):
        view(states[i], seat, views[i])
        observe(views[i], seat, tensors[i])


def on_all_cores(work: Any, count: int) -> list[Any]:
    """Runs work(first, last) over shares of the matches."""
    edges = [count * i // (4 * CORES) for i in range(4 * CORES + 1)]
    with ThreadPoolExecutor(CORES) as pool:
        return list(pool.map(lambda i: work(edges[i], edges[i + 1]), range(4 * CORES)))


class Trial:
    """One game at one number of seats."""

    def __init__(self, game_id: str, seats: int, matches: int, options: dict[str, Any]) -> None:
        self.game, self.seats, self.matches = find(game_id), seats, matches
        self.rules = self.game.rules
        self.options = self.game.option_numbers(options)
        self.seeds = np.zeros((matches, 4), np.uint32)
        self.seeds[:, 0] = np.arange(matches)
        self.rolls = np.arange(matches, dtype=np.int64)
        self.kernels = kernels(self.game)

    def native(self, limit: int) -> tuple[Any, float]:
        """Final states of the processor, and its decisions per second."""
        states, rngs = self.rules.STATE.new(self.matches), np.zeros((self.matches, 4), np.uint32)
        words = words_for(self.rules.ACTIONS)
        deal_some(states[:1], rngs[:1], self.seats, self.options, self.seeds[:1], self.rolls[:1])
        play.play_all(states[:1], rngs[:1], np.zeros(words, np.uint32), 1)

        def share(first: int, last: int) -> int:
            part = slice(first, last)
            deal_some(states[part], rngs[part], self.seats, self.options, self.seeds[part], self.rolls[part])
            return play.play_all(states[part], rngs[part], np.zeros(words, np.uint32), limit)

        start = time.perf_counter()
        decisions = sum(on_all_cores(share, self.matches))
        return states, decisions / (time.perf_counter() - start)

    def gpu(self, limit: int) -> tuple[Any, int]:
        """Final states of the GPU, and how many decisions led there."""
        cuda = self.kernels.cuda
        states, rngs = cuda.to_device(self.rules.STATE.new(self.matches)), cuda.to_device(np.zeros((self.matches, 4), np.uint32))
        seeds, rolls, options = (cuda.to_device(array) for array in (self.seeds, self.rolls, self.options))
        decisions = cuda.to_device(np.zeros(self.matches, np.int64))
        self.kernels.deal(states, rngs, self.seats, options, seeds, rolls)
        self.kernels.play(states, rngs, limit, decisions)
        return states.copy_to_host(), int(decisions.copy_to_host().sum())

    def same_observations(self, decisions: int = 30) -> bool:
        """Whether both gears show seat 0 the same view and the same numbers some decisions into every match."""
        cuda = self.kernels.cuda
        states, _ = self.native(decisions)
        views, tensors = self.rules.STATE.new(self.matches), np.zeros((self.matches, self.game.features), np.float32)
        observe_some(states, views, 0, tensors)
        there = cuda.to_device(self.rules.STATE.new(self.matches)), cuda.to_device(np.zeros_like(tensors))
        self.kernels.observe(cuda.to_device(states), there[0], 0, there[1])
        return bool(
            views.tobytes() == there[0].copy_to_host().tobytes() and tensors.tobytes() == there[1].copy_to_host().tobytes()
        )

    def gpu_speed(self, matches: int, steps: int) -> float:
        """Decisions per second of the GPU over matches that are all well under way."""
        cuda = self.kernels.cuda
        states, rngs = cuda.to_device(self.rules.STATE.new(matches)), cuda.to_device(np.zeros((matches, 4), np.uint32))
        seeds = np.zeros((matches, 4), np.uint32)
        seeds[:, 0] = np.arange(matches)
        options = cuda.to_device(self.options)
        self.kernels.deal(
            states, rngs, self.seats, options, cuda.to_device(seeds), cuda.to_device(np.arange(matches, dtype=np.int64))
        )
        self.kernels.play_steadily(states, rngs, 50, self.seats, options)
        cuda.synchronize()
        rates = []
        for _ in range(3):
            start = time.perf_counter()
            self.kernels.play_steadily(states, rngs, steps, self.seats, options)
            cuda.synchronize()
            rates.append(matches * steps / (time.perf_counter() - start))
        return sorted(rates)[1]


def report(trial: Trial, sizes: list[int], steps: int) -> dict[str, Any]:
    """Runs one trial and tells what came of it."""
    native, native_rate = trial.native(10**9)
    gpu, decisions = trial.gpu(10**9)
    speeds = {size: trial.gpu_speed(size, steps) for size in sizes}
    best = max(speeds, key=lambda size: speeds[size])
    return {
        "game": trial.game.id,
        "seats": trial.seats,
        "bytes": trial.game.layout.dtype.itemsize,
        "matches": trial.matches,
        "decisions": decisions,
        "identical": native.tobytes() == gpu.tobytes() and trial.same_observations(),
        "cpu_cores": CORES,
        "cpu_decisions_per_second": round(native_rate),
        "gpu_decisions_per_second": round(speeds[best]),
        "gpu_matches_at_once": best,
        "gpu_by_size": {str(size): round(speed) for size, speed in speeds.items()},
    }


def main(*, games: dict[str, dict[str, Any]], matches: int, steps: int, sizes: list[int], file: Path | None) -> None:
    """Runs all trials of games with their options and prints a table."""
    if not available():
        raise NoGpu("this needs a GPU with CUDA, and numba-cuda: pip install zashiki[gpu]")
    rows = []
    for name, options in games.items():
        for seats in sorted({find(name).seats[0], find(name).seats[-1]}):
            row = report(Trial(name, seats, matches, options), sizes, steps)
            rows.append(row)
            print(row, flush=True)
    device = kernels(find(next(iter(games)))).cuda.get_current_device().name
    name = device.decode() if isinstance(device, bytes) else str(device)
    print(f"\n{name}, {CORES} cores, Python {platform.python_version()}, {datetime.now(UTC):%Y-%m-%d}\n")
    print("| game | seats | bytes | matches, decisions | same bytes | native, all cores | gpu | matches at once |")
    print("|---|---|---|---|---|---|---|---|")
    for row in rows:
        print(
            f"| {row['game']} | {row['seats']} | {row['bytes']} | {row['matches']:,}, {row['decisions']:,} "
            f"| {'yes' if row['identical'] else 'NO'} | {row['cpu_decisions_per_second'] / 1e6:.1f} M/s "
            f"| {row['gpu_decisions_per_second'] / 1e6:.0f} M/s | {row['gpu_matches_at_once']:,} |"
        )
    if file:
        file.write_text(json.dumps({"device": name, "rows": rows}, indent=1))
    if not all(row["identical"] for row in rows):
        raise SystemExit("the gpu gear does not play the same matches as the native one")

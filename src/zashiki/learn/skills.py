"""A run that learns a skill: policy gradients over the traits of actions, on a GPU or a processor, without a network.

It begins as the heuristic. Every step plays some chapters at tables of every size, each judged for itself, and moves the policy
the way its choices did better than was hoped for; now and then what is to be hoped for is fitted anew, and at the end, in Kohoju,
which hands are held. A run lives in a folder like those of networks: `run.json`, `curve.jsonl`, `checkpoint.npz`,
`weights.safetensors`.
"""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save_file

from zashiki import __version__
from zashiki.bots.practice import HEURISTIC, LEARNER, OTHER, compete, new_room, note_positions
from zashiki.bots.sense import Weights, heuristics
from zashiki.bots.skills import Form, form_of, learned
from zashiki.core.game import Game
from zashiki.learn.rooms import CoreRooms, GpuRooms, Rooms, gpu_name
from zashiki.learn.story import cut, passed
from zashiki.learn.strength import Strength

REPORTS = 20
"""How many lines the story of a run has."""
CHECKPOINTS = 10
STEADY, CALM = 0.9, 0.99
"""How slowly what a step learns follows the lessons, and how slowly their usual size does (Adam)."""
WARM = 20
"""Steps before the first change, so that the usual size of the lessons is known."""
NEAR = 1.5
"""How fast a stage of a chapter tells less about another."""
TIED = 100.0
"""How much hopes are held to those for all situations, in positions."""
MATCHES = 400
"""Matches against the heuristic in every report, by table."""
GAINED = 20_000
"""Matches that tell what a best response gains."""

Report = dict[str, Any]
Hopes = dict[int, Weights]
"""By the number of seats."""


@dataclass(frozen=True)
class SkillRecipe:
    """The numbers of a run. Two numbers go from the first to the second.

    `tables`: their seats, how many rooms have such a one, and the chapters of each room in every step. At those of the `crowd`
    the heuristic has all seats but one, and what is learned there counts `heed` times; `keen`: it does what it likes best,
    instead of drawing. `smooth`: how fast the policy that is kept follows the one that learns, since the mean of many is better
    than the last.
    `guess_hands`: from how many hands is learned which are held, where that matters.
    """

    decisions: int
    tables: tuple[tuple[int, int, int], ...]
    crowd: tuple[tuple[int, int, int], ...] = ()
    heed: float = 1.0
    keen: bool = False
    rate: tuple[float, float] = (0.02, 0.0005)
    trace: float = 0.97
    smooth: float = 0.005
    fit_every: int = 60_000_000
    fit_chapters: int = 4_000
    last_fit_chapters: int = 30_000
    guess_hands: int = 0


SKILL_RECIPES = {
    "kohoju": {
        "cpu": SkillRecipe(
            decisions=1_000_000_000,
            tables=((2, 1, 150), (2, 1, 150), (3, 1, 90), (4, 1, 75), (5, 1, 60), (6, 1, 50), (6, 1, 50)),
            crowd=((2, 1, 200), (2, 1, 200), (3, 1, 150), (4, 1, 140), (5, 1, 130), (6, 1, 120), (6, 1, 120), (6, 1, 120)),
            heed=2.0,
            guess_hands=200_000,
        ),
        "cuda": SkillRecipe(
            decisions=1_000_000_000,
            tables=((2, 16384, 1), (3, 2048, 1), (4, 2048, 1), (5, 2048, 1), (6, 4096, 1)),
            rate=(0.06, 0.001),
            smooth=0.02,
            fit_every=200_000_000,
            fit_chapters=6_000,
            guess_hands=200_000,
        ),
    },
    "kawaii": {
        "cpu": SkillRecipe(
            decisions=150_000_000,
            tables=((3, 1, 15), (4, 1, 15), (5, 1, 15), (5, 1, 15)),
            crowd=((3, 1, 40), (3, 1, 40), (4, 1, 40), (5, 1, 40), (5, 1, 40), (5, 1, 40)),
            heed=5.0,
            keen=True,
            trace=0.99,
            fit_every=20_000_000,
        ),
        "cuda": SkillRecipe(
            decisions=1_000_000_000,
            tables=((3, 2048, 1), (4, 2048, 1), (5, 4096, 1)),
            crowd=((3, 6144, 1), (4, 4096, 1), (5, 8192, 1)),
            heed=5.0,
            keen=True,
            trace=0.99,
            rate=(0.06, 0.001),
            smooth=0.02,
            fit_every=200_000_000,
            fit_chapters=6_000,
        ),
    },
}
"""The games that have skills, and how they are learned on a processor and on a GPU."""


class SkillRun:
    """One run. The same seed and recipe give the same skill on every number of cores, in one go or resumed.

    `opponent`: a policy that does not learn, to which a best response is learned. `device`: where practice goes on, `cpu` or
    `cuda`; hopes and guesses are fitted on the cores of a processor.
    """

    def __init__(
        self,
        game: Game,
        recipe: SkillRecipe,
        folder: Path,
        seed: int,
        cores: int,
        opponent: Weights | None = None,
        device: str = "cpu",
    ) -> None:
        heuristics(game)
        self.game, self.recipe, self.folder, self.seed, self.cores, self.opponent = game, recipe, folder, seed, cores, opponent
        self.device, self.form = device, form_of(game)
        self.start_from(learned(game).first_policy() if opponent is None else opponent)
        self._speed, self._size = np.zeros_like(self.policy), np.zeros_like(self.policy)
        rooms = GpuRooms if device == "cuda" else CoreRooms
        self._tables = recipe.tables + (recipe.crowd if opponent is None else ())
        self.rooms: list[Rooms] = [
            rooms(game, seats, count, 1_000 * seed + i) for i, (seats, count, _) in enumerate(self._tables)
        ]
        self.hopes: Hopes = {}
        self.guesses = self._guess_nothing() if recipe.guess_hands > 0 else {}
        self.decisions, self.steps, self.seconds, self._fitted = 0, 0, 0.0, 0
        folder.mkdir(parents=True, exist_ok=True)

    def start_from(self, policy: Weights) -> None:
        """Begins as this policy."""
        self.policy, self.kept = policy.copy(), policy.copy()

    def go(self, on_report: Callable[[Report], None] = lambda report: None) -> None:
        """Plays and learns until the recipe's decisions are made."""
        last = self.recipe.decisions
        self._compile()
        with ThreadPoolExecutor(self.cores) as pool:
            while self.decisions < last:
                before, began = self.decisions, time.monotonic()
                if not self.hopes or self.decisions - self._fitted >= self.recipe.fit_every:
                    self.hopes, self._fitted = self.fit(self.policy, self.recipe.fit_chapters, pool), self.decisions
                surprise, entropy = self._step(pool)
                self.seconds += time.monotonic() - began
                if passed(before, self.decisions, -(-last // REPORTS)) or self.decisions >= last:
                    on_report(self._report(surprise, entropy, pool))
                if passed(before, self.decisions, -(-last // CHECKPOINTS)):
                    self.save()
            self.hopes = self.fit(self.kept, self.recipe.last_fit_chapters, pool)
            if self.recipe.guess_hands > 0:
                self.guesses = self._guess(pool)
        self.save()

    def _compile(self) -> None:
        """Does everything once where it leaves no trace, so that the run's rate is that of learning."""
        form, seats = self.form, self.form.fewest
        policies, who = np.zeros((2, form.situations, form.traits)), np.zeros(seats, np.int64)
        hopes = np.zeros((form.outlooks, form.hopes))
        type(self.rooms[0])(self.game, seats, 1, 0).practise(1, policies, who, self.recipe.keen, hopes, 1.0)
        note_positions(new_room(self.game, seats, 0), 1, policies, np.zeros((*hopes.shape, form.hopes)), hopes)
        compete(new_room(self.game, seats, 0), 1, policies, who, True, np.zeros(seats))

    def _step(self, pool: ThreadPoolExecutor) -> tuple[float, float]:
        """Some chapters in every room, and one change of the policy; tells the surprise and the entropy."""
        lessons = list(pool.map(self._practise, range(len(self.rooms))))
        count = max(sum(decisions for decisions, _ in lessons), 1)
        heeded = [self.recipe.heed if self._is_crowded(number) else 1.0 for number in range(len(lessons))]
        whole = max(sum(heed * decisions for heed, (decisions, _) in zip(heeded, lessons, strict=True)), 1)
        change = np.zeros_like(self.policy)
        for (seats, _, _), (_, lesson), heed in zip(self._tables, lessons, heeded, strict=True):
            change += heed * self.form.gathered(lesson[:-1], seats) / whole
        self.decisions, self.steps = self.decisions + count, self.steps + 1
        self._speed += (1 - STEADY) * (change - self._speed)
        self._size += (1 - CALM) * (change * change - self._size)
        if self.steps > WARM:
            size = np.sqrt(self._size / (1 - CALM**self.steps)) + 1e-7
            self.policy = self.policy + self._rate() * self._speed / (1 - STEADY**self.steps) / size
        self.kept += max(self.recipe.smooth, 1 / self.steps) * (self.policy - self.kept)
        told = np.sum([lesson[-1, :2] for _, lesson in lessons], 0) / count
        return float(np.sqrt(told[0])), float(told[1])

    def _practise(self, number: int) -> tuple[int, Weights]:
        """What is taught at one of the tables."""
        seats, _, chapters = self._tables[number]
        policies, who = self._policies(seats), self._who(seats, number)
        return self.rooms[number].practise(chapters, policies, who, self.recipe.keen, self.hopes[seats], self.recipe.trace)

    def _policies(self, seats: int) -> Weights:
        rows = self.form.spread(self.policy, seats)
        return np.stack([rows, rows if self.opponent is None else self.form.spread(self.opponent, seats)])

    def _who(self, seats: int, number: int) -> Any:
        """Who sits where: the learner everywhere, or in one seat among others, another in every room and step."""
        among = HEURISTIC if self._is_crowded(number) else LEARNER if self.opponent is None else OTHER
        who = np.full(seats, among)
        who[(number + self.steps) % seats] = LEARNER
        return who

    def _is_crowded(self, number: int) -> bool:
        """Whether the others at a table are the heuristic."""
        return number >= len(self.recipe.tables)

    def _rate(self) -> float:
        first, last = self.recipe.rate
        return first + (last - first) * min(self.decisions / self.recipe.decisions, 1.0)

    def fit(self, policy: Weights, chapters: int, pool: ThreadPoolExecutor) -> Hopes:
        """What is to be hoped for in each situation where this policy plays, at tables of every size."""
        sizes = sorted({seats for seats, _, _ in self._tables})
        return dict(zip(sizes, pool.map(partial(self._fit_for, policy, chapters), sizes), strict=True))

    def _fit_for(self, policy: Weights, chapters: int, seats: int) -> Weights:
        form, room = self.form, new_room(self.game, seats, 1_000 * self.seed + 500 + self.steps)
        products, results = np.zeros((form.outlooks, form.hopes, form.hopes)), np.zeros((form.outlooks, form.hopes))
        note_positions(room, chapters, form.spread(policy, seats)[None], products, results)
        return fitted(form, products, results)

    def _guess_nothing(self) -> Hopes:
        from zashiki.learn.guessing import NOTHING

        return {seats: NOTHING for seats, _, _ in self._tables}

    def _guess(self, pool: ThreadPoolExecutor) -> Hopes:
        """What hands are held where the policy plays that is kept, to the digits in which it is kept."""
        from zashiki.learn.guessing import guess

        kept, sizes = self.kept.astype(np.float32).astype(np.float64), sorted(self.hopes)
        find_out = partial(guess, self.game, self.recipe.guess_hands, kept, self.seed)
        return dict(zip(sizes, pool.map(find_out, sizes), strict=True))

    def _report(self, surprise: float, entropy: float, pool: ThreadPoolExecutor) -> Report:
        smallest, largest = min(self._tables)[0], max(self._tables)[0]
        won = self.against(HEURISTIC, smallest, MATCHES, pool)
        report: Report = {
            "decisions": self.decisions,
            "seconds": round(self.seconds, 3),
            "rate": round(self.decisions / self.seconds),
            "entropy": round(entropy, 5),
            "surprise": round(surprise, 5),
            "against_crowd": round(won * smallest, 4),
            "against_crowd_of_most": round(self.against(HEURISTIC, largest, MATCHES, pool) * largest, 4),
        }
        with (self.folder / "curve.jsonl").open("a") as curve:
            curve.write(json.dumps(report) + "\n")
        return report

    def against(self, who: int, seats: int, matches: int, pool: ThreadPoolExecutor) -> float:
        """The share of the victories that the kept policy's best actions win in one seat among others, in all seats alike."""
        policies = [self.kept, self.policy if self.opponent is None else self.opponent]
        return won_by(self.game, policies, seats, matches, self.seed, pool, who).share

    def gain(self) -> Strength:
        """What the kept policy wins against the one it answers."""
        assert self.opponent is not None, "there is nobody to answer"
        seats = self._tables[0][0]
        with ThreadPoolExecutor(self.cores) as pool:
            return won_by(self.game, [self.kept, self.opponent], seats, GAINED, self.seed, pool)

    def save(self) -> None:
        """Writes checkpoint, weights and what the run has cost so far."""
        everything: dict[str, Any] = {"policy": self.policy, "kept": self.kept, "speed": self._speed, "size": self._size}
        everything |= {"counts": [self.decisions, self.steps, self._fitted], "seconds": self.seconds}
        everything |= {f"hopes{seats}": rows for seats, rows in self.hopes.items()}
        for i, rooms in enumerate(self.rooms):
            everything[f"states{i}"], everything[f"rngs{i}"] = rooms.snapshot()
        written = self.folder / "checkpoint.new.npz"
        np.savez(written, **everything)
        written.replace(self.folder / "checkpoint.npz")
        write_skill(self.folder / "weights.safetensors", self.game, self.kept, self.hopes, self.guesses, self.decisions)
        (self.folder / "run.json").write_text(json.dumps(self.story(), indent=1) + "\n")

    def resume(self) -> None:
        """Goes on where the folder's checkpoint was written, as if the run had never stopped."""
        with np.load(self.folder / "checkpoint.npz") as kept:
            self.policy, self.kept, self._speed, self._size = (kept[name] for name in ("policy", "kept", "speed", "size"))
            self.decisions, self.steps, self._fitted = (int(count) for count in kept["counts"])
            self.seconds = float(kept["seconds"])
            self.hopes = {seats: kept[f"hopes{seats}"] for seats in self.form.seats if f"hopes{seats}" in kept}
            for i, rooms in enumerate(self.rooms):
                rooms.restore(kept[f"states{i}"], kept[f"rngs{i}"])
        cut(self.folder / "curve.jsonl", self.decisions)

    def story(self) -> dict[str, Any]:
        """What was asked, where it ran and what it cost."""
        return {
            "game": self.game.id,
            "rules": str(self.game.version),
            "seed": self.seed,
            "recipe": asdict(self.recipe),
            "bill": {
                "decisions": self.decisions,
                "seconds": round(self.seconds, 1),
                "decisions_per_second": round(self.decisions / max(self.seconds, 1e-9)),
                "device": gpu_name() if self.device == "cuda" else platform.processor() or platform.machine(),
                "cores": min(self.cores, os.cpu_count() or 1),
            },
            "versions": {"zashiki": __version__, "numpy": np.__version__, "python": platform.python_version()},
        }


def won_by(
    game: Game, policies: Sequence[Weights], seats: int, matches: int, seed: int, pool: ThreadPoolExecutor, who: int = OTHER
) -> Strength:
    """What the first policy's best actions win among `who`, the second's or the heuristic's: in every seat as often."""
    rows, each = np.stack([form_of(game).spread(policy, seats) for policy in policies]), -(-matches // seats)
    share = sum(pool.map(partial(_wins_of, game, rows, who, seats, each, seed), range(seats))) / (seats * each)
    return Strength(share, sqrt(share * (1 - share) / (seats * each)), share * seats, seats * each)


def _wins_of(game: Game, rows: Weights, who: int, seats: int, matches: int, seed: int, own: int) -> float:
    room, sitting, won = new_room(game, seats, 1_000 * seed + 700 + own, {}), np.full(seats, who), np.zeros(seats)
    sitting[own] = LEARNER
    compete(room, matches, rows, sitting, True, won)
    return float(won[own])


def fitted(form: Form, products: Weights, results: Weights) -> Weights:
    """Least squares in every situation, near stages helping, held to what fits all of them."""
    size = results.shape[1]
    whole = np.linalg.solve(products.sum(0) + 1e-4 * products.sum(0)[0, 0] * np.eye(size), results.sum(0))
    count = len(form.stages)
    stages = np.arange(count)
    near = np.exp(-NEAR * np.abs(stages[:, None] - stages))
    blocks, sums = products.reshape(-1, count, size, size), results.reshape(-1, count, size)
    left = np.einsum("st,btij->bsij", near, blocks) + TIED * np.eye(size)
    right = np.einsum("st,bti->bsi", near, sums) + TIED * whole
    return np.ascontiguousarray(np.linalg.solve(left, right[..., None])[..., 0].reshape(form.outlooks, size))


def write_skill(file: Path, game: Game, policy: Weights, hopes: Hopes, guesses: Hopes, decisions: int) -> None:
    """Writes a skill as it is shipped; tables that were not practised have hopes and guesses of the nearest that was."""
    form = form_of(game)
    told = {"game": game.id, "rules": game.version, "traits": form.traits, "hopes": form.hopes, "decisions": decisions}
    tensors = {"policy": policy} | {name: _for_all(form, rows) for name, rows in (("hopes", hopes), ("guesses", guesses)) if rows}
    save_file(
        {name: tensor.astype(np.float32) for name, tensor in tensors.items()},
        file,
        {name: str(value) for name, value in told.items()},
    )


def _for_all(form: Form, rows: Hopes) -> Weights:
    """Rows for every number of seats."""
    known = np.array(sorted(rows))
    return np.stack([rows[int(known[np.abs(known - seats).argmin()])] for seats in form.seats])

"""A run of learning: from a network that knows nothing, or from where an earlier run stopped, to a master and the story of it.

A run lives in a folder: `run.json` (what was asked, on which machine, and what it cost), `curve.jsonl` (a line a report),
`checkpoint.pt` (everything, to go on exactly) and `weights.safetensors` (the network as it is shipped).
"""

from __future__ import annotations

import copy
import json
import os
import platform
import random
import time
from collections.abc import Callable
from dataclasses import asdict
from math import isfinite
from pathlib import Path
from typing import Any

import torch

from zashiki import __version__
from zashiki.core.errors import ZashikiError
from zashiki.core.game import Game
from zashiki.learn.field import Field
from zashiki.learn.lessons import Teacher
from zashiki.learn.network import GridNetwork, Network, begin_alike, save
from zashiki.learn.playing import CROWD, Player, Sitting
from zashiki.learn.recipe import Recipe
from zashiki.learn.story import cut, passed

REPORTS = 200
"""How many lines the story of a run has."""
CHECKPOINTS = 10
AWAKE = 131_072
"""Decisions, at most, that tell which units of the network still do something: some of every part of the matches."""

Report = dict[str, Any]


class LostItsWay(ZashikiError):
    """A network has learned until nothing it says makes sense."""


class Run:
    """One run. The same seed, recipe and machine give the same network, in one go or resumed."""

    def __init__(self, recipe: Recipe, field: Field, folder: Path, seed: int, told: dict[str, str] | None = None) -> None:
        torch.manual_seed(seed)
        self.recipe, self.field, self.folder, self.seed, self.told = recipe, field, folder, seed, told or {}
        device = field.device
        self.network = new_network(field, recipe).to(device)
        self.magnet, self.past = copy.deepcopy(self.network), list[dict[str, Any]]()
        self.sitting = Sitting(field)
        self.player = Player(
            *(field, self.sitting, recipe.steps, recipe.trace), sides=recipe.sides, tries=recipe.tries, luck=recipe.luck
        )
        self.teacher = Teacher(self.network, self.magnet, recipe, device)
        self.decisions, self.seconds = 0, 0.0
        self._invited: list[int] = []
        self._asleep = 0.0
        self._chance = random.Random(seed)
        self._met: list[tuple[torch.Tensor, torch.Tensor]] = []
        folder.mkdir(parents=True, exist_ok=True)
        field.scatter(recipe.span)
        self._invite([])

    def start_from(self, network: Network) -> None:
        """Begins with what another network knows."""
        for each in (self.network, self.magnet):
            begin_alike(each, network)

    def face(self, opponent: Network) -> None:
        """Plays every match against this one, which does not learn."""
        self.sitting.invite(self.field, [opponent.to(self.field.device)], self.recipe.old)

    def go(self, on_report: Callable[[Report], None] = lambda report: None, until: int | None = None) -> None:
        """Plays and learns until the recipe's decisions are made, or so many in all."""
        recipe, last = self.recipe, min(self.recipe.decisions, until or self.recipe.decisions)
        while self.decisions < last:
            before, began = self.decisions, time.monotonic()
            played = self.player.play(self.network)
            lesson = self.teacher.learn(played, self.decisions / recipe.decisions)
            if not all(map(isfinite, lesson.values())):
                raise LostItsWay(
                    f"after {self.decisions:,} decisions what the network thinks is no number any more: --set a smaller rate"
                )
            self.decisions += int(played.ours.sum())
            self.seconds += time.monotonic() - began
            self._met.append(self.player.ended())
            if passed(before, self.decisions, recipe.refresh):
                self._asleep = self.teacher.wake(played.observations[:: -(-len(played.ours) // AWAKE)])
                self.magnet.load_state_dict(self.network.state_dict())
            if recipe.old < 1 and passed(before, self.decisions, recipe.keep_every):
                self._keep_self()
            if passed(before, self.decisions, -(-recipe.decisions // REPORTS)) or self.decisions >= last:
                on_report(self._report(lesson))
            if passed(before, self.decisions, -(-recipe.decisions // CHECKPOINTS)) or self.decisions >= last:
                self.save()

    def _keep_self(self) -> None:
        """Keeps a copy for the pool, and invites others from it. When there are too many, one from the middle goes."""
        self.past.append({name: tensor.clone() for name, tensor in self.network.state_dict().items()})
        if len(self.past) > self.recipe.kept:
            self.past.pop(self._chance.randrange(1, len(self.past) - 1))
        self._invite([self._chance.randrange(len(self.past)) for _ in range(min(self.recipe.opponents, len(self.past)))])

    def _invite(self, numbers: list[int]) -> None:
        self._invited = numbers
        opponents = []
        for number in numbers:
            opponents.append(copy.deepcopy(self.network))
            opponents[-1].load_state_dict(self.past[number])
        self.sitting.invite(self.field, opponents, self.recipe.old, self.recipe.crowd)

    def _report(self, lesson: dict[str, float]) -> Report:
        report: Report = {
            "decisions": self.decisions,
            "seconds": round(self.seconds, 3),
            "rate": round(self.decisions / self.seconds),
            **{name: round(value, 5) for name, value in lesson.items()},
            "asleep": round(self._asleep, 4),
            **self._against_others(),
        }
        with (self.folder / "curve.jsonl").open("a") as curve:
            curve.write(json.dumps(report) + "\n")
        return report

    def _against_others(self) -> dict[str, float]:
        """How many fair shares of the victory the learner won among past selves and in the crowd, since the last report."""
        matches, results = (torch.cat(parts) for parts in zip(*self._met, strict=True))
        self._met = []
        who, told = self.sitting.who[matches], dict[str, float](matches=len(matches))
        seats, own = self.field.seats[matches], (results * (who == 0)).sum(1)
        for name, met in (("past", ((who > 0) & (who < CROWD)).any(1)), ("crowd", (who == CROWD).any(1))):
            if met.any():
                told[f"against_{name}"] = round(float((own * seats)[met].mean()), 4)
                told[f"against_{name}_share"] = round(float(own[met].mean()), 4)
        return told

    def save(self) -> None:
        """Writes checkpoint, weights and what the run has cost so far."""
        gpu = self.field.device.type == "cuda"
        state = {
            "network": self.network.state_dict(),
            "magnet": self.magnet.state_dict(),
            "optimizer": self.teacher.optimizer.state_dict(),
            "past": self.past,
            "invited": self._invited,
            "field": self.field.snapshot(),
            "counts": (self.decisions, self.seconds),
            "asleep": self._asleep,
            "chance": self._chance.getstate(),
            "draws": torch.get_rng_state(),
            "gpu_draws": torch.cuda.get_rng_state() if gpu else None,
        }
        written = self.folder / "checkpoint.new"
        torch.save(state, written)
        written.replace(self.folder / "checkpoint.pt")
        save(self.network, self.folder / "weights.safetensors", {"decisions": str(self.decisions), **self.told})
        (self.folder / "run.json").write_text(json.dumps(self.story(), indent=1) + "\n")

    def resume(self) -> None:
        """Goes on where the folder's checkpoint was written, as if the run had never stopped."""
        state = torch.load(self.folder / "checkpoint.pt", map_location=self.field.device, weights_only=False)
        self.network.load_state_dict(state["network"])
        self.magnet.load_state_dict(state["magnet"])
        self.teacher.restore(state["optimizer"])
        self.past, (self.decisions, self.seconds) = state["past"], state["counts"]
        self._asleep = state["asleep"]
        self.field.restore(_on_host(state["field"]))
        self._invite(state["invited"])
        self._chance.setstate(state["chance"])
        torch.set_rng_state(state["draws"].cpu())
        if state["gpu_draws"] is not None:
            torch.cuda.set_rng_state(state["gpu_draws"].cpu())
        cut(self.folder / "curve.jsonl", self.decisions)

    def story(self) -> dict[str, Any]:
        """What was asked, where it ran and what it cost."""
        gpu = self.field.device.type == "cuda"
        return {
            **self.told,
            "seed": self.seed,
            "recipe": asdict(self.recipe),
            "bill": {
                "decisions": self.decisions,
                "seconds": round(self.seconds, 1),
                "decisions_per_second": round(self.decisions / max(self.seconds, 1e-9)),
                "device": torch.cuda.get_device_name() if gpu else platform.processor() or platform.machine(),
                "cores": os.cpu_count(),
            },
            "versions": {"zashiki": __version__, "torch": torch.__version__, "python": platform.python_version()},
        }


def new_network(field: Field, recipe: Recipe) -> Network:
    """A network that knows nothing, of the kind the recipe asks for."""
    sizes = (field.features, field.actions, recipe.width, recipe.depth, recipe.sense)
    if not recipe.grid:
        return Network(*sizes)
    assert field.grid is not None, "the game has no grid"
    return GridNetwork(field.grid, *sizes)


def told_of(game: Game) -> dict[str, str]:
    """What weights say about the game they play."""
    return {"game": game.id, "rules": str(game.version)}


def _on_host(value: Any) -> Any:
    if isinstance(value, list):
        return [_on_host(each) for each in value]
    return value.cpu()

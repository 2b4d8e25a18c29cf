"""What a lesson makes of a network, on decisions made up for it."""

from __future__ import annotations

import copy
from dataclasses import replace
from math import e

import pytest
import torch
from torch import Tensor

from zashiki.learn.lessons import Teacher
from zashiki.learn.network import MOST_SEATS, Network, chances
from zashiki.learn.playing import Played
from zashiki.learn.recipe import Recipe, Share

CPU = torch.device("cpu")
ROWS, FEATURES, ACTIONS = 64, 4, 3
PLAIN = Recipe((Share(2),), piece=32, rate=(1e-2, 1e-2), pull=0.0, wander=(0.0, 0.0))
SEEN = torch.ones(FEATURES)
LEGAL = torch.tensor([True, True, False])


def teacher(recipe: Recipe = PLAIN) -> Teacher:
    torch.manual_seed(1)
    network = Network(FEATURES, ACTIONS, 16, 1)
    return Teacher(network, copy.deepcopy(network), recipe, CPU)


def played(ahead: Tensor | None = None, gains: list[float] | None = None) -> Played:
    """The same decision many times over: two legal actions of three, and what came of it, or what trials say."""
    luck = torch.zeros(ROWS) if ahead is None else ahead
    return Played(
        observations=SEEN.repeat(ROWS, 1),
        legal=LEGAL.repeat(ROWS, 1),
        seats=torch.full((ROWS,), 2),
        actions=(luck < 0).long(),
        chances=torch.full((ROWS,), 0.5).log(),
        ahead=luck,
        shares=torch.tensor([0.75, 0.25, 0, 0, 0, 0]).repeat(ROWS, 1),
        ours=torch.ones(ROWS, dtype=torch.bool),
        crowds=torch.zeros(ROWS, dtype=torch.bool),
        spread=torch.tensor(0.2),
        gains=None if gains is None else torch.tensor(gains).half().repeat(ROWS, 1),
    )


def policy(network: Network) -> list[float]:
    logits, _ = network(SEEN)
    return [float(chance) for chance in chances(logits.detach(), LEGAL).exp()]


def test_zeros_at_the_end_of_what_is_seen_change_nothing() -> None:
    plain, wide = teacher(), teacher()
    lesson = played(torch.tensor([1.0, -1.0] * (ROWS // 2)))
    wider = lesson._replace(observations=torch.cat([lesson.observations, torch.zeros(ROWS, 4)], 1))
    torch.manual_seed(2)
    plain.learn(lesson, 0.0)
    torch.manual_seed(2)
    wide.learn(wider, 0.0)
    for one, other in zip(plain.network.parameters(), wide.network.parameters(), strict=True):
        assert torch.allclose(one, other, atol=1e-6)
    assert wide.wake(wider.observations) == plain.wake(lesson.observations)


def test_what_went_better_than_expected_becomes_likelier() -> None:
    learner = teacher()
    for _ in range(20):
        learner.learn(played(ahead=torch.linspace(-1, 1, ROWS)), 0)
    assert policy(learner.network)[0] > 0.6


def test_what_the_heuristic_leans_to_is_part_of_the_policy_that_learns() -> None:
    learner = teacher(replace(PLAIN, pull=1.0))
    learner.network.sense = learner.magnet.sense = 2.0
    leanings = torch.tensor([0.0, -0.5, 0.0]).repeat(ROWS, 1)
    network = learner.network
    likely = chances(network(SEEN)[0].detach() + 2 * leanings[0], LEGAL)
    told = learner.learn(played()._replace(leanings=leanings, chances=likely[:1].repeat(ROWS)), 0)
    assert told["moved"] == pytest.approx(0, abs=1e-4)
    assert told["distance"] == pytest.approx(0, abs=1e-4)
    assert told["entropy"] == pytest.approx(float(-(likely.exp() * likely)[:2].sum()), abs=1e-3)


def test_others_decisions_tell_what_to_expect_but_not_what_to_do() -> None:
    learner = teacher()
    before = policy(learner.network)
    for layer in learner.network.layers:
        layer.requires_grad_(False)
    ours = torch.arange(ROWS) % 2 == 0
    gains = torch.where(ours[:, None], 0.0, torch.tensor([0.0, 0.5, 0.0])).half()
    for _ in range(200):
        learner.learn(played()._replace(ours=ours, gains=gains), 0)
    assert policy(learner.network) == before
    expected = chances(learner.network.expect(SEEN).detach(), torch.arange(MOST_SEATS) < 2).exp()
    assert float(expected[0]) == pytest.approx(0.75, abs=0.02)


def test_the_crowd_is_imitated_at_first_and_no_longer_when_its_part_of_the_run_is_over() -> None:
    learner = teacher(replace(PLAIN, crowd=0.5, imitate=0.25))
    before = policy(learner.network)
    crowded = played()._replace(ours=torch.arange(ROWS) % 2 == 0, crowds=torch.arange(ROWS) % 2 == 1)
    for _ in range(5):
        learner.learn(crowded, 0.25)
    assert policy(learner.network) == pytest.approx(before, abs=0.01)
    for _ in range(50):
        learner.learn(crowded, 0.0)
    assert policy(learner.network)[0] > 0.9


def test_the_best_action_tried_becomes_certain() -> None:
    learner = teacher()
    for _ in range(200):
        learner.learn(played(gains=[0.0, 0.05, 0.0]), 0)
    assert policy(learner.network)[1] > 0.95


def test_a_pull_holds_the_policy_near_its_magnet() -> None:
    free, held = teacher(), teacher(replace(PLAIN, pull=2.0))
    for learner in (free, held):
        for _ in range(200):
            learner.learn(played(gains=[0.0, 0.05, 0.0]), 0)
    assert 0.5 < policy(held.network)[1] < policy(free.network)[1] - 0.2


def test_wandering_keeps_the_policy_undecided() -> None:
    learner = teacher(replace(PLAIN, wander=(0.25, 0.25)))
    for _ in range(300):
        learner.learn(played(gains=[0.0, 0.05, 0.0]), 0)
    assert policy(learner.network) == pytest.approx([1 / (1 + e), e / (1 + e), 0], abs=0.02)


def test_what_each_seat_came_to_is_what_is_expected() -> None:
    learner = teacher()
    for _ in range(100):
        learner.learn(played(gains=[0.0, 0.0, 0.0]), 0)
    expected = chances(learner.network.expect(SEEN).detach(), torch.arange(MOST_SEATS) < 2).exp()
    assert float(expected[0]) == pytest.approx(0.75, abs=0.01)


def test_what_is_learned_in_a_rehearsal_is_forgotten() -> None:
    learner = teacher()
    for known in (0, 1):
        weights, moments = copy.deepcopy(learner.network.state_dict()), copy.deepcopy(learner.optimizer.state_dict())
        forget = learner._remember()
        learner.learn(played(gains=[0.2, 0.0, 0.0]), 0)
        assert not torch.equal(learner.network.policy.bias, weights["policy.bias"])
        forget()
        assert all(torch.equal(now, weights[name]) for name, now in learner.network.state_dict().items())
        steps = [state["step"] for state in learner.optimizer.state_dict()["state"].values()]
        assert steps == [state["step"] for state in moments["state"].values()] or (known == 0 and not any(steps))
        learner.learn(played(gains=[0.2, 0.0, 0.0]), 0)


def test_units_that_nothing_lights_begin_anew_without_changing_what_is_thought() -> None:
    learner = teacher()
    learner.learn(played(gains=[0.2, 0.0, 0.0]), 0)
    network, seen = learner.network, torch.rand(50, FEATURES)
    first = network.layers[0]
    assert isinstance(first, torch.nn.Linear)
    with torch.no_grad():
        first.bias[:8] = -100
        network.policy.weight[:, :8] = 3
    before = [part.detach().clone() for part in network(seen)]
    assert learner.wake(seen) == pytest.approx(0.5, abs=0.2)
    assert all(torch.allclose(now, then, atol=1e-6) for now, then in zip(network(seen), before, strict=True))
    assert (torch.relu(first(seen))[:, :8] > 0).any(0).sum() >= 4
    assert (network.policy.weight[:, :8] == 0).all()
    assert (learner.optimizer.state[first.bias]["exp_avg"][:8] == 0).all()
    assert (learner.optimizer.state[first.bias]["exp_avg"][8:] != 0).any()

"""Who sits where, and what came of each decision."""

from __future__ import annotations

import pytest
import torch

from zashiki.core.gears import GEAR
from zashiki.games import find
from zashiki.learn.field import Matches
from zashiki.learn.network import Network
from zashiki.learn.playing import Player, Sitting, draw
from zashiki.learn.recipe import Share

pytestmark = pytest.mark.skipif(GEAR == "python", reason="learning needs no other gear")
CPU = torch.device("cpu")


def kasane(count: int = 60) -> Matches:
    return Matches(find("kasane"), (Share(2), Share(3), Share(4)), count, CPU, seed=5)


def network_for(field: Matches) -> Network:
    torch.manual_seed(1)
    return Network(field.features, field.actions, 16, 1)


def test_parts_of_a_field_have_their_own_seats() -> None:
    assert kasane().seats.tolist() == [2] * 20 + [3] * 20 + [4] * 20


def test_where_opponents_are_invited_the_learner_keeps_one_seat() -> None:
    field = kasane()
    sitting = Sitting(field)
    sitting.invite(field, [network_for(field)] * 2, 0.5)
    kept = [(sitting.who[i, : int(field.seats[i])] == 0).sum().item() for i in range(field.count)]
    alone = [count == 1 for count in kept]
    assert sum(alone) == 30
    assert all(count == seats for count, seats, only in zip(kept, field.seats.tolist(), alone, strict=True) if not only)
    assert set(sitting.who.flatten().tolist()) == {0, 1, 2}


def test_the_learner_sits_everywhere() -> None:
    field = kasane(120)
    sitting = Sitting(field)
    sitting.invite(field, [network_for(field)], 1.0)
    places = [(sitting.who[i] == 0).nonzero()[0].item() for i in range(80, 120)]
    assert set(places) == {0, 1, 2, 3}


def test_only_the_learners_decisions_are_its_own() -> None:
    field = kasane()
    sitting = Sitting(field)
    sitting.invite(field, [network_for(field)], 1.0)
    played = Player(field, sitting, 8, 0.9).play(network_for(field))
    assert 0 < int(played.ours.sum()) < len(played.ours)


def test_no_action_is_drawn_that_is_not_legal() -> None:
    logits, legal = torch.randn(500, 40) * 20, torch.rand(500, 40) < 0.1
    legal[:, 7] = True
    actions, likely = draw(logits, legal)
    assert legal[torch.arange(500), actions].all()
    assert (likely <= 0).all()


def test_actions_are_drawn_as_often_as_they_are_likely() -> None:
    torch.manual_seed(2)
    logits = torch.tensor([0.0, 1.0, -1.0]).repeat(60_000, 1)
    actions, _ = draw(logits, torch.ones_like(logits, dtype=torch.bool))
    often = torch.bincount(actions, minlength=3) / len(actions)
    assert torch.allclose(often, logits[0].softmax(0), atol=0.01)


def test_a_match_that_ends_is_worth_its_result_to_each_seat_as_that_seat_counts() -> None:
    """Played to the end with full trace, every decision of a match leads to the result, seats counted from whoever decided."""
    field = Matches(find("hanamikoji"), (Share(2, {"rounds": 1}),), 32, CPU, seed=1)
    player = Player(field, Sitting(field), 12, 1.0)
    played = player.play(network_for(field))
    shares, acting = played.shares.view(12, 32, 6), player._acting
    for match in range(32):
        ends = player._done[:, match].nonzero()
        if not len(ends):
            continue
        end = int(ends[0])
        for step in range(end + 1):
            own = int(acting[step, match])
            assert shares[step, match, 0] == player._results[end, match, own]
            assert shares[step, match, 1] == player._results[end, match, 1 - own]


def test_what_was_expected_adds_up_to_one_victory_for_any_number_of_seats() -> None:
    field = kasane()
    player = Player(field, Sitting(field), 2, 0.9)
    played = player.play(network_for(field))
    assert torch.allclose(played.shares.sum(1), torch.ones(len(played.shares)), atol=1e-5)
    seats = played.seats
    assert (played.shares[seats == 2][:, 2:] == 0).all()

"""Who sits where, and what came of each decision."""

from __future__ import annotations

import pytest
import torch

from zashiki.core.gears import GEAR
from zashiki.games import find
from zashiki.learn.field import Matches
from zashiki.learn.network import Network, chances
from zashiki.learn.playing import CROWD, Player, Sitting, draw
from zashiki.learn.recipe import Share

pytestmark = pytest.mark.skipif(GEAR == "python", reason="learning needs no other gear")
CPU = torch.device("cpu")


def kasane(count: int = 60) -> Matches:
    return Matches(find("kasane"), (Share(2), Share(3), Share(4)), count, CPU, seed=5)


def network_for(field: Matches) -> Network:
    torch.manual_seed(1)
    return Network(field.features, field.actions, 16, 1)


def states(field: Matches) -> torch.Tensor:
    """The records of its three parts, a row each."""
    return torch.cat([kept[0].view(field.count // 3, -1) for kept in field.snapshot()])


def test_parts_of_a_field_have_their_own_seats() -> None:
    assert kasane().seats.tolist() == [2] * 20 + [3] * 20 + [4] * 20


def test_scattered_matches_have_come_as_far_as_any_number_of_decisions_within_the_span() -> None:
    field, together = kasane(), kasane()
    field.scatter(10)
    far = torch.full((field.count,), -1)
    for step in range(10):
        far[(far < 0) & (states(field) == states(together)).all(1)] = step
        together.step(together.sensible()[0])
    assert far.tolist()[:3] == [0, 9, 9]
    assert far.bincount().tolist() == [6] * 10


def test_where_opponents_are_invited_the_learner_keeps_one_seat() -> None:
    field = kasane()
    sitting = Sitting(field)
    sitting.invite(field, [network_for(field)] * 2, 0.5)
    kept = [(sitting.who[i, : int(field.seats[i])] == 0).sum().item() for i in range(field.count)]
    alone = [count == 1 for count in kept]
    assert sum(alone) == 30
    assert all(count == seats for count, seats, only in zip(kept, field.seats.tolist(), alone, strict=True) if not only)
    assert set(sitting.who.flatten().tolist()) == {0, 1, 2}


def test_past_selves_and_the_crowd_share_the_matches() -> None:
    field = kasane(120)
    sitting = Sitting(field)
    sitting.invite(field, [network_for(field)], 0.25, crowd=0.5)
    who = [set(sitting.who[i, : int(field.seats[i])].tolist()) for i in range(field.count)]
    assert [who.count(those) for those in ({0}, {0, 1}, {0, CROWD})] == [30, 30, 60]
    assert {int(field.seats[i]) for i in range(field.count) if CROWD in who[i]} == {2, 3, 4}


def test_in_a_crowd_others_do_what_the_heuristic_would_and_the_learner_does_not() -> None:
    torch.manual_seed(2)
    field, same = kasane(), kasane()
    sitting = Sitting(field)
    sitting.invite(field, [], 0.0, crowd=1.0)
    played = Player(field, sitting, 1, 0.9).play(network_for(field))
    sensible = same.sensible()[0] == played.actions
    assert sensible[~played.ours].all()
    assert 0.1 < float(sensible[played.ours].float().mean()) < 0.9


def test_a_policy_may_begin_as_the_heuristic() -> None:
    field, same = kasane(), kasane()
    network = network_for(field)
    network.sense = 2.0
    torch.nn.init.zeros_(network.policy.weight)
    played = Player(field, Sitting(field), 1, 0.9).play(network)
    _, leanings = same.sensible()
    likely = chances(2 * leanings, same.legal)
    assert torch.allclose(played.chances, likely.gather(1, played.actions[:, None])[:, 0], atol=1e-5)
    assert played.leanings is not None
    assert torch.equal(played.leanings, leanings)


def test_everybody_leans_as_the_own_network_does() -> None:
    """An opponent with no sense of its own, sure of the highest legal action, is not kept from it by the learner's."""
    field = kasane()
    network, other = network_for(field), network_for(field)
    network.sense = 1.0
    torch.nn.init.zeros_(other.policy.weight)
    with torch.no_grad():
        other.policy.bias.copy_(100.0 * torch.arange(field.actions))
    sitting = Sitting(field)
    sitting.invite(field, [other], 1.0)
    played = Player(field, sitting, 3, 0.9).play(network)
    highest = torch.where(played.legal, torch.arange(field.actions), -1).amax(1)
    assert (played.actions == highest)[~played.ours].all()
    assert not (played.actions == highest)[played.ours].all()


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


def hoping(field: Matches) -> Network:
    """A network that expects something else everywhere."""
    network = network_for(field)
    torch.nn.init.normal_(network.value.weight, std=0.3)
    return network


def test_every_action_is_tried_in_a_share_of_the_matches() -> None:
    field = kasane()
    player = Player(field, Sitting(field), 4, 0.9, tries=0.5)
    played = player.play(hoping(field))
    assert played.gains is not None
    gains, legal = played.gains.view(4, 60, -1), played.legal.view(4, 60, -1)
    assert (gains[~legal] == 0).all()
    several = legal.sum(2) > 1
    looked_at = [*range(10), *range(20, 30), *range(40, 50)]
    assert ((gains != 0).any(2) == several)[:, looked_at].all()
    assert (gains[:, [i for i in range(60) if i not in looked_at]] == 0).all()


def test_of_what_came_beyond_a_trial_only_a_part_counts() -> None:
    beyond = {}
    for luck in (0.0, 1.0):
        field = kasane()
        torch.manual_seed(3)
        beyond[luck] = Player(field, Sitting(field), 4, 0.9, tries=1.0, luck=luck).play(hoping(field))
    several = beyond[0.0].legal.sum(1) > 1
    assert (beyond[0.0].ahead[several] == 0).all()
    assert (beyond[1.0].ahead[several] != 0).any()
    assert torch.equal(beyond[0.0].shares, beyond[1.0].shares)


def test_a_trial_expects_what_is_expected_when_the_seat_decides_again() -> None:
    """In Kohoju a seat draws, lays and discards; what it expects after one of these it expects before the next."""
    field = Matches(find("kohoju"), (Share(2, {"target": 10}),), 40, CPU, seed=2)
    player = Player(field, Sitting(field), 12, 0.9, sides=True, tries=1.0)
    played = player.play(hoping(field))
    assert played.gains is not None
    gains = played.gains.view(12, 40, -1).gather(2, player._actions[..., None])[..., 0].float()
    expected = player._worths.gather(2, torch.cat([player._acting, player._acting[-1:]])[..., None])[..., 0]
    again = (player._acting[1:] == player._acting[:-1]) & ~player._done[:-1] & (player._legal[:-1].sum(2) > 1)
    assert again.sum() > 100
    assert torch.allclose((gains[:-1] + expected[:-2])[again], expected[1:-1][again], atol=1e-3)


def test_who_watches_learns_what_came_as_it_counts_the_seats() -> None:
    field = Matches(find("hanamikoji"), (Share(2, {"rounds": 1}),), 32, CPU, seed=1)
    player = Player(field, Sitting(field), 12, 1.0, sides=True)
    played = player.play(network_for(field))
    assert played.beside is not None
    assert played.beside.shares.shape == (32, 6)
    assert not torch.equal(played.beside.observations, player._observations[0])
    for match in range(32):
        ends = player._done[:, match].nonzero()
        if len(ends):
            watching = 1 - int(player._acting[0, match])
            assert played.beside.shares[match, 0] == player._results[int(ends[0]), match, watching]


def test_every_seat_believes_what_it_came_to_itself_and_leaves_the_others_the_rest() -> None:
    field = kasane()
    player = Player(field, Sitting(field), 3, 0.9, sides=True)
    played = player.play(hoping(field))
    assert played.beside is not None
    for shares in (played.shares, played.beside.shares):
        assert torch.allclose(shares.sum(1), torch.ones(len(shares)), atol=1e-5)
    expected = player._worths[:-1].gather(2, player._acting[..., None])[..., 0].flatten()
    assert torch.allclose(played.shares[:, 0] - expected, played.ahead, atol=1e-5)


def test_with_all_luck_a_trial_changes_nothing_on_average() -> None:
    """What is gained by the action taken, and what came beyond it, are together what came beyond what was expected."""
    found = []
    for tries in (0.0, 1.0):
        field = kasane()
        torch.manual_seed(3)
        found.append(Player(field, Sitting(field), 4, 0.9, tries=tries).play(hoping(field)))
    plain, tried = found
    assert tried.gains is not None
    gained = tried.gains.gather(1, tried.actions[:, None])[:, 0].float()
    assert torch.equal(plain.actions, tried.actions)
    assert torch.allclose(gained + tried.ahead, plain.ahead, atol=2e-3)

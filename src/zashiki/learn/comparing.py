"""Policy against policy: what one network or skill wins among copies of another, without any search."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from zashiki.bots.sense import heuristics
from zashiki.bots.skills import kept_policy
from zashiki.bots.weights import WrongWeights, check_told, read_file
from zashiki.core.extras import extra
from zashiki.core.game import Game
from zashiki.learn.skills import won_by
from zashiki.learn.strength import Strength

MOST_AT_ONCE = 256
"""Matches of networks side by side on a processor, at most."""


def compare(game: Game, one: Path, others: Path, seats: int, matches: int, seed: int, cores: int) -> Strength:
    """The first alone among the others, in every seat about as often. A network may know fewer features than there are now."""
    both = [read_file(file, only_told=True)[0] for file in (one, others)]
    for file, told in zip((one, others), both, strict=True):
        check_told(file, told, {"game": game.id, "rules": game.version})
    skills = ["traits" in told for told in both]
    if skills[0] != skills[1]:
        raise WrongWeights(f"of {one} and {others} one is a network and one a skill: only their like can be compared")
    if skills[0]:
        return compare_skills(game, one, others, seats, matches, seed, cores)
    return compare_networks(game, one, others, seats, matches, seed)


def compare_skills(game: Game, one: Path, others: Path, seats: int, matches: int, seed: int, cores: int) -> Strength:
    """Each plays what it likes best."""
    heuristics(game)
    with ThreadPoolExecutor(cores) as pool:
        return won_by(game, [kept_policy(game, one), kept_policy(game, others)], seats, matches, seed, pool)


def compare_networks(game: Game, one: Path, others: Path, seats: int, matches: int, seed: int) -> Strength:
    """Each draws its actions from its policy."""
    with extra("learn"):
        import torch

        from zashiki.learn.field import Matches
        from zashiki.learn.measuring import against_network
        from zashiki.learn.network import load
    from zashiki.learn.recipe import Share

    torch.manual_seed(seed)
    field = Matches(game, [Share(seats)], min(matches, MOST_AT_ONCE), torch.device("cpu"), seed)
    return against_network(field, load(one), load(others), matches, under_way=False)

"""Kohoju by skill: what is looked at in actions and positions, what is made of it, and who plays by it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.bots.learned import described, random_skill, write_skill
from tests.core.test_grid import exchanged, in_other_colours
from zashiki.bots import find_bot
from zashiki.bots.asking import hints
from zashiki.bots.bot import Budget
from zashiki.bots.kohoju.hopes import HOPES, look_forward
from zashiki.bots.kohoju.learned import FORM, guesses_of
from zashiki.bots.kohoju.player import KohojuFastMaster, KohojuMaster
from zashiki.bots.kohoju.sight import LINES, Sight, line_of, look
from zashiki.bots.kohoju.skilled import SITUATIONS, evaluate_by_skill, weigh_by_skill
from zashiki.bots.kohoju.traits import KEEPSAKE, OFFSETS, SORTS, TAKE, TRAITS
from zashiki.bots.masters import MasterBot
from zashiki.bots.skills import kept_policy, skill_of
from zashiki.bots.weights import WrongWeights, has_skill, network_of
from zashiki.core.gears import GEAR
from zashiki.core.match import Match
from zashiki.core.state import State
from zashiki.games import find
from zashiki.games.kohoju.cards import KINDS, POINTS
from zashiki.games.kohoju.piles import CROSS
from zashiki.games.kohoju.rules import DISCARD_FROM, OPEN_FROM

KOHOJU = find("kohoju")
FEW = 60 if GEAR != "python" else 6
MANY = 12 if GEAR != "python" else 1


def decisions(matches: int, seats: int | None = None) -> Iterator[tuple[State, int, list[int]]]:
    """Decisions of matches that careless players play: the state, who decides and what is legal."""
    entrant = find_bot(KOHOJU, "careless")
    for seed in range(matches):
        match = Match(KOHOJU, seats or FORM.seats[seed % len(FORM.seats)], options={"target": 20}, seed=seed)
        bot = entrant.sit_down(seed)
        while not match.over and (GEAR != "python" or len(match.history) < 60):
            seat = match.to_act[0]
            legal = match.legal_actions(seat).numbers
            yield match.state, seat, legal
            match.play(seat, bot.choose(match.view(seat), seat, legal, Budget()))


def described_by_sorts(state: State, seat: int, legal: list[int]) -> tuple[Any, Any, int]:
    """The traits of all actions, of which sort each is, and the situation."""
    traits, spans, row = described(state, seat, legal)
    return traits, [OFFSETS.tolist().index(start) for start in spans[:, 0].tolist()], row


def seen(state: State, seat: int) -> Sight:
    best, cards, unseen, lines = np.zeros(KINDS, np.int64), np.zeros(KINDS, np.int64), np.zeros(KINDS, np.int64), np.zeros(LINES)
    return look(state.records[0], seat, best, cards, lines, unseen)


def test_traits_are_told_from_the_own_view_alone() -> None:
    for state, seat, legal in decisions(MANY):
        ours, theirs = described_by_sorts(state, seat, legal), described_by_sorts(state.view(seat), seat, legal)
        assert np.array_equal(ours[0], theirs[0])
        assert np.array_equal(ours[1], theirs[1])
        assert ours[2] == theirs[2]


@pytest.mark.skipif(GEAR == "python", reason="it takes many decisions")
def test_every_trait_and_every_hope_is_met() -> None:
    met, hoped = np.zeros(TRAITS, bool), np.zeros(len(HOPES), bool)
    looked_at = np.zeros(len(HOPES))
    for state, seat, legal in decisions(120):
        traits, sorts, row = described_by_sorts(state, seat, legal)
        assert 0 <= row < SITUATIONS
        for sort, each in zip(sorts, traits, strict=True):
            size = len(SORTS[sort])
            assert not each[size:].any()
            met[OFFSETS[sort] : OFFSETS[sort] + size] |= each[:size] != 0
        for other in range(int(state.record.seats)):
            look_forward(state.records[0], other, looked_at)
            hoped |= looked_at != 0
    names = [(sort, name) for sort in range(len(SORTS)) for name in SORTS[sort]]
    unmet = {each for each, is_met in zip(names, met, strict=True) if not is_met}
    # A card on the discard pile is described as a keepsake only where it would be the best of its kind.
    assert unmet == {(TAKE, name) for name in KEEPSAKE[20:24]}
    assert [name for name, is_met in zip(HOPES, hoped, strict=True) if not is_met] == []


def test_in_other_colours_every_action_has_the_same_traits() -> None:
    """Where two lines are supported alike, it is by chance which is thought of first: those are left out."""
    compared = 0
    for number, (state, seat, legal) in enumerate(decisions(MANY)):
        if number % 9 or len(set(seen(state, seat).lines)) < LINES:
            continue
        kinds = exchanged(number)
        cards = (kinds[:, None] * POINTS + np.arange(POINTS)).reshape(-1)
        others = [
            a if a < OPEN_FROM else a - (a - OPEN_FROM) % len(cards) + int(cards[(a - OPEN_FROM) % len(cards)]) for a in legal
        ]
        ours, theirs = described_by_sorts(state, seat, legal), described_by_sorts(in_other_colours(state, kinds), seat, others)
        assert np.allclose(ours[0], theirs[0])
        assert ours[2] == theirs[2]
        compared += 1
    assert compared > 0 or GEAR == "python"


def test_a_line_begun_is_filled_with_what_the_hand_has_more_of() -> None:
    best = np.zeros(KINDS, np.int64)
    best[[1, 5, 10]] = 3, 1, 1  # beside the first kind: one of its colour, two of its symbol
    cross = int(CROSS[0])
    assert line_of(cross, best) == 1 << 5 | 1 << 10 | 1 << 15 | 1 << 20
    best[[2, 3]] = 5
    assert line_of(cross, best) == 0b11110
    assert line_of(0b1100, best) == 0b1100


def test_weights_of_a_policy_add_up_and_follow_one_trait(skilled: Path) -> None:
    policy = np.zeros((SITUATIONS, TRAITS))
    dear = SORTS[3].index("points")
    policy[:, OFFSETS[3] + dear] = 1
    for state, seat, legal in decisions(1):
        weights = np.zeros(len(legal))
        weigh_by_skill(state.records[0], seat, np.array(legal, np.int64), weights, policy)
        assert weights.sum() == pytest.approx(1)
        discards = [(weight, (action - DISCARD_FROM) % POINTS) for weight, action in zip(weights, legal, strict=True)]
        if min(legal) >= DISCARD_FROM:
            assert max(discards)[1] == max(points for _, points in discards)


def test_chances_by_hope_add_up_and_follow_the_points_in_hand() -> None:
    hopes = np.zeros((SITUATIONS, len(HOPES)))
    hopes[:, HOPES.index("points in hand")] = -1
    for number, (state, _, _) in enumerate(decisions(1, 2)):
        worth = np.zeros(6)
        evaluate_by_skill(state.records[0], worth, hopes)
        assert worth[:2].sum() == pytest.approx(1)
        if number == 1:
            points = [sum(int(card) % POINTS + 1 for card in state.record.hands[s] if card >= 0) for s in range(2)]
            assert (worth[0] > worth[1]) == (points[0] < points[1])


def test_who_has_a_skill_plays_by_it_and_gives_hints_with_points(skilled: Path) -> None:
    assert has_skill(KOHOJU)
    match = Match(KOHOJU, 3, seed=1)
    seat = match.to_act[0]
    assert isinstance(find_bot(KOHOJU, "master").sit_down(1), KohojuMaster)
    assert isinstance(find_bot(KOHOJU, "master-fast").sit_down(1), KohojuFastMaster)
    found = hints(match.view(seat), seat, Budget(iterations=FEW))
    assert 0 < sum(hint.tries for hint in found) <= FEW
    assert all(hint.points is not None for hint in found)
    assert KohojuFastMaster(KOHOJU, 1).estimates(match.view(seat), seat, Budget())[0].tries > 0


@pytest.mark.parametrize("name", [f"master@{FEW // 6}", "master-fast"])
def test_a_skill_plays_a_match_to_its_end(skilled: Path, name: str) -> None:
    match = Match(KOHOJU, 2, options={"target": 10}, seed=2)
    entrant = find_bot(KOHOJU, name)
    bots = [entrant.sit_down(seat) for seat in range(2)]
    while not match.over and len(match.history) < (3_000 if GEAR != "python" else 12):
        seat = match.to_act[0]
        match.act(seat, bots[seat].choose(match.view(seat), seat, match.legal_actions(seat).numbers, entrant.budget))
    assert match.over or GEAR == "python" or match.view(0).record.deal_number > 1


def test_the_same_seed_and_iterations_give_the_same_estimates_by_skill(skilled: Path) -> None:
    match = Match(KOHOJU, 2, seed=3)
    seat = match.to_act[0]
    first, again, other = (
        KohojuMaster(KOHOJU, seed).estimates(match.view(seat), seat, Budget(iterations=FEW)) for seed in (5, 5, 6)
    )
    assert first == again != other


def test_a_network_of_kohoju_still_makes_a_master(learned: Path) -> None:
    assert not has_skill(KOHOJU)
    assert type(find_bot(KOHOJU, "master").sit_down(1)) is MasterBot


def test_skills_that_do_not_fit_are_refused(skilled: Path) -> None:
    with pytest.raises(WrongWeights, match="cannot be read"):
        network_of(KOHOJU)
    assert kept_policy(KOHOJU, skilled / "kohoju-skill.safetensors").shape == (FORM.parts, TRAITS)
    whole = random_skill(KOHOJU)
    with pytest.MonkeyPatch.context() as patch:
        for name, tensors, told, refusal in (
            ("torn", {"policy": whole["policy"]}, {}, "are not whole: hopes"),
            ("short", whole | {"policy": np.zeros((2, TRAITS), np.float32)}, {}, "are not whole: policy"),
            ("old", whole, {"rules": 0}, "were learned with rules 0"),
            ("strange", whole, {"traits": 3}, "were learned with traits 3"),
        ):
            write_skill(skilled / name, KOHOJU, tensors, **told)
            patch.setenv("ZASHIKI_WEIGHTS", str(skilled / name))
            with pytest.raises(WrongWeights, match=refusal):
                skill_of(KOHOJU, 2)
        write_skill(skilled / "clueless", KOHOJU, {name: tensor for name, tensor in whole.items() if name != "guesses"})
        patch.setenv("ZASHIKI_WEIGHTS", str(skilled / "clueless"))
        with pytest.raises(WrongWeights, match="are not whole: guesses"):
            guesses_of(KOHOJU, 2)

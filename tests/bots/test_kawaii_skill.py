"""Kawaii by skill: what is looked at in claims and positions, what is made of it, and who plays by it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.bots.learned import described, random_skill, random_tensors, write_skill, write_weights
from tests.bots.test_kawaii import CONE, DULL, KAWAII, ME, MINE, NEIGHBOUR, STRAWBERRY, THIRD, contest, ice, window
from zashiki.bots import find_bot
from zashiki.bots.asking import hints
from zashiki.bots.bot import Budget
from zashiki.bots.heuristics import kawaii_live
from zashiki.bots.kawaii.hopes import HOPES, look_forward
from zashiki.bots.kawaii.learned import FORM, first_policy
from zashiki.bots.kawaii.skilled import evaluate_by_skill, gained, scored
from zashiki.bots.kawaii.traits import CLAIM
from zashiki.bots.levels import levels_of
from zashiki.bots.masters import FastMasterBot, MasterBot
from zashiki.bots.plain import weights, weights_by_skill
from zashiki.bots.sense import NO_SKILL, Skill, heuristics
from zashiki.bots.skills import known_skill
from zashiki.bots.weights import WrongWeights
from zashiki.core.gears import GEAR
from zashiki.core.match import Match
from zashiki.core.state import State
from zashiki.games.kawaii.cards import CHERRY, CLOSED_SHOP
from zashiki.games.kawaii.rules import ANSWER_PASS
from zashiki.games.kawaii.table import AT_LIVE_PACE, WINDOW

MANY, LONG = (9, 10_000) if GEAR != "python" else (3, 60)
NO_HOPES = np.zeros((FORM.outlooks, FORM.hopes))


@pytest.fixture(autouse=True)
def known() -> None:
    heuristics(KAWAII)


@pytest.fixture
def kawaii_learned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Kawaii has been learned, badly: a network and a skill beside it."""
    write_weights(tmp_path, KAWAII)
    write_skill(tmp_path, KAWAII, random_skill(KAWAII))
    monkeypatch.setenv("ZASHIKI_WEIGHTS", str(tmp_path))
    return tmp_path


def decisions(matches: int, **options: Any) -> Iterator[tuple[State, int, list[int]]]:
    """Windows of matches that careless players play: the state, who decides and what is legal."""
    entrant = find_bot(KAWAII, "careless")
    for seed in range(matches):
        match = Match(KAWAII, FORM.seats[seed % len(FORM.seats)], options=options, seed=seed)
        bot = entrant.sit_down(seed)
        while not match.over and len(match.history) < LONG:
            seat = match.to_act[-1]
            legal = match.legal_actions(seat).numbers
            if int(match.state.record.phase) == WINDOW and len(legal) > 1:
                yield match.state, seat, legal
            match.play(seat, bot.choose(match.view(seat), seat, legal, Budget()))


def trait(state: State, name: str, pile: int = NEIGHBOUR, seat: int = ME) -> float:
    """One trait of a claim on a pile."""
    traits, _, _ = described(state, seat, state.legal(seat))
    return float(traits[state.legal(seat).index(pile), CLAIM.index(name)])


def by(policy: Any, state: State, seat: int) -> Any:
    """How likely a policy makes each of a seat's actions."""
    skill = Skill(FORM.spread(policy, int(state.record.seats)), NO_HOPES)
    return weights_by_skill(state.view(seat), seat, state.legal(seat), skill)


def test_traits_are_told_from_the_own_view_alone() -> None:
    for state, seat, legal in decisions(MANY):
        for ours, theirs in zip(described(state, seat, legal), described(state.view(seat), seat, legal), strict=True):
            assert np.array_equal(ours, theirs)


@pytest.mark.skipif(GEAR == "python", reason="it takes many decisions")
def test_every_trait_and_every_hope_is_met() -> None:
    met, hoped, looked_at = np.zeros(FORM.traits, bool), np.zeros(FORM.hopes, bool), np.zeros(FORM.hopes)
    for state, seat, legal in decisions(30):
        traits, spans, row = described(state, seat, legal)
        assert 0 <= row < FORM.situations
        assert np.isfinite(traits).all()
        assert spans[:, 1].tolist() == [FORM.traits if action < ANSWER_PASS else 0 for action in legal]
        met |= (traits != 0).any(0)
        for other in range(int(state.record.seats)):
            look_forward(state.records[0], other, looked_at)
            hoped |= looked_at != 0
    assert [name for name, is_met in zip(CLAIM, met, strict=True) if not is_met] == []
    assert [name for name, is_met in zip(HOPES, hoped, strict=True) if not is_met] == []


def test_the_first_policy_is_the_heuristic() -> None:
    for state, seat, legal in decisions(MANY):
        found = np.array(weights(state.view(seat), seat, legal))
        assert np.allclose(by(first_policy(), state, seat), found / found.sum(), atol=1e-6)


def test_a_policy_follows_what_it_looks_at() -> None:
    policy = np.zeros((FORM.parts, FORM.traits))
    policy[0, CLAIM.index("points")] = 1
    state = window({NEIGHBOUR: MINE[:3], THIRD: DULL}, 20)
    found = dict(zip(state.legal(ME), by(policy, state, ME), strict=True))
    assert sum(found.values()) == pytest.approx(1)
    assert found[NEIGHBOUR] == pytest.approx(np.e**3 * found[ANSWER_PASS])
    assert found[THIRD] == pytest.approx(found[ANSWER_PASS])


def test_a_pile_just_flipped_onto_may_be_wanted_and_one_that_all_have_passed_on_is_not() -> None:
    liked = [ice(1, 1), ice(1, 2), ice(2, 1)]  # four points to the neighbour, and the third seat may think so of others
    state = window({NEIGHBOUR: liked, THIRD: liked[:1]}, 40)
    assert int(state.record.turn) == (55 - 40) % 3
    newest = (int(state.record.turn) - 1) % 3
    assert newest == THIRD
    assert trait(state, "nobody else may want it") == 1
    assert trait(state, "just flipped") == 0
    other = window({THIRD: liked}, 40)
    assert trait(other, "just flipped", THIRD) == 1
    assert trait(other, "nobody else may want it", THIRD) < 1
    assert trait(other, "rivals to whom it is worth two", THIRD) > trait(other, "rivals to whom it is worth three", THIRD) > 0


def test_after_a_capture_only_those_who_did_not_pass_are_rivals() -> None:
    liked = [ice(1, 1), ice(1, 2), ice(2, 1)]
    state = window({THIRD: liked}, 40)
    state.record.taker[:3] = [NEIGHBOUR, -2, -2]
    state.record.shown_passes = 1 << NEIGHBOUR | 1 << THIRD
    assert trait(state, "a pile was captured since", THIRD) == 1
    assert trait(state, "nobody else may want it", THIRD) == 1
    state.record.shown_passes = 1 << THIRD
    assert trait(state, "nobody else may want it", THIRD) < 1


def test_a_card_flipped_where_nothing_lay_any_more_is_just_flipped() -> None:
    """Who took the piles before it, and who passed then, tells nothing about it."""
    state = window({NEIGHBOUR: [ice(1, 1), ice(1, 2)]}, 19)
    state.record.shown_passes = 1 << ME | 1 << THIRD
    state.apply(ME, ANSWER_PASS)
    state.apply(NEIGHBOUR, NEIGHBOUR)
    state.apply(THIRD, ANSWER_PASS)
    newest = (int(state.record.turn) - 1) % 3
    assert state.record.taker[NEIGHBOUR] == NEIGHBOUR
    assert [int(size) for size in state.record.pile_size[:3]] == [seat == newest for seat in range(3)]
    for seat in range(3):
        if state.legal(seat):
            assert trait(state, "just flipped", newest, seat) == 1
            assert trait(state, "a pile was captured since", newest, seat) == 0


def test_at_the_live_pace_nobody_has_passed_on_what_lies_there() -> None:
    """Who took a pile before the last flip is not forgotten there, since nobody is asked in turns."""
    fresh, old = (window({NEIGHBOUR: MINE, THIRD: MINE[:2]}, 20) for _ in range(2))
    fresh.record.pace = old.record.pace = AT_LIVE_PACE
    old.record.taker[:3] = [THIRD, -2, -2]
    old.record.shown_claims[ME] = 1 << THIRD
    views = [kawaii_live.in_turns(state.view(ME), ME) for state in (fresh, old)]
    ours, theirs = (described(view, ME, view.legal(ME))[0] for view in views)
    assert np.array_equal(ours, theirs)
    assert trait(views[1], "a pile was captured since") == 0


def test_whoever_has_captured_vanilla_is_taken_to_like_it() -> None:
    pile = [ice(1, 1), ice(1, 2), ice(1, 3)]
    plain, telling = (window({NEIGHBOUR: pile}, 30) for _ in range(2))
    for state in (plain, telling):
        state.record.captured[:] = 0
    telling.record.captured[THIRD, ice(1, 0)] = 2
    assert trait(telling, "its worth to whom it is worth most") > trait(plain, "its worth to whom it is worth most")


def test_the_third_closed_shop_is_told() -> None:
    state = window({NEIGHBOUR: [CLOSED_SHOP]}, 10, captured=[CLOSED_SHOP, CLOSED_SHOP])
    assert trait(state, "all closed shops then") == 1
    assert trait(state, "points") == 5
    assert trait(state, "closed shops: those held") == 2


def test_every_sign_of_a_throw_is_as_likely() -> None:
    state = contest()
    assert by(first_policy() + 1, state, ME).tolist() == pytest.approx([1 / 3] * 3)
    assert described(state, ME, state.legal(ME))[2] == -1


def test_where_piles_are_stacked_the_network_is_the_policy(kawaii_learned: Path) -> None:
    open_table, stacked = (window({NEIGHBOUR: MINE}, 20, stacked=stacked) for stacked in (False, True))
    assert known_skill(KAWAII, stacked.record) is NO_SKILL
    both = [FastMasterBot(KAWAII, 1).policy(state.view(ME), ME, state.legal(ME)) for state in (open_table, stacked)]
    (kawaii_learned / "kawaii-skill.safetensors").unlink()
    without = [FastMasterBot(KAWAII, 1).policy(state.view(ME), ME, state.legal(ME)) for state in (open_table, stacked)]
    assert not np.allclose(both[0], without[0])
    assert np.array_equal(both[1], without[1])


def test_chances_by_hope_add_up_and_follow_points_and_hopes() -> None:
    worth, hopes = np.zeros(6), NO_HOPES.copy()
    state = window({}, 30, captured=[ice(STRAWBERRY, CONE), CHERRY])
    evaluate_by_skill(state.records[0], worth, hopes)
    assert worth[:3].sum() == pytest.approx(1)
    assert gained(state.records[0], ME) == 2 + 1 + 2
    hopes[:, HOPES.index("with a token: points on the best pile")] = 1
    before = float(worth[ME])
    evaluate_by_skill(window({NEIGHBOUR: MINE}, 30, captured=[ice(STRAWBERRY, 1), CHERRY]).records[0], worth, hopes)
    assert worth[ME] > before


def test_what_a_round_brought_is_told_when_it_is_scored() -> None:
    match = Match(KAWAII, 3, seed=1)
    while int(match.state.record.round_number) == 1:
        seat = match.to_act[0]
        match.play(seat, ANSWER_PASS)
    assert [scored(match.state.records[0], seat) for seat in range(3)] == [2, 2, 2]


def test_the_masters_policy_is_the_skill_and_its_worth_the_networks(kawaii_learned: Path) -> None:
    state = window({NEIGHBOUR: MINE, THIRD: DULL}, 20)
    legal = state.legal(ME)
    tensors = random_tensors(KAWAII)
    tensors["value.weight"][:] = 0
    tensors["value.bias"][:] = np.log([6, 3, 1, 1, 1, 1])
    write_weights(kawaii_learned, KAWAII, tensors)
    skill = known_skill(KAWAII, state.record)
    liked = weights_by_skill(state.view(ME), ME, legal, skill)
    fast = find_bot(KAWAII, "master-fast").sit_down(1)
    assert isinstance(fast, FastMasterBot)
    assert fast.choose(state.view(ME), ME, legal, Budget()) == legal[int(np.argmax(liked))]
    assert np.allclose(fast.policy(state.view(ME), ME, legal), liked)
    master = find_bot(KAWAII, "master").sit_down(1)
    assert isinstance(master, MasterBot)
    edges = master._think(state.view(ME), ME, Budget(iterations=16), hasty=False)
    assert np.allclose(edges["prior"], liked, atol=1e-5)
    assert (edges["under_way"] == 0).all()
    assert np.allclose(edges["worth"][edges["visits"] > 0], 0.6, atol=1e-3)
    found = hints(state.view(ME), ME, Budget(iterations=40))
    assert found
    assert {hint.action for hint in found} <= set(legal)


@pytest.mark.skipif(GEAR == "python", reason="it takes many tries")
def test_others_are_thought_to_play_by_the_favourites_of_each_deal(kawaii_learned: Path) -> None:
    """Only some favourites make a claim on these piles worth it: what others are thought to do changes from walk to walk."""
    policy = random_skill(KAWAII)
    policy["policy"][:] = 0
    policy["policy"][0, CLAIM.index("points")] = 1
    write_skill(kawaii_learned, KAWAII, policy)
    state = window({ME: DULL, NEIGHBOUR: MINE, THIRD: [ice(1, 1), ice(1, 2), ice(2, 1)]}, 0, tokens=[3, 3, 3])
    master = find_bot(KAWAII, "master").sit_down(1)
    assert isinstance(master, MasterBot)
    tree, grow = master._plant(state.view(ME), ME, 400, np.arange(4, dtype=np.uint32))
    thought: dict[int, set[tuple[float, ...]]] = {}
    for _ in range(40):
        grow(8)
        for number, node in enumerate(tree.nodes[: int(tree.used[0])]):
            if node["visits"] > 0:
                priors = tree.edges[node["first"] : node["first"] + node["count"]]["prior"]
                thought.setdefault(number, set()).add(tuple(priors.tolist()))
    assert len(thought[0]) == 1
    assert max(map(len, thought.values())) > 2


def test_without_a_skill_the_network_is_the_policy(kawaii_learned: Path) -> None:
    state = window({NEIGHBOUR: MINE}, 20)
    by_skill = FastMasterBot(KAWAII, 1).policy(state.view(ME), ME, state.legal(ME))
    (kawaii_learned / "kawaii-skill.safetensors").unlink()
    assert known_skill(KAWAII, state.record) is NO_SKILL
    chances = FastMasterBot(KAWAII, 1).policy(state.view(ME), ME, state.legal(ME))
    assert chances.sum() == pytest.approx(1)
    assert not np.allclose(chances, by_skill)


def test_without_a_network_there_is_no_master(kawaii_learned: Path) -> None:
    assert "master" in levels_of(KAWAII)
    (kawaii_learned / "kawaii.safetensors").unlink()
    assert "master" not in levels_of(KAWAII)


def test_a_skill_of_other_rules_is_refused(kawaii_learned: Path) -> None:
    write_skill(kawaii_learned, KAWAII, random_skill(KAWAII), rules=0)
    with pytest.raises(WrongWeights, match="were learned with rules 0"):
        known_skill(KAWAII, window({}, 20).record)

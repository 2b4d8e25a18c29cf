"""How Kohoju's master tries actions: in which deals, which of them, and how often."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.bots.test_kohoju_skill import FEW, KOHOJU, decisions
from zashiki.bots.bot import Budget
from zashiki.bots.kohoju.guesses import GUESSES, IN_STOCK, begin, go_on, guess_row, new_chain
from zashiki.bots.kohoju.hopes import HOPES
from zashiki.bots.kohoju.learned import guesses_of
from zashiki.bots.kohoju.player import MOST, KohojuFastMaster, KohojuMaster
from zashiki.bots.kohoju.standing import is_fresh
from zashiki.bots.kohoju.trials import ENOUGH, LAST, POINTS, ROUNDS, SQUARES, TRIES, WORTH, Trial, _action_of
from zashiki.bots.nodes import new_desk
from zashiki.bots.plain import weights
from zashiki.bots.sense import Skill, Weights, heuristics, weigh_by_skill
from zashiki.bots.skills import skill_of
from zashiki.core.gears import GEAR
from zashiki.core.layout import EMPTY
from zashiki.core.match import Match
from zashiki.core.random import Words, seed_roller
from zashiki.core.state import State
from zashiki.games.kohoju.rules import DISCARD_FROM, DRAW

EXCHANGES = 400 if GEAR != "python" else 40


def roller(seed: int = 1) -> Words:
    rng: Words = np.zeros(4, np.uint32)
    seed_roller(rng, seed)
    return rng


def no_guesses() -> Weights:
    return np.zeros((GUESSES, len(HOPES)))


def test_an_imagined_deal_is_one_that_the_view_allows(skilled: Path) -> None:
    changed = []
    for number, (state, seat, _) in enumerate(decisions(8 if GEAR != "python" else 1)):
        if number % (17 if GEAR != "python" else 29):
            continue
        view, chain, rng = state.view(seat), new_chain(), roller(number)
        guesses = guesses_of(KOHOJU, int(state.record.seats))
        begin(view.records, seat, guesses, rng, chain)
        first = chain.states[0].hands.copy()
        go_on(EXCHANGES, guesses, rng, chain)
        imagined = State.from_bytes(KOHOJU, chain.states.tobytes())
        assert imagined.view(seat).to_bytes() == view.to_bytes()
        changed.append(not np.array_equal(imagined.record.hands, first))
        assert ones_in(imagined) == int(state.record.stock_size) == int((chain.holders == IN_STOCK).sum())
    assert np.mean(changed) > (0.8 if GEAR != "python" else 0)  # Some hands are known whole.


def ones_in(state: State) -> int:
    return sum(int(cards).bit_count() for cards in state.record.stock)


@pytest.mark.skipif(GEAR == "python", reason="it takes many deals")
def test_hands_are_imagined_as_often_as_guesses_say() -> None:
    """Every point in hand makes a hand e to the 0.2 times as likely: the same as weighing deals by chance."""
    heuristics(KOHOJU)
    match = Match(KOHOJU, 2, seed=4)
    seat, guesses = match.to_act[0], no_guesses()
    guesses[:, HOPES.index("points in hand")] = 0.2
    found = []
    for weighed in (True, False):
        chain, rng, points = new_chain(), roller(), []
        begin(match.view(seat).records, seat, guesses if weighed else no_guesses(), rng, chain)
        for _ in range(20_000):
            go_on(20, guesses if weighed else no_guesses(), rng, chain)
            points.append(sum(int(card) % 5 + 1 for card in chain.states[0].hands[1 - seat, :12]))
        found.append(np.array(points, float))
    likely = np.exp(0.2 * (found[1] - found[1].mean()))
    assert found[0].mean() == pytest.approx((found[1] * likely).sum() / likely.sum(), abs=0.35)
    assert found[0].mean() > found[1].mean() + 3


def test_guesses_go_by_kohojus_begun_and_how_long_the_deal_has_lasted() -> None:
    state = Match(KOHOJU, 2, seed=1).state
    rows = []
    for fits in ((0, 0), (1, 0), (1, 1)):
        for turn in (1, 2, 3, 5, 6, 9, 10, 60):
            state.record.fits[1], state.record.turn_number = fits, turn
            rows.append(guess_row(state.records[0], 1))
    assert rows == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11]


def discarding() -> tuple[State, int, list[int]]:
    """A decision with many actions."""
    match = Match(KOHOJU, 2, seed=5)
    match.play(match.to_act[0], 0)
    seat = match.to_act[0]
    return match.view(seat), seat, match.legal_actions(seat).numbers


def test_what_the_policy_likes_best_is_tried_and_the_better_half_more_often(skilled: Path) -> None:
    view, seat, legal = discarding()
    likely = KohojuFastMaster(KOHOJU, 1).policy(view, seat, legal)
    edges = KohojuMaster(KOHOJU, 1)._think(view, seat, Budget(iterations=2 * FEW), hasty=False)
    wanted = sorted(legal[place] for place in np.argsort(-likely, kind="stable")[: min(MOST, FEW)])
    assert edges["action"].tolist() == wanted
    assert (edges["visits"] > 0).all()
    assert int(edges["visits"].sum()) <= 2 * FEW
    most = edges["visits"] == edges["visits"].max()
    assert most.sum() <= 2
    assert KohojuMaster(KOHOJU, 1).choose(view, seat, legal, Budget(iterations=2 * FEW)) in edges["action"][most]


def trial(seed: int = 1) -> Trial:
    view, seat, legal = discarding()
    return Trial(KOHOJU, view, seat, np.array(legal[:4]), np.full(4, 0.25), roller(seed))


def test_actions_are_tried_in_the_same_deals(skilled: Path) -> None:
    """The same action twice comes to the same."""
    view, seat, legal = discarding()
    twice = Trial(KOHOJU, view, seat, np.array([legal[-1], legal[-1]]), np.full(2, 0.5), roller())
    twice.go_on(np.arange(2), 5)
    assert np.array_equal(twice.found[0], twice.found[1])
    assert twice.found[0, TRIES] == 5
    assert not twice.found[:, SQUARES].any()


def test_every_deal_has_luck_of_its_own(skilled: Path) -> None:
    tried, one, worths = trial(), np.arange(1), set()
    tried._chain.exchangeable[0] = 0
    for _ in range(FEW // 6):
        tried.go_on(one, 1)
        worths.add(tried.found[0, LAST])
    assert len(worths) > FEW // 12


def test_everybody_has_some_turns_more_and_who_tries_is_about_to_have_another(skilled: Path) -> None:
    tried = trial()
    view, seat, _ = discarding()
    tried.go_on(np.arange(1), 1)
    end = tried._desk.states[0]
    assert (end.phase, end.active, end.turn_number) == (DRAW, seat, view.record.turn_number + ROUNDS)


def test_a_try_that_ends_the_deal_is_judged_there(skilled: Path) -> None:
    """The last card is discarded: what it brings is what lies open less what others hold, and nothing of the next deal."""
    match = Match(KOHOJU, 2, seed=5)
    match.play(match.to_act[0], 0)
    seat, state = match.to_act[0], match.state
    state.record.hand_size[seat] = 1
    state.record.hands[seat, 1:] = EMPTY
    action = DISCARD_FROM + int(state.record.hands[seat, 0])
    tried = Trial(KOHOJU, state.view(seat), seat, np.array([action]), np.ones(1), roller())
    tried.go_on(np.arange(1), 2)
    end = tried._desk.states[0]
    assert is_fresh(end)
    assert end.deal_number == state.record.deal_number + 1
    assert tried.found[0, POINTS] == 2 * end.totals[seat] == 0


def test_the_policy_plays_on_for_who_tries_and_the_heuristic_for_others(skilled: Path) -> None:
    """A policy that is sure of itself never does anything else; the heuristic draws."""
    desk, alike = new_desk(KOHOJU, Skill(1e6 * skill_of(KOHOJU, 2).policy, skill_of(KOHOJU, 2).hopes)), [0, 0]
    state, seat, legal = discarding()
    wanted = np.zeros(len(legal))
    weigh_by_skill(state.records[0], seat, np.array(legal), wanted, desk.skill.policy)
    sensible = np.array(weights(state, seat, legal))
    assert wanted.max() > 0.99
    for root in (0, 1):
        did = [_action_of(state.records[0], root, desk, roller(number)) for number in range(FEW)]
        alike[root] = sum(action == legal[int(wanted.argmax())] for action in did)
    assert alike[seat] == FEW
    assert alike[1 - seat] == pytest.approx(FEW * sensible[int(wanted.argmax())] / sensible.sum(), abs=0.3 * FEW)
    assert sensible[int(wanted.argmax())] / sensible.sum() < 0.5


def test_before_any_try_the_policy_decides_and_tries_outweigh_it(skilled: Path) -> None:
    tried = trial()
    tried.chances[:] = [0.1, 0.2, 0.6, 0.1]
    assert tried.values().argmax() == 2
    tried.found[:, TRIES] = 10_000
    tried.found[:, WORTH] = [6_000, 5_000, 5_000, 5_000]
    assert tried.values().argmax() == 0
    assert tried.values()[0] == pytest.approx(0.6, abs=0.01)


def test_what_is_told_is_a_chance_whatever_the_policy_likes(skilled: Path) -> None:
    tried = trial()
    tried.chances[:] = [1, 0, 0, 0]
    for worth in (0.0, 1.0):
        tried.found[:, TRIES], tried.found[:, WORTH] = 10, 10 * worth
        assert tried.values().mean() == pytest.approx(worth)
        assert tried.values()[0] > worth
        assert ((tried.edges()["worth"] >= 0) & (tried.edges()["worth"] <= 1)).all()
        assert KohojuMaster(KOHOJU, 1)._pick(*discarding()[:2], tried.edges()) == tried.actions[0]


def test_what_is_clearly_worse_is_left_out_but_not_before_enough_tries(skilled: Path) -> None:
    tried, all_of_them = trial(), np.arange(4)
    for tries, left in ((ENOUGH - 1, [0, 1, 2, 3]), (4_000, [0, 2])):
        worths = np.array([0.5, 0.45, 0.499, 0.3])
        tried.found[:, TRIES], tried.found[:, WORTH], tried.found[:, SQUARES] = tries, tries * worths, tries * 0.04
        assert tried.still_good(all_of_them).tolist() == left
    assert tried.better_half(all_of_them).tolist() == [0, 2]
    assert tried.better_half(np.array([1, 2, 3])).tolist() == [1, 2]


def test_the_clock_is_kept_by_shares_of_time_and_iterations(skilled: Path) -> None:
    tried, among = trial(), np.arange(4)
    tried.found[:, TRIES] = 25
    assert tried.deals_more(among, 0.5, 0.1, None, 400) == 25
    assert tried.deals_more(among, 0.5, 0.1, None, 201) == 0
    assert tried.deals_more(among, 0.5, 0.1, 0.2, None) == 0
    assert tried.deals_more(among, 1.0, 0.1, 0.2, None) == 1
    assert tried.deals_more(among, 1.0, 0.001, 0.2, None) == 50


def test_compared_actions_are_tried_alike_and_told_in_their_order(skilled: Path) -> None:
    view, seat, legal = discarding()
    asked = [legal[3], legal[0], legal[-1]]
    found = KohojuMaster(KOHOJU, 1).compare(view, seat, asked, Budget(iterations=FEW))
    assert [estimate.action for estimate in found] == asked
    assert {estimate.tries for estimate in found} == {FEW // 3}
    assert all(estimate.points is not None for estimate in found)

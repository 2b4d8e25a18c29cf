"""Hanamikoji to the end: what favours are worth, what the opponent may hold, and the last turns solved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest

from zashiki.bots.bot import Budget
from zashiki.bots.hanamikoji import beliefs, endgame, player
from zashiki.bots.hanamikoji.beliefs import HOLDING
from zashiki.bots.hanamikoji.endgame import LEAF, Subgame
from zashiki.bots.hanamikoji.favours import ROUNDS_AHEAD, WAYS, chance_of_starter, stake_of, way_of
from zashiki.bots.hanamikoji.player import HanamikojiBot, Solution, solve
from zashiki.bots.plain import CarelessBot
from zashiki.bots.searcher import SearchBot
from zashiki.core.gears import GEAR
from zashiki.core.random import Words
from zashiki.core.state import State
from zashiki.games.hanamikoji import GAME
from zashiki.games.hanamikoji.rules import GEISHA, NOBODY

compiled = pytest.mark.skipif(GEAR == "python", reason="a subgame has too many nodes for plain Python")


@pytest.fixture(autouse=True)
def small_subgames(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player, "NODES", 60_000)


def roller() -> Words:
    return np.array([1, 2, 3, 4], np.uint32)


def decisions(matches: int, from_turn: int = 6) -> Iterator[tuple[State, int]]:
    """Decisions late in a round, with more than one answer, from matches of bots that do not look ahead."""
    for seed in range(matches):
        state = State.dealt(GAME, 2, GAME.option_numbers(), seed)
        bots = [CarelessBot(GAME, 2 * seed + seat) for seat in range(2)]
        while bits := state.to_act():
            seat = bits.bit_length() - 1
            legal = state.legal(seat)
            if state.record.turn_number >= from_turn and len(legal) > 1:
                yield state, seat
            state.apply(seat, bots[seat].choose(state.view(seat), seat, legal, Budget()))


def solved(state: State, seat: int, rounds: int = 120) -> Solution:
    found = solve(state.view(seat), seat, Budget(iterations=rounds), roller())
    assert found is not None
    return found


def ways() -> Iterator[tuple[int, tuple[int, ...]]]:
    for owners in product(range(3), repeat=GEISHA):
        yield way_of(np.array(owners, np.int8), 0), owners


def test_every_way_the_favours_lie_has_a_number_of_its_own() -> None:
    assert sorted(way for way, _ in ways()) == list(range(WAYS))


def test_eleven_charm_beat_four_geisha_in_the_table_too() -> None:
    assert chance_of_starter(way_of(np.array([1, 1, 0, 1, 1, 0, 0], np.int8), 0), 9) == 1
    assert chance_of_starter(way_of(np.array([0, 0, 0, 0, 1, 1, 2], np.int8), 0), 9) == 1
    assert chance_of_starter(way_of(np.array([0, 0, 0, 0, 1, 1, 2], np.int8), 1), 9) == 0


def test_after_the_last_round_charm_and_then_the_best_geisha_decide() -> None:
    assert chance_of_starter(way_of(np.array([0, 0, 1, 1, 2, 1, 0], np.int8), 0), 0) == 1
    assert chance_of_starter(way_of(np.array([0, 0, 1, 1, 2, 1, 0], np.int8), 1), 0) == 0
    assert chance_of_starter(way_of(np.full(GEISHA, NOBODY, np.int8), 0), 0) == 0.5


def test_a_favour_more_is_never_worth_much_less() -> None:
    for way, owners in ways():
        for geisha in (g for g in range(GEISHA) if owners[g] == NOBODY):
            mine, theirs = way - 2 * 3**geisha, way - 3**geisha
            for rounds in range(ROUNDS_AHEAD + 1):
                # Played out by the heuristic, so within what chance does to the rounds played.
                assert chance_of_starter(mine, rounds) > chance_of_starter(theirs, rounds) - 0.04


def test_a_stake_is_a_share_of_the_match() -> None:
    assert all(-0.01 < stake_of(way, geisha, rounds) <= 1 for way, _ in ways() for geisha in range(GEISHA) for rounds in (0, 5))


def test_what_can_be_held_is_what_a_redeal_can_deal_with_the_same_frequency() -> None:
    state, seat = next(decisions(1))
    view, rng = state.view(seat), roller()
    closed, own, rest, last = (np.zeros(size, np.int64) for size in (GEISHA, HOLDING, GEISHA, GEISHA))
    beliefs.count_closed(view.record, closed)
    beliefs.holding_of(view.record, seat, own)
    assert beliefs.ways_to_draw(own, closed, rest) > 0
    holdings = np.zeros((20_000, HOLDING), np.int64)
    count = beliefs.list_holdings(view.record, 1 - seat, rest, holdings)
    ways = {tuple(holding): beliefs.ways_to_draw(holding, rest, last) for holding in holdings[:count]}
    tries = 4000 if GEAR != "python" else 400
    seen: Counter[tuple[int, ...]] = Counter()
    for _ in range(tries):
        beliefs.holding_of(view.redealt(seat, rng).record, 1 - seat, own)
        seen[tuple(own)] += 1
    assert set(seen) <= set(ways)
    total = sum(ways.values())
    # Pearson's statistic has about as many degrees of freedom as there are holdings, and a spread of √2 times its root.
    expected = {holding: tries * way / total for holding, way in ways.items()}
    statistic = sum((seen[holding] - wanted) ** 2 / wanted for holding, wanted in expected.items())
    assert statistic < len(ways) + 5 * (2 * len(ways)) ** 0.5


def test_a_dear_card_is_likelier_kept_and_a_cheap_one_likelier_discarded() -> None:
    record = State.dealt(GAME, 2, GAME.option_numbers(), 1).record
    dear, cheap = ([0, 0, 1, 0, 0, 1, 0, kept, *out] for kept, out in ((6, (0, 1)), (0, (5, 6))))
    assert beliefs.taste_of(record, np.array(dear)) > beliefs.taste_of(record, np.array(cheap))


@compiled
def test_what_is_solved_can_hardly_be_exploited() -> None:
    whole = 0
    for state, seat in decisions(3):
        found = solved(state, seat)
        leaves = found.game.worth[: found.game.used[0]][found.game.seat[: found.game.used[0]] == LEAF]
        stake = leaves.max() - leaves.min()
        gain = endgame.exploitability(found.game)
        assert -1e-9 < gain <= 0.001 * stake or stake == 0
        whole += found.whole
    assert whole >= 2


@compiled
def test_exploitability_is_what_trying_every_plan_finds() -> None:
    tried = 0
    for state, seat in decisions(12):
        game = small_game(state.view(seat), seat)
        for who in range(2):
            sets = sorted({int(game.first[node]) for node in range(game.used[0]) if game.seat[node] == who})
            plans = np.prod([float(game.size[game.first.tolist().index(first)]) for first in sets]) if sets else 0
            if 1 < plans <= 3000 and game.used[0] < 3000:
                assert endgame._best_answer(game, who) == pytest.approx(best_by_trying(game, who, sets), abs=1e-12)
                tried += 1
    assert tried >= 5


def small_game(view: State, seat: int) -> Subgame:
    """A few rounds into the subgame of only two holdings of either player."""
    closed, own, rest = (np.zeros(size, np.int64) for size in (GEISHA, HOLDING, GEISHA))
    beliefs.count_closed(view.record, closed)
    beliefs.holding_of(view.record, seat, own)
    beliefs.ways_to_draw(own, closed, rest)
    game, base = endgame.new_subgame(50_000), view.redealt(seat, roller())
    theirs = player._holdings(view, 1 - seat, rest)[:2]
    for mine in player._own_first(own, player._holdings(view, seat, closed), roller())[:2]:
        assert player._lay_out_one(game, base, seat, mine, theirs, closed=closed)
    endgame.solve(game, 0, 3)
    return game


def best_by_trying(game: Subgame, who: int, sets: list[int]) -> float:
    sizes = {int(game.first[node]): int(game.size[node]) for node in range(game.used[0]) if game.seat[node] == who}
    endgame.settle(game)
    found = []
    for plan in product(*(range(sizes[first]) for first in sets)):
        strategy = game.strategy.copy()
        for first, choice in zip(sets, plan, strict=True):
            strategy[first : first + sizes[first]] = 0
            strategy[first + choice] = 1
        endgame._back_up(game, strategy)
        found.append(endgame._whole(game))
    return max(found) if who == 0 else min(found)


@compiled
def test_a_search_comes_to_what_the_solution_says_where_nothing_but_the_secret_is_left() -> None:
    compared = 0
    for state, seat in decisions(25, from_turn=8):
        found = solved(state, seat)
        estimates = SearchBot(GAME, 1).estimates(state.view(seat), seat, Budget(iterations=4000))
        chances = dict(zip(found.actions, found.chances, strict=True))
        best = max(chances.values())
        assert chances[estimates[0].action] > best - 0.06
        compared += 1
    assert compared >= 5


@compiled
def test_every_action_of_a_solved_ending_is_told_even_if_the_search_has_tried_but_one() -> None:
    for state, seat in decisions(3, from_turn=8):
        estimates = HanamikojiBot(GAME, 1).estimates(state.view(seat), seat, Budget(iterations=1))
        assert {estimate.action for estimate in estimates} == set(state.legal(seat))


@compiled
def test_the_bot_plays_the_solution() -> None:
    state, seat = next(decisions(1))
    found = solved(state, seat)
    played = {
        HanamikojiBot(GAME, seed).choose(state.view(seat), seat, state.legal(seat), Budget(iterations=50)) for seed in range(9)
    }
    likely = {action for action, share in zip(found.actions, found.mixture, strict=True) if share > player.RARE / 2}
    assert played <= likely

"""Kimono's heuristic: what a sensible person does, and what it may know."""

from __future__ import annotations

import random
from math import isfinite, log

import numpy as np
import pytest

from tests.conformance.games.kimono import check_laws
from tests.games.test_kimono import (
    CHOPSTICKS,
    FAN,
    FIGURINE,
    LUTE,
    PARASOL,
    SWORD,
    TEA_BOWL,
    cut,
    fresh,
    give,
    split,
    taking,
    throw,
    vote,
)
from tests.position import Position
from zashiki.bots import find_bot
from zashiki.bots.bot import Budget
from zashiki.bots.heuristics import kimono
from zashiki.bots.plain import weights
from zashiki.bots.searcher import SearchBot
from zashiki.bots.sense import heuristics
from zashiki.core.actions import Action
from zashiki.core.gears import GEAR
from zashiki.core.layout import EMPTY
from zashiki.core.random import seed_roller
from zashiki.core.state import State
from zashiki.games import GAMES
from zashiki.games.kimono.actions import Break, CarryOut, Copy, Cut, PlaceApprentice, Vote
from zashiki.games.kimono.cards import BREAKAGE, CAT, COIN, COPY, FIRE, KIMONO

GAME = GAMES["kimono"]
COMPILED = GEAR != "python"
FEW = 6 if COMPILED else 1


@pytest.fixture(autouse=True, scope="module")
def _known() -> None:
    heuristics(GAME)


def state_of(position: Position) -> State:
    state = State(GAME)
    state.records[0] = position.state
    return state


def weighed(position: Position, seat: int) -> dict[Action, float]:
    """The share of each action."""
    state = state_of(position)
    legal = state.legal(seat)
    found = weights(state.view(seat), seat, legal)
    return {GAME.vocabulary[action]: weight / sum(found) for action, weight in zip(legal, found, strict=True)}


def favourite(position: Position, seat: int) -> Action:
    shares = weighed(position, seat)
    return max(shares, key=lambda action: shares[action])


def searched(position: Position, seat: int) -> Action:
    """What a short search finds, which would take minutes in the python gear."""
    if not COMPILED:
        pytest.skip("a search needs compiled rules")
    state = state_of(position)
    number = SearchBot(GAME, 1).choose(state.view(seat), seat, state.legal(seat), Budget(iterations=400))
    return GAME.vocabulary[number]


def choices(position: Position, seat: int) -> set[Action]:
    """What the heuristic likes best and, where it can, what a short search finds."""
    return {favourite(position, seat)} | ({searched(position, seat)} if COMPILED else set())


def evaluated(state: State) -> list[float]:
    worth = np.zeros(6)
    kimono.evaluate(state.record, worth)
    return [float(each) for each in worth[: int(state.record.seats)]]


def last_round(position: Position) -> Position:
    """The same as if four rounds were over, whose cards all came into the box."""
    state = position.state
    played = slice(int(state.pile_size), 5 * int(state.pile_size))
    for card in state.deck[played]:
        state.box[int(card)] += 1
    state.deck[played] = EMPTY
    state.round_number = 5
    check_laws(state)
    return position


def duel(*cards: int, after: int) -> Position:
    """Seats 0 and 1 are at odds over these cards from the left, cut after so many; seat 2 has left with the rest."""
    position = fresh(3, (*cards, *([FAN, SWORD, LUTE, FIGURINE] * 3))[:9])
    split(position, len(cards), place=10)
    vote(position, 1, 1, 2)
    cut(position, after)
    return position


def walk(seats: int, seed: int) -> list[State]:
    """Every state of a match played at random."""
    state, chance = State.dealt(GAME, seats, GAME.option_numbers(None), seed), random.Random(seed)
    states = []
    while bits := state.to_act():
        states.append(state.copy())
        seat = chance.choice([seat for seat in range(seats) if bits >> seat & 1])
        state.apply(seat, chance.choice(state.legal(seat)))
    return states


def acting(state: State) -> list[int]:
    return [seat for seat in range(6) if state.to_act() >> seat & 1]


def test_who_breaks_things_breaks_what_is_too_many() -> None:
    position = taking(1, BREAKAGE, before=(TEA_BOWL, TEA_BOWL, TEA_BOWL, FAN, SWORD))
    assert choices(position, 1) == {Break(("tea bowl", "tea bowl"))}


def test_who_breaks_things_within_the_limits_breaks_the_cheapest() -> None:
    position = taking(1, BREAKAGE, before=(TEA_BOWL, FAN, CHOPSTICKS, FIGURINE))
    assert choices(position, 1) == {Break(("figurine", "chopsticks"))}


def test_a_copy_joins_the_sort_that_has_room() -> None:
    position = taking(1, COPY, before=(FAN, SWORD, TEA_BOWL))
    assert choices(position, 1) == {Copy("sword")}


def test_with_two_curios_the_copy_comes_before_the_breakage() -> None:
    position = taking(1, BREAKAGE, COPY, before=(SWORD, LUTE))
    assert choices(position, 1) == {CarryOut("copy")}


def test_with_a_sort_too_many_the_breakage_comes_before_the_copy() -> None:
    position = taking(1, BREAKAGE, COPY, before=(FAN, FAN, FAN, SWORD))
    assert favourite(position, 1) == CarryOut("breakage")


def test_a_cat_comes_before_a_breakage() -> None:
    assert favourite(taking(1, CAT, BREAKAGE, before=(SWORD, LUTE, FAN)), 1) == CarryOut("lucky cat")


def test_nobody_votes_for_a_fire_that_another_could_take() -> None:
    position = duel(FIRE, FIRE, SWORD, TEA_BOWL, after=2)
    assert weighed(position, 0)[Vote(2)] > 0.6


def test_who_has_a_tea_bowl_leaves_the_next_to_those_who_have_none() -> None:
    position = fresh(3, (TEA_BOWL, SWORD, LUTE, FAN, FIGURINE, LUTE, CHOPSTICKS, SWORD, FIGURINE))
    give(position, 0, TEA_BOWL)
    last_round(position)
    split(position, 2, place=10)
    vote(position, 1, 1, 2)
    cut(position, 1)
    assert choices(position, 0) == {Vote(2)}
    assert choices(position, 1) == {Vote(1)}


def test_who_has_two_kimonos_avoids_a_third() -> None:
    def position(*before: int) -> Position:
        position = fresh(3, (LUTE, SWORD, TEA_BOWL, FAN, FIGURINE, LUTE, CHOPSTICKS, SWORD, FIGURINE))
        give(position, 0, *before)
        give(position, 1, SWORD, SWORD)
        last_round(position)
        split(position, 2, place=10)
        vote(position, 1, 1, 2)
        cut(position, 1)
        return position

    careful = position(KIMONO, KIMONO)
    assert choices(careful, 0) == {Vote(2)}
    assert weighed(careful, 0)[Vote(2)] > weighed(position(), 0)[Vote(2)]


def test_the_apprentice_is_wanted_for_a_rich_bin_and_shunned_for_a_poor_one() -> None:
    def wanted(*binned: int) -> float:
        position = fresh(3)
        throw(position, *binned)
        split(position, 4)
        return weighed(position, 2)[Vote(1)]

    assert wanted(TEA_BOWL, SWORD, PARASOL) > wanted() + 0.03
    assert wanted(FIRE, FIRE, FIRE, TEA_BOWL, TEA_BOWL) < wanted() - 0.03


def test_a_master_who_is_out_does_not_hand_the_leader_the_best_card_alone() -> None:
    position = fresh(3, (TEA_BOWL, FIRE, FIRE, LUTE, CHOPSTICKS, FAN, SWORD, FIGURINE, SWORD))
    give(position, 1, COIN, COIN, COIN, COIN, COIN, COIN)
    give(position, 2, TEA_BOWL)
    last_round(position)
    split(position, 3, place=10)
    vote(position, 2, 1, 1)
    assert searched(position, 0) in (Cut(2, "left"), Cut(2, "right"))


def test_the_numbering_matters_only_while_kimonos_run_short() -> None:
    position = fresh(4)
    plenty = weighed(position, 0)
    assert plenty[Cut(4, "left")] > 10 * plenty[Cut(4, "right")]
    position.state.box[KIMONO] += position.state.kimonos - 3
    position.state.kimonos = 3
    short = weighed(position, 0)
    assert short[Cut(4, "left")] == short[Cut(4, "right")]


def test_the_master_puts_the_apprentice_with_the_group_he_hopes_for() -> None:
    position = fresh(3)
    position.do(0, Cut(5, "left"))
    shares = weighed(position, 0)
    assert set(shares) == {PlaceApprentice(place) for place in range(11)}
    assert shares[PlaceApprentice(5)] > shares[PlaceApprentice(3)]


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_weights_are_above_zero_and_rest_on_the_view_alone(seats: int) -> None:
    rng = np.zeros(4, np.uint32)
    seed_roller(rng, seats)
    for state in (state for seed in range(FEW) for state in walk(seats, seed)):
        for seat in acting(state):
            legal, seen = state.legal(seat), state.view(seat)
            found = weights(state, seat, legal)
            assert all(isfinite(weight) and weight > 0 for weight in found)
            assert found == weights(seen, seat, legal) == weights(seen.redealt(seat, rng), seat, legal)


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_chances_add_up_to_one_at_any_moment(seats: int) -> None:
    for state in (state for seed in range(FEW) for state in walk(seats, seed)):
        chances = evaluated(state)
        assert sum(chances) == pytest.approx(1)
        assert min(chances) > 0


def test_more_points_are_a_better_chance_and_a_fire_a_worse_one() -> None:
    position = fresh()
    even = evaluated(state_of(position))
    give(position, 1, COIN, COIN, SWORD)
    ahead = evaluated(state_of(position))
    give(position, 1, FIRE)
    burnt = evaluated(state_of(position))
    assert ahead[1] > burnt[1] > 0
    assert ahead[1] > even[1]
    assert ahead[2] < even[2]


def test_the_same_lead_is_worth_more_late() -> None:
    position = fresh()
    give(position, 1, COIN, COIN, COIN, COIN)
    early = evaluated(state_of(position))
    late = evaluated(state_of(last_round(position)))
    assert late[1] / late[2] > early[1] / early[2] > 1


def test_chances_tell_more_than_an_even_guess() -> None:
    lost, told, seats = 0.0, 0, 4
    careless = find_bot(GAME, "careless")
    for seed in range(6 * FEW):
        state = State.dealt(GAME, seats, GAME.option_numbers(None), 500 + seed)
        bots = [careless.sit_down(seed * seats + seat) for seat in range(seats)]
        before, chances = 0, []
        while state.to_act():
            seat = acting(state)[0]
            if state.record.round_number > max(before, 3):
                chances.append(evaluated(state))
            before = int(state.record.round_number)
            state.apply(seat, bots[seat].choose(state.view(seat), seat, state.legal(seat), careless.budget))
        winners = int(state.record.winners)
        for each in chances:
            lost -= log(sum(chance for seat, chance in enumerate(each) if winners >> seat & 1) / winners.bit_count())
            told += 1
    assert not COMPILED or lost / told < 0.9 * log(seats)


def test_votes_that_are_sealed_are_still_to_be_given_in_the_imagination() -> None:
    position = fresh(4)
    split(position, 4)
    position.do(0, Vote(1))
    position.do(2, Vote(2))
    rng = np.zeros(4, np.uint32)
    seed_roller(rng, 1)
    state = state_of(position).view(1).redealt(1, rng)
    kimono.imagine(state.record, 1, rng)
    assert acting(state) == [0, 1, 2, 3]
    assert not state.record.votes.any()
    while state.to_act():
        seat = acting(state)[0]
        state.apply(seat, state.legal(seat)[0])
    assert state.record.winners != 0


@pytest.mark.parametrize("seats", [3, 6])
def test_the_heuristic_beats_random_play_clearly(seats: int) -> None:
    won, matches = 0, 10 * FEW
    heuristic = find_bot(GAME, "heuristic")
    for seed in range(matches):
        state, chance, hero = State.dealt(GAME, seats, GAME.option_numbers(None), seed), random.Random(seed), seed % seats
        bot = heuristic.sit_down(seed)
        while state.to_act():
            seat = acting(state)[0]
            legal = state.legal(seat)
            state.apply(seat, bot.choose(state.view(seat), seat, legal, Budget()) if seat == hero else chance.choice(legal))
        won += int(state.record.winners) >> hero & 1
    assert not COMPILED or won > 0.45 * matches

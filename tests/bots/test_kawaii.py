"""What the bots know of Kawaii."""

from __future__ import annotations

import random
from math import isfinite, log
from typing import Any

import numpy as np
import pytest

from tests.conformance.walks import SETTINGS, Setting, positions, seats_in
from zashiki.bots import find_bot
from zashiki.bots.bot import Budget
from zashiki.bots.heuristics import kawaii
from zashiki.bots.levels import LEVELS, levels_of
from zashiki.bots.plain import CarelessBot, HeuristicBot, RandomBot, weights
from zashiki.bots.searcher import SearchBot
from zashiki.core.gears import GEAR
from zashiki.core.layout import CLOCK, EMPTY
from zashiki.core.random import Words, seed_roller
from zashiki.core.state import State
from zashiki.games import find
from zashiki.games.kawaii.cards import CARDS, CHERRY, CLOSED_SHOP, COPIES, FLAVOURS, KINDS, SHAPES
from zashiki.games.kawaii.rules import ANSWER_PASS, THROW_FROM
from zashiki.games.kawaii.table import THROWS

KAWAII = find("kawaii")
SLOW = GEAR == "python"
LOOKAHEAD = Budget(iterations=1500)
every_setting = pytest.mark.parametrize("setting", [each for each in SETTINGS if each.game == "kawaii"], ids=str)

ME, NEIGHBOUR, THIRD = 0, 1, 2
STRAWBERRY, VANILLA, CHOCOLATE, MINT, BLUEBERRY = range(5)
CONE, SOFT_SERVE, STICK_BAR, ICE_LOLLY, CUP = range(5)


def ice(flavour: int, shape: int) -> int:
    """An ice cream. In these positions seat 0 likes strawberry and cones, each further seat the next of each."""
    return 5 * flavour + shape


MINE = [ice(STRAWBERRY, CUP), ice(STRAWBERRY, ICE_LOLLY), ice(MINT, CONE), ice(BLUEBERRY, CONE), ice(STRAWBERRY, CONE)]
"""Worth 1, 1, 1, 1 and 2 to seat 0, and nothing to the others at a table of three."""
DULL = [ice(MINT, CUP), ice(MINT, ICE_LOLLY), ice(BLUEBERRY, CUP), ice(BLUEBERRY, ICE_LOLLY)]
"""Worth nothing to anybody at a table of three."""


def window(piles: dict[int, list[int]], left: int, *, captured: list[int] | None = None, **fields: Any) -> State:
    """A window with these piles and so many cards still to be flipped; seat 0 has captured some, the last seat all the rest."""
    state = State.dealt(KAWAII, fields.pop("seats", 3), KAWAII.option_numbers({"stacked": fields.pop("stacked", False)}), 1)
    table = state.record
    seats = int(table.seats)
    table.starter = 0
    table.flips = CARDS - left
    table.turn = (CARDS - left) % seats if left else EMPTY
    table.flavours[:seats] = table.shapes[:seats] = range(seats)
    table.piles[:] = EMPTY
    table.captured[:] = 0
    pool = np.array(COPIES)
    for owner in range(seats):
        cards = piles.get(owner, [])
        table.pile_size[owner] = len(cards)
        table.piles[owner, : len(cards)] = cards
        table.reserve_size[owner] = sum(place % seats == owner for place in range(CARDS - left, CARDS))
        np.subtract.at(pool, cards, 1)
    np.add.at(table.captured[ME], captured or [], 1)
    np.subtract.at(pool, captured or [], 1)
    assert min(pool) >= 0, "there are not so many of these cards"
    rest = [kind for kind in range(KINDS) for _ in range(pool[kind])]
    random.Random(2).shuffle(rest)
    table.deck[:] = EMPTY
    table.deck[CARDS - left :] = rest[:left]
    np.add.at(table.captured[seats - 1], rest[left:], 1)
    table.captured_size[:] = table.captured.sum(axis=1)
    for name, value in fields.items():
        getattr(table, name)[: len(value)] = value
    table.asked = sum(1 << seat for seat in range(seats) if table.tokens[seat] > 0)
    return state


def liked_best(state: State, seat: int = ME) -> int:
    return HeuristicBot(KAWAII, 1).choose(state.view(seat), seat, state.legal(seat), Budget())


def found_best(state: State, seat: int = ME) -> int:
    return SearchBot(KAWAII, 1).choose(state.view(seat), seat, state.legal(seat), LOOKAHEAD)


def eagerness(state: State, pile: int, seat: int = ME) -> float:
    """How likely a seat claims a pile rather than pass."""
    found = dict(zip(state.legal(seat), weights(state.view(seat), seat, state.legal(seat)), strict=True))
    return found[pile] / (found[pile] + found[ANSWER_PASS])


@pytest.mark.parametrize("choice", [liked_best] if SLOW else [liked_best, found_best])
class TestPlain:
    """Where one answer is plainly right, the heuristic knows it and a little search does not forget it."""

    def test_in_the_last_window_a_pile_worth_more_than_its_token_is_claimed(self, choice: Any) -> None:
        assert choice(window({NEIGHBOUR: MINE[:3]}, 0)) == NEIGHBOUR

    def test_a_pile_worth_nothing_is_not_worth_a_token(self, choice: Any) -> None:
        assert choice(window({NEIGHBOUR: DULL}, 0)) == ANSWER_PASS
        assert choice(window({NEIGHBOUR: DULL[:2]}, 30)) == ANSWER_PASS

    def test_of_two_piles_in_the_last_window_the_better_one_is_claimed(self, choice: Any) -> None:
        assert choice(window({NEIGHBOUR: MINE[:2], THIRD: MINE[2:]}, 0, tokens=[1, 1, 1])) == THIRD

    def test_closed_shops_spoil_a_pile(self, choice: Any) -> None:
        assert choice(window({NEIGHBOUR: [*MINE[:2], CLOSED_SHOP, CLOSED_SHOP]}, 0)) == ANSWER_PASS

    def test_the_third_closed_shop_is_worth_five(self, choice: Any) -> None:
        state = window({NEIGHBOUR: [CLOSED_SHOP]}, 0, captured=[CLOSED_SHOP, CLOSED_SHOP])
        assert choice(state) == NEIGHBOUR

    def test_cherries_are_for_everybody(self, choice: Any) -> None:
        assert choice(window({NEIGHBOUR: [CHERRY, CHERRY, MINE[0]]}, 0)) == NEIGHBOUR

    def test_a_single_card_at_the_start_of_a_round_is_left_to_grow(self, choice: Any) -> None:
        assert choice(window({NEIGHBOUR: [MINE[0]]}, 50)) == ANSWER_PASS

    def test_a_rich_pile_that_others_like_too_is_claimed_at_once(self, choice: Any) -> None:
        rich = [ice(STRAWBERRY, SOFT_SERVE), ice(STRAWBERRY, STICK_BAR), ice(VANILLA, CONE), ice(CHOCOLATE, CONE), CHERRY]
        assert choice(window({NEIGHBOUR: [*rich, ice(STRAWBERRY, CONE)]}, 25)) == NEIGHBOUR


def test_a_pile_that_others_may_like_is_claimed_sooner_than_one_that_they_cannot() -> None:
    wanted = [ice(STRAWBERRY, SOFT_SERVE), ice(STRAWBERRY, SOFT_SERVE), ice(STRAWBERRY, CONE)]
    unwanted = [ice(STRAWBERRY, CONE), ice(STRAWBERRY, CONE)]
    assert eagerness(window({NEIGHBOUR: wanted}, 30), NEIGHBOUR) > eagerness(window({NEIGHBOUR: unwanted}, 30), NEIGHBOUR)


def test_whoever_has_one_token_left_is_more_choosy() -> None:
    two, one = (window({NEIGHBOUR: MINE}, 30, tokens=[tokens, 2, 2]) for tokens in (2, 1))
    assert eagerness(two, NEIGHBOUR) > eagerness(one, NEIGHBOUR)


def test_rather_than_the_own_pile_an_equal_one_is_claimed_since_its_token_may_come_back() -> None:
    state = window({ME: MINE[:3], NEIGHBOUR: MINE[:3]}, 20)
    assert eagerness(state, NEIGHBOUR) > eagerness(state, ME)


def test_a_pile_that_will_not_grow_is_claimed_sooner() -> None:
    growing, grown = (window({pile: MINE[:4]}, 1) for pile in (0, 1))
    assert [int(state.record.reserve_size[pile]) for state, pile in ((growing, 0), (grown, 1))] == [1, 0]
    assert eagerness(grown, 1, ME) > eagerness(growing, 0, ME)


def test_tokens_become_cheaper_towards_the_end_of_a_round() -> None:
    chances = [eagerness(window({NEIGHBOUR: MINE[:4]}, left), NEIGHBOUR) for left in (45, 30, 15, 3)]
    assert chances == sorted(chances)


def test_under_stacked_only_the_top_card_and_the_size_count() -> None:
    one, other = (window({NEIGHBOUR: [*covered, MINE[0]]}, 20, stacked=True) for covered in (MINE[1:3], DULL[:2]))
    assert eagerness(one, NEIGHBOUR) == eagerness(other, NEIGHBOUR)


def test_when_nobody_else_has_a_token_there_is_no_hurry() -> None:
    alone, rivals = (window({NEIGHBOUR: [*MINE[:3], *DULL[:2], ice(VANILLA, SOFT_SERVE)]}, 30, tokens=[2, n, n]) for n in (0, 2))
    assert eagerness(alone, NEIGHBOUR) < eagerness(rivals, NEIGHBOUR)


def contest() -> State:
    """Seats 0 and 1 are to throw for a pile."""
    state = window({THIRD: MINE}, 20)
    for seat, answer in ((ME, THIRD), (NEIGHBOUR, THIRD), (THIRD, ANSWER_PASS)):
        state.apply(seat, answer)
    assert int(state.record.phase) == THROWS
    return state


@pytest.mark.parametrize("kind", [HeuristicBot, CarelessBot] if SLOW else [HeuristicBot, CarelessBot, SearchBot])
def test_every_sign_is_thrown_equally_often(kind: Any) -> None:
    state, signs = contest(), [0, 0, 0]
    view, legal, tries = state.view(ME), state.legal(ME), 90 if SLOW else 900
    for seed in range(tries):
        signs[kind(KAWAII, seed).choose(view, ME, legal, Budget(iterations=20)) - THROW_FROM - 3 * THIRD] += 1
    assert all(abs(count - tries / 3) < 4 * (tries * 2 / 9) ** 0.5 for count in signs), signs


def test_signs_weigh_alike_and_are_mixed() -> None:
    state = contest()
    assert set(weights(state.view(ME), ME, state.legal(ME))) == {1.0}
    assert kawaii.mixed(state.record, ME)


@every_setting
def test_what_a_seat_may_not_know_does_not_move_its_weights(setting: Setting) -> None:
    rng: Words = np.zeros(4, np.uint32)
    seed_roller(rng, 11)
    for state in positions(setting, 5, 60 if SLOW else 400, 6 if SLOW else 40):
        for seat in seats_in(state.to_act() & ~(1 << CLOCK)):
            view, legal = state.view(seat), state.legal(seat)
            found = weights(state, seat, legal)
            assert found == weights(view, seat, legal) == weights(view.redealt(seat, rng), seat, legal)
            assert all(isfinite(weight) and weight > 0 for weight in found)


def chances(state: State) -> list[float]:
    worth = np.zeros(6)
    kawaii.evaluate(state.record, worth)
    listed: list[float] = worth[: int(state.record.seats)].tolist()
    return listed


@every_setting
def test_the_chances_of_all_seats_add_up_to_one(setting: Setting) -> None:
    for state in positions(setting, 6, 60 if SLOW else 400, 6 if SLOW else 40):
        if state.to_act():
            assert sum(chances(state)) == pytest.approx(1)
            assert min(chances(state)) > 0


def test_points_and_tokens_make_victory_likelier() -> None:
    even = chances(window({NEIGHBOUR: DULL}, 20))[ME]
    assert chances(window({NEIGHBOUR: DULL}, 20, tokens=[3, 2, 2]))[ME] > even
    assert chances(window({NEIGHBOUR: DULL}, 20, captured=MINE[:2]))[ME] > even
    assert chances(window({NEIGHBOUR: MINE}, 20))[ME] > even


def test_a_pile_that_others_want_is_good_for_its_owner() -> None:
    owners = [chances(window({owner: [*MINE, CHERRY]}, 20))[NEIGHBOUR] for owner in (NEIGHBOUR, THIRD)]
    assert owners[0] > owners[1]


def test_a_lead_counts_for_more_in_the_last_round() -> None:
    state = window({NEIGHBOUR: DULL}, 20, points=[[5], [0], [0]])
    first = chances(state)[ME]
    state.record.round_number = 3
    assert chances(state)[ME] > first


@pytest.mark.parametrize("seats", KAWAII.seats)
def test_the_chances_foretell_the_winner_of_matches_among_bots(seats: int) -> None:
    losses = []
    for seed in range(1 if SLOW else 12):
        state = State.dealt(KAWAII, seats, KAWAII.option_numbers(None), 900 + seed)
        bots = [CarelessBot(KAWAII, 10 * seed + seat) for seat in range(seats)]
        foretold = []
        while bits := state.to_act():
            if state.record.asked == (1 << seats) - 1 and int(state.record.flips) % 11 == 5:
                foretold.append(chances(state))
            seat = seats_in(bits)[0]
            state.apply(seat, bots[seat].choose(state.view(seat), seat, state.legal(seat), Budget()))
        winners = seats_in(int(state.record.winners))
        losses += [-sum(log(found[seat]) for seat in winners) / len(winners) for found in foretold]
    assert SLOW or sum(losses) / len(losses) < 0.9 * log(seats)


@pytest.mark.parametrize("stacked", [False, True])
def test_answers_that_are_still_secret_are_imagined_as_the_others_would_give_them(stacked: bool) -> None:
    rng: Words = np.zeros(4, np.uint32)
    seed_roller(rng, 12)
    state = window({NEIGHBOUR: [CLOSED_SHOP]}, 20, captured=[CLOSED_SHOP], stacked=stacked)
    state.apply(NEIGHBOUR, ANSWER_PASS)
    for _ in range(1 if SLOW else 5):
        redealt = state.view(ME).redealt(ME, rng)
        kawaii.imagine(redealt.record, ME, rng)
        assert seats_in(redealt.to_act()) == [ME]
        assert int(redealt.record.claims[THIRD]) == 1 << ANSWER_PASS
        play_on(redealt)


def test_others_are_thought_to_like_what_they_have_captured() -> None:
    rng: Words = np.zeros(4, np.uint32)
    seed_roller(rng, 14)
    state = window({NEIGHBOUR: DULL[:1]}, 20)
    minty = state.record.captured[:, 5 * MINT : 5 * MINT + 5]
    minty[NEIGHBOUR], minty[THIRD] = minty[THIRD].copy(), 0
    state.record.captured_size[:] = state.record.captured.sum(axis=1)
    guesses = []
    for _ in range(100):
        redealt = state.view(ME).redealt(ME, rng)
        kawaii.imagine(redealt.record, ME, rng)
        flavours, shapes = redealt.record.flavours[:3].tolist(), redealt.record.shapes[:3].tolist()
        assert (flavours[ME], shapes[ME], len(set(flavours)), len(set(shapes))) == (STRAWBERRY, CONE, 3, 3)
        guesses.append(flavours[NEIGHBOUR])
    assert guesses.count(MINT) > 75


def test_a_contest_goes_on_with_the_signs_as_they_were_redealt() -> None:
    rng: Words = np.zeros(4, np.uint32)
    seed_roller(rng, 13)
    state = contest()
    state.apply(NEIGHBOUR, state.legal(NEIGHBOUR)[1])
    redealt = state.view(ME).redealt(ME, rng)
    kawaii.imagine(redealt.record, ME, rng)
    assert seats_in(redealt.to_act()) == [ME]
    play_on(redealt)


def play_on(state: State) -> None:
    """Sensibly, to the end."""
    bot = CarelessBot(KAWAII, 3)
    while bits := state.to_act():
        seat = seats_in(bits)[0]
        legal = state.legal(seat)
        assert legal
        state.apply(seat, bot.choose(state.view(seat), seat, legal, Budget()))


def share_won(hero: Any, others: Any, seats: int, matches: int) -> float:
    """How many times the fair share one bot wins among others."""
    won = 0.0
    for number in range(matches):
        state = State.dealt(KAWAII, seats, KAWAII.option_numbers(None), 300 + number)
        me = number % seats
        bots = [(hero if seat == me else others)(KAWAII, 10 * number + seat) for seat in range(seats)]
        while bits := state.to_act():
            seat = seats_in(bits)[0]
            state.apply(seat, bots[seat].choose(state.view(seat), seat, state.legal(seat), Budget()))
        winners = seats_in(int(state.record.winners))
        won += (me in winners) / len(winners)
    return seats * won / matches


@pytest.mark.parametrize("seats", [5] if SLOW else KAWAII.seats)
@pytest.mark.parametrize("name", ["beginner", "heuristic"])
def test_it_beats_random_play_clearly(name: str, seats: int) -> None:
    assert share_won(find_bot(KAWAII, name).bot, RandomBot, seats, 2 if SLOW else 20) > 2


def test_every_level_thinks_no_longer_than_it_may() -> None:
    for name in levels_of(KAWAII):
        assert (find_bot(KAWAII, name).budget.seconds or 0) <= LEVELS[name].seconds


def test_flavours_and_shapes_are_counted_as_the_rules_number_them() -> None:
    assert (FLAVOURS[STRAWBERRY], SHAPES[CONE], FLAVOURS[MINT], SHAPES[CUP]) == ("strawberry", "cone", "mint", "cup")

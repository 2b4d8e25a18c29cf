"""What the bots know of Kohoju, in positions where one choice is plainly right."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from math import log
from typing import Any

import numpy as np
import pytest

from tests.conformance.games.kohoju import OPTIONS, permute_hidden
from tests.games.test_kohoju import playing, table
from tests.position import Position
from zashiki import GAMES
from zashiki.bots.bot import Budget
from zashiki.bots.heuristics.kohoju import chapter, evaluate, imagine, mixed
from zashiki.bots.plain import CarelessBot, HeuristicBot, RandomBot, weights
from zashiki.bots.searcher import SearchBot
from zashiki.core.actions import Action
from zashiki.core.gears import GEAR
from zashiki.core.state import State
from zashiki.games.kohoju.actions import Add, Discard, Draw, Open, Pool
from zashiki.games.kohoju.rules import redeal

GAME = GAMES["kohoju"]
COMPILED = GEAR != "python"
RED_LINE = ["red circle 5, red square 4, red star 3, red cross 5"]
STOCK, DISCARD_PILE = Draw("stock"), Draw("discard pile")


def state_of(position: Position) -> State:
    state = State(GAME)
    state.records[0] = position.state
    return state


def chosen(position: Position) -> Action:
    """What the heuristic does."""
    state = state_of(position)
    return GAME.vocabulary[HeuristicBot(GAME, 0).choose(state.view(0), 0, state.legal(0), Budget())]


def choices(position: Position, iterations: int = 200) -> list[Action]:
    """What the heuristic does and what a search does, which takes too long where the rules are not compiled."""
    if not COMPILED:
        return [chosen(position)]
    state = state_of(position)
    number = SearchBot(GAME, 1).choose(state.view(0), 0, state.legal(0), Budget(iterations=iterations))
    return [chosen(position), GAME.vocabulary[number]]


def worth_of(state: Any) -> list[float]:
    worth = np.zeros(6)
    evaluate(state, worth)
    return [float(each) for each in worth[: int(state.seats)]]


def walk(seats: int, seed: int, options: dict[str, int], steps: int) -> Iterator[State]:
    """Moments of a match in which some seats play at random and the others carelessly."""
    state = State.dealt(GAME, seats, GAME.option_numbers(options), seed)
    choice, bot = random.Random(seed), CarelessBot(GAME, seed)
    for _ in range(steps):
        if state.to_act() == 0:
            return
        yield state
        seat = int(state.record.active)
        legal = state.legal(seat)
        careless = (seat + seed) % 2 and len(legal) > 1
        state.apply(seat, bot.choose(state, seat, legal, Budget()) if careless else choice.choice(legal))


def play(seats: int, seed: int, bots: Sequence[Any], target: int) -> State:
    state = State.dealt(GAME, seats, GAME.option_numbers({"target": target}), seed)
    while state.to_act():
        seat = int(state.record.active)
        state.apply(seat, bots[seat].choose(state.view(seat), seat, state.legal(seat), Budget()))
    return state


def test_a_card_of_the_guides_kind_opens_a_kohoju_before_anything_else() -> None:
    position = playing("blue circle 2, purple star 5, green cross 4", "yellow star 1, red cross 4", guide="blue circle")
    assert set(choices(position)) == {Open("blue circle 2")}


def test_of_two_cards_of_the_guides_kind_the_dearer_opens() -> None:
    position = playing("blue circle 1, blue circle 5, green cross 4", "yellow star 1, red cross 4", guide="blue circle")
    assert chosen(position) == Open("blue circle 5")


def test_the_fifth_card_is_laid_at_once() -> None:
    position = playing("red triangle 1, purple circle 5, green cross 4", "yellow star 1, yellow cross 4", kohojus={0: RED_LINE})
    assert set(choices(position)) == {Add("red triangle 1", 0)}


def test_of_two_cards_that_fit_the_dearer_is_laid_first() -> None:
    line = ["red circle 5, red square 4"]
    position = playing(
        "red triangle 1, red star 5, green cross 4, blue star 1", "yellow star 1, yellow cross 4", kohojus={0: line}
    )
    assert chosen(position) == Add("red star 5", 0)


def test_the_second_card_settles_the_line_the_hand_can_go_on_with() -> None:
    hand = "red circle 2, blue square 2, blue star 3, blue cross 3, green triangle 1"
    position = playing(hand, "yellow star 1, yellow cross 4, purple star 2", kohojus={0: ["blue circle 3"]})
    assert isinstance(add := chosen(position), Add)
    assert add.card.startswith("blue")


def test_a_card_that_finishes_the_own_kohoju_is_taken_from_the_discard_pile() -> None:
    position = table(
        "blue star 2, green cross 3", "yellow star 1, yellow cross 4", kohojus={0: RED_LINE}, discard="red triangle 4"
    )
    assert set(choices(position)) == {DISCARD_PILE}


def test_a_card_of_no_use_stays_on_the_discard_pile() -> None:
    position = table(
        "blue star 2, green cross 3, red star 1", "yellow star 1, yellow cross 4, red cross 1", discard="yellow circle 5"
    )
    assert set(choices(position)) == {STOCK}


def test_a_card_that_opens_a_kohoju_is_taken() -> None:
    hands = "blue star 2, blue cross 3, red star 1, blue square 4", "yellow star 1, yellow cross 4, red cross 1, red circle 2"
    assert chosen(table(*hands, discard="blue circle 4", guide="blue circle")) == DISCARD_PILE


def test_a_card_that_completes_the_kohoju_about_to_be_opened_is_taken() -> None:
    hand = "red cross 2, blue cross 4, green cross 1, purple cross 3, green square 4, green star 3"
    position = table(hand, "yellow star 1, red star 4, red circle 1, blue star 2", discard="yellow cross 4", guide="red cross")
    assert set(choices(position)) == {DISCARD_PILE}


def test_of_twins_that_fit_the_cheaper_goes() -> None:
    line, hand = ["blue circle 3, blue triangle 2"], "blue star 5, blue star 2, blue square 1, blue cross 1"
    position = playing(hand, "yellow star 1, yellow cross 4, red star 2", kohojus={0: line})
    position.state.may_lay = 0
    assert set(choices(position)) == {Discard("blue star 2")}


def test_the_last_but_one_card_is_completed_to_go_out() -> None:
    position = table("green square 4", "yellow star 5, yellow cross 4, red cross 5, red star 4", discard="purple triangle 1")
    assert set(choices(position)) == {DISCARD_PILE}


def test_a_card_that_fits_the_own_kohoju_is_not_discarded() -> None:
    line = ["red circle 5, red square 4, red star 3"]
    position = playing("red triangle 5, blue star 2", "yellow star 1, yellow cross 4, red cross 1", kohojus={0: line})
    position.state.may_lay = 0
    assert chosen(position) == Discard("blue star 2")


def test_the_next_seat_is_not_fed() -> None:
    hands = "red triangle 4, blue star 4, green square 4", "yellow star 1, yellow cross 4, purple circle 1"
    position = playing(*hands, kohojus={1: RED_LINE})
    position.state.may_lay = 0
    assert Discard("red triangle 4") not in choices(position)


def test_dear_cards_go_first_when_another_is_about_to_go_out() -> None:
    position = playing("green square 5, blue star 1, yellow circle 2, red circle 1", "yellow star 1")
    position.state.may_lay = 0
    assert set(choices(position)) == {Discard("green square 5")}


def test_what_nobody_else_can_use_goes_into_the_pool_rather_than_staying_in_hand() -> None:
    position = playing(
        "purple star 4, purple circle 3, green square 5, blue triangle 2", "yellow star 1, yellow cross 4, red cross 1"
    )
    assert isinstance(chosen(position), Pool)


@pytest.mark.parametrize("seats", GAME.seats)
@pytest.mark.parametrize("options", OPTIONS)
def test_weights_are_positive_and_the_same_for_all_that_a_seat_cannot_tell_apart(seats: int, options: dict[str, int]) -> None:
    rng = np.random.default_rng(seats)
    for step, state in enumerate(walk(seats, seats, options, 1200 if COMPILED else 120)):
        seat = int(state.record.active)
        legal = state.legal(seat)
        if step % 7 or len(legal) == 1:
            continue
        seen = weights(state.view(seat), seat, legal)
        assert np.all(np.isfinite(seen))
        assert min(seen) > 0
        twin = state.copy()
        permute_hidden(twin.record, seat, rng)
        assert weights(state, seat, legal) == weights(twin, seat, legal) == seen


@pytest.mark.parametrize("seats", GAME.seats)
def test_chances_add_up_to_one(seats: int) -> None:
    for state in walk(seats, seats, {}, 600 if COMPILED else 60):
        worth = worth_of(state.record)
        assert sum(worth) == pytest.approx(1)
        assert min(worth) > 0


def test_a_higher_total_a_laid_card_and_a_cheaper_hand_are_worth_more() -> None:
    plain = playing("blue star 2, green cross 3", "yellow star 1, yellow cross 4")
    before = worth_of(plain.state)[0]
    plain.state.totals[0] = 10
    assert worth_of(plain.state)[0] > before
    laid = playing("blue star 2, green cross 3", "yellow star 1, yellow cross 4", kohojus={0: RED_LINE})
    assert worth_of(laid.state)[0] > before
    assert worth_of(playing("blue star 1, green cross 1", "yellow star 1, yellow cross 4").state)[0] > before


def test_before_a_deal_begins_only_the_totals_count() -> None:
    position = Position("kohoju", 3)
    assert worth_of(position.state) == pytest.approx([1 / 3] * 3)
    position.do(int(position.state.active), STOCK)
    assert worth_of(position.state) != pytest.approx([1 / 3] * 3)


def test_the_same_lead_is_worth_more_near_the_target_and_in_the_last_deal() -> None:
    early, late, last = (Position("kohoju", 2) for _ in range(3))
    early.state.totals[:2] = last.state.totals[:2] = 15, 0
    late.state.totals[:2] = 95, 80
    last.state.deal_number = 30
    assert worth_of(late.state)[0] > worth_of(early.state)[0] > 0.5
    assert worth_of(last.state)[0] > worth_of(early.state)[0]


def test_every_deal_is_a_chapter_and_nobody_chooses_at_the_same_time() -> None:
    state = table("blue star 2", "yellow star 2").state
    state.deal_number = 4
    assert chapter(state) == 4
    assert not mixed(state, 0)


def test_an_imagined_deal_is_played_to_its_end() -> None:
    rng = np.array([1, 2, 3, 4], np.uint32)
    for step, state in enumerate(walk(3, 5, {"target": 10}, 60)):
        if step % 20 == 19:
            seat, imagined = int(state.record.active), State(GAME)
            redeal(state.view(seat).record, seat, rng, imagined.record)
            imagine(imagined.record, seat, rng)
            bot = HeuristicBot(GAME, 0)
            while imagined.to_act():
                active = int(imagined.record.active)
                imagined.apply(active, bot.choose(imagined, active, imagined.legal(active), Budget()))
            assert imagined.record.winners


def test_chances_are_better_than_a_guess() -> None:
    """Over matches of careless players, before each deal and in the middle of it."""
    loss = guess = 0.0
    for seed in range(40 if COMPILED else 5):
        seats = 2 + seed % 5
        bots, told = [CarelessBot(GAME, seed + seat) for seat in range(seats)], []
        state = State.dealt(GAME, seats, GAME.option_numbers({"target": 60}), 100 + seed)
        while state.to_act():
            seat = int(state.record.active)
            told.append(worth_of(state.record))
            state.apply(seat, bots[seat].choose(state, seat, state.legal(seat), Budget()))
        winner = int(state.record.winners).bit_length() - 1
        loss += float(np.mean([-log(worth[winner]) for worth in told]))
        guess += log(seats)
    assert loss < 0.9 * guess


def test_the_heuristic_beats_random_play() -> None:
    matches = 30 if COMPILED else 2
    won = 0
    for seed in range(matches):
        hero = seed % 2
        bots = [HeuristicBot(GAME, 0) if seat == hero else RandomBot(GAME, seed) for seat in range(2)]
        won += int(play(2, seed, bots, 20).record.winners) == 1 << hero
    assert won >= 0.9 * matches

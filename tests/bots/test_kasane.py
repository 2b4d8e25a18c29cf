"""The heuristic of Kasane: choices that are plainly right, what it may know, and what it is worth."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from tests.position import Position
from zashiki.bots import find_bot
from zashiki.bots.bot import Budget
from zashiki.bots.plain import weights
from zashiki.bots.searcher import SearchBot
from zashiki.bots.sense import evaluate, heuristics, imagine
from zashiki.core.actions import Action
from zashiki.core.gears import GEAR, rule
from zashiki.core.layout import EMPTY, Records
from zashiki.core.random import Words, seed_roller
from zashiki.core.state import State
from zashiki.games import find
from zashiki.games.kasane.actions import Combine, Decline, Take
from zashiki.games.kasane.cards import STYLES, Style
from zashiki.games.kasane.combinations import KIND_SIZE, KIND_STYLE
from zashiki.games.kasane.rules import COMBINE, OVER

KATCHOU, SETSU, KASANE, KAGEN, JOUGEN, JUU, CHIDORI, SAKURA, ASANOHA = STYLES
GAME = find("kasane")
ALL_TABLES = [(seats, combo) for seats in GAME.seats for combo in (False, True)]
COMPILED = GEAR != "python"
slow_in_python = pytest.mark.skipif(not COMPILED, reason="thousands of playouts take minutes in the python gear")

Cards = tuple[int, ...]


@pytest.fixture(autouse=True)
def known() -> None:
    heuristics(GAME)


def at_market(*rows: Cards, hands: Sequence[Cards] = (), kimonos: Sequence[Cards] = (), seats: int = 2) -> Position:
    """Seat 0 is to take a card from these rows early in the first round."""
    position = Position("kasane", seats)
    state = position.state
    state.active = state.starter = 0
    state.market[:] = EMPTY
    state.row_size[:] = 0
    for row, cards in enumerate(rows):
        state.market[row, : len(cards)] = cards
        state.row_size[row] = len(cards)
    for seat, cards in enumerate(hands):
        state.hands[seat, : len(cards)] = cards
        state.hand_size[seat] = len(cards)
    for seat, cards in enumerate(kimonos):
        state.kimonos[seat, : len(cards)] = cards
        state.kimono_size[seat] = len(cards)
    return position


def at_the_end(position: Position, turn: int = 12) -> Position:
    """The same in the last round, with this many turns begun."""
    position.state.round_number = position.state.seats
    position.state.turn_number = turn
    position.state.stack[:] = EMPTY
    position.state.stack_size = 0
    return position


def having_taken(*hand: int, kimono: Cards = (), rows: Sequence[Cards] = ((6, 8), (8, 6), (2, 6), (4, 8))) -> Position:
    """Seat 0 may combine: the last of these cards was just taken."""
    position = at_market(*rows, hands=(hand,), kimonos=(kimono,))
    position.state.phase = COMBINE
    return position


def use(position: Position, style: Style, size: int, seat: int = 1) -> None:
    """A seat, the other one unless told, has used a place."""
    kinds = list(zip(KIND_STYLE, KIND_SIZE, strict=True))
    position.state.places[kinds.index((style, size))] = seat


def as_state(position: Position) -> State:
    state = State(GAME)
    state.records[0] = position.state
    return state


def choice(position: Position) -> Action:
    """What the heuristic likes best."""
    state = as_state(position)
    legal = state.legal(0)
    return GAME.vocabulary[legal[int(np.argmax(weights(state.view(0), 0, legal)))]]


def found(position: Position, iterations: int = 2000) -> Action:
    """What a search finds."""
    state = as_state(position)
    return GAME.vocabulary[SearchBot(GAME, 1).choose(state.view(0), 0, state.legal(0), Budget(iterations=iterations))]


def test_the_card_that_completes_a_moon_of_five_is_taken() -> None:
    position = at_market((7, 9), (7, 1), (7, 8), (7, 6), hands=((5, 4, 3, 2), (9, 6, 9, 6)))
    assert choice(position) == Take(1)


def test_a_place_that_is_used_is_not_aimed_for() -> None:
    position = at_market((9, 4), (9, 7), (9, 6), hands=((2, 3), ()))
    assert choice(position) == Take(0)
    use(position, KAGEN, 3)
    use(position, KAGEN, 2)
    assert choice(position) == Take(1)


def test_the_dearer_style_is_chosen_for_the_same_cards() -> None:
    assert choice(having_taken(9, 7, 5)) == Combine(JOUGEN, 3, False)


def test_three_alike_are_laid_as_three() -> None:
    assert choice(having_taken(7, 7, 7)) == Combine(KASANE, 3, False)


def test_a_mark_is_worth_more_than_its_neighbours() -> None:
    assert choice(having_taken(1, 2, 6)) == Combine(CHIDORI, 3, False)


def test_the_last_card_of_the_kimono_lengthens_a_moon() -> None:
    assert choice(having_taken(3, 2, 1, kimono=(6, 4))) == Combine(KAGEN, 3, True)


def test_what_opens_the_other_s_card_is_left() -> None:
    position = at_market((7, 1, 9), (7, 7, 9), hands=((), (5, 4, 3, 2)))
    assert choice(position) == Take(1)


def test_a_card_that_would_bring_the_other_much_is_taken_away() -> None:
    position = at_market((7, 7, 9), (7, 7, 1), (7, 7, 9), (7, 7, 8), hands=((), (5, 4, 3, 2)))
    assert choice(position) == Take(1)


def test_nothing_is_left_to_anyone_by_the_last_card_of_a_round() -> None:
    position = at_the_end(at_market((7, 1), (9, 8), (7,), hands=((7, 6), (5, 4, 3, 2))))
    assert choice(position) == Take(1)


def test_an_accessory_is_better_than_a_card_that_brings_nothing_at_the_end() -> None:
    assert choice(at_the_end(at_market((7, 6), (9, 8), (7, 0), hands=((3,), ())))) == Take(2)


def test_at_the_end_what_can_be_laid_is_laid() -> None:
    assert choice(at_the_end(having_taken(8, 3, 9))) == Combine(KATCHOU, 2, False)


def costly_place() -> Position:
    """A place of 1 point is open to seat 0, for a fifth fabric, which costs 2 points of variety."""
    position = at_the_end(having_taken(2, 9, kimono=(3, 4, 4, 3, 2, 1, 1, 3, 1)))
    position.state.accessories[0] = 1
    use(position, JUU, 2)
    assert position.legal(0) == [Decline(), Combine(KATCHOU, 1, True)]
    return position


def test_a_place_that_costs_more_variety_than_it_brings_is_declined_at_the_end() -> None:
    assert choice(costly_place()) == Decline()


@slow_in_python
def test_a_search_sees_that_such_a_place_would_lose_the_match() -> None:
    position = costly_place()
    use(position, KAGEN, 2)
    assert found(position, 100) == Decline()


@slow_in_python
def test_a_search_takes_the_card_away_that_would_lose_the_match() -> None:
    hands = ((4, 7, 4, 7, 4, 7, 4, 7), (5, 4, 3, 2))
    position = at_the_end(at_market((9, 1), (7, 0), (9,), (9,), hands=hands, kimonos=((), (6, 6, 7, 7, 6, 7, 9))), turn=11)
    position.state.accessories[0] = 3
    use(position, JOUGEN, 5, seat=0)
    for size in (2, 3, 4):
        use(position, KATCHOU, size)
    assert found(position) == Take(0)


@slow_in_python
def test_a_search_waits_for_the_longer_moon_where_only_that_wins() -> None:
    position = at_the_end(having_taken(5, 4, 3, 2, rows=((1, 1), (1, 1), (9, 1), (9, 1))), turn=9)
    for style in (KATCHOU, SETSU, KASANE, JOUGEN, JUU):
        use(position, style, 2)
    assert found(position) == Decline()


def walk(seats: int, combo: bool, seed: int) -> Iterator[State]:
    """The states of a match in which any legal action is taken."""
    chance = random.Random(seed)
    state = State.dealt(GAME, seats, GAME.option_numbers({"accessory_combo": combo}), seed)
    while bits := state.to_act():
        yield state
        seat = bits.bit_length() - 1
        state.apply(seat, chance.choice(state.legal(seat)))


def roller(seed: int) -> Words:
    rng = np.zeros(4, np.uint32)
    seed_roller(rng, seed)
    return rng


@rule
def evaluate_first(states: Records, worth: np.ndarray) -> None:
    evaluate(states[0], worth)


@rule
def imagine_first(states: Records, seat: int, rng: Words) -> None:
    imagine(states[0], seat, rng)


def worths(state: State) -> np.ndarray:
    worth = np.zeros(int(state.record.seats))
    evaluate_first(state.records, worth)
    return worth


@pytest.mark.parametrize(("seats", "combo"), ALL_TABLES)
def test_weights_are_positive_and_know_only_what_the_seat_knows(seats: int, combo: bool) -> None:
    rng = roller(seats)
    for seed in range(20 if COMPILED else 1):
        for state in walk(seats, combo, seed):
            seat = state.to_act().bit_length() - 1
            legal, seen = state.legal(seat), state.view(seat)
            weighed = weights(state, seat, legal)
            assert min(weighed) > 0
            assert np.isfinite(weighed).all()
            assert weighed == weights(seen, seat, legal) == weights(seen.redealt(seat, rng), seat, legal)


@pytest.mark.parametrize(("seats", "combo"), ALL_TABLES)
def test_chances_add_up_to_one(seats: int, combo: bool) -> None:
    for seed in range(20 if COMPILED else 1):
        for state in walk(seats, combo, seed):
            worth = worths(state)
            assert worth.min() > 0
            assert worth.sum() == pytest.approx(1)


def test_more_points_are_a_better_chance() -> None:
    for seats in GAME.seats:
        poorer, richer = Position("kasane", seats), Position("kasane", seats)
        use(poorer, KAGEN, 4)
        use(richer, KAGEN, 5)
        assert 1 / seats < worths(as_state(poorer))[1] < worths(as_state(richer))[1]


@pytest.mark.parametrize(("seats", "combo"), ALL_TABLES)
def test_what_is_imagined_can_be_played_on(seats: int, combo: bool) -> None:
    chance, rng = random.Random(seats), roller(1)
    for state in list(map(State.copy, walk(seats, combo, 5)))[::6]:
        seat = state.to_act().bit_length() - 1
        imagined = state.view(seat).redealt(seat, rng)
        imagine_first(imagined.records, seat, rng)
        while bits := imagined.to_act():
            active = bits.bit_length() - 1
            assert imagined.act(active, chance.choice(imagined.legal(active))) == 0
        assert imagined.record.phase == OVER


def play(names: Sequence[str], seed: int) -> Iterator[State]:
    """The states of a match of these bots, the last one when it is over."""
    entrants = [find_bot(GAME, name) for name in names]
    bots = [entrant.sit_down(100 * seed + seat) for seat, entrant in enumerate(entrants)]
    state = State.dealt(GAME, len(names), GAME.option_numbers(None), seed)
    while bits := state.to_act():
        yield state
        seat = bits.bit_length() - 1
        state.apply(seat, bots[seat].choose(state.view(seat), seat, state.legal(seat), entrants[seat].budget))
    yield state


@pytest.mark.parametrize("seats", GAME.seats)
def test_the_heuristic_beats_random_play(seats: int) -> None:
    matches = 60 if COMPILED else 12
    won = 0
    for seed in range(matches):
        names = ["random"] * seats
        names[seed % seats] = "heuristic"
        *_, last = play(names, seed)
        won += last.record.winners == 1 << seed % seats
    assert won >= matches * 0.6


@slow_in_python
@pytest.mark.parametrize("seats", GAME.seats)
def test_chances_in_the_last_turns_tell_who_wins(seats: int) -> None:
    losses = []
    for seed in range(7000, 7100):
        late = []
        for state in play(["heuristic"] * seats, seed):
            if state.to_act() and state.record.round_number == seats and state.record.turn_number > 6:
                late.append(worths(state))
        winners = [seat for seat in range(seats) if state.record.winners >> seat & 1]
        losses += [-np.log(worth[winners]).mean() for worth in late]
    assert np.mean(losses) < 0.9 * np.log(seats)

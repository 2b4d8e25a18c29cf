"""Kasane, sentence by sentence."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.position import Position
from zashiki.core.layout import EMPTY, UNKNOWN
from zashiki.games.kasane.actions import Combine, Decline, Take
from zashiki.games.kasane.cards import FABRICS, MARK_STYLES, POINTS, STYLES, Style
from zashiki.games.kasane.combinations import KIND_SIZE, KIND_STYLE, KINDS, PLACE_POINTS, fitting
from zashiki.games.kasane.features import FEATURES, PROSPECTS, SEAT, observe
from zashiki.games.kasane.rules import ACCESSORY, COMBINE, NOBODY, OVER, SEATS, TAKE, TURNS

if TYPE_CHECKING:
    from zashiki.core.contract import Tensor

KATCHOU, SETSU, KASANE, KAGEN, JOUGEN, JUU, CHIDORI, SAKURA, ASANOHA = STYLES


def fresh(seats: int = 4, **options: bool) -> Position:
    """A match whose first turn is seat 0's."""
    seed = 0
    while (position := Position("kasane", seats, seed=seed, **options)).state.active != 0:
        seed += 1
    return position


def with_cards(position: Position, seat: int, hand: tuple[int, ...] = (), kimono: tuple[int, ...] = ()) -> None:
    """Gives a seat these cards; the tests that use it never count the deck."""
    state = position.state
    for cards, size, given in ((state.hands, state.hand_size, hand), (state.kimonos, state.kimono_size, kimono)):
        cards[seat] = EMPTY
        cards[seat, : len(given)] = given
        size[seat] = len(given)


def take(position: Position, seat: int, card: int) -> None:
    """The first row ends with that card, and the seat takes it."""
    state = position.state
    state.active = seat
    state.row_size[0] = max(1, state.row_size[0])
    state.market[0, state.row_size[0] - 1] = card
    position.do(seat, Take(0))


def taking(*cards: int, kimono: tuple[int, ...] = (), seats: int = 4, **options: bool) -> Position:
    """Seat 0 has these cards in hand, the last of them just taken."""
    position = fresh(seats, **options)
    with_cards(position, 0, cards[:-1], kimono)
    take(position, 0, cards[-1])
    return position


def combinations(position: Position, seat: int = 0) -> set[tuple[Style, int, bool]]:
    """What the seat may lay: style, hand cards, with or without the kimono's last card."""
    return {(a.style, a.hand, a.kimono) for a in position.legal(seat) if isinstance(a, Combine)}


def place_of(style: Style, size: int) -> int:
    return list(zip(KIND_STYLE, KIND_SIZE, strict=True)).index((style, size))


def play_through(position: Position) -> None:
    """Plays on to the end, always the last legal action."""
    while seats := position.to_act():
        (seat,) = seats
        position.do(seat, position.legal(seat)[-1])


def to_round(position: Position, number: int) -> None:
    """Plays on to the beginning of a round."""
    while position.state.round_number < number:
        (seat,) = position.to_act()
        position.do(seat, position.legal(seat)[0])


def last_turn(position: Position, seat: int) -> None:
    """It is the last turn of the round, and the seat's."""
    state = position.state
    left = 4 if state.seats == 3 else 5
    state.market[:] = EMPTY
    state.row_size[:] = 0
    state.market[0, :left] = 1
    state.row_size[0] = left
    state.turn_number, state.active = TURNS, seat


def finished(seats: int, *hands: dict[str, Any]) -> Position:
    """A match that ends with so much before each seat."""
    position = fresh(seats)
    state = position.state
    state.round_number = seats
    last_turn(position, seats - 1)
    for seat, cards in enumerate(hands):
        with_cards(position, seat, (), cards.get("kimono", ()))
        state.accessories[seat] = cards.get("accessories", 0)
        for place in cards.get("places", ()):
            state.places[place_of(*place)] = seat
    take(position, seats - 1, 1)
    if position.state.phase == COMBINE:
        position.do(seats - 1, Decline())
    return position


@pytest.mark.parametrize(("seats", "sets", "accessories"), [(2, 3, 5), (3, 4, 5), (4, 5, 7)])
def test_the_cards_in_play_go_by_the_number_of_players(seats: int, sets: int, accessories: int) -> None:
    state = fresh(seats).state
    cards = Counter(int(card) for card in [*state.market.flat, *state.stack] if card != EMPTY)
    assert cards == Counter({ACCESSORY: accessories} | dict.fromkeys(range(1, 10), sets))


def test_odd_fabrics_show_animals_and_even_ones_plants() -> None:
    assert [fabric.motif for fabric in FABRICS] == ["animal", "plant"] * 4 + ["animal"]


def test_each_mark_is_on_three_fabrics() -> None:
    marks = {mark: [f.number for f in FABRICS if f.mark == mark] for mark in ("chidori", "sakura", "asanoha")}
    assert marks == {"chidori": [1, 2, 6], "sakura": [3, 7, 8], "asanoha": [4, 5, 9]}


def test_nine_styles_have_thirty_places() -> None:
    assert len(STYLES) == 9
    assert sum(len(points) for points in POINTS.values()) == len(PLACE_POINTS) == 30
    assert all(int(owner) == NOBODY for owner in fresh().state.places)


BOARD = {
    (KATCHOU, 2): [1],
    (KATCHOU, 3): [2],
    (KATCHOU, 4): [3],
    (KATCHOU, 5): [4],
    (SETSU, 2): [1],
    (SETSU, 3): [2],
    (SETSU, 4): [3],
    (SETSU, 5): [4],
    (KASANE, 2): [2],
    (KASANE, 3): [4],
    (KASANE, 4): [6],
    (KASANE, 5): [9],
    (KAGEN, 2): [1],
    (KAGEN, 3): [3],
    (KAGEN, 4): [5],
    (KAGEN, 5): [8],
    (JOUGEN, 2): [1],
    (JOUGEN, 3): [3],
    (JOUGEN, 4): [5],
    (JOUGEN, 5): [8],
    (JUU, 2): [2],
    (JUU, 3): [3],
    (JUU, 4): [4],
    (JUU, 5): [5],
    (CHIDORI, 3): [4, 3],
    (SAKURA, 3): [4, 3],
    (ASANOHA, 3): [4, 3],
}
"""The thirty places and their points; of two, the first to be used first."""

EXAMPLES: dict[Style, tuple[int, ...]] = {
    KATCHOU: (1, 7, 3, 9, 7),
    SETSU: (2, 8, 4, 6, 2),
    KASANE: (7, 7, 7, 7, 7),
    KAGEN: (1, 2, 3, 4, 5),
    JOUGEN: (9, 8, 7, 6, 5),
    CHIDORI: (6, 1, 2),
    SAKURA: (3, 8, 7),
    ASANOHA: (5, 9, 4),
}
TENS = {2: (4, 6), 3: (3, 3, 4), 4: (4, 3, 2, 1), 5: (2, 2, 2, 2, 2)}


@pytest.mark.parametrize(("style", "size"), BOARD)
def test_a_combination_earns_the_points_of_its_place(style: Style, size: int) -> None:
    cards = TENS[size] if style == JUU else EXAMPLES[style][:size]
    position = fresh()
    for seat, points in enumerate(BOARD[style, size]):
        with_cards(position, seat, cards[:-1])
        take(position, seat, cards[-1])
        position.do(seat, Combine(style, size, False))
        assert position.scores()[seat]["places"] == points


def test_there_is_no_place_but_those_thirty() -> None:
    assert Counter(zip(KIND_STYLE, KIND_SIZE, strict=True)) == Counter(BOARD.keys())
    assert sorted(PLACE_POINTS) == sorted(points for places in BOARD.values() for points in places)


@pytest.mark.parametrize(("seats", "rows"), [(2, [4, 4, 4, 4]), (3, [5, 5, 5, 0]), (4, [4, 4, 4, 4])])
def test_the_market_has_four_rows_of_four_or_three_rows_of_five(seats: int, rows: list[int]) -> None:
    state = fresh(seats).state
    assert list(state.row_size) == rows
    assert [int((row != EMPTY).sum()) for row in state.market] == rows


def test_the_market_is_dealt_row_by_row_from_the_left() -> None:
    position = fresh(2)
    stack = [int(card) for card in position.state.stack if card != EMPTY]
    to_round(position, 2)
    assert [int(card) for card in position.state.market[:, :4].flat] == stack[::-1]


def test_two_players_use_32_cards_in_two_markets() -> None:
    position = fresh(2)
    assert position.state.stack_size == 16
    to_round(position, 2)
    assert (int(position.state.stack_size), int(position.state.discard_size)) == (0, 4)
    play_through(position)
    assert position.state.discard_size == 8


def test_three_players_shuffle_six_discards_into_eleven_cards_and_leave_two_out() -> None:
    position = fresh(3)
    assert position.state.stack_size == 26
    to_round(position, 2)
    assert (int(position.state.stack_size), int(position.state.discard_size)) == (11, 3)
    to_round(position, 3)
    assert (int(position.state.stack_size), int(position.state.discard_size)) == (2, 0)


def test_four_players_shuffle_twelve_discards_into_the_last_four_cards() -> None:
    position = fresh(4)
    to_round(position, 3)
    assert (int(position.state.stack_size), int(position.state.discard_size)) == (4, 8)
    to_round(position, 4)
    assert (int(position.state.stack_size), int(position.state.discard_size)) == (0, 0)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_random_seat_begins(seats: int) -> None:
    assert {int(Position("kasane", seats, seed=seed).state.starter) for seed in range(40)} == set(range(seats))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_there_are_as_many_rounds_as_players_and_each_begins_left_of_the_last_one(seats: int) -> None:
    position = fresh(seats)
    for number in range(1, seats + 1):
        to_round(position, number)
        assert (int(position.state.starter), int(position.state.active)) == (number - 1, number - 1)
    play_through(position)
    assert (position.state.phase, int(position.state.round_number)) == (OVER, seats)


@pytest.mark.parametrize(("seats", "each"), [(2, 6), (3, 4), (4, 3)])
def test_everyone_takes_six_four_or_three_cards_a_round_and_twelve_in_all(seats: int, each: int) -> None:
    position = fresh(seats)

    def taken() -> list[int]:
        state = position.state
        return [int(state.hand_size[s] + state.kimono_size[s] + state.accessories[s]) for s in range(seats)]

    to_round(position, 2)
    assert taken() == [each] * seats
    play_through(position)
    assert taken() == [12] * seats


def test_seats_take_turns_to_the_left() -> None:
    position = fresh(3)
    for seat in (0, 1, 2, 0):
        assert position.to_act() == {seat}
        take(position, seat, ACCESSORY)


def test_a_turn_takes_the_rightmost_card_of_any_row() -> None:
    position = fresh()
    assert position.legal(0) == [Take(0), Take(1), Take(2), Take(3)]
    position.state.market[2, 3] = 7
    position.do(0, Take(2))
    assert list(position.state.hands[0, :2]) == [7, EMPTY]
    assert list(position.state.row_size) == [4, 4, 3, 4]
    assert position.state.market[2, 3] == EMPTY


def test_an_empty_row_cannot_be_chosen() -> None:
    position = fresh()
    position.state.row_size[1] = 0
    assert position.legal(0) == [Take(0), Take(2), Take(3)]


def test_a_single_row_left_is_still_asked_for() -> None:
    position = fresh()
    position.state.row_size[:] = [0, 0, 4, 0]
    assert position.legal(0) == [Take(2)]


def test_only_the_active_seat_has_something_to_decide() -> None:
    position = fresh()
    assert [position.legal(seat) for seat in (1, 2, 3)] == [[], [], []]


def test_an_accessory_is_laid_at_once_and_ends_the_turn() -> None:
    position = fresh()
    with_cards(position, 0, (5, 5))
    take(position, 0, ACCESSORY)
    assert position.state.accessories[0] == 1
    assert list(position.state.hands[0, :3]) == [5, 5, EMPTY]
    assert (position.to_act(), position.state.phase) == ({1}, TAKE)


def test_a_fabric_goes_to_the_right_end_of_the_hand() -> None:
    position = taking(5, 7, 3, 2, 1)
    assert list(position.state.hands[0, :6]) == [5, 7, 3, 2, 1, EMPTY]


def test_a_combination_is_made_of_neighbours_up_to_the_card_just_taken() -> None:
    position = taking(5, 7, 3, 2, 1)
    assert {c for c in combinations(position) if c[0] == KAGEN} == {(KAGEN, 3, False), (KAGEN, 2, False)}
    position.do(0, Combine(KAGEN, 3, False))
    assert list(position.state.hands[0, :3]) == [5, 7, EMPTY]
    assert list(position.state.kimonos[0, :4]) == [3, 2, 1, EMPTY]
    assert position.scores()[0]["places"] == 3


def test_cards_that_fit_without_the_one_just_taken_cannot_be_played() -> None:
    position = taking(4, 4, 9)
    assert position.to_act() == {1}


def test_the_last_card_of_the_kimono_may_be_the_first_of_a_combination() -> None:
    position = taking(8, 3, 2, 1, kimono=(6, 4))
    assert (KAGEN, 3, True) in combinations(position)
    position.do(0, Combine(KAGEN, 3, True))
    assert position.state.places[place_of(KAGEN, 4)] == 0
    assert position.scores()[0]["places"] == 5


def test_the_kimono_card_is_not_moved_and_not_counted_again() -> None:
    position = taking(8, 3, 2, 1, kimono=(6, 4))
    position.do(0, Combine(KAGEN, 3, True))
    assert list(position.state.kimonos[0, :6]) == [6, 4, 3, 2, 1, EMPTY]
    assert int(position.state.kimono_size[0]) == 5


def test_only_the_last_card_of_the_kimono_can_be_used() -> None:
    assert combinations(taking(9, 1, kimono=(9, 8))) == {(JUU, 2, False), (KATCHOU, 2, False)}


def test_a_first_combination_has_no_kimono_card() -> None:
    assert not any(on_kimono for _, _, on_kimono in combinations(taking(5, 5)))


def test_the_kimono_card_counts_for_size_order_and_sum() -> None:
    assert combinations(taking(4, kimono=(6,))) == {(SETSU, 1, True), (JUU, 1, True)}
    assert combinations(taking(2, 4, kimono=(1,))) == {
        (KAGEN, 2, False),
        (SETSU, 2, False),
        (KAGEN, 1, True),
        (KAGEN, 2, True),
    }


@pytest.mark.parametrize(
    ("cards", "styles"),
    [
        ((5, 5), {KASANE, JUU, KATCHOU}),
        ((5, 3, 2), {KAGEN, JUU}),
        ((9, 7, 5), {JOUGEN, KATCHOU}),
    ],
)
def test_cards_that_fit_several_styles_leave_the_choice(cards: tuple[int, ...], styles: set[Style]) -> None:
    whole = {style for style, hand, _ in combinations(taking(*cards)) if hand == len(cards)}
    assert whole == styles
    for style in styles:
        position = taking(*cards)
        position.do(0, Combine(style, len(cards), False))
        assert position.state.places[place_of(style, len(cards))] == 0


@pytest.mark.parametrize(
    ("style", "fits", "fails"),
    [
        (KATCHOU, [(1, 9), (3, 3, 7), (5, 1, 9, 3), (1, 1, 1, 1, 3)], [(1, 2), (1, 3, 4)]),
        (SETSU, [(2, 8), (4, 4, 6), (8, 2, 6, 4)], [(2, 3), (5, 4, 6)]),
        (KASANE, [(4, 4), (7, 7, 7), (1, 1, 1, 1), (9, 9, 9, 9, 9)], [(4, 5), (7, 7, 6)]),
        (KAGEN, [(1, 5), (4, 2), (1, 2, 4), (5, 3, 2, 1), (1, 2, 3, 4, 5)], [(3, 3), (1, 3, 2), (4, 6), (1, 1, 2)]),
        (JOUGEN, [(5, 9), (8, 6), (5, 7, 8), (9, 7, 6, 5), (9, 8, 7, 6, 5)], [(6, 6), (5, 7, 6), (4, 6), (9, 7, 7)]),
        (JUU, [(5, 5), (9, 1), (1, 8, 1), (4, 1, 2, 3), (2, 2, 2, 2, 2)], [(5, 4), (1, 8, 2)]),
        (CHIDORI, [(1, 2, 6), (6, 1, 2)], [(1, 2, 2), (1, 2, 3), (1, 2), (1, 2, 6, 1)]),
        (SAKURA, [(3, 7, 8), (8, 3, 7)], [(3, 3, 8), (3, 7)]),
        (ASANOHA, [(4, 5, 9), (9, 5, 4)], [(4, 5, 5), (5, 9)]),
    ],
)
def test_what_fits_each_style(style: Style, fits: list[tuple[int, ...]], fails: list[tuple[int, ...]]) -> None:
    for cards in fits:
        assert (style, len(cards), False) in combinations(taking(*cards)), cards
        assert (style, len(cards) - 1, True) in combinations(taking(*cards[1:], kimono=cards[:1])), cards
    for cards in fails:
        assert (style, len(cards), False) not in combinations(taking(*cards)), cards
        assert (style, len(cards) - 1, True) not in combinations(taking(*cards[1:], kimono=cards[:1])), cards


def fits_by_the_book(style: Style, cards: list[int]) -> bool:
    """The table of styles, read card by card."""
    fabrics = [FABRICS[card - 1] for card in cards]
    steps = {(right > left) - (right < left) for left, right in pairwise(cards)}
    in_order = steps in ({1}, {-1})
    if style in MARK_STYLES:
        return len(cards) == len(set(cards)) == 3 and all(fabric.mark == MARK_STYLES[style] for fabric in fabrics)
    return {
        KATCHOU: all(fabric.motif == "animal" for fabric in fabrics),
        SETSU: all(fabric.motif == "plant" for fabric in fabrics),
        KASANE: len(set(cards)) == 1,
        KAGEN: in_order and max(cards) <= 5,
        JOUGEN: in_order and min(cards) >= 5,
        JUU: sum(cards) == 10,
    }[style]


def test_random_hands_fit_what_the_table_of_styles_says() -> None:
    rng = np.random.default_rng(1)
    for _ in range(1500):
        # Few different numbers, so that much fits.
        low = int(rng.integers(1, 8))
        hand = rng.integers(low, low + 3, rng.integers(1, 8)).astype(np.int8)
        kimono = int(rng.choice([EMPTY, low, low + 1, low + 2]))
        expected = 0
        for kind, (style, size) in enumerate(zip(KIND_STYLE, KIND_SIZE, strict=True)):
            if size <= len(hand) and fits_by_the_book(style, [int(card) for card in hand[-size:]]):
                expected |= 1 << kind
            cards = [kimono, *(int(card) for card in hand[len(hand) - size + 1 :])]
            if kimono > 0 and size - 1 <= len(hand) and fits_by_the_book(style, cards):
                expected |= 1 << (KINDS + kind)
        assert int(fitting(hand, len(hand) - 1, int(hand[-1]), kimono)) == expected, (hand, kimono)


def test_nothing_is_played_with_one_card_or_with_six() -> None:
    assert taking(5).to_act() == {1}
    assert {hand for _, hand, _ in combinations(taking(1, 3, 1, 3, 1, 3))} == {2, 3, 4, 5}


def test_five_hand_cards_leave_no_room_for_the_kimono_card() -> None:
    on_kimono = {hand for _, hand, with_kimono in combinations(taking(1, 3, 1, 3, 1, 3, kimono=(1,))) if with_kimono}
    assert on_kimono == {1, 2, 3, 4}


def test_a_place_is_used_once_by_anyone() -> None:
    position = taking(9, 9)
    position.do(0, Combine(KASANE, 2, False))
    with_cards(position, 1, (7,))
    take(position, 1, 7)
    assert combinations(position, 1) == {(KATCHOU, 2, False)}
    position.do(1, Decline())
    with_cards(position, 0, (4,))
    take(position, 0, 4)
    assert combinations(position, 0) == {(SETSU, 2, False)}


def test_the_same_style_of_another_size_stays_free() -> None:
    position = taking(9, 9)
    position.do(0, Combine(KASANE, 2, False))
    take(position, 0, 9)
    assert (KASANE, 1, True) not in combinations(position, 0)
    with_cards(position, 1, (8, 8))
    position.state.phase = TAKE
    take(position, 1, 8)
    assert (KASANE, 3, False) in combinations(position, 1)


def test_the_first_to_play_a_mark_gets_four_the_second_three_and_a_third_cannot() -> None:
    position = fresh(3)
    for seat, points in ((0, 4), (1, 3)):
        with_cards(position, seat, (1, 6))
        take(position, seat, 2)
        position.do(seat, Combine(CHIDORI, 3, False))
        assert position.scores()[seat]["places"] == points
    with_cards(position, 2, (1, 6))
    take(position, 2, 2)
    assert not any(style == CHIDORI for style, _, _ in combinations(position, 2))


def test_the_same_player_may_use_both_places_of_a_mark() -> None:
    position = fresh(2)
    for cards in ((1, 6), (6, 1)):
        position.state.phase = TAKE
        with_cards(position, 0, cards)
        take(position, 0, 2)
        position.do(0, Combine(CHIDORI, 3, False))
    assert position.scores()[0]["places"] == 7


def test_the_five_belongs_to_both_moons() -> None:
    assert (KAGEN, 2, False) in combinations(taking(4, 5))
    assert (JOUGEN, 2, False) in combinations(taking(6, 5))


def test_a_combination_may_always_be_declined() -> None:
    position = taking(5, 5)
    assert Decline() in position.legal(0)
    position.do(0, Decline())
    assert list(position.state.hands[0, :2]) == [5, 5]
    assert (position.to_act(), position.state.phase) == ({1}, TAKE)


def test_one_combination_ends_the_turn() -> None:
    position = taking(5, 5, 5, 5)
    position.do(0, Combine(KASANE, 2, False))
    assert (position.to_act(), position.state.phase) == ({1}, TAKE)


def test_nobody_is_asked_when_nothing_can_be_played() -> None:
    position = fresh()
    position.state.places[:] = 3
    with_cards(position, 0, (5,))
    take(position, 0, 5)
    assert (position.to_act(), position.state.phase) == ({1}, TAKE)


def test_the_table_shows_what_each_seat_did_last() -> None:
    position = taking(5, 5)
    assert (int(position.state.last_taken[0]), int(position.state.last_place[0])) == (5, EMPTY)
    position.do(0, Combine(JUU, 2, False))
    assert int(position.state.last_place[0]) == place_of(JUU, 2)
    take(position, 0, ACCESSORY)
    assert (int(position.state.last_taken[0]), int(position.state.last_place[0])) == (ACCESSORY, EMPTY)


@pytest.mark.parametrize(("seats", "left"), [(2, 4), (3, 3), (4, 4)])
def test_the_round_ends_with_four_or_three_cards_left_which_are_discarded(seats: int, left: int) -> None:
    position = fresh(seats)
    while position.state.turn_number < TURNS:
        (seat,) = position.to_act()
        position.do(seat, position.legal(seat)[0])
    assert int(position.state.row_size.sum()) == left + 1
    rest = [int(card) for card in position.state.market.flat if card != EMPTY]
    to_round(position, 2)
    assert Counter(int(card) for card in position.state.discards[:left]) < Counter(rest)


def test_hands_and_kimonos_stay_from_round_to_round() -> None:
    position = fresh(2)
    with_cards(position, 1, (8, 3, 1), (2, 4))
    last_turn(position, 0)
    take(position, 0, ACCESSORY)
    assert position.state.round_number == 2
    assert list(position.state.hands[1, :4]) == [8, 3, 1, EMPTY]
    assert list(position.state.kimonos[1, :3]) == [2, 4, EMPTY]


def test_places_and_accessories_count() -> None:
    position = fresh(2)
    position.state.places[place_of(KASANE, 5)] = 1
    position.state.places[place_of(JUU, 3)] = 1
    position.state.accessories[1] = 3
    assert position.scores()[1] == {"places": 12, "accessories": 3, "dozen": 0, "variety": 0}


@pytest.mark.parametrize(("different", "bonus"), list(enumerate((5, 4, 3, 2, 0, 2, 3, 4, 5), start=1)))
def test_eight_cards_laid_earn_a_bonus_by_variety(different: int, bonus: int) -> None:
    position = fresh()
    kimono = [*range(1, different + 1), *[1] * (8 - different)]
    with_cards(position, 0, (), tuple(kimono))
    assert position.scores()[0]["variety"] == bonus


def test_nine_laid_with_eight_different_fabrics_earn_four() -> None:
    position = fresh()
    with_cards(position, 0, (), (1, 2, 3, 4, 5, 6, 7, 8, 8))
    assert position.scores()[0] == {"places": 0, "accessories": 0, "dozen": 0, "variety": 4}


def test_twelve_laid_with_six_different_fabrics_and_two_accessories_earn_six() -> None:
    position = fresh()
    with_cards(position, 0, (), (1, 2, 3, 4, 5, 6, 6, 5, 4, 3))
    position.state.accessories[0] = 2
    assert position.scores()[0] == {"places": 0, "accessories": 2, "dozen": 2, "variety": 2}


def test_accessories_count_towards_eight_cards_laid() -> None:
    position = fresh()
    with_cards(position, 0, (), (7, 7, 7, 7, 7))
    position.state.accessories[0] = 3
    assert position.scores()[0] == {"places": 0, "accessories": 3, "dozen": 0, "variety": 5}
    position.state.accessories[0] = 2
    assert position.scores()[0]["variety"] == 0


def test_cards_still_in_hand_cost_nothing() -> None:
    position = fresh()
    with_cards(position, 0, (1, 2, 3))
    assert sum(position.scores()[0].values()) == 0


def test_most_points_win() -> None:
    position = finished(3, {"places": [(KASANE, 3)]}, {"places": [(JUU, 5)]}, {"kimono": (9,)})
    assert (position.winners(), position.ending()) == ({1}, "points")
    assert position.to_act() == set()


def test_a_tie_goes_to_more_cards_laid() -> None:
    position = finished(2, {"places": [(JUU, 3)], "kimono": (4, 3, 3)}, {"places": [(KAGEN, 3)], "kimono": (5, 3)})
    assert (position.winners(), position.ending()) == ({0}, "cards laid")


def test_accessories_are_cards_laid_in_a_tie() -> None:
    position = finished(2, {"places": [(JUU, 3)], "kimono": (5, 3)}, {"places": [(JUU, 2)], "kimono": (4, 6), "accessories": 1})
    assert (position.winners(), position.ending()) == ({1}, "cards laid")


def test_the_fourth_of_four_seats_can_win_a_tie_by_cards_laid() -> None:
    position = finished(
        4,
        {"places": [(JUU, 3)], "kimono": (4, 3, 3)},
        {"places": [(KAGEN, 3)], "kimono": (5, 3)},
        {"places": [(JOUGEN, 3)], "kimono": (9, 7, 6)},
        {"places": [(SETSU, 4)], "kimono": (2, 4, 4, 6)},
    )
    assert [sum(parts.values()) for parts in position.scores()] == [3, 3, 3, 3]
    assert (position.winners(), position.ending()) == ({3}, "cards laid")


def test_a_tie_in_cards_laid_is_shared() -> None:
    equal = {"kimono": (4, 3, 3)}
    position = finished(3, {"places": [(JUU, 3)]} | equal, {"places": [(KAGEN, 3)]} | equal, {"places": [(KATCHOU, 2)]})
    assert (position.winners(), position.ending()) == ({0, 1}, "shared")


def test_fewer_points_with_more_cards_laid_do_not_win() -> None:
    position = finished(2, {"kimono": (2, 3, 3, 4)}, {"places": [(KATCHOU, 2)], "kimono": (9, 9)})
    assert (position.winners(), position.ending()) == ({1}, "points")


def test_after_an_accessory_a_combination_may_follow_by_option() -> None:
    position = fresh(accessory_combo=True)
    with_cards(position, 0, (8, 3, 2), (4,))
    take(position, 0, ACCESSORY)
    assert combinations(position) == {(KAGEN, 2, False), (KAGEN, 2, True), (SETSU, 1, True), (KAGEN, 1, True)}
    position.do(0, Combine(KAGEN, 2, True))
    assert list(position.state.kimonos[0, :4]) == [4, 3, 2, EMPTY]
    assert position.state.accessories[0] == 1


def test_after_an_accessory_the_only_card_in_hand_may_follow_the_kimono_card() -> None:
    position = fresh(accessory_combo=True)
    with_cards(position, 0, (6,), (1, 4))
    take(position, 0, ACCESSORY)
    assert combinations(position) == {(SETSU, 1, True), (JUU, 1, True)}
    position.do(0, Combine(JUU, 1, True))
    assert position.state.hand_size[0] == 0
    assert list(position.state.kimonos[0, :4]) == [1, 4, 6, EMPTY]
    assert position.scores()[0] == {"places": 2, "accessories": 1, "dozen": 0, "variety": 0}


def test_after_an_accessory_the_only_card_in_hand_makes_nothing_alone() -> None:
    position = fresh(accessory_combo=True)
    with_cards(position, 0, (6,))
    take(position, 0, ACCESSORY)
    assert position.to_act() == {1}


def test_after_an_accessory_an_empty_hand_has_nothing_to_play() -> None:
    position = fresh(accessory_combo=True)
    with_cards(position, 0, (), (5, 5))
    take(position, 0, ACCESSORY)
    assert position.to_act() == {1}


def test_the_stack_is_hidden_from_everybody_and_nothing_else_is() -> None:
    position = fresh(3)
    to_round(position, 2)
    state = position.state
    for seat in (-1, 0, 1, 2):
        view = position.view(seat)
        assert [int(card) for card in view.stack] == [UNKNOWN] * 11 + [EMPTY] * 41
        for field in position.game.layout.own:
            if field.name != "stack":
                assert np.array_equal(view[field.name], state[field.name])


def test_a_view_lists_the_discarded_cards() -> None:
    position = fresh(4)
    to_round(position, 2)
    assert sum(card >= 0 for card in position.view(1).discards) == 4


@pytest.mark.parametrize("seats", [2, 4])
def test_the_last_market_of_two_and_four_players_is_known_card_by_card(seats: int) -> None:
    position = fresh(seats)
    to_round(position, seats - 1)
    while position.state.turn_number < TURNS:
        (seat,) = position.to_act()
        position.do(seat, position.legal(seat)[0])
    view = position.view(0).copy()
    known = Counter({ACCESSORY: 5 if seats == 2 else 7} | dict.fromkeys(range(1, 10), seats + 1))
    known[ACCESSORY] -= int(view.accessories.sum())
    known.subtract(int(card) for card in [*view.market.flat, *view.hands.flat, *view.kimonos.flat, *view.discards] if card >= 0)
    (seat,) = position.to_act()
    to_round(position, seats)
    if seats == 4:
        known.update(int(card) for card in [*view.market.flat, *view.discards] if card >= 0)
        known[int(position.state.last_taken[seat])] -= 1
    assert Counter(int(card) for card in position.state.market.flat if card >= 0) == +known


@pytest.mark.parametrize(("seats", "most"), [(2, 3), (3, 4), (4, 5)])
def test_the_largest_kasane_needs_as_many_sets(seats: int, most: int) -> None:
    state = fresh(seats).state
    assert Counter(int(card) for card in [*state.market.flat, *state.stack] if card > 0).most_common(1)[0][1] == most
    assert len(state.places) == 30


def test_one_hand_can_leave_seventeen_combinations() -> None:
    position = taking(1, 5, 5, 5, 5, kimono=(5,))
    assert len(position.legal(0)) == 18


def test_there_are_54_combinations() -> None:
    actions = Position("kasane", 2).game.vocabulary.actions
    kinds = Counter(type(action).__name__ for action in actions)
    assert kinds == {"Take": 4, "Decline": 1, "Combine": 54}
    assert len(set(actions)) == len(actions)


def test_actions_speak() -> None:
    assert Take(0).words() == "takes the rightmost card of the first row"
    assert Decline().words() == "plays no combination"
    assert Combine(KASANE, 5, False).words() == "lays five cards as Kasane of 5"
    assert Combine(SETSU, 2, True).words() == "lays two cards after the kimono's last card as Setsu Getsu Fuuka of 3"
    assert Combine(JUU, 1, True).words() == "lays one card after the kimono's last card as Juu of 2"


CARDS_FROM = FEATURES - SEATS * (SEAT + PROSPECTS)


def observation(position: Position, seat: int) -> Tensor:
    tensor = np.zeros(FEATURES, np.float32)
    observe(position.view(seat), seat, tensor)
    return tensor


@pytest.mark.parametrize("owner", [0, 1, 2, 3])
def test_hands_that_differ_only_in_deep_order_are_told_apart(owner: int) -> None:
    position = fresh()
    seen = []
    for hand in ((1, 2, 3, 9, 1, 7, 6, 2), (3, 1, 2, 9, 1, 7, 6, 2)):
        with_cards(position, owner, hand)
        seen.append([observation(position, seat) for seat in range(4)])
    assert not any(np.array_equal(first, second) for first, second in zip(*seen, strict=True))


def test_a_full_hand_is_observed_from_its_right_end() -> None:
    position = fresh()
    hand = (1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3)
    with_cards(position, 3, hand)
    places = observation(position, 3)[CARDS_FROM:][: 12 * 9].reshape(12, 9)
    assert [int(place.argmax()) + 1 for place in places] == list(reversed(hand))
    assert places.sum() == 12


@pytest.mark.parametrize(("hand", "kimono", "points"), [((8, 3, 2), (4,), 3), ((6,), (4,), 2), ((6,), (), 0), ((), (4,), 0)])
def test_a_row_that_ends_in_an_accessory_is_worth_what_may_follow_it(
    hand: tuple[int, ...], kimono: tuple[int, ...], points: int
) -> None:
    for option, chance in ((True, points / 9), (False, 0)):
        position = fresh(accessory_combo=option)
        with_cards(position, 0, hand, kimono)
        position.state.market[2, 3] = ACCESSORY
        chances = observation(position, 0)[CARDS_FROM + SEAT - 4 :][:4]
        assert chances[2] == pytest.approx(chance)


def test_leads_are_observed_of_every_seat_and_more_cards_laid_count_half_a_point() -> None:
    position = fresh(3)
    position.state.accessories[:3] = (2, 1, 0)
    position.state.places[place_of(KASANE, 2)] = 2
    with_cards(position, 2, kimono=(1, 1))
    leads = observation(position, 1)[-SEATS * PROSPECTS :].reshape(SEATS, PROSPECTS)[:, :3]
    assert leads[0] == pytest.approx([-1.5 / 2.5, -1.5 / 5.5, -1.5 / 13.5])
    assert not leads[1:].any()
    with_cards(position, 2, kimono=(1, 1, 1))
    leads = observation(position, 1)[-SEATS * PROSPECTS :].reshape(SEATS, PROSPECTS)[:, :3]
    assert leads[1, 0] == pytest.approx(0.5 / 1.5)
    assert leads[2, 0] == pytest.approx(-0.5 / 1.5)
    assert not leads[3].any()


def test_what_the_card_behind_a_rightmost_one_would_bring_is_observed() -> None:
    position = fresh(2)
    with_cards(position, 1, hand=(7, 7))
    position.state.market[0, 2:4] = (7, 1)
    chances = observation(position, 0)[-SEATS * PROSPECTS :].reshape(SEATS, PROSPECTS)[:, 3:]
    assert chances[1, 0] == pytest.approx(4 / 9)
    assert chances[0, 0] == 0
    assert not chances[2:].any()

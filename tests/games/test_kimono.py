"""Kimono, sentence by sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from io import StringIO
from typing import Literal

import numpy as np
import pytest
from rich.console import Console

from tests.conformance.games.kimono import check_laws
from tests.position import Position
from zashiki import Match
from zashiki.core.contract import Tensor
from zashiki.core.layout import EMPTY, SPECTATOR, UNKNOWN
from zashiki.core.state import State
from zashiki.games.kimono.actions import Break, CarryOut, Copy, Cut, PlaceApprentice, Side, Vote
from zashiki.games.kimono.cards import (
    APPRENTICE,
    BREAKAGE,
    CARDS,
    CAT,
    COIN,
    COPIES,
    COPY,
    CURIOS,
    FIRE,
    HOUSE_NUMBERS,
    KIMONO,
    NUMBERS,
)
from zashiki.games.kimono.rules import ASIDE, CHOOSING, IN_ROW, VOTE_FROM, WITH_MASTER
from zashiki.terminal.kimono import board

TEA_BOWL, FAN, SWORD, PARASOL, LUTE, FIGURINE, CHOPSTICKS = range(7)
PLAIN_ROW = (FAN, SWORD, PARASOL, LUTE, FIGURINE, CHOPSTICKS, TEA_BOWL, FAN, SWORD)


def fresh(seats: int = 3, row: tuple[int, ...] = PLAIN_ROW, sack: tuple[int, ...] = ()) -> Position:
    """A match whose first master is seat 0 and whose first row (and top of the sack) is as wanted."""
    seed = 0
    while (position := Position("kimono", seats, seed=seed)).state.master != 0:
        seed += 1
    cards = Counter(dict(enumerate(COPIES[:13])))
    cards[KIMONO] = 0
    size, state = int(position.state.pile_size), position.state
    state.row[: len(row)] = row
    cards.subtract(state.row[:size].tolist())
    rest = list((cards - Counter(sack)).elements())
    state.deck[size:] = [*rest, *reversed(sack)]
    check_laws(state)
    return position


def split(position: Position, after: int, place: int = 0, first: Side = "left") -> None:
    """The first split: the cut, then the apprentice."""
    master = int(position.state.master)
    position.do(master, Cut(after, first))
    position.do(master, PlaceApprentice(place))


def cut(position: Position, after: int, first: Side = "left") -> None:
    position.do(int(position.state.master), Cut(after, first))


def vote(position: Position, *groups: int) -> None:
    """Those who are asked vote, in the order of their seats."""
    for seat, group in zip(sorted(position.to_act()), groups, strict=True):
        position.do(seat, Vote(1 if group == 1 else 2))
    check_laws(position.state)


def front(position: Position, seat: int) -> dict[str, int]:
    counts = position.state.front[seat]
    return {CARDS[card]: int(counts[card]) for card in range(10) if counts[card]}


def binned(position: Position) -> dict[str, int]:
    return {CARDS[card]: int(count) for card, count in enumerate(position.state.bin) if count}


def boxed(position: Position) -> dict[str, int]:
    return {CARDS[card]: int(count) for card, count in enumerate(position.state.box) if count}


def lift(position: Position, card: int) -> None:
    """Takes a card out of the piles; the others move up, so that the sack gets smaller and keeps its top."""
    state = position.state
    hidden = [int(each) for each in state.deck if each != EMPTY]
    hidden.remove(card)
    state.sack_size -= 1
    state.deck[:] = EMPTY
    state.deck[int(state.pile_size) :][: len(hidden)] = hidden


def give(position: Position, seat: int, *cards: int) -> None:
    """Lays cards before a seat."""
    for card in cards:
        if card == KIMONO:
            position.state.kimonos -= 1
        else:
            lift(position, card)
        position.state.front[seat, card] += 1
    check_laws(position.state)


def throw(position: Position, *cards: int) -> None:
    """Lays cards into the bin."""
    for card in cards:
        lift(position, card)
        position.state.bin[card] += 1
        position.state.bin_size += 1
    check_laws(position.state)


def taking(seat: int, *cards: int, before: tuple[int, ...] = (), sack: tuple[int, ...] = ()) -> Position:
    """A seat that has `before` takes these cards alone from the left; the others are still at odds over the right."""
    row = (*cards, *PLAIN_ROW)[:9]
    position = fresh(3, row, sack)
    give(position, seat, *before)
    split(position, len(cards), place=10)
    vote(position, *(1 if other == seat else 2 for other in range(3)))
    return position


def test_there_are_74_market_cards_10_kimonos_and_the_apprentice() -> None:
    assert sum(COPIES[:KIMONO]) == 56
    assert (COPIES[COIN], COPIES[FIRE], COPIES[CAT], COPIES[BREAKAGE], COPIES[COPY]) == (9, 3, 2, 2, 2)
    assert sum(COPIES) == 74 + 10 + 1
    assert (COPIES[KIMONO], COPIES[APPRENTICE]) == (10, 1)


def test_house_numbers_keep_to_the_house_rule() -> None:
    for curio in CURIOS:
        number = NUMBERS[curio]
        assert number.limit == (10 - number.points) // 2
        assert curio == "kimono" or number.points == 13 - number.copies


def test_house_and_inferred_numbers_are_named() -> None:
    assert HOUSE_NUMBERS == {
        "tea bowl: points": "8, ours",
        "tea bowl: limit": "1, ours",
        "fan: points": "7, ours",
        "fan: limit": "1, ours",
        "sword: limit": "2, ours",
        "parasol: points": "5, ours",
        "parasol: limit": "2, ours",
        "lute: limit": "3, ours",
        "figurine: points": "3, ours",
        "chopsticks: points": "2, ours",
        "chopsticks: limit": "4, ours",
        "kimono: points": "5, inferred",
        "gold coin: points": "1, ours",
        "gold coin: limit": "none, ours",
    }


@pytest.mark.parametrize(("seats", "pile", "sack"), [(3, 9, 29), (4, 9, 29), (5, 13, 9), (6, 13, 9)])
def test_five_round_piles_and_the_sack(seats: int, pile: int, sack: int) -> None:
    state = Position("kimono", seats).state
    assert (int(state.pile_size), int(state.sack_size)) == (pile, sack)
    assert sum(card != EMPTY for card in state.row) == pile
    assert sum(card != EMPTY for card in state.deck) == 4 * pile + sack
    check_laws(state)


def test_market_cards_are_shuffled_over_all_piles_and_the_sack() -> None:
    deals = 400
    places: list[Counter[int]] = [Counter() for _ in range(74)]
    for seed in range(deals):
        state = Position("kimono", 3, seed=seed).state
        for place, card in enumerate([*state.row[:9], *state.deck[9:]]):
            places[place][int(card)] += 1
    # Five deviations either way, for the nine cards in the first row and the 29 in the sack together, then place by place.
    for pile in (places[:9], places[45:]):
        found = sum(pile, Counter())
        assert set(found) == set(range(13)) - {KIMONO}
        for card, count in found.items():
            mean = deals * len(pile) * COPIES[card] / 74
            assert abs(count - mean) < 5 * mean**0.5, CARDS[card]
    for place, cards in enumerate(places):
        for some in ((TEA_BOWL, FAN), (CHOPSTICKS,), (COIN,), (FIRE, CAT, BREAKAGE, COPY)):
            mean = deals * sum(COPIES[card] for card in some) / 74
            assert abs(sum(cards[card] for card in some) - mean) < 5 * mean**0.5, place


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_a_random_player_is_the_first_master(seats: int) -> None:
    masters = Counter(int(Position("kimono", seats, seed=seed).state.master) for seed in range(50 * seats))
    assert set(masters) == set(range(seats))
    assert all(25 < count < 75 for count in masters.values())


def test_the_next_pile_is_the_row_in_order() -> None:
    position = fresh()
    coming = position.state.deck[9:18].tolist()
    split(position, 1)
    vote(position, 1, 1, 2)
    while position.state.round_number == 1:
        seat = min(position.to_act())
        position.do(seat, position.legal(seat)[seat % 2 - 1])
    assert position.state.row[:9].tolist() == coming


def test_the_master_cuts_into_two_groups_and_numbers_them() -> None:
    position = fresh()
    assert position.to_act() == {0}
    assert position.legal(0) == [Cut(after, first) for after in range(1, 9) for first in ("left", "right")]


def test_a_row_of_thirteen_has_24_cuts_and_15_places() -> None:
    position = fresh(6)
    assert len(position.legal(0)) == 24
    position.do(0, Cut(5, "left"))
    assert position.legal(0) == [PlaceApprentice(place) for place in range(15)]


def test_the_apprentice_has_n_plus_2_places() -> None:
    position = fresh()
    assert position.state.apprentice == WITH_MASTER
    position.do(0, Cut(4, "left"))
    assert position.to_act() == {0}
    assert position.legal(0) == [PlaceApprentice(place) for place in range(11)]


@pytest.mark.parametrize(("place", "lies_at", "left_size"), [(0, 0, 5), (4, 4, 5), (5, 4, 4), (10, 9, 4)])
def test_the_end_of_the_left_group_and_the_start_of_the_right_one_are_two_places(
    place: int, lies_at: int, left_size: int
) -> None:
    position = fresh()
    split(position, 4, place)
    state = position.state
    assert state.row.tolist().index(APPRENTICE) == lies_at
    assert int(state.cut_after) == left_size
    assert [card for card in state.row if card not in (APPRENTICE, EMPTY)] == list(PLAIN_ROW)
    check_laws(state)


def test_everybody_votes_the_master_too() -> None:
    position = fresh(4)
    split(position, 4)
    assert position.to_act() == {0, 1, 2, 3}
    assert all(position.legal(seat) == [Vote(1), Vote(2)] for seat in range(4))


def test_a_vote_is_secret_until_all_are_in_and_that_one_has_voted_is_not() -> None:
    position = fresh()
    split(position, 4)
    position.do(1, Vote(2))
    assert list(position.view(1).votes) == [0, 2, 0, 0, 0, 0]
    for other in (-1, 0, 2):
        assert list(position.view(other).votes) == [0, UNKNOWN, 0, 0, 0, 0]
        assert int(position.view(other).asked) == 0b101
    assert position.rules.sealed(position.state, 1, VOTE_FROM + 1)
    assert not position.rules.sealed(position.state, 0, VOTE_FROM + 1)
    assert Vote(2).veiled() == Vote(None)


def test_nobody_is_told_a_vote_before_all_are_in_and_then_everybody_is_told_each_once() -> None:
    match = Match("kimono", 4, seed=1)
    (master,) = match.to_act
    match.act(master, Cut(4, "left"))
    match.act(master, PlaceApprentice(0))
    votes = {2: Vote(1), 0: Vote(2), 3: Vote(2), 1: Vote(1)}
    viewers = (SPECTATOR, *range(4))
    for number, seat in enumerate(votes, 1):
        assert all(event.seat == viewer for viewer in viewers for event in match.events(viewer)[2:] if event.action != Vote(None))
        match.act(seat, votes[seat])
        assert all(len(match.events(viewer)) == 2 + number for viewer in viewers if number < 4)
    for viewer in viewers:
        shown = [(event.seat, event.action) for event in match.events(viewer)[2:] if event.action != Vote(None)]
        assert len(shown) == 4
        assert dict(shown) == votes


def test_a_vote_stands() -> None:
    position = fresh()
    split(position, 4)
    position.do(1, Vote(2))
    assert position.to_act() == {0, 2}
    assert position.legal(1) == []


def test_all_votes_are_shown_at_once_and_stay_on_the_table() -> None:
    position = fresh()
    split(position, 4, place=0, first="right")
    vote(position, 1, 2, 1)
    for seat in (-1, 0, 1, 2):
        view = position.view(seat)
        assert list(view.shown_votes) == [1, 2, 1, 0, 0, 0]
        assert view.shown_groups.tolist() == [[5, 10], [0, 5]]
        assert not view.votes.any()
    assert not position.rules.sealed(position.state, 1, VOTE_FROM + 1)


def test_what_nobody_wants_goes_into_the_bin_and_the_apprentice_aside() -> None:
    position = fresh()
    split(position, 2, place=0)
    vote(position, 2, 2, 2)
    assert binned(position) == {"fan": 1, "sword": 1}
    assert position.state.apprentice == ASIDE


def test_who_wants_a_group_alone_takes_all_of_it_and_is_out() -> None:
    position = fresh()
    split(position, 2, place=0)
    vote(position, 1, 2, 2)
    assert front(position, 0) == {"fan": 1, "sword": 1}
    assert position.state.apprentice == 0
    cut(position, 5)
    assert position.to_act() == {1, 2}


def test_several_on_a_single_card_get_a_kimono_each_and_the_card_goes_into_the_bin() -> None:
    position = fresh(4)
    split(position, 1, place=10)
    vote(position, 1, 1, 2, 2)
    assert binned(position) == {"fan": 1}
    assert front(position, 0) == front(position, 1) == {"kimono": 1}
    assert position.state.kimonos == 8
    cut(position, 5)
    assert position.to_act() == {2, 3}


def test_several_on_the_apprentice_alone_set_it_aside_for_kimonos() -> None:
    position = fresh()
    split(position, 1, place=0)
    vote(position, 1, 1, 2)
    cut(position, 1)
    vote(position, 1, 1)
    assert front(position, 0) == front(position, 1) == {"kimono": 1}
    assert binned(position) == {"fan": 1}
    assert position.state.last_apprentice == ASIDE


@pytest.mark.parametrize(("left", "each", "supply"), [(2, 0, 0), (3, 1, 0), (4, 1, 1)])
def test_three_on_a_single_card_with_too_few_kimonos_get_none_then_or_later(left: int, each: int, supply: int) -> None:
    position = fresh(4)
    state = position.state
    give(position, 3, *[KIMONO] * (10 - left))
    split(position, 1, place=10)
    vote(position, 1, 1, 1, 2)
    assert [front(position, seat).get("kimono", 0) for seat in range(3)] == [each] * 3
    assert state.kimonos == supply
    assert boxed(position).get("kimono", 0) == (0 if each else left)
    split(position, 1, place=10)
    vote(position, *(1 if seat in (0, 1) else 2 for seat in range(4)))
    assert [front(position, seat).get("kimono", 0) for seat in range(2)] == [each] * 2


def test_two_on_a_single_card_with_two_kimonos_left_both_get_one() -> None:
    position = fresh(4)
    give(position, 3, *[KIMONO] * 8)
    split(position, 1, place=10)
    vote(position, 1, 1, 2, 2)
    assert front(position, 0) == front(position, 1) == {"kimono": 1}
    assert position.state.kimonos == 0


def test_several_on_more_than_one_card_have_it_cut_again_and_vote_again() -> None:
    position = fresh(4)
    split(position, 3, place=10)
    vote(position, 2, 1, 1, 1)
    assert position.to_act() == {0}
    assert position.legal(0) == [Cut(after, first) for after in (1, 2) for first in ("left", "right")]
    cut(position, 2)
    assert position.to_act() == {1, 2, 3}


def test_the_master_cuts_even_if_out_himself() -> None:
    position = fresh()
    split(position, 1)
    vote(position, 1, 2, 2)
    assert front(position, 0) == {"fan": 1}
    assert position.to_act() == {0}


def test_a_later_part_may_be_the_apprentice_alone() -> None:
    position = fresh()
    split(position, 1, place=1)
    vote(position, 1, 1, 2)
    assert position.legal(0) == [Cut(1, "left"), Cut(1, "right")]
    cut(position, 1)
    vote(position, 1, 2)
    assert front(position, 0) == {"fan": 1}
    assert position.state.last_apprentice == 1


def test_one_market_card_and_the_apprentice_are_two_cards() -> None:
    position = fresh()
    split(position, 8, place=10, first="right")
    vote(position, 1, 1, 2)
    assert position.state.kimonos == 10
    assert position.legal(0) == [Cut(9, "left"), Cut(9, "right")]


def test_the_apprentice_keeps_its_place() -> None:
    position = fresh()
    split(position, 5, place=2)
    vote(position, 1, 1, 2)
    cut(position, 3)
    assert position.state.row[:6].tolist() == [FAN, SWORD, APPRENTICE, PARASOL, LUTE, FIGURINE]
    vote(position, 1, 2)
    assert front(position, 1) == {"parasol": 1, "lute": 1, "figurine": 1}
    assert front(position, 0) == {"fan": 1, "sword": 1}
    assert position.state.last_apprentice == 0


def test_group_1_contested_is_emptied_before_the_one_who_wants_group_2_takes_anything() -> None:
    position = fresh()
    split(position, 4, place=10)
    vote(position, 1, 2, 1)
    assert front(position, 1) == {}
    assert (int(position.state.waiting), int(position.state.waiting_for[0])) == (1, 0b010)
    cut(position, 2)
    vote(position, 1, 1)
    assert front(position, 1) == {}
    cut(position, 1)
    vote(position, 1, 2)
    assert position.state.round_number == 2
    assert front(position, 0) == {"fan": 1}
    assert front(position, 2) == {"sword": 1}
    # The part that nobody wanted was thrown away before group 2 came, whose taker has the apprentice and so the bin.
    assert front(position, 1) == {"figurine": 1, "chopsticks": 1, "tea bowl": 1, "fan": 1, "sword": 1, "parasol": 1, "lute": 1}


def test_group_2_waits_even_if_nobody_wants_it() -> None:
    position = fresh()
    state = position.state
    split(position, 4, place=10)
    vote(position, 1, 1, 1)
    assert (int(state.bin_size), int(state.waiting), int(state.waiting_for[0])) == (0, 1, 0)
    assert state.row[:10].tolist() == [*PLAIN_ROW, APPRENTICE]
    cut(position, 2)
    vote(position, 1, 1, 2)
    cut(position, 1)
    assert state.bin_size == 0
    assert state.row[4:10].tolist() == [*PLAIN_ROW[4:], APPRENTICE]
    vote(position, 1, 2)
    assert binned(position) == {CARDS[card]: 1 for card in PLAIN_ROW[4:]}
    assert state.last_apprentice == ASIDE


def test_the_numbering_decides_what_is_resolved_first() -> None:
    position = fresh(4)
    split(position, 4, place=10, first="right")
    vote(position, 1, 1, 2, 2)
    assert (int(position.state.piece_from), int(position.state.piece_to)) == (4, 10)
    assert int(position.state.voters) == 0b0011


def test_group_1_of_a_part_comes_before_group_2_of_the_row() -> None:
    position = fresh(6, row=(*PLAIN_ROW, LUTE, LUTE, PARASOL, PARASOL))
    split(position, 8, place=14)
    vote(position, 1, 1, 1, 1, 2, 2)
    cut(position, 4)
    vote(position, 1, 1, 2, 2)
    state = position.state
    assert state.waiting_for[:2].tolist() == [0b110000, 0b001100]
    cut(position, 2)
    vote(position, 1, 2)
    assert (int(state.piece_from), int(state.piece_to), int(state.voters)) == (4, 8, 0b001100)


def test_curios_coins_and_fire_are_laid_out() -> None:
    position = taking(0, COIN, FIRE, SWORD, COIN)
    assert front(position, 0) == {"gold coin": 2, "fire": 1, "sword": 1}


def test_a_breakage_asks_for_two_curios_kimonos_and_just_gained_ones_included() -> None:
    position = taking(1, BREAKAGE, FAN, COIN, before=(LUTE, LUTE, KIMONO))
    assert position.to_act() == {1}
    assert position.legal(1) == [
        Break(("fan", "lute")),
        Break(("fan", "kimono")),
        Break(("lute", "lute")),
        Break(("lute", "kimono")),
    ]
    position.do(1, Break(("kimono", "fan")))
    assert front(position, 1) == {"lute": 2, "gold coin": 1}
    assert boxed(position) == {"fan": 1, "kimono": 1, "breakage": 1}
    assert position.state.kimonos == 9
    check_laws(position.state)


@pytest.mark.parametrize(
    ("before", "left", "box"),
    [
        ((), {}, {}),
        ((FAN,), {}, {"fan": 1}),
        ((FAN, SWORD), {}, {"fan": 1, "sword": 1}),
        ((FAN, FAN), {}, {"fan": 2}),
        ((LUTE, LUTE, LUTE), {"lute": 1}, {"lute": 2}),
    ],
)
def test_a_breakage_with_one_answer_is_not_asked(before: tuple[int, ...], left: dict[str, int], box: dict[str, int]) -> None:
    position = taking(1, BREAKAGE, before=before)
    assert position.to_act() == {0}
    assert front(position, 1) == left
    assert boxed(position) == box | {"breakage": 1}


def test_coins_and_fire_are_safe_from_a_breakage() -> None:
    position = taking(1, BREAKAGE, COIN, FIRE)
    assert front(position, 1) == {"gold coin": 1, "fire": 1}


def test_eight_sorts_twice_give_36_pairs_to_break() -> None:
    position = taking(1, BREAKAGE, before=tuple(range(8)) * 2)
    assert len(position.legal(1)) == 36


def test_within_a_sort_copies_leave_last() -> None:
    position = taking(1, COPY, BREAKAGE, LUTE, LUTE)
    position.do(1, CarryOut("copy"))
    assert front(position, 1) == {"lute": 1}
    assert position.state.copies[1, LUTE] == 1
    assert boxed(position) == {"lute": 2, "breakage": 1}


def test_a_broken_copy_goes_to_the_box_as_a_copy() -> None:
    position = taking(1, COPY, BREAKAGE, LUTE)
    position.do(1, CarryOut("copy"))
    assert front(position, 1) == {}
    assert boxed(position) == {"lute": 1, "copy": 1, "breakage": 1}


def test_a_lucky_cat_draws_the_top_of_the_sack() -> None:
    position = taking(1, CAT, sack=(PARASOL, FAN))
    assert front(position, 1) == {"parasol": 1}
    assert position.state.sack_size == 28
    assert boxed(position) == {"lucky cat": 1}


def test_an_action_card_drawn_by_a_cat_joins_those_to_do() -> None:
    position = taking(1, CAT, COPY, LUTE, LUTE, FAN, sack=(BREAKAGE,))
    assert position.legal(1) == [CarryOut("lucky cat"), CarryOut("copy")]
    position.do(1, CarryOut("lucky cat"))
    assert position.legal(1) == [CarryOut("breakage"), CarryOut("copy")]
    position.do(1, CarryOut("breakage"))
    position.do(1, Break(("fan", "lute")))
    assert front(position, 1) == {"lute": 2}


def test_a_cat_that_draws_a_cat_draws_again() -> None:
    position = taking(1, CAT, sack=(CAT, FIRE))
    assert front(position, 1) == {"fire": 1}
    assert boxed(position) == {"lucky cat": 2}


def test_a_copy_joins_the_sort_the_player_has_most_of() -> None:
    position = taking(1, COPY, SWORD, before=(LUTE, LUTE, COIN, COIN, COIN))
    assert front(position, 1) == {"sword": 1, "lute": 3, "gold coin": 3}
    assert position.state.copies[1, LUTE] == 1


def test_a_tie_for_most_is_the_players_choice_and_kimonos_count() -> None:
    position = taking(1, COPY, SWORD, before=(SWORD, KIMONO, KIMONO, LUTE))
    assert position.to_act() == {1}
    assert position.legal(1) == [Copy("sword"), Copy("kimono")]
    position.do(1, Copy("kimono"))
    assert front(position, 1) == {"sword": 2, "lute": 1, "kimono": 3}
    check_laws(position.state)


def test_earlier_copies_count_for_the_next() -> None:
    position = taking(1, COPY, COPY, LUTE, SWORD)
    position.do(1, Copy("sword"))
    assert front(position, 1) == {"sword": 3, "lute": 1}
    assert position.state.copies[1, SWORD] == 2


def test_a_copy_without_curios_goes_to_the_box() -> None:
    position = taking(1, COPY, COIN)
    assert front(position, 1) == {"gold coin": 1}
    assert boxed(position) == {"copy": 1}


def test_two_curios_of_different_sorts_copy_first_leaves_one_breakage_first_none() -> None:
    position = taking(1, COPY, BREAKAGE, before=(FAN, LUTE))
    assert position.legal(1) == [CarryOut("breakage"), CarryOut("copy")]
    position.do(1, CarryOut("copy"))
    position.do(1, Copy("lute"))
    position.do(1, Break(("fan", "lute")))
    assert front(position, 1) == {"lute": 1}

    position = taking(1, COPY, BREAKAGE, before=(FAN, LUTE))
    position.do(1, CarryOut("breakage"))
    assert front(position, 1) == {}
    assert boxed(position) == {"fan": 1, "lute": 1, "breakage": 1, "copy": 1}


def test_everybody_else_waits_while_action_cards_are_carried_out() -> None:
    position = taking(1, BREAKAGE, FAN, SWORD, LUTE)
    assert position.to_act() == {1}
    assert position.legal(0) == position.legal(2) == []


def test_the_holder_of_the_apprentice_takes_the_bin_older_cards_too_and_is_the_next_master() -> None:
    position = fresh()
    throw(position, FIGURINE, COIN)
    split(position, 1, place=0)
    vote(position, 2, 2, 1)
    cut(position, 3)
    vote(position, 2, 2)
    cut(position, 4)
    vote(position, 1, 2)
    state = position.state
    assert (int(state.round_number), int(state.master), int(state.last_apprentice)) == (2, 2, 2)
    assert front(position, 2) == {"fan": 1, "sword": 1, "figurine": 1, "gold coin": 1}
    assert state.bin_size == 0


def test_a_player_who_takes_the_apprentice_alone_gets_no_other_card_then_the_bin_and_is_the_next_master() -> None:
    position = fresh()
    throw(position, LUTE)
    split(position, 1, place=0)
    vote(position, 2, 1, 1)
    cut(position, 1)
    vote(position, 1, 2)
    assert front(position, 1) == {"lute": 1}
    assert front(position, 2) == {"fan": 1}
    assert (int(position.state.round_number), int(position.state.master)) == (2, 1)


def test_an_empty_bin_makes_the_holder_master_all_the_same() -> None:
    position = fresh()
    split(position, 1, place=0)
    vote(position, 2, 1, 2)
    cut(position, 5)
    vote(position, 1, 2)
    assert front(position, 1) == {"fan": 1}
    assert position.state.master == 1


def test_action_cards_in_the_bin_are_carried_out_before_the_next_round() -> None:
    position = fresh(3, (BREAKAGE, FAN, SWORD, LUTE, LUTE, COIN, COIN, COIN, COIN))
    split(position, 1, place=2)
    vote(position, 2, 2, 2)
    assert binned(position) == {"breakage": 1}
    cut(position, 5)
    vote(position, 1, 2, 2)
    cut(position, 6)
    vote(position, 1, 2)
    state = position.state
    assert (int(state.round_number), int(state.apprentice)) == (1, 0)
    assert position.to_act() == {0}
    position.do(0, Break(("lute", "fan")))
    assert state.round_number == 2
    check_laws(state)


def test_with_the_apprentice_aside_the_master_role_passes_to_the_left_and_the_bin_stays() -> None:
    position = fresh()
    split(position, 1, place=0)
    vote(position, 2, 2, 2)
    cut(position, 9)
    vote(position, 1, 2, 2)
    state = position.state
    assert (int(state.round_number), int(state.master), int(state.last_apprentice)) == (2, 1, ASIDE)
    assert binned(position) == {"fan": 1, "sword": 1}


def test_all_voting_alike_end_with_the_row_in_the_bin_and_kimonos_for_all_while_they_last() -> None:
    position = fresh(6, PLAIN_ROW)
    for number in range(1, 6):
        split(position, 1, place=0)
        vote(position, *[2] * 6)
        while position.state.round_number == number and position.to_act():
            cut(position, int(position.state.piece_from) + 1, first="right")
            vote(position, *[1] * 6)
        assert position.state.kimonos == (4 if number == 1 else 0)
    state = position.state
    assert state.apprentice == ASIDE
    assert state.bin_size == 65
    assert boxed(position) == {"kimono": 4}
    assert [sum(parts.values()) for parts in position.scores()] == [5] * 6
    assert (position.winners(), position.ending()) == (set(range(6)), "shared")


def ended(*fronts: dict[int, int]) -> Position:
    """The fifth round of three, ending with these cards in front; the last row is thrown away, two get nothing for it."""
    position = fresh()
    state = position.state
    state.round_number, state.apprentice, state.kimonos = 5, ASIDE, 0
    state.row[:] = EMPTY
    state.row[0] = COIN
    state.front[:] = 0
    for seat, cards in enumerate(fronts):
        for card, count in cards.items():
            state.front[seat, card] = count
    state.phase, state.piece_to, state.cut_after, state.voters, state.asked = 3, 2, 1, 0b011, 0b011
    state.row[1] = FAN
    position.do(0, Vote(1))
    position.do(1, Vote(1))
    return position


def test_the_rulebooks_example_is_worth_eight() -> None:
    position = fresh()
    position.state.front[0, [LUTE, SWORD, FIGURINE, KIMONO]] = 1, 2, 4, 4
    parts = position.scores()[0]
    assert (parts["lute"], parts["sword"], parts["figurine"], parts["kimono"]) == (4, 12, -4, -4)
    assert sum(parts.values()) == 8


@pytest.mark.parametrize("name", NUMBERS)
def test_within_the_limit_points_each_over_it_minus_one_for_every_card(name: str) -> None:
    number = NUMBERS[name]
    position = fresh()
    card = CARDS.index(name)
    for count in range(14):
        position.state.front[1, card] = count
        expected = count * number.points if count <= number.limit else -count
        assert position.scores()[1][name] == expected


def test_coins_add_and_fire_costs_four() -> None:
    position = fresh()
    position.state.front[2, [COIN, FIRE]] = 9, 3
    assert (position.scores()[2]["gold coin"], position.scores()[2]["fire"]) == (9, -12)


def test_most_points_win() -> None:
    position = ended({FAN: 1}, {TEA_BOWL: 1}, {COIN: 5})
    assert (position.winners(), position.ending()) == ({1}, "most points")
    assert position.to_act() == set()


def test_a_tie_goes_to_more_cards_in_front_fire_and_coins_included() -> None:
    position = ended({TEA_BOWL: 1}, {LUTE: 2}, {TEA_BOWL: 1, FIRE: 1, COIN: 4})
    assert (position.winners(), position.ending()) == ({2}, "most cards")


def test_with_equal_cards_too_the_win_is_shared() -> None:
    position = ended({LUTE: 2}, {CHOPSTICKS: 1}, {SWORD: 1, CHOPSTICKS: 1})
    assert (position.winners(), position.ending()) == ({0, 2}, "shared")


def test_the_bin_is_emptied_after_the_fifth_round_too() -> None:
    position = fresh()
    state = position.state
    state.round_number = 5
    for card in state.deck[9:45]:
        state.box[card] += 1
    state.deck[9:45] = EMPTY
    split(position, 1, place=0)
    vote(position, 1, 2, 2)
    cut(position, 3)
    vote(position, 2, 2)
    cut(position, 4)
    vote(position, 1, 2)
    assert position.winners() != set()
    assert front(position, 0) == {"fan": 1, "sword": 1}
    assert position.state.bin_size == 0


def test_what_is_left_in_the_bin_scores_for_nobody() -> None:
    position = ended({}, {}, {})
    assert binned(position) == {"gold coin": 1, "fan": 1}
    assert [sum(parts.values()) for parts in position.scores()] == [0, 0, 0]


def test_round_piles_and_sack_are_hidden_from_all() -> None:
    position = fresh()
    for seat in (-1, 0, 1, 2):
        assert (position.view(seat).deck == UNKNOWN).all()


def test_bin_box_supply_and_who_waits_for_what_are_public() -> None:
    position = fresh(4)
    split(position, 1, place=10)
    vote(position, 2, 2, 2, 2)
    cut(position, 4)
    vote(position, 1, 1, 2, 2)
    for seat in (-1, 0, 3):
        view = position.view(seat)
        for field in ("row", "bin", "box", "front", "copies", "kimonos", "waiting_for", "waiting_from", "apprentice"):
            assert (view[field] == position.state[field]).all(), field


def test_the_apprentice_is_held_by_one_or_set_aside_when_a_round_ends() -> None:
    position = fresh()
    split(position, 5, place=3)
    assert position.state.apprentice == IN_ROW
    vote(position, 1, 2, 2)
    assert position.state.apprentice == 0
    cut(position, 8)
    vote(position, 1, 2)
    assert (int(position.state.last_apprentice), int(position.state.master)) == (0, 0)


def test_sentences_say_what_happens() -> None:
    said = [
        Cut(4, "right"),
        PlaceApprentice(0),
        Vote(2),
        Vote(2).veiled(),
        CarryOut("lucky cat"),
        Break(("lute", "fan")),
        Break(("fan", "fan")),
        Break(("chopsticks", "kimono")),
        Break(("chopsticks", "chopsticks")),
        Copy("lute"),
        Copy("chopsticks"),
    ]
    assert [action.words() for action in said] == [
        "cuts after card 4; group 1 is on the right",
        "puts the apprentice into place 1",
        "votes for group 2",
        "has voted",
        "carries out a lucky cat",
        "breaks a fan and a lute",
        "breaks two fans",
        "breaks a pair of chopsticks and a kimono",
        "breaks two pairs of chopsticks",
        "adds a copy to the lutes",
        "adds a copy to the chopsticks",
    ]


def test_there_are_90_actions() -> None:
    kinds = [type(action).__name__ for action in fresh().game.vocabulary.actions]
    counts = {name: kinds.count(name) for name in dict.fromkeys(kinds)}
    assert counts == {"Cut": 26, "PlaceApprentice": 15, "Vote": 2, "CarryOut": 3, "Break": 36, "Copy": 8}


Change = Callable[[Position], None]


def voted(seat: int, group: Literal[1, 2]) -> Change:
    return lambda position: position.do(seat, Vote(group))


def had(seat: int, card: int) -> Change:
    return lambda position: give(position, seat, card)


def thrown(card: int) -> Change:
    return lambda position: throw(position, card)


def laid(after: int, place: int, first: Side = "left") -> Change:
    return lambda position: split(position, after, place, first)


def lost(card: int) -> Change:
    """A card of the sack, or a kimono of the supply, is in the box."""

    def change(position: Position) -> None:
        if card == KIMONO:
            position.state.kimonos -= 1
        else:
            lift(position, card)
        position.state.box[card] += 1
        check_laws(position.state)

    return change


def mastered(seat: int) -> Change:
    def change(position: Position) -> None:
        position.state.master = seat

    return change


def swapped(position: Position) -> None:
    position.state.row[:2] = position.state.row[1], position.state.row[0]


def told_to_do(cats: int, breakages: int, copies: int) -> Change:
    def change(position: Position) -> None:
        position.state.phase, position.state.taker = CHOOSING, 0
        position.state.to_do[:] = cats, breakages, copies

    return change


def everybody(*groups: int) -> Change:
    return lambda position: vote(position, *groups)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param((), (mastered(1),), id="whether one is the master"),
        pytest.param((mastered(2),), (mastered(1),), id="who else is the master"),
        pytest.param((), (swapped,), id="the order of the row"),
        pytest.param((laid(4, 2),), (laid(4, 3),), id="where the apprentice lies"),
        pytest.param((laid(4, 4),), (laid(4, 5),), id="on which side of the cut it lies"),
        pytest.param((laid(4, 0),), (laid(5, 0),), id="where the row is cut"),
        pytest.param((laid(4, 0),), (laid(4, 0, "right"),), id="which group is the first"),
        pytest.param((laid(4, 0), voted(1, 1)), (laid(4, 0), voted(2, 1)), id="who has still to vote"),
        pytest.param((laid(4, 0), voted(0, 1)), (laid(4, 0), voted(0, 2)), id="one's own vote"),
        pytest.param((laid(4, 0), everybody(1, 2, 1)), (laid(4, 0), everybody(1, 1, 2)), id="who waits"),
        pytest.param((had(0, FAN),), (had(0, LUTE),), id="one's own cards"),
        pytest.param((had(1, FAN),), (had(1, LUTE),), id="another's cards"),
        pytest.param((had(1, FAN),), (had(2, FAN),), id="who has a card"),
        pytest.param((thrown(FAN),), (thrown(LUTE),), id="what lies in the bin"),
        pytest.param((thrown(FAN),), (lost(FAN),), id="whether it lies in the bin or in the box"),
        pytest.param((), (lost(KIMONO),), id="the supply of kimonos"),
        pytest.param((), (lost(FAN),), id="the size of the sack"),
        pytest.param((lost(FAN),), (lost(LUTE),), id="what the piles and the sack may hold"),
        pytest.param((told_to_do(1, 1, 0),), (told_to_do(1, 0, 1),), id="what is to be carried out"),
        pytest.param((told_to_do(1, 1, 0),), (told_to_do(2, 1, 0),), id="how often it is to be carried out"),
    ],
)
def test_what_a_decision_hangs_on_is_observed(one: tuple[Change, ...], other: tuple[Change, ...]) -> None:
    assert not np.array_equal(observed(one), observed(other))


def test_leads_are_observed_of_every_seat_and_of_the_own_with_either_group() -> None:
    """A fan against a sword and a coin: as many points, but fewer cards. A second fan is one too many, a sword is not."""
    leads = observed((had(0, FAN), had(1, SWORD), had(1, COIN), laid(2, 0)))[-27:].reshape(9, 3)
    assert leads[:3, 0] == pytest.approx([-0.5 / 1.5, 0.5 / 1.5, -7.5 / 8.5])
    assert leads[:3, 1] == pytest.approx([-0.5 / 4.5, 0.5 / 4.5, -7.5 / 11.5])
    assert leads[:3, 2] == pytest.approx([-0.5 / 12.5, 0.5 / 12.5, -7.5 / 19.5])
    assert not leads[3:6].any()
    assert leads[6, 0] == pytest.approx(-2.5 / 3.5)
    assert leads[8].tolist() == leads[0].tolist()


def observed(changes: tuple[Change, ...]) -> Tensor:
    position = fresh()
    for change in changes:
        change(position)
    state = State(position.game)
    state.records[0] = position.state
    return state.view(0).observe(0)


def shown(position: Position) -> str:
    """The board for spectators inside its panel, which leaves 96 columns: nothing may be broken there, or cut off."""
    texts = []
    for width in (96, 200):
        console = Console(file=StringIO(), width=width, record=True)
        console.print(board(position.view(SPECTATOR), SPECTATOR))
        texts.append([line.rstrip() for line in console.export_text().splitlines()])
    assert texts[0] == texts[1]
    return "\n".join(texts[0])


def test_the_board_keeps_to_its_width_with_more_than_ten_cards_of_each_sort() -> None:
    position = fresh(6, row=(*PLAIN_ROW, LUTE, CHOPSTICKS, CHOPSTICKS, BREAKAGE))
    position.state.front[:] = 13
    position.state.bin_size = 65
    assert "13!−13" in shown(position)
    split(position, 4, place=14)
    assert "group 1" in shown(position)
    position.state.apprentice = 5
    position.state.phase, position.state.taker, position.state.to_do[:] = CHOOSING, 5, 2
    assert "2× ω lucky cat   2× ↯ breakage   2× ⧉ copy" in shown(position)


def test_the_board_tells_what_came_of_the_last_vote() -> None:
    position = fresh(4)
    assert "No votes have been shown yet." in shown(position)
    split(position, 4, place=10)
    vote(position, 1, 1, 1, 2)
    assert "group 1 (cards 1 to 4) ●◆■ → is cut again" in shown(position)
    assert "group 2 (cards 5 to 10) ▲ → waits" in shown(position)
    cut(position, 1)
    vote(position, 2, 1, 1)
    # Seat 3 took the apprentice with group 2.
    text = shown(position)
    assert "Round 1 ended with   group 1 ◆■ → a kimono each   group 2 ● → took it" in text
    assert "▲ seat 3 got the apprentice and with it the bin, and is the master now." in text
    split(position, 1, place=0)
    assert "Round 1 ended with" in shown(position)
    vote(position, 2, 2, 2, 2)
    assert "group 1 (cards 1 to 2) nobody → into the bin" in shown(position)
    assert "♙ set aside" in shown(position)


def test_the_board_says_that_no_pile_is_left() -> None:
    position = fresh()
    assert "4 piles of 9" in shown(position)
    position.state.round_number = 5
    assert "no pile left" in shown(position)

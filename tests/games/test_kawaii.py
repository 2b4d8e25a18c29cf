"""Kawaii, sentence by sentence."""

from __future__ import annotations

from collections import Counter
from io import StringIO
from math import exp
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from tests.position import Position
from zashiki import SPECTATOR, Match
from zashiki.core.contract import Tensor
from zashiki.core.layout import CLOCK, EMPTY, UNKNOWN, VOID
from zashiki.core.state import State
from zashiki.games.kawaii.actions import (
    Answer,
    Claim,
    ClosePhotoFinish,
    CloseRound,
    Done,
    Flip,
    FlipFor,
    Throw,
    ThrowFor,
)
from zashiki.games.kawaii.cards import CHERRY, CLOSED_SHOP, COPIES, FLAVOURS, SHAPES, Sign, card_name
from zashiki.games.kawaii.clock import deadlines
from zashiki.games.kawaii.scoring import CHERRIES, FLAVOUR, HELD, SHAPE, SHOPS
from zashiki.games.kawaii.table import LIVE, OVER, THROWS, WINDOW
from zashiki.terminal.kawaii import board

A, B, C, D, E = range(5)
PASS = Answer("none")
MINT_CUP = FLAVOURS.index("mint") * 5 + SHAPES.index("cup")


def fresh(seats: int = 3, **options: Any) -> Position:
    """A match that seat A starts."""
    seed = 0
    while (position := Position("kawaii", seats, seed=seed, **options)).state.starter != A:
        seed += 1
    return position


def lay(position: Position, **piles: list[int] | int) -> Position:
    """Lays open piles (cards, or so many of any) before the seats named; the tests that use it never count the deck."""
    state = position.state
    state.piles[:] = EMPTY
    state.pile_size[:] = 0
    for name, cards in piles.items():
        seat = "abcde".index(name)
        cards = [0] * cards if isinstance(cards, int) else cards
        state.piles[seat, : len(cards)] = cards
        state.pile_size[seat] = len(cards)
    return position


def give_tokens(position: Position, *tokens: int) -> Position:
    """Gives these tokens to the seats, as if the rest were out of the round; in a window those with any are asked."""
    state = position.state
    state.tokens[: len(tokens)] = tokens
    state.tokens_out = 2 * int(state.seats) - sum(tokens)
    if state.phase == WINDOW:
        state.asked = sum(1 << seat for seat, count in enumerate(tokens) if count)
    return position


def after_the_last_flip(position: Position) -> Position:
    state = position.state
    state.deck[:] = EMPTY
    state.reserve_size[:] = 0
    state.flips, state.turn = 55, EMPTY
    return position


def answer(position: Position, *answers: int | None) -> None:
    """Each seat's answer, None for a pass, from seat A on; who has no token is not asked."""
    for seat, pile in enumerate(answers):
        if seat in position.to_act():
            position.do(seat, PASS if pile is None else Answer(pile))


def throw(position: Position, pile: int, **signs: Sign) -> None:
    for name, sign in signs.items():
        position.do("abcde".index(name), Throw(pile, sign))


def claim(position: Position, seat: int, pile: int) -> None:
    position.do(seat, named(position, pile))


def named(position: Position, pile: int) -> Claim:
    return Claim(pile, int(position.state.pile_number[pile]))


def grab(position: Position, seat: int, pile: int) -> None:
    """A claim alone in its photo finish."""
    claim(position, seat, pile)
    position.do(CLOCK, ClosePhotoFinish(pile))


def tokens(position: Position) -> list[int]:
    return [int(count) for count in position.state.tokens[: int(position.state.seats)]]


def all_pass(position: Position) -> None:
    answer(position, *[None] * int(position.state.seats))


def pass_the_round(position: Position) -> None:
    """Passes until the round is over."""
    round_number = position.state.round_number
    while position.state.round_number == round_number and position.state.phase != OVER:
        all_pass(position)


def test_the_deck_is_fifty_ice_creams_three_closed_shops_and_two_cherries() -> None:
    state = fresh().state
    cards = Counter(int(card) for card in [*state.deck, *state.piles.flat] if card != EMPTY)
    assert dict(cards) == dict(enumerate(COPIES))
    assert (sum(COPIES[:25]), COPIES[CLOSED_SHOP], COPIES[CHERRY]) == (50, 3, 2)


def test_every_flavour_comes_in_every_shape() -> None:
    assert {card_name(kind) for kind in range(25)} == {f"{flavour} {shape}" for flavour in FLAVOURS for shape in SHAPES}
    assert [card_name(CLOSED_SHOP), card_name(CHERRY)] == ["closed shop", "cherry"]


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_no_two_players_share_a_favourite_flavour_nor_a_shape(seats: int) -> None:
    state = fresh(seats).state
    for favourites in (state.flavours, state.shapes):
        assert len({int(favourite) for favourite in favourites[:seats]}) == seats
        assert all(favourite == EMPTY for favourite in favourites[seats:])


@pytest.mark.parametrize(("seats", "sizes"), [(3, [19, 18, 18]), (4, [14, 14, 14, 13]), (5, [11] * 5)])
def test_all_cards_are_dealt_out_one_at_a_time_from_the_starter_on(seats: int, sizes: list[int]) -> None:
    for seed in range(5):
        state = Position("kawaii", seats, seed=seed, pace="live").state
        assert [int(state.reserve_size[(state.starter + i) % seats]) for i in range(seats)] == sizes


def test_everyone_has_two_tokens() -> None:
    assert tokens(fresh(5)) == [2] * 5


def test_the_first_starter_is_random() -> None:
    assert {int(Position("kawaii", 5, seed=seed).state.starter) for seed in range(60)} == set(range(5))


@pytest.mark.parametrize(
    ("totals", "last", "starter"),
    [((5, 4, 6), A, B), ((4, 4, 6), A, B), ((4, 5, 4), A, C), ((4, 5, 6), A, A), ((4, 4, 4), B, C), ((3, 4, 3), B, C)],
)
def test_the_lowest_total_starts_next_and_of_several_the_first_from_the_last_starters_left(
    totals: tuple[int, ...], last: int, starter: int
) -> None:
    position = lay(after_the_last_flip(fresh()), a=1)
    position.state.starter = last
    position.state.points[:3, 0] = totals
    all_pass(position)
    assert (position.state.round_number, position.state.starter) == (2, starter)


def test_each_round_is_set_up_afresh() -> None:
    position = fresh()
    answer(position, A, None, None)
    pass_the_round(position)
    state = position.state
    assert (tokens(position), int(state.tokens_out), int(state.captured.sum())) == ([2, 2, 2], 0, 0)
    assert (int(state.flips), int(state.pile_size.sum())) == (1, 1)


def test_cards_are_flipped_in_turn_clockwise_from_the_starter() -> None:
    position = fresh()
    for flips in range(1, 7):
        assert [int(size) for size in position.state.pile_size[:3]] == [(flips + 2) // 3, (flips + 1) // 3, flips // 3]
        all_pass(position)


def test_the_top_card_of_the_own_reserve_goes_onto_the_own_pile_for_everybody_to_see() -> None:
    position = fresh(pace="live")
    card = int(position.state.deck[0])
    position.do(A, Flip())
    assert all(position.view(seat).piles[A, 0] == card for seat in (-1, A, B, C))
    assert position.state.reserve_size[A] == 18


def test_a_player_with_an_empty_reserve_is_skipped() -> None:
    position = fresh(4, pace="live")
    flipped: Counter[int] = Counter()
    while position.state.turn != EMPTY:
        seat = int(position.state.turn)
        flipped[seat] += 1
        position.do(seat, Flip())
    assert [flipped[seat] for seat in range(4)] == [14, 14, 14, 13]


def test_nobody_flips_while_a_pile_is_being_settled() -> None:
    position = lay(fresh(pace="live"), c=1)
    claim(position, B, C)
    position.do(A, Flip())
    assert position.state.flips == 0
    assert FlipFor() not in position.legal(CLOCK)


def test_any_pile_can_be_captured_also_the_own() -> None:
    position = lay(fresh(), a=1, c=2)
    assert position.legal(A) == [Answer(A), Answer(C), PASS]


def test_the_pile_goes_to_the_score_pile_and_the_token_to_the_owner() -> None:
    position = lay(fresh(), b=[3, CHERRY], c=1)
    answer(position, B, None, None)
    state = position.state
    assert (int(state.captured[A, 3]), int(state.captured[A, CHERRY]), int(state.captured_size[A])) == (1, 1, 2)
    assert (tokens(position), int(state.pile_size[B])) == ([1, 3, 2], 0)


def test_the_token_for_an_own_pile_is_out_of_the_round() -> None:
    position = lay(fresh(), b=2, c=1)
    answer(position, None, B, None)
    assert (tokens(position), int(position.state.tokens_out)) == ([2, 1, 2], 1)


def test_captures_never_change_whose_flip_it_is() -> None:
    position = lay(fresh(), a=1, c=1)
    turn = int(position.state.turn)
    answer(position, C, None, None)
    assert position.state.turn == turn


def test_the_owner_starts_a_new_pile_with_the_next_flip() -> None:
    position = lay(fresh(pace="live"), a=3)
    grab(position, B, A)
    position.do(A, Flip())
    assert position.state.pile_size[A] == 1


def test_several_piles_can_be_claimed_at_once() -> None:
    position = lay(fresh(pace="live"), a=1, b=1, c=1)
    claim(position, C, A)
    claim(position, C, B)
    position.do(CLOCK, ClosePhotoFinish(B))
    position.do(CLOCK, ClosePhotoFinish(A))
    assert (int(position.state.captured_size[C]), tokens(position)) == (2, [3, 3, 0])


def test_nobody_has_more_open_claims_than_tokens() -> None:
    position = give_tokens(lay(fresh(pace="live"), a=1, b=1, c=1), 2, 1, 2)
    claim(position, B, A)
    assert B not in position.to_act()
    claim(position, C, A)
    assert named(position, B) in position.legal(C)
    claim(position, C, B)
    assert not any(isinstance(action, Claim) for action in position.legal(C))


def test_nobody_claims_a_pile_twice() -> None:
    position = lay(fresh(pace="live"), a=1, b=1)
    claim(position, C, A)
    assert position.legal(C) == [named(position, B)]


def test_a_lost_claim_gives_the_token_back() -> None:
    position = give_tokens(lay(fresh(pace="live"), a=1, b=1), 2, 1, 2)
    claim(position, B, A)
    claim(position, C, A)
    position.do(CLOCK, ClosePhotoFinish(A))
    assert named(position, B) not in position.legal(B)
    throw(position, A, b="rock", c="paper")
    assert named(position, B) in position.legal(B)
    assert tokens(position) == [3, 1, 1]


@pytest.mark.parametrize(
    ("first", "second", "winner"),
    [("rock", "scissors", B), ("scissors", "paper", B), ("paper", "rock", B), ("rock", "paper", C), ("paper", "scissors", C)],
)
def test_several_on_the_same_pile_play_rock_paper_scissors(first: Sign, second: Sign, winner: int) -> None:
    position = lay(fresh(), a=1, b=1)
    answer(position, None, A, A)
    assert (position.state.phase, position.to_act()) == (THROWS, {B, C})
    throw(position, A, b=first, c=second)
    assert (position.state.taker[A], position.state.captured_size[winner]) == (winner, 1)


def test_throws_are_secret_until_all_are_in() -> None:
    position = lay(fresh(), a=1, b=1)
    answer(position, None, A, A)
    throw(position, A, b="rock")
    assert position.view(B).throws[A, B] == 0
    for other in (-1, A, C):
        assert position.view(other).throws[A, B] == UNKNOWN
    number = position.game.vocabulary.number(Throw(A, "rock"))
    assert position.rules.sealed(position.state, B, number)
    throw(position, A, c="rock")
    assert not position.rules.sealed(position.state, B, number)
    assert list(position.view(-1).shown_throws[A, 1:3]) == [0, 0]


def contest_in_live() -> tuple[Match, int, int, int]:
    """A match after one flip, its flipper, and the two others, who throw for the flipper's pile."""
    match = Match("kawaii", 3, options={"pace": "live"}, seed=1)
    owner = int(match.state.record.turn)
    first, second = (seat for seat in range(3) if seat != owner)
    match.act(owner, Flip())
    for seat in (first, second):
        match.act(seat, Claim(owner, int(match.state.record.pile_number[owner])))
    match.act(CLOCK, ClosePhotoFinish(owner))
    return match, owner, first, second


def test_in_live_too_throws_are_secret_until_all_are_in() -> None:
    match, owner, first, second = contest_in_live()
    told = {viewer: match.events(viewer) for viewer in (SPECTATOR, owner, second)}
    views: dict[int, bytes] = {}
    for sign in ("rock", "paper", "scissors"):
        match.act(first, Throw(owner, sign))
        for viewer, before in told.items():
            assert match.events(viewer) == [*before, (first, Throw(None, None), False)]
            assert match.view(viewer).to_bytes() == views.setdefault(viewer, match.view(viewer).to_bytes())
        assert match.events(first)[-1].action == Throw(owner, sign)
        match.take_back()


def test_in_live_too_all_throws_are_told_when_the_last_is_in() -> None:
    match, owner, first, second = contest_in_live()
    match.act(first, Throw(owner, "rock"))
    match.act(second, Throw(owner, "paper"))
    assert match.events(owner)[-2:] == [(second, Throw(owner, "paper"), False), (first, Throw(owner, "rock"), True)]
    assert (first, Throw(owner, "rock"), True) in match.events(second)


def test_those_with_the_losing_sign_drop_out_and_the_rest_throw_again() -> None:
    position = lay(fresh(5), a=1, b=1)
    answer(position, None, A, A, A, A)
    throw(position, A, b="rock", c="paper", d="paper", e="rock")
    assert position.to_act() == {C, D}
    throw(position, A, c="paper", d="rock")
    assert position.state.taker[A] == C


@pytest.mark.parametrize("signs", [("rock", "rock", "rock"), ("rock", "paper", "scissors")])
def test_all_alike_or_all_three_signs_throw_again(signs: tuple[Sign, Sign, Sign]) -> None:
    position = lay(fresh(), a=1, b=1)
    answer(position, A, A, A)
    throw(position, A, **dict(zip("abc", signs, strict=True)))
    assert position.to_act() == {A, B, C}
    assert position.state.throw_count[A] == 1


def test_after_ten_throws_the_seed_picks_one_of_those_left() -> None:
    winners = set()
    for seed in range(20):
        position = lay(Position("kawaii", 3, seed=seed), a=1, b=1)
        answer(position, A, A, A)
        throw(position, A, a="paper", b="rock", c="paper")
        for _ in range(9):
            assert position.state.phase == THROWS
            throw(position, A, a="rock", c="rock")
        assert position.state.phase == WINDOW
        winners.add(int(position.state.taker[A]))
    assert winners == {A, C}


def test_the_round_ends_when_all_reserves_are_empty_and_all_pass() -> None:
    position = lay(after_the_last_flip(fresh()), a=1)
    all_pass(position)
    assert position.state.round_number == 2


def test_the_round_ends_when_every_reserve_and_every_pile_is_empty() -> None:
    position = lay(after_the_last_flip(fresh()), a=1)
    answer(position, None, A, None)
    assert position.state.round_number == 2


def test_the_round_ends_at_once_when_nobody_has_a_token() -> None:
    position = give_tokens(lay(fresh(), a=1, b=1), 1, 0, 0)
    answer(position, A)
    assert position.state.round_number == 2


def test_bound_tokens_count_as_held() -> None:
    position = give_tokens(lay(fresh(pace="live"), a=1, b=1), 1, 1, 0)
    claim(position, B, B)
    grab(position, A, A)
    assert position.state.round_number == 1
    position.do(CLOCK, ClosePhotoFinish(B))
    assert position.state.round_number == 2


def test_in_live_too_the_round_ends_when_every_reserve_and_every_pile_is_empty() -> None:
    position = lay(after_the_last_flip(fresh(pace="live")), a=1, b=1)
    grab(position, B, A)
    assert position.state.round_number == 1
    grab(position, C, B)
    assert position.state.round_number == 2


def test_open_piles_and_cards_never_flipped_score_for_nobody() -> None:
    position = lay(after_the_last_flip(fresh()), a=[CHERRY], b=[CHERRY])
    all_pass(position)
    assert [list(map(int, row)) for row in position.state.scored[:3]] == [[0, 0, 0, 0, 2]] * 3


def scored(seat_cards: dict[int, int], flavour: str = "mint", shape: str = "cup") -> list[int]:
    """How seat A's score pile is scored when the round ends."""
    position = lay(after_the_last_flip(fresh()), b=1)
    state = position.state
    state.flavours[A], state.shapes[A] = FLAVOURS.index(flavour), SHAPES.index(shape)
    state.captured[A] = [seat_cards.get(kind, 0) for kind in range(27)]
    all_pass(position)
    return [int(points) for points in state.scored[A]]


def test_each_ice_cream_of_the_favourite_flavour_is_a_point() -> None:
    assert scored({15: 2, 17: 1, 5: 2})[FLAVOUR] == 3


def test_each_ice_cream_of_the_favourite_shape_is_a_point() -> None:
    assert scored({4: 2, 9: 1, 5: 2})[SHAPE] == 3


def test_a_matching_flavour_and_shape_card_is_two_not_four() -> None:
    assert sum(scored({MINT_CUP: 1})) == 2 + 2


def test_each_cherry_is_a_point() -> None:
    assert scored({CHERRY: 2})[CHERRIES] == 2


@pytest.mark.parametrize(("shops", "points"), [(0, 0), (1, -1), (2, -2), (3, 3)])
def test_closed_shops_cost_one_each_but_all_three_bring_three(shops: int, points: int) -> None:
    assert scored({CLOSED_SHOP: shops})[SHOPS] == points


def test_each_token_still_held_is_a_point() -> None:
    assert scored({})[HELD] == 2


def test_there_is_no_lower_limit() -> None:
    position = lay(after_the_last_flip(fresh()), b=1)
    give_tokens(position, 0, 2, 2)
    position.state.captured[A] = [0] * 25 + [2, 0]
    all_pass(position)
    assert int(position.state.points[A].sum()) == -2


@pytest.mark.parametrize(
    ("points", "winners", "ending"),
    [((5, 9, 7), {B}, "most points"), ((9, 4, 9), {A, C}, "shared"), ((1, 1, 1), {A, B, C}, "shared")],
)
def test_after_three_rounds_the_highest_total_wins_and_a_tie_is_shared(
    points: tuple[int, ...], winners: set[int], ending: str
) -> None:
    position = lay(after_the_last_flip(fresh()), a=1)
    position.state.round_number = 3
    position.state.points[:3, 0] = points
    all_pass(position)
    assert (position.winners(), position.ending(), position.to_act()) == (winners, ending, set())
    assert [sum(row.values()) for row in position.scores()] == [total + 2 for total in points]


def test_scores_count_this_round_as_it_stands() -> None:
    position = fresh()
    position.state.points[A] = [1, 2, 0, -1, 3]
    position.state.captured[A, CHERRY] = 1
    assert position.scores()[A] == {"flavour": 1, "shape": 2, "cherries": 1, "shops": -1, "tokens": 5}


def test_in_turns_the_first_card_is_flipped_without_a_decision_and_a_window_opens() -> None:
    position = fresh()
    assert (position.state.flips, position.state.phase, position.to_act()) == (1, WINDOW, {A, B, C})


def test_without_a_token_one_is_not_asked() -> None:
    position = give_tokens(fresh(), 2, 2, 2)
    give_tokens(position, 0, 3, 2)
    all_pass(position)
    assert position.to_act() == {B, C}


def test_answers_are_secret_until_all_are_in() -> None:
    position = lay(fresh(), a=1, b=1)
    position.do(A, Answer(B))
    assert position.view(A).claims[A] == 1 << B
    assert [int(position.view(other).claims[A]) for other in (-1, B, C)] == [UNKNOWN] * 3
    assert int(position.view(B).claims[C]) == 0
    number = position.game.vocabulary.number(Answer(B))
    assert position.rules.sealed(position.state, A, number)
    position.do(B, PASS)
    position.do(C, PASS)
    assert not position.rules.sealed(position.state, A, number)
    view = position.view(-1)
    assert (view.shown_claims[B], view.shown_passes, view.taker[B]) == (1 << A, 1 << B | 1 << C, A)


def test_one_window_of_passes_is_enough_to_flip_the_next_card() -> None:
    position = fresh()
    all_pass(position)
    assert position.state.flips == 2


def test_all_contests_throw_at_the_same_time_and_the_rest_throws_again() -> None:
    position = lay(fresh(5), a=1, b=1, c=1)
    answer(position, B, B, A, A, None)
    assert position.to_act() == {A, B, C, D}
    throw(position, B, a="rock", b="rock")
    throw(position, A, c="rock", d="paper")
    assert (position.to_act(), position.state.taker[A]) == ({A, B}, D)
    throw(position, B, a="rock", b="scissors")
    assert (position.state.phase, position.state.taker[B]) == (WINDOW, A)


def test_nobody_claims_anything_new_while_throws_are_going_on() -> None:
    position = lay(fresh(4), a=1, b=1, c=1)
    answer(position, B, None, A, A)
    assert position.to_act() == {C, D}
    assert position.legal(C) == [Throw(A, "rock"), Throw(A, "paper"), Throw(A, "scissors")]


def test_when_all_is_settled_everybody_with_a_token_is_asked_also_those_who_passed() -> None:
    position = give_tokens(lay(fresh(), a=1, b=1), 0, 1, 1)
    answer(position, None, A, None)
    assert (position.to_act(), position.state.phase) == ({A, C}, WINDOW)


def test_in_live_everybody_with_a_token_may_claim_at_any_time() -> None:
    position = lay(fresh(pace="live"), b=1)
    assert position.to_act() == {A, B, C, CLOCK}
    assert position.legal(A) == [Flip(), named(position, B)]
    assert position.legal(B) == [named(position, B)]


def test_claims_inside_a_photo_finish_are_at_exactly_the_same_time() -> None:
    position = lay(fresh(pace="live"), b=1)
    claim(position, A, B)
    claim(position, C, B)
    position.do(CLOCK, ClosePhotoFinish(B))
    assert position.state.contested[B] == 1 << A | 1 << C
    assert position.legal(C) == [Throw(B, "rock"), Throw(B, "paper"), Throw(B, "scissors")]


def test_until_a_photo_finish_closes_nobody_is_told_of_any_claim_in_it() -> None:
    position = give_tokens(lay(fresh(4, pace="live"), b=1), 2, 1, 1, 2)
    before = {seat: position.view(seat).tobytes() for seat in (-1, A, D)}
    acts = {seat: position.rules.to_act(position.view(seat)) for seat in (-1, A, D)}
    claim(position, B, B)
    claim(position, C, B)
    assert {seat: position.view(seat).tobytes() for seat in (-1, A, D)} == before
    assert {seat: position.rules.to_act(position.view(seat)) for seat in (-1, A, D)} == acts
    view = position.view(C)
    assert (int(view.claims[C]), int(view.claims[B])) == (1 << B, UNKNOWN)


def test_a_claim_is_kept_from_the_others_until_its_photo_finish_closes() -> None:
    position = lay(fresh(pace="live"), b=1)
    number = position.game.vocabulary.number(named(position, B))
    claim(position, C, B)
    assert position.rules.sealed(position.state, C, number)
    assert not position.rules.sealed(position.state, A, number)
    position.do(CLOCK, ClosePhotoFinish(B))
    assert not position.rules.sealed(position.state, C, number)
    assert (position.view(A).shown_claims[B], position.view(A).taker[B]) == (1 << C, C)


def test_each_pile_has_its_own_photo_finish_and_they_may_overlap() -> None:
    position = lay(fresh(pace="live"), b=1, c=1)
    claim(position, A, B)
    claim(position, B, C)
    assert position.legal(CLOCK) == [ClosePhotoFinish(B), ClosePhotoFinish(C)]
    position.do(CLOCK, ClosePhotoFinish(C))
    assert (position.state.taker[C], position.legal(CLOCK)) == (B, [ClosePhotoFinish(B)])


def test_later_claims_on_a_contested_pile_are_refused() -> None:
    position = lay(fresh(pace="live"), b=1)
    claim(position, A, B)
    claim(position, C, B)
    position.do(CLOCK, ClosePhotoFinish(B))
    assert position.legal(B) == []


def test_a_claim_on_a_pile_that_is_gone_is_refused() -> None:
    position = lay(fresh(pace="live"), a=1)
    seen = named(position, A)
    grab(position, B, A)
    position.do(A, Flip())
    assert seen not in position.legal(C)
    assert named(position, A) in position.legal(C)
    assert tokens(position) == [3, 1, 2]


def test_no_two_piles_of_an_owner_in_a_round_have_the_same_number() -> None:
    position = fresh(pace="live")
    numbers = []
    for _ in range(18):
        position.do(A, Flip())
        numbers.append(int(position.state.pile_number[A]))
        give_tokens(position, 2, 2, 2)
        grab(position, B, A)
        for other in (B, C):
            position.do(other, Flip())
    assert len(set(numbers)) == 18


def test_a_pile_of_the_next_round_has_a_new_number() -> None:
    position = lay(after_the_last_flip(fresh(pace="live")), a=1)
    seen = named(position, A)
    position.do(CLOCK, CloseRound())
    assert named(position, A) != seen


def test_cards_flipped_onto_the_pile_since_it_was_seen_come_along() -> None:
    position = lay(fresh(pace="live"), a=1)
    seen = named(position, A)
    position.do(A, Flip())
    position.do(C, seen)
    position.do(CLOCK, ClosePhotoFinish(A))
    assert position.state.captured_size[C] == 2


def test_a_flip_asked_for_meanwhile_waits_until_nothing_is_settled() -> None:
    position = lay(fresh(pace="live"), b=1, c=1)
    claim(position, B, C)
    claim(position, C, B)
    position.do(A, Flip())
    assert Flip() not in position.legal(A)
    position.do(CLOCK, ClosePhotoFinish(B))
    assert position.state.flips == 0
    position.do(CLOCK, ClosePhotoFinish(C))
    assert (position.state.flips, position.state.flip_waits, position.state.turn) == (1, 0, B)


def waiting_for_a_contest() -> Position:
    """Seat A has asked to flip while B and C throw for the pile of C."""
    position = lay(fresh(pace="live"), c=1)
    claim(position, B, C)
    claim(position, C, C)
    position.do(A, Flip())
    position.do(CLOCK, ClosePhotoFinish(C))
    assert (position.state.flips, position.state.flip_waits) == (0, 1)
    return position


def test_a_flip_that_waits_comes_after_the_throw_that_settles_the_pile() -> None:
    position = waiting_for_a_contest()
    throw(position, C, b="rock", c="rock")
    assert position.state.flips == 0
    throw(position, C, b="rock", c="paper")
    assert (position.state.flips, position.state.flip_waits, position.state.turn) == (1, 0, B)


def test_a_flip_that_waits_comes_after_the_clock_has_thrown_too() -> None:
    position = waiting_for_a_contest()
    while position.state.contested[C]:
        assert position.state.flips == 0
        position.do(CLOCK, ThrowFor(C))
    assert (position.state.flips, position.state.flip_waits, position.state.turn) == (1, 0, B)


def test_a_flip_that_waits_lapses_when_the_round_ends() -> None:
    position = give_tokens(lay(fresh(pace="live"), b=1), 0, 1, 0)
    claim(position, B, B)
    position.do(A, Flip())
    position.do(CLOCK, ClosePhotoFinish(B))
    state = position.state
    assert (state.round_number, state.flips, state.flip_waits) == (2, 0, 0)
    assert Flip() in position.legal(int(state.turn))
    assert position.rules.sealed(state, A, position.game.vocabulary.number(Flip())) == VOID


def test_only_the_asker_knows_that_a_flip_waits() -> None:
    position = lay(fresh(pace="live"), c=1)
    number = position.game.vocabulary.number(Flip())
    claim(position, B, C)
    position.do(A, Flip())
    assert [int(position.view(seat).flip_waits) for seat in (-1, A, B, C)] == [UNKNOWN, 1, UNKNOWN, UNKNOWN]
    assert position.rules.sealed(position.state, A, number)
    position.do(CLOCK, ClosePhotoFinish(C))
    assert not position.rules.sealed(position.state, A, number)


def test_a_flip_with_nothing_to_wait_for_comes_at_once() -> None:
    position = fresh(pace="live")
    position.do(A, Flip())
    assert position.state.flips == 1
    assert not position.rules.sealed(position.state, A, position.game.vocabulary.number(Flip()))


def test_a_capture_of_another_pile_need_not_wait() -> None:
    position = lay(fresh(5, pace="live"), b=1, c=1)
    claim(position, A, B)
    claim(position, D, B)
    position.do(CLOCK, ClosePhotoFinish(B))
    grab(position, E, C)
    assert (position.state.taker[C], position.state.contested[B]) == (E, 1 << A | 1 << D)


def test_a_token_received_can_be_used_at_once() -> None:
    position = give_tokens(lay(fresh(pace="live"), b=1, c=1), 2, 0, 1)
    assert B not in position.to_act()
    grab(position, A, B)
    assert position.legal(B) == [named(position, C)]


def test_after_the_last_flip_the_round_closes_when_everybody_with_a_token_is_done() -> None:
    position = give_tokens(lay(after_the_last_flip(fresh(pace="live")), a=1), 2, 0, 2)
    position.do(A, Done())
    assert position.view(B).done == 1 << A
    assert B not in position.to_act()
    position.do(C, Done())
    assert position.state.round_number == 2


def test_nobody_is_done_before_the_last_flip() -> None:
    assert Done() not in lay(fresh(pace="live"), a=1).legal(A)


def test_the_round_stays_open_while_a_pile_is_being_settled() -> None:
    position = lay(after_the_last_flip(fresh(pace="live")), a=1, b=1)
    claim(position, B, A)
    for seat in range(3):
        position.do(seat, Done())
    assert (position.state.round_number, position.legal(CLOCK)) == (1, [ClosePhotoFinish(A)])


def test_each_capture_takes_back_every_done() -> None:
    position = lay(after_the_last_flip(fresh(pace="live")), a=1, b=1)
    position.do(A, Done())
    grab(position, B, A)
    assert position.state.done == 0
    assert Done() in position.legal(A)


def test_the_countdown_closes_the_round() -> None:
    position = lay(after_the_last_flip(fresh(pace="live")), a=1)
    assert position.legal(CLOCK) == [CloseRound()]
    position.do(CLOCK, CloseRound())
    assert position.state.round_number == 2


def test_the_clock_throws_for_whoever_has_not_thrown() -> None:
    thrown = set()
    for seed in range(12):
        position = lay(Position("kawaii", 3, seed=seed, pace="live"), a=1, b=1)
        claim(position, A, B)
        claim(position, C, B)
        position.do(CLOCK, ClosePhotoFinish(B))
        throw(position, B, a="rock")
        position.do(CLOCK, ThrowFor(B))
        assert position.state.shown_throws[B, A] == 0
        thrown.add(int(position.state.shown_throws[B, C]))
    assert thrown == {0, 1, 2}


def test_the_clock_flips_for_the_seat_whose_turn_it_is() -> None:
    position = fresh(pace="live")
    assert position.legal(CLOCK) == [FlipFor()]
    position.do(CLOCK, FlipFor())
    assert (position.state.pile_size[A], position.state.turn) == (1, B)


def test_in_turns_the_clock_never_acts() -> None:
    position = fresh()
    assert (CLOCK in position.to_act(), position.legal(CLOCK), deadlines(position.state)) == (False, [], [])


def test_a_photo_finish_lasts_150_milliseconds_and_each_pile_has_its_own_deadline() -> None:
    position = lay(fresh(pace="live"), a=1, b=1)
    claim(position, C, A)
    (first,) = deadlines(position.state)
    claim(position, B, A)
    assert deadlines(position.state) == [first]
    assert (position.game.vocabulary[first.action], first.delay_ms) == (ClosePhotoFinish(A), 150)
    claim(position, C, B)
    assert [position.game.vocabulary[each.action] for each in deadlines(position.state)] == [
        ClosePhotoFinish(A),
        ClosePhotoFinish(B),
    ]


def test_a_throw_lasts_five_seconds_and_starts_anew_with_each_throw() -> None:
    position = lay(fresh(pace="live"), a=1)
    claim(position, B, A)
    claim(position, C, A)
    position.do(CLOCK, ClosePhotoFinish(A))
    (first,) = deadlines(position.state)
    assert (position.game.vocabulary[first.action], first.delay_ms) == (ThrowFor(A), 5000)
    throw(position, A, b="rock")
    assert deadlines(position.state) == [first]
    throw(position, A, c="rock")
    (second,) = deadlines(position.state)
    assert second.since != first.since


def test_the_countdown_is_ten_seconds_and_starts_anew_with_each_capture() -> None:
    position = lay(after_the_last_flip(fresh(pace="live")), a=1, b=1)
    (first,) = deadlines(position.state)
    assert (position.game.vocabulary[first.action], first.delay_ms) == (CloseRound(), 10_000)
    position.do(A, Done())
    assert deadlines(position.state) == [first]
    grab(position, C, A)
    (second,) = deadlines(position.state)
    assert (second.action, second.since != first.since) == (first.action, True)


def test_a_flip_has_a_deadline_only_if_the_table_wants_it() -> None:
    position = fresh(pace="live")
    assert deadlines(position.state) == []
    (first,) = deadlines(position.state, flip_ms=8000)
    assert (position.game.vocabulary[first.action], first.delay_ms) == (FlipFor(), 8000)
    position.do(A, Flip())
    assert deadlines(position.state, flip_ms=8000)[0].since != first.since


def test_stacked_only_top_cards_and_sizes_are_seen() -> None:
    position = lay(fresh(stacked=True), a=[3, 4, CHERRY], b=[5])
    position.state.captured[C, 7], position.state.captured_size[C] = 1, 1
    for seat in (-1, A, C):
        view = position.view(seat)
        assert list(view.piles[A, :4]) == [UNKNOWN, UNKNOWN, CHERRY, EMPTY]
        assert view.piles[B, 0] == 5
        assert list(view.pile_size[:3]) == [3, 1, 0]
        assert (view.captured == UNKNOWN).all()
        assert list(view.captured_size[:3]) == [0, 0, 1]


def test_without_stacking_a_view_lists_every_card_that_lay_open() -> None:
    position = lay(fresh(), a=[3, 4], b=[5])
    answer(position, A, None, None)
    view = position.view(B)
    assert (int(view.captured[A, 3]), int(view.captured[A, 4]), int(view.piles[B, 0])) == (1, 1, 5)


def test_favourites_are_the_own_secret_until_the_round_is_scored() -> None:
    position = lay(after_the_last_flip(fresh()), a=1)
    flavours = [int(flavour) for flavour in position.state.flavours[:3]]
    assert [int(flavour) for flavour in position.view(B).flavours[:3]] == [UNKNOWN, flavours[B], UNKNOWN]
    assert [int(shape) for shape in position.view(-1).shapes[:3]] == [UNKNOWN] * 3
    all_pass(position)
    assert [int(flavour) for flavour in position.view(-1).scored_flavours[:3]] == flavours


def test_nobody_knows_the_reserves_nor_the_favourites_put_away() -> None:
    position = fresh()
    for seat in (-1, A, B, C):
        view = position.view(seat)
        assert (view.deck[1:] == UNKNOWN).all()
        assert list(view.flavours[3:]) == [EMPTY, EMPTY]


def test_at_the_end_of_the_match_all_is_shown() -> None:
    position = lay(after_the_last_flip(fresh(stacked=True)), a=1)
    position.state.round_number = 3
    all_pass(position)
    view = position.view(-1)
    assert position.state.phase == OVER
    assert (view.flavours == position.state.flavours).all()
    assert (view.captured == position.state.captured).all()


def test_case_two_who_take_each_others_pile_change_tokens() -> None:
    position = give_tokens(lay(fresh(), a=2, b=3, c=1), 1, 1, 2)
    answer(position, B, A, None)
    assert (tokens(position), list(position.state.captured_size[:2])) == ([1, 1, 2], [3, 2])


@pytest.mark.parametrize(("b_throws", "expected"), [("paper", [2, 1, 1]), ("scissors", [2, 2, 0])])
def test_case_a_takes_bs_pile_while_b_and_c_throw_for_as(b_throws: Sign, expected: list[int]) -> None:
    position = give_tokens(lay(fresh(), a=2, b=3), 2, 1, 1)
    answer(position, B, A, A)
    assert (position.state.captured_size[A], tokens(position)) == (3, [1, 2, 1])
    throw(position, A, b=b_throws, c="rock")
    assert tokens(position) == expected


def test_case_the_owner_wins_his_own_pile_and_one_token_leaves_the_round() -> None:
    position = lay(fresh(), a=2, b=1)
    answer(position, A, A, A)
    throw(position, A, a="paper", b="rock", c="rock")
    assert (tokens(position), int(position.state.tokens_out)) == ([1, 2, 2], 1)


def test_case_the_only_open_pile_is_captured_and_the_next_card_is_flipped() -> None:
    position = fresh()
    answer(position, A, None, None)
    assert (position.state.flips, list(position.state.pile_size[:3]), position.state.phase) == (2, [0, 1, 0], WINDOW)


def test_the_last_answers_stay_on_show_when_a_new_round_is_dealt() -> None:
    position = lay(after_the_last_flip(fresh()), b=1)
    answer(position, B, None, None)
    view = position.view(C)
    assert (view.round_number, view.taker[B], view.shown_claims[B]) == (2, A, 1 << A)


def test_live_begins_with_the_starters_flip() -> None:
    position = fresh(pace="live")
    assert (position.state.phase, position.to_act(), position.legal(A)) == (LIVE, {A, CLOCK}, [Flip()])


def test_there_are_130_actions() -> None:
    vocabulary = fresh().game.vocabulary
    assert Counter(type(action).__name__ for action in vocabulary.actions) == {
        "Answer": 6,
        "Throw": 15,
        "Flip": 1,
        "Done": 1,
        "Claim": 95,
        "ClosePhotoFinish": 5,
        "ThrowFor": 5,
        "FlipFor": 1,
        "CloseRound": 1,
    }


def test_secret_actions_show_nothing_but_that_they_were_made() -> None:
    vocabulary = fresh().game.vocabulary
    veiled = {action.veiled().words() for action in vocabulary.actions if isinstance(action, Answer | Claim | Throw)}
    assert veiled == {"has answered", "claims a pile", "throws"}
    assert [action.words() for action in (Answer(C), PASS, Claim(B, 3), ThrowFor(C))] == [
        "claims the pile of seat 2",
        "passes",
        "claims pile 3 of seat 1",
        "throws for whoever has not thrown yet for the pile of seat 2",
    ]


def test_a_redealt_view_keeps_what_the_seat_knows() -> None:
    position = lay(fresh(pace="live"), b=1)
    claim(position, A, B)
    out = position.game.layout.new(2)
    position.rules.redeal(position.view(A), A, np.array([1, 2, 3, 4], np.uint32), out[0])
    assert int(out[0].claims[A]) == 1 << B
    assert out[0].flavours[A] == position.state.flavours[A]


def redeals(position: Position, seat: int, count: int = 40) -> list[Any]:
    """States that fit what the seat sees."""
    out = position.game.layout.new(count)
    view = position.view(seat).copy()
    for i in range(count):
        position.rules.redeal(view, seat, np.array([i, 2, 3, 4], np.uint32), out[i])
    return list(out)


def test_for_all_but_the_asker_a_flip_may_wait_or_not_as_long_as_a_pile_may_be_settled() -> None:
    position = lay(fresh(pace="live"), c=1)
    for seat in (SPECTATOR, B):
        assert {(int(state.flip_waits), any(state.claims > 0)) for state in redeals(position, seat)} == {
            (0, False),
            (0, True),
            (1, True),
        }


def test_a_round_that_goes_on_though_everybody_is_done_has_an_open_claim() -> None:
    position = lay(after_the_last_flip(fresh(pace="live")), a=1, b=1)
    claim(position, B, A)
    for seat in range(3):
        position.do(seat, Done())
    assert all(any(state.claims > 0) for seat in (SPECTATOR, A, C) for state in redeals(position, seat))


def board_lines(position: Position, seat: int) -> list[str]:
    """The table as a terminal shows it to this seat."""
    console = Console(file=StringIO(), width=96, record=True)
    console.print(board(position.view(seat), seat))
    return [line.rstrip() for line in console.export_text().splitlines()]


def test_the_board_tells_who_took_a_pile_until_a_new_one_lies_there() -> None:
    position = lay(fresh(pace="live"), a=1)
    grab(position, B, A)
    assert "  Seat 1 takes the pile of seat 0." in board_lines(position, SPECTATOR)
    position.do(A, Flip())
    assert not any("takes" in line for line in board_lines(position, SPECTATOR))


def test_the_board_says_so_when_the_owner_takes_the_pile() -> None:
    position = lay(fresh(pace="live"), c=1)
    grab(position, C, C)
    assert "  Seat 2 takes its own pile." in board_lines(position, A)
    assert "  You take your own pile." in board_lines(position, C)


def test_the_board_tells_who_may_act_in_live() -> None:
    position = give_tokens(lay(fresh(4, pace="live"), a=1), 2, 0, 1, 2)
    assert board_lines(position, SPECTATOR)[-1] == "May act: seat 0, seat 2 and seat 3"
    assert board_lines(position, C)[-1] == "May act: seat 0, you and seat 3"
    assert board_lines(position, B)[-1] == "You have nothing to do now."


def test_long_news_on_the_board_are_indented_line_by_line() -> None:
    position = lay(fresh(5), a=1, b=1)
    answer(position, A, A, A, A, A)
    throw(position, A, a="rock", b="rock", c="rock", d="rock", e="rock")
    lines = board_lines(position, SPECTATOR)
    first = next(i for i, line in enumerate(lines) if line.startswith("  Seat 0, seat 1"))
    assert "Throw 2" in " ".join(lines[first : first + 3])
    assert lines[first + 1].startswith("  ")


def standing(position: Position, seat: int) -> tuple[Tensor, Tensor, Tensor]:
    """What a seat's observation tells of who stands how: leads, points of the round, what piles would bring."""
    state = State(position.game)
    state.records[0] = position.state
    seats = int(position.state.seats)
    leads, points, piles = np.split(state.view(seat).observe(seat)[-45:], [15, 20])
    return leads.reshape(5, 3)[:seats], points[:seats] * 10, piles.reshape(5, 5)[:seats, :seats] * 5


def test_who_stands_how_is_observed_with_others_favourites_guessed_from_what_they_captured() -> None:
    position = lay(fresh(), b=[MINT_CUP, CHERRY], c=[CLOSED_SHOP])
    state = position.state
    state.flavours[:3], state.shapes[:3] = [FLAVOURS.index(name) for name in ("mint", "vanilla", "chocolate")], [0, 1, 2]
    state.captured[:3] = 0
    state.captured[A, MINT_CUP] = state.captured[B, MINT_CUP] = 1
    state.captured[B, CLOSED_SHOP] = 2
    # A likes mint and cones, so B does not: one card of cups makes that the likeliest of four shapes.
    cups = exp(0.9) / (exp(0.9) + 3)
    leads, points, piles = standing(position, A)
    assert points == pytest.approx([2 + 1, 2 - 2 + cups, 2])
    assert leads[0] == pytest.approx([1 / 2, 1 / 5, 1 / 13])
    assert leads[2] == pytest.approx([-1 / 2, -1 / 5, -1 / 13])
    assert piles[0] == pytest.approx([0, 2, -1])
    assert piles[1] == pytest.approx([0, 1 + cups, 5])
    assert piles[2] == pytest.approx([0, 1 + 1 / 4, -1])
    # B knows what it likes, and guesses what A does.
    assert standing(position, B)[1][[0, 2]] == pytest.approx([0, 2 + exp(0.9) / (exp(0.9) + 3) + cups])


def test_stacked_nobody_knows_what_was_captured() -> None:
    position = lay(fresh(stacked=True), b=[CHERRY])
    position.state.captured[B, CHERRY] = 2
    _, points, piles = standing(position, A)
    assert points == pytest.approx([2, 2, 2])
    assert piles[:, 1] == pytest.approx([1, 1, 1])

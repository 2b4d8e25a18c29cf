"""Kohoju, sentence by sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.conformance.games.kohoju import arrange, check_laws
from tests.position import Position
from zashiki.core.errors import WrongOption
from zashiki.core.layout import EMPTY, UNKNOWN
from zashiki.games.kohoju.actions import Add, Discard, Draw, Open, Pool
from zashiki.games.kohoju.cards import CARD_NAMES, KIND_NAMES
from zashiki.games.kohoju.features import FEATURES, observe
from zashiki.games.kohoju.piles import DISCARDED, KNOWN
from zashiki.games.kohoju.rules import PLAY, POOL_FULL, TURNS_UP, WENT_OUT

if TYPE_CHECKING:
    from zashiki.core.actions import Action

STOCK, DISCARD_PILE = Draw("stock"), Draw("discard pile")
ALL_KINDS = (1 << 25) - 1
HANDS = "blue circle 1, red star 2, green cross 3", "yellow star 1, yellow cross 4"


def table(
    *hands: str,
    kohojus: dict[int, list[str]] | None = None,
    pool: str = "purple cross 1",
    discard: str = "purple star 1",
    guide: str = "purple square",
    **options: int,
) -> Position:
    """A deal in which seat 0 begins with the first of these hands; cards are listed with commas between them."""
    position = Position("kohoju", len(hands), **options)
    lines = {seat: [cards(line) for line in own] for seat, own in (kohojus or {}).items()}
    arrange(position, [cards(hand) for hand in hands], lines, tuple(cards(pool)), tuple(cards(discard)))
    turn_up(position, guide)
    return position


def playing(*hands: str, **others: Any) -> Position:
    """The same after a draw that has given the last card of the first hand."""
    position = table(*hands, **others)
    position.state.phase, position.state.may_lay = PLAY, 1
    return position


def cards(names: str) -> list[int]:
    return [CARD_NAMES.index(name.strip()) for name in names.split(",") if name]


def kinds(*names: str) -> int:
    return sum(1 << KIND_NAMES.index(name) for name in names)


def turn_up(position: Position, guide: str, *following: str) -> None:
    """Makes this the guide card, and these all that is left of the guide pile."""
    position.state.guide = KIND_NAMES.index(guide)
    position.state.guide_pile = kinds(*following) if following else ALL_KINDS ^ kinds(guide)


def guide(position: Position) -> str:
    return KIND_NAMES[int(position.state.guide)]


def lays(position: Position, seat: int = 0) -> set[Action]:
    return {action for action in position.legal(seat) if not isinstance(action, Discard)}


def discards(position: Position, seat: int = 0) -> set[str]:
    return {action.card for action in position.legal(seat) if isinstance(action, Discard)}


def end_with(position: Position, *totals: int) -> None:
    """Ends a deal in which nobody scores, after which these are the totals."""
    arrange(position, [[0], *([] for _ in totals[1:])], pool=(60,), discard=(61,))
    position.state.phase, position.state.totals[: len(totals)] = PLAY, totals
    position.do(0, Discard("blue circle 1"))


def deal_points(position: Position) -> list[int]:
    """What each seat scored in the deal before this one."""
    state = position.state
    seats = range(int(state.seats))
    return [int(state.last_laid[s]) + 5 * int(state.last_finished[s]) - int(state.last_hand[s]) for s in seats]


def observed(position: Position, seat: int) -> list[float]:
    tensor = np.zeros(FEATURES, np.float32)
    observe(position.view(seat), seat, tensor)
    return tensor.tolist()


def differ(one: Position, other: Position) -> bool:
    """Whether every player and a spectator observe a difference."""
    return all(observed(one, seat) != observed(other, seat) for seat in (-1, 0, 1))


def known_in_hands(*known: str) -> Position:
    """A deal in which everybody has seen each seat take one of these cards from the discard pile."""
    position = table(*(f"{hand}, {card}" for hand, card in zip(HANDS, known, strict=True)))
    for seat, card in enumerate(known):
        position.state.drawn[seat, 0] -= 1
        position.state.place[cards(card)] = KNOWN + seat
    return position


def test_there_are_25_kinds_and_of_each_point_cards_from_one_to_five() -> None:
    assert len(set(KIND_NAMES)) == 25
    assert len(set(CARD_NAMES)) == 125
    assert [name for name in CARD_NAMES if name.startswith("red star")] == [f"red star {points}" for points in range(1, 6)]


def test_two_to_six_play() -> None:
    assert list(Position("kohoju", 2).game.seats) == [2, 3, 4, 5, 6]


@pytest.mark.parametrize(("seats", "stock"), [(2, 99), (3, 87), (4, 75), (5, 63), (6, 51)])
def test_a_deal_gives_twelve_cards_each_one_to_the_discard_pile_and_one_to_the_pool(seats: int, stock: int) -> None:
    state = Position("kohoju", seats).state
    assert list(state.hand_size) == [12] * seats + [0] * (6 - seats)
    assert (int(state.stock_size), int(state.discard_size), int(state.pool).bit_count()) == (stock, 1, 1)
    check_laws(state)


def test_the_two_cards_of_the_set_up_never_replace_the_guide_card() -> None:
    alike = 0
    for seed in range(60):
        state = Position("kohoju", 2, seed=seed).state
        assert int(state.guide_pile) == ALL_KINDS ^ (1 << int(state.guide))
        alike += int(state.discard[0]) // 5 == state.guide or int(state.pool) == 1 << int(state.guide)
    assert alike > 0


def test_a_random_player_starts_the_first_deal() -> None:
    assert {int(Position("kohoju", 6, seed=seed).state.starter) for seed in range(60)} == set(range(6))


@pytest.mark.parametrize(("starter", "following"), [(0, 1), (1, 2), (2, 0)])
def test_the_starter_moves_one_seat_clockwise_each_deal_and_every_deal_uses_all_cards(starter: int, following: int) -> None:
    position = playing("blue circle 1", "", "")
    position.state.starter = starter
    position.do(0, Discard("blue circle 1"))
    assert position.state.starter == following
    assert position.to_act() == {following}
    assert list(position.state.hand_size[:3]) == [12, 12, 12]
    check_laws(position.state)


def test_a_turn_begins_with_a_draw_from_the_stock_or_the_discard_pile() -> None:
    position = table("blue circle 1, red circle 1", "green circle 1")
    assert position.to_act() == {0}
    assert position.legal(0) == [STOCK, DISCARD_PILE]
    assert position.legal(1) == []


def test_the_discard_pile_gives_its_top_card() -> None:
    position = table("blue circle 1", "", discard="red star 1, red star 5")
    position.do(0, DISCARD_PILE)
    assert list(position.state.hands[0][:2]) == cards("blue circle 1, red star 5")
    assert position.state.discard[int(position.state.discard_size) - 1] == CARD_NAMES.index("red star 1")


def test_the_stock_gives_any_of_its_cards() -> None:
    drawn = set()
    for seed in range(30):
        position = table("blue circle 1", "", seed=seed)
        position.state.stock[:], position.state.stock_size = [0, 0, 0b111, 0, 0], 3
        position.do(0, STOCK)
        drawn.add(CARD_NAMES[int(position.state.hands[0, 1])])
    assert drawn == {"green circle 1", "green circle 2", "green circle 3"}


def test_an_empty_stock_is_made_of_the_whole_discard_pile_its_top_card_too() -> None:
    position = table("blue circle 1", "", discard="red star 1, red star 2, red star 3")
    position.state.stock[:], position.state.stock_size = 0, 0
    position.do(0, STOCK)
    state = position.state
    assert (int(state.stock_number), int(state.stock_size), int(state.discard_size)) == (1, 2, 0)
    assert list(state.discard) == [EMPTY] * 100
    assert {int(card) for card in state.hands[0]} < {EMPTY, *cards("blue circle 1, red star 1, red star 2, red star 3")}


def test_until_somebody_draws_from_the_empty_stock_the_top_card_may_be_taken() -> None:
    position = table("blue circle 1", "", discard="red star 1, red star 2")
    position.state.stock[:], position.state.stock_size = 0, 0
    assert position.legal(0) == [STOCK, DISCARD_PILE]
    position.do(0, DISCARD_PILE)
    assert (int(position.state.stock_number), int(position.state.discard_size)) == (0, 1)


def test_laying_is_optional() -> None:
    position = playing("purple star 2, blue circle 1", "red star 1")
    assert lays(position) == {Pool("purple star 2")}
    position.do(0, Discard("blue circle 1"))
    assert position.to_act() == {1}


def test_a_kohoju_is_opened_with_any_card_of_the_guide_cards_kind() -> None:
    position = playing("red star 1, red star 4, red cross 2", "", guide="red star", pool="blue circle 1")
    assert lays(position) == {Open("red star 1"), Open("red star 4")}


def test_a_player_who_holds_the_guide_cards_kind_need_not_open() -> None:
    position = playing("red star 1, blue square 1", "", guide="red star", pool="blue circle 1")
    assert lays(position) == {Open("red star 1"), Pool("blue square 1")}
    assert discards(position) == {"red star 1", "blue square 1"}


def test_with_two_unfinished_kohojus_none_can_be_opened() -> None:
    kohojus = {0: ["red star 1", "red circle 1"]}
    position = playing("green cross 1, blue square 1", "", guide="green cross", kohojus=kohojus, pool="blue circle 1")
    assert lays(position) == {Pool("blue square 1")}


def test_finishing_a_kohoju_frees_the_place_in_the_same_turn() -> None:
    kohojus = {0: ["blue circle 1", "red circle 1, red square 1, red triangle 1, red star 1"]}
    position = playing("red cross 1, green cross 1, yellow star 1", "", guide="green cross", kohojus=kohojus)
    assert Open("green cross 1") not in position.legal(0)
    position.do(0, Add("red cross 1", 1))
    assert Open("green cross 1") in position.legal(0)


def test_a_single_card_is_joined_by_its_colour_or_its_symbol() -> None:
    hand = "red circle 1, red cross 2, blue star 1, green circle 1, red star 5"
    position = playing(hand, "", kohojus={0: ["red star 1"]}, pool="purple triangle 1")
    assert lays(position) == {Add("red circle 1", 0), Add("red cross 2", 0), Add("blue star 1", 0)}


@pytest.mark.parametrize(("second", "joins"), [("red cross 1", "red circle 1"), ("green star 1", "blue star 1")])
def test_the_second_card_settles_which_line_it_is(second: str, joins: str) -> None:
    hand = "red circle 1, blue star 1, blue cross 1"
    position = playing(hand, "", kohojus={0: [f"red star 1, {second}"]}, pool="purple triangle 1")
    assert lays(position) == {Add(joins, 0)}


def test_the_same_kind_never_lies_twice_in_a_kohoju() -> None:
    position = playing(
        "red star 2, red cross 2, red circle 1", "", kohojus={0: ["red star 1, red cross 1"]}, pool="purple triangle 1"
    )
    assert lays(position) == {Add("red circle 1", 0)}


def test_a_card_can_go_on_either_of_two_unfinished_kohojus() -> None:
    position = playing("red star 2, blue cross 1", "", kohojus={0: ["red circle 1", "red square 1"]}, pool="purple triangle 1")
    assert lays(position) == {Add("red star 2", 0), Add("red star 2", 1)}
    position.do(0, Add("red star 2", 1))
    assert int(position.state.fits[0, 1]) == kinds("red circle", "red triangle", "red cross")
    assert int(position.state.fits[0, 0]).bit_count() == 8


def test_a_finished_kohoju_takes_no_more_cards() -> None:
    line = "red circle 1, red square 1, red triangle 1, red star 1"
    position = playing("red cross 1, red cross 2, red circle 2", "", kohojus={0: [line]}, pool="purple triangle 1")
    position.do(0, Add("red cross 1", 0))
    assert lays(position) == set()
    assert list(position.state.fits[0]) == [0, 0]


def test_when_the_first_kohoju_is_finished_the_second_becomes_the_first() -> None:
    line = "red circle 1, red square 1, red triangle 1, red star 1"
    position = playing(
        "red cross 1, blue square 1, green cross 5", "", kohojus={0: [line, "blue cross 1"]}, pool="yellow triangle 1"
    )
    position.do(0, Add("red cross 1", 0))
    assert lays(position) == {Add("blue square 1", 0), Add("green cross 5", 0)}
    position.do(0, Add("blue square 1", 0))
    assert [int(position.state.place[card]) for card in cards("blue cross 1, blue square 1, red cross 1")] == [16, 16, 15]


def test_the_pool_takes_a_new_kind_whose_row_or_column_holds_a_card() -> None:
    hand = "blue circle 2, blue star 1, red circle 1, red star 1"
    position = playing(hand, "", pool="blue circle 1")
    assert lays(position) == {Pool("blue star 1"), Pool("red circle 1")}


def test_one_card_may_be_laid_in_a_turn() -> None:
    position = playing("blue star 1, red circle 1, green circle 1", "", pool="blue circle 1")
    position.do(0, Pool("blue star 1"))
    assert lays(position) == set()
    assert discards(position) == {"red circle 1", "green circle 1"}


def test_opening_a_kohoju_allows_one_more_card() -> None:
    position = playing("red star 1, red cross 1, red circle 1, blue square 1", "", guide="red star", pool="blue circle 1")
    position.do(0, Open("red star 1"))
    assert {Add("red cross 1", 0), Pool("blue square 1")} <= lays(position)
    position.do(0, Add("red cross 1", 0))
    assert lays(position) == set()


def test_finishing_a_kohoju_allows_one_more_card_which_may_earn_another() -> None:
    lines = [
        "red circle 1, red square 1, red triangle 1, red star 1",
        "blue circle 1, blue square 1, blue triangle 1, blue star 1",
    ]
    position = playing("red cross 1, blue cross 1, green cross 5, green star 1", "", kohojus={0: lines}, guide="green cross")
    position.do(0, Add("red cross 1", 0))
    position.do(0, Add("blue cross 1", 0))
    position.do(0, Open("green cross 5"))
    assert Add("green star 1", 0) in lays(position)


def test_an_extra_card_is_not_kept_for_later() -> None:
    position = playing(
        "red star 1, red cross 1, blue square 1, green star 1", "yellow star 1", guide="red star", pool="blue circle 1"
    )
    position.do(0, Open("red star 1"))
    position.do(0, Discard("blue square 1"))
    assert position.state.may_lay == 0
    position.do(1, STOCK)
    assert position.state.may_lay == 1


def test_cards_are_never_added_to_others_kohojus() -> None:
    position = playing("red star 1, blue square 1", "yellow star 1", kohojus={1: ["red circle 1"]}, pool="purple circle 1")
    assert lays(position) == set()


def test_a_discard_ends_the_turn() -> None:
    position = playing("red star 1, blue square 1", "yellow star 1", "green star 1")
    position.do(0, Discard("red star 1"))
    assert position.state.discard[int(position.state.discard_size) - 1] == CARD_NAMES.index("red star 1")
    assert position.to_act() == {1}
    assert position.legal(1) == [STOCK, DISCARD_PILE]


def test_a_discarded_card_lies_where_everybody_sees_it() -> None:
    position = playing("red star 1, blue square 1", "yellow star 1")
    position.do(0, Discard("red star 1"))
    assert position.state.place[CARD_NAMES.index("red star 1")] == DISCARDED


def test_after_the_last_seat_the_first_has_its_turn() -> None:
    position = table("red star 1, blue square 1", "yellow star 1", "green star 1, green star 2")
    position.state.active, position.state.phase = 2, PLAY
    position.do(2, Discard("green star 1"))
    assert position.to_act() == {0}
    assert position.state.turn_number == 2


def test_the_card_just_taken_may_not_go_back() -> None:
    position = table("red star 1, blue square 1", "", discard="green star 1", pool="yellow circle 1")
    position.do(0, DISCARD_PILE)
    assert discards(position) == {"red star 1", "blue square 1"}


def test_the_card_taken_may_go_back_in_a_later_turn() -> None:
    position = table("red star 1, blue square 1", "yellow star 1, yellow star 2", discard="green star 1", pool="yellow circle 1")
    position.do(0, DISCARD_PILE)
    position.do(0, Discard("red star 1"))
    position.do(1, DISCARD_PILE)
    position.do(1, Discard("yellow star 1"))
    position.do(0, STOCK)
    assert "green star 1" in discards(position)


def test_the_card_taken_may_be_discarded_when_it_is_the_only_one_left() -> None:
    position = table("red circle 2", "yellow star 1", discard="green star 1", pool="red star 1")
    position.do(0, DISCARD_PILE)
    assert discards(position) == {"red circle 2"}
    position.do(0, Pool("red circle 2"))
    assert position.legal(0) == [Discard("green star 1")]
    position.do(0, Discard("green star 1"))
    assert position.state.last_ending == WENT_OUT


def test_the_card_taken_may_be_laid_as_the_last_one_if_an_extra_card_is_allowed() -> None:
    position = table("red circle 2", "yellow star 1", discard="red star 1", pool="green cross 1", guide="red circle")
    position.do(0, DISCARD_PILE)
    position.do(0, Open("red circle 2"))
    assert set(position.legal(0)) == {Add("red star 1", 0), Discard("red star 1")}
    position.do(0, Add("red star 1", 0))
    assert position.state.last_ending == WENT_OUT


def test_with_a_third_card_in_hand_the_card_taken_may_not_be_discarded() -> None:
    position = table("red circle 2, blue circle 1", "yellow star 1", discard="green star 1", pool="red star 1")
    position.do(0, DISCARD_PILE)
    position.do(0, Pool("red circle 2"))
    assert position.legal(0) == [Discard("blue circle 1")]


def test_a_single_legal_discard_is_asked() -> None:
    position = playing("red circle 1", "", pool="yellow star 1")
    assert position.legal(0) == [Discard("red circle 1")]
    assert position.to_act() == {0}


@pytest.mark.parametrize("action", [Pool("red star 1"), Add("red star 1", 0), Open("red star 1"), Discard("red star 1")])
def test_the_guide_card_is_replaced_when_its_kind_is_laid_anywhere_or_discarded(action: Action) -> None:
    position = playing(
        "red star 1, blue square 1", "yellow star 1", guide="red star", kohojus={0: ["red circle 1"]}, pool="green star 1"
    )
    turn_up(position, "red star", "blue cross")
    position.do(0, action)
    assert guide(position) == "blue cross"
    assert position.state.guide_pile == 0


def test_another_kind_leaves_the_guide_card() -> None:
    position = playing("red star 1, blue square 1, blue cross 1", "", guide="red cross", pool="green star 1")
    position.do(0, Pool("red star 1"))
    position.do(0, Discard("blue square 1"))
    assert guide(position) == "red cross"


def test_the_next_kohoju_may_be_opened_in_the_same_turn_if_the_new_guide_card_fits() -> None:
    position = playing("red star 1, blue cross 1, green square 1", "", pool="purple triangle 1")
    turn_up(position, "red star", "blue cross")
    position.do(0, Open("red star 1"))
    position.do(0, Open("blue cross 1"))
    assert [int(fits).bit_count() for fits in position.state.fits[0]] == [8, 8]


def test_the_guide_card_in_the_pool_earns_no_extra_card_but_as_an_opening_it_does() -> None:
    for action, extra in ((Pool("blue circle 3"), 0), (Open("blue circle 3"), 1)):
        position = playing("blue circle 3, red circle 2", "", pool="blue star 1")
        turn_up(position, "blue circle", "green cross")
        position.do(0, action)
        assert guide(position) == "green cross"
        assert position.state.may_lay == extra


def test_a_second_card_of_a_kind_can_open_another_kohoju_when_it_is_the_guide_again() -> None:
    position = playing(
        "blue circle 2, green square 1", "", guide="blue circle", kohojus={0: ["blue circle 1"]}, pool="red star 1"
    )
    assert lays(position) == {Open("blue circle 2")}
    turn_up(position, "red cross")
    assert lays(position) == set()


def test_a_guide_card_whose_five_point_cards_are_all_laid_is_passed_over() -> None:
    kohojus = {1: ["red star 1", "red star 2"], 2: ["red star 3", "red star 4"]}
    for seed in range(8):
        position = playing("blue circle 1, blue star 1", "", "", seed=seed, kohojus=kohojus, pool="red star 5, blue cross 1")
        turn_up(position, "blue circle", "red star", "green cross")
        position.do(0, Pool("blue circle 1"))
        assert guide(position) == "green cross"


def test_cards_in_the_discard_pile_do_not_make_a_guide_card_passed_over() -> None:
    kohojus = {1: ["red star 1", "red star 2"], 2: ["red star 3", "red star 4"]}
    position = playing("blue circle 1, blue star 1", "", "", kohojus=kohojus, pool="blue cross 1", discard="red star 5")
    turn_up(position, "blue circle", "red star")
    position.do(0, Pool("blue circle 1"))
    assert guide(position) == "red star"


def test_when_only_a_dead_guide_card_is_left_it_is_passed_over_and_all_25_are_shuffled() -> None:
    kohojus = {1: ["red star 1", "red star 2"], 2: ["red star 3", "red star 4"]}
    passed_over_again = 0
    for seed in range(60):
        position = playing("blue circle 1, blue star 1", "", "", seed=seed, kohojus=kohojus, pool="red star 5, blue cross 1")
        turn_up(position, "blue circle", "red star")
        position.do(0, Pool("blue circle 1"))
        assert guide(position) != "red star"
        turned = ALL_KINDS ^ int(position.state.guide_pile)
        assert turned in (kinds(guide(position)), kinds(guide(position), "red star"))
        passed_over_again += turned != kinds(guide(position))
    assert 0 < passed_over_again < 30


def test_when_the_guide_pile_is_used_up_all_25_are_shuffled() -> None:
    turned = set()
    for seed in range(150):
        position = playing("blue circle 1, blue star 1", "", seed=seed, pool="blue cross 1", guide="blue circle")
        position.state.guide_pile = 0
        position.do(0, Pool("blue circle 1"))
        assert int(position.state.guide_pile) == ALL_KINDS ^ (1 << int(position.state.guide))
        turned.add(guide(position))
    assert "blue circle" in turned
    assert len(turned) == 25


def test_the_deal_ends_when_the_last_card_is_discarded() -> None:
    position = playing("blue circle 1", "red star 5, red cross 2", pool="green square 1")
    position.do(0, Discard("blue circle 1"))
    assert position.state.last_ending == WENT_OUT
    assert deal_points(position) == [0, -7]
    assert position.state.deal_number == 2


def test_the_deal_ends_when_the_last_card_opens_a_kohoju_and_the_extra_card_is_lost() -> None:
    position = playing("blue circle 4", "red star 5, red cross 2", guide="blue circle")
    position.do(0, Open("blue circle 4"))
    assert position.state.last_ending == WENT_OUT
    assert deal_points(position) == [4, -7]


def test_the_deal_ends_when_the_pool_is_full() -> None:
    pool = ", ".join(f"{kind} 1" for kind in KIND_NAMES if kind != "blue circle")
    position = playing("blue circle 4, blue circle 5", "red star 5, red cross 2", pool=pool, discard="red star 2")
    position.do(0, Pool("blue circle 4"))
    assert position.state.last_ending == POOL_FULL
    assert deal_points(position) == [-5, -7]


def test_a_kohoju_of_19_points_gives_24_and_a_hand_of_7_takes_them_down_to_17() -> None:
    line = "red circle 5, red square 4, red star 3, red cross 5"
    position = playing("red triangle 2, blue star 3, blue cross 4, blue cross 1", "yellow cross 1", kohojus={0: [line]})
    position.do(0, Add("red triangle 2", 0))
    position.do(0, Discard("blue cross 1"))
    assert position.scores()[0] == {"earlier deals": 0, "kohojus": 19, "finished kohojus": 5, "hand": -7}
    position.state.phase = PLAY
    position.do(1, Discard("yellow cross 1"))
    assert deal_points(position) == [17, 0]
    assert list(position.state.totals[:2]) == [17, 0]


def test_unfinished_kohojus_score_and_scores_may_be_negative() -> None:
    position = playing("blue circle 1", "red star 5, red cross 2", kohojus={1: ["green star 3"]}, pool="green square 1")
    position.do(0, Discard("blue circle 1"))
    assert deal_points(position) == [0, -4]
    assert list(position.state.totals[:2]) == [0, -4]


def test_the_pool_scores_nothing() -> None:
    position = playing("blue circle 5, red star 1", "red star 5", pool="blue star 5")
    position.do(0, Pool("blue circle 5"))
    position.do(0, Discard("red star 1"))
    assert deal_points(position) == [0, -5]


def test_a_deal_in_which_everybody_has_had_60_turns_is_scored_as_it_stands() -> None:
    position = playing("blue circle 5, red star 1", "red star 5, green star 4")
    position.state.turn_number = 60
    position.do(0, Discard("blue circle 5"))
    assert position.state.deal_number == 1
    position.do(1, DISCARD_PILE)
    position.do(1, Discard("red star 5"))
    assert (int(position.state.last_ending), deal_points(position)) == (TURNS_UP, [-1, -9])


def test_the_target_is_a_whole_number_from_10_to_500_and_100_by_default() -> None:
    assert Position("kohoju", 2).state.target == 100
    for target in (10, 500):
        assert Position("kohoju", 2, target=target).state.target == target
    for target in (9, 501):
        with pytest.raises(WrongOption, match="target"):
            Position("kohoju", 2, target=target)


def test_whoever_reaches_the_target_alone_in_front_wins() -> None:
    position = table("", "", "")
    end_with(position, 99, 100, 70)
    assert (position.winners(), position.ending()) == ({1}, "target")
    assert position.to_act() == set()
    assert [sum(parts.values()) for parts in position.scores()] == [99, 100, 70]


def test_a_shared_lead_asks_for_another_deal_and_the_same_question_again() -> None:
    position = table("", "", "")
    for totals in ((104, 104, 60), (99, 98, 70)):
        end_with(position, *totals)
        assert position.winners() == set()
    end_with(position, 101, 90, 120)
    assert (position.winners(), position.ending()) == ({2}, "target")


@pytest.mark.parametrize(("target", "deals"), [(10, 12), (14, 12), (100, 30), (500, 110)])
def test_after_the_last_deal_the_highest_total_wins(target: int, deals: int) -> None:
    position = table("", "", target=target)
    position.state.deal_number = deals - 1
    end_with(position, -12, -10)
    assert position.winners() == set()
    end_with(position, -12, -10)
    assert (position.winners(), position.ending()) == ({1}, "most points")


def test_after_the_last_deal_a_tie_is_shared() -> None:
    position = table("", "", "")
    position.state.deal_number = 30
    end_with(position, 104, 3, 104)
    assert (position.winners(), position.ending()) == ({0, 2}, "shared")


def test_the_target_in_the_last_deal_is_the_target() -> None:
    position = table("", "")
    position.state.deal_number = 30
    end_with(position, 104, 3)
    assert position.ending() == "target"


def test_a_hand_is_known_to_its_owner_only_and_the_stock_to_nobody() -> None:
    position = Position("kohoju", 3)
    assert list(position.view(1).hands[1]) == list(position.state.hands[1])
    for seat in (-1, 0, 2):
        assert list(position.view(seat).hands[1]) == [UNKNOWN] * 12 + [EMPTY]
        assert list(position.view(seat).stock) == [UNKNOWN] * 5


def test_guide_cards_used_pool_kohojus_sizes_and_totals_are_public() -> None:
    position = playing("blue star 1, red circle 1", "", kohojus={0: ["red star 1"]}, pool="blue circle 1")
    position.state.totals[:2] = (-1, 12)
    view = position.view(-1)
    for field in ("guide", "guide_pile", "pool", "fits", "place", "hand_size", "totals", "discard", "stock_size"):
        assert np.array_equal(view[field], position.state[field])


def test_a_card_taken_from_the_discard_pile_is_known_in_that_hand() -> None:
    position = table("red star 1, blue square 1", "", discard="green star 1", pool="yellow circle 1")
    position.do(0, DISCARD_PILE)
    card = CARD_NAMES.index("green star 1")
    assert position.state.place[card] == KNOWN
    for seat in (-1, 1):
        assert list(position.view(seat).hands[0][:4]) == [card, UNKNOWN, UNKNOWN, EMPTY]


@pytest.mark.parametrize("known", ["blue circle 1", "purple cross 5"])
def test_the_place_of_a_known_card_says_nothing_about_the_others(known: str) -> None:
    position = table("red star 1, blue square 1", "", discard=known, pool="yellow circle 1")
    position.do(0, DISCARD_PILE)
    assert list(position.view(1).hands[0][:4]) == [CARD_NAMES.index(known), UNKNOWN, UNKNOWN, EMPTY]


def test_a_known_card_is_no_longer_in_the_hand_when_it_is_laid_or_discarded() -> None:
    position = table("red star 1, blue square 1", "", discard="yellow star 1", pool="yellow circle 1")
    position.do(0, DISCARD_PILE)
    position.do(0, Pool("yellow star 1"))
    assert list(position.view(1).hands[0][:3]) == [UNKNOWN, UNKNOWN, EMPTY]
    assert position.state.taken == EMPTY


def test_a_view_lists_the_whole_discard_pile() -> None:
    position = table("red star 1", "", discard="yellow star 1, yellow star 2, yellow star 3")
    assert list(position.view(-1).discard[:4]) == [*cards("yellow star 1, yellow star 2, yellow star 3"), EMPTY]


def test_after_a_reshuffle_everybody_knows_which_cards_the_stock_is_made_of() -> None:
    position = table("blue circle 1", "green star 1", discard="red star 1, red star 2, red star 3")
    position.state.stock[:], position.state.stock_size = 0, 0
    position.do(0, STOCK)
    view = position.view(-1)
    assert [int(view.place[card]) for card in cards("red star 1, red star 2, red star 3, blue circle 1")] == [1, 1, 1, 0]


def test_of_each_hand_it_is_known_how_many_hidden_cards_came_from_which_stock() -> None:
    position = table("blue circle 1, blue star 1", "green star 1", discard="red star 1, red star 2, red star 3")
    position.state.stock[:], position.state.stock_size = 0, 0
    position.do(0, STOCK)
    assert position.view(1).drawn[:2, :2].tolist() == [[2, 1], [1, 0]]
    position.do(0, Discard("blue circle 1"))
    assert position.view(1).drawn[:2, :2].tolist() == [[1, 1], [1, 0]]


def test_a_known_card_counts_to_no_stock() -> None:
    position = table("blue circle 1", "green star 1", discard="red star 1")
    position.do(0, DISCARD_PILE)
    assert position.view(1).drawn[0].tolist() == [1, 0, 0, 0, 0, 0, 0]


def test_the_hands_are_shown_when_the_match_is_over() -> None:
    position = playing("blue circle 1", "red star 5, red cross 2", target=10)
    position.state.totals[0] = 20
    position.do(0, Discard("blue circle 1"))
    assert list(position.view(-1).hands[1][:3]) == [*cards("red star 5, red cross 2"), EMPTY]
    assert position.scores()[1] == {"earlier deals": 0, "kohojus": 0, "finished kohojus": 0, "hand": -7}


def test_players_can_see_how_the_last_deal_was_scored() -> None:
    position = playing("blue circle 1", "red star 5, red cross 2", kohojus={0: ["green star 3"]})
    position.do(0, Discard("blue circle 1"))
    view = position.view(1)
    assert (view.last_laid[0], view.last_finished[0], view.last_hand[1], view.last_ending) == (3, 0, 7, WENT_OUT)


def test_in_a_view_the_hidden_hands_count_as_far_as_they_are_known() -> None:
    position = table("red star 1, blue square 1", "", discard="yellow star 4")
    position.do(0, DISCARD_PILE)
    table_of_points = np.zeros((2, 4), np.int32)
    position.rules.scores(position.view(1), table_of_points)
    assert table_of_points[0].tolist() == [0, 0, 0, -4]


def test_between_turns_hand_and_laid_cards_are_twelve() -> None:
    position = Position("kohoju", 4, seed=3)
    held = [12] * 4
    while position.state.deal_number == 1:
        (seat,) = position.to_act()
        legal = position.legal(seat)
        action = legal[0]
        held[seat] += isinstance(action, Draw)
        held[seat] -= isinstance(action, Discard)
        position.do(seat, action)
        if position.state.deal_number == 1 and isinstance(action, Discard):
            assert held == [12] * 4
            check_laws(position.state)


def test_six_who_never_lay_reshuffle_six_times_and_reach_the_limit_of_turns() -> None:
    position = Position("kohoju", 6)
    decisions = 0
    while position.state.deal_number == 1:
        stocks = int(position.state.stock_number)
        (seat,) = position.to_act()
        position.do(seat, position.legal(seat)[0 if decisions % 2 == 0 else -1])
        decisions += 1
    assert (decisions, int(position.state.last_ending), stocks) == (720, TURNS_UP, 6)


def test_there_are_627_actions() -> None:
    vocabulary = Position("kohoju", 2).game.vocabulary
    names = [type(action).__name__ for action in vocabulary.actions]
    counts = {name: names.count(name) for name in dict.fromkeys(names)}
    assert counts == {"Draw": 2, "Open": 125, "Add": 250, "Pool": 125, "Discard": 125}


def test_every_action_can_be_said_in_words() -> None:
    words = {
        STOCK: "draws from the stock",
        DISCARD_PILE: "draws from the discard pile",
        Open("blue circle 1"): "opens a kohoju with blue circle 1",
        Add("red star 5", 0): "adds red star 5 to the first unfinished kohoju",
        Add("red star 5", 1): "adds red star 5 to the second unfinished kohoju",
        Pool("green cross 2"): "lays green cross 2 in the pool",
        Discard("purple square 3"): "discards purple square 3",
    }
    assert {action: action.words() for action in words} == words


def test_the_guide_card_and_the_guide_pile_are_observed() -> None:
    one, other, used = table(*HANDS), table(*HANDS, guide="red cross"), table(*HANDS)
    used.state.guide_pile ^= kinds("red cross")
    assert differ(one, other)
    assert differ(one, used)


@pytest.mark.parametrize(
    ("target", "totals"),
    [(10, (-60, -120)), (100, (-401, -900)), (500, (-6599, -6600)), (500, (560, 561)), (10, (9, 10))],
)
def test_who_leads_is_observed_however_far_from_the_target(target: int, totals: tuple[int, int]) -> None:
    one, other, level = (table(*HANDS, target=target) for _ in range(3))
    one.state.totals[:2], other.state.totals[:2], level.state.totals[:2] = totals, totals[::-1], totals[0]
    assert differ(one, other)
    assert differ(one, level)


def test_the_own_cards_are_observed_with_their_points() -> None:
    one, points, kind = (
        table(*HANDS),
        table(HANDS[0].replace("3", "4"), HANDS[1]),
        table(HANDS[0].replace("cross", "star"), HANDS[1]),
    )
    assert observed(one, 0) != observed(points, 0)
    assert observed(one, 0) != observed(kind, 0)


def test_the_card_that_may_not_go_back_is_observed() -> None:
    one, other = (table(*HANDS, discard="red star 1") for _ in range(2))
    for position in (one, other):
        position.do(0, DISCARD_PILE)
    other.state.taken = EMPTY
    assert observed(one, 0) != observed(other, 0)


def test_it_is_observed_which_cards_are_known_in_which_hand_with_their_points() -> None:
    one, points, kind = (
        known_in_hands("red cross 1", "red cross 2"),
        known_in_hands("red cross 2", "red cross 1"),
        known_in_hands("red cross 1", "blue star 2"),
    )
    assert differ(one, points)
    assert differ(one, kind)


def test_the_discard_pile_and_the_unseen_cards_are_observed_with_their_points() -> None:
    piles = "red cross 1, blue star 1", "red cross 2, blue star 1", "blue star 1, red cross 1"
    one, points, top = (table(*HANDS, discard=pile) for pile in piles)
    assert differ(one, points)
    assert differ(one, top)


def test_the_pool_is_observed() -> None:
    one, other = table(*HANDS), table(*HANDS, pool="purple circle 1")
    assert differ(one, other)


def test_the_kinds_that_fit_a_kohoju_and_its_points_are_observed() -> None:
    lines = "red circle 1, red square 1", "red circle 1, blue circle 1", "red circle 1, red square 2"
    one, kind, points = (table(*HANDS, kohojus={1: [line]}) for line in lines)
    assert differ(one, kind)
    assert differ(one, points)


def test_it_is_observed_which_hand_drew_from_an_earlier_stock() -> None:
    """The same cards were drawn from each stock, by other hands: only `drawn` tells that to the third player and a spectator."""
    one = table("blue circle 1, red star 2", "blue star 1, red cross 4", "green star 1")
    other = table("blue circle 1, red cross 4", "blue star 1, red star 2", "green star 1")
    for position, drawn in ((one, [[2, 0], [1, 1]]), (other, [[1, 1], [2, 0]])):
        state = position.state
        stock = [card for card in range(125) if state.place[card] == 0 and card not in state.hands]
        state.stock_number, state.drawn[:2, :2] = 1, drawn
        state.place[[*stock, *cards("red cross 4")]] = 1
    assert all(observed(one, seat) != observed(other, seat) for seat in (-1, 2))

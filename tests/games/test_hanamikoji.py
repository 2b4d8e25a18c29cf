"""Hanamikoji, sentence by sentence."""

from __future__ import annotations

from typing import Any

import pytest

from tests.position import Position
from zashiki import Match
from zashiki.core.actions import Action
from zashiki.core.layout import EMPTY, UNKNOWN
from zashiki.core.state import State
from zashiki.games.hanamikoji.actions import Competition, Gift, Secret, Take, TakePair, TradeOff
from zashiki.games.hanamikoji.cards import ITEMS
from zashiki.games.hanamikoji.rules import NOBODY, SHARED

FLUTE, FAN, SCROLL, UMBRELLA, SHAMISEN, TEA_POT, HAIR = range(7)


def fresh(**options: int) -> Position:
    """A match whose first turn is seat 0's."""
    seed = 0
    while (position := Position("hanamikoji", 2, seed=seed, **options)).state.active != 0:
        seed += 1
    return position


def with_hand(position: Position, seat: int, *items: int) -> None:
    """Gives a seat these cards; the tests that use it never count the deck."""
    position.state.hands[seat] = [items.count(item) for item in range(7)]
    position.state.hand_size[seat] = len(items)


def scored(position: Position, first: dict[int, int], second: dict[int, int]) -> None:
    """Ends the round with these items on the two sides: the last action is seat 0's secret."""
    state = position.state
    state.turn_number, state.active = 8, 0
    state.used[:] = [[0, 1, 3, 5], [2, 4, 6, 7]]
    for seat, items in enumerate((first, second)):
        state.sides[seat] = [items.get(item, 0) for item in range(7)]
    # Both secrets are flutes, which therefore stay tied.
    state.secret[1] = FLUTE
    with_hand(position, 0, FLUTE)
    position.do(0, Secret("flute"))


def test_a_round_deals_six_cards_each_and_the_first_player_draws() -> None:
    state = fresh().state
    assert list(state.hand_size) == [7, 6]
    assert state.stack_size == 7


def test_one_card_is_removed_unseen() -> None:
    position = fresh()
    assert position.state.deck[0] != EMPTY
    for seat in (-1, 0, 1):
        assert position.view(seat).deck[0] == UNKNOWN


def test_all_four_actions_can_be_chosen_first() -> None:
    position = fresh()
    with_hand(position, 0, *range(7))
    legal = position.legal(0)
    kinds = [sum(isinstance(action, kind) for action in legal) for kind in (Secret, TradeOff, Gift, Competition)]
    assert kinds == [7, 21, 35, 105]
    assert len(legal) == 168


def test_an_action_used_is_gone_for_the_round() -> None:
    position = fresh()
    with_hand(position, 0, *range(7))
    position.do(0, Secret("fan"))
    position.do(1, position.legal(1)[0])
    assert not any(isinstance(action, Secret) for action in position.legal(0))


def test_a_secret_is_known_to_its_owner_only() -> None:
    position = fresh()
    with_hand(position, 0, *range(7))
    position.do(0, Secret("fan"))
    assert position.view(0).secret[0] == FAN
    assert position.view(1).secret[0] == UNKNOWN
    assert position.view(-1).secret[0] == UNKNOWN


def test_a_trade_off_puts_two_cards_out_of_the_round_for_its_owners_eyes() -> None:
    position = fresh()
    with_hand(position, 0, FAN, FAN, SCROLL, HAIR, HAIR, HAIR, HAIR)
    position.do(0, TradeOff(("scroll", "fan")))
    assert list(position.view(0).trade_off[0]) == [FAN, SCROLL]
    assert list(position.view(1).trade_off[0]) == [UNKNOWN, UNKNOWN]
    assert position.state.sides.sum() == 0


def test_the_other_takes_one_card_of_a_gift_and_the_offerer_gets_two() -> None:
    position = fresh()
    with_hand(position, 0, *range(7))
    position.do(0, Gift(("scroll", "fan", "flute")))
    assert position.to_act() == {1}
    assert set(position.legal(1)) == {Take("flute"), Take("fan"), Take("scroll")}
    position.do(1, Take("fan"))
    assert list(position.state.sides[0]) == [1, 0, 1, 0, 0, 0, 0]
    assert list(position.state.sides[1]) == [0, 1, 0, 0, 0, 0, 0]
    assert position.to_act() == {1}


def test_the_other_takes_one_pair_of_a_competition() -> None:
    position = fresh()
    with_hand(position, 0, *range(7))
    position.do(0, Competition((("hair ornament", "fan"), ("scroll", "flute"))))
    position.do(1, TakePair(1))
    assert list(position.state.sides[0]) == [1, 0, 1, 0, 0, 0, 0]
    assert list(position.state.sides[1]) == [0, 1, 0, 0, 0, 0, 1]


def test_pairs_and_their_cards_have_no_order() -> None:
    assert Competition((("fan", "flute"), ("scroll", "umbrella"))) == Competition((("umbrella", "scroll"), ("flute", "fan")))
    assert Gift(("fan", "flute", "scroll")) == Gift(("scroll", "fan", "flute"))


def test_the_answer_comes_before_the_next_draw() -> None:
    position = fresh()
    position.do(0, next(action for action in position.legal(0) if isinstance(action, Gift)))
    assert list(position.state.hand_size) == [4, 6]
    position.do(1, position.legal(1)[0])
    assert list(position.state.hand_size) == [4, 7]


def test_a_gift_of_three_alike_still_asks() -> None:
    position = fresh()
    with_hand(position, 0, HAIR, HAIR, HAIR, HAIR, HAIR, FAN, FAN)
    position.do(0, Gift(("hair ornament",) * 3))
    assert position.legal(1) == [Take("hair ornament")]


def test_two_equal_pairs_leave_one_answer() -> None:
    position = fresh()
    with_hand(position, 0, HAIR, HAIR, FAN, FAN, TEA_POT, TEA_POT, TEA_POT)
    position.do(0, Competition((("fan", "hair ornament"), ("fan", "hair ornament"))))
    assert position.legal(1) == [TakePair(0)]


def test_a_round_is_twelve_decisions_and_empties_both_hands() -> None:
    position = fresh()
    decisions = 0
    while position.state.round_number == 1 and position.state.phase != 0:
        (seat,) = position.to_act()
        position.do(seat, position.legal(seat)[-1])
        decisions += 1
    assert decisions == 12
    assert list(position.state.scored_sides.sum(axis=1)) == [8, 8]


@pytest.mark.parametrize("order", [(Competition, Gift, TradeOff, Secret), (Secret, TradeOff, Gift, Competition)])
def test_every_order_of_actions_is_possible(order: tuple[type, ...]) -> None:
    position = fresh()
    for kind in order:
        for seat in (0, 1):
            position.do(seat, next(action for action in position.legal(seat) if isinstance(action, kind)))
            if kind in (Gift, Competition):
                position.do(1 - seat, position.legal(1 - seat)[0])
    assert position.state.scored_sides.sum() == 16


def test_more_items_win_the_favour() -> None:
    position = fresh()
    scored(position, {FAN: 2, SCROLL: 1}, {SCROLL: 2, UMBRELLA: 1})
    assert list(position.state.markers) == [NOBODY, 0, 1, 1, NOBODY, NOBODY, NOBODY]


def test_the_secrets_are_shown_and_counted_at_scoring() -> None:
    position = fresh()
    scored(position, {FLUTE: 1}, {})
    assert list(position.state.scored_secrets) == [FLUTE, FLUTE]
    assert position.state.markers[FLUTE] == 0
    assert list(position.view(-1).scored_secrets) == [FLUTE, FLUTE]


@pytest.mark.parametrize("winner", [0, 1])
def test_favour_moves_from_the_other_side_too(winner: int) -> None:
    position = fresh()
    position.state.markers[FAN] = 1 - winner
    scored(position, *(({FAN: 2}, {}) if winner == 0 else ({}, {FAN: 2})))
    assert position.state.markers[FAN] == winner


def test_each_player_shows_the_own_secret() -> None:
    position = fresh()
    position.state.secret[1] = TEA_POT
    with_hand(position, 0, FAN)
    position.state.turn_number = 8
    position.state.used[:] = [[0, 1, 3, 5], [2, 4, 6, 7]]
    position.do(0, Secret("fan"))
    assert list(position.state.scored_secrets) == [FAN, TEA_POT]
    assert list(position.state.markers) == [NOBODY, 0, NOBODY, NOBODY, NOBODY, 1, NOBODY]


def test_a_secret_is_told_to_all_when_its_round_is_scored() -> None:
    match = Match("hanamikoji", seed=1)
    while match.state.record.round_number == 1 and not match.over:
        seat = match.to_act[0]
        match.act(seat, match.legal_actions(seat)[0])
        told: list[Any] = [event.action for event in match.events() if event.revealed]
        assert told == [] or match.over or match.state.record.round_number == 2
    assert [type(action) for action in told] == [Secret, Secret]
    assert [ITEMS.index(action.card) for action in told] == list(match.state.record.scored_secrets)


def test_a_random_seat_begins() -> None:
    starters = [int(Position("hanamikoji", 2, seed=seed).state.starter) for seed in range(200)]
    assert 70 < sum(starters) < 130


def test_it_is_public_in_which_turn_each_action_was_used() -> None:
    position = fresh()
    with_hand(position, 0, *range(7))
    position.do(0, Secret("fan"))
    position.do(1, next(action for action in position.legal(1) if isinstance(action, TradeOff)))
    assert position.view(-1).used.tolist() == [[1, 0, 0, 0], [0, 2, 0, 0]]


def test_pairs_with_one_card_in_common_leave_two_answers() -> None:
    position = fresh()
    with_hand(position, 0, HAIR, HAIR, FAN, TEA_POT, TEA_POT, TEA_POT, SCROLL)
    position.do(0, Competition((("fan", "hair ornament"), ("scroll", "hair ornament"))))
    assert position.legal(1) == [TakePair(0), TakePair(1)]


@pytest.mark.parametrize("rounds", [1, 2, 3, 20])
def test_charm_decides_after_the_round_that_the_option_names(rounds: int) -> None:
    position = fresh(rounds=rounds)
    position.state.round_number = rounds
    scored(position, {FAN: 1}, {})
    assert (position.winners(), position.ending()) == ({0}, "most charm")


def test_rounds_are_1_to_20_and_20_unless_chosen() -> None:
    (option,) = Position("hanamikoji", 2).game.options
    assert (option.default, option.values) == (20, range(1, 21))


DECISIVE = {
    "rounds": 20,
    "round_number": 2,
    "used": [[0, 0, 1, 0], [0, 0, 0, 0]],
    "markers": [0, 2, 2, 2, 2, 2, 2],
    "hands": [[1, 1, 1, 1, 1, 1, 1], [-1] * 7],
    "secret": [3, EMPTY],
    "trade_off": [[1, 2], [EMPTY, EMPTY]],
    "offer": [0, 1, 2, EMPTY],
    "sides": [[1, 0, 0, 0, 0, 0, 0], [0] * 7],
}


@pytest.mark.parametrize("field", DECISIVE)
def test_an_observation_tells_what_matters(field: str) -> None:
    position = fresh(rounds=3)
    with_hand(position, 0, HAIR, HAIR, HAIR, HAIR, HAIR, FAN, FAN)
    before = State(position.game)
    before.records[0] = position.view(0)
    after = before.copy()
    after.records[field] = DECISIVE[field]
    assert before.observe(0).tobytes() != after.observe(0).tobytes()


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (Secret("umbrella"), "keeps an umbrella in secret"),
        (Secret(None), "keeps a card in secret"),
        (TradeOff(("fan", "fan")), "discards two fans"),
        (TradeOff(None), "discards two cards face down"),
        (Gift(("fan", "fan", "scroll")), "offers two fans and a scroll as a gift"),
        (Competition((("fan", "flute"), ("scroll", "scroll"))), "offers a flute and a fan, or two scrolls"),
        (Take("tea pot"), "takes the tea pot"),
        (TakePair(1), "takes the second pair"),
    ],
)
def test_actions_in_words(action: Action, words: str) -> None:
    assert action.words() == words


def test_favour_stays_through_a_tie_even_on_the_other_side() -> None:
    position = fresh()
    position.state.markers[FAN] = 1
    scored(position, {FAN: 1}, {FAN: 1})
    assert position.state.markers[FAN] == 1


def test_eleven_charm_wins() -> None:
    position = fresh()
    scored(position, {HAIR: 1, TEA_POT: 1, FAN: 1}, {})
    assert (position.winners(), position.ending()) == ({0}, "charm")
    assert position.scores() == [{"charm": 11}, {"charm": 0}]
    assert position.to_act() == set()


def test_four_geisha_win() -> None:
    position = fresh()
    scored(position, {}, {FAN: 1, SCROLL: 1, UMBRELLA: 1, SHAMISEN: 1})
    assert (position.winners(), position.ending()) == ({1}, "geisha")


def test_four_geisha_with_eleven_charm_win_by_charm() -> None:
    position = fresh()
    position.state.markers[FLUTE] = 0
    scored(position, {HAIR: 1, FAN: 1, SCROLL: 1}, {})
    assert (position.winners(), position.ending()) == ({0}, "charm")


def test_eleven_charm_beats_four_geisha() -> None:
    position = fresh()
    scored(position, {HAIR: 1, TEA_POT: 1, FAN: 1}, {SCROLL: 1, UMBRELLA: 1, SHAMISEN: 1, FLUTE: 1})
    assert (position.winners(), position.ending()) == ({0}, "charm")


def test_without_a_winner_the_other_player_starts_a_new_round() -> None:
    position = fresh()
    scored(position, {FAN: 1}, {SCROLL: 1})
    state = position.state
    assert (int(state.round_number), int(state.starter), int(state.active)) == (2, 1, 1)
    assert state.used.sum() == 0
    assert list(state.hand_size) == [6, 7]
    assert state.markers[FAN] == 0


@pytest.mark.parametrize(
    ("first", "second", "winners", "ending"),
    [
        ((FAN, SCROLL, UMBRELLA), (TEA_POT,), {0}, "most charm"),
        ((HAIR, FLUTE, FAN), (TEA_POT, UMBRELLA, SCROLL), {0}, "best geisha"),
        ((), (), {0, 1}, "shared"),
        ((FAN,), (SCROLL,), {0, 1}, "shared"),
        ((UMBRELLA,), (SHAMISEN,), {0, 1}, "shared"),
        ((UMBRELLA, FAN), (SHAMISEN, SCROLL), {0, 1}, "shared"),
    ],
)
def test_the_last_round_is_decided_by_charm_then_by_the_best_geisha(
    first: tuple[int, ...], second: tuple[int, ...], winners: set[int], ending: str
) -> None:
    position = fresh(rounds=3)
    position.state.round_number = 3
    for seat, held in enumerate((first, second)):
        for item in held:
            position.state.markers[item] = seat
    scored(position, {}, {})
    assert (position.winners(), position.ending()) == (winners, ending)


def test_before_the_last_round_nothing_is_decided_by_charm() -> None:
    position = fresh(rounds=3)
    position.state.round_number = 2
    scored(position, {FAN: 1}, {})
    assert position.winners() == set()


def test_equal_charm_and_best_geisha_is_named_shared() -> None:
    assert Position("hanamikoji", 2).game.layout.endings[SHARED] == "shared"


def test_there_are_508_actions() -> None:
    vocabulary = Position("hanamikoji", 2).game.vocabulary
    kinds = [type(action).__name__ for action in vocabulary.actions]
    counts = {name: kinds.count(name) for name in dict.fromkeys(kinds)}
    assert counts == {"Secret": 7, "TradeOff": 28, "Gift": 81, "Competition": 383, "Take": 7, "TakePair": 2}

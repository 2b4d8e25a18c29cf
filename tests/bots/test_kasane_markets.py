"""The last market of Kasane, read to the end: the same as trying every line, and what the master makes of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from zashiki.bots import find_bot
from zashiki.bots.asking import warm_up
from zashiki.bots.bot import Budget
from zashiki.bots.kasane import packed, pair
from zashiki.bots.kasane.pair import EVEN, LOST, UNREAD, WON
from zashiki.bots.kasane.player import KasaneMaster, best_results, lies_open
from zashiki.bots.sense import heuristics
from zashiki.core.gears import GEAR
from zashiki.core.state import State
from zashiki.games import find
from zashiki.games.kasane.rules import COMBINE, COMBINE_FROM, DECLINE, TAKE
from zashiki.games.kasane.scoring import cards_laid, points_of

GAME = find("kasane")
MATCHES = 12 if GEAR != "python" else 2
LATE = 9 if GEAR != "python" else 11
ENOUGH = 1 << 30
FEW = 200 if GEAR != "python" else 20


@pytest.fixture(autouse=True)
def known() -> None:
    heuristics(GAME)


def decisions(
    seats: int, matches: int = MATCHES, combo: bool = False, first: int = 1, turn: int = 1
) -> Iterator[tuple[State, int]]:
    """Decisions of careless players with more than one action, from a turn of the last round on."""
    for seed in range(first, first + matches):
        state = State.dealt(GAME, seats, GAME.option_numbers({"accessory_combo": combo}), seed)
        bot = find_bot(GAME, "careless").sit_down(seed)
        while waiting := state.to_act():
            seat = waiting.bit_length() - 1
            legal = state.legal(seat)
            if state.record.round_number == seats and state.record.turn_number >= turn and len(legal) > 1:
                yield state, seat
            state.apply(seat, bot.choose(state.view(seat), seat, legal, Budget()))


def after(state: State, seat: int, action: int) -> State:
    twin = state.copy()
    twin.apply(seat, action)
    return twin


def tried_out(state: State, seat: int) -> int:
    """What a seat comes to in a match of two, by trying every line."""
    if not state.to_act():
        winners = int(state.record.winners)
        return EVEN if winners == 3 else WON if winners >> seat & 1 else LOST
    acting = state.to_act().bit_length() - 1
    found = [tried_out(after(state, acting, action), seat) for action in state.legal(acting)]
    return max(found) if acting == seat else min(found)


def results_of(state: State, seat: int, reading: pair.Reading, most: int = ENOUGH) -> dict[int, int]:
    """What each action comes to, each read alone, so that one that wins does not end it."""
    found, results = {}, np.zeros(1, np.int64)
    for action in state.legal(seat):
        pair.read(state.view(seat).records, seat, np.array([action]), results, reading, most)
        found[action] = int(results[0])
    return found


@pytest.mark.parametrize("combo", [False, True])
@pytest.mark.parametrize("seats", GAME.seats)
def test_a_packed_hand_may_play_what_the_rules_allow(seats: int, combo: bool) -> None:
    for state, seat in decisions(seats, combo=combo):
        record = state.record
        if record.phase == COMBINE:
            hand, kimono = packed.pack_hand(record, seat), packed.pack_kimono(record, seat)
            allowed = packed.playable(hand, kimono, packed.pack_places(record))
            assert [COMBINE_FROM + bit for bit in range(64) if allowed >> bit & 1] == state.legal(seat)[1:]


@pytest.mark.parametrize("combo", [False, True])
def test_a_packed_turn_leads_where_the_rules_lead(combo: bool) -> None:
    for state, seat in decisions(4, combo=combo):
        record = state.record
        if record.phase != TAKE:
            continue
        hand, kimono = packed.pack_hand(record, seat), packed.pack_kimono(record, seat)
        free, rows = packed.pack_places(record), packed.pack_rows(record)
        market, turns = record.market.astype(np.int64), np.zeros(packed.MOST_TURNS, np.int64)
        count = packed.list_turns(hand, kimono, free, rows, market, int(combo), turns)
        for turn in turns[:count].tolist():
            there = after(state, seat, packed.row_of(turn))
            play = turn & packed.TURN_MASK
            if there.record.phase == COMBINE and there.record.active == seat:
                there.apply(seat, DECLINE if play == packed.NOTHING else COMBINE_FROM + play - 1)
            reached = packed.play_turn(turn, hand, kimono, free, rows, market)
            assert reached[:2] == (packed.pack_hand(there.record, seat), packed.pack_kimono(there.record, seat))
            assert reached[2] == packed.pack_places(there.record)
            assert reached[3] == packed.pack_rows(there.record) or not there.to_act()
            result = points_of(there.record, seat) << packed.CARD_BITS | cards_laid(there.record, seat)
            assert packed.result(reached[1]) == result


@pytest.mark.parametrize("combo", [False, True])
def test_reading_with_two_finds_what_trying_every_line_finds(combo: bool) -> None:
    reading = pair.new_reading()
    for state, seat in decisions(2, combo=combo, turn=LATE):
        tried = {action: tried_out(after(state, seat, action), seat) for action in state.legal(seat)}
        assert results_of(state, seat, reading) == tried


def test_a_reading_that_is_cut_short_leaves_the_rest_unread_and_goes_on_later() -> None:
    state, seat = next(decisions(2, turn=LATE - 2))
    reading, legal = pair.new_reading(), np.array(state.legal(seat))
    results = np.zeros(len(legal), np.int64)
    assert not pair.read(state.view(seat).records, seat, legal, results, reading, 1)
    assert set(results.tolist()) == {UNREAD}
    found = results_of(state, seat, reading)
    assert UNREAD not in found.values()
    assert found == results_of(state, seat, pair.new_reading())


def test_an_action_that_wins_needs_no_reading_of_the_others() -> None:
    for state, seat in decisions(2, turn=LATE):
        legal = np.array(state.legal(seat))
        results = np.zeros(len(legal), np.int64)
        assert pair.read(state.view(seat).records, seat, legal, results, pair.new_reading(), ENOUGH)
        assert WON in results or UNREAD not in results


def test_what_may_be_best_is_one_that_wins_or_all_that_nothing_is_known_to_beat() -> None:
    assert best_results([3, 4, 5], np.array([EVEN, WON, UNREAD])) == [4]
    assert best_results([3, 4, 5], np.array([EVEN, LOST, UNREAD])) == [3, 5]
    assert best_results([3, 4], np.array([LOST, LOST])) == [3, 4]


def test_the_master_of_two_gives_nothing_away_in_the_last_market(learned: Path) -> None:
    for state, seat in decisions(2, turn=LATE):
        results = results_of(state, seat, pair.new_reading())
        choice = KasaneMaster(GAME, 1).choose(state.view(seat), seat, state.legal(seat), Budget(iterations=9))
        assert results[choice] == max(results.values())


def test_hints_of_the_last_market_are_what_was_read(learned: Path) -> None:
    state, seat = next(decisions(2, turn=LATE + 1))
    found = KasaneMaster(GAME, 1).estimates(state.view(seat), seat, Budget(iterations=20))
    results = results_of(state, seat, pair.new_reading())
    assert {estimate.action: estimate.chance for estimate in found} == {action: won / WON for action, won in results.items()}
    assert [estimate.chance for estimate in found] == sorted((estimate.chance for estimate in found), reverse=True)
    assert all(estimate.exact for estimate in found)
    compared = KasaneMaster(GAME, 1).compare(state.view(seat), seat, state.legal(seat)[:1], Budget(iterations=20))
    assert [estimate.action for estimate in compared] == state.legal(seat)[:1]


def test_nothing_is_read_before_the_last_market_nor_with_more_than_two() -> None:
    for seats in GAME.seats:
        state = State.dealt(GAME, seats, GAME.option_numbers(), 1)
        assert not lies_open(state.view(0))
        last, seat = next(decisions(seats))
        assert lies_open(last.view(seat)) == (seats == 2)


def test_where_there_is_no_time_to_read_the_master_searches(learned: Path) -> None:
    state, seat = next(decisions(2))
    legal = state.legal(seat)
    assert KasaneMaster(GAME, 1).choose(state.view(seat), seat, legal, Budget(iterations=1)) in legal
    assert KasaneMaster(GAME, 1).choose(state.view(seat), seat, legal, Budget(seconds=0.001)) in legal


@pytest.mark.parametrize("seats", [3, 4])
def test_with_more_than_two_the_last_market_is_played_out(learned: Path, seats: int) -> None:
    """Only what is played out comes to points."""
    opening = State.dealt(GAME, seats, GAME.option_numbers(), 1)
    first, last = (
        KasaneMaster(GAME, 1)._think(state.view(seat), seat, Budget(iterations=FEW), hasty=False)
        for state, seat in ((opening, opening.to_act().bit_length() - 1), next(decisions(seats)))
    )
    assert first["points"].sum() == 0
    assert last["points"].sum() > 0
    assert first["visits"].sum() == last["visits"].sum() == FEW


@pytest.mark.skipif(GEAR == "python", reason="there is nothing to compile")
def test_a_warm_game_has_its_reading_compiled(learned: Path) -> None:
    warm_up(GAME)
    assert getattr(pair.read, "signatures", None)

"""Bots where anybody may act at any time: their reactions, and whole matches on a clock of our own."""

from __future__ import annotations

import random
from collections.abc import Sequence
from statistics import median

import numpy as np
import pytest

from zashiki.bots import find_bot
from zashiki.bots.bot import WAIT, Budget
from zashiki.bots.levels import LEVELS
from zashiki.bots.live import FLOOR_MS, REACTIONS, LiveBot, reaction_ms
from zashiki.core.game import Deadline
from zashiki.core.gears import GEAR
from zashiki.core.layout import CLOCK
from zashiki.core.random import seed_roller
from zashiki.core.state import State
from zashiki.games import find
from zashiki.games.kawaii.cards import PHOTO_FINISH_MS, PILE_NUMBERS
from zashiki.games.kawaii.rules import ANSWER_PASS, CLAIM_FROM, DONE, FLIP, THROW_FROM

KAWAII = find("kawaii")
SLOW = GEAR == "python"
FLIP_MS = 4_000
BRIEF = Budget(iterations=30)


class Answering:
    """A bot that always gives the same answer in a window, and remembers what it was asked."""

    def __init__(self, answer: int) -> None:
        self.answer = answer
        self.asked: list[State] = []

    def choose(self, view: State, seat: int, legal: Sequence[int], budget: Budget) -> int:
        self.asked.append(view)
        return self.answer


def dealt(seats: int = 3, seed: int = 1, *, stacked: bool = False) -> State:
    """A live match whose first card is not flipped yet."""
    return State.dealt(KAWAII, seats, KAWAII.option_numbers({"pace": "live", "stacked": stacked}), seed)


def flipped(count: int, *, stacked: bool = False) -> State:
    """A live match in which so many cards are flipped."""
    state = dealt(stacked=stacked)
    for _ in range(count):
        state.apply(int(state.record.turn), FLIP)
    return state


def claim(state: State, pile: int) -> int:
    return CLAIM_FROM + PILE_NUMBERS * pile + int(state.record.pile_number[pile])


def chosen(bot: Answering, state: State, seat: int) -> int:
    """What the bot does at this table."""
    view = state.view(seat)
    legal = [WAIT, *view.legal(seat)]
    action = LiveBot(KAWAII, bot, 1).choose(view, seat, legal, Budget())
    assert action in legal
    return action


def draws(level: str) -> list[int]:
    chance = random.Random(level)
    return [reaction_ms(level, chance) for _ in range(20_000)]


@pytest.mark.parametrize("level", LEVELS)
def test_nobody_reacts_faster_than_a_person_could(level: str) -> None:
    assert min(draws(level)) >= FLOOR_MS == 180


@pytest.mark.parametrize("level", LEVELS)
def test_half_of_all_reactions_are_faster_than_the_levels_median(level: str) -> None:
    assert median(draws(level)) == pytest.approx(REACTIONS[level].median_ms, rel=0.03)


def test_the_better_the_level_the_faster_at_every_part_of_the_distribution() -> None:
    for share in (0.05, 0.25, 0.5, 0.75, 0.95):
        quantiles = [float(np.quantile(draws(level), share)) for level in LEVELS]
        assert quantiles == sorted(quantiles, reverse=True)
        assert quantiles[0] > 1.2 * quantiles[-1]


def test_a_level_that_is_no_more_reacts_like_a_beginner() -> None:
    assert reaction_ms("grandmaster", random.Random(5)) == reaction_ms("beginner", random.Random(5))


def test_before_the_first_card_whoever_begins_flips_and_the_others_wait() -> None:
    state = dealt()
    first = int(state.record.turn)
    assert [chosen(Answering(ANSWER_PASS), state, seat) == FLIP for seat in range(3)] == [seat == first for seat in range(3)]


def test_an_answer_in_a_window_is_a_claim_on_the_pile_as_it_was_seen() -> None:
    state = flipped(2)
    owner = int(state.record.starter)
    assert chosen(Answering(owner), state, (owner + 1) % 3) == claim(state, owner)


def test_whoever_passes_waits_unless_it_is_his_flip() -> None:
    state = flipped(2)
    turn = int(state.record.turn)
    actions = {seat: chosen(Answering(ANSWER_PASS), state, seat) for seat in range(3)}
    assert actions == {seat: FLIP if seat == turn else WAIT for seat in range(3)}


def test_whoever_passes_after_the_last_flip_is_done_once() -> None:
    state = flipped(55)
    assert chosen(Answering(ANSWER_PASS), state, 1) == DONE
    state.apply(1, DONE)
    assert chosen(Answering(ANSWER_PASS), state, 1) == WAIT


def contested(*, stacked: bool = False) -> State:
    """Seats 0 and 1 are to throw for a pile."""
    state = flipped(3, stacked=stacked)
    for seat in (0, 1):
        state.apply(seat, claim(state, 2))
    state.apply(CLOCK, next(action for action in state.legal(CLOCK)))
    assert int(state.record.contested[2]) == 0b11
    return state


def test_signs_are_drawn_evenly_and_nobody_is_asked() -> None:
    state, bot = contested(), Answering(ANSWER_PASS)
    view = state.view(0)
    legal = [WAIT, *view.legal(0)]
    signs = [LiveBot(KAWAII, bot, seed).choose(view, 0, legal, Budget()) - THROW_FROM for seed in range(3_000)]
    assert [abs(signs.count(6 + sign) - 1_000) < 120 for sign in range(3)] == [True] * 3
    assert bot.asked == []


def test_nobody_flips_into_a_contest_that_all_can_see() -> None:
    state = contested()
    state.record.turn = 2
    assert chosen(Answering(ANSWER_PASS), state, 2) == WAIT


@pytest.mark.parametrize("stacked", [False, True])
def test_the_window_is_one_that_the_rules_could_ask_about(stacked: bool) -> None:
    state, bot = contested(stacked=stacked), Answering(ANSWER_PASS)
    chosen(bot, state, 2)
    rng = np.zeros(4, np.uint32)
    seed_roller(rng, 3)
    window = bot.asked[0].redealt(2, rng)
    assert int(window.record.pile_size[2]) == 0
    assert sum(map(int, window.record.captured_size)) == 1
    assert sum(map(int, window.record.tokens)) == 6
    choice = random.Random(4)
    while bits := window.to_act():
        seat = (bits & -bits).bit_length() - 1
        window.apply(seat, choice.choice(window.legal(seat)))


def test_claims_that_nobody_is_told_of_change_nothing_about_what_a_bot_is_asked() -> None:
    before, after = flipped(3), flipped(3)
    after.apply(0, claim(after, 2))
    asked = []
    for state in (before, after):
        bot = Answering(ANSWER_PASS)
        assert chosen(bot, state, 1) == chosen(bot, before, 1)
        asked.append(bot.asked[0].to_bytes())
    assert asked[0] == asked[1]


def test_a_pile_one_has_claimed_already_is_thought_of_as_captured() -> None:
    state, bot = flipped(3), Answering(ANSWER_PASS)
    state.apply(0, claim(state, 2))
    chosen(bot, state, 0)
    window = bot.asked[0].record
    assert (int(window.pile_size[2]), int(window.tokens[0]), int(window.captured_size[0])) == (0, 1, 1)


class Sitting:
    """A live match of bots on a simulated clock: each acts on what it saw, its reaction time later."""

    def __init__(self, names: Sequence[str], seed: int, *, stacked: bool = False) -> None:
        self.state = dealt(len(names), seed, stacked=stacked)
        self.chance = random.Random(seed)
        self.levels = ["beginner" if name not in LEVELS else name for name in names]
        self.bots = [LiveBot(KAWAII, find_bot(KAWAII, name).sit_down(seed), seed + place) for place, name in enumerate(names)]
        self.now = 0
        self.seen: list[bytes] = [b""] * len(names)
        self.plans: dict[int, tuple[int, int]] = {}
        """When each seat will do what."""
        self.due: dict[int, tuple[int, Deadline]] = {}
        self.refused = 0
        self.fastest = 1 << 30

    def play(self, limit_ms: int) -> None:
        """Until the match is over."""
        while self.state.to_act() and self.now < limit_ms:
            self._wind()
            for seat in range(len(self.bots)):
                self._look(seat)
            moments = [when for when, _ in self.plans.values()] + [when for when, _ in self.due.values()]
            self.now = min(moments)
            self._happen()

    def _wind(self) -> None:
        wanted = {each.action: each for each in KAWAII.deadlines(self.state.record, FLIP_MS)}
        self.due = {action: kept for action, kept in self.due.items() if wanted.get(action) == kept[1]}
        for action, each in wanted.items():
            self.due.setdefault(action, (self.now + each.delay_ms, each))

    def _look(self, seat: int) -> None:
        view = self.state.view(seat)
        if seat in self.plans or view.to_bytes() == self.seen[seat]:
            return
        self.seen[seat] = view.to_bytes()
        legal = [WAIT, *view.legal(seat)]
        action = self.bots[seat].choose(view, seat, legal, BRIEF)
        assert action in legal
        delay = reaction_ms(self.levels[seat], self.chance)
        self.fastest = min(self.fastest, delay)
        self.plans[seat] = (self.now + delay, action)

    def _happen(self) -> None:
        for seat, (when, action) in sorted(self.plans.items()):
            if when <= self.now:
                del self.plans[seat]
                if action in self.state.legal(seat):
                    self.state.apply(seat, action)
                elif action != WAIT:
                    self.refused += 1
                    self.seen[seat] = b""
                return
        for action, (when, _) in sorted(self.due.items()):
            if when <= self.now:
                del self.due[action]
                self.state.apply(CLOCK, action)
                return


MATCHES = [
    (["beginner", "club", "expert"], False),
    (["careless", "heuristic", "random", "search"], True),
    (["heuristic"] * 5, False),
]


@pytest.mark.parametrize(("names", "stacked"), MATCHES[2:] if SLOW else MATCHES)
def test_bots_of_every_kind_play_a_live_match_to_its_end(names: list[str], stacked: bool) -> None:
    sitting = Sitting(names, 7, stacked=stacked)
    sitting.play(30 * 60_000)
    assert sitting.state.to_act() == 0
    assert int(sitting.state.record.winners) > 0
    assert sitting.fastest >= FLOOR_MS > PHOTO_FINISH_MS


def test_whoever_comes_too_late_looks_again() -> None:
    sittings = [Sitting(["heuristic"] * 5, seed) for seed in range(1 if SLOW else 6)]
    for sitting in sittings:
        sitting.play(30 * 60_000)
    assert sum(sitting.refused for sitting in sittings) > 0

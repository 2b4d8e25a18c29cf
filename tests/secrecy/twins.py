"""A twin: the same match to one onlooker, with everything different that the rules hide from that onlooker."""

from __future__ import annotations

import random
from functools import cache

import numpy as np

from tests.conformance.test_secrecy import permuted
from tests.secrecy.worlds import World
from zashiki.core import entries
from zashiki.core.layout import CLOCK
from zashiki.core.match import TOLD, Entry, Match, Move, told
from zashiki.core.state import State
from zashiki.games import find

TRIES = 6


class TwinMatch(Match):
    """A match that is led: what an action leads to is not computed but given, so that it stays a twin after every draw."""

    led: tuple[State, list[Entry]] | None = None

    def play(self, seat: int, number: int) -> None:
        """Goes where it is led; only that the action is legal here too is verified."""
        assert self.state.refusal(seat, number) == entries.DONE
        assert self.led is not None
        self._history.append(Move(seat, number))
        (self.state, lines), self.led = self.led, None
        self._log += lines


@cache
def alike(game: str) -> dict[int, list[int]]:
    """For each action that is not open, all those that look the same to whoever may not know it."""
    words = find(game).vocabulary.actions
    return {
        number: [other for other, each in enumerate(words) if each.veiled() == action.veiled()]
        for number, action in enumerate(words)
        if action.secrecy != "open"
    }


class Twin:
    """A world in which somebody sits, or looks on, and cannot know that it is not the true one."""

    def __init__(self, world: World, who: int, seed: int) -> None:
        self.world = world
        self.who = who
        self.chance = random.Random(seed)
        self._rng = np.random.default_rng(seed)

    def deal(self, truth: Match) -> Match:
        """The match as it begins here."""
        match = TwinMatch(truth.game, truth.seats, options=truth.options, seed=self.chance.getrandbits(128))
        match.state = self.permuted(truth.state)
        return match

    def permuted(self, state: State) -> State:
        """Another state that looks the same from here."""
        other = permuted(state, self.who, self._rng)
        assert other.view(self.who).to_bytes() == state.view(self.who).to_bytes()
        return other

    def become(self, state: State) -> None:
        """Puts another state into the table, as if it had been there all the time."""
        live = self.world.live
        self.world.match.state = state
        live.table.bits = state.to_act()
        live.pictures._tails.clear()
        live.pictures._frames.clear()
        live.pictures._standing = None

    def lead(self, truth: Match, after: Match, move: Move) -> int | None:
        """Prepares what a move of the true match comes to here; gives the action that is made here, None for none at all."""
        lines = list(after.log[len(truth.log) :])
        if self._is_silent(truth, after, lines) and self.chance.random() < 0.5:
            return None
        number = self._action(truth, move)
        first = Entry(move.seat, number, lines[0].kind)
        self._lead(after.state, [first, *lines[1:]])
        return number

    def _lead(self, state: State, lines: list[Entry]) -> None:
        match = self.world.match
        assert isinstance(match, TwinMatch)
        match.led = (self.permuted(state), lines)

    def _is_silent(self, truth: Match, after: Match, lines: list[Entry]) -> bool:
        silent = all(told(truth.game, self.who, line) is None for line in lines)
        assert not silent or after.view(self.who).to_bytes() == truth.view(self.who).to_bytes()
        return silent

    def _action(self, truth: Match, move: Move) -> int:
        """An action that is legal here and sounds the same; where none is, the cards are for this moment as in truth."""
        if move.seat in (self.who, CLOCK):
            self._make_legal(truth, move)
            return move.action
        same = set(self._sounding_like(truth, move))
        for _ in range(TRIES):
            found = [number for number in self.world.match.state.legal(move.seat) if number in same]
            if found:
                return self.chance.choice(found)
            self.become(self.permuted(truth.state))
        self.become(truth.state.copy())
        return move.action

    def _make_legal(self, truth: Match, move: Move) -> None:
        """What the onlooker itself may do never depends on what is hidden; what time may do does."""
        legal = self.world.match.state.refusal(*move) == entries.DONE
        assert legal or move.seat == CLOCK
        if not legal:
            self.become(truth.state.copy())

    def _sounding_like(self, truth: Match, move: Move) -> list[int]:
        after = truth.copy()
        after.play(*move)
        opened = after.log[len(truth.log)].kind != TOLD
        return [move.action] if opened else alike(truth.game.id).get(move.action, [move.action])

    def whisper(self, truth: Match) -> Move | None:
        """Prepares a silent action of somebody else that is not made in truth, if one can be."""
        words = truth.game.vocabulary
        for seat in self.chance.sample(range(truth.seats), truth.seats):
            legal = self.world.match.state.legal(seat) if seat != self.who else []
            silent = [number for number in legal if words[number].secrecy == "silent" and len(alike(truth.game.id)[number]) > 1]
            if silent:
                move = Move(seat, self.chance.choice(silent))
                self._lead(truth.state, [Entry(*move, TOLD)])
                return move
        return None
